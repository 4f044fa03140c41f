/*
 * compare.h - do the facts of one file agree with what was expected of it?
 *
 * Two kinds of expectations, both as SQL over the raw facts (schema.sql before facts_resolve(): `node` holds a name) and
 * these temporary views, which spell names out:
 *
 *   settings(ref_kind, ref, key, value, view, line)       f_T: every other table T that has a node, with ref_kind and ref
 *   points(ref_kind, ref, tool, report, metric, value)    samples, one row per figure; report counts from 1 per thing and
 *                                                          includes the first report, which stands in `lifetime`
 *   edges(parent_kind, parent, child_kind, child), same(a_kind, a, b_kind, b)
 *   after(text, word, stops)                               SQL function: what stands behind the first `word` of a text, up to any
 *                                                          character of `stops`; NULL without the word
 *
 *   compare/FOLDER.SOURCE.sql  against FILE.expected.json beside the file: statements that give rows (what, expected, got),
 *                              with :json the text of that file. got NULL: the fact is missing. expected NULL: passed over
 *   expect/FOLDER.tsv          file, SQL that gives one value, that value: written by somebody who read the file
 *
 * Numbers agree within one part in 500,000 (samples are kept as 32-bit floats), text agrees byte by byte. NULL is spelled
 * NULL.
 */
#ifndef STORDX_TESTS_CONFORMANCE_COMPARE_H
#define STORDX_TESTS_CONFORMANCE_COMPARE_H

#include "corpus.h"

typedef struct Verdict {
    int compared, differ;
    const char *first; /* the first difference, in words; NULL */
} Verdict;

/* Called once per file after desk_frame(). */
void compare_views(Desk *d);

/* complain gets each difference: what, expected, got; true: it is explained. */
typedef bool (*Complain)(void *arg, const char *what, const char *expected, const char *got);

/* False without a comparer for this source. */
bool compare_expected(Corpus *c, Desk *d, const CorpusFile *f, Verdict *v, Complain complain, void *arg);
/* False without a line for this file. */
bool compare_written(Corpus *c, Desk *d, const CorpusFile *f, Verdict *v, Complain complain, void *arg);

#endif
