/*
 * captures.c - which pieces were taken at the same time
 *
 * A manifest is one capture; reading an upload opens a new one at each, and what lies in its folder goes with it. Without one, two
 * folders that hold the same files are two captures, then files that are called "before" and "after"; then samples that lie more
 * than six hours apart, or on both sides of a start of the system, belong to two captures, and every other piece goes with the samples next to it.
 */
#include "captures.h"

#include "identity.h"
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

/* When the system was started, as far as logs tell: first line less its time since boot. */
static size_t starts_of(Facts *f, int64_t bundle, double *starts, size_t max) {
    sqlite3_stmt *st;
    size_t n = 0;
    if (sqlite3_prepare_v2(facts_db(f),
                           "SELECT DISTINCT CASE WHEN w.first_mono_s IS NOT NULL THEN w.first_s - w.first_mono_s WHEN "
                           "w.start_present = 1 THEN w.first_s END AS start_s FROM log_window w JOIN source s ON s.id "
                           "= w.src WHERE s.bundle = ?1 AND start_s IS NOT NULL",
                           -1, &st, NULL) != SQLITE_OK)
        return 0;
    sqlite3_bind_int64(st, 1, bundle);
    while (n < max && sqlite3_step(st) == SQLITE_ROW) starts[n++] = sqlite3_column_double(st, 0);
    sqlite3_finalize(st);
    return n;
}

static bool started_between(const double *starts, size_t n, double from, double to) {
    for (size_t i = 0; i < n; i++)
        if (starts[i] > from && starts[i] < to) return true;
    return false;
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

/* Bytes of the folders ('!' ends an archive in an archive) that two names share. */
static size_t shared_folder(Str a, Str b) {
    size_t len = 0;
    while (len < a.len && len < b.len && a.p[len] == b.p[len]) len++;
    while (len && a.p[len - 1] != '/' && a.p[len - 1] != '!') len--;
    return len;
}

static bool assign_files(Facts *f, int64_t bundle, const Span *spans, size_t n, Error *err) {
    sqlite3 *db = facts_db(f);
    Arena *a = facts_arena(f);
    VEC(Piece) pieces = {0};
    VEC(Piece) sampled = {0};
    sqlite3_stmt *list, *put;
    if (sqlite3_prepare_v2(db, "SELECT id, member FROM source WHERE bundle = ?1 ORDER BY id", -1, &list, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(db, "UPDATE source SET capture = ?2 WHERE id = ?1", -1, &put, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(db));
    sqlite3_bind_int64(list, 1, bundle);
    while (sqlite3_step(list) == SQLITE_ROW) {
        Piece p = {.id = sqlite3_column_int64(list, 0), .member = column(a, list, 1)};
        for (size_t i = 0; i < n && !p.sampled; i++)
            if (spans[i].src == p.id) p.sampled = spans[i].capture;
        VEC_PUSH(a, &pieces, p);
        if (p.sampled) VEC_PUSH(a, &sampled, p);
    }
    sqlite3_finalize(list);
    bool ok = true;
    for (size_t i = 0; i < pieces.count && ok && sampled.count; i++) {
        const Piece *p = &pieces.items[i], *best = NULL;
        size_t best_shared = 0;
        int64_t best_steps = 0;
        for (size_t k = 0; k < sampled.count; k++) {
            const Piece *x = &sampled.items[k];
            size_t shared = shared_folder(p->member, x->member);
            int64_t steps = x->id < p->id ? p->id - x->id : x->id - p->id;
            if (best && (shared < best_shared || (shared == best_shared && steps >= best_steps))) continue;
            best = x;
            best_shared = shared;
            best_steps = steps;
        }
        sqlite3_bind_int64(put, 1, p->id);
        sqlite3_bind_int64(put, 2, p->sampled ? p->sampled : best->sampled);
        ok = sqlite3_step(put) == SQLITE_DONE;
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    return ok || error_set(err, "captures: %s", sqlite3_errmsg(db));
}

/* Every piece without samples of its own goes with the sampled piece that it shares most folders with, of several with the one
   that stands nearest in the upload. */
static bool assign(Facts *f, int64_t bundle, const Span *spans, size_t n, Error *err) {
    sqlite3 *db = facts_db(f);
    sqlite3_stmt *put;
    if (sqlite3_exec(db, "CREATE TEMP TABLE sampled(src INTEGER, capture INTEGER)", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO sampled VALUES(?1, ?2)", -1, &put, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(db));
    for (size_t i = 0; i < n; i++) {
        sqlite3_bind_int64(put, 1, spans[i].src);
        sqlite3_bind_int64(put, 2, spans[i].capture);
        sqlite3_step(put);
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    bool ok = assign_files(f, bundle, spans, n, err) && assign_in_texts(f, bundle, err);
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
                  "UPDATE capture SET label = (SELECT rtrim(x.name, '/!') FROM folder x WHERE x.capture = capture.id "
                  "ORDER BY x.id "
                  "LIMIT 1) WHERE label IS NULL AND id IN (SELECT capture FROM folder WHERE name <> '');"
                  "DROP TABLE folder;";
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) return error_set(err, "captures: %s", sqlite3_errmsg(db));
    return true;
}

/* ---------------------------------------------------------------- folders and names */

typedef struct FilePiece {
    int64_t src;
    Str member, tool;
} FilePiece;

static size_t pieces_of(Facts *f, int64_t bundle, FilePiece *pieces, size_t max) {
    sqlite3_stmt *st;
    size_t n = 0;
    if (sqlite3_prepare_v2(
            facts_db(f),
            "SELECT id, member, coalesce(tool, '') FROM source WHERE bundle = ?1 AND status IN ('parsed', "
            "'partial') AND member <> '-' ORDER BY id",
            -1, &st, NULL) != SQLITE_OK)
        return 0;
    sqlite3_bind_int64(st, 1, bundle);
    while (n < max && sqlite3_step(st) == SQLITE_ROW) {
        pieces[n].src = sqlite3_column_int64(st, 0);
        pieces[n].member = arena_str(
            facts_arena(f), (Str){(const char *)sqlite3_column_text(st, 1), (size_t)sqlite3_column_bytes(st, 1)});
        pieces[n].tool = arena_str(
            facts_arena(f), (Str){(const char *)sqlite3_column_text(st, 2), (size_t)sqlite3_column_bytes(st, 2)});
        n++;
    }
    sqlite3_finalize(st);
    return n;
}

/* Bytes of all names up to the last '/' (or '!' of a nested archive) they share. */
static size_t common_folder(const FilePiece *pieces, size_t n) {
    size_t len = pieces[0].member.len;
    for (size_t i = 0; i < n; i++) len = shared_folder(str_sub(pieces[0].member, 0, len), pieces[i].member);
    return len;
}

static Str first_folder(Str member, size_t root, Str *rest) {
    *rest = str_from(member, root);
    size_t slash = str_find_ch(*rest, '/'), bang = str_find_ch(*rest, '!');
    size_t end = slash < bang ? slash : bang;
    if (end == SIZE_MAX) return STR_NONE;
    Str folder = str_sub(*rest, 0, end);
    *rest = str_from(*rest, end + 1);
    return folder;
}

/* Bytes of the folder that all of one folder's pieces lie in: "host-20241201/" of before.tgz, "host-20241208/" of after.tgz. */
static size_t own_folder(const FilePiece *pieces, size_t n, size_t root, Str folder) {
    Str first = STR_NONE;
    size_t len = 0;
    for (size_t i = 0; i < n; i++) {
        Str rest;
        if (!str_eq(first_folder(pieces[i].member, root, &rest), folder)) continue;
        if (!first.p) {
            first = rest;
            len = rest.len;
        }
        len = shared_folder(str_sub(first, 0, len), rest);
    }
    return len;
}

static bool put_capture(Facts *f, int64_t bundle, Str prefix, int64_t capture, Error *err) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f),
                           "UPDATE source SET capture = ?1 WHERE bundle = ?2 AND substr(member, 1, length(?3)) = ?3",
                           -1, &st, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(facts_db(f)));
    sqlite3_bind_int64(st, 1, capture);
    sqlite3_bind_int64(st, 2, bundle);
    sqlite3_bind_text64(st, 3, prefix.p, prefix.len, SQLITE_STATIC, SQLITE_UTF8);
    bool ok = sqlite3_step(st) == SQLITE_DONE;
    sqlite3_finalize(st);
    return ok || error_set(err, "captures: %s", sqlite3_errmsg(facts_db(f)));
}

static void name_capture(Facts *f, int64_t capture, Str label) {
    sqlite3_stmt *st = facts_query(f, "UPDATE capture SET label = ?2 WHERE id = ?1 AND label IS NULL");
    sqlite3_bind_int64(st, 1, capture);
    sqlite3_bind_text64(st, 2, label.p, label.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    sqlite3_step(st);
    sqlite3_reset(st);
}

/* 0: neither, 1: before, 2: after, by a word of the file's name. */
static int moment_word(Str member) {
    static const char *const words[2][3] = {{"before", "vorher", "pre-change"}, {"after", "nachher", "post-change"}};
    Str name = str_basename(member);
    for (int k = 0; k < 2; k++)
        for (size_t w = 0; w < 3; w++) {
            size_t at = str_ifind(name, words[k][w]), end = at == SIZE_MAX ? 0 : at + strlen(words[k][w]);
            if (at == SIZE_MAX || (at && ch_alpha(name.p[at - 1])) || (end < name.len && ch_alpha(name.p[end])))
                continue;
            return k + 1;
        }
    return 0;
}

/* Order of captures by their folders: before and after by their words, else numbers by value and the rest by name. */
static int folder_order(Str a, Str b) {
    int x = moment_word(a), y = moment_word(b);
    if (x && y && x != y) return x - y;
    size_t i = 0, k = 0;
    while (i < a.len && k < b.len) {
        if (ch_digit(a.p[i]) && ch_digit(b.p[k])) {
            size_t n = i, m = k;
            while (n < a.len && ch_digit(a.p[n])) n++;
            while (m < b.len && ch_digit(b.p[m])) m++;
            uint64_t v = 0, w = 0;
            if (str_u64(str_sub(a, i, n - i), &v) && str_u64(str_sub(b, k, m - k), &w) && v != w) return v < w ? -1 : 1;
            i = n;
            k = m;
        } else if (a.p[i] != b.p[k]) {
            return a.p[i] < b.p[k] ? -1 : 1;
        } else {
            i++;
            k++;
        }
    }
    return a.len < b.len ? -1 : a.len > b.len;
}

/*
 * Two to eight folders side by side that hold outputs of the same names: "before/iostat.txt" and "after/iostat.txt". A folder in
 * between that holds all of one of them may be called differently, as archives of one day each begin. Two names must agree, and
 * half of what the smaller folder holds: /sys and /proc of one capture have a name in common now and then.
 */
static bool by_folder(Facts *f, int64_t bundle, int64_t capture, const FilePiece *pieces, size_t n, bool *done,
                      Error *err) {
    enum { MAX_FOLDERS = 8 };
    Str folders[MAX_FOLDERS];
    size_t counts[MAX_FOLDERS] = {0}, own[MAX_FOLDERS] = {0}, count = 0, root = common_folder(pieces, n);
    for (size_t i = 0; i < n; i++) {
        Str rest, base, folder = first_folder(pieces[i].member, root, &rest);
        if (!folder.p) continue;
        if (name_class(folder, &base) != NAME_OTHER)
            return true; /* "drives/sda/", "drives/sdb/": one file for each drive */
        size_t k = 0;
        while (k < count && !str_eq(folders[k], folder)) k++;
        if (k == count) {
            if (count == MAX_FOLDERS) return true;
            folders[count++] = folder;
        }
        counts[k]++;
    }
    for (size_t k = 0; k < count; k++) own[k] = own_folder(pieces, n, root, folders[k]);
    Str above = str_sub(pieces[0].member, 0, root);
    if (count < 2 || str_has(above, "sys/") || str_has(above, "proc/")) return true;
    for (size_t k = 1; k < count; k++) { /* each has to look like the first */
        size_t same = 0;
        for (size_t i = 0; i < n; i++) {
            Str mine, theirs;
            if (!str_eq(first_folder(pieces[i].member, root, &mine), folders[0])) continue;
            for (size_t j = 0; j < n; j++) {
                if (!str_eq(first_folder(pieces[j].member, root, &theirs), folders[k])) continue;
                if (!str_eq(pieces[i].tool, pieces[j].tool)) continue;
                if (!str_eq(mine, theirs) && !str_eq(str_from(mine, own[0]), str_from(theirs, own[k]))) continue;
                same++;
                break;
            }
        }
        size_t least = counts[0] < counts[k] ? counts[0] : counts[k];
        if (same < 2 || same * 2 < least) return true;
    }
    *done = true;
    for (size_t k = 1; k < count; k++)
        for (size_t i = k; i > 0 && folder_order(folders[i - 1], folders[i]) > 0; i--) {
            Str swap = folders[i];
            folders[i] = folders[i - 1];
            folders[i - 1] = swap;
        }
    for (size_t k = 0; k < count; k++) {
        int64_t id = k ? facts_capture(f, bundle, folders[k]) : capture;
        if (!k) name_capture(f, capture, folders[0]);
        Str prefix = str_sub(pieces[0].member, 0, root);
        if (!put_capture(f, bundle, arena_strf(facts_arena(f), "%.*s%.*s/", STR_ARG(prefix), STR_ARG(folders[k])), id,
                         err))
            return false;
        if (!put_capture(f, bundle, arena_strf(facts_arena(f), "%.*s%.*s!", STR_ARG(prefix), STR_ARG(folders[k])), id,
                         err))
            return false;
    }
    return true;
}

/* "iostat-before.txt" and "iostat-after.txt": at least one tool must have spoken in both. */
static bool by_word(Facts *f, int64_t bundle, int64_t capture, const FilePiece *pieces, size_t n, bool *done,
                    Error *err) {
    bool both = false;
    int *moment = arena_array(facts_arena(f), int, n + 1);
    for (size_t i = 0; i < n; i++) moment[i] = moment_word(pieces[i].member);
    for (size_t i = 0; i < n && !both; i++)
        for (size_t j = 0; moment[i] == 1 && j < n && !both; j++)
            both = moment[j] == 2 && str_eq(pieces[i].tool, pieces[j].tool);
    if (!both) return true;
    *done = true;
    name_capture(f, capture, STR("before"));
    int64_t after = facts_capture(f, bundle, STR("after"));
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), "UPDATE source SET capture = ?1 WHERE id = ?2", -1, &st, NULL) != SQLITE_OK)
        return error_set(err, "captures: %s", sqlite3_errmsg(facts_db(f)));
    for (size_t i = 0; i < n; i++) {
        if (moment[i] != 2) continue;
        sqlite3_bind_int64(st, 1, after);
        sqlite3_bind_int64(st, 2, pieces[i].src);
        sqlite3_step(st);
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
    return true;
}

bool captures_split(Facts *f, Error *err) {
    enum { MAX_SPANS = 4096, MAX_PIECES = 2000, MAX_STARTS = 256 };
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
    FilePiece *pieces = arena_array(a, FilePiece, MAX_PIECES);
    for (size_t b = 0; b < bundles.count; b++) {
        size_t files = pieces_of(f, bundles.items[b], pieces, MAX_PIECES);
        bool done = false;
        if (files >= 2 && files < MAX_PIECES) {
            if (!by_folder(f, bundles.items[b], captures.items[b], pieces, files, &done, err)) return false;
            if (!done && !by_word(f, bundles.items[b], captures.items[b], pieces, files, &done, err)) return false;
        }
        if (done) continue;
        size_t n = spans_of(f, bundles.items[b], spans, MAX_SPANS);
        if (n < 2) continue;
        qsort(spans, n, sizeof *spans, by_time);
        double starts[MAX_STARTS];
        size_t boots = starts_of(f, bundles.items[b], starts, MAX_STARTS);
        int64_t capture = captures.items[b];
        double last = spans[0].last_s;
        bool split = false;
        for (size_t i = 0; i < n; i++) {
            if (spans[i].first_s - last > gap_s || started_between(starts, boots, last, spans[i].first_s)) {
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
