#include "corpus.h"

#include "../../analyze/parse/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

Str read_file(Arena *a, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return STR_NONE;
    StrBuf b;
    sb_init(&b, a);
    char buf[16384];
    for (size_t n; (n = fread(buf, 1, sizeof buf, file)) > 0;) sb_add(&b, (Str){buf, n});
    fclose(file);
    Str text = sb_str(&b);
    return text.p ? text : STR("");
}

static void free_code(void *code) {
    pcre2_code_free(code);
}

/* Next row of a tab separated file that is no comment and not empty; false at the end. */
static bool tsv_row(Str *text, Str *cells, size_t n) {
    while (text->len) {
        Str line = str_trim_right(str_cut(text, '\n'));
        if (!line.len || line.p[0] == '#') continue;
        for (size_t i = 0; i < n; i++) cells[i] = i + 1 < n ? str_trim(str_cut(&line, '\t')) : str_trim(line);
        return true;
    }
    return false;
}

static Str data_file(Corpus *c, const char *name) {
    const char *path = arena_fmt(c->arena, "%s/%s", c->home, name);
    Str text = read_file(c->arena, path);
    if (!text.p) fatal("%s cannot be read", path);
    return text;
}

static void read_tools(Corpus *c) {
    Str text = data_file(c, "tools.tsv"), cells[4];
    while (tsv_row(&text, cells, 4)) {
        if (!str_is(cells[2], "core") && !str_is(cells[2], "extra"))
            fatal("tools.tsv: %.*s is neither core nor extra", STR_ARG(cells[0]));
        Tool t = {.folder = cells[0], .parsers = cells[1], .core = str_is(cells[2], "core"), .row = cells[3]};
        if (t.row.len) {
            int error;
            PCRE2_SIZE at;
            t.code = pcre2_compile((PCRE2_SPTR)t.row.p, t.row.len, 0, &error, &at, NULL);
            if (!t.code) fatal("tools.tsv: %.*s: the pattern is broken at %zu", STR_ARG(t.folder), at);
            arena_defer(c->arena, free_code, t.code);
        }
        VEC_PUSH(c->arena, &c->tools, t);
    }
}

static void read_index(Corpus *c) {
    const char *path = arena_fmt(c->arena, "%s/INDEX.tsv", c->dir);
    Str text = read_file(c->arena, path), cells[8];
    if (!text.p) fatal("%s cannot be read", path);
    str_cut(&text, '\n');
    while (tsv_row(&text, cells, 8)) {
        CorpusFile f = {.file = arena_cstr(c->arena, cells[0]), .expected = str_is(cells[7], "y")};
        f.name = arena_cstr(c->arena, str_basename(cells[0]));
        Str rest = cells[0], folder = str_cut(&rest, '/');
        for (size_t i = 0; i < c->tools.count && !f.tool; i++)
            if (str_eq(c->tools.items[i].folder, folder)) f.tool = &c->tools.items[i];
        if (!f.tool) fatal("tools.tsv says nothing of the folder %.*s", STR_ARG(folder));
        f.text = read_file(c->arena, arena_fmt(c->arena, "%s/%s", c->dir, f.file));
        if (!f.text.p) fatal("%s/%s cannot be read", c->dir, f.file);
        VEC_PUSH(c->arena, &c->files, f);
    }
}

Corpus *corpus_open(const char *home) {
    const char *dir = getenv("STORDX_CORPUS");
    if (!dir || !*dir) dir = "../shared/corpus";
    if (access(dir, R_OK) != 0) return NULL;
    Arena *a = arena_new((size_t)1 << 30);
    Corpus *c = arena_new_of(a, Corpus);
    c->arena = a;
    c->dir = dir;
    c->home = home;
    read_tools(c);
    read_index(c);
    Str text = data_file(c, "explained.tsv"), cells[3];
    while (tsv_row(&text, cells, 3)) {
        if (!cells[2].len) fatal("explained.tsv: no reason for %.*s", STR_ARG(cells[0]));
        Explained e = {.file = cells[0], .what = cells[1], .reason = cells[2]};
        VEC_PUSH(c->arena, &c->explained, e);
    }
    return c;
}

void corpus_close(Corpus *c) {
    arena_free(c->arena);
}

bool tool_parser(const Tool *tool, const char *parser) {
    for (Str rest = tool->parsers, word; (word = str_word(&rest)).len;)
        if (str_is(word, parser)) return true;
    return false;
}

bool tool_has_parser(const Tool *tool) {
    for (Str rest = tool->parsers, word; (word = str_word(&rest)).len;)
        if (registry_find(word)) return true;
    return false;
}

const char *explained(Corpus *c, const char *file, const char *what) {
    for (size_t i = 0; i < c->explained.count; i++) {
        Explained *e = &c->explained.items[i];
        if (!str_glob(e->file, str_of(file)) || !str_glob(e->what, str_of(what))) continue;
        e->used++;
        return arena_cstr(c->arena, e->reason);
    }
    return NULL;
}

/* ---------------------------------------------------------------- framing */

typedef struct TextSource {
    ByteSource src;
    Str rest;
} TextSource;

static ssize_t text_read(ByteSource *src, char *buf, size_t size, Error *err) {
    TextSource *s = (TextSource *)src;
    (void)err;
    size_t n = s->rest.len < size ? s->rest.len : size;
    if (n) memcpy(buf, s->rest.p, n);
    s->rest = str_from(s->rest, n);
    return (ssize_t)n;
}

Desk *desk_open(void) {
    Error err = {""};
    Arena *a = arena_new((size_t)2 << 30);
    Desk *d = arena_new_of(a, Desk);
    d->arena = a;
    d->scratch = arena_new((size_t)1 << 30);
    d->facts = facts_new(a, &err);
    if (!d->facts) fatal("%s", err.text);
    d->bundle = facts_bundle(d->facts, STR("corpus"), STR("file"));
    d->capture = facts_capture(d->facts, d->bundle, STR_NONE);
    return d;
}

void desk_close(Desk *d) {
    arena_free(d->scratch);
    arena_free(d->arena);
}

static const char *column(Desk *d, sqlite3_stmt *st, int i) {
    const char *text = (const char *)sqlite3_column_text(st, i);
    return text ? arena_fmt(d->arena, "%s", text) : "";
}

const Piece *desk_frame(Desk *d, const char *path, bool own_file, Str text, size_t *count) {
    TextSource source = {.src = {text_read}, .rest = text};
    LineReader r;
    reader_open(&r, &source.src);
    Member m = {.facts = d->facts,
                .arena = d->arena,
                .scratch = d->scratch,
                .bundle = d->bundle,
                .capture = d->capture,
                .path = str_of(path),
                .own_file = own_file};
    frame_member(&m, &r);
    if (r.bytes != text.len) fatal("%s: %llu of %zu bytes were read", path, (unsigned long long)r.bytes, text.len);
    reader_close(&r);
    facts_flush(d->facts);
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(d->facts),
                           "SELECT tool, status, note, line_first, line_last, rows, bad_rows, first_bad_line, id FROM"
                           " source WHERE id > ?1 ORDER BY line_first, id",
                           -1, &st, NULL) != SQLITE_OK)
        fatal("%s", sqlite3_errmsg(facts_db(d->facts)));
    sqlite3_bind_int64(st, 1, d->last_src);
    VEC(Piece) pieces = {0};
    while (sqlite3_step(st) == SQLITE_ROW) {
        Piece p = {.tool = column(d, st, 0),
                   .status = column(d, st, 1),
                   .note = column(d, st, 2),
                   .first = sqlite3_column_int64(st, 3),
                   .last = sqlite3_column_int64(st, 4),
                   .rows = sqlite3_column_int64(st, 5),
                   .bad_rows = sqlite3_column_int64(st, 6),
                   .first_bad_line = sqlite3_column_int64(st, 7)};
        if (sqlite3_column_int64(st, 8) > d->last_src) d->last_src = sqlite3_column_int64(st, 8);
        VEC_PUSH(d->arena, &pieces, p);
    }
    sqlite3_finalize(st);
    *count = pieces.count;
    return pieces.items;
}

const char *desk_print(Desk *d, const Piece *pieces, size_t count) {
    StrBuf b;
    sb_init(&b, d->arena);
    for (size_t i = 0; i < count && i < 12; i++)
        sb_addf(&b, "%s%lld-%lld %s %s", i ? "; " : "", (long long)pieces[i].first, (long long)pieces[i].last,
                pieces[i].tool[0] ? pieces[i].tool : "?", pieces[i].status);
    if (count > 12) sb_addf(&b, "; and %zu more", count - 12);
    return sb_str(&b).p ? sb_str(&b).p : "";
}
