/*
 * device_test.h - tests that the parsers of drives, controllers and the host have in common
 */
#ifndef STORDX_TESTS_DEVICE_TEST_H
#define STORDX_TESTS_DEVICE_TEST_H

#include "parse_test.h"

/* One fact of one text: the first column of sql has to be want. path and command may be NULL. */
typedef struct DeviceCase {
    const char *name, *path, *command, *text, *sql, *want;
} DeviceCase;

/* Values of all settings of all things as "name key=value view line", in order of writing. */
#define ALL_SETTINGS                                                                                                   \
    "SELECT group_concat(name||' '||key||'='||value||' '||view||' '||line, '; ') FROM (SELECT r.name, s.key, "         \
    "s.value, s.view, s.line FROM setting s"                                                                           \
    " JOIN ref r ON r.id = s.node ORDER BY s.rowid)"
#define SETTING_OF(name_, key_)                                                                                        \
    "SELECT value FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = '" name_ "' AND key = '" key_              \
    "' ORDER BY s.rowid LIMIT 1"
#define ALL_SAME                                                                                                       \
    "SELECT group_concat(x, '; ') FROM (SELECT a.kind||':'||a.name||'='||b.kind||':'||b.name AS x FROM same_as s "     \
    "JOIN ref a ON a.id = s.a JOIN ref b ON b.id = s.b ORDER BY s.rowid)"
#define ALL_EDGES                                                                                                      \
    "SELECT group_concat(x, '; ') FROM (SELECT a.kind||':'||a.name||'>'||b.kind||':'||b.name AS x FROM edge s JOIN "   \
    "ref a ON a.id = s.parent JOIN ref b ON b.id = s.child ORDER BY s.rowid)"

/* Each case: parsed without a bad row, and the fact is right. */
void device_values(const Parser *parser, const DeviceCase *cases, size_t count);

/* The parser bids on its samples in device_test.c and gives 0 for those of all other tools; the registry gives each sample to its
   tool. Lines of a sample are claimed by continues(), the first by starts() (where `opens`). */
void device_bids(const Parser *parser);
void device_framing(const Parser *parser);

/* Every beginning of every text is parsed without harm, also with bytes changed. */
void device_damage(const Parser *parser, const DeviceCase *cases, size_t count);

/* Garbage rows become notes: result PARSE_PARTIAL, that many bad rows, and the rest is still read. */
void device_notes(const Parser *parser, const char *text, int bad_rows, const char *sql, const char *want);

/* Every file of a folder of the corpus is recognised, has rows and no bad row, or is an exception that says why. */
typedef struct CorpusException {
    const char *file, *why;
} CorpusException;
void device_corpus(const Parser *parser, const char *folder, const CorpusException *exceptions, size_t count);

#endif
