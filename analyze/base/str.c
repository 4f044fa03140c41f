#include "str.h"

#include <math.h>

size_t str_find_n(Str s, const char *z, size_t n) {
    if (n == 0) return 0;
    if (s.len < n) return SIZE_MAX;
    const char *p = s.p, *last = s.p + (s.len - n);
    while (p <= last) {
        p = memchr(p, z[0], (size_t)(last - p) + 1);
        if (!p) return SIZE_MAX;
        if (memcmp(p, z, n) == 0) return (size_t)(p - s.p);
        p++;
    }
    return SIZE_MAX;
}

size_t str_ifind(Str s, const char *z) {
    size_t n = strlen(z);
    for (size_t i = 0; i + n <= s.len; i++)
        if (str_ieq((Str){s.p + i, n}, (Str){z, n})) return i;
    return SIZE_MAX;
}

size_t str_find_ch(Str s, char c) {
    if (!s.len) return SIZE_MAX;
    const char *p = memchr(s.p, c, s.len);
    return p ? (size_t)(p - s.p) : SIZE_MAX;
}

size_t str_rfind_ch(Str s, char c) {
    for (size_t i = s.len; i > 0; i--)
        if (s.p[i - 1] == c) return i - 1;
    return SIZE_MAX;
}

int str_cmp(Str a, Str b) {
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    if (c) return c;
    return a.len < b.len ? -1 : a.len > b.len;
}

Str str_cut(Str *text, char sep) {
    size_t at = str_find_ch(*text, sep);
    Str head;
    if (at == SIZE_MAX) {
        head = *text;
        *text = (Str){text->p ? text->p + text->len : NULL, 0};
    } else {
        head = (Str){text->p, at};
        *text = (Str){text->p + at + 1, text->len - at - 1};
    }
    return head;
}

size_t str_words(Str s, Str *out, size_t max) {
    size_t n = 0;
    for (;;) {
        Str w = str_word(&s);
        if (!w.len) return n;
        if (n < max) out[n] = w;
        n++;
    }
}

Str str_basename(Str path) {
    while (path.len > 1 && path.p[path.len - 1] == '/') path.len--;
    size_t at = str_rfind_ch(path, '/');
    return at == SIZE_MAX ? path : str_from(path, at + 1);
}

Str str_strip_dev(Str s) {
    return str_starts(s, "/dev/") ? str_from(s, 5) : s;
}

size_t str_csi(Str s, size_t i) {
    size_t k = i;
    if (k + 2 >= s.len || s.p[k] != 0x1b || s.p[k + 1] != '[') return 0;
    for (k += 2; k < s.len && s.p[k] >= 0x30 && s.p[k] <= 0x3f; k++) {
    }
    for (; k < s.len && s.p[k] >= 0x20 && s.p[k] <= 0x2f; k++) {
    }
    return k < s.len && s.p[k] >= 0x40 && s.p[k] <= 0x7e ? k + 1 - i : 0;
}

bool str_u64(Str s, uint64_t *out) {
    uint64_t v = 0;
    if (!s.len) return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!ch_digit(s.p[i])) return false;
        unsigned d = (unsigned)(s.p[i] - '0');
        if (v > (UINT64_MAX - d) / 10) return false;
        v = v * 10 + d;
    }
    *out = v;
    return true;
}

bool str_i64(Str s, int64_t *out) {
    bool neg = s.len && s.p[0] == '-';
    if (s.len && (s.p[0] == '-' || s.p[0] == '+')) s = str_from(s, 1);
    uint64_t v;
    if (!str_u64(s, &v) || v > (uint64_t)INT64_MAX) return false;
    *out = neg ? -(int64_t)v : (int64_t)v;
    return true;
}

bool str_hex_u64(Str s, uint64_t *out) {
    if (str_starts(s, "0x") || str_starts(s, "0X")) s = str_from(s, 2);
    if (!s.len || s.len > 16) return false;
    uint64_t v = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = ch_lower(s.p[i]);
        if (!ch_hex(c)) return false;
        v = v * 16 + (uint64_t)(ch_digit(c) ? c - '0' : c - 'a' + 10);
    }
    *out = v;
    return true;
}

int64_t i64_of(double v) {
    if (!(v == v)) return 0;
    if (v >= 9223372036854775807.0) return INT64_MAX;
    if (v <= -9223372036854775808.0) return INT64_MIN;
    return (int64_t)v;
}

static const double pow10_table[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

bool str_double(Str s, double *out) {
    if (!s.len) return false;
    const char *p = s.p, *end = s.p + s.len;
    bool neg = false;
    if (*p == '-' || *p == '+') neg = *p++ == '-';
    uint64_t mantissa = 0;
    int digits = 0, decimals = 0, dropped = 0;
    bool any = false;
    for (; p < end && ch_digit(*p); p++) {
        any = true;
        if (digits < 18) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            if (mantissa) digits++;
        } else {
            dropped++;
        }
    }
    if (p < end && (*p == '.' || *p == ',')) {
        for (p++; p < end && ch_digit(*p); p++) {
            any = true;
            if (digits < 18) {
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
                if (mantissa) digits++;
                decimals++;
            }
        }
    }
    if (!any) return false;
    int exponent = dropped - decimals;
    if (p < end && (*p == 'e' || *p == 'E')) {
        int64_t e;
        if (!str_i64((Str){p + 1, (size_t)(end - p - 1)}, &e) || e > 400 || e < -400) return false;
        exponent += (int)e;
        p = end;
    }
    if (p != end) return false;
    double v = (double)mantissa;
    if (exponent > 0) v = exponent <= 15 ? v * pow10_table[exponent] : v * pow(10, exponent);
    else if (exponent < 0) v = -exponent <= 15 ? v / pow10_table[-exponent] : v / pow(10, -exponent);
    if (!isfinite(v)) return false;
    *out = neg ? -v : v;
    return true;
}

bool str_scaled(Str s, unsigned base, double *out) {
    if (!s.len) return false;
    double factor = 1;
    char c = ch_lower(s.p[s.len - 1]);
    static const char letters[] = "kmgtpe";
    const char *at = ch_alpha(c) && c != 'b' ? memchr(letters, c, sizeof letters - 1) : NULL;
    if (at) {
        for (const char *l = letters; l <= at; l++) factor *= base;
        s.len--;
    } else if (c == 'b') {
        s.len--;
    }
    double v;
    if (!str_double(s, &v)) return false;
    *out = v * factor;
    return true;
}

/* One [set] of a glob against c; *used is how many pattern bytes it took. An unclosed '[' is a plain character. */
static bool glob_set(Str pat, char c, size_t *used) {
    bool negate = pat.len > 1 && (pat.p[1] == '!' || pat.p[1] == '^'), hit = false;
    size_t i = negate ? 2 : 1, first = i;
    for (; i < pat.len && (pat.p[i] != ']' || i == first); i++) {
        char lo = ch_lower(pat.p[i]), hi = lo;
        if (i + 2 < pat.len && pat.p[i + 1] == '-' && pat.p[i + 2] != ']') {
            hi = ch_lower(pat.p[i + 2]);
            i += 2;
        }
        if (c >= lo && c <= hi) hit = true;
    }
    if (i >= pat.len) {
        *used = 1;
        return c == '[';
    }
    *used = i + 1;
    return hit != negate;
}

bool str_glob(Str pat, Str s) {
    Str star = STR_NONE, retry = STR_NONE; /* pattern behind the last '*', and the text it is tried on next */
    bool have_star = false;
    for (;;) {
        if (pat.len && pat.p[0] == '*') {
            star = str_from(pat, 1);
            retry = s;
            have_star = true;
            pat = star;
            continue;
        }
        if (!s.len && !pat.len) return true;
        bool ok = false;
        size_t used = 1;
        if (s.len && pat.len) {
            char c = ch_lower(s.p[0]);
            if (pat.p[0] == '?') ok = true;
            else if (pat.p[0] == '[') ok = glob_set(pat, c, &used);
            else ok = ch_lower(pat.p[0]) == c;
        }
        if (ok) {
            pat = str_from(pat, used);
            s = str_from(s, 1);
            continue;
        }
        if (!have_star || !retry.len) return false;
        retry = str_from(retry, 1);
        s = retry;
        pat = star;
    }
}

uint64_t str_hash(Str s) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < s.len; i++) h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
    return h;
}
