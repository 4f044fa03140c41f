/* Distances of words, and what is near enough to be suggested. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void distances(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance;
    } table[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"abc", "", 3},
                 {"analyze", "analyze", 0},
                 {"analyse", "analyze", 1},  /* changed */
                 {"anlyze", "analyze", 1},   /* left out */
                 {"annalyze", "analyze", 1}, /* added */
                 {"anaylze", "analyze", 1},  /* exchanged */
                 {"ANALYZE", "analyze", 0},
                 {"ca", "abc", 3}, /* no place is edited twice */
                 {"kitten", "sitting", 3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t d = word_distance(str_of(table[i].a), str_of(table[i].b));
        if (d != table[i].distance) fail_msg("%s, %s: %zu", table[i].a, table[i].b, d);
    }
    char longest[NEAREST_LENGTH + 1];
    memset(longest, 'x', sizeof longest);
    assert_int_equal(word_distance((Str){longest, NEAREST_LENGTH}, STR("")), NEAREST_LENGTH);
    assert_true(word_distance((Str){longest, sizeof longest}, STR("x")) == SIZE_MAX);
    assert_true(word_distance(STR("x"), (Str){longest, sizeof longest}) == SIZE_MAX);
}

static const char *nearest(const char *word) {
    static const char *const words[] = {"analyze", "compare", "sql", "rules", "explain"};
    Nearest n = nearest_to(str_of(word));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) nearest_try(&n, str_of(words[i]));
    return n.best.p ? n.best.p : "";
}

static void suggestions(void **state) {
    (void)state;
    assert_string_equal(nearest("anaylse"), "analyze");
    assert_string_equal(nearest("sq"), "sql");
    assert_string_equal(nearest("compair"), "compare");
    assert_string_equal(nearest("rule"), "rules");
    assert_string_equal(nearest("ana"), "analyze"); /* begun */
    assert_string_equal(nearest("frobnicate"), "");
    assert_string_equal(nearest(""), "");
    assert_string_equal(nearest("s"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(suggestions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
