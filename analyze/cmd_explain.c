#include "command.h"

static const char usage[] = "RULE [--rules DIR]";

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
        for (Str word; (word = str_word(&plain)).len; column += word.len + 1) { /* wrapped at 80 columns */
            if (column + word.len > 72) {
                printf("\n%s   ", indent);
                column = 0;
            }
            printf("%.*s ", STR_ARG(word));
        }
        putchar('\n');
    }
}

int cmd_explain(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, "r", usage, &o)) return EXIT_USAGE;
    if (argc - o.first != 1) return usage_error("explain", usage, "one rule id is expected");
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
            code = usage_error("explain", usage, "no rule %s (stordx rules lists them)", argv[o.first]);
        } else {
            printf("%.*s\n%.*s: %s%s%.*s%s%.*s, layer %.*s\n", STR_ARG(p->title), STR_ARG(p->id),
                   page_kind_word(p->kind), p->class_.len ? ", " : "", STR_ARG(p->class_), p->impact.len ? ", " : "",
                   STR_ARG(p->impact), STR_ARG(p->layer));
            section(a, "What it is", p->summary);
            if (p->explains.count) {
                printf("\nExplains\n");
                for (size_t i = 0; i < p->explains.count; i++)
                    printf("  %.*s of the %.*s, weight %.2f\n", STR_ARG(p->explains.items[i].symptom),
                           STR_ARG(p->explains.items[i].scope), p->explains.items[i].weight);
            }
            if (p->needs.len) printf("\nNeeds\n  %.*s\n", STR_ARG(p->needs));
            for (size_t i = 0; i < p->ask.count; i++)
                printf("%s  %.*s\n", i ? "" : "\nAsk for\n", STR_ARG(p->ask.items[i]));
            section(a, "Fix", p->fix);
            section(a, "Verify", p->verify);
            section(a, "Not this", p->not_this);
            if (p->as_told.len) section(a, "If nothing but your words says so", p->as_told);
            printf("\nEvidence\n%.*s\n", STR_ARG(p->evidence_sql));
            if (p->ruled_out_sql.len) printf("\nRuled out\n%.*s\n", STR_ARG(p->ruled_out_sql));
            if (p->source.len) printf("\nSource\n  %.*s\n", STR_ARG(p->source));
        }
    }
    arena_free(a);
    if (!output_close(stdout, NULL)) code = EXIT_UNREADABLE;
    return code;
}
