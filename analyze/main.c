/*
 * main.c - the command line
 */
#include "base/heap.h"
#include "base/version.h"
#include "command.h"

#include <string.h>

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

int main(int argc, char **argv) {
    heap_serve_libraries();
    if (argc < 2) {
        fputs("stordx: which command? See stordx --help\n", stderr);
        return EXIT_USAGE;
    }
    if (is_help(argv[1])) {
        const Command *c = argc > 2 ? command_named(argv[2]) : NULL;
        if (argc > 2 && !c) return unknown_command(argv[2]);
        if (c) help_of_command(stdout, c);
        else help_of_program(stdout);
        return output_close(stdout, NULL) ? 0 : EXIT_UNREADABLE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("stordx " STORDX_VERSION);
        return output_close(stdout, NULL) ? 0 : EXIT_UNREADABLE;
    }
    const Command *c = command_named(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}
