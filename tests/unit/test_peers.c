/* Peers: the figures of the one definition of a slow drive, on made-up drives. */
#include "base/embedded.h"
#include "facts/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *db;
static Samples *samples;

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", text, message);
}

static void open_store(size_t budget) {
    Error err;
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    assert_non_null(schema);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql((const char *)schema->data);
    samples = samples_new(NULL, budget);
    assert_true(samples_register(samples, db, &err));
}

static void close_store(void) {
    samples_free(samples);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void map(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    (void)arg;
    (void)src;
    *node = device;
    *capture = 1;
    *shift_s = 0;
}

static void compute(void) {
    Error err;
    if (!samples_resolve(samples, map, NULL, &err)) fail_msg("%s", err.text);
    if (!peers_compute_in(db, samples, &err)) fail_msg("%s", err.text);
}

static const char *ask(const char *query) {
    static char answer[2048];
    sqlite3_stmt *st;
    answer[0] = 0;
    if (sqlite3_prepare_v2(db, query, -1, &st, NULL) != SQLITE_OK) fail_msg("%s: %s", query, sqlite3_errmsg(db));
    if (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *text = (const char *)sqlite3_column_text(st, i);
            size_t used = strlen(answer);
            snprintf(answer + used, sizeof answer - used, "%s%s", i ? " " : "", text ? text : "NULL");
        }
    sqlite3_finalize(st);
    return answer;
}

/* Drives first..last in one vdev (node) of a pool (node 900), which may be theirs alone. */
static void vdev(int node, const char *type, int first, int last, const char *media) {
    char text[600];
    snprintf(text, sizeof text,
             "INSERT OR IGNORE INTO node VALUES (900, 'pool', 'pool:tank', 'tank');"
             "INSERT INTO node VALUES (%d, 'vdev', 'vdev:%d', '%s-%d');"
             "INSERT INTO vdev(node, capture, pool, parent, type, is_leaf) VALUES (%d, 1, 900, NULL, '%s', 0)",
             node, node, type, node, node, type);
    sql(text);
    for (int d = first; d <= last; d++) {
        snprintf(text, sizeof text,
                 "INSERT OR IGNORE INTO node VALUES (%d, 'drive', 'drive:%d', 'sd%d');"
                 "INSERT INTO drive(node, capture, media, class) VALUES (%d, 1, '%s', '%s');"
                 "INSERT INTO vdev(node, capture, pool, parent, type, is_leaf) VALUES (%d, 1, 900, %d, 'disk', 1);"
                 "INSERT INTO reach VALUES (1, %d, %d, 0), (1, %d, %d, 1), (1, %d, 900, 2)",
                 d, d, d, d, media, strcmp(media, "hdd") == 0 ? "hdd-7200" : "ssd-sata", d, node, d, d, d, node, d);
        sql(text);
    }
}

static const Metric columns[] = {M_r_s, M_r_await_ms, M_w_s, M_w_await_ms};

static Series *series(int64_t src, int drive) {
    return samples_series(samples, src, drive, "iostat", columns, 4, 1);
}

static void add(Series *s, double t, float reads, float r_ms, float writes, float w_ms) {
    float v[4] = {reads, r_ms, writes, w_ms};
    samples_add(s, t, 1, v, 2, STR_NONE);
}

static uint32_t seed = 3;
static float uniform(void) {
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / (1 << 24);
}

/* One of six in a raidz2 takes ten times as long for each write. */
static void test_one_slow(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz2", 1, 6, "ssd");
    for (int d = 1; d <= 6; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 100; t++) {
            bool idle = t % 4 == 3;
            add(s, 1000 + t, 20, 1, idle ? 1 : 50, d == 3 ? 20 : 2 + 0.02f * (float)d);
        }
    }
    compute();
    assert_string_equal(
        ask("SELECT members, round(ratio, 2), share, round(excess_ms, 2), n_busy, load_ratio, deviation > 5,"
            " value_ms, round(peers_ms, 2), tool, group_label, peer_group FROM peer"
            " WHERE drive = 3 AND metric = 'w_await_ms' AND peer_group = 101"),
        "6 9.62 1.0 17.92 75 1.0 1 20.0 2.08 iostat raidz2-101 101");
    assert_string_equal(ask("SELECT count(*), max(ratio) < 1.1, max(share), max(deviation) < 5 FROM peer"
                            " WHERE drive <> 3 AND metric = 'w_await_ms' AND peer_group = 101"),
                        "5 1 0.0 1");
    assert_string_equal(ask("SELECT n_busy, ratio, excess_ms FROM peer WHERE drive = 3 AND metric = 'r_await_ms'"
                            " AND peer_group = 101"),
                        "100 1.0 0.0");
    /* the pool and the class say the same of the same six */
    assert_string_equal(
        ask("SELECT group_concat(ifnull(peer_group, '-') || ' ' || group_label || ' ' || n_busy, '; ') FROM"
            " (SELECT * FROM peer WHERE drive = 3 AND metric = 'w_await_ms' ORDER BY peer_group DESC)"),
        "900 tank (ssd) 75; 101 raidz2-101 75; - ssd-sata 75");
    close_store();
}

/* Mirrors choose who gets a read. */
static void test_mirror_reads_do_not_count(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "mirror", 1, 2, "hdd");
    vdev(102, "mirror", 3, 4, "hdd");
    for (int d = 1; d <= 4; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 10; t++) add(s, t, 50, d == 1 ? 90 : 9, 30, d == 2 ? 60 : 12);
    }
    compute();
    assert_string_equal(ask("SELECT count(*) FROM peer WHERE metric = 'r_await_ms'"), "0");
    assert_string_equal(
        ask("SELECT ratio, share, excess_ms, deviation, members FROM peer WHERE drive = 2 AND peer_group = 101"),
        "5.0 1.0 48.0 NULL 2");
    /* of all four: 12, 12, 12, 60: no spread, so its floor of 5 % of 12 ms holds */
    assert_string_equal(
        ask("SELECT ratio, round(deviation, 3), members FROM peer WHERE drive = 2 AND peer_group = 900"), "5.0 80.0 4");
    close_store();
}

/* A drive that does more than its peers is compared with what they take at such a load, and said to be busier. */
static void test_load(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "hdd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(1, d);
        /* all take 2 ms at 10 writes a second and 20 ms at 160; drive 1 is at 160 when the others are at 10 */
        for (int t = 0; t < 40; t++) {
            bool high = (t % 4 == 0) == (d == 1);
            add(s, t, 0, NAN, high ? 160 : 10, high ? 20 : 2);
        }
    }
    compute();
    assert_string_equal(
        ask("SELECT ratio, share, excess_ms, n_busy, load_ratio FROM peer WHERE drive = 1 AND peer_group = 101"),
        "1.0 0.0 0.0 40 0.0625");
    assert_string_equal(ask("SELECT ratio, share, n_busy FROM peer WHERE drive = 2 AND peer_group = 101"),
                        "1.0 0.0 40");
    close_store();

    open_store(1000000); /* where no peer ever has such a load there is nothing to compare */
    vdev(101, "raidz1", 1, 3, "hdd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 40; t++) add(s, t, 0, NAN, d == 1 ? 160 : 10, d == 1 ? 20 : 2);
    }
    compute();
    assert_string_equal(ask("SELECT count(*) FROM peer WHERE drive = 1"), "0");
    assert_string_equal(ask("SELECT count(*) FROM peer WHERE drive = 2 AND peer_group = 101"), "1");
    close_store();
}

static void test_needs_two_busy(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "ssd");
    Series *a = series(1, 1), *b = series(1, 2);
    for (int t = 0; t < 20; t++) {
        add(a, t, 0, NAN, t < 10 ? 50 : 4, 30);
        add(b, t, 0, NAN, t < 3 || t >= 10 ? 50 : 4, 3);
    }
    compute(); /* both busy at 0, 1, 2 only; drive 3 has no samples */
    assert_string_equal(ask("SELECT n_busy, ratio, members FROM peer WHERE drive = 1 AND peer_group = 101"),
                        "3 10.0 2");
    assert_string_equal(ask("SELECT count(*) FROM peer WHERE drive = 3"), "0");
    close_store();
}

static void test_groups(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz1", 1, 2, "hdd");
    sql("INSERT INTO node VALUES (950, 'array', 'array:md0', 'md0'), (3, 'drive', 'd3', 'sdc'), (4, 'drive', 'd4', "
        "'sdd'),"
        " (5, 'drive', 'd5', 'sde'), (6, 'drive', 'd6', 'sdf');"
        "INSERT INTO drive(node, capture, media, class, is_virtual) VALUES (3, 1, 'hdd', 'hdd-7200', 0),"
        " (4, 1, 'hdd', 'hdd-7200', NULL), (5, 1, 'hdd', 'hdd-7200', 1), (6, 1, 'ssd', 'ssd-sata', 0);"
        "INSERT INTO raid_array(node, capture, level) VALUES (950, 1, 'raid1');"
        "INSERT INTO reach VALUES (1, 3, 950, 1), (1, 4, 950, 1);"
        "INSERT INTO vdev(node, capture, pool, class, type, is_leaf) VALUES (6, 1, 900, 'log', 'disk', 1);"
        "INSERT INTO reach VALUES (1, 6, 6, 0)");
    for (int d = 1; d <= 6; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 20; t++) add(s, t, 20, 5, 20, d == 4 ? 50 : 10);
    }
    compute();
    assert_string_equal(
        ask("SELECT group_concat(g, '; ') FROM (SELECT group_label || ':' || metric || ':' || members || ':' ||"
            " group_concat(drive, '') AS g FROM (SELECT * FROM peer ORDER BY drive)"
            " GROUP BY group_label, metric)"),
        "hdd-7200:r_await_ms:2:12; hdd-7200:w_await_ms:4:1234; md0:w_await_ms:2:34;"
        " raidz1-101:r_await_ms:2:12; raidz1-101:w_await_ms:2:12; tank (hdd):r_await_ms:2:12;"
        " tank (hdd):w_await_ms:2:12");
    assert_string_equal(ask("SELECT peer_group, ratio FROM peer WHERE drive = 4 AND group_label = 'md0'"), "950 5.0");
    close_store();
}

/* Pieces of the upload: one that holds all is preferred; a file per drive is joined by time; without times nothing is. */
static void test_pieces(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(1, d), *alone = series(10 + d, d);
        for (int t = 0; t < 30; t++) add(s, 1000 + t, 0, NAN, 50, d == 1 ? 30 : 3);
        for (int t = 0; t < 90; t++) add(alone, 1000 + t, 0, NAN, 50, 3);
    }
    compute();
    assert_string_equal(ask("SELECT n_busy, ratio FROM peer WHERE drive = 1 AND peer_group = 101"), "30 10.0");
    close_store();

    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(10 + d, d);
        for (int t = 0; t < 90; t++) {
            float v[4] = {0, NAN, 50, d == 1 ? 30 : 3};
            samples_add(s, 1000 + 10 * t + d, 10, v, 2, STR_NONE); /* each a little later than the other */
        }
    }
    compute();
    assert_string_equal(ask("SELECT n_busy, ratio FROM peer WHERE drive = 1 AND peer_group = 101"), "90 10.0");
    close_store();

    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(10 + d, d);
        for (int t = 0; t < 90; t++) add(s, NAN, 0, NAN, 50, d == 1 ? 30 : 3);
    }
    compute();
    assert_string_equal(ask("SELECT count(*) FROM peer"), "0");
    close_store();

    open_store(1000000); /* in one piece the rows without time belong together */
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 90; t++) add(s, NAN, 0, NAN, 50, d == 1 ? 30 : 3);
    }
    compute();
    assert_string_equal(ask("SELECT n_busy, ratio FROM peer WHERE drive = 1 AND peer_group = 101"), "90 10.0");
    close_store();

    open_store(1000000); /* the clock was set back while iostat ran */
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 1; d <= 3; d++) {
        Series *s = series(1, d);
        for (int t = 0; t < 90; t++) add(s, t < 40 ? 5000 + t : 1000 + t, 0, NAN, 50, d == 1 ? 30 : 3);
    }
    compute();
    assert_string_equal(ask("SELECT n_busy, ratio FROM peer WHERE drive = 1 AND peer_group = 101"), "90 10.0");
    close_store();
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *v, int n) {
    qsort(v, (size_t)n, sizeof *v, compare_doubles);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Random groups against the definition, written down as plainly as it can be. */
static void test_against_definition(void **state) {
    (void)state;
    enum { T = 60, MOST = 25 };
    static float w[MOST][T], rate[MOST][T];
    for (int drives = 2; drives <= MOST; drives += drives < 8 ? 1 : 8) {
        open_store(1000000);
        vdev(101, "raidz2", 1, drives, "hdd");
        for (int d = 0; d < drives; d++) {
            Series *s = series(1, d + 1);
            for (int t = 0; t < T; t++) {
                w[d][t] = uniform() < 0.1f ? NAN : 1 + 30 * uniform();
                rate[d][t] = 3 + 20 * uniform(); /* within four powers of two; 2 to 5 are not busy */
                add(s, t, 0, NAN, rate[d][t], w[d][t]);
            }
        }
        compute();
        for (int d = 0; d < drives; d++) {
            double ratio[T], excess[T], load[T], deviation[T];
            int n = 0, slow = 0, nd = 0;
            bool alone = false;
            for (int t = 0; t < T; t++) {
                if (isnan(w[d][t]) || rate[d][t] < 5) continue;
                double peers[MOST], loads[MOST], all[MOST];
                int np = 0, nl = 0, na = 0;
                for (int k = 0; k < drives; k++) {
                    if (isnan(w[k][t]) || rate[k][t] < 5) continue;
                    bool like = abs(ilogbf(rate[k][t]) - ilogbf(rate[d][t])) <= 1;
                    if (like) all[na++] = (double)w[k][t];
                    if (k == d) continue;
                    loads[nl++] = (double)rate[k][t];
                    if (like) peers[np++] = (double)w[k][t];
                }
                if (!nl) continue;
                if (!np) {
                    alone = true; /* stands against the medians by load: another test */
                    continue;
                }
                double own = (double)w[d][t], m = median(peers, np);
                load[n] = (double)rate[d][t] / median(loads, nl);
                excess[n] = own - m;
                ratio[n++] = own / m;
                slow += own / m >= 3;
                if (na < 4) continue;
                double middle = median(all, na), off[MOST];
                for (int k = 0; k < na; k++) off[k] = fabs(all[k] - middle);
                double spread = 1.4826 * median(off, na);
                deviation[nd++] = (own - middle) / fmax(fmax(spread, 0.05 * middle), 0.5);
            }
            if (alone) continue;
            char query[300], expected[300], is[300];
            snprintf(
                query, sizeof query,
                "SELECT printf('%%d %%.3f %%.4f %%.3f %%.3f %%.2f', n_busy, ratio, share, excess_ms, load_ratio,"
                " ifnull(deviation, -99)) FROM peer WHERE drive = %d AND peer_group = 101 AND metric = 'w_await_ms'",
                d + 1);
            snprintf(expected, sizeof expected, "%d %.3f %.4f %.3f %.3f %.2f", n, median(ratio, n), slow / (double)n,
                     median(excess, n), median(load, n), nd ? median(deviation, nd) : -99);
            snprintf(is, sizeof is, "%s", ask(query));
            double a[6], b[6];
            assert_int_equal(sscanf(is, "%lf %lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3, a + 4, a + 5), 6);
            assert_int_equal(sscanf(expected, "%lf %lf %lf %lf %lf %lf", b, b + 1, b + 2, b + 3, b + 4, b + 5), 6);
            for (int k = 0; k < 6; k++)
                if (fabs(a[k] - b[k]) > 0.0021 + 1e-3 * fabs(b[k]))
                    fail_msg("%d drives, drive %d: %s, not %s", drives, d + 1, is, expected);
        }
        close_store();
    }
}

/* After folding the buckets of all drives are on one grid, and one slow drive still shows. */
static void test_folded(void **state) {
    (void)state;
    open_store(60000);
    vdev(101, "raidz2", 1, 6, "ssd");
    Series *s[7];
    for (int d = 1; d <= 6; d++) s[d] = series(1, d);
    for (int t = 0; t < 20000; t++)
        for (int d = 1; d <= 6; d++)
            add(s[d], 1700000000 + t, 0, NAN, 40 + 20 * uniform(), (d == 3 ? 20 : 2) * (0.5f + uniform()));
    assert_true(samples_usage(samples).bucket_ms > 1000);
    compute();
    assert_string_equal(
        ask("SELECT ratio BETWEEN 9.5 AND 10.5, share, n_busy > 100, load_ratio BETWEEN 0.95 AND 1.05 FROM peer"
            " WHERE drive = 3 AND peer_group = 101"),
        "1 1.0 1 1");
    close_store();
}

/* ---------------------------------------------------------------- who is slow: the view `outlier` */

static void put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *fmt, ...) {
    char text[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    sql(text);
}

/* `n` moments of 50 writes a second that take w_ms, of 0 reads. */
static void writes(int drive, int n, float w_ms) {
    Series *s = series(1, drive);
    for (int t = 0; t < n; t++) add(s, 1000 + t, 0, NAN, 50, w_ms);
}

/* Drives that are slow, and how sure: "3 0.9 vdev; ..." */
static const char *slow(void) {
    return ask("SELECT ifnull(group_concat(drive || ' ' || round(confidence, 3) || ' ' || group_kind, '; '), '-') FROM"
               " (SELECT * FROM outlier WHERE rank = 1 AND slow ORDER BY drive)");
}

/* Drives that were compared with others at all. */
static const char *judged(void) {
    return ask("SELECT ifnull(group_concat(drive, ' '), '-') FROM (SELECT DISTINCT drive FROM outlier ORDER BY drive)");
}

static void lone_drive(int d, const char *media, const char *class_) {
    put("INSERT INTO node VALUES (%d, 'drive', 'drive:%d', 'sd%d');"
        "INSERT INTO drive(node, capture, media, class) VALUES (%d, 1, '%s', '%s'); INSERT INTO reach VALUES (1, %d, "
        "%d, 0)",
        d, d, d, d, media, class_, d, d);
}

/* One slow of 2 to 12, in mirrors and RAIDZ, of every kind of medium. */
static void test_slow_of_many(void **state) {
    (void)state;
    static const char *const media[] = {"hdd", "ssd", "nvme"};
    for (int n = 2; n <= 12; n++)
        for (int k = 0; k < 3; k++) {
            int who = 1 + (n * 7 + k) % n;
            char want[40];
            open_store(1000000);
            vdev(101, k == 0 ? "raidz2" : "mirror", 1, n, media[k]);
            for (int d = 1; d <= n; d++) writes(d, 30, d == who ? 60 : 5 + 0.1f * (float)d);
            compute();
            snprintf(want, sizeof want, "%d 0.9 vdev", who);
            assert_string_equal(slow(), want);
            assert_string_equal(ask("SELECT count(DISTINCT drive) FROM outlier"), ask("SELECT count(*) FROM drive"));
            close_store();
        }
}

/* How sure: group, ratio, slow itself, few moments, the pool alone. */
static void test_confidence(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int moments;
        float slow_ms, other_ms, util;
        const char *tool, *want;
    } cases[] = {
        {"ratio of 5 and more", 20, 60, 6, NAN, "iostat", "1 0.9 vdev"},
        {"ratio of 4", 20, 24, 6, NAN, "iostat", "1 0.765 vdev"},
        {"busy with little", 20, 60, 6, 97, "iostat", "1 0.93 vdev"},
        {"busy, and slower by a factor of 4", 20, 24, 6, 97, "diskstats", "1 0.795 vdev"},
        {"not busy", 20, 60, 6, 60, "iostat", "1 0.9 vdev"},
        {"19 moments", 19, 60, 6, 97, "iostat", "1 0.651 vdev"},
        {"2 moments", 2, 60, 6, NAN, "iostat", "1 0.63 vdev"},
        {"one moment", 1, 60, 6, NAN, "iostat", "-"},
        {"2.9 times", 20, 58, 20, NAN, "iostat", "-"},
        {"4.9 ms more", 20, 6, 1.1f, NAN, "iostat", "-"},
        {"5 ms more", 20, 6, 0.99f, NAN, "iostat", "1 0.9 vdev"},
        {"the pool's figures", 20, 60, 6, NAN, "zpool-iostat", "1 0.72 vdev"},
        {"the pool's figures, few", 7, 60, 6, NAN, "zpool-iostat", "1 0.504 vdev"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool by_pool = strcmp(cases[i].tool, "zpool-iostat") == 0;
        const Metric with[] = {M_r_s, M_w_s, by_pool ? M_disk_wait_write_ms : M_w_await_ms, M_w_bytes_s, M_util_pct};
        open_store(1000000);
        vdev(101, "mirror", 1, 2, "ssd");
        sql("UPDATE drive SET class_mb_s = 550, class_iops = 10000");
        for (int d = 1; d <= 2; d++) {
            Series *s = samples_series(samples, 1, d, cases[i].tool, with, 5, 1);
            for (int t = 0; t < cases[i].moments; t++) {
                float v[] = {0, 40, d == 1 ? cases[i].slow_ms : cases[i].other_ms, 4e6f, cases[i].util};
                samples_add(s, 1000 + t, 1, v, 2, STR_NONE);
            }
        }
        compute();
        if (strcmp(slow(), cases[i].want) != 0) fail_msg("%s: %s, not %s", cases[i].name, slow(), cases[i].want);
        close_store();
    }
}

/* Floors of the excess, and a part of the moments only. */
static void test_near_misses(void **state) {
    (void)state;
    static const struct {
        const char *media;
        float excess;
        const char *want;
    } floors[] = {{"nvme", 1.9f, "-"},         {"nvme", 2.1f, "1 0.9 vdev"}, {"ssd", 4.9f, "-"},
                  {"ssd", 5.1f, "1 0.9 vdev"}, {"hdd", 9.9f, "-"},           {"hdd", 10.1f, "1 0.9 vdev"}};
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
        open_store(1000000);
        vdev(101, "raidz1", 1, 3, floors[i].media);
        for (int d = 1; d <= 3; d++) writes(d, 40, d == 1 ? 0.3f + floors[i].excess : 0.3f);
        compute();
        assert_string_equal(slow(), floors[i].want);
        close_store();
    }
    for (int of_ten = 4; of_ten <= 6; of_ten++) {
        open_store(1000000);
        vdev(101, "raidz1", 1, 3, "hdd");
        for (int d = 1; d <= 3; d++) {
            Series *s = series(1, d);
            for (int t = 0; t < 100; t++) add(s, t, 0, NAN, 50, d == 1 && t % 10 < of_ten ? 90 : 10);
        }
        compute();
        assert_string_equal(slow(), of_ten < 5 ? "-" : of_ten == 5 ? "1 0.9 vdev" : "1 0.9 vdev");
        close_store();
    }
    open_store(1000000); /* two of four: the spread is as large as the difference */
    vdev(101, "raidz2", 1, 4, "hdd");
    for (int d = 1; d <= 4; d++) writes(d, 40, d <= 2 ? 100 : 10);
    compute();
    assert_string_equal(slow(), "-");
    close_store();
    open_store(1000000); /* disks of a virtual machine */
    vdev(101, "mirror", 1, 2, "hdd");
    sql("UPDATE drive SET is_virtual = 1");
    writes(1, 40, 100);
    writes(2, 40, 10);
    compute();
    assert_string_equal(judged(), "-");
    close_store();
}

static void test_other_vdevs_of_the_pool(void **state) {
    (void)state;
    open_store(1000000); /* both members of one mirror: its mate is no better, those of the other mirrors are */
    for (int v = 0; v < 5; v++) vdev(101 + v, "mirror", 1 + 2 * v, 2 + 2 * v, "ssd");
    for (int d = 1; d <= 10; d++) writes(d, 40, d <= 2 ? 60 : 2);
    compute();
    assert_string_equal(slow(), "1 0.8 pool; 2 0.8 pool");
    close_store();
    open_store(1000000); /* drives without any mate */
    sql("INSERT INTO node VALUES (900, 'pool', 'pool:tank', 'tank')");
    for (int d = 1; d <= 3; d++) {
        lone_drive(d, "ssd", "ssd-sata");
        put("INSERT INTO vdev(node, capture, pool, parent, type, is_leaf) VALUES (%d, 1, 900, 900, 'disk', 1);"
            "INSERT INTO reach VALUES (1, %d, 900, 1)",
            d, d);
        writes(d, 40, d == 3 ? 60 : 2);
    }
    compute();
    assert_string_equal(slow(), "3 0.8 pool");
    close_store();
}

/* A hard disk beside an SSD, and sizes and models mixed: no two of them need be alike. */
static void test_mixed_media(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "mirror", 1, 1, "hdd");
    vdev(102, "mirror", 2, 2, "ssd");
    sql("DELETE FROM reach WHERE above = 102; INSERT INTO reach VALUES (1, 2, 101, 1)");
    writes(1, 40, 60);
    writes(2, 40, 1);
    compute();
    assert_string_equal(judged(), "-");
    close_store();
    open_store(1000000); /* a raidz of both kinds: each among its own */
    vdev(101, "raidz2", 1, 4, "hdd");
    vdev(102, "raidz2", 5, 8, "ssd");
    sql("DELETE FROM reach WHERE above = 102; INSERT INTO reach SELECT 1, node, 101, 1 FROM drive WHERE node > 4");
    for (int d = 1; d <= 8; d++) writes(d, 40, d == 6 ? 20 : d <= 4 ? 40 : 2);
    compute();
    assert_string_equal(slow(), "6 0.9 vdev");
    assert_string_equal(ask("SELECT group_label FROM outlier WHERE drive = 6 AND rank = 1"), "raidz2-101 (ssd)");
    close_store();
}

/* Busier is not slower: more writes, or the reads of a mirror. */
static void test_busier(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        open_store(1000000);
        vdev(101, "mirror", 1, 2, "hdd");
        for (int d = 1; d <= 2; d++) {
            Series *s = series(1, d);
            float factor = d == 2 ? 1 : kind == 0 ? 1.4f : 1.9f;
            for (int t = 0; t < 40; t++)
                if (kind < 2) add(s, t, 0, NAN, 50 * factor, d == 1 ? 90 : 10);
                else add(s, t, d == 1 ? 60 : 2, 12, 50, d == 1 ? 90 : 10); /* all reads go to the first */
        }
        compute();
        assert_string_equal(slow(), kind == 0 ? "1 0.9 vdev" : "-");
        assert_string_equal(ask("SELECT ratio >= 3 AND excess_ms >= 10 FROM outlier WHERE drive = 1 AND rank = 1"),
                            "1");
        close_store();
    }
}

/* Logs, caches and special devices do another job; a spare does none; who is written anew does more. */
static void test_other_jobs(void **state) {
    (void)state;
    open_store(1000000);
    vdev(101, "raidz1", 1, 3, "ssd");
    for (int d = 11; d <= 14; d++) { /* a log, a cache, a lone special device, a spare */
        static const char *const jobs[] = {"log", "cache", "special", "spare"};
        lone_drive(d, "ssd", "ssd-sata");
        put("INSERT INTO vdev(node, capture, pool, parent, type, class, is_leaf) VALUES (%d, 1, 900, 900, 'disk', "
            "'%s', 1);"
            "INSERT INTO reach VALUES (1, %d, 900, 1)",
            d, jobs[d - 11], d);
    }
    for (int d = 1; d <= 3; d++) writes(d, 40, 2);
    for (int d = 11; d <= 14; d++) writes(d, 40, 80);
    compute();
    assert_string_equal(judged(), "1 2 3");
    assert_string_equal(slow(), "-");
    close_store();

    open_store(1000000); /* a mirror of special devices is judged, by itself */
    vdev(101, "raidz1", 1, 3, "hdd");
    vdev(102, "mirror", 4, 5, "ssd");
    sql("UPDATE vdev SET class = 'special' WHERE node IN (4, 5, 102)");
    for (int d = 1; d <= 5; d++) writes(d, 40, d == 5 ? 30 : d == 4 ? 0.4f : 20);
    compute();
    assert_string_equal(slow(), "5 0.9 vdev");
    assert_string_equal(
        ask("SELECT group_concat(DISTINCT group_label) FROM outlier WHERE drive = 5 AND group_kind = 'pool'"),
        "tank special (ssd)");
    close_store();

    static const char *const anew[] = {
        "UPDATE vdev SET text = '(resilvering)' WHERE node = 3",
        "UPDATE vdev SET text = '(awaiting resilver)' WHERE node = 3",
        "INSERT INTO vdev(node, capture, pool, parent, type, is_leaf) VALUES (150, 1, 900, 101, 'replacing', 0);"
        "UPDATE vdev SET parent = 150 WHERE node = 3",
        "INSERT INTO vdev(node, capture, pool, parent, type, is_leaf) VALUES (150, 1, 900, 101, 'spare', 0);"
        "UPDATE vdev SET parent = 150 WHERE node = 3",
    };
    for (size_t i = 0; i < sizeof anew / sizeof *anew; i++) {
        open_store(1000000);
        vdev(101, "raidz1", 1, 3, "hdd");
        sql(anew[i]);
        for (int d = 1; d <= 3; d++) writes(d, 40, d == 3 ? 200 : d == 2 ? 60 : 10);
        compute();
        assert_string_equal(judged(), "1 2"); /* and it is no peer that would hide the slow second */
        assert_string_equal(slow(), "2 0.9 vdev");
        close_store();
    }
}

static void test_arrays_and_btrfs(void **state) {
    (void)state;
    static const struct {
        const char *level, *want;
    } levels[] = {{"raid1", "2 0.9 array"},  {"raid5", "2 0.9 array"}, {"raid6", "2 0.9 array"},
                  {"raid10", "2 0.8 array"}, {"raid0", "2 0.8 array"}, {"linear", "2 0.8 array"}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        open_store(1000000);
        put("INSERT INTO node VALUES (950, 'array', 'array:md0', 'md0');"
            "INSERT INTO raid_array(node, capture, level) VALUES (950, 1, '%s')",
            levels[i].level);
        for (int d = 1; d <= 6; d++) {
            lone_drive(d, "hdd", "hdd-7200");
            put("INSERT INTO reach VALUES (1, %d, 950, 1);"
                "INSERT INTO setting(node, capture, boot, key, value) VALUES (%d, 1, 0, 'md_member_state', '%s')",
                d, d,
                d == 5   ? "spare"
                : d == 6 ? "spare rebuilding"
                         : "in use");
            writes(d, 40, d == 2 ? 90 : d >= 5 ? 400 : 10);
        }
        compute();
        assert_string_equal(slow(), levels[i].want);
        assert_string_equal(ask("SELECT count(*) FROM outlier WHERE drive = 6"), "0");
        assert_string_equal(ask("SELECT count(*) FROM outlier WHERE drive = 5 AND group_kind = 'array'"), "0");
        close_store();
    }
    open_store(1000000);
    for (int d = 1; d <= 4; d++) {
        lone_drive(d, "hdd", "hdd-7200");
        put("INSERT INTO setting(node, capture, boot, key, value) VALUES (%d, 1, 0, 'fs_type', 'btrfs'),"
            " (%d, 1, 0, 'fs_uuid', '5f1c-11')",
            d, d);
        Series *s = series(1, d);
        for (int t = 0; t < 40; t++) add(s, t, 20, d == 3 ? 90 : 9, 20, d == 2 ? 60 : 9);
    }
    compute(); /* whose copy is read is chosen, so the slow reads of the third count only among its class: and it has likelier peers */
    assert_string_equal(slow(), "2 0.8 filesystem");
    close_store();
}

/* Drives of one class count where nothing likelier is there; the kernel is believed before the pool. */
static void test_which_comparison_speaks(void **state) {
    (void)state;
    open_store(1000000);
    for (int d = 1; d <= 3; d++) {
        lone_drive(d, "nvme", "nvme");
        writes(d, 40, d == 2 ? 9 : 0.5f);
    }
    compute();
    assert_string_equal(slow(), "2 0.6 class");
    close_store();

    open_store(1000000); /* members of a mirror that are alike, beside a quicker drive of their class */
    vdev(101, "mirror", 1, 2, "ssd");
    lone_drive(3, "ssd", "ssd-sata");
    for (int d = 1; d <= 3; d++) writes(d, 40, d == 3 ? 1 : 20);
    compute();
    assert_string_equal(slow(), "-");
    close_store();

    for (int rows = 10; rows <= 40; rows += 30) {
        static const Metric of_pool[] = {M_w_s, M_disk_wait_write_ms};
        open_store(1000000);
        vdev(101, "mirror", 1, 2, "ssd");
        for (int d = 1; d <= 2; d++) {
            Series *p = samples_series(samples, 2, d, "zpool-iostat", of_pool, 2, 1);
            for (int t = 0; t < 30; t++) {
                float v[] = {50, d == 1 ? 60 : 6};
                samples_add(p, 1000 + t, 1, v, 2, STR_NONE);
            }
            writes(d, rows, 6);
        }
        compute(); /* the kernel saw no difference: believed with 40 moments, not with 10 beside 30 */
        assert_string_equal(slow(), rows == 40 ? "-" : "1 0.72 vdev");
        close_store();
    }
}

/* All behind one controller, up and down together, or each for itself. */
static void test_controllers(void **state) {
    (void)state;
    for (int together = 0; together < 2; together++) {
        open_store(1000000);
        sql("INSERT INTO node VALUES (80, 'controller', 'c', '0000:03:00.0')");
        for (int d = 1; d <= 4; d++) {
            lone_drive(d, "hdd", "hdd-7200");
            put("INSERT INTO place(node, capture, boot, controller) VALUES (%d, 1, 0, 80)", d);
        }
        Series *s[5];
        for (int d = 1; d <= 4; d++) s[d] = series(1, d);
        for (int t = 0; t < 60; t++)
            for (int d = 1; d <= 4; d++) {
                float wave = together ? (t % 7 < 3 ? 90.f : 9.f) : ((t / d) % 2 ? 90.f : 9.f);
                add(s[d], t, 0, NAN, 50, wave * (0.9f + 0.2f * uniform()));
            }
        compute();
        assert_string_equal(
            ask("SELECT group_label, count(*), min(correlation) > 0.8 FROM peer WHERE group_kind = 'controller'"),
            together ? "0000:03:00.0 (hdd) 4 1" : "0000:03:00.0 (hdd) 4 0");
        assert_string_equal(ask("SELECT count(*) FROM outlier WHERE group_kind = 'controller'"), "0");
        close_store();
    }
}

static void test_nothing_there(void **state) {
    (void)state;
    open_store(1000000);
    compute();
    assert_string_equal(ask("SELECT count(*) FROM peer"), "0");
    vdev(101, "raidz2", 1, 6, "ssd");
    Error err;
    assert_true(peers_compute_in(db, samples, &err));
    assert_string_equal(ask("SELECT count(*) FROM peer"), "0");
    close_store();
}

/* Six raidz2 of ten drives each, an hour by the second: what a larger upload has. */
static void test_speed(void **state) {
    (void)state;
    enum { DRIVES = 60, SECONDS = 3600 };
    open_store(SAMPLES_DEFAULT_BUDGET);
    Series *s[DRIVES];
    for (int v = 0; v < 6; v++) vdev(101 + v, "raidz2", 1 + 10 * v, 10 + 10 * v, "hdd");
    for (int d = 0; d < DRIVES; d++) s[d] = series(1, d + 1);
    for (int t = 0; t < SECONDS; t++)
        for (int d = 0; d < DRIVES; d++)
            add(s[d], 1700000000 + t, 40 * uniform(), 10 * uniform(), 40 * uniform(), 10 * uniform());
    Error err;
    assert_true(samples_resolve(samples, map, NULL, &err));
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    assert_true(peers_compute_in(db, samples, &err));
    clock_gettime(CLOCK_MONOTONIC, &b);
    print_message("%d drives, %d moments, 3 groups each: %.0f ms\n", DRIVES, SECONDS,
                  (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6);
    assert_string_equal(ask("SELECT count(*) FROM peer"), "360");
    close_store();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_slow),
        cmocka_unit_test(test_mirror_reads_do_not_count),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_needs_two_busy),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_against_definition),
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_slow_of_many),
        cmocka_unit_test(test_confidence),
        cmocka_unit_test(test_near_misses),
        cmocka_unit_test(test_other_vdevs_of_the_pool),
        cmocka_unit_test(test_mixed_media),
        cmocka_unit_test(test_busier),
        cmocka_unit_test(test_other_jobs),
        cmocka_unit_test(test_arrays_and_btrfs),
        cmocka_unit_test(test_which_comparison_speaks),
        cmocka_unit_test(test_controllers),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
