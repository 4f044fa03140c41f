/*
 * edac.c - errors of the memory as edac-utils and rasdaemon count them
 *
 * Reads   edac-util, edac-util -v; ras-mc-ctl --error-count, --summary, --errors
 * Gives   counter ce_count and ue_count of the host, `raw` the module (kind edac: since boot; kind rasdaemon: since its database was made);
 *         log_event memory-corrected and memory-uncorrected for rows that have a time
 * Sample  edac-util -v, 0.18
 *   |mc0: 0 Uncorrected Errors with no DIMM info
 *   |mc0: csrow0: CPU_SrcID#0_MC#0_Chan#0_DIMM#0: 12 Corrected Errors
 *   |ras-mc-ctl --summary, rasdaemon 0.6
 *   |Memory controller events summary:
 *   |	Corrected on DIMM Label(s): 'DIMM_A1' location: 1:0:0:0 errors: 42
 *   |No PCIe AER errors.
 *   |ras-mc-ctl --errors
 *   |1 2026-05-24 11:42:07 +0000 1 Corrected error(s): memory read error at DIMM_A1 location: 1:0:0:0, addr 445, grain 5, syndrome 0
 * Varies  without -v edac-util lists what is not 0, or says "No errors to report."; what is not about the memory (PCIe AER, MCE, disks) has
 *         sections of its own in ras-mc-ctl, which are counted and give nothing here.
 */
#include "../base/times.h"
#include "parser.h"

#include <stdio.h>

/* "mc0: csrow0: LABEL: 12 Corrected Errors", "mc0: 0 Uncorrected Errors with no DIMM info" */
static bool util_row(Str line, Str *label, uint64_t *n, bool *corrected) {
    Str s = str_trim(line), rest = str_after(s, "mc");
    if (!rest.len || !ch_digit(rest.p[0])) return false;
    size_t at = str_find(s, " Corrected Errors");
    *corrected = at != SIZE_MAX;
    if (!*corrected) at = str_find(s, " Uncorrected Errors");
    if (at == SIZE_MAX) return false;
    Str before = str_sub(s, 0, at);
    size_t colon = str_rfind_ch(before, ':');
    if (colon == SIZE_MAX || !str_u64(str_trim(str_from(before, colon + 1)), n)) return false;
    before = str_sub(before, 0, colon);
    size_t last = str_rfind_ch(before, ':');
    *label = str_trim(last == SIZE_MAX ? before : str_from(before, last + 1));
    return true;
}

static bool util_message(Str line) {
    return str_starts(line, "edac-util: ");
}

static bool count_head(Str line) {
    Str w[4];
    return str_words(line, w, 4) == 3 && str_is(w[0], "Label") && str_is(w[1], "CE") && str_is(w[2], "UE");
}

/* "mc#0csrow#2channel#0	0	0"; a label may hold blanks, a tab ends it */
static bool count_row(Str line, Str *label, uint64_t *ce, uint64_t *ue) {
    size_t second = str_rfind_ch(line, '\t');
    if (second == SIZE_MAX || !str_u64(str_trim(str_from(line, second + 1)), ue)) return false;
    Str left = str_sub(line, 0, second);
    size_t first = str_rfind_ch(left, '\t');
    if (first == SIZE_MAX || !str_u64(str_trim(str_from(left, first + 1)), ce)) return false;
    *label = str_trim(str_sub(left, 0, first));
    return label->len > 0;
}

/* "	Corrected on DIMM Label(s): 'DIMM_A1' location: 1:0:0:0 errors: 42" */
static bool summary_row(Str line, Str *label, uint64_t *n, bool *corrected) {
    Str s = str_trim(line);
    size_t at = str_find(s, " on DIMM Label(s): '"), errors = str_find(s, " errors: ");
    if (at == SIZE_MAX || errors == SIZE_MAX || errors < at) return false;
    Str kind = str_sub(s, 0, at), rest = str_from(s, at + 20);
    *corrected = str_is(kind, "Corrected") || str_is(kind, "Info");
    *label = str_trim(str_cut(&rest, '\''));
    return str_u64(str_trim(str_from(s, errors + 9)), n);
}

/* "1 2026-05-24 11:42:07 +0000 1 Corrected error(s): memory read error at DIMM_A1 location: ..." */
static bool event_row(Str line, double *when, Str *label, uint64_t *n, bool *corrected) {
    Str rest = line, id = str_word(&rest);
    uint64_t number;
    if (!str_u64(id, &number)) return false;
    Str date = str_word(&rest), clock = str_word(&rest), zone = str_word(&rest), count = str_word(&rest);
    if (date.len != 10 || clock.len < 8 || zone.len != 5 || !str_u64(count, n)) return false;
    Str kind = str_word(&rest);
    if (!str_starts(str_trim_left(rest), "error(s)")) return false;
    *corrected = str_is(kind, "Corrected") || str_is(kind, "Info");
    if (!*corrected && !str_is(kind, "Uncorrected") && !str_is(kind, "Fatal") && !str_is(kind, "Deferred"))
        return false;
    size_t at = str_find(rest, " at "), location = str_find(rest, " location:");
    *label = at != SIZE_MAX && location != SIZE_MAX && location > at + 4
                 ? str_trim(str_sub(rest, at + 4, location - at - 4))
                 : STR_NONE;
    char text[40];
    snprintf(text, sizeof text, "%.*sT%.*s%.*s", STR_ARG(date), STR_ARG(str_sub(clock, 0, 12)), STR_ARG(zone));
    return time_parse(str_of(text), when, NULL);
}

/* Headings of ras-mc-ctl: "Memory controller events summary:", "No PCIe AER errors.", "MCE events:" */
static bool heading(Str line) {
    Str s = str_trim_right(line);
    return (str_starts(s, "No ") && str_ends(s, " errors.")) || str_ends(s, " events summary:") ||
           str_ends(s, " records summary:") || str_ends(s, " errors summary:") ||
           (str_ends(s, " events:") && s.len < 40) || (str_ends(s, " errors:") && s.len < 40);
}

/* Rows of the other sections: "	2 Uncorrected (Non-Fatal) errors: Completion Timeout", "1 2026-05-24 11:42:07 +0000 error: ..." */
static bool other_row(Str line) {
    Str rest = str_trim_left(line), w = str_word(&rest);
    uint64_t n;
    if (line.len && line.p[0] == '\t') return true;
    return str_u64(w, &n) && rest.len > 12 && str_find(str_sub(str_trim_left(rest), 0, 5), "-") == 4;
}

static bool starts(Str line) {
    Str label;
    uint64_t a, b;
    bool c;
    Str s = str_trim_right(line);
    return util_row(line, &label, &a, &c) || util_message(line) || count_head(line) ||
           str_is(s, "Memory controller events summary:") || str_is(s, "Memory controller events:") ||
           str_is(s, "No Memory errors.") || (summary_row(line, &label, &b, &c) && line.p[0] == '\t');
}

static bool continues(Str line) {
    Str label;
    uint64_t a, b;
    return !str_trim(line).len || starts(line) || heading(line) || count_row(line, &label, &a, &b) || other_row(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    int bits = command_is(command, "edac-util") || command_is(command, "ras-mc-ctl") ? 8 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return starts(line) ? 28 + bits : 0;
    }
    return 0;
}

static void counter(ParseCtx *ctx, const char *kind, bool corrected, uint64_t n, Str label, Spot at) {
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
    row_text(&r, "name", str_of(corrected ? "ce_count" : "ue_count"));
    row_text(&r, "kind", str_of(kind));
    row_real(&r, "value", (double)n);
    row_text(&r, "raw", label);
    row_done(&r);
}

static void event(ParseCtx *ctx, bool corrected, uint64_t n, Str label, double when, Spot at) {
    char fields[400], name[160];
    size_t k = 0;
    for (size_t i = 0; i < label.len && k + 1 < sizeof name; i++) /* no quotes and controls: this becomes JSON */
        name[k++] = label.p[i] == '"' || label.p[i] == '\\' || (unsigned char)label.p[i] < 0x20 ||
                            (unsigned char)label.p[i] >= 0x7f
                        ? '_'
                        : label.p[i];
    name[k] = '\0';
    snprintf(fields, sizeof fields, "{\"label\":\"%s\",\"n\":\"%llu\"}", name,
             (unsigned long long)(n < 1000000000 ? n : 1000000000));
    Row r = ctx_row(ctx, "log_event", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
    row_text(&r, "sig", str_of(corrected ? "rasdaemon-memory-corrected" : "rasdaemon-memory-uncorrected"));
    row_text(&r, "event", str_of(corrected ? "memory-corrected" : "memory-uncorrected"));
    row_text(&r, "severity", str_of(corrected ? "medium" : "critical"));
    row_text(&r, "subject_kind", STR("host"));
    row_text(&r, "fields", str_of(fields));
    row_real(&r, "t_s", when);
    row_int(&r, "count", 1);
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, label;
    uint64_t n, ue;
    bool corrected;
    double when;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!str_trim(line).len) continue;
        if (util_row(line, &label, &n, &corrected)) {
            ctx->rows++;
            counter(ctx, "edac", corrected, n, label, at);
        } else if (util_message(line)) {
            ctx->rows++;
            if (!str_has(line, "No errors to report")) continue; /* no driver: that says nothing about the memory */
            counter(ctx, "edac", true, 0, STR("all"), at);
            counter(ctx, "edac", false, 0, STR("all"), at);
        } else if (count_head(line)) {
            ctx->rows++;
        } else if (count_row(line, &label, &n, &ue)) {
            ctx->rows++;
            counter(ctx, "edac", true, n, label, at);
            counter(ctx, "edac", false, ue, label, at);
        } else if (summary_row(line, &label, &n, &corrected)) {
            ctx->rows++;
            counter(ctx, "rasdaemon", corrected, n, label, at);
        } else if (event_row(line, &when, &label, &n, &corrected)) {
            ctx->rows++;
            event(ctx, corrected, n, label, when, at);
        } else if (heading(line) || other_row(line)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of edac-util or ras-mc-ctl: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_edac = {.name = "edac",
                            .bid = bid,
                            .starts = starts,
                            .continues = continues,
                            .parse = parse,
                            .ask = "edac-util -v; ras-mc-ctl --summary"};
