#include "command.h"
#include "diagnose/diagnose.h"
#include "diagnose/redact_report.h"
#include "progress.h"

static bool has_cause(const FindingList *list) {
    for (size_t i = 0; i < list->count; i++)
        if (str_is(list->items[i]->kind, "cause") && list->items[i]->rank > 0 && !list->items[i]->covered_by.len)
            return true;
    return false;
}

int cmd_compare(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first < 1) return usage_error("compare", STR_NONE, "two inputs or more are expected");
    ReportFormat format;
    if (!choose_format(&o, &format)) return EXIT_USAGE;
    if (!choose_language(&o, format == REPORT_JSON)) return EXIT_USAGE;

    Str key = o.redact ? redact_key(&o) : STR_NONE;
    if (o.redact && !key.p) return EXIT_USAGE;

    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, &o, argv + o.first, (size_t)(argc - o.first))) {
        Error err = {""};
        Pages pages;
        Comparison *c = NULL;
        if (run.bundle_count == 1 && captures_of_bundle(run.facts, run.bundles[0]) < 2) {
            code = usage_error("compare", STR_NONE, "two inputs or more are expected, or one that holds two captures");
            run_end(&run);
            return code;
        }
        progress_phase("judging");
        if (pages_load(run.arena, o.rules, &pages, &err))
            c = compare_bundles(run.facts, run.arena, &pages, run.bundles, run.bundle_count, &err);
        if (c && o.redact) redact_comparison(redactor_of_facts(run.facts, run.arena, key), c);
        FILE *out = c ? report_open(&o) : NULL;
        if (!c) unreadable(&err);
        if (out) {
            bool written = report_write_comparison(out, c, format, o.brief, &err);
            if (!written) unreadable(&err);
            if (output_close(out, o.output) && written) {
                const Diagnosis *last = c->stages.items[c->stages.count - 1];
                code = o.exit_zero                                       ? 0
                       : c->different_hosts                              ? EXIT_INSUFFICIENT
                       : has_cause(&c->new_) || has_cause(&c->remaining) ? EXIT_CAUSES
                       : str_is(last->status, "insufficient")            ? EXIT_INSUFFICIENT
                                                                         : EXIT_NOTHING_WRONG;
            }
        }
    }
    run_end(&run);
    return code;
}
