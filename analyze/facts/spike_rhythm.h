/*
 * spike_rhythm.h - whether the slow moments of a drive come at regular intervals
 */
#ifndef STORDX_FACTS_SPIKE_RHYTHM_H
#define STORDX_FACTS_SPIKE_RHYTHM_H

#include "facts.h"

/*
 * Fills the table `spike_rhythm` from the samples of drives, after drives and distributions are known.
 *
 * A spike is a run of samples whose average wait is four times the median of the series and 2 ms (NVMe), 5 ms (SSD) or 30 ms (hard disk)
 * or more. Where six spikes or more begin at distances of which seven tenths lie within 15 % (or one and a half samples) of their median,
 * and that median is three samples or longer, the series has a rhythm. Half of all samples at most may be spikes: more is a slow drive.
 * Series without times, or folded into buckets, have none. Limits are this tool's.
 */
bool spike_rhythm_compute(Facts *f, Error *err);
/* Without Facts, for tests. */
bool spike_rhythm_compute_in(sqlite3 *db, Error *err);

#endif
