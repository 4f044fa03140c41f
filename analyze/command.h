/*
 * command.h - what the subcommands share
 *
 * Each subcommand is one file cmd_NAME.c with `int cmd_NAME(int argc, char **argv)`; argv[0] is its name. They return an
 * ExitCode. Bad usage is one line on standard error and EXIT_USAGE.
 */
#ifndef STORDX_COMMAND_H
#define STORDX_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "diagnose/page.h"
#include "facts/facts.h"

#include <stdio.h>

int cmd_analyze(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_facts(int argc, char **argv);
int cmd_sql(int argc, char **argv);
int cmd_identify(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_explain(int argc, char **argv);

/* Options that several subcommands take. */
typedef struct Options {
    const char *output, *format, *rules, *redact_key_file, *lang;
    bool brief, exit_zero, redact;
    int first; /* index of the first argument that is no option */
} Options;

/* Parses options; `allowed` names those this command takes: o (-o FILE), f (--format), b (--brief), r (--rules), z
   (--exit-zero), d (--redact, --redact-key-file), l (--lang). On a mistake prints one line and returns false. */
bool options_parse(int argc, char **argv, const char *allowed, const char *usage, Options *out);

/* One line "stordx COMMAND: ..." with the usage behind it; returns EXIT_USAGE. */
int usage_error(const char *command, const char *usage, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Chooses the language of --lang, else that of the environment; `for_machines`: English unless --lang was given, as what a program
   reads must not depend on who started it. False after one line when --lang is not spoken here. */
bool choose_language(const char *command, const char *usage, const Options *o, bool for_machines);

/* "stordx: ..." and EXIT_UNREADABLE. */
int unreadable(const Error *err);

typedef struct Run {
    Arena *arena;
    Facts *facts;
    int64_t *bundles;
    size_t bundle_count;
} Run;

/* Reads the uploads and resolves their facts. On failure prints the error, returns false; run_end() is to be called either way. */
bool run_begin(Run *run, char **inputs, size_t count);
void run_end(Run *run);

/*
 * The key of --redact: the file's bytes without a line end, else $STORDX_REDACT_KEY, else a random one, which is printed on standard error
 * once and kept nowhere. STR_NONE after printing one line: a key of fewer than 16 bytes, a file that cannot be read, no randomness. Lives until
 * the process ends.
 */
Str redact_key(const Options *o);

/* Opens FILE for writing ("-" or NULL: standard output). NULL after printing the error; a file that run_begin() was given
   to read is refused. */
FILE *output_open(const char *path);
/* Flushes and closes; false after printing the error (a full disk must not look like success). */
bool output_close(FILE *file, const char *path);

#endif
