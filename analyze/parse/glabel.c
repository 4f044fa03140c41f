/*
 * glabel.c - the names FreeBSD's GEOM gives to disks and partitions besides the kernel's
 *
 * Reads   glabel status, with -s
 * Gives   names that mean one device: gptid/UUID, gpt/LABEL, diskid/DISK-SERIAL, label/NAME
 * Sample  FreeBSD 13
 *   |                                      Name  Status  Components
 *   |                              gpt/gptboot0     N/A  ada0p1
 *   |gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1     N/A  ada0p2
 *   |               diskid/DISK-WD-EXAMPLE0001     N/A  ada1
 * Varies  -s leaves the heading out; gmirror and gmultipath print the same heading over other names. A label vanishes from the list
 *         while its device is open by another name, so an absent name says nothing.
 */
#include "device_text.h"
#include "parser.h"

static bool heading(Str line) {
    Str words[4];
    return str_words(line, words, 4) == 3 && str_is(words[0], "Name") && str_is(words[1], "Status") &&
           str_is(words[2], "Components");
}

static bool row(Str line, Str *name, Str *component) {
    static const char *const folders[] = {"gptid/",  "gpt/",  "diskid/",  "label/",   "ufs/",     "ufsid/",
                                          "ext2fs/", "ntfs/", "msdosfs/", "iso9660/", "reiserfs/"};
    Str words[4];
    if (str_words(line, words, 4) != 3) return false;
    *name = words[0];
    *component = words[2];
    if (!str_is(words[1], "N/A") || !dev_is_name(*component)) return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (str_starts(*name, folders[i]) && name->len > strlen(folders[i])) return true;
    return false;
}

static bool starts(Str line) {
    Str name, component;
    return heading(line) || row(line, &name, &component);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    int rows = 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head), name, component;
        if (!str_trim(line).len || heading(line)) continue;
        if (!row(line, &name, &component)) return 0;
        rows++;
    }
    return rows ? command_is(command, "glabel") ? 38 : 30 : 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, name, component;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len || heading(line)) continue;
        if (!row(line, &name, &component)) {
            parse_note(ctx, at, "not a row of glabel: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        Ref disk = ctx_ref(ctx, REF_DISK, component);
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, name), disk, "glabel", at);
    }
    return parse_result(ctx);
}

const Parser parser_glabel = {
    .name = "glabel", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "glabel status"};
