#include "command.h"

static const char usage[] = "INPUT -o FILE.db";

int cmd_facts(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, "o", usage, &o)) return EXIT_USAGE;
    if (argc - o.first != 1)
        return usage_error("facts", usage, argc == o.first ? "no input given" : "one input is expected");
    if (!o.output) return usage_error("facts", usage, "-o FILE is needed");
    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, argv + o.first, 1)) {
        Error err = {""};
        if (facts_export(run.facts, o.output, &err)) code = 0;
        else unreadable(&err);
    }
    run_end(&run);
    return code;
}
