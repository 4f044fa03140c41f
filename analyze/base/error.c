#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool error_set(Error *e, const char *fmt, ...) {
    if (e) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(e->text, sizeof e->text, fmt, ap);
        va_end(ap);
    }
    return false;
}

void (*before_fatal)(void);

_Noreturn void fatal(const char *fmt, ...) {
    va_list ap;
    if (before_fatal) before_fatal();
    va_start(ap, fmt);
    fputs("stordx: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(EXIT_UNREADABLE);
}
