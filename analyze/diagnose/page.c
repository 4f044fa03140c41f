#include "page.h"

#include "../base/embedded.h"

#include <cmark.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
            if (!known) return error_set(err, "%.*s:%d: kind is one of cause, symptom, risk, note, verdict", STR_ARG(page->file), line);
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
        if (ev == CMARK_EVENT_ENTER && (cmark_node_get_type(n) == CMARK_NODE_TEXT || cmark_node_get_type(n) == CMARK_NODE_CODE))
            sb_addz(&out, cmark_node_get_literal(n));
    }
    cmark_iter_free(it);
    return sb_str(&out);
}

static Str *section_of(Page *page, Str heading) {
    if (str_is(heading, "Fix")) return &page->fix;
    if (str_is(heading, "Verify")) return &page->verify;
    if (str_is(heading, "Not this")) return &page->not_this;
    return NULL;
}

static bool parse_nodes(Arena *a, Str text, cmark_node *doc, Page *page, Error *err) {
    Str section = STR_NONE;  /* heading we are under; p == NULL: before the first */
    int from = 0, to = 0;    /* lines of prose of the section */
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
            if (!section_of(page, section) && !str_is(section, "Evidence") && !str_is(section, "Ruled out") && !str_is(section, "Cases"))
                return error_set(err, "%.*s:%d: unknown section \"%.*s\"", STR_ARG(page->file), first, STR_ARG(section));
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
    if (!title) return error_set(err, "%.*s:1: no title", STR_ARG(page->file));
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
    bool ok = parse_nodes(a, text, doc, page, err);
    cmark_node_free(doc);
    if (ok && page->kind == PAGE_SYMPTOM && !page->raises.len) page->raises = page->id;
    return ok;
}

/* ---------------------------------------------------------------- loading */

static void add_page(Arena *a, Pages *pages, Page *page) {
    for (size_t i = 0; i < pages->count; i++)
        if (str_eq(pages->items[i]->id, page->id)) {
            if (pages->items[i]->added == page->added) /* replaces only what was built in */
                VEC_PUSH(a, &pages->problems, arena_strf(a, "%.*s:1: %.*s has the same id \"%.*s\"", STR_ARG(pages->items[i]->file), STR_ARG(page->file), STR_ARG(page->id)));
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
    if (good)
        add_page(a, pages, page);
    else
        VEC_PUSH(a, &pages->problems, arena_strf(a, "%s", err.text));
}

static bool read_file(Arena *a, const char *path, Str *text) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    StrBuf out;
    sb_init(&out, a);
    char buf[16 * 1024];
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, file)) > 0 && out.len < (1u << 20)) sb_add(&out, (Str){buf, n});
    fclose(file);
    *text = sb_str(&out);
    return true;
}

static bool load_directory(Arena *a, const char *dir, int depth, Pages *pages, Error *err) {
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
            if (read_file(a, path, &text))
                load_text(a, pages, str_of(path), text, true);
            else
                VEC_PUSH(a, &pages->problems, arena_strf(a, "%s:1: cannot be read: %s", path, strerror(errno)));
        } else if (depth < 3) {
            load_directory(a, path, depth + 1, pages, err);
        }
    }
    return true;
}

static int by_id(const void *x, const void *y) {
    return str_cmp((*(Page *const *)x)->id, (*(Page *const *)y)->id);
}

bool pages_load(Arena *a, const char *extra, Pages *pages, Error *err) {
    *pages = (Pages){0};
    for (size_t i = 0; i < embedded_file_count; i++) {
        Str path = str_of(embedded_files[i].path);
        if (str_starts(path, "rules/") && str_ends(path, ".md"))
            load_text(a, pages, path, (Str){(const char *)embedded_files[i].data, embedded_files[i].len}, false);
    }
    if (extra && !load_directory(a, extra, 0, pages, err)) return false;
    if (pages->count) qsort(pages->items, pages->count, sizeof *pages->items, by_id);
    return true;
}

const Page *pages_find(const Pages *pages, Str id) {
    for (size_t i = 0; i < pages->count; i++)
        if (str_eq(pages->items[i]->id, id)) return pages->items[i];
    return NULL;
}

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
    for (size_t i = 0; i < at->values.count; i++)
        if (str_eq(at->values.items[i], value)) return;
    VEC_PUSH(a, &at->values, arena_str(a, value));
    at->numeric = at->numeric && numeric;
    if (numeric) {
        at->low = fmin(at->low, figure);
        at->high = fmax(at->high, figure);
    }
}

/* A figure as people write it: no digits that mean nothing. */
static Str figure(Arena *a, double v) {
    double m = fabs(v);
    if (m >= 1e15 || (v == floor(v) && m < 1e15)) return arena_strf(a, "%.0f", v);
    return arena_strf(a, m >= 100 ? "%.0f" : m >= 10 ? "%.1f" : "%.2f", v);
}

static Str placeholder_value(Arena *a, const Placeholder *p) {
    if (p->numeric && p->values.count > 1)
        return arena_strf(a, "%.*s to %.*s", STR_ARG(figure(a, p->low)), STR_ARG(figure(a, p->high)));
    if (p->numeric) return figure(a, p->low);
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < p->values.count; i++) {
        if (i) sb_addz(&out, ", ");
        sb_add(&out, p->values.items[i]);
    }
    return sb_str(&out);
}

static const Placeholder *placeholder_find(const Placeholders *p, Str name) {
    for (size_t i = 0; p && i < p->count; i++)
        if (str_eq(p->items[i].name, name)) return &p->items[i];
    return NULL;
}

Str placeholder_text(Arena *a, const Placeholders *p, Str name) {
    const Placeholder *found = placeholder_find(p, name);
    return found ? placeholder_value(a, found) : STR_NONE;
}

/* Name of the placeholder that begins at s ("{name}"), p == NULL if none does. */
static Str placeholder_at(Str s) {
    if (s.len < 4 || s.p[0] != '{' || !(s.p[1] >= 'a' && s.p[1] <= 'z')) return STR_NONE;
    size_t i = 1;
    while (i < s.len && ((s.p[i] >= 'a' && s.p[i] <= 'z') || ch_digit(s.p[i]) || s.p[i] == '_')) i++;
    if (i >= s.len || s.p[i] != '}' || i < 3 || s.p[i - 1] == '_') return STR_NONE;
    return str_sub(s, 1, i - 1);
}

Str placeholders_fill(Arena *a, const Placeholders *p, Str text) {
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
        Str value = placeholder_text(a, p, name);
        sb_add(&out, value.p ? value : STR("unknown"));
        text = str_from(text, name.len + 2);
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
            sb_add(&out, placeholders_fill(a, &one, line));
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
                    sb_add(&filled, placeholders_fill(a, p, str_sub(text, 0, name.len + 2)));
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

static void blocks(Arena *a, cmark_node *parent, int depth, int number, bool item, const Placeholders *p, BlockList *out) {
    bool first = true;
    for (cmark_node *n = cmark_node_first_child(parent); n; n = cmark_node_next(n)) {
        switch (cmark_node_get_type(n)) {
        case CMARK_NODE_PARAGRAPH:
        case CMARK_NODE_HEADING: {
            SpanList spans = {0};
            inlines(a, n, 0, STR_NONE, p, &spans);
            Block b = {.kind = item && first ? BLOCK_ITEM : cmark_node_get_type(n) == CMARK_NODE_HEADING ? BLOCK_HEADING : BLOCK_PARAGRAPH,
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
            for (cmark_node *i = cmark_node_first_child(n); i; i = cmark_node_next(i)) blocks(a, i, depth + 1, ordered ? count++ : 0, true, p, out);
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
