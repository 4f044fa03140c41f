#include "arena.h"

#include "error.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Block {
    struct Block *next;
    size_t cap, used;
    _Alignas(max_align_t) unsigned char data[];
} Block;

typedef struct Deferred {
    struct Deferred *next;
    void (*fn)(void *);
    void *object;
} Deferred;

struct Arena {
    Block *blocks; /* newest first */
    Deferred *deferred;
    size_t limit, total;
};

enum { BLOCK_SIZE = 64 * 1024 };

Arena *arena_new(size_t limit_bytes) {
    Arena *a = calloc(1, sizeof *a);
    if (!a) fatal("out of memory");
    a->limit = limit_bytes;
    return a;
}

static void run_deferred(Arena *a) {
    while (a->deferred) {
        Deferred *d = a->deferred;
        a->deferred = d->next; /* first, so that fn may itself defer */
        d->fn(d->object);
    }
}

void arena_free(Arena *a) {
    if (!a) return;
    run_deferred(a);
    while (a->blocks) {
        Block *b = a->blocks;
        a->blocks = b->next;
        free(b);
    }
    free(a);
}

void arena_reset(Arena *a) {
    run_deferred(a);
    while (a->blocks && a->blocks->next) {
        Block *b = a->blocks;
        a->blocks = b->next;
        free(b);
    }
    if (a->blocks && a->blocks->cap > 4 * BLOCK_SIZE) { /* one giant piece must not pin its memory for the whole run */
        free(a->blocks);
        a->blocks = NULL;
    }
    a->total = a->blocks ? a->blocks->cap : 0;
    if (a->blocks) {
        memset(a->blocks->data, 0, a->blocks->used);
        a->blocks->used = 0;
    }
}

size_t arena_used(const Arena *a) {
    return a->total;
}

void *arena_alloc(Arena *a, size_t size) {
    size_t need = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (need < size) fatal("out of memory: a single object of %zu bytes", size);
    Block *b = a->blocks;
    if (!b || b->cap - b->used < need) {
        size_t cap = need > BLOCK_SIZE ? need : BLOCK_SIZE;
        if (cap > a->limit || a->total > a->limit - cap)
            fatal("out of memory: this input needs more than the limit of %zu MB", a->limit >> 20);
        b = calloc(1, sizeof *b + cap);
        if (!b) fatal("out of memory");
        b->cap = cap;
        a->total += cap;
        if (a->blocks && need > BLOCK_SIZE) { /* keep filling the current block behind a large object */
            b->next = a->blocks->next;
            a->blocks->next = b;
            b->used = need;
            return b->data;
        }
        b->next = a->blocks;
        a->blocks = b;
    }
    void *p = b->data + b->used;
    b->used += need;
    return p;
}

void *arena_array_(Arena *a, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) fatal("out of memory: an array of %zu items", count);
    return arena_alloc(a, count * size);
}

Str arena_str(Arena *a, Str s) {
    char *p = arena_alloc(a, s.len + 1);
    if (s.len) memcpy(p, s.p, s.len);
    return (Str){p, s.len};
}

char *arena_cstr(Arena *a, Str s) {
    char *p = arena_alloc(a, s.len + 1);
    if (s.len) memcpy(p, s.p, s.len);
    return p;
}

char *arena_vfmt(Arena *a, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0) n = 0;
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

char *arena_fmt(Arena *a, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vfmt(a, fmt, ap);
    va_end(ap);
    return p;
}

Str arena_strf(Arena *a, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vfmt(a, fmt, ap);
    va_end(ap);
    return str_of(p);
}

void arena_defer(Arena *a, void (*fn)(void *), void *object) {
    Deferred *d = arena_new_of(a, Deferred);
    d->fn = fn;
    d->object = object;
    d->next = a->deferred;
    a->deferred = d;
}

void *arena_grow_(Arena *a, void *old, size_t count, size_t size, size_t *cap) {
    size_t want = *cap ? *cap * 2 : 8;
    void *p = arena_array_(a, want, size);
    if (count) memcpy(p, old, count * size);
    *cap = want;
    return p;
}

void sb_init(StrBuf *b, Arena *a) {
    *b = (StrBuf){.arena = a};
}

static void sb_reserve(StrBuf *b, size_t more) {
    if (b->cap - b->len > more) return;
    size_t cap = b->cap ? b->cap : 128;
    while (cap - b->len <= more) cap *= 2;
    char *p = arena_alloc(b->arena, cap);
    if (b->len) memcpy(p, b->p, b->len);
    b->p = p;
    b->cap = cap;
}

void sb_add(StrBuf *b, Str s) {
    sb_reserve(b, s.len);
    if (s.len) memcpy(b->p + b->len, s.p, s.len);
    b->len += s.len;
    b->p[b->len] = 0;
}

void sb_addz(StrBuf *b, const char *z) {
    sb_add(b, str_of(z));
}

void sb_addc(StrBuf *b, char c) {
    sb_add(b, (Str){&c, 1});
}

void sb_addf(StrBuf *b, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        sb_reserve(b, (size_t)n);
        vsnprintf(b->p + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
    va_end(ap);
}

Str sb_str(StrBuf *b) {
    if (!b->p) sb_reserve(b, 0);
    return (Str){b->p, b->len};
}
