/*
 * paste.h - text as people paste it, made readable before it is framed
 *
 * Between the bytes of a member and the framer. In a post everything that a forum, a mail program, a browser or a console
 * put around an output is taken off: HTML, BBCode, quote marks, fences and backticks, Markdown tables and escapes, indents,
 * line numbers, colours, invisible and typographic characters; wrapped lines are joined and run-on lines cut (unwrap.h). What
 * is one tool's file of its own keeps its shape: only colours and blanks that are not blanks are replaced there.
 *
 * Every line keeps the number it has in the member: a joined line that of its first part; parts of one line get numbers from
 * facts_part_line(), which lead back to it.
 */
#ifndef STORDX_BUNDLE_PASTE_H
#define STORDX_BUNDLE_PASTE_H

#include "../facts/facts.h"
#include "reader.h"

/* Posts are small. Of a larger text that is no file of its own only single lines are cleaned, in constant memory. */
enum { PASTE_MAX = 4 * 1024 * 1024 };

typedef struct PasteLine {
    Str text;
    int64_t line; /* in the member, from 1 */
    int64_t end;  /* of a joined line: the number of its last part; else 0 */
    bool fence;   /* a mark that something begins or ends here: the text is "```" */
    bool capture; /* from here on it is another moment or another host */
    Str label;    /* its name: "after", a host name */
} PasteLine;

typedef struct PasteLines {
    PasteLine *items;
    size_t count, cap;
} PasteLines;

/* The cleaned lines of a text, not yet joined or split; arena owns what changed, the rest points into text. */
void paste_clean(Arena *arena, Str text, PasteLines *out);

/* One line without colours, with plain blanks, quotes and dashes; the line itself when there is nothing to change. */
Str paste_line(Arena *arena, Str line);

/* Marks lines where another capture begins: the output behind "after the change:" when there was one behind "before:", a
   prompt of another host, the same commands run once more. When in doubt none. *first gets the name of what stands before
   the first mark, or stays as it is. */
void paste_captures(Arena *arena, PasteLines *v, Str *first);

/* A cleaned text as a LineReader. */
typedef struct Paste {
    Arena *arena; /* gone with paste_close() */
    LineReader reader;
    ByteSource src; /* what the reader reads */
    LineReader *raw;
    Str rest;
    PasteLines lines;
    LineMap map;
    Str label; /* of the capture that the text begins with; p == NULL: no name */
    bool html;
    char *held; /* a line that did not fit, when streaming */
    size_t held_len, held_at;
} Paste;

/* false when the text is fine as it is: then raw is still unread. Otherwise p->reader gives the cleaned lines and raw belongs
   to p until paste_close(). */
bool paste_open(Paste *p, Facts *f, LineReader *raw, bool own_file);
void paste_close(Paste *p);

/* The mark at the line that the reader gives next, or NULL. */
const PasteLine *paste_mark(const Paste *p);

#endif
