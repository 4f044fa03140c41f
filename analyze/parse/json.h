/*
 * json.h - JSON documents of tools: read safely, numbers kept whole
 *
 * cJSON holds numbers as doubles, so integers of more than 15 digits (pool guids, EUI-64, NVMe counters) would come out
 * rounded. json_read() turns them into strings before cJSON sees them; json_number() and json_text() hide the difference.
 */
#ifndef STORDX_PARSE_JSON_H
#define STORDX_PARSE_JSON_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <cjson/cJSON.h>

enum {
    JSON_MAX_BYTES = 64 * 1024 * 1024, /* of one document */
    JSON_MAX_VALUES = 2 * 1000 * 1000, /* a cJSON value costs about 80 bytes */
    JSON_EXACT_DIGITS = 15             /* integers with more digits become strings */
};

/*
 * Reads one document. The tree lives until scratch is reset (cJSON_Delete is hung on the arena); text behind the document is
 * ignored. NULL and *err (one line) on a syntax error or when a limit is exceeded.
 */
cJSON *json_read(Arena *scratch, Str text, Error *err);

/* Cuts the next {...} or [...] off *text, also when other words stand before it. The result is STR_NONE when there is none
   left; a document that is cut off comes out as it is (json_read() then says so). */
Str json_next(Str *text);

/* Does text, blanks aside, start like a JSON document? */
bool json_looks(Str text);

/* The text of a string value; STR_NONE (p == NULL) for anything else. */
Str json_text(const cJSON *value);

/* A number, also one written as a string ("12", "0x1f", "1234567890123456789"), or a truth value as 0 or 1. false leaves *out
   alone. Integers above 2^53 are rounded here; take json_text() where every digit counts. */
bool json_number(const cJSON *value, double *out);
bool json_i64(const cJSON *value, int64_t *out);

/* Member of an object, case matters; NULL when absent or not an object. */
const cJSON *json_get(const cJSON *object, const char *key);

/* A value by JSON pointer below root ("/device/name", "/table/0/raw"); NULL when some step is missing. */
const cJSON *json_at(const cJSON *root, const char *pointer);

/* JSON pointers (RFC 6901) for Spot.path: parent with one more step. */
Str json_path(Arena *arena, Str parent, const char *key);
Str json_path_index(Arena *arena, Str parent, size_t index);

/* The value as text for evidence: strings as they are, numbers and truth values printed, containers as "". */
Str json_show(Arena *arena, const cJSON *value);
/* The same, but a container as JSON without blanks. */
Str json_print(Arena *arena, const cJSON *value);

#endif
