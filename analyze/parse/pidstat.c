/*
 * pidstat.c - reads and writes of each process as sysstat measures them
 *
 * Reads   pidstat in the forms that show I/O or waiting: -d, -u, and both with -r, -w, -v in one line (-h); -l, -t, -U, --human,
 *         --dec; any date or clock, decimal commas; "Average:" rows
 * Gives   process_io (of a long capture the rows with the most bytes); settings of the host with -u: cpu_thread_pct, cpu_thread,
 *         cpu_thread_is. A lone table is an average since the start of each task and gives none
 * Sample  sysstat 12.6, pidstat -dl 1
 *   | Linux 6.1.0-18-amd64 (nas) 	07/01/2024 	_x86_64_	(4 CPU)
 *   |
 *   | 12:00:00 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
 *   | 12:00:01 AM     0       395      0.00      7.92      0.00       0  [jbd2/sda1-8]
 *   | 12:00:01 AM  1000      2211      4.00   9120.50      0.00      61  /usr/bin/rsync -a /data /backup
 * Varies  columns by options; with -h one header "# Time" and epoch seconds, or a clock (12.x); with -t TGID and TID, of which the
 *         row of a thread has a '-' in one; iodelay in clock ticks of the interval (1/100 s), -1 unknown: taken as a share of an
 *         interval of one second where the command names no other; kB are 1024 bytes; "-1.00" where /proc/PID/io may not be read
 */
#include "../base/times.h"
#include "device_text.h"
#include "parser.h"
#include "process_io.h"
#include "tool_command.h"

#include <math.h>

enum { MAX_COLUMNS = 64 };

typedef enum Kind { OTHER, PID, TGID, TID, READS, WRITES, DELAY, WAIT, USER, CPU_SHARE } Kind;

typedef struct State {
    ParseCtx *ctx;
    ProcessIo *out;
    Kind kind[MAX_COLUMNS]; /* behind the time */
    size_t columns;
    bool have, io, stamped; /* io: the table has kB_rd/s */
    double date, last_clock, interval_s;
    bool is_local, epoch;
    DateOrder order;
    /* the task that took most CPU: of each interval, and the largest of all */
    bool threads, averages;
    char interval[24];
    size_t interval_len, intervals;
    double now_pct, sum_pct, most_pct;
    Spot most_at;
    char most_line[PROCESS_IO_LINE], most_command[PROCESS_IO_COMMAND];
    size_t most_command_len;
} State;

/* "Linux 6.1.0 (host) 	07/01/2024 	_x86_64_	(4 CPU)": the same for all tools of sysstat. */
static bool banner(Str line, Str *date) {
    if (!str_starts(line, "Linux ") || !str_ends(str_trim(line), "CPU)")) return false;
    size_t end = str_find_ch(line, ')');
    if (end == SIZE_MAX) return false;
    Str rest = str_trim(str_from(line, end + 1));
    size_t tab = str_find_ch(rest, '\t'), under = str_find(rest, " _");
    *date = str_trim(str_sub(rest, 0, tab < under ? tab : under));
    return true;
}

/* A clock at the start of the line, "12:00:01 AM", "00:00:01", epoch seconds, or "Average:"; *rest stands behind it. */
typedef enum Stamp { STAMP_NONE, STAMP_CLOCK, STAMP_EPOCH, STAMP_AVERAGE, STAMP_HASH } Stamp;
static Stamp stamp(Str line, double *t, Str *rest) {
    Str s = line, w = str_word(&s);
    *rest = s;
    /* the word is translated: "Moyenne :", "Durchschn.:", "Media:" */
    if (str_ends(w, ":") && w.len > 4 && !ch_digit(w.p[0])) return STAMP_AVERAGE;
    if (str_is(w, "#")) return STAMP_HASH;
    if (w.len >= 7 && str_find_ch(w, ':') != SIZE_MAX) {
        Str with = s, meridiem = str_word(&with);
        if (str_is(meridiem, "AM") || str_is(meridiem, "PM")) {
            char both[32];
            if (w.len + 3 > sizeof both) return STAMP_NONE;
            memcpy(both, w.p, w.len);
            both[w.len] = ' ';
            memcpy(both + w.len + 1, meridiem.p, 2);
            *rest = with;
            return time_parse_clock((Str){both, w.len + 3}, t) ? STAMP_CLOCK : STAMP_NONE;
        }
        return time_parse_clock(w, t) ? STAMP_CLOCK : STAMP_NONE;
    }
    if (w.len >= 9 && w.len <= 10 && time_parse(w, t, NULL)) return STAMP_EPOCH;
    return STAMP_NONE;
}

/* The words of a header behind its stamp; 0: no header. */
static size_t header(Str line, Str *w) {
    double t;
    Str rest;
    Stamp kind = stamp(line, &t, &rest);
    if (kind == STAMP_NONE) return 0;
    size_t n = str_words(rest, w, MAX_COLUMNS);
    size_t from = kind == STAMP_HASH && n && str_is(w[0], "Time") ? 1 : 0;
    if (n < 5 || n > MAX_COLUMNS || !str_is(w[n - 1], "Command")) return 0;
    if (from) memmove(w, w + 1, (n - 1) * sizeof *w);
    n -= from;
    bool who = str_is(w[0], "UID") || str_is(w[0], "USER") || str_is(w[0], "PID") || str_is(w[0], "TGID");
    return who ? n : 0;
}

static bool number_or_dash(Str w) {
    double v;
    if (w.len && w.p[w.len - 1] == '%') w.len--;
    return str_is(w, "-") || str_double(w, &v) || str_scaled(w, 1024, &v);
}

static bool pidstat_row(Str line) {
    double t;
    Str rest, w[6];
    Stamp kind = stamp(line, &t, &rest);
    if (kind == STAMP_NONE || kind == STAMP_HASH) return false;
    size_t n = str_words(rest, w, 6);
    /* who, PID, a figure, a figure: a user's name only in the first place */
    return n >= 5 && number_or_dash(w[1]) && number_or_dash(w[2]) && (number_or_dash(w[3]) || number_or_dash(w[0]));
}

static int pidstat_bid(Str path, Str command, Str head) {
    Str w[MAX_COLUMNS], date;
    for (int n = 0; n < 8 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len || banner(line, &date)) continue;
        if (!header(line, w)) return 0;
        return 28 + (command_is(command, "pidstat") || path_has(path, "pidstat") ? 6 : 0);
    }
    return 0;
}

static bool pidstat_starts(Str line) {
    Str w[MAX_COLUMNS];
    return header(line, w) > 0;
}

static bool pidstat_continues(Str line) {
    Str w[MAX_COLUMNS], date;
    return !str_trim(line).len || header(line, w) > 0 || pidstat_row(line) || banner(line, &date);
}

static void read_header(State *s, const Str *w, size_t n) {
    static const struct {
        const char *word;
        Kind kind;
    } known[] = {{"PID", PID},       {"TGID", TGID},  {"TID", TID},  {"kB_rd/s", READS}, {"kB_wr/s", WRITES},
                 {"iodelay", DELAY}, {"%wait", WAIT}, {"UID", USER}, {"USER", USER},     {"%CPU", CPU_SHARE}};
    s->columns = n;
    s->io = false;
    for (size_t i = 0; i < n; i++) {
        s->kind[i] = OTHER;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (str_is(w[i], known[k].word)) s->kind[i] = known[k].kind;
        s->io = s->io || s->kind[i] == READS;
        s->threads = s->threads || s->kind[i] == TID;
    }
    s->have = true;
}

/* A figure with its unit (--human); NAN for '-' and for -1.00, which means unknown. */
static bool figure(Str w, double kb, double *out) {
    double v;
    if (str_is(w, "-")) {
        *out = NAN;
        return true;
    }
    if (w.len && w.p[w.len - 1] == '%') w.len--;
    if (str_double(w, &v)) v *= kb;
    else if (!str_scaled(w, 1024, &v)) return false; /* "1.2M" of --human is bytes */
    *out = v < 0 ? NAN : v;
    return true;
}

static void end_interval(State *s) {
    if (isnan(s->now_pct)) return;
    s->sum_pct += s->now_pct;
    s->intervals++;
    s->now_pct = NAN;
}

/* A thread is no more than its own row; the row of its process, with '-' for the TID, would add all of them up. */
static void put_share(State *s, Str line, double pct, Str command, Spot at) {
    Str stamp = str_word(&line);
    size_t len = stamp.len < sizeof s->interval ? stamp.len : sizeof s->interval;
    if (!str_eq((Str){stamp.p, len}, (Str){s->interval, s->interval_len})) {
        end_interval(s);
        memcpy(s->interval, stamp.p, len);
        s->interval_len = len;
    }
    if (isnan(s->now_pct) || pct > s->now_pct) s->now_pct = pct;
    if (pct <= s->most_pct) return;
    s->most_pct = pct;
    size_t n = at.text.len < sizeof s->most_line ? at.text.len : sizeof s->most_line;
    if (n) memcpy(s->most_line, at.text.p, n);
    s->most_at = (Spot){.line = at.line, .text = {s->most_line, n}};
    s->most_command_len = command.len < sizeof s->most_command ? command.len : sizeof s->most_command;
    if (s->most_command_len) memcpy(s->most_command, command.p, s->most_command_len);
}

static void put_row(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    double t = NAN;
    Str rest;
    Stamp kind = stamp(line, &t, &rest);
    if (kind == STAMP_CLOCK) {
        double clock = t;
        if (clock + 1 < s->last_clock) s->date += 86400; /* past midnight */
        s->last_clock = clock;
        t = s->date + clock; /* NAN without a banner */
        if (!isnan(t) && !s->is_local) {
            facts_local_time(ctx->facts, ctx->src);
            s->is_local = true;
        }
    }
    double share = NAN;
    bool no_thread = false;
    ProcessRow row = {.t_s = t, .pid = FACT_NULL, .read_bytes_s = NAN, .write_bytes_s = NAN, .io_wait_pct = NAN};
    for (size_t i = 0; i + 1 < s->columns; i++) {
        Str w = str_word(&rest);
        double v;
        if (s->kind[i] == USER) {
            if (w.len) continue;
        }
        if (!w.len || !figure(w, s->kind[i] == READS || s->kind[i] == WRITES ? 1024 : 1, &v)) {
            if (w.len && s->kind[i] == OTHER) continue;
            parse_note(ctx, at, "not a row of pidstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            return;
        }
        switch (s->kind[i]) {
        case PID:
        case TGID:
        case TID:
            if (!isnan(v) && v < 1e15) row.pid = (int64_t)v;
            if (s->kind[i] == TID && isnan(v)) no_thread = true;
            break;
        case CPU_SHARE: share = v; break;
        case READS: row.read_bytes_s = v; break;
        case WRITES: row.write_bytes_s = v; break;
        case DELAY: /* ticks of 1/100 s in which it waited for block I/O and swapping */
            row.io_wait_pct = v / s->interval_s;
            if (row.io_wait_pct > 100) row.io_wait_pct = 100;
            break;
        default: break; /* %wait is waiting for a CPU */
        }
    }
    ctx->rows++;
    if (kind == STAMP_AVERAGE) { /* the averages repeat what the rows say */
        s->averages = true;
        return;
    }
    row.command = str_trim(rest);
    if (str_starts(row.command, "|__")) row.command = str_from(row.command, 3);
    if (!isnan(share) && !(s->threads && no_thread)) put_share(s, line, share, row.command, at);
    if (!s->io) return;
    process_io_add(s->out, &row, at);
}

static ParseResult pidstat_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->out = process_io_new(ctx, "pidstat");
    s->date = NAN;
    s->last_clock = -1;
    s->now_pct = NAN;
    s->most_pct = -1;
    ToolCommand command = tool_command(ctx->command, "pidstat", NULL, "CGpTe");
    s->interval_s = isnan(command.interval_s) ? 1 : command.interval_s;
    Str line, date, w[MAX_COLUMNS];
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        size_t n;
        if (!str_trim(line).len) continue;
        if (banner(line, &date)) {
            if (time_is_day_first(date)) s->order = DATE_DAY_FIRST;
            double t;
            s->date = time_parse_order(date, s->order, &t, NULL) ? t : NAN;
            s->last_clock = -1;
        } else if ((n = header(line, w))) {
            read_header(s, w, n);
        } else if (s->have && pidstat_row(line)) {
            put_row(s, line, at);
        } else {
            parse_note(ctx, at, "not a row of pidstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    process_io_done(s->out);
    end_interval(s);
    if (s->intervals >= (s->averages ? 1 : 2)) {
        Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
        ctx_setting_real(ctx, host, "cpu_thread_pct", round(s->sum_pct / (double)s->intervals * 10) / 10, "kernel",
                         s->most_at);
        if (s->most_command_len)
            ctx_setting(ctx, host, "cpu_thread", (Str){s->most_command, s->most_command_len}, "kernel", s->most_at);
        ctx_setting(ctx, host, "cpu_thread_is", s->threads ? STR("thread") : STR("process"), "kernel", s->most_at);
    }
    return parse_result(ctx);
}

const Parser parser_pidstat = {
    .name = "pidstat",
    .bid = pidstat_bid,
    .starts = pidstat_starts,
    .continues = pidstat_continues,
    .parse = pidstat_parse,
    .ask = "pidstat -dl 1 30",
};
