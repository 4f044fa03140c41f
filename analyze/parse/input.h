/*
 * input.h - lines of one piece
 */
#ifndef STORDX_PARSE_INPUT_H
#define STORDX_PARSE_INPUT_H

#include "../base/arena.h"
#include "../base/str.h"
#include "../facts/facts.h"

enum { INPUT_MAX_LINE = 1024 * 1024 }; /* longer lines arrive cut, with input_line_cut() true */

typedef struct Input Input;
struct Input {
    bool (*next)(Input *in, Str *line); /* without the line end; false at the end of the piece */
    int64_t line;                       /* number in the member of the line given last, 1-based */
    Str last;                           /* that line; valid until the next call */
    bool pushed_back;
    bool cut; /* the last line was longer than INPUT_MAX_LINE */
};

/* Next line of the piece; the Str is valid until the next call. */
bool input_line(Input *in, Str *line);
/* Gives the last line again on the next call (once). */
void input_unread(Input *in);
/* The rest of the piece as one text in the arena, line ends as \n, at most limit bytes. false when it was longer (what fits
   is given all the same). */
bool input_all(Input *in, Arena *arena, size_t limit, Str *text);
/* The spot of the line given last. */
Spot input_spot(const Input *in);
/* A spot in a document without lines. */
Spot spot_path(Str path, Str text);

/* An Input over bytes in memory, for tests, fuzzers and whole members. Lines are numbered from first_line. */
typedef struct MemoryInput {
    Input in;
    Str rest;
    int64_t next_line;
} MemoryInput;
void memory_input(MemoryInput *m, Str text, int64_t first_line);

#endif
