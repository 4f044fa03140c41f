/* What is said of a rule page before any bundle is read: each check against a page that breaks it and nothing else. */
#include "diagnose/lint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_new(512u << 20);
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static const char good[] =
    "# {subjects} waits {wait_ms} ms\n" /* 1 */
    "\n"
    "```rule\n"
    "id: good-page\n"
    "kind: cause\n"
    "class: misconfiguration\n"
    "impact: major\n"
    "explains: write-latency 0.9@drive, io-pressure 0.5@host\n"
    "applies: drive\n"
    "needs: (hdparm or smartctl) and setting.write_cache@drive and distribution.w_await_ms and pressure.io\n" /* 10 */
    "source: T10 SBC-3\n"
    "```\n"
    "\n"
    "Summary of {subjects}, see [the page](https://example.org/a).\n"
    "\n"
    "## Evidence\n"
    "```sql\n"
    "\n"
    "-- key = 'in_a_comment'\n"
    "SELECT s.node, 0.9 AS confidence, json_group_array(cite(s.src, s.line)) AS evidence,\n" /* 20 */
    "       5 AS wait_ms\n"
    "FROM setting s\n"
    "WHERE s.capture = :capture AND s.key = 'write_cache' AND s.value = 'off'\n"
    "GROUP BY s.node\n"
    "```\n"
    "## Ruled out\n"
    "```sql\n"
    "SELECT node, 'on' AS reason, '[]' AS evidence FROM setting WHERE capture = :capture AND key IN "
    "('write_cache')\n" /* 28 */
    "```\n"
    "## Fix\n"
    "1. `hdparm -W1 /dev/sdX`\n"
    "## Verify\n"
    "`hdparm -W /dev/sdX`\n"
    "## Not this\n"
    "Not a cable.\n"
    "## Cases\n"
    "```case\n" /* 37 */
    "expect found x\n"
    "```\n"
    "```case\n"
    "expect ruled-out x\n"
    "```\n"
    "```case\n"
    "expect silent x\n"
    "```\n";

/* The good page with one text put in place of another. */
static const char *with(const char *from, const char *to) {
    const char *at = strstr(good, from);
    if (!at) fail_msg("the page has no \"%s\"", from);
    StrBuf out;
    sb_init(&out, arena);
    sb_add(&out, (Str){good, (size_t)(at - good)});
    sb_addz(&out, to);
    sb_addz(&out, at + strlen(from));
    return sb_str(&out).p;
}

static const char *lint_file(const char *file, const char *text) {
    Page *page = arena_new_of(arena, Page), *other = arena_new_of(arena, Page);
    Error err = {""};
    if (!page_parse(arena, str_of(file), str_of(text), page, &err)) fail_msg("%s", err.text);
    *other = (Page){.file = STR("rules/drive/other.md"), .id = STR("other-page")};
    VEC_PUSH(arena, &other->yields_to, STR("good-page"));
    Page *items[] = {page, other};
    Pages pages = {.items = items, .count = 2};
    Pages one = {.items = items, .count = 1};
    StrBuf out;
    sb_init(&out, arena);
    size_t count = rules_lint(arena, strstr(text, "yields-to: other-page") ? &pages : &one, &out), lines = 0;
    for (size_t i = 0; i < out.len; i++)
        if (out.p[i] == '\n') lines++;
    assert_int_equal(count, lines);
    return sb_str(&out).p;
}

/* The problems of the page so changed: each wanted one "LINE: part" of a line of its own. */
static void expect_problem(const char *from, const char *to, const char *wanted) {
    const char *log = lint_file("rules/drive/good-page.md", with(from, to));
    const char *full = arena_fmt(arena, "rules/drive/good-page.md:%s", wanted);
    const char *at = strstr(log, full);
    if (!at || (at != log && at[-1] != '\n')) fail_msg("\"%s\" -> \"%s\"\nwanted: %s\ncame: %s", from, to, wanted, log);
    if (strchr(log, '\n')[1]) fail_msg("\"%s\" -> \"%s\"\nmore than one problem: %s", from, to, log);
}

static void expect_nothing(const char *from, const char *to) {
    const char *log = lint_file("rules/drive/good-page.md", with(from, to));
    if (*log) fail_msg("\"%s\" -> \"%s\": %s", from, to, log);
}

static void a_good_page_passes(void **state) {
    (void)state;
    assert_string_equal(lint_file("rules/drive/good-page.md", good), "");
}

static void identity(void **state) {
    (void)state;
    assert_string_equal(lint_file("rules/drive/other.md", good),
                        "rules/drive/other.md:4: the id \"good-page\" is not the name of the file\n");
    assert_true(strstr(lint_file("rules/drives/good-page.md", good),
                       "rules/drives/good-page.md:1: \"drives\" is no layer: controller link") != NULL);
    assert_true(strstr(lint_file("rules/symptom/good-page.md", good),
                       ":5: symptom pages, and only they, are in the folder symptom") != NULL);
    assert_true(strstr(lint_file("rules/drive/Good_page.md", with("id: good-page", "id: Good_page")),
                       ":4: an id is lower-case words with dashes") != NULL);
    assert_true(strstr(lint_file("rules/drive/a--b.md", with("id: good-page", "id: a--b")), ":4: an id is") != NULL);
    expect_problem("source: T10 SBC-3\n", "", "3: no source");
}

static void words_of_the_block(void **state) {
    (void)state;
    expect_problem("class: misconfiguration", "class: mistake", "6: class \"mistake\" is none of: saturation");
    expect_problem("class: misconfiguration\n", "", "3: a cause needs class: saturation");
    expect_problem("impact: major", "impact: huge", "7: impact \"huge\" is none of: severe major minor");
    expect_problem("impact: major\n", "", "3: a cause needs impact");
    expect_problem("@drive, io", "@disk, io", "8: explains: the scope \"disk\" is none of: drive pair");
    expect_problem("io-pressure 0.5", "io-presure 0.5", "8: explains: there is no symptom \"io-presure\"");
    expect_problem("0.5@host", "0@host", "8: explains: the weight of io-pressure is not above 0");
    expect_problem("io-pressure 0.5@host", "write-latency 0.5@drive", "8: explains: write-latency@drive stands twice");
    expect_problem("explains: write-latency 0.9@drive, io-pressure 0.5@host\n", "",
                   "3: a cause explains at least one symptom");
    expect_problem("applies: drive", "applies: drive\nraises: write-latency",
                   "10: only a symptom page raises a symptom");
    expect_problem("applies: drive", "applies: drive\ngroup-by: shelf",
                   "10: group-by \"shelf\" is neither group_key nor");
    expect_nothing("applies: drive", "applies: drive\ngroup-by: controller");
    expect_problem("applies: drive", "applies: drive\ngroup-by: group_key",
                   "18: Evidence: group-by wants a column group_key");
    expect_problem("applies: drive", "applies: drive\nyields-to: nobody", "10: yields-to: there is no rule \"nobody\"");
    assert_true(
        strstr(lint_file("rules/drive/good-page.md", with("applies: drive", "applies: drive\nyields-to: other-page")),
               "good-page.md:10: yields-to: other-page yields to this rule, too") != NULL);
    expect_problem("applies: drive", "applies: drive\ninside: nobody", "10: inside: there is no other rule \"nobody\"");
    expect_problem("applies: drive", "applies: drive\nwords: cpu, CPU",
                   "10: words: \"CPU\" is no lower-case word of two letters or more, with * at most at its end");
    expect_problem("applies: drive", "applies: drive\nwords: cpu, net*work",
                   "10: words: \"net*work\" is no lower-case word of two letters or more, with * at most at its end");
    expect_problem("applies: drive", "applies: drive\nwords: cpu, cpu", "10: words: \"cpu\" stands twice");
    expect_problem("applies: drive", "applies: drive\nanswers: udma crc",
                   "10: answers: what prose claims is no evidence, so only a note may answer it");
    expect_problem("applies: drive", "applies: drive\nyields-to: good-page",
                   "10: yields-to: a rule cannot yield to itself");
}

static void subjects_and_needs(void **state) {
    (void)state;
    expect_problem("applies: drive", "applies: disk", "9: applies \"disk\" is neither a kind");
    expect_problem("applies: drive", "applies: select node from drives where capture = :capture",
                   "9: applies: no such table: drives");
    expect_problem("applies: drive", "applies: select node from drive", "9: applies: does not filter by :capture");
    expect_problem("applies: drive\n", "", "3: no applies");
    expect_nothing("applies: drive",
                   "applies: select node from drive where capture = :capture and media in ('ssd', 'nvme')");
    expect_problem("needs: (hdparm", "needs: ((hdparm", "10: needs: a bracket is not closed");
    expect_problem("hdparm or", "hdparn or", "10: needs: neither a tool nor a table: \"hdparn\"");
    expect_problem("setting.write_cache", "setting.writecache", "10: needs: no setting is called \"writecache\"");
    expect_problem("distribution.w_await_ms", "distribution.w_await",
                   "10: needs: no distribution is called \"w_await\"");
    expect_problem("pressure.io", "pressure.disk", "10: needs: no pressure is called \"disk\"");
    expect_problem("pressure.io", "log_event.no-such-event", "10: needs: no log_event is called \"no-such-event\"");
    expect_problem("pressure.io", "model_fact.no_such_fact", "10: needs: no model_fact is called \"no_such_fact\"");
    expect_problem("write_cache@drive", "write_cache@disk", "10: needs: \"disk\" is no kind of node");
    expect_problem(
        "needs: (hdparm or smartctl) and setting.write_cache@drive and distribution.w_await_ms and pressure.io\n", "",
        "3: no needs");
}

static void statements(void **state) {
    (void)state;
    expect_problem("FROM setting s\n", "FROM settings s\n", "17: Evidence: no such table: settings");
    expect_problem("GROUP BY s.node", "GROUP BY s.nodes", "24: Evidence: no such column: s.nodes");
    expect_problem("GROUP BY s.node", "GROUP GROUP BY s.node", "24: Evidence: near \"GROUP\"");
    expect_problem("GROUP BY s.node", "GROUP BY s.node; DELETE FROM node", "17: Evidence: one statement is expected");
    expect_problem("json_group_array(cite(s.src, s.line))", "json_array(cite(min(s.src), min(s.line)))",
                   "20: Evidence: min(src) and min(line) may be of two rows");
    expect_problem("GROUP BY s.node", "GROUP BY s.node, load_extension('x')",
                   "24: Evidence: not authorized to use function: load_extension");
    expect_problem("0.9 AS confidence", "0.9 AS confidense", "17: Evidence: no column confidence");
    expect_problem("SELECT s.node,", "SELECT s.node AS drive,", "17: Evidence: no column node");
    expect_problem("AS evidence,\n", "AS evidence, 5 AS wait_ms,\n", "17: Evidence: two columns are called wait_ms");
    expect_problem("s.capture = :capture AND ", "", "17: Evidence: does not filter by :capture");
    expect_problem("s.value = 'off'", "s.value = :value", "17: Evidence: the parameter :value; there is only :capture");
    expect_problem("s.value = 'off'", "s.value = ?", "17: Evidence: the parameter ?; there is only :capture");
    expect_problem("GROUP BY s.node", "GROUP BY s.node UNION ALL SELECT 1, 0.9, '[]', 5",
                   "17: Evidence: gives a node although there are no facts");
    expect_problem("'on' AS reason", "'on' AS why", "27: Ruled out: no column reason");
    expect_problem("FROM setting WHERE capture", "FROM setings WHERE capture", "27: Ruled out: no such table: setings");
}

static void words_in_sql(void **state) {
    (void)state;
    expect_problem("s.key = 'write_cache'", "s.key = 'write_cash'", "23: key = 'write_cash': there is no such key");
    expect_problem("s.key = 'write_cache'", "s.key IS NOT 'write_cash'", "23: key = 'write_cash'");
    expect_problem("key IN ('write_cache')", "key IN ('write_cache', 'wcache')", "28: key = 'wcache'");
    expect_problem("key IN ('write_cache')", "key NOT IN ('wcache')", "28: key = 'wcache'");
    expect_nothing("s.value = 'off'", "EXISTS (SELECT 1 FROM node n WHERE n.id = s.node AND n.key = 'host')");
    expect_nothing("s.value = 'off'", "EXISTS (SELECT 1 FROM json_each('{}') j WHERE j.key = 'port')");
    expect_nothing("s.value = 'off'", "s.value <> 'key = ''nonsense'''");
    expect_nothing("s.key = 'write_cache'", "s.key = 'write_' || 'cache'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM distribution d WHERE d.metric = 'wawait')",
                   "23: metric = 'wawait'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM log_event WHERE event in ('no-such-event'))",
                   "23: event = 'no-such-event'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM log_event WHERE sig = 'XYZ999')", "23: sig = 'XYZ999'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM source AS o WHERE o.tool = 'kernel_log')",
                   "23: tool = 'kernel_log'");
    expect_nothing("s.value = 'off'", "EXISTS (SELECT 1 FROM source AS o WHERE o.tool = 'kernel-log')");
    expect_problem("s.value = 'off'", "s.view = 'device'", "23: view = 'device'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM drive d WHERE d.media <> 'disk')", "23: media = 'disk'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM finding WHERE rule = 'nobody')", "23: rule = 'nobody'");
    expect_problem("s.value = 'off'", "EXISTS (SELECT 1 FROM finding WHERE symptom = 'slowness')",
                   "23: symptom = 'slowness'");
}

static void text(void **state) {
    (void)state;
    expect_problem("waits {wait_ms}", "waits {wait_s}", "1: title: {wait_s} is no column");
    expect_problem("Summary of {subjects}", "Summary of {evidence}", "14: summary: {evidence} is no column");
    expect_problem("hdparm -W1 /dev/sdX", "hdparm -W1 {by_path}", "31: Fix: {by_path} is no column");
    expect_problem("hdparm -W /dev/sdX", "hdparm -W {by_path}", "33: Verify: {by_path} is no column");
    expect_problem("Not a cable.", "Not {cable}.", "35: Not this: {cable} is no column");
    expect_problem("Not a cable.", "Not {cable_}.", "35: Not this: {cable_} is no placeholder");
    expect_nothing("Not a cable.", "cat /proc/PID/{wchan,status} ${HOME_}");
    expect_nothing("Not a cable.", "{count} of {models} in {places}, {serials}, {drives_long}, {confidence}.");
    expect_problem("https://example.org/a", "https://example.org/{wait_ms}",
                   "14: no placeholders in link targets: https://example.org/{wait_ms}");
    expect_problem("https://example.org/a", "javascript:alert(1)",
                   "14: a link goes to http or https: javascript:alert(1)");
    expect_problem("Not a cable.", "Not a <cable>.", "35: raw HTML");
    expect_problem("Summary of {subjects}", "Summary of 2 line(s)", "1: summary: \"(s)\" leaves counting");
    expect_problem("'on' AS reason", "'2 time(s) on' AS reason", "28: Ruled out: \"(s)\" leaves counting");
    expect_nothing("'on' AS reason", "'on' || (SELECT max(s) FROM (SELECT 1 AS s)) AS reason");
    expect_problem("Not a cable.", "![x](https://example.org/x.png)", "35: a report shows no images");
    /* the drives of a group are joined in running text */
    StrBuf grouped;
    sb_init(&grouped, arena);
    sb_addz(&grouped, with("`hdparm -W1 /dev/sdX`", "`hdparm -W1 {by_id}`"));
    assert_null(strstr(lint_file("rules/drive/good-page.md", grouped.p), "code block"));
    memcpy(strstr(grouped.p, "source: T10 SBC-3"), "group-by: host   ", strlen("group-by: host   "));
    assert_non_null(strstr(lint_file("rules/drive/good-page.md", grouped.p),
                           "rules/drive/good-page.md:31: {by_id} of several drives needs a code block"));
    expect_problem("1. `hdparm -W1 /dev/sdX`\n", "", "1: a cause needs a Fix");
    expect_problem("`hdparm -W /dev/sdX`\n", "", "1: a cause needs a Verify");
    expect_problem("Summary of {subjects}, see [the page](https://example.org/a).\n", "", "1: a cause needs a summary");
}

static void cases(void **state) {
    (void)state;
    expect_problem("```case\nexpect silent x\n```\n", "", "37: 2 cases; 3 are wanted");
    expect_problem("expect found x", "expect silent x", "37: no case expects the page to find something");
    expect_problem("expect ruled-out x", "expect silent x", "37: no case expects the page to rule something out");
}

static void other_kinds(void **state) {
    (void)state;
    static const char symptom[] =
        "# T\n\n```rule\nid: slow-writes\nkind: symptom\nimpact: major\nraises: write-latency\napplies: drive\nneeds: "
        "iostat\nsource: x\n```\n\nS.\n\n## Evidence\n```sql\n"
        "SELECT node, 1 AS value, 'ms' AS unit, 10 AS threshold, 1 AS confidence, 'b' AS basis, '[]' AS evidence FROM "
        "drive WHERE capture = :capture\n```\n"
        "## Cases\n```case\nexpect found x\n```\n```case\nexpect silent x\n```\n";
    assert_string_equal(lint_file("rules/symptom/slow-writes.md", symptom), "");
    StrBuf changed;
    sb_init(&changed, arena);
    const char *at = strstr(symptom, "10 AS threshold, ");
    sb_add(&changed, (Str){symptom, (size_t)(at - symptom)});
    sb_addz(&changed, at + strlen("10 AS threshold, "));
    assert_string_equal(lint_file("rules/symptom/slow-writes.md", sb_str(&changed).p),
                        "rules/symptom/slow-writes.md:16: Evidence: no column threshold\n");
    static const char note[] =
        "# T\n\n```rule\nid: a-note\nkind: note\nimpact: minor\nexplains: write-latency 1@drive\nsource: "
        "x\n```\n\nS.\n\n## Evidence\n```sql\nSELECT node, 1 AS confidence FROM drive WHERE"
        " capture = :capture\n```\n## Cases\n```case\nexpect found x\n```\n```case\nexpect found x\n```\n";
    assert_string_equal(
        lint_file("rules/drive/a-note.md", note),
        "rules/drive/a-note.md:6: a note has no impact\nrules/drive/a-note.md:7: only a cause explains symptoms\n"
        "rules/drive/a-note.md:18: no case is a near miss\n");
    static const char compare[] =
        "# T\n\n```rule\nid: changed\nkind: verdict\ncompare: yes\nsource: x\n```\n\nS.\n\n## Evidence\n```sql\nSELECT "
        "a.node, 1 AS confidence, '[]' AS evidence FROM drive a JOIN drive b ON"
        " b.node = a.node AND b.capture = :before WHERE a.capture = :after\n```\n## Cases\n```case\nexpect found "
        "x\n```\n```case\nexpect silent x\n```\n";
    assert_string_equal(lint_file("rules/verdict/changed.md", compare), "");
}

static void pages_that_were_left_out_are_problems(void **state) {
    (void)state;
    Pages pages = {0};
    VEC_PUSH(arena, &pages.problems, STR("rules/drive/x.md:1: no title"));
    StrBuf out;
    sb_init(&out, arena);
    assert_int_equal(rules_lint(arena, &pages, &out), 1);
    assert_true(str_is(sb_str(&out), "rules/drive/x.md:1: no title\n"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_good_page_passes),
        TEST(identity),
        TEST(words_of_the_block),
        TEST(subjects_and_needs),
        TEST(statements),
        TEST(words_in_sql),
        TEST(text),
        TEST(cases),
        TEST(other_kinds),
        TEST(pages_that_were_left_out_are_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
