/*
 * arcstat.c - what the cache of ZFS did in each interval
 *
 * Reads   arcstat, arcstat.py [-f FIELDS] [INTERVAL [COUNT]], ZFS 0.6 to 2.3, Linux, FreeBSD and illumos
 * Gives   counter (kind zfs) arcstats.size and arcstats.c of the last row; arcstat.reads and arcstat.misses, summed over the rows
 *         behind the first, which may count since boot
 * Sample  OpenZFS 2.0
 *   |     time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  size     c  avail
 *   | 12:37:19   124     0      0     0    0     0    0     0    0   39G   45G    53G
 * Sample  0.7
 *   |     time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  arcsz     c
 * Varies  columns follow -f and the version (2.2: ddread, ddh% ...): the header says. It comes again every 20 rows. Counts are per
 *         second, base 1000 (k M or K); sizes base 1024.
 */
#include "scan.h"
#include "zfs_counter.h"

#include <math.h>

enum { MAX_COLUMNS = 40 };

static bool header(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS), known = 0;
    static const char *const words[] = {
        "read", "miss", "miss%", "hits",   "hit%",   "dmis",   "dm%",    "pmis",   "pm%",     "mmis",  "mm%",   "arcsz",
        "size", "c",    "dh%",   "ph%",    "mh%",    "ddread", "dmread", "ddh%",   "dmh%",    "pread", "avail", "mfu",
        "mru",  "mfug", "mrug",  "l2hits", "l2miss", "l2read", "l2hit%", "l2size", "l2asize", "ioh%",  "ddioh%"};
    if (n < 4 || n > MAX_COLUMNS || !str_is(w[0], "time")) return false;
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_is(w[i], words[k])) {
                known++;
                break;
            }
    return known >= 3 && known * 2 >= n;
}

/* "12:37:19   124     0 ..." */
static bool row(Str line, Str *w, size_t *count) {
    double v;
    *count = str_words(line, w, MAX_COLUMNS);
    if (*count < 4 || *count > MAX_COLUMNS) return false;
    Str t = w[0];
    if (t.len != 8 || t.p[2] != ':' || t.p[5] != ':' || !ch_digit(t.p[0])) return false;
    for (size_t i = 1; i < *count; i++)
        if (!str_scaled(w[i], 1000, &v)) return false;
    return true;
}

static bool starts(Str line) {
    return header(line);
}

static bool continues(Str line) {
    Str w[MAX_COLUMNS];
    size_t n;
    return !str_trim(line).len || header(line) || row(line, w, &n);
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "arcstat") || str_has(command, "arcstat") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return header(line) ? 24 + bits : 0;
    }
    return 0;
}

static void put(ParseCtx *ctx, const char *name, double value, const char *unit, Spot at) {
    if (isnan(value)) return;
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("zfs"));
    row_real(&r, "value", value);
    if (unit) row_text(&r, "unit", str_of(unit));
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, columns[MAX_COLUMNS] = {0}, w[MAX_COLUMNS];
    size_t count = 0, n, rows = 0;
    double size = NAN, target = NAN, reads = NAN, misses = NAN;
    Spot last = {0};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (header(line)) {
            count = str_words(arena_str(ctx->scratch, line), columns, MAX_COLUMNS);
            continue;
        }
        if (!row(line, w, &n) || n != count) {
            parse_note(ctx, at, "not a row of arcstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        rows++;
        last = scan_keep(ctx->scratch, at);
        for (size_t i = 1; i < n; i++) {
            double v = NAN;
            bool bytes = str_is(columns[i], "arcsz") || str_is(columns[i], "size") || str_is(columns[i], "c");
            if (!str_scaled(w[i], bytes ? 1024 : 1000, &v)) continue;
            if (str_is(columns[i], "c")) target = v;
            else if (bytes) size = v;
            else if (rows > 1 && str_is(columns[i], "read")) reads = isnan(reads) ? v : reads + v;
            else if (rows > 1 && str_is(columns[i], "miss")) misses = isnan(misses) ? v : misses + v;
        }
    }
    put(ctx, "arcstats.size", size, "bytes", last);
    put(ctx, "arcstats.c", target, "bytes", last);
    put(ctx, "arcstat.reads", reads, NULL, last);
    put(ctx, "arcstat.misses", misses, NULL, last);
    return parse_result(ctx);
}

const Parser parser_arcstat = {
    .name = "arcstat", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "arcstat 1 60"};
