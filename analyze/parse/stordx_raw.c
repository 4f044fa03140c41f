/*
 * stordx_raw.c - kernel counters read once a second by the collector, turned into samples
 *
 * Reads   samples/raw: blocks of "=== EPOCH", /proc/diskstats, /proc/pressure/io and memory, the first line of /proc/stat, some
 *         of /proc/vmstat. A lone /proc/diskstats is read by diskstats.c.
 * Gives   samples (tool "diskstats"): per disk rates, latencies, queue and utilisation between two readings; on the host CPU
 *         shares, swapping and the share of time in which tasks waited for I/O (PSI)
 * Sample  kernel 6.1
 *   | === 1719828000.250000000
 *   |    8       0 sda 4810 12 385032 30120 9120 210 1221640 601220 0 88120 640100 0 0 0 0 310 8760
 *   |    8       1 sda1 4700 12 380032 29120 9120 210 1221640 601220 0 88100 630340 0 0 0 0 0 0
 *   | some avg10=0.18 avg60=0.34 avg300=0.10 total=159886802
 *   | full avg10=0.18 avg60=0.34 avg300=0.10 total=159229614
 *   | cpu  41220 310 20110 812340 90120 0 910 120 0 0
 *   | pswpin 1200
 * Varies  11 figures to 4.17, 15 with discards, 17 with flushes (5.5). Sectors are 512 bytes, times ms. The ms counters are 32 bits
 *         wide and wrap; a counter that fell otherwise was reset, and that interval gives nothing. Partitions repeat what
 *         their disk counts.
 */
#include "../base/times.h"
#include "parser.h"

#include <math.h>

enum {
    MAX_DEVICES = 20000,
    BUCKETS = 512,
    ORDER = 4096,
    FIGURES = 17,
    /* pswpin and pswpout count pages; the text does not say how large. 4096 on all x86 and most ARM servers. */
    PAGE_BYTES = 4096
};

/* Documentation/admin-guide/iostats.rst, fields 1 to 17 */
enum {
    RD,
    RD_MERGED,
    RD_SECTORS,
    RD_MS,
    WR,
    WR_MERGED,
    WR_SECTORS,
    WR_MS,
    IN_FLIGHT,
    IO_MS,
    WEIGHTED_MS,
    DI,
    DI_MERGED,
    DI_SECTORS,
    DI_MS,
    FL,
    FL_MS
};

static const Metric disk_metrics[] = {M_r_s,        M_w_s,         M_d_s,         M_f_s,        M_r_bytes_s,
                                      M_w_bytes_s,  M_d_bytes_s,   M_r_await_ms,  M_w_await_ms, M_d_await_ms,
                                      M_f_await_ms, M_rareq_bytes, M_wareq_bytes, M_rrqm_s,     M_wrqm_s,
                                      M_aqu_sz,     M_util_pct};
enum { DISK_METRICS = sizeof disk_metrics / sizeof *disk_metrics };

static const Metric host_metrics[] = {M_cpu_user_pct,     M_cpu_system_pct,  M_cpu_iowait_pct,
                                      M_cpu_steal_pct,    M_cpu_idle_pct,    M_swap_in_bytes_s,
                                      M_swap_out_bytes_s, M_psi_io_some_pct, M_psi_io_full_pct};
enum { HOST_METRICS = sizeof host_metrics / sizeof *host_metrics };

typedef struct Device {
    struct Device *next;
    Str name;
    bool skipped; /* partition, loop or ram: counted as a row, no samples */
    Series *series;
    int64_t block; /* in which `last` was read */
    size_t figures;
    uint64_t last[FIGURES];
} Device;

typedef struct Host { /* counters of one block; -1 not there */
    double cpu[8], swap_in, swap_out, io_some_us, io_full_us;
    bool has_cpu;
    int64_t line; /* of the cpu line, else of the first figure */
} Host;

typedef struct State {
    ParseCtx *ctx;
    Device *buckets[BUCKETS], *order[ORDER];
    size_t device_count, at;
    int64_t block; /* from 1 */
    double t, last_t;
    bool stamped, said_reset;
    Host now, before;
    int psi_lines; /* of this block: io some, io full, memory some, memory full */
    Series *host_series;
    char host_text[256];
    size_t host_text_len;
} State;

/* ---------------------------------------------------------------- lines */

static bool block_line(Str line, double *t) {
    Str rest = str_after(line, "=== ");
    if (!rest.p) return false;
    rest = str_trim(rest);
    bool zone;
    return rest.len && ch_digit(rest.p[0]) && time_parse(rest, t, &zone) && zone;
}

static inline const char *skip(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

static inline bool number_at(const char **pp, const char *end, uint64_t *out) {
    const char *p = *pp, *start = p;
    uint64_t v = 0;
    while (p < end && ch_digit(*p)) v = v * 10 + (uint64_t)(*p++ - '0');
    if (p == start || p - start > 19 || (p < end && !ch_blank(*p))) return false;
    *out = v;
    *pp = p;
    return true;
}

/* major minor name and 4 (partitions of old kernels), 11, 15 or 17 figures. More figures of a later kernel are passed over. */
static bool diskstats_line(Str line, Str *name, uint64_t *figures, size_t *count) {
    const char *p = line.p, *end = line.p + line.len;
    uint64_t v;
    for (int i = 0; i < 2; i++) {
        p = skip(p, end);
        if (!number_at(&p, end, &v) || v > 1 << 20) return false;
    }
    p = skip(p, end);
    const char *start = p;
    while (p < end && !ch_blank(*p)) p++;
    *name = (Str){start, (size_t)(p - start)};
    if (!name->len || !ch_alpha(*start)) return false;
    *count = 0;
    while ((p = skip(p, end)) < end && *p != '\r') {
        if (!number_at(&p, end, &v)) return false;
        if (*count < FIGURES) figures[*count] = v;
        ++*count;
    }
    if (*count > FIGURES) *count = FIGURES;
    return *count == 4 || *count == 11 || *count == 15 || *count == 17;
}

static bool psi_line(Str line) {
    return (str_starts(line, "some avg10=") || str_starts(line, "full avg10=")) && str_has(line, "total=");
}

static bool counter_line(Str line, Str *key, uint64_t *value) {
    static const char *const keys[] = {"pgpgin",   "pgpgout",      "pswpin",     "pswpout",
                                       "nr_dirty", "nr_writeback", "pgmajfault", "procs_blocked"};
    Str rest = line;
    *key = str_word(&rest);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(*key, keys[i])) return str_u64(str_trim(rest), value);
    return false;
}

static bool cpu_line(Str line) {
    Str rest = str_after(line, "cpu ");
    return rest.p && str_trim(rest).len && ch_digit(str_trim(rest).p[0]);
}

static int bid(Str path, Str command, Str head) {
    double t;
    bool stamped = false;
    int disks = 0, foreign = 0;
    for (int n = 0; n < 40 && head.len; n++) {
        Str line = head_line(&head), name, key;
        uint64_t figures[FIGURES], v;
        size_t count;
        if (!str_trim(line).len) continue;
        if (n < 4 && block_line(line, &t)) stamped = true;
        else if (diskstats_line(line, &name, figures, &count)) disks += count >= 11;
        else if (!psi_line(line) && !cpu_line(line) && !counter_line(line, &key, &v)) foreign++;
        if (foreign > disks && n >= 2) return 0;
    }
    /* counters alone are diskstats.c's, unless this is the rest of the collector's file whose start is lost */
    if (!disks || (!stamped && !path_has(path, "samples/raw"))) return 0;
    return (stamped ? 30 : 36) + (path_has(path, "samples/raw") || str_has(command, "diskstats") ? 4 : 0);
}

static bool starts(Str line) {
    double t;
    return block_line(line, &t);
}

static bool continues(Str line) {
    double t;
    Str name, key;
    uint64_t figures[FIGURES], v;
    size_t count;
    return !str_trim(line).len || diskstats_line(line, &name, figures, &count) || block_line(line, &t) ||
           psi_line(line) || cpu_line(line) || counter_line(line, &key, &v);
}

/* ---------------------------------------------------------------- samples */

static Device *find_device(State *s, Str name, bool *is_new) {
    *is_new = false;
    if (s->at < ORDER && s->order[s->at] && str_eq(s->order[s->at]->name, name)) return s->order[s->at++];
    uint64_t hash = str_hash(name);
    Device *d = s->buckets[hash % BUCKETS];
    while (d && !str_eq(d->name, name)) d = d->next;
    if (!d) {
        if (s->device_count >= MAX_DEVICES) return NULL;
        s->device_count++;
        *is_new = true;
        d = arena_new_of(s->ctx->scratch, Device);
        d->name = arena_str(s->ctx->scratch, name);
        d->next = s->buckets[hash % BUCKETS];
        s->buckets[hash % BUCKETS] = d;
    }
    if (s->at < ORDER) s->order[s->at] = d;
    s->at++;
    return d;
}

static bool seen(const State *s, Str name) {
    for (const Device *d = s->buckets[str_hash(name) % BUCKETS]; d; d = d->next)
        if (str_eq(d->name, name)) return true;
    return false;
}

/* A partition follows its disk in the list: sda1 after sda, nvme0n1p2 after nvme0n1. Asking for the disk itself leaves xvda1
   alone where a virtual machine has no xvda. */
static bool partition(const State *s, Str name) {
    size_t n = name.len;
    while (n && ch_digit(name.p[n - 1])) n--;
    if (n == name.len || !n) return false;
    if (seen(s, str_sub(name, 0, n))) return true;
    return n > 1 && name.p[n - 1] == 'p' && ch_digit(name.p[n - 2]) && seen(s, str_sub(name, 0, n - 1));
}

static bool memory_device(Str name) {
    static const char *const words[] = {"loop", "ram"};
    for (size_t i = 0; i < 2; i++) {
        Str rest = str_after(name, words[i]);
        if (rest.len && ch_digit(rest.p[0])) return true;
    }
    return false;
}

/* What a counter grew by; false when it was reset. It wraps at 32 bits if the fall is more than half of them. */
static bool grown(uint64_t before, uint64_t now, double *delta) {
    if (now >= before) {
        *delta = (double)(now - before);
        return true;
    }
    if (before > UINT32_MAX || before - now < (uint64_t)1 << 31) return false;
    *delta = (double)(now + ((uint64_t)1 << 32) - before);
    return true;
}

static float per(double sum, double count) {
    return count > 0 ? (float)(sum / count) : NAN;
}

static void disk_sample(State *s, Device *d, const uint64_t *now, size_t count, double dt, Spot at) {
    double g[FIGURES];
    for (size_t i = 0; i < FIGURES; i++) g[i] = NAN;
    size_t n = count < d->figures ? count : d->figures;
    for (size_t i = 0; i < n; i++)
        if (i != IN_FLIGHT && !grown(d->last[i], now[i], &g[i])) {
            if (!s->said_reset)
                facts_note(s->ctx->facts, s->ctx->src, at,
                           STR("counters of a device fell: it was removed and came back; that interval is left out"));
            s->said_reset = true;
            return;
        }
    float v[DISK_METRICS];
    double util = 100 * g[IO_MS] / (dt * 1000);
    float values[] = {(float)(g[RD] / dt), (float)(g[WR] / dt), (float)(g[DI] / dt), (float)(g[FL] / dt),
                      (float)(g[RD_SECTORS] * 512 / dt), (float)(g[WR_SECTORS] * 512 / dt),
                      (float)(g[DI_SECTORS] * 512 / dt), per(g[RD_MS], g[RD]), per(g[WR_MS], g[WR]),
                      per(g[DI_MS], g[DI]), per(g[FL_MS], g[FL]), per(g[RD_SECTORS] * 512, g[RD]),
                      per(g[WR_SECTORS] * 512, g[WR]), (float)(g[RD_MERGED] / dt), (float)(g[WR_MERGED] / dt),
                      (float)(g[WEIGHTED_MS] / (dt * 1000)),
                      /* the reading is not at the very moment of the stamp: a full interval may come out as 100.3 */
                      (float)(util > 100 ? 100 : util)};
    _Static_assert(sizeof values / sizeof *values == DISK_METRICS, "one value per metric");
    memcpy(v, values, sizeof v);
    if (!d->series)
        d->series = samples_series(facts_samples(s->ctx->facts), s->ctx->src, ctx_ref(s->ctx, REF_DISK, d->name),
                                   "diskstats", disk_metrics, DISK_METRICS, 0);
    samples_add(d->series, s->t, dt, v, at.line, at.text);
}

static void disk_line(State *s, Str name, const uint64_t *figures, size_t count, Spot at) {
    bool is_new;
    Device *d = find_device(s, name, &is_new);
    if (!d) {
        parse_note(s->ctx, at, "more than %d devices", MAX_DEVICES);
        return;
    }
    s->ctx->rows++;
    if (is_new) d->skipped = memory_device(name) || partition(s, name);
    if (d->skipped || count < 11 || !s->stamped) return;
    double dt = s->t - s->last_t;
    /* a device that was missing in between has counted over more than one interval */
    if (d->block && d->block == s->block - 1 && dt > 0) disk_sample(s, d, figures, count, dt, at);
    memcpy(d->last, figures, count * sizeof *figures);
    d->figures = count;
    d->block = s->block;
}

static float rate(double before, double now, double dt, double scale) {
    double delta;
    if (!(before >= 0 && before < 1.8e19 && now >= 0 && now < 1.8e19) ||
        !grown((uint64_t)before, (uint64_t)now, &delta))
        return NAN;
    return (float)(delta / dt * scale);
}

static void end_block(State *s) {
    Host *b = &s->before, *n = &s->now;
    double dt = s->t - s->last_t;
    if (s->block > 1 && dt > 0 && n->line) {
        float v[HOST_METRICS];
        for (size_t i = 0; i < HOST_METRICS; i++) v[i] = NAN;
        if (n->has_cpu && b->has_cpu) {
            /* user nice system idle iowait irq softirq steal; iowait may fall, which the kernel admits */
            double d[8], total = 0;
            for (int i = 0; i < 8; i++) {
                d[i] = n->cpu[i] > b->cpu[i] ? n->cpu[i] - b->cpu[i] : 0;
                total += d[i];
            }
            if (total > 0) {
                v[0] = (float)(100 * d[0] / total);
                v[1] = (float)(100 * (d[2] + d[5] + d[6]) / total);
                v[2] = (float)(100 * d[4] / total);
                v[3] = (float)(100 * d[7] / total);
                v[4] = (float)(100 * d[3] / total);
            }
        }
        v[5] = rate(b->swap_in, n->swap_in, dt, PAGE_BYTES);
        v[6] = rate(b->swap_out, n->swap_out, dt, PAGE_BYTES);
        v[7] = rate(b->io_some_us, n->io_some_us, dt, 1e-4); /* us per s -> % */
        v[8] = rate(b->io_full_us, n->io_full_us, dt, 1e-4);
        for (size_t i = 7; i < 9; i++)
            if (v[i] > 100) v[i] = 100;
        if (!s->host_series)
            s->host_series =
                samples_series(facts_samples(s->ctx->facts), s->ctx->src, ctx_ref(s->ctx, REF_HOST, STR("host")),
                               "diskstats", host_metrics, HOST_METRICS, 0);
        samples_add(s->host_series, s->t, dt, v, n->line, (Str){s->host_text, s->host_text_len});
    }
    s->before = s->now;
}

static const Host no_host = {.swap_in = -1, .swap_out = -1, .io_some_us = -1, .io_full_us = -1};

static void host_spot(State *s, Spot at) {
    s->now.line = at.line;
    s->host_text_len = at.text.len < sizeof s->host_text ? at.text.len : sizeof s->host_text;
    memcpy(s->host_text, at.text.p, s->host_text_len);
}

static void host_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Host *n = &s->now;
    Str key;
    uint64_t value;
    if (psi_line(line)) {
        ctx->rows++;
        size_t total = str_find(line, "total=");
        Str rest = str_from(line, total + 6);
        if (!str_u64(str_trim(rest), &value)) {
            parse_note(ctx, at, "a line of /proc/pressure that is cut off");
            return;
        }
        /* io comes first, memory second: cat prints no names */
        bool some = str_starts(line, "some");
        if (some && n->io_some_us < 0 && !s->psi_lines) n->io_some_us = (double)value;
        if (!some && n->io_full_us < 0 && s->psi_lines == 1) n->io_full_us = (double)value;
        s->psi_lines++;
        if (!n->line) host_spot(s, at);
    } else if (cpu_line(line)) {
        ctx->rows++;
        Str rest = str_from(line, 4);
        int i = 0;
        for (; i < 8; i++) {
            Str w = str_word(&rest);
            if (!str_u64(w, &value)) break;
            n->cpu[i] = (double)value;
        }
        n->has_cpu = i >= 5; /* steal is missing before 2.6.11 */
        if (!n->has_cpu) parse_note(ctx, at, "the cpu line of /proc/stat is cut off");
        host_spot(s, at);
    } else if (counter_line(line, &key, &value)) {
        ctx->rows++;
        if (str_is(key, "pswpin")) n->swap_in = (double)value;
        if (str_is(key, "pswpout")) n->swap_out = (double)value;
        if (!n->line) host_spot(s, at);
    } else {
        parse_note(ctx, at, "not a line of kernel counters: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->t = s->last_t = NAN;
    s->now = s->before = no_host;
    Str line, name;
    while (input_line(in, &line)) {
        uint64_t figures[FIGURES];
        size_t count;
        double t;
        line = str_trim_right(line);
        if (!line.len) continue;
        if (diskstats_line(line, &name, figures, &count)) {
            disk_line(s, name, figures, count, input_spot(in));
        } else if (block_line(line, &t)) {
            if (s->stamped) end_block(s);
            s->stamped = true;
            s->block++;
            s->last_t = s->t;
            s->t = t;
            s->at = 0;
            s->psi_lines = 0;
            s->now = no_host;
        } else {
            host_line(s, line, input_spot(in));
        }
    }
    if (s->stamped) end_block(s);
    return parse_result(ctx);
}

const Parser parser_stordx_raw = {
    .name = "stordx-raw",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .strict = true,
    .ask = "sh stordx-collect --seconds 600",
};
