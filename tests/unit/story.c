#include "story.h"

#include "../../analyze/bundle/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static Story *read_stages(const char *const *paths, size_t count, bool compare) {
    Error err = {""};
    evaluate_distrusts_demands = true; /* what the program spares is run here, and must give nothing */
    Story *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->arena = arena_new((size_t)2 << 30);
    s->facts = facts_new(s->arena, &err);
    if (!s->facts) fail_msg("%s", err.text);
    int64_t bundles[8];
    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++)
        if (!bundle_read(s->facts, paths[i], &bundles[i], &err)) fail_msg("%s: %s", paths[i], err.text);
    if (!facts_resolve(s->facts, &err)) fail_msg("%s", err.text);
    if (!pages_load(s->arena, NULL, &s->pages, &err)) fail_msg("%s", err.text);
    if (!compare) s->d = diagnose(s->facts, s->arena, &s->pages, bundles[0], &err);
    else s->c = compare_bundles(s->facts, s->arena, &s->pages, bundles, count, &err);
    if (!s->d && !s->c) fail_msg("%s", err.text);
    return s;
}

Story *story_open(const char *const *paths, size_t count) {
    return read_stages(paths, count, count > 1);
}

Story *story_compare(const char *const *paths, size_t count) {
    return read_stages(paths, count, true);
}

void story_close(Story *s) {
    arena_free(s->arena);
    free(s);
}

size_t story_check(Story *s, Str expect, StrBuf *out) {
    return s->d ? expect_diagnosis(s->d, expect, out) : expect_comparison(s->c, expect, out);
}
