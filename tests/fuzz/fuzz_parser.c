/*
 * Feeds bytes to one parser, -DFUZZ_PARSER=parser_NAME.
 *
 * What has to hold: it ends, in bounded memory, without touching a byte outside the line it was given or a line after asking
 * for the next; its result agrees with its counts; every line that it keeps is a part of the line of that number; every fact has its
 * line; a complaint comes with a note.
 */
#include "fuzz.h"

#include <stdlib.h>

enum { RUNS_PER_DATABASE = 100, HEAD = 16 * 1024, PATH_MARK = 1 };

/* Lines in blocks of their own, each gone when the next is asked for: what the reader of a real member only sometimes does. */
typedef struct TightInput {
    Input in;
    Str rest;
    int64_t next_line;
    char *block;
} TightInput;

static bool tight_next(Input *in, Str *line) {
    TightInput *t = (TightInput *)in;
    free(t->block);
    t->block = NULL;
    if (!t->rest.len) return false;
    *line = fuzz_exact(head_line(&t->rest), &t->block);
    in->line = t->next_line++;
    return true;
}

/* Does text begin with part, when blanks and line ends do not count? escapes: nor the colours of text, which some tools' readers
   take out. */
static bool begins(Str text, Str part, bool escapes) {
    for (size_t i = 0, k = 0;;) {
        while (k < part.len && ch_blank(part.p[k])) k++;
        if (k == part.len) return true;
        for (size_t n; i < text.len; i += n)
            if (!(n = ch_blank(text.p[i]) ? 1 : escapes ? str_csi(text, i) : 0)) break;
        if (i == text.len || text.p[i++] != part.p[k++]) return false;
    }
}

/* Every kept line is a part of the text that begins in the line of its number: a parser may join lines that a console broke. Gives
   the number of lines. */
static int64_t check_lines(FuzzFacts *f, int64_t src, Str text) {
    sqlite3_stmt *st =
        facts_query(f->facts, "SELECT line, text FROM line_text WHERE src = ?1 AND line > 0 ORDER BY line");
    sqlite3_bind_int64(st, 1, src);
    int64_t n = 0;
    Str from = STR_NONE, line = STR_NONE;
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t number = sqlite3_column_int64(st, 0);
        while (n < number && text.len) {
            from = text;
            line = head_line(&text);
            n++;
        }
        if (n != number) fuzz_fail("a kept line of number %lld, of %lld", (long long)number, (long long)n);
        Str kept = {(const char *)sqlite3_column_blob(st, 1), (size_t)sqlite3_column_bytes(st, 1)};
        size_t at = 0;
        while (at < line.len && !begins(str_from(from, at), kept, false) && !begins(str_from(from, at), kept, true))
            at++;
        if (at == line.len && str_trim(kept).len)
            fuzz_fail("line %lld is not what was kept: %.*s", (long long)number, STR_ARG(kept));
    }
    sqlite3_reset(st);
    for (; text.len; n++) head_line(&text);
    return n;
}

static void check_result(const ParseCtx *ctx, ParseResult result, int64_t lines) {
    if (ctx->rows < 0 || ctx->bad_rows < 0) fuzz_fail("negative counts");
    bool fits = false;
    switch (result) {
    case PARSE_OK: fits = ctx->rows && !ctx->bad_rows; break;
    case PARSE_NOTHING: fits = !ctx->rows && !ctx->bad_rows; break;
    case PARSE_PARTIAL: fits = ctx->rows && ctx->bad_rows; break;
    case PARSE_REJECTED: fits = !ctx->rows; break;
    }
    if (!fits)
        fuzz_fail("result %d with %lld rows and %lld bad ones", (int)result, (long long)ctx->rows,
                  (long long)ctx->bad_rows);
    if (ctx->bad_rows && !ctx->first_note.p) fuzz_fail("%lld bad rows without a note", (long long)ctx->bad_rows);
    if (ctx->first_bad_line < 0 || ctx->first_bad_line > lines)
        fuzz_fail("the first bad line is %lld of %lld", (long long)ctx->first_bad_line, (long long)lines);
}

/* The questions of the framer. */
static void ask(const Parser *parser, Str path, Str command, Str text) {
    char *block;
    Str head = fuzz_exact(str_sub(text, 0, HEAD), &block);
    int bid = parser->bid(STR_NONE, STR_NONE, head), known = parser->bid(path, command, head);
    if (bid < 0 || known < 0 || bid > 1000 || known > 1000) fuzz_fail("bids of %d and %d", bid, known);
    free(block);
    while (text.len) {
        Str line = fuzz_exact(head_line(&text), &block);
        bool starts = parser->starts(line), continues = parser->continues(line);
        if (starts != parser->starts(line) || continues != parser->continues(line)) fuzz_fail("answers that change");
        free(block);
    }
}

void fuzz_parser(const Parser *parser, Str text) {
    static FuzzFacts f; /* opening a database takes longer than most inputs */
    if (f.facts && f.runs++ >= RUNS_PER_DATABASE) fuzz_facts_close(&f);
    if (!f.facts) fuzz_facts_open(&f);
    Str path = STR_NONE, command = STR_NONE;
    if (text.len && text.p[0] == PATH_MARK) {
        command = str_from(head_line(&text), 1);
        path = str_cut(&command, '\t');
    }
    ask(parser, path, command, text);

    size_t before = arena_used(f.arena);
    ParseCtx ctx = {.facts = f.facts, .arena = f.arena, .scratch = f.scratch, .path = path, .command = command};
    ctx.src = facts_source(f.facts, f.bundle, f.capture, path.len ? path : STR("fuzz"), 1, parser->name, command, 0);
    TightInput t = {.in = {.next = tight_next}, .rest = text, .next_line = 1};
    ParseResult result = parser->parse(&ctx, &t.in);
    free(t.block);
    size_t grown = arena_used(f.arena) - before, scratch = arena_used(f.scratch),
           limit = ((size_t)16 << 20) + 1024 * text.len;
    if (grown > limit || scratch > limit)
        fuzz_fail("%zu bytes kept and %zu used for an input of %zu", grown, scratch, text.len);
    int64_t lines = check_lines(&f, ctx.src, text);
    check_result(&ctx, result, lines);
    facts_source_end(f.facts, ctx.src, t.in.line, "parsed", ctx.rows, ctx.bad_rows, ctx.first_bad_line, ctx.first_note,
                     (int64_t)text.len);
    arena_reset(f.scratch);
    fuzz_check_facts(&f, ctx.src);
    if (arena_used(f.arena) > (size_t)100 << 20) fuzz_facts_close(&f);
}

#ifdef FUZZ_PARSER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    extern const Parser FUZZ_PARSER;
    fuzz_parser(&FUZZ_PARSER, (Str){(const char *)data, size});
    return 0;
}
#endif
