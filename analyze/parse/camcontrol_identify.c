/*
 * camcontrol_identify.c - what FreeBSD's CAM asks one disk: IDENTIFY, INQUIRY, queue tags
 *
 * Reads   camcontrol identify DISK [-v], camcontrol inquiry DISK, camcontrol tags DISK [-v]
 * Gives   setting: identity, sector sizes, link speeds, caches, queueing, TRIM, SMART (view drive); queue depth and link (view kernel)
 * Sample  camcontrol identify ada0, FreeBSD 12.2
 *   |pass0: <Example SSD 1TB FW000001> ACS-4 ATA SATA 3.x device
 *   |pass0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)
 *   |
 *   |protocol              ACS-4 ATA SATA 3.x
 *   |serial number         EX000000000001
 *   |sector size           logical 512, physical 4096, offset 0
 *   |Feature                      Support  Enabled   Value           Vendor
 *   |write cache                    yes	yes
 *   |Native Command Queuing (NCQ)   yes		32 tags
 * Sample  camcontrol tags da0 -v
 *   |(pass0:mps0:0:4:0): dev_openings  254
 *   |(pass0:mps0:0:4:0): maxtags       255
 * Varies  all of them name the passthrough device only: the disk stands in the command line or the member's path; else the serial
 *         number stands for it. tags without -v: "device openings: 32". A feature has Support and Enabled; where the drive cannot
 *         tell, the second is blank. The speed is the negotiated one, "SATA 3.x device" is the drive's ceiling.
 */
#include "device_text.h"
#include "parser.h"

enum { FACTS = 64, FEATURE_COLUMN = 29 };

typedef struct Held { /* a fact that waits for the drive's name */
    const char *key, *view;
    Str value;
    Spot at;
} Held;

typedef struct Identify {
    ParseCtx *ctx;
    Str given, serial;
    Held held[FACTS];
    size_t count;
    double sectors, lba28, bytes;
    Spot sectors_at;
} Identify;

/* "pass0: <...> ... device", "pass0: 300.000MB/s transfers ...", "pass0: Serial Number X" */
static bool pass_line(Str line, Str *rest) {
    Str s = str_after(line, "pass");
    size_t n = 0;
    while (s.p && n < s.len && ch_digit(s.p[n])) n++;
    if (!n || n > 4 || !str_starts(str_from(s, n), ": ")) return false;
    *rest = str_trim(str_from(s, n + 2));
    return str_starts(*rest, "<") || str_has(*rest, "MB/s transfers") || str_starts(*rest, "Serial Number ");
}

/* "(pass0:mps0:0:4:0): dev_openings  254", "(pass0:ahcich0:0:0:0): device openings: 32" */
static bool tag_line(Str line, Str *key, Str *value) {
    if (!str_starts(line, "(pass")) return false;
    size_t end = str_find(line, "): ");
    if (end == SIZE_MAX || end > 60) return false;
    static const char *const keys[] = {"device openings:", "dev_openings", "dev_active", "allocated",
                                       "queued",           "held",         "mintags",    "maxtags",
                                       "devq_openings",    "devq_queued"};
    Str s = str_from(line, end + 3);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        Str rest = str_after(s, keys[i]);
        if (!rest.p) continue;
        *key = str_of(keys[i]);
        *value = str_trim(rest);
        return true;
    }
    return false;
}

static const struct {
    const char *name, *key;
} rows[] = {
    {"protocol", NULL},
    {"device model", "model"},
    {"firmware revision", "firmware"},
    {"serial number", "serial"},
    {"WWN", "wwn"},
    {"additional product id", NULL},
    {"cylinders", NULL},
    {"heads", NULL},
    {"sectors/track", NULL},
    {"sector size", NULL},
    {"LBA supported", NULL},
    {"LBA48 supported", NULL},
    {"LBA not supported", NULL},
    {"LBA48 not supported", NULL},
    {"PIO supported", NULL},
    {"DMA supported", NULL},
    {"DMA not supported", NULL},
    {"overlap not supported", NULL},
    {"media RPM", NULL},
    {"Zoned-Device Commands", NULL},
    {"sector alignment", NULL},
};

/* A row of the first table: name, blanks up to column 22, value. */
static bool row(Str line, Str *name, Str *value) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str rest = str_after(line, rows[i].name);
        if (!rest.p || (rest.len && !ch_blank(rest.p[0]))) continue;
        *name = str_of(rows[i].name);
        *value = str_trim(rest);
        return true;
    }
    return false;
}

static bool heading(Str line) {
    Str w[8];
    return str_words(line, w, 8) >= 4 && str_is(w[0], "Feature") && str_is(w[1], "Support") &&
           str_starts(w[2], "Enable") && str_is(w[3], "Value");
}

/* "write cache                    yes	yes": what the drive supports, and whether it is on (STR_NONE: not said) */
static bool feature(Str line, Str *name, bool *supported, Str *enabled, Str *value) {
    size_t at = SIZE_MAX;
    for (size_t i = 2; i + 2 < line.len + 1 && at == SIZE_MAX; i++) {
        Str rest = str_from(line, i);
        bool yes = str_starts(rest, "yes"), no = str_starts(rest, "no");
        size_t n = yes ? 3 : 2;
        if ((yes || no) && ch_blank(line.p[i - 1]) && (rest.len == n || ch_blank(rest.p[n]))) at = i;
    }
    if (at == SIZE_MAX || at > FEATURE_COLUMN + 8 || ch_blank(line.p[0])) return false;
    *name = str_trim(str_sub(line, 0, at));
    Str rest = str_from(line, at), word = str_word(&rest);
    *supported = str_is(word, "yes");
    Str tail = rest;
    *enabled = STR_NONE;
    word = str_word(&tail);
    if (str_is(word, "yes") || str_is(word, "no")) {
        *enabled = word;
        rest = tail;
    }
    *value = str_trim(rest);
    return name->len >= 3 && name->len <= 40;
}

static bool starts(Str line) {
    Str rest, key, value;
    line = str_trim_right(line);
    /* the kernel log prints such a line of a scanner, too */
    if (pass_line(line, &rest))
        return str_starts(rest, "<") &&
               (str_has(rest, "ATA") || str_has(rest, "ACS-") || str_has(rest, "Direct Access"));
    return tag_line(line, &key, &value) || (str_starts(line, "protocol              ") && str_has(line, "AT"));
}

static bool continues(Str line) {
    Str name, value, enabled;
    bool supported;
    line = str_trim_right(line);
    return !line.len || pass_line(line, &value) || tag_line(line, &name, &value) || row(line, &name, &value) ||
           heading(line) || feature(line, &name, &supported, &enabled, &value);
}

static int bid(Str path, Str command, Str head) {
    bool named = command_is(command, "camcontrol") || path_has(path, "camcontrol");
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        return starts(line) ? named ? 40 : 30 : 0;
    }
    return 0;
}

static void hold(Identify *d, const char *key, Str value, const char *view, Spot at) {
    value = str_trim(value);
    if (!value.len || d->count == FACTS) return;
    at.text = arena_str(d->ctx->scratch, at.text);
    d->held[d->count++] = (Held){key, view, arena_str(d->ctx->scratch, value), at};
}

static void settle(Identify *d) {
    if (!d->count) return;
    Ref ref = d->given.len ? ctx_ref(d->ctx, REF_DISK, d->given)
              : d->serial.len
                  ? ctx_ref(d->ctx, REF_SERIAL, d->serial)
                  : ctx_ref(d->ctx, REF_DISK,
                            arena_strf(d->ctx->scratch, "[drive at line %lld]", (long long)d->held[0].at.line));
    for (size_t i = 0; i < d->count; i++)
        ctx_setting(d->ctx, ref, d->held[i].key, d->held[i].value, d->held[i].view, d->held[i].at);
    double sectors = d->sectors > 0 ? d->sectors : d->lba28;
    if (sectors > 0 && d->bytes > 0 && sectors * d->bytes < 1e18)
        ctx_setting_int(d->ctx, ref, "size_bytes", i64_of(sectors * d->bytes), "drive", d->sectors_at);
    d->count = 0;
    d->serial = STR_NONE;
    d->sectors = d->lba28 = d->bytes = 0;
}

/* The ceiling in "SATA 3.x": word 76 of IDENTIFY. */
static void ceiling(Identify *d, Str s, Spot at) {
    if (str_has(s, "SATA 3.x")) hold(d, "link_max_gbps", STR("6"), "drive", at);
    else if (str_has(s, "SATA 2.x")) hold(d, "link_max_gbps", STR("3"), "drive", at);
    else if (str_has(s, "SATA 1.x")) hold(d, "link_max_gbps", STR("1.5"), "drive", at);
    if (str_has(s, "SATA")) hold(d, "transport", STR("sata"), "drive", at);
}

static void pass_fact(Identify *d, Str rest, Spot at) {
    Str serial = str_after(rest, "Serial Number ");
    size_t speed = str_find(rest, "MB/s transfers");
    double mb;
    if (serial.p) {
        d->serial = arena_str(d->ctx->scratch, str_trim(serial));
        hold(d, "serial", serial, "drive", at);
    } else if (speed != SIZE_MAX) {
        /* payload after 8b/10b coding; "SATA" without a revision is a placeholder of the legacy interface */
        static const struct {
            double mb;
            const char *gbps;
        } known[] = {{150, "1.5"}, {300, "3"}, {600, "6"}, {1200, "12"}};
        bool legacy = str_has(rest, "(SATA,") || str_has(rest, "(UDMA") || str_has(rest, "(PIO");
        if (!legacy && str_double(str_sub(rest, 0, speed), &mb))
            for (size_t i = 0; i < 4; i++)
                if (mb == known[i].mb) hold(d, "link_gbps", str_of(known[i].gbps), "kernel", at);
    } else { /* "<VENDOR MODEL REV> Fixed Direct Access SPC-4 SCSI device" */
        size_t end = str_rfind_ch(rest, '>');
        if (end == SIZE_MAX || end < 2) return;
        Str id = str_trim(str_sub(rest, 1, end - 1)), kind = str_from(rest, end + 1);
        ceiling(d, kind, at);
        if (str_has(kind, " ATA") || str_has(kind, "ATAPI") || !str_has(kind, "SCSI"))
            return; /* identify says it in full */
        size_t blank = str_rfind_ch(id, ' ');
        if (blank != SIZE_MAX) {
            hold(d, "firmware", str_from(id, blank + 1), "drive", at);
            id = str_trim(str_sub(id, 0, blank));
        }
        size_t first = str_find_ch(id, ' ');
        if (first != SIZE_MAX) {
            hold(d, "vendor", str_sub(id, 0, first), "drive", at);
            id = str_trim(str_from(id, first));
        }
        hold(d, "model", id, "drive", at);
    }
}

static void table_row(Identify *d, Str name, Str value, Spot at) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].key && str_is(name, rows[i].name)) {
            if (str_is(name, "WWN")) value = dev_wwn(d->ctx->scratch, value);
            if (str_is(name, "serial number")) d->serial = arena_str(d->ctx->scratch, value);
            hold(d, rows[i].key, value, "drive", at);
        }
    double number;
    if (str_is(name, "protocol")) ceiling(d, value, at);
    else if (str_is(name, "sector size")) {
        Str logical = str_after(value, "logical ");
        size_t p = str_find(value, "physical ");
        if (logical.p && dev_leading_number(logical, &d->bytes))
            hold(d, "logical_block_bytes", arena_strf(d->ctx->scratch, "%.0f", d->bytes), "drive", at);
        if (p != SIZE_MAX && dev_leading_number(str_from(value, p + 9), &number))
            hold(d, "physical_block_bytes", arena_strf(d->ctx->scratch, "%.0f", number), "drive", at);
    } else if (str_is(name, "LBA supported") || str_is(name, "LBA48 supported")) {
        if (!dev_leading_number(value, &number)) return;
        *(str_is(name, "LBA supported") ? &d->lba28 : &d->sectors) = number;
        d->sectors_at = at;
        d->sectors_at.text = arena_str(d->ctx->scratch, at.text);
    } else if (str_is(name, "media RPM")) {
        if (str_is(value, "non-rotating")) {
            hold(d, "rotation_rpm", STR("0"), "drive", at);
            hold(d, "rotational", STR("0"), "drive", at);
        } else if (dev_leading_number(value, &number) && number >= 1000) {
            hold(d, "rotation_rpm", arena_strf(d->ctx->scratch, "%.0f", number), "drive", at);
            hold(d, "rotational", STR("1"), "drive", at);
        }
    } else if (str_is(name, "Zoned-Device Commands")) {
        if (str_is(value, "no")) hold(d, "zoned", STR("none"), "drive", at);
        else if (str_ifind(value, "host aware") != SIZE_MAX) hold(d, "zoned", STR("host-aware"), "drive", at);
        else if (str_ifind(value, "device managed") != SIZE_MAX || str_ifind(value, "drive managed") != SIZE_MAX)
            hold(d, "zoned", STR("drive-managed"), "drive", at);
    }
}

static Str on_off(Str enabled) {
    return str_is(enabled, "yes") ? STR("on") : str_is(enabled, "no") ? STR("off") : STR_NONE;
}

static void feature_row(Identify *d, Str name, bool supported, Str enabled, Str value, Spot at) {
    Str yes = supported ? STR("yes") : STR("no");
    double level;
    if (str_is(name, "write cache")) {
        if (supported) hold(d, "write_cache", on_off(enabled), "drive", at);
    } else if (str_is(name, "read ahead")) {
        if (supported) hold(d, "read_lookahead", on_off(enabled), "drive", at);
    } else if (str_starts(name, "Native Command Queuing")) hold(d, "ncq_supported", yes, "drive", at);
    else if (str_is(name, "SMART")) {
        hold(d, "smart_supported", yes, "drive", at);
        hold(d, "smart_enabled", enabled, "drive", at);
    } else if (str_starts(name, "Data Set Management")) hold(d, "trim_supported", yes, "drive", at);
    else if (str_is(name, "advanced power management") && supported) {
        if (str_is(enabled, "no")) hold(d, "apm_level", STR("255"), "drive", at);
        else if (dev_leading_number(value, &level) && level >= 1 && level <= 254)
            hold(d, "apm_level", arena_strf(d->ctx->scratch, "%.0f", level), "drive", at);
    } else if (str_is(name, "security") && str_is(enabled, "yes")) hold(d, "security", STR("enabled"), "drive", at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Identify *d = arena_new_of(ctx->scratch, Identify);
    *d = (Identify){.ctx = ctx};
    d->given = dev_in_command(ctx->scratch, ctx->command);
    if (!d->given.len) d->given = dev_in_path(ctx->path);
    Str line, name, value, enabled;
    bool supported, table = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (pass_line(line, &value)) {
            if (str_starts(value, "<")) {
                settle(d);
                table = false;
            }
            ctx->rows++;
            pass_fact(d, value, at);
        } else if (tag_line(line, &name, &value)) {
            ctx->rows++;
            uint64_t tags;
            /* openings are what is free now; the limit is maxtags, or the openings of the short form */
            if ((str_is(name, "maxtags") || str_starts(name, "device openings")) && str_u64(value, &tags) && tags > 0)
                hold(d, "queue_depth", value, "kernel", at);
        } else if (heading(line)) {
            table = true;
        } else if (table && feature(line, &name, &supported, &enabled, &value)) {
            ctx->rows++;
            feature_row(d, name, supported, enabled, value, at);
        } else if (row(line, &name, &value)) {
            if (str_is(name, "protocol") && d->serial.len) settle(d);
            ctx->rows++;
            table_row(d, name, value, at);
        } else {
            parse_note(ctx, at, "not a line of camcontrol: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    settle(d);
    return parse_result(ctx);
}

const Parser parser_camcontrol_identify = {
    .name = "camcontrol-identify",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "camcontrol identify DISK -v; camcontrol inquiry DISK; camcontrol tags DISK -v"};
