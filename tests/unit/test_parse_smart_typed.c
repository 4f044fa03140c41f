/* SMART attributes that somebody typed off: several layouts, and what only looks like them. */
#include "parse_test.h"

extern const Parser parser_smart_typed;

#define FIGURES                                                                                                        \
    "SELECT group_concat(x, ' ') FROM (SELECT n.name || ':' || c.id || '=' || CAST(c.value AS INTEGER) AS x FROM "    \
    "counter c JOIN ref n ON n.id = c.node WHERE c.id IS NOT NULL ORDER BY c.line)"

static void layouts(void **state) {
    (void)state;
    static const struct {
        const char *text, *figures;
    } c[] = {
        {"sdb  EXAMPLE4000NM01, backups\n  5 Reallocated_Sector_Ct    12   (norm 100/100, thr 10)\n"
         "  197 Current_Pending_Sector: 8\nsdd (EXAMPLE4000NM02)\n 199 UDMA_CRC_Error_Count = 0\n",
         "sdb:5=12 sdb:197=8 sdd:199=0"},
        {"/dev/ada1: EXAMPLE4000NM01, in the cupboard\n\n198 Offline_Uncorrectable 3\n9 Power_On_Hours 14101, so old\n",
         "ada1:198=3 ada1:9=14101"},
        {"5 Reallocated_Sector_Ct 1\n197 Current_Pending_Sector 2\n", "[drive at line 1]:5=1 [drive at line 1]:197=2"},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        ParseTest *pt = pt_run(&parser_smart_typed, NULL, NULL, str_of(c[i].text));
        assert_int_equal(pt->result, PARSE_OK);
        assert_string_equal(pt_text(pt, FIGURES), c[i].figures);
        pt_free(pt);
    }
}

/* The verdict, the number of errors and the words beside the drive. */
static void the_rest(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_smart_typed, NULL, NULL,
               STR("sdb  EXAMPLE4000NM01, 4.1 TB used\n"
                   "SMART overall-health self-assessment test result: PASSED\n"
                   "197 Current_Pending_Sector 624\n198 Offline_Uncorrectable 624\nATA Error Count: 1693\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT value || ' ' || view FROM setting WHERE key = 'smart_health'"),
                        "PASSED by-hand");
    assert_string_equal(pt_text(pt, "SELECT CAST(value AS INTEGER) FROM counter WHERE name = 'ata_error_count'"),
                        "1693");
    assert_string_equal(pt_text(pt, "SELECT text FROM statement"), "sdb  EXAMPLE4000NM01, 4.1 TB used");
    pt_free(pt);
}

/* Not a number, another attribute's name, smartctl's own columns. */
static void near_misses(void **state) {
    (void)state;
    static const char *const lines[] = {"5 Reallocated_Sector_Ct many",
                                        "197 Reallocated_Sector_Ct 5",
                                        "197 Current_Pending_Sector 0x0012 100 100 000 Old_age Always - 48",
                                        "197 Current_Pending_Sector 48 of them",
                                        "624 pending sectors",
                                        "sda 8:0 0 931.5G 0 disk",
                                        "sdb is the ST4000 with 3 TB"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_false(parser_smart_typed.starts(str_of(lines[i])));
    ParseTest *pt =
        pt_run(&parser_smart_typed, NULL, NULL,
               STR("5 Reallocated_Sector_Ct 1\n197 Current_Pending_Sector many\n198 Offline_Uncorrectable 2\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    pt_free(pt);
    assert_int_equal(parser_smart_typed.bid(STR_NONE, STR_NONE, STR("5 Reallocated_Sector_Ct 1\n")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(layouts), cmocka_unit_test(the_rest),
                                       cmocka_unit_test(near_misses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
