/*
 * dumpe2fs.c - what an ext superblock says of itself
 *
 * Reads   dumpe2fs -h, tune2fs -l
 * Gives   settings ext_state, ext_error_count, ext_first_error_s, ext_last_error_s, fs_uuid, fs_label of the device that the command
 *         names, else of the file system that was mounted there last
 * Sample  e2fsprogs 1.47
 *   |Filesystem volume name:   <none>
 *   |Last mounted on:          /srv
 *   |Filesystem state:         clean with errors
 *   |FS Error count:           5
 *   |Last error time:          Tue Jul  4 15:38:52 2017
 * Varies  the error lines are printed only where there are errors, so a whole superblock without them counts none
 * Source  e2fsprogs lib/e2p/ls.c list_super2()
 */
#include "../base/times.h"
#include "device_text.h"
#include "parser.h"
#include "scan.h"

static bool banner(Str line) {
    return (str_starts(line, "dumpe2fs 1.") || str_starts(line, "tune2fs 1.")) && str_find_ch(line, '(') != SIZE_MAX;
}

static bool starts(Str line) {
    return banner(line) || str_starts(line, "Filesystem volume name:   ");
}

/* The first word of every key of the list. */
static bool continues(Str line) {
    static const char *const first[] = {
        "Filesystem", "Last",      "First",    "Journal", "Default",   "Errors",   "Inode",    "Block",
        "Reserved",   "Overhead",  "Free",     "Cluster", "Clusters",  "Fragment", "Group",    "Blocks",
        "Fragments",  "Inodes",    "RAID",     "Flex",    "Mount",     "Maximum",  "Check",    "Next",
        "Checksum",   "Lifetime",  "Required", "Desired", "Directory", "FS",       "MMP",      "User",
        "Project",    "Character", "Orphan",   "Total",   "Max",       "Fast",     "Snapshot", "Log"};
    Str key, value, rest;
    if (!str_trim(line).len || starts(line)) return true;
    if (ch_blank(line.p[0]) || !dev_key_value(line, &key, &value) || key.len > 40) return false;
    rest = key;
    Str word = str_word(&rest);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (str_is(word, first[i])) return true;
    return false;
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "dumpe2fs") || command_is(command, "tune2fs") ? 8
               : path_has(path, "dumpe2fs") || path_has(path, "tune2fs")         ? 6
                                                                                 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        if (str_starts(line, "Filesystem volume name:   ")) return 32 + bits;
        if (!banner(line)) return 0;
    }
    return 0;
}

static void date_setting(ParseCtx *ctx, Ref node, const char *key, Str value, Spot at) {
    double t;
    bool zone = false;
    if (!time_parse(value, &t, &zone)) {
        parse_note(ctx, at, "no date: \"%.*s\"", STR_ARG(str_sub(value, 0, 60)));
        return;
    }
    ctx_setting_real(ctx, node, key, t, "drive", at); /* hours matter little: compared in days */
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, device = scan_device_in_command(ctx->command), label = STR_NONE, uuid = STR_NONE;
    Spot label_at = {0}, uuid_at = {0}, state_at = {0};
    if (!device.len) device = scan_device_in_path(ctx->path);
    Ref node = device.len ? scan_block_ref(ctx, device) : 0;
    bool counted = false, whole = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim_right(line), key, value;
        if (!s.len || banner(s)) continue;
        if (!continues(s) || !dev_key_value(s, &key, &value)) {
            parse_note(ctx, at, "line of dumpe2fs not understood");
            continue;
        }
        ctx->rows++;
        if (str_is(key, "Filesystem volume name")) {
            label = str_is(value, "<none>") ? STR_NONE : arena_str(ctx->scratch, value);
            label_at = scan_keep(ctx->scratch, at);
            continue;
        }
        if (str_is(key, "Last mounted on") && !node && str_starts(value, "/"))
            node = ctx_ref(ctx, REF_FILESYSTEM, value);
        if (str_is(key, "Filesystem UUID")) {
            uuid = arena_str(ctx->scratch, value);
            uuid_at = scan_keep(ctx->scratch, at);
            continue;
        }
        if (!node) node = str_is(key, "Last mounted on") ? ctx_ref(ctx, REF_HOST, STR("host")) : 0;
        if (!node) continue;
        if (str_is(key, "Filesystem state")) {
            ctx_setting(ctx, node, "ext_state", value, "drive", at);
            state_at = scan_keep(ctx->scratch, at);
        } else if (str_is(key, "FS Error count")) {
            uint64_t n;
            if (str_u64(value, &n) && n < INT64_MAX)
                ctx_setting_int(ctx, node, "ext_error_count", (int64_t)n, "drive", at);
            else parse_note(ctx, at, "no number of errors");
            counted = true;
        } else if (str_is(key, "First error time")) date_setting(ctx, node, "ext_first_error_s", value, at);
        else if (str_is(key, "Last error time")) date_setting(ctx, node, "ext_last_error_s", value, at);
        else if (str_is(key, "Journal backup") || str_starts(key, "Checksum") || str_is(key, "Journal features"))
            whole = true;
    }
    if (node && device.len) {
        if (uuid.len) ctx_setting(ctx, node, "fs_uuid", uuid, "drive", uuid_at);
        if (label.len) ctx_setting(ctx, node, "fs_label", label, "drive", label_at);
    }
    if (node && whole && !counted && state_at.line) ctx_setting_int(ctx, node, "ext_error_count", 0, "drive", state_at);
    return parse_result(ctx);
}

const Parser parser_dumpe2fs = {.name = "dumpe2fs",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "dumpe2fs -h /dev/sdXN"};
