/*
 * lint.h - checks of the knowledge that need no bundle
 *
 * A rule page is written by people who do not compile the program, so what a compiler would say of it is said here: names
 * that do not exist, SQL that does not prepare against the empty schema, placeholders that no column fills. `stordx rules
 * lint` runs it, and so does the build of the built-in pages.
 */
#ifndef STORDX_DIAGNOSE_LINT_H
#define STORDX_DIAGNOSE_LINT_H

#include "page.h"

/*
 * Checks pages, including those that pages_load() left out (pages->problems). Appends one line per problem to `problems`,
 * "file:line: what is wrong\n", in the order of the pages and of their lines. Returns the number of problems. The fact
 * database that statements are prepared against is empty and made here; memory comes from `a`.
 */
size_t rules_lint(Arena *a, const Pages *pages, StrBuf *problems);

/*
 * Is each translation made from the page as it is (its hash), with the same steps, code, links, stressed words (dangers) and
 * placeholders? Do phrases keep what they stand for? Same form, same result; what is only suspected is a line with "warning:" and not
 * counted. Part of rules_lint().
 */
size_t translations_lint(Arena *a, const Pages *pages, StrBuf *problems);

/* rules_lint() for the pages, then the built-in signatures and the built-in model knowledge. Same form, same result. */
size_t knowledge_lint(Arena *a, const Pages *pages, StrBuf *problems);

#endif
