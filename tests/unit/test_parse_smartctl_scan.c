/* smartctl --scan: text and JSON, drives behind a controller, drives that do not open. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_smartctl_scan;

#define TEXT                                                                                                           \
    "/dev/sda -d sat # /dev/sda [SAT], ATA device\n/dev/bus/0 -d megaraid,8 # /dev/bus/0 [megaraid_disk_08], SCSI "    \
    "device\n"                                                                                                         \
    "# /dev/sdb -d sat # /dev/sdb [SAT], ATA device open failed: Permission denied\n"
#define JSON                                                                                                           \
    "{\"json_format_version\":[1,0],\"smartctl\":{\"version\":[7,4],\"platform_info\":\"x86_64-linux\",\"argv\":["     \
    "\"smartctl\",\"--scan\",\"--json\"],"                                                                             \
    "\"exit_status\":0},\"devices\":[{\"name\":\"/dev/sda\",\"info_name\":\"/dev/sda "                                 \
    "[SAT]\",\"type\":\"sat\",\"protocol\":\"ATA\"},"                                                                  \
    "{\"name\":\"/dev/nvme0\",\"info_name\":\"/dev/nvme0\",\"type\":\"nvme\",\"protocol\":\"NVMe\"}]}\n"

static const DeviceCase cases[] = {
    {"text", NULL, NULL, TEXT, ALL_SETTINGS,
     "sda smartctl_type=sat kernel 1; bus/0 [megaraid_disk_08] smartctl_type=megaraid,8 kernel 2; sdb "
     "smartctl_type=sat kernel 3; sdb "
     "smartctl_open_error=Permission denied kernel 3"},
    {"JSON", NULL, NULL, JSON,
     "SELECT group_concat(r.name||'='||s.value, ' ') FROM setting s JOIN ref r ON r.id = s.node", "sda=sat nvme0=nvme"},
    {"JSON: where", NULL, NULL, JSON, "SELECT group_concat(path, ' ') FROM line_text",
     "/devices/1/type /devices/0/type"},
    {"macOS", NULL, NULL, "IOService:/X/Y -d ata # IOService:/X/Y, ATA device\n", "SELECT count(*) FROM setting", "0"},
    {"the scan failed", NULL, NULL, "# scan_smart_devices: glob(3) aborted matching pattern /dev/sd[a-z]\n",
     "SELECT count(*) FROM setting", "0"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_smartctl_scan, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_smartctl_scan, TEXT, true);
    claims_no_other(&parser_smartctl_scan);
    int bid = parser_smartctl_scan.bid(STR(""), STR("smartctl --scan -j"), STR(JSON));
    extern const Parser parser_smartctl_json;
    assert_true(bid > parser_smartctl_json.bid(STR(""), STR("smartctl --scan -j"), STR(JSON)));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_smartctl_scan, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_smartctl_scan, TEXT "/dev/sdc -d\n", 1, "SELECT count(*) FROM setting", "4");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_smartctl_scan, "smartctl-scan", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
