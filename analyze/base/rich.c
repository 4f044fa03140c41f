#include "rich.h"

Str block_plain(Arena *a, const Block *b) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < b->span_count; i++) sb_add(&out, b->spans[i].text);
    return sb_str(&out);
}

Str rich_plain(Arena *a, const Rich *r) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < r->count; i++) {
        if (i) sb_addc(&out, '\n');
        for (size_t k = 0; k < r->blocks[i].span_count; k++) sb_add(&out, r->blocks[i].spans[k].text);
    }
    return sb_str(&out);
}

Rich rich_text(Arena *a, Str s) {
    Rich r = {arena_new_of(a, Block), 1};
    r.blocks->spans = arena_new_of(a, Span);
    r.blocks->spans->text = s;
    r.blocks->span_count = 1;
    return r;
}
