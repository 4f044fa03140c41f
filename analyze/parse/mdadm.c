/*
 * mdadm.c - software RAID as mdadm tells it
 *
 * Reads   mdadm --examine-badblocks, --detail, --detail --export, --detail --scan and --examine --scan, --query, --examine of 0.90 and 1.x superblocks,
 *         DDF and Intel (imsm) containers and MBRs; several devices behind each other
 * Gives   raid_array (of --detail, scans and the volumes in a container), edges member -> array, setting of members and arrays (view
 *         kernel for --detail, drive for what a superblock says), names of arrays by UUID
 * Sample  mdadm 4.2 --detail
 *   | /dev/md0:
 *   |            Version : 1.2
 *   |      Creation Time : Sun Sep  5 23:19:18 2021
 *   |         Raid Level : raid1
 *   |       Raid Devices : 2
 *   |      Total Devices : 1
 *   |              State : clean, degraded
 *   |     Active Devices : 1
 *   |             Events : 1821
 *   |
 *   |     Number   Major   Minor   RaidDevice State
 *   |        0       8        1        0      active sync   /dev/sda1
 *   |        -       0        0        1      removed
 * Varies  widths and indents; containers have no counts and no "State" column; "Rebuild", "Resync", "Check" or "Reshape Status" only
 *         while it runs; a superblock's "Array State" is of the moment it was written: a member that was dropped still says AA, so
 *         it never counts as the state of the array; dates are local and carry no zone
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

enum { MAX_RANGES = 32 }; /* of a bad block list that are kept */

typedef enum Mode { MODE_NONE, MODE_DETAIL, MODE_EXAMINE } Mode;

typedef struct Volume { /* of a container */
    bool open;
    Str name, level, state, uuid;
    double raid_disks, active_disks;
    Spot at;
    const char *kind;
} Volume;

typedef struct State {
    ParseCtx *ctx;
    Mode mode;
    Str device; /* of the heading, without /dev/; in scratch */
    Ref ref, array;
    bool any; /* a section with something in it is open */
    Spot first, at;
    Str level, state, uuid, name, metadata;
    double raid_disks, active, failed, spare, sync_pct;
    const char *sync_action, *table;
    bool imsm;
    Volume volume;
    /* --detail --export */
    bool exported;
    Str export_name, export_role;
} State;

/* ---------------------------------------------------------------- lines */

/* "/dev/md0:", "/dev/sda1:" */
static bool heading(Str line, Str *device) {
    Str s = str_trim_right(line);
    if (!str_starts(s, "/dev/") || !str_ends(s, ":") || s.len < 7) return false;
    *device = str_sub(s, 5, s.len - 6);
    return str_find_ch(*device, ' ') == SIZE_MAX;
}

static bool md_name(Str s) {
    return str_starts(s, "md") && s.len > 2 && (ch_digit(s.p[2]) || s.p[2] == '/' || s.p[2] == '_');
}

/* "   Raid Level : raid1" */
static bool field(Str line, Str *key, Str *value) {
    size_t at = str_find(line, " :");
    if (at == SIZE_MAX || at > 40) return false;
    *key = str_trim(str_sub(line, 0, at));
    *value = str_trim(str_from(line, at + 2));
    return key->len > 0 && (ch_alpha(key->p[0]));
}

static const char *const telling[] = {
    "Raid Level",    "RAID Level",   "Raid Devices",   "Total Devices",   "Working Devices", "Active Devices",
    "Array UUID",    "Device Role",  "Container GUID", "Controller GUID", "MPB Sectors",     "Consistency Policy",
    "Creation Time", "Persistence",  "Array Size",     "Used Dev Size",   "MBR Magic",       "Orig Family",
    "Feature Map",   "Partition[0]", "Container",      "Avail Dev Size"};

static bool telling_key(Str key) {
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (str_is(key, telling[i])) return true;
    return false;
}

static bool magic(Str value) {
    return str_is(value, "a92b4efc") || str_is(value, "de11de11") || str_starts(value, "Intel Raid ISM");
}

static bool scan_line(Str line) {
    Str rest = str_after(line, "INACTIVE-ARRAY ");
    if (!rest.p) rest = str_after(line, "ARRAY ");
    return rest.p && (str_has(rest, "UUID=") || str_has(rest, "metadata=")) &&
           (rest.p[0] == '/' || str_starts(rest, "metadata="));
}

static bool export_line(Str line, Str *key, Str *value) {
    size_t eq = str_find_ch(line, '=');
    if (!str_starts(line, "MD_") || eq == SIZE_MAX) return false;
    *key = str_sub(line, 3, eq - 3);
    *value = str_trim(str_from(line, eq + 1));
    return true;
}

static bool export_known(Str key) {
    return str_is(key, "LEVEL") || str_is(key, "DEVICES") || str_is(key, "METADATA") || str_is(key, "UUID") ||
           str_is(key, "NAME") || str_is(key, "CONTAINER") || str_is(key, "MEMBER") || str_is(key, "DEVNAME") ||
           str_is(key, "RESHAPE_ACTIVE") || str_starts(key, "DEVICE_");
}

/* "/dev/md0: 931.51GiB raid1 2 devices, 0 spares. Use mdadm --detail for more detail." */
static bool query_line(Str line) {
    return str_starts(line, "/dev/") && str_has(line, "Use mdadm --");
}

/* "Bad-blocks on /dev/sdb1:", "Bad-blocks list is empty in /dev/sdb1", "No bad-blocks list configured on /dev/sdb1" */
static bool bad_blocks_line(Str line, Str *device) {
    Str s = str_trim(line);
    *device = str_after(s, "Bad-blocks on /dev/");
    if (device->p && str_ends(*device, ":")) {
        device->len--;
        return true;
    }
    if (!device->p) *device = str_after(s, "Bad-blocks list is empty in /dev/");
    if (!device->p) *device = str_after(s, "No bad-blocks list configured on /dev/");
    return device->p && device->len > 0;
}

/* "                3392 for 8 sectors" */
static bool bad_range(Str line, uint64_t *first, uint64_t *n) {
    Str s = str_trim(line);
    return ch_blank(line.len ? line.p[0] : 'x') && str_u64(str_word(&s), first) && str_is(str_word(&s), "for") &&
           str_u64(str_word(&s), n) && str_starts(str_word(&s), "sector");
}

static bool message(Str line) {
    return str_starts(line, "mdadm: ");
}

static bool member_header(Str line) {
    Str w = str_trim(line);
    if (!str_starts(w, "Number ")) return false;
    return str_has(w, "RaidDevice") || (str_has(w, "RefNo") && str_has(w, "Type/State"));
}

static int mdadm_bid(Str path, Str command, Str head) {
    if (path_has(path, "mdadm.conf")) return 0; /* what somebody wrote down, not what there is */
    int evidence = 0;
    Str key, value, device;
    for (int n = 0; n < 60 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (heading(line, &device)) evidence += md_name(device) && !evidence ? 8 : 0;
        else if (scan_line(line)) evidence += 24;
        else if (export_line(line, &key, &value)) evidence += export_known(key) ? 16 : 0;
        else if (query_line(line) || bad_blocks_line(line, &device)) evidence += 20;
        else if (message(line)) evidence += str_has(line, "No md superblock") ? 20 : 0;
        else if (field(line, &key, &value))
            evidence += str_is(key, "Magic") && magic(value) ? 24 : telling_key(key) ? 8 : 0;
        else if (evidence < 16 && !str_is(str_trim(line), "mdadm --detail --scan")) break;
        if (evidence >= 48) break;
    }
    if (evidence < 16) return 0;
    return evidence + (command_is(command, "mdadm") || path_has(path, "mdadm") ? 6 : 0);
}

static bool mdadm_starts(Str line) {
    Str device, key, value;
    return (heading(line, &device) && md_name(device)) || scan_line(line) || str_starts(line, "MD_LEVEL=") ||
           query_line(line) || bad_blocks_line(line, &device) || (message(line) && str_has(line, "No md superblock")) ||
           (export_line(line, &key, &value) && str_starts(key, "DEVICE_"));
}

static bool member_row(Str line) {
    Str w = str_trim(line), first = str_word(&w), second = str_word(&w);
    uint64_t v;
    return str_is(first, "this") || ((str_is(first, "-") || str_u64(first, &v)) &&
                                     (str_u64(second, &v) || (second.len == 8 && str_hex_u64(second, &v))));
}

static bool mdadm_continues(Str line) {
    Str device, key, value, w = str_trim(line);
    uint64_t first, n;
    return !w.len || bad_blocks_line(line, &device) || bad_range(line, &first, &n) || heading(line, &device) ||
           scan_line(line) || export_line(line, &key, &value) || query_line(line) || message(line) ||
           member_header(line) || (field(line, &key, &value) && ch_alpha(key.p[0])) ||
           (ch_blank(line.p[0]) && (w.p[0] == '(' || member_row(line))) || (w.p[0] == '[' && str_ends(w, "]:")) ||
           str_starts(w, "devices=/dev/") || str_starts(w, "devices=") || str_starts(w, "spares=") ||
           str_starts(w, "container=") || str_starts(w, "this ");
}

/* ---------------------------------------------------------------- facts */

static Str keep_text(State *s, Str text) {
    return arena_str(s->ctx->scratch, str_sub(text, 0, FACTS_LINE_CLIP));
}

/* DDF volumes have their level in capitals ("RAID1"), arrays in small letters. */
static Str level_text(State *s, Str level) {
    char *copy = arena_cstr(s->ctx->scratch, level);
    for (char *c = copy; *c; c++) *c = ch_lower(*c);
    return str_of(copy);
}

static Spot keep(State *s, Spot at) {
    at.text = keep_text(s, at.text);
    return at;
}

/* UUIDs are written as four groups everywhere, also by udev: md-uuid-245e1231:... is the same name in /dev/disk/by-id. */
static Str uuid_of(Str value) {
    Str u = str_word(&value);
    if (u.len != 35 || str_has(u, "00000000:00000000:00000000:00000000")) return STR_NONE;
    return u;
}

static Ref by_uuid(State *s, Str uuid) {
    return ctx_ref(s->ctx, REF_LINK, arena_strf(s->ctx->scratch, "md-uuid-%.*s", STR_ARG(uuid)));
}

static Ref disk(State *s, Str name) {
    return ctx_ref(s->ctx, REF_DISK, str_strip_dev(name));
}

/* The node of an array by its kernel name; the kernel log calls it an array, everybody else a disk. */
static Ref array_ref(State *s, Str name, Spot at) {
    name = str_strip_dev(name);
    Ref array = ctx_ref(s->ctx, REF_ARRAY, name);
    if (!md_name(name)) return array;
    Ref as_disk = disk(s, name);
    facts_same(s->ctx->facts, s->ctx->src, as_disk, array, "mdadm", at);
    return as_disk;
}

static void set(State *s, Ref ref, const char *key, Str value, Spot at) {
    ctx_setting(s->ctx, ref, key, value, s->mode == MODE_EXAMINE ? "drive" : "kernel", at);
}

static void close_volume(State *s) {
    Volume *v = &s->volume;
    if (!v->open) return;
    v->open = false;
    Ref ref = array_ref(s, v->name, v->at);
    if (v->uuid.len) facts_same(s->ctx->facts, s->ctx->src, ref, by_uuid(s, v->uuid), "mdadm", v->at);
    if (s->ref) facts_edge(s->ctx->facts, s->ctx->src, s->ref, ref, v->at);
    Row r = ctx_row(s->ctx, "raid_array", v->at);
    row_ref(&r, "node", ref);
    row_text(&r, "name", v->name);
    row_text(&r, "kind", str_of(v->kind));
    row_text(&r, "level", v->level.len ? v->level : STR_NONE);
    row_text(&r, "state", v->state.len ? v->state : STR_NONE);
    if (!isnan(v->raid_disks)) row_int(&r, "raid_disks", i64_of(v->raid_disks));
    if (!isnan(v->active_disks)) row_int(&r, "active_disks", i64_of(v->active_disks));
    row_done(&r);
}

static void open_volume(State *s, Str name, const char *kind, Spot at) {
    close_volume(s);
    s->volume = (Volume){.open = true,
                         .name = keep_text(s, name),
                         .at = keep(s, at),
                         .raid_disks = NAN,
                         .active_disks = NAN,
                         .kind = kind};
}

static void close_section(State *s) {
    ParseCtx *ctx = s->ctx;
    close_volume(s);
    if (s->any && s->mode == MODE_DETAIL) {
        Spot at = s->at.line ? s->at : s->first;
        Row r = ctx_row(ctx, "raid_array", at);
        row_ref(&r, "node", s->array);
        row_text(&r, "name", s->device.len ? s->device : STR_NONE);
        row_text(&r, "kind", STR("md"));
        row_text(&r, "level", s->level.len ? s->level : STR_NONE);
        row_text(&r, "state", s->state.len ? s->state : STR_NONE);
        if (!isnan(s->raid_disks)) row_int(&r, "raid_disks", i64_of(s->raid_disks));
        if (!isnan(s->active)) row_int(&r, "active_disks", i64_of(s->active));
        if (!isnan(s->failed)) row_int(&r, "failed_disks", i64_of(s->failed));
        if (!isnan(s->spare)) row_int(&r, "spare_disks", i64_of(s->spare));
        if (s->sync_action) row_text(&r, "sync_action", str_of(s->sync_action));
        else if (s->state.len && !s->exported && !str_is(s->state, "inactive"))
            row_text(&r, "sync_action", STR("idle"));
        row_real(&r, "sync_pct", s->sync_pct);
        row_done(&r);
    }
    State fresh = {.ctx = ctx, .raid_disks = NAN, .active = NAN, .failed = NAN, .spare = NAN, .sync_pct = NAN};
    *s = fresh;
}

static void begin_section(State *s, Str device, Spot at) {
    close_section(s);
    s->device = keep_text(s, device);
    s->first = keep(s, at);
}

static void need_device(State *s, Mode mode, Spot at) {
    ParseCtx *ctx = s->ctx;
    if (s->mode != MODE_NONE) return;
    s->mode = mode;
    s->any = true;
    if (!s->first.line) s->first = keep(s, at);
    if (!s->device.len) { /* the heading is gone: the command or the file's name knows it */
        Str command = ctx->command, w;
        while ((w = str_word(&command)).len)
            if (str_starts(w, "/dev/")) s->device = keep_text(s, str_from(w, 5));
        if (!s->device.len) {
            Str in_path = dev_in_path(ctx->path);
            if (in_path.len && md_name(in_path) == (mode == MODE_DETAIL)) s->device = keep_text(s, in_path);
        }
    }
    if (mode == MODE_DETAIL) {
        Str name = s->device.len ? s->device : arena_strf(ctx->scratch, "[array at line %lld]", (long long)at.line);
        s->array = array_ref(s, name, at);
    } else {
        s->ref =
            disk(s, s->device.len ? s->device : arena_strf(ctx->scratch, "[member at line %lld]", (long long)at.line));
    }
}

static bool whole(Str value, double *out) {
    uint64_t v;
    Str w = str_word(&value);
    if (!str_u64(w, &v) || v > 1000000) return false;
    *out = (double)v;
    return true;
}

static void size_kib(State *s, Ref ref, const char *key, Str value, Spot at) {
    uint64_t v;
    Str w = str_word(&value);
    if (str_u64(w, &v) && v < (uint64_t)1 << 50)
        ctx_setting_int(s->ctx, ref, key, (int64_t)(v * 1024), s->mode == MODE_EXAMINE ? "drive" : "kernel", at);
}

static void common_field(State *s, Ref ref, Str key, Str value, Spot at) {
    double v;
    if (str_is(key, "Chunk Size") || str_is(key, "Rounding")) {
        if (str_ends(value, " KiB"))
            value = arena_strf(s->ctx->scratch, "%.*sK", STR_ARG(str_sub(value, 0, value.len - 4)));
        if (str_scaled(value, 1024, &v)) set(s, ref, "md_chunk_bytes", arena_strf(s->ctx->scratch, "%.0f", v), at);
    } else if (str_is(key, "Layout")) {
        set(s, ref, "md_layout", value, at);
    } else if (str_is(key, "Version")) {
        set(s, ref, "md_metadata", value, at);
    } else if (str_is(key, "Name")) {
        set(s, ref, "md_name", str_trim(str_sub(value, 0, str_find(value, "  ("))), at);
    } else if (str_is(key, "Events")) {
        set(s, ref, "md_events", value, at);
    } else if (str_is(key, "Update Time")) {
        set(s, ref, "md_update_time", value, at);
    } else if (str_is(key, "Intent Bitmap")) {
        set(s, ref, "md_bitmap",
            str_is(value, "Internal") ? STR("internal")
            : str_is(value, "None")   ? STR("none")
                                      : STR("file"),
            at);
    } else if (str_is(key, "Internal Bitmap")) {
        set(s, ref, "md_bitmap", STR("internal"), at);
    } else if (str_is(key, "Consistency Policy")) {
        set(s, ref, "md_consistency_policy", value, at);
    }
}

static const char *action_of(Str key) {
    static const struct {
        const char *key, *action;
    } known[] = {{"Rebuild Status", "recovery"}, {"Recovery Status", "recovery"}, {"Resync Status", "resync"},
                 {"Check Status", "check"},      {"Reshape Status", "reshape"},   {"Repair Status", "repair"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(key, known[i].key)) return known[i].action;
    return NULL;
}

static void detail_field(State *s, Str key, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    double v;
    const char *action = action_of(key);
    if (str_is(key, "Raid Level")) {
        s->level = keep_text(s, value);
    } else if (str_is(key, "Raid Devices")) {
        if (whole(value, &v)) s->raid_disks = v;
    } else if (str_is(key, "Active Devices")) {
        if (whole(value, &v)) s->active = v;
    } else if (str_is(key, "Failed Devices")) {
        if (whole(value, &v)) s->failed = v;
    } else if (str_is(key, "Spare Devices")) {
        if (whole(value, &v)) s->spare = v;
    } else if (str_is(key, "State")) {
        s->state = keep_text(s, value);
        s->at = keep(s, at);
        ctx_setting(ctx, s->array, "md_state", value, "kernel", at);
        static const struct {
            const char *word, *action;
        } words[] = {{"recovering", "recovery"},
                     {"resyncing", "resync"},
                     {"checking", "check"},
                     {"reshaping", "reshape"},
                     {"repairing", "repair"}};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (str_has(value, words[i].word)) s->sync_action = words[i].action;
        if (str_has(value, "(DELAYED)")) ctx_setting(ctx, s->array, "md_sync_waits", STR("DELAYED"), "kernel", at);
        if (str_has(value, "(PENDING)")) ctx_setting(ctx, s->array, "md_sync_waits", STR("PENDING"), "kernel", at);
    } else if (action) {
        s->sync_action = action;
        size_t end = str_find_ch(value, '%');
        if (end != SIZE_MAX && str_double(str_trim(str_sub(value, 0, end)), &v)) s->sync_pct = v;
    } else if (str_is(key, "UUID")) {
        Str uuid = uuid_of(value);
        if (uuid.len) {
            set(s, s->array, "md_uuid", uuid, at);
            facts_same(ctx->facts, ctx->src, s->array, by_uuid(s, uuid), "mdadm", at);
        }
    } else if (str_is(key, "Array Size")) {
        size_kib(s, s->array, "size_bytes", value, at);
    } else if (str_is(key, "Container")) { /* "/dev/md0, member 0" */
        Str name = str_sub(value, 0, str_find_ch(value, ','));
        set(s, s->array, "md_container", str_strip_dev(name), at);
        Ref container = array_ref(s, name, at);
        facts_edge(ctx->facts, ctx->src, container, s->array, at);
    } else {
        common_field(s, s->array, key, value, at);
    }
}

static void examine_field(State *s, Str key, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    Volume *v = &s->volume;
    double n;
    size_t bracket = str_find_ch(key, '[');
    if (bracket != SIZE_MAX && str_ends(key, "]")) { /* DDF: "Name[0] : vol0" */
        Str word = str_trim(str_sub(key, 0, bracket));
        if (str_is(word, "VD GUID")) {
            open_volume(
                s, arena_strf(ctx->scratch, "volume %.*s", STR_ARG(str_sub(key, bracket + 1, key.len - bracket - 2))),
                "ddf", at);
        } else if (v->open) {
            if (str_is(word, "Name") && value.len) v->name = keep_text(s, value);
            if (str_is(word, "Raid Level")) v->level = level_text(s, value);
            if (str_is(word, "state")) {
                v->state = keep_text(s, value);
                v->at = keep(s, at);
            }
            if (str_is(word, "Raid Devices") && whole(value, &n)) v->raid_disks = n;
        }
        return;
    }
    if (s->imsm && v->open) { /* lines below "[Volume0]:" */
        if (str_is(key, "UUID")) v->uuid = keep_text(s, uuid_of(value));
        else if (str_is(key, "RAID Level")) {
            /* a number, or "10" from "1(10)" while it migrates */
            size_t digits = 0;
            while (digits < value.len && ch_digit(value.p[digits])) digits++;
            v->level =
                digits ? arena_strf(ctx->scratch, "raid%.*s", STR_ARG(str_sub(value, 0, digits))) : keep_text(s, value);
        } else if (str_is(key, "Members")) {
            if (whole(value, &n)) v->raid_disks = n;
        } else if (str_is(key, "Slots")) { /* [U_U] */
            Str slots = str_sub(value, 0, str_find_ch(value, ']'));
            n = 0;
            for (size_t i = 0; i < slots.len; i++) n += slots.p[i] == 'U';
            v->active_disks = n;
            set(s, s->ref, "md_member_map", str_sub(value, 0, slots.len + 1), at);
        } else if (str_is(key, "Map State")) {
            v->state = keep_text(s, value);
            v->at = keep(s, at);
        } else if (str_starts(key, "Disk") && str_ends(key, "Serial")) {
            close_volume(s);
        }
        return;
    }
    if (str_is(key, "Magic")) {
        if (str_is(value, "de11de11")) set(s, s->ref, "md_metadata", STR("ddf"), at);
        s->imsm = str_starts(value, "Intel Raid ISM");
        if (s->imsm) set(s, s->ref, "md_metadata", STR("imsm"), at);
        s->metadata = keep_text(s, value);
    } else if (str_is(key, "Version") && !str_is(s->metadata, "a92b4efc")) {
        return;
    } else if (str_is(key, "Array UUID") || (str_is(key, "UUID") && str_is(s->metadata, "a92b4efc"))) {
        Str uuid = uuid_of(value);
        if (uuid.len) {
            set(s, s->ref, "md_uuid", uuid, at);
            facts_edge(ctx->facts, ctx->src, s->ref, by_uuid(s, uuid), at);
        }
    } else if (str_is(key, "Device Role")) { /* "Active device 5", "spare", "Replacement device 1", "Journal" */
        Str rest = value, first = str_word(&rest), w, last = STR_NONE;
        while ((w = str_word(&rest)).len) last = w;
        double slot;
        bool numbered = last.len && whole(last, &slot);
        set(s, s->ref, "md_member_slot", numbered ? last : str_ieq(first, STR("journal")) ? STR("journal") : value, at);
        if (str_ieq(first, STR("replacement"))) set(s, s->ref, "md_member_state", STR("replacement"), at);
        if (str_ieq(first, STR("spare"))) set(s, s->ref, "md_member_state", STR("spare"), at);
    } else if (str_is(key, "Array State")) {
        set(s, s->ref, "md_member_map", str_word(&value), at);
    } else if (str_is(key, "State")) {
        set(s, s->ref, "md_state", value, at);
    } else if (str_is(key, "Flags")) {
        set(s, s->ref, "md_member_flags", value, at);
    } else if (str_is(key, "Bad Block Log")) {
        set(s, s->ref, "md_bad_blocks", str_has(value, "bad blocks present") ? STR("1") : STR("0"), at);
    } else if (str_is(key, "Checksum")) {
        if (str_has(value, "correct"))
            set(s, s->ref, "md_checksum", str_has(value, "expected") ? STR("wrong") : STR("correct"), at);
        else if (str_has(value, "expected")) set(s, s->ref, "md_checksum", STR("wrong"), at);
    } else if (str_is(key, "Layout") || str_is(key, "Chunk Size") || str_is(key, "Version") || str_is(key, "Name") ||
               str_is(key, "Events") || str_is(key, "Update Time") || str_is(key, "Internal Bitmap") ||
               str_is(key, "Consistency Policy")) {
        common_field(s, s->ref, key, value, at);
    }
}

/* Rows of the member tables. */
static void table_row(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str w[6], rest = str_trim(line), device = STR_NONE;
    size_t slash = str_find(rest, "/dev/");
    if (slash != SIZE_MAX) {
        Str tail = str_from(rest, slash);
        device = str_word(&tail);
        if (str_ends(device, ",")) device.len--;
    }
    Str head = slash == SIZE_MAX ? rest : str_sub(rest, 0, slash);
    if (strcmp(s->table, "ddf") == 0) { /* 0 d32b14d7 786432K /dev/vda active/Online */
        ctx->rows++;
        if (!device.len) return;
        Str tail = str_from(rest, slash + device.len);
        set(s, disk(s, device), "md_member_state", str_trim(tail), at);
        return;
    }
    bool self = str_starts(head, "this ");
    if (self)
        head =
            str_trim_left(str_from(head, 5)); /* 0.90: the row of the member that was asked, which comes again below */
    Str fields = head;
    size_t n = 0;
    int columns = s->mode == MODE_EXAMINE && !self ? 5 : 4; /* 0.90 numbers its rows once more in front */
    while (n < (size_t)columns && (w[n] = str_word(&fields)).len) n++;
    Str state = str_trim(fields);
    if (n < (size_t)columns) {
        parse_note(ctx, at, "not a row of a member table: \"%.*s\"", STR_ARG(str_sub(rest, 0, 80)));
        return;
    }
    ctx->rows++;
    Str slot = w[columns - 1];
    if (s->mode == MODE_EXAMINE) {
        if (self) {
            set(s, s->ref, "md_member_slot", slot, at);
            if (state.len) set(s, s->ref, "md_member_state", state, at);
        }
        return; /* the others as this member saw them last */
    }
    if (!device.len) return; /* "removed": a slot without a device */
    Ref ref = disk(s, device);
    facts_edge(ctx->facts, ctx->src, ref, s->array, at);
    if (!str_is(slot, "-")) set(s, ref, "md_member_slot", slot, at);
    /* "active sync writemostly failfast set-A": what it is, then how it is used */
    static const char *const flag_words[] = {"writemostly", "failfast"};
    StrBuf flags, plain;
    sb_init(&flags, ctx->scratch);
    sb_init(&plain, ctx->scratch);
    for (Str word; (word = str_word(&state)).len;) {
        bool flag = false;
        for (size_t i = 0; i < 2; i++) flag = flag || str_is(word, flag_words[i]);
        StrBuf *b = flag ? &flags : &plain;
        if (b->len) sb_addc(b, ' ');
        sb_addz(b, flag && word.p[0] == 'w' ? "write-mostly" : "");
        if (!flag || word.p[0] != 'w') sb_add(b, word);
    }
    Str is = sb_str(&plain);
    if (str_starts(is, "active sync") || str_is(is, "active")) is = STR("in use");
    else if (!is.len) is = STR("not assembled"); /* inactive arrays and containers */
    set(s, ref, "md_member_state", is, at);
    if (flags.len) set(s, ref, "md_member_flags", sb_str(&flags), at);
}

/* ---------------------------------------------------------------- --export, --scan, --query */

static void exported(State *s, Str key, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    double v;
    ctx->rows++;
    if (str_is(key, "LEVEL") || !s->exported) {
        if (str_is(key, "LEVEL") || s->any) close_section(s);
        need_device(s, MODE_DETAIL, at);
        s->exported = true;
    }
    if (str_is(key, "LEVEL")) s->level = keep_text(s, value);
    else if (str_is(key, "DEVICES")) s->raid_disks = whole(value, &v) ? v : NAN;
    else if (str_is(key, "METADATA")) set(s, s->array, "md_metadata", value, at);
    else if (str_is(key, "NAME")) set(s, s->array, "md_name", value, at);
    else if (str_is(key, "CONTAINER")) set(s, s->array, "md_container", str_strip_dev(value), at);
    else if (str_is(key, "UUID")) {
        Str uuid = uuid_of(value);
        if (uuid.len) {
            set(s, s->array, "md_uuid", uuid, at);
            facts_same(ctx->facts, ctx->src, s->array, by_uuid(s, uuid), "mdadm", at);
        }
    } else if (str_is(key, "DEVNAME")) {
        Str name = arena_strf(ctx->scratch, "md/%.*s", STR_ARG(value));
        facts_same(ctx->facts, ctx->src, s->array, disk(s, name), "mdadm", at);
        if (!s->device.len) s->device = name;
    } else if (str_starts(key, "DEVICE_") && str_ends(key, "_ROLE")) {
        s->export_name = keep_text(s, str_sub(key, 7, key.len - 12));
        s->export_role = keep_text(s, value);
    } else if (str_starts(key, "DEVICE_") && str_ends(key, "_DEV") && value.len) {
        Ref ref = disk(s, value);
        facts_edge(ctx->facts, ctx->src, ref, s->array, at);
        if (str_eq(s->export_name, str_sub(key, 7, key.len - 11))) {
            bool spare = str_is(s->export_role, "spare");
            set(s, ref, "md_member_slot", s->export_role, at);
            if (spare)
                set(s, ref, "md_member_state", str_is(s->level, "container") ? STR("not assembled") : STR("spare"), at);
        }
    }
}

static void devices_of(State *s, Str list, Spot at) {
    while (list.len) {
        Str name = str_trim(str_cut(&list, ','));
        if (name.len && s->array) facts_edge(s->ctx->facts, s->ctx->src, disk(s, name), s->array, at);
    }
}

/* ARRAY /dev/md0 level=raid1 num-devices=2 metadata=1.2 name=nas:0 UUID=... */
static void scanned(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    close_section(s);
    bool inactive = str_starts(line, "INACTIVE");
    Str rest = line, w, device = STR_NONE, uuid = STR_NONE, level = STR_NONE, name = STR_NONE, metadata = STR_NONE,
        value;
    double disks = NAN, spares = NAN;
    str_word(&rest);
    Str list = STR_NONE;
    while ((w = str_word(&rest)).len) {
        if (w.p[0] == '/') device = w;
        else if ((value = str_after(w, "UUID=")).p) uuid = uuid_of(value);
        else if ((value = str_after(w, "level=")).p) level = value;
        else if ((value = str_after(w, "name=")).p) name = value;
        else if ((value = str_after(w, "metadata=")).p) metadata = value;
        else if ((value = str_after(w, "num-devices=")).p) disks = whole(value, &disks) ? disks : NAN;
        else if ((value = str_after(w, "spares=")).p) spares = whole(value, &spares) ? spares : NAN;
        else if ((value = str_after(w, "devices=")).p) list = value;
    }
    ctx->rows++;
    if (!device.len && !uuid.len) return; /* "ARRAY metadata=imsm UUID=..." names its container by UUID only */
    s->array = device.len ? array_ref(s, device, at) : by_uuid(s, uuid);
    if (uuid.len) {
        set(s, s->array, "md_uuid", uuid, at);
        if (device.len) facts_same(ctx->facts, ctx->src, s->array, by_uuid(s, uuid), "mdadm", at);
    }
    if (name.len) set(s, s->array, "md_name", name, at);
    if (metadata.len) set(s, s->array, "md_metadata", metadata, at);
    Row r = ctx_row(ctx, "raid_array", at);
    row_ref(&r, "node", s->array);
    row_text(&r, "name", device.len ? str_strip_dev(device) : STR_NONE);
    row_text(&r, "kind", STR("md"));
    row_text(&r, "level", level.len ? level : STR_NONE);
    if (inactive) row_text(&r, "state", STR("inactive"));
    if (!isnan(disks)) row_int(&r, "raid_disks", i64_of(disks));
    if (!isnan(spares)) row_int(&r, "spare_disks", i64_of(spares));
    row_done(&r);
    devices_of(s, list, at);
}

static void queried(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    ctx->rows++;
    size_t colon = str_find(line, ": ");
    if (colon == SIZE_MAX) return;
    Str device = str_sub(line, 5, colon - 5), rest = str_from(line, colon + 2);
    if (!md_name(device)) return; /* "device 0 in 2 device active raid1 /dev/md0" repeats what the array says */
    Str size = str_word(&rest), level = str_word(&rest), count = str_word(&rest);
    double disks;
    (void)size;
    Row r = ctx_row(ctx, "raid_array", at);
    row_ref(&r, "node", array_ref(s, device, at));
    row_text(&r, "name", device);
    row_text(&r, "kind", STR("md"));
    row_text(&r, "level", level.len ? level : STR_NONE);
    if (whole(count, &disks)) row_int(&r, "raid_disks", i64_of(disks));
    row_done(&r);
}

/* ---------------------------------------------------------------- */

static ParseResult mdadm_parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    close_section(s);
    Str line, key, value, device;
    Ref listed = 0; /* whose bad block list is printed */
    uint64_t first, n;
    int ranges = 0;
    bool nothing = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str word = str_trim(line);
        if (!word.len) continue;
        if (bad_blocks_line(line, &device)) {
            ctx->rows++;
            close_section(s);
            listed = 0;
            if (str_starts(word, "No bad-blocks")) continue; /* no list: neither empty nor in use */
            Ref member = disk(s, device);
            bool used = str_starts(word, "Bad-blocks on");
            ctx_setting(ctx, member, "md_bad_blocks", used ? STR("1") : STR("0"), "drive", at);
            listed = used ? member : 0;
            ranges = 0;
        } else if (listed && bad_range(line, &first, &n)) {
            ctx->rows++;
            if (ranges++ < MAX_RANGES)
                ctx_setting(ctx, listed, "md_bad_block_range",
                            arena_strf(ctx->scratch, "%llu+%llu", (unsigned long long)first, (unsigned long long)n),
                            "drive", at);
        } else if (scan_line(line)) {
            scanned(s, line, at);
        } else if (export_line(line, &key, &value)) {
            exported(s, key, value, at);
        } else if (query_line(line)) {
            queried(s, line, at);
        } else if (heading(line, &device)) {
            begin_section(s, device, at);
        } else if (message(line)) {
            /* mdadm's own word on a device: no superblock, cannot be opened */
            facts_note(ctx->facts, ctx->src, at, arena_str(ctx->arena, str_sub(word, 0, 200)));
            nothing = true;
        } else if (member_header(line)) {
            s->table = str_has(line, "RefNo") ? "ddf" : "md";
            close_volume(s);
        } else if (s->table && member_row(line)) {
            table_row(s, line, at);
        } else if (word.p[0] == '[' && str_ends(word, "]:") && s->imsm) {
            ctx->rows++;
            open_volume(s, str_sub(word, 1, word.len - 3), "imsm", at);
        } else if (field(line, &key, &value)) {
            ctx->rows++;
            if (s->mode == MODE_NONE)
                need_device(s,
                            str_is(key, "Magic") || str_is(key, "MBR Magic") || str_starts(key, "Partition[")
                                ? MODE_EXAMINE
                                : MODE_DETAIL,
                            at);
            if (s->mode == MODE_DETAIL) detail_field(s, key, value, at);
            else examine_field(s, key, value, at);
        } else if (word.p[0] == '(' && ch_blank(line.p[0])) {
            continue; /* a GUID's text, on a line of its own */
        } else if ((value = str_after(word, "devices=")).p) {
            devices_of(s, value, at);
        } else if (!str_starts(word, "spares=") && !str_starts(word, "container=")) {
            parse_note(ctx, at, "not a line of mdadm: \"%.*s\"", STR_ARG(str_sub(word, 0, 80)));
        }
    }
    close_section(s);
    if (nothing && !ctx->rows && !ctx->bad_rows) return PARSE_NOTHING;
    return parse_result(ctx);
}

const Parser parser_mdadm = {
    .name = "mdadm",
    .bid = mdadm_bid,
    .starts = mdadm_starts,
    .continues = mdadm_continues,
    .parse = mdadm_parse,
    .ask = "mdadm --detail /dev/mdX",
};
