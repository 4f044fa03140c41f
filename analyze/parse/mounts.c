/*
 * mounts.c - what is mounted where, and how full it is
 *
 * Reads   /proc/mounts, /proc/PID/mountinfo, mount, findmnt (tree, list, -J), df, df -i
 * Gives   table mount; edge from the disk or pool to the file system (view kernel)
 * Sample  /proc/self/mountinfo
 *   | 26 1 8:50 / / rw,relatime shared:1 - ext4 /dev/sdd2 rw,errors=remount-ro
 *   | 64 26 0:43 / /storage rw,relatime shared:33 - zfs storage rw,xattr,noacl,casesensitive
 * Sample  df -PT
 *   | Filesystem     Type 1024-blocks      Used Available Capacity Mounted on
 *   | /dev/sdd2      ext4   245073160  30517248 202033448      14% /
 * Varies  blanks in names are \040 in /proc and plain in mount and df; df's header is translated, its columns are found from
 *         the '%'; pseudo file systems (proc, sysfs, cgroup, tmpfs ...) rest on no device and are only counted
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"

#include <math.h>

static bool pseudo(Str type) {
    static const char *const types[] = {"proc",
                                        "sysfs",
                                        "cgroup",
                                        "cgroup2",
                                        "devpts",
                                        "devtmpfs",
                                        "tmpfs",
                                        "ramfs",
                                        "rootfs",
                                        "securityfs",
                                        "debugfs",
                                        "tracefs",
                                        "pstore",
                                        "bpf",
                                        "configfs",
                                        "hugetlbfs",
                                        "mqueue",
                                        "fusectl",
                                        "efivarfs",
                                        "autofs",
                                        "binfmt_misc",
                                        "rpc_pipefs",
                                        "nsfs",
                                        "selinuxfs",
                                        "nfsd",
                                        "squashfs",
                                        "overlay",
                                        "aufs",
                                        "fuse.lxcfs",
                                        "fuse.gvfsd-fuse",
                                        "fuse.portal",
                                        "fuse.snapfuse",
                                        "xenfs",
                                        "usbfs",
                                        "usbdevfs",
                                        "devfs",
                                        "fdescfs",
                                        "linprocfs",
                                        "linsysfs",
                                        "procfs",
                                        "nullfs",
                                        "unionfs",
                                        "shm",
                                        "cpuset",
                                        "oprofilefs",
                                        "sunrpc",
                                        "fuse.gvfs-fuse-daemon",
                                        NULL};
    for (size_t i = 0; types[i]; i++)
        if (str_is(type, types[i])) return true;
    return false;
}

static bool options_word(Str s) {
    return str_starts(s, "rw") || str_starts(s, "ro");
}

/* dev mountpoint type options 0 0 */
static bool proc_line(Str line, Str words[6]) {
    size_t n = str_words(line, words, 6);
    if (n != 6 || words[4].len != 1 || words[5].len != 1 || !ch_digit(words[4].p[0]) || !ch_digit(words[5].p[0]))
        return false;
    return options_word(words[3]) && (words[1].p[0] == '/' || str_is(words[1], "none"));
}

/* 36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
static bool mountinfo_line(Str line, Str *where, Str *type, Str *source, Str *options, Str *super) {
    Str rest = line;
    uint64_t n;
    Str id = str_word(&rest), parent = str_word(&rest), dev = str_word(&rest), root = str_word(&rest);
    *where = str_word(&rest);
    Str own = str_word(&rest);
    size_t colon = str_find_ch(dev, ':');
    if (!str_u64(id, &n) || !str_u64(parent, &n) || colon == SIZE_MAX || !str_u64(str_sub(dev, 0, colon), &n) ||
        !root.len || !where->len || where->p[0] != '/' || !options_word(own))
        return false;
    Str w;
    do w = str_word(&rest);
    while (w.len && !str_is(w, "-"));
    if (!w.len) return false;
    *type = str_word(&rest);
    *source = str_word(&rest);
    *options = own;
    *super = str_word(&rest);
    return type->len > 0;
}

/* "X on Y type Z (opts)", FreeBSD "X on Y (zfs, local)". */
static bool mount_line(Str line, Str *source, Str *where, Str *type, Str *options) {
    line = str_trim_right(line);
    size_t on = str_find(line, " on ");
    if (on == SIZE_MAX || on == 0) return false;
    size_t open = str_find(line, " (");
    size_t kind = SIZE_MAX; /* the last one: mount points and labels can hold " on " and " type " too */
    for (size_t at = 0, next; (next = str_find(str_from(line, at), " type ")) != SIZE_MAX; at += next + 1)
        kind = at + next;
    size_t label = str_find(line, ") ["); /* behind the options */
    if (kind != SIZE_MAX && label != SIZE_MAX && kind > label) {
        line = str_sub(line, 0, label + 1);
        return mount_line(line, source, where, type, options);
    }
    if (open == SIZE_MAX) return false;
    if (kind != SIZE_MAX && kind > on) {
        /* the last " (" behind " type ", because mount points can hold parentheses */
        open = kind + str_find(str_from(line, kind), " (");
        if (str_find(str_from(line, kind), " (") == SIZE_MAX) return false;
    }
    *source = str_sub(line, 0, on);
    Str rest = str_from(line, on + 4);
    if (!rest.len || rest.p[0] != '/') return false;
    size_t close = str_find_ch(str_from(line, open), ')');
    if (close == SIZE_MAX) return false;
    *options = str_sub(line, open + 2, close - 2);
    if (kind != SIZE_MAX && kind > on) {
        *where = str_sub(line, on + 4, kind - on - 4);
        *type = str_trim(str_sub(line, kind + 6, open - kind - 6));
        return str_find_ch(*type, ' ') == SIZE_MAX;
    }
    *where = str_sub(line, on + 4, open - on - 4);
    Str list = *options;
    *type = str_trim(str_cut(&list, ','));
    *options = str_trim(list);
    return str_find_ch(*source, ' ') == SIZE_MAX && type->len > 0 && type->len < 20;
}

static bool df_header(Str line) {
    line = str_trim_right(line);
    static const char *const first[] = {"Filesystem", "Dateisystem", "Sys. de fichiers", "Sys. fich.",
                                        "S.ficheros", "File system", "Bestandssysteem",  "Filsystem",
                                        "Filsystem-", NULL};
    bool named = false;
    for (size_t i = 0; first[i]; i++)
        if (str_starts(line, first[i])) named = true;
    if (!named) return false;
    return str_has(line, "%") || str_has(line, "Capacity") || str_has(line, "Mounted on") || str_has(line, "Kapazit");
}

static bool findmnt_header(Str line) {
    Str words[8];
    size_t n = str_words(line, words, 8);
    return n >= 3 && str_is(words[0], "TARGET") &&
           (str_is(words[1], "SOURCE") || str_is(words[1], "FSTYPE") || str_is(words[1], "SIZE"));
}

/* Rows of findmnt -n: "/sys   sysfs   sysfs   rw,nosuid": target, source, type, options. */
static bool findmnt_row(Str line, Str words[4]) {
    if (str_starts(line, "/dev/") && str_words(line, words, 4) > 1 && words[1].p[0] == '/')
        return false; /* /proc/mounts, cut */
    return str_words(line, words, 4) == 4 && words[0].p[0] == '/' && options_word(words[3]) &&
           (words[3].len == 2 || words[3].p[2] == ',');
}

static int mounts_bid(Str path, Str command, Str head) {
    if (json_looks(head)) {
        size_t at = str_find(head, "\"filesystems\"");
        return at != SIZE_MAX && at < 64 && str_has(head, "\"target\"") ? 32 : 0;
    }
    int evidence = 0;
    Str rest = head;
    for (int n = 0; rest.len && n < 12 && evidence < 48; n++) {
        Str line = head_line(&rest), w[6], a, b, c, d, e;
        if (proc_line(line, w)) evidence += 12;
        else if (mountinfo_line(line, &a, &b, &c, &d, &e)) evidence += 20;
        else if (mount_line(line, &a, &b, &c, &d)) evidence += 12;
        else if (df_header(line)) evidence += 24;
        else if (findmnt_header(line)) evidence += 24;
        else if (findmnt_row(line, w)) evidence += 8;
        else if (!evidence && n > 1) break; /* what comes first decides */
    }
    if (!evidence) {
        bool two = path_has(path, "proc/mounts") || path_has(path, "self/mounts") || path_has(path, "mounts");
        return two && str_starts(str_trim_left(head), "/dev/") ? 8 : 0;
    }
    if (path_has(path, "mount") || path_has(path, "df") || command_is(command, "df") || command_is(command, "mount") ||
        command_is(command, "findmnt"))
        evidence += 8;
    return evidence;
}

static bool mounts_starts(Str line) {
    Str w[6], a, b, c, d, e;
    return proc_line(line, w) || mountinfo_line(line, &a, &b, &c, &d, &e) ||
           (mount_line(line, &a, &b, &c, &d) && str_has(line, " type ")) || df_header(line) || findmnt_header(line) ||
           findmnt_row(line, w);
}

/* A row of df: ends in "N% /mount point". */
static bool df_row(Str line, Str *before, Str *percent, Str *where) {
    Str rest = line;
    size_t offset = 0;
    while (offset < rest.len) {
        size_t p = str_find_ch(str_from(rest, offset), '%');
        if (p == SIZE_MAX) break;
        p += offset;
        size_t from = p;
        while (from > 0 && (ch_digit(rest.p[from - 1]) || rest.p[from - 1] == '-' || rest.p[from - 1] == '.')) from--;
        Str after = str_trim_left(str_from(rest, p + 1));
        if (from < p && from > 0 && ch_blank(rest.p[from - 1]) && after.len && after.p[0] == '/') {
            *before = str_sub(rest, 0, from);
            *percent = str_sub(rest, from, p - from);
            *where = str_trim(after);
            return true;
        }
        offset = p + 1;
    }
    /* "-" instead of a percentage: no such figure */
    size_t dash = str_find(line, " - /");
    if (dash == SIZE_MAX) return false;
    *before = str_sub(line, 0, dash);
    *percent = STR("-");
    *where = str_trim(str_from(line, dash + 3));
    return true;
}

static bool mounts_continues(Str line) {
    Str w[6], a, b, c, d, e;
    if (!str_trim(line).len) return true;
    if (proc_line(line, w) || mountinfo_line(line, &a, &b, &c, &d, &e) || mount_line(line, &a, &b, &c, &d) ||
        df_header(line) || findmnt_header(line))
        return true;
    if (df_row(line, &a, &b, &c) || findmnt_row(line, w)) return true;
    if (str_starts(line, "\xe2\x94\x9c\xe2\x94\x80/") || str_starts(line, "\xe2\x94\x94\xe2\x94\x80/") ||
        str_starts(line, "|-/") || str_starts(line, "`-/"))
        return true;
    Str t = str_trim_left(line); /* deeper levels of findmnt's tree */
    if (str_starts(line, "\xe2\x94\x82") ||
        (ch_blank(line.p[0]) && (str_starts(t, "\xe2\x94") || str_starts(t, "|-/") || str_starts(t, "`-/"))))
        return true;
    return str_starts(line, "df: ") || (str_starts(line, "/dev/") && str_find_ch(str_trim(line), ' ') == SIZE_MAX);
}

/* \040 \011 \012 \134 of /proc */
static Str unescape(Arena *a, Str s) {
    if (str_find_ch(s, '\\') == SIZE_MAX) return s;
    char *p = arena_alloc(a, s.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '\\' && i + 3 < s.len && s.p[i + 1] >= '0' && s.p[i + 1] <= '3' && s.p[i + 2] >= '0' &&
            s.p[i + 2] <= '7' && s.p[i + 3] >= '0' && s.p[i + 3] <= '7') {
            p[n++] = (char)((s.p[i + 1] - '0') * 64 + (s.p[i + 2] - '0') * 8 + (s.p[i + 3] - '0'));
            i += 3;
        } else {
            p[n++] = s.p[i];
        }
    }
    return (Str){p, n};
}

static void mount_row(ParseCtx *ctx, Str source, Str where, Str type, Str options, double size, double used_pct,
                      double inodes_pct, Spot at) {
    ctx->rows++;
    source = unescape(ctx->scratch, str_trim(source));
    where = unescape(ctx->scratch, str_trim(where));
    if (pseudo(type) || !where.len || where.p[0] != '/') return;
    if (!type.len && (str_is(source, "tmpfs") || str_is(source, "udev") || str_is(source, "devtmpfs") ||
                      str_is(source, "overlay") || str_is(source, "none") || str_is(source, "shm") ||
                      str_is(source, "rootfs") || str_is(source, "efivarfs") || str_starts(source, "/dev/loop")))
        return; /* df without -T */
    Ref fs = ctx_ref(ctx, REF_FILESYSTEM, where);
    size_t bracket = str_find_ch(source, '['); /* findmnt: /dev/sda2[/@home] */
    if (bracket != SIZE_MAX && str_starts(source, "/dev/")) source = str_sub(source, 0, bracket);
    if (str_starts(source, "/dev/mapper/"))
        facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, str_from(source, 12)), fs, at);
    else if (str_starts(source, "/dev/")) facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, source), fs, at);
    else if (str_is(type, "zfs")) {
        Str pool = source;
        pool = str_cut(&pool, '/');
        size_t snapshot = str_find_ch(pool, '@');
        facts_edge(ctx->facts, ctx->src,
                   ctx_ref(ctx, REF_POOL, snapshot == SIZE_MAX ? pool : str_sub(pool, 0, snapshot)), fs, at);
    }
    Row r = ctx_row(ctx, "mount", at);
    row_ref(&r, "node", fs);
    row_text(&r, "source", source);
    row_text(&r, "mountpoint", where);
    if (type.len) row_text(&r, "fstype", type);
    if (options.len) row_text(&r, "options", options);
    row_real(&r, "size_bytes", size);
    row_real(&r, "used_pct", used_pct);
    row_real(&r, "inodes_used_pct", inodes_pct);
    row_done(&r);
}

/* df: before the percentage stand [type] size used available. unit: bytes per block; 0: the sizes carry suffixes; NAN: inodes. */
static void df_facts(ParseCtx *ctx, Str before, Str percent, Str where, double unit, Spot at) {
    Str words[12];
    size_t n = str_words(before, words, 12);
    double used = NAN, size = NAN;
    if (n < 4 || n > 12) {
        parse_note(ctx, at, "df: %zu columns before the percentage", n);
        return;
    }
    if (!str_is(percent, "-") && !str_double(percent, &used)) {
        parse_note(ctx, at, "df: percentage \"%.*s\" not understood", STR_ARG(percent));
        return;
    }
    if (isnan(unit)) { /* inodes */
        double space;
        Str capacity =
            n >= 7 && str_ends(words[n - 3], "%") ? str_sub(words[n - 3], 0, words[n - 3].len - 1) : STR_NONE;
        /* FreeBSD prints both: "/dev/ada0p2 1000 400 600 40% 17 83 17% /" */
        bool both = capacity.len && str_double(capacity, &space);
        mount_row(ctx, words[0], where, !both && n >= 5 ? words[n - 4] : STR_NONE, STR_NONE, NAN, both ? space : NAN,
                  used, at);
        return;
    }
    Str size_word = words[n - 3];
    double figure;
    if (unit > 0 ? str_double(size_word, &figure) : dev_size(size_word, &figure))
        size = unit > 0 ? figure * unit : figure;
    else if (!str_is(size_word, "-")) {
        parse_note(ctx, at, "df: size \"%.*s\" not understood", STR_ARG(size_word));
        return;
    }
    Str type = n >= 5 ? words[n - 4] : STR_NONE;
    mount_row(ctx, words[0], where, type, STR_NONE, size, used, NAN, at);
}

/* Bytes per block by the header: "1K-blocks", "1024-blocks", "1K-Blöcke", "512-blocks", "Size"; NAN for df -i. */
static double df_unit(Str header) {
    if (str_ifind(header, "inode") != SIZE_MAX || str_ifind(header, "ifree") != SIZE_MAX) return NAN;
    if (str_has(header, "1K-") || str_has(header, "1024-") || str_has(header, "1k-") || str_has(header, "1K ") ||
        str_has(header, "1K-blo"))
        return 1024;
    if (str_has(header, "512-")) return 512;
    if (str_has(header, "1M-")) return 1048576;
    if (str_has(header, "1B-")) return 1;
    return 0;
}

static Str tree_name(Str s) {
    size_t i = 0;
    while (i < s.len && s.p[i] != '/') i++;
    return str_from(s, i);
}

static void json_filesystem(ParseCtx *ctx, const cJSON *fs, Str path, int depth) {
    if (depth > 64 || !cJSON_IsObject(fs)) return;
    Str where = json_text(json_get(fs, "target")), source = json_text(json_get(fs, "source"));
    double size = NAN;
    json_number(json_get(fs, "size"), &size);
    if (where.len)
        mount_row(ctx, source, where, json_text(json_get(fs, "fstype")), json_text(json_get(fs, "options")), size, NAN,
                  NAN, spot_path(path, where));
    else parse_note(ctx, spot_path(path, STR_NONE), "a file system without a target");
    const cJSON *child;
    size_t index = 0;
    Str children = json_path(ctx->scratch, path, "children");
    cJSON_ArrayForEach(child, json_get(fs, "children"))
        json_filesystem(ctx, child, json_path_index(ctx->scratch, children, index++), depth + 1);
}

static ParseResult parse_json(ParseCtx *ctx, Input *in) {
    Str text;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, (Spot){.line = 1}, "too much JSON: the end was not read");
    Error err = {""};
    Str one = json_next(&text);
    const cJSON *root = json_read(ctx->scratch, one, &err), *fs;
    if (!root) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return parse_result(ctx);
    }
    size_t index = 0;
    cJSON_ArrayForEach(fs, json_get(root, "filesystems"))
        json_filesystem(ctx, fs, json_path_index(ctx->scratch, STR("/filesystems"), index++), 0);
    return parse_result(ctx);
}

static ParseResult mounts_parse(ParseCtx *ctx, Input *in) {
    Str line, held = STR_NONE, wrapped = STR_NONE;
    Spot wrapped_at = {0}, held_at = {0};
    bool first = true, df = false;
    double unit = 1024;
    int col_source = -1, col_type = -1, col_options = -1;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str t = str_trim_right(line), w[6], a, b, c, d, e;
        if (!t.len) continue;
        if (first && json_looks(t)) {
            input_unread(in);
            return parse_json(ctx, in);
        }
        first = false;
        if (df_header(t)) {
            df = true;
            unit = df_unit(t);
            if (held.len) parse_note(ctx, held_at, "df: the row of %.*s is cut", STR_ARG(held));
            held = STR_NONE;
        } else if (findmnt_header(t)) {
            Str heads[8];
            size_t n = str_words(t, heads, 8);
            df = false;
            col_source = col_type = col_options = -1;
            for (size_t i = 0; i < n && i < 8; i++) {
                if (str_is(heads[i], "SOURCE")) col_source = (int)i;
                else if (str_is(heads[i], "FSTYPE")) col_type = (int)i;
                else if (str_is(heads[i], "OPTIONS")) col_options = (int)i;
            }
        } else if (proc_line(t, w)) {
            mount_row(ctx, w[0], w[1], w[2], w[3], NAN, NAN, NAN, at);
        } else if (mountinfo_line(t, &b, &c, &a, &d, &e)) {
            /* the mount's own options, then those of the file system (errors=, barrier=, discard) */
            mount_row(ctx, a, b, c, e.len ? arena_strf(ctx->scratch, "%.*s,%.*s", STR_ARG(d), STR_ARG(e)) : d, NAN, NAN,
                      NAN, at);
        } else if (df && df_row(t, &b, &c, &a)) {
            Str before = held.len ? arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(held), STR_ARG(b)) : b;
            held = STR_NONE;
            df_facts(ctx, before, c, a, unit, at);
        } else if (mount_line(t, &a, &b, &c, &d)) {
            mount_row(ctx, a, b, c, d, NAN, NAN, NAN, at);
        } else if (df && str_find_ch(str_trim(t), ' ') == SIZE_MAX) {
            if (held.len) parse_note(ctx, held_at, "df: the row of %.*s is cut", STR_ARG(held));
            held = arena_str(ctx->scratch, str_trim(t)); /* a long device name alone on its line */
            held_at = at;
            held_at.text = held;
        } else if (str_starts(t, "df: ") || str_starts(t, "mount: ") || str_starts(t, "findmnt: ")) {
            facts_note(ctx->facts, ctx->src, at, str_sub(t, 0, 300));
        } else {
            Str row = tree_name(t), words[8];
            bool joined = wrapped.len > 0 && ch_blank(t.p[0]);
            if (wrapped.len) {
                row = ch_blank(t.p[0]) ? arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(wrapped), STR_ARG(str_trim(t)))
                                       : row;
                if (!ch_blank(t.p[0])) parse_note(ctx, wrapped_at, "mount not understood");
                else t = row;
                wrapped = STR_NONE;
            }
            size_t n = str_words(row, words, 8);
            bool tree = col_source >= 0 && n > (size_t)col_source && n <= 8;
            if (n == 2 && !df && words[0].p[0] == '/' && words[1].p[0] != '/' && !joined) {
                wrapped = arena_str(ctx->scratch, row); /* findmnt: a long source pushes the rest to the next line */
                wrapped_at = at;
                wrapped_at.text = wrapped;
            } else if (tree) {
                mount_row(ctx, words[col_source], words[0],
                          col_type >= 0 && (size_t)col_type < n ? words[col_type] : STR_NONE,
                          col_options >= 0 && (size_t)col_options < n ? words[col_options] : STR_NONE, NAN, NAN, NAN,
                          at);
            } else if (findmnt_row(t, w)) {
                mount_row(ctx, w[1], w[0], w[2], w[3], NAN, NAN, NAN, at);
            } else if (str_words(t, w, 6) == 2 && str_starts(w[0], "/dev/") &&
                       w[1].p[0] == '/') { /* cut down to source and mount point */
                mount_row(ctx, w[0], w[1], STR_NONE, STR_NONE, NAN, NAN, NAN, at);
            } else {
                parse_note(ctx, at, "mount not understood");
            }
        }
    }
    if (wrapped.len) parse_note(ctx, wrapped_at, "mount not understood");
    if (held.len) parse_note(ctx, held_at, "df: the row of %.*s is cut", STR_ARG(held));
    return parse_result(ctx);
}

const Parser parser_mounts = {
    .name = "mounts",
    .bid = mounts_bid,
    .starts = mounts_starts,
    .continues = mounts_continues,
    .parse = mounts_parse,
    .ask = "cat /proc/self/mountinfo; df -PT",
};
