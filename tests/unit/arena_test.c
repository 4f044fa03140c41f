#include "arena_test.h"

Arena *arena;

int arena_setup(void **state) {
    (void)state;
    arena = arena_new((size_t)1 << 30);
    return 0;
}

int arena_teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}
