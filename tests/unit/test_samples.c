/* The sample store: exactness before folding, what stays true after it, and its limits. */
#include "base/embedded.h"
#include "facts/samples_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__)
#define SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD 0
#endif

/* ---------------------------------------------------------------- help */

static sqlite3 *db;
static Samples *samples;

static void open_store(size_t budget) {
    Error err;
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    assert_non_null(schema);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, (const char *)schema->data, NULL, NULL, NULL), SQLITE_OK);
    samples = samples_new(NULL, budget);
    if (!samples_register(samples, db, &err)) fail_msg("%s", err.text);
}

static void close_store(void) {
    samples_free(samples);
    assert_int_equal(sqlite3_close(db), SQLITE_OK); /* also: no statement was left open */
}

static double shift_of_all;

/* Device numbers are node numbers; sources below 100 are capture 1, the others capture 2. */
static void map(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    (void)arg;
    *node = device;
    *capture = src < 100 ? 1 : 2;
    *shift_s = shift_of_all;
}

static void resolve(void) {
    Error err;
    if (!samples_resolve(samples, map, NULL, &err)) fail_msg("%s", err.text);
}

/* The columns of the first row joined by blanks, "" without a row. Valid until the next call. */
static const char *ask(const char *sql) {
    static char answer[2048];
    sqlite3_stmt *st;
    answer[0] = 0;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *text = (const char *)sqlite3_column_text(st, i);
            size_t used = strlen(answer);
            snprintf(answer + used, sizeof answer - used, "%s%s", i ? " " : "", text ? text : "NULL");
        }
    else if (rc != SQLITE_DONE) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(st);
    return answer;
}

static double number(const char *sql) {
    const char *text = ask(sql);
    return text[0] && strcmp(text, "NULL") != 0 ? atof(text) : (double)NAN;
}

static bool near(double a, double b, double part) {
    return fabs(a - b) <= part * fabs(b) + 1e-9;
}

static uint32_t seed = 7;
static uint32_t draw(void) {
    return seed = seed * 1664525u + 1013904223u;
}
static float uniform(void) {
    return (float)(draw() >> 8) / (1 << 24);
}

static const Metric disk[] = {M_r_s,        M_w_s,         M_r_bytes_s,   M_w_bytes_s, M_r_await_ms,
                              M_w_await_ms, M_rareq_bytes, M_wareq_bytes, M_aqu_sz,    M_util_pct};
enum { R_S, W_S, R_BYTES, W_BYTES, R_WAIT, W_WAIT, R_SIZE, W_SIZE, QUEUE, UTIL, DISK };

/* A disk's second: reads come and go, writes are steady with a long tail. */
static void disk_second(float v[DISK]) {
    v[R_S] = uniform() < 0.4f ? 0 : (float)(draw() >> 22);
    v[W_S] = 1 + 20 * uniform();
    v[R_WAIT] = v[R_S] > 0 ? 0.1f + uniform() : NAN;
    v[W_WAIT] = expf(8 * uniform() - 2); /* 0.14 to 403 ms */
    v[R_SIZE] = v[R_S] > 0 ? 4096 : NAN;
    v[W_SIZE] = 8192;
    v[R_BYTES] = v[R_S] * 4096;
    v[W_BYTES] = v[W_S] * 8192;
    v[QUEUE] = uniform();
    v[UTIL] = 100 * uniform();
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double sorted_quantile(const float *v, size_t n, double q) {
    double rank = q * (double)(n - 1);
    size_t below = (size_t)rank;
    double part = rank - (double)below;
    return part > 0 ? (double)v[below] + ((double)v[below + 1] - (double)v[below]) * part : (double)v[below];
}

/* ---------------------------------------------------------------- quantiles */

static void test_exact_quantiles(void **state) {
    (void)state;
    static const double q[] = {0, 0.5, 0.95, 0.99, 1};
    static float v[5000], copy[5000];
    for (int kind = 0; kind < 7; kind++)
        for (size_t n = 1; n <= 5000; n = n < 100 ? n + 7 : n * 3) {
            for (size_t i = 0; i < n; i++)
                v[i] = kind == 0   ? uniform()
                       : kind == 1 ? (float)i
                       : kind == 2 ? (float)(n - i)
                       : kind == 3 ? 0.25f
                       : kind == 4 ? (float)(i % 3)
                       : kind == 5 ? (uniform() - 0.5f) * 1e6f
                                   : expf(30 * uniform() - 15);
            memcpy(copy, v, n * sizeof *v);
            qsort(copy, n, sizeof *copy, compare_floats);
            double out[5];
            quantiles_exact(v, n, q, out, 5);
            for (size_t i = 0; i < 5; i++)
                if (out[i] != sorted_quantile(copy, n, q[i]))
                    fail_msg("kind %d, n %zu, q %g: %.9g, not %.9g", kind, n, q[i], out[i],
                             sorted_quantile(copy, n, q[i]));
        }
}

static void test_histogram(void **state) {
    (void)state;
    static float v[200000];
    size_t n = sizeof v / sizeof *v;
    HistogramBudget budget = {.limit = 1 << 20};
    for (int kind = 0; kind < 3; kind++) {
        Histogram h = {0};
        for (size_t i = 0; i < n; i++) v[i] = kind == 0 ? 3.7f : kind == 1 ? expf(30 * uniform() - 10) : 1 + uniform();
        histogram_add(&h, &budget, v, n);
        assert_int_equal(h.total, n);
        qsort(v, n, sizeof *v, compare_floats);
        for (int step = 0; step <= 16; step++) {
            double q = step / 16.0;
            if (!near(histogram_quantile(&h, q), sorted_quantile(v, n, q), 0.02))
                fail_msg("kind %d, q %g: %g, not %g", kind, q, histogram_quantile(&h, q), sorted_quantile(v, n, q));
        }
        histogram_free(&h, &budget);
        assert_int_equal(budget.used, 0);
    }
    /* zeros, the tiny, the negative and the huge */
    Histogram h = {0};
    float odd[] = {0, 0, -4, 1e-9f, 1e30f, 100, 100};
    histogram_add(&h, &budget, odd, 7);
    assert_true(histogram_quantile(&h, 0.5) == 0);
    assert_true(near(histogram_quantile(&h, 5.0 / 6), 100, 0.02));
    assert_true(histogram_quantile(&h, 1) > 1e13);
    histogram_free(&h, &budget);
    /* a budget that is too small loses the quantiles, not the memory */
    HistogramBudget small = {.limit = 100};
    float wide[] = {1, 1000};
    histogram_add(&h, &small, wide, 2);
    assert_true(h.lost);
    assert_true(isnan(histogram_quantile(&h, 0.5)));
    assert_int_equal(small.used, 0);
}

/* ---------------------------------------------------------------- before folding */

static void test_few_rows(void **state) {
    (void)state;
    open_store(100000);
    const Metric columns[] = {M_r_s, M_r_await_ms, M_w_s, M_w_await_ms};
    Series *sda = samples_series(samples, 3, 11, "iostat", columns, 4, 7);
    float rows[3][4] = {{0, NAN, 10, 50}, {20, 4, 2, 90}, {6, 12, INFINITY, NAN}};
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof line, "sda row %d", i);
        samples_add(sda, 1700000000.001 + 5 * i, 5, rows[i], 8 + 30 * i, str_of(line));
    }
    resolve();
    assert_string_equal(
        ask("SELECT count(*), min(node), min(capture), min(tool), min(n), max(n), min(worst), max(worst),"
            " min(src) FROM sample"),
        "3 11 1 iostat 1 1 0 0 3");
    assert_string_equal(ask("SELECT printf('%.3f', t), dt_s, r_s, r_await_ms, w_await_ms, d_s, line FROM sample"
                            " WHERE node = 11"),
                        "1700000000.001 5.0 0.0 NULL 50.0 NULL 8");
    /* an infinite rate is no rate: not busy, and NULL */
    assert_string_equal(ask("SELECT w_s, n_busy, n_r_ge5, n_r_ge10, n_r_ge40, n_w_ge40 FROM sample WHERE line = 68"),
                        "NULL 1 1 1 0 0");
    assert_string_equal(ask("SELECT n_busy, n_w_ge5, n_w_ge10, n_w_ge40 FROM sample WHERE line = 8"), "1 1 1 1");
    assert_string_equal(ask("SELECT group_concat(line) FROM (SELECT line FROM sample WHERE worst = 1)"), "38,8,68");
    assert_string_equal(
        ask("SELECT node, capture, tool, src, header_line, line_first, line_last, n, interval_s, has_time,"
            " bucket_s, printf('%.3f %.3f', first_s, last_s) FROM series"),
        "11 1 iostat 3 7 8 68 3 5.0 1 NULL 1700000000.001 1700000010.001");
    assert_string_equal(
        ask("SELECT basis, n, mean, p50, p95, p99, max, printf('%.3f', max_s), n_busy, busy_p50, n_busy_ge5,"
            " n_busy_ge10, n_busy_ge40, src, line, worst_line FROM distribution WHERE metric = 'w_await_ms'"),
        "5s averages 2 70.0 NULL NULL NULL 90.0 1700000005.001 1 50.0 1 1 1 3 8 38");
    assert_string_equal(ask("SELECT n, mean, n_busy, n_busy_ge5 FROM distribution WHERE metric = 'r_s'"),
                        "3 8.66666666666667 2 NULL");
    assert_string_equal(
        ask("SELECT group_concat(line || '=' || text) FROM (SELECT * FROM line_text WHERE src = 3 ORDER BY line)"),
        "8=sda row 0,38=sda row 1,68=sda row 2");
    close_store();
}

static void test_unfolded_is_exact(void **state) {
    (void)state;
    enum { N = 3600 };
    static float values[N][DISK], column[N], busy[N];
    open_store(SAMPLES_DEFAULT_BUDGET);
    Series *s = samples_series(samples, 1, 5, "iostat", disk, DISK, 1);
    for (int i = 0; i < N; i++) {
        disk_second(values[i]);
        samples_add(s, 1700000000 + i, 1, values[i], i + 2, STR("sda ..."));
    }
    assert_int_equal(samples_usage(samples).bucket_ms, 0);
    resolve();
    for (int c = 0; c < DISK; c++) {
        size_t n = 0, nb = 0, ge10 = 0;
        double sum = 0;
        int rate = c == W_S || c == W_BYTES || c == W_WAIT || c == W_SIZE ? W_S : c == QUEUE || c == UTIL ? -1 : R_S;
        for (int i = 0; i < N; i++) {
            float v = values[i][c];
            if (isnan(v)) continue;
            column[n++] = v;
            sum += (double)v;
            if (rate < 0 || values[i][rate] >= 5) {
                busy[nb++] = v;
                ge10 += v >= 10;
            }
        }
        qsort(column, n, sizeof *column, compare_floats);
        qsort(busy, nb, sizeof *busy, compare_floats);
        sqlite3_stmt *st;
        sqlite3_prepare_v2(db,
                           "SELECT n, mean, p50, p95, p99, max, n_busy, busy_p50, n_busy_ge10, basis FROM distribution"
                           " WHERE metric = ?1",
                           -1, &st, NULL);
        sqlite3_bind_text(st, 1, metric_names[disk[c]], -1, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(st, 0), n);
        assert_true(near(sqlite3_column_double(st, 1), sum / (double)n, 1e-12));
        assert_true(sqlite3_column_double(st, 2) == sorted_quantile(column, n, 0.50));
        assert_true(sqlite3_column_double(st, 3) == sorted_quantile(column, n, 0.95));
        assert_true(sqlite3_column_double(st, 4) == sorted_quantile(column, n, 0.99));
        assert_true(sqlite3_column_double(st, 5) == (double)column[n - 1]);
        assert_int_equal(sqlite3_column_int64(st, 6), nb);
        assert_true(sqlite3_column_double(st, 7) == sorted_quantile(busy, nb, 0.5));
        if (c == R_WAIT || c == W_WAIT) assert_int_equal(sqlite3_column_int64(st, 8), ge10);
        assert_string_equal((const char *)sqlite3_column_text(st, 9), "1s averages");
        sqlite3_finalize(st);
    }
    /* the table against what went in */
    sqlite3_stmt *st;
    sqlite3_prepare_v2(db, "SELECT t, r_s, w_await_ms, r_await_ms, line FROM sample WHERE node = 5 AND capture = 1", -1,
                       &st, NULL);
    for (int i = 0; i < N; i++) {
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_true(sqlite3_column_double(st, 0) == 1700000000 + i);
        assert_true(sqlite3_column_double(st, 1) == (double)values[i][R_S]);
        assert_true(sqlite3_column_double(st, 2) == (double)values[i][W_WAIT]);
        assert_int_equal(sqlite3_column_type(st, 3) == SQLITE_NULL, isnan(values[i][R_WAIT]));
        assert_int_equal(sqlite3_column_int64(st, 4), i + 2);
    }
    assert_int_equal(sqlite3_step(st), SQLITE_DONE);
    sqlite3_finalize(st);
    close_store();
}

/* A quantile needs five values beyond it. */
static void test_too_few_for_quantiles(void **state) {
    (void)state;
    open_store(1000000);
    const Metric columns[] = {M_util_pct};
    const int sizes[] = {9, 10, 99, 100, 499, 500};
    for (int k = 0; k < 6; k++) {
        Series *s = samples_series(samples, 1, 20 + k, "iostat", columns, 1, 1);
        for (int i = 0; i < sizes[k]; i++) {
            float v = (float)i;
            samples_add(s, i, 1, &v, i, STR_NONE);
        }
    }
    resolve();
    assert_string_equal(ask("SELECT group_concat((p50 IS NOT NULL) || (p95 IS NOT NULL) || (p99 IS NOT NULL))"
                            " FROM (SELECT * FROM distribution ORDER BY node)"),
                        "000,100,100,110,110,111");
    close_store();
}

static void test_times(void **state) {
    (void)state;
    open_store(1000000);
    const Metric columns[] = {M_util_pct};
    float v = 1;
    Series *untimed = samples_series(samples, 1, 1, "iostat", columns, 1, 1);
    for (int i = 0; i < 3; i++) samples_add(untimed, NAN, 2.5, &v, i + 2, STR_NONE);
    Series *nothing = samples_series(samples, 1, 2, "iostat", columns, 1, 1);
    for (int i = 0; i < 3; i++) samples_add(nothing, NAN, NAN, &v, i + 2, STR_NONE);
    Series *gaps = samples_series(samples, 1, 3, "iostat", columns, 1, 1); /* a row lost its time stamp */
    samples_add(gaps, 100, NAN, &v, 2, STR_NONE);
    samples_add(gaps, 110, NAN, &v, 3, STR_NONE);
    samples_add(gaps, NAN, NAN, &v, 4, STR_NONE);
    samples_add(gaps, 130, NAN, &v, 5, STR_NONE);
    Series *absurd = samples_series(samples, 1, 4, "iostat", columns, 1, 1);
    samples_add(absurd, 1e300, -1, &v, 2, STR_NONE);
    samples_add(absurd, -5, 1e300, &v, 3, STR_NONE);
    Series *jumping = samples_series(samples, 1, 5, "iostat", columns, 1, 1); /* the clock was set, by decades */
    samples_add(jumping, 1700000000, 1, &v, 2, STR_NONE);
    samples_add(jumping, 1, 1, &v, 3, STR_NONE);
    samples_add(jumping, 1700000002, 1, &v, 4, STR_NONE);
    shift_of_all = -3600;
    resolve();
    shift_of_all = 0;
    assert_string_equal(ask("SELECT group_concat(t + 3600) FROM sample WHERE node = 1"), "2.5,5.0,7.5");
    assert_string_equal(ask("SELECT group_concat(t + 3600) FROM sample WHERE node = 2"), "1.0,2.0,3.0");
    assert_string_equal(
        ask("SELECT group_concat(t + 3600), group_concat(ifnull(dt_s, '-')) FROM sample WHERE node = 3"),
        "100.0,110.0,120.0,130.0 -,10.0,-,10.0");
    assert_string_equal(ask("SELECT group_concat(t + 3600) FROM sample WHERE node = 4"), "1.0,2.0");
    assert_string_equal(ask("SELECT group_concat(t + 3600) FROM sample WHERE node = 5"),
                        "1700000000.0,1.0,1700000002.0");
    assert_string_equal(ask("SELECT group_concat(has_time) FROM series"), "0,0,1,0,1");
    assert_string_equal(ask("SELECT group_concat(node) FROM series WHERE first_s IS NULL AND last_s IS NULL"), "1,2,4");
    assert_string_equal(ask("SELECT group_concat(node) FROM distribution WHERE max_s IS NULL"), "1,2,4");
    assert_string_equal(ask("SELECT group_concat(ifnull(interval_s, '-')) FROM series"), "2.5,-,10.0,-,1.0");
    assert_string_equal(ask("SELECT group_concat(basis, '|') FROM distribution"),
                        "2.5s averages|averages|10s averages|averages|1s averages");
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE t BETWEEN 1699996400 AND 1699996401"), "1");
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE t > 1699996400 AND node = 5"), "1");
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE t > NULL"), "0");
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE t < 1e300"), "15");
    close_store();
}

/* Constraints of every kind give what a plain table would. */
static void test_queries(void **state) {
    (void)state;
    open_store(1000000);
    for (int d = 0; d < 4; d++) {
        Series *s =
            samples_series(samples, d == 3 ? 100 : 1, 1 + d % 3, d == 1 ? "zpool iostat" : "iostat", disk, DISK, 1);
        for (int i = 0; i < 50; i++) {
            float v[DISK];
            disk_second(v);
            samples_add(s, 1000 + i, 1, v, i + 2, STR("row"));
        }
    }
    resolve();
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE plain AS SELECT * FROM sample", NULL, NULL, NULL), SQLITE_OK);
    static const char *const where[] = {"1",
                                        "node = 1",
                                        "node = '1'",
                                        "node = 1.0",
                                        "node = 'x'",
                                        "node = NULL",
                                        "node IN (1, 3)",
                                        "capture = 2",
                                        "tool = 'iostat'",
                                        "tool = 'vmstat'",
                                        "tool = 'zpool iostat' AND t > 1010 AND t <= 1020",
                                        "t = 1005",
                                        "t >= 1005.5",
                                        "t BETWEEN 2000 AND 1",
                                        "worst = 0 AND node = 2",
                                        "worst = 2",
                                        "worst = NULL",
                                        "node = 1 AND capture = 1 AND w_await_ms > 50",
                                        "t = (SELECT max(t) FROM plain)"};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        char sql[500], expected[2048];
        snprintf(sql, sizeof sql,
                 "SELECT count(*), total(w_await_ms), total(t), total(n_busy), total(line) FROM plain WHERE %s",
                 where[i]);
        snprintf(expected, sizeof expected, "%s", ask(sql));
        snprintf(sql, sizeof sql,
                 "SELECT count(*), total(w_await_ms), total(t), total(n_busy), total(line) FROM sample WHERE %s",
                 where[i]);
        if (strcmp(ask(sql), expected) != 0) fail_msg("%s: %s, not %s", where[i], ask(sql), expected);
    }
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE worst = 1 AND node = 2"), "16");
    assert_string_equal(ask("SELECT count(*) FROM sample WHERE worst = 1 AND node = 2 AND t < 0"), "0");
    assert_string_equal(
        ask("SELECT count(*), count(DISTINCT a.t) FROM sample a JOIN sample b ON a.t = b.t AND a.capture = 1"
            " AND b.capture = 1 WHERE a.node = 1 AND b.node = 2"),
        "50 50");
    close_store();
}

/* The fuller one of two series speaks for a device; other columns of the lesser one still count. */
static void test_several_series(void **state) {
    (void)state;
    open_store(1000000);
    const Metric narrow[] = {M_util_pct}, wide[] = {M_util_pct, M_aqu_sz};
    Series *a = samples_series(samples, 1, 9, "iostat", narrow, 1, 1);
    Series *b = samples_series(samples, 2, 9, "iostat", wide, 2, 1);
    Series *other_capture = samples_series(samples, 100, 9, "iostat", narrow, 1, 1);
    Series *other_tool = samples_series(samples, 3, 9, "diskstats", narrow, 1, 1);
    Series *unknown1 = samples_series(samples, 4, 0, "iostat", narrow, 1, 1);
    for (int i = 0; i < 30; i++) {
        float v[2] = {1, 2};
        samples_add(a, i, 1, v, i, STR_NONE);
        if (i < 20) samples_add(b, i, 1, v, i, STR_NONE);
        if (i < 10) samples_add(other_capture, i, 1, v, i, STR_NONE);
        samples_add(other_tool, i, 1, v, i, STR_NONE);
        if (i < 5) samples_add(unknown1, i, 1, v, i, STR_NONE);
    }
    samples_series(samples, 5, 9, "iostat", narrow, 1, 1); /* opened, but no row came */
    resolve();
    assert_string_equal(ask("SELECT group_concat(capture || tool || metric || n || ' ' || src, '; ') FROM"
                            " (SELECT * FROM distribution WHERE node = 9 ORDER BY capture, tool, metric)"),
                        "1diskstatsutil_pct30 3; 1iostataqu_sz20 2; 1iostatutil_pct30 1; 2iostatutil_pct10 100");
    assert_string_equal(ask("SELECT count(*) FROM series"), "5");
    assert_string_equal(ask("SELECT n FROM distribution WHERE node IS NULL"), "5");
    close_store();
}

/* Two paths or two namespaces of one drive, with as many samples: the one that is used speaks, then the slower. */
static void test_who_speaks(void **state) {
    (void)state;
    static const Metric columns[] = {M_w_s, M_w_await_ms};
    static const struct {
        float rate[2], wait[2];
        const char *want;
    } table[] = {
        {{0, 50}, {0, 3}, "2"},                                      /* a standby path */
        {{50, 51}, {0.2f, 60}, "2"},                                 /* equally busy */
        {{51, 50}, {60, 0.2f}, "1"},   {{400, 50}, {0.2f, 60}, "1"}, /* the other one does little */
        {{50, 50}, {0.2f, 0.2f}, "1"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        open_store(1000000);
        for (int k = 0; k < 2; k++) {
            Series *s = samples_series(samples, 1 + k, 9, "iostat", columns, 2, 1);
            for (int t = 0; t < 30; t++) {
                float v[2] = {table[i].rate[k], table[i].wait[k]};
                samples_add(s, t, 1, v, t, STR_NONE);
            }
        }
        resolve();
        assert_string_equal(ask("SELECT group_concat(DISTINCT src) FROM distribution WHERE node = 9"), table[i].want);
        close_store();
    }
}

static void test_lifetime(void **state) {
    (void)state;
    open_store(1000000);
    const Metric columns[] = {M_r_s, M_w_await_ms};
    float v[2] = {12, 34}, w[2] = {NAN, 56};
    samples_lifetime(samples, 1, 7, "iostat", "boot", columns, 2, v, (Spot){.line = 4, .text = STR("sda 12 34")});
    samples_lifetime(samples, 2, 7, "iostat", "boot", columns, 2, w, (Spot){.line = 4, .text = STR("sda - 56")});
    samples_lifetime(samples, 1, 8, "iostat", "boot", columns, 2, v, (Spot){.line = 5, .text = STR("sdb 12 34")});
    Series *s = samples_series(samples, 1, 8, "iostat", columns, 2, 1);
    samples_add(s, 10, 1, v, 9, STR("sdb 12 34"));
    resolve();
    assert_string_equal(ask("SELECT group_concat(node || tool || since || capture || alone || src || ' ' || line) FROM"
                            " (SELECT * FROM lifetime ORDER BY rowid)"),
                        "7iostatboot101 4,7iostatboot112 4,8iostatboot101 5");
    assert_string_equal(
        ask("SELECT group_concat(metric || ' ' || n || ' ' || mean || ' ' || src || ' ' || line) FROM distribution"
            " WHERE basis = 'lifetime average' AND p50 IS NULL AND max IS NULL AND n_busy IS NULL"),
        "w_await_ms 1 56.0 2 4");
    assert_string_equal(ask("SELECT text FROM line_text WHERE src = 2"), "sda - 56");
    assert_string_equal(ask("SELECT basis FROM distribution WHERE node = 8 AND metric = 'r_s'"), "1s averages");
    close_store();
}

/* ---------------------------------------------------------------- after folding */

static void test_folded(void **state) {
    (void)state;
    enum { N = 40000, FIRST = 1700000003 };
    static float values[N][DISK], column[N];
    open_store(60000);
    Series *s = samples_series(samples, 1, 5, "iostat", disk, DISK, 1);
    for (int i = 0; i < N; i++) {
        char line[40];
        snprintf(line, sizeof line, "line %d", i + 2);
        disk_second(values[i]);
        samples_add(s, FIRST + i, 1, values[i], i + 2, str_of(line));
    }
    assert_true(samples_usage(samples).words <= 60000);
    resolve();
    double width = number("SELECT bucket_s FROM series");
    assert_true(width >= 2 && log2(width) == floor(log2(width)));
    assert_true(number("SELECT count(*) FROM sample") >=
                300); /* of 60,000 words in buckets of 23: not folded to nothing */

    /* the grid is absolute, nothing is counted twice or lost */
    char sql[300];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM sample WHERE CAST(t AS INTEGER) %% %.0f <> 0", width);
    assert_string_equal(ask(sql), "0");
    assert_string_equal(ask("SELECT sum(n), sum(dt_s) FROM sample"), "40000 40000.0");
    assert_string_equal(ask("SELECT count(*) - count(DISTINCT t) FROM sample"), "0");

    /* every bucket: means by operations, plain means of rates, joint counts */
    sqlite3_stmt *st;
    sqlite3_prepare_v2(
        db,
        "SELECT t, n, w_await_ms, r_await_ms, w_s, r_s, n_busy, n_w_ge5, n_w_ge10, n_w_ge40, n_r_ge5, line"
        " FROM sample",
        -1, &st, NULL);
    int at = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        double end = sqlite3_column_double(st, 0), wait = 0, ops = 0, rwait = 0, rops = 0, w_s = 0, r_s = 0;
        int n = 0, counts[5] = {0}, first = at;
        for (; at < N && FIRST + at <= end; at++, n++) {
            const float *v = values[at];
            assert_true(FIRST + at > end - width);
            wait += (double)v[W_WAIT] * (double)v[W_S];
            ops += (double)v[W_S];
            if (v[R_S] > 0) {
                rwait += (double)v[R_WAIT] * (double)v[R_S];
                rops += (double)v[R_S];
            }
            w_s += (double)v[W_S];
            r_s += (double)v[R_S];
            counts[0] += v[W_S] >= 5 || v[R_S] >= 5;
            counts[1] += v[W_S] >= 5 && v[W_WAIT] >= 5;
            counts[2] += v[W_S] >= 5 && v[W_WAIT] >= 10;
            counts[3] += v[W_S] >= 5 && v[W_WAIT] >= 40;
            counts[4] += v[R_S] >= 5 && v[R_WAIT] >= 5;
        }
        assert_int_equal(sqlite3_column_int(st, 1), n);
        assert_true(near(sqlite3_column_double(st, 2), wait / ops, 1e-4));
        assert_true(near(sqlite3_column_double(st, 3), rops > 0 ? rwait / rops : 0, 1e-4));
        assert_true(near(sqlite3_column_double(st, 4), w_s / n, 1e-4));
        assert_true(near(sqlite3_column_double(st, 5), r_s / n, 1e-4));
        for (int k = 0; k < 5; k++) assert_int_equal(sqlite3_column_int(st, 6 + k), counts[k]);
        assert_int_equal(sqlite3_column_int(st, 11), first + 2);
    }
    assert_int_equal(at, N);
    sqlite3_finalize(st);

    /* quantiles of the samples, not of the buckets */
    for (int c = 0; c < DISK; c++) {
        size_t n = 0;
        double sum = 0;
        for (int i = 0; i < N; i++)
            if (!isnan(values[i][c])) {
                column[n++] = values[i][c];
                sum += (double)values[i][c];
            }
        qsort(column, n, sizeof *column, compare_floats);
        static const double q[] = {0.5, 0.95, 0.99, 0.999};
        static const char *const name[] = {"p50", "p95", "p99", "p999"};
        for (int k = 0; k < 4; k++) {
            snprintf(sql, sizeof sql, "SELECT %s FROM distribution WHERE metric = '%s'", name[k],
                     metric_names[disk[c]]);
            double is = number(sql), should = sorted_quantile(column, n, q[k]);
            if (!near(is, should, 0.02)) fail_msg("%s: %g, not %g", sql, is, should);
        }
        snprintf(sql, sizeof sql, "SELECT mean FROM distribution WHERE metric = '%s'", metric_names[disk[c]]);
        assert_true(near(number(sql), sum / (double)n, 1e-9));
        snprintf(sql, sizeof sql, "SELECT max FROM distribution WHERE metric = '%s'", metric_names[disk[c]]);
        assert_true(number(sql) == (double)column[n - 1] || near(number(sql), (double)column[n - 1], 1e-12));
    }
    double busy = 0, ge40 = 0, most = 0;
    size_t nb = 0;
    int worst = 0;
    for (int i = 0; i < N; i++) {
        if ((double)values[i][W_WAIT] > most) {
            most = (double)values[i][W_WAIT];
            worst = i;
        }
        if (values[i][W_S] < 5) continue;
        busy++;
        ge40 += values[i][W_WAIT] >= 40;
        column[nb++] = values[i][W_WAIT];
    }
    qsort(column, nb, sizeof *column, compare_floats);
    assert_true(number("SELECT n_busy FROM distribution WHERE metric = 'w_await_ms'") == busy);
    assert_true(number("SELECT n_busy_ge40 FROM distribution WHERE metric = 'w_await_ms'") == ge40);
    assert_true(near(number("SELECT busy_p50 FROM distribution WHERE metric = 'w_await_ms'"),
                     sorted_quantile(column, nb, 0.5), 0.02));
    assert_true(number("SELECT worst_line FROM distribution WHERE metric = 'w_await_ms'") == worst + 2);
    assert_string_equal(ask("SELECT basis FROM distribution WHERE metric = 'w_await_ms'"), "1s averages");

    /* the worst in full, with their lines */
    for (int i = 0; i < N; i++) column[i] = values[i][W_WAIT];
    qsort(column, N, sizeof *column, compare_floats);
    sqlite3_prepare_v2(db,
                       "SELECT w_await_ms, n, t, s.line, text FROM sample s JOIN line_text x ON x.src = s.src"
                       " AND x.line = s.line WHERE worst = 1",
                       -1, &st, NULL);
    for (int i = 0; i < SAMPLES_WORST; i++) {
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_true(sqlite3_column_double(st, 0) == (double)column[N - 1 - i]);
        assert_int_equal(sqlite3_column_int(st, 1), 1);
        int line = sqlite3_column_int(st, 3);
        assert_true(sqlite3_column_double(st, 2) == FIRST + line - 2);
        assert_true((double)values[line - 2][W_WAIT] == sqlite3_column_double(st, 0));
        char text[40];
        snprintf(text, sizeof text, "line %d", line);
        assert_string_equal((const char *)sqlite3_column_text(st, 4), text);
    }
    assert_int_equal(sqlite3_step(st), SQLITE_DONE);
    sqlite3_finalize(st);
    close_store();
}

/* A plain mean of something that idle intervals do not have counts samples, not buckets. */
static void test_folded_plain_mean_of_waits(void **state) {
    (void)state;
    open_store(4000);
    const Metric columns[] = {M_await_ms, M_util_pct};
    Series *s = samples_series(samples, 1, 5, "iostat", columns, 2, 1);
    enum { N = 1 << 14 };
    for (int i = 1; i <= N; i++) { /* in each 64 s one sample of 64 ms and 31 of 0 ms; the rest idle */
        float v[2] = {i % 64 == 1 ? 64 : i % 64 < 32 ? 0 : NAN, 1};
        samples_add(s, i, 1, v, i, STR_NONE);
    }
    resolve();
    assert_true(number("SELECT bucket_s FROM series") >= 64);
    assert_string_equal(ask("SELECT round(min(await_ms), 4), round(max(await_ms), 4) FROM sample"), "2.0 2.0");
    close_store();
}

/* Every hostile order of times ends in something bounded that loses no sample. */
static void test_folding_hostile_times(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        open_store(40000);
        Series *s = samples_series(samples, 1, 5, "iostat", disk, DISK, 1);
        int n = 30000;
        for (int i = 0; i < n; i++) {
            float v[DISK];
            disk_second(v);
            double t = kind == 0   ? (double)(draw()) * 20
                       : kind == 1 ? (i % 2 ? 0 : 9e10)
                       : kind == 2 ? 5
                                   : 4e9 - i * 3e3;
            int64_t line = kind == 1 ? (i % 3 ? INT64_C(1) << 40 : 2) : i;
            samples_add(s, t, kind == 3 ? 1e-6 : 1, v, line, STR("x"));
            assert_true(samples_usage(samples).words <= 40000 + 8192);
        }
        resolve();
        assert_true(number("SELECT sum(n) FROM sample") == n);
        close_store();
    }
}

/* Small series among large ones keep their samples as long as the budget allows; many small ones still fit. */
static void test_many_series(void **state) {
    (void)state;
    enum { BUDGET = 400000 };
    open_store(BUDGET);
    Series *small = samples_series(samples, 1, 1, "iostat", disk, DISK, 1);
    Series *large = samples_series(samples, 1, 2, "iostat", disk, DISK, 1);
    float v[DISK];
    for (int i = 0; i < 200000; i++) {
        disk_second(v);
        if (i < 100) samples_add(small, i, 1, v, i, STR("small"));
        samples_add(large, i, 1, v, i, STR("large"));
    }
    assert_int_equal(series_info(small).bucket_ms, 0);
    assert_true(series_info(large).bucket_ms > 0);
    assert_true(samples_usage(samples).words <= BUDGET);
    /* now more devices than the budget can hold a row of */
    for (int round = 0; round < 2; round++)
        for (int d = 0; d < 3000; d++) {
            Series *s = samples_series(samples, 10 + round, 10 + d, "iostat", disk, DISK, 1);
            for (int i = 0; i < 10; i++) {
                disk_second(v);
                samples_add(s, i, 1, v, i, STR("many"));
            }
            assert_true(samples_usage(samples).words <= BUDGET + 8192);
        }
    resolve();
    double kept = number("SELECT sum(n) FROM series"), in_table = number("SELECT sum(n) FROM sample");
    assert_true(kept == in_table);
    assert_string_equal(
        ask("SELECT count(*) FROM note WHERE text LIKE '% samples were left out: the limit of % device series%'"), "2");
    assert_true(kept +
                    number("SELECT sum(CAST(text AS INTEGER)) FROM note WHERE text LIKE '% samples were left out%'") ==
                200100 + 60000);
    close_store();
}

/* ---------------------------------------------------------------- memory and speed */

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double peak_bytes(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
#ifdef __APPLE__
    return (double)u.ru_maxrss;
#else
    return (double)u.ru_maxrss * 1024;
#endif
}

/* 240 disks for a day, every second, with all the columns that iostat -x has. */
static void test_memory_is_flat(void **state) {
    (void)state;
    enum { DISKS = 240, COLUMNS = 22 };
    static const Metric columns[COLUMNS] = {
        M_r_s,          M_w_s,        M_d_s,        M_f_s,        M_r_bytes_s, M_w_bytes_s,      M_d_bytes_s,
        M_r_await_ms,   M_w_await_ms, M_d_await_ms, M_f_await_ms, M_await_ms,  M_rareq_bytes,    M_wareq_bytes,
        M_areq_bytes,   M_rrqm_s,     M_wrqm_s,     M_aqu_sz,     M_util_pct,  M_cpu_iowait_pct, M_psi_io_some_pct,
        M_procs_blocked};
    const int seconds = SLOW_BUILD ? 8334 : 83334; /* 2 or 20 million rows */
    open_store(SAMPLES_DEFAULT_BUDGET);
    double before = peak_bytes();
    Series *series[DISKS];
    for (int d = 0; d < DISKS; d++) series[d] = samples_series(samples, 1, d + 1, "iostat", columns, COLUMNS, 1);
    static float pool[4096 + COLUMNS]; /* values that differ, without paying for a logarithm each */
    for (size_t i = 0; i < sizeof pool / sizeof *pool; i++) pool[i] = uniform() < 0.1f ? NAN : expf(8 * uniform() - 2);
    double began = now_s(), adding = 0;
    int64_t line = 1;
    for (int t = 0; t < seconds; t++)
        for (int d = 0; d < DISKS; d++)
            samples_add(series[d], 1700000000 + t, 1, pool + (draw() >> 20), line++, STR("sda 1 2 3"));
    adding = now_s() - began;
    resolve();
    double took = now_s() - began, grew = peak_bytes() - before;
    SamplesUsage usage = samples_usage(samples);
    print_message("%.1f million rows of %d columns: %.0f ns a row, resolved in %.0f ms; %.0f MB more than before,"
                  " %.1f MB rows, %.1f MB slabs, %.1f MB histograms, %.2f MB text, buckets of %lld s, %d folds\n",
                  (double)line / 1e6, COLUMNS, adding / (double)line * 1e9, (took - adding) * 1e3, grew / 1e6,
                  (double)usage.words * 4e-6, (double)usage.slab_bytes / 1e6, (double)usage.histogram_bytes / 1e6,
                  (double)usage.text_bytes / 1e6, (long long)usage.bucket_ms / 1000, usage.folds);
    assert_true(usage.words <= SAMPLES_DEFAULT_BUDGET);
    assert_true(number("SELECT sum(n) FROM sample") == (double)seconds * DISKS);
#if !SLOW_BUILD
    assert_true(grew < (double)SAMPLES_DEFAULT_BUDGET * 8 + 64e6);
    assert_true(adding < 60); /* a few seconds of the processor: nothing is quadratic */
#endif
    close_store();
}

/* The usual case: nothing is folded. */
static void test_speed_unfolded(void **state) {
    (void)state;
    enum { DISKS = 60, SECONDS = 3600 };
    open_store(SAMPLES_DEFAULT_BUDGET);
    Series *series[DISKS];
    for (int d = 0; d < DISKS; d++) series[d] = samples_series(samples, 1, d + 1, "iostat", disk, DISK, 1);
    static float rows[1024][DISK];
    for (int i = 0; i < 1024; i++) disk_second(rows[i]);
    double began = now_s();
    for (int t = 0; t < SECONDS; t++)
        for (int d = 0; d < DISKS; d++)
            samples_add(series[d], 1700000000 + t, 1, rows[draw() >> 22], 2 + t * DISKS + d, STR("sda 1 2 3"));
    double added = now_s() - began;
    resolve();
    double resolved = now_s() - began - added;
    print_message("%d rows of %d columns: %.0f ns a row, resolved in %.1f ms\n", DISKS * SECONDS, DISK,
                  added / (DISKS * SECONDS) * 1e9, resolved * 1e3);
    close_store();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_quantiles),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_unfolded_is_exact),
        cmocka_unit_test(test_too_few_for_quantiles),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_several_series),
        cmocka_unit_test(test_who_speaks),
        cmocka_unit_test(test_lifetime),
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_folded_plain_mean_of_waits),
        cmocka_unit_test(test_folding_hostile_times),
        cmocka_unit_test(test_many_series),
        cmocka_unit_test(test_speed_unfolded),
        cmocka_unit_test(test_memory_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
