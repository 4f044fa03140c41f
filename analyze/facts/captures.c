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

typedef struct Piece {
    int64_t id, sampled, capture; /* sampled: capture of its samples, 0 without samples */
    Str member, key;              /* key: its command line, else its tool */
} Piece;

static bool shown_before(const Piece *p, size_t from, size_t to, const Piece *x) {
    for (size_t i = from; i < to; i++)
        if (!p[i].sampled && x->key.len && str_eq(p[i].key, x->key)) return true;
    return false;
}

/*
 * One text with several captures ("before: ... after: ..."): nearness says little where each part has its outputs in the same
 * order. The next part begins with the first output that this part has shown before its samples. Where each part begins with its
 * samples, whatever follows is of that part.
 */
static void divide_text(Piece *p, size_t n) {
    size_t part = 0, last = SIZE_MAX; /* first piece of this part; its last piece with samples */
    for (size_t i = 0; i < n; i++) {
        if (!p[i].sampled) continue;
        if (last == SIZE_MAX || p[i].sampled == p[last].sampled) {
            for (size_t k = last == SIZE_MAX ? 0 : last; k <= i; k++) p[k].capture = p[i].sampled;
            last = i;
            continue;
        }
        size_t border = last + 1;
        while (border < i && !shown_before(p, part, last, &p[border])) border++;
        bool repeats = border < i, samples_first = p[0].sampled != 0;
        for (size_t k = last + 1; k <= i; k++) {
            bool later = repeats ? k >= border : samples_first ? k == i : i - k < k - last;
            p[k].capture = later || k == i ? p[i].sampled : p[last].sampled;
        }
        part = repeats ? border : i;
        last = i;
    }
    for (size_t k = last; k != SIZE_MAX && k < n; k++) p[k].capture = p[last].sampled;
}

static Str column(Arena *a, sqlite3_stmt *st, int i) {
    const char *text = (const char *)sqlite3_column_text(st, i);
    return text ? arena_str(a, str_of(text)) : STR_NONE;
}

static bool assign_in_texts(Facts *f, int64_t bundle, Error *err) {
    sqlite3 *db = facts_db(f);
    Arena *a = facts_arena(f);
    VEC(Piece) pieces = {0};
    sqlite3_stmt *list, *put;
    if (sqlite3_prepare_v2(
            db,
            "SELECT s.id, s.member, coalesce(nullif(s.command, ''), s.tool), x.capture FROM source s LEFT JOIN "
            "sampled x ON x.src = s.id WHERE s.bundle = ?1 AND s.member IN (SELECT m.member FROM source m JOIN "
            "sampled y ON y.src = m.id WHERE m.bundle = ?1 GROUP BY m.member HAVING count(DISTINCT "
            "y.capture) > 1) ORDER BY s.member, s.id",
            -1, &list, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "UPDATE source SET capture = ?2 WHERE id = ?1", -1, &put, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(db));
    sqlite3_bind_int64(list, 1, bundle);
    while (sqlite3_step(list) == SQLITE_ROW) {
        Piece p = {.id = sqlite3_column_int64(list, 0),
                   .member = column(a, list, 1),
                   .key = column(a, list, 2),
                   .sampled = sqlite3_column_int64(list, 3)};
        VEC_PUSH(a, &pieces, p);
    }
    sqlite3_finalize(list);
    for (size_t i = 0, end; i < pieces.count; i = end) {
        for (end = i; end < pieces.count && str_eq(pieces.items[end].member, pieces.items[i].member);) end++;
        divide_text(pieces.items + i, end - i);
    }
    bool ok = true;
    for (size_t i = 0; i < pieces.count && ok; i++) {
        sqlite3_bind_int64(put, 1, pieces.items[i].id);
        sqlite3_bind_int64(put, 2, pieces.items[i].capture);
        ok = sqlite3_step(put) == SQLITE_DONE;
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    return ok || error_set(err, "captures: %s", sqlite3_errmsg(db));
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
    ok = ok && assign_in_texts(f, bundle, err);
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
