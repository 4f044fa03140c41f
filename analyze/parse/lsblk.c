/*
 * lsblk.c - block devices as util-linux lists them
 *
 * Reads   lsblk in every form: tree, -l, -i, any -o columns, -f -t -D -S -m, -P pairs, -J JSON, -b
 * Gives   setting of each device (view kernel), edges disk -> partition -> array, LVM or crypt volume -> file system, names that
 *         mean one device (KNAME, PATH)
 * Sample  util-linux 2.38, tree
 *   | NAME        MAJ:MIN RM   SIZE RO TYPE  MOUNTPOINTS
 *   | sda           8:0    0   1.8T  0 disk
 *   | |-sda1        8:1    0   1.8T  0 part
 *   | `-sda9        8:9    0     8M  0 part
 * Varies  the columns: each is found by the header, cells by where header and rows have blanks in common, because model, label and
 *         mount point contain blanks and empty cells leave no mark; sizes are rounded to powers of 1024 unless -b was
 *         given (then plain numbers); numbers in JSON are strings before 2.33; a device under two parents is printed twice
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"

#include <math.h>

static const struct {
    const char *column, *key; /* key NULL: understood here, or of no interest */
    char kind; /* t text, b yes/no as 1/0, s size, n number, o sectors of 512 bytes, p physical sizes in bytes */
} columns[] = {
    {"NAME", NULL, 0},
    {"KNAME", NULL, 0},
    {"PATH", NULL, 0},
    {"PKNAME", NULL, 0},
    {"TYPE", "device_type", 't'},
    {"SIZE", "size_bytes", 's'},
    {"MODEL", "model", 't'},
    {"SERIAL", "serial", 't'},
    {"WWN", "wwn", 'w'},
    {"VENDOR", "vendor", 't'},
    {"REV", "firmware", 't'},
    {"TRAN", "transport", 't'},
    {"HCTL", "hctl", 't'},
    {"ROTA", "rotational", 'b'},
    {"RM", "removable", 'b'},
    {"SCHED", "scheduler", 't'},
    {"PHY-SEC", "physical_block_bytes", 'n'},
    {"LOG-SEC", "logical_block_bytes", 'n'},
    {"RQ-SIZE", "nr_requests", 'n'},
    {"RA", "read_ahead_kb", 'n'},
    {"DISC-GRAN", "discard_granularity_bytes", 's'},
    {"DISC-MAX", "discard_max_bytes", 's'},
    {"ZONED", "zoned", 't'},
    {"STATE", "device_state", 't'},
    {"FSTYPE", "fs_type", 't'},
    {"LABEL", "fs_label", 't'},
    {"UUID", "fs_uuid", 't'},
    {"MOUNTPOINT", NULL, 'm'},
    {"MOUNTPOINTS", NULL, 'm'},
    {"MAJ:MIN", NULL, 0},
    {"RO", NULL, 0},
    {"PARTUUID", NULL, 'u'},
    {"PARTLABEL", NULL, 0},
    {"PTUUID", NULL, 0},
    {"PTTYPE", NULL, 0},
    {"PARTTYPE", NULL, 0},
    {"PARTTYPENAME", NULL, 0},
    {"PARTFLAGS", NULL, 0},
    {"PARTN", NULL, 0},
    {"FSAVAIL", NULL, 0},
    {"FSSIZE", NULL, 0},
    {"FSUSED", NULL, 0},
    {"FSUSE%", NULL, 0},
    {"FSVER", NULL, 0},
    {"FSROOTS", NULL, 0},
    {"OWNER", NULL, 0},
    {"GROUP", NULL, 0},
    {"MODE", NULL, 0},
    {"ALIGNMENT", NULL, 0},
    {"MIN-IO", NULL, 0},
    {"OPT-IO", NULL, 0},
    {"DISC-ALN", NULL, 0},
    {"DISC-ZERO", NULL, 0},
    {"WSAME", NULL, 0},
    {"RAND", NULL, 0},
    {"SUBSYSTEMS", NULL, 0},
    {"HOTPLUG", NULL, 0},
    {"DAX", NULL, 0},
    {"MQ", NULL, 0},
    {"START", "start_bytes", 'o'},
    {"ID", NULL, 0},
    {"ID-LINK", NULL, 'l'},
    {"DISK-SEQ", NULL, 0},
    {"MAJ", NULL, 0},
    {"MIN", NULL, 0},
    {"ZONE-SZ", NULL, 0},
    {"ZONE-WGRAN", NULL, 0},
    {"ZONE-APP", NULL, 0},
    {"ZONE-NR", NULL, 0},
    {"ZONE-OMAX", NULL, 0},
    {"ZONE-AMAX", NULL, 0},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns, MAX_CELLS = 96, MAX_DEPTH = 32 };

static int column_find(Str name) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (str_ieq(name, str_of(columns[i].column))) return i;
    return -1;
}

/* Known column words at the start of a line: how many, and whether all are known. */
static size_t header_words(Str line, bool *all) {
    size_t known = 0;
    *all = true;
    while (line.len) {
        Str w = str_word(&line);
        if (!w.len) break;
        bool upper = true;
        for (size_t i = 0; i < w.len; i++)
            if (w.p[i] >= 'a' && w.p[i] <= 'z') upper = false;
        if (upper && column_find(w) >= 0) known++;
        else *all = false;
    }
    return known;
}

static bool table_header(Str line) {
    bool all;
    if (!str_starts(line, "NAME ") && !str_starts(line, "KNAME ") && !str_is(str_trim(line), "NAME")) {
        size_t n = header_words(line, &all);
        return all && n >= 4;
    }
    size_t n = header_words(line, &all);
    if (!all || n < 2) return false;
    /* "NAME STATE ..." is zpool status, "NAME SIZE ALLOC ..." zpool list: `all` is false for the latter, the former has READ. */
    return n >= 3 || str_has(line, "MOUNTPOINT") || str_has(line, "FSTYPE") || str_has(line, "DISC-GRAN") ||
           str_has(line, "SERIAL") || str_has(line, "ROTA") || str_has(line, "SCHED") || str_has(line, "WWN") ||
           str_has(line, "MODEL") || str_has(line, "WSAME") || str_has(line, "ZONED") || str_has(line, "UUID") ||
           str_has(line, "TYPE") || str_has(line, "KNAME");
}

/* NAME="sda" KNAME="sda" ... */
static bool pairs_line(Str line) {
    size_t eq = str_find(line, "=\"");
    if (eq == SIZE_MAX || eq == 0 || !(line.p[0] >= 'A' && line.p[0] <= 'Z')) return false;
    if (column_find(str_sub(line, 0, eq)) < 0) {
        /* -y: MAJ_MIN instead of MAJ:MIN */
        if (!str_starts(line, "MAJ_MIN=")) return false;
    }
    size_t name = str_find(line, "NAME=\"");
    if (name == SIZE_MAX) return false;
    if (str_has(str_from(line, eq + 2), "=\"")) return true;
    /* os-release, too, has a line NAME="...": a lone one must name a device. */
    Str value = str_from(line, name + 6);
    return dev_is_name(str_strip_dev(str_cut(&value, '"')));
}

/* Depth in the tree and the name without its marks: two characters per level. */
static size_t tree_depth(Str cell, Str *name) {
    size_t marks = 0, i = 0;
    while (i < cell.len) {
        unsigned char c = (unsigned char)cell.p[i];
        if (c == 0xe2 && i + 2 < cell.len && (unsigned char)cell.p[i + 1] == 0x94) i += 3;
        else if (c == ' ' || c == '|' || c == '`' || c == '-') i++;
        else break;
        marks++;
    }
    *name = str_trim(str_from(cell, i));
    return marks / 2;
}

/* The columns of "-o NAME,UUID" or "--output=NAME,UUID". */
static bool output_option(Str command, Str *list) {
    while (command.len) {
        Str w = str_word(&command);
        if (str_is(w, "-o") || str_is(w, "--output")) {
            *list = str_word(&command);
            return list->len > 0;
        }
        if (str_starts(w, "--output=")) {
            *list = str_from(w, 9);
            return true;
        }
        /* -bno NAME,SIZE: clustered short options, the last takes the list */
        if (w.len > 2 && w.p[0] == '-' && w.p[1] != '-' && w.p[w.len - 1] == 'o') {
            *list = str_word(&command);
            return list->len > 0;
        }
    }
    return false;
}

static int lsblk_bid(Str path, Str command, Str head) {
    int evidence = 0, bare_rows = 0;
    Str list;
    if (command_is(command, "lsblk") && output_option(command, &list)) { /* -n: rows without a header */
        Str rest = head, line = head_line(&rest);
        tree_depth(line, &line);
        if (dev_is_name(str_strip_dev(str_word(&line)))) bare_rows = 16;
    }
    if (json_looks(head)) {
        size_t at = str_find(head, "\"blockdevices\"");
        if (at == SIZE_MAX || at > 64) return 0;
        return 32 + (command_is(command, "lsblk") || path_has(path, "lsblk") ? 8 : 0);
    }
    for (int n = 0; head.len && n < 10; n++) {
        Str line = head_line(&head);
        if (table_header(line)) {
            bool all;
            evidence = 16 + 2 * (int)header_words(line, &all);
            break;
        }
        if (pairs_line(line) && (str_has(line, "TYPE=\"") || str_has(line, "SIZE=\"") || str_has(line, "KNAME=\""))) {
            evidence = 32;
            break;
        }
        if (str_has(line, "lsblk: ")) evidence = 12;
    }
    bool named = command_is(command, "lsblk") || path_has(path, "lsblk");
    if (named && evidence) evidence += 8;
    return evidence ? evidence : bare_rows;
}

static bool tree_mark(Str line) {
    return str_starts(line, "\xe2\x94\x9c\xe2\x94\x80") || str_starts(line, "\xe2\x94\x94\xe2\x94\x80") ||
           str_starts(line, "|-") || str_starts(line, "`-") || str_starts(line, "\xe2\x94\x82");
}

static bool lsblk_starts(Str line) {
    return table_header(line) || pairs_line(line);
}

static bool lsblk_continues(Str line) {
    if (pairs_line(line) || tree_mark(line) || table_header(line)) return true;
    Str rest = str_trim_left(line);
    if (tree_mark(rest)) return true;
    if (line.len && ch_blank(line.p[0]))
        return rest.len > 0 && (rest.p[0] == '/' || rest.p[0] == '['); /* further mount points */
    Str name = str_word(&rest);
    /* -l lists volumes by their names: a word with a '-', then blanks up to the column */
    if (str_find_ch(name, '-') != SIZE_MAX && str_starts(rest, "  ") && !str_starts(name, "-")) return true;
    return dev_is_name(str_strip_dev(name)); /* alone, too: -l -f of an empty disk whose blanks were cut off */
}

/* ---------------------------------------------------------------- one device, whatever the form */

typedef struct Cells {
    Str value[COLUMN_COUNT]; /* p == NULL: not given */
} Cells;

typedef struct Lsblk {
    ParseCtx *ctx;
    Ref stack[MAX_DEPTH]; /* devices above the current row, by depth of the tree */
} Lsblk;

static void mount_edge(Lsblk *l, Ref device, Str where, Spot at) {
    where = str_trim(where);
    if (!where.len || where.p[0] != '/') return; /* [SWAP] */
    Ref fs = ctx_ref(l->ctx, REF_FILESYSTEM, where);
    facts_edge(l->ctx->facts, l->ctx->src, device, fs, at);
    ctx_setting(l->ctx, device, "mountpoint", where, "kernel", at);
}

/* type of lsblk to the words of device_type */
static Str device_type(Str type) {
    if (str_is(type, "rom")) return STR("cdrom");
    return type;
}

static Ref device_facts(Lsblk *l, const Cells *c, Ref parent, Spot at) {
    ParseCtx *ctx = l->ctx;
    const Str *v = c->value;
    int i_name = column_find(STR("NAME")), i_kname = column_find(STR("KNAME")), i_path = column_find(STR("PATH"));
    Str name = str_strip_dev(str_trim(v[i_name])), kname = str_strip_dev(str_trim(v[i_kname])),
        path = str_strip_dev(str_trim(v[i_path]));
    if (str_starts(name, "mapper/")) name = str_from(name, 7);
    if (!kname.len) kname = dev_is_name(path) ? path : STR_NONE;
    Str main_name = kname.len ? kname : name.len ? name : path;
    if (!main_name.len) {
        parse_note(ctx, at, "a device without a name");
        return 0;
    }
    Ref ref = ctx_ref(ctx, REF_DISK, main_name);
    if (kname.len && name.len && !str_eq(kname, name))
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, name), ref, "lsblk", at);
    Str type = str_trim(v[column_find(STR("TYPE"))]);
    bool whole = str_is(type, "disk") || str_is(type, "rom") || (!type.len && dev_is_disk(main_name));
    for (int i = 0; i < COLUMN_COUNT; i++) {
        Str value = str_trim(v[i]);
        const char *key = columns[i].key;
        double number;
        if (!value.len || str_is(value, "null")) continue;
        /* Partitions inherit these columns from their disk; as facts they belong to the disk. */
        bool inherited =
            !whole && (i == column_find(STR("MODEL")) || i == column_find(STR("SERIAL")) ||
                       i == column_find(STR("WWN")) || i == column_find(STR("VENDOR")) ||
                       i == column_find(STR("REV")) || i == column_find(STR("TRAN")) || i == column_find(STR("HCTL")));
        if (inherited && type.len && !str_starts(type, "mpath")) continue;
        switch (columns[i].kind) {
        case 't':
            if (i == column_find(STR("TYPE"))) value = device_type(value);
            if (i == column_find(STR("SCHED")) && str_is(value, "none") && !whole) continue;
            ctx_setting(ctx, ref, key, value, "kernel", at);
            break;
        case 'w': {
            Str wwn = dev_wwn(ctx->scratch, value);
            if (!wwn.len) break;
            ctx_setting(ctx, ref, str_istarts(value, "eui.") ? (wwn.len == 32 ? "nguid" : "eui") : "wwn", wwn, "kernel",
                        at);
            break;
        }
        case 'b':
            if (str_is(value, "1") || str_is(value, "true")) ctx_setting_int(ctx, ref, key, 1, "kernel", at);
            else if (str_is(value, "0") || str_is(value, "false")) ctx_setting_int(ctx, ref, key, 0, "kernel", at);
            else parse_note(ctx, at, "%s: neither 0 nor 1: \"%.*s\"", columns[i].column, STR_ARG(value));
            break;
        case 's':
            /* A rounded size ("1.8T") is no capacity to compare drives by, but better than none. */
            if (dev_size(value, &number) && number >= 0 && number < 1.2e18)
                ctx_setting_int(ctx, ref, key, i64_of(round(number)), "kernel", at);
            else parse_note(ctx, at, "%s: size not understood: \"%.*s\"", columns[i].column, STR_ARG(value));
            break;
        case 'n':
            if (str_double(value, &number) && number >= 0) ctx_setting_int(ctx, ref, key, i64_of(number), "kernel", at);
            else parse_note(ctx, at, "%s: expected a number, found \"%.*s\"", columns[i].column, STR_ARG(value));
            break;
        case 'o':
            if (str_double(value, &number) && number >= 0 && number < 1e15)
                ctx_setting_int(ctx, ref, key, i64_of(number) * 512, "kernel", at);
            else parse_note(ctx, at, "%s: expected a number, found \"%.*s\"", columns[i].column, STR_ARG(value));
            break;
        case 'm': {
            Str rest = value;
            if (str_has(rest, "\\x0a")) { /* -P: several mount points in one cell */
                while (rest.len) {
                    size_t cut = str_find(rest, "\\x0a");
                    mount_edge(l, ref, cut == SIZE_MAX ? rest : str_sub(rest, 0, cut), at);
                    rest = cut == SIZE_MAX ? STR_NONE : str_from(rest, cut + 4);
                }
            } else if (i == column_find(STR("MOUNTPOINTS")) &&
                       str_eq(value, str_trim(v[column_find(STR("MOUNTPOINT"))]))) {
                break;
            } else {
                mount_edge(l, ref, value, at);
            }
            break;
        }
        case 'u':
        case 'l':
            facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, value), ref,
                       columns[i].kind == 'u' ? "partuuid" : "by-id", at);
            break;
        default: break;
        }
    }
    Str pkname = str_strip_dev(str_trim(v[column_find(STR("PKNAME"))]));
    if (pkname.len && !str_is(pkname, "null")) parent = ctx_ref(ctx, REF_DISK, pkname);
    if (parent) facts_edge(ctx->facts, ctx->src, parent, ref, at);
    ctx->rows++;
    return ref;
}

/* ---------------------------------------------------------------- pairs */

static void pairs_row(Lsblk *l, Str line, Spot at) {
    Cells c = {0};
    Str rest = line;
    bool good = true;
    while (good) {
        rest = str_trim_left(rest);
        if (!rest.len) break;
        size_t eq = str_find(rest, "=\"");
        if (eq == SIZE_MAX) {
            good = false;
            break;
        }
        Str name = str_sub(rest, 0, eq), value = str_from(rest, eq + 2);
        size_t end = 0;
        while (end < value.len && value.p[end] != '"') end += value.p[end] == '\\' && end + 1 < value.len ? 2 : 1;
        if (end >= value.len) {
            good = false; /* the line is cut inside a value */
            break;
        }
        int column = column_find(name);
        if (column < 0) { /* -y prints DISC_GRAN, MAJ_MIN */
            Str dashed = arena_str(l->ctx->scratch, name);
            char *p = arena_cstr(l->ctx->scratch, dashed);
            for (char *u = p; *u; u++)
                if (*u == '_') *u = '-';
            column = column_find(str_of(p));
        }
        if (column >= 0) c.value[column] = str_sub(value, 0, end);
        rest = str_from(value, end + 1);
    }
    if (!good) parse_note(l->ctx, at, "the row is cut");
    device_facts(l, &c, 0, at);
}

/* ---------------------------------------------------------------- JSON */

static void json_device(Lsblk *l, const cJSON *device, Str path, Ref parent, int depth) {
    if (depth >= MAX_DEPTH) {
        parse_note(l->ctx, spot_path(path, STR_NONE), "devices nested deeper than %d", MAX_DEPTH);
        return;
    }
    if (!cJSON_IsObject(device)) {
        parse_note(l->ctx, spot_path(path, STR_NONE), "a device that is no object");
        return;
    }
    Cells c = {0};
    const cJSON *member, *mounts = NULL;
    Str name = STR_NONE;
    cJSON_ArrayForEach(member, device) {
        Str key = str_of(member->string);
        int column = column_find(key);
        if (str_is(key, "mountpoints") && cJSON_IsArray(member)) {
            mounts = member;
            continue;
        }
        if (column < 0 || cJSON_IsNull(member) || cJSON_IsArray(member) || cJSON_IsObject(member)) continue;
        c.value[column] = json_show(l->ctx->scratch, member);
        if (str_is(key, "name") || (str_is(key, "kname") && !name.len)) name = c.value[column];
    }
    if (mounts) c.value[column_find(STR("MOUNTPOINT"))] = STR_NONE;
    Spot at = spot_path(path, name);
    Ref ref = device_facts(l, &c, parent, at);
    size_t index = 0;
    cJSON_ArrayForEach(member, mounts) {
        if (ref && cJSON_IsString(member)) mount_edge(l, ref, json_text(member), at);
    }
    Str children = json_path(l->ctx->scratch, path, "children");
    cJSON_ArrayForEach(member, json_get(device, "children")) {
        json_device(l, member, json_path_index(l->ctx->scratch, children, index++), ref, depth + 1);
    }
}

static ParseResult parse_json(Lsblk *l, Input *in) {
    Str text;
    if (!input_all(in, l->ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(l->ctx, (Spot){.line = 1}, "more than %d MiB of JSON: the end was not read",
                   JSON_MAX_BYTES / (1024 * 1024));
    bool any = false;
    while (text.len) {
        Str one = json_next(&text);
        if (!one.len) break;
        Error err = {""};
        const cJSON *root = json_read(l->ctx->scratch, one, &err);
        if (!root) {
            parse_note(l->ctx, (Spot){.line = 1}, "%s", err.text);
            continue;
        }
        const cJSON *devices = json_get(root, "blockdevices"), *device;
        if (!cJSON_IsArray(devices)) continue;
        any = true;
        size_t index = 0;
        cJSON_ArrayForEach(device, devices)
            json_device(l, device, json_path_index(l->ctx->scratch, STR("/blockdevices"), index++), 0, 0);
    }
    return any || l->ctx->bad_rows ? parse_result(l->ctx) : PARSE_REJECTED;
}

/* ---------------------------------------------------------------- tables */

/* A line as characters: for each, the offset of its first byte. Columns line up in characters, and tree marks have three bytes. */
typedef struct Row_ {
    Str line;
    Spot at;
    uint32_t *offset; /* count + 1 entries */
    size_t count;
} TextRow;

static TextRow text_row(Arena *a, Str line, Spot at) {
    TextRow r = {.line = arena_str(a, line)};
    r.at = at;
    r.at.text = r.line;
    r.offset = arena_array(a, uint32_t, line.len + 1);
    for (size_t i = 0; i < r.line.len; i++)
        if (((unsigned char)r.line.p[i] & 0xc0) != 0x80) r.offset[r.count++] = (uint32_t)i;
    r.offset[r.count] = (uint32_t)r.line.len;
    return r;
}

static char char_at(const TextRow *r, size_t i) {
    return i < r->count ? r->line.p[r->offset[i]] : ' ';
}

static Str chars(const TextRow *r, size_t from, size_t to) {
    if (to > r->count) to = r->count;
    if (from >= to) return STR("");
    return str_sub(r->line, r->offset[from], r->offset[to] - r->offset[from]);
}

static bool right_aligned(int column) {
    char kind = column >= 0 ? columns[column].kind : 0;
    if (kind == 's' || kind == 'n' || kind == 'o' || kind == 'b') return true;
    static const char *const more[] = {
        "RO",      "ALIGNMENT",  "MIN-IO",   "OPT-IO",  "DISC-ALN",  "DISC-ZERO", "WSAME",    "RAND",  "HOTPLUG",
        "FSAVAIL", "FSSIZE",     "FSUSED",   "FSUSE%",  "DAX",       "START",     "DISK-SEQ", "PARTN", "MQ",
        "ZONE-SZ", "ZONE-WGRAN", "ZONE-APP", "ZONE-NR", "ZONE-OMAX", "ZONE-AMAX", NULL};
    for (size_t i = 0; column >= 0 && more[i]; i++)
        if (!strcmp(columns[column].column, more[i])) return true;
    return false;
}

/* Does cutting the row at these positions give numbers where numbers have to be? Hand-edited and reflowed rows do not. */
static bool positions_fit(const TextRow *row, const size_t *start, const int *column, size_t n, size_t width) {
    for (size_t i = 0; i < n; i++) {
        Str cell = str_trim(chars(row, start[i], i + 1 < n ? start[i + 1] : width));
        double number;
        if (column[i] < 0) continue;
        char kind = columns[column[i]].kind;
        if (!cell.len) continue;
        if (kind == 's' && !dev_size(cell, &number)) return false;
        if ((kind == 'n' || kind == 'o') && !str_double(cell, &number)) return false;
        if (kind == 'b' && !str_is(cell, "0") && !str_is(cell, "1")) return false;
        if (column[i] == column_find(STR("MAJ:MIN")) && str_find_ch(cell, ' ') != SIZE_MAX) return false;
        if (column[i] == column_find(STR("NAME"))) {
            Str name;
            tree_depth(cell, &name);
            if (str_find_ch(name, ' ') != SIZE_MAX && str_find(name, " (") == SIZE_MAX) return false;
        }
    }
    return true;
}

/* A row whose columns are not where the header says, but with a word for every column, or for all but the last (no mount
   point). */
static Ref words_row(Lsblk *l, const TextRow *row, const int *column, size_t n) {
    Str rest = row->line, words[MAX_CELLS];
    size_t depth = tree_depth(rest, &rest);
    size_t have = str_words(rest, words, MAX_CELLS);
    if (have > n || have + 1 < n || have == 0) {
        parse_note(l->ctx, row->at, "%zu cells for %zu columns, and they are not below the header", have, n);
        return 0;
    }
    Cells c = {0};
    for (size_t i = 0; i < have; i++)
        if (column[i] >= 0) c.value[column[i]] = words[i];
    if (depth >= MAX_DEPTH) depth = MAX_DEPTH - 1;
    Ref parent = 0;
    for (size_t k = depth; k-- > 0 && !parent;) parent = l->stack[k];
    l->stack[depth] = device_facts(l, &c, parent, row->at);
    for (size_t k = depth + 1; k < MAX_DEPTH; k++) l->stack[k] = 0;
    return l->stack[depth];
}

/*
 * Where the cells of a table lie. lsblk separates columns by one blank and aligns cells left or right below their header. A border
 * between two columns is a position that is blank in the header and in all rows; between a left-aligned header and the next there
 * can be several, and a cell that is longer than its header widens the column only to the side it is not aligned to. So the border
 * is the last all-blank position before a left-aligned column, and the first behind a right-aligned one before it.
 */
static void table(Lsblk *l, TextRow *rows, size_t count) {
    if (!count) return;
    const TextRow *head = &rows[0];
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].count > width) width = rows[i].count;
    bool *blank = arena_array(l->ctx->scratch, bool, width + 1);
    for (size_t k = 0; k <= width; k++) blank[k] = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rows[i].count; k++)
            if (char_at(&rows[i], k) != ' ') blank[k] = false;

    size_t start[MAX_CELLS], word_start[MAX_CELLS], word_end[MAX_CELLS], n = 0;
    int column[MAX_CELLS];
    for (size_t k = 0; k < head->count && n < MAX_CELLS;) {
        if (char_at(head, k) == ' ') {
            k++;
            continue;
        }
        word_start[n] = k;
        while (k < head->count && char_at(head, k) != ' ') k++;
        word_end[n] = k;
        column[n] = column_find(chars(head, word_start[n], word_end[n]));
        n++;
    }
    for (size_t i = 0; i < n; i++) {
        if (i == 0) {
            start[i] = 0;
            continue;
        }
        /* candidates: all-blank positions between the two header words */
        size_t from = word_end[i - 1], to = word_start[i], first = SIZE_MAX, last = SIZE_MAX;
        for (size_t k = from; k < to; k++)
            if (blank[k]) {
                if (first == SIZE_MAX) first = k;
                last = k;
            }
        if (first == SIZE_MAX) start[i] = to; /* crowded: the header word's start */
        else start[i] = right_aligned(column[i]) ? first + 1 : last + 1;
        if (right_aligned(column[i]) && !right_aligned(column[i - 1]) && first != SIZE_MAX) {
            /* left-aligned before right-aligned: the gap that reaches furthest right of the left column's text is not known; any
               all-blank position does */
            start[i] = last + 1 > first + 1 ? first + 1 : last + 1;
        }
    }
    size_t last_name = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (column[i] == column_find(STR("NAME"))) last_name = i;
    Ref previous = 0;
    for (size_t r = 1; r < count; r++) {
        if (!positions_fit(&rows[r], start, column, n, width)) {
            previous = words_row(l, &rows[r], column, n);
            continue;
        }
        const TextRow *row = &rows[r];
        Cells c = {0};
        size_t depth = 0;
        Str first = str_trim(chars(row, 0, n > 1 ? start[1] : width));
        for (size_t i = 0; i < n; i++) {
            Str cell = chars(row, start[i], i + 1 < n ? start[i + 1] : width);
            if (i == last_name && i == 0) depth = tree_depth(cell, &cell);
            else if (i == last_name) tree_depth(cell, &cell);
            if (column[i] >= 0) c.value[column[i]] = str_trim(cell);
        }
        /* A device with several mount points has a line for each; the further lines hold nothing else, except for the marks. */
        Str bare;
        tree_depth(first, &bare);
        if (!bare.len) {
            Str where = c.value[column_find(STR("MOUNTPOINTS"))];
            if (previous && (str_starts(where, "/") || str_starts(where, "["))) mount_edge(l, previous, where, row->at);
            else parse_note(l->ctx, row->at, "row without a name");
            continue;
        }
        if (depth >= MAX_DEPTH) depth = MAX_DEPTH - 1;
        Str kname = c.value[column_find(STR("KNAME"))];
        Str name = c.value[column_find(STR("NAME"))];
        if (!kname.len && !name.len) {
            parse_note(l->ctx, row->at, "row without a name");
            continue;
        }
        Ref parent = depth ? l->stack[depth - 1] : 0;
        previous = device_facts(l, &c, parent, row->at);
        l->stack[depth] = previous;
        for (size_t k = depth + 1; k < MAX_DEPTH; k++) l->stack[k] = 0;
    }
}

static ParseResult lsblk_parse(ParseCtx *ctx, Input *in) {
    Lsblk l = {.ctx = ctx};
    Str line, list;
    VEC(TextRow) rows = {0};
    int given[MAX_CELLS];
    size_t given_count = 0;
    if (command_is(ctx->command, "lsblk") && output_option(ctx->command, &list))
        while (list.len && given_count < MAX_CELLS) given[given_count++] = column_find(str_cut(&list, ','));
    bool first = true, failed = false, usage = false,
         gap = false; /* gap: an empty line lies between this and the last row */
    enum { MAX_ROWS = 20000 };
    while (input_line(in, &line)) {
        if (first && !str_trim(line).len) continue;
        if (first && json_looks(line)) {
            input_unread(in);
            return parse_json(&l, in);
        }
        first = false;
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (pairs_line(line)) {
            pairs_row(&l, line, at);
        } else if (table_header(line)) {
            table(&l, rows.items, rows.count);
            rows.count = 0;
            gap = false;
            TextRow row = text_row(ctx->scratch, line, at);
            VEC_PUSH(ctx->scratch, &rows, row);
        } else if (str_has(line, "lsblk: ")) {
            failed = true;
            facts_note(ctx->facts, ctx->src, at, str_sub(line, 0, 300));
        } else if (!line.len || usage) {
            gap = gap || rows.count;
            continue;
        } else if (failed && !rows.count &&
                   (str_starts(str_trim(line), "Usage:") || str_starts(str_trim(line), "Try '"))) {
            usage = true; /* what util-linux prints behind a wrong option: help, up to the end */
        } else if (gap && !lsblk_continues(line)) { /* the words behind a pasted table would hide its columns */
            parse_note(ctx, at, "not a row of lsblk: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        } else if (rows.count && rows.count < MAX_ROWS) {
            TextRow row = text_row(ctx->scratch, str_sub(line, 0, 8192), at);
            VEC_PUSH(ctx->scratch, &rows, row);
        } else if (rows.count) {
            parse_note(ctx, at, "more than %d devices", MAX_ROWS);
        } else if (given_count) {
            TextRow row = text_row(ctx->scratch, line, at);
            words_row(&l, &row, given, given_count);
        } else {
            parse_note(ctx, at, "a row before any column header");
        }
    }
    table(&l, rows.items, rows.count);
    if (!ctx->rows && !ctx->bad_rows && failed) return PARSE_NOTHING;
    return parse_result(ctx);
}

const Parser parser_lsblk = {
    .name = "lsblk",
    .bid = lsblk_bid,
    .starts = lsblk_starts,
    .continues = lsblk_continues,
    .parse = lsblk_parse,
    .ask = "lsblk -o "
           "NAME,KNAME,TYPE,SIZE,MODEL,SERIAL,WWN,TRAN,HCTL,ROTA,SCHED,DISC-GRAN,DISC-MAX,FSTYPE,LABEL,MOUNTPOINT",
};
