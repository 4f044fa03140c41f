/*
 * export.c - the fact database as a file
 */
#include "facts.h"
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool with_file(sqlite3 *db, const char *sql, const char *file) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) return false;
    sqlite3_bind_text(st, 1, file, -1, SQLITE_STATIC);
    bool ok = sqlite3_step(st) == SQLITE_DONE;
    sqlite3_finalize(st);
    return ok;
}

bool facts_export(Facts *f, const char *file, Error *err) {
    sqlite3 *db = facts_db(f);
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return error_set(err, "cannot write %s: %s", file, strerror(errno));
    close(fd); /* VACUUM INTO takes an empty file */
    /* VACUUM leaves virtual tables out: the samples follow as a real table. */
    bool ok =
        with_file(db, "VACUUM INTO ?1", file) && with_file(db, "ATTACH ?1 AS export", file) &&
        sqlite3_exec(db,
                     "CREATE TABLE export.sample_rows AS SELECT * FROM sample; DROP TABLE IF EXISTS export.sample;"
                     " ALTER TABLE export.sample_rows RENAME TO sample",
                     NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) error_set(err, "cannot write %s: %s", file, sqlite3_errmsg(db));
    sqlite3_exec(db, "DETACH export", NULL, NULL, NULL);
    return ok;
}
