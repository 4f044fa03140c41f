#include "command.h"
#include "diagnose/evaluate.h"
#include "facts/views.h"
#include "progress.h"

/* Tab-separated with a header line; control bytes of a value are shown as blanks, so that a row stays a row. */
static void print_value(sqlite3_stmt *st, int i) {
    const char *p = (const char *)sqlite3_column_text(st, i);
    int n = sqlite3_column_bytes(st, i);
    for (int k = 0; k < n; k++) putchar((unsigned char)p[k] < 32 || p[k] == 127 ? ' ' : p[k]);
}

int cmd_sql(int argc, char **argv) {
    Options o;
    if (!options_parse(argc, argv, &o)) return o.exit_code;
    if (argc - o.first != 2) return usage_error("sql", STR_NONE, "an input and one statement are expected");
    Run run;
    int code = EXIT_UNREADABLE;
    if (run_begin(&run, &o, argv + o.first, 1)) {
        progress_end();
        sqlite3 *db = facts_db(run.facts);
        sqlite3_stmt *st = NULL;
        const char *tail = NULL;
        evaluate_step_budget = INT_MAX; /* whoever asks may wait */
        Error err = {""};
        if (!views_create(db, run.arena, NULL, 0, &err)) fatal("%s", err.text);
        evaluate_lock_reader(db);
        int rc = sqlite3_prepare_v2(db, argv[o.first + 1], -1, &st, &tail);
        if (rc != SQLITE_OK || !st) {
            fprintf(stderr, "stordx sql: %s\n", rc == SQLITE_OK ? "no statement" : sqlite3_errmsg(db));
            code = EXIT_USAGE;
        } else if (tail && str_trim(str_of(tail)).len) {
            fputs("stordx sql: one statement is expected\n", stderr);
            code = EXIT_USAGE;
        } else {
            for (int i = 1; i <= sqlite3_bind_parameter_count(st); i++) /* :capture of a rule's statement: the newest */
                sqlite3_bind_int64(st, i, run.bundles[0]);
            for (int i = 0; i < sqlite3_column_count(st); i++)
                printf("%s%s", i ? "\t" : "", sqlite3_column_name(st, i));
            putchar('\n');
            while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
                for (int i = 0; i < sqlite3_column_count(st); i++) {
                    if (i) putchar('\t');
                    print_value(st, i);
                }
                putchar('\n');
            }
            code = 0;
            if (rc != SQLITE_DONE) {
                fprintf(stderr, "stordx sql: %s\n", sqlite3_errmsg(db));
                code = EXIT_USAGE;
            }
            if (!output_close(stdout, NULL)) code = EXIT_UNREADABLE;
        }
        sqlite3_finalize(st);
        evaluate_unlock(db);
    }
    run_end(&run);
    return code;
}
