/*
 * lsusb.c - USB devices, how fast they are connected and which driver they have
 *
 * Reads   lsusb (list), lsusb -t (tree), lsusb -v (descriptions)
 * Gives   setting usb_id, usb_driver, link_gbps, usb_version, usb_superspeed and usb_power_ma (view kernel) of the USB device, which
 *         facts_resolve() knows by its path
 * Sample  lsusb
 *   |Bus 002 Device 003: ID 174c:55aa ASMedia Technology Inc. ASM1051E SATA 6Gb/s bridge
 * Sample  lsusb -t, usbutils 013
 *   |/:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M
 *   |    |__ Port 3: Dev 3, If 0, Class=Mass Storage, Driver=uas, 5000M
 * Sample  lsusb -v
 *   |Bus 002 Device 003: ID 174c:55aa ASMedia Technology Inc. ASM1051E SATA 6Gb/s bridge
 *   |Device Descriptor:
 *   |  bcdUSB               3.00
 *   |    MaxPower              144mA
 *   |  SuperSpeed USB Device Capability:
 * Varies  usbutils 016 and later: "Bus 002.Port 001: Dev 001", "Port 003: Dev 003"; -tv adds lines with ID and path; 20000M/x2 on two
 *         lanes. "Couldn't open device" where -v is run by a user. Only the tree says the path: bus, then the ports down to the
 *         device. List and descriptions say bus and device number, which the tree ties to the path.
 */
#include "device_text.h"
#include "parser.h"

enum { DEPTH = 8 };

typedef struct Lsusb {
    ParseCtx *ctx;
    Ref device;      /* of the list or of -v */
    uint64_t bus;    /* of the tree */
    Str port[DEPTH]; /* ports down to the row above */
    int depth;
} Lsusb;

static bool number_at(Str *s, uint64_t *n) {
    size_t d = 0;
    while (d < s->len && ch_digit(s->p[d])) d++;
    if (!d || d > 5 || !str_u64(str_sub(*s, 0, d), n)) return false;
    *s = str_from(*s, d);
    return true;
}

static bool drop(Str *s, const char *word) {
    Str rest = str_after(*s, word);
    if (rest.p) *s = rest;
    return rest.p != NULL;
}

/* "Bus 002 Device 003: ID 174c:55aa NAME" */
static bool list_row(Str s, uint64_t *bus, uint64_t *dev, Str *id) {
    uint64_t hex;
    if (!drop(&s, "Bus ") || !number_at(&s, bus) || !drop(&s, " Device ") || !number_at(&s, dev) || !drop(&s, ": ID "))
        return false;
    *id = str_sub(s, 0, 9);
    return id->len == 9 && id->p[4] == ':' && str_hex_u64(str_sub(*id, 0, 4), &hex) &&
           str_hex_u64(str_sub(*id, 5, 4), &hex);
}

/* "/:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M" */
static bool root_row(Str s, uint64_t *bus) {
    uint64_t port;
    return drop(&s, "/:  Bus ") && number_at(&s, bus) && drop(&s, ".Port ") && number_at(&s, &port) &&
           str_starts(s, ": Dev ");
}

/* "    |__ Port 3: Dev 3, If 0, Class=Mass Storage, Driver=uas, 5000M"; level counts from 1 */
static bool tree_row(Str line, int *level, uint64_t *port, uint64_t *dev, Str *rest) {
    size_t at = str_find(line, "|__ Port ");
    if (at == SIZE_MAX || at < 4 || at % 4) return false;
    for (size_t i = 0; i < at; i++)
        if (line.p[i] != ' ' && line.p[i] != '|') return false;
    Str s = str_from(line, at + 9);
    if (!number_at(&s, port) || !drop(&s, ": Dev ") || !number_at(&s, dev) || !drop(&s, ", ")) return false;
    *level = (int)(at / 4);
    *rest = s;
    return at / 4 < DEPTH;
}

static bool starts(Str line) {
    uint64_t bus, dev;
    Str id;
    return list_row(line, &bus, &dev, &id) || root_row(line, &bus);
}

static bool continues(Str line) {
    uint64_t a, b;
    int level;
    Str rest, t = str_trim(line);
    if (!t.len || starts(line) || tree_row(line, &level, &a, &b, &rest)) return true;
    if (str_starts(t, "ID ") || str_starts(t, "/sys/bus/usb/")) return line.p[0] == ' '; /* -tv */
    static const char *const heads[] = {"Device Descriptor:", "Couldn't open device", "Binary Object Store Descriptor:",
                                        "Device Status:",     "Hub Descriptor:",      "Device Qualifier",
                                        "can't get "};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (str_starts(t, heads[i])) return true;
    return str_starts(line, "  ") && !str_has(line, "|__");
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (line.len) return starts(line) ? command_is(command, "lsusb") ? 40 : 30 : 0;
    }
    return 0;
}

static void description(Lsusb *l, Str line, Spot at) {
    ParseCtx *ctx = l->ctx;
    Str s = str_trim(line), word = str_word(&s), value = str_trim(s);
    double number;
    if (!l->device) return;
    if (str_is(word, "bcdUSB") && str_double(value, &number))
        ctx_setting(ctx, l->device, "usb_version", value, "kernel", at);
    else if (str_is(word, "MaxPower") && str_ends(value, "mA") && str_double(str_sub(value, 0, value.len - 2), &number))
        ctx_setting_real(ctx, l->device, "usb_power_ma", number, "kernel", at);
    else if (str_starts(str_trim(line), "SuperSpeed USB Device Capability"))
        ctx_setting(ctx, l->device, "usb_superspeed", STR("yes"), "kernel", at);
}

static void tree(Lsusb *l, int level, uint64_t port, uint64_t dev, Str rest, Spot at) {
    ParseCtx *ctx = l->ctx;
    if (level > l->depth + 1) {
        parse_note(ctx, at, "a USB device below none: \"%.*s\"", STR_ARG(str_sub(at.text, 0, 80)));
        return;
    }
    l->depth = level;
    l->port[level - 1] = arena_strf(ctx->scratch, "%llu", (unsigned long long)port);
    StrBuf path;
    sb_init(&path, ctx->scratch);
    sb_addf(&path, "%llu-", (unsigned long long)l->bus);
    for (int i = 0; i < level; i++) sb_addf(&path, "%s%.*s", i ? "." : "", STR_ARG(l->port[i]));
    Ref node = ctx_ref(ctx, REF_USB, sb_str(&path));
    facts_same(
        ctx->facts, ctx->src, node,
        ctx_ref(ctx, REF_USB,
                arena_strf(ctx->scratch, "bus %llu device %llu", (unsigned long long)l->bus, (unsigned long long)dev)),
        "lsusb -t", at);
    size_t driver = str_find(rest, "Driver="), comma = str_rfind_ch(rest, ',');
    double gbps;
    if (driver != SIZE_MAX) {
        Str name = str_from(rest, driver + 7);
        name = str_cut(&name, ',');
        if (str_is(name, "uas") || str_is(name, "usb-storage"))
            ctx_setting(ctx, node, "usb_driver", name, "kernel", at);
    }
    if (comma == SIZE_MAX) return;
    Str speed = str_trim(str_from(rest, comma + 1));
    size_t m = str_find_ch(speed, 'M');
    if (m != SIZE_MAX && str_double(str_sub(speed, 0, m), &gbps) && gbps > 0)
        ctx_setting_real(ctx, node, "link_gbps", gbps / 1000, "kernel", at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Lsusb l = {.ctx = ctx};
    Str line, id, rest;
    uint64_t bus, dev, port;
    int level;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (list_row(line, &bus, &dev, &id)) {
            ctx->rows++;
            l.device = ctx_ref(
                ctx, REF_USB,
                arena_strf(ctx->scratch, "bus %llu device %llu", (unsigned long long)bus, (unsigned long long)dev));
            ctx_setting(ctx, l.device, "usb_id", id, "kernel", at);
        } else if (root_row(line, &bus)) {
            ctx->rows++;
            l.bus = bus;
            l.depth = 0;
            l.device = 0;
        } else if (tree_row(line, &level, &port, &dev, &rest)) {
            ctx->rows++;
            tree(&l, level, port, dev, rest, at);
        } else if (!continues(line)) {
            parse_note(ctx, at, "not a line of lsusb: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        } else {
            description(&l, line, at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_lsusb = {
    .name = "lsusb", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "lsusb -t; lsusb -v"};
