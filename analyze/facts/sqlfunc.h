/*
 * sqlfunc.h - SQL functions that rule pages and people with an exported fact database use
 *
 *     median(x)         of the numbers among x; the mean of the two middle ones when their count is even
 *     percentile(x, p)  p from 0 to 100, by linear interpolation between closest ranks; p must be the same in every row
 *     mad(x)            median absolute deviation from the median, unscaled (times 1.4826: comparable to sigma)
 *     wwn(x)            a World Wide Name, EUI-64, NGUID or UUID as 16 or 32 lower-case hex digits, however a tool wrote it
 *     first_line(src, line)  the line that goes with min(src); the smallest where there are several. min(line) may be another file's
 *     cite(src, line)   {"src":S,"line":L}, a piece of evidence; JSON to json_group_array() and the like
 *     fmt(format, ...)  printf() of SQLite, but NULL where a value is NULL: printf() makes 0 of it, and unknown is never 0
 *     counted(n, word)  "1 line", "3 lines"; counted(n, word, plural) where an s at the end does not do; NULL where n is NULL
 *
 * The aggregates of numbers pass over NULL and what is no number, and give NULL when nothing is left. sqlfunc.c compiled alone with
 * -DSTORDX_SQLITE_EXTENSION is a loadable extension: `.load ./stordx_sql` in the sqlite3 shell.
 */
#ifndef STORDX_FACTS_SQLFUNC_H
#define STORDX_FACTS_SQLFUNC_H

#include <stdbool.h>
#include <stddef.h>

#ifndef STORDX_SQLITE_EXTENSION
#include "../base/error.h"

#include <sqlite3.h>

/* Adds the functions to a connection. */
bool sqlfunc_register(sqlite3 *db, Error *err);
#endif

enum { WWN_SIZE = 33, WWN_TOKEN = 12 }; /* 32 digits and the end; length of a token */

/* "WWN-e2d6ee41", "EUI-a782ec83": what redaction puts in place of a name. It is an identity like the name was. */
bool wwn_is_token(const char *text, size_t len);

/*
 * Normalises the name in text[0..len): upper case, the blanks and colons between parts, and the prefixes wwn-, nvme-, scsi-,
 * naa., eui., uuid., 0x and the type digit of udev's and multipath's 3500... go away. Returns the number of digits, 16 or
 * 32, in out (NUL terminated), or 0 when it is no such name or one that identifies nothing (all digits 0, or all f). NAA
 * formats: T10 SPC-4 7.8.6; EUI-64, NGUID and UUID: NVM Express base specification, identify namespace. The token of a redacted
 * name stays as it is (WWN_TOKEN), behind the same prefixes.
 */
size_t wwn_normalize(const char *text, size_t len, char out[WWN_SIZE]);

#endif
