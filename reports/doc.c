#include "doc.h"

#include "base/lang.h"

#include <stdarg.h>

DocNode *doc_new(Doc *d, DocKind kind) {
    DocNode *n = arena_new_of(d->arena, DocNode);
    n->kind = kind;
    return n;
}

DocNode *doc_add(Doc *d, DocNode *parent, DocKind kind) {
    DocNode *n = doc_new(d, kind);
    VEC_PUSH(d->arena, &parent->children, n);
    return n;
}

Str doc_clean(Doc *d, Str text) {
    return clean(d->arena, text, CLEAN_NAME);
}

void span_add(Doc *d, Spans *s, unsigned style, Str text) {
    if (!text.len) return;
    Str words = clean(d->arena, text, CLEAN_INLINE);
    bool before = ch_blank(text.p[0]), after = ch_blank(text.p[text.len - 1]);
    if (!words.len) {
        if (!s->count) return;
        words = STR(" ");
    } else if (before || after) {
        words = arena_strf(d->arena, "%s%.*s%s", before ? " " : "", STR_ARG(words), after ? " " : "");
    }
    VEC_PUSH(d->arena, s, ((Span){.text = words, .style = style & ~(unsigned)SPAN_LINK}));
}

void span_addz(Doc *d, Spans *s, unsigned style, const char *text) {
    span_add(d, s, style, str_of(text));
}

void span_addf(Doc *d, Spans *s, unsigned style, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vfmt(d->arena, fmt, ap);
    va_end(ap);
    span_add(d, s, style, str_of(text));
}

DocNode *doc_section(Doc *d, const char *id, const char *title) {
    DocNode *n = doc_add(d, d->body, DOC_SECTION);
    n->id = id;
    span_addz(d, &n->title, 0, title);
    return n;
}

DocNode *doc_paragraph(Doc *d, DocNode *parent, const char *role) {
    DocNode *n = doc_add(d, parent, DOC_PARAGRAPH);
    n->role = role;
    return n;
}

DocNode *doc_text(Doc *d, DocNode *parent, const char *words) {
    DocNode *n = doc_paragraph(d, parent, NULL);
    span_addz(d, &n->spans, 0, words);
    return n;
}

void doc_intro(Doc *d, DocNode *section, const char *words) {
    DocNode *n = doc_text(d, section, words);
    n->role = "intro";
    n->shown = SHOWN_HTML;
}

DocNode *doc_heading(Doc *d, DocNode *parent, const char *words) {
    DocNode *n = doc_add(d, parent, DOC_HEADING);
    span_addz(d, &n->title, 0, words);
    return n;
}

void doc_badge(Doc *d, DocNode *card, Str text, Tone tone) {
    Str words = doc_clean(d, text);
    if (words.len) VEC_PUSH(d->arena, &card->badges, ((Badge){words, tone}));
}

void doc_fact(Doc *d, DocNode *facts, const char *term, Str value) {
    Fact f = {.term = str_of(term)};
    span_add(d, &f.value, 0, value);
    if (f.value.count) VEC_PUSH(d->arena, &facts->facts, f);
}

void doc_fact_spans(Doc *d, DocNode *facts, const char *term, Spans value, Tone tone) {
    if (value.count) VEC_PUSH(d->arena, &facts->facts, ((Fact){str_of(term), value, tone}));
}

DocNode *doc_last(DocNode *parent) {
    return parent->children.items[parent->children.count - 1];
}

DocNode *doc_fold(Doc *d, DocNode *parent, Str title) {
    DocNode *n = doc_add(d, parent, DOC_FOLD);
    span_add(d, &n->title, 0, title);
    return n;
}

Table *doc_table(Doc *d, DocNode *parent, const char *caption, bool captioned) {
    DocNode *n = doc_add(d, parent, DOC_TABLE);
    n->table = arena_new_of(d->arena, Table);
    n->table->caption = str_of(caption);
    n->table->captioned = captioned;
    return n->table;
}

void doc_column(Doc *d, Table *t, Str title, bool number) {
    VEC_PUSH(d->arena, &t->columns, ((Column){doc_clean(d, title), number, false}));
}

void doc_column_html(Doc *d, Table *t, Str title) {
    VEC_PUSH(d->arena, &t->columns, ((Column){doc_clean(d, title), false, true}));
}

Row *doc_row(Doc *d, Table *t) {
    VEC_PUSH(d->arena, &t->rows, ((Row){arena_array(d->arena, Spans, t->columns.count), TONE_NONE}));
    return &t->rows.items[t->rows.count - 1];
}

/*
 * Which lines to show where not all are: one of each view first (independent evidence is worth more than more of the same), then
 * one of each member, then from the top. picked[i] is set for `shown` lines.
 */
static void pick_lines(const EvidenceList *list, size_t shown, bool *picked, size_t *chosen) {
    size_t count = 0;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < list->count && count < shown; i++) {
            if (picked[i]) continue;
            bool known = false;
            for (size_t k = 0; k < count && pass < 2 && !known; k++) {
                const Evidence *other = &list->items[chosen[k]];
                known =
                    pass == 0
                        ? str_eq(other->view, list->items[i].view) && str_eq(other->stage, list->items[i].stage)
                        : str_eq(other->member, list->items[i].member) && str_eq(other->stage, list->items[i].stage);
            }
            if (known) continue;
            picked[i] = true;
            chosen[count++] = i;
        }
}

void doc_evidence(Doc *d, DocNode *parent, const EvidenceList *list, size_t shown, bool folded) {
    if (!list->count) return;
    DocNode *n = doc_add(d, parent, DOC_EVIDENCE);
    n->lines.shown = shown ? shown : 1;
    n->lines.folded = folded;
    if (n->lines.shown + 1 >= list->count)
        n->lines.shown = list->count; /* "and 1 more line" is no shorter than that line */
    bool *picked = arena_array(d->arena, bool, list->count);
    pick_lines(list, n->lines.shown, picked, arena_array(d->arena, size_t, n->lines.shown));
    for (int rest = 0; rest < 2; rest++)
        for (size_t i = 0; i < list->count; i++) {
            if (picked[i] == (rest == 1)) continue;
            Evidence e = list->items[i];
            e.member = clean(d->arena, e.member, CLEAN_LINE);
            e.path = clean(d->arena, e.path, CLEAN_LINE);
            e.text = str_trim_left(clean(d->arena, e.text, CLEAN_LINE));
            VEC_PUSH(d->arena, &n->lines.list, e);
        }
}

/* ---------------------------------------------------------------- formatted text of rules */

static void rich_spans(Doc *d, Spans *out, const Block *b) {
    for (size_t i = 0; i < b->span_count; i++) {
        const Span *s = &b->spans[i];
        size_t before = out->count;
        span_add(d, out, s->style, s->text);
        if (out->count == before || !(s->style & SPAN_LINK)) continue;
        /* The page reader lets only web addresses through; here again, as a wrong one would be a way out of the report. */
        Str url = clean(d->arena, s->url, CLEAN_INLINE);
        bool web = str_istarts(url, "https://") || str_istarts(url, "http://");
        for (size_t k = 0; k < url.len; k++)
            if ((unsigned char)url.p[k] <= ' ' || (unsigned char)url.p[k] >= 0x7f || strchr("<>\"\\^`{|}", url.p[k]))
                web = false;
        if (!web || url.len > CLEAN_NAME_MAX) continue;
        out->items[before].style |= SPAN_LINK;
        out->items[before].url = url;
    }
}

bool span_is_danger(const Span *s) {
    /* In the languages that pages are written in. */
    static const char *const words[] = {"danger", "peligro", "\xd0\x9e\xd0\xbf\xd0\xb0\xd1\x81\xd0\xbd\xd0\xbe"};
    if (!(s->style & SPAN_STRONG)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_istarts(s->text, words[i])) return true;
    return false;
}

static void put_danger(Doc *d, DocNode *at, const Spans *words, size_t from, size_t to) {
    DocNode *box = doc_add(d, at, DOC_NOTE);
    box->tone = TONE_BAD;
    box->role = "danger";
    DocNode *p = doc_paragraph(d, box, NULL);
    /* "Danger:" stays strong; what it is about is read better without. */
    const Span *first = &words->items[from];
    size_t colon = str_find_ch(first->text, ':'), head = colon == SIZE_MAX ? first->text.len : colon + 1;
    span_add(d, &p->spans, first->style, str_sub(first->text, 0, head));
    span_add(d, &p->spans, first->style & ~(unsigned)SPAN_STRONG, str_from(first->text, head));
    for (size_t i = from + 1; i < to; i++) {
        Span s = words->items[i];
        s.style &= ~(unsigned)SPAN_STRONG;
        VEC_PUSH(d->arena, &p->spans, s);
    }
    Span *last = &p->spans.items[p->spans.count - 1]; /* "...: `command`": the command stands below the box */
    if (p->spans.count > 1 && str_ends(last->text, ":"))
        last->text = arena_strf(d->arena, "%.*s.", (int)(last->text.len - 1), last->text.p);
}

/* The words of a paragraph, its dangers before it. */
static void put_words(Doc *d, DocNode *at, const Spans *words) {
    Spans rest = {0};
    bool any = false;
    for (size_t i = 0; i < words->count; i++) {
        Span s = words->items[i];
        size_t end = i;
        if (span_is_danger(&s))
            while (end < words->count && words->items[end].style & SPAN_STRONG) end++;
        if (end > i) {
            put_danger(d, at, words, i, end);
            i = end - 1;
            continue;
        }
        bool blank = !rest.count || str_ends(rest.items[rest.count - 1].text, " ");
        if (blank) s.text = str_trim_left(s.text);
        if (!s.text.len) continue;
        any = any || str_trim(s.text).len > 0;
        VEC_PUSH(d->arena, &rest, s);
    }
    if (any) doc_paragraph(d, at, NULL)->spans = rest;
}

void doc_rich(Doc *d, DocNode *parent, const Rich *rich) {
    enum { DEEPEST = 8 };
    DocNode *list[DEEPEST + 1] = {0}, *item[DEEPEST + 1] = {0};
    int open = 0; /* lists open now; item[open] takes what follows */
    for (size_t i = 0; i < rich->count; i++) {
        const Block *b = &rich->blocks[i];
        int depth = b->kind == BLOCK_HEADING ? 0 : b->depth < 0 ? 0 : b->depth > DEEPEST ? DEEPEST : b->depth;
        if (b->kind == BLOCK_ITEM) {
            if (depth < 1) depth = 1;
            if (depth > open + 1) depth = open + 1;
            /* "1." and "-" at one depth are two lists */
            bool same = depth <= open && (list[depth]->children.items[0]->number > 0) == (b->number > 0);
            if (!same) list[depth] = doc_add(d, depth == 1 ? parent : item[depth - 1], DOC_LIST);
            open = depth;
            item[depth] = doc_add(d, list[depth], DOC_ITEM);
            item[depth]->number = b->number > 0 ? b->number : 0;
            Spans words = {0};
            rich_spans(d, &words, b);
            put_words(d, item[depth], &words);
            continue;
        }
        if (depth > open) depth = open;
        open = depth;
        DocNode *at = depth ? item[depth] : parent;
        if (b->kind == BLOCK_CODE) {
            DocNode *n = doc_add(d, at, DOC_CODE);
            StrBuf all;
            sb_init(&all, d->arena);
            for (size_t k = 0; k < b->span_count; k++) sb_add(&all, b->spans[k].text);
            n->code = clean(d->arena, sb_str(&all), CLEAN_BLOCK);
        } else {
            Spans words = {0};
            rich_spans(d, &words, b);
            if (!words.count) continue;
            if (b->kind == BLOCK_HEADING) doc_add(d, at, DOC_HEADING)->title = words;
            else put_words(d, at, &words);
        }
    }
}

/* ---------------------------------------------------------------- what the writers share */

Str spans_plain(Arena *a, const Spans *s) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < s->count; i++) sb_add(&out, s->items[i].text);
    return sb_str(&out);
}

Str *tree_prefixes(Arena *a, const DocNode *tree) {
    size_t n = tree->tree.count;
    Str *out = arena_array(a, Str, n + 1);
    for (size_t i = 0; i < n; i++) {
        StrBuf p;
        sb_init(&p, a);
        int depth = tree->tree.items[i].depth;
        for (int level = 1; level <= depth; level++) {
            /* Does another row of this level follow before one above it? */
            bool more = false;
            for (size_t k = i + 1; k < n && tree->tree.items[k].depth >= level && !more; k++)
                more = tree->tree.items[k].depth == level;
            if (level < depth) sb_addz(&p, more ? "\xe2\x94\x82  " : "   ");
            else sb_addz(&p, more ? "\xe2\x94\x9c\xe2\x94\x80 " : "\xe2\x94\x94\xe2\x94\x80 ");
        }
        out[i] = sb_str(&p);
    }
    return out;
}

Str lines_more(Arena *a, const Lines *l, size_t from) {
    enum { NAMED = 3 };
    if (from >= l->list.count) return STR("");
    size_t count = l->list.count - from, members = 0;
    Str named[NAMED];
    bool others = false;
    for (size_t i = from; i < l->list.count && !others; i++) {
        Str member = l->list.items[i].member;
        bool known = !member.len;
        for (size_t k = 0; k < members && !known; k++) known = str_eq(named[k], member);
        if (known) continue;
        if (members < NAMED) named[members++] = member;
        else others = true;
    }
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < members; i++) sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(named[i]));
    Str in = sb_str(&out);
    if (others) in = say(a, _("{names} and others"), "names", in, NULL);
    if (!members)
        return from ? say_n(a, "and {n} more line", "and {n} more lines", count, NULL)
                    : say_n(a, "{n} line", "{n} lines", count, NULL);
    return from ? say_n(a, "and {n} more line in {members}", "and {n} more lines in {members}", count, "members", in,
                        NULL)
                : say_n(a, "{n} line in {members}", "{n} lines in {members}", count, "members", in, NULL);
}

Str more_rows(Arena *a, size_t count) {
    return say_n(a, "and {n} more rows, which the HTML and JSON reports show",
                 "and {n} more rows, which the HTML and JSON reports show", count, NULL);
}

Str evidence_place(Arena *a, const Evidence *e) {
    if (!e->member.len) return STR("");
    /* Of a comparison: two uploads have members of one name. */
    Str of = e->stage.len ? arena_strf(a, "%.*s: ", STR_ARG(stage_words(a, e->stage))) : STR("");
    if (e->line > 0) return arena_strf(a, "%.*s%.*s:%lld", STR_ARG(of), STR_ARG(e->member), (long long)e->line);
    if (e->path.len) return arena_strf(a, "%.*s%.*s#%.*s", STR_ARG(of), STR_ARG(e->member), STR_ARG(e->path));
    return arena_strf(a, "%.*s%.*s", STR_ARG(of), STR_ARG(e->member));
}
