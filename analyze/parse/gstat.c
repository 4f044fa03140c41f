/*
 * gstat.c - rates and latencies of FreeBSD's GEOM providers
 *
 * Reads   gstat -b, also repeated, with -d -o -p -s; its screen copied from a terminal; gstat -C (CSV, with times)
 * Gives   samples (tool "gstat") per provider, one per report
 * Sample  gstat -bdo, FreeBSD 13
 *   |dT: 1.007s  w: 1.000s
 *   | L(q)  ops/s    r/s   kBps   ms/r    w/s   kBps   ms/w    d/s   kBps   ms/d    o/s   ms/o   %busy Name
 *   |    1   1303   1288 164864    0.6     15    360    0.3      0      0    0.0      0    0.0    44.2  ada0
 * Sample  gstat -C -d -o -p -I 1s
 *   |timestamp,name,q-depth,total_ops/s,read/s,read-KiB/s,ms/read,write/s,write-KiB/s,ms/write,delete/s,...,other/s,ms/other,%busy
 *   |2023-03-14 19:30:02.104382911,ada0,1,1303,1288,164864,0.6,15,360,0.3,0,0,0.0,0,0.0,44.2
 * Varies  times of the CSV are local; its first report is of the instant since the program started, and is read over. With -s sizes stand before the rates ("kB"); without -p partitions and labels are providers, too. kBps are KiB. L(q) is one moment's
 *         queue and no average. %busy may exceed 100: then it counts as 100. A latency beside no operations is no measurement.
 */
#include "parser.h"

#include "../base/times.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 20, PROVIDERS = 4096, BUCKETS = 1024, NAME = 64 };

typedef struct Table {
    bool csv;
    size_t count, name;
    Metric metric[COLUMNS]; /* M_NONE: passed over */
    double scale[COLUMNS];
    int ops[COLUMNS]; /* column of the operations a latency is of; -1 */
} Table;

typedef struct Provider {
    struct Provider *next;
    char name[NAME];
    size_t len;
    Ref ref;
    Series *series;
    unsigned shape; /* of the series */
} Provider;

typedef struct State {
    ParseCtx *ctx;
    Table table;
    bool have_table;
    unsigned shape; /* counts the headers with other columns than the one before */
    int64_t header_line;
    double dt, t; /* t: end of the report, CSV only; NAN */
    bool local_time;
    Provider *buckets[BUCKETS];
    size_t providers;
} State;

/* "dT: 1.007s  w: 1.000s", behind it perhaps "filter: ..." */
static bool interval_line(Str line, double *dt) {
    Str rest = str_after(str_trim(line), "dT: "), word;
    if (!rest.p) return false;
    word = str_word(&rest);
    if (word.len < 2 || word.p[word.len - 1] != 's' || !str_double(str_sub(word, 0, word.len - 1), dt)) return false;
    return str_starts(str_trim(rest), "w: ");
}

static bool header(Str line, Table *t) {
    Str words[COLUMNS], rest = str_trim(line);
    size_t n = str_words(rest, words, COLUMNS);
    if (n < 5 || n > COLUMNS || !str_is(words[0], "L(q)") || !str_is(words[n - 1], "Name")) return false;
    *t = (Table){.count = n, .name = n - 1};
    static const struct {
        const char *rate;
        Metric ops, bytes, wait;
    } groups[] = {{"r/s", M_r_s, M_r_bytes_s, M_r_await_ms},
                  {"w/s", M_w_s, M_w_bytes_s, M_w_await_ms},
                  {"d/s", M_d_s, M_d_bytes_s, M_d_await_ms},
                  {"o/s", M_f_s, M_NONE, M_f_await_ms}}; /* other: flushes, mostly */
    int group = -1, ops = -1;
    for (size_t i = 0; i < n; i++) {
        t->metric[i] = M_NONE;
        t->scale[i] = 1;
        t->ops[i] = -1;
        for (int g = 0; g < 4; g++)
            if (str_is(words[i], groups[g].rate)) {
                group = g;
                ops = (int)i;
                t->metric[i] = groups[g].ops;
            }
        if (str_is(words[i], "%busy")) t->metric[i] = M_util_pct;
        if (group < 0) continue;
        if (str_is(words[i], "kBps")) {
            t->metric[i] = groups[group].bytes;
            t->scale[i] = 1024;
        } else if (str_starts(words[i], "ms/")) {
            t->metric[i] = groups[group].wait;
            t->ops[i] = ops;
        }
    }
    return group >= 0;
}

/* "timestamp,name,q-depth,total_ops/s,read/s,..." */
static bool csv_header(Str line, Table *t) {
    static const struct {
        const char *name;
        Metric metric;
        double scale;
        const char *ops;
    } known[] = {{"read/s", M_r_s, 1, NULL},
                 {"read-KiB/s", M_r_bytes_s, 1024, NULL},
                 {"ms/read", M_r_await_ms, 1, "read/s"},
                 {"write/s", M_w_s, 1, NULL},
                 {"write-KiB/s", M_w_bytes_s, 1024, NULL},
                 {"ms/write", M_w_await_ms, 1, "write/s"},
                 {"delete/s", M_d_s, 1, NULL},
                 {"delete-KiB/s", M_d_bytes_s, 1024, NULL},
                 {"ms/delete", M_d_await_ms, 1, "delete/s"},
                 {"other/s", M_f_s, 1, NULL},
                 {"ms/other", M_f_await_ms, 1, "other/s"},
                 {"%busy", M_util_pct, 1, NULL}};
    line = str_trim(line);
    if (!str_starts(line, "timestamp,name,q-depth,")) return false;
    *t = (Table){.csv = true, .name = 1};
    Str words[COLUMNS];
    while (line.len && t->count < COLUMNS) words[t->count++] = str_cut(&line, ',');
    bool rate = false;
    for (size_t i = 0; i < t->count; i++) {
        t->metric[i] = M_NONE;
        t->scale[i] = 1;
        t->ops[i] = -1;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (!str_is(words[i], known[k].name)) continue;
            t->metric[i] = known[k].metric;
            t->scale[i] = known[k].scale;
            rate |= i > 3;
            for (size_t j = 0; known[k].ops && j < i; j++)
                if (str_is(words[j], known[k].ops)) t->ops[i] = (int)j;
        }
    }
    return rate && !line.len;
}

/* "2023-03-14 19:30:02.104382911,ada0,1,...": the time, and what follows it */
static bool csv_time(Str line, double *t, Str *rest) {
    if (line.len < 30 || !ch_digit(line.p[0]) || line.p[4] != '-') return false;
    *rest = line;
    return time_parse(str_cut(rest, ','), t, NULL) && str_find_ch(*rest, ',') != SIZE_MAX;
}

static bool csv_row(Str line, const Table *t, double *time, double *v, Str *name) {
    Str rest;
    if (!csv_time(str_trim(line), time, &rest)) return false;
    *name = str_cut(&rest, ',');
    v[0] = v[1] = 0;
    for (size_t i = 2; i < t->count; i++)
        if (!rest.len || !str_double(str_cut(&rest, ','), &v[i]) || v[i] < 0) return false;
    return !rest.len && name->len > 0 && name->len < NAME;
}

/* Numbers and, as the last word, a name. A label may hold blanks. */
static bool row(Str line, size_t numbers, double *v, Str *name) {
    Str rest = line;
    for (size_t i = 0; i < numbers; i++)
        if (!str_double(str_word(&rest), &v[i]) || v[i] < 0) return false;
    *name = str_trim(rest);
    return name->len > 0 && name->len < NAME;
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    double dt;
    Table t;
    int bits = 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        if (interval_line(line, &dt)) bits += 12;
        else if (csv_header(line, &t)) return command_is(command, "gstat") ? 42 : 36;
        else if (header(line, &t)) return bits + 24 + (command_is(command, "gstat") ? 6 : 0);
        else if (str_trim(line).len) return 0;
    }
    return 0;
}

static bool starts(Str line) {
    double dt;
    Table t;
    return interval_line(line, &dt) || header(line, &t) || csv_header(line, &t);
}

/* A row of whatever columns: eight numbers or more, and a name. */
static bool continues(Str line) {
    double v;
    size_t numbers = 0;
    Str rest = str_trim(line), before;
    if (!rest.len || starts(line)) return true;
    if (csv_time(rest, &v, &before)) return true;
    for (before = rest; str_double(str_word(&rest), &v); before = rest) numbers++;
    before = str_trim(before);
    return numbers >= 8 && before.len > 0 && before.len < NAME;
}

static Provider *provider(State *s, Str name) {
    size_t bucket = str_hash(name) % BUCKETS;
    for (Provider *p = s->buckets[bucket]; p; p = p->next)
        if (str_eq((Str){p->name, p->len}, name)) return p;
    if (s->providers == PROVIDERS) return NULL;
    Provider *p = arena_new_of(s->ctx->scratch, Provider);
    memcpy(p->name, name.p, name.len);
    p->len = name.len;
    p->ref = ctx_ref(s->ctx, REF_DISK, (Str){p->name, p->len});
    p->next = s->buckets[bucket];
    s->buckets[bucket] = p;
    s->providers++;
    return p;
}

static void sample(State *s, const double *v, Str name, Spot at) {
    const Table *t = &s->table;
    Provider *p = provider(s, name);
    if (!p) {
        parse_note(s->ctx, at, "more than %d providers", PROVIDERS);
        return;
    }
    s->ctx->rows++;
    Metric metrics[COLUMNS];
    float values[COLUMNS];
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->metric[i] == M_NONE) continue;
        double x = v[i] * t->scale[i];
        if (t->ops[i] >= 0 && !(v[t->ops[i]] > 0) && !(x > 0)) x = NAN;
        if (t->metric[i] == M_util_pct && x > 100) x = 100;
        metrics[n] = t->metric[i];
        values[n++] = (float)x;
    }
    if (!p->series || p->shape != s->shape) {
        p->series =
            samples_series(facts_samples(s->ctx->facts), s->ctx->src, p->ref, "gstat", metrics, n, s->header_line);
        p->shape = s->shape;
    }
    samples_add(p->series, s->t, s->dt, values, at.line, at.text);
}

/* A row of the CSV: rows of one report have one time, and the time before it says how long the report is. */
static void csv_sample(State *s, double t, const double *v, Str name, Spot at) {
    if (isnan(s->t) || t < s->t) s->dt = NAN; /* the first report, or the clock was set back */
    else if (t > s->t) s->dt = t - s->t;
    s->t = t;
    if (!s->local_time) facts_local_time(s->ctx->facts, s->ctx->src);
    s->local_time = true;
    if (isnan(s->dt)) s->ctx->rows++;
    else sample(s, v, name, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->dt = s->t = NAN;
    Str line, name;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        double dt, time, v[COLUMNS];
        Table t;
        if (!str_trim(line).len) continue;
        if (interval_line(line, &dt)) {
            s->dt = dt > 0 && dt < 86400 ? dt : NAN;
        } else if (header(line, &t) || csv_header(line, &t)) {
            if (t.count != s->table.count || memcmp(t.metric, s->table.metric, t.count * sizeof *t.metric) != 0)
                s->shape++;
            s->table = t;
            s->have_table = true;
            s->header_line = at.line;
        } else if (s->have_table && s->table.csv && csv_row(line, &s->table, &time, v, &name)) {
            csv_sample(s, time, v, name, at);
        } else if (s->have_table && !s->table.csv && row(line, s->table.name, v, &name)) {
            sample(s, v, name, at);
        } else {
            parse_note(ctx, at, "not a row of gstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_gstat = {
    .name = "gstat", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "gstat -bdop -I 1s"};
