/*
 * captures.c - which pieces were taken at the same time
 *
 * A manifest is one capture; reading an upload opens a new one at each, and what lies in its folder goes with it. Without one, samples that lie more than six hours
 * apart belong to two captures, and every other piece goes with the samples next to it.
 */
#include "captures.h"

#include "series.h"

#include <stdlib.h>

static const double gap_s = 6 * 3600;

typedef struct Span { /* samples of one piece */
    int64_t src;
    double first_s, last_s;
    int64_t capture;
} Span;

static int by_time(const void *x, const void *y) {
    const Span *a = x, *b = y;
    if (a->first_s != b->first_s) return a->first_s < b->first_s ? -1 : 1;
    return a->src < b->src ? -1 : a->src > b->src;
}

static size_t spans_of(Facts *f, int64_t bundle, Span *spans, size_t max) {
    sqlite3_stmt *st;
    size_t n = 0;
    if (sqlite3_prepare_v2(facts_db(f), "SELECT 1 FROM source WHERE id = ?1 AND bundle = ?2", -1, &st, NULL) !=
        SQLITE_OK)
        return 0;
    Samples *samples = facts_samples(f);
    for (size_t i = 0; i < samples_series_count(samples); i++) {
        SeriesInfo info = series_info(samples_series_at(samples, i));
        if (!info.has_time || !info.n) continue;
        double first = (double)info.first_ms / 1000, last = (double)info.last_ms / 1000;
        size_t k = 0;
        while (k < n && spans[k].src != info.src) k++;
        if (k < n) {
            if (first < spans[k].first_s) spans[k].first_s = first;
            if (last > spans[k].last_s) spans[k].last_s = last;
            continue;
        }
        sqlite3_reset(st);
        sqlite3_bind_int64(st, 1, info.src);
        sqlite3_bind_int64(st, 2, bundle);
        if (sqlite3_step(st) != SQLITE_ROW || n == max) continue;
        spans[n++] = (Span){.src = info.src, .first_s = first, .last_s = last};
    }
    sqlite3_finalize(st);
    return n;
}

/* Every piece without samples of its own goes with the sampled piece that stands nearest in the upload, of the same folder where
   there is one. */
static bool assign(Facts *f, int64_t bundle, const Span *spans, size_t n, Error *err) {
    sqlite3 *db = facts_db(f);
    sqlite3_stmt *put, *list;
    if (sqlite3_exec(db, "CREATE TEMP TABLE sampled(src INTEGER, capture INTEGER, folder TEXT)", NULL, NULL, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(
            db, "INSERT INTO sampled SELECT id, ?2, rtrim(member, replace(member, '/', '')) FROM source WHERE id = ?1",
            -1, &put, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(db));
    for (size_t i = 0; i < n; i++) {
        sqlite3_bind_int64(put, 1, spans[i].src);
        sqlite3_bind_int64(put, 2, spans[i].capture);
        sqlite3_step(put);
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    /* The terms are columns: an ORDER BY of a scalar subquery does not see the outer row in every SQLite (3.40). */
    const char *sql =
        "UPDATE source SET capture = (SELECT capture FROM (SELECT x.capture, x.src, abs(x.src - source.id) AS steps,"
        " x.folder <> rtrim(source.member, replace(source.member, '/', '')) AS elsewhere FROM sampled x)"
        " ORDER BY elsewhere, steps, src LIMIT 1) WHERE bundle = ?1";
    bool ok = sqlite3_prepare_v2(db, sql, -1, &list, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_bind_int64(list, 1, bundle);
        ok = sqlite3_step(list) == SQLITE_DONE;
        sqlite3_finalize(list);
    }
    if (!ok) error_set(err, "captures: %s", sqlite3_errmsg(db));
    sqlite3_exec(db, "DROP TABLE sampled", NULL, NULL, NULL);
    return ok;
}

/*
 * Several collector's bundles in one upload: what lies in the folder of a manifest is of its capture, whatever the order in which
 * an archive that was packed anew holds its members. '!' ends the name of an archive in an archive.
 */
#define FOLDER(member_) "rtrim(" member_ ", replace(replace(" member_ ", '/', ''), '!', ''))"
static bool assign_by_folder(Facts *f, Error *err) {
    sqlite3 *db = facts_db(f);
    const char *sql = "CREATE TEMP TABLE folder AS SELECT bundle, capture, " FOLDER(
        "member") " AS name, min(id) AS id FROM source WHERE "
                  "tool = 'manifest' AND rows > 0 AND capture IS NOT NULL GROUP BY bundle, name HAVING count(DISTINCT "
                  "capture) = 1;"
                  "DELETE FROM folder WHERE bundle IN (SELECT bundle FROM folder GROUP BY bundle HAVING count(*) < 2);"
                  "UPDATE source SET capture = (SELECT x.capture FROM folder x WHERE x.bundle = source.bundle AND "
                  "substr(source.member, 1, length(x.name)) = x.name ORDER BY length(x.name) DESC, x.id LIMIT 1)"
                  " WHERE bundle IN (SELECT bundle FROM folder) AND EXISTS (SELECT 1 FROM folder x WHERE x.bundle = "
                  "source.bundle "
                  "AND substr(source.member, 1, length(x.name)) = x.name);"
                  "DROP TABLE folder;";
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) return error_set(err, "captures: %s", sqlite3_errmsg(db));
    return true;
}

bool captures_split(Facts *f, Error *err) {
    enum { MAX_SPANS = 4096 };
    if (!assign_by_folder(f, err)) return false;
    sqlite3_stmt *st;
    Arena *a = facts_arena(f);
    VEC(int64_t) bundles = {0}, captures = {0};
    if (sqlite3_prepare_v2(facts_db(f),
                           "SELECT c.bundle, min(c.id) FROM capture c WHERE NOT EXISTS (SELECT 1 FROM source s WHERE "
                           "s.bundle = c.bundle AND s.tool = 'manifest'"
                           " AND s.rows > 0) GROUP BY c.bundle HAVING count(*) = 1",
                           -1, &st, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(facts_db(f)));
    while (sqlite3_step(st) == SQLITE_ROW) {
        VEC_PUSH(a, &bundles, sqlite3_column_int64(st, 0));
        VEC_PUSH(a, &captures, sqlite3_column_int64(st, 1));
    }
    sqlite3_finalize(st);
    Span *spans = arena_array(a, Span, MAX_SPANS);
    for (size_t b = 0; b < bundles.count; b++) {
        size_t n = spans_of(f, bundles.items[b], spans, MAX_SPANS);
        if (n < 2) continue;
        qsort(spans, n, sizeof *spans, by_time);
        int64_t capture = captures.items[b];
        double last = spans[0].last_s;
        bool split = false;
        for (size_t i = 0; i < n; i++) {
            if (spans[i].first_s - last > gap_s) {
                capture = facts_capture(f, bundles.items[b], STR_NONE);
                split = true;
            }
            if (spans[i].last_s > last) last = spans[i].last_s;
            spans[i].capture = capture;
        }
        if (split && !assign(f, bundles.items[b], spans, n, err)) return false;
    }
    return true;
}
