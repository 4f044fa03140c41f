/*
 * parser.h - what a parser is, and what it gets
 *
 * A parser turns the output of one tool into facts. It takes lines, not files, so the same parser reads a paste of 2 KB and
 * a log of 3 GB in constant memory, and a test or a fuzzer feeds it bytes. Adding one is one file with one descriptor
 * (`const Parser parser_NAME`) and one line in parsers.def.
 */
#ifndef STORDX_PARSE_PARSER_H
#define STORDX_PARSE_PARSER_H

#include "../base/arena.h"
#include "../base/str.h"
#include "../facts/facts.h"
#include "../facts/samples.h"
#include "input.h"

/* What became of a piece. */
typedef enum ParseResult {
    PARSE_OK,      /* every row was understood */
    PARSE_NOTHING, /* the tool ran and had nothing to say: "no pools available" */
    PARSE_PARTIAL, /* facts were found, and rows that were not understood (each a note) */
    PARSE_REJECTED /* not this tool's output after all */
} ParseResult;

typedef struct ParseCtx {
    Facts *facts;
    Arena *arena;   /* the bundle's: what a parser keeps */
    Arena *scratch; /* gone when the piece is done */
    Str path;       /* member path, may be empty */
    Str command;    /* command line, may be empty */
    int64_t src;    /* row of `source`, passed to every facts_*() call */
    int64_t rows;   /* rows understood so far: the parser counts */
    int64_t bad_rows;
    int64_t first_bad_line;
    Str first_note;
} ParseCtx;

/*
 * bid: about how many bits of evidence speak for this tool, 0 = not mine. Guide: 8 a path or command that fits, 16 a
 * header word combination that only this tool prints, 24 and more several of them. Content decides: a bid from the path
 * alone stays at 8 or below, and an empty or contradicting head gives 0. head is the start of the piece, up to 16 KB,
 * whole lines where possible; other outputs may follow behind the piece's end, so judge by its first lines.
 * starts: could this line be the FIRST line of my output in a paste, with no prompt before it? Strict: it is asked of every
 * line that the running parser does not claim.
 * continues: could this line belong to my output once it has started? Blank lines are asked too. For JSON and XML the
 * framer finds the end by itself and does not ask.
 * strict: continues() is so exact that no line of another tool passes it (tables of numbers); then the framer does not
 * ask the others' starts() for claimed lines, which is what keeps long series cheap.
 */
typedef struct Parser {
    const char *name; /* the tool, as the report names it and `needs:` in rules spells it: lower case, dashes */
    int (*bid)(Str path, Str command, Str head);
    bool (*starts)(Str line);
    bool (*continues)(Str line);
    ParseResult (*parse)(ParseCtx *ctx, Input *in);
    bool strict;
    const char *ask; /* the command that produces it, as a report asks for it: "smartctl -x /dev/sdX" */
    bool
        by_hand; /* what it reads was typed off by somebody: its facts alone make nothing likely and rule nothing out */
    bool json_lines; /* a JSON form of it is one document per line (journalctl -o json), not one for the whole */
} Parser;

/* A complaint about one row: a note with member and line, and the row counts as not understood. */
void parse_note(ParseCtx *ctx, Spot at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Shorthands on ctx->facts and ctx->src. */
Ref ctx_ref(ParseCtx *ctx, RefKind kind, Str name);
void ctx_setting(ParseCtx *ctx, Ref node, const char *key, Str value, const char *view, Spot at);
void ctx_setting_int(ParseCtx *ctx, Ref node, const char *key, int64_t value, const char *view, Spot at);
void ctx_setting_real(ParseCtx *ctx, Ref node, const char *key, double value, const char *view, Spot at);
Row ctx_row(ParseCtx *ctx, const char *table, Spot at);

/* PARSE_OK, PARSE_PARTIAL, PARSE_NOTHING or PARSE_REJECTED from the counts: the usual last line of a parser. */
ParseResult parse_result(const ParseCtx *ctx);

/* Helpers for bids. */
Str head_line(Str *head);                       /* next line of head, CR stripped; shrinks head */
bool command_is(Str command, const char *tool); /* first word (behind sudo, env, path) is `tool` */
bool path_has(Str path, const char *word);      /* path contains word, ASCII case ignored */

#endif
