/*
 * rank - how often is the right part named first? Every labelled upload is diagnosed and scored
 *
 *   rank [--fixtures FOLDER] [--cases FOLDER] [--only GLOB] [--without] [--part I/N] [--scores] [--publish FILE]
 *
 * The labelled uploads are the stages of fixtures/ and what the descriptions of tests/rank/cases make (planted.h). A label with
 * a cause counts as a fault, one with "top=none" as healthy or misleading; of a label with several causes the first counts.
 *
 * --without  leave out one output after the other of each fault: the first cause may weaken or go, but no other suspect may
 *            take its place that was not named, as a cause or a risk, with all outputs
 * --part     only every N-th upload, from the I-th on
 * --scores   print the causes of every upload, not only of the misses
 * --publish  write the figures into a Markdown file, between its lines "<!-- figures -->" and "<!-- end of figures -->"
 *
 * A miss is printed with what decided it. The last line is "N passed, N failed, N skipped", the figures stand above it.
 * Exit 0; 1 with fewer than 95 of 100 first causes right (of all uploads; a part is too small to tell), a cause on a healthy host, or a broken description; 2 usage.
 */
#include "../../analyze/bundle/bundle.h"
#include "../../analyze/diagnose/diagnose.h"
#include "../unit/expect.h"
#include "planted.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENOUGH 0.95 /* of the first causes */
#define SHOWN 0.3   /* confidence from which a report names a suspect */

typedef struct Label {
    Str name;               /* FIXTURE/STAGE or the description's name */
    Str expect;             /* "expect: ..." */
    const char *path;       /* of a stage */
    const Planted *planted; /* or its description */
} Label;

typedef struct Tally {
    int faults, first, three, parts,
        parts_of;        /* parts: right subjects of the first cause, where the label names them */
    int healthy, blamed; /* uploads in which something is blamed that is not */
    int ruled_out, ruled_out_of, open, open_of, forbidden, must, must_of;
    int left_out, jumped; /* runs without one output */
    int broken;
} Tally;

typedef struct Run {
    Arena *arena;
    Pages pages;
    const char *fixtures, *scratch;
    const char *only;
    bool without, scores;
    unsigned long part, parts;
    VEC(Label) labels;
    PlantedList planted;
    Tally f;
    int made; /* folders written */
} Run;

/* ---------------------------------------------------------------- labels */

static int by_name(const void *x, const void *y) {
    return str_cmp(((const Label *)x)->name, ((const Label *)y)->name);
}

static bool fixture_labels(Run *r, const char *fixture, Error *err) {
    const char *folder = arena_fmt(r->arena, "%s/%s", r->fixtures, fixture),
               *path = arena_fmt(r->arena, "%s/expect", folder);
    if (access(path, R_OK) != 0) return true;
    FILE *f = fopen(path, "rb");
    char line[8192];
    while (f && fgets(line, sizeof line, f)) {
        Str text = arena_str(r->arena, str_trim(str_of(line)));
        if (!str_starts(text, "expect: ")) continue;
        Str stage = expect_field(text, "stage");
        Label label = {.name = arena_strf(r->arena, "%s/%.*s", fixture, STR_ARG(stage)),
                       .expect = text,
                       .path = arena_fmt(r->arena, "%s/bundle-%.*s", folder, STR_ARG(stage))};
        if (!stage.len || access(label.path, R_OK) != 0) {
            fclose(f);
            return error_set(err, "%s: no such stage: %.*s", path, STR_ARG(text));
        }
        VEC_PUSH(r->arena, &r->labels, label);
    }
    if (f) fclose(f);
    return true;
}

static bool all_labels(Run *r, const char *cases, Error *err) {
    DIR *d = opendir(r->fixtures);
    if (!d) return error_set(err, "%s: cannot be read", r->fixtures);
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));)
        if (e->d_name[0] != '.') ok = fixture_labels(r, e->d_name, err);
    closedir(d);
    d = ok ? opendir(cases) : NULL;
    for (struct dirent *e; d && ok && (e = readdir(d));)
        if (str_ends(str_of(e->d_name), ".case"))
            ok = planted_read(r->arena, arena_fmt(r->arena, "%s/%s", cases, e->d_name), &r->planted, err);
    if (d) closedir(d);
    for (size_t i = 0; ok && i < r->planted.count; i++) {
        const Planted *p = &r->planted.items[i];
        VEC_PUSH(r->arena, &r->labels, ((Label){.name = p->name, .expect = p->expect, .planted = p}));
    }
    if (ok && r->labels.count) qsort(r->labels.items, r->labels.count, sizeof *r->labels.items, by_name);
    return ok;
}

/* ---------------------------------------------------------------- one diagnosis */

typedef struct Result {
    Arena *arena;
    const Diagnosis *d;
    FindingList open; /* causes that are not covered by another */
} Result;

static bool diagnosed(Run *r, const char *path, Result *out, Error *err) {
    *out = (Result){.arena = arena_new((size_t)2 << 30)};
    Facts *f = facts_new(out->arena, err);
    int64_t bundle;
    if (!f || !bundle_read(f, path, &bundle, err) || !facts_resolve(f, err)) return false;
    out->d = diagnose(f, out->arena, &r->pages, bundle, err);
    if (!out->d) return false;
    for (size_t i = 0; i < out->d->causes.count; i++)
        if (!out->d->causes.items[i]->covered_by.len) VEC_PUSH(out->arena, &out->open, out->d->causes.items[i]);
    return true;
}

static void print_subjects(const SubjectList *list) {
    for (size_t i = 0; i < list->count && i < 6; i++) printf("%s%.*s", i ? "+" : " ", STR_ARG(list->items[i].name));
    if (list->count > 6) printf("+...");
}

static void print_causes(const Result *res) {
    for (size_t i = 0; i < res->open.count && i < 5; i++) {
        const Finding *f = res->open.items[i];
        printf("    %zu. %.*s", i + 1, STR_ARG(f->rule));
        print_subjects(&f->subjects);
        printf(", %.*s, confidence %.2f, score %.3f%s, explains", STR_ARG(f->impact), f->confidence, f->score,
               f->danger_now ? ", a danger now" : "");
        for (size_t k = 0; k < f->explains.count && k < 4; k++)
            printf(" %.*s %.2f", STR_ARG(f->explains.items[k].symptom), f->explains.items[k].weight);
        printf("%s\n", f->explains.count > 4 ? " ..." : f->explains.count ? "" : " nothing");
    }
    for (size_t i = 0; i < res->d->symptoms.count && i < 6; i++) {
        const Finding *s = res->d->symptoms.items[i];
        printf("    symptom %.*s", STR_ARG(s->symptom));
        print_subjects(&s->subjects);
        printf(": %g %.*s, magnitude %.2f\n", s->value, STR_ARG(s->unit), s->magnitude);
    }
}

static void print_fate(const Result *res, Str id) {
    const Diagnosis *d = res->d;
    for (size_t i = 0; i < d->causes.count; i++)
        if (str_eq(d->causes.items[i]->rule, id)) {
            const Finding *f = d->causes.items[i];
            printf("    %.*s is cause %d%s%.*s\n", STR_ARG(id), f->rank, f->covered_by.len ? ", covered by " : "",
                   STR_ARG(f->covered_by));
            return;
        }
    for (size_t i = 0; i < d->ruled_out.count; i++)
        if (str_eq(d->ruled_out.items[i].rule, id)) {
            printf("    %.*s is ruled out: %.*s\n", STR_ARG(id), STR_ARG(d->ruled_out.items[i].reason));
            return;
        }
    for (size_t i = 0; i < d->not_checked.count; i++)
        if (str_eq(d->not_checked.items[i].rule, id)) {
            printf("    %.*s is not checked; missing:", STR_ARG(id));
            for (size_t k = 0; k < d->not_checked.items[i].missing.count; k++)
                printf(" %.*s", STR_ARG(d->not_checked.items[i].missing.items[k]));
            printf("\n");
            return;
        }
    const FindingList *others[] = {&d->risks, &d->notes};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < others[k]->count; i++)
            if (str_eq(others[k]->items[i]->rule, id)) {
                printf("    %.*s is a %s: no symptom at hand that it explains\n", STR_ARG(id), k ? "note" : "risk");
                return;
            }
    printf("    %.*s says nothing\n", STR_ARG(id));
}

/* ---------------------------------------------------------------- scores */

/* id: "ID" or, where documents call the same trouble by several names, "ID|ID". */
static bool is_one_of(Str rule, Str id) {
    while (id.len)
        if (str_eq(rule, str_cut(&id, '|'))) return true;
    return false;
}

static bool has(const FindingList *list, Str id) {
    for (size_t i = 0; i < list->count; i++)
        if (is_one_of(list->items[i]->rule, id)) return true;
    return false;
}

static void miss(const Label *l, const Result *res, const char *what, Str id) {
    printf("  %.*s: %s %.*s\n", STR_ARG(l->name), what, STR_ARG(id));
    print_causes(res);
    while (id.len && !str_is(id, "none")) print_fate(res, str_cut(&id, '|'));
}

static bool named_at(const SubjectList *subjects, Str at) {
    return !at.len || expect_names(subjects, at);
}

/* The recall of a list of the label among the answers of a kind. */
static void score_lists(Run *r, const Label *l, const Result *res) {
    const Diagnosis *d = res->d;
    for (Str list = expect_field(l->expect, "ruled_out"); list.len;) {
        Str at = str_cut(&list, ','), id = str_cut(&at, '@');
        bool hit = str_is(id, "-");
        if (hit) continue;
        for (size_t i = 0; i < d->ruled_out.count && !hit; i++)
            hit = str_eq(d->ruled_out.items[i].rule, id) && named_at(&d->ruled_out.items[i].subjects, at);
        r->f.ruled_out_of++;
        r->f.ruled_out += hit;
        if (!hit) miss(l, res, "is not ruled out:", id);
    }
    for (Str list = expect_field(l->expect, "not_checked"); list.len;) {
        Str id = str_cut(&list, ',');
        if (str_is(id, "-")) continue;
        bool hit = false;
        for (size_t i = 0; i < d->not_checked.count && !hit; i++) hit = str_eq(d->not_checked.items[i].rule, id);
        r->f.open_of++;
        r->f.open += hit;
        if (!hit) miss(l, res, "is not left open:", id);
    }
    for (Str list = expect_field(l->expect, "forbid"); list.len;) {
        Str at = str_cut(&list, ','), id = str_cut(&at, '@');
        const FindingList *of[] = {&d->causes, &d->risks, &d->verdicts};
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < of[k]->count; i++)
                if (str_eq(of[k]->items[i]->rule, id) && named_at(&of[k]->items[i]->subjects, at)) {
                    r->f.forbidden++;
                    miss(l, res, "says what is not so:", id);
                    k = 2;
                    break;
                }
    }
    for (Str list = expect_field(l->expect, "must"); list.len;) {
        Str id = str_cut(&list, ',');
        if (str_is(id, "-")) continue;
        bool hit = has(&d->causes, id) || has(&d->risks, id) || has(&d->notes, id) || has(&d->verdicts, id) ||
                   has(&d->symptoms, id);
        r->f.must_of++;
        r->f.must += hit;
        if (!hit) miss(l, res, "does not say", id);
    }
}

/* The first cause of the label; empty: it names none. A verdict in its place is judged by the stories' tests. */
static Str first_of(const Label *l, const Diagnosis *d) {
    for (Str list = expect_field(l->expect, "top"); list.len;) {
        Str id = str_cut(&list, ',');
        if (d && has(&d->verdicts, id)) continue;
        return id;
    }
    return STR_NONE;
}

static void score(Run *r, const Label *l, const Result *res) {
    Str top = first_of(l, res->d);
    if (str_is(top, "none")) {
        r->f.healthy++;
        if (res->open.count) {
            r->f.blamed++;
            miss(l, res, "blames something, and nothing is to blame:", res->open.items[0]->rule);
        }
    } else if (top.len) {
        r->f.faults++;
        bool first = res->open.count && is_one_of(res->open.items[0]->rule, top), three = first;
        for (size_t i = 1; i < res->open.count && i < 3; i++) three = three || is_one_of(res->open.items[i]->rule, top);
        Str subjects = expect_field(l->expect, "subject"), subject = str_cut(&subjects, ',');
        bool right = true;
        if (first && subject.len) {
            right = expect_subjects(&res->open.items[0]->subjects, subject);
            r->f.parts_of++;
            r->f.parts += right;
        }
        r->f.first += first;
        r->f.three += three;
        if (!first) miss(l, res, "does not name first", top);
        else if (!right) miss(l, res, "names the wrong part for", top);
    }
    score_lists(r, l, res);
    if (r->scores) {
        printf("  %.*s\n", STR_ARG(l->name));
        print_causes(res);
    }
}

/* ---------------------------------------------------------------- without one output */

/* What can be left out: one file, but of the many small files below sys/ or proc/ those of one folder in it together. */
static Str output_of(Str path) {
    Str rest = path;
    size_t used = 0;
    if (!str_starts(path, "sys/") && !str_has(path, "/sys/")) return path;
    for (int depth = 0; depth < 2 && rest.len; depth++) used += str_cut(&rest, '/').len + 1;
    return rest.len ? str_sub(path, 0, used) : path;
}

/* The same cause, or another word for trouble of the same part: a slow member is a slow drive where no pool is known. */
static bool same_suspect(const Finding *now, const Finding *top) {
    if (str_eq(now->rule, top->rule)) return true;
    for (size_t i = 0; i < now->subjects.count; i++)
        if (!expect_names(&top->subjects, now->subjects.items[i].name) &&
            !expect_names(&top->subjects, now->subjects.items[i].serial))
            return false;
    return now->subjects.count > 0;
}

/* It may be surer now, as the output that is left out may have spoken against it; its own evidence was there before. */
static bool was_there(const FindingList *list, const Finding *now) {
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i]->rule, now->rule) && list->items[i]->confidence >= SHOWN) return true;
    return false;
}

static void leave_out(Run *r, const Label *l, const PlantedFiles *files, const Result *whole) {
    const Finding *top = whole->open.items[0];
    for (size_t i = 0; i < files->count; i++) {
        Str output = output_of(files->items[i].path);
        if (i && str_eq(output, output_of(files->items[i - 1].path))) continue;
        Arena *a = arena_new((size_t)1 << 30);
        Error err = {""};
        PlantedFiles rest = {0};
        for (size_t k = 0; k < files->count; k++)
            if (!str_eq(output, output_of(files->items[k].path))) VEC_PUSH(a, &rest, files->items[k]);
        if (!rest.count) {
            arena_free(a);
            break;
        }
        const char *folder = arena_fmt(a, "%s/%d", r->scratch, r->made++);
        Result res = {0};
        if (!planted_write(a, &rest, folder, &err) || !diagnosed(r, folder, &res, &err)) {
            printf("  %.*s without %.*s: %s\n", STR_ARG(l->name), STR_ARG(output), err.text);
            r->f.broken++;
        } else {
            r->f.left_out++;
            const Finding *now = res.open.count ? res.open.items[0] : NULL;
            bool known =
                !now || same_suspect(now, top) || was_there(&whole->d->causes, now) || was_there(&whole->d->risks, now);
            if (!known) {
                r->f.jumped++;
                miss(l, &res, arena_fmt(a, "without %.*s jumps to another suspect from", STR_ARG(output)), top->rule);
            }
        }
        if (res.arena) arena_free(res.arena);
        planted_remove(a, folder);
        arena_free(a);
    }
}

static void run_label(Run *r, const Label *l) {
    Arena *a = arena_new((size_t)1 << 30);
    Error err = {""};
    PlantedFiles files = {0};
    const char *path = l->path, *folder = NULL;
    bool ok = true;
    if (l->planted) {
        ok = planted_make(a, l->planted, r->fixtures, &files, &err);
        folder = arena_fmt(a, "%s/%d", r->scratch, r->made++);
        path = ok ? planted_write(a, &files, folder, &err) : NULL;
        ok = path != NULL;
    } else if (r->without) {
        ok = planted_folder(a, l->path, &files, &err);
    }
    Result res = {0};
    if (ok) ok = diagnosed(r, path, &res, &err);
    if (!ok) {
        printf("  %.*s: %s\n", STR_ARG(l->name), err.text);
        r->f.broken++;
    } else {
        score(r, l, &res);
        Str top = first_of(l, res.d);
        if (r->without && top.len && res.open.count && is_one_of(res.open.items[0]->rule, top))
            leave_out(r, l, &files, &res);
    }
    if (res.arena) arena_free(res.arena);
    if (folder) planted_remove(a, folder);
    arena_free(a);
}

/* ---------------------------------------------------------------- figures */

static void figure(StrBuf *out, const char *what, int n, int of) {
    sb_addf(out, "| %s | %d of %d | ", what, n, of);
    double share = of ? 100.0 * n / of : 0;
    if (n < of && share > 99.9) share = 99.9; /* 100.0 means all */
    if (of) sb_addf(out, "%.1f %% |\n", share);
    else sb_addz(out, "- |\n");
}

static Str figures(const Run *r) {
    const Tally *f = &r->f;
    StrBuf out;
    sb_init(&out, r->arena);
    sb_addf(&out, "| %d labelled uploads | | |\n| --- | --- | --- |\n", f->faults + f->healthy);
    figure(&out, "faults whose cause stands first", f->first, f->faults);
    figure(&out, "faults whose cause is among the first three", f->three, f->faults);
    figure(&out, "first causes on the right part, where the label names it", f->parts, f->parts_of);
    figure(&out, "healthy or misleading uploads in which nothing is blamed", f->healthy - f->blamed, f->healthy);
    figure(&out, "suspects that the labels rule out, ruled out", f->ruled_out, f->ruled_out_of);
    figure(&out, "suspects that the labels leave open, left open", f->open, f->open_of);
    figure(&out, "symptoms, risks and notes that the labels ask for, said", f->must, f->must_of);
    sb_addf(&out, "| suspects that the labels forbid, blamed | %d | |\n", f->forbidden);
    if (r->without)
        figure(&out, "runs without one output in which no other suspect took the first place", f->left_out - f->jumped,
               f->left_out);
    return sb_str(&out);
}

static bool publish(Run *r, const char *path, Str table, Error *err) {
    static const char *const begin = "<!-- figures -->\n", *const end = "<!-- end of figures -->\n";
    Str text;
    if (!planted_text(r->arena, path, &text, err)) return false;
    size_t from = str_find(text, begin), to = str_find(text, end);
    if (from == SIZE_MAX || to == SIZE_MAX || to < from) return error_set(err, "%s has no place for figures", path);
    FILE *f = fopen(path, "wb");
    bool ok = f && fprintf(f, "%.*s%s\n%.*s\n%.*s", (int)from, text.p, begin, STR_ARG(table),
                           STR_ARG(str_from(text, to))) > 0;
    if (f) ok = fclose(f) == 0 && ok;
    return ok ? true : error_set(err, "%s cannot be written", path);
}

static void usage(void) {
    fprintf(stderr,
            "usage: rank [--fixtures FOLDER] [--cases FOLDER] [--only GLOB] [--without] [--part I/N] [--scores] "
            "[--publish FILE]\n");
    exit(2);
}

int main(int argc, char **argv) {
    Run r = {.arena = arena_new((size_t)1 << 30), .fixtures = "fixtures", .only = "*", .parts = 1};
    const char *cases = "tests/rank/cases", *publish_to = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--without") == 0) {
            r.without = true;
        } else if (strcmp(argv[i], "--scores") == 0) {
            r.scores = true;
        } else if (i + 1 == argc) {
            usage();
        } else if (strcmp(argv[i], "--fixtures") == 0) {
            r.fixtures = argv[++i];
        } else if (strcmp(argv[i], "--cases") == 0) {
            cases = argv[++i];
        } else if (strcmp(argv[i], "--publish") == 0) {
            publish_to = argv[++i];
        } else if (strcmp(argv[i], "--only") == 0) {
            r.only = argv[++i];
        } else if (strcmp(argv[i], "--part") == 0) {
            char *end;
            r.part = strtoul(argv[++i], &end, 10);
            r.parts = *end == '/' ? strtoul(end + 1, NULL, 10) : 0;
            if (!r.parts) usage();
        } else {
            usage();
        }
    }
    char scratch[] = "/tmp/stordx-rank-XXXXXX";
    Error err = {""};
    if (!mkdtemp(scratch)) return 2;
    r.scratch = scratch;
    if (!pages_load(r.arena, NULL, &r.pages, &err) || !all_labels(&r, cases, &err)) {
        printf("%s\n0 passed, 1 failed, 0 skipped\n", err.text);
        arena_free(r.arena);
        rmdir(scratch);
        return 1;
    }
    for (size_t i = 0; i < r.labels.count; i++)
        if (i % r.parts == r.part && str_glob(str_of(r.only), r.labels.items[i].name))
            run_label(&r, &r.labels.items[i]);
    rmdir(scratch);
    Str table = figures(&r);
    printf("\n%.*s", STR_ARG(table));
    if (publish_to && !publish(&r, publish_to, table, &err)) {
        printf("%s\n", err.text);
        r.f.broken++;
    }
    const Tally *f = &r.f;
    /* An output may be all that cleared a suspect whose own evidence is good: one run in a thousand is let pass, and printed. */
    int jumped = f->jumped * 1000 > f->left_out ? f->jumped : 0;
    int failed = f->broken + f->blamed + f->forbidden + jumped + (r.parts == 1 && f->first < ENOUGH * f->faults);
    printf("\n%d passed, %d failed, 0 skipped\n", f->first + f->healthy - f->blamed + f->left_out - f->jumped, failed);
    arena_free(r.arena);
    return failed > 0;
}
