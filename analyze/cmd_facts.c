#include "command.h"
#include "progress.h"

int cmd_facts(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first != 1)
        return usage_error("facts", STR_NONE, argc == o.first ? "no input given" : "one input is expected");
    if (!o.output) return usage_error("facts", STR_NONE, "-o FILE is needed");
    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, &o, argv + o.first, 1)) {
        Error err = {""};
        progress_phase("writing the database");
        if (facts_export(run.facts, o.output, &err)) code = 0;
        else unreadable(&err);
    }
    run_end(&run);
    return code;
}
