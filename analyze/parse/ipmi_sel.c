/*
 * ipmi_sel.c - the event log of the board controller
 *
 * Reads   ipmitool sel list, sel elist
 * Gives   log_event of the host for the rows that a signature knows (memory, power, voltages)
 * Sample  ipmitool 1.8.18, sel elist
 *   |   1 | 05/24/2026 | 11:42:07 | Memory #0x02 | Correctable ECC | Asserted
 *   |   4 | 05/24/2026 | 11:43:10 AM UTC | Voltage +12V | Lower Critical going low | Asserted | Reading 10.9 < Threshold 11.2 Volts
 * Varies  numbers are hexadecimal; newer versions print AM/PM and a zone, and "Pre-Init" in place of a date whose clock was not set; the date
 *         is month first. The log lives for years, so a row says when, and rules ask for the last weeks only.
 */
#include "../base/times.h"
#include "parser.h"
#include "signatures.h"

#include <math.h>
#include <stdio.h>

/* "   1a | 05/24/2026 | 11:42:07 | ..." : the number, date and clock. */
static bool row(Str line, Str *date, Str *clock) {
    Str rest = line, number = str_trim(str_cut(&rest, '|'));
    uint64_t id;
    if (!number.len || number.len > 5 || !str_hex_u64(number, &id) || !rest.len) return false;
    *date = str_trim(str_cut(&rest, '|'));
    *clock = STR_NONE;
    if (str_istarts(*date, "Pre-Init")) return str_find_ch(rest, '|') != SIZE_MAX;
    if (date->len < 8 || date->len > 10 || date->p[2] != '/' || date->p[5] != '/') return false;
    *clock = str_trim(str_cut(&rest, '|'));
    return clock->len >= 8 && clock->p[2] == ':' && clock->p[5] == ':' && str_find_ch(rest, '|') != SIZE_MAX;
}

static bool starts(Str line) {
    Str date, clock;
    return row(line, &date, &clock);
}

static bool continues(Str line) {
    return starts(line);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "ipmitool") || path_has(path, "ipmi") ? 8 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return starts(line) ? 24 + bits : 0;
    }
    return 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    const Signatures *set = signatures_builtin(NULL);
    Str line, date, clock;
    int64_t undated = 0;
    Spot undated_at = {.line = 0};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!str_trim(line).len) continue;
        if (!row(line, &date, &clock)) {
            parse_note(ctx, at, "not a row of the event log: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        SigMatch m;
        if (!signatures_match(set, line, &m) || !str_starts(str_of(m.sig->id), "SEL-")) continue;
        double when = NAN;
        bool zone = false;
        char text[64];
        snprintf(text, sizeof text, "%.*s %.*s", STR_ARG(str_sub(date, 0, 10)), STR_ARG(str_sub(clock, 0, 24)));
        if (!clock.len || !time_parse_order(str_of(text), DATE_MONTH_FIRST, &when, &zone)) when = NAN;
        if (isnan(when)) { /* a clock that was not set: the row may be years old */
            undated++;
            if (undated == 1)
                undated_at =
                    (Spot){.line = at.line, .text = arena_str(ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP))};
            continue;
        }
        if (!zone) facts_local_time(ctx->facts, ctx->src);
        char fields[512];
        sig_fields_json(&m, fields, sizeof fields);
        Row r = ctx_row(ctx, "log_event", at);
        row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
        row_text(&r, "sig", str_of(m.sig->id));
        row_text(&r, "event", str_of(m.sig->event));
        row_text(&r, "severity", str_of(m.sig->severity));
        row_text(&r, "subject_kind", STR("host"));
        row_text(&r, "fields", str_of(fields));
        row_real(&r, "t_s", when);
        row_int(&r, "count", 1);
        row_done(&r);
    }
    if (undated)
        facts_note(ctx->facts, ctx->src, undated_at,
                   arena_strf(ctx->arena, "events without a date, which may be years old and are left out: %lld",
                              (long long)undated));
    return parse_result(ctx);
}

const Parser parser_ipmi_sel = {.name = "ipmi-sel",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "ipmitool sel elist"};
