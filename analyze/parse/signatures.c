/*
 * signatures.c - loading, prefiltering and matching log signatures
 *
 * Each literal is known by four of its bytes, those that other lines have least. A line is looked at four bytes at a time, at each
 * of its positions: a bit of a small table says whether some literal has four of the same hash, and only then it is compared. That is
 * a load, a multiplication and a test per byte of log, none of which waits for the one before, whatever the number of signatures.
 */
#include "signatures.h"

#include "../base/arena.h"
#include "../base/embedded.h"
#include "log_prefix.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    MAX_FILE = 16 * 1024 * 1024,
    MAX_SIGNATURES = 16384,
    DEFAULT_ORDER = 100,
    /* Backtracking steps and depth that no honest pattern comes near on 4 KiB; a hostile line ends there. */
    MATCH_LIMIT = 200000,
    DEPTH_LIMIT = 5000,
    HEAP_LIMIT_KIB = 16 * 1024,
    MATCH_PAIRS = 64
};
#define ARENA_LIMIT ((size_t)256 * 1024 * 1024)

typedef struct CaptureName {
    const char *name;
    uint32_t number;
} CaptureName;

/* A signature and what matching needs. The public part comes first and is what callers see. */
typedef struct Entry {
    Signature sig;
    const char *file;
    Str *literals;
    size_t literal_count;
    Str *matches, *rejects;
    size_t match_count, reject_count;
    pcre2_code *code;
    bool compiled, broken;
    CaptureName names[SIG_MAX_CAPTURES];
    size_t name_count;
    uint32_t subject_number;
} Entry;

enum { GRAM = 4, FILTER_BITS = 15 };

typedef struct Probe { /* a literal, known by four of its bytes */
    uint32_t gram;
    uint32_t next; /* index + 1 of the next with the same hash, 0 ends */
    uint32_t rank; /* of its signature */
    uint32_t at;   /* where in the literal the four bytes stand */
    Str literal;
} Probe;

/* What matching changes; behind a pointer, so that a set may be const for its users. */
typedef struct Matcher {
    bool built;
    uint64_t
        filter[(1 << FILTER_BITS) / 64]; /* the hashes that some four bytes have: small enough for the nearest cache */
    uint32_t *first;                     /* hash -> index + 1 of its first Probe */
    Probe *probes;
    uint64_t *candidates, *always;
    size_t words;
    pcre2_match_data *match_data;
    pcre2_match_context *context;
    size_t given_up;
} Matcher;

struct Signatures {
    Arena *arena;
    VEC(Entry *) entries; /* sorted by (order, id) once built */
    Matcher *m;
};

static const char *const severities[] = {"noise", "info", "low", "medium", "high", "critical"};
static const char *const subject_kinds[] = {"ata", "disk", "scsi", "nvme", "pci",  "usb",
                                            "md",  "dm",   "fs",   "pool", "host", "net"};

static bool one_of(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}
#define ONE_OF(word, list) one_of((word), (list), sizeof(list) / sizeof((list)[0]))

/* ------------------------------------------------------------------ loading */

Signatures *signatures_new(void) {
    Arena *arena = arena_new(ARENA_LIMIT);
    Signatures *s = arena_new_of(arena, Signatures);
    s->arena = arena;
    s->m = arena_new_of(arena, Matcher);
    return s;
}

static void drop_matcher(Signatures *s) {
    if (s->m->match_data) pcre2_match_data_free(s->m->match_data);
    if (s->m->context) pcre2_match_context_free(s->m->context);
    s->m->match_data = NULL;
    s->m->context = NULL;
    s->m->built = false;
}

void signatures_free(Signatures *s) {
    if (!s) return;
    drop_matcher(s);
    for (size_t i = 0; i < s->entries.count; i++)
        if (s->entries.items[i]->code) pcre2_code_free(s->entries.items[i]->code);
    arena_free(s->arena);
}

static const char *text_of(Arena *a, const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) && item->valuestring ? arena_cstr(a, str_of(item->valuestring)) : "";
}

/* A string or a list of strings. */
static Str *list_of(Arena *a, const cJSON *object, const char *key, size_t *count) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    *count = 0;
    if (cJSON_IsString(item) && item->valuestring) {
        Str *one = arena_array(a, Str, 1);
        *one = arena_str(a, str_of(item->valuestring));
        *count = 1;
        return one;
    }
    if (!cJSON_IsArray(item)) return NULL;
    Str *list = arena_array(a, Str, (size_t)cJSON_GetArraySize(item) + 1);
    const cJSON *e = NULL;
    cJSON_ArrayForEach(e, item) {
        if (cJSON_IsString(e) && e->valuestring) list[(*count)++] = arena_str(a, str_of(e->valuestring));
    }
    return list;
}

static bool add_one(Signatures *s, const char *file, const char *topic, const cJSON *object, Error *err) {
    Arena *a = s->arena;
    if (!cJSON_IsObject(object)) return error_set(err, "%s: an entry of \"signatures\" is not an object", file);
    Entry *e = arena_new_of(a, Entry);
    e->file = file;
    e->sig.topic = topic;
    e->sig.id = text_of(a, object, "id");
    e->sig.name = text_of(a, object, "name");
    e->sig.severity = text_of(a, object, "severity");
    e->sig.event = text_of(a, object, "event");
    e->sig.subject = text_of(a, object, "subject");
    e->sig.subject_kind = text_of(a, object, "subject_kind");
    e->sig.meaning = text_of(a, object, "meaning");
    e->sig.not_meaning = text_of(a, object, "not");
    e->sig.source = text_of(a, object, "source");
    e->sig.pattern = text_of(a, object, "pattern");
    const cJSON *order = cJSON_GetObjectItemCaseSensitive(object, "order");
    e->sig.order = cJSON_IsNumber(order) ? order->valueint : DEFAULT_ORDER;
    e->literals = list_of(a, object, "literal", &e->literal_count);
    e->matches = list_of(a, object, "matches", &e->match_count);
    e->rejects = list_of(a, object, "rejects", &e->reject_count);
    if (!e->sig.id[0]) return error_set(err, "%s: a signature has no \"id\"", file);
    if (!e->sig.pattern[0]) return error_set(err, "%s: %s has no \"pattern\"", file, e->sig.id);
    for (size_t i = 0; i < s->entries.count; i++) {
        if (strcmp(s->entries.items[i]->sig.id, e->sig.id) != 0) continue;
        if (strcmp(s->entries.items[i]->file, file) == 0)
            return error_set(err, "%s: %s stands there twice", file, e->sig.id);
        if (s->entries.items[i]->code) pcre2_code_free(s->entries.items[i]->code);
        s->entries.items[i] = e;
        return true;
    }
    if (s->entries.count >= MAX_SIGNATURES) return error_set(err, "%s: more than %d signatures", file, MAX_SIGNATURES);
    VEC_PUSH(a, &s->entries, e);
    return true;
}

bool signatures_add(Signatures *s, const char *file, Str json, Error *err) {
    Error first = {""}, one = {""};
    bool good = true;
    drop_matcher(s);
    file = arena_cstr(s->arena, str_of(file));
    cJSON *doc = cJSON_ParseWithLength(json.p ? json.p : "", json.len);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(doc, "signatures");
    if (!cJSON_IsArray(list)) {
        good = error_set(&first, "%s: %s", file, doc ? "no list \"signatures\"" : "not valid JSON");
    } else {
        const char *topic = text_of(s->arena, doc, "topic");
        const cJSON *item = NULL;
        cJSON_ArrayForEach(item, list) {
            if (add_one(s, file, topic, item, &one)) continue;
            if (good) first = one;
            good = false;
        }
    }
    cJSON_Delete(doc);
    if (!good && err) *err = first;
    return good;
}

static Signatures *builtin_set;

static void builtin_cleanup(void) {
    signatures_free(builtin_set);
    builtin_set = NULL;
}

static Signatures *builtin(Error *err) {
    static Error complaint;
    if (!builtin_set) {
        builtin_set = signatures_new();
        atexit(builtin_cleanup); /* so that leak checkers see what is still held, and that it is given back */
        for (size_t i = 0; i < embedded_file_count; i++) {
            const EmbeddedFile *f = &embedded_files[i];
            Error one = {""};
            if (strncmp(f->path, "rules/signatures/", 17) != 0 || !str_ends(str_of(f->path), ".json")) continue;
            if (!signatures_add(builtin_set, f->path, (Str){(const char *)f->data, f->len}, &one) && !complaint.text[0])
                complaint = one;
        }
    }
    if (err) *err = complaint;
    return builtin_set;
}

const Signatures *signatures_builtin(Error *err) {
    return builtin(err);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_file(Signatures *s, const char *path, Error *err) {
    FILE *f = fopen(path, "rb");
    if (!f) return error_set(err, "%s: cannot be opened", path);
    Arena *a = arena_new(ARENA_LIMIT);
    StrBuf text;
    sb_init(&text, a);
    char block[16384];
    size_t n;
    while (text.len <= MAX_FILE && (n = fread(block, 1, sizeof block, f)) > 0) sb_add(&text, (Str){block, n});
    bool failed = ferror(f) != 0;
    fclose(f);
    bool good = failed                ? error_set(err, "%s: cannot be read", path)
                : text.len > MAX_FILE ? error_set(err, "%s: longer than %d bytes", path, MAX_FILE)
                                      : signatures_add(s, path, sb_str(&text), err);
    arena_free(a);
    return good;
}

bool signatures_builtin_add_dir(const char *dir, Error *err) {
    Signatures *s = builtin(NULL);
    DIR *d = opendir(dir);
    if (!d) return error_set(err, "%s: cannot be opened", dir);
    VEC(char *) files = {0};
    Arena *a = arena_new(ARENA_LIMIT);
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        if (str_ends(str_of(e->d_name), ".json")) VEC_PUSH(a, &files, arena_fmt(a, "%s/%s", dir, e->d_name));
    closedir(d);
    /* Directory order is no order: the same folder must always give the same set. */
    if (files.count) qsort(files.items, files.count, sizeof *files.items, by_name);
    bool good = true;
    for (size_t i = 0; i < files.count; i++) {
        Error one;
        if (add_file(s, files.items[i], &one)) continue;
        if (good && err) *err = one;
        good = false;
    }
    arena_free(a);
    return good;
}

/* ------------------------------------------------------------------ the automaton */

static int by_order(const void *a, const void *b) {
    const Entry *x = *(Entry *const *)a, *y = *(Entry *const *)b;
    if (x->sig.order != y->sig.order) return x->sig.order < y->sig.order ? -1 : 1;
    return strcmp(x->sig.id, y->sig.id);
}

static uint32_t gram_at(const char *p) {
    uint32_t gram;
    memcpy(&gram, p, GRAM);
    return gram;
}

static uint32_t gram_hash(uint32_t gram) {
    return gram * 2654435761u >> (32 - FILTER_BITS);
}

/* Where the four bytes stand that other lines have least: by how common letters are in the words of logs. */
static size_t rarest_gram(Str literal) {
    static const char common[] = " etaoinsrdlcu0mpfhg:1"; /* the most common first */
    size_t best = 0;
    unsigned least = UINT_MAX;
    for (size_t at = 0; at + GRAM <= literal.len; at++) {
        unsigned sum = 0;
        for (size_t i = at; i < at + GRAM; i++) {
            const char *c = memchr(common, literal.p[i], sizeof common - 1);
            if (c) sum += (unsigned)(sizeof common - (size_t)(c - common));
        }
        if (sum < least) {
            least = sum;
            best = at;
        }
    }
    return best;
}

static void build(const Signatures *s) {
    Matcher *m = s->m;
    Arena *a = s->arena;
    size_t count = s->entries.count, literals = 0;
    if (count) qsort(s->entries.items, count, sizeof *s->entries.items, by_order);
    for (size_t i = 0; i < count; i++) literals += s->entries.items[i]->literal_count;
    m->words = (count + 63) / 64;
    m->candidates = arena_array(a, uint64_t, m->words + 1);
    m->always = arena_array(a, uint64_t, m->words + 1);
    m->first = arena_array(a, uint32_t, (size_t)1 << FILTER_BITS);
    m->probes = arena_array(a, Probe, literals + 1);
    uint32_t probes = 0;
    for (size_t i = 0; i < count; i++) {
        const Entry *e = s->entries.items[i];
        bool reachable = e->literal_count > 0;
        for (size_t k = 0; k < e->literal_count; k++) {
            Str literal = e->literals[k];
            if (literal.len < GRAM) {
                reachable = false;
                continue;
            }
            size_t at = rarest_gram(literal);
            uint32_t gram = gram_at(literal.p + at), hash = gram_hash(gram);
            m->probes[probes] = (Probe){gram, m->first[hash], (uint32_t)i, (uint32_t)at, literal};
            m->first[hash] = ++probes;
            m->filter[hash / 64] |= (uint64_t)1 << (hash % 64);
        }
        /* Lint forbids it, a private rules folder may have it: without such a literal the pattern is always tried. */
        if (!reachable) m->always[i / 64] |= (uint64_t)1 << (i % 64);
    }

    m->context = pcre2_match_context_create(NULL);
    m->match_data = pcre2_match_data_create(MATCH_PAIRS, NULL);
    if (!m->context || !m->match_data) fatal("out of memory");
    pcre2_set_match_limit(m->context, MATCH_LIMIT);
    pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(m->context, HEAP_LIMIT_KIB);
    m->built = true;
}

/* ------------------------------------------------------------------ matching */

static bool compile(Arena *a, Entry *e, char *why, size_t cap) {
    int code;
    PCRE2_SIZE offset;
    e->compiled = true;
    e->broken = true;
    e->code = pcre2_compile((PCRE2_SPTR)e->sig.pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, NULL);
    if (!e->code) {
        PCRE2_UCHAR text[160];
        if (why && pcre2_get_error_message(code, text, sizeof text) != PCRE2_ERROR_BADDATA)
            snprintf(why, cap, "pattern does not compile: %s at byte %zu", (const char *)text, (size_t)offset);
        return false;
    }
    /* Where memory may not be made executable there is no JIT; the interpreter gives the same answers. */
    (void)pcre2_jit_compile(e->code, PCRE2_JIT_COMPLETE);
    uint32_t names = 0, width = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(e->code, PCRE2_INFO_NAMECOUNT, &names);
    pcre2_pattern_info(e->code, PCRE2_INFO_NAMEENTRYSIZE, &width);
    pcre2_pattern_info(e->code, PCRE2_INFO_NAMETABLE, &table);
    for (uint32_t i = 0; i < names; i++, table += width) {
        CaptureName n = {arena_cstr(a, str_of((const char *)table + 2)), (uint32_t)table[0] << 8 | table[1]};
        if (strcmp(n.name, e->sig.subject) == 0) e->subject_number = n.number;
        if (e->name_count < SIG_MAX_CAPTURES) e->names[e->name_count++] = n;
    }
    e->broken = false;
    return true;
}

static Str group(const Matcher *m, Str line, int groups, uint32_t number) {
    if (number == 0 || number >= (uint32_t)groups) return STR_NONE;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(m->match_data) + 2 * (size_t)number;
    if (at[0] == PCRE2_UNSET || at[1] < at[0] || at[1] > line.len) return STR_NONE;
    return (Str){line.p + at[0], at[1] - at[0]};
}

static bool run(const Signatures *s, Entry *e, size_t index, Str line, SigMatch *out) {
    Matcher *m = s->m;
    if (!e->compiled) compile(s->arena, e, NULL, 0);
    if (e->broken) return false;
    int groups = pcre2_match(e->code, (PCRE2_SPTR)line.p, line.len, 0, 0, m->match_data, m->context);
    if (groups < 0) {
        if (groups != PCRE2_ERROR_NOMATCH) m->given_up++;
        return false;
    }
    if (groups == 0) groups = MATCH_PAIRS; /* more groups than pairs: the first ones are there */
    if (!out) return true;
    out->index = index;
    out->sig = &e->sig;
    out->subject = group(m, line, groups, e->subject_number);
    out->capture_count = 0;
    for (size_t i = 0; i < e->name_count; i++) {
        Str value = group(m, line, groups, e->names[i].number);
        if (value.p) out->captures[out->capture_count++] = (SigCapture){e->names[i].name, value};
    }
    return true;
}

bool signatures_match(const Signatures *s, Str line, SigMatch *out) {
    Matcher *m = s->m;
    if (!m->built) build(s);
    if (line.len > SIG_MAX_LINE) line.len = SIG_MAX_LINE;
    if (line.len == 0 || m->words == 0) return false;

    const uint64_t *filter = m->filter;
    bool any = false;
    for (size_t i = 0; i + GRAM <= line.len; i++) {
        uint32_t gram = gram_at(line.p + i), hash = gram_hash(gram);
        if (!(filter[hash / 64] >> (hash % 64) & 1)) continue;
        for (uint32_t n = m->first[hash]; n; n = m->probes[n - 1].next) {
            const Probe *p = &m->probes[n - 1];
            if (p->gram != gram || p->at > i || p->literal.len > line.len - i + p->at) continue;
            if (memcmp(line.p + i - p->at, p->literal.p, p->literal.len) != 0) continue;
            any = true;
            m->candidates[p->rank / 64] |= (uint64_t)1 << (p->rank % 64);
        }
    }

    bool found = false;
    for (size_t w = 0; w < m->words; w++) {
        uint64_t bits = m->always[w];
        if (any) {
            bits |= m->candidates[w];
            m->candidates[w] = 0;
        }
        while (bits && !found) {
            size_t rank = w * 64 + (size_t)__builtin_ctzll(bits);
            bits &= bits - 1;
            found = run(s, s->entries.items[rank], rank, line, out);
        }
    }
    return found;
}

size_t signatures_given_up(const Signatures *s) {
    return s->m->given_up;
}

size_t signatures_count(const Signatures *s) {
    return s->entries.count;
}

const Signature *signatures_at(const Signatures *s, size_t index) {
    if (!s->m->built) build(s);
    return index < s->entries.count ? &s->entries.items[index]->sig : NULL;
}

const Signature *signatures_find(const Signatures *s, const char *id) {
    for (size_t i = 0; i < s->entries.count; i++)
        if (strcmp(s->entries.items[i]->sig.id, id) == 0) return &s->entries.items[i]->sig;
    return NULL;
}

Str sig_capture(const SigMatch *m, const char *name) {
    for (size_t i = 0; i < m->capture_count; i++)
        if (strcmp(m->captures[i].name, name) == 0) return m->captures[i].value;
    return STR_NONE;
}

/* ------------------------------------------------------------------ captures as JSON */

/* Length of the UTF-8 sequence at the start of s, 0 when there is none. */
static size_t utf8_length(Str s) {
    unsigned char c = (unsigned char)s.p[0];
    size_t n = c < 0x80 ? 1 : c >= 0xc2 && c <= 0xdf ? 2 : c >= 0xe0 && c <= 0xef ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
    if (n == 0 || n > s.len) return 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)s.p[i] & 0xc0) != 0x80) return 0;
    unsigned char d = n > 1 ? (unsigned char)s.p[1] : 0;
    /* overlong forms, surrogates and what lies beyond U+10FFFF */
    if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d > 0x9f) || (c == 0xf0 && d < 0x90) || (c == 0xf4 && d > 0x8f))
        return 0;
    return n;
}

/* Appends s as a JSON string without its quotes; false when it does not fit. */
static bool json_escape(char *buf, size_t cap, size_t *at, Str s) {
    size_t n = *at;
    for (size_t i = 0; i < s.len;) {
        char piece[8];
        size_t len, used = utf8_length(str_from(s, i));
        unsigned char c = (unsigned char)s.p[i];
        if (used == 0) {
            memcpy(piece, "\xef\xbf\xbd", 3);
            len = 3;
            used = 1;
        } else if (c == '"' || c == '\\') {
            piece[0] = '\\';
            piece[1] = (char)c;
            len = 2;
        } else if (c < 0x20 || c == 0x7f) {
            len = (size_t)snprintf(piece, sizeof piece, "\\u%04x", c);
        } else {
            memcpy(piece, s.p + i, used);
            len = used;
        }
        if (n + len > cap) return false;
        memcpy(buf + n, piece, len);
        n += len;
        i += used;
    }
    *at = n;
    return true;
}

Str sig_fields_json(const SigMatch *m, char *buf, size_t cap) {
    size_t at = 1;
    buf[0] = '{';
    for (size_t i = 0; i < m->capture_count; i++) {
        size_t mark = at, name_len = strlen(m->captures[i].name);
        /* ,"name":"value" and room for the closing brace and the NUL */
        if (at + name_len + 8 > cap) continue;
        if (at > 1) buf[at++] = ',';
        buf[at++] = '"';
        memcpy(buf + at, m->captures[i].name, name_len);
        at += name_len;
        memcpy(buf + at, "\":\"", 3);
        at += 3;
        if (json_escape(buf, cap - 3, &at, m->captures[i].value)) {
            buf[at++] = '"';
        } else {
            at = mark;
        }
    }
    buf[at++] = '}';
    buf[at] = '\0';
    return (Str){buf, at};
}

/* ------------------------------------------------------------------ lint */

typedef struct Lint {
    SigReport report;
    void *arg;
    size_t problems;
} Lint;

static void problem(Lint *l, const Entry *e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void problem(Lint *l, const Entry *e, const char *fmt, ...) {
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    l->problems++;
    if (l->report) l->report(l->arg, e->file, e->sig.id, text);
}

/* Event words are what rules ask for: lower case, digits and dashes, so that a typing slip cannot hide in a blank. */
static bool event_word(const char *word) {
    size_t n = strlen(word);
    if (n == 0 || n > 48 || !ch_alpha(word[0])) return false;
    for (size_t i = 0; i < n; i++)
        if (!(word[i] >= 'a' && word[i] <= 'z') && !ch_digit(word[i]) && word[i] != '-') return false;
    return true;
}

static bool has_any_literal(const Entry *e, Str line) {
    for (size_t k = 0; k < e->literal_count; k++)
        if (str_has(line, e->literals[k].p)) return true;
    return false;
}

static void lint_entry(const Signatures *s, size_t index, Lint *l) {
    Entry *e = s->entries.items[index];
    char why[256] = "";
    if (!e->sig.name[0]) problem(l, e, "no \"name\"");
    if (!e->sig.meaning[0]) problem(l, e, "no \"meaning\"");
    if (!e->sig.source[0]) problem(l, e, "no \"source\"");
    if (!ONE_OF(e->sig.severity, severities)) problem(l, e, "severity \"%s\" is no severity", e->sig.severity);
    if (!event_word(e->sig.event)) problem(l, e, "event \"%s\": lower-case letters, digits and dashes", e->sig.event);
    if (!ONE_OF(e->sig.subject_kind, subject_kinds)) problem(l, e, "subject_kind \"%s\" is none", e->sig.subject_kind);
    if (e->literal_count == 0) problem(l, e, "no \"literal\"");
    for (size_t k = 0; k < e->literal_count; k++)
        if (e->literals[k].len < 4) problem(l, e, "literal \"%s\" is shorter than 4 bytes", e->literals[k].p);
    if (e->match_count == 0) problem(l, e, "no sample in \"matches\"");
    if (!e->compiled && !compile(s->arena, e, why, sizeof why)) problem(l, e, "%s", why);
    if (e->broken) {
        if (!why[0]) problem(l, e, "pattern does not compile");
        return;
    }
    if (e->sig.subject[0] && e->subject_number == 0)
        problem(l, e, "subject \"%s\" is no capture of the pattern", e->sig.subject);

    for (size_t i = 0; i < e->match_count; i++) {
        LogPrefix p;
        SigMatch got;
        log_prefix(e->matches[i], NULL, &p);
        if (!has_any_literal(e, p.msg)) problem(l, e, "no literal in sample \"%.*s\"", STR_ARG(p.msg));
        if (!run(s, e, index, p.msg, &got)) {
            problem(l, e, "does not match its sample \"%.*s\"", STR_ARG(p.msg));
            continue;
        }
        if (signatures_match(s, p.msg, &got) && got.sig != &e->sig)
            problem(l, e, "its sample \"%.*s\" is taken by %s: give one of them an \"order\"", STR_ARG(p.msg),
                    got.sig->id);
    }
    for (size_t i = 0; i < e->reject_count; i++) {
        LogPrefix p;
        log_prefix(e->rejects[i], NULL, &p);
        if (run(s, e, index, p.msg, NULL)) problem(l, e, "matches what it must reject: \"%.*s\"", STR_ARG(p.msg));
    }
}

size_t signatures_lint(const Signatures *s, SigReport report, void *arg) {
    Lint l = {report, arg, 0};
    if (!s->m->built) build(s);
    for (size_t i = 0; i < s->entries.count; i++) lint_entry(s, i, &l);
    return l.problems;
}
