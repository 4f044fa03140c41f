/* vmstat: which column is which, units of swapping, the report since boot; and /proc/vmstat. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include "../../analyze/parse/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_vmstat, parser_proc_vmstat;

#define TOP "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
#define HEAD " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
#define ROW1 " 1  0    524 763388 147216 819640    0    1   288   108  195    3  4  3 92  1  0\n"
#define ROW2 " 0  2    524 763112 147216 819640    8   64     0  4108  157   96  1  2 46 50  3\n"
#define TTOP "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n"
#define THEAD(zone)                                                                                                    \
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                " zone "\n"
#define TROW(s)                                                                                                        \
    " 0  2    524 763112 147216 819640    8   64     0  4108  157   96  1  2 46 50  3 2024-07-01 12:00:0" s "\n"
#define DISKS                                                                                                          \
    "disk- ------------reads------------ ------------writes----------- -----IO------\n"                                \
    "       total merged sectors      ms  total merged sectors      ms    cur    sec\n"                                \
    "sda    15257    100  841035    8395  50851   5502 1648657  146540      0     44\n"                                \
    "sr0        0      0       0       0      0      0       0       0      0      0\n"
#define SUMMARY                                                                                                        \
    "      8036544 K total memory\n      1030412 K used memory\n         1200 pages swapped in\n"                      \
    "         9310 pages swapped out\n   1719828000 boot time\n        52110 forks\n"
#define BSD                                                                                                            \
    "procs    memory    page                      disks       faults       cpu\n"                                      \
    "r  b  w  avm  fre  flt  re  pi  po   fr   sr ada0 ada1   in   sy   cs us sy id\n"                                 \
    "0  2  0 512M 1.2G  123   0   7   9  200    5   40   41   20  300  400  1  3 96\n"

#define assert_near(got, want)                                                                                         \
    do {                                                                                                               \
        double got_ = (got), want_ = (want);                                                                           \
        if (!(fabs(got_ - want_) < 1e-3)) fail_msg(#got ": %.9g, not %.9g", got_, want_);                              \
    } while (0)

static const struct {
    const char *name, *command, *text, *metric;
    double want;
} lifetimes[] = {
    {"blocked", NULL, TOP HEAD ROW2, "procs_blocked", 2},
    {"swap in, KiB", NULL, TOP HEAD ROW2, "swap_in_bytes_s", 8 * 1024},
    {"swap out, KiB", NULL, TOP HEAD ROW2, "swap_out_bytes_s", 64 * 1024},
    {"swap out, -S M", "vmstat -S M 1", TOP HEAD ROW2, "swap_out_bytes_s", 64 * 1048576.0},
    {"swap out, -Sk", "vmstat -Sk 1", TOP HEAD ROW2, "swap_out_bytes_s", 64 * 1000},
    {"swap out, --unit", "vmstat --unit=m 1", TOP HEAD ROW2, "swap_out_bytes_s", 64e6},
    {"user", NULL, TOP HEAD ROW2, "cpu_user_pct", 1},
    {"system", NULL, TOP HEAD ROW2, "cpu_system_pct", 2},
    {"idle", NULL, TOP HEAD ROW2, "cpu_idle_pct", 46},
    {"iowait", NULL, TOP HEAD ROW2, "cpu_iowait_pct", 50},
    {"steal", NULL, TOP HEAD ROW2, "cpu_steal_pct", 3},
    {"with gu", NULL,
     TOP " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu\n 0  2 1 1 1 1 8 64 0 "
         "4108 157 96 1 2 46 50 3 9\n",
     "cpu_steal_pct", 3},
    {"no st", NULL,
     TOP " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa\n 0  2 1 1 1 1 8 64 0 4108 157 "
         "96 1 2 46 50\n",
     "cpu_steal_pct", NAN},
    {"wide", NULL,
     "--procs-- -----------------------memory---------------------- ---swap-- -----io---- -system-- "
     "--------cpu--------\n"
     "   r    b         swpd         free         buff        cache   si   so    bi    bo   in   cs  us  sy  id  wa  "
     "st\n"
     "   0    3            0      2430264      1011084     22658240    0    0     4     6    3    5   3   1  95   1   "
     "0\n",
     "procs_blocked", 3},
    {"-a", NULL,
     TOP " r  b   swpd   free  inact active   si   so    bi    bo   in   cs us sy id wa st\n 2  1 0 2794716 295968 "
         "312724 0 0 1 3 29 57 0 0 99 0 0\n",
     "cpu_idle_pct", 99},
    {"FreeBSD: the CPU's sy", NULL, BSD, "cpu_system_pct", 3},
    {"FreeBSD: idle", NULL, BSD, "cpu_idle_pct", 96},
    {"FreeBSD: the pager is no swap", NULL, BSD, "swap_in_bytes_s", NAN},
};

static void columns(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof lifetimes / sizeof *lifetimes; i++) {
        ParseTest *pt = pt_run(&parser_vmstat, NULL, lifetimes[i].command, str_of(lifetimes[i].text));
        if (pt->ctx.bad_rows || pt->ctx.rows != 1)
            fail_msg("%s: %d rows, %.*s", lifetimes[i].name, (int)pt->ctx.rows, STR_ARG(pt->ctx.first_note));
        double got = lifetime_value(pt, "host", "host", lifetimes[i].metric);
        if (isnan(lifetimes[i].want) ? !isnan(got) : !(fabs(got - lifetimes[i].want) < 1e-3))
            fail_msg("%s: %.9g, not %.9g", lifetimes[i].name, got, lifetimes[i].want);
        claims_text(&parser_vmstat, lifetimes[i].text, true);
        pt_free(pt);
    }
}

static void series(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_vmstat, NULL, "vmstat 2", STR(TOP HEAD ROW1 ROW2 TOP HEAD ROW2 ROW1));
    assert_int_equal(pt->ctx.rows, 4);
    assert_int_equal(sample_count(pt, "host", "host"), 3); /* a repeated header begins nothing */
    SamplePoint p = sample_at(pt, "host", "host", M_cpu_iowait_pct, 0);
    assert_near(p.value, 50);
    assert_near(p.dt_s, 2);
    assert_true(isnan(p.t_s));
    assert_int_equal(p.line, 4);
    pt_free(pt);
    static const char *const first[] = {"vmstat -y 1", "vmstat --no-first 1"};
    for (size_t i = 0; i < 2; i++) {
        pt = pt_run(&parser_vmstat, NULL, first[i], STR(TOP HEAD ROW1 ROW2));
        assert_int_equal(sample_count(pt, "host", "host"), 2);
        pt_free(pt);
    }
    pt = pt_run(&parser_vmstat, NULL, "vmstat -t 1", STR(TTOP THEAD("CEST") TROW("0") TROW("1") TROW("4")));
    p = sample_at(pt, "host", "host", M_procs_blocked, 1);
    assert_near(p.t_s, 1719835204 - 7200);
    assert_near(p.dt_s, 3);
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "NULL");
    pt_free(pt);
    pt = pt_run(&parser_vmstat, NULL, "vmstat -t 1", STR(TTOP THEAD("XYZ") TROW("0") TROW("1")));
    assert_near(sample_at(pt, "host", "host", M_procs_blocked, 0).t_s, 1719835201);
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "1");
    pt_free(pt);
}

#define COUNTER(n, c) "SELECT c.value FROM counter c JOIN ref r ON r.id=c.node WHERE r.name='" n "' AND c.name='" c "'"
static const DeviceCase cases[] = {
    {"-d reads", NULL, NULL, DISKS, COUNTER("sda", "reads"), "15257.0"},
    {"-d write ms", NULL, NULL, DISKS, COUNTER("sda", "write_ms"), "146540.0"},
    {"-d seconds", NULL, NULL, DISKS, COUNTER("sda", "io_ms"), "44000.0"},
    {"-d a device without I/O", NULL, NULL, DISKS, "SELECT count(*) FROM ref WHERE name='sr0'", "0"},
    {"-s swapped out", NULL, "vmstat -s", SUMMARY, COUNTER("host", "pages swapped out"), "9310.0"},
    {"-s line", NULL, NULL, SUMMARY, "SELECT line FROM counter WHERE name='pages swapped in'", "3"},
};

static void counters(void **state) {
    (void)state;
    device_values(&parser_vmstat, cases, sizeof cases / sizeof *cases);
    claims_text(&parser_vmstat, DISKS, true);
    claims_text(&parser_vmstat, SUMMARY, true);
}

static const DeviceCase proc_cases[] = {
    {"pages", NULL, NULL, "nr_free_pages 615337\nnr_dirty 1021\nnr_writeback 96\npgpgin 8834020\npswpout 1200\n",
     COUNTER("host", "nr_dirty"), "1021.0"},
    {"unit", NULL, NULL, "nr_free_pages 615337\nnr_dirty 1021\nnr_writeback 96\npgpgin 8834020\npswpout 1200\n",
     "SELECT unit FROM counter WHERE name='pgpgin'", "KiB"},
    {"others are not kept", NULL, NULL,
     "nr_free_pages 615337\nnr_dirty 1021\nnr_writeback 96\npgpgin 8834020\npswpout 1200\n",
     "SELECT count(*) FROM counter", "4"},
};

static void proc_vmstat(void **state) {
    (void)state;
    device_values(&parser_proc_vmstat, proc_cases, 3);
    device_damage(&parser_proc_vmstat, proc_cases, 1);
    device_notes(&parser_proc_vmstat, "nr_free_pages 1\nnr_dirty\nnr_dirty 7\n", 1, "SELECT value FROM counter", "7.0");
    claims_text(&parser_proc_vmstat, proc_cases[0].text, true);
    claims_no_other(&parser_proc_vmstat);
}

static void damage(void **state) {
    (void)state;
    DeviceCase damaged[] = {{"series", NULL, NULL, TTOP THEAD("CEST") TROW("0") TROW("1"), "", ""},
                            cases[0],
                            cases[4],
                            {"BSD", NULL, NULL, BSD, "", ""}};
    device_damage(&parser_vmstat, damaged, 4);
    device_notes(&parser_vmstat, TOP HEAD ROW1 " 0  2    524 76\ngarbage\n" ROW2, 2, "SELECT count(*) FROM lifetime",
                 "1");
    claims_no_other(&parser_vmstat);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    ParseTest *pt = pt_run(&parser_vmstat, path, NULL, text);
    if (parser_vmstat.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows || !pt->ctx.rows)
        fail_msg("%s:%d: %.*s", file, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
    Str expected = claims_expected("vmstat", file);
    cJSON *doc = json_read(pt->scratch, expected, NULL);
    int rows = cJSON_GetArraySize(doc);
    if (pt->ctx.rows != rows) fail_msg("%s: %d rows, not %d", file, (int)pt->ctx.rows, rows);
    const cJSON *row;
    int n = 0;
    cJSON_ArrayForEach(row, doc) {
        double v;
        if (json_get(row, "disk")) {
            static const char *const names[][2] = {{"total_reads", "reads"},
                                                   {"sectors_read", "read_sectors"},
                                                   {"reading_ms", "read_ms"},
                                                   {"total_writes", "writes"},
                                                   {"writing_ms", "write_ms"}};
            for (size_t i = 0; i < 5; i++) {
                Str disk = json_text(json_get(row, "disk"));
                if (!json_number(json_get(row, names[i][0]), &v) || str_is(disk, "sr0"))
                    continue; /* sr0 did nothing: no counters */
                const char *sql = arena_fmt(pt->arena,
                                            "SELECT c.value FROM counter c JOIN ref r ON r.id=c.node WHERE "
                                            "r.name='%.*s' AND c.name='%s'",
                                            STR_ARG(disk), names[i][1]);
                assert_near(pt_real(pt, sql), v);
            }
        } else if (n++ > 0) { /* the first is the lifetime's */
            static const struct {
                const char *key;
                Metric metric;
                double scale;
            } names[] = {{"uninterruptible_sleeping_procs", M_procs_blocked, 1},
                         {"swap_in", M_swap_in_bytes_s, 1024},
                         {"user_time", M_cpu_user_pct, 1},
                         {"system_time", M_cpu_system_pct, 1},
                         {"idle_time", M_cpu_idle_pct, 1},
                         {"io_wait_time", M_cpu_iowait_pct, 1}};
            for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (json_number(json_get(row, names[i].key), &v))
                    assert_near(sample_at(pt, "host", "host", names[i].metric, n - 2).value, v * names[i].scale);
        }
    }
    free((void *)(uintptr_t)expected.p);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("vmstat", corpus_file);
}

static void proc_corpus(void **state) {
    (void)state;
    device_corpus(&parser_proc_vmstat, "proc-vmstat", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns),    cmocka_unit_test(series),
                                       cmocka_unit_test(counters),   cmocka_unit_test(proc_vmstat),
                                       cmocka_unit_test(damage),     cmocka_unit_test(corpus),
                                       cmocka_unit_test(proc_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
