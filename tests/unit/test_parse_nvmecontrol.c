/* nvmecontrol: which device, identities of zeros, ranks of LBA formats, the health log, damage. */
#include "parse_test.h"

extern const Parser parser_nvmecontrol;

#define CONTROLLER                                                                                                     \
    "Controller Capabilities/Features\n"                                                                               \
    "================================\n"                                                                               \
    "Vendor ID:                   1987\n"                                                                              \
    "Subsystem Vendor ID:         1987\n"                                                                              \
    "Serial Number:               EX0A074B1E7D\n"                                                                      \
    "Model Number:                Example NVMe 1TB\n"                                                                  \
    "Firmware Version:            ECFM12.3\n"                                                                          \
    "IEEE OUI Identifier:         64 79 a7\n"                                                                          \
    "\n"                                                                                                               \
    "Admin Command Set Attributes\n"                                                                                   \
    "============================\n"                                                                                   \
    "Security Send/Receive:       Supported\n"                                                                         \
    "Firmware Slot 1 Read-Only:   No\n"                                                                                \
    "\n"                                                                                                               \
    "NVM Command Set Attributes\n"                                                                                     \
    "==========================\n"                                                                                     \
    "Submission Queue Entry Size\n"                                                                                    \
    "  Max:                       64\n"                                                                                \
    "  Min:                       64\n"                                                                                \
    "Number of Namespaces:        1\n"                                                                                 \
    "Volatile Write Cache:        Present\n"

#define NAMESPACE                                                                                                      \
    "Size:                        2000409264 blocks\n"                                                                 \
    "Capacity:                    2000409264 blocks\n"                                                                 \
    "Utilization:                 2000409264 blocks\n"                                                                 \
    "Thin Provisioning:           Not Supported\n"                                                                     \
    "Number of LBA Formats:       2\n"                                                                                 \
    "Current LBA Format:          LBA Format #00\n"                                                                    \
    "Metadata Capabilities\n"                                                                                          \
    "  Extended:                  Not Supported\n"                                                                     \
    "  Separate:                  Not Supported\n"                                                                     \
    "Optimal I/O Boundary:        0 blocks\n"                                                                          \
    "Globally Unique Identifier:  00000000000000000000000000000000\n"                                                  \
    "IEEE EUI64:                  6479a700000000a1\n"                                                                  \
    "LBA Format #00: Data Size:   512  Metadata Size:     0  Performance: Better\n"                                    \
    "LBA Format #01: Data Size:  4096  Metadata Size:     0  Performance: Best\n"

#define HEALTH                                                                                                         \
    "SMART/Health Information Log\n"                                                                                   \
    "============================\n"                                                                                   \
    "Critical Warning State:         0x04\n"                                                                           \
    " Available spare:               0\n"                                                                              \
    " Device reliability:            1\n"                                                                              \
    "Temperature:                    315 K, 41.85 C, 107.33 F\n"                                                       \
    "Available spare:                97\n"                                                                             \
    "Available spare threshold:      5\n"                                                                              \
    "Percentage used:                12\n"                                                                             \
    "Data units (512,000 byte) read: 2836374\n"                                                                        \
    "Power on hours:                 8123\n"                                                                           \
    "Media errors:                   3\n"                                                                              \
    "No. error info log entries:     120\n"                                                                            \
    "Temperature Sensor 1:           315 K, 41.85 C, 107.33 F\n"                                                       \
    "Total Time For Temperature 1:   4\n"

static const char *setting(ParseTest *pt, const char *key) {
    return pt_text(pt, arena_fmt(pt->arena,
                                 "SELECT s.value || ' ' || r.kind || ' ' || r.name FROM setting s JOIN ref r "
                                 "ON r.id = s.node WHERE s.key = '%s' ORDER BY s.line",
                                 key));
}

static void bids(void **state) {
    (void)state;
    assert_int_equal(parser_nvmecontrol.bid(STR(""), STR("nvmecontrol identify nvme0"), STR(CONTROLLER)), 40);
    assert_int_equal(parser_nvmecontrol.bid(STR(""), STR(""), STR(NAMESPACE)), 32);
    assert_int_equal(parser_nvmecontrol.bid(STR(""), STR(""), STR(HEALTH)), 32);
    assert_true(parser_nvmecontrol.bid(STR(""), STR(""), STR(" nvme0: Foo\n    nvme0ns1 (10240MB)\n")) > 0);
    assert_int_equal(parser_nvmecontrol.bid(STR(""), STR(""), STR("nvme0: Resetting controller\n")), 0);
    assert_int_equal(parser_nvmecontrol.bid(STR(""), STR("nvmecontrol identify nvme0"), STR("")), 0);
}

static void controller(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_nvmecontrol, NULL, "nvmecontrol identify nvme0", STR(CONTROLLER));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(setting(pt, "serial"), "EX0A074B1E7D disk nvme0");
    assert_string_equal(setting(pt, "model"), "Example NVMe 1TB disk nvme0");
    assert_string_equal(setting(pt, "firmware"), "ECFM12.3 disk nvme0");
    assert_string_equal(setting(pt, "vwc_present"), "1 disk nvme0");
    pt_free(pt);
    /* nothing names it: its serial number does */
    pt = pt_run(&parser_nvmecontrol, NULL, NULL, STR(CONTROLLER));
    assert_string_equal(setting(pt, "model"), "Example NVMe 1TB serial EX0A074B1E7D");
    pt_free(pt);
}

static void namespace(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_nvmecontrol, "nvmecontrol_identify_nvme0ns1.out", NULL, STR(NAMESPACE));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(setting(pt, "size_bytes"), "1024209543168 disk nvme0");
    assert_string_equal(setting(pt, "lba_format_bytes"), "512 disk nvme0");
    assert_string_equal(setting(pt, "lba_format_rank"), "1 disk nvme0");
    assert_string_equal(setting(pt, "lba_format_best_bytes"), "4096 disk nvme0");
    assert_string_equal(setting(pt, "lba_format_best_rank"), "0 disk nvme0");
    assert_string_equal(setting(pt, "eui"), "6479a700000000a1 disk nvme0");
    assert_string_equal(setting(pt, "nguid"), ""); /* zeros are no identity */
    assert_string_equal(pt_text(pt, "SELECT line FROM setting WHERE key = 'lba_format_best_bytes'"), "14");
    pt_free(pt);
}

static void health(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_nvmecontrol, NULL, "nvmecontrol logpage -p 2 nvme1", STR(HEALTH));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(name || '=' || CAST(value AS INTEGER)) FROM counter"),
        "critical_warning=4,temperature=42,available_spare=97,available_spare_threshold=5,percentage_used=12,"
        "data_units_read=2836374,power_on_hours=8123,media_errors=3,num_err_log_entries=120,"
        "thm_temp1_total_time=4");
    assert_string_equal(setting(pt, "power_on_hours"), "8123 disk nvme1");
    assert_string_equal(setting(pt, "temperature_celsius"), "42 disk nvme1");
    pt_free(pt);
}

static void list(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_nvmecontrol, NULL, NULL,
                           STR(" nvme0: Foo 1TB\n    nvme0ns1 (953869MB)\n nvme1: Bar\n    nvme1ns1 (10240MB)\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 4);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(r.name || ' ' || s.value) FROM setting s JOIN ref r ON r.id = s.node "
                    "WHERE s.key = 'model'"),
        "nvme0 Foo 1TB,nvme1 Bar");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_nvmecontrol, NULL, "nvmecontrol identify nvme0ns1",
                           STR("Size:                        2000409264 blocks\n"
                               "Current LBA Format:          LBA Format #09\n"
                               "LBA Format #xx: Data Size:   512  Metadata Size:     0  Performance: Better\n"
                               "LBA Format #00: Data Size:   foo  Metadata Size:     0  Performance: Better\n"
                               "garbage\n"
                               "Percentage used:                a lot\n"
                               "LBA Format #00: Data Si"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 5);
    assert_string_equal(setting(pt, "lba_format_bytes"), "");
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bids),      cmocka_unit_test(controller),
                                       cmocka_unit_test(namespace), cmocka_unit_test(health),
                                       cmocka_unit_test(list),      cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
