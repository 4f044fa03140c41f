#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Complaint {
    double k;
    SymptomClass class_;
    double left;               /* R: what the causes placed so far leave unexplained */
    size_t first, count;       /* its symptoms in Ranking.members */
    size_t drive, drive_count; /* its distinct drives in Ranking.drives */
} Complaint;

typedef struct Ranking {
    const RankSymptom *s;
    size_t *members;
    int64_t *drives;
} Ranking;

static const double danger_k = 3, felt_k = 1, structural_k = 0.2;
static const double danger_present = 0.3; /* R * conf * E from which a danger counts as explained by this cause */

static int by_node(const void *p, const void *q) {
    int64_t x = *(const int64_t *)p, y = *(const int64_t *)q;
    return (x > y) - (x < y);
}

/* Share of the drives that take part in a complaint which the cause covers; 1 when no drive takes part. */
static double coverage(const Ranking *r, const Complaint *p, const int64_t *covered, size_t covered_count, bool all) {
    if (!p->drive_count || all) return 1;
    size_t hit = 0;
    for (size_t i = 0; i < p->drive_count; i++)
        hit += bsearch(&r->drives[p->drive + i], covered, covered_count, sizeof *covered, by_node) != NULL;
    return (double)hit / (double)p->drive_count;
}

static double part_explained(const Ranking *r, const Complaint *p, const RankCause *c, const int64_t *covered) {
    double best = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t s = r->members[p->first + i];
        if (c->weights[s] > 0) best = fmax(best, c->weights[s] * r->s[s].g * r->s[s].q);
    }
    return best > 0 ? best * coverage(r, p, covered, c->drive_count, c->all_drives) : 0;
}

/* The symptoms of each complaint together, and its drives without repetition. */
static Ranking gather(Arena *a, const RankSymptom *s, size_t n, const size_t *of, Complaint *complaints, size_t count) {
    Ranking r = {s, arena_array(a, size_t, n + 1), arena_array(a, int64_t, n + 1)};
    for (size_t i = 0; i < n; i++) complaints[of[i]].count++;
    size_t at = 0;
    for (size_t p = 0; p < count; p++) {
        complaints[p].first = complaints[p].drive = at;
        at += complaints[p].count;
        complaints[p].count = 0;
    }
    for (size_t i = 0; i < n; i++) {
        Complaint *p = &complaints[of[i]];
        r.members[p->first + p->count++] = i;
        if (s[i].drive) r.drives[p->drive + p->drive_count++] = s[i].drive;
    }
    for (size_t p = 0; p < count; p++) {
        int64_t *drives = r.drives + complaints[p].drive;
        size_t all = complaints[p].drive_count, kept = 0;
        if (all) qsort(drives, all, sizeof *drives, by_node);
        for (size_t i = 0; i < all; i++)
            if (!kept || drives[kept - 1] != drives[i]) drives[kept++] = drives[i];
        complaints[p].drive_count = kept;
    }
    return r;
}

static int class_order(const RankCause *c) {
    return c->danger_now ? 0 : c->felt_now ? 1 : c->structural_only ? 2 : 3;
}

static bool before(const RankCause *a, const RankCause *b) {
    if (class_order(a) != class_order(b)) return class_order(a) < class_order(b);
    if (fabs(a->score - b->score) > 1e-9) return a->score > b->score;
    if (a->impact != b->impact) return a->impact > b->impact;
    return strcmp(a->id, b->id) < 0;
}

void rank_causes(Arena *a, const RankSymptom *s, size_t n, RankCause *causes, size_t m, size_t *order) {
    size_t *of = arena_array(a, size_t, n + 1); /* symptom -> complaint */
    Complaint *complaints = arena_array(a, Complaint, n + 1);
    size_t count = 0, chain = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (s[i].info->chain && chain != SIZE_MAX) {
            of[i] = chain;
            continue;
        }
        SymptomClass class_ = s[i].info->class_;
        complaints[count] = (Complaint){.k = class_ == SYMPTOM_DANGER ? danger_k
                                             : class_ == SYMPTOM_FELT ? felt_k
                                                                      : structural_k,
                                        .class_ = class_,
                                        .left = 1};
        if (s[i].info->chain) chain = count;
        of[i] = count++;
    }
    Ranking r = gather(a, s, n, of, complaints, count);
    double *parts = arena_array(a, double, m *(count + 1));
    bool *placed = arena_array(a, bool, m + 1);
    for (size_t c = 0; c < m; c++) {
        RankCause *cause = &causes[c];
        cause->danger = cause->felt = cause->structural = cause->alone = 0;
        int64_t *covered = arena_array(a, int64_t, cause->drive_count + 1);
        if (cause->drive_count) {
            memcpy(covered, cause->drives, cause->drive_count * sizeof *covered);
            qsort(covered, cause->drive_count, sizeof *covered, by_node);
        }
        for (size_t p = 0; p < count; p++) {
            double e = parts[c * count + p] = part_explained(&r, &complaints[p], cause, covered);
            double *largest = complaints[p].class_ == SYMPTOM_DANGER ? &cause->danger
                              : complaints[p].class_ == SYMPTOM_FELT ? &cause->felt
                                                                     : &cause->structural;
            *largest = fmax(*largest, e);
            cause->alone += complaints[p].k * cause->confidence * e;
        }
        cause->felt_now = cause->felt > 0 || cause->danger > 0;
        cause->structural_only = !cause->felt_now && cause->structural > 0;
        cause->explains_nothing = !cause->felt_now && !cause->structural_only;
        order[c] = c;
    }
    for (size_t step = 0; step < m; step++) {
        size_t best = SIZE_MAX;
        for (size_t c = 0; c < m; c++) {
            if (placed[c]) continue;
            RankCause *cause = &causes[c];
            cause->score = 0;
            cause->danger_now = false;
            for (size_t p = 0; p < count; p++) {
                double share = complaints[p].left * cause->confidence * parts[c * count + p];
                cause->score += complaints[p].k * share;
                if (complaints[p].class_ == SYMPTOM_DANGER && share >= danger_present) cause->danger_now = true;
            }
            /* The one to place next is the one with the best score; ties as in the final order. */
            if (best == SIZE_MAX || cause->score > causes[best].score + 1e-9 ||
                (fabs(cause->score - causes[best].score) <= 1e-9 && before(cause, &causes[best])))
                best = c;
        }
        placed[best] = true;
        for (size_t p = 0; p < count; p++) complaints[p].left *= 1 - causes[best].confidence * parts[best * count + p];
    }
    for (size_t i = 1; i < m; i++) /* few causes: insertion sort, stable */
        for (size_t k = i; k > 0 && before(&causes[order[k]], &causes[order[k - 1]]); k--) {
            size_t t = order[k];
            order[k] = order[k - 1];
            order[k - 1] = t;
        }
}
