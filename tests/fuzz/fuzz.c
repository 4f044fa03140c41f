#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* A note quotes a line at most once, clipped, and says something about it. */
enum { NOTE_MAX = 2 * FACTS_LINE_CLIP };

void fuzz_fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("broken promise: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    abort();
}

Str fuzz_exact(Str text, char **block) {
    size_t room = text.len ? text.len : 1;
    char *p = malloc(room);
    if (!p) fuzz_fail("out of memory");
    *block = p;
    p += room - text.len;
    if (text.len) memcpy(p, text.p, text.len);
    return (Str){p, text.len};
}

static ssize_t text_read(ByteSource *src, char *buf, size_t size, Error *err) {
    (void)err;
    FuzzText *t = (FuzzText *)src;
    if (size > t->rest.len) size = t->rest.len;
    if (size) memcpy(buf, t->rest.p, size);
    t->rest = str_from(t->rest, size);
    return (ssize_t)size;
}

FuzzText fuzz_text(Str text) {
    return (FuzzText){{text_read}, text};
}

void fuzz_facts_open(FuzzFacts *f) {
    Error err = {""};
    *f = (FuzzFacts){.arena = arena_new((size_t)1 << 29), .scratch = arena_new((size_t)1 << 29)};
    f->facts = facts_new(f->arena, &err);
    if (!f->facts) fuzz_fail("%s", err.text);
    f->bundle = facts_bundle(f->facts, STR("fuzz"), STR("file"));
    f->capture = facts_capture(f->facts, f->bundle, STR_NONE);
}

void fuzz_facts_close(FuzzFacts *f) {
    arena_free(f->scratch);
    arena_free(f->arena);
    *f = (FuzzFacts){0};
}

/* A query of which any row is a defect; ?1 is the first piece to look at. */
static void no_row(FuzzFacts *f, int64_t src, const char *what, const char *sql) {
    sqlite3_stmt *st = facts_query(f->facts, sql);
    sqlite3_bind_int64(st, 1, src);
    if (sqlite3_step(st) == SQLITE_ROW) {
        const char *shown = (const char *)sqlite3_column_text(st, 0);
        fuzz_fail("%s: %.200s", what, shown ? shown : "NULL");
    }
    sqlite3_reset(st);
}

void fuzz_check_facts(FuzzFacts *f, int64_t src) {
    facts_flush(f->facts);
    /* Views and virtual tables hold nothing of their own. */
    sqlite3_stmt *tables = facts_query(
        f->facts,
        "SELECT m.name, (SELECT group_concat('length(CAST(' || c.name || ' AS BLOB)) > ' || ?1, ' OR ') FROM "
        "pragma_table_info(m.name) c WHERE c.type = 'TEXT') FROM sqlite_master m WHERE m.type = 'table' AND m.sql LIKE "
        "'CREATE TABLE%' AND m.name <> 'line_text' AND 2 = (SELECT COUNT(*) FROM pragma_table_info(m.name) c WHERE "
        "c.name IN "
        "('src', 'line'))");
    sqlite3_bind_int(tables, 1, FACTS_VALUE_CLIP);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(tables, 0),
                   *too_long = (const char *)sqlite3_column_text(tables, 1);
        no_row(
            f, src, arena_fmt(f->scratch, "a row of %s without its source line", name),
            arena_fmt(f->scratch,
                      "SELECT t.line FROM %s t WHERE t.src >= ?1 AND t.line IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
                      "line_text k WHERE k.src = t.src AND k.line = t.line)",
                      name));
        if (too_long)
            no_row(f, src, arena_fmt(f->scratch, "a text without bound in %s", name),
                   arena_fmt(f->scratch, "SELECT line FROM %s WHERE src >= ?1 AND (%s)", name, too_long));
    }
    sqlite3_reset(tables);
    arena_reset(f->scratch);
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT line FROM line_text WHERE src >= ?1 AND length(CAST(text AS BLOB)) > %d",
             FACTS_LINE_CLIP);
    no_row(f, src, "a kept line longer than the clip", sql);
    no_row(f, src, "a kept spot without line and path",
           "SELECT line FROM line_text WHERE src >= ?1 AND line <= 0 AND path IS NULL");
    snprintf(sql, sizeof sql, "SELECT text FROM note WHERE src >= ?1 AND length(CAST(text AS BLOB)) > %d", NOTE_MAX);
    no_row(f, src, "a note too long to read", sql);
    snprintf(sql, sizeof sql, "SELECT note FROM source WHERE id >= ?1 AND length(CAST(note AS BLOB)) > %d", NOTE_MAX);
    no_row(f, src, "a note of a piece too long to read", sql);
    no_row(f, src, "a piece that ends before it begins",
           "SELECT line_first || '-' || line_last FROM source WHERE id >= ?1 AND line_last > 0 AND line_last < "
           "line_first");
}
