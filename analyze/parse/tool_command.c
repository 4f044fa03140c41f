#include "tool_command.h"

#include <math.h>

ToolCommand tool_command(Str command, const char *tool, const char *sub, const char *with_value) {
    ToolCommand c = {.interval_s = NAN, .count = NAN};
    Str word;
    for (;;) {
        word = str_word(&command);
        if (!word.len) return c;
        if (!str_is(str_basename(word), tool)) continue;
        if (!sub) break;
        Str rest = command;
        if (str_is(str_word(&rest), sub)) {
            command = rest;
            break;
        }
    }
    c.known = true;
    size_t flags = 0;
    bool value = false; /* the next word belongs to the option before it */
    while ((word = str_word(&command)).len) {
        char first = word.p[0];
        if (first == '|' || first == '>' || first == ';' || first == '&' || first == '#') break;
        if (value) {
            value = false;
            continue;
        }
        if (first == '-' && word.len > 1) {
            if (word.p[1] == '-') continue;
            for (size_t i = 1; i < word.len; i++) {
                if (flags + 1 < sizeof c.flags) c.flags[flags++] = word.p[i];
                if (strchr(with_value, word.p[i])) {
                    value = i + 1 == word.len; /* -Td holds its value itself */
                    break;
                }
            }
            continue;
        }
        double v;
        if (ch_digit(first) && str_double(word, &v)) {
            if (isnan(c.interval_s)) c.interval_s = v;
            else if (isnan(c.count)) c.count = v;
            continue;
        }
        if (c.operand_count < sizeof c.operands / sizeof *c.operands) c.operands[c.operand_count++] = word;
    }
    if (!(c.interval_s > 0)) c.interval_s = NAN;
    return c;
}

bool tool_flag(const ToolCommand *c, char letter) {
    return letter && strchr(c->flags, letter) != NULL;
}
