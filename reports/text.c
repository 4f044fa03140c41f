/*
 * text.c - the report for a terminal, a mail or a ticket
 *
 * 80 columns, or what a terminal has (TextLook). Everything is wrapped at blanks but commands: those stay whole, because a command that
 * was broken over two lines does something else when it is pasted.
 *
 * Colours. The text of a document is clean, so it holds no control characters: in here the bytes from \001 on are marks that set a style,
 * and STYLE_END goes back to that of the block. They take no column, and line(), the one place where lines are written, makes the terminal's
 * sequences of them, ended before each end of a line. Without colours there are no marks.
 */
#include "writers.h"

enum { BRIEF_LINES = 15, DEEPEST = 24, CELL_GAP = 2 };

/* The first five: what a Tone means, by its value. */
typedef enum Style {
    STYLE_NONE,
    STYLE_BAD = TONE_BAD,
    STYLE_WARN = TONE_WARN,
    STYLE_INFO = TONE_INFO,
    STYLE_GOOD = TONE_GOOD,
    STYLE_MUTED = TONE_MUTED,
    STYLE_HEADING,
    STYLE_END,
    STYLES
} Style;

/* Colours of the terminal's own palette, which people choose such that they can read them; bold where a palette is all alike. Nothing is
   faint: much of that cannot be read on a bright ground. */
static const char *const sequences[STYLES] = {[STYLE_BAD] = "1;31",  [STYLE_WARN] = "1;33", [STYLE_INFO] = "36",
                                              [STYLE_GOOD] = "1;32", [STYLE_MUTED] = "90",  [STYLE_HEADING] = "1"};

typedef struct Prefix { /* what stands before the lines of a container */
    Str first, rest;
    bool used;
} Prefix;

typedef struct Writer {
    Arena *a;
    StrBuf out;
    Prefix prefixes[DEEPEST];
    size_t depth;
    bool gap;    /* a blank line is due before the next one */
    size_t less; /* brief: lines that a paragraph has less than it may have */
    TextLook look;
    Style base, style; /* of the block; at the end of the last line */
    Style lead;        /* of the next paragraph: the first sentences of a verdict */
} Writer;

static Style style_of(Tone tone) {
    return (Style)tone;
}

/* The text in a style; as it is without colours. */
static Str styled(Writer *w, Style style, Str text) {
    if (!w->look.colour || style == STYLE_NONE || !text.len) return text;
    return arena_strf(w->a, "%c%.*s%c", style, STR_ARG(text), STYLE_END);
}

static bool is_mark(char c) {
    return c > 0 && c < STYLES;
}

/* Columns of a text that may hold marks. */
static size_t columns_of(Str s) {
    size_t marks = 0;
    for (size_t i = 0; i < s.len; i++) marks += is_mark(s.p[i]);
    return display_width(s) - marks;
}

static void switch_style(Writer *w, StrBuf *l, Style to) {
    if (to != w->style) sb_addf(l, "\033[%s%sm", to ? "0;" : "0", to ? sequences[to] : "");
    w->style = to;
}

/* Appends text to a line, its marks as sequences. */
static void add_styled(Writer *w, StrBuf *l, Str text) {
    if (!w->look.colour) {
        sb_add(l, text);
        return;
    }
    Style at_end = w->style;
    w->style = STYLE_NONE; /* each line begins without */
    if (text.len) switch_style(w, l, at_end);
    for (size_t i = 0; i < text.len; i++) {
        if (is_mark(text.p[i])) switch_style(w, l, text.p[i] == STYLE_END ? w->base : (Style)text.p[i]);
        else sb_addc(l, text.p[i]);
    }
    at_end = w->style;
    switch_style(w, l, STYLE_NONE);
    w->style = at_end; /* a text that was wrapped goes on in it */
}

static void add_prefix(Writer *w, StrBuf *l, Str prefix) {
    Style style = w->style, base = w->base; /* those of the text behind it */
    w->style = w->base = STYLE_NONE;
    add_styled(w, l, prefix);
    w->style = style;
    w->base = base;
}

static Style begin_style(Writer *w, Style style) {
    Style outer = w->base;
    if (style != STYLE_NONE) w->base = style;
    w->style = w->base;
    return outer;
}

static void end_style(Writer *w, Style outer) {
    w->base = w->style = outer;
}

static void push(Writer *w, Str first, Str rest) {
    if (w->depth < DEEPEST) w->prefixes[w->depth] = (Prefix){first, rest, false};
    w->depth++;
}

static void pop(Writer *w) {
    w->depth--;
}

static size_t prefix_width(const Writer *w) {
    size_t width = 0;
    for (size_t i = 0; i < w->depth && i < DEEPEST; i++) width += columns_of(w->prefixes[i].rest);
    return width;
}

static void line(Writer *w, Str text) {
    StrBuf l;
    sb_init(&l, w->a);
    if (w->gap && w->out.len) {
        for (size_t i = 0; i < w->depth && i < DEEPEST; i++)
            if (w->prefixes[i].used) add_prefix(w, &l, w->prefixes[i].rest);
        sb_add(&w->out, str_trim_right(sb_str(&l)));
        sb_addc(&w->out, '\n');
        l.len = 0;
    }
    w->gap = false;
    for (size_t i = 0; i < w->depth && i < DEEPEST; i++) {
        add_prefix(w, &l, w->prefixes[i].used ? w->prefixes[i].rest : w->prefixes[i].first);
        w->prefixes[i].used = true;
    }
    add_styled(w, &l, str_trim_right(text));
    sb_add(&w->out, str_trim_right(sb_str(&l)));
    sb_addc(&w->out, '\n');
}

/* Takes the next line of at most `width` columns off *text. A longer word is a line of its own. */
static Str next_line(Str *text, size_t width) {
    size_t at = 0, column = 0, end = 0; /* end: behind the last word that fits */
    bool in_word = false;
    while (at < text->len) {
        if (text->p[at] == ' ') {
            if (in_word) end = at;
            in_word = false;
            at++;
            column++;
            continue;
        }
        uint32_t c;
        size_t n = utf8_decode(*text, at, &c);
        if (!is_mark(text->p[at])) column += display_width(str_sub(*text, at, n));
        if (column > width && end > 0) {
            Str l = str_sub(*text, 0, end);
            *text = str_trim_left(str_from(*text, end));
            return l;
        }
        in_word = true;
        at += n;
    }
    Str l = *text;
    *text = STR_NONE;
    return l;
}

/* The beginning of text that fills at most max_lines. A command that would be cut is left out: half of one is dangerous to paste. */
static Str shortened(Writer *w, Str text, size_t width, size_t max_lines) {
    Str rest = text, last = STR_NONE;
    for (size_t i = 0; i < max_lines && rest.len; i++) last = next_line(&rest, width);
    if (!rest.len) return text;
    rest = (Str){last.p, (size_t)(text.p + text.len - last.p)};
    last = next_line(&rest, width - 2);
    Str kept = str_sub(text, 0, (size_t)(last.p + last.len - text.p));
    size_t ticks = 0, tick = 0;
    for (size_t i = 0; i < kept.len; i++)
        if (kept.p[i] == '`') {
            ticks++;
            tick = i;
        }
    if (ticks % 2) kept = str_trim_right(str_sub(kept, 0, tick));
    return arena_strf(w->a, "%.*s \xe2\x80\xa6", STR_ARG(kept));
}

/* max_lines 0: all. */
static void wrapped(Writer *w, Str text, size_t max_lines) {
    size_t used = prefix_width(w), width = used + 20 < w->look.columns ? w->look.columns - used : 20;
    if (max_lines) text = shortened(w, text, width, max_lines);
    size_t lines = 0;
    do line(w, next_line(&text, width));
    while (text.len && ++lines != max_lines); /* a word wider than the line can push the last dots out */
    w->style = w->base;                       /* what was cut off may have held the end of a style */
}

static void wrapped_in(Writer *w, Style style, Str text, size_t max_lines) {
    Style outer = begin_style(w, style);
    wrapped(w, text, max_lines);
    end_style(w, outer);
}

static Str plain(Writer *w, const Spans *spans, bool ticks) {
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t i = 0; i < spans->count; i++) {
        const Span *s = &spans->items[i];
        bool code = ticks && s->style & SPAN_CODE && str_find_ch(s->text, '`') == SIZE_MAX;
        Style style = !ticks                   ? STYLE_NONE /* cells are measured without marks */
                      : span_is_danger(s)      ? STYLE_BAD
                      : s->style & SPAN_STRONG ? STYLE_HEADING
                      : s->style & SPAN_MUTED  ? STYLE_MUTED
                                               : STYLE_NONE;
        sb_addf(&out, "%s%.*s%s", code ? "`" : "", STR_ARG(styled(w, style, s->text)), code ? "`" : "");
        if (s->style & SPAN_LINK && !str_eq(s->url, s->text)) sb_addf(&out, " (%.*s)", STR_ARG(s->url));
    }
    return str_trim(sb_str(&out));
}

static void underlined(Writer *w, Str title, char with) {
    size_t width = columns_of(title);
    if (width > w->look.columns) width = w->look.columns;
    wrapped_in(w, STYLE_HEADING, title, 0);
    char rule[TEXT_WIDEST];
    memset(rule, with, sizeof rule);
    line(w, styled(w, STYLE_MUTED, (Str){rule, width}));
}

static void code(Writer *w, Str text) {
    push(w, STR("    "), STR("    "));
    while (text.len) line(w, str_cut(&text, '\n'));
    pop(w);
}

static void evidence(Writer *w, const Lines *l) {
    size_t shown = l->shown;
    for (size_t i = 0; i < shown; i++) {
        const Evidence *e = &l->list.items[i];
        push(w, STR("  "), STR("      "));
        Str place = evidence_place(w->a, e);
        wrapped(w,
                arena_strf(w->a, "%.*s%s%.*s", STR_ARG(place), place.len && e->text.len ? ": " : "", STR_ARG(e->text)),
                0);
        pop(w);
    }
    if (shown == l->list.count) return;
    push(w, STR("  "), STR("  "));
    wrapped(w, lines_more(w->a, l, shown), 0);
    pop(w);
}

static void facts(Writer *w, const DocNode *n) {
    size_t widest = 0;
    for (size_t i = 0; i < n->facts.count; i++) {
        size_t width = display_width(n->facts.items[i].term);
        if (width > widest) widest = width;
    }
    for (size_t i = 0; i < n->facts.count; i++) {
        const Fact *f = &n->facts.items[i];
        StrBuf term, blank;
        sb_init(&term, w->a);
        sb_init(&blank, w->a);
        sb_add(&term, f->term);
        for (size_t k = display_width(f->term); k < widest + 2; k++) sb_addc(&term, ' ');
        for (size_t k = 0; k < widest + 2; k++) sb_addc(&blank, ' ');
        push(w, styled(w, STYLE_HEADING, sb_str(&term)), sb_str(&blank));
        wrapped_in(w, style_of(f->tone), plain(w, &f->value, true), 0);
        pop(w);
    }
}

static void tree(Writer *w, const DocNode *n) {
    Str *prefixes = tree_prefixes(w->a, n);
    for (size_t i = 0; i < n->tree.count; i++) {
        const TreeRow *r = &n->tree.items[i];
        StrBuf rest, text;
        sb_init(&rest, w->a);
        sb_init(&text, w->a);
        /* Lines that continue a row keep the branches that run past it. */
        Str p = prefixes[i];
        if (str_ends(p, "\xe2\x94\x9c\xe2\x94\x80 ")) {
            sb_add(&rest, str_sub(p, 0, p.len - 7));
            sb_addz(&rest, "\xe2\x94\x82  ");
        } else if (str_ends(p, "\xe2\x94\x94\xe2\x94\x80 ")) {
            sb_add(&rest, str_sub(p, 0, p.len - 7));
            sb_addz(&rest, "   ");
        }
        bool child = i + 1 < n->tree.count && n->tree.items[i + 1].depth > r->depth;
        sb_addz(&rest, child ? "\xe2\x94\x82    " : "     ");
        if (r->kind.len) sb_addf(&text, "%.*s ", STR_ARG(r->kind));
        sb_add(&text, styled(w, style_of(r->tone), r->label));
        if (r->mark.len)
            sb_addf(&text, "  %.*s",
                    STR_ARG(styled(w, style_of(r->tone), arena_strf(w->a, "[%.*s]", STR_ARG(r->mark)))));
        if (r->detail.len) sb_addf(&text, "  %.*s", STR_ARG(r->detail));
        push(w, p, sb_str(&rest));
        wrapped(w, sb_str(&text), 0);
        pop(w);
    }
}

/* ---------------------------------------------------------------- tables */

static size_t longest_word(Str s) {
    size_t longest = 0;
    while (s.len) {
        size_t width = display_width(str_word(&s));
        if (width > longest) longest = width;
    }
    return longest;
}

static void table_line(Writer *w, const Table *t, Str *cells, const size_t *widths, Style style) {
    size_t columns = t->columns.count;
    bool more = true;
    while (more) {
        more = false;
        StrBuf l;
        sb_init(&l, w->a);
        for (size_t c = 0; c < columns; c++) {
            Str part = cells[c].len ? next_line(&cells[c], widths[c]) : STR_NONE;
            size_t width = display_width(part), pad = widths[c] > width ? widths[c] - width : 0;
            if (t->columns.items[c].number)
                for (size_t k = 0; k < pad; k++) sb_addc(&l, ' ');
            sb_add(&l, styled(w, style, part));
            if (!t->columns.items[c].number)
                for (size_t k = 0; k < pad; k++) sb_addc(&l, ' ');
            for (size_t k = 0; c + 1 < columns && k < CELL_GAP; k++) sb_addc(&l, ' ');
            more |= cells[c].len > 0;
        }
        line(w, sb_str(&l));
    }
}

/* One column's width each, or false when the table is too wide for columns. Columns without content get 0. */
static bool fit(Writer *w, const Table *t, Str *const *cells, size_t rows, size_t *widths) {
    size_t columns = t->columns.count, least[32], natural[32], used = 0, total = 0, gaps = 0;
    size_t used_before = prefix_width(w), have = used_before < w->look.columns ? w->look.columns - used_before : 0;
    if (!columns || columns > 32) return false;
    for (size_t c = 0; c < columns; c++) {
        least[c] = longest_word(t->columns.items[c].title);
        natural[c] = display_width(t->columns.items[c].title);
        for (size_t r = 0; r < rows; r++) {
            size_t word = longest_word(cells[r][c]), whole = display_width(cells[r][c]);
            if (word > least[c]) least[c] = word;
            if (whole > natural[c]) natural[c] = whole;
        }
        /* a figure and its unit stay together; words get some room, or the table becomes a ladder */
        if (t->columns.items[c].number) least[c] = natural[c];
        else if (least[c] < 14 && natural[c] > least[c]) least[c] = natural[c] < 14 ? natural[c] : 14;
        used += least[c];
        total += natural[c];
        gaps += c ? CELL_GAP : 0;
    }
    if (used + gaps > have) return false;
    size_t spare = have - used - gaps, wish = total - used;
    for (size_t c = 0; c < columns; c++) {
        size_t want = natural[c] - least[c];
        widths[c] = least[c] + (wish <= spare ? want : wish ? want * spare / wish : 0);
    }
    return true;
}

static void table(Writer *w, const Table *t) {
    size_t rows = t->rows.count, columns = t->columns.count;
    if (t->html_only || !rows || !columns) return;
    if (t->short_rows && rows > t->short_rows) rows = t->short_rows;
    /* A column that is empty everywhere says nothing. */
    Table kept = *t;
    kept.columns.items = arena_array(w->a, Column, columns);
    kept.columns.count = 0;
    Str **cells = arena_array(w->a, Str *, rows);
    for (size_t r = 0; r < rows; r++) cells[r] = arena_array(w->a, Str, columns);
    for (size_t c = 0; c < columns; c++) {
        bool any = false;
        if (t->columns.items[c].html_only) continue;
        for (size_t r = 0; r < rows; r++)
            any |= (cells[r][kept.columns.count] = plain(w, &t->rows.items[r].cells[c], false)).len > 0;
        if (any) kept.columns.items[kept.columns.count++] = t->columns.items[c];
    }
    size_t widths[32];
    if (t->captioned) wrapped(w, arena_strf(w->a, "%.*s:", STR_ARG(t->caption)), 0);
    if (fit(w, &kept, cells, rows, widths)) {
        Str *head = arena_array(w->a, Str, columns), *rule = arena_array(w->a, Str, columns);
        for (size_t c = 0; c < kept.columns.count; c++) {
            head[c] = kept.columns.items[c].title;
            StrBuf dashes;
            sb_init(&dashes, w->a);
            for (size_t k = 0; k < widths[c]; k++) sb_addc(&dashes, '-');
            rule[c] = sb_str(&dashes);
        }
        table_line(w, &kept, head, widths, STYLE_HEADING);
        table_line(w, &kept, rule, widths, STYLE_MUTED);
        for (size_t r = 0; r < rows; r++) table_line(w, &kept, cells[r], widths, style_of(t->rows.items[r].tone));
    } else {
        for (size_t r = 0; r < rows; r++) {
            push(w, STR("- "), STR("  "));
            bool first = true;
            StrBuf l;
            sb_init(&l, w->a);
            for (size_t c = 0; c < kept.columns.count; c++) {
                Str cell = cells[r][c], title = kept.columns.items[c].title;
                if (!cell.len) continue;
                if (first) sb_add(&l, styled(w, style_of(t->rows.items[r].tone), cell));
                else sb_addf(&l, "%s%.*s %.*s", str_ends(sb_str(&l), ":") ? " " : "; ", STR_ARG(title), STR_ARG(cell));
                if (first) sb_addc(&l, ':');
                first = false;
            }
            wrapped(w, sb_str(&l), 0);
            pop(w);
        }
    }
    if (rows < t->rows.count) wrapped(w, more_rows(w->a, t->rows.count - rows), 0);
}

/* ---------------------------------------------------------------- blocks */

static void node(Writer *w, const DocNode *n, bool tight);

static void children(Writer *w, const DocNode *n, bool tight) {
    for (size_t i = 0; i < n->children.count; i++) {
        if (n->children.items[i]->shown == SHOWN_HTML) continue;
        if (!tight && i && n->children.items[i - 1]->kind != DOC_HEADING) w->gap = true;
        node(w, n->children.items[i], tight);
    }
}

static void badges(Writer *w, const DocNode *n) {
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t i = 0; i < n->badges.count; i++)
        sb_addf(&out, "%s%.*s", i ? " " : "",
                STR_ARG(styled(w, style_of(n->badges.items[i].tone),
                               arena_strf(w->a, "[%.*s]", STR_ARG(n->badges.items[i].text)))));
    if (n->badges.count) wrapped(w, sb_str(&out), 0);
}

static void node(Writer *w, const DocNode *n, bool tight) {
    switch (n->kind) {
    case DOC_GROUP: children(w, n, tight); break;
    case DOC_SECTION:
        w->gap = true;
        underlined(w, plain(w, &n->title, true), '-');
        w->gap = true;
        badges(w, n);
        if (n->badges.count) w->gap = true;
        w->lead = style_of(n->tone);
        children(w, n, false);
        w->lead = STYLE_NONE;
        break;
    case DOC_CARD:
        w->gap = true;
        wrapped_in(w, n->tone ? style_of(n->tone) : STYLE_HEADING, plain(w, &n->title, true), 0);
        push(w, STR("   "), STR("   "));
        badges(w, n);
        w->gap = true;
        children(w, n, false);
        pop(w);
        break;
    case DOC_FOLD:
        wrapped(w, arena_strf(w->a, "%.*s:", STR_ARG(plain(w, &n->title, true))), 0);
        children(w, n, tight);
        break;
    case DOC_HEADING:
        wrapped_in(w, STYLE_HEADING, arena_strf(w->a, "%.*s:", STR_ARG(plain(w, &n->title, true))), 0);
        break;
    case DOC_PARAGRAPH:
        if (n->max_lines == 1) line(w, plain(w, &n->spans, true)); /* a command to copy: not broken, not cut */
        else
            wrapped_in(w, w->lead, plain(w, &n->spans, true),
                       n->max_lines > w->less + 1 ? n->max_lines - w->less
                       : n->max_lines             ? 2
                                                  : 0);
        w->lead = STYLE_NONE;
        break;
    case DOC_LIST:
        for (size_t i = 0; i < n->children.count; i++) {
            const DocNode *item = n->children.items[i];
            Str mark = item->number ? arena_strf(w->a, "%d. ", item->number) : STR("- ");
            push(w, mark, str_sub(STR("                "), 0, mark.len));
            if (item->children.count) children(w, item, true);
            else line(w, STR_NONE);
            pop(w);
        }
        break;
    case DOC_ITEM: children(w, n, true); break;
    case DOC_CODE: code(w, n->code); break;
    case DOC_TABLE: table(w, n->table); break;
    case DOC_FACTS: facts(w, n); break;
    case DOC_EVIDENCE: evidence(w, &n->lines); break;
    case DOC_TREE: tree(w, n); break;
    case DOC_PICTURE: break;
    case DOC_NOTE: {
        Str mark = arena_strf(w->a, "%.*s ", STR_ARG(styled(w, n->tone ? style_of(n->tone) : STYLE_WARN, STR("!"))));
        push(w, mark, mark);
        children(w, n, true);
        pop(w);
        break;
    }
    }
}

static size_t count_lines(Str s) {
    size_t lines = 0;
    for (size_t i = 0; i < s.len; i++) lines += s.p[i] == '\n';
    return lines;
}

/* Blank lines between the parts only where the limit leaves room for them. */
static void brief(Writer *w, const Doc *doc) {
    VEC(Str) parts = {0};
    size_t lines = 0;
    for (size_t i = 0; i < doc->body->children.count; i++) {
        Writer part = {.a = w->a, .less = w->less, .look = w->look};
        sb_init(&part.out, w->a);
        node(&part, doc->body->children.items[i], true);
        Str text = sb_str(&part.out);
        lines += count_lines(text);
        VEC_PUSH(w->a, &parts, text);
    }
    if (lines > BRIEF_LINES && w->less < BRIEF_LINES) { /* once more, each paragraph a line shorter */
        w->less++;
        brief(w, doc);
        return;
    }
    bool airy = lines + parts.count <= BRIEF_LINES + 1;
    for (size_t i = 0; i < parts.count; i++) {
        if (i && airy) sb_addc(&w->out, '\n');
        sb_add(&w->out, parts.items[i]);
    }
}

bool write_text(FILE *out, const Doc *doc, const TextLook *look, Error *err) {
    (void)err;
    Writer w = {.a = doc->arena, .look = *look};
    sb_init(&w.out, w.a);
    if (doc->brief) {
        brief(&w, doc);
    } else {
        underlined(&w, arena_strf(w.a, "%.*s: %.*s", STR_ARG(doc->kicker), STR_ARG(doc->heading)), '=');
        for (size_t i = 0; i < doc->body->children.count; i++) {
            const DocNode *part = doc->body->children.items[i];
            if (part->shown == SHOWN_HTML) continue;
            w.gap = true;
            node(&w, part, false);
            if (i || !doc->head || !doc->head->facts.count) continue;
            w.gap = true;
            node(&w, doc->head, false); /* behind the verdict: the answer comes first */
        }
        w.gap = true;
        line(&w, doc->footer);
    }
    fwrite(w.out.p, 1, w.out.len, out);
    return true;
}
