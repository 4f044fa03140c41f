#include "clean.h"

#include "base/lang.h"

size_t utf8_decode(Str s, size_t at, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)s.p + at;
    size_t left = s.len - at;
    unsigned char c = p[0];
    *code = 0xfffd;
    if (c < 0x80) {
        *code = c;
        return 1;
    }
    size_t n = c >= 0xc2 && c <= 0xdf ? 2 : c >= 0xe0 && c <= 0xef ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
    if (!n || left < n) return 1;
    uint32_t v = n == 2 ? c & 0x1fu : n == 3 ? c & 0x0fu : c & 0x07u;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) return 1;
        v = v << 6 | (p[i] & 0x3fu);
    }
    if ((n == 3 && v < 0x800) || (n == 4 && v < 0x10000) || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)) return 1;
    *code = v;
    return n;
}

void utf8_append(StrBuf *out, uint32_t c) {
    if (c < 0x80) {
        sb_addc(out, (char)c);
    } else if (c < 0x800) {
        sb_addc(out, (char)(0xc0 | c >> 6));
        sb_addc(out, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        sb_addc(out, (char)(0xe0 | c >> 12));
        sb_addc(out, (char)(0x80 | (c >> 6 & 0x3f)));
        sb_addc(out, (char)(0x80 | (c & 0x3f)));
    } else {
        sb_addc(out, (char)(0xf0 | c >> 18));
        sb_addc(out, (char)(0x80 | (c >> 12 & 0x3f)));
        sb_addc(out, (char)(0x80 | (c >> 6 & 0x3f)));
        sb_addc(out, (char)(0x80 | (c & 0x3f)));
    }
}

/* Length of the escape sequence at s[at], which is ESC (ECMA-48: CSI, strings up to BEL or ST, and the short ones). */
static size_t escape_length(Str s, size_t at) {
    const size_t longest = 256; /* an ESC without an end must not swallow the text behind it */
    size_t i = at + 1, end = s.len < at + longest ? s.len : at + longest;
    if (i >= end) return 1;
    char c = s.p[i++];
    if (c == '[') {
        while (i < end && s.p[i] >= 0x20 && s.p[i] <= 0x3f) i++;
        return i < end && s.p[i] >= 0x40 && s.p[i] <= 0x7e ? i + 1 - at : 1;
    }
    if (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X') {
        for (; i < end; i++) {
            if (s.p[i] == '\a') return i + 1 - at;
            if (s.p[i] == '\033' && i + 1 < end && s.p[i + 1] == '\\') return i + 2 - at;
        }
        return 1;
    }
    for (i--; i < end && s.p[i] >= 0x20 && s.p[i] <= 0x2f;) i++;
    return i < end && s.p[i] >= 0x30 && s.p[i] <= 0x7e ? i + 1 - at : 1;
}

/* Invisible, or steering what stands around it. Tabs and line ends are not asked about here. */
static bool unwanted(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x115f || c == 0x1160 ||
           c == 0x17b4 || c == 0x17b5 || c == 0x180e || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || c == 0xfeff || c == 0xffa0 || (c >= 0xfff9 && c <= 0xfffb) ||
           (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c <= 0xe0fff);
}

Str clean(Arena *a, Str s, CleanMode mode) {
    StrBuf out;
    sb_init(&out, a);
    sb_add(&out, STR("")); /* also nothing is NUL terminated */
    size_t column = 0, shown = 0, hidden = 0;
    bool gap = false, is_inline = mode == CLEAN_INLINE || mode == CLEAN_NAME;
    const size_t most = mode == CLEAN_NAME ? CLEAN_NAME_MAX : CLEAN_INLINE_MAX;
    for (size_t i = 0; i < s.len;) {
        uint32_t c;
        size_t n = utf8_decode(s, i, &c);
        if (c == 0x1b) {
            i += escape_length(s, i);
            continue;
        }
        bool crlf = c == '\r' && i + 1 < s.len && s.p[i + 1] == '\n';
        i += n;
        if (crlf) continue;
        if (c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029 || c == '\v' || c == '\f') c = '\n';
        if (c == '\n' && mode >= CLEAN_LINE) c = ' ';
        if (c == '\t' && is_inline) c = ' ';
        if (c == '\n' || (c == '\t' && mode == CLEAN_KEEP)) {
            sb_addc(&out, (char)c);
            column = 0;
            continue;
        }
        if (c == '\t') {
            do sb_addc(&out, ' ');
            while (++column % 8);
            continue;
        }
        if (unwanted(c)) continue;
        if (is_inline) {
            if (c == ' ' || c == 0xa0) {
                gap = out.len > 0;
                continue;
            }
            if (shown >= most) {
                hidden++;
                continue;
            }
            if (gap) {
                sb_addc(&out, ' ');
                shown++;
            }
            gap = false;
            shown++;
        }
        utf8_append(&out, c);
        column++;
    }
    if (hidden) {
        sb_addz(&out, "\xe2\x80\xa6 ");
        sb_add(&out, say_n(a, "[{n} more character]", "[{n} more characters]", hidden, NULL));
    }
    if (mode == CLEAN_LINE || mode == CLEAN_BLOCK)
        while (out.len && (out.p[out.len - 1] == ' ' || out.p[out.len - 1] == '\n')) out.p[--out.len] = 0;
    Str r = sb_str(&out);
    return r.p ? r : STR("");
}

static bool zero_width(uint32_t c) {
    return (c >= 0x300 && c <= 0x36f) || (c >= 0x483 && c <= 0x489) || (c >= 0x591 && c <= 0x5bd) ||
           (c >= 0x610 && c <= 0x61a) || (c >= 0x64b && c <= 0x65f) || (c >= 0x1ab0 && c <= 0x1aff) ||
           (c >= 0x1dc0 && c <= 0x1dff) || (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f) ||
           (c >= 0xfe20 && c <= 0xfe2f);
}

static bool double_width(uint32_t c) {
    return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) || (c >= 0x3041 && c <= 0xa4cf) ||
           (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
           (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1f64f) ||
           (c >= 0x1f680 && c <= 0x1f6ff) || (c >= 0x1f900 && c <= 0x1f9ff) || (c >= 0x20000 && c <= 0x3fffd);
}

size_t display_width(Str s) {
    size_t width = 0;
    for (size_t i = 0; i < s.len;) {
        uint32_t c;
        i += utf8_decode(s, i, &c);
        width += zero_width(c) ? 0 : double_width(c) ? 2 : 1;
    }
    return width;
}
