/*
 * Feeds a whole text to the framer, once as a post and once as a file of a bundle, and the facts of both to what comes behind.
 *
 * What has to hold: every byte is read; every line that is not blank and says something belongs to one row of `source` at
 * most; rows come in order and inside the text; facts have their lines; names become nodes whatever they are.
 */
#include "../../analyze/bundle/framing.h"
#include "fuzz.h"

#include <stdlib.h>

static void frame(FuzzFacts *f, Str text, bool own_file) {
    FuzzText source = fuzz_text(text);
    LineReader r;
    reader_open(&r, &source.src);
    Member m = {.facts = f->facts,
                .arena = f->arena,
                .scratch = f->scratch,
                .bundle = f->bundle,
                .capture = f->capture,
                .path = own_file ? STR("file.txt") : STR("-"),
                .own_file = own_file};
    frame_member(&m, &r);
    if (r.bytes != text.len) fuzz_fail("%llu bytes read of %zu", (unsigned long long)r.bytes, text.len);
    reader_close(&r);
}

void fuzz_framing(Str text) {
    FuzzFacts f;
    char *block;
    Str exact = fuzz_exact(text, &block);
    int64_t lines = 1;
    for (size_t i = 0; i < exact.len; i++) lines += exact.p[i] == '\n' || exact.p[i] == 0 || exact.p[i] == '\r';
    fuzz_facts_open(&f);
    frame(&f, exact, false);
    f.capture = facts_capture(f.facts, f.bundle, STR_NONE);
    frame(&f, exact, true);
    free(block);
    fuzz_check_facts(&f, 0);
    sqlite3_stmt *st = facts_query(f.facts, "SELECT COUNT(*), MAX(line_last), MIN(line_first) FROM source");
    if (sqlite3_step(st) != SQLITE_ROW || sqlite3_column_int64(st, 0) < 2) fuzz_fail("a text without a row of source");
    if (sqlite3_column_int64(st, 1) > lines || sqlite3_column_int64(st, 2) < 0)
        fuzz_fail("pieces end at line %lld of %lld", (long long)sqlite3_column_int64(st, 1), (long long)lines);
    sqlite3_reset(st);
    Error err = {""};
    if (!facts_resolve(f.facts, &err)) fuzz_fail("%s", err.text);
    fuzz_facts_close(&f);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_framing((Str){(const char *)data, size});
    return 0;
}
#endif
