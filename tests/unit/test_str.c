/* Views of bytes: cutting, numbers as tools print them, globs. Nothing here may look behind the length. */
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_str(Str s, const char *z) {
    if (!str_is(s, z)) fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(s), z);
}

static void trim_and_cut(void **state) {
    (void)state;
    assert_str(str_trim(STR(" \t\r\n a b \f\v")), "a b");
    assert_str(str_trim(STR("   ")), "");
    assert_str(str_trim(STR_NONE), "");
    assert_str(str_trim_right(STR("x \r\n")), "x");
    assert_str(str_trim_left(STR(" \tx ")), "x ");
    assert_str(str_sub(STR("abcdef"), 2, 3), "cde");
    assert_str(str_sub(STR("abcdef"), 4, 99), "ef");
    assert_str(str_sub(STR("abcdef"), 99, 1), "");
    assert_str(str_from(STR("abc"), SIZE_MAX), "");
    Str text = STR("a\n\nb\n");
    assert_str(str_cut(&text, '\n'), "a");
    assert_str(str_cut(&text, '\n'), "");
    assert_str(str_cut(&text, '\n'), "b");
    assert_int_equal(text.len, 0);
    assert_str(str_cut(&text, '\n'), "");
    Str none = STR_NONE;
    assert_str(str_cut(&none, ','), "");
    Str nul = {"a\0b\nc", 5};
    assert_int_equal(str_cut(&nul, '\n').len, 3); /* a NUL byte is a byte */
    assert_str(nul, "c");
}

static void words(void **state) {
    (void)state;
    Str s = STR("  sda \t 1.5  x");
    assert_str(str_word(&s), "sda");
    assert_str(str_word(&s), "1.5");
    assert_str(str_word(&s), "x");
    assert_str(str_word(&s), "");
    assert_str(str_word(&s), "");
    Str out[2];
    assert_int_equal(str_words(STR(" a  b c d "), out, 2), 4);
    assert_str(out[0], "a");
    assert_str(out[1], "b");
    assert_int_equal(str_words(STR("   "), out, 2), 0);
    assert_int_equal(str_words(STR_NONE, out, 2), 0);
    assert_int_equal(str_words(STR("a b"), NULL, 0), 2);
}

static void finding(void **state) {
    (void)state;
    assert_int_equal(str_find(STR("abcabd"), "abd"), 3);
    assert_true(str_find(STR("ab"), "abc") == SIZE_MAX);
    assert_int_equal(str_find(STR("ab"), ""), 0);
    assert_true(str_find(STR_NONE, "a") == SIZE_MAX);
    assert_int_equal(str_find(STR("aaab"), "ab"), 2);
    assert_true(str_find((Str){"abcX", 3}, "X") == SIZE_MAX); /* behind the end */
    assert_int_equal(str_ifind(STR("Write-CACHE"), "cache"), 6);
    assert_true(str_ifind(STR("ab"), "abc") == SIZE_MAX);
    assert_int_equal(str_find_ch(STR("a:b:c"), ':'), 1);
    assert_int_equal(str_rfind_ch(STR("a:b:c"), ':'), 3);
    assert_true(str_rfind_ch(STR("abc"), ':') == SIZE_MAX);
    assert_true(str_find_ch(STR_NONE, ':') == SIZE_MAX);
    assert_true(str_ieq(STR("SATA"), STR("sata")));
    assert_false(str_ieq(STR("SATA"), STR("sat")));
    assert_true(str_istarts(STR("DISK-GRAN"), "disk"));
    assert_false(str_istarts(STR("di"), "disk"));
    assert_true(str_starts(STR("nvme0n1"), "nvme") && str_ends(STR("nvme0n1"), "n1"));
    assert_false(str_ends(STR("1"), "n1"));
    assert_str(str_after(STR("Model: X"), "Model: "), "X");
    assert_null(str_after(STR("Mode"), "Model: ").p);
    assert_non_null(str_after(STR("Model: "), "Model: ").p); /* empty is not absent */
    assert_true(str_cmp(STR("a"), STR("b")) < 0 && str_cmp(STR("ab"), STR("a")) > 0 &&
                str_cmp(STR("a"), STR("a")) == 0);
    assert_true(str_cmp(STR_NONE, STR("a")) < 0 && str_cmp(STR_NONE, STR("")) == 0);
    assert_true(str_eq(STR_NONE, STR("")));
}

static void paths(void **state) {
    (void)state;
    assert_str(str_basename(STR("/dev/disk/by-id/ata-X")), "ata-X");
    assert_str(str_basename(STR("drives/sda/")), "sda"); /* a closing slash is no name */
    assert_str(str_basename(STR("/")), "");
    assert_str(str_basename(STR_NONE), "");
    assert_str(str_strip_dev(STR("/dev/sda")), "sda");
    assert_str(str_strip_dev(STR("/device")), "/device");
}

static void integers(void **state) {
    (void)state;
    uint64_t u = 7;
    assert_true(str_u64(STR("18446744073709551615"), &u) && u == UINT64_MAX);
    assert_false(str_u64(STR("18446744073709551616"), &u));
    assert_false(str_u64(STR("99999999999999999999999"), &u));
    assert_false(str_u64(STR(""), &u) || str_u64(STR_NONE, &u) || str_u64(STR("-1"), &u) || str_u64(STR("1 "), &u) ||
                 str_u64(STR("1x"), &u));
    assert_true(u == UINT64_MAX); /* left alone */
    int64_t i = 7;
    assert_true(str_i64(STR("-9223372036854775807"), &i) && i == -INT64_MAX);
    assert_true(str_i64(STR("+5"), &i) && i == 5);
    assert_false(str_i64(STR("9223372036854775808"), &i) || str_i64(STR("-"), &i) || str_i64(STR("--1"), &i) ||
                 str_i64(STR_NONE, &i));
    assert_true(str_hex_u64(STR("0xDeadBeef"), &u) && u == 0xdeadbeef);
    assert_true(str_hex_u64(STR("ffffffffffffffff"), &u) && u == UINT64_MAX);
    assert_false(str_hex_u64(STR("0x"), &u) || str_hex_u64(STR("10000000000000000"), &u) ||
                 str_hex_u64(STR("12g"), &u));
}

static void check_double(const char *text, double wanted) {
    double v = NAN;
    if (!str_double(str_of(text), &v)) fail_msg("%s is no number", text);
    if (fabs(v - wanted) > fabs(wanted) * 1e-15) fail_msg("%s is %.17g, wanted %.17g", text, v, wanted);
}

static void decimals(void **state) {
    (void)state;
    check_double("0", 0);
    check_double("68.00", 68);
    check_double("1,25", 1.25); /* iostat under a German locale */
    check_double("-0.5", -0.5);
    check_double("+.5", 0.5);
    check_double("5.", 5);
    check_double("1e3", 1000);
    check_double("1.5E-3", 0.0015);
    check_double("123456789012345678901234567890", 123456789012345678901234567890.0);
    check_double("0.000000000000000000000000001", 1e-27);
    check_double("00000000000000000000012.5", 12.5);
    check_double("179769313486231570000e288", 1.7976931348623157e308);
    double v = 3;
    static const char *const bad[] = {"",     "-",  "+",   ".",     ",",      "1.2.3", "1,2,3", "1.2,3",
                                      "e5",   "1e", "1e+", "1e999", "1e-999", "9e400", "nan",   "inf",
                                      "0x10", " 1", "1 ",  "1k",    "--1",    "1e5.0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (str_double(str_of(bad[i]), &v)) fail_msg("\"%s\" was read as %g", bad[i], v);
    assert_false(str_double(STR_NONE, &v));
    assert_int_equal(str_csi(STR("\033[01;31mFAULTED\033[0m"), 0), 8);
    assert_int_equal(str_csi(STR("\033[0m"), 0), 4);
    assert_int_equal(str_csi(STR("\033[\033[issued"), 0), 0);
    assert_int_equal(str_csi(STR("\033[1;"), 0), 0);
    assert_int_equal(i64_of(512.9), 512);
    assert_int_equal(i64_of(-3.5), -3);
    assert_int_equal(i64_of(7.3e64), INT64_MAX);
    assert_int_equal(i64_of(-1e19), INT64_MIN);
    assert_int_equal(i64_of((double)NAN), 0);
    assert_false(str_double(STR("9e308"), &v) && isinf(v));
    assert_true(v == 3);
    Str cut = {"123456", 3}; /* the length ends it, not a NUL */
    assert_true(str_double(cut, &v) && v == 123);
}

static void scaled(void **state) {
    (void)state;
    double v = 0;
    assert_true(str_scaled(STR("1.2K"), 1024, &v) && fabs(v - 1228.8) < 1e-9);
    assert_true(str_scaled(STR("3,4M"), 1000, &v) && fabs(v - 3.4e6) < 1e-6);
    assert_true(str_scaled(STR("512"), 1024, &v) && v == 512);
    assert_true(str_scaled(STR("512B"), 1024, &v) && v == 512);
    assert_true(str_scaled(STR("2t"), 1024, &v) && v == 2.0 * 1024 * 1024 * 1024 * 1024);
    assert_true(str_scaled(STR("1E"), 1024, &v) && v == 1152921504606846976.0);
    assert_true(str_scaled(STR("1P"), 1000, &v) && v == 1e15);
    v = 3;
    assert_false(str_scaled(STR("-"), 1024, &v) || str_scaled(STR(""), 1024, &v) || str_scaled(STR("K"), 1024, &v) ||
                 str_scaled(STR("1x"), 1024, &v) || str_scaled(STR("1KK"), 1024, &v) || str_scaled(STR_NONE, 1024, &v));
    assert_true(v == 3);
}

static void globs(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool match;
    } cases[] = {
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"?", "", false},
        {"Samsung SSD 8?0 *", "Samsung SSD 870 QVO 1TB", true},
        {"SAMSUNG ssd*", "Samsung SSD", true},
        {"*QVO*", "Samsung SSD 870 QVO 1TB", true},
        {"*a*b*c", "xxaxxbxxc", true},
        {"*a*b*c", "xxaxxcxxb", false},
        {"WD[0-9][0-9]EF[AZ]X", "wd40efax", true},
        {"WD[0-9][0-9]EF[AZ]X", "WD40EFRX", false},
        {"[!a-c]x", "dx", true},
        {"[^a-c]x", "bx", false},
        {"[]]", "]", true},
        {"[a-", "[a-", true}, /* a set without an end is plain text */
        {"a[", "a[", true},
        {"ab*", "ab", true},
        {"**b", "aab", true},
        {"a*", "ba", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (str_glob(str_of(cases[i].pattern), str_of(cases[i].text)) != cases[i].match)
            fail_msg("glob %s on %s", cases[i].pattern, cases[i].text);
    /* no exponential time: a pattern of many stars over a text that nearly fits */
    char pattern[201], text[20001];
    for (int i = 0; i < 200; i += 2) memcpy(pattern + i, "*a", 2);
    pattern[200] = 0;
    memset(text, 'a', 20000);
    text[20000] = 0;
    pattern[199] = 'b';
    assert_false(str_glob(str_of(pattern), str_of(text)));
}

static void hashes(void **state) {
    (void)state;
    assert_true(str_hash(STR("")) == str_hash(STR_NONE));
    assert_true(str_hash(STR("sda")) != str_hash(STR("sdb")));
    assert_true(str_hash(STR("sda")) == str_hash(str_sub(STR("sdax"), 0, 3)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trim_and_cut), cmocka_unit_test(words),    cmocka_unit_test(finding),
        cmocka_unit_test(paths),        cmocka_unit_test(integers), cmocka_unit_test(decimals),
        cmocka_unit_test(scaled),       cmocka_unit_test(globs),    cmocka_unit_test(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
