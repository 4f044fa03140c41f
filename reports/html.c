/*
 * html.c - the report as one self-contained HTML file
 *
 * Written through libxml2's writer only, so that no text can become markup: strings go out through text(), which hands clean
 * UTF-8 to the writer, and through nothing else. The style is built in (report.css) and allowed by its hash; the policy
 * allows nothing besides, no script, no picture, no connection. Elements that are not void always get an end tag of their own,
 * as an HTML parser does not know <p/>.
 */
#include "svg.h"
#include "writers.h"

#include "base/embedded.h"
#include "base/lang.h"
#include "base/sha256.h"

#include <libxml/xmlwriter.h>

enum { TABLE_ROWS = 500 }; /* beyond them nobody reads, and a browser gets slow */

typedef struct Writer {
    Arena *a;
    xmlTextWriterPtr x;
    StrBuf z;  /* the string being written, with its end */
    int level; /* of the heading above */
    int pictures;
    bool failed;
} Writer;

static void check(Writer *w, int result) {
    if (result < 0) w->failed = true;
}

static const xmlChar *xml(const char *s) {
    return (const xmlChar *)s;
}

static void open_tag(Writer *w, const char *name) {
    check(w, xmlTextWriterStartElement(w->x, xml(name)));
}

static void close_tag(Writer *w) {
    check(w, xmlTextWriterFullEndElement(w->x));
}

static const char *terminated(Writer *w, Str s) {
    w->z.len = 0;
    sb_add(&w->z, s);
    return w->z.p;
}

/* Both take only what clean() made: UTF-8 that XML allows. */
static void text(Writer *w, Str s) {
    if (s.len) check(w, xmlTextWriterWriteString(w->x, xml(terminated(w, s))));
}

static void attribute(Writer *w, const char *name, Str value) {
    check(w, xmlTextWriterWriteAttribute(w->x, xml(name), xml(terminated(w, value))));
}

/* Ours, without data. */
static void class_of(Writer *w, const char *value) {
    attribute(w, "class", str_of(value));
}

static void newline(Writer *w) {
    check(w, xmlTextWriterWriteRaw(w->x, xml("\n")));
}

static void element(Writer *w, const char *name, Str content) {
    open_tag(w, name);
    text(w, content);
    close_tag(w);
}

/* <meta> is void: an empty element of the writer is right for it. */
static void meta(Writer *w, const char *key, const char *value, const char *content) {
    open_tag(w, "meta");
    attribute(w, key, str_of(value));
    if (content) attribute(w, "content", str_of(content));
    check(w, xmlTextWriterEndElement(w->x));
    newline(w);
}

static const char *tone_class(Tone tone) {
    static const char *const names[] = {"", "bad", "warn", "info", "good", "muted"};
    return names[tone];
}

static void spans(Writer *w, const Spans *list) {
    for (size_t i = 0; i < list->count; i++) {
        const Span *s = &list->items[i];
        int opened = 0;
        if (s->style & SPAN_LINK) {
            open_tag(w, "a");
            attribute(w, "href", s->url);
            attribute(w, "rel", STR("noreferrer noopener"));
            opened++;
        }
        static const struct {
            unsigned style;
            const char *tag, *class_;
        } tags[] = {{SPAN_MUTED, "span", "muted"},
                    {SPAN_STRONG, "strong", NULL},
                    {SPAN_EMPH, "em", NULL},
                    {SPAN_CODE, "code", NULL}};
        for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
            if (!(s->style & tags[k].style)) continue;
            open_tag(w, tags[k].tag);
            if (tags[k].class_) class_of(w, tags[k].class_);
            opened++;
        }
        text(w, s->text);
        while (opened--) close_tag(w);
    }
}

static void heading(Writer *w, const DocNode *n) {
    static const char *const tags[] = {"h1", "h2", "h3", "h4", "h5"};
    int level = w->level < 1 ? 1 : w->level > 4 ? 4 : w->level;
    open_tag(w, tags[level]);
    spans(w, &n->title);
    close_tag(w);
    newline(w);
}

static void badges(Writer *w, const DocNode *n) {
    if (!n->badges.count) return;
    open_tag(w, "p");
    class_of(w, "badges");
    for (size_t i = 0; i < n->badges.count; i++) {
        if (i) text(w, STR(" "));
        open_tag(w, "span");
        class_of(w, arena_fmt(w->a, "badge %s", tone_class(n->badges.items[i].tone)));
        text(w, n->badges.items[i].text);
        close_tag(w);
    }
    close_tag(w);
    newline(w);
}

static void evidence_lines(Writer *w, const Lines *l, size_t from, size_t to) {
    open_tag(w, "ol");
    class_of(w, "lines");
    for (size_t i = from; i < to; i++) {
        const Evidence *e = &l->list.items[i];
        Str place = evidence_place(w->a, e);
        open_tag(w, "li");
        if (place.len) {
            open_tag(w, "span");
            class_of(w, "at");
            text(w, place);
            close_tag(w);
            text(w, STR(" "));
        }
        element(w, "code", e->text);
        close_tag(w);
    }
    close_tag(w);
    newline(w);
}

static void evidence(Writer *w, const Lines *l) {
    size_t count = l->list.count, shown = l->folded ? 0 : l->shown;
    if (shown) evidence_lines(w, l, 0, shown);
    if (shown == count) return;
    open_tag(w, "details");
    Str summary = lines_more(w->a, l, shown);
    if (!shown) summary = say(w->a, _("Evidence: {lines}"), "lines", summary, NULL);
    element(w, "summary", summary);
    evidence_lines(w, l, shown, count);
    close_tag(w);
    newline(w);
}

static void table(Writer *w, const Table *t) {
    if (!t->rows.count) return;
    size_t rows = t->rows.count > TABLE_ROWS ? TABLE_ROWS : t->rows.count;
    bool *kept = arena_array(w->a, bool, t->columns.count);
    for (size_t c = 0; c < t->columns.count; c++)
        for (size_t r = 0; r < t->rows.count && !kept[c]; r++) kept[c] = t->rows.items[r].cells[c].count > 0;
    if (t->html_only) {
        open_tag(w, "details");
        element(w, "summary", arena_strf(w->a, "%.*s (%zu)", STR_ARG(t->caption), t->rows.count));
    }
    enum { NARROW = 5 }; /* columns; more of them may need a scroll, which the keyboard must reach */
    size_t columns = 0;
    for (size_t c = 0; c < t->columns.count; c++) columns += kept[c];
    open_tag(w, "div");
    class_of(w, columns > NARROW ? "wide" : "narrow");
    if (columns > NARROW) {
        attribute(w, "role", STR("group")); /* no landmark: a report has many of them */
        attribute(w, "aria-label", t->caption);
        attribute(w, "tabindex", STR("0"));
    }
    open_tag(w, "table");
    if (!t->html_only) {
        open_tag(w, "caption");
        if (!t->captioned) class_of(w, "hidden");
        text(w, t->caption);
        close_tag(w);
    }
    open_tag(w, "thead");
    open_tag(w, "tr");
    for (size_t c = 0; c < t->columns.count; c++) {
        if (!kept[c]) continue;
        open_tag(w, "th");
        attribute(w, "scope", STR("col"));
        if (t->columns.items[c].number) class_of(w, "number");
        text(w, t->columns.items[c].title);
        close_tag(w);
    }
    close_tag(w);
    close_tag(w);
    newline(w);
    open_tag(w, "tbody");
    for (size_t r = 0; r < rows; r++) {
        const Row *row = &t->rows.items[r];
        open_tag(w, "tr");
        if (row->tone != TONE_NONE) class_of(w, tone_class(row->tone));
        for (size_t c = 0; c < t->columns.count; c++) {
            if (!kept[c]) continue;
            open_tag(w, "td");
            /* The head of the column again: on a narrow screen each row becomes a card. */
            attribute(w, "data-label", t->columns.items[c].title);
            if (t->columns.items[c].number) class_of(w, row->cells[c].count ? "number" : "number empty");
            else if (!row->cells[c].count) class_of(w, "empty");
            open_tag(w, "div");
            spans(w, &row->cells[c]);
            close_tag(w);
            close_tag(w);
        }
        close_tag(w);
        newline(w);
    }
    close_tag(w);
    close_tag(w);
    close_tag(w);
    if (rows < t->rows.count)
        element(w, "p",
                say_n(w->a, "and {n} more row, which the JSON report shows",
                      "and {n} more rows, which the JSON report shows", t->rows.count - rows, NULL));
    if (t->html_only) close_tag(w);
    newline(w);
}

static void tree(Writer *w, const DocNode *n) {
    open_tag(w, "ul");
    class_of(w, "tree");
    int open = 0; /* lists inside the outermost */
    for (size_t i = 0; i < n->tree.count; i++) {
        const TreeRow *r = &n->tree.items[i];
        if (i && r->depth <= open) close_tag(w); /* the item before */
        for (; open > r->depth; open--) {
            close_tag(w);
            close_tag(w);
        }
        if (r->depth > open) {
            open_tag(w, "ul");
            open++;
        }
        open_tag(w, "li");
        open_tag(w, "span");
        class_of(w, arena_fmt(w->a, "node %s", tone_class(r->tone)));
        if (r->kind.len) {
            open_tag(w, "span");
            class_of(w, "muted");
            text(w, r->kind);
            text(w, STR(" "));
            close_tag(w);
        }
        element(w, "strong", r->label);
        if (r->mark.len) {
            text(w, STR(" "));
            open_tag(w, "span");
            class_of(w, arena_fmt(w->a, "badge %s", tone_class(r->tone)));
            text(w, r->mark);
            close_tag(w);
        }
        if (r->detail.len) {
            text(w, STR(" "));
            open_tag(w, "span");
            class_of(w, "muted");
            text(w, r->detail);
            close_tag(w);
        }
        close_tag(w);
    }
    if (n->tree.count) close_tag(w);
    for (; open > 0; open--) {
        close_tag(w);
        close_tag(w);
    }
    close_tag(w);
    newline(w);
}

static void picture(Writer *w, const Picture *p) {
    open_tag(w, "figure");
    class_of(w, arena_fmt(w->a, "picture %s", p->role ? p->role : ""));
    element(w, "figcaption", p->title);
    newline(w);
    if (!svg_write(w->x, w->a, p, ++w->pictures)) w->failed = true;
    newline(w);
    if (p->data) table(w, p->data);
    close_tag(w);
    newline(w);
}

static void node(Writer *w, const DocNode *n);

static void children(Writer *w, const DocNode *n) {
    for (size_t i = 0; i < n->children.count; i++)
        if (n->children.items[i]->shown != SHOWN_PLAIN) node(w, n->children.items[i]);
}

static void list(Writer *w, const DocNode *n) {
    bool ordered = n->children.count && n->children.items[0]->number > 0;
    open_tag(w, ordered ? "ol" : "ul");
    if (n->role) class_of(w, n->role);
    if (ordered && n->children.items[0]->number != 1)
        attribute(w, "start", arena_strf(w->a, "%d", n->children.items[0]->number));
    newline(w);
    for (size_t i = 0; i < n->children.count; i++) {
        open_tag(w, "li");
        children(w, n->children.items[i]);
        close_tag(w);
        newline(w);
    }
    close_tag(w);
    newline(w);
}

static void node(Writer *w, const DocNode *n) {
    switch (n->kind) {
    case DOC_GROUP:
        if (n->role) {
            open_tag(w, "div");
            class_of(w, n->role);
        }
        children(w, n);
        if (n->role) close_tag(w);
        break;
    case DOC_SECTION:
    case DOC_CARD: {
        bool card = n->kind == DOC_CARD;
        open_tag(w, card ? "article" : "section");
        if (n->id) attribute(w, "id", str_of(n->id));
        class_of(w, arena_fmt(w->a, "%s %s", card ? "card" : n->role ? n->role : "part", tone_class(n->tone)));
        newline(w);
        w->level++;
        if (!card && n->badges.count) badges(w, n);
        heading(w, n);
        if (card) badges(w, n);
        children(w, n);
        w->level--;
        close_tag(w);
        newline(w);
        break;
    }
    case DOC_FOLD:
        open_tag(w, "details");
        if (n->role) class_of(w, n->role);
        open_tag(w, "summary");
        spans(w, &n->title);
        close_tag(w);
        newline(w);
        children(w, n);
        close_tag(w);
        newline(w);
        break;
    case DOC_HEADING:
        w->level++;
        heading(w, n);
        w->level--;
        break;
    case DOC_PARAGRAPH:
        open_tag(w, "p");
        if (n->role) class_of(w, n->role);
        spans(w, &n->spans);
        close_tag(w);
        newline(w);
        break;
    case DOC_LIST: list(w, n); break;
    case DOC_ITEM: children(w, n); break;
    case DOC_CODE:
        open_tag(w, "pre");
        element(w, "code", n->code);
        close_tag(w);
        newline(w);
        break;
    case DOC_TABLE: table(w, n->table); break;
    case DOC_FACTS:
        if (!n->facts.count) break;
        open_tag(w, "dl");
        if (n->role) class_of(w, n->role);
        for (size_t i = 0; i < n->facts.count; i++) {
            open_tag(w, "div");
            if (n->facts.items[i].tone != TONE_NONE) class_of(w, tone_class(n->facts.items[i].tone));
            element(w, "dt", n->facts.items[i].term);
            open_tag(w, "dd");
            spans(w, &n->facts.items[i].value);
            close_tag(w);
            close_tag(w);
            newline(w);
        }
        close_tag(w);
        newline(w);
        break;
    case DOC_EVIDENCE: evidence(w, &n->lines); break;
    case DOC_TREE:
        if (n->role) { /* a picture beside it says the same */
            open_tag(w, "details");
            element(w, "summary", str_of(_("The same as a list")));
        }
        tree(w, n);
        if (n->role) close_tag(w);
        break;
    case DOC_PICTURE: picture(w, n->picture); break;
    case DOC_NOTE:
        open_tag(w, "div");
        class_of(w, arena_fmt(w->a, "box %s%s%s", tone_class(n->tone), n->role ? " " : "", n->role ? n->role : ""));
        attribute(w, "role", STR("note"));
        children(w, n);
        close_tag(w);
        newline(w);
        break;
    }
}

/* ---------------------------------------------------------------- the page */

static void contents(Writer *w, const Doc *doc) {
    if (doc->brief || doc->body->children.count < 3) return;
    open_tag(w, "nav");
    attribute(w, "aria-label", str_of(_("Contents")));
    open_tag(w, "ul");
    for (size_t i = 0; i < doc->body->children.count; i++) {
        const DocNode *n = doc->body->children.items[i];
        if (n->kind != DOC_SECTION || !n->id || (n->role && !strcmp(n->role, "verdict"))) continue;
        open_tag(w, "li");
        open_tag(w, "a");
        attribute(w, "href", arena_strf(w->a, "#%s", n->id));
        spans(w, &n->title);
        close_tag(w);
        close_tag(w);
    }
    close_tag(w);
    close_tag(w);
    newline(w);
}

static void head(Writer *w, const Doc *doc) {
    const EmbeddedFile *css = embedded_find("reports/report.css");
    /* The hash is that of the element's text, which is written byte for byte. "</" would end the element early. */
    Str style = css ? (Str){(const char *)css->data, css->len} : STR_NONE;
    if (str_has(style, "</")) style = STR_NONE;
    uint8_t digest[SHA256_SIZE];
    char hash[SHA256_BASE64_SIZE];
    sha256(style.p, style.len, digest);
    sha256_base64(digest, hash);

    open_tag(w, "head");
    newline(w);
    meta(w, "charset", "utf-8", NULL);
    meta(w, "http-equiv", "Content-Security-Policy",
         arena_fmt(w->a, "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", hash));
    meta(w, "name", "viewport", "width=device-width, initial-scale=1");
    meta(w, "name", "color-scheme", "light dark");
    meta(w, "name", "referrer", "no-referrer");
    meta(w, "name", "generator", arena_cstr(w->a, doc->footer));
    element(w, "title", doc->title);
    newline(w);
    open_tag(w, "style");
    if (style.len) check(w, xmlTextWriterWriteRawLen(w->x, xml(style.p), (int)style.len));
    close_tag(w);
    newline(w);
    close_tag(w);
    newline(w);
}

static void page(Writer *w, const Doc *doc) {
    check(w, xmlTextWriterStartDTD(w->x, xml("html"), NULL, NULL));
    check(w, xmlTextWriterEndDTD(w->x));
    newline(w);
    open_tag(w, "html");
    attribute(w, "lang", str_of(lang_code()));
    newline(w);
    head(w, doc);
    open_tag(w, "body");
    newline(w);
    if (doc->body->children.count && doc->body->children.items[0]->id) {
        open_tag(w, "a");
        class_of(w, "skip");
        attribute(w, "href", arena_strf(w->a, "#%s", doc->body->children.items[0]->id));
        text(w, str_of(_("To the verdict")));
        close_tag(w);
        newline(w);
    }
    open_tag(w, "header");
    open_tag(w, "p");
    class_of(w, "kicker");
    text(w, doc->kicker);
    close_tag(w);
    element(w, "h1", doc->heading);
    newline(w);
    if (doc->head && doc->head->facts.count) node(w, doc->head);
    close_tag(w);
    newline(w);
    open_tag(w, "main");
    newline(w);
    for (size_t i = 0; i < doc->body->children.count; i++) {
        if (i == 1) contents(w, doc); /* behind the verdict, which is what everybody reads */
        node(w, doc->body->children.items[i]);
    }
    close_tag(w);
    newline(w);
    element(w, "footer", doc->footer);
    newline(w);
    close_tag(w);
    newline(w);
    close_tag(w);
    newline(w);
    check(w, xmlTextWriterFlush(w->x));
}

/* A write error is remembered by the file and reported once by reports.c; told to libxml2, it would print a line of its own. */
static int put_bytes(void *out, const char *bytes, int len) {
    if (len > 0) fwrite(bytes, 1, (size_t)len, out);
    return len;
}

static int leave_open(void *out) {
    (void)out;
    return 0;
}

bool write_html(FILE *out, const Doc *doc, Error *err) {
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateIO(put_bytes, leave_open, out, NULL);
    if (!buffer) return error_set(err, "out of memory while writing the report");
    xmlTextWriterPtr x = xmlNewTextWriter(buffer); /* owns the buffer from here on */
    if (!x) {
        xmlOutputBufferClose(buffer);
        return error_set(err, "out of memory while writing the report");
    }
    Writer w = {.a = doc->arena, .x = x};
    sb_init(&w.z, w.a);
    page(&w, doc);
    xmlFreeTextWriter(x);
    if (w.failed) return error_set(err, "out of memory while writing the report");
    return true;
}
