/*
 * builtin_pages.h - the rule pages that were parsed while the program was built
 *
 * The table is written by analyze/tools/compile_pages.c; a page that does not parse fails the build. Pages are sorted by id and
 * read-only, whatever the type of their lists says.
 */
#ifndef STORDX_DIAGNOSE_BUILTIN_PAGES_H
#define STORDX_DIAGNOSE_BUILTIN_PAGES_H

#include "page.h"

extern Page *const builtin_pages[];
extern const size_t builtin_page_count;

/* The phrases of all their translations. */
extern const Phrase builtin_phrases[];
extern const size_t builtin_phrase_count;

/* The views of schema.sql: what each demands of the facts (demand.h), and its table without rows. By name. */
typedef struct BuiltinView {
    Str name, demand, empty; /* empty: CREATE TABLE ... */
} BuiltinView;
extern const BuiltinView builtin_views[];
extern const size_t builtin_view_count;

#endif
