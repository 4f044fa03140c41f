/*
 * presence.h - are a statement's demands (demand.h) met by the facts at hand?
 *
 * Answers are kept: the facts stay the same while rules run. Only the table `finding` grows, so what is demanded of it counts as
 * met; so does what is demanded of a view, or of a table that is not there.
 */
#ifndef STORDX_DIAGNOSE_PRESENCE_H
#define STORDX_DIAGNOSE_PRESENCE_H

#include "../base/arena.h"

#include <sqlite3.h>

typedef struct Presence Presence;

/* Lives in the arena. Facts of all captures of the database count. */
Presence *presence_new(Arena *a, sqlite3 *db);

/* Looks again which tables there are: views may have become some. */
void presence_look_again(Presence *p);

/* The same where it is known that a view has become this table. */
void presence_know(Presence *p, Str table);

/* demand: the text of demand_write(); empty: met. */
bool presence_meets(Presence *p, Str demand);

#endif
