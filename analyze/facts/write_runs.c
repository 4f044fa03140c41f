#include "write_runs.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>

#define FIRST_S 30.0
#define LOW_S 60.0
#define PAUSE_S 5.0
#define SHORTEST_SAMPLE_S 0.05 /* no tool samples faster, and it bounds how many points a minute has */
#define LONGEST_SAMPLE_S 60.0  /* a bucket wider than that hides where a run began */
#define FALLEN 0.3
#define RISEN 0.7
#define LOW_SHARE 0.9
#define LEAST_BYTES_S 20e6
enum { MAX_FALLS = 8, MAX_RUN = 4 * 1000 * 1000 };

typedef struct Point {
    double dt_s, bytes_s, writes_s, reads_s, queue, wait_ms;
    int64_t line;
} Point;

typedef struct Mean { /* over time */
    double s, bytes, writes, reads, queue_s, queue, wait, waited;
} Mean;

typedef struct Run {
    Point *points;
    size_t n, cap;
    double pause_s;
    size_t last_busy; /* points up to here belong to the run */
    int64_t src;
} Run;

typedef struct Kept { /* the longest run that did not fall */
    double seconds, bytes, first, late, first_wait, late_wait;
} Kept;

static double number(sqlite3_stmt *st, int i) {
    return sqlite3_column_type(st, i) == SQLITE_NULL ? NAN : sqlite3_column_double(st, i);
}

static void mean_add(Mean *m, const Point *p) {
    m->s += p->dt_s;
    m->bytes += p->bytes_s * p->dt_s;
    m->writes += p->writes_s * p->dt_s;
    if (isfinite(p->reads_s)) m->reads += p->reads_s * p->dt_s;
    if (isfinite(p->queue)) {
        m->queue += p->queue * p->dt_s;
        m->queue_s += p->dt_s;
    }
    if (isfinite(p->wait_ms)) {
        m->wait += p->wait_ms * p->writes_s * p->dt_s;
        m->waited += p->writes_s * p->dt_s;
    }
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : NAN;
}

/* Is what is asked of the drive the same as at first, or more? */
static bool same_demand(const Mean *first, const Mean *low) {
    double size = ratio(ratio(low->bytes, low->writes), ratio(first->bytes, first->writes));
    if (!(size >= 0.5 && size <= 2)) return false;
    if (first->queue_s > 0 && low->queue_s > 0 && low->queue / low->queue_s < 0.5 * first->queue / first->queue_s)
        return false;
    double reads = low->reads / low->s;
    return reads <= 0.1 * low->writes / low->s || reads <= 2 * first->reads / first->s;
}

static void bind_real(sqlite3_stmt *put, int i, double v) {
    if (isfinite(v)) sqlite3_bind_double(put, i, v);
    else sqlite3_bind_null(put, i);
}

static void put_row(sqlite3_stmt *put, const Kept *k, double fell_after_s, double fell_after_bytes, double low_s,
                    int64_t fall_line) {
    bind_real(put, 4, k->seconds);
    bind_real(put, 5, k->bytes);
    bind_real(put, 6, k->first / 1e6);
    bind_real(put, 7, k->late / 1e6);
    bind_real(put, 8, fell_after_s);
    bind_real(put, 9, fell_after_bytes);
    bind_real(put, 10, low_s);
    bind_real(put, 11, k->first_wait);
    bind_real(put, 12, k->late_wait);
    if (fall_line > 0) sqlite3_bind_int64(put, 13, fall_line);
    else sqlite3_bind_null(put, 13);
    sqlite3_step(put);
    sqlite3_reset(put);
}

/* Looks at a run that has ended; true when it fell. src_cited: the piece whose lines the row may name. */
static bool judge(const Run *run, sqlite3_stmt *put, int64_t src_cited, Kept *longest) {
    Mean first = {0}, rest = {0};
    size_t n = run->last_busy + 1, at = 0;
    if (!run->n) return false;
    while (at < n && first.s < FIRST_S) mean_add(&first, &run->points[at++]);
    if (first.s < FIRST_S || first.bytes / first.s < LEAST_BYTES_S) return false;
    double rate = first.bytes / first.s, before_s = first.s, before_bytes = first.bytes;
    for (size_t i = at; i < n; i++) mean_add(&rest, &run->points[i]);
    if (rest.s < LOW_S) return false;
    Kept k = {first.s + rest.s,    first.bytes + rest.bytes,        rate,
              rest.bytes / rest.s, ratio(first.wait, first.waited), ratio(rest.wait, rest.waited)};
    for (size_t i = at, next; i < n; i = next) {
        next = i + 1;
        /* from here on as long as nine tenths of the time are low */
        Mean low = {0}, held = {0};
        double low_s = 0;
        for (size_t j = i; j < n && run->points[i].bytes_s < FALLEN * rate && run->points[j].bytes_s < RISEN * rate;
             j++) {
            mean_add(&low, &run->points[j]);
            if (run->points[j].bytes_s < FALLEN * rate) low_s += run->points[j].dt_s;
            if (low_s < LOW_SHARE * low.s) break;
            held = low;
            if (held.s >= LOW_S) next = j + 1; /* a long stretch is looked at once */
        }
        if (held.s >= LOW_S && held.bytes / held.s < FALLEN * rate && same_demand(&first, &held)) {
            k.late = held.bytes / held.s;
            k.late_wait = ratio(held.wait, held.waited);
            put_row(put, &k, before_s, before_bytes, held.s, run->src == src_cited ? run->points[i].line : 0);
            return true;
        }
        for (size_t j = i; j < next; j++) {
            before_s += run->points[j].dt_s;
            before_bytes += run->points[j].bytes_s * run->points[j].dt_s;
        }
    }
    if (k.seconds > longest->seconds) *longest = k;
    return false;
}

static bool one_series(sqlite3_stmt *get, sqlite3_stmt *put, int64_t src_cited, Error *err) {
    Run run = {0};
    Kept longest = {0};
    double last_t = NAN;
    int falls = 0;
    bool ok = true;
    while (ok && sqlite3_step(get) == SQLITE_ROW) {
        double t = number(get, 0), util = number(get, 6);
        Point p = {number(get, 1),
                   number(get, 2),
                   number(get, 3),
                   number(get, 4),
                   number(get, 5),
                   number(get, 7),
                   sqlite3_column_int64(get, 9)};
        int64_t src = sqlite3_column_int64(get, 8);
        bool usable =
            p.dt_s >= SHORTEST_SAMPLE_S && p.dt_s <= LONGEST_SAMPLE_S && isfinite(p.bytes_s) && isfinite(p.writes_s);
        bool busy = usable && p.writes_s >= 5 && (isfinite(p.queue) ? p.queue >= 1 : util >= 80);
        bool on = usable && run.n && src == run.src && t > last_t && t - last_t < 2 * p.dt_s + 0.5 &&
                  (busy || run.pause_s + p.dt_s <= PAUSE_S) && run.n < MAX_RUN;
        if (run.n && !on) {
            if (falls < MAX_FALLS && judge(&run, put, src_cited, &longest)) falls++;
            run.n = 0;
        }
        if (!busy && !run.n) continue;
        if (run.n == run.cap) {
            run.cap = run.cap ? run.cap * 2 : 256;
            Point *more = realloc(run.points, run.cap * sizeof *more);
            if (!more) {
                ok = error_set(err, "write runs: out of memory");
                break;
            }
            run.points = more;
        }
        if (!run.n) run.src = src;
        run.pause_s = busy ? 0 : run.pause_s + p.dt_s;
        if (busy) run.last_busy = run.n;
        run.points[run.n++] = p;
        last_t = t;
    }
    if (ok && falls < MAX_FALLS) judge(&run, put, src_cited, &longest);
    if (ok && longest.seconds > 0) put_row(put, &longest, NAN, NAN, NAN, 0);
    free(run.points);
    return ok;
}

bool write_runs_compute_in(sqlite3 *db, Error *err) {
    sqlite3_stmt *drives = NULL, *get = NULL, *put = NULL;
    /* a drive that never wrote that fast has no run: its samples are not read */
    bool ok = sqlite3_prepare_v2(db,
                                 "SELECT x.capture, x.node, x.tool, x.src, x.line, coalesce((SELECT y.worst_line FROM "
                                 "distribution y WHERE y.capture = x.capture AND y.node = x.node AND y.tool = x.tool "
                                 "AND y.src = x.src AND y.metric = 'w_await_ms' AND y.basis <> 'lifetime average'), "
                                 "x.worst_line) FROM distribution x JOIN drive d ON d.node "
                                 "= x.node AND d.capture = x.capture WHERE x.metric = 'w_bytes_s' AND x.basis <> "
                                 "'lifetime average' AND x.n >= 3 AND x.max >= 20e6 AND coalesce(d.is_virtual, 0) = 0 "
                                 "AND x.tool NOT LIKE 'zpool%' GROUP BY x.capture, x.node, x.tool ORDER BY 1, 2, 3",
                                 -1, &drives, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db,
                                 "SELECT t, dt_s, w_bytes_s, w_s, r_s, aqu_sz, util_pct, w_await_ms, src, line FROM "
                                 "sample WHERE capture = ?1 AND node = ?2 AND tool = ?3",
                                 -1, &get, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db,
                                 "INSERT INTO write_run(capture, node, tool, seconds, bytes, first_mb_s, late_mb_s, "
                                 "fell_after_s, fell_after_bytes, low_s, first_wait_ms, late_wait_ms, fall_line, src, "
                                 "line, worst_line) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)",
                                 -1, &put, NULL) == SQLITE_OK;
    if (!ok) error_set(err, "write runs: %s", sqlite3_errmsg(db));
    while (ok && sqlite3_step(drives) == SQLITE_ROW) {
        for (int i = 0; i < 3; i++) {
            sqlite3_bind_value(get, i + 1, sqlite3_column_value(drives, i));
            sqlite3_bind_value(put, i + 1, sqlite3_column_value(drives, i));
        }
        /* of a series only the first and the worst rows are kept as text */
        for (int i = 3; i < 6; i++) sqlite3_bind_value(put, i + 11, sqlite3_column_value(drives, i));
        ok = one_series(get, put, sqlite3_column_int64(drives, 3), err);
        sqlite3_reset(get);
    }
    sqlite3_finalize(drives);
    sqlite3_finalize(get);
    sqlite3_finalize(put);
    return ok;
}

bool write_runs_compute(Facts *f, Error *err) {
    return write_runs_compute_in(facts_db(f), err);
}
