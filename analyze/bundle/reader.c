#include "reader.h"

#include "../parse/input.h"

#include <stdlib.h>

enum { CHUNK = 64 * 1024, LOOK_AHEAD = 64 * 1024 };

static ssize_t head_read(ByteSource *s, char *buf, size_t size, Error *err) {
    HeadSource *h = (HeadSource *)s;
    if (h->head.len) {
        size_t n = h->head.len < size ? h->head.len : size;
        memcpy(buf, h->head.p, n);
        h->head = str_from(h->head, n);
        return (ssize_t)n;
    }
    return h->rest ? h->rest->read(h->rest, buf, size, err) : 0;
}

void head_source(HeadSource *h, Str head, ByteSource *rest) {
    *h = (HeadSource){.src = {head_read}, .head = head, .rest = rest};
}

static void reserve(LineReader *r, size_t more) {
    if (r->at && (r->at == r->len || r->cap - r->len < more)) { /* move what is unread to the front */
        memmove(r->buf, r->buf + r->at, r->len - r->at);
        r->len -= r->at;
        r->at = 0;
    }
    if (r->cap - r->len >= more) return;
    while (r->cap - r->len < more) r->cap = r->cap ? r->cap * 2 : 2 * CHUNK;
    r->buf = realloc(r->buf, r->cap);
    if (!r->buf) fatal("out of memory");
}

static void put_utf8(LineReader *r, uint32_t c) {
    char *p = r->buf + r->len;
    if (c < 0x80) {
        p[0] = (char)c;
        r->len += 1;
    } else if (c < 0x800) {
        p[0] = (char)(0xC0 | c >> 6);
        p[1] = (char)(0x80 | (c & 0x3F));
        r->len += 2;
    } else if (c < 0x10000) {
        p[0] = (char)(0xE0 | c >> 12);
        p[1] = (char)(0x80 | (c >> 6 & 0x3F));
        p[2] = (char)(0x80 | (c & 0x3F));
        r->len += 3;
    } else {
        p[0] = (char)(0xF0 | c >> 18);
        p[1] = (char)(0x80 | (c >> 12 & 0x3F));
        p[2] = (char)(0x80 | (c >> 6 & 0x3F));
        p[3] = (char)(0x80 | (c & 0x3F));
        r->len += 4;
    }
}

/* UTF-16 units of in[0..n) to UTF-8 at the end of the buffer; lone surrogates become U+FFFD. */
static void add_utf16(LineReader *r, const unsigned char *in, size_t n) {
    reserve(r, n * 2 + 8); /* two bytes give at most three, plus what was waiting */
    for (size_t i = 0; i < n; i++) {
        if (!r->have_odd) {
            r->odd = in[i];
            r->have_odd = true;
            continue;
        }
        r->have_odd = false;
        uint32_t u = r->utf16_be ? (uint32_t)r->odd << 8 | in[i] : (uint32_t)in[i] << 8 | r->odd;
        if (u >= 0xDC00 && u < 0xE000 && r->high) {
            put_utf8(r, 0x10000 + ((r->high - 0xD800) << 10) + (u - 0xDC00));
            r->high = 0;
            continue;
        }
        if (r->high) put_utf8(r, 0xFFFD);
        r->high = 0;
        if (u >= 0xD800 && u < 0xDC00) r->high = u;
        else put_utf8(r, u >= 0xDC00 && u < 0xE000 ? 0xFFFD : u);
    }
}

/* Reads once more; false at the end. */
static bool fill(LineReader *r) {
    if (r->eof) return false;
    bool first = r->bytes == 0;
    if (r->utf16) {
        unsigned char raw[16 * 1024];
        ssize_t n = r->from->read(r->from, (char *)raw, sizeof raw, &r->err);
        if (n <= 0) {
            r->eof = true;
            return false;
        }
        r->bytes += (uint64_t)n;
        add_utf16(r, raw, (size_t)n);
        return true;
    }
    reserve(r, CHUNK);
    ssize_t n = r->from->read(r->from, r->buf + r->len, r->cap - r->len, &r->err);
    if (n <= 0) {
        r->eof = true;
        return false;
    }
    r->bytes += (uint64_t)n;
    r->len += (size_t)n;
    if (first) {
        while (r->len < 3) { /* a mark may arrive in parts */
            ssize_t more = r->from->read(r->from, r->buf + r->len, r->cap - r->len, &r->err);
            if (more <= 0) {
                r->eof = true;
                break;
            }
            r->bytes += (uint64_t)more;
            r->len += (size_t)more;
        }
        Str head = {r->buf, r->len};
        if (str_starts(head, "\xEF\xBB\xBF")) {
            r->at = 3;
        } else if (str_starts(head, "\xFF\xFE") || str_starts(head, "\xFE\xFF")) {
            r->utf16 = true;
            r->utf16_be = head.p[0] == '\xFE';
            size_t raw_len = r->len - 2;
            unsigned char *raw = malloc(raw_len ? raw_len : 1);
            if (!raw) fatal("out of memory");
            memcpy(raw, r->buf + 2, raw_len);
            r->at = r->len = 0;
            add_utf16(r, raw, raw_len);
            free(raw);
        }
    }
    return true;
}

void reader_open(LineReader *r, ByteSource *from) {
    *r = (LineReader){.from = from};
}

void reader_close(LineReader *r) {
    free(r->buf);
    r->buf = NULL;
}

Str reader_peek(LineReader *r, size_t want) {
    while (r->len - r->at < want && fill(r)) {
    }
    size_t n = r->len - r->at;
    return (Str){r->buf + r->at, n < want ? n : want};
}

static Str chomp(Str line) {
    if (line.len && line.p[line.len - 1] == '\r') line.len--;
    return line;
}

static int64_t number_of(const LineReader *r, size_t nth) {
    return !r->map || nth == 0 || nth > r->map->count ? (int64_t)nth : r->map->numbers[nth - 1];
}

static void count_to(LineReader *r, size_t nth) {
    r->given = nth;
    r->line = r->line_end = number_of(r, nth);
    if (r->map && nth && nth <= r->map->count) r->line_end = r->map->ends[nth - 1];
}

static bool taken(LineReader *r) {
    count_to(r, r->given + 1);
    return true;
}

void reader_unread(LineReader *r, Str line) {
    r->at = (size_t)(line.p - r->buf);
    count_to(r, r->given - 1);
}

int64_t reader_next_number(const LineReader *r) {
    return number_of(r, r->given + 1);
}

bool reader_marked(const LineReader *r) {
    return r->map && r->given < r->map->count && r->map->marks[r->given];
}

bool reader_line(LineReader *r, Str *line) {
    r->cut = false;
    size_t searched = 0;
    for (;;) {
        size_t n = r->len - r->at;
        const char *lf = n > searched ? memchr(r->buf + r->at + searched, '\n', n - searched) : NULL;
        if (lf) {
            size_t len = (size_t)(lf - (r->buf + r->at));
            r->cut = len > INPUT_MAX_LINE;
            *line = r->cut ? (Str){r->buf + r->at, INPUT_MAX_LINE} : chomp((Str){r->buf + r->at, len});
            r->at += len + 1;
            return taken(r);
        }
        searched = n;
        if (n > INPUT_MAX_LINE) {
            /* Give the start; skip the rest of the line without keeping it. */
            char *keep = malloc(INPUT_MAX_LINE);
            if (!keep) fatal("out of memory");
            memcpy(keep, r->buf + r->at, INPUT_MAX_LINE);
            r->at = r->len;
            for (;;) {
                if (r->at == r->len && !fill(r)) break;
                const char *end = memchr(r->buf + r->at, '\n', r->len - r->at);
                if (end) {
                    r->at = (size_t)(end - r->buf) + 1;
                    break;
                }
                r->at = r->len;
            }
            /* The start has to live in the buffer: in front of what is unread. */
            size_t unread = r->len - r->at;
            reserve(r, INPUT_MAX_LINE + 1);
            memmove(r->buf + r->at + INPUT_MAX_LINE, r->buf + r->at, unread);
            memcpy(r->buf + r->at, keep, INPUT_MAX_LINE);
            free(keep);
            *line = (Str){r->buf + r->at, INPUT_MAX_LINE};
            r->at += INPUT_MAX_LINE;
            r->len += INPUT_MAX_LINE;
            r->cut = true;
            return taken(r);
        }
        if (!fill(r)) {
            if (!n) return false;
            *line = chomp((Str){r->buf + r->at, n});
            r->at = r->len;
            return taken(r);
        }
    }
}

bool reader_peek_line(LineReader *r, unsigned k, Str *line) {
    size_t from = 0;
    for (;;) {
        size_t n = r->len - r->at;
        const char *lf = n > from ? memchr(r->buf + r->at + from, '\n', n - from) : NULL;
        if (lf) {
            size_t end = (size_t)(lf - (r->buf + r->at));
            if (k == 0) {
                *line = chomp((Str){r->buf + r->at + from, end - from});
                return true;
            }
            k--;
            from = end + 1;
            continue;
        }
        if (n > from + LOOK_AHEAD) { /* a line too long to look at whole: its start will do */
            *line = (Str){r->buf + r->at + from, LOOK_AHEAD};
            return k == 0;
        }
        if (!fill(r)) {
            if (n <= from || k) return false;
            *line = chomp((Str){r->buf + r->at + from, n - from});
            return true;
        }
    }
}
