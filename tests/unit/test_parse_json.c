/* Reading JSON of tools: long integers, limits, pointers; and how tools spell devices, sizes and identifiers. */
#include "../../analyze/parse/device_text.h"
#include "../../analyze/parse/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void numbers(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 26);
    Error err = {""};
    const cJSON *root =
        json_read(a,
                  STR("{\"guid\": 12345678901234567890, \"n\": -123456789012345, \"f\": 1.5e3, \"s\": \"17\", \"h\": "
                      "\"0x1F\", \"t\": true, \"in \\\"text\\\" 99999999999999999\": 1, \"l\": [1, {\"a/b~\": 2}]}"),
                  &err);
    assert_non_null(root);
    assert_true(str_is(json_text(json_get(root, "guid")), "12345678901234567890"));
    int64_t i;
    double d;
    assert_true(json_i64(json_get(root, "n"), &i));
    assert_int_equal(i, -123456789012345);
    assert_true(json_number(json_get(root, "f"), &d) && d == 1500);
    assert_true(json_number(json_get(root, "s"), &d) && d == 17);
    assert_true(json_number(json_get(root, "h"), &d) && d == 31);
    assert_true(json_number(json_get(root, "t"), &d) && d == 1);
    assert_false(json_number(json_get(root, "missing"), &d));
    assert_null(json_text(json_get(root, "n")).p);
    assert_non_null(json_get(root, "in \"text\" 99999999999999999")); /* digits inside strings stay */
    assert_true(json_number(json_at(root, "/l/0"), &d) && d == 1);
    assert_null(json_at(root, "/l/7/x"));
    assert_true(str_is(json_path(a, json_path_index(a, STR("/l"), 1), "a/b~"), "/l/1/a~1b~0"));
    arena_free(a);
}

static void broken(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 28);
    static const char *const texts[] = {"", "{", "[1,", "{\"a\": }", "nonsense", "\"", "{\"a\": \"\\", "-", "[[[[[[["};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Error err = {""};
        assert_null(json_read(a, str_of(texts[i]), &err));
        assert_true(err.text[0] != '\0');
    }
    Error err = {""};
    StrBuf many;
    sb_init(&many, a);
    sb_addc(&many, '[');
    for (size_t i = 0; i < JSON_MAX_VALUES + 10; i++) sb_addz(&many, "1,");
    sb_addz(&many, "1]");
    assert_null(json_read(a, sb_str(&many), &err));
    StrBuf deep;
    sb_init(&deep, a);
    for (size_t i = 0; i < 100000; i++) sb_addc(&deep, '[');
    assert_null(json_read(a, sb_str(&deep), &err));
    Str text = STR("warning: x\n{\"a\": \"}\"} trailing [2]"), one = json_next(&text);
    assert_true(str_is(one, "{\"a\": \"}\"}"));
    assert_true(str_is(json_next(&text), "[2]"));
    assert_int_equal(json_next(&text).len, 0);
    arena_free(a);
}

static void devices(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 24);
    static const char *const disks[] = {"sda",   "sdaa", "nvme0", "nvme0n1", "vda",  "xvdb", "hda",  "mmcblk0",
                                        "md127", "dm-3", "sr0",   "ada0",    "da12", "nvd0", "zd16", "dasda"};
    static const char *const parts[] = {"sda1", "nvme0n1p2", "mmcblk0p1", "md0p1", "ada0p3", "vda14"};
    static const char *const none[] = {"",     "sd",    "sdcard",  "nvme",  "vdev", "disk",
                                       "data", "sda1x", "nvmexn1", "mdadm", "a",    "1"};
    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++)
        if (!dev_is_disk(str_of(disks[i])) || !dev_is_name(str_of(disks[i]))) fail_msg("%s is a disk", disks[i]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (dev_is_disk(str_of(parts[i])) || !dev_is_name(str_of(parts[i]))) fail_msg("%s is a partition", parts[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (dev_is_name(str_of(none[i]))) fail_msg("%s is no device", none[i]);
    assert_true(str_is(dev_in_path(STR("sos_commands/ata/smartctl_-a_.dev.sdb")), "sdb"));
    assert_true(str_is(dev_in_path(STR("drives/smart_nvme0.out")), "nvme0"));
    assert_true(str_is(dev_in_path(STR("smart/EXAMPLE_HDD_EX1-20240101 disk1 (sdc).txt")), "sdc"));
    assert_int_equal(dev_in_path(STR("hdd/md0/smart.txt")).len, 0);
    assert_true(str_is(dev_in_command(a, STR("sudo smartctl -x -d megaraid,3 /dev/sda")), "sda [megaraid_disk_03]"));
    assert_true(str_is(dev_in_command(a, STR("/usr/sbin/smartctl -H /dev/cciss/c0d0 -dcciss,1")),
                       "cciss/c0d0 [cciss_disk_01]"));
    assert_true(str_is(dev_in_command(a, STR("nvme smart-log /dev/nvme0n1 | head")), "nvme0n1"));
    assert_int_equal(dev_in_command(a, STR("smartctl -a /dev/sd*")).len, 0);
    arena_free(a);
}

static void spellings(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 24);
    static const char *const wwns[] = {"5 00a075 1e1b2c3d4", "0x500a0751e1b2c3d4", "naa.500A0751E1B2C3D4",
                                       "wwn-0x500a0751e1b2c3d4", "50:0a:07:51:e1:b2:c3:d4"};
    for (size_t i = 0; i < sizeof wwns / sizeof *wwns; i++)
        if (!str_is(dev_wwn(a, str_of(wwns[i])), "500a0751e1b2c3d4")) fail_msg("%s", wwns[i]);
    static const char *const none[] = {"",
                                       "0x",
                                       "naa.",
                                       "0000000000000000",
                                       "ffffffffffffffff",
                                       "00000000000000000000000000000000",
                                       "5 000cca ...",
                                       "500a0751",
                                       "t10.ATA EXAMPLE",
                                       "500a0751e1b2c3d4500a0751e1b2c3d4ff"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (dev_wwn(a, str_of(none[i])).len) fail_msg("%s", none[i]);
    static const struct {
        const char *text;
        uint64_t want;
    } grouped[] = {{"500,107,862,016 bytes", 500107862016},
                   {"1'000'204'886'016 [1.00 TB]", 1000204886016},
                   {"1.000.204", 1000204},
                   {"1\xc2\xa0"
                    "000",
                    1000},
                   {"12,5", 12},
                   {"8,743,226", 8743226},
                   {"7", 7}};
    for (size_t i = 0; i < sizeof grouped / sizeof *grouped; i++) {
        uint64_t n = 0;
        if (!dev_grouped(str_of(grouped[i].text), &n) || n != grouped[i].want)
            fail_msg("%s: %llu", grouped[i].text, (unsigned long long)n);
    }
    uint64_t n;
    assert_false(dev_grouped(STR("x"), &n));
    assert_false(dev_grouped(STR("99999999999999999999999"), &n));
    double d;
    assert_true(dev_gbps(STR("6.0 Gb/s"), &d) && d == 6);
    assert_true(dev_gbps(STR("480M"), &d) && d == 0.48);
    assert_false(dev_gbps(STR("<unknown>"), &d));
    assert_true(dev_size(STR("465,8G"), &d) && d > 500e9 && d < 500.2e9);
    assert_true(dev_size(STR("0B"), &d) && d == 0);
    assert_true(dev_size(STR("4KiB"), &d) && d == 4096);
    assert_false(dev_size(STR("lots"), &d));
    assert_true(dev_leading_number(STR("38 (Min/Max 18/43)"), &d) && d == 38);
    assert_false(dev_leading_number(STR("-"), &d));
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(broken), cmocka_unit_test(devices),
                                       cmocka_unit_test(spellings)};
    return cmocka_run_group_tests_name("JSON and device names", tests, NULL, NULL);
}
