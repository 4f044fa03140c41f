/*
 * reports.h - writes a finished diagnosis or comparison
 *
 * The writers read nothing but what they are given and write nothing but `out`: the same diagnosis gives the same bytes, on
 * every machine and at every time.
 */
#ifndef STORDX_REPORTS_REPORTS_H
#define STORDX_REPORTS_REPORTS_H

#include "analyze/diagnose/diagnosis.h"
#include "base/error.h"

#include <stdio.h>

typedef enum ReportFormat {
    REPORT_TEXT, /* UTF-8, 80 columns and no colours but after report_fit(); commands are never broken over lines, so that they can be copied */
    REPORT_MARKDOWN, /* what GitHub and Discourse both show alike */
    REPORT_HTML,     /* one self-contained file, no script, strict Content-Security-Policy */
    REPORT_JSON      /* schema 1 */
} ReportFormat;

/*
 * brief: verdict, at most two causes, one thing to ask for; at most 15 lines of text or Markdown. JSON has no brief form and
 * is always whole. `out` stays open. False when it cannot be written to, or a library ran out of memory: err says which.
 */
bool report_write_diagnosis(FILE *out, const Diagnosis *d, ReportFormat format, bool brief, Error *err);
bool report_write_comparison(FILE *out, const Comparison *c, ReportFormat format, bool brief, Error *err);

/*
 * Text reports are for a terminal from now on: so many columns wide (60 to 120; what lies beyond is taken for the nearest, 0 for 80), and
 * with colours. What a colour says stands there in words, too.
 */
void report_fit(int columns, bool colour);

/*
 * A format by its name (html, markdown, md, text, txt, json) or by the ending of a file's name (.html .htm .md .markdown
 * .txt .text .json), letters of either case. False, *format untouched, when it is neither.
 */
bool report_format_from_name(Str name, ReportFormat *format);

#endif
