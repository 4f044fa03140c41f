/* Memory that is given back at once: limits that end the run with a message, growing arrays and text. */
#include "base/arena.h"
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void objects_are_zeroed_and_aligned(void **state) {
    (void)state;
    Arena *a = arena_new(64u << 20);
    assert_int_equal(arena_used(a), 0);
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xaa, size);
    }
    arena_reset(a);
    for (int i = 0; i < 200; i++) { /* what is used again is zero again */
        unsigned char *p = arena_alloc(a, 1000);
        for (int k = 0; k < 1000; k++) assert_int_equal(p[k], 0);
        memset(p, 0xbb, 1000);
    }
    arena_free(a);
    arena_free(NULL);
}

static void large_objects_do_not_end_a_block(void **state) {
    (void)state;
    Arena *a = arena_new(64u << 20);
    char *first = arena_alloc(a, 16);
    char *large = arena_alloc(a, 5u << 20);
    char *second = arena_alloc(a, 16);
    memset(large, 1, 5u << 20);
    assert_ptr_equal(second, first + 16);
    size_t used = arena_used(a);
    assert_true(used >= (5u << 20));
    arena_reset(a);
    assert_true(arena_used(a) < used); /* a giant piece does not keep its memory */
    arena_free(a);
}

static void strings_are_copies(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    char source[] = "sda\0b";
    Str s = arena_str(a, (Str){source, 5});
    char *c = arena_cstr(a, (Str){source, 5});
    source[0] = 'X';
    assert_int_equal(s.len, 5);
    assert_memory_equal(s.p, "sda\0b", 6); /* with its end */
    assert_string_equal(c, "sda");
    assert_int_equal(arena_str(a, STR_NONE).len, 0);
    assert_string_equal(arena_cstr(a, STR_NONE), "");
    assert_string_equal(arena_fmt(a, "%s %d", "x", 7), "x 7");
    Str f = arena_strf(a, "%.*s=%zu", STR_ARG(s), (size_t)3);
    assert_true(str_is(f, "sda=3"));
    arena_free(a);
}

static void text_and_arrays_grow(void **state) {
    (void)state;
    Arena *a = arena_new(64u << 20);
    StrBuf b;
    sb_init(&b, a);
    assert_int_equal(sb_str(&b).len, 0);
    assert_string_equal(sb_str(&b).p, "");
    for (int i = 0; i < 5000; i++) sb_addf(&b, "%d,", i % 10);
    sb_addz(&b, "end");
    sb_addc(&b, '.');
    sb_add(&b, (Str){"\0x", 2});
    Str s = sb_str(&b);
    assert_int_equal(s.len, 10000 + 3 + 1 + 2);
    assert_memory_equal(s.p, "0,1,2,", 6);
    assert_int_equal(s.p[s.len], 0);
    char *wide = arena_fmt(a, "%0300d", 1);
    sb_addf(&b, "%s", wide); /* longer than what is left */
    assert_int_equal(sb_str(&b).len, s.len + 300);
    VEC(int64_t) v = {0};
    for (int64_t i = 0; i < 10000; i++) VEC_PUSH(a, &v, i * i);
    for (int64_t i = 0; i < 10000; i++) assert_int_equal(v.items[i], i * i);
    assert_int_equal(v.count, 10000);
    arena_free(a);
}

static Arena *deferring;
static char trail[8];
static char first_mark = 'a', second_mark = 'b', third_mark = 'c', late_mark = 'd';

static void leave_mark(void *object) {
    size_t n = strlen(trail);
    trail[n] = *(char *)object;
    trail[n + 1] = 0;
    if (object == &second_mark) arena_defer(deferring, leave_mark, &late_mark); /* while the others run */
}

static void deferred_calls_run_newest_first(void **state) {
    (void)state;
    deferring = arena_new(1 << 20);
    trail[0] = 0;
    arena_defer(deferring, leave_mark, &first_mark);
    arena_defer(deferring, leave_mark, &second_mark);
    arena_reset(deferring);
    assert_string_equal(trail, "bda");
    arena_reset(deferring); /* once only */
    assert_string_equal(trail, "bda");
    arena_defer(deferring, leave_mark, &third_mark);
    arena_free(deferring);
    assert_string_equal(trail, "bdac");
}

/* ---- what ends the run */

static Arena *doomed; /* not a local: what a run that ends still holds is no leak */

static void beyond_the_limit(void) {
    for (;;) memset(arena_alloc(doomed, 1000), 1, 1000);
}
static void one_object_beyond_the_limit(void) {
    arena_alloc(doomed, 2 << 20);
}
static void size_that_overflows(void) {
    arena_alloc(doomed, SIZE_MAX - 3);
}
static void array_that_overflows(void) {
    arena_array_(doomed, SIZE_MAX / 2, 16);
}
static void text_without_end(void) {
    StrBuf b;
    sb_init(&b, doomed);
    for (;;) sb_addz(&b, "more and more of it ");
}

static void limits_end_the_run_with_a_message(void **state) {
    (void)state;
    void (*const ends[])(void) = {beyond_the_limit, one_object_beyond_the_limit, size_that_overflows,
                                  array_that_overflows, text_without_end};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child) {
            dup2(pipes[1], STDERR_FILENO);
            doomed = arena_new(1 << 20);
            ends[i]();
            _exit(99);
        }
        close(pipes[1]);
        char message[512];
        size_t n = 0;
        for (ssize_t got; n < sizeof message - 1 && (got = read(pipes[0], message + n, sizeof message - 1 - n)) > 0;)
            n += (size_t)got;
        message[n] = 0;
        close(pipes[0]);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), EXIT_UNREADABLE);
        if (!str_starts(str_of(message), "stordx: out of memory")) fail_msg("end %zu says: %s", i, message);
        assert_int_equal(str_find_ch(str_of(message), '\n'), n - 1); /* one line */
    }
}

static void errors_are_one_line(void **state) {
    (void)state;
    Error e;
    assert_false(error_set(&e, "cannot read %s", "x"));
    assert_string_equal(e.text, "cannot read x");
    char *huge = malloc(5000);
    assert_non_null(huge);
    memset(huge, 'y', 4999);
    huge[4999] = 0;
    assert_false(error_set(&e, "%s", huge));
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    free(huge);
    assert_false(error_set(NULL, "nobody listens"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_zeroed_and_aligned),
        cmocka_unit_test(large_objects_do_not_end_a_block),
        cmocka_unit_test(strings_are_copies),
        cmocka_unit_test(text_and_arrays_grow),
        cmocka_unit_test(deferred_calls_run_newest_first),
        cmocka_unit_test(limits_end_the_run_with_a_message),
        cmocka_unit_test(errors_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
