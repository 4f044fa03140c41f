/* The collector's raw counters: rates from differences, wraps and resets, partitions, PSI and CPU of the host. */
#include "sample_test.h"

#include <math.h>

extern const Parser parser_stordx_raw;

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (fabs(a) + fabs(b)) + 1e-9;
}

#define assert_near(got, want)                                                                                         \
    do {                                                                                                               \
        double got_ = (got), want_ = (want);                                                                           \
        if (!near(got_, want_)) fail_msg(#got ": %.9g, not %.9g", got_, want_);                                        \
    } while (0)

#define PSI(io_some, io_full)                                                                                          \
    "some avg10=0.18 avg60=0.34 avg300=0.10 total=" io_some "\nfull avg10=0.18 avg60=0.34 avg300=0.10 total=" io_full  \
    "\nsome avg10=0.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=2\n"

static const char two[] =
    "=== 1719828000.250000000 \n"
    "   8       0 sda 1000 10 8000 5000 2000 20 16000 60000 1 8000 65000 0 0 0 0 100 900\n"
    "   8       1 sda1 1000 10 8000 5000 2000 20 16000 60000 1 8000 65000 0 0 0 0 0 0\n"
    "   7       0 loop0 10 0 20 3 0 0 0 0 0 11 8 0 0 0 0 0 0\n"
    " 259       0 nvme0n1 50 0 400 5 0 0 0 0 0 10 5\n"
    " 259       1 nvme0n1p1 50 0 400 5 0 0 0 0 0 10 5\n" PSI(
        "1000000",
        "500000") "cpu  1000 100 1000 8000 1000 0 0 100 0 0\npgpgin 1\npswpin 100\npswpout 200\n"
                  "=== 1719828002.250000000 \n"
                  "   8       0 sda 1000 10 8000 5000 2200 60 20096 74300 3 9900 79300 4 0 2048 20 110 1300\n"
                  "   8       1 sda1 1000 10 8000 5000 2200 60 20096 74300 3 9900 79300 4 0 2048 20 0 0\n"
                  "   7       0 loop0 10 0 20 3 0 0 0 0 0 11 8 0 0 0 0 0 0\n"
                  " 259       0 nvme0n1 150 0 1200 15 0 0 0 0 0 30 15\n"
                  " 259       1 nvme0n1p1 150 0 1200 15 0 0 0 0 0 30 15\n" PSI(
                      "2800000",
                      "1500000") "cpu  1100 100 1050 8150 1600 10 40 150 0 0\npgpgin 2\npswpin 110\npswpout 200\n";

static void rates(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_stordx_raw, "samples/raw", NULL, str_of(two));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_int_equal(pt->ctx.rows, 26);
    assert_int_equal(sample_count(pt, "disk", "sda"), 1);
    static const struct {
        Metric m;
        double want;
    } disk[] = {{M_r_s, 0},
                {M_w_s, 100},
                {M_d_s, 2},
                {M_f_s, 5},
                {M_w_bytes_s, 4096 * 512 / 2.0},
                {M_r_await_ms, NAN},
                {M_w_await_ms, 71.5},
                {M_d_await_ms, 5},
                {M_f_await_ms, 40},
                {M_wareq_bytes, 4096 * 512 / 200.0},
                {M_wrqm_s, 20},
                {M_aqu_sz, 7.15},
                {M_util_pct, 95},
                {M_rareq_bytes, NAN}};
    for (size_t i = 0; i < sizeof disk / sizeof *disk; i++) {
        double got = sample_at(pt, "disk", "sda", disk[i].m, 0).value;
        if (isnan(disk[i].want) ? !isnan(got) : !near(got, disk[i].want))
            fail_msg("%s: %.9g, not %.9g", metric_names[disk[i].m], got, disk[i].want);
    }
    SamplePoint p = sample_at(pt, "disk", "sda", M_w_s, 0);
    assert_near(p.t_s, 1719828002.25);
    assert_near(p.dt_s, 2);
    assert_int_equal(p.line, 16);
    assert_near(sample_at(pt, "disk", "nvme0n1", M_r_await_ms, 0).value, 0.1); /* 11 figures: no discards, no flushes */
    assert_true(isnan(sample_at(pt, "disk", "nvme0n1", M_f_s, 0).value));
    assert_int_equal(sample_count(pt, "disk", "sda1"), 0);
    assert_int_equal(sample_count(pt, "disk", "nvme0n1p1"), 0);
    assert_int_equal(sample_count(pt, "disk", "loop0"), 0);
    static const struct {
        Metric m;
        double want;
    } host[] = {{M_psi_io_some_pct, 90}, {M_psi_io_full_pct, 50},       {M_cpu_iowait_pct, 60},
                {M_cpu_user_pct, 10},    {M_cpu_system_pct, 10},        {M_cpu_steal_pct, 5},
                {M_cpu_idle_pct, 15},    {M_swap_in_bytes_s, 5 * 4096}, {M_swap_out_bytes_s, 0}};
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        assert_near(sample_at(pt, "host", "host", host[i].m, 0).value, host[i].want);
    pt_free(pt);
}

static void wraps_and_resets(void **state) {
    (void)state;
#define BLOCK(t, figures) "=== 171982800" t "\n   8       0 sda " figures "\n"
    ParseTest *pt = pt_run(&parser_stordx_raw, NULL, NULL,
                           str_of(BLOCK("0", "100 0 800 10 4294967290 0 16000 4294967000 0 4294967200 4294967000")
                                      BLOCK("1", "110 0 880 20 4 0 16080 204 0 300 1204")));
    assert_near(sample_at(pt, "disk", "sda", M_w_s, 0).value, 10); /* both counters wrapped at 32 bits */
    assert_near(sample_at(pt, "disk", "sda", M_w_await_ms, 0).value, 50);
    assert_near(sample_at(pt, "disk", "sda", M_util_pct, 0).value, 39.6);
    pt_free(pt);
    pt = pt_run(&parser_stordx_raw, NULL, NULL,
                str_of(BLOCK("0", "100 0 800 10 500 0 16000 900 0 700 800") BLOCK("1", "1 0 8 1 5 0 160 9 0 7 8")
                           BLOCK("2", "2 0 16 3 5 0 160 9 0 9 10")));
    assert_int_equal(sample_count(pt, "disk", "sda"), 1); /* unplugged between the first and the second */
    assert_near(sample_at(pt, "disk", "sda", M_r_await_ms, 0).value, 2);
    assert_near(pt_real(pt, "SELECT count(*) FROM note"), 1);
    pt_free(pt);
    /* gone for one reading: the difference would span two intervals */
    pt = pt_run(
        &parser_stordx_raw, NULL, NULL,
        str_of(BLOCK("0", "1 0 8 1 5 0 160 9 0 7 8") "=== 1719828001\n   8      16 sdb 1 0 8 1 5 0 160 9 0 7 8\n" BLOCK(
            "2", "2 0 16 3 5 0 160 9 0 9 10") BLOCK("3", "3 0 16 3 5 0 160 9 0 9 10")));
    assert_int_equal(sample_count(pt, "disk", "sda"), 1);
    pt_free(pt);
    /* the clock stood or ran backward */
    pt = pt_run(&parser_stordx_raw, NULL, NULL,
                str_of(BLOCK("5", "1 0 8 1 5 0 160 9 0 7 8") BLOCK("5", "2 0 8 1 5 0 160 9 0 7 8")
                           BLOCK("3", "3 0 8 1 5 0 160 9 0 7 8")));
    assert_int_equal(sample_count(pt, "disk", "sda"), 0);
    pt_free(pt);
}

static void whole_disks_named_like_partitions(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_stordx_raw, NULL, NULL,
                           STR("=== 1719828000\n 202       1 xvda1 1 0 8 1 5 0 160 9 0 7 8\n   9       0 md0 1 0 8 1 5 "
                               "0 160 9 0 7 8\n 253       0 dm-0 1 0 8 1 5 0 160 9 0 7 8\n"
                               "=== 1719828001\n 202       1 xvda1 2 0 8 1 5 0 160 9 0 7 8\n   9       0 md0 1 0 8 1 5 "
                               "0 160 9 0 7 8\n 253       0 dm-0 1 0 8 1 5 0 160 9 0 7 8\n"));
    assert_int_equal(sample_count(pt, "disk", "xvda1"), 1);
    assert_int_equal(sample_count(pt, "disk", "md0"), 1);
    assert_int_equal(sample_count(pt, "disk", "dm-0"), 1);
    pt_free(pt);
}

static void damage_and_framing(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_stordx_raw, NULL, NULL,
                           STR("=== 1719828000\n   8       0 sda 1 0 8 1 5 0 160 9 0 7 8\n   8       0 sdb 1 0 8 "
                               "x\nwhat\n=== 1719828001\n   8       0 sda 2 0 8 1 5 0 16"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    assert_int_equal(sample_count(pt, "disk", "sda"), 0);
    pt_free(pt);
    for (size_t n = 0; n < sizeof two; n += 11) {
        pt = pt_run(&parser_stordx_raw, NULL, NULL, (Str){two, n});
        assert_true(pt->ctx.bad_rows <= 1);
        pt_free(pt);
    }
    assert_true(parser_stordx_raw.bid(STR("samples/raw"), STR(""), str_of(two)) > 0);
    assert_true(parser_stordx_raw.starts(STR("=== 1719828000.250000000 ")));
    Str text = str_of(two);
    while (text.len) {
        Str line = str_cut(&text, '\n');
        if (!parser_stordx_raw.continues(line)) fail_msg("not claimed: %.*s", STR_ARG(line));
    }
    /* other stamped blocks of the collector, and tables of numbers */
    static const char *const others[] = {"=== 1719828000\n/proc/spl/kstat/zfs/t/txgs:txg birth state\n",
                                         "sda 8.59 222.14 57.08 1597749 410544\n",
                                         "tank 1.20T 624G 120 230 4.5M 12.3M\n",
                                         "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n",
                                         "major minor  #blocks  name\n\n   8        0  488386584 sda\n",
                                         "=== Start of section ===\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (parser_stordx_raw.bid(STR(""), STR(""), str_of(others[i]))) fail_msg("bid on %s", others[i]);
    assert_false(
        parser_stordx_raw.continues(STR("sda               8.59       222.14        57.08    1597749     410544")));
    assert_false(parser_stordx_raw.starts(STR("=== Start of section ===")));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates), cmocka_unit_test(wraps_and_resets),
                                       cmocka_unit_test(whole_disks_named_like_partitions),
                                       cmocka_unit_test(damage_and_framing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
