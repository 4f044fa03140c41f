/*
 * error.h - how failures travel
 *
 * Library code fills an Error and returns false; only the command line prints. fatal() is for what cannot be handed up:
 * memory is gone. Exit codes are the contract of the command line.
 */
#ifndef STORDX_BASE_ERROR_H
#define STORDX_BASE_ERROR_H

#include <stdbool.h>

enum ExitCode {
    EXIT_NOTHING_WRONG = 0, /* looked, nothing wrong in the evidence */
    EXIT_CAUSES = 1,        /* at least one cause found */
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3,
    EXIT_INSUFFICIENT = 4 /* too little evidence to say; never the same as healthy */
};

typedef struct Error {
    char text[512]; /* one line, fit to print as it is, without a newline */
} Error;

/* Writes the message and returns false, so that `return error_set(e, ...)` reads well. e may be NULL. */
bool error_set(Error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Called before fatal() prints, where it is set: whoever writes to the same terminal takes its line away. */
extern void (*before_fatal)(void);
/* Prints "stordx: ..." on standard error and exits with EXIT_UNREADABLE. */
_Noreturn void fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
