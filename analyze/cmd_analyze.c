#include "command.h"
#include "diagnose/diagnose.h"
#include "diagnose/redact_report.h"

#include "../reports/reports.h"

static const char usage[] =
    "INPUT [-o FILE] [--format html|markdown|text|json] [--brief] [--lang CODE] [--redact] [--rules DIR] [--exit-zero]";

int cmd_analyze(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, "ofbrzdl", usage, &o)) return EXIT_USAGE;
    if (argc - o.first != 1)
        return usage_error("analyze", usage, argc == o.first ? "no input given" : "one input is expected");
    ReportFormat format = REPORT_TEXT;
    Str wanted = o.format ? str_of(o.format) : o.output ? str_of(o.output) : STR_NONE;
    if ((o.format || wanted.len) && !report_format_from_name(wanted, &format) && o.format)
        return usage_error("analyze", usage, "unknown format %s", o.format);
    if (!choose_language("analyze", usage, &o, format == REPORT_JSON)) return EXIT_USAGE;

    Str key = o.redact ? redact_key(&o) : STR_NONE;
    if (o.redact && !key.p) return EXIT_USAGE;

    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, argv + o.first, 1)) {
        Error err = {""};
        Pages pages;
        Diagnosis *d = NULL;
        if (pages_load(run.arena, o.rules, &pages, &err))
            d = diagnose(run.facts, run.arena, &pages, run.bundles[0], &err);
        if (d && o.redact) redact_diagnosis(redactor_of_facts(run.facts, run.arena, key), d);
        FILE *out = d ? output_open(o.output) : NULL;
        if (!d) unreadable(&err);
        if (out) {
            bool written = report_write_diagnosis(out, d, format, o.brief, &err);
            if (!written) unreadable(&err);
            if (output_close(out, o.output) && written)
                code = o.exit_zero                         ? 0
                       : str_is(d->status, "causes")       ? EXIT_CAUSES
                       : str_is(d->status, "insufficient") ? EXIT_INSUFFICIENT
                                                           : EXIT_NOTHING_WRONG;
        }
    }
    run_end(&run);
    return code;
}
