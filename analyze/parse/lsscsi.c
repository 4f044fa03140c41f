/*
 * lsscsi.c - SCSI devices, their addresses and transports
 *
 * Reads   lsscsi, with -g -s -t -d -i -w -L -v in any combination; rows of lsscsi -H and of NVMe are understood
 * Gives   which address is which disk; setting hctl, transport, vendor, model, firmware, wwn, port, queue_depth, io_timeout_s,
 *         device_state; counters of -L; with -v the controller and ata port of each disk
 * Sample  lsscsi 0.32
 *   | [2:0:0:0]    disk    ATA      WDC WD40EFRX-68W 0A82  /dev/sda   /dev/sg0
 * Sample  lsscsi -t -L
 *   | [2:0:0:0]    disk    sata:50014ee2b1234567           /dev/sda
 *   |   queue_depth=31
 *   |   state=running
 * Varies  the INQUIRY columns are 8, 16 and 4 bytes wide, a model is cut to 16; vendor "ATA" is the translation's, not the drive's.
 *         With -t a transport stands in their place: a SATA disk's name in it is its WWN, a SAS or FC one is the port's.
 */
#include "device_text.h"
#include "scan.h"

static bool address(Str line, Str *hctl, Str *rest) {
    if (!line.len || line.p[0] != '[') return false;
    size_t close = str_find_ch(line, ']');
    if (close == SIZE_MAX || close > 40) return false;
    *hctl = str_sub(line, 1, close - 1);
    *rest = str_from(line, close + 1);
    if (rest->len && !ch_blank(rest->p[0])) return false;
    return scan_hctl(*hctl) || (str_starts(*hctl, "N:") && hctl->len > 4);
}

static bool type_word(Str s) {
    static const char *const words[] = {"disk",    "tape",    "printer", "process", "worm",    "cd/dvd",
                                        "scanner", "optical", "mediumx", "comms",   "storage", "enclosu",
                                        "sim dsk", "opti rd", "bridge",  "osd",     "adi",     "sec man",
                                        "zbc",     "rbc",     "wlun",    "no dev",  "unknown", "(0x14)"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static bool host_row(Str line) {
    Str w[3], inner;
    uint64_t v;
    size_t n = str_words(line, w, 3);
    if (n < 2 || w[0].len < 3 || w[0].p[0] != '[' || w[0].p[w[0].len - 1] != ']') return false;
    inner = str_sub(w[0], 1, w[0].len - 2);
    return (str_starts(inner, "N:") || str_u64(inner, &v)) && (ch_alpha(w[1].p[0]) || str_starts(w[1], "/dev/nvme"));
}

static bool row(Str line, Str *hctl, Str *type, Str *rest) {
    if (!address(line, hctl, rest)) return false;
    *rest = str_trim_left(*rest);
    Str tail = *rest;
    *type = str_word(&tail);
    return type_word(*type);
}

static bool attribute(Str line, Str *key, Str *value) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    Str s = str_trim(line);
    size_t at = str_find_ch(s, '=');
    if (at == SIZE_MAX || !at) return false;
    *key = str_sub(s, 0, at);
    *value = str_from(s, at + 1);
    for (size_t i = 0; i < key->len; i++)
        if (!ch_alnum(key->p[i]) && key->p[i] != '_') return false;
    return true;
}

/* "  dir: /sys/bus/scsi/devices/2:0:0:0  [/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0]" (-v): the path */
static bool directory(Str line, Str *path) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    Str s = str_after(str_trim(line), "dir: ");
    if (!s.p) return false;
    size_t from = str_find_ch(s, '['), to = str_rfind_ch(s, ']');
    *path = from != SIZE_MAX && to != SIZE_MAX && to > from ? str_sub(s, from + 1, to - from - 1) : s;
    return true;
}

static bool starts(Str line) {
    Str hctl, type, rest;
    return row(line, &hctl, &type, &rest);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "lsscsi") || path_has(path, "lsscsi") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (starts(line)) return 22 + bits;
        if (bits && host_row(line)) return 10 + bits;
        if (n == 0 && str_has(line, "lsscsi")) continue; /* its prompt */
        return 0;
    }
    return 0;
}

static bool continues(Str line) {
    Str key, value, path;
    return !str_trim(line).len || starts(line) || host_row(line) || attribute(line, &key, &value) ||
           directory(line, &path);
}

typedef struct Lsscsi {
    ParseCtx *ctx;
    Ref ref; /* of the last row, for the lines of -L */
} Lsscsi;

/* sata: sas:0x... fc:0x...,0x... usb: 2-1.5:1.0 iqn... spi:2 */
static bool transport(Lsscsi *l, Str middle, Spot at) {
    static const char *const words[] = {"sata",  "ata", "sas",  "fc",  "fcoe", "usb", "spi",
                                        "iscsi", "sbp", "rdma", "srp", "pcie", "sd"};
    ParseCtx *ctx = l->ctx;
    Str tail = middle, word = str_word(&tail);
    if (str_starts(word, "iqn.") || str_starts(word, "eui.")) {
        ctx_setting(ctx, l->ref, "transport", STR("iscsi"), "kernel", at);
        return true;
    }
    size_t colon = str_find_ch(middle, ':');
    if (colon == SIZE_MAX) return false;
    Str name = str_sub(middle, 0, colon), rest = str_trim(str_from(middle, colon + 1));
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !str_is(name, words[i])) i++;
    if (i == sizeof words / sizeof *words) return false;
    ctx_setting(ctx, l->ref, "transport", str_is(name, "fcoe") ? STR("fc") : name, "kernel", at);
    if (str_is(name, "usb")) {
        Str port = rest;
        ctx_setting(ctx, l->ref, "port", str_cut(&port, ':'), "kernel", at);
    } else if (str_is(name, "sata") || str_is(name, "ata")) {
        Str w = rest, wwn = dev_wwn(ctx->scratch, str_word(&w));
        if (wwn.len && !w.len) ctx_setting(ctx, l->ref, "wwn", wwn, "kernel", at);
    }
    return true;
}

/* VENDOR MODEL REV by their widths, or by words where a paste has squeezed the blanks. */
static void inquiry(Lsscsi *l, Str middle, Str whole, Spot at) {
    ParseCtx *ctx = l->ctx;
    Str vendor, model, rev;
    if (whole.len >= 38 && whole.p[16] == ' ' && whole.p[33] == ' ' && whole.p[7] == ' ') {
        vendor = str_trim(str_sub(whole, 8, 8));
        model = str_trim(str_sub(whole, 17, 16));
        rev = str_trim(str_sub(whole, 34, 4));
    } else {
        Str rest = middle;
        vendor = str_word(&rest);
        rest = str_trim(rest);
        size_t last = rest.len;
        while (last && !ch_blank(rest.p[last - 1])) last--;
        model = str_trim(str_sub(rest, 0, last));
        rev = str_from(rest, last);
    }
    if (vendor.len && !str_is(vendor, "ATA")) ctx_setting(ctx, l->ref, "vendor", vendor, "kernel", at);
    if (model.len) ctx_setting(ctx, l->ref, "model", model, "kernel", at);
    if (rev.len) ctx_setting(ctx, l->ref, "firmware", rev, "kernel", at);
}

static void device_row(Lsscsi *l, Str hctl, Str type, Str rest, Spot at) {
    ParseCtx *ctx = l->ctx;
    ctx->rows++;
    l->ref = 0;
    /* The device is the first word that is "-" or a path; generic node and size follow. */
    Str tail = str_from(rest, type.len), device = STR_NONE;
    const char *from = tail.p;
    for (Str w, scan = tail; (w = str_word(&scan)).len;)
        if (str_starts(w, "/dev/") || str_is(w, "-")) {
            device = w;
            break;
        }
    if (!device.len || str_is(device, "-")) return; /* a controller, an enclosure: nothing to hang facts on */
    size_t bracket = str_find_ch(device, '[');      /* -d: /dev/sda[8:0] */
    if (bracket != SIZE_MAX) device = str_sub(device, 0, bracket);
    Str middle = str_trim((Str){from, (size_t)(device.p - from)});
    l->ref = ctx_ref(ctx, REF_DISK, device);
    if (scan_hctl(hctl)) {
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI, hctl), l->ref, "lsscsi", at);
        ctx_setting(ctx, l->ref, "hctl", hctl, "kernel", at);
    } else {
        ctx_setting(ctx, l->ref, "transport", STR("nvme"), "kernel", at);
    }
    if (str_is(type, "cd/dvd")) ctx_setting(ctx, l->ref, "device_type", STR("cdrom"), "kernel", at);
    else if (str_is(type, "disk")) ctx_setting(ctx, l->ref, "device_type", STR("disk"), "kernel", at);
    if (!middle.len || !scan_hctl(hctl)) return;
    Str wwn = dev_wwn(ctx->scratch, middle); /* -w */
    if (wwn.len && str_starts(middle, "0x")) ctx_setting(ctx, l->ref, "wwn", wwn, "kernel", at);
    else if (!transport(l, middle, at)) inquiry(l, middle, rest, at);
}

static void attribute_row(Lsscsi *l, Str key, Str value, Spot at) {
    ParseCtx *ctx = l->ctx;
    double v;
    uint64_t hex;
    ctx->rows++;
    if (!l->ref) return;
    if (str_is(key, "queue_depth") && str_double(value, &v))
        ctx_setting_real(ctx, l->ref, "queue_depth", v, "kernel", at);
    else if (str_is(key, "timeout") && str_double(value, &v))
        ctx_setting_real(ctx, l->ref, "io_timeout_s", v, "kernel", at);
    else if (str_is(key, "state")) ctx_setting(ctx, l->ref, "device_state", value, "kernel", at);
    else if (str_is(key, "transport")) ctx_setting(ctx, l->ref, "transport", value, "kernel", at);
    else if ((str_is(key, "ioerr_cnt") || str_is(key, "iodone_cnt")) && str_hex_u64(value, &hex)) {
        Row r = ctx_row(ctx, "counter", at);
        row_ref(&r, "node", l->ref);
        row_text(&r, "name", key);
        row_text(&r, "kind", STR("sysfs"));
        row_real(&r, "value", (double)hex);
        row_text(&r, "raw", value);
        row_done(&r);
    }
}

/* Where it hangs: the last PCI address of the path, and the ata port below it. */
static void place(Lsscsi *l, Str path, Spot at) {
    ParseCtx *ctx = l->ctx;
    Str bdf = STR_NONE, ata = STR_NONE;
    ctx->rows++;
    if (!l->ref) return;
    for (Str rest = path; rest.len;) {
        Str part = str_cut(&rest, '/'), number = str_after(part, "ata");
        uint64_t n;
        if (scan_pci_address(part)) bdf = part;
        else if (number.p && str_u64(number, &n)) ata = part;
    }
    if (bdf.len) {
        ctx_setting(ctx, l->ref, "pci", bdf, "kernel", at);
        facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_PCI, bdf), l->ref, at);
    }
    if (ata.len) ctx_setting(ctx, l->ref, "ata_port", ata, "kernel", at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Lsscsi l = {.ctx = ctx};
    Str line;
    while (input_line(in, &line)) {
        Str hctl, type, rest, key, value, path, s = str_trim(line);
        Spot at = input_spot(in);
        if (!s.len) continue;
        if (row(line, &hctl, &type, &rest)) device_row(&l, hctl, type, rest, at);
        else if (attribute(line, &key, &value)) attribute_row(&l, key, value, at);
        else if (directory(line, &path)) place(&l, path, at);
        else if (host_row(line)) ctx->rows++;
        else if (str_has(s, "lsscsi ") && in->line == 1) continue; /* the prompt it was copied with */
        else parse_note(ctx, at, "not a row of lsscsi: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
    }
    return parse_result(ctx);
}

const Parser parser_lsscsi = {
    .name = "lsscsi",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "lsscsi -t -L",
};
