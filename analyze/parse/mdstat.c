/*
 * mdstat.c - the state of Linux software RAID as the kernel prints it
 *
 * Reads   /proc/mdstat of kernels 2.4 to 6.x; whole, without its blank lines, or its "md" lines alone
 * Gives   raid_array per array (level, state, members, what it synchronises), edges member -> array, setting of members (state,
 *         slot) and arrays (metadata, chunk, layout, bitmap, speed of a synchronisation); view kernel
 * Sample  kernel 6.1, a failed member being replaced
 *   | Personalities : [raid1] [raid6] [raid5] [raid4]
 *   | md0 : active raid5 sde1[4] sdd1[3] sdc1[2](F) sdb1[1] sda1[0]
 *   |       5860147200 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/3] [UU_U]
 *   |       [==>..................]  recovery = 12.6% (246789012/1953382400) finish=123.4min speed=230100K/sec
 *   |       bitmap: 3/15 pages [12KB], 65536KB chunk
 *   |
 *   | unused devices: <none>
 * Varies  0.90 metadata prints no "super"; raid0, linear and containers no [n/m]; an inactive array has no level and lists all it
 *         found as spares; behind the figures come a progress line, "resync=DELAYED", PENDING or REMOTE, a bitmap line, all or none,
 *         in either order; blocks and speed are KiB; old kernels print "read_ahead" and no unused devices
 */
#include "parser.h"

#include <math.h>

enum { MAX_MEMBERS = 2000 };

typedef struct Array {
    bool open;
    Ref ref;
    Str name, level, state; /* in scratch */
    Spot at;                /* the line with [n/m], else the first */
    int members, faulty, spare, journal;
    bool active, degraded;
    double raid_disks, active_disks, sync_pct;
    const char *sync_action;
} Array;

typedef struct State {
    ParseCtx *ctx;
    Array array;
    bool unused; /* "unused devices:" was seen: what follows is no array's */
} State;

/* ---------------------------------------------------------------- lines */

static bool state_word(Str w) {
    return str_is(w, "active") || str_is(w, "inactive") || str_is(w, "broken");
}

/* "md0 : active raid1 sdb1[1]": *name, and what stands behind the colon. */
static bool array_line(Str line, Str *name, Str *rest) {
    Str s = str_trim_right(line);
    *name = str_word(&s);
    if (!name->len || name->len > 64 || !(str_starts(*name, "md") || str_find_ch(*name, '_') != SIZE_MAX)) return false;
    if (!str_is(str_word(&s), ":")) return false;
    *rest = s;
    return state_word(str_word(&s));
}

static bool blocks_line(Str line) {
    Str s = str_trim(line);
    uint64_t v;
    return str_u64(str_word(&s), &v) && str_is(str_word(&s), "blocks");
}

static const char *sync_word(Str w) {
    static const char *const words[] = {"resync", "recovery", "reshape", "check", "repair"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(w, words[i])) return words[i];
    return NULL;
}

/* "[==>...]  recovery = 12.6% (...)" or "resync=DELAYED": the action and what stands behind its '='. */
static const char *progress_line(Str line, Str *rest) {
    Str s = str_trim(line);
    if (s.len && s.p[0] == '[') {
        size_t end = str_find_ch(s, ']');
        if (end == SIZE_MAX ||
            !(str_has(str_sub(s, 0, end), "=") || str_has(str_sub(s, 0, end), ">") || str_has(str_sub(s, 0, end), ".")))
            return NULL;
        s = str_trim_left(str_from(s, end + 1));
    }
    size_t eq = str_find_ch(s, '=');
    if (eq == SIZE_MAX) return NULL;
    *rest = str_trim(str_from(s, eq + 1));
    return sync_word(str_trim(str_sub(s, 0, eq)));
}

static bool personalities(Str line) {
    return str_starts(line, "Personalities :");
}

static bool unused_line(Str line) {
    return str_starts(line, "unused devices:");
}

static int mdstat_bid(Str path, Str command, Str head) {
    int evidence = 0, foreign = 0;
    Str name, rest;
    for (int n = 0; n < 30 && head.len; n++) {
        Str line = head_line(&head);
        Str word = str_trim(line);
        if (!word.len) continue;
        if (personalities(line)) evidence += 20;
        else if (array_line(line, &name, &rest)) evidence += 16;
        else if (unused_line(line)) evidence += evidence ? 8 : 0;
        else if (blocks_line(line) || progress_line(line, &rest) || str_starts(word, "bitmap:") ||
                 str_starts(word, "[raid") || str_starts(word, "read_ahead "))
            continue;
        else if (!str_has(line, "/proc/mdstat") && !evidence && ++foreign > 1) return 0;
        if (evidence >= 44) break;
    }
    if (!evidence) return 0;
    return evidence + (path_has(path, "mdstat") || str_has(command, "mdstat") ? 6 : 0);
}

static bool mdstat_starts(Str line) {
    Str name, rest;
    return personalities(line) || (array_line(line, &name, &rest) && str_starts(name, "md"));
}

static bool mdstat_continues(Str line) {
    Str name, rest, word = str_trim(line);
    return !word.len || personalities(line) || unused_line(line) || array_line(line, &name, &rest) ||
           blocks_line(line) || progress_line(line, &rest) || str_starts(word, "bitmap:") ||
           str_starts(word, "[raid") || str_starts(word, "[linear]") || str_starts(word, "[multipath]") ||
           str_starts(word, "read_ahead ");
}

/* ---------------------------------------------------------------- arrays */

static void close_array(State *s) {
    Array *a = &s->array;
    ParseCtx *ctx = s->ctx;
    if (!a->open) return;
    a->open = false;
    bool counted = !isnan(a->raid_disks);
    StrBuf state;
    sb_init(&state, ctx->scratch);
    sb_add(&state, a->state);
    /* md's own word is "active" with and without all members */
    if (counted && a->active_disks < a->raid_disks) sb_addz(&state, ", degraded");
    /* raid0 and linear print no counts: they run with all their members or not at all */
    bool striped = str_is(a->level, "raid0") || str_is(a->level, "linear");
    if (!counted && striped && a->active) {
        a->raid_disks = a->members;
        a->active_disks = a->members - a->faulty;
    }
    Row r = ctx_row(ctx, "raid_array", a->at);
    row_ref(&r, "node", a->ref);
    row_text(&r, "name", a->name);
    row_text(&r, "kind", STR("md"));
    row_text(&r, "level", a->level.len ? a->level : STR_NONE);
    row_text(&r, "state", sb_str(&state));
    if (!isnan(a->raid_disks)) {
        row_int(&r, "raid_disks", i64_of(a->raid_disks));
        row_int(&r, "active_disks", i64_of(a->active_disks));
    }
    row_int(&r, "failed_disks", a->faulty);
    /* members of an inactive array and of a container are all marked (S); they are no spares */
    if (a->active) row_int(&r, "spare_disks", a->spare);
    if (a->sync_action) row_text(&r, "sync_action", str_of(a->sync_action));
    else if (a->active && counted) row_text(&r, "sync_action", STR("idle"));
    row_real(&r, "sync_pct", a->sync_pct);
    row_done(&r);
}

static Spot keep(State *s, Spot at) {
    at.text = arena_str(s->ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    return at;
}

/* "sdb1[1](W)(F)" */
static void member(State *s, Str word, Spot at) {
    Array *a = &s->array;
    ParseCtx *ctx = s->ctx;
    size_t open = str_find_ch(word, '['), end = str_find_ch(word, ']');
    int64_t slot;
    if (!open || open == SIZE_MAX || end == SIZE_MAX || end < open ||
        !str_i64(str_sub(word, open + 1, end - open - 1), &slot)) {
        parse_note(ctx, at, "not a member of an array: \"%.*s\"", STR_ARG(str_sub(word, 0, 80)));
        return;
    }
    if (++a->members > MAX_MEMBERS) {
        if (a->members == MAX_MEMBERS + 1) parse_note(ctx, at, "more than %d members", MAX_MEMBERS);
        return;
    }
    bool faulty = false, spare = false, journal = false, mostly = false, replacement = false;
    for (Str flags = str_from(word, end + 1); flags.len >= 3; flags = str_from(flags, 3)) {
        if (flags.p[0] != '(' || flags.p[2] != ')') break;
        switch (flags.p[1]) {
        case 'F': faulty = true; break;
        case 'S': spare = true; break;
        case 'J': journal = true; break;
        case 'W': mostly = true; break;
        case 'R': replacement = true; break;
        default:
            parse_note(ctx, at, "unknown mark (%c) of a member",
                       flags.p[1] >= ' ' && flags.p[1] < 127 ? flags.p[1] : '?');
        }
    }
    a->faulty += faulty;
    a->spare += spare && !faulty;
    a->journal += journal;
    Ref ref = ctx_ref(ctx, REF_DISK, str_sub(word, 0, open));
    facts_edge(ctx->facts, ctx->src, ref, a->ref, at);
    const char *state = faulty        ? journal ? "faulty journal" : "faulty"
                        : !a->active  ? "not assembled"
                        : spare       ? "spare"
                        : journal     ? "journal"
                        : replacement ? "replacement"
                                      : "in use";
    ctx_setting(ctx, ref, "md_member_state", str_of(state), "kernel", at);
    ctx_setting_int(ctx, ref, "md_member_number", slot, "kernel", at);
    if (mostly) ctx_setting(ctx, ref, "md_member_flags", STR("write-mostly"), "kernel", at);
}

static void open_array(State *s, Str name, Str rest, Spot at) {
    ParseCtx *ctx = s->ctx;
    Array *a = &s->array;
    close_array(s);
    ctx->rows++;
    *a = (Array){.open = true, .raid_disks = NAN, .active_disks = NAN, .sync_pct = NAN};
    a->at = keep(s, at);
    a->name = arena_str(ctx->scratch, name);
    Ref array = ctx_ref(ctx, REF_ARRAY, name);
    a->ref = array;
    if (str_starts(name, "md")) { /* lsblk, mounts and diskstats know it as a disk, the kernel log as an array */
        a->ref = ctx_ref(ctx, REF_DISK, name);
        facts_same(ctx->facts, ctx->src, a->ref, array, "mdstat", at);
    }
    Str word = str_word(&rest);
    a->active = str_is(word, "active");
    StrBuf state;
    sb_init(&state, ctx->scratch);
    sb_add(&state, word);
    bool level_next = true;
    while ((word = str_word(&rest)).len) {
        if (word.p[0] == '(' && word.p[word.len - 1] == ')') {
            sb_addz(&state, ", ");
            sb_add(&state, str_sub(word, 1, word.len - 2));
        } else if (level_next && str_find_ch(word, '[') == SIZE_MAX) {
            a->level = arena_str(ctx->scratch, word);
            level_next = false;
        } else {
            member(s, word, at);
        }
    }
    a->state = sb_str(&state);
}

/* "[4/3]": configured and working members. */
static bool counts(Str w, double *n, double *m) {
    if (w.len < 5 || w.p[0] != '[' || w.p[w.len - 1] != ']') return false;
    Str in = str_sub(w, 1, w.len - 2);
    size_t slash = str_find_ch(in, '/');
    uint64_t a, b;
    if (slash == SIZE_MAX || !str_u64(str_sub(in, 0, slash), &a) || !str_u64(str_from(in, slash + 1), &b) ||
        a > 100000 || b > 100000)
        return false;
    *n = (double)a;
    *m = (double)b;
    return true;
}

static void blocks(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Array *a = &s->array;
    Str rest = str_trim(line), w;
    uint64_t kib = 0;
    str_u64(str_word(&rest), &kib);
    if (kib < (uint64_t)1 << 52) ctx_setting_int(ctx, a->ref, "size_bytes", (int64_t)(kib * 1024), "kernel", at);
    str_word(&rest);
    Str before = STR_NONE, layout = STR_NONE;
    bool metadata = false;
    while ((w = str_word(&rest)).len) {
        double v;
        Str value;
        if (str_is(before, "super")) {
            metadata = true;
            if ((value = str_after(w, "external:")).p) {
                Str container = value;
                ctx_setting(ctx, a->ref, "md_metadata", STR("external"), "kernel", at);
                if (container.len && container.p[0] == '/') { /* a volume in a container: /md127/0 */
                    container = str_from(container, 1);
                    container = str_cut(&container, '/');
                    ctx_setting(ctx, a->ref, "md_container", container, "kernel", at);
                } else if (container.len) {
                    if (str_has(container, "<")) container = str_sub(container, 0, str_find_ch(container, '<'));
                    ctx_setting(ctx, a->ref, "md_external", container, "kernel", at);
                    if (!a->level.len) a->level = STR("container");
                }
            } else {
                ctx_setting(ctx, a->ref, "md_metadata", w, "kernel", at);
            }
        } else if (counts(w, &a->raid_disks, &a->active_disks)) {
            a->at = keep(s, at);
        } else if (str_starts(w, "chunk") && before.len && str_scaled(before, 1024, &v)) {
            ctx_setting_real(ctx, a->ref, "md_chunk_bytes", v, "kernel", at);
        } else if (str_ends(w, "-copies") || str_is(before, "algorithm")) {
            size_t comma = str_find_ch(w, ',');
            Str text = str_sub(w, 0, comma);
            layout = arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(before), STR_ARG(text));
        } else if (w.len > 2 && w.p[0] == '[' && str_find_ch(w, '_') != SIZE_MAX) {
            ctx_setting(ctx, a->ref, "md_member_map", w, "kernel", at);
        }
        before = w;
    }
    if (!metadata) ctx_setting(ctx, a->ref, "md_metadata", STR("0.90"), "kernel", at); /* md prints no version for it */
    if (layout.len) ctx_setting(ctx, a->ref, "md_layout", layout, "kernel", at);
}

static void progress(State *s, const char *action, Str rest, Spot at) {
    ParseCtx *ctx = s->ctx;
    Array *a = &s->array;
    a->sync_action = action;
    Str first = str_word(&rest), value;
    double v;
    if (str_is(first, "DELAYED") || str_is(first, "PENDING") || str_is(first, "REMOTE")) {
        ctx_setting(ctx, a->ref, "md_sync_waits", first, "kernel", at);
        return;
    }
    if (first.len && first.p[first.len - 1] == '%') first.len--;
    if (str_double(first, &v) && v <= 100) a->sync_pct = v;
    else parse_note(ctx, at, "no percentage in \"%.*s\"", STR_ARG(str_sub(str_trim(at.text), 0, 80)));
    Str w;
    while ((w = str_word(&rest)).len) {
        if ((value = str_after(w, "finish=")).p && str_ends(value, "min") &&
            str_double(str_sub(value, 0, value.len - 3), &v))
            ctx_setting_real(ctx, a->ref, "md_sync_finish_s", v * 60, "kernel", at);
        if ((value = str_after(w, "speed=")).p && str_ends(value, "K/sec") &&
            str_double(str_sub(value, 0, value.len - 5), &v))
            ctx_setting_real(ctx, a->ref, "md_sync_bytes_s", v * 1024, "kernel", at);
    }
}

/* "bitmap: 3/15 pages [12KB], 65536KB chunk[, file: PATH]" */
static void bitmap(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Array *a = &s->array;
    Str rest = line, before = STR_NONE, w;
    double v;
    bool file = str_has(line, "file:");
    ctx_setting(ctx, a->ref, "md_bitmap", file ? STR("file") : STR("internal"), "kernel", at);
    while ((w = str_word(&rest)).len) {
        if (str_starts(w, "chunk") && str_ends(before, "KB") && str_double(str_sub(before, 0, before.len - 2), &v))
            ctx_setting_real(ctx, a->ref, "md_bitmap_chunk_bytes", v * 1024, "kernel", at);
        before = w;
    }
}

static ParseResult mdstat_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    bool said = false, head = false, names = false;
    Str line, name, rest;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str word = str_trim(line);
        const char *action;
        if (!word.len) continue;
        if (personalities(line)) {
            head = names = true;
        } else if (unused_line(line)) {
            close_array(s);
        } else if (array_line(line, &name, &rest)) {
            names = false;
            open_array(s, name, rest, at);
        } else if (names && word.p[0] == '[' && word.p[word.len - 1] == ']') {
            continue; /* the list of personalities was wrapped */
        } else if (str_starts(word, "read_ahead ") || str_has(line, "/proc/mdstat")) {
            continue;
        } else if (!s->array.open) {
            parse_note(ctx, at, "not a line of mdstat: \"%.*s\"", STR_ARG(str_sub(word, 0, 80)));
        } else if (blocks_line(line)) {
            blocks(s, line, at);
        } else if ((action = progress_line(line, &rest))) {
            progress(s, action, rest, at);
        } else if (str_starts(word, "bitmap:")) {
            bitmap(s, word, at);
            said = str_ends(word, "file:");
            continue;
        } else if (!(said && word.p[0] == '/')) { /* the path of a bitmap file, wrapped */
            parse_note(ctx, at, "not a line of mdstat: \"%.*s\"", STR_ARG(str_sub(word, 0, 80)));
        }
        said = false;
    }
    close_array(s);
    if (head && !ctx->rows && !ctx->bad_rows) return PARSE_NOTHING;
    return parse_result(ctx);
}

const Parser parser_mdstat = {
    .name = "mdstat",
    .bid = mdstat_bid,
    .starts = mdstat_starts,
    .continues = mdstat_continues,
    .parse = mdstat_parse,
    .ask = "cat /proc/mdstat",
};
