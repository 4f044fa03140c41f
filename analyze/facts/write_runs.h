/*
 * write_runs.h - long stretches of writing, and whether the drive kept its rate
 */
#ifndef STORDX_FACTS_WRITE_RUNS_H
#define STORDX_FACTS_WRITE_RUNS_H

#include "facts.h"

/*
 * Fills the table `write_run` from the samples of drives, after drives and distributions are known.
 *
 * A run is a stretch in which writes wait for the drive all the time (aqu-sz >= 1, or util >= 80 % where there is no queue
 * length) with pauses of at most 5 s, 90 s or longer, whose first 30 s do 20 MB/s or more. Its rate has collapsed where it
 * falls below 30 % of that for 60 s or more (at least nine tenths of the time) while what is asked stays the same: a mean queue of half the
 * first one or more, requests of half to double the size, and no more reads than before. Samples
 * shorter than 0.05 s or longer than a minute end a run. Limits are this tool's.
 *
 * Of each drive and tool the first MAX_FALLS runs that fell are kept, and the longest that did not.
 */
bool write_runs_compute(Facts *f, Error *err);
/* Without Facts, for tests. */
bool write_runs_compute_in(sqlite3 *db, Error *err);

#endif
