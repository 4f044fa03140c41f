/*
 * zfs_tree.h - which row of a zpool listing hangs under which
 *
 * `zpool status`, `zpool iostat -v` and `zpool list -v` print a pool as rows whose depth is their indentation: two blanks per
 * level, less or none after a paste, none at all with -H. This finds the tree in all of them, and gives every vdev one
 * name: pool/mirror-0, pool/mirror-0/replacing-1. Versions that print a bare "mirror" get the index ZFS itself uses, the
 * position among the top-level vdevs.
 */
#ifndef STORDX_PARSE_ZFS_TREE_H
#define STORDX_PARSE_ZFS_TREE_H

#include "parser.h"

typedef enum ZfsKind { ZFS_POOL, ZFS_CLASS, ZFS_VDEV, ZFS_LEAF } ZfsKind;

enum { ZFS_MAX_DEPTH = 8, ZFS_MAX_PATH = 512 };

typedef struct ZfsLevel {
    size_t indent;
    size_t path_len;
    char path[ZFS_MAX_PATH]; /* "storage" or "storage/mirror-0" */
    int children;
    bool pair; /* replacing or spare: two children */
    bool is_class;
} ZfsLevel;

typedef struct ZfsTree {
    ZfsLevel level[ZFS_MAX_DEPTH];
    int top;       /* index of the innermost open level; -1 before the first pool */
    int top_level; /* top-level vdevs so far, devices of their own included; cache and spares are not vdevs of the tree */
    bool flat;     /* the indentation is lost */
    const char *in_class; /* data log cache special dedup spare */
} ZfsTree;

typedef struct ZfsPlace {
    ZfsKind kind;
    Str name;         /* as printed */
    Str path;         /* of a vdev; valid until the next call */
    Str parent;       /* path of the parent: a pool's name or a vdev's path; valid until the next call */
    const char *type; /* root mirror raidz1 raidz2 raidz3 draid replacing spare disk file dspare; NULL unknown */
    const char *in_class;
} ZfsPlace;

/* mirror, mirror-0, raidz1-0, draid2:4d:11c:1s-0, replacing-1, spare-6: a vdev that has children. *type may be NULL. */
bool zfs_group_name(Str name, const char **type);
/* "logs" -> "log", cache, special, dedup, "spares" -> "spare"; NULL for anything else. */
const char *zfs_class_header(Str name);
/* Could the name only be a leaf (kernel name, link under /dev/disk, path, guid)? Used where nothing else tells. */
bool zfs_leaf_name(Str name);

void zfs_tree_init(ZfsTree *t);
/* A pool's own row. */
ZfsPlace zfs_tree_pool(ZfsTree *t, Str name, size_t indent);
/* Any other row. has_children: 1 or 0 when the caller knows (the next row is deeper), -1 when the name must tell. */
ZfsPlace zfs_tree_place(ZfsTree *t, Str name, size_t indent, int has_children);

/* The ref of a place: pool, vdev or member; 0 for a class header. */
Ref zfs_place_ref(ParseCtx *ctx, const ZfsTree *t, const ZfsPlace *p);
Ref zfs_parent_ref(ParseCtx *ctx, const ZfsTree *t, const ZfsPlace *p);

/* Blanks at the start of a line, a TAB counting to the next multiple of 8. */
size_t zfs_indent(Str line);

/* A number as ZFS prints it: "1.20T", "585", powers of 1024; "-" is NAN. */
bool zfs_number(Str s, double *out);

#endif
