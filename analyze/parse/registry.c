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

/* Does `command` run what the parser asks for? "zpool" is several tools, told apart by their verb; cat, grep and ls are
   told apart by what they read. */
static bool asks_for(const Parser *parser, Str command) {
    for (Str all = str_of(parser->ask); all.len;) {
        Str ask = str_trim(str_cut(&all, ';')), tool;
        do tool = str_word(&ask);
        while (tool.len && str_find_ch(tool, '=') != SIZE_MAX); /* S_TIME_FORMAT=ISO iostat */
        char word[64];
        if (!tool.len || tool.len >= sizeof word) continue;
        snprintf(word, sizeof word, "%.*s", STR_ARG(tool));
        if (str_is(tool, "cat") || str_is(tool, "grep") || str_is(tool, "ls")) {
            for (Str arg; (arg = str_word(&ask)).len;) {
                size_t n = 0;
                while (n < arg.len && arg.p[n] != '*' && arg.p[n] != '{') n++;
                if (arg.p[0] != '/' || n < 6 || n >= sizeof word) continue;
                snprintf(word, sizeof word, "%.*s", (int)n, arg.p);
                if (str_has(command, word)) return true;
            }
        } else if (command_is(command, word)) {
            if (!str_is(tool, "zpool")) return true;
            Str verb = str_word(&ask);
            snprintf(word, sizeof word, "%.*s", STR_ARG(str_sub(verb, 0, sizeof word - 1)));
            if (str_has(command, word)) return true;
        }
    }
    return false;
}

const Parser *registry_by_command(Str path, Str command) {
    for (size_t i = 0; command.len && i < parser_count; i++)
        if (asks_for(parsers[i], command)) return parsers[i];
    Str base = str_basename(path);
    for (size_t i = 0; i < parser_count; i++)
        if (str_ifind(base, parsers[i]->name) != SIZE_MAX) return parsers[i];
    /* "hdparm_sda.out", "dmesg.txt", "zpool-status-t.txt": words of the name as a command line */
    char words[128];
    size_t n = base.len < sizeof words ? base.len : sizeof words;
    for (size_t i = 0; i < n; i++) words[i] = ch_alnum(base.p[i]) ? base.p[i] : ' ';
    for (size_t i = 0; n && i < parser_count; i++)
        if (asks_for(parsers[i], (Str){words, n})) return parsers[i];
    return NULL;
}

Str registry_failure(Str text) {
    static const char *const words[] = {
        "command not found",
        "not found",
        "No such file or directory",
        "Permission denied",
        "permission denied",
        "timed out",
        "Operation not permitted",
        "not permitted",
        "must be root",
        "Connection refused",
        "Segmentation fault",
        "cannot open",
        "not installed",
        "failed to run command",
        "Unknown command",
        "Killed",
        "Input/output error",
        "cannot access",
        "only root",
        "Cannot open",
        /* the shells' and the C library's words in other languages */
        "nicht gefunden",
        "Keine Berechtigung",
        "Vorgang nicht zul\xc3\xa4ssig",
        "commande introuvable",
        "Permission non accord\303\251e",
        "Aucun fichier ou dossier",
        "no se encontr\xc3\xb3",
        "orden no encontrada",
        "Permiso denegado",
        "No existe el",
        "comando non trovato",
        "Permesso negato",
        "File o directory non esistente",
        "opdracht niet gevonden",
        "Toegang geweigerd",
        "comando n\xc3\xa3o encontrado",
        "Permiss\xc3\xa3o negada",
        "Arquivo ou diret\xc3\xb3rio inexistente",
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
