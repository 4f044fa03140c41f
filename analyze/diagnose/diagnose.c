#include "diagnose.h"

#include "../parse/registry.h"
#include "column.h"
#include "host_map.h"
#include "rank.h"
#include "statements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Work {
    Facts *f;
    Arena *a;
    const Pages *pages;
    Evaluation e;
    Diagnosis *d;
    int64_t capture, host;
    Str *kinds; /* of each node, by its id */
    size_t kind_count;
    /* causes and risks in one list while they are being ranked, with the hits behind each */
    FindingList candidates;
    VEC(const Answer *) answer_of;
    VEC(const Hit *const *) hits_of;
    VEC(size_t) hit_count_of;
    VEC(Finding *) symptom_findings; /* one per symptom and node */
    VEC(int64_t) symptom_nodes;
    VEC(bool) symptom_inverted;
    VEC(int64_t) behind; /* members of RAID volumes that only the controller's tool has told of */
} Work;

static sqlite3_stmt *prepare(Facts *f, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("diagnosis: %s: %s", sql, sqlite3_errmsg(facts_db(f)));
    return st;
}

/* Does `above` rest on `below`? */
static bool rests_on(Work *w, int64_t above, int64_t below) {
    if (above == below) return true;
    sqlite3_stmt *st = facts_query(w->f, "SELECT 1 FROM reach WHERE capture = ?1 AND below = ?2 AND above = ?3");
    sqlite3_bind_int64(st, 1, w->capture);
    sqlite3_bind_int64(st, 2, below);
    sqlite3_bind_int64(st, 3, above);
    bool yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return yes;
}

/* Asked for every symptom and cause, so all are read at once. */
static void read_kinds(Work *w) {
    sqlite3_stmt *st = prepare(w->f, "SELECT coalesce(max(id), 0) + 1 FROM node");
    if (sqlite3_step(st) == SQLITE_ROW) w->kind_count = (size_t)sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    w->kinds = arena_array(w->a, Str, w->kind_count + 1);
    Str last = STR("");
    st = prepare(w->f, "SELECT id, kind FROM node ORDER BY kind");
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(st, 0);
        Str word = str_of((const char *)sqlite3_column_text(st, 1));
        if (!str_eq(word, last)) last = arena_str(w->a, word);
        if (id >= 0 && (size_t)id < w->kind_count) w->kinds[id] = last;
    }
    sqlite3_finalize(st);
}

/* Nothing that the system can be asked tells more of these, so only the pages on RAID leave them open. */
static void read_behind(Work *w) {
    sqlite3_stmt *st = prepare(
        w->f,
        "SELECT DISTINCT s.node FROM setting s WHERE s.capture = ?1 AND s.key = 'raid_slot' AND NOT EXISTS (SELECT 1 "
        "FROM drive_name n WHERE n.capture = s.capture AND n.node = s.node AND n.kind = 'kernel') AND NOT EXISTS "
        "(SELECT "
        "1 FROM counter c WHERE c.capture = s.capture AND c.node = s.node AND c.kind IN ('ata', 'scsi', 'nvme'))");
    sqlite3_bind_int64(st, 1, w->capture);
    while (sqlite3_step(st) == SQLITE_ROW) VEC_PUSH(w->a, &w->behind, sqlite3_column_int64(st, 0));
    sqlite3_finalize(st);
}

static bool is_behind(const Work *w, int64_t node) {
    for (size_t i = 0; i < w->behind.count; i++)
        if (w->behind.items[i] == node) return true;
    return false;
}

static Str kind_of(const Work *w, int64_t node) {
    return node >= 0 && (size_t)node < w->kind_count ? w->kinds[node] : STR("");
}

/* ---------------------------------------------------------------- from answers to findings */

typedef struct Grouping {
    Work *w;
    const Answer *answer;
} Grouping;

static void put_group(void *arg, const Hit *const *hits, size_t count) {
    Grouping *g = arg;
    Work *w = g->w;
    const Page *page = g->answer->page;
    Finding *finding = finding_build(w->f, w->a, page, hits, count, w->capture);
    if (page->kind != PAGE_SYMPTOM && finding->confidence < CONFIDENCE_SHOWN) return;
    if (page->kind == PAGE_NOTE) {
        VEC_PUSH(w->a, &w->d->notes, finding);
    } else if (page->kind == PAGE_VERDICT) {
        VEC_PUSH(w->a, &w->d->verdicts, finding);
    } else {
        const Hit **kept = arena_array(w->a, const Hit *, count);
        memcpy(kept, hits, count * sizeof *kept);
        VEC_PUSH(w->a, &w->candidates, finding);
        VEC_PUSH(w->a, &w->answer_of, g->answer);
        VEC_PUSH(w->a, &w->hits_of, (const Hit *const *)kept);
        VEC_PUSH(w->a, &w->hit_count_of, count);
    }
}

static void put_symptoms(Work *w, const Answer *answer) {
    const SymptomInfo *info = symptom_find(answer->page->raises);
    for (size_t i = 0; i < answer->hits.count; i++) {
        const Hit *h = &answer->hits.items[i];
        if (!info || (isfinite(h->confidence) && h->confidence < CONFIDENCE_SHOWN)) continue;
        Finding *s = finding_build(w->f, w->a, answer->page, &h, 1, w->capture);
        s->value = h->value;
        s->threshold = h->threshold;
        s->unit = h->unit;
        s->basis = h->basis;
        s->magnitude = symptom_magnitude(info, h->value, h->threshold, h->inverted);
        VEC_PUSH(w->a, &w->symptom_findings, s);
        VEC_PUSH(w->a, &w->symptom_nodes, h->node);
        VEC_PUSH(w->a, &w->symptom_inverted, h->inverted);
        VEC_PUSH(w->a, &w->d->symptoms, s);
    }
}

/* Notes about the worth of the evidence are no suspects: they are neither ruled out nor left open. */
static bool is_suspect(const Page *page) {
    return page->kind != PAGE_VERDICT &&
           !(page->kind == PAGE_NOTE && (str_is(page->layer, "quality") || !page->ruled_out_sql.len));
}

/* How much of what is wrong here the page would explain, were it a cause. */
static double relevance(const Diagnosis *d, const Page *page) {
    double most = 0;
    for (size_t i = 0; i < page->explains.count; i++)
        for (size_t k = 0; k < d->symptoms.count; k++)
            if (str_eq(page->explains.items[i].symptom, d->symptoms.items[k]->symptom))
                most = fmax(most, page->explains.items[i].weight);
    return most;
}

static void put_ruled_out(Work *w, const Answer *answer) {
    if (!is_suspect(answer->page)) return;
    /* One entry per reason: twelve drives with the same sentence are one line. */
    for (size_t i = 0; i < answer->refuted.count; i++) {
        const Refuted *r = &answer->refuted.items[i];
        RuledOut *same = NULL;
        for (size_t k = 0; k < w->d->ruled_out.count && !same; k++) {
            RuledOut *o = &w->d->ruled_out.items[k];
            if (str_eq(o->rule, answer->page->id) && str_eq(o->reason, r->reason)) same = o;
        }
        if (!same) {
            RuledOut fresh = {.rule = answer->page->id,
                              .kind = str_of(page_kind_word(answer->page->kind)),
                              .layer = answer->page->layer,
                              .title = page_plain_title(w->a, answer->page),
                              .reason = r->reason,
                              .relevance = relevance(w->d, answer->page)};
            VEC_PUSH(w->a, &w->d->ruled_out, fresh);
            same = &w->d->ruled_out.items[w->d->ruled_out.count - 1];
        }
        VEC_PUSH(w->a, &same->subjects, subject_of(w->f, w->a, r->node, w->capture));
        for (size_t k = 0; k < r->evidence.count; k++) VEC_PUSH(w->a, &same->evidence, r->evidence.items[k]);
    }
}

static void put_not_checked(Work *w, const Answer *answer) {
    const Page *page = answer->page;
    if (!is_suspect(page)) return;
    for (size_t i = 0; i < answer->unmet.count; i++) {
        const Unmet *u = &answer->unmet.items[i];
        if (is_behind(w, u->node) && !str_is(page->layer, "raid")) continue;
        NotChecked *same = NULL;
        for (size_t k = 0; k < w->d->not_checked.count && !same; k++) {
            NotChecked *n = &w->d->not_checked.items[k];
            bool equal = str_eq(n->rule, page->id) && n->missing.count == u->missing.count;
            for (size_t m = 0; equal && m < u->missing.count; m++)
                equal = str_eq(n->missing.items[m], u->missing.items[m]);
            if (equal) same = n;
        }
        if (!same) {
            NotChecked fresh = {
                .rule = page->id, .kind = str_of(page_kind_word(page->kind)), .title = page_plain_title(w->a, page)};
            for (size_t m = 0; m < u->missing.count; m++) VEC_PUSH(w->a, &fresh.missing, u->missing.items[m]);
            for (size_t m = 0; m < page->ask.count; m++) VEC_PUSH(w->a, &fresh.ask, page->ask.items[m]);
            for (size_t m = 0; !page->ask.count && m < u->missing.count; m++) {
                const Parser *parser = registry_find(u->missing.items[m]);
                if (parser && parser->ask) VEC_PUSH(w->a, &fresh.ask, str_of(parser->ask));
            }
            bool told = false; /* with another entry of this page */
            for (size_t k = 0; k < w->d->not_checked.count && !told; k++)
                told = str_eq(w->d->not_checked.items[k].rule, page->id);
            if (page->words.count && !told)
                statements_about(w->f, w->a, w->capture, page->words.items, page->words.count, &fresh.statements);
            VEC_PUSH(w->a, &w->d->not_checked, fresh);
            same = &w->d->not_checked.items[w->d->not_checked.count - 1];
        }
        if (u->node) VEC_PUSH(w->a, &same->subjects, subject_of(w->f, w->a, u->node, w->capture));
    }
}

/* A note that nothing could check may still answer what the reader writes: worded as an "if", and never a cause. */
static void put_told(Work *w, const Answer *answer) {
    const Page *page = answer->page;
    if (page->kind != PAGE_NOTE || !page->answers.count || !w->host || answer->hits.count || answer->refuted.count ||
        !answer->unmet.count)
        return;
    EvidenceList lines = {0};
    statements_about(w->f, w->a, w->capture, page->answers.items, page->answers.count, &lines);
    if (lines.count) VEC_PUSH(w->a, &w->d->notes, finding_told(w->f, w->a, page, &lines, w->host, w->capture));
}

/* Commands by how many open suspects they would settle. A symptom is no suspect, but seeing it helps; a note does neither. */
static double settles(const Diagnosis *d, Str command) {
    double n = 0;
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *open = &d->not_checked.items[i];
        double worth = str_is(open->kind, "note") ? 0 : str_is(open->kind, "symptom") ? 0.25 : 1;
        for (size_t k = 0; k < open->ask.count && worth > 0; k++)
            if (str_eq(open->ask.items[k], command)) {
                n += worth;
                break;
            }
    }
    return n;
}

static int most_settling(const void *x, const void *y) {
    const NotChecked *a = x, *b = y;
    if (a->settles != b->settles) return a->settles > b->settles ? -1 : 1;
    return str_cmp(a->rule, b->rule);
}

static void order_not_checked(Diagnosis *d) {
    for (size_t i = 0; i < d->not_checked.count; i++) {
        NotChecked *n = &d->not_checked.items[i];
        for (size_t k = 1; k < n->ask.count; k++)
            for (size_t m = k; m > 0 && settles(d, n->ask.items[m]) > settles(d, n->ask.items[m - 1]); m--) {
                Str t = n->ask.items[m];
                n->ask.items[m] = n->ask.items[m - 1];
                n->ask.items[m - 1] = t;
            }
        n->settles = n->ask.count ? settles(d, n->ask.items[0]) : 0;
    }
    if (d->not_checked.count)
        qsort(d->not_checked.items, d->not_checked.count, sizeof *d->not_checked.items, most_settling);
}

/* ---------------------------------------------------------------- ranking */

/* Is `node` of the scope `scope` seen from the cause's subject `from`? */
static bool in_scope(Work *w, Str scope, int64_t node, Str node_kind, int64_t from, Str from_kind) {
    if (str_is(scope, "host")) return node == w->host;
    if (str_is(scope, "pair")) return node == from;
    if (str_is(scope,
               "controller")) { /* the controller, or a drive behind it, whether the subject is the one or the other */
        if (node == from) return true;
        if (str_is(from_kind, "controller")) return rests_on(w, node, from) && str_is(node_kind, "drive");
        return str_is(node_kind, "controller") && rests_on(w, from, node);
    }
    /* Of a file system that no list of mounts shows only the block device is known. */
    bool device_of_fs = str_is(scope, "filesystem") && (str_is(node_kind, "partition") || str_is(node_kind, "volume"));
    if (!str_eq(scope, node_kind) && !device_of_fs) return false;
    /* Drives do not rest on each other: with thousands of both, the question itself would cost minutes. */
    if (str_is(node_kind, "drive") && str_is(from_kind, "drive")) return node == from;
    return node == from || rests_on(w, node, from) || rests_on(w, from, node) ||
           (str_is(from_kind, "host") && !str_is(scope, "host"));
}

static bool above_drives(Str kind) {
    return str_is(kind, "vdev") || str_is(kind, "pool") || str_is(kind, "array") || str_is(kind, "filesystem") ||
           str_is(kind, "partition") || str_is(kind, "volume") || str_is(kind, "guest");
}

/* Another member below `node` has the same symptom, worse, and this cause does not hold it. */
static bool slower_member_elsewhere(Work *w, size_t cause, size_t symptom) {
    int64_t node = w->symptom_nodes.items[symptom];
    const Finding *finding = w->candidates.items[cause];
    double own = -INFINITY, other = -INFINITY;
    for (size_t i = 0; i < w->symptom_findings.count; i++) {
        if (!str_eq(w->symptom_findings.items[i]->symptom, w->symptom_findings.items[symptom]->symptom)) continue;
        int64_t drive = w->symptom_nodes.items[i];
        if (drive == node || !str_is(kind_of(w, drive), "drive") || !rests_on(w, node, drive)) continue;
        bool mine = false;
        for (size_t k = 0; k < finding->subjects.count && !mine; k++) mine = finding->subjects.items[k].node == drive;
        double value =
            w->symptom_inverted.items[i] ? -w->symptom_findings.items[i]->value : w->symptom_findings.items[i]->value;
        if (mine) own = fmax(own, value);
        else other = fmax(other, value);
    }
    return other > own;
}

static double weight_on(Work *w, size_t cause, size_t symptom) {
    const Page *page = w->answer_of.items[cause]->page;
    const Finding *s = w->symptom_findings.items[symptom];
    const SymptomInfo *info = symptom_find(s->symptom);
    int64_t node = w->symptom_nodes.items[symptom];
    Str node_kind = kind_of(w, node);
    double best = 0;
    for (size_t i = 0; i < page->explains.count; i++) {
        const Weight *x = &page->explains.items[i];
        if (!str_eq(x->symptom, s->symptom)) continue;
        for (size_t k = 0; k < w->hit_count_of.items[cause]; k++) {
            const Hit *h = w->hits_of.items[cause][k];
            Str from_kind = kind_of(w, h->node);
            double factor = info->class_ == SYMPTOM_STRUCTURAL ? 1 : h->explain_factor, weight = 0;
            if (in_scope(w, x->scope, node, node_kind, h->node, from_kind)) weight = x->weight;
            else if ((str_is(x->scope, "drive") || str_is(x->scope, "controller") || str_is(x->scope, "pair")) &&
                     above_drives(node_kind) && rests_on(w, node, h->node))
                weight = x->weight * (slower_member_elsewhere(w, cause, symptom) ? 0.5 : 0.9);
            best = fmax(best, weight * factor);
        }
    }
    return best;
}

static void drives_of(Work *w, const Finding *finding, RankCause *cause) {
    VEC(int64_t) drives = {0};
    for (size_t i = 0; i < finding->subjects.count; i++) {
        int64_t node = finding->subjects.items[i].node;
        Str kind = finding->subjects.items[i].kind;
        if (str_is(kind, "host")) cause->all_drives = true;
        if (str_is(kind, "drive")) {
            VEC_PUSH(w->a, &drives, node);
            continue;
        }
        sqlite3_stmt *st = facts_query(w->f, "SELECT d.node FROM drive d JOIN reach r ON r.capture = d.capture AND "
                                             "((r.below = d.node AND r.above = ?1) OR"
                                             " (r.above = d.node AND r.below = ?1)) WHERE d.capture = ?2");
        sqlite3_bind_int64(st, 1, node);
        sqlite3_bind_int64(st, 2, w->capture);
        while (sqlite3_step(st) == SQLITE_ROW) VEC_PUSH(w->a, &drives, sqlite3_column_int64(st, 0));
        sqlite3_reset(st);
    }
    cause->drives = drives.items;
    cause->drive_count = drives.count;
}

static bool overlap(Work *w, const Finding *x, const Finding *y) {
    for (size_t i = 0; i < x->subjects.count; i++)
        for (size_t k = 0; k < y->subjects.count; k++) {
            int64_t a = x->subjects.items[i].node, b = y->subjects.items[k].node;
            if (rests_on(w, a, b) || rests_on(w, b, a)) return true;
        }
    return false;
}

static void apply_yields(Work *w) {
    const double strong = 0.6, capped = 0.3;
    size_t n = w->candidates.count;
    double *original = arena_array(w->a, double, n + 1);
    for (size_t i = 0; i < n; i++) original[i] = w->candidates.items[i]->confidence;
    for (size_t i = 0; i < n; i++) {
        const Page *page = w->answer_of.items[i]->page;
        Finding *mine = w->candidates.items[i];
        for (size_t y = 0; y < page->yields_to.count && !mine->covered_by.len; y++)
            for (size_t k = 0; k < n && !mine->covered_by.len; k++) {
                Finding *other = w->candidates.items[k];
                if (!str_eq(other->rule, page->yields_to.items[y]) || original[k] < strong || !overlap(w, mine, other))
                    continue;
                mine->covered_by = other->rule;
                mine->confidence = fmin(mine->confidence, capped);
                size_t own = other->evidence.count;
                for (size_t v = 0; v < mine->evidence.count; v++) { /* both may rest on one line */
                    const Evidence *e = &mine->evidence.items[v];
                    bool there = false;
                    for (size_t o = 0; o < own && !there; o++) {
                        const Evidence *t = &other->evidence.items[o];
                        there = t->src == e->src && t->line == e->line && str_eq(t->path, e->path);
                    }
                    if (!there) VEC_PUSH(w->a, &other->evidence, *e);
                }
            }
    }
}

/* A finding that belongs into another one's text: it keeps its confidence and its place in the arithmetic. */
static void apply_inside(Work *w) {
    const double strong = 0.6;
    for (size_t i = 0; i < w->candidates.count; i++) {
        Finding *mine = w->candidates.items[i];
        Str id = w->answer_of.items[i]->page->inside;
        for (size_t k = 0; k < w->candidates.count && id.len && !mine->inside && !mine->covered_by.len; k++) {
            const Finding *other = w->candidates.items[k];
            if (str_eq(other->rule, id) && !other->covered_by.len && other->confidence >= strong &&
                overlap(w, mine, other))
                mine->inside = other;
        }
    }
}

/* Was anything measured that somebody would feel: a series, or the pressure of the present? */
static bool felt_measured(Work *w) {
    sqlite3_stmt *st = facts_query(
        w->f,
        "SELECT 1 FROM distribution WHERE capture = ?1 AND basis NOT LIKE 'lifetime%' AND basis <> 'io percentiles'"
        " UNION ALL SELECT 1 FROM pressure WHERE capture = ?1 AND resource = 'io' LIMIT 1");
    sqlite3_bind_int64(st, 1, w->capture);
    bool yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return yes;
}

static int impact_rank(Str impact) {
    return str_is(impact, "severe") ? 3 : str_is(impact, "major") ? 2 : 1;
}

static void rank(Work *w) {
    size_t n = w->symptom_findings.count, m = w->candidates.count;
    RankSymptom *symptoms = arena_array(w->a, RankSymptom, n + 1);
    bool anything_felt = false;
    for (size_t i = 0; i < n; i++) {
        const Finding *s = w->symptom_findings.items[i];
        const SymptomInfo *info = symptom_find(s->symptom);
        symptoms[i] = (RankSymptom){
            .info = info,
            .drive = str_is(kind_of(w, w->symptom_nodes.items[i]), "drive") ? w->symptom_nodes.items[i] : 0,
            .g = s->magnitude,
            .q = str_starts(s->basis, "lifetime average") ? 0.7 : 1};
        if (info->class_ != SYMPTOM_STRUCTURAL) anything_felt = true;
    }
    RankCause *causes = arena_array(w->a, RankCause, m + 1);
    double *weights = arena_array(w->a, double, m *n + 1);
    size_t *order = arena_array(w->a, size_t, m + 1);
    for (size_t c = 0; c < m; c++) {
        Finding *finding = w->candidates.items[c];
        bool cause = w->answer_of.items[c]->page->kind == PAGE_CAUSE;
        for (size_t s = 0; cause && s < n; s++) weights[c * n + s] = weight_on(w, c, s);
        causes[c] = (RankCause){.id = arena_cstr(w->a, finding->rule),
                                .confidence = finding->confidence,
                                .impact = impact_rank(finding->impact),
                                .weights = weights + c * n};
        drives_of(w, finding, &causes[c]);
    }
    rank_causes(w->a, symptoms, n, causes, m, order);
    int place = 0;
    enum { ALONE, INSIDE, COVERED };
    for (int pass = ALONE; pass <= COVERED; pass++) { /* what stands by itself comes first */
        bool covered = pass == COVERED;
        for (size_t i = 0; i < m; i++) {
            size_t c = order[i];
            Finding *finding = w->candidates.items[c];
            if ((finding->covered_by.len ? COVERED : finding->inside ? INSIDE : ALONE) != pass) continue;
            finding->score = causes[c].score;
            finding->danger_now = causes[c].danger_now;
            for (size_t s = 0; s < n; s++) {
                if (causes[c].weights[s] <= 0) continue;
                Explained x = {w->symptom_findings.items[s]->symptom, causes[c].weights[s],
                               subject_of(w->f, w->a, w->symptom_nodes.items[s], w->capture)};
                VEC_PUSH(w->a, &finding->explains, x);
                if (!covered) {
                    Finding *symptom = w->symptom_findings.items[s];
                    bool named = false;
                    for (size_t k = 0; k < symptom->explained_by.count && !named; k++)
                        named = str_eq(symptom->explained_by.items[k], finding->rule);
                    if (!named) VEC_PUSH(w->a, &symptom->explained_by, finding->rule);
                }
            }
            bool is_cause = w->answer_of.items[c]->page->kind == PAGE_CAUSE;
            /* Where nobody measured, a likely cause need not wait for its complaint: the complaint stands in the post. */
            double factor = 0; /* 0 for all: the page itself says that nothing one feels comes from it */
            for (size_t k = 0; k < w->hit_count_of.items[c]; k++)
                factor = fmax(factor, w->hits_of.items[c][k]->explain_factor);
            bool untold = !anything_felt && factor > 0 && finding->confidence >= 0.6 && !felt_measured(w);
            if (!is_cause || (causes[c].explains_nothing && !untold) ||
                (causes[c].structural_only && (anything_felt || finding->confidence < 0.6))) {
                VEC_PUSH(w->a, &w->d->risks, finding);
            } else {
                if (finding->inside && !finding->inside->rank) finding->inside = NULL; /* that one is but a risk */
                finding->rank = finding->inside ? finding->inside->rank : ++place;
                VEC_PUSH(w->a, &w->d->causes, finding);
            }
        }
    }
}

/* ---------------------------------------------------------------- the rest of the report */

static void read_bundle(Facts *f, Arena *a, int64_t bundle, BundleInfo *out) {
    sqlite3_stmt *st = prepare(f, "SELECT label, host, os, kernel, kind, test_path FROM bundle WHERE id = ?1");
    sqlite3_bind_int64(st, 1, bundle);
    out->id = bundle;
    if (sqlite3_step(st) == SQLITE_ROW) {
        out->label = column_text(a, st, 0);
        out->host = column_text(a, st, 1);
        out->os = column_text(a, st, 2);
        out->kernel = column_text(a, st, 3);
        out->kind = column_text(a, st, 4);
        out->test_path = column_text(a, st, 5);
    }
    sqlite3_finalize(st);
    st = prepare(
        f,
        "SELECT (SELECT value FROM setting s WHERE s.node = h.node AND s.key = 'dmi_sys_vendor' ORDER BY src LIMIT 1),"
        " (SELECT value FROM setting s WHERE s.node = h.node AND s.key = 'dmi_product_name' ORDER BY src LIMIT 1)"
        " FROM host h JOIN capture c ON c.id = h.capture WHERE c.bundle = ?1 ORDER BY c.id DESC LIMIT 1");
    sqlite3_bind_int64(st, 1, bundle);
    if (sqlite3_step(st) == SQLITE_ROW) {
        Str vendor = column_text(a, st, 0), product = column_text(a, st, 1);
        out->machine = vendor.len && product.len && !str_starts(product, arena_cstr(a, vendor))
                           ? arena_strf(a, "%.*s %.*s", STR_ARG(vendor), STR_ARG(product))
                       : product.len ? product
                                     : vendor;
    }
    sqlite3_finalize(st);
    st = prepare(f, "SELECT id, label, boot_id, start_s, end_s, sampling_s, complete FROM capture_in_order WHERE "
                    "bundle = ?1 ORDER BY place");
    sqlite3_bind_int64(st, 1, bundle);
    while (sqlite3_step(st) == SQLITE_ROW) {
        CaptureInfo c = {.id = sqlite3_column_int64(st, 0),
                         .label = column_text(a, st, 1),
                         .boot_id = column_text(a, st, 2),
                         .start_s = column_real(st, 3),
                         .end_s = column_real(st, 4),
                         .sampling_s = column_real(st, 5),
                         .complete = sqlite3_column_type(st, 6) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 6)};
        VEC_PUSH(a, &out->captures, c);
    }
    sqlite3_finalize(st);
}

static bool is_culprit(const Diagnosis *d, int64_t node) {
    for (size_t i = 0; i < d->causes.count; i++) {
        if (d->causes.items[i]->covered_by.len) continue;
        for (size_t k = 0; k < d->causes.items[i]->subjects.count; k++)
            if (d->causes.items[i]->subjects.items[k].node == node) return true;
    }
    return false;
}

static void read_drives(Work *w) {
    Arena *a = w->a;
    sqlite3_stmt *st =
        prepare(w->f, "SELECT d.node, n.key, d.name, d.wwn, d.serial, d.model, d.firmware, d.media, d.bus, d.class, "
                      "d.plp, d.size_bytes, (SELECT min(m.value) FROM model_fact m WHERE m.node = d.node AND "
                      "m.capture = d.capture AND m.fact = 'denylist') FROM drive d"
                      " JOIN node n ON n.id = d.node WHERE d.capture = ?1 ORDER BY length(d.name), d.name, n.key");
    sqlite3_stmt *names = prepare(w->f, "SELECT DISTINCT boot, name FROM drive_name WHERE node = ?1 AND capture = ?2 "
                                        "AND kind = 'kernel' ORDER BY boot DESC, name");
    sqlite3_stmt *pools =
        prepare(w->f, "SELECT DISTINCT n.label FROM reach r JOIN node n ON n.id = r.above WHERE r.capture = ?2 AND "
                      "r.below = ?1 AND n.kind IN ('pool','array') ORDER BY n.label");
    sqlite3_stmt *dist =
        prepare(w->f, "SELECT metric, tool, basis, n, mean, p50, p95, p99, p999, max FROM distribution "
                      "WHERE node = ?1 AND capture = ?2 ORDER BY metric, tool");
    sqlite3_bind_int64(st, 1, w->capture);
    while (sqlite3_step(st) == SQLITE_ROW) {
        DriveInfo d = {.node = sqlite3_column_int64(st, 0),
                       .id = column_text(a, st, 1),
                       .name = column_text(a, st, 2),
                       .wwn = column_text(a, st, 3),
                       .serial = column_text(a, st, 4),
                       .model = column_text(a, st, 5),
                       .firmware = column_text(a, st, 6),
                       .media = column_text(a, st, 7),
                       .bus = column_text(a, st, 8),
                       .class_ = column_text(a, st, 9),
                       .plp = column_text(a, st, 10),
                       .size_bytes = column_real(st, 11),
                       .denylist = column_text(a, st, 12)};
        d.place = subject_of(w->f, a, d.node, w->capture).place;
        d.culprit = is_culprit(w->d, d.node);
        sqlite3_stmt *const lists[] = {names, pools, dist};
        for (size_t i = 0; i < 3; i++) {
            sqlite3_reset(lists[i]);
            sqlite3_bind_int64(lists[i], 1, d.node);
            sqlite3_bind_int64(lists[i], 2, w->capture);
        }
        while (sqlite3_step(names) == SQLITE_ROW) {
            NameAt n = {sqlite3_column_int(names, 0), column_text(a, names, 1)};
            VEC_PUSH(a, &d.names, n);
        }
        while (sqlite3_step(pools) == SQLITE_ROW) VEC_PUSH(a, &d.pools, column_text(a, pools, 0));
        while (sqlite3_step(dist) == SQLITE_ROW) {
            Dist x = {column_text(a, dist, 0), column_text(a, dist, 1), column_text(a, dist, 2), column_real(dist, 3),
                      column_real(dist, 4),    column_real(dist, 5),    column_real(dist, 6),    column_real(dist, 7),
                      column_real(dist, 8),    column_real(dist, 9)};
            VEC_PUSH(a, &d.metrics, x);
        }
        VEC_PUSH(a, &w->d->drives, d);
    }
    sqlite3_finalize(st);
    sqlite3_finalize(names);
    sqlite3_finalize(pools);
    sqlite3_finalize(dist);
}

static void read_benchmarks(Work *w) {
    Arena *a = w->a;
    sqlite3_stmt *st =
        prepare(w->f, "SELECT b.tool, b.target, CASE WHEN b.tool IN ('dd', 'fio') AND b.rw IS NOT NULL THEN CASE b.rw "
                      "WHEN 'randread' THEN 'random "
                      "read' WHEN 'randwrite' THEN 'random write' WHEN 'read' THEN 'sequential read' WHEN 'write' THEN "
                      "'sequential write' ELSE b.rw END "
                      "ELSE coalesce(b.label, b.rw, 'a rate') END || CASE WHEN b.block_bytes >= 1048576 THEN ', ' || "
                      "(b.block_bytes / 1048576) || ' MiB' "
                      "WHEN b.block_bytes >= 1024 THEN ', ' || (b.block_bytes / 1024) || ' KiB' WHEN b.block_bytes > 0 "
                      "THEN ', ' || b.block_bytes || ' B' ELSE '' END "
                      "|| coalesce(', ' || CAST(b.outstanding AS INTEGER) || ' in flight', '') || CASE WHEN b.sync = "
                      "'dsync' THEN ', each flushed' "
                      "WHEN b.sync <> 'none' THEN ', flushed at the end' ELSE '' END,"
                      " b.mb_s, b.iops, b.lat_mean_ms, b.lat_p50_ms, b.lat_p95_ms, b.lat_p99_ms, b.lat_p999_ms, "
                      "b.lat_max_ms, x.words, b.measures, b.node,"
                      " json_array(cite(b.src, b.line)) FROM benchmark b LEFT JOIN benchmark_beside x ON x.id = b.rowid"
                      " WHERE b.capture = ?1 ORDER BY b.src, b.line, b.rowid LIMIT ?2");
    sqlite3_bind_int64(st, 1, w->capture);
    sqlite3_bind_int(st, 2, BENCHMARKS_KEPT + 1);
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (w->d->benchmarks.count == BENCHMARKS_KEPT) {
            VEC_PUSH(a, &w->d->warnings,
                     say(a, _("More than {most} benchmarks: the first are listed, and the rules look at all."), "most",
                         arena_strf(a, "%d", BENCHMARKS_KEPT), NULL));
            break;
        }
        Benchmark b = {.tool = column_text(a, st, 0),
                       .target = column_text(a, st, 1),
                       .what = column_text(a, st, 2),
                       .mb_s = column_real(st, 3),
                       .iops = column_real(st, 4),
                       .mean_ms = column_real(st, 5),
                       .p50_ms = column_real(st, 6),
                       .p95_ms = column_real(st, 7),
                       .p99_ms = column_real(st, 8),
                       .p999_ms = column_real(st, 9),
                       .max_ms = column_real(st, 10),
                       .beside = column_text(a, st, 11),
                       .measures = column_text(a, st, 12)};
        if (sqlite3_column_int64(st, 13)) b.subject = subject_of(w->f, a, sqlite3_column_int64(st, 13), w->capture);
        evidence_from_json(w->f, a, column_text(a, st, 14), &b.evidence);
        VEC_PUSH(a, &w->d->benchmarks, b);
    }
    sqlite3_finalize(st);
}

static void read_sources(Work *w) {
    Arena *a = w->a;
    sqlite3_stmt *st = prepare(w->f, "SELECT member, tool, command, status, note, rows, bad_rows, line_first, "
                                     "line_last FROM source WHERE bundle = ?1 ORDER BY id");
    sqlite3_bind_int64(st, 1, w->d->bundle.id);
    while (sqlite3_step(st) == SQLITE_ROW) {
        SourceInfo s = {column_text(a, st, 0),       column_text(a, st, 1),       column_text(a, st, 2),
                        column_text(a, st, 3),       column_text(a, st, 4),       sqlite3_column_int64(st, 5),
                        sqlite3_column_int64(st, 6), sqlite3_column_int64(st, 7), sqlite3_column_int64(st, 8)};
        VEC_PUSH(a, &w->d->sources, s);
    }
    sqlite3_finalize(st);
}

static void tree_drives(Work *w, int64_t controller, int depth) {
    for (size_t i = 0; i < w->d->drives.count; i++) {
        const DriveInfo *d = &w->d->drives.items[i];
        sqlite3_stmt *st = facts_query(
            w->f,
            "SELECT controller FROM place WHERE node = ?1 AND capture = ?2 AND boot = 0 AND controller IS NOT NULL");
        sqlite3_bind_int64(st, 1, d->node);
        sqlite3_bind_int64(st, 2, w->capture);
        int64_t at = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
        sqlite3_reset(st);
        if (at != controller) continue;
        StrBuf detail;
        sb_init(&detail, w->a);
        if (d->model.len) sb_add(&detail, d->model);
        if (d->serial.len)
            sb_addf(&detail, "%s%.*s", detail.len ? ", " : "",
                    STR_ARG(say(w->a, _("serial {serial}"), "serial", d->serial, NULL)));
        if (d->place.port.len)
            sb_addf(&detail, "%s%.*s", detail.len ? ", " : "",
                    STR_ARG(say(w->a, _("port {port}"), "port", d->place.port, NULL)));
        StrBuf pools;
        sb_init(&pools, w->a);
        for (size_t k = 0; k < d->pools.count; k++)
            sb_addf(&pools, "%s%.*s", k ? ", " : "", STR_ARG(d->pools.items[k]));
        if (pools.len)
            sb_addf(&detail, "%s%.*s", detail.len ? " - " : "",
                    STR_ARG(say(w->a, _("in {pools}"), "pools", sb_str(&pools), NULL)));
        TreeNode t = {d->node, STR("drive"), d->name, sb_str(&detail), depth, d->culprit, false};
        VEC_PUSH(w->a, &w->d->tree, t);
    }
}

static void build_tree(Work *w) {
    Arena *a = w->a;
    TreeNode host = {w->host,
                     STR("host"),
                     w->d->bundle.host.len ? w->d->bundle.host : str_of(_("host")),
                     w->d->bundle.machine,
                     0,
                     is_culprit(w->d, w->host),
                     false};
    VEC_PUSH(a, &w->d->tree, host);
    sqlite3_stmt *st = prepare(w->f, "SELECT DISTINCT p.controller, n.label, (SELECT coalesce(x.name, '') || CASE WHEN "
                                     "x.driver IS NOT NULL THEN ' (' || x.driver || ')' ELSE '' END"
                                     " FROM pci_device x WHERE x.bdf = p.bdf AND x.capture = p.capture ORDER BY x.name "
                                     "IS NULL, x.src LIMIT 1) FROM place p JOIN node n ON n.id = p.controller"
                                     " WHERE p.capture = ?1 AND p.boot = 0 ORDER BY n.label");
    sqlite3_bind_int64(st, 1, w->capture);
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t node = sqlite3_column_int64(st, 0);
        TreeNode t = {node, STR("controller"), column_text(a, st, 1), column_text(a, st, 2), 1, is_culprit(w->d, node),
                      false};
        VEC_PUSH(a, &w->d->tree, t);
        tree_drives(w, node, 2);
    }
    sqlite3_finalize(st);
    tree_drives(w, 0, 1);
    st = prepare(w->f, "SELECT DISTINCT node, name, state FROM pool WHERE capture = ?1 ORDER BY name");
    sqlite3_bind_int64(st, 1, w->capture);
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t node = sqlite3_column_int64(st, 0);
        TreeNode t = {node, STR("pool"), column_text(a, st, 1), column_text(a, st, 2), 1, is_culprit(w->d, node),
                      false};
        VEC_PUSH(a, &w->d->tree, t);
    }
    sqlite3_finalize(st);
}

/* ---------------------------------------------------------------- the verdict */

/* Was the page able to look at this drive? */
static bool looked_at(const Answer *answer, int64_t node) {
    for (size_t i = 0; i < answer->unmet.count; i++)
        if (answer->unmet.items[i].node == node) return false;
    for (size_t i = 0; i < answer->subjects.count; i++)
        if (answer->subjects.items[i] == node) return true;
    for (size_t i = 0; i < answer->hits.count; i++)
        if (answer->hits.items[i].node == node) return true;
    return false;
}

/* Some figure of the present, not a lone report: a series of the drive, or the pressure the whole host feels. */
static bool measured_now(Work *w, int64_t node) {
    sqlite3_stmt *st =
        facts_query(w->f, "SELECT 1 FROM distribution WHERE capture = ?1 AND node = ?2 AND basis NOT LIKE 'lifetime%'"
                          " UNION ALL SELECT 1 FROM pressure WHERE capture = ?1 AND resource = 'io' LIMIT 1");
    sqlite3_bind_int64(st, 1, w->capture);
    sqlite3_bind_int64(st, 2, node);
    bool yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return yes;
}

/* Enough to call it healthy: for every drive one danger symptom and one felt symptom could be checked. */
static bool enough_evidence(Work *w) {
    size_t drives = 0;
    for (size_t i = 0; i < w->d->drives.count; i++) {
        const DriveInfo *d = &w->d->drives.items[i];
        if (str_is(d->bus, "raid"))
            return false; /* the drives behind a RAID controller are hidden: nobody looked at them */
        if (str_is(d->media, "flash") || str_is(d->media, "virtual"))
            continue; /* sticks and cards report nothing; a volume's drives are hidden */
        drives++;
        bool danger = false;
        for (size_t k = 0; k < w->e.answers.count && !danger; k++) {
            const Answer *answer = &w->e.answers.items[k];
            if (answer->page->kind != PAGE_SYMPTOM) continue;
            const SymptomInfo *info = symptom_find(answer->page->raises);
            danger = info && info->class_ == SYMPTOM_DANGER && looked_at(answer, d->node);
        }
        if (!danger || !measured_now(w, d->node)) return false;
    }
    return drives > 0 || (w->d->drives.count > 0 && measured_now(w, 0));
}

static Str names_of(Arena *a, const SubjectList *subjects) {
    enum { NAMED = 6 };
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < subjects->count && i < NAMED; i++)
        sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(subjects->items[i].name));
    if (subjects->count <= NAMED) return sb_str(&out);
    return say_n(a, "{names} and {n} more", "{names} and {n} more", subjects->count - NAMED, "names", sb_str(&out),
                 NULL);
}

/* Sentences stand side by side, each whole. */
static void add_sentence(StrBuf *out, Str sentence) {
    if (out->len) sb_addc(out, ' ');
    sb_add(out, sentence);
}

static Str confidence_of(const Finding *f) {
    return str_of(_(confidence_word(f->confidence)));
}

static size_t open_causes(const Diagnosis *d) {
    size_t n = 0;
    for (size_t i = 0; i < d->causes.count; i++)
        n += !d->causes.items[i]->covered_by.len && !d->causes.items[i]->inside;
    return n;
}

/* The symptom to name where no cause explains any: danger before what is felt before how it is built, then the largest. NULL
   when there is none. */
static const Finding *worst_symptom(const Diagnosis *d) {
    static const int order[] = {[SYMPTOM_DANGER] = 2, [SYMPTOM_FELT] = 1, [SYMPTOM_STRUCTURAL] = 0};
    const Finding *worst = NULL;
    int worst_class = -1;
    for (size_t i = 0; i < d->symptoms.count; i++) {
        const Finding *s = d->symptoms.items[i];
        int class_ = order[symptom_find(s->symptom)->class_];
        if (class_ < worst_class || (class_ == worst_class && s->magnitude <= worst->magnitude)) continue;
        worst = s;
        worst_class = class_;
    }
    return worst;
}

static bool found_note(const Diagnosis *d, const char *rule) {
    for (size_t i = 0; i < d->notes.count; i++)
        if (str_is(d->notes.items[i]->rule, rule)) return true;
    return false;
}

/* What is felt or in danger and no cause names. */
static void add_unexplained(Work *w, StrBuf *out) {
    Diagnosis *d = w->d;
    size_t count = 0;
    StrBuf list;
    sb_init(&list, w->a);
    for (size_t i = 0; i < d->symptoms.count; i++) {
        const Finding *s = d->symptoms.items[i];
        const SymptomInfo *info = symptom_find(s->symptom);
        bool said = s->explained_by.count > 0 || !info || info->class_ == SYMPTOM_STRUCTURAL;
        for (size_t k = 0; k < i && !said; k++)
            said = str_eq(d->symptoms.items[k]->rule, s->rule) && !d->symptoms.items[k]->explained_by.count;
        if (said) continue;
        if (++count > 2) break;
        VEC_PUSH(w->a, &d->unexplained, s);
        if (count > 1) sb_addz(&list, "; ");
        sb_add(&list,
               say(w->a, _("{title} ({names})"), "title", s->title, "names", names_of(w->a, &s->subjects), NULL));
    }
    if (count) add_sentence(out, say(w->a, _("Not explained: {symptoms}."), "symptoms", sb_str(&list), NULL));
}

/* An upload that was cut, or of which a part was left out, must say so where everybody reads it. */
static void warn_of_losses(Work *w) {
    for (size_t i = 0; i < w->d->sources.count; i++) {
        const SourceInfo *s = &w->d->sources.items[i];
        if (str_is(s->status, "skipped") &&
            (str_has(s->note, "damaged or cut") || str_has(s->note, "limit of") || str_has(s->note, "inside")))
            VEC_PUSH(w->a, &w->d->warnings,
                     say(w->a, _("The upload was not read whole: {member}: {why}"), "member", s->member, "why",
                         lang_phrase(w->a, s->note), NULL));
    }
}

/* A verdict that clears the storage is said first, with the limit that was found instead. */
static void add_not_storage(Arena *a, Diagnosis *d, StrBuf *out) {
    const Finding *cleared = NULL, *instead = NULL;
    for (size_t i = 0; i < d->verdicts.count && !cleared; i++)
        if (str_is(d->verdicts.items[i]->rule, "storage-not-limiting")) cleared = d->verdicts.items[i];
    if (!cleared) return;
    for (size_t i = 0; i < d->risks.count; i++)
        if (str_is(d->risks.items[i]->rule, "dmcrypt-cpu-bound") ||
            (!instead && str_is(d->risks.items[i]->rule, "cpu-bound-not-disk")))
            instead = d->risks.items[i];
    d->cleared = cleared;
    d->instead = instead;
    add_sentence(
        out, say(a, _("{title} ({confidence})."), "title", cleared->title, "confidence", confidence_of(cleared), NULL));
    if (instead)
        add_sentence(out, say(a, _("What is: {title} ({confidence})."), "title", instead->title, "confidence",
                              confidence_of(instead), NULL));
}

static void write_verdict(Work *w) {
    Diagnosis *d = w->d;
    Arena *a = w->a;
    size_t causes = open_causes(d);
    StrBuf out;
    sb_init(&out, a);
    warn_of_losses(w);
    if (causes) {
        const Finding *first = d->causes.items[0];
        d->status = STR("causes");
        add_sentence(&out, say(a, _("{title}: {names} ({confidence})."), "title", first->title, "names",
                               names_of(a, &first->subjects), "confidence", confidence_of(first), NULL));
        if (causes == 2)
            add_sentence(&out,
                         say(a, _("One more cause takes part: {title}."), "title", d->causes.items[1]->title, NULL));
        if (causes > 2)
            add_sentence(&out, say_n(a, "{n} more cause takes part, first: {title}.",
                                     "{n} more causes take part, first: {title}.", causes - 1, "title",
                                     d->causes.items[1]->title, NULL));
        if (!first->explains.count)
            add_sentence(&out, str_of(_("No figure in the upload shows how slow the host is.")));
        add_unexplained(w, &out);
        d->verdict = sb_str(&out);
        return;
    }
    const Finding *worst = d->worst = worst_symptom(d);
    if (worst || !enough_evidence(w)) {
        d->status = STR("insufficient");
        Str ask = STR_NONE;
        size_t known = 0;
        for (size_t i = 0; i < d->not_checked.count && !ask.p; i++)
            if (d->not_checked.items[i].ask.count) ask = d->not_checked.items[i].ask.items[0];
        for (size_t i = 0; i < d->sources.count; i++)
            known += d->sources.items[i].tool.len &&
                     (str_is(d->sources.items[i].status, "parsed") || str_is(d->sources.items[i].status, "partial"));
        if (worst) {
            Str names = names_of(a, &worst->subjects);
            size_t more = d->symptoms.count - 1;
            if (more)
                add_sentence(&out, say_n(a,
                                         "Something is wrong, and the evidence does not say why: {title} ({names}) and "
                                         "{n} more symptom.",
                                         "Something is wrong, and the evidence does not say why: {title} ({names}) and "
                                         "{n} more symptoms.",
                                         more, "title", worst->title, "names", names, NULL));
            else
                add_sentence(&out,
                             say(a, _("Something is wrong, and the evidence does not say why: {title} ({names})."),
                                 "title", worst->title, "names", names, NULL));
        } else if (!known) {
            add_sentence(
                &out, say_n(a,
                            "Nothing in this input was recognised as the output of a tool ({n} piece), so nothing can "
                            "be said.",
                            "Nothing in this input was recognised as the output of a tool ({n} pieces), so nothing can "
                            "be said.",
                            d->sources.count, NULL));
        } else {
            add_not_storage(a, d, &out);
            add_sentence(&out,
                         str_of(out.len ? _("Beyond that there is too little evidence to say that nothing is wrong.")
                                        : _("There is too little evidence to say what is wrong, or that nothing "
                                            "is.")));
        }
        if (ask.p) add_sentence(&out, say(a, _("Ask first for the output of: {command}."), "command", ask, NULL));
        else add_sentence(&out, str_of(_("A capture by stordx-collect, made while it is slow, would show it.")));
        d->verdict = sb_str(&out);
        return;
    }
    d->status = STR("nothing_in_evidence");
    add_not_storage(a, d, &out);
    add_sentence(&out, str_of(_("Nothing wrong was found in the evidence.")));
    add_sentence(
        &out, say_n(a, "{n} drive was looked at, {ruled_out} suspects are ruled out and {open} could not be checked.",
                    "{n} drives were looked at, {ruled_out} suspects are ruled out and {open} could not be checked.",
                    d->drives.count, "ruled_out", arena_strf(a, "%zu", d->ruled_out.count), "open",
                    arena_strf(a, "%zu", d->not_checked.count), NULL));
    d->idle = found_note(d, "capture-idle");
    if (d->idle) add_sentence(&out, str_of(_("The host was idle meanwhile: if it is slow at times, capture it then.")));
    d->verdict = sb_str(&out);
}

/* sda, sdb, ..., sdaa: the order people count in. */
static int name_order(const Subject *a, const Subject *b) {
    if (a->name.len != b->name.len) return a->name.len < b->name.len ? -1 : 1;
    int c = str_cmp(a->name, b->name);
    return c ? c : str_cmp(a->id, b->id);
}

static int by_name(const void *x, const void *y) {
    return name_order(x, y);
}

static int by_symptom(const void *x, const void *y) {
    const Explained *a = x, *b = y;
    int c = str_cmp(a->symptom, b->symptom);
    return c ? c : name_order(&a->subject, &b->subject);
}

static void order_names(Diagnosis *d) {
    const FindingList *lists[] = {&d->causes, &d->risks, &d->notes, &d->verdicts};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            Finding *f = lists[l]->items[i];
            if (f->subjects.count) qsort(f->subjects.items, f->subjects.count, sizeof *f->subjects.items, by_name);
            if (f->explains.count) qsort(f->explains.items, f->explains.count, sizeof *f->explains.items, by_symptom);
        }
    for (size_t i = 0; i < d->ruled_out.count; i++)
        if (d->ruled_out.items[i].subjects.count)
            qsort(d->ruled_out.items[i].subjects.items, d->ruled_out.items[i].subjects.count, sizeof(Subject), by_name);
    for (size_t i = 0; i < d->not_checked.count; i++)
        if (d->not_checked.items[i].subjects.count)
            qsort(d->not_checked.items[i].subjects.items, d->not_checked.items[i].subjects.count, sizeof(Subject),
                  by_name);
}

static int by_rule(const void *x, const void *y) {
    const RuledOut *a = x, *b = y;
    int c = str_cmp(a->rule, b->rule);
    return c ? c : str_cmp(a->reason, b->reason);
}

/* "random read, 4 KiB, 128 in flight" of read_benchmarks(), part by part; what a tool calls its test stays. */
static Str test_words(Arena *a, Str what) {
    static const char *const words[] = {
        N_("random read"),  N_("random write"),       N_("sequential read"), N_("sequential write"),
        N_("each flushed"), N_("flushed at the end"), N_("a rate")};
    StrBuf out;
    sb_init(&out, a);
    for (Str rest = what; rest.len;) {
        size_t end = str_find(rest, ", ");
        Str part = str_sub(rest, 0, end);
        rest = end == SIZE_MAX ? STR_NONE : str_from(rest, end + 2);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (str_is(part, words[i])) part = str_of(_(words[i]));
        if (str_ends(part, " in flight"))
            part = say(a, _("{n} in flight"), "n", str_sub(part, 0, part.len - strlen(" in flight")), NULL);
        if (out.len) sb_addz(&out, ", ");
        sb_add(&out, part);
    }
    return sb_str(&out);
}

/* Last, so that nothing is ordered or told apart by words of another language. */
static void translate_words(Arena *a, Diagnosis *d) {
    for (size_t i = 0; i < d->ruled_out.count; i++)
        d->ruled_out.items[i].reason = lang_phrase(a, d->ruled_out.items[i].reason);
    for (size_t i = 0; i < d->not_checked.count; i++)
        for (size_t k = 0; k < d->not_checked.items[i].missing.count; k++) {
            Str *source = &d->not_checked.items[i].missing.items[k]; /* a tool, a setting, or words of needs.c */
            *source = str_find_ch(*source, ' ') == SIZE_MAX ? *source : lang_phrase(a, lang_str(a, *source));
        }
    for (size_t i = 0; i < d->benchmarks.count; i++) {
        Benchmark *b = &d->benchmarks.items[i];
        b->what = test_words(a, b->what);
        b->beside = lang_phrase(a, b->beside);
        b->measures = lang_phrase(a, b->measures);
    }
}

Diagnosis *diagnose_capture(Facts *f, Arena *a, const Pages *pages, int64_t bundle, int64_t capture, Error *err) {
    Work w = {.f = f, .a = a, .pages = pages, .d = arena_new_of(a, Diagnosis)};
    Diagnosis *d = w.d;
    read_bundle(f, a, bundle, &d->bundle);
    if (!d->bundle.captures.count) {
        error_set(err, "nothing was captured");
        return NULL;
    }
    d->capture = d->bundle.captures.items[d->bundle.captures.count - 1];
    for (size_t i = 0; i < d->bundle.captures.count; i++)
        if (d->bundle.captures.items[i].id == capture) d->capture = d->bundle.captures.items[i];
    w.capture = d->capture.id;
    w.e = (Evaluation){.facts = f, .arena = a, .capture = w.capture};
    sqlite3_stmt *st = prepare(f, "SELECT node FROM host WHERE capture = ?1");
    sqlite3_bind_int64(st, 1, w.capture);
    if (sqlite3_step(st) == SQLITE_ROW) w.host = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);

    read_kinds(&w);
    read_behind(&w);
    evaluate_capture(&w.e, pages);
    for (size_t i = 0; i < w.e.answers.count; i++) {
        const Answer *answer = &w.e.answers.items[i];
        if (answer->page->kind == PAGE_SYMPTOM) {
            put_symptoms(&w, answer);
        } else {
            Grouping g = {&w, answer};
            group_hits(f, a, answer, w.capture, put_group, &g);
        }
        if (answer->broken) continue;
        put_ruled_out(&w, answer);
        put_not_checked(&w, answer);
        put_told(&w, answer);
    }
    apply_yields(&w);
    apply_inside(&w);
    rank(&w);
    if (d->ruled_out.count) qsort(d->ruled_out.items, d->ruled_out.count, sizeof *d->ruled_out.items, by_rule);
    order_not_checked(d);
    order_names(d);
    read_drives(&w);
    read_benchmarks(&w);
    read_sources(&w);
    build_tree(&w);
    host_map_read(f, a, w.capture, d);
    write_verdict(&w);
    for (size_t i = 0; i < pages->problems.count; i++)
        VEC_PUSH(a, &d->warnings,
                 say(a, _("rule page left out: {problem}"), "problem", pages->problems.items[i], NULL));
    for (size_t i = 0; i < w.e.warnings.count; i++) VEC_PUSH(a, &d->warnings, w.e.warnings.items[i]);
    translate_words(a, d);
    return d;
}

Diagnosis *diagnose(Facts *f, Arena *a, const Pages *pages, int64_t bundle, Error *err) {
    return diagnose_capture(f, a, pages, bundle, 0, err);
}
