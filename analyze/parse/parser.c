#include "parser.h"

void parse_note(ParseCtx *ctx, Spot at, const char *fmt, ...) {
    enum { MAX_NOTES = 20 }; /* of one piece: the first ones tell what is wrong, the count tells how much */
    va_list ap;
    va_start(ap, fmt);
    ctx->bad_rows++;
    if (ctx->bad_rows <= MAX_NOTES) {
        Str text = str_of(arena_vfmt(ctx->arena, fmt, ap));
        facts_note(ctx->facts, ctx->src, at, text);
        if (!ctx->first_note.p) {
            ctx->first_note = text;
            ctx->first_bad_line = at.line;
        }
    }
    va_end(ap);
}

Ref ctx_ref(ParseCtx *ctx, RefKind kind, Str name) {
    return facts_ref(ctx->facts, ctx->src, kind, name);
}

void ctx_setting(ParseCtx *ctx, Ref node, const char *key, Str value, const char *view, Spot at) {
    facts_setting(ctx->facts, ctx->src, node, key, value, view, at);
}

void ctx_setting_int(ParseCtx *ctx, Ref node, const char *key, int64_t value, const char *view, Spot at) {
    facts_setting_int(ctx->facts, ctx->src, node, key, value, view, at);
}

void ctx_setting_real(ParseCtx *ctx, Ref node, const char *key, double value, const char *view, Spot at) {
    facts_setting_real(ctx->facts, ctx->src, node, key, value, view, at);
}

Row ctx_row(ParseCtx *ctx, const char *table, Spot at) {
    return facts_row(ctx->facts, table, ctx->src, at);
}

ParseResult parse_result(const ParseCtx *ctx) {
    if (ctx->rows && ctx->bad_rows) return PARSE_PARTIAL;
    if (ctx->rows) return PARSE_OK;
    return ctx->bad_rows ? PARSE_REJECTED : PARSE_NOTHING;
}

Str head_line(Str *head) {
    Str line = str_cut(head, '\n');
    if (line.len && line.p[line.len - 1] == '\r') line.len--;
    return line;
}

bool command_is(Str command, const char *tool) {
    for (;;) {
        Str word = str_word(&command);
        if (!word.len) return false;
        if (str_find_ch(word, '=') != SIZE_MAX && word.p[0] != '/') continue; /* LC_ALL=C iostat */
        Str base = str_basename(word);
        if (str_is(base, tool)) return true;
        if (!str_is(base, "sudo") && !str_is(base, "env") && !str_is(base, "doas") && !str_is(base, "nice") &&
            !str_is(base, "timeout") && !str_is(base, "time") && !str_starts(base, "-"))
            return false;
    }
}

bool path_has(Str path, const char *word) {
    return str_ifind(path, word) != SIZE_MAX;
}
