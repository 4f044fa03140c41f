/*
 * layout.h - what a report says, and in which order
 *
 * All wording of the reports stands in the layout files (layout*.c), once for HTML, Markdown and text. Both read a
 * finished diagnosis and know no rule, parser or table.
 */
#ifndef STORDX_REPORTS_LAYOUT_H
#define STORDX_REPORTS_LAYOUT_H

#include "doc.h"

/*
 * brief: the verdict, at most two causes and one thing to ask for, in at most 15 lines of text or Markdown; else the whole
 * report. Everything lives in the arena; strings without data of their own point into the diagnosis, which must outlive it.
 */
Doc *layout_diagnosis(Arena *a, const Diagnosis *d, bool brief);
Doc *layout_comparison(Arena *a, const Comparison *c, bool brief);

/* ---- parts that both layouts and the JSON report use ---- */

typedef struct StrList {
    Str *items;
    size_t count, cap;
} StrList;

/* The steps of a fix: one per list item of the outermost list or paragraph outside of one; code and inner lists belong to the
   step before them, on lines of their own. As they are in the rule: not yet clean. */
StrList rich_steps(Arena *a, const Rich *rich);

/* "sda", "pool storage", "the host". */
Str subject_name(Doc *doc, const Subject *s);
/* "sda, sdb and sdc"; from `most` on "and 5 more". The host alone is "". */
Str subject_names(Doc *doc, const Subject *items, size_t count, size_t most);
/* What is printed of a place; "" when it is unknown. */
Str place_text(Arena *a, const Place *p);
/* "write latency" of write-latency. */
Str symptom_words(Arena *a, Str symptom);
/* "explains the write latency of sda and sdb; seen in sysfs (kernel view) and hdparm (drive view)". May be "". */
Str finding_why(Doc *doc, const Diagnosis *d, const Finding *f);

typedef enum CardStyle { CARD_CAUSE, CARD_SMALL } CardStyle; /* small: evidence is folded */

/* One finding. d is the diagnosis it belongs to (tools of its evidence, titles of others); may be NULL. */
DocNode *layout_finding(Doc *doc, DocNode *parent, const Diagnosis *d, const Finding *f, CardStyle style);
/* A finding that asks for nothing: a line of *list, which is added to the section where it is NULL; HTML unfolds the whole. */
void layout_note(Doc *doc, DocNode *section, DocNode **list, const Diagnosis *d, const Finding *f);
/* One finding as one paragraph, for --brief. */
void layout_brief_finding(Doc *doc, DocNode *list, const Diagnosis *d, const Finding *f, int number);
/* "Ask for: ..."; the command that settles most. Nothing when there is nothing to ask for. */
void layout_brief_ask(Doc *doc, const Diagnosis *d);
/* Boxes for warnings and for uploads made with test tools. `of` says which bundle, "" when there is but one. */
void layout_warnings(Doc *doc, DocNode *parent, const Str *warnings, size_t count, const BundleInfo *bundle,
                     const char *of);
/* "2024-07-01 12:00:00 UTC to 12:00:40 UTC, 40 s of samples"; "" when nothing of it is known. */
Str capture_text(Arena *a, const CaptureInfo *c);
/* Columns Metric, n, Mean, p50, p95, p99, p99.9, Max, Basis; the row's cells from `c` on. */
void layout_metric_columns(Doc *doc, Table *t);
void layout_metric_cells(Doc *doc, Row *row, size_t c, const Dist *x);

#endif
