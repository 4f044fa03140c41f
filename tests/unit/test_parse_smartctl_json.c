/* smartctl JSON: the same facts as the text, with JSON pointers as places; long integers; several documents. */
#include "device_test.h"

extern const Parser parser_smartctl_json;

#define HEAD                                                                                                           \
    "{\"json_format_version\": [1, 0], \"smartctl\": {\"version\": [7, 4], \"argv\": [\"smartctl\"], "                 \
    "\"exit_status\": 0},"

static const char ata[] = HEAD
    "\"device\": {\"name\": \"/dev/sda\", \"info_name\": \"/dev/sda [SAT]\", \"type\": \"sat\", \"protocol\": "
    "\"ATA\"},\"model_family\": \"Seagate Example\", \"model_name\": \"ST4000EX000\","
    "\"serial_number\": \"ZEX00017\", \"wwn\": {\"naa\": 5, \"oui\": 3152, \"id\": 2712847316}, \"firmware_version\": "
    "\"SC60\", \"user_capacity\": {\"bytes\": 4000787030016},"
    "\"logical_block_size\": 512, \"physical_block_size\": 4096, \"rotation_rate\": 5980, \"sata_version\": "
    "{\"string\": \"SATA 3.1\"},"
    "\"interface_speed\": {\"max\": {\"string\": \"6.0 Gb/s\"}, \"current\": {\"string\": \"3.0 Gb/s\"}}, "
    "\"smart_support\": {\"available\": true, \"enabled\": true},"
    "\"smart_status\": {\"passed\": false}, \"write_cache\": {\"enabled\": false}, \"read_lookahead\": {\"enabled\": "
    "true}, \"trim\": {\"supported\": false},"
    "\"ata_security\": {\"enabled\": false, \"frozen\": true, \"string\": \"Disabled, frozen [SEC2]\"}, "
    "\"ata_sct_erc\": {\"read\": {\"enabled\": true, \"deciseconds\": 70}, \"write\": {\"enabled\": false}},"
    "\"ata_smart_data\": {\"self_test\": {\"status\": {\"value\": 241}}},"
    "\"ata_smart_attributes\": {\"table\": [{\"id\": 1, \"name\": \"Raw_Read_Error_Rate\", \"value\": 83, \"worst\": "
    "63, \"thresh\": 44, \"when_failed\": \"\", \"raw\": {\"value\": 219212352, \"string\": \"219212352\"}},"
    "{\"id\": 9, \"name\": \"Power_On_Hours\", \"value\": 91, \"worst\": 91, \"thresh\": 0, \"when_failed\": \"\", "
    "\"raw\": {\"value\": 116909741220777, \"string\": \"8105h+27m+10.123s\"}},"
    "{\"id\": 197, \"name\": \"Current_Pending_Sector\", \"value\": 100, \"worst\": 100, \"thresh\": 0, "
    "\"when_failed\": \"now\", \"raw\": {\"value\": 8, \"string\": \"8\"}}]},"
    "\"power_on_time\": {\"hours\": 8105}, \"temperature\": {\"current\": 34}, \"ata_smart_error_log\": {\"extended\": "
    "{\"count\": 2, \"table\": [{\"error_description\": \"Error: ICRC, ABRT at LBA = 0x07\"}, {\"error_description\": "
    "\"Error: UNC at LBA = 0x08\"}]}},"
    "\"ata_smart_self_test_log\": {\"standard\": {\"table\": [{\"status\": {\"string\": \"Completed: read failure\", "
    "\"passed\": false}}]}},"
    "\"sata_phy_event_counters\": {\"table\": [{\"id\": 1, \"name\": \"Command failed due to ICRC error\", \"size\": "
    "2, \"value\": 12}]}}";

static const char nvme[] =
    HEAD "\"device\": {\"name\": \"/dev/nvme0\", \"type\": \"nvme\", \"protocol\": \"NVMe\"}, \"model_name\": "
         "\"EXAMPLE NVME\", \"serial_number\": \"EXNV0001\", \"nvme_total_capacity\": 1000204886016,"
         "\"nvme_namespaces\": [{\"id\": 1, \"formatted_lba_size\": 4096, \"eui64\": {\"oui\": 9528, \"ext_id\": "
         "392837907948}}],"
         "\"nvme_smart_health_information_log\": {\"critical_warning\": 1, \"temperature\": 44, \"available_spare\": "
         "4, \"percentage_used\": 104, \"host_writes\": 12345678901234567890, \"media_errors\": 71}}";

#define COUNTER(name_)                                                                                                 \
    "SELECT r.name||' '||coalesce(c.id, '-')||' '||c.kind||' '||c.value||' '||coalesce(c.normalized, '-')||' "         \
    "'||coalesce(c.when_failed, '-')||' '||t.path FROM counter c JOIN ref r ON r.id = c.node JOIN line_text t ON "     \
    "t.src = c.src AND t.line = c.line WHERE c.name = '" name_ "'"

static const DeviceCase cases[] = {
    {"ATA settings", NULL, NULL, ata,
     "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY rowid)",
     "wwn=5000c500a1b2c3d4; serial=ZEX00017; firmware=SC60; model=ST4000EX000; size_bytes=4000787030016; "
     "logical_block_bytes=512; physical_block_bytes=4096; rotation_rpm=5980; rotational=1; link_max_gbps=6; "
     "link_gbps=3; transport=sata; smart_supported=yes; smart_enabled=yes; smart_health=FAILED; write_cache=off; "
     "read_lookahead=on; trim_supported=no; security=frozen; self_test_status=in-progress; "
     "erc_read_s=7; erc_write_s=0; power_on_hours=8105; temperature_celsius=34; self_test_failure=read failure"},
    {"the place of a setting", NULL, NULL, ata,
     "SELECT t.path||' '||t.text||' '||(s.line < 0)||' '||s.view FROM setting s JOIN line_text t ON t.src = s.src AND "
     "t.line = s.line WHERE key = 'write_cache'",
     "/write_cache/enabled false 1 drive"},
    {"pending sectors", NULL, NULL, ata, COUNTER("Current_Pending_Sector"),
     "sda 197 ata 8.0 100 now /ata_smart_attributes/table/2"},
    {"Seagate's packed errors", NULL, NULL, ata, COUNTER("Raw_Read_Error_Rate"),
     "sda 1 ata 0.0 83 - /ata_smart_attributes/table/0"},
    {"CRC errors of the log", NULL, NULL, ata, COUNTER("error_log_icrc"),
     "sda - ata 1.0 - - /ata_smart_error_log/extended/table/0"},
    {"failed self-test", NULL, NULL, ata, COUNTER("self_tests_failed"),
     "sda - ata 1.0 - - /ata_smart_self_test_log/standard/table/0"},
    {"phy event", NULL, NULL, ata, COUNTER("Command failed due to ICRC error"),
     "sda 1 phy 12.0 - - /sata_phy_event_counters/table/0"},
    {"NVMe settings", NULL, NULL, nvme,
     "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY rowid)",
     "eui=0025385b76f6c5ec; serial=EXNV0001; model=EXAMPLE NVME; size_bytes=1000204886016; lba_format_bytes=4096; "
     "transport=nvme; temperature_celsius=44"},
    {"an integer of 20 digits", NULL, NULL, nvme, "SELECT raw FROM counter WHERE name = 'host_writes'",
     "12345678901234567890"},
    {"media errors", NULL, NULL, nvme, COUNTER("media_errors"),
     "nvme0 - nvme 71.0 - - /nvme_smart_health_information_log/media_errors"},
    {"behind a RAID controller", NULL, NULL,
     HEAD "\"device\": {\"name\": \"/dev/bus/0\", \"info_name\": \"/dev/bus/0 [megaraid_disk_08] [SAT]\", \"type\": "
          "\"sat+megaraid,8\", \"protocol\": \"ATA\"}, \"serial_number\": \"S1\"}",
     "SELECT name FROM ref", "bus/0 [megaraid_disk_08]"},
    {"SCSI", NULL, NULL,
     HEAD
     "\"device\": {\"name\": \"/dev/sdb\", \"type\": \"scsi\", \"protocol\": \"SCSI\"}, \"scsi_vendor\": \"EXAMPLE\", "
     "\"scsi_product\": \"SAS900\", \"logical_unit_id\": \"0x5000c50093c7021b\", \"scsi_grown_defect_list\": 12,"
     "\"scsi_error_counter_log\": {\"read\": {\"total_uncorrected_errors\": 7, \"gigabytes_processed\": "
     "\"64396.534\"}}}",
     "SELECT group_concat(name||'='||value) FROM counter",
     "read_gigabytes_processed=64396.534,read_total_uncorrected_errors=7.0,grown_defect_list=12.0"},
    {"error log with hours", NULL, NULL,
     HEAD
     "\"device\": {\"name\": \"/dev/sda\", \"protocol\": \"ATA\"}, \"ata_smart_error_log\": {\"summary\": {\"count\": "
     "2, "
     "\"table\": [{\"lifetime_hours\": 1708, \"error_description\": \"Error: ABRT\", \"previous_commands\": "
     "[{\"registers\": {\"command\": 97}}]}, {\"lifetime_hours\": 1684, \"error_description\": \"Error: UNC at LBA = "
     "0x08\"}]}}}",
     "SELECT group_concat(name||'='||value, '; ') FROM counter",
     "ata_error_count=2.0; error_log_unc=1.0; error_log_unc_hours=1684.0; error_log_abrt=1.0; "
     "error_log_abrt_hours=1708.0; "
     "error_log_abrt_data=1.0; error_log_abrt_data_hours=1708.0; error_log_last_hours=1708.0"},
    {"self-tests, background scan, temperatures", NULL, NULL,
     HEAD "\"device\": {\"name\": \"/dev/sda\"}, \"in_smartctl_database\": false, \"temperature\": "
          "{\"power_cycle_max\": 44, "
          "\"lifetime_max\": 58, \"over_limit_count\": 2}, \"ata_sct_temperature_history\": "
          "{\"logging_interval_minutes\": 6, "
          "\"table\": [40, 40, 41, 41, 41, 42, 42, 42, 42, 50, null]}, \"scsi_background_scan\": {\"status\": "
          "{\"value\": 1}, "
          "\"result_1\": {\"reassign_status\": \"Require Write or Reassign Blocks command\"}}, \"nvme_self_test_log\": "
          "{\"table\": "
          "[{\"self_test_code\": {\"string\": \"Extended\"}, \"self_test_result\": {\"string\": \"Completed without "
          "error\"}, "
          "\"power_on_hours\": 700}]}, \"nvme_smart_health_information_log\": {\"temperature_sensors\": [33, 55]}}",
     "SELECT (SELECT group_concat(key||'='||value, '; ') FROM setting) || ' | ' || group_concat(name||'='||value, '; "
     "') FROM "
     "counter",
     "smartctl_database=no; temperature_cycle_max_celsius=44; temperature_lifetime_max_celsius=58; "
     "temperature_history_max_celsius=50; temperature_history_median_celsius=41; temperature_history_hours=1 | "
     "temperature_sensor_1=33.0; temperature_sensor_2=55.0; self_tests_failed=0.0; self_tests_failed_open=0.0; "
     "self_tests_passed_long=1.0; self_test_long_hours=700.0; background_scan_unrepaired=1.0; "
     "background_scan_recovered=0.0; over_temperature_count=2.0"},
    {"a background scan of another shape", NULL, NULL,
     HEAD "\"device\": {\"name\": \"/dev/sda\"}, \"scsi_background_scan\": [{\"reassign_status\": \"Require Write or "
          "Reassign Blocks "
          "command\"}, 7, null]}",
     "SELECT group_concat(name||'='||value, '; ') FROM counter",
     "background_scan_unrepaired=1.0; background_scan_recovered=0.0"},
    {"two documents", NULL, NULL,
     HEAD "\"device\": {\"name\": \"/dev/sda\"}, \"smart_status\": {\"passed\": true}}\n" HEAD
          "\"device\": {\"name\": \"/dev/sdb\"}, \"smart_status\": {\"passed\": false}}\n",
     "SELECT group_concat(r.name||'='||s.value) FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref r ON r.id = "
     "s.node",
     "sda=PASSED,sdb=FAILED"},
    {"an attribute without a name", NULL, NULL,
     HEAD "\"device\": {\"name\": \"/dev/sda\"}, \"ata_smart_attributes\": {\"table\": [{\"id\": 5, \"raw\": "
          "{\"value\": 3}}]}, "
          "\"sata_phy_event_counters\": {\"table\": [{\"id\": 1, \"value\": 2}]}}",
     "SELECT group_concat(name||'='||value) FROM counter", "Unknown_Attribute=3.0,unnamed=2.0"},
    {"standby", NULL, NULL,
     "{\"smartctl\": {\"argv\": [\"smartctl\"], \"messages\": [{\"string\": \"Device is in STANDBY mode, exit(2)\", "
     "\"severity\": \"information\"}]}, \"device\": {\"name\": \"/dev/sdd\"}}",
     "SELECT group_concat(key||'='||value) FROM setting", "smart_supported=unavailable,power_mode=standby"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_smartctl_json, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_smartctl_json);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_smartctl_json);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_smartctl_json, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_smartctl_json,
                 HEAD "\"device\": {\"name\": \"/dev/sda\"}, \"smart_status\": {\"passed\": true}, \"user_capacity\": "
                      "{\"bytes\": \"many\"}, \"ata_smart_attributes\": {\"table\": [{\"name\": \"x\"}, 7]}}",
                 3, "SELECT value FROM setting", "PASSED");
    ParseTest *pt = pt_run(&parser_smartctl_json, NULL, NULL, STR("{\"smartctl\": {\"argv\": ["));
    assert_int_equal(pt->result, PARSE_REJECTED);
    assert_int_equal(pt->ctx.bad_rows, 1);
    pt_free(pt);
}

static const CorpusException exceptions[] = {
    {"scrutiny__smart-fail.json", "the drive could not be opened: a message and no data"},
    {"heliumhdd.json.txt", "text and JSON in one"},
};

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_smartctl_json, "smartctl", exceptions, sizeof exceptions / sizeof *exceptions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("smartctl JSON", tests, NULL, NULL);
}
