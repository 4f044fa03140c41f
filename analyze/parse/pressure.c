/*
 * pressure.c - pressure stall information: how long tasks waited for I/O, CPU or memory
 *
 * Reads   the files io, cpu, memory and irq of /proc/pressure; all of them as grep . or cat print them, or below their names; with
 *         or without a time
 * Gives   pressure (io some, io full, ... ; avg10, avg60, avg300 in percent, total in microseconds)
 * Sample  grep . on the folder, kernel 6.1
 *   | /proc/pressure/io:some avg10=94.05 avg60=90.06 avg300=80.24 total=84639826320
 *   | /proc/pressure/io:full avg10=88.82 avg60=84.62 avg300=75.87 total=76175843688
 * Varies  cpu has no "full" before 5.13, irq (6.1) only "full". A file alone does not say which resource it is: then its path or
 *         the command does. Files of a control group (io.pressure) speak of that group, not of the host, and give no facts.
 */
#include "../base/times.h"
#include "parser.h"

#include <math.h>

static const char *const resources[] = {"io", "cpu", "memory", "irq"};

/* The resource that a path or a word names; group: it is a control group's file. */
static const char *resource_of(Str s, bool *group) {
    Str base = str_basename(str_trim(s));
    while (base.len && (base.p[base.len - 1] == ':' || base.p[base.len - 1] == '=' || base.p[base.len - 1] == '<' ||
                        base.p[base.len - 1] == ' '))
        base.len--;
    if (str_ends(base, ".txt") || str_ends(base, ".out")) base.len -= 4;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        Str rest = str_after(base, resources[i]);
        if (rest.p && str_is(rest, ".pressure")) {
            *group = true;
            return resources[i];
        }
        if (rest.p && !rest.len) return resources[i];
        if (base.len > strlen(resources[i]) && str_ends(base, resources[i]) &&
            !ch_alnum(base.p[base.len - strlen(resources[i]) - 1]))
            return resources[i]; /* pressure-io, proc_pressure_io */
        size_t at = str_find(base, ".pressure");
        if (at != SIZE_MAX && at >= strlen(resources[i]) && str_ends(str_sub(base, 0, at), resources[i])) {
            *group = true;
            return resources[i];
        }
    }
    return NULL;
}

/* Splits "PREFIX some avg10=..." into what stands before and the figures; false: no such line. */
static bool psi_line(Str line, Str *prefix, Str *kind, Str *figures) {
    size_t at = str_find(line, "avg10=");
    if (at == SIZE_MAX || at < 5) return false;
    Str head = str_trim_right(str_sub(line, 0, at));
    if (!str_ends(head, "some") && !str_ends(head, "full")) return false;
    *kind = str_from(head, head.len - 4);
    *prefix = str_sub(head, 0, head.len - 4);
    if (prefix->len && ch_alnum(prefix->p[prefix->len - 1])) return false;
    *figures = str_from(line, at);
    return str_has(*figures, "avg60=");
}

static bool figure(Str figures, const char *key, double *out) {
    size_t at = str_find(figures, key);
    if (at == SIZE_MAX) return false;
    Str rest = str_from(figures, at + strlen(key));
    return str_double(str_word(&rest), out);
}

/* A line that only names what follows: "/proc/pressure/io", "==> /proc/pressure/io <==", "io:" */
static const char *heading(Str line, bool *group) {
    Str t = str_trim(line);
    Str inner = str_after(t, "==> ");
    if (inner.p) t = str_sub(inner, 0, str_find(inner, " <=="));
    if (t.len > 200 || str_find_ch(str_trim(t), ' ') != SIZE_MAX) return NULL;
    if (str_has(t, "pressure") || (t.len && t.p[t.len - 1] == ':')) return resource_of(t, group);
    return NULL;
}

static bool stamp(Str line, double *t, bool *zone) {
    Str s = str_trim(line);
    while (s.len && s.p[0] == '=') s = str_from(s, 1);
    return ch_digit(s.len && str_trim(s).len ? str_trim(s).p[0] : 'x') && time_parse(s, t, zone);
}

static int bid(Str path, Str command, Str head) {
    Str prefix, kind, figures;
    double t;
    bool zone, group = false;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (psi_line(line, &prefix, &kind, &figures))
            return 24 + (path_has(path, "pressure") || str_has(command, "pressure") ? 4 : 0);
        if (str_starts(line, "===")) return 0; /* blocks of stamped counters */
        if (!stamp(line, &t, &zone) && !heading(line, &group)) return 0;
    }
    return 0;
}

static bool starts(Str line) {
    Str prefix, kind, figures;
    return psi_line(line, &prefix, &kind, &figures);
}

static bool continues(Str line) {
    Str prefix, kind, figures;
    bool group = false;
    return !str_trim(line).len || psi_line(line, &prefix, &kind, &figures) ||
           (str_has(line, "pressure") && heading(line, &group));
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    bool group = false, zone = true, local = false;
    double t = NAN;
    const char *resource = resource_of(ctx->path, &group);
    bool from_path = resource && path_has(ctx->path, "pressure");
    if (!from_path) resource = NULL;
    if (path_has(ctx->path, "cgroup")) group = true;
    /* cat of one file names it on the command line; cat of all gives cpu, io, irq, memory in this order, unnamed */
    bool in_order = false;
    size_t position = 0;
    static const char *const order[] = {"cpu", "io", "irq", "memory"};
    Str command = ctx->command, word;
    while ((word = str_word(&command)).len) {
        if (str_find_ch(word, '*') != SIZE_MAX && str_has(word, "pressure")) in_order = !resource;
        if (!resource && str_has(word, "pressure/")) resource = resource_of(word, &group);
    }
    if (in_order) resource = NULL;
    bool saw_some = false, said = false;
    Str line;
    while (input_line(in, &line)) {
        Str prefix, kind, figures;
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (!psi_line(line, &prefix, &kind, &figures)) {
            bool heading_group = false;
            const char *named = heading(line, &heading_group);
            if (named) {
                resource = named;
                group = heading_group;
                in_order = false;
            } else if (stamp(line, &t, &zone)) {
                position = 0;
                saw_some = false;
            } else {
                parse_note(ctx, at, "not a line of /proc/pressure: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            }
            continue;
        }
        const char *of = resource;
        bool of_group = group;
        double when = t;
        prefix = str_trim(prefix);
        if (prefix.len && str_ends(prefix, ":")) prefix.len--;
        for (Str rest = prefix; rest.len;) { /* a stamp, a file name, a resource */
            double here;
            if (time_parse(rest, &here, &zone)) {
                when = here;
                break;
            }
            Str part = str_word(&rest);
            bool part_group = false;
            const char *named = resource_of(part, &part_group);
            if (named) {
                of = named;
                of_group = part_group;
            } else if (time_parse(part, &here, &zone)) {
                when = here;
            }
        }
        if (in_order && !prefix.len) {
            if (str_is(kind, "some")) {
                if (saw_some) position++;        /* cpu without "full" */
                if (position == 2) position = 3; /* no irq: that would be a "full" alone */
                of = position < 4 ? order[position] : NULL;
                saw_some = true;
            } else {
                if (!saw_some) position = 2;
                of = position < 4 ? order[position] : NULL;
                position++;
                saw_some = false;
            }
        }
        double avg10, avg60, avg300 = NAN, total = NAN;
        if (!figure(figures, "avg10=", &avg10) || !figure(figures, "avg60=", &avg60)) {
            parse_note(ctx, at, "pressure without figures: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        bool whole = figure(figures, "avg300=", &avg300) && figure(figures, "total=", &total);
        if (!whole) parse_note(ctx, at, "a line of /proc/pressure that is cut off");
        ctx->rows++;
        if (of_group) continue;
        if (!of) {
            if (!said)
                facts_note(ctx->facts, ctx->src, at, STR("neither the text nor its name says which resource this is"));
            said = true;
        }
        if (!zone && !local && !isnan(when)) {
            facts_local_time(ctx->facts, ctx->src);
            local = true;
        }
        Row r = ctx_row(ctx, "pressure", at);
        row_real(&r, "t_s", when);
        row_text(&r, "resource", of ? str_of(of) : STR_NONE);
        row_text(&r, "kind", kind);
        row_real(&r, "avg10_pct", avg10);
        row_real(&r, "avg60_pct", avg60);
        row_real(&r, "avg300_pct", avg300);
        row_real(&r, "total_us", total);
        row_done(&r);
    }
    return parse_result(ctx);
}

const Parser parser_pressure = {
    .name = "pressure",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "grep . /proc/pressure/*",
};
