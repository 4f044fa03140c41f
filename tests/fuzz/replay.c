/*
 * Feeds the fuzz targets without a fuzzer: every file of tests/fuzz/crashes, which once broke what its name begins with
 * (zpool_status-deep-indent is for the parser zpool_status), and the samples of the tests, whole and cut in the middle.
 *
 * Each runs in a process of its own, so that one that ends it hides no other.
 */
#include "../unit/tool_samples.h"
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CRASHES "tests/fuzz/crashes"

enum { SECONDS = 60, CUTS = 8, TEXT_MAX = 1024 * 1024 };

typedef struct Target {
    const char *name;
    const Parser *parser; /* or */
    void (*run)(Str text);
} Target;

#define PARSER(n) extern const Parser parser_##n;
#include "../../analyze/parse/parsers.def"
#undef PARSER

static const Target targets[] = {
#define PARSER(n) {#n, &parser_##n, NULL},
#include "../../analyze/parse/parsers.def"
#undef PARSER
    {"framing", NULL, fuzz_framing}, {"reader", NULL, fuzz_reader}, {"page", NULL, fuzz_page},
    {"archive", NULL, fuzz_archive}, {"report", NULL, fuzz_report}, {"redact", NULL, fuzz_redact},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static char text_buf[TEXT_MAX];

static bool read_file(const char *path, Str *text) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    *text = (Str){text_buf, fread(text_buf, 1, sizeof text_buf, file)};
    fclose(file);
    return true;
}

static void run(const Target *t, Str text) {
    if (t->parser) fuzz_parser(t->parser, text);
    else t->run(text);
}

/* All samples of one target: a parser gets its own, the others those of every tool. */
static void run_samples(const Target *t) {
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        Str text = str_of(s->text);
        if (t->parser && !str_is(str_of(s->tool), t->parser->name)) continue;
        if (!t->parser && i % 8) continue; /* a database each */
        if (s->path && !read_file(s->path, &text)) fuzz_fail("%s cannot be read", s->path);
        text = str_sub(text, 0, 16 * 1024);
        run(t, text);
        for (size_t k = 1; t->parser && k < CUTS; k++) run(t, str_sub(text, 0, text.len * k / CUTS));
    }
}

/* crash == NULL: the samples. */
static bool passes(const Target *t, const char *crash) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        Str text;
        if (!crash) run_samples(t);
        else if (read_file(crash, &text)) run(t, text);
        else fuzz_fail("%s cannot be read", crash);
        _exit(0); /* the databases stay open: no leaks to look for */
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    if (status) fprintf(stderr, "FAILED: %s with %s\n", t->name, crash ? crash : "the samples of the tests");
    return status == 0;
}

static const Target *target_of(const char *file) {
    Str name = str_of(file);
    name = str_cut(&name, '-');
    for (size_t i = 0; i < TARGETS; i++)
        if (str_is(name, targets[i].name)) return &targets[i];
    return NULL;
}

int main(void) {
    int passed = 0, failed = 0;
    for (size_t i = 0; i < TARGETS; i++) {
        if (passes(&targets[i], NULL)) passed++;
        else failed++;
    }
    DIR *dir = opendir(CRASHES);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        char path[512];
        snprintf(path, sizeof path, CRASHES "/%s", e->d_name);
        const Target *t = target_of(e->d_name);
        if (!t) fprintf(stderr, "FAILED: %s begins with the name of no target\n", path);
        if (t && passes(t, path)) passed++;
        else failed++;
    }
    if (dir) closedir(dir);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
