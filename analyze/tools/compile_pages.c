/*
 * compile_pages: parse rule pages and write them as one C source with the table that analyze/diagnose/builtin_pages.h declares.
 *
 *     compile_pages OUTPUT SCHEMA FILE...
 *
 * A FILE called NAME.LANG.md is a translation of a page, or holds phrases.
 *
 * Runs on the machine that builds, from the root of the source tree. It uses the program's own page.c, so a page that builds is
 * a page the program reads; one that does not parse is named with file and line, and the build stops.
 */
#include "../diagnose/demand.h"
#include "../diagnose/page.h"
#include "../facts/sqlfunc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_file(Arena *a, const char *path, Str *text) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    StrBuf out;
    sb_init(&out, a);
    char buf[16 * 1024];
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, file)) > 0) sb_add(&out, (Str){buf, n});
    fclose(file);
    *text = sb_str(&out);
    return true;
}

static int by_id(const void *x, const void *y) {
    return str_cmp((*(Page *const *)x)->id, (*(Page *const *)y)->id);
}

/* A literal in pieces of one line each, so that the output can be read. */
static void put_str(FILE *out, Str s) {
    if (!s.p) {
        fputs("{NULL, 0}", out);
        return;
    }
    fprintf(out, "{\"");
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '\n') fputs(i + 1 < s.len ? "\\n\"\n    \"" : "\\n", out);
        else if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c < 32 || c > 126 || c == '?') fprintf(out, "\\%03o", c);
        else fputc(c, out);
    }
    fprintf(out, "\", %zu}", s.len);
}

static void put_field(FILE *out, const char *name, Str s) {
    fprintf(out, "  .%s = ", name);
    put_str(out, s);
    fputs(",\n", out);
}

static void put_list(FILE *out, size_t page, const char *name, const Str *items, size_t count) {
    if (!count) return;
    fprintf(out, "static Str %s_%zu[] = {\n", name, page);
    for (size_t i = 0; i < count; i++) {
        fputs("  ", out);
        put_str(out, items[i]);
        fputs(",\n", out);
    }
    fputs("};\n", out);
}

static void put_use(FILE *out, size_t page, const char *name, size_t count) {
    if (count) fprintf(out, "  .%s = {%s_%zu, %zu, %zu},\n", name, name, page, count, count);
}

/* Neither the file's text, which only the lint of pages from a directory looks into, nor the phrases, which are one table. */
static void put_translations(FILE *out, size_t n, const Page *p) {
    for (size_t i = 0; i < p->translations.count; i++) {
        const Translation *t = p->translations.items[i];
        fprintf(out, "static const Translation translation_%zu_%zu = {\n", n, i);
        put_field(out, "file", t->file);
        put_field(out, "lang", t->lang);
        put_field(out, "of", t->of);
        put_field(out, "english", t->english);
        put_field(out, "words.title", t->words.title);
        put_field(out, "words.plain", t->words.plain);
        put_field(out, "words.summary", t->words.summary);
        put_field(out, "words.fix", t->words.fix);
        put_field(out, "words.verify", t->words.verify);
        put_field(out, "words.not_this", t->words.not_this);
        put_field(out, "words.as_told", t->words.as_told);
        fprintf(out, "  .english_line = %d};\n", t->english_line);
    }
    if (!p->translations.count) return;
    fprintf(out, "static const Translation *translations_%zu[] = {", n);
    for (size_t i = 0; i < p->translations.count; i++) fprintf(out, "%s&translation_%zu_%zu", i ? ", " : "", n, i);
    fputs("};\n", out);
}

static void put_phrases(FILE *out, const Phrase *items, size_t count) {
    fputs("const Phrase builtin_phrases[] = {\n", out);
    for (size_t i = 0; i < count; i++) {
        const Str parts[] = {items[i].lang, items[i].english, items[i].spoken, items[i].file};
        fputs("  {", out);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            put_str(out, parts[k]);
            fputs(", ", out);
        }
        fprintf(out, "%d},\n", items[i].line);
    }
    fprintf(out, "  {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0}};\nconst size_t builtin_phrase_count = %zu;\n",
            count);
}

static void put_page(FILE *out, size_t n, const Page *p) {
    put_translations(out, n, p);
    if (p->explains.count) {
        fprintf(out, "static Weight explains_%zu[] = {\n", n);
        for (size_t i = 0; i < p->explains.count; i++) {
            fputs("  {", out);
            put_str(out, p->explains.items[i].symptom);
            fputs(", ", out);
            put_str(out, p->explains.items[i].scope);
            fprintf(out, ", %.17g},\n", p->explains.items[i].weight);
        }
        fputs("};\n", out);
    }
    if (p->cases.count) {
        fprintf(out, "static CaseBlock cases_%zu[] = {\n", n);
        for (size_t i = 0; i < p->cases.count; i++) {
            fputs("  {", out);
            put_str(out, p->cases.items[i].text);
            fprintf(out, ", %d},\n", p->cases.items[i].line);
        }
        fputs("};\n", out);
    }
    put_list(out, n, "yields_to", p->yields_to.items, p->yields_to.count);
    put_list(out, n, "ask", p->ask.items, p->ask.count);
    put_list(out, n, "words", p->words.items, p->words.count);
    put_list(out, n, "answers", p->answers.items, p->answers.count);
    fprintf(out, "static Page page_%zu = {\n", n);
    put_field(out, "file", p->file);
    put_field(out, "id", p->id);
    put_field(out, "title", p->title);
    put_field(out, "plain", p->plain);
    put_field(out, "layer", p->layer);
    put_field(out, "class_", p->class_);
    put_field(out, "impact", p->impact);
    put_field(out, "raises", p->raises);
    put_field(out, "group_by", p->group_by);
    put_field(out, "applies", p->applies);
    put_field(out, "needs", p->needs);
    put_field(out, "source", p->source);
    put_field(out, "inside", p->inside);
    fprintf(out, "  .kind = (PageKind)%d, .compare = %s,\n", (int)p->kind, p->compare ? "true" : "false");
    put_use(out, n, "explains", p->explains.count);
    put_use(out, n, "yields_to", p->yields_to.count);
    put_use(out, n, "ask", p->ask.count);
    put_use(out, n, "words", p->words.count);
    put_use(out, n, "answers", p->answers.count);
    put_use(out, n, "cases", p->cases.count);
    put_use(out, n, "translations", p->translations.count);
    put_field(out, "summary", p->summary);
    put_field(out, "fix", p->fix);
    put_field(out, "verify", p->verify);
    put_field(out, "not_this", p->not_this);
    put_field(out, "as_told", p->as_told);
    put_field(out, "evidence_sql", p->evidence_sql);
    put_field(out, "ruled_out_sql", p->ruled_out_sql);
    put_field(out, "evidence_demand", p->evidence_demand);
    put_field(out, "ruled_out_demand", p->ruled_out_demand);
    put_field(out, "applies_demand", p->applies_demand);
    fprintf(out, "  .evidence_line = %d, .ruled_out_line = %d};\n\n", p->evidence_line, p->ruled_out_line);
}

static Str demands(Arena *a, Str sql, Str schema) {
    Demand d = demand_of(a, sql, schema);
    return demand_write(a, &d);
}

static int by_view(const void *x, const void *y) {
    return str_cmp(*(const Str *)x, *(const Str *)y);
}

static const char metric_columns[] = ""
#define METRIC(name, ...) ", " #name " REAL"
#include "../facts/metrics.def"
    ;

/*
 * The table that SQLite makes of each view, without rows, and what the view demands of the facts. A view that this machine's
 * SQLite cannot read is left out; the program then computes it always.
 */
static bool put_views(FILE *out, Arena *a, Str schema) {
    sqlite3 *db;
    Error err = {""};
    char *text = arena_cstr(a, schema);
    const char *made_by_samples = arena_fmt(
        a,
        "CREATE TABLE lifetime(node INTEGER, capture INTEGER, tool TEXT, since TEXT, alone INTEGER, src INTEGER, "
        "line INTEGER%s); CREATE TABLE sample(capture, node, tool, t, dt_s%s, n, n_busy, n_r_ge5, n_r_ge10, "
        "n_r_ge40, n_w_ge5, n_w_ge10, n_w_ge40, src, line, worst);",
        metric_columns, metric_columns);
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || !sqlfunc_register(db, &err) ||
        sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, made_by_samples, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "schema.sql: %s\n", sqlite3_errmsg(db));
        sqlite3_close(db);
        return false;
    }
    VEC(Str) names = {0};
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'view'", -1, &st, NULL) == SQLITE_OK)
        while (sqlite3_step(st) == SQLITE_ROW)
            VEC_PUSH(a, &names, arena_str(a, str_of((const char *)sqlite3_column_text(st, 0))));
    sqlite3_finalize(st);
    if (names.count > 1) qsort(names.items, names.count, sizeof *names.items, by_view);
    fputs("const BuiltinView builtin_views[] = {\n", out);
    size_t put = 0;
    for (size_t i = 0; i < names.count; i++) {
        Str name = names.items[i];
        char *sql = arena_fmt(a, "CREATE TABLE empty_ AS SELECT * FROM \"%.*s\" WHERE 0", STR_ARG(name));
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) continue;
        if (sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE name = 'empty_'", -1, &st, NULL) == SQLITE_OK &&
            sqlite3_step(st) == SQLITE_ROW) {
            Str made = arena_str(a, str_of((const char *)sqlite3_column_text(st, 0)));
            size_t columns = str_find_ch(made, '(');
            Str text_of_view = arena_strf(a, "SELECT * FROM %.*s", STR_ARG(name));
            Str demand = demands(a, text_of_view, schema);
            if (columns != SIZE_MAX && demand.len) {
                fputs("  {", out);
                put_str(out, name);
                fputs(", ", out);
                put_str(out, demand);
                fputs(", ", out);
                put_str(out, arena_strf(a, "CREATE TABLE %.*s%.*s", STR_ARG(name), STR_ARG(str_from(made, columns))));
                fputs("},\n", out);
                put++;
            }
        }
        sqlite3_finalize(st);
        sqlite3_exec(db, "DROP TABLE empty_", NULL, NULL, NULL);
    }
    fprintf(out, "  {{NULL, 0}, {NULL, 0}, {NULL, 0}}};\nconst size_t builtin_view_count = %zu;\n", put);
    sqlite3_close(db);
    return true;
}

int main(int argc, char **argv) {
    Arena *a = arena_new((size_t)1 << 30);
    Str schema;
    if (argc < 3 || !read_file(a, argv[2], &schema)) {
        fputs("usage: compile_pages OUTPUT SCHEMA FILE...\n", stderr);
        return 2;
    }
    VEC(Page *) pages = {0};
    VEC(Translation *) translations = {0};
    VEC(Phrase) phrases = {0};
    int bad = 0;
    for (int i = 3; i < argc; i++) {
        Page *page = arena_new_of(a, Page);
        Error err = {""};
        Str text;
        if (!read_file(a, argv[i], &text)) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            bad++;
        } else if (is_translation_name(str_of(argv[i]))) {
            Translation *t = arena_new_of(a, Translation);
            if (translation_parse(a, str_of(argv[i]), text, t, &err)) {
                VEC_PUSH(a, &translations, t);
            } else {
                fprintf(stderr, "%s\n", err.text);
                bad++;
            }
        } else if (!page_parse(a, str_of(argv[i]), text, page, &err)) {
            fprintf(stderr, "%s\n", err.text);
            bad++;
        } else {
            for (size_t k = 0; k < pages.count; k++)
                if (str_eq(pages.items[k]->id, page->id)) {
                    fprintf(stderr, "%s:1: %.*s has the same id\n", argv[i], STR_ARG(pages.items[k]->file));
                    bad++;
                }
            page->evidence_demand = demands(a, page->evidence_sql, schema);
            page->ruled_out_demand = demands(a, page->ruled_out_sql, schema);
            if (str_has(page->applies, " ")) page->applies_demand = demands(a, page->applies, schema);
            VEC_PUSH(a, &pages, page);
        }
    }
    for (size_t i = 0; i < translations.count; i++) {
        const Translation *t = translations.items[i];
        for (size_t k = 0; k < t->phrases.count; k++) VEC_PUSH(a, &phrases, t->phrases.items[k]);
        size_t at = 0;
        while (at < pages.count && !str_eq(pages.items[at]->id, t->of)) at++;
        if (at < pages.count) {
            VEC_PUSH(a, &pages.items[at]->translations, t);
        } else if (t->of.len) {
            fprintf(stderr, "%.*s:1: there is no page \"%.*s\" to translate\n", STR_ARG(t->file), STR_ARG(t->of));
            bad++;
        }
    }
    if (bad) return 1;
    if (pages.count) qsort(pages.items, pages.count, sizeof *pages.items, by_id);
    /* Complete or not at all, as embed writes. */
    char *temporary = arena_fmt(a, "%s.tmp", argv[1]);
    FILE *out = fopen(temporary, "wb");
    if (!out) {
        fprintf(stderr, "%s: %s\n", temporary, strerror(errno));
        return 1;
    }
    fputs("/* Written by analyze/tools/compile_pages.c from rules/; do not edit. */\n#pragma GCC diagnostic ignored "
          "\"-Woverlength-strings\"\n"
          "#include \"analyze/diagnose/builtin_pages.h\"\n\n",
          out);
    for (size_t i = 0; i < pages.count; i++) put_page(out, i, pages.items[i]);
    fputs("Page *const builtin_pages[] = {", out);
    for (size_t i = 0; i < pages.count; i++) fprintf(out, "%s&page_%zu,", i % 8 ? " " : "\n    ", i);
    fprintf(out, "\n    NULL};\nconst size_t builtin_page_count = %zu;\n", pages.count);
    put_phrases(out, phrases.items, phrases.count);
    if (!put_views(out, a, schema)) return 1;
    if (fclose(out) != 0 || rename(temporary, argv[1]) != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    arena_free(a);
    return 0;
}
