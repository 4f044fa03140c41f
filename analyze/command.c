#include "command.h"

#include "base/lang.h"
#include "base/nearest.h"
#include "base/redact.h"
#include "base/terminal.h"
#include "bundle/bundle.h"
#include "progress.h"

#include "../reports/clean.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t arena_limit = (size_t)4 << 30;

/* ---------------------------------------------------------------- the commands and their options */

#define INPUT_IS "INPUT is an archive, a folder, a file, or - for standard input.\n"
#define EXITS                                                                                                          \
    "Exit: 0 nothing wrong in the evidence, 1 causes found, 2 usage,\n"                                                \
    "3 input unreadable, 4 too little evidence to say.\n"
#define EXITS_READ "Exit: 0 done, 2 usage, 3 input unreadable.\n"

static const Command commands[] = {
    {"analyze", cmd_analyze, "INPUT", "Say which part is to blame, and what to do", "ofbdkrlczvqh", INPUT_IS, EXITS,
     "stordx analyze upload.tar.xz -o report.html"},
    {"compare", cmd_compare, "INPUT...", "Say what changed between captures, and did it help", "ofbdkrlczvqh",
     "Two uploads or more, the oldest first, or one that holds several captures.\n",
     "Exit: 0 no cause is new or remains, 1 one does, 2 usage, 3 input unreadable,\n"
     "4 too little evidence to say.\n",
     "stordx compare before.tgz after.tgz -o report.html"},
    {"identify", cmd_identify, "INPUT", "Say what each piece of the input was recognised as", "vqh", INPUT_IS,
     EXITS_READ, "stordx identify upload.tgz"},
    {"facts", cmd_facts, "INPUT -o FILE.db", "Write the fact database for any SQLite tool", "ovqh",
     INPUT_IS "FILE must not exist yet. Its tables: man 5 stordx-facts.\n", EXITS_READ,
     "stordx facts upload.tgz -o facts.db"},
    {"sql", cmd_sql, "INPUT 'SELECT ...'", "Query the facts; cells have tabs between them", "vqh",
     INPUT_IS "One statement that reads. Tables and functions: man 5 stordx-facts.\n",
     "Exit: 0 done, 2 usage or an error in the statement, 3 input unreadable.\n",
     "stordx sql upload.tgz \"SELECT name, model, serial FROM drive\""},
    {"rules", cmd_rules, "[list | lint | test [RULE...]]", "List, check or test the rule pages", "rlh",
     "  list            each page: id, kind, layer, title; this is the default\n"
     "  lint            check all that needs no upload: names, SQL, sections\n"
     "  test [RULE...]  run the cases at the end of the pages, or of these pages\n",
     "Exit: 0 fine, 1 a problem or a failed case, 2 usage, 3 DIR unreadable.\n", "stordx rules test --rules DIR"},
    {"explain", cmd_explain, "RULE", "Print one rule page", "rlh", "RULE is an id of `stordx rules`, or a symptom.\n",
     "Exit: 0 done, 2 no such rule, 3 DIR unreadable.\n", "stordx explain drive-write-cache-off"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* In the order in which help shows them. */
static const struct {
    char letter; /* of Command.options; its short form too where it has one */
    bool has_short;
    const char *name, *value, *what;
} options[] = {
    {'o', true, "output", "FILE", "write to this file, not to standard output"},
    {'f', false, "format", "FORMAT", "html, markdown, text, json (else: as FILE ends)"},
    {'b', false, "brief", NULL, "the verdict in 15 lines, for a forum answer"},
    {'l', false, "lang", "CODE", "en, es or ru (else that of the locale)"},
    {'d', false, "redact", NULL, "tokens for serials, WWNs, hosts, users, addresses"},
    {'k', false, "redact-key-file", "FILE", "--redact with this key: the same tokens each time"},
    {'r', false, "rules", "DIR", "rule pages of your own among the others"},
    {'c', false, "color", "WHEN", "colours in a text report: auto, always or never"},
    {'z', false, "exit-zero", NULL, "exit 0 whatever was found"},
    {'v', true, "verbose", NULL, "a line for each file read: tools, rows, time"},
    {'q', true, "quiet", NULL, "nothing but errors on standard error"},
    {'h', true, "help", NULL, "this"},
};
enum { OPTIONS = sizeof options / sizeof *options };

const Command *command_named(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

void help_of_program(FILE *out) {
    fputs("stordx - which part makes this host's storage slow\n\n"
          "usage: stordx COMMAND ...; stordx COMMAND --help says more\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++) fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs("\n" INPUT_IS "Reports are in the language of the locale (en, es, ru) or of --lang, JSON is in\n"
          "English without it. On a terminal text has colours, with NO_COLOR=1 none.\n" EXITS "\n"
          "  stordx analyze upload.tar.xz -o report.html\n"
          "  stordx analyze - --brief <post.txt\n"
          "  stordx compare before.tgz after.tgz\n\n"
          "--version says which stordx this is; man stordx has all of this in full.\n",
          out);
}

void help_of_command(FILE *out, const Command *c) {
    fprintf(out, "usage: stordx %s %s%s\n\n%s.\n%s\n", c->name, c->arguments, c->options[1] ? " [OPTION...]" : "",
            c->what, c->more ? c->more : "");
    for (int i = 0; i < OPTIONS; i++) {
        if (!strchr(c->options, options[i].letter)) continue;
        char names[64];
        snprintf(names, sizeof names, "%s%.*s%s--%s%s%s", options[i].has_short ? "-" : "", options[i].has_short,
                 &options[i].letter, options[i].has_short ? ", " : "", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        fprintf(out, "  %-22s  %s\n", names, options[i].what);
    }
    fprintf(out, "\n%sExample: %s\n", c->exits, c->example);
}

/* Prints a line on standard error. The names in it may be an uploader's, and those may steer the terminal. */
static void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *fmt, ...) {
    Arena *a = arena_new(arena_limit);
    va_list ap;
    va_start(ap, fmt);
    Str line = clean(a, str_of(arena_vfmt(a, fmt, ap)), CLEAN_LINE);
    va_end(ap);
    fprintf(stderr, "%.*s\n", STR_ARG(line));
    arena_free(a);
}

int usage_error(const char *command, Str meant, const char *fmt, ...) {
    Arena *a = arena_new(arena_limit);
    va_list ap;
    va_start(ap, fmt);
    const char *what = arena_vfmt(a, fmt, ap);
    va_end(ap);
    progress_hide();
    if (meant.p) complain("stordx %s: %s; did you mean %.*s?", command, what, STR_ARG(meant));
    else complain("stordx %s: %s; see stordx %s --help", command, what, command);
    arena_free(a);
    return EXIT_USAGE;
}

int unknown_command(const char *name) {
    Nearest n = nearest_to(str_of(name));
    for (int i = 0; i < COMMANDS; i++) nearest_try(&n, str_of(commands[i].name));
    if (n.best.p) complain("stordx: there is no command %s; did you mean %.*s?", name, STR_ARG(n.best));
    else complain("stordx: there is no command %s; see stordx --help", name);
    return EXIT_USAGE;
}

int unreadable(const Error *err) {
    progress_hide();
    complain("stordx: %s", err->text);
    return EXIT_UNREADABLE;
}

/* What getopt refused: an option of another command, one with a value it does not take, or none at all. */
static void refuse(const Command *c, const char *given, int at) {
    Str word = str_of(given), name = str_sub(word, 0, str_find_ch(word, '='));
    if (at >= 0 && !strchr(c->options, options[at].letter)) {
        usage_error(c->name, STR_NONE, "%s takes no --%s", c->name, options[at].name);
        return;
    }
    if (at >= 0 && !options[at].value && name.len < word.len) {
        usage_error(c->name, STR_NONE, "%.*s takes no value", STR_ARG(name));
        return;
    }
    Nearest n = nearest_to(str_from(name, 2));
    for (int i = 0; i < OPTIONS && str_starts(name, "--"); i++)
        if (strchr(c->options, options[i].letter)) nearest_try(&n, str_of(options[i].name));
    char meant[32];
    snprintf(meant, sizeof meant, "--%.*s", STR_ARG(n.best));
    usage_error(c->name, n.best.p ? str_of(meant) : STR_NONE, "there is no option %.*s", STR_ARG(name));
}

static bool choose_colour(Options *out, const char *when) {
    static const char *const words[] = {"auto", "always", "never"}; /* in the order of their values */
    Nearest n = nearest_to(str_of(when));
    for (int i = 0; i < 3; i++) {
        nearest_try(&n, str_of(words[i]));
        if (strcmp(when, words[i]) != 0) continue;
        out->colour = i;
        return true;
    }
    usage_error(out->command, n.best, "--color is auto, always or never, not \"%s\"", when);
    return false;
}

bool options_parse(int argc, char **argv, Options *out) {
    const Command *c = command_named(argv[0]);
    struct option longs[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < OPTIONS; i++)
        longs[i] = (struct option){options[i].name, options[i].value ? required_argument : no_argument, NULL, 256 + i};
    longs[OPTIONS] = (struct option){NULL, 0, NULL, 0};
    *out = (Options){.command = argv[0], .exit_code = EXIT_USAGE};
    opterr = 0;
    optind = 1;
    for (int got; (got = getopt_long(argc, argv, ":o:vqh", longs, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        int at = got >= 256 ? got - 256 : got == '?' && optopt >= 256 ? optopt - 256 : -1;
        char letter[3] = {'-', (char)(got == '?' || got == ':' ? optopt : got), 0};
        for (int i = 0; i < OPTIONS && at < 0; i++)
            if (options[i].has_short && options[i].letter == letter[1]) at = i;
        if (got < 256 && optopt < 256 && letter[1] > 0) given = letter; /* one of several behind one dash, perhaps */
        if (got == ':') {
            usage_error(argv[0], STR_NONE, "%s needs a value", given);
            return false;
        }
        if (got == '?' || at < 0 || !strchr(c->options, options[at].letter)) {
            refuse(c, given, at);
            return false;
        }
        switch (options[at].letter) {
        case 'o': out->output = optarg; break;
        case 'f': out->format = optarg; break;
        case 'b': out->brief = true; break;
        case 'l': out->lang = optarg; break;
        case 'k':
            out->redact_key_file = optarg;
            out->redact = true;
            break;
        case 'd': out->redact = true; break;
        case 'r': out->rules = optarg; break;
        case 'z': out->exit_zero = true; break;
        case 'v': out->verbose = true; break;
        case 'q': out->quiet = true; break;
        case 'c':
            if (!choose_colour(out, optarg)) return false;
            break;
        case 'h':
            help_of_command(stdout, c);
            out->exit_code = output_close(stdout, NULL) ? 0 : EXIT_UNREADABLE;
            return false;
        }
    }
    if (out->quiet) out->verbose = false;
    out->first = optind;
    return true;
}

/* Has a file this ending, as ".pdf"? Not ".d" of "rules.d/report", nor "." alone. */
static Str ending_of(const char *path) {
    Str name = str_basename(str_of(path));
    size_t dot = str_rfind_ch(name, '.');
    return dot == SIZE_MAX || dot == 0 || dot + 1 == name.len ? STR_NONE : str_from(name, dot);
}

bool choose_format(const Options *o, ReportFormat *format) {
    static const char *const names[] = {"html", "markdown", "text", "json"};
    *format = REPORT_TEXT;
    if (!o->format) {
        Str ending = o->output ? ending_of(o->output) : STR_NONE;
        if (o->output && !report_format_from_name(str_of(o->output), format) && ending.len && !o->quiet)
            complain("stordx: %s gets text: no format ends in %.*s (--format chooses one)", o->output, STR_ARG(ending));
        return true;
    }
    if (report_format_from_name(str_of(o->format), format)) return true;
    Nearest n = nearest_to(str_of(o->format));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) nearest_try(&n, str_of(names[i]));
    usage_error(o->command, n.best, "--format is html, markdown, text or json, not \"%s\"", o->format);
    return false;
}

bool choose_language(const Options *o, bool for_machines) {
    if (!o->lang) {
        if (!for_machines) lang_use_environment();
        return true;
    }
    if (lang_use(str_of(o->lang))) return true;
    Arena *a = arena_new((size_t)1 << 20);
    usage_error(o->command, STR_NONE, "no language \"%s\" is spoken here; there are %.*s", o->lang,
                STR_ARG(lang_codes(a)));
    arena_free(a);
    return false;
}

Str nearest_rule(const Pages *pages, const char *word, bool symptoms) {
    Nearest n = nearest_to(str_of(word));
    for (size_t i = 0; i < pages->count; i++) {
        nearest_try(&n, pages->items[i]->id);
        if (symptoms && pages->items[i]->raises.len) nearest_try(&n, pages->items[i]->raises);
    }
    for (size_t i = 0; i < pages->count && !n.best.p && n.word.len > 3; i++) /* "write-cache": a part of one */
        if (str_ifind(pages->items[i]->id, word) != SIZE_MAX) n.best = pages->items[i]->id;
    return n.best;
}

/* ---------------------------------------------------------------- reading and writing */

/* What run_begin() was given to read, so that output_open() can spare it. */
static char **read_inputs;
static size_t read_input_count;

bool run_begin(Run *run, const Options *o, char **inputs, size_t count) {
    Error err = {""};
    read_inputs = inputs;
    read_input_count = count;
    *run = (Run){.arena = arena_new(arena_limit), .bundle_count = count};
    run->facts = facts_new(run->arena, &err);
    run->bundles = arena_array(run->arena, int64_t, count + 1);
    if (!run->facts) {
        unreadable(&err);
        return false;
    }
    bool typed = false; /* then a line of ours would stand amid what is typed */
    for (size_t i = 0; i < count; i++) typed |= strcmp(inputs[i], "-") == 0 && isatty(STDIN_FILENO);
    if (typed && !o->quiet) fputs("stordx: paste the text here; Ctrl-D on a line of its own ends it\n", stderr);
    progress_begin(run->facts, o->verbose, !o->quiet && !typed);
    for (size_t i = 0; i < count; i++)
        if (!bundle_read_watched(run->facts, inputs[i], progress_watch(), &run->bundles[i], &err)) {
            unreadable(&err);
            return false;
        }
    progress_phase("putting the facts together");
    if (!facts_resolve(run->facts, &err)) {
        unreadable(&err);
        return false;
    }
    return true;
}

void run_end(Run *run) {
    progress_end();
    arena_free(run->arena);
}

/* Is the file to be written one that was read? An upload may be the only copy of a host's last words. */
static bool is_input(const char *path) {
    struct stat out, in;
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode)) return false;
    for (size_t i = 0; i < read_input_count; i++) {
        bool seen = strcmp(read_inputs[i], "-") == 0 ? fstat(STDIN_FILENO, &in) == 0 : stat(read_inputs[i], &in) == 0;
        if (seen && in.st_dev == out.st_dev && in.st_ino == out.st_ino) return true;
    }
    return false;
}

static char key_text[4096];

static Str random_key(const Options *o) {
    uint8_t bytes[REDACT_KEY_MIN];
    FILE *file = fopen("/dev/urandom", "rb");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    if (n != sizeof bytes) {
        fprintf(stderr, "stordx: --redact: no randomness for a key; give one with --redact-key-file\n");
        return STR_NONE;
    }
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(key_text + 2 * i, 3, "%02x", bytes[i]);
    if (o->quiet) return str_of(key_text);
    fprintf(stderr,
            "stordx: redacted with the key %s\n"
            "stordx: keep it; give it again for the next report (STORDX_REDACT_KEY or --redact-key-file), or drives "
            "cannot be matched\n",
            key_text);
    return str_of(key_text);
}

Str redact_key(const Options *o) {
    Str key = str_of(getenv("STORDX_REDACT_KEY"));
    if (o->redact_key_file) {
        FILE *file = fopen(o->redact_key_file, "rb");
        if (!file) {
            complain("stordx: cannot read %s: %s", o->redact_key_file, strerror(errno));
            return STR_NONE;
        }
        key = (Str){key_text, fread(key_text, 1, sizeof key_text, file)};
        fclose(file);
        while (key.len && (key.p[key.len - 1] == '\n' || key.p[key.len - 1] == '\r')) key.len--;
    } else if (!key.p) {
        return random_key(o);
    }
    if (key.len >= REDACT_KEY_MIN) return key;
    fprintf(stderr, "stordx: --redact: a key of at least %d bytes is expected\n", REDACT_KEY_MIN);
    return STR_NONE;
}

FILE *report_open(const Options *o) {
    FILE *file = output_open(o->output);
    if (!file) return NULL;
    bool terminal = terminal_is(fileno(file));
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org: set and not empty */
    bool colour = o->colour == COLOUR_ALWAYS || (o->colour == COLOUR_AUTO && terminal && !(no_colour && *no_colour));
    report_fit(isatty(fileno(file)) ? terminal_columns(fileno(file)) : 0, colour);
    return file;
}

FILE *output_open(const char *path) {
    progress_hide();
    if (!path || strcmp(path, "-") == 0) return stdout;
    if (is_input(path)) {
        complain("stordx: cannot write %s: it is what was read", path);
        return NULL;
    }
    FILE *file = fopen(path, "wb");
    if (!file) complain("stordx: cannot write %s: %s", path, strerror(errno));
    return file;
}

bool output_close(FILE *file, const char *path) {
    errno = 0;
    bool ok = fflush(file) == 0 && !ferror(file);
    int why = ok ? 0 : errno; /* 0: an earlier write failed, and what it said is gone */
    errno = 0;
    if (file != stdout && fclose(file) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (!ok)
        complain("stordx: cannot write %s: %s", path ? path : "to standard output",
                 why ? strerror(why) : "not all of it was taken");
    return ok;
}
