/*
 * clean.h - text of a bundle made fit for a report
 *
 * Every string of a diagnosis passes through clean() exactly once on its way into a report, whatever the format, so this
 * is the one place where text is changed: what is no UTF-8 becomes U+FFFD, and what only steers a terminal or a text
 * layout goes away: control characters, ANSI escape sequences (whole), bidirectional controls (they reorder the text
 * around them), zero-width characters and code points that XML forbids.
 */
#ifndef STORDX_REPORTS_CLEAN_H
#define STORDX_REPORTS_CLEAN_H

#include "base/arena.h"

typedef enum CleanMode {
    CLEAN_KEEP,  /* line ends and tabs stay: for JSON, which can carry them */
    CLEAN_BLOCK, /* line ends stay, tabs become blanks up to the next multiple of 8: code, several lines */
    CLEAN_LINE,  /* one line, its inner blanks kept (columns of tools), tabs as above: evidence */
    CLEAN_INLINE, /* one line, runs of blanks are one, none at the ends; longer than CLEAN_INLINE_MAX: cut, and says so */
    CLEAN_NAME    /* the same with CLEAN_NAME_MAX: names, titles, commands */
} CleanMode;

/* In characters. What is longer is no name and no sentence; the JSON report has it in full. */
enum { CLEAN_NAME_MAX = 400, CLEAN_INLINE_MAX = 4000 };

/* A copy in the arena, NUL terminated behind its length, without NUL bytes inside. */
Str clean(Arena *a, Str s, CleanMode mode);

/*
 * Decodes one character of UTF-8 at s[at..]; returns how many bytes it takes (1 for a wrong byte, which gives U+FFFD).
 * at < s.len. Overlong forms, surrogates and values above U+10FFFF are wrong (RFC 3629).
 */
size_t utf8_decode(Str s, size_t at, uint32_t *code);
void utf8_append(StrBuf *out, uint32_t code);

/*
 * Columns that s takes on a terminal: 0 for combining marks, 2 for East Asian wide and emoji (ranges of Unicode's
 * EastAsianWidth W and F, coarse). Not wcwidth(): its answer depends on the locale of whoever runs the program.
 */
size_t display_width(Str s);

#endif
