/* FreeBSD's iostat without -x: names above groups of columns, repeated headers, totals, damage. */
#include "claim_test.h"
#include "sample_test.h"

#include <math.h>

extern const Parser parser_iostat_freebsd;

#define NAMES "       tty            ada0             nvd0             cpu\n"
#define COLUMNS " tin  tout KB/t   tps  MB/s KB/t   tps  MB/s  us ni sy in id\n"
#define BOOT "   0     9 38.2    11   0.4 16.0     2   0.0   1  0  1  0 98\n"
#define BUSY "   0    22 112.4  184  20.2  0.0     0   0.0   4  1 12  1 82\n"

static void reports(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_iostat_freebsd, NULL, "iostat -w 5 ada0 nvd0", STR(NAMES COLUMNS BOOT BUSY NAMES COLUMNS BUSY));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 3);
    assert_float_equal(lifetime_value(pt, "disk", "ada0", "io_s"), 11, 1e-6);
    assert_float_equal(lifetime_value(pt, "disk", "nvd0", "areq_bytes"), 16 * 1024, 1e-3);
    assert_float_equal(lifetime_value(pt, "host", "host", "cpu_idle_pct"), 98, 1e-6);
    assert_int_equal(sample_count(pt, "disk", "ada0"), 2);
    SamplePoint busy = sample_at(pt, "disk", "ada0", M_io_s, 0), idle = sample_at(pt, "disk", "nvd0", M_areq_bytes, 0);
    assert_float_equal(busy.value, 184, 1e-6);
    assert_float_equal(busy.dt_s, 5, 1e-6);
    assert_int_equal(busy.line, 4);
    assert_true(isnan(idle.value)); /* a size of no operation */
    assert_float_equal(sample_at(pt, "host", "host", M_cpu_system_pct, 1).value, 13, 1e-6);
    pt_free(pt);
}

static void shapes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int rows;
        const char *device;
        double io_s;
    } cases[] = {
        {"             da0              da1\n KB/t   tps  MB/s  KB/t   tps  MB/s\n 64.0   120   7.5   4.0     1   "
         "0.0\n",
         1, "da0", 120},
        {"       tty             da0             cpu\n tin  tout  KB/t xfrs   MB  us ni sy in id\n   0    22 112.4 "
         "18432 "
         "2023.1   4  1 12  1 82\n",
         1, "da0", NAN}, /* -I: totals are no rates */
        {"       tty             da0             cpu\n tin  tout  sps tps msps  us ni sy in id\n   0    22 4096 128  "
         "3.1   4  1 12 "
         " 1 82\n",
         1, "da0", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ParseTest *pt = pt_run(&parser_iostat_freebsd, NULL, NULL, str_of(cases[i].text));
        assert_int_equal(pt->result, PARSE_OK);
        assert_int_equal(pt->ctx.rows, cases[i].rows);
        double got = lifetime_value(pt, "disk", cases[i].device, "io_s");
        if (isnan(cases[i].io_s)) assert_true(isnan(got));
        else assert_float_equal(got, cases[i].io_s, 1e-6);
        pt_free(pt);
    }
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_iostat_freebsd, NULL, NULL,
                           STR(NAMES COLUMNS BOOT "   0    22 112.4  184\n" BUSY "sda 1 2 3\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.rows, 2);
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
    pt = pt_run(&parser_iostat_freebsd, NULL, NULL, STR(COLUMNS BOOT)); /* whose figures these are stood above */
    assert_int_equal(pt->ctx.rows, 0);
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_iostat_freebsd, NAMES COLUMNS BOOT BUSY, true);
    assert_false(parser_iostat_freebsd.starts(STR("Device             tps    kB_read/s")));
    assert_false(parser_iostat_freebsd.starts(STR("ada0 is slow"))); /* prose */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports), cmocka_unit_test(shapes), cmocka_unit_test(damage),
                                       cmocka_unit_test(claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
