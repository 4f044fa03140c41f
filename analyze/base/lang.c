#include "lang.h"

#include <stdarg.h>
#include <string.h>

bool lang_use(Str code) {
    return str_is(code, "en") || str_starts(code, "en_") || str_is(code, "C") || str_is(code, "POSIX");
}

const char *lang_code(void) {
    return "en";
}

const char *lang_text(const char *message) {
    return message;
}

const char *lang_plural(const char *one, const char *many, unsigned long n) {
    return n == 1 ? one : many;
}

enum { VALUES_MOST = 12 };

typedef struct Values {
    struct {
        const char *name;
        Str value;
    } items[VALUES_MOST];
    int count;
} Values;

static void take(Values *v, va_list ap) {
    for (;;) {
        const char *name = va_arg(ap, const char *);
        if (!name) return;
        Str value = va_arg(ap, Str);
        if (v->count < VALUES_MOST) {
            v->items[v->count].name = name;
            v->items[v->count++].value = value;
        }
    }
}

static Str filled(Arena *a, const char *message, const Values *v) {
    StrBuf out;
    sb_init(&out, a);
    Str rest = str_of(message);
    while (rest.len) {
        size_t open = str_find_ch(rest, '{');
        if (open == SIZE_MAX) break;
        sb_add(&out, (Str){rest.p, open});
        rest = (Str){rest.p + open, rest.len - open};
        size_t close = str_find_ch(rest, '}');
        int k = 0;
        for (; close != SIZE_MAX && k < v->count; k++)
            if (str_is((Str){rest.p + 1, close - 1}, v->items[k].name)) break;
        if (close == SIZE_MAX || k == v->count) {
            sb_addc(&out, '{');
            rest = (Str){rest.p + 1, rest.len - 1};
        } else {
            sb_add(&out, v->items[k].value);
            rest = (Str){rest.p + close + 1, rest.len - close - 1};
        }
    }
    sb_add(&out, rest);
    return sb_str(&out);
}

Str say(Arena *a, const char *message, ...) {
    Values v = {.count = 0};
    va_list ap;
    va_start(ap, message);
    take(&v, ap);
    va_end(ap);
    return filled(a, message, &v);
}

Str say_n(Arena *a, const char *one, const char *many, unsigned long n, ...) {
    Values v = {.count = 1};
    v.items[0].name = "n";
    v.items[0].value = arena_strf(a, "%lu", n);
    va_list ap;
    va_start(ap, n);
    take(&v, ap);
    va_end(ap);
    return filled(a, lang_plural(one, many, n), &v);
}
