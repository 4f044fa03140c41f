/*
 * iostat_freebsd.c - rates of disks and the CPU as FreeBSD's iostat prints them without -x: one row per report
 *
 * Reads   iostat, with -d -C -T -t -n -w -c -K and names of drives; iostat -x is a table of iostat.c
 * Gives   samples (tool "iostat") per disk: operations per second and their mean size; of the CPU on the host. The first report is
 *         the average since boot. Totals (-I) and seek times (-o) give none, their rows only count as read.
 * Sample  iostat -w 1, FreeBSD 14
 *   |       tty            ada0             ada1             cpu
 *   | tin  tout KB/t   tps  MB/s KB/t   tps  MB/s  us ni sy in id
 *   |   0    22 112.4  184  20.2 16.0     2   0.0   1  0  3  0 96
 * Varies  without tty or cpu (-d); the names stand above groups of three columns and tell nothing by their position, so the n-th name
 *         belongs to the n-th group. Headers come again every 20 reports. Of reads and writes only the sum is known.
 */
#include "parser.h"
#include "tool_command.h"

#include <math.h>

enum { GROUPS = 64, WORDS = 3 * GROUPS + 8, NAME = 24 };

typedef enum Shape { RATES, TOTALS, OLD } Shape;

typedef struct Header {
    bool tty, cpu;
    size_t groups;
    Shape shape;
} Header;

static size_t words_of(Str line, Str *words) {
    size_t n = 0;
    for (Str rest = line, w; (w = str_word(&rest)).len; n++) {
        if (n == WORDS) return 0;
        words[n] = w;
    }
    return n;
}

/* "ada0" of disks, "cd0" and "pass3" of what else has counters. */
static bool device(Str s) {
    static const char *const kinds[] = {"ada",  "da",    "nvd", "nda", "vtbd", "mfid", "mfisyspd",
                                        "aacd", "mmcsd", "xbd", "ad",  "amrd", "twed", "cd",
                                        "acd",  "pass",  "md",  "sa",  "ses"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Str rest = str_after(s, kinds[i]);
        uint64_t unit;
        if (rest.p && rest.len <= 4 && str_u64(rest, &unit)) return true;
    }
    return false;
}

/* The line of names: count gets the devices, which follow each other. */
static bool names_line(Str line, Str *words, size_t *first, size_t *count) {
    if (line.len < 4 || !ch_blank(line.p[0])) return false;
    size_t n = words_of(line, words);
    *first = n && str_is(words[0], "tty");
    size_t end = n && str_is(words[n - 1], "cpu") ? n - 1 : n;
    if (end <= *first) return false;
    *count = end - *first;
    for (size_t i = *first; i < end; i++)
        if (!device(words[i])) return false;
    return *count <= GROUPS;
}

static bool columns_line(Str line, Header *h) {
    static const char *const groups[][3] = {
        {"KB/t", "tps", "MB/s"}, {"KB/t", "xfrs", "MB"}, {"sps", "tps", "msps"}, {"blk", "xfr", "msps"}};
    static const Shape shapes[] = {RATES, TOTALS, OLD, OLD};
    static const char *const cpu[] = {"us", "ni", "sy", "in", "id"};
    Str w[WORDS];
    size_t n = words_of(line, w), i = 0;
    *h = (Header){0};
    if (n >= 2 && str_is(w[0], "tin") && str_is(w[1], "tout")) {
        h->tty = true;
        i = 2;
    }
    for (; i + 3 <= n; i += 3, h->groups++) {
        size_t k = 0;
        while (k < 4 &&
               !(str_is(w[i], groups[k][0]) && str_is(w[i + 1], groups[k][1]) && str_is(w[i + 2], groups[k][2])))
            k++;
        if (k == 4 || (h->groups && shapes[k] != h->shape)) break;
        h->shape = shapes[k];
    }
    if (!h->groups || h->groups > GROUPS) return false;
    if (i == n) return true;
    for (size_t k = 0; k < 5; k++)
        if (i + k >= n || !str_is(w[i + k], cpu[k])) return false;
    h->cpu = true;
    return i + 5 == n;
}

/* Numbers alone, as many as the smallest table has. */
static bool numbers_line(Str line) {
    Str w[WORDS];
    double v;
    size_t n = words_of(line, w);
    for (size_t i = 0; i < n; i++)
        if (!str_double(w[i], &v)) return false;
    return n >= 3;
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    Str words[WORDS], line = head_line(&head), next = head_line(&head);
    size_t first, count;
    Header h;
    if (names_line(line, words, &first, &count) && columns_line(next, &h) && h.groups == count)
        return command_is(command, "iostat") ? 40 : 32;
    return columns_line(line, &h) && numbers_line(next) ? 24 : 0; /* a copy that begins below the names */
}

static bool starts(Str line) {
    Str words[WORDS];
    size_t first, count;
    Header h;
    return names_line(line, words, &first, &count) || columns_line(line, &h);
}

static bool continues(Str line) {
    return starts(line) || numbers_line(line);
}

typedef struct Device {
    char name[NAME];
    size_t len;
    Ref ref;
    Series *series;
} Device;

typedef struct State {
    ParseCtx *ctx;
    Header header;
    bool have_header;
    size_t named; /* devices of the last line of names */
    Device devices[GROUPS];
    Ref host;
    Series *cpu;
    int64_t header_line;
    uint64_t report;
    double dt;
} State;

static const Metric disk_metrics[] = {M_io_s, M_areq_bytes};
static const Metric cpu_metrics[] = {M_cpu_user_pct, M_cpu_system_pct, M_cpu_idle_pct};

static void add(State *s, Series **series, Ref ref, const Metric *metrics, size_t count, const float *values, Spot at) {
    Samples *samples = facts_samples(s->ctx->facts);
    if (s->report == 1) {
        samples_lifetime(samples, s->ctx->src, ref, "iostat", "boot", metrics, count, values, at);
        return;
    }
    if (!*series) *series = samples_series(samples, s->ctx->src, ref, "iostat", metrics, count, s->header_line);
    samples_add(*series, NAN, s->dt, values, at.line, at.text);
}

static void names(State *s, const Str *words, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Device *d = &s->devices[i];
        Str name = words[first + i];
        if (i < s->named && str_eq((Str){d->name, d->len}, name)) continue; /* the header again */
        *d = (Device){.len = name.len < NAME ? name.len : NAME - 1};
        memcpy(d->name, name.p, d->len);
        d->ref = ctx_ref(s->ctx, REF_DISK, (Str){d->name, d->len});
    }
    s->named = count;
}

static void row(State *s, Str line, Spot at) {
    Str w[WORDS];
    const Header *h = &s->header;
    size_t n = words_of(line, w), expected = 3 * h->groups + (h->tty ? 2 : 0) + (h->cpu ? 5 : 0);
    double v[WORDS];
    bool good = s->have_header && n == expected && s->named == h->groups;
    for (size_t i = 0; i < n && good; i++) good = str_double(w[i], &v[i]) && v[i] >= 0;
    if (!good) {
        parse_note(s->ctx, at, "not a row of the table above: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        return;
    }
    s->ctx->rows++;
    if (h->shape != RATES) return;
    s->report++;
    const double *cell = v + (h->tty ? 2 : 0);
    for (size_t i = 0; i < h->groups; i++, cell += 3) {
        float values[] = {(float)cell[1], cell[1] > 0 ? (float)(cell[0] * 1024) : NAN};
        add(s, &s->devices[i].series, s->devices[i].ref, disk_metrics, 2, values, at);
    }
    if (!h->cpu) return;
    if (!s->host) s->host = ctx_ref(s->ctx, REF_HOST, STR("host"));
    float values[] = {(float)(cell[0] + cell[1]), (float)(cell[2] + cell[3]), (float)cell[4]};
    add(s, &s->cpu, s->host, cpu_metrics, 3, values, at);
}

/* The seconds behind -w: FreeBSD takes no operand for them. */
static double interval(Str command) {
    for (Str rest = command, w; (w = str_word(&rest)).len;) {
        double v;
        Str value = str_after(w, "-w");
        if (!value.p) continue;
        if (!value.len) value = str_word(&rest);
        if (str_double(value, &v) && v > 0 && v < 86400) return v;
    }
    return NAN;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->dt = interval(ctx->command);
    Str line, words[WORDS];
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        size_t first, count;
        Header h;
        if (!str_trim(line).len) continue;
        if (names_line(line, words, &first, &count)) {
            names(s, words, first, count);
            s->have_header = false;
        } else if (columns_line(line, &h)) {
            s->header = h;
            s->have_header = true;
            s->header_line = at.line;
            if (h.groups != s->named)
                parse_note(ctx, at, "the line with the names of the disks is missing or does not fit");
        } else {
            row(s, line, at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_iostat_freebsd = {.name = "iostat",
                                      .bid = bid,
                                      .starts = starts,
                                      .continues = continues,
                                      .parse = parse,
                                      .ask = "iostat -x -w 1 -c 60"};
