/*
 * Parses bytes as a rule page, and turns its sections into formatted text with hostile values in its placeholders. The same bytes
 * are read as a translation, whose phrases meet them, and as a compiled catalogue.
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

static void check_translation(Arena *a, Str text) {
    Error err = {""};
    Translation t = {0};
    char *block;
    Str exact = fuzz_exact(text, &block);
    bool ok = translation_parse(a, STR("rules/fuzz.es.md"), exact, &t, &err);
    free(block);
    if (!ok && !str_starts(str_of(err.text), "rules/fuzz.es.md"))
        fuzz_fail("a translation refused without its file: %s", err.text);
    for (size_t i = 0; i < t.phrases.count && i < 50; i++) {
        Phrase *p = &t.phrases.items[i];
        lang_phrase_matches(p, text);
        if (!str_has(p->english, "{") && !lang_phrase_matches(p, p->english))
            fuzz_fail("a phrase does not match itself: %.*s", STR_ARG(p->english));
        p->lang = STR("en"); /* lang_phrase() looks for those of the language at hand */
    }
    lang_phrases(t.phrases.items, t.phrases.count);
    exact = fuzz_exact(text, &block);
    lang_use_catalogue((const unsigned char *)exact.p, exact.len);
    lang_text("Risks");
    lang_str(a, str_sub(text, 0, 40));
    for (unsigned long n = 0; n < 30; n += 7) say_n(a, "{n} drive", "{n} drives", n, "of", text, NULL);
    static const unsigned char empty[28] = {0xde, 0x12, 0x04, 0x95}; /* a catalogue without messages */
    lang_use_catalogue(empty, sizeof empty);
    lang_phrase(a, str_sub(text, 0, 1000));
    lang_use(STR("en"));
    lang_phrases(NULL, 0);
    free(block);
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
    check_translation(a, text);
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
