/* nvme-cli: health log, identify, feature 6, list; text and JSON of several versions. */
#include "device_test.h"

extern const Parser parser_nvme_cli;

static const char smart[] =
    "Smart Log for NVME device:nvme0n1 namespace-id:ffffffff\ncritical_warning                    : 0x4\ntemperature   "
    "                      : 55 \xc2\xb0"
    "C (328 K)\navailable_spare                     : 3%\n"
    "available_spare_threshold           : 10%\npercentage_used                     : 127%\ndata_units_written         "
    "         : 2,436,083,299 (1.25 PB)\nhost_write_commands                 : 26,429,546,049\n"
    "power_on_hours                      : 14,453\nunsafe_shutdowns                    : 14\nmedia_errors              "
    "          : 9\nWarning Temperature Time            : 12\n"
    "Critical Composite Temperature Time : 3\nTemperature Sensor 1                : 55 C\nThermal Management T1 Trans "
    "Count   : 3\n";
#define COUNTER(name_)                                                                                                 \
    "SELECT r.name||' '||c.kind||' '||c.value||' '||coalesce(c.unit, '-')||' '||c.line FROM counter c JOIN ref r ON "  \
    "r.id = c.node WHERE c.name = '" name_ "'"
#define LIST                                                                                                           \
    "Node             SN                   Model                                    Namespace Usage                  " \
    "    Format           FW Rev  \n"                                                                                  \
    "---------------- -------------------- ---------------------------------------- --------- "                        \
    "-------------------------- ---------------- --------\n"

static const DeviceCase cases[] = {
    {"smart-log: critical", NULL, NULL, smart, COUNTER("critical_warning"), "nvme0n1 nvme 4.0 - 2"},
    {"smart-log: a sensor", NULL, NULL, smart, COUNTER("temperature_sensor_1"), "nvme0n1 nvme 55.0 celsius 14"},
    {"smart-log: wear", NULL, NULL, smart, COUNTER("percentage_used"), "nvme0n1 nvme 127.0 percent 6"},
    {"smart-log: thousands", NULL, NULL, smart, COUNTER("data_units_written"),
     "nvme0n1 nvme 2436083299.0 512000 bytes 7"},
    {"smart-log: name of the specification", NULL, NULL, smart, COUNTER("host_writes"),
     "nvme0n1 nvme 26429546049.0 - 8"},
    {"smart-log: throttled", NULL, NULL, smart, COUNTER("thm_temp1_trans_count"), "nvme0n1 nvme 3.0 - 15"},
    {"smart-log: settings", NULL, NULL, smart, ALL_SETTINGS,
     "nvme0n1 temperature_celsius=55 drive 3; nvme0n1 power_on_hours=14453 drive 9"},
    {"id-ctrl", "drives/nvme_id_ctrl_nvme0.out", NULL,
     "NVME Identify Controller:\nvid       : 0x144d\nsn        : EXNV0001     \nmn        : EXAMPLE NVME 1TB      \nfr "
     "       : EX10\nwctemp    : 358\ntnvmcap   : 1000204886016\nvwc       : 0x7\nsubnqn    : \n",
     ALL_SETTINGS,
     "nvme0 serial=EXNV0001 drive 3; nvme0 transport=nvme drive 3; nvme0 model=EXAMPLE NVME 1TB drive 4; nvme0 "
     "firmware=EX10 drive 5; nvme0 temperature_max_celsius=85 drive 6; nvme0 size_bytes=1000204886016 drive 7; nvme0 "
     "vwc_present=1 drive 8"},
    {"id-ctrl of a drive without a volatile cache", NULL, "nvme id-ctrl /dev/nvme1",
     "NVME Identify Controller:\nvid       : 0x144d\nsn        : EX2\nmn        : EXAMPLE DC\nfr        : EX10\nvwc    "
     "   : 0\n",
     SETTING_OF("nvme1", "vwc_present"), "0"},
    {"id-ctrl without a name", NULL, NULL,
     "NVME Identify Controller:\nsn        : EX2\nmn        : EXAMPLE DC\nfr        : EX10\nvwc       : 0x1\n",
     "SELECT kind||':'||name FROM ref", "serial:EX2"},
    {"id-ns", NULL, "nvme id-ns /dev/nvme0n1",
     "NVME Identify Namespace 1:\nnsze    : 0x74706db0\nnguid   : 00000000000000000000000000000000\neui64   : "
     "0025385b81b1c1ec\nlbaf  0 : ms:0   lbads:9  rp:0x2 (in use)\nlbaf  1 : ms:0   lbads:12 rp:0x1 \n",
     ALL_SETTINGS,
     "nvme0n1 eui=0025385b81b1c1ec drive 4; nvme0n1 lba_format_bytes=512 drive 5; nvme0n1 size_bytes=1000204886016 "
     "drive 2"},
    {"feature 6, plain", NULL, "nvme get-feature -f 6 /dev/nvme0",
     "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001\n", ALL_SETTINGS,
     "nvme0 nvme_write_cache_feature=on drive 1; nvme0 write_cache=on drive 1"},
    {"feature 6, without 0x", NULL, "nvme get-feature -f 6 /dev/nvme0",
     "get-feature:0x6 (Volatile Write Cache), Current value:00000000\n",
     SETTING_OF("nvme0", "nvme_write_cache_feature"), "off"},
    {"feature 6, -H says it twice", NULL, "nvme get-feature -f 6 -H /dev/nvme0",
     "get-feature:0x6 (Volatile Write Cache), Current value:0x000000\n\tVolatile Write Cache Enable (WCE): Disabled\n",
     ALL_SETTINGS, "nvme0 nvme_write_cache_feature=off drive 1; nvme0 write_cache=off drive 1"},
    {"another feature says nothing of the cache", NULL, "nvme get-feature -f 7 /dev/nvme0",
     "get-feature:0x07 (Number of Queues), Current value:0x001f001f\n", "SELECT count(*) FROM setting", "0"},
    {"list", NULL, NULL,
     LIST "/dev/nvme0n1     EX0000000001         EXAMPLE NVME 1TB                         1         402,18  GB /   "
          "1,00  TB      4 KiB +  0 B   EX10\n",
     ALL_SETTINGS,
     "nvme0n1 transport=nvme drive 3; nvme0n1 serial=EX0000000001 drive 3; nvme0n1 model=EXAMPLE NVME 1TB drive 3; "
     "nvme0n1 lba_format_bytes=4096 drive 3; nvme0n1 firmware=EX10 drive 3"},
    {"smart-log JSON: Kelvin and other names", NULL, "nvme smart-log -o json /dev/nvme2",
     "{\"critical_warning\": {\"value\": 4}, \"temperature\": 328, \"avail_spare\": 3, \"spare_thresh\": 10, "
     "\"percent_used\": \"127\", \"media_errors\": 9.0}",
     "SELECT group_concat(name||'='||value) FROM counter",
     "critical_warning=4.0,temperature=55.0,available_spare=3.0,available_spare_threshold=10.0,percentage_used=127.0,"
     "media_errors=9.0"},
    {"id-ctrl JSON", "nvme_id_ctrl_nvme3.json", NULL,
     "{\"vid\": 5197, \"sn\": \"EXNV0003  \", \"mn\": \"EXAMPLE\", \"fr\": \"EX10\", \"vwc\": 6}",
     SETTING_OF("nvme3", "vwc_present"), "0"},
    {"list JSON, old", NULL, NULL,
     "{\"Devices\": [{\"DevicePath\": \"/dev/nvme0n1\", \"Firmware\": \"EX10\", \"ModelNumber\": \"EXAMPLE\", "
     "\"SerialNumber\": \"S1\", \"PhysicalSize\": 1000204886016, \"SectorSize\": 512}]}",
     SETTING_OF("nvme0n1", "size_bytes"), "1000204886016"},
    {"list JSON, new", NULL, NULL,
     "{\"Devices\": [{\"Subsystems\": [{\"Controllers\": [{\"Controller\": \"nvme0\", \"SerialNumber\": \"S1\", "
     "\"Transport\": \"pcie\", \"Address\": \"0000:01:00.0\", \"Namespaces\": [{\"NameSpace\": \"nvme0n1\", "
     "\"PhysicalSize\": -2147483648}]}]}]}]}",
     ALL_SAME, "disk:nvme0=disk:nvme0n1"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_nvme_cli, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_nvme_cli);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_nvme_cli);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_nvme_cli, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_nvme_cli,
                 "Smart Log for NVME device:nvme0 namespace-id:ffffffff\ncritical_warning : 0\nmedia_errors : many\n",
                 1, "SELECT group_concat(name) FROM counter", "critical_warning");
    device_notes(&parser_nvme_cli,
                 LIST "/dev/nvme0n1     EX0000000001         EXAMPLE NVME 1TB                         1         402.18 "
                      " GB /   1.00  TB    512   B +  0 B   EX10\n/dev/nvme1\n",
                 1, SETTING_OF("nvme0n1", "firmware"), "EX10");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_nvme_cli, "nvme-smart-log", NULL, 0);
    device_corpus(&parser_nvme_cli, "nvme-id-ctrl", NULL, 0);
    device_corpus(&parser_nvme_cli, "nvme-list", NULL, 0);
    device_corpus(&parser_nvme_cli, "nvme-get-feature", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("nvme-cli", tests, NULL, NULL);
}
