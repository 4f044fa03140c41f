/*
 * arena.h - memory that is given back all at once
 *
 * Every allocation has one of two owners: the bundle (lives until the run is done with it) or the piece being parsed
 * (`scratch`, reset after each piece). Nothing is freed singly. Foreign objects hang on an arena by arena_defer().
 *
 * An arena has a byte limit, because a bundle is input from a stranger. Whoever stores what a bundle can make long keeps
 * a budget of its own far below it (facts, samples, notes); reaching the arena's limit all the same is a defect or an
 * attack and ends the run with one line on standard error and exit code 3 (EXIT_UNREADABLE), never with a crash.
 */
#ifndef STORDX_BASE_ARENA_H
#define STORDX_BASE_ARENA_H

#include "str.h"

#include <stdarg.h>

typedef struct Arena Arena;

Arena *arena_new(size_t limit_bytes);
void arena_free(Arena *a);  /* runs the deferred calls, newest first, and gives all memory back; NULL is fine */
void arena_reset(Arena *a); /* as arena_free, but the arena stays usable and keeps its first block */
size_t arena_used(const Arena *a);

void *arena_alloc(Arena *a, size_t size);                /* zeroed, aligned for any object */
void *arena_array_(Arena *a, size_t count, size_t size); /* zeroed; overflow of count*size ends the run */
#define arena_array(a, Type, n) ((Type *)arena_array_((a), (n), sizeof(Type)))
#define arena_new_of(a, Type) ((Type *)arena_alloc((a), sizeof(Type)))

Str arena_str(Arena *a, Str s);    /* copy; the copy is NUL-terminated behind its length */
char *arena_cstr(Arena *a, Str s); /* copy as a C string; stops at the first NUL byte of s */
char *arena_fmt(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vfmt(Arena *a, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
Str arena_strf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Calls fn(object) when the arena is freed or reset. */
void arena_defer(Arena *a, void (*fn)(void *), void *object);

/*
 * A growing array in an arena: a struct with `Type *items; size_t count, cap;`. VEC_PUSH doubles and copies; the old
 * block stays in the arena, so a vector costs at most twice its size.
 */
#define VEC(Type)                                                                                                      \
    struct {                                                                                                           \
        Type *items;                                                                                                   \
        size_t count, cap;                                                                                             \
    }
#define VEC_PUSH(a, v, item)                                                                                           \
    do {                                                                                                               \
        if ((v)->count == (v)->cap)                                                                                    \
            (v)->items = arena_grow_((a), (v)->items, (v)->count, sizeof(*(v)->items), &(v)->cap);                     \
        (v)->items[(v)->count++] = (item);                                                                             \
    } while (0)
void *arena_grow_(Arena *a, void *old, size_t count, size_t size, size_t *cap);

/* Growing text. Bytes are appended; sb_str() gives the whole so far (NUL-terminated behind its length). */
typedef struct StrBuf {
    Arena *arena;
    char *p;
    size_t len, cap;
} StrBuf;
void sb_init(StrBuf *b, Arena *a);
void sb_add(StrBuf *b, Str s);
void sb_addz(StrBuf *b, const char *z);
void sb_addc(StrBuf *b, char c);
void sb_addf(StrBuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
Str sb_str(StrBuf *b);

#endif
