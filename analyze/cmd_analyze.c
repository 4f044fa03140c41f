#include "command.h"
#include "diagnose/diagnose.h"
#include "diagnose/figures.h"
#include "diagnose/redact_report.h"
#include "progress.h"

int cmd_analyze(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first != 1)
        return usage_error("analyze", STR_NONE, argc == o.first ? "no input given" : "one input is expected");
    ReportFormat format;
    if (!choose_format(&o, &format)) return EXIT_USAGE;
    if (!choose_language(&o, format == REPORT_JSON)) return EXIT_USAGE;

    Str key = o.redact ? redact_key(&o) : STR_NONE;
    if (o.redact && !key.p) return EXIT_USAGE;

    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, &o, argv + o.first, 1)) {
        Error err = {""};
        Pages pages;
        Diagnosis *d = NULL;
        progress_phase("judging");
        if (pages_load(run.arena, o.rules, &pages, &err))
            d = diagnose(run.facts, run.arena, &pages, run.bundles[0], &err);
        if (d && format != REPORT_JSON && !o.brief)
            figures_fill(run.facts, run.arena, d, format == REPORT_HTML ? FIGURES_ALL : FIGURES_EVENTS);
        if (d && o.redact) redact_diagnosis(redactor_of_facts(run.facts, run.arena, key), d);
        FILE *out = d ? report_open(&o) : NULL;
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
