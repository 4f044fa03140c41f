#include "command.h"

#include "bundle/bundle.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t arena_limit = (size_t)4 << 30;

int usage_error(const char *command, const char *usage, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "stordx %s: ", command);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "; usage: stordx %s %s\n", command, usage);
    va_end(ap);
    return EXIT_USAGE;
}

int unreadable(const Error *err) {
    fprintf(stderr, "stordx: %s\n", err->text);
    return EXIT_UNREADABLE;
}

bool options_parse(int argc, char **argv, const char *allowed, const char *usage, Options *out) {
    enum { OPT_FORMAT = 256, OPT_BRIEF, OPT_RULES, OPT_EXIT_ZERO };
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'},        {"format", required_argument, NULL, OPT_FORMAT},
        {"brief", no_argument, NULL, OPT_BRIEF},         {"rules", required_argument, NULL, OPT_RULES},
        {"exit-zero", no_argument, NULL, OPT_EXIT_ZERO}, {NULL, 0, NULL, 0}};
    *out = (Options){0};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:", longs, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        char letter = c == 'o'             ? 'o'
                      : c == OPT_FORMAT    ? 'f'
                      : c == OPT_BRIEF     ? 'b'
                      : c == OPT_RULES     ? 'r'
                      : c == OPT_EXIT_ZERO ? 'z'
                                           : 0;
        if (c == ':') {
            usage_error(argv[0], usage, "%s needs a value", given);
            return false;
        }
        if (!letter || !strchr(allowed, letter)) {
            usage_error(argv[0], usage, "unknown option %s", given);
            return false;
        }
        if (letter == 'o') out->output = optarg;
        if (letter == 'f') out->format = optarg;
        if (letter == 'b') out->brief = true;
        if (letter == 'r') out->rules = optarg;
        if (letter == 'z') out->exit_zero = true;
    }
    out->first = optind;
    return true;
}

/* What run_begin() was given to read, so that output_open() can spare it. */
static char **read_inputs;
static size_t read_input_count;

bool run_begin(Run *run, char **inputs, size_t count) {
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
    for (size_t i = 0; i < count; i++)
        if (!bundle_read(run->facts, inputs[i], &run->bundles[i], &err)) {
            unreadable(&err);
            return false;
        }
    if (!facts_resolve(run->facts, &err)) {
        unreadable(&err);
        return false;
    }
    return true;
}

void run_end(Run *run) {
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

FILE *output_open(const char *path) {
    if (!path || strcmp(path, "-") == 0) return stdout;
    if (is_input(path)) {
        fprintf(stderr, "stordx: cannot write %s: it is what was read\n", path);
        return NULL;
    }
    FILE *file = fopen(path, "wb");
    if (!file) fprintf(stderr, "stordx: cannot write %s: %s\n", path, strerror(errno));
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
        fprintf(stderr, "stordx: cannot write %s: %s\n", path ? path : "to standard output",
                why ? strerror(why) : "not all of it was taken");
    return ok;
}
