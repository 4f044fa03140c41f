#include "page.h"

#include <cmark.h>

const char *page_kind_word(PageKind kind) {
    static const char *const words[] = {"symptom", "cause", "risk", "note", "verdict"};
    return words[kind];
}

/* ---------------------------------------------------------------- the text of a page */

/* Lines [first, last] of text, 1-based. */
static Str line_range(Str text, int first, int last) {
    const char *start = NULL;
    size_t at = 0;
    int line = 1;
    if (first == 1) start = text.p;
    for (; at < text.len; at++) {
        if (text.p[at] != '\n') continue;
        if (line == last) return start ? (Str){start, (size_t)(text.p + at - start)} : STR_NONE;
        if (++line == first) start = text.p + at + 1;
    }
    return start ? (Str){start, (size_t)(text.p + text.len - start)} : STR_NONE;
}

static void split(Arena *a, Str list, char sep, void (*put)(Arena *, Page *, Str), Page *page) {
    while (list.len) {
        Str item = str_trim(str_cut(&list, sep));
        if (item.len) put(a, page, item);
    }
}

static void put_yield(Arena *a, Page *page, Str item) {
    VEC_PUSH(a, &page->yields_to, item);
}
static void put_ask(Arena *a, Page *page, Str item) {
    VEC_PUSH(a, &page->ask, item);
}

static void put_word(Arena *a, Page *page, Str item) {
    VEC_PUSH(a, &page->words, item);
}

static void put_answer(Arena *a, Page *page, Str item) {
    VEC_PUSH(a, &page->answers, item);
}

static bool parse_weights(Arena *a, Str list, Page *page) {
    while (list.len) {
        Str item = str_trim(str_cut(&list, ','));
        if (!item.len) continue;
        Weight w = {.symptom = str_word(&item)};
        Str rest = str_trim(item), number = str_cut(&rest, '@');
        w.scope = str_trim(rest);
        if (!str_double(str_trim(number), &w.weight) || w.weight < 0 || w.weight > 1 || !w.scope.len) return false;
        if (str_is(w.scope, "ctl")) w.scope = STR("controller");
        if (str_is(w.scope, "fs")) w.scope = STR("filesystem");
        VEC_PUSH(a, &page->explains, w);
    }
    return true;
}

static bool parse_meta(Arena *a, Str text, int line, Page *page, Error *err) {
    while (text.len) {
        Str l = str_cut(&text, '\n');
        line++;
        if (!str_trim(l).len) continue;
        size_t colon = str_find_ch(l, ':');
        if (colon == SIZE_MAX) return error_set(err, "%.*s:%d: expected \"key: value\"", STR_ARG(page->file), line);
        Str key = str_trim(str_sub(l, 0, colon)), value = str_trim(str_from(l, colon + 1));
        if (str_is(key, "id")) {
            page->id = value;
        } else if (str_is(key, "kind")) {
            bool known = false;
            for (PageKind k = PAGE_SYMPTOM; k <= PAGE_VERDICT; k++)
                if (str_is(value, page_kind_word(k))) {
                    page->kind = k;
                    known = true;
                }
            if (!known)
                return error_set(err, "%.*s:%d: kind is one of cause, symptom, risk, note, verdict",
                                 STR_ARG(page->file), line);
        } else if (str_is(key, "plain")) {
            page->plain = value;
        } else if (str_is(key, "class")) {
            page->class_ = value;
        } else if (str_is(key, "impact")) {
            page->impact = value;
        } else if (str_is(key, "raises")) {
            page->raises = value;
        } else if (str_is(key, "group-by")) {
            page->group_by = str_is(value, "ctl") ? STR("controller") : value;
        } else if (str_is(key, "applies")) {
            page->applies = value;
        } else if (str_is(key, "needs")) {
            page->needs = value;
        } else if (str_is(key, "source")) {
            page->source = value;
        } else if (str_is(key, "compare")) {
            page->compare = str_is(value, "yes");
        } else if (str_is(key, "explains")) {
            if (!parse_weights(a, value, page))
                return error_set(err, "%.*s:%d: explains wants \"symptom 0.95@scope, ...\"", STR_ARG(page->file), line);
        } else if (str_is(key, "yields-to")) {
            split(a, value, ',', put_yield, page);
        } else if (str_is(key, "words")) {
            split(a, value, ',', put_word, page);
        } else if (str_is(key, "answers")) {
            split(a, value, ',', put_answer, page);
        } else if (str_is(key, "inside")) {
            page->inside = value;
        } else if (str_is(key, "ask")) {
            split(a, value, '|', put_ask, page);
        } else {
            return error_set(err, "%.*s:%d: unknown key \"%.*s\"", STR_ARG(page->file), line, STR_ARG(key));
        }
    }
    return true;
}

static Str node_text(Arena *a, cmark_node *node) {
    StrBuf out;
    sb_init(&out, a);
    cmark_iter *it = cmark_iter_new(node);
    for (cmark_event_type ev; (ev = cmark_iter_next(it)) != CMARK_EVENT_DONE;) {
        cmark_node *n = cmark_iter_get_node(it);
        if (ev == CMARK_EVENT_ENTER &&
            (cmark_node_get_type(n) == CMARK_NODE_TEXT || cmark_node_get_type(n) == CMARK_NODE_CODE))
            sb_addz(&out, cmark_node_get_literal(n));
    }
    cmark_iter_free(it);
    return sb_str(&out);
}

static Str *section_of(Page *page, Str heading) {
    if (str_is(heading, "Fix")) return &page->fix;
    if (str_is(heading, "Verify")) return &page->verify;
    if (str_is(heading, "Not this")) return &page->not_this;
    if (str_is(heading, "As told")) return &page->as_told;
    return NULL;
}

/* ---------------------------------------------------------------- translations */

static bool parse_translation_meta(Str text, int line, Translation *t, Page *words, Error *err) {
    while (text.len) {
        Str l = str_cut(&text, '\n');
        line++;
        if (!str_trim(l).len) continue;
        size_t colon = str_find_ch(l, ':');
        if (colon == SIZE_MAX) return error_set(err, "%.*s:%d: expected \"key: value\"", STR_ARG(t->file), line);
        Str key = str_trim(str_sub(l, 0, colon)), value = str_trim(str_from(l, colon + 1));
        if (str_is(key, "of")) t->of = value;
        else if (str_is(key, "english")) t->english = value, t->english_line = line;
        else if (str_is(key, "plain")) words->plain = value;
        else return error_set(err, "%.*s:%d: unknown key \"%.*s\"", STR_ARG(t->file), line, STR_ARG(key));
    }
    return true;
}

static bool has_hole(Str text, Str name) {
    for (; text.len; text = str_from(text, 1))
        if (str_eq(lang_hole(text), name)) return true;
    return false;
}

/* A pattern without two letters of its own would match names and figures, which are nobody's words. */
static bool has_words(Str pattern) {
    size_t letters = 0;
    while (pattern.len) {
        Str name = lang_hole(pattern);
        letters += !name.p && (ch_alpha(pattern.p[0]) || (unsigned char)pattern.p[0] >= 0x80);
        pattern = str_from(pattern, name.p ? name.len + 2 : 1);
    }
    return letters >= 2;
}

/* Pairs of lines: the English pattern, then "= " and the translation. Blank lines are free. */
static bool parse_phrases(Arena *a, Str text, int line, Translation *t, Error *err) {
    Phrase p = {.lang = t->lang, .file = t->file};
    while (text.len) {
        Str l = str_trim(str_cut(&text, '\n'));
        line++;
        if (!l.len) continue;
        bool spoken = str_starts(l, "= ") || str_is(l, "=");
        if (spoken != (p.english.len > 0))
            return error_set(err, "%.*s:%d: %s", STR_ARG(t->file), line,
                             spoken ? "no English words before this translation"
                                    : "expected \"= \" and the translation of the line before");
        if (!spoken) {
            if (!has_words(l)) return error_set(err, "%.*s:%d: a pattern without words", STR_ARG(t->file), line);
            p.english = l;
            p.line = line;
            continue;
        }
        p.spoken = str_trim(str_from(l, 1));
        if (!p.spoken.len) return error_set(err, "%.*s:%d: no translation", STR_ARG(t->file), line);
        for (Str rest = p.spoken; rest.len; rest = str_from(rest, 1)) {
            Str name = lang_hole(rest);
            if (name.p && !has_hole(p.english, name))
                return error_set(err, "%.*s:%d: {%.*s} is not in the English words", STR_ARG(t->file), line,
                                 STR_ARG(name));
        }
        VEC_PUSH(a, &t->phrases, p);
        p.english = STR_NONE;
    }
    return p.english.len ? error_set(err, "%.*s:%d: no translation", STR_ARG(t->file), p.line) : true;
}

static bool is_block_of_page(Str info) {
    return str_is(info, "rule") || str_is(info, "sql") || str_is(info, "case");
}

/* t: the words of a translation; NULL: a page. */
static bool parse_nodes(Arena *a, Str text, cmark_node *doc, Page *page, Translation *t, Error *err) {
    Str section = STR_NONE; /* heading we are under; p == NULL: before the first */
    int from = 0, to = 0;   /* lines of prose of the section */
    bool have_meta = false, title = false;
    for (cmark_node *n = cmark_node_first_child(doc);; n = cmark_node_next(n)) {
        cmark_node_type type = n ? cmark_node_get_type(n) : CMARK_NODE_NONE;
        int first = n ? cmark_node_get_start_line(n) : 0, last = n ? cmark_node_get_end_line(n) : 0;
        bool heading = type == CMARK_NODE_HEADING;
        if (!n || (heading && cmark_node_get_heading_level(n) <= 2)) { /* a section ends */
            if (from) {
                Str *into = section.p ? section_of(page, section) : &page->summary;
                if (into) *into = str_trim(line_range(text, from, to));
            }
            from = to = 0;
            if (!n) break;
        }
        if (heading && cmark_node_get_heading_level(n) == 1) {
            if (title) return error_set(err, "%.*s:%d: a page has one title", STR_ARG(page->file), first);
            page->title = node_text(a, n);
            title = true;
        } else if (heading && cmark_node_get_heading_level(n) == 2) {
            section = node_text(a, n);
            if (!section_of(page, section) &&
                (t || (!str_is(section, "Evidence") && !str_is(section, "Ruled out") && !str_is(section, "Cases"))))
                return error_set(err, "%.*s:%d: unknown section \"%.*s\"", STR_ARG(page->file), first,
                                 STR_ARG(section));
        } else if (t && type == CMARK_NODE_CODE_BLOCK && str_is(str_of(cmark_node_get_fence_info(n)), "translation")) {
            Str meta = arena_str(a, str_of(cmark_node_get_literal(n)));
            if (!parse_translation_meta(meta, first, t, page, err)) return false;
        } else if (t && type == CMARK_NODE_CODE_BLOCK && str_is(str_of(cmark_node_get_fence_info(n)), "phrases")) {
            Str list = arena_str(a, str_of(cmark_node_get_literal(n)));
            if (!parse_phrases(a, list, first, t, err)) return false;
        } else if (t && type == CMARK_NODE_CODE_BLOCK && is_block_of_page(str_of(cmark_node_get_fence_info(n)))) {
            return error_set(err, "%.*s:%d: a translation has no such block", STR_ARG(page->file), first);
        } else if (type == CMARK_NODE_CODE_BLOCK && str_is(str_of(cmark_node_get_fence_info(n)), "rule")) {
            Str meta = arena_str(a, str_of(cmark_node_get_literal(n)));
            if (!parse_meta(a, meta, first, page, err)) return false;
            have_meta = true;
        } else if (type == CMARK_NODE_CODE_BLOCK && str_is(str_of(cmark_node_get_fence_info(n)), "sql")) {
            Str sql = str_trim(arena_str(a, str_of(cmark_node_get_literal(n))));
            if (str_is(section, "Evidence")) {
                page->evidence_sql = sql;
                page->evidence_line = first;
            } else if (str_is(section, "Ruled out")) {
                page->ruled_out_sql = sql;
                page->ruled_out_line = first;
            } else {
                return error_set(err, "%.*s:%d: SQL belongs under Evidence or Ruled out", STR_ARG(page->file), first);
            }
        } else if (type == CMARK_NODE_CODE_BLOCK && str_is(str_of(cmark_node_get_fence_info(n)), "case")) {
            CaseBlock block = {arena_str(a, str_of(cmark_node_get_literal(n))), first};
            VEC_PUSH(a, &page->cases, block);
        } else {
            if (!from) from = first;
            to = last;
        }
    }
    if (!str_trim(page->title).len) return error_set(err, "%.*s:1: no title", STR_ARG(page->file));
    if (t) return true;
    if (!have_meta) return error_set(err, "%.*s:1: no ```rule block", STR_ARG(page->file));
    if (!page->id.len) return error_set(err, "%.*s:1: no id", STR_ARG(page->file));
    if (!page->evidence_sql.len) return error_set(err, "%.*s:1: no SQL under Evidence", STR_ARG(page->file));
    return true;
}

bool page_parse(Arena *a, Str file, Str text, Page *page, Error *err) {
    *page = (Page){.file = arena_str(a, file), .text = arena_str(a, text)};
    text = page->text;
    Str path = file, base = str_basename(path);
    if (file.len > base.len) page->layer = arena_str(a, str_basename((Str){file.p, file.len - base.len - 1}));
    cmark_node *doc = cmark_parse_document(text.p, text.len, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
    if (!doc) return error_set(err, "%.*s:1: not Markdown", STR_ARG(file));
    bool ok = parse_nodes(a, text, doc, page, NULL, err);
    cmark_node_free(doc);
    if (ok && page->kind == PAGE_SYMPTOM && !page->raises.len) page->raises = page->id;
    return ok;
}

/* "es" of "drive-slow.es.md"; empty when it is no such name. */
static Str language_of_name(Str file) {
    Str base = str_basename(file);
    if (base.len < 7 || base.p[base.len - 6] != '.' || !str_ends(base, ".md")) return STR_NONE;
    Str lang = str_sub(base, base.len - 5, 2);
    return lang.p[0] >= 'a' && lang.p[0] <= 'z' && lang.p[1] >= 'a' && lang.p[1] <= 'z' ? lang : STR_NONE;
}

bool is_translation_name(Str file) {
    return language_of_name(file).len > 0;
}

bool translation_parse(Arena *a, Str file, Str text, Translation *out, Error *err) {
    *out = (Translation){.file = arena_str(a, file), .text = arena_str(a, text)};
    out->lang = language_of_name(out->file);
    Page words = {.file = out->file, .text = out->text};
    cmark_node *doc = cmark_parse_document(out->text.p, out->text.len, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
    if (!doc) return error_set(err, "%.*s:1: not Markdown", STR_ARG(file));
    bool ok = parse_nodes(a, out->text, doc, &words, out, err);
    cmark_node_free(doc);
    if (!ok) return false;
    out->words =
        (PageWords){words.title, words.plain, words.summary, words.fix, words.verify, words.not_this, words.as_told};
    Str base = str_basename(out->file), name = str_sub(base, 0, base.len - 6);
    if (str_is(name, "phrases")) {
        if (out->of.len) return error_set(err, "%.*s:1: a file of phrases translates no page", STR_ARG(file));
        if (!out->phrases.count) return error_set(err, "%.*s:1: no phrases", STR_ARG(file));
    } else if (!str_eq(name, out->of)) {
        return error_set(err, "%.*s:1: the ```translation block has to say \"of: %.*s\"", STR_ARG(file), STR_ARG(name));
    }
    return true;
}
