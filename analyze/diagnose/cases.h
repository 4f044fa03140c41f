/*
 * cases.h - runs the ```case blocks of rule pages
 *
 * A case is a fact database in a few lines and what its page must say of it:
 *
 *     name: one drive off
 *     node id=1 kind=drive key=drive:a label=sda
 *     drive node=1 name=sda media=ssd bus=ata slow_wait_ms=10
 *     setting node=1 key=write_cache value=off view=drive text=' write-caching =  0 (off)'
 *     expect found drive:a confidence>=0.9
 *
 * A row is a table of schema.sql and its columns. Values with blanks stand in '...' or "...", a doubled quote is one quote,
 * `column=` is NULL, and lines that start with # are comments. What a case does not say is added:
 *   - a bundle 1, a capture 1, its boot 0; compare pages run over the captures 1 and 2 (:before = 1, :after = 2), each of
 *     a bundle of its own;
 *   - a parsed source for every number that a row names as src, and at least number 1 (compare pages: 1 and 2);
 *   - a host: node 1000, key "host" (compare pages: 1000 "host@1" and 1001 "host@2", both labelled "host");
 *   - in a row: capture=1, boot=0, src=1 (in capture 2: src=2), a line number of its own. The original line is the
 *     pseudo column `text`, in tables without one, or else the row itself;
 *   - edges that follow from places, drives and vdevs, and `reach`.
 * `sample` and `reach` take no rows. A row names only nodes that the case has. A `finding` row simulates what earlier pages
 * found.
 *
 * expect ANSWER NODE: NODE is the key or label of a node.
 *   found        with a confidence that a report shows (0.3 and more), and at least one line of evidence, unless the page is
 *                a note or a verdict. May add confidence>=X, confidence<=X and COLUMN=VALUE of the Evidence.
 *   ruled-out    the facts speak against it
 *   not-checked  neither, and `needs` is not met for it
 *   silent       neither found nor ruled out
 *
 * What a page says of a capture must rest on this capture alone. So each case of a page that compares nothing is asked again
 * with all its facts copied to another capture, and fails where that changes the answer.
 */
#ifndef STORDX_DIAGNOSE_CASES_H
#define STORDX_DIAGNOSE_CASES_H

#include "page.h"

/*
 * Runs all cases of all pages. Each case that fails, or cannot be read, adds one line to `log`: "file:line: name: what came
 * instead\n". *passed and *failed (may be NULL) get the counts. Returns the number of failed cases.
 */
size_t cases_run(Arena *a, const Pages *pages, StrBuf *log, size_t *passed, size_t *failed);

#endif
