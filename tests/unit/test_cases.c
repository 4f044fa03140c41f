/* Cases of rule pages: what they may hold, how they are judged, and what is said when they fail. */
#include "diagnose/cases.h"

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
    arena = arena_new(256u << 20);
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

#define META "kind: cause\napplies: drive\nneeds: hdparm and setting.write_cache@drive\n"
#define OFF                                                                                                            \
    "SELECT node, CASE view WHEN 'drive' THEN 0.9 ELSE 0.2 END AS confidence, json_array(cite(src, line)) AS "         \
    "evidence, view AS speaker, 57 AS wait_ms\n"                                                                       \
    "FROM setting WHERE capture = :capture AND key = 'write_cache' AND value = 'off' ORDER BY node\n"
#define ON                                                                                                             \
    "SELECT node, 'it is on' AS reason, '[]' AS evidence FROM setting WHERE capture = :capture AND key = "             \
    "'write_cache' AND value = 'on'\n"
#define DRIVE "node id=1 kind=drive key=drive:a label=sda\ndrive node=1 name=sda\n"
#define HDPARM "source id=1 tool=hdparm\n"

/* The log of one case, "" when it passes. meta etc. NULL: the page above. */
static const char *run(const char *meta, const char *evidence, const char *ruled_out, const char *text) {
    StrBuf md, log;
    sb_init(&md, arena);
    sb_addf(&md,
            "# T\n\n```rule\nid: p\n%s```\n\n## Evidence\n```sql\n%s```\n## Ruled out\n```sql\n%s```\n## "
            "Cases\n```case\n%s```\n",
            meta ? meta : META, evidence ? evidence : OFF, ruled_out ? ruled_out : ON, text);
    Page page;
    Error err = {""};
    if (!page_parse(arena, STR("r/p.md"), sb_str(&md), &page, &err)) fail_msg("%s", err.text);
    Page *items[] = {&page};
    Pages pages = {.items = items, .count = 1};
    sb_init(&log, arena);
    size_t passed = 99, failed = 99;
    size_t bad = cases_run(arena, &pages, &log, &passed, &failed);
    assert_int_equal(passed + failed, 1);
    assert_int_equal(bad, failed);
    assert_int_equal(failed > 0, log.len > 0);
    return sb_str(&log).p;
}

/* The log of a case for the page above, whose lines start at 21, without the file. */
static const char *fails(const char *text) {
    const char *log = run(NULL, NULL, NULL, text);
    return strncmp(log, "r/p.md:", 7) == 0 ? log + 7 : log;
}

#define passes(text) assert_string_equal(run(NULL, NULL, NULL, text), "")

static void the_four_answers(void **state) {
    (void)state;
    passes(DRIVE HDPARM "setting node=1 key=write_cache value=off view=drive\nexpect found drive:a\n");
    passes(DRIVE HDPARM "setting node=1 key=write_cache value=off view=drive\nexpect found sda\n");
    passes(DRIVE HDPARM "setting node=1 key=write_cache value=on view=drive\nexpect ruled-out drive:a\n");
    passes(DRIVE HDPARM "expect not-checked drive:a\n");
    passes(
        DRIVE
        "setting node=1 key=write_cache value=off view=kernel\nexpect not-checked drive:a\n"); /* no hdparm; and 0.2 is not shown */
    passes(DRIVE HDPARM "setting node=1 key=write_cache value=off view=kernel\nexpect silent drive:a\n");
    passes(DRIVE HDPARM "expect silent drive:a\n"); /* not checked is silent, too */
    passes("name: two\n# a comment\n\n" DRIVE
           "node id=2 kind=drive key=drive:b label=sdb\ndrive node=2 name=sdb\n" HDPARM
           "setting node=1 key=write_cache value=off view=drive\nsetting node=2 key=write_cache value=on "
           "view=drive\nexpect found drive:a\nexpect ruled-out sdb\n");
}

static void what_came_instead(void **state) {
    (void)state;
    assert_string_equal(
        fails("name: none\n" DRIVE HDPARM "setting node=1 key=write_cache value=on view=drive\nexpect found drive:a\n"),
        "26: none: expected found drive:a, came: ruled-out drive:a (it is on)\n");
    assert_string_equal(
        fails(DRIVE HDPARM "setting node=1 key=write_cache value=off view=drive\nexpect silent drive:a\n"),
        "25: expected silent drive:a, came: found drive:a (0.90)\n");
    assert_string_equal(fails(DRIVE HDPARM "expect found drive:a\n"),
                        "24: expected found drive:a, came: not-checked drive:a (write_cache)\n");
    assert_string_equal(
        fails(DRIVE HDPARM "setting node=1 key=write_cache value=off view=kernel\nexpect found drive:a\n"),
        "25: expected found drive:a, came: found drive:a (0.20)\n");
    assert_string_equal(
        fails(DRIVE HDPARM "setting node=1 key=write_cache value=off view=kernel\nexpect not-checked drive:a\n"),
        "25: expected not-checked drive:a, came: found drive:a (0.20)\n");
    assert_string_equal(fails(DRIVE "expect found drive:z\n"), "23: the case has no node drive:z\n");
}

static void conditions_of_found(void **state) {
    (void)state;
#define FOUND DRIVE HDPARM "setting node=1 key=write_cache value=off view=drive\n"
    passes(FOUND "expect found drive:a confidence>=0.9 confidence<=0.9 speaker=drive wait_ms=57.0 wait_ms>=50\n");
    assert_string_equal(fails(FOUND "expect found drive:a confidence>=0.91\n"),
                        "25: expected found drive:a, came: found drive:a (0.90); confidence is \"0.90\"\n");
    assert_string_equal(fails(FOUND "expect found drive:a speaker=kernel\n"),
                        "25: expected found drive:a, came: found drive:a (0.90); speaker is \"drive\"\n");
    assert_string_equal(fails(FOUND "expect found drive:a nobody=x\n"),
                        "25: expected found drive:a, came: found drive:a (0.90); nobody is \"\"\n");
    assert_string_equal(fails(FOUND "expect silent drive:a confidence>=0.3\n"), "25: only a found row has columns\n");
    assert_string_equal(fails(FOUND "expect found drive:a confidence>=much\n"),
                        "25: confidence is compared with no number\n");
    /* a claim without a line of evidence is none, unless it is a note */
    const char *bare = "SELECT node, 0.9 AS confidence, '[]' AS evidence FROM drive WHERE capture = :capture\n";
    assert_true(str_ends(str_of(run(NULL, bare, NULL, FOUND "expect found drive:a\n")),
                         "came: found drive:a (0.90, no evidence); a finding needs a line of evidence\n"));
    assert_string_equal(run("kind: note\n", bare, NULL, FOUND "expect found drive:a\n"), "");
}

/* What a case does not say is there. */
static void usual_rows_are_added(void **state) {
    (void)state;
    assert_string_equal(
        run("kind: note\n",
            "SELECT h.node, 0.9 AS confidence, s.tool AS tool, s.status AS status, (SELECT text FROM line_text t WHERE "
            "t.src = x.src AND t.line = x.line) AS original,"
            " x.line AS at, x.boot AS boot, b.seq AS seq, s.member AS member FROM host h JOIN setting x ON x.capture = "
            "h.capture JOIN source s ON s.id = x.src"
            " JOIN boot b ON b.capture = h.capture WHERE h.capture = :capture AND x.view = 'drive'\n",
            NULL,
            DRIVE "setting node=1 key=model value='a model' view=kernel\nsetting node=1 key=model value=\"a 'quoted' "
                  "model\" view=drive src=4 text=' Model:  it''s'\n"
                  "expect found host original=\" Model:  it's\" boot=0 seq=0 member=case-4.txt status=parsed at=2\n"),
        "");
    assert_string_equal(
        run("kind: note\n",
            "SELECT h.node, 0.9 AS confidence, t.text AS original FROM host h JOIN line_text t WHERE h.capture = "
            ":capture AND t.src = 1\n",
            NULL,
            DRIVE "setting node=1 key=model value=x\nexpect found host original='setting node=1 key=model value=x'\n"),
        "");
    assert_string_equal(run("kind: note\n",
                            "SELECT h.node, 0.9 AS confidence, n.key AS k FROM host h JOIN node n ON n.id = h.node "
                            "WHERE h.capture = :capture\n",
                            NULL, "node id=9 kind=host key=host label=nas\nexpect found nas k=host\n"),
                        "");
    /* types: text stays as it stands, numbers compare as numbers, an empty value is NULL */
    assert_string_equal(
        run("kind: note\n",
            "SELECT d.node, 0.9 AS confidence, typeof(s.value) || s.value AS t, typeof(d.size_bytes) AS n, "
            "typeof(d.serial) AS nil, typeof(l.w_s) AS w FROM drive d"
            " JOIN setting s ON s.node = d.node AND s.capture = :capture JOIN lifetime l ON l.node = d.node AND "
            "l.capture = :capture WHERE d.capture = :capture\n",
            NULL,
            "node id=1 kind=drive key=drive:a label=sda\ndrive node=1 size_bytes=1000 serial=\nsetting node=1 "
            "key=serial value=0012.50\n"
            "lifetime node=1 tool=iostat w_s=12.5\nexpect found sda t=text0012.50 n=integer nil=null w=real\n"),
        "");
}

static void what_stands_above_is_reached(void **state) {
    (void)state;
    const char *evidence = "SELECT p.node, 0.9 AS confidence, group_concat(d.name, ' ') AS names, (SELECT count(*) "
                           "FROM reach WHERE capture = :capture AND below = 10 AND above = p.node) AS c,"
                           " (SELECT count(*) FROM reach r JOIN host h ON h.node = r.below AND h.capture = :capture "
                           "WHERE r.capture = :capture AND r.above = p.node) AS h FROM pool p"
                           " JOIN reach r ON r.above = p.node AND r.capture = :capture JOIN (SELECT * FROM drive ORDER "
                           "BY name) d ON d.node = r.below AND d.capture = :capture"
                           " WHERE p.capture = :capture GROUP BY p.node\n";
    assert_string_equal(run("kind: note\n", evidence, NULL,
                            "node id=10 kind=controller key=controller:x label=x\nnode id=1 kind=drive key=drive:a "
                            "label=sda\nnode id=2 kind=drive key=drive:b label=sdb\n"
                            "node id=3 kind=drive key=drive:c label=sdc\nnode id=5 kind=vdev key=vdev:m "
                            "label=mirror-0\nnode id=6 kind=pool key=pool:tank label=tank\n"
                            "drive node=1 name=sda\ndrive node=2 name=sdb\ndrive node=3 name=sdc\nplace node=1 "
                            "controller=10 bdf=0000:00:17.0\npool node=6 name=tank\n"
                            "vdev node=1 pool=6 parent=5 is_leaf=1\nvdev node=2 pool=6 parent=5 is_leaf=1\nvdev node=5 "
                            "pool=6 is_leaf=0\n"
                            "expect found tank names='sda sdb' c=1 h=1\n"),
                        "");
    assert_string_equal(run("kind: note\n", evidence, NULL,
                            "node id=10 kind=controller key=c label=c\nnode id=1 kind=drive key=drive:a "
                            "label=sda\nnode id=6 kind=pool key=pool:tank label=tank\n"
                            "drive node=1 name=sda\npool node=6 name=tank\nedge parent=10 child=1\nedge parent=1 "
                            "child=6\nexpect found tank names=sda c=1\n"),
                        "");
}

static void earlier_findings_are_simulated(void **state) {
    (void)state;
    const char *evidence = "SELECT node, 0.9 AS confidence, rule || kind AS r FROM finding WHERE capture = :capture "
                           "AND symptom = 'write-latency' AND answer = 'found'\n";
    assert_string_equal(
        run("kind: verdict\n", evidence, NULL,
            DRIVE
            "finding node=1 symptom=write-latency value=68 threshold=10\nexpect found sda r=write-latencysymptom\n"),
        "");
    assert_string_equal(run("kind: verdict\n", evidence, NULL,
                            DRIVE
                            "finding node=1 symptom=write-latency rule=slow answer=ruled-out\nexpect silent sda\n"),
                        "");
    assert_string_equal(
        run("kind: verdict\n", evidence, NULL, DRIVE "finding node=1 symptom=slowness\nexpect silent sda\n") + 7,
        "20: there is no symptom \"slowness\"\n");
}

static void compare_pages_have_two_captures(void **state) {
    (void)state;
    const char *evidence = "SELECT a.node, 0.9 AS confidence, b.value || '>' || a.value AS change, s.capture AS c, "
                           "(SELECT count(DISTINCT bundle) FROM capture) AS bundles FROM setting a"
                           " JOIN setting b ON b.node = a.node AND b.key = a.key AND b.capture = :before JOIN source s "
                           "ON s.id = a.src WHERE a.capture = :after\n";
    assert_string_equal(
        run("kind: verdict\ncompare: yes\n", evidence, "SELECT NULL AS node, '' AS reason\n",
            "node id=1 kind=drive key=drive:a label=sda\ndrive node=1 name=sda\ndrive node=1 name=sdb "
            "capture=2\nsetting node=1 key=write_cache value=off\n"
            "setting node=1 key=write_cache value=on capture=2\nexpect found drive:a change='off>on' c=2 bundles=2\n"),
        "");
    assert_string_equal(
        run("kind: verdict\ncompare: yes\n", "SELECT node, 0.9 AS confidence FROM host WHERE capture = :after\n",
            "SELECT NULL AS node, '' AS reason\n", "expect found host\nexpect silent host@1\nexpect found host@2\n"),
        "");
}

/* The same facts in another capture must not change an answer: as a row, in a count, in a join. */
static void other_captures_are_no_facts(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "SELECT node, 0.9 AS confidence FROM drive WHERE :capture\n",
        "SELECT d.node, 0.9 AS confidence, s.value AS v FROM drive d JOIN setting s ON s.node = d.node WHERE d.capture "
        "= :capture\n",
        "SELECT node, 0.9 AS confidence, (SELECT count(*) FROM setting) AS n FROM drive WHERE capture = :capture\n",
        "SELECT d.node, 0.9 AS confidence, (SELECT count(*) FROM reach r WHERE r.below = d.node) AS n FROM drive d "
        "WHERE capture = :capture\n",
    };
    const char *text = DRIVE HDPARM "setting node=1 key=write_cache value=off view=drive\nexpect found sda\n";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!strstr(run("kind: note\n", wrong[i], NULL, text), "a table is not filtered by capture = :capture"))
            fail_msg("not noticed: %s", wrong[i]);
    assert_string_equal(run("kind: note\n",
                            "SELECT d.node, 0.9 AS confidence, (SELECT count(*) FROM setting x JOIN source s ON s.id = "
                            "x.src WHERE s.capture = :capture) AS n FROM drive d"
                            " WHERE capture = :capture\n",
                            NULL, text),
                        ""); /* a source is of one capture */
}

static void mistakes_are_told_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *log;
    } wrong[] = {
        {"", "20: no expect line\n"},
        {DRIVE, "20: no expect line\n"},
        {"expect fund sda\n", "21: expect found, ruled-out, not-checked or silent, not \"fund\"\n"},
        {"expect found\n", "21: expect found of which node?\n"},
        {"drives node=1\nexpect silent host\n", "21: there is no table drives\n"},
        {DRIVE "setting node=1 keys=x\nexpect silent host\n", "23: setting has no column keys\n"},
        {DRIVE "setting node=1 key=write_cash\nexpect silent host\n",
         "23: no parser writes a setting \"write_cash\" (keys.def)\n"},
        {"drive node=1 name=sda\nexpect silent host\n", "21: node=1: the case has no such node\n"},
        {DRIVE "vdev node=1 pool=7\nexpect silent host\n", "23: pool=7: the case has no such node\n"},
        {"sample node=1\nexpect silent host\n", "21: sample takes no rows\n"},
        {"reach below=1 above=1\nexpect silent host\n", "21: reach takes no rows\n"},
        {DRIVE "setting node=1 key='model\nexpect silent host\n", "23: the quotes of key are not closed\n"},
        {DRIVE "setting node=1 key='model'x\nexpect silent host\n", "23: the quotes of key are not closed\n"},
        {DRIVE "setting node=1 key=model node=2\nexpect silent host\n", "23: node stands twice\n"},
        {DRIVE "setting node 1\nexpect silent host\n", "23: expected column=value at \"node 1\"\n"},
        {DRIVE "setting node>=1\nexpect silent host\n", "23: expected column=value for node\n"},
        {DRIVE "drive node=1 name=sdb\nexpect silent host\n",
         "23: UNIQUE constraint failed: drive.node, drive.capture\n"},
        {DRIVE "node id=1 kind=drive key=drive:x\nexpect silent host\n", "23: UNIQUE constraint failed: node.id\n"},
        {"sqlite_schema name=x\nexpect silent host\n", "21: "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *log = fails(wrong[i].text);
        if (strncmp(log, wrong[i].log, strlen(wrong[i].log)) != 0) fail_msg("case %zu: %s", i, log);
    }
    const char *log = run("kind: note\n", "SELECT nonsense\n", NULL, "expect silent host\n");
    assert_true(strstr(log, "was skipped: no such column: nonsense") != NULL);
    log = run("kind: note\napplies: drive\nneeds: (hdparm\n", NULL, NULL, DRIVE "expect silent host\n");
    assert_true(strstr(log, "a bracket is not closed") != NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_four_answers),
        TEST(what_came_instead),
        TEST(conditions_of_found),
        TEST(usual_rows_are_added),
        TEST(what_stands_above_is_reached),
        TEST(earlier_findings_are_simulated),
        TEST(compare_pages_have_two_captures),
        TEST(other_captures_are_no_facts),
        TEST(mistakes_are_told_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
