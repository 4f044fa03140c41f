/*
 * lint_translations.c - is a translation still what the English page says?
 *
 * Nobody reads all languages. What can be compared without understanding is: where the text came from, its structure, and
 * everything that stays as it is. A step, a command or a danger that one language lacks would be missed by its readers alone.
 */
#include "lint.h"

#include "../base/embedded.h"

typedef struct Check {
    Arena *a;
    const Page *page;
    const Translation *t;
    StrBuf *out;
    size_t count;
} Check;

static void report(Check *c, int line, Str text) {
    sb_addf(c->out, "%.*s:%d: %.*s\n", STR_ARG(c->t->file), line, STR_ARG(text));
    c->count++;
}

typedef VEC(Str) Texts;

static bool take_out(Texts *list, Str text) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].p && str_eq(list->items[i], text)) {
            list->items[i] = STR_NONE;
            return true;
        }
    return false;
}

/* What a text consists of, as far as languages have it in common. */
typedef struct Shape {
    size_t items, paragraphs, strong;
    Texts code, links, names;
} Shape;

typedef struct Collecting {
    Arena *a;
    Texts *into;
} Collecting;

static void collect(void *arg, Str name) {
    Collecting *c = arg;
    for (size_t i = 0; i < c->into->count; i++)
        if (str_eq(c->into->items[i], name)) return;
    VEC_PUSH(c->a, c->into, name);
}

static Shape shape_of(Arena *a, Str markdown) {
    Shape s = {0};
    Rich rich = page_rich(a, markdown, NULL);
    for (size_t i = 0; i < rich.count; i++) {
        const Block *b = &rich.blocks[i];
        s.items += b->kind == BLOCK_ITEM;
        s.paragraphs += b->kind == BLOCK_PARAGRAPH;
        bool strong = false; /* stressed words are several spans where code stands between them */
        for (size_t k = 0; k < b->span_count; k++) {
            const Span *span = &b->spans[k];
            if (span->style & SPAN_CODE) VEC_PUSH(a, &s.code, span->text);
            if (span->style & SPAN_LINK) VEC_PUSH(a, &s.links, span->url);
            bool now = (span->style & SPAN_STRONG) != 0;
            s.strong += now && !strong;
            strong = now;
        }
    }
    placeholders_in(a, markdown, collect, &(Collecting){a, &s.names});
    return s;
}

static void compare_counts(Check *c, const char *section, const char *what, size_t english, size_t own) {
    if (english != own)
        report(c, 1, arena_strf(c->a, "%s: %zu %s; the English page has %zu", section, own, what, english));
}

static void compare_texts(Check *c, const char *section, const char *quote, Texts *english, Texts *own) {
    for (size_t i = 0; i < own->count; i++)
        if (!take_out(english, own->items[i]))
            report(c, 1,
                   arena_strf(c->a, "%s: %s%.*s%s does not stand in the English page there", section, quote,
                              STR_ARG(own->items[i]), quote));
    for (size_t i = 0; i < english->count; i++)
        if (english->items[i].p)
            report(c, 1,
                   arena_strf(c->a, "%s: %s%.*s%s of the English page is missing", section, quote,
                              STR_ARG(english->items[i]), quote));
}

static bool always_there(Str name) {
    static const char *const names[] = {"subjects", "count", "models", "places", "serials", "drives_long", "by_id"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(name, names[i])) return true;
    return false;
}

/* A title may leave out what its language does not need; a text may not. */
static void compare_names(Check *c, const char *section, const Texts *english, const Texts *own, const Texts *page,
                          bool all) {
    for (size_t i = 0; i < own->count; i++) {
        bool known = always_there(own->items[i]);
        for (size_t k = 0; k < page->count && !known; k++) known = str_eq(page->items[k], own->items[i]);
        if (!known)
            report(
                c, 1,
                arena_strf(c->a, "%s: {%.*s} is no placeholder of the English page", section, STR_ARG(own->items[i])));
    }
    for (size_t i = 0; i < english->count && all; i++) {
        bool there = false;
        for (size_t k = 0; k < own->count && !there; k++) there = str_eq(own->items[k], english->items[i]);
        if (!there)
            report(c, 1,
                   arena_strf(c->a, "%s: {%.*s} of the English page is missing", section, STR_ARG(english->items[i])));
    }
}

static void check_translation(Check *c) {
    const Page *p = c->page;
    const PageWords *own = &c->t->words;
    char hash[PAGE_HASH_SIZE];
    page_hash(p, hash);
    if (!str_is(c->t->english, hash))
        report(c, c->t->english_line ? c->t->english_line : 1,
               str_is(c->t->english, "pending") || !c->t->english.len
                   ? arena_strf(c->a, "made from which English page? If from the present one: english: %s", hash)
                   : arena_strf(c->a, "the English page has changed since; where this follows it: english: %s", hash));
    if (p->plain.len && !own->plain.len) report(c, 1, STR("no plain title, which the English page has"));
    if (str_find_ch(own->plain, '{') != SIZE_MAX)
        report(c, 1, STR("plain is what stands where nothing fills a placeholder"));
    Texts names = {0};
    const Str all[] = {p->title, p->summary, p->fix, p->verify, p->not_this, p->as_told};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        placeholders_in(c->a, all[i], collect, &(Collecting){c->a, &names});
    const struct {
        const char *name;
        Str english, own;
    } sections[] = {{"title", p->title, own->title},
                    {"summary", p->summary, own->summary},
                    {"Fix", p->fix, own->fix},
                    {"Verify", p->verify, own->verify},
                    {"Not this", p->not_this, own->not_this},
                    {"As told", p->as_told, own->as_told}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const char *name = sections[i].name;
        if (!sections[i].english.len != !sections[i].own.len) {
            report(c, 1, arena_strf(c->a, sections[i].own.len ? "%s: the English page has none" : "no %s", name));
            continue;
        }
        Shape english = shape_of(c->a, sections[i].english), spoken = shape_of(c->a, sections[i].own);
        bool title = i == 0;
        compare_names(c, name, &english.names, &spoken.names, &names, !title);
        if (title) continue;
        compare_counts(c, name, "list items", english.items, spoken.items);
        compare_counts(c, name, "paragraphs", english.paragraphs, spoken.paragraphs);
        compare_counts(c, name, "stressed phrases", english.strong, spoken.strong);
        compare_texts(c, name, "`", &english.code, &spoken.code);
        compare_texts(c, name, "", &english.links, &spoken.links);
    }
}

/* ---------------------------------------------------------------- phrases */

/*
 * A word of the pattern that stands in no page, view, model or signature, p == NULL: all do. Whole sentences cannot be looked for, as
 * printf() and || cut them where the translator has other {names}; a word that is nowhere shows that somebody rewrote the sentence.
 */
static Str unheard_word(const Phrase *p, const Texts *sources) {
    enum { SHORTEST = 5, LONGEST = 40 };
    for (Str rest = p->english; rest.len;) {
        Str name = lang_hole(rest);
        size_t n = 0;
        while (!name.p && n < rest.len && rest.p[n] >= 'a' && rest.p[n] <= 'z') n++;
        if (n >= SHORTEST && n < LONGEST) {
            char word[LONGEST];
            memcpy(word, rest.p, n);
            word[n] = 0;
            bool heard = false;
            for (size_t i = 0; i < sources->count && !heard; i++) heard = str_has(sources->items[i], word);
            if (!heard) return str_sub(rest, 0, n);
        }
        /* over the rest of a word that holds other letters */
        if (name.p) n = name.len + 2;
        while (!name.p && n < rest.len && (ch_alnum(rest.p[n]) || (unsigned char)rest.p[n] >= 0x80)) n++;
        rest = str_from(rest, n ? n : 1);
    }
    return STR_NONE;
}

static void check_phrases(Check *c, const Pages *pages) {
    Texts sql = {0};
    for (size_t i = 0; i < pages->count; i++) {
        VEC_PUSH(c->a, &sql, pages->items[i]->evidence_sql);
        VEC_PUSH(c->a, &sql, pages->items[i]->ruled_out_sql);
    }
    for (size_t i = 0; i < embedded_file_count; i++) {
        Str path = str_of(embedded_files[i].path);
        if (str_ends(path, ".sql") || str_starts(path, "rules/"))
            VEC_PUSH(c->a, &sql, ((Str){(const char *)embedded_files[i].data, embedded_files[i].len}));
    }
    for (size_t i = 0; i < pages->phrases.count; i++) {
        const Phrase *p = &pages->phrases.items[i];
        Translation of = {.file = p->file};
        Check one = *c;
        one.t = &of;
        Texts english = {0}, own = {0};
        for (Str rest = p->english; rest.len; rest = str_from(rest, 1))
            if (lang_hole(rest).p) collect(&(Collecting){c->a, &english}, lang_hole(rest));
        for (Str rest = p->spoken; rest.len; rest = str_from(rest, 1))
            if (lang_hole(rest).p) collect(&(Collecting){c->a, &own}, lang_hole(rest));
        for (size_t k = 0; k < english.count; k++)
            if (!take_out(&own, english.items[k]))
                report(&one, p->line, arena_strf(c->a, "{%.*s} is lost in the translation", STR_ARG(english.items[k])));
        for (size_t k = 0; k < i; k++) {
            const Phrase *q = &pages->phrases.items[k];
            if (str_eq(q->lang, p->lang) && str_eq(q->english, p->english) && !str_eq(q->spoken, p->spoken))
                report(&one, p->line, arena_strf(c->a, "%.*s:%d translates this otherwise", STR_ARG(q->file), q->line));
        }
        /* phrases.LANG.md has words of other origin, too: of the samples, of lists of sources */
        Str word = str_starts(str_basename(p->file), "phrases.") ? STR_NONE : unheard_word(p, &sql);
        if (word.p)
            sb_addf(c->out, "%.*s:%d: warning: no page says \"%.*s\" any more\n", STR_ARG(p->file), p->line,
                    STR_ARG(word));
        c->count = one.count;
    }
}

size_t translations_lint(Arena *a, const Pages *pages, StrBuf *problems) {
    Check c = {.a = a, .out = problems};
    for (size_t i = 0; i < pages->count; i++)
        for (size_t k = 0; k < pages->items[i]->translations.count; k++) {
            c.page = pages->items[i];
            c.t = c.page->translations.items[k];
            check_translation(&c);
        }
    check_phrases(&c, pages);
    return c.count;
}
