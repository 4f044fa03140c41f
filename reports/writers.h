/*
 * writers.h - the four writers, for reports.c only
 *
 * Each returns false with err filled; errors of `out` itself are looked for once, by reports.c.
 */
#ifndef STORDX_REPORTS_WRITERS_H
#define STORDX_REPORTS_WRITERS_H

#include "base/error.h"
#include "doc.h"

#include <stdio.h>

/* Columns: below 60 tables become ladders, above 120 nobody finds the next line. */
enum { TEXT_NARROWEST = 60, TEXT_WIDEST = 120 };
typedef struct TextLook {
    size_t columns;
    bool colour;
} TextLook;

bool write_text(FILE *out, const Doc *doc, const TextLook *look, Error *err);
bool write_markdown(FILE *out, const Doc *doc, Error *err);
bool write_html(FILE *out, const Doc *doc, Error *err);
bool write_json_diagnosis(FILE *out, Arena *a, const Diagnosis *d, Error *err);
bool write_json_comparison(FILE *out, Arena *a, const Comparison *c, Error *err);

#endif
