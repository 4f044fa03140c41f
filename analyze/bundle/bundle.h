/*
 * bundle.h - from an upload to pieces, each given to the parser that recognises it
 *
 * An upload is an archive (anything libarchive reads, also inside another), a directory, a single file or standard input.
 * Nothing is extracted to disk: members stream. A member is cut into pieces (framing.h), each piece becomes a row of
 * `source`, and what was not read, and why, becomes one too.
 */
#ifndef STORDX_BUNDLE_BUNDLE_H
#define STORDX_BUNDLE_BUNDLE_H

#include "../facts/facts.h"

/* Limits on hostile input; exceeding one is said in a source row, and what was read so far counts. */
enum {
    BUNDLE_MAX_MEMBERS = 200 * 1000,
    BUNDLE_MAX_DEPTH = 3,              /* archives in archives */
    BUNDLE_MAX_FOLDERS = 64,           /* nesting of folders */
    BUNDLE_MAX_7Z = 512 * 1024 * 1024, /* packed bytes of an archive that has to be held */
    BUNDLE_HEAD = 16 * 1024            /* bytes a bid gets to see */
};
#define BUNDLE_MAX_BYTES ((uint64_t)256 << 30) /* unpacked, of the whole upload */

/*
 * Reads one upload into the fact database. input: a path, or "-" for standard input. *bundle gets its row id. false only
 * when nothing could be read at all (no such file, no permission); a broken archive gives what could be read and a source
 * row that says where it ended.
 */
bool bundle_read(Facts *f, const char *input, int64_t *bundle, Error *err);

/* Told what is being read, for whoever waits. Names are bytes of the upload. Any of these may be NULL. */
typedef struct BundleWatch {
    void (*member)(void *arg, Str member);     /* it begins */
    void (*tool)(void *arg, const char *tool); /* a part of it is this parser's */
    void (*bytes)(void *arg, size_t bytes);    /* so many more were unpacked */
    void (*member_end)(void *arg, Str member,
                       uint64_t bytes); /* its rows in `source` are written, also of what was skipped */
    void *arg;
} BundleWatch;

/* The same, telling `watch`, which may be NULL. */
bool bundle_read_watched(Facts *f, const char *input, const BundleWatch *watch, int64_t *bundle, Error *err);

#endif
