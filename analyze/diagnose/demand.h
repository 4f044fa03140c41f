/*
 * demand.h - what a SELECT demands of the facts before it can give a row
 *
 * Most pages are about things a host does not have, and preparing a statement costs more than running it. So the build reads
 * each page's SQL once and notes what must be there: rows in the tables it joins, and one of the words it compares a column
 * with. A page whose demands are not met is not run: it would have given no row.
 *
 * The reader knows enough SQL to be on the safe side: WITH, UNION, joins, conditions joined by AND and OR, EXISTS and IN. It
 * follows a value to where it comes from, through WITH tables, SELECTs and views: a comparison is not true with a NULL, a count is
 * not above 0 without rows, and a sum, a CASE or a column of a LEFT JOIN is NULL without what it is made of. What it does not know
 * demands nothing.
 *
 *   SELECT ... FROM event e JOIN drive d ON ... WHERE e.event IN ('icrc', 'unc') AND ...
 *   demands: rows in event; icrc or unc in event.event; rows in drive
 */
#ifndef STORDX_DIAGNOSE_DEMAND_H
#define STORDX_DIAGNOSE_DEMAND_H

#include "../base/arena.h"

/* Rows in a table or view; with words, rows that have one of them in a column. */
typedef struct DemandAtom {
    Str table, column; /* column empty: any row will do */
    VEC(Str) words;
} DemandAtom;

/* One of the atoms at least. */
typedef struct DemandClause {
    VEC(DemandAtom) atoms;
} DemandClause;

/* All of the clauses; none: nothing is known, the statement has to be run. */
typedef struct Demand {
    VEC(DemandClause) clauses;
    bool never; /* it can give no row, whatever there is */
} Demand;

/*
 * The demands of a statement. schema: the text of schema.sql, whose views are looked into; a view's own rows are demanded, too.
 * Names are slices of `sql` and `schema`.
 */
Demand demand_of(Arena *a, Str sql, Str schema);

/*
 * The same as text, one clause per line, its atoms divided by tabs, "table" or "table.column=word|word"; words with other characters
 * than letters, digits, '-', '_', '.', '/', ':' and blanks make their clause fall away. Empty: nothing is known.
 */
Str demand_write(Arena *a, const Demand *d);

#endif
