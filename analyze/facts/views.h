/*
 * views.h - the views of schema.sql: made where they are read, and kept as tables while rules run
 *
 * Making all views costs three times what making all tables does, and a parser reads none: facts_new() leaves them out. A view is
 * expanded into each statement that names it and is computed each time; a good hundred pages read a dozen views that stand on
 * each other, and most of a run went into preparing their statements. Once all facts are there a view says the same each time, so
 * that it is computed once and kept under its name.
 *
 * In schema.sql a statement begins where a line begins with CREATE.
 */
#ifndef STORDX_FACTS_VIEWS_H
#define STORDX_FACTS_VIEWS_H

#include "../base/arena.h"
#include "../base/error.h"

#include <sqlite3.h>

/* The schema without its views, NUL terminated, in the arena. */
Str views_left_out(Arena *arena, Str schema);

/* Creates the views that one of `texts` names, or a view that it names reads; all with texts NULL. Those that are there stay.
   False with err where SQLite refuses one. */
bool views_create(sqlite3 *db, Arena *arena, const Str *texts, size_t count, Error *err);

/*
 * What views_settle() is told. before_each, NULL for none, is called before each view and may refill the step budget that the caller
 * has set (a progress handler). empty_of, NULL for none: the statement that creates the table of a view which is sure to have no row,
 * or NULL where that is not known. settled, NULL for none, is called for each view that has become a table.
 */
typedef struct ViewsCare {
    void (*before_each)(void);
    const char *(*empty_of)(void *arg, Str view);
    void (*settled)(void *arg, Str view);
    void *arg;
} ViewsCare;

/*
 * Makes tables of the views that one of `texts` reads, directly or through another view. The database must be resolved: what is
 * written afterwards to the tables below does not show. A view that reads `finding`, which grows while rules run, stays a view, and
 * so does one on top of it; likewise one that cannot be computed within the step budget: then each page that reads it fails by itself
 * and is named. Call it without an authorizer. Idempotent.
 */
void views_settle(sqlite3 *db, Arena *arena, const Str *texts, size_t count, const ViewsCare *care);

#endif
