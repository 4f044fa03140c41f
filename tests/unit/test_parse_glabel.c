/* glabel status: with and without its heading, damaged rows, and what only looks alike. */
#include "parse_test.h"

extern const Parser parser_glabel;

#define SAME                                                                                                           \
    "SELECT group_concat(a.name || '=' || b.name, '; ') FROM same_as s JOIN ref a ON a.id = s.a JOIN ref b ON b.id = " \
    "s.b"

static void lists(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_glabel, NULL, "glabel status",
                           STR("                                      Name  Status  Components\n"
                               "                              gpt/gptboot0     N/A  ada0p1\n"
                               "gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1     N/A  ada0p2\n"
                               "                diskid/DISK-WD-EXAMPLE0001     N/A  ada1\n"
                               "                                 label/swp     N/A  ada2s1\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, SAME), "gpt/gptboot0=ada0p1; gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1=ada0p2; "
                                           "diskid/DISK-WD-EXAMPLE0001=ada1; label/swp=ada2s1");
    pt_free(pt);
    pt = pt_run(&parser_glabel, NULL, NULL, STR("gpt/log0  N/A  nvd0p1\n"));
    assert_string_equal(pt_text(pt, SAME), "gpt/log0=nvd0p1");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_glabel, NULL, NULL, STR("gpt/log0  N/A  nvd0p1\ngpt/log1  N/A\ngpt/  N/A  nvd0p1\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    pt_free(pt);
    /* gmultipath's heading is the same */
    assert_int_equal(parser_glabel.bid(STR(""), STR(""),
                                       STR("          Name   Status  Components\nmultipath/a  OPTIMAL  da0 "
                                           "(ACTIVE)\n")),
                     0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
