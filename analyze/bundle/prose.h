/*
 * prose.h - lines in which the reader speaks
 *
 * Between the outputs of a post, and in the note that somebody put beside a bundle, people say what they see: "CPU and network
 * look fine". That proves nothing, but a report that leaves a suspect open quotes it. Here such lines are told from the output of
 * tools that nobody reads.
 */
#ifndef STORDX_BUNDLE_PROSE_H
#define STORDX_BUNDLE_PROSE_H

#include "../facts/facts.h"

enum {
    PROSE_MEMBER_LINES = 200 /* kept of one member: a complaint is no longer */
};

typedef struct ProseLine {
    int64_t line;
    Str text; /* a copy of at most FACTS_LINE_CLIP bytes */
} ProseLine;

/* What the framer gathers of one member: empty it with {0} for each. */
typedef struct Prose {
    VEC(ProseLine) lines; /* of the piece at hand */
    size_t kept;          /* of the member */
    int64_t left_out;     /* of the piece at hand: beyond PROSE_MEMBER_LINES */
} Prose;

/* Do these words form a sentence, or a part of one? Tables, settings, log lines and commands do not. */
bool prose_line(Str line);

/* May a member of an archive or folder be somebody's note? By its name: complaint, note, readme, ticket and so on, or any .txt and
   .md near the top, where no command is known that made it. */
bool prose_member(Str path, Str command);

/* Gathers the line if it is prose. */
void prose_add(Prose *p, Arena *a, int64_t line, Str text);

/* The piece ends: what was gathered becomes rows of table `statement`. Gives a note on what was left out, p == NULL for nothing. */
Str prose_end(Prose *p, Facts *f, Arena *a, int64_t src);

#endif
