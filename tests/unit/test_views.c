/*
 * The views of schema.sql as tables: they say the same, once, and what still changes stays a view.
 */
#include "../../analyze/base/embedded.h"
#include "../../analyze/bundle/bundle.h"
#include "../../analyze/facts/views.h"
#include "parse_test.h"

static Arena *arena;

static int open_arena(void **state) {
    (void)state;
    arena = arena_new((size_t)64 << 20);
    return 0;
}

static int close_arena(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static const char *one_text(sqlite3 *db, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    const char *text = "";
    if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
        text = arena_fmt(arena, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return text;
}

static sqlite3 *empty_database(void) {
    const EmbeddedFile *schema = embedded_find("analyze/facts/schema.sql");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    Str tables = views_left_out(arena, (Str){(const char *)schema->data, schema->len});
    if (sqlite3_exec(db, tables.p, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(db));
    return db;
}

static void the_schema_without_views_has_every_table(void **state) {
    (void)state;
    sqlite3 *db = empty_database();
    assert_string_equal(one_text(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'"), "0");
    /* The last table and the last index of the file: nothing was cut off with a view. */
    assert_string_equal(
        one_text(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('bundle', 'finding', 'pci_device_bdf')"), "3");
    sqlite3_close(db);
}

static void only_views_that_a_text_names_are_made(void **state) {
    (void)state;
    sqlite3 *db = empty_database();
    Error err = {""};
    Str texts[] = {STR("SELECT * FROM slow_peer_of_mine"), STR("SELECT s.peer FROM slow_peer s")};
    assert_true(views_create(db, arena, texts, 1, &err));
    assert_string_equal(one_text(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'"), "0");
    assert_true(views_create(db, arena, texts, 2, &err));
    /* slow_peer reads outlier. */
    assert_string_equal(
        one_text(db,
                 "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name)"),
        "outlier,slow_peer");
    assert_true(views_create(db, arena, texts, 2, &err));
    sqlite3_close(db);
}

/* All rows of a view or table in one text. */
static const char *content(sqlite3 *db, const char *name) {
    const char *cells = one_text(
        db,
        arena_fmt(arena, "SELECT group_concat('quote(' || name || ')', ' || '','' || ') FROM pragma_table_info('%s')",
                  name));
    return one_text(
        db, arena_fmt(arena, "SELECT group_concat(t, char(10)) FROM (SELECT %s AS t FROM %s ORDER BY t)", cells, name));
}

static void tables_say_what_the_views_said(void **state) {
    (void)state;
    Error err = {""};
    int64_t bundle;
    Facts *f = facts_new(arena, &err);
    if (!f || !bundle_read(f, "fixtures/sas-hba-raidz2/bundle-off", &bundle, &err) || !facts_resolve(f, &err))
        fail_msg("%s", err.text);
    sqlite3 *db = facts_db(f);
    if (!views_create(db, arena, NULL, 0, &err)) fail_msg("%s", err.text);
    static const char *const views[] = {"outlier",     "slow_peer", "log_cover",
                                        "exact_place", "link_here", "capture_in_order"};
    enum { VIEWS = sizeof views / sizeof *views };
    const char *before[VIEWS];
    Str texts[VIEWS];
    size_t spoke = 0;
    for (size_t i = 0; i < VIEWS; i++) {
        before[i] = content(db, views[i]);
        spoke += *before[i] != 0;
        texts[i] = str_of(views[i]);
    }
    assert_true(spoke >= 4);
    for (int twice = 0; twice < 2; twice++) {
        views_settle(db, arena, texts, VIEWS, NULL);
        for (size_t i = 0; i < VIEWS; i++) {
            assert_string_equal(
                one_text(db, arena_fmt(arena, "SELECT type FROM sqlite_schema WHERE name = '%s'", views[i])), "table");
            assert_string_equal(content(db, views[i]), before[i]);
        }
    }
}

static int no_more(void *unused) {
    (void)unused;
    return 1;
}

static void what_still_changes_or_takes_too_long_stays_a_view(void **state) {
    (void)state;
    sqlite3 *db = empty_database();
    Str texts[] = {STR("spoilt_exchange"), STR("slow_peer")};
    views_settle(db, arena, texts, 1, NULL);
    assert_string_equal(one_text(db, "SELECT type FROM sqlite_schema WHERE name = 'spoilt_exchange'"), "view");
    assert_string_equal(one_text(db, "SELECT type FROM sqlite_schema WHERE name = 'exchange'"), "table");
    sqlite3_close(db);
    db = empty_database();
    sqlite3_exec(db,
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO "
                 "peer(capture, drive, n_busy) "
                 "SELECT 1, i, 5 FROM n; INSERT INTO drive(node, capture) SELECT drive, 1 FROM peer",
                 NULL, NULL, NULL);
    sqlite3_progress_handler(db, 1000, no_more, NULL);
    views_settle(db, arena, texts + 1, 1, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    assert_string_equal(one_text(db, "SELECT type FROM sqlite_schema WHERE name = 'outlier'"), "view");
    sqlite3_close(db);
}

/* A drive that counts no throttling has not counted 0. */
static void unknown_counts_of_heat_stay_unknown(void **state) {
    (void)state;
    sqlite3 *db = empty_database();
    Error err = {""};
    Str text = STR("nvme_health");
    if (!views_create(db, arena, &text, 1, &err)) fail_msg("%s", err.text);
    sqlite3_exec(db,
                 "INSERT INTO drive(node, capture, name, bus) VALUES (1, 1, 'silent', 'nvme'), (2, 1, 'zero', 'nvme');"
                 "INSERT INTO counter(node, capture, kind, name, value) VALUES (1, 1, 'nvme', 'warning_temp_time', 0),"
                 "(2, 1, 'nvme', 'thm_temp1_trans_count', 0), (2, 1, 'nvme', 'thm_temp2_total_time', 120)",
                 NULL, NULL, NULL);
    assert_string_equal(one_text(db,
                                 "SELECT group_concat(t, '; ') FROM (SELECT name || ' ' || coalesce(brakes, 'NULL') "
                                 "|| ' ' || coalesce(brake_minutes, 'NULL') AS t FROM nvme_health ORDER BY node)"),
                        "silent NULL NULL; zero 0.0 2.0");
    sqlite3_close(db);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_schema_without_views_has_every_table, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(only_views_that_a_text_names_are_made, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(tables_say_what_the_views_said, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(what_still_changes_or_takes_too_long_stays_a_view, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(unknown_counts_of_heat_stay_unknown, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
