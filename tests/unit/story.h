/*
 * story.h - diagnose a fixture and hold it against its `expect` lines
 */
#ifndef STORDX_TESTS_STORY_H
#define STORDX_TESTS_STORY_H

#include "../../analyze/diagnose/diagnose.h"
#include "expect.h"

typedef struct Story {
    Arena *arena;
    Facts *facts;
    Pages pages;
    Diagnosis *d;  /* of the first bundle */
    Comparison *c; /* with two or more */
} Story;

/* Reads and diagnoses; two paths or more are compared. Fails the test on an error. */
Story *story_open(const char *const *paths, size_t count);
/* The same, but one path is compared, too: the captures inside it. */
Story *story_compare(const char *const *paths, size_t count);
void story_close(Story *s);

/* Holds a diagnosis or comparison against one line "expect: ..." or "expect-compare: ...". Appends one line per difference to
   `out`; returns how many. */
size_t story_check(Story *s, Str expect, StrBuf *out);

#endif
