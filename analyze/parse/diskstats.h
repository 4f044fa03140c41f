/*
 * diskstats.h - what the columns of /proc/diskstats are
 */
#ifndef STORDX_PARSE_DISKSTATS_H
#define STORDX_PARSE_DISKSTATS_H

enum { DISKSTATS_FIGURES = 17 };

typedef struct DiskstatsFigure {
    const char *name, *unit; /* unit NULL: a plain count */
} DiskstatsFigure;

/* Behind major, minor and name, in their order. Source: Linux Documentation/admin-guide/iostats.rst, fields 1 to 17. */
extern const DiskstatsFigure diskstats_figures[DISKSTATS_FIGURES];

#endif
