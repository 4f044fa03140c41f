/*
 * progress.h - what is going on, on standard error
 *
 * On a terminal one line that is rewritten in place, PROGRESS_HZ times a second at most, from half a second after the start; it is gone
 * before anything else is printed. With `verbose` one plain line for each member that was read, wherever standard error goes. There is one
 * progress at a time.
 */
#ifndef STORDX_PROGRESS_H
#define STORDX_PROGRESS_H

#include "bundle/bundle.h"
#include "facts/facts.h"

enum { PROGRESS_HZ = 5 };

/* `line`: show that line, if standard error is a terminal. */
void progress_begin(Facts *f, bool verbose, bool line);
/* For bundle_read_watched(). */
const BundleWatch *progress_watch(void);
/* The uploads were read; `what` is done from now on: "putting the facts together". A string of ours. */
void progress_phase(const char *what);
/* Takes the line away. Harmless when there is none; the next progress_phase() may bring it back. */
void progress_hide(void);
/* The database will be closed. */
void progress_end(void);

#endif
