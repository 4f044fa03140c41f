/*
 * sample_test.h - what a parser put into the sample store, by the name of the thing
 */
#ifndef STORDX_TESTS_SAMPLE_TEST_H
#define STORDX_TESTS_SAMPLE_TEST_H

#include "parse_test.h"

#include "facts/series.h"

typedef struct SamplePoint {
    double t_s;  /* NAN without a time */
    double dt_s; /* NAN unknown */
    double value;
    int64_t line;
} SamplePoint;

/* Samples of all series of that thing; kind and name as in table ref. */
int sample_count(ParseTest *pt, const char *kind, const char *name);
/* Sample number `row` (from 0) of metric m over the series of that thing in order; fails the test when there is none. A metric
   that the series does not have is NAN. */
SamplePoint sample_at(ParseTest *pt, const char *kind, const char *name, Metric m, int row);
/* A value of table lifetime; NAN for NULL or no row. */
double lifetime_value(ParseTest *pt, const char *kind, const char *name, const char *metric);

/* Calls fn for every file of a folder of the corpus that is no "expected" file, sorted by name; skips the test without a
   corpus. */
typedef void (*CorpusFn)(const char *file, Str text);
void corpus_each(const char *folder, CorpusFn fn);

#endif
