/*
 * histogram.h - quantiles of many values in little memory
 *
 * A Histogram counts values in logarithmic cells: 64 to an octave (a factor of two), none wider than 1.6 % of its lower
 * end, so a quantile read from it is off by less than 2 %. It costs 128 bytes for each octave that the values span, twice
 * that once a cell counts more than 65,535.
 *
 * quantiles_exact() is for values that are all at hand.
 */
#ifndef STORDX_FACTS_HISTOGRAM_H
#define STORDX_FACTS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HISTOGRAM_CELLS = 64,       /* per octave */
    HISTOGRAM_MIN_OCTAVE = -20, /* what is below 2^-20 (1 ns in ms) counts as 0 */
    HISTOGRAM_MAX_OCTAVE = 43   /* what is above 2^44 counts as 2^44 */
};

/* Memory that all histograms of one owner may take together, in bytes. */
typedef struct HistogramBudget {
    size_t used, limit;
} HistogramBudget;

/* All zero is an empty histogram. */
typedef struct Histogram {
    void *cells;    /* uint16_t, or uint32_t when wide; octaves * HISTOGRAM_CELLS */
    uint64_t total; /* values counted */
    uint64_t zero;  /* of these, zero, negative or tiny */
    int8_t low;     /* exponent of the first octave */
    uint8_t octaves;
    bool wide;
    bool lost; /* the budget was exceeded: no quantile */
} Histogram;

/* Counts n values, none of them NAN. Past the budget the histogram gives up what it has and stays lost. */
void histogram_add(Histogram *h, HistogramBudget *budget, const float *values, size_t n);

/* The q-quantile, 0 <= q <= 1, by linear interpolation between closest ranks; NAN when empty or lost. Negative values
   count as 0. */
double histogram_quantile(const Histogram *h, double q);

/* Gives the cells back; the histogram is empty afterwards. */
void histogram_free(Histogram *h, HistogramBudget *budget);

/*
 * The exact quantiles of n >= 1 values (no NAN; they may be reordered), by linear interpolation between closest ranks: what
 * SQL's percentile() gives too. q: count values, each 0 to 1, ascending. One or two passes over the values, not a sort,
 * because a capture has thousands of columns.
 */
void quantiles_exact(float *values, size_t n, const double *q, double *out, size_t count);

#endif
