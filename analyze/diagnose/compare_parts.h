/*
 * compare_parts.h - the parts of a comparison: compare.c puts them together
 */
#ifndef STORDX_DIAGNOSE_COMPARE_PARTS_H
#define STORDX_DIAGNOSE_COMPARE_PARTS_H

#include "diagnose.h"

/* A finding of the earlier capture that a verdict declares settled: column `settles` of a compare page names its rule. */
typedef struct Settled {
    Str rule;
    int64_t node;
} Settled;

typedef struct Compare {
    Facts *f;
    Arena *a;
    Comparison *c;
    int64_t before, after; /* captures of the pair under work */
    const Diagnosis *from, *to;
    const Pages *pages;
    VEC(Settled) settled;
    size_t step;     /* number of the pair, from 1 */
    bool other_load; /* load-not-comparable was found for the pair */
} Compare;

sqlite3_stmt *compare_prepare(Facts *f, const char *sql);

/* A statement with :before and :after bound to the captures of the pair. */
sqlite3_stmt *compare_pair(Compare *x, const char *sql);

/* A key without the capture it was made unique by: "pool:storage@2" and "pool:storage@1" are the same pool. */
Str compare_bare_key(Str id);

/* Is a drive of one capture that of another? By its node where an identity made it one. Drives without a serial number and WWN are
   no node in common: their model says it where each capture has one of that model, else the name with no other model, which is weak. */
bool compare_same_drive(const Compare *x, int64_t node, Str id, Str name, Str model, int64_t other_node, Str other_id,
                        Str other_name, Str other_model);

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
