/*
 * The report writers: what a report says, that nothing from an upload can become markup in any format, and the contract of
 * the JSON report. With STORDX_REPORT_SAMPLES=DIR in the environment the reports of the write cache story are left there.
 */
#include "arena_test.h"
#include "reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include "base/sha256.h"
#include "reports/clean.h"
#include "reports/doc.h"
#include "reports/format.h"
#include "test_reports_samples.h"

#include <cJSON.h>
#include <cmark.h>
#include <libxml/HTMLparser.h>
#include <stdlib.h>
#include <string.h>

static const ReportFormat all_formats[] = {REPORT_TEXT, REPORT_MARKDOWN, REPORT_HTML, REPORT_JSON};
static const char *const format_endings[] = {"txt", "md", "html", "json"};
enum { FORMATS = 4, BRIEF_LINES = 15 };

/* The whole report as text. Exactly one of d and c is given. */
static Str written(const Diagnosis *d, const Comparison *c, ReportFormat format, bool brief) {
    char *bytes = NULL;
    size_t len = 0;
    Error err = {{0}};
    FILE *f = open_memstream(&bytes, &len);
    assert_non_null(f);
    bool good =
        d ? report_write_diagnosis(f, d, format, brief, &err) : report_write_comparison(f, c, format, brief, &err);
    fclose(f);
    if (!good) print_error("%s\n", err.text);
    assert_true(good);
    Str s = arena_str(arena, (Str){bytes, len});
    free(bytes);
    return s;
}

static void assert_has(Str s, const char *part) {
    if (!str_has(s, part)) {
        print_error("missing: %s\n", part);
        fail();
    }
}

static size_t line_count(Str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == '\n';
    return n;
}

/* Without any blanks: layouts differ in those only. */
static Str squeezed(Str s) {
    StrBuf out;
    sb_init(&out, arena);
    for (size_t i = 0; i < s.len; i++)
        if (!ch_blank(s.p[i])) sb_addc(&out, s.p[i]);
    return sb_str(&out);
}

/* The clean attack, as a report must show it. */
static const char *attack_shown(void) {
    return squeezed(clean(arena, attack, CLEAN_INLINE)).p;
}

/* ---------------------------------------------------------------- small parts */

static void test_sha256(void **state) {
    (void)state;
    /* FIPS 180-4 examples, and lengths around the border between one and two last blocks */
    static const struct {
        const char *text, *base64;
    } rows[] = {
        {"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
        {"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t digest[SHA256_SIZE];
        char out[SHA256_BASE64_SIZE];
        sha256(rows[i].text, strlen(rows[i].text), digest);
        sha256_base64(digest, out);
        assert_string_equal(out, rows[i].base64);
    }
}

static void test_clean(void **state) {
    (void)state;
    const struct {
        Str in;
        CleanMode mode;
        const char *out;
    } rows[] = {
        {{NULL, 0}, CLEAN_INLINE, ""},
        {STR("  a \t b\r\n c  "), CLEAN_INLINE, "a b c"},
        {STR("a\tb\nc "), CLEAN_LINE, "a       b c"},
        {STR("a\tb\r\nc\rd\n"), CLEAN_BLOCK, "a       b\nc\nd"},
        {STR("a\tb\nc "), CLEAN_KEEP, "a\tb\nc "},
        {STR("x\033[1;31mred\033[0m\033]0;t\ay\033(Bz"), CLEAN_INLINE, "xredyz"},
        {STR("a\033"), CLEAN_INLINE, "a"},
        {STR("a\033[31"), CLEAN_INLINE, "a[31"}, /* no end: only the ESC goes */
        {STR("nul\0nul\x01\x7f"), CLEAN_INLINE, "nulnul"},
        {STR("\xff|\xc0\xaf|\xed\xa0\x80|\xe2\x82"), CLEAN_INLINE,
         "\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd"},
        {STR("a\xe2\x80\xae"
             "b\xe2\x80\x8f"
             "c\xef\xbb\xbf"
             "d\xef\xbf\xbf"),
         CLEAN_INLINE, "abcd"},
        {STR("caf\xc3\xa9 \xf0\x9f\x92\xbe"), CLEAN_INLINE, "caf\xc3\xa9 \xf0\x9f\x92\xbe"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(clean(arena, rows[i].in, rows[i].mode).p, rows[i].out);
    char *big = arena_alloc(arena, 100001);
    memset(big, 'A', 100000);
    Str cut = clean(arena, (Str){big, 100000}, CLEAN_NAME);
    assert_has(cut, "[99600 more characters]");
    assert_int_equal(clean(arena, (Str){big, 100000}, CLEAN_KEEP).len, 100000);
    assert_int_equal(display_width(STR("a\xc3\xa9\xcc\x81\xe4\xb8\xad")), 4);
}

static void test_format(void **state) {
    (void)state;
    static const struct {
        double v;
        const char *unit, *out;
    } rows[] = {{65, "ms", "65 ms"},
                {7.5, "", "7.5"},
                {0, "/s", "0/s"},
                {0.2434, "x", "0.243x"},
                {90.06, "%", "90.1%"},
                {12345, "ms", "12.3 s"},
                {1350, "", "1350"},
                {7.94e6, "bytes/s", "7.94 MB/s"},
                {2000398934016.0, "bytes", "2 TB"},
                {512, "bytes", "512 B"},
                {999600, "bytes", "1 MB"},
                {NAN, "ms", "-"},
                {INFINITY, "bytes", "-"},
                {1e-7, "", "1e-07"},
                {1, "processes", "1 process"},
                {1, "resets", "1 reset"},
                {2, "processes", "2 processes"},
                {99.96, "", "100"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(format_quantity(arena, rows[i].v, str_of(rows[i].unit)).p, rows[i].out);
    assert_string_equal(format_factor(arena, 68.4).p, "68.4x");
    assert_string_equal(format_factor(arena, 1.02).p, "about 1x");
    assert_string_equal(format_factor(arena, 0.424).p, "0.424x");
    assert_string_equal(format_factor(arena, NAN).p, "-");
    assert_string_equal(metric_label(arena, STR("w_await_ms")).p, "w_await");
    assert_string_equal(metric_label(arena, STR("util_pct")).p, "%util");
    assert_string_equal(metric_label(arena, STR("_ms")).p, "_ms");
    assert_string_equal(metric_unit(STR("w_bytes_s")).p, "bytes/s");
    assert_string_equal(format_time(arena, 1754300000).p, "2025-08-04 09:33:20 UTC");
    assert_string_equal(format_time(arena, NAN).p, "");
    assert_string_equal(format_span(arena, 11520).p, "3 h 12 min");
    assert_string_equal(format_span(arena, -1).p, "");
}

static void test_format_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int format; /* -1: none */
    } rows[] = {{"html", REPORT_HTML},
                {"md", REPORT_MARKDOWN},
                {"markdown", REPORT_MARKDOWN},
                {"text", REPORT_TEXT},
                {"txt", REPORT_TEXT},
                {"JSON", REPORT_JSON},
                {"report.HTM", REPORT_HTML},
                {"/tmp/a.b/report.markdown", REPORT_MARKDOWN},
                {"x.txt", REPORT_TEXT},
                {"x.json", REPORT_JSON},
                {"x.pdf", -1},
                {"", -1},
                {"x.", -1},
                {"html/report", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ReportFormat f = REPORT_JSON;
        bool known = report_format_from_name(str_of(rows[i].name), &f);
        assert_int_equal(known, rows[i].format >= 0);
        assert_int_equal(f, known ? rows[i].format : REPORT_JSON);
    }
}

/* ---------------------------------------------------------------- HTML */

/* Elements and attributes the report may consist of; anything else came from data. */
static const char *const elements[] = {
    "html",   "head",   "meta",    "title",   "style",  "body", "header", "main", "nav",    "section",    "article",
    "aside",  "footer", "details", "summary", "h1",     "h2",   "h3",     "h4",   "h5",     "p",          "span",
    "strong", "em",     "code",    "pre",     "a",      "ul",   "ol",     "li",   "dl",     "dt",         "dd",
    "div",    "table",  "caption", "thead",   "tbody",  "tr",   "th",     "td",   "figure", "figcaption", "svg",
    "desc",   "g",      "rect",    "line",    "circle", "path", "text",   NULL};
static const char *const attributes[] = {"lang",
                                         "charset",
                                         "http-equiv",
                                         "content",
                                         "name",
                                         "class",
                                         "id",
                                         "href",
                                         "rel",
                                         "scope",
                                         "data-label",
                                         "aria-label",
                                         "start",
                                         "role",
                                         "tabindex",
                                         "viewBox",
                                         "width",
                                         "height",
                                         "aria-labelledby",
                                         "x",
                                         "y",
                                         "rx",
                                         "x1",
                                         "y1",
                                         "x2",
                                         "y2",
                                         "cx",
                                         "cy",
                                         "r",
                                         "d",
                                         "text-anchor",
                                         NULL};

static bool in_list(const char *const *list, Str s) {
    for (; *list; list++)
        if (str_is(s, *list)) return true;
    return false;
}

/*
 * Strict: every tag is one of ours and closed in order, attributes are quoted, ampersands begin a reference, '<' stands in
 * tags only. Returns the text between the tags, references replaced.
 */
static Str check_html(Str html) {
    StrBuf text;
    sb_init(&text, arena);
    Str stack[64];
    size_t depth = 0, i = 0;
    assert_true(str_starts(html, "<!DOCTYPE html>"));
    i = strlen("<!DOCTYPE html>");
    while (i < html.len) {
        if (html.p[i] != '<') {
            size_t end = i;
            while (end < html.len && html.p[end] != '<') end++;
            bool raw = depth && str_is(stack[depth - 1], "style");
            for (size_t k = i; k < end; k++) {
                assert_true(raw || html.p[k] != '>' || true);
                if (html.p[k] != '&' || raw) {
                    sb_addc(&text, html.p[k]);
                    continue;
                }
                static const struct {
                    const char *ref;
                    char c;
                } refs[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
                bool known = false;
                for (size_t r = 0; r < 4 && !known; r++)
                    if (str_starts(str_from(html, k), refs[r].ref)) {
                        sb_addc(&text, refs[r].c);
                        k += strlen(refs[r].ref) - 1;
                        known = true;
                    }
                assert_true(known);
            }
            i = end;
            continue;
        }
        i++;
        bool closing = html.p[i] == '/';
        if (closing) i++;
        size_t start = i;
        while (ch_alnum(html.p[i])) i++;
        Str name = str_sub(html, start, i - start);
        if (!in_list(elements, name)) print_error("element <%.*s>\n", STR_ARG(name));
        assert_true(in_list(elements, name));
        if (closing) {
            assert_true(html.p[i] == '>' && depth > 0);
            assert_true(str_eq(stack[--depth], name));
            i++;
            continue;
        }
        while (html.p[i] == ' ') {
            start = ++i;
            while (html.p[i] != '=') {
                assert_true(ch_alnum(html.p[i]) || html.p[i] == '-');
                i++;
            }
            Str key = str_sub(html, start, i - start);
            assert_true(in_list(attributes, key));
            assert_true(html.p[++i] == '"');
            start = ++i;
            while (html.p[i] != '"') {
                assert_true(html.p[i] != '<');
                i++;
            }
            Str value = str_sub(html, start, i - start);
            i++;
            if (str_is(key, "href")) assert_true(str_starts(value, "#") || str_starts(value, "https://ours.example/"));
            if (str_is(key, "id") || str_is(key, "class"))
                for (size_t k = 0; k < value.len; k++)
                    assert_true(ch_alnum(value.p[k]) || value.p[k] == '-' || value.p[k] == ' ');
        }
        bool empty = html.p[i] == '/';
        assert_true(empty == str_is(name, "meta")); /* the one void element that is used */
        if (empty) i++;
        assert_true(html.p[i++] == '>');
        if (!empty) {
            assert_true(depth < 64);
            stack[depth++] = name;
        }
        sb_addc(&text, ' ');
    }
    assert_int_equal(depth, 0);
    return sb_str(&text);
}

static int xml_errors;
static void count_error(void *context, xmlErrorPtr error) {
    (void)context;
    if (error->code == XML_HTML_UNKNOWN_TAG) return; /* section, article, ...: this parser knows HTML 4 */
    print_error("libxml2: %s", error->message);
    xml_errors++;
}

static void check_parsed(Str html) {
    xml_errors = 0;
    xmlSetStructuredErrorFunc(NULL, count_error);
    htmlDocPtr doc = htmlReadMemory(html.p, (int)html.len, NULL, "UTF-8", HTML_PARSE_NONET);
    xmlSetStructuredErrorFunc(NULL, NULL);
    assert_non_null(doc);
    xmlFreeDoc(doc);
    assert_int_equal(xml_errors, 0);
}

/* The policy allows the style by its hash, and the hash is right. */
static void check_policy(Str html) {
    size_t from = str_find(html, "<style>"), to = str_find(html, "</style>");
    assert_true(from != SIZE_MAX && to != SIZE_MAX);
    Str style = str_sub(html, from + 7, to - from - 7);
    uint8_t digest[SHA256_SIZE];
    char hash[SHA256_BASE64_SIZE];
    sha256(style.p, style.len, digest);
    sha256_base64(digest, hash);
    assert_true(style.len > 100);
    assert_has(html, arena_fmt(arena, "content=\"default-src 'none'; style-src 'sha256-%s';", hash));
    assert_false(str_has(style, "url("));
    assert_false(str_has(style, "@import"));
}

/* ---------------------------------------------------------------- Markdown */

/* Renders the Markdown back; asserts that there is neither HTML nor a link nor a picture, and nothing that GitHub or Discourse would still
   turn into one; returns the text. */
static Str check_markdown(Str markdown) {
    StrBuf text;
    sb_init(&text, arena);
    cmark_node *doc = cmark_parse_document(markdown.p, markdown.len, CMARK_OPT_DEFAULT);
    cmark_iter *iter = cmark_iter_new(doc);
    cmark_event_type event;
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        if (event != CMARK_EVENT_ENTER) continue;
        cmark_node *n = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(n);
        assert_true(type != CMARK_NODE_HTML_BLOCK && type != CMARK_NODE_HTML_INLINE && type != CMARK_NODE_IMAGE &&
                    type != CMARK_NODE_LINK && type != CMARK_NODE_THEMATIC_BREAK);
        const char *literal = cmark_node_get_literal(n);
        if (!literal) continue;
        if (type == CMARK_NODE_TEXT) {
            assert_null(strchr(literal, '@'));
            assert_null(strstr(literal, "://"));
            assert_null(strstr(literal, "www."));
            assert_null(strstr(literal, ".example"));
            for (const char *p = literal; (p = strchr(p, '#')); p++) assert_false(ch_alnum(p[1]));
        }
        sb_addz(&text, literal);
        sb_addc(&text, ' ');
    }
    cmark_iter_free(iter);
    cmark_node_free(doc);
    return sb_str(&text);
}

/* Words as they stand in the Markdown of a paragraph. */
static void test_markdown_words(void **state) {
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {{"plain words, 7.94 MB/s at 09:33:20 on 0000:00:17.0, e.g. this",
                 "plain words, 7.94 MB/s at 09:33:20 on 0000:00:17.0, e.g. this"},
                {"ask @user, or mail@host.example.", "ask `@user`, or `mail@host.example`."},
                {"see #12 and o/r#3 or GH-4", "see `#12` and `o/r#3` or `GH-4`"},
                {":smile: :+1: :100: a:b", "`:smile:` `:+1:` `:100:` a:b"},
                {"kernel.org/x www.x http://x 6.12.38+deb13", "`kernel.org/x` `www.x` `http://x` 6.12.38+deb13"},
                {"in 5001b448b7c10458, (0fa1b2c) and 1073741824, facade",
                 "in `5001b448b7c10458`, `(0fa1b2c`) and 1073741824, facade"},
                {"with --dry-run", "with `--dry-run`"},
                {"[quote=x] [!NOTE]", "\\[quote=x\\] \\[!NOTE\\]"},
                {"a<!-- b", "a\\<!-- b"},
                {"# h", "\\# h"},
                {"1. one", "1\\. one"},
                {"1) one", "1\\) one"},
                {"1.5 s", "1.5 s"},
                {"- dash", "\\- dash"},
                {"+ plus", "\\+ plus"},
                {"*s* _u_ `c` <b> [l](u) a|b \\ & ~~d~~ $x$",
                 "\\*s\\* \\_u\\_ \\`c\\` \\<b\\> \\[l\\](u) a\\|b \\\\ \\& \\~\\~d\\~\\~ \\$x\\$"},
                {"`@u``", "``` `@u`` ```"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        Finding *f = finding_add(arena, &d->causes, "rule", "cause", "title");
        paragraph(arena, &f->summary, rows[i].in);
        Str markdown = written(d, NULL, REPORT_MARKDOWN, false);
        assert_has(markdown, arena_fmt(arena, "\n%s\n", rows[i].out));
    }
}

/* ---------------------------------------------------------------- text */

static void check_text(Str text) {
    Str all = text;
    while (text.len) {
        Str l = str_cut(&text, '\n'), words = str_trim(l);
        for (size_t i = 0; i < l.len; i++) assert_true((unsigned char)l.p[i] >= 0x20 && l.p[i] != 0x7f);
        assert_int_equal(str_trim_right(l).len, l.len);
        if (display_width(l) <= 80) continue;
        if (str_starts(words, "printf ") || str_starts(words, "Ask for: ")) continue; /* commands are not broken */
        if (words.len && str_has(clean(arena, attack, CLEAN_BLOCK), words.p ? arena_cstr(arena, words) : ""))
            continue; /* the attack as a command */
        /* else it is one word behind what every line of its part has before it */
        size_t blank = str_rfind_ch(l, ' ');
        if (blank != SIZE_MAX && display_width(str_sub(l, 0, blank)) > 30) print_error("long line: %.*s\n", STR_ARG(l));
        assert_true(blank == SIZE_MAX || display_width(str_sub(l, 0, blank)) <= 30);
    }
    for (size_t i = 0; i < all.len;) {
        uint32_t c;
        i += utf8_decode(all, i, &c);
    }
}

/* ---------------------------------------------------------------- JSON */

/*
 * "name:type ...": s string, n number, b boolean, a array, o object; upper case: or null. Every field must be there.
 */
static void check_fields(const cJSON *o, const char *fields) {
    assert_true(cJSON_IsObject(o));
    Str all = str_of(fields), field;
    while ((field = str_word(&all)).len) {
        Str name = str_cut(&field, ':');
        const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, arena_cstr(arena, name));
        char type = field.p[0];
        bool fits = v && ((cJSON_IsNull(v) && type < 'a') || (ch_lower(type) == 's' && cJSON_IsString(v)) ||
                          (ch_lower(type) == 'n' && cJSON_IsNumber(v) && isfinite(v->valuedouble)) ||
                          (ch_lower(type) == 'b' && cJSON_IsBool(v)) || (ch_lower(type) == 'a' && cJSON_IsArray(v)) ||
                          (ch_lower(type) == 'o' && cJSON_IsObject(v)));
        if (!fits) print_error("field %.*s\n", STR_ARG(name));
        assert_true(fits);
    }
}

static const cJSON *get(const cJSON *o, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(o, key);
}

static void check_strings(const cJSON *list) {
    const cJSON *v;
    cJSON_ArrayForEach(v, list) assert_true(cJSON_IsString(v));
}

static void check_subject(const cJSON *s) {
    check_fields(s, "kind:s id:S name:S model:S serial:S wwn:S place:o");
    check_fields(get(s, "place"), "controller:S port:S slot:S label:S");
}

static void check_evidence(const cJSON *list) {
    const cJSON *e;
    cJSON_ArrayForEach(e, list) check_fields(e, "member:s line:N path:S text:s");
}

static void check_subjects(const cJSON *list) {
    const cJSON *s;
    cJSON_ArrayForEach(s, list) check_subject(s);
}

static void check_causes(const cJSON *list) {
    const cJSON *c, *x;
    assert_true(cJSON_IsArray(list));
    cJSON_ArrayForEach(c, list) {
        check_fields(c, "rank:N rule:s title:s class:S impact:S confidence:N score:N subjects:a explains:a evidence:a "
                        "summary:s fix:a verify:a covered_by:S inside:S capture:N");
        check_subjects(get(c, "subjects"));
        check_evidence(get(c, "evidence"));
        check_strings(get(c, "fix"));
        check_strings(get(c, "verify"));
        cJSON_ArrayForEach(x, get(c, "explains")) {
            check_fields(x, "rule:s weight:n subject:o");
            check_subject(get(x, "subject"));
        }
    }
}

static void check_metrics(const cJSON *metrics) {
    const cJSON *m;
    cJSON_ArrayForEach(m, metrics) check_fields(m, "n:N mean:N p50:N p95:N p99:N p999:N max:N basis:S");
}

static cJSON *parsed(Str json) {
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(json.p, json.len + 1, &end, 1);
    assert_non_null(root);
    return root;
}

static void check_json_diagnosis(const cJSON *root) {
    const cJSON *x, *y;
    check_fields(root, "schema:n tool:o bundle:o captures:a verdict:o causes:a risks:a notes:a verdicts:a symptoms:a "
                       "ruled_out:a not_checked:a drives:a benchmarks:a sources:a");
    assert_int_equal(get(root, "schema")->valueint, 1);
    check_fields(get(root, "tool"), "name:s version:s");
    check_fields(get(root, "bundle"), "label:s host:S os:S kernel:S kind:S");
    check_fields(get(root, "verdict"), "status:s text:s");
    cJSON_ArrayForEach(x, get(root, "captures")) check_fields(x, "id:n start:S end:S boot_id:S complete:B");
    static const char *const lists[] = {"causes", "risks", "notes", "verdicts"};
    for (size_t i = 0; i < 4; i++) check_causes(get(root, lists[i]));
    cJSON_ArrayForEach(x, get(root, "symptoms")) {
        check_fields(x, "rule:s symptom:s title:s subjects:a magnitude:N unit:S basis:S evidence:a explained_by:a");
        check_subjects(get(x, "subjects"));
        check_evidence(get(x, "evidence"));
        check_strings(get(x, "explained_by"));
    }
    cJSON_ArrayForEach(x, get(root, "ruled_out")) {
        check_fields(x, "rule:s title:s reason:s subjects:a evidence:a");
        check_evidence(get(x, "evidence"));
    }
    cJSON_ArrayForEach(x, get(root, "not_checked")) {
        check_fields(x, "rule:s title:s subjects:a missing:a ask:a statements:a");
        check_evidence(get(x, "statements"));
        check_strings(get(x, "missing"));
        check_strings(get(x, "ask"));
    }
    cJSON_ArrayForEach(x, get(root, "drives")) {
        check_fields(
            x, "id:S wwn:S serial:S model:S firmware:S media:S bus:S size_bytes:N names:a place:o pools:a metrics:o");
        cJSON_ArrayForEach(y, get(x, "names")) check_fields(y, "boot:n name:s");
        check_metrics(get(x, "metrics"));
    }
    cJSON_ArrayForEach(x, get(root, "benchmarks")) {
        check_fields(x, "tool:s test:s target:S drive:S mb_s:N iops:N mean_ms:N p50_ms:N p95_ms:N p99_ms:N p999_ms:N "
                        "max_ms:N beside:S measures:S evidence:a");
        check_evidence(get(x, "evidence"));
    }
    cJSON_ArrayForEach(x, get(root, "sources")) check_fields(x, "member:s tool:S status:s note:S");
}

static void check_json_comparison(const cJSON *root) {
    const cJSON *x, *y;
    check_fields(root,
                 "schema:n bundles:a drives:a changes:a verdicts:a resolved:a new:a remaining:a not_comparable:a");
    cJSON_ArrayForEach(x, get(root, "bundles")) {
        check_fields(x, "label:s host:S os:S kernel:S kind:S captures:a");
        cJSON_ArrayForEach(y, get(x, "captures")) check_fields(y, "id:n start:S end:S boot_id:S complete:B");
    }
    cJSON_ArrayForEach(x, get(root, "drives")) {
        check_fields(x, "id:S wwn:S serial:S model:S stages:a");
        cJSON_ArrayForEach(y, get(x, "stages")) {
            check_fields(y, "bundle:s name:S place:o firmware:S metrics:o load:S");
            check_metrics(get(y, "metrics"));
        }
    }
    cJSON_ArrayForEach(x, get(root, "changes")) {
        check_fields(x, "kind:s subject:o from:S to:S");
        check_subject(get(x, "subject"));
    }
    static const char *const lists[] = {"verdicts", "resolved", "new", "remaining"};
    for (size_t i = 0; i < 4; i++) check_causes(get(root, lists[i]));
    cJSON_ArrayForEach(x, get(root, "not_comparable")) check_fields(x, "what:s why:s");
}

/* ---------------------------------------------------------------- all formats of one diagnosis or comparison */

static void check_all(const Diagnosis *d, const Comparison *c) {
    for (int brief = 0; brief < 2; brief++) {
        Str html = written(d, c, REPORT_HTML, brief);
        check_html(html);
        check_parsed(html);
        check_policy(html);
        Str markdown = written(d, c, REPORT_MARKDOWN, brief);
        check_markdown(markdown);
        Str text = written(d, c, REPORT_TEXT, brief);
        check_text(text);
        if (brief) {
            assert_true(line_count(markdown) <= BRIEF_LINES);
            assert_true(line_count(text) <= BRIEF_LINES);
        }
    }
    cJSON *root = parsed(written(d, c, REPORT_JSON, false));
    if (d) check_json_diagnosis(root);
    else check_json_comparison(root);
    cJSON_Delete(root);
    for (size_t i = 0; i < FORMATS; i++) { /* the same in, the same out */
        Str one = written(d, c, all_formats[i], false), two = written(d, c, all_formats[i], false);
        assert_true(str_eq(one, two));
    }
}

static void leave_samples(const char *name, const Diagnosis *d, const Comparison *c) {
    const char *dir = getenv("STORDX_REPORT_SAMPLES");
    if (!dir || !*dir) return;
    for (size_t i = 0; i < FORMATS; i++)
        for (int brief = 0; brief < 2; brief++) {
            Str s = written(d, c, all_formats[i], brief);
            FILE *f = fopen(arena_fmt(arena, "%s/%s%s.%s", dir, name, brief ? "-brief" : "", format_endings[i]), "wb");
            assert_non_null(f);
            fwrite(s.p, 1, s.len, f);
            fclose(f);
        }
}

static void test_story(void **state) {
    (void)state;
    Diagnosis *d = story_before(arena);
    leave_samples("before", d, NULL);
    check_all(d, NULL);

    /* the order of the parts, and what each must say */
    static const char *const order[] = {"The drives' volatile write cache is switched off: sda, sdb, sdc and sdd.",
                                        "How it is set up is the trouble, not a broken part.",
                                        "sda (serial \xe2\x80\xa6"
                                        "0458, AHCI 0000:00:17.0, port 1)",
                                        "Certain: the evidence shows it.",
                                        "1. The drives' volatile write cache is switched off",
                                        "write latency (sda, sdb and sdc), low throughput (pool storage), I/O pressure",
                                        "2. A TRIM of pool storage runs",
                                        "Symptoms",
                                        "Risks",
                                        "Notes",
                                        "Ruled out",
                                        "Not checked",
                                        "host at a glance",
                                        "Drives",
                                        "What was read"};
    static const char *const said[] = {"certain",
                                       "settings and set-up",
                                       "Seen in sysfs and kernel_log (kernel view) and hdparm (drive view)",
                                       "sdb, sdc, sdd: the kernel's view only",
                                       "WD Red SA500 2.5 2TB",
                                       "24172J801387",
                                       "AHCI 0000:00:17.0, port 2",
                                       "drives/hdparm_sda.out:3",
                                       "write-caching = 0 (off)",
                                       "hdparm -W /dev/sda",
                                       "sync=disabled",
                                       "lifetime average (since import)",
                                       "cause 1 and cause 2",
                                       "iostat -dxmt 1 60",
                                       "Single drives stall now and then",
                                       "nvme: command not found",
                                       "line 31: 4 fields",
                                       "sdc at another boot",
                                       "Synchronous writes wait for the drives"};
    for (int f = 0; f < 3; f++) {
        Str report = written(d, NULL, all_formats[f], false);
        Str words = all_formats[f] == REPORT_HTML       ? check_html(report)
                    : all_formats[f] == REPORT_MARKDOWN ? check_markdown(report)
                                                        : report;
        words = squeezed(words);
        size_t at = all_formats[f] == REPORT_HTML ? str_find(words, "</nav>") : 0;
        if (at == SIZE_MAX) at = 0;
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            size_t found = str_find(str_from(words, at), squeezed(str_of(order[i])).p);
            if (found == SIZE_MAX) print_error("%s: not there in order: %s\n", format_endings[f], order[i]);
            assert_true(found != SIZE_MAX);
            at += i == 0 ? 0 : all_formats[f] == REPORT_HTML ? 0 : found; /* HTML names the parts in its contents too */
        }
        for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
            /* the lines of a wrapped table are mixed: look for cells in what is not wrapped */
            if (all_formats[f] == REPORT_TEXT && (i == 6 || i == 11 || i == 12 || (i >= 15 && i <= 17))) continue;
            assert_has(words, squeezed(str_of(said[i])).p);
        }
    }
    /* nine lines of evidence: three and the count in text, all of them folded in HTML */
    Str text = written(d, NULL, REPORT_TEXT, false), html = written(d, NULL, REPORT_HTML, false);
    assert_has(text, "and 6 more lines in sysfs.txt, dmesg.out");
    assert_has(html, "9 lines in sysfs.txt, dmesg.out, drives/hdparm_sda.out");
    assert_has(html, "[sdd] Write cache: disabled");
    assert_has(html, "1204"); /* rows of a source: of no use for who reads from top to bottom */
    assert_false(str_has(text, "[sdd] Write cache: disabled"));
    /* a command stays in one line */
    assert_has(text, udev_rule);

    Str brief = written(d, NULL, REPORT_TEXT, true);
    assert_has(brief, "Ask for: `grep . /sys/block/sd*/device/queue_depth`");
    assert_has(brief, "Do first: ");
    assert_has(brief, "Not this: ");

    cJSON *root = parsed(written(d, NULL, REPORT_JSON, false));
    const cJSON *cause = cJSON_GetArrayItem(get(root, "causes"), 0);
    assert_string_equal(get(cause, "rule")->valuestring, "drive-write-cache-off");
    assert_int_equal(get(cause, "rank")->valueint, 1);
    assert_int_equal(cJSON_GetArraySize(get(cause, "evidence")), 9);
    assert_int_equal(cJSON_GetArraySize(get(cause, "fix")), 3);
    assert_true(str_has(str_of(cJSON_GetArrayItem(get(cause, "fix"), 0)->valuestring),
                        "\nfor d in /dev/disk/by-id/ata-*; do\n"));
    assert_string_equal(get(cJSON_GetArrayItem(get(cause, "explains"), 0), "rule")->valuestring, "write-latency-high");
    assert_true(cJSON_IsNull(get(cause, "covered_by")));
    assert_string_equal(get(cJSON_GetArrayItem(get(root, "causes"), 2), "covered_by")->valuestring,
                        "drive-write-cache-off");
    const cJSON *psi = cJSON_GetArrayItem(get(root, "symptoms"), 3);
    assert_true(get(psi, "magnitude")->valuedouble == 90.06);
    const cJSON *capture = cJSON_GetArrayItem(get(root, "captures"), 0);
    assert_string_equal(get(capture, "start")->valuestring, "2025-08-04T09:33:20Z");
    const cJSON *wait = get(get(cJSON_GetArrayItem(get(root, "drives"), 0), "metrics"), "disk_wait_write_ms");
    assert_true(get(wait, "mean")->valuedouble == 68);
    assert_true(cJSON_IsNull(get(wait, "p95")));
    assert_string_equal(get(wait, "basis")->valuestring, "lifetime average");
    assert_true(cJSON_IsNull(get(cJSON_GetArrayItem(get(root, "drives"), 4), "size_bytes")));
    cJSON_Delete(root);
}

static void test_story_comparison(void **state) {
    (void)state;
    Comparison *c = story_comparison(arena);
    leave_samples("compare", NULL, c);
    check_all(NULL, c);
    static const char *const said[] = {"The fix worked",
                                       "Switching the write cache on helped",
                                       "The bottleneck moved to the USB disk",
                                       "write through",
                                       "write back",
                                       "68.4x",
                                       "0.424x",
                                       "1.14x",
                                       "both are averages since one import",
                                       "the effect of TRIM",
                                       "24172J800458",
                                       "before:sysfs.txt:41",
                                       "microserver-after.tar.gz"};
    for (int f = 0; f < 3; f++) {
        Str report = written(NULL, c, all_formats[f], false);
        Str words = squeezed(all_formats[f] == REPORT_HTML       ? check_html(report)
                             : all_formats[f] == REPORT_MARKDOWN ? check_markdown(report)
                                                                 : report);
        for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
            if (all_formats[f] == REPORT_TEXT && (i == 8 || i == 10 || i == 11 || i == 12))
                continue; /* wrapped cells */
            assert_has(words, squeezed(str_of(said[i])).p);
        }
    }
    /* figures that cannot be compared are grey, in words too */
    assert_has(written(NULL, c, REPORT_HTML, false), "<tr class=\"muted\">");
    cJSON *root = parsed(written(NULL, c, REPORT_JSON, false));
    assert_string_equal(get(cJSON_GetArrayItem(get(root, "resolved"), 0), "rule")->valuestring,
                        "drive-write-cache-off");
    assert_int_equal(cJSON_GetArraySize(get(root, "changes")), 4);
    cJSON_Delete(root);
}

/* Every string of the diagnosis is the attack; it must be read back as it is, and as nothing else. */
static void test_attacks(void **state) {
    (void)state;
    for (size_t i = 0; i < ATTACKS; i++) {
        attack = attacks[i];
        Diagnosis *d = attack_diagnosis(arena);
        check_all(d, NULL);
        for (size_t bundles = 0; bundles <= 3; bundles++) check_all(NULL, attack_comparison(arena, bundles));
        Str html = squeezed(check_html(written(d, NULL, REPORT_HTML, false)));
        Str markdown = squeezed(check_markdown(written(d, NULL, REPORT_MARKDOWN, false)));
        assert_has(html, attack_shown());
        assert_has(markdown, attack_shown());
        cJSON *root = parsed(written(d, NULL, REPORT_JSON, false));
        assert_string_equal(get(get(root, "bundle"), "label")->valuestring, clean(arena, attack, CLEAN_KEEP).p);
        cJSON_Delete(root);
        if (attacks[i].p == attack_html) leave_samples("attack-html", d, NULL);
        if (attacks[i].p == attack_markdown) leave_samples("attack-markdown", d, NULL);
    }
    attack = STR_NONE;
}

static void test_long_strings(void **state) {
    (void)state;
    enum { LONG = 100 * 1000 };
    static const char *const patterns[] = {"A", "<b>", "` ", "@u ", "\xff", "|\\", "a\n", "\033["};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *p = arena_alloc(arena, LONG);
        for (size_t k = 0; k < LONG; k++) p[k] = patterns[i][k % strlen(patterns[i])];
        attack = (Str){p, LONG};
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        d->bundle.host = d->bundle.label = d->verdict = attack;
        d->status = STR("causes");
        Finding *f = finding_add(arena, &d->causes, "rule", "cause", "");
        f->title = attack;
        f->confidence = 0.7;
        VEC_PUSH(arena, &f->subjects, attack_subject());
        attack_evidence(arena, &f->evidence, 2);
        NotChecked n = {.title = attack};
        VEC_PUSH(arena, &n.ask, attack);
        VEC_PUSH(arena, &d->not_checked, n);
        check_all(d, NULL);
    }
    attack = STR_NONE;
}

static void test_empty(void **state) {
    (void)state;
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    d->capture = (CaptureInfo){.start_s = NAN, .end_s = NAN, .sampling_s = NAN, .complete = -1};
    check_all(d, NULL);
    Str text = written(d, NULL, REPORT_TEXT, false);
    assert_has(text, "There is too little evidence");
    assert_has(text, "No cause was found.");
    assert_has(text, "No drive could be told");
    leave_samples("empty", d, NULL);
    d->status = STR("nothing_in_evidence");
    text = written(d, NULL, REPORT_TEXT, false);
    assert_has(text, "Nothing wrong was found in the evidence.");
    assert_false(str_has(text, "healthy"));
    Comparison *c = arena_new_of(arena, Comparison);
    check_all(NULL, c);
    assert_has(written(NULL, c, REPORT_TEXT, false), "No finding changed");
}

static void test_made_with_test_tools(void **state) {
    (void)state;
    Diagnosis *d = story_before(arena);
    d->bundle.test_path = STR("/opt/fake-tools/bin");
    VEC_PUSH(arena, &d->warnings, STR("rule page left out: rules/drive/x.md:7: no such table"));
    for (int f = 0; f < 3; f++) {
        Str report = written(d, NULL, all_formats[f], false);
        assert_has(report, "Made with test tools");
        assert_has(report, "/opt/fake-tools/bin");
        assert_has(report, "rule page left out");
    }
    assert_has(written(d, NULL, REPORT_TEXT, true), "Made with test tools");
}

/* A finding that belongs to another one stands in its card, once, and is no cause of its own in the short form. */
static void test_inside(void **state) {
    (void)state;
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    Finding *outer = finding_add(arena, &d->causes, "outer-rule", "cause", "The outer finding");
    Finding *part = finding_add(arena, &d->causes, "part-rule", "cause", "The part of it");
    paragraph(arena, &part->summary, "Says the part.");
    outer->rank = part->rank = 1;
    part->inside = outer;
    NotChecked open = {.rule = STR("cpu"), .title = STR("The processor")};
    VEC_PUSH(arena, &open.ask, STR("mpstat 1"));
    evidence_add(arena, &open.statements, "complaint.txt", 7, "CPU <and> network look fine", "");
    VEC_PUSH(arena, &d->not_checked, open);
    open.rule = STR("net");
    open.title = STR("The network");
    VEC_PUSH(arena, &d->not_checked, open);
    for (int f = 0; f < 3; f++) {
        Str report = written(d, NULL, all_formats[f], false), squeeze = squeezed(report);
        size_t at = str_find(squeeze, "Saysthepart"), outer_rule = str_find(squeeze, "outer-rule");
        assert_true(at != SIZE_MAX && outer_rule != SIZE_MAX && at < outer_rule); /* the card ends with its rule */
        assert_false(str_has(str_from(squeeze, at + 5), "Saysthepart"));
        assert_has(squeeze, "astatement,whichnothingintheevidenceproves");
        size_t said = str_find(squeeze, "networklookfine");
        assert_true(said != SIZE_MAX);
        assert_false(
            str_has(str_from(squeeze, said + 5), "networklookfine")); /* one line, though two suspects quote it */
        if (all_formats[f] == REPORT_HTML) assert_has(report, "&lt;and&gt;");
    }
    assert_false(str_has(written(d, NULL, REPORT_TEXT, true), "The part of it"));
    assert_has(written(d, NULL, REPORT_JSON, false), "\"inside\":\t\"outer-rule\"");
}

/* A danger stands before its step and is no part of it; what is translated is set apart alike. */
static void test_dangers(void **state) {
    (void)state;
    static const struct {
        const char *danger, *shown;
    } rows[] = {{"Danger: it bites.", "Danger: it bites."},
                {"Peligro: muerde.", "Peligro: muerde."},
                {"\xd0\x9e\xd0\xbf\xd0\xb0\xd1\x81\xd0\xbd\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c: x.",
                 "\xd0\x9e\xd0\xbf\xd0\xb0\xd1\x81\xd0\xbd\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c: x."}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        Finding *f = finding_add(arena, &d->causes, "rule", "cause", "title");
        f->rank = 1;
        block_add(arena, &f->fix, BLOCK_ITEM, 1, 1, span_of(STR("Pat the dog. "), 0),
                  span_of(str_of(rows[i].danger), SPAN_STRONG));
        /* a small letter of another alphabet begins no sentence, a capital one does */
        paragraph(arena, &f->not_this, "It is a cat. Never pat the wolf, cf. яд. Никогда.");
        Str html = written(d, NULL, REPORT_HTML, false), card = str_from(html, str_find(html, "id=\"finding-1\""));
        size_t box = str_find(card, "class=\"box bad danger\" role=\"note\""), step = str_find(card, "Pat the dog.");
        assert_true(box != SIZE_MAX && step != SIZE_MAX && box < step);
        Str text = written(d, NULL, REPORT_TEXT, false);
        card = str_from(text, str_find(text, "1. title"));
        assert_has(card, arena_fmt(arena, "   1. ! %s\n      Pat the dog.\n", rows[i].shown));
        Str markdown = written(d, NULL, REPORT_MARKDOWN, false);
        size_t colon = str_find_ch(str_of(rows[i].shown), ':') + 1;
        assert_has(markdown, arena_fmt(arena, "1. > **%.*s**%s\n\n   Pat the dog.\n", (int)colon, rows[i].shown,
                                       rows[i].shown + colon));
        for (int brief = 0; brief < 2; brief++)
            assert_has(written(d, NULL, REPORT_MARKDOWN, brief), "**Not this:** Never pat the wolf, cf. яд.\n");
        cJSON *root = parsed(written(d, NULL, REPORT_JSON, false)); /* as the page has it */
        const cJSON *fix = get(cJSON_GetArrayItem(get(root, "causes"), 0), "fix");
        assert_string_equal(cJSON_GetArrayItem(fix, 0)->valuestring,
                            arena_fmt(arena, "Pat the dog. %s", rows[i].danger));
        cJSON_Delete(root);
    }
}

/* What is pasted as a whole only reads, whatever a page asks for. */
static void test_block_of_commands(void **state) {
    (void)state;
    static const struct {
        const char *ask, *linux, *freebsd; /* NULL: not in the block */
    } rows[] = {
        {"smartctl -x /dev/sdX", "for d in /dev/sd[a-z]; do echo \"== $d\"; sudo smartctl -x $d; done",
         "for d in $(sysctl -n kern.disks); do echo \"== $d\"; sudo smartctl -x /dev/$d; done"},
        {"zpool status POOL", "sudo zpool status", "sudo zpool status"},
        {"iostat -dxmt 1 60", "iostat -dxmt 1 60", "iostat -x -w 1 -c 60"},
        {"lsblk -o NAME,SIZE", "lsblk -o NAME,SIZE", NULL},
        {"swapinfo -k # FreeBSD", NULL, "swapinfo -k  # FreeBSD"},
        {"smartctl -t long /dev/sdX", NULL, NULL},
        {"hdparm -W1 /dev/sda", NULL, NULL},
        {"zpool clear POOL", NULL, NULL},
        {"zpool events -c", NULL, NULL},
        {"dmesg", "sudo dmesg", "sudo dmesg"},
        {"dmesg -C", NULL, NULL},
        {"sensors -s", NULL, NULL},
        {"dmidecode --dump-bin FILE.bin", NULL, NULL},
        {"gmirror status", NULL, "sudo gmirror status"},
        {"gmirror destroy gm0", NULL, NULL},
        {"nvmecontrol logpage -p 2 nvme0", NULL, "sudo nvmecontrol logpage -p 2 nvme0"},
        {"nvmecontrol format nvme0ns1", NULL, NULL},
        {"zpool status; reboot", NULL, NULL},
        {"zpool status $(reboot)", NULL, NULL},
        {"cat /proc/x > /dev/sda", NULL, NULL},
        {"cat /proc/x `reboot`", NULL, NULL},
        {"cat /proc/x\nreboot", NULL, NULL},
        {"btrfs scrub status MOUNTPOINT", NULL, NULL},
        {"dumpe2fs -h /dev/sdXN", NULL, NULL},
        {"the command line of the test", NULL, NULL},
    };
    for (int freebsd = 0; freebsd < 2; freebsd++) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        d->bundle.os = freebsd ? STR("FreeBSD 14.1") : STR("Debian");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            NotChecked n = {.rule = arena_strf(arena, "rule%zu", i),
                            .kind = STR("cause"),
                            .title = arena_strf(arena, "title%zu", i)};
            VEC_PUSH(arena, &n.ask, str_of(rows[i].ask));
            VEC_PUSH(arena, &d->not_checked, n);
        }
        Str text = written(d, NULL, REPORT_TEXT, false);
        size_t from = str_find(text, "To paste as a whole");
        assert_true(from != SIZE_MAX);
        text = str_from(text, from);
        Str line;
        size_t lines = 0, wanted = 0;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *expected = freebsd ? rows[i].freebsd : rows[i].linux;
            if (!expected) continue;
            wanted++;
            assert_has(text, arena_fmt(arena, "\n    %s\n", expected));
        }
        str_cut(&text, '\n');
        while (text.len && !str_starts(line = str_cut(&text, '\n'), "- ")) lines += str_starts(line, "    ");
        assert_int_equal(lines, wanted);
    }
}

/* A drive that loses data when it is asked stands in no command, and the reader is told before he pastes any. */
static void test_block_spares_drives(void **state) {
    (void)state;
    for (int freebsd = 0; freebsd < 2; freebsd++) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        d->bundle.os = freebsd ? STR("FreeBSD 14.1") : STR("Debian");
        static const char *const names[2][4] = {{"sda", "sdb", "sdc", "nvme0n1"}, {"ada0", "ada1", "ada2", "nvd0"}};
        for (size_t i = 0; i < 4; i++) {
            DriveInfo x = {.name = str_of(names[freebsd][i]), .id = str_of(names[freebsd][i])};
            if (i == 1) x.denylist = STR("data may be lost when it is asked");
            VEC_PUSH(arena, &d->drives, x);
        }
        static const char *const asks[] = {"smartctl -x /dev/sdX", "smartctl -i /dev/sdb", "smartctl -i /dev/ada1"};
        for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
            NotChecked n = {.rule = arena_strf(arena, "rule%zu", i), .kind = STR("cause"), .title = STR("title")};
            VEC_PUSH(arena, &n.ask, str_of(asks[i]));
            VEC_PUSH(arena, &d->not_checked, n);
        }
        Str text = written(d, NULL, REPORT_TEXT, false);
        size_t told = str_find(text, arena_fmt(arena, "Do not query %s:", names[freebsd][1])),
               block = str_find(text, "To paste as a whole");
        assert_true(told < block && block != SIZE_MAX);
        text = str_from(text, block);
        text = str_sub(text, 0, str_find(text, "\n- "));
        assert_has(text, freebsd ? "for d in ada0 ada2 nvd0; do" : "for d in /dev/sda /dev/sdc /dev/nvme0n1; do");
        assert_false(str_has(text, names[freebsd][1]));
        assert_has(written(d, NULL, REPORT_TEXT, true), "being asked can cost data");
    }
}

/* --brief has few lines, but never half a command. */
static void test_brief_commands(void **state) {
    (void)state;
    for (int pad = 1; pad < 400; pad += 7) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        Finding *f = finding_add(arena, &d->causes, "rule", "cause", "title");
        StrBuf words;
        sb_init(&words, arena);
        for (int i = 0; i < pad; i++) sb_addz(&words, i % 6 ? "x" : " ");
        sb_addz(&words, " run ");
        item(arena, &f->fix, 1, sb_str(&words).p, "zpool replace storage old new");
        Str brief = written(d, NULL, REPORT_TEXT, true);
        size_t ticks = 0;
        for (size_t i = 0; i < brief.len; i++) ticks += brief.p[i] == '`';
        assert_true(ticks == 0 || ticks == 2);
        assert_true(ticks || str_has(brief, "\xe2\x80\xa6"));
        assert_true(line_count(brief) <= BRIEF_LINES);
        f->fix = (Rich){0};
        item(arena, &f->fix, 1, "Do this:", "");
        code_block(arena, &f->fix, 1, "for d in a b; do\n  echo $d\ndone");
        assert_false(str_has(written(d, NULL, REPORT_TEXT, true), "for d in"));
    }
}

/* A link of a rule page is kept where it goes to the web, and nowhere else. */
static void test_links(void **state) {
    (void)state;
    static const struct {
        const char *url;
        bool kept;
    } rows[] = {{"https://ours.example/a?b=c&d=e", true},
                {"javascript:alert(1)", false},
                {"https://ours.example/\" onclick=\"x", false},
                {"https://ours.example/a b", false},
                {"data:text/html,x", false},
                {"https://ours.example/>", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diagnosis *d = arena_new_of(arena, Diagnosis);
        Finding *f = finding_add(arena, &d->causes, "rule", "cause", "title");
        block_add(arena, &f->summary, BLOCK_PARAGRAPH, 0, 0,
                  (Span){.text = STR("manual"), .style = SPAN_LINK, .url = str_of(rows[i].url)}, (Span){0});
        Str html = written(d, NULL, REPORT_HTML, false), markdown = written(d, NULL, REPORT_MARKDOWN, false);
        check_html(html);
        assert_int_equal(str_has(html, "href=\"https://ours.example/a?b=c&amp;d=e\""), rows[i].kept);
        assert_int_equal(str_has(markdown, "[manual](<https://ours.example/a?b=c&d=e>)"), rows[i].kept);
        assert_has(written(d, NULL, REPORT_TEXT, false),
                   rows[i].kept ? "manual (https://ours.example/a?b=c&d=e)" : "manual");
    }
}

/* Hundreds of drives, sources and lines: shortened where it is read by eye, whole where it is not. */
static void test_large(void **state) {
    (void)state;
    enum { MANY = 600 };
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    Finding *f = finding_add(arena, &d->causes, "rule", "cause", "title");
    for (int i = 0; i < MANY; i++) {
        Subject s = {.node = i + 1, .kind = STR("drive"), .name = arena_strf(arena, "disk%d", i)};
        VEC_PUSH(arena, &f->subjects, s);
        evidence_add(arena, &f->evidence, arena_fmt(arena, "member%d.txt", i), 1,
                     arena_fmt(arena, "text of line %d", i), "kernel");
        source_add(arena, d, arena_fmt(arena, "member%d.txt", i), i % 2 ? "smartctl" : "iostat",
                   i % 3 ? "parsed" : "failed", "why", i);
        DriveInfo x = {.node = i + 1, .name = s.name, .size_bytes = NAN};
        for (int k = 0; k < 3; k++)
            VEC_PUSH(
                arena, &x.metrics,
                ((Dist){arena_strf(arena, "m%d_ms", k), STR("iostat"), STR("1s averages"), 60, 1, 2, 3, NAN, NAN, 5}));
        VEC_PUSH(arena, &d->drives, x);
        VEC_PUSH(arena, &d->tree, ((TreeNode){i + 1, STR("drive"), s.name, STR_NONE, i % 4, i % 5 == 0, false}));
    }
    check_all(d, NULL);
    Str html = written(d, NULL, REPORT_HTML, false), text = written(d, NULL, REPORT_TEXT, false);
    assert_has(html, "text of line 599");
    assert_false(str_has(text, "text of line 599"));
    assert_has(text, "and 597 more lines in member3.txt, member4.txt, member5.txt and others");
    assert_has(text, "and 540 more rows");
    assert_true(line_count(text) < 3000);
}

static void test_unwritable(void **state) {
    (void)state;
    FILE *f = fopen("/dev/full", "wb");
    if (!f) skip();
    Diagnosis *d = story_before(arena);
    for (size_t i = 0; i < FORMATS; i++) {
        Error err = {{0}};
        assert_false(report_write_diagnosis(f, d, all_formats[i], false, &err));
        assert_true(str_starts(str_of(err.text), "cannot write the report"));
        clearerr(f);
    }
    fclose(f);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_format_names),
        cmocka_unit_test(test_story),
        cmocka_unit_test(test_story_comparison),
        cmocka_unit_test(test_markdown_words),
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_long_strings),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_made_with_test_tools),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_dangers),
        cmocka_unit_test(test_block_of_commands),
        cmocka_unit_test(test_block_spares_drives),
        cmocka_unit_test(test_brief_commands),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
