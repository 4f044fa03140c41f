/*
 * heap.h - quick memory for libraries that ask for many small pieces
 *
 * Half of what preparing a statement or reading JSON costs is memory asked for and given back a moment later. One thread runs
 * here, so a list of free pieces for each size is enough: taking one and giving it back are a few instructions each. What was
 * given back serves pieces of the same size again, and only the end of the process returns it to the system. Large pieces go to
 * malloc().
 *
 * Under AddressSanitizer everything goes to malloc(), which sees what is used after it was freed.
 */
#ifndef STORDX_BASE_HEAP_H
#define STORDX_BASE_HEAP_H

#include <stddef.h>

void *heap_alloc(size_t size); /* aligned for doubles and pointers; NULL without memory */
void *heap_resize(void *p, size_t size);
void heap_free(void *p);         /* NULL is fine */
size_t heap_size(const void *p); /* how much of it may be used, at least what was asked for */

/* Gives the heap to SQLite and cJSON. Before either is used; later it does nothing. */
void heap_serve_libraries(void);

#endif
