#include "nearest.h"

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t word_distance(Str a, Str b) {
    if (a.len > NEAREST_LENGTH || b.len > NEAREST_LENGTH) return SIZE_MAX;
    size_t rows[3][NEAREST_LENGTH + 1]; /* of a[..i - 2], a[..i - 1] and a[..i] */
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t k = 0; k <= b.len; k++) before[k] = last[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t k = 1; k <= b.len; k++) {
            char x = ch_lower(a.p[i - 1]), y = ch_lower(b.p[k - 1]);
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (x != y));
            if (i > 1 && k > 1 && x == ch_lower(b.p[k - 2]) && ch_lower(a.p[i - 2]) == y)
                now[k] = least(now[k], before[k - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b.len];
}

Nearest nearest_to(Str word) {
    return (Nearest){.word = word, .distance = SIZE_MAX};
}

void nearest_try(Nearest *n, Str candidate) {
    size_t d = word_distance(n->word, candidate), longer = n->word.len > candidate.len ? n->word.len : candidate.len;
    bool begun = n->word.len > 1 && candidate.len > n->word.len && str_ieq(n->word, str_sub(candidate, 0, n->word.len));
    if (d > NEAREST_MOST || 3 * d > longer) d = begun ? NEAREST_MOST + 1 : SIZE_MAX;
    if (d >= n->distance) return;
    n->best = candidate;
    n->distance = d;
}
