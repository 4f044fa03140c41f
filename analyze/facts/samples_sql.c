/*
 * samples_sql.c - samples as SQL sees them: the virtual table `sample`, and the tables lifetime, series, distribution
 */
#include "samples_store.h"

#include "../base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_LIFETIME_ROWS = 200 * 1000, /* averages since boot or import; an upload of 100 hosts has a few thousand */
    LIFETIME_FIXED = 7              /* columns of `lifetime` before the metrics */
};

/* ---------------------------------------------------------------- the virtual table */

/*
 * sample(capture, node, tool, t, dt_s, <metrics>, n, n_busy, n_r_ge5 .. n_w_ge40, src, line, worst)
 *
 * A row with n = 1 is one interval as the tool printed it, t its end (seconds since 1970, or since the first row in a series
 * whose has_time is 0). A row with n > 1 is a bucket: rates are plain means,
 * latencies are means over the operations, n_busy and n_r_ge.. count the samples in it that were busy, and busy with a
 * read (write) latency of at least 5, 10, 40 ms. The rows with worst = 1 are the worst samples in full; they come only when
 * asked for by `worst = 1`, so that nothing is counted twice.
 */
enum SampleColumn {
    SC_CAPTURE,
    SC_NODE,
    SC_TOOL,
    SC_T,
    SC_DT,
    SC_METRICS,
    SC_N = SC_METRICS + METRIC_COUNT,
    SC_COUNTS,
    SC_SRC = SC_COUNTS + SAMPLE_COUNTS,
    SC_LINE,
    SC_WORST
};

/* What the constraints of a query were reduced to; the values come in this order. */
enum { BY_CAPTURE = 1, BY_NODE = 2, BY_TOOL = 4, BY_WORST = 8, BY_T_FROM = 16, BY_T_TO = 32 };

typedef struct SampleTable {
    sqlite3_vtab base;
    Samples *samples;
} SampleTable;

typedef struct SampleScan {
    sqlite3_vtab_cursor base;
    Samples *samples;
    size_t at; /* series */
    bool by_capture, by_node, by_tool, worst;
    double capture, node, t_from_ms, t_to_ms;
    const char *tool; /* a copy */
    SeriesCursor rows;
    size_t rank;
    SampleRow row;
    Series *series;
    sqlite3_int64 rowid;
    bool eof;
} SampleScan;

static char *sample_declaration(void) {
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "CREATE TABLE x(capture INTEGER, node INTEGER, tool TEXT, t REAL, dt_s REAL");
    for (int m = 0; m < METRIC_COUNT; m++) sqlite3_str_appendf(sql, ", %s REAL", metric_names[m]);
    sqlite3_str_appendall(sql, ", n INTEGER, n_busy INTEGER, n_r_ge5 INTEGER, n_r_ge10 INTEGER, n_r_ge40 INTEGER,"
                               " n_w_ge5 INTEGER, n_w_ge10 INTEGER, n_w_ge40 INTEGER, src INTEGER, line INTEGER,"
                               " worst INTEGER)");
    return sqlite3_str_finish(sql);
}

static int sample_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
                          char **message) {
    (void)argc;
    (void)argv;
    (void)message;
    char *sql = sample_declaration();
    if (!sql) return SQLITE_NOMEM;
    int rc = sqlite3_declare_vtab(db, sql);
    sqlite3_free(sql);
    if (rc != SQLITE_OK) return rc;
    SampleTable *table = sqlite3_malloc(sizeof *table);
    if (!table) return SQLITE_NOMEM;
    *table = (SampleTable){.samples = aux};
    *out = &table->base;
    return SQLITE_OK;
}

static int sample_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int sample_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    Samples *s = ((SampleTable *)table)->samples;
    int found[6] = {-1, -1, -1, -1, -1, -1};
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (!c->usable) continue;
        bool equal = c->op == SQLITE_INDEX_CONSTRAINT_EQ;
        if (equal && c->iColumn == SC_CAPTURE) found[0] = i;
        if (equal && c->iColumn == SC_NODE) found[1] = i;
        if (equal && c->iColumn == SC_TOOL) found[2] = i;
        if (equal && c->iColumn == SC_WORST) found[3] = i;
        if (c->iColumn == SC_T && (c->op == SQLITE_INDEX_CONSTRAINT_GE || c->op == SQLITE_INDEX_CONSTRAINT_GT))
            found[4] = i;
        if (c->iColumn == SC_T && (c->op == SQLITE_INDEX_CONSTRAINT_LE || c->op == SQLITE_INDEX_CONSTRAINT_LT))
            found[5] = i;
    }
    double rows = 1;
    for (size_t i = 0; i < s->count; i++) rows += (double)s->series[i]->rows;
    static const double selects[6] = {0.5, 0.05, 0.5, 1, 0.5, 0.5};
    int args = 0;
    for (int k = 0; k < 6; k++) {
        if (found[k] < 0) continue;
        info->idxNum |= 1 << k;
        info->aConstraintUsage[found[k]].argvIndex = ++args;
        /* SQLite compares once more, except `worst`, whose value is exact by then. */
        info->aConstraintUsage[found[k]].omit = k == 3;
        rows *= selects[k];
    }
    info->estimatedRows = (sqlite3_int64)rows + 1;
    info->estimatedCost = rows + 10;
    return SQLITE_OK;
}

static int sample_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out) {
    SampleScan *scan = sqlite3_malloc(sizeof *scan);
    if (!scan) return SQLITE_NOMEM;
    *scan = (SampleScan){.samples = ((SampleTable *)table)->samples};
    *out = &scan->base;
    return SQLITE_OK;
}

static int sample_close(sqlite3_vtab_cursor *cursor) {
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static bool scan_wants(const SampleScan *scan, const Series *s) {
    if (scan->by_capture && (double)s->capture != scan->capture) return false;
    if (scan->by_node && (double)s->node != scan->node) return false;
    return !scan->by_tool || s->tool == scan->tool;
}

static int sample_next(sqlite3_vtab_cursor *cursor) {
    SampleScan *scan = (SampleScan *)cursor;
    Samples *s = scan->samples;
    scan->rowid++;
    for (;;) {
        if (scan->series) {
            if (scan->worst) {
                while (series_worst(scan->series, scan->rank++, &scan->row))
                    if ((double)scan->row.t_ms >= scan->t_from_ms && (double)scan->row.t_ms <= scan->t_to_ms)
                        return SQLITE_OK;
            } else if (series_next(&scan->rows, &scan->row)) {
                return SQLITE_OK;
            }
        }
        while (scan->at < s->count && !scan_wants(scan, s->series[scan->at])) scan->at++;
        if (scan->at >= s->count) {
            scan->eof = true;
            return SQLITE_OK;
        }
        scan->series = s->series[scan->at++];
        scan->rank = 0;
        /* Twice clipped, because a double beyond the integers must not be converted. */
        double from = scan->t_from_ms > -9e15 ? scan->t_from_ms : -9e15,
               to = scan->t_to_ms < 9e15 ? scan->t_to_ms : 9e15;
        if (from > 9e15) from = 9e15;
        if (to < -9e15) to = -9e15;
        series_open(&scan->rows, scan->series, (int64_t)from, (int64_t)to);
    }
}

static bool is_number(sqlite3_value *v) {
    int type = sqlite3_value_numeric_type(v);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static int sample_filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv) {
    (void)text;
    (void)argc;
    SampleScan *scan = (SampleScan *)cursor;
    *scan = (SampleScan){.base = scan->base, .samples = scan->samples, .t_from_ms = -INFINITY, .t_to_ms = INFINITY};
    int arg = 0;
    bool nothing = false;
    if (index & BY_CAPTURE) {
        sqlite3_value *v = argv[arg++];
        nothing |= !is_number(v);
        scan->by_capture = true;
        scan->capture = sqlite3_value_double(v);
    }
    if (index & BY_NODE) {
        sqlite3_value *v = argv[arg++];
        nothing |= !is_number(v);
        scan->by_node = true;
        scan->node = sqlite3_value_double(v);
    }
    if (index & BY_TOOL) {
        const char *tool = (const char *)sqlite3_value_text(argv[arg++]);
        scan->by_tool = true;
        for (size_t i = 0; tool && i < scan->samples->name_count; i++)
            if (strcmp(scan->samples->names[i], tool) == 0) scan->tool = scan->samples->names[i];
        nothing |= !scan->tool;
    }
    if (index & BY_WORST) {
        sqlite3_value *v = argv[arg++];
        double worst = sqlite3_value_double(v);
        nothing |= !is_number(v) || (worst != 0 && worst != 1);
        scan->worst = worst == 1;
    }
    /* A millisecond of slack: t is a double made from whole milliseconds, and SQLite compares exactly afterwards. */
    if (index & BY_T_FROM) {
        sqlite3_value *v = argv[arg++];
        if (is_number(v)) scan->t_from_ms = floor(sqlite3_value_double(v) * 1000) - 1;
        else nothing |= sqlite3_value_type(v) == SQLITE_NULL;
    }
    if (index & BY_T_TO) {
        sqlite3_value *v = argv[arg++];
        if (is_number(v)) scan->t_to_ms = ceil(sqlite3_value_double(v) * 1000) + 1;
        else nothing |= sqlite3_value_type(v) == SQLITE_NULL;
    }
    if (nothing) {
        scan->eof = true;
        return SQLITE_OK;
    }
    return sample_next(cursor);
}

static int sample_eof(sqlite3_vtab_cursor *cursor) {
    return ((SampleScan *)cursor)->eof;
}

static void result_known_int(sqlite3_context *context, int64_t value) {
    if (value) sqlite3_result_int64(context, value);
    else sqlite3_result_null(context);
}

static void result_known_double(sqlite3_context *context, double value) {
    if (isfinite(value)) sqlite3_result_double(context, value);
    else sqlite3_result_null(context);
}

static int sample_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    const SampleScan *scan = (SampleScan *)cursor;
    const Series *s = scan->series;
    const SampleRow *row = &scan->row;
    if (column >= SC_METRICS && column < SC_METRICS + METRIC_COUNT) {
        int slot = s->slot[column - SC_METRICS];
        result_known_double(context, slot >= 0 ? (double)row->values[slot] : NAN);
        return SQLITE_OK;
    }
    if (column >= SC_COUNTS && column < SC_COUNTS + SAMPLE_COUNTS) {
        int count = column - SC_COUNTS;
        bool known = count == COUNT_BUSY       ? s->read_rate >= 0 || s->write_rate >= 0
                     : count < COUNT_WRITE_GE5 ? s->read_rate >= 0 && s->read_wait >= 0
                                               : s->write_rate >= 0 && s->write_wait >= 0;
        if (known) sqlite3_result_int64(context, row->counts[count]);
        return SQLITE_OK;
    }
    switch (column) {
    case SC_CAPTURE: result_known_int(context, s->capture); break;
    case SC_NODE: result_known_int(context, s->node); break;
    case SC_TOOL: sqlite3_result_text(context, s->tool, -1, SQLITE_TRANSIENT); break;
    case SC_T: sqlite3_result_double(context, (double)row->t_ms / 1000); break;
    case SC_DT: result_known_double(context, (double)row->dt_s); break;
    case SC_N: sqlite3_result_int64(context, row->n); break;
    case SC_SRC: result_known_int(context, s->src); break;
    case SC_LINE: result_known_int(context, row->line); break;
    case SC_WORST: sqlite3_result_int(context, scan->worst); break;
    default: break;
    }
    return SQLITE_OK;
}

static int sample_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = ((SampleScan *)cursor)->rowid;
    return SQLITE_OK;
}

static const sqlite3_module sample_module = {
    .xCreate = sample_connect,
    .xConnect = sample_connect,
    .xBestIndex = sample_best_index,
    .xDisconnect = sample_disconnect,
    .xDestroy = sample_disconnect,
    .xOpen = sample_open,
    .xClose = sample_close,
    .xFilter = sample_filter,
    .xNext = sample_next,
    .xEof = sample_eof,
    .xColumn = sample_column,
    .xRowid = sample_rowid,
};

/* ---------------------------------------------------------------- tables */

static bool failed(sqlite3 *db, Error *err, const char *what) {
    return error_set(err, "fact database: %s: %s", what, sqlite3_errmsg(db));
}

bool samples_register(Samples *s, sqlite3 *db, Error *err) {
    s->db = db;
    sqlite3_str *create = sqlite3_str_new(db), *insert = sqlite3_str_new(db);
    sqlite3_str_appendall(create, "CREATE TABLE lifetime (node INTEGER, capture INTEGER, tool TEXT, since TEXT,"
                                  " alone INTEGER, src INTEGER, line INTEGER");
    sqlite3_str_appendall(insert, "INSERT INTO lifetime VALUES (?1,?2,?3,?4,?5,?6,?7");
    for (int m = 0; m < METRIC_COUNT; m++) {
        sqlite3_str_appendf(create, ", %s REAL", metric_names[m]);
        sqlite3_str_appendf(insert, ",?%d", LIFETIME_FIXED + 1 + m);
    }
    sqlite3_str_appendall(create, "); CREATE VIRTUAL TABLE sample USING stordx_sample");
    sqlite3_str_appendall(insert, ")");
    char *create_sql = sqlite3_str_finish(create), *insert_sql = sqlite3_str_finish(insert);
    bool good =
        create_sql && insert_sql &&
        sqlite3_create_module_v2(db, "stordx_sample", &sample_module, s, NULL) == SQLITE_OK &&
        sqlite3_exec(db, create_sql, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v3(db, insert_sql, -1, SQLITE_PREPARE_PERSISTENT, &s->insert_lifetime, NULL) == SQLITE_OK &&
        sqlite3_prepare_v3(db, "INSERT OR IGNORE INTO line_text(src, line, text) VALUES (?1, ?2, ?3)", -1,
                           SQLITE_PREPARE_PERSISTENT, &s->insert_text, NULL) == SQLITE_OK;
    sqlite3_free(create_sql);
    sqlite3_free(insert_sql);
    return good || failed(db, err, "samples");
}

static void bind_known_int(sqlite3_stmt *st, int at, int64_t value) {
    if (value) sqlite3_bind_int64(st, at, value);
    else sqlite3_bind_null(st, at);
}

static void bind_known_double(sqlite3_stmt *st, int at, double value) {
    if (isfinite(value)) sqlite3_bind_double(st, at, value);
    else sqlite3_bind_null(st, at);
}

static bool run(sqlite3_stmt *st) {
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE;
}

static bool put_text(Samples *s, int64_t src, int64_t line, Str text) {
    sqlite3_bind_int64(s->insert_text, 1, src);
    sqlite3_bind_int64(s->insert_text, 2, line);
    sqlite3_bind_text64(s->insert_text, 3, text.p ? text.p : "", text.len, SQLITE_STATIC, SQLITE_UTF8);
    return run(s->insert_text);
}

void samples_lifetime(Samples *s, int64_t src, Ref device, const char *tool, const char *since, const Metric *columns,
                      size_t column_count, const float *values, Spot at) {
    if (s->lifetime_rows >= MAX_LIFETIME_ROWS) {
        s->lifetime_dropped++;
        return;
    }
    int64_t line = at.line;
    if (s->facts && (at.line || at.path.p)) line = facts_keep_line(s->facts, src, at);
    else if (line > 0) put_text(s, src, line, str_sub(at.text, 0, FACTS_LINE_CLIP));
    sqlite3_stmt *st = s->insert_lifetime;
    sqlite3_clear_bindings(st);
    bind_known_int(st, 1, device);
    sqlite3_bind_text(st, 3, tool, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 4, since, -1, SQLITE_STATIC);
    sqlite3_bind_int(st, 5, 0);
    sqlite3_bind_int64(st, 6, src);
    bind_known_int(st, 7, line);
    for (size_t c = 0; c < column_count; c++)
        if (columns[c] >= 0 && columns[c] < METRIC_COUNT)
            bind_known_double(st, LIFETIME_FIXED + 1 + (int)columns[c], (double)values[c]);
    if (run(st)) s->lifetime_rows++;
}

/* ---------------------------------------------------------------- resolving */

static bool note_losses(Samples *s, Error *err) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(s->db, "INSERT INTO note(src, text) VALUES (?1, ?2)", -1, &st, NULL) != SQLITE_OK)
        return failed(s->db, err, "note");
    bool good = true;
    char text[200];
    for (size_t i = 0; i < s->sink_count && good; i++) {
        snprintf(text, sizeof text, "%llu samples were left out: the limit of %zu device series is reached",
                 (unsigned long long)s->sinks[i]->n, s->max_series);
        sqlite3_bind_int64(st, 1, s->sinks[i]->src);
        sqlite3_bind_text(st, 2, text, -1, SQLITE_STATIC);
        good = run(st);
    }
    if (s->lifetime_dropped && good) {
        snprintf(text, sizeof text, "%llu averages since boot or import were left out: the limit of %d is reached",
                 (unsigned long long)s->lifetime_dropped, MAX_LIFETIME_ROWS);
        sqlite3_bind_null(st, 1);
        sqlite3_bind_text(st, 2, text, -1, SQLITE_STATIC);
        good = run(st);
    }
    size_t lost = 0;
    int64_t lost_src = 0;
    for (size_t i = 0; i < s->count; i++) {
        const Series *x = s->series[i];
        for (size_t c = 0; x->stats && c < x->column_count; c++)
            if (x->stats[c].all.lost || x->stats[c].while_busy.lost) {
                lost++;
                lost_src = x->src;
            }
    }
    if (lost && good) {
        snprintf(text, sizeof text, "%zu columns of samples have no quantiles: their histograms did not fit in %zu MB",
                 lost, s->histograms.limit >> 20);
        sqlite3_bind_int64(st, 1, lost_src);
        sqlite3_bind_text(st, 2, text, -1, SQLITE_STATIC);
        good = run(st);
    }
    sqlite3_finalize(st);
    return good || failed(s->db, err, "note");
}

/* Gives a series its place in time once it is known how far its local time is from UTC. */
static void shift_series(Series *s, int64_t ms) {
    for (SampleChunk *c = s->first; c; c = c->next) c->t0_ms += ms;
    for (size_t c = 0; c < s->column_count; c++) s->peaks[c].t_ms += ms;
    for (size_t i = 0; i < s->worst_count; i++) s->worst[i]->t_ms += ms;
    s->first_ms += ms;
    s->max_ms += ms;
    s->last_ms += ms;
}

static bool put_line(Samples *s, int64_t src, const LineText *t) {
    return !t || put_text(s, src, t->line, (Str){t->text, t->len});
}

static bool put_series(Samples *s, sqlite3_stmt *st, Series *x) {
    SeriesInfo info = series_info(x);
    bind_known_int(st, 1, x->node);
    bind_known_int(st, 2, x->capture);
    sqlite3_bind_text(st, 3, x->tool, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 4, x->src);
    bind_known_int(st, 5, x->header_line);
    bind_known_int(st, 6, x->line_first);
    bind_known_int(st, 7, x->line_last);
    sqlite3_bind_int64(st, 8, (sqlite3_int64)x->n);
    /* Where nothing has a time the moments count from the first row: good to compare by, but no dates. */
    bind_known_double(st, 9, x->has_time ? (double)info.first_ms / 1000 : NAN);
    bind_known_double(st, 10, x->has_time ? (double)info.last_ms / 1000 : NAN);
    bind_known_double(st, 11, info.interval_s);
    sqlite3_bind_int(st, 12, x->has_time);
    bind_known_double(st, 13, info.bucket_ms ? (double)info.bucket_ms / 1000 : NAN);
    if (!run(st) || !put_line(s, x->src, x->first_text)) return false;
    for (size_t c = 0; c < x->column_count; c++)
        if (!put_line(s, x->src, x->peaks[c].text)) return false;
    for (size_t i = 0; i < x->worst_count; i++)
        if (!put_line(s, x->src, x->worst[i]->text)) return false;
    return true;
}

/* "1s averages"; a measured interval of 4.998 s is called 5 s. */
static void basis_text(char *out, size_t size, double interval_s) {
    double whole = floor(interval_s + 0.5);
    if (!(interval_s > 0)) snprintf(out, size, "averages");
    else if (whole >= 1 && fabs(interval_s - whole) <= 0.03 * whole) snprintf(out, size, "%.0fs averages", whole);
    else snprintf(out, size, "%.3gs averages", interval_s);
}

static int by_identity(const void *a, const void *b) {
    const Series *x = *(Series *const *)a, *y = *(Series *const *)b;
    if (x->capture != y->capture) return x->capture < y->capture ? -1 : 1;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    int tool = strcmp(x->tool, y->tool);
    if (tool) return tool;
    if (x->node == 0 && x->device != y->device)
        return x->device < y->device ? -1 : 1; /* unknown things are not one thing */
    int weight = series_by_weight(x, y);
    if (weight) return weight;
    return x->line_first < y->line_first ? -1 : x->line_first > y->line_first;
}

static bool same_thing(const Series *x, const Series *y) {
    return x->capture == y->capture && x->node == y->node && x->tool == y->tool && (x->node || x->device == y->device);
}

static bool put_distribution(sqlite3_stmt *st, Series *x, const ColumnSummary *summaries, const bool *taken) {
    char basis[48];
    basis_text(basis, sizeof basis, series_info(x).interval_s);
    for (size_t c = 0; c < x->column_count; c++) {
        const ColumnSummary *o = &summaries[c];
        Metric m = x->columns[c];
        if (m < 0 || m >= METRIC_COUNT || taken[m] || !o->n || x->slot[m] != (int)c) continue;
        bind_known_int(st, 1, x->node);
        bind_known_int(st, 2, x->capture);
        sqlite3_bind_text(st, 3, x->tool, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 4, metric_names[m], -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 5, basis, -1, SQLITE_STATIC);
        sqlite3_bind_int64(st, 6, (sqlite3_int64)o->n);
        bind_known_double(st, 7, o->mean);
        bind_known_double(st, 8, o->p50);
        bind_known_double(st, 9, o->p95);
        bind_known_double(st, 10, o->p99);
        bind_known_double(st, 11, (double)o->peak->value);
        bind_known_double(st, 12, x->has_time ? (double)o->peak->t_ms / 1000 : NAN);
        sqlite3_bind_int64(st, 13, (sqlite3_int64)o->busy);
        bind_known_double(st, 14, o->busy_p50);
        for (int i = 0; i < 3; i++) {
            if (metric_is_latency(m)) sqlite3_bind_int64(st, 15 + i, (sqlite3_int64)o->ge[i]);
            else sqlite3_bind_null(st, 15 + i);
        }
        sqlite3_bind_int64(st, 18, x->src);
        /* JSON rows have no line of their own: the series stands for them */
        bind_known_int(st, 19, x->line_first ? x->line_first : x->header_line);
        bind_known_int(st, 20, o->peak->line);
        bind_known_double(st, 21, o->p999);
        if (!run(st)) return false;
    }
    return true;
}

static bool write_series(Samples *s, Error *err) {
    sqlite3_stmt *series = NULL, *distribution = NULL;
    bool good = sqlite3_prepare_v2(s->db,
                                   "INSERT INTO series(node, capture, tool, src, header_line, line_first, line_last, n,"
                                   " first_s, last_s, interval_s, has_time, bucket_s)"
                                   " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
                                   -1, &series, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(
                    s->db,
                    "INSERT INTO distribution(node, capture, tool, metric, basis, n, mean, p50, p95, p99, max,"
                    " max_s, n_busy, busy_p50, n_busy_ge5, n_busy_ge10, n_busy_ge40, src, line, worst_line, p999)"
                    " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21)",
                    -1, &distribution, NULL) == SQLITE_OK;
    size_t n = 0;
    Series **sorted = malloc((s->count + 1) * sizeof *sorted);
    if (!sorted) fatal("out of memory");
    for (size_t i = 0; i < s->count; i++)
        if (s->series[i]->n) sorted[n++] = s->series[i];
    for (size_t i = 0; i < n && good; i++) good = put_series(s, series, sorted[i]);
    if (n) qsort(sorted, n, sizeof *sorted, by_identity);
    for (size_t i = 0; i < n && good;) {
        bool taken[METRIC_COUNT] = {false};
        size_t first = i;
        for (; i < n && same_thing(sorted[first], sorted[i]) && good; i++) {
            ColumnSummary summaries[MAX_COLUMNS];
            series_summaries(sorted[i], summaries);
            good = put_distribution(distribution, sorted[i], summaries, taken);
            for (size_t c = 0; c < sorted[i]->column_count; c++) {
                Metric m = sorted[i]->columns[c];
                if (m >= 0 && m < METRIC_COUNT && summaries[c].n) taken[m] = true;
            }
        }
    }
    free(sorted);
    if (!good) failed(s->db, err, "series");
    sqlite3_finalize(series);
    sqlite3_finalize(distribution);
    return good;
}

/* Averages since boot: refs become nodes; one row per device, tool and metric of those that stand alone. */
static bool write_lifetime(Samples *s, SamplesMap map, void *arg, Error *err) {
    sqlite3_stmt *read = NULL, *update = NULL;
    bool good = sqlite3_prepare_v2(s->db, "SELECT rowid, src, node FROM lifetime ORDER BY rowid", -1, &read, NULL) ==
                    SQLITE_OK &&
                sqlite3_prepare_v2(s->db, "UPDATE lifetime SET node = ?2, capture = ?3 WHERE rowid = ?1", -1, &update,
                                   NULL) == SQLITE_OK;
    while (good && sqlite3_step(read) == SQLITE_ROW) {
        int64_t node = 0, capture = 0;
        double shift_s = 0;
        map(arg, sqlite3_column_int64(read, 1), sqlite3_column_int64(read, 2), &node, &capture, &shift_s);
        sqlite3_bind_int64(update, 1, sqlite3_column_int64(read, 0));
        bind_known_int(update, 2, node);
        bind_known_int(update, 3, capture);
        good = run(update);
    }
    sqlite3_finalize(read);
    sqlite3_finalize(update);
    /* Of several averages of one thing the last in the upload counts: the fuller history. */
    good = good && sqlite3_exec(s->db,
                                "CREATE TEMP TABLE lifetime_alone AS SELECT max(rowid) AS id FROM lifetime AS l"
                                " WHERE node IS NOT NULL AND (ifnull(capture, 0), node, tool) NOT IN"
                                " (SELECT ifnull(capture, 0), node, tool FROM series WHERE node IS NOT NULL)"
                                " GROUP BY capture, node, tool;"
                                "UPDATE lifetime SET alone = 1 WHERE rowid IN (SELECT id FROM lifetime_alone)",
                                NULL, NULL, NULL) == SQLITE_OK;
    for (int m = 0; m < METRIC_COUNT && good; m++) {
        char *sql = sqlite3_mprintf("INSERT INTO distribution(node, capture, tool, metric, basis, n, mean, src, line)"
                                    " SELECT node, capture, tool, '%s', 'lifetime average', 1, %s, src, line"
                                    " FROM lifetime WHERE alone = 1 AND %s IS NOT NULL ORDER BY rowid",
                                    metric_names[m], metric_names[m], metric_names[m]);
        good = sql && sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
        sqlite3_free(sql);
    }
    good = good && sqlite3_exec(s->db, "DROP TABLE lifetime_alone", NULL, NULL, NULL) == SQLITE_OK;
    return good || failed(s->db, err, "lifetime");
}

bool samples_resolve(Samples *s, SamplesMap map, void *arg, Error *err) {
    for (size_t i = 0; i < s->count; i++) {
        Series *x = s->series[i];
        double shift_s = 0;
        series_flush(x); /* what is staged goes into its bucket while its times are still those of the grid */
        map(arg, x->src, x->device, &x->node, &x->capture, &shift_s);
        if (isfinite(shift_s) && fabs(shift_s) < 1e11) shift_series(x, llround(shift_s * 1000));
    }
    /* One transaction, inside whatever the caller has open. */
    if (sqlite3_exec(s->db, "SAVEPOINT samples_resolve", NULL, NULL, NULL) != SQLITE_OK)
        return failed(s->db, err, "savepoint");
    bool good = note_losses(s, err) && write_series(s, err) && (!s->lifetime_rows || write_lifetime(s, map, arg, err));
    if (sqlite3_exec(s->db, "RELEASE samples_resolve", NULL, NULL, NULL) != SQLITE_OK && good)
        return failed(s->db, err, "savepoint");
    return good;
}
