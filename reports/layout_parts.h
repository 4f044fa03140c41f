/*
 * layout_parts.h - between layout.c and the files that hold sections of a report; for these only
 */
#ifndef STORDX_REPORTS_LAYOUT_PARTS_H
#define STORDX_REPORTS_LAYOUT_PARTS_H

#include "base/lang.h"
#include "layout.h"

enum { NAMES_SHOWN = 8 };

/* "a, b and c"; from `most` on "a, b and 5 more" */
Str joined(Arena *a, const StrList *words, size_t most);
void add_once(Arena *a, StrList *list, Str s);
/* Its first letter as a capital one. */
Str capital(Arena *a, Str s);
/* The title of a rule's finding; the rule itself where it has none here. */
Str title_of(const Diagnosis *d, Str rule);
Str title_text(const Finding *f);

/* ---- sections, in the order of the page ---- */

void put_symptoms(Doc *doc, const Diagnosis *d);    /* layout_tables.c */
void put_ruled_out(Doc *doc, const Diagnosis *d);   /* layout_open.c */
void put_not_checked(Doc *doc, const Diagnosis *d); /* layout_open.c */
void put_host(Doc *doc, const Diagnosis *d);
void put_drives(Doc *doc, const Diagnosis *d);
void put_benchmarks(Doc *doc, const Diagnosis *d);
void put_sources(Doc *doc, const Diagnosis *d);

#endif
