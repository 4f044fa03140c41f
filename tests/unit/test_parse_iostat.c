/* iostat: every header of sysstat, both device positions, units, dates, JSON, and what must not become a sample. */
#include "sample_test.h"

#include <math.h>
#include <stdio.h>

extern const Parser parser_iostat;

#define X4                                                                                                             \
    "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await "      \
    "wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n"
#define X2                                                                                                             \
    "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await w_await aqu-sz "        \
    "rareq-sz wareq-sz  svctm  %util\n"
#define X1                                                                                                             \
    "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  "    \
    "svctm  %util\n"
#define X0 "Device:         rrqm/s   wrqm/s     r/s     w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  svctm  %util\n"
#define BANNER "Linux 6.1.0-18-amd64 (nas) \t07/01/24 \t_x86_64_\t(4 CPU)\n\n"
#define CPU                                                                                                            \
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.50    0.25    2.00   40.25    0.00   "      \
    "56.00\n\n"

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (fabs(a) + fabs(b)) + 1e-9;
}

#define assert_near(got, want)                                                                                         \
    do {                                                                                                               \
        double got_ = (got), want_ = (want);                                                                           \
        if (!near(got_, want_)) fail_msg(#got ": %.9g, not %.9g", got_, want_);                                        \
    } while (0)

static const struct {
    const char *name, *text, *device, *metric;
    double want;
} lifetimes[] = {
    {"X0 sectors", BANNER X0 "sda 0.03 0.76 0.32 0.21 8.90 7.79 31.61 0.01 13.37 2.11 0.11\n", "sda", "r_bytes_s",
     8.90 * 512},
    {"X0 request size in sectors", BANNER X0 "sda 0.03 0.76 0.32 0.21 8.90 7.79 31.61 0.01 13.37 2.11 0.11\n", "sda",
     "areq_bytes", 31.61 * 512},
    {"X0 await", BANNER X0 "sda 0.03 0.76 0.32 0.21 8.90 7.79 31.61 0.01 13.37 2.11 0.11\n", "sda", "await_ms", 13.37},
    {"X1 kB", X1 "sdb 0.00 6.33 0.00 220.67 0.00 1.03 9.55 3.18 14.40 0.00 14.40 0.83 18.27\n", "sdb", "w_bytes_s",
     1.03 * 1024},
    {"X1 reads without operations", X1 "sdb 0.00 6.33 0.00 220.67 0.00 1.03 9.55 3.18 14.40 0.00 14.40 0.83 18.27\n",
     "sdb", "r_await_ms", NAN},
    {"X1 queue", X1 "sdb 0.00 6.33 0.00 220.67 0.00 1.03 9.55 3.18 14.40 0.00 14.40 0.83 18.27\n", "sdb", "aqu_sz",
     3.18},
    {"X2 size in kB", X2 "sda 40.74 44.66 1.93 3.43 3.50 96.04 7.90 68.26 1.65 3.00 0.20 48.60 78.55 0.55 4.66\n",
     "sda", "wareq_bytes", 78.55 * 1024},
    {"X2 %util", X2 "sda 40.74 44.66 1.93 3.43 3.50 96.04 7.90 68.26 1.65 3.00 0.20 48.60 78.55 0.55 4.66\n", "sda",
     "util_pct", 4.66},
    {"X4 flush", X4 "sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20.5 21 22\n", "sdb", "f_await_ms", 20.5},
    {"X4 discard", X4 "sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20.5 21 22\n", "sdb", "d_bytes_s",
     14 * 1024},
    {"rounded operations prove a latency", X4 "sda 0.00 0.1 0 0 16.90 3.14 0.00 0 0 0 0.00 0 0 0 0 0 0 0 0 0 0 0.00\n",
     "sda", "r_await_ms", 16.90},
    {"MB", "Device            r/s     w/s     rMB/s     wMB/s  %util\nsda 1.00 2.00 0.50 1.25 3.00\n", "sda",
     "w_bytes_s", 1.25 * 1048576},
    {"S2",
     "Device             tps      kB/s    rqm/s   await aqu-sz  areq-sz  %util\nsda 8.59 279.22 1.75 12.00 0.10 32.51 "
     "0.46\n",
     "sda", "await_ms", 12},
    {"S3",
     "Device             tps      kB/s    rqm/s   await  areq-sz  aqu-sz  %util\nsda 8.59 279.22 1.75 12.00 32.51 0.10 "
     "0.46\n",
     "sda", "areq_bytes", 32.51 * 1024},
    {"B1",
     "Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda 0.53 4.45 3.90 9706667 8499886\n",
     "sda", "w_bytes_s", 3.90 * 1024},
    {"B1 blocks",
     "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\nsda 0.53 8.87 7.79 19319431 16971317\n",
     "sda", "r_bytes_s", 8.87 * 512},
    {"B1 tps",
     "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\nsda 0.53 8.87 7.79 19319431 16971317\n",
     "sda", "io_s", 0.53},
    {"B3",
     "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\nsda 8.59 222.14 "
     "57.08 1.5 1597749 410544 0\n",
     "sda", "d_bytes_s", 1.5 * 1024},
    {"B3s keeps writes and discards apart",
     "Device             tps    kB_read/s     kB_w+d/s    kB_read     kB_w+d\nsda 8.59 222.14 57.08 1597749 410544\n",
     "sda", "w_bytes_s", NAN},
    {"--human",
     "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\nsda 8.59 222.1k "
     "1.5M 0.0k 1.5G 400.9M 0.0k\n",
     "sda", "w_bytes_s", 1.5 * 1048576},
    {"decimal comma",
     X1 "sda               2,05     4,60    2,36    3,46    50,66    52,33    35,41     0,21   36,76   19,21   48,71   "
        "5,67   3,30\n",
     "sda", "w_await_ms", 48.71},
    {"device last",
     "      tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd Device\n     8.59       222.14 "
     "       57.08         0.00    1597749     410544          0 sda1\n",
     "sda1", "r_bytes_s", 222.14 * 1024},
    {"--pretty -x: the fourth table",
     "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n    6.90    222.14     0.39   5.38   12.58    32.21 "
     "sda\n\n"
     "     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n    1.69     57.08     1.36  44.55    9.61    33.71 "
     "sda\n\n"
     "     f/s f_await  aqu-sz  %util Device\n    0.00    0.00    0.10   0.46 sda\n",
     "sda", "util_pct", 0.46},
    {"--pretty -x: the second table",
     "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n    6.90    222.14     0.39   5.38   12.58    32.21 "
     "sda\n\n"
     "     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n    1.69     57.08     1.36  44.55    9.61    33.71 "
     "sda\n",
     "sda", "w_await_ms", 9.61},
    {"a name on a line of its own",
     X1 "a-device-with-a-long-name\n                  0.00     0.02    0.13    0.11     5.27     1.10    52.53     "
        "0.00    0.88    0.53    1.29   0.52   0.01\n",
     "a-device-with-a-long-name", "r_s", 0.13},
    {"FreeBSD",
     "                        extended device statistics  \ndevice       r/s     w/s     kr/s     kw/s  ms/r  ms/w  "
     "ms/o  ms/t qlen  %b  \nada0          12     345    100.5   2200.0     3    41     0    40    2  88 \n",
     "ada0", "w_await_ms", 41},
    {"FreeBSD 10",
     "                        extended device statistics  \ndevice     r/s   w/s    kr/s    kw/s qlen svc_t  %b  \n"
     "ada0      12.0  345.0   100.5  2200.0    2  40.5  88 \n",
     "ada0", "await_ms", 40.5},
    {"FreeBSD: kr/s are 1024",
     "                        extended device statistics  \ndevice       r/s     w/s     kr/s     kw/s  ms/r  ms/w  "
     "ms/o  ms/t qlen  %b  \nada0          12     345    100.5   2200.0     3    41     0    40    2  88 \n",
     "ada0", "w_bytes_s", 2200.0 * 1024},
};

static void headers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof lifetimes / sizeof *lifetimes; i++) {
        ParseTest *pt = pt_run(&parser_iostat, "iostat.txt", NULL, str_of(lifetimes[i].text));
        if (pt->ctx.bad_rows) fail_msg("%s: %.*s", lifetimes[i].name, STR_ARG(pt->ctx.first_note));
        double got = lifetime_value(pt, "disk", lifetimes[i].device, lifetimes[i].metric);
        if (isnan(lifetimes[i].want) ? !isnan(got) : !near(got, lifetimes[i].want))
            fail_msg("%s: %.9g, not %.9g", lifetimes[i].name, got, lifetimes[i].want);
        assert_true(parser_iostat.bid(STR("x"), STR(""), str_of(lifetimes[i].text)) > 0);
        pt_free(pt);
    }
}

static const char series[] = BANNER
    "07/01/24 12:00:00\n" CPU
    "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda               8.59       222.14       "
    " 57.08    1597749     410544\nsdb               0.01         0.29         0.00       2108          0\n\n"
    "07/01/24 12:00:01\n" CPU
    "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda               6.40         1.60       "
    "  2.60         50         50\nsdb               0.00         0.00         0.00          0          0\n\n"
    "07/01/24 12:00:04\n" CPU
    "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdb               7.00         3.00       "
    "  4.00          0          0\nsda               9.00         5.00         6.00         50         50\n";

static void first_report_is_since_boot(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_iostat, "iostat.txt", "iostat -t 1 3", str_of(series));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 9);
    assert_near(lifetime_value(pt, "disk", "sda", "r_bytes_s"), 222.14 * 1024);
    assert_near(lifetime_value(pt, "host", "host", "cpu_iowait_pct"), 40.25);
    assert_string_equal(pt_text(pt, "SELECT since FROM lifetime LIMIT 1"), "boot");
    assert_near(pt_real(pt, "SELECT l.line FROM lifetime l JOIN ref r ON r.id=l.node WHERE r.name='sdb'"), 9);
    assert_int_equal(sample_count(pt, "disk", "sda"), 2);
    assert_int_equal(sample_count(pt, "host", "host"), 2);
    SamplePoint p = sample_at(pt, "disk", "sda", M_w_bytes_s, 0);
    assert_near(p.value, 2.60 * 1024);
    assert_near(p.t_s, 1719835201);
    assert_near(p.dt_s, 1);
    assert_int_equal(p.line, 16);
    p = sample_at(pt, "disk", "sda", M_io_s, 1); /* rows changed places, and 3 s passed where 1 was asked for */
    assert_near(p.value, 9);
    assert_near(p.dt_s, 3);
    assert_near(sample_at(pt, "host", "host", M_cpu_iowait_pct, 1).value, 40.25);
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "1");
    pt_free(pt);
}

static void option_y_has_no_such_report(void **state) {
    (void)state;
    static const char *const commands[] = {"iostat -y 1 3", "S_TIME_FORMAT=ISO iostat -dxyt 1", "/usr/bin/iostat 1 -y"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        ParseTest *pt = pt_run(&parser_iostat, "iostat.txt", commands[i], str_of(series));
        assert_int_equal(sample_count(pt, "disk", "sda"), 3);
        assert_near(pt_real(pt, "SELECT count(*) FROM lifetime"), 0);
        pt_free(pt);
    }
}

static void reports_without_stamps(void **state) {
    (void)state;
    static const char text[] = BANNER X0 "sda 0 0 0.32 0.21 8.90 7.79 31.61 0.01 13.37 2.11 0.11\n\n" X0
                                         "sda 0 0 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00\n\n" X0
                                         "sda 0 0 5.00 0.00 8.00 0.00 9.00 0.10 2.00 0.00 1.00\n";
    ParseTest *pt = pt_run(&parser_iostat, NULL, "iostat -dx 5 3", str_of(text));
    assert_int_equal(sample_count(pt, "disk", "sda"), 2);
    assert_true(isnan(sample_at(pt, "disk", "sda", M_await_ms, 0).value)); /* nothing happened: no latency, not 0.00 */
    SamplePoint p = sample_at(pt, "disk", "sda", M_await_ms, 1);
    assert_near(p.value, 2);
    assert_near(p.dt_s, 5);
    assert_true(isnan(p.t_s));
    pt_free(pt);
}

static void split_tables_make_one_sample(void **state) {
    (void)state;
#define REPORT(r, w, u)                                                                                                \
    "07/01/24 12:00:0" u "\n     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n    " r                        \
    "    222.14     0.39   5.38   12.58    32.21 sda\n    0.00 0.00 0.00 0.00 0.00 0.00 sdb\n\n     w/s     wkB/s   "  \
    "wrqm/s  %wrqm w_await wareq-sz Device\n    1.69     57.08     1.36  44.55    " w                                  \
    "    33.71 sda\n 0.00 0.00 0.00 0.00 0.00 0.00 sdb\n\n     f/s f_await  aqu-sz  %util Device\n    0.00    0.00   " \
    " 0.10   0.4" u " sda\n 0.00 0.00 0.00 0.00 sdb\n\n"
    ParseTest *pt =
        pt_run(&parser_iostat, NULL, NULL,
               str_of(BANNER REPORT("1.00", "2.00", "1") REPORT("3.00", "4.00", "2") REPORT("5.00", "6.00", "3")));
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_int_equal(sample_count(pt, "disk", "sda"), 2);
    assert_int_equal(sample_count(pt, "disk", "sdb"), 2);
    assert_near(sample_at(pt, "disk", "sda", M_r_s, 1).value, 5);
    assert_near(sample_at(pt, "disk", "sda", M_w_await_ms, 1).value, 6);
    assert_near(sample_at(pt, "disk", "sda", M_util_pct, 1).value, 0.43);
    assert_true(isnan(sample_at(pt, "disk", "sdb", M_w_await_ms, 0).value));
    assert_int_equal(samples_series_count(facts_samples(pt->facts)), 2);
    pt_free(pt);
}

static void groups_and_links(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_iostat, NULL, "iostat -g a -y",
                           STR("Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
                               "sda               8.59       222.14        57.08    1597749     410544\n"
                               " a                8.59       222.14        57.08    1597749     410544\n"
                               "ata-EXAMPLE_SSD_A0001  1.00 1.00 1.00 1 1\n"));
    assert_int_equal(pt->ctx.rows, 3);
    assert_int_equal(sample_count(pt, "disk", "a"), 0);
    assert_int_equal(sample_count(pt, "link", "ata-EXAMPLE_SSD_A0001"), 1);
    pt_free(pt);
}

static void old_time_lines(void **state) {
    (void)state;
#define TIMED(t) "Time: " t "\n" CPU X0 "sda 0 0 4.82 4.64 63.77 254.59 33.67 0.14 15.26 3.45 3.26\n\n"
    ParseTest *pt = pt_run(&parser_iostat, NULL, NULL,
                           str_of("Linux 2.6.18-371.el5 (nas)    10/07/2014\n\n" TIMED("11:59:57 PM")
                                      TIMED("11:59:59 PM") TIMED("12:00:01 AM")));
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_int_equal(sample_count(pt, "disk", "sda"), 2);
    assert_near(sample_at(pt, "disk", "sda", M_await_ms, 0).t_s, 1412726399);
    assert_near(sample_at(pt, "disk", "sda", M_await_ms, 1).t_s, 1412726401); /* past midnight */
    pt_free(pt);
    /* a banner that can only be day first settles the dates of the stamps */
    pt = pt_run(&parser_iostat, NULL, "iostat -y",
                str_of("Linux 2.6.32 (nas) \t27/07/10 \t_i686_\t(1 CPU)\n\n08/07/10 12:47:34\n" X0
                       "sda 0 0 4.82 4.64 63.77 254.59 33.67 0.14 15.26 3.45 3.26\n"));
    assert_near(sample_at(pt, "disk", "sda", M_await_ms, 0).t_s, 1278593254);
    pt_free(pt);
}

static void json(void **state) {
    (void)state;
    static const char good[] =
        "{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n\t\t\t\"nodename\": \"nas\",\n\t\t\t\"date\": "
        "\"07/01/24\",\n\t\t\t\"statistics\": [\n"
        "{\"timestamp\": \"2024-07-01T12:00:00Z\", \"avg-cpu\": {\"user\": 1.00, \"system\": 2.00, \"iowait\": 30.00, "
        "\"steal\": 0.00, \"idle\": 67.00},\n"
        "\"disk\": [ {\"disk_device\": \"sda\", \"r/s\": 1.50, \"w/s\": 5.59, \"rMB/s\": 0.01, \"wMB/s\": 0.03, "
        "\"r_await\": 0.53, \"w_await\": 0.21, \"aqu-sz\": 0.00, \"util\": 0.60} ]},\n"
        "{\"timestamp\": \"2024-07-01T12:00:01Z\",\n"
        "\"disk\": [ {\"disk_device\": \"sda\", \"r/s\": 0.00, \"w/s\": 7.00, \"rMB/s\": 0.00, \"wMB/s\": 2.00, "
        "\"r_await\": 0.00, \"w_await\": 65.00, \"aqu-sz\": 0.50, \"util\": 99.00} ]}\n"
        "]}]}}\n";
    ParseTest *pt = pt_run(&parser_iostat, NULL, NULL, str_of(good));
    assert_int_equal(pt->result, PARSE_OK);
    assert_near(lifetime_value(pt, "disk", "sda", "w_bytes_s"), 0.03 * 1048576);
    assert_near(lifetime_value(pt, "host", "host", "cpu_iowait_pct"), 30);
    SamplePoint p = sample_at(pt, "disk", "sda", M_w_await_ms, 0);
    assert_near(p.value, 65);
    assert_near(p.t_s, 1719835201);
    assert_true(isnan(sample_at(pt, "disk", "sda", M_r_await_ms, 0).value));
    assert_string_equal(pt_text(pt, "SELECT path FROM line_text t JOIN lifetime l ON l.line=t.line JOIN ref r ON "
                                    "r.id=l.node WHERE r.name='sda'"),
                        "/sysstat/hosts/0/statistics/0/disk/0");
    /* a series has no header to be cited by: its first row */
    assert_string_equal(pt_text(pt, "SELECT path FROM line_text WHERE text LIKE 'sda%' ORDER BY line LIMIT 1"),
                        "/sysstat/hosts/0/statistics/1/disk/0");
    pt_free(pt);
    /* what sysstat and interrupts have made of it: a comma too many, one missing, and the end cut off */
    static const char *const broken[] = {
        "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"sda\", \"r/s\": 1.00, \"w/s\": "
        "2.00},]},]}]}}",
        "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"sda\", \"r/s\": 1.00, \"w/s\": "
        "2.00}]}{\"disk\": []}]}]}}",
        "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"sda\", \"r/s\": 1.00, \"w/s\": "
        "2.00}, {\"disk_device\": \"sdb\", \"r/s\": 1."};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        pt = pt_run(&parser_iostat, NULL, NULL, str_of(broken[i]));
        assert_near(lifetime_value(pt, "disk", "sda", "w_s"), 2);
        assert_near(pt_real(pt, "SELECT count(*) FROM note"), 1);
        pt_free(pt);
    }
    /* 11.5.1 to 11.5.6: rates without "/s" */
    pt = pt_run(
        &parser_iostat, NULL, NULL,
        STR("{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"sda\", \"rrqm\": 1.00, "
            "\"wrqm\": 2.00, \"r\": 3.00, "
            "\"w\": 4.00, \"rkB\": 5.00, \"wkB\": 6.00, \"avgrq-sz\": 7.00, \"await\": 8.00, \"util\": 9.00}]}]}]}}"));
    assert_near(lifetime_value(pt, "disk", "sda", "w_s"), 4);
    assert_near(lifetime_value(pt, "disk", "sda", "rrqm_s"), 1);
    assert_near(lifetime_value(pt, "disk", "sda", "w_bytes_s"), 6 * 1024);
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_iostat, NULL, "iostat -y",
               str_of(X0 "sda 0 0 4.82 4.64 63.77 254.59 33.67 0.14 15.26 3.45 3.26\nsdb 0 0 4.82 garbage 1\n"
                         "@@@ \x01\xff\nsdc 0 0 4.82 4.64 63.7"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.rows, 1);
    assert_int_equal(pt->ctx.bad_rows, 3);
    assert_int_equal(pt->ctx.first_bad_line, 3);
    pt_free(pt);
    for (size_t n = 0; n < sizeof series - 1; n++) { /* cut anywhere */
        pt = pt_run(&parser_iostat, NULL, NULL, (Str){series, n});
        assert_true(pt->ctx.bad_rows <= 1);
        pt_free(pt);
        if (n > 200) n += 36;
    }
}

static void framing(void **state) {
    (void)state;
    Str text = str_of(series);
    while (text.len) {
        Str line = str_cut(&text, '\n'), date = str_trim(line);
        bool first = str_starts(line, "Linux ");
        if (first) assert_true(parser_iostat.starts(line));
        else if (!parser_iostat.continues(line)) fail_msg("not claimed: %.*s", STR_ARG(date));
    }
    static const char *const others[] = {
        "tank        1.20T   624G    120    230  4.5M  12.3M",
        "storage  5.45T  3.91T  1.54T        -         -    12%    71%  1.00x    ONLINE  -",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1",
        "   8       0 sda 4810 12 385032 30120 9120 210 1221640 601220 0 88120 640100",
        "/dev/sda1        1000   200    300  40% /boot",
        "Mem:        8000000  1000000  2000000",
        "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0",
        "12:00:01 PM  sda  1.00 2.00 3.00 4.00 5.00",
        "[    2.101312] sd 2:0:0:0: [sda] Write cache: disabled",
        "  pool: storage",
        "pool        alloc   free   read  write   read  write",
        "1024+0 records in",
        "eth0: 1234 1 2 3 4 5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Str line = str_of(others[i]);
        if (parser_iostat.continues(line) || parser_iostat.starts(line) || parser_iostat.bid(STR("x"), STR(""), line))
            fail_msg("claimed: %s", others[i]);
    }
}

static void corpus_file(const char *file, Str text) {
    ParseTest *pt = pt_run(&parser_iostat, file, NULL, text);
    if (parser_iostat.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    bool version = strstr(file, "V-env") != NULL; /* iostat -V: a version, no figures */
    if (!pt->ctx.rows && !version) fail_msg("%s: no rows", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("iostat", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers),
                                       cmocka_unit_test(first_report_is_since_boot),
                                       cmocka_unit_test(option_y_has_no_such_report),
                                       cmocka_unit_test(reports_without_stamps),
                                       cmocka_unit_test(split_tables_make_one_sample),
                                       cmocka_unit_test(groups_and_links),
                                       cmocka_unit_test(old_time_lines),
                                       cmocka_unit_test(json),
                                       cmocka_unit_test(damage),
                                       cmocka_unit_test(framing),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
