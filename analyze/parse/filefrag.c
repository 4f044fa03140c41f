/*
 * filefrag.c - how many pieces a file lies in, and whether it is copied on write
 *
 * Reads   filefrag (also -v), lsattr
 * Gives   table file_layout; which file system a path is on is known only when all mounts were read (view file_place)
 * Sample  e2fsprogs 1.47
 *   |/vm/disk.qcow2: 45231 extents found
 *   |---------------C------ /vm/disk.qcow2
 * Varies  the number of letters of lsattr grew with the versions; paths that are relative cannot be placed
 * Source  e2fsprogs misc/filefrag.c, lib/e2p/pf.c
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

/* "PATH: 1 extent found", "PATH: 45231 extents found, perfection would be 3 extents" */
static bool extents_line(Str line, Str *path, double *extents) {
    size_t found = str_find(line, " found"), colon;
    if (found == SIZE_MAX) return false;
    Str before = str_sub(line, 0, found);
    if (!str_ends(before, " extents") && !str_ends(before, " extent")) return false;
    colon = str_rfind_ch(before, ':');
    if (colon == SIZE_MAX || colon + 2 >= before.len || !ch_digit(before.p[colon + 2])) return false;
    *path = str_sub(before, 0, colon);
    return path->len > 0 && dev_leading_number(str_from(before, colon + 2), extents);
}

/* "---------------C------ /vm/disk.qcow2" */
static bool attributes_line(Str line, Str *path, bool *nocow) {
    Str rest = line, letters = str_word(&rest);
    size_t dashes = 0;
    *nocow = false;
    if (letters.len < 13 || letters.len > 32) return false;
    for (size_t i = 0; i < letters.len; i++) {
        if (letters.p[i] == '-') dashes++;
        else if (!ch_alpha(letters.p[i])) return false;
        if (letters.p[i] == 'C') *nocow = true;
    }
    *path = str_trim(rest);
    return dashes >= 8 && dashes < letters.len + 1 && path->len && (path->p[0] == '/' || path->p[0] == '.');
}

static bool verbose(Str line) {
    Str s = str_trim(line);
    return str_starts(s, "Filesystem type is: ") || (str_starts(s, "File size of ") && str_has(s, " block")) ||
           (str_starts(s, "ext: ") && str_has(s, "logical_offset")) ||
           (s.len && ch_digit(s.p[0]) && str_has(s, "..") && str_find_ch(s, ':') < 8);
}

static bool starts(Str line) {
    Str path, s = str_trim_right(line);
    double n;
    bool c;
    return extents_line(s, &path, &n) || (attributes_line(s, &path, &c) && s.p[0] == '-') ||
           str_starts(s, "Filesystem type is: ");
}

static bool continues(Str line) {
    Str path;
    bool c;
    return !str_trim(line).len || starts(line) || verbose(line) || attributes_line(str_trim_right(line), &path, &c);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "filefrag") || command_is(command, "lsattr") ? 8
               : path_has(path, "filefrag")                                     ? 6
                                                                                : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head)), file;
        bool c;
        if (!line.len) continue;
        if (starts(line)) return 20 + bits;
        return attributes_line(line, &file, &c) ? 16 + bits : 0;
    }
    return 0;
}

/* lsattr -R may list millions; which file system each lies on is asked of all mounts. */
enum { MAX_FILES = 2000 };

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, path;
    int files = 0;
    double extents;
    bool nocow;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim_right(line);
        if (!s.len) continue;
        bool counted = extents_line(s, &path, &extents), letters = !counted && attributes_line(s, &path, &nocow);
        if (!counted && !letters) {
            if (verbose(s)) ctx->rows++;
            else parse_note(ctx, at, "line of filefrag or lsattr not understood");
            continue;
        }
        ctx->rows++;
        if (files == MAX_FILES) {
            if (ctx->bad_rows == 0) parse_note(ctx, at, "more than %d files: the rest was left out", MAX_FILES);
            continue;
        }
        files++;
        Row r = ctx_row(ctx, "file_layout", at);
        row_text(&r, "path", path);
        if (counted) row_int(&r, "extents", (int64_t)(extents < 9e15 ? extents : 9e15));
        else row_int(&r, "nocow", nocow);
        row_done(&r);
    }
    return parse_result(ctx);
}

const Parser parser_filefrag = {.name = "filefrag",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "filefrag FILE; lsattr FILE"};
