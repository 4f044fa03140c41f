#include "frame_test.h"

#include <stdio.h>
#include <stdlib.h>

static ssize_t step_read(ByteSource *src, char *buf, size_t size, Error *err) {
    StepSource *s = (StepSource *)src;
    size_t n = s->rest.len < s->step ? s->rest.len : s->step;
    if (n > size) n = size;
    if (n > s->fail_after) n = s->fail_after;
    if (!n && s->rest.len && !s->fail_after) {
        error_set(err, "made to fail");
        return -1;
    }
    if (n) memcpy(buf, s->rest.p, n);
    s->rest = str_from(s->rest, n);
    if (s->fail_after != SIZE_MAX) s->fail_after -= n;
    return (ssize_t)n;
}

void step_source(StepSource *s, Str text, size_t step) {
    *s = (StepSource){.src = {step_read}, .rest = text, .step = step, .fail_after = SIZE_MAX};
}

FrameTest *ft_open(void) {
    Error err = {""};
    FrameTest *ft = calloc(1, sizeof *ft);
    assert_non_null(ft);
    ft->arena = arena_new((size_t)2 << 30);
    ft->scratch = arena_new((size_t)1 << 30);
    ft->facts = facts_new(ft->arena, &err);
    if (!ft->facts) fail_msg("%s", err.text);
    ft->bundle = facts_bundle(ft->facts, STR("test"), STR("file"));
    ft->capture = facts_capture(ft->facts, ft->bundle, STR_NONE);
    return ft;
}

void ft_close(FrameTest *ft) {
    arena_free(ft->scratch);
    arena_free(ft->arena);
    free(ft);
}

static const char *column(FrameTest *ft, sqlite3_stmt *st, int i) {
    const char *text = (const char *)sqlite3_column_text(st, i);
    return arena_fmt(ft->arena, "%s", text ? text : "");
}

const FramePiece *ft_frame(FrameTest *ft, const char *path, const char *command, bool own_file, Str text,
                           size_t *count) {
    StepSource source;
    step_source(&source, text, SIZE_MAX);
    LineReader r;
    reader_open(&r, &source.src);
    Member m = {.facts = ft->facts,
                .arena = ft->arena,
                .scratch = ft->scratch,
                .bundle = ft->bundle,
                .capture = ft->capture,
                .path = str_of(path),
                .command = str_of(command),
                .own_file = own_file};
    frame_member(&m, &r);
    assert_int_equal(r.bytes, text.len); /* read to its end */
    reader_close(&r);
    facts_flush(ft->facts);
    sqlite3_stmt *st;
    VEC(FramePiece) pieces = {0};
    if (sqlite3_prepare_v2(facts_db(ft->facts),
                           "SELECT tool, status, note, command, line_first, line_last, rows, bad_rows, id FROM source "
                           "WHERE id > ?1 ORDER BY line_first, id",
                           -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(facts_db(ft->facts)));
    sqlite3_bind_int64(st, 1, ft->first_src);
    int64_t last = ft->first_src;
    while (sqlite3_step(st) == SQLITE_ROW) {
        FramePiece p = {.tool = column(ft, st, 0),
                        .status = column(ft, st, 1),
                        .note = column(ft, st, 2),
                        .command = column(ft, st, 3),
                        .first = sqlite3_column_int64(st, 4),
                        .last = sqlite3_column_int64(st, 5),
                        .rows = sqlite3_column_int64(st, 6),
                        .bad_rows = sqlite3_column_int64(st, 7)};
        if (sqlite3_column_int64(st, 8) > last) last = sqlite3_column_int64(st, 8);
        VEC_PUSH(ft->arena, &pieces, p);
    }
    sqlite3_finalize(st);
    ft->first_src = last;
    *count = pieces.count;
    return pieces.items;
}

const char *ft_print(FrameTest *ft, const FramePiece *pieces, size_t count) {
    StrBuf b;
    sb_init(&b, ft->arena);
    for (size_t i = 0; i < count; i++)
        sb_addf(&b, "%s%lld-%lld %s %s", i ? "; " : "", (long long)pieces[i].first, (long long)pieces[i].last,
                pieces[i].tool[0] ? pieces[i].tool : "?", pieces[i].status);
    return sb_str(&b).p ? sb_str(&b).p : "";
}
