/*
 * Comparisons: the steps of a series, captures of one upload, places that can and cannot be compared, and whose line is whose.
 * That the fixtures' pairs give the verdicts they should is checked by test_stories.c.
 */
#include "parse_test.h"
#include "story.h"

#include "../../analyze/bundle/bundle.h"

#include <math.h>

#ifndef FIXTURES
#define FIXTURES "fixtures"
#endif
#define PBS FIXTURES "/backup-server-ide-mode"

static const char *const four[] = {PBS "/bundle-1", PBS "/bundle-2", PBS "/bundle-3", PBS "/bundle-4"};

static const DriveHistory *drive_of(const Comparison *c, const char *model) {
    for (size_t i = 0; i < c->drives.count; i++)
        if (str_has(c->drives.items[i].model, model)) return &c->drives.items[i];
    fail_msg("no drive %s", model);
    return NULL;
}

static const Finding *verdict_of(const Comparison *c, const char *rule) {
    for (size_t i = 0; i < c->verdicts.count; i++)
        if (str_is(c->verdicts.items[i]->rule, rule)) return c->verdicts.items[i];
    return NULL;
}

static void check_series(const Comparison *c) {
    assert_int_equal(c->stages.count, 4);
    assert_true(str_is(c->names.items[0], "stage 1") && str_is(c->names.items[3], "stage 4"));
    assert_false(c->different_hosts);
    /* one timeline per drive: names, places and waits */
    const DriveHistory *slow = drive_of(c, "SPCC"), *other = drive_of(c, "BX500");
    static const char *const names[] = {"sde", "sde", "sde", "sdd"}, *const others[] = {"sdc", "sdd", "sdd", "sde"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(str_is(slow->stages.items[i].name, names[i]));
        assert_true(str_is(other->stages.items[i].name, others[i]));
        assert_int_equal(slow->stages.items[i].moved, i == 3);
        assert_int_equal(slow->stages.items[i].slow, i > 0);
    }
    /* channels of an IDE interface are no ports of an AHCI one */
    assert_true(str_is(slow->stages.items[0].mode, "ide") && str_is(slow->stages.items[1].mode, "ahci"));
    assert_true(str_is(slow->stages.items[1].place_note, "not comparable (controller mode changed)"));
    assert_false(slow->stages.items[2].place_note.len || slow->stages.items[3].place_note.len);
    assert_true(slow->stages.items[3].ratio > 20 && other->stages.items[3].ratio < 4);
    /* every verdict knows its step, and none is said twice */
    const Finding *follows = verdict_of(c, "slow-follows-drive");
    assert_non_null(follows);
    assert_int_equal(follows->step, 3);
    assert_ptr_equal(c->verdicts.items[0], follows); /* what asks for something to be done */
    for (size_t i = 0; i < c->verdicts.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(str_eq(c->verdicts.items[i]->rule, c->verdicts.items[k]->rule) &&
                         c->verdicts.items[i]->step == c->verdicts.items[k]->step &&
                         c->verdicts.items[i]->subjects.items[0].node == c->verdicts.items[k]->subjects.items[0].node);
    for (size_t i = 0; i < c->changes.count; i++) {
        const Change *x = &c->changes.items[i];
        assert_true(x->step >= 1 && x->step <= 3);
        if (str_is(x->kind, "place")) assert_int_equal(x->step, 3);
        if (str_is(x->kind, "controller-mode")) assert_int_equal(x->step, 1);
    }
    /* what came and went between the first stage and the last is seen in the findings of each stage */
    bool renamed = false;
    for (size_t i = 0; i < c->findings.count; i++) {
        const FindingHistory *h = &c->findings.items[i];
        assert_int_equal(h->stages.count, 4);
        if (!str_is(h->rule, "zfs-member-renamed")) continue;
        renamed = true;
        assert_true(str_starts(h->stages.items[1], "cause"));
        assert_true(str_is(h->stages.items[2], "ruled out"));
    }
    assert_true(renamed);
    assert_true(str_starts(c->text, "Stage 3 to 4: Replace SPCC Solid State Disk, serial "));
}

static void series(void **state) {
    (void)state;
    Story *s = story_open(four, 4);
    check_series(s->c);
    story_close(s);
}

/* One upload that holds the four bundles, each with its manifest. */
static void captures_of_one_upload(void **state) {
    (void)state;
    Error err = {""};
    Arena *a = arena_new((size_t)2 << 30);
    Facts *f = facts_new(a, &err);
    Pages pages;
    int64_t bundle;
    assert_non_null(f);
    assert_true(bundle_read(f, PBS, &bundle, &err));
    assert_true(facts_resolve(f, &err));
    assert_true(pages_load(a, NULL, &pages, &err));
    assert_int_equal(captures_of_bundle(f, bundle), 4);
    Comparison *c = compare_bundles(f, a, &pages, &bundle, 1, &err);
    assert_non_null(c);
    check_series(c);
    for (size_t i = 0; i < 4; i++)
        assert_true(c->stages.items[i]->bundle.id == bundle &&
                    (i == 0 || c->stages.items[i]->capture.start_s > c->stages.items[i - 1]->capture.start_s));
    /* the folder of each line is that of its stage */
    const Finding *follows = verdict_of(c, "slow-follows-drive");
    for (size_t i = 0; i < follows->evidence.count; i++) {
        const Evidence *e = &follows->evidence.items[i];
        assert_true(str_is(e->stage, str_starts(e->member, "bundle-3/") ? "stage 3" : "stage 4"));
    }
    arena_free(a);
}

static void one_capture(void **state) {
    (void)state;
    Error err = {""};
    Arena *a = arena_new((size_t)1 << 30);
    Facts *f = facts_new(a, &err);
    Pages pages;
    int64_t bundle;
    assert_true(bundle_read(f, four[0], &bundle, &err));
    assert_true(facts_resolve(f, &err));
    assert_true(pages_load(a, NULL, &pages, &err));
    assert_int_equal(captures_of_bundle(f, bundle), 1);
    assert_null(compare_bundles(f, a, &pages, &bundle, 1, &err));
    assert_true(err.text[0]);
    arena_free(a);
}

/* Both sides cite the same member names: the stage and the upload tell them apart. */
static void whose_line(void **state) {
    (void)state;
    Story *s = story_open(four + 2, 2);
    size_t before = 0, after = 0;
    for (size_t i = 0; i < s->c->verdicts.count; i++)
        for (size_t k = 0; k < s->c->verdicts.items[i]->evidence.count; k++) {
            const Evidence *e = &s->c->verdicts.items[i]->evidence.items[k];
            before += str_is(e->stage, "before") && str_is(e->bundle, "bundle-3");
            after += str_is(e->stage, "after") && str_is(e->bundle, "bundle-4");
            assert_true(e->stage.len && e->bundle.len);
        }
    assert_true(before > 0 && after > 0);
    for (size_t i = 0; i < s->c->changes.count; i++)
        for (size_t k = 0; k < s->c->changes.items[i].evidence.count; k++)
            assert_true(s->c->changes.items[i].evidence.items[k].stage.len);
    story_close(s);
}

/* A drive that its pool does without in one capture has no figures to compare. */
static void out_of_the_pool(void **state) {
    (void)state;
    Story *s = story_open(four, 2);
    size_t grey = 0;
    for (size_t i = 0; i < s->c->factors.count; i++) {
        const Factor *f = &s->c->factors.items[i];
        if (!str_has(f->subject.model, "BX500")) continue;
        assert_false(f->comparable);
        grey++;
    }
    assert_true(grey > 0);
    story_close(s);
}

static void different_hosts(void **state) {
    (void)state;
    static const char *const hosts[] = {FIXTURES "/different-hosts/bundle-a", FIXTURES "/different-hosts/bundle-b"};
    Story *s = story_open(hosts, 2);
    assert_true(s->c->different_hosts);
    assert_int_equal(s->c->resolved.count, 0);
    assert_true(s->c->warnings.count && str_has(s->c->warnings.items[0], "different hosts"));
    assert_true(str_starts(s->c->text, "These are captures of different hosts"));
    for (size_t i = 0; i < s->c->changes.count; i++) /* no drive went from one host to the other */
        assert_false(str_is(s->c->changes.items[i].kind, "drive") || str_is(s->c->changes.items[i].kind, "controller"));
    story_close(s);
}

static void one_capture_given_twice(void **state) {
    (void)state;
    static const char *const twice[] = {FIXTURES "/different-hosts/bundle-a", FIXTURES "/different-hosts/bundle-a"};
    Story *s = story_open(twice, 2);
    assert_false(s->c->different_hosts);
    assert_true(s->c->warnings.count && str_has(s->c->warnings.items[0], "given twice"));
    story_close(s);
    /* Two captures of one host are not taken for one. */
    static const char *const two[] = {FIXTURES "/microserver-write-cache/bundle-before",
                                      FIXTURES "/microserver-write-cache/bundle-after"};
    s = story_open(two, 2);
    for (size_t i = 0; i < s->c->warnings.count; i++) assert_false(str_has(s->c->warnings.items[i], "given twice"));
    story_close(s);
}

/* Two hosts in one upload: their folders are no captures of one host. */
static void hosts_of_one_upload(void **state) {
    (void)state;
    Error err = {""};
    Arena *a = arena_new((size_t)1 << 30);
    Facts *f = facts_new(a, &err);
    Pages pages;
    int64_t bundle;
    assert_true(bundle_read(f, FIXTURES "/different-hosts", &bundle, &err));
    assert_true(facts_resolve(f, &err));
    assert_true(pages_load(a, NULL, &pages, &err));
    assert_int_equal(captures_of_bundle(f, bundle), 2);
    Comparison *c = compare_bundles(f, a, &pages, &bundle, 1, &err);
    assert_non_null(c);
    assert_true(c->different_hosts);
    for (size_t i = 0; i < c->drives.count; i++)
        assert_true(c->drives.items[i].stages.items[0].present != c->drives.items[i].stages.items[1].present);
    arena_free(a);
}

static bool has_rule(const FindingList *list, const char *rule) {
    for (size_t i = 0; i < list->count; i++)
        if (str_is(list->items[i]->rule, rule)) return true;
    return false;
}

/* Known by name and model only: the sdd of the later post is another model. The only one of its model is followed, with a warning. */
static void names_only(void **state) {
    (void)state;
    static const char *const posts[] = {FIXTURES "/names-only-paste/bundle-paste",
                                        FIXTURES "/names-only-paste/bundle-after"};
    Story *s = story_open(posts, 2);
    const DriveHistory *slow = drive_of(s->c, "SPCC"), *other = drive_of(s->c, "CT480BX500");
    assert_true(str_is(slow->stages.items[0].name, "sdd") && str_is(slow->stages.items[1].name, "sde"));
    assert_true(str_is(other->stages.items[0].name, "sde") && str_is(other->stages.items[1].name, "sdd"));
    assert_true(slow->stages.items[0].slow && slow->stages.items[1].slow && !other->stages.items[1].slow);
    assert_int_equal(s->c->resolved.count, 0);
    assert_true(has_rule(&s->c->remaining, "zfs-slow-member") && !has_rule(&s->c->new_, "zfs-slow-member"));
    assert_true(s->c->warnings.count && str_has(s->c->warnings.items[0], "by their model"));
    const Finding *open = verdict_of(s->c, "slow-cannot-tell");
    assert_non_null(open);
    for (size_t i = 0; i < s->c->factors.count;
         i++) { /* the figures of one drive stand side by side, not those of one name */
        const Factor *f = &s->c->factors.items[i];
        if (str_has(f->subject.model, "SPCC") && str_is(f->metric, "w_await_ms")) assert_true(f->factor > 0.5);
    }
    story_close(s);
}

/* The slow drive was replaced: what its successor is cleared of is resolved, and says who that is. */
static void replaced(void **state) {
    (void)state;
    static const char *const stages[] = {FIXTURES "/errors-follow-drive/bundle-after",
                                         FIXTURES "/errors-follow-drive/bundle-replaced"};
    Story *s = story_open(stages, 2);
    bool said = false;
    for (size_t i = 0; i < s->c->resolved.count; i++) {
        const Finding *f = s->c->resolved.items[i];
        if (!str_is(f->rule, "failing-disk")) continue;
        assert_true(f->remarks.count > 0);
        said = str_has(f->remarks.items[f->remarks.count - 1], "no longer there");
    }
    assert_true(said);
    story_close(s);
}

/* A new cable: the counter stands still, and what is left of the trouble is nothing new. */
static void quiet_wire(void **state) {
    (void)state;
    static const char *const stages[] = {FIXTURES "/crc-stays-with-port/bundle-after",
                                         FIXTURES "/crc-stays-with-port/bundle-cable"};
    Story *s = story_open(stages, 2);
    assert_true(has_rule(&s->c->resolved, "crc-cable-or-port"));
    assert_int_equal(s->c->new_.count, 0);
    assert_true(has_rule(&s->c->remaining, "historic-crc"));
    story_close(s);
}

/* The wrong way round: said, not judged. */
static void wrong_order(void **state) {
    (void)state;
    static const char *const stages[] = {PBS "/bundle-4", PBS "/bundle-3"};
    Story *s = story_open(stages, 2);
    bool said = false;
    for (size_t i = 0; i < s->c->warnings.count; i++)
        said = said || str_has(s->c->warnings.items[i], "is the order right?");
    assert_true(said);
    story_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(series),
                                       cmocka_unit_test(captures_of_one_upload),
                                       cmocka_unit_test(one_capture),
                                       cmocka_unit_test(whose_line),
                                       cmocka_unit_test(out_of_the_pool),
                                       cmocka_unit_test(different_hosts),
                                       cmocka_unit_test(one_capture_given_twice),
                                       cmocka_unit_test(hosts_of_one_upload),
                                       cmocka_unit_test(names_only),
                                       cmocka_unit_test(replaced),
                                       cmocka_unit_test(quiet_wire),
                                       cmocka_unit_test(wrong_order)};
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
