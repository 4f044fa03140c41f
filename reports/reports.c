#include "reports.h"

#include "layout.h"
#include "writers.h"

#include <errno.h>

/* A report is a few times its diagnosis, which has budgets of its own. */
static const size_t memory_limit = (size_t)1 << 30;

static TextLook look = {.columns = 80};

void report_fit(int columns, bool colour) {
    if (columns <= 0) columns = 80;
    look = (TextLook){.columns = columns < TEXT_NARROWEST ? TEXT_NARROWEST
                                 : columns > TEXT_WIDEST  ? TEXT_WIDEST
                                                          : (size_t)columns,
                      .colour = colour};
}

static bool finish(FILE *out, bool good, Error *err) {
    if (!good) return false;
    errno = 0;
    if (fflush(out) != 0 || ferror(out))
        return error_set(err, "cannot write the report: %s", errno ? strerror(errno) : "error");
    return true;
}

static bool write_doc(FILE *out, const Doc *doc, ReportFormat format, Error *err) {
    switch (format) {
    case REPORT_HTML: return write_html(out, doc, err);
    case REPORT_MARKDOWN: return write_markdown(out, doc, err);
    case REPORT_TEXT:
    case REPORT_JSON: break;
    }
    return write_text(out, doc, &look, err);
}

bool report_write_diagnosis(FILE *out, const Diagnosis *d, ReportFormat format, bool brief, Error *err) {
    Arena *a = arena_new(memory_limit);
    bool good = format == REPORT_JSON ? write_json_diagnosis(out, a, d, err)
                                      : write_doc(out, layout_diagnosis(a, d, brief), format, err);
    arena_free(a);
    return finish(out, good, err);
}

bool report_write_comparison(FILE *out, const Comparison *c, ReportFormat format, bool brief, Error *err) {
    Arena *a = arena_new(memory_limit);
    bool good = format == REPORT_JSON ? write_json_comparison(out, a, c, err)
                                      : write_doc(out, layout_comparison(a, c, brief), format, err);
    arena_free(a);
    return finish(out, good, err);
}

bool report_format_from_name(Str name, ReportFormat *format) {
    static const struct {
        const char *name;
        ReportFormat format;
    } names[] = {{"html", REPORT_HTML}, {"htm", REPORT_HTML}, {"markdown", REPORT_MARKDOWN}, {"md", REPORT_MARKDOWN},
                 {"text", REPORT_TEXT}, {"txt", REPORT_TEXT}, {"json", REPORT_JSON}};
    size_t dot = str_rfind_ch(name, '.');
    Str word = dot == SIZE_MAX ? name : str_from(name, dot + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_ieq(word, str_of(names[i].name))) {
            *format = names[i].format;
            return true;
        }
    return false;
}
