/*
 * nearest.h - what did whoever wrote this word mean?
 *
 *     Nearest n = nearest_to(word);
 *     for (...) nearest_try(&n, candidate);
 *     if (n.best.p) ... "did you mean"
 *
 * The distance counts letters added, left out, changed and neighbours exchanged (Damerau-Levenshtein, each place edited once). A
 * candidate is near when at most a third of the letters differ, and at most NEAREST_MOST; behind those comes one that begins with the
 * word. Of several equally near ones the first wins.
 */
#ifndef STORDX_BASE_NEAREST_H
#define STORDX_BASE_NEAREST_H

#include "str.h"

enum { NEAREST_MOST = 4, NEAREST_LENGTH = 64 }; /* longer words have no neighbours */

typedef struct Nearest {
    Str word, best; /* best.p == NULL: nothing is near */
    size_t distance;
} Nearest;

Nearest nearest_to(Str word);
void nearest_try(Nearest *n, Str candidate);

/* The distance of two words, letters of either case alike; SIZE_MAX when one is longer than NEAREST_LENGTH. */
size_t word_distance(Str a, Str b);

#endif
