/*
 * measure.c - time and memory of whole runs, beside what they cannot well be faster than
 *
 *     measure [ARCHIVE...]       (program: $STORDX, default build/stordx; rounds: $BENCH_ROUNDS, default 9)
 *
 * Absolute times say little about a shared machine, so each figure is a ratio of two minima out of the same rounds, in
 * which the things compared take turns. R is libarchive reading all members of the same archive to nowhere. Nothing here
 * fails a build: the table shows the targets, people judge.
 *
 * Rows, and what they compare:
 *   SIZE json, html   `stordx analyze` with a whole report / R
 *   memory            largest resident set of these runs
 *   iostat row        `stordx identify SIZE.iostat` (parsing and statistics), less the start of the program, per row
 *   signatures        matching every line of the kernel log against all signatures / grep -cE of all their literals
 *   their part        the same less reading the lines and their stamps / grep -c of one word that most lines lack
 *   kernel log        `stordx identify SIZE.kernel` (stamps, events, names too) / the same grep
 *
 * Without arguments it measures the bundles of bundles.c, with arguments these archives instead.
 */
#include "../../analyze/base/embedded.h"
#include "../../analyze/parse/log_prefix.h"
#include "../../analyze/parse/signatures.h"

#include <archive.h>
#include <archive_entry.h>
#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void die(const char *what, const char *why) {
    fprintf(stderr, "measure: %s: %s\n", what, why);
    exit(1);
}

/* ---------------------------------------------------------------- what a child does */

/* R: each byte of each member, to nowhere. */
static int read_archive(const char *path) {
    struct archive *a = archive_read_new();
    archive_read_support_filter_all(a);
    archive_read_support_format_all(a);
    if (archive_read_open_filename(a, path, (size_t)64 * 1024) != ARCHIVE_OK) die(path, archive_error_string(a));
    struct archive_entry *e;
    static char buf[64 * 1024];
    uint64_t sum = 0;
    while (archive_read_next_header(a, &e) == ARCHIVE_OK)
        for (la_ssize_t n; (n = archive_read_data(a, buf, sizeof buf)) > 0;) sum += (uint64_t)n;
    archive_read_free(a);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}

/* Without matching: only what has to be done before it. */
static int match_lines(const char *path, bool matching) {
    FILE *f = fopen(path, "rb");
    if (!f) die(path, strerror(errno));
    Error err = {""};
    const Signatures *sigs = signatures_builtin(&err);
    char *line = NULL;
    size_t cap = 0, hits = 0;
    LogClock clock = {0};
    for (ssize_t n; (n = getline(&line, &cap, f)) >= 0;) {
        LogPrefix prefix;
        SigMatch m;
        log_prefix((Str){line, n && line[n - 1] == '\n' ? (size_t)n - 1 : (size_t)n}, &clock, &prefix);
        if (matching ? signatures_match(sigs, prefix.msg, &m) : prefix.msg.len > 0) hits++;
    }
    free(line);
    fclose(f);
    printf("%zu\n", hits);
    return 0;
}

/* All literals of the built-in signatures, one a line: what grep -f takes. */
static void write_literals(const char *path) {
    FILE *f = fopen(path, "wb");
    if (!f) die(path, strerror(errno));
    bool first = true;
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (strncmp(embedded_files[i].path, "rules/signatures/", 17) != 0) continue;
        cJSON *doc = cJSON_ParseWithLength((const char *)embedded_files[i].data, embedded_files[i].len);
        const cJSON *entry;
        cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(doc, "signatures")) {
            const cJSON *literal = cJSON_GetObjectItemCaseSensitive(entry, "literal");
            for (const cJSON *l = cJSON_IsArray(literal) ? literal->child : literal; l;
                 l = cJSON_IsArray(literal) ? l->next : NULL) {
                if (!cJSON_IsString(l)) continue;
                if (!first) fputc('|', f);
                first = false;
                for (const char *c = l->valuestring; *c; c++) {
                    if (strchr("\\.[]()*+?{}^$|", *c)) fputc('\\', f);
                    fputc(*c, f);
                }
            }
        }
        cJSON_Delete(doc);
    }
    fputc('\n', f);
    if (fclose(f) != 0) die(path, strerror(errno));
}

/* ---------------------------------------------------------------- measuring */

enum { MAX_ARGS = 8, MAX_CONTESTANTS = 8 };

typedef struct Contestant {
    const char *argv[MAX_ARGS];
    double best_s;
    long peak_kb;
} Contestant;

static int rounds = 9;
static const char *self;
static const char *stordx;
static char out_path[1024]; /* what the children print goes to a file: some programs do less for /dev/null */

static void run_once(Contestant *c) {
    struct timespec from, to;
    struct rusage usage;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = fork();
    if (child < 0) die("fork", strerror(errno));
    if (child == 0) {
        int fd = open(out_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || dup2(fd, 1) < 0) _exit(126);
        execvp(c->argv[0], (char *const *)(uintptr_t)c->argv);
        _exit(127);
    }
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR) die("wait4", strerror(errno));
    clock_gettime(CLOCK_MONOTONIC, &to);
    double s = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 4 || (WEXITSTATUS(status) > 1 && c->argv[0] != stordx) ||
        WEXITSTATUS(status) == 3)
        die(c->argv[0], "it did not end well");
    if (s < c->best_s) c->best_s = s;
    if (usage.ru_maxrss > c->peak_kb) c->peak_kb = usage.ru_maxrss;
}

static void run_all(Contestant *c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        c[i].best_s = INFINITY;
        c[i].peak_kb = 0;
    }
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < n; i++) run_once(&c[i]);
}

/* ---------------------------------------------------------------- the table */

static void row(const char *what, const char *measured, const char *target, const char *stretch) {
    printf("%-24s %-36s %-12s %s\n", what, measured, target, stretch);
    fflush(stdout);
}

static void ratio_row(const char *what, double s, double floor_s, const char *target, const char *stretch) {
    char text[64];
    snprintf(text, sizeof text, "%.2f   (%.1f ms / %.1f ms)", s / floor_s, s * 1e3, floor_s * 1e3);
    row(what, text, target, stretch);
}

typedef struct Target {
    const char *ending, *ratio, *stretch, *memory;
} Target;

static void measure_archive(const char *path, const char *name, const Target *t) {
    Contestant c[] = {
        {.argv = {self, "read", path, NULL}},
        {.argv = {stordx, "analyze", path, "--format", "json", "-o", "-", NULL}},
        {.argv = {stordx, "analyze", path, "--format", "html", "-o", "-", NULL}},
    };
    run_all(c, 3);
    char what[64], text[64];
    snprintf(what, sizeof what, "%s json / R", name);
    ratio_row(what, c[1].best_s, c[0].best_s, t->ratio, t->stretch);
    snprintf(what, sizeof what, "%s html / R", name);
    ratio_row(what, c[2].best_s, c[0].best_s, t->ratio, t->stretch);
    snprintf(what, sizeof what, "%s memory", name);
    snprintf(text, sizeof text, "%.1f MB  (R: %.1f MB)",
             (double)(c[1].peak_kb > c[2].peak_kb ? c[1].peak_kb : c[2].peak_kb) / 1024, (double)c[0].peak_kb / 1024);
    row(what, text, t->memory, "");
}

static size_t count_rows(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) die(path, strerror(errno));
    char *line = NULL;
    size_t cap = 0, rows = 0;
    while (getline(&line, &cap, f) >= 0) rows += strncmp(line, "sd", 2) == 0;
    free(line);
    fclose(f);
    return rows;
}

static void measure_iostat(const char *path, const char *one_row) {
    Contestant c[] = {{.argv = {stordx, "identify", path, NULL}}, {.argv = {stordx, "identify", one_row, NULL}}};
    run_all(c, 2);
    char text[64];
    snprintf(text, sizeof text, "%.0f ns", (c[0].best_s - c[1].best_s) / (double)count_rows(path) * 1e9);
    row("M iostat row", text, "<= 400 ns", "250 ns");
}

static void measure_signatures(const char *log, const char *literals) {
    Contestant c[] = {{.argv = {"grep", "-cE", "-f", literals, log, NULL}},
                      {.argv = {self, "match", log, NULL}},
                      {.argv = {stordx, "identify", log, NULL}},
                      {.argv = {"grep", "-c", "error", log, NULL}},
                      {.argv = {self, "stamps", log, NULL}}};
    run_all(c, 5);
    ratio_row("M signatures / grep -cE", c[1].best_s, c[0].best_s, "<= 3", "1.5");
    ratio_row("M their part / grep -c", c[1].best_s - c[4].best_s, c[3].best_s, "<= 3", "");
    ratio_row("M kernel log / grep -c", c[2].best_s, c[3].best_s, "", "");
    ratio_row("M kernel log / grep -cE", c[2].best_s, c[0].best_s, "", "");
}

static void path_in(char out[1024], const char *dir, const char *name) {
    if (snprintf(out, 1024, "%s/%s", dir, name) >= 1024) die(dir, "the path is too long");
}

/* bundles.c writes nothing when everything is there. */
static void make_bundles(const char *dir) {
    char program[1024];
    const char *slash = strrchr(self, '/');
    path_in(program, slash ? "" : ".", "bundles");
    if (slash && snprintf(program, sizeof program, "%.*s/bundles", (int)(slash - self), self) >= (int)sizeof program)
        die(self, "the path is too long");
    Contestant c = {.argv = {program, dir, NULL}, .best_s = INFINITY};
    run_once(&c);
}

int main(int argc, char **argv) {
    static const Target targets[] = {{"S.tar.gz", "<= 2", "1.3", "<= 16 MB"},
                                     {"M.tar.gz", "<= 1.5", "1.2", "<= 32 MB +"},
                                     {"M.zip", "<= 1.5", "1.2", "<= 32 MB +"},
                                     {"M.tar.zst", "<= 2", "1.6", "<= 32 MB +"}};
    if (argc == 3 && strcmp(argv[1], "read") == 0) return read_archive(argv[2]);
    if (argc == 3 && strcmp(argv[1], "match") == 0) return match_lines(argv[2], true);
    if (argc == 3 && strcmp(argv[1], "stamps") == 0) return match_lines(argv[2], false);
    self = argv[0];
    stordx = getenv("STORDX") ? getenv("STORDX") : "build/stordx";
    if (getenv("BENCH_ROUNDS")) rounds = atoi(getenv("BENCH_ROUNDS"));
    if (rounds < 1 || access(stordx, X_OK) != 0)
        die(stordx, rounds < 1 ? "BENCH_ROUNDS is no number" : strerror(errno));

    char dir[900], a[1024], b[1024];
    const char *slash = strrchr(stordx, '/');
    snprintf(dir, sizeof dir, "%.*s/bench", slash ? (int)(slash - stordx) : 1, slash ? stordx : ".");
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) die(dir, strerror(errno));
    path_in(out_path, dir, "out");
    if (argc == 1) make_bundles(dir);

    printf("best of %d rounds; R: libarchive, all members to nowhere; +: plus the budget for samples (64 MB)\n\n",
           rounds);
    row("what", "measured", "target", "stretch");
    for (int i = 1; i < argc; i++) {
        const char *name = strrchr(argv[i], '/');
        measure_archive(argv[i], name ? name + 1 : argv[i], &(Target){"", "", "", ""});
    }
    for (size_t i = 0; argc == 1 && i < sizeof targets / sizeof *targets; i++) {
        path_in(a, dir, targets[i].ending);
        if (access(a, R_OK) == 0) measure_archive(a, targets[i].ending, &targets[i]);
        else row(targets[i].ending, "this libarchive cannot write it", "", "");
    }
    if (argc == 1) {
        path_in(a, dir, "M.iostat");
        path_in(b, dir, "S.iostat");
        measure_iostat(a, b);
        path_in(a, dir, "M.kernel");
        path_in(b, dir, "literals");
        write_literals(b);
        measure_signatures(a, b);
    }
    unlink(out_path);
    return 0;
}
