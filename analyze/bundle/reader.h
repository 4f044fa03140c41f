/*
 * reader.h - bytes of a member as lines, with a look ahead
 */
#ifndef STORDX_BUNDLE_READER_H
#define STORDX_BUNDLE_READER_H

#include "../base/error.h"
#include "../base/str.h"

#include <sys/types.h>

/* Where bytes come from: a file, standard input, an entry of an archive. read() gives the number of bytes, 0 at the end,
   -1 on an error that is described in err. */
typedef struct ByteSource {
    ssize_t (*read)(struct ByteSource *s, char *buf, size_t size, Error *err);
} ByteSource;

/* A source that first gives `head` (not copied) and then what `rest` has. */
typedef struct HeadSource {
    ByteSource src;
    Str head;
    ByteSource *rest;
} HeadSource;
void head_source(HeadSource *h, Str head, ByteSource *rest);

/* Numbers of lines, where they are not 1, 2, 3: of a cleaned text, whose lines were joined and split. */
typedef struct LineMap {
    const int64_t *numbers;
    const int64_t *ends; /* of joined lines, the last of their numbers */
    const bool *marks;   /* lines that no output reaches across */
    size_t count;
} LineMap;

typedef struct LineReader {
    ByteSource *from;
    char *buf;
    size_t cap, at, len; /* unread bytes are buf[at .. len) */
    bool eof;
    bool utf16, utf16_be;
    unsigned char odd; /* half of a UTF-16 unit, waiting for the other */
    bool have_odd;
    uint32_t high;      /* high surrogate, waiting for the low one */
    int64_t line;       /* number of the line given last */
    int64_t line_end;   /* of a joined line, the last of its numbers; else the same */
    const LineMap *map; /* NULL: lines are numbered as they come */
    size_t given;       /* lines so far */
    bool cut;           /* it was longer than the limit */
    uint64_t bytes;
    Error err; /* text is empty while all is well; a read error ends the member early and is kept here */
} LineReader;

/* Byte order marks are dropped and UTF-16 (by its mark) becomes UTF-8. reader_close() gives the buffer back. */
void reader_open(LineReader *r, ByteSource *from);
void reader_close(LineReader *r);

/* Up to `want` unread bytes without consuming them (fewer at the end of the member). */
Str reader_peek(LineReader *r, size_t want);

/* Next line without LF or CR LF, valid until the next call on the reader; false at the end. A line over
   INPUT_MAX_LINE comes cut, its rest is skipped and r->cut is set. */
bool reader_line(LineReader *r, Str *line);

/* Gives back the line given last, which was not cut; before any other call on the reader. */
void reader_unread(LineReader *r, Str line);

/* Number of the line that reader_line() would give next. */
int64_t reader_next_number(const LineReader *r);

/* Is that line marked in the map? */
bool reader_marked(const LineReader *r);

/* The line that reader_line() would give next, k = 0, or k lines further on, as far as the look ahead of 64 KB reaches;
   false when there is none. The reader does not move. */
bool reader_peek_line(LineReader *r, unsigned k, Str *line);

#endif
