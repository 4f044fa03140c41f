/* Pieces for libraries: none overlaps another, each keeps its bytes, and what was given back is used again. */
#include "base/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

enum { PIECES = 400 };

static size_t size_at(size_t i) {
    static const size_t around[] = {0, 1, 8, 9, 24, 25, 1000, 1016, 1017, 4200, 8184, 8185, 70000};
    return around[i % (sizeof around / sizeof *around)] + i / 50;
}

static void fill(unsigned char *p, size_t size, size_t mark) {
    memset(p, (int)(mark % 251), size);
}

static bool holds(const unsigned char *p, size_t size, size_t mark) {
    for (size_t i = 0; i < size; i++)
        if (p[i] != mark % 251) return false;
    return true;
}

static void pieces_keep_their_bytes(void **state) {
    (void)state;
    static unsigned char *pieces[PIECES];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < PIECES; i++) {
            pieces[i] = heap_alloc(size_at(i));
            assert_non_null(pieces[i]);
            assert_int_equal((uintptr_t)pieces[i] % 8, 0);
            assert_true(heap_size(pieces[i]) >= size_at(i));
            fill(pieces[i], heap_size(pieces[i]), i);
        }
        for (size_t i = 0; i < PIECES; i++) assert_true(holds(pieces[i], heap_size(pieces[i]), i));
        for (size_t i = 0; i < PIECES; i++) { /* larger or smaller, the bytes come along */
            size_t had = size_at(i), wants = size_at(i + 5 + (size_t)round);
            pieces[i] = heap_resize(pieces[i], wants);
            assert_non_null(pieces[i]);
            assert_true(heap_size(pieces[i]) >= wants);
            assert_true(holds(pieces[i], had < wants ? had : wants, i));
            fill(pieces[i], wants, i);
        }
        for (size_t i = 0; i < PIECES; i++) {
            assert_true(holds(pieces[i], size_at(i + 5 + (size_t)round), i));
            heap_free(pieces[i]);
        }
    }
}

static void nothing_is_fine(void **state) {
    (void)state;
    heap_free(NULL);
    assert_int_equal(heap_size(NULL), 0);
    unsigned char *p = heap_resize(NULL, 40);
    assert_non_null(p);
    fill(p, 40, 7);
    heap_free(p);
    assert_null(heap_alloc(SIZE_MAX));
    assert_null(heap_alloc(SIZE_MAX - 4));
    p = heap_alloc(10);
    assert_null(heap_resize(p, SIZE_MAX - 4));
    heap_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_keep_their_bytes),
        cmocka_unit_test(nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
