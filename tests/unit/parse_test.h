/*
 * parse_test.h - runs one parser over bytes, with a fact database of its own
 */
#ifndef STORDX_TESTS_PARSE_TEST_H
#define STORDX_TESTS_PARSE_TEST_H

#include "../../analyze/parse/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct ParseTest {
    Arena *arena, *scratch;
    Facts *facts;
    int64_t bundle, capture;
    ParseCtx ctx;
    ParseResult result;
} ParseTest;

/* Runs parser over text; path and command may be NULL. The caller frees with pt_free(). */
ParseTest *pt_run(const Parser *parser, const char *path, const char *command, Str text);
/* The same over one more text into the database of pt, as another piece of the same upload: a database costs more than a parser.
   NULL opens one. Gives pt. */
ParseTest *pt_again(ParseTest *pt, const Parser *parser, const char *path, const char *command, Str text);
void pt_free(ParseTest *pt);

/* First column of the first row: text ("NULL" for NULL, "" without a row; lives as long as pt), or number (NAN). A statement
   that SQLite refuses fails the test. */
const char *pt_text(ParseTest *pt, const char *sql);
double pt_real(ParseTest *pt, const char *sql);

/* A whole file; p == NULL when it cannot be read. Lives until the process ends. */
Str pt_file(const char *path);

/* Folder of real tool outputs: $STORDX_CORPUS or ../shared/corpus; NULL when there is none, then skip(). */
const char *pt_corpus(void);

#endif
