/*
 * fuzz.h - what the fuzz targets share
 *
 * A target is a function that gets bytes and ends the run when a promise of the code does not hold; "it does not crash" is
 * only one of them. Each is linked three times: to libFuzzer (`make fuzz`), and to the plain main of replay.c in both variants
 * of the tests, which feeds it what once broke it.
 */
#ifndef STORDX_TESTS_FUZZ_H
#define STORDX_TESTS_FUZZ_H

#include "../../analyze/bundle/reader.h"
#include "../../analyze/parse/registry.h"

/*
 * One parser. The text may begin with a line "\001PATH\tCOMMAND" that says where it is from; then these are what the parser
 * is given as path and command.
 */
void fuzz_parser(const Parser *parser, Str text);
void fuzz_framing(Str text); /* a text as a post and as a file of a bundle, and what is made of its facts */
void fuzz_reader(Str text);  /* a byte \003 stands for 300 KB, so that a line can be too long */
void fuzz_page(Str text);
void fuzz_archive(Str text);
void fuzz_redact(Str text);
void fuzz_report(Str text); /* a byte \002 stands for markup */

/* Says which promise was broken and ends the run. */
_Noreturn void fuzz_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The bytes in a block of exactly their size, behind which AddressSanitizer sees the first byte read too far; also for no
   bytes. The caller frees *block. */
Str fuzz_exact(Str text, char **block);

/* A text as a source of bytes; it must stay where it is while the source is read. */
typedef struct FuzzText {
    ByteSource src;
    Str rest;
} FuzzText;
FuzzText fuzz_text(Str text);

/* A fact database and all that hangs on it. */
typedef struct FuzzFacts {
    Arena *arena, *scratch;
    Facts *facts;
    int64_t bundle, capture;
    int runs;
} FuzzFacts;
void fuzz_facts_open(FuzzFacts *f);
void fuzz_facts_close(FuzzFacts *f);

/* Every row of the pieces from src on, in every table, rests on a line that is kept; no kept line and no other text is
   longer than its clip, no note longer than a reader would read. */
void fuzz_check_facts(FuzzFacts *f, int64_t src);

#endif
