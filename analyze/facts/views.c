#include "views.h"

#include "../base/embedded.h"

#include <string.h>

enum { MAX_VIEWS = 200 };

typedef struct View {
    Str name, sql, body; /* body: its SELECT */
    bool needed;
    bool alive;                               /* it has to stay a view, as it reads what rules find */
    bool done;                                /* views_settle() was here */
    enum { MISSING, IS_VIEW, IS_TABLE } kind; /* in the database */
} View;

typedef struct NameTable NameTable;

typedef struct ViewList {
    View items[MAX_VIEWS];
    size_t count;
    NameTable *table;
} ViewList;

/* The next statement of the schema, with the comments behind it up to the next. */
static Str next_statement(Str *schema) {
    size_t end = schema->len;
    for (size_t i = 1; i + 7 <= schema->len; i++) {
        const char *at = memchr(schema->p + i, '\n', schema->len - i);
        if (!at) break;
        i = (size_t)(at - schema->p);
        if (str_starts(str_from(*schema, i + 1), "CREATE ")) {
            end = i + 1;
            break;
        }
    }
    Str statement = str_sub(*schema, 0, end);
    *schema = str_from(*schema, end);
    return statement;
}

static bool is_view(Str statement) {
    return str_starts(statement, "CREATE VIEW ");
}

Str views_left_out(Arena *arena, Str schema) {
    StrBuf out;
    sb_init(&out, arena);
    while (schema.len) {
        Str statement = next_statement(&schema);
        if (!is_view(statement)) sb_add(&out, statement);
    }
    return sb_str(&out);
}

/* Letters, digits and '_': a table, as all pages' SQL is read by it. */
static const bool word_chars[256] = {
#define ROW(c) [c] = true, [(c) + 1] = true, [(c) + 2] = true, [(c) + 3] = true, [(c) + 4] = true
    ROW('0'),     ROW('5'), ROW('A'), ROW('F'), ROW('K'), ROW('P'), ROW('U'),     ['Z'] = true,
    ['_'] = true, ROW('a'), ROW('f'), ROW('k'), ROW('p'), ROW('u'), ['z'] = true,
#undef ROW
};

static bool word_char(char c) {
    return word_chars[(unsigned char)c];
}

/* The views by their names; open addressing, at most a quarter full. */
enum { SLOTS = 4 * 256 };
struct NameTable {
    View *slots[SLOTS];
    uint64_t lengths
        [256];   /* of the names that begin with this letter, a bit for each: most words are looked up no further */
    sqlite3 *db; /* of views_settle() */
    Arena *arena;
    ViewsCare care;
};

static View **slot_of(NameTable *t, Str name) {
    size_t i = str_hash(name) % SLOTS;
    while (t->slots[i] && !str_eq(t->slots[i]->name, name)) i = (i + 1) % SLOTS;
    return &t->slots[i];
}

/* Calls `found` for each view that the SQL holds as a word of its own. In a comment or a text it does no harm: one view more. */
static void each_view(NameTable *t, Str sql, void (*found)(View *named, void *arg), void *arg) {
    for (size_t i = 0; i < sql.len;) {
        size_t from = i;
        while (i < sql.len && word_char(sql.p[i])) i++;
        size_t len = i - from;
        if (len < 64 && t->lengths[(unsigned char)sql.p[from]] >> len & 1) {
            View *v = *slot_of(t, str_sub(sql, from, i - from));
            if (v) found(v, arg);
        }
        if (i == from) i++;
    }
}

static void need(View *named, void *arg) {
    NameTable *t = arg;
    if (named->needed) return;
    named->needed = true;
    each_view(t, named->body, need, t);
}

/* All views, in their order, and which of them the texts need. */
static ViewList *read_views(Arena *arena, const Str *texts, size_t count) {
    ViewList *views = arena_new_of(arena, ViewList);
    NameTable *table = views->table = arena_new_of(arena, NameTable);
    const EmbeddedFile *file = embedded_find("analyze/facts/schema.sql");
    Str schema = {(const char *)file->data, file->len};
    while (schema.len) {
        Str statement = next_statement(&schema), rest = statement;
        if (!is_view(statement)) continue;
        if (views->count == MAX_VIEWS) fatal("schema.sql has more than %d views", MAX_VIEWS);
        View *v = &views->items[views->count++];
        str_word(&rest);
        str_word(&rest);
        v->name = str_word(&rest);
        v->sql = statement;
        Str as = str_word(&rest);
        if (!str_ieq(as, STR("as"))) fatal("schema.sql: CREATE VIEW %.*s wants AS next", STR_ARG(v->name));
        size_t end = str_rfind_ch(rest, ';'); /* what follows are comments about the next one */
        v->body = rest = end == SIZE_MAX ? rest : str_sub(rest, 0, end);
        v->needed = !texts;
        v->alive = str_has(rest, "FROM finding ") || str_has(rest, "JOIN finding ");
        View **slot = slot_of(table, v->name);
        if (*slot) fatal("schema.sql has two views %.*s", STR_ARG(v->name));
        *slot = v;
        if (v->name.len >= 64) fatal("schema.sql: the name %.*s is too long", STR_ARG(v->name));
        table->lengths[(unsigned char)v->name.p[0]] |= (uint64_t)1 << v->name.len;
    }
    for (size_t i = 0; i < count; i++) each_view(table, texts[i], need, table);
    return views;
}

static bool execute(sqlite3 *db, Arena *arena, const char *head, Str name, const char *middle, Str rest) {
    const char *sql = arena_fmt(arena, "%s%.*s%s%.*s", head, STR_ARG(name), middle, STR_ARG(rest));
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* What the database has under the names of the views. */
static void read_kinds(ViewList *views, sqlite3 *db) {
    sqlite3_stmt *st;
    const char *sql = "SELECT name, type = 'table' FROM sqlite_schema WHERE type IN ('table', 'view')";
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) return;
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        View *v = name ? *slot_of(views->table, str_of(name)) : NULL;
        if (v) v->kind = sqlite3_column_int(st, 1) ? IS_TABLE : IS_VIEW;
    }
    sqlite3_finalize(st);
}

/* A view found its rows by the indices below it; a table of thousands needs one of its own. */
static void index_table(sqlite3 *db, Arena *arena, Str name) {
    enum { FEW_ROWS = 200 };
    static const char *const owners[] = {"node", "drive"};
    const char *sql = arena_fmt(arena, "SELECT 1 FROM %.*s WHERE rowid = %d", STR_ARG(name), FEW_ROWS);
    sqlite3_stmt *st;
    bool many = sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW;
    sqlite3_finalize(st);
    for (size_t i = 0; many && i < sizeof owners / sizeof *owners; i++) {
        /* Fails where there is no such column, and then there is nothing to index. */
        sql = arena_fmt(arena, "CREATE INDEX %.*s_%s ON %.*s(capture, %s)", STR_ARG(name), owners[i], STR_ARG(name),
                        owners[i]);
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) return;
    }
}

bool views_create(sqlite3 *db, Arena *arena, const Str *texts, size_t count, Error *err) {
    ViewList *views = read_views(arena, texts, count);
    read_kinds(views, db);
    for (size_t i = 0; i < views->count; i++) {
        const View *v = &views->items[i];
        if (!v->needed || v->kind != MISSING) continue;
        if (!execute(db, arena, "", v->sql, "", STR_NONE))
            return error_set(err, "schema.sql: view %.*s: %s", STR_ARG(v->name), sqlite3_errmsg(db));
    }
    return true;
}

typedef struct Settling {
    NameTable *table;
    View *reader; /* NULL: asked for by itself */
} Settling;

/* What a view reads comes first; where that has to stay a view, so has the reader. */
static void settle(View *v, void *arg) {
    const Settling *s = arg;
    if (!v->done) {
        v->done = true; /* before the views below: a circle, which SQLite would refuse, must end here as well */
        Settling below = {s->table, v};
        each_view(s->table, v->body, settle, &below);
        sqlite3 *db = s->table->db;
        Arena *arena = s->table->arena;
        const ViewsCare *care = &s->table->care;
        if (care->before_each) care->before_each();
        if (v->kind == IS_VIEW && !v->alive) execute(db, arena, "DROP VIEW ", v->name, "", STR_NONE);
        bool there = v->kind == IS_TABLE || (v->kind == IS_VIEW && v->alive);
        if (!there && !v->alive) {
            const char *empty = care->empty_of ? care->empty_of(care->arg, v->name) : NULL;
            there = empty && sqlite3_exec(db, empty, NULL, NULL, NULL) == SQLITE_OK;
            if (!there) {
                there = execute(db, arena, "CREATE TABLE ", v->name, " AS ", v->body);
                if (there) index_table(db, arena, v->name);
            }
            if (there && care->settled) care->settled(care->arg, v->name);
        }
        /* The budget may be what ran out; newer SQLite asks for it while it prepares, too. */
        if (!there && care->before_each) care->before_each();
        if (!there && !execute(db, arena, "", v->sql, "", STR_NONE))
            fatal("view %.*s: %s", STR_ARG(v->name), sqlite3_errmsg(db));
    }
    if (s->reader) s->reader->alive = s->reader->alive || v->alive;
}

void views_settle(sqlite3 *db, Arena *arena, const Str *texts, size_t count, const ViewsCare *care) {
    ViewList *views = read_views(arena, texts, count);
    views->table->db = db;
    views->table->arena = arena;
    if (care) views->table->care = *care;
    read_kinds(views, db);
    Settling alone = {views->table, NULL};
    for (size_t i = 0; i < views->count; i++)
        if (views->items[i].needed) settle(&views->items[i], &alone);
}
