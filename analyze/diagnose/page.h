/*
 * page.h - rule pages: one Markdown file, one rule
 *
 * A page reads as an article; its ```rule block says what it is, its ```sql blocks are what runs. page_parse() reads one with
 * cmark; the sections stay Markdown until a report needs them (page_rich).
 */
#ifndef STORDX_DIAGNOSE_PAGE_H
#define STORDX_DIAGNOSE_PAGE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/lang.h"
#include "../base/rich.h"

typedef enum PageKind { PAGE_SYMPTOM, PAGE_CAUSE, PAGE_RISK, PAGE_NOTE, PAGE_VERDICT } PageKind;

typedef struct Weight { /* "write-latency 0.95@drive" */
    Str symptom, scope;
    double weight;
} Weight;

typedef struct CaseBlock {
    Str text;
    int line;
} CaseBlock;

typedef struct PageWords { /* what a report says of a page, in one language; all but title and plain are Markdown */
    Str title, plain, summary, fix, verify, not_this, as_told;
} PageWords;

/*
 * ID.LANG.md beside ID.md: its words in another language, under the same English headings. Its ```translation block says
 * `of: ID` and, as `english:`, the hash of the English words (page_hash()) from which it was made. phrases.LANG.md has ```phrases
 * blocks only, which any translation may hold, too.
 */
typedef struct Translation {
    Str file, text, lang;
    Str of;      /* the page's id; empty: phrases only */
    Str english; /* the hash as the file states it */
    int english_line;
    PageWords words;
    VEC(Phrase) phrases;
} Translation;
typedef VEC(const Translation *) Translations;

typedef struct Page {
    Str file;   /* rules/drive/drive-write-cache-off.md */
    Str text;   /* all of it: line numbers of what the sections hold */
    bool added; /* from a directory given at run time, not built in */
    Str plain;  /* the title where nothing was found: no {placeholders} */
    Str id, title, layer, class_, impact, raises, group_by, applies, needs, source;
    PageKind kind;
    bool compare; /* runs over two captures: :before and :after */
    VEC(Weight) explains;
    VEC(Str) yields_to;
    VEC(Str) ask;
    VEC(Str)
    words; /* what readers call it: "cpu", "netzwerk*". Their sentences are quoted where the page cannot be checked */
    VEC(Str)
    answers; /* notes: what people write that the page answers, where nothing else can be checked; as_told is the answer */
    Str as_told;                        /* Markdown without placeholders */
    Str inside;                         /* rule whose finding about the same things shows this one within its own */
    Str summary, fix, verify, not_this; /* Markdown */
    Str evidence_sql, ruled_out_sql;
    Str evidence_demand, ruled_out_demand, applies_demand; /* demand.h, of built-in pages; empty: nothing is known */
    int evidence_line, ruled_out_line;                     /* in the file */
    VEC(CaseBlock) cases;
    Translations translations; /* at most one of a language */
} Page;

typedef struct Pages {
    Page **items;
    size_t count, cap;
    VEC(Str) problems; /* "file:line: what is wrong": pages that were left out */
    VEC(Phrase) phrases;
} Pages;

const char *page_kind_word(PageKind kind);

/* Parses one page. Strings are slices into the text's copy in the arena. false with "file:line: why" when it is no page. */
bool page_parse(Arena *a, Str file, Str text, Page *page, Error *err);

/* Is this the name of a translation, NAME.LANG.md? */
bool is_translation_name(Str file);
/* Parses one translation, or one file of phrases. false with "file:line: why". */
bool translation_parse(Arena *a, Str file, Str text, Translation *out, Error *err);
/* The page's words in the language chosen (lang.h): of its translation, for what that lacks of the page itself; a title, where there is
   no translation, of the catalogue. */
PageWords page_words(Arena *a, const Page *page);
/* 16 hexadecimal digits, other ones when a word of the page that a translation has to follow changes. */
enum { PAGE_HASH_SIZE = 17 };
void page_hash(const Page *page, char out[PAGE_HASH_SIZE]);

/* The built-in pages, then those of the directory `extra` (may be NULL), which replace built-in ones of the same id, and the
   translations of both. Sorted by id. A broken page is left out and becomes a problem. Gives the phrases to lang.h. */
bool pages_load(Arena *a, const char *extra, Pages *pages, Error *err);
/* What the page is called where nothing fills its title: ruled out, not checked. Without `plain:` each {placeholder} is "...". In the
   language chosen. */
Str page_plain_title(Arena *a, const Page *page);
const Page *pages_find(const Pages *pages, Str id);

/* Values for {placeholders}. */
enum { PLACEHOLDER_VALUES = 300 }; /* more than the drives of the largest host: who reads on? */

typedef struct Placeholder {
    Str name;
    VEC(Str) values; /* distinct, in order; PLACEHOLDER_VALUES at most */
    bool more;       /* there were others */
    bool numeric;    /* all values were given as numbers: a range is shown */
    double low, high;
} Placeholder;
typedef VEC(Placeholder) Placeholders;

/* number: SQL says it is one. A serial number, a port or a firmware of digits only is text, and never becomes a range. */
void placeholder_add(Arena *a, Placeholders *p, Str name, Str value, bool number);
/* The filled form: values joined by ", " (and "and others" behind the last one kept), numbers as "57 to 72"; words of pages' SQL in
   the language chosen. p == NULL when there is no such placeholder. */
Str placeholder_text(Arena *a, const Placeholders *p, Str name);
Str placeholders_fill(Arena *a, const Placeholders *p, Str text);

/* Markdown to blocks, with placeholders filled in text and code nodes after parsing, never in the source; in code their values
   stay as they are, whatever the language. A line of a code block with a placeholder of several values is repeated for each. Raw HTML is dropped; links keep http(s) targets only. */
Rich page_rich(Arena *a, Str markdown, const Placeholders *p);

/* Names of all placeholders in a text, for the lint. */
void placeholders_in(Arena *a, Str text, void (*found)(void *arg, Str name), void *arg);

#endif
