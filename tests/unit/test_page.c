/* Rule pages: what is read of them, what is said of broken ones, and how text is filled in. */
#include "diagnose/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_new(64u << 20);
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static void assert_str(Str s, const char *z) {
    if (!str_is(s, z)) fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(s), z);
}

static const char whole[] = "# The cache of {subjects} is *off* (`W=0`)\n"
                            "\n"
                            "```rule\n"
                            "id: cache-off\n"
                            "kind: cause\n"
                            "class: misconfiguration\n"
                            "impact: severe\n"
                            "explains: write-latency 0.95@drive, io-pressure 0.8@host,resilver-slow 1@ctl\n"
                            "yields-to: other-one,  third\n"
                            "group-by: ctl\n"
                            "applies: select node from drive where capture = :capture\n"
                            "needs: hdparm or smartctl\n"
                            "ask: hdparm -W /dev/sdX | cat /sys/block/sdX/queue/write_cache\n"
                            "source: ABI: stable/sysfs-block\n"
                            "```\n"
                            "\n"
                            "First paragraph about {subjects}.\n"
                            "\n"
                            "Second one, with ```code``` in it.\n"
                            "\n"
                            "## Evidence\n"
                            "Prose here is for readers of the page.\n"
                            "\n"
                            "```sql\n"
                            "\n"
                            "SELECT 1 AS node\n"
                            "```\n"
                            "\n"
                            "## Ruled out\n"
                            "```sql\n"
                            "SELECT 2 AS node\n"
                            "```\n"
                            "\n"
                            "## Fix\n"
                            "1. First.\n"
                            "2. Then:\n"
                            "\n"
                            "   ```\n"
                            "   hdparm -W1 /dev/{subjects}\n"
                            "   ```\n"
                            "\n"
                            "### A smaller heading\n"
                            "belongs to Fix.\n"
                            "\n"
                            "## Verify\n"
                            "`hdparm -W /dev/{subjects}`\n"
                            "## Not this\n"
                            "Not a bad cable.\n"
                            "\n"
                            "## Cases\n"
                            "```case\n"
                            "name: one\n"
                            "expect found x\n"
                            "```\n"
                            "```case\n"
                            "expect silent x\n"
                            "```\n";

static void every_section_is_read(void **state) {
    (void)state;
    Page p;
    Error err = {""};
    assert_true(page_parse(arena, STR("rules/drive/cache-off.md"), str_of(whole), &p, &err));
    assert_str(p.file, "rules/drive/cache-off.md");
    assert_str(p.layer, "drive");
    assert_str(p.title, "The cache of {subjects} is off (W=0)");
    assert_str(p.id, "cache-off");
    assert_int_equal(p.kind, PAGE_CAUSE);
    assert_str(p.class_, "misconfiguration");
    assert_str(p.impact, "severe");
    assert_str(p.group_by, "controller");
    assert_str(p.applies, "select node from drive where capture = :capture");
    assert_str(p.needs, "hdparm or smartctl");
    assert_str(p.source, "ABI: stable/sysfs-block");
    assert_false(p.compare);
    assert_int_equal(p.raises.len, 0);
    assert_int_equal(p.explains.count, 3);
    assert_str(p.explains.items[0].symptom, "write-latency");
    assert_str(p.explains.items[0].scope, "drive");
    assert_true(p.explains.items[0].weight == 0.95);
    assert_str(p.explains.items[2].symptom, "resilver-slow");
    assert_str(p.explains.items[2].scope, "controller");
    assert_int_equal(p.yields_to.count, 2);
    assert_str(p.yields_to.items[1], "third");
    assert_int_equal(p.ask.count, 2);
    assert_str(p.ask.items[0], "hdparm -W /dev/sdX");
    assert_str(p.summary, "First paragraph about {subjects}.\n\nSecond one, with ```code``` in it.");
    assert_str(p.evidence_sql, "SELECT 1 AS node");
    assert_int_equal(p.evidence_line, 24);
    assert_str(p.ruled_out_sql, "SELECT 2 AS node");
    assert_int_equal(p.ruled_out_line, 30);
    assert_true(str_starts(p.fix, "1. First.\n2. Then:") && str_ends(p.fix, "belongs to Fix."));
    assert_str(p.verify, "`hdparm -W /dev/{subjects}`");
    assert_str(p.not_this, "Not a bad cable.");
    assert_int_equal(p.cases.count, 2);
    assert_int_equal(p.cases.items[0].line, 51);
    assert_str(p.cases.items[1].text, "expect silent x\n");
}

#define RULE(lines) "# T\n\n```rule\n" lines "```\n"
#define SQL "\n## Evidence\n```sql\nSELECT 1\n```\n"

static void symptoms_raise_themselves(void **state) {
    (void)state;
    Page p;
    Error err = {""};
    assert_true(page_parse(arena, STR("io-pressure.md"), STR(RULE("id: io-pressure\nkind: symptom\n") SQL), &p, &err));
    assert_str(p.raises, "io-pressure");
    assert_int_equal(p.layer.len, 0); /* no folder */
    assert_true(page_parse(arena, STR("x/y.md"),
                           STR(RULE("id: io-pressure-high\nkind: symptom\nraises: io-pressure\ncompare: yes\n") SQL),
                           &p, &err));
    assert_str(p.raises, "io-pressure");
    assert_true(p.compare);
}

/* Where nothing was found, no value fills the title. */
static void a_title_without_values(void **state) {
    (void)state;
    Page p = {.title = STR("A member of {pool_name} is { gone: {xy}")};
    assert_str(page_plain_title(arena, &p), "A member of ... is { gone: ...");
    Error err;
    assert_true(page_parse(arena, STR("io.md"), STR(RULE("id: io\nkind: note\nplain: A drive waits\n") SQL), &p, &err));
    assert_str(page_plain_title(arena, &p), "A drive waits");
}

static void broken_pages_are_told_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } pages[] = {
        {"", "r/p.md:1: no title"},
        {"plain text\n", "r/p.md:1: no title"},
        {"#\n\n```rule\nid: p\n```\n" SQL, "r/p.md:1: no title"},
        {"# T\n", "r/p.md:1: no ```rule block"},
        {"# T\n" SQL, "r/p.md:1: no ```rule block"},
        {RULE("kind: cause\n") SQL, "r/p.md:1: no id"},
        {RULE("id: p\nkind: cause\n"), "r/p.md:1: no SQL under Evidence"},
        {RULE("id: p\nkind: reason\n") SQL, "r/p.md:5: kind is one of"},
        {RULE("id: p\n\nwhat is this\n") SQL, "r/p.md:6: expected \"key: value\""},
        {RULE("id: p\nweight: 3\n") SQL, "r/p.md:5: unknown key \"weight\""},
        {RULE("id: p\nexplains: write-latency 1.5@drive\n") SQL, "r/p.md:5: explains wants"},
        {RULE("id: p\nexplains: write-latency -1@drive\n") SQL, "r/p.md:5: explains wants"},
        {RULE("id: p\nexplains: write-latency 0.5\n") SQL, "r/p.md:5: explains wants"},
        {RULE("id: p\nexplains: write-latency@drive\n") SQL, "r/p.md:5: explains wants"},
        {RULE("id: p\n") SQL "# Another\n", "r/p.md:11: a page has one title"},
        {RULE("id: p\n") "\n## Proof\n", "r/p.md:7: unknown section \"Proof\""},
        {RULE("id: p\n") "\n## Fix\n```sql\nSELECT 1\n```\n" SQL, "r/p.md:8: SQL belongs under Evidence or Ruled out"},
        {RULE("id: p\n") "```sql\nSELECT 1\n```\n", "r/p.md:6: SQL belongs under Evidence or Ruled out"},
        {"# T\n\n    ```rule\n    id: p\n    ```\n" SQL, "r/p.md:1: no ```rule block"}, /* indented: plain code */
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        Page p;
        Error err = {""};
        if (page_parse(arena, STR("r/p.md"), str_of(pages[i].text), &p, &err)) fail_msg("page %zu was taken", i);
        if (!str_starts(str_of(err.text), pages[i].error))
            fail_msg("page %zu: \"%s\", wanted \"%s\"", i, err.text, pages[i].error);
    }
}

/* Every prefix of a page, and the page with each byte damaged: it is read or refused, never more. */
static void damage_is_survived(void **state) {
    (void)state;
    char text[sizeof whole];
    for (size_t n = 0; n < sizeof whole; n++) {
        Arena *a = arena_new(16u << 20);
        Page p;
        Error err = {""};
        memcpy(text, whole, sizeof whole);
        if (!page_parse(a, STR("r/p.md"), (Str){text, n}, &p, &err)) assert_true(err.text[0]);
        static const char bytes[] = {'\0', '\xff', '`', '\n', '#'};
        text[n] = bytes[n % sizeof bytes];
        Error err2 = {""};
        if (!page_parse(a, STR("r/p.md"), (Str){text, sizeof whole - 1}, &p, &err2)) assert_true(err2.text[0]);
        arena_free(a);
    }
}

/* ---- placeholders */

static void placeholders_join_and_range(void **state) {
    (void)state;
    Placeholders p = {0};
    placeholder_add(arena, &p, STR("subjects"), STR("sda"), false);
    placeholder_add(arena, &p, STR("subjects"), STR("sdb"), false);
    placeholder_add(arena, &p, STR("subjects"), STR("sda"), false);
    placeholder_add(arena, &p, STR("wait_ms"), STR("72.0"), true);
    placeholder_add(arena, &p, STR("wait_ms"), STR("57.049"), true);
    placeholder_add(arena, &p, STR("one"), STR("3.0"), true);
    placeholder_add(arena, &p, STR("mixed"), STR("3"), true);
    placeholder_add(arena, &p, STR("mixed"), STR("none"), false);
    placeholder_add(arena, &p, STR("serials"), STR("000123456789"), false); /* digits that are no figure */
    placeholder_add(arena, &p, STR("serials"), STR("20152961"), false);
    placeholder_add(arena, &p, STR("big"), STR("17592186044416"), true);
    placeholder_add(arena, &p, STR("odd"), STR("{subjects}"), false);
    assert_str(placeholders_fill(arena, &p, STR("{subjects}: {wait_ms} ms, {one}, {mixed}")),
               "sda, sdb: 57.0 to 72 ms, 3, 3, none");
    assert_str(placeholder_text(arena, &p, STR("serials")), "000123456789, 20152961");
    assert_str(placeholder_text(arena, &p, STR("big")), "17592186044416");
    assert_null(placeholder_text(arena, &p, STR("absent")).p);
    assert_str(placeholders_fill(arena, &p, STR("{absent} {Sub} {a} {x_} {_x} { subjects } {subjects")),
               "unknown {Sub} {a} {x_} {_x} { subjects } {subjects");
    assert_str(placeholders_fill(arena, &p, STR("{odd}")), "{subjects}");        /* values are not filled again */
    assert_str(placeholders_fill(arena, NULL, STR("{subjects}")), "{subjects}"); /* a page shown by itself */
    assert_str(placeholders_fill(arena, &p, STR("{{subjects}}")), "{sda, sdb}");
}

static void collect(void *arg, Str name) {
    sb_add(arg, name);
    sb_addc(arg, ' ');
}

static void names_of_placeholders(void **state) {
    (void)state;
    StrBuf out;
    sb_init(&out, arena);
    placeholders_in(arena, STR("{ab} `{cd_2}` {x} {} {{ef}} {g-h} {ij"), collect, &out);
    assert_str(sb_str(&out), "ab cd_2 ef ");
}

/* ---- Markdown */

static Rich rich(const char *markdown, const Placeholders *p) {
    return page_rich(arena, str_of(markdown), p);
}

static void markdown_becomes_blocks(void **state) {
    (void)state;
    Rich r = rich("One *two* **three** `four`\nfive [six](https://example.org/x).\n\n1. first\n2. second\n\n   more of "
                  "it\n   - inner\n\n> quoted\n\n### Heading\n\n```sh\na\nb\n```\n",
                  NULL);
    assert_int_equal(r.count, 8);
    assert_int_equal(r.blocks[0].kind, BLOCK_PARAGRAPH);
    assert_str(block_plain(arena, &r.blocks[0]), "One two three four five six.");
    bool emph = false, strong = false, code = false, link = false;
    for (size_t i = 0; i < r.blocks[0].span_count; i++) {
        Span s = r.blocks[0].spans[i];
        emph = emph || (s.style == SPAN_EMPH && str_is(s.text, "two"));
        strong = strong || (s.style == SPAN_STRONG && str_is(s.text, "three"));
        code = code || (s.style == SPAN_CODE && str_is(s.text, "four"));
        link = link || (s.style == SPAN_LINK && str_is(s.text, "six") && str_is(s.url, "https://example.org/x"));
    }
    assert_true(emph && strong && code && link);
    assert_int_equal(r.blocks[1].kind, BLOCK_ITEM);
    assert_int_equal(r.blocks[1].number, 1);
    assert_int_equal(r.blocks[2].number, 2);
    assert_int_equal(r.blocks[3].kind, BLOCK_PARAGRAPH);
    assert_int_equal(r.blocks[3].depth, 1);
    assert_int_equal(r.blocks[4].kind, BLOCK_ITEM);
    assert_int_equal(r.blocks[4].depth, 2);
    assert_int_equal(r.blocks[4].number, 0);
    assert_str(block_plain(arena, &r.blocks[5]), "quoted");
    assert_int_equal(r.blocks[6].kind, BLOCK_HEADING);
    assert_int_equal(r.blocks[6].depth, 3);
    assert_int_equal(r.blocks[7].kind, BLOCK_CODE);
    assert_str(block_plain(arena, &r.blocks[7]), "a\nb");
    assert_int_equal(rich("", NULL).count, 0);
}

static void only_text_and_web_links_come_through(void **state) {
    (void)state;
    Rich r = rich(
        "a <b>bold</b> [x](javascript:alert(1)) [y](data:text/html,z) [z](/etc/passwd) ![i](https://example.org/i.png) "
        "<script>s</script> <mailto:a@b.example>\n\n<div onclick=\"x()\">block</div>\n",
        NULL);
    for (size_t b = 0; b < r.count; b++)
        for (size_t i = 0; i < r.blocks[b].span_count; i++) {
            Span s = r.blocks[b].spans[i];
            assert_int_equal(s.url.len, 0);
            assert_false(s.style & SPAN_LINK);
            assert_false(str_has(s.text, "<") || str_has(s.text, "javascript") || str_has(s.text, "onclick"));
        }
    assert_true(str_starts(block_plain(arena, &r.blocks[0]), "a bold x y z"));
}

/* What a bundle holds is text: it cannot open a code span, a link or a tag, nor leave them. */
static void values_are_never_markup(void **state) {
    (void)state;
    Placeholders p = {0};
    placeholder_add(arena, &p, STR("model"), STR("**x** [l](https://evil.example) <b> ` # {count}\n- item"), false);
    placeholder_add(arena, &p, STR("count"), STR("7"), true);
    Rich r = rich("Model {model} of `{model}`.", &p);
    assert_int_equal(r.count, 1);
    for (size_t i = 0; i < r.blocks[0].span_count; i++) {
        assert_int_equal(r.blocks[0].spans[i].url.len, 0);
        assert_true(r.blocks[0].spans[i].style == SPAN_PLAIN || r.blocks[0].spans[i].style == SPAN_CODE);
    }
    Str plain = block_plain(arena, &r.blocks[0]);
    assert_true(str_has(plain, "**x** [l](https://evil.example) <b> ` # {count}"));
}

static void code_is_repeated_for_each_value(void **state) {
    (void)state;
    Placeholders p = {0};
    placeholder_add(arena, &p, STR("by_id"), STR("/dev/disk/by-id/ata-A"), false);
    placeholder_add(arena, &p, STR("by_id"), STR("/dev/disk/by-id/ata-B"), false);
    placeholder_add(arena, &p, STR("pool"), STR("tank"), false);
    placeholder_add(arena, &p, STR("depth"), STR("1"), true);
    placeholder_add(arena, &p, STR("depth"), STR("4"), true);
    Rich r = rich("```\n# {pool}\nhdparm -W1 {by_id}\nzpool trim {pool}\necho {depth}\n```\n\nRun `hdparm -W {by_id}` "
                  "in {pool}; depth `{depth}`.",
                  &p);
    assert_int_equal(r.count, 2);
    assert_str(
        block_plain(arena, &r.blocks[0]),
        "# tank\nhdparm -W1 /dev/disk/by-id/ata-A\nhdparm -W1 /dev/disk/by-id/ata-B\nzpool trim tank\necho 1\necho 4");
    assert_str(block_plain(arena, &r.blocks[1]),
               "Run hdparm -W /dev/disk/by-id/ata-A /dev/disk/by-id/ata-B in tank; depth 1 to 4.");
}

/* ---- loading */

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static bool has_problem(const Pages *pages, const char *part) {
    for (size_t i = 0; i < pages->problems.count; i++)
        if (str_has(pages->problems.items[i], part)) return true;
    return false;
}

static void directories_add_and_replace(void **state) {
    (void)state;
    char dir[] = "/tmp/test_page.XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *drive = arena_fmt(arena, "%s/drive", dir);
    assert_int_equal(mkdir(drive, 0700), 0);
    const char *good = arena_fmt(arena, "%s/zz-local.md", drive), *broken = arena_fmt(arena, "%s/aa-broken.md", drive),
               *other = arena_fmt(arena, "%s/readme.txt", dir), *twice = arena_fmt(arena, "%s/zz-twice.md", drive);
    write_file(good, RULE("id: zz-local\nkind: note\n") SQL);
    write_file(twice, RULE("id: zz-local\nkind: risk\n") SQL);
    write_file(broken, "# T\n");
    write_file(other, "not a page");
    Pages builtin, pages;
    Error err = {""};
    assert_true(pages_load(arena, NULL, &builtin, &err));
    assert_int_equal(builtin.problems.count, 0);
    assert_true(pages_load(arena, dir, &pages, &err));
    assert_int_equal(pages.count, builtin.count + 1);
    for (size_t i = 1; i < pages.count; i++) assert_true(str_cmp(pages.items[i - 1]->id, pages.items[i]->id) < 0);
    const Page *p = pages_find(&pages, STR("zz-local"));
    assert_non_null(p);
    assert_true(p->added);
    assert_str(p->layer, "drive");
    assert_null(pages_find(&pages, STR("zz-none")));
    assert_int_equal(pages.problems.count, 2);
    assert_true(has_problem(&pages, "aa-broken.md:1: no ```rule block"));
    assert_true(has_problem(&pages, "has the same id \"zz-local\""));
    if (builtin.count) { /* a page of the directory takes the place of a built-in one */
        write_file(twice, arena_fmt(arena, RULE("id: %.*s\nkind: note\n") SQL, STR_ARG(builtin.items[0]->id)));
        assert_false(builtin.items[0]->added);
        assert_true(pages_load(arena, dir, &pages, &err));
        assert_int_equal(pages.count, builtin.count + 1);
        assert_true(pages_find(&pages, builtin.items[0]->id)->added);
        assert_int_equal(pages.problems.count, 1);
    }
    unlink(good);
    unlink(twice);
    unlink(broken);
    unlink(other);
    rmdir(drive);
    rmdir(dir);
    assert_false(pages_load(arena, dir, &pages, &err));
    assert_true(str_starts(str_of(err.text), "cannot read the rules in /tmp/test_page."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_section_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(symptoms_raise_themselves, setup, teardown),
        cmocka_unit_test_setup_teardown(a_title_without_values, setup, teardown),
        cmocka_unit_test_setup_teardown(broken_pages_are_told_with_their_line, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_is_survived, setup, teardown),
        cmocka_unit_test_setup_teardown(placeholders_join_and_range, setup, teardown),
        cmocka_unit_test_setup_teardown(names_of_placeholders, setup, teardown),
        cmocka_unit_test_setup_teardown(markdown_becomes_blocks, setup, teardown),
        cmocka_unit_test_setup_teardown(only_text_and_web_links_come_through, setup, teardown),
        cmocka_unit_test_setup_teardown(values_are_never_markup, setup, teardown),
        cmocka_unit_test_setup_teardown(code_is_repeated_for_each_value, setup, teardown),
        cmocka_unit_test_setup_teardown(directories_add_and_replace, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
