/*
 * corpus.h - the corpus of real tool outputs, what the project says about it, and one file framed
 *
 * The corpus stays where it is ($STORDX_CORPUS, else ../shared/corpus): its files have licences of their own, so nothing of
 * them is kept in the project but single values in expect/.
 *
 * tools.tsv      folder of the corpus, names of the parsers its files belong to ("-": none is meant to), core or extra,
 *                pattern of a data row
 * explained.tsv  file (glob), what (glob), one line of reason: what deviates and why that is right
 *
 * Whatever goes wrong with these files themselves ends the program with a line on standard error: fatal().
 */
#ifndef STORDX_TESTS_CONFORMANCE_CORPUS_H
#define STORDX_TESTS_CONFORMANCE_CORPUS_H

#include "../../analyze/bundle/framing.h"

typedef struct Tool {
    Str folder;
    Str parsers; /* names, divided by blanks; "-" for outputs that no parser reads */
    bool core;   /* a deviation in its files is a failure */
    Str row;     /* regular expression of a data row; empty: rows are not counted */
    void *code;  /* it, compiled */
} Tool;

typedef struct CorpusFile {
    const char *file; /* folder/name */
    const char *name; /* without the folder, which would give the tool away */
    Tool *tool;
    bool expected; /* the source gave its own parse */
    Str text;
} CorpusFile;

typedef struct Explained {
    Str file, what, reason;
    int used;
} Explained;

typedef struct Corpus {
    Arena *arena;
    const char *dir;
    const char *home; /* folder of tools.tsv, explained.tsv, expect, compare */
    VEC(CorpusFile) files;
    VEC(Tool) tools;
    VEC(Explained) explained;
} Corpus;

/* NULL without a corpus. home: folder of the data files. */
Corpus *corpus_open(const char *home);
void corpus_close(Corpus *c);

/* A whole file in the arena; p == NULL when it cannot be read. */
Str read_file(Arena *a, const char *path);

/* May this parser have its say in files of that tool? */
bool tool_parser(const Tool *tool, const char *parser);
/* Has the registry any of the tool's parsers? */
bool tool_has_parser(const Tool *tool);

/* The reason why `what` is right for that file, or NULL. */
const char *explained(Corpus *c, const char *file, const char *what);

/* A text framed as one member, with a fact database that can hold several. */
typedef struct Piece {
    const char *tool, *status, *note; /* "" for NULL */
    int64_t first, last, rows, bad_rows, first_bad_line;
} Piece;

typedef struct Desk {
    Arena *arena, *scratch;
    Facts *facts;
    int64_t bundle, capture, last_src;
} Desk;
Desk *desk_open(void);
void desk_close(Desk *d);
/* Pieces in the order of their lines; they live as long as the desk. */
const Piece *desk_frame(Desk *d, const char *path, bool own_file, Str text, size_t *count);
/* The pieces in one line, for messages: "1-3 dd parsed; 4-9 ? unrecognised". */
const char *desk_print(Desk *d, const Piece *pieces, size_t count);

#endif
