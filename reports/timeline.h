/*
 * timeline.h - what happened when, as a table
 */
#ifndef STORDX_REPORTS_TIMELINE_H
#define STORDX_REPORTS_TIMELINE_H

#include "doc.h"

/* Section "What happened when": boot, kernel events, jobs, pools, captures. Without a dated event: nothing. */
void put_timeline(Doc *doc, const Diagnosis *d);

/* "14:03:10", in the zone of the host; with the day where `day`. "" for what is no time. */
Str clock_text(Arena *a, double epoch_s, double timezone_s, bool day, bool seconds);
/* "UTC+02:00"; "UTC" where the zone is unknown. */
Str zone_text(Arena *a, double timezone_s);

/* "link-reset" is the class word of a signature; people read it with blanks. */
Str event_words(Arena *a, Str word);

#endif
