/*
 * Reads bytes as an upload: an archive, a compressed file or a text.
 *
 * What has to hold: whatever it is, reading it ends, something is said about it, and nothing of it is written anywhere.
 */
#include "../../analyze/bundle/bundle.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* bundle_read() takes a name: the bytes go into a file of no name but that of its descriptor, made once. */
static const char *upload(Str text) {
    static FILE *file;
    static char name[40];
    if (!file) {
        file = tmpfile();
        if (!file) fuzz_fail("no temporary file");
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    }
    int fd = fileno(file);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text.p ? text.p : "", text.len, 0) != (ssize_t)text.len ||
        lseek(fd, 0, SEEK_SET) != 0)
        fuzz_fail("the temporary file cannot be written");
    return name;
}

void fuzz_archive(Str text) {
    FuzzFacts f;
    fuzz_facts_open(&f);
    Error err = {""};
    int64_t bundle = 0;
    if (!bundle_read(f.facts, upload(text), &bundle, &err)) fuzz_fail("%s", err.text);
    fuzz_check_facts(&f, 0);
    sqlite3_stmt *st = facts_query(f.facts, "SELECT COUNT(*) FROM source WHERE bundle = ?1");
    sqlite3_bind_int64(st, 1, bundle);
    if (sqlite3_step(st) != SQLITE_ROW || !sqlite3_column_int64(st, 0)) fuzz_fail("an upload without a word about it");
    sqlite3_reset(st);
    fuzz_facts_close(&f);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_archive((Str){(const char *)data, size});
    return 0;
}
#endif
