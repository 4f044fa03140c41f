/*
 * page_load.c - the built-in pages, and those of a directory
 */
#include "builtin_pages.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_PAGE = 1 << 20 }; /* bytes of a page's file; a longer one is none */

static void add_page(Arena *a, Pages *pages, Page *page) {
    for (size_t i = 0; i < pages->count; i++)
        if (str_eq(pages->items[i]->id, page->id)) {
            if (pages->items[i]->added == page->added) /* replaces only what was built in */
                VEC_PUSH(a, &pages->problems,
                         arena_strf(a, "%.*s:1: %.*s has the same id \"%.*s\"", STR_ARG(pages->items[i]->file),
                                    STR_ARG(page->file), STR_ARG(page->id)));
            pages->items[i] = page;
            return;
        }
    VEC_PUSH(a, pages, page);
}

static void load_text(Arena *a, Pages *pages, Str file, Str text, bool added) {
    Page *page = arena_new_of(a, Page);
    Error err = {""};
    bool good = page_parse(a, file, text, page, &err);
    page->added = added;
    if (good) add_page(a, pages, page);
    else VEC_PUSH(a, &pages->problems, arena_strf(a, "%s", err.text));
}

/* Translations of a directory wait until all its pages are there. */
typedef VEC(Translation *) Waiting;

static void load_translation(Arena *a, Pages *pages, Str file, Str text, Waiting *waiting) {
    Translation *t = arena_new_of(a, Translation);
    Error err = {""};
    if (translation_parse(a, file, text, t, &err)) VEC_PUSH(a, waiting, t);
    else VEC_PUSH(a, &pages->problems, arena_strf(a, "%s", err.text));
}

/* A built-in page is read-only and gets a copy with the translation. */
static void attach(Arena *a, Pages *pages, const Translation *t) {
    size_t at = 0;
    while (at < pages->count && !str_eq(pages->items[at]->id, t->of)) at++;
    if (at == pages->count) {
        VEC_PUSH(a, &pages->problems,
                 arena_strf(a, "%.*s:1: there is no page \"%.*s\" to translate", STR_ARG(t->file), STR_ARG(t->of)));
        return;
    }
    Page *copy = arena_new_of(a, Page);
    *copy = *pages->items[at];
    copy->translations = (Translations){0};
    for (size_t i = 0; i < pages->items[at]->translations.count; i++)
        if (!str_eq(pages->items[at]->translations.items[i]->lang, t->lang))
            VEC_PUSH(a, &copy->translations, pages->items[at]->translations.items[i]);
    VEC_PUSH(a, &copy->translations, t);
    pages->items[at] = copy;
}

static bool read_file(Arena *a, const char *path, Str *text) {
    /* Somebody else's folder may hold pipes and devices under such names, which would never end, or never begin. */
    struct stat st;
    if (stat(path, &st) != 0) return false;
    if (!S_ISREG(st.st_mode)) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    StrBuf out;
    sb_init(&out, a);
    char buf[16 * 1024];
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, file)) > 0 && out.len <= MAX_PAGE) sb_add(&out, (Str){buf, n});
    fclose(file);
    if (out.len > MAX_PAGE) {
        errno = EFBIG;
        return false;
    }
    *text = sb_str(&out);
    return true;
}

static bool load_directory(Arena *a, const char *dir, int depth, Pages *pages, Waiting *waiting, Error *err) {
    DIR *d = opendir(dir);
    if (!d) return depth == 0 ? error_set(err, "cannot read the rules in %s: %s", dir, strerror(errno)) : true;
    VEC(char *) names = {0};
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.') VEC_PUSH(a, &names, arena_fmt(a, "%s", e->d_name));
    closedir(d);
    for (size_t i = 1; i < names.count; i++)
        for (size_t k = i; k > 0 && strcmp(names.items[k], names.items[k - 1]) < 0; k--) {
            char *t = names.items[k];
            names.items[k] = names.items[k - 1];
            names.items[k - 1] = t;
        }
    for (size_t i = 0; i < names.count; i++) {
        char *path = arena_fmt(a, "%s/%s", dir, names.items[i]);
        Str text;
        if (str_ends(str_of(path), ".md")) {
            if (read_file(a, path, &text)) {
                if (is_translation_name(str_of(path))) load_translation(a, pages, str_of(path), text, waiting);
                else load_text(a, pages, str_of(path), text, true);
            } else VEC_PUSH(a, &pages->problems, arena_strf(a, "%s:1: cannot be read: %s", path, strerror(errno)));
        } else if (depth < 3) {
            load_directory(a, path, depth + 1, pages, waiting, err);
        }
    }
    return true;
}

static int by_id(const void *x, const void *y) {
    return str_cmp((*(Page *const *)x)->id, (*(Page *const *)y)->id);
}

bool pages_load(Arena *a, const char *extra, Pages *pages, Error *err) {
    *pages = (Pages){0};
    for (size_t i = 0; i < builtin_page_count; i++) VEC_PUSH(a, pages, builtin_pages[i]);
    Waiting waiting = {0};
    if (extra && !load_directory(a, extra, 0, pages, &waiting, err)) return false;
    /* The phrases that are found first win: those of the directory may correct built-in ones. */
    for (size_t i = 0; i < waiting.count; i++) {
        if (waiting.items[i]->of.len) attach(a, pages, waiting.items[i]);
        for (size_t k = 0; k < waiting.items[i]->phrases.count; k++)
            VEC_PUSH(a, &pages->phrases, waiting.items[i]->phrases.items[k]);
    }
    for (size_t i = 0; i < builtin_phrase_count; i++) VEC_PUSH(a, &pages->phrases, builtin_phrases[i]);
    lang_phrases(pages->phrases.items, pages->phrases.count);
    if (pages->count) qsort(pages->items, pages->count, sizeof *pages->items, by_id);
    return true;
}

const Page *pages_find(const Pages *pages, Str id) {
    for (size_t i = 0; i < pages->count; i++)
        if (str_eq(pages->items[i]->id, id)) return pages->items[i];
    return NULL;
}
