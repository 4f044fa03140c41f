/*
 * pciconf.c - PCI devices as FreeBSD lists them
 *
 * Reads   pciconf -l, with -v -c -b -e in any combination
 * Gives   pci_device of storage controllers (class 01xx), bridges (0604) and USB controllers (0c03), as lspci.c does; which
 *         address mps0, ahci1 have; setting aspm, pcie_errors
 * Sample  pciconf -lvc, FreeBSD 13
 *   |ahci0@pci0:0:31:2:	class=0x010601 rev=0x05 hdr=0x00 vendor=0x8086 device=0x1c02 subvendor=0x1043 subdevice=0x844d
 *   |    vendor     = 'Intel Corporation'
 *   |    device     = '6 Series/C200 Series Chipset Family 6 port Desktop SATA AHCI Controller'
 *   |    class      = mass storage
 *   |    subclass   = SATA
 *   |    cap 10[70] = PCI-Express 2 endpoint max data 128(256) RO NS
 *   |                 link x4(x8) speed 8.0(16.0) ASPM disabled(L0s/L1)
 *   |     Corrected = Receiver Error
 *   |                 Bad TLP
 * Varies  before 13 card= and chip= hold subsystem and device, the vendor in the lower half; numbers of bus, slot and function are decimal;
 *         noneN is a device without a driver. "link x4(x8)" is what is used and, in brackets, what it could. Bridges print "slot N".
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>
#include <stdio.h>

typedef struct Device {
    bool wanted;
    char bdf[16], class_code[5], prog_if[3], vendor[5], device[5], subsystem[10], driver[16], unit[16], name[200];
    double sta_gtps, cap_gtps, sta_width, cap_width;
    Spot at, link_at, errors_at;
    char aspm[16], errors[200];
    char text[FACTS_LINE_CLIP], link_text[FACTS_LINE_CLIP], errors_text[FACTS_LINE_CLIP];
} Device;

static bool hex_field(Str line, const char *key, uint64_t *out) {
    size_t at = str_find(line, key);
    if (at == SIZE_MAX) return false;
    Str rest = str_from(line, at + strlen(key));
    return str_hex_u64(str_word(&rest), out);
}

/* "ahci0@pci0:0:31:2:" and what follows. */
static bool selector(Str line, Str *driver, uint64_t at[4], Str *rest) {
    size_t sign = str_find(line, "@pci");
    if (sign == SIZE_MAX || !sign || sign > 15 || ch_blank(line.p[0])) return false;
    *driver = str_sub(line, 0, sign);
    Str s = str_from(line, sign + 4);
    for (size_t i = 0; i < 4; i++)
        if (!str_u64(str_cut(&s, ':'), &at[i])) return false;
    *rest = s;
    return at[0] <= 0xffff && at[1] <= 255 && at[2] <= 31 && at[3] <= 7 && str_has(s, "class=0x");
}

static bool detail(Str line) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    Str s = str_trim(line);
    static const char *const words[] = {
        "vendor ", "device ",  "class ", "subclass ", "bar ",  "cap ", "ecap ",       "PCI errors ", "PCI-e errors",
        "VPD ",    "max read", "link x", "features:", "slot ", "iov ", "Corrected =", "Fatal =",     "Non-fatal ="};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    return line.len > 17 && str_starts(line, "                 "); /* the rest of a capability */
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    Str driver, rest;
    uint64_t at[4];
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return selector(line, &driver, at, &rest) ? command_is(command, "pciconf") ? 40 : 32 : 0;
    }
    return 0;
}

static bool starts(Str line) {
    Str driver, rest;
    uint64_t at[4];
    return selector(line, &driver, at, &rest);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line) || detail(line);
}

/* "class=0x010601 card=0x844d1043 chip=0x1c028086" or "... vendor=0x8086 device=0x1c02 subvendor=0x1043 subdevice=0x844d" */
static void begin(Device *d, Str driver, const uint64_t at[4], Str rest, Spot spot) {
    uint64_t class, vendor = 0, device = 0, sub_vendor = 0, sub_device = 0, both;
    *d = (Device){.sta_gtps = NAN, .cap_gtps = NAN, .sta_width = NAN, .cap_width = NAN, .at = spot};
    if (!hex_field(rest, "class=", &class) || class > 0xffffff) return;
    snprintf(d->bdf, sizeof d->bdf, "%04x:%02x:%02x.%x", (unsigned)at[0], (unsigned)at[1], (unsigned)at[2],
             (unsigned)at[3]);
    snprintf(d->class_code, sizeof d->class_code, "%04x", (unsigned)(class >> 8));
    snprintf(d->prog_if, sizeof d->prog_if, "%02x", (unsigned)(class & 255));
    bool known = hex_field(rest, " vendor=", &vendor) && hex_field(rest, " device=", &device);
    if (!known && hex_field(rest, " chip=", &both)) {
        known = true;
        vendor = both & 0xffff;
        device = both >> 16;
    }
    if (known && vendor <= 0xffff && device <= 0xffff) {
        snprintf(d->vendor, sizeof d->vendor, "%04x", (unsigned)vendor);
        snprintf(d->device, sizeof d->device, "%04x", (unsigned)device);
    }
    bool sub = hex_field(rest, " subvendor=", &sub_vendor) && hex_field(rest, " subdevice=", &sub_device);
    if (!sub && hex_field(rest, " card=", &both)) {
        sub = true;
        sub_vendor = both & 0xffff;
        sub_device = both >> 16;
    }
    if (sub && (sub_vendor || sub_device) && sub_vendor <= 0xffff && sub_device <= 0xffff)
        snprintf(d->subsystem, sizeof d->subsystem, "%04x:%04x", (unsigned)sub_vendor, (unsigned)sub_device);
    if (driver.len < sizeof d->unit) memcpy(d->unit, driver.p, driver.len);
    while (driver.len && ch_digit(driver.p[driver.len - 1])) driver.len--;
    if (!str_is(driver, "none") && driver.len < sizeof d->driver) memcpy(d->driver, driver.p, driver.len);
    d->wanted = (class >> 16) == 1 || (class >> 8) == 0x0604 || (class >> 8) == 0x0c03;
    size_t n = spot.text.len < sizeof d->text ? spot.text.len : sizeof d->text;
    memcpy(d->text, spot.text.p, n);
    d->at.text = (Str){d->text, n};
}

static void keep_spot(Spot *to, char *room, Spot at) {
    size_t n = at.text.len < FACTS_LINE_CLIP ? at.text.len : FACTS_LINE_CLIP;
    *to = at;
    memcpy(room, at.text.p, n);
    to->text = (Str){room, n};
}

/* " speed 8.0(16.0) ASPM disabled(L0s/L1) ClockPM enabled": of root ports it stands on a line of its own */
static void link_speed(Device *d, Str s) {
    size_t at = str_find(s, " ASPM ");
    Str pm = at == SIZE_MAX ? STR_NONE : str_from(s, at + 6);
    pm = str_cut(&pm, '(');
    if (str_is(pm, "disabled")) snprintf(d->aspm, sizeof d->aspm, "off");
    else if (str_is(pm, "L0s/L1")) snprintf(d->aspm, sizeof d->aspm, "L0s L1");
    else if (str_is(pm, "L0s") || str_is(pm, "L1")) snprintf(d->aspm, sizeof d->aspm, "%.*s", STR_ARG(pm));
    at = str_find(s, "speed ");
    if (at == SIZE_MAX) return;
    s = str_from(s, at + 6);
    dev_leading_number(s, &d->sta_gtps);
    at = str_find_ch(s, '(');
    if (at != SIZE_MAX) dev_leading_number(str_from(s, at + 1), &d->cap_gtps);
}

/* "link x4(x8) speed 8.0(16.0) ASPM disabled(L0s/L1) ClockPM enabled": what is and, in brackets, what could be */
static void link_state(Device *d, Str s, Spot spot) {
    size_t at = str_find(s, "link x");
    if (at == SIZE_MAX) return;
    keep_spot(&d->link_at, d->link_text, spot);
    s = str_from(s, at + 6);
    dev_leading_number(s, &d->sta_width);
    at = str_find(s, "(x");
    if (at != SIZE_MAX) dev_leading_number(str_from(s, at + 2), &d->cap_width);
    link_speed(d, s);
}

/* Bits of the correctable and uncorrectable error status, in the words of usr.sbin/pciconf/err.c, and as lspci calls them. */
static void error_bit(Device *d, Str words, Spot at) {
    static const struct {
        const char *words, *name;
    } bits[] = {{"Receiver Error", "RxErr"},
                {"Bad TLP", "BadTLP"},
                {"Bad DLLP", "BadDLLP"},
                {"REPLAY_NUM Rollover", "Rollover"},
                {"Replay Timer Timeout", "Timeout"},
                {"Advisory Non-Fatal Error", "AdvNonFatalErr"},
                {"Data Link Protocol Error", "DLP"},
                {"Surprise Link Down", "SDES"},
                {"Poisoned TLP", "TLP"},
                {"Completion Timeout", "CmpltTO"},
                {"Malformed TLP", "MalfTLP"},
                {"ECRC Error", "ECRC"},
                {"Unsupported Request", "UnsupReq"}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (!str_is(words, bits[i].words)) continue;
        if (!d->errors[0]) keep_spot(&d->errors_at, d->errors_text, at);
        size_t n = str_of(d->errors).len;
        if (n + strlen(bits[i].name) + 2 < sizeof d->errors)
            snprintf(d->errors + n, sizeof d->errors - n, "%s%s", n ? " " : "", bits[i].name);
    }
}

static void write_device(ParseCtx *ctx, Device *d) {
    if (!d->wanted) return;
    Row r = ctx_row(ctx, "pci_device", d->at);
    row_ref(&r, "node", ctx_ref(ctx, REF_PCI, str_of(d->bdf)));
    row_text(&r, "bdf", str_of(d->bdf));
    row_text(&r, "class_code", str_of(d->class_code));
    row_text(&r, "prog_if", str_of(d->prog_if));
    if (d->vendor[0]) row_text(&r, "vendor_id", str_of(d->vendor));
    if (d->device[0]) row_text(&r, "device_id", str_of(d->device));
    if (d->subsystem[0]) row_text(&r, "subsystem", str_of(d->subsystem));
    if (d->name[0]) row_text(&r, "name", str_of(d->name));
    if (d->driver[0]) row_text(&r, "driver", str_of(d->driver));
    row_real(&r, "lnkcap_gtps", d->cap_gtps);
    row_real(&r, "lnksta_gtps", d->sta_gtps);
    if (d->cap_width > 0) row_int(&r, "lnkcap_width", i64_of(d->cap_width)); /* x0: no link */
    if (d->sta_width > 0) row_int(&r, "lnksta_width", i64_of(d->sta_width));
    if (d->link_at.line) {
        int64_t line = facts_keep_line(ctx->facts, ctx->src, d->link_at);
        row_int(&r, "lnkcap_line", line);
        row_int(&r, "lnksta_line", line);
    }
    if (d->driver[0]) row_text(&r, "unit", str_of(d->unit));
    row_done(&r);
    Ref node = ctx_ref(ctx, REF_PCI, str_of(d->bdf));
    if (d->aspm[0]) ctx_setting(ctx, node, "aspm", str_of(d->aspm), "kernel", d->link_at);
    if (d->errors[0]) ctx_setting(ctx, node, "pcie_errors", str_of(d->errors), "kernel", d->errors_at);
    /* The kernel log and camcontrol speak of mps0: the one place where name and address stand together. NVMe drives go by their own. */
    if (d->driver[0] && str_starts(str_of(d->class_code), "01") && !str_is(str_of(d->driver), "nvme"))
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI_HOST, str_of(d->unit)),
                   ctx_ref(ctx, REF_PCI, str_of(d->bdf)), "pciconf", d->at);
    d->wanted = false;
}

static Str quoted(Str s) {
    size_t from = str_find_ch(s, '\''), to = str_rfind_ch(s, '\'');
    return from == SIZE_MAX || to <= from ? STR_NONE : str_sub(s, from + 1, to - from - 1);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Device *d = arena_new_of(ctx->scratch, Device);
    Str line, driver, rest, vendor = STR_NONE;
    char vendor_room[100];
    bool errors = false; /* within the list of error bits */
    while (input_line(in, &line)) {
        Spot spot = input_spot(in);
        uint64_t at[4];
        Str s = str_trim(line);
        bool more = false;
        if (!s.len) continue;
        if (selector(line, &driver, at, &rest)) {
            write_device(ctx, d);
            begin(d, driver, at, rest, spot);
            vendor = STR_NONE;
            ctx->rows++;
        } else if (!detail(line)) {
            parse_note(ctx, spot, "not a line of pciconf: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        } else if (str_starts(s, "vendor ")) {
            Str v = quoted(s);
            size_t n = v.len < sizeof vendor_room ? v.len : sizeof vendor_room;
            if (n) memcpy(vendor_room, v.p, n);
            vendor = (Str){vendor_room, n};
        } else if (str_starts(s, "device ")) {
            Str name = quoted(s);
            if (name.len)
                snprintf(d->name, sizeof d->name, "%.*s%s%.*s", STR_ARG(vendor), vendor.len ? " " : "", STR_ARG(name));
        } else if (str_has(s, "link x")) {
            link_state(d, s, spot);
        } else if (str_starts(s, "speed ") && d->link_at.line) {
            link_speed(d, s);
        } else if (str_starts(s, "Corrected = ") || str_starts(s, "Fatal = ") || str_starts(s, "Non-fatal = ")) {
            error_bit(d, str_trim(str_from(s, str_find_ch(s, '=') + 1)), spot);
            more = true;
        } else if (errors) {
            error_bit(d, s, spot);
            more = str_starts(line, "                 ");
        }
        errors = more;
    }
    write_device(ctx, d);
    return parse_result(ctx);
}

const Parser parser_pciconf = {
    .name = "pciconf", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "pciconf -lvc"};
