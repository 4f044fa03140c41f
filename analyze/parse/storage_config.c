/*
 * storage_config.c - where a Proxmox server keeps guests and backups
 *
 * Reads   /etc/pve/storage.cfg, /etc/proxmox-backup/datastore.cfg
 * Gives   store: one row per storage or datastore
 * Sample  storage.cfg
 *   | lvmthin: local-lvm
 *   | 	thinpool data
 *   | 	vgname pve
 *   | 	content rootdir,images
 * Sample  datastore.cfg
 *   | datastore: store1
 *   | 	gc-schedule daily
 *   | 	path /mnt/datastore/store1
 * Varies  options in any order, indented by a tab (pastes: blanks); an option may have no value (sparse, disable). Passwords do not stand in
 *         these files.
 */
#include "parser.h"

static const char *const types[] = {"dir",   "nfs",         "cifs",   "zfspool", "zfs",       "lvm", "lvmthin", "btrfs",
                                    "iscsi", "iscsidirect", "cephfs", "rbd",     "glusterfs", "pbs", "esxi"};

/* "TYPE: NAME" at the start of a line. */
static bool section(Str line, Str *type, Str *name) {
    if (!line.len || !ch_alpha(line.p[0])) return false;
    Str rest = line;
    *type = str_cut(&rest, ':');
    if (type->len == line.len || type->len > 16) return false;
    Str word = rest = str_trim(rest);
    *name = str_word(&word);
    if (!name->len || str_trim(word).len || name->len > 100) return false;
    if (str_is(*type, "datastore")) return true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is(*type, types[i])) return true;
    return false;
}

static bool option(Str line) {
    Str s = str_trim(line);
    if (!line.len || !ch_blank(line.p[0]) || !s.len || !ch_alpha(s.p[0])) return false;
    Str rest = s, key = str_word(&rest);
    if (key.len > 30) return false;
    for (size_t i = 0; i < key.len; i++)
        if (!ch_alnum(key.p[i]) && key.p[i] != '-' && key.p[i] != '_') return false;
    return true;
}

static int bid(Str path, Str command, Str head) {
    Str type, name;
    int bits = path_has(path, "storage.cfg") || path_has(path, "datastore.cfg") || path_has(path, "guests_storage") ||
                       path_has(path, "pbs_datastore") || str_has(command, "storage.cfg") ||
                       str_has(command, "datastore.cfg")
                   ? 8
                   : 0;
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len || line.p[0] == '#') continue;
        if (!section(line, &type, &name)) return 0;
        Str next = head_line(&head);
        return option(next) ? 20 + bits : 0;
    }
    return 0;
}

static bool starts(Str line) {
    Str type, name;
    return section(line, &type, &name) && !str_is(type, "zfs") && !str_is(type, "dir");
}

static bool continues(Str line) {
    Str type, name;
    return !str_trim(line).len || option(line) || section(line, &type, &name);
}

typedef struct Store {
    Str type, name, path, pool, server, content, schedule;
    bool disabled;
    Spot at;
} Store;

static void done(ParseCtx *ctx, const Store *s) {
    if (!s->name.len) return;
    Row r = ctx_row(ctx, "store", s->at);
    row_text(&r, "kind", str_is(s->type, "datastore") ? STR("pbs") : STR("pve"));
    row_text(&r, "type", str_is(s->type, "datastore") ? STR_NONE : s->type);
    row_text(&r, "name", s->name);
    row_text(&r, "path", s->path);
    row_text(&r, "pool", s->pool);
    row_text(&r, "server", s->server);
    row_text(&r, "content", s->content);
    row_text(&r, "gc_schedule", s->schedule);
    row_int(&r, "disabled", s->disabled);
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, type, name;
    Store store = {0};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len || line.p[0] == '#') continue;
        if (section(line, &type, &name)) {
            done(ctx, &store);
            ctx->rows++;
            at.text = arena_str(ctx->scratch, at.text);
            store = (Store){.type = arena_str(ctx->scratch, type), .name = arena_str(ctx->scratch, name), .at = at};
        } else if (store.name.len && option(line)) {
            Str value = str_trim(line), key = str_word(&value);
            ctx->rows++;
            value = arena_str(ctx->scratch, str_trim(value));
            if (str_is(key, "path")) store.path = value;
            else if (str_is(key, "pool") || str_is(key, "thinpool") || str_is(key, "vgname")) {
                if (!store.pool.len || str_is(key, "vgname")) {
                    store.pool = store.pool.len
                                     ? arena_strf(ctx->scratch, "%.*s/%.*s", STR_ARG(value), STR_ARG(store.pool))
                                     : value;
                } else if (str_is(key, "thinpool")) {
                    store.pool = arena_strf(ctx->scratch, "%.*s/%.*s", STR_ARG(store.pool), STR_ARG(value));
                }
            } else if (str_is(key, "server")) store.server = value;
            else if (str_is(key, "content")) store.content = value;
            else if (str_is(key, "gc-schedule")) store.schedule = value;
            else if (str_is(key, "disable")) store.disabled = true;
        } else {
            parse_note(ctx, at, "not a line of a storage configuration: \"%.*s\"",
                       STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    done(ctx, &store);
    return parse_result(ctx);
}

const Parser parser_storage_config = {.name = "storage-config",
                                      .bid = bid,
                                      .starts = starts,
                                      .continues = continues,
                                      .parse = parse,
                                      .ask = "cat /etc/pve/storage.cfg /etc/proxmox-backup/datastore.cfg"};
