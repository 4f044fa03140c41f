/*
 * timers.c - what systemd starts by itself, and when it did so last
 *
 * Reads   systemctl list-timers, --all too
 * Gives   job (told_by timer; start_s is LAST, when the timer elapsed), setting fstrim_timer of the host
 * Sample  systemd 252
 *   | NEXT                        LEFT        LAST                        PASSED     UNIT            ACTIVATES
 *   | Mon 2024-07-08 00:31:07 UTC 6 days left Mon 2024-07-01 00:31:07 UTC 1 day ago  fstrim.timer    fstrim.service
 *   | n/a                         n/a         Mon 2024-07-01 00:45:02 UTC 1 day ago  mdcheck.timer   mdcheck.service
 * Varies  "n/a" became "-" with 253, and LEFT lost its word "left"; pastes lose the columns, so dates and unit are found by their own
 *         form. A cut line of a narrow terminal ends with an ellipsis and has no unit: it is a note.
 */
#include "../base/times.h"
#include "../facts/jobs.h"
#include "parser.h"

#include <math.h>

static bool heading(Str s) {
    return str_starts(s, "NEXT ") && str_has(s, " LEFT ") && str_has(s, " LAST ") && str_has(s, " UNIT ") &&
           str_has(s, "ACTIVATES");
}

static bool closing(Str s) {
    return str_ends(s, " timers listed.") || str_ends(s, " timer listed.") || str_starts(s, "Pass --all to see");
}

static const char *const weekdays[] = {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};

static bool begins_row(Str s) {
    for (size_t i = 0; i < sizeof weekdays / sizeof *weekdays; i++)
        if (str_starts(s, weekdays[i])) return s.len > 14 && ch_digit(s.p[4]) && s.p[8] == '-';
    return str_starts(s, "n/a ") || str_starts(s, "- ") || str_starts(s, "\xe2\x80\x94 ");
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "timers") || str_has(command, "list-timers") ? 6 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str s = str_trim(head_line(&head));
        if (!s.len) continue;
        if (heading(s)) return 28 + bits;
        return str_is(s, "0 timers listed.") ? 20 + bits : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return heading(str_trim(line));
}

static bool continues(Str line) {
    Str s = str_trim(line);
    return !s.len || heading(s) || closing(s) || (begins_row(s) && (str_has(s, ".timer") || str_has(s, "ago")));
}

/* The date that begins at a weekday; what is behind it goes to *rest. */
static bool date_at(Str s, double *when, bool *zone, Str *rest) {
    Str w[4], body = str_from(s, 4), at = body;
    for (int i = 0; i < 3; i++) w[i] = str_word(&at);
    if (w[0].len != 10 || w[1].len < 8) return false;
    Str with_zone = str_sub(body, 0, (size_t)(w[2].p - body.p) + w[2].len);
    if (w[2].len && time_parse(with_zone, when, zone)) {
        *rest = at;
        return true;
    }
    /* without a zone, or one that time_parse does not know the offset of: then the stamp is local */
    Str plain = str_sub(body, 0, (size_t)(w[1].p - body.p) + w[1].len);
    if (!time_parse(plain, when, zone)) return false;
    *zone = false;
    *rest = str_from(body, plain.len);
    return true;
}

static void row(ParseCtx *ctx, Ref host, Str s, Spot at) {
    double dates[2] = {NAN, NAN}, when;
    bool zone, local = false;
    Str unit = STR_NONE, service = STR_NONE, rest = s;
    int n = 0;
    bool no_next = !ch_alpha(s.p[0]) || str_starts(s, "n/a ");
    while (rest.len) {
        rest = str_trim_left(rest);
        bool date = false;
        for (size_t i = 0; i < sizeof weekdays / sizeof *weekdays && !date && n < 2; i++)
            if (str_starts(rest, weekdays[i])) date = date_at(rest, &when, &zone, &rest);
        if (date) {
            dates[n++] = when;
            local = local || !zone;
            continue;
        }
        Str word = str_word(&rest);
        if (!word.len) break;
        if (str_ends(word, ".timer")) {
            unit = word;
            service = str_word(&rest);
            break;
        }
    }
    if (!unit.len) {
        parse_note(ctx, at, "no timer in \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        return;
    }
    ctx->rows++;
    if (str_is(unit, "fstrim.timer"))
        ctx_setting(ctx, host, "fstrim_timer", no_next ? STR("disabled") : STR("enabled"), "kernel", at);
    double last = no_next ? dates[0] : dates[1], next = no_next ? NAN : dates[0];
    const char *kind = job_kind(unit);
    if (!kind && service.len) kind = job_kind(service);
    Row r = ctx_row(ctx, "job", at);
    row_ref(&r, "node", host);
    row_text(&r, "kind", kind ? str_of(kind) : STR_NONE);
    row_text(&r, "name", service.len ? service : unit);
    row_text(&r, "told_by", STR("timer"));
    row_real(&r, local ? "local_start_s" : "start_s", last);
    if (!local) row_real(&r, "next_s", next);
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line;
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    Spot head = {0};
    bool fstrim = false, any = false;
    while (input_line(in, &line)) {
        Str s = str_trim(line);
        Spot at = input_spot(in);
        if (!s.len) continue;
        if (heading(s)) {
            if (!head.line) {
                head = at;
                head.text = arena_str(ctx->scratch, at.text);
            }
            ctx->rows++;
        } else if (closing(s)) {
            ctx->rows++;
        } else if (begins_row(s)) {
            any = true;
            fstrim = fstrim || str_has(s, "fstrim.timer");
            row(ctx, host, s, at);
        } else {
            parse_note(ctx, at, "not a line of list-timers: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    if (head.line && any && !fstrim && !ctx->bad_rows)
        ctx_setting(ctx, host, "fstrim_timer", STR("absent"), "kernel", head);
    return parse_result(ctx);
}

const Parser parser_timers = {.name = "list-timers",
                              .bid = bid,
                              .starts = starts,
                              .continues = continues,
                              .parse = parse,
                              .ask = "systemctl list-timers --all"};
