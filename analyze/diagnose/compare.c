/*
 * compare.c - two captures or more side by side: verdicts, findings, and the other parts put together
 *
 * What a step did is asked of neighbours: changes, figures and verdicts belong to a pair. What is left of the trouble is asked
 * of the first and the last. That something is not seen any more is no proof that it is gone: see sort_findings().
 */
#include "column.h"
#include "compare_parts.h"

#include <stdio.h>
#include <stdlib.h>

sqlite3_stmt *compare_prepare(Facts *f, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("compare: %s: %s", sql, sqlite3_errmsg(facts_db(f)));
    return st;
}

sqlite3_stmt *compare_pair(Compare *x, const char *sql) {
    sqlite3_stmt *st = compare_prepare(x->f, sql);
    for (int i = 1; i <= sqlite3_bind_parameter_count(st); i++) {
        const char *name = sqlite3_bind_parameter_name(st, i);
        sqlite3_bind_int64(st, i, name && strcmp(name, ":before") == 0 ? x->before : x->after);
    }
    return st;
}

Str compare_bare_key(Str id) {
    size_t at = str_rfind_ch(id, '@');
    if (at == SIZE_MAX) return id;
    for (size_t i = at + 1; i < id.len; i++)
        if (!ch_digit(id.p[i])) return id;
    return str_sub(id, 0, at);
}

void compare_impossible(Compare *x, Str what, Str why) {
    for (size_t i = 0; i < x->c->not_comparable.count; i++)
        if (str_eq(x->c->not_comparable.items[i].what, what) && str_eq(x->c->not_comparable.items[i].why, why)) return;
    NotComparable n = {what, why};
    VEC_PUSH(x->a, &x->c->not_comparable, n);
}

void compare_warn(Compare *x, Str text) {
    for (size_t i = 0; i < x->c->warnings.count; i++)
        if (str_eq(x->c->warnings.items[i], text)) return;
    VEC_PUSH(x->a, &x->c->warnings, text);
}

/* "KINGSTON SA400S37960G", "KINGSTON_SA400S37960G", "KINGSTON SA400S3": one may be spelled for a link or be cut. */
static bool models_differ(Str a, Str b) {
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        char x = a.p[i] == '_' ? ' ' : a.p[i], y = b.p[i] == '_' ? ' ' : b.p[i];
        if (x != y) return true;
    }
    return false;
}

/* Has every capture at most one drive of this model? */
static bool model_is_unique(const Compare *x, Str model) {
    for (size_t s = 0; s < x->c->stages.count; s++) {
        const Diagnosis *d = x->c->stages.items[s];
        size_t n = 0;
        for (size_t i = 0; i < d->drives.count && n < 2; i++) n += !models_differ(d->drives.items[i].model, model);
        if (n > 1) return false;
    }
    return true;
}

bool compare_same_drive(const Compare *x, int64_t node, Str id, Str name, Str model, int64_t other_node, Str other_id,
                        Str other_name, Str other_model) {
    if (node == other_node) return true;
    /* a key with its capture is one that a name made */
    if (str_eq(compare_bare_key(id), id) || str_eq(compare_bare_key(other_id), other_id)) return false;
    if (models_differ(model, other_model)) return false;
    return str_eq(name, other_name) || (model.len && other_model.len && model_is_unique(x, model));
}

static bool same_subject(const Compare *x, const Subject *a, const Subject *b) {
    if (str_is(a->kind, "drive") && str_is(b->kind, "drive"))
        return compare_same_drive(x, a->node, a->id, a->name, a->model, b->node, b->id, b->name, b->model);
    return a->node == b->node || str_eq(compare_bare_key(a->id), compare_bare_key(b->id));
}

static bool shares_subject(const Compare *x, const SubjectList *a, const SubjectList *b) {
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (same_subject(x, &a->items[i], &b->items[k])) return true;
    return false;
}

/* ---------------------------------------------------------------- findings */

static Finding *find_match(const Compare *x, const Diagnosis *d, Str rule, const SubjectList *subjects) {
    const FindingList *lists[] = {&d->causes, &d->risks, &d->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            Finding *other = lists[l]->items[i];
            if (str_eq(other->rule, rule) && shares_subject(x, &other->subjects, subjects)) return other;
        }
    return NULL;
}

static const NotChecked *find_unchecked(const Compare *x, const Diagnosis *d, Str rule, const SubjectList *subjects) {
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *n = &d->not_checked.items[i];
        if (str_eq(n->rule, rule) && (!n->subjects.count || shares_subject(x, &n->subjects, subjects))) return n;
    }
    return NULL;
}

static bool is_ruled_out(const Compare *x, const Diagnosis *d, Str rule, const SubjectList *subjects) {
    for (size_t i = 0; i < d->ruled_out.count; i++)
        if (str_eq(d->ruled_out.items[i].rule, rule) && shares_subject(x, &d->ruled_out.items[i].subjects, subjects))
            return true;
    return false;
}

/*
 * A controller's function may go away with its mode: the second IDE function of a chip is gone once the first one serves all
 * ports as AHCI. Its drives know where they went. An empty list when one of them is not there any more, or none was known.
 */
static SubjectList successors(Compare *x, const SubjectList *subjects) {
    SubjectList out = {0};
    for (size_t i = 0; i < subjects->count; i++) {
        if (!str_is(subjects->items[i].kind, "controller")) return (SubjectList){0};
        sqlite3_stmt *st = compare_prepare(
            x->f,
            "SELECT DISTINCT q.controller FROM place p LEFT JOIN place q ON q.node = p.node AND q.capture = ?2 AND "
            "q.boot = 0 JOIN drive d ON d.node = p.node AND d.capture = p.capture AND (d.serial IS NOT NULL OR d.wwn "
            "IS NOT NULL)"
            " WHERE p.capture = ?1 AND p.boot = 0 AND p.controller = ?3 ORDER BY 1");
        sqlite3_bind_int64(st, 1, x->before);
        sqlite3_bind_int64(st, 2, x->after);
        sqlite3_bind_int64(st, 3, subjects->items[i].node);
        bool lost = false;
        while (sqlite3_step(st) == SQLITE_ROW) {
            int64_t node = sqlite3_column_int64(st, 0);
            if (node) VEC_PUSH(x->a, &out, subject_of(x->f, x->a, node, x->after));
            else lost = true;
        }
        sqlite3_finalize(st);
        if (lost) return (SubjectList){0};
    }
    return out;
}

static bool all_ruled_out(const Compare *x, const Diagnosis *d, Str rule, const SubjectList *subjects) {
    for (size_t i = 0; i < subjects->count; i++)
        if (!is_ruled_out(x, d, rule, &(SubjectList){subjects->items + i, 1, 1})) return false;
    return subjects->count > 0;
}

/* Are all its subjects drives that the later capture has not got? */
static bool drives_gone(const Compare *x, const Diagnosis *d, const SubjectList *subjects) {
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        if (!str_is(s->kind, "drive")) return false;
        for (size_t k = 0; k < d->drives.count; k++) {
            const DriveInfo *o = &d->drives.items[k];
            if (compare_same_drive(x, s->node, s->id, s->name, s->model, o->node, o->id, o->name, o->model))
                return false;
        }
    }
    return subjects->count > 0;
}

/* Are all its drives without serial number and WWN? Their names need not be theirs in another capture. */
static bool named_only(const SubjectList *subjects) {
    for (size_t i = 0; i < subjects->count; i++)
        if (!str_is(subjects->items[i].kind, "drive") || subjects->items[i].serial.len || subjects->items[i].wwn.len)
            return false;
    return subjects->count > 0;
}

/* Has a drive a serial number or WWN that no other drive of the stage has? */
static bool told_apart(const Diagnosis *d, const Subject *s) {
    size_t serials = 0, wwns = 0;
    for (size_t i = 0; i < d->drives.count; i++) {
        serials += str_eq(d->drives.items[i].serial, s->serial);
        wwns += str_eq(d->drives.items[i].wwn, s->wwn);
    }
    return (s->serial.len && serials < 2) || (s->wwn.len && wwns < 2);
}

/*
 * Is one of its drives known by a name only, which may be another drive's by now? So are drives that have one serial number and
 * one WWN in common. Only a model that no other drive can have holds such a one.
 */
static bool who_is_open(const Diagnosis *then, const Diagnosis *now, const SubjectList *subjects) {
    const Diagnosis *stages[] = {then, now};
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        if (!str_is(s->kind, "drive") || (told_apart(then, s) && told_apart(now, s))) continue;
        for (size_t k = 0; k < 2; k++) {
            size_t likely = 0;
            for (size_t m = 0; m < stages[k]->drives.count; m++)
                likely += !models_differ(stages[k]->drives.items[m].model, s->model);
            if (likely > 1) return true;
        }
    }
    return false;
}

/* Slow beside its peers: under a lighter load it need not show. */
static bool shows_under_load(const Finding *f) {
    for (size_t i = 0; i < f->explains.count; i++)
        if (str_is(f->explains.items[i].symptom, "slow-outlier")) return true;
    return false;
}

/* Drives that only the later capture has and that took the place of a drive: on its port, or in its vdev or array. */
static SubjectList heirs_of(Compare *x, int64_t gone) {
    sqlite3_stmt *st = compare_pair(
        x, "SELECT d.node FROM drive d WHERE d.capture = :after AND NOT EXISTS (SELECT 1 FROM drive o WHERE o.capture "
           "= :before AND o.node = d.node) AND (EXISTS (SELECT 1 FROM exact_place b JOIN exact_place a ON a.label = "
           "b.label AND a.mode IS b.mode WHERE b.capture = :before AND b.node = :gone AND a.capture = :after AND "
           "a.node = d.node) OR EXISTS (SELECT 1 FROM vdev b JOIN vdev a ON a.capture = :after AND a.node = d.node AND "
           "a.is_leaf = 1 JOIN node bv ON bv.id = b.parent JOIN node av ON av.id = a.parent AND av.label = bv.label "
           "JOIN node bp ON bp.id = b.pool JOIN node ap ON ap.id = a.pool AND ap.label = bp.label WHERE b.capture = "
           ":before AND b.node = :gone AND b.is_leaf = 1) OR EXISTS (SELECT 1 FROM reach b JOIN node bn ON bn.id = "
           "b.above AND bn.kind = 'array' JOIN node an ON an.kind = 'array' AND an.label = bn.label JOIN reach a ON "
           "a.capture = :after AND a.above = an.id AND a.below = d.node WHERE b.capture = :before AND b.below = :gone))"
           " ORDER BY d.name");
    sqlite3_bind_int64(st, sqlite3_bind_parameter_index(st, ":gone"), gone);
    SubjectList out = {0};
    while (sqlite3_step(st) == SQLITE_ROW)
        VEC_PUSH(x->a, &out, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after));
    sqlite3_finalize(st);
    return out;
}

/*
 * A drive that was taken out has no trouble any more. Whether its trouble went with it says the drive that took its place: the
 * same page has to clear that one, or the pool, vdev or array both were in. good: it does; none: nobody took the place.
 */
static SubjectList replacements(Compare *x, const Finding *f, bool *good) {
    SubjectList out = {0};
    *good = f->subjects.count > 0;
    for (size_t i = 0; i < f->subjects.count; i++) {
        SubjectList heirs = heirs_of(x, f->subjects.items[i].node);
        bool cleared = false;
        for (size_t k = 0; k < heirs.count; k++) {
            SubjectList one = {heirs.items + k, 1, 1};
            cleared = cleared || (is_ruled_out(x, x->to, f->rule, &one) && !find_match(x, x->to, f->rule, &one));
            if (!out.count || !shares_subject(x, &out, &one)) VEC_PUSH(x->a, &out, heirs.items[k]);
        }
        *good = *good && cleared;
    }
    return out;
}

static Str drive_words(Arena *a, const SubjectList *list) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < list->count; i++) {
        const Subject *s = &list->items[i];
        sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(s->name));
        if (s->model.len && s->serial.len)
            sb_addf(&out, " (%.*s)",
                    STR_ARG(say(a, _("{model}, serial {serial}"), "model", s->model, "serial", s->serial, NULL)));
        else if (s->model.len) sb_addf(&out, " (%.*s)", STR_ARG(s->model));
    }
    return sb_str(&out);
}

static Finding *with_remark(Compare *x, const Finding *f, Str remark) {
    Finding *copy = arena_new_of(x->a, Finding);
    *copy = *f;
    /* a list of its own: the finding's is part of its stage */
    copy->remarks.items = NULL;
    copy->remarks.count = copy->remarks.cap = 0;
    for (size_t i = 0; i < f->remarks.count; i++) VEC_PUSH(x->a, &copy->remarks, f->remarks.items[i]);
    copy->compared = true;
    VEC_PUSH(x->a, &copy->remarks, remark);
    return copy;
}

/* Does a verdict say for each of its subjects that it is settled? */
static bool is_settled(const Compare *x, const Finding *f) {
    for (size_t i = 0; i < f->subjects.count; i++) {
        bool yes = false;
        for (size_t k = 0; k < x->settled.count && !yes; k++)
            yes = str_eq(x->settled.items[k].rule, f->rule) && x->settled.items[k].node == f->subjects.items[i].node;
        if (!yes) return false;
    }
    return f->subjects.count > 0;
}

static Str list_words(Arena *a, const Str *words, size_t count) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < count; i++) sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(words[i]));
    return sb_str(&out);
}

/* How good a capture is belongs to that capture: it is neither resolved nor new. */
static bool about_evidence(const Finding *f) {
    return str_is(f->kind, "note") && str_is(f->layer, "quality");
}

static void sort_earlier(Compare *x, Finding *f) {
    if (f->covered_by.len || about_evidence(f) || find_match(x, x->to, f->rule, &f->subjects)) return;
    SubjectList heirs = successors(x, &f->subjects);
    if (heirs.count && find_match(x, x->to, f->rule, &heirs)) return;
    bool ruled_out =
        is_ruled_out(x, x->to, f->rule, &f->subjects) || all_ruled_out(x, x->to, f->rule, &heirs) || is_settled(x, f);
    const NotChecked *open = ruled_out ? NULL : find_unchecked(x, x->to, f->rule, &f->subjects);
    if (x->c->different_hosts) {
        compare_impossible(x, f->title, str_of(_("it was found on the first host; the other one is another machine")));
    } else if (drives_gone(x, x->to, &f->subjects)) {
        bool good;
        SubjectList now = replacements(x, f, &good);
        if (good) {
            Str who = drive_words(x->a, &now);
            VEC_PUSH(
                x->a, &x->c->resolved,
                with_remark(
                    x, f,
                    say(x->a, _("The drive is no longer there. In its place is {drives}, for which this is ruled out."),
                        "drives", who, NULL)));
        } else if (now.count) {
            compare_impossible(
                x, f->title,
                say(x->a,
                    _("the drive is no longer there; {drives} took its place, and nothing rules it out for that one"),
                    "drives", drive_words(x->a, &now), NULL));
        } else { /* taken out, or dead: that is not for us to call better */
            compare_impossible(
                x, f->title,
                str_of(named_only(&f->subjects)
                           ? _("its drive is known by name only: which one it is in the later capture is not known")
                           : _("the drive is no longer there: taken out, or not seen any more")));
        }
    } else if (open) {
        compare_impossible(x, f->title,
                           say(x->a, _("it could not be checked in the later capture (missing: {sources})"), "sources",
                               list_words(x->a, open->missing.items, open->missing.count), NULL));
    } else if (f->rank > 0 && !ruled_out) { /* silence is not health */
        compare_impossible(x, f->title,
                           str_of(_("it is not seen in the later capture, but nothing there rules it out")));
    } else if (who_is_open(x->from, x->to, &f->subjects)) {
        compare_impossible(
            x, f->title,
            str_of(_("nothing but its name tells its drive from another one, and names change from boot to boot")));
    } else if (x->other_load && shows_under_load(f)) {
        compare_impossible(x, f->title,
                           str_of(_("it is not seen in the later capture, but that carries a different load")));
    } else {
        VEC_PUSH(x->a, &x->c->resolved, f);
    }
}

/* Was it found on a drive without identity that may be the one of f? */
static bool found_by_name(const Diagnosis *d, const Finding *f) {
    const FindingList *lists[] = {&d->causes, &d->risks, &d->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const Finding *other = lists[l]->items[i];
            if (str_eq(other->rule, f->rule) && named_only(&other->subjects) &&
                !models_differ(other->subjects.items[0].model, f->subjects.items[0].model))
                return true;
        }
    return false;
}

/* What the earlier capture had in its place: a page yields to another one where that explains more. */
static const Finding *forerunner(const Compare *x, const Finding *f) {
    const Page *page = pages_find(x->pages, f->rule);
    for (size_t i = 0; page && i < page->yields_to.count; i++) {
        const Finding *other = find_match(x, x->from, page->yields_to.items[i], &f->subjects);
        if (other && str_is(f->kind, "note")) return other;
    }
    return NULL;
}

static void sort_later(Compare *x, Finding *f) {
    if (f->covered_by.len || about_evidence(f)) return;
    const Finding *earlier = find_match(x, x->from, f->rule, &f->subjects);
    if (earlier && earlier->covered_by.len)
        f = with_remark(x, f,
                        say(x->a, _("It was there in the earlier capture, too, behind {rule}."), "rule",
                            earlier->covered_by, NULL));
    if (!earlier) {
        earlier = forerunner(x, f);
        if (earlier)
            f = with_remark(x, f,
                            say(x->a, _("It is what is left of a finding of the earlier capture: {title}."), "title",
                                earlier->title, NULL));
    }
    if (earlier) {
        VEC_PUSH(x->a, &x->c->remaining, f);
        return;
    }
    if (find_unchecked(x, x->from, f->rule, &f->subjects))
        f = with_remark(x, f,
                        str_of(_("It could not be checked in the earlier capture, so it may be older than it looks.")));
    else if (named_only(&f->subjects) && found_by_name(x->from, f))
        f = with_remark(x, f,
                        str_of(_("The same was found in the earlier capture on a drive that is known by name only: it "
                                 "may be this one.")));
    VEC_PUSH(x->a, &x->c->new_, f);
}

static void sort_findings(Compare *x) {
    const FindingList *then[] = {&x->from->causes, &x->from->risks, &x->from->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < then[l]->count; i++) sort_earlier(x, then[l]->items[i]);
    const FindingList *now[] = {&x->to->causes, &x->to->risks, &x->to->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < now[l]->count; i++) sort_later(x, now[l]->items[i]);
}

/* ---------------------------------------------------------------- findings over a series */

static Str stage_word(Compare *x, const Diagnosis *d, Str rule, const SubjectList *subjects) {
    const Finding *f = find_match(x, d, rule, subjects);
    if (f && f->covered_by.len) return arena_strf(x->a, "covered by %.*s", STR_ARG(f->covered_by));
    if (f && f->rank > 0) return arena_strf(x->a, "cause %d", f->rank);
    if (f) return str_is(f->kind, "cause") ? STR("risk") : f->kind; /* a cause that explains nothing now */
    if (is_ruled_out(x, d, rule, subjects)) return STR("ruled out");
    return find_unchecked(x, d, rule, subjects) ? STR("not checked") : STR("");
}

static void finding_histories(Compare *x) {
    for (size_t s = 0; s < x->c->stages.count; s++) {
        const FindingList *lists[] = {&x->c->stages.items[s]->causes, &x->c->stages.items[s]->risks};
        for (size_t l = 0; l < 2; l++)
            for (size_t i = 0; i < lists[l]->count; i++) {
                const Finding *f = lists[l]->items[i];
                bool known = f->covered_by.len > 0;
                for (size_t k = 0; k < x->c->findings.count && !known; k++)
                    known = str_eq(x->c->findings.items[k].rule, f->rule) &&
                            shares_subject(x, &x->c->findings.items[k].subjects, &f->subjects);
                if (known) continue;
                FindingHistory h = {.rule = f->rule, .kind = f->kind, .title = f->title, .subjects = f->subjects};
                for (size_t k = 0; k < x->c->stages.count; k++)
                    VEC_PUSH(x->a, &h.stages, stage_word(x, x->c->stages.items[k], f->rule, &f->subjects));
                VEC_PUSH(x->a, &x->c->findings, h);
            }
    }
}

/* ---------------------------------------------------------------- verdicts */

typedef struct Verdicts {
    Compare *x;
    const Answer *answer;
} Verdicts;

/* sda, sdb, ..., sdaa: the order people count in. */
static int by_name(const void *p, const void *q) {
    const Subject *a = p, *b = q;
    if (a->name.len != b->name.len) return a->name.len < b->name.len ? -1 : 1;
    int c = str_cmp(a->name, b->name);
    return c ? c : str_cmp(a->id, b->id);
}

static void put_verdict(void *arg, const Hit *const *hits, size_t count) {
    Verdicts *v = arg;
    Finding *f = finding_build(v->x->f, v->x->a, v->answer->page, hits, count, v->x->after);
    f->step = v->x->step;
    if (f->subjects.count) qsort(f->subjects.items, f->subjects.count, sizeof *f->subjects.items, by_name);
    if (f->confidence < CONFIDENCE_SHOWN) return;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < hits[i]->columns.count; k++)
            for (size_t n = 0;
                 str_is(hits[i]->columns.items[k].name, "settles") && n < hits[i]->columns.items[k].values.count; n++) {
                Settled s = {hits[i]->columns.items[k].values.items[n], hits[i]->node};
                VEC_PUSH(v->x->a, &v->x->settled, s);
            }
    VEC_PUSH(v->x->a, &v->x->c->verdicts, f);
    v->x->other_load = v->x->other_load || str_is(f->rule, "load-not-comparable");
}

/* What a verdict cannot be, and why: a change that did not help, or whose effect nobody measured. */
static void put_refuted(Compare *x, const Answer *answer) {
    for (size_t i = 0; i < answer->refuted.count; i++) {
        const Refuted *r = &answer->refuted.items[i];
        RuledOut *same = NULL;
        for (size_t k = 0; k < x->c->ruled_out.count && !same; k++)
            if (str_eq(x->c->ruled_out.items[k].rule, answer->page->id) &&
                str_eq(x->c->ruled_out.items[k].reason, r->reason))
                same = &x->c->ruled_out.items[k];
        if (!same) {
            RuledOut fresh = {.rule = answer->page->id,
                              .kind = STR("verdict"),
                              .title = page_plain_title(x->a, answer->page),
                              .reason = r->reason};
            VEC_PUSH(x->a, &x->c->ruled_out, fresh);
            same = &x->c->ruled_out.items[x->c->ruled_out.count - 1];
        }
        VEC_PUSH(x->a, &same->subjects, subject_of(x->f, x->a, r->node, x->after));
        for (size_t k = 0; k < r->evidence.count; k++) VEC_PUSH(x->a, &same->evidence, r->evidence.items[k]);
    }
}

static void find_verdicts(Compare *x, const Pages *pages) {
    Evaluation e = {.facts = x->f, .arena = x->a, .capture = x->after, .before = x->before, .after = x->after};
    evaluate_compare(&e, pages);
    x->other_load = false;
    for (size_t k = 0; k < e.answers.count; k++) {
        Verdicts v = {x, &e.answers.items[k]};
        group_hits(x->f, x->a, v.answer, x->after, put_verdict, &v);
        put_refuted(x, v.answer);
    }
    for (size_t k = 0; k < e.warnings.count; k++) VEC_PUSH(x->a, &x->c->warnings, e.warnings.items[k]);
}

/* What asks for something to be done comes first, then the order of the steps, then the surest. */
static int by_weight(const void *p, const void *q) {
    const Finding *a = *(Finding *const *)p, *b = *(Finding *const *)q;
    bool x = a->fix.count > 0, y = b->fix.count > 0;
    if (x != y) return x ? -1 : 1;
    if (a->step != b->step) return a->step < b->step ? -1 : 1;
    if (a->confidence != b->confidence) return a->confidence > b->confidence ? -1 : 1;
    int c = str_cmp(a->rule, b->rule);
    return c || !a->subjects.count || !b->subjects.count ? c
                                                         : str_cmp(a->subjects.items[0].id, b->subjects.items[0].id);
}

/* ---------------------------------------------------------------- the text at the top */

static void add_sentence(StrBuf *out, Str text) {
    text = str_trim(text);
    if (!text.len) return;
    if (out->len) sb_addc(out, ' ');
    char first = text.p[0];
    bool opens = !out->len || str_ends(str_trim(sb_str(out)), ".");
    if (opens && first >= 'a' && first <= 'z') {
        sb_addc(out, (char)(first - 32));
        text = str_from(text, 1);
    }
    sb_add(out, text);
    if (!str_ends(text, ".") && !str_ends(text, "!")) sb_addc(out, '.');
}

static size_t causes_in(const FindingList *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) n += str_is(list->items[i]->kind, "cause");
    return n;
}

/* A fix that worked says nothing of what is wrong now; a verdict that asks for something to be done does. */
static Str still_wrong(const Compare *x) {
    enum { TITLES = 2 };
    const Comparison *c = x->c;
    bool asks = c->verdicts.count && c->verdicts.items[0]->fix.count;
    const FindingList *const lists[] = {&c->new_, &c->remaining};
    StrBuf out;
    sb_init(&out, x->a);
    for (int rank = 1; rank <= TITLES; rank++)
        for (size_t k = 0; k < 2; k++)
            for (size_t i = 0; i < lists[k]->count; i++) {
                const Finding *f = lists[k]->items[i];
                if (f->rank != rank || asks) continue;
                if (out.len) sb_addz(&out, "; ");
                sb_add(&out, f->subjects.count == 1 ? say(x->a, _("{title} ({names})"), "title", f->title, "names",
                                                          f->subjects.items[0].name, NULL)
                                                    : f->title);
            }
    return out.len ? say(x->a, _("Found now: {titles}"), "titles", sb_str(&out), NULL) : STR_NONE;
}

static void write_text(Compare *x) {
    enum { VERDICTS = 2 };
    StrBuf out;
    sb_init(&out, x->a);
    Comparison *c = x->c;
    if (c->different_hosts)
        add_sentence(&out,
                     str_of(_("These are captures of different hosts, so nothing here is a step from one to the other. "
                              "Analyze each by itself")));
    for (size_t i = 0; i < c->verdicts.count && i < VERDICTS; i++) {
        const Finding *f = c->verdicts.items[i];
        if (c->stages.count > 2)
            sb_addf(&out, "%s%.*s", out.len ? " " : "",
                    STR_ARG(say(x->a, _("Stage {from} to {to}:"), "from", arena_strf(x->a, "%zu", f->step), "to",
                                arena_strf(x->a, "%zu", f->step + 1), NULL)));
        if (f->fix.count && f->summary.count) { /* its first paragraph says which part it is, and why */
            add_sentence(&out, block_plain(x->a, &f->summary.blocks[0]));
            continue;
        }
        StrBuf names;
        sb_init(&names, x->a);
        for (size_t k = 0; k < f->subjects.count && k < 6; k++)
            sb_addf(&names, "%s%.*s", k ? ", " : "", STR_ARG(f->subjects.items[k].name));
        add_sentence(&out, f->subjects.count && !str_is(f->subjects.items[0].kind, "host")
                               ? say(x->a, _("{title} ({names})"), "title", f->title, "names", sb_str(&names), NULL)
                               : f->title);
    }
    add_sentence(&out, still_wrong(x));
    size_t resolved = causes_in(&c->resolved);
    Str fresh = arena_strf(x->a, "%zu", causes_in(&c->new_)),
        remaining = arena_strf(x->a, "%zu", causes_in(&c->remaining));
    if (!c->different_hosts && c->stages.count > 2)
        add_sentence(
            &out, say_n(x->a, "{n} cause resolved, {new} new, {remaining} remaining from the first stage to the last",
                        "{n} causes resolved, {new} new, {remaining} remaining from the first stage to the last",
                        resolved, "new", fresh, "remaining", remaining, NULL));
    else if (!c->different_hosts)
        add_sentence(&out, say_n(x->a, "{n} cause resolved, {new} new, {remaining} remaining",
                                 "{n} causes resolved, {new} new, {remaining} remaining", resolved, "new", fresh,
                                 "remaining", remaining, NULL));
    c->text = sb_str(&out);
}

/* ---------------------------------------------------------------- whose line is it? */

Str stage_words(Arena *a, Str stage) {
    static const char *const words[] = {N_("before"), N_("after")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(stage, words[i])) return str_of(_(words[i]));
    return str_starts(stage, "stage ") ? say(a, _("stage {n}"), "n", str_from(stage, 6), NULL) : stage;
}

/* Both sides may cite one and the same member and line: the stage tells them apart. */
static void label_evidence(Compare *x, EvidenceList *list) {
    for (size_t i = 0; i < list->count; i++) {
        Evidence *e = &list->items[i];
        sqlite3_stmt *st = facts_query(x->f, "SELECT bundle, capture FROM source WHERE id = ?1");
        sqlite3_bind_int64(st, 1, e->src);
        if (sqlite3_step(st) == SQLITE_ROW)
            for (size_t s = 0; s < x->c->stages.count; s++) {
                const Diagnosis *d = x->c->stages.items[s];
                if (d->bundle.id != sqlite3_column_int64(st, 0)) continue;
                if (sqlite3_column_type(st, 1) != SQLITE_NULL && d->capture.id != sqlite3_column_int64(st, 1)) continue;
                e->bundle = d->bundle.label;
                e->stage = x->c->names.items[s];
                break;
            }
        sqlite3_reset(st);
    }
}

static void label_all(Compare *x) {
    FindingList *lists[] = {&x->c->verdicts, &x->c->resolved, &x->c->new_, &x->c->remaining};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++) label_evidence(x, &lists[l]->items[i]->evidence);
    for (size_t i = 0; i < x->c->changes.count; i++) label_evidence(x, &x->c->changes.items[i].evidence);
    for (size_t i = 0; i < x->c->ruled_out.count; i++) label_evidence(x, &x->c->ruled_out.items[i].evidence);
}

/* ---------------------------------------------------------------- all together */

size_t captures_of_bundle(Facts *f, int64_t bundle) {
    sqlite3_stmt *st = compare_prepare(f, "SELECT count(*) FROM capture WHERE bundle = ?1");
    sqlite3_bind_int64(st, 1, bundle);
    size_t n = sqlite3_step(st) == SQLITE_ROW ? (size_t)sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    return n;
}

static bool add_stage(Compare *x, const Pages *pages, int64_t bundle, int64_t capture, Error *err) {
    Diagnosis *d = diagnose_capture(x->f, x->a, pages, bundle, capture, err);
    if (!d) return false;
    VEC_PUSH(x->a, &x->c->stages, d);
    for (size_t k = 0; k < d->warnings.count; k++) compare_warn(x, d->warnings.items[k]);
    if (!capture && d->bundle.captures.count > 1)
        compare_warn(x, say_n(x->a, "{upload} holds {n} capture; its newest is compared. Given alone, all are.",
                              "{upload} holds {n} captures; its newest is compared. Given alone, all are.",
                              d->bundle.captures.count, "upload", d->bundle.label, NULL));
    return true;
}

static bool open_stages(Compare *x, const Pages *pages, const int64_t *bundles, size_t count, Error *err) {
    if (count > 1) {
        for (size_t i = 0; i < count; i++)
            if (!add_stage(x, pages, bundles[i], 0, err)) return false;
    } else if (count == 1) {
        VEC(int64_t) captures = {0};
        sqlite3_stmt *st = compare_prepare(x->f, "SELECT id FROM capture_in_order WHERE bundle = ?1 ORDER BY place");
        sqlite3_bind_int64(st, 1, bundles[0]);
        while (sqlite3_step(st) == SQLITE_ROW) VEC_PUSH(x->a, &captures, sqlite3_column_int64(st, 0));
        sqlite3_finalize(st);
        for (size_t i = 0; i < captures.count; i++)
            if (!add_stage(x, pages, bundles[0], captures.items[i], err)) return false;
    }
    if (x->c->stages.count < 2) return error_set(err, "there is one capture only: nothing to compare it with");
    for (size_t i = 0; i < x->c->stages.count; i++) {
        Str name = x->c->stages.count > 2 ? arena_strf(x->a, "stage %zu", i + 1) : i ? STR("after") : STR("before");
        VEC_PUSH(x->a, &x->c->names, name);
    }
    return true;
}

static void set_pair(Compare *x, size_t from, size_t to) {
    x->step = from + 1;
    x->from = x->c->stages.items[from];
    x->to = x->c->stages.items[to];
    x->before = x->from->capture.id;
    x->after = x->to->capture.id;
}

static void check_order(Compare *x) {
    if (x->to->capture.end_s < x->from->capture.start_s)
        compare_warn(x,
                     say(x->a, _("By their clocks \"{later}\" was captured before \"{earlier}\": is the order right?"),
                         "later", stage_words(x->a, x->c->names.items[x->step]), "earlier",
                         stage_words(x->a, x->c->names.items[x->step - 1]), NULL));
}

Comparison *compare_bundles(Facts *f, Arena *a, const Pages *pages, const int64_t *bundles, size_t count, Error *err) {
    Compare x = {.f = f, .a = a, .pages = pages, .c = arena_new_of(a, Comparison)};
    if (!open_stages(&x, pages, bundles, count, err)) return NULL;
    size_t stages = x.c->stages.count;
    compare_histories(&x);
    for (size_t i = 0; i + 1 < stages; i++) {
        set_pair(&x, i, i + 1);
        check_order(&x);
        compare_hosts(&x);
        find_verdicts(&x, pages);
        compare_changes(&x);
        compare_factors(&x);
    }
    if (x.c->verdicts.count) qsort(x.c->verdicts.items, x.c->verdicts.count, sizeof *x.c->verdicts.items, by_weight);
    set_pair(&x, 0, stages - 1);
    sort_findings(&x);
    if (stages > 2) finding_histories(&x);
    /* Only now, as reasons tell entries apart. */
    for (size_t i = 0; i < x.c->ruled_out.count; i++)
        x.c->ruled_out.items[i].reason = lang_phrase(a, x.c->ruled_out.items[i].reason);
    write_text(&x);
    label_all(&x);
    return x.c;
}
