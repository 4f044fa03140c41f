/*
 * framing.h - one text may hold many outputs: find where each begins and ends
 *
 * The framer knows containers (prompts, code fences, `==> file <==` headings, JSON brackets), and asks the parser registry
 * for everything that needs to know a tool.
 */
#ifndef STORDX_BUNDLE_FRAMING_H
#define STORDX_BUNDLE_FRAMING_H

#include "../facts/facts.h"
#include "bundle.h"
#include "reader.h"

typedef struct Member {
    Facts *facts;
    Arena *arena, *scratch; /* scratch is reset after each piece */
    int64_t bundle, capture;
    Str path;    /* in the upload */
    Str command; /* from a manifest, may be empty */
    bool
        own_file; /* a member of an archive or directory: usually one tool's output from end to end. A line nobody knows then
                      stays with its piece and becomes a note; in a paste it ends the piece */
    const BundleWatch *watch; /* may be NULL */
} Member;

/* Reads the member to its end. Every byte is accounted for by a source row. */
void frame_member(Member *m, LineReader *r);

/* A prompt with a command behind it ("root@pi:~# dmesg -T", "$ sudo iostat -x"): gives the command, or p == NULL. */
Str frame_prompt(Str line);

#endif
