/*
 * rich.h - formatted text between the rules and the reports
 *
 * A rule page is Markdown; cmark parses it, its {placeholders} are filled, and what comes out is a list of blocks. Every
 * report writer walks blocks and escapes each span in its own way, so text from a bundle can never become markup.
 */
#ifndef STORDX_BASE_RICH_H
#define STORDX_BASE_RICH_H

#include "arena.h"
#include "str.h"

enum SpanStyle { SPAN_PLAIN = 0, SPAN_CODE = 1, SPAN_EMPH = 2, SPAN_STRONG = 4, SPAN_LINK = 8 };

typedef struct Span {
    Str text;
    unsigned style; /* SpanStyle bits */
    Str url;        /* with SPAN_LINK: http(s) only, everything else is dropped when the page is read */
} Span;

typedef enum BlockKind {
    BLOCK_PARAGRAPH,
    BLOCK_ITEM, /* list item; its first paragraph. Further paragraphs of the item follow as BLOCK_PARAGRAPH, depth >= 1 */
    BLOCK_CODE, /* one span, lines separated by \n */
    BLOCK_HEADING
} BlockKind;

typedef struct Block {
    BlockKind kind;
    int depth;  /* list nesting: 0 outside, 1 in a list, 2 in a list in a list; heading level for headings */
    int number; /* of an ordered item, 0 for a bullet */
    Span *spans;
    size_t span_count;
} Block;

typedef struct Rich {
    Block *blocks;
    size_t count;
} Rich;

/* The plain text of all blocks: paragraphs separated by \n, code by its lines. In the arena. */
Str rich_plain(Arena *a, const Rich *r);
/* The plain text of one block. */
Str block_plain(Arena *a, const Block *b);
/* A rich text of one plain paragraph. */
Rich rich_text(Arena *a, Str s);

#endif
