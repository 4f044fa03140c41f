/* The manifest of the collector: capture, bundle, rows, runs that were cut. */
#include "device_test.h"

extern const Parser parser_manifest;

#define HEAD                                                                                                           \
    "# collector_version\t0.1.0\n# schema\t1\n# host\tmserver\n# label\tbefore\n# timezone\t+0200\n# "                 \
    "epoch_start\t1757761330\n# uptime_start_s\t13806.37\n# boot_id\t5a1f0c3e-77b2-4d19-9a4e-0be2c61d8f47\n"           \
    "# sample_seconds\t60\n# host_identity\t8d3f10c9a7e24b6692f5d01c7be6a340\n"
#define CAPTURE                                                                                                        \
    "SELECT label||' '||start_s||' '||coalesce(end_s, '-')||' '||boot_id||' '||timezone_s||' '||uptime_s||' "          \
    "'||sampling_s||' '||complete FROM capture"

static const DeviceCase cases[] = {
    {"a whole run", NULL, NULL,
     HEAD "uname\t1757761330\t1757761331\t0\tok\tuname -a\n# complete\tyes\n# epoch_end\t1757761425\n", CAPTURE,
     "before 1757761330.0 1757761425.0 5a1f0c3e-77b2-4d19-9a4e-0be2c61d8f47 7200 13806.37 60.0 1"},
    {"interrupted", NULL, NULL, HEAD "# complete\tinterrupted\n# epoch_end\t1757761425\n",
     "SELECT complete FROM capture", "0"},
    {"cut off", NULL, NULL, HEAD "uname\t1757761330\t1757761331\t0\tok\tuname -a\n", "SELECT complete FROM capture",
     "0"},
    {"bundle", NULL, NULL, HEAD "# test_path\t/tmp/fake\n",
     "SELECT host||' '||host_identity||' '||test_path FROM bundle",
     "mserver 8d3f10c9a7e24b6692f5d01c7be6a340 /tmp/fake"},
    {"rows; - is none", NULL, NULL,
     HEAD "drives/smart_sda\t-\t-\t-\tmissing\tsmartctl -x "
          "/dev/sda\nvirt\t1757761330\t1757761331\t1\trc\tsystemd-detect-virt -v; systemd-detect-virt -c\n",
     "SELECT group_concat(name||'|'||coalesce(start_s, '-')||'|'||coalesce(rc, "
     "'-')||'|'||status||'|'||command||'|'||line, ' ') FROM manifest",
     "drives/smart_sda|-|-|missing|smartctl -x /dev/sda|11 virt|1757761330.0|1|rc|systemd-detect-virt -v; "
     "systemd-detect-virt -c|12"},
    {"why", NULL, NULL,
     HEAD "# skipped\tzpool_status\tno zfs module in this kernel\n# truncated\tdmesg\tmiddle: 5 of 9 bytes\n"
          "dmesg\t1\t2\t0\ttruncated\tdmesg\nzpool_status\t-\t-\t-\tskipped\tzpool status\nuname\t1\t1\t0\tok\tuname\n",
     "SELECT group_concat(name||': '||coalesce(why, '-'), ', ') FROM manifest",
     "dmesg: middle: 5 of 9 bytes, zpool_status: no zfs module in this kernel, uname: -"},
    {"key of redaction", NULL, NULL, HEAD "# redact_key_check\t7d3a0786\n",
     "SELECT value FROM setting WHERE key = 'redact_key_check'", "7d3a0786"},
    {"west of Greenwich", NULL, NULL, "# schema\t1\n# timezone\t-0330\n", "SELECT timezone_s FROM capture", "-12600"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_manifest, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_manifest);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_manifest);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_manifest, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    device_notes(
        &parser_manifest,
        HEAD
        "uname\tsoon\t1757761331\t0\tok\tuname -a\nuptime\t1757761330\ndate\t1757761330\t1757761330\t0\tok\tdate\n",
        2, "SELECT group_concat(name) FROM manifest", "date");
    device_notes(&parser_manifest, "# schema\t1\n# timezone\tCEST\n# epoch_start\tnoon\n", 2,
                 "SELECT coalesce(timezone_s, start_s) FROM capture", "NULL");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids), cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
