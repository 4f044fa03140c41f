/*
 * zpool_history.c - the commands that a pool remembers, and its own doings
 *
 * Reads   zpool history [-i] [-l] [POOL], ZFS 0.6 to 2.4, Solaris, FreeBSD
 * Gives   pool_event: the making of the pool, commands that change its members or scan it, scans that began, ended or started anew (-i)
 * Sample  OpenZFS 2.2, zpool history -il tank
 *   |History for 'tank':
 *   |2022-07-02.11:20:41 zpool create -o ashift=12 tank mirror sda sdb [user 0 (root) on nas:linux]
 *   |2024-04-14.00:24:01 [txg:8112311] scan setup func=1 mintxg=0 maxtxg=8112311 [on nas]
 *   |2024-04-14.01:05:09 (812ms) zpool scrub tank [user 0 (root) on nas:linux]
 * Varies  the times are local, without a zone; the span in brackets came with 2.2. Up to version 28 of the pool internal entries read
 *         "[internal pool scrub txg:77] func=1 ...". func: 1 scrub, 2 resilver. ioctl entries have rows of arguments below. Snapshots,
 *         sends and properties of datasets are counted and not kept: there may be a hundred thousand of them.
 */
#include "../base/times.h"
#include "parser.h"
#include "scan.h"

enum { MAX_KEPT = 4096 };

/* "2024-04-14.00:24:01"; *t: as if it were UTC. */
static bool stamp(Str s, double *t) {
    Str year = str_cut(&s, '-'), month = str_cut(&s, '-'), day = str_cut(&s, '.');
    uint64_t y, m, d;
    double clock;
    if (year.len != 4 || month.len != 2 || day.len != 2 || s.len != 8) return false;
    if (!str_u64(year, &y) || !str_u64(month, &m) || !str_u64(day, &d) || !time_parse_clock(s, &clock)) return false;
    if (y < 1970 || m < 1 || m > 12 || d < 1 || d > 31) return false;
    *t = (double)time_from_civil((int64_t)y, (int)m, (int)d) + clock;
    return true;
}

/* A row: its time and the rest behind it, without "(812ms)". */
static bool row_of(Str line, double *t, Str *rest) {
    Str s = line;
    if (!s.len || !ch_digit(s.p[0]) || !stamp(str_word(&s), t)) return false;
    s = str_trim(s);
    if (s.len && s.p[0] == '(') {
        size_t end = str_find(s, "ms) ");
        if (end != SIZE_MAX && end < 24) s = str_trim(str_from(s, end + 4));
    }
    *rest = s;
    return s.len > 0;
}

static bool zfs_row(Str line) {
    double t;
    Str rest;
    return row_of(line, &t, &rest) &&
           (str_starts(rest, "zpool ") || str_starts(rest, "zfs ") || str_starts(rest, "[txg:") ||
            str_starts(rest, "[internal ") || str_starts(rest, "ioctl ") || str_starts(rest, "unrecognized record"));
}

/* "History for 'tank':" */
static bool heading(Str line, Str *pool) {
    Str s = str_after(str_trim(line), "History for '");
    if (!s.p || !str_ends(s, "':") || s.len < 3) return false;
    *pool = str_sub(s, 0, s.len - 2);
    return true;
}

/* Arguments of an ioctl entry: indented names and values. */
static bool argument(Str line) {
    Str s = str_trim(line);
    return s.len && str_starts(line, "    ") && (str_ends(s, ":") || str_has(s, ": ") || str_has(s, " = "));
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "zpool") && str_has(command, "history") ? 4
               : path_has(path, "zpool_history")                           ? 4
                                                                           : 0;
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head), pool;
        if (!str_trim(line).len || (bits && argument(line))) continue; /* the start is cut off */
        if (heading(line, &pool)) return 28 + bits;
        return zfs_row(line) ? 24 + bits : 0;
    }
    return 0;
}

/* The one pool that the command names: the heading is cut off where only the last lines were kept. */
static Str pool_of_command(Str command) {
    size_t at = str_find(command, " history ");
    if (at == SIZE_MAX || !command_is(command, "zpool")) return STR_NONE;
    Str rest = str_trim(str_from(command, at + 9));
    while (str_starts(rest, "-")) {
        str_word(&rest);
        rest = str_trim(rest);
    }
    Str name = scan_unquote(rest);
    if (!name.len || (name.len == rest.len && str_find_ch(rest, ' ') != SIZE_MAX)) return STR_NONE; /* several */
    return name;
}

static bool starts(Str line) {
    Str pool;
    return heading(line, &pool) || zfs_row(line);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line) || argument(line);
}

/* ---------------------------------------------------------------- rows */

typedef struct State {
    ParseCtx *ctx;
    Str pool;
    const char *scan; /* what the last "scan setup" began */
    int64_t kept;
    bool local;
} State;

/* The words of a row without the writer behind: " [user 0 (root) on nas:linux]", " [on nas]". */
static Str without_writer(Str s) {
    s = str_trim(s);
    if (!str_ends(s, "]")) return s;
    size_t at = str_rfind_ch(s, '[');
    if (at == SIZE_MAX || at == 0) return s;
    Str tail = str_from(s, at);
    return str_starts(tail, "[user ") || str_starts(tail, "[on ") ? str_trim(str_sub(s, 0, at)) : s;
}

static void put(State *s, const char *what, const char *scan, double t, Str text, Spot at) {
    ParseCtx *ctx = s->ctx;
    if (s->kept++ >= MAX_KEPT) return;
    if (!s->local) facts_local_time(ctx->facts, ctx->src);
    s->local = true;
    Row r = ctx_row(ctx, "pool_event", at);
    if (s->pool.len) row_ref(&r, "node", ctx_ref(ctx, REF_POOL, s->pool));
    row_text(&r, "what", str_of(what));
    if (scan) row_text(&r, "scan", str_of(scan));
    row_real(&r, "t_s", t);
    row_text(&r, "origin", STR("history"));
    row_text(&r, "text", str_sub(text, 0, FACTS_LINE_CLIP));
    row_done(&r);
}

static bool has_flag(Str command, const char *flag) {
    for (Str w; (w = str_word(&command)).len;)
        if (str_is(w, flag)) return true;
    return false;
}

static void command(State *s, double t, Str text, Spot at) {
    static const char *const kept[] = {"scrub",  "resilver", "replace", "attach",     "detach",     "add",
                                       "remove", "offline",  "online",  "clear",      "export",     "upgrade",
                                       "trim",   "split",    "reguid",  "labelclear", "initialize", "checkpoint",
                                       "reopen", "set",      "import",  "create",     "ddtprune",   "prefetch"};
    Str rest = str_after(text, "zpool "), words = rest, sub = str_word(&words);
    if (!rest.p) return; /* zfs: datasets */
    bool known = false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) known = known || str_is(sub, kept[i]);
    if (!known) return;
    const char *what = str_is(sub, "create") ? "created" : str_is(sub, "import") ? "imported" : "command";
    bool begins = !has_flag(words, "-s") && !has_flag(words, "-p");
    const char *scan = str_is(sub, "scrub") && begins ? "scrub" : str_is(sub, "resilver") ? "resilver" : NULL;
    put(s, what, scan, t, text, at);
}

static const char *func_of(Str text) {
    return str_has(text, "func=1 ") || str_ends(text, "func=1")   ? "scrub"
           : str_has(text, "func=2 ") || str_ends(text, "func=2") ? "resilver"
                                                                  : NULL;
}

static void internal(State *s, double t, Str text, Spot at) {
    if (str_starts(text, "scan setup ")) {
        s->scan = func_of(text);
        put(s, "scan-start", s->scan, t, text, at);
    } else if (str_starts(text, "scan done")) {
        put(s, "scan-end", s->scan, t, text, at);
    } else if (str_starts(text, "scan aborted, restarting")) {
        put(s, "scan-restart", s->scan, t, text, at);
    } else if (str_starts(text, "scan cancelled") || str_starts(text, "scan canceled")) {
        put(s, "scan-cancel", s->scan, t, text, at);
    } else if (str_starts(text, "create pool version ")) {
        put(s, "created", NULL, t, text, at);
    }
}

/* "[internal pool scrub txg:77] func=1 mintxg=0 maxtxg=77" */
static void legacy(State *s, double t, Str text, Spot at) {
    Str name = str_after(text, "[internal ");
    size_t end = str_find(name, " txg:"), close = str_find_ch(name, ']');
    if (end == SIZE_MAX || close == SIZE_MAX) return;
    Str said = str_trim(str_from(name, close + 1));
    name = str_sub(name, 0, end);
    if (str_is(name, "pool create")) {
        put(s, "created", NULL, t, text, at);
    } else if (str_is(name, "pool scrub") || str_is(name, "pool scan")) {
        s->scan = func_of(said);
        put(s, "scan-start", s->scan, t, text, at);
    } else if (str_is(name, "pool scrub done") || str_is(name, "pool scan done")) {
        put(s, str_has(said, "complete=0") ? "scan-cancel" : "scan-end", s->scan, t, text, at);
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->pool = pool_of_command(ctx->command);
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        Str pool, rest;
        double t;
        if (heading(line, &pool)) {
            s->pool = arena_str(ctx->scratch, pool);
            s->scan = NULL;
            ctx->rows++;
        } else if (row_of(line, &t, &rest)) {
            ctx->rows++;
            rest = without_writer(rest);
            if (str_starts(rest, "[internal ")) {
                legacy(s, t, rest, at);
            } else if (str_starts(rest, "[txg:")) {
                size_t close = str_find_ch(rest, ']');
                if (close != SIZE_MAX) internal(s, t, str_trim(str_from(rest, close + 1)), at);
            } else if (str_starts(rest, "zpool ") || str_starts(rest, "zfs ")) {
                command(s, t, rest, at);
            } else if (!str_starts(rest, "ioctl ") && !str_starts(rest, "unrecognized record")) {
                ctx->rows--; /* other programs write here, too: "iocage ..." */
                parse_note(ctx, at, "an entry of zpool history of another kind: \"%.*s\"",
                           STR_ARG(str_sub(rest, 0, 80)));
            }
        } else if (argument(line)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of zpool history: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    if (s->kept > MAX_KEPT)
        facts_note(ctx->facts, ctx->src, (Spot){.line = 1},
                   arena_strf(ctx->arena, "entries behind the first %d, which are left out: %lld", MAX_KEPT,
                              (long long)(s->kept - MAX_KEPT)));
    return parse_result(ctx);
}

const Parser parser_zpool_history = {.name = "zpool-history",
                                     .bid = bid,
                                     .starts = starts,
                                     .continues = continues,
                                     .parse = parse,
                                     .ask = "zpool history -il"};
