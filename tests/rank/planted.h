/*
 * planted.h - labelled uploads made from short descriptions: a healthy host with a fault planted in it, or a paste
 *
 * A file of tests/rank/cases holds many of them. A description is its head and then edits, in order:
 *
 *   case: crc-one-cable                   name, unique
 *   about: one cable drops bits           what is so, in a sentence
 *   source: libata, SError; a post ...    the documented case that the label is taken from
 *   base: hosts/nas                       a stage of ../../fixtures: FIXTURE/STAGE is fixtures/FIXTURE/bundle-STAGE; "-": nothing
 *   expect: stage=- top=... subject=...   the label, as in fixtures/README.md; "top=none": nothing may be blamed;
 *                                         "top=ID|ID": documents call this trouble by either name
 *
 *   at GLOB          the files that the marks below change
 *   - GLOB           every line that matches, blanks at its end left aside, is taken out; the lines "+" after it stand in its place
 *   > GLOB           the lines "+" go behind the first line that matches
 *   < GLOB           ... before it
 *   + TEXT           a line; with none of the marks before it: at the end of the file
 *   ~ OLD => NEW     text for text, everywhere in these files
 *   = ROW NAME=VALUE ...   in tables with a head line of names (iostat): the column of every row that begins with ROW; "#3": the
 *                    third word. VALUE is a number, "LOW..HIGH" (spread over the rows, the same each time), "*F" (times F) or
 *                    other text; decimals as they stood
 *   new FILE         a file that is not there yet, filled by "+"
 *   drop GLOB        takes files out
 *
 * A mark that changes nothing is an error: a fault that was not planted would be looked for in vain.
 * '#' begins a comment line. Globs: * ? [..].
 */
#ifndef STORDX_TESTS_RANK_PLANTED_H
#define STORDX_TESTS_RANK_PLANTED_H

#include "../../analyze/base/arena.h"
#include "../../analyze/base/error.h"

typedef struct Planted {
    const char *where; /* FILE:LINE of its description */
    Str name, about, source, base, expect;
    Str edits;   /* the rest of the description */
    size_t line; /* its first line */
} Planted;
typedef struct PlantedList {
    Planted *items;
    size_t count, cap;
} PlantedList;

typedef struct PlantedFile {
    Str path, text;
} PlantedFile;
typedef struct PlantedFiles {
    PlantedFile *items;
    size_t count, cap;
} PlantedFiles;

/* A whole file. */
bool planted_text(Arena *a, const char *path, Str *text, Error *err);

/* Reads the descriptions of a file, in the arena. Appends to *list; false and an error with file and line on a broken one. */
bool planted_read(Arena *a, const char *path, PlantedList *list, Error *err);

/* The files of its upload. fixtures: the folder of the bases. */
bool planted_make(Arena *a, const Planted *p, const char *fixtures, PlantedFiles *files, Error *err);

/* The files below a folder, sorted. */
bool planted_folder(Arena *a, const char *folder, PlantedFiles *files, Error *err);

/* Writes them below `folder`, which must not exist; the path to give to the analyzer: the folder, or the only file of it. */
const char *planted_write(Arena *a, const PlantedFiles *files, const char *folder, Error *err);

/* Removes the folder with all that is in it. */
void planted_remove(Arena *a, const char *folder);

#endif
