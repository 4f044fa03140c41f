/*
 * vmstat.c - blocked tasks, swapping and CPU shares of the host
 *
 * Reads   vmstat of procps (plain, -a, -w, -t, -y, -S, repeated headers), its -d, -D, -s and -f; vmstat of FreeBSD
 * Gives   samples of the host (tool "vmstat"); the first report as lifetime average since boot, unless -y was given; counter of
 *         disks (-d, kind sysfs) and of the host (-s, kind sysfs)
 * Sample  procps 4.0, vmstat -t 1 2
 *   | procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu------- -----timestamp-----
 *   |  r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu                CEST
 *   |  1  0    524 763388 147216 819640    0    1   288   108  195    3  4  3 92  1  0  0 2024-07-01 12:00:00
 *   |  0  2    524 763112 147216 819640    0   64     0  4108  157   96  0  1 49 50  0  0 2024-07-01 12:00:01
 * Varies  st since 2.6, gu since procps 4.0.4, buff and cache or inact and active; si and so are KiB per second unless -S says k
 *         (1000), m (10^6) or M (2^20), bi and bo are not; FreeBSD has a column per disk, two columns "sy", and pi and po that
 *         count requests of the pager for files as well, so that they are no swapping
 */
#include "../base/times.h"
#include "device_text.h"
#include "parser.h"
#include "tool_command.h"

#include <math.h>

enum { MAX_COLUMNS = 48 };

typedef enum Table { TABLE_NONE, TABLE_HOST, TABLE_DISKS } Table;

typedef struct Column {
    int value_at; /* in the sample, -1 nobody wants it */
    double scale;
} Column;

typedef struct State {
    ParseCtx *ctx;
    ToolCommand command;
    Table table;
    Column column[MAX_COLUMNS];
    size_t columns, metrics;
    Metric list[MAX_COLUMNS];
    Str zone; /* of a stamp, in scratch */
    bool stamped, is_local, lifetime, seen;
    double swap_unit, last_t;
    Series *series;
    Ref host;
    int64_t header_line;
    uint64_t header; /* hash of the host's header line */
} State;

/* ---------------------------------------------------------------- lines */

static bool is_word(const Str *w, size_t n, const char *z) {
    for (size_t i = 0; i < n; i++)
        if (str_is(w[i], z)) return true;
    return false;
}

/* " r  b   swpd   free ..." and FreeBSD's " r b w  avm   fre ..." */
static size_t host_header(Str line, Str *w) {
    size_t n = str_words(line, w, MAX_COLUMNS);
    if (n < 10 || n > MAX_COLUMNS || !str_is(w[0], "r") || !str_is(w[1], "b")) return 0;
    bool linux_ = is_word(w, n, "swpd") && is_word(w, n, "bi");
    bool bsd = is_word(w, n, "avm") && is_word(w, n, "fre");
    return (linux_ || bsd) && is_word(w, n, "us") && is_word(w, n, "id") ? n : 0;
}

static bool top_line(Str line) {
    Str s = str_trim_left(line);
    return (str_starts(s, "procs ") && (str_has(s, "memory") || str_has(s, "--"))) || str_starts(s, "--procs-- ");
}

static bool disk_top(Str line) {
    return str_starts(line, "disk- ") && str_has(line, "-reads-");
}

static bool disk_header(Str line) {
    Str s = str_trim(line);
    return str_starts(s, "total merged sectors");
}

/* -s and -D: "      8036544 K total memory", "           10 disks" */
static const char *const summary_words[] = {"K total memory",
                                            "K used memory",
                                            "K active memory",
                                            "K inactive memory",
                                            "K free memory",
                                            "K buffer memory",
                                            "K swap cache",
                                            "K total swap",
                                            "K used swap",
                                            "K free swap",
                                            "non-nice user cpu ticks",
                                            "nice user cpu ticks",
                                            "system cpu ticks",
                                            "idle cpu ticks",
                                            "IO-wait cpu ticks",
                                            "IRQ cpu ticks",
                                            "softirq cpu ticks",
                                            "stolen cpu ticks",
                                            "non-nice guest cpu ticks",
                                            "nice guest cpu ticks",
                                            "pages paged in",
                                            "pages paged out",
                                            "K paged in",
                                            "K paged out",
                                            "pages swapped in",
                                            "pages swapped out",
                                            "interrupts",
                                            "CPU context switches",
                                            "boot time",
                                            "forks",
                                            "disks",
                                            "partitions",
                                            "total reads",
                                            "merged reads",
                                            "read sectors",
                                            "milli reading",
                                            "writes",
                                            "merged writes",
                                            "written sectors",
                                            "milli writing",
                                            "inprogress IO",
                                            "milli spent IO",
                                            "milli weighted IO"};

static bool summary_line(Str line, uint64_t *value, const char **name) {
    Str rest = str_trim(line);
    if (!str_u64(str_word(&rest), value)) return false;
    rest = str_trim(rest);
    for (size_t i = 0; i < sizeof summary_words / sizeof *summary_words; i++) {
        const char *w = summary_words[i];
        if (str_is(rest, w) || (w[0] == 'K' && rest.len && (rest.p[0] == 'm' || rest.p[0] == 'M' || rest.p[0] == 'k') &&
                                str_is(str_from(rest, 1), w + 1))) {
            *name = w;
            return true;
        }
    }
    return false;
}

static bool numbers(Str line) {
    size_t n = 0;
    for (Str w; (w = str_word(&line)).len; n++)
        if (!ch_digit(w.p[0]) && !(w.p[0] == '-' && w.len > 1)) return false;
    return n >= 10;
}

static bool vmstat_row(Str line) {
    if (!line.len || (!ch_blank(line.p[0]) && !ch_digit(line.p[0]))) return false;
    return numbers(line);
}

/* "sda    15257    100  841035    8395  50851   5502 1648657  146540      0     44 [date time]" */
static bool disk_row(Str line, Str *name, uint64_t *v) {
    Str rest = line;
    if (!line.len || ch_blank(line.p[0])) return false;
    *name = str_word(&rest);
    if (!ch_alpha(name->p[0])) return false;
    for (int i = 0; i < 10; i++)
        if (!str_u64(str_word(&rest), &v[i])) return false;
    rest = str_trim(rest);
    return !rest.len || ch_digit(rest.p[0]);
}

static int vmstat_bid(Str path, Str command, Str head) {
    bool named = command_is(command, "vmstat") || path_has(path, "vmstat");
    int summary = 0, lines = 0, top = 0;
    Str w[MAX_COLUMNS];
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head);
        uint64_t v;
        const char *name;
        if (!str_trim(line).len) continue;
        lines++;
        if (top_line(line)) top = 6;
        else if (host_header(line, w)) return 24 + top + (named ? 6 : 0);
        else if (disk_top(line)) return 26 + (named ? 6 : 0);
        else if (disk_header(line)) return 16 + (named ? 6 : 0);
        else if (summary_line(line, &v, &name)) summary++;
        else if (lines > 3 && !summary && !top) return 0;
        if (lines == 1 && !top && !summary) return 0;
    }
    if (summary >= 4 && summary == lines) return 24 + (named ? 6 : 0);
    if (summary == 1 && lines == 1 && named) return 12; /* vmstat -f */
    return 0;
}

static bool vmstat_starts(Str line) {
    Str w[MAX_COLUMNS];
    uint64_t v;
    const char *name;
    return top_line(line) || host_header(line, w) || disk_top(line) ||
           (summary_line(line, &v, &name) &&
            (str_ends(str_trim(line), " total memory") || str_is(str_of(name), "disks")));
}

static bool vmstat_continues(Str line) {
    Str w[MAX_COLUMNS], name;
    uint64_t v[10];
    const char *what;
    return !str_trim(line).len || top_line(line) || host_header(line, w) || disk_top(line) || disk_header(line) ||
           vmstat_row(line) || disk_row(line, &name, v) || summary_line(line, v, &what);
}

/* ---------------------------------------------------------------- the table of the host */

static double swap_unit(Str command) {
    /* -S k, -Sk, --unit M */
    Str w;
    bool next = false;
    while ((w = str_word(&command)).len) {
        Str unit = next ? w : STR_NONE;
        next = str_is(w, "-S") || str_is(w, "--unit");
        Str value = str_after(w, "--unit=");
        if (value.p) unit = value;
        if (w.len > 2 && w.p[0] == '-' && w.p[1] != '-' && str_rfind_ch(w, 'S') != SIZE_MAX) {
            unit = str_from(w, str_rfind_ch(w, 'S') + 1); /* -tSM 1, or -wS M */
            if (!unit.len) next = true;
        }
        if (str_is(unit, "k")) return 1000;
        if (str_is(unit, "m")) return 1e6;
        if (str_is(unit, "M")) return 1048576;
    }
    return 1024;
}

static void read_host_header(State *s, Str line) {
    static const struct {
        const char *word;
        Metric metric;
    } known[] = {{"b", M_procs_blocked},   {"si", M_swap_in_bytes_s}, {"so", M_swap_out_bytes_s},
                 {"us", M_cpu_user_pct},   {"sy", M_cpu_system_pct},  {"id", M_cpu_idle_pct},
                 {"wa", M_cpu_iowait_pct}, {"st", M_cpu_steal_pct}};
    Str w[MAX_COLUMNS];
    size_t n = host_header(line, w);
    s->table = TABLE_HOST;
    s->metrics = 0;
    s->stamped = false;
    size_t us = 0; /* the "sy" behind it is the CPU's; FreeBSD's other one counts system calls */
    for (size_t i = 0; i < n; i++)
        if (str_is(w[i], "us")) us = i;
    s->columns = 0;
    for (size_t i = 0; i < n; i++) {
        Column c = {.value_at = -1, .scale = 1};
        bool found = str_is(w[i], "sy") && i < us;
        for (size_t k = 0; k < sizeof known / sizeof *known && !found; k++)
            if (str_is(w[i], known[k].word)) {
                found = true;
                c.value_at = (int)s->metrics;
                s->list[s->metrics++] = known[k].metric;
                if (w[i].p[0] == 's' && (w[i].p[1] == 'i' || w[i].p[1] == 'o')) c.scale = s->swap_unit;
            }
        /* the zone heads the column of stamps: behind the CPU, in capitals or +02 */
        if (i + 1 == n && i > us && !found && !str_is(w[i], "gu") && !str_is(w[i], "id")) {
            s->stamped = true;
            s->zone = arena_str(s->ctx->scratch, w[i]);
            break;
        }
        s->column[s->columns++] = c;
    }
}

static void host_row(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str rest = line;
    float values[MAX_COLUMNS];
    for (size_t i = 0; i < s->columns; i++) {
        Str w = str_word(&rest);
        double v;
        if (!w.len || !(str_double(w, &v) || str_scaled(w, 1024, &v))) {
            /* memory columns of FreeBSD may be negative or carry letters; what a sample needs has to be a number */
            if (w.len && s->column[i].value_at < 0) continue;
            parse_note(ctx, at, "not a row of vmstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            return;
        }
        if (s->column[i].value_at >= 0) values[s->column[i].value_at] = (float)(v * s->column[i].scale);
    }
    double t = NAN;
    bool zone = false;
    Str stamp = str_trim(rest);
    if (stamp.len) {
        if (!s->stamped ||
            !(time_parse(arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(stamp), STR_ARG(s->zone)), &t, &zone) ||
              time_parse(stamp, &t, &zone))) {
            parse_note(ctx, at, "figures without a column: \"%.*s\"", STR_ARG(str_sub(stamp, 0, 60)));
            return;
        }
        if (!zone && !s->is_local) {
            facts_local_time(ctx->facts, ctx->src);
            s->is_local = true;
        }
    }
    ctx->rows++;
    if (!s->host) s->host = ctx_ref(ctx, REF_HOST, STR("host"));
    Samples *samples = facts_samples(ctx->facts);
    if (!s->seen && s->lifetime) {
        s->seen = true;
        samples_lifetime(samples, ctx->src, s->host, "vmstat", "boot", s->list, s->metrics, values, at);
        s->last_t = t;
        return;
    }
    s->seen = true;
    double dt = s->command.interval_s;
    if (!isnan(t) && !isnan(s->last_t) && t > s->last_t) dt = t - s->last_t;
    if (!isnan(t)) s->last_t = t;
    if (!s->series)
        s->series = samples_series(samples, ctx->src, s->host, "vmstat", s->list, s->metrics, s->header_line);
    samples_add(s->series, t, dt, values, at.line, at.text);
}

/* ---------------------------------------------------------------- counters */

static void counter(State *s, Ref node, const char *name, double value, const char *unit, Spot at) {
    Row r = ctx_row(s->ctx, "counter", at);
    row_ref(&r, "node", node);
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("sysfs"));
    row_real(&r, "value", value);
    if (unit) row_text(&r, "unit", str_of(unit));
    row_done(&r);
}

static void put_disk(State *s, Str name, const uint64_t *v, Spot at) {
    /* names and units of /proc/diskstats, where they come from; "sec" is the time with I/O in whole seconds */
    static const struct {
        const char *name, *unit;
        double scale;
    } columns[] = {
        {"reads", NULL, 1},     {"reads_merged", NULL, 1},  {"read_sectors", "512 bytes", 1},  {"read_ms", "ms", 1},
        {"writes", NULL, 1},    {"writes_merged", NULL, 1}, {"write_sectors", "512 bytes", 1}, {"write_ms", "ms", 1},
        {"in_flight", NULL, 1}, {"io_ms", "ms", 1000}};
    s->ctx->rows++;
    uint64_t any = 0;
    for (int i = 0; i < 10; i++) any |= v[i];
    if (!any) return; /* never used */
    Ref disk = ctx_ref(s->ctx, REF_DISK, name);
    for (int i = 0; i < 10; i++)
        counter(s, disk, columns[i].name, (double)v[i] * columns[i].scale, columns[i].unit, at);
}

static ParseResult vmstat_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->command = tool_command(ctx->command, "vmstat", NULL, "SpcwIN");
    /* procps' -w takes no argument and FreeBSD's does; there the first number is one either way */
    if (tool_flag(&s->command, 'w')) {
        ToolCommand plain = tool_command(ctx->command, "vmstat", NULL, "Sp");
        s->command.interval_s = plain.interval_s;
    }
    s->lifetime = !tool_flag(&s->command, 'y') && !str_has(ctx->command, "--no-first");
    s->swap_unit = swap_unit(ctx->command);
    s->last_t = NAN;
    Str line, name, w[MAX_COLUMNS];
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t v[10];
        const char *what;
        if (!str_trim(line).len) continue;
        if (s->table == TABLE_HOST && vmstat_row(line)) {
            host_row(s, line, at);
        } else if (top_line(line) || disk_top(line)) {
            continue;
        } else if (host_header(line, w)) {
            /* It is repeated every screen; one with other columns heads another run, whose first report is an average again. */
            bool other = s->header && s->header != str_hash(line);
            if (other) {
                s->series = NULL;
                s->seen = false;
            }
            if (!s->header_line || other) {
                s->header_line = at.line;
                facts_keep_line(ctx->facts, ctx->src, at);
            }
            if (s->table != TABLE_HOST || other) read_host_header(s, line);
            s->header = str_hash(line);
        } else if (disk_header(line)) {
            s->table = TABLE_DISKS;
        } else if (disk_row(line, &name, v)) {
            put_disk(s, name, v, at);
        } else if (summary_line(line, v, &what)) {
            ctx->rows++;
            if (!s->host) s->host = ctx_ref(ctx, REF_HOST, STR("host"));
            counter(s, s->host, what, (double)v[0], NULL, at);
        } else {
            parse_note(ctx, at, "not a row of vmstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_vmstat = {
    .name = "vmstat",
    .bid = vmstat_bid,
    .starts = vmstat_starts,
    .continues = vmstat_continues,
    .parse = vmstat_parse,
    .ask = "vmstat -t 1 61",
};
