#include "facts.h"

#include "../base/embedded.h"
#include "../base/heap.h"
#include "samples.h"
#include "sqlfunc.h"
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COLUMNS = 40 };

typedef struct TableInfo {
    struct TableInfo *next;
    const char *name;
    char *columns[MAX_COLUMNS];
    int count, src, line, boot; /* positions of the columns filled in here; -1 without */
    sqlite3_stmt *insert;
} TableInfo;

/* Open-addressing hash map from bytes to an integer; grows in the arena. */
typedef struct MapSlot {
    Str key;
    uint64_t hash;
    int64_t value;
} MapSlot;
typedef struct Map {
    MapSlot *slots;
    size_t cap, count;
} Map;

typedef struct PartLine {
    int64_t line, part;
} PartLine;

struct Facts {
    Arena *arena;
    sqlite3 *db;
    Samples *samples;
    TableInfo *tables;
    Map refs, paths, queries; /* queries: text to sqlite3_stmt */
    VEC(PartLine) part_lines; /* behind the numbers of facts_part_line() */
    int64_t next_path_line;   /* negative numbers for spots without a line, unique over the run */
    int64_t boot_src;
    int boot_index;
    int64_t rows, dropped_rows, statements;
    size_t text_bytes;  /* of kept lines */
    size_t value_bytes; /* of the texts in all other rows */
    sqlite3_stmt *keep_line;
};

static const char *const ref_kind_names[] = {
    [REF_HOST] = "host",       [REF_DISK] = "disk",          [REF_LINK] = "link",
    [REF_ATA] = "ata",         [REF_SCSI] = "scsi",          [REF_PCI] = "pci",
    [REF_USB] = "usb",         [REF_SCSI_HOST] = "scsihost", [REF_POOL] = "pool",
    [REF_VDEV] = "vdev",       [REF_MEMBER] = "member",      [REF_ARRAY] = "array",
    [REF_SERIAL] = "serial",   [REF_PROCESS] = "process",    [REF_FILESYSTEM] = "filesystem",
    [REF_DATASET] = "dataset", [REF_SLOT] = "slot",
};

static const char *const setting_keys[] = {
#define KEY(name, meaning) name,
#include "keys.def"
#undef KEY
};

/* ---------------------------------------------------------------- maps */

static MapSlot *map_find(Map *m, Str key, uint64_t hash) {
    for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        MapSlot *s = &m->slots[i];
        if (!s->key.p || (s->hash == hash && str_eq(s->key, key))) return s;
    }
}

/* Slot of key; a new one has key.p set and value 0. */
static MapSlot *map_get(Map *m, Arena *a, Str key) {
    if (m->count * 2 >= m->cap) {
        Map bigger = {.cap = m->cap ? m->cap * 2 : 256, .count = m->count};
        bigger.slots = arena_array(a, MapSlot, bigger.cap);
        for (size_t i = 0; i < m->cap; i++)
            if (m->slots[i].key.p) *map_find(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
        *m = bigger;
    }
    uint64_t hash = str_hash(key);
    MapSlot *s = map_find(m, key, hash);
    if (!s->key.p) {
        s->key = arena_str(a, key);
        s->hash = hash;
        m->count++;
    }
    return s;
}

/* ---------------------------------------------------------------- database */

static void sql_fatal(sqlite3 *db, const char *what) {
    fatal("fact database: %s: %s", what, sqlite3_errmsg(db));
}

static void close_db(void *object) {
    Facts *f = object;
    for (TableInfo *t = f->tables; t; t = t->next) sqlite3_finalize(t->insert);
    sqlite3_finalize(f->keep_line);
    for (size_t i = 0; i < f->queries.cap; i++)
        if (f->queries.slots[i].key.p) sqlite3_finalize((sqlite3_stmt *)(uintptr_t)f->queries.slots[i].value);
    samples_free(f->samples);
    sqlite3_close_v2(f->db);
}

Facts *facts_new(Arena *arena, Error *err) {
    Facts *f = arena_new_of(arena, Facts);
    f->arena = arena;
    f->next_path_line = -1;
    /* One thread uses it, and nobody asks how much memory SQLite has. Refused where SQLite runs already, which does no harm. */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (sqlite3_open_v2(":memory:", &f->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK) {
        error_set(err, "cannot open an in-memory database: %s", sqlite3_errmsg(f->db));
        sqlite3_close(f->db);
        return NULL;
    }
    arena_defer(arena, close_db, f);
    sqlite3_exec(f->db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;", NULL, NULL, NULL);
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    if (!schema) {
        error_set(err, "the schema is not built in");
        return NULL;
    }
    Str sql = views_left_out(arena, (Str){(const char *)schema->data, schema->len});
    if (sqlite3_exec(f->db, sql.p, NULL, NULL, NULL) != SQLITE_OK) {
        error_set(err, "schema.sql: %s", sqlite3_errmsg(f->db));
        return NULL;
    }
    if (!sqlfunc_register(f->db, err)) return NULL;
    f->samples = samples_new(f, SAMPLES_DEFAULT_BUDGET);
    if (!samples_register(f->samples, f->db, err)) return NULL;
    sqlite3_exec(f->db, "BEGIN", NULL, NULL, NULL);
    return f;
}

sqlite3 *facts_db(Facts *f) {
    return f->db;
}
Samples *facts_samples(Facts *f) {
    return f->samples;
}
Arena *facts_arena(Facts *f) {
    return f->arena;
}

void facts_flush(Facts *f) {
    if (!sqlite3_get_autocommit(f->db)) sqlite3_exec(f->db, "COMMIT", NULL, NULL, NULL);
}

sqlite3_stmt *facts_query(Facts *f, const char *sql) {
    MapSlot *slot = map_get(&f->queries, f->arena, str_of(sql));
    sqlite3_stmt *st = (sqlite3_stmt *)(uintptr_t)slot->value;
    if (st) {
        sqlite3_reset(st);
        sqlite3_clear_bindings(st);
        return st;
    }
    if (sqlite3_prepare_v3(f->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK) sql_fatal(f->db, sql);
    slot->value = (int64_t)(uintptr_t)st;
    return st;
}

static void bind_str(sqlite3_stmt *st, int at, Str s) {
    if (s.p) sqlite3_bind_text64(st, at, s.p, s.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    else sqlite3_bind_null(st, at);
}

/* ---------------------------------------------------------------- rows */

static TableInfo *table_info(Facts *f, const char *name) {
    for (TableInfo *t = f->tables; t; t = t->next)
        if (t->name == name || strcmp(t->name, name) == 0) return t;
    TableInfo *t = arena_new_of(f->arena, TableInfo);
    t->name = arena_fmt(f->arena, "%s", name);
    t->src = t->line = t->boot = -1;
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(f->db, "SELECT name FROM pragma_table_info(?1)", -1, &st, NULL) != SQLITE_OK)
        sql_fatal(f->db, name);
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    StrBuf names, marks;
    sb_init(&names, f->arena);
    sb_init(&marks, f->arena);
    while (sqlite3_step(st) == SQLITE_ROW && t->count < MAX_COLUMNS) {
        char *column = arena_fmt(f->arena, "%s", (const char *)sqlite3_column_text(st, 0));
        if (strcmp(column, "src") == 0) t->src = t->count;
        if (strcmp(column, "line") == 0) t->line = t->count;
        if (strcmp(column, "boot") == 0) t->boot = t->count;
        sb_addf(&names, "%s%s", t->count ? "," : "", column);
        sb_addf(&marks, "%s?%d", t->count ? "," : "", t->count + 1);
        t->columns[t->count++] = column;
    }
    sqlite3_finalize(st);
    if (!t->count) fatal("fact database: no table %s", name);
    char *sql = arena_fmt(f->arena, "INSERT INTO %s(%s) VALUES(%s)", name, sb_str(&names).p, sb_str(&marks).p);
    if (sqlite3_prepare_v3(f->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &t->insert, NULL) != SQLITE_OK)
        sql_fatal(f->db, name);
    t->next = f->tables;
    f->tables = t;
    return t;
}

Row facts_row(Facts *f, const char *table, int64_t src, Spot at) {
    Row r = {.f = f, .table = table_info(f, table)};
    TableInfo *t = r.table;
    /* Rows of no piece are those that say what was left out (bundle, capture, source): there is room for them when facts have none. */
    bool full = f->rows >= FACTS_MAX_ROWS || f->value_bytes > FACTS_MAX_VALUES;
    if (full && (src || f->rows >= 2 * (int64_t)FACTS_MAX_ROWS || f->value_bytes > 2 * FACTS_MAX_VALUES)) {
        r.dropped = true;
        f->dropped_rows++;
        return r;
    }
    sqlite3_clear_bindings(t->insert);
    if (t->src >= 0) sqlite3_bind_int64(t->insert, t->src + 1, src);
    if (t->line >= 0 && (at.line || at.path.p)) sqlite3_bind_int64(t->insert, t->line + 1, facts_keep_line(f, src, at));
    if (t->boot >= 0) sqlite3_bind_int(t->insert, t->boot + 1, f->boot_src == src ? f->boot_index : 0);
    return r;
}

static int row_column(Row *r, const char *column) {
    for (int i = 0; i < r->table->count; i++)
        if (strcmp(r->table->columns[i], column) == 0) return i + 1;
#ifdef __SANITIZE_ADDRESS__
    abort(); /* a parser names a column that schema.sql does not have */
#else
    return 0;
#endif
}

void row_int(Row *r, const char *column, int64_t value) {
    int at = row_column(r, column);
    if (r->dropped || !at || value == FACT_NULL) return;
    sqlite3_bind_int64(r->table->insert, at, value);
}

void row_ref(Row *r, const char *column, Ref ref) {
    row_int(r, column, ref ? ref : FACT_NULL);
}

void row_real(Row *r, const char *column, double value) {
    int at = row_column(r, column);
    if (r->dropped || !at || !isfinite(value)) return;
    sqlite3_bind_double(r->table->insert, at, value);
}

void row_text(Row *r, const char *column, Str value) {
    int at = row_column(r, column);
    if (r->dropped || !at) return;
    value = str_sub(value, 0, FACTS_VALUE_CLIP);
    r->f->value_bytes += value.len;
    bind_str(r->table->insert, at, value);
}

int64_t row_done(Row *r) {
    if (r->dropped) return 0;
    sqlite3_stmt *st = r->table->insert;
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    if (rc != SQLITE_DONE) sql_fatal(r->f->db, r->table->name);
    r->f->rows++;
    return sqlite3_last_insert_rowid(r->f->db);
}

/* Numbers of parts of lines lie above any number a line can have. */
#define FIRST_PART ((int64_t)1 << 40)
enum { MAX_PARTS = 4 * 1000 * 1000 };

int64_t facts_part_line(Facts *f, int64_t line) {
    size_t n = f->part_lines.count;
    if (n >= MAX_PARTS) return line;
    bool next = n && f->part_lines.items[n - 1].line == line;
    PartLine part = {line, next ? f->part_lines.items[n - 1].part + 1 : 1};
    VEC_PUSH(f->arena, &f->part_lines, part);
    return FIRST_PART + (int64_t)n;
}

static const PartLine *part_at(const Facts *f, int64_t line) {
    size_t i = line >= FIRST_PART ? (size_t)(line - FIRST_PART) : SIZE_MAX;
    return i < f->part_lines.count ? &f->part_lines.items[i] : NULL;
}

int64_t facts_real_line(const Facts *f, int64_t line) {
    const PartLine *part = part_at(f, line);
    return part ? part->line : line;
}

int64_t facts_keep_line(Facts *f, int64_t src, Spot at) {
    int64_t line = at.line;
    const PartLine *part = part_at(f, line);
    if (part) {
        at.path = arena_strf(f->arena, "line %lld part %lld", (long long)part->line, (long long)part->part);
        line = 0;
    }
    if (line <= 0) {
        StrBuf key;
        sb_init(&key, f->arena);
        sb_addf(&key, "%lld|", (long long)src);
        sb_add(&key, at.path);
        MapSlot *slot = map_get(&f->paths, f->arena, sb_str(&key));
        if (slot->value) return slot->value;
        line = slot->value = f->next_path_line--;
    }
    if (f->text_bytes > FACTS_MAX_TEXT) return line;
    if (!f->keep_line && sqlite3_prepare_v3(f->db, "INSERT OR IGNORE INTO line_text VALUES(?1,?2,?3,?4)", -1,
                                            SQLITE_PREPARE_PERSISTENT, &f->keep_line, NULL) != SQLITE_OK)
        sql_fatal(f->db, "line_text");
    Str text = str_sub(at.text, 0, FACTS_LINE_CLIP);
    sqlite3_bind_int64(f->keep_line, 1, src);
    sqlite3_bind_int64(f->keep_line, 2, line);
    bind_str(f->keep_line, 3, text.p ? text : STR(""));
    bind_str(f->keep_line, 4, at.path);
    if (sqlite3_step(f->keep_line) != SQLITE_DONE) sql_fatal(f->db, "line_text");
    sqlite3_reset(f->keep_line);
    f->text_bytes += text.len + 64;
    return line;
}

/* ---------------------------------------------------------------- structure of the upload */

int64_t facts_bundle(Facts *f, Str label, Str kind) {
    Row r = facts_row(f, "bundle", 0, (Spot){0});
    row_text(&r, "label", label);
    row_text(&r, "kind", kind);
    return row_done(&r);
}

int64_t facts_capture(Facts *f, int64_t bundle, Str label) {
    Row r = facts_row(f, "capture", 0, (Spot){0});
    row_int(&r, "bundle", bundle);
    row_text(&r, "label", label);
    return row_done(&r);
}

int64_t facts_source(Facts *f, int64_t bundle, int64_t capture, Str member, int64_t line_first, const char *tool,
                     Str command, int bid) {
    Row r = facts_row(f, "source", 0, (Spot){0});
    row_int(&r, "bundle", bundle);
    row_int(&r, "capture", capture);
    row_text(&r, "member", member);
    row_int(&r, "line_first", facts_real_line(f, line_first));
    row_text(&r, "tool", str_of(tool));
    row_text(&r, "command", command.len ? command : STR_NONE);
    row_int(&r, "bid", bid);
    f->boot_src = 0;
    return row_done(&r);
}

static void run(Facts *f, const char *sql, int64_t a, int64_t b) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(f->db, sql, -1, &st, NULL) != SQLITE_OK) sql_fatal(f->db, sql);
    sqlite3_bind_int64(st, 1, a);
    if (sqlite3_bind_parameter_count(st) > 1) sqlite3_bind_int64(st, 2, b);
    if (sqlite3_step(st) != SQLITE_DONE) sql_fatal(f->db, sql);
    sqlite3_finalize(st);
}

void facts_source_end(Facts *f, int64_t src, int64_t line_last, const char *status, int64_t rows, int64_t bad_rows,
                      int64_t first_bad_line, Str note, int64_t bytes) {
    sqlite3_stmt *st;
    const char *sql =
        "UPDATE source SET line_last=?2, status=?3, rows=?4, bad_rows=?5, first_bad_line=nullif(?6,0), note=?7,"
        " bytes=?8 WHERE id=?1";
    if (sqlite3_prepare_v2(f->db, sql, -1, &st, NULL) != SQLITE_OK) sql_fatal(f->db, sql);
    sqlite3_bind_int64(st, 1, src);
    sqlite3_bind_int64(st, 2, facts_real_line(f, line_last));
    sqlite3_bind_text(st, 3, status, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 4, rows);
    sqlite3_bind_int64(st, 5, bad_rows);
    sqlite3_bind_int64(st, 6, facts_real_line(f, first_bad_line));
    StrBuf text;
    sb_init(&text, f->arena);
    sb_add(&text, note);
    if (f->dropped_rows) {
        sb_addf(&text, "%s%lld facts of this piece were left out: the limit of %d rows or %zu MB is reached",
                note.len ? "; " : "", (long long)f->dropped_rows, FACTS_MAX_ROWS, FACTS_MAX_VALUES >> 20);
        f->dropped_rows = 0;
    }
    bind_str(st, 7, text.len ? sb_str(&text) : STR_NONE);
    sqlite3_bind_int64(st, 8, bytes);
    if (sqlite3_step(st) != SQLITE_DONE) sql_fatal(f->db, sql);
    sqlite3_finalize(st);
}

void facts_note(Facts *f, int64_t src, Spot at, Str text) {
    Row r = facts_row(f, "note", src, at);
    row_text(&r, "text", text);
    row_done(&r);
}

bool facts_statement(Facts *f, int64_t src, int64_t line, Str text) {
    if (f->statements >= FACTS_MAX_STATEMENTS) return false;
    f->statements++;
    Row r = facts_row(f, "statement", src, (Spot){.line = line, .text = text});
    row_text(&r, "text", text);
    row_done(&r);
    return true;
}

void facts_boot(Facts *f, int64_t src, int boot_index) {
    f->boot_src = src;
    f->boot_index = boot_index;
}

void facts_local_time(Facts *f, int64_t src) {
    run(f, "UPDATE source SET local_time=1 WHERE id=?1", src, 0);
}

/* ---------------------------------------------------------------- names */

static Str lower(Arena *a, Str s) {
    Str copy = arena_str(a, s);
    char *p = (char *)(uintptr_t)copy.p; /* our own copy: writable */
    for (size_t i = 0; i < copy.len; i++) p[i] = ch_lower(p[i]);
    return copy;
}

Ref facts_ref(Facts *f, int64_t src, RefKind kind, Str name) {
    name = str_trim(name);
    if (kind == REF_DISK || kind == REF_LINK) {
        size_t by = str_find(name, "disk/by-");
        if (by != SIZE_MAX) { /* /dev/disk/by-id/X is a link whoever says it */
            kind = REF_LINK;
            name = str_basename(name);
        } else if (kind == REF_DISK && (str_starts(name, "/dev/") || str_has(name, "../"))) {
            size_t dev = str_find(name, "/dev/");
            name = dev != SIZE_MAX ? str_from(name, dev + 5) : str_basename(name);
        }
    } else if (kind == REF_PCI) {
        name = lower(f->arena, name);
        if (name.len && ch_hex(name.p[0]) && str_find_ch(name, ':') == str_rfind_ch(name, ':'))
            name = arena_strf(f->arena, "0000:%.*s", STR_ARG(name));
    }
    if (!name.len) return 0;
    int boot = f->boot_src == src ? f->boot_index : 0;
    name = str_sub(name, 0, 400); /* no name is longer; a longer one is damage */
    char key[480];
    int prefix = snprintf(key, sizeof key, "%lld|%d|%d|", (long long)src, boot, (int)kind);
    memcpy(key + prefix, name.p, name.len);
    MapSlot *slot = map_get(&f->refs, f->arena, (Str){key, (size_t)prefix + name.len});
    if (slot->value) return slot->value;
    Row r = facts_row(f, "ref", src, (Spot){0});
    row_text(&r, "kind", str_of(ref_kind_names[kind]));
    row_text(&r, "name", name);
    slot->value = row_done(&r);
    return slot->value;
}

void facts_same(Facts *f, int64_t src, Ref a, Ref b, const char *how, Spot at) {
    if (!a || !b || a == b) return;
    Row r = facts_row(f, "same_as", src, at);
    row_int(&r, "a", a);
    row_int(&r, "b", b);
    row_text(&r, "how", str_of(how));
    row_done(&r);
}

void facts_edge(Facts *f, int64_t src, Ref parent, Ref child, Spot at) {
    if (!parent || !child || parent == child) return;
    Row r = facts_row(f, "edge", src, at);
    row_int(&r, "parent", parent);
    row_int(&r, "child", child);
    row_done(&r);
}

/* ---------------------------------------------------------------- settings */

static bool known_key(const char *key) {
    static const char *last;
    if (key == last) return true;
    for (size_t i = 0; i < sizeof setting_keys / sizeof *setting_keys; i++)
        if (strcmp(setting_keys[i], key) == 0) {
            last = key;
            return true;
        }
    return false;
}

bool facts_known_key(Str key) {
    for (size_t i = 0; i < sizeof setting_keys / sizeof *setting_keys; i++)
        if (str_is(key, setting_keys[i])) return true;
    return false;
}

void facts_setting(Facts *f, int64_t src, Ref node, const char *key, Str value, const char *view, Spot at) {
    if (!node) return;
    if (!known_key(key)) {
#ifdef __SANITIZE_ADDRESS__
        abort(); /* keys.def lacks it */
#else
        facts_note(f, src, at, arena_strf(f->arena, "internal: unknown setting %s", key));
        return;
#endif
    }
    value = str_trim(value);
    if (!value.len) return; /* an empty value says nothing */
    Row r = facts_row(f, "setting", src, at);
    row_ref(&r, "node", node);
    row_text(&r, "key", str_of(key));
    row_text(&r, "value", value);
    row_text(&r, "view", str_of(view));
    row_done(&r);
}

void facts_setting_int(Facts *f, int64_t src, Ref node, const char *key, int64_t value, const char *view, Spot at) {
    char buf[24];
    snprintf(buf, sizeof buf, "%lld", (long long)value);
    facts_setting(f, src, node, key, str_of(buf), view, at);
}

void facts_setting_real(Facts *f, int64_t src, Ref node, const char *key, double value, const char *view, Spot at) {
    char buf[40];
    if (!isfinite(value)) return;
    snprintf(buf, sizeof buf, "%.10g", value);
    facts_setting(f, src, node, key, str_of(buf), view, at);
}
