/*
 * markdown.c - the report for an issue, a forum or a wiki
 *
 * GitHub and Discourse both start from CommonMark and then look for more in the finished text: @mentions, #123, :emoji:, bare
 * web addresses. A backslash protects from the first step only, so a word that could be one of these becomes a code span,
 * which both leave alone; everything else that could be markup gets a backslash. No paragraph is broken over lines, so
 * that only its first character can start a block.
 */
#include "writers.h"

enum { DEEPEST = 24 };

typedef struct Writer {
    Arena *a;
    StrBuf out;
    Str first[DEEPEST], rest[DEEPEST];
    bool used[DEEPEST];
    size_t depth;
    bool in_table;
} Writer;

static void push(Writer *w, Str first, Str rest) {
    if (w->depth < DEEPEST) {
        w->first[w->depth] = first;
        w->rest[w->depth] = rest;
        w->used[w->depth] = false;
    }
    w->depth++;
}

static void pop(Writer *w) {
    w->depth--;
}

static void line(Writer *w, Str text) {
    StrBuf l;
    sb_init(&l, w->a);
    for (size_t i = 0; i < w->depth && i < DEEPEST; i++) {
        if (!w->used[i] || text.len || str_trim(w->rest[i]).len) sb_add(&l, w->used[i] ? w->rest[i] : w->first[i]);
        w->used[i] = true;
    }
    sb_add(&l, text);
    sb_add(&w->out, str_trim_right(sb_str(&l)));
    sb_addc(&w->out, '\n');
}

/* A blank line between blocks; a marker that is still due is not wasted on it. */
static void gap(Writer *w) {
    if (!w->out.len) return;
    StrBuf l;
    sb_init(&l, w->a);
    for (size_t i = 0; i < w->depth && i < DEEPEST && w->used[i]; i++) sb_add(&l, w->rest[i]);
    sb_add(&w->out, str_trim_right(sb_str(&l)));
    sb_addc(&w->out, '\n');
}

/* ---------------------------------------------------------------- escaping */

/* A letter or digit, of whatever script: names of hosts and tags may be of any. */
static bool letter(Str word, size_t at) {
    return at < word.len && (ch_alnum(word.p[at]) || (unsigned char)word.p[at] >= 0x80);
}

/* Seven to forty hexadecimal digits, which GitHub takes for a commit where there is one of that name. Plain numbers stay. */
static bool commit_like(Str word) {
    enum { LEAST = 7, MOST = 40 };
    for (size_t i = 0; i < word.len;) {
        size_t n = 0;
        bool digit = false, other = false;
        for (; i + n < word.len && (ch_digit(word.p[i + n]) || (word.p[i + n] >= 'a' && word.p[i + n] <= 'f')); n++) {
            digit |= ch_digit(word.p[i + n]);
            other |= !ch_digit(word.p[i + n]);
        }
        bool begins = !i || !letter(word, i - 1), ends = !letter(word, i + n);
        if (n >= LEAST && n <= MOST && digit && other && begins && ends) return true;
        i += n ? n : 1;
    }
    return false;
}

/* Could GitHub or Discourse see more than letters in this word once its markup is read? */
static bool active(Str word) {
    if (str_find_ch(word, '@') != SIZE_MAX || str_find(word, "://") != SIZE_MAX ||
        str_ifind(word, "www.") != SIZE_MAX || str_ifind(word, "mailto:") != SIZE_MAX ||
        str_ifind(word, "xmpp:") != SIZE_MAX || str_ifind(word, "javascript:") != SIZE_MAX)
        return true;
    if (str_starts(word, "--")) return true; /* an option: Discourse makes a dash of it */
    if (commit_like(word)) return true;
    for (size_t i = 0; i + 1 < word.len; i++) {
        char c = word.p[i], next = word.p[i + 1];
        if (c == '#' && letter(word, i + 1)) return true; /* #123, #tag, owner/repo#1 */
        if (c == '.' && i && letter(word, i - 1) && letter(word, i + 1) && letter(word, i + 2) && !ch_digit(next) &&
            !ch_digit(word.p[i + 2]))
            return true; /* kernel.org, but neither e.g. nor 7.94 */
        if (c == '-' && i >= 2 && ch_digit(next) && ch_lower(word.p[i - 1]) == 'h' && ch_lower(word.p[i - 2]) == 'g')
            return true; /* GH-12 */
        if (c == ':') {  /* :smile: */
            bool named = false;
            size_t k = i + 1;
            for (; k < word.len && (ch_alnum(word.p[k]) || word.p[k] == '_' || word.p[k] == '+' || word.p[k] == '-');
                 k++)
                named |= !ch_digit(word.p[k]);
            Str name = str_sub(word, i + 1, k - i - 1);
            if (k < word.len && word.p[k] == ':' && (named || str_is(name, "100") || str_is(name, "1234"))) return true;
        }
    }
    return false;
}

/* In backticks, more of them than the text has in a row. Inside a table a pipe needs a backslash even here. */
static void add_code(Writer *w, StrBuf *out, Str text) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.p[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    if (!text.len) return;
    /* One blank at both ends is taken away by the reader if there is one at both; text of blanks only keeps them. */
    bool padded = text.p[0] == '`' || text.p[text.len - 1] == '`' || (text.p[0] == ' ' && text.p[text.len - 1] == ' ');
    for (size_t i = 0; i <= longest; i++) sb_addc(out, '`');
    if (padded) sb_addc(out, ' ');
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '|' && w->in_table) sb_addc(out, '\\');
        sb_addc(out, text.p[i]);
    }
    if (padded) sb_addc(out, ' ');
    for (size_t i = 0; i <= longest; i++) sb_addc(out, '`');
}

/* The one function through which plain words pass. */
static void add_words(Writer *w, StrBuf *out, Str text, bool starts_block) {
    while (text.len) {
        if (text.p[0] == ' ') {
            sb_addc(out, ' ');
            text = str_from(text, 1);
            continue;
        }
        size_t end = str_find_ch(text, ' ');
        Str word = str_sub(text, 0, end);
        text = str_from(text, word.len);
        if (active(word)) {
            size_t tail = 0; /* a comma behind it is no part of it */
            while (tail + 1 < word.len && strchr(",;.)", word.p[word.len - 1 - tail])) tail++;
            add_code(w, out, str_sub(word, 0, word.len - tail));
            sb_add(out, str_from(word, word.len - tail));
            continue;
        }
        /* What would make a list, a rule or a heading of a paragraph: "-", "+", "1." */
        size_t marker = SIZE_MAX, digits = 0;
        if (starts_block && !out->len) {
            while (digits < word.len && ch_digit(word.p[digits])) digits++;
            if (word.p[0] == '-' || word.p[0] == '+' || word.p[0] == '=') marker = 0;
            if (digits && digits + 1 == word.len && (word.p[digits] == '.' || word.p[digits] == ')')) marker = digits;
        }
        for (size_t i = 0; i < word.len; i++) {
            char c = word.p[i];
            if (strchr("\\`*_{}[]<>#|~$^&", c) || i == marker) sb_addc(out, '\\');
            sb_addc(out, c);
        }
    }
}

/* Neighbours of one style as one: two pairs of stars that touch are none. */
static Spans merged(Arena *a, const Spans *spans) {
    Spans out = {0};
    for (size_t i = 0; i < spans->count; i++) {
        const Span *s = &spans->items[i];
        Span *last = out.count ? &out.items[out.count - 1] : NULL;
        unsigned style = s->style & ~(unsigned)SPAN_MUTED; /* which Markdown does not show */
        if (last && last->style == style && !(style & (SPAN_LINK | SPAN_CODE)))
            last->text = arena_strf(a, "%.*s%.*s", STR_ARG(last->text), STR_ARG(s->text));
        else VEC_PUSH(a, &out, ((Span){.text = s->text, .style = style, .url = s->url}));
    }
    return out;
}

/* starts_block: it begins a line of its own; not behind "## " or in a cell. */
static Str escaped(Writer *w, const Spans *given, bool strong, bool starts_block) {
    Spans all = merged(w->a, given), *spans = &all;
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t i = 0; i < spans->count; i++) {
        const Span *s = &spans->items[i];
        Str text = s->text;
        /* Blanks stand outside of the stars, or they would not be stars to the reader. */
        size_t lead = 0, tail = 0;
        while (lead < text.len && text.p[lead] == ' ') lead++;
        while (tail < text.len - lead && text.p[text.len - 1 - tail] == ' ') tail++;
        for (size_t k = 0; k < lead; k++) sb_addc(&out, ' ');
        text = str_sub(text, lead, text.len - lead - tail);
        if (text.len) {
            bool link = s->style & SPAN_LINK;
            const char *stars = s->style & SPAN_STRONG || strong ? (s->style & SPAN_EMPH ? "***" : "**")
                                : s->style & SPAN_EMPH           ? "*"
                                                                 : "";
            if (link) sb_addc(&out, '[');
            sb_addz(&out, stars);
            if (s->style & SPAN_CODE) add_code(w, &out, text);
            else add_words(w, &out, text, starts_block);
            sb_addz(&out, stars);
            if (link)
                sb_addf(&out, "](<%.*s>)", STR_ARG(s->url)); /* doc_rich() lets only harmless characters through */
        }
        for (size_t k = 0; k < tail; k++) sb_addc(&out, ' ');
    }
    return str_trim(sb_str(&out));
}

/* ---------------------------------------------------------------- blocks */

/* Fenced, the fence longer than any run of backticks inside: nothing in it is read as markup. */
static void fenced(Writer *w, Str text) {
    size_t longest = 2, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.p[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    StrBuf fence;
    sb_init(&fence, w->a);
    for (size_t i = 0; i <= longest; i++) sb_addc(&fence, '`');
    line(w, arena_strf(w->a, "%.*stext", STR_ARG(sb_str(&fence))));
    while (text.len) line(w, str_cut(&text, '\n'));
    line(w, sb_str(&fence));
}

static void evidence(Writer *w, const Lines *l) {
    size_t shown = l->shown;
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t i = 0; i < shown; i++) {
        const Evidence *e = &l->list.items[i];
        Str place = evidence_place(w->a, e);
        sb_addf(&out, "%s%.*s%s%.*s", i ? "\n" : "", STR_ARG(place), place.len && e->text.len ? ": " : "",
                STR_ARG(e->text));
    }
    fenced(w, sb_str(&out));
    if (shown == l->list.count) return;
    gap(w);
    Spans more = {0};
    VEC_PUSH(w->a, &more, ((Span){.text = lines_more(w->a, l, shown)}));
    line(w, escaped(w, &more, false, true));
}

static void table(Writer *w, const Table *t) {
    size_t rows = t->rows.count, columns = t->columns.count;
    if (t->html_only || !rows || !columns) return;
    if (t->short_rows && rows > t->short_rows) rows = t->short_rows;
    bool *kept = arena_array(w->a, bool, columns); /* a column that is empty everywhere says nothing */
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows && !kept[c] && !t->columns.items[c].html_only; r++)
            kept[c] = t->rows.items[r].cells[c].count > 0;
    if (t->captioned) {
        line(w, arena_strf(w->a, "%.*s:", STR_ARG(t->caption)));
        gap(w);
    }
    w->in_table = true;
    StrBuf head, rule;
    sb_init(&head, w->a);
    sb_init(&rule, w->a);
    for (size_t c = 0; c < columns; c++) {
        if (!kept[c]) continue;
        Spans title = {0};
        VEC_PUSH(w->a, &title, ((Span){.text = t->columns.items[c].title}));
        sb_addf(&head, "| %.*s ", STR_ARG(escaped(w, &title, false, false)));
        sb_addz(&rule, t->columns.items[c].number ? "| ---: " : "| --- ");
    }
    sb_addc(&head, '|');
    sb_addc(&rule, '|');
    line(w, sb_str(&head));
    line(w, sb_str(&rule));
    for (size_t r = 0; r < rows; r++) {
        StrBuf l;
        sb_init(&l, w->a);
        for (size_t c = 0; c < columns; c++)
            if (kept[c]) sb_addf(&l, "| %.*s ", STR_ARG(escaped(w, &t->rows.items[r].cells[c], false, false)));
        sb_addc(&l, '|');
        line(w, sb_str(&l));
    }
    w->in_table = false;
    if (rows == t->rows.count) return;
    gap(w);
    line(w, more_rows(w->a, t->rows.count - rows));
}

static void tree(Writer *w, const DocNode *n) {
    Str *prefixes = tree_prefixes(w->a, n);
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t i = 0; i < n->tree.count; i++) {
        const TreeRow *r = &n->tree.items[i];
        sb_addf(&out, "%s%.*s", i ? "\n" : "", STR_ARG(prefixes[i]));
        if (r->kind.len) sb_addf(&out, "%.*s ", STR_ARG(r->kind));
        sb_add(&out, r->label);
        if (r->mark.len) sb_addf(&out, "  [%.*s]", STR_ARG(r->mark));
        if (r->detail.len) sb_addf(&out, "  %.*s", STR_ARG(r->detail));
    }
    fenced(w, sb_str(&out));
}

static void node(Writer *w, const DocNode *n);

static bool silent(const DocNode *n) {
    return n->shown == SHOWN_HTML || (n->kind == DOC_TABLE && (n->table->html_only || !n->table->rows.count)) ||
           n->kind == DOC_PICTURE || (n->kind == DOC_FACTS && !n->facts.count);
}

static void children(Writer *w, const DocNode *n, bool first_gap) {
    for (size_t i = 0, written = 0; i < n->children.count; i++) {
        if (silent(n->children.items[i])) continue;
        if (written++ || first_gap) gap(w);
        node(w, n->children.items[i]);
    }
}

static void badges(Writer *w, const DocNode *n) {
    if (!n->badges.count) return;
    Spans words = {0};
    for (size_t i = 0; i < n->badges.count; i++) {
        if (i) VEC_PUSH(w->a, &words, ((Span){.text = STR(" \xc2\xb7 ")}));
        VEC_PUSH(w->a, &words, ((Span){.text = n->badges.items[i].text, .style = SPAN_STRONG}));
    }
    gap(w);
    line(w, escaped(w, &words, false, true));
}

static void list(Writer *w, const DocNode *n) {
    /* Items without blocks of their own stand close together. */
    bool tight = true;
    for (size_t i = 0; i < n->children.count; i++)
        for (size_t k = 0; k < n->children.items[i]->children.count; k++)
            tight &= k == 0 ? n->children.items[i]->children.items[0]->kind == DOC_PARAGRAPH
                            : n->children.items[i]->children.items[k]->kind == DOC_LIST;
    for (size_t i = 0; i < n->children.count; i++) {
        const DocNode *item = n->children.items[i];
        Str mark = item->number ? arena_strf(w->a, "%d. ", item->number) : STR("- ");
        if (i && !tight) gap(w);
        push(w, mark, str_sub(STR("                "), 0, mark.len));
        size_t before = w->out.len;
        for (size_t k = 0; k < item->children.count; k++) {
            if (k && !tight) gap(w);
            node(w, item->children.items[k]);
        }
        if (w->out.len == before) line(w, STR_NONE);
        pop(w);
    }
}

static void node(Writer *w, const DocNode *n) {
    switch (n->kind) {
    case DOC_GROUP: children(w, n, false); break;
    case DOC_SECTION:
        line(w, arena_strf(w->a, "## %.*s", STR_ARG(escaped(w, &n->title, false, false))));
        badges(w, n);
        children(w, n, true);
        break;
    case DOC_CARD:
        line(w, arena_strf(w->a, "### %.*s", STR_ARG(escaped(w, &n->title, false, false))));
        badges(w, n);
        children(w, n, true);
        break;
    case DOC_FOLD:
        line(w, escaped(w, &n->title, true, true));
        children(w, n, true);
        break;
    case DOC_HEADING: line(w, escaped(w, &n->title, true, true)); break;
    case DOC_PARAGRAPH: line(w, escaped(w, &n->spans, false, true)); break;
    case DOC_LIST: list(w, n); break;
    case DOC_ITEM: children(w, n, false); break;
    case DOC_CODE: fenced(w, n->code); break;
    case DOC_TABLE: table(w, n->table); break;
    case DOC_FACTS:
        for (size_t i = 0; i < n->facts.count; i++) {
            Spans all = {0};
            VEC_PUSH(
                w->a, &all,
                ((Span){.text = arena_strf(w->a, "%.*s: ", STR_ARG(n->facts.items[i].term)), .style = SPAN_STRONG}));
            for (size_t k = 0; k < n->facts.items[i].value.count; k++)
                VEC_PUSH(w->a, &all, n->facts.items[i].value.items[k]);
            line(w, arena_strf(w->a, "- %.*s", STR_ARG(escaped(w, &all, false, true))));
        }
        break;
    case DOC_EVIDENCE: evidence(w, &n->lines); break;
    case DOC_TREE: tree(w, n); break;
    case DOC_PICTURE: break;
    case DOC_NOTE:
        push(w, STR("> "), STR("> "));
        children(w, n, false);
        pop(w);
        break;
    }
}

bool write_markdown(FILE *out, const Doc *doc, Error *err) {
    (void)err;
    Writer w = {.a = doc->arena};
    sb_init(&w.out, w.a);
    if (!doc->brief) {
        Spans heading = {0};
        VEC_PUSH(w.a, &heading,
                 ((Span){.text = arena_strf(w.a, "%.*s: %.*s", STR_ARG(doc->kicker), STR_ARG(doc->heading))}));
        line(&w, arena_strf(w.a, "# %.*s", STR_ARG(escaped(&w, &heading, false, false))));
        gap(&w);
    }
    for (size_t i = 0, written = 0; i < doc->body->children.count; i++) {
        const DocNode *part = doc->body->children.items[i];
        if (silent(part)) continue;
        if (written++) gap(&w);
        node(&w, part);
        if (i || doc->brief || !doc->head || !doc->head->facts.count) continue;
        gap(&w);
        node(&w, doc->head); /* behind the verdict: the answer comes first */
    }
    if (!doc->brief) {
        gap(&w);
        Spans footer = {0};
        VEC_PUSH(w.a, &footer, ((Span){.text = doc->footer, .style = SPAN_EMPH}));
        line(&w, escaped(&w, &footer, false, true));
    }
    fwrite(w.out.p, 1, w.out.len, out);
    return true;
}
