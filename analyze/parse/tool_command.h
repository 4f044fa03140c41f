/*
 * tool_command.h - options and operands of a sampling tool's command line
 */
#ifndef STORDX_PARSE_TOOL_COMMAND_H
#define STORDX_PARSE_TOOL_COMMAND_H

#include "../base/str.h"

typedef struct ToolCommand {
    bool known;        /* the command line names the tool */
    char flags[64];    /* every letter of the single-dash options, NUL-terminated */
    double interval_s; /* first operand that is a number; NAN without one */
    double count;      /* second one; NAN without one */
    Str operands[8];   /* other operands: devices, pools */
    size_t operand_count;
} ToolCommand;

/*
 * Finds `tool` (and, if sub is not NULL, the word after it, e.g. zpool iostat) in a command line and reads what follows.
 * with_value: option letters that take an argument of their own ("TfjopnG"). Views point into command.
 */
ToolCommand tool_command(Str command, const char *tool, const char *sub, const char *with_value);
bool tool_flag(const ToolCommand *c, char letter);

#endif
