#include "lang.h"

#include "embedded.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- catalogues */

typedef struct Catalogue {
    const unsigned char *data;
    size_t len;
    bool swapped; /* numbers have the other byte order */
    uint32_t count, originals, translations;
    Str plural; /* the expression of Plural-Forms */
    unsigned long forms;
} Catalogue;

static Catalogue catalogue; /* data NULL: English */
static char code[8] = "en";
static const Phrase *phrases;
static size_t phrase_count;

static uint32_t number_at(const Catalogue *c, size_t at) {
    const unsigned char *p = c->data + at;
    return c->swapped ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                      : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* String i of the table at `table`; p == NULL when the file is damaged there. NUL stands behind it. */
static Str string_at(const Catalogue *c, uint32_t table, uint32_t i) {
    size_t at = (size_t)table + 8 * (size_t)i;
    if (at > c->len || c->len - at < 8) return STR_NONE;
    size_t len = number_at(c, at), from = number_at(c, at + 4);
    if (from >= c->len || len >= c->len - from || c->data[from + len] != 0) return STR_NONE;
    return (Str){(const char *)c->data + from, len};
}

/* Sorted by strcmp(); a message with plurals is "one", NUL, "many", and found by "one". */
static Str find(const Catalogue *c, const char *message) {
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        Str original = string_at(c, c->originals, middle);
        if (!original.p) return STR_NONE;
        int order = strcmp(message, original.p);
        if (order == 0) return string_at(c, c->translations, middle);
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return STR_NONE;
}

static bool open_catalogue(const unsigned char *data, size_t len, Catalogue *out) {
    Catalogue c = {.data = data, .len = len};
    if (len < 28) return false;
    const uint32_t magic = 0x950412deu;
    if (number_at(&c, 0) != magic) {
        c.swapped = true;
        if (number_at(&c, 0) != magic) return false;
    }
    if (number_at(&c, 4) >> 16 > 1) return false; /* the major revision */
    c.count = number_at(&c, 8);
    c.originals = number_at(&c, 12);
    c.translations = number_at(&c, 16);
    if (c.count > len / 16) return false;
    Str header = find(&c, "");
    while (header.len) {
        size_t end = str_find_ch(header, '\n');
        Str line = str_sub(header, 0, end);
        header = end == SIZE_MAX ? STR_NONE : str_from(header, end + 1);
        if (!str_starts(line, "Plural-Forms:")) continue;
        size_t forms = str_find(line, "nplurals="), plural = str_find(line, "plural=");
        if (forms == SIZE_MAX || plural == SIZE_MAX) continue;
        /* "nplurals=" holds no "plural=": an s stands between */
        c.forms = strtoul(line.p + forms + 9, NULL, 10);
        c.plural = str_from(line, plural + 7);
        size_t stop = str_find_ch(c.plural, ';');
        if (stop != SIZE_MAX) c.plural = str_sub(c.plural, 0, stop);
    }
    *out = c;
    return true;
}

bool lang_use_catalogue(const unsigned char *data, size_t len) {
    Catalogue c = {0};
    if (data && !open_catalogue(data, len, &c)) return false;
    catalogue = c;
    return true;
}

/* ---------------------------------------------------------------- choosing */

static bool is_english(Str language) {
    return str_ieq(language, STR("en")) || str_ieq(language, STR("C")) || str_ieq(language, STR("POSIX"));
}

/* "es" of "es_MX.UTF-8" and "es-MX"; of "ca@valencia" "ca". */
static Str language_of(Str locale) {
    size_t n = 0;
    while (n < locale.len && !strchr("_-.@", locale.p[n])) n++;
    return str_sub(locale, 0, n);
}

bool lang_use(Str name) {
    Str language = language_of(name);
    if (is_english(language)) {
        catalogue = (Catalogue){0};
        snprintf(code, sizeof code, "en");
        return true;
    }
    char path[16], lower[sizeof code] = "";
    if (language.len < 2 || language.len > 3) return false;
    for (size_t i = 0; i < language.len; i++) {
        if (!ch_alpha(language.p[i])) return false;
        lower[i] = ch_lower(language.p[i]);
    }
    snprintf(path, sizeof path, "po/%s.mo", lower);
    const EmbeddedFile *file = embedded_find(path);
    if (!file || !lang_use_catalogue(file->data, file->len)) return false;
    memcpy(code, lower, sizeof code);
    return true;
}

void lang_use_environment(void) {
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    Str locale = STR_NONE;
    for (size_t i = 0; i < sizeof variables / sizeof *variables && !locale.len; i++)
        locale = str_of(getenv(variables[i]));
    Str language = language_of(locale);
    /* A script that asks for the C locale wants what it always got, whatever its user speaks. */
    if (!language.len || str_ieq(language, STR("C")) || str_ieq(language, STR("POSIX"))) {
        lang_use(STR("en"));
        return;
    }
    Str list = str_of(getenv("LANGUAGE"));
    while (list.len)
        if (lang_use(str_cut(&list, ':'))) return;
    if (!lang_use(locale)) lang_use(STR("en"));
}

const char *lang_code(void) {
    return code;
}

Str lang_codes(Arena *a) {
    StrBuf out;
    sb_init(&out, a);
    sb_addz(&out, "en");
    for (size_t i = 0; i < embedded_file_count; i++) {
        Str path = str_of(embedded_files[i].path);
        if (str_starts(path, "po/") && str_ends(path, ".mo"))
            sb_addf(&out, ", %.*s", STR_ARG(str_sub(path, 3, path.len - 6)));
    }
    return sb_str(&out);
}

/* ---------------------------------------------------------------- plurals */

/*
 * The expression of Plural-Forms is C over the variable n: numbers, n, parentheses, ! * / % + - < <= > >= == != && || ?:.
 * Precedence climbing; a mistake gives 0, the first form.
 */
typedef struct Expression {
    Str rest;
    unsigned long n;
    int depth;
    bool bad;
} Expression;

static const struct Operator {
    const char *word;
    int level;
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
                 {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6}};

static unsigned long ternary(Expression *e);

static bool take(Expression *e, const char *word) {
    e->rest = str_trim_left(e->rest);
    if (!str_starts(e->rest, word)) return false;
    e->rest = str_from(e->rest, strlen(word));
    return true;
}

static unsigned long operand(Expression *e) {
    enum { DEEPEST = 100 };
    if (e->bad || ++e->depth > DEEPEST) {
        e->bad = true;
        return 0;
    }
    unsigned long v = 0;
    if (take(e, "!")) {
        v = !operand(e);
    } else if (take(e, "(")) {
        v = ternary(e);
        if (!take(e, ")")) e->bad = true;
    } else if (take(e, "n")) {
        v = e->n;
    } else {
        size_t digits = 0;
        for (; digits < e->rest.len && ch_digit(e->rest.p[digits]); digits++)
            v = v * 10 + (unsigned long)(e->rest.p[digits] - '0');
        e->bad = e->bad || !digits;
        e->rest = str_from(e->rest, digits);
    }
    e->depth--;
    return v;
}

static unsigned long binary(Expression *e, int least) {
    unsigned long x = operand(e);
    while (!e->bad) {
        const struct Operator *o = NULL;
        e->rest = str_trim_left(e->rest);
        for (size_t i = 0; i < sizeof operators / sizeof *operators && !o; i++)
            if (operators[i].level >= least && str_starts(e->rest, operators[i].word)) o = &operators[i];
        if (!o) break;
        take(e, o->word);
        unsigned long y = binary(e, o->level + 1);
        switch (o->word[0]) {
        case '|': x = x || y; break;
        case '&': x = x && y; break;
        case '=': x = x == y; break;
        case '!': x = x != y; break;
        case '<': x = o->word[1] ? x <= y : x < y; break;
        case '>': x = o->word[1] ? x >= y : x > y; break;
        case '+': x += y; break;
        case '-': x -= y; break;
        case '*': x *= y; break;
        default:
            if (!y) e->bad = true;
            else x = o->word[0] == '/' ? x / y : x % y;
        }
    }
    return x;
}

static unsigned long ternary(Expression *e) {
    unsigned long condition = binary(e, 1);
    if (e->bad || !take(e, "?")) return condition;
    unsigned long x = ternary(e);
    if (!take(e, ":")) e->bad = true;
    unsigned long y = e->bad ? 0 : ternary(e);
    return condition ? x : y;
}

static unsigned long plural_form(unsigned long n) {
    if (!catalogue.plural.len) return n != 1;
    Expression e = {.rest = catalogue.plural, .n = n};
    unsigned long form = ternary(&e);
    if (e.bad || str_trim(e.rest).len || form >= catalogue.forms) return 0;
    return form;
}

/* ---------------------------------------------------------------- messages */

const char *lang_text(const char *message) {
    if (!catalogue.data || !*message) return message; /* "" is the catalogue's header */
    Str found = find(&catalogue, message);
    return found.len ? found.p : message;
}

Str lang_str(Arena *a, Str message) {
    if (!catalogue.data || !message.len) return message;
    const char *z = arena_cstr(a, message), *found = lang_text(z);
    return found == z ? message : str_of(found);
}

const char *lang_plural(const char *one, const char *many, unsigned long n) {
    Str found = catalogue.data ? find(&catalogue, one) : STR_NONE;
    if (!found.len) return n == 1 ? one : many;
    for (unsigned long form = plural_form(n); form > 0; form--) {
        size_t end = strlen(found.p);
        if (end >= found.len) break; /* fewer forms than promised */
        found = str_from(found, end + 1);
    }
    return found.p;
}

/* ---------------------------------------------------------------- {names} */

enum { VALUES_MOST = 12 };

typedef struct Values {
    struct {
        Str name;
        Str value;
    } items[VALUES_MOST];
    int count;
} Values;

static void take_values(Values *v, va_list ap) {
    for (;;) {
        const char *name = va_arg(ap, const char *);
        if (!name) return;
        Str value = va_arg(ap, Str);
        if (v->count == VALUES_MOST) continue;
        v->items[v->count].name = str_of(name);
        v->items[v->count++].value = value;
    }
}

static Str filled(Arena *a, Str rest, const Values *v) {
    StrBuf out;
    sb_init(&out, a);
    while (rest.len) {
        size_t open = str_find_ch(rest, '{');
        sb_add(&out, str_sub(rest, 0, open));
        if (open == SIZE_MAX) break;
        rest = str_from(rest, open);
        Str name = lang_hole(rest);
        int k = 0;
        while (name.p && k < v->count && !str_eq(v->items[k].name, name)) k++;
        bool known = name.p && k < v->count;
        if (known) sb_add(&out, v->items[k].value);
        else sb_addc(&out, '{');
        rest = str_from(rest, known ? name.len + 2 : 1);
    }
    return sb_str(&out);
}

Str say(Arena *a, const char *message, ...) {
    Values v = {.count = 0};
    va_list ap;
    va_start(ap, message);
    take_values(&v, ap);
    va_end(ap);
    return filled(a, str_of(message), &v);
}

Str say_n(Arena *a, const char *one, const char *many, unsigned long n, ...) {
    Values v = {.count = 1};
    v.items[0].name = STR("n");
    v.items[0].value = arena_strf(a, "%lu", n);
    va_list ap;
    va_start(ap, n);
    take_values(&v, ap);
    va_end(ap);
    return filled(a, str_of(lang_plural(one, many, n)), &v);
}

/* ---------------------------------------------------------------- phrases */

enum { PHRASES_DEEP = 3, PHRASE_LONGEST = 2000 }; /* longer texts are no sentence of a page */

void lang_phrases(const Phrase *items, size_t count) {
    phrases = items;
    phrase_count = count;
}

/* Where `what` begins in s from `from` on, SIZE_MAX: nowhere. An empty one begins at once. */
static size_t find_from(Str s, size_t from, Str what) {
    for (; what.len <= s.len && from <= s.len - what.len; from++)
        if (!memcmp(s.p + from, what.p, what.len)) return from;
    return SIZE_MAX;
}

/* The words up to the next {name}, and that name (p == NULL behind the last); both are taken off. */
static Str next_words(Str *pattern, Str *name) {
    for (size_t i = 0; i < pattern->len; i++) {
        *name = lang_hole(str_from(*pattern, i));
        if (!name->p) continue;
        Str words = str_sub(*pattern, 0, i);
        *pattern = str_from(*pattern, i + name->len + 2);
        return words;
    }
    Str words = *pattern;
    *pattern = str_from(*pattern, pattern->len);
    *name = STR_NONE;
    return words;
}

/* {n}, {n2}: a figure and nothing else, so that "{n} lines" is no pattern for every sentence that ends so. */
static bool fits(Str name, Str value) {
    if (name.p[0] != 'n' || name.len > 2 || (name.len == 2 && !ch_digit(name.p[1]))) return true;
    for (size_t i = 0; i < value.len; i++)
        if (!ch_digit(value.p[i]) && !(i && strchr(".e+-", value.p[i]))) return false; /* 1.2e+03 */
    return true;
}

/* A name stands for the shortest text that fits, the last one for what is left; never for nothing. */
static bool match(Str pattern, Str text, Values *v) {
    Str name, before = next_words(&pattern, &name);
    if (text.len < before.len || memcmp(text.p, before.p, before.len) != 0) return false;
    text = str_from(text, before.len);
    if (!name.p) return !text.len;
    for (;;) {
        Str next, words = next_words(&pattern, &next);
        size_t at = next.p ? find_from(text, 1, words) : text.len > words.len ? text.len - words.len : SIZE_MAX;
        if (at == SIZE_MAX || memcmp(text.p + at, words.p, words.len) != 0) return false;
        if (!fits(name, str_sub(text, 0, at))) return false;
        if (v && v->count < VALUES_MOST) {
            v->items[v->count].name = name;
            v->items[v->count++].value = str_sub(text, 0, at);
        }
        if (!next.p) return true;
        text = str_from(text, at + words.len);
        name = next;
    }
}

bool lang_phrase_matches(const Phrase *p, Str text) {
    return match(p->english, text, NULL);
}

static size_t own_words(Str pattern) {
    size_t n = 0;
    for (Str name = STR(""); name.p;) n += next_words(&pattern, &name).len;
    return n;
}

static Str spoken(Arena *a, Str text, int depth);

static Str spoken_whole(Arena *a, Str text, int depth) {
    const Phrase *best = NULL;
    Values kept = {.count = 0};
    size_t most = 0;
    for (size_t i = 0; i < phrase_count; i++) {
        const Phrase *p = &phrases[i];
        char first = p->english.p[0]; /* most patterns begin with a word of their own */
        if ((first != text.p[0] && first != '{') || !str_is(p->lang, code)) continue;
        Values v = {.count = 0};
        if (!match(p->english, text, &v)) continue;
        size_t own = own_words(p->english);
        if (best && own <= most) continue;
        best = p;
        kept = v;
        most = own;
    }
    if (!best) return STR_NONE;
    for (int k = 0; k < kept.count; k++) kept.items[k].value = spoken(a, kept.items[k].value, depth + 1);
    return filled(a, best->spoken, &kept);
}

static Str spoken_list(Arena *a, Str text, const char *between, int depth) {
    StrBuf out;
    sb_init(&out, a);
    size_t parts = 0;
    for (Str rest = text; rest.len; parts++) {
        size_t end = str_find(rest, between);
        Str part = spoken_whole(a, str_sub(rest, 0, end), depth);
        if (!part.p || (!parts && end == SIZE_MAX)) return STR_NONE;
        if (parts) sb_addz(&out, between);
        sb_add(&out, part);
        rest = end == SIZE_MAX ? STR_NONE : str_from(rest, end + strlen(between));
    }
    return sb_str(&out);
}

static Str spoken(Arena *a, Str text, int depth) {
    if (depth > PHRASES_DEEP || text.len < 2 || text.len > PHRASE_LONGEST) return text;
    Str bare = str_trim(text);
    if (bare.len < text.len) { /* " And one more.": the page joins sentences, and no pattern begins with a blank */
        size_t before = bare.len ? (size_t)(bare.p - text.p) : 0, after = text.len - before - bare.len;
        return arena_strf(a, "%.*s%.*s%.*s", (int)before, text.p, STR_ARG(spoken(a, bare, depth)), (int)after,
                          text.p + before + bare.len);
    }
    Str out = spoken_whole(a, text, depth);
    if (!out.p) out = spoken_list(a, text, "; ", depth);
    if (!out.p) out = spoken_list(a, text, ", ", depth);
    return out.p ? out : text;
}

Str lang_phrase(Arena *a, Str text) {
    Str inner = str_trim(text);
    if (!catalogue.data || !inner.len) return text;
    Str out = spoken(a, inner, 0);
    if (out.p == inner.p) return text;
    if (inner.len == text.len) return out;
    size_t lead = (size_t)(inner.p - text.p); /* blanks around it are the sentence's that it goes into */
    StrBuf whole;
    sb_init(&whole, a);
    sb_add(&whole, str_sub(text, 0, lead));
    sb_add(&whole, out);
    sb_add(&whole, str_from(text, lead + inner.len));
    return sb_str(&whole);
}
