/*
 * Reads bytes as lines, in portions of any size and with looks ahead in between, and compares with the plain way.
 *
 * What has to hold: the portions in which bytes arrive change nothing; a look ahead sees what comes; a line given back comes
 * again; numbers count; text without a mark comes as it is, marked UTF-16 as well-formed UTF-8.
 */
#include "../../analyze/bundle/reader.h"
#include "../../analyze/parse/input.h"
#include "fuzz.h"

#include <stdlib.h>

enum { LONG_MARK = 3, LONG = 300 * 1000, MAX_LONG = 8 };

/* Gives 1 to `most` bytes at a time. */
typedef struct PortionSource {
    ByteSource src;
    Str rest;
    uint64_t random;
    size_t most;
} PortionSource;

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static ssize_t portion_read(ByteSource *s, char *buf, size_t size, Error *err) {
    (void)err;
    PortionSource *p = (PortionSource *)s;
    size_t n = 1 + (size_t)next_random(&p->random) % p->most;
    if (n > size) n = size;
    if (n > p->rest.len) n = p->rest.len;
    if (n) memcpy(buf, p->rest.p, n);
    p->rest = str_from(p->rest, n);
    return (ssize_t)n;
}

static Str expand(Arena *a, Str text) {
    StrBuf b;
    sb_init(&b, a);
    Str x = {memset(arena_alloc(a, LONG), 'x', LONG), LONG};
    int longs = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] == LONG_MARK && longs++ < MAX_LONG) sb_add(&b, x);
        else sb_addc(&b, text.p[i]);
    return sb_str(&b);
}

static void well_formed(Str s) {
    for (size_t i = 0; i < s.len;) {
        unsigned char c = (unsigned char)s.p[i];
        size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
        bool cut_here =
            s.len >= INPUT_MAX_LINE - 3 && n > s.len - i; /* a line cut at the limit may end in a character */
        if (!n || (n > s.len - i && !cut_here)) fuzz_fail("UTF-16 became malformed UTF-8");
        for (size_t k = 1; k < n && i + k < s.len; k++)
            if ((s.p[i + k] & 0xC0) != 0x80) fuzz_fail("UTF-16 became malformed UTF-8");
        i += n;
    }
}

static bool same_start(Str line, Str seen) {
    return str_eq(line, seen) || (seen.len < line.len && memcmp(line.p, seen.p, seen.len) == 0);
}

typedef VEC(Str) Lines;

/* The lines, as read without any look ahead. */
static void read_plain(Arena *a, Str text, Lines *lines) {
    PortionSource source = {{portion_read}, text, 1, SIZE_MAX / 2};
    LineReader r;
    reader_open(&r, &source.src);
    for (Str line; reader_line(&r, &line);) {
        VEC_PUSH(a, lines, arena_str(a, line));
        if (r.line != (int64_t)lines->count) fuzz_fail("line %zu has number %lld", lines->count, (long long)r.line);
        if (r.utf16) well_formed(line);
        if (line.len > INPUT_MAX_LINE) fuzz_fail("a line over the limit");
    }
    if (r.bytes != text.len || r.err.text[0])
        fuzz_fail("%llu bytes read of %zu", (unsigned long long)r.bytes, text.len);
    if (!r.utf16) { /* they are the text's */
        if (str_starts(text, "\xEF\xBB\xBF")) text = str_from(text, 3);
        for (size_t i = 0; text.len; i++) {
            Str whole = str_cut(&text, '\n');
            if (whole.len > INPUT_MAX_LINE) whole.len = INPUT_MAX_LINE;
            else if (whole.len && whole.p[whole.len - 1] == '\r') whole.len--;
            if (i >= lines->count || !str_eq(lines->items[i], whole))
                fuzz_fail("line %zu is not that of the text", i + 1);
            if (!text.len && i + 1 != lines->count) fuzz_fail("more lines than the text has");
        }
    }
    reader_close(&r);
}

static void read_portions(Str text, const Lines *lines, uint64_t random, size_t most) {
    PortionSource source = {{portion_read}, text, random, most};
    LineReader r;
    reader_open(&r, &source.src);
    for (size_t i = 0;; i++) {
        uint64_t dice = next_random(&random);
        Str seen, line;
        if (dice % 4 == 0) reader_peek(&r, dice / 4 % 40000);
        unsigned k = (unsigned)(dice / 8 % 5);
        if (dice % 3 == 0 && reader_peek_line(&r, k, &seen) &&
            (i + k >= lines->count || !same_start(lines->items[i + k], seen)))
            fuzz_fail("the look ahead from line %zu to %zu saw something else", i + 1, i + k + 1);
        if (!reader_line(&r, &line)) {
            if (i != lines->count) fuzz_fail("%zu lines in portions, else %zu", i, lines->count);
            break;
        }
        if (dice % 5 == 0 && !r.cut) {
            reader_unread(&r, line);
            if (reader_next_number(&r) != (int64_t)i + 1) fuzz_fail("a line given back has another number");
            if (!reader_line(&r, &line)) fuzz_fail("a line given back is gone");
        }
        if (i >= lines->count || !str_eq(line, lines->items[i])) fuzz_fail("line %zu differs in portions", i + 1);
        if (r.line != (int64_t)i + 1) fuzz_fail("line %zu has number %lld", i + 1, (long long)r.line);
    }
    if (r.bytes != text.len) fuzz_fail("%llu bytes read of %zu", (unsigned long long)r.bytes, text.len);
    reader_close(&r);
}

void fuzz_reader(Str text) {
    Arena *a = arena_new((size_t)256 << 20);
    Lines lines = {0};
    uint64_t random = str_hash(text);
    Str whole = expand(a, text);
    read_plain(a, whole, &lines);
    read_portions(whole, &lines, random, whole.len > 100000 ? 50000 : 1 + random % 7);
    read_portions(whole, &lines, random + 1, whole.len > 100000 ? 9000 : 1 + random % 5000);
    arena_free(a);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader((Str){(const char *)data, size});
    return 0;
}
#endif
