#include "statements.h"

#include "column.h"
#include "evaluate.h"

/* The code point at *at of s, moving *at behind it; damaged UTF-8 counts byte by byte. */
static uint32_t code_point(Str s, size_t *at) {
    unsigned char c = (unsigned char)s.p[*at];
    size_t more = c >= 0xf0 && c < 0xf8 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
    uint32_t cp = more ? c & (0x3fu >> more) : c;
    if (c >= 0xf8 || *at + more >= s.len) more = 0, cp = c;
    for (size_t i = 1; i <= more; i++) {
        unsigned char next = (unsigned char)s.p[*at + i];
        if ((next & 0xc0) != 0x80) {
            more = 0;
            cp = c;
            break;
        }
        cp = cp << 6 | (next & 0x3f);
    }
    *at += more + 1;
    return cp;
}

static uint32_t lower(uint32_t c) {
    if (c >= 'A' && c <= 'Z') return c + 32;
    if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;                                    /* Latin-1 */
    if ((c >= 0x391 && c <= 0x3a9 && c != 0x3a2) || (c >= 0x410 && c <= 0x42f)) return c + 32; /* Greek, Cyrillic */
    if (c >= 0x400 && c <= 0x40f) return c + 80;
    if (c >= 0x100 && c <= 0x137) return c | 1; /* Latin Extended-A: upper case is even here */
    return c;
}

static bool of_word(uint32_t c) {
    return c == '_' ||
           (c < 0x80 ? ch_alnum((char)c) : c >= 0xaa && c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c < 0x2c00));
}

/* Chinese, Japanese and their like: no blanks between words. */
static bool unspaced(uint32_t c) {
    return (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) || c >= 0x20000 || (c >= 0xe00 && c < 0xe80);
}

bool statement_holds(Str text, Str word) {
    bool open_end = word.len > 1 && word.p[word.len - 1] == '*';
    if (open_end) word.len--;
    if (!word.len) return false;
    size_t first = 0;
    bool anywhere = unspaced(code_point(word, &first));
    uint32_t before = ' ';
    for (size_t from = 0; from < text.len;) {
        size_t t = from, w = 0;
        bool same = anywhere || !of_word(before);
        while (same && w < word.len) {
            if (t >= text.len) return false; /* no later place has more room */
            same = lower(code_point(text, &t)) == lower(code_point(word, &w));
        }
        if (same) {
            size_t end = t;
            if (open_end || anywhere || end >= text.len || !of_word(code_point(text, &end))) return true;
        }
        before = code_point(text, &from);
    }
    return false;
}

void statements_about(Facts *f, Arena *a, int64_t capture, const Str *words, size_t count, EvidenceList *out) {
    sqlite3_stmt *st = facts_query(
        f,
        "SELECT t.text, o.member, t.src, t.line, (SELECT path FROM line_text l WHERE l.src = t.src AND l.line = t.line)"
        " FROM statement t JOIN source o ON o.id = t.src"
        " WHERE o.bundle = (SELECT bundle FROM capture WHERE id = ?1) ORDER BY t.capture IS NOT ?1, t.src, t.line");
    sqlite3_bind_int64(st, 1, capture);
    while (out->count < STATEMENTS_QUOTED && sqlite3_step(st) == SQLITE_ROW) {
        Str text = {(const char *)sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0)};
        bool hit = false;
        for (size_t i = 0; i < count && !hit; i++) hit = statement_holds(text, words[i]);
        if (!hit) continue;
        int64_t line = sqlite3_column_int64(st, 3);
        Evidence e = {.member = column_text(a, st, 1),
                      .line = line > 0 ? line : 0,
                      .path = column_text(a, st, 4),
                      .text = arena_str(a, text),
                      .src = sqlite3_column_int64(st, 2)};
        VEC_PUSH(a, out, e);
    }
    sqlite3_reset(st);
}
