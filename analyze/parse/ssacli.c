/*
 * ssacli.c - controllers, logical drives and physical drives of HP and HPE Smart Arrays
 *
 * Reads   ssacli, hpssacli, hpacucli: ctrl all show config (detail), ctrl all show status, ctrl slot=N show (detail), ld and pd all show (detail)
 * Gives   setting raid_* of the controller (its PCI address where that is printed, else "Smart Array slot 0"); raid_array (kind smartarray) per
 *         logical drive with its policies and its disk; per physical drive bay, state and identity
 * Sample  ssacli 2, ctrl all show config detail
 *   |Smart Array P440ar in Slot 0 (Embedded)
 *   |   Controller Status: OK
 *   |   Cache Status: OK
 *   |   Cache Ratio: 10% Read / 90% Write
 *   |   Battery/Capacitor Status: OK
 *   |   PCI Address (Domain:Bus:Device.Function): 0000:03:00.0
 *   |   Array: A
 *   |      Logical Drive: 1
 *   |         Fault Tolerance: 1+0
 *   |         Status: OK
 *   |         Caching:  Enabled
 *   |         Disk Name: /dev/sda
 *   |      physicaldrive 1I:1:1
 *   |         Status: OK
 * Varies  The short form has one line for each: "logicaldrive 1 (838.3 GB, RAID 1, OK)", "physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, 900.1
 *         GB, OK)". Caching is what was chosen for a logical drive; whether the cache works is the controller's Cache Status. "Surface Scan
 *         Mode" is a setting and not what happens now. A WWID is an address of the drive's port and not its name.
 */
#include "device_text.h"
#include "parser.h"
#include "raid_fact.h"

#include <math.h>

typedef enum Block { BLOCK_NONE, BLOCK_CONTROLLER, BLOCK_VOLUME, BLOCK_DRIVE, BLOCK_OTHER } Block;

typedef struct State {
    ParseCtx *ctx;
    Block block;
    Ref node;
    Str slot;
    bool cache_ok, cache_off, reads_only; /* what the controller says of its cache */
    uint64_t array;                       /* counts the arrays; 0: outside of one */
    bool inside;
    bool exposed; /* drives that the system sees itself: told only where their serial numbers are */
    RaidVolume volume;
    RaidGroups groups;
    Ref drive;
    bool spare;
    RaidIdentity id;
    bool notice; /* lines of a notice in words */
} State;

/* "Smart Array P440ar in Slot 0 (Embedded)", "HPE SR932i-p Gen10+ in Slot 3": the slot; STR_NONE: no such line. */
static Str controller_slot(Str line) {
    static const char *const makers[] = {"Smart Array ", "Smart HBA ", "Dynamic Smart Array ", "HP ", "HPE ",
                                         "Microchip ",   "Microsemi "};
    size_t at = str_find(line, " in Slot ");
    bool known = false;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) known |= str_starts(line, makers[i]);
    if (!known || at == SIZE_MAX || at > 60) return STR_NONE;
    Str rest = str_from(line, at + 9), slot = str_word(&rest);
    rest = str_trim(rest);
    bool word = slot.len > 0 && slot.len < 32;
    for (size_t i = 0; i < slot.len; i++) word = word && (ch_alnum(slot.p[i]) || slot.p[i] == '_');
    return word && (!rest.len || rest.p[0] == '(') ? slot : STR_NONE;
}

static bool notice(Str line) {
    return str_starts(line, "FIRMWARE UPGRADE REQUIRED:");
}

static bool starts(Str line) {
    return controller_slot(str_trim_right(line)).len || notice(line);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line) || (line.len > 2 && ch_blank(line.p[0]) && ch_blank(line.p[1])) ||
           str_starts(line, "Error: ");
}

static int bid(Str path, Str command, Str head) {
    bool named = path_has(path, "ssacli") || path_has(path, "hpacucli") || str_has(command, "ssacli") ||
                 str_has(command, "hpacucli");
    for (int n = 0; n < 16 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (controller_slot(line).len) return named ? 38 : 28;
        if (line.len && !continues(line)) return 0;
    }
    return 0;
}

static void word(State *s, Ref node, const char *key, Str value, Spot at) {
    if (node && value.len) ctx_setting(s->ctx, node, key, value, "firmware", at);
}

static void block_end(State *s) {
    raid_volume_end(s->ctx, &s->volume);
    raid_identity(s->ctx, s->drive, &s->id);
    s->drive = 0;
}

static void controller(State *s, Str line, Str slot, Spot at) {
    block_end(s);
    raid_group_end(s->ctx, &s->groups);
    size_t model = str_find(line, " in Slot ");
    s->slot = arena_str(s->ctx->scratch, slot);
    s->node = ctx_ref(s->ctx, REF_SCSI_HOST, arena_strf(s->ctx->scratch, "Smart Array slot %.*s", STR_ARG(slot)));
    word(s, s->node, "model", str_sub(line, 0, model), at);
    s->block = BLOCK_CONTROLLER;
    s->cache_ok = s->cache_off = s->reads_only = s->inside = s->exposed = false;
}

static void on_off(State *s, const char *key, Str value, Spot at) {
    if (str_starts(value, "Enabled")) word(s, s->node, key, STR("on"), at);
    else if (str_starts(value, "Disabled")) word(s, s->node, key, STR("off"), at);
}

static void controller_field(State *s, Str key, Str value, Spot at) {
    double n;
    if (!s->node) return;
    if (str_is(key, "Controller Status")) word(s, s->node, "raid_controller_status", value, at);
    else if (str_is(key, "Cache Status")) {
        s->cache_ok = str_is(value, "OK");
        s->cache_off = str_has(value, "Disabled");
        word(s, s->node, "raid_cache_status", value, at);
    } else if (str_is(key, "Cache Status Details") || str_is(key, "Cache Disable Reason")) {
        if (s->cache_off) word(s, s->node, "raid_cache_reason", value, at);
    } else if (str_is(key, "Cache Ratio")) { /* "10% Read / 90% Write" */
        size_t slash = str_find_ch(value, '/');
        n = slash == SIZE_MAX ? (double)NAN : raid_percent(str_from(value, slash));
        s->reads_only = n == 0;
        if (isfinite(n)) ctx_setting_real(s->ctx, s->node, "raid_cache_write_pct", n, "firmware", at);
    } else if (str_is(key, "Cache Board Present") && str_is(value, "False")) {
        s->reads_only = true;
        ctx_setting_int(s->ctx, s->node, "raid_cache_bytes", 0, "firmware", at);
    } else if (str_is(key, "Drive Write Cache") || str_is(key, "Configured Drive Write Cache Policy"))
        word(s, s->node, "disk_cache_policy",
             str_starts(value, "Enable")    ? STR("Enabled")
             : str_starts(value, "Disable") ? STR("Disabled")
                                            : value,
             at);
    else if (str_is(key, "No-Battery Write Cache")) on_off(s, "raid_cache_without_battery", value, at);
    else if (str_is(key, "Battery/Capacitor Count") && str_is(value, "0"))
        word(s, s->node, "raid_battery", STR("none"), at);
    else if (str_is(key, "Battery/Capacitor Status")) {
        const char *is = raid_battery_word(value);
        if (is) word(s, s->node, "raid_battery", str_of(is), at);
        else parse_note(s->ctx, at, "no known state of a battery: \"%.*s\"", STR_ARG(str_sub(value, 0, 60)));
    } else if (str_is(key, "Firmware Version")) word(s, s->node, "firmware", value, at);
    else if (str_is(key, "Controller Temperature (C)") && dev_leading_number(value, &n) && n > 0 && n < 150)
        ctx_setting_real(s->ctx, s->node, "temperature_celsius", n, "firmware", at);
    else if (str_starts(key, "PCI Address")) {
        size_t from = str_find(at.text, "): ");
        Str bdf = from == SIZE_MAX ? STR_NONE : str_trim(str_from(at.text, from + 3));
        if (bdf.len >= 12 && bdf.len <= 16)
            facts_same(s->ctx->facts, s->ctx->src, s->node, ctx_ref(s->ctx, REF_PCI, bdf), "ssacli", at);
    }
}

/* ---------------------------------------------------------------- logical drives */

static void open_volume(State *s, Str number, Spot at) {
    block_end(s);
    raid_volume_open(s->ctx, &s->volume, s->node, "smartarray",
                     arena_strf(s->ctx->scratch, "logicaldrive %.*s:%.*s", STR_ARG(s->slot), STR_ARG(number)), at);
    if (s->inside) raid_group_add(s->ctx, &s->groups, s->volume.ref, s->array, false, at);
    s->block = BLOCK_VOLUME;
}

static void volume_state(State *s, Str state, Spot at) {
    s->volume.state = arena_str(s->ctx->scratch, state);
    s->volume.pct = raid_percent(state);
    s->volume.at = raid_keep(s->ctx, at);
}

static void volume_field(State *s, Str key, Str value, Spot at) {
    RaidVolume *v = &s->volume;
    if (str_is(key, "Fault Tolerance")) v->level = raid_level(s->ctx->scratch, value);
    else if (str_is(key, "Status")) volume_state(s, value, at);
    else if (str_is(key, "Caching")) {
        bool on = str_starts(value, "Enabled");
        if (!on && !str_starts(value, "Disabled")) return;
        v->policy_at = raid_keep(s->ctx, at);
        if (!s->reads_only) word(s, v->ref, "write_policy_default", on ? STR("WriteBack") : STR("WriteThrough"), at);
        if (!on || s->cache_off || s->reads_only) v->write_policy = STR("WriteThrough");
        else if (s->cache_ok) v->write_policy = STR("WriteBack");
    } else if (str_is(key, "Unique Identifier"))
        word(s, v->ref, "raid_volume_wwn", dev_wwn(s->ctx->scratch, value), at);
    else if (str_is(key, "Disk Name")) {
        Str rest = value, disk = str_strip_dev(str_word(&rest));
        if (dev_is_disk(disk)) facts_edge(s->ctx->facts, s->ctx->src, v->ref, ctx_ref(s->ctx, REF_DISK, disk), at);
    } else if (str_is(key, "Parity Initialization Status") && str_starts(value, "In Progress"))
        word(s, v->ref, "raid_task", STR("initialization"), at);
    else if (str_is(key, "Parity Initialization Progress")) {
        double pct = raid_percent(value);
        if (isfinite(pct)) ctx_setting_real(s->ctx, v->ref, "raid_progress_pct", pct, "firmware", at);
    }
}

/* "logicaldrive 1 (838.3 GB, RAID 1, OK)" */
static bool volume_row(State *s, Str line, Spot at) {
    Str rest = str_after(line, "logicaldrive "), number = rest.p ? str_word(&rest) : STR_NONE;
    uint64_t n;
    rest = str_trim(rest);
    if (!str_u64(number, &n) || rest.len < 3 || rest.p[0] != '(' || rest.p[rest.len - 1] != ')') return false;
    rest = str_sub(rest, 1, rest.len - 2);
    open_volume(s, number, at);
    str_cut(&rest, ',');
    s->volume.level = raid_level(s->ctx->scratch, str_trim(str_cut(&rest, ',')));
    volume_state(s, str_trim(rest), at);
    block_end(s);
    s->block = BLOCK_OTHER;
    return true;
}

/* ---------------------------------------------------------------- physical drives */

static void open_drive(State *s, Str bay, Spot at) {
    block_end(s);
    s->drive = raid_member(s->ctx, s->node, bay, arena_strf(s->ctx->scratch, "slot %.*s", STR_ARG(s->slot)), at);
    s->block = BLOCK_DRIVE;
}

static void interface(State *s, Str type, Spot at) {
    s->id.bus = arena_str(s->ctx->scratch, type);
    /* "SATA" alone is what older ones print for both kinds */
    s->id.medium = str_has(type, "Solid State") || str_has(type, "SSD") ? STR("SSD")
                   : str_has(type, "HDD")                               ? STR("HDD")
                                                                        : STR_NONE;
    s->id.bus_at = s->id.medium_at = raid_keep(s->ctx, at);
}

/* "physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, 900.1 GB, OK)", "..., OK, spare)" */
static bool drive_row(State *s, Str line, Spot at) {
    Str rest = str_after(line, "physicaldrive "), bay = rest.p ? str_word(&rest) : STR_NONE;
    if (str_find_ch(bay, ':') == SIZE_MAX || bay.len > 24) return false;
    rest = str_trim(rest);
    if (!rest.len) {
        open_drive(s, bay, at);
        if (s->inside) raid_group_add(s->ctx, &s->groups, s->drive, s->array, true, at);
        return true;
    }
    if (rest.len < 3 || rest.p[0] != '(' || rest.p[rest.len - 1] != ')') return false;
    if (s->exposed) return true;
    Block before = s->block;
    Ref drive = raid_member(s->ctx, s->node, bay, arena_strf(s->ctx->scratch, "slot %.*s", STR_ARG(s->slot)), at);
    rest = str_sub(rest, 1, rest.len - 2);
    str_cut(&rest, ',');
    Str type = str_trim(str_cut(&rest, ','));
    str_cut(&rest, ',');
    Str state = str_trim(str_cut(&rest, ','));
    bool spare = str_has(rest, "spare");
    raid_member_state(s->ctx, drive, spare && str_is(state, "OK") ? STR("Hot Spare") : state, at);
    RaidIdentity keep = s->id;
    s->id = (RaidIdentity){0};
    interface(s, type, at);
    raid_identity(s->ctx, drive, &s->id);
    s->id = keep;
    if (s->inside && !spare) raid_group_add(s->ctx, &s->groups, drive, s->array, true, at);
    s->block = before;
    return true;
}

static void drive_field(State *s, Str key, Str value, Spot at) {
    uint64_t rpm;
    if (!s->drive || !value.len) return;
    if (str_is(key, "Status")) raid_member_state(s->ctx, s->drive, value, at);
    else if (str_is(key, "Interface Type")) interface(s, value, at);
    else if (str_is(key, "Rotational Speed") && str_u64(value, &rpm) && rpm > 0) {
        raid_hold(s->ctx, &s->id.medium, &s->id.medium_at, STR("HDD"), at);
    } else if (str_is(key, "Serial Number")) {
        raid_hold(s->ctx, &s->id.serial, &s->id.serial_at, value, at);
    } else if (str_is(key, "Firmware Revision")) {
        raid_hold(s->ctx, &s->id.firmware, &s->id.firmware_at, value, at);
    } else if (
        str_is(
            key,
            "Model")) { /* "ATA     INTEL SSDSC2KB01", "HP      EG0300FBDBR": a vendor of eight characters stands before it */
        raid_hold(s->ctx, &s->id.model, &s->id.model_at,
                  value.len > 8 && value.p[7] == ' ' ? str_trim(str_from(value, 8)) : value, at);
    }
}

/* ---------------------------------------------------------------- lines */

/* "array A (SAS, Unused Space: 0  MB)", "Array: A", "unassigned" */
static bool array_line(State *s, Str line) {
    bool array = str_starts(line, "array ") || str_starts(line, "Array: "), hba = str_is(line, "HBA Drives"),
         none = hba || str_is(line, "unassigned") || str_is(line, "Unassigned");
    if (!array && !none) return false;
    block_end(s);
    s->inside = array;
    s->exposed = hba;
    if (array) s->array++;
    s->block = BLOCK_OTHER;
    return true;
}

/* Headings of parts that hold no volumes and no drives of ours. */
static bool other_part(Str line) {
    static const char *const words[] = {"Port Name: ",     "Internal Drive Cage at ", "External Drive Cage at ",
                                        "SEP (",           "Enclosure SEP (",         "Expander ",
                                        "Physical Drives", "None attached",           "Mirror Group",
                                        "Parity Group",    "Drive Cage at "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(line, words[i])) return true;
    return false;
}

static bool take(State *s, Str raw, Spot at) {
    Str line = str_trim(raw), slot = controller_slot(str_trim_right(raw)), key, value, number;
    uint64_t n;
    if (slot.len) {
        controller(s, str_trim_right(raw), slot, at);
        return true;
    }
    if (str_starts(raw, "Error: ") || s->notice) return true;
    if (array_line(s, line) || drive_row(s, line, at) || volume_row(s, line, at)) return true;
    if ((number = str_after(line, "Logical Drive: ")).p && str_u64(str_trim(number), &n)) {
        open_volume(s, str_trim(number), at);
        return true;
    }
    if (other_part(line)) {
        if (!str_starts(line, "Mirror") && !str_starts(line, "Parity Group")) {
            block_end(s);
            s->block = BLOCK_OTHER;
            if (!str_starts(line, "Physical Drives") && !str_starts(line, "None")) s->inside = false;
        }
        return true;
    }
    if (!dev_key_value(line, &key, &value)) return false;
    if (s->block == BLOCK_CONTROLLER) controller_field(s, key, value, at);
    else if (s->block == BLOCK_VOLUME) volume_field(s, key, value, at);
    else if (s->block == BLOCK_DRIVE) drive_field(s, key, value, at);
    return true;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) {
            s->notice = false;
            continue;
        }
        if (notice(line)) s->notice = true;
        if (take(s, line, at)) ctx->rows++;
        else parse_note(ctx, at, "not a line of ssacli: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
    }
    block_end(s);
    raid_group_end(ctx, &s->groups);
    return parse_result(ctx);
}

const Parser parser_ssacli = {.name = "ssacli",
                              .bid = bid,
                              .starts = starts,
                              .continues = continues,
                              .parse = parse,
                              .ask = "ssacli ctrl all show config detail"};
