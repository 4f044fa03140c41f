/* Rule pages at work: statements that may only read, answers per subject, stages, groups. */
#include "diagnose/diagnose.h"
#include "diagnose/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Arena *arena;
static Facts *facts;

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(facts_db(facts), text, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", text, message);
}

/* Three drives behind two controllers; sda and sdb are members of a pool. */
static int setup(void **state) {
    (void)state;
    Error err = {""};
    arena = arena_new(512u << 20);
    facts = facts_new(arena, &err);
    assert_non_null(facts);
    facts_flush(facts);
    sql("INSERT INTO bundle(id, label) VALUES (1, 'b'); INSERT INTO capture(id, bundle) VALUES (1, 1), (2, 1);"
        "INSERT INTO node(id, kind, key, label) VALUES (1, 'drive', 'drive:a', 'sda'), (2, 'drive', 'drive:b', 'sdb'), "
        "(3, 'drive', 'drive:c', 'sdc'),"
        " (4, 'pool', 'pool:tank', 'tank'), (10, 'controller', 'controller:x', 'x'), (11, 'controller', "
        "'controller:y', 'y'), (100, 'host', 'host', 'host');"
        "INSERT INTO host(node, capture) VALUES (100, 1);"
        "INSERT INTO drive(node, capture, name, model, serial) VALUES (1, 1, 'sda', 'M1', '00123'), (2, 1, 'sdb', "
        "'M1', '00124'), (3, 1, 'sdc', 'M2', '77');"
        "INSERT INTO place(node, capture, boot, controller, bdf, label) VALUES (1, 1, 0, 10, 'x', 'x port 1'), (2, 1, "
        "0, 10, 'x', 'x port 2'), (3, 1, 0, 11, 'y', 'y port 1');"
        "INSERT INTO pool(node, capture, name) VALUES (4, 1, 'tank');"
        "INSERT INTO edge(capture, parent, child) VALUES (1, 1, 4), (1, 2, 4);"
        "INSERT INTO source(id, bundle, capture, member, tool, status) VALUES (1, 1, 1, 'hdparm.out', 'hdparm', "
        "'parsed'), (2, 1, 1, 'sysfs.txt', 'sysfs', 'parsed');"
        "INSERT INTO setting(node, capture, boot, key, value, view, src, line) VALUES (1, 1, 0, 'write_cache', 'off', "
        "'drive', 1, 3), (1, 1, 0, 'write_cache', 'off', 'kernel', 2, 7),"
        " (2, 1, 0, 'write_cache', 'on', 'drive', 1, 13);"
        "INSERT INTO line_text(src, line, text, path) VALUES (1, 3, ' write-caching =  0 (off)', NULL), (2, 7, 'write "
        "through', NULL), (1, 13, ' write-caching =  1 (on)', NULL),"
        " (2, -4, '12', '/a/b')");
    assert_true(facts_topology(facts, &err));
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

/* A page of these parts; the ones that do not matter are left out. */
static Page *page(const char *id, const char *meta, const char *evidence, const char *ruled_out) {
    StrBuf text;
    sb_init(&text, arena);
    sb_addf(&text, "# Title of {subjects}\n\n```rule\nid: %s\n%s```\n\nSummary.\n\n## Evidence\n```sql\n%s\n```\n", id,
            meta, evidence);
    if (ruled_out) sb_addf(&text, "## Ruled out\n```sql\n%s\n```\n", ruled_out);
    Page *p = arena_new_of(arena, Page);
    Error err = {""};
    if (!page_parse(arena, arena_strf(arena, "rules/drive/%s.md", id), sb_str(&text), p, &err))
        fail_msg("%s", err.text);
    return p;
}

static Evaluation evaluation(void) {
    return (Evaluation){.facts = facts, .arena = arena, .capture = 1, .before = 1, .after = 2};
}

static Answer answer_of(Evaluation *e, const Page *p) {
    Answer answer;
    evaluate_lock(facts_db(facts));
    evaluate_page(e, p, &answer);
    evaluate_unlock(facts_db(facts));
    return answer;
}

static int64_t count(const char *query) {
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(facts_db(facts), query, -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return n;
}

/* ---- reading only */

static void statements_may_only_read(void **state) {
    (void)state;
    static const char *const refused[] = {
        "INSERT INTO node(kind, key, label) VALUES ('drive', 'x', 'x')",
        "INSERT INTO node(kind, key, label) VALUES ('drive', 'x', 'x') RETURNING id AS node",
        "UPDATE node SET label = 'x'",
        "DELETE FROM node",
        "CREATE TABLE t(a)",
        "CREATE TEMP TABLE t(a)",
        "DROP TABLE node",
        "ALTER TABLE node ADD COLUMN x",
        "ATTACH '/tmp/test_evaluate.db' AS other",
        "VACUUM INTO '/tmp/test_evaluate.db'",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = 1",
        "PRAGMA table_info(node)",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "SAVEPOINT a",
        "SELECT load_extension('x') AS node",
        "SELECT 1 AS node, fts3_tokenizer('x') AS x",
        "SELECT random() AS node",
    };
    Evaluation e = evaluation();
    int64_t before = count("SELECT count(*) + (SELECT count(*) FROM sqlite_schema) FROM node");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Answer a = answer_of(&e, page("bad", "kind: cause\n", refused[i], NULL));
        if (!a.broken || a.hits.count) fail_msg("not refused: %s", refused[i]);
        assert_int_equal(e.warnings.count, i + 1);
        Str warning = e.warnings.items[i];
        if (!str_starts(warning, "rule bad (rules/drive/bad.md:11) was skipped: ")) fail_msg("%.*s", STR_ARG(warning));
    }
    assert_int_equal(before, count("SELECT count(*) + (SELECT count(*) FROM sqlite_schema) FROM node"));
    assert_int_equal(access("/tmp/test_evaluate.db", F_OK), -1);
    sql("CREATE TABLE afterwards(a); DROP TABLE afterwards"); /* the lock is gone again */
}

/* SQLite's %.3g changes to exponents where no reader does; names that look like one stay. */
static void figures_are_written_out(void **state) {
    (void)state;
    static const struct {
        const char *sql, *text;
    } rows[] = {
        {"printf('waits %.3g ms (%.2g ms)', 1234, 130.4)", "waits 1230 ms (130 ms)"},
        {"printf('%.2g', 0.0000123)", "0.000012"},
        {"printf('%.3g MB/s, %.3g', 12.5, 2500000)", "12.5 MB/s, 2500000"},
        {"'serial 5e+02X, wwn-1e-05-part1, 7e-1'", "serial 5e+02X, wwn-1e-05-part1, 7e-1"},
    };
    Evaluation e = evaluation();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str query = arena_strf(arena, "SELECT 1 AS node, 0.9 AS confidence, %s AS words", rows[i].sql);
        Answer a = answer_of(&e, page("figures", "kind: cause\n", query.p,
                                      arena_strf(arena, "SELECT 2 AS node, %s AS reason", rows[i].sql).p));
        assert_int_equal(a.hits.count, 1);
        assert_int_equal(a.refuted.count, 1);
        for (size_t k = 0; k < a.hits.items[0].columns.count; k++)
            if (str_is(a.hits.items[0].columns.items[k].name, "words"))
                assert_true(str_is(a.hits.items[0].columns.items[k].values.items[0], rows[i].text));
        assert_true(str_is(a.refuted.items[0].reason, rows[i].text));
    }
}

static void what_rules_need_is_allowed(void **state) {
    (void)state;
    static const char *const allowed[] = {
        "SELECT 1 AS node, (SELECT group_concat(value) FROM json_each('[1,2]')) AS a",
        "SELECT 1 AS node, (SELECT count(*) FROM json_tree('{\"a\":1}')) AS a",
        "SELECT 1 AS node, (SELECT count(*) FROM sample WHERE capture = :capture) AS a",
        "SELECT 1 AS node, median(x) AS a, percentile(x, 95) AS b, mad(x) AS c FROM (SELECT 1 AS x UNION SELECT 3)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT 1 AS node, sum(i) AS a "
        "FROM n",
        "SELECT 1 AS node, row_number() OVER (ORDER BY name) AS a FROM drive WHERE capture = :capture LIMIT 1",
        "SELECT 1 AS node, json_extract('{\"a\":2}', '$.a') AS a, printf('%.3g', 2.0) AS b, wwn('0x5002538e40a1b2c3') "
        "AS c, cite(1, 3) AS d, log10(100) AS e",
    };
    Evaluation e = evaluation();
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        Answer a = answer_of(&e, page("good", "kind: note\n", allowed[i], NULL));
        if (a.broken || a.hits.count != 1)
            fail_msg("%s: %.*s", allowed[i],
                     STR_ARG(e.warnings.count ? e.warnings.items[e.warnings.count - 1] : STR("no row")));
    }
}

static void endless_statements_are_stopped(void **state) {
    (void)state;
    static const char *const endless[] = {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS node FROM "
        "n", /* in itself */
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS node, i AS x FROM "
        "n", /* in its rows */
    };
    evaluate_step_budget = 20;
    static const char *const why[] = {"it took more steps than a rule may", "it gives more rows than a rule may"};
    for (size_t i = 0; i < 2; i++) {
        Evaluation e = evaluation();
        Answer a = answer_of(&e, page("endless", "kind: cause\n", endless[i], NULL));
        assert_true(a.broken);
        assert_int_equal(a.hits.count, 0); /* half an answer is none */
        assert_int_equal(e.warnings.count, 1);
        if (!str_ends(e.warnings.items[0], why[i])) fail_msg("%.*s", STR_ARG(e.warnings.items[0]));
        Answer next = answer_of(
            &e, page("next", "kind: note\n", "SELECT 1 AS node", NULL)); /* the next rule has its own budget */
        assert_false(next.broken);
        assert_int_equal(next.hits.count, 1);
    }
    Evaluation e = evaluation();
    Answer a = answer_of(
        &e,
        page("endless", "kind: cause\n", "SELECT 1 AS node",
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 2 AS node, 'r' AS reason FROM n"));
    assert_true(a.broken);
    assert_int_equal(a.hits.count + a.refuted.count, 0);
    a = answer_of(
        &e,
        page("endless",
             "kind: cause\napplies: with recursive n(i) as (select 1 union all select i + 1 from n) select i from n\n",
             "SELECT 1 AS node", NULL));
    assert_true(a.broken);
    assert_int_equal(a.hits.count + a.subjects.count, 0);
    evaluate_step_budget = 4000;
}

static void one_statement_only(void **state) {
    (void)state;
    static const char *const wrong[] = {"SELECT 1 AS node; SELECT 2 AS node", "SELECT 1 AS node; DELETE FROM node", "",
                                        "-- nothing", "SELECT 1 AS node; x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Evaluation e = evaluation();
        Page *p = page("tail", "kind: note\n", "SELECT 1", NULL);
        p->evidence_sql = str_of(wrong[i]);
        Answer a = answer_of(&e, p);
        if (!a.broken) fail_msg("taken: %s", wrong[i]);
        assert_true(str_ends(e.warnings.items[0], "one statement is expected"));
    }
    Evaluation e = evaluation();
    assert_false(answer_of(&e, page("tail", "kind: note\n", "SELECT 1 AS node;\n", NULL)).broken);
    assert_true(answer_of(&e, page("tail", "kind: note\n", "SELECT nothing AS node FROM node", NULL)).broken);
    assert_true(
        answer_of(&e, page("tail", "kind: note\n", "SELECT json('{') AS node", NULL)).broken); /* fails while it runs */
}

/* ---- answers */

static void rows_become_hits(void **state) {
    (void)state;
    Evaluation e = evaluation();
    Answer a = answer_of(
        &e, page("cause", "kind: cause\n",
                 "SELECT node, 0.9 AS confidence, 0.5 AS explain_factor, json_group_array(cite(src, line)) AS "
                 "evidence, 'weak' AS remark, 3.5 AS wait_ms,"
                 " '007' AS port, NULL AS absent, 'g' AS group_key, 5 AS value, 'MB/s' AS unit, 10 AS threshold, '1 s "
                 "averages' AS basis"
                 " FROM setting WHERE capture = :capture AND key = 'write_cache' AND value = 'off' GROUP BY node"
                 " UNION ALL SELECT NULL, 1, 1, '[]', '', 0, '', NULL, '', 0, '', 0, ''",
                 NULL));
    if (a.broken) fail_msg("%.*s", STR_ARG(e.warnings.items[0]));
    assert_int_equal(a.hits.count, 1); /* a row without a node is about nothing */
    const Hit *h = &a.hits.items[0];
    assert_int_equal(h->node, 1);
    assert_true(h->confidence == 0.9 && h->explain_factor == 0.5 && h->value == 5 && h->threshold == 10);
    assert_true(h->inverted); /* less is worse */
    assert_true(str_is(h->unit, "MB/s") && str_is(h->basis, "1 s averages") && str_is(h->group_key, "g") &&
                str_is(h->remark, "weak"));
    assert_true(str_is(placeholder_text(arena, &h->columns, STR("wait_ms")), "3.50"));
    assert_true(str_is(placeholder_text(arena, &h->columns, STR("port")), "007"));
    assert_null(placeholder_text(arena, &h->columns, STR("absent")).p);
    assert_null(placeholder_text(arena, &h->columns, STR("evidence")).p);
    assert_int_equal(h->evidence.count, 2);
    assert_true(str_is(h->evidence.items[0].member, "hdparm.out") && h->evidence.items[0].line == 3);
    assert_true(str_is(h->evidence.items[0].text, " write-caching =  0 (off)") &&
                str_is(h->evidence.items[0].view, "drive"));
    assert_true(str_is(h->evidence.items[1].view, "kernel"));
    Answer bare = answer_of(&e, page("bare", "kind: note\n", "SELECT 1 AS node", NULL));
    assert_true(isnan(bare.hits.items[0].confidence) && bare.hits.items[0].explain_factor == 1 &&
                !bare.hits.items[0].inverted && isnan(bare.hits.items[0].value));
}

static void evidence_of_any_form(void **state) {
    (void)state;
    static const struct {
        const char *json;
        size_t count;
    } forms[] = {
        {"[{\"src\":1,\"line\":3}]", 1},
        {"[\"{\\\"src\\\":1,\\\"line\\\":3}\"]", 1}, /* JSON that went through a subquery is text */
        {"[{\"src\":1,\"line\":3},{\"src\":1,\"line\":3},{\"src\":2,\"line\":7}]", 2},
        {"[{\"src\":99,\"line\":3}]", 0}, /* no such source */
        {"[{\"src\":1}, {\"line\":2}, null, 5, [], \"x\", {\"src\":\"1\",\"line\":\"3\"}]", 0},
        {"[{\"src\":1,\"line\":null}]", 0},
        {"{", 0},
        {"", 0},
        {"[]", 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        EvidenceList out = {0};
        evidence_from_json(facts, arena, str_of(forms[i].json), &out);
        if (out.count != forms[i].count) fail_msg("%s: %zu", forms[i].json, out.count);
    }
    EvidenceList spot = {0};
    evidence_from_json(facts, arena, STR("[{\"src\":2,\"line\":-4}]"), &spot);
    assert_int_equal(spot.count, 1);
    assert_true(str_is(spot.items[0].path, "/a/b") && str_is(spot.items[0].text, "12"));
}

#define OFF                                                                                                            \
    "SELECT node, 0.9 AS confidence, json_array(cite(src, line)) AS evidence FROM setting WHERE capture = :capture "   \
    "AND key = 'write_cache' AND value = 'off'"
#define ON                                                                                                             \
    "SELECT node, 'it is on' AS reason, json_array(cite(src, line)) AS evidence FROM setting WHERE capture = "         \
    ":capture AND key = 'write_cache' AND value = 'on'"

static void found_ruled_out_not_checked_silent(void **state) {
    (void)state;
    Evaluation e = evaluation();
    Answer a = answer_of(
        &e, page("cache", "kind: cause\napplies: drive\nneeds: hdparm and setting.write_cache@drive\n", OFF, ON));
    assert_int_equal(a.subjects.count, 3);
    assert_int_equal(a.hits.count, 2); /* two rows of one drive: each stays, with its evidence */
    assert_int_equal(a.hits.items[0].node, 1);
    assert_int_equal(a.refuted.count, 1);
    assert_int_equal(a.refuted.items[0].node, 2);
    assert_true(str_is(a.refuted.items[0].reason, "it is on"));
    assert_int_equal(a.refuted.items[0].evidence.count, 1);
    assert_int_equal(a.unmet.count, 1);
    assert_int_equal(a.unmet.items[0].node, 3);
    assert_int_equal(a.unmet.items[0].missing.count, 1);
    assert_true(str_is(a.unmet.items[0].missing.items[0], "write_cache"));
    /* the facts are there and the page says nothing: silent */
    a = answer_of(&e, page("cache", "kind: cause\napplies: drive\nneeds: hdparm\n", OFF, ON));
    assert_int_equal(a.unmet.count, 0);
    /* a kind that has no subject here is not asked for */
    a = answer_of(&e, page("cache", "kind: cause\napplies: array\nneeds: zpool-status\n", OFF " AND 0", NULL));
    assert_int_equal(a.subjects.count + a.unmet.count, 0);
    /* only the subjects of the query */
    a = answer_of(
        &e,
        page(
            "cache",
            "kind: cause\napplies: select node from drive where capture = :capture and name = 'sdc'\nneeds: smartctl\n",
            OFF, ON));
    assert_int_equal(a.subjects.count, 1);
    assert_int_equal(a.unmet.count, 1);
    assert_int_equal(a.unmet.items[0].node, 3);
    /* a needs that cannot be read breaks the page */
    a = answer_of(&e, page("cache", "kind: cause\napplies: drive\nneeds: hdparm and\n", OFF, ON));
    assert_true(a.broken);
    assert_int_equal(a.hits.count + a.refuted.count + a.unmet.count, 0);
}

static void ruled_out_beats_found(void **state) {
    (void)state;
    Evaluation e = evaluation();
    Answer a = answer_of(&e, page("both", "kind: cause\napplies: drive\n",
                                  "SELECT node, 0.9 AS confidence FROM drive WHERE capture = :capture",
                                  "SELECT 2 AS node, 'spoken against' AS reason UNION ALL SELECT 3, NULL UNION ALL "
                                  "SELECT NULL, 'about nothing'"));
    assert_int_equal(a.hits.count, 2);
    assert_int_equal(a.hits.items[0].node, 1);
    assert_int_equal(a.hits.items[1].node, 3); /* without a reason nothing is ruled out */
    assert_int_equal(a.refuted.count, 1);
    assert_int_equal(a.refuted.items[0].node, 2);
}

static void pages_by_id(Pages *pages, Page **items, size_t n) {
    *pages = (Pages){.items = items, .count = n, .cap = n};
}

static const Answer *answer_to(const Evaluation *e, const char *id) {
    for (size_t i = 0; i < e->answers.count; i++)
        if (str_is(e->answers.items[i].page->id, id)) return &e->answers.items[i];
    return NULL;
}

/* Symptoms, then causes, risks and notes, then verdicts, whatever their names; each stage reads what the ones before found. */
static void later_stages_read_findings(void **state) {
    (void)state;
    Page *items[] = {
        page("a-verdict", "kind: verdict\n",
             "SELECT 100 AS node, 0.9 AS confidence, group_concat(rule || '=' || answer, ' ') AS seen FROM (SELECT "
             "rule, answer FROM finding WHERE capture = :capture ORDER BY 1, 2) HAVING count(*)",
             NULL),
        page("b-cause", "kind: cause\n",
             "SELECT node, 0.8 AS confidence, magnitude AS g, unit || ' ' || basis AS how FROM finding WHERE capture = "
             ":capture AND symptom = 'write-latency' AND answer = 'found'",
             "SELECT 2 AS node, 'r' AS reason"),
        page("c-symptom", "kind: symptom\nraises: write-latency\n",
             "SELECT 1 AS node, 100.0 AS value, 10.0 AS threshold, 'ms' AS unit, 1.0 AS confidence, '1 s averages' AS "
             "basis",
             NULL),
        page("d-compare", "kind: verdict\ncompare: yes\n", "SELECT :before * 10 + :after AS node, 1.0 AS confidence",
             NULL),
        page("e-broken", "kind: cause\n", "SELECT nonsense", NULL),
    };
    Pages pages;
    pages_by_id(&pages, items, 5);
    Evaluation e = evaluation();
    sql("INSERT INTO finding(rule, kind, capture, node, answer) VALUES ('stale', 'cause', 1, 1, 'found'), ('other', "
        "'cause', 2, 1, 'found')");
    evaluate_capture(&e, &pages);
    assert_null(answer_to(&e, "d-compare"));
    const Answer *cause = answer_to(&e, "b-cause"), *verdict = answer_to(&e, "a-verdict");
    assert_int_equal(cause->hits.count, 1);
    assert_true(str_is(placeholder_text(arena, &cause->hits.items[0].columns, STR("g")), "0.70"));
    assert_true(str_is(placeholder_text(arena, &cause->hits.items[0].columns, STR("how")), "ms 1 s averages"));
    assert_int_equal(verdict->hits.count, 1);
    assert_true(str_is(placeholder_text(arena, &verdict->hits.items[0].columns, STR("seen")),
                       "b-cause=found b-cause=ruled-out c-symptom=found"));
    assert_int_equal(count("SELECT count(*) FROM finding WHERE rule = 'other'"), 1); /* of another capture */
    assert_true(answer_to(&e, "e-broken")->broken);
    assert_int_equal(e.warnings.count, 1);
    Evaluation c = evaluation();
    evaluate_compare(&c, &pages);
    assert_int_equal(c.answers.count, 1);
    assert_int_equal(c.answers.items[0].hits.items[0].node, 12);
}

/* ---- groups */

typedef struct Groups {
    StrBuf text;
} Groups;

static void put(void *arg, const Hit *const *hits, size_t n) {
    Groups *g = arg;
    for (size_t i = 0; i < n; i++) sb_addf(&g->text, "%lld ", (long long)hits[i]->node);
    sb_addz(&g->text, "| ");
}

static const char *groups_of(const char *meta, const char *evidence) {
    Evaluation e = evaluation();
    Answer *a = arena_new_of(arena, Answer);
    *a = answer_of(&e, page("grouped", arena_fmt(arena, "kind: cause\n%s", meta), evidence, NULL));
    if (a->broken) fail_msg("%.*s", STR_ARG(e.warnings.items[0]));
    Groups g = {0};
    sb_init(&g.text, arena);
    group_hits(facts, arena, a, 1, put, &g);
    return sb_str(&g.text).p;
}

static void hits_are_grouped(void **state) {
    (void)state;
    const char *all = "SELECT node, 0.9 AS confidence FROM drive WHERE capture = :capture ORDER BY name";
    const char *keyed = "SELECT node, 0.9 AS confidence, CASE name WHEN 'sdb' THEN 'odd' ELSE 'even' END AS group_key "
                        "FROM drive WHERE capture = :capture ORDER BY name";
    assert_string_equal(groups_of("", all), "1 | 2 | 3 | ");
    assert_string_equal(groups_of("group-by: controller\n", all), "1 2 | 3 | ");
    assert_string_equal(groups_of("group-by: pool\n", all), "1 2 | 3 | "); /* sdc has no pool: by itself */
    assert_string_equal(groups_of("group-by: host\n", all), "1 2 3 | ");
    assert_string_equal(groups_of("group-by: group_key\n", keyed), "1 3 | 2 | ");
    assert_string_equal(groups_of("", keyed), "1 3 | 2 | ");
    assert_string_equal(groups_of("group-by: group_key\n", all), "1 | 2 | 3 | "); /* no key: per node */
    assert_string_equal(
        groups_of("", "SELECT 1 AS node, 0.5 AS confidence UNION ALL SELECT 2, 0.6 UNION ALL SELECT 1, 0.7"),
        "1 1 | 2 | "); /* rows of one node */
}

static void a_group_becomes_one_finding(void **state) {
    (void)state;
    Evaluation e = evaluation();
    Page *p = page("cache", "kind: cause\nclass: misconfiguration\nimpact: severe\ngroup-by: controller\n",
                   "SELECT node, CASE view WHEN 'drive' THEN 0.99 ELSE 0.8 END AS confidence, json_array(cite(src, "
                   "line)) AS evidence, line * 1.0 AS wait_ms, view AS speaker"
                   " FROM setting WHERE capture = :capture ORDER BY src, line",
                   NULL);
    p->summary = STR("{subjects}: {count} of {models}, {serials}, {places}; {wait_ms} ms say {speaker}. {drives_long}");
    p->verify = STR("1. `hdparm -W /dev/{subjects}` and `nothing`\n\n```\nsmartctl -g wcache /dev/{subjects}\n```\n");
    Answer a = answer_of(&e, p);
    const Hit *hits[3] = {&a.hits.items[0], &a.hits.items[1], &a.hits.items[2]};
    assert_int_equal(a.hits.count, 3);
    Finding *f = finding_build(facts, arena, p, hits, 3, 1);
    assert_true(str_is(f->title, "Title of sda, sdb"));
    Str summary = rich_plain(arena, &f->summary);
    if (!str_is(summary, "sda, sdb: 2 of M1, 00123, 00124, x port 1, x port 2; 3 to 13 ms say drive, kernel."
                         " sda (M1, serial 00123, x port 1), sdb (M1, serial 00124, x port 2)"))
        fail_msg("%.*s", STR_ARG(summary));
    assert_int_equal(f->subjects.count, 2);
    assert_int_equal(f->evidence.count, 3);
    assert_true(fabs(f->confidence - 0.99) < 1e-9); /* two views */
    assert_int_equal(f->verify_commands.count, 3);
    assert_true(str_is(f->verify_commands.items[0], "hdparm -W /dev/sda sdb"));
    assert_true(str_is(f->verify_commands.items[2], "smartctl -g wcache /dev/sdb"));
    Finding *one = finding_build(facts, arena, p, hits, 1, 1);
    assert_true(fabs(one->confidence - 0.95) < 1e-9); /* one view only */
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(statements_may_only_read),
        TEST(figures_are_written_out),
        TEST(what_rules_need_is_allowed),
        TEST(endless_statements_are_stopped),
        TEST(one_statement_only),
        TEST(rows_become_hits),
        TEST(evidence_of_any_form),
        TEST(ruled_out_beats_found),
        TEST(found_ruled_out_not_checked_silent),
        TEST(hits_are_grouped),
        TEST(later_stages_read_findings),
        TEST(a_group_becomes_one_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
