/*
 * registry.h - the list of parsers
 */
#ifndef STORDX_PARSE_REGISTRY_H
#define STORDX_PARSE_REGISTRY_H

#include "parser.h"

extern const Parser *const parsers[];
extern const size_t parser_count;

/* Highest bid; the earlier in parsers.def wins a tie. NULL when nobody bids; *bid is then 0. */
const Parser *registry_best(Str path, Str command, Str head, int *bid);

/* A parser other than `except` whose starts() claims the line, NULL if none does. */
const Parser *registry_starts(Str line, const Parser *except);

/* Is this the name of a parser (as `needs:` spells it)? */
const Parser *registry_find(Str name);

/* The parser whose tool the command line runs, or whose tool a member is named after: for outputs that are no output. NULL
   when neither says. */
const Parser *registry_by_command(Str path, Str command);

/* The words of a failed command ("command not found", "Permission denied", "timed out"), when text is nothing but
   such words; STR_NONE otherwise. A failed command leaves them in the file that is named after it. */
Str registry_failure(Str text);

#endif
