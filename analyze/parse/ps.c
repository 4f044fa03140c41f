/*
 * ps.c - tasks that wait uninterruptibly
 *
 * Reads   ps with a column of the state and one of the command: ps aux, ps axl, ps -eo state,pid,wchan:32,cmd
 * Gives   setting tasks_blocked, task_blocked of the host; job for a task of Proxmox VE (told_by task) or another program of jobs (told_by ps) that runs
 * Sample  procps 4.0, ps -eo state,pid,wchan:32,cmd
 *   | S     PID WCHAN                            CMD
 *   | D    4711 io_schedule                      rsync -a /srv /backup
 * Varies  columns by the header; the command is the last one and has blanks. ps -ef has no state and tells nothing here. The heading of
 *         the state is S, STAT, STATE or s; a date as START is one word ("Mar01"), lstart is several and not read.
 */
#include "../facts/jobs.h"
#include "parser.h"

enum { MAX_COLUMNS = 24, MAX_NAMES = 20 };

typedef struct Columns {
    size_t n, state, pid, wchan;
} Columns;

/* The header: all words are names of columns, a state and a PID among them, the command last. */
static bool header(Str line, Columns *c) {
    static const char *const names[] = {
        "USER",  "UID",   "EUID",  "RUSER",   "PID",  "TID",     "LWP",  "SPID",   "PPID",  "PGID",   "PGRP", "SID",
        "C",     "CP",    "%CPU",  "%MEM",    "PCPU", "VSZ",     "RSS",  "SZ",     "TTY",   "TT",     "STAT", "S",
        "STATE", "START", "STIME", "STARTED", "TIME", "ELAPSED", "PRI",  "NI",     "CLS",   "RTPRIO", "PSR",  "F",
        "ADDR",  "WCHAN", "NLWP",  "COMMAND", "CMD",  "CGROUP",  "UNIT", "MWCHAN", "LOGIN", "JID",    NULL};
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS);
    if (n < 3 || n > MAX_COLUMNS || !(str_is(w[n - 1], "COMMAND") || str_is(w[n - 1], "CMD"))) return false;
    *c = (Columns){n, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; names[k] && !known; k++) known = str_is(w[i], names[k]);
        if (!known) return false;
        if (str_is(w[i], "S") || str_is(w[i], "STAT") || str_is(w[i], "STATE")) c->state = i;
        if (str_is(w[i], "PID")) c->pid = i;
        if (str_is(w[i], "WCHAN") || str_is(w[i], "MWCHAN")) c->wchan = i;
    }
    return c->state != SIZE_MAX && c->pid != SIZE_MAX;
}

static bool state_word(Str s) {
    if (!s.len || s.len > 6 || !memchr("RSDTtZXWIKPLU", s.p[0], 13)) return false;
    for (size_t i = 1; i < s.len; i++)
        if (!memchr("<NLsl+EJVWXCHI", s.p[i], 14)) return false;
    return true;
}

static bool number(Str s) {
    uint64_t n;
    return str_u64(s, &n);
}

static bool decimal(Str s) {
    size_t dot = str_find_ch(s, str_find_ch(s, ',') == SIZE_MAX ? '.' : ',');
    return dot != SIZE_MAX && dot + 2 == s.len && ch_digit(s.p[0]) && ch_digit(s.p[dot + 1]);
}

/* Numbers and shares up to the state, a PID among them: "99.4   60112 R", "1 60112 S". A user may stand before them. */
static bool numbers_and_state(const Str *w, size_t n) {
    size_t user = n && !number(w[0]) && !decimal(w[0]), i = user, whole = 0, shares = 0;
    for (; i < n && i < 7; i++) {
        if (number(w[i])) whole++;
        else if (decimal(w[i])) shares++;
        else break;
    }
    return whole && (shares || !user) && i + 1 < n && state_word(w[i]);
}

/* A row of one of the usual forms: a state and a PID in front, numbers before the state, the shares of ps aux, or the numbers of
   ps axl. */
static bool row(Str line) {
    Str w[12];
    size_t n = str_words(line, w, 12);
    if (n >= 3 && state_word(w[0]) && number(w[1])) return true;
    if (numbers_and_state(w, n)) return true;
    if (n >= 11 && number(w[1]) && (decimal(w[2]) || str_ends(w[2], ".")) && number(w[4]) && state_word(w[7]))
        return true;
    return n >= 12 && number(w[0]) && number(w[1]) && number(w[2]) && number(w[3]) && number(w[6]) && state_word(w[9]);
}

static int bid(Str path, Str command, Str head) {
    Columns c;
    bool named = command_is(command, "ps") || path_has(path, "ps_") || path_has(path, "/ps");
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return header(line, &c) ? (named ? 32 : 26) : 0;
    }
    return 0;
}

static bool starts(Str line) {
    Columns c;
    return header(line, &c);
}

static bool continues(Str line) {
    Columns c;
    return row(line) || header(line, &c);
}

/* Splits off the first n - 1 words; the command is the rest. */
static size_t split(Str line, size_t n, Str *w) {
    size_t i = 0;
    for (; i + 1 < n; i++) {
        w[i] = str_word(&line);
        if (!w[i].len) return i;
    }
    w[i] = str_trim(line);
    return w[i].len ? n : i;
}

/* "/usr/bin/rsync -a /srv" is rsync; "[txg_sync]" stays. */
static Str short_name(Str command) {
    Str name = str_word(&command);
    if (name.len && name.p[0] == '/') name = str_basename(name);
    if (str_ends(name, ":")) name.len--;
    return str_sub(name, 0, 40);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Columns c = {0}, found;
    Str line, w[MAX_COLUMNS];
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    int64_t blocked = 0, names = 0, rows = 0, jobs = 0;
    Spot first = {0};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (header(line, &found)) {
            c = found;
            if (!first.line) {
                first = at;
                first.text = arena_str(ctx->scratch, at.text);
            }
            ctx->rows++;
            continue;
        }
        if (!c.n || split(line, c.n, w) < c.n || !number(w[c.pid]) || !state_word(w[c.state])) {
            parse_note(ctx, at, "not a row of ps: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        rows++;
        Str command = w[c.n - 1];
        Str task = str_after(command, "task UPID:");
        if (task.p && str_has(task, ":vzdump:")) { /* the worker's title holds the id of its task */
            Row r = ctx_row(ctx, "job", at);
            row_ref(&r, "node", host);
            row_text(&r, "kind", STR("backup"));
            row_text(&r, "name", STR("vzdump"));
            row_text(&r, "told_by", STR("task"));
            row_text(&r, "state", STR("running"));
            row_done(&r);
        } else if (jobs < MAX_NAMES) {
            const char *kind = job_of_process(command);
            if (kind && !str_has(command, "bacula-fd") && !str_has(command, "bareos-fd")) { /* those always run */
                jobs++;
                Row r = ctx_row(ctx, "job", at);
                row_ref(&r, "node", host);
                row_text(&r, "kind", str_of(kind));
                row_text(&r, "name", str_sub(command, 0, 100));
                row_text(&r, "told_by", STR("ps"));
                row_text(&r, "state", STR("running"));
                row_done(&r);
            }
        }
        if (w[c.state].p[0] != 'D') continue;
        /* FreeBSD's kernel processes rest in this state ("DL", swapped in for good) and are no load */
        if (command.len && command.p[0] == '[' && str_find_ch(w[c.state], 'L') != SIZE_MAX) continue;
        if (!blocked++) {
            first = at;
            first.text = arena_str(ctx->scratch, at.text);
        }
        if (names++ >= MAX_NAMES) continue;
        Str wchan = c.wchan != SIZE_MAX && !str_is(w[c.wchan], "-") && !str_is(w[c.wchan], "0") ? w[c.wchan] : STR_NONE;
        Str name = short_name(command);
        ctx_setting(ctx, host, "task_blocked",
                    wchan.len
                        ? arena_strf(ctx->scratch, "%.*s (in %.*s)", STR_ARG(name), STR_ARG(str_sub(wchan, 0, 40)))
                        : name,
                    "kernel", at);
    }
    /* A list of a few tasks was chosen by somebody: that none of them waits says nothing. */
    if (blocked || rows >= 20) ctx_setting_int(ctx, host, "tasks_blocked", blocked, "kernel", first);
    return parse_result(ctx);
}

const Parser parser_ps = {
    .name = "ps",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "ps -eo state,pid,wchan:32,cmd",
};
