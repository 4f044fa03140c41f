/*
 * samples.c - the store: rows in, folding when the budget is exceeded, rows and summaries out
 */
#include "samples_store.h"

#include "../base/error.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

const char *const metric_names[METRIC_COUNT] = {
#define METRIC(name, weight, busy) #name,
#include "metrics.def"
#undef METRIC
};

static const Metric metric_weight[METRIC_COUNT] = {
#define METRIC(name, weight, busy) weight,
#include "metrics.def"
#undef METRIC
};

static const Metric metric_busy[METRIC_COUNT] = {
#define METRIC(name, weight, busy) busy,
#include "metrics.def"
#undef METRIC
};

enum {
    LEVEL_RAW = -4,
    LEVEL_MIN = -3,  /* 125 ms, the finest grid that whole milliseconds can hold */
    LEVEL_MAX = 37,  /* all of time in one bucket */
    FOLD_FROM = 256, /* below, the histograms of a series would take more than its rows */
    MIN_SERIES = 256,
    SERIES_BYTES = 2048, /* what a series costs at least, with lines and peaks: sets how many there may be */
    TEXT_LIMIT = 32 * 1024 * 1024,
    FIRST_SLAB = 64 * 1024,
    HUGE_SLAB = 2 * 1024 * 1024
};
#define MAX_TIME_S 1e11 /* the year 5138; what is beyond is not a time */

static const size_t block_bytes[3] = {512, 2048, 8192};

typedef struct FreeBlock {
    struct FreeBlock *next;
} FreeBlock;

static void *must(void *p) {
    if (!p) fatal("out of memory");
    return p;
}

/* Room for one more item in an array that doubles. */
static void *grown(void *items, size_t count, size_t *cap, size_t size) {
    if (count < *cap) return items;
    *cap = *cap ? *cap * 2 : 16;
    return must(realloc(items, *cap * size));
}

/* The latencies of requests; the waits of scrub, trim and rebuild are background by design. */
bool metric_is_latency(Metric m) {
    switch (m) {
    case M_r_await_ms:
    case M_w_await_ms:
    case M_d_await_ms:
    case M_f_await_ms:
    case M_await_ms:
    case M_total_wait_read_ms:
    case M_total_wait_write_ms:
    case M_disk_wait_read_ms:
    case M_disk_wait_write_ms:
    case M_syncq_wait_read_ms:
    case M_syncq_wait_write_ms:
    case M_asyncq_wait_read_ms:
    case M_asyncq_wait_write_ms: return true;
    default: return false;
    }
}

/* ---------------------------------------------------------------- blocks */

/*
 * A page fault costs more than the parsing of the rows that fill the page, so slabs grow to 2 MB and ask for huge pages.
 * The first ones are small: most uploads hold a few hundred rows.
 */
static void new_slab(Samples *s) {
    size_t bytes = FIRST_SLAB;
    while (bytes < HUGE_SLAB && bytes < s->slab_bytes) bytes *= 2;
    void *slab = NULL;
    if (bytes == HUGE_SLAB) {
        if (posix_memalign(&slab, HUGE_SLAB, HUGE_SLAB) != 0) slab = NULL;
#ifdef MADV_HUGEPAGE
        if (slab) madvise(slab, HUGE_SLAB, MADV_HUGEPAGE); /* a refusal changes nothing but speed */
#endif
    } else {
        slab = malloc(bytes);
    }
    must(slab);
    s->slabs = grown(s->slabs, s->slab_count, &s->slab_cap, sizeof *s->slabs);
    s->slabs[s->slab_count++] = slab;
    s->slab_at = slab;
    s->slab_end = s->slab_at + bytes;
    s->slab_bytes += bytes;
}

static void give_block(Samples *s, void *block, unsigned size) {
    FreeBlock *b = block;
    b->next = s->free_blocks[size];
    s->free_blocks[size] = b;
}

static void *take_block(Samples *s, unsigned size) {
    if (!s->free_blocks[size]) {
        for (unsigned larger = size + 1; larger < 3; larger++) /* split what folding gave back */
            if (s->free_blocks[larger]) {
                char *p = (char *)s->free_blocks[larger];
                s->free_blocks[larger] = s->free_blocks[larger]->next;
                for (size_t at = 0; at < block_bytes[larger]; at += block_bytes[size]) give_block(s, p + at, size);
                break;
            }
    }
    FreeBlock *b = s->free_blocks[size];
    if (b) {
        s->free_blocks[size] = b->next;
        return b;
    }
    if ((size_t)(s->slab_end - s->slab_at) < block_bytes[size]) {
        while ((size_t)(s->slab_end - s->slab_at) >= block_bytes[0]) { /* the rest of the old slab, in small blocks */
            give_block(s, s->slab_at, 0);
            s->slab_at += block_bytes[0];
        }
        new_slab(s);
    }
    void *p = s->slab_at;
    s->slab_at += block_bytes[size];
    return p;
}

static SampleChunk *new_chunk(Samples *s, unsigned size, size_t row_words) {
    SampleChunk *c = take_block(s, size);
    *c = (SampleChunk){.size = (uint16_t)size};
    c->cap = (uint16_t)((block_bytes[size] - sizeof *c) / (row_words * sizeof(Word)));
    s->used_words += block_bytes[size] / sizeof(Word);
    return c;
}

static void free_chunk(Samples *s, SampleChunk *c) {
    s->used_words -= block_bytes[c->size] / sizeof(Word);
    give_block(s, c, c->size);
}

static bool chunk_takes(const SampleChunk *c, int64_t t_ms, int64_t line) {
    if (c->rows == c->cap) return false;
    if (!c->rows) return true;
    int64_t dt = t_ms - c->t0_ms, dl = line - c->line0;
    return dt >= INT32_MIN && dt <= INT32_MAX && dl >= INT32_MIN && dl <= INT32_MAX;
}

/* A new row's words; the caller fills in what follows the head. */
static Word *chunk_row(SampleChunk *c, size_t row_words, int64_t t_ms, float dt_s, int64_t line) {
    if (!c->rows) {
        c->t0_ms = t_ms;
        c->line0 = line;
        c->t_min = c->t_max = 0;
    }
    int32_t offset = (int32_t)(t_ms - c->t0_ms);
    if (offset < c->t_min) c->t_min = offset;
    if (offset > c->t_max) c->t_max = offset;
    Word *w = c->words + c->rows++ * row_words;
    w[0].i = offset;
    w[1].f = dt_s;
    w[2].i = (int32_t)(line - c->line0);
    return w;
}

/* ---------------------------------------------------------------- original lines */

static LineText *keep_text(Samples *s, int64_t line, Str text) {
    size_t len = text.len < FACTS_LINE_CLIP ? text.len : FACTS_LINE_CLIP;
    if (!text.p || s->text_bytes > TEXT_LIMIT) return NULL;
    LineText *t = must(malloc(sizeof *t + len));
    *t = (LineText){.line = line, .uses = 1, .len = (uint16_t)len};
    memcpy(t->text, text.p, len);
    s->text_bytes += sizeof *t + len;
    return t;
}

static void drop_text(Samples *s, LineText *t) {
    if (!t || --t->uses) return;
    s->text_bytes -= sizeof *t + t->len;
    free(t);
}

/* ---------------------------------------------------------------- series */

Samples *samples_new(Facts *f, size_t budget_values) {
    Samples *s = must(calloc(1, sizeof *s));
    s->facts = f;
    s->budget_words = budget_values;
    s->histograms.limit = budget_values * sizeof(float);
    s->level = LEVEL_RAW;
    s->fold_from = FOLD_FROM;
    s->max_series = budget_values * sizeof(float) / SERIES_BYTES;
    if (s->max_series < MIN_SERIES) s->max_series = MIN_SERIES;
    return s;
}

static void free_series(Samples *s, Series *series) {
    for (size_t c = 0; c < series->column_count; c++) {
        if (series->peaks) drop_text(s, series->peaks[c].text);
        if (series->stats) {
            histogram_free(&series->stats[c].all, &s->histograms);
            histogram_free(&series->stats[c].while_busy, &s->histograms);
        }
    }
    for (size_t i = 0; i < series->worst_count; i++) {
        drop_text(s, series->worst[i]->text);
        free(series->worst[i]);
    }
    drop_text(s, series->first_text);
    free(series->peaks);
    free(series->stats);
    free(series);
}

void samples_free(Samples *s) {
    if (!s) return;
    sqlite3_finalize(s->insert_lifetime);
    sqlite3_finalize(s->insert_text);
    for (size_t i = 0; i < s->count; i++) free_series(s, s->series[i]);
    for (size_t i = 0; i < s->sink_count; i++) free(s->sinks[i]);
    for (size_t i = 0; i < s->name_count; i++) free(s->names[i]);
    for (size_t i = 0; i < s->slab_count; i++) free(s->slabs[i]);
    free(s->series);
    free(s->sinks);
    free(s->names);
    free(s->slabs);
    free(s);
}

static const char *keep_name(Samples *s, const char *name) {
    if (!name) name = "";
    for (size_t i = s->name_count; i-- > 0;)
        if (strcmp(s->names[i], name) == 0) return s->names[i];
    size_t size = strlen(name) + 1;
    s->names = grown(s->names, s->name_count, &s->name_cap, sizeof *s->names);
    char *copy = must(malloc(size));
    memcpy(copy, name, size);
    return s->names[s->name_count++] = copy;
}

/* What takes the rows of a series too many: it counts them, so that samples_resolve() can say how many. */
static Series *sink_for(Samples *s, int64_t src) {
    if (s->sink_count && s->sinks[s->sink_count - 1]->src == src) return s->sinks[s->sink_count - 1];
    s->sinks = grown(s->sinks, s->sink_count, &s->sink_cap, sizeof *s->sinks);
    Series *sink = must(calloc(1, sizeof *sink));
    sink->all = s;
    sink->src = src;
    sink->refused = true;
    return s->sinks[s->sink_count++] = sink;
}

static int16_t first_slot(const Series *s, const Metric *metrics, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s->slot[metrics[i]] >= 0) return s->slot[metrics[i]];
    return -1;
}

/* Which columns say how bad a sample is: request latencies, else the first of what is left to say it by. */
static void choose_scored(Series *s) {
    static const Metric others[] = {M_cpu_iowait_pct, M_psi_io_full_pct, M_psi_io_some_pct, M_util_pct,
                                    M_procs_blocked};
    for (size_t c = 0; c < s->column_count; c++)
        if (metric_is_latency(s->columns[c])) s->scored[s->scored_count++] = (uint16_t)c;
    int16_t other = first_slot(s, others, sizeof others / sizeof *others);
    if (!s->scored_count && other >= 0) s->scored[s->scored_count++] = (uint16_t)other;
}

/*
 * Metrics that idle intervals leave NAN. Where such a one has no rate to weigh it, a bucket counts its samples; rates are
 * there in every sample, so the bucket's n will do for them.
 */
static bool often_unknown(Metric m) {
    return metric_weight[m] != M_NONE || metric_is_latency(m) || m == M_areq_bytes || m == M_scrub_wait_ms ||
           m == M_trim_wait_ms || m == M_rebuild_wait_ms;
}

Series *samples_series(Samples *s, int64_t src, Ref device, const char *tool, const Metric *columns,
                       size_t column_count, int64_t header_line) {
    if (s->count >= s->max_series) return sink_for(s, src);
    Series *series = must(calloc(1, sizeof *series));
    series->all = s;
    series->src = src;
    series->device = device;
    series->tool = keep_name(s, tool);
    series->header_line = header_line;
    memset(series->slot, -1, sizeof series->slot);
    if (column_count > MAX_COLUMNS) column_count = MAX_COLUMNS;
    series->column_count = (uint16_t)column_count;
    for (size_t c = 0; c < column_count; c++) {
        series->columns[c] = columns[c];
        if (columns[c] >= 0 && columns[c] < METRIC_COUNT) series->slot[columns[c]] = (int16_t)c;
    }
    series->raw_words = (uint16_t)(HEAD_WORDS + column_count);
    size_t words = FOLDED_WORDS + column_count;
    for (size_t c = 0; c < column_count; c++) {
        Metric m = columns[c];
        bool known = m >= 0 && m < METRIC_COUNT;
        Metric weight = known ? metric_weight[m] : M_NONE, busy = known ? metric_busy[m] : M_NONE;
        series->weight[c] = weight == M_NONE ? -1 : series->slot[weight];
        series->busy[c] = busy == M_NONE ? -1 : series->slot[busy];
        series->weight_word[c] = series->weight[c] < 0 && known && often_unknown(m) ? (int16_t)words++ : -1;
    }
    series->folded_words = (uint16_t)words;
    static const Metric read_waits[] = {M_r_await_ms, M_disk_wait_read_ms, M_total_wait_read_ms};
    static const Metric write_waits[] = {M_w_await_ms, M_disk_wait_write_ms, M_total_wait_write_ms};
    series->read_rate = series->slot[M_r_s];
    series->write_rate = series->slot[M_w_s];
    series->read_wait = first_slot(series, read_waits, 3);
    series->write_wait = first_slot(series, write_waits, 3);
    choose_scored(series);
    series->last_dt_s = series->usual_dt_s = NAN;
    series->peaks = must(calloc(column_count ? column_count : 1, sizeof *series->peaks));
    for (size_t c = 0; c < column_count; c++) series->peaks[c].value = -INFINITY;
    s->series = grown(s->series, s->count, &s->cap, sizeof *s->series);
    return s->series[s->count++] = series;
}

/* ---------------------------------------------------------------- what a sample counts as */

static void count_sample(const Series *s, const float *values, uint32_t counts[SAMPLE_COUNTS]) {
    memset(counts, 0, SAMPLE_COUNTS * sizeof *counts);
    bool reads = s->read_rate >= 0 && values[s->read_rate] >= SAMPLES_BUSY_PER_S;
    bool writes = s->write_rate >= 0 && values[s->write_rate] >= SAMPLES_BUSY_PER_S;
    counts[COUNT_BUSY] = reads || writes;
    if (reads && s->read_wait >= 0) {
        float wait = values[s->read_wait];
        counts[COUNT_READ_GE5] = wait >= 5;
        counts[COUNT_READ_GE10] = wait >= 10;
        counts[COUNT_READ_GE40] = wait >= 40;
    }
    if (writes && s->write_wait >= 0) {
        float wait = values[s->write_wait];
        counts[COUNT_WRITE_GE5] = wait >= 5;
        counts[COUNT_WRITE_GE10] = wait >= 10;
        counts[COUNT_WRITE_GE40] = wait >= 40;
    }
}

/* ---------------------------------------------------------------- folding */

/* A bucket while rows go into it. */
typedef struct Bucket {
    int64_t end_ms, line;
    double sum[MAX_COLUMNS], weight[MAX_COLUMNS], dt_s;
    uint32_t n, counts[SAMPLE_COUNTS];
} Bucket;

static int64_t width_ms(int level) {
    return level < 0 ? 1000 >> -level : (int64_t)1000 << level;
}

/* The end of the bucket that the moment lies in; a bucket holds (end - width, end]. */
static int64_t bucket_end(int64_t t_ms, int64_t width) {
    if (width == width_ms(LEVEL_MAX)) return width; /* the last resort, whatever the times are */
    int64_t rest = t_ms % width;
    return rest ? t_ms - rest + (t_ms > 0 ? width : 0) : t_ms;
}

static uint32_t add_clipped(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* What an operation-weighted value counts by. An interval with a latency had an operation, even where its rate was
   rounded to 0.00. */
static double weight_of_rate(float rate) {
    return rate > 0 ? (double)rate : rate == 0 ? 1e-3 : 1;
}

static void bucket_begin(Bucket *b, const Series *s, int64_t end_ms) {
    memset(b->sum, 0, s->column_count * sizeof *b->sum);
    memset(b->weight, 0, s->column_count * sizeof *b->weight);
    memset(b->counts, 0, sizeof b->counts);
    b->end_ms = end_ms;
    b->line = 0;
    b->dt_s = 0;
    b->n = 0;
}

/* n samples that are one row, or are all of the bucket's time. */
static void bucket_count(Bucket *b, int64_t line, float dt_s, uint32_t n, const uint32_t *counts) {
    if (!b->n) b->line = line;
    if (dt_s == dt_s) b->dt_s += (double)dt_s;
    b->n = add_clipped(b->n, n);
    for (int i = 0; i < SAMPLE_COUNTS; i++) b->counts[i] = add_clipped(b->counts[i], counts[i]);
}

static int64_t row_time(const SampleChunk *c, const Word *w) {
    return c->t0_ms + w[0].i;
}

static int64_t row_line(const SampleChunk *c, const Word *w) {
    return c->line0 + w[2].i;
}

static void bucket_end_row(Series *s, Bucket *b) {
    if (!b->n) return;
    Samples *all = s->all;
    if (!s->last || !chunk_takes(s->last, b->end_ms, b->line)) {
        SampleChunk *c = new_chunk(all, s->last ? s->grown : 0, s->folded_words);
        if (s->last && s->grown < 2) s->grown++;
        if (!s->last) s->grown = 1;
        if (s->last) s->last->next = c;
        else s->first = c;
        s->last = c;
    }
    Word *w = chunk_row(s->last, s->folded_words, b->end_ms, b->dt_s > 0 ? (float)b->dt_s : NAN, b->line);
    w[HEAD_WORDS].u = b->n;
    for (int i = 0; i < SAMPLE_COUNTS; i++) w[HEAD_WORDS + 1 + i].u = b->counts[i];
    for (size_t c = 0; c < s->column_count; c++) {
        w[FOLDED_WORDS + c].f = b->weight[c] > 0 ? (float)(b->sum[c] / b->weight[c]) : NAN;
        if (s->weight_word[c] >= 0) w[s->weight_word[c]].f = (float)b->weight[c];
    }
    s->rows++;
    b->n = 0;
}

static void bucket_folded_row(const Series *s, Bucket *b, const SampleChunk *c, const Word *w) {
    uint32_t counts[SAMPLE_COUNTS], n = w[HEAD_WORDS].u;
    for (int i = 0; i < SAMPLE_COUNTS; i++) counts[i] = w[HEAD_WORDS + 1 + i].u;
    bucket_count(b, row_line(c, w), w[1].f, n, counts);
    const Word *values = w + FOLDED_WORDS;
    for (size_t col = 0; col < s->column_count; col++) {
        double v = (double)values[col].f, weight = n;
        if (!(v == v)) continue;
        int by = s->weight[col];
        if (by >= 0) weight *= weight_of_rate(values[by].f);
        else if (s->weight_word[col] >= 0) weight = (double)w[s->weight_word[col]].f;
        b->sum[col] += v * weight;
        b->weight[col] += weight;
    }
}

/* Single samples: rows of c that lie in one bucket, the first at w. Column by column, which is where the time goes. */
static void bucket_samples(const Series *s, Bucket *b, const SampleChunk *c, const Word *w, size_t rows) {
    const Word *at = w;
    for (size_t r = 0; r < rows; r++, at += s->raw_words) {
        uint32_t counts[SAMPLE_COUNTS];
        count_sample(s, &at[HEAD_WORDS].f, counts);
        bucket_count(b, row_line(c, at), at[1].f, 1, counts);
    }
    for (size_t col = 0; col < s->column_count; col++) {
        double sum = 0, weight = 0;
        int by = s->weight[col];
        at = w + HEAD_WORDS;
        for (size_t r = 0; r < rows; r++, at += s->raw_words) {
            float v = at[col].f;
            double one = v == v ? (by >= 0 ? weight_of_rate(at[by].f) : 1.0) : 0.0;
            sum += (v == v ? (double)v : 0.0) * one;
            weight += one;
        }
        b->sum[col] += sum;
        b->weight[col] += weight;
    }
}

/* Takes the last row back into the bucket when it belongs to the same one. */
static void bucket_reopen(Series *s, Bucket *b, int64_t end_ms) {
    bucket_begin(b, s, end_ms);
    SampleChunk *c = s->last;
    if (!c || !c->rows) return;
    const Word *w = c->words + (size_t)(c->rows - 1) * s->folded_words;
    if (row_time(c, w) != end_ms) return;
    bucket_folded_row(s, b, c, w);
    c->rows--;
    s->rows--;
}

/* Adds the samples of a chunk of single samples to the summaries of their columns. */
static void summarise(Series *s, const SampleChunk *c) {
    HistogramBudget *budget = &s->all->histograms;
    float all[(8192 / sizeof(Word)) / HEAD_WORDS], busy[sizeof all / sizeof *all];
    for (size_t col = 0; col < s->column_count; col++) {
        ColumnStats *st = &s->stats[col];
        const Word *w = c->words + HEAD_WORDS;
        size_t n = 0, nb = 0;
        int by = (int)s->busy[col];
        double sum = 0;
        for (size_t r = 0; r < c->rows; r++, w += s->raw_words) {
            float v = w[col].f;
            if (!(v == v)) continue;
            sum += (double)v;
            all[n++] = v;
            if (by >= 0 && w[by].f >= SAMPLES_BUSY_PER_S) {
                busy[nb++] = v;
                st->ge[0] += v >= 5;
                st->ge[1] += v >= 10;
                st->ge[2] += v >= 40;
            }
        }
        st->sum += sum;
        st->n += n;
        histogram_add(&st->all, budget, all, n);
        if (by >= 0) {
            st->busy += nb;
            histogram_add(&st->while_busy, budget, busy, nb);
        } else {
            st->busy += n;
            for (size_t i = 0; i < n; i++) {
                st->ge[0] += all[i] >= 5;
                st->ge[1] += all[i] >= 10;
                st->ge[2] += all[i] >= 40;
            }
        }
    }
}

/* The samples of a chunk go into their summaries and buckets; the chunk is empty afterwards. */
static void fold_samples(Series *s, SampleChunk *c) {
    if (!c->rows) return;
    int64_t width = width_ms(s->all->level);
    Bucket b;
    summarise(s, c);
    size_t words = s->raw_words;
    const Word *w = c->words;
    int64_t end = bucket_end(row_time(c, w), width);
    bucket_reopen(s, &b, end);
    for (size_t from = 0, to = 0; from < c->rows; from = to) {
        if (end != b.end_ms) {
            bucket_end_row(s, &b);
            bucket_begin(&b, s, end);
        }
        for (to = from + 1; to < c->rows; to++) {
            end = bucket_end(row_time(c, w + to * words), width);
            if (end != b.end_ms) break;
        }
        bucket_samples(s, &b, c, w + from * words, to - from);
    }
    bucket_end_row(s, &b);
    c->rows = 0;
}

void series_flush(Series *s) {
    if (s->stage) fold_samples(s, s->stage);
}

/* Rebuilds a series on the grid of the present level, from single samples or from finer buckets. */
static void fold_series(Series *s) {
    Samples *all = s->all;
    SampleChunk *c = s->first;
    bool was_folded = s->folded;
    s->first = s->last = NULL;
    s->grown = 0;
    s->rows = 0;
    if (!was_folded) {
        s->folded = true;
        s->stats = must(calloc(s->column_count ? s->column_count : 1, sizeof *s->stats));
    }
    Bucket b;
    bucket_begin(&b, s, 0);
    int64_t width = width_ms(all->level);
    while (c) {
        SampleChunk *next = c->next;
        if (!was_folded) {
            fold_samples(s, c);
        } else {
            const Word *w = c->words;
            for (size_t r = 0; r < c->rows; r++, w += s->folded_words) {
                int64_t end = bucket_end(row_time(c, w), width);
                if (end != b.end_ms) {
                    bucket_end_row(s, &b);
                    bucket_begin(&b, s, end);
                }
                bucket_folded_row(s, &b, c, w);
            }
        }
        free_chunk(all, c);
        c = next;
    }
    bucket_end_row(s, &b);
    if (s->stage) {
        series_flush(s);
        free_chunk(all, s->stage);
        s->stage = NULL;
    }
}

/* Words that everything would take with buckets of this level. */
static size_t words_at(const Samples *s, int level, uint64_t fold_from) {
    double words = 0, width = (double)width_ms(level);
    for (size_t i = 0; i < s->count; i++) {
        const Series *x = s->series[i];
        if (!x->rows && !x->stage) continue;
        double rows = (double)x->rows, per_row = x->raw_words;
        if (x->folded || x->rows >= fold_from) {
            double most = (double)(x->max_ms - x->first_ms) / width + 2;
            if (rows > most) rows = most;
            per_row = x->folded_words;
        }
        words += rows * per_row + (double)block_bytes[0] / sizeof(Word);
    }
    return words < 1e15 ? (size_t)words : SIZE_MAX;
}

/*
 * Coarser buckets for all series at once, so that the grid is the same for all. The level is chosen to leave room for as
 * much again, so that the cost of folding stays a small part of the cost of adding.
 */
static void fold_all(Samples *s) {
    while (s->used_words > s->budget_words / 4 * 3 && (s->level < LEVEL_MAX || s->fold_from)) {
        if (words_at(s, LEVEL_MAX, s->fold_from) > s->budget_words / 4) s->fold_from = 0;
        int level = s->level < LEVEL_MIN ? LEVEL_MIN : s->level < LEVEL_MAX ? s->level + 1 : LEVEL_MAX;
        while (level < LEVEL_MAX && words_at(s, level, s->fold_from) > s->budget_words / 2) level++;
        if (level == LEVEL_MAX) s->fold_from = 0;
        s->level = level;
        s->folds++;
        for (size_t i = 0; i < s->count; i++) {
            Series *x = s->series[i];
            if (x->folded || (x->rows && x->rows >= s->fold_from)) fold_series(x);
        }
    }
}

/* ---------------------------------------------------------------- adding */

/* A chunk with room for one more sample. */
static SampleChunk *room_for_sample(Series *s, int64_t t_ms, int64_t line) {
    Samples *all = s->all;
    if (all->used_words + block_bytes[2] / sizeof(Word) > all->budget_words) fold_all(all);
    if (!s->folded && all->level > LEVEL_RAW && s->rows >= all->fold_from) fold_series(s);
    if (!s->folded) {
        if (s->last && chunk_takes(s->last, t_ms, line)) return s->last;
        SampleChunk *c = new_chunk(all, s->last ? s->grown : 0, s->raw_words);
        s->grown = s->last && s->grown < 2 ? (uint16_t)(s->grown + 1) : s->last ? 2 : 1;
        if (s->last) s->last->next = c;
        else s->first = c;
        return s->last = c;
    }
    series_flush(s);
    if (!s->stage || (s->stage->size < 2 && s->stage->cap > 0)) {
        unsigned size = s->stage ? s->stage->size + 1u : 0;
        if (s->stage) free_chunk(all, s->stage);
        s->stage = new_chunk(all, size, s->raw_words);
    }
    return s->stage;
}

static void keep_worst(Series *s, float score, int64_t t_ms, float dt_s, const Word *values, int64_t line,
                       LineText *text) {
    Samples *all = s->all;
    size_t at;
    WorstRow *w;
    if (s->worst_count < SAMPLES_WORST) {
        w = must(calloc(1, sizeof *w + s->column_count * sizeof *w->values));
        at = s->worst_count++;
        while (at > 0 && s->worst[(at - 1) / 2]->score > score) {
            s->worst[at] = s->worst[(at - 1) / 2];
            at = (at - 1) / 2;
        }
    } else {
        w = s->worst[0];
        drop_text(all, w->text);
        at = 0;
        for (size_t child; (child = 2 * at + 1) < s->worst_count; at = child) {
            if (child + 1 < s->worst_count && s->worst[child + 1]->score < s->worst[child]->score) child++;
            if (s->worst[child]->score >= score) break;
            s->worst[at] = s->worst[child];
        }
    }
    s->worst[at] = w;
    w->score = score;
    w->dt_s = dt_s;
    w->t_ms = t_ms;
    w->line = line;
    w->text = text;
    if (text) text->uses++;
    for (size_t c = 0; c < s->column_count; c++) w->values[c] = values[c].f;
}

/* The value that most samples have as their length, by majority vote: exact for a regular series, and one number. */
static void vote_interval(Series *s, float dt_s) {
    if (s->usual_votes == 0) {
        s->usual_dt_s = dt_s;
        s->usual_votes = 1;
    } else {
        s->usual_votes += s->usual_dt_s == dt_s ? 1 : -1;
    }
}

void samples_add(Series *s, double t_s, double dt_s, const float *values, int64_t line, Str text) {
    if (s->refused) {
        s->n++;
        return;
    }
    Samples *all = s->all;
    float dt = dt_s > 0 && dt_s < 1e9 ? (float)dt_s : NAN;
    bool timed = t_s >= 0 && t_s <= MAX_TIME_S;
    if (!s->n) s->has_time = timed;
    int64_t t_ms;
    if (timed && s->has_time) {
        t_ms = (int64_t)(t_s * 1000 + 0.5);
        if (!(dt == dt) && s->n && t_ms > s->last_ms) dt = (float)(t_ms - s->last_ms) / 1000;
    } else { /* counts on; a time in a series that began without one cannot be joined to the earlier rows */
        float step = dt == dt ? dt : s->last_dt_s == s->last_dt_s ? s->last_dt_s : 1;
        t_ms = s->last_ms + (int64_t)((double)step * 1000 + 0.5);
    }
    s->last_ms = t_ms;
    if (dt == dt) {
        s->last_dt_s = dt;
        vote_interval(s, dt);
    }

    SampleChunk *chunk = s->folded ? s->stage : s->last;
    if (!chunk || !chunk_takes(chunk, t_ms, line)) chunk = room_for_sample(s, t_ms, line);
    Word *w = chunk_row(chunk, s->raw_words, t_ms, dt, line) + HEAD_WORDS;
    LineText *kept = NULL;
    if (!s->n) {
        s->first_ms = s->max_ms = t_ms;
        s->line_first = line;
        s->first_text = kept = keep_text(all, line, text);
    } else {
        if (t_ms < s->first_ms) s->first_ms = t_ms;
        if (t_ms > s->max_ms) s->max_ms = t_ms;
    }
    s->line_last = line;
    s->n++;
    if (!s->folded) s->rows++;

    for (size_t c = 0; c < s->column_count; c++) {
        float v = values[c];
        w[c].f = v - v == 0 && v >= 0 ? v : NAN; /* infinite, NAN, or below zero, as counters that wrapped print it */
    }
    for (size_t c = 0; c < s->column_count; c++) {
        Peak *p = &s->peaks[c];
        if (!(w[c].f > p->value)) continue;
        p->value = w[c].f;
        p->t_ms = t_ms;
        p->line = line;
        drop_text(all, p->text);
        if (kept) kept->uses++;
        else kept = keep_text(all, line, text);
        p->text = kept;
    }
    float score = -INFINITY;
    for (size_t i = 0; i < s->scored_count; i++) {
        float v = w[s->scored[i]].f;
        if (v > score) score = v;
    }
    if (score > 0 && (s->worst_count < SAMPLES_WORST || score > s->worst[0]->score)) {
        bool shared = kept != NULL;
        if (!kept) kept = keep_text(all, line, text);
        keep_worst(s, score, t_ms, dt, w, line, kept);
        if (!shared && kept) kept->uses--; /* the worst row owns it alone */
    }
}

/* ---------------------------------------------------------------- reading */

size_t samples_series_count(const Samples *s) {
    return s->count;
}

Series *samples_series_at(Samples *s, size_t i) {
    return s->series[i];
}

int series_column(const Series *s, Metric m) {
    return s->slot[m];
}

/* Median length of a sample. */
static double median_interval(const Series *s) {
    if (s->folded || !s->rows) return (double)s->usual_dt_s;
    float *dt = must(malloc(s->rows * sizeof *dt));
    size_t n = 0;
    for (const SampleChunk *c = s->first; c; c = c->next)
        for (size_t r = 0; r < c->rows; r++) {
            float v = c->words[r * s->raw_words + 1].f;
            if (v == v) dt[n++] = v;
        }
    double middle = 0.5, median = NAN;
    if (n) quantiles_exact(dt, n, &middle, &median, 1);
    free(dt);
    return median;
}

static float peak_of(const Series *s, int column) {
    return column >= 0 && s->peaks[column].value > 0 ? s->peaks[column].value : 0;
}

int series_by_weight(const Series *a, const Series *b) {
    if (a->n != b->n) return a->n > b->n ? -1 : 1;
    int load_a = ilogbf(1 + peak_of(a, a->read_rate) + peak_of(a, a->write_rate));
    int load_b = ilogbf(1 + peak_of(b, b->read_rate) + peak_of(b, b->write_rate));
    if (load_a != load_b) return load_a > load_b ? -1 : 1;
    float wait_a = fmaxf(peak_of(a, a->read_wait), peak_of(a, a->write_wait));
    float wait_b = fmaxf(peak_of(b, b->read_wait), peak_of(b, b->write_wait));
    if (wait_a != wait_b) return wait_a > wait_b ? -1 : 1;
    return a->src < b->src ? -1 : a->src > b->src;
}

SeriesInfo series_info(Series *s) {
    series_flush(s);
    return (SeriesInfo){
        .node = s->node,
        .capture = s->capture,
        .src = s->src,
        .tool = s->tool,
        .columns = s->columns,
        .column_count = s->column_count,
        .n = s->n,
        .rows = s->rows,
        .first_ms = s->first_ms,
        .last_ms = s->max_ms,
        .bucket_ms = s->folded ? width_ms(s->all->level) : 0,
        .interval_s = median_interval(s),
        .has_time = s->has_time,
        .counts_reads = s->read_rate >= 0 && s->read_wait >= 0,
        .counts_writes = s->write_rate >= 0 && s->write_wait >= 0,
    };
}

void series_open(SeriesCursor *c, Series *s, int64_t from_ms, int64_t to_ms) {
    series_flush(s);
    *c = (SeriesCursor){.series = s, .chunk = s->first, .from_ms = from_ms, .to_ms = to_ms};
}

bool series_next(SeriesCursor *cur, SampleRow *row) {
    const Series *s = cur->series;
    size_t words = s->folded ? s->folded_words : s->raw_words;
    for (; cur->chunk; cur->chunk = cur->chunk->next, cur->row = 0) {
        const SampleChunk *c = cur->chunk;
        if (c->t0_ms + c->t_max < cur->from_ms || c->t0_ms + c->t_min > cur->to_ms) continue;
        while (cur->row < c->rows) {
            const Word *w = c->words + cur->row++ * words;
            int64_t t_ms = row_time(c, w);
            if (t_ms < cur->from_ms || t_ms > cur->to_ms) continue;
            row->t_ms = t_ms;
            row->dt_s = w[1].f;
            row->line = row_line(c, w);
            if (s->folded) {
                row->n = w[HEAD_WORDS].u;
                for (int i = 0; i < SAMPLE_COUNTS; i++) row->counts[i] = w[HEAD_WORDS + 1 + i].u;
                row->values = &w[FOLDED_WORDS].f;
            } else {
                row->n = 1;
                row->values = &w[HEAD_WORDS].f;
                count_sample(s, row->values, row->counts);
            }
            return true;
        }
    }
    return false;
}

bool series_worst(Series *s, size_t rank, SampleRow *row) {
    if (rank >= s->worst_count) return false;
    /* Once per read-out: a heap sorted in descending order is no heap, so a copy is sorted. */
    const WorstRow *sorted[SAMPLES_WORST];
    for (size_t i = 0; i < s->worst_count; i++) {
        size_t j = i;
        for (; j > 0 && (sorted[j - 1]->score < s->worst[i]->score ||
                         (sorted[j - 1]->score == s->worst[i]->score && sorted[j - 1]->t_ms > s->worst[i]->t_ms));
             j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = s->worst[i];
    }
    const WorstRow *w = sorted[rank];
    *row = (SampleRow){.t_ms = w->t_ms, .dt_s = w->dt_s, .line = w->line, .n = 1, .values = w->values};
    count_sample(s, w->values, row->counts);
    return true;
}

SamplesUsage samples_usage(const Samples *s) {
    return (SamplesUsage){
        .words = s->used_words,
        .histogram_bytes = s->histograms.used,
        .slab_bytes = s->slab_bytes,
        .text_bytes = s->text_bytes,
        .bucket_ms = s->level > LEVEL_RAW ? width_ms(s->level) : 0,
        .folds = s->folds,
    };
}

/* ---------------------------------------------------------------- summaries */

/* A quantile is worth something where at least five values lie beyond it. */
static bool enough(uint64_t n, unsigned per_mille) {
    return n * (1000 - per_mille) >= 5000;
}

static void summarise_exactly(const Series *s, ColumnSummary *out) {
    size_t rows = (size_t)s->rows, columns = s->column_count;
    float *all = must(calloc((rows + 1) * (columns + 2), sizeof *all));
    float *values = all + rows * columns, *busy = values + rows; /* one column each, to be reordered */
    size_t base = 0;
    for (const SampleChunk *c = s->first; c;
         base += c->rows, c = c->next) /* chunk by chunk: each is read from the cache */
        for (size_t col = 0; col < columns; col++) {
            const Word *w = c->words + HEAD_WORDS + col;
            float *to = all + col * rows + base;
            for (size_t r = 0; r < c->rows; r++, w += s->raw_words) to[r] = w->f;
        }
    for (size_t col = 0; col < columns; col++) {
        const float *v = all + col * rows, *rate = s->busy[col] >= 0 ? all + (size_t)s->busy[col] * rows : NULL;
        ColumnSummary *o = &out[col];
        size_t n = 0, nb = 0;
        double sum = 0;
        for (size_t r = 0; r < rows; r++) {
            if (!(v[r] == v[r])) continue;
            sum += (double)v[r];
            values[n++] = v[r];
            if (!rate || rate[r] >= SAMPLES_BUSY_PER_S) {
                busy[nb++] = v[r];
                o->ge[0] += v[r] >= 5;
                o->ge[1] += v[r] >= 10;
                o->ge[2] += v[r] >= 40;
            }
        }
        o->n = n;
        o->busy = nb;
        if (!n) continue;
        o->mean = sum / (double)n;
        static const double q[] = {0.50, 0.95, 0.99, 0.999};
        static const unsigned per_mille[] = {500, 950, 990, 999};
        double *to[] = {&o->p50, &o->p95, &o->p99, &o->p999}, found[4];
        size_t wanted = 0;
        while (wanted < 4 && enough(n, per_mille[wanted])) wanted++;
        size_t compute = wanted || nb != n ? wanted : 1;
        if (compute) quantiles_exact(values, n, q, found, compute);
        for (size_t i = 0; i < wanted; i++) *to[i] = found[i];
        if (nb == n) o->busy_p50 = found[0];
        else if (nb) quantiles_exact(busy, nb, q, &o->busy_p50, 1);
    }
    free(all);
}

static void summarise_from_histograms(const Series *s, ColumnSummary *out) {
    for (size_t col = 0; col < s->column_count; col++) {
        const ColumnStats *st = &s->stats[col];
        ColumnSummary *o = &out[col];
        o->n = st->n;
        o->busy = st->busy;
        memcpy(o->ge, st->ge, sizeof o->ge);
        if (!st->n) continue;
        o->mean = st->sum / (double)st->n;
        if (enough(st->n, 500)) o->p50 = histogram_quantile(&st->all, 0.50);
        if (enough(st->n, 950)) o->p95 = histogram_quantile(&st->all, 0.95);
        if (enough(st->n, 990)) o->p99 = histogram_quantile(&st->all, 0.99);
        if (enough(st->n, 999)) o->p999 = histogram_quantile(&st->all, 0.999);
        if (st->busy) o->busy_p50 = histogram_quantile(s->busy[col] >= 0 ? &st->while_busy : &st->all, 0.50);
        double *all[] = {&o->p50, &o->p95, &o->p99, &o->p999,
                         &o->busy_p50}; /* a cell reaches beyond the largest value */
        for (size_t i = 0; i < 5; i++)
            if (*all[i] > (double)s->peaks[col].value) *all[i] = (double)s->peaks[col].value;
    }
}

void series_summaries(Series *s, ColumnSummary *out) {
    series_flush(s);
    for (size_t col = 0; col < s->column_count; col++) {
        out[col] = (ColumnSummary){.mean = NAN, .p50 = NAN, .p95 = NAN, .p99 = NAN, .p999 = NAN, .busy_p50 = NAN};
        out[col].peak = &s->peaks[col];
    }
    if (s->folded) summarise_from_histograms(s, out);
    else if (s->rows) summarise_exactly(s, out);
}
