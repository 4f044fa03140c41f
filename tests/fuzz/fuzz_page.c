/*
 * Parses bytes as a rule page, and turns its sections into formatted text with hostile values in its placeholders.
 *
 * What has to hold: a page is read or refused with file and line; links lead to http(s) and nowhere else; what a placeholder
 * holds never becomes markup.
 */
#include "../../analyze/diagnose/page.h"
#include "fuzz.h"

#include <stdlib.h>

/* Only here does it stand; a link, code or HTML made of it would show. */
#define VALUE "[v](http://evil.example) <script> `c` **s** <http://evil.example/2>"

typedef struct Names {
    Arena *arena;
    Placeholders all;
} Names;

static void found(void *arg, Str name) {
    Names *n = arg;
    placeholder_add(n->arena, &n->all, name, STR(VALUE), false);
    placeholder_add(n->arena, &n->all, name, STR("17"), true);
    if (name.len % 2) placeholder_add(n->arena, &n->all, name, STR("3"), true);
}

static void check_section(Arena *a, Str markdown) {
    Names n = {.arena = a};
    placeholders_in(a, markdown, found, &n);
    placeholders_fill(a, &n.all, markdown);
    Rich rich = page_rich(a, markdown, &n.all);
    bool own = str_has(markdown, "evil");
    for (size_t i = 0; i < rich.count; i++) {
        const Block *b = &rich.blocks[i];
        if (b->depth < 0 || b->number < 0) fuzz_fail("a block of depth %d and number %d", b->depth, b->number);
        for (size_t k = 0; k < b->span_count; k++) {
            Str url = b->spans[k].url;
            if (url.len && !str_istarts(url, "http://") && !str_istarts(url, "https://"))
                fuzz_fail("a link to %.*s", STR_ARG(url));
            if (!own && str_has(url, "evil")) fuzz_fail("a placeholder became a link: %.*s", STR_ARG(url));
        }
    }
    rich_plain(a, &rich);
}

void fuzz_page(Str text) {
    Arena *a = arena_new((size_t)256 << 20);
    Error err = {""};
    Page page = {0};
    char *block;
    Str exact = fuzz_exact(text, &block);
    bool ok = page_parse(a, STR("rules/fuzz.md"), exact, &page, &err);
    free(block); /* a page keeps a copy */
    if (!ok) {
        if (!str_starts(str_of(err.text), "rules/fuzz.md")) fuzz_fail("a page refused without its file: %s", err.text);
    } else {
        if (!page.id.len || !page.title.len) fuzz_fail("a page without id or title");
        check_section(a, page.title);
        check_section(a, page.summary);
        check_section(a, page.fix);
        check_section(a, page.verify);
        check_section(a, page.not_this);
    }
    check_section(a, arena_str(a, text));
    if (arena_used(a) > ((size_t)16 << 20) + 4096 * text.len) fuzz_fail("%zu bytes for %zu", arena_used(a), text.len);
    arena_free(a);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_page((Str){(const char *)data, size});
    return 0;
}
#endif
