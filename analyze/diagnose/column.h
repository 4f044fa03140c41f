/*
 * column.h - values of a result row, copied out of SQLite
 */
#ifndef STORDX_DIAGNOSE_COLUMN_H
#define STORDX_DIAGNOSE_COLUMN_H

#include "../base/arena.h"

#include <math.h>
#include <sqlite3.h>

/* Text of a column, copied to the arena; p == NULL for NULL. */
static inline Str column_text(Arena *a, sqlite3_stmt *st, int i) {
    const char *p = (const char *)sqlite3_column_text(st, i);
    return p ? arena_str(a, (Str){p, (size_t)sqlite3_column_bytes(st, i)}) : STR_NONE;
}

/* Number of a column; NAN for NULL. */
static inline double column_real(sqlite3_stmt *st, int i) {
    return sqlite3_column_type(st, i) == SQLITE_NULL ? NAN : sqlite3_column_double(st, i);
}

#endif
