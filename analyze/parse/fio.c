/*
 * fio.c - benchmarks made with fio
 *
 * Reads   fio 2.x and 3.x: the human report, --minimal (terse versions 2 to 5), --output-format=json and json+; several jobs, group
 *         reporting, what fio prints in front of a document
 * Gives   benchmark per job and direction; distribution of completion latencies and of flushes (f_await_ms), basis 'io
 *         percentiles', of a drive where the job's filename is a device
 * Sample  fio 3.33, a job of the human report
 *   | randwrite: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=16
 *   | fio-3.33
 *   | Starting 1 process
 *   |
 *   | randwrite: (groupid=0, jobs=1): err= 0: pid=4711: Mon Jul  1 12:00:30 2024
 *   |   write: IOPS=312, BW=1251KiB/s (1281kB/s)(36.7MiB/30042msec); 0 zone resets
 *   |     clat (msec): min=2, max=412, avg=51.10, stdev=20.30
 *   |     clat percentiles (msec):
 *   |      |  1.00th=[   10], 50.00th=[   48], 95.00th=[   90], 99.00th=[  131],
 *   |      | 99.99th=[  401]
 * Varies  fio 2.x: "write: io=4096.0MB, bw=70022KB/s, iops=17505, runt= 59900msec", where KB and MB are powers of 1024 unless
 *         --kb_base=1000; 3.x prints powers of 1024 with an i and of 1000 without. Latencies in nsec, usec or msec, line by line. The
 *         report does not say direct=, fsync= or the file: only the command line or JSON's options do; there what is not said has
 *         fio's default (direct=0, no sync)
 */
#include "../base/times.h"
#include "device_text.h"
#include "json.h"
#include "parser.h"

#include <math.h>

enum { MAX_JOBS = 256, JSON_LIMIT = 32 * 1024 * 1024, DIRECTIONS = 3 };

typedef struct Options { /* of a job; NULL/NAN unknown */
    bool known;          /* all options are known: what is not said has its default */
    Str rw, engine, filename, directory;
    double block_read, block_write, depth, jobs;
    int direct;           /* -1 unknown */
    const char *sync;     /* NULL unknown */
    int end_fsync, zeros; /* -1 unknown */
    double runtime_s;
    bool time_based;
} Options;

typedef struct Latency { /* of completion; ms, NAN unknown */
    double n, mean, max, p50, p95, p99, p999;
} Latency;

typedef struct Direction {
    bool seen;
    double bytes, seconds, bytes_s, iops, ios;
    Latency lat;
    Spot at; /* text in scratch */
} Direction;

typedef struct Job {
    Str name;
    Options opt;
    Direction dir[DIRECTIONS]; /* read write trim */
    Latency sync_lat;
    Spot sync_at, at;
    double error, job_count;
    bool reported;
} Job;

typedef struct State {
    ParseCtx *ctx;
    Options command; /* from the command line */
    Job *jobs[MAX_JOBS];
    size_t count;
    Job *now;
    int dir;        /* that the lines below speak of, 3: sync, -1 none */
    double unit_ms; /* of the percentiles that follow */
    bool percentiles, kb1000, too_many;
    int64_t verify_errors, verify_line;
} State;

static const Latency no_latency = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

/* ---------------------------------------------------------------- options */

static Options no_options(void) {
    return (Options){.block_read = NAN,
                     .block_write = NAN,
                     .depth = NAN,
                     .jobs = NAN,
                     .direct = -1,
                     .end_fsync = -1,
                     .zeros = -1,
                     .runtime_s = NAN};
}

/* "4k", "1M", "256Ki", "4096", "4k,8k" (reads, writes), "4K-4K/8K-8K/4K-4K" (first of a range): bytes. */
static bool block_size(Str s, double *out) {
    size_t n = 0;
    while (n < s.len && (ch_digit(s.p[n]) || s.p[n] == '.')) n++;
    double v;
    if (!n || !str_double(str_sub(s, 0, n), &v)) return false;
    if (n < s.len) {
        static const char letters[] = "kmgt";
        const char *at = memchr(letters, ch_lower(s.p[n]), sizeof letters - 1);
        if (at)
            for (const char *l = letters; l <= at; l++) v *= 1024;
        else if (ch_lower(s.p[n]) != 'b') return false;
    }
    *out = v;
    return v >= 1 && v < 1e15;
}

static void block_sizes(Options *o, Str value) {
    double v;
    Str rest = value, first = str_cut(&rest, ',');
    size_t dash = str_find_ch(first, '-');
    if (block_size(str_sub(first, 0, dash), &v)) o->block_read = o->block_write = v;
    if (rest.len && block_size(str_sub(rest, 0, str_find_ch(rest, '-')), &v)) o->block_write = v;
}

static double seconds_of(Str s) {
    double v;
    size_t n = 0;
    while (n < s.len && (ch_digit(s.p[n]) || s.p[n] == '.')) n++;
    if (!n || !str_double(str_sub(s, 0, n), &v)) return NAN;
    Str unit = str_from(s, n);
    if (str_starts(unit, "ms")) return v / 1000;
    if (str_starts(unit, "us")) return v / 1e6;
    if (str_starts(unit, "m")) return v * 60;
    if (str_starts(unit, "h")) return v * 3600;
    return v;
}

static bool yes(Str value) {
    return !value.len || str_is(value, "1") || str_ieq(value, STR("true"));
}

/* One option by its name in a job file; texts point into value. */
static void option(Options *o, Str key, Str value) {
    double v;
    if (str_is(key, "rw") || str_is(key, "readwrite")) o->rw = value;
    else if (str_is(key, "bs") || str_is(key, "blocksize")) block_sizes(o, value);
    else if (str_is(key, "ioengine")) o->engine = value;
    else if (str_is(key, "iodepth")) o->depth = str_double(value, &v) ? v : NAN;
    else if (str_is(key, "numjobs")) o->jobs = str_double(value, &v) ? v : NAN;
    else if (str_is(key, "filename")) o->filename = value;
    else if (str_is(key, "directory")) o->directory = value;
    else if (str_is(key, "direct")) o->direct = yes(value);
    else if (str_is(key, "buffered")) o->direct = !yes(value);
    else if (str_is(key, "end_fsync") || str_is(key, "fsync_on_close")) o->end_fsync = yes(value) || o->end_fsync == 1;
    else if (str_is(key, "zero_buffers")) o->zeros = yes(value);
    else if (str_is(key, "runtime") || str_is(key, "timeout")) o->runtime_s = seconds_of(value);
    else if (str_is(key, "time_based")) o->time_based = yes(value);
    else if (str_is(key, "fsync") || str_is(key, "fdatasync")) {
        /* every N writes; only N = 1 waits for each */
        if (!str_is(value, "0")) o->sync = str_is(value, "1") ? "dsync" : str_is(key, "fsync") ? "fsync" : "fdatasync";
    } else if (str_is(key, "sync")) { /* O_SYNC or O_DSYNC */
        if (!str_is(value, "0") && !str_is(value, "none")) o->sync = "dsync";
    }
}

static void defaults(Options *o) {
    if (!o->known) return;
    if (o->direct < 0) o->direct = 0;
    if (!o->sync) o->sync = o->end_fsync == 1 ? "fsync" : "none";
    if (o->zeros < 0) o->zeros = 0;
}

/* fio --name=x --rw=write ...; a job file among the words means that not all is known. */
static bool fio_command(Str command, Options *o) {
    *o = no_options();
    Str w;
    while ((w = str_word(&command)).len)
        if (str_is(str_basename(w), "fio")) break;
    if (!w.len) return false;
    bool file = false, any = false;
    Str waits = STR_NONE; /* an option whose value is the next word */
    while ((w = str_word(&command)).len) {
        char first = w.p[0];
        if (first == '|' || first == '>' || first == ';' || first == '&') break;
        if (first == '"' || first == '\'') continue;
        if (first != '-') {
            if (waits.len) option(o, waits, w);
            else if (!str_is(w, "\\")) file = true;
            waits = STR_NONE;
            continue;
        }
        while (w.len && w.p[0] == '-') w = str_from(w, 1);
        size_t eq = str_find_ch(w, '=');
        Str key = str_sub(w, 0, eq), value = eq == SIZE_MAX ? STR_NONE : str_from(w, eq + 1);
        if (value.len > 1 && (value.p[0] == '"' || value.p[0] == '\'')) value = str_sub(value, 1, value.len - 2);
        any = true;
        static const char *const takes[] = {"rw",      "readwrite", "bs",       "blocksize",    "ioengine",
                                            "iodepth", "numjobs",   "filename", "directory",    "name",
                                            "size",    "runtime",   "output",   "output-format"};
        waits = STR_NONE;
        if (eq == SIZE_MAX)
            for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
                if (str_is(key, takes[i])) waits = key;
        if (!waits.len) option(o, key, value);
    }
    o->known = any && !file && o->rw.len;
    return any;
}

/* ---------------------------------------------------------------- facts */

static Spot keep(State *s, Spot at) {
    at.text = arena_str(s->ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    if (at.path.len) at.path = arena_str(s->ctx->scratch, at.path);
    return at;
}

static Job *add_job(State *s, Str name, Spot at) {
    if (s->count == MAX_JOBS) {
        if (!s->too_many) parse_note(s->ctx, at, "more than %d jobs", MAX_JOBS);
        s->too_many = true;
        return NULL;
    }
    Job *j = arena_new_of(s->ctx->scratch, Job);
    s->jobs[s->count++] = j;
    j->name = arena_str(s->ctx->scratch, str_sub(name, 0, 100));
    j->opt = no_options();
    j->sync_lat = no_latency;
    j->error = j->job_count = NAN;
    j->at = keep(s, at);
    for (int i = 0; i < DIRECTIONS; i++)
        j->dir[i] =
            (Direction){.bytes = NAN, .seconds = NAN, .bytes_s = NAN, .iops = NAN, .ios = NAN, .lat = no_latency};
    return j;
}

/* What the command line says about all jobs, under what the report says about this one. */
static void merge(Options *o, const Options *c) {
    if (!o->rw.len) o->rw = c->rw;
    if (!o->engine.len) o->engine = c->engine;
    if (!o->filename.len) o->filename = c->filename;
    if (!o->directory.len) o->directory = c->directory;
    if (isnan(o->block_read)) o->block_read = c->block_read;
    if (isnan(o->block_write)) o->block_write = c->block_write;
    if (isnan(o->depth)) o->depth = c->depth;
    if (isnan(o->jobs)) o->jobs = c->jobs;
    if (isnan(o->runtime_s)) o->runtime_s = c->runtime_s;
    if (o->direct < 0) o->direct = c->direct;
    if (!o->sync) o->sync = c->sync;
    if (o->end_fsync < 0) o->end_fsync = c->end_fsync;
    if (o->zeros < 0) o->zeros = c->zeros;
    o->known = o->known || c->known;
}

static void sentence(StrBuf *b, const char *text) {
    if (b->len) sb_addz(b, "; ");
    sb_addz(b, text);
}

static Str measures(State *s, const Job *j, int dir, const char *sync) {
    const Options *o = &j->opt;
    const Direction *d = &j->dir[dir];
    StrBuf b;
    sb_init(&b, s->ctx->scratch);
    bool random = str_has(o->rw, "rand"), mixed = j->dir[0].seen && j->dir[1].seen;
    bool each = sync && strcmp(sync, "dsync") == 0 && dir == 1;
    if (j->error > 0) sentence(&b, "the job ended with an error: its figures cover only the part before it");
    if (each) sentence(&b, "a flush after every write: the latency of a flush, not the rate of the drive");
    if (o->direct == 1)
        sentence(&b,
                 random ? "random requests past the page cache (direct=1)" : "requests past the page cache (direct=1)");
    if (o->direct == 0 && dir == 0)
        sentence(&b, "reads through the page cache (direct=0): what is in memory is not read from the drive");
    if (o->direct == 0 && dir == 1 && !each) {
        if (sync && strcmp(sync, "none") != 0)
            sentence(&b, "writes through the page cache, flushed now and then or at the end");
        else if (sync)
            sentence(&b, "no direct=1 and no flush: writes to memory (page cache), as long as it takes them");
    }
    if (o->direct < 0)
        sentence(&b, "without its command line: whether it went past the page cache and whether it flushed is unknown");
    if (o->direct == 0 && str_is(o->engine, "libaio") && o->depth > 1)
        sentence(
            &b,
            "libaio without direct=1 submits one request after the other: the queue depth asked for was not reached");
    if (mixed) sentence(&b, "reads and writes at the same time");
    if (d->seconds > 0 && d->seconds < 10)
        sentence(&b, "a run of a few seconds: caches of the drive may have taken all of it");
    else if (dir == 1 && d->seconds > 0 && d->seconds < 60)
        sentence(&b, "less than a minute: an SSD's fast cache may not have been full yet");
    if (d->bytes > 0 && d->bytes < 256e6) sentence(&b, "little data");
    if (dir == 1 && o->zeros == 1) sentence(&b, "zeros: compressing file systems and some SSDs write next to nothing");
    return sb_str(&b);
}

static Ref node_of(State *s, Str file) {
    if (!str_starts(file, "/dev/") || str_starts(file, "/dev/shm") || str_starts(file, "/dev/zvol") ||
        str_starts(file, "/dev/null"))
        return 0;
    return ctx_ref(s->ctx, REF_DISK, str_cut(&file, ':')); /* several files are joined with ':' */
}

static void put_distribution(State *s, Ref node, const char *metric, const Latency *l, Spot at) {
    if (isnan(l->p50) && isnan(l->p99)) return;
    Row r = ctx_row(s->ctx, "distribution", at);
    row_ref(&r, "node", node);
    row_text(&r, "tool", STR("fio"));
    row_text(&r, "metric", str_of(metric));
    row_text(&r, "basis", STR("io percentiles"));
    if (!isnan(l->n)) row_int(&r, "n", i64_of(l->n));
    row_real(&r, "mean", l->mean);
    row_real(&r, "p50", l->p50);
    row_real(&r, "p95", l->p95);
    row_real(&r, "p99", l->p99);
    row_real(&r, "p999", l->p999);
    row_real(&r, "max", l->max);
    row_done(&r);
}

static void put_job(State *s, Job *j) {
    ParseCtx *ctx = s->ctx;
    Options *o = &j->opt;
    merge(o, &s->command);
    defaults(o);
    Ref node = node_of(s, o->filename);
    static const char *const words[2][2] = {{"read", "randread"}, {"write", "randwrite"}};
    double jobs = !isnan(j->job_count) ? j->job_count : o->jobs;
    for (int dir = 0; dir < 2; dir++) {
        Direction *d = &j->dir[dir];
        if (!d->seen) continue;
        StrBuf label;
        sb_init(&label, ctx->scratch);
        sb_add(&label, j->name);
        if (o->rw.len) sb_addf(&label, "%srw=%.*s", label.len ? " " : "", STR_ARG(o->rw));
        if (!isnan(o->depth)) sb_addf(&label, " iodepth=%.0f", o->depth);
        if (jobs > 1) sb_addf(&label, " numjobs=%.0f", jobs);
        if (o->engine.len) sb_addf(&label, " ioengine=%.*s", STR_ARG(o->engine));
        double block = dir ? o->block_write : o->block_read;
        if (isnan(block) && d->ios > 0 && d->bytes > 0) block = d->bytes / d->ios;
        if (isnan(d->bytes_s) && d->seconds > 0) d->bytes_s = d->bytes / d->seconds;
        const char *sync = dir ? o->sync : o->known ? "none" : NULL;
        Row r = ctx_row(ctx, "benchmark", d->at);
        row_ref(&r, "node", node);
        row_text(&r, "tool", STR("fio"));
        row_text(&r, "label", sb_str(&label));
        row_text(&r, "rw", str_of(words[dir][str_has(o->rw, "rand") || (!o->rw.len && str_has(j->name, "rand"))]));
        if (block >= 1 && block < 1e15) row_int(&r, "block_bytes", (int64_t)(block + 0.5));
        if (o->direct >= 0) row_int(&r, "direct", o->direct);
        if (sync) row_text(&r, "sync", str_of(sync));
        /* fio fills its buffers with random bytes unless told otherwise */
        row_text(&r, "data",
                 dir == 0        ? STR("file")
                 : o->zeros == 1 ? STR("zero")
                 : o->known      ? STR("random")
                                 : STR("unknown"));
        Str target = o->filename.len ? o->filename : o->directory;
        row_text(&r, "target", target.len ? target : STR_NONE);
        row_real(&r, "bytes", d->bytes);
        row_real(&r, "seconds", d->seconds);
        row_real(&r, "mb_s", d->bytes_s / 1e6);
        row_real(&r, "iops", d->iops);
        row_real(&r, "lat_mean_ms", d->lat.mean);
        row_real(&r, "lat_p50_ms", d->lat.p50);
        row_real(&r, "lat_p95_ms", d->lat.p95);
        row_real(&r, "lat_p99_ms", d->lat.p99);
        row_real(&r, "lat_p999_ms", d->lat.p999);
        row_real(&r, "lat_max_ms", d->lat.max);
        if (!isnan(o->depth)) row_real(&r, "outstanding", o->depth * (jobs > 1 ? jobs : 1));
        row_text(&r, "measures", measures(s, j, dir, sync));
        row_done(&r);
        put_distribution(s, node, dir ? "w_await_ms" : "r_await_ms", &d->lat, d->at);
    }
    if (j->sync_at.line || j->sync_at.path.len) put_distribution(s, node, "f_await_ms", &j->sync_lat, j->sync_at);
    if (j->error > 0)
        facts_note(ctx->facts, ctx->src, j->at,
                   arena_strf(ctx->arena, "fio: job %.*s ended with error %.0f", STR_ARG(j->name), j->error));
}

/* ---------------------------------------------------------------- the human report */

/* "name: (g=0): rw=randread, bs=..., ioengine=..., iodepth=16" */
static bool job_line(Str line, Str *name, Str *rest) {
    size_t at = str_find(line, ": (g=");
    if (at == SIZE_MAX) return false;
    size_t rw = str_find(line, "rw=");
    if (rw == SIZE_MAX || rw < at) return false;
    *name = str_sub(line, 0, at);
    if (str_starts(*name, "\xef\xbb\xbf")) *name = str_from(*name, 3);
    *rest = str_from(line, rw);
    return true;
}

/* "name: (groupid=0, jobs=8): err= 0: pid=5961: Fri Apr  7 19:04:19 2017" */
static bool result_line(Str line, Str *name, Str *rest) {
    size_t at = str_find(line, ": (groupid=");
    if (at == SIZE_MAX || !str_has(line, "): err=")) return false;
    *name = str_sub(line, 0, at);
    *rest = str_from(line, at + 3);
    return true;
}

static bool version_line(Str line) {
    return str_starts(line, "fio-") && line.len > 4 && ch_digit(line.p[4]) &&
           str_find_ch(str_trim(line), ' ') == SIZE_MAX;
}

/* "  read: IOPS=..." of 3.x, "  read : io=..." of 2.x; 0 read, 1 write, 2 trim, -1 neither */
static int direction_line(Str line, Str *rest) {
    static const char *const words[] = {"read", "write", "trim"};
    Str s = str_trim(line);
    for (int i = 0; i < DIRECTIONS; i++) {
        Str r = str_after(s, words[i]);
        if (!r.p) continue;
        r = str_trim_left(r);
        if (!r.len || r.p[0] != ':') continue;
        r = str_trim_left(str_from(r, 1));
        if (!str_starts(r, "IOPS=") && !str_starts(r, "io=")) continue;
        *rest = r;
        return i;
    }
    return -1;
}

/* A number with its unit: "39.3k", "154MiB/s", "70022KB/s", "1841.1K"; kb: base of K, M, G without an i. */
static bool quantity(Str s, double kb, double *out) {
    size_t n = 0;
    while (n < s.len && (ch_digit(s.p[n]) || s.p[n] == '.' || s.p[n] == '-')) n++;
    double v;
    if (!n || !str_double(str_sub(s, 0, n), &v)) return false;
    if (n < s.len) {
        static const char letters[] = "kmgtp";
        const char *at = memchr(letters, ch_lower(s.p[n]), sizeof letters - 1);
        double base = n + 1 < s.len && s.p[n + 1] == 'i' ? 1024 : kb;
        if (at)
            for (const char *l = letters; l <= at; l++) v *= base;
    }
    *out = v;
    return true;
}

/* Value of "key=" up to ',' ';' ')' or a blank; blanks behind '=' are padding. */
static Str value_of(Str line, const char *key) {
    size_t from = 0;
    for (;;) {
        size_t at = str_find(str_from(line, from), key);
        if (at == SIZE_MAX) return STR_NONE;
        at += from;
        if (!at || !ch_alnum(line.p[at - 1])) {
            Str v = str_trim_left(str_from(line, at + strlen(key)));
            size_t n = 0;
            while (n < v.len && v.p[n] != ',' && v.p[n] != ';' && v.p[n] != ')' && !ch_blank(v.p[n])) n++;
            return str_sub(v, 0, n);
        }
        from = at + 1;
    }
}

static void read_direction(State *s, Job *j, int dir, Str rest, Spot at) {
    Direction *d = &j->dir[dir];
    double v;
    d->seen = true;
    d->at = keep(s, at);
    if (str_starts(rest, "io=")) { /* 2.x */
        double kb = s->kb1000 ? 1000 : 1024;
        if (quantity(value_of(rest, "io="), kb, &v)) d->bytes = v;
        if (quantity(value_of(rest, "bw="), kb, &v)) d->bytes_s = v;
        if (quantity(value_of(rest, "iops="), 1000, &v)) d->iops = v;
        if (dev_leading_number(value_of(rest, "runt="), &v)) d->seconds = v / 1000;
    } else { /* IOPS=39.3k, BW=154MiB/s (161MB/s)(7402MiB/48168msec) */
        if (quantity(value_of(rest, "IOPS="), 1000, &v)) d->iops = v;
        if (quantity(value_of(rest, "BW="), 1000, &v)) d->bytes_s = v;
        size_t open = str_find(rest, ")(");
        Str tail = open == SIZE_MAX ? STR_NONE : str_from(rest, open + 2);
        size_t slash = str_find_ch(tail, '/'), ms = str_find(tail, "msec");
        if (slash != SIZE_MAX && ms != SIZE_MAX && ms > slash) {
            if (quantity(str_sub(tail, 0, slash), 1000, &v)) d->bytes = v;
            if (quantity(str_sub(tail, slash + 1, ms - slash - 1), 1000, &v)) d->seconds = v / 1000;
        }
    }
    if (isnan(d->bytes) || isnan(d->seconds)) parse_note(s->ctx, at, "a result of fio that is cut off");
    else s->ctx->rows++;
}

static double unit_of(Str line) {
    if (str_has(line, "(nsec)")) return 1e-6;
    if (str_has(line, "(usec)")) return 1e-3;
    if (str_has(line, "(msec)")) return 1;
    if (str_has(line, "(sec)")) return 1000;
    return NAN;
}

static Latency *latency_of(State *s) {
    if (!s->now || s->dir < 0 || s->dir == 2) return NULL;
    return s->dir == 3 ? &s->now->sync_lat : &s->now->dir[s->dir].lat;
}

/* "clat (usec): min=3, max=1981.6K, avg=6451.31, stdev=59875.02" */
static void latency_line(State *s, Str line) {
    Latency *l = latency_of(s);
    double unit = unit_of(line), v;
    if (!l || isnan(unit)) return;
    if (quantity(value_of(line, "max="), 1000, &v)) l->max = v * unit;
    if (quantity(value_of(line, "avg="), 1000, &v)) l->mean = v * unit;
}

/* " |  1.00th=[  247],  5.00th=[  258], ..." */
static void percentile_line(State *s, Str line, Spot at) {
    Latency *l = latency_of(s);
    Str rest = line;
    size_t found = 0;
    for (;;) {
        size_t mark = str_find(rest, "th=[");
        if (mark == SIZE_MAX) break;
        size_t from = mark;
        while (from && (ch_digit(rest.p[from - 1]) || rest.p[from - 1] == '.')) from--;
        size_t end = str_find_ch(str_from(rest, mark), ']');
        if (end == SIZE_MAX) break;
        double q, v;
        Str number = str_trim(str_sub(rest, mark + 4, end - 4));
        if (number.len && number.p[0] == '>') number = str_trim(str_from(number, 1));
        if (str_double(str_sub(rest, from, mark - from), &q) && quantity(number, 1000, &v)) {
            found++;
            if (l && !isnan(s->unit_ms)) {
                v *= s->unit_ms;
                if (q == 50) l->p50 = v;
                if (q == 95) l->p95 = v;
                if (q == 99) l->p99 = v;
                if (q == 99.9) l->p999 = v;
            }
        }
        rest = str_from(rest, mark + end + 1);
    }
    if (!found) parse_note(s->ctx, at, "percentiles that are cut off");
}

static void read_job_line(State *s, Str name, Str rest, Spot at) {
    Job *j = add_job(s, name, at);
    if (!j) return;
    s->ctx->rows++;
    Options *o = &j->opt;
    o->rw = arena_str(s->ctx->scratch, value_of(rest, "rw="));
    o->engine = arena_str(s->ctx->scratch, value_of(rest, "ioengine="));
    double v;
    if (str_double(value_of(rest, "iodepth="), &v)) o->depth = v;
    size_t bs = str_find(rest, "bs=");
    if (bs == SIZE_MAX) return;
    Str sizes = str_from(rest, bs + 3), w;
    if (str_starts(sizes, "(R)")) { /* (R) 4096B-4096B, (W) 4096B-4096B, (T) ... */
        str_word(&sizes);
        w = str_word(&sizes);
        if (block_size(str_sub(w, 0, str_find_ch(w, '-')), &v)) o->block_read = v;
        size_t write = str_find(sizes, "(W) ");
        w = write == SIZE_MAX ? STR_NONE : str_from(sizes, write + 4);
        if (w.len && block_size(str_sub(w, 0, str_find_ch(w, '-')), &v)) o->block_write = v;
    } else { /* 4K-4K/4K-4K/4K-4K */
        w = str_word(&sizes);
        if (block_size(str_sub(w, 0, str_find_ch(w, '-')), &v)) o->block_read = o->block_write = v;
        size_t slash = str_find_ch(w, '/');
        w = slash == SIZE_MAX ? STR_NONE : str_from(w, slash + 1);
        if (w.len && block_size(str_sub(w, 0, str_find_ch(w, '-')), &v)) o->block_write = v;
    }
}

/* The job that a result belongs to: the first of that name without one. Clones have their results one by one, or as a group. */
static void read_result_line(State *s, Str name, Str rest, Spot at) {
    Job *found = NULL, *like = NULL;
    for (size_t i = 0; i < s->count; i++) {
        if (!str_eq(s->jobs[i]->name, str_sub(name, 0, 100))) continue;
        like = s->jobs[i];
        if (!s->jobs[i]->reported) {
            found = s->jobs[i];
            break;
        }
    }
    if (!found) {
        found = add_job(s, name, at);
        if (found && like) found->opt = like->opt;
    }
    s->now = found;
    s->dir = -1;
    if (!found) return;
    s->ctx->rows++;
    found->reported = true;
    found->at = keep(s, at);
    double v;
    if (str_double(value_of(rest, "jobs="), &v)) found->job_count = v;
    if (str_double(str_sub(value_of(rest, "err="), 0, str_find_ch(value_of(rest, "err="), ':')), &v)) found->error = v;
}

/* Words that the other lines of a report begin with. */
static bool other_line(Str line) {
    static const char *const words[] = {"slat (",
                                        "clat (",
                                        "lat (",
                                        "clat percentiles",
                                        "lat percentiles",
                                        "slat percentiles",
                                        "sync percentiles",
                                        "bw (",
                                        "iops ",
                                        "cpu ",
                                        "IO depths",
                                        "submit ",
                                        "complete ",
                                        "issued ",
                                        "latency ",
                                        "sync (",
                                        "fsync/fdatasync/sync_file_range:",
                                        "Run status group",
                                        "Disk stats",
                                        "READ: ",
                                        "WRITE: ",
                                        "TRIM: ",
                                        "READ:",
                                        "WRITE:",
                                        "MIXED: ",
                                        "mixed: ",
                                        "lat : ",
                                        "Starting ",
                                        "Jobs: ",
                                        "...",
                                        "|",
                                        "verify: ",
                                        "received: ",
                                        "hash_fail",
                                        "fio: ",
                                        "fsync ",
                                        "zone resets",
                                        "bw  (",
                                        "mixed :",
                                        "write: ",
                                        "error "};
    Str s = str_trim(line);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    return str_has(line, ": Laying out IO file") || str_has(line, ": you need to specify size=") ||
           (str_has(line, ": ios=") && str_has(line, "util=")) ||
           (str_has(line, ", in_queue=") && str_has(line, "aggrios=")) ||
           str_has(line, "both iodepth >= 1 and synchronous I/O engine");
}

static bool terse_line(Str line) {
    if (line.len < 20 || line.p[0] < '2' || line.p[0] > '5' || line.p[1] != ';' ||
        !str_starts(str_from(line, 2), "fio-"))
        return false;
    size_t n = 0;
    for (size_t i = 0; i < line.len; i++) n += line.p[i] == ';';
    return n >= 40;
}

/*
 * 3;fio-3.33;name;group;error;READ;...;WRITE;...: each direction has KiB, KiB/s, IOPS, ms; slat min max mean dev; clat likewise;
 * 20 percentiles "99.000000%=1234"; lat; bw min max share mean dev (and in version 5 samples and five figures of IOPS). Times in us.
 */
static void terse(State *s, Str line, Spot at) {
    enum { FIELDS = 240 };
    Str *f = arena_array(s->ctx->scratch, Str, FIELDS), rest = line;
    size_t n = 0;
    while (rest.len && n < FIELDS) f[n++] = str_cut(&rest, ';');
    int version = f[0].p[0] - '0';
    Job *j = add_job(s, f[2], at);
    if (!j) return;
    double v;
    j->reported = true;
    if (str_double(f[4], &v)) j->error = v;
    size_t per = version == 5 ? 47 : 41;
    for (int dir = 0; dir < 2; dir++) {
        size_t base = 5 + (size_t)dir * per;
        if (base + 33 > n) {
            parse_note(s->ctx, at, "a terse line of fio that is cut off");
            return;
        }
        double kib, bw, iops, ms;
        if (!str_double(f[base], &kib) || !str_double(f[base + 1], &bw) || !str_double(f[base + 2], &iops) ||
            !str_double(f[base + 3], &ms)) {
            parse_note(s->ctx, at, "a terse line of fio without figures");
            return;
        }
        if (!(kib > 0)) continue;
        Direction *d = &j->dir[dir];
        d->seen = true;
        d->at = keep(s, at);
        d->bytes = kib * 1024;
        d->bytes_s = bw * 1024;
        d->iops = iops;
        d->seconds = ms / 1000;
        if (str_double(f[base + 9], &v)) d->lat.max = v / 1000;
        if (str_double(f[base + 10], &v)) d->lat.mean = v / 1000;
        for (size_t i = base + 12; i < base + 32; i++) {
            double q;
            size_t sign = str_find(f[i], "%=");
            if (sign == SIZE_MAX || !str_double(str_sub(f[i], 0, sign), &q) ||
                !str_double(str_from(f[i], sign + 2), &v))
                continue;
            if (q == 50) d->lat.p50 = v / 1000;
            if (q == 95) d->lat.p95 = v / 1000;
            if (q == 99) d->lat.p99 = v / 1000;
            if (q == 99.9) d->lat.p999 = v / 1000;
        }
    }
    s->ctx->rows++;
}

static void human_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str name, rest, word = str_trim(line);
    int dir;
    if (terse_line(line)) {
        terse(s, line, at);
    } else if (job_line(line, &name, &rest)) {
        s->now = NULL;
        read_job_line(s, name, rest, at);
    } else if (result_line(line, &name, &rest)) {
        read_result_line(s, name, rest, at);
    } else if ((dir = direction_line(line, &rest)) >= 0 && s->now) {
        s->dir = dir;
        s->percentiles = false;
        read_direction(s, s->now, dir, rest, at);
    } else if (str_starts(word, "clat (")) {
        latency_line(s, word);
    } else if (str_starts(word, "sync (") && s->now) {
        s->dir = 3;
        s->now->sync_at = keep(s, at);
        latency_line(s, word);
    } else if (str_starts(word, "fsync/fdatasync/")) {
        s->dir = 3;
    } else if (str_starts(word, "clat percentiles") || str_starts(word, "sync percentiles") ||
               (str_starts(word, "lat percentiles") && s->dir >= 0)) {
        /* with lat_percentiles=1 both kinds come; completion is the one to compare, and it comes last or alone */
        s->percentiles = true;
        s->unit_ms = unit_of(word);
    } else if (str_starts(word, "slat percentiles")) {
        s->percentiles = true;
        s->unit_ms = NAN;
    } else if (word.p[0] == '|') {
        if (s->percentiles) percentile_line(s, word, at);
    } else if (str_starts(word, "Run status group") || str_starts(word, "Disk stats")) {
        s->now = NULL;
        s->dir = -1;
    } else if (str_starts(word, "fio: ") && str_has(word, "err=")) {
        ctx->rows++;
        facts_note(ctx->facts, ctx->src, at, arena_str(ctx->arena, str_sub(word, 0, 200)));
    } else if (str_starts(word, "verify: ")) {
        ctx->rows++; /* data that was read back wrong */
        if (!s->verify_errors++) s->verify_line = at.line;
    } else if (!version_line(line) && !other_line(line) && !str_starts(word, "\xef\xbb\xbf")) {
        Options o;
        if (fio_command(word, &o)) { /* pasted above its output */
            s->command = o;
            s->command.rw = arena_str(ctx->scratch, o.rw);
            s->command.engine = arena_str(ctx->scratch, o.engine);
            s->command.filename = arena_str(ctx->scratch, o.filename);
            s->command.directory = arena_str(ctx->scratch, o.directory);
        } else if (s->count && !s->now) {
            return; /* what a running job prints between its reports: progress, messages of engines */
        } else {
            parse_note(ctx, at, "not a line of fio: \"%.*s\"", STR_ARG(str_sub(word, 0, 80)));
        }
    }
}

/* ---------------------------------------------------------------- JSON */

static void json_latency(const cJSON *io, const char *unit_key, double unit, Latency *l) {
    const cJSON *c = json_get(io, unit_key);
    double v;
    if (!c) return;
    if (json_number(json_get(c, "max"), &v) && v > 0) l->max = v * unit;
    if (json_number(json_get(c, "mean"), &v) && v > 0) l->mean = v * unit;
    if (json_number(json_get(c, "N"), &v)) l->n = v;
    const cJSON *p = json_get(c, "percentile"), *q;
    cJSON_ArrayForEach(q, p) {
        double rank;
        if (!q->string || !str_double(str_of(q->string), &rank) || !json_number(q, &v)) continue;
        if (rank == 50) l->p50 = v * unit;
        if (rank == 95) l->p95 = v * unit;
        if (rank == 99) l->p99 = v * unit;
        if (rank == 99.9) l->p999 = v * unit;
    }
}

static void json_options(Options *o, const cJSON *list, bool *any) {
    const cJSON *x;
    cJSON_ArrayForEach(x, list) {
        *any = true;
        if (x->string) option(o, str_of(x->string), json_text(x));
    }
}

static void json_job(State *s, const cJSON *job, const cJSON *global, Str path) {
    ParseCtx *ctx = s->ctx;
    Job *j = add_job(s, json_text(json_get(job, "jobname")), spot_path(path, json_text(json_get(job, "jobname"))));
    if (!j) return;
    bool any = false;
    double v;
    json_options(&j->opt, global, &any);
    json_options(&j->opt, json_get(job, "job options"), &any);
    j->opt.known = any && (j->opt.rw.len > 0 || json_get(job, "job options"));
    j->reported = true;
    if (json_number(json_get(job, "error"), &v)) j->error = v;
    static const char *const words[] = {"read", "write"};
    for (int dir = 0; dir < 2; dir++) {
        const cJSON *io = json_get(job, words[dir]);
        if (!io) continue;
        Direction *d = &j->dir[dir];
        /* io_bytes were KiB up to fio 2.99, where io_kbytes is missing */
        bool old = !json_get(io, "io_kbytes");
        if (!json_number(json_get(io, "io_bytes"), &v) &&
            !(json_number(json_get(io, "io_kbytes"), &v) && (v *= 1024, true))) {
            parse_note(ctx, spot_path(path, str_of(words[dir])), "a job of fio without io_bytes");
            continue;
        }
        ctx->rows++;
        if (!(v > 0)) continue;
        d->seen = true;
        d->bytes = old ? v * 1024 : v;
        if (json_number(json_get(io, "runtime"), &v)) d->seconds = v / 1000;
        if (json_number(json_get(io, "bw_bytes"), &v)) d->bytes_s = v;
        else if (json_number(json_get(io, "bw"), &v)) d->bytes_s = v * 1024;
        if (json_number(json_get(io, "iops"), &v)) d->iops = v;
        if (json_number(json_get(io, "total_ios"), &v)) d->ios = v;
        json_latency(io, "clat_ns", 1e-6, &d->lat);
        json_latency(io, "clat", 1e-3, &d->lat); /* 2.x: microseconds */
        if (!isnan(d->ios)) d->lat.n = d->ios;
        Str text = arena_strf(ctx->scratch, "%.*s %s io_bytes=%.0f runtime=%.3fs bw_bytes=%.0f iops=%.1f",
                              STR_ARG(j->name), words[dir], d->bytes, isnan(d->seconds) ? 0 : d->seconds,
                              isnan(d->bytes_s) ? 0 : d->bytes_s, isnan(d->iops) ? 0 : d->iops);
        d->at = spot_path(json_path(ctx->scratch, path, words[dir]), text);
    }
    const cJSON *sync = json_get(job, "sync");
    double syncs = 0;
    if (sync && json_number(json_at(sync, "/lat_ns/N"), &syncs) && syncs > 0) {
        json_latency(sync, "lat_ns", 1e-6, &j->sync_lat);
        j->sync_at = spot_path(json_path(ctx->scratch, path, "sync"),
                               arena_strf(ctx->scratch, "%.*s sync N=%.0f", STR_ARG(j->name), syncs));
    }
}

static bool json_form(Str head) {
    return str_has(head, "\"jobs\"") &&
           (str_has(head, "\"fio version\"") || (str_has(head, "\"jobname\"") && str_has(head, "\"io_bytes\"")));
}

static ParseResult parse_json(State *s, Input *in) {
    ParseCtx *ctx = s->ctx;
    Str text, document;
    Error err = {""};
    if (!input_all(in, ctx->scratch, JSON_LIMIT, &text))
        parse_note(ctx, input_spot(in), "JSON: only the first %d bytes were read", JSON_LIMIT);
    size_t number = 0;
    while ((document = json_next(&text)).p) {
        cJSON *doc = json_read(ctx->scratch, document, &err);
        if (!doc) {
            parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
            break;
        }
        Str base = number++ ? arena_strf(ctx->scratch, "/document %zu/jobs", number) : STR("/jobs");
        const cJSON *jobs = json_get(doc, "jobs"), *job;
        size_t at = 0;
        cJSON_ArrayForEach(job, jobs) {
            json_job(s, job, json_get(doc, "global options"), json_path_index(ctx->scratch, base, at++));
        }
    }
    for (size_t i = 0; i < s->count; i++) put_job(s, s->jobs[i]);
    return parse_result(ctx);
}

/* ---------------------------------------------------------------- */

static int fio_bid(Str path, Str command, Str head) {
    int bits = command_is(command, "fio") ? 6 : path_has(path, "fio") ? 4 : 0;
    Str name, rest;
    int evidence = 0, foreign = 0, errors = 0;
    Str all = head;
    for (int n = 0; n < 40 && head.len; n++) {
        Str line = head_line(&head), word = str_trim(line);
        if (!word.len) continue;
        if (word.p[0] == '{' && !evidence) return json_form(all) ? 28 + bits : 0;
        if (job_line(line, &name, &rest)) evidence += 20;
        else if (result_line(line, &name, &rest)) evidence += 20;
        else if (terse_line(line)) evidence += 30;
        else if (version_line(line)) evidence += 12;
        else if (str_starts(word, "fio: terminating on signal")) errors += 16; /* it was stopped; its report follows */
        else if (str_starts(word, "fio: ")) errors += str_has(word, "err=") && str_has(word, "func=") ? 16 : 2;
        else if (!other_line(line) && !evidence && ++foreign > 2) return errors >= 16 ? errors + bits : 0;
        if (evidence >= 40) break;
    }
    if (errors >= 16 && evidence < 16) evidence += 16;
    return evidence >= 12 ? (evidence > 44 ? 44 : evidence) + bits : 0;
}

static bool fio_starts(Str line) {
    Str name, rest;
    return job_line(line, &name, &rest) || result_line(line, &name, &rest) || terse_line(line) || version_line(line) ||
           str_starts(line, "fio: terminating on signal") || str_starts(line, "fio: pid=");
}

static bool fio_continues(Str line) {
    Str name, rest;
    return !str_trim(line).len || fio_starts(line) || direction_line(line, &rest) >= 0 || other_line(line) ||
           result_line(line, &name, &rest);
}

static ParseResult fio_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->dir = -1;
    s->unit_ms = NAN;
    s->command = no_options();
    if (ctx->command.len) fio_command(ctx->command, &s->command);
    s->kb1000 = str_has(ctx->command, "kb_base=1000");
    Str line;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        if (!s->count && str_trim(line).p[0] == '{') {
            input_unread(in);
            return parse_json(s, in);
        }
        human_line(s, line, input_spot(in));
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->jobs[i]->reported) put_job(s, s->jobs[i]);
    if (s->verify_errors)
        facts_note(
            ctx->facts, ctx->src, (Spot){.line = s->verify_line},
            arena_strf(ctx->arena, "fio read back other data than it wrote, %lld times", (long long)s->verify_errors));
    return parse_result(ctx);
}

const Parser parser_fio = {
    .name = "fio",
    .bid = fio_bid,
    .starts = fio_starts,
    .continues = fio_continues,
    .parse = fio_parse,
    .ask = "fio --name=t --filename=TESTFILE --rw=write --bs=1M --size=8G --direct=1 --end_fsync=1",
};
