/* The SQL functions, in the program and as a loadable extension. */
#include "facts/sqlfunc.h"

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

static sqlite3 *db;

static int setup(void **state) {
    (void)state;
    Error err;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_true(sqlfunc_register(db, &err));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    return sqlite3_close(db);
}

/* The first column of the first row as text; "NULL"; or "error: ...". Valid until the next call. */
static const char *ask(const char *sql) {
    static char answer[512];
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) {
        snprintf(answer, sizeof answer, "error: %s", sqlite3_errmsg(db));
        return answer;
    }
    if (sqlite3_step(st) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        snprintf(answer, sizeof answer, "%s", text ? text : "NULL");
    } else {
        snprintf(answer, sizeof answer, "error: %s", sqlite3_errmsg(db));
    }
    sqlite3_finalize(st);
    return answer;
}

static void test_fmt(void **state) {
    (void)state;
    assert_string_equal(ask("SELECT fmt('%.1f %% of %d %s', 12.34, 7, 'x')"), "12.3 % of 7 x");
    assert_string_equal(ask("SELECT fmt('plain')"), "plain");
    assert_string_equal(ask("SELECT fmt('%d and %d', 1, NULL)"), "NULL");
    assert_string_equal(ask("SELECT fmt(NULL)"), "NULL");
    assert_string_equal(ask("SELECT coalesce(fmt('%.3g MB/s', NULL), 'unknown')"), "unknown");
    assert_string_equal(ask("SELECT fmt()"), "error: fmt() takes a format and up to 11 values");
}

static void test_first_line(void **state) {
    (void)state;
    /* min(src) and min(line) would name line 3 of file 2, which is another file's */
    assert_string_equal(
        ask("SELECT min(column1) || ':' || first_line(column1, column2) FROM (VALUES (5, 3), (2, 40), (2, 9))"), "2:9");
    assert_string_equal(ask("SELECT first_line(column1, column2) FROM (VALUES (7, -2), (NULL, 1), (7, -5))"), "-5");
    assert_string_equal(ask("SELECT first_line(column1, column2) FROM (VALUES (1, NULL), (2, 4))"), "NULL");
    assert_string_equal(ask("SELECT first_line(column1, column2) FROM (VALUES (1, NULL), (1, 4))"), "4");
    assert_string_equal(ask("SELECT first_line(1, 1) WHERE 0"), "NULL");
}

static void test_median(void **state) {
    (void)state;
    assert_string_equal(ask("SELECT median(column1) FROM (VALUES (3), (1), (2))"), "2.0");
    assert_string_equal(ask("SELECT median(column1) FROM (VALUES (3), (1), (2), (10))"), "2.5");
    assert_string_equal(ask("SELECT median(column1) FROM (VALUES (7.5))"), "7.5");
    /* what is unknown, and what is no number, does not count */
    assert_string_equal(ask("SELECT median(column1) FROM (VALUES (NULL), (4), ('n/a'), ('6'))"), "5.0");
    assert_string_equal(ask("SELECT median(column1) FROM (VALUES (NULL))"), "NULL");
    assert_string_equal(ask("SELECT median(1) WHERE 0"), "NULL");
    assert_string_equal(ask("SELECT group_concat(m) FROM (SELECT median(column2) AS m FROM"
                            " (VALUES (1, 5), (2, 7), (1, 9), (2, 8), (2, 100)) GROUP BY column1)"),
                        "7.0,8.0");
}

static void test_percentile(void **state) {
    (void)state;
    assert_string_equal(ask("WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 101)"
                            " SELECT percentile(i, 0) || ' ' || percentile(i, 95) || ' ' || percentile(i, 100) FROM n"),
                        "1.0 96.0 101.0");
    assert_string_equal(ask("SELECT percentile(column1, 25) FROM (VALUES (10), (20), (30))"), "15.0");
    assert_string_equal(ask("SELECT percentile(1, 101)"),
                        "error: percentile: the second argument must be a number from 0 to 100");
    assert_string_equal(ask("SELECT percentile(1, NULL)"),
                        "error: percentile: the second argument must be a number from 0 to 100");
    assert_string_equal(ask("SELECT percentile(column1, column1) FROM (VALUES (10), (20))"),
                        "error: percentile: the second argument must be the same in every row");
}

static void test_mad(void **state) {
    (void)state;
    assert_string_equal(ask("SELECT mad(column1) FROM (VALUES (1), (1), (2), (2), (4), (6), (9))"), "1.0");
    assert_string_equal(ask("SELECT mad(5)"), "0.0");
    assert_string_equal(ask("SELECT mad(NULL)"), "NULL");
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Many values of every kind of order against a sort. */
static void test_against_sort(void **state) {
    (void)state;
    enum { N = 20000 };
    static double v[N];
    sqlite3_exec(db, "CREATE TABLE v(x REAL)", NULL, NULL, NULL);
    for (int kind = 0; kind < 5; kind++) {
        uint32_t seed = 1;
        sqlite3_exec(db, "DELETE FROM v; BEGIN", NULL, NULL, NULL);
        sqlite3_stmt *st;
        sqlite3_prepare_v2(db, "INSERT INTO v VALUES (?1)", -1, &st, NULL);
        for (int i = 0; i < N; i++) {
            seed = seed * 1664525u + 1013904223u;
            v[i] = kind == 0   ? seed >> 8
                   : kind == 1 ? i
                   : kind == 2 ? N - i
                   : kind == 3 ? (double)(i % 3)
                               : abs(i - N / 2); /* falls and rises: an organ pipe */
            sqlite3_bind_double(st, 1, v[i]);
            sqlite3_step(st);
            sqlite3_reset(st);
        }
        sqlite3_finalize(st);
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        qsort(v, N, sizeof *v, compare_doubles);
        assert_true(atof(ask("SELECT median(x) FROM v")) == (v[N / 2 - 1] + v[N / 2]) / 2);
        double rank = 0.99 * (N - 1);
        size_t below = (size_t)rank;
        double expected = v[below] + (v[below + 1] - v[below]) * (rank - (double)below);
        assert_true(fabs(atof(ask("SELECT percentile(x, 99) FROM v")) - expected) <= 1e-6 * expected + 1e-9);
    }
}

static void test_wwn(void **state) {
    (void)state;
    static const char *const same[] = {"5 00a075 1e1b2c3d4",     "0x500a0751e1b2c3d4",        "naa.500A0751E1B2C3D4",
                                       "wwn-0x500a0751e1b2c3d4", " 50:0a:07:51:e1:b2:c3:d4 ", "500a0751e1b2c3d4",
                                       "scsi-3500a0751e1b2c3d4", "3500a0751e1b2c3d4",         "0X500A0751E1B2C3D4\n"};
    char sql[200];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        snprintf(sql, sizeof sql, "SELECT wwn('%s')", same[i]);
        assert_string_equal(ask(sql), "500a0751e1b2c3d4");
    }
    assert_string_equal(ask("SELECT wwn('eui.0025385B71B0C3D4')"), "0025385b71b0c3d4");
    assert_string_equal(ask("SELECT wwn('nvme-eui.00000000000000010025385b71b0c3d4')"),
                        "00000000000000010025385b71b0c3d4");
    assert_string_equal(ask("SELECT wwn('naa.6000c29a1b2c3d4e5f60718293a4b5c6')"), "6000c29a1b2c3d4e5f60718293a4b5c6");
    assert_string_equal(ask("SELECT wwn('36000c29a1b2c3d4e5f60718293a4b5c6')"), "6000c29a1b2c3d4e5f60718293a4b5c6");
    assert_string_equal(ask("SELECT wwn('uuid.01234567-89ab-cdef-0123-456789abcdef')"),
                        "0123456789abcdef0123456789abcdef");
    static const char *const tokens[] = {"WWN-e2d6ee41",     "wwn-WWN-e2d6ee41", "wwn-0xWWN-e2d6ee41",
                                         "naa.WWN-e2d6ee41", "3WWN-e2d6ee41",    "scsi-3WWN-e2d6ee41"};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        snprintf(sql, sizeof sql, "SELECT wwn('%s')", tokens[i]);
        assert_string_equal(ask(sql), "WWN-e2d6ee41");
    }
    assert_string_equal(ask("SELECT wwn('nvme-EUI-a782ec83')"), "EUI-a782ec83");
    assert_string_equal(ask("SELECT wwn('nvme-eui.EUI-a782ec83')"), "EUI-a782ec83");
    static const char *const none[] = {"",
                                       "SN-041619db",
                                       "wwn-e2d6ee41",
                                       "WWN-e2d6ee4",
                                       "WWN-E2D6EE41",
                                       "0x0000000000000000",
                                       "eui.0000000000000000",
                                       "ffffffffffffffff",
                                       "00000000000000000000000000000000",
                                       "n/a",
                                       "WDC WD40EFRX",
                                       "500a0751e1b2c3d",
                                       "500a0751e1b2c3d4e",
                                       "01234567-89ab-cdef-0123-456789abcdef",
                                       "wwn-0x500a0751e1b2c3d4-part1",
                                       "uuid.500a0751e1b2c3d4",
                                       "0123456789abcdef0123456789abcdef0123456789",
                                       "-500a0751e1b2c3d4",
                                       "50::0a0751e1b2c3d4"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snprintf(sql, sizeof sql, "SELECT wwn('%s')", none[i]);
        assert_string_equal(ask(sql), "NULL");
    }
    assert_string_equal(ask("SELECT wwn(NULL)"), "NULL");
    assert_string_equal(ask("SELECT wwn(x'500a0751')"), "NULL");
}

static void test_counted(void **state) {
    (void)state;
    assert_string_equal(ask("SELECT counted(1, 'line')"), "1 line");
    assert_string_equal(ask("SELECT counted(0, 'line') || ', ' || counted(2.0, 'line')"), "0 lines, 2 lines");
    assert_string_equal(ask("SELECT counted(1, 'address', 'addresses') || ', ' || counted(3, 'address', 'addresses')"),
                        "1 address, 3 addresses");
    assert_string_equal(ask("SELECT counted(NULL, 'line')"), "NULL");
    assert_string_equal(ask("SELECT counted(1)"), "error: counted() takes a number, a word and its plural");
}

static void test_cite(void **state) {
    (void)state;
    assert_string_equal(ask("SELECT cite(3, 14)"), "{\"src\":3,\"line\":14}");
    assert_string_equal(ask("SELECT cite(3, -2)"), "{\"src\":3,\"line\":-2}");
    assert_string_equal(ask("SELECT cite(3, NULL)"), "{\"src\":3,\"line\":null}");
    assert_string_equal(ask("SELECT cite(NULL, 14)"), "NULL");
    /* the subtype makes it JSON, not a string in JSON */
    assert_string_equal(ask("SELECT json_group_array(cite(1, column1)) FROM (VALUES (5), (6))"),
                        "[{\"src\":1,\"line\":5},{\"src\":1,\"line\":6}]");
}

/* The same file as a shared object in a connection that has none of the functions. */
static void test_extension(void **state) {
    (void)state;
    char path[4096] = "";
    const char *given = getenv("STORDX_SQL_SO"), *program = getenv("STORDX");
    if (given) {
        snprintf(path, sizeof path, "%s", given);
    } else if (program && strrchr(program, '/')) { /* the build leaves it beside the program */
        snprintf(path, sizeof path, "%.*s/stordx_sql.so", (int)(strrchr(program, '/') - program), program);
    }
    if (!path[0] || access(path, R_OK) != 0) skip();
    sqlite3 *plain;
    assert_int_equal(sqlite3_open(":memory:", &plain), SQLITE_OK);
    if (sqlite3_db_config(plain, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL) != SQLITE_OK) {
        sqlite3_close(plain);
        skip(); /* a SQLite built without it */
    }
#ifdef __APPLE__ /* its SQLite loads no extensions, and its header says so by an error */
    sqlite3_close(plain);
    skip();
#else
    char *message = NULL;
    if (sqlite3_load_extension(plain, path, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
#endif
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(plain,
                                        "SELECT median(column1) || wwn('0x500a0751e1b2c3d4') || cite(1, 2)"
                                        " FROM (VALUES (1), (3))",
                                        -1, &st, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(st, 0), "2.0500a0751e1b2c3d4{\"src\":1,\"line\":2}");
    sqlite3_finalize(st);
    assert_int_equal(sqlite3_close(plain), SQLITE_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fmt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_first_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_median, setup, teardown),
        cmocka_unit_test_setup_teardown(test_percentile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mad, setup, teardown),
        cmocka_unit_test_setup_teardown(test_against_sort, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wwn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cite, setup, teardown),
        cmocka_unit_test(test_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
