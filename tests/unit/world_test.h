/*
 * world_test.h - facts about names, put in by hand, and what facts_resolve() makes of them
 */
#ifndef STORDX_TESTS_WORLD_TEST_H
#define STORDX_TESTS_WORLD_TEST_H

#include "parse_test.h"

typedef struct World {
    Arena *arena;
    Facts *facts;
    int64_t capture[4]; /* one per bundle: [0] is the first */
    int64_t src;        /* of the calls that follow; world_source() changes it */
    int64_t line;       /* counts up with each fact */
} World;

World *world_open(size_t captures);
void world_close(World *w);

/* A piece of a capture, from a tool; the facts that follow are read there. */
int64_t world_source(World *w, size_t capture, const char *tool, const char *command);

/* "disk:sda" or "link:wwn-0x..." */
Ref world_ref(World *w, const char *name);
/* Settings of a name as "key=value|key=value", of one view. */
void world_set(World *w, const char *name, const char *view, const char *settings);
void world_same(World *w, const char *a, const char *b);

/* One leaf of a pool. */
void world_leaf(World *w, const char *pool, const char *vdev, const char *member);

void world_resolve(World *w);

/* The first column of the first row; "NULL", or "" without a row. */
const char *world_text(World *w, const char *sql);
/* All first columns of the rows, joined by blanks. */
const char *world_list(World *w, const char *sql);
/* node.key of a name in a capture and boot. */
const char *world_key(World *w, size_t capture, int boot, const char *name);

#endif
