#include "base/nearest.h"
#include "command.h"
#include "diagnose/cases.h"
#include "diagnose/lint.h"

/* Keeps the pages named by `ids`; NULL, or the first id that no page has. */
static const char *keep_named(Pages *pages, char **ids, int count) {
    for (int k = 0; k < count; k++) {
        bool known = false;
        for (size_t i = 0; i < pages->count && !known; i++) known = str_is(pages->items[i]->id, ids[k]);
        if (!known) return ids[k];
    }
    size_t kept = 0;
    for (size_t i = 0; i < pages->count && count; i++) {
        bool named = false;
        for (int k = 0; k < count && !named; k++) named = str_is(pages->items[i]->id, ids[k]);
        if (named) pages->items[kept++] = pages->items[i];
    }
    if (count) pages->count = kept;
    return NULL;
}

static void put_message(const Page *page, Str text) {
    if (!text.len) return;
    printf("#: %.*s\nmsgid \"", STR_ARG(page->file));
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\') putchar('\\');
        putchar(text.p[i]);
    }
    puts("\"\nmsgstr \"\"\n");
}

/* As messages for a catalogue (`make po`): what page.c makes of a heading is what will be looked up. */
static void put_titles(const Pages *pages) {
    puts("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n");
    for (size_t i = 0; i < pages->count; i++) {
        put_message(pages->items[i], pages->items[i]->title);
        put_message(pages->items[i], pages->items[i]->plain);
    }
}

int cmd_rules(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    const char *unknown = NULL, *what = argc > o.first ? argv[o.first] : "list";
    bool test = strcmp(what, "test") == 0;
    if (argc - o.first > 1 && !test) return usage_error("rules", STR_NONE, "one word is expected");
    bool list = strcmp(what, "list") == 0;
    if (!choose_language(&o, !list)) return EXIT_USAGE;
    if (!list) lang_use(STR("en")); /* what is checked is what stands in the pages */
    Arena *a = arena_new((size_t)4 << 30);
    Pages pages;
    Error err = {""};
    StrBuf text;
    sb_init(&text, a);
    int code = 0;
    if (!pages_load(a, o.rules, &pages, &err)) {
        code = unreadable(&err);
    } else if (list) {
        for (size_t i = 0; i < pages.count; i++)
            printf("%-28.*s %-8s %-10.*s %.*s\n", STR_ARG(pages.items[i]->id), page_kind_word(pages.items[i]->kind),
                   STR_ARG(pages.items[i]->layer), STR_ARG(page_words(a, pages.items[i]).title));
    } else if (strcmp(what, "titles") == 0) {
        put_titles(&pages);
    } else if (strcmp(what, "lint") == 0) {
        size_t problems = knowledge_lint(a, &pages, &text);
        fwrite(sb_str(&text).p, 1, text.len, stdout);
        printf("%zu rule pages, %zu problems\n", pages.count, problems);
        code = problems ? 1 : 0;
    } else if (test && (unknown = keep_named(&pages, argv + o.first + 1, argc - o.first - 1)) != NULL) {
        code = usage_error("rules", nearest_rule(&pages, unknown, false), "no rule page has the id %s", unknown);
    } else if (test) {
        size_t passed = 0, failed = 0;
        cases_run(a, &pages, &text, &passed, &failed);
        for (size_t i = 0; i < pages.problems.count; i++) {
            printf("%.*s\n", STR_ARG(pages.problems.items[i]));
            failed++;
        }
        fwrite(sb_str(&text).p, 1, text.len, stdout);
        printf("%zu passed, %zu failed\n", passed, failed);
        code = failed || !passed ? 1 : 0;
    } else {
        Nearest n = nearest_to(str_of(what));
        nearest_try(&n, STR("list"));
        nearest_try(&n, STR("lint"));
        nearest_try(&n, STR("test"));
        code = usage_error("rules", n.best, "unknown word %s", what);
    }
    arena_free(a);
    if (!output_close(stdout, NULL)) code = EXIT_UNREADABLE;
    return code;
}
