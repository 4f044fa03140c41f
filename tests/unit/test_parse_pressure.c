/* /proc/pressure in the forms in which it gets into a bundle. */
#include "sample_test.h"

#include <stdio.h>
#include <string.h>

extern const Parser parser_pressure;

#define SOME "some avg10=94.05 avg60=90.06 avg300=80.24 total=84639826320\n"
#define FULL "full avg10=88.82 avg60=84.62 avg300=75.87 total=76175843688\n"
#define ALL "SELECT group_concat(coalesce(resource,'?')||' '||kind, ',') FROM (SELECT * FROM pressure ORDER BY rowid)"

static const struct {
    const char *name, *path, *command, *text, *sql, *want;
} rows[] = {
    {"a file by its path", "proc/pressure/io", NULL, SOME FULL,
     "SELECT resource||' '||kind||' '||avg10_pct||' '||avg60_pct||' '||avg300_pct||' '||total_us||' '||line FROM "
     "pressure WHERE kind='full'",
     "io full 88.82 84.62 75.87 76175843688.0 2"},
    {"a flattened name", "host/proc-pressure-memory.txt", NULL, SOME FULL, ALL, "memory some,memory full"},
    {"grep", NULL, "grep . /proc/pressure/*",
     "/proc/pressure/cpu:" SOME "/proc/pressure/io:" SOME "/proc/pressure/io:" FULL "/proc/pressure/irq:" FULL
     "/proc/pressure/memory:" SOME,
     ALL, "cpu some,io some,io full,irq full,memory some"},
    {"cat of one", NULL, "cat /proc/pressure/io", SOME FULL, ALL, "io some,io full"},
    {"cat of all", NULL, "cat /proc/pressure/*", SOME FULL SOME FULL SOME FULL, ALL,
     "cpu some,cpu full,io some,io full,memory some,memory full"},
    {"cat of all with irq", NULL, "cat /proc/pressure/*", SOME FULL SOME FULL FULL SOME FULL, ALL,
     "cpu some,cpu full,io some,io full,irq full,memory some,memory full"},
    {"cat of all before 5.13", NULL, "cat /proc/pressure/*", SOME SOME FULL SOME FULL, ALL,
     "cpu some,io some,io full,memory some,memory full"},
    {"headings", NULL, NULL, "==> /proc/pressure/io <==\n" SOME FULL "\n==> /proc/pressure/memory <==\n" SOME, ALL,
     "io some,io full,memory some"},
    {"nothing says which", NULL, NULL, SOME, ALL, "? some"},
    {"a stamp before", "pressure/io", NULL, "1720322641\n" SOME FULL, "SELECT t_s FROM pressure", "1720322641.0"},
    {"a stamp in the line", NULL, NULL, "2024-07-07T03:24:01Z io " SOME, "SELECT t_s||' '||resource FROM pressure",
     "1720322641.0 io"},
    {"a control group", NULL, NULL, "/sys/fs/cgroup/system.slice/io.pressure:" SOME, "SELECT count(*) FROM pressure",
     "0"},
};

static void forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = pt_run(&parser_pressure, rows[i].path, rows[i].command, str_of(rows[i].text));
        if (pt->ctx.bad_rows || pt->result != PARSE_OK) fail_msg("%s: %.*s", rows[i].name, STR_ARG(pt->ctx.first_note));
        const char *got = pt_text(pt, rows[i].sql);
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: %s, not %s", rows[i].name, got, rows[i].want);
        assert_true(parser_pressure.bid(str_of(rows[i].path), str_of(rows[i].command), str_of(rows[i].text)) > 0);
        Str text = str_of(rows[i].text);
        bool stamped = strstr(rows[i].name, "a stamp before") != NULL;
        while (text.len && !stamped) {
            Str line = str_cut(&text, '\n');
            if (!parser_pressure.continues(line)) fail_msg("%s: not claimed: %.*s", rows[i].name, STR_ARG(line));
        }
        pt_free(pt);
    }
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_pressure, "proc/pressure/io", NULL, STR(SOME "garbage\nfull avg10=88.82 avg60=84.62 avg3"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    assert_string_equal(pt_text(pt, "SELECT avg60_pct FROM pressure WHERE kind='full'"), "84.62");
    assert_string_equal(pt_text(pt, "SELECT total_us FROM pressure WHERE kind='full'"), "NULL");
    pt_free(pt);
    static const char text[] = "/proc/pressure/io:" SOME FULL;
    for (size_t n = 0; n < sizeof text; n++) {
        pt = pt_run(&parser_pressure, NULL, NULL, (Str){text, n});
        pt_free(pt);
    }
    static const char *const others[] = {"=== 1720322641\nsome avg10=0.00 avg60=0.00 avg300=0.00 total=1\n",
                                         "sda 1 2 3 4 5\n", "cat: /proc/pressure/io: No such file or directory\n", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(parser_pressure.bid(STR("proc/pressure/io"), STR(""), str_of(others[i])), 0);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "pressure/%s", file);
    ParseTest *pt = pt_run(&parser_pressure, path, NULL, text);
    if (parser_pressure.bid(STR("x"), STR(""), text) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows || !pt->ctx.rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    bool group = strstr(file, "cgroup2") != NULL;
    const char *got = pt_text(pt, "SELECT count(*)>0 AND count(resource)=count(*) FROM pressure");
    if (strcmp(got, group ? "0" : "1") != 0) fail_msg("%s: resource not known from the name", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("pressure", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(damage), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
