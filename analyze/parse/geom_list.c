/*
 * geom_list.c - FreeBSD's GEOM objects with their configuration
 *
 * Reads   geom disk list, gpart list, glabel list (geom CLASS list, with -a), several in one text
 * Gives   disks: model, serial, WWN, size, sectors, rotation; partitions: their names below gptid/ and gpt/; labels: names of one device
 * Sample  geom disk list, FreeBSD 12.2
 *   |Geom name: ada0
 *   |Providers:
 *   |1. Name: ada0
 *   |   Mediasize: 1000204886016 (932G)
 *   |   Sectorsize: 512
 *   |   descr: Example SSD 1TB
 *   |   ident: EX000000000001
 *   |   rotationrate: 0
 * Varies  the class is not named; its keys tell it: descr and ident are a disk's, scheme a partition table's. "rotationrate: unknown",
 *         "lunid" and "lunname" only where the drive has them. Names of other classes (mirror/, eli) are read over.
 */
#include "geom_fact.h"

typedef struct List {
    ParseCtx *ctx;
    GeomProvider p;
    bool open, consumers;
    Str geom, scheme, label, label_text; /* label: the provider of a label geom */
    Spot label_at;
} List;

static bool item(Str line, Str *name) {
    size_t n = 0;
    while (n < line.len && ch_digit(line.p[n])) n++;
    if (!n || n > 4) return false;
    *name = str_after(str_from(line, n), ". Name: ");
    if (!name->p) return false;
    *name = str_trim(*name);
    return name->len > 0;
}

static bool starts(Str line) {
    return str_starts(line, "Geom name: ") && line.len > 11;
}

/* "   Mediasize: 1000204886016 (932G)" below an item, "scheme: GPT" below a geom */
static bool pair(Str line, Str *key, Str *value) {
    Str s = str_trim(line);
    size_t colon = str_find_ch(s, ':');
    if (colon == SIZE_MAX || !colon || colon > 30) return false;
    if (ch_blank(line.p[0]) && !str_starts(line, "   ")) return false;
    *key = str_sub(s, 0, colon);
    *value = str_trim(str_from(s, colon + 1));
    for (size_t i = 0; i < key->len; i++)
        if (!ch_alnum(key->p[i]) && key->p[i] != ' ' && key->p[i] != '_') return false;
    return true;
}

static bool continues(Str line) {
    Str name, key, value;
    line = str_trim_right(line);
    if (!line.len || starts(line) || item(line, &name)) return true;
    if (str_is(line, "Providers:") || str_is(line, "Consumers:")) return true;
    if (!pair(line, &key, &value)) return false;
    if (ch_blank(line.p[0])) return true;
    static const char *const keys[] = {"modified",
                                       "state",
                                       "fwheads",
                                       "fwsectors",
                                       "last",
                                       "first",
                                       "entries",
                                       "scheme",
                                       "State",
                                       "Components",
                                       "Balance",
                                       "Slice",
                                       "Flags",
                                       "GenID",
                                       "SyncID",
                                       "ID",
                                       "Type",
                                       "Stripesize",
                                       "Stripecount",
                                       "Metadata",
                                       "Status",
                                       "Volume",
                                       "Mode",
                                       "Level",
                                       "KeysAllocated",
                                       "KeysTotal",
                                       "EncryptionAlgorithm",
                                       "KeyLength",
                                       "AuthenticationAlgorithm",
                                       "Crypto",
                                       "Version",
                                       "UsedKey",
                                       "Priority",
                                       "Index",
                                       "UUID",
                                       "Provider"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(key, keys[i])) return true;
    return false;
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    bool named = command_is(command, "geom") || command_is(command, "gpart") || command_is(command, "glabel") ||
                 command_is(command, "gmirror") || command_is(command, "graid");
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        if (!starts(line)) return 0;
        return (str_has(head, "Providers:") || str_has(head, "Consumers:")) && str_has(head, ". Name: ")
                   ? named ? 38 : 30
               : named ? 16
                       : 0;
    }
    return 0;
}

static void keep(List *l, GeomText *to, Str value, Spot at) {
    at.text = arena_str(l->ctx->scratch, at.text);
    *to = (GeomText){arena_str(l->ctx->scratch, value), at};
}

static void flush(List *l) {
    if (!l->open) return;
    l->open = false;
    GeomProvider *p = &l->p;
    p->geom = l->geom;
    p->scheme = l->scheme;
    if (l->consumers) { /* below a label it is the device the label lies on */
        if (l->label.len && !l->scheme.len) geom_label(l->ctx, l->label, p->name.text, "glabel list", l->label_at);
        return;
    }
    static const char *const folders[] = {"gptid/", "gpt/",   "diskid/",  "label/",
                                          "ufs/",   "ufsid/", "msdosfs/", "iso9660/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (str_starts(p->name.text, folders[i])) {
            l->label = p->name.text;
            l->label_at = p->name.at;
        }
    bool is_disk = p->descr.text.len || p->ident.text.len || p->rotationrate.text.len;
    p->class = is_disk ? STR("DISK") : l->scheme.len ? STR("PART") : STR_NONE;
    geom_provider(l->ctx, p);
}

static void value_of(List *l, Str key, Str value, Spot at) {
    static const struct {
        const char *key;
        size_t at;
    } fields[] = {{"Mediasize", offsetof(GeomProvider, mediasize)},
                  {"Sectorsize", offsetof(GeomProvider, sectorsize)},
                  {"Stripesize", offsetof(GeomProvider, stripesize)},
                  {"descr", offsetof(GeomProvider, descr)},
                  {"ident", offsetof(GeomProvider, ident)},
                  {"lunid", offsetof(GeomProvider, lunid)},
                  {"rotationrate", offsetof(GeomProvider, rotationrate)},
                  {"rawuuid", offsetof(GeomProvider, rawuuid)},
                  {"label", offsetof(GeomProvider, label)},
                  {"offset", offsetof(GeomProvider, offset)}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (str_is(key, fields[i].key) && !str_is(value, "(null)"))
            keep(l, (GeomText *)(void *)((char *)&l->p + fields[i].at), value, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    List *l = arena_new_of(ctx->scratch, List);
    *l = (List){.ctx = ctx};
    Str line, name, key, value;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (starts(line)) {
            flush(l);
            l->geom = arena_str(ctx->scratch, str_trim(str_from(line, 11)));
            l->scheme = l->label = STR_NONE;
            l->consumers = false;
            ctx->rows++;
        } else if (str_is(line, "Providers:") || str_is(line, "Consumers:")) {
            flush(l);
            l->consumers = line.p[0] == 'C';
        } else if (item(line, &name)) {
            flush(l);
            l->p = (GeomProvider){0};
            keep(l, &l->p.name, name, at);
            l->open = true;
            ctx->rows++;
        } else if (pair(line, &key, &value)) {
            if (ch_blank(line.p[0])) {
                if (l->open) value_of(l, key, value, at);
            } else if (str_is(key, "scheme")) {
                l->scheme = arena_str(ctx->scratch, value);
            }
        } else {
            parse_note(ctx, at, "not a line of geom: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    flush(l);
    return parse_result(ctx);
}

const Parser parser_geom_list = {.name = "geom",
                                 .bid = bid,
                                 .starts = starts,
                                 .continues = continues,
                                 .parse = parse,
                                 .ask = "geom disk list; gpart list"};
