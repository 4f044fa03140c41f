/*
 * table - reads every file of the corpus and prints, per tool, what became of it
 *
 *   table HOME [-v] [--some N] [--sql FILE SQL] [GLOB...]
 *
 * HOME     folder of tools.tsv, explained.tsv, compare/ and expect/
 * GLOB     only these files (folder/name)
 * -v       also say what is explained, and each file that was not
 * --some N only every N-th file of each folder, for slow builds
 * --sql    print what a statement gives for one file instead (for writing expectations)
 *
 * Prints problems as "FILE<TAB>WHAT<TAB>details", the table, the variants that no file proves (tool_samples.c, UNPROVEN), and as
 * the last line "N passed, N failed, N skipped": a file is a test, an unproven sample is one, and so is each core tool: somebody
 * must have written down what at least three of its files say (all, where it has fewer). A file of a tool without a parser is
 * skipped. Exit 0, 1 with a failed test, 77 without a corpus.
 */
#include "../../analyze/parse/registry.h"
#include "../unit/tool_samples.h"
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

typedef struct Sums {
    int files, recognised, pasted, expected, agreed, written, written_agreed, failed;
    int64_t rows, noted, data, compared;
} Sums;

typedef struct Case {
    Corpus *c;
    const CorpusFile *f;
    bool verbose;
    bool failed;
} Case;

/* Says what is wrong with a file; true when that is explained. */
static bool deviates(Case *k, const char *what, const char *detail) {
    const char *reason = explained(k->c, k->f->file, what);
    if (reason) {
        if (k->verbose) printf("%s\t%s\t%s (explained: %s)\n", k->f->file, what, detail, reason);
        return true;
    }
    printf("%s\t%s\t%s\n", k->f->file, what, detail);
    k->failed = true;
    return false;
}

static bool complain(void *arg, const char *what, const char *expected, const char *got) {
    Case *k = arg;
    char label[300], detail[600];
    snprintf(label, sizeof label, "value %.280s", what);
    snprintf(detail, sizeof detail, "expected %.250s, got %.250s", expected, got);
    return deviates(k, label, detail);
}

static int64_t lines_of_nobody(const Piece *p, size_t n, Str text) {
    int64_t count = 0, line = 0;
    size_t i = 0;
    while (text.len) {
        Str s = str_cut(&text, '\n');
        line++;
        while (i < n && p[i].last < line) i++;
        if (i < n && p[i].first <= line && !p[i].tool[0] && str_trim(s).len) count++;
    }
    return count;
}

static int64_t data_rows(const Tool *t, Str text) {
    int64_t count = 0;
    if (!t->code) return 0;
    pcre2_match_data *m = pcre2_match_data_create(1, NULL);
    while (text.len) {
        Str s = str_trim_right(str_cut(&text, '\n'));
        if (s.len && pcre2_match(t->code, (PCRE2_SPTR)s.p, s.len, 0, 0, m, NULL) >= 0) count++;
    }
    pcre2_match_data_free(m);
    return count;
}

/* The tool's own pieces, those of others, and whether the rest of the lines are nobody's. */
typedef struct Seen {
    bool mine;
    int64_t rows, bad, unread;
    const char *foreign; /* a parser that has no business here */
} Seen;

static Seen look(const CorpusFile *f, const Piece *p, size_t n) {
    Seen s = {0};
    for (size_t i = 0; i < n; i++) {
        if (!p[i].tool[0]) continue;
        if (tool_parser(f->tool, p[i].tool)) {
            if (strcmp(p[i].status, "unrecognised") != 0) s.mine = true;
            s.rows += p[i].rows;
            s.bad += p[i].bad_rows;
            if (strstr(p[i].note, "were not read")) s.unread += strtoll(p[i].note, NULL, 10);
        } else if (!s.foreign) {
            s.foreign = p[i].tool;
        }
    }
    return s;
}

static void one_file(Case *k, Sums *sums) {
    const CorpusFile *f = k->f;
    size_t n;
    Desk *d = desk_open();
    const Piece *p = desk_frame(d, f->name, true, f->text, &n);
    Seen s = look(f, p, n);
    const char *all = desk_print(d, p, n);
    char what[200];
    sums->files++;

    bool none = str_is(f->tool->parsers, "-"), ok = s.mine;
    if (s.foreign) {
        snprintf(what, sizeof what, "taken for %s", s.foreign);
        if (!deviates(k, what, all)) ok = false;
    }
    if (!none) {
        if (!s.mine) {
            deviates(k, "unrecognised", all);
        } else {
            int64_t loose = lines_of_nobody(p, n, f->text);
            if (loose) {
                snprintf(what, sizeof what, "%lld lines of nobody", (long long)loose);
                ok = deviates(k, "lines of nobody", arena_fmt(d->arena, "%s: %s", what, all)) && ok;
            }
            if (s.unread) deviates(k, "lines unread", all);
        }
        int64_t data = str_ends(str_of(f->name), ".json") ? 0 : data_rows(f->tool, f->text);
        if (s.mine && s.rows + s.bad < data)
            deviates(k, "rows dropped",
                     arena_fmt(d->arena, "%lld data rows, %lld understood, %lld noted: %s", (long long)data,
                               (long long)s.rows, (long long)s.bad, all));
        if (s.bad && k->verbose)
            for (size_t i = 0; i < n; i++)
                if (p[i].bad_rows)
                    printf("%s\tnoted\t%lld rows, the first in line %lld: %s\n", f->file, (long long)p[i].bad_rows,
                           (long long)p[i].first_bad_line, p[i].note);
        sums->rows += s.rows;
        sums->noted += s.bad;
        sums->data += data > s.rows + s.bad ? data : s.rows + s.bad;
        if (ok) sums->recognised++;

        compare_views(d);
        Verdict v = {0};
        if (f->expected) {
            sums->expected++;
            if (!compare_expected(k->c, d, f, &v, complain, k)) {
                deviates(k, "not compared", "nothing in compare/ reads its expected values");
            } else {
                if (!v.compared) deviates(k, "not compared", "no value of its expected ones was compared");
                if (v.compared && !v.differ) sums->agreed++;
                sums->compared += v.compared;
            }
        }
        Verdict w = {0};
        if (compare_written(k->c, d, f, &w, complain, k)) {
            sums->written++;
            if (!w.differ) sums->written_agreed++;
            sums->compared += w.compared;
        }
    }
    desk_close(d);

    /* The same bytes as a paste: content alone. */
    d = desk_open();
    p = desk_frame(d, "-", false, f->text, &n);
    Seen pasted = look(f, p, n);
    if (pasted.foreign) {
        snprintf(what, sizeof what, "pasted, taken for %s", pasted.foreign);
        deviates(k, what, desk_print(d, p, n));
    }
    if (!none) {
        if (pasted.mine && !pasted.foreign) sums->pasted++;
        if (s.mine && !pasted.mine) deviates(k, "pasted, unrecognised", desk_print(d, p, n));
        else if (pasted.mine && pasted.rows < s.rows)
            deviates(k, "pasted, rows lost",
                     arena_fmt(d->arena, "%lld of %lld: %s", (long long)pasted.rows, (long long)s.rows,
                               desk_print(d, p, n)));
    }
    desk_close(d);
}

/* Some tools have fewer files than that. */
enum { BY_HAND = 3 };

static bool enough_by_hand(const Tool *t, const Sums *s) {
    if (!t->core || !tool_has_parser(t) || s->written >= BY_HAND || s->written >= s->files) return true;
    printf("%.*s\tby hand\tfacts of %d files are written down in expect/, at least %d are wanted\n", STR_ARG(t->folder),
           s->written, s->files < BY_HAND ? s->files : BY_HAND);
    return false;
}

static Str sample_text(Desk *d, const Sample *s) {
    if (s->text) return str_of(s->text);
    Str all = read_file(d->arena, s->path), rest = all;
    for (int n = 0; n < s->lines && rest.len; n++) (void)str_cut(&rest, '\n');
    return s->lines ? str_sub(all, 0, all.len - rest.len) : all;
}

/* One line per variant that only a sample of our own shows: read as its tool, every line of it. */
static bool unproven(const Sample *s) {
    Desk *d = desk_open();
    size_t n;
    Str text = sample_text(d, s);
    const Piece *p = desk_frame(d, "-", false, text, &n);
    bool good = n > 0;
    int64_t rows = 0, bad = 0;
    for (size_t i = 0; i < n; i++) {
        if ((s->flags & STAMPED) && i == 0 && n > 1 && p[i].first == p[i].last && !p[i].tool[0])
            continue; /* a stamp alone */
        good = good && str_is(str_of(s->tool), p[i].tool) && strcmp(p[i].status, "unrecognised") != 0;
        rows += p[i].rows;
        bad += p[i].bad_rows;
    }
    good = good && !bad && lines_of_nobody(p, n, text) <= ((s->flags & STAMPED) != 0);
    printf("%-14s %-22s %6lld %6lld%s%s\n", s->tool, s->variant, (long long)rows, (long long)bad,
           good ? "" : "  not read: ", good ? "" : desk_print(d, p, n));
    desk_close(d);
    return good;
}

static void show(Corpus *c, const char *file, const char *sql) {
    for (size_t i = 0; i < c->files.count; i++) {
        const CorpusFile *f = &c->files.items[i];
        if (!str_glob(str_of(file), str_of(f->file))) continue;
        Desk *d = desk_open();
        size_t n;
        const Piece *p = desk_frame(d, f->name, true, f->text, &n);
        printf("== %s: %s\n", f->file, desk_print(d, p, n));
        compare_views(d);
        sqlite3_stmt *st;
        if (sqlite3_prepare_v2(facts_db(d->facts), sql, -1, &st, NULL) != SQLITE_OK)
            fatal("%s", sqlite3_errmsg(facts_db(d->facts)));
        while (sqlite3_step(st) == SQLITE_ROW) {
            for (int k = 0; k < sqlite3_column_count(st); k++) {
                const char *text = (const char *)sqlite3_column_text(st, k);
                printf("%s%s", k ? " | " : "", text ? text : "NULL");
            }
            printf("\n");
        }
        sqlite3_finalize(st);
        desk_close(d);
    }
}

static void usage(void) {
    fprintf(stderr, "usage: table HOME [-v] [--some N] [--sql GLOB SQL] [GLOB...]\n");
    exit(2);
}

int main(int argc, char **argv) {
    if (argc < 2) usage();
    bool verbose = false;
    unsigned some = 1;
    const char *sql_file = NULL, *sql = NULL;
    int globs = argc;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            verbose = true;
        } else if (strcmp(argv[i], "--some") == 0 && i + 1 < argc) {
            some = (unsigned)strtoul(argv[++i], NULL, 10);
            if (!some) usage();
        } else if (strcmp(argv[i], "--sql") == 0 && i + 2 < argc) {
            sql_file = argv[i + 1];
            sql = argv[i + 2];
            i += 2;
        } else if (argv[i][0] == '-') {
            usage();
        } else {
            globs = i;
            break;
        }
    }
    Corpus *c = corpus_open(argv[1]);
    if (!c) {
        printf("the corpus is not here\n");
        return 77;
    }
    if (sql) {
        show(c, sql_file, sql);
        corpus_close(c);
        return 0;
    }
    Sums *sums = arena_array(c->arena, Sums, c->tools.count);
    int passed = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < c->files.count; i++) {
        const CorpusFile *f = &c->files.items[i];
        bool wanted = globs == argc;
        for (int g = globs; g < argc && !wanted; g++) wanted = str_glob(str_of(argv[g]), str_of(f->file));
        if (!wanted || i % some) continue;
        Sums *s = &sums[f->tool - c->tools.items];
        Case k = {.c = c, .f = f, .verbose = verbose};
        one_file(&k, s);
        if (k.failed) s->failed++;
        if (!k.failed) passed++;
        else if (f->tool->core && tool_has_parser(f->tool)) failed++;
        else skipped++; /* said, but no tool that is asked for, or its parser is not there */
    }

    printf("\n%-30s %5s %10s %7s %8s %6s %9s %9s %9s %8s %7s\n", "tool", "files", "recognised", "pasted", "rows",
           "noted", "consumed", "agreed", "by hand", "values", "failed");
    for (int core = 1; core >= 0; core--)
        for (size_t i = 0; i < c->tools.count; i++) {
            const Tool *t = &c->tools.items[i];
            const Sums *s = &sums[i];
            if (t->core != (core == 1) || !s->files) continue;
            if (str_is(t->parsers, "-")) {
                printf("%-30.*s %5d %10s %7s %8s %6s %9s %9s %9s %8s %7d\n", STR_ARG(t->folder), s->files, "-", "-",
                       "-", "-", "-", "-", "-", "-", s->failed);
                continue;
            }
            char consumed[20] = "-", agreed[30] = "-", hand[30] = "-";
            if (s->data) snprintf(consumed, sizeof consumed, "%.1f %%", 100.0 * (double)s->rows / (double)s->data);
            if (s->expected) snprintf(agreed, sizeof agreed, "%d/%d", s->agreed, s->expected);
            if (s->written) snprintf(hand, sizeof hand, "%d/%d", s->written_agreed, s->written);
            printf("%-30.*s %5d %10d %7d %8lld %6lld %9s %9s %9s %8lld %7d%s\n", STR_ARG(t->folder), s->files,
                   s->recognised, s->pasted, (long long)s->rows, (long long)s->noted, consumed, agreed, hand,
                   (long long)s->compared, s->failed,
                   !core                ? "  (not core)"
                   : tool_has_parser(t) ? ""
                                        : "  (no parser)");
        }
    bool whole = globs == argc && some == 1;
    for (size_t i = 0; i < c->tools.count && whole; i++) {
        if (enough_by_hand(&c->tools.items[i], &sums[i])) passed++;
        else failed++;
    }
    if (whole)
        printf("\nunproven: to the documented format, no real output at hand\n%-14s %-22s %6s %6s\n", "tool", "variant",
               "rows", "noted");
    for (size_t i = 0; i < tool_sample_count && whole; i++) {
        if (!(tool_samples[i].flags & UNPROVEN)) continue;
        if (unproven(&tool_samples[i])) passed++;
        else failed++;
    }
    if (whole)
        for (size_t i = 0; i < c->explained.count; i++) {
            const Explained *e = &c->explained.items[i];
            if (!e->used && !str_starts(e->what, "glued"))
                printf("no longer needed in explained.tsv: %.*s\t%.*s\n", STR_ARG(e->file), STR_ARG(e->what));
        }
    printf("\n%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    corpus_close(c);
    return failed > 0;
}
