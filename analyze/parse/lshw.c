/*
 * lshw.c - the machine's parts as lshw lists them
 *
 * Reads   lshw as text, -xml and -json, with -class too
 * Gives   setting of disks (identity, hctl, pci, sector sizes), of volumes (fs_type, fs_label, fs_uuid), dmi_* of the host;
 *         pci_device of storage controllers
 * Sample  lshw B.02.19, text
 *   |         *-sata
 *   |              description: SATA controller
 *   |              bus info: pci@0000:00:17.0
 *   |              configuration: driver=ahci latency=0
 *   |            *-disk
 *   |                 product: EXAMPLE SSD
 *   |                 bus info: scsi@2:0.0.0
 *   |                 logical name: /dev/sda
 * Varies  the text rounds sizes ("931GiB"), so that only XML and JSON give them. Old versions open the XML with <node>, later ones with
 *         <list>; -class makes a flat list. What is no disk, volume, storage controller or part of the host is counted.
 */
#include "device_text.h"
#include "json.h"
#include "scan.h"
#include "xml.h"

enum { MAX_DEPTH = 64, MAX_NAMES = 8, MAX_TAGS = 48, XML_MAX_BYTES = 8 * 1024 * 1024 };

typedef struct Value {
    Str text;
    Spot at;
} Value;

typedef struct Hw {
    const struct Hw *parent;
    Str id, class;
    Value description, product, vendor, serial, version, date, businfo, size, driver, filesystem, label, logical_sector,
        physical_sector, capabilities;
    Value name[MAX_NAMES];
    int names;
    size_t indent; /* text only */
} Hw;

/* ---------------------------------------------------------------- facts */

static bool starts_any(Str s, const char *const *words) {
    for (; *words; words++)
        if (str_starts(s, *words)) return true;
    return false;
}

/* "[REMOVED]", "--", "To be filled by O.E.M.": nobody's serial. */
static bool blank_value(Str s) {
    return !s.len || s.p[0] == '[' || str_starts(s, "--") || str_istarts(s, "To be filled") ||
           str_ieq(s, STR("Not Specified")) || str_ieq(s, STR("None"));
}

static void set(ParseCtx *ctx, Ref node, const char *key, const Value *v, const char *view) {
    Str text = str_trim(v->text);
    if (!blank_value(text)) ctx_setting(ctx, node, key, text, view, v->at);
}

static Str device_of(const Hw *h, Spot *at) {
    for (int i = 0; i < h->names; i++)
        if (str_starts(h->name[i].text, "/dev/")) {
            *at = h->name[i].at;
            return h->name[i].text;
        }
    return STR_NONE;
}

/* "scsi@2:0.0.0[,1]" -> 2:0:0:0 */
static Str hctl_of(Arena *a, Str businfo) {
    Str rest = str_after(businfo, "scsi@");
    if (!rest.len) return STR_NONE;
    rest = str_cut(&rest, ',');
    char *text = arena_cstr(a, rest);
    for (char *c = text; *c; c++)
        if (*c == '.') *c = ':';
    return scan_hctl(str_of(text)) ? str_of(text) : STR_NONE;
}

/* Class code by the words that PCI gives its storage classes. */
static const char *class_code(Str description) {
    static const struct {
        const char *words, *code;
    } classes[] = {{"SATA controller", "0106"},        {"IDE interface", "0101"},       {"RAID bus controller", "0104"},
                   {"Serial Attached SCSI", "0107"},   {"Non-Volatile memory", "0108"}, {"NVMe", "0108"},
                   {"SCSI storage controller", "0100"}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (str_istarts(description, classes[i].words)) return classes[i].code;
    return NULL;
}

static bool is_storage(const Hw *h) {
    static const char *const ids[] = {"ide", "sata", "scsi", "storage", "raid", "nvme", "sas", NULL};
    bool text = !h->class.len || str_is(h->class, "part"); /* the text tells no classes */
    return str_is(h->class, "storage") || (text && starts_any(h->id, ids));
}

static void disk(ParseCtx *ctx, const Hw *h, bool optical) {
    Spot at;
    Str device = device_of(h, &at);
    if (!device.len || !dev_is_name(str_from(device, 5))) return;
    Ref ref = ctx_ref(ctx, REF_DISK, device);
    set(ctx, ref, "model", &h->product, "kernel");
    set(ctx, ref, "vendor", &h->vendor, "kernel");
    set(ctx, ref, "serial", &h->serial, "kernel");
    set(ctx, ref, "firmware", &h->version, "kernel");
    set(ctx, ref, "size_bytes", &h->size, "kernel");
    set(ctx, ref, "logical_block_bytes", &h->logical_sector, "kernel");
    set(ctx, ref, "physical_block_bytes", &h->physical_sector, "kernel");
    ctx_setting(ctx, ref, "device_type", optical ? STR("cdrom") : STR("disk"), "kernel", at);
    Str hctl = hctl_of(ctx->scratch, h->businfo.text);
    if (hctl.len) {
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI, hctl), ref, "lshw", h->businfo.at);
        ctx_setting(ctx, ref, "hctl", hctl, "kernel", h->businfo.at);
    }
    Str words = h->capabilities.text;
    for (Str w; (w = str_word(&words)).len;) {
        uint64_t rpm;
        if (w.len > 3 && str_ends(w, "rpm") && str_u64(str_sub(w, 0, w.len - 3), &rpm) && rpm < 100000)
            ctx_setting_int(ctx, ref, "rotation_rpm", (int64_t)rpm, "kernel", h->capabilities.at);
        else if (str_is(w, "removable")) ctx_setting_int(ctx, ref, "removable", 1, "kernel", h->capabilities.at);
    }
    for (const Hw *up = h->parent; up; up = up->parent) {
        Str bdf = str_after(up->businfo.text, "pci@");
        if (!bdf.len) continue;
        if (is_storage(up)) ctx_setting(ctx, ref, "pci", bdf, "kernel", up->businfo.at);
        break;
    }
}

static void volume(ParseCtx *ctx, const Hw *h) {
    Spot at;
    Str device = device_of(h, &at);
    if (!device.len) return;
    Ref ref = scan_block_ref(ctx, device);
    set(ctx, ref, "fs_type", &h->filesystem, "kernel");
    set(ctx, ref, "fs_label", &h->label, "kernel");
    if (h->filesystem.text.len) set(ctx, ref, "fs_uuid", &h->serial, "kernel");
    set(ctx, ref, "size_bytes", &h->size, "kernel");
}

static void controller(ParseCtx *ctx, const Hw *h) {
    Str bdf = str_after(h->businfo.text, "pci@");
    if (!bdf.len) return;
    const char *code = class_code(h->description.text);
    Row r = ctx_row(ctx, "pci_device", h->businfo.at);
    row_ref(&r, "node", ctx_ref(ctx, REF_PCI, bdf));
    row_text(&r, "bdf", bdf);
    if (code) row_text(&r, "class_code", str_of(code));
    if (h->product.text.len)
        row_text(&r, "name", arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(h->vendor.text), STR_ARG(h->product.text)));
    if (h->driver.text.len) row_text(&r, "driver", h->driver.text);
    row_done(&r);
}

static void emit(ParseCtx *ctx, const Hw *h) {
    static const char *const disks[] = {"disk", "namespace", NULL};
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    ctx->rows++;
    bool optical = str_starts(h->id, "cdrom");
    if (optical || starts_any(h->id, disks)) disk(ctx, h, optical);
    else if (str_is(h->class, "disk")) disk(ctx, h, false);
    else if (str_starts(h->id, "volume") || str_starts(h->id, "logicalvolume") || str_is(h->class, "volume"))
        volume(ctx, h);
    else if (is_storage(h)) controller(ctx, h);
    else if (str_is(h->class, "system")) {
        set(ctx, host, "dmi_product_name", &h->product, "firmware");
        set(ctx, host, "dmi_sys_vendor", &h->vendor, "firmware");
    } else if (str_is(h->id, "core")) {
        set(ctx, host, "dmi_board_name", &h->product, "firmware");
        set(ctx, host, "dmi_board_vendor", &h->vendor, "firmware");
    } else if (str_is(h->id, "firmware")) {
        set(ctx, host, "dmi_bios_vendor", &h->vendor, "firmware");
        set(ctx, host, "dmi_bios_version", &h->version, "firmware");
        set(ctx, host, "dmi_bios_date", &h->date, "firmware");
    } else if (str_is(h->id, "memory") && h->size.text.len) {
        set(ctx, host, "memory_bytes", &h->size, "kernel");
    }
}

/* The field of a part that a word of lshw names; NULL for the others. setting: it stands in "configuration". */
static Value *field_of(Hw *h, Str key, bool setting) {
    if (setting) {
        if (str_is(key, "driver")) return &h->driver;
        if (str_is(key, "filesystem")) return &h->filesystem;
        if (str_is(key, "label")) return &h->label;
        if (str_is(key, "logicalsectorsize")) return &h->logical_sector;
        if (str_is(key, "sectorsize")) return &h->physical_sector;
        return NULL;
    }
    if (str_is(key, "description")) return &h->description;
    if (str_is(key, "product")) return &h->product;
    if (str_is(key, "vendor")) return &h->vendor;
    if (str_is(key, "serial")) return &h->serial;
    if (str_is(key, "version")) return &h->version;
    if (str_is(key, "date")) return &h->date;
    if (str_is(key, "businfo") || str_is(key, "bus info")) return &h->businfo;
    if (str_is(key, "logicalname") || str_is(key, "logical name"))
        return h->names < MAX_NAMES ? &h->name[h->names++] : NULL;
    return NULL;
}

/* ---------------------------------------------------------------- text */

/* "     *-disk:0 UNCLAIMED" */
static bool node_line(Str line, Str *id, size_t *indent) {
    size_t i = 0;
    while (i < line.len && line.p[i] == ' ') i++;
    Str rest = str_after(str_from(line, i), "*-");
    if (!rest.len) return false;
    *indent = i;
    *id = str_word(&rest);
    for (size_t k = 0; k < id->len; k++) {
        char c = id->p[k];
        if (!ch_alnum(c) && c != ':' && c != '-' && c != '_' && c != '.') return false;
    }
    rest = str_trim(rest);
    return id->len &&
           (!rest.len || str_is(rest, "UNCLAIMED") || str_is(rest, "DISABLED") || str_is(rest, "UNCLAIMED DISABLED"));
}

static bool field_line(Str line, Str *key, Str *value) {
    static const char *const keys[] = {"description",  "product", "vendor", "physical id",  "bus info",
                                       "logical name", "version", "serial", "slot",         "size",
                                       "capacity",     "width",   "clock",  "capabilities", "configuration",
                                       "resources",    "date"};
    Str s = str_trim(line);
    size_t colon = str_find_ch(s, ':');
    if (!line.len || line.p[0] != ' ' || colon == SIZE_MAX) return false;
    *key = str_sub(s, 0, colon);
    *value = str_trim(str_from(s, colon + 1));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(*key, keys[i])) return true;
    return false;
}

static void parse_text(ParseCtx *ctx, Input *in) {
    Hw *stack[MAX_DEPTH] = {0}; /* used again and again: a part is done with when its next neighbour begins */
    int depth = 0;
    Str line;
    while (input_line(in, &line)) {
        Str id, key, value, s = str_trim(line);
        Spot at = input_spot(in);
        size_t indent;
        bool node = node_line(line, &id, &indent);
        if (!s.len) continue;
        if (s.p[0] == '<') { /* a report as XML follows */
            input_unread(in);
            break;
        }
        if (node || (line.p[0] != ' ' && !depth)) {
            while (depth && node && stack[depth - 1]->indent >= indent) emit(ctx, stack[--depth]);
            if (depth == MAX_DEPTH) {
                parse_note(ctx, at, "lshw: more than %d levels", MAX_DEPTH);
                continue;
            }
            if (!stack[depth]) stack[depth] = arena_new_of(ctx->scratch, Hw);
            Hw *h = stack[depth];
            *h = (Hw){0};
            h->parent = depth ? stack[depth - 1] : NULL;
            h->indent = node ? indent : 0;
            h->id = arena_str(ctx->scratch, node ? id : STR("system"));
            if (!node) h->class = STR("system");
            else if (!h->parent) h->class = STR("part"); /* -class: a list without the host */
            depth++;
            if (!node && str_find_ch(s, ' ') == SIZE_MAX && !str_is(s, "computer"))
                ctx_setting(ctx, ctx_ref(ctx, REF_HOST, STR("host")), "hostname", s, "kernel", at);
        } else if (depth && field_line(line, &key, &value)) {
            Hw *h = stack[depth - 1];
            if (str_is(key, "configuration")) {
                for (Str w, rest = value; (w = str_word(&rest)).len;) {
                    size_t eq = str_find_ch(w, '=');
                    Value *v = eq == SIZE_MAX ? NULL : field_of(h, str_sub(w, 0, eq), true);
                    if (v) *v = (Value){arena_str(ctx->scratch, str_from(w, eq + 1)), scan_keep(ctx->scratch, at)};
                }
            } else if (str_is(key, "capabilities")) {
                h->capabilities = (Value){arena_str(ctx->scratch, value), scan_keep(ctx->scratch, at)};
            } else {
                Value *v = field_of(h, key, false);
                if (v) *v = (Value){arena_str(ctx->scratch, value), scan_keep(ctx->scratch, at)};
            }
        } else if (str_starts(s, "WARNING:")) {
            ctx->rows++; /* "you should run this program as super-user", "output may be incomplete" */
        } else {
            parse_note(ctx, at, "not understood in the output of lshw: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    while (depth) emit(ctx, stack[--depth]);
}

/* ---------------------------------------------------------------- XML */

/* The text directly below an element or attribute. libxml2's own functions follow references to entities of the document, which
   a hostile one nests until memory is gone; &amp; and the like are text here already. */
static Str xml_content(ParseCtx *ctx, const xmlNode *first) {
    StrBuf b;
    sb_init(&b, ctx->scratch);
    for (const xmlNode *c = first; c; c = c->next)
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content)
            sb_addz(&b, (const char *)c->content);
    return str_trim(sb_str(&b));
}

static Str xml_text(ParseCtx *ctx, const xmlNode *node) {
    return xml_content(ctx, node->children);
}

static Str xml_attribute(ParseCtx *ctx, const xmlNode *node, const char *name) {
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (str_is(str_of((const char *)a->name), name)) return xml_content(ctx, a->children);
    return STR_NONE;
}

/* The children of an element so far, by their names. */
typedef struct Tags {
    const char *name[MAX_TAGS];
    int count[MAX_TAGS], used;
} Tags;

/* How many children of this name there were, with this one; 0: too many names to count. */
static int xml_nth(Tags *tags, const xmlNode *child) {
    const char *name = (const char *)child->name;
    int i = 0;
    while (i < tags->used && strcmp(tags->name[i], name) != 0) i++;
    if (i == MAX_TAGS) return 0;
    if (i == tags->used) tags->name[tags->used++] = name;
    return ++tags->count[i];
}

/* XPath of the nth child of its name. libxml2 would count the neighbours of each element anew, which takes hours in a long list. */
static Str xml_path(ParseCtx *ctx, Str parent, const xmlNode *child, int nth) {
    bool alone = nth <= 1;
    for (const xmlNode *c = child->next; nth == 1 && alone && c; c = c->next)
        if (c->type == XML_ELEMENT_NODE && strcmp((const char *)c->name, (const char *)child->name) == 0) alone = false;
    return alone ? arena_strf(ctx->scratch, "%.*s/%s", STR_ARG(parent), (const char *)child->name)
                 : arena_strf(ctx->scratch, "%.*s/%s[%d]", STR_ARG(parent), (const char *)child->name, nth);
}

static Value xml_value(Str path, Str text) {
    return (Value){text, spot_path(path, text)};
}

static void xml_part(ParseCtx *ctx, xmlNode *node, Str path, const Hw *parent, int depth) {
    if (depth > MAX_DEPTH) return;
    Hw part = {.parent = parent}, *h = &part;
    h->id = xml_attribute(ctx, node, "id");
    h->class = xml_attribute(ctx, node, "class");
    StrBuf capabilities;
    sb_init(&capabilities, ctx->scratch);
    Tags tags = {0};
    for (xmlNode *c = node->children; c; c = c->next) {
        if (c->type != XML_ELEMENT_NODE) continue;
        Str name = str_of((const char *)c->name);
        int nth = xml_nth(&tags, c);
        if (str_is(name, "configuration")) {
            Str below = xml_path(ctx, path, c, nth);
            Tags settings = {0};
            for (xmlNode *k = c->children; k; k = k->next) {
                if (k->type != XML_ELEMENT_NODE) continue;
                int kth = xml_nth(&settings, k);
                Value *v = field_of(h, xml_attribute(ctx, k, "id"), true);
                if (v) *v = xml_value(xml_path(ctx, below, k, kth), xml_attribute(ctx, k, "value"));
            }
        } else if (str_is(name, "capabilities")) {
            for (xmlNode *k = c->children; k; k = k->next)
                if (k->type == XML_ELEMENT_NODE) {
                    sb_add(&capabilities, xml_attribute(ctx, k, "id"));
                    sb_addc(&capabilities, ' ');
                }
            h->capabilities = xml_value(xml_path(ctx, path, c, nth), sb_str(&capabilities));
        } else if (str_is(name, "size")) {
            if (str_is(xml_attribute(ctx, c, "units"), "bytes") || !xml_attribute(ctx, c, "units").len)
                h->size = xml_value(xml_path(ctx, path, c, nth), xml_text(ctx, c));
        } else if (!str_is(name, "node")) {
            Value *v = field_of(h, name, false);
            if (v) *v = xml_value(xml_path(ctx, path, c, nth), xml_text(ctx, c));
        }
    }
    emit(ctx, h);
    Tags parts = {0};
    for (xmlNode *c = node->children; c; c = c->next)
        if (c->type == XML_ELEMENT_NODE && str_is(str_of((const char *)c->name), "node"))
            xml_part(ctx, c, xml_path(ctx, path, c, xml_nth(&parts, c)), h, depth + 1);
}

static void parse_xml(ParseCtx *ctx, Str text, Spot first) {
    xmlNode *root = xml_read(ctx, text, first, XML_MAX_BYTES);
    if (!root) return;
    if (str_is(str_of((const char *)root->name), "node")) {
        xml_part(ctx, root, STR("/node"), NULL, 0);
        return;
    }
    Str list = arena_strf(ctx->scratch, "/%s", (const char *)root->name);
    Tags parts = {0};
    for (xmlNode *c = root->children; c; c = c->next)
        if (c->type == XML_ELEMENT_NODE && str_is(str_of((const char *)c->name), "node"))
            xml_part(ctx, c, xml_path(ctx, list, c, xml_nth(&parts, c)), NULL, 0);
}

/* ---------------------------------------------------------------- JSON */

static Value json_value(ParseCtx *ctx, Str path, const char *key, const cJSON *v) {
    Str text = json_show(ctx->scratch, v);
    return (Value){text, spot_path(json_path(ctx->scratch, path, key), text)};
}

static void json_part(ParseCtx *ctx, const cJSON *node, const Hw *parent, Str path, int depth) {
    if (depth > MAX_DEPTH || !cJSON_IsObject(node)) return;
    Hw *h = arena_new_of(ctx->scratch, Hw);
    h->parent = parent;
    h->id = json_text(json_get(node, "id"));
    h->class = json_text(json_get(node, "class"));
    const cJSON *c, *k;
    cJSON_ArrayForEach(c, node) {
        const char *key = c->string ? c->string : "";
        Str name = str_of(key);
        Value *v;
        if (str_is(name, "configuration")) {
            Str below = json_path(ctx->scratch, path, key);
            cJSON_ArrayForEach(k, c) if ((v = field_of(h, str_of(k->string ? k->string : ""), true))) *v =
                json_value(ctx, below, k->string ? k->string : "", k);
        } else if (str_is(name, "capabilities")) {
            StrBuf b;
            sb_init(&b, ctx->scratch);
            cJSON_ArrayForEach(k, c) sb_addf(&b, "%s ", k->string ? k->string : "");
            h->capabilities = (Value){sb_str(&b), spot_path(json_path(ctx->scratch, path, key), sb_str(&b))};
        } else if (str_is(name, "size")) {
            if (!json_get(node, "units") || str_is(json_text(json_get(node, "units")), "bytes"))
                h->size = json_value(ctx, path, key, c);
        } else if (str_is(name, "logicalname") && cJSON_IsArray(c)) {
            cJSON_ArrayForEach(k, c) if ((v = field_of(h, name, false))) *v = json_value(ctx, path, key, k);
        } else if (!cJSON_IsArray(c) && !cJSON_IsObject(c) && (v = field_of(h, name, false))) {
            *v = json_value(ctx, path, key, c);
        }
    }
    emit(ctx, h);
    Str children = json_path(ctx->scratch, path, "children");
    size_t i = 0;
    cJSON_ArrayForEach(c, json_get(node, "children"))
        json_part(ctx, c, h, json_path_index(ctx->scratch, children, i++), depth + 1);
}

static void parse_json(ParseCtx *ctx, Str text, Spot first) {
    size_t n = 0;
    for (Str one; (one = json_next(&text)).p;) { /* up to B.02.18 -class prints objects without a list around them */
        Error err = {""};
        const cJSON *doc = json_read(ctx->scratch, one, &err), *c;
        if (!doc) {
            parse_note(ctx, first, "%s", err.text);
            return;
        }
        if (!cJSON_IsArray(doc)) {
            json_part(ctx, doc, NULL, STR_NONE, 0);
            continue;
        }
        cJSON_ArrayForEach(c, doc) json_part(ctx, c, NULL, json_path_index(ctx->scratch, STR_NONE, n++), 0);
    }
}

/* ---------------------------------------------------------------- parser */

static Str without_bom(Str s) {
    return str_starts(s, "\xef\xbb\xbf") ? str_from(s, 3) : s;
}

static bool xml_node(Str s) {
    return str_starts(s, "<node id=\"") && str_has(s, "class=\"");
}

/* The declaration is lshw's way of writing one. The board's own row never comes first: what stands above it, the host's name
   and description, belongs to the same list. */
static bool starts(Str line) {
    Str s = str_trim(without_bom(line)), id;
    size_t indent;
    return str_starts(s, "<?xml version=\"1.0\" standalone=\"yes\"") || str_starts(s, "<!-- generated by lshw-") ||
           xml_node(s) || (node_line(line, &id, &indent) && indent >= 2 && !str_is(id, "core"));
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "lshw") || path_has(path, "lshw") ? 6 : 0, fields = 0;
    head = without_bom(head);
    if (json_looks(head)) {
        int seen = str_has(head, "\"id\"") + str_has(head, "\"class\"") + str_has(head, "\"claimed\"") +
                   str_has(head, "\"physid\"") + str_has(head, "\"description\"");
        return seen >= 4 ? 8 * seen : 0;
    }
    Str name = STR_NONE;
    for (int n = 0; n < 24 && head.len; n++) {
        Str line = head_line(&head), id, key, value, s = str_trim(line);
        size_t indent;
        if (!s.len || str_starts(s, "WARNING:")) continue;
        if (str_starts(s, "<!-- generated by lshw-")) return 34 + bits;
        if (xml_node(s)) return 28 + bits;
        if (s.p[0] == '<') {
            if (str_starts(s, "<?xml") || str_starts(s, "<!--") || str_is(s, "<list>")) continue;
            return 0;
        }
        if (node_line(line, &id, &indent)) return 20 + bits + (fields < 3 ? fields : 3) * 4;
        if (field_line(line, &key, &value)) fields++;
        else if (!name.len && !fields && line.p[0] != ' ' && str_find_ch(s, ' ') == SIZE_MAX) name = s;
        else return 0;
    }
    return 0;
}

static bool continues(Str line) {
    Str id, key, value, s = str_trim(line);
    size_t indent;
    return !s.len || s.p[0] == '<' || str_starts(s, "\xef\xbb\xbf<") || node_line(line, &id, &indent) ||
           field_line(line, &key, &value);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, s;
    Spot first;
    bool json, xml;
    for (;;) {
        do {
            if (!input_line(in, &line)) return parse_result(ctx);
        } while (!str_trim(line).len);
        s = str_trim(without_bom(line));
        json = json_looks(s);
        xml = s.len && s.p[0] == '<';
        first = scan_keep(ctx->scratch, input_spot(in));
        input_unread(in);
        if (json || xml) break;
        parse_text(ctx, in);
    }
    Str text;
    if (!input_all(in, ctx->scratch, json ? JSON_MAX_BYTES : XML_MAX_BYTES, &text))
        parse_note(ctx, first, "a document that is too long to be read whole");
    text = without_bom(str_trim(text));
    if (json) parse_json(ctx, text, first);
    while (!json && text.len) { /* several reports behind each other are several documents */
        size_t next = str_find(str_from(text, 1), "<?xml ");
        Str one = next == SIZE_MAX ? text : str_sub(text, 0, next + 1);
        parse_xml(ctx, str_trim(one), first);
        text = str_from(text, one.len);
    }
    return parse_result(ctx);
}

const Parser parser_lshw = {
    .name = "lshw",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "lshw -xml",
};
