/*
 * times.h - the date forms that storage tools print
 *
 * Every time in the program is a double: seconds since 1970-01-01T00:00:00 UTC. A date without a zone is read as if it
 * were UTC and reported as zoneless; facts_resolve() shifts such sources once the zone of the host is known.
 */
#ifndef STORDX_BASE_TIMES_H
#define STORDX_BASE_TIMES_H

#include "str.h"

/* How to read 07/01/24: strftime's %x depends on the locale of whoever ran the tool, and sysstat prints it. */
typedef enum DateOrder {
    DATE_MONTH_FIRST, /* C and en_US: the default */
    DATE_DAY_FIRST    /* most others */
} DateOrder;

/*
 * Reads the whole of s (outer blanks ignored) as a date, with or without a time of day:
 *   2024-07-01T12:00:00.123+02:00   2024-07-01 12:00:00,123 UTC   2024/07/01 12:00:00       (ISO 8601 and its relatives)
 *   Sun Jul  7 03:24:01 2024        Sun Jul  7 03:24:01 CEST 2024 Sun 07 Jul 2024 03:24:01 PM CEST   (ctime, date)
 *   07/01/2024 12:00:00 PM          07/01/24 12:00:00             27/07/10 12:47:34         (sysstat; day first when > 12)
 *   01.07.2024 12:00:00             25-11-14 12:00:00             (day first)
 *   1720000000                      1720000000.123456789          (epoch: 9 or 10 digits; always UTC)
 * *epoch_s: seconds since 1970. *has_zone: a zone was given (or it is an epoch); either may be NULL. Zone words that name
 * more than one zone (CST, IST, BST) count as none. Returns false, outputs untouched, when s is no such date.
 */
bool time_parse(Str s, double *epoch_s, bool *has_zone);
/* The same; order settles dates such as 07/01/24, which may be both. */
bool time_parse_order(Str s, DateOrder order, double *epoch_s, bool *has_zone);
/* True when s can only be read day first: "27/07/10". */
bool time_is_day_first(Str s);

/* A time of day: "12:00:00", "03:49:57 PM", "12:00:00.5" -> seconds since midnight, 0 <= *seconds < 86401. */
bool time_parse_clock(Str s, double *seconds);

/*
 * A span as ZFS prints it: "01:02:03", "2 days 01:02:03", "0 days 00:10:05", "1h2m", "33s", "5d3h" -> seconds. Takes the
 * whole of s.
 */
bool time_parse_span(Str s, double *seconds);

/* Seconds since 1970 of a date of the proleptic Gregorian calendar at midnight UTC; month 1..12, day 1..31. */
int64_t time_from_civil(int64_t year, int month, int day);

/* "2024-07-01T12:00:00+02:00" ("Z" for tz_s 0; tz_s: seconds east of UTC), whole seconds, rounded down. n >= 26. Gives ""
   for NAN and for years outside 0..9999. */
void time_format_iso(double epoch_s, int tz_s, char *buf, size_t n);

#endif
