/* Slow moments at regular intervals, and those that are not. */
#include "base/embedded.h"
#include "facts/series.h"
#include "facts/spike_rhythm.h"

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

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", text, message);
}

static void map(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    (void)arg;
    (void)src;
    *node = device;
    *capture = 1;
    *shift_s = 0;
}

typedef double Wait(int second);

/* The rows of the table, or "" without one; n samples of a second each. */
static const char *rhythm_of(Wait *wait, Wait *discards, int n, const char *media) {
    static char answer[256];
    static const Metric columns[] = {M_w_s, M_w_await_ms, M_d_s};
    Error err;
    char text[200];
    sqlite3_stmt *st;
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    sql((const char *)schema->data);
    snprintf(text, sizeof text,
             "INSERT INTO node VALUES (1, 'drive', 'drive:1', 'sda'); INSERT INTO drive(node, capture, media) VALUES "
             "(1, 1, '%s')",
             media);
    sql(text);
    samples = samples_new(NULL, 1000000);
    assert_true(samples_register(samples, db, &err));
    Series *series = samples_series(samples, 1, 1, "iostat", columns, 3, 9);
    for (int i = 0; i < n; i++) {
        float values[] = {100, (float)wait(i), discards ? (float)discards(i) : 0};
        samples_add(series, 1700000000.0 + i, 1, values, 10 + i, STR_NONE);
    }
    if (!samples_resolve(samples, map, NULL, &err)) fail_msg("%s", err.text);
    if (!spike_rhythm_compute_in(db, &err)) fail_msg("%s", err.text);
    answer[0] = 0;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT metric || printf(' %g s, %d spikes, %.2g regular, %g ms, usually %g "
                                        "ms, discards %.2g %.2g, lines %d %d', period_s, spikes, regular, spike_ms, "
                                        "usual_ms, with_discards, other_discards, line, second_line) FROM spike_rhythm",
                                        -1, &st, NULL),
                     SQLITE_OK);
    if (sqlite3_step(st) == SQLITE_ROW) snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    samples_free(samples);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return answer;
}

static double every_30(int s) {
    return s % 30 < 2 ? 100 + s % 2 : 1;
}
static double every_5(int s) {
    return s % 5 == 0 ? 40 : 1;
}
static double while_slow(int s) {
    return s % 30 < 2;
}
static double uneven(int s) {
    static const int at[] = {3, 9, 34, 51, 60, 101, 107, 160, 171, 230};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (s == at[i]) return 80;
    return 1;
}
static double mostly_slow(int s) {
    return s % 10 < 6 ? 80 : 10;
}
static double small(int s) {
    return s % 30 == 0 ? 4 : 0.5;
}

static void finds(void **state) {
    (void)state;
    assert_string_equal(rhythm_of(every_30, NULL, 300, "ssd"),
                        "w_await_ms 30 s, 10 spikes, 1 regular, 101 ms, usually 1 ms, discards 0 0, lines 10 40");
    assert_string_equal(rhythm_of(every_5, NULL, 60, "nvme"),
                        "w_await_ms 5 s, 12 spikes, 1 regular, 40 ms, usually 1 ms, discards 0 0, lines 10 15");
    assert_string_equal(rhythm_of(every_30, while_slow, 300, "hdd"),
                        "w_await_ms 30 s, 10 spikes, 1 regular, 101 ms, usually 1 ms, discards 1 0, lines 10 40");
}

static void finds_none(void **state) {
    (void)state;
    assert_string_equal(rhythm_of(uneven, NULL, 300, "ssd"), "");
    assert_string_equal(rhythm_of(mostly_slow, NULL, 300, "ssd"), "");
    assert_string_equal(rhythm_of(every_30, NULL, 120, "ssd"), ""); /* four spikes are no rhythm */
    assert_string_equal(rhythm_of(small, NULL, 300, "ssd"), "");
    assert_true(strlen(rhythm_of(small, NULL, 300, "nvme")) > 0); /* 4 ms are long for NVMe */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds), cmocka_unit_test(finds_none)};
    return cmocka_run_group_tests_name("rhythm of spikes", tests, NULL, NULL);
}
