#include "registry.h"

#include <stdio.h>

#define PARSER(n) extern const Parser parser_##n;
#include "parsers.def"
#undef PARSER

const Parser *const parsers[] = {
#define PARSER(n) &parser_##n,
#include "parsers.def"
#undef PARSER
};
const size_t parser_count = sizeof parsers / sizeof *parsers;

const Parser *registry_best(Str path, Str command, Str head, int *bid) {
    const Parser *best = NULL;
    *bid = 0;
    for (size_t i = 0; i < parser_count; i++) {
        int b = parsers[i]->bid(path, command, head);
        if (b > *bid) {
            *bid = b;
            best = parsers[i];
        }
    }
    return best;
}

const Parser *registry_starts(Str line, const Parser *except) {
    for (size_t i = 0; i < parser_count; i++)
        if (parsers[i] != except && parsers[i]->starts(line)) return parsers[i];
    return NULL;
}

const Parser *registry_find(Str name) {
    for (size_t i = 0; i < parser_count; i++)
        if (str_is(name, parsers[i]->name)) return parsers[i];
    return NULL;
}

const Parser *registry_by_command(Str path, Str command) {
    for (size_t i = 0; i < parser_count; i++) {
        Str ask = str_of(parsers[i]->ask), tool = str_word(&ask), second = str_word(&ask);
        if (str_is(tool, "cat") || str_is(tool, "grep") || str_is(tool, "ls")) continue;
        char word[32], sub[32];
        snprintf(word, sizeof word, "%.*s", STR_ARG(tool));
        snprintf(sub, sizeof sub, "%.*s", STR_ARG(second));
        if (command.len && command_is(command, word) && (!str_is(tool, "zpool") || str_has(command, sub))) return parsers[i];
    }
    Str base = str_basename(path);
    for (size_t i = 0; i < parser_count; i++)
        if (str_ifind(base, parsers[i]->name) != SIZE_MAX) return parsers[i];
    return NULL;
}

Str registry_failure(Str text) {
    static const char *const words[] = {
        "command not found", "not found",        "No such file or directory", "Permission denied",      "permission denied",
        "timed out",         "Operation not permitted", "not permitted",      "must be root",           "Connection refused",
        "Segmentation fault", "cannot open",     "not installed",             "failed to run command", "Unknown command",
        "Killed",            "Input/output error", "cannot access",           "only root",              "Cannot open",
    };
    Str rest = str_trim(text), first = STR_NONE;
    if (!rest.len || rest.len > 600) return STR_NONE; /* a failure is a few words */
    while (rest.len) {
        Str line = str_trim(str_cut(&rest, '\n'));
        if (!line.len) continue;
        bool failed = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !failed; i++) failed = str_has(line, words[i]);
        if (!failed) return STR_NONE;
        if (!first.p) first = line;
    }
    return first;
}
