/*
 * robocopy.c - copies that somebody made from a Windows client and what they took
 *
 * Reads   the report of robocopy, in English and German, with or without its list of files
 * Gives   benchmark(tool robocopy, rw and target seen from the server: read from the source, write to the destination where only
 *         that one is a share; then bytes, seconds, mb_s, label = how many files)
 * Sample  Windows 10
 *   |   ROBOCOPY     ::     Robust File Copy for Windows
 *   |   Source : \\nas\media\small\
 *   |     Dest : C:\test\
 *   |               Total    Copied   Skipped  Mismatch    FAILED    Extras
 *   |   Files :      1000      1000         0         0         0         0
 *   |   Bytes :   74.03 m   74.03 m         0         0         0         0
 *   |   Times :   0:00:09   0:00:09                       0:00:00   0:00:00
 *   |   Speed :             8221904 Bytes/sec.
 * Varies  words are translated ("Quelle", "Dateien", "Geschwindigkeit", "Bytes/Sek."); newer versions group the digits of Speed. Times of
 *         several threads (/MT) add up, so the duration is told by bytes and speed and not by them.
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

static bool banner(Str line) {
    return str_starts(str_trim(line), "ROBOCOPY ") && str_has(line, " :: ");
}

static bool rule(Str line) {
    Str t = str_trim(line);
    for (size_t i = 0; i < t.len; i++)
        if (t.p[i] != '-') return false;
    return t.len >= 40;
}

/* "   Source : \\nas\media\" and the like; value trimmed */
static bool pair(Str line, Str *key, Str *value) {
    size_t at = str_find(line, " : ");
    if (at == SIZE_MAX || at > 20) return false;
    *key = str_trim(str_sub(line, 0, at));
    *value = str_trim(str_from(line, at + 3));
    static const char *const keys[] = {"Started", "Source",    "Dest",    "Files",           "Options",
                                       "Dirs",    "Bytes",     "Times",   "Speed",           "Ended",
                                       "Quelle",  "Ziel",      "Dateien", "Optionen",        "Verzeich.",
                                       "Zeiten",  "Gestartet", "Beendet", "Geschwindigkeit", "Geschwindigk."};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(*key, keys[i])) return true;
    return false;
}

static bool table_head(Str line) {
    return (str_has(line, " Total ") && str_has(line, " Copied ")) ||
           (str_has(line, " Insgesamt ") && str_has(line, "Kopiert"));
}

/* "	    New File  		   75234	name" and "  0%", "100%": the list that comes with it */
static bool progress(Str line) {
    Str t = str_trim(line);
    return str_starts(t, "New File") || str_starts(t, "New Dir") || str_starts(t, "Neue Datei") ||
           str_starts(t, "Neues Verz") || (t.len >= 2 && t.len <= 5 && t.p[t.len - 1] == '%' && ch_digit(t.p[0]));
}

/* "PS C:\\> robocopy ...": the next run in the same window */
static bool prompt(Str line) {
    return (str_starts(line, "PS ") || str_has(line, ":\\")) && str_has(line, "> robocopy ");
}

static bool starts(Str line) {
    return banner(line);
}

static bool continues(Str line) {
    Str key, value;
    return !str_trim(line).len || banner(line) || rule(line) || pair(line, &key, &value) || table_head(line) ||
           progress(line) || prompt(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    (void)command;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len || rule(line)) continue;
        return banner(line) ? 40 : 0;
    }
    return 0;
}

/* "74.03 m   74.03 m ...": the second figure, copied */
static double copied(Str value) {
    Str w;
    double figure = NAN;
    for (int seen = 0; seen < 2 && (w = str_word(&value)).len;) {
        double d;
        if (!str_double(w, &d)) return NAN;
        Str rest = value, unit = str_word(&rest);
        double times = str_is(unit, "k")   ? 1024.0
                       : str_is(unit, "m") ? 1048576.0
                       : str_is(unit, "g") ? 1073741824.0
                                           : 1;
        if (times > 1) value = rest;
        figure = d * times;
        seen++;
    }
    return figure;
}

static bool share(Str path) {
    return str_starts(path, "\\\\");
}

typedef struct Copy {
    Str source, dest;
    double files, bytes;
} Copy;

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, key, value;
    Copy c = {STR_NONE, STR_NONE, NAN, NAN};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len || rule(line) || table_head(line) || progress(line) || prompt(line)) continue;
        if (banner(line)) {
            ctx->rows++;
            c = (Copy){STR_NONE, STR_NONE, NAN, NAN};
        } else if (pair(line, &key, &value)) {
            uint64_t speed;
            ctx->rows++;
            if (str_is(key, "Source") || str_is(key, "Quelle")) c.source = arena_str(ctx->scratch, value);
            else if (str_is(key, "Dest") || str_is(key, "Ziel")) c.dest = arena_str(ctx->scratch, value);
            else if ((str_is(key, "Files") || str_is(key, "Dateien")) && value.len && ch_digit(value.p[0]))
                c.files = copied(value);
            else if (str_is(key, "Bytes")) c.bytes = copied(value);
            else if (str_has(value, " Bytes/") && dev_grouped(value, &speed) && speed > 0 && c.source.len) {
                Row r = ctx_row(ctx, "benchmark", at);
                row_text(&r, "tool", STR("robocopy"));
                bool up = share(c.dest) && !share(c.source); /* from the drive of the client to the share */
                row_text(&r, "target", up ? c.dest : c.source);
                row_text(&r, "rw", up ? STR("write") : STR("read"));
                if (isfinite(c.files))
                    row_text(&r, "label", arena_strf(ctx->scratch, "%.0f file%s", c.files, c.files == 1 ? "" : "s"));
                row_real(&r, "bytes", c.bytes);
                row_real(&r, "seconds", c.bytes / (double)speed);
                row_real(&r, "mb_s", (double)speed / 1e6);
                row_text(&r, "measures",
                         share(c.source) || up ? STR("a copy over the network, file by file")
                                               : STR("a copy, file by file"));
                row_done(&r);
            }
        } else {
            parse_note(ctx, at, "not a line of robocopy: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_robocopy = {.name = "robocopy",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "robocopy \\\\SERVER\\SHARE C:\\TEMP /E /NFL /NDL"};
