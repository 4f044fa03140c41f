/* robocopy: the report in two languages, and what is damaged. */
#include "parse_test.h"

extern const Parser parser_robocopy;

#define RULE "-------------------------------------------------------------------------------\n"
#define ALL                                                                                                            \
    "SELECT group_concat(target || ' ' || label || ' ' || round(mb_s, 2) || ' ' || round(bytes) || ' ' || "            \
    "round(seconds, 1), "                                                                                              \
    "', ') FROM benchmark"

static void english(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_robocopy, NULL, NULL,
               STR(RULE "   ROBOCOPY     ::     Robust File Copy for Windows                              \n" RULE
                        "\n  Started : Saturday, March 9, 2024 3:35:12 PM\n   Source : \\\\nas\\media\\small\\\n"
                        "     Dest : C:\\test\\\n\n    Files : *.*\n  Options : *.* /S /E /R:1 /W:1\n\n" RULE
                        "\n\t    New File  \t\t   75234\tb.txt\n100%\n" RULE
                        "\n               Total    Copied   Skipped  Mismatch    FAILED    Extras\n"
                        "    Dirs :         1         1         0         0         0         0\n"
                        "   Files :      1000      1000         0         0         0         0\n"
                        "   Bytes :   74.03 m   74.03 m         0         0         0         0\n"
                        "   Times :   0:00:09   0:00:09                       0:00:00   0:00:00\n\n\n"
                        "   Speed :             8221904 Bytes/sec.\n   Speed :             470.461 MegaBytes/min.\n"
                        "   Ended : Saturday, March 9, 2024 3:35:22 PM\nrubbish\n"));
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(pt_text(pt, ALL), "\\\\nas\\media\\small\\ 1000 files 8.22 77626081.0 9.4");
    pt_free(pt);
}

static void german(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_robocopy, NULL, NULL,
               STR("   ROBOCOPY     ::     Robustes Dateikopieren unter Windows\n    Quelle : \\\\nas\\ssd\\\n"
                   "   Dateien :         1         1         0         0         0         0\n"
                   "     Bytes :      4096      4096         0         0         0         0\n"
                   "Geschwindigkeit :           1.204.096 Bytes/Sek.\n"));
    assert_string_equal(pt_text(pt, ALL), "\\\\nas\\ssd\\ 1 file 1.2 4096.0 0.0");
    pt_free(pt);
    pt = pt_run(&parser_robocopy, NULL, NULL,
                STR("   ROBOCOPY     ::     x\n   Speed :   12 Bytes/sec.\n   Bytes :   x m\n"));
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM benchmark"), "0");
    pt_free(pt);
}

/* From the drive of the client to the share: the server was written to. */
static void upload(void **state) {
    (void)state;
    ParseTest *pt = pt_run(
        &parser_robocopy, NULL, NULL,
        STR("   ROBOCOPY     ::     Robust File Copy for Windows\n   Source : C:\\Users\\wilma\\Videos\\\n"
            "     Dest : \\\\nas\\media\\\n   Bytes :   1.000 g   1.000 g         0         0         0         0\n"
            "   Speed :           107374182 Bytes/sec.\n"));
    assert_string_equal(pt_text(pt, "SELECT rw || ' ' || target || ' ' || measures FROM benchmark"),
                        "write \\\\nas\\media\\ a copy over the network, file by file");
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(english), cmocka_unit_test(upload), cmocka_unit_test(german)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
