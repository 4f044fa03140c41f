/*
 * iostat.c - rates and latencies of block devices as sysstat measures them
 *
 * Reads   iostat in every form of sysstat 7 to 12.7: basic and -x, -s, kB, MB and sectors, --human, --pretty (device last, -x in
 *         up to four tables), -t with any date, decimal commas, -o JSON; FreeBSD's iostat -x
 * Gives   samples (tool "iostat") per device, and of the CPU on the host; the first report as lifetime average since boot,
 *         unless -y was given; setting cpus of the host
 * Sample  sysstat 12.6, S_TIME_FORMAT=ISO iostat -xt 1
 *   | Linux 6.1.0-18-amd64 (nas) 	2024-07-01 	_x86_64_	(4 CPU)
 *   |
 *   | 2024-07-01T12:00:00+0200
 *   | avg-cpu:  %user   %nice %system %iowait  %steal   %idle
 *   |            1.49    0.00    1.67   40.94    0.00   55.90
 *   |
 *   | Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
 *   | sda              6.90    222.14     0.39   5.38   12.58    32.21   95.20   4200.00     1.36  44.55   45.60    44.12    4.38  99.20
 * Varies  columns are found by their header only. kB are KiB, MB are MiB, sectors 512 bytes; avgrq-sz counts sectors, the
 *         ...req-sz columns kB. A 0.00 latency beside 0.00 operations is no measurement. -z and --compact leave devices out.
 *         Nothing in the text tells -y; without the command line the first report counts as the one since boot.
 */
#include "../base/times.h"
#include "json.h"
#include "parser.h"
#include "tool_command.h"

#include <math.h>

enum { MAX_COLUMNS = 32, MAX_DEVICES = 20000, ORDER = 4096, BUCKETS = 1024, JSON_LIMIT = 16 * 1024 * 1024 };

/* ---------------------------------------------------------------- columns */

typedef struct Column {
    Metric metric; /* M_NONE: read and passed over */
    double scale;  /* printed value times this is the metric's unit */
    int value_at;  /* index in the sample's values, -1 */
    bool bytes;    /* a letter behind the number (--human) gives the unit instead of the header */
} Column;

/* A latency or size counts only where the operations it is an average of took place. */
typedef struct Guard {
    int value, ops[2]; /* indices of values; ops -1: none */
} Guard;

typedef struct Layout {
    size_t count;
    Column column[MAX_COLUMNS];
    bool device_last, partial; /* partial: one of several tables of a report */
    uint64_t hash;             /* of the header's words */
    uint64_t key;              /* of the columns a series has: the tables of one report share one */
    size_t indent;             /* of the header; rows further in are sums over groups (-g) */
    size_t metrics;
    Metric list[MAX_COLUMNS];
    Guard guard[MAX_COLUMNS];
    size_t guards;
    int64_t header_line;
} Layout;

static const struct {
    const char *name;
    Metric metric;
    double scale; /* 0: the unit stands in the name and is multiplied in below */
} names[] = {{"r/s", M_r_s, 1},
             {"w/s", M_w_s, 1},
             {"d/s", M_d_s, 1},
             {"f/s", M_f_s, 1},
             {"tps", M_io_s, 1},
             {"r_await", M_r_await_ms, 1},
             {"w_await", M_w_await_ms, 1},
             {"d_await", M_d_await_ms, 1},
             {"f_await", M_f_await_ms, 1},
             {"await", M_await_ms, 1},
             {"avgqu-sz", M_aqu_sz, 1},
             {"aqu-sz", M_aqu_sz, 1},
             {"rareq-sz", M_rareq_bytes, 1024},
             {"wareq-sz", M_wareq_bytes, 1024},
             {"areq-sz", M_areq_bytes, 1024},
             {"avgrq-sz", M_areq_bytes, 512},
             {"rrqm/s", M_rrqm_s, 1},
             {"wrqm/s", M_wrqm_s, 1},
             {"%util", M_util_pct, 1},
             {"util", M_util_pct, 1},     /* JSON */
             {"kr/s", M_r_bytes_s, 1024}, /* FreeBSD from here */
             {"kw/s", M_w_bytes_s, 1024},
             {"ms/r", M_r_await_ms, 1},
             {"ms/w", M_w_await_ms, 1},
             {"ms/t", M_await_ms, 1},
             {"svc_t", M_await_ms, 1}, /* 10 and older: what later is ms/t */
             {"%b", M_util_pct, 1}};

static const struct {
    const char *head, *tail; /* around the unit */
    Metric metric;
} volumes[] = {{"r", "/s", M_r_bytes_s},
               {"w", "/s", M_w_bytes_s},
               {"d", "/s", M_d_bytes_s},
               {"", "_read/s", M_r_bytes_s},
               {"", "_wrtn/s", M_w_bytes_s},
               {"", "_dscd/s", M_d_bytes_s},
               /* keys of the JSON of 11.5.1 to 11.5.6 */
               {"", "_read_per_sec", M_r_bytes_s},
               {"", "_wrtn_per_sec", M_w_bytes_s},
               {"r", "", M_r_bytes_s},
               {"w", "", M_w_bytes_s}};

static double unit_scale(Str u) {
    if (str_is(u, "kB")) return 1024;
    if (str_is(u, "MB")) return 1024 * 1024;
    if (str_is(u, "GB")) return 1024.0 * 1024 * 1024;
    if (str_is(u, "sec") || str_is(u, "Blk")) return 512;
    return 0;
}

static Column column_of(Str word) {
    Column c = {.metric = M_NONE, .scale = 1, .value_at = -1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(word, names[i].name)) {
            c.metric = names[i].metric;
            c.scale = names[i].scale;
            c.bytes = c.scale > 1;
            return c;
        }
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++) {
        size_t head = strlen(volumes[i].head), tail = strlen(volumes[i].tail);
        if (word.len <= head + tail || !str_starts(word, volumes[i].head) || !str_ends(word, volumes[i].tail)) continue;
        double scale = unit_scale(str_sub(word, head, word.len - head - tail));
        if (scale == 0) continue;
        c.metric = volumes[i].metric;
        c.scale = scale;
        c.bytes = true;
        return c;
    }
    /* kB/s and kB_w+d/s mix directions, svctm is no service time, the rest are shares of merges and totals */
    return c;
}

static int value_of(const Layout *l, Metric m) {
    for (size_t i = 0; i < l->metrics; i++)
        if (l->list[i] == m) return (int)i;
    return -1;
}

static void finish_layout(Layout *l) {
    static const struct {
        Metric value, a, b;
    } rules[] = {{M_r_await_ms, M_r_s, M_NONE}, {M_w_await_ms, M_w_s, M_NONE},  {M_d_await_ms, M_d_s, M_NONE},
                 {M_f_await_ms, M_f_s, M_NONE}, {M_rareq_bytes, M_r_s, M_NONE}, {M_wareq_bytes, M_w_s, M_NONE},
                 {M_await_ms, M_r_s, M_w_s},    {M_areq_bytes, M_r_s, M_w_s},   {M_await_ms, M_io_s, M_NONE},
                 {M_areq_bytes, M_io_s, M_NONE}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules && l->guards < MAX_COLUMNS; i++) {
        Guard g = {value_of(l, rules[i].value),
                   {value_of(l, rules[i].a), rules[i].b == M_NONE ? -1 : value_of(l, rules[i].b)}};
        if (g.value >= 0 && (g.ops[0] >= 0 || g.ops[1] >= 0)) l->guard[l->guards++] = g;
    }
}

static void add_metric(Layout *l, Column *c) {
    if (c->metric == M_NONE) return;
    int at = value_of(l, c->metric);
    if (at < 0 && l->metrics < MAX_COLUMNS) {
        at = (int)l->metrics;
        l->list[l->metrics++] = c->metric;
    }
    c->value_at = at;
}

static bool device_word(Str w) {
    return str_is(w, "Device:") || str_is(w, "Device") || str_is(w, "device");
}

/* Words of a device header, "Device" first or last. Gives how many columns there are besides; 0: no header. */
static size_t header_words(Str line, Str *w, bool *last) {
    size_t n = str_words(line, w, MAX_COLUMNS + 1);
    if (n < 4 || n > MAX_COLUMNS + 1) return 0;
    bool first = device_word(w[0]);
    *last = !first && device_word(w[n - 1]);
    if (!first && !*last) return 0;
    if (first) memmove(w, w + 1, (n - 1) * sizeof *w);
    size_t known = 0;
    for (size_t i = 0; i + 1 < n; i++) known += column_of(w[i]).metric != M_NONE;
    return known >= 2 ? n - 1 : 0;
}

static bool read_header(Str line, int64_t number, Layout *l) {
    Str w[MAX_COLUMNS + 1];
    bool last;
    size_t n = header_words(line, w, &last);
    if (!n) return false;
    *l = (Layout){.count = n, .device_last = last, .header_line = number};
    l->hash = 14695981039346656037u;
    bool reads = false, writes = false, whole = false;
    for (size_t i = 0; i < n; i++) {
        l->column[i] = column_of(w[i]);
        l->hash = (l->hash ^ str_hash(w[i])) * 1099511628211u;
        reads = reads || l->column[i].metric == M_r_s;
        writes = writes || l->column[i].metric == M_w_s;
        whole = whole || l->column[i].metric == M_io_s;
    }
    /* --pretty -x: reads, writes, discards, the rest */
    l->partial = last && !whole && !(reads && writes);
    l->key = l->partial ? 1 : l->hash;
    while (l->indent < line.len && ch_blank(line.p[l->indent])) l->indent++;
    if (l->partial) {
        static const Metric all[] = {M_r_s,        M_r_bytes_s, M_rrqm_s,     M_r_await_ms,  M_rareq_bytes, M_w_s,
                                     M_w_bytes_s,  M_wrqm_s,    M_w_await_ms, M_wareq_bytes, M_d_s,         M_d_bytes_s,
                                     M_d_await_ms, M_f_s,       M_f_await_ms, M_aqu_sz,      M_util_pct};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) l->list[l->metrics++] = all[i];
    }
    for (size_t i = 0; i < n; i++) add_metric(l, &l->column[i]);
    finish_layout(l);
    return true;
}

/* ---------------------------------------------------------------- cells */

typedef struct Cell {
    double value;
    char unit; /* letter or % behind the number; 0 none */
} Cell;

/* One number at *p, which moves behind it; ends at a blank or the end. The integer and the decimals are gathered in one
   integer, so that a cell costs a multiplication and no library call. */
static inline bool cell_at(const char **pp, const char *end, Cell *out) {
    static const double tenth[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    const char *p = *pp, *start = p;
    uint64_t v = 0;
    unsigned digit;
    while (p < end && (digit = (unsigned)(*p - '0')) < 10) v = v * 10 + digit, p++;
    size_t whole = (size_t)(p - start), decimals = 0;
    if (p < end && (*p == '.' || *p == ',')) {
        const char *point = ++p;
        while (p < end && (digit = (unsigned)(*p - '0')) < 10) v = v * 10 + digit, p++;
        decimals = (size_t)(p - point);
        if (!decimals) return false;
    }
    if (!whole) {
        /* A counter that wrapped or an interval of no length prints "nan" or "inf": nothing is known, and the row goes on. */
        const char *q = start + (start < end && *start == '-');
        if (end - q < 3 || (memcmp(q, "nan", 3) != 0 && memcmp(q, "inf", 3) != 0) || (end - q > 3 && !ch_blank(q[3])))
            return false;
        *pp = q + 3;
        *out = (Cell){.value = NAN};
        return true;
    }
    if (whole + decimals > 18 || decimals >= sizeof tenth / sizeof *tenth) return false;
    out->value = (double)v * tenth[decimals]; /* goes into a float: the product's last bit does not matter */
    out->unit = 0;
    if (p < end && !ch_blank(*p)) {
        out->unit = *p++;
        if (out->unit != '%' && !ch_alpha(out->unit)) return false;
        if (p < end && !ch_blank(*p)) return false;
    }
    *pp = p;
    return true;
}

static double human_scale(char unit) {
    switch (unit) {
    case 'B': return 1;
    case 'k': return 1024;
    case 'M': return 1048576;
    case 'G': return 1073741824;
    case 'T': return 1099511627776;
    case 'P': return 1125899906842624;
    case '%': return 0;
    default: return -1;
    }
}

static inline const char *skip_blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

/* The cells of a row, from *pp on, into values. */
static inline bool read_cells(const Layout *l, const char **pp, const char *end, float *values) {
    const char *p = *pp;
    for (size_t i = 0; i < l->count; i++) {
        p = skip_blanks(p, end);
        const Column *c = &l->column[i];
        if (c->value_at < 0) { /* nobody wants it: it only has to start like a number */
            Cell unwanted;
            if (p == end || (!ch_digit(*p) && !cell_at(&p, end, &unwanted)))
                return false; /* nan and inf are cells, too */
            while (p < end && !ch_blank(*p)) p++;
            continue;
        }
        Cell cell;
        if (!cell_at(&p, end, &cell)) return false;
        double scale = c->scale;
        if (cell.unit) {
            double letter = human_scale(cell.unit);
            if (letter < 0) return false;
            if (letter > 0 && c->bytes) scale = letter;
        }
        values[c->value_at] = (float)(cell.value * scale);
    }
    *pp = skip_blanks(p, end);
    return true;
}

/* false: not a row of this layout; *name and values are then undefined. held: the name stood on a line of its own. */
static inline bool read_row(const Layout *l, Str line, Str held, Str *name, float *values) {
    const char *p = line.p, *end = line.p + line.len;
    p = skip_blanks(p, end);
    *name = held;
    if (!l->device_last && !held.len) {
        const char *start = p;
        while (p < end && !ch_blank(*p)) p++;
        *name = (Str){start, (size_t)(p - start)};
        if (!name->len || device_word(*name)) return false;
    }
    if (!read_cells(l, &p, end, values)) return false;
    if (l->device_last) {
        const char *start = p;
        while (p < end && !ch_blank(*p)) p++;
        *name = (Str){start, (size_t)(p - start)};
        p = skip_blanks(p, end);
        if (!name->len) return false;
    }
    return p == end || *p == '\r';
}

static void apply_guards(const Layout *l, float *values) {
    for (size_t i = 0; i < l->guards; i++) {
        const Guard *g = &l->guard[i];
        /* r/s may round to 0.00 where a latency proves that there were some: only both at zero mean none. */
        if (values[g->value] > 0) continue;
        float ops = 0;
        for (int k = 0; k < 2; k++)
            if (g->ops[k] >= 0 && values[g->ops[k]] > 0) ops = 1;
        if (!(ops > 0)) values[g->value] = NAN;
    }
}

/* ---------------------------------------------------------------- lines that are no rows */

/* Linux 6.1.0-18-amd64 (host)  2024-07-01  _x86_64_  (4 CPU) */
static bool banner(Str line, Str *date) {
    if (!str_starts(line, "Linux ")) return false;
    size_t open = str_find_ch(line, '('), close = str_find_ch(line, ')');
    if (open == SIZE_MAX || close == SIZE_MAX || close < open) return false;
    Str rest = str_trim(str_from(line, close + 1));
    if (str_ends(rest, "CPU)")) {
        size_t arch = str_find_ch(rest, '_');
        if (arch == SIZE_MAX) arch = str_rfind_ch(rest, '(');
        *date = str_trim(str_sub(rest, 0, arch));
        return true;
    }
    double t;
    *date = rest;
    return time_parse(rest, &t, NULL); /* before 8.1 nothing follows the date */
}

static bool cpu_header(Str line) {
    return str_starts(str_trim_left(line), "avg-cpu:");
}

/* "07/01/2024 12:00:00 PM", "Time: 03:49:57 PM" */
static bool stamp(Str line, DateOrder order, double *t, bool *zone, double *clock) {
    Str s = str_trim(line);
    Str time = str_after(s, "Time: ");
    *clock = NAN;
    if (time.p) return time_parse_clock(time, clock);
    if (s.len < 8 || s.len > 48 || !ch_digit(s.p[0])) return false;
    if (str_find_ch(s, ':') == SIZE_MAX && !str_has(s, "\xe6\x97\xa5")) return false;
    return time_parse_order(s, order, t, zone);
}

static bool cpu_numbers(Str line, size_t *count, Cell *cells) {
    const char *p = line.p, *end = line.p + line.len;
    *count = 0;
    bool decimal = false;
    while ((p = skip_blanks(p, end)) < end && *p != '\r') {
        const char *start = p;
        if (*count == 8 || !cell_at(&p, end, &cells[*count])) return false;
        for (; start < p; start++) decimal = decimal || *start == '.' || *start == ',';
        ++*count;
    }
    return *count >= 4 && decimal;
}

/* A row of some device table, for continues(): it sees no header. */
static bool looks_like_row(Str line) {
    Str w[MAX_COLUMNS + 2];
    size_t n = str_words(line, w, MAX_COLUMNS + 2);
    if (n < 5 || n > MAX_COLUMNS + 1) return false;
    size_t first = 1, last = n;
    Cell cell;
    const char *p = w[0].p;
    if (cell_at(&p, w[0].p + w[0].len, &cell) && p == w[0].p + w[0].len) { /* device last */
        first = 0;
        last = n - 1;
        p = w[last].p;
        if (cell_at(&p, w[last].p + w[last].len, &cell)) return false;
    }
    Str name = first ? w[0] : w[n - 1];
    if (str_find_ch(name, ':') != SIZE_MAX || !ch_alnum(name.p[0]) || name.len > 128) return false;
    bool decimal = false, letter = false;
    for (size_t i = first; i < last; i++) {
        p = w[i].p;
        const char *end = w[i].p + w[i].len;
        if (!cell_at(&p, end, &cell) || p != end) return false;
        letter = letter || cell.unit;
        if (i == first) {
            decimal = str_find_ch(w[i], '.') != SIZE_MAX || str_find_ch(w[i], ',') != SIZE_MAX;
            if (cell.unit) return false; /* rates of operations carry no letter */
        }
    }
    /* --dec=0 prints integers only; then at least no letters, and a name that could be a device's */
    return decimal || (!letter && first == 1 && n >= 6 && ch_alpha(name.p[0]));
}

static bool json_start(Str line) {
    return str_starts(str_trim(line), "{\"sysstat\"");
}

static int bid(Str path, Str command, Str head) {
    bool named = (path_has(path, "iostat") && !path_has(path, "zpool")) || command_is(command, "iostat");
    int bits = named ? 6 : 0;
    if (json_looks(head)) {
        if (!str_has(head, "\"sysstat\"")) return 0;
        return str_has(head, "\"disk_device\"") || str_has(head, "\"avg-cpu\"") ? 26 + bits : 0;
    }
    bool saw_banner = false, saw_cpu = false;
    int foreign = 0;
    for (int n = 0; n < 60 && head.len; n++) {
        Str line = head_line(&head), date, w[MAX_COLUMNS + 1];
        bool last, zone;
        double t, clock;
        Cell cells[8];
        size_t count;
        if (!str_trim(line).len || stamp(line, DATE_MONTH_FIRST, &t, &zone, &clock)) continue;
        if (banner(line, &date)) {
            saw_banner = true;
        } else if (cpu_header(line)) {
            saw_cpu = true;
        } else if (header_words(line, w, &last)) {
            return 20 + (saw_banner ? 6 : 0) + (saw_cpu ? 6 : 0) + bits;
        } else if (str_starts(line, "sysstat version ")) {
            return named ? 8 : foreign ? 0 : 4;
        } else if (str_starts(line, "POSIXLY_CORRECT=") || str_starts(line, "S_")) {
            continue; /* what stands above it */
        } else if (str_has(line, "extended device statistics")) {
            return 16 + bits;
        } else if (!cpu_numbers(line, &count, cells)) {
            if (++foreign > 6 || saw_banner) break;
        }
    }
    if (saw_cpu) return 18 + (saw_banner ? 6 : 0) + bits;
    return 0;
}

static bool starts(Str line) {
    Str date, w[MAX_COLUMNS + 1];
    bool last;
    return cpu_header(line) || header_words(line, w, &last) || json_start(line) || banner(line, &date) ||
           str_starts(str_trim_left(line), "extended device statistics");
}

static bool continues(Str line) {
    Str w[MAX_COLUMNS + 1];
    bool last, zone;
    double t, clock;
    Cell cells[8];
    size_t count;
    return !str_trim(line).len || cpu_header(line) || looks_like_row(line) || cpu_numbers(line, &count, cells) ||
           header_words(line, w, &last) || stamp(line, DATE_MONTH_FIRST, &t, &zone, &clock) ||
           str_has(line, "extended device statistics");
}

/* ---------------------------------------------------------------- reports */

typedef struct Device {
    struct Device *next; /* in its hash chain */
    Str name;
    Ref ref;
    Series *series;
    uint64_t layout; /* hash of the header the series was opened with */
    bool pending;    /* values wait for the other tables of the report */
    float values[MAX_COLUMNS];
    int64_t line;
    char text[FACTS_LINE_CLIP];
    size_t text_len;
} Device;

typedef struct State {
    ParseCtx *ctx;
    ToolCommand command;
    Layout layout;
    bool have_layout;
    char header_text[512];
    size_t header_len;
    Device *buckets[BUCKETS], *order[ORDER];
    size_t device_count, at;
    Device *pending[ORDER];
    size_t pending_count;
    Str cpu_words[8];
    char cpu_text[256];
    size_t cpu_count;
    bool cpu_next;
    Series *cpu_series;
    Ref host;
    int64_t report;        /* of this run, from 1 */
    bool stamped, has_cpu; /* parts of the current report seen so far */
    bool has_table, has_devices;
    uint64_t tables[8]; /* headers seen in the current report */
    size_t table_count;
    bool lifetime, local, too_many;
    char held_name[128]; /* -h before 11.5 prints a long name on a line of its own */
    Str held;
    DateOrder order_of_dates;
    double t, last_t, dt, date; /* date: of the banner, for "Time:" lines */
} State;

/* Kernel names are short and without '-' (but dm-3); with -j iostat prints names under /dev/disk. */
static Ref device_ref(ParseCtx *ctx, Str name) {
    bool link = str_starts(name, "ata-") || str_starts(name, "wwn-") || str_starts(name, "scsi-") ||
                str_starts(name, "nvme-") || str_starts(name, "usb-") || str_starts(name, "pci-") ||
                str_starts(name, "virtio-") || str_starts(name, "mmc-") ||
                (name.len == 36 && name.p[8] == '-' && name.p[13] == '-');
    return ctx_ref(ctx, link ? REF_LINK : REF_DISK, name);
}

/* What the banner says of the host: its CPUs, for a share of iowait means little without them. */
static void banner_facts(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    size_t open = str_rfind_ch(line, '(');
    double n;
    if (!str_ends(str_trim(line), "CPU)") || open == SIZE_MAX ||
        !str_double(str_sub(str_from(line, open + 1), 0, str_find_ch(str_from(line, open + 1), ' ')), &n) || n < 1 ||
        n > 65536)
        return;
    if (!s->host) s->host = ctx_ref(ctx, REF_HOST, STR("host"));
    ctx_setting_int(ctx, s->host, "cpus", (int64_t)n, "kernel", at);
}

static Device *find_device(State *s, Str name) {
    if (s->at < ORDER && s->order[s->at] && str_eq(s->order[s->at]->name, name)) return s->order[s->at++];
    uint64_t hash = str_hash(name);
    Device *d = s->buckets[hash % BUCKETS];
    while (d && !str_eq(d->name, name)) d = d->next;
    if (!d) {
        if (s->device_count >= MAX_DEVICES) return NULL;
        s->device_count++;
        d = arena_new_of(s->ctx->scratch, Device);
        d->name = arena_str(s->ctx->scratch, name);
        d->ref = device_ref(s->ctx, name);
        d->next = s->buckets[hash % BUCKETS];
        s->buckets[hash % BUCKETS] = d;
    }
    if (s->at < ORDER) s->order[s->at] = d;
    s->at++;
    return d;
}

static void emit(State *s, Device *d, const float *values, Spot at) {
    ParseCtx *ctx = s->ctx;
    Samples *samples = facts_samples(ctx->facts);
    const Layout *l = &s->layout;
    if (s->lifetime) {
        samples_lifetime(samples, ctx->src, d->ref, "iostat", "boot", l->list, l->metrics, values, at);
        return;
    }
    if (!d->series || d->layout != l->key) {
        /* a series is cited by its header; JSON has none, so there by its first row */
        int64_t line = at.path.p ? facts_keep_line(ctx->facts, ctx->src, at) : l->header_line;
        d->series = samples_series(samples, ctx->src, d->ref, "iostat", l->list, l->metrics, line);
        d->layout = l->key;
    }
    samples_add(d->series, s->t, s->dt, values, at.line, at.text);
}

/* The rows of a report in several tables are complete when the next report begins. */
static void flush_pending(State *s) {
    for (size_t i = 0; i < s->pending_count; i++) {
        Device *d = s->pending[i];
        d->pending = false;
        apply_guards(&s->layout, d->values);
        emit(s, d, d->values, (Spot){.line = d->line, .text = {d->text, d->text_len}});
    }
    s->pending_count = 0;
}

static void begin_report(State *s, double t) {
    flush_pending(s);
    s->report++;
    s->lifetime = s->report == 1 && !tool_flag(&s->command, 'y');
    s->stamped = !isnan(t);
    s->has_cpu = s->has_devices = false;
    s->table_count = 0;
    s->at = 0;
    s->dt = s->command.interval_s;
    if (!isnan(t)) {
        double measured = t - s->last_t;
        if (!isnan(measured) && measured > 0 && (isnan(s->dt) || fabs(measured - s->dt) > 1)) s->dt = measured;
        s->last_t = t;
    }
    s->t = t;
}

static void begin_run(State *s, Str date) {
    flush_pending(s);
    s->report = 0;
    s->has_cpu = s->has_devices = s->stamped = false;
    s->table_count = 0;
    s->t = s->last_t = s->dt = NAN;
    if (time_is_day_first(date)) s->order_of_dates = DATE_DAY_FIRST;
    double t;
    s->date = time_parse_order(date, s->order_of_dates, &t, NULL) ? t : NAN;
}

static void cpu_row(State *s, const Cell *cells, size_t count, Spot at) {
    static const struct {
        const char *word;
        Metric metric;
    } known[] = {{"%user", M_cpu_user_pct},     {"%system", M_cpu_system_pct}, {"%sys", M_cpu_system_pct},
                 {"%iowait", M_cpu_iowait_pct}, {"%steal", M_cpu_steal_pct},   {"%idle", M_cpu_idle_pct}};
    ParseCtx *ctx = s->ctx;
    Metric list[8];
    float values[8];
    size_t n = 0;
    for (size_t i = 0; i < count && i < s->cpu_count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (str_is(s->cpu_words[i], known[k].word)) {
                list[n] = known[k].metric;
                values[n++] = (float)cells[i].value;
            }
    ctx->rows++;
    if (!n) return;
    bool none = true; /* all zero: the counters did not move */
    for (size_t i = 0; i < n; i++) none = none && !(values[i] > 0);
    if (none) return;
    if (!s->host) s->host = ctx_ref(ctx, REF_HOST, STR("host"));
    if (s->lifetime) {
        samples_lifetime(facts_samples(ctx->facts), ctx->src, s->host, "iostat", "boot", list, n, values, at);
        return;
    }
    if (!s->cpu_series)
        s->cpu_series = samples_series(facts_samples(ctx->facts), ctx->src, s->host, "iostat", list, n,
                                       at.path.p ? facts_keep_line(ctx->facts, ctx->src, at) : at.line - 1);
    samples_add(s->cpu_series, s->t, s->dt, values, at.line, at.text);
}

static void device_row(State *s, Str line, Str name, float *values, Spot at) {
    ParseCtx *ctx = s->ctx;
    Device *d = find_device(s, name);
    if (!d) {
        if (!s->too_many) parse_note(ctx, at, "more than %d devices", MAX_DEVICES);
        s->too_many = true;
        return;
    }
    s->has_devices = true;
    ctx->rows++;
    if (!s->layout.partial) {
        apply_guards(&s->layout, values);
        emit(s, d, values, at);
        return;
    }
    if (!d->pending) {
        if (s->pending_count == ORDER) flush_pending(s);
        s->pending[s->pending_count++] = d;
        d->pending = true;
        for (size_t i = 0; i < MAX_COLUMNS; i++) d->values[i] = NAN;
        d->line = 0;
    }
    bool writes = false;
    for (size_t i = 0; i < s->layout.count; i++) {
        const Column *c = &s->layout.column[i];
        if (c->value_at >= 0) d->values[c->value_at] = values[c->value_at];
        writes = writes || c->metric == M_w_s;
    }
    if (!d->line || writes) { /* evidence: the row with the write latency, where there is one */
        d->line = at.line;
        d->text_len = line.len < sizeof d->text ? line.len : sizeof d->text;
        memcpy(d->text, line.p, d->text_len);
    }
}

static void header_line(State *s, const Layout *l) {
    bool again = false;
    for (size_t i = 0; i < s->table_count; i++) again = again || s->tables[i] == l->hash;
    /* Without a stamp or a CPU block it is the repeated header that tells where the next report begins. */
    if (!s->report || again) begin_report(s, NAN);
    if (!s->have_layout || s->layout.hash != l->hash || s->layout.device_last != l->device_last) {
        bool same_report = s->have_layout && s->layout.key == l->key; /* tables of one report share their metrics */
        int64_t first = s->layout.header_line;
        if (!same_report) flush_pending(s);
        s->layout = *l;
        if (same_report) s->layout.header_line = first;
        s->have_layout = true;
    }
    if (s->table_count < sizeof s->tables / sizeof *s->tables) s->tables[s->table_count++] = l->hash;
    s->at = 0;
    s->held.len = 0;
}

static void other_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str date;
    double t = NAN, clock = NAN;
    bool zone = true;
    Layout l;
    /* Long series repeat one header for every report. */
    if (s->header_len && !s->layout.partial && str_eq(line, (Str){s->header_text, s->header_len})) {
        s->cpu_next = false;
        header_line(s, &s->layout);
        return;
    }
    if (read_header(line, at.line, &l)) {
        s->cpu_next = false;
        s->header_len = line.len <= sizeof s->header_text ? line.len : 0;
        memcpy(s->header_text, line.p, s->header_len);
        facts_keep_line(ctx->facts, ctx->src, at); /* a series is cited by its header */
        header_line(s, &l);
        return;
    }
    if (cpu_header(line)) {
        if (!s->report || s->has_cpu || s->has_devices) begin_report(s, NAN);
        s->has_cpu = true;
        s->cpu_next = true;
        Str copy = {s->cpu_text, line.len < sizeof s->cpu_text ? line.len : sizeof s->cpu_text};
        memcpy(s->cpu_text, line.p, copy.len);
        str_word(&copy);
        s->cpu_count = str_words(copy, s->cpu_words, 8);
        if (s->cpu_count > 8) s->cpu_count = 8;
        return;
    }
    if (banner(line, &date)) {
        banner_facts(s, line, at);
        begin_run(s, date);
        return;
    }
    if (stamp(line, s->order_of_dates, &t, &zone, &clock)) {
        if (!isnan(clock)) {
            t = s->date + clock; /* NAN without a banner */
            if (t < s->last_t) {
                t += 86400; /* past midnight */
                s->date += 86400;
            }
            zone = false;
        }
        if (!zone && !s->local && !isnan(t)) {
            facts_local_time(ctx->facts, ctx->src);
            s->local = true;
        }
        begin_report(s, t);
        return;
    }
    if (s->cpu_next) {
        Cell cells[8];
        size_t count;
        if (cpu_numbers(line, &count, cells)) {
            s->cpu_next = false;
            cpu_row(s, cells, count, at);
            return;
        }
    }
    if (str_has(line, "extended device statistics")) {
        begin_report(s, NAN); /* FreeBSD prints it before each report */
        return;
    }
    if (str_starts(line, "sysstat version ") || str_starts(line, "(C) ") || str_starts(line, "S_") ||
        str_starts(line, "POSIXLY_CORRECT="))
        return; /* iostat -V */
    Str word = str_trim(line);
    if (s->have_layout && !s->layout.device_last && word.len <= sizeof s->held_name && ch_alpha(word.p[0]) &&
        str_find_ch(word, ' ') == SIZE_MAX) {
        memcpy(s->held_name, word.p, word.len);
        s->held = (Str){s->held_name, word.len};
        return;
    }
    parse_note(ctx, at, "not a row of iostat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
}

/* ---------------------------------------------------------------- JSON */

/*
 * sysstat has written invalid JSON more than once (a comma too many or too few, with -y and after an interrupt), and a copy
 * is often cut. Commas are set right and what is open is closed; a value that was cut in the middle goes.
 */
static Str repaired(Arena *a, Str text) {
    StrBuf out;
    sb_init(&out, a);
    char open[64] = {0};
    size_t depth = 0, safe = 0, safe_depth = 0; /* out up to `safe` ends with a whole value */
    bool in_string = false, after_value = false, pending_comma = false;
    char safe_open[64] = {0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (in_string) {
            sb_addc(&out, c);
            if (c == '\\' && i + 1 < text.len) sb_addc(&out, text.p[++i]);
            else if (c == '"') in_string = false;
            continue;
        }
        if (ch_blank(c)) {
            sb_addc(&out, c);
            continue;
        }
        if (c == ',') {
            pending_comma = true;
            continue;
        }
        if (c == '}' || c == ']') {
            if (!depth) break;
            pending_comma = false;
            sb_addc(&out, open[--depth]);
            after_value = true;
            safe = out.len;
            safe_depth = depth;
            memcpy(safe_open, open, sizeof open);
            if (!depth) break;
            continue;
        }
        if (c == ':') {
            sb_addc(&out, c);
            after_value = false;
            continue;
        }
        if (after_value && (pending_comma || c == '{' || c == '[' || c == '"')) sb_addc(&out, ',');
        pending_comma = after_value = false;
        sb_addc(&out, c);
        if (c == '{' || c == '[') {
            if (depth == sizeof open) break;
            open[depth++] = c == '{' ? '}' : ']';
        } else if (c == '"') {
            in_string = true;
            after_value = true;
        } else { /* number, true, null */
            while (i + 1 < text.len &&
                   (ch_alnum(text.p[i + 1]) || text.p[i + 1] == '.' || text.p[i + 1] == '-' || text.p[i + 1] == '+'))
                sb_addc(&out, text.p[++i]);
            after_value = true;
        }
    }
    if (depth) {
        out.len = safe;
        while (safe_depth) sb_addc(&out, safe_open[--safe_depth]);
    }
    return sb_str(&out);
}

static void json_disk(State *s, const cJSON *disk, Str path) {
    ParseCtx *ctx = s->ctx;
    Str name = json_text(json_get(disk, "disk_device"));
    if (!name.len) {
        parse_note(ctx, spot_path(path, STR("")), "a disk without a name");
        return;
    }
    float values[MAX_COLUMNS];
    Layout *l = &s->layout;
    *l = (Layout){.header_line = 0};
    const cJSON *field;
    bool old = json_get(disk, "r") != NULL; /* 11.5.1 to 11.5.6 leave the "/s" out */
    StrBuf text;
    sb_init(&text, ctx->scratch);
    sb_add(&text, name);
    cJSON_ArrayForEach(field, disk) {
        Str key = str_of(field->string ? field->string : "");
        double v;
        if (str_is(key, "disk_device") || !json_number(field, &v)) continue;
        sb_addf(&text, " \"%.*s\":%.10g", STR_ARG(key), v);
        if (l->count == MAX_COLUMNS) continue;
        Column *c = &l->column[l->count];
        *c = column_of(key);
        if (old && str_is(key, "r")) c->metric = M_r_s;
        if (old && str_is(key, "w")) c->metric = M_w_s;
        if (old && str_is(key, "rrqm")) c->metric = M_rrqm_s;
        if (old && str_is(key, "wrqm")) c->metric = M_wrqm_s;
        add_metric(l, c);
        if (c->value_at >= 0) values[c->value_at] = (float)(v * c->scale);
        l->count++;
        l->key = (l->key ^ str_hash(key)) * 1099511628211u;
    }
    finish_layout(l);
    if (!l->metrics) {
        parse_note(ctx, spot_path(path, name), "a disk without figures");
        return;
    }
    apply_guards(l, values);
    Device *d = find_device(s, name);
    if (!d) return;
    ctx->rows++;
    emit(s, d, values, spot_path(path, sb_str(&text)));
}

static ParseResult parse_json(State *s, Input *in) {
    ParseCtx *ctx = s->ctx;
    Str text;
    Error err = {""};
    if (!input_all(in, ctx->scratch, JSON_LIMIT, &text))
        parse_note(ctx, input_spot(in), "JSON: only the first %d bytes were read", JSON_LIMIT);
    cJSON *doc = json_read(ctx->scratch, text, NULL);
    if (!doc) {
        doc = json_read(ctx->scratch, repaired(ctx->scratch, text), &err);
        if (!doc) {
            parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
            return PARSE_REJECTED;
        }
        facts_note(ctx->facts, ctx->src, (Spot){.line = 1},
                   STR("the JSON is not valid as sysstat wrote it or was cut; commas and brackets were set right"));
    }
    const cJSON *hosts = json_at(doc, "/sysstat/hosts"), *host;
    size_t host_at = 0;
    cJSON_ArrayForEach(host, hosts) {
        begin_run(s, json_text(json_get(host, "date")));
        Str below =
            json_path(ctx->scratch, json_path_index(ctx->scratch, STR("/sysstat/hosts"), host_at++), "statistics");
        size_t at = 0;
        const cJSON *report;
        cJSON_ArrayForEach(report, json_get(host, "statistics")) {
            Str path = json_path_index(ctx->scratch, below, at++);
            double t = NAN;
            bool zone = true;
            Str stamp_text = json_text(json_get(report, "timestamp"));
            if (stamp_text.p && time_parse_order(stamp_text, s->order_of_dates, &t, &zone) && !zone && !s->local) {
                facts_local_time(ctx->facts, ctx->src);
                s->local = true;
            }
            begin_report(s, t);
            const cJSON *cpu = json_get(report, "avg-cpu"), *field;
            Cell cells[8];
            s->cpu_count = 0;
            cJSON_ArrayForEach(field, cpu) {
                double v;
                if (s->cpu_count == 8 || !json_number(field, &v)) continue;
                cells[s->cpu_count].value = v;
                s->cpu_words[s->cpu_count++] =
                    str_of(arena_fmt(ctx->scratch, "%%%s", field->string ? field->string : ""));
            }
            if (cpu)
                cpu_row(s, cells, s->cpu_count, spot_path(json_path(ctx->scratch, path, "avg-cpu"), STR("iowait")));
            const cJSON *disk;
            Str disks = json_path(ctx->scratch, path, "disk");
            size_t disk_at = 0;
            cJSON_ArrayForEach(disk, json_get(report, "disk")) {
                json_disk(s, disk, json_path_index(ctx->scratch, disks, disk_at++));
            }
        }
    }
    return parse_result(ctx);
}

/* ---------------------------------------------------------------- */

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->command = tool_command(ctx->command, "iostat", NULL, "jfogp");
    s->t = s->last_t = s->dt = s->date = NAN;
    Str line, name;
    bool first = true;
    while (input_line(in, &line)) {
        float values[MAX_COLUMNS];
        if (!line.len) continue;
        /* The lines that come by the million first: a row of the table whose header was seen last. */
        if (s->have_layout && !s->cpu_next && read_row(&s->layout, line, s->held, &name, values)) {
            bool group = !s->layout.device_last && !s->held.len && (size_t)(name.p - line.p) > s->layout.indent;
            if (group) ctx->rows++; /* " total": a sum over devices (-g), no device */
            else device_row(s, line, name, values, input_spot(in));
            s->held.len = 0;
            continue;
        }
        if (s->held.len) {
            s->held.len = 0;
            parse_note(ctx, input_spot(in), "a device name without its figures before this line");
        }
        if (!str_trim(line).len) continue;
        if (first && json_looks(line)) {
            input_unread(in);
            return parse_json(s, in);
        }
        first = false;
        other_line(s, line, input_spot(in));
    }
    flush_pending(s);
    return parse_result(ctx);
}

const Parser parser_iostat = {
    .name = "iostat",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .strict = true,
    .ask = "S_TIME_FORMAT=ISO iostat -dxmt 1 61",
};
