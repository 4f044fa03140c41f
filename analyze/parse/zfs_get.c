/*
 * zfs_get.c - properties of ZFS file systems and volumes
 *
 * Reads   zfs list [-H] [-p] [-o ...] [-t ...] and zfs get [-H] [-p] [-o ...], as text of ZFS 0.6 to 2.4 and as JSON (2.3+)
 * Gives   setting of a dataset (sync, compression, recordsize_bytes, used_bytes ...), edges pool -> dataset -> mount point
 * Sample  OpenZFS 2.1, zfs get
 *   | NAME        PROPERTY     VALUE   SOURCE
 *   | storage/vm  sync         always  local
 * Sample  zfs list
 *   | NAME      USED  AVAIL     REFER  MOUNTPOINT
 *   | storage  1.20T   560G       96K  /storage
 * Varies  columns follow -o: the header counts. -H separates by TAB and prints no header: then -o of the command, or the five
 *         default columns, or the seven of -o space. With -p sizes are bytes. "-" is a property that does not apply, "none" a
 *         limit that is not set. Names and mount points may hold blanks. Snapshots and bookmarks are counted, no more.
 */
#include "json.h"
#include "scan.h"
#include "zfs_tree.h"

#include <math.h>

enum { MAX_COLUMNS = 40 };

typedef enum As { AS_NONE, AS_TEXT, AS_BYTES, AS_RATIO, AS_MOUNT, AS_TYPE, AS_MOUNTED } As;

/* header: how `zfs list` heads the column; NULL: the name in capitals. */
static const struct Property {
    const char *name, *header, *key;
    As as;
} properties[] = {
    {"type", NULL, "dataset_type", AS_TYPE},
    {"creation", NULL, NULL, AS_NONE},
    {"used", NULL, "used_bytes", AS_BYTES},
    {"available", "AVAIL", "available_bytes", AS_BYTES},
    {"referenced", "REFER", "referenced_bytes", AS_BYTES},
    {"compressratio", "RATIO", "compressratio", AS_RATIO},
    {"refcompressratio", "REFRATIO", NULL, AS_NONE},
    {"mounted", NULL, NULL, AS_MOUNTED},
    {"mountpoint", NULL, "mountpoint", AS_MOUNT},
    {"quota", NULL, "quota_bytes", AS_BYTES},
    {"refquota", NULL, NULL, AS_NONE},
    {"reservation", "RESERV", NULL, AS_NONE},
    {"refreservation", "REFRESERV", "refreservation_bytes", AS_BYTES},
    {"recordsize", "RECSIZE", "recordsize_bytes", AS_BYTES},
    {"volsize", NULL, "volsize_bytes", AS_BYTES},
    {"volblocksize", "VOLBLOCK", "volblocksize_bytes", AS_BYTES},
    {"sharenfs", NULL, NULL, AS_NONE},
    {"sharesmb", NULL, NULL, AS_NONE},
    {"checksum", NULL, NULL, AS_NONE},
    {"compression", "COMPRESS", "compression", AS_TEXT},
    {"atime", NULL, "atime", AS_TEXT},
    {"relatime", NULL, "relatime", AS_TEXT},
    {"devices", NULL, NULL, AS_NONE},
    {"exec", NULL, NULL, AS_NONE},
    {"setuid", NULL, NULL, AS_NONE},
    {"zoned", NULL, NULL, AS_NONE},
    {"jailed", NULL, NULL, AS_NONE},
    {"snapdir", NULL, NULL, AS_NONE},
    {"aclinherit", NULL, NULL, AS_NONE},
    {"aclmode", NULL, NULL, AS_NONE},
    {"acltype", NULL, NULL, AS_NONE},
    {"createtxg", NULL, NULL, AS_NONE},
    {"canmount", NULL, NULL, AS_NONE},
    {"xattr", NULL, "xattr", AS_TEXT},
    {"copies", NULL, "copies", AS_TEXT},
    {"utf8only", NULL, NULL, AS_NONE},
    {"normalization", NULL, NULL, AS_NONE},
    {"casesensitivity", NULL, NULL, AS_NONE},
    {"vscan", NULL, NULL, AS_NONE},
    {"nbmand", NULL, NULL, AS_NONE},
    {"primarycache", NULL, "primarycache", AS_TEXT},
    {"secondarycache", NULL, "secondarycache", AS_TEXT},
    {"usedbysnapshots", "USEDSNAP", "usedbysnapshots_bytes", AS_BYTES},
    {"usedbydataset", "USEDDS", NULL, AS_NONE},
    {"usedbychildren", "USEDCHILD", NULL, AS_NONE},
    {"usedbyrefreservation", "USEDREFRESERV", "usedbyrefreservation_bytes", AS_BYTES},
    {"logbias", NULL, "logbias", AS_TEXT},
    {"objsetid", NULL, NULL, AS_NONE},
    {"dedup", NULL, "dedup", AS_TEXT},
    {"mlslabel", NULL, NULL, AS_NONE},
    {"sync", NULL, "sync", AS_TEXT},
    {"direct", NULL, "direct", AS_TEXT},
    {"dnodesize", "DNSIZE", "dnodesize", AS_TEXT},
    {"written", NULL, NULL, AS_NONE},
    {"logicalused", "LUSED", NULL, AS_NONE},
    {"logicalreferenced", "LREFER", NULL, AS_NONE},
    {"volmode", NULL, NULL, AS_NONE},
    {"volthreading", NULL, NULL, AS_NONE},
    {"filesystem_limit", "FSLIMIT", NULL, AS_NONE},
    {"snapshot_limit", "SSLIMIT", NULL, AS_NONE},
    {"filesystem_count", "FSCOUNT", NULL, AS_NONE},
    {"snapshot_count", "SSCOUNT", NULL, AS_NONE},
    {"snapdev", NULL, NULL, AS_NONE},
    {"overlay", NULL, NULL, AS_NONE},
    {"context", NULL, NULL, AS_NONE},
    {"fscontext", NULL, NULL, AS_NONE},
    {"defcontext", NULL, NULL, AS_NONE},
    {"rootcontext", NULL, NULL, AS_NONE},
    {"redundant_metadata", "REDUND_MD", NULL, AS_NONE},
    {"special_small_blocks", NULL, "special_small_blocks_bytes", AS_BYTES},
    {"encryption", NULL, "encryption", AS_TEXT},
    {"encryptionroot", NULL, NULL, AS_NONE},
    {"keylocation", NULL, NULL, AS_NONE},
    {"keyformat", NULL, NULL, AS_NONE},
    {"keystatus", NULL, NULL, AS_NONE},
    {"pbkdf2iters", NULL, NULL, AS_NONE},
    {"snapshots_changed", NULL, NULL, AS_NONE},
    {"prefetch", NULL, NULL, AS_NONE},
    {"longname", NULL, NULL, AS_NONE},
    {"origin", NULL, NULL, AS_NONE},
    {"receive_resume_token", NULL, NULL, AS_NONE},
};

static const struct Property *property_of(Str name) {
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (str_is(name, properties[i].name)) return &properties[i];
    if (str_is(name, "avail")) return property_of(STR("available"));
    if (str_is(name, "refer")) return property_of(STR("referenced"));
    if (str_is(name, "recsize")) return property_of(STR("recordsize"));
    if (str_is(name, "compress")) return property_of(STR("compression"));
    return NULL;
}

static const struct Property *property_of_header(Str word) {
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        const struct Property *p = &properties[i];
        if (p->header ? str_is(word, p->header) : str_ieq(word, str_of(p->name)) && word.len && word.p[0] <= 'Z')
            return p;
    }
    return NULL;
}

/* ---------------------------------------------------------------- shapes */

/* Shared with zpool get: what pools have, too, proves nothing. */
static bool dataset_only(Str property) {
    const struct Property *p = property_of(property);
    return p != NULL;
}

static bool user_property(Str s) {
    size_t colon = str_find_ch(s, ':');
    return colon != SIZE_MAX && colon > 0 && colon + 1 < s.len && s.p[0] != '/';
}

static bool list_header(Str line, const struct Property **col, size_t *count) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS), known = 0;
    if (n < 2 || n > MAX_COLUMNS || !str_is(w[0], "NAME")) return false;
    for (size_t i = 0; i < n; i++) {
        const struct Property *p = property_of_header(w[i]);
        if (i && p) known++;
        if (col) col[i] = p;
        for (size_t k = 0; k < w[i].len; k++) /* headers are in capitals */
            if (w[i].p[k] >= 'a' && w[i].p[k] <= 'z') return false;
    }
    if (count) *count = n;
    /* NAME TYPE SIZE ... is lsblk's, NAME SIZE ALLOC FREE zpool's */
    return known >= 2 && known + 2 > n && !(n > 2 && str_is(w[1], "SIZE"));
}

/* A header that only zfs list prints; "NAME TYPE MOUNTPOINT" could be lsblk's. */
static bool own_header(Str line) {
    Str w[MAX_COLUMNS];
    if (!list_header(line, NULL, NULL)) return false;
    size_t n = str_words(line, w, MAX_COLUMNS);
    static const char *const words[] = {"USED",     "REFER", "RECSIZE",      "VOLBLOCK",  "COMPRESS", "SYNC",
                                        "USEDSNAP", "RATIO", "VOLSIZE",      "DEDUP",     "LOGBIAS",  "ATIME",
                                        "LUSED",    "QUOTA", "PRIMARYCACHE", "REFRESERV", "MOUNTED",  "SECONDARYCACHE"};
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_is(w[i], words[k])) return true;
    return false;
}

static bool get_header(Str line) {
    Str w[6];
    size_t n = str_words(line, w, 6);
    return (n >= 3 && str_is(w[0], "NAME") && str_is(w[1], "PROPERTY") && str_is(w[2], "VALUE")) ||
           (n >= 2 && n <= 3 && str_is(w[0], "PROPERTY") && str_is(w[1], "VALUE"));
}

/* Takes the source off the end of a row: "local", "-", "inherited from tank". */
static bool cut_source(Str *rest) {
    static const char *const words[] = {"local", "default", "-", "received", "temporary", "none"};
    Str s = str_trim(*rest);
    size_t from = str_find(s, "inherited from ");
    if (from != SIZE_MAX && (from == 0 || ch_blank(s.p[from - 1]))) {
        *rest = str_trim(str_sub(s, 0, from));
        return true;
    }
    size_t last = s.len;
    while (last && !ch_blank(s.p[last - 1])) last--;
    Str word = str_from(s, last);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (last && str_is(word, words[i])) {
            *rest = str_trim(str_sub(s, 0, last));
            return true;
        }
    return false;
}

typedef struct GetRow {
    Str name, property, value;
    bool known, source;
} GetRow;

/* NAME PROPERTY VALUE [SOURCE]; a name may hold blanks, the property is the first word that is one. */
static bool get_row(Str line, GetRow *row) {
    Str rest = str_trim(line);
    *row = (GetRow){.known = false};
    if (str_find_ch(rest, '\t') != SIZE_MAX) {
        row->name = str_cut(&rest, '\t');
        row->property = str_cut(&rest, '\t');
        row->value = str_trim(str_cut(&rest, '\t'));
        Str source = rest;
        row->source = str_starts(source, "inherited from ") || str_is(source, "-") || str_is(source, "local") ||
                      str_is(source, "default") || str_is(source, "received") || str_is(source, "temporary");
        row->known = property_of(row->property) != NULL;
        return row->name.len && row->property.len && (row->known || user_property(row->property) || row->source);
    }
    Str w[12];
    size_t n = str_words(rest, w, 12);
    if (n > 12) n = 12;
    for (size_t i = 1; i < n; i++) {
        if (!property_of(w[i]) && !user_property(w[i])) continue;
        row->name = (Str){w[0].p, (size_t)(w[i - 1].p + w[i - 1].len - w[0].p)};
        row->property = w[i];
        row->known = property_of(w[i]) != NULL;
        Str value = str_trim(str_from(rest, (size_t)(w[i].p + w[i].len - rest.p)));
        row->source = cut_source(&value);
        row->value = value;
        return value.len > 0;
    }
    if (n < 3) return false;
    row->name = w[0];
    row->property = w[1];
    Str value = str_trim(str_from(rest, (size_t)(w[1].p + w[1].len - rest.p)));
    row->source = cut_source(&value);
    row->value = value;
    return row->source && value.len;
}

static bool dataset_name(Str s) {
    if (!s.len || !ch_alpha(s.p[0])) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (!ch_alnum(c) && c != '_' && c != '-' && c != '.' && c != ':' && c != '/' && c != '@' && c != '#' &&
            c != ' ' && c != '%')
            return false;
    }
    return true;
}

/* A TAB row of zfs list -H: a name, then sizes and '-', perhaps a mount point. */
static bool tab_list_row(Str line, size_t *count) {
    Str rest = str_trim_right(line);
    size_t n = 0, sizes = 0;
    if (str_find_ch(rest, '\t') == SIZE_MAX || rest.p[0] == '\t') return false;
    while (rest.len) {
        Str cell = str_cut(&rest, '\t');
        double v;
        if (n == 0 && !dataset_name(cell)) return false;
        if (n && zfs_number(cell, &v)) sizes++;
        else if (n &&
                 !(rest.len == 0 && n == 4 && (cell.p[0] == '/' || str_is(cell, "none") || str_is(cell, "legacy"))))
            return false;
        n++;
    }
    *count = n;
    return (n == 5 && sizes >= 3) || (n == 7 && sizes == 6);
}

static bool list_row(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS), sizes = 0;
    double v;
    if (n < 3 || n > MAX_COLUMNS || !dataset_name(w[0])) return false;
    Str end = w[n - 1];
    bool where = str_is(end, "none") || str_is(end, "legacy") || str_is(end, "-");
    for (size_t i = 1; i < n; i++) {
        if (zfs_number(w[i], &v)) sizes++;
        if (sizes >= 3 && w[i].p[0] == '/') where = true; /* what follows belongs to the path */
    }
    return sizes >= 3 && (where || sizes == n - 1);
}

/* Only zfs get prints such a row: a property that pools do not have, and where its value comes from. */
static bool own_get_row(Str line) {
    GetRow r;
    return get_row(line, &r) && r.known && r.source && dataset_only(r.property) && dataset_name(r.name) &&
           str_find_ch(r.name, ' ') == SIZE_MAX;
}

static bool starts(Str line) {
    return own_header(line) || own_get_row(line) || str_is(str_trim(line), "no datasets available");
}

static bool continues(Str line) {
    GetRow r;
    size_t n;
    return !str_trim(line).len || list_header(line, NULL, NULL) || get_header(line) || list_row(line) ||
           tab_list_row(line, &n) || (get_row(line, &r) && (r.known || r.source)) ||
           str_is(str_trim(line), "no datasets available");
}

static int bid(Str path, Str command, Str head) {
    bool zfs = command_is(command, "zfs") || path_has(path, "zfs");
    int bits = zfs ? 6 : 0;
    if (json_looks(head))
        return str_has(head, "\"datasets\"") && (str_has(head, "zfs list") || str_has(head, "zfs get")) ? 28 : 0;
    for (int n = 0; n < 5 && head.len; n++) {
        Str line = head_line(&head);
        GetRow r;
        size_t columns;
        if (!str_trim(line).len) continue;
        if (own_header(line)) return 24 + bits;
        if (str_is(str_trim(line), "no datasets available")) return 24 + bits;
        if (get_header(line)) {
            Str first = head_line(&head);
            if (str_starts(str_trim(line), "PROPERTY")) {
                Str property = str_word(&first);
                return property_of(property) ? 22 + bits : 0;
            }
            return get_row(first, &r) && (r.known || (zfs && user_property(r.property))) ? 26 + bits : 0;
        }
        if (own_get_row(line)) return 18 + bits;
        if (list_header(line, NULL, NULL) && zfs) return 16;
        if (zfs && get_row(line, &r) && r.known && str_find_ch(str_trim(line), '\t') != SIZE_MAX) return 14 + bits;
        if (tab_list_row(line, &columns)) return columns == 5 ? 12 + bits : zfs ? 14 : 0;
        return 0;
    }
    return 0;
}

/* ---------------------------------------------------------------- facts */

typedef struct State {
    ParseCtx *ctx;
    const struct Property *col[MAX_COLUMNS];
    size_t cols;
    bool header, is_get, no_name;
    Str asked; /* dataset the command names, for `-o property,value` */
    /* the dataset of the last row */
    char name_text[400];
    Str name;
    Ref ref;
    bool unmounted;
} State;

static bool snapshot(Str name) {
    return str_find_ch(name, '@') != SIZE_MAX || str_find_ch(name, '#') != SIZE_MAX;
}

static void dataset(State *s, Str name, Spot at) {
    ParseCtx *ctx = s->ctx;
    if (s->ref && str_eq(name, s->name)) return;
    size_t n = name.len < sizeof s->name_text ? name.len : sizeof s->name_text;
    memcpy(s->name_text, name.p, n);
    s->name = (Str){s->name_text, n};
    s->unmounted = false;
    s->ref = ctx_ref(ctx, REF_DATASET, s->name);
    Str pool = s->name;
    facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_POOL, str_cut(&pool, '/')), s->ref, at);
}

/* One value of the dataset in hand. false: it is none of that property. */
static bool value_of(State *s, const struct Property *p, Str v, Spot at) {
    ParseCtx *ctx = s->ctx;
    double d = NAN;
    v = str_trim(v);
    if (!p || p->as == AS_NONE || !v.len || str_is(v, "-")) return true;
    switch (p->as) {
    case AS_BYTES:
        if (str_is(v, "none")) return true;
        if (str_is(v, "auto")) return true; /* refreservation of a volume */
        if (!zfs_number(v, &d)) return false;
        ctx_setting(ctx, s->ref, p->key, arena_strf(ctx->scratch, "%.0f", d), "kernel", at);
        return true;
    case AS_RATIO:
        if (v.p[v.len - 1] == 'x') v.len--;
        if (!str_double(v, &d)) return false;
        ctx_setting_real(ctx, s->ref, p->key, d, "kernel", at);
        return true;
    case AS_MOUNTED: s->unmounted = str_is(v, "no"); return true;
    case AS_MOUNT:
        ctx_setting(ctx, s->ref, p->key, v, "kernel", at);
        if (v.p[0] == '/' && !s->unmounted)
            facts_edge(ctx->facts, ctx->src, s->ref, ctx_ref(ctx, REF_FILESYSTEM, v), at);
        return true;
    case AS_TYPE:
        if (str_ieq(v, STR("filesystem"))) v = STR("filesystem");
        else if (str_ieq(v, STR("volume"))) v = STR("volume");
        ctx_setting(ctx, s->ref, p->key, v, "kernel", at);
        return true;
    case AS_TEXT: ctx_setting(ctx, s->ref, p->key, v, "kernel", at); return true;
    case AS_NONE: break;
    }
    return true;
}

static void get_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    GetRow r = {.known = false};
    if (s->no_name) {
        Str rest = str_trim(line);
        r.property = str_word(&rest);
        cut_source(&rest);
        r.value = str_trim(rest);
        r.name = s->asked;
        if (!r.value.len) {
            parse_note(ctx, at, "not a row of zfs get: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            return;
        }
    } else if (!get_row(line, &r)) {
        Str w[4];
        size_t n = str_words(line, w, 4);
        if (n < 3 || !dataset_name(w[0])) {
            parse_note(ctx, at, "not a row of zfs get: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            return;
        }
        ctx->rows++; /* a property of a later version, from -o without SOURCE */
        return;
    }
    ctx->rows++;
    if (!r.name.len || snapshot(r.name)) return;
    dataset(s, r.name, at);
    const struct Property *p = property_of(r.property);
    if (!value_of(s, p, r.value, at))
        parse_note(ctx, at, "zfs get: \"%.*s\" is no value of %.*s", STR_ARG(str_sub(r.value, 0, 40)),
                   STR_ARG(r.property));
}

/* Columns of -H, by -o of the command or by their number. */
static bool guess_columns(State *s, size_t n) {
    static const char *const five[] = {"name", "used", "available", "referenced", "mountpoint"};
    static const char *const space[] = {
        "name", "available", "used", "usedbysnapshots", "usedbydataset", "usedbyrefreservation", "usedbychildren"};
    Str rest = s->ctx->command, list = STR_NONE;
    for (Str w; (w = str_word(&rest)).len;) {
        if (w.p[0] != '-' || w.len < 2 || w.p[1] == '-') continue;
        size_t o = str_find_ch(w, 'o');
        if (o == SIZE_MAX) continue;
        list = o + 1 < w.len ? str_from(w, o + 1) : str_word(&rest);
        break;
    }
    if (list.len && !str_is(list, "space")) {
        s->cols = 0;
        while (list.len && s->cols < MAX_COLUMNS) {
            Str word = str_cut(&list, ',');
            s->col[s->cols++] = str_is(word, "name") ? NULL : property_of(word);
        }
        return s->cols == n;
    }
    const char *const *names = n == 7 ? space : n == 5 ? five : NULL;
    if (!names || (list.len && n != 7)) return false;
    s->cols = n;
    for (size_t i = 0; i < n; i++) s->col[i] = i ? property_of(str_of(names[i])) : NULL;
    return true;
}

static bool fits(const struct Property *p, Str v) {
    double d;
    if (!p || str_is(v, "-")) return true;
    if (p->as == AS_BYTES) return str_is(v, "none") || zfs_number(v, &d);
    if (p->as == AS_MOUNT) return v.p[0] == '/' || str_is(v, "none") || str_is(v, "legacy");
    return true;
}

/* Spreads the words of a row over the columns: names and mount points may hold blanks. */
static bool spread(State *s, const Str *w, size_t n, Str *cell) {
    size_t extra = n - s->cols;
    for (size_t k = 0; k <= extra; k++) { /* k words more in the name, the others in the last column */
        bool ok = true;
        cell[0] = (Str){w[0].p, (size_t)(w[k].p + w[k].len - w[0].p)};
        for (size_t i = 1; i < s->cols; i++) {
            cell[i] = w[i + k];
            if (i + 1 == s->cols) cell[i] = (Str){w[i + k].p, (size_t)(w[n - 1].p + w[n - 1].len - w[i + k].p)};
            ok = ok && fits(s->col[i], cell[i]);
        }
        if (ok) return true;
    }
    return false;
}

static void list_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str w[MAX_COLUMNS + 16], cell[MAX_COLUMNS] = {0};
    size_t n = 0;
    bool tab = str_find_ch(str_trim_right(line), '\t') != SIZE_MAX, good = false;
    if (tab) {
        Str rest = str_trim_right(line);
        while (rest.len && n < MAX_COLUMNS) cell[n++] = str_cut(&rest, '\t');
        good = s->cols ? n == s->cols : guess_columns(s, n);
    } else {
        n = str_words(line, w, MAX_COLUMNS + 16);
        if (s->cols && n >= s->cols && n <= MAX_COLUMNS + 16) good = spread(s, w, n, cell);
    }
    if (good)
        for (size_t i = 1; i < s->cols; i++) good = good && fits(s->col[i], cell[i]);
    if (!good || !dataset_name(cell[0])) {
        parse_note(ctx, at, "not a row of zfs list, or its columns are not known: \"%.*s\"",
                   STR_ARG(str_sub(line, 0, 80)));
        return;
    }
    ctx->rows++;
    if (snapshot(cell[0])) return;
    dataset(s, str_trim(cell[0]), at);
    for (size_t i = 1; i < s->cols; i++)
        if (!value_of(s, s->col[i], cell[i], at))
            parse_note(ctx, at, "zfs list: \"%.*s\" is no value of its column", STR_ARG(str_sub(cell[i], 0, 40)));
}

/* ---------------------------------------------------------------- JSON */

static ParseResult parse_json(State *s, Str text) {
    ParseCtx *ctx = s->ctx;
    Error err = {""};
    cJSON *doc = json_read(ctx->scratch, text, &err);
    if (!doc) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return PARSE_REJECTED;
    }
    const cJSON *item, *property;
    cJSON_ArrayForEach(item, json_get(doc, "datasets")) {
        const char *key = item->string ? item->string : "";
        Str name = json_text(json_get(item, "name")), type = json_text(json_get(item, "type"));
        Str path = json_path(ctx->scratch, STR("/datasets"), key), below = json_path(ctx->scratch, path, "properties");
        ctx->rows++;
        if (!name.len) name = str_of(key);
        if (!name.len || snapshot(name) || str_is(type, "SNAPSHOT") || str_is(type, "BOOKMARK")) continue;
        dataset(s, name, spot_path(path, name));
        if (type.len)
            value_of(s, property_of(STR("type")), type, spot_path(json_path(ctx->scratch, path, "type"), type));
        cJSON_ArrayForEach(property, json_get(item, "properties")) {
            const char *word = property->string ? property->string : "";
            Str value = json_show(ctx->scratch, json_get(property, "value"));
            Spot at = spot_path(json_path(ctx->scratch, below, word), value);
            ctx->rows++;
            if (str_is(str_of(word), "type")) continue;
            if (!value_of(s, property_of(str_of(word)), value, at))
                parse_note(ctx, at, "\"%.*s\" is no value of %s", STR_ARG(str_sub(value, 0, 40)), word);
        }
    }
    return parse_result(ctx);
}

/* The last operand of the command. */
static Str asked_dataset(Str command) {
    Str last = STR_NONE;
    for (Str w; (w = str_word(&command)).len;) {
        if (w.p[0] == '|' || w.p[0] == '>' || w.p[0] == ';') break;
        last = w;
    }
    return last.len && dataset_name(last) && !property_of(last) && !str_is(last, "all") ? last : STR_NONE;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->asked = asked_dataset(ctx->command);
    Str line;
    bool first = true;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        Spot at = input_spot(in);
        if (first && json_looks(line)) {
            input_unread(in);
            Str text;
            if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
                parse_note(ctx, input_spot(in), "JSON of more than %d bytes", JSON_MAX_BYTES);
            return parse_json(s, text);
        }
        size_t columns;
        if (first && !list_header(line, NULL, NULL) && !tab_list_row(line, &columns) && own_get_row(line))
            s->is_get = true;
        if (first && str_has(ctx->command, "zfs get")) s->is_get = true;
        first = false;
        if (get_header(line)) {
            s->is_get = true;
            s->no_name = str_starts(str_trim(line), "PROPERTY");
        } else if (list_header(line, s->col, &s->cols)) {
            s->is_get = false;
        } else if (str_is(str_trim(line), "no datasets available")) {
            continue;
        } else if (s->is_get) {
            get_line(s, line, at);
        } else {
            list_line(s, line, at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_zfs_get = {
    .name = "zfs-get",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "zfs get -H -t filesystem,volume all; zfs list",
};
