/*
 * mpstat.c - is one CPU the limit?
 *
 * Reads   mpstat of sysstat with a table of CPU shares: -P ALL, -P LIST, -u, and that table among those of -A; any clock, decimal
 *         commas; "Average:" rows
 * Gives   settings of the host: cpu_busiest_pct, cpu_all_pct. A lone table whose heading bears the time of its rows is an average since
 *         boot and gives none; in a measured one the heading has the beginning of the interval
 * Sample  sysstat 12.6, mpstat -P ALL 1 2
 *   | Linux 6.1.0-18-amd64 (nas) 	07/01/2024 	_x86_64_	(2 CPU)
 *   |
 *   | 12:00:00 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
 *   | 12:00:01 AM  all   24.75    0.00    1.52    0.00    0.00    0.00    0.00    0.00    0.00   73.74
 *   | 12:00:01 AM    0    2.02    0.00    1.01    0.00    0.00    0.00    0.00    0.00    0.00   96.97
 *   | 12:00:01 AM    1   47.47    0.00    2.02    0.00    0.00    0.00    0.00    0.00    0.00   50.51
 * Varies  %user for %usr and intr/s behind %idle in old versions; NODE columns and tables of interrupts with -N, -I, -A; the word
 *         of the averages is translated. A thread moves from CPU to CPU, so of each interval the busiest one counts, and the mean
 *         of these is what is told.
 */
#include "parser.h"

#include <math.h>

enum { MAX_COLUMNS = 32, MAX_STAMP = 3 };

typedef struct State {
    ParseCtx *ctx;
    size_t columns; /* from CPU on */
    int idle, iowait, steal;
    Str stamp; /* of the interval, in `text` */
    char text[64];
    double now, now_all, sum, sum_all, most, most_all, steal_sum;
    size_t intervals, intervals_all, steals;
    char heading[16]; /* the time in the header */
    size_t heading_len;
    bool measured, foreign; /* measured: not since boot; foreign: below a header of another table */
    Spot at, at_all;
    char line[240], line_all[240];
} State;

static size_t cpu_column(const Str *w, size_t n) {
    for (size_t i = 0; i < n && i <= 2; i++)
        if (str_is(w[i], "CPU")) return i;
    return SIZE_MAX;
}

/* A header with the column %idle; *from is the word CPU. */
static bool header(Str line, Str *w, size_t *n, size_t *from) {
    *n = str_words(line, w, MAX_COLUMNS);
    if (*n < 7 || *n > MAX_COLUMNS || (*from = cpu_column(w, *n)) == SIZE_MAX || *from == 0) return false;
    bool idle = false, user = false, sys = false;
    for (size_t i = *from; i < *n; i++) {
        idle |= str_is(w[i], "%idle");
        user |= str_is(w[i], "%usr") || str_is(w[i], "%user");
        sys |= str_is(w[i], "%sys"); /* sar says %system */
    }
    return idle && user && sys;
}

/* Headers of the other tables of mpstat: interrupts and nodes. */
static bool other_header(Str line) {
    Str w[4];
    size_t n = str_words(line, w, 4), from = cpu_column(w, n < 4 ? n : 4);
    if (from != SIZE_MAX && from > 0 && from + 1 < n) return str_ends(w[from + 1], "/s");
    for (size_t i = 1; i < n && i <= 2; i++)
        if (str_is(w[i], "NODE")) return true;
    return false;
}

static bool banner(Str line) {
    return str_starts(line, "Linux ") && str_ends(str_trim(line), "CPU)");
}

static bool figures(const Str *w, size_t n) {
    double v;
    for (size_t i = 0; i < n; i++)
        if (!str_double(w[i], &v)) return false;
    return true;
}

/* "12:00:01 AM  all  24.75 ..." with any number of columns; *from is the word of the CPU. */
static bool row(Str line, Str *w, size_t *n, size_t *from) {
    *n = str_words(line, w, MAX_COLUMNS);
    if (*n < 3 || *n > MAX_COLUMNS) return false;
    size_t first = 1;
    if (ch_digit(w[0].p[0]) ? str_find_ch(w[0], ':') == SIZE_MAX && w[0].len < 9
                            : !str_ends(w[0], ":") && !str_is(w[1], ":"))
        return false;
    if (str_is(w[1], "AM") || str_is(w[1], "PM") || str_is(w[1], ":")) first = 2;
    uint64_t cpu;
    if (!str_is(w[first], "all") && !str_u64(w[first], &cpu)) return false;
    *from = first;
    return figures(w + first + 1, *n - first - 1);
}

static int mpstat_bid(Str path, Str command, Str head) {
    Str w[MAX_COLUMNS];
    size_t count, from;
    for (int n = 0; n < 8 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len || banner(line)) continue;
        if (!header(line, w, &count, &from)) return 0;
        return 28 + (command_is(command, "mpstat") || path_has(path, "mpstat") ? 6 : 0);
    }
    return 0;
}

static bool mpstat_starts(Str line) {
    Str w[MAX_COLUMNS];
    size_t n, from;
    return header(line, w, &n, &from);
}

static bool mpstat_continues(Str line) {
    Str w[MAX_COLUMNS];
    size_t n, from;
    return !str_trim(line).len || header(line, w, &n, &from) || other_header(line) || row(line, w, &n, &from) ||
           banner(line);
}

static void end_interval(State *s) {
    if (!isnan(s->now)) s->sum += s->now, s->intervals++;
    if (!isnan(s->now_all)) s->sum_all += s->now_all, s->intervals_all++;
    s->now = s->now_all = NAN;
}

static void keep_line(char *room, size_t size, Spot *kept, Spot at) {
    size_t n = at.text.len < size ? at.text.len : size;
    if (n) memcpy(room, at.text.p, n);
    *kept = (Spot){.line = at.line, .text = {room, n}};
}

static void put_row(State *s, const Str *w, size_t n, size_t from, Spot at) {
    s->ctx->rows++;
    if (s->foreign) return;
    if (n - from != s->columns) {
        parse_note(s->ctx, at, "%zu columns where the header has %zu", n - from, s->columns);
        return;
    }
    if (!ch_digit(w[0].p[0])) {
        s->measured = true; /* averages: they repeat what the rows say */
        return;
    }
    if (s->heading_len && !str_eq(w[0], (Str){s->heading, s->heading_len})) s->measured = true;
    if (!str_eq(w[0], s->stamp)) {
        end_interval(s);
        size_t len = w[0].len < sizeof s->text ? w[0].len : sizeof s->text;
        memcpy(s->text, w[0].p, len);
        s->stamp = (Str){s->text, len};
    }
    double idle = 0, iowait = 0, steal = 0;
    str_double(w[from + (size_t)s->idle], &idle);
    if (s->iowait > 0) str_double(w[from + (size_t)s->iowait], &iowait);
    if (s->steal > 0) str_double(w[from + (size_t)s->steal], &steal);
    double busy = fmin(100, fmax(0, 100 - idle - iowait - steal)); /* stolen time is another guest's work */
    if (str_is(w[from], "all")) {
        s->now_all = busy;
        if (s->steal > 0) {
            s->steal_sum += steal;
            s->steals++;
        }
        if (busy > s->most_all) {
            s->most_all = busy;
            keep_line(s->line_all, sizeof s->line_all, &s->at_all, at);
        }
        return;
    }
    if (isnan(s->now) || busy > s->now) s->now = busy;
    if (busy > s->most) {
        s->most = busy;
        keep_line(s->line, sizeof s->line, &s->at, at);
    }
}

static ParseResult mpstat_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->now = s->now_all = NAN;
    s->most = s->most_all = -1;
    s->foreign = true;
    Str line, w[MAX_COLUMNS];
    size_t n, from;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len || banner(line)) continue;
        if (header(line, w, &n, &from)) {
            s->columns = n - from;
            s->idle = s->iowait = s->steal = 0;
            for (size_t i = 1; i < s->columns; i++) {
                if (str_is(w[from + i], "%idle")) s->idle = (int)i;
                if (str_is(w[from + i], "%iowait")) s->iowait = (int)i;
                if (str_is(w[from + i], "%steal")) s->steal = (int)i;
            }
            s->foreign = false;
            s->heading_len = ch_digit(w[0].p[0]) && w[0].len <= sizeof s->heading ? w[0].len : 0;
            if (s->heading_len) memcpy(s->heading, w[0].p, s->heading_len);
        } else if (other_header(line)) {
            s->foreign = true;
        } else if (row(line, w, &n, &from)) {
            put_row(s, w, n, from, at);
        } else {
            parse_note(ctx, at, "not a row of mpstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    end_interval(s);
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    size_t least = s->measured ? 1 : 2;
    if (s->intervals >= least)
        ctx_setting_real(ctx, host, "cpu_busiest_pct", round(s->sum / (double)s->intervals * 10) / 10, "kernel", s->at);
    if (s->intervals_all >= least)
        ctx_setting_real(ctx, host, "cpu_all_pct", round(s->sum_all / (double)s->intervals_all * 10) / 10, "kernel",
                         s->at_all);
    if (s->steals >= least)
        ctx_setting_real(ctx, host, "cpu_steal_pct", round(s->steal_sum / (double)s->steals * 10) / 10, "kernel",
                         s->at_all);
    return parse_result(ctx);
}

const Parser parser_mpstat = {
    .name = "mpstat",
    .bid = mpstat_bid,
    .starts = mpstat_starts,
    .continues = mpstat_continues,
    .parse = mpstat_parse,
    .ask = "mpstat -P ALL 1 10",
};
