/* zpool status: blocks, rows, scans of all versions, TRIM, error lists, pastes that lost their indentation, JSON. */
#include "sample_test.h"

#include <math.h>
#include <stdio.h>

extern const Parser parser_zpool_status;

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)) + 1e-9;
}

#define assert_near(got, want)                                                                                         \
    do {                                                                                                               \
        double got_ = (got), want_ = (want);                                                                           \
        if (!near(got_, want_)) fail_msg(#got ": %.9g, not %.9g", got_, want_);                                        \
    } while (0)

static const char faulted[] =
    "  pool: storage\n"
    " state: DEGRADED\n"
    "status: One or more devices could not be used because the label is missing or\n"
    "\tinvalid.  Sufficient replicas exist for the pool to continue\n"
    "\tfunctioning in a degraded state.\n"
    "action: Replace the device using 'zpool replace'.\n"
    "   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-4J\n"
    "  scan: scrub repaired 1.50M in 2 days 01:02:03 with 3 errors on Sun Jul  7 03:24:01 2024\n"
    "config:\n"
    "\n"
    "\tNAME                     STATE     READ WRITE CKSUM  SLOW\n"
    "\tstorage                  DEGRADED     0     0     0     -\n"
    "\t  mirror-0               DEGRADED     0     0     0     -\n"
    "\t    4242424242424242     FAULTED      0     0     0     0  was /dev/sdc1\n"
    "\t    my old disk          ONLINE       3  1.2K    12     7  (2% trimmed, started at Sun Jul  7 03:00:00 2024)\n"
    "\t  raidz1-1               ONLINE       0     0     0     -  block size: 512B configured, 4096B native\n"
    "\t    sdd                  ONLINE       0     0     0     0  (untrimmed)\n"
    "\t    replacing-1          ONLINE       0     0     0     -\n"
    "\t      sde                ONLINE       0     0     0     0  (100% trimmed, completed at Sun Jul  7 02:00:00 "
    "2024)\n"
    "\t      sdf                ONLINE       0     0     0     0  (resilvering)\n"
    "\tlogs\n"
    "\t  nvme0n1p1              ONLINE       0     0     0     0  (trim unsupported)\n"
    "\tcache\n"
    "\t  nvme0n1p2              ONLINE       0     0     0     0\n"
    "\tspares\n"
    "\t  sdx                    AVAIL\n"
    "\n"
    "errors: Permanent errors have been detected in the following files:\n"
    "\n"
    "        storage/vm:<0x1a2b>\n"
    "        /storage/a file: with colons\n";

static void table(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_status, "zpool_status.out", NULL, str_of(faulted));
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_string_equal(pt_text(pt, "SELECT state FROM pool"), "DEGRADED");
    assert_string_equal(pt_text(pt, "SELECT line FROM pool"), "2");
    assert_string_equal(pt_text(pt, "SELECT t.text FROM pool p JOIN line_text t ON t.src=p.src AND t.line=p.line"),
                        " state: DEGRADED");
    assert_string_equal(
        pt_text(pt, "SELECT t.text FROM pool p JOIN line_text t ON t.src=p.src AND t.line=p.status_line"),
        "status: One or more devices could not be used because the label is missing or");
    assert_string_equal(
        pt_text(pt, "SELECT t.text FROM pool p JOIN line_text t ON t.src=p.src AND t.line=p.errors_line"),
        "errors: Permanent errors have been detected in the following files:");
    assert_string_equal(pt_text(pt, "SELECT status FROM pool"),
                        "One or more devices could not be used because the label is missing or invalid.  Sufficient "
                        "replicas exist for the pool to continue "
                        "functioning in a degraded state.");
    assert_string_equal(pt_text(pt, "SELECT see FROM pool"), "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-4J");
    assert_string_equal(pt_text(pt, "SELECT data_errors FROM pool"), "2");
    assert_true(str_has(str_of(pt_text(pt, "SELECT errors FROM pool")), "storage/vm:<0x1a2b>"));
    static const struct {
        const char *column, *name, *want;
    } cells[] = {{"state", "4242424242424242", "FAULTED"},
                 {"text", "4242424242424242", "was /dev/sdc1"},
                 {"was", "4242424242424242", "/dev/sdc1"},
                 {"guid", "4242424242424242", "4242424242424242"},
                 {"read_errors", "my old disk", "3"},
                 {"write_errors", "my old disk", "1228"},
                 {"cksum_errors", "my old disk", "12"},
                 {"slow_ios", "my old disk", "7"},
                 {"slow_ios", "mirror-0", "NULL"},
                 {"trim_state", "my old disk", "trimming"},
                 {"trim_pct", "my old disk", "2.0"},
                 {"trim_start_s", "my old disk", "1720321200.0"},
                 {"trim_state", "sdd", "untrimmed"},
                 {"trim_state", "sde", "completed"},
                 {"trim_end_s", "sde", "1720317600.0"},
                 {"trim_state", "nvme0n1p1", "unsupported"},
                 {"trim_state", "sdf", "NULL"},
                 {"text", "raidz1-1", "block size: 512B configured, 4096B native"},
                 {"type", "raidz1-1", "raidz1"},
                 {"type", "storage", "root"},
                 {"is_leaf", "replacing-1", "0"},
                 {"is_leaf", "sdf", "1"},
                 {"class", "nvme0n1p1", "log"},
                 {"class", "nvme0n1p2", "cache"},
                 {"class", "sdx", "spare"},
                 {"state", "sdx", "AVAIL"},
                 {"read_errors", "sdx", "NULL"},
                 {"line", "sdd", "17"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        const char *got =
            pt_text(pt, arena_fmt(pt->arena, "SELECT %s FROM vdev WHERE name='%s'", cells[i].column, cells[i].name));
        if (strcmp(got, cells[i].want) != 0)
            fail_msg("%s of %s: %s, not %s", cells[i].column, cells[i].name, got, cells[i].want);
    }
    assert_string_equal(
        pt_text(pt, "SELECT r.kind||':'||r.name FROM vdev v JOIN ref r ON r.id=v.node WHERE v.name='replacing-1'"),
        "vdev:storage/raidz1-1/replacing-1");
    assert_string_equal(
        pt_text(pt, "SELECT r.kind||':'||r.name FROM vdev v JOIN ref r ON r.id=v.parent WHERE v.name='sdf'"),
        "vdev:storage/raidz1-1/replacing-1");
    assert_string_equal(
        pt_text(pt, "SELECT r.kind||':'||r.name FROM vdev v JOIN ref r ON r.id=v.node WHERE v.name='sdd'"),
        "member:sdd");
    assert_string_equal(pt_text(pt, "SELECT parent FROM vdev WHERE name='storage'"), "NULL");
    /* the pool rests on its log, not on cache and spares */
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM edge e JOIN ref c ON c.id=e.child WHERE c.name='storage'"),
                        "3");
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "1");
    pt_free(pt);
}

static const struct {
    const char *text, *kind, *state;
    double start, end, done, repaired, errors, scanned, issued, to_go, no_estimate;
} scans[] = {
    {"none requested", "scrub", "none", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {"scrub repaired 0 in 1h2m with 0 errors on Sun Jul  7 03:24:01 2024", "scrub", "finished", 1720322641 - 3720,
     1720322641, NAN, 0, 0, NAN, NAN, NAN, NAN},
    {"scrub repaired 0B in 0 days 01:02:03 with 0 errors on Sun Jul  7 03:24:01 2024", "scrub", "finished",
     1720322641 - 3723, 1720322641, NAN, 0, 0, NAN, NAN, NAN, NAN},
    {"scrub repaired 4K in 01:02:03 with 2 errors on Sun Jul  7 03:24:01 2024", "scrub", "finished", 1720322641 - 3723,
     1720322641, NAN, 4096, 2, NAN, NAN, NAN, NAN},
    {"resilvered 1.50G in 0h5m with 0 errors on Sun Jul  7 03:24:01 2024", "resilver", "finished", 1720322641 - 300,
     1720322641, NAN, 1.5 * 1073741824, 0, NAN, NAN, NAN, NAN},
    {"resilvered (mirror-0) 1.50G in 00:05:00 with 0 errors on Sun Jul  7 03:24:01 2024", "rebuild", "finished",
     1720322641 - 300, 1720322641, NAN, 1.5 * 1073741824, 0, NAN, NAN, NAN, NAN},
    {"scrub canceled on Sun Jul  7 03:24:01 2024", "scrub", "canceled", NAN, 1720322641, NAN, NAN, NAN, NAN, NAN, NAN,
     NAN},
    {"scrub in progress since Sun Jul  7 03:24:01 2024\n    10.0G scanned out of 20.0G at 100M/s, 1h2m to go\n    0 "
     "repaired, 3.40% done",
     "scrub", "running", 1720322641, NAN, 3.4, 0, NAN, 104857600, NAN, 3720, 0},
    {"resilver in progress since Sun Jul  7 03:24:01 2024\n\t10.0G scanned at 100M/s, 5G issued at 50M/s, 20.0G "
     "total\n\t1G resilvered, 3.40% done, 0 days 02:03:04 to go",
     "resilver", "running", 1720322641, NAN, 3.4, 1073741824, NAN, 104857600, 52428800, 7384, 0},
    {"scrub in progress since Sun Jul  7 03:24:01 2024\n\t10.0G / 20.0G scanned at 100M/s, 5G / 20.0G issued at "
     "50M/s\n\t0B repaired, 25.00% done, no estimated completion time",
     "scrub", "running", 1720322641, NAN, 25, 0, NAN, 104857600, 52428800, NAN, 1},
    {"resilver (raidz1-0) in progress since Sun Jul  7 03:24:01 2024\n\t10.0G scanned at 100M/s, 5G issued 50M/s, "
     "20.0G total\n\t1G resilvered, 25.00% done, 00:00:09 to go",
     "rebuild", "running", 1720322641, NAN, 25, 1073741824, NAN, 104857600, 52428800, 9, 0},
    {"scrub paused since Sun Jul  7 04:24:01 2024\n\tscrub started on Sun Jul  7 03:24:01 2024\n\t10.0G / 20.0G "
     "scanned, 5G / 20.0G issued\n\t0B repaired, 25.00% done",
     "scrub", "paused", 1720322641, NAN, 25, 0, NAN, NAN, NAN, NAN, 0},
    {"scrub in progress since Sun Jul  7 03:24:01 2024\n    1.0G scanned out of 20.0G at 1M/s, (scan is slow, no "
     "estimated time)\n    0 repaired, 3.40% done",
     "scrub", "running", 1720322641, NAN, 3.4, 0, NAN, 1048576, NAN, NAN, 1},
    {"resilver in progress, 0.14% done, 0h0m to go", "resilver", "running", NAN, NAN, 0.14, NAN, NAN, NAN, NAN, 0, 0},
    {"error scrub in progress since Sun Jul  7 03:24:01 2024", "error-scrub", "running", 1720322641, NAN, NAN, NAN, NAN,
     NAN, NAN, NAN, 0},
};

static void scan_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        ParseTest *pt = NULL;
        for (int blanks = 0; blanks < 2; blanks++) { /* with and without the TAB of continuation lines */
            StrBuf b;
            Arena *a = arena_new(1 << 20);
            sb_init(&b, a);
            sb_addz(&b, "  pool: t\n state: ONLINE\n  scan: ");
            for (const char *c = scans[i].text; *c; c++)
                if (!blanks || *c != '\t') sb_addc(&b, *c);
            sb_addz(
                &b,
                "\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\tt  ONLINE  0 0 0\n\nerrors: No known data errors\n");
            pt = pt_run(&parser_zpool_status, NULL, NULL, sb_str(&b));
            if (pt->ctx.bad_rows) fail_msg("%s: %.*s", scans[i].text, STR_ARG(pt->ctx.first_note));
            assert_string_equal(pt_text(pt, "SELECT kind FROM pool_scan"), scans[i].kind);
            assert_string_equal(pt_text(pt, "SELECT state FROM pool_scan"), scans[i].state);
            const struct {
                const char *column;
                double want;
            } cells[] = {{"start_s", scans[i].start},          {"end_s", scans[i].end},
                         {"done_pct", scans[i].done},          {"repaired_bytes", scans[i].repaired},
                         {"errors", scans[i].errors},          {"scanned_bytes_s", scans[i].scanned},
                         {"issued_bytes_s", scans[i].issued},  {"to_go_s", scans[i].to_go},
                         {"no_estimate", scans[i].no_estimate}};
            for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
                double got = pt_real(pt, arena_fmt(pt->arena, "SELECT %s FROM pool_scan", cells[k].column));
                if (isnan(cells[k].want) ? !isnan(got) : !near(got, cells[k].want))
                    fail_msg("%s: %s %.9g, not %.9g", scans[i].text, cells[k].column, got, cells[k].want);
            }
            assert_string_equal(pt_text(pt, "SELECT line FROM pool_scan"), "3");
            pt_free(pt);
            arena_free(a);
        }
    }
}

static void two_scans_and_a_removal(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_zpool_status, NULL, NULL,
               STR("  pool: t\n state: ONLINE\n  scan: scrub repaired 0B in 00:00:01 with 0 errors on Sun Jul  7 "
                   "03:24:01 2024\n"
                   "  scan: resilvered (mirror-0) 912M in 00:00:33 with 0 errors on Sun Jul  7 04:24:01 2024\n"
                   "remove: Evacuation of /dev/sdc in progress since Sun Jul  7 05:24:01 2024\n\t444K copied out of "
                   "888K at 14.8K/s, 50.00% done, 0h1m to go\n"
                   "expand: expanded raidz1-0 copied 1.2G in 00:10:00, on Sun Jul  7 06:24:01 2024\ncheckpoint: "
                   "created Sun Jul  7 03:24:01 2024, consumes 1M\nconfig:\n\n"
                   "\tNAME  STATE  READ WRITE CKSUM\n\tt  ONLINE  0 0 0\n\nerrors: No known data errors\n"));
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(kind||' '||state, ',') FROM (SELECT * FROM pool_scan ORDER BY rowid)"),
        "scrub finished,rebuild finished,removal running,expansion finished");
    assert_near(pt_real(pt, "SELECT done_pct FROM pool_scan WHERE kind='removal'"), 50);
    pt_free(pt);
}

static void lost_indentation(void **state) {
    (void)state;
    static const char text[] =
        "pool: tank\nstate: DEGRADED\nstatus: One or more devices has experienced an unrecoverable error. An\nattempt "
        "was made to correct the error. Applications are unaffected.\n"
        "action: Determine if the device needs to be replaced, and clear the errors\nusing 'zpool clear' or replace "
        "the device with 'zpool replace'.\n"
        "scan: scrub in progress since Sun Jul 7 03:24:01 2024\n10.0G scanned at 100M/s, 5G issued at 50M/s, 20.0G "
        "total\n0B repaired, 25.00% done, 00:01:00 to go\nconfig:\n"
        "NAME STATE READ WRITE CKSUM\ntank DEGRADED 0 0 0\nmirror-0 DEGRADED 0 0 0\nreplacing-0 ONLINE 0 0 0\nsda "
        "ONLINE 0 0 0\nsdb ONLINE 0 0 0\nsdc ONLINE 0 0 0\n"
        "mirror-1 ONLINE 0 0 0\nsdd ONLINE 0 0 5\nlogs\nsde ONLINE 0 0 0\nerrors: No known data errors\n";
    ParseTest *pt = pt_run(&parser_zpool_status, NULL, NULL, str_of(text));
    assert_int_equal(pt->result, PARSE_OK);
    static const char *const want[][2] = {{"sda", "tank/mirror-0/replacing-0"},
                                          {"sdb", "tank/mirror-0/replacing-0"},
                                          {"sdc", "tank/mirror-0"},
                                          {"mirror-1", "tank"},
                                          {"sdd", "tank/mirror-1"},
                                          {"sde", "tank"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const char *got =
            pt_text(pt, arena_fmt(pt->arena, "SELECT r.name FROM vdev v JOIN ref r ON r.id=v.parent WHERE v.name='%s'",
                                  want[i][0]));
        if (strcmp(got, want[i][1]) != 0) fail_msg("%s hangs under %s, not %s", want[i][0], got, want[i][1]);
    }
    assert_near(pt_real(pt, "SELECT done_pct FROM pool_scan"), 25);
    Str rest = str_of(text);
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (!parser_zpool_status.continues(line) && !parser_zpool_status.starts(line))
            fail_msg("not claimed: %.*s", STR_ARG(line));
    }
    pt_free(pt);
}

static void other_shapes(void **state) {
    (void)state;
    /* the listing of an import: no counters, an id */
    ParseTest *pt = pt_run(&parser_zpool_status, NULL, NULL,
                           STR("   pool: test\n     id: 10121266328238932306\n  state: DEGRADED\n action: The pool can "
                               "be imported despite missing or damaged devices.\n config:\n\n"
                               "\ttest        DEGRADED\n\t  mirror-0  DEGRADED\n\t    sda     ONLINE\n\t    sdb     "
                               "FAULTED   cannot open\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT guid FROM pool"), "10121266328238932306");
    assert_string_equal(pt_text(pt, "SELECT text FROM vdev WHERE name='sdb'"), "cannot open");
    assert_string_equal(pt_text(pt, "SELECT read_errors FROM vdev WHERE name='sdb'"), "NULL");
    pt_free(pt);
    /* only the table, as people paste it */
    pt = pt_run(&parser_zpool_status, NULL, NULL,
                STR("        NAME        STATE     READ WRITE CKSUM\n        media       ONLINE       0     0     0\n  "
                    "        raidz1-0  ONLINE       0     0     0\n"
                    "            sdf     ONLINE       0     0     1\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT name FROM pool"), "media");
    assert_string_equal(pt_text(pt, "SELECT data_errors FROM pool"), "NULL");
    assert_string_equal(pt_text(pt, "SELECT r.name FROM vdev v JOIN ref r ON r.id=v.parent WHERE v.name='sdf'"),
                        "media/raidz1-0");
    pt_free(pt);
    /* guids instead of names (-g): the tree from the indentation alone */
    pt = pt_run(
        &parser_zpool_status, NULL, "zpool status -g",
        STR("  pool: t\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\tt  ONLINE  0 0 0\n\t  "
            "1111111111111  ONLINE  0 0 0\n"
            "\t    2222222222222  ONLINE  0 0 0\n\t  3333333333333  ONLINE  0 0 0\n\nerrors: No known data errors\n"));
    assert_string_equal(
        pt_text(pt, "SELECT r.name FROM vdev v JOIN ref r ON r.id=v.parent WHERE v.name='2222222222222'"),
        "t/1111111111111");
    assert_string_equal(pt_text(pt, "SELECT is_leaf FROM vdev WHERE name='3333333333333'"), "1");
    pt_free(pt);
    static const struct {
        const char *text;
        ParseResult want;
    } words[] = {{"no pools available\n", PARSE_NOTHING},
                 {"all pools are healthy\n", PARSE_NOTHING},
                 {"pool 'tank' is healthy\n", PARSE_OK},
                 {"", PARSE_NOTHING}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        pt = pt_run(&parser_zpool_status, NULL, "zpool status -x", str_of(words[i].text));
        assert_int_equal(pt->result, words[i].want);
        if (words[i].text[0]) assert_true(parser_zpool_status.bid(STR("x"), STR(""), str_of(words[i].text)) > 0);
        pt_free(pt);
    }
    /* two pools, a dedup table, errors without rights, colours */
    pt = pt_run(
        &parser_zpool_status, NULL, NULL,
        STR("  pool: a\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\ta  \033[32mONLINE\033[0m  0 0 "
            "0\n\t  sda  ONLINE  0 0 0\n\n dedup: DDT entries 123, size 456B on disk\n\n"
            "bucket              allocated\n______   ____________\nrefcnt   blocks   LSIZE\n------   ------   -----\n  "
            "   1      100   1.5M\n\nerrors: No known data errors\n\n"
            "  pool: b\n state: SUSPENDED\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\tb  ONLINE  0 0 0\n\nerrors: "
            "List of errors unavailable: permission denied\n\nerrors: 7 data errors, use '-v' for a list\n"));
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_string_equal(pt_text(pt, "SELECT state FROM vdev WHERE name='a'"), "ONLINE");
    assert_string_equal(pt_text(pt, "SELECT data_errors FROM pool WHERE name='b'"), "7");
    assert_string_equal(pt_text(pt, "SELECT data_errors FROM pool WHERE name='a'"), "0");
    assert_string_equal(pt_text(pt, "SELECT state FROM pool WHERE name='b'"), "SUSPENDED");
    pt_free(pt);
}

/* -D: sizes are one entry's before 2.3 and totals since. */
static void dedup(void **state) {
    (void)state;
    static const struct {
        const char *line, *want;
    } cases[] = {
        {"DDT entries 1000, size 560B on disk, 180B in core",
         "ddt_entries 1000, ddt_disk_bytes 560000, ddt_memory_bytes 180000"},
        {"DDT entries 60000000, size 16.0G on disk, 9.00G in core, 1.00G cached (11.11%)",
         "ddt_entries 60000000, ddt_disk_bytes 17179869184, ddt_memory_bytes 9663676416"},
        {"no DDT entries", "ddt_entries 0"},
        {"DDT entries x, size 560B on disk", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\ttank  ONLINE  0 0 0\n\t  sda  "
            "ONLINE  0 0 0\n\nerrors: No known data errors\n\n dedup: %s\n",
            cases[i].line);
        ParseTest *pt = pt_run(&parser_zpool_status, NULL, "zpool status -D", str_of(text));
        assert_string_equal(
            pt_text(pt, "SELECT coalesce(group_concat(key || ' ' || value, ', '), '') FROM setting WHERE key "
                        "GLOB 'ddt*'"),
            cases[i].want);
        pt_free(pt);
    }
}

static void json(void **state) {
    (void)state;
    static const char text[] =
        "{\"output_version\":{\"command\":\"zpool "
        "status\",\"vers_major\":0,\"vers_minor\":1},\"pools\":{\"tank\":{\"name\":\"tank\",\"state\":\"DEGRADED\","
        "\"pool_guid\":18446744073709551557,\"txg\":\"1\",\"status\":\"One or more "
        "devices\",\"action\":\"Replace\",\"moreinfo\":\"https://x/ZFS-8000-4J\",\"error_count\":\"3\","
        "\"scan_stats\":{\"function\":\"SCRUB\",\"state\":\"FINISHED\",\"start_time\":1720318918,\"end_time\":"
        "1720322641,\"processed\":\"4K\",\"errors\":\"2\"},"
        "\"vdevs\":{\"tank\":{\"name\":\"tank\",\"vdev_type\":\"root\",\"guid\":\"1\",\"state\":\"DEGRADED\",\"read_"
        "errors\":\"0\",\"vdevs\":{"
        "\"mirror-0\":{\"name\":\"mirror-0\",\"vdev_type\":\"mirror\",\"guid\":\"2\",\"class\":\"normal\",\"state\":"
        "\"DEGRADED\",\"vdevs\":{"
        "\"sda\":{\"name\":\"sda\",\"vdev_type\":\"disk\",\"guid\":\"12345678901234567891\",\"path\":\"/dev/disk/by-id/"
        "ata-EXAMPLE_A1-part1\",\"class\":\"normal\",\"state\":\"ONLINE\","
        "\"read_errors\":\"1.2K\",\"write_errors\":\"0\",\"checksum_errors\":\"7\",\"slow_ios\":\"5\",\"trim_state\":"
        "\"ACTIVE\",\"trimmed\":\"1G\",\"to_trim\":\"4G\",\"trim_time\":1720322641},"
        "\"9\":{\"name\":\"9999999999\",\"vdev_type\":\"disk\",\"guid\":\"9999999999\",\"class\":\"normal\",\"state\":"
        "\"CANT_OPEN\",\"was\":\"/dev/sdb1\",\"devid\":\"ata-EXAMPLE_B2-part1\",\"trim_notsup\":1}}}}}},"
        "\"logs\":{\"nvme0n1\":{\"name\":\"nvme0n1\",\"vdev_type\":\"disk\",\"guid\":\"3\",\"class\":\"log\",\"state\":"
        "\"FAULTED\",\"aux\":\"ERR_EXCEEDED\"}}}}}";
    assert_true(parser_zpool_status.bid(STR("x"), STR(""), str_of(text)) > 0);
    ParseTest *pt = pt_run(&parser_zpool_status, NULL, "zpool status -j", str_of(text));
    assert_int_equal(pt->result, PARSE_OK);
    static const char *const want[][2] = {
        {"SELECT guid FROM pool", "18446744073709551557"},
        {"SELECT data_errors FROM pool", "3"},
        {"SELECT see FROM pool", "https://x/ZFS-8000-4J"},
        {"SELECT guid FROM vdev WHERE name='sda'", "12345678901234567891"},
        {"SELECT read_errors FROM vdev WHERE name='sda'", "1228"},
        {"SELECT trim_pct FROM vdev WHERE name='sda'", "25.0"},
        {"SELECT path FROM vdev WHERE name='sda'", "/dev/disk/by-id/ata-EXAMPLE_A1-part1"},
        {"SELECT was FROM vdev WHERE name='9999999999'", "/dev/sdb1"},
        {"SELECT trim_state FROM vdev WHERE name='9999999999'", "unsupported"},
        {"SELECT text FROM vdev WHERE name='9999999999'", "was /dev/sdb1"}, /* the words of the text output */
        {"SELECT state FROM vdev WHERE name='9999999999'", "UNAVAIL"},
        {"SELECT a.name || ' ' || b.name FROM same_as s JOIN ref a ON a.id=s.a JOIN ref b ON b.id=s.b",
         "9999999999 ata-EXAMPLE_B2-part1"},
        {"SELECT text FROM vdev WHERE name='nvme0n1'", "too many errors"},
        {"SELECT t.path FROM pool p JOIN line_text t ON t.line=p.status_line", "/pools/tank/status"},
        {"SELECT t.path FROM pool p JOIN line_text t ON t.line=p.errors_line", "/pools/tank/error_count"},
        {"SELECT class FROM vdev WHERE name='nvme0n1'", "log"},
        {"SELECT errors FROM pool_scan", "2"},
        {"SELECT repaired_bytes FROM pool_scan", "4096.0"},
        {"SELECT r.name FROM vdev v JOIN ref r ON r.id=v.parent WHERE v.name='sda'", "tank/mirror-0"},
        {"SELECT t.path FROM vdev v JOIN line_text t ON t.line=v.line WHERE v.name='sda'",
         "/pools/tank/vdevs/tank/vdevs/mirror-0/vdevs/sda"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const char *got = pt_text(pt, want[i][0]);
        if (strcmp(got, want[i][1]) != 0) fail_msg("%s: %s, not %s", want[i][0], got, want[i][1]);
    }
    pt_free(pt);
    pt = pt_run(&parser_zpool_status, NULL, NULL, (Str){text, sizeof text / 2});
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_status, NULL, NULL,
                           STR("  pool: t\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\tt  ONLINE  0 "
                               "0 0\n\t  sda  ONLINE  0\n\t  what is this\n\xff\xfe\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    assert_int_equal(pt->ctx.first_bad_line, 7);
    pt_free(pt);
    for (size_t n = 0; n < sizeof faulted; n += 7) {
        pt = pt_run(&parser_zpool_status, NULL, NULL, (Str){faulted, n});
        assert_true(pt->ctx.bad_rows <= 1);
        pt_free(pt);
    }
    /* ever deeper */
    StrBuf b;
    Arena *a = arena_new(1 << 24);
    sb_init(&b, a);
    sb_addz(&b, "  pool: t\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\tt  ONLINE  0 0 0\n");
    for (int i = 1; i < 300; i++) sb_addf(&b, "\t%*smirror-%d  ONLINE  0 0 0\n", i, "", i);
    pt = pt_run(&parser_zpool_status, NULL, NULL, sb_str(&b));
    assert_near(pt_real(pt, "SELECT count(*) FROM vdev"), 300);
    pt_free(pt);
    arena_free(a);
}

static void framing(void **state) {
    (void)state;
    Str text = str_of(faulted);
    assert_true(parser_zpool_status.starts(STR("  pool: storage")));
    while (text.len) {
        Str line = str_cut(&text, '\n');
        if (!parser_zpool_status.continues(line)) fail_msg("not claimed: %.*s", STR_ARG(line));
    }
    static const char *const others[] = {
        "pool        alloc   free   read  write   read  write",
        "NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT",
        "Linux 6.1.0 (nas) \t07/01/24 \t_x86_64_\t(4 CPU)",
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle",
        "NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINT",
        "smartctl 7.3 2022-02-28 r5338",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1",
        "sda               8.59       222.14        57.08    1597749     410544"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Str line = str_of(others[i]);
        if (parser_zpool_status.continues(line) || parser_zpool_status.starts(line) ||
            parser_zpool_status.bid(STR("zpool status"), STR(""), line))
            fail_msg("claimed: %s", others[i]);
    }
}

static void corpus_file(const char *file, Str text) {
    ParseTest *pt = pt_run(&parser_zpool_status, file, NULL, text);
    if (parser_zpool_status.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    if (!(pt_real(pt, "SELECT count(*) FROM pool") >= 1) || !(pt_real(pt, "SELECT count(*) FROM vdev") >= 2))
        fail_msg("%s: no pool or no vdevs", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("zpool-status", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(table),
                                       cmocka_unit_test(scan_lines),
                                       cmocka_unit_test(two_scans_and_a_removal),
                                       cmocka_unit_test(lost_indentation),
                                       cmocka_unit_test(other_shapes),
                                       cmocka_unit_test(dedup),
                                       cmocka_unit_test(json),
                                       cmocka_unit_test(damage),
                                       cmocka_unit_test(framing),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
