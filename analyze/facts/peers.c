/*
 * peers.c - is one drive slower than its like, at the same moments?
 *
 * The one definition of a peer outlier is used by all rules; this file computes its figures, the view `outlier` of schema.sql
 * sets the thresholds:
 *
 *   group       drives of one vdev, of one pool (same class of vdev and same media), of one array, of one btrfs, of one drive
 *               class; and, for the question whether all are slow together, of one controller (same media)
 *   bucket      one report of one tool: all members at the same moment. The drive and at least one peer are busy: 5 or more
 *               operations per second of the compared kind
 *   like load   peers whose rate lies within one step of log2 of the drive's. Where no peer has such a load at that moment,
 *               the peers' medians at such loads over the whole capture stand in
 *   ratio       median over the buckets of (drive's latency / median latency of the peers without it)
 *   share       part of the buckets in which the ratio is 3 or more
 *   excess_ms   median over the buckets of (drive's latency - median latency of the peers)
 *   load_ratio  median over the buckets of (drive's reads and writes per second / their median at the busy peers): above 1.5 it
 *               is busier, not slower. Both kinds count, because a drive that gets all reads of a mirror writes slowly, too
 *   deviation   with at least 3 peers: median over the buckets of (drive - median of all) / spread, where spread is
 *               1.4826 x MAD, at least 5 % of the median and 0.5 ms (disks) or 0.05 ms (others)
 *   correlation of the logarithms of the drive's latency and its peers' median over the buckets, with 20 buckets or more
 *
 * util_pct, aqu_sz, iops and bytes_s are medians of the drive over the same buckets, peers_iops and peers_bytes_s the medians of
 * those of its peers: slow itself, or busy?
 *
 * Members of different media are compared apart. A drive that is being written anew (resilvering, replacing), a spare in place of another drive, logs, caches and special
 * devices do another job than data members: they are no peers of theirs, and a job of one drive alone has no peers at all.
 *
 * Of 800 buckets or more a part is taken by a hash of their times, about evenly spread and out of step with anything
 * periodic; figures and n_busy speak of the buckets taken.
 *
 * Members of mirrors are compared by their writes only: every write goes to all of them, but who gets a read is chosen.
 */
#include "histogram.h"
#include "series.h"

#include "../base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    METRICS = 4,
    BINS = 40,
    MAX_TRACKS = 64,      /* series of one drive that are looked at, the longest */
    ENOUGH_BUCKETS = 400, /* medians over more would decide the same */
    LEAST_CORRELATED = 20
};
#define SLOW_RATIO 3.0f
#define LEAST_MS 0.01f /* what tools print as 0.00: a ratio to it would be infinite */

static const struct {
    Metric wait, rate;
    bool reads;
} compared[METRICS] = {
    {M_r_await_ms, M_r_s, true},
    {M_w_await_ms, M_w_s, false},
    {M_disk_wait_read_ms, M_r_s, true},
    {M_disk_wait_write_ms, M_w_s, false},
};

/* What else is told of the drive at those moments. */
enum { IOPS, BYTES, UTIL, QUEUE, ABOUT };
static const struct {
    Metric first, second; /* added up; second M_NONE: the first alone */
} about_metric[ABOUT] = {
    [IOPS] = {M_r_s, M_w_s},
    [BYTES] = {M_r_bytes_s, M_w_bytes_s},
    [UTIL] = {M_util_pct, M_NONE},
    [QUEUE] = {M_aqu_sz, M_NONE},
};

static void *must(void *p) {
    if (!p) fatal("out of memory");
    return p;
}

/* ---------------------------------------------------------------- drives and their samples */

/* The samples of one drive in one piece of the upload. */
typedef struct Track {
    SeriesInfo info;
    Series *series;
    size_t n;
    int64_t *t_ms; /* ascending; NULL until first needed */
    float *wait[METRICS], *rate[METRICS];
    float *about[ABOUT]; /* NAN where the tool does not say */
} Track;

typedef struct Drive {
    int64_t capture, node;
    bool rotating, mirrored;
    char media[8]; /* empty: unknown */
    size_t first_track, track_count;
} Drive;

typedef struct Peers {
    sqlite3 *db;
    Error *err;
    Drive *drives; /* by capture, node */
    size_t drive_count;
    Track *tracks; /* by capture, node, the longest first */
    size_t track_count;
    sqlite3_stmt *insert;
} Peers;

static bool sql_failed(Peers *p) {
    return error_set(p->err, "peers: %s", sqlite3_errmsg(p->db));
}

static int compare_drives(const void *a, const void *b) {
    const Drive *x = a, *y = b;
    if (x->capture != y->capture) return x->capture < y->capture ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static Drive *find_drive(Peers *p, int64_t capture, int64_t node) {
    Drive key = {.capture = capture, .node = node};
    return p->drive_count ? bsearch(&key, p->drives, p->drive_count, sizeof key, compare_drives) : NULL;
}

static bool load_drives(Peers *p) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(p->db,
                           "SELECT capture, node, media FROM drive WHERE capture IS NOT NULL AND node IS NOT NULL", -1,
                           &st, NULL) != SQLITE_OK)
        return sql_failed(p);
    size_t cap = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (p->drive_count == cap) {
            cap = cap ? cap * 2 : 32;
            p->drives = must(realloc(p->drives, cap * sizeof *p->drives));
        }
        const char *media = (const char *)sqlite3_column_text(st, 2);
        p->drives[p->drive_count++] = (Drive){.capture = sqlite3_column_int64(st, 0),
                                              .node = sqlite3_column_int64(st, 1),
                                              .rotating = media && strcmp(media, "hdd") == 0};
        if (media) snprintf(p->drives[p->drive_count - 1].media, sizeof p->drives->media, "%s", media);
    }
    sqlite3_finalize(st);
    if (p->drive_count) qsort(p->drives, p->drive_count, sizeof *p->drives, compare_drives);
    return true;
}

static int compare_tracks(const void *a, const void *b) {
    const SeriesInfo *x = &((const Track *)a)->info, *y = &((const Track *)b)->info;
    if (x->capture != y->capture) return x->capture < y->capture ? -1 : 1;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return series_by_weight(((const Track *)a)->series, ((const Track *)b)->series);
}

static bool has_metric(const Track *t, size_t m) {
    return series_column(t->series, compared[m].wait) >= 0 && series_column(t->series, compared[m].rate) >= 0;
}

static void list_tracks(Peers *p, Samples *samples) {
    size_t count = samples_series_count(samples);
    p->tracks = must(calloc(count + 1, sizeof *p->tracks));
    for (size_t i = 0; i < count; i++) {
        Track t = {.series = samples_series_at(samples, i)};
        bool any = false;
        for (size_t m = 0; m < METRICS; m++) any |= has_metric(&t, m);
        if (!any) continue;
        t.info = series_info(t.series);
        if (t.info.rows && find_drive(p, t.info.capture, t.info.node)) p->tracks[p->track_count++] = t;
    }
    if (p->track_count) qsort(p->tracks, p->track_count, sizeof *p->tracks, compare_tracks);
    for (size_t i = 0; i < p->track_count; i++) {
        Drive *d = find_drive(p, p->tracks[i].info.capture, p->tracks[i].info.node);
        if (!d->track_count) d->first_track = i;
        if (d->track_count < MAX_TRACKS) d->track_count++;
    }
}

typedef struct Moment {
    int64_t t_ms;
    size_t at;
} Moment;

static int compare_moments(const void *a, const void *b) {
    const Moment *x = a, *y = b;
    if (x->t_ms != y->t_ms) return x->t_ms < y->t_ms ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void permute(float *v, const Moment *order, float *scratch, size_t n) {
    for (size_t i = 0; i < n; i++) scratch[i] = v[order[i].at];
    memcpy(v, scratch, n * sizeof *v);
}

/* Reads a track out of the store, once, and puts it in the order of its times. */
static void load_track(Track *t) {
    if (t->t_ms) return;
    size_t rows = (size_t)t->info.rows;
    t->t_ms = must(malloc((rows + 1) * sizeof *t->t_ms));
    int wait[METRICS], rate[METRICS];
    for (size_t m = 0; m < METRICS; m++) {
        if (!has_metric(t, m)) {
            wait[m] = rate[m] = -1;
            continue;
        }
        wait[m] = series_column(t->series, compared[m].wait);
        rate[m] = series_column(t->series, compared[m].rate);
        t->wait[m] = must(malloc((rows + 1) * sizeof(float)));
        t->rate[m] = must(malloc((rows + 1) * sizeof(float)));
    }
    int about[ABOUT][2];
    for (size_t k = 0; k < ABOUT; k++) {
        Metric second = about_metric[k].second;
        about[k][0] = series_column(t->series, about_metric[k].first);
        about[k][1] = second == M_NONE ? -1 : series_column(t->series, second);
        t->about[k] = must(malloc((rows + 1) * sizeof(float)));
    }
    SeriesCursor c;
    SampleRow row;
    bool sorted = true;
    series_open(&c, t->series, INT64_MIN / 2, INT64_MAX / 2);
    while (t->n < rows && series_next(&c, &row)) {
        size_t i = t->n++;
        t->t_ms[i] = row.t_ms;
        sorted &= i == 0 || t->t_ms[i - 1] <= row.t_ms;
        for (size_t m = 0; m < METRICS; m++) {
            if (wait[m] < 0) continue;
            t->wait[m][i] = row.values[wait[m]];
            t->rate[m][i] = row.values[rate[m]];
        }
        for (size_t k = 0; k < ABOUT; k++) {
            float sum = NAN;
            for (size_t part = 0; part < 2; part++) {
                float v = about[k][part] >= 0 ? row.values[about[k][part]] : NAN;
                if (!isnan(v)) sum = isnan(sum) ? v : sum + v;
            }
            t->about[k][i] = sum;
        }
    }
    if (sorted) return;
    Moment *order = must(malloc(t->n * sizeof *order)); /* the clock was set back while the tool ran */
    float *scratch = must(malloc(t->n * sizeof *scratch));
    for (size_t i = 0; i < t->n; i++) order[i] = (Moment){t->t_ms[i], i};
    qsort(order, t->n, sizeof *order, compare_moments);
    for (size_t i = 0; i < t->n; i++) t->t_ms[i] = order[i].t_ms;
    for (size_t m = 0; m < METRICS; m++) {
        if (!t->wait[m]) continue;
        permute(t->wait[m], order, scratch, t->n);
        permute(t->rate[m], order, scratch, t->n);
    }
    for (size_t k = 0; k < ABOUT; k++) permute(t->about[k], order, scratch, t->n);
    free(order);
    free(scratch);
}

/* ---------------------------------------------------------------- comparing */

typedef struct Group {
    int64_t capture, node; /* node 0: drives of one class, or a btrfs that is not mounted */
    const char *kind, *label;
    double grade; /* confidence that its members should be alike */
    bool writes_only;
    Drive **members;
    size_t count, cap;
} Group;

/* One member while a group is compared, and what each bucket said about it. */
typedef struct Member {
    const Drive *drive;
    const float *wait, *rate;
    float *const *about;
    const int64_t *t_ms;
    size_t n, at;
    int64_t key; /* bucket of the sample at `at`; INT64_MAX at the end */
    float *ratio, *excess, *value, *peers, *load, *deviation, *told[ABOUT];
    size_t room, buckets, slow, deviations, told_count[ABOUT]; /* room: for that many buckets */
    float about_median[ABOUT];
    float by_load[BINS]; /* median latency at loads within one step of each power of two; NAN where it had none */
} Member;

/* A busy member in one bucket. */
typedef struct Busy {
    float wait, iops; /* iops: of both kinds */
    uint32_t member;
    int bin;
    size_t row;
} Busy;

static void sort_busy(Busy *v, size_t n, Busy *scratch) {
    if (n <= 12) {
        for (size_t i = 1; i < n; i++) {
            Busy x = v[i];
            size_t j = i;
            for (; j > 0 && v[j - 1].wait > x.wait; j--) v[j] = v[j - 1];
            v[j] = x;
        }
        return;
    }
    size_t half = n / 2;
    sort_busy(v, half, scratch);
    sort_busy(v + half, n - half, scratch);
    if (v[half - 1].wait <= v[half].wait) return;
    memcpy(scratch, v, half * sizeof *v);
    for (size_t i = 0, j = half, k = 0; i < half; k++)
        v[k] = j < n && v[j].wait < scratch[i].wait ? v[j++] : scratch[i++];
}

static float median_sorted(const float *v, size_t n) {
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Median of n >= 2 sorted values without the one at `skip`. */
static float median_without(const float *v, size_t n, size_t skip) {
    size_t m = n - 1, high = m / 2, low = m % 2 ? high : high - 1;
    return (v[low + (low >= skip)] + v[high + (high >= skip)]) / 2;
}

/* Median absolute deviation of sorted values: walks outwards from the middle until half of them are passed. */
static float mad_sorted(const float *v, size_t n, float median) {
    size_t right = 0;
    while (right < n && v[right] < median) right++;
    size_t left = right; /* v[left - 1] is the next to the left */
    float last = 0, previous = 0;
    for (size_t taken = 0; taken <= n / 2; taken++) {
        bool go_left = left > 0 && (right >= n || median - v[left - 1] <= v[right] - median);
        previous = last;
        last = go_left ? median - v[--left] : v[right++] - median;
    }
    return n % 2 ? last : (previous + last) / 2;
}

static float median_of(float *v, size_t n) {
    double q = 0.5, out = NAN;
    if (n) quantiles_exact(v, n, &q, &out, 1);
    return (float)out;
}

/* The power of two in a rate of at least 5 per second: the exponent of the float. */
static int load_bin(float rate) {
    uint32_t bits;
    memcpy(&bits, &rate, sizeof bits);
    int bin = (int)(bits >> 23) - 127;
    return bin < BINS ? bin : BINS - 1;
}

/* Every member's median latency by its own load, over the whole capture. The samples are sorted by bins, so that a bin and
   its neighbours are one piece. */
static void medians_by_load(Member *members, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (members[i].n > most) most = members[i].n;
    float *by_bin = must(malloc(2 * (most + 1) * sizeof *by_bin)), *some = by_bin + most + 1;
    for (size_t i = 0; i < count; i++) {
        Member *m = &members[i];
        size_t start[BINS + 1] = {0}, fill[BINS];
        for (size_t k = 0; k < m->n; k++)
            if (m->wait[k] >= 0 && m->rate[k] >= SAMPLES_BUSY_PER_S) start[load_bin(m->rate[k]) + 1]++;
        for (int bin = 0; bin < BINS; bin++) {
            start[bin + 1] += start[bin];
            fill[bin] = start[bin];
        }
        for (size_t k = 0; k < m->n; k++)
            if (m->wait[k] >= 0 && m->rate[k] >= SAMPLES_BUSY_PER_S) by_bin[fill[load_bin(m->rate[k])]++] = m->wait[k];
        for (int bin = 0; bin < BINS; bin++) {
            size_t from = start[bin ? bin - 1 : 0], to = start[bin + 2 < BINS ? bin + 2 : BINS];
            memcpy(some, by_bin + from, (to - from) * sizeof *some);
            m->by_load[bin] = median_of(some, to - from);
        }
    }
    free(by_bin);
}

typedef struct Scratch {
    Busy *busy, *merge;
    float *rates, *waits;
    size_t *position;
    bool by_load;
} Scratch;

static void sort_rates(float *v, size_t n, float *scratch) {
    if (n <= 12) {
        for (size_t i = 1; i < n; i++) {
            float x = v[i];
            size_t j = i;
            for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
            v[j] = x;
        }
        return;
    }
    size_t half = n / 2;
    sort_rates(v, half, scratch);
    sort_rates(v + half, n - half, scratch);
    if (v[half - 1] <= v[half]) return;
    memcpy(scratch, v, half * sizeof *v);
    for (size_t i = 0, j = half, k = 0; i < half; k++) v[k] = j < n && v[j] < scratch[i] ? v[j++] : scratch[i++];
}

static void record(Member *m, size_t row, float wait, float peers, float load) {
    float floor_ms = peers > LEAST_MS ? peers : LEAST_MS;
    size_t i = m->buckets++;
    m->value[i] = wait;
    m->peers[i] = peers;
    m->ratio[i] = wait / floor_ms;
    m->excess[i] = wait - peers;
    m->load[i] = load;
    m->slow += m->ratio[i] >= SLOW_RATIO;
    for (size_t k = 0; k < ABOUT; k++)
        if (!isnan(m->about[k][row])) m->told[k][m->told_count[k]++] = m->about[k][row];
}

/* One bucket: n >= 2 busy members. */
static void compare_bucket(Member *members, size_t count, Scratch *s, size_t n) {
    Busy *busy = s->busy;
    sort_busy(busy, n, s->merge);
    for (size_t i = 0; i < n; i++) s->rates[i] = busy[i].iops;
    sort_rates(s->rates, n, s->waits);
    uint64_t bins = 0;
    for (size_t i = 0; i < n; i++) bins |= UINT64_C(1) << busy[i].bin;
    for (int bin = 0; bin < BINS; bin++) {
        if (!(bins >> bin & 1)) continue;
        size_t like = 0;
        for (size_t i = 0; i < n; i++) {
            int step = busy[i].bin - bin;
            s->position[i] = like;
            if (step >= -1 && step <= 1) s->waits[like++] = busy[i].wait;
        }
        float median = 0, mad = 0;
        if (like >= 4) {
            median = median_sorted(s->waits, like);
            mad = mad_sorted(s->waits, like, median);
        }
        for (size_t i = 0; i < n; i++) {
            if (busy[i].bin != bin) continue;
            Member *m = &members[busy[i].member];
            /* the load's place among the sorted ones, for a median without it: any of equal ones will do */
            size_t low = 0, high = n;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (s->rates[middle] < busy[i].iops) low = middle + 1;
                else high = middle;
            }
            float load = busy[i].iops / median_without(s->rates, n, low);
            if (like >= 2) {
                record(m, busy[i].row, busy[i].wait, median_without(s->waits, like, s->position[i]), load);
                if (like >= 4) {
                    float spread = 1.4826f * mad, least_ms = m->drive->rotating ? 0.5f : 0.05f;
                    if (spread < 0.05f * median) spread = 0.05f * median;
                    if (spread < least_ms) spread = least_ms;
                    m->deviation[m->deviations++] = (busy[i].wait - median) / spread;
                }
                continue;
            }
            if (!s->by_load) {
                medians_by_load(members, count);
                s->by_load = true;
            }
            size_t others = 0;
            for (size_t k = 0; k < count; k++)
                if (k != busy[i].member && members[k].by_load[bin] >= 0) s->waits[others++] = members[k].by_load[bin];
            if (others) record(m, busy[i].row, busy[i].wait, median_of(s->waits, others), load);
        }
    }
}

/* How times become buckets, and which of the buckets are taken. */
typedef struct Grid {
    int64_t width_ms; /* 1: equal times */
    uint64_t stride;  /* one bucket of so many */
} Grid;

static int64_t bucket_key(const Grid *g, int64_t t_ms) {
    return g->width_ms > 1 ? t_ms / g->width_ms : t_ms;
}

static bool takes(const Grid *g, int64_t key) {
    return g->stride == 1 || ((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> 33) % g->stride == 0;
}

/* Goes to the next bucket that is taken; only one sample of a bucket counts. */
static void next_sample(Member *m, const Grid *g) {
    int64_t done = m->key;
    for (; m->at < m->n; m->at++) {
        int64_t key = bucket_key(g, m->t_ms[m->at]);
        if (key == done || !takes(g, key)) continue;
        m->key = key;
        return;
    }
    m->key = INT64_MAX;
}

static float log_ms(float wait) {
    return logf(wait > LEAST_MS ? wait : LEAST_MS);
}

/* Pearson's coefficient; NAN with few buckets or where one of the two never changes. */
static double correlation(const Member *m) {
    double n = (double)m->buckets, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    if (m->buckets < LEAST_CORRELATED) return NAN;
    for (size_t i = 0; i < m->buckets; i++) {
        sx += (double)log_ms(m->value[i]);
        sy += (double)log_ms(m->peers[i]);
    }
    for (size_t i = 0; i < m->buckets; i++) {
        double x = (double)log_ms(m->value[i]) - sx / n, y = (double)log_ms(m->peers[i]) - sy / n;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return xx > 1e-6 * n && yy > 1e-6 * n ? xy / sqrt(xx * yy) : NAN;
}

static void bind_known(sqlite3_stmt *st, int i, double v) {
    if (isnan(v)) sqlite3_bind_null(st, i);
    else sqlite3_bind_double(st, i, v);
}

/* Median over the other members of what they told about themselves. */
static double median_of_others(const Member *members, size_t count, const Member *own, size_t what, float *scratch) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (&members[i] != own && !isnan(members[i].about_median[what])) scratch[n++] = members[i].about_median[what];
    return (double)median_of(scratch, n);
}

static bool write_peer(Peers *p, const Group *g, size_t metric, const char *tool, const Member *all, size_t members,
                       Member *m, float *scratch) {
    if (!m->buckets) return true;
    double together = correlation(m); /* before the medians, which reorder what they are taken of */
    sqlite3_stmt *st = p->insert;
    sqlite3_bind_int64(st, 1, g->capture);
    sqlite3_bind_int64(st, 2, m->drive->node);
    sqlite3_bind_text(st, 3, metric_names[compared[metric].wait], -1, SQLITE_STATIC);
    if (g->node) sqlite3_bind_int64(st, 4, g->node);
    else sqlite3_bind_null(st, 4);
    sqlite3_bind_text(st, 5, g->label, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 6, (sqlite3_int64)members);
    sqlite3_bind_double(st, 7, (double)median_of(m->ratio, m->buckets));
    sqlite3_bind_double(st, 8, (double)m->slow / (double)m->buckets);
    sqlite3_bind_double(st, 9, (double)median_of(m->excess, m->buckets));
    sqlite3_bind_int64(st, 10, (sqlite3_int64)m->buckets);
    sqlite3_bind_double(st, 11, (double)median_of(m->load, m->buckets));
    if (m->deviations) sqlite3_bind_double(st, 12, (double)median_of(m->deviation, m->deviations));
    else sqlite3_bind_null(st, 12);
    sqlite3_bind_double(st, 13, (double)median_of(m->value, m->buckets));
    sqlite3_bind_double(st, 14, (double)median_of(m->peers, m->buckets));
    sqlite3_bind_text(st, 15, tool, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 16, g->kind, -1, SQLITE_STATIC);
    sqlite3_bind_double(st, 17, g->grade);
    for (int k = 0; k < ABOUT; k++) bind_known(st, 18 + k, (double)m->about_median[k]);
    bind_known(st, 22, median_of_others(all, members, m, IOPS, scratch));
    bind_known(st, 23, median_of_others(all, members, m, BYTES, scratch));
    bind_known(st, 24, together);
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE || sql_failed(p);
}

/* Compares the tracks given, one per member; NULL where a drive has none. width: of a bucket in ms, 1: equal times. */
static bool compare_tracks_of(Peers *p, const Group *g, size_t metric, Track **tracks, int64_t width) {
    size_t count = 0, rows = 0, longest = 0;
    Member *members = must(calloc(g->count + 1, sizeof *members));
    const char *tool = NULL;
    for (size_t i = 0; i < g->count; i++) {
        Track *t = tracks[i];
        if (!t) continue;
        load_track(t);
        tool = t->info.tool;
        Member *m = &members[count++];
        *m = (Member){.drive = g->members[i],
                      .wait = t->wait[metric],
                      .rate = t->rate[metric],
                      .about = t->about,
                      .t_ms = t->t_ms,
                      .n = t->n};
        if (m->n > longest) longest = m->n;
    }
    Grid grid = {.width_ms = width, .stride = longest / ENOUGH_BUCKETS > 1 ? longest / ENOUGH_BUCKETS : 1};
    for (size_t i = 0; i < count; i++) {
        Member *m = &members[i];
        m->key = INT64_MIN;
        for (next_sample(m, &grid); m->key != INT64_MAX; next_sample(m, &grid)) m->room++;
        rows += m->room;
        m->at = 0;
        m->key = INT64_MIN;
        next_sample(m, &grid);
    }
    float *figures = must(malloc((rows + 1) * (6 + ABOUT) * sizeof *figures)), *next = figures;
    for (size_t i = 0; i < count; i++) {
        float **of[] = {&members[i].ratio, &members[i].excess, &members[i].value,
                        &members[i].peers, &members[i].load,   &members[i].deviation};
        for (size_t k = 0; k < 6; k++, next += members[i].room) *of[k] = next;
        for (size_t k = 0; k < ABOUT; k++, next += members[i].room) members[i].told[k] = next;
    }
    Scratch s = {.busy = must(malloc(count * sizeof *s.busy)),
                 .merge = must(malloc(count * sizeof *s.merge)),
                 .rates = must(malloc(count * sizeof *s.rates)),
                 .waits = must(malloc(count * sizeof *s.waits)),
                 .position = must(malloc(count * sizeof *s.position))};
    for (;;) {
        int64_t key = INT64_MAX;
        for (size_t i = 0; i < count; i++)
            if (members[i].key < key) key = members[i].key;
        if (key == INT64_MAX) break;
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            Member *m = &members[i];
            if (m->key != key) continue;
            float wait = m->wait[m->at], rate = m->rate[m->at];
            if (wait >= 0 && rate >= SAMPLES_BUSY_PER_S)
                s.busy[n++] = (Busy){.wait = wait,
                                     .iops = m->about[IOPS][m->at] >= rate ? m->about[IOPS][m->at] : rate,
                                     .member = (uint32_t)i,
                                     .bin = load_bin(rate),
                                     .row = m->at};
            next_sample(m, &grid);
        }
        if (n >= 2) compare_bucket(members, count, &s, n);
    }
    bool good = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ABOUT; k++)
            members[i].about_median[k] = median_of(members[i].told[k], members[i].told_count[k]);
    for (size_t i = 0; i < count && good; i++)
        good = write_peer(p, g, metric, tool, members, count, &members[i], s.waits);
    free(s.busy);
    free(s.merge);
    free(s.rates);
    free(s.waits);
    free(s.position);
    free(figures);
    free(members);
    return good;
}

static Track *track_of(Peers *p, const Drive *d, size_t metric, const char *tool, int64_t src) {
    for (size_t i = d->first_track; i < d->first_track + d->track_count; i++) {
        Track *t = &p->tracks[i];
        if (t->info.tool == tool && (!src || t->info.src == src) && has_metric(t, metric)) return t;
    }
    return NULL;
}

/*
 * The samples of one piece have the same time stamps, so the piece that covers most of the group is taken. Only where no
 * piece covers two members (a file per drive) are times of different pieces joined, in buckets as long as their interval.
 */
static bool compare_by_tool(Peers *p, const Group *g, size_t metric, const char *tool) {
    int64_t best_src = 0;
    size_t best_members = 0;
    uint64_t best_rows = 0;
    for (size_t i = 0; i < g->count; i++) {
        const Drive *d = g->members[i];
        for (size_t k = d->first_track; k < d->first_track + d->track_count; k++) {
            const Track *t = &p->tracks[k];
            if (t->info.tool != tool || !has_metric(t, metric) || t->info.src == best_src) continue;
            size_t members = 0;
            uint64_t rows = 0;
            for (size_t j = 0; j < g->count; j++) {
                const Track *same = track_of(p, g->members[j], metric, tool, t->info.src);
                members += same != NULL;
                rows += same ? same->info.n : 0;
            }
            if (members > best_members || (members == best_members && rows > best_rows)) {
                best_src = t->info.src;
                best_members = members;
                best_rows = rows;
            }
        }
    }
    Track **tracks = must(calloc(g->count + 1, sizeof *tracks));
    size_t found = 0;
    double interval_s = 0;
    for (size_t i = 0; i < g->count; i++) {
        Track *t = track_of(p, g->members[i], metric, tool, best_members >= 2 ? best_src : 0);
        if (!t || (best_members < 2 && !t->info.has_time))
            continue; /* rows without times fit those of their own piece only */
        tracks[i] = t;
        found++;
        double own = t->info.bucket_ms ? (double)t->info.bucket_ms / 1000 : t->info.interval_s;
        if (own > interval_s) interval_s = own;
    }
    int64_t width = best_members >= 2 ? 1 : interval_s > 0 && interval_s < 1e6 ? (int64_t)(interval_s * 1000) : 1000;
    bool good = found < 2 || compare_tracks_of(p, g, metric, tracks, width);
    free(tracks);
    return good;
}

static bool compare_alike(Peers *p, const Group *g) {
    if (g->count < 2) return true;
    const char *tools[8];
    size_t tool_count = 0;
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = g->members[i]->first_track; k < g->members[i]->first_track + g->members[i]->track_count; k++) {
            const char *tool = p->tracks[k].info.tool;
            size_t j = 0;
            while (j < tool_count && tools[j] != tool) j++;
            if (j == tool_count && tool_count < sizeof tools / sizeof *tools) tools[tool_count++] = tool;
        }
    for (size_t t = 0; t < tool_count; t++)
        for (size_t m = 0; m < METRICS; m++) {
            if (compared[m].reads && g->writes_only) continue;
            Group some = *g;
            Drive **kept = must(malloc(g->count * sizeof *kept));
            some.members = kept;
            some.count = 0;
            for (size_t i = 0; i < g->count; i++) /* a member of a mirror somewhere has no say about reads */
                if (!compared[m].reads || !g->members[i]->mirrored) kept[some.count++] = g->members[i];
            bool good = some.count < 2 || compare_by_tool(p, &some, m, tools[t]);
            free(kept);
            if (!good) return false;
        }
    return true;
}

/* A hard disk beside an SSD in one mirror is slower by nature: kinds of media are compared among themselves. A medium that nobody
   knows is taken for the only one known in the group. */
static bool compare_group(Peers *p, const Group *g) {
    const char *known = "";
    bool mixed = false, good = true;
    for (size_t i = 0; i < g->count; i++) {
        const char *media = g->members[i]->media;
        mixed |= media[0] && known[0] && strcmp(media, known) != 0;
        if (media[0]) known = media;
    }
    if (!mixed) return compare_alike(p, g);
    Drive **kept = must(malloc(g->count * sizeof *kept));
    for (size_t i = 0; i < g->count && good; i++) {
        const char *media = g->members[i]->media;
        bool before = false;
        for (size_t k = 0; k < i && !before; k++) before = strcmp(g->members[k]->media, media) == 0;
        if (before) continue;
        Group some = *g;
        some.members = kept;
        some.count = 0;
        for (size_t k = i; k < g->count; k++)
            if (strcmp(g->members[k]->media, media) == 0) kept[some.count++] = g->members[k];
        char *label = media[0] ? must(sqlite3_mprintf("%s (%s)", g->label, media)) : NULL;
        if (label) some.label = label;
        good = compare_alike(p, &some);
        sqlite3_free(label);
    }
    free(kept);
    return good;
}

/* ---------------------------------------------------------------- groups */

/*
 * Runs a query whose rows are (capture, group node, label, writes only, drive, kind, grade), those of one group together, and
 * does `each` with every group.
 */
static bool for_groups(Peers *p, const char *sql, bool (*each)(Peers *, const Group *)) {
    static const char *const kinds[] = {"vdev", "pool", "array", "filesystem", "class", "controller"};
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(p->db, sql, -1, &st, NULL) != SQLITE_OK) return sql_failed(p);
    Group g = {0};
    char *label = NULL;
    bool good = true;
    int rc;
    do {
        rc = sqlite3_step(st);
        bool row = rc == SQLITE_ROW;
        const char *text = row ? (const char *)sqlite3_column_text(st, 2) : NULL;
        if (!text) text = "";
        bool same = row && label && sqlite3_column_int64(st, 0) == g.capture && sqlite3_column_int64(st, 1) == g.node &&
                    strcmp(label, text) == 0;
        if (!same && label) {
            good = each(p, &g);
            sqlite3_free(label);
            label = NULL;
        }
        if (!row) break;
        if (!same) {
            label = must(sqlite3_mprintf("%s", text));
            g.capture = sqlite3_column_int64(st, 0);
            g.node = sqlite3_column_int64(st, 1);
            g.label = label;
            g.writes_only = sqlite3_column_int(st, 3);
            g.kind = kinds[sqlite3_column_int(st, 5)];
            g.grade = sqlite3_column_double(st, 6);
            g.count = 0;
        }
        Drive *d = find_drive(p, g.capture, sqlite3_column_int64(st, 4));
        if (!d || (g.count && g.members[g.count - 1] == d)) continue;
        if (g.count == g.cap) {
            g.cap = g.cap ? g.cap * 2 : 16;
            g.members = must(realloc(g.members, g.cap * sizeof(Drive *)));
        }
        g.members[g.count++] = d;
    } while (good);
    if (rc != SQLITE_DONE && good && rc != SQLITE_ROW) good = sql_failed(p);
    sqlite3_free(label);
    free(g.members);
    sqlite3_finalize(st);
    return good;
}

static bool mark_mirrored(Peers *p, const Group *g) {
    (void)p;
    if (g->writes_only)
        for (size_t i = 0; i < g->count; i++) g->members[i]->mirrored = true;
    return true;
}

/* A drive that is written anew, or stands in for another, does more than its peers and may well be slower meanwhile. A drive
   that waits to be used does nothing. Both are neither judged nor peers. */
#define SETTLED                                                                                                        \
    " NOT EXISTS (SELECT 1 FROM vdev x LEFT JOIN vdev y ON y.capture = x.capture AND y.node = x.parent"                \
    " AND coalesce(y.is_leaf, 0) = 0 WHERE x.capture = d.capture AND x.node = d.node AND x.is_leaf = 1"                \
    " AND (x.text LIKE '%resilver%' OR x.text LIKE '%rebuild%' OR x.class = 'spare' OR y.type LIKE 'replacing%'"       \
    " OR y.type LIKE 'spare%' OR y.type LIKE 'dspare%'))"                                                              \
    " AND NOT EXISTS (SELECT 1 FROM setting x JOIN reach y ON y.capture = x.capture AND y.above = x.node"              \
    " WHERE x.capture = d.capture AND y.below = d.node AND x.key = 'md_member_state'"                                  \
    " AND x.value IN ('spare rebuilding', 'replacement'))"
/* Members of one vdev. */
#define VDEVS                                                                                                          \
    "SELECT DISTINCT d.capture, v.node, n.label, v.type LIKE 'mirror%', d.node, 0, 0.9"                                \
    " FROM drive d CROSS JOIN reach r ON r.capture = d.capture AND r.below = d.node"                                   \
    " JOIN vdev v ON v.capture = d.capture AND v.node = r.above JOIN node n ON n.id = v.node"                          \
    " WHERE coalesce(v.is_leaf, 0) = 0 AND (v.type LIKE 'mirror%' OR v.type LIKE 'raidz%' OR v.type LIKE 'draid%')"    \
    " AND" SETTLED " ORDER BY 1, 2, 5"
/* RAID 1 and 10 choose who gets a read, as mirrors do. In RAID 10 and 0 a write goes to some of the members only. */
#define ARRAYS                                                                                                         \
    "SELECT DISTINCT d.capture, a.node, n.label, a.level LIKE '%raid1' OR a.level LIKE '%raid10' OR a.level IN ('1', " \
    "'10'),"                                                                                                           \
    " d.node, 2, CASE WHEN a.level LIKE '%10' OR a.level LIKE '%0' OR a.level LIKE '%linear' THEN 0.8 ELSE 0.9 END"    \
    " FROM drive d CROSS JOIN reach r ON r.capture = d.capture AND r.below = d.node"                                   \
    " JOIN raid_array a ON a.capture = d.capture AND a.node = r.above JOIN node n ON n.id = a.node"                    \
    " WHERE" SETTLED                                                                                                   \
    " AND NOT EXISTS (SELECT 1 FROM setting x JOIN reach y ON y.capture = x.capture AND y.above = x.node"              \
    " JOIN reach z ON z.capture = x.capture AND z.below = x.node AND z.above = a.node"                                 \
    " WHERE x.capture = d.capture AND y.below = d.node AND x.key = 'md_member_state' AND (x.value LIKE '%spare%'"      \
    " OR x.value LIKE '%faulty%' OR x.value LIKE '%rebuild%' OR x.value IN ('replacement', 'journal', 'removed')))"    \
    " ORDER BY 1, 2, 5"
/* Leaves of one job and one kind of medium. */
#define POOLS                                                                                                          \
    "SELECT DISTINCT d.capture, v.pool,"                                                                               \
    " n.label || CASE WHEN coalesce(v.class, 'data') = 'data' THEN '' ELSE ' ' || v.class END"                         \
    " || CASE WHEN d.media IS NULL THEN '' ELSE ' (' || d.media || ')' END, 0, d.node, 1, 0.8"                         \
    " FROM drive d CROSS JOIN reach r ON r.capture = d.capture AND r.below = d.node"                                   \
    " JOIN vdev v ON v.capture = d.capture AND v.node = r.above AND v.is_leaf = 1 JOIN node n ON n.id = v.pool"        \
    " WHERE" SETTLED " ORDER BY 1, 2, 3, 5"
/* Devices of one btrfs carry one UUID. Whose copy is read is chosen by it, so writes only. */
#define FILESYSTEMS                                                                                                    \
    "SELECT DISTINCT d.capture, coalesce((SELECT max(m.node) FROM mount m JOIN reach q ON q.capture = m.capture"       \
    " AND q.above = m.node JOIN reach o ON o.capture = m.capture AND o.above = q.below WHERE m.capture = d.capture"    \
    " AND m.fstype = 'btrfs' AND o.below = d.node AND q.below = u.node), 0),"                                          \
    " 'btrfs ' || u.value || CASE WHEN d.media IS NULL THEN '' ELSE ' (' || d.media || ')' END, 1, d.node, 3, 0.8"     \
    " FROM setting u JOIN setting t ON t.capture = u.capture AND t.node = u.node AND t.key = 'fs_type'"                \
    " AND t.value = 'btrfs' JOIN reach r ON r.capture = u.capture AND r.above = u.node"                                \
    " JOIN drive d ON d.capture = u.capture AND d.node = r.below WHERE u.key = 'fs_uuid' ORDER BY 1, 3, 5"
/* A log, cache or special device does another job than the data members of its class. */
#define CLASSES                                                                                                        \
    "SELECT DISTINCT d.capture, 0, d.class, 0, d.node, 4, 0.6 FROM drive d WHERE d.class IS NOT NULL"                  \
    " AND coalesce(d.is_virtual, 0) = 0 AND" SETTLED                                                                   \
    " AND NOT EXISTS (SELECT 1 FROM vdev o WHERE o.capture = d.capture AND o.node = d.node AND o.is_leaf = 1"          \
    " AND o.class IN ('log', 'cache', 'special', 'dedup'))"                                                            \
    " AND (NOT EXISTS (SELECT 1 FROM setting x JOIN reach y ON y.capture = x.capture AND y.above = x.node"             \
    " WHERE x.capture = d.capture AND y.below = d.node AND x.key = 'md_member_state')"                                 \
    " OR EXISTS (SELECT 1 FROM setting x JOIN reach y ON y.capture = x.capture AND y.above = x.node"                   \
    " WHERE x.capture = d.capture AND y.below = d.node AND x.key = 'md_member_state' AND x.value = 'in use'))"         \
    " ORDER BY 1, 3, 5"
/* Not for judging one drive: are they slow together? */
#define CONTROLLERS                                                                                                    \
    "SELECT DISTINCT d.capture, p.controller, n.label || CASE WHEN d.media IS NULL THEN '' ELSE ' (' || d.media"       \
    " || ')' END, 0, d.node, 5, 0.0 FROM drive d JOIN place p ON p.capture = d.capture AND p.node = d.node"            \
    " AND coalesce(p.boot, 0) = 0 JOIN node n ON n.id = p.controller"                                                  \
    " WHERE coalesce(d.is_virtual, 0) = 0 AND" SETTLED " ORDER BY 1, 2, 3, 5"

static bool compute(Peers *p, Samples *samples) {
    if (!load_drives(p)) return false;
    list_tracks(p, samples);
    if (p->track_count < 2) return true;
    if (sqlite3_prepare_v2(
            p->db,
            "INSERT INTO peer(capture, drive, metric, peer_group, group_label, members, ratio, share, excess_ms,"
            " n_busy, load_ratio, deviation, value_ms, peers_ms, tool, group_kind, grade, iops, bytes_s, util_pct, "
            "aqu_sz,"
            " peers_iops, peers_bytes_s, correlation)"
            " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24)",
            -1, &p->insert, NULL) != SQLITE_OK)
        return sql_failed(p);
    return for_groups(p, VDEVS, mark_mirrored) && for_groups(p, ARRAYS, mark_mirrored) &&
           for_groups(p, FILESYSTEMS, mark_mirrored) && for_groups(p, VDEVS, compare_group) &&
           for_groups(p, ARRAYS, compare_group) && for_groups(p, FILESYSTEMS, compare_group) &&
           for_groups(p, POOLS, compare_group) && for_groups(p, CLASSES, compare_group) &&
           for_groups(p, CONTROLLERS, compare_group);
}

bool peers_compute_in(sqlite3 *db, Samples *samples, Error *err) {
    Peers p = {.db = db, .err = err};
    bool good = compute(&p, samples);
    sqlite3_finalize(p.insert);
    for (size_t i = 0; i < p.track_count; i++) {
        free(p.tracks[i].t_ms);
        for (size_t m = 0; m < METRICS; m++) {
            free(p.tracks[i].wait[m]);
            free(p.tracks[i].rate[m]);
        }
        for (size_t k = 0; k < ABOUT; k++) free(p.tracks[i].about[k]);
    }
    free(p.tracks);
    free(p.drives);
    return good;
}

bool peers_compute(Facts *f, Error *err) {
    return peers_compute_in(facts_db(f), facts_samples(f), err);
}
