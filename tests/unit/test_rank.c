/*
 * Which cause stands first: worked stories, computed by hand from value and threshold of each symptom. A row gives what a
 * cause explains of danger, felt and structural complaints, its score alone and after the causes above it, and its place.
 */
#include "diagnose/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SYMPTOMS = 24, MAX_CAUSES = 8, ALL = -1 };

typedef struct StorySymptom {
    const char *id;
    int64_t drive; /* 0: of a pool or the host */
    double value, threshold;
    double q;
    bool inverted;
} StorySymptom;

typedef struct StoryWeight {
    const char *symptom;
    double weight;
    int64_t
        drive; /* of this drive only; ALL: wherever the symptom is, as far as the cause's drives and what has none go */
} StoryWeight;

typedef struct StoryCause {
    const char *id;
    double confidence;
    StoryWeight weights[8];
    int64_t drives[4];
    double danger, felt, structural, alone, score;
    bool danger_now;
    int impact;
} StoryCause;

typedef struct Story {
    const char *name;
    StorySymptom symptoms[MAX_SYMPTOMS];
    StoryCause causes[MAX_CAUSES]; /* in the order of their places */
} Story;

/* Figures are in ms, MB/s and per cent; ratios count times. Thresholds: SATA SSD 10 ms, 20 % of 550 MB/s, peers 3 times. */
static const Story stories[] = {
    {"three SATA SSDs with their write cache off, lone reports",
     {
         {"write-latency", 1, 68, 10, 0.7, false},
         {"write-latency", 2, 68, 10, 0.7, false},
         {"write-latency", 3, 68, 10, 0.7, false},
         {"low-throughput", 1, 7.5, 110, 0.7, true},
         {"low-throughput", 2, 7.5, 110, 0.7, true},
         {"low-throughput", 3, 7.5, 110, 0.7, true},
         {"write-latency", 0, 233, 10, 0.7, false},
         {"io-pressure", 0, 90, 20, 1, false},
     },
     {
         {"drive-write-cache-off",
          0.97,
          {{"write-latency", 0.95, ALL}, {"low-throughput", 0.9, ALL}, {"io-pressure", 0.8, ALL}},
          {1, 2, 3},
          0,
          0.72,
          0,
          0.70,
          0.70,
          false,
          3},
         {"zfs-trim-running", 0.85, {{"io-pressure", 0.4, ALL}}, {1, 2, 3}, 0, 0.36, 0, 0.31, 0.09, false, 2},
         {"zfs-never-trimmed",
          0.75,
          {{"write-latency", 0.4, 1}, {"write-latency", 0.4, 2}, {"write-latency", 0.4, 3}},
          {1, 2, 3},
          0,
          0.18,
          0,
          0.14,
          0.03,
          false,
          1},
     }},
    {"four SSDs behind one controller in IDE mode",
     {
         {"write-latency", 1, 300, 10, 1, false},
         {"write-latency", 2, 300, 10, 1, false},
         {"write-latency", 3, 60, 10, 1, false},
         {"write-latency", 4, 60, 10, 1, false},
         {"iowait", 0, 99, 20, 1, false},
         {"no-command-queueing", 0, 4, 1, 1, false},
     },
     {
         {"sata-ide-mode",
          0.98,
          {{"write-latency", 0.8, ALL}, {"iowait", 0.6, ALL}, {"no-command-queueing", 1, ALL}},
          {1, 2, 3, 4},
          0,
          0.67,
          1,
          0.86,
          0.86,
          false,
          3},
         {"ide-channel-shared", 0.97, {{"write-latency", 0.7, ALL}}, {1, 2}, 0, 0.30, 0, 0.29, 0.10, false, 2},
         {"zfs-never-trimmed", 0.75, {{"write-latency", 0.4, ALL}}, {1, 2, 3, 4}, 0, 0.34, 0, 0.25, 0.06, false, 1},
         {"zfs-slow-member",
          0.30,
          {{"write-latency", 1, ALL}, {"iowait", 0.8, ALL}},
          {2},
          0,
          0.21,
          0,
          0.06,
          0.01,
          false,
          2},
     }},
    {"a member renamed, the pool degraded, one SSD slow",
     {
         {"pool-degraded", 0, 1, 1, 1, false},
         {"write-latency", 1, 80, 10, 1, false},
         {"slow-outlier", 1, 72, 3, 1, false},
         {"iowait", 0, 25, 20, 1, false},
         {"names-changed", 0, 1, 1, 1, false},
     },
     {
         {"zfs-member-renamed", 0.95, {{"pool-degraded", 1, ALL}}, {0}, 1, 0, 0, 2.85, 2.85, true, 2},
         {"zfs-slow-member",
          0.93,
          {{"slow-outlier", 1, ALL}, {"write-latency", 1, ALL}, {"iowait", 0.8, ALL}},
          {1},
          0,
          0.81,
          0,
          0.76,
          0.76,
          false,
          2},
         {"device-names-shuffled",
          0.80,
          {{"pool-degraded", 0.4, ALL}, {"names-changed", 1, ALL}},
          {0},
          0.40,
          0,
          1,
          1.12,
          0.21,
          false,
          1},
         {"zfs-never-trimmed", 0.60, {{"write-latency", 0.4, ALL}}, {1}, 0, 0.27, 0, 0.16, 0.04, false, 1},
     }},
    {"the slow SSD alone",
     {
         {"write-latency", 1, 120, 10, 1, false},
         {"slow-outlier", 1, 80, 3, 1, false},
     },
     {
         {"zfs-slow-member",
          0.93,
          {{"slow-outlier", 1, ALL}, {"write-latency", 1, ALL}},
          {1},
          0,
          0.83,
          0,
          0.77,
          0.77,
          false,
          2},
     }},
    {"NVMe or SATA",
     {
         {"write-latency", 1, 45.6, 10, 0.7, false},
         {"low-throughput", 1, 4.4, 110, 0.7, true},
         {"link-downgraded", 2, 2, 1, 1, false},
     },
     {
         {"device-slow-at-low-load", 0.60, {{"low-throughput", 0.9, ALL}}, {1}, 0, 0.52, 0, 0.31, 0.31, false, 2},
         {"concurrent-writers", 0.50, {{"write-latency", 0.5, ALL}}, {1}, 0, 0.21, 0, 0.10, 0.07, false, 1},
         {"pcie-link-degraded", 0.60, {{"link-downgraded", 1, ALL}}, {2}, 0, 0, 1, 0.12, 0.12, false, 2},
     }},
    {"a slow port, nothing felt",
     {{"link-downgraded", 1, 2, 1, 1, false}},
     {{"sata-link-below-drive", 0.70, {{"link-downgraded", 1, ALL}}, {1}, 0, 0, 1, 0.14, 0.14, false, 1}}},
};

typedef struct Problem {
    Arena *arena;
    RankSymptom symptoms[MAX_SYMPTOMS];
    size_t symptom_count;
    RankCause causes[MAX_CAUSES];
    size_t cause_count, order[MAX_CAUSES];
} Problem;

static bool drive_of_cause(const StoryCause *c, int64_t drive) {
    for (size_t i = 0; i < 4; i++)
        if (c->drives[i] && c->drives[i] == drive) return true;
    return false;
}

/* from: rotates both lists by so many places, as another order of the same facts. */
static void build(const Story *s, size_t from, Problem *p) {
    size_t n = 0, m = 0;
    while (n < MAX_SYMPTOMS && s->symptoms[n].id) n++;
    while (m < MAX_CAUSES && s->causes[m].id) m++;
    p->symptom_count = n;
    p->cause_count = m;
    for (size_t i = 0; i < n; i++) {
        const StorySymptom *x = &s->symptoms[(i + from) % n];
        const SymptomInfo *info = symptom_find(str_of(x->id));
        assert_non_null(info);
        p->symptoms[i] =
            (RankSymptom){info, x->drive, symptom_magnitude(info, x->value, x->threshold, x->inverted), x->q};
    }
    for (size_t c = 0; c < m; c++) {
        const StoryCause *x = &s->causes[(c + from) % m];
        double *weights = arena_array(p->arena, double, n);
        size_t drives = 0;
        while (drives < 4 && x->drives[drives]) drives++;
        for (size_t i = 0; i < n; i++)
            for (size_t w = 0; w < 8 && x->weights[w].symptom; w++)
                if (strcmp(x->weights[w].symptom, p->symptoms[i].info->id) == 0 &&
                    (!p->symptoms[i].drive || drive_of_cause(x, p->symptoms[i].drive)) &&
                    (x->weights[w].drive == ALL || x->weights[w].drive == p->symptoms[i].drive))
                    weights[i] = x->weights[w].weight;
        p->causes[c] = (RankCause){.id = x->id,
                                   .confidence = x->confidence,
                                   .impact = x->impact,
                                   .weights = weights,
                                   .drives = x->drives,
                                   .drive_count = drives};
    }
    rank_causes(p->arena, p->symptoms, n, p->causes, m, p->order);
}

static double hundredth(double x) {
    return floor(x * 100 + 0.5) / 100;
}

#define assert_figure(is, wanted, what, cause)                                                                         \
    do {                                                                                                               \
        if (fabs(hundredth(is) - (wanted)) > 1e-6) fail_msg("%s: %s is %.4f, wanted %.2f", cause, what, is, wanted);   \
    } while (0)

static void worked_stories(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof stories / sizeof *stories; s++) {
        Problem p = {.arena = arena_new(1 << 20)};
        build(&stories[s], 0, &p);
        for (size_t i = 0; i < p.cause_count; i++) {
            const StoryCause *want = &stories[s].causes[i];
            const RankCause *is = &p.causes[p.order[i]];
            if (strcmp(is->id, want->id) != 0)
                fail_msg("%s: place %zu has %s, wanted %s", stories[s].name, i + 1, is->id, want->id);
            assert_figure(is->danger, want->danger, "danger", want->id);
            assert_figure(is->felt, want->felt, "felt", want->id);
            assert_figure(is->structural, want->structural, "structural", want->id);
            assert_figure(is->alone, want->alone, "alone", want->id);
            assert_figure(is->score, want->score, "score", want->id);
            assert_int_equal(is->danger_now, want->danger_now);
            assert_int_equal(is->felt_now, want->danger > 0 || want->felt > 0);
            assert_int_equal(is->structural_only, want->danger + want->felt <= 0 && want->structural > 0);
            assert_false(is->explains_nothing);
        }
        arena_free(p.arena);
    }
}

static void order_of_the_input_does_not_matter(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof stories / sizeof *stories; s++)
        for (size_t from = 0; from < 8; from++) {
            Problem straight = {.arena = arena_new(1 << 20)}, turned = {.arena = arena_new(1 << 20)};
            build(&stories[s], 0, &straight);
            build(&stories[s], from, &turned);
            for (size_t i = 0; i < straight.cause_count; i++) {
                assert_string_equal(straight.causes[straight.order[i]].id, turned.causes[turned.order[i]].id);
                assert_true(fabs(straight.causes[straight.order[i]].score - turned.causes[turned.order[i]].score) <
                            1e-9);
            }
            arena_free(straight.arena);
            arena_free(turned.arena);
        }
}

/* A wait seen at the drive, its vdev, pool, file system, host and ten guests is one wait: a taller stack must not outrank the
   degraded pool. */
static void the_chain_counts_once(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    RankSymptom symptoms[16];
    double slow[16] = {0}, renamed[16] = {0};
    const SymptomInfo *latency = symptom_find(STR("write-latency")), *degraded = symptom_find(STR("pool-degraded"));
    symptoms[0] = (RankSymptom){degraded, 0, 1, 1};
    renamed[0] = 1;
    symptoms[1] = (RankSymptom){symptom_find(STR("slow-outlier")), 7, 0.81, 1};
    slow[1] = 1;
    for (size_t i = 2; i < 15; i++) {
        symptoms[i] = (RankSymptom){latency, 0, 0.67, 1};
        slow[i] = 0.9;
    }
    symptoms[15] = (RankSymptom){symptom_find(STR("iowait")), 0, 0.4, 1};
    slow[15] = 0.8;
    int64_t drives[] = {7};
    for (size_t n = 2; n <= 16; n++) {
        RankCause causes[] = {{.id = "zfs-slow-member",
                               .confidence = 0.93,
                               .impact = 2,
                               .weights = slow,
                               .drives = drives,
                               .drive_count = 1},
                              {.id = "zfs-member-renamed", .confidence = 0.95, .impact = 2, .weights = renamed}};
        size_t order[2];
        rank_causes(a, symptoms, n, causes, 2, order);
        assert_int_equal(order[0], 1);
        assert_true(fabs(causes[0].score - 0.93 * 0.81) < 1e-9); /* whatever the height of the stack */
        assert_true(fabs(causes[1].score - 2.85) < 1e-9);
    }
    arena_free(a);
}

/* Other felt symptoms, dangers and structural ones count for each subject. */
static void complaints_outside_the_chain_add_up(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    const SymptomInfo *resets = symptom_find(STR("device-resets")), *media = symptom_find(STR("media-errors")),
                      *link = symptom_find(STR("link-errors"));
    RankSymptom symptoms[] = {
        {resets, 1, 0.5, 1}, {resets, 2, 0.5, 1}, {media, 1, 1, 1}, {media, 2, 1, 1}, {link, 1, 1, 1}};
    double weights[] = {1, 1, 0.5, 0.5, 1};
    int64_t drives[] = {1, 2};
    RankCause cause = {
        .id = "cable", .confidence = 1, .impact = 1, .weights = weights, .drives = drives, .drive_count = 2};
    size_t order[1];
    rank_causes(a, symptoms, 5, &cause, 1, order);
    assert_true(fabs(cause.alone - (0.5 + 0.5 + 3 * 0.5 + 3 * 0.5 + 0.2)) < 1e-9);
    assert_true(cause.danger_now);
    arena_free(a);
}

/* A drive that is part of the complaint and not of the cause costs it its share; a host-wide cause covers all. */
static void coverage_is_the_share_of_the_drives(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    const SymptomInfo *latency = symptom_find(STR("write-latency")), *throughput = symptom_find(STR("low-throughput"));
    RankSymptom symptoms[] = {{latency, 1, 0.8, 1},
                              {throughput, 1, 0.8, 1},
                              {latency, 2, 0.5, 1},
                              {latency, 3, 0.5, 1},
                              {latency, 0, 0.8, 1}};
    double weights[] = {1, 1, 1, 1, 0};
    int64_t one[] = {1}, none[] = {9};
    RankCause causes[] = {
        {.id = "one", .confidence = 1, .impact = 1, .weights = weights, .drives = one, .drive_count = 1},
        {.id = "host", .confidence = 1, .impact = 1, .weights = weights, .all_drives = true},
        {.id = "elsewhere", .confidence = 1, .impact = 1, .weights = weights, .drives = none, .drive_count = 1}};
    size_t order[3];
    rank_causes(a, symptoms, 5, causes, 3, order);
    assert_true(fabs(causes[0].felt - 0.8 / 3) < 1e-9); /* one drive of three, however many symptoms it has */
    assert_true(fabs(causes[1].felt - 0.8) < 1e-9);
    assert_true(causes[2].explains_nothing);
    assert_int_equal(order[0], 1);
    arena_free(a);
}

static void ties_go_by_impact_then_id(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    RankSymptom symptoms[] = {{symptom_find(STR("device-resets")), 0, 1, 1},
                              {symptom_find(STR("space-low")), 0, 1, 1},
                              {symptom_find(STR("resilver-slow")), 0, 1, 1}};
    double first[] = {0.5, 0, 0}, second[] = {0, 0.5, 0}, third[] = {0, 0, 0.5};
    RankCause causes[] = {{.id = "b-minor", .confidence = 0.8, .impact = 1, .weights = first},
                          {.id = "a-minor", .confidence = 0.8, .impact = 1, .weights = second},
                          {.id = "z-severe", .confidence = 0.8, .impact = 3, .weights = third}};
    size_t order[3];
    rank_causes(a, symptoms, 3, causes, 3, order);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 0);
    arena_free(a);
}

/* Dangers present now stand before all that is only felt, and what explains only structural facts stands last. */
static void classes_before_scores(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    RankSymptom symptoms[] = {
        {symptom_find(STR("media-errors")), 0, 1, 1},  {symptom_find(STR("write-latency")), 0, 1, 1},
        {symptom_find(STR("device-resets")), 0, 1, 1}, {symptom_find(STR("link-errors")), 0, 1, 1},
        {symptom_find(STR("names-changed")), 0, 1, 1}, {symptom_find(STR("pool-degraded")), 0, 1, 1}};
    double danger[] = {0.35, 0, 0, 0, 0, 0}, felt[] = {0, 1, 1, 0, 0, 0}, weak[] = {0, 0.05, 0, 0, 0, 0},
           structural[] = {0, 0, 0, 1, 1, 0}, none[6] = {0}, faint[] = {0, 0, 0, 0, 0, 0.2};
    RankCause causes[] = {{.id = "nothing", .confidence = 1, .impact = 3, .weights = none},
                          {.id = "structural", .confidence = 1, .impact = 3, .weights = structural},
                          {.id = "weak", .confidence = 0.5, .impact = 1, .weights = weak},
                          {.id = "felt", .confidence = 1, .impact = 1, .weights = felt},
                          {.id = "danger", .confidence = 0.9, .impact = 1, .weights = danger},
                          {.id = "faint-danger", .confidence = 0.9, .impact = 1, .weights = faint}};
    size_t order[6];
    rank_causes(a, symptoms, 6, causes, 6, order);
    const char *wanted[] = {"danger", "felt", "faint-danger", "weak", "structural", "nothing"};
    for (size_t i = 0; i < 6; i++) assert_string_equal(causes[order[i]].id, wanted[i]);
    assert_true(causes[4].danger_now);
    assert_false(causes[5].danger_now); /* 0.18 is too little to be called the cause of the danger */
    assert_true(causes[5].felt_now);
    assert_true(causes[1].structural_only);
    assert_true(causes[0].explains_nothing);
    arena_free(a);
}

static void nothing_to_rank(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    size_t order[1];
    rank_causes(a, NULL, 0, NULL, 0, order);
    RankCause cause = {.id = "x", .confidence = 1, .impact = 1};
    rank_causes(a, NULL, 0, &cause, 1, order);
    assert_int_equal(order[0], 0);
    assert_true(cause.explains_nothing);
    arena_free(a);
}

static void magnitudes(void **state) {
    (void)state;
    const SymptomInfo *latency = symptom_find(STR("write-latency")), *pressure = symptom_find(STR("io-pressure")),
                      *danger = symptom_find(STR("pool-degraded")), *link = symptom_find(STR("link-downgraded"));
    assert_true(fabs(symptom_magnitude(latency, 10, 10, false) - 0.4) < 1e-9);
    assert_true(fabs(symptom_magnitude(latency, 100, 10, false) - 0.7) < 1e-9);
    assert_true(fabs(symptom_magnitude(latency, 1000, 10, false) - 1) < 1e-9);
    assert_true(fabs(symptom_magnitude(latency, 1e9, 10, false) - 1) < 1e-9);
    assert_true(fabs(symptom_magnitude(latency, 11, 110, true) - 0.7) < 1e-9); /* rates: less is worse */
    assert_true(fabs(symptom_magnitude(latency, 0, 110, true) - 1) < 1e-9); /* a drive that stands still is the worst */
    assert_true(fabs(symptom_magnitude(latency, NAN, 10, false) - 0.4) < 1e-9); /* no figure is no measure of how bad */
    assert_true(fabs(symptom_magnitude(latency, NAN, 110, true) - 0.4) < 1e-9);
    assert_true(fabs(symptom_magnitude(latency, 5, 0, false) - 0.4) < 1e-9);
    assert_true(fabs(symptom_magnitude(pressure, 20, 20, false) - 0.4) < 1e-9);
    assert_true(fabs(symptom_magnitude(pressure, 90, 20, false) - 0.9) < 1e-9);
    assert_true(fabs(symptom_magnitude(pressure, 140, 20, false) - 1) < 1e-9);
    assert_true(fabs(symptom_magnitude(danger, NAN, NAN, false) - 1) < 1e-9);
    assert_true(fabs(symptom_magnitude(link, 2, 1, false) - 1) < 1e-9);
    assert_null(symptom_find(STR("slowness")));
    assert_null(symptom_find(STR_NONE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_stories),
        cmocka_unit_test(order_of_the_input_does_not_matter),
        cmocka_unit_test(the_chain_counts_once),
        cmocka_unit_test(complaints_outside_the_chain_add_up),
        cmocka_unit_test(coverage_is_the_share_of_the_drives),
        cmocka_unit_test(ties_go_by_impact_then_id),
        cmocka_unit_test(classes_before_scores),
        cmocka_unit_test(nothing_to_rank),
        cmocka_unit_test(magnitudes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
