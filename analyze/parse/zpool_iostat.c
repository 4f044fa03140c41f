/*
 * zpool_iostat.c - rates and latencies that ZFS measures, per pool, vdev and member
 *
 * Reads   zpool iostat [-v] [-l] [-q] [-p] [-H] [-P] [-y] [-n] [-T d|u], ZFS 0.6 to 2.4; of histograms -r, those of -w are
 *         recognised and their rows counted
 * Gives   samples (tool "zpool-iostat") on pools, vdevs and members; the first report as lifetime average since import,
 *         unless -y was given; setting vdev_used_pct and vdev_class of vdevs; of -r counter (kind zfs) zpool_r.sync_write ... of a
 *         pool, with the part below 32 KiB as zpool_r.sync_write_small. zpool_r.interval: 1 of intervals, 0 since import;
 *         of -q zpool_q.syncq_write ..., the mean of pend and activ together over zpool_q.reports reports
 * Sample  OpenZFS 2.2, zpool iostat -vl -T u 1
 *   | 1720322641
 *   |                  capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait    asyncq_wait  scrub   trim  rebuild
 *   | pool           alloc   free   read  write   read  write   read  write   read  write   read  write   read  write   wait   wait     wait
 *   | -------------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -------
 *   | storage        1.27T  4.18T      0    174  3.42K  22.7M    1ms  233ms    1ms   65ms  768ns    2us      -  172ms      -      -        -
 *   |   raidz1-0     1.27T  4.18T      0    174  3.42K  22.7M    1ms  233ms    1ms   65ms  768ns    2us      -  172ms      -      -        -
 *   |     sda            -      -      0     58  1.14K  7.57M    1ms  262ms    1ms   68ms  768ns    2us      -  190ms      -      -        -
 * Sample  OpenZFS 2.1, zpool iostat -r
 *   | storage       sync_read    sync_write    async_read    async_write      scrub         trim
 *   | req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg    ind    agg
 *   | ----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
 *   | 4K           108K      0   355K      0  2.98K      0  1.98M      0    116      0      0      0
 * Varies  the columns follow from the words of the second header line, whatever the order of the options: pairs of read and
 *         write come as operations, bandwidth, total_wait, disk_wait, syncq_wait, asyncq_wait. Rates are powers of 1024 without
 *         a unit; latencies carry ns us ms s, or are plain nanoseconds with -p. "-" is no I/O of that kind, and so is the 0 of
 *         -p; alloc and free of a leaf say nothing. Values are midpoints of power-of-two buckets: a third off either way.
 *         -H prints neither header nor indentation.
 */
#include "../base/times.h"
#include "scan.h"
#include "tool_command.h"
#include "zfs_tree.h"

#include <math.h>

enum { MAX_COLUMNS = 32, MAX_SLOTS = 20000, MAX_METRICS = 17 };

/* What a column is. */
typedef enum Col { COL_SKIP, COL_RATE, COL_BYTES, COL_WAIT } Col;

typedef struct Columns {
    size_t count; /* behind the name */
    Col kind[MAX_COLUMNS];
    Metric metric[MAX_COLUMNS];
    size_t metrics; /* how many columns carry one */
    Metric list[MAX_METRICS];
    int value_at[MAX_COLUMNS]; /* index in the sample's values, -1 */
    int queue[MAX_COLUMNS];    /* from 1: which queue a column pend or activ counts; 0 none */
} Columns;

typedef struct Slot {
    struct Slot *next; /* in its hash chain */
    Str key;           /* pool, parent path and name */
    Ref ref;
    Series *series;
    uint64_t layout; /* columns the series was opened with */
    int64_t report;  /* last report it was seen in */
} Slot;

/* A host has few pools: what invents more is no table of ours. */
enum { MAX_COUNTED_POOLS = 64 };

/* Requests of one pool by their size (-r): sync_read, sync_write, async_read, async_write. */
typedef struct Sizes {
    struct Sizes *next;
    Str pool;
    double all[4], small[4];
    unsigned tables; /* read so far */
    Spot at;
} Sizes;

/* Requests of one pool that wait in a queue of ZFS or are at a member (-q), added up over the reports. */
enum { QUEUES = 4 };
typedef struct Queues {
    struct Queues *next;
    Str pool;
    double sum[QUEUES];
    unsigned reports;
    Spot at;
} Queues;

typedef struct State {
    ParseCtx *ctx;
    ToolCommand command;
    Columns columns;
    uint64_t layout;
    bool header, histogram;
    bool indented; /* some row was: then the indentation tells pools from members */
    int64_t header_line;
    size_t base_indent;
    ZfsTree tree;
    Str pool; /* whose rows are being read; empty: none yet */
    char pool_name[ZFS_MAX_PATH];
    Slot *slots[1024];
    size_t slot_count;
    Slot *order[1024]; /* slots in the order of the last report: the next row is most likely the next of them */
    size_t at;
    int64_t report; /* from 1 */
    bool stamp_pending;
    double t, last_t, dt;
    bool lifetime; /* the current report is the average since import */
    bool local, unknown_pool_said, too_many_said;
    size_t queue_pools, size_pools;
    Queues *queues;
    Sizes *sizes, *sizes_now; /* _now: whose table is being read; NULL: a vdev's, or one of -w */
} State;

/* ---------------------------------------------------------------- header */

static bool group_header(Str line) {
    return str_has(line, "capacity") && str_has(line, "operations") && str_has(line, "bandwidth");
}

static bool column_header(Str line) {
    Str w[6];
    if (str_words(line, w, 6) < 5) return false;
    return (str_is(w[0], "pool") || str_is(w[0], "vdev")) && str_is(w[1], "alloc") && str_is(w[2], "free") &&
           str_is(w[3], "read");
}

/* "tank         total_wait     disk_wait ..." and "tank   sync_read   sync_write ..." */
static bool histogram_groups(Str line) {
    return (str_has(line, "total_wait") && str_has(line, "disk_wait") && !str_has(line, "bandwidth")) ||
           (str_has(line, "sync_read") && str_has(line, "async_write"));
}

static bool histogram_header(Str line) {
    Str w[3];
    return str_words(line, w, 3) >= 3 && (str_is(w[0], "latency") || str_is(w[0], "req_size"));
}

static bool dashes(Str line) {
    size_t marks = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.p[i] == '-') marks++;
        else if (!ch_blank(line.p[i])) return false;
    }
    return marks >= 3 && str_has(line, "---");
}

static const struct {
    Col kind;
    Metric read, write;
} pairs[] = {{COL_RATE, M_r_s, M_w_s},
             {COL_BYTES, M_r_bytes_s, M_w_bytes_s},
             {COL_WAIT, M_total_wait_read_ms, M_total_wait_write_ms},
             {COL_WAIT, M_disk_wait_read_ms, M_disk_wait_write_ms},
             {COL_WAIT, M_syncq_wait_read_ms, M_syncq_wait_write_ms},
             {COL_WAIT, M_asyncq_wait_read_ms, M_asyncq_wait_write_ms}};
static const Metric single_waits[] = {M_scrub_wait_ms, M_trim_wait_ms, M_rebuild_wait_ms};

static void add_column(Columns *c, Col kind, Metric m) {
    if (c->count == MAX_COLUMNS) return;
    size_t i = c->count++;
    c->kind[i] = kind;
    c->metric[i] = m;
    c->value_at[i] = -1;
    if (m != M_NONE && c->metrics < MAX_METRICS) {
        c->value_at[i] = (int)c->metrics;
        c->list[c->metrics++] = m;
    }
}

static void read_header(Columns *c, Str line) {
    *c = (Columns){0};
    size_t reads = 0, writes = 0, waits = 0;
    int queues = 0;
    str_word(&line);
    for (Str w; (w = str_word(&line)).len;) {
        size_t known = sizeof pairs / sizeof *pairs;
        if (str_is(w, "read") && reads < known) {
            add_column(c, pairs[reads].kind, pairs[reads].read);
            reads++;
        } else if (str_is(w, "write") && writes < known) {
            add_column(c, pairs[writes].kind, pairs[writes].write);
            writes++;
        } else if (str_is(w, "wait") && waits < 3) {
            add_column(c, COL_WAIT, single_waits[waits++]);
        } else {
            if (str_is(w, "pend")) queues++;
            if (c->count < MAX_COLUMNS && (str_is(w, "pend") || str_is(w, "activ"))) c->queue[c->count] = queues;
            add_column(c, COL_SKIP, M_NONE); /* alloc free pend activ */
        }
    }
}

/* Columns of -H, which prints no header, by their number; the command settles what a number leaves open. */
static bool guess_columns(Columns *c, size_t count, const ToolCommand *cmd) {
    if (count < 6 || count > MAX_COLUMNS) return false;
    bool queues = tool_flag(cmd, 'q'), latency = tool_flag(cmd, 'l') || (!cmd->known && count > 6);
    size_t left = count - 6, waits = 0;
    if (latency) {
        size_t latency_columns;
        if (queues)
            latency_columns = left == 19   ? 9
                              : left == 22 ? 10
                              : left == 25 ? 11
                                           : 0; /* 0.7; 0.8 to 2.1; 2.2 and later */
        else latency_columns = left >= 9 && left <= 11 ? left : 0;
        if (!latency_columns) latency = false;
        else waits = latency_columns - 8;
    }
    if (!latency && left && !(left == 10 || left == 12 || left == 14)) return false;
    *c = (Columns){0};
    add_column(c, COL_SKIP, M_NONE);
    add_column(c, COL_SKIP, M_NONE);
    for (size_t i = 0; i < (latency ? 6u : 2u); i++) {
        add_column(c, pairs[i].kind, pairs[i].read);
        add_column(c, pairs[i].kind, pairs[i].write);
    }
    for (size_t i = 0; i < waits && i < 3; i++) add_column(c, COL_WAIT, single_waits[i]);
    while (c->count < count) add_column(c, COL_SKIP, M_NONE);
    return true;
}

/* ---------------------------------------------------------------- cells */

/* A latency: "65ms", "768ns", "1.2s", "-"; plain digits are nanoseconds. *out in ms, NAN for none. */
static bool wait_cell(Str s, double *out) {
    if (str_is(s, "-")) {
        *out = NAN;
        return true;
    }
    double scale = 1e-6, v;
    if (str_ends(s, "ns")) s.len -= 2;
    else if (str_ends(s, "us")) s.len -= 2, scale = 1e-3;
    else if (str_ends(s, "ms")) s.len -= 2, scale = 1;
    else if (str_ends(s, "s")) s.len -= 1, scale = 1e3;
    if (!str_double(s, &v)) return false;
    *out = v > 0 ? v * scale : NAN; /* 0: -p prints it where there was no I/O */
    return true;
}

static bool is_cell(Str s) {
    double v;
    if (str_is(s, "-")) return true;
    if (!s.len || !ch_digit(s.p[0])) return false;
    return zfs_number(s, &v) || wait_cell(s, &v);
}

/* Cells at the end of a row; how many words are no cells is *names. */
static size_t cells_of(const Str *w, size_t n, size_t *names) {
    size_t cells = 0;
    while (cells < n && is_cell(w[n - 1 - cells])) cells++;
    if (cells == n) cells--; /* a name of digits: a guid */
    *names = n - cells;
    return cells;
}

static bool stamp_line(Str line, double *t, bool *zone) {
    Str s = str_trim(line);
    if (s.len < 9 || s.len > 40) return false;
    if (ch_alpha(s.p[0]) && str_find_ch(s, ':') == SIZE_MAX) return false;
    return time_parse(s, t, zone);
}

static bool histogram_row(Str line) {
    Str w[MAX_COLUMNS + 1];
    size_t n = str_words(line, w, MAX_COLUMNS + 1);
    if (n < 3 || n > MAX_COLUMNS) return false;
    double v;
    if (!ch_digit(w[0].p[0]) || !is_cell(w[0])) return false;
    for (size_t i = 1; i < n; i++)
        if (!zfs_number(w[i], &v)) return false;
    return true;
}

static bool elided(Str line) {
    Str t = str_trim(line);
    return str_starts(t, "...") || str_is(t, "\xe2\x80\xa6") || str_is(t, "[...]");
}

/* ---------------------------------------------------------------- bidding and framing */

static int bid(Str path, Str command, Str head) {
    bool named = (path_has(path, "zpool") && (path_has(path, "iostat") || path_has(path, "hist"))) ||
                 (command_is(command, "zpool") && str_has(command, "iostat"));
    int seen = 0;
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head);
        double t;
        bool zone;
        if (!str_trim(line).len || dashes(line) || stamp_line(line, &t, &zone)) continue;
        if (group_header(line)) {
            seen += 20;
        } else if (column_header(line)) {
            seen += 16;
        } else if (histogram_groups(line)) {
            seen += 14;
        } else if (histogram_header(line)) {
            seen += 10;
        } else if (named && seen == 0) { /* -H: rows without a header */
            Str w[MAX_COLUMNS + 2];
            size_t count = str_words(line, w, MAX_COLUMNS + 2), names = 0;
            if (count > MAX_COLUMNS + 1) return 0;
            size_t cells = cells_of(w, count, &names);
            return cells >= 6 && names >= 1 ? 12 : 0;
        } else {
            if (seen) break;
            if (n > 4) return 0;
        }
    }
    return seen ? seen + (named ? 6 : 0) : 0;
}

static bool starts(Str line) {
    return group_header(line) || column_header(line) || (histogram_groups(line) && zfs_indent(line) == 0);
}

/* A cell by its characters: 12, 4.5M, 65ms, -. Numbers with decimals have a letter. */
static bool exact_cell(Str s) {
    if (str_is(s, "-")) return true;
    size_t i = 0;
    while (i < s.len && ch_digit(s.p[i])) i++;
    if (!i) return false;
    bool decimals = i < s.len && s.p[i] == '.';
    if (decimals) {
        size_t from = ++i;
        while (i < s.len && ch_digit(s.p[i])) i++;
        if (i == from) return false;
    }
    Str unit = str_from(s, i);
    if (!unit.len) return !decimals;
    if (unit.len == 1 && strchr("KMGTPEs", unit.p[0])) return true;
    return str_is(unit, "ns") || str_is(unit, "us") || str_is(unit, "ms");
}

/* A row of a table as continues() may see it: without a header. */
static bool looks_like_row(Str line) {
    /* default; -l of 0.7, 0.8, 2.2; -q of 0.7, 0.8, 2.2; both */
    static const size_t counts[] = {6, 15, 16, 17, 18, 20, 25, 28, 31};
    Str w[MAX_COLUMNS + 4];
    size_t n = str_words(line, w, MAX_COLUMNS + 4), cells = 0;
    if (n < 7 || n > MAX_COLUMNS + 3) return false;
    while (cells < n && exact_cell(w[n - 1 - cells])) cells++;
    if (cells == n) cells--;
    bool known = false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) known = known || cells == counts[i];
    if (!known || n - cells > 3) return false;
    Str name = w[0];
    size_t letters = 0, digits = 0;
    for (size_t i = 0; i < name.len; i++) {
        letters += ch_alpha(name.p[i]);
        digits += ch_digit(name.p[i]);
    }
    for (size_t i = 0; i < n - cells; i++)
        if (w[i].p[w[i].len - 1] == ':' || str_is(w[i], "=")) return false; /* "key: 1 2 3" */
    if (str_starts(name, "/sys/") || str_starts(name, "/proc/")) return false;
    return letters || (digits == name.len && digits >= 10);
}

/* "----------  -----  -----": a name and six columns or more of 5 to 15; or the line that ends a histogram. */
static bool separator(Str line) {
    Str w[MAX_COLUMNS + 1];
    size_t n = str_words(line, w, MAX_COLUMNS + 1);
    if (!dashes(line) || n > MAX_COLUMNS) return false;
    if (n == 1) return w[0].len >= 80;
    for (size_t i = 1; i < n; i++)
        if (w[i].len < 5 || w[i].len > 15) return false;
    return n >= 7;
}

static bool looks_like_histogram(Str line) {
    Str w[16];
    size_t n = str_words(line, w, 16);
    if (n < 10 || n > 15) return false;
    char unit = w[0].p[w[0].len - 1];
    if (!exact_cell(w[0]) || !(unit == 's' || unit == 'K' || unit == 'M' || str_is(w[0], "512"))) return false;
    for (size_t i = 1; i < n; i++)
        if (!exact_cell(w[i]) || str_is(w[i], "-") || w[i].p[w[i].len - 1] == 's') return false;
    return true;
}

/* What -T prints: an epoch, or weekday, date, clock and year. */
static bool stamp_of_option(Str line) {
    Str w[8];
    double t;
    bool zone;
    size_t n = str_words(line, w, 8);
    if (n == 1) return ch_digit(w[0].p[0]) && str_find_ch(w[0], '-') == SIZE_MAX && stamp_line(line, &t, &zone);
    return n >= 5 && n <= 7 && ch_alpha(w[0].p[0]) && stamp_line(line, &t, &zone);
}

static bool continues(Str line) {
    return !str_trim(line).len || separator(line) || str_is(str_trim(line), "...") || group_header(line) ||
           column_header(line) || histogram_groups(line) || histogram_header(line) || stamp_of_option(line) ||
           looks_like_row(line) || looks_like_histogram(line);
}

/* ---------------------------------------------------------------- reports */

static void begin_report(State *s, double t) {
    s->report++;
    s->at = 0;
    s->lifetime = s->report == 1 && !tool_flag(&s->command, 'y');
    s->dt = s->command.interval_s;
    if (!isnan(t)) {
        double measured = t - s->last_t;
        /* Stamps have whole seconds, and ZFS keeps to its interval: only a larger gap (a stall) is trusted more. */
        if (!isnan(measured) && measured > 0 && (isnan(s->dt) || fabs(measured - s->dt) > 1)) s->dt = measured;
        s->last_t = t;
    }
    s->t = t;
}

static Slot *find_slot(State *s, Str key) {
    if (s->at < sizeof s->order / sizeof *s->order && s->order[s->at] && str_eq(s->order[s->at]->key, key))
        return s->order[s->at];
    for (Slot *slot = s->slots[str_hash(key) % 1024]; slot; slot = slot->next)
        if (str_eq(slot->key, key)) return slot;
    return NULL;
}

static Slot *add_slot(State *s, Str key, Ref ref) {
    if (s->slot_count >= MAX_SLOTS) return NULL;
    s->slot_count++;
    Slot *slot = arena_new_of(s->ctx->scratch, Slot);
    slot->key = arena_str(s->ctx->scratch, key);
    slot->ref = ref;
    Slot **chain = &s->slots[str_hash(key) % 1024];
    slot->next = *chain;
    *chain = slot;
    return slot;
}

/* alloc and free stand first in every layout that has them. Once per pool: they hardly move while it is watched. */
static void pool_space(State *s, Ref pool, const Str *cells, Spot at) {
    double alloc, left;
    if (s->columns.count < 2 || s->columns.kind[0] != COL_SKIP || s->columns.kind[1] != COL_SKIP) return;
    if (!zfs_number(cells[0], &alloc) || !zfs_number(cells[1], &left)) return;
    double size = alloc + left;
    if (isnan(size) || size <= 0 || size > 9e18) return;
    Row r = ctx_row(s->ctx, "pool", at);
    row_ref(&r, "node", pool);
    row_text(&r, "name", s->pool);
    row_int(&r, "size_bytes", (int64_t)size);
    row_int(&r, "alloc_bytes", (int64_t)alloc);
    row_real(&r, "capacity_pct", 100 * alloc / size);
    row_done(&r);
}

/* How full a vdev is; a disk right under the pool or its class is one. */
static void vdev_space(State *s, const ZfsPlace *place, Ref vdev, const Str *cells, Spot at) {
    double alloc, left;
    bool extra = strcmp(place->in_class, "special") == 0 || strcmp(place->in_class, "dedup") == 0;
    if (!extra && strcmp(place->in_class, "data") != 0) return;
    if (s->columns.count < 2 || s->columns.kind[0] != COL_SKIP || s->columns.kind[1] != COL_SKIP) return;
    if (!zfs_number(cells[0], &alloc) || !zfs_number(cells[1], &left) || !(alloc + left > 0)) return;
    if (extra) ctx_setting(s->ctx, vdev, "vdev_class", str_of(place->in_class), "kernel", at);
    ctx_setting_real(s->ctx, vdev, "vdev_used_pct", round(1000 * alloc / (alloc + left)) / 10, "kernel", at);
}

static void add_queues(State *s, const Str *cells, Spot at) {
    const Columns *c = &s->columns;
    Queues *q = s->queues;
    bool any = false;
    for (size_t i = 0; i < c->count && !any; i++) any = c->queue[i] > 0;
    if (!any) return;
    while (q && !str_eq(q->pool, s->pool)) q = q->next;
    if (!q) {
        if (s->queue_pools == MAX_COUNTED_POOLS) return;
        s->queue_pools++;
        q = arena_new_of(s->ctx->scratch, Queues);
        q->pool = arena_str(s->ctx->scratch, s->pool);
        q->at = scan_keep(s->ctx->scratch, at);
        q->next = s->queues;
        s->queues = q;
    }
    q->reports++;
    for (size_t i = 0; i < c->count; i++) {
        double v;
        if (c->queue[i] > 0 && c->queue[i] <= QUEUES && zfs_number(cells[i], &v) && !isnan(v))
            q->sum[c->queue[i] - 1] += v;
    }
}

static void row(State *s, Str line, Str name, size_t indent, const Str *cells, Spot at) {
    ParseCtx *ctx = s->ctx;
    Columns *c = &s->columns;
    float values[MAX_METRICS];
    for (size_t i = 0; i < c->metrics; i++) values[i] = NAN;
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        double v;
        bool ok = c->kind[i] == COL_WAIT ? wait_cell(cells[i], &v) : zfs_number(cells[i], &v);
        if (!ok && c->kind[i] == COL_SKIP) ok = is_cell(cells[i]);
        if (!ok) {
            parse_note(ctx, at, "zpool iostat: \"%.*s\" is no value", STR_ARG(str_sub(cells[i], 0, 40)));
            return;
        }
        any = any || (c->kind[i] != COL_SKIP && !str_is(cells[i], "-"));
        if (c->value_at[i] >= 0) values[c->value_at[i]] = (float)v;
    }

    ZfsPlace place;
    bool is_pool = indent <= s->base_indent && !zfs_class_header(name) && !zfs_group_name(name, NULL);
    if (indent > s->base_indent) s->indented = true;
    /* With -H, and after a paste that lost the indentation, only the name tells a member from the next pool. */
    if (is_pool && !s->indented && s->pool.len && !str_eq(name, s->pool)) is_pool = !zfs_leaf_name(name);
    if (is_pool) {
        s->pool = (Str){s->pool_name, name.len < sizeof s->pool_name ? name.len : sizeof s->pool_name};
        memcpy(s->pool_name, name.p, s->pool.len);
        place = zfs_tree_pool(&s->tree, s->pool, s->base_indent);
    } else {
        if (!s->pool.len) { /* vdevs were named on the command line: their pool stands before them */
            Str pool = s->command.operand_count ? s->command.operands[0] : STR_NONE;
            if (!pool.len) {
                if (!s->unknown_pool_said)
                    parse_note(ctx, at, "a vdev whose pool is not named: \"%.*s\"", STR_ARG(name));
                s->unknown_pool_said = true;
                return;
            }
            s->pool = (Str){s->pool_name, pool.len < sizeof s->pool_name ? pool.len : sizeof s->pool_name};
            memcpy(s->pool_name, pool.p, s->pool.len);
            zfs_tree_pool(&s->tree, s->pool, indent);
        }
        place = zfs_tree_place(&s->tree, name, indent, -1);
    }
    if (place.kind == ZFS_CLASS) {
        ctx->rows++;
        return;
    }
    char key_text[ZFS_MAX_PATH * 2 + 2];
    Str parts[2] = {place.kind == ZFS_VDEV ? place.path
                    : place.parent.p       ? place.parent
                                           : STR(""),
                    place.kind == ZFS_VDEV ? STR("") : name};
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        size_t len = parts[i].len < ZFS_MAX_PATH ? parts[i].len : ZFS_MAX_PATH;
        if (len) memcpy(key_text + n, parts[i].p, len);
        n += len;
        key_text[n++] = '\n';
    }
    Str key = {key_text, n};
    Slot *slot = find_slot(s, key);
    if (!slot) {
        slot = add_slot(s, key, zfs_place_ref(ctx, &s->tree, &place));
        if (!slot) {
            parse_note(ctx, at, "more than %d pools, vdevs and members", MAX_SLOTS);
            return;
        }
        if (is_pool) pool_space(s, slot->ref, cells, at);
        else vdev_space(s, &place, slot->ref, cells, at);
        Ref parent = zfs_parent_ref(ctx, &s->tree, &place);
        bool carries = strcmp(place.in_class, "spare") != 0 && strcmp(place.in_class, "cache") != 0;
        if (parent && carries) facts_edge(ctx->facts, ctx->src, slot->ref, parent, at);
    }
    if (s->at < sizeof s->order / sizeof *s->order) s->order[s->at] = slot;
    s->at++;
    /* Without stamps a report ends where something comes again. */
    if (slot->report == s->report) {
        begin_report(s, NAN);
        s->order[0] = slot;
        s->at = 1;
    }
    slot->report = s->report;
    ctx->rows++;
    if (is_pool) add_queues(s, cells, at);
    if (!any || !c->metrics) return;
    if (s->lifetime) {
        samples_lifetime(facts_samples(ctx->facts), ctx->src, slot->ref, "zpool-iostat", "import", c->list, c->metrics,
                         values, at);
        return;
    }
    if (!slot->series || slot->layout != s->layout) {
        slot->series = samples_series(facts_samples(ctx->facts), ctx->src, slot->ref, "zpool-iostat", c->list,
                                      c->metrics, s->header_line);
        slot->layout = s->layout;
    }
    samples_add(slot->series, s->t, s->dt, values, at.line, line);
}

/* "tank   sync_read   sync_write ...": a table of request sizes begins. The first one counts since import. */
static void begin_sizes(State *s, Str line, Spot at) {
    Arena *a = s->ctx->scratch;
    Str title = line, name = str_word(&line);
    s->sizes_now = NULL;
    if (zfs_indent(title) || !name.len || zfs_group_name(name, NULL) || zfs_leaf_name(name) || zfs_class_header(name) ||
        str_is(name, "sync_read"))
        return;
    Sizes *z = s->sizes;
    while (z && !str_eq(z->pool, name)) z = z->next;
    if (!z) {
        if (s->size_pools == MAX_COUNTED_POOLS) {
            if (!s->too_many_said) parse_note(s->ctx, at, "request sizes of more than %d pools", MAX_COUNTED_POOLS);
            s->too_many_said = true;
            return;
        }
        s->size_pools++;
        z = arena_new_of(a, Sizes);
        z->pool = arena_str(a, name);
        z->at = scan_keep(a, at);
        z->next = s->sizes;
        s->sizes = z;
    } else if (z->tables == 1 && !tool_flag(&s->command, 'y')) {
        for (size_t i = 0; i < 4; i++) z->all[i] = z->small[i] = 0;
        z->at = scan_keep(a, at);
    }
    z->tables++;
    s->sizes_now = z;
}

static void sizes_row(State *s, Str line) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS);
    double size, v;
    if (!s->sizes_now || n < 9 || !zfs_number(w[0], &size)) return;
    for (size_t i = 0; i < 8; i++) { /* individual and aggregated requests: both reached a member */
        if (!zfs_number(w[1 + i], &v) || isnan(v)) continue;
        s->sizes_now->all[i / 2] += v;
        if (size < 32768) s->sizes_now->small[i / 2] += v;
    }
}

static void put_sizes(State *s) {
    static const char *const names[] = {"sync_read", "sync_write", "async_read", "async_write"};
    ParseCtx *ctx = s->ctx;
    for (const Sizes *z = s->sizes; z; z = z->next) {
        Ref pool = ctx_ref(ctx, REF_POOL, z->pool);
        for (size_t i = 0; i < 9; i++) {
            Row r = ctx_row(ctx, "counter", z->at);
            row_ref(&r, "node", pool);
            row_text(&r, "name",
                     i == 8 ? STR("zpool_r.interval")
                            : arena_strf(ctx->scratch, "zpool_r.%s%s", names[i / 2], i % 2 ? "_small" : ""));
            row_text(&r, "kind", STR("zfs"));
            row_real(&r, "value",
                     i == 8  ? z->tables > 1 || tool_flag(&s->command, 'y')
                     : i % 2 ? z->small[i / 2]
                             : z->all[i / 2]);
            row_done(&r);
        }
    }
}

static void put_queues(State *s) {
    static const char *const names[QUEUES] = {"syncq_read", "syncq_write", "asyncq_read", "asyncq_write"};
    ParseCtx *ctx = s->ctx;
    for (const Queues *q = s->queues; q; q = q->next)
        for (size_t i = 0; i <= QUEUES; i++) {
            Row r = ctx_row(ctx, "counter", q->at);
            row_ref(&r, "node", ctx_ref(ctx, REF_POOL, q->pool));
            row_text(&r, "name",
                     i == QUEUES ? STR("zpool_q.reports") : arena_strf(ctx->scratch, "zpool_q.%s", names[i]));
            row_text(&r, "kind", STR("zfs"));
            row_real(&r, "value", i == QUEUES ? q->reports : q->sum[i] / q->reports);
            row_done(&r);
        }
}

static void read_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    double t;
    bool zone = true;
    if (!str_trim(line).len || dashes(line)) return;
    if (group_header(line)) {
        s->histogram = false;
        return;
    }
    if (histogram_groups(line) || histogram_header(line)) {
        s->histogram = true;
        if (histogram_groups(line)) {
            s->sizes_now = NULL;
            if (str_has(line, "sync_read")) begin_sizes(s, line, at);
        }
        return;
    }
    if (column_header(line)) {
        uint64_t layout = str_hash(str_trim(str_from(line, zfs_indent(line) + 4)));
        if (!s->header || layout != s->layout) {
            read_header(&s->columns, line);
            s->layout = layout;
            s->header_line = at.line;
            facts_keep_line(ctx->facts, ctx->src, at); /* a series is cited by its header */
            if (!s->columns.count) parse_note(ctx, at, "a header without columns");
        }
        s->header = true;
        s->histogram = false;
        s->base_indent = zfs_indent(line);
        if (str_starts(str_trim(line), "vdev")) s->pool = STR_NONE;
        return;
    }
    if (elided(line)) {
        facts_note(ctx->facts, ctx->src, at, STR("rows were left out here"));
        return;
    }
    Str w[MAX_COLUMNS + 16];
    size_t n = str_words(line, w, MAX_COLUMNS + 16);
    if (n <= 6 && stamp_line(line, &t, &zone)) {
        if (!zone && !s->local) {
            facts_local_time(ctx->facts, ctx->src);
            s->local = true;
        }
        begin_report(s, t);
        return;
    }
    if (s->histogram) {
        if (histogram_row(line)) {
            ctx->rows++;
            sizes_row(s, line);
        } else parse_note(ctx, at, "not a row of a histogram: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        return;
    }
    size_t names = 0;
    if (n > MAX_COLUMNS + 16) n = 0;
    if (n && s->header) {
        names = n > s->columns.count ? n - s->columns.count : 0;
    } else if (n) {
        size_t cells = cells_of(w, n, &names);
        if (cells != s->columns.count) {
            if (!guess_columns(&s->columns, cells, &s->command)) names = 0;
            s->layout = cells;
            s->header_line = at.line;
        }
    }
    if (!names) {
        parse_note(ctx, at, "not a row of zpool iostat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        return;
    }
    if (!s->report) begin_report(s, NAN);
    Str name = {w[0].p, (size_t)(w[names - 1].p + w[names - 1].len - w[0].p)};
    row(s, line, name, zfs_indent(line), w + names, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->command = tool_command(ctx->command, "zpool", "iostat", "Tc");
    s->t = s->last_t = s->dt = NAN;
    zfs_tree_init(&s->tree);
    Str line;
    while (input_line(in, &line)) read_line(s, str_trim_right(line), input_spot(in));
    put_sizes(s);
    put_queues(s);
    return parse_result(ctx);
}

const Parser parser_zpool_iostat = {
    .name = "zpool-iostat",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .strict = true,
    .ask = "zpool iostat -vlpP -T u 1 61",
};
