/*
 * glabel.c - the names FreeBSD's GEOM gives to disks and partitions besides the kernel's
 *
 * Reads   glabel status, with -s; gmirror status, graid status, graid3, gstripe and gconcat status: the same table
 * Gives   names that mean one device: gptid/UUID, gpt/LABEL, diskid/DISK-SERIAL, label/NAME; of arrays raid_array (kind gmirror, graid,
 *         ...; state, components, progress) and edges component -> array
 * Sample  FreeBSD 13
 *   |                                      Name  Status  Components
 *   |                              gpt/gptboot0     N/A  ada0p1
 *   |gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1     N/A  ada0p2
 *   |               diskid/DISK-WD-EXAMPLE0001     N/A  ada1
 * Sample  gmirror status, FreeBSD 13
 *   |       Name    Status  Components
 *   |mirror/gm0  DEGRADED  ada0p3 (ACTIVE)
 *   |                      ada1p3 (SYNCHRONIZING, 12%)
 * Varies  -s leaves the heading out and prints an array once per component. A label vanishes from the list while its device is open by
 *         another name, so an absent name says nothing. Old versions print a component without its state. A component that is gone has no
 *         line, and how many there should be is not said: it stays unknown.
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

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

static const struct {
    const char *folder, *kind, *level;
} classes[] = {{"mirror/", "gmirror", "raid1"},
               {"raid/", "graid", NULL},
               {"raid3/", "graid3", "raid3"},
               {"stripe/", "gstripe", "raid0"},
               {"concat/", "gconcat", NULL}};
enum { CLASSES = sizeof classes / sizeof *classes };

static int class_of(Str name) {
    for (int i = 0; i < CLASSES; i++)
        if (str_starts(name, classes[i].folder) && name.len > strlen(classes[i].folder)) return i;
    return -1;
}

/* "ada0p3 (ACTIVE)", "ada1p3 (SYNCHRONIZING, 12%)", "ada1" */
static bool component(Str s, Str *disk, Str *state) {
    Str rest = str_trim(s);
    *disk = str_word(&rest);
    rest = str_trim(rest);
    *state = STR_NONE;
    if (!dev_is_name(*disk) && str_find_ch(*disk, '/') == SIZE_MAX) return false;
    if (!rest.len) return true;
    if (rest.p[0] != '(' || rest.p[rest.len - 1] != ')') return false;
    *state = str_sub(rest, 1, rest.len - 2);
    return true;
}

static bool array_row(Str line, Str *name, Str *status, Str *disk, Str *state) {
    Str rest = str_trim(line);
    *name = str_word(&rest);
    *status = str_word(&rest);
    static const char *const states[] = {"COMPLETE",   "DEGRADED",   "OPTIMAL", "UP",    "REBUILD",
                                         "REBUILDING", "SUBOPTIMAL", "FAILED",  "DOWN",  "STARTING",
                                         "BROKEN",     "ROTATING",   "RESYNC",  "VERIFY"};
    bool known = false;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) known |= str_is(*status, states[i]);
    return class_of(*name) >= 0 && known && component(rest, disk, state);
}

static bool more(Str line, Str *disk, Str *state) {
    return line.len > 8 && str_starts(line, "        ") && component(line, disk, state);
}

static bool starts(Str line) {
    Str name, on, status, state;
    return heading(line) || row(line, &name, &on) || array_row(line, &name, &status, &on, &state);
}

static bool continues(Str line) {
    Str disk, state;
    return !str_trim(line).len || starts(line) || more(str_trim_right(line), &disk, &state);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    int rows = 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head), name, on, status, state;
        if (!str_trim(line).len || heading(line)) continue;
        if (rows && more(str_trim_right(line), &on, &state)) continue;
        if (!row(line, &name, &on) && !array_row(line, &name, &status, &on, &state)) return 0;
        rows++;
    }
    return rows ? command_is(command, "glabel") || command_is(command, "gmirror") || command_is(command, "graid") ? 38
                                                                                                                  : 30
                : 0;
}

typedef struct Array {
    Ref ref;
    int class;
    Str name, status;
    Spot at;
    int active, failed, spare;
    double pct;
} Array;

static void done(ParseCtx *ctx, Array *a) {
    if (!a->ref) return;
    Row r = ctx_row(ctx, "raid_array", a->at);
    row_ref(&r, "node", a->ref);
    row_text(&r, "name", a->name);
    row_text(&r, "kind", str_of(classes[a->class].kind));
    if (classes[a->class].level) row_text(&r, "level", str_of(classes[a->class].level));
    row_text(&r, "state", a->status);
    row_int(&r, "active_disks", a->active);
    row_int(&r, "failed_disks", a->failed);
    row_int(&r, "spare_disks", a->spare);
    if (!isnan(a->pct)) row_text(&r, "sync_action", STR("recover"));
    row_real(&r, "sync_pct", a->pct);
    row_done(&r);
    a->ref = 0;
}

static void member(ParseCtx *ctx, Array *a, Str disk, Str state, Spot at) {
    ctx->rows++;
    facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, disk), a->ref, at);
    size_t percent = str_find_ch(state, '%');
    double pct;
    if (percent != SIZE_MAX) {
        size_t from = percent;
        while (from > 0 && (ch_digit(state.p[from - 1]) || state.p[from - 1] == '.')) from--;
        if (str_double(str_sub(state, from, percent - from), &pct)) a->pct = pct;
    } else if (str_starts(state, "SPARE")) a->spare++;
    else if (str_starts(state, "STALE") || str_starts(state, "FAILED") || str_starts(state, "DISCONNECTED"))
        a->failed++;
    else a->active++;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Array a = {.pct = NAN};
    Str line, name, on, status, state;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len || heading(line)) continue;
        if (row(line, &name, &on)) {
            ctx->rows++;
            Ref disk = ctx_ref(ctx, REF_DISK, on);
            facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, name), disk, "glabel", at);
        } else if (array_row(line, &name, &status, &on, &state)) {
            if (!a.ref || !str_eq(a.name, name)) {
                done(ctx, &a);
                at.text = arena_str(ctx->scratch, at.text);
                a = (Array){.class = class_of(name), .name = arena_str(ctx->scratch, name), .at = at, .pct = NAN};
                a.status = arena_str(ctx->scratch, status);
                a.ref = ctx_ref(ctx, REF_ARRAY, name);
            }
            member(ctx, &a, on, state, at);
        } else if (a.ref && more(line, &on, &state)) {
            member(ctx, &a, on, state, at);
        } else {
            parse_note(ctx, at, "not a row of glabel: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    done(ctx, &a);
    return parse_result(ctx);
}

const Parser parser_glabel = {.name = "glabel",
                              .bid = bid,
                              .starts = starts,
                              .continues = continues,
                              .parse = parse,
                              .ask = "glabel status; gmirror status"};
