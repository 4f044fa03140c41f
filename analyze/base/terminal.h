/*
 * terminal.h - what the other end of a file descriptor can show
 */
#ifndef STORDX_BASE_TERMINAL_H
#define STORDX_BASE_TERMINAL_H

#include <stdbool.h>

/* A terminal that understands control sequences: $TERM is set and is not "dumb". */
bool terminal_is(int fd);
/* Its width: $COLUMNS where that is a number, else what the terminal says, else 80. */
int terminal_columns(int fd);

#endif
