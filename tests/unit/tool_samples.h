/*
 * tool_samples.h - one sample per variant of each tool's output, for the tests of framing
 */
#ifndef STORDX_TESTS_TOOL_SAMPLES_H
#define STORDX_TESTS_TOOL_SAMPLES_H

#include "../../analyze/base/str.h"

/* What a line at the top of the output cannot do. */
enum {
    NO_START = 1, /* its first line is nobody's: only what stands around it says what it is */
    STAMPED = 2,  /* a bare time stamp comes first, which belongs to whatever it precedes */
    JSON = 4,     /* ends where its brackets close */
    UNPROVEN = 8  /* written to the documented format: the corpus has no output of this kind to prove it */
};

typedef struct Sample {
    const char *tool, *variant;
    const char *text; /* or, with path, NULL */
    const char *path; /* a fixture's file; its first `lines` lines (0: all) */
    int lines;
    int flags;
    const char *command; /* that prints it */
} Sample;

extern const Sample tool_samples[];
extern const size_t tool_sample_count;

#endif
