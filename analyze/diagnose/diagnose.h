/*
 * diagnose.h - facts and rule pages to a finished diagnosis
 */
#ifndef STORDX_DIAGNOSE_DIAGNOSE_H
#define STORDX_DIAGNOSE_DIAGNOSE_H

#include "../facts/facts.h"
#include "diagnosis.h"
#include "evaluate.h"
#include "page.h"

/* Diagnoses one capture of a bundle, 0: its newest. Everything lives in the arena; NULL only when the database fails. */
Diagnosis *diagnose_capture(Facts *f, Arena *a, const Pages *pages, int64_t bundle, int64_t capture, Error *err);
Diagnosis *diagnose(Facts *f, Arena *a, const Pages *pages, int64_t bundle, Error *err);

/* How many captures the bundle holds. */
size_t captures_of_bundle(Facts *f, int64_t bundle);

/*
 * Compares bundles in the order given: each with its newest capture, or all captures of the one bundle that is given, the
 * oldest first. What changed and the verdicts are those of neighbours; findings are those of the first against the last.
 * NULL and an error when there are not two captures.
 */
Comparison *compare_bundles(Facts *f, Arena *a, const Pages *pages, const int64_t *bundles, size_t count, Error *err);

/* One finding from the hits of one group of an answer; shared by diagnosis and comparison. */
Finding *finding_build(Facts *f, Arena *a, const Page *page, const Hit *const *hits, size_t count, int64_t capture);
/* A note that answers what the reader writes and nothing shows: "TITLE (if it is as you write)", about the host, with the lines quoted. */
Finding *finding_told(Facts *f, Arena *a, const Page *page, const EvidenceList *statements, int64_t host,
                      int64_t capture);

/* Hits of an answer grouped as `group-by` says; calls put() once per group, in a stable order. */
typedef void (*GroupPut)(void *arg, const Hit *const *hits, size_t count);
void group_hits(Facts *f, Arena *a, const Answer *answer, int64_t capture, GroupPut put, void *arg);

#endif
