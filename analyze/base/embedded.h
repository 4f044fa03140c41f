/*
 * The files that are built into the program: rule pages, signatures, model knowledge, the schema and the report's style.
 *
 * The table is generated from the files of the source tree by analyze/tools/embed.c (see "embedded.c" in the Makefile),
 * so a new page or signature file is part of the next build without an edit anywhere.
 */
#ifndef STORDX_BASE_EMBEDDED_H
#define STORDX_BASE_EMBEDDED_H

#include <stddef.h>

/*
 * One embedded file, byte for byte as it was at build time; static storage, never freed, never changed.
 *
 * path: relative to the root of the source tree, '/' between its parts, such as "rules/drive/drive-write-cache-off.md".
 * data: len bytes followed by one 0 byte that len does not count, so that text can go to an interface that wants a
 *       C string. Never NULL, also for an empty file.
 */
typedef struct EmbeddedFile {
    const char *path;
    const unsigned char *data;
    size_t len;
} EmbeddedFile;

/* All embedded files, sorted by path as strcmp() orders them; entries 0 to embedded_file_count - 1. */
extern const EmbeddedFile embedded_files[];
extern const size_t embedded_file_count;

/* The file with exactly this path (NUL terminated), or NULL where there is none. */
const EmbeddedFile *embedded_find(const char *path);

#endif
