/*
 * page_text.c - the article of a page with its {placeholders} filled, as blocks
 */
#include "../base/sha256.h"
#include "page.h"

#include <cmark.h>
#include <math.h>
#include <stdio.h>

/* ---------------------------------------------------------------- placeholders */

void placeholder_add(Arena *a, Placeholders *p, Str name, Str value, bool number) {
    Placeholder *at = NULL;
    for (size_t i = 0; i < p->count && !at; i++)
        if (str_eq(p->items[i].name, name)) at = &p->items[i];
    double figure;
    bool numeric = number && str_double(value, &figure);
    if (!at) {
        Placeholder fresh = {.name = arena_str(a, name), .numeric = numeric, .low = INFINITY, .high = -INFINITY};
        VEC_PUSH(a, p, fresh);
        at = &p->items[p->count - 1];
    }
    at->numeric = at->numeric && numeric;
    if (numeric) {
        at->low = fmin(at->low, figure);
        at->high = fmax(at->high, figure);
    }
    for (size_t i = 0; i < at->values.count; i++)
        if (str_eq(at->values.items[i], value)) return;
    if (at->values.count < PLACEHOLDER_VALUES) VEC_PUSH(a, &at->values, arena_str(a, value));
    else at->more = true;
}

/* A figure as people write it: no digits that mean nothing. */
static Str figure(Arena *a, double v) {
    double m = fabs(v);
    if (m >= 1e15 || (v == floor(v) && m < 1e15)) return arena_strf(a, "%.0f", v);
    return arena_strf(a, m >= 100 ? "%.0f" : m >= 10 ? "%.1f" : "%.2f", v);
}

/* Placeholders that hold what somebody named: a pool may be called "boot", and then no word of ours is meant. */
static bool holds_names(Str placeholder) {
    static const char *const names[] = {"subjects",  "models", "serials", "by_id", "pool",  "pools",
                                        "pool_name", "fs",     "dataset", "guest", "host",  "map",
                                        "vdev",      "array",  "volume",  "name",  "names", "process",
                                        "program",   "drive",  "drives",  "disk",  "job"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(placeholder, names[i])) return true;
    return false;
}

static Str spoken_value(Arena *a, const Placeholder *p, Str value) {
    bool word = str_find_ch(value, ' ') == SIZE_MAX;
    return word && holds_names(p->name) ? value : lang_phrase(a, value);
}

/* code: values as they are, for commands. */
static Str placeholder_value(Arena *a, const Placeholder *p, bool code) {
    if (p->numeric && p->values.count > 1)
        return say(a, code ? "{low} to {high}" : _("{low} to {high}"), "low", figure(a, p->low), "high",
                   figure(a, p->high), NULL);
    if (p->numeric) return figure(a, p->low);
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < p->values.count; i++) {
        if (i) sb_addz(&out, ", ");
        sb_add(&out, code ? p->values.items[i] : spoken_value(a, p, p->values.items[i]));
    }
    if (!p->more) return sb_str(&out);
    return say(a, code ? "{names} and others" : _("{names} and others"), "names", sb_str(&out), NULL);
}

static const Placeholder *placeholder_find(const Placeholders *p, Str name) {
    for (size_t i = 0; p && i < p->count; i++)
        if (str_eq(p->items[i].name, name)) return &p->items[i];
    return NULL;
}

Str placeholder_text(Arena *a, const Placeholders *p, Str name) {
    const Placeholder *found = placeholder_find(p, name);
    return found ? placeholder_value(a, found, false) : STR_NONE;
}

/* Name of the placeholder that begins at s ("{name}"), p == NULL if none does. */
static Str placeholder_at(Str s) {
    if (s.len < 4 || s.p[0] != '{' || !(s.p[1] >= 'a' && s.p[1] <= 'z')) return STR_NONE;
    size_t i = 1;
    while (i < s.len && ((s.p[i] >= 'a' && s.p[i] <= 'z') || ch_digit(s.p[i]) || s.p[i] == '_')) i++;
    if (i >= s.len || s.p[i] != '}' || i < 3 || s.p[i - 1] == '_') return STR_NONE;
    return str_sub(s, 1, i - 1);
}

static Str fill(Arena *a, const Placeholders *p, Str text, bool code) {
    if (!p || str_find_ch(text, '{') == SIZE_MAX) return text; /* without values the page shows its own names */
    StrBuf out;
    sb_init(&out, a);
    while (text.len) {
        Str name = placeholder_at(text);
        if (!name.p) {
            sb_addc(&out, text.p[0]);
            text = str_from(text, 1);
            continue;
        }
        const Placeholder *found = placeholder_find(p, name);
        if (found) sb_add(&out, placeholder_value(a, found, code));
        else sb_addz(&out, code ? "unknown" : _("unknown"));
        text = str_from(text, name.len + 2);
    }
    return sb_str(&out);
}

Str placeholders_fill(Arena *a, const Placeholders *p, Str text) {
    return fill(a, p, text, false);
}

/* ---------------------------------------------------------------- languages */

PageWords page_words(Arena *a, const Page *page) {
    PageWords own = {page->title, page->plain, page->summary, page->fix, page->verify, page->not_this, page->as_told};
    if (str_is(STR("en"), lang_code())) return own;
    const Translation *t = NULL;
    for (size_t i = 0; i < page->translations.count && !t; i++)
        if (str_is(page->translations.items[i]->lang, lang_code())) t = page->translations.items[i];
    PageWords out = own;
    out.title = t && t->words.title.len ? t->words.title : lang_str(a, own.title);
    out.plain = t && t->words.plain.len ? t->words.plain : lang_str(a, own.plain);
    /* An English plain title beside a translated one: better that one, with dots in it. */
    if (str_eq(out.plain, own.plain) && !str_eq(out.title, own.title)) out.plain = STR_NONE;
    if (!t) return out;
    Str *const into[] = {&out.summary, &out.fix, &out.verify, &out.not_this, &out.as_told};
    const Str from[] = {t->words.summary, t->words.fix, t->words.verify, t->words.not_this, t->words.as_told};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (into[i]->len && from[i].len) *into[i] = from[i];
    return out;
}

void page_hash(const Page *page, char out[PAGE_HASH_SIZE]) {
    const Str parts[] = {page->title,  page->plain,    page->summary, page->fix,
                         page->verify, page->not_this, page->as_told};
    Arena *a = arena_new((size_t)8 << 20);
    StrBuf all;
    sb_init(&all, a);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) { /* what belongs to which part counts, too */
        sb_add(&all, parts[i]);
        sb_addc(&all, '\0');
    }
    uint8_t digest[SHA256_SIZE];
    sha256(all.p, all.len, digest);
    for (int i = 0; i < (PAGE_HASH_SIZE - 1) / 2; i++) snprintf(out + 2 * i, 3, "%02x", digest[i]);
    arena_free(a);
}

Str page_plain_title(Arena *a, const Page *page) {
    PageWords words = page_words(a, page);
    if (words.plain.len) return words.plain;
    StrBuf out;
    sb_init(&out, a);
    for (Str text = words.title; text.len;) {
        Str name = placeholder_at(text);
        if (name.p) sb_addz(&out, "...");
        else sb_addc(&out, text.p[0]);
        text = str_from(text, name.p ? name.len + 2 : 1);
    }
    return sb_str(&out);
}

void placeholders_in(Arena *a, Str text, void (*found)(void *arg, Str name), void *arg) {
    (void)a;
    for (; text.len; text = str_from(text, 1)) {
        Str name = placeholder_at(text);
        if (name.p) found(arg, name);
    }
}

/* A code block: a line with a placeholder of several values becomes one line per value. */
static Str fill_code(Arena *a, const Placeholders *p, Str text) {
    StrBuf out;
    sb_init(&out, a);
    while (text.len) {
        Str line = str_cut(&text, '\n');
        const Placeholder *many = NULL;
        for (Str s = line; s.len && !many; s = str_from(s, 1)) {
            Str name = placeholder_at(s);
            const Placeholder *found = name.p ? placeholder_find(p, name) : NULL;
            if (found && found->values.count > 1) many = found;
        }
        for (size_t i = 0; i < (many ? many->values.count : 1); i++) {
            Placeholders one = {0};
            for (size_t k = 0; p && k < p->count; k++) {
                Placeholder copy = p->items[k];
                if (&p->items[k] == many) { /* share the one value, keep the rest */
                    copy.values.items = &many->values.items[i];
                    copy.values.count = 1;
                    copy.numeric = false;
                }
                VEC_PUSH(a, &one, copy);
            }
            if (out.len) sb_addc(&out, '\n');
            sb_add(&out, fill(a, &one, line, true));
        }
    }
    return sb_str(&out);
}

/* ---------------------------------------------------------------- Markdown to blocks */

typedef VEC(Block) BlockList;
typedef VEC(Span) SpanList;

static void inlines(Arena *a, cmark_node *parent, unsigned style, Str url, const Placeholders *p, SpanList *out) {
    for (cmark_node *n = cmark_node_first_child(parent); n; n = cmark_node_next(n)) {
        switch (cmark_node_get_type(n)) {
        case CMARK_NODE_TEXT: {
            Span s = {placeholders_fill(a, p, arena_str(a, str_of(cmark_node_get_literal(n)))), style, url};
            VEC_PUSH(a, out, s);
            break;
        }
        case CMARK_NODE_CODE: {
            Str text = arena_str(a, str_of(cmark_node_get_literal(n)));
            StrBuf filled; /* several devices after one command are separated by blanks, not by commas */
            sb_init(&filled, a);
            while (text.len) {
                Str name = placeholder_at(text);
                const Placeholder *found = name.p ? placeholder_find(p, name) : NULL;
                if (found && !found->numeric) {
                    for (size_t i = 0; i < found->values.count; i++) {
                        if (i) sb_addc(&filled, ' ');
                        sb_add(&filled, found->values.items[i]);
                    }
                    text = str_from(text, name.len + 2);
                } else if (name.p) {
                    sb_add(&filled, fill(a, p, str_sub(text, 0, name.len + 2), true));
                    text = str_from(text, name.len + 2);
                } else {
                    sb_addc(&filled, text.p[0]);
                    text = str_from(text, 1);
                }
            }
            Span s = {sb_str(&filled), style | SPAN_CODE, url};
            VEC_PUSH(a, out, s);
            break;
        }
        case CMARK_NODE_SOFTBREAK:
        case CMARK_NODE_LINEBREAK: {
            Span s = {STR(" "), style, url};
            VEC_PUSH(a, out, s);
            break;
        }
        case CMARK_NODE_EMPH: inlines(a, n, style | SPAN_EMPH, url, p, out); break;
        case CMARK_NODE_STRONG: inlines(a, n, style | SPAN_STRONG, url, p, out); break;
        case CMARK_NODE_LINK: {
            Str target = str_of(cmark_node_get_url(n));
            bool web = str_starts(target, "https://") || str_starts(target, "http://");
            inlines(a, n, web ? style | SPAN_LINK : style, web ? arena_str(a, target) : STR_NONE, p, out);
            break;
        }
        default: break; /* raw HTML and images are dropped */
        }
    }
}

static void blocks(Arena *a, cmark_node *parent, int depth, int number, bool item, const Placeholders *p,
                   BlockList *out) {
    bool first = true;
    for (cmark_node *n = cmark_node_first_child(parent); n; n = cmark_node_next(n)) {
        switch (cmark_node_get_type(n)) {
        case CMARK_NODE_PARAGRAPH:
        case CMARK_NODE_HEADING: {
            SpanList spans = {0};
            inlines(a, n, 0, STR_NONE, p, &spans);
            Block b = {.kind = item && first                                  ? BLOCK_ITEM
                               : cmark_node_get_type(n) == CMARK_NODE_HEADING ? BLOCK_HEADING
                                                                              : BLOCK_PARAGRAPH,
                       .depth = cmark_node_get_type(n) == CMARK_NODE_HEADING ? cmark_node_get_heading_level(n) : depth,
                       .number = item && first ? number : 0,
                       .spans = spans.items,
                       .span_count = spans.count};
            VEC_PUSH(a, out, b);
            first = false;
            break;
        }
        case CMARK_NODE_CODE_BLOCK: {
            Span *s = arena_new_of(a, Span);
            s->text = fill_code(a, p, str_trim_right(arena_str(a, str_of(cmark_node_get_literal(n)))));
            s->style = SPAN_CODE;
            Block b = {.kind = BLOCK_CODE, .depth = depth, .spans = s, .span_count = 1};
            VEC_PUSH(a, out, b);
            first = false;
            break;
        }
        case CMARK_NODE_LIST: {
            bool ordered = cmark_node_get_list_type(n) == CMARK_ORDERED_LIST;
            int count = cmark_node_get_list_start(n);
            for (cmark_node *i = cmark_node_first_child(n); i; i = cmark_node_next(i))
                blocks(a, i, depth + 1, ordered ? count++ : 0, true, p, out);
            break;
        }
        case CMARK_NODE_BLOCK_QUOTE: blocks(a, n, depth, 0, false, p, out); break;
        default: break;
        }
    }
}

Rich page_rich(Arena *a, Str markdown, const Placeholders *p) {
    BlockList out = {0};
    if (markdown.len) {
        cmark_node *doc = cmark_parse_document(markdown.p, markdown.len, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
        if (doc) {
            blocks(a, doc, 0, 0, false, p, &out);
            cmark_node_free(doc);
        }
    }
    return (Rich){out.items, out.count};
}
