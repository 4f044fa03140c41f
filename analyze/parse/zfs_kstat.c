/*
 * zfs_kstat.c - ZFS statistics below /proc/spl/kstat/zfs
 *
 * Reads   arcstats, zil, dmu_tx, fm, abdstats, zfetchstats ..., POOL/state, POOL/txgs, POOL/io, POOL/iostats, POOL/objset-*; as cat
 *         or grep prints them
 * Gives   counter (kind zfs) of the host, of pools and of datasets; pool.state
 * Sample  ZFS 2.1, cat arcstats
 *   | 6 1 0x01 91 4368 5266997922 97951858082072
 *   | name                            type data
 *   | hits                            4    8772612
 * Sample  grep -s . /proc/spl/kstat/zfs/STAR/STAR
 *   | /proc/spl/kstat/zfs/storage/state:ONLINE
 * Sample  FreeBSD, sysctl kstat.zfs
 *   | kstat.zfs.zroot.txgs:
 *   | txg      birth            state ndirty       nread        nwritten     reads    writes   otime        qtime        wtime        stime
 * Varies  several readings may stand in one file, with the collector's stamps between them. A table says nowhere which one it is: the file name of grep does, else the member's path, else the words in it. Figures
 *         that no diagnosis needs are counted. Times in txgs are nanoseconds.
 */
#include "scan.h"
#include "zfs_counter.h"

#include <math.h>

enum { MAX_ROWS = 512 };

static bool header(Str s) {
    Str w[8];
    uint64_t v;
    return str_words(s, w, 8) == 7 && str_u64(w[0], &v) && str_u64(w[1], &v) && str_starts(w[2], "0x") &&
           str_hex_u64(w[2], &v) && str_u64(w[3], &v) && str_u64(w[4], &v) && str_u64(w[5], &v) && str_u64(w[6], &v);
}

/* The last figure of a header: nanoseconds since boot when the table was read. */
static double snap_time(Str s) {
    Str w[8];
    double ns;
    return str_words(s, w, 8) == 7 && str_double(w[6], &ns) ? ns / 1e9 : NAN;
}

static bool name_row(Str s) {
    Str w[4];
    return str_words(s, w, 4) == 3 && str_is(w[0], "name") && str_is(w[1], "type") && str_is(w[2], "data");
}

static bool data_row(Str s, Str w[3]) {
    Str tail = s;
    w[0] = str_word(&tail);
    w[1] = str_word(&tail);
    w[2] = str_trim(tail);
    double v;
    return w[0].len && w[1].len == 1 && ch_digit(w[1].p[0]) && w[2].len &&
           (str_is(w[1], "7") || (str_double(w[2], &v) && str_find_ch(w[2], ' ') == SIZE_MAX));
}

static bool state_word(Str s) {
    static const char *const words[] = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "REMOVED", "UNAVAIL", "SUSPENDED"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static bool txg_header(Str s) {
    return str_starts(s, "txg ") && str_has(s, "ndirty") && str_has(s, "stime");
}

static bool io_header(Str s) {
    return str_starts(s, "nread ") && str_has(s, "nwritten") && str_has(s, "wlentime");
}

/* "/proc/spl/kstat/zfs/storage/txgs:" in front of what grep found; *file is "storage/txgs". */
static Str prefixed(Str line, Str *file) {
    *file = STR_NONE;
    Str node = str_after(line, "kstat.zfs.");
    if (node.p) { /* FreeBSD's sysctl: of its nodes only this one is a table */
        size_t end = str_find(node, ".txgs:");
        if (end == SIZE_MAX || !end || end > 64) return line;
        *file = str_sub(node, 0, end + 5);
        return str_from(node, end + 6);
    }
    size_t at = str_find(line, "spl/kstat/zfs/");
    if (at == SIZE_MAX || at > 64 || line.p[0] != '/') return line;
    Str rest = str_from(line, at + 14);
    size_t colon = str_find_ch(rest, ':');
    if (colon == SIZE_MAX || !colon) return line;
    *file = str_sub(rest, 0, colon);
    return str_from(rest, colon + 1);
}

/* "=== 2026-11-30 10:00:05 +0000": the collector's stamp between readings. */
static bool stamp(Str s) {
    return str_starts(s, "=== ");
}

static bool starts(Str line) {
    Str file, s = str_trim(prefixed(line, &file));
    return file.len || header(s) || txg_header(s);
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "kstat") || str_has(command, "kstat") ? 6 : 0, n = 0;
    for (; n < 4 && head.len; n++) {
        Str line = head_line(&head), file, w[3], s = str_trim(prefixed(line, &file));
        if (!s.len || stamp(s)) continue;
        if (file.len) return 30 + bits;
        if (header(s)) return 24 + bits;
        if (name_row(s) || txg_header(s) || io_header(s)) return 20 + bits;
        if (n == 0 && state_word(s) && !str_trim(head).len && path_has(path, "state")) return 8;
        if (data_row(s, w) && bits) return 8 + bits;
        return 0;
    }
    return 0;
}

static bool numbers(Str s, size_t least) {
    Str w;
    size_t n = 0;
    while ((w = str_word(&s)).len) {
        uint64_t v;
        if (!str_u64(w, &v) && !(w.len == 1 && str_find_ch(STR("OQWSCB"), w.p[0]) != SIZE_MAX)) return false;
        n++;
    }
    return n >= least;
}

static bool continues(Str line) {
    Str file, w[3], s = str_trim(prefixed(line, &file));
    return !s.len || stamp(s) || file.len || header(s) || name_row(s) || txg_header(s) || io_header(s) ||
           data_row(s, w) || numbers(s, 8) || state_word(s);
}

/* ---------------------------------------------------------------- facts */

typedef struct Kept {
    Str name, value;
    Spot at;
} Kept;

typedef struct Kstat {
    ParseCtx *ctx;
    Str file; /* "arcstats" or "storage/txgs", "" unknown */
    Kept row[MAX_ROWS];
    size_t count;
    bool txgs, io;
    Str columns;
    double snap_s;
    /* the longest sync and the most dirty data of the txgs */
    double stime_ms, ndirty;
    Spot stime_at, ndirty_at;
    /* how many of them there were and how many synced slowly; readings overlap, so by their numbers */
    double last_txg;
    unsigned syncs, slow_syncs;
    Str txg_pool;
} Kstat;

/* zfs_txg_timeout: a transaction group that syncs longer than the next one may wait cannot keep up. */
static const double slow_sync_ms = 5000;

/* POOL of "POOL/txgs"; STR_NONE at the top level. */
static Str pool_of(const Kstat *k) {
    size_t slash = str_find_ch(k->file, '/');
    if (slash == SIZE_MAX && str_ends(k->file, ".txgs")) return str_sub(k->file, 0, k->file.len - 5);
    return slash == SIZE_MAX ? STR_NONE : str_sub(k->file, 0, slash);
}

static Ref pool_ref(Kstat *k) {
    Str pool = pool_of(k);
    return pool.len ? ctx_ref(k->ctx, REF_POOL, pool) : 0;
}

static void counter(Kstat *k, Ref node, const char *name, double value, const char *unit, Spot at) {
    if (!node || isnan(value)) return;
    Row r = ctx_row(k->ctx, "counter", at);
    row_ref(&r, "node", node);
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("zfs"));
    row_real(&r, "value", value);
    if (unit) row_text(&r, "unit", str_of(unit));
    row_done(&r);
}

static Str table_of(const Kstat *k) {
    static const char *const tables[] = {"arcstats", "zil", "dmu_tx"};
    Str base = str_basename(k->file);
    if (str_starts(base, "objset")) return STR("objset");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (str_is(base, tables[i])) return base;
    if (base.len) return STR_NONE; /* another table, whatever its words */
    for (size_t i = 0; i < k->count; i++) {
        Str name = k->row[i].name;
        if (str_is(name, "c_max")) return STR("arcstats");
        if (str_is(name, "zil_commit_count")) return STR("zil");
        if (str_is(name, "dmu_tx_assigned")) return STR("dmu_tx");
        if (str_is(name, "dataset_name")) return STR("objset");
    }
    return STR_NONE;
}

static void end_table(Kstat *k) {
    ParseCtx *ctx = k->ctx;
    Str table = table_of(k);
    Ref node = 0;
    if (str_is(table, "objset")) {
        for (size_t i = 0; i < k->count && !node; i++)
            if (str_is(k->row[i].name, "dataset_name")) node = ctx_ref(ctx, REF_DATASET, k->row[i].value);
    } else if (table.len) {
        node = ctx_ref(ctx, REF_HOST, STR("host"));
    }
    for (size_t i = 0; i < k->count && node; i++)
        zfs_counter(ctx, node, table, k->row[i].name, k->row[i].value, k->snap_s, k->row[i].at);
    k->count = 0;
    if (k->txgs) {
        counter(k, pool_ref(k), "txgs.stime_max_ms", k->stime_ms, "ms", k->stime_at);
        counter(k, pool_ref(k), "txgs.ndirty_max", k->ndirty, "bytes", k->ndirty_at);
        if (!isnan(k->stime_ms)) {
            counter(k, pool_ref(k), "txgs.syncs", k->syncs, NULL, k->stime_at);
            counter(k, pool_ref(k), "txgs.slow_syncs", k->slow_syncs, NULL, k->stime_at);
        }
    }
    k->txgs = k->io = false;
    k->stime_ms = k->ndirty = k->snap_s = NAN;
}

static bool column(Str header_line, Str row, const char *name, double *out) {
    Str h, v;
    while ((h = str_word(&header_line)).len && (v = str_word(&row)).len)
        if (str_is(h, name)) return str_double(v, out);
    return false;
}

static void figures_row(Kstat *k, Str s, Spot at) {
    ParseCtx *ctx = k->ctx;
    double v;
    if (!numbers(s, 8)) {
        parse_note(ctx, at, "not a row of this table: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        return;
    }
    ctx->rows++;
    if (k->io) {
        static const char *const names[] = {"nread", "nwritten", "reads", "writes"};
        static const char *const full[] = {"io.nread", "io.nwritten", "io.reads", "io.writes"};
        for (size_t i = 0; i < 4; i++)
            if (column(k->columns, s, names[i], &v)) counter(k, pool_ref(k), full[i], v, i < 2 ? "bytes" : NULL, at);
        return;
    }
    double txg, stime;
    if (column(k->columns, s, "stime", &stime) && stime > 0 && column(k->columns, s, "txg", &txg) &&
        !(txg <= k->last_txg)) {
        k->last_txg = txg;
        k->syncs++;
        k->slow_syncs += stime / 1e6 >= slow_sync_ms;
    }
    if (column(k->columns, s, "stime", &v) && !(v / 1e6 <= k->stime_ms)) {
        k->stime_ms = v / 1e6;
        k->stime_at = scan_keep(ctx->scratch, at);
    }
    if (column(k->columns, s, "ndirty", &v) && !(v <= k->ndirty)) {
        k->ndirty = v;
        k->ndirty_at = scan_keep(ctx->scratch, at);
    }
}

static void state_row(Kstat *k, Str s, Spot at) {
    ParseCtx *ctx = k->ctx;
    Str pool = pool_of(k);
    ctx->rows++;
    if (!pool.len) return;
    Row r = ctx_row(ctx, "pool", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_POOL, pool));
    row_text(&r, "name", pool);
    row_text(&r, "state", s);
    row_done(&r);
}

/* What the member's path says: ".../kstat/zfs/storage/txgs" or "kstat_arcstats.out". */
static Str file_of_path(Str path) {
    static const char *const tables[] = {"arcstats",         "dmu_tx",    "zil",        "zfetchstats", "abdstats",
                                         "vdev_cache_stats", "dbufstats", "dnodestats", "fm"};
    size_t at = str_find(path, "kstat/zfs/");
    if (at != SIZE_MAX) return str_from(path, at + 10);
    Str base = str_basename(path);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t found = str_find(base, tables[i]);
        if (found != SIZE_MAX && (i + 1 < sizeof tables / sizeof *tables || str_has(base, "kstat_fm")))
            return str_sub(base, found, strlen(tables[i]));
    }
    return STR_NONE;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Kstat *k = arena_new_of(ctx->scratch, Kstat);
    k->ctx = ctx;
    k->stime_ms = k->ndirty = k->snap_s = k->last_txg = NAN;
    k->file = file_of_path(ctx->path);
    Str line;
    bool full_said = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str file, w[3], s = str_trim(prefixed(line, &file));
        if ((!s.len && !file.len) || stamp(s)) continue;
        if (file.len && !str_eq(file, k->file)) {
            end_table(k);
            k->file = arena_str(ctx->scratch, file);
        }
        if (!s.len) continue;
        if (header(s)) {
            end_table(k);
            k->snap_s = snap_time(s);
        } else if (name_row(s)) {
            continue;
        } else if (txg_header(s) || io_header(s)) {
            end_table(k);
            k->txgs = txg_header(s);
            k->io = !k->txgs;
            if (k->txgs && !str_eq(pool_of(k), k->txg_pool)) {
                k->txg_pool = arena_str(ctx->scratch, pool_of(k));
                k->last_txg = NAN;
                k->syncs = k->slow_syncs = 0;
            }
            k->columns = arena_str(ctx->scratch, s);
        } else if (k->txgs || k->io) {
            figures_row(k, s, at);
        } else if (state_word(s)) {
            state_row(k, s, at);
        } else if (data_row(s, w)) {
            ctx->rows++;
            if (k->count < MAX_ROWS) {
                k->row[k->count++] =
                    (Kept){arena_str(ctx->scratch, w[0]), arena_str(ctx->scratch, w[2]), scan_keep(ctx->scratch, at)};
            } else if (!full_said) {
                parse_note(ctx, at, "a table of more than %d rows: the rest is not read", MAX_ROWS);
                full_said = true;
            }
        } else {
            parse_note(ctx, at, "not a row of a ZFS kstat: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    end_table(k);
    return parse_result(ctx);
}

const Parser parser_zfs_kstat = {
    .name = "zfs-kstat",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "cat /proc/spl/kstat/zfs/arcstats; grep -s . /proc/spl/kstat/zfs/*/*",
};
