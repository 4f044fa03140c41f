/*
 * top.c - load, stolen time and waiting tasks of the host
 *
 * Reads   top of procps, top -b too
 * Gives   setting of the host (load_1min, cpu_steal_pct, tasks_blocked, task_blocked)
 * Sample  top -b -n 2, procps 4.0
 *   | top - 12:00:01 up 10 days,  3:02,  1 user,  load average: 44.10, 40.02, 31.11
 *   | Tasks: 301 total,   1 running, 300 sleeping,   0 stopped,   0 zombie
 *   | %Cpu(s):  1.2 us,  0.5 sy,  0.0 ni, 48.0 id, 30.3 wa,  0.0 hi,  0.0 si, 20.0 st
 *   | MiB Mem :  31869.1 total,    402.1 free,   9012.4 used,  22454.6 buff/cache
 *   |     PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
 *   |    4711 root      20   0   12032   4096   2048 D   3.0   0.0   0:09.01 rsync
 * Varies  "Cpu(s):  1.2%us" before procps 3.3, a line per CPU with option 1; columns are chosen by the user. The first picture shows the
 *         CPU since boot, so stolen time is taken from the later ones; load and tasks are those of the moment in each.
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

enum { MAX_COLUMNS = 24, MAX_NAMES = 20 };

static bool top_line(Str line) {
    return str_starts(line, "top - ") && str_has(line, " up ") && str_has(line, "load average:");
}

static bool cpu_line(Str s) {
    return (str_starts(s, "%Cpu") || str_starts(s, "Cpu")) && str_has(s, "us") && str_has(s, "id");
}

static bool summary(Str line) {
    static const char *const words[] = {"Tasks:",    "Threads:",  "MiB Mem ",  "KiB Mem ", "GiB Mem ", "Mem:",
                                        "MiB Swap:", "KiB Swap:", "GiB Swap:", "Swap:",    "KiB Mem:", NULL};
    Str s = str_trim(line);
    for (size_t i = 0; words[i]; i++)
        if (str_starts(s, words[i])) return true;
    return cpu_line(s);
}

typedef struct Columns {
    size_t n, pid, state;
} Columns;

static bool header(Str line, Columns *c) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS);
    *c = (Columns){n, SIZE_MAX, SIZE_MAX};
    if (n < 4 || n > MAX_COLUMNS || !str_is(w[n - 1], "COMMAND")) return false;
    bool share = false;
    for (size_t i = 0; i < n; i++) {
        if (str_is(w[i], "PID")) c->pid = i;
        if (str_is(w[i], "S")) c->state = i;
        share |= str_is(w[i], "%CPU");
    }
    return c->pid != SIZE_MAX && c->state != SIZE_MAX && share;
}

/* "4711 root 20 0 12032 4096 2048 D 3.0 0.0 0:09.01 rsync" with the columns of the default. */
static bool row(Str line) {
    Str w[13];
    uint64_t pid;
    size_t n = str_words(line, w, 13);
    return n >= 12 && str_u64(w[0], &pid) && w[7].len == 1 && memchr("RSDTtZXI", w[7].p[0], 8) &&
           str_find_ch(w[10], ':') != SIZE_MAX;
}

static int bid(Str path, Str command, Str head) {
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return top_line(line) ? (command_is(command, "top") || path_has(path, "top") ? 36 : 30) : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return top_line(line);
}

static bool continues(Str line) {
    Columns c;
    return !str_trim(line).len || top_line(line) || summary(line) || header(line, &c) || row(line);
}

typedef struct State {
    ParseCtx *ctx;
    Ref host;
    size_t pictures, steal_count;
    double steal_sum;
    Spot steal_at, blocked_at, rows_at;
    int64_t blocked, most, rows;
    int64_t names;
} State;

static Spot keep(State *s, Spot at) {
    at.text = arena_str(s->ctx->scratch, at.text);
    return at;
}

/* " 1.2 us", "1.2%us": the share before the word. */
static bool share_of(Str s, const char *word, double *out) {
    str_cut(&s, ':');
    while (s.len) {
        Str one = str_trim(str_cut(&s, ','));
        if (!str_ends(one, word)) continue;
        return dev_leading_number(one, out);
    }
    return false;
}

static void end_picture(State *s) {
    if (s->blocked > s->most) s->most = s->blocked;
    s->blocked = 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State s = {.ctx = ctx, .host = ctx_ref(ctx, REF_HOST, STR("host"))};
    Columns c = {0}, found;
    Str line, w[MAX_COLUMNS];
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (top_line(line)) {
            end_picture(&s);
            s.pictures++;
            double load;
            Str figures = str_from(line, str_find(line, "load average:") + strlen("load average:"));
            if (!dev_leading_number(figures, &load)) parse_note(ctx, at, "no load average");
            else ctx_setting_real(ctx, s.host, "load_1min", load, "kernel", at);
        } else if (cpu_line(str_trim(line))) {
            double st;
            bool all = str_starts(str_trim(line), "%Cpu(s)") || str_starts(str_trim(line), "Cpu(s)");
            if (all && s.pictures > 1 && share_of(str_trim(line), "st", &st)) {
                if (!s.steal_count++) s.steal_at = keep(&s, at);
                s.steal_sum += st;
            }
        } else if (header(line, &found)) {
            c = found;
            if (!s.rows_at.line) s.rows_at = keep(&s, at);
        } else if (!summary(line)) {
            Str rest = line;
            uint64_t pid;
            size_t i = 0;
            for (; c.n && i + 1 < c.n && (w[i] = str_word(&rest)).len; i++) {
            }
            Str command = str_trim(rest);
            if (!c.n || i + 1 < c.n || !command.len || !str_u64(w[c.pid], &pid) || w[c.state].len != 1) {
                parse_note(ctx, at, "not a row of top: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
                continue;
            }
            s.rows++;
            if (w[c.state].p[0] == 'D') {
                if (!s.blocked++ && !s.blocked_at.line) s.blocked_at = keep(&s, at);
                if (s.names++ < MAX_NAMES)
                    ctx_setting(ctx, s.host, "task_blocked", str_sub(str_word(&command), 0, 40), "kernel", at);
            }
        }
        ctx->rows++;
    }
    end_picture(&s);
    if (s.steal_count)
        ctx_setting_real(ctx, s.host, "cpu_steal_pct", round(s.steal_sum / (double)s.steal_count * 10) / 10, "kernel",
                         s.steal_at);
    /* top shows as many tasks as the window has lines: that none of them waits says nothing. */
    if (s.most) ctx_setting_int(ctx, s.host, "tasks_blocked", s.most, "kernel", s.blocked_at);
    return parse_result(ctx);
}

const Parser parser_top = {
    .name = "top",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "top -b -n 5",
};
