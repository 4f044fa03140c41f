#include "histogram.h"

#include "../base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t float_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/*
 * A cell is the exponent and the first six bits of the mantissa of a float, so finding it takes one shift; its width is at
 * most 1/64 of where it begins.
 */
enum { CELL_SHIFT = 17, EXPONENT_BIAS = 127 };
#define FIRST_CELL ((uint32_t)(EXPONENT_BIAS + HISTOGRAM_MIN_OCTAVE) * HISTOGRAM_CELLS)
#define LAST_CELL ((uint32_t)(EXPONENT_BIAS + HISTOGRAM_MAX_OCTAVE + 1) * HISTOGRAM_CELLS - 1)

static size_t cell_bytes(const Histogram *h) {
    return h->wide ? sizeof(uint32_t) : sizeof(uint16_t);
}

void histogram_free(Histogram *h, HistogramBudget *budget) {
    budget->used -= (size_t)h->octaves * HISTOGRAM_CELLS * cell_bytes(h);
    free(h->cells);
    *h = (Histogram){0};
}

static bool lose(Histogram *h, HistogramBudget *budget) {
    uint64_t total = h->total;
    histogram_free(h, budget);
    h->lost = true;
    h->total = total;
    return false;
}

/* Makes the octaves low..high present in cells of the given width. */
static bool reshape(Histogram *h, HistogramBudget *budget, int low, int high, bool wide) {
    size_t before = (size_t)h->octaves * HISTOGRAM_CELLS * cell_bytes(h);
    size_t count = (size_t)(high - low + 1) * HISTOGRAM_CELLS;
    size_t bytes = count * (wide ? sizeof(uint32_t) : sizeof(uint16_t));
    if (budget->used - before + bytes > budget->limit) return lose(h, budget);
    void *cells = calloc(1, bytes);
    if (!cells) fatal("out of memory");
    size_t shift = h->octaves ? (size_t)(h->low - low) * HISTOGRAM_CELLS : 0;
    for (size_t i = 0; i < (size_t)h->octaves * HISTOGRAM_CELLS; i++) {
        uint32_t value = h->wide ? ((const uint32_t *)h->cells)[i] : ((const uint16_t *)h->cells)[i];
        if (wide) ((uint32_t *)cells)[shift + i] = value;
        else ((uint16_t *)cells)[shift + i] = (uint16_t)value;
    }
    free(h->cells);
    h->cells = cells;
    h->low = (int8_t)low;
    h->octaves = (uint8_t)(high - low + 1);
    h->wide = wide;
    budget->used += bytes - before;
    return true;
}

/* Counts one value of a cell outside the octaves at hand, or in a cell that is full. False: lost. */
static bool add_slowly(Histogram *h, HistogramBudget *budget, uint32_t cell) {
    int octave = (int)(cell / HISTOGRAM_CELLS) - EXPONENT_BIAS;
    int low = h->octaves && h->low < octave ? h->low : octave;
    int high = h->octaves && h->low + h->octaves - 1 > octave ? h->low + h->octaves - 1 : octave;
    bool full = !h->wide && h->octaves && octave >= h->low && octave < h->low + h->octaves;
    if (!reshape(h, budget, low, high, h->wide || full)) return false;
    size_t at = cell - (size_t)(h->low + EXPONENT_BIAS) * HISTOGRAM_CELLS;
    if (h->wide) ((uint32_t *)h->cells)[at]++;
    else ((uint16_t *)h->cells)[at]++;
    return true;
}

void histogram_add(Histogram *h, HistogramBudget *budget, const float *values, size_t n) {
    h->total += n;
    if (h->lost) return;
    uint32_t first = (uint32_t)(h->low + EXPONENT_BIAS) * HISTOGRAM_CELLS,
             cells = (uint32_t)h->octaves * HISTOGRAM_CELLS;
    uint64_t zero = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t cell = float_bits(values[i]) >> CELL_SHIFT, at = cell - first;
        if (at < cells) {
            if (h->wide) {
                uint32_t *count = (uint32_t *)h->cells + at;
                *count += *count < UINT32_MAX;
                continue;
            }
            uint16_t *count = (uint16_t *)h->cells + at;
            if (*count < UINT16_MAX) {
                ++*count;
                continue;
            }
        }
        if (cell < FIRST_CELL || cell >> (31 - CELL_SHIFT)) { /* tiny, or the sign bit is set */
            zero++;
            continue;
        }
        if (!add_slowly(h, budget, cell > LAST_CELL ? LAST_CELL : cell)) return;
        first = (uint32_t)(h->low + EXPONENT_BIAS) * HISTOGRAM_CELLS;
        cells = (uint32_t)h->octaves * HISTOGRAM_CELLS;
    }
    h->zero += zero;
}

/* The value of rank `rank`, 0 the smallest; the values of one cell are taken as spread evenly over it. */
static double value_at(const Histogram *h, uint64_t rank) {
    if (rank < h->zero) return 0;
    uint64_t before = h->zero;
    double last = 0;
    for (size_t i = 0; i < (size_t)h->octaves * HISTOGRAM_CELLS; i++) {
        uint32_t count = h->wide ? ((const uint32_t *)h->cells)[i] : ((const uint16_t *)h->cells)[i];
        if (!count) continue;
        double place = rank < before + count ? ((double)(rank - before) + 0.5) / count : 1.0;
        double mantissa = 1 + ((double)(i % HISTOGRAM_CELLS) + place) / HISTOGRAM_CELLS;
        last = ldexp(mantissa, h->low + (int)(i / HISTOGRAM_CELLS));
        before += count;
        if (rank < before) return last;
    }
    return last;
}

double histogram_quantile(const Histogram *h, double q) {
    if (!h->total || h->lost) return NAN;
    double rank = q * (double)(h->total - 1);
    uint64_t below = (uint64_t)rank;
    double low = value_at(h, below), part = rank - (double)below;
    return part > 0 ? low + (value_at(h, below + 1) - low) * part : low;
}

/* ---------------------------------------------------------------- exact */

/* Bits that compare as unsigned integers the way the floats compare. */
static uint32_t order_bits(float f) {
    uint32_t bits = float_bits(f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

enum { SORT_BELOW = 48 };

static void sort_floats(float *v, size_t n) {
    if (n > SORT_BELOW) {
        qsort(v, n, sizeof *v, compare_floats);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        float x = v[i];
        size_t j = i;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}

/* Puts the value of rank k into v[k]. Ends in a sort when the pivots go wrong, so no input makes it quadratic. */
static float select_float(float *v, size_t n, size_t k) {
    for (int tries = 0; n > SORT_BELOW && tries < 40; tries++) {
        float a = v[0], b = v[n / 2], c = v[n - 1];
        float pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        size_t i = 0, j = n - 1;
        for (;;) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i >= j) break;
            float swap = v[i];
            v[i++] = v[j];
            v[j--] = swap;
        }
        /* v[0..j] <= pivot <= v[j+1..], or the middle element stands alone when i == j */
        size_t left = i == j && v[i] <= pivot ? i + 1 : i;
        if (k < left) {
            if (left == n) break; /* nothing split off: all equal, or an unlucky pivot */
            n = left;
        } else {
            v += left;
            n -= left;
            k -= left;
        }
    }
    sort_floats(v, n);
    return v[k];
}

/*
 * One pass counts the values by the first 12 of their ordered bits (an eighth of an octave); the few of the cell that holds
 * a wanted rank are copied out and selected from.
 */
void quantiles_exact(float *values, size_t n, const double *q, double *out, size_t count) {
    if (n <= SORT_BELOW) {
        sort_floats(values, n);
        for (size_t i = 0; i < count; i++) {
            double rank = q[i] * (double)(n - 1);
            size_t below = (size_t)rank;
            double low = values[below], part = rank - (double)below;
            out[i] = part > 0 ? low + ((double)values[below + 1] - low) * part : low;
        }
        return;
    }
    enum { SHIFT = 20, CELLS = 1 << 12 };
    static _Thread_local uint32_t cells[CELLS];
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = order_bits(values[i]);
        cells[bits >> SHIFT]++;
        if (bits < least) least = bits;
        if (bits > most) most = bits;
    }
    size_t first = least >> SHIFT, last = most >> SHIFT;
    if (least == most) {
        for (size_t i = 0; i < count; i++) out[i] = (double)values[0];
        cells[first] = 0;
        return;
    }
    size_t widest = 0;
    for (size_t c = first; c <= last; c++)
        if (cells[c] > widest) widest = cells[c];
    float *some = malloc(widest * sizeof *some);
    if (!some) fatal("out of memory");
    size_t have = SIZE_MAX; /* the cell whose values are in `some` */
    size_t at = first, before = 0;
    for (size_t i = 0; i < count; i++) {
        double rank = q[i] * (double)(n - 1);
        size_t below = (size_t)rank;
        double part = rank - (double)below, value[2] = {0, 0};
        for (int k = 0; k < (part > 0 ? 2 : 1); k++) {
            size_t want = below + (size_t)k;
            while (want < before) before -= cells[--at]; /* the next quantile may begin where the last looked ahead */
            while (want >= before + cells[at]) before += cells[at++];
            if (have != at) {
                size_t m = 0;
                for (size_t j = 0; j < n; j++)
                    if (order_bits(values[j]) >> SHIFT == at) some[m++] = values[j];
                have = at;
            }
            value[k] = (double)select_float(some, cells[at], want - before);
        }
        out[i] = part > 0 ? value[0] + (value[1] - value[0]) * part : value[0];
    }
    free(some);
    memset(cells + first, 0, (last - first + 1) * sizeof *cells);
}
