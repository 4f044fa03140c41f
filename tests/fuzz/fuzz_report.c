/*
 * Takes a text all the way: framed, resolved, diagnosed with the built-in rules, and reported in every format. A byte \002 stands for
 * what would be markup if a writer let it through.
 *
 * What has to hold: every report can be written; it is well-formed UTF-8 without control characters; the JSON is JSON; the
 * HTML has the tags of the writer and no others, no script, and links to http(s) and to itself only.
 */
#include "../../analyze/bundle/framing.h"
#include "../../analyze/diagnose/diagnose.h"
#include "../../analyze/parse/json.h"
#include "../../reports/clean.h"
#include "../../reports/reports.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#define MARKUP "<b onload=x()><script>\"'&amp;</td>"
enum { MARKUP_MARK = 2 };

static const char *const format_names[] = {"text", "markdown", "html", "json"};

static void check_characters(Str s, ReportFormat format) {
    for (size_t i = 0; i < s.len;) {
        uint32_t c;
        size_t n = utf8_decode(s, i, &c);
        if (c == 0xFFFD && !(n == 3 && memcmp(s.p + i, "\xEF\xBF\xBD", 3) == 0))
            fuzz_fail("the %s report is not UTF-8", format_names[format]);
        /* JSON is indented with tabs, and may hold any other character but these. */
        bool control = c < 32 && c != '\n' && !(c == '\t' && format == REPORT_JSON);
        bool steers = c == 0x7F || (c >= 0x80 && c < 0xA0) || (c >= 0x202A && c <= 0x202E);
        if (control || (steers && format != REPORT_JSON))
            fuzz_fail("the %s report has the character %x", format_names[format], (unsigned)c);
        i += n;
    }
}

/* Tags as the writer makes them: a name of letters, then attributes whose values hold no markup. */
static void check_html(Str html) {
    for (size_t i = 0; i < html.len; i++) {
        if (html.p[i] != '<') continue;
        Str tag = str_from(html, i + 1);
        size_t end = str_find_ch(tag, '>');
        if (end == SIZE_MAX) fuzz_fail("a tag without end: %.*s", STR_ARG(str_sub(tag, 0, 80)));
        tag.len = end;
        if (str_istarts(tag, "script") || str_ifind(tag, "onload") != SIZE_MAX || str_find_ch(tag, '<') != SIZE_MAX)
            fuzz_fail("text became markup: %.*s", STR_ARG(str_sub(tag, 0, 80)));
        size_t href = str_find(tag, "href=\"");
        if (href != SIZE_MAX) {
            Str url = str_from(tag, href + 6);
            if (!str_starts(url, "http://") && !str_starts(url, "https://") && !str_starts(url, "#") &&
                !str_starts(url, "data:,"))
                fuzz_fail("a link to %.*s", STR_ARG(str_sub(url, 0, 80)));
        }
        i += end;
    }
}

static void report(const Diagnosis *d, Arena *scratch) {
    for (int format = REPORT_TEXT; format <= REPORT_JSON; format++)
        for (int brief = 0; brief < 2; brief++) {
            char *p = NULL;
            size_t len = 0;
            Error err = {""};
            FILE *out = open_memstream(&p, &len);
            if (!out || !report_write_diagnosis(out, d, (ReportFormat)format, brief, &err))
                fuzz_fail("no report: %s", err.text);
            fclose(out);
            Str text = {p, len};
            check_characters(text, (ReportFormat)format);
            if (format == REPORT_HTML) check_html(text);
            if (format == REPORT_JSON && !json_read(scratch, text, &err))
                fuzz_fail("the JSON report is none: %s", err.text);
            free(p);
        }
}

void fuzz_report(Str text) {
    static Arena *rules;
    static Pages pages;
    Error err = {""};
    if (!rules) {
        rules = arena_new((size_t)64 << 20);
        if (!pages_load(rules, NULL, &pages, &err)) fuzz_fail("%s", err.text);
    }
    FuzzFacts f;
    fuzz_facts_open(&f);
    StrBuf marked;
    sb_init(&marked, f.arena);
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] == MARKUP_MARK) sb_addz(&marked, MARKUP);
        else sb_addc(&marked, text.p[i]);
    FuzzText source = fuzz_text(sb_str(&marked));
    LineReader r;
    reader_open(&r, &source.src);
    Member m = {.facts = f.facts,
                .arena = f.arena,
                .scratch = f.scratch,
                .bundle = f.bundle,
                .capture = f.capture,
                .path = STR("-")};
    frame_member(&m, &r);
    reader_close(&r);
    if (!facts_resolve(f.facts, &err)) fuzz_fail("%s", err.text);
    const Diagnosis *d = diagnose(f.facts, f.arena, &pages, f.bundle, &err);
    if (!d) fuzz_fail("no diagnosis: %s", err.text);
    report(d, f.scratch);
    fuzz_facts_close(&f);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_report((Str){(const char *)data, size});
    return 0;
}
#endif
