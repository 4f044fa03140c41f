/*
 * zfs_counter.h - ZFS kernel statistics under one name, whichever system prints them
 */
#ifndef STORDX_PARSE_ZFS_COUNTER_H
#define STORDX_PARSE_ZFS_COUNTER_H

#include "parser.h"

/*
 * One figure of a kstat table: table "arcstats", name "c_max". Writes a counter of kind zfs on the node (name "arcstats.c_max";
 * names of zil and dmu_tx carry their table already) when it is one that a diagnosis needs, and returns whether it did. The
 * figures count since the module was loaded, sizes are bytes. t_mono_s: when it was read, seconds since boot; NAN unknown. Source: OpenZFS module/zfs/arc.c, zil.c, dmu_tx.c.
 */
bool zfs_counter(ParseCtx *ctx, Ref node, Str table, Str name, Str value, double t_mono_s, Spot at);

#endif
