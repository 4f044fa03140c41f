/*
 * doc.h - the document model between layout and the writers
 *
 * layout.c turns a diagnosis or a comparison into a tree of these; html.c, markdown.c and text.c walk the tree and know
 * nothing about storage. All strings in it are clean (clean.h) but in no way escaped: escaping is the writers' work, each
 * in one function. JSON does not pass through here: its contract is the diagnosis itself (json.c).
 */
#ifndef STORDX_REPORTS_DOC_H
#define STORDX_REPORTS_DOC_H

#include "analyze/diagnose/diagnosis.h"
#include "clean.h"

/* Beyond SpanStyle (rich.h), for the writers only. */
enum { SPAN_MUTED = 1 << 16 };

typedef VEC(Span) Spans;

/* What a thing means for the reader; a colour where there are colours. Never the only carrier of a meaning. */
typedef enum Tone { TONE_NONE, TONE_BAD, TONE_WARN, TONE_INFO, TONE_GOOD, TONE_MUTED } Tone;

typedef struct Badge {
    Str text;
    Tone tone;
} Badge;

typedef struct Column {
    Str title;
    bool number;    /* aligned to the right */
    bool html_only; /* a terminal has no room for it */
} Column;

typedef struct Row {
    Spans *cells; /* one per column */
    Tone tone;
} Row;

typedef struct Table {
    Str caption; /* ours; plain words without markup */
    bool
        captioned; /* one of several tables of a section: the caption is shown everywhere. HTML has it always, for screen readers */
    VEC(Column) columns;
    VEC(Row) rows;
    size_t short_rows; /* text and Markdown show so many and say how many more there are; 0: all */
    bool html_only;    /* the long form of what stands in short beside it: folded in HTML, left out elsewhere */
} Table;

typedef struct Fact { /* a term and what is said of it */
    Str term;
    Spans value;
    Tone tone;
} Fact;

/* Original lines. Text and Markdown show the first `shown`, then say how many follow and where; HTML has all of them. Those
   `shown` are a choice of different views and members, each part in the order of the finding. */
typedef struct Lines {
    EvidenceList list; /* clean copies */
    size_t shown;      /* 1 to list.count */
    bool folded;       /* HTML: behind a summary from the first line on */
} Lines;

typedef struct TreeRow {
    int depth; /* 0 for the root; at most one more than the row before */
    Str label, kind, detail;
    Str mark; /* "cause 1": the culprit, in words; empty */
    Tone tone;
} TreeRow;

typedef enum DocKind {
    DOC_GROUP,     /* children only: a column of the page without a heading */
    DOC_SECTION,   /* title, children; id is its anchor */
    DOC_CARD,      /* title, badges, children: one finding */
    DOC_FOLD,      /* title, children: HTML shows the title alone until it is opened; elsewhere it stands before them */
    DOC_HEADING,   /* title: a heading inside a card */
    DOC_PARAGRAPH, /* spans */
    DOC_LIST,      /* children are DOC_ITEM */
    DOC_ITEM,      /* children; number for an ordered one */
    DOC_CODE,      /* code: commands or a file's text, never broken over lines */
    DOC_TABLE,     /* table */
    DOC_FACTS,     /* facts */
    DOC_EVIDENCE,  /* lines */
    DOC_TREE,      /* tree; with a role: HTML folds it */
    DOC_PICTURE,   /* picture (picture.h): HTML only, with its table folded under it */
    DOC_NOTE       /* tone, children: a box that must not be overlooked */
} DocKind;

/* A part may have a long form for HTML and a short one for text and Markdown, which are read from top to bottom. */
typedef enum Shown { SHOWN_EVERYWHERE, SHOWN_HTML, SHOWN_PLAIN } Shown;

typedef struct Picture Picture; /* picture.h */

typedef struct DocNode DocNode;
struct DocNode {
    DocKind kind;
    Shown shown;
    const char *id;   /* of sections and cards: letters, digits, '-'; ours, never from data; may be NULL */
    const char *role; /* a class for the style: "verdict", "lead", ...; ours; may be NULL */
    Spans title;      /* plain words */
    Spans spans;
    VEC(Badge) badges;
    Str code;
    Table *table;
    VEC(Fact) facts;
    Lines lines;
    VEC(TreeRow) tree;
    Picture *picture;
    Tone tone;
    int number;       /* items: 0 is a bullet */
    size_t max_lines; /* text, brief only: cut behind so many lines; 0: whole */
    VEC(DocNode *) children;
};

typedef struct Doc {
    Arena *arena;
    Str title;   /* of the window: plain text */
    Str kicker;  /* the line above the heading: "Storage diagnosis" */
    Str heading; /* the host */
    DocNode *
        head; /* facts of the upload: HTML has them under the heading, text and Markdown behind the verdict; may be NULL */
    DocNode *body; /* DOC_GROUP of sections */
    Str footer;
    bool brief;
    bool compares; /* of several uploads: "this upload" means nothing */
    int cards;     /* with an anchor */
} Doc;

DocNode *doc_new(Doc *d, DocKind kind);
DocNode *doc_add(Doc *d, DocNode *parent, DocKind kind);
DocNode *doc_section(Doc *d, const char *id, const char *title);
DocNode *doc_paragraph(Doc *d, DocNode *parent, const char *role);
DocNode *doc_text(Doc *d, DocNode *parent, const char *words); /* a paragraph of ours */
/* What a section is about, under its heading: HTML only, where there is room for it. */
void doc_intro(Doc *d, DocNode *section, const char *words);
DocNode *doc_heading(Doc *d, DocNode *parent, const char *words);
void doc_badge(Doc *d, DocNode *card, Str text, Tone tone);
void doc_fact(Doc *d, DocNode *facts, const char *term, Str value); /* nothing when value is empty */
Table *doc_table(Doc *d, DocNode *parent, const char *caption, bool captioned);
void doc_column(Doc *d, Table *t, Str title, bool number);
void doc_column_html(Doc *d, Table *t, Str title);
Row *doc_row(Doc *d, Table *t); /* after the columns; valid until the next one */
void doc_evidence(Doc *d, DocNode *parent, const EvidenceList *list, size_t shown,
                  bool folded); /* nothing when empty */
/*
 * A rule's formatted text, its lists nested. A danger in it (strong words that begin with "Danger:", in the page's language) leaves
 * its paragraph and stands in a box before it: who reads "switch it off" must have read why not to before.
 */
void doc_rich(Doc *d, DocNode *parent, const Rich *rich);
/* Does a danger begin with this span? */
bool span_is_danger(const Span *s);
DocNode *doc_fold(Doc *d, DocNode *parent, Str title);
/* Facts whose value has styles; nothing when it is empty. */
void doc_fact_spans(Doc *d, DocNode *facts, const char *term, Spans value, Tone tone);
/* The node that was added to `parent` last. */
DocNode *doc_last(DocNode *parent);

/* Appends a span; text is cleaned as CLEAN_INLINE, but a blank at its ends stays a blank. */
void span_add(Doc *d, Spans *s, unsigned style, Str text);
void span_addz(Doc *d, Spans *s, unsigned style, const char *text);
void span_addf(Doc *d, Spans *s, unsigned style, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
Str doc_clean(Doc *d, Str text); /* CLEAN_NAME in the document's arena */

/* What the writers share. */
Str spans_plain(Arena *a, const Spans *s);
/* The rows of a tree as lines with branches before them: "├─ ", "│  └─ ". prefixes[i] belongs to row i. */
Str *tree_prefixes(Arena *a, const DocNode *tree);
/* "and 12 more lines in a.txt, b.txt" of the lines from `from` on; "12 lines in ..." when from is 0. */
Str lines_more(Arena *a, const Lines *l, size_t from);
/* What stands under a table that was cut. */
Str more_rows(Arena *a, size_t count);
/* "sys/block/sda/queue/write_cache:1", or with the JSON pointer behind '#', of a comparison "before: ..."; "" when there is no
   member. */
Str evidence_place(Arena *a, const Evidence *e);

#endif
