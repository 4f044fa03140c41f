/*
 * process_io.h - the table process_io, in bounded memory
 *
 * A capture of an hour lists hundreds of processes a second. What a reader needs is who moved most: of each piece the rows
 * with the most bytes (or, without bytes, the longest wait) are kept, the rest is counted and said.
 */
#ifndef STORDX_PARSE_PROCESS_IO_H
#define STORDX_PARSE_PROCESS_IO_H

#include "parser.h"

enum { PROCESS_IO_ROWS = 1000, PROCESS_IO_COMMAND = 120, PROCESS_IO_LINE = 240 };

typedef struct ProcessRow {
    double t_s;                         /* seconds since 1970, NAN unknown */
    int64_t pid;                        /* FACT_NULL unknown */
    Str command;                        /* copied, at most PROCESS_IO_COMMAND bytes */
    double read_bytes_s, write_bytes_s; /* NAN unknown */
    double io_wait_pct;                 /* NAN unknown */
} ProcessRow;

typedef struct ProcessIo ProcessIo;

/* Lives in ctx->scratch; tool is a literal. */
ProcessIo *process_io_new(ParseCtx *ctx, const char *tool);
/* One row; rows without any I/O and wait are only counted. Does not count ctx->rows. */
void process_io_add(ProcessIo *p, const ProcessRow *row, Spot at);
/* Writes the rows in the order of their lines, and a note of what was left out. */
void process_io_done(ProcessIo *p);

#endif
