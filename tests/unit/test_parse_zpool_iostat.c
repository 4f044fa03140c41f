/* zpool iostat: column counts of every version, the first report, the tree with and without indentation, units. */
#include "sample_test.h"

#include <math.h>

extern const Parser parser_zpool_iostat, parser_iostat;

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (fabs(a) + fabs(b)) + 1e-9;
}

#define assert_near(got, want)                                                                                         \
    do {                                                                                                               \
        double got_ = (got), want_ = (want);                                                                           \
        if (!near(got_, want_)) fail_msg(#got ": %.9g, not %.9g", got_, want_);                                        \
    } while (0)

#define HEAD_L                                                                                                         \
    "                 capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait    asyncq_wait " \
    " scrub   trim  rebuild\n"                                                                                         \
    "pool           alloc   free   read  write   read  write   read  write   read  write   read  write   read  write " \
    "  wait   wait     wait\n"                                                                                         \
    "-------------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  ----- " \
    " -----  -----  -------\n"
#define ROWS_L(w)                                                                                                      \
    "storage        1.27T  4.18T      0    174  3.42K  22.7M    1ms  " w                                               \
    "    1ms   65ms  768ns    2us      -  172ms      -      -        -\n"                                              \
    "  raidz1-0     1.27T  4.18T      0    174  3.42K  22.7M    1ms  " w                                               \
    "    1ms   65ms  768ns    2us      -  172ms      -      -        -\n"                                              \
    "    sda            -      -      0     58  1.14K  7.57M    1ms  262ms    1ms   68ms  768ns    2us      -  190ms " \
    "     -      -        -\n"                                                                                         \
    "    sdb            -      -      0      0      0      0      -      -      -      -      -      -      -      - " \
    "     -      -        -\n"                                                                                         \
    "logs               -      -      -      -      -      -      -      -      -      -      -      -      -      - " \
    "     -      -        -\n"                                                                                         \
    "  nvme0n1p1    1.10M  7.50G      0      3      0  12.0K      -    1ms      -    1ms      -    1us      -      - " \
    "     -      -        -\n"                                                                                         \
    "-------------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  ----- " \
    " -----  -----  -------\n"

static void latencies(void **state) {
    (void)state;
    static const char text[] = "1720322641\n" HEAD_L ROWS_L("233ms") "1720322642\n" HEAD_L ROWS_L(
        "300ms") "1720322645\n" HEAD_L ROWS_L("400ms");
    ParseTest *pt = pt_run(&parser_zpool_iostat, "samples/zpool_iostat", "zpool iostat -vl -T u 1 3", str_of(text));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 18);
    assert_near(lifetime_value(pt, "pool", "storage", "total_wait_write_ms"), 233);
    assert_near(lifetime_value(pt, "member", "sda", "disk_wait_write_ms"), 68);
    assert_near(lifetime_value(pt, "member", "sda", "w_bytes_s"), 7.57 * 1048576);
    assert_near(lifetime_value(pt, "vdev", "storage/raidz1-0", "syncq_wait_read_ms"), 768e-6);
    assert_true(isnan(lifetime_value(pt, "member", "sdb", "disk_wait_write_ms"))); /* "-": no I/O */
    assert_near(lifetime_value(pt, "member", "sdb", "w_s"), 0);
    assert_string_equal(pt_text(pt, "SELECT since FROM lifetime LIMIT 1"), "import");
    assert_near(pt_real(pt, "SELECT l.line FROM lifetime l JOIN ref r ON r.id=l.node WHERE r.name='sda'"), 7);
    assert_int_equal(sample_count(pt, "pool", "storage"), 2);
    SamplePoint p = sample_at(pt, "pool", "storage", M_total_wait_write_ms, 1);
    assert_near(p.value, 400);
    assert_near(p.t_s, 1720322645);
    assert_near(p.dt_s, 3);
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "NULL"); /* epoch stamps are UTC */
    /* how full the pool is, once */
    assert_string_equal(pt_text(pt, "SELECT count(*) || ' ' || round(max(capacity_pct)) || ' ' || max(line) FROM pool"),
                        "1 23.0 5");
    /* members rest under their vdev, the log device under the pool */
    assert_string_equal(
        pt_text(pt,
                "SELECT c.name FROM edge e JOIN ref p ON p.id=e.parent JOIN ref c ON c.id=e.child WHERE p.name='sda'"),
        "storage/raidz1-0");
    assert_string_equal(pt_text(pt, "SELECT c.name FROM edge e JOIN ref p ON p.id=e.parent JOIN ref c ON c.id=e.child "
                                    "WHERE p.name='nvme0n1p1'"),
                        "storage");
    pt_free(pt);
}

static const struct {
    const char *name, *command, *text, *kind, *thing, *metric;
    double want;
} firsts[] = {
    {"0.6", NULL,
     "               capacity     operations    bandwidth\npool        alloc   free   read  write   read  "
     "write\n----------  -----  -----  -----  -----  -----  -----\ntank        1.20T   624G    120    230  4.5M  "
     "12.3M\n",
     "pool", "tank", "w_bytes_s", 12.3 * 1048576},
    {"0.7 -l has no trim column", NULL,
     "pool        alloc   free   read  write   read  write   read  write   read  write   read  write   read  write   "
     "wait\ndata        1.31T  42.3T      9     49   214K  2.35M    4ms   24ms    2ms   10ms  874us    2us    1ms   "
     "20ms   36ms\n",
     "pool", "data", "scrub_wait_ms", 36},
    {"2.2 -l", NULL, HEAD_L ROWS_L("233ms"), "vdev", "storage/raidz1-0", "asyncq_wait_write_ms", 172},
    {"-q only", NULL,
     "              capacity     operations     bandwidth    syncq_read    syncq_write   asyncq_read  asyncq_write   "
     "scrubq_read   trimq_write  rebuildq_write\n"
     "pool        alloc   free   read  write   read  write   pend  activ   pend  activ   pend  activ   pend  activ   "
     "pend  activ   pend  activ   pend  activ\n"
     "tank        1.20T   624G    120   1.5K  4.5M  12.3M      0      0      1      2      0      0      3      4      "
     "0      0      0      0      0      0\n",
     "pool", "tank", "w_s", 1536},
    {"-H", "zpool iostat -H", "tank\t1.20T\t624G\t120\t230\t4.5M\t12.3M\nrpool\t1.20T\t624G\t1\t2\t3\t4\n", "pool",
     "rpool", "w_s", 2},
    {"-Hp -l in nanoseconds", "zpool iostat -Hpl",
     "tank\t1319413953331\t670014898176\t120\t230\t4718592\t12897484\t1500000\t65000000\t0\t60000000\t300000\t2000\t100"
     "0000\t5000000\t0\t0\t0\n",
     "pool", "tank", "total_wait_write_ms", 65},
    {"-p: 0 ns is no I/O", "zpool iostat -Hpl",
     "tank\t1319413953331\t670014898176\t120\t230\t4718592\t12897484\t1500000\t65000000\t0\t60000000\t300000\t2000\t100"
     "0000\t5000000\t0\t0\t0\n",
     "pool", "tank", "disk_wait_read_ms", NAN},
    {"-H -v: the tree from names", "zpool iostat -Hv",
     "tank\t1T\t1T\t1\t2\t3\t4\nmirror-0\t1T\t1T\t1\t2\t3\t4\nsda\t-\t-\t1\t7\t3\t4\nsdb\t-\t-\t1\t2\t3\t4\n", "member",
     "sda", "w_s", 7},
    {"a group without an index", NULL,
     "pool        alloc   free   read  write   read  write\ntank  1T 1T 1 2 3 4\n  mirror  1T 1T 1 2 3 4\n    sda  - - "
     "1 2 3 4\n  mirror  1T 1T 1 9 3 4\n    sdb - - 1 2 3 4\n",
     "vdev", "tank/mirror-1", "w_s", 9},
    {"indentation lost in a paste", NULL,
     "pool        alloc   free   read  write   read  write\ntank  1T 1T 1 2 3 4\nraidz1-0  1T 1T 1 2 3 4\nsda  - - 1 5 "
     "3 4\nsdb  - - 1 6 3 4\n",
     "member", "sdb", "w_s", 6},
    {"-P", NULL,
     "pool        alloc   free   read  write   read  write\ntank  1T 1T 1 2 3 4\n  /dev/disk/by-id/ata-EXAMPLE_1-part1 "
     " 1T 1T 1 5 3 4\n",
     "member", "/dev/disk/by-id/ata-EXAMPLE_1-part1", "w_s", 5},
    {"vdevs named on the command line", "zpool iostat -v tank mirror-0 5",
     "vdev        alloc   free   read  write   read  write\nmirror-0  1T 1T 1 2 3 4\n", "vdev", "tank/mirror-0", "w_s",
     2},
    {"a name with blanks", NULL, "pool        alloc   free   read  write   read  write\nmy old pool  1T 1T 1 2 3 4\n",
     "pool", "my old pool", "w_s", 2},
};

static void versions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        ParseTest *pt = pt_run(&parser_zpool_iostat, "x", firsts[i].command, str_of(firsts[i].text));
        if (pt->ctx.bad_rows) fail_msg("%s: %.*s", firsts[i].name, STR_ARG(pt->ctx.first_note));
        double got = lifetime_value(pt, firsts[i].kind, firsts[i].thing, firsts[i].metric);
        if (isnan(firsts[i].want) ? !isnan(got) : !near(got, firsts[i].want))
            fail_msg("%s: %.9g, not %.9g", firsts[i].name, got, firsts[i].want);
        if (parser_zpool_iostat.bid(STR("samples/zpool_iostat"), str_of(firsts[i].command), str_of(firsts[i].text)) <=
            0)
            fail_msg("%s: no bid", firsts[i].name);
        pt_free(pt);
    }
}

static void reports_without_stamps(void **state) {
    (void)state;
    static const char text[] =
        "pool        alloc   free   read  write   read  write\n----------  -----  -----  -----  -----  -----  -----\na "
        " 1T 1T 1 2 3 4\nb  1T 1T 1 2 3 4\na  1T 1T 1 5 3 4\nb  1T 1T 1 6 3 4\n";
    ParseTest *pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat 10", str_of(text));
    assert_int_equal(sample_count(pt, "pool", "a"), 1);
    SamplePoint p = sample_at(pt, "pool", "b", M_w_s, 0);
    assert_near(p.value, 6);
    assert_near(p.dt_s, 10);
    assert_true(isnan(p.t_s));
    pt_free(pt);
    pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -y 10", str_of(text));
    assert_int_equal(sample_count(pt, "pool", "a"), 2);
    assert_near(pt_real(pt, "SELECT count(*) FROM lifetime"), 0);
    pt_free(pt);
    pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -T d 10",
                STR("Sun Jul  7 03:24:01 2024\npool        alloc   free   read  write   read  write\na  1T 1T 1 2 3 "
                    "4\nSun Jul  7 03:24:11 2024\na  1T 1T 1 2 3 4\n"));
    assert_near(sample_at(pt, "pool", "a", M_w_s, 0).t_s, 1720322651);
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "1");
    pt_free(pt);
}

static const char histogram[] =
    "tank         total_wait     disk_wait    syncq_wait    asyncq_wait\n"
    "latency      read  write   read  write   read  write   read  write  scrub   trim  rebuild\n"
    "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
    "1ns             0      0      0      0      0      0      0      0      0      0      0\n"
    "65us         1.2K    300   1.2K    310      0      0      0      0      0      0      0\n"
    "137s            0      0      0      0      0      0      0      0      0      0      0\n"
    "---------------------------------------------------------------------------------------\n"
    "\ntank           sync_read    sync_write    async_read    async_write      scrub         trim         rebuild\n"
    "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"
    "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
    "512             0      0      0      0      0      0      0      0      0      0      0      0      0      0\n"
    "16M             0      0      0      0      0      0      0      0      0      0      0      0      0      0\n";

static void histograms_are_counted(void **state) {
    (void)state;
    assert_true(parser_zpool_iostat.bid(STR("x"), STR(""), str_of(histogram)) > 0);
    ParseTest *pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -w", str_of(histogram));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.rows, 5);
    assert_near(pt_real(pt, "SELECT count(*) FROM lifetime"), 0);
    pt_free(pt);
}

#define SIZES                                                                                                          \
    "tank          sync_read    sync_write    async_read    async_write      scrub\n"                                  \
    "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"                               \
    "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
#define VDEV_SIZES                                                                                                     \
    "  mirror-0    sync_read    sync_write    async_read    async_write      scrub\n"                                  \
    "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"

static void request_sizes(void **state) {
    (void)state;
    static const char once[] =
        SIZES "4K           108K      0   2.5K      1      7      0    100      2      0      0\n"
              "32K             1      2      3      4      5      6      7      8      9     10\n"
              "128K            1      2      3      4      5      6      7      8      9     10\n"
              "--------------------------------------------------------------------------------\n" VDEV_SIZES
              "4K              9      9      9      9      9      9      9      9      9      9\n";
    static const char sql[] =
        "SELECT group_concat(r.kind||':'||r.name||' '||c.name||'='||CAST(c.value AS INTEGER)||' '||c.line, '; ') FROM "
        "(SELECT * FROM counter ORDER BY rowid) c JOIN ref r ON r.id = c.node WHERE c.name GLOB 'zpool_r.*_write*' OR "
        "c.name = 'zpool_r.interval'";
    ParseTest *pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -rv", str_of(once));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, sql),
                        "pool:tank zpool_r.sync_write=2575 1; pool:tank zpool_r.sync_write_small=2561 1; pool:tank "
                        "zpool_r.async_write=132 1; pool:tank zpool_r.async_write_small=102 1; pool:tank "
                        "zpool_r.interval=0 1");
    pt_free(pt);
    /* the first report counts since import: the later ones are what happens */
    pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -r tank 10 2",
                STR(SIZES "4K  9 9 9 9 9 9 9 9 0 0\n" SIZES "4K  1 1 2 2 3 3 4 4 0 0\n"));
    assert_string_equal(pt_text(pt, sql),
                        "pool:tank zpool_r.sync_write=4 5; pool:tank zpool_r.sync_write_small=4 5; pool:tank "
                        "zpool_r.async_write=8 5; pool:tank zpool_r.async_write_small=8 5; pool:tank "
                        "zpool_r.interval=1 5");
    pt_free(pt);
    pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -ry tank 10 1", STR(SIZES "4K  1 1 2 2 3 3 4 4 0 0\n"));
    assert_near(pt_real(pt, "SELECT value FROM counter WHERE name = 'zpool_r.interval'"), 1);
    pt_free(pt);
}

static void queues(void **state) {
    (void)state;
#define QUEUE_HEAD                                                                                                     \
    "            capacity     operations     bandwidth    syncq_read    syncq_write   asyncq_read  asyncq_write   "    \
    "scrubq_read\n"                                                                                                    \
    "pool      alloc   free   read  write   read  write   pend  activ   pend  activ   pend  activ   pend  activ   "    \
    "pend  activ\n"
    ParseTest *pt =
        pt_run(&parser_zpool_iostat, NULL, "zpool iostat -q 1 2",
               STR(QUEUE_HEAD "tank      3.00T  3.00T      1      2     3K     4K      0      1      6     10 "
                              "     0      0      0      2      0      3\n"
                              "tank      3.00T  3.00T      1      2     3K     4K      0      0      2      6 "
                              "     0      0      4      8      0      3\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(r.kind||':'||r.name||' '||c.name||'='||c.value||' '||c.line, "
                                    "'; ') FROM (SELECT * FROM counter ORDER BY rowid) c JOIN ref r ON r.id = c.node"),
                        "pool:tank zpool_q.syncq_read=0.5 3; pool:tank zpool_q.syncq_write=12.0 3; pool:tank "
                        "zpool_q.asyncq_read=0.0 3; pool:tank zpool_q.asyncq_write=7.0 3; pool:tank "
                        "zpool_q.reports=2.0 3");
    pt_free(pt);
}

static void fullness(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_iostat, NULL, "zpool iostat -v",
                           STR("               capacity     operations     bandwidth\n"
                               "pool         alloc   free   read  write   read  write\n"
                               "-----------  -----  -----  -----  -----  -----  -----\n"
                               "tank         3.00T  3.00T      1      2     3K     4K\n"
                               "  mirror-0   2.70T   300G      1      2     3K     4K\n"
                               "    sda          -      -      1      2     3K     4K\n"
                               "    sdb          -      -      1      2     3K     4K\n"
                               "  sdc         300G  2.70T      1      2     3K     4K\n"
                               "logs             -      -      -      -      -      -\n"
                               "  sdd        1.10M  7.50G      0      3      0  12.0K\n"));
    assert_string_equal(
        pt_text(pt,
                "SELECT group_concat(r.kind||':'||r.name||' '||s.key||'='||s.value, '; ') FROM setting s JOIN ref r "
                "ON r.id = s.node"),
        "vdev:tank/mirror-0 vdev_used_pct=90.2; member:sdc vdev_used_pct=9.8");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    static const char text[] = HEAD_L ROWS_L("233ms") "  sdz  -  - garbage here  1  2\nzzz\n@\xff\xfe@ 1 2\n";
    ParseTest *pt = pt_run(&parser_zpool_iostat, NULL, NULL, str_of(text));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.rows, 6);
    assert_int_equal(pt->ctx.bad_rows, 3);
    pt_free(pt);
    for (size_t n = 0; n < sizeof text; n += 13) {
        pt = pt_run(&parser_zpool_iostat, NULL, NULL, (Str){text, n});
        pt_free(pt);
    }
    pt = pt_run(
        &parser_zpool_iostat, NULL, NULL,
        STR("pool        alloc   free   read  write   read  write\ntank  1T 1T 1 2 3 4\n...\n  sda  - - 1 2 3 4\n"));
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_string_equal(pt_text(pt, "SELECT text FROM note"), "rows were left out here");
    pt_free(pt);
}

static void framing(void **state) {
    (void)state;
    const char *const texts[] = {HEAD_L ROWS_L("233ms"), histogram, "1720322641\n", "Sun Jul  7 03:24:01 2024\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Str text = str_of(texts[i]);
        while (text.len) {
            Str line = str_cut(&text, '\n');
            if (!parser_zpool_iostat.continues(line)) fail_msg("not claimed: %.*s", STR_ARG(line));
        }
    }
    static const char *const others[] = {
        "sda               8.59       222.14        57.08    1597749     410544",
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle",
        "  pool: storage",
        "storage  5.45T  3.91T  1.54T        -         -    12%    71%  1.00x    ONLINE  -",
        "NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT",
        "\tstorage     ONLINE       0     0     0",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1",
        "Filesystem 1K-blocks Used Available Use% Mounted on",
        "[    2.101312] sd 2:0:0:0: [sda]",
        "Device            r/s     w/s     rkB/s     wkB/s"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Str line = str_of(others[i]);
        if (parser_zpool_iostat.continues(line) || parser_zpool_iostat.starts(line) ||
            parser_zpool_iostat.bid(STR("x"), STR(""), line))
            fail_msg("claimed: %s", others[i]);
    }
}

static void corpus_file(const char *file, Str text) {
    ParseTest *pt = pt_run(&parser_zpool_iostat, file, NULL, text);
    if (parser_zpool_iostat.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    if (!pt->ctx.rows) fail_msg("%s: no rows", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("zpool-iostat", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(latencies),
                                       cmocka_unit_test(versions),
                                       cmocka_unit_test(reports_without_stamps),
                                       cmocka_unit_test(histograms_are_counted),
                                       cmocka_unit_test(request_sizes),
                                       cmocka_unit_test(fullness),
                                       cmocka_unit_test(queues),
                                       cmocka_unit_test(damage),
                                       cmocka_unit_test(framing),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
