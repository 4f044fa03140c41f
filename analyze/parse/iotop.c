/*
 * iotop.c - which task reads and writes, and how long it waits for it
 *
 * Reads   iotop -b (also iotop-c) with any of -o -P -a -t -k -q; FreeBSD's top -m io
 * Gives   process_io (of a long capture the rows with the most bytes); setting of the host with the largest totals, issued by tasks
 *         and reaching the devices
 * Sample  iotop 0.6, iotop -botq
 *   | 12:00:01 Total DISK READ :       0.00 B/s | Total DISK WRITE :      27.94 M/s
 *   | 12:00:01 Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      31.07 M/s
 *   |     TIME  TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND
 *   | 12:00:01  3865 be/4 root        0.00 B/s   27.90 M/s  0.00 % 80.56 % rsync -a /data /backup
 * Varies  "IO>" marks the sorted column; iotop-c and kernels without delay accounting leave SWAPIN or IO out ("?unavailable?"); -P
 *         heads PID; with -a amounts since iotop began instead of rates; B K M G T are powers of 1024, -k makes all of it K; older
 *         versions have "Current DISK READ" or no second line of totals; -qqq leaves rows alone. FreeBSD counts operations, not bytes: its rows give the
 *         share of faults and waits, no rates
 */
#include "../base/times.h"
#include "device_text.h"
#include "parser.h"
#include "process_io.h"
#include "tool_command.h"

#include <math.h>

enum { MAX_PROCESSES = 8192, BUCKETS = 1024 };

typedef struct Seen { /* amounts of -a so far */
    struct Seen *next;
    int64_t pid;
    double reads, writes;
} Seen;

typedef struct State {
    ParseCtx *ctx;
    ProcessIo *out;
    bool have, timed, swapin, io, bsd, said;
    double t, interval_s, day, last_clock;
    int64_t round;
    double total_read, total_write, actual_write;
    Spot totals_at;
    Seen *buckets[BUCKETS];
    size_t seen;
} State;

/* ---------------------------------------------------------------- lines */

/* "Total DISK READ :       0.00 B/s | Total DISK WRITE :    1603.26 M/s", behind a clock or not. */
static bool totals_line(Str line, Str *body) {
    size_t at = str_find(line, " DISK READ");
    if (at == SIZE_MAX || !str_has(line, "DISK WRITE") || str_find_ch(line, '|') == SIZE_MAX) return false;
    Str head = str_trim(str_sub(line, 0, at)), word = head;
    while (head.len) word = str_word(&head);
    if (!str_is(word, "Total") && !str_is(word, "Actual") && !str_is(word, "Current")) return false;
    *body = str_from(line, (size_t)(word.p - line.p));
    return true;
}

static bool header_line(Str line) {
    Str s = str_trim(line), first = str_word(&s);
    if (str_is(first, "TIME")) first = str_word(&s);
    return (str_is(first, "TID") || str_is(first, "PID")) && str_is(str_word(&s), "PRIO") &&
           str_is(str_word(&s), "USER") && str_has(line, "DISK READ") && str_has(line, "COMMAND");
}

/* FreeBSD: "  PID USERNAME     VCSW  IVCSW   READ  WRITE  FAULT  TOTAL PERCENT COMMAND" */
static bool bsd_header(Str line) {
    Str w[14];
    size_t n = str_words(line, w, 14);
    return n >= 9 && n <= 14 && str_is(w[0], "PID") && (str_is(w[1], "USERNAME") || str_is(w[1], "JID")) &&
           str_has(line, "VCSW") && str_has(line, " PERCENT ") && str_is(w[n - 1], "COMMAND");
}

/* "27.90 M/s", "24.00 K", "0.00 B/s": bytes. */
static bool amount(Str number, Str unit, double *out, bool *rate) {
    double v;
    if (!str_double(number, &v) || !unit.len) return false;
    *rate = str_ends(unit, "/s");
    if (*rate) unit.len -= 2;
    static const char letters[] = "BKMGTPE";
    if (!unit.len || unit.len > 3) return false;
    const char *at = memchr(letters, unit.p[0], sizeof letters - 1);
    if (!at || !(unit.len == 1 || str_ends(unit, "B"))) return false; /* iotop-c may print KiB */
    for (const char *l = letters; l < at; l++) v *= 1024;
    *out = v;
    return true;
}

/* Cuts "[12:00:01] 3865 be/4 root 0.00 B/s 1.00 M/s" off line; *rest is what stands behind the amounts. */
typedef struct TaskRow {
    Str clock, pid, user;
    double reads, writes;
    bool rate;
    Str rest;
} TaskRow;
static bool task_row(Str line, TaskRow *out) {
    Str s = line, w = str_word(&s), number, unit;
    *out = (TaskRow){.clock = STR_NONE};
    if (w.len >= 7 && str_find_ch(w, ':') != SIZE_MAX) {
        out->clock = w;
        w = str_word(&s);
    }
    uint64_t pid;
    out->pid = w;
    if (!str_u64(w, &pid)) return false;
    Str priority = str_word(&s);
    if (!(str_has(priority, "/") || str_starts(priority, "?") || str_is(priority, "idle"))) return false;
    out->user = str_word(&s);
    bool rate = false;
    number = str_word(&s);
    unit = str_word(&s);
    if (!amount(number, unit, &out->reads, &rate)) return false;
    number = str_word(&s);
    unit = str_word(&s);
    if (!amount(number, unit, &out->writes, &out->rate)) return false;
    out->rate = out->rate || rate;
    out->rest = s;
    return true;
}

static bool bsd_row(Str line, Str *w, size_t *n, Str *command) {
    Str rest = line;
    *n = 0;
    while (*n < 12 && (w[*n] = str_word(&rest)).len) {
        size_t at = (*n)++;
        if (w[at].p[w[at].len - 1] == '%') {
            *command = str_trim(rest);
            uint64_t pid;
            return at >= 6 && str_u64(w[0], &pid);
        }
    }
    return false;
}

static int iotop_bid(Str path, Str command, Str head) {
    int evidence = 0;
    Str body;
    TaskRow row;
    for (int n = 0; n < 16 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (totals_line(line, &body)) evidence += 16;
        else if (header_line(line)) evidence += 20;
        else if (bsd_header(line)) return 24 + (command_is(command, "top") ? 6 : 0);
        else if (task_row(line, &row) && (evidence || row.rate)) evidence += evidence ? 2 : 18; /* -qqq: rows alone */
        else if (!evidence && !str_starts(line, "last pid:") && !str_starts(line, "CPU:") &&
                 !str_starts(line, "Mem:") && !str_starts(line, "Swap:") && !str_starts(line, "ARC:") &&
                 !str_has(line, " processes:") && !str_has(line, " threads:") && !str_starts(line, "    "))
            return 0;
    }
    if (!evidence) return 0;
    return (evidence > 40 ? 40 : evidence) + (command_is(command, "iotop") || path_has(path, "iotop") ? 6 : 0);
}

static bool iotop_starts(Str line) {
    Str body;
    TaskRow row;
    return (totals_line(line, &body) && !str_starts(body, "Actual") && !str_starts(body, "Current")) ||
           header_line(line) || bsd_header(line) || (task_row(line, &row) && row.rate);
}

static bool iotop_continues(Str line) {
    Str body, w[12], command;
    TaskRow row;
    size_t n;
    return !str_trim(line).len || totals_line(line, &body) || header_line(line) || bsd_header(line) ||
           task_row(line, &row) || bsd_row(line, w, &n, &command) || str_starts(line, "last pid:") ||
           str_starts(line, "CPU: ") || str_starts(line, "Mem: ") || str_starts(line, "Swap: ") ||
           str_starts(line, "ARC: ") || str_has(line, "CONFIG_TASK_DELAY_ACCT");
}

/* ---------------------------------------------------------------- facts */

static void clock_of(State *s, Str word) {
    double clock;
    if (!word.len || !time_parse_clock(word, &clock)) return;
    if (clock + 3600 < s->last_clock) s->day += 86400;
    s->last_clock = clock;
    /* there is no date anywhere: seconds since an unknown midnight are no time, but tell intervals */
    s->t = s->day + clock;
}

static void totals(State *s, Str body, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str before = str_sub(line, 0, (size_t)(body.p - line.p));
    clock_of(s, str_word(&before));
    bool actual = !str_starts(body, "Total");
    double v[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        size_t colon = str_find_ch(body, ':');
        if (colon == SIZE_MAX) break;
        body = str_from(body, colon + 1);
        Str number = str_word(&body), unit = str_word(&body);
        bool rate;
        if (!amount(number, unit, &v[i], &rate)) v[i] = NAN;
    }
    if (isnan(v[0]) || isnan(v[1])) {
        parse_note(ctx, at, "totals without figures: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 100)));
        return;
    }
    ctx->rows++;
    if (actual) {
        if (v[1] > s->actual_write || isnan(s->actual_write)) s->actual_write = v[1];
        return;
    }
    s->round++;
    if (v[0] > s->total_read || isnan(s->total_read)) s->total_read = v[0];
    if (v[1] > s->total_write || isnan(s->total_write)) {
        s->total_write = v[1];
        s->totals_at = at;
        s->totals_at.text = arena_str(ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    }
}

static Seen *seen_of(State *s, int64_t pid, bool *is_new) {
    Seen **slot = &s->buckets[(uint64_t)pid % BUCKETS];
    for (Seen *p = *slot; p; p = p->next)
        if (p->pid == pid) return p;
    if (s->seen >= MAX_PROCESSES) return NULL;
    s->seen++;
    *is_new = true;
    Seen *p = arena_new_of(s->ctx->scratch, Seen);
    p->pid = pid;
    p->next = *slot;
    return *slot = p;
}

static void put_task(State *s, const TaskRow *task, Spot at) {
    ParseCtx *ctx = s->ctx;
    clock_of(s, task->clock);
    ctx->rows++;
    uint64_t pid = 0;
    str_u64(task->pid, &pid);
    ProcessRow row = {.t_s = NAN, .pid = pid < INT64_MAX ? (int64_t)pid : FACT_NULL, .io_wait_pct = NAN};
    row.read_bytes_s = task->reads;
    row.write_bytes_s = task->writes;
    if (!task->rate) { /* -a: what was added since the last round */
        bool is_new = false;
        Seen *before = seen_of(s, row.pid, &is_new);
        if (!s->said)
            facts_note(ctx->facts, ctx->src, at,
                       STR("amounts since iotop began (-a): the rates are the differences between two rounds"));
        s->said = true;
        /* a process that shows up late had added nothing in the rounds before; in the first round nothing is known */
        double reads = before ? before->reads : NAN, writes = before ? before->writes : NAN;
        if (is_new && s->round <= 1) reads = writes = NAN;
        row.read_bytes_s = (task->reads - reads) / s->interval_s;
        row.write_bytes_s = (task->writes - writes) / s->interval_s;
        if (row.read_bytes_s < 0) row.read_bytes_s = NAN;
        if (row.write_bytes_s < 0) row.write_bytes_s = NAN;
        if (before) {
            before->reads = task->reads;
            before->writes = task->writes;
        }
    }
    Str rest = task->rest, w, last = STR_NONE;
    /* "0.00 % 80.56 % command", "?unavailable?  command" */
    for (;;) {
        Str next = rest;
        w = str_word(&next);
        if (str_is(w, "?unavailable?")) {
            rest = next;
            continue;
        }
        Str number = w, sign = next;
        double v;
        if (str_ends(number, "%")) number.len--;
        else if (!str_is(str_word(&sign), "%")) break;
        else next = sign;
        if (!str_double(number, &v)) break;
        last = number;
        rest = next;
    }
    double wait;
    if (s->io && last.len && str_double(last, &wait))
        row.io_wait_pct = wait > 100 ? 100 : wait; /* the last share is IO */
    row.command = str_trim(rest);
    process_io_add(s->out, &row, at);
}

static ParseResult iotop_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->out = process_io_new(ctx, "iotop");
    s->t = NAN;
    s->total_read = s->total_write = s->actual_write = NAN;
    /* -d SECONDS, 1 without it */
    s->interval_s = 1;
    Str command = ctx->command, w;
    bool next = false;
    while ((w = str_word(&command)).len) {
        Str value = next ? w : str_after(w, "--delay=");
        if (!value.p && str_starts(w, "-d")) value = str_from(w, 2);
        double v;
        if (value.len && str_double(value, &v) && v > 0) s->interval_s = v;
        next = str_is(w, "-d") || str_is(w, "--delay");
    }
    Str line, body, words[12], bsd_command;
    TaskRow row;
    size_t n;
    int64_t bsd_rows = 0;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (totals_line(line, &body)) {
            totals(s, body, line, at);
        } else if (header_line(line)) {
            s->have = true;
            s->io = str_has(line, " IO ") || str_has(line, " IO> ") || str_has(line, " IO<") || str_has(line, " IO  ");
        } else if (bsd_header(line)) {
            s->bsd = true;
        } else if (task_row(line, &row)) {
            put_task(s, &row, at);
        } else if (s->bsd && bsd_row(line, words, &n, &bsd_command)) {
            /* PID USERNAME VCSW IVCSW READ WRITE FAULT TOTAL PERCENT: operations of the interval, no bytes */
            ctx->rows++;
            bsd_rows++;
        } else if (str_starts(line, "last pid:") || str_starts(line, "CPU: ") || str_starts(line, "Mem: ") ||
                   str_starts(line, "Swap: ") || str_starts(line, "ARC: ") || str_has(line, " processes:") ||
                   str_has(line, " threads:") || str_has(line, "Compressed,") ||
                   str_has(line, "CONFIG_TASK_DELAY_ACCT")) {
            continue;
        } else {
            parse_note(ctx, at, "not a row of iotop: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    if (bsd_rows)
        facts_note(ctx->facts, ctx->src, (Spot){.line = 1},
                   STR("top -m io counts operations of processes, not bytes: no rates were taken from it"));
    if (s->totals_at.line) {
        Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
        ctx_setting_real(ctx, host, "tasks_write_bytes_s", s->total_write, "kernel", s->totals_at);
        ctx_setting_real(ctx, host, "tasks_read_bytes_s", s->total_read, "kernel", s->totals_at);
        if (!isnan(s->actual_write))
            ctx_setting_real(ctx, host, "devices_write_bytes_s", s->actual_write, "kernel", s->totals_at);
    }
    process_io_done(s->out);
    return parse_result(ctx);
}

const Parser parser_iotop = {
    .name = "iotop",
    .bid = iotop_bid,
    .starts = iotop_starts,
    .continues = iotop_continues,
    .parse = iotop_parse,
    .ask = "iotop -boPqt -d 1 -n 30",
};
