/*
 * format.h - figures as people read them
 *
 * All results are clean text in the arena, words in the language of the report (lang.h). A figure that is unknown (NAN, infinite) is "-", never 0.
 */
#ifndef STORDX_REPORTS_FORMAT_H
#define STORDX_REPORTS_FORMAT_H

#include "base/arena.h"

/* Three significant digits without trailing zeros: 65, 7.5, 0.24, 1350. */
Str format_number(Arena *a, double v);
/* A whole count. */
Str format_count(Arena *a, double v);
/*
 * With its unit. "ms" turns into s from 10 s on; "bytes" and "bytes/s" take decimal prefixes (2 TB, 7.94 MB/s), as makers
 * of drives count; "%" stands without a blank. An empty unit gives the bare number.
 */
Str format_quantity(Arena *a, double v, Str unit);

/*
 * Metrics (analyze/facts/metrics.def) carry their unit at the end of the name: w_await_ms, w_bytes_s, util_pct. The unit
 * for format_quantity(), and the name people know from the tools: w_await, wMB/s as "written", %util.
 */
Str metric_unit(Str metric);
Str metric_label(Arena *a, Str metric);
/* What a person calls a setting of keys.def; the key itself where that is what people know. */
Str setting_label(Str key);

/* What a figure was made of: "1s averages", "lifetime average (since boot)". */
Str basis_words(Arena *a, Str basis);

/* to / from: "68x", "0.24x", "about 1x" (within 10 %). */
Str format_factor(Arena *a, double factor);

/* "2024-07-01 12:00:00 UTC"; "" for NAN. */
Str format_time(Arena *a, double epoch_s);
/* "40 s", "12 min", "3 h 12 min", "2 d 5 h"; "" for NAN and below 0. */
Str format_span(Arena *a, double seconds);

#endif
