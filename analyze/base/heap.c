#include "heap.h"

#include <cJSON.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVERY_PIECE_ALONE 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define EVERY_PIECE_ALONE 1
#endif
#ifndef EVERY_PIECE_ALONE
#define EVERY_PIECE_ALONE 0
#endif

/*
 * A piece is its head and what may be used. Classes: each 16 bytes up to FINE, then each 512 up to COARSE, which a page of SQLite
 * with what belongs to it still fits in.
 */
enum { GRAIN = 16, FINE = 1024, STEP = 512, COARSE = 8 * 1024, CLASSES = FINE / GRAIN + (COARSE - FINE) / STEP + 1 };
enum { SLAB = 1024 * 1024 }; /* the system gives only those of its pages that are used */

typedef union Piece {
    size_t size; /* while in use: of the whole piece */
    union Piece *next;
    uint64_t aligned; /* what follows the head holds doubles, where a pointer has 32 bits too */
} Piece;

static Piece *unused[CLASSES];
static Piece *slabs; /* all of them, so that they are not taken for lost */
static char *slab_at;
static size_t slab_left;

/* Of a piece with its head; its size becomes that of its class. */
static size_t class_of(size_t *size) {
    if (*size <= FINE) {
        size_t i = (*size + GRAIN - 1) / GRAIN;
        *size = i * GRAIN;
        return i;
    }
    size_t i = (*size - FINE + STEP - 1) / STEP;
    *size = FINE + i * STEP;
    return FINE / GRAIN + i;
}

static Piece *cut_from_slab(size_t size) {
    if (slab_left < size) {
        /* What is left over is less than the largest piece; it is not worth keeping. */
        Piece *slab = malloc(SLAB);
        if (!slab) return NULL;
        slab->next = slabs;
        slabs = slab;
        slab_at = (char *)slab + GRAIN;
        slab_left = SLAB - GRAIN;
    }
    Piece *p = (Piece *)(void *)slab_at;
    slab_at += size;
    slab_left -= size;
    return p;
}

void *heap_alloc(size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size += sizeof(Piece);
    Piece *p;
    if (EVERY_PIECE_ALONE || size > COARSE) {
        p = malloc(size);
    } else {
        size_t class = class_of(&size);
        p = unused[class];
        if (p) unused[class] = p->next;
        else p = cut_from_slab(size);
    }
    if (!p) return NULL;
    p->size = size;
    return p + 1;
}

void heap_free(void *at) {
    if (!at) return;
    Piece *p = (Piece *)at - 1;
    size_t size = p->size;
    if (EVERY_PIECE_ALONE || size > COARSE) {
        free(p);
        return;
    }
    size_t class = class_of(&size);
    p->next = unused[class];
    unused[class] = p;
}

size_t heap_size(const void *at) {
    return at ? ((const Piece *)at - 1)->size - sizeof(Piece) : 0;
}

void *heap_resize(void *at, size_t size) {
    if (!at) return heap_alloc(size);
    size_t has = heap_size(at);
    if (!EVERY_PIECE_ALONE && size <= has && size + STEP > has) return at;
    if (!EVERY_PIECE_ALONE && has + sizeof(Piece) > COARSE && size + sizeof(Piece) > COARSE) {
        if (size > SIZE_MAX / 2) return NULL;
        Piece *p = realloc((Piece *)at - 1, size + sizeof(Piece));
        if (!p) return NULL;
        p->size = size + sizeof(Piece);
        return p + 1;
    }
    void *other = heap_alloc(size);
    if (!other) return NULL;
    memcpy(other, at, has < size ? has : size);
    heap_free(at);
    return other;
}

/* ---------------------------------------------------------------- SQLite's way to ask */

static void *give(int size) {
    return heap_alloc((size_t)size);
}

static void *give_more(void *p, int size) {
    return heap_resize(p, (size_t)size);
}

static int size_of(void *p) {
    return (int)heap_size(p);
}

static int rounded(int size) {
    return (size + 7) & ~7;
}

static int nothing_to_begin(void *unused_) {
    (void)unused_;
    return SQLITE_OK;
}

static void nothing_to_end(void *unused_) {
    (void)unused_;
}

void heap_serve_libraries(void) {
    static bool done;
    if (done) return;
    done = true;
    static const sqlite3_mem_methods methods = {give,    heap_free,        give_more,      size_of,
                                                rounded, nothing_to_begin, nothing_to_end, NULL};
    /* Refused where SQLite runs already, which does no harm. */
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    cJSON_Hooks hooks = {heap_alloc, heap_free};
    cJSON_InitHooks(&hooks);
}
