/*
 * unwrap.h - lines that a console or a mail program broke, joined; lines that were run together, cut
 *
 * Only where a row cannot be read without it: kernel log, smartctl, zpool status, iostat, lsblk, lspci, mdstat, listings of
 * links. A line is joined to the one before when that one is as long as lines of its block get, is incomplete as a row of
 * its table, and what follows looks like the missing part; in doubt both stay as they are.
 */
#ifndef STORDX_BUNDLE_UNWRAP_H
#define STORDX_BUNDLE_UNWRAP_H

#include "paste.h"

/* Cuts run-on lines: a log at its stamps, smartctl and zpool status at their headings, labels and rows, listings of links. */
void unwrap_split(Arena *arena, PasteLines *v);

/* Joins wrapped lines. */
void unwrap_join(Arena *arena, PasteLines *v);

#endif
