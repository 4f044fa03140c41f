/*
 * manifest.c - the table of contents of our own collector
 *
 * Reads   manifest.tsv of stordx-collect
 * Gives   table manifest; capture (start_s, end_s, boot_id, timezone_s, uptime_s, sampling_s, complete, label); bundle (host,
 *         host_identity, test_path)
 * Sample  schema 1
 *   | # schema	1
 *   | # timezone	+0200
 *   | # epoch_start	1757761330
 *   | # boot_id	5a1f0c3e-77b2-4d19-9a4e-0be2c61d8f47
 *   | uname	1757761330	1757761330	0	ok	uname -a
 *   | # complete	yes
 *   | # epoch_end	1757761425
 *   | # skipped	zpool_status	no zfs module in this kernel
 * Varies  "-" is "there is none"; a run that was cut off has no "# complete"
 */
#include "parser.h"

#include <math.h>
#include <stdlib.h>

static bool header_line(Str line, Str *key, Str *value) {
    if (!str_starts(line, "# ")) return false;
    Str rest = str_from(line, 2);
    size_t tab = str_find_ch(rest, '\t');
    if (tab == SIZE_MAX || tab == 0) return false;
    *key = str_sub(rest, 0, tab);
    *value = str_trim(str_from(rest, tab + 1));
    return str_find_ch(*key, ' ') == SIZE_MAX;
}

/* name, start, end, rc, status, command */
static bool row_line(Str line, Str cells[6]) {
    for (int i = 0; i < 5; i++) {
        size_t tab = str_find_ch(line, '\t');
        if (tab == SIZE_MAX) return false;
        cells[i] = str_sub(line, 0, tab);
        line = str_from(line, tab + 1);
    }
    cells[5] = line;
    return cells[0].len > 0;
}

/* Tables of tabs and numbers are many (zfs list -H); the collector's words for what came of a command are its own. */
static bool is_status(Str s) {
    static const char *const words[] = {"ok",      "rc",      "denied",           "truncated",     "timeout", "hung",
                                        "missing", "skipped", "skipped-denylist", "model-unknown", "standby"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static int manifest_bid(Str path, Str command, Str head) {
    int evidence = 0;
    (void)command;
    for (int n = 0; head.len && n < 20; n++) {
        Str line = head_line(&head), key, value, cells[6];
        if (header_line(line, &key, &value)) {
            if (str_is(key, "schema") || str_is(key, "boot_id") || str_is(key, "host_identity") ||
                str_is(key, "timezone") || str_starts(key, "collector"))
                evidence += 12;
        } else if (row_line(line, cells)) {
            uint64_t t;
            if (is_status(cells[4]) && (str_u64(cells[1], &t) || str_is(cells[1], "-")) &&
                (str_u64(cells[2], &t) || str_is(cells[2], "-")))
                evidence += 8;
        } else if (n == 0) {
            return 0;
        }
    }
    if (evidence < 16) return 0;
    return evidence + (path_has(path, "manifest") ? 8 : 0);
}

static bool manifest_starts(Str line) {
    Str key, value;
    return header_line(line, &key, &value) && (str_starts(key, "collector") || str_is(key, "schema"));
}

static bool manifest_continues(Str line) {
    Str key, value, cells[6];
    return header_line(line, &key, &value) || row_line(line, cells);
}

/* "+0200", "-0330", "+02:00" to seconds east of UTC */
static bool zone_seconds(Str s, int64_t *out) {
    if (s.len < 5 || (s.p[0] != '+' && s.p[0] != '-')) return false;
    Str digits = str_from(s, 1);
    uint64_t hours, minutes;
    bool colon = digits.len == 5 && digits.p[2] == ':';
    if (!(digits.len == 4 || colon) || !str_u64(str_sub(digits, 0, 2), &hours) ||
        !str_u64(str_from(digits, colon ? 3 : 2), &minutes) || hours > 14 || minutes > 59)
        return false;
    *out = (int64_t)(hours * 3600 + minutes * 60) * (s.p[0] == '-' ? -1 : 1);
    return true;
}

/* UPDATE of the capture or bundle this piece belongs to; the statements are fixed. */
static void update(ParseCtx *ctx, const char *sql, Str text, double number, bool is_text) {
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(facts_db(ctx->facts), sql, -1, &st, NULL) != SQLITE_OK) return;
    if (is_text) sqlite3_bind_text(st, 1, text.p, text.len > INT_MAX ? INT_MAX : (int)text.len, SQLITE_TRANSIENT);
    else sqlite3_bind_double(st, 1, number);
    sqlite3_bind_int64(st, 2, ctx->src);
    sqlite3_step(st);
    sqlite3_finalize(st);
}

#define CAPTURE(column) "UPDATE capture SET " column " = ?1 WHERE id = (SELECT capture FROM source WHERE id = ?2)"
#define BUNDLE(column) "UPDATE bundle SET " column " = ?1 WHERE id = (SELECT bundle FROM source WHERE id = ?2)"

static const struct {
    const char *key, *sql;
    bool text;
} columns[] = {
    {"epoch_start", CAPTURE("start_s"), false},
    {"start", CAPTURE("start_s"), false},
    {"epoch_end", CAPTURE("end_s"), false},
    {"end", CAPTURE("end_s"), false},
    {"uptime_start_s", CAPTURE("uptime_s"), false},
    {"uptime", CAPTURE("uptime_s"), false},
    {"sample_seconds", CAPTURE("sampling_s"), false},
    {"seconds", CAPTURE("sampling_s"), false},
    {"boot_id", CAPTURE("boot_id"), true},
    {"label", CAPTURE("label"), true},
    {"host_identity", BUNDLE("host_identity"), true},
    {"test_path", BUNDLE("test_path"), true},
    {"host", BUNDLE("host"), true},
};

/* "# skipped<TAB>name<TAB>reason": why a row came to what it came to. These lines stand before all rows. */
typedef struct Reason {
    Str name, why;
} Reason;
typedef VEC(Reason) Reasons;

static void add_reason(ParseCtx *ctx, Reasons *reasons, Str key, Str value) {
    static const char *const keys[] = {"skipped", "truncated", "hung", "reduced"};
    size_t tab = str_find_ch(value, '\t');
    if (tab == SIZE_MAX) return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(key, keys[i]))
            VEC_PUSH(ctx->scratch, reasons,
                     ((Reason){arena_str(ctx->scratch, str_sub(value, 0, tab)),
                               arena_str(ctx->scratch, str_trim(str_from(value, tab + 1)))}));
}

static int by_name(const void *a, const void *b) {
    const Reason *x = a, *y = b;
    return str_cmp(x->name, y->name);
}

static Str reason_of(const Reasons *reasons, Str name) {
    Reason key = {name, STR_NONE};
    const Reason *r = reasons->count ? bsearch(&key, reasons->items, reasons->count, sizeof key, by_name) : NULL;
    return r ? r->why : STR_NONE;
}

static ParseResult manifest_parse(ParseCtx *ctx, Input *in) {
    Reasons reasons = {0};
    Str line;
    bool ended = false, complete = false, said = false, rows = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str key, value, cells[6];
        if (!str_trim(line).len) continue;
        if (header_line(line, &key, &value)) {
            ctx->rows++;
            if (!value.len || str_is(value, "-")) continue;
            if (str_is(key, "complete")) {
                said = true;
                complete = str_is(value, "yes");
            }
            if (!rows) add_reason(ctx, &reasons, key, value);
            if (str_is(key, "epoch_end") || str_is(key, "end")) ended = true;
            if (str_is(key, "host"))
                ctx_setting(ctx, ctx_ref(ctx, REF_HOST, STR("host")), "hostname", value, "kernel", at);
            if (str_is(key, "redact_key_check"))
                ctx_setting(ctx, ctx_ref(ctx, REF_HOST, STR("host")), "redact_key_check", value, "kernel", at);
            int64_t zone;
            if (str_is(key, "timezone")) {
                if (zone_seconds(value, &zone)) update(ctx, CAPTURE("timezone_s"), STR_NONE, (double)zone, false);
                else parse_note(ctx, at, "time zone not understood: \"%.*s\"", STR_ARG(value));
            }
            for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
                double number = NAN;
                if (!str_is(key, columns[i].key)) continue;
                if (!columns[i].text && !str_double(value, &number)) {
                    parse_note(ctx, at, "%.*s: expected a number, found \"%.*s\"", STR_ARG(key), STR_ARG(value));
                    continue;
                }
                update(ctx, columns[i].sql, value, number, columns[i].text);
            }
        } else if (row_line(line, cells)) {
            double start = NAN, end = NAN;
            int64_t rc = FACT_NULL;
            bool good = (str_is(cells[1], "-") || str_double(cells[1], &start)) &&
                        (str_is(cells[2], "-") || str_double(cells[2], &end)) &&
                        (str_is(cells[3], "-") || str_i64(cells[3], &rc));
            if (!good) {
                parse_note(ctx, at, "times or exit status are no numbers");
                continue;
            }
            ctx->rows++;
            Row r = ctx_row(ctx, "manifest", at);
            row_text(&r, "name", cells[0]);
            row_real(&r, "start_s", start);
            row_real(&r, "end_s", end);
            row_int(&r, "rc", rc);
            row_text(&r, "status", cells[4]);
            row_text(&r, "command", cells[5]);
            if (!rows && reasons.count) qsort(reasons.items, reasons.count, sizeof *reasons.items, by_name);
            rows = true;
            row_text(&r, "why", reason_of(&reasons, cells[0]));
            row_done(&r);
        } else if (!str_starts(line, "#")) {
            parse_note(ctx, at, "the row has not six columns");
        }
    }
    if (!ctx->rows) return parse_result(ctx);
    update(ctx, CAPTURE("complete"), STR_NONE, said ? complete : ended, false);
    return parse_result(ctx);
}

const Parser parser_manifest = {
    .name = "manifest",
    .bid = manifest_bid,
    .starts = manifest_starts,
    .continues = manifest_continues,
    .parse = manifest_parse,
    .ask = "stordx-collect",
};
