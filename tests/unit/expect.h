/*
 * expect.h - a diagnosis or comparison held against the labels of a fixture: lines "expect: ..." and "expect-compare: ..."
 *
 * fixtures/README.md says what the lines mean.
 */
#ifndef STORDX_TESTS_EXPECT_H
#define STORDX_TESTS_EXPECT_H

#include "../../analyze/base/str.h"
#include "../../analyze/diagnose/diagnosis.h"

/* Value of "key=" in an expect line, p == NULL without. */
Str expect_field(Str line, const char *key);

/* Is that name among the subjects? Id, kernel name, serial, model or label, whole or, but for short ones, a part. */
bool expect_names(const SubjectList *list, Str name);
/* "KIND:NAME+NAME": are all of them? */
bool expect_subjects(const SubjectList *list, Str subject);

/* Both append one line per difference to `out` and return how many. */
size_t expect_diagnosis(const Diagnosis *d, Str line, StrBuf *out);
size_t expect_comparison(const Comparison *c, Str line, StrBuf *out);

#endif
