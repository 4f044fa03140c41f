/*
 * series.h - reading the samples back, for the virtual table and for peers.c
 *
 * Rows of a series come in the order in which they were added. Before folding a row is one sample; afterwards it is a
 * bucket of n samples on the grid of absolute times.
 */
#ifndef STORDX_FACTS_SERIES_H
#define STORDX_FACTS_SERIES_H

#include "samples.h"

enum {
    SAMPLES_BUSY_PER_S = 5, /* operations per second from which a sample counts as busy */
    SAMPLES_WORST = 16      /* samples kept in full per series, however much is folded */
};

/* How many of a row's samples are busy, and busy and slow in the same interval; a sum over the row's n samples. */
typedef enum SampleCount {
    COUNT_BUSY, /* reads or writes at SAMPLES_BUSY_PER_S or more */
    COUNT_READ_GE5,
    COUNT_READ_GE10,
    COUNT_READ_GE40, /* reads busy and their latency at least 5, 10, 40 ms */
    COUNT_WRITE_GE5,
    COUNT_WRITE_GE10,
    COUNT_WRITE_GE40,
    SAMPLE_COUNTS
} SampleCount;

typedef struct SampleRow {
    int64_t t_ms; /* end of the interval or bucket; since 1970, or since the first row where nothing has a time */
    float dt_s;   /* seconds covered; NAN unknown */
    int64_t line; /* of the (first) row; 0 none */
    uint32_t n;   /* samples in it */
    const float *values; /* one per column of the series; NAN unknown */
    uint32_t counts[SAMPLE_COUNTS];
} SampleRow;

/* What a series is. node and capture are 0 before samples_resolve() and where nothing is known. */
typedef struct SeriesInfo {
    int64_t node, capture, src;
    const char *tool;
    const Metric *columns;
    size_t column_count;
    uint64_t n;    /* samples added */
    uint64_t rows; /* rows that a cursor gives */
    int64_t first_ms, last_ms;
    int64_t bucket_ms; /* 0: every sample is kept */
    double interval_s; /* median length of a sample; NAN unknown */
    bool has_time;
    bool counts_reads; /* the read counts mean something: a rate and a latency of reads are columns */
    bool counts_writes;
} SeriesInfo;

size_t samples_series_count(const Samples *s);
Series *samples_series_at(Samples *s, size_t i);
SeriesInfo series_info(Series *series);
/* Of several series of one thing (two paths to it, two namespaces on it) the first speaks for it: the one with more samples, a load
   that is twice as high, longer waits. */
int series_by_weight(const Series *a, const Series *b);
/* Index of a metric among the columns, -1 without. */
int series_column(const Series *series, Metric m);

typedef struct SeriesCursor {
    Series *series;
    struct SampleChunk *chunk;
    size_t row;
    int64_t from_ms, to_ms; /* rows outside are passed over */
} SeriesCursor;

/* Rows with from_ms <= t_ms <= to_ms. Nothing may be added to any series while the cursor is in use. */
void series_open(SeriesCursor *c, Series *series, int64_t from_ms, int64_t to_ms);
/* False at the end. row->values points into the store. */
bool series_next(SeriesCursor *c, SampleRow *row);

/* The worst samples in full, the worst first. rank counts from 0; false when there are no more. */
bool series_worst(Series *series, size_t rank, SampleRow *row);

/* Values held and the memory they take, for tests and --verbose output. */
typedef struct SamplesUsage {
    size_t words;           /* 4 bytes each: what the budget limits */
    size_t histogram_bytes; /* limited to 4 bytes per value of the budget */
    size_t slab_bytes;      /* allocated for rows */
    size_t text_bytes;
    int64_t bucket_ms; /* 0: nothing folded */
    int folds;
} SamplesUsage;
SamplesUsage samples_usage(const Samples *s);

/* peers.c without Facts, for tests. */
bool peers_compute_in(sqlite3 *db, Samples *s, Error *err);

#endif
