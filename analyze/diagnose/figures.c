#include "figures.h"

#include "../facts/series.h"
#include "column.h"

#include <math.h>
#include <stdlib.h>

enum {
    SAMPLES_SORTED = 8192, /* per drive and direction; of more every k-th */
    RUNS_KEPT = 8          /* runs of the tool per drive */
};

void fold_add(Fold *f, double value, double weight) {
    if (!isfinite(value) || value < 0 || !isfinite(weight) || weight <= 0) return;
    if (f->weight <= 0 || value > (double)f->max) f->max = (float)value;
    f->sum += value * weight;
    f->weight += weight;
}

float fold_mean(const Fold *f) {
    return f->weight > 0 ? (float)(f->sum / f->weight) : NAN;
}

double moment_step(double span_s, double sample_s) {
    double least = isfinite(sample_s) && sample_s > 0 ? fmin(fmax(sample_s, 1e-3), 1e9) : 1;
    if (!(span_s > 0)) return least;
    /* Whole samples, so that each moment holds as many. */
    double wide = ceil(fmin(span_s, 1e12) / FIGURE_MOMENTS / least - 1e-6) * least;
    return wide > least ? wide : least;
}

static int by_value(const void *x, const void *y) {
    const Counted *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

size_t dots_of(Counted *values, size_t count, float *dots) {
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) all += values[i].n;
    size_t n = all < FIGURE_DOTS ? (size_t)all : FIGURE_DOTS;
    if (!n) return 0;
    qsort(values, count, sizeof *values, by_value);
    uint64_t below = 0;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        double rank = ((double)i + 0.5) / (double)n * (double)all;
        while (at + 1 < count && (double)(below + values[at].n) <= rank) below += values[at++].n;
        dots[i] = values[at].value;
    }
    return n;
}

/* ---------------------------------------------------------------- samples */

/* What tools measure of the wait of reads and writes, the kernel's own figures before those of the pool. */
static const struct {
    Metric read, write;
} waits[] = {{M_r_await_ms, M_w_await_ms}, {M_disk_wait_read_ms, M_disk_wait_write_ms}};

typedef struct Work {
    Facts *f;
    Arena *a;
    Diagnosis *d;
    Figures *out;
    size_t kind; /* of waits */
    const char *tool;
    int64_t from_ms, to_ms;
} Work;

static bool measures_wait(const Series *s, size_t kind) {
    return series_column(s, waits[kind].read) >= 0 || series_column(s, waits[kind].write) >= 0;
}

typedef struct Candidate {
    Series *series;
    SeriesInfo info;
    size_t drive;
} Candidate;

typedef VEC(Candidate) Candidates;

/* All series of the drives of this capture that measure waits, of the tool that has most of them. */
static void collect(Work *w, Candidates *all) {
    Samples *samples = facts_samples(w->f);
    size_t count = samples ? samples_series_count(samples) : 0;
    /* Drives are found by their node through a table, as there may be thousands of both. */
    int64_t most = 0;
    for (size_t i = 0; i < w->d->drives.count; i++)
        if (w->d->drives.items[i].node > most) most = w->d->drives.items[i].node;
    uint32_t *of_node = arena_array(w->a, uint32_t, (size_t)most + 1);
    for (size_t i = 0; i < w->d->drives.count; i++)
        if (w->d->drives.items[i].node > 0) of_node[w->d->drives.items[i].node] = (uint32_t)i + 1;
    for (w->kind = 0; w->kind < sizeof waits / sizeof *waits && !all->count; w->kind++) {
        bool clock = false;
        for (size_t i = 0; i < count; i++) {
            Series *s = samples_series_at(samples, i);
            SeriesInfo info = series_info(s);
            if (info.capture != w->d->capture.id || info.node <= 0 || info.node > most || !of_node[info.node] ||
                info.rows < 3 || !measures_wait(s, w->kind))
                continue;
            clock |= info.has_time;
            VEC_PUSH(w->a, all, ((Candidate){s, info, of_node[info.node] - 1}));
        }
        size_t kept = 0; /* rows with a time and rows without have no axis in common */
        for (size_t i = 0; i < all->count; i++)
            if (all->items[i].info.has_time == clock) all->items[kept++] = all->items[i];
        all->count = kept;
        w->out->clock = clock;
    }
    w->kind--;
    if (!all->count) return;
    /* The tool of the longest series speaks; its runs near that one in time, too. */
    const SeriesInfo *main = &all->items[0].info;
    for (size_t i = 1; i < all->count; i++)
        if (all->items[i].info.n > main->n) main = &all->items[i].info;
    w->tool = main->tool;
    w->from_ms = main->first_ms;
    w->to_ms = main->last_ms;
    w->out->sample_s = isfinite(main->interval_s) && main->interval_s > 0 ? main->interval_s : 1;
    int64_t near = main->last_ms - main->first_ms, first = main->first_ms, last = main->last_ms;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const Candidate c = all->items[i];
        if (c.info.tool != w->tool || c.info.first_ms > last + near || c.info.last_ms < first - near) continue;
        if (c.info.first_ms < w->from_ms) w->from_ms = c.info.first_ms;
        if (c.info.last_ms > w->to_ms) w->to_ms = c.info.last_ms;
        all->items[kept++] = c;
    }
    all->count = kept;
}

static double value_at(const SampleRow *row, int column) {
    return column >= 0 ? (double)row->values[column] : NAN;
}

static void read_drive(Work *w, const Candidates *all, size_t drive) {
    Arena *a = w->a;
    Figures *out = w->out;
    size_t m = out->moments;
    Fold *folds = arena_array(a, Fold, m * 4); /* reads, writes, util, bytes */
    Counted *sorted[2] = {NULL, NULL};
    size_t sorted_n[2] = {0, 0}, wait_n[2] = {0, 0};
    uint64_t rows = 0;
    for (size_t i = 0; i < all->count; i++) rows += all->items[i].drive == drive ? all->items[i].info.rows : 0;
    size_t stride = (size_t)(rows / SAMPLES_SORTED) + 1;
    for (size_t k = 0; k < 2; k++) sorted[k] = arena_array(a, Counted, rows / stride + RUNS_KEPT + 1);
    size_t runs = 0, seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].drive != drive || runs++ == RUNS_KEPT) continue;
        Series *s = all->items[i].series;
        int wait[2] = {series_column(s, waits[w->kind].read), series_column(s, waits[w->kind].write)},
            rate[2] = {series_column(s, M_r_s), series_column(s, M_w_s)},
            bytes[2] = {series_column(s, M_r_bytes_s), series_column(s, M_w_bytes_s)},
            util = series_column(s, M_util_pct);
        SeriesCursor cursor;
        SampleRow row;
        for (series_open(&cursor, s, w->from_ms, w->to_ms); series_next(&cursor, &row); seen++) {
            double at = ((double)(row.t_ms - w->from_ms) / 1000 + out->sample_s) / out->step_s;
            size_t moment = at > 1 ? (size_t)ceil(at - 1e-6) - 1 : 0;
            if (moment >= m) moment = m - 1;
            double n = row.n ? row.n : 1;
            for (size_t k = 0; k < 2; k++) {
                double ms = value_at(&row, wait[k]), ops = value_at(&row, rate[k]);
                if (!isfinite(ms) || ms < 0 || ops <= 0) continue; /* no operation, no wait */
                fold_add(&folds[k * m + moment], ms, (isfinite(ops) ? ops : 1) * n);
                wait_n[k] += row.n ? row.n : 1;
                if (seen % stride == 0 && sorted_n[k] < rows / stride + RUNS_KEPT)
                    sorted[k][sorted_n[k]++] = (Counted){(float)ms, row.n ? row.n : 1};
            }
            fold_add(&folds[2 * m + moment], value_at(&row, util), n);
            double read = value_at(&row, bytes[0]), write = value_at(&row, bytes[1]);
            if (isfinite(read) || isfinite(write))
                fold_add(&folds[3 * m + moment], (isfinite(read) ? read : 0) + (isfinite(write) ? write : 0), n);
        }
    }
    DriveFigure x = {.drive = drive, .class_wait_ms = NAN, .slow_wait_ms = NAN};
    for (size_t k = 0; k < 4; k++) {
        bool any = false;
        for (size_t i = 0; i < m; i++) any |= folds[k * m + i].weight > 0;
        if (!any) continue;
        float *values = arena_array(a, float, m), *most = k < 2 ? arena_array(a, float, m) : NULL;
        for (size_t i = 0; i < m; i++) {
            values[i] = fold_mean(&folds[k * m + i]);
            if (most) most[i] = folds[k * m + i].weight > 0 ? folds[k * m + i].max : NAN;
        }
        if (k < 2) {
            x.wait_ms[k] = values;
            x.wait_max_ms[k] = most;
            x.wait_n[k] = wait_n[k];
            x.dots[k] = dots_of(sorted[k], sorted_n[k], x.dots_ms[k]);
        } else if (k == 2) x.util_pct = values;
        else x.bytes_s = values;
    }
    VEC_PUSH(a, &out->drives, x);
}

static void read_classes(Work *w) {
    sqlite3_stmt *st =
        facts_query(w->f, "SELECT class_wait_ms, slow_wait_ms FROM drive WHERE node = ?1 AND capture = ?2");
    for (size_t i = 0; i < w->out->drives.count; i++) {
        DriveFigure *x = &w->out->drives.items[i];
        sqlite3_bind_int64(st, 1, w->d->drives.items[x->drive].node);
        sqlite3_bind_int64(st, 2, w->d->capture.id);
        if (sqlite3_step(st) == SQLITE_ROW) {
            x->class_wait_ms = column_real(st, 0);
            x->slow_wait_ms = column_real(st, 1);
        }
        sqlite3_reset(st);
    }
}

static void read_samples(Work *w) {
    Figures *out = w->out;
    Candidates all = {0};
    collect(w, &all);
    if (!all.count) return;
    double span = (double)(w->to_ms - w->from_ms) / 1000 + out->sample_s;
    for (size_t i = 0; i < all.count; i++)
        if ((double)all.items[i].info.bucket_ms / 1000 > out->sample_s)
            out->sample_s = (double)all.items[i].info.bucket_ms / 1000;
    out->step_s = moment_step(span, out->sample_s);
    double moments = ceil(span / out->step_s - 1e-6);
    out->moments = moments > 1 ? (size_t)fmin(moments, FIGURE_MOMENTS) : 1;
    out->start_s = (double)w->from_ms / 1000 - out->sample_s;
    out->tool = arena_str(w->a, str_of(w->tool));
    bool *sampled = arena_array(w->a, bool, w->d->drives.count);
    for (size_t i = 0; i < all.count; i++) sampled[all.items[i].drive] = true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->d->drives.count; i++) {
            if (!sampled[i] || w->d->drives.items[i].culprit != (pass == 0)) continue;
            if (out->drives.count == FIGURE_DRIVES) out->drives_left_out++;
            else read_drive(w, &all, i);
        }
    out->metric[0] = str_of(metric_names[waits[w->kind].read]);
    out->metric[1] = str_of(metric_names[waits[w->kind].write]);
    read_classes(w);
}

static int by_time(const void *x, const void *y) {
    const PressurePoint *a = x, *b = y;
    return (a->t_s > b->t_s) - (a->t_s < b->t_s);
}

/* From the samples of a collector, else from files read at several times. */
static void read_pressure(Work *w) {
    Figures *out = w->out;
    static const char *const queries[] = {
        "SELECT t, psi_io_some_pct, psi_io_full_pct FROM sample WHERE capture = ?1 AND psi_io_some_pct IS NOT NULL AND "
        "node IN (SELECT node FROM series s WHERE s.capture = ?1 AND s.has_time = 1 AND s.tool NOT IN ('iostat', "
        "'zpool-iostat'))",
        "SELECT t_s, max(CASE kind WHEN 'some' THEN avg10_pct END), max(CASE kind WHEN 'full' THEN avg10_pct END) FROM "
        "pressure WHERE capture = ?1 AND resource = 'io' AND t_s IS NOT NULL GROUP BY t_s"};
    VEC(PressurePoint) all = {0};
    for (size_t q = 0; q < sizeof queries / sizeof *queries && all.count < 3; q++) {
        all.count = 0;
        sqlite3_stmt *st = facts_query(w->f, queries[q]);
        sqlite3_bind_int64(st, 1, w->d->capture.id);
        while (sqlite3_step(st) == SQLITE_ROW)
            VEC_PUSH(w->a, &all, ((PressurePoint){column_real(st, 0), column_real(st, 1), column_real(st, 2)}));
        sqlite3_reset(st);
    }
    if (all.count < 3) return;
    qsort(all.items, all.count, sizeof *all.items, by_time);
    size_t per = (all.count + FIGURE_MOMENTS - 1) / FIGURE_MOMENTS;
    for (size_t i = 0; i < all.count; i += per) {
        Fold some = {0}, full = {0};
        size_t end = i + per < all.count ? i + per : all.count;
        for (size_t k = i; k < end; k++) {
            fold_add(&some, all.items[k].some_pct, 1);
            fold_add(&full, all.items[k].full_pct, 1);
        }
        VEC_PUSH(w->a, &out->pressure,
                 ((PressurePoint){all.items[end - 1].t_s, (double)fold_mean(&some), (double)fold_mean(&full)}));
    }
}

/* ---------------------------------------------------------------- events */

/* Times without a zone on a host whose zone is unknown stand on no axis. */
#define ZONE_KNOWN "NOT (coalesce(o.local_time, 0) = 1 AND c.timezone_s IS NULL)"
#define GRAVE "l.severity IN ('critical', 'high')"
/* What happened; lines of medium severity that tell how something is set up did not happen at that time. */
#define COUNTS                                                                                                         \
    "(l.severity IN ('critical', 'high') OR (l.severity = 'medium' AND l.event NOT IN ('usb-speed', "                  \
    "'write-cache-state', 'write-cache-assumed', 'ide-mode-map', 'ide-dma-status', 'cable-40-wire', 'hpa', "           \
    "'uas-not-used', 'usb-not-top-speed', 'port-multiplier', 'smr', 'duplicate-ids', 'bridge-limits', "                \
    "'host-memory-buffer-failed', 'hba-firmware-mismatch', 'md-sync-start', 'pcie-bandwidth-limited', "                \
    "'security-locked', 'sense-placeholder', 'raid-controller-event', 'fs-old-errors')))"

static void add_events(Work *w, FigureEventKind kind, const char *sql) {
    sqlite3_stmt *st = facts_query(w->f, sql);
    sqlite3_bind_int64(st, 1, w->d->capture.id);
    while (sqlite3_step(st) == SQLITE_ROW) {
        FigureEvent e = {.kind = kind,
                         .from_s = column_real(st, 0),
                         .to_s = column_real(st, 1),
                         .count = (size_t)sqlite3_column_int64(st, 2),
                         .what = column_text(w->a, st, 3),
                         .of = column_text(w->a, st, 4),
                         .running = sqlite3_column_int(st, 5) != 0,
                         .grave = sqlite3_column_int(st, 6) != 0};
        if (kind == FIGURE_KERNEL) e.parts = (size_t)sqlite3_column_int64(st, 7);
        if (!isfinite(e.from_s)) continue;
        if (e.to_s <= e.from_s) e.to_s = NAN;
        if (!e.count) e.count = 1;
        if (w->out->events.count == FIGURE_EVENTS) w->out->events_left_out++;
        else VEC_PUSH(w->a, &w->out->events, e);
    }
    sqlite3_reset(st);
}

static int by_begin(const void *x, const void *y) {
    const FigureEvent *a = x, *b = y;
    if (a->from_s != b->from_s) return a->from_s < b->from_s ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    int c = str_cmp(a->what, b->what);
    return c ? c : str_cmp(a->of, b->of);
}

static void read_events(Work *w) {
    for (size_t i = 0; i < w->d->bundle.captures.count && i < FIGURE_EVENTS / 4; i++) {
        const CaptureInfo *c = &w->d->bundle.captures.items[i];
        if (!isfinite(c->start_s)) continue;
        FigureEvent e = {.kind = FIGURE_CAPTURE,
                         .from_s = c->start_s,
                         .to_s = c->end_s > c->start_s ? c->end_s : NAN,
                         .count = 1,
                         .what = c->label,
                         .running = c->id == w->d->capture.id};
        VEC_PUSH(w->a, &w->out->events, e);
    }
    add_events(w, FIGURE_BOOT,
               "SELECT coalesce(b.start_s, c.start_s - c.uptime_s), NULL, 1, '', '', 0, 0 FROM capture "
               "c LEFT JOIN boot b ON b.capture = c.id AND b.seq = 0 WHERE c.id = ?1 LIMIT 1");
    add_events(w, FIGURE_SLOW,
               "SELECT from_s, to_s, 1, what, '', 0, 0 FROM complaint_window WHERE capture = ?1 AND "
               "what <> 'this capture was made' ORDER BY from_s DESC LIMIT 20");
    /* Lines of one event belong together until it was silent for an hour. */
    add_events(
        w, FIGURE_KERNEL,
        "WITH line AS (SELECT l.event, l.node, l.t_s, coalesce(l.last_t_s, l.t_s) AS end_s, coalesce(l.count, 1) AS "
        "n, " GRAVE
        " AS grave, max(coalesce(l.last_t_s, l.t_s)) OVER (PARTITION BY l.event ORDER BY l.t_s ROWS BETWEEN UNBOUNDED "
        "PRECEDING AND 1 PRECEDING) AS before_s FROM log_event l LEFT JOIN source o ON o.id = l.src JOIN capture c ON "
        "c.id = l.capture WHERE l.capture = ?1 AND coalesce(l.boot, 0) = 0 AND l.t_s IS NOT NULL AND l.event IS NOT "
        "NULL AND " COUNTS " AND " ZONE_KNOWN
        "), storm AS (SELECT *, sum(before_s IS NULL OR t_s > before_s + 3600) OVER "
        "(PARTITION BY event ORDER BY t_s ROWS UNBOUNDED PRECEDING) AS storm FROM line) "
        "SELECT min(s.t_s), max(s.end_s), sum(s.n), s.event, CASE WHEN count(DISTINCT s.node) < 2 THEN max(n.label) "
        "END, "
        "0, max(s.grave), count(DISTINCT s.node) FROM storm s LEFT JOIN node n ON n.id = s.node GROUP BY s.event, "
        "s.storm ORDER BY 7 DESC, 3 DESC, 1 LIMIT 150");
    /* What began after the capture's end did not happen by then: a list of another day. */
    add_events(w, FIGURE_JOB,
               "SELECT j.start_s, j.end_s, 1, substr(j.name, 1, 200), '', j.runs, 0 FROM job_seen j JOIN capture c ON "
               "c.id = j.capture WHERE j.capture = ?1 AND j.start_s IS NOT NULL AND j.told_by NOT IN ('pidstat', "
               "'iotop') AND coalesce(j.state, '') <> 'conditional' AND (c.end_s IS NULL OR j.start_s <= c.end_s + 60) "
               "GROUP BY j.name, j.start_s ORDER BY j.start_s DESC LIMIT 80");
    add_events(
        w, FIGURE_POOL,
        "SELECT min(t_s), max(t_s), count(*), what, n.label, 0, what IN ('io-failure', 'deadman', 'removed', 'state') "
        "FROM pool_event p LEFT JOIN node n ON n.id = p.node WHERE p.capture = ?1 AND t_s IS NOT NULL AND what <> "
        "'command' GROUP BY what, p.node, CASE WHEN what IN ('delay', 'checksum', 'io') THEN 0 ELSE t_s END "
        "ORDER BY 1 DESC LIMIT 80");
    Figures *out = w->out;
    if (out->events.count) qsort(out->events.items, out->events.count, sizeof *out->events.items, by_begin);
}

/* Kernel events while samples were taken, folded by event and moment. */
static void read_marks(Work *w) {
    Figures *out = w->out;
    if (!out->clock || out->moments < 3) return;
    sqlite3_stmt *st = facts_query(
        w->f,
        "SELECT CAST((l.t_s - ?2) / ?3 AS INTEGER) AS moment, l.event, sum(coalesce(l.count, 1)), max(" GRAVE "), "
        "min(l.t_s) FROM log_event l LEFT JOIN source o ON o.id = l.src JOIN capture c ON c.id = l.capture WHERE "
        "l.capture = ?1 AND coalesce(l.boot, 0) = 0 AND l.t_s BETWEEN ?2 AND ?4 AND l.event IS NOT NULL AND " COUNTS
        " AND " ZONE_KNOWN " GROUP BY 1, 2 ORDER BY 4 DESC, 3 DESC, 1 LIMIT 400");
    sqlite3_bind_int64(st, 1, w->d->capture.id);
    sqlite3_bind_double(st, 2, out->start_s);
    sqlite3_bind_double(st, 3, out->step_s);
    sqlite3_bind_double(st, 4, out->start_s + out->step_s * (double)out->moments);
    while (sqlite3_step(st) == SQLITE_ROW)
        VEC_PUSH(w->a, &out->marks,
                 ((FigureEvent){.kind = FIGURE_KERNEL,
                                .from_s = column_real(st, 4),
                                .to_s = NAN,
                                .count = (size_t)sqlite3_column_int64(st, 2),
                                .what = column_text(w->a, st, 1),
                                .grave = sqlite3_column_int(st, 3) != 0}));
    sqlite3_reset(st);
}

void figures_fill(Facts *f, Arena *a, Diagnosis *d, FigureWish wish) {
    Work w = {.f = f, .a = a, .d = d, .out = arena_new_of(a, Figures)};
    d->figures = w.out;
    w.out->timezone_s = NAN;
    sqlite3_stmt *st = facts_query(f, "SELECT timezone_s FROM capture WHERE id = ?1");
    sqlite3_bind_int64(st, 1, d->capture.id);
    if (sqlite3_step(st) == SQLITE_ROW) w.out->timezone_s = column_real(st, 0);
    sqlite3_reset(st);
    if (wish == FIGURES_ALL) {
        read_samples(&w);
        read_pressure(&w);
        read_marks(&w);
    }
    read_events(&w);
}
