/*
 * test_demand.c - what statements demand of the facts, read from their SQL, and whether it is there
 */
#include "../../analyze/diagnose/demand.h"
#include "../../analyze/diagnose/presence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char schema[] =
    "CREATE TABLE event(capture, event);\n"
    "CREATE VIEW hot AS SELECT * FROM drive d JOIN setting s ON s.node = d.node AND s.key = 'heat';\n"
    "CREATE VIEW odd AS SELECT * FROM counter c WHERE c.kind = 'a' -- that's one; there are others\n OR c.kind = "
    "'b';\n";

static void demands(const char *sql, const char *want) {
    Arena *a = arena_new(1 << 20);
    Demand d = demand_of(a, str_of(sql), str_of(schema));
    Str text = demand_write(a, &d);
    if (!str_eq(text, str_of(want))) fail_msg("%s\ndemands\n%.*swanted\n%s", sql, STR_ARG(text), want);
    arena_free(a);
}

static void joins(void **state) {
    (void)state;
    demands("SELECT e.node FROM event e, drive AS d WHERE e.event IN ('icrc', 'unc') AND d.node = e.node",
            "drive\nevent.event=icrc|unc\n");
    demands("SELECT 1 FROM event e LEFT JOIN drive d ON d.media = 'hdd' JOIN place p ON p.mode = 'ide'",
            "event\nplace.mode=ide\n");
    demands("SELECT 1 FROM event e LEFT JOIN drive d ON d.node = e.node WHERE d.media = 'hdd'",
            "event\ndrive.media=hdd\n");
    demands("SELECT 1 FROM event CROSS JOIN json_each(event.fields) j WHERE event = 'x'", "event.event=x\n");
    demands("SELECT 1 FROM event WHERE event = 'x'", "event.event=x\n");
    demands("SELECT 1 FROM a RIGHT JOIN b ON 1", "");
    demands("SELECT 1 FROM (a JOIN b)", "");
}

static void conditions(void **state) {
    (void)state;
    demands("SELECT 1 FROM setting s WHERE s.key = 'a' OR s.key = 'b'", "setting.key=a|b\n");
    demands("SELECT 1 FROM setting s WHERE (s.key = 'a' AND s.value > 1) OR s.value = 3",
            "setting.key=a\tsetting.value=3\n");
    demands("SELECT 1 FROM setting s WHERE NOT s.key = 'a' AND s.key NOT IN ('b') AND s.key <> 'c'", "setting\n");
    demands("SELECT 1 FROM setting s WHERE CASE WHEN s.x AND s.key = 'a' AND s.y THEN 1 ELSE 0 END", "setting.key=a\n");
    demands("SELECT 1 FROM setting s WHERE s.x BETWEEN 1 AND 2 AND s.key = 'a'", "setting.key=a\n");
    demands("SELECT 1 FROM setting s WHERE s.key = 'it''s' AND s.value IN ('a', 1)", "setting\n");
    demands("SELECT 1 FROM host h WHERE EXISTS (SELECT 1 FROM event e WHERE e.event = 'x')", "host\nevent.event=x\n");
    demands("SELECT 1 FROM host h WHERE NOT EXISTS (SELECT 1 FROM event e)", "host\n");
    demands("SELECT 1 FROM host h WHERE (h.a, h.b) IN (SELECT a, b FROM event)", "host\nevent\n");
    demands("SELECT 1 FROM host h WHERE h.a NOT IN (SELECT a FROM event)", "host\n");
    demands("SELECT 1 FROM a, b WHERE key = 'x'", "a\nb\n");
}

static void counted(void **state) {
    (void)state;
    demands("SELECT count(*) FROM event", "");
    demands("SELECT coalesce(max(x), 0) FROM event", "");
    demands("SELECT max(x, 0) FROM event", "event\n");
    demands("SELECT count(*) FROM event GROUP BY node", "event\n");
    demands("SELECT count(*) OVER () FROM event", "event\n");
    demands("SELECT (SELECT count(*) FROM drive) FROM event", "event\n");
}

static void tables(void **state) {
    (void)state;
    demands("WITH x AS (SELECT * FROM event WHERE event = 'a'), y(z) AS MATERIALIZED (SELECT * FROM x) SELECT * FROM y "
            "JOIN drive d",
            "event.event=a\ndrive\n");
    demands("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n, drive", "drive\n");
    demands("WITH x AS (SELECT * FROM a WHERE k = 'p' UNION ALL SELECT * FROM b WHERE k = 'q') SELECT * FROM x",
            "a.k=p\tb.k=q\n");
    demands("SELECT * FROM a EXCEPT SELECT * FROM b", "a\n");
    demands("SELECT * FROM hot", "hot\ndrive\nsetting.key=heat\n");
    demands("SELECT * FROM odd", "odd\ncounter.kind=a|b\n");
    demands("SELECT 'no ''end", "");
    demands("SELECT (1", "");
    demands("DELETE FROM event", "");
}

/* A value is followed to where it comes from. */
static void values(void **state) {
    (void)state;
    demands("SELECT 1 FROM host h LEFT JOIN event e ON e.event = 'x' WHERE e.n > h.n", "host\nevent.event=x\n");
    demands("SELECT 1 FROM host h LEFT JOIN event e ON e.event = 'x' WHERE e.n IS NULL", "host\n");
    demands("SELECT 1 FROM host h LEFT JOIN event e ON 1 WHERE coalesce(e.n, 0) > 0", "host\nevent\n");
    demands("SELECT 1 FROM host h LEFT JOIN event e ON 1 WHERE coalesce(e.n, 1) > 0", "host\n");
    demands("SELECT 1 FROM host h LEFT JOIN event e ON 1 WHERE NOT e.n BETWEEN 1 AND 2", "host\nevent\n");
    demands("WITH n AS (SELECT count(*) AS n FROM event) SELECT 1 FROM host, n WHERE n.n > 0", "host\nevent\n");
    demands("WITH n AS (SELECT count(*) AS n FROM event) SELECT 1 FROM host, n WHERE n.n >= 0", "host\n");
    demands("WITH n AS (SELECT count(*) AS n FROM event) SELECT 1 FROM host, n WHERE n.n = 2", "host\nevent\n");
    demands("WITH n AS (SELECT count(*) AS n FROM event) SELECT 1 FROM host, n WHERE n.n < 3 AND n.n IS NOT NULL",
            "host\n");
    demands("WITH n AS (SELECT max(CASE WHEN k = 'a' THEN v END) AS m FROM t) SELECT 1 FROM n WHERE m < 5", "t.k=a\n");
    demands("WITH n AS (SELECT sum(k = 'a') AS m, sum(v) AS v FROM t) SELECT 1 FROM n WHERE n.m > 0 OR v > 1", "t\n");
    demands("WITH n AS (SELECT *, v AS w FROM t WHERE k = 'a') SELECT 1 FROM host LEFT JOIN n ON 1 WHERE n.w LIKE 'x%'",
            "host\nt.k=a\n");
    demands("WITH n AS (SELECT 'p' AS k FROM t UNION ALL SELECT 'q' FROM u) SELECT 1 FROM n WHERE n.k = 'q'", "u\n");
    demands(
        "WITH n AS (SELECT CASE WHEN EXISTS (SELECT 1 FROM t) THEN 1 WHEN (SELECT count(*) FROM u) > 1 THEN 2 END AS "
        "c) SELECT 1 FROM host, n WHERE n.c IS NOT NULL",
        "host\nt\tu\n");
    demands("SELECT k, count(*) AS n FROM t GROUP BY k HAVING sum(v = 'x') > 0", "t.v=x\n");
    demands("SELECT 1 FROM t WHERE (SELECT count(*) FROM u WHERE u.k = t.k) + 0 > 0", "t\nu\n");
    demands("SELECT 1 FROM t WHERE 0 < (SELECT count(*) FROM u) * -1", "t\n");
    demands("SELECT 1 FROM t WHERE t.n = 3 AND t.m = 0.5", "t.n=3\n");
    demands("SELECT * FROM a EXCEPT SELECT * FROM b UNION ALL SELECT * FROM c", "a\tc\n");
}

/* Words that the text of a demand has no room for. */
static void odd_words(void **state) {
    (void)state;
    demands("SELECT 1 FROM setting s WHERE s.key = 'a=b' AND s.value = 'c d'", "setting.value=c d\n");
    demands("SELECT 1 FROM setting s WHERE s.key = 'a|b'", "");
    demands("SELECT 1 FROM setting s WHERE s.key = ''", "");
}

static void fill(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static void presence(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 20);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    fill(db,
         "CREATE TABLE t(key, n INTEGER, x REAL); CREATE TABLE none(x); CREATE TABLE finding(rule); CREATE VIEW v AS "
         "SELECT * FROM none; "
         "INSERT INTO t VALUES('a b', 7, 3), (NULL, 8, 0.5), ('c', 9, NULL)");
    Presence *p = presence_new(a, db);
    static const struct {
        const char *demand;
        bool met;
    } cases[] = {
        {"", true},
        {"t\n", true},
        {"none\n", false},
        {"t\nnone\n", false},
        {"none\tt\n", true},
        {"t.key=a b\n", true},
        {"t.key=x|c\n", true},
        {"t.key=x|y\n", false},
        {"t.key=x\tt.key=c\n", true},
        {"t.n=7\n", true},
        {"t.n=70\n", false},
        {"t.n=8|70\n", true},
        {"t.x=3\n", true}, /* 3.0 */
        {"t.x=4\n", false},
        {"t.n=007\n", true}, /* numbers in other forms are left to SQLite */
        {"t.n=7.5\n", true},
        {"t.no_such_column=x\n", true},
        {"finding\n", true},
        {"finding.rule=x\n", true},
        {"v\n", true},
        {"no_such_table.x=y\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (presence_meets(p, str_of(cases[i].demand)) != cases[i].met) fail_msg("%s", cases[i].demand);
    fill(db, "DROP VIEW v; CREATE TABLE v AS SELECT * FROM none");
    presence_look_again(p);
    assert_false(presence_meets(p, STR("v\n")));
    sqlite3_close(db);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins),     cmocka_unit_test(conditions), cmocka_unit_test(counted),  cmocka_unit_test(tables),
        cmocka_unit_test(odd_words), cmocka_unit_test(values),     cmocka_unit_test(presence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
