/*
 * fstrim.c - what was trimmed, and when
 *
 * Reads   fstrim -v and -av, systemctl status fstrim.timer / fstrim.service
 * Gives   setting fstrim_bytes and fstrim_result of a file system, fstrim_timer and fstrim_last_s of the host, edge disk -> file
 *         system
 * Sample  util-linux 2.38
 *   | /boot: 805.1 MiB (844242944 bytes) trimmed on /dev/sda2
 * Varies  up to 2.20 "/: 844242944 bytes were trimmed", up to 2.30 without the device; words and decimal sign follow the locale, the
 *         count in brackets does not, so it is what is read. systemd words its units in English in every locale.
 */
#include "../base/times.h"
#include "device_text.h"
#include "scan.h"

/* Cuts "Sep 15 00:31:12 nas fstrim[812]: " off: the journal lines that systemctl status ends with. */
static Str without_prefix(Str s) {
    size_t at = str_find(s, " fstrim[");
    if (at == SIZE_MAX || at > 80) return s;
    Str rest = str_from(s, at + 8);
    size_t close = str_find(rest, "]: ");
    return close == SIZE_MAX || close > 8 ? s : str_from(rest, close + 3);
}

/* "MOUNT: 1,2 GiB (1234 WORD) ..."; *device is a path behind the count, or none. */
static bool trimmed(Str s, Str *where, uint64_t *bytes, Str *device) {
    if (!s.len || s.p[0] != '/') return false;
    for (size_t from = 0, colon; (colon = str_find(str_from(s, from), ": ")) != SIZE_MAX; from += colon + 1) {
        Str rest = str_from(s, from + colon + 2), tail = rest;
        double v;
        if (!rest.len || !ch_digit(rest.p[0])) continue;
        *where = str_sub(s, 0, from + colon);
        *device = STR_NONE;
        size_t open = str_find_ch(rest, '(');
        if (open != SIZE_MAX && open < 24) {
            Str w[3], count = str_from(rest, open + 1);
            size_t n = str_words(str_sub(rest, 0, open), w, 3), digits = 0;
            bool unit = n == 2 ? (w[1].p[w[1].len - 1] == 'B' || w[1].p[w[1].len - 1] == 'o' ||
                                  (unsigned char)w[1].p[0] >= 0x80)
                               : n == 1;
            while (digits < count.len && ch_digit(count.p[digits])) digits++;
            if (!unit || !dev_leading_number(rest, &v) || !str_u64(str_sub(count, 0, digits), bytes)) continue;
            if (str_find_ch(count, ')') == SIZE_MAX) continue;
            size_t dev = str_find(count, "/dev/");
            if (dev != SIZE_MAX) {
                Str words = str_from(count, dev);
                *device = str_word(&words);
            }
            return true;
        }
        Str number = str_word(&tail);
        if (str_u64(number, bytes) && str_has(tail, "trimmed")) return true;
    }
    return false;
}

/* "fstrim: /mnt: the discard operation is not supported" */
static bool refused(Str s, Str *where, const char **result) {
    Str rest = str_after(s, "fstrim: ");
    if (!rest.len || rest.p[0] != '/') return false;
    size_t colon = str_find(rest, ": ");
    if (colon == SIZE_MAX) return false;
    *where = str_sub(rest, 0, colon);
    Str words = str_from(rest, colon + 2);
    *result = str_has(words, "not supported") ? "unsupported" : "failed";
    return true;
}

/* "● fstrim.timer - Discard unused blocks once a week"; the dot depends on state and locale. */
static bool unit_heading(Str s, Str *unit) {
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "fstrim.service" : "fstrim.timer";
        size_t at = str_find(s, name);
        if (at == SIZE_MAX || at > 4 || (at && !ch_blank(s.p[at - 1]))) continue;
        Str rest = str_from(s, at + strlen(name));
        if (!rest.len || str_starts(rest, " - ")) {
            *unit = str_of(name);
            return at > 0 || rest.len > 0;
        }
    }
    return false;
}

static bool unit_missing(Str s) {
    return str_starts(s, "Unit fstrim.") && str_has(s, "could not be found");
}

static bool starts(Str line) {
    Str where, device, unit, s = str_trim_right(line);
    uint64_t bytes;
    const char *result;
    return trimmed(s, &where, &bytes, &device) || refused(s, &where, &result) || unit_heading(s, &unit) ||
           unit_missing(s);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "fstrim") || path_has(path, "fstrim") ? 6 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str s = str_trim_right(head_line(&head));
        if (!str_trim(s).len) continue;
        return starts(s) ? 24 + bits : 0;
    }
    return 0;
}

static bool status_line(Str s) {
    static const char *const words[] = {
        "Loaded:", "Active:", "Trigger:", "Triggers:", "TriggeredBy:", "Docs:",       "Process:",   "Main PID:",
        "CPU:",    "Tasks:",  "Memory:",  "CGroup:",   "Duration:",    "Invocation:", "Condition:", "Mem peak:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    return false;
}

/* Journal lines below a unit's status. */
static bool journal_line(Str s) {
    return str_has(s, " systemd[") || str_has(s, " fstrim[");
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line) || status_line(str_trim(line)) || str_has(line, " fstrim[") ||
           (str_has(line, " systemd[") && (str_has(line, "fstrim") || str_has(line, "Discard unused blocks")));
}

/* "inactive (dead) since Mon 2025-09-15 00:31:12 CEST; 5 days ago" */
static bool since(Str s, double *when, bool *zone) {
    size_t at = str_find(s, "since ");
    if (at == SIZE_MAX) return false;
    Str date = str_from(s, at + 6), rest;
    date = str_cut(&date, ';');
    rest = date;
    Str day = str_word(&rest);
    if (day.len == 3 && ch_alpha(day.p[0])) date = str_trim(rest);
    return time_parse(date, when, zone);
}

static void trim_row(ParseCtx *ctx, Str s, Spot at) {
    Str where = STR_NONE, device = STR_NONE;
    uint64_t bytes = 0;
    const char *result = "trimmed";
    bool done = trimmed(s, &where, &bytes, &device);
    if (!done && !refused(s, &where, &result)) return;
    Ref fs = ctx_ref(ctx, REF_FILESYSTEM, where);
    ctx->rows++;
    ctx_setting(ctx, fs, "fstrim_result", str_of(result), "kernel", at);
    if (done)
        ctx_setting(ctx, fs, "fstrim_bytes", arena_strf(ctx->scratch, "%llu", (unsigned long long)bytes), "kernel", at);
    if (device.len) facts_edge(ctx->facts, ctx->src, scan_block_ref(ctx, device), fs, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, unit = STR_NONE;
    Ref host = 0;
    while (input_line(in, &line)) {
        Str s = str_trim(line), where, device, heading;
        Spot at = input_spot(in);
        uint64_t bytes;
        const char *result;
        double when;
        bool zone;
        if (!s.len) continue;
        if (!host) host = ctx_ref(ctx, REF_HOST, STR("host"));
        Str message = without_prefix(s);
        if (trimmed(message, &where, &bytes, &device) || refused(message, &where, &result)) {
            trim_row(ctx, message, at);
        } else if (unit_missing(s)) {
            ctx->rows++;
            if (str_has(s, "fstrim.timer")) ctx_setting(ctx, host, "fstrim_timer", STR("absent"), "kernel", at);
        } else if (unit_heading(s, &heading)) {
            unit = heading;
            ctx->rows++;
        } else if (unit.len && status_line(s)) {
            ctx->rows++;
            bool timer = str_is(unit, "fstrim.timer");
            if (str_starts(s, "Active:") && timer)
                ctx_setting(ctx, host, "fstrim_timer", str_has(s, "Active: active") ? STR("enabled") : STR("disabled"),
                            "kernel", at);
            if (str_starts(s, "Active:") && !timer && since(s, &when, &zone)) {
                if (!zone) facts_local_time(ctx->facts, ctx->src);
                ctx_setting(ctx, host, "fstrim_last_s", arena_strf(ctx->scratch, "%.0f", when), "kernel", at);
            }
        } else if (unit.len && journal_line(s)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not understood in the output of fstrim: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_fstrim = {
    .name = "fstrim",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "systemctl status fstrim.timer fstrim.service",
};
