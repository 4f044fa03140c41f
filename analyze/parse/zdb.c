/*
 * zdb.c - what the labels of pool members and the pool's configuration say
 *
 * Reads   zdb -l DEVICE, zdb -C [POOL], zdb (the cached configuration), zdb | grep ashift; ZFS 0.6 to 2.4, Linux and FreeBSD
 * Gives   setting zfs_guid, zfs_label_path, zfs_phys_path, zfs_label, zfs_pool_* of a member, ashift of a vdev and of its
 *         leaves, zfs_hostid of a member, zfs_pool_guid of a pool; which guid is which disk; edges member -> vdev -> pool
 * Sample  OpenZFS 2.1, zdb -l
 *   | LABEL 0
 *   | ------------------------------------
 *   |     version: 5000
 *   |     name: 'storage'
 *   |     guid: 1539417216530011223
 *   |     vdev_tree:
 *   |         type: 'mirror'
 *   |         ashift: 12
 *   |         children[0]:
 *   |             type: 'disk'
 * Varies  up to 0.8 every label is printed, later equal ones once, with "labels = 0 1 2 3" behind; -C has a root vdev above the
 *         top-level ones, a label has one top-level vdev. The outer guid is the device the label lies on. path of a sibling
 *         is its last known name: a kernel name in it may belong to another disk by now, so only names that follow the disk
 *         (devid, by-id, by-partuuid, gptid, diskid, a GPT label) tie a guid to a device.
 */
#include "device_text.h"
#include "scan.h"
#include "zfs_tree.h"

enum { MAX_VDEVS = 4096, MAX_DEPTH = 12 };

typedef struct Vdev {
    struct Vdev *parent;
    Str type, guid, path, devid, phys_path;
    Str name; /* "mirror-0" */
    int64_t id, ashift, nparity, draid_data, draid_spares;
    int children;
    Spot guid_at, path_at, devid_at, phys_at, ashift_at;
} Vdev;

typedef struct Level {
    size_t indent;
    Vdev *vdev; /* NULL: a block that is no vdev */
} Level;

typedef struct Zdb {
    ParseCtx *ctx;
    Str device; /* the one asked for, "" unknown */
    Str first_guid;
    bool several; /* labels of more than one device: the one device of the command says nothing */
    /* the configuration being read */
    bool open, flat;
    size_t tree_indent;
    Str pool, pool_guid, guid, state, hostid;
    Spot name_at, pool_guid_at, guid_at, state_at, hostid_at;
    VEC(Vdev *) vdevs;
    Level level[MAX_DEPTH];
    int top; /* innermost open level, -1 outside vdev_tree */
    bool full_said;
    /* labels of the device */
    int labels_ok, labels_bad;
    Spot labels_at;
    /* zdb | grep ashift */
    bool bare;
    int64_t bare_value;
} Zdb;

static bool dashes(Str s) {
    if (s.len < 12) return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != '-') return false;
    return true;
}

static bool label_heading(Str s) {
    return (str_starts(s, "LABEL ") && s.len > 6 && ch_digit(s.p[6]) && (s.len == 7 || str_has(s, "label"))) ||
           str_starts(s, "L2ARC device header");
}

static bool label_failure(Str s) {
    Str rest = str_after(s, "failed to unpack label ");
    if (!rest.p) rest = str_after(s, "failed to read label ");
    return rest.len && ch_digit(rest.p[0]);
}

static bool config_heading(Str s) {
    return str_is(s, "MOS Configuration:") || str_is(s, "Cached configuration:");
}

/* Words that open a configuration, in the order zdb prints them. */
static bool config_key(Str key) {
    static const char *const words[] = {"version",
                                        "name",
                                        "state",
                                        "txg",
                                        "pool_guid",
                                        "errata",
                                        "hostid",
                                        "hostname",
                                        "top_guid",
                                        "guid",
                                        "vdev_children",
                                        "comment",
                                        "com.delphix:has_per_vdev_zaps",
                                        "compatibility",
                                        "min_alloc",
                                        "max_alloc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(key, words[i])) return true;
    return str_starts(key, "hole_array[");
}

static bool vdev_key(Str key) {
    static const char *const words[] = {"type",
                                        "id",
                                        "guid",
                                        "path",
                                        "devid",
                                        "phys_path",
                                        "vdev_enc_sysfs_path",
                                        "whole_disk",
                                        "metaslab_array",
                                        "metaslab_shift",
                                        "ashift",
                                        "asize",
                                        "is_log",
                                        "is_special",
                                        "create_txg",
                                        "DTL",
                                        "nparity",
                                        "not_present",
                                        "offline",
                                        "removed",
                                        "faulted",
                                        "degraded",
                                        "fru",
                                        "com.delphix:vdev_zap_root",
                                        "com.delphix:vdev_zap_leaf",
                                        "com.delphix:vdev_zap_top",
                                        "alloc_bias",
                                        "resilver_txg",
                                        "aux_state",
                                        "is_spare",
                                        "is_hole",
                                        "draid_ndata",
                                        "draid_ngroups",
                                        "draid_nspares",
                                        "splitting",
                                        "unspare",
                                        "min_alloc",
                                        "max_alloc",
                                        "com.klarasystems:vdev_zap_root",
                                        "rebuild_txg",
                                        "removing",
                                        "stats",
                                        "expansion_time",
                                        "raidz_expanding",
                                        "allocating"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(key, words[i])) return true;
    return false;
}

/* "key: value", "key:"; the key has no blank. */
static bool pair(Str s, Str *key, Str *value) {
    size_t colon = SIZE_MAX;
    for (size_t i = 0; i < s.len && !ch_blank(s.p[i]); i++) /* com.delphix:hole_birth has a colon of its own */
        if (s.p[i] == ':' && (i + 1 == s.len || ch_blank(s.p[i + 1]))) colon = i;
    if (colon == SIZE_MAX || !colon) return false;
    *key = str_sub(s, 0, colon);
    *value = str_trim(str_from(s, colon + 1));
    return true;
}

static bool child_key(Str key, int64_t *index) {
    Str rest = str_after(key, "children[");
    return rest.len > 1 && rest.p[rest.len - 1] == ']' && str_i64(str_sub(rest, 0, rest.len - 1), index);
}

/* "storage:" of plain zdb, at the start of a line. */
static bool pool_heading(Str line, Str *name) {
    Str s = str_trim_right(line);
    if (s.len < 2 || ch_blank(s.p[0]) || s.p[s.len - 1] != ':' || !ch_alpha(s.p[0])) return false;
    *name = str_sub(s, 0, s.len - 1);
    for (size_t i = 0; i < name->len; i++) {
        char c = name->p[i];
        if (!ch_alnum(c) && c != '_' && c != '-' && c != '.' && c != ':' && c != ' ') return false;
    }
    return true;
}

static bool ashift_line(Str s) {
    Str value = str_after(s, "ashift:");
    int64_t v;
    return value.p && str_i64(str_trim(value), &v) && v >= 9 && v <= 20;
}

static bool starts(Str line) {
    Str s = str_trim(line);
    if (dashes(s)) return s.len == 36; /* the rule above "LABEL 0" */
    return label_heading(s) || label_failure(s) || config_heading(s) || (str_starts(line, " ") && ashift_line(s)) ||
           str_starts(s, "zdb: can't ");
}

static int bid(Str path, Str command, Str head) {
    bool zdb = command_is(command, "zdb") || path_has(path, "zdb");
    int bits = zdb ? 6 : 0, seen = 0, ashift = 0;
    Str name;
    bool heading = false;
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head), s = str_trim(line), key, value;
        if (!s.len || dashes(s)) continue;
        if (label_heading(s) || config_heading(s)) return 28 + bits;
        if (label_failure(s)) return 20 + bits;
        if (str_starts(s, "zdb: can't ")) return 16 + bits;
        if (!heading && pool_heading(line, &name)) {
            heading = true;
            continue;
        }
        if (!pair(s, &key, &value)) return seen >= 3 ? 20 + bits : 0;
        if (ashift_line(s)) ashift++;
        if (!config_key(key) && !vdev_key(key) && !str_starts(key, "vdev_tree") && !str_starts(key, "children[")) break;
        seen++;
    }
    if (ashift && ashift == seen && !heading) return 12 + bits;
    return seen >= 4 ? 20 + bits : 0;
}

static bool continues(Str line) {
    Str s = str_trim(line), key, value;
    if (!s.len || dashes(s) || label_heading(s) || label_failure(s) || config_heading(s)) return true;
    if (str_starts(s, "labels = ") || str_starts(s, "Uberblock[") || str_starts(s, "ZFS Label NVList Config Stats") ||
        str_starts(s, "cannot open '") || str_starts(s, "zdb: "))
        return true;
    if (pair(s, &key, &value))
        return config_key(key) || vdev_key(key) || str_starts(key, "children[") || str_is(key, "vdev_tree") ||
               str_starts(key, "features_for_read") || str_starts(key, "com.") || str_starts(key, "org.") ||
               ch_blank(line.p[0]);
    if (ch_blank(line.p[0]) && str_has(s, " = ")) return true; /* uberblocks */
    return ch_blank(line.p[0]) && (str_starts(s, "com.") || str_starts(s, "org."));
}

/* ---------------------------------------------------------------- facts */

static bool is_leaf(const Vdev *v) {
    return str_is(v->type, "disk") || str_is(v->type, "file");
}

/* A name that follows the disk wherever it is plugged in. */
static bool stable_path(Str path) {
    static const char *const words[] = {"/by-id/", "/by-partuuid/", "/by-vdev/", "/by-partlabel/",
                                        "/gptid/", "/diskid/",      "/gpt/",     "/dev/label/"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(path, words[i])) return true;
    return false;
}

static Str vdev_name(Arena *a, const Vdev *v) {
    long long id = (long long)v->id;
    if (str_is(v->type, "raidz"))
        return arena_strf(a, "raidz%lld-%lld", (long long)(v->nparity > 0 ? v->nparity : 1), id);
    if (str_is(v->type, "draid"))
        return arena_strf(a, "draid%lld:%lldd:%dc:%llds-%lld", (long long)v->nparity, (long long)v->draid_data,
                          v->children, (long long)v->draid_spares, id);
    return arena_strf(a, "%.*s-%lld", STR_ARG(v->type), id);
}

static Ref vdev_ref(Zdb *z, const Vdev *v) {
    StrBuf b;
    const Vdev *chain[MAX_DEPTH];
    int n = 0;
    for (; v && !str_is(v->type, "root") && n < MAX_DEPTH; v = v->parent) chain[n++] = v;
    sb_init(&b, z->ctx->scratch);
    sb_add(&b, z->pool);
    while (n) {
        sb_addc(&b, '/');
        sb_add(&b, vdev_name(z->ctx->scratch, chain[--n]));
    }
    return ctx_ref(z->ctx, REF_VDEV, sb_str(&b));
}

/* The member a leaf is; 0 when no name ties it to a device. */
static Ref leaf_ref(Zdb *z, const Vdev *v) {
    ParseCtx *ctx = z->ctx;
    bool own = z->guid.len && str_eq(v->guid, z->guid);
    bool asked = own && z->device.len && !z->several;
    bool stable = stable_path(v->path);
    bool file = str_is(v->type, "file");
    if (!v->guid.len) return 0;
    Ref member = ctx_ref(ctx, REF_MEMBER, v->guid);
    if (asked) facts_same(ctx->facts, ctx->src, member, scan_block_ref(ctx, z->device), "zfs label", v->guid_at);
    if (v->devid.len && !str_starts(v->devid, "id1,")) /* illumos and FreeBSD device ids name no link */
        facts_same(ctx->facts, ctx->src, member, ctx_ref(ctx, REF_LINK, v->devid), "zfs label", v->devid_at);
    if (stable || file)
        facts_same(ctx->facts, ctx->src, member, ctx_ref(ctx, REF_MEMBER, v->path), "zfs label", v->path_at);
    ctx_setting(ctx, member, "zfs_guid", v->guid, "kernel", v->guid_at);
    if (v->path.len) ctx_setting(ctx, member, "zfs_label_path", v->path, "kernel", v->path_at);
    if (v->phys_path.len) ctx_setting(ctx, member, "zfs_phys_path", v->phys_path, "kernel", v->phys_at);
    /* A kernel name alone, be it of a sibling or of a label whose device nobody named, is only remembered. */
    return v->devid.len || stable || asked || file ? member : 0;
}

static const char *state_word(Str s) {
    static const char *const words[] = {"active",  "exported",      "destroyed",   "spare",
                                        "l2cache", "uninitialized", "unavailable", "potentially active"};
    int64_t n;
    return str_i64(s, &n) && n >= 0 && n < (int64_t)(sizeof words / sizeof *words) ? words[n] : NULL;
}

static void device_facts(Zdb *z) {
    ParseCtx *ctx = z->ctx;
    if (!z->device.len || z->several || !(z->labels_ok + z->labels_bad)) return;
    const char *word = !z->labels_bad ? "ok" : z->labels_ok ? "partly" : "none";
    ctx_setting(ctx, scan_block_ref(ctx, z->device), "zfs_label", str_of(word), "kernel", z->labels_at);
}

static void end_config(Zdb *z) {
    ParseCtx *ctx = z->ctx;
    if (!z->open) return;
    z->open = false;
    z->top = -1;
    if (z->guid.len) {
        if (!z->first_guid.len) z->first_guid = z->guid;
        else if (!str_eq(z->first_guid, z->guid)) z->several = true;
    }
    const char *state = state_word(z->state);
    /* -C and plain zdb show the configuration of a pool in use; a label may be of a pool long gone */
    bool current = !z->guid.len || !state || strcmp(state, "active") == 0;
    Ref pool = current && z->pool.len ? ctx_ref(ctx, REF_POOL, z->pool) : 0;
    if (pool && z->pool_guid.len) ctx_setting(ctx, pool, "zfs_pool_guid", z->pool_guid, "kernel", z->pool_guid_at);
    for (size_t i = 0; i < z->vdevs.count; i++) {
        Vdev *v = z->vdevs.items[i];
        if (str_is(v->type, "root") || !v->type.len) continue;
        const Vdev *up = v->parent && !str_is(v->parent->type, "root") ? v->parent : NULL, *top = v;
        while (top->parent && !str_is(top->parent->type, "root")) top = top->parent;
        bool leaf = is_leaf(v), own = leaf && z->guid.len && str_eq(v->guid, z->guid);
        if (!leaf && !v->children) continue; /* hole, missing, indirect */
        Ref node = leaf ? leaf_ref(z, v) : current ? vdev_ref(z, v) : 0;
        if (!node) continue;
        if (top->ashift > 0) {
            Spot at = top->ashift_at;
            ctx_setting_int(ctx, node, "ashift", top->ashift, "kernel", at);
        }
        if (own) {
            if (z->pool.len) ctx_setting(ctx, node, "zfs_pool_name", z->pool, "kernel", z->name_at);
            if (z->pool_guid.len) ctx_setting(ctx, node, "zfs_pool_guid", z->pool_guid, "kernel", z->pool_guid_at);
            if (state) ctx_setting(ctx, node, "zfs_pool_state", str_of(state), "kernel", z->state_at);
            uint64_t hostid;
            if (str_u64(z->hostid, &hostid) && hostid > 0 && hostid <= UINT32_MAX)
                ctx_setting(ctx, node, "zfs_hostid", arena_strf(ctx->scratch, "%08llx", (unsigned long long)hostid),
                            "kernel", z->hostid_at);
        }
        if (pool) facts_edge(ctx->facts, ctx->src, node, up ? vdev_ref(z, up) : pool, leaf ? v->guid_at : z->name_at);
    }
    /* the label of a cache device or spare has no tree */
    if (!z->vdevs.count && z->guid.len && z->device.len && !z->several) {
        Ref node = ctx_ref(ctx, REF_MEMBER, z->guid);
        facts_same(ctx->facts, ctx->src, node, scan_block_ref(ctx, z->device), "zfs label", z->guid_at);
        ctx_setting(ctx, node, "zfs_guid", z->guid, "kernel", z->guid_at);
        if (state) ctx_setting(ctx, node, "zfs_pool_state", str_of(state), "kernel", z->state_at);
    }
}

static void begin_config(Zdb *z) {
    end_config(z);
    z->open = true;
    z->flat = false;
    z->pool = z->pool_guid = z->guid = z->state = z->hostid = STR_NONE;
    z->vdevs.items = NULL;
    z->vdevs.count = z->vdevs.cap = 0;
    z->top = -1;
}

/* ---------------------------------------------------------------- lines */

static Vdev *new_vdev(Zdb *z, Vdev *parent, Spot at) {
    if (z->vdevs.count >= MAX_VDEVS) {
        if (!z->full_said)
            parse_note(z->ctx, at, "more than %d vdevs in one configuration: the rest is not read", MAX_VDEVS);
        z->full_said = true;
        return NULL;
    }
    Vdev *v = arena_new_of(z->ctx->scratch, Vdev);
    v->parent = parent;
    v->id = -1;
    if (parent) parent->children++;
    VEC_PUSH(z->ctx->scratch, &z->vdevs, v);
    return v;
}

static void vdev_value(Zdb *z, Vdev *v, Str key, Str value, Spot at) {
    Arena *a = z->ctx->scratch;
    int64_t n = 0;
    bool number = str_i64(value, &n);
    Str text = arena_str(a, scan_unquote(value));
    at = scan_keep(a, at);
    if (str_is(key, "type")) v->type = text;
    else if (str_is(key, "guid")) v->guid = text, v->guid_at = at;
    else if (str_is(key, "path")) v->path = text, v->path_at = at;
    else if (str_is(key, "devid")) v->devid = text, v->devid_at = at;
    else if (str_is(key, "phys_path")) v->phys_path = text, v->phys_at = at;
    else if (!number) return;
    else if (str_is(key, "id")) v->id = n;
    else if (str_is(key, "ashift")) v->ashift = n, v->ashift_at = at;
    else if (str_is(key, "nparity")) v->nparity = n;
    else if (str_is(key, "draid_ndata")) v->draid_data = n;
    else if (str_is(key, "draid_nspares")) v->draid_spares = n;
}

/* children[N]: finds the parent by the indentation; where a paste has lost it, by counting: child N comes after N others. */
static void child(Zdb *z, size_t indent, int64_t index, Spot at) {
    if (z->flat) {
        while (z->top > 0 &&
               (!z->level[z->top].vdev || is_leaf(z->level[z->top].vdev) || z->level[z->top].vdev->children != index))
            z->top--;
    } else {
        while (z->top > 0 && z->level[z->top].indent > indent) z->top--;
    }
    Vdev *parent = z->top >= 0 ? z->level[z->top].vdev : NULL;
    Vdev *v = new_vdev(z, parent, at);
    if (z->top + 1 < MAX_DEPTH) z->top++;
    /* what follows stands deeper than "children[N]:" itself */
    z->level[z->top] = (Level){indent + 1, v};
}

static void line_of_config(Zdb *z, Str line, Str key, Str value, Spot at) {
    ParseCtx *ctx = z->ctx;
    size_t indent = zfs_indent(line);
    int64_t index;
    ctx->rows++;
    if (str_is(key, "vdev_tree") || str_is(key, "vdev_tree[0]")) {
        if (!z->open) begin_config(z);
        z->tree_indent = indent;
        z->top = 0;
        z->level[0] = (Level){indent + 1, new_vdev(z, NULL, at)};
        return;
    }
    if (z->top >= 0) {
        bool tree = child_key(key, &index) || vdev_key(key) || str_starts(key, "com.") || str_starts(key, "org.");
        if (indent <= z->tree_indent && z->vdevs.count == 1 && !z->vdevs.items[0]->type.len && str_is(key, "type"))
            z->flat = true;
        if (z->flat ? str_starts(key, "features_for_read") || (config_key(key) && !vdev_key(key))
                    : indent <= z->tree_indent) {
            z->top = -1;
            tree = false;
        }
        if (tree) {
            if (child_key(key, &index)) {
                child(z, indent, index, at);
            } else {
                while (!z->flat && z->top > 0 && z->level[z->top].indent > indent) z->top--;
                if (z->level[z->top].vdev) vdev_value(z, z->level[z->top].vdev, key, value, at);
            }
            return;
        }
        if (z->top >= 0) return; /* stats and the like */
    }
    Str text = arena_str(ctx->scratch, scan_unquote(value));
    Spot kept = scan_keep(ctx->scratch, at);
    if (str_is(key, "version")) begin_config(z); /* -C without a heading prints one after the other */
    if (!z->open) begin_config(z);
    if (str_is(key, "name")) z->pool = text, z->name_at = kept;
    else if (str_is(key, "pool_guid")) z->pool_guid = text, z->pool_guid_at = kept;
    else if (str_is(key, "guid")) z->guid = text, z->guid_at = kept;
    else if (str_is(key, "state")) z->state = text, z->state_at = kept;
    else if (str_is(key, "hostid")) z->hostid = text, z->hostid_at = kept;
}

/* "/dev/sdb1:", "== /dev/sdb1 ==": the heading a loop of the shell printed */
static Str device_heading(Str s) {
    while (s.len && (s.p[0] == '=' || s.p[0] == '-' || s.p[0] == '#' || s.p[0] == ' ')) s = str_from(s, 1);
    while (s.len && (s.p[s.len - 1] == '=' || s.p[s.len - 1] == '-' || s.p[s.len - 1] == ':' || s.p[s.len - 1] == ' '))
        s.len--;
    return str_starts(s, "/dev/") && str_find_ch(s, ' ') == SIZE_MAX ? s : STR_NONE;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Zdb *z = arena_new_of(ctx->scratch, Zdb);
    z->ctx = ctx;
    z->top = -1;
    z->device = scan_device_in_command(ctx->command);
    if (!z->device.len) z->device = scan_device_in_path(ctx->path);
    Str line;
    while (input_line(in, &line)) {
        Str s = str_trim(line), key, value, name, device;
        Spot at = input_spot(in);
        if (!s.len || dashes(s)) continue;
        if (label_heading(s)) {
            begin_config(z);
            z->open = false; /* opened by its first line */
            ctx->rows++;
            if (str_has(s, "Bad label")) z->labels_bad++;
            else if (str_starts(s, "LABEL")) z->labels_ok++;
            if (z->labels_ok + z->labels_bad == 1) z->labels_at = scan_keep(ctx->scratch, at);
        } else if (label_failure(s)) {
            end_config(z);
            ctx->rows++;
            z->labels_bad++;
            if (!z->labels_at.line || z->labels_bad == 1) z->labels_at = scan_keep(ctx->scratch, at);
        } else if (config_heading(s)) {
            end_config(z);
            ctx->rows++;
        } else if ((device = device_heading(s)).len) {
            end_config(z);
            device_facts(z);
            z->device = arena_str(ctx->scratch, device);
            z->first_guid = STR_NONE;
            z->several = false;
            z->labels_ok = z->labels_bad = 0;
            ctx->rows++;
        } else if (pool_heading(line, &name) && !z->open && !str_is(name, "vdev_tree")) {
            ctx->rows++;
        } else if (pool_heading(line, &name) && z->top < 0 && z->open && !str_is(name, "vdev_tree") &&
                   !str_is(name, "features_for_read")) {
            end_config(z);
            ctx->rows++;
        } else if (!z->open && z->top < 0 && ashift_line(s)) {
            int64_t v = 0;
            str_i64(str_trim(str_from(s, 7)), &v);
            ctx->rows++;
            /* grep tells the values, not whose they are: once each, for the host */
            if (!z->bare || v != z->bare_value)
                ctx_setting_int(ctx, ctx_ref(ctx, REF_HOST, STR("host")), "ashift", v, "kernel", at);
            z->bare = true;
            z->bare_value = v;
        } else if (str_starts(s, "labels = ")) {
            Str words[8];
            size_t n = str_words(str_from(s, 9), words, 8);
            ctx->rows++;
            if (n > 1) z->labels_ok += (int)(n < 4 ? n : 4) - 1; /* equal labels are printed once */
        } else if (str_starts(s, "Uberblock[") || str_starts(s, "ZFS Label NVList") || str_has(s, " = ") ||
                   str_starts(s, "com.") || str_starts(s, "org.")) {
            ctx->rows++;
        } else if (str_starts(s, "zdb: can't ") || str_starts(s, "cannot open '")) {
            ctx->rows++;
        } else if (pair(s, &key, &value)) {
            line_of_config(z, line, key, value, at);
        } else {
            parse_note(ctx, at, "not understood in the output of zdb: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    end_config(z);
    if (z->labels_ok + z->labels_bad > 4) z->labels_ok = z->labels_ok > 4 ? 4 : z->labels_ok;
    device_facts(z);
    return parse_result(ctx);
}

const Parser parser_zdb = {
    .name = "zdb",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "zdb -l /dev/sdX1",
};
