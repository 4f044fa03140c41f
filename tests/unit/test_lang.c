/* The language of a report: catalogues, plurals, messages with values, phrases, translated pages and what is said of bad ones. */
#include "base/embedded.h"
#include "base/lang.h"
#include "diagnose/builtin_pages.h"
#include "diagnose/lint.h"
#include "diagnose/page.h"

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
    arena = arena_new(64u << 20);
    return 0;
}
static int teardown(void **state) {
    (void)state;
    lang_use(STR("en"));
    lang_phrases(NULL, 0);
    arena_free(arena);
    return 0;
}

static void assert_str(Str s, const char *z) {
    if (!str_is(s, z)) fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(s), z);
}

/* ---------------------------------------------------------------- a catalogue of our own */

typedef struct Entry {
    const char *original, *translation;
    size_t original_len, translation_len; /* with NULs inside */
} Entry;
#define ENTRY(o, t)                                                                                                    \
    { o, t, sizeof(o) - 1, sizeof(t) - 1 }

static void put(StrBuf *out, uint32_t v, bool swapped) {
    for (int i = 0; i < 4; i++) sb_addc(out, (char)(v >> (swapped ? 24 - 8 * i : 8 * i)));
}

/* As msgfmt lays it out; the entries are sorted. */
static Str catalogue(const Entry *entries, uint32_t count, bool swapped) {
    StrBuf out, texts;
    sb_init(&out, arena);
    sb_init(&texts, arena);
    uint32_t tables = 28, at = tables + 16 * count;
    const uint32_t head[] = {0x950412deu, 0, count, tables, tables + 8 * count, 0, at};
    for (size_t i = 0; i < 7; i++) put(&out, head[i], swapped);
    for (int t = 0; t < 2; t++)
        for (uint32_t i = 0; i < count; i++) {
            Str s = t ? (Str){entries[i].translation, entries[i].translation_len}
                      : (Str){entries[i].original, entries[i].original_len};
            put(&out, (uint32_t)s.len, swapped);
            put(&out, at + (uint32_t)texts.len, swapped);
            sb_add(&texts, s);
            sb_addc(&texts, '\0');
        }
    sb_add(&out, sb_str(&texts));
    return sb_str(&out);
}

static const Entry russian[] = {
    ENTRY("", "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
              "n%10>=2 && "
              "n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"),
    ENTRY("Risks", "\xd0\xa0\xd0\xb8\xd1\x81\xd0\xba\xd0\xb8"),
    ENTRY("explains the {what} of {names}", "{names}: {what} {what}"),
    ENTRY("{n} drive\0{n} drives", "{n} disk\0{n} diska\0{n} diskov"),
};

static void use(const Entry *entries, uint32_t count, bool swapped) {
    Str data = catalogue(entries, count, swapped);
    assert_true(lang_use_catalogue((const unsigned char *)data.p, data.len));
}

static void messages(void **state) {
    (void)state;
    assert_string_equal(_("Risks"), "Risks");
    for (int swapped = 0; swapped < 2; swapped++) {
        use(russian, 4, swapped);
        assert_string_equal(_("Risks"), "\xd0\xa0\xd0\xb8\xd1\x81\xd0\xba\xd0\xb8");
        assert_string_equal(_("Notes"), "Notes");
        assert_string_equal(_(""), ""); /* not the catalogue's header */
        assert_str(lang_str(arena, str_sub(STR("Risks and more"), 0, 5)), "\xd0\xa0\xd0\xb8\xd1\x81\xd0\xba\xd0\xb8");
        assert_str(say(arena, _("explains the {what} of {names}"), "what", STR("slowness"), "names", STR("sda"), NULL),
                   "sda: slowness slowness");
    }
    lang_use(STR("en"));
    assert_string_equal(_("Risks"), "Risks");
}

static void plurals(void **state) {
    (void)state;
    static const struct {
        unsigned long n;
        const char *english, *russian;
    } cases[] = {{0, "0 drives", "0 diskov"},      {1, "1 drive", "1 disk"},       {2, "2 drives", "2 diska"},
                 {5, "5 drives", "5 diskov"},      {11, "11 drives", "11 diskov"}, {12, "12 drives", "12 diskov"},
                 {21, "21 drives", "21 disk"},     {22, "22 drives", "22 diska"},  {101, "101 drives", "101 disk"},
                 {111, "111 drives", "111 diskov"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(say_n(arena, "{n} drive", "{n} drives", cases[i].n, NULL), cases[i].english);
    use(russian, 4, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(say_n(arena, "{n} drive", "{n} drives", cases[i].n, NULL), cases[i].russian);
    assert_str(say_n(arena, "{n} box", "{n} boxes", 2, NULL), "2 boxes");
    /* Expressions that make no sense give the first form; fewer forms than promised the last one there is. */
    static const char *const bad[] = {
        "nplurals=2; plural=n%0;", "nplurals=2; plural=(n;", "nplurals=2; plural=n n;",  "nplurals=2; plural=7;",
        "nplurals=2; plural=x;",   "nplurals=2; plural=;",   "nplurals=9; plural=n?0:;", "plural=1;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *header = arena_fmt(arena, "Plural-Forms: %s\n", bad[i]);
        const Entry entries[] = {{"", header, 0, strlen(header)}, ENTRY("{n} drive\0{n} drives", "{n} a\0{n} b")};
        use(entries, 2, false);
        Str said = say_n(arena, "{n} drive", "{n} drives", 5, NULL);
        if (!str_is(said, "5 a") && !str_is(said, "5 b")) fail_msg("%s: %.*s", bad[i], STR_ARG(said));
    }
    StrBuf deep;
    sb_init(&deep, arena);
    sb_addz(&deep, "Plural-Forms: nplurals=2; plural=");
    for (int i = 0; i < 100000; i++) sb_addz(&deep, "(!");
    Str header = sb_str(&deep);
    const Entry entries[] = {{"", header.p, 0, header.len}, ENTRY("{n} drive\0{n} drives", "{n} a")};
    use(entries, 2, false);
    assert_str(say_n(arena, "{n} drive", "{n} drives", 5, NULL), "5 a");
}

/* Cut and damaged at every byte: refused, or read within its bounds (the sanitizers look). */
static void damaged_catalogues(void **state) {
    (void)state;
    Str whole = catalogue(russian, 4, false);
    assert_false(lang_use_catalogue((const unsigned char *)"", 0));
    for (size_t len = 0; len < whole.len; len++) {
        unsigned char *copy = malloc(len ? len : 1);
        memcpy(copy, whole.p, len);
        if (lang_use_catalogue(copy, len)) {
            lang_text("Risks");
            say_n(arena, "{n} drive", "{n} drives", 3, NULL);
        }
        lang_use(STR("en"));
        free(copy);
    }
    for (size_t at = 0; at < whole.len; at++) {
        unsigned char *copy = malloc(whole.len);
        memcpy(copy, whole.p, whole.len);
        copy[at] ^= 0xff;
        if (lang_use_catalogue(copy, whole.len)) {
            lang_text("Risks");
            lang_text("explains the {what} of {names}");
            say_n(arena, "{n} drive", "{n} drives", 3, NULL);
        }
        lang_use(STR("en"));
        free(copy);
    }
}

static void values(void **state) {
    (void)state;
    assert_str(say(arena, "no names", NULL), "no names");
    assert_str(say(arena, "{a} {b}", "a", STR("x"), NULL), "x {b}");
    assert_str(say(arena, "{a}", "b", STR("x"), NULL), "{a}");
    assert_str(say(arena, "{a}{a}", "a", STR("x"), "b", STR("y"), NULL), "xx");
    assert_str(say(arena, "{a} { {} {A} {a", "a", STR("x"), NULL), "x { {} {A} {a");
    /* A value is never read again, and no printf directive. */
    assert_str(say(arena, "{a} {b}", "a", STR("{b} %s %n {a}"), "b", STR("{a}"), NULL), "{b} %s %n {a} {a}");
    assert_str(say(arena, "{a}", "a", STR_NONE, NULL), "");
    StrBuf big;
    sb_init(&big, arena);
    for (int i = 0; i < 100000; i++) sb_addc(&big, '{');
    assert_int_equal(say(arena, "{a}", "a", sb_str(&big), NULL).len, 100000);
    assert_int_equal(say(arena, sb_str(&big).p, "a", STR("x"), NULL).len, 100000);
    assert_str(say_n(arena, "{n} {of}", "{n} {of}", 2, "of", STR("{n}"), NULL), "2 {n}");
}

static void names_of_languages(void **state) {
    (void)state;
    if (!embedded_find("po/es.mo")) skip();
    static const struct {
        const char *name, *code;
    } known[] = {{"es", "es"},           {"es_AR.UTF-8", "es"}, {"es-MX", "es"},       {"ES", "es"},
                 {"ru_RU.KOI8-R", "ru"}, {"es@euro", "es"},     {"en_GB.UTF-8", "en"}, {"C", "en"},
                 {"C.UTF-8", "en"},      {"POSIX", "en"},       {"en", "en"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(lang_use(str_of(known[i].name)));
        assert_string_equal(lang_code(), known[i].code);
    }
    assert_true(lang_use(STR("ru")));
    static const char *const unknown[] = {"sr_RS",    "xx",        "",   "e",      "spanish", "../es",
                                          "es/../ru", "e\xc3\xb1", "12", "es\nru", "_"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (lang_use(str_of(unknown[i]))) fail_msg("\"%s\" is spoken", unknown[i]);
        assert_string_equal(lang_code(), "ru"); /* what was chosen stays */
    }
}

static void environment(const char *language, const char *all, const char *messages, const char *lang) {
    const char *const names[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}, *const to[] = {language, all, messages,
                                                                                              lang};
    for (size_t i = 0; i < 4; i++)
        if (to[i]) setenv(names[i], to[i], 1);
        else unsetenv(names[i]);
    lang_use_environment();
}

static void languages_of_the_environment(void **state) {
    (void)state;
    if (!embedded_find("po/es.mo")) skip();
    static const struct {
        const char *language, *all, *messages, *lang, *code;
    } cases[] = {
        {NULL, NULL, NULL, NULL, "en"},
        {NULL, NULL, NULL, "es_ES.UTF-8", "es"},
        {NULL, NULL, "ru_RU", "es_ES", "ru"},
        {NULL, "es_AR", "ru_RU", "ru_RU", "es"},
        {NULL, "", "", "ru_RU", "ru"},
        {NULL, "sr_RS.UTF-8", NULL, "es_ES", "en"}, /* an unknown locale is no reason to take the next variable */
        {"sr:ru:es", NULL, NULL, "de_DE.UTF-8", "ru"},
        {"de", NULL, NULL, "es_ES", "es"},
        {"de:en", NULL, NULL, "es_ES", "en"},
        {"ru", "C", NULL, "es_ES", "en"},
        {"ru", NULL, NULL, NULL, "en"},
        {"ru", "C.UTF-8", NULL, NULL, "en"},
        {"::ru", NULL, NULL, "es_ES", "ru"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        environment(cases[i].language, cases[i].all, cases[i].messages, cases[i].lang);
        if (strcmp(lang_code(), cases[i].code) != 0) fail_msg("case %zu: %s", i, lang_code());
    }
    environment(NULL, "C", NULL, NULL);
}

/* ---------------------------------------------------------------- phrases */

#define PHRASE(e, s)                                                                                                   \
    { {"es", 2}, {e, sizeof(e) - 1}, {s, sizeof(s) - 1}, {"f", 1}, 1 }
static const Phrase some[] = {
    PHRASE("the link runs at {speed} of {most}", "el enlace va a {speed}, de {most}"),
    PHRASE("the link runs at {speed}", "el enlace va a {speed}"),
    PHRASE("slow", "lento"),
    PHRASE("{who} is {how}", "{who} es {how}"),
    PHRASE("it fails {x}{y}", "falla {x}{y}"),
    PHRASE("{n} to {n2} rows", "{n} a {n2} filas"),
    {{"ru", 2}, {"slow", 4}, {"R", 1}, {"f", 1}, 1},
};

static void phrase(const char *text, const char *wanted) {
    Str got = lang_phrase(arena, str_of(text));
    if (!str_is(got, wanted)) fail_msg("\"%s\": \"%.*s\" is not \"%s\"", text, STR_ARG(got), wanted);
}

static void phrases(void **state) {
    (void)state;
    lang_phrases(some, sizeof some / sizeof *some);
    phrase("slow", "slow");
    if (!lang_use(STR("es"))) skip();
    phrase("slow", "lento");
    phrase("the link runs at 3 Gbit/s of 6", "el enlace va a 3 Gbit/s, de 6"); /* more own words win */
    phrase("the link runs at 3 Gbit/s", "el enlace va a 3 Gbit/s");
    phrase("the link runs at 3 of 6 of 9", "el enlace va a 3, de 6 of 9");
    phrase("the link runs at ", "the link runs at "); /* a name never stands for nothing */
    phrase("the link runs", "the link runs");
    phrase("and the link runs at 3", "and the link runs at 3");
    phrase("sda is slow", "sda es lento"); /* what a name stands for may be a phrase */
    phrase("slow; slow", "lento; lento");
    phrase("slow, sda is slow", "slow, sda es lento"); /* the whole text matches first */
    phrase("slow, slow", "lento, lento");
    phrase("slow; fast", "slow; fast");
    phrase("", "");
    phrase(" slow ", " lento ");
    phrase("  ", "  ");
    phrase("{who} is {how}", "{who} es {how}");
    phrase("it fails ab", "falla ab");
    phrase("1.5 to 2e+03 rows", "1.5 a 2e+03 filas");
    phrase("up to 3 rows", "up to 3 rows"); /* {n} is a figure and nothing else */
    StrBuf big;
    sb_init(&big, arena);
    for (int i = 0; i < 200; i++) sb_addz(&big, "x is y is slow, ");
    assert_true(lang_phrase(arena, sb_str(&big)).len >= big.len - 1000);
    for (int i = 0; i < 10; i++) sb_add(&big, sb_str(&big));
    assert_int_equal(lang_phrase(arena, sb_str(&big)).len, big.len); /* too long for a page's words */
    lang_use(STR("en"));
    phrase("slow", "slow");
}

/* ---------------------------------------------------------------- translated pages */

static const char english_page[] = "# {subjects} waits\n\n```rule\nid: waits\nkind: cause\nplain: A drive waits\n"
                                   "needs: hdparm\n```\n\nSummary of {subjects} at {speed}.\n\n"
                                   "## Evidence\n```sql\nSELECT 1 AS node, 'its queue is full' AS reason\n```\n"
                                   "## Fix\n1. **Danger: it erases all.** Run `hdparm -W1 {by_id}`.\n2. Wait.\n"
                                   "## Verify\n`hdparm -W {by_id}`\n## Not this\nNo [cable](https://example.org/).\n";
static const char spanish_page[] =
    "# {subjects} espera\n\n```translation\nof: waits\nenglish: HASH\nplain: Un disco espera\n```\n\n"
    "Resumen de {subjects} a {speed}.\n\n"
    "## Fix\n1. **Peligro: lo borra todo.** Ejecute `hdparm -W1 {by_id}`.\n2. Espere.\n"
    "## Verify\n`hdparm -W {by_id}`\n## Not this\nNo es un [cable](https://example.org/).\n\n"
    "```phrases\nits queue is full\n= su cola est\xc3\xa1 llena\n\nweird words {n}\n= m\xc3\xa1s {n}\n```\n";

static const char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at) fail_msg("no \"%s\"", from);
    return arena_fmt(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static Page *parsed_page(void) {
    Page *page = arena_new_of(arena, Page);
    Error err = {""};
    if (!page_parse(arena, STR("rules/drive/waits.md"), STR(english_page), page, &err)) fail_msg("%s", err.text);
    return page;
}

static Translation *parsed(const char *text) {
    Translation *t = arena_new_of(arena, Translation);
    Error err = {""};
    if (!translation_parse(arena, STR("rules/drive/waits.es.md"), str_of(text), t, &err)) fail_msg("%s", err.text);
    return t;
}

static void translated_pages(void **state) {
    (void)state;
    assert_true(is_translation_name(STR("rules/drive/waits.es.md")));
    assert_true(is_translation_name(STR("phrases.ru.md")));
    assert_false(is_translation_name(STR("rules/drive/waits.md")));
    assert_false(is_translation_name(STR("rules/drive/waits.ES.md")));
    assert_false(is_translation_name(STR(".es.md")));
    Page *page = parsed_page();
    Translation *t = parsed(spanish_page);
    assert_str(t->lang, "es");
    assert_str(t->of, "waits");
    assert_int_equal(t->phrases.count, 2);
    assert_str(t->phrases.items[0].spoken, "su cola est\xc3\xa1 llena");
    assert_int_equal(t->phrases.items[1].line, 23);
    VEC_PUSH(arena, &page->translations, t);
    assert_str(page_words(arena, page).title, "{subjects} waits");
    if (!lang_use(STR("es"))) skip();
    PageWords words = page_words(arena, page);
    assert_str(words.title, "{subjects} espera");
    assert_str(words.summary, "Resumen de {subjects} a {speed}.");
    assert_str(page_plain_title(arena, page), "Un disco espera");
    Placeholders p = {0};
    lang_phrases(t->phrases.items, t->phrases.count);
    placeholder_add(arena, &p, STR("speed"), STR("its queue is full"), false);
    placeholder_add(arena, &p, STR("by_id"), STR("its queue is full"), false);
    Rich summary = page_rich(arena, words.summary, &p), verify = page_rich(arena, words.verify, &p);
    assert_true(str_ends(block_plain(arena, &summary.blocks[0]), "su cola est\xc3\xa1 llena."));
    assert_str(block_plain(arena, &verify.blocks[0]), "hdparm -W its queue is full"); /* never in a command */
    /* A pool may have the name of a word. */
    static const Phrase boot = PHRASE("boot", "arranque");
    lang_phrases(&boot, 1);
    placeholder_add(arena, &p, STR("pool"), STR("boot"), false);
    placeholder_add(arena, &p, STR("when"), STR("boot"), false);
    assert_str(placeholders_fill(arena, &p, STR("{pool} {when}")), "boot arranque");
    /* What the translation lacks is said in English rather than not at all. */
    t->words.fix = STR_NONE;
    assert_true(str_starts(page_words(arena, page).fix, "1. **Danger"));
    lang_use(STR("ru"));
    assert_str(page_words(arena, page).summary, "Summary of {subjects} at {speed}.");
}

static void broken(const char *file, const char *text, const char *wanted) {
    Translation t;
    Error err = {""};
    if (translation_parse(arena, str_of(file), str_of(text), &t, &err)) fail_msg("read: %s", text);
    if (!strstr(err.text, wanted)) fail_msg("%s: no \"%s\"", err.text, wanted);
}

static void broken_translations(void **state) {
    (void)state;
    static const char file[] = "rules/drive/waits.es.md";
    broken(file, "no heading\n", ":1: no title");
    broken(file, "# T\n\nno block\n", "has to say \"of: waits\"");
    broken(file, replaced(spanish_page, "of: waits", "of: other"), "has to say \"of: waits\"");
    broken(file, replaced(spanish_page, "plain:", "plane:"), ":6: unknown key \"plane\"");
    broken(file, replaced(spanish_page, "of: waits", "of waits"), ":4: expected \"key: value\"");
    broken(file, replaced(spanish_page, "## Fix", "## Arreglo"), ":11: unknown section \"Arreglo\"");
    broken(file, replaced(spanish_page, "## Fix", "```sql\nSELECT 1\n```\n## Fix"),
           ":11: a translation has no such block");
    broken(file, replaced(spanish_page, "= su cola est\xc3\xa1 llena\n", ""), "expected \"= \"");
    broken(file, replaced(spanish_page, "its queue is full\n", ""), ":20: no English words before this translation");
    broken(file, replaced(spanish_page, "= m\xc3\xa1s {n}", "="), ": no translation");
    broken(file, replaced(spanish_page, "\n= m\xc3\xa1s {n}", ""), ":23: no translation");
    broken(file, replaced(spanish_page, "= m\xc3\xa1s {n}", "= m\xc3\xa1s {m}"),
           ":24: {m} is not in the English words");
    broken(file, replaced(spanish_page, "weird words {n}", "{n} {x}: 3"), ":23: a pattern without words");
    broken("rules/phrases.es.md", spanish_page, "a file of phrases translates no page");
    broken("rules/phrases.es.md", "# P\n", "no phrases");
}

static const char *lint(const char *text) {
    Page *page = parsed_page();
    char hash[PAGE_HASH_SIZE];
    page_hash(page, hash);
    if (strstr(text, "HASH")) text = replaced(text, "HASH", hash);
    Translation *t = parsed(text);
    VEC_PUSH(arena, &page->translations, t);
    Page *items[] = {page};
    Pages pages = {.items = items, .count = 1};
    for (size_t i = 0; i < t->phrases.count; i++) VEC_PUSH(arena, &pages.phrases, t->phrases.items[i]);
    StrBuf out;
    sb_init(&out, arena);
    translations_lint(arena, &pages, &out);
    return sb_str(&out).p;
}

static void problem(const char *from, const char *to, const char *wanted) {
    const char *log = lint(replaced(spanish_page, from, to));
    const char *full = arena_fmt(arena, "rules/drive/waits.es.md:%s", wanted);
    if (!strstr(log, full)) fail_msg("\"%s\" -> \"%s\"\nwanted: %s\ncame: %s", from, to, full, log);
}

static void stale_translations(void **state) {
    (void)state;
    /* the second phrase is nobody's */
    assert_string_equal(lint(spanish_page), "rules/drive/waits.es.md:23: warning: no page says \"weird\" any more\n");
    problem("HASH", "pending", "5: made from which English page? If from the present one: english: ");
    problem("HASH", "0123456789abcdef", "5: the English page has changed since; where this follows it: english: ");
    problem("plain: Un disco espera\n", "", "1: no plain title");
    problem("Resumen de {subjects}", "Resumen de {disks}", "1: summary: {disks} is no placeholder of the English page");
    problem("Resumen de {subjects}", "Resumen", "1: summary: {subjects} of the English page is missing");
    problem("`hdparm -W1 {by_id}`", "`hdparm -W0 {by_id}`",
            "1: Fix: `hdparm -W0 {by_id}` does not stand in the English page there");
    problem("`hdparm -W1 {by_id}`", "`hdparm -W0 {by_id}`",
            "1: Fix: `hdparm -W1 {by_id}` of the English page is missing");
    problem("2. Espere.", "", "1: Fix: 1 list items; the English page has 2");
    problem("**Peligro: lo borra todo.**", "Lo borra todo.", "1: Fix: 0 stressed phrases; the English page has 1");
    problem("https://example.org/", "https://example.com/",
            "1: Not this: https://example.org/ of the English page is missing");
    problem("## Verify\n`hdparm -W {by_id}`\n", "", "1: no Verify");
    problem("Resumen de", "P\xc3\xa1rrafo.\n\nResumen de", "1: summary: 2 paragraphs; the English page has 1");
    problem("= m\xc3\xa1s {n}", "= m\xc3\xa1s", "23: {n} is lost in the translation");
    problem("weird words {n}", "its queue is full\n= otra\n\nweird words {n}",
            "23: rules/drive/waits.es.md:20 translates this otherwise");
    /* A title may leave out what its language does not need. */
    assert_null(strstr(lint(replaced(spanish_page, "# {subjects} espera", "# Espera")), "title"));
    /* The hash is that of the words, not of the SQL. */
    char one[PAGE_HASH_SIZE], two[PAGE_HASH_SIZE];
    Page *page = parsed_page();
    page_hash(page, one);
    page->evidence_sql = STR("SELECT 2");
    page_hash(page, two);
    assert_string_equal(one, two);
    page->not_this = STR("x");
    page_hash(page, two);
    assert_string_not_equal(one, two);
}

/* Every {name} of a message is in its translation, and no other: else a report says "{drives}". */
static void names_in_catalogues(void **state) {
    (void)state;
    for (size_t f = 0; f < embedded_file_count; f++) {
        Str path = str_of(embedded_files[f].path);
        if (!str_starts(path, "po/")) continue;
        assert_true(lang_use_catalogue(embedded_files[f].data, embedded_files[f].len));
        const unsigned char *p = embedded_files[f].data;
        uint32_t word[7];
        memcpy(word, p, sizeof word);
        if (word[0] != 0x950412deu) continue; /* a machine of the other byte order */
        for (uint32_t i = 0; i < word[2]; i++) {
            uint32_t o[2], t[2];
            memcpy(o, p + word[3] + 8 * i, sizeof o);
            memcpy(t, p + word[4] + 8 * i, sizeof t);
            Str original = {(const char *)p + o[1], o[0]}, translation = {(const char *)p + t[1], t[0]};
            for (Str rest = translation; original.len && rest.len; rest = str_from(rest, 1)) {
                Str name = lang_hole(rest);
                if (name.p && !str_has(original, arena_fmt(arena, "{%.*s}", STR_ARG(name))))
                    fail_msg("%.*s: \"%.*s\": {%.*s}", STR_ARG(path), STR_ARG(original), STR_ARG(name));
            }
            bool title = false; /* where {verb} is "is" or "are", another language needs none */
            for (size_t k = 0; k < builtin_page_count && !title; k++) title = str_eq(builtin_pages[k]->title, original);
            for (Str rest = original; rest.len; rest = str_from(rest, 1)) {
                Str name = lang_hole(rest);
                bool may = str_is(name, "n") || title; /* "one drive" needs no figure */
                if (name.p && !may && !str_has(translation, arena_fmt(arena, "{%.*s}", STR_ARG(name))))
                    fail_msg("%.*s: \"%.*s\": {%.*s} is lost", STR_ARG(path), STR_ARG(original), STR_ARG(name));
            }
        }
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(messages),
        TEST(plurals),
        TEST(damaged_catalogues),
        TEST(values),
        TEST(names_of_languages),
        TEST(languages_of_the_environment),
        TEST(phrases),
        TEST(translated_pages),
        TEST(broken_translations),
        TEST(stale_translations),
        TEST(names_in_catalogues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
