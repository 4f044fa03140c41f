/*
 * dmsetup.c - device-mapper tables, their state, and what rests on what
 *
 * Reads   dmsetup table, status, ls [--tree], info [-c ...], deps
 * Gives   setting dm_target, crypt_*, thin_*, cache_*, snapshot_used_pct, multipath_paths* of a mapping; raid_array for dm-raid;
 *         edges device -> mapping; which mapping is dm-N
 * Sample  dmsetup 1.02, table
 *   | vg-root: 0 33554432 linear 8:2 125831168
 *   | crypt0: 0 2093056 crypt aes-xts-plain64 :64:logon:cryptsetup:0123-d0 0 8:3 32768 1 allow_discards
 * Sample  dmsetup status
 *   | vg-pool-tpool: 0 209715200 thin-pool 4 406/25600 35218/819200 - rw discard_passdown queue_if_no_space - 1024
 * Varies  a device with several targets has a line for each; `table NAME` prints no name. Numbers of sd, md and loop devices are
 *         fixed; those of mapped devices are known only where ls, info or a tree is in the same output, since the major number
 *         of device-mapper is given out at run time. Fields of each target: Linux Documentation/admin-guide/device-mapper.
 */
#include "device_text.h"
#include "scan.h"

#include <math.h>

enum { MAX_WORDS = 64 };

static bool target_word(Str s) {
    static const char *const words[] = {"linear",
                                        "striped",
                                        "crypt",
                                        "thin",
                                        "thin-pool",
                                        "cache",
                                        "writecache",
                                        "raid",
                                        "mirror",
                                        "snapshot",
                                        "snapshot-origin",
                                        "snapshot-merge",
                                        "multipath",
                                        "error",
                                        "zero",
                                        "era",
                                        "verity",
                                        "integrity",
                                        "delay",
                                        "flakey",
                                        "dust",
                                        "clone",
                                        "zoned",
                                        "ebs",
                                        "switch",
                                        "unstriped",
                                        "log-writes",
                                        "vdo",
                                        "bow"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

/* "name: start length target ..."; without a name: "start length target ...". */
static bool table_row(Str line, Str *name, Str *rest) {
    Str s = str_trim(line), tail = s, w = str_word(&tail);
    uint64_t v;
    *name = STR_NONE;
    if (w.len > 1 && w.p[w.len - 1] == ':') {
        *name = str_sub(w, 0, w.len - 1);
        w = str_word(&tail);
    }
    *rest = tail;
    return str_u64(w, &v) && str_u64(str_word(rest), &v) && target_word(str_word(&(Str){rest->p, rest->len}));
}

/* "(253:0)" or "(253, 0)" at the end of s; *before is what stands in front. */
static bool number_at_end(Str s, Str *before, uint64_t *major, uint64_t *minor) {
    s = str_trim_right(s);
    if (!s.len || s.p[s.len - 1] != ')') return false;
    size_t open = str_rfind_ch(s, '(');
    if (open == SIZE_MAX) return false;
    Str inner = str_sub(s, open + 1, s.len - open - 2);
    size_t sep = str_find_ch(inner, ':');
    if (sep == SIZE_MAX) sep = str_find_ch(inner, ',');
    if (sep == SIZE_MAX) return false;
    *before = str_trim_right(str_sub(s, 0, open));
    return str_u64(str_trim(str_sub(inner, 0, sep)), major) && str_u64(str_trim(str_from(inner, sep + 1)), minor);
}

/* Width of the tree's drawing (blanks, |, `, -, box characters) at the start of a line, in columns. */
static size_t drawing(Str line, size_t *bytes) {
    size_t i = 0, columns = 0;
    while (i < line.len) {
        unsigned char c = (unsigned char)line.p[i];
        if (c == ' ' || c == '|' || c == '`' || (c == '-' && columns)) i++;
        else if (c == 0xe2 && i + 2 < line.len && (unsigned char)line.p[i + 1] == 0x94) i += 3; /* U+2500..U+253F */
        else if (c == 0xc2 && i + 1 < line.len && (unsigned char)line.p[i + 1] == 0xa0) i += 2;
        else break;
        columns++;
    }
    *bytes = i;
    return columns;
}

static bool tree_row(Str line, size_t *depth, Str *name, uint64_t *major, uint64_t *minor) {
    size_t bytes;
    *depth = drawing(line, &bytes);
    Str s = str_from(line, bytes);
    if (!number_at_end(s, name, major, minor)) return false;
    *name = str_trim(*name);
    if (str_find_ch(*name, ' ') != SIZE_MAX || str_find_ch(*name, ':') != SIZE_MAX ||
        str_find_ch(*name, '(') != SIZE_MAX)
        return false;
    return name->len || *depth;
}

static bool columns_header(Str line) {
    Str w[12];
    return str_words(line, w, 12) >= 3 && str_is(w[0], "Name") && str_is(w[1], "Maj") && str_is(w[2], "Min");
}

/* "vg-root 253 0 L--w 1 1 0 LVM-...", and with another separator and order "vg-root/253/0/3/LVM/LVM-...". */
static bool columns_row(Str line, Str *name, uint64_t *major, uint64_t *minor) {
    Str s = str_trim(line), w[12];
    size_t n = str_words(s, w, 12);
    uint64_t v;
    if (n >= 7 && str_u64(w[1], major) && str_u64(w[2], minor) && w[3].len == 4 && str_u64(w[4], &v)) {
        *name = w[0];
        return true;
    }
    char sep = str_find_ch(s, '/') != SIZE_MAX ? '/' : ':';
    if (n != 1 || (!str_has(s, "LVM-") && !str_has(s, "CRYPT-") && !str_has(s, "mpath-") && !str_has(s, "DMRAID-") &&
                   !str_has(s, "part")))
        return false;
    Str rest = s, cut[8];
    n = 0;
    while (rest.len && n < 8) cut[n++] = str_cut(&rest, sep);
    if (n < 4 || !str_u64(cut[1], major) || !str_u64(cut[2], minor)) return false;
    *name = cut[0];
    return cut[0].len > 0;
}

/* "vg-root: 1 dependencies	: (8, 3) (8, 19)" */
static bool deps_row(Str line) {
    return str_has(line, " dependencies") && str_has(line, ": (");
}

static bool info_key(Str line, Str *value, const char **key) {
    static const char *const words[] = {"Name",       "State",        "Read Ahead",   "Tables present",
                                        "Open count", "Event number", "Major, minor", "Number of targets",
                                        "UUID",       "Subsystem",    "Segments",     "Inactive table"};
    Str k, v;
    if (!dev_key_value(line, &k, &v)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(k, words[i])) {
            *key = words[i];
            *value = v;
            return true;
        }
    return false;
}

static bool starts(Str line) {
    Str name, rest;
    uint64_t a, b;
    size_t depth;
    if (columns_header(line) || deps_row(line)) return true;
    if (str_starts(line, "No devices found") && str_trim(line).len == 16) return true;
    if (table_row(line, &name, &rest)) return name.len && !ch_blank(line.p[0]);
    if (str_starts(line, "Name:") && str_has(line, ":              ")) return true;
    return !ch_blank(line.len ? line.p[0] : ' ') && tree_row(line, &depth, &name, &a, &b) && a >= 240 && a < 256;
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "dmsetup") || path_has(path, "dmsetup") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head), s = str_trim(line), name, rest, value;
        uint64_t a, b;
        size_t depth;
        const char *key;
        if (!s.len) continue;
        if (columns_header(line) || deps_row(line)) return 24 + bits;
        if (table_row(line, &name, &rest)) return (name.len ? 22 : 14) + bits;
        if (str_is(s, "No devices found")) return 12 + bits;
        if (info_key(line, &value, &key) && strcmp(key, "Name") == 0) {
            Str next = head_line(&head);
            return info_key(next, &value, &key) && strcmp(key, "State") == 0 ? 26 + bits : 0;
        }
        if (columns_row(line, &name, &a, &b)) return 18 + bits;
        if (tree_row(line, &depth, &name, &a, &b) && name.len) return 14 + bits;
        return 0;
    }
    return 0;
}

static bool continues(Str line) {
    Str name, rest, value;
    uint64_t a, b;
    size_t depth;
    const char *key;
    return !str_trim(line).len || table_row(line, &name, &rest) || columns_header(line) ||
           columns_row(line, &name, &a, &b) || deps_row(line) || tree_row(line, &depth, &name, &a, &b) ||
           info_key(line, &value, &key) || str_is(str_trim(line), "No devices found");
}

/* ---------------------------------------------------------------- facts */

typedef struct Mapped {
    uint64_t major, minor;
    Str name;
} Mapped;

typedef struct Wanted { /* an edge whose lower end is a number */
    uint64_t major, minor;
    Ref upper;
    Spot at;
} Wanted;

typedef struct Dm {
    ParseCtx *ctx;
    VEC(Mapped) mapped;
    VEC(Wanted) wanted;
    Str asked; /* NAME of `dmsetup table NAME` */
    Str info_name;
    struct {
        size_t depth;
        Ref ref;
    } level[16];
    int levels;
} Dm;

static void want(Dm *d, uint64_t major, uint64_t minor, Ref upper, Spot at) {
    Wanted w = {major, minor, upper, scan_keep(d->ctx->scratch, at)};
    VEC_PUSH(d->ctx->scratch, &d->wanted, w);
}

static void want_words(Dm *d, Str rest, Ref upper, Spot at) {
    for (Str w; (w = str_word(&rest)).len;) {
        uint64_t a, b;
        if (scan_number_pair(w, &a, &b)) want(d, a, b, upper, at);
        else if (str_starts(w, "/dev/")) facts_edge(d->ctx->facts, d->ctx->src, scan_block_ref(d->ctx, w), upper, at);
    }
}

static Ref mapping(Dm *d, Str name, uint64_t major, uint64_t minor, Spot at) {
    ParseCtx *ctx = d->ctx;
    Ref ref = ctx_ref(ctx, REF_DISK, name);
    Mapped m = {major, minor, arena_str(ctx->scratch, name)};
    VEC_PUSH(ctx->scratch, &d->mapped, m);
    facts_same(ctx->facts, ctx->src, ref,
               ctx_ref(ctx, REF_DISK, arena_strf(ctx->scratch, "dm-%llu", (unsigned long long)minor)), "device-mapper",
               at);
    return ref;
}

static void resolve(Dm *d) {
    ParseCtx *ctx = d->ctx;
    for (size_t i = 0; i < d->wanted.count; i++) {
        Wanted *w = &d->wanted.items[i];
        Str name = scan_device_of_number(ctx->scratch, w->major, w->minor);
        for (size_t k = 0; k < d->mapped.count && !name.len; k++)
            if (d->mapped.items[k].major == w->major && d->mapped.items[k].minor == w->minor)
                name = d->mapped.items[k].name;
        if (name.len) facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, name), w->upper, w->at);
    }
}

static bool fraction(Str s, double *used, double *total) {
    size_t slash = str_find_ch(s, '/');
    return slash != SIZE_MAX && str_double(str_sub(s, 0, slash), used) && str_double(str_from(s, slash + 1), total) &&
           *total > 0;
}

/* crypt: cipher key iv-offset device offset [n flag...]; the table says all, status nothing. */
static void crypt_table(Dm *d, Ref ref, const Str *w, size_t n, Spot at) {
    ParseCtx *ctx = d->ctx;
    if (n < 5) return; /* status prints no fields */
    ctx_setting(ctx, ref, "crypt_cipher", w[0], "kernel", at);
    uint64_t count = 0;
    StrBuf flags;
    sb_init(&flags, ctx->scratch);
    if (n > 5 && !str_u64(w[5], &count)) return;
    for (size_t i = 6; i < n && i < 6 + count; i++) {
        Str size = str_after(w[i], "sector_size:"), integrity = str_after(w[i], "integrity:");
        if (size.len) ctx_setting(ctx, ref, "crypt_sector_bytes", size, "kernel", at);
        else if (integrity.len) ctx_setting(ctx, ref, "crypt_integrity", integrity, "kernel", at);
        else if (!str_is(w[i], "iv_large_sectors")) {
            if (flags.len) sb_addc(&flags, ' ');
            sb_add(&flags, w[i]);
        }
    }
    ctx_setting(ctx, ref, "crypt_flags", flags.len ? sb_str(&flags) : STR("none"), "kernel", at);
}

/* transaction used/total used/total held-root mode discard no-space needs-check low-water */
static bool thin_pool_status(Dm *d, Ref ref, const Str *w, size_t n, Spot at) {
    ParseCtx *ctx = d->ctx;
    double used, total;
    if (n == 1 && (str_is(w[0], "Fail") || str_is(w[0], "Error"))) {
        ctx_setting(ctx, ref, "thin_mode", STR("fail"), "kernel", at);
        return true;
    }
    if (n < 3 || !fraction(w[1], &used, &total)) return false;
    ctx_setting_real(ctx, ref, "thin_metadata_pct", floor(1000 * used / total + 0.5) / 10, "kernel", at);
    if (!fraction(w[2], &used, &total)) return false;
    ctx_setting_real(ctx, ref, "thin_data_pct", floor(1000 * used / total + 0.5) / 10, "kernel", at);
    for (size_t i = 3; i < n; i++) {
        if (str_is(w[i], "rw") || str_is(w[i], "ro") || str_is(w[i], "out_of_data_space"))
            ctx_setting(ctx, ref, "thin_mode", w[i], "kernel", at);
        else if (str_ends(w[i], "discard_passdown") || str_is(w[i], "ignore_discard"))
            ctx_setting(ctx, ref, "thin_discard", w[i], "kernel", at);
        else if (str_ends(w[i], "_if_no_space")) {
            ctx_setting(ctx, ref, "thin_no_space", w[i], "kernel", at);
            if (i + 1 < n) ctx_setting_int(ctx, ref, "thin_needs_check", str_is(w[i + 1], "needs_check"), "kernel", at);
        }
    }
    return true;
}

/* metadata-block used/total cache-block used/total hits misses hits misses demotions promotions dirty n feature... */
static bool cache_status(Dm *d, Ref ref, const Str *w, size_t n, Spot at) {
    ParseCtx *ctx = d->ctx;
    double used, total;
    static const char *const names[] = {"dm_cache_read_hits", "dm_cache_read_misses", "dm_cache_write_hits",
                                        "dm_cache_write_misses"};
    if (n == 1 && (str_is(w[0], "Fail") || str_is(w[0], "Error"))) {
        ctx_setting(ctx, ref, "lvm_health", STR("failed"), "kernel", at);
        return true;
    }
    if (n < 11 || !fraction(w[1], &used, &total) || !fraction(w[3], &used, &total)) return false;
    ctx_setting_real(ctx, ref, "cache_used_pct", floor(1000 * used / total + 0.5) / 10, "kernel", at);
    for (size_t i = 0; i < 4; i++) {
        double v;
        if (!str_double(w[4 + i], &v)) return false;
        Row r = ctx_row(ctx, "counter", at);
        row_ref(&r, "node", ref);
        row_text(&r, "name", str_of(names[i]));
        row_text(&r, "kind", STR("dm"));
        row_real(&r, "value", v);
        row_text(&r, "raw", w[4 + i]);
        row_done(&r);
    }
    ctx_setting(ctx, ref, "cache_dirty_blocks", w[10], "kernel", at);
    if (str_is(w[n - 1], "needs_check")) ctx_setting(ctx, ref, "lvm_health", w[n - 1], "kernel", at);
    for (size_t i = 11; i < n; i++)
        if (str_is(w[i], "writethrough") || str_is(w[i], "writeback") || str_is(w[i], "passthrough"))
            ctx_setting(ctx, ref, "cache_mode", w[i], "kernel", at);
    return true;
}

/* level devices health done/total action mismatches ... */
static bool raid_status(Dm *d, Ref ref, Str name, const Str *w, size_t n, Spot at) {
    ParseCtx *ctx = d->ctx;
    uint64_t disks;
    double done, total;
    if (n < 4 || !str_u64(w[1], &disks) || w[2].len != disks || !fraction(w[3], &done, &total)) return false;
    int64_t alive = 0, dead = 0;
    for (size_t i = 0; i < w[2].len; i++) {
        alive += w[2].p[i] == 'A';
        dead += w[2].p[i] == 'D';
    }
    Row r = ctx_row(ctx, "raid_array", at);
    row_ref(&r, "node", ref);
    row_text(&r, "name", name);
    row_text(&r, "kind", STR("dm-raid"));
    row_text(&r, "level", w[0]);
    row_text(&r, "state", w[2]);
    row_int(&r, "raid_disks", (int64_t)disks);
    row_int(&r, "active_disks", alive);
    row_int(&r, "failed_disks", dead);
    if (n > 4) row_text(&r, "sync_action", w[4]);
    if (n > 4 && !str_is(w[4], "idle")) row_real(&r, "sync_pct", 100 * done / total);
    row_done(&r);
    uint64_t mismatches;
    if (n > 5 && str_u64(w[5], &mismatches)) ctx_setting(ctx, ref, "md_mismatch_cnt", w[5], "kernel", at);
    return true;
}

/* devices device... done/total 1 health log... : "2 253:3 253:4 400/400 1 AA 3 disk 253:2 A" */
static bool mirror_status(Dm *d, Ref ref, Str name, const Str *w, size_t n, Spot at) {
    uint64_t disks, a, b;
    double done, total;
    if (!n || !str_u64(w[0], &disks) || disks > 16 || n < disks + 4) return false;
    for (size_t i = 1; i <= disks; i++)
        if (scan_number_pair(w[i], &a, &b)) want(d, a, b, ref, at);
    Str health = w[disks + 3];
    if (!fraction(w[disks + 1], &done, &total) || health.len != disks) return false;
    int64_t alive = 0;
    for (size_t i = 0; i < health.len; i++) alive += health.p[i] == 'A';
    Row r = ctx_row(d->ctx, "raid_array", at);
    row_ref(&r, "node", ref);
    row_text(&r, "name", name);
    row_text(&r, "kind", STR("dm-raid"));
    row_text(&r, "level", STR("mirror"));
    row_text(&r, "state", health);
    row_int(&r, "raid_disks", (int64_t)disks);
    row_int(&r, "active_disks", alive);
    if (done < total) row_real(&r, "sync_pct", 100 * done / total);
    row_done(&r);
    return true;
}

/* Paths of a multipath status are "8:16 A 0": active or failed. */
static void multipath_status(Dm *d, Ref ref, const Str *w, size_t n, Spot at) {
    ParseCtx *ctx = d->ctx;
    int64_t paths = 0, failed = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        uint64_t a, b;
        /* the table lists the same paths with figures behind them: it says nothing of their state */
        if (!scan_number_pair(w[i], &a, &b) || !(str_is(w[i + 1], "A") || str_is(w[i + 1], "F"))) continue;
        paths++;
        failed += w[i + 1].p[0] == 'F';
        want(d, a, b, ref, at);
    }
    /* the table: how many features, and their names: "1 queue_if_no_path 0 2 1 service-time 0 2 2 8:16 1 1 8:32 1 1" */
    uint64_t count;
    bool table = false;
    for (size_t i = 0; i < n; i++)
        table = table || str_ends(w[i], "service-time") || str_is(w[i], "round-robin") ||
                str_is(w[i], "queue-length") || str_is(w[i], "io-affinity");
    if (table && n && str_u64(w[0], &count) && count < n) {
        StrBuf words;
        sb_init(&words, ctx->scratch);
        for (size_t i = 1; i <= count; i++) {
            if (words.len) sb_addc(&words, ' ');
            sb_add(&words, w[i]);
        }
        ctx_setting(ctx, ref, "multipath_features", words.len ? sb_str(&words) : STR("none"), "kernel", at);
    }
    if (!paths) return;
    ctx_setting_int(ctx, ref, "multipath_paths", paths, "kernel", at);
    ctx_setting_int(ctx, ref, "multipath_paths_failed", failed, "kernel", at);
}

static void row(Dm *d, Str name, Str rest, Spot at) {
    ParseCtx *ctx = d->ctx;
    Str w[MAX_WORDS], target = str_word(&rest);
    size_t n = str_words(rest, w, MAX_WORDS);
    if (n > MAX_WORDS) n = MAX_WORDS;
    ctx->rows++;
    if (!name.len) name = d->asked;
    if (!name.len) return;
    Ref ref = ctx_ref(ctx, REF_DISK, name);
    double used = 0, total = 1;
    bool good = true;
    ctx_setting(ctx, ref, "dm_target", target, "kernel", at);
    if (str_is(target, "crypt")) {
        crypt_table(d, ref, w, n, at);
        if (n > 3) want_words(d, w[3], ref, at);
    } else if (str_is(target, "thin-pool")) {
        uint64_t a, b;
        if (n && scan_number_pair(w[0], &a, &b)) want_words(d, rest, ref, at);
        else good = thin_pool_status(d, ref, w, n, at);
    } else if (str_is(target, "cache")) {
        uint64_t a, b;
        if (n && scan_number_pair(w[0], &a, &b)) {
            want_words(d, rest, ref, at);
            for (size_t i = 3; i < n; i++)
                if (str_is(w[i], "writethrough") || str_is(w[i], "writeback") || str_is(w[i], "passthrough"))
                    ctx_setting(ctx, ref, "cache_mode", w[i], "kernel", at);
        } else {
            good = cache_status(d, ref, w, n, at);
        }
    } else if (str_is(target, "raid")) {
        if (n > 3 && fraction(w[3], &used, &total)) good = raid_status(d, ref, name, w, n, at);
        else want_words(d, rest, ref, at);
    } else if (str_is(target, "multipath")) {
        multipath_status(d, ref, w, n, at);
        want_words(d, rest, ref, at);
    } else if (str_is(target, "mirror") && n > 1 && fraction(w[n > 5 ? 3 : 1], &used, &total)) {
        good = mirror_status(d, ref, name, w, n, at);
    } else if (str_is(target, "thin") && n == 1) { /* "Fail" */
        ctx_setting(ctx, ref, "lvm_health", STR("failed"), "kernel", at);
    } else if ((str_is(target, "snapshot") || str_is(target, "snapshot-merge")) && n &&
               (str_is(w[0], "Invalid") || str_is(w[0], "Overflow") || str_is(w[0], "Merge") ||
                fraction(w[0], &used, &total))) {
        if (!ch_digit(w[0].p[0])) ctx_setting(ctx, ref, "snapshot_used_pct", w[0], "kernel", at);
        else ctx_setting_real(ctx, ref, "snapshot_used_pct", floor(1000 * used / total + 0.5) / 10, "kernel", at);
    } else {
        want_words(d, rest, ref, at);
    }
    if (!good) parse_note(ctx, at, "dmsetup: fields of target %.*s not understood", STR_ARG(target));
}

static void tree_line(Dm *d, size_t depth, Str name, uint64_t major, uint64_t minor, Spot at) {
    ParseCtx *ctx = d->ctx;
    ctx->rows++;
    while (d->levels && d->level[d->levels - 1].depth >= depth) d->levels--;
    /* "(8:3)": no mapping; "<sda3> (8:3)" with -o devname */
    if (name.len && name.p[0] == '<' && name.p[name.len - 1] == '>') name = str_sub(name, 1, name.len - 2);
    Str fixed = scan_device_of_number(ctx->scratch, major, minor);
    Ref ref = 0;
    if (fixed.len) ref = ctx_ref(ctx, REF_DISK, fixed);
    else if (name.len && dev_is_name(name)) ref = ctx_ref(ctx, REF_DISK, name);
    else if (name.len) ref = mapping(d, name, major, minor, at);
    if (d->levels && d->level[d->levels - 1].ref && ref)
        facts_edge(ctx->facts, ctx->src, ref, d->level[d->levels - 1].ref, at);
    if (d->levels < 16) {
        d->level[d->levels].depth = depth;
        d->level[d->levels++].ref = ref;
    }
}

static Str asked_name(Str command) {
    Str last = STR_NONE;
    bool verb = false;
    for (Str w; (w = str_word(&command)).len;) {
        if (w.p[0] == '|' || w.p[0] == '>' || w.p[0] == ';' || w.p[0] == '&') break;
        if (verb && w.p[0] != '-') last = w;
        if (str_is(w, "table") || str_is(w, "status")) verb = true;
    }
    if (last.len && last.p[last.len - 1] == ';') last.len--;
    Str mapped = str_after(last, "/dev/mapper/");
    return mapped.p ? mapped : last;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Dm *d = arena_new_of(ctx->scratch, Dm);
    d->ctx = ctx;
    d->asked = asked_name(ctx->command);
    Str line;
    while (input_line(in, &line)) {
        Str s = str_trim(line), name, rest, value;
        Spot at = input_spot(in);
        uint64_t major = 0, minor = 0;
        size_t depth = 0;
        const char *key = NULL;
        if (!s.len || columns_header(line)) continue;
        if (str_is(s, "No devices found")) continue;
        if (table_row(line, &name, &rest)) {
            row(d, name, rest, at);
        } else if (deps_row(line)) {
            ctx->rows++;
            Ref upper = ctx_ref(ctx, REF_DISK, str_cut(&s, ':'));
            for (size_t open; (open = str_find_ch(s, '(')) != SIZE_MAX;) {
                s = str_from(s, open);
                size_t close = str_find_ch(s, ')');
                Str before;
                if (close == SIZE_MAX) break;
                if (number_at_end(str_sub(s, 0, close + 1), &before, &major, &minor)) want(d, major, minor, upper, at);
                s = str_from(s, close + 1);
            }
        } else if (columns_row(line, &name, &major, &minor)) {
            ctx->rows++;
            mapping(d, name, major, minor, at);
        } else if (tree_row(line, &depth, &name, &major, &minor)) {
            tree_line(d, depth, name, major, minor, at);
        } else if (info_key(line, &value, &key)) {
            ctx->rows++;
            size_t comma = str_find_ch(value, ',');
            if (strcmp(key, "Name") == 0) d->info_name = arena_str(ctx->scratch, value);
            else if (strcmp(key, "Major, minor") == 0 && comma != SIZE_MAX && d->info_name.len) {
                if (str_u64(str_trim(str_sub(value, 0, comma)), &major) &&
                    str_u64(str_trim(str_from(value, comma + 1)), &minor))
                    mapping(d, d->info_name, major, minor, at);
                else
                    parse_note(ctx, at, "dmsetup info: \"%.*s\" are no device numbers", STR_ARG(str_sub(value, 0, 40)));
            }
        } else {
            parse_note(ctx, at, "not understood in the output of dmsetup: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    resolve(d);
    return parse_result(ctx);
}

const Parser parser_dmsetup = {
    .name = "dmsetup",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "dmsetup table; dmsetup status; dmsetup ls --tree",
};
