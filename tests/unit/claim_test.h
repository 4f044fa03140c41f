/*
 * claim_test.h - does a parser know its own text, and leave that of all others alone?
 */
#ifndef STORDX_TESTS_CLAIM_TEST_H
#define STORDX_TESTS_CLAIM_TEST_H

#include "parse_test.h"

/* Wins the text without path and command; the first line starts it (opens) and every line is claimed. */
void claims_text(const Parser *parser, const char *text, bool opens);
/* Bids 0 on each sample of tool_samples.c that is not its own, and on refusals. */
void claims_no_other(const Parser *parser);
/* The JSON that stands beside a file of the corpus ("x.txt": "x.expected.json"); p == NULL when there is none. */
Str claims_expected(const char *folder, const char *file);

#endif
