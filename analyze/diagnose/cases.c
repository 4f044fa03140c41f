#include "cases.h"

#include "../facts/views.h"
#include "evaluate.h"
#include "symptoms.h"

#include <math.h>
#include <stdlib.h>

enum {
    HOST_NODE = 1000, /* of the host a case does not describe */
    OTHER_CAPTURE = 9000,
    OTHER_SOURCES = 9000 /* added to the sources of the copy */
};

typedef struct Pair {
    Str column, value; /* value.p == NULL: NULL */
    char op;           /* '=', '>' for >=, '<' for <= */
} Pair;
typedef VEC(Pair) PairList;

typedef struct CaseRow {
    Str table, text;
    int line;
    PairList pairs;
} CaseRow;

typedef struct Expect {
    Str answer, node;
    int line;
    PairList pairs;
} Expect;

typedef struct Case {
    Arena *a; /* of this case */
    const Page *page;
    Str name;
    VEC(CaseRow) rows;
    VEC(Expect) expects;
    Facts *facts;
    sqlite3 *db;
    int64_t next_line;
    int at_line; /* of the complaint */
    Error err;
} Case;

static bool complain(Case *c, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool complain(Case *c, int line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vfmt(c->a, fmt, ap);
    va_end(ap);
    c->at_line = line;
    return error_set(&c->err, "%s", text);
}

/* ---------------------------------------------------------------- reading */

/* A value up to the next blank, or what its quotes hold. false: a quote is not closed. */
static bool take_value(Arena *a, Str *s, Str *value) {
    char quote = s->len ? s->p[0] : 0;
    if (quote != '\'' && quote != '"') {
        size_t n = 0;
        while (n < s->len && !ch_blank(s->p[n])) n++;
        *value = n ? str_sub(*s, 0, n) : STR_NONE;
        *s = str_from(*s, n);
        return true;
    }
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 1; i < s->len; i++) {
        if (s->p[i] != quote) {
            sb_addc(&out, s->p[i]);
        } else if (i + 1 < s->len && s->p[i + 1] == quote) {
            sb_addc(&out, quote);
            i++;
        } else {
            *value = sb_str(&out);
            *s = str_from(*s, i + 1);
            return !s->len || ch_blank(s->p[0]);
        }
    }
    return false;
}

static bool take_pairs(Case *c, int line, Str s, PairList *out) {
    for (s = str_trim_left(s); s.len; s = str_trim_left(s)) {
        Pair p = {.op = '='};
        Str item = s;
        size_t n = 0;
        while (n < s.len && (ch_alnum(s.p[n]) || s.p[n] == '_')) n++;
        p.column = str_sub(s, 0, n);
        s = str_from(s, n);
        if (str_starts(s, ">=") || str_starts(s, "<=")) {
            p.op = s.p[0];
            s = str_from(s, 2);
        } else if (str_starts(s, "=")) {
            s = str_from(s, 1);
        } else {
            n = 0;
        }
        if (!n) return complain(c, line, "expected column=value at \"%.*s\"", STR_ARG(str_sub(item, 0, 40)));
        if (!take_value(c->a, &s, &p.value))
            return complain(c, line, "the quotes of %.*s are not closed", STR_ARG(p.column));
        for (size_t i = 0; i < out->count; i++)
            if (str_eq(out->items[i].column, p.column) && out->items[i].op == p.op)
                return complain(c, line, "%.*s stands twice", STR_ARG(p.column));
        VEC_PUSH(c->a, out, p);
    }
    return true;
}

static const Pair *pair_of(const PairList *pairs, const char *column) {
    for (size_t i = 0; i < pairs->count; i++)
        if (str_is(pairs->items[i].column, column)) return &pairs->items[i];
    return NULL;
}

static int64_t int_of(const PairList *pairs, const char *column, int64_t otherwise) {
    const Pair *p = pair_of(pairs, column);
    int64_t v;
    return p && str_i64(p->value, &v) ? v : otherwise;
}

static bool read_expect(Case *c, int line, Str rest) {
    Expect e = {.line = line, .answer = str_word(&rest)};
    rest = str_trim_left(rest);
    if (!str_is(e.answer, "found") && !str_is(e.answer, "ruled-out") && !str_is(e.answer, "silent") &&
        !str_is(e.answer, "not-checked"))
        return complain(c, line, "expect found, ruled-out, not-checked or silent, not \"%.*s\"", STR_ARG(e.answer));
    if (!take_value(c->a, &rest, &e.node)) return complain(c, line, "the quotes of the node are not closed");
    if (!e.node.len) return complain(c, line, "expect %.*s of which node?", STR_ARG(e.answer));
    if (!take_pairs(c, line, rest, &e.pairs)) return false;
    if (e.pairs.count && !str_is(e.answer, "found")) return complain(c, line, "only a found row has columns");
    for (size_t i = 0; i < e.pairs.count; i++) {
        double figure;
        if (e.pairs.items[i].op != '=' && !str_double(e.pairs.items[i].value, &figure))
            return complain(c, line, "%.*s is compared with no number", STR_ARG(e.pairs.items[i].column));
    }
    VEC_PUSH(c->a, &c->expects, e);
    return true;
}

static bool read_case(Case *c, const CaseBlock *block) {
    Str rest = block->text;
    int line = block->line;
    while (rest.len) {
        Str l = str_trim(str_cut(&rest, '\n')), word_rest = l;
        line++;
        if (!l.len || l.p[0] == '#') continue;
        Str word = str_word(&word_rest);
        if (str_is(word, "name:")) {
            c->name = str_trim(word_rest);
        } else if (str_is(word, "expect")) {
            if (!read_expect(c, line, word_rest)) return false;
        } else {
            CaseRow row = {.table = word, .text = l, .line = line};
            if (str_is(word, "sample") || str_is(word, "reach"))
                return complain(c, line, "%.*s takes no rows", STR_ARG(word));
            if (!take_pairs(c, line, word_rest, &row.pairs)) return false;
            for (size_t i = 0; i < row.pairs.count; i++)
                if (row.pairs.items[i].op != '=')
                    return complain(c, line, "expected column=value for %.*s", STR_ARG(row.pairs.items[i].column));
            VEC_PUSH(c->a, &c->rows, row);
        }
    }
    return c->expects.count ? true : complain(c, block->line, "no expect line");
}

/* ---------------------------------------------------------------- writing the facts */

typedef struct Column {
    Str name;
    bool typed;
} Column;
typedef VEC(Column) ColumnList;

static void columns_of(Case *c, Str table, ColumnList *out) {
    sqlite3_stmt *st;
    out->count = 0;
    if (sqlite3_prepare_v2(c->db, "SELECT name, type FROM pragma_table_info(?1)", -1, &st, NULL) != SQLITE_OK) return;
    sqlite3_bind_text64(st, 1, table.p, table.len, SQLITE_STATIC, SQLITE_UTF8);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(st, 1);
        Column column = {arena_str(c->a, str_of((const char *)sqlite3_column_text(st, 0))), type && *type};
        VEC_PUSH(c->a, out, column);
    }
    sqlite3_finalize(st);
}

static bool has_column(const ColumnList *columns, const char *name) {
    for (size_t i = 0; i < columns->count; i++)
        if (str_is(columns->items[i].name, name)) return true;
    return false;
}

static bool exists(Case *c, const char *sql, int64_t id) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(c->db, sql, -1, &st, NULL) != SQLITE_OK) fatal("cases: %s", sqlite3_errmsg(c->db));
    sqlite3_bind_int64(st, 1, id);
    bool hit = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_finalize(st);
    return hit;
}

static void run(Case *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void run(Case *c, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    char *sql = arena_vfmt(c->a, fmt, ap);
    va_end(ap);
    if (sqlite3_exec(c->db, sql, NULL, NULL, NULL) != SQLITE_OK) fatal("cases: %s: %s", sql, sqlite3_errmsg(c->db));
}

/* Columns that hold a node. */
static bool is_node_column(Str table, Str column) {
    if (str_is(column, "node") || str_is(column, "parent") || str_is(column, "child")) return true;
    return (str_is(table, "vdev") && str_is(column, "pool")) ||
           (str_is(table, "place") && str_is(column, "controller")) ||
           (str_is(table, "recorded_name") && str_is(column, "holder")) ||
           (str_is(table, "peer") && str_is(column, "drive"));
}

static void add_pair(Case *c, PairList *pairs, const char *column, Str value) {
    if (pair_of(pairs, column)) return;
    Pair p = {str_of(column), value, '='};
    VEC_PUSH(c->a, pairs, p);
}

/* What is usual for a table and not said. */
static void add_usual(Case *c, Str table, const ColumnList *columns, PairList *pairs) {
    if (has_column(columns, "capture")) add_pair(c, pairs, "capture", STR("1"));
    int64_t capture = int_of(pairs, "capture", 1);
    if (has_column(columns, "boot")) add_pair(c, pairs, "boot", STR("0"));
    if (has_column(columns, "src")) add_pair(c, pairs, "src", c->page->compare && capture == 2 ? STR("2") : STR("1"));
    if (has_column(columns, "line")) add_pair(c, pairs, "line", arena_strf(c->a, "%lld", (long long)c->next_line++));
    if (has_column(columns, "bundle"))
        add_pair(c, pairs, "bundle", c->page->compare && capture == 2 ? STR("2") : STR("1"));
    if (str_is(table, "source")) {
        add_pair(c, pairs, "member", STR("case.txt"));
        add_pair(c, pairs, "status", STR("parsed"));
    } else if (str_is(table, "node")) {
        const Pair *key = pair_of(pairs, "key"), *kind = pair_of(pairs, "kind");
        Str label = key ? key->value : kind ? kind->value : STR("node");
        size_t colon = str_find_ch(label, ':');
        add_pair(c, pairs, "label", colon == SIZE_MAX ? label : str_from(label, colon + 1));
    } else if (str_is(table, "finding")) {
        add_pair(c, pairs, "answer", STR("found"));
        const Pair *symptom = pair_of(pairs, "symptom");
        if (symptom) add_pair(c, pairs, "kind", STR("symptom"));
        if (symptom) add_pair(c, pairs, "rule", symptom->value);
    }
}

static bool keep_text(Case *c, const CaseRow *row, const PairList *pairs, Str text) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(c->db, "INSERT OR IGNORE INTO line_text(src, line, text) VALUES(?1, ?2, ?3)", -1, &st,
                           NULL) != SQLITE_OK)
        fatal("cases: %s", sqlite3_errmsg(c->db));
    sqlite3_bind_int64(st, 1, int_of(pairs, "src", 1));
    sqlite3_bind_int64(st, 2, int_of(pairs, "line", 0));
    if (!text.p) text = row->text;
    sqlite3_bind_text64(st, 3, text.p, text.len, SQLITE_STATIC, SQLITE_UTF8);
    bool good = sqlite3_step(st) == SQLITE_DONE;
    sqlite3_finalize(st);
    return good ? true : complain(c, row->line, "%s", sqlite3_errmsg(c->db));
}

/* What speaks of a thing names it: needs such as `lspci@controller` ask for the name. */
static void keep_name(Case *c, int64_t src, int64_t node) {
    run(c,
        "INSERT INTO ref(src, boot, kind, name, node) SELECT %lld, 0, kind, label, id FROM node WHERE id = %lld AND "
        "NOT EXISTS (SELECT 1 FROM ref WHERE"
        " src = %lld AND node = %lld)",
        (long long)src, (long long)node, (long long)src, (long long)node);
}

static bool insert_row(Case *c, const CaseRow *row) {
    ColumnList columns = {0};
    columns_of(c, row->table, &columns);
    if (!columns.count) return complain(c, row->line, "there is no table %.*s", STR_ARG(row->table));
    PairList pairs = {0};
    Str text = STR_NONE;
    for (size_t i = 0; i < row->pairs.count; i++) {
        Pair p = row->pairs.items[i];
        if (str_is(p.column, "text") && !has_column(&columns, "text")) text = p.value;
        else VEC_PUSH(c->a, &pairs, p);
    }
    add_usual(c, row->table, &columns, &pairs);
    StrBuf names, marks;
    sb_init(&names, c->a);
    sb_init(&marks, c->a);
    for (size_t i = 0; i < pairs.count; i++) {
        Pair *p = &pairs.items[i];
        if (!has_column(&columns, arena_cstr(c->a, p->column)))
            return complain(c, row->line, "%.*s has no column %.*s", STR_ARG(row->table), STR_ARG(p->column));
        int64_t node;
        if (p->value.p && is_node_column(row->table, p->column) &&
            (!str_i64(p->value, &node) || !exists(c, "SELECT 1 FROM node WHERE id = ?1", node)))
            return complain(c, row->line, "%.*s=%.*s: the case has no such node", STR_ARG(p->column),
                            STR_ARG(p->value));
        if (str_is(row->table, "setting") && str_is(p->column, "key") && !facts_known_key(p->value))
            return complain(c, row->line, "no parser writes a setting \"%.*s\" (keys.def)", STR_ARG(p->value));
        if (str_is(row->table, "finding") && str_is(p->column, "symptom") && p->value.p && !symptom_find(p->value))
            return complain(c, row->line, "there is no symptom \"%.*s\"", STR_ARG(p->value));
        sb_addf(&names, "%s\"%.*s\"", i ? ", " : "", STR_ARG(p->column));
        sb_addf(&marks, "%s?%zu", i ? ", " : "", i + 1);
    }
    sqlite3_stmt *st;
    char *sql =
        arena_fmt(c->a, "INSERT INTO \"%.*s\"(%s) VALUES(%s)", STR_ARG(row->table), sb_str(&names).p, sb_str(&marks).p);
    if (sqlite3_prepare_v2(c->db, sql, -1, &st, NULL) != SQLITE_OK)
        return complain(c, row->line, "%s", sqlite3_errmsg(c->db));
    for (size_t i = 0; i < pairs.count; i++) {
        Str value = pairs.items[i].value;
        double figure;
        bool typed = true;
        for (size_t k = 0; k < columns.count; k++)
            if (str_eq(columns.items[k].name, pairs.items[i].column)) typed = columns.items[k].typed;
        if (!value.p) sqlite3_bind_null(st, (int)i + 1);
        else if (!typed && str_double(value, &figure)) /* no affinity turns the text into a number */
            sqlite3_bind_double(st, (int)i + 1, figure);
        else sqlite3_bind_text64(st, (int)i + 1, value.p, value.len, SQLITE_STATIC, SQLITE_UTF8);
    }
    bool good = sqlite3_step(st) == SQLITE_DONE;
    if (!good) complain(c, row->line, "%s", sqlite3_errmsg(c->db));
    sqlite3_finalize(st);
    if (!good) return false;
    if (!has_column(&columns, "src")) return true;
    for (size_t i = 0; i < pairs.count; i++) {
        int64_t node;
        if (is_node_column(row->table, pairs.items[i].column) && str_i64(pairs.items[i].value, &node))
            keep_name(c, int_of(&pairs, "src", 1), node);
    }
    return !has_column(&columns, "line") || str_is(row->table, "line_text") ? true : keep_text(c, row, &pairs, text);
}

static bool insert_table(Case *c, const char *table) {
    for (size_t i = 0; i < c->rows.count; i++)
        if (str_is(c->rows.items[i].table, table) && !insert_row(c, &c->rows.items[i])) return false;
    return true;
}

static bool write_facts(Case *c) {
    static const char *const first[] = {"bundle", "capture", "source", "node", "host", "boot"};
    const size_t first_count = sizeof first / sizeof *first;
    for (size_t i = 0; i < 5; i++)
        if (!insert_table(c, first[i])) return false;
    for (int k = 1; k <= (c->page->compare ? 2 : 1); k++) {
        run(c, "INSERT OR IGNORE INTO bundle(id, label, kind) VALUES(%d, 'case', 'stordx')", k);
        run(c, "INSERT OR IGNORE INTO capture(id, bundle, label) VALUES(%d, %d, 'case')", k, k);
        run(c,
            "INSERT OR IGNORE INTO source(id, bundle, capture, member, status, boot) VALUES(%d, %d, %d, 'case.txt', "
            "'parsed', 0)",
            k, k, k);
        run(c,
            "INSERT INTO host(node, capture) SELECT min(id), %d FROM node WHERE kind = 'host' AND id NOT IN (SELECT "
            "node FROM host)"
            " AND NOT EXISTS (SELECT 1 FROM host WHERE capture = %d) HAVING min(id) IS NOT NULL",
            k, k);
        if (!exists(c, "SELECT 1 FROM host WHERE capture = ?1", k)) {
            const char *key = !c->page->compare ? "host" : k == 1 ? "host@1" : "host@2";
            run(c, "INSERT OR IGNORE INTO node(id, kind, key, label) VALUES(%d, 'host', '%s', 'host')",
                HOST_NODE + k - 1, key);
            run(c, "INSERT INTO host(node, capture) SELECT id, %d FROM node WHERE key = '%s'", k, key);
        }
    }
    if (!insert_table(c, "boot")) return false;
    run(c, "INSERT INTO boot(capture, seq) SELECT id, 0 FROM capture c WHERE NOT EXISTS (SELECT 1 FROM boot b WHERE "
           "b.capture = c.id)");
    for (size_t i = 0; i < c->rows.count; i++) {
        CaseRow *row = &c->rows.items[i];
        bool done = false;
        for (size_t k = 0; k < first_count && !done; k++) done = str_is(row->table, first[k]);
        if (done) continue;
        int64_t capture = int_of(&row->pairs, "capture", 1), src = int_of(&row->pairs, "src", 0);
        if (src > 0)
            run(c,
                "INSERT OR IGNORE INTO source(id, bundle, capture, member, status, boot) SELECT %lld, bundle, id, "
                "'case-%lld.txt', 'parsed', 0 FROM capture WHERE id = %lld",
                (long long)src, (long long)src, (long long)capture);
        if (!insert_row(c, row)) return false;
    }
    Error err = {""};
    return facts_topology(c->facts, &err) ? true : complain(c, 0, "%s", err.text);
}

/* Everything of capture 1 once more, as a capture of its own with sources of its own. */
static void copy_capture(Case *c) {
    VEC(Str) tables = {0};
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(c->db,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name "
                           "NOT IN ('sample', 'capture') ORDER BY name",
                           -1, &st, NULL) != SQLITE_OK)
        fatal("cases: %s", sqlite3_errmsg(c->db));
    while (sqlite3_step(st) == SQLITE_ROW)
        VEC_PUSH(c->a, &tables, arena_str(c->a, str_of((const char *)sqlite3_column_text(st, 0))));
    sqlite3_finalize(st);
    run(c,
        "INSERT INTO capture(id, bundle, label, start_s, end_s, uptime_s) SELECT %d, bundle, label, start_s, end_s, "
        "uptime_s FROM capture WHERE id = 1",
        OTHER_CAPTURE);
    for (size_t i = 0; i < tables.count; i++) {
        ColumnList columns = {0};
        columns_of(c, tables.items[i], &columns);
        bool captured = has_column(&columns, "capture");
        if (!captured && !has_column(&columns, "src")) continue;
        bool source = str_is(tables.items[i], "source"),
             own_id = !source && has_column(&columns, "id") && !str_is(tables.items[i], "counter");
        StrBuf names, values;
        sb_init(&names, c->a);
        sb_init(&values, c->a);
        for (size_t k = 0; k < columns.count; k++) {
            Str name = columns.items[k].name;
            if (str_is(name, "id") && own_id) continue; /* made anew */
            if (names.len) sb_addc(&names, ','), sb_addc(&values, ',');
            sb_addf(&names, "\"%.*s\"", STR_ARG(name));
            if (str_is(name, "capture")) sb_addf(&values, "%d", OTHER_CAPTURE);
            else if (str_is(name, "src") || (source && str_is(name, "id")))
                sb_addf(&values, "\"%.*s\" + %d", STR_ARG(name), OTHER_SOURCES);
            else sb_addf(&values, "\"%.*s\"", STR_ARG(name));
        }
        run(c, "INSERT INTO %.*s(%s) SELECT %s FROM %.*s%s", STR_ARG(tables.items[i]), sb_str(&names).p,
            sb_str(&values).p, STR_ARG(tables.items[i]), captured ? " WHERE capture = 1" : "");
    }
}

/* ---------------------------------------------------------------- judging */

static bool same_hits(Arena *a, const Answer *x, const Answer *y) {
    if (x->hits.count != y->hits.count || x->refuted.count != y->refuted.count || x->unmet.count != y->unmet.count)
        return false;
    for (size_t i = 0; i < x->hits.count; i++) {
        const Hit *h = &x->hits.items[i], *o = &y->hits.items[i];
        if (h->node != o->node || h->columns.count != o->columns.count || h->evidence.count != o->evidence.count)
            return false;
        for (size_t k = 0; k < h->columns.count; k++) {
            Str name = h->columns.items[k].name;
            if (!str_eq(placeholder_text(a, &h->columns, name), placeholder_text(a, &o->columns, name))) return false;
        }
    }
    for (size_t i = 0; i < x->refuted.count; i++)
        if (x->refuted.items[i].node != y->refuted.items[i].node ||
            !str_eq(x->refuted.items[i].reason, y->refuted.items[i].reason))
            return false;
    return true;
}

static Str label_of(Case *c, int64_t node) {
    Subject s = subject_of(c->facts, c->a, node, 1);
    return s.id.len ? s.id : STR("the capture");
}

/* All the page said, for a message. */
static Str all_said(Case *c, const Answer *answer) {
    StrBuf out;
    sb_init(&out, c->a);
    for (size_t i = 0; i < answer->hits.count; i++) {
        const Hit *h = &answer->hits.items[i];
        sb_addf(&out, "%sfound %.*s", out.len ? ", " : "", STR_ARG(label_of(c, h->node)));
        if (isfinite(h->confidence))
            sb_addf(&out, " (%.2f%s)", h->confidence, h->evidence.count ? "" : ", no evidence");
    }
    for (size_t i = 0; i < answer->refuted.count; i++) {
        const Refuted *r = &answer->refuted.items[i];
        sb_addf(&out, "%sruled-out %.*s (%.*s)", out.len ? ", " : "", STR_ARG(label_of(c, r->node)),
                STR_ARG(str_sub(r->reason, 0, 80)));
    }
    for (size_t i = 0; i < answer->unmet.count; i++) {
        sb_addf(&out, "%snot-checked %.*s (", out.len ? ", " : "", STR_ARG(label_of(c, answer->unmet.items[i].node)));
        for (size_t k = 0; k < answer->unmet.items[i].missing.count; k++)
            sb_addf(&out, "%s%.*s", k ? " " : "", STR_ARG(answer->unmet.items[i].missing.items[k]));
        sb_addc(&out, ')');
    }
    return out.len ? sb_str(&out) : STR("nothing");
}

static bool column_holds(Case *c, const Hit *h, const Pair *p) {
    double wanted, have;
    Str text = placeholder_text(c->a, &h->columns, p->column);
    if (str_is(p->column, "confidence")) have = h->confidence;
    else if (!str_double(text, &have)) have = NAN;
    if (!str_double(p->value, &wanted)) wanted = NAN;
    if (p->op == '>') return have >= wanted - 1e-9;
    if (p->op == '<') return have <= wanted + 1e-9;
    return isfinite(wanted) && isfinite(have) ? fabs(have - wanted) < 1e-9 : str_eq(text, p->value);
}

static bool judge_found(Case *c, const Expect *e, const Answer *answer, int64_t node, const char **why) {
    bool evidence = answer->page->kind == PAGE_NOTE || answer->page->kind == PAGE_VERDICT, best = false;
    *why = "";
    for (size_t i = 0; i < answer->hits.count; i++) {
        const Hit *h = &answer->hits.items[i];
        if (h->node != node || h->confidence < CONFIDENCE_SHOWN) continue;
        evidence = evidence || h->evidence.count;
        bool holds = true;
        for (size_t k = 0; k < e->pairs.count; k++) {
            if (column_holds(c, h, &e->pairs.items[k])) continue;
            holds = false;
            const Pair *p = &e->pairs.items[k];
            *why = arena_fmt(c->a, "; %.*s is \"%.*s\"", STR_ARG(p->column),
                             STR_ARG(placeholder_text(c->a, &h->columns, p->column)));
        }
        best = best || holds;
    }
    if (best && !evidence) *why = "; a finding needs a line of evidence";
    return best && evidence;
}

static bool judge(Case *c, const Expect *e, const Answer *answer) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(
            c->db, "SELECT id FROM node WHERE key = ?1 OR label = ?1 OR id IN (SELECT node FROM drive WHERE name = ?1)",
            -1, &st, NULL) != SQLITE_OK)
        fatal("cases: %s", sqlite3_errmsg(c->db));
    sqlite3_bind_text64(st, 1, e->node.p, e->node.len, SQLITE_STATIC, SQLITE_UTF8);
    size_t nodes = 0;
    bool found = false, ruled_out = false, unmet = false, as_wanted = false;
    const char *why = "";
    while (sqlite3_step(st) == SQLITE_ROW) { /* a label may be that of several nodes: any of them */
        int64_t node = sqlite3_column_int64(st, 0);
        nodes++;
        for (size_t i = 0; i < answer->hits.count; i++)
            if (answer->hits.items[i].node == node && !(answer->hits.items[i].confidence < CONFIDENCE_SHOWN))
                found = true;
        for (size_t i = 0; i < answer->refuted.count; i++)
            if (answer->refuted.items[i].node == node) ruled_out = true;
        for (size_t i = 0; i < answer->unmet.count; i++)
            if (answer->unmet.items[i].node == node || answer->unmet.items[i].node == 0) unmet = true;
        if (str_is(e->answer, "found") && !as_wanted) as_wanted = judge_found(c, e, answer, node, &why);
    }
    sqlite3_finalize(st);
    if (!nodes) return complain(c, e->line, "the case has no node %.*s", STR_ARG(e->node));
    if (str_is(e->answer, "ruled-out")) as_wanted = ruled_out;
    if (str_is(e->answer, "not-checked")) as_wanted = unmet && !found && !ruled_out;
    if (str_is(e->answer, "silent")) as_wanted = !found && !ruled_out;
    if (as_wanted) return true;
    return complain(c, e->line, "expected %.*s %.*s, came: %.*s%s", STR_ARG(e->answer), STR_ARG(e->node),
                    STR_ARG(all_said(c, answer)), why);
}

static void ask(Case *c, Answer *answer, Evaluation *e) {
    *e = (Evaluation){.facts = c->facts, .arena = c->a, .capture = 1};
    if (c->page->compare) {
        e->before = 1;
        e->after = 2;
        e->capture = 2;
    }
    Error err = {""};
    Str texts[] = {c->page->evidence_sql, c->page->ruled_out_sql, c->page->applies};
    if (!views_create(c->db, c->a, texts, sizeof texts / sizeof *texts, &err)) fatal("%s", err.text);
    e->presence = presence_new(c->a, c->db);
    evaluate_lock(c->db);
    evaluate_page(e, c->page, answer);
    evaluate_unlock(c->db);
}

/* twice: in two captures, too, whose answers must not mix. */
static bool run_case(Case *c, const CaseBlock *block, bool twice) {
    if (!read_case(c, block)) return false;
    Error err = {""};
    c->facts = facts_new(c->a, &err);
    if (!c->facts) return complain(c, block->line, "%s", err.text);
    facts_flush(c->facts);
    c->db = facts_db(c->facts);
    if (!write_facts(c)) return false;
    Answer answer, again;
    Evaluation e;
    ask(c, &answer, &e);
    if (answer.broken) return complain(c, block->line, "%.*s", STR_ARG(e.warnings.items[0]));
    for (size_t i = 0; i < c->expects.count; i++)
        if (!judge(c, &c->expects.items[i], &answer)) return false;
    if (c->page->compare || !twice) return true;
    copy_capture(c);
    ask(c, &again, &e);
    if (!same_hits(c->a, &answer, &again))
        return complain(c, block->line,
                        "the same facts in another capture change the answer to: %.*s (was: %.*s); a table is not "
                        "filtered by capture = :capture",
                        STR_ARG(all_said(c, &again)), STR_ARG(all_said(c, &answer)));
    return true;
}

size_t cases_run(Arena *a, const Pages *pages, StrBuf *log, size_t *passed, size_t *failed) {
    size_t good = 0, bad = 0;
    (void)a;
    evaluate_distrusts_demands = true;
    for (size_t i = 0; i < pages->count; i++)
        for (size_t k = 0; k < pages->items[i]->cases.count; k++) {
            const Page *page = pages->items[i];
            Arena *arena =
                arena_new((size_t)512 << 20); /* a case at a time: hundreds of databases need not live together */
            Case *c = arena_new_of(arena, Case);
            *c = (Case){.a = arena, .page = page, .next_line = 1};
            /* A table that is not filtered by its capture shows in each case in which it has rows: three of a page are enough. */
            if (run_case(c, &page->cases.items[k], k < 3)) {
                good++;
            } else {
                bad++;
                sb_addf(log, "%.*s:%d: %.*s%s%s\n", STR_ARG(page->file),
                        c->at_line ? c->at_line : page->cases.items[k].line, STR_ARG(c->name), c->name.len ? ": " : "",
                        c->err.text);
            }
            arena_free(arena);
        }
    evaluate_distrusts_demands = false;
    if (passed) *passed = good;
    if (failed) *failed = bad;
    return bad;
}
