#include "spike_rhythm.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_STARTS = 20000, LEAST_STARTS = 6 };
#define TIMES_MEDIAN 4.0
#define REGULAR_SHARE 0.7
#define TOLERANCE 0.15

typedef struct Spikes {
    double *start, *peak_ms, *gap; /* MAX_STARTS each */
    size_t n;
    double samples, slow, slow_discards, other_discards;
    double step_s; /* the shortest distance of two samples */
    int64_t src, line, second_line;
} Spikes;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *v, size_t n) {
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* get: t, dt_s, wait, d_s, src, line of one series, in the order of time. */
static void find_spikes(sqlite3_stmt *get, double threshold_ms, Spikes *s) {
    double last_t = NAN, last_slow_t = NAN;
    s->n = 0;
    s->samples = s->slow = s->slow_discards = s->other_discards = 0;
    s->step_s = NAN;
    while (sqlite3_step(get) == SQLITE_ROW) {
        if (sqlite3_column_type(get, 0) == SQLITE_NULL || sqlite3_column_type(get, 2) == SQLITE_NULL) continue;
        double t = sqlite3_column_double(get, 0), wait = sqlite3_column_double(get, 2);
        if (t <= last_t) continue; /* the clock was set back */
        double dt = sqlite3_column_type(get, 1) == SQLITE_NULL ? t - last_t : sqlite3_column_double(get, 1);
        if (dt > 0 && !(s->step_s <= dt)) s->step_s = dt;
        bool discards = sqlite3_column_double(get, 3) > 0;
        last_t = t;
        s->samples++;
        if (!(wait >= threshold_ms)) {
            s->other_discards += discards;
            continue;
        }
        s->slow++;
        s->slow_discards += discards;
        if (t - last_slow_t <= 2.5 * s->step_s) { /* still the same one */
            if (s->n && wait > s->peak_ms[s->n - 1]) s->peak_ms[s->n - 1] = wait;
        } else if (s->n < MAX_STARTS) {
            if (s->n < 2) {
                s->src = sqlite3_column_int64(get, 4);
                *(s->n ? &s->second_line : &s->line) = sqlite3_column_int64(get, 5);
            }
            s->start[s->n] = t;
            s->peak_ms[s->n++] = wait;
        }
        last_slow_t = t;
    }
}

/* put: the row, its first four columns bound. */
static void judge(Spikes *s, double usual_ms, sqlite3_stmt *put) {
    if (s->n < LEAST_STARTS || s->slow > 0.5 * s->samples || !(s->step_s > 0)) return;
    size_t gaps = s->n - 1;
    for (size_t i = 0; i < gaps; i++) s->gap[i] = s->start[i + 1] - s->start[i];
    double period = median_of(s->gap, gaps), tolerance = fmax(TOLERANCE * period, 1.5 * s->step_s);
    if (period < 3 * s->step_s) return;
    size_t regular = 0;
    for (size_t i = 0; i < gaps; i++) regular += fabs(s->gap[i] - period) <= tolerance;
    if ((double)regular < REGULAR_SHARE * (double)gaps) return;
    sqlite3_bind_double(put, 5, period);
    sqlite3_bind_int64(put, 6, (sqlite3_int64)s->n);
    sqlite3_bind_double(put, 7, (double)regular / (double)gaps);
    sqlite3_bind_double(put, 8, median_of(s->peak_ms, s->n));
    sqlite3_bind_double(put, 9, usual_ms);
    sqlite3_bind_double(put, 10, s->slow_discards / s->slow);
    sqlite3_bind_double(put, 11, s->other_discards / fmax(s->samples - s->slow, 1));
    sqlite3_bind_int64(put, 12, s->src);
    sqlite3_bind_int64(put, 13, s->line);
    sqlite3_bind_int64(put, 14, s->second_line);
    sqlite3_step(put);
    sqlite3_reset(put);
}

bool spike_rhythm_compute_in(sqlite3 *db, Error *err) {
    static const char *const get_sql[] = {
        "SELECT t, dt_s, w_await_ms, d_s, src, line FROM sample WHERE capture = ?1 AND node = ?2 AND tool = ?3",
        "SELECT t, dt_s, r_await_ms, d_s, src, line FROM sample WHERE capture = ?1 AND node = ?2 AND tool = ?3"};
    sqlite3_stmt *series = NULL, *get[2] = {NULL, NULL}, *put = NULL;
    /* a drive whose longest wait is no spike, or that was watched too short for six of them, is not read */
    bool ok =
        sqlite3_prepare_v2(
            db,
            "SELECT x.capture, x.node, x.tool, x.metric, x.p50, CASE d.media WHEN 'nvme' THEN 2.0 WHEN 'hdd' THEN 30.0 "
            "ELSE 5.0 END FROM distribution x JOIN drive d ON d.node = x.node AND d.capture = x.capture"
            " WHERE x.metric IN ('w_await_ms', 'r_await_ms') AND x.basis <> 'lifetime average' AND x.n >= 20 AND x.p50 "
            "> 0 AND x.max >= 4 * x.p50 AND coalesce(d.is_virtual, 0) = 0 AND d.media IN ('hdd', 'ssd', 'nvme')"
            " AND EXISTS (SELECT 1 FROM series s WHERE s.capture = x.capture AND s.node = x.node AND s.tool = x.tool "
            "AND s.has_time = 1 AND s.bucket_s IS NULL)"
            " ORDER BY 1, 2, 3, 4",
            -1, &series, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, get_sql[0], -1, &get[0], NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, get_sql[1], -1, &get[1], NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db,
                           "INSERT INTO spike_rhythm(capture, node, tool, metric, period_s, spikes, regular, spike_ms, "
                           "usual_ms, with_discards, other_discards, src, line, second_line) "
                           "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
                           -1, &put, NULL) == SQLITE_OK;
    if (!ok) error_set(err, "rhythm of spikes: %s", sqlite3_errmsg(db));
    Spikes s = {0};
    double *space = ok ? malloc(3 * (size_t)MAX_STARTS * sizeof *space) : NULL;
    if (ok && !space) ok = error_set(err, "rhythm of spikes: out of memory");
    s.start = space;
    s.peak_ms = space ? space + MAX_STARTS : NULL;
    s.gap = space ? space + 2 * (size_t)MAX_STARTS : NULL;
    while (ok && sqlite3_step(series) == SQLITE_ROW) {
        sqlite3_stmt *one = get[sqlite3_column_text(series, 3)[0] == 'r'];
        for (int i = 0; i < 4; i++) {
            if (i < 3) sqlite3_bind_value(one, i + 1, sqlite3_column_value(series, i));
            sqlite3_bind_value(put, i + 1, sqlite3_column_value(series, i));
        }
        double usual = sqlite3_column_double(series, 4);
        find_spikes(one, fmax(TIMES_MEDIAN * usual, sqlite3_column_double(series, 5)), &s);
        judge(&s, usual, put);
        sqlite3_reset(one);
    }
    free(space);
    sqlite3_finalize(series);
    sqlite3_finalize(get[0]);
    sqlite3_finalize(get[1]);
    sqlite3_finalize(put);
    return ok;
}

bool spike_rhythm_compute(Facts *f, Error *err) {
    return spike_rhythm_compute_in(facts_db(f), err);
}
