#include "demand.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- words of SQL */

typedef enum TokenKind { WORD, TEXT, NUMBER, SIGN } TokenKind;

typedef struct Token {
    TokenKind kind;
    Str text;     /* of TEXT: without its quotes */
    size_t match; /* of "(" and ")": the other one; of others: 0 */
} Token;

typedef VEC(Token) Tokens;

static bool word_char(char c) {
    return ch_alnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* false where the text is not SQL of balanced parentheses and quotes. */
static bool tokenize(Arena *a, Str sql, Tokens *out) {
    VEC(size_t) open = {0};
    for (size_t i = 0; i < sql.len;) {
        char c = sql.p[i];
        size_t from = i;
        Token t = {SIGN, STR_NONE, 0};
        if (ch_blank(c)) {
            i++;
            continue;
        }
        if (c == '-' && i + 1 < sql.len && sql.p[i + 1] == '-') {
            while (i < sql.len && sql.p[i] != '\n') i++;
            continue;
        }
        if (c == '/' && i + 1 < sql.len && sql.p[i + 1] == '*') {
            size_t end = str_find(str_from(sql, i + 2), "*/");
            if (end == SIZE_MAX) return false;
            i += end + 4;
            continue;
        }
        if (c == '\'' || c == '"' || c == '`' || c == '[') {
            char end = c == '[' ? ']' : c;
            bool doubled = false;
            for (i++; i < sql.len; i++) {
                if (sql.p[i] != end) continue;
                if (i + 1 == sql.len || sql.p[i + 1] != end || c == '[') break;
                doubled = true;
                i++;
            }
            if (i == sql.len) return false;
            t.text = str_sub(sql, from + 1, i - from - 1);
            /* A word with a quote in it is none that could be compared byte by byte. */
            t.kind = c == '\'' ? (doubled ? NUMBER : TEXT) : WORD;
            i++;
        } else if (ch_digit(c)) {
            while (i < sql.len && (word_char(sql.p[i]) || sql.p[i] == '.')) i++;
            t = (Token){NUMBER, str_sub(sql, from, i - from), 0};
        } else if (word_char(c) || c == ':' || c == '?' || c == '@') {
            for (i++; i < sql.len && word_char(sql.p[i]);) i++;
            t = (Token){c == ':' || c == '?' || c == '@' ? NUMBER : WORD, str_sub(sql, from, i - from), 0};
        } else {
            i++;
            if (i < sql.len && !ch_blank(sql.p[i]) && str_has(STR("<> <= >= == != ||"), (char[]){c, sql.p[i], 0})) i++;
            t.text = str_sub(sql, from, i - from);
            if (c == '(') VEC_PUSH(a, &open, out->count);
            if (c == ')') {
                if (!open.count) return false;
                size_t other = open.items[--open.count];
                out->items[other].match = out->count;
                t.match = other;
            }
        }
        VEC_PUSH(a, out, t);
    }
    return !open.count;
}

/* ---------------------------------------------------------------- demands joined */

enum { MAX_CLAUSES = 24, MAX_FACTORS = 6, MAX_WORDS = 64 };

static bool has_word(const DemandAtom *x, Str word) {
    for (size_t i = 0; i < x->words.count; i++)
        if (str_eq(x->words.items[i], word)) return true;
    return false;
}

/* Is y met wherever x is met? */
static bool implies(const DemandAtom *x, const DemandAtom *y) {
    if (!str_eq(x->table, y->table)) return false;
    if (!y->column.len) return true;
    if (!str_eq(x->column, y->column)) return false;
    for (size_t i = 0; i < x->words.count; i++)
        if (!has_word(y, x->words.items[i])) return false;
    return true;
}

static bool clause_implies(const DemandClause *x, const DemandClause *y) {
    for (size_t i = 0; i < x->atoms.count; i++) {
        bool one = false;
        for (size_t k = 0; k < y->atoms.count && !one; k++) one = implies(&x->atoms.items[i], &y->atoms.items[k]);
        if (!one) return false;
    }
    return true;
}

/* Without those that another clause says as well. */
static void add_clause(Arena *a, Demand *d, DemandClause c) {
    for (size_t i = 0; i < d->clauses.count; i++)
        if (clause_implies(&d->clauses.items[i], &c)) return;
    size_t kept = 0;
    for (size_t i = 0; i < d->clauses.count; i++)
        if (!clause_implies(&c, &d->clauses.items[i])) d->clauses.items[kept++] = d->clauses.items[i];
    d->clauses.count = kept;
    if (d->clauses.count < MAX_CLAUSES) VEC_PUSH(a, &d->clauses, c);
}

/* One alternative more: words of one column stand together, and what implies another alternative goes. */
static void add_atom(Arena *a, DemandClause *c, DemandAtom atom) {
    for (size_t i = 0; i < c->atoms.count; i++) {
        DemandAtom *old = &c->atoms.items[i];
        if (implies(&atom, old)) return;
        if (!old->column.len || !str_eq(old->table, atom.table) || !str_eq(old->column, atom.column)) continue;
        DemandAtom joined = {.table = old->table, .column = old->column};
        for (size_t k = 0; k < old->words.count; k++) VEC_PUSH(a, &joined.words, old->words.items[k]);
        for (size_t k = 0; k < atom.words.count; k++)
            if (!has_word(old, atom.words.items[k])) VEC_PUSH(a, &joined.words, atom.words.items[k]);
        *old = joined;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < c->atoms.count; i++)
        if (!implies(&c->atoms.items[i], &atom)) c->atoms.items[kept++] = c->atoms.items[i];
    c->atoms.count = kept;
    VEC_PUSH(a, &c->atoms, atom);
}

static void and_with(Arena *a, Demand *d, const Demand *more) {
    for (size_t i = 0; i < more->clauses.count; i++) add_clause(a, d, more->clauses.items[i]);
}

/* Fewer alternatives, and words rather than rows, are more often unmet: these are kept where there are too many. */
static int by_use(const void *p, const void *q) {
    const DemandClause *x = p, *y = q;
    int words_x = 0, words_y = 0;
    for (size_t i = 0; i < x->atoms.count; i++) words_x += x->atoms.items[i].words.count > 0;
    for (size_t i = 0; i < y->atoms.count; i++) words_y += y->atoms.items[i].words.count > 0;
    bool all_x = (size_t)words_x == x->atoms.count, all_y = (size_t)words_y == y->atoms.count;
    if (all_x != all_y) return all_x ? -1 : 1;
    return (x->atoms.count > y->atoms.count) - (x->atoms.count < y->atoms.count);
}

static Demand factors(Arena *a, const Demand *d) {
    Demand out = {0};
    and_with(a, &out, d);
    if (out.clauses.count > 1) qsort(out.clauses.items, out.clauses.count, sizeof *out.clauses.items, by_use);
    if (out.clauses.count > MAX_FACTORS) out.clauses.count = MAX_FACTORS;
    return out;
}

/* Either of them: each clause of one with each of the other. */
static Demand or_of(Arena *a, const Demand *x, const Demand *y) {
    Demand out = {0}, few_x = factors(a, x), few_y = factors(a, y);
    for (size_t i = 0; i < few_x.clauses.count; i++)
        for (size_t k = 0; k < few_y.clauses.count; k++) {
            DemandClause c = {0};
            for (size_t n = 0; n < few_x.clauses.items[i].atoms.count; n++)
                add_atom(a, &c, few_x.clauses.items[i].atoms.items[n]);
            for (size_t n = 0; n < few_y.clauses.items[k].atoms.count; n++)
                add_atom(a, &c, few_y.clauses.items[k].atoms.items[n]);
            add_clause(a, &out, c);
        }
    return out;
}

static void demand_atom(Arena *a, Demand *d, DemandAtom atom) {
    DemandClause c = {0};
    VEC_PUSH(a, &c.atoms, atom);
    add_clause(a, d, c);
}

/* ---------------------------------------------------------------- SELECT */

typedef struct Named { /* a WITH table, or a view of the schema */
    Str name;
    Demand demand;
} Named;

typedef struct Scope { /* what names mean, the innermost first */
    const struct Scope *outer;
    VEC(Named) with;
} Scope;

typedef struct Source { /* of FROM */
    Str table, alias;   /* table: of the schema; empty for a WITH table or a SELECT */
} Source;
typedef VEC(Source) Sources;

typedef struct Reader {
    Arena *a;
    const Token *t;
    Str schema;
    int depth; /* of views in views, of selects in selects */
} Reader;

static Demand read_select(Reader *r, size_t i, size_t end, const Scope *scope);

static bool is(const Reader *r, size_t i, size_t end, const char *word) {
    return i < end && (r->t[i].kind == WORD || r->t[i].kind == SIGN) && str_ieq(r->t[i].text, str_of(word));
}

static bool is_any(const Reader *r, size_t i, size_t end, const char *const *words) {
    for (; *words; words++)
        if (is(r, i, end, *words)) return true;
    return false;
}

/* The token behind i, over a whole parenthesis or CASE ... END. */
static size_t over(const Reader *r, size_t i, size_t end) {
    if (is(r, i, end, "(")) return r->t[i].match + 1;
    if (!is(r, i, end, "CASE")) return i + 1;
    for (i++; i < end && !is(r, i, end, "END");) i = over(r, i, end);
    return i + 1;
}

/* First token from i on that is one of the words, outside of parentheses; end without. */
static size_t find_any(const Reader *r, size_t i, size_t end, const char *const *words) {
    while (i < end && !is_any(r, i, end, words)) i = over(r, i, end);
    return i < end ? i : end;
}

static bool opens_select(const Reader *r, size_t i, size_t end) {
    return is(r, i, end, "(") && (is(r, i + 1, end, "SELECT") || is(r, i + 1, end, "WITH"));
}

static Demand of_name(Reader *r, Str name, const Scope *scope, bool *in_schema) {
    *in_schema = false;
    for (; scope; scope = scope->outer)
        for (size_t i = scope->with.count; i-- > 0;)
            if (str_ieq(scope->with.items[i].name, name)) return scope->with.items[i].demand;
    Demand d = {0};
    *in_schema = true;
    demand_atom(r->a, &d, (DemandAtom){.table = name});
    size_t at = str_find(r->schema, arena_fmt(r->a, "CREATE VIEW %.*s AS", STR_ARG(name)));
    if (at == SIZE_MAX || r->depth > 12) return d;
    Str body = str_from(r->schema, at + name.len + 15);
    body = str_sub(body, 0, str_find(body, ";\n")); /* a semicolon inside a line is one of a comment */
    Tokens tokens = {0};
    if (!tokenize(r->a, body, &tokens)) return d;
    Reader inner = {r->a, tokens.items, r->schema, r->depth + 1};
    Demand below = read_select(&inner, 0, tokens.count, NULL);
    and_with(r->a, &d, &below);
    return d;
}

static const Source *source_of(const Sources *sources, Str alias) {
    for (size_t i = 0; i < sources->count; i++)
        if (str_ieq(sources->items[i].alias, alias)) return &sources->items[i];
    return NULL;
}

/* [alias.]column at i: the source and the column, and the token behind it; false: it is something else. */
static bool read_column(const Reader *r, size_t i, size_t end, const Sources *sources, const Source **source,
                        Str *column, size_t *behind) {
    if (i >= end || r->t[i].kind != WORD) return false;
    if (is(r, i + 1, end, ".") && i + 2 < end && r->t[i + 2].kind == WORD) {
        *source = source_of(sources, r->t[i].text);
        *column = r->t[i + 2].text;
        *behind = i + 3;
    } else {
        *source = sources->count == 1 ? &sources->items[0] : NULL;
        *column = r->t[i].text;
        *behind = i + 1;
    }
    return *source && (*source)->table.len;
}

static Demand read_condition(Reader *r, size_t i, size_t end, const Scope *scope, const Sources *sources);

/* A condition without AND and OR. */
static Demand read_term(Reader *r, size_t i, size_t end, const Scope *scope, const Sources *sources) {
    Demand none = {0}, d = {0};
    if (i >= end) return none;
    if (is(r, i, end, "EXISTS") && opens_select(r, i + 1, end) && r->t[i + 1].match + 1 == end)
        return read_select(r, i + 2, end - 1, scope);
    if (is(r, i, end, "(") && r->t[i].match + 1 == end && !opens_select(r, i, end))
        return read_condition(r, i + 1, end - 1, scope, sources);
    /* ... IN (SELECT ...), whatever stands before it, if it is no NOT */
    if (end > i + 2 && is(r, end - 1, end, ")")) {
        size_t open = r->t[end - 1].match;
        if (open > i + 1 && is(r, open - 1, end, "IN") && opens_select(r, open, end)) {
            for (size_t k = i; k < open - 1; k++)
                if (is(r, k, end, "NOT") || is(r, k, end, "CASE")) return none;
            return read_select(r, open + 1, end - 1, scope);
        }
    }
    const Source *source = NULL;
    Str column = STR_NONE;
    size_t at = 0;
    if (!read_column(r, i, end, sources, &source, &column, &at)) return none;
    DemandAtom atom = {.table = source->table, .column = column};
    if ((is(r, at, end, "=") || is(r, at, end, "==")) && at + 2 == end && r->t[at + 1].kind == TEXT) {
        VEC_PUSH(r->a, &atom.words, r->t[at + 1].text);
    } else if (is(r, at, end, "IN") && is(r, at + 1, end, "(") && r->t[at + 1].match + 1 == end) {
        for (size_t k = at + 2; k < end - 1; k += 2) {
            if (r->t[k].kind != TEXT || (k + 1 < end - 1 && !is(r, k + 1, end, ","))) return none;
            VEC_PUSH(r->a, &atom.words, r->t[k].text);
        }
        if (!atom.words.count || atom.words.count > MAX_WORDS) return none;
    } else {
        return none;
    }
    demand_atom(r->a, &d, atom);
    return d;
}

static Demand read_condition(Reader *r, size_t i, size_t end, const Scope *scope, const Sources *sources) {
    static const char *const or_[] = {"OR", NULL}, *const and_[] = {"AND", "BETWEEN", NULL};
    Demand all = {0};
    bool first = true;
    while (i < end) {
        size_t stop = find_any(r, i, end, or_);
        Demand one = {0};
        for (size_t at = i; at < stop;) {
            size_t next = find_any(r, at, stop, and_);
            while (is(r, next, stop, "BETWEEN")) { /* its AND joins no conditions */
                next = find_any(r, next + 1, stop, and_);
                next = next < stop ? find_any(r, next + 1, stop, and_) : stop;
            }
            Demand term = read_term(r, at, next, scope, sources);
            and_with(r->a, &one, &term);
            at = next + 1;
        }
        all = first ? one : or_of(r->a, &all, &one);
        first = false;
        i = stop + 1;
    }
    return all;
}

/* Does the list of what is selected count over all rows? Then there is a row even where there is none. */
static bool counts(const Reader *r, size_t i, size_t end) {
    static const char *const aggregates[] = {"count",
                                             "sum",
                                             "total",
                                             "avg",
                                             "min",
                                             "max",
                                             "group_concat",
                                             "median",
                                             "mad",
                                             "percentile",
                                             "json_group_array",
                                             "json_group_object",
                                             "first_line",
                                             "string_agg",
                                             "worst_line",
                                             NULL};
    static const char *const comma[] = {",", NULL};
    for (; i < end; i++) {
        if (opens_select(r, i, end)) {
            i = r->t[i].match;
            continue;
        }
        if (!is_any(r, i, end, aggregates) || !is(r, i + 1, end, "(")) continue;
        size_t close = r->t[i + 1].match, behind = close + 1;
        bool scalar = (is(r, i, end, "min") || is(r, i, end, "max")) && find_any(r, i + 2, close, comma) < close;
        if (is(r, behind, end, "FILTER")) behind = over(r, behind + 1, end);
        if (!scalar && !is(r, behind, end, "OVER")) return true;
    }
    return false;
}

static Demand read_core(Reader *r, size_t i, size_t end, const Scope *scope) {
    static const char *const from[] = {"FROM", NULL};
    static const char *const clauses[] = {"WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", NULL};
    static const char *const having[] = {"GROUP", NULL};
    static const char *const joins[] = {"JOIN", "LEFT", "INNER", "CROSS", "NATURAL", "RIGHT", "FULL", ",", NULL};
    static const char *const condition[] = {"JOIN",  "LEFT",  "INNER",  "CROSS",  "NATURAL", "RIGHT", "FULL", ",",
                                            "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER",   "LIMIT", NULL};
    Demand d = {0}, none = {0};
    if (!is(r, i, end, "SELECT")) return none;
    size_t at = find_any(r, i, end, from), tail = find_any(r, i, end, clauses);
    bool grouped = find_any(r, i, end, having) < end;
    if (!grouped && counts(r, i + 1, at < tail ? at : tail)) return none;
    Sources sources = {0};
    typedef struct On {
        size_t from, to;
    } On;
    VEC(On) on = {0};
    bool left = false;
    if (at < tail) at++;
    while (at < tail) {
        Source s = {0};
        Demand below = {0};
        if (opens_select(r, at, tail)) {
            below = read_select(r, at + 1, r->t[at].match, scope);
            at = r->t[at].match + 1;
        } else if (is(r, at, tail, "(")) {
            return none; /* joins in parentheses */
        } else if (r->t[at].kind == WORD && is(r, at + 1, tail, "(")) {
            s.alias = r->t[at].text; /* json_each(...) */
            at = r->t[at + 1].match + 1;
        } else if (r->t[at].kind == WORD) {
            bool in_schema;
            s.alias = r->t[at].text;
            below = of_name(r, s.alias, scope, &in_schema);
            if (in_schema) s.table = s.alias;
            at++;
        } else {
            return none;
        }
        if (is(r, at, tail, "AS")) at++;
        if (at < tail && r->t[at].kind == WORD && !is_any(r, at, tail, condition) && !is(r, at, tail, "ON") &&
            !is(r, at, tail, "USING"))
            s.alias = r->t[at++].text;
        VEC_PUSH(r->a, &sources, s);
        if (!left) and_with(r->a, &d, &below);
        size_t stop = find_any(r, at, tail, joins);
        if (is(r, at, tail, "ON") && !left) VEC_PUSH(r->a, &on, ((On){at + 1, stop}));
        at = stop;
        left = false;
        for (; is_any(r, at, tail, joins) || is(r, at, tail, "OUTER"); at++) {
            if (is(r, at, tail, "RIGHT") || is(r, at, tail, "FULL") || is(r, at, tail, "NATURAL")) return none;
            left = left || is(r, at, tail, "LEFT");
            if (is(r, at, tail, "JOIN") || is(r, at, tail, ",")) {
                at++;
                break;
            }
        }
    }
    for (size_t k = 0; k < on.count; k++) {
        Demand c = read_condition(r, on.items[k].from, on.items[k].to, scope, &sources);
        and_with(r->a, &d, &c);
    }
    if (is(r, tail, end, "WHERE")) {
        size_t stop = find_any(r, tail + 1, end, clauses);
        Demand c = read_condition(r, tail + 1, stop, scope, &sources);
        and_with(r->a, &d, &c);
    }
    return d;
}

static Demand read_select(Reader *r, size_t i, size_t end, const Scope *outer) {
    static const char *const compound[] = {"UNION", "EXCEPT", "INTERSECT", NULL};
    static const char *const body[] = {"(", NULL};
    Demand none = {0};
    Scope scope = {outer, {0}};
    if (r->depth > 40) return none;
    r->depth++;
    if (is(r, i, end, "WITH")) {
        bool recursive = is(r, i + 1, end, "RECURSIVE");
        i += 1 + (size_t)recursive;
        while (i < end && r->t[i].kind == WORD) {
            Named n = {.name = r->t[i].text};
            if (is(r, ++i, end, "(")) i = r->t[i].match + 1;
            if (!is(r, i, end, "AS")) break;
            size_t open = find_any(r, i, end, body);
            if (open >= end) break;
            if (recursive) VEC_PUSH(r->a, &scope.with, n); /* its own rows demand nothing */
            n.demand = read_select(r, open + 1, r->t[open].match, &scope);
            VEC_PUSH(r->a, &scope.with, n);
            i = r->t[open].match + 1;
            if (!is(r, i, end, ",")) break;
            i++;
        }
    }
    Demand all = {0};
    for (bool first = true, more = true; more; first = false) {
        size_t stop = find_any(r, i, end, compound);
        Demand one = read_core(r, i, stop, &scope);
        all = first ? one : or_of(r->a, &all, &one);
        more = is(r, stop, end, "UNION"); /* what is taken away, or common, demands no more than the first */
        i = stop + 1 + (size_t)is(r, stop + 1, end, "ALL");
    }
    r->depth--;
    return all;
}

Demand demand_of(Arena *a, Str sql, Str schema) {
    Demand none = {0};
    Tokens tokens = {0};
    if (!tokenize(a, sql, &tokens)) return none;
    Reader r = {a, tokens.items, schema, 0};
    return read_select(&r, 0, tokens.count, NULL);
}

/* ---------------------------------------------------------------- as text */

static bool plain(Str word) {
    for (size_t i = 0; i < word.len; i++)
        if (!ch_alnum(word.p[i]) && !str_has(STR("-_./: "), (char[]){word.p[i], 0})) return false;
    return word.len > 0;
}

Str demand_write(Arena *a, const Demand *d) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < d->clauses.count; i++) {
        const DemandClause *c = &d->clauses.items[i];
        bool good = c->atoms.count > 0;
        for (size_t k = 0; k < c->atoms.count && good; k++)
            for (size_t w = 0; w < c->atoms.items[k].words.count && good; w++)
                good = plain(c->atoms.items[k].words.items[w]);
        if (!good) continue;
        for (size_t k = 0; k < c->atoms.count; k++) {
            const DemandAtom *atom = &c->atoms.items[k];
            sb_addf(&out, "%s%.*s", k ? "\t" : "", STR_ARG(atom->table));
            for (size_t w = 0; w < atom->words.count; w++) {
                if (w) sb_addc(&out, '|');
                else sb_addf(&out, ".%.*s=", STR_ARG(atom->column));
                sb_add(&out, atom->words.items[w]);
            }
        }
        sb_addc(&out, '\n');
    }
    return sb_str(&out);
}
