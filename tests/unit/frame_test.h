/*
 * frame_test.h - frames a text from memory and looks at the rows of `source`
 */
#ifndef STORDX_TESTS_FRAME_TEST_H
#define STORDX_TESTS_FRAME_TEST_H

#include "../../analyze/bundle/framing.h"
#include "parse_test.h"

typedef struct FrameTest {
    Arena *arena, *scratch;
    Facts *facts;
    int64_t bundle, capture;
    int64_t first_src; /* of the member framed last */
} FrameTest;

typedef struct FramePiece {
    const char *tool, *status, *note, *command; /* "" for NULL */
    int64_t first, last, rows, bad_rows;
} FramePiece;

FrameTest *ft_open(void);
void ft_close(FrameTest *ft);
/* Frames one member; gives its pieces in their order. They live until ft_close(). */
const FramePiece *ft_frame(FrameTest *ft, const char *path, const char *command, bool own_file, Str text,
                           size_t *count);
/* The pieces in one line, for messages: "1-3 dd parsed; 4-9 ? unrecognised". */
const char *ft_print(FrameTest *ft, const FramePiece *pieces, size_t count);

/* A source of bytes that gives at most `step` at a time. */
typedef struct StepSource {
    ByteSource src;
    Str rest;
    size_t step;
    size_t fail_after; /* bytes, then an error; SIZE_MAX: none */
} StepSource;
void step_source(StepSource *s, Str text, size_t step);

#endif
