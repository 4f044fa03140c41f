#include "command.h"

#include "base/lang.h"
#include "base/redact.h"
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
    enum { OPT_FORMAT = 256, OPT_BRIEF, OPT_RULES, OPT_EXIT_ZERO, OPT_REDACT, OPT_KEY_FILE, OPT_LANG };
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"format", required_argument, NULL, OPT_FORMAT},
                                          {"brief", no_argument, NULL, OPT_BRIEF},
                                          {"rules", required_argument, NULL, OPT_RULES},
                                          {"exit-zero", no_argument, NULL, OPT_EXIT_ZERO},
                                          {"redact", no_argument, NULL, OPT_REDACT},
                                          {"redact-key-file", required_argument, NULL, OPT_KEY_FILE},
                                          {"lang", required_argument, NULL, OPT_LANG},
                                          {NULL, 0, NULL, 0}};
    *out = (Options){0};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:", longs, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        char letter = c == 'o'                               ? 'o'
                      : c == OPT_FORMAT                      ? 'f'
                      : c == OPT_BRIEF                       ? 'b'
                      : c == OPT_RULES                       ? 'r'
                      : c == OPT_EXIT_ZERO                   ? 'z'
                      : c == OPT_REDACT || c == OPT_KEY_FILE ? 'd'
                      : c == OPT_LANG                        ? 'l'
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
        if (letter == 'l') out->lang = optarg;
        if (letter == 'z') out->exit_zero = true;
        if (letter == 'd') out->redact = true;
        if (c == OPT_KEY_FILE) out->redact_key_file = optarg;
    }
    out->first = optind;
    return true;
}

bool choose_language(const char *command, const char *usage, const Options *o, bool for_machines) {
    if (!o->lang) {
        if (!for_machines) lang_use_environment();
        return true;
    }
    if (lang_use(str_of(o->lang))) return true;
    Arena *a = arena_new((size_t)1 << 20);
    usage_error(command, usage, "no language \"%s\" is spoken here; there are %.*s", o->lang, STR_ARG(lang_codes(a)));
    arena_free(a);
    return false;
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

static char key_text[4096];

static Str random_key(void) {
    uint8_t bytes[REDACT_KEY_MIN];
    FILE *file = fopen("/dev/urandom", "rb");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    if (n != sizeof bytes) {
        fprintf(stderr, "stordx: --redact: no randomness for a key; give one with --redact-key-file\n");
        return STR_NONE;
    }
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(key_text + 2 * i, 3, "%02x", bytes[i]);
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
            fprintf(stderr, "stordx: cannot read %s: %s\n", o->redact_key_file, strerror(errno));
            return STR_NONE;
        }
        key = (Str){key_text, fread(key_text, 1, sizeof key_text, file)};
        fclose(file);
        while (key.len && (key.p[key.len - 1] == '\n' || key.p[key.len - 1] == '\r')) key.len--;
    } else if (!key.p) {
        return random_key();
    }
    if (key.len >= REDACT_KEY_MIN) return key;
    fprintf(stderr, "stordx: --redact: a key of at least %d bytes is expected\n", REDACT_KEY_MIN);
    return STR_NONE;
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
