/*
 * main.c - the command line
 */
#include "base/heap.h"
#include "base/version.h"
#include "command.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *args, *what;
} commands[] = {
    {"analyze", cmd_analyze, "INPUT [-o FILE] [--format html|markdown|text|json] [--brief] [--lang CODE] [--redact]",
     "say which part is to blame, and what to do"},
    {"compare", cmd_compare, "INPUT [INPUT...] [-o FILE] [--format ...] [--lang CODE]",
     "what changed between captures, and did it help"},
    {"identify", cmd_identify, "INPUT", "what each piece of the input was recognised as"},
    {"facts", cmd_facts, "INPUT -o FILE.db", "write the fact database for any SQLite tool"},
    {"sql", cmd_sql, "INPUT 'SELECT ...'", "query the facts"},
    {"rules", cmd_rules, "[lint|test] [--rules DIR] [--lang CODE]", "list, check or test the rule pages"},
    {"explain", cmd_explain, "RULE [--lang CODE]", "print one rule page"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *out) {
    fputs("stordx - which part makes this host's storage slow\n\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  stordx %-9s %s\n  %-16s %s\n", commands[i].name, commands[i].args, "", commands[i].what);
    fputs("\nINPUT is an archive, a folder, a file, or - for standard input.\n"
          "A report speaks the language of the locale if it can (en, es, ru), or that of --lang; JSON is English "
          "without it.\n"
          "Exit: 0 nothing wrong in the evidence, 1 causes found, 2 usage, 3 input unreadable, 4 too little evidence "
          "to say.\n",
          out);
}

int main(int argc, char **argv) {
    heap_serve_libraries();
    if (argc < 2) {
        fputs("stordx: which command? See stordx --help\n", stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("stordx " STORDX_VERSION);
        return 0;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
                printf("stordx %s %s\n  %s\n", commands[i].name, commands[i].args, commands[i].what);
                return 0;
            }
            return commands[i].run(argc - 1, argv + 1);
        }
    fprintf(stderr, "stordx: unknown command %s; see stordx --help\n", argv[1]);
    return EXIT_USAGE;
}
