/*
 * arena_test.h - an arena for each test, or for a group of them, as cmocka's setup and teardown
 */
#ifndef STORDX_TESTS_ARENA_TEST_H
#define STORDX_TESTS_ARENA_TEST_H

#include "../../analyze/base/arena.h"

extern Arena *arena; /* from arena_setup() to arena_teardown(); 1 GiB at most */

int arena_setup(void **state);
int arena_teardown(void **state);

#endif
