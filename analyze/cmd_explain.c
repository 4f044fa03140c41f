#include "command.h"

/* Characters, not bytes: pages are written in alphabets of single columns. */
static size_t width_of(Str word) {
    size_t n = 0;
    for (size_t i = 0; i < word.len; i++) n += ((unsigned char)word.p[i] & 0xc0) != 0x80;
    return n;
}

static void section(Arena *a, const char *heading, Str markdown) {
    if (!markdown.len) return;
    Rich text = page_rich(a, markdown, NULL);
    printf("\n%s\n", heading);
    for (size_t i = 0; i < text.count; i++) {
        const Block *b = &text.blocks[i];
        Str plain = block_plain(a, b);
        const char *indent = b->depth > 1 ? "      " : b->depth == 1 ? "   " : "  ";
        if (b->kind == BLOCK_CODE) {
            while (plain.len) {
                Str line = str_cut(&plain, '\n');
                printf("%s  %.*s\n", indent, STR_ARG(line));
            }
            continue;
        }
        if (b->kind == BLOCK_ITEM && b->number) printf("%s%d. ", indent, b->number);
        else printf("%s%s", indent, b->kind == BLOCK_ITEM ? "- " : "");
        size_t column = 0;
        for (Str word; (word = str_word(&plain)).len; column += width_of(word) + 1) { /* wrapped at 80 columns */
            if (column + width_of(word) > 72) {
                printf("\n%s   ", indent);
                column = 0;
            }
            printf("%.*s ", STR_ARG(word));
        }
        putchar('\n');
    }
}

/* The words of the block ```rule stay as they are written there: whoever changes the page looks for them. */
static void print_page(Arena *a, const Page *p) {
    PageWords words = page_words(a, p);
    printf("%.*s\n%.*s: %s%s%.*s%s%.*s, layer %.*s\n", STR_ARG(words.title), STR_ARG(p->id), page_kind_word(p->kind),
           p->class_.len ? ", " : "", STR_ARG(p->class_), p->impact.len ? ", " : "", STR_ARG(p->impact),
           STR_ARG(p->layer));
    section(a, _("What it is"), words.summary);
    if (p->explains.count) {
        printf("\n%s\n", _("Explains"));
        for (size_t i = 0; i < p->explains.count; i++)
            printf("  %.*s of the %.*s, weight %.2f\n", STR_ARG(p->explains.items[i].symptom),
                   STR_ARG(p->explains.items[i].scope), p->explains.items[i].weight);
    }
    if (p->needs.len) printf("\n%s\n  %.*s\n", _("Needs"), STR_ARG(p->needs));
    if (p->ask.count) printf("\n%s\n", _("Ask for"));
    for (size_t i = 0; i < p->ask.count; i++) printf("  %.*s\n", STR_ARG(p->ask.items[i]));
    section(a, _("Fix"), words.fix);
    section(a, _("Verify"), words.verify);
    section(a, _("Not this"), words.not_this);
    section(a, _("If nothing but your words says so"), words.as_told);
    printf("\n%s\n%.*s\n", _("Evidence"), STR_ARG(p->evidence_sql));
    if (p->ruled_out_sql.len) printf("\n%s\n%.*s\n", _("Ruled out"), STR_ARG(p->ruled_out_sql));
    if (p->source.len) printf("\n%s\n  %.*s\n", _("Source"), STR_ARG(p->source));
}

int cmd_explain(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first != 1) return usage_error("explain", STR_NONE, "one rule id is expected");
    if (!choose_language(&o, false)) return EXIT_USAGE;
    Arena *a = arena_new((size_t)1 << 30);
    Pages pages;
    Error err = {""};
    int code = 0;
    if (!pages_load(a, o.rules, &pages, &err)) {
        code = unreadable(&err);
    } else {
        const Page *p = pages_find(&pages, str_of(argv[o.first]));
        for (size_t i = 0; i < pages.count && !p; i++) /* reports name symptoms, too */
            if (str_is(pages.items[i]->raises, argv[o.first])) p = pages.items[i];
        if (!p) {
            code = usage_error("explain", nearest_rule(&pages, argv[o.first], true),
                               "no rule %s (stordx rules lists them)", argv[o.first]);
        } else {
            print_page(a, p);
        }
    }
    arena_free(a);
    if (!output_close(stdout, NULL)) code = EXIT_UNREADABLE;
    return code;
}
