/*
 * What every fixture gives, as readable text: tests/golden/data/FIXTURE.STAGE.txt and FIXTURE.A-B.txt for comparisons.
 *
 * The expectations of the fixtures say what must be right; these say what changed. STORDX_UPDATE_GOLDEN=1 writes the files
 * anew, and the difference is then read before it is committed. Only what a reader would call another answer stands in
 * them: rules, subjects, confidences to two digits, the lines cited, what was ruled out and what was not checked; no
 * wording.
 */
#include "parse_test.h"
#include "story.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef FIXTURES
#define FIXTURES "fixtures"
#endif
#ifndef GOLDEN
#define GOLDEN "tests/golden/data"
#endif

/* ---------------------------------------------------------------- printing */

static void subjects(StrBuf *b, const SubjectList *list) {
    for (size_t i = 0; i < list->count; i++) {
        const Subject *s = &list->items[i];
        sb_addf(b, "%s%.*s:%.*s", i ? " " : "", STR_ARG(s->kind), STR_ARG(s->name));
    }
}

/* "dmesg.out:12,13 lsblk.out:4": all members, of each its first lines. */
static void evidence(StrBuf *b, const EvidenceList *list) {
    enum { SHOWN = 6 };
    for (size_t i = 0; i < list->count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) seen = str_eq(list->items[k].member, list->items[i].member);
        if (seen) continue;
        sb_addf(b, " %.*s:", STR_ARG(list->items[i].member));
        size_t n = 0;
        for (size_t k = i; k < list->count; k++) {
            const Evidence *e = &list->items[k];
            if (!str_eq(e->member, list->items[i].member)) continue;
            bool again = false; /* one line may speak of several drives */
            for (size_t j = i; j < k && !again; j++) {
                const Evidence *o = &list->items[j];
                again = str_eq(o->member, e->member) && o->line == e->line && str_eq(o->path, e->path);
            }
            if (again) continue;
            if (n < SHOWN) {
                if (e->path.len) sb_addf(b, "%s%.*s", n ? "," : "", STR_ARG(e->path));
                else sb_addf(b, "%s%lld", n ? "," : "", (long long)e->line);
            }
            n++;
        }
        if (n > SHOWN) sb_addf(b, ",+%zu", n - SHOWN);
    }
}

static void finding(StrBuf *b, const Finding *f) {
    sb_addf(b, "  ");
    if (f->rank) sb_addf(b, "%d. ", f->rank);
    sb_addf(b, "%.*s %.2f", STR_ARG(f->rule), f->confidence);
    if (f->class_.len) sb_addf(b, " %.*s", STR_ARG(f->class_));
    if (f->impact.len) sb_addf(b, " %.*s", STR_ARG(f->impact));
    if (f->danger_now) sb_addz(b, " danger");
    if (f->covered_by.len) sb_addf(b, " covered by %.*s", STR_ARG(f->covered_by));
    sb_addz(b, "\n      at ");
    subjects(b, &f->subjects);
    if (f->explains.count) {
        sb_addz(b, "\n      explains");
        for (size_t i = 0; i < f->explains.count; i++)
            sb_addf(b, " %.*s@%.*s %.2f", STR_ARG(f->explains.items[i].symptom),
                    STR_ARG(f->explains.items[i].subject.name), f->explains.items[i].weight);
    }
    if (f->evidence.count) {
        sb_addz(b, "\n      from");
        evidence(b, &f->evidence);
    }
    sb_addc(b, '\n');
}

static void findings(StrBuf *b, const char *title, const FindingList *list) {
    if (!list->count) return;
    sb_addf(b, "%s\n", title);
    for (size_t i = 0; i < list->count; i++) finding(b, list->items[i]);
}

static void print_diagnosis(StrBuf *b, const Diagnosis *d) {
    sb_addf(b, "status %.*s\n", STR_ARG(d->status));
    findings(b, "causes", &d->causes);
    findings(b, "risks", &d->risks);
    findings(b, "notes", &d->notes);
    findings(b, "verdicts", &d->verdicts);
    if (d->symptoms.count) sb_addz(b, "symptoms\n");
    for (size_t i = 0; i < d->symptoms.count; i++) {
        const Finding *f = d->symptoms.items[i];
        sb_addf(b, "  %.*s (%.*s) magnitude %.2f", STR_ARG(f->rule), STR_ARG(f->symptom), f->magnitude);
        if (isfinite(f->value)) sb_addf(b, ", %.3g %.*s", f->value, STR_ARG(f->unit));
        sb_addf(b, ", %.*s\n      at ", STR_ARG(f->basis));
        subjects(b, &f->subjects);
        if (f->explained_by.count) sb_addz(b, "\n      explained by");
        for (size_t k = 0; k < f->explained_by.count; k++) sb_addf(b, " %.*s", STR_ARG(f->explained_by.items[k]));
        if (f->evidence.count) {
            sb_addz(b, "\n      from");
            evidence(b, &f->evidence);
        }
        sb_addc(b, '\n');
    }
    if (d->ruled_out.count) sb_addz(b, "ruled out\n");
    for (size_t i = 0; i < d->ruled_out.count; i++) {
        sb_addf(b, "  %.*s\n      at ", STR_ARG(d->ruled_out.items[i].rule));
        subjects(b, &d->ruled_out.items[i].subjects);
        if (d->ruled_out.items[i].evidence.count) {
            sb_addz(b, "\n      from");
            evidence(b, &d->ruled_out.items[i].evidence);
        }
        sb_addc(b, '\n');
    }
    if (d->not_checked.count) sb_addz(b, "not checked\n");
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *n = &d->not_checked.items[i];
        sb_addf(b, "  %.*s\n      missing", STR_ARG(n->rule));
        for (size_t k = 0; k < n->missing.count; k++) sb_addf(b, "%s %.*s", k ? "," : "", STR_ARG(n->missing.items[k]));
        for (size_t k = 0; k < n->ask.count; k++) sb_addf(b, "\n      ask %.*s", STR_ARG(n->ask.items[k]));
        sb_addc(b, '\n');
    }
    if (d->warnings.count) sb_addz(b, "warnings\n");
    for (size_t i = 0; i < d->warnings.count; i++) sb_addf(b, "  %.*s\n", STR_ARG(d->warnings.items[i]));
}

static void print_comparison(StrBuf *b, const Comparison *c) {
    findings(b, "verdicts", &c->verdicts);
    findings(b, "resolved", &c->resolved);
    findings(b, "new", &c->new_);
    findings(b, "remaining", &c->remaining);
    if (c->changes.count) sb_addz(b, "changes\n");
    for (size_t i = 0; i < c->changes.count; i++) {
        const Change *x = &c->changes.items[i];
        sb_addf(b, "  %.*s %.*s:%.*s %.*s: %.*s -> %.*s", STR_ARG(x->kind), STR_ARG(x->subject.kind),
                STR_ARG(x->subject.name), STR_ARG(x->what), STR_ARG(x->from), STR_ARG(x->to));
        if (x->evidence.count) {
            sb_addz(b, "\n      from");
            evidence(b, &x->evidence);
        }
        sb_addc(b, '\n');
    }
    if (c->factors.count) sb_addz(b, "factors\n");
    for (size_t i = 0; i < c->factors.count; i++) {
        const Factor *x = &c->factors.items[i];
        sb_addf(b, "  %.*s:%.*s %.*s %.3g -> %.3g %.*s%s\n", STR_ARG(x->subject.kind), STR_ARG(x->subject.name),
                STR_ARG(x->metric), x->from, x->to, STR_ARG(x->unit), x->comparable ? "" : " (not comparable)");
    }
    if (c->not_comparable.count) sb_addz(b, "not comparable\n");
    for (size_t i = 0; i < c->not_comparable.count; i++)
        sb_addf(b, "  %.*s\n", STR_ARG(c->not_comparable.items[i].what));
}

/* ---------------------------------------------------------------- comparing */

typedef struct Golden {
    Arena *arena;
    bool update;
    size_t checked, bad, written;
} Golden;

static bool same_lines(Golden *g, const char *name, Str want, Str got) {
    if (str_eq(want, got)) return true;
    size_t shown = 0;
    fprintf(stderr, "%s:\n", name);
    for (int64_t line = 1; (want.len || got.len) && shown < 8;
         line++) { /* the first lines that differ say where to look */
        Str a = str_cut(&want, '\n'), b = str_cut(&got, '\n');
        if (str_eq(a, b)) continue;
        fprintf(stderr, "  line %lld\n    - %.*s\n    + %.*s\n", (long long)line, STR_ARG(str_sub(a, 0, 300)),
                STR_ARG(str_sub(b, 0, 300)));
        shown++;
    }
    g->bad++;
    return false;
}

static void hold(Golden *g, const char *fixture, const char *stages, Str got) {
    const char *path = arena_fmt(g->arena, GOLDEN "/%s.%s.txt", fixture, stages);
    Str want = pt_file(path);
    g->checked++;
    if (g->update) {
        if (str_eq(want, got)) return;
        FILE *f = fopen(path, "wb");
        if (!f) fail_msg("%s: %s", path, strerror(errno));
        if (got.len) assert_int_equal(fwrite(got.p, 1, got.len, f), got.len);
        assert_int_equal(fclose(f), 0);
        g->written++;
        return;
    }
    if (!want.p) {
        fprintf(stderr, "%s is not there; STORDX_UPDATE_GOLDEN=1 writes it\n", path);
        g->bad++;
        return;
    }
    same_lines(g, path, want, got);
}

static void one(Golden *g, const char *fixture, Str from, Str to) {
    const char *paths[2] = {arena_fmt(g->arena, FIXTURES "/%s/bundle-%.*s", fixture, STR_ARG(from)),
                            arena_fmt(g->arena, FIXTURES "/%s/bundle-%.*s", fixture, STR_ARG(to))};
    Story *s = story_open(paths, to.len ? 2 : 1);
    StrBuf b;
    sb_init(&b, g->arena);
    if (s->d) print_diagnosis(&b, s->d);
    else print_comparison(&b, s->c);
    story_close(s);
    hold(g, fixture,
         to.len ? arena_fmt(g->arena, "%.*s-%.*s", STR_ARG(from), STR_ARG(to))
                : arena_fmt(g->arena, "%.*s", STR_ARG(from)),
         sb_str(&b));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void goldens(void **state) {
    (void)state;
    const char *wish = getenv("STORDX_UPDATE_GOLDEN");
    Golden g = {.arena = arena_new((size_t)2 << 30), .update = wish && *wish && strcmp(wish, "0") != 0};
    VEC(char *) fixtures = {0};
    DIR *d = opendir(FIXTURES);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && access(arena_fmt(g.arena, FIXTURES "/%s/expect", e->d_name), R_OK) == 0)
            VEC_PUSH(g.arena, &fixtures, arena_fmt(g.arena, "%s", e->d_name));
    closedir(d);
    if (fixtures.count) qsort(fixtures.items, fixtures.count, sizeof *fixtures.items, by_text);
    for (size_t i = 0; i < fixtures.count; i++) {
#if defined(__SANITIZE_ADDRESS__)
        if (i % 4) continue; /* the sanitizers look for wrong memory and are slow */
#endif
        const char *name = fixtures.items[i];
        Str expect = pt_file(arena_fmt(g.arena, FIXTURES "/%s/expect", name));
        while (expect.len) { /* the same stages and pairs that have expectations */
            Str line = str_trim(str_cut(&expect, '\n')), compare = str_after(line, "expect-compare: ");
            if (compare.p) {
                Str to = str_word(&compare), from = STR_NONE;
                size_t arrow = str_find(to, "->");
                if (arrow == SIZE_MAX) continue;
                from = str_sub(to, 0, arrow);
                one(&g, name, from, str_from(to, arrow + 2));
            } else if (str_starts(line, "expect: ") && expect_field(line, "stage").len) {
                one(&g, name, expect_field(line, "stage"), STR_NONE);
            }
        }
    }
    assert_true(g.checked > 20);
    if (g.update) fprintf(stderr, "%zu of %zu golden files written\n", g.written, g.checked);
    size_t bad = g.bad, checked = g.checked;
    arena_free(g.arena);
    if (bad)
        fail_msg("%zu of %zu golden files differ; if that is right, STORDX_UPDATE_GOLDEN=1 rewrites them", bad,
                 checked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(goldens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
