/*
 * statements.h - what the reader says of a suspect that nobody could check
 *
 * "CPU and network look fine" rules nothing out. But who reads "not checked: the processor" wants to know that the writer has
 * an opinion, and that it is one. So the pages of such suspects list the words that people use for them (`words:`), and lines of
 * table `statement` that hold one are quoted with the entry.
 */
#ifndef STORDX_DIAGNOSE_STATEMENTS_H
#define STORDX_DIAGNOSE_STATEMENTS_H

#include "../facts/facts.h"
#include "diagnosis.h"

enum { STATEMENTS_QUOTED = 3 }; /* per entry: more opinions are no better */

/* Does the text hold the word? Whole words, upper and lower case alike in Latin, Greek and Cyrillic; "netzwerk*" also begins a longer one.
   A word of a script that sets no blanks is found anywhere. The text may be any bytes. */
bool statement_holds(Str text, Str word);

/* The lines of this capture's upload that hold one of the words: those of the capture first, then in the order of the upload. */
void statements_about(Facts *f, Arena *a, int64_t capture, const Str *words, size_t count, EvidenceList *out);

#endif
