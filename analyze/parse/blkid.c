/*
 * blkid.c - what lies on which block device
 *
 * Reads   blkid, blkid -o export, blkid -o list, blkid -p -o udev
 * Gives   setting fs_type, fs_uuid, fs_label, logical_block_bytes, physical_block_bytes; which partition a PARTUUID is
 * Sample  util-linux 2.38
 *   | /dev/sda1: LABEL="storage" UUID="13402870331" UUID_SUB="77" TYPE="zfs_member" PARTUUID="0c1b..."
 * Varies  order and choice of the fields; -o export has one per line with DEVNAME first, -o udev prefixes them with ID_ and names no
 *         device but its disk's number and the partition. All members of a pool, array or btrfs carry one UUID, so that it
 *         ties no names together; a PARTUUID does.
 */
#include "device_text.h"
#include "scan.h"

static bool word_key(Str key) {
    if (!key.len || !ch_alpha(key.p[0])) return false;
    for (size_t i = 0; i < key.len; i++)
        if (!(key.p[i] >= 'A' && key.p[i] <= 'Z') && key.p[i] != '_' && !ch_digit(key.p[i])) return false;
    return true;
}

/* KEY="value"; quotes inside are escaped with a backslash. */
static bool field(Str *rest, Str *key, Str *value) {
    Str s = str_trim_left(*rest);
    size_t at = str_find(s, "=\"");
    if (at == SIZE_MAX || !word_key(str_sub(s, 0, at))) return false;
    size_t end = at + 2;
    while (end < s.len && s.p[end] != '"') end += s.p[end] == '\\' && end + 1 < s.len ? 2 : 1;
    if (end >= s.len) return false;
    *key = str_sub(s, 0, at);
    *value = str_sub(s, at + 2, end - at - 2);
    *rest = str_from(s, end + 1);
    return true;
}

static bool row(Str line, Str *device, Str *fields) {
    Str s = str_trim(line), key, value;
    size_t colon = str_find(s, ": ");
    if (!str_starts(s, "/dev/") || colon == SIZE_MAX) return false;
    *device = str_sub(s, 0, colon);
    *fields = str_from(s, colon + 2);
    return str_find_ch(*device, ' ') == SIZE_MAX && field(&(Str){fields->p, fields->len}, &key, &value);
}

static bool known_field(Str key) {
    static const char *const words[] = {
        "DEVNAME",           "UUID",       "UUID_SUB",       "TYPE",      "LABEL",       "LABEL_FATBOOT", "PARTUUID",
        "PARTLABEL",         "PTUUID",     "PTTYPE",         "SEC_TYPE",  "BLOCK_SIZE",  "VERSION",       "USAGE",
        "EXT_JOURNAL",       "SYSTEM_ID",  "APPLICATION_ID", "FSSIZE",    "FSBLOCKSIZE", "FSLASTBLOCK",   "MOUNT",
        "PART_ENTRY_SCHEME", "ENDIANNESS", "LOGUUID",        "VOLUME_ID", "PUBLISHER_ID"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(key, words[i])) return true;
    return str_starts(key, "ID_FS_") || str_starts(key, "ID_PART_ENTRY_") || str_starts(key, "ID_IOLIMIT_") ||
           str_starts(key, "ID_PART_TABLE_") || str_starts(key, "PART_ENTRY_") || str_starts(key, "MINIMUM_IO_SIZE") ||
           str_starts(key, "PHYSICAL_SECTOR_SIZE") || str_starts(key, "LOGICAL_SECTOR_SIZE");
}

/* KEY=value of -o export and -o udev. */
static bool pair(Str line, Str *key, Str *value) {
    Str s = str_trim(line);
    size_t at = str_find_ch(s, '=');
    if (at == SIZE_MAX || !word_key(str_sub(s, 0, at))) return false;
    *key = str_sub(s, 0, at);
    *value = str_from(s, at + 1);
    return known_field(*key);
}

static bool list_header(Str line) {
    return str_starts(line, "device") && str_has(line, "fs_type") && str_has(line, "mount point") &&
           str_has(line, "UUID");
}

static bool starts(Str line) {
    Str device, fields, key, value;
    if (row(line, &device, &fields) || list_header(line)) return true;
    return pair(line, &key, &value) &&
           (str_starts(key, "ID_FS_") || (str_is(key, "DEVNAME") && str_starts(value, "/dev/")));
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "blkid") || path_has(path, "blkid") ? 6 : 0, pairs = 0;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head), device, fields, key, value;
        if (!str_trim(line).len) continue;
        if (!pairs && row(line, &device, &fields)) return 24 + bits;
        if (!pairs && list_header(line)) return 28 + bits;
        if (!pair(line, &key, &value)) break;
        pairs++;
        if (pairs == 1 && !str_starts(key, "ID_") && !str_is(key, "DEVNAME")) break;
    }
    return pairs >= 3 ? 18 + bits : 0;
}

static bool continues(Str line) {
    Str device, fields, key, value;
    if (!str_trim(line).len || row(line, &device, &fields) || pair(line, &key, &value) || list_header(line))
        return true;
    if (str_starts(line, "------")) return true;
    return str_starts(line, "/dev/") && (str_has(line, "(not mounted)") || str_has(line, "(in use)") ||
                                         str_has(line, "<swap>") || str_has(line, "  "));
}

/* ---------------------------------------------------------------- facts */

typedef struct Field {
    Str key, value;
    Spot at;
} Field;

typedef struct Block { /* of -o export or udev: its device may come last */
    VEC(Field) fields;
} Block;

static void fact(ParseCtx *ctx, Ref node, Str key, Str value, Spot at) {
    static const struct {
        const char *field, *key;
    } names[] = {{"TYPE", "fs_type"},
                 {"UUID", "fs_uuid"},
                 {"LABEL", "fs_label"},
                 {"PHYSICAL_SECTOR_SIZE", "physical_block_bytes"},
                 {"LOGICAL_SECTOR_SIZE", "logical_block_bytes"}};
    if (str_starts(key, "ID_FS_")) key = str_from(key, 6);
    else if (str_starts(key, "ID_IOLIMIT_")) key = str_from(key, 11);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(key, names[i].field)) ctx_setting(ctx, node, names[i].key, value, "kernel", at);
    if ((str_is(key, "PARTUUID") || str_is(key, "ID_PART_ENTRY_UUID")) && value.len == 36)
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, value), node, "partuuid", at);
}

static void end_block(ParseCtx *ctx, Block *b) {
    Str device = STR_NONE, number = STR_NONE;
    uint64_t major, minor, disk_major = 0, disk_minor = 0;
    bool disk = false;
    for (size_t i = 0; i < b->fields.count; i++) {
        Field *f = &b->fields.items[i];
        if (str_is(f->key, "DEVNAME")) device = f->value;
        if (str_is(f->key, "ID_PART_ENTRY_NUMBER")) number = f->value;
        if (str_is(f->key, "ID_PART_ENTRY_DISK") && scan_number_pair(f->value, &major, &minor)) {
            disk = true;
            disk_major = major;
            disk_minor = minor;
        }
    }
    if (!device.len && disk && number.len) {
        Str name = scan_device_of_number(ctx->scratch, disk_major, disk_minor);
        bool digit = name.len && ch_digit(name.p[name.len - 1]);
        if (name.len) device = arena_strf(ctx->scratch, "%.*s%s%.*s", STR_ARG(name), digit ? "p" : "", STR_ARG(number));
    }
    /* Without a device these are facts about nothing: counted, no more. */
    Ref node = device.len ? scan_block_ref(ctx, device) : 0;
    for (size_t i = 0; node && i < b->fields.count; i++)
        fact(ctx, node, b->fields.items[i].key, b->fields.items[i].value, b->fields.items[i].at);
    b->fields.items = NULL;
    b->fields.count = b->fields.cap = 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Block b = {{NULL, 0, 0}};
    Str line;
    size_t type_at = SIZE_MAX, label_at = SIZE_MAX, mount_at = SIZE_MAX;
    while (input_line(in, &line)) {
        Str device, fields, key, value;
        Spot at = input_spot(in);
        if (!str_trim(line).len) {
            end_block(ctx, &b);
            continue;
        }
        if (row(line, &device, &fields)) {
            Ref node = scan_block_ref(ctx, device);
            ctx->rows++;
            while (field(&fields, &key, &value)) fact(ctx, node, key, value, at);
            if (str_trim(fields).len)
                parse_note(ctx, at, "blkid: \"%.*s\" at the end of the line is no field",
                           STR_ARG(str_sub(str_trim(fields), 0, 60)));
        } else if (list_header(line)) {
            type_at = str_find(line, "fs_type");
            label_at = str_find(line, "label");
            mount_at = str_find(line, "mount point");
        } else if (str_starts(line, "------")) {
            continue;
        } else if (mount_at != SIZE_MAX && str_starts(line, "/dev/")) {
            Str rest = line;
            Ref node = scan_block_ref(ctx, str_word(&rest));
            ctx->rows++;
            /* a long device name stands on a line of its own: the columns of the next one hold */
            if (line.len > mount_at && label_at > type_at && mount_at > label_at) {
                ctx_setting(ctx, node, "fs_type", str_trim(str_sub(line, type_at, label_at - type_at)), "kernel", at);
                ctx_setting(ctx, node, "fs_label", str_trim(str_sub(line, label_at, mount_at - label_at)), "kernel",
                            at);
            }
        } else if (mount_at != SIZE_MAX && ch_blank(line.p[0])) {
            ctx->rows++; /* the rest of a row with a long device name */
        } else if (pair(line, &key, &value)) {
            ctx->rows++;
            if (str_is(key, "DEVNAME")) end_block(ctx, &b);
            Field f = {arena_str(ctx->scratch, key), arena_str(ctx->scratch, value), scan_keep(ctx->scratch, at)};
            VEC_PUSH(ctx->scratch, &b.fields, f);
        } else {
            parse_note(ctx, at, "not understood in the output of blkid: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    end_block(ctx, &b);
    return parse_result(ctx);
}

const Parser parser_blkid = {
    .name = "blkid",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "blkid",
};
