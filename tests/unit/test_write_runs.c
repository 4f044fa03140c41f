/* Long stretches of writing: when a rate has collapsed, and when only less was asked. */
#include "base/embedded.h"
#include "facts/series.h"
#include "facts/write_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static sqlite3 *db;
static Samples *samples;
static int64_t row;

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", text, message);
}

static void open_store(void) {
    Error err;
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    assert_non_null(schema);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql((const char *)schema->data);
    sql("INSERT INTO node VALUES (1, 'drive', 'drive:1', 'sda'); INSERT INTO drive(node, capture, media) VALUES (1, 1, "
        "'ssd')");
    samples = samples_new(NULL, 1000000);
    assert_true(samples_register(samples, db, &err));
    row = 1;
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

static const char *compute(const char *query) {
    static char answer[512];
    Error err;
    sqlite3_stmt *st;
    if (!samples_resolve(samples, map, NULL, &err)) fail_msg("%s", err.text);
    if (!write_runs_compute_in(db, &err)) fail_msg("%s", err.text);
    answer[0] = 0;
    if (sqlite3_prepare_v2(db, query, -1, &st, NULL) != SQLITE_OK) fail_msg("%s: %s", query, sqlite3_errmsg(db));
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *text = (const char *)sqlite3_column_text(st, i);
            size_t used = strlen(answer);
            snprintf(answer + used, sizeof answer - used, "%s%s", used ? " " : "", text ? text : "NULL");
        }
    sqlite3_finalize(st);
    return answer;
}
#define FELL                                                                                                           \
    "SELECT seconds, round(first_mb_s), round(late_mb_s, 1), fell_after_s, round(fell_after_bytes / 1e9, 1), low_s, "  \
    "round(first_wait_ms, 1), round(late_wait_ms, 1), fall_line, line FROM write_run"

static Series *series(void) {
    static const Metric columns[] = {M_r_s, M_w_s, M_w_bytes_s, M_aqu_sz, M_util_pct, M_w_await_ms};
    return samples_series(samples, 1, 1, "iostat", columns, 6, 1);
}

/* seconds seconds of writing mb MB/s in requests of kb kB with a queue of that length. */
static void write_for(Series *s, double *t, int seconds, float mb, float kb, float queue, float reads) {
    for (int i = 0; i < seconds; i++) {
        float w = mb * 1000 / kb,
              v[] = {reads, w, mb * 1e6f, queue, queue > 0.5f ? 100 : 10, w > 0 ? queue * 1000 / w : NAN};
        samples_add(s, *t += 1, 1, v, ++row, STR_NONE);
    }
}

/* 120 s at 400 MB/s, then 45 MB/s with the same queue. */
static void test_collapse(void **state) {
    (void)state;
    open_store();
    double t = 1000;
    Series *s = series();
    write_for(s, &t, 5, 0, 1, 0, 0);
    write_for(s, &t, 120, 400, 256, 30, 0);
    write_for(s, &t, 200, 45, 256, 30, 0);
    assert_string_equal(compute(FELL), "320.0 400.0 45.0 120.0 48.0 200.0 19.2 170.7 127 2");
    close_store();
}

/* Pauses of some seconds and single good seconds change nothing. */
static void test_not_smooth(void **state) {
    (void)state;
    open_store();
    double t = 1000;
    Series *s = series();
    for (int i = 0; i < 10; i++) {
        write_for(s, &t, 4, 500, 256, 30, 0);
        write_for(s, &t, 3, 0, 1, 0, 0);
    }
    for (int i = 0; i < 10; i++) {
        write_for(s, &t, 19, 20, 256, 30, 0);
        write_for(s, &t, 1, 150, 256, 30, 0);
    }
    assert_string_equal(compute("SELECT count(*), round(first_mb_s), late_mb_s < 30, low_s >= 190 FROM write_run"),
                        "1 300.0 1 1");
    close_store();
}

/* The rate stays; the run is kept as such. */
static void test_steady(void **state) {
    (void)state;
    open_store();
    double t = 1000;
    Series *s = series();
    write_for(s, &t, 300, 400, 256, 30, 0);
    write_for(s, &t, 20, 0, 1, 0, 0);
    write_for(s, &t, 100, 380, 256, 30, 0);
    assert_string_equal(compute("SELECT count(*), fell_after_s, round(late_mb_s) FROM write_run"), "1 NULL 400.0");
    close_store();
}

/* Less is asked: a shorter queue, smaller requests, or readers that came in. Then a short fall. */
static void test_other_demand(void **state) {
    (void)state;
    static const struct {
        float kb, queue, reads;
        int low_s;
    } c[] = {{256, 2, 0, 200}, {16, 30, 0, 200}, {256, 30, 900, 200}, {256, 30, 0, 50}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        open_store();
        double t = 1000;
        Series *s = series();
        write_for(s, &t, 60, 400, 256, 30, 0);
        write_for(s, &t, c[i].low_s, 45, c[i].kb, c[i].queue, c[i].reads);
        if (c[i].low_s < 60) write_for(s, &t, 20, 390, 256, 30, 0);
        else write_for(s, &t, 4, 400, 256, 30, 0);
        assert_string_equal(compute("SELECT count(*), fell_after_s FROM write_run"), "1 NULL");
        close_store();
    }
}

/* Hundredths of seconds, which no tool writes: a log made to cost time, where a minute would be thousands of points. */
static void test_short_samples(void **state) {
    (void)state;
    open_store();
    Series *s = series();
    for (int i = 0; i < 40000; i++) {
        bool low = i % 5900 < 5300 && i > 3100;
        float v[] = {0, low ? 40 : 400, low ? 10e6f : 150e6f, 30, 100, 20};
        samples_add(s, 1000 + i * 0.01, 0.01, v, ++row, STR_NONE);
    }
    assert_string_equal(compute("SELECT count(*) FROM write_run"), "0");
    close_store();
}

/* Slow from the first second, or too short: nothing to compare with. */
static void test_no_run(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        open_store();
        double t = 1000;
        Series *s = series();
        if (i == 0) write_for(s, &t, 1, 60, 256, 30, 0);
        write_for(s, &t, i ? 25 : 300, i ? 400 : 8, 256, 30, 0);
        assert_string_equal(compute("SELECT count(*) FROM write_run"), "0");
        close_store();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_collapse), cmocka_unit_test(test_not_smooth),
                                       cmocka_unit_test(test_steady),   cmocka_unit_test(test_other_demand),
                                       cmocka_unit_test(test_no_run),   cmocka_unit_test(test_short_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
