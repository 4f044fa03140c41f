#include "demand.h"

#include <stdio.h>
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

enum { MAX_CLAUSES = 24, MAX_ATOMS = 40, MAX_FACTORS = 6, MAX_WORDS = 64 };

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
    if (c.atoms.count > MAX_ATOMS) return; /* nearly always met */
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
    d->never = d->never || more->never;
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
    if (x->never) return *y;
    if (y->never) return *x;
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

/*
 * What of a value is asked for. A demand for it names what must be there before the value can be so; of a value about which nothing
 * is known it is empty.
 */
typedef enum Wanted {
    NOT_NULL,
    TRUE_VALUE, /* a number that is not 0 */
    POSITIVE,   /* "value > 0", which any text is as well */
    ONE_OF,     /* equal to one of the words; number: to one of the whole numbers that they say */
} Wanted;

typedef struct Want {
    Wanted kind;
    bool number;
    VEC(Str) words;
} Want;

typedef struct Table Table;
typedef struct Core Core;

typedef struct Named { /* a WITH table */
    Str name;
    const Table *table; /* NULL: nothing is known of it */
} Named;

typedef struct Scope { /* what names mean, the innermost first */
    const struct Scope *outer;
    VEC(Named) with;
} Scope;

typedef struct Source { /* of FROM */
    Str table, alias;   /* table: of the schema; empty for a WITH table or a SELECT */
    const Table *def;   /* of a view, a WITH table or a SELECT; NULL: nothing is known */
    Demand rows;        /* with those of its ON */
    bool left;          /* its row may be all NULL */
} Source;
typedef VEC(Source) Sources;

typedef struct Column {
    Str name;        /* empty: none that could be said */
    size_t from, to; /* its expression */
    bool star;       /* "*", or "alias.*" with the alias as its name */
} Column;

struct Core { /* one SELECT of those that UNION joins */
    const Token *t;
    const Scope *scope;
    const Core *outer; /* whose row is at hand, too */
    Sources sources;
    VEC(Column) columns;
    Demand rows; /* of FROM and WHERE */
    Demand out;  /* before it gives a row: those, or none where it counts over all rows */
    bool counts; /* over all rows: its columns are NULL or 0 without any */
    bool known;  /* what stands above */
};

struct Table {
    VEC(const Core *) cores;
    VEC(Str) names; /* of WITH t(a, b) */
    Demand rows;
};

typedef struct View {
    Str name;
    const Table *table;
} View;

typedef struct Reader {
    Arena *a;
    const Token *t;
    Str schema;
    int depth;  /* of views in views, of selects in selects */
    int budget; /* of questions about values: each column may ask for several others */
    VEC(View) views;
} Reader;

static const Table *read_select(Reader *r, size_t i, size_t end, const Scope *scope, const Core *outer);
static Demand wanted(Reader *r, size_t i, size_t end, const Core *core, const Want *want);

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

static const char *const comma[] = {",", NULL};

/* ---------------------------------------------------------------- names */

static const Table *view_of(Reader *r, Str name) {
    for (size_t i = 0; i < r->views.count; i++)
        if (str_ieq(r->views.items[i].name, name)) return r->views.items[i].table;
    size_t at = str_find(r->schema, arena_fmt(r->a, "CREATE VIEW %.*s AS", STR_ARG(name)));
    if (at == SIZE_MAX || r->depth > 12) return NULL;
    Str body = str_from(r->schema, at + name.len + 15);
    body = str_sub(body, 0, str_find(body, ";\n")); /* a semicolon inside a line is one of a comment */
    Tokens tokens = {0};
    if (!tokenize(r->a, body, &tokens)) return NULL;
    const Token *mine = r->t;
    r->t = tokens.items;
    const Table *table = read_select(r, 0, tokens.count, NULL, NULL);
    r->t = mine;
    VEC_PUSH(r->a, &r->views, ((View){name, table}));
    return table;
}

/* Fills in what the name of a source means. */
static void find_source(Reader *r, Str name, const Scope *scope, Source *s) {
    for (; scope; scope = scope->outer)
        for (size_t i = scope->with.count; i-- > 0;)
            if (str_ieq(scope->with.items[i].name, name)) {
                s->def = scope->with.items[i].table;
                if (s->def) s->rows = s->def->rows;
                return;
            }
    s->table = name;
    demand_atom(r->a, &s->rows, (DemandAtom){.table = name});
    s->def = view_of(r, name);
    if (s->def) and_with(r->a, &s->rows, &s->def->rows);
}

typedef enum Has { NO_COLUMN, HAS_COLUMN, WHO_KNOWS } Has;

static Has table_has(Reader *r, const Table *table, Str column);

/* Has a table of the schema the column? */
static Has schema_has(const Reader *r, Str table, Str column) {
    size_t at = str_find(r->schema, arena_fmt(r->a, "CREATE TABLE %.*s(", STR_ARG(table)));
    if (at == SIZE_MAX) at = str_find(r->schema, arena_fmt(r->a, "CREATE TABLE %.*s (", STR_ARG(table)));
    if (at == SIZE_MAX) return WHO_KNOWS;
    Str body = str_from(r->schema, at);
    body = str_sub(body, 0, str_find(body, ";\n"));
    Tokens tokens = {0};
    if (!tokenize(r->a, body, &tokens)) return WHO_KNOWS;
    int deep = 0;
    for (size_t i = 0; i < tokens.count; i++) {
        const Token *t = &tokens.items[i];
        if (t->kind != SIGN) continue;
        deep += str_is(t->text, "(") - str_is(t->text, ")");
        bool next = deep == 1 && (str_is(t->text, "(") || str_is(t->text, ","));
        if (next && i + 1 < tokens.count && str_ieq(tokens.items[i + 1].text, column)) return HAS_COLUMN;
    }
    return str_ieq(column, STR("rowid")) ? WHO_KNOWS : NO_COLUMN;
}

static Has source_has(Reader *r, const Source *s, Str column) {
    if (s->def) return table_has(r, s->def, column);
    return s->table.len ? schema_has(r, s->table, column) : WHO_KNOWS;
}

static const Source *source_of(const Core *core, Str alias) {
    for (size_t i = 0; i < core->sources.count; i++)
        if (str_ieq(core->sources.items[i].alias, alias)) return &core->sources.items[i];
    return NULL;
}

/* A column that "*" or "alias.*" stands for: its source, or NULL with the reason. */
static const Source *behind_star(Reader *r, const Core *core, const Column *star, Str column, Has *has) {
    *has = NO_COLUMN;
    for (size_t i = 0; i < core->sources.count; i++) {
        const Source *s = &core->sources.items[i];
        if (star->name.len && !str_ieq(s->alias, star->name)) continue;
        *has = source_has(r, s, column);
        if (*has == HAS_COLUMN) return s;
        if (*has == WHO_KNOWS) return star->name.len || core->sources.count == 1 ? s : NULL;
    }
    return NULL;
}

static Has table_has(Reader *r, const Table *table, Str column) {
    for (size_t i = 0; i < table->names.count; i++)
        if (str_ieq(table->names.items[i], column)) return HAS_COLUMN;
    if (table->names.count) return NO_COLUMN;
    if (!table->cores.count || !table->cores.items[0]->known) return WHO_KNOWS;
    const Core *core = table->cores.items[0];
    for (size_t i = 0; i < core->columns.count; i++) {
        const Column *c = &core->columns.items[i];
        if (!c->star) {
            if (str_ieq(c->name, column)) return HAS_COLUMN;
            continue;
        }
        Has has;
        behind_star(r, core, c, column, &has);
        if (has != NO_COLUMN) return has;
    }
    return NO_COLUMN;
}

/* ---------------------------------------------------------------- columns */

static Demand of_source(Reader *r, const Source *s, Str column, const Want *want);

/* What an expression of a core wants, by the tokens of that core. */
static Demand of_core(Reader *r, const Core *core, size_t from, size_t to, const Want *want) {
    const Token *mine = r->t;
    r->t = core->t;
    Demand d = wanted(r, from, to, core, want);
    r->t = mine;
    and_with(r->a, &d, &core->out);
    return d;
}

static Demand of_position(Reader *r, const Table *table, size_t at, const Want *want) {
    Demand all = {.never = true};
    for (size_t i = 0; i < table->cores.count; i++) {
        const Core *core = table->cores.items[i];
        bool plain = core->known && at < core->columns.count;
        for (size_t k = 0; plain && k <= at; k++) plain = !core->columns.items[k].star;
        Demand one = core->out;
        if (plain) one = of_core(r, core, core->columns.items[at].from, core->columns.items[at].to, want);
        all = or_of(r->a, &all, &one);
    }
    return table->cores.count ? all : table->rows;
}

static Demand of_table(Reader *r, const Table *table, Str column, const Want *want) {
    if (!table->cores.count || !table->cores.items[0]->known) return table->rows;
    for (size_t i = 0; i < table->names.count; i++)
        if (str_ieq(table->names.items[i], column)) return of_position(r, table, i, want);
    const Core *core = table->cores.items[0];
    for (size_t i = 0; i < core->columns.count && !table->names.count; i++) {
        const Column *c = &core->columns.items[i];
        if (!c->star) {
            if (str_ieq(c->name, column)) return of_position(r, table, i, want);
            continue;
        }
        Has has;
        const Source *s = behind_star(r, core, c, column, &has);
        if (s && table->cores.count == 1) {
            Demand d = of_source(r, s, column, want);
            and_with(r->a, &d, &core->out);
            if (core->counts) and_with(r->a, &d, &core->rows);
            return d;
        }
        if (has != NO_COLUMN) break;
    }
    return table->rows;
}

static Demand of_source(Reader *r, const Source *s, Str column, const Want *want) {
    Demand d = s->rows;
    if (s->def) {
        Demand below = of_table(r, s->def, column, want);
        d = (Demand){0};
        and_with(r->a, &d, &s->rows);
        and_with(r->a, &d, &below);
    }
    if (s->table.len && want->kind == ONE_OF) {
        DemandAtom atom = {.table = s->table, .column = column};
        for (size_t i = 0; i < want->words.count; i++) VEC_PUSH(r->a, &atom.words, want->words.items[i]);
        Demand copy = {0};
        and_with(r->a, &copy, &d);
        demand_atom(r->a, &copy, atom);
        return copy;
    }
    return d;
}

/* [alias.]column, wherever it is found. */
static Demand of_column(Reader *r, Str alias, Str column, const Core *core, const Want *want) {
    Demand none = {0};
    for (; core; core = core->outer) {
        const Source *s = alias.len ? source_of(core, alias) : NULL;
        for (size_t i = 0; i < core->sources.count && !alias.len && !s; i++) {
            const Source *one = &core->sources.items[i];
            Has has = source_has(r, one, column);
            if (has == HAS_COLUMN || (has == WHO_KNOWS && core->sources.count == 1)) s = one;
            else if (has == WHO_KNOWS) return none;
        }
        if (s) {
            Demand d = of_source(r, s, column, want), copy = {0};
            and_with(r->a, &copy, &d);
            if (core->counts) and_with(r->a, &copy, &core->rows);
            return copy;
        }
        for (size_t i = 0; i < core->columns.count && !alias.len; i++) { /* what is selected under this name? */
            const Column *c = &core->columns.items[i];
            if (c->star) return none;
            if (!str_ieq(c->name, column)) continue;
            const Token *mine = r->t;
            r->t = core->t;
            Demand d = wanted(r, c->from, c->to, core, want);
            r->t = mine;
            return d;
        }
    }
    return none;
}

/* ---------------------------------------------------------------- values */

static const Want not_null = {.kind = NOT_NULL}, true_value = {.kind = TRUE_VALUE}, positive = {.kind = POSITIVE};

static const Demand nothing;
static const Demand never = {.never = true};

static Demand both(Reader *r, Demand x, Demand y) {
    Demand d = {0};
    and_with(r->a, &d, &x);
    and_with(r->a, &d, &y);
    return d;
}

/* All parts of a list, or one of them. */
static Demand of_list(Reader *r, size_t i, size_t end, const Core *core, const Want *want, bool all) {
    Demand d = all ? nothing : never;
    while (i < end) {
        size_t stop = find_any(r, i, end, comma);
        Demand one = wanted(r, i, stop, core, want);
        d = all ? both(r, d, one) : or_of(r->a, &d, &one);
        i = stop + 1;
    }
    return d;
}

static bool whole_number(Str text) {
    for (size_t i = 0; i < text.len; i++)
        if (!ch_digit(text.p[i])) return false;
    return text.len > 0 && text.len < 10 && (text.len == 1 || text.p[0] != '0');
}

/* A number that stands there; false: it is none. */
static bool number_at(const Reader *r, size_t i, size_t end, double *value) {
    if (i + 1 != end || r->t[i].kind != NUMBER || !ch_digit(r->t[i].text.p[0])) return false;
    char buf[32];
    if (r->t[i].text.len >= sizeof buf) return false;
    snprintf(buf, sizeof buf, "%.*s", STR_ARG(r->t[i].text));
    char *behind;
    *value = strtod(buf, &behind);
    return !*behind;
}

static Demand of_literal(const Reader *r, size_t i, const Want *want) {
    const Token *t = &r->t[i];
    if (t->kind == TEXT) {
        if (want->kind != ONE_OF || want->number) return nothing;
        for (size_t k = 0; k < want->words.count; k++)
            if (str_eq(want->words.items[k], t->text)) return nothing;
        return never;
    }
    double value;
    if (!number_at(r, i, i + 1, &value)) return nothing; /* a parameter, a text with quotes in it */
    if (want->kind == POSITIVE || want->kind == TRUE_VALUE) return value > 0 ? nothing : never;
    if (want->kind != ONE_OF || !want->number || !whole_number(t->text)) return nothing;
    for (size_t k = 0; k < want->words.count; k++)
        if (str_eq(want->words.items[k], t->text)) return nothing;
    return never;
}

/* CASE [x] WHEN a THEN b ... [ELSE c] END from i to end. */
static Demand of_case(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    static const char *const when[] = {"WHEN", NULL}, *const then[] = {"THEN", NULL};
    static const char *const next[] = {"WHEN", "ELSE", NULL}, *const otherwise[] = {"ELSE", NULL};
    end--; /* END */
    size_t at = find_any(r, i + 1, end, when);
    bool compares = at > i + 1;
    Demand d = never;
    while (is(r, at, end, "WHEN")) {
        size_t value = find_any(r, at + 1, end, then), stop = find_any(r, value, end, next);
        if (value == end) return nothing;
        Demand one = wanted(r, value + 1, stop, core, want);
        if (!compares) one = both(r, wanted(r, at + 1, value, core, &true_value), one);
        d = or_of(r->a, &d, &one);
        at = stop;
    }
    at = find_any(r, at, end, otherwise);
    if (at < end) {
        Demand one = wanted(r, at + 1, end, core, want);
        d = or_of(r->a, &d, &one);
    }
    return d;
}

static const char *const aggregates[] = {"count",
                                         "sum",
                                         "total",
                                         "avg",
                                         "min",
                                         "max",
                                         "group_concat",
                                         "string_agg",
                                         "first_line",
                                         "median",
                                         "mad",
                                         "percentile",
                                         "worst_line",
                                         "json_group_array",
                                         "json_group_object",
                                         NULL};

/* min() and max() of several values are of one row. */
static bool is_aggregate(const Reader *r, size_t i, size_t end) {
    if (!is_any(r, i, end, aggregates) || !is(r, i + 1, end, "(")) return false;
    bool one_row = is(r, i, end, "min") || is(r, i, end, "max");
    return !one_row || find_any(r, i + 2, r->t[i + 1].match, comma) == r->t[i + 1].match;
}

/* An aggregate with what stands behind it, FILTER and OVER, from i to end. */
static Demand of_aggregate(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    static const char *const as_its_values[] = {"max", "min", "sum", "avg", "total", NULL};
    static const char *const never_null[] = {"count", "total", "json_group_array", "json_group_object", NULL};
    size_t from = i + 2, close = r->t[i + 1].match, behind = close + 1;
    if (is(r, from, close, "DISTINCT")) from++;
    bool numbers = want->kind == POSITIVE || want->kind == TRUE_VALUE;
    if (want->kind == ONE_OF && want->number) {
        numbers = true; /* each of them is above 0, if none is 0 */
        for (size_t k = 0; k < want->words.count; k++) numbers = numbers && !str_is(want->words.items[k], "0");
    }
    bool counting = is(r, i, end, "count");
    if (is_any(r, i, end, never_null) && !numbers) return nothing;
    if (is(r, i, end, "json_group_array") || is(r, i, end, "json_group_object")) return nothing;
    Demand d = {0};
    if (core->counts) and_with(r->a, &d, &core->rows);
    size_t first = find_any(r, from, close, comma);
    if (counting) {
        if (from < close && !is(r, from, close, "*")) d = both(r, d, wanted(r, from, first, core, &not_null));
    } else {
        bool of_one = is(r, i, end, "max") || is(r, i, end, "min");
        const Want *each = &not_null;
        if (is_any(r, i, end, as_its_values) && want->kind != ONE_OF) each = want;
        if (of_one) each = want;
        d = both(r, d, wanted(r, from, first, core, each));
    }
    if (is(r, behind, end, "FILTER") && is(r, behind + 1, end, "(") && is(r, behind + 2, end, "WHERE"))
        d = both(r, d, wanted(r, behind + 3, r->t[behind + 1].match, core, &true_value));
    return d;
}

static Demand of_function(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    /* NULL where any of what they are given is; cite() where the first is. */
    static const char *const strict[] = {
        "abs",   "lower", "upper", "length", "substr",  "substring", "round", "trim",  "ltrim",   "rtrim",   "replace",
        "instr", "min",   "max",   "fmt",    "counted", "like",      "glob",  "floor", "ceil",    "ceiling", "trunc",
        "sqrt",  "pow",   "power", "ln",     "log10",   "mod",       "sign",  "wwn",   "unicode", NULL};
    static const char *const first_only[] = {"cite", "nullif",      "json_extract", "printf",    "format", "lag",
                                             "lead", "first_value", "last_value",   "nth_value", NULL};
    static const char *const either[] = {"coalesce", "ifnull", NULL};
    size_t from = i + 2, close = r->t[i + 1].match;
    if (is_aggregate(r, i, end)) return of_aggregate(r, i, end, core, want);
    if (close + 1 < end && !is(r, close + 1, end, "OVER")) return nothing;
    if (is_any(r, i, end, either)) return of_list(r, from, close, core, want, false);
    if (is_any(r, i, end, strict)) return of_list(r, from, close, core, &not_null, true);
    size_t first = find_any(r, from, close, comma), second = find_any(r, first + 1, close, comma);
    if (is(r, i, end, "iif") && second < close) {
        Demand yes = both(r, wanted(r, from, first, core, &true_value), wanted(r, first + 1, second, core, want));
        Demand no = wanted(r, second + 1, close, core, want);
        return or_of(r->a, &yes, &no);
    }
    bool has_default = (is(r, i, end, "lag") || is(r, i, end, "lead")) && second < close;
    if (is_any(r, i, end, first_only) && !has_default) return wanted(r, from, first, core, &not_null);
    if (is(r, i, end, "cast")) {
        static const char *const as[] = {"AS", NULL};
        return wanted(r, from, find_any(r, from, close, as), core, &not_null);
    }
    return nothing;
}

static Demand of_select(Reader *r, size_t open, const Core *core, const Want *want) {
    const Table *table = read_select(r, open + 1, r->t[open].match, core->scope, core);
    return want ? of_position(r, table, 0, want) : table->rows;
}

static bool all_literals(const Reader *r, size_t i, size_t end, Want *want, Arena *a) {
    bool texts = r->t[i].kind == TEXT;
    want->kind = ONE_OF;
    want->number = !texts;
    for (; i < end; i += 2) {
        bool good = texts ? r->t[i].kind == TEXT : r->t[i].kind == NUMBER && whole_number(r->t[i].text);
        if (!good || (i + 1 < end && !is(r, i + 1, end, ","))) return false;
        VEC_PUSH(a, &want->words, r->t[i].text);
    }
    return want->words.count && want->words.count <= MAX_WORDS;
}

/* `x op y`, op from at on and y from behind on: what must be before it is true, or not NULL. */
static Demand of_comparison(Reader *r, size_t i, size_t at, size_t behind, size_t end, const Core *core, bool truth) {
    bool negated = is(r, at, end, "NOT");
    size_t op = at + (size_t)negated;
    Demand left = wanted(r, i, at, core, &not_null);
    if (is(r, at, end, "ISNULL") || is(r, at, end, "IS")) {
        bool not_ = is(r, at + 1, end, "NOT");
        size_t word = at + 1 + (size_t)not_;
        return truth && not_ && word + 1 == end && is(r, word, end, "NULL") ? left : nothing;
    }
    if (is(r, at, end, "NOTNULL") || (negated && is(r, op, end, "NULL"))) return truth ? left : nothing;
    if (is(r, op, end, "IN")) {
        if (!is(r, behind, end, "(") || r->t[behind].match + 1 != end) return nothing;
        if (opens_select(r, behind, end))
            return truth && !negated ? both(r, left, of_select(r, behind, core, NULL)) : nothing;
        if (behind + 2 == end) return nothing; /* NULL IN () is false, and not NULL */
        Want one = {0};
        if (truth && !negated && all_literals(r, behind + 1, end - 1, &one, r->a))
            return both(r, left, wanted(r, i, at, core, &one));
        return left;
    }
    if (is(r, op, end, "BETWEEN")) return left;
    Demand d = both(r, left, wanted(r, behind, end, core, &not_null));
    if (!truth || negated) return d;
    for (int turned = 0; turned < 2; turned++) { /* a literal on either side */
        size_t x = turned ? behind : i, x_end = turned ? end : at, y = turned ? i : behind, y_end = turned ? at : end;
        bool more = is(r, at, end, turned ? "<" : ">"), at_least = is(r, at, end, turned ? "<=" : ">=");
        bool equal = is(r, at, end, "=") || is(r, at, end, "==");
        double value;
        if (equal && y + 1 == y_end) {
            Want one = {0};
            if (all_literals(r, y, y_end, &one, r->a)) d = both(r, d, wanted(r, x, x_end, core, &one));
        }
        if (number_at(r, y, y_end, &value) && ((more && value >= 0) || ((at_least || equal) && value > 0)))
            d = both(r, d, wanted(r, x, x_end, core, &positive));
    }
    return d;
}

/* The token where a comparison stands, outside of parentheses; end without; SIZE_MAX where there are several. */
static size_t find_comparison(const Reader *r, size_t i, size_t end, size_t *behind) {
    static const char *const equals[] = {"=",    "==",    "<>",     "!=",      "IS",     "IN",      "LIKE",
                                         "GLOB", "MATCH", "REGEXP", "BETWEEN", "ISNULL", "NOTNULL", NULL};
    static const char *const orders[] = {"<", "<=", ">", ">=", NULL};
    static const char *const negated[] = {"IN", "LIKE", "GLOB", "MATCH", "REGEXP", "BETWEEN", "NULL", NULL};
    for (int loose = 1; loose >= 0; loose--) {
        size_t found = end;
        for (size_t k = i; k < end; k = over(r, k, end)) {
            bool not_ = k > i && is(r, k, end, "NOT") && is_any(r, k + 1, end, negated);
            if (!not_ && !is_any(r, k, end, loose ? equals : orders)) continue;
            if (not_ && !loose) continue;
            if (found != end) return SIZE_MAX;
            found = k;
            *behind = k + 1 + (size_t)not_;
            if (not_) k++;
            if (is(r, k, end, "IS")) { /* its NOT and NULL belong to it */
                if (is(r, k + 1, end, "NOT")) k++;
                *behind = k + 1;
            }
        }
        if (found != end) return found;
    }
    return end;
}

static bool is_arithmetic(const Reader *r, size_t k, size_t end) {
    static const char *const signs[] = {"+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "->", "->>", NULL};
    return is_any(r, k, end, signs);
}

/* x + y || z ...: NULL where any part is. A sum is above 0 only where a part is. */
static Demand of_arithmetic(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    Demand all = nothing, one = never;
    bool sums = want->kind == POSITIVE;
    for (size_t at = i; at < end;) {
        size_t stop = at;
        while (stop < end && !is_arithmetic(r, stop, end)) stop = over(r, stop, end);
        if (stop > at) {
            all = both(r, all, wanted(r, at, stop, core, &not_null));
            if (sums) {
                Demand above = wanted(r, at, stop, core, &positive);
                one = or_of(r->a, &one, &above);
            }
        }
        sums = sums && (stop >= end || (is(r, stop, end, "+") && stop > at));
        at = stop + 1;
    }
    return sums ? both(r, all, one) : all;
}

/* One value without operators around it. */
static Demand of_primary(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    const Token *t = &r->t[i];
    if (is(r, i, end, "EXISTS") && opens_select(r, i + 1, end) && r->t[i + 1].match + 1 == end) {
        bool yes =
            want->kind == TRUE_VALUE || want->kind == POSITIVE ||
            (want->kind == ONE_OF && want->number && want->words.count == 1 && str_is(want->words.items[0], "1"));
        return yes ? of_select(r, i + 1, core, NULL) : nothing;
    }
    if (opens_select(r, i, end)) return r->t[i].match + 1 == end ? of_select(r, i, core, want) : nothing;
    if (is(r, i, end, "CASE")) return over(r, i, end) == end ? of_case(r, i, end, core, want) : nothing;
    if (t->kind == WORD && is(r, i + 1, end, "(")) return of_function(r, i, end, core, want);
    if (t->kind == WORD && i + 3 == end && is(r, i + 1, end, ".") && r->t[i + 2].kind == WORD)
        return of_column(r, t->text, r->t[i + 2].text, core, want);
    if (i + 1 != end) return nothing;
    if (t->kind == TEXT || t->kind == NUMBER) return of_literal(r, i, want);
    if (t->kind != WORD) return nothing;
    if (is(r, i, end, "NULL")) return never;
    if (is(r, i, end, "TRUE") || is(r, i, end, "FALSE")) return nothing;
    return of_column(r, STR_NONE, t->text, core, want);
}

/* The AND and OR that join conditions; the AND of a BETWEEN joins none. */
static size_t find_joint(const Reader *r, size_t i, size_t end, const char *word) {
    const char *const words[] = {word, "BETWEEN", NULL}, *const and_[] = {"AND", NULL};
    bool and_wanted = str_is(str_of(word), "AND");
    for (;;) {
        size_t k = find_any(r, i, end, words);
        if (!is(r, k, end, "BETWEEN")) return k;
        i = k + 1;
        if (!and_wanted) continue;
        i = find_any(r, i, end, and_);
        if (i == end) return end;
        i++;
    }
}

/* What must be there before the expression is what is wanted. */
static Demand wanted(Reader *r, size_t i, size_t end, const Core *core, const Want *want) {
    if (i >= end || --r->budget < 0 || r->depth > 40) return nothing;
    while (is(r, i, end, "(") && r->t[i].match + 1 == end && !opens_select(r, i, end)) i++, end--;
    if (i >= end || find_any(r, i, end, comma) < end) return nothing; /* (a, b) */
    static const char *const collate[] = {"COLLATE", "ESCAPE", NULL};
    if (find_any(r, i, end, collate) < end) return nothing;
    /* Conditions are 0, 1 or NULL. */
    bool truth = want->kind == TRUE_VALUE || want->kind == POSITIVE ||
                 (want->kind == ONE_OF && want->number && want->words.count == 1 && str_is(want->words.items[0], "1"));
    const Want *of_part = truth ? &true_value : &not_null;
    r->depth++;
    Demand d = nothing;
    size_t stop = find_joint(r, i, end, "OR"), behind = 0;
    if (stop < end) {
        d = never;
        for (size_t at = i; at < end; at = stop + 1) {
            stop = find_joint(r, at, end, "OR");
            Demand one = wanted(r, at, stop, core, of_part);
            d = or_of(r->a, &d, &one);
        }
    } else if ((stop = find_joint(r, i, end, "AND")) < end) {
        d = truth ? nothing : never;
        for (size_t at = i; at < end; at = stop + 1) {
            stop = find_joint(r, at, end, "AND");
            Demand one = wanted(r, at, stop, core, of_part);
            d = truth ? both(r, d, one) : or_of(r->a, &d, &one);
        }
    } else if (is(r, i, end, "NOT")) {
        d = wanted(r, i + 1, end, core, &not_null);
    } else if ((stop = find_comparison(r, i, end, &behind)) != end) {
        if (stop != SIZE_MAX) d = of_comparison(r, i, stop, behind, end, core, truth);
    } else {
        size_t k = i;
        while (k < end && !is_arithmetic(r, k, end)) k = over(r, k, end);
        d = k < end ? of_arithmetic(r, i, end, core, want) : of_primary(r, i, end, core, want);
    }
    r->depth--;
    return d;
}

/* ---------------------------------------------------------------- one SELECT */

/* Does the list of what is selected count over all rows? Then there is a row even where there is none. */
static bool counts(const Reader *r, size_t i, size_t end) {
    for (; i < end; i++) {
        if (opens_select(r, i, end)) {
            i = r->t[i].match;
            continue;
        }
        if (!is_aggregate(r, i, end)) continue;
        size_t behind = r->t[i + 1].match + 1;
        if (is(r, behind, end, "FILTER")) behind = over(r, behind + 1, end);
        if (!is(r, behind, end, "OVER")) return true;
    }
    return false;
}

/* [AS] name at the end of a column: what it is called, and where its expression ends. */
static Column read_column(const Reader *r, size_t i, size_t end) {
    static const char *const operators[] = {"NOT",   "IS",     "AND",     "OR",      "IN",     "LIKE", "GLOB",
                                            "MATCH", "REGEXP", "BETWEEN", "COLLATE", "ESCAPE", NULL};
    static const char *const ends[] = {"END", "NULL", "ISNULL", "NOTNULL", "TRUE", "FALSE", NULL};
    Column c = {.from = i, .to = end};
    if (is(r, end - 1, end, "*") && (i + 1 == end || (i + 3 == end && is(r, i + 1, end, ".")))) {
        c.star = true;
        if (i + 3 == end) c.name = r->t[i].text;
        return c;
    }
    if (r->t[end - 1].kind != WORD) return c;
    if (i + 1 == end || (i + 3 == end && is(r, i + 1, end, "."))) {
        c.name = r->t[end - 1].text;
        return c;
    }
    if (is(r, end - 2, end, "AS")) {
        c.name = r->t[end - 1].text;
        c.to = end - 2;
        return c;
    }
    const Token *before = &r->t[end - 2];
    bool closed = before->kind != SIGN || str_is(before->text, ")");
    if (closed && !is_any(r, end - 2, end, operators) && !is_any(r, end - 1, end, ends)) {
        c.name = r->t[end - 1].text;
        c.to = end - 1;
    }
    return c;
}

static const Core *read_core(Reader *r, size_t i, size_t end, const Scope *scope, const Core *outer) {
    static const char *const from[] = {"FROM", NULL};
    static const char *const clauses[] = {"WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", NULL};
    static const char *const group[] = {"GROUP", NULL}, *const having[] = {"HAVING", NULL};
    static const char *const joins[] = {"JOIN", "LEFT", "INNER", "CROSS", "NATURAL", "RIGHT", "FULL", ",", NULL};
    static const char *const condition[] = {"JOIN",  "LEFT",  "INNER",  "CROSS",  "NATURAL", "RIGHT", "FULL", ",",
                                            "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER",   "LIMIT", NULL};
    Core *core = arena_new_of(r->a, Core);
    static const Core unknown;
    core->t = r->t;
    core->scope = scope;
    core->outer = outer;
    if (!is(r, i, end, "SELECT")) return core;
    size_t at = find_any(r, i, end, from), tail = find_any(r, i, end, clauses);
    size_t list = i + 1, list_end = at < tail ? at : tail;
    if (is(r, list, list_end, "DISTINCT") || is(r, list, list_end, "ALL")) list++;
    typedef struct On {
        size_t from, to, source;
    } On;
    VEC(On) on = {0};
    bool left = false;
    if (at < tail) at++;
    while (at < tail) {
        Source s = {.left = left};
        if (opens_select(r, at, tail)) {
            s.def = read_select(r, at + 1, r->t[at].match, scope, outer);
            s.rows = s.def->rows;
            at = r->t[at].match + 1;
        } else if (is(r, at, tail, "(")) {
            *core = unknown; /* joins in parentheses */
            return core;
        } else if (r->t[at].kind == WORD && is(r, at + 1, tail, "(")) {
            s.alias = r->t[at].text; /* json_each(...) */
            at = r->t[at + 1].match + 1;
        } else if (r->t[at].kind == WORD) {
            s.alias = r->t[at].text;
            find_source(r, s.alias, scope, &s);
            at++;
        } else {
            *core = unknown;
            return core;
        }
        if (is(r, at, tail, "AS")) at++;
        if (at < tail && r->t[at].kind == WORD && !is_any(r, at, tail, condition) && !is(r, at, tail, "ON") &&
            !is(r, at, tail, "USING") && !is(r, at, tail, "INDEXED") && !is(r, at, tail, "NOT"))
            s.alias = r->t[at++].text;
        VEC_PUSH(r->a, &core->sources, s);
        size_t stop = find_any(r, at, tail, joins);
        if (is(r, at, tail, "ON")) VEC_PUSH(r->a, &on, ((On){at + 1, stop, core->sources.count - 1}));
        at = stop;
        left = false;
        for (; is_any(r, at, tail, joins) || is(r, at, tail, "OUTER"); at++) {
            if (is(r, at, tail, "RIGHT") || is(r, at, tail, "FULL") || is(r, at, tail, "NATURAL")) {
                *core = unknown;
                return core;
            }
            left = left || is(r, at, tail, "LEFT");
            if (is(r, at, tail, "JOIN") || is(r, at, tail, ",")) {
                at++;
                break;
            }
        }
    }
    for (size_t k = list; k < list_end;) {
        size_t stop = find_any(r, k, list_end, comma);
        if (stop > k) VEC_PUSH(r->a, &core->columns, read_column(r, k, stop));
        k = stop + 1;
    }
    for (size_t k = 0; k < core->sources.count; k++)
        if (!core->sources.items[k].left) and_with(r->a, &core->rows, &core->sources.items[k].rows);
    for (size_t k = 0; k < on.count; k++) {
        Demand c = wanted(r, on.items[k].from, on.items[k].to, core, &true_value);
        Source *s = &core->sources.items[on.items[k].source];
        if (s->left) s->rows = both(r, s->rows, c);
        else and_with(r->a, &core->rows, &c);
    }
    if (is(r, tail, end, "WHERE")) {
        size_t stop = find_any(r, tail + 1, end, clauses);
        Demand c = wanted(r, tail + 1, stop, core, &true_value);
        and_with(r->a, &core->rows, &c);
    }
    bool grouped = find_any(r, i, end, group) < end;
    size_t filter = find_any(r, i, end, having);
    core->counts = !grouped && (filter < end || counts(r, list, list_end));
    if (!core->counts) and_with(r->a, &core->out, &core->rows);
    core->known = true;
    if (filter < end) {
        Demand c = wanted(r, filter + 1, find_any(r, filter + 1, end, clauses), core, &true_value);
        and_with(r->a, &core->out, &c);
    }
    return core;
}

static const Table *read_select(Reader *r, size_t i, size_t end, const Scope *outer_scope, const Core *outer) {
    static const char *const compound[] = {"UNION", "EXCEPT", "INTERSECT", NULL};
    static const char *const body[] = {"(", NULL};
    Table *table = arena_new_of(r->a, Table);
    if (r->depth > 40) return table;
    Scope *scope = arena_new_of(r->a, Scope);
    scope->outer = outer_scope;
    r->depth++;
    if (is(r, i, end, "WITH")) {
        bool recursive = is(r, i + 1, end, "RECURSIVE");
        i += 1 + (size_t)recursive;
        while (i < end && r->t[i].kind == WORD) {
            Named n = {.name = r->t[i].text};
            size_t names = 0;
            if (is(r, ++i, end, "(")) {
                names = i + 1;
                i = r->t[i].match + 1;
            }
            if (!is(r, i, end, "AS")) break;
            size_t open = find_any(r, i, end, body);
            if (open >= end) break;
            if (recursive) VEC_PUSH(r->a, &scope->with, n); /* its own rows demand nothing */
            const Table *read = read_select(r, open + 1, r->t[open].match, scope, outer);
            Table *named = arena_new_of(r->a, Table);
            *named = *read;
            for (; names && !is(r, names, end, ")"); names++)
                if (r->t[names].kind == WORD) VEC_PUSH(r->a, &named->names, r->t[names].text);
            n.table = named;
            VEC_PUSH(r->a, &scope->with, n);
            i = r->t[open].match + 1;
            if (!is(r, i, end, ",")) break;
            i++;
        }
    }
    table->rows.never = true;
    for (bool counted = true; i < end;) {
        size_t stop = find_any(r, i, end, compound);
        const Core *core = read_core(r, i, stop, scope, outer);
        if (counted) {
            VEC_PUSH(r->a, &table->cores, core);
            table->rows = or_of(r->a, &table->rows, &core->out);
        }
        counted = is(r, stop, end, "UNION"); /* what is taken away, or common, demands no more than the first */
        i = stop + 1 + (size_t)is(r, stop + 1, end, "ALL");
    }
    if (!table->cores.count) table->rows.never = false;
    r->depth--;
    return table;
}

Demand demand_of(Arena *a, Str sql, Str schema) {
    Demand none = {0};
    Tokens tokens = {0};
    if (!tokenize(a, sql, &tokens)) return none;
    Reader r = {.a = a, .t = tokens.items, .schema = schema, .budget = 20 * 1000};
    return read_select(&r, 0, tokens.count, NULL, NULL)->rows;
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
    for (size_t i = 0; i < d->clauses.count && !d->never; i++) {
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
