/*
 * samples.h - time series in bounded memory, behind the virtual table `sample`
 *
 * iostat, zpool iostat, diskstats and vmstat give one row per device and interval, up to tens of millions in one upload.
 * They do not become SQLite rows (1.5 to 2.6 us each): every (device, tool) is a series of float columns. Up to a budget of
 * values every sample is kept; beyond it older detail folds into buckets on a grid of absolute times and 2^k seconds
 * (operation-weighted means, counts of busy and of busy-and-slow samples, the worst samples in full). Memory does not grow
 * with the length of the capture. Quantiles come from exact values while unfolded and from logarithmic histograms
 * (relative width <= 2 %) afterwards.
 */
#ifndef STORDX_FACTS_SAMPLES_H
#define STORDX_FACTS_SAMPLES_H

#include "facts.h"

typedef enum Metric {
    M_NONE = -1,
#define METRIC(name, weight, busy) M_##name,
#include "metrics.def"
#undef METRIC
    METRIC_COUNT
} Metric;
extern const char *const metric_names[METRIC_COUNT];

#define SAMPLES_DEFAULT_BUDGET (16u * 1000 * 1000) /* values */

Samples *samples_new(Facts *f, size_t budget_values);
void samples_free(Samples *s);

typedef struct Series Series;

/*
 * Opens a series for one device of one piece. columns lists the metrics of each row, at most 32. header_line: line of the
 * column header. The Series lives as long as the Samples.
 */
Series *samples_series(Samples *s, int64_t src, Ref device, const char *tool, const Metric *columns,
                       size_t column_count, int64_t header_line);

/*
 * Appends one interval. t_s: its end, seconds since 1970, NAN when the output carries no time (then the row counts on from
 * the last by dt_s). dt_s: its length in seconds, NAN unknown. values: one per column, NAN unknown - in particular the
 * latency of an interval without operations of that kind. line, text: the row, for evidence; text is copied only when
 * the row is the first or a new worst.
 */
void samples_add(Series *series, double t_s, double dt_s, const float *values, int64_t line, Str text);

/* The average since boot or import (first report). since: "boot" or "import". Stored in `lifetime`, marked alone = 1 by
   facts_resolve() when the same device and tool has no sample. */
void samples_lifetime(Samples *s, int64_t src, Ref device, const char *tool, const char *since, const Metric *columns,
                      size_t column_count, const float *values, Spot at);

/* Creates table lifetime and the virtual table sample in the database; called by facts_new(). */
bool samples_register(Samples *s, sqlite3 *db, Error *err);

/* Called by facts_resolve(), in this order: after refs became nodes (map gives node and capture of a series);
   tables series and distribution. */
typedef void (*SamplesMap)(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s);
bool samples_resolve(Samples *s, SamplesMap map, void *arg, Error *err);

/* The table `peer`, after drives, vdevs and edges are known: peers.c. */
bool peers_compute(Facts *f, Error *err);

#endif
