/*
 * command.h - what the subcommands share
 *
 * Each subcommand is one file cmd_NAME.c with `int cmd_NAME(int argc, char **argv)`; argv[0] is its name. They return an
 * ExitCode. Bad usage is one line on standard error and EXIT_USAGE. Which options a command takes stands in the table `commands`
 * (command.c); --help is printed from it, and completions/ and man/ are tested against that.
 */
#ifndef STORDX_COMMAND_H
#define STORDX_COMMAND_H

#include "base/arena.h"
#include "base/error.h"
#include "diagnose/page.h"
#include "facts/facts.h"

#include "../reports/reports.h"

#include <stdio.h>

int cmd_analyze(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_facts(int argc, char **argv);
int cmd_sql(int argc, char **argv);
int cmd_identify(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_explain(int argc, char **argv);

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments; /* behind the name: "INPUT" */
    const char *what;      /* a sentence without its full stop */
    const char *options;   /* letters of those it takes (command.c); every one takes --help */
    const char *more;      /* lines before the options; may be NULL */
    const char *exits;     /* lines about its exit codes */
    const char *example;
} Command;

/* NULL when there is none of that name. */
const Command *command_named(const char *name);
/* The help of the program, and of one command: 24 lines of 80 columns at most. */
void help_of_program(FILE *out);
void help_of_command(FILE *out, const Command *c);
/* One line about a command that does not exist; returns EXIT_USAGE. */
int unknown_command(const char *name);

/* Options that several subcommands take. */
typedef struct Options {
    const char *command; /* argv[0] */
    const char *output, *format, *rules, *redact_key_file, *lang;
    bool brief, exit_zero, redact, verbose, quiet;
    enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour;
    int first;     /* index of the first argument that is no option */
    int exit_code; /* where options_parse() gave false */
} Options;

/* Parses the options of the command argv[0]. False when there is nothing left to do: --help was printed, or one line about a mistake;
   the exit code is in *out. */
bool options_parse(int argc, char **argv, Options *out);

/* One line "stordx COMMAND: ...; did you mean X?", without a suggestion (meant.p == NULL) where help is; returns EXIT_USAGE. */
int usage_error(const char *command, Str meant, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The rule, or with `symptoms` the rule or symptom, that the word is nearest to, for usage_error(). */
Str nearest_rule(const Pages *pages, const char *word, bool symptoms);

/* The format of --format, else that of the ending of --output, else text. False after one line when --format is none. */
bool choose_format(const Options *o, ReportFormat *format);
/* Chooses the language of --lang, else that of the environment; `for_machines`: English unless --lang was given, as what a program
   reads must not depend on who started it. False after one line when --lang is not spoken here. */
bool choose_language(const Options *o, bool for_machines);

/* "stordx: ..." and EXIT_UNREADABLE. */
int unreadable(const Error *err);

typedef struct Run {
    Arena *arena;
    Facts *facts;
    int64_t *bundles;
    size_t bundle_count;
} Run;

/* Reads the uploads and resolves their facts. On failure prints the error, returns false; run_end() is to be called either way. */
bool run_begin(Run *run, const Options *o, char **inputs, size_t count);
void run_end(Run *run);

/*
 * The key of --redact: the file's bytes without a line end, else $STORDX_REDACT_KEY, else a random one, which is printed on standard error
 * once (not with --quiet) and kept nowhere. STR_NONE after printing one line: a key of fewer than 16 bytes, a file that cannot be read, no
 * randomness. Lives until the process ends.
 */
Str redact_key(const Options *o);

/* Opens FILE for writing ("-" or NULL: standard output). NULL after printing the error; a file that run_begin() was given
   to read is refused. */
FILE *output_open(const char *path);
/* The same for a report: if it goes to a terminal, it is told to fit that (report_fit()). */
FILE *report_open(const Options *o);
/* Flushes and closes; false after printing the error (a full disk must not look like success). */
bool output_close(FILE *file, const char *path);

#endif
