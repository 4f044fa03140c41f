/*
 * diskstats.c - the kernel's I/O counters of each block device since boot
 *
 * Reads   one /proc/diskstats, or several behind each other (blocks with "=== EPOCH" lines are the collector's: stordx_raw.c);
 *         /proc/partitions
 * Gives   counter of each device that did any I/O (kind sysfs), its latencies and request sizes since boot (lifetime, tool
 *         "diskstats"); of partitions the counters only; setting size_bytes from /proc/partitions
 * Sample  kernel 6.1
 *   |    8       0 sda 4810 12 385032 30120 9120 210 1221640 601220 0 88120 640100 0 0 0 0 310 8760
 *   |    8       1 sda1 4700 12 380032 29120 9120 210 1221640 601220 0 88100 630340 0 0 0 0 0 0
 * Varies  11 figures to 4.17, 15 with discards, 17 with flushes (5.5); partitions before 2.6.25 have 4: reads, sectors read, writes,
 *         sectors written. Sectors are 512 bytes. The times are 32 bits of milliseconds and wrap after 49.7 days of waiting
 *         requests, so that a latency since boot may come out too low, never too high
 */
#include "diskstats.h"
#include "parser.h"

#include <math.h>

enum { FIGURES = DISKSTATS_FIGURES, MAX_DEVICES = 4096, BUCKETS = 512 };

const DiskstatsFigure diskstats_figures[DISKSTATS_FIGURES] = {{"reads", NULL},
                                                              {"reads_merged", NULL},
                                                              {"read_sectors", "512 bytes"},
                                                              {"read_ms", "ms"},
                                                              {"writes", NULL},
                                                              {"writes_merged", NULL},
                                                              {"write_sectors", "512 bytes"},
                                                              {"write_ms", "ms"},
                                                              {"in_flight", NULL},
                                                              {"io_ms", "ms"},
                                                              {"weighted_io_ms", "ms"},
                                                              {"discards", NULL},
                                                              {"discards_merged", NULL},
                                                              {"discard_sectors", "512 bytes"},
                                                              {"discard_ms", "ms"},
                                                              {"flushes", NULL},
                                                              {"flush_ms", "ms"}};

typedef struct Device {
    struct Device *next;
    Str name, text; /* in scratch; text: the last reading's line */
    char text_room[FACTS_LINE_CLIP];
    int64_t line;
    size_t count;
    uint64_t v[FIGURES];
} Device;

typedef struct State {
    ParseCtx *ctx;
    Device *buckets[BUCKETS], **order;
    size_t device_count;
    bool again; /* a device came a second time */
} State;

/* major minor name and figures */
static bool diskstats_row(Str line, Str *name, uint64_t *v, size_t *count) {
    Str rest = line, w;
    uint64_t n;
    if (!str_u64(str_word(&rest), &n) || n > 1 << 20 || !str_u64(str_word(&rest), &n) || n > 1 << 20) return false;
    *name = str_word(&rest);
    if (!name->len || !ch_alpha(name->p[0])) return false;
    *count = 0;
    while ((w = str_word(&rest)).len) {
        if (!str_u64(w, &n)) return false;
        if (*count < FIGURES) v[*count] = n;
        ++*count;
    }
    if (*count > FIGURES) *count = FIGURES; /* a later kernel's */
    return *count == 4 || *count == 11 || *count == 15 || *count == FIGURES;
}

/* A row that lost its end, or has a field too few: three numbers at least say that it is one. */
static bool broken_row(Str line) {
    Str rest = line, name;
    uint64_t major, minor, n;
    if (!str_u64(str_word(&rest), &major) || !str_u64(str_word(&rest), &minor)) return false;
    name = str_word(&rest);
    if (!name.len || !ch_alpha(name.p[0])) return false;
    int numbers = 0;
    for (Str w; (w = str_word(&rest)).len; numbers++)
        if (!str_u64(w, &n)) return false;
    return numbers >= 3;
}

static bool partitions_header(Str line) {
    Str rest = line;
    return str_is(str_word(&rest), "major") && str_is(str_word(&rest), "minor") && str_is(str_word(&rest), "#blocks") &&
           str_is(str_word(&rest), "name");
}

static bool partitions_row(Str line, Str *name, uint64_t *kib) {
    Str rest = line;
    uint64_t major, minor;
    if (!str_u64(str_word(&rest), &major) || !str_u64(str_word(&rest), &minor) || !str_u64(str_word(&rest), kib))
        return false;
    *name = str_word(&rest);
    return name->len && ch_alpha(name->p[0]) && !str_trim(rest).len;
}

static int diskstats_bid(Str path, Str command, Str head) {
    int rows = 0, foreign = 0;
    for (int n = 0; n < 20 && head.len; n++) {
        Str line = head_line(&head), name;
        uint64_t v[FIGURES];
        size_t count;
        if (!str_trim(line).len) continue;
        if (str_starts(line, "=== ")) return 0; /* the collector's stamped blocks */
        if (diskstats_row(line, &name, v, &count)) rows += count >= 11;
        else if (!broken_row(line) && ++foreign > rows) return 0;
    }
    if (!rows) return 0;
    return 20 + (rows > 2 ? 4 : 0) + (path_has(path, "diskstats") || str_has(command, "diskstats") ? 6 : 0);
}

static bool diskstats_starts(Str line) {
    Str name;
    uint64_t v[FIGURES];
    size_t count;
    return diskstats_row(line, &name, v, &count) && count >= 11;
}

static bool diskstats_continues(Str line) {
    Str name;
    uint64_t v[FIGURES];
    size_t count;
    return !str_trim(line).len || diskstats_row(line, &name, v, &count) || broken_row(line);
}

static Device *find(State *s, Str name, bool *is_new) {
    uint64_t hash = str_hash(name) % BUCKETS;
    Device *d = s->buckets[hash];
    while (d && !str_eq(d->name, name)) d = d->next;
    *is_new = !d;
    if (!d && s->device_count < MAX_DEVICES) {
        d = arena_new_of(s->ctx->scratch, Device);
        d->name = arena_str(s->ctx->scratch, name);
        d->next = s->buckets[hash];
        s->buckets[hash] = d;
        s->order[s->device_count++] = d;
    }
    return d;
}

static bool known(const State *s, Str name) {
    for (const Device *d = s->buckets[str_hash(name) % BUCKETS]; d; d = d->next)
        if (str_eq(d->name, name)) return true;
    return false;
}

/* sda1 where sda is listed, nvme0n1p2 where nvme0n1 is; memory devices are no storage either. */
static bool no_drive(const State *s, Str name) {
    size_t n = name.len;
    while (n && ch_digit(name.p[n - 1])) n--;
    if (n == name.len || !n) return false;
    Str stem = str_sub(name, 0, n);
    if (str_is(stem, "loop") || str_is(stem, "ram") || str_is(stem, "zram")) return true;
    if (known(s, stem)) return true;
    return n > 1 && name.p[n - 1] == 'p' && ch_digit(name.p[n - 2]) && known(s, str_sub(name, 0, n - 1));
}

static float per(uint64_t sum, uint64_t count, double scale) {
    return count ? (float)((double)sum * scale / (double)count) : NAN;
}

static void put(State *s, const Device *d) {
    ParseCtx *ctx = s->ctx;
    Spot at = {.line = d->line, .text = d->text};
    uint64_t any = 0;
    for (size_t i = 0; i < d->count; i++) any |= d->v[i];
    if (!any) return; /* never used */
    Ref ref = ctx_ref(ctx, REF_DISK, d->name);
    static const size_t old_partition[] = {0, 2, 4, 6}; /* reads, sectors read, writes, sectors written */
    for (size_t i = 0; i < d->count; i++) {
        size_t k = d->count == 4 ? old_partition[i] : i;
        Row r = ctx_row(ctx, "counter", at);
        row_ref(&r, "node", ref);
        row_text(&r, "name", str_of(diskstats_figures[k].name));
        row_text(&r, "kind", STR("sysfs"));
        row_real(&r, "value", (double)d->v[i]);
        if (diskstats_figures[k].unit) row_text(&r, "unit", str_of(diskstats_figures[k].unit));
        row_done(&r);
    }
    if (d->count < 11 || no_drive(s, d->name)) return;
    static const Metric list[] = {M_r_await_ms, M_w_await_ms, M_d_await_ms, M_f_await_ms, M_rareq_bytes, M_wareq_bytes};
    const uint64_t *v = d->v;
    float values[] = {per(v[3], v[0], 1),   per(v[7], v[4], 1),   per(v[14], v[11], 1),
                      per(v[16], v[15], 1), per(v[2], v[0], 512), per(v[6], v[4], 512)};
    if (v[0] || v[4])
        samples_lifetime(facts_samples(ctx->facts), ctx->src, ref, "diskstats", "boot", list,
                         sizeof list / sizeof *list, values, at);
}

static ParseResult diskstats_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->order = arena_array(ctx->scratch, Device *, MAX_DEVICES);
    bool full = false;
    size_t most = 0;
    Str line, name;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t v[FIGURES] = {0};
        size_t count;
        bool is_new;
        if (!str_trim(line).len) continue;
        /* a kernel that counts discards has no short rows: that one lost its end */
        if (!diskstats_row(line, &name, v, &count) || (count == 4 && most > 11)) {
            parse_note(ctx, at, "not a row of diskstats: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        if (count > most) most = count;
        ctx->rows++;
        Device *d = find(s, name, &is_new);
        if (!d) {
            if (!full) parse_note(ctx, at, "more than %d devices", MAX_DEVICES);
            full = true;
            continue;
        }
        s->again = s->again || !is_new;
        memcpy(d->v, v, sizeof v);
        d->count = count;
        d->line = at.line;
        size_t len = at.text.len < sizeof d->text_room ? at.text.len : sizeof d->text_room;
        memcpy(d->text_room, at.text.p, len);
        d->text = (Str){d->text_room, len};
    }
    for (size_t i = 0; i < s->device_count; i++) put(s, s->order[i]);
    if (s->again)
        facts_note(ctx->facts, ctx->src, (Spot){.line = s->order[0]->line},
                   STR("several readings without a time between them: rates cannot be told, the last one counts"));
    return parse_result(ctx);
}

const Parser parser_diskstats = {
    .name = "diskstats",
    .bid = diskstats_bid,
    .starts = diskstats_starts,
    .continues = diskstats_continues,
    .parse = diskstats_parse,
    .strict = true,
    .ask = "cat /proc/diskstats",
};

/* ---------------------------------------------------------------- /proc/partitions */

static int partitions_bid(Str path, Str command, Str head) {
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (!partitions_header(line)) return 0;
        return 26 + (path_has(path, "partitions") || str_has(command, "partitions") ? 6 : 0);
    }
    return 0;
}

static bool partitions_continues(Str line) {
    Str name;
    uint64_t kib;
    return !str_trim(line).len || partitions_header(line) || partitions_row(line, &name, &kib);
}

static ParseResult partitions_parse(ParseCtx *ctx, Input *in) {
    Str line, name;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t kib;
        if (!str_trim(line).len || partitions_header(line)) continue;
        if (!partitions_row(line, &name, &kib) || kib > (uint64_t)1 << 52) {
            parse_note(ctx, at, "not a row of /proc/partitions: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        ctx_setting_int(ctx, ctx_ref(ctx, REF_DISK, name), "size_bytes", (int64_t)(kib * 1024), "kernel", at);
    }
    return parse_result(ctx);
}

const Parser parser_partitions = {
    .name = "partitions",
    .bid = partitions_bid,
    .starts = partitions_header,
    .continues = partitions_continues,
    .parse = partitions_parse,
    .ask = "cat /proc/partitions",
};
