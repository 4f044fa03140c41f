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
Tone confidence_tone(double confidence);
/* The title of a rule's finding; the rule itself where it has none here. */
Str title_of(const Diagnosis *d, Str rule);
Str title_text(const Finding *f);
/* "certain" in the report's language; "" where nothing is said of it. */
Str sure_word(const Finding *f);

typedef VEC(Spans) Sentences;
/* The sentences of a text. Full stops of abbreviations and in code end none. */
void split_sentences(Doc *doc, const Span *spans, size_t count, Sentences *out);
/* The first step of its fix: as many sentences as fit into `most` bytes, one at least; its danger, with "Danger:". Both may be empty. */
void first_step(Doc *doc, const Finding *f, size_t most, Spans *act, Spans *danger);
Spans not_this_first(Doc *doc, const Finding *f);
/* "sda (WD Red, serial 2147, port 3)": what one needs to find the part. */
Str parts_text(Doc *doc, const SubjectList *subjects);
/* "The write cache is off: sda and sdb." */
Str what_is_wrong(Doc *doc, const Finding *f);
Str class_sentence(const Finding *f);
Str sure_sentence(const Finding *f);
/* Which part, how sure, what first, what not. */
void put_answer(Doc *doc, DocNode *facts, const Finding *f, size_t most);

/* ---- sections, in the order of the page ---- */

void put_symptoms(Doc *doc, const Diagnosis *d);    /* layout_tables.c */
void put_ruled_out(Doc *doc, const Diagnosis *d);   /* layout_open.c */
void put_not_checked(Doc *doc, const Diagnosis *d); /* layout_open.c */
void put_host(Doc *doc, const Diagnosis *d);
void put_drives(Doc *doc, const Diagnosis *d);
void put_benchmarks(Doc *doc, const Diagnosis *d);
void put_sources(Doc *doc, const Diagnosis *d);

#endif
