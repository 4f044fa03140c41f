/*
 * compare_parts.h - the parts of a comparison: compare.c puts them together
 */
#ifndef STORDX_DIAGNOSE_COMPARE_PARTS_H
#define STORDX_DIAGNOSE_COMPARE_PARTS_H

#include "diagnose.h"

typedef struct Compare {
    Facts *f;
    Arena *a;
    Comparison *c;
    int64_t before, after; /* captures of the pair under work */
    const Diagnosis *from, *to;
    size_t step;     /* number of the pair, from 1 */
    bool other_load; /* load-not-comparable was found for the pair */
} Compare;

sqlite3_stmt *compare_prepare(Facts *f, const char *sql);

/* A statement with :before and :after bound to the captures of the pair. */
sqlite3_stmt *compare_pair(Compare *x, const char *sql);

/* A key without the capture it was made unique by: "pool:storage@2" and "pool:storage@1" are the same pool. */
Str compare_bare_key(Str id);

/* One and the same thing in two captures? A drive that is known by name only is not the one of that name when its model is another. */
bool compare_same_key(Str id_a, Str model_a, Str id_b, Str model_b);

/* Adds it once. */
void compare_impossible(Compare *x, Str what, Str why);

/* Adds a warning once. */
void compare_warn(Compare *x, Str text);

/* compare_drives.c: every drive over all stages, by its identity: names, places, figures. */
void compare_histories(Compare *x);

/* compare_changes.c, all for the pair. */
void compare_hosts(Compare *x);   /* the same machine? */
void compare_changes(Compare *x); /* parts, places, settings, states, counters */
void compare_factors(Compare *x); /* figures side by side */

#endif
