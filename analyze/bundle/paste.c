#include "paste.h"

#include "../parse/registry.h"
#include "framing.h"
#include "unwrap.h"

#include <libxml/HTMLparser.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    LONG_LINE = 64 * 1024, /* longer lines are no forum's work: they stay as they are */
    RUN_LOOK = 4000,       /* lines within which an opened mark has to close */
    MAX_HTML_LINES = 1000 * 1000
};

static const Str fence_text = {"```", 3};

static void push(Arena *a, PasteLines *v, Str text, int64_t line) {
    PasteLine l = {.text = text, .line = line};
    VEC_PUSH(a, v, l);
}

static void push_fence(Arena *a, PasteLines *v, int64_t line) {
    if (v->count && v->items[v->count - 1].fence) return;
    PasteLine l = {.text = fence_text, .line = line, .fence = true};
    VEC_PUSH(a, v, l);
}

static bool recognised(Str line) {
    return str_trim(line).len && (registry_starts(line, NULL) || frame_prompt(line).p);
}

/* ---------------------------------------------------------------- characters */

/* The code point at s[i] and its length; a byte that is no UTF-8 gives itself and 1. */
static uint32_t code_point(Str s, size_t i, size_t *len) {
    const unsigned char *p = (const unsigned char *)s.p + i;
    size_t have = s.len - i, n = p[0] >= 0xF0 && p[0] < 0xF5 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC2 ? 2 : 1;
    *len = 1;
    if (n == 1 || n > have || p[0] >= 0xF5) return p[0];
    uint32_t c = p[0] & (0xFFu >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        if ((p[k] & 0xC0) != 0x80) return p[0];
        c = c << 6 | (p[k] & 0x3F);
    }
    *len = n;
    return c;
}

/* Ideographs, kana or hangul: then full-width signs are that language's, and the line is prose or a localised output. */
static bool east_asian(Str s) {
    for (size_t i = 0, n; i < s.len; i += n) {
        uint32_t c = code_point(s, i, &n);
        if (n == 3 && ((c >= 0x3040 && c < 0xA000) || (c >= 0xAC00 && c < 0xD7B0))) return true;
    }
    return false;
}

/* Length of a terminal's escape sequence at s[i], 0: none. The escape character is often lost on the way. */
static size_t escape_length(Str s, size_t i) {
    if (s.p[i] == 0x1b) {
        size_t k = i + 1;
        if (k >= s.len) return 1;
        if (s.p[k] == '[') {
            for (k++; k < s.len && k < i + 32; k++)
                if ((unsigned char)s.p[k] >= 0x40 && (unsigned char)s.p[k] <= 0x7e) return k + 1 - i;
            return 1;
        }
        if (s.p[k] == ']') { /* a window title */
            for (k++; k < s.len && k < i + 256; k++)
                if (s.p[k] == '\a' || (s.p[k] == '\\' && s.p[k - 1] == 0x1b)) return k + 1 - i;
            return 1;
        }
        return s.p[k] == '(' || s.p[k] == ')'                       ? (k + 1 < s.len ? 3 : 2)
               : ch_alpha(s.p[k]) || s.p[k] == '=' || s.p[k] == '>' ? 2
                                                                    : 1;
    }
    size_t k = i;
    if (s.p[k] == '^' && k + 1 < s.len && s.p[k + 1] == '[') k += 2; /* "^[[0m" */
    if (k >= s.len || s.p[k] != '[') return 0;
    size_t digits = 0;
    for (k++; k < s.len && digits < 12 && (ch_digit(s.p[k]) || s.p[k] == ';'); k++) digits++;
    return k < s.len && s.p[k] == 'm' && (digits || s.p[i] == '^') ? k + 1 - i : 0;
}

static bool has_escape(Str s) {
    for (size_t i = 0; i < s.len; i++)
        if ((s.p[i] == '[' || s.p[i] == '^' || s.p[i] == 0x1b) && escape_length(s, i)) return true;
    return false;
}

/* What one code point becomes; NULL: itself. east: only blanks are touched. */
static const char *plain(uint32_t c, bool valid, bool east, char out[4]) {
    if (!valid)
        return c == 0xA0                ? " "
               : east                   ? NULL
               : c == 0x93 || c == 0x94 ? "\""
               : c == 0x91 || c == 0x92 ? "'"
               : c == 0x96 || c == 0x97 ? "-"
                                        : NULL;
    switch (c) {
    case 0xA0:
    case 0x2002:
    case 0x2003:
    case 0x2004:
    case 0x2005:
    case 0x2006:
    case 0x2007:
    case 0x2008:
    case 0x2009:
    case 0x200A:
    case 0x202F:
    case 0x205F:
    case 0x3000: return " ";
    case 0xAD:
    case 0x200B:
    case 0x200C:
    case 0x200D:
    case 0x200E:
    case 0x200F:
    case 0x2060:
    case 0xFEFF:
    case 0x202A:
    case 0x202B:
    case 0x202C:
    case 0x202D:
    case 0x202E:
    case 0x2066:
    case 0x2067:
    case 0x2068:
    case 0x2069: return "";
    default: break;
    }
    if (east) return NULL;
    switch (c) {
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F:
    case 0x2033: return "\"";
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201B:
    case 0x2032: return "'";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2212: return "-";
    case 0x2014:
    case 0x2015: return "--";
    case 0x2026: return "...";
    default: break;
    }
    if (c >= 0xFF01 && c <= 0xFF5E) { /* full-width ASCII */
        out[0] = (char)(c - 0xFF01 + '!');
        out[1] = 0;
        return out;
    }
    return NULL;
}

Str paste_line(Arena *arena, Str line) {
    bool odd = false;
    for (size_t i = 0; i < line.len && !odd; i++) {
        unsigned char c = (unsigned char)line.p[i];
        odd = c >= 0x80 || c == 0x1b || c == '\b' || c == '\r' || c == '[' || c == '^';
    }
    if (!odd || line.len > LONG_LINE) return line;
    bool east = east_asian(line), changed = false;
    char *out = arena_alloc(arena, line.len * 3 + 1), buf[4];
    size_t at = 0;
    for (size_t i = 0, n; i < line.len; i += n) {
        n = escape_length(line, i);
        if (n) {
            changed = true;
            continue;
        }
        uint32_t c = code_point(line, i, &n);
        if (c == '\b') { /* overstrike: x, backspace, x */
            while (at && ((unsigned char)out[at - 1] & 0xC0) == 0x80) at--;
            if (at) at--;
            changed = true;
            continue;
        }
        if (c == '\r' && i + 1 == line.len) {
            changed = true;
            continue;
        }
        const char *as = c < 0x80 ? NULL : plain(c, n > 1, east, buf);
        if (!as) {
            memcpy(out + at, line.p + i, n);
            at += n;
            continue;
        }
        changed = true;
        if (as[0] == '-' && as[1] == '-') { /* an em dash is two hyphens before an option, one in a table */
            bool alone = i + n >= line.len || ch_blank(line.p[i + n]);
            if (alone) as++;
        }
        for (; *as; as++) out[at++] = *as;
    }
    return changed ? (Str){out, at} : line;
}

/* ---------------------------------------------------------------- HTML */

typedef struct HtmlText {
    Arena *arena;
    PasteLines *out;
    htmlParserCtxtPtr parser;
    StrBuf line;
    int64_t number; /* of the line's first character */
    int pre, skip;
    bool any, gap; /* something on the line; a blank is due */
} HtmlText;

static bool tag_in(const xmlChar *name, const char *list) {
    Str rest = str_of(list), tag = str_of((const char *)name);
    while (rest.len)
        if (str_ieq(str_cut(&rest, ' '), tag)) return true;
    return false;
}

static void html_flush(HtmlText *h, bool keep_empty) {
    if ((h->any || keep_empty) && h->out->count < MAX_HTML_LINES) {
        Str text = arena_str(h->arena, sb_str(&h->line));
        push(h->arena, h->out, text.p ? text : STR(""), h->any ? h->number : (int64_t)h->parser->input->line);
    }
    h->line.len = 0;
    h->any = h->gap = false;
}

static const char html_blocks[] = "p div br tr li ul ol dl dt dd table pre blockquote h1 h2 h3 h4 h5 h6 section "
                                  "article header footer aside main form fieldset figure hr details summary option";
static const char html_skipped[] = "script style head noscript svg button select textarea template iframe";

static void html_start(void *data, const xmlChar *name, const xmlChar **attributes) {
    (void)attributes;
    HtmlText *h = data;
    if (tag_in(name, html_skipped)) h->skip++;
    if (h->skip) return;
    if (tag_in(name, "br")) html_flush(h, h->pre > 0);
    else if (tag_in(name, html_blocks)) html_flush(h, false);
    if (tag_in(name, "pre blockquote")) push_fence(h->arena, h->out, (int64_t)h->parser->input->line);
    if (tag_in(name, "pre")) h->pre++;
    if (tag_in(name, "td th")) h->gap = true;
}

static void html_end(void *data, const xmlChar *name) {
    HtmlText *h = data;
    if (tag_in(name, html_skipped)) {
        if (h->skip) h->skip--;
        return;
    }
    if (h->skip) return;
    if (tag_in(name, "br")) return;
    if (tag_in(name, html_blocks)) html_flush(h, false);
    if (tag_in(name, "p")) push(h->arena, h->out, STR(""), (int64_t)h->parser->input->line);
    if (tag_in(name, "pre blockquote")) push_fence(h->arena, h->out, (int64_t)h->parser->input->line);
    if (tag_in(name, "pre") && h->pre) h->pre--;
}

static void html_text(void *data, const xmlChar *text, int len) {
    HtmlText *h = data;
    if (h->skip || len <= 0) return;
    Str s = {(const char *)text, (size_t)len};
    int64_t number = h->parser->input->line;
    for (size_t i = 0; i < s.len; i++) number -= s.p[i] == '\n'; /* the parser stands behind the text */
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (h->pre && c == '\n') {
            html_flush(h, true);
            number++;
            continue;
        }
        if (c == '\n') number++;
        if (!h->pre && ch_blank(c)) {
            h->gap = true;
            continue;
        }
        if (!h->any) h->number = number > 0 ? number : 1;
        if (h->gap && h->any) sb_addc(&h->line, ' ');
        h->gap = false;
        h->any = true;
        sb_addc(&h->line, c);
    }
}

static void html_quiet(void *data, const char *message, ...) {
    (void)data;
    (void)message;
}

static bool valid_utf8(Str s) {
    for (size_t i = 0, n; i < s.len; i += n)
        if (code_point(s, i, &n) >= 0x80 && n == 1) return false;
    return true;
}

/* A page as lines of text: fences around <pre>, a line per block element. No document is built. */
static void html_lines(Arena *arena, Str text, PasteLines *out) {
    htmlParserCtxtPtr parser = htmlNewParserCtxt();
    if (!parser || text.len > INT_MAX) fatal("out of memory");
    HtmlText h = {.arena = arena, .out = out, .parser = parser};
    sb_init(&h.line, arena);
    xmlSAXHandler sax = {.startElement = html_start,
                         .endElement = html_end,
                         .characters = html_text,
                         .ignorableWhitespace = html_text,
                         .cdataBlock = NULL,
                         .warning = html_quiet,
                         .error = html_quiet,
                         .fatalError = html_quiet};
    *parser->sax = sax;
    parser->userData = &h;
    htmlDocPtr doc =
        htmlCtxtReadMemory(parser, text.p, (int)text.len, NULL, valid_utf8(text) ? "UTF-8" : "windows-1252",
                           HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    xmlFreeDoc(doc);
    html_flush(&h, false);
    htmlFreeParserCtxt(parser);
}

static bool is_html(Str head) {
    Str s = str_trim_left(head);
    if (str_istarts(s, "<?xml"))
        s = str_trim_left(str_from(s, str_find_ch(s, '>') == SIZE_MAX ? s.len : str_find_ch(s, '>') + 1));
    while (str_starts(s, "<!--")) {
        size_t end = str_find(s, "-->");
        s = end == SIZE_MAX ? STR_NONE : str_trim_left(str_from(s, end + 3));
    }
    return str_istarts(s, "<!doctype html") || str_istarts(s, "<html") || str_istarts(s, "<head>") ||
           str_istarts(s, "<body");
}

/* Length of the HTML tag at s[i] that forums leave in text, 0: none. "<WDC WD40EFRX>" is a drive. *name gets its name, a
   closing one with its slash. */
static size_t tag_length(Str s, size_t i, Str *name) {
    static const char *const known[] = {
        "pre",    "code",   "br",   "p",     "div",   "span", "b",          "i",       "u",       "strong",
        "em",     "font",   "a",    "tt",    "kbd",   "samp", "blockquote", "details", "summary", "table",
        "tr",     "td",     "th",   "tbody", "thead", "ul",   "ol",         "li",      "hr",      "h1",
        "h2",     "h3",     "h4",   "h5",    "h6",    "img",  "small",      "sub",     "sup",     "syntaxhighlight",
        "source", "nowiki", "html", "body"};
    size_t k = i + 1;
    if (k < s.len && s.p[k] == '/') k++;
    size_t from = k;
    while (k < s.len && ch_alnum(s.p[k])) k++;
    Str word = str_sub(s, from, k - from);
    *name = str_sub(s, i + 1, k - i - 1);
    if (!word.len || k >= s.len || !(s.p[k] == '>' || s.p[k] == ' ' || s.p[k] == '/')) return 0;
    bool hit = false;
    for (size_t n = 0; n < sizeof known / sizeof *known && !hit; n++) hit = str_ieq(word, str_of(known[n]));
    if (!hit) return 0;
    bool attribute = s.p[k] != ' ';
    for (; k < s.len && k < i + 1000; k++) {
        if (s.p[k] == '=') attribute = true;
        if (s.p[k] == '/' && k + 1 < s.len && s.p[k + 1] == '>') attribute = true;
        if (s.p[k] == '>') return attribute ? k + 1 - i : 0;
        if (s.p[k] == '<') return 0;
    }
    return 0;
}

/* Length of the entity at s[i], 0: none. */
static size_t entity_length(Str s, size_t i, char *as) {
    static const struct {
        const char *text;
        char as;
    } known[] = {{"&lt;", '<'},   {"&gt;", '>'},    {"&amp;", '&'},   {"&quot;", '"'}, {"&apos;", '\''},
                 {"&#39;", '\''}, {"&#039;", '\''}, {"&#x27;", '\''}, {"&nbsp;", ' '}, {"&#160;", ' '},
                 {"&#xA0;", ' '}, {"&#34;", '"'},   {"&#60;", '<'},   {"&#62;", '>'},  {"&#38;", '&'},
                 {"&#91;", '['},  {"&#93;", ']'},   {"&#58;", ':'},   {"&#124;", '|'}};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (str_starts(str_from(s, i), known[n].text)) {
            *as = known[n].as;
            return strlen(known[n].text);
        }
    return 0;
}

static bool name_is(Str name, const char *list) {
    if (name.len && name.p[0] == '/') name = str_from(name, 1);
    Str rest = str_of(list);
    while (rest.len)
        if (str_ieq(str_cut(&rest, ' '), name)) return true;
    return false;
}

/* Tags and entities in a text that is no page: a post copied out of a database or a feed. */
static void strip_html(Arena *a, PasteLines *in, PasteLines *out) {
    for (size_t n = 0; n < in->count; n++) {
        Str s = in->items[n].text, name;
        int64_t number = in->items[n].line;
        char as;
        bool found = false;
        for (size_t i = 0; i < s.len && !found && !in->items[n].fence; i++)
            found = (s.p[i] == '<' && tag_length(s, i, &name)) || (s.p[i] == '&' && entity_length(s, i, &as));
        if (!found || s.len > LONG_LINE * 4) {
            VEC_PUSH(a, out, in->items[n]);
            continue;
        }
        char *text = arena_alloc(a, s.len + 1);
        size_t at = 0, from = 0;
        bool ended = false;
        for (size_t i = 0, len; i < s.len;) {
            if (s.p[i] == '<' && (len = tag_length(s, i, &name))) {
                bool fence = name_is(name, "pre code syntaxhighlight source nowiki blockquote"),
                     block = fence || name_is(name, "br p div tr li ul ol table hr h1 h2 h3 h4 h5 h6 details summary");
                if (name_is(name, "code") && at > from && i + len < s.len)
                    fence = block = false; /* in the middle of a sentence */
                if (block) {
                    if (at > from) push(a, out, (Str){text + from, at - from}, number);
                    ended = at > from || fence;
                    from = at;
                    if (fence) push_fence(a, out, number);
                } else if (name_is(name, "td th") && at > from) {
                    text[at++] = ' ';
                }
                i += len;
            } else if (s.p[i] == '&' && (len = entity_length(s, i, &as))) {
                text[at++] = as;
                i += len;
                ended = false;
            } else {
                text[at++] = s.p[i++];
                ended = false;
            }
        }
        if (at > from || !ended) push(a, out, (Str){text + from, at - from}, number);
    }
}

static bool has_html_parts(Str text) {
    static const char *const signs[] = {"<pre", "<code",  "<br",    "</p>",  "<div",   "</span>", "&lt;",
                                        "&gt;", "&nbsp;", "&quot;", "&#39;", "&#039;", "&#x27;",  "<blockquote"};
    if (!memchr(text.p, '<', text.len) && !memchr(text.p, '&', text.len)) return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_ifind(text, signs[i]) != SIZE_MAX) return true;
    return false;
}

/* ---------------------------------------------------------------- quoting */

/* s without its quote marks, any number of them: "> ", ">> ", "> > ". p == NULL: there is none. */
static Str unquoted(Str s) {
    bool any = false;
    for (;;) {
        size_t i = 0;
        while (i < s.len && i < 2 && s.p[i] == ' ') i++;
        if (i >= s.len || s.p[i] != '>') break;
        any = true;
        s = str_from(s, i + 1);
    }
    if (!any) return STR_NONE;
    if (s.len && s.p[0] == ' ') s = str_from(s, 1);
    return s;
}

/* "3c3", "12,14d11": the output of diff quotes with < and >. */
static bool diff_hunk(Str s) {
    size_t i = 0;
    while (i < s.len && (ch_digit(s.p[i]) || s.p[i] == ',')) i++;
    if (!i || i >= s.len || !(s.p[i] == 'a' || s.p[i] == 'c' || s.p[i] == 'd')) return false;
    for (i++; i < s.len; i++)
        if (!ch_digit(s.p[i]) && s.p[i] != ',') return false;
    return ch_digit(s.p[s.len - 1]);
}

static void strip_quotes(PasteLines *v) {
    for (size_t i = 0; i < v->count; i++)
        if (diff_hunk(v->items[i].text)) return;
    for (size_t i = 0; i < v->count;) {
        size_t end = i;
        while (end < v->count && !v->items[end].fence && unquoted(v->items[end].text).p) end++;
        if (end == i) {
            i++;
            continue;
        }
        if (end - i >= 2 || recognised(unquoted(v->items[i].text)))
            for (size_t k = i; k < end; k++) v->items[k].text = unquoted(v->items[k].text);
        i = end;
    }
    /* "| " is also a tree's branch and a table's border. */
    for (size_t i = 0; i < v->count;) {
        size_t end = i;
        while (end < v->count && !v->items[end].fence && str_starts(v->items[end].text, "|") &&
               (v->items[end].text.len == 1 || v->items[end].text.p[1] == ' '))
            end++;
        bool quote = end - i >= 2;
        for (size_t k = i; k < end && quote; k++)
            quote = !(v->items[k].text.len > 2 && str_ends(str_trim_right(v->items[k].text), "|"));
        bool known = false;
        for (size_t k = i; k < end && k < i + 8 && quote && !known; k++)
            known = recognised(str_sub(v->items[k].text, 2, SIZE_MAX));
        if (known)
            for (size_t k = i; k < end; k++)
                v->items[k].text = str_sub(v->items[k].text, v->items[k].text.len > 1 ? 2 : 1, SIZE_MAX);
        i = end > i ? end : i + 1;
    }
}

/* A pastebin's line numbers: "12. text", "12: text", "12 | text", counting up by one from 1. */
static size_t numbered(Str s, uint64_t want) {
    size_t i = 0, from;
    while (i < s.len && s.p[i] == ' ') i++;
    from = i;
    while (i < s.len && ch_digit(s.p[i])) i++;
    uint64_t n;
    if (!str_u64(str_sub(s, from, i - from), &n) || n != want) return 0;
    size_t k = i;
    while (k < s.len && s.p[k] == ' ') k++;
    if (k < s.len &&
        (s.p[k] == '|' || (k == i && (s.p[k] == '.' || s.p[k] == ':' || s.p[k] == ')' || s.p[k] == '\t')))) {
        k++;
        return k == s.len || s.p[k - 1] == '\t' ? k : ch_blank(s.p[k]) ? k + 1 : 0;
    }
    return 0;
}

static void strip_numbers(PasteLines *v) {
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].fence || !numbered(v->items[i].text, 1)) continue;
        size_t end = i;
        while (end < v->count && !v->items[end].fence && numbered(v->items[end].text, end - i + 1)) end++;
        if (end - i < 4) continue;
        for (size_t k = i; k < end; k++)
            v->items[k].text = str_from(v->items[k].text, numbered(v->items[k].text, k - i + 1));
        i = end - 1;
    }
}

/* ---------------------------------------------------------------- BBCode, fences, backticks */

/* Length of the BBCode tag at s[i], 0: none. *block: it stands around an output. */
static size_t bbcode_length(Str s, size_t i, bool *block) {
    static const char *const blocks[] = {"code", "quote",  "spoiler", "pre",  "tt",   "hide",  "details", "codebox",
                                         "cut",  "expand", "noparse", "mono", "bash", "shell", "icode"};
    static const char *const inlines[] = {"size",  "color", "colour", "font",   "url",  "center", "left",
                                          "right", "list",  "table",  "indent", "b",    "i",      "u",
                                          "s",     "img",   "email",  "hr",     "plain"};
    size_t k = i + 1;
    bool closing = k < s.len && s.p[k] == '/';
    if (closing) k++;
    size_t from = k;
    while (k < s.len && ch_alpha(s.p[k])) k++;
    Str word = str_sub(s, from, k - from);
    if (!word.len || k >= s.len) return 0;
    bool known = *block = false;
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks && !known; n++)
        known = *block = str_ieq(word, str_of(blocks[n]));
    for (size_t n = 0; n < sizeof inlines / sizeof *inlines && !known; n++) known = str_ieq(word, str_of(inlines[n]));
    if (!known) return 0;
    if (s.p[k] == ']') return k + 1 - i;
    if (closing || (s.p[k] != '=' && !(s.p[k] == ' ' && *block))) return 0;
    bool quoted = false;
    for (; k < s.len && k < i + 300; k++) {
        if (s.p[k] == '"') quoted = !quoted;
        if (s.p[k] == ']' && !quoted) return k + 1 - i;
    }
    return 0;
}

static bool has_closing_bbcode(Str text) {
    for (size_t i = 0; i + 3 < text.len; i++) {
        const char *p = memchr(text.p + i, '[', text.len - i - 3);
        if (!p) return false;
        i = (size_t)(p - text.p);
        bool block;
        if (p[1] == '/' && bbcode_length(text, i, &block)) return true;
        if (ch_lower(p[1]) == 'c' && bbcode_length(text, i, &block) && block) return true; /* its end may be cut off */
        if (ch_lower(p[1]) == 'q' && bbcode_length(text, i, &block) && block) return true;
    }
    return false;
}

/* Jira, Redmine: {code:bash}, {noformat}, {quote}. */
static bool brace_mark(Str s) {
    return s.len < 60 && str_ends(s, "}") &&
           (str_istarts(s, "{code") || str_istarts(s, "{noformat") || str_istarts(s, "{quote") ||
            str_istarts(s, "{panel"));
}

/* What forums leave where a box began: "Code:", "Code: [Select]", "Quote", "Quote from: somebody". */
static bool box_word(Str s) {
    static const char *const words[] = {"code",     "quote", "spoiler",       "quelltext",  "zitat",    "codice",
                                        "citation", "kod",   "c\303\263digo", "code-block", "quellcode"};
    if (s.len > 80) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_istarts(s, words[i])) continue;
        Str rest = str_from(s, strlen(words[i]));
        if (!rest.len) return true;
        if (rest.p[0] == ':') rest = str_trim(str_from(rest, 1));
        else if (!str_istarts(rest, " from:")) continue;
        if (!rest.len || str_istarts(rest, "[select]") || str_istarts(rest, "select all") ||
            str_istarts(rest, "alles ausw") || str_istarts(rest, "[ausw") || str_istarts(rest, "tout s") ||
            str_istarts(rest, "seleccionar") || str_istarts(rest, " from:"))
            return true;
    }
    return false;
}

static bool language_word(Str s) {
    if (s.len > 20) return false;
    for (size_t i = 0; i < s.len; i++)
        if (!ch_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '+' && s.p[i] != '_' && s.p[i] != '{' && s.p[i] != '}' &&
            s.p[i] != '.')
            return false;
    return true;
}

static size_t ticks_at(Str s, size_t i, char c) {
    size_t n = 0;
    while (i + n < s.len && s.p[i + n] == c) n++;
    return n;
}

static void strip_fences(Arena *a, bool bbcode, PasteLines *in, PasteLines *out) {
    for (size_t n = 0; n < in->count; n++) {
        PasteLine *l = &in->items[n];
        Str s = str_trim(l->text);
        if (l->fence || !s.len || l->text.len > LONG_LINE) {
            VEC_PUSH(a, out, *l);
            continue;
        }
        size_t ticks = ticks_at(s, 0, s.p[0] == '~' ? '~' : '`');
        if (ticks >= 3) {
            push_fence(a, out, l->line);
            Str rest = str_trim(str_from(s, ticks));
            size_t tail = 0;
            while (tail < rest.len && rest.p[rest.len - 1 - tail] == s.p[0]) tail++;
            if (tail >= 3) rest = str_trim(str_sub(rest, 0, rest.len - tail));
            if (tail < 3 &&
                (language_word(rest) || (str_find_ch(rest, ' ') != SIZE_MAX && rest.len < 40 &&
                                         language_word(str_sub(rest, 0, str_find_ch(rest, ' '))) && !recognised(rest))))
                continue;
            if (rest.len) push(a, out, rest, l->line);
            if (tail >= 3 && rest.len) push_fence(a, out, l->line);
            continue;
        }
        if (brace_mark(s) || box_word(s)) {
            push_fence(a, out, l->line);
            continue;
        }
        if (str_ends(s, "```") &&
            !str_has(str_sub(s, 0, s.len - 3), "`")) { /* the end of a block behind its last line */
            push(a, out, str_sub(l->text, 0, (size_t)(s.p - l->text.p) + s.len - 3), l->line);
            push_fence(a, out, l->line);
            continue;
        }
        bool block, any = false;
        for (size_t i = 0; bbcode && i < s.len && !any; i++) any = s.p[i] == '[' && bbcode_length(s, i, &block);
        if (!any) {
            VEC_PUSH(a, out, *l);
            continue;
        }
        char *text = arena_alloc(a, l->text.len + 1);
        size_t at = 0, from = 0;
        bool fenced = false;
        for (size_t i = 0, len; i < l->text.len;) {
            if (l->text.p[i] == '[' && (len = bbcode_length(l->text, i, &block))) {
                if (block) {
                    Str part = {text + from, at - from};
                    if (str_trim(part).len) push(a, out, part, l->line);
                    from = at;
                    push_fence(a, out, l->line);
                    fenced = true;
                }
                i += len;
            } else {
                text[at++] = l->text.p[i++];
            }
        }
        Str part = {text + from, at - from};
        if (str_trim(part).len || !fenced) push(a, out, part, l->line);
    }
}

/* Single backticks around a line or around a block; lsblk draws its tree with "`-". */
static void strip_backticks(PasteLines *v) {
    size_t i = 0;
    while (i < v->count) {
        Str s = v->items[i].text;
        size_t lead = s.len - str_trim_left(s).len;
        Str t = str_trim(s);
        if (v->items[i].fence || t.len < 2 || t.p[0] != '`' || t.p[1] == '-' || t.p[1] == '`') {
            i++;
            continue;
        }
        size_t end = i;
        bool closed = false;
        for (; end < v->count && end < i + RUN_LOOK && !v->items[end].fence; end++) {
            Str x = str_trim_right(v->items[end].text);
            size_t from = end == i ? lead + 1 : 0, tick = str_find_ch(str_from(x, from), '`');
            if (tick == SIZE_MAX) continue;
            closed = from + tick == x.len - 1;
            if (x.len >= from + tick + 2 && x.p[from + tick + 1] == '-')
                continue; /* a tree's branch inside the block */
            break;
        }
        if (closed) {
            Str last = str_trim_right(v->items[end].text);
            v->items[end].text = str_sub(last, 0, last.len - 1);
            v->items[i].text = str_from(v->items[i].text, lead + 1);
            i = end + 1;
        } else {
            i++;
        }
    }
}

/* ---------------------------------------------------------------- Markdown */

static bool separator_row(Str s) {
    bool dash = false, bar = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == '-' || c == '=') dash = true;
        else if (c == '|' || c == '+') bar = true;
        else if (c != ':' && !ch_blank(c)) return false;
    }
    return dash && bar;
}

static bool table_row(Str s) {
    s = str_trim(s);
    return s.len > 2 && s.p[0] == '|' && s.p[s.len - 1] == '|';
}

enum { MAX_CELLS = 64 };

static size_t table_cells(Str s, Str *cells) {
    s = str_trim(s);
    if (s.len && s.p[0] == '|') s = str_from(s, 1);
    if (s.len && s.p[s.len - 1] == '|') s.len--;
    size_t n = 0;
    while (s.len && n < MAX_CELLS) cells[n++] = str_trim(str_cut(&s, '|'));
    return n;
}

/* Rows of a table as columns under each other, as the tool printed them. */
static void strip_tables(Arena *a, PasteLines *in, PasteLines *out) {
    for (size_t i = 0; i < in->count;) {
        size_t end = i, separators = 0;
        bool bars = !in->items[i].fence && (table_row(in->items[i].text) || separator_row(in->items[i].text));
        if (bars)
            while (end < in->count && !in->items[end].fence &&
                   (table_row(in->items[end].text) || separator_row(in->items[end].text)))
                separators += separator_row(in->items[end++].text);
        else if (i + 1 < in->count && !in->items[i].fence && !in->items[i + 1].fence &&
                 str_find_ch(in->items[i].text, '|') != SIZE_MAX && separator_row(in->items[i + 1].text))
            for (end = i; end < in->count && !in->items[end].fence && str_find_ch(in->items[end].text, '|') != SIZE_MAX;
                 end++)
                separators += separator_row(in->items[end].text);
        if (end - i < 3 || !separators) {
            VEC_PUSH(a, out, in->items[i]);
            i++;
            continue;
        }
        size_t width[MAX_CELLS] = {0};
        Str cells[MAX_CELLS];
        for (size_t k = i; k < end; k++) {
            if (separator_row(in->items[k].text)) continue;
            size_t n = table_cells(in->items[k].text, cells);
            for (size_t c = 0; c < n; c++)
                if (cells[c].len > width[c]) width[c] = cells[c].len < 200 ? cells[c].len : 200;
        }
        push_fence(a, out, in->items[i].line);
        for (size_t k = i; k < end; k++) {
            if (separator_row(in->items[k].text)) continue;
            size_t n = table_cells(in->items[k].text, cells);
            StrBuf b;
            sb_init(&b, a);
            for (size_t c = 0; c < n; c++) {
                sb_add(&b, cells[c]);
                for (size_t fill = cells[c].len; c + 1 < n && fill < width[c] + 1; fill++) sb_addc(&b, ' ');
            }
            push(a, out, str_trim_right(sb_str(&b)), in->items[k].line);
        }
        push_fence(a, out, in->items[end - 1].line);
        i = end;
    }
}

/* Backslashes before signs that Markdown would have eaten, and ** around a whole line. */
static void strip_escapes(Arena *a, PasteLines *v, bool escapes) {
    for (size_t i = 0; i < v->count; i++) {
        Str s = v->items[i].text;
        if (v->items[i].fence || s.len > LONG_LINE) continue;
        Str t = str_trim(s);
        if (t.len > 4 && str_starts(t, "**") && str_ends(t, "**") &&
            str_find(str_sub(t, 2, t.len - 4), "**") == SIZE_MAX)
            v->items[i].text = s = str_sub(t, 2, t.len - 4);
        if (!escapes || str_find_ch(s, '\\') == SIZE_MAX) continue;
        char *text = arena_alloc(a, s.len + 1);
        size_t at = 0;
        for (size_t k = 0; k < s.len; k++) {
            if (s.p[k] == '\\' && k + 1 < s.len && strchr("_*[]~#<>`|", s.p[k + 1]) && s.p[k + 1]) continue;
            text[at++] = s.p[k];
        }
        v->items[i].text = (Str){text, at};
    }
}

/* ---------------------------------------------------------------- indents */

static size_t indent_of(Str s) {
    size_t n = 0;
    while (n < s.len && s.p[n] == ' ') n++;
    return n;
}

/* A block that is indented as a whole, as Markdown's blocks of code are, loses its indent, when that makes a line of it known
   which was not before. Less than four blanks are somebody's own layout. */
static void strip_indents(PasteLines *v) {
    for (size_t i = 0; i < v->count;) {
        size_t end = i, least = SIZE_MAX;
        while (end < v->count && !v->items[end].fence) {
            Str s = v->items[end].text;
            if (str_trim(s).len) {
                size_t n = indent_of(s);
                if (n < 4) break;
                if (n < least) least = n;
            } else if (end == i) {
                break;
            }
            end++;
        }
        if (end == i) {
            i++;
            continue;
        }
        bool better = false;
        for (size_t k = i, looked = 0; k < end && looked < 12 && !better; k++) {
            Str s = v->items[k].text;
            if (!str_trim(s).len) continue;
            looked++;
            if ((better = frame_prompt(s).p != NULL) || registry_starts(s, NULL)) break;
            /* An output's own indent behind the post's: four blanks are Markdown's. */
            better = recognised(str_from(s, least)) || (least > 4 && recognised(str_from(s, 4)) && (least = 4));
        }
        if (better)
            for (size_t k = i; k < end; k++)
                v->items[k].text = str_from(v->items[k].text,
                                            indent_of(v->items[k].text) < least ? indent_of(v->items[k].text) : least);
        i = end;
    }
}

/* ---------------------------------------------------------------- mail */

static int hex_value(char c) {
    return ch_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Behind a header that says so: =3D and soft line breaks. Only a mail saved whole has the header. */
static void strip_quoted_printable(Arena *a, PasteLines *in, PasteLines *out) {
    bool on = false;
    for (size_t n = 0; n < in->count; n++) {
        Str s = in->items[n].text;
        if (str_istarts(s, "content-transfer-encoding:")) on = str_ifind(s, "quoted-printable") != SIZE_MAX;
        if (!on || in->items[n].fence || str_find_ch(s, '=') == SIZE_MAX) {
            VEC_PUSH(a, out, in->items[n]);
            continue;
        }
        StrBuf b;
        sb_init(&b, a);
        int64_t line = in->items[n].line;
        for (;;) {
            bool soft = str_ends(s, "=");
            if (soft) s.len--;
            for (size_t i = 0; i < s.len; i++) {
                int hi = s.p[i] == '=' && i + 2 < s.len + 0 ? hex_value(s.p[i + 1]) : -1,
                    lo = hi >= 0 ? hex_value(s.p[i + 2]) : -1;
                if (lo >= 0) {
                    sb_addc(&b, (char)(hi * 16 + lo));
                    i += 2;
                } else {
                    sb_addc(&b, s.p[i]);
                }
            }
            if (!soft || n + 1 >= in->count || b.len > LONG_LINE) break;
            s = in->items[++n].text;
        }
        push(a, out, sb_str(&b).p ? sb_str(&b) : STR(""), line);
        out->items[out->count - 1].end = in->items[n].line;
    }
}

/* ---------------------------------------------------------------- all of it */

static void split_lines(Arena *a, Str text, PasteLines *out) {
    char end = '\n';
    if (!memchr(text.p, '\n', text.len) && memchr(text.p, '\r', text.len))
        end = '\r'; /* an old line end; editors count these */
    int64_t number = 0;
    while (text.len) {
        Str line = str_cut(&text, end);
        while (line.len && line.p[line.len - 1] == '\r') line.len--;
        push(a, out, line, ++number);
    }
}

void paste_clean(Arena *arena, Str text, PasteLines *out) {
    PasteLines v = {0}, w = {0};
    if (is_html(text)) html_lines(arena, text, &v);
    else split_lines(arena, text, &v);
    for (size_t i = 0; i < v.count; i++)
        if (!v.items[i].fence) v.items[i].text = paste_line(arena, v.items[i].text);
    if (str_ifind(str_sub(text, 0, 64 * 1024), "quoted-printable") != SIZE_MAX) {
        strip_quoted_printable(arena, &v, &w);
        v = w;
        for (size_t i = 0; i < v.count; i++) v.items[i].text = paste_line(arena, v.items[i].text);
    }
    strip_quotes(&v);
    if (!is_html(text) && has_html_parts(text)) {
        w = (PasteLines){0};
        strip_html(arena, &v, &w);
        v = w;
        strip_quotes(&v); /* "&gt; text" */
    }
    w = (PasteLines){0};
    strip_fences(arena, has_closing_bbcode(text), &v, &w);
    v = w;
    strip_backticks(&v);
    if (memchr(text.p, '|', text.len)) {
        w = (PasteLines){0};
        strip_tables(arena, &v, &w);
        v = w;
    }
    size_t first = str_find(text, "\\_");
    strip_escapes(arena, &v, first != SIZE_MAX && str_has(str_from(text, first + 2), "\\_"));
    strip_numbers(&v);
    strip_indents(&v);
    *out = v;
}

/* ---------------------------------------------------------------- captures */

/* The host of "root@nas:~# ..."; p == NULL: none. */
static Str prompt_host(Str line) {
    Str s = str_trim(line);
    Str command = frame_prompt(s);
    if (!command.p) return STR_NONE;
    size_t at = str_find_ch(s, '@');
    if (at == SIZE_MAX || (command.len && s.p + at > command.p)) return STR_NONE;
    size_t n = at + 1;
    while (n < s.len && (ch_alnum(s.p[n]) || s.p[n] == '-' || s.p[n] == '_')) n++;
    return n > at + 1 ? str_sub(s, at + 1, n - at - 1) : STR_NONE;
}

typedef enum When { WHEN_NONE, WHEN_BEFORE, WHEN_AFTER } When;

/* "before:", "## After the change", "[After replacing the cable]", "Vorher:" */
static When when_of(Str line, Str *label) {
    static const struct {
        const char *word;
        When when;
    } words[] = {{"before", WHEN_BEFORE}, {"after", WHEN_AFTER},  {"vorher", WHEN_BEFORE},
                 {"nachher", WHEN_AFTER}, {"avant", WHEN_BEFORE}, {"apr\xc3\xa8s", WHEN_AFTER}};
    Str s = str_trim(line);
    bool marked = false;
    while (s.len && strchr("#*=-_[(<", s.p[0]) && s.p[0]) {
        marked = true;
        s = str_trim_left(str_from(s, 1));
    }
    while (s.len && strchr("#*=-_])>", s.p[s.len - 1])) s = str_trim_right(str_sub(s, 0, s.len - 1));
    bool colon = str_ends(s, ":");
    if (colon) s = str_trim_right(str_sub(s, 0, s.len - 1));
    if (!s.len || s.len > 60) return WHEN_NONE;
    Str all[12];
    size_t n = str_words(s, all, 12);
    if (n > 10 || !(colon || marked || n <= 4)) return WHEN_NONE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_istarts(s, words[i].word) && (s.len == strlen(words[i].word) || ch_blank(s.p[strlen(words[i].word)]))) {
            *label = s;
            return words[i].when;
        }
    return WHEN_NONE;
}

static bool opens_same(const PasteLines *v, size_t a, size_t a_end, size_t b, size_t b_end) {
    for (size_t i = a; i < a_end; i++) {
        const Parser *p = v->items[i].fence ? NULL : registry_starts(v->items[i].text, NULL);
        for (size_t k = b; p && k < b_end; k++)
            if (!v->items[k].fence && p->starts(v->items[k].text)) return true;
    }
    return false;
}

static void mark(PasteLines *v, size_t i, Str label) {
    v->items[i].capture = true;
    v->items[i].label = label;
}

/* The same commands, all of them and in the same order, run once more behind the first run. */
static void mark_second_run(Arena *a, PasteLines *v) {
    VEC(size_t) at = {0};
    for (size_t i = 0; i < v->count && at.count < 400; i++) {
        Str c = v->items[i].fence ? STR_NONE : frame_prompt(v->items[i].text);
        if (c.len) VEC_PUSH(a, &at, i);
    }
    for (size_t n = 2; n * 2 <= at.count; n++) {
        bool same = true, differ = false;
        for (size_t k = 0; k < n && same; k++) {
            Str x = frame_prompt(v->items[at.items[k]].text), y = frame_prompt(v->items[at.items[n + k]].text);
            same = str_eq(x, y);
            for (size_t j = 0; j < k; j++) differ = differ || !str_eq(x, frame_prompt(v->items[at.items[j]].text));
        }
        if (!same || !differ) continue;
        bool quoted = true; /* a reply that quotes the post is no second run */
        for (size_t k = 0; k < n && quoted; k++) {
            size_t x = at.items[k] + 1, y = at.items[n + k] + 1, x_end = at.items[k + 1],
                   y_end = n + k + 1 < at.count ? at.items[n + k + 1] : v->count;
            while (x < x_end && y < y_end && quoted) {
                if (v->items[x].fence || !str_trim(v->items[x].text).len) x++;
                else if (v->items[y].fence || !str_trim(v->items[y].text).len) y++;
                else quoted = str_eq(str_trim(v->items[x++].text), str_trim(v->items[y++].text));
            }
        }
        if (!quoted) mark(v, at.items[n], STR_NONE);
        return;
    }
}

void paste_captures(Arena *arena, PasteLines *v, Str *first) {
    enum { MAX_CAPTURES = 16, MAX_LOOK = 20000 };
    if (v->count > MAX_LOOK) return;
    size_t marks = 0;
    /* Hosts: the first label of the name, since a prompt shows it short or long. */
    Str host = STR_NONE;
    for (size_t i = 0; i < v->count && marks < MAX_CAPTURES; i++) {
        Str h = v->items[i].fence ? STR_NONE : prompt_host(v->items[i].text);
        if (!h.p || str_eq(h, host)) continue;
        if (host.p) {
            mark(v, i, h);
            marks++;
        } else *first = h;
        host = h;
    }
    if (marks) return;
    *first = STR_NONE;
    /* Headings: an "after" behind a "before", each with an output of the same tool. */
    size_t from = SIZE_MAX;
    Str name = STR_NONE, label;
    for (size_t i = 0; i < v->count && marks < MAX_CAPTURES; i++) {
        When w = v->items[i].fence ? WHEN_NONE : when_of(v->items[i].text, &label);
        if (w == WHEN_NONE) continue;
        if (w == WHEN_AFTER && from != SIZE_MAX) {
            size_t end = i + 1;
            Str other;
            while (end < v->count && (v->items[end].fence || when_of(v->items[end].text, &other) == WHEN_NONE)) end++;
            if (opens_same(v, from, i, i + 1, end)) {
                if (!marks) *first = name;
                mark(v, i, label);
                marks++;
                from = i;
                continue;
            }
        }
        if (w == WHEN_BEFORE) {
            from = i;
            name = label;
        }
    }
    if (!marks) mark_second_run(arena, v);
}

/* ---------------------------------------------------------------- as a reader */

static ssize_t text_read(ByteSource *s, char *buf, size_t size, Error *err) {
    Paste *p = (Paste *)((char *)s - offsetof(Paste, src));
    size_t n = p->rest.len < size ? p->rest.len : size;
    if (!n && p->raw->err.text[0]) {
        *err = p->raw->err;
        return -1;
    }
    if (n) memcpy(buf, p->rest.p, n);
    p->rest = str_from(p->rest, n);
    return (ssize_t)n;
}

/* Line by line, as many lines out as in. */
static ssize_t stream_read(ByteSource *s, char *buf, size_t size, Error *err) {
    Paste *p = (Paste *)((char *)s - offsetof(Paste, src));
    size_t n = 0;
    while (n < size) {
        if (p->held_at < p->held_len) {
            size_t part = p->held_len - p->held_at < size - n ? p->held_len - p->held_at : size - n;
            memcpy(buf + n, p->held + p->held_at, part);
            p->held_at += part;
            n += part;
            continue;
        }
        Str line;
        if (!reader_line(p->raw, &line)) break;
        bool cut = p->raw->cut;
        Str clean = paste_line(p->arena, line);
        p->held = arena_alloc(p->arena, clean.len + 2);
        if (clean.len) memcpy(p->held, clean.p, clean.len);
        p->held_len = clean.len;
        p->held_at = 0;
        if (cut) p->held[p->held_len++] = ' '; /* stays over the limit, so that it is seen to be cut */
        p->held[p->held_len++] = '\n';
        if (arena_used(p->arena) > (size_t)4 << 20) {
            char *keep = malloc(p->held_len);
            if (!keep) fatal("out of memory");
            memcpy(keep, p->held, p->held_len);
            arena_reset(p->arena);
            p->held = arena_alloc(p->arena, p->held_len);
            memcpy(p->held, keep, p->held_len);
            free(keep);
        }
    }
    if (!n && p->raw->err.text[0]) {
        *err = p->raw->err;
        return -1;
    }
    return (ssize_t)n;
}

/* Colours, or blanks that are not blanks. */
static bool needs_characters(Str head) {
    if (memchr(head.p, 0x1b, head.len) && has_escape(head)) return true;
    return str_has(head, "\xc2\xa0") || str_has(head, "\xe2\x80\x8b") || str_has(head, "\xe2\x80\xaf") ||
           str_has(head, "\r\r\n");
}

static void open_stream(Paste *p) {
    p->src = (ByteSource){stream_read};
    reader_open(&p->reader, &p->src);
}

/* Is the result what was there before? */
static bool unchanged(const PasteLines *v, Str text) {
    int64_t number = 0;
    size_t i = 0;
    for (; i < v->count && text.len; i++) {
        Str line = str_cut(&text, '\n');
        if (line.len && line.p[line.len - 1] == '\r') line.len--;
        if (v->items[i].line != ++number || v->items[i].capture || !str_eq(v->items[i].text, line)) return false;
    }
    return i == v->count && !text.len;
}

bool paste_open(Paste *p, Facts *f, LineReader *raw, bool own_file) {
    *p = (Paste){.raw = raw};
    Str head = reader_peek(raw, 64 * 1024);
    p->html = is_html(head);
    if (own_file && !p->html) {
        if (!needs_characters(head)) return false;
        p->arena = arena_new((size_t)64 << 20);
        open_stream(p);
        return true;
    }
    Str text = reader_peek(raw, PASTE_MAX + 1);
    if (!text.len) return false;
    if (text.len > PASTE_MAX) {
        if (!needs_characters(str_sub(text, 0, 1024 * 1024))) return false;
        p->arena = arena_new((size_t)64 << 20);
        open_stream(p);
        return true;
    }
    p->arena = arena_new((size_t)1 << 30);
    paste_clean(p->arena, text, &p->lines);
    unwrap_split(p->arena, &p->lines);
    unwrap_join(p->arena, &p->lines);
    paste_captures(p->arena, &p->lines, &p->label);
    PasteLines *v = &p->lines;
    if (unchanged(v, text)) {
        arena_free(p->arena);
        p->arena = NULL;
        return false;
    }
    int64_t *numbers = arena_array(p->arena, int64_t, v->count + 1);
    int64_t *ends = arena_array(p->arena, int64_t, v->count + 1);
    bool *marks = arena_array(p->arena, bool, v->count + 1);
    StrBuf b;
    sb_init(&b, p->arena);
    for (size_t i = 0; i < v->count; i++) {
        numbers[i] = v->items[i].line;
        ends[i] = v->items[i].end > v->items[i].line ? v->items[i].end : v->items[i].line;
        marks[i] = v->items[i].capture;
        sb_add(&b, v->items[i].text);
        sb_addc(&b, '\n');
    }
    for (size_t i = 0; i < v->count;) { /* several outputs' lines of one line are told apart by their parts */
        size_t end = i, content = 0;
        for (; end < v->count && v->items[end].line == v->items[i].line; end++)
            content += !v->items[end].fence && str_trim(v->items[end].text).len;
        for (size_t k = i; k < end && content > 1; k++)
            if (!v->items[k].fence) numbers[k] = facts_part_line(f, v->items[k].line);
        i = end;
    }
    p->map = (LineMap){numbers, ends, marks, v->count};
    p->rest = sb_str(&b);
    p->src = (ByteSource){text_read};
    reader_open(&p->reader, &p->src);
    p->reader.map = &p->map;
    return true;
}

void paste_close(Paste *p) {
    reader_close(&p->reader);
    arena_free(p->arena);
    Str line;
    while (reader_line(p->raw, &line)) {
    } /* of the whole text, which was only looked at */
}

const PasteLine *paste_mark(const Paste *p) {
    return p->arena && reader_marked(&p->reader) ? &p->lines.items[p->reader.given] : NULL;
}
