#include "evaluate.h"

#include "../facts/views.h"
#include "../parse/registry.h"
#include "builtin_pages.h"
#include "column.h"
#include "symptoms.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- reading only */

enum { MAX_PAGE_ROWS = 50 * 1000 }; /* of one statement: several per drive of the largest host */
enum { STEP_CHECK = 100 * 1000 };
int evaluate_step_budget = 1000; /* 100 million operations: a scan of a full sample store, twice over */

bool evaluate_distrusts_demands;

static int steps_left;

static int out_of_steps(void *unused) {
    (void)unused;
    return --steps_left <= 0;
}

/* What a rule may call: text, numbers, dates, JSON, aggregates and windows, and our own. Whatever else a build of SQLite offers
   (files, extensions, blobs of any size) is refused. Sorted. */
static const char *const allowed_functions[] = {
    "->",
    "->>",
    "abs",
    "avg",
    "ceil",
    "ceiling",
    "char",
    "cite",
    "coalesce",
    "count",
    "counted",
    "cume_dist",
    "date",
    "datetime",
    "dense_rank",
    "exp",
    "first_line",
    "first_value",
    "floor",
    "fmt",
    "format",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "json_quote",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "mad",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "percent_rank",
    "percentile",
    "pow",
    "power",
    "printf",
    "quote",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "time",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
    "wwn",
};

static int by_word(const void *key, const void *item) {
    return strcmp(key, *(const char *const *)item);
}

static int may_read(void *unused, int action, const char *a, const char *b, const char *c, const char *d) {
    (void)unused;
    (void)a;
    (void)c;
    (void)d;
    if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE) return SQLITE_OK;
    if (action == SQLITE_FUNCTION && b) {
        char word[32];
        size_t n = strlen(b);
        if (n >= sizeof word) return SQLITE_DENY;
        for (size_t i = 0; i <= n; i++) word[i] = ch_lower(b[i]);
        if (bsearch(word, allowed_functions, sizeof allowed_functions / sizeof *allowed_functions,
                    sizeof *allowed_functions, by_word))
            return SQLITE_OK;
    }
    return SQLITE_DENY;
}

/* Rules do not see what readers claim: a claim must not become evidence. */
static int may_judge(void *unused, int action, const char *a, const char *b, const char *c, const char *d) {
    if (action == SQLITE_READ && a && strcmp(a, "statement") == 0) return SQLITE_DENY;
    return may_read(unused, action, a, b, c, d);
}

void evaluate_lock(sqlite3 *db) {
    evaluate_lock_reader(db);
    sqlite3_set_authorizer(db, may_judge, NULL);
}

void evaluate_lock_reader(sqlite3 *db) {
    /* An eponymous virtual table is created on its first use, which a read-only authorizer would refuse: touch each before. */
    sqlite3_exec(db,
                 "SELECT 1 FROM json_each('[]'); SELECT 1 FROM json_tree('[]'); SELECT 1 FROM sample WHERE 0; SELECT 1 "
                 "FROM pragma_table_info('node') WHERE 0;",
                 NULL, NULL, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024);
    sqlite3_set_authorizer(db, may_read, NULL);
    sqlite3_progress_handler(db, STEP_CHECK, out_of_steps, NULL);
    steps_left = evaluate_step_budget;
}

static void refill_steps(void) {
    steps_left = evaluate_step_budget / 2;
}

/* Views that statements of this folder's C files read, whatever pages do. */
static const char *const own_views = "benchmark_beside capture_in_order complaint_window exact_place job_seen outlier "
                                     "pcie_link sas_rate usb_slow_link watched zfs_growth "
                                     "zfs_property";

static const char *empty_view(void *evaluation, Str name) {
    Evaluation *e = evaluation;
    size_t from = 0, to = builtin_view_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        const BuiltinView *v = &builtin_views[middle];
        int order = str_cmp(name, v->name);
        if (!order) return presence_meets(e->presence, v->demand) ? NULL : v->empty.p;
        if (order < 0) to = middle;
        else from = middle + 1;
    }
    return NULL;
}

/* Computes it all the same: there must be no row. */
static const char *distrusted_view(void *evaluation, Str name) {
    Evaluation *e = evaluation;
    if (!empty_view(e, name)) return NULL;
    sqlite3_stmt *st;
    const char *sql = arena_fmt(e->arena, "SELECT 1 FROM %.*s", STR_ARG(name));
    Error err = {""};
    if (!views_create(facts_db(e->facts), e->arena, &name, 1, &err)) fatal("%s", err.text);
    if (sqlite3_prepare_v2(facts_db(e->facts), sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
        fatal("view %.*s has rows although what it demands of the facts is not there: demand.c misreads it",
              STR_ARG(name));
    sqlite3_finalize(st);
    sql = arena_fmt(e->arena, "DROP VIEW %.*s", STR_ARG(name));
    if (sqlite3_exec(facts_db(e->facts), sql, NULL, NULL, NULL) != SQLITE_OK)
        fatal("%s", sqlite3_errmsg(facts_db(e->facts)));
    return NULL;
}

static void view_settled(void *evaluation, Str name) {
    Evaluation *e = evaluation;
    presence_know(e->presence, name);
}

/* Within half the budget of a statement for each view, so that a hostile upload gains nothing by them. */
static void settle(Evaluation *e, const Pages *pages, bool compare) {
    sqlite3 *db = facts_db(e->facts);
    e->presence = presence_new(e->arena, db);
    Str *texts = arena_array(e->arena, Str, 4 * pages->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < pages->count; i++) {
        const Page *p = pages->items[i];
        if (p->compare != compare) continue;
        texts[count++] = p->needs; /* asked also where the statements are spared */
        const Str sql[] = {p->evidence_sql, p->ruled_out_sql, p->applies},
                  demand[] = {p->evidence_demand, p->ruled_out_demand, p->applies_demand};
        for (size_t k = 0; k < sizeof sql / sizeof *sql; k++)
            if (evaluate_distrusts_demands || presence_meets(e->presence, demand[k])) texts[count++] = sql[k];
    }
    sqlite3_progress_handler(db, STEP_CHECK, out_of_steps, NULL);
    ViewsCare care = {refill_steps, evaluate_distrusts_demands ? distrusted_view : empty_view, view_settled, e};
    views_settle(db, e->arena, texts, count, &care);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    Str own = str_of(own_views);
    Error err = {""};
    if (!views_create(db, e->arena, &own, 1, &err)) fatal("%s", err.text);
    presence_look_again(e->presence);
}

void evaluate_unlock(sqlite3 *db) {
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1000 * 1000 * 1000);
}

/* ---------------------------------------------------------------- evidence and subjects */

static void add_evidence(Facts *f, Arena *a, int64_t src, int64_t line, EvidenceList *out) {
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].src == src && (out->items[i].line == line || (line < 0 && out->items[i].line == line)))
            return;
    const char *sql =
        /* lines of a piece that no tool reads are the reader's prose */
        "SELECT s.member, t.text, t.path, CASE WHEN s.tool IS NULL AND s.status = 'unrecognised' THEN 'statement' ELSE "
        "(SELECT view FROM setting x WHERE x.src = ?1 AND x.line = ?2 LIMIT 1) END, s.tool"
        " FROM source s LEFT JOIN line_text t ON t.src = s.id AND t.line = ?2 WHERE s.id = ?1";
    sqlite3_stmt *st = facts_query(f, sql);
    sqlite3_bind_int64(st, 1, src);
    sqlite3_bind_int64(st, 2, line);
    if (sqlite3_step(st) == SQLITE_ROW) {
        Evidence e = {.member = column_text(a, st, 0),
                      .line = line,
                      .text = column_text(a, st, 1),
                      .path = column_text(a, st, 2),
                      .view = column_text(a, st, 3),
                      .src = src};
        const Parser *parser = registry_find(column_text(a, st, 4));
        if (parser && parser->by_hand) e.view = STR("by-hand");
        VEC_PUSH(a, out, e);
    }
    sqlite3_reset(st);
}

/* Does a line of it come from somebody's keyboard rather than from a tool? */
static bool told_by_hand(const EvidenceList *list) {
    for (size_t i = 0; i < list->count; i++)
        if (str_is(list->items[i].view, "by-hand") || str_is(list->items[i].view, "statement")) return true;
    return false;
}

void evidence_from_json(Facts *f, Arena *a, Str json, EvidenceList *out) {
    enum { MAX_EVIDENCE = 200 }; /* of one row: more is no better proof */
    cJSON *doc = cJSON_ParseWithLength(json.p, json.len);
    const cJSON *item;
    cJSON_ArrayForEach(item, doc) {
        cJSON *inner = NULL;
        const cJSON *object = item;
        if (cJSON_IsString(item)) object = inner = cJSON_Parse(item->valuestring);
        const cJSON *src = cJSON_GetObjectItemCaseSensitive(object, "src"),
                    *line = cJSON_GetObjectItemCaseSensitive(object, "line");
        if (cJSON_IsNumber(src) && cJSON_IsNumber(line) && out->count < MAX_EVIDENCE)
            add_evidence(f, a, i64_of(src->valuedouble), i64_of(line->valuedouble), out);
        cJSON_Delete(inner);
    }
    cJSON_Delete(doc);
}

Subject subject_of(Facts *f, Arena *a, int64_t node, int64_t capture) {
    Subject s = {.node = node};
    const char *sql =
        "SELECT n.kind, n.key, n.label, coalesce(d.model, (SELECT x.name FROM pci_device x WHERE n.kind = 'controller' "
        "AND x.node = n.id AND x.capture = ?2 AND x.name IS NOT NULL ORDER BY x.src LIMIT 1)), d.serial, d.wwn, p.bdf, "
        "p.port, p.slot, p.label, d.name FROM node n"
        " LEFT JOIN drive d ON d.node = n.id AND d.capture = ?2 LEFT JOIN place p ON p.node = n.id AND p.capture = ?2 "
        "AND p.boot = 0"
        " WHERE n.id = ?1 ORDER BY p.src, p.line LIMIT 1";
    sqlite3_stmt *st = facts_query(f, sql);
    sqlite3_bind_int64(st, 1, node);
    sqlite3_bind_int64(st, 2, capture);
    if (sqlite3_step(st) == SQLITE_ROW) {
        s.kind = column_text(a, st, 0);
        s.id = column_text(a, st, 1);
        s.name = column_text(a, st, 10).p ? column_text(a, st, 10) : column_text(a, st, 2);
        s.model = column_text(a, st, 3);
        s.serial = column_text(a, st, 4);
        s.wwn = column_text(a, st, 5);
        s.place = (Place){column_text(a, st, 6), column_text(a, st, 7), column_text(a, st, 8), column_text(a, st, 9)};
    }
    sqlite3_reset(st);
    return s;
}

/* ---------------------------------------------------------------- one page */

static void warn(Evaluation *e, const Page *page, int line, const char *what, Answer *answer) {
    answer->broken = true;
    VEC_PUSH(e->arena, &e->warnings,
             say(e->arena, _("rule {rule} ({place}) was skipped: {why}"), "rule", page->id, "place",
                 arena_strf(e->arena, "%.*s:%d", STR_ARG(page->file), line), "why", str_of(what), NULL));
}

static sqlite3_stmt *prepare_page(Evaluation *e, const Page *page, Str sql, int line, Answer *answer) {
    sqlite3 *db = facts_db(e->facts);
    sqlite3_stmt *st = NULL;
    const char *tail = NULL;
    steps_left = evaluate_step_budget;
    if (sqlite3_prepare_v2(db, sql.p, (int)sql.len, &st, &tail) != SQLITE_OK) {
        warn(e, page, line, sqlite3_errmsg(db), answer);
        return NULL;
    }
    if (str_trim((Str){tail, (size_t)(sql.p + sql.len - tail)}).len || !st) {
        warn(e, page, line, _("one statement is expected"), answer);
        sqlite3_finalize(st);
        return NULL;
    }
    for (int i = 1; i <= sqlite3_bind_parameter_count(st); i++) {
        const char *name = sqlite3_bind_parameter_name(st, i);
        if (!name) continue;
        if (strcmp(name, ":capture") == 0) sqlite3_bind_int64(st, i, e->capture);
        if (strcmp(name, ":before") == 0) sqlite3_bind_int64(st, i, e->before);
        if (strcmp(name, ":after") == 0) sqlite3_bind_int64(st, i, e->after);
    }
    return st;
}

static void finish(Evaluation *e, const Page *page, int line, sqlite3_stmt *st, Answer *answer) {
    int rc = sqlite3_reset(st);
    if (rc != SQLITE_OK)
        warn(e, page, line,
             rc == SQLITE_INTERRUPT ? _("it took more steps than a rule may") : sqlite3_errmsg(facts_db(e->facts)),
             answer);
    sqlite3_finalize(st);
}

/*
 * printf('%.3g') of SQLite writes 1234 as 1.23e+03. No reader of a report counts like that: figures of a text are written out.
 * A number stands alone; what only looks like one is part of a name.
 */
static Str written_out(Arena *a, Str text) {
    StrBuf out;
    sb_init(&out, a);
    size_t kept = 0;
    for (size_t i = 1; i + 3 < text.len; i++) {
        if (text.p[i] != 'e' || (text.p[i + 1] != '+' && text.p[i + 1] != '-') || !ch_digit(text.p[i + 2]) ||
            !ch_digit(text.p[i + 3]))
            continue;
        size_t from = i, to = i + 4;
        while (from > kept && (ch_digit(text.p[from - 1]) || text.p[from - 1] == '.')) from--;
        if (to < text.len && ch_digit(text.p[to])) to++;
        bool opens = from == 0 || text.p[from - 1] == ' ' || text.p[from - 1] == '(';
        bool ends = to == text.len || (!ch_alnum(text.p[to]) && text.p[to] != '-' && text.p[to] != '_');
        double v;
        if (from == i || !opens || !ends || !str_double(str_sub(text, from, to - from), &v)) continue;
        if (v >= 1e15 || v < 1e-9) continue;
        sb_add(&out, str_sub(text, kept, from - kept));
        if (v >= 1) sb_addf(&out, "%.0f", v);
        else sb_addf(&out, "%.*f", (int)ceil(-log10(v)) + 1, v); /* two figures */
        kept = to;
        i = to - 1;
    }
    if (!kept) return text;
    sb_add(&out, str_from(text, kept));
    return sb_str(&out);
}

/* Need the statement not be run? Where `distrusted` comes back it has to be, and must give nothing. */
static bool spared(Evaluation *e, Str demand, bool *distrusted) {
    bool idle = e->presence && !presence_meets(e->presence, demand);
    *distrusted = idle && evaluate_distrusts_demands;
    return idle && !*distrusted;
}

static void distrust(Evaluation *e, const Page *page, int line, Answer *answer) {
    warn(e, page, line, "it gives rows although what it demands of the facts is not there: demand.c misreads it",
         answer);
}

static void read_evidence_rows(Evaluation *e, const Page *page, Answer *answer) {
    bool distrusted;
    if (spared(e, page->evidence_demand, &distrusted)) return;
    sqlite3_stmt *st = prepare_page(e, page, page->evidence_sql, page->evidence_line, answer);
    if (!st) return;
    int columns = sqlite3_column_count(st);
    size_t rows = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (++rows > MAX_PAGE_ROWS) {
            warn(e, page, page->evidence_line, _("it gives more rows than a rule may"), answer);
            break;
        }
        Hit h = {.confidence = NAN, .explain_factor = 1, .value = NAN, .threshold = NAN};
        for (int i = 0; i < columns; i++) {
            Str name = str_of(sqlite3_column_name(st, i));
            if (sqlite3_column_type(st, i) == SQLITE_NULL) continue;
            if (str_is(name, "node")) {
                h.node = sqlite3_column_int64(st, i);
                continue;
            }
            if (str_is(name, "evidence")) {
                evidence_from_json(e->facts, e->arena, column_text(e->arena, st, i), &h.evidence);
                continue;
            }
            if (str_is(name, "confidence")) h.confidence = sqlite3_column_double(st, i);
            if (str_is(name, "explain_factor")) h.explain_factor = sqlite3_column_double(st, i);
            if (str_is(name, "value")) h.value = sqlite3_column_double(st, i);
            if (str_is(name, "threshold")) h.threshold = sqlite3_column_double(st, i);
            if (str_is(name, "inverted")) h.inverted = sqlite3_column_int(st, i) != 0;
            if (str_is(name, "unit")) h.unit = column_text(e->arena, st, i);
            if (str_is(name, "basis")) h.basis = column_text(e->arena, st, i);
            if (str_is(name, "group_key")) h.group_key = column_text(e->arena, st, i);
            if (str_is(name, "remark")) h.remark = written_out(e->arena, column_text(e->arena, st, i));
            placeholder_add(e->arena, &h.columns, name, written_out(e->arena, column_text(e->arena, st, i)),
                            sqlite3_column_type(st, i) != SQLITE_TEXT);
        }
        if (!h.node) continue; /* the fact could not be tied to anything */
        if (str_is(h.unit, "MB/s") || str_is(h.unit, "IOPS")) h.inverted = true;
        VEC_PUSH(e->arena, &answer->hits, h);
    }
    finish(e, page, page->evidence_line, st, answer);
    if (rows && distrusted) distrust(e, page, page->evidence_line, answer);
}

static void read_refuted_rows(Evaluation *e, const Page *page, Answer *answer) {
    bool distrusted;
    if (!page->ruled_out_sql.len || answer->broken || spared(e, page->ruled_out_demand, &distrusted)) return;
    sqlite3_stmt *st = prepare_page(e, page, page->ruled_out_sql, page->ruled_out_line, answer);
    if (!st) return;
    size_t rows = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (++rows > MAX_PAGE_ROWS) {
            warn(e, page, page->ruled_out_line, _("it gives more rows than a rule may"), answer);
            break;
        }
        Refuted r = {0};
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *name = sqlite3_column_name(st, i);
            if (strcmp(name, "node") == 0) r.node = sqlite3_column_int64(st, i);
            if (strcmp(name, "reason") == 0) r.reason = written_out(e->arena, column_text(e->arena, st, i));
            if (strcmp(name, "evidence") == 0)
                evidence_from_json(e->facts, e->arena, column_text(e->arena, st, i), &r.evidence);
        }
        if (r.node && r.reason.len && !told_by_hand(&r.evidence)) VEC_PUSH(e->arena, &answer->refuted, r);
    }
    finish(e, page, page->ruled_out_line, st, answer);
    if (rows && distrusted) distrust(e, page, page->ruled_out_line, answer);
}

Str applies_query(Str applies) {
    static const struct {
        const char *kind, *sql;
    } kinds[] = {
        {"host", "SELECT node FROM host WHERE capture = :capture"},
        {"drive", "SELECT node FROM drive WHERE capture = :capture ORDER BY name"},
        {"pool", "SELECT DISTINCT node FROM pool WHERE capture = :capture"},
        {"vdev", "SELECT DISTINCT node FROM vdev WHERE capture = :capture AND is_leaf = 0"},
        {"array", "SELECT DISTINCT node FROM raid_array WHERE capture = :capture"},
        {"filesystem", "SELECT DISTINCT node FROM mount WHERE capture = :capture AND node IS NOT NULL"},
        {"controller", "SELECT DISTINCT n.id AS node FROM node n JOIN edge e ON e.parent = n.id AND e.capture = "
                       ":capture WHERE n.kind = 'controller'"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_is(applies, kinds[i].kind)) return str_of(kinds[i].sql);
    return applies;
}

/* Nodes a page is about. Most pages name one of a few queries, whose answers stay the same until rules have found more. */
static void read_subjects(Evaluation *e, const Page *page, Answer *answer) {
    Str sql = applies_query(page->applies);
    if (!sql.len) return;
    for (size_t i = 0; i < e->subjects.count; i++)
        if (str_eq(e->subjects.items[i].sql, sql) && e->subjects.items[i].capture == e->capture) {
            answer->subjects = e->subjects.items[i].nodes;
            return;
        }
    bool distrusted;
    if (spared(e, page->applies_demand, &distrusted)) return;
    sqlite3_stmt *st = prepare_page(e, page, sql, 1, answer);
    if (!st) return;
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (answer->subjects.count >= MAX_PAGE_ROWS) {
            warn(e, page, 1, _("applies names more subjects than a rule may"), answer);
            break;
        }
        if (sqlite3_column_type(st, 0) != SQLITE_NULL)
            VEC_PUSH(e->arena, &answer->subjects, sqlite3_column_int64(st, 0));
    }
    finish(e, page, 1, st, answer);
    if (answer->subjects.count && distrusted) distrust(e, page, 1, answer);
    if (answer->broken || str_has(sql, "finding")) return;
    KnownSubjects known = {.sql = sql, .capture = e->capture, .nodes = answer->subjects};
    VEC_PUSH(e->arena, &e->subjects, known);
}

/*
 * A page without a subject: is there simply nothing of its kind on this host (silent), or did nobody look (not checked)? Where
 * no drive is known at all, nobody looked. A pool is missed only where something else says that there is ZFS.
 */
static bool could_apply(Evaluation *e, const Page *page) {
    static const struct {
        const char *word, *hint;
    } hints[] = {
        {"pool",
         "SELECT 1 FROM setting WHERE capture = ?1 AND key = 'fs_type' AND value = 'zfs_member' UNION ALL SELECT 1 "
         "FROM mount WHERE capture = ?1 AND fstype = 'zfs'"
         " UNION ALL SELECT 1 FROM series s JOIN node n ON n.id = s.node WHERE s.capture = ?1 AND n.kind = 'pool'"
         " UNION ALL SELECT 1 FROM lifetime s JOIN node n ON n.id = s.node WHERE s.capture = ?1 AND n.kind = 'pool'"},
        {"vdev", "SELECT 1 FROM setting WHERE capture = ?1 AND key = 'fs_type' AND value = 'zfs_member' UNION ALL "
                 "SELECT 1 FROM mount WHERE capture = ?1 AND fstype = 'zfs'"},
        {"pool_member",
         "SELECT 1 FROM setting WHERE capture = ?1 AND key = 'fs_type' AND value = 'zfs_member' UNION ALL "
         "SELECT 1 FROM mount WHERE capture = ?1 AND fstype = 'zfs'"},
        {"array", "SELECT 1 FROM setting WHERE capture = ?1 AND key = 'fs_type' AND value = 'linux_raid_member' UNION "
                  "ALL SELECT 1 FROM node n JOIN edge x ON x.child = n.id AND x.capture = ?1"
                  " WHERE n.kind = 'array'"},
        {"raid_array", "SELECT 1 FROM setting WHERE capture = ?1 AND key = 'fs_type' AND value = 'linux_raid_member'"},
        {"filesystem", "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM mount WHERE capture = ?1)"},
        {"mount", "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM mount WHERE capture = ?1)"},
    };
    Str about = page->applies; /* a kind, or the table behind FROM */
    size_t from = str_ifind(about, " from ");
    if (from != SIZE_MAX) {
        about = str_from(about, from + 6);
        about = str_word(&about);
    }
    /* Few hosts have guests, limits of groups, or are in a cloud: nobody is asked for them where nothing hints at them. */
    static const char *const rare[] = {"guest", "guest_disk", "cgroup_io", "virtual_machine", "cloud_drive"};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (str_is(about, rare[i])) return false;
    /* What has no hint of its own has the same answer as all of these. */
    bool hinted = false;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) hinted = hinted || str_is(about, hints[i].word);
    if (!hinted) about = STR_NONE;
    for (size_t i = 0; i < e->hints.count; i++)
        if (str_eq(e->hints.items[i].about, about) && e->hints.items[i].capture == e->capture)
            return e->hints.items[i].yes;
    StrBuf sql;
    sb_init(&sql, e->arena);
    sb_addz(&sql, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM drive WHERE capture = ?1)");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (str_is(about, hints[i].word)) sb_addf(&sql, " UNION ALL %s", hints[i].hint);
    sqlite3_stmt *st;
    bool yes = false;
    if (sqlite3_prepare_v2(facts_db(e->facts), sb_str(&sql).p, -1, &st, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(st, 1, e->capture);
        yes = sqlite3_step(st) == SQLITE_ROW;
    }
    sqlite3_finalize(st);
    KnownHint known = {arena_str(e->arena, about), e->capture, yes};
    VEC_PUSH(e->arena, &e->hints, known);
    return yes;
}

/* Found so that a report shows it: a weaker hit does not answer what could still be checked. */
static bool found_at(const Answer *answer, int64_t node) {
    for (size_t i = 0; i < answer->hits.count; i++)
        if (answer->hits.items[i].node == node && !(answer->hits.items[i].confidence < CONFIDENCE_SHOWN)) return true;
    return false;
}

static bool refuted_at(const Answer *answer, int64_t node) {
    for (size_t i = 0; i < answer->refuted.count; i++)
        if (answer->refuted.items[i].node == node) return true;
    return false;
}

/* Half an answer is none. */
static void forget(Answer *answer) {
    answer->hits.count = answer->refuted.count = answer->unmet.count = answer->subjects.count = 0;
}

void evaluate_page(Evaluation *e, const Page *page, Answer *answer) {
    *answer = (Answer){.page = page};
    read_evidence_rows(e, page, answer);
    read_refuted_rows(e, page, answer);
    if (answer->broken) {
        forget(answer);
        return;
    }
    /* Ruled out beats found. */
    size_t kept = 0;
    for (size_t i = 0; i < answer->hits.count; i++)
        if (!refuted_at(answer, answer->hits.items[i].node)) answer->hits.items[kept++] = answer->hits.items[i];
    answer->hits.count = kept;
    if (page->compare) return;
    read_subjects(e, page, answer);
    if (answer->broken) {
        forget(answer);
        return;
    }
    Error err = {""};
    size_t n = answer->subjects.count;
    if (!n && !could_apply(e, page)) return;
    for (size_t i = 0; i < (n ? n : 1); i++) {
        int64_t node = n ? answer->subjects.items[i] : 0;
        if (node && (found_at(answer, node) || refuted_at(answer, node))) continue;
        if (!node && (answer->hits.count || answer->refuted.count)) continue;
        Unmet unmet = {.node = node};
        if (!needs_met(e->facts, e->arena, page->needs, e->capture, node, &unmet, &err)) {
            if (err.text[0]) {
                warn(e, page, 1, err.text, answer);
                forget(answer);
                return;
            }
            VEC_PUSH(e->arena, &answer->unmet, unmet);
        }
    }
}

/* ---------------------------------------------------------------- all pages */

static void write_findings(Evaluation *e, const Answer *answer) {
    sqlite3 *db = facts_db(e->facts);
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db,
                           "INSERT INTO finding(rule, kind, symptom, capture, node, answer, confidence, value, unit, "
                           "threshold, magnitude, basis)"
                           " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)",
                           -1, &st, NULL) != SQLITE_OK)
        return;
    const Page *page = answer->page;
    const SymptomInfo *info = page->kind == PAGE_SYMPTOM ? symptom_find(page->raises) : NULL;
    for (size_t i = 0; i < answer->hits.count + answer->refuted.count; i++) {
        bool hit = i < answer->hits.count;
        const Hit *h = hit ? &answer->hits.items[i] : NULL;
        int64_t node = hit ? h->node : answer->refuted.items[i - answer->hits.count].node;
        sqlite3_reset(st);
        sqlite3_clear_bindings(st);
        sqlite3_bind_text64(st, 1, page->id.p, page->id.len, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_text(st, 2, page_kind_word(page->kind), -1, SQLITE_STATIC);
        if (page->kind == PAGE_SYMPTOM)
            sqlite3_bind_text64(st, 3, page->raises.p, page->raises.len, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_int64(st, 4, e->capture);
        sqlite3_bind_int64(st, 5, node);
        sqlite3_bind_text(st, 6, hit ? "found" : "ruled-out", -1, SQLITE_STATIC);
        if (hit) {
            if (isfinite(h->confidence)) sqlite3_bind_double(st, 7, h->confidence);
            if (isfinite(h->value)) sqlite3_bind_double(st, 8, h->value);
            if (h->unit.p) sqlite3_bind_text64(st, 9, h->unit.p, h->unit.len, SQLITE_STATIC, SQLITE_UTF8);
            if (isfinite(h->threshold)) sqlite3_bind_double(st, 10, h->threshold);
            if (info) sqlite3_bind_double(st, 11, symptom_magnitude(info, h->value, h->threshold, h->inverted));
            if (h->basis.p) sqlite3_bind_text64(st, 12, h->basis.p, h->basis.len, SQLITE_STATIC, SQLITE_UTF8);
        }
        sqlite3_step(st);
    }
    sqlite3_finalize(st);
}

static int stage_of(const Page *page) {
    return page->kind == PAGE_SYMPTOM ? 0 : page->kind == PAGE_VERDICT ? 2 : 1;
}

/* Runs the pages that `due` names, then makes their answers readable. */
static void run_pages(Evaluation *e, const Pages *pages, const bool *due) {
    size_t from = e->answers.count;
    evaluate_lock(facts_db(e->facts));
    for (size_t i = 0; i < pages->count; i++) {
        if (!due[i]) continue;
        Answer answer;
        evaluate_page(e, pages->items[i], &answer);
        VEC_PUSH(e->arena, &e->answers, answer);
    }
    evaluate_unlock(facts_db(e->facts));
    for (size_t i = from; i < e->answers.count; i++) write_findings(e, &e->answers.items[i]);
}

void evaluate_capture(Evaluation *e, const Pages *pages) {
    char sql[80];
    snprintf(sql, sizeof sql, "DELETE FROM finding WHERE capture = %lld", (long long)e->capture);
    sqlite3_exec(facts_db(e->facts), sql, NULL, NULL, NULL);
    settle(e, pages, false);
    bool *due = arena_array(e->arena, bool, pages->count + 1);
    for (int stage = 0; stage < 3; stage++) {
        for (size_t i = 0; i < pages->count; i++)
            due[i] = !pages->items[i]->compare && stage_of(pages->items[i]) == stage;
        run_pages(e, pages, due);
    }
}

/* Does a page that `page` yields to still wait for its turn? */
static bool waits_for(const Pages *pages, const Page *page, const bool *done) {
    for (size_t y = 0; y < page->yields_to.count; y++)
        for (size_t i = 0; i < pages->count; i++)
            if (!done[i] && pages->items[i] != page && str_eq(pages->items[i]->id, page->yields_to.items[y]))
                return true;
    return false;
}

void evaluate_compare(Evaluation *e, const Pages *pages) {
    settle(e, pages, true);
    size_t n = pages->count, left = 0;
    bool *done = arena_array(e->arena, bool, n + 1), *due = arena_array(e->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        done[i] = !pages->items[i]->compare;
        left += !done[i];
    }
    while (left) {
        size_t now = 0;
        for (size_t i = 0; i < n; i++) now += due[i] = !done[i] && !waits_for(pages, pages->items[i], done);
        for (size_t i = 0; i < n && !now; i++) due[i] = !done[i]; /* they wait for each other */
        run_pages(e, pages, due);
        left = 0;
        for (size_t i = 0; i < n; i++) {
            done[i] = done[i] || due[i];
            left += !done[i];
        }
    }
}
