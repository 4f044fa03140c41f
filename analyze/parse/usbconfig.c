/*
 * usbconfig.c - USB devices of FreeBSD and how fast they are connected
 *
 * Reads   usbconfig, usbconfig list, usbconfig dump_device_desc, usbconfig dump_all_desc
 * Gives   setting link_gbps, usb_id, usb_version and usb_power_ma (view kernel) of the USB device: ugen0.5
 * Sample  usbconfig list, FreeBSD 13
 *   |ugen0.5: <ASMedia Technology Inc. ASM105x> at usbus0, cfg=0 md=HOST spd=SUPER (5.0Gbps) pwr=ON (144mA)
 * Sample  usbconfig dump_device_desc
 *   |ugen0.5: <ASMedia Technology Inc. ASM105x> at usbus0, cfg=0 md=HOST spd=SUPER (5.0Gbps) pwr=ON (144mA)
 *   |
 *   |  bLength = 0x0012
 *   |  bcdUSB = 0x0300
 *   |  idVendor = 0x174c
 *   |  idProduct = 0x55aa
 * Varies  spd=HIGH (480Mbps), FULL (12Mbps), LOW (1.5Mbps). Which disk hangs on a device stands in the kernel log only, in the order of
 *         its attach lines. pwr=SAVE: suspended.
 */
#include "device_text.h"
#include "parser.h"

static bool device_row(Str line, Str *name, Str *rest) {
    Str s = str_after(line, "ugen");
    size_t n = 0;
    while (s.p && n < s.len && (ch_digit(s.p[n]) || s.p[n] == '.')) n++;
    if (n < 3 || n > 8 || !str_starts(str_from(s, n), ": <")) return false;
    size_t at = str_find(s, "> at usbus");
    if (at == SIZE_MAX || !str_has(str_from(s, at), " spd=")) return false;
    *name = str_sub(line, 0, 4 + n);
    *rest = str_from(s, at);
    return true;
}

static bool starts(Str line) {
    Str name, rest;
    return device_row(line, &name, &rest);
}

static bool continues(Str line) {
    Str t = str_trim(line), key;
    if (!t.len || starts(line)) return true;
    if (line.p[0] != ' ') return false;
    key = str_word(&t);
    return str_starts(str_trim_left(t), "= ") || str_starts(str_trim(line), "Configuration index ") ||
           str_starts(str_trim(line), "Interface ") || str_starts(str_trim(line), "Endpoint ") ||
           str_starts(str_trim(line), "Additional Descriptor") || key.len == 0;
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (line.len) return starts(line) ? command_is(command, "usbconfig") ? 40 : 30 : 0;
    }
    return 0;
}

/* "0x0300", "0x174c <...>" */
static bool hex(Str value, uint64_t *out) {
    Str word = str_word(&value);
    return str_starts(word, "0x") && str_hex_u64(word, out) && *out <= 0xffff;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, name, rest;
    Ref device = 0;
    uint64_t vendor = 0, number;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        double value;
        if (device_row(line, &name, &rest)) {
            ctx->rows++;
            vendor = 0;
            device = ctx_ref(ctx, REF_USB, name);
            static const struct {
                const char *word;
                double gbps;
            } speeds[] = {{" spd=LOW ", 0.0015}, {" spd=FULL ", 0.012}, {" spd=HIGH ", 0.48}, {" spd=SUPER ", 5}};
            for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
                if (str_has(rest, speeds[i].word))
                    ctx_setting_real(ctx, device, "link_gbps", speeds[i].gbps, "kernel", at);
            size_t pwr = str_find(rest, " pwr="),
                   open = pwr == SIZE_MAX ? SIZE_MAX : str_find(str_from(rest, pwr), " (");
            if (open != SIZE_MAX && dev_leading_number(str_from(rest, pwr + open + 2), &value))
                ctx_setting_real(ctx, device, "usb_power_ma", value, "kernel", at);
            continue;
        }
        if (!continues(line)) {
            parse_note(ctx, at, "not a line of usbconfig: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        Str s = str_trim(line), key = str_word(&s);
        s = str_trim(s);
        if (!device || !str_starts(s, "= ")) continue;
        s = str_from(s, 2);
        if (str_is(key, "bcdUSB") && hex(s, &number)) {
            ctx->rows++;
            ctx_setting(ctx, device, "usb_version",
                        arena_strf(ctx->scratch, "%x.%02x", (unsigned)(number >> 8), (unsigned)(number & 0xff)),
                        "kernel", at);
        } else if (str_is(key, "idVendor") && hex(s, &number)) {
            ctx->rows++;
            vendor = number;
        } else if (str_is(key, "idProduct") && hex(s, &number) && vendor) {
            ctx->rows++;
            ctx_setting(ctx, device, "usb_id",
                        arena_strf(ctx->scratch, "%04x:%04x", (unsigned)vendor, (unsigned)number), "kernel", at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_usbconfig = {.name = "usbconfig",
                                 .bid = bid,
                                 .starts = starts,
                                 .continues = continues,
                                 .parse = parse,
                                 .ask = "usbconfig list; usbconfig dump_device_desc"};
