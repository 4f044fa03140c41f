#include "zfs_tree.h"

#include <math.h>
#include <stdio.h>

bool zfs_group_name(Str name, const char **type) {
    static const char *const words[] = {"mirror", "raidz1", "raidz2", "raidz3", "raidz", "replacing", "spare"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++) {
        Str rest = str_after(name, words[i]);
        if (!rest.p) continue;
        bool index = rest.len == 0 || (rest.len > 1 && rest.p[0] == '-');
        for (size_t k = 1; k < rest.len; k++) index = index && ch_digit(rest.p[k]);
        if (index) found = words[i];
    }
    if (found && strcmp(found, "raidz") == 0) found = "raidz1"; /* the old spelling */
    /* draid2:4d:11c:1s-0; draid2-0-0 is a distributed spare, which is a leaf */
    if (!found && str_starts(name, "draid") && str_find_ch(name, ':') != SIZE_MAX) found = "draid";
    if (found && type) *type = found;
    return found != NULL;
}

const char *zfs_class_header(Str name) {
    if (str_is(name, "logs") || str_is(name, "log")) return "log";
    if (str_is(name, "cache")) return "cache";
    if (str_is(name, "special")) return "special";
    if (str_is(name, "dedup")) return "dedup";
    if (str_is(name, "spares")) return "spare";
    return NULL;
}

static bool distributed_spare(Str name) {
    Str rest = str_after(name, "draid");
    if (!rest.p || rest.len < 5) return false;
    for (size_t i = 0; i < rest.len; i++)
        if (!ch_digit(rest.p[i]) && rest.p[i] != '-') return false;
    return str_find_ch(rest, '-') != SIZE_MAX;
}

/* A name under /dev/disk: its prefix alone would also fit pools called nvme-pool or usb-backup, so something that only
   links have must follow: the blank of a model turned into '_', or an identifier with digits. */
static bool link_name(Str name) {
    static const char *const prefixes[] = {"ata-", "scsi-", "nvme-", "usb-", "mmc-", "virtio-", "pci-", "ata_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        Str rest = str_after(name, prefixes[i]);
        if (!rest.p) continue;
        size_t digits = 0;
        for (size_t k = 0; k < rest.len; k++) digits += ch_digit(rest.p[k]);
        return digits >= 2 && (str_find_ch(rest, '_') != SIZE_MAX || str_find_ch(rest, '.') != SIZE_MAX || digits >= 5);
    }
    return str_starts(name, "wwn-0x") || str_starts(name, "wwn-WWN-") || str_starts(name, "nvme-EUI-") ||
           str_starts(name, "gptid/") || str_starts(name, "gpt/") || str_starts(name, "diskid/") ||
           str_starts(name, "label/") || str_starts(name, "dm-uuid-") || str_starts(name, "dm-name-");
}

static bool digits_then(Str *s, char c) {
    size_t n = 0;
    while (n < s->len && ch_digit(s->p[n])) n++;
    if (!n) return false;
    if (c && (n == s->len || s->p[n] != c)) return false;
    *s = str_from(*s, n + (c ? 1 : 0));
    return true;
}

/* nvme0n1, nvme0n1p3, mmcblk0, mmcblk0p1, dm-3 */
static bool numbered_name(Str name) {
    Str rest = str_after(name, "nvme");
    bool ok = rest.p && digits_then(&rest, 'n') && digits_then(&rest, 0);
    if (!ok) {
        rest = str_after(name, "mmcblk");
        ok = rest.p && digits_then(&rest, 0);
    }
    if (ok && rest.len && rest.p[0] == 'p') {
        rest = str_from(rest, 1);
        ok = digits_then(&rest, 0);
    }
    if (!ok) {
        rest = str_after(name, "dm-");
        ok = rest.p && digits_then(&rest, 0);
    }
    return ok && !rest.len;
}

bool zfs_leaf_name(Str name) {
    if (str_starts(name, "/") || link_name(name) || numbered_name(name) || distributed_spare(name)) return true;
    /* sda, sdb3, vda, xvdb1, hda; da0p2, ada1, nda0, nvd0, vtbd0, md0; a guid */
    static const char *const linux_disks[] = {"sd", "vd", "xvd", "hd"}, *const bsd_disks[] = {"da",   "ada",  "nda",
                                                                                              "nvd",  "vtbd", "md",
                                                                                              "aacd", "mfid", "ad"};
    for (size_t i = 0; i < sizeof linux_disks / sizeof *linux_disks; i++) {
        Str rest = str_after(name, linux_disks[i]);
        if (!rest.p || !rest.len) continue;
        size_t letters = 0, k = 0;
        while (k < rest.len && rest.p[k] >= 'a' && rest.p[k] <= 'z') k++, letters++;
        while (k < rest.len && ch_digit(rest.p[k])) k++;
        if (letters >= 1 && letters <= 3 && k == rest.len) return true;
    }
    for (size_t i = 0; i < sizeof bsd_disks / sizeof *bsd_disks; i++) {
        Str rest = str_after(name, bsd_disks[i]);
        if (rest.len && ch_digit(rest.p[0]) && rest.len <= 12) return true;
    }
    size_t digits = 0;
    while (digits < name.len && ch_digit(name.p[digits])) digits++;
    return name.len >= 8 && digits == name.len;
}

void zfs_tree_init(ZfsTree *t) {
    t->top = -1;
    t->top_level = 0;
    t->flat = false;
    t->in_class = "data";
}

static void set_path(ZfsLevel *l, Str parent, Str name, int index) {
    int n;
    if (!parent.p) n = snprintf(l->path, sizeof l->path, "%.*s", STR_ARG(name));
    else if (index < 0) n = snprintf(l->path, sizeof l->path, "%.*s/%.*s", STR_ARG(parent), STR_ARG(name));
    else n = snprintf(l->path, sizeof l->path, "%.*s/%.*s-%d", STR_ARG(parent), STR_ARG(name), index);
    l->path_len = n < 0 ? 0 : (size_t)n < sizeof l->path ? (size_t)n : sizeof l->path - 1;
}

static Str level_path(const ZfsTree *t, int i) {
    return i < 0 ? STR_NONE : (Str){t->level[i].path, t->level[i].path_len};
}

ZfsPlace zfs_tree_pool(ZfsTree *t, Str name, size_t indent) {
    zfs_tree_init(t);
    t->top = 0;
    ZfsLevel *l = &t->level[0];
    l->indent = indent;
    l->children = 0;
    l->pair = l->is_class = false;
    set_path(l, STR_NONE, name, -1);
    return (ZfsPlace){.kind = ZFS_POOL,
                      .name = name,
                      .path = level_path(t, 0),
                      .parent = STR_NONE,
                      .type = "root",
                      .in_class = "data"};
}

/* A name that ends in an index of its own. */
static bool has_index(Str name) {
    size_t dash = str_rfind_ch(name, '-');
    uint64_t v;
    return dash != SIZE_MAX && str_u64(str_from(name, dash + 1), &v);
}

ZfsPlace zfs_tree_place(ZfsTree *t, Str name, size_t indent, int has_children) {
    if (t->top < 0) return zfs_tree_pool(t, name, indent); /* a listing whose pool row was cut off */
    const char *class_name = zfs_class_header(name), *type = NULL;
    bool group = zfs_group_name(name, &type);
    if (class_name) {
        t->top = 0;
        t->in_class = class_name;
        ZfsLevel *l = &t->level[++t->top];
        *l = (ZfsLevel){.indent = indent, .is_class = true};
        set_path(l, STR_NONE, level_path(t, 0), -1);
        return (ZfsPlace){.kind = ZFS_CLASS, .name = name, .parent = level_path(t, 0), .in_class = class_name};
    }
    if (indent <= t->level[0].indent) t->flat = true;
    if (!t->flat) {
        while (t->top > 0 && t->level[t->top].indent >= indent) t->top--;
        if (has_children > 0) group = true;
    } else {
        bool inner = group && (strcmp(type, "replacing") == 0 || strcmp(type, "spare") == 0);
        while (t->top > 0 && t->level[t->top].pair && t->level[t->top].children >= 2) t->top--;
        if (group && !inner)
            while (t->top > 0 && !t->level[t->top].is_class) t->top--;
    }
    ZfsLevel *parent = &t->level[t->top];
    bool top_level = t->top == 0 || parent->is_class;
    int index = top_level ? t->top_level : parent->children;
    bool in_tree = strcmp(t->in_class, "cache") != 0 && strcmp(t->in_class, "spare") != 0;
    if (top_level && in_tree) t->top_level++;
    parent->children++;
    ZfsPlace p = {.name = name, .parent = level_path(t, t->top), .in_class = t->in_class};
    if (group && t->top + 1 < ZFS_MAX_DEPTH) {
        ZfsLevel *l = &t->level[++t->top];
        *l = (ZfsLevel){.indent = indent,
                        .pair = type && (strcmp(type, "replacing") == 0 || strcmp(type, "spare") == 0)};
        set_path(l, p.parent, name, type && !has_index(name) ? index : -1);
        p.kind = ZFS_VDEV;
        p.type = type;
        p.path = level_path(t, t->top);
    } else {
        p.kind = ZFS_LEAF;
        p.type = distributed_spare(name)                               ? "dspare"
                 : str_starts(name, "/") && !str_starts(name, "/dev/") ? "file"
                                                                       : "disk";
    }
    return p;
}

Ref zfs_place_ref(ParseCtx *ctx, const ZfsTree *t, const ZfsPlace *p) {
    switch (p->kind) {
    case ZFS_POOL: return ctx_ref(ctx, REF_POOL, p->name);
    case ZFS_VDEV: return ctx_ref(ctx, REF_VDEV, p->path);
    case ZFS_LEAF: break;
    case ZFS_CLASS: return 0;
    }
    if (!p->type || strcmp(p->type, "dspare") != 0) return ctx_ref(ctx, REF_MEMBER, p->name);
    /* A distributed spare is space on the drives of its draid vdev, not a drive. */
    ZfsLevel l = {0};
    set_path(&l, level_path(t, 0), p->name, -1);
    return ctx_ref(ctx, REF_VDEV, (Str){l.path, l.path_len});
}

Ref zfs_parent_ref(ParseCtx *ctx, const ZfsTree *t, const ZfsPlace *p) {
    if (!p->parent.p) return 0;
    return ctx_ref(ctx, str_eq(p->parent, level_path(t, 0)) ? REF_POOL : REF_VDEV, p->parent);
}

size_t zfs_indent(Str line) {
    size_t n = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.p[i] == ' ') n++;
        else if (line.p[i] == '\t') n = (n / 8 + 1) * 8;
        else break;
    }
    return n;
}

bool zfs_number(Str s, double *out) {
    if (str_is(s, "-")) {
        *out = NAN;
        return true;
    }
    if (!s.len || !ch_digit(s.p[0])) return false;
    return str_scaled(s, 1024, out);
}
