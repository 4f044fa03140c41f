/*
 * mpsutil.c - LSI SAS adapters as FreeBSD's own tools show them
 *
 * Reads   mpsutil, mprutil: show adapter, show devices, show enclosures, show expanders, show all
 * Gives   setting of the adapter: model, firmware (view firmware), temperature; of each target: slot, enclosure, phy, expander, link_gbps.
 *         A target is mps0:7 here and in CAM's attach lines, which say what disk that is
 * Sample  mpsutil show all, FreeBSD 13
 *   |mps0 Adapter:
 *   |       Board Name: SAS9211-8i
 *   |        Chip Name: LSISAS2008
 *   |Firmware Revision: 20.00.07.00
 *   |      Temperature: 52 C
 *   |PhyNum  CtlrHandle  DevHandle  Disabled  Speed   Min    Max    Device
 *   |0       0001        0009       N         6.0     1.5    6.0    SAS Initiator
 *   |B____T    SAS Address      Handle  Parent    Device        Speed Enc  Slot  Wdt
 *   |00   07   4433221100000000 0009    0001      SATA Target   6.0   0001 03    1
 *   |Slots      Logical ID     SEPHandle  EncHandle    Type
 *   |  08    500605b001f2a3c0               0001     Direct Attached SGPIO
 * Varies  "Temperature: Unknown/Unsupported" on older chips; a phy without a device leaves its cells blank; a device without a target (an
 *         expander, an enclosure) has no B and T. Handles change from boot to boot and tie these tables together, nothing else. Which
 *         adapter show devices speaks of stands in the command alone: -u 1, else 0.
 */
#include "cam_target.h"
#include "device_text.h"
#include "parser.h"

#include <math.h>

/* "mps0 Adapter:", "mpr1 Adapter:" */
static bool title(Str line, Str *unit) {
    Str rest = str_after(line, "mps");
    if (!rest.p) rest = str_after(line, "mpr");
    size_t n = 0;
    while (rest.p && n < rest.len && ch_digit(rest.p[n])) n++;
    if (!n || n > 3 || !str_is(str_trim_right(str_from(rest, n)), " Adapter:")) return false;
    *unit = str_sub(line, 0, 3 + n);
    return true;
}

typedef enum Table {
    TABLE_NONE,
    TABLE_PHYS,
    TABLE_DEVICES,
    TABLE_ENCLOSURES,
    TABLE_EXPANDERS,
    TABLE_EXPANDER_PHYS
} Table;

static Table table_head(Str line) {
    Str t = str_trim(line);
    if (str_starts(t, "PhyNum ")) return TABLE_PHYS;
    if (str_starts(t, "B____T") && str_has(t, "SAS Address")) return TABLE_DEVICES;
    if (str_starts(t, "Slots ") && str_has(t, "Logical ID")) return TABLE_ENCLOSURES;
    if (str_starts(t, "Num") && str_has(t, "Phys") && str_has(t, "SAS Address")) return TABLE_EXPANDERS;
    if (str_starts(t, "Phy ") && str_has(t, "RemotePhy")) return TABLE_EXPANDER_PHYS;
    return TABLE_NONE;
}

static bool pair(Str line, Str *key, Str *value) {
    static const char *const keys[] = {"Board Name",       "Board Assembly",    "Chip Name",       "Chip Revision",
                                       "BIOS Revision",    "Firmware Revision", "Integrated RAID", "SATA NCQ",
                                       "PCIe Width/Speed", "IOC Speed",         "Temperature"};
    if (!dev_key_value(line, key, value)) return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(*key, keys[i])) return true;
    return false;
}

/* An address may be redacted: the collector puts "WWN-2fd51e74" in its place. */
static bool hex_word(Str w, size_t digits) {
    if (digits == 16 && w.len == 12 && str_starts(w, "WWN-")) return hex_word(str_from(w, 4), 8);
    for (size_t i = 0; i < w.len; i++)
        if (!ch_hex(w.p[i])) return false;
    return w.len == digits;
}

/* A row of one of the tables: words of which one is a handle or an address, or a bare phy. */
static bool row(Str line) {
    uint64_t number;
    Str w[14];
    size_t count = str_words(line, w, 14);
    if (count < 3 || count > 13) return false;
    if (hex_word(w[0], 16)) return count >= 4 && hex_word(w[1], 4);
    if (!str_u64(w[0], &number) || number > 1023) return false;
    for (size_t i = 1; i < 4 && i < count; i++)
        if (hex_word(w[i], 16) || (hex_word(w[i], 4) && w[i].p[0] == '0')) return true;
    return str_has(line, " N ") || str_has(line, " Y ") || str_has(line, "No Device");
}

static bool starts(Str line) {
    Str unit;
    return title(line, &unit) || table_head(line) == TABLE_DEVICES;
}

/* "Devices:" above a table of show all */
static bool section(Str line) {
    Str t = str_trim(line);
    return str_is(t, "Adapters:") || str_is(t, "Devices:") || str_is(t, "Enclosures:") || str_is(t, "Expanders:");
}

static bool continues(Str line) {
    Str key, value;
    return section(line) || !str_trim(line).len || starts(line) || table_head(line) != TABLE_NONE ||
           pair(line, &key, &value) || row(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    bool named = command_is(command, "mpsutil") || command_is(command, "mprutil");
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (line.len) return starts(line) ? named ? 40 : 32 : 0;
    }
    return 0;
}

enum { MOST = 1024 };

/* One row of a table, with the handle that it is about. */
typedef struct HandleRow {
    Table table;
    Str handle, parent, text, slot, enc, address; /* text: phy, target or id */
    double gbps;
    Spot at;
} HandleRow;

typedef struct Tables {
    ParseCtx *ctx;
    Str unit, expander; /* mps0; the expander whose phys are listed */
    VEC(HandleRow) rows;
    bool full;
} Tables;

static Str kept(const Tables *t, Str s) {
    return arena_str(t->ctx->scratch, s);
}

/* The unit a listing without a title speaks of: "mprutil -u 1 show devices" */
static Str unit_of(ParseCtx *ctx) {
    Str s = ctx->command, w, number = STR("0");
    bool mpr = str_has(s, "mprutil");
    while ((w = str_word(&s)).len)
        if (str_is(w, "-u")) number = str_word(&s);
        else if (str_starts(w, "-u")) number = str_from(w, 2);
    uint64_t n;
    if (!ctx->command.len || !str_u64(number, &n)) return STR_NONE;
    return arena_strf(ctx->scratch, "%s%.*s", mpr ? "mpr" : "mps", STR_ARG(number));
}

static bool table_row(Tables *t, Table table, Str line, Spot at) {
    Str w[14];
    size_t n = str_words(line, w, 14), i = 0;
    HandleRow r = {.table = table, .gbps = NAN};
    double v;
    switch (table) {
    case TABLE_PHYS:
        if (n < 5 || !hex_word(w[1], 4) || !hex_word(w[2], 4)) return true; /* nothing on this phy */
        r.text = kept(t, w[0]);
        r.handle = kept(t, w[2]);
        break;
    case TABLE_DEVICES:
        while (i < n && !hex_word(w[i], 16)) i++;
        if (i + 3 >= n || !hex_word(w[i + 1], 4) || !hex_word(w[i + 2], 4)) return false;
        r.handle = kept(t, w[i + 1]);
        r.parent = kept(t, w[i + 2]);
        if (i < 2) return true; /* no target */
        r.text = kept(t, w[1]);
        /* from the end: watchdog, slot, enclosure, speed */
        if (n < i + 8 || !hex_word(w[n - 3], 4)) break;
        r.slot = kept(t, w[n - 2]);
        r.enc = kept(t, w[n - 3]);
        if (str_double(w[n - 4], &v) && v > 0 && v < 50) r.gbps = v;
        break;
    case TABLE_ENCLOSURES:
        for (i = 1; i < n && !hex_word(w[i], 16);) i++;
        if (i == n) return false;
        r.text = kept(t, w[i]);
        for (; i < n && n > 2; i++)
            if (hex_word(w[i], 4))
                r.handle = kept(t, w[i]); /* the SEP's handle may be missing, the enclosure's stands last */
        break;
    case TABLE_EXPANDERS:
        if (n < 4 || !hex_word(w[1], 16) || !hex_word(w[2], 4)) return false;
        t->expander = kept(t, w[1]);
        r.text = t->expander;
        r.handle = kept(t, w[2]);
        break;
    case TABLE_EXPANDER_PHYS:
        if (n < 4 || !hex_word(w[2], 4)) return true;
        r.text = kept(t, w[0]);
        r.handle = kept(t, w[2]);
        r.address = t->expander;
        break;
    case TABLE_NONE: return false;
    }
    r.at = (Spot){at.line, kept(t, str_sub(at.text, 0, FACTS_LINE_CLIP)), STR_NONE};
    if (!r.handle.len) return true;
    if (t->rows.count < MOST) VEC_PUSH(t->ctx->scratch, &t->rows, r);
    else if (!t->full) {
        t->full = true;
        facts_note(t->ctx->facts, t->ctx->src, r.at,
                   arena_strf(t->ctx->arena, "more than %d rows of one adapter: the rest is left out", MOST));
    }
    return true;
}

/* The one row of that table about the handle; NULL where there are none or several (a wide port). */
static const HandleRow *only(const Tables *t, Table table, Str handle) {
    const HandleRow *found = NULL;
    for (size_t i = 0; i < t->rows.count; i++) {
        const HandleRow *r = &t->rows.items[i];
        if (r->table != table || !str_eq(r->handle, handle)) continue;
        if (found) return NULL;
        found = r;
    }
    return found;
}

/* What the tables of one adapter say together. */
static void settle(Tables *t) {
    ParseCtx *ctx = t->ctx;
    if (t->rows.count && !t->unit.len)
        facts_note(ctx->facts, ctx->src, t->rows.items[0].at,
                   STR("nothing says which adapter this table is of, so its rows are left out"));
    for (size_t i = 0; i < t->rows.count && t->unit.len; i++) {
        const HandleRow *r = &t->rows.items[i], *other;
        if (r->table != TABLE_DEVICES || !r->text.len) continue;
        Ref target = cam_target_ref(ctx, t->unit, r->text);
        if (!target) continue;
        uint64_t number;
        if (str_u64(r->slot, &number) && number < 1000)
            ctx_setting_int(ctx, target, "slot", (int64_t)number, "firmware", r->at);
        if (isfinite(r->gbps)) ctx_setting_real(ctx, target, "link_gbps", r->gbps, "firmware", r->at);
        if (r->enc.len && (other = only(t, TABLE_ENCLOSURES, r->enc)) != NULL)
            ctx_setting(ctx, target, "enclosure", other->text, "firmware", other->at);
        if ((other = only(t, TABLE_EXPANDER_PHYS, r->handle)) != NULL) {
            ctx_setting(ctx, target, "phy", other->text, "firmware", other->at);
            if (other->address.len) ctx_setting(ctx, target, "expander", other->address, "firmware", other->at);
        } else if ((other = only(t, TABLE_EXPANDERS, r->parent)) != NULL) {
            ctx_setting(ctx, target, "expander", other->text, "firmware", other->at);
        } else if ((other = only(t, TABLE_PHYS, r->handle)) != NULL) {
            ctx_setting(ctx, target, "phy", other->text, "firmware", other->at);
        }
    }
    t->rows.count = 0;
    t->full = false;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, unit, key, value;
    Ref adapter = 0;
    Table table = TABLE_NONE, head;
    Tables t = {.ctx = ctx, .unit = unit_of(ctx)};
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len || section(line)) continue;
        double celsius;
        if (title(line, &unit)) {
            settle(&t);
            t.unit = arena_str(ctx->scratch, unit);
            adapter = ctx_ref(ctx, REF_SCSI_HOST, unit);
            ctx->rows++;
        } else if ((head = table_head(line)) != TABLE_NONE) {
            table = head;
        } else if (pair(line, &key, &value)) {
            ctx->rows++;
            if (!adapter || !value.len) continue;
            if (str_is(key, "Board Name")) ctx_setting(ctx, adapter, "model", value, "firmware", at);
            else if (str_is(key, "Firmware Revision")) ctx_setting(ctx, adapter, "firmware", value, "firmware", at);
            else if (str_is(key, "Temperature") && dev_leading_number(value, &celsius) && celsius > 0 && celsius < 150)
                ctx_setting_real(ctx, adapter, "temperature_celsius", celsius, "firmware", at);
        } else if (row(line) && table_row(&t, table, line, at)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of mpsutil: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    settle(&t);
    return parse_result(ctx);
}

const Parser parser_mpsutil = {.name = "mpsutil",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "mpsutil show all; mprutil show all"};
