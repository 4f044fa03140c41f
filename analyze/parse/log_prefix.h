/*
 * log_prefix.h - what stands in front of a log message
 *
 * dmesg, journalctl and syslog put the same message behind a dozen forms of stamps. They are stripped in one place, so that
 * signatures and probe-line readers see `sd 2:0:0:0: [sda] ...` whatever the file came from:
 *
 *     <6>                                             raw syslog priority
 *     6,1234,5678901,-;                               /dev/kmsg record (microseconds)
 *     Jul  1 12:00:00 host kernel:                    syslog, journalctl -o short (year and fraction optional)
 *     2024-07-01T12:00:00.123456+02:00 host kernel:   journalctl -o short-iso, short-iso-precise, rsyslog
 *     Mon 2024-07-01 12:00:00 CEST host kernel:       journalctl -o short-full
 *     1719828000.123456 host kernel:                  journalctl -o short-unix
 *     2024-07-01T12:00:00,123456+02:00                dmesg --time-format iso
 *     <2>1 2024-07-01T12:00:00.1Z host kernel - - -   RFC 5424, FreeBSD syslogd -O rfc5424
 *     kern  :info  :                                  dmesg -x
 *     [   12.345678] [   12.345678 <    0.000012>]    Linux monotonic stamp, dmesg -d; [12] with FreeBSD
 *     [Mon Jul  1 12:00:00 2024]                      dmesg -T, also with a delta
 *     [Jul 1 12:00] [  +0.000012]                     dmesg -e
 *     [    T1] [   C0]                                CONFIG_PRINTK_CALLER
 *     host kernel:                                    journalctl -o short-monotonic, behind the monotonic stamp
 */
#ifndef STORDX_PARSE_LOG_PREFIX_H
#define STORDX_PARSE_LOG_PREFIX_H

#include "../base/str.h"

/* What is carried from line to line. Zero it before the first line; 0 years are unknown. */
typedef struct LogClock {
    int year;          /* of stamps without one; 0: unknown. The caller may set it; December to January counts it up */
    int last_month;    /* 1..12 */
    double rel_base_s; /* dmesg -e: wall time the deltas add up from, valid when rel_known */
    bool rel_known;
    bool rel_no_year;
    char host[64]; /* host column of the log, once a line with `HOST kernel:` was seen */
    size_t host_len;
    char date[40]; /* text of the last date, and what it was read as */
    size_t date_len;
    double date_s;
    bool date_no_year;
} LogClock;

typedef struct LogPrefix {
    Str msg;       /* the message; of a user-space line with its `tag[pid]: `, as signatures of daemons expect it */
    bool stamped;  /* there was a time stamp of any kind */
    bool kernel;   /* the line says it is the kernel's (`kernel:`, a dmesg stamp), or says nothing */
    bool tagged;   /* host and tag were seen */
    double mono_s; /* seconds since boot, NAN: none */
    double wall_s; /* seconds since 1970, in local time unless has_zone; NAN: none, or its year is unknown */
    double year_s; /* stamps without a year: seconds since the start of an unknown year, NAN otherwise */
    bool has_zone;
    Str host, tag; /* p == NULL: none */
} LogPrefix;

/* Strips the prefixes of one line. Always fills *out; clock may be NULL. Returns whether there was any prefix. */
bool log_prefix(Str line, LogClock *clock, LogPrefix *out);

#endif
