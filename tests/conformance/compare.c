#include "compare.h"

#include "../../analyze/facts/samples.h"
#include "../../analyze/facts/series.h"

#include <math.h>
#include <stdio.h>

static void run(sqlite3 *db, const char *sql) {
    char *err = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &err) != SQLITE_OK) fatal("%s: %s", sql, err);
}

/* Series keep the names they were opened for. */
static void by_name(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    (void)arg;
    (void)src;
    *node = device;
    *capture = 1;
    *shift_s = 0;
}

/* First reports come before the samples of the same thing. A file may hold several. */
static void fill_points(Desk *d, sqlite3 *db) {
    run(db, "CREATE TEMP TABLE point (node INTEGER, tool TEXT, report INTEGER, metric TEXT, value REAL, line INTEGER)");
    for (int i = 0; i < METRIC_COUNT; i++) {
        char *sql = arena_fmt(
            d->arena, "INSERT INTO point SELECT node, tool, 0, '%s', %s, line FROM lifetime WHERE %s IS NOT NULL",
            metric_names[i], metric_names[i], metric_names[i]);
        run(db, sql);
    }
    Error err = {""};
    Samples *s = facts_samples(d->facts);
    if (!samples_resolve(s, by_name, NULL, &err)) fatal("%s", err.text);
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, "INSERT INTO point VALUES (?1, ?2, 0, ?3, ?4, ?5)", -1, &st, NULL) != SQLITE_OK)
        fatal("%s", sqlite3_errmsg(db));
    for (size_t i = 0; i < samples_series_count(s); i++) {
        Series *series = samples_series_at(s, i);
        SeriesInfo info = series_info(series);
        SeriesCursor cursor;
        SampleRow row;
        series_open(&cursor, series, INT64_MIN, INT64_MAX);
        while (series_next(&cursor, &row))
            for (size_t k = 0; k < info.column_count; k++) {
                if (isnan(row.values[k])) continue;
                sqlite3_bind_int64(st, 1, info.node);
                sqlite3_bind_text(st, 2, info.tool, -1, SQLITE_STATIC);
                sqlite3_bind_text(st, 3, metric_names[info.columns[k]], -1, SQLITE_STATIC);
                sqlite3_bind_double(st, 4, (double)row.values[k]);
                sqlite3_bind_int64(st, 5, row.line);
                if (sqlite3_step(st) != SQLITE_DONE) fatal("%s", sqlite3_errmsg(db));
                sqlite3_reset(st);
            }
    }
    sqlite3_finalize(st);
    run(db, "CREATE TEMP TABLE numbered AS SELECT DISTINCT node, tool, line, dense_rank() OVER (PARTITION BY node, "
            "tool ORDER"
            " BY line) AS n FROM point;"
            "CREATE INDEX temp.numbered_line ON numbered (node, tool, line);"
            "UPDATE point SET report = (SELECT n FROM numbered q WHERE q.node IS point.node AND q.tool IS point.tool "
            "AND q.line IS"
            " point.line);"
            "CREATE TEMP VIEW points AS SELECT r.kind AS ref_kind, r.name AS ref, p.tool, p.report, p.metric, p.value, "
            "p.line"
            " FROM point p LEFT JOIN ref r ON r.id = p.node");
}

static void after(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    const char *text = (const char *)sqlite3_value_text(argv[0]), *word = (const char *)sqlite3_value_text(argv[1]);
    const char *stops = (const char *)sqlite3_value_text(argv[2]);
    const char *at = text && word && stops ? strstr(text, word) : NULL;
    if (!at) return;
    at += strlen(word);
    sqlite3_result_text(context, at, (int)strcspn(at, stops), SQLITE_TRANSIENT);
}

void compare_views(Desk *d) {
    sqlite3 *db = facts_db(d->facts);
    sqlite3_create_function(db, "after", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, after, NULL, NULL);
    run(db, "BEGIN");
    fill_points(d, db);
    run(db, "CREATE TEMP VIEW settings AS SELECT r.kind AS ref_kind, r.name AS ref, s.key, s.value, s.view, s.line, "
            "s.rowid AS"
            " nr FROM setting s LEFT JOIN ref r ON r.id = s.node;"
            "CREATE TEMP VIEW edges AS SELECT p.kind AS parent_kind, p.name AS parent, c.kind AS child_kind, c.name AS "
            "child FROM"
            " edge e JOIN ref p ON p.id = e.parent JOIN ref c ON c.id = e.child;"
            "CREATE TEMP VIEW same AS SELECT a.kind AS a_kind, a.name AS a, b.kind AS b_kind, b.name AS b, s.how FROM "
            "same_as s"
            " JOIN ref a ON a.id = s.a JOIN ref b ON b.id = s.b;"
            "CREATE TEMP VIEW f_vdev AS SELECT r.kind AS ref_kind, r.name AS ref, p.name AS pool_name, q.name AS "
            "parent_name, v.*,"
            " v.rowid AS nr FROM vdev v LEFT JOIN ref r ON r.id = v.node LEFT JOIN ref p ON p.id = v.pool LEFT JOIN "
            "ref q ON q.id ="
            " v.parent");
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(
            db,
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) i WHERE m.type = 'table' AND"
            " i.name = 'node' AND m.name NOT IN ('vdev', 'setting', 'series', 'sample') AND m.sql NOT LIKE '%VIRTUAL%'",
            -1, &st, NULL) != SQLITE_OK)
        fatal("%s", sqlite3_errmsg(db));
    StrBuf b;
    sb_init(&b, d->arena);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *t = (const char *)sqlite3_column_text(st, 0);
        sb_addf(&b,
                "CREATE TEMP VIEW f_%s AS SELECT r.kind AS ref_kind, r.name AS ref, t.*, t.rowid AS nr FROM main.%s t "
                "LEFT JOIN"
                " main.ref r ON r.id = t.node;",
                t, t);
    }
    sqlite3_finalize(st);
    run(db, sb_str(&b).p);
    run(db, "COMMIT");
}

/* ---------------------------------------------------------------- comparing */

static const char *cell(Desk *d, sqlite3_stmt *st, int i) {
    const char *text = (const char *)sqlite3_column_text(st, i);
    return text ? arena_cstr(d->arena, str_trim(str_of(text))) : "NULL";
}

static bool agree(const char *expected, const char *got) {
    if (strcmp(expected, got) == 0) return true;
    double a, b;
    if (!str_double(str_of(expected), &a) || !str_double(str_of(got), &b)) return false;
    double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) <= larger * 2e-6 || fabs(a - b) < 1e-9;
}

static void judge(Desk *d, Verdict *v, const char *what, const char *expected, const char *got, Complain complain,
                  void *arg) {
    v->compared++;
    if (agree(expected, got) || complain(arg, what, expected, got)) return;
    if (!v->differ++) v->first = arena_fmt(d->arena, "%s: expected %s, got %s", what, expected, got);
}

bool compare_expected(Corpus *c, Desk *d, const CorpusFile *f, Verdict *v, Complain complain, void *arg) {
    /* folder/source__name.ext: the comparer is named after the folder and the source, whose schema it knows */
    Str rest = str_of(f->name), name = str_sub(rest, 0, str_rfind_ch(rest, '.'));
    size_t source = str_find(rest, "__");
    if (source == SIZE_MAX) return false;
    Str sql = read_file(d->arena, arena_fmt(d->arena, "%s/compare/%.*s.%.*s.sql", c->home, STR_ARG(f->tool->folder),
                                            STR_ARG(str_sub(rest, 0, source))));
    if (!sql.p) return false;
    Str json = read_file(
        d->arena, arena_fmt(d->arena, "%s/%.*s/%.*s.expected.json", c->dir, STR_ARG(f->tool->folder), STR_ARG(name)));
    if (!json.p) fatal("%s: its expected values cannot be read", f->file);
    sqlite3 *db = facts_db(d->facts);
    const char *at = arena_cstr(d->arena, sql);
    while (*at) {
        sqlite3_stmt *st;
        if (sqlite3_prepare_v2(db, at, -1, &st, &at) != SQLITE_OK)
            fatal("compare/%.*s, %s: %s", STR_ARG(f->tool->folder), f->file, sqlite3_errmsg(db));
        if (!st) continue;
        int parameter = sqlite3_bind_parameter_index(st, ":json");
        if (parameter) sqlite3_bind_text64(st, parameter, json.p, json.len, SQLITE_STATIC, SQLITE_UTF8);
        parameter = sqlite3_bind_parameter_index(st, ":file");
        if (parameter) sqlite3_bind_text(st, parameter, f->name, -1, SQLITE_STATIC);
        int rc;
        while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
            if (sqlite3_column_type(st, 1) == SQLITE_NULL) continue;
            judge(d, v, cell(d, st, 0), cell(d, st, 1), cell(d, st, 2), complain, arg);
        }
        if (rc != SQLITE_DONE) fatal("compare/%.*s, %s: %s", STR_ARG(f->tool->folder), f->file, sqlite3_errmsg(db));
        sqlite3_finalize(st);
    }
    return true;
}

bool compare_written(Corpus *c, Desk *d, const CorpusFile *f, Verdict *v, Complain complain, void *arg) {
    Str text = read_file(d->arena, arena_fmt(d->arena, "%s/expect/%.*s.tsv", c->home, STR_ARG(f->tool->folder)));
    sqlite3 *db = facts_db(d->facts);
    bool any = false;
    while (text.len) {
        Str line = str_trim_right(str_cut(&text, '\n'));
        if (!line.len || line.p[0] == '#') continue;
        Str name = str_cut(&line, '\t');
        if (!str_is(name, f->name)) continue;
        Str sql = str_cut(&line, '\t'), expected = line;
        any = true;
        sqlite3_stmt *st;
        if (sqlite3_prepare_v2(db, sql.p, (int)sql.len, &st, NULL) != SQLITE_OK)
            fatal("expect/%.*s.tsv: %.*s: %s", STR_ARG(f->tool->folder), STR_ARG(sql), sqlite3_errmsg(db));
        const char *got = "no row";
        if (sqlite3_step(st) == SQLITE_ROW) got = cell(d, st, 0);
        judge(d, v, arena_cstr(d->arena, sql), arena_cstr(d->arena, str_trim(expected)), got, complain, arg);
        sqlite3_finalize(st);
    }
    return any;
}
