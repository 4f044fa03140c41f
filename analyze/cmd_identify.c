#include "command.h"
#include "progress.h"

#include "../reports/clean.h"

/* Text of a bundle on a terminal: nothing that steers it. */
static void print_clean(Arena *a, const unsigned char *text) {
    printf("%.*s", STR_ARG(clean(a, str_of((const char *)text), CLEAN_LINE)));
}

int cmd_identify(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first != 1)
        return usage_error("identify", STR_NONE, argc == o.first ? "no input given" : "one input is expected");
    Run run;
    if (!run_begin(&run, &o, argv + o.first, 1)) {
        run_end(&run);
        return EXIT_UNREADABLE;
    }
    progress_hide();
    sqlite3_stmt *st;
    int64_t pieces = 0, known = 0;
    const char *sql = "SELECT s.member, s.line_first, s.line_last, s.tool, s.bid, s.rows, s.bad_rows, "
                      "s.first_bad_line, s.status, s.note, s.command,"
                      " (SELECT t.text FROM line_text t WHERE t.src = s.id AND t.line = s.first_bad_line) FROM source "
                      "s ORDER BY s.id";
    if (sqlite3_prepare_v2(facts_db(run.facts), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("%s", sqlite3_errmsg(facts_db(run.facts)));
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *tool = (const char *)sqlite3_column_text(st, 3), *status = (const char *)sqlite3_column_text(st, 8);
        pieces++;
        if (tool && status && (strcmp(status, "parsed") == 0 || strcmp(status, "partial") == 0)) known++;
        print_clean(run.arena, sqlite3_column_text(st, 0));
        if (sqlite3_column_int64(st, 1) > 0)
            printf(":%lld-%lld", (long long)sqlite3_column_int64(st, 1), (long long)sqlite3_column_int64(st, 2));
        printf("\t%s\t%s", tool ? tool : "?", status ? status : "?");
        if (tool) printf("\tbid %d, %lld rows", sqlite3_column_int(st, 4), (long long)sqlite3_column_int64(st, 5));
        if (sqlite3_column_int64(st, 6)) printf(", %lld not understood", (long long)sqlite3_column_int64(st, 6));
        if (!tool && status && strcmp(status, "unrecognised") == 0 && !sqlite3_column_text(st, 9))
            printf("\tno parser recognises its first lines");
        if (sqlite3_column_int64(st, 7) && tool) printf(", first at line %lld", (long long)sqlite3_column_int64(st, 7));
        if (sqlite3_column_text(st, 9)) {
            printf("\t");
            print_clean(run.arena, sqlite3_column_text(st, 9));
        }
        putchar('\n');
        if (tool && sqlite3_column_text(st, 11)) {
            printf("\t| ");
            print_clean(run.arena, sqlite3_column_text(st, 11));
            putchar('\n');
        }
    }
    sqlite3_finalize(st);
    printf("%lld pieces, %lld recognised\n", (long long)pieces, (long long)known);
    bool ok = output_close(stdout, NULL);
    run_end(&run);
    return ok ? 0 : EXIT_UNREADABLE;
}
