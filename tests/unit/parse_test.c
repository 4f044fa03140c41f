#include "parse_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ParseTest *open_test(void) {
    Error err = {""};
    ParseTest *pt = calloc(1, sizeof *pt);
    assert_non_null(pt);
    pt->arena = arena_new((size_t)1 << 30);
    pt->scratch = arena_new((size_t)1 << 30);
    pt->facts = facts_new(pt->arena, &err);
    if (!pt->facts) fail_msg("%s", err.text);
    pt->bundle = facts_bundle(pt->facts, STR("test"), STR("file"));
    pt->capture = facts_capture(pt->facts, pt->bundle, STR_NONE);
    return pt;
}

ParseTest *pt_again(ParseTest *pt, const Parser *parser, const char *path, const char *command, Str text) {
    if (!pt) pt = open_test();
    arena_reset(pt->scratch);
    pt->ctx = (ParseCtx){.facts = pt->facts,
                         .arena = pt->arena,
                         .scratch = pt->scratch,
                         .path = str_of(path ? path : ""),
                         .command = str_of(command ? command : "")};
    pt->ctx.src = facts_source(pt->facts, pt->bundle, pt->capture, str_of(path ? path : "test"), 1, parser->name,
                               pt->ctx.command, 0);
    MemoryInput m;
    /* An exact copy, so that AddressSanitizer sees a read one byte too far. */
    char *copy = malloc(text.len ? text.len : 1);
    assert_non_null(copy);
    if (text.len) memcpy(copy, text.p, text.len);
    memory_input(&m, (Str){copy, text.len}, 1);
    pt->result = parser->parse(&pt->ctx, &m.in);
    free(copy);
    facts_source_end(pt->facts, pt->ctx.src, m.in.line, "parsed", pt->ctx.rows, pt->ctx.bad_rows,
                     pt->ctx.first_bad_line, pt->ctx.first_note, (int64_t)text.len);
    facts_flush(pt->facts);
    return pt;
}

ParseTest *pt_run(const Parser *parser, const char *path, const char *command, Str text) {
    return pt_again(NULL, parser, path, command, text);
}

void pt_free(ParseTest *pt) {
    arena_free(pt->scratch);
    arena_free(pt->arena);
    free(pt);
}

static sqlite3_stmt *query(ParseTest *pt, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(pt->facts), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(facts_db(pt->facts)));
    return st;
}

const char *pt_text(ParseTest *pt, const char *sql) {
    sqlite3_stmt *st = query(pt, sql);
    const char *result = "";
    if (sqlite3_step(st) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        result = arena_fmt(pt->arena, "%s", text ? text : "NULL");
    }
    sqlite3_finalize(st);
    return result;
}

double pt_real(ParseTest *pt, const char *sql) {
    sqlite3_stmt *st = query(pt, sql);
    double result = NAN;
    if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL)
        result = sqlite3_column_double(st, 0);
    sqlite3_finalize(st);
    return result;
}

Str pt_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return STR_NONE;
    size_t cap = 1 << 16, len = 0;
    char *p = malloc(cap);
    while (p) {
        len += fread(p + len, 1, cap - len, file);
        if (len < cap) break;
        p = realloc(p, cap *= 2);
    }
    fclose(file);
    /* Reachable until the end, so that the leak checker knows it is meant to stay. */
    static struct Kept {
        struct Kept *next;
        char *text;
    } * kept;
    struct Kept *k = malloc(sizeof *k);
    assert_non_null(k);
    *k = (struct Kept){kept, p};
    kept = k;
    return (Str){p, len};
}

const char *pt_corpus(void) {
    const char *dir = getenv("STORDX_CORPUS");
    if (!dir) dir = "../shared/corpus";
    return access(dir, R_OK) == 0 ? dir : NULL;
}
