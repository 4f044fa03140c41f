/*
 * libvirt.c - virtual machines as libvirt describes them
 *
 * Reads   virsh dumpxml, the files of /etc/libvirt/qemu
 * Gives   guest, guest_disk
 * Sample  libvirt 9
 *   | <domain type='kvm' id='3'>
 *   |   <name>mail</name>
 *   |   <devices>
 *   |     <disk type='file' device='disk'>
 *   |       <driver name='qemu' type='qcow2' cache='writethrough' discard='unmap'/>
 *   |       <source file='/var/lib/libvirt/images/mail.qcow2' index='1'/>
 *   |       <backingStore/>
 *   |       <target dev='sda' bus='sata'/>
 * Varies  the chain below an image stands in nested <backingStore> while the machine runs; an empty one is its end, none at all says
 *         nothing. An iothread of a SCSI disk belongs to its controller. Files start with a comment.
 * Source  libvirt docs/formatdomain.rst
 */
#include "scan.h"
#include "xml.h"

#include <math.h>

enum { XML_MAX_BYTES = 8 * 1024 * 1024, MAX_LAYERS = 1000, MAX_CONTROLLERS = 64 };

static bool opens(Str line) {
    Str rest = str_after(str_trim_left(line), "<domain ");
    return rest.p && (str_has(rest, "type='") || str_has(rest, "type=\""));
}

static int bid(Str path, Str command, Str head) {
    bool named = command_is(command, "virsh") || path_has(path, "libvirt") || path_has(path, "virsh");
    Str whole = head;
    for (int n = 0; n < 16 && head.len; n++)
        if (opens(head_line(&head))) return str_has(whole, "<name>") ? (named ? 36 : 30) : 24;
    return 0;
}

static bool starts(Str line) {
    return opens(line);
}

static bool continues(Str line) { /* the framer finds the end of XML by itself */
    return str_starts(str_trim_left(line), "<");
}

static Str content(ParseCtx *ctx, const xmlNode *first) {
    StrBuf b;
    sb_init(&b, ctx->scratch);
    for (const xmlNode *c = first; c; c = c->next)
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content)
            sb_addz(&b, (const char *)c->content);
    return str_trim(sb_str(&b));
}

static bool is(const xmlNode *n, const char *name) {
    return n->type == XML_ELEMENT_NODE && str_is(str_of((const char *)n->name), name);
}

static const xmlNode *child(const xmlNode *node, const char *name) {
    for (const xmlNode *c = node ? node->children : NULL; c; c = c->next)
        if (is(c, name)) return c;
    return NULL;
}

/* STR_NONE without the attribute or the element. */
static Str attribute(ParseCtx *ctx, const xmlNode *node, const char *name) {
    for (const xmlAttr *a = node ? node->properties : NULL; a; a = a->next)
        if (str_is(str_of((const char *)a->name), name)) return content(ctx, a->children);
    return STR_NONE;
}

typedef struct ScsiController {
    Str index, model;
    bool iothread;
} ScsiController;

/* Files the disk is made of; FACT_NULL where the end of the chain is not told. */
static int64_t layers(const xmlNode *disk) {
    const xmlNode *below = child(disk, "backingStore");
    for (int64_t n = 1; below && n < MAX_LAYERS; n++) {
        if (!child(below, "source") && !child(below, "format")) return n;
        below = child(below, "backingStore");
        if (!below) return n + 1; /* the last one of a file that says no more */
    }
    return FACT_NULL;
}

static Str limits(ParseCtx *ctx, const xmlNode *disk) {
    const xmlNode *tune = child(disk, "iotune");
    StrBuf b;
    sb_init(&b, ctx->scratch);
    for (const xmlNode *c = tune ? tune->children : NULL; c; c = c->next) {
        if (c->type != XML_ELEMENT_NODE) continue;
        Str name = str_of((const char *)c->name), value = content(ctx, c->children);
        if (!str_ends(name, "_sec") || str_is(value, "0")) continue; /* bursts and groups */
        sb_addf(&b, "%s%.*s=%.*s", sb_str(&b).len ? ", " : "", STR_ARG(name), STR_ARG(value));
    }
    return sb_str(&b).len ? sb_str(&b) : STR_NONE;
}

/* An element as it stands in the document, for evidence. */
static void show_element(ParseCtx *ctx, StrBuf *b, const xmlNode *node) {
    if (!node) return;
    sb_addf(b, "%s<%s", sb_str(b).len ? " " : "", (const char *)node->name);
    for (const xmlAttr *a = node->properties; a; a = a->next)
        sb_addf(b, " %s='%.*s'", (const char *)a->name, STR_ARG(content(ctx, a->children)));
    sb_addf(b, "/>");
}

static void put_disk(ParseCtx *ctx, const xmlNode *disk, int nth, Str guest, const ScsiController *list, size_t count) {
    Str device = attribute(ctx, disk, "device");
    ctx->rows++;
    if (str_is(device, "cdrom") || str_is(device, "floppy")) return;
    const xmlNode *driver = child(disk, "driver"), *source = child(disk, "source"), *target = child(disk, "target");
    static const char *const places[] = {"file", "dev", "name", "volume", "dir", NULL};
    Str from = STR_NONE, bus = attribute(ctx, target, "bus"), discard = attribute(ctx, driver, "discard");
    for (size_t i = 0; places[i] && !from.len; i++) from = attribute(ctx, source, places[i]);
    int64_t iothread = attribute(ctx, driver, "iothread").len > 0 || child(driver, "iothreads") != NULL;
    Str controller = STR_NONE, index = attribute(ctx, child(disk, "address"), "controller");
    if (str_is(bus, "scsi"))
        for (size_t i = 0; i < count; i++)
            if (str_eq(list[i].index, index) || (!index.len && i == 0)) {
                controller = list[i].model;
                iothread = iothread || list[i].iothread;
                break;
            }
    Str slot = attribute(ctx, target, "dev");
    StrBuf shown;
    sb_init(&shown, ctx->scratch);
    show_element(ctx, &shown, driver);
    show_element(ctx, &shown, source);
    show_element(ctx, &shown, target);
    Row r = ctx_row(ctx, "guest_disk",
                    spot_path(arena_strf(ctx->scratch, "/domain/devices/disk[%d]", nth), sb_str(&shown)));
    row_text(&r, "guest", guest);
    row_text(&r, "slot", slot);
    row_text(&r, "interface", bus);
    row_text(&r, "controller", controller);
    row_text(&r, "source", from);
    row_text(&r, "format", attribute(ctx, driver, "type"));
    Str cache = attribute(ctx, driver, "cache");
    row_text(&r, "cache", cache.len && !str_is(cache, "default") ? cache : STR_NONE);
    row_int(&r, "discard", str_is(discard, "unmap"));
    row_int(&r, "iothread", iothread);
    row_text(&r, "limits", limits(ctx, disk));
    row_int(&r, "layers", layers(disk));
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str text, first;
    Spot at = {0};
    if (input_line(in, &first)) {
        at = input_spot(in);
        at.text = arena_str(ctx->scratch, str_sub(at.text, 0, 80));
        input_unread(in);
    }
    if (!input_all(in, ctx->scratch, XML_MAX_BYTES, &text))
        parse_note(ctx, at, "XML of more than %d bytes is not read", XML_MAX_BYTES);
    const xmlNode *root = xml_read(ctx, text, at, XML_MAX_BYTES);
    if (root && is(root, "domainsnapshot")) root = child(root, "domain");
    if (root && is(root, "domstatus")) root = child(root, "domain");
    if (!root || !is(root, "domain")) {
        if (root) parse_note(ctx, at, "XML without a domain");
        return parse_result(ctx);
    }
    Str name = content(ctx, child(root, "name") ? child(root, "name")->children : NULL);
    bool container = str_is(attribute(ctx, root, "type"), "lxc");
    Str guest = arena_strf(ctx->scratch, "%s %.*s", container ? "container" : "VM", STR_ARG(name));
    ctx->rows++;
    Row r = ctx_row(ctx, "guest", spot_path(STR("/domain/name"), name));
    row_text(&r, "kind", container ? STR("container") : STR("vm"));
    row_text(&r, "name", guest);
    row_done(&r);
    const xmlNode *devices = child(root, "devices");
    ScsiController list[MAX_CONTROLLERS];
    size_t count = 0;
    for (const xmlNode *c = devices ? devices->children : NULL; c; c = c->next)
        if (is(c, "controller") && str_is(attribute(ctx, c, "type"), "scsi") && count < MAX_CONTROLLERS)
            list[count++] = (ScsiController){attribute(ctx, c, "index"), attribute(ctx, c, "model"),
                                             attribute(ctx, child(c, "driver"), "iothread").len > 0};
    int nth = 0;
    for (const xmlNode *c = devices ? devices->children : NULL; c; c = c->next)
        if (is(c, "disk")) put_disk(ctx, c, ++nth, guest, list, count);
    return parse_result(ctx);
}

const Parser parser_libvirt = {
    .name = "libvirt",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "virsh dumpxml NAME",
};
