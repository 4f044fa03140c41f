/*
 * samples_store.h - how samples lie in memory; for samples.c and samples_sql.c only
 *
 *     Samples --- Series --- chunks (blocks of 512, 2048 or 8192 bytes carved from slabs)
 *                   |          rows of words: [t][dt][line] [values...]                          every sample kept
 *                   |                         [t][dt][line] [n][counts...] [values...] [weights...]   folded
 *                   +------ stage: samples since the last fold, not yet in their bucket
 *                   +------ summary of each column: sum, counts, histogram (only once folded), maximum and its line
 *                   +------ the worst samples in full
 *
 * A row's time and line are 32-bit offsets from its chunk's base, so a row of iostat is 100 bytes and exact to 1 ms.
 */
#ifndef STORDX_FACTS_SAMPLES_STORE_H
#define STORDX_FACTS_SAMPLES_STORE_H

#include "histogram.h"
#include "series.h"

enum {
    MAX_COLUMNS = 32,
    HEAD_WORDS = 3,                               /* t, dt, line */
    FOLDED_WORDS = HEAD_WORDS + 1 + SAMPLE_COUNTS /* ... n and counts */
};

typedef union Word {
    float f;
    int32_t i;
    uint32_t u;
} Word;

typedef struct SampleChunk {
    struct SampleChunk *next;
    int64_t t0_ms, line0;
    int32_t t_min, t_max; /* offsets of the rows */
    uint16_t rows, cap;
    uint16_t size; /* index of its block size */
    Word words[];
} SampleChunk;

/* An original line, shared by everything that refers to it. */
typedef struct LineText {
    int64_t line;
    uint32_t uses;
    uint16_t len;
    char text[];
} LineText;

/* A metric's maximum; kept from the first row on, because its line cannot be read a second time. */
typedef struct Peak {
    float value; /* -INFINITY: none yet */
    int64_t t_ms, line;
    LineText *text;
} Peak;

/* What is left of a column's samples once they are folded. */
typedef struct ColumnStats {
    double sum;
    uint64_t n, busy, ge[3]; /* ge: busy and at least 5, 10, 40 */
    Histogram all, while_busy;
} ColumnStats;

typedef struct WorstRow {
    float score, dt_s;
    int64_t t_ms, line;
    LineText *text;
    float values[]; /* column_count */
} WorstRow;

struct Series {
    Samples *all;
    int64_t src, header_line;
    Ref device;
    const char *tool;
    int64_t node, capture; /* from samples_resolve() */
    Metric columns[MAX_COLUMNS];
    int16_t weight[MAX_COLUMNS];      /* column whose value weighs this one; -1 plain mean */
    int16_t weight_word[MAX_COLUMNS]; /* word of a folded row that counts this column's samples; -1 none needed */
    int16_t busy[MAX_COLUMNS];        /* column that tells whether a sample is busy; -1 always */
    int16_t slot[METRIC_COUNT];       /* column of a metric; -1 without */
    uint16_t scored[MAX_COLUMNS];     /* columns by which samples are the worst */
    uint16_t column_count, scored_count, raw_words, folded_words;
    int16_t read_rate, write_rate, read_wait, write_wait; /* columns, -1 without */
    bool has_time, folded, refused;

    SampleChunk *first, *last, *stage;
    uint16_t grown; /* block size of the next chunk */
    uint64_t n, rows;
    int64_t last_ms, first_ms, max_ms; /* of the latest row; the earliest and the latest time */
    int64_t line_first, line_last;
    float last_dt_s, usual_dt_s;
    int64_t usual_votes;
    LineText *first_text;
    Peak *peaks; /* column_count */
    ColumnStats *stats;
    WorstRow *worst[SAMPLES_WORST]; /* a heap, the least bad at 0 */
    size_t worst_count;
};

struct Samples {
    Facts *facts; /* may be NULL in tests */
    sqlite3 *db;
    sqlite3_stmt *insert_lifetime, *insert_text;
    uint64_t lifetime_rows, lifetime_dropped;

    Series **series; /* all that are kept */
    size_t count, cap;
    Series **sinks; /* refused ones: they only count */
    size_t sink_count, sink_cap;
    char **names;
    size_t name_count, name_cap;

    size_t budget_words, used_words, max_series;
    int level;          /* buckets are 2^level s wide; LEVEL_RAW: nothing folded */
    uint64_t fold_from; /* series with fewer rows stay as they are */
    int folds;
    HistogramBudget histograms;
    size_t text_bytes, slab_bytes;
    void **slabs;
    size_t slab_count, slab_cap;
    char *slab_at, *slab_end;
    struct FreeBlock *free_blocks[3];
};

/* Everything about a column of a series that the table `distribution` wants; NAN where unknown. */
typedef struct ColumnSummary {
    uint64_t n, busy, ge[3];
    double mean, p50, p95, p99, p999, busy_p50;
    const Peak *peak;
} ColumnSummary;

/* Puts samples that wait for their bucket into it. */
void series_flush(Series *s);
/* out: one per column. */
void series_summaries(Series *s, ColumnSummary *out);
bool metric_is_latency(Metric m);

#endif
