/*
 * str.h - a view of bytes that somebody else owns
 *
 * Text of a bundle is not NUL-terminated, may contain NULs and may be large, so it is handled as pointer and length.
 * A Str never owns its bytes: a line from an Input is valid until the next one is asked for, everything else lives as
 * long as the arena it was copied to. {NULL, 0} is the empty string.
 */
#ifndef STORDX_BASE_STR_H
#define STORDX_BASE_STR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Str {
    const char *p;
    size_t len;
} Str;

#define STR(lit) ((Str){(lit), sizeof(lit) - 1})
#define STR_NONE ((Str){NULL, 0})
/* For "%.*s". */
#define STR_ARG(s) ((s).len > INT_MAX ? INT_MAX : (int)(s).len), ((s).p ? (s).p : "")

static inline Str str_of(const char *z) {
    return z ? (Str){z, strlen(z)} : STR_NONE;
}

static inline bool str_eq(Str a, Str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Byte by byte, since most comparisons with a word end at the first byte: tables of words are walked for every line. */
static inline bool str_is(Str a, const char *z) {
    for (size_t i = 0; i < a.len; i++)
        if (!z[i] || a.p[i] != z[i]) return false;
    return !z[a.len];
}

static inline bool str_starts(Str s, const char *z) {
    for (size_t i = 0; z[i]; i++)
        if (i >= s.len || s.p[i] != z[i]) return false;
    return true;
}

static inline bool str_ends(Str s, const char *z) {
    size_t n = strlen(z);
    return s.len >= n && memcmp(s.p + s.len - n, z, n) == 0;
}

/* Part of s from byte `from` (clipped to the end), at most n bytes. */
static inline Str str_sub(Str s, size_t from, size_t n) {
    if (from > s.len) from = s.len;
    if (n > s.len - from) n = s.len - from;
    return (Str){s.p ? s.p + from : NULL, n};
}

static inline Str str_from(Str s, size_t from) {
    return str_sub(s, from, SIZE_MAX);
}

static inline bool ch_blank(char c) {
    return c == ' ' || (unsigned char)(c - '\t') < 5; /* HT LF VT FF CR are neighbours */
}
static inline bool ch_digit(char c) {
    return c >= '0' && c <= '9';
}
static inline bool ch_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool ch_alnum(char c) {
    return ch_digit(c) || ch_alpha(c);
}
static inline bool ch_hex(char c) {
    return ch_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static inline char ch_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* What is asked of every line by every parser stands here, where the compiler sees the lengths of literals. */

static inline Str str_trim_left(Str s) { /* without blanks at the start */
    while (s.len && ch_blank(s.p[0])) {
        s.p++;
        s.len--;
    }
    return s;
}
static inline Str str_trim_right(Str s) { /* without blanks, CR and LF at the end */
    while (s.len && ch_blank(s.p[s.len - 1])) s.len--;
    return s;
}
static inline Str str_trim(Str s) { /* without blanks at both ends */
    return str_trim_left(str_trim_right(s));
}

static inline bool str_ieq(Str a, Str b) { /* equal without regard to ASCII case */
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (ch_lower(a.p[i]) != ch_lower(b.p[i])) return false;
    return true;
}
static inline bool str_istarts(Str s, const char *z) { /* starts with z, ASCII case ignored */
    size_t n = strlen(z);
    return s.len >= n && str_ieq((Str){s.p, n}, (Str){z, n});
}
size_t str_find_n(Str s, const char *z, size_t n);
static inline size_t str_find(Str s, const char *z) { /* offset of z in s, SIZE_MAX if absent */
    return str_find_n(s, z, strlen(z));
}
size_t str_ifind(Str s, const char *z); /* the same, ASCII case ignored */
size_t str_find_ch(Str s, char c);      /* offset of the first c, SIZE_MAX if absent */
size_t str_rfind_ch(Str s, char c);     /* offset of the last c, SIZE_MAX if absent */
static inline bool str_has(Str s, const char *z) {
    return str_find(s, z) != SIZE_MAX;
}
int str_cmp(Str a, Str b); /* byte order, as memcmp, the shorter first */

/* Shrinks *text by everything up to and including the first `sep` and returns what stood before it; the whole rest if
   there is no sep. An empty *text gives an empty Str: loop on text->len. */
Str str_cut(Str *text, char sep);

/* Next token of *s delimited by blanks; *s shrinks behind it. Empty when nothing is left. */
static inline Str str_word(Str *s) {
    Str t = str_trim_left(*s);
    size_t n = 0;
    while (n < t.len && !ch_blank(t.p[n])) n++;
    *s = (Str){t.p ? t.p + n : NULL, t.len - n};
    return (Str){t.p, n};
}

/* Splits s at runs of blanks into at most max tokens; returns how many there were in all (may exceed max). */
size_t str_words(Str s, Str *out, size_t max);

/* s behind the prefix z, or STR_NONE (p == NULL) when it does not start with it. */
static inline Str str_after(Str s, const char *z) {
    return str_starts(s, z) ? str_from(s, strlen(z)) : STR_NONE;
}

/* Path helpers: part behind the last '/', and s without a leading "/dev/". */
Str str_basename(Str path);
Str str_strip_dev(Str s);

/* Length of a terminal's control sequence ("ESC [ 0 1 ; 3 1 m", a colour mostly) at s[i]; 0: there is none. Source: ECMA-48 5.4. */
size_t str_csi(Str s, size_t i);

/*
 * Numbers. All take the whole of s (no blanks around), return false and leave *out alone when s is not wholly such a
 * number or does not fit.
 */
bool str_u64(Str s, uint64_t *out);     /* decimal digits */
bool str_i64(Str s, int64_t *out);      /* optional sign, decimal digits */
bool str_hex_u64(Str s, uint64_t *out); /* hex digits, "0x" allowed */
/* Decimal number with '.' or ',' as decimal sign, optional sign and exponent. Own fixed-point reader: strtod depends on
   the locale and costs five times as much per iostat cell. */
bool str_double(Str s, double *out);
/* The whole part of v; what does not fit becomes the nearest that does, NAN becomes 0. A plain cast of a number from a bundle
   is undefined behaviour as soon as somebody writes 7e64. */
int64_t i64_of(double v);

/*
 * A number with a unit suffix as the storage tools print it.
 * str_scaled: k/K M G T P E, base 1024 or 1000 as given; "1.2K", "3,4M", "512". A lone '-' is false.
 */
bool str_scaled(Str s, unsigned base, double *out);

/* Glob match with * ? and [set], ASCII case ignored. Linear-time backtracking on '*' only; safe on hostile patterns. */
bool str_glob(Str pattern, Str s);

/* 64-bit FNV-1a; for hash tables inside one run only. */
uint64_t str_hash(Str s);

#endif
