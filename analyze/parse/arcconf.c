/*
 * arcconf.c - controllers, logical devices and drives of Adaptec and Microchip controllers
 *
 * Reads   arcconf getconfig N [al|ad|ld|pd], arcconf getstatus N
 * Gives   setting raid_* of the controller ("Adaptec 1"); raid_array (kind adaptec) per logical device with its cache policies; per drive bay,
 *         state, identity and warnings
 * Sample  arcconf 1.8, getconfig 1 al
 *   |Controllers found: 1
 *   |----------------------------------------------------------------------
 *   |Logical device information
 *   |----------------------------------------------------------------------
 *   |Logical Device number 0
 *   |   RAID level                               : 10
 *   |   Status of Logical Device                 : Optimal
 *   |   Write-cache setting                      : Enabled
 *   |   Write-cache status                       : On
 *   |   Group 0, Segment 0                       : Present (457862MB, SATA, SSD, Connector:0, Device:0) 7CS009RP
 *   |      Device #0
 *   |         State                                : Online
 * Varies  The setting is what was chosen ("On when protected by battery/ZMM" or Enabled, which means also without one), the status what is in
 *         force; older ones have "Write-cache mode : Enabled (write-back)" alone. Which controller it is stands in the command only.
 */
#include "device_text.h"
#include "parser.h"
#include "raid_fact.h"

#include <math.h>

typedef enum Block { BLOCK_NONE, BLOCK_CONTROLLER, BLOCK_VOLUME, BLOCK_DRIVE, BLOCK_TASK, BLOCK_OTHER } Block;

typedef struct State {
    ParseCtx *ctx;
    Block block;
    Ref node;
    uint64_t number; /* of the controller, as the command says; they count from 1 */
    bool battery;    /* inside the part on the battery */
    RaidVolume volume;
    Ref drive;
    Str device; /* its number */
    bool placed;
    Spot drive_at;
    RaidIdentity id;
    Ref task_of;
} State;

static bool section(Str line) {
    return str_is(line, "Controller information") || str_is(line, "Controller Information") ||
           str_ieq(line, STR("Logical device information")) || str_ieq(line, STR("Physical Device information")) ||
           str_ieq(line, STR("Array information")) || str_ieq(line, STR("Connector information"));
}

static bool found(Str line) {
    uint64_t n;
    Str rest = str_after(line, "Controllers found: ");
    return rest.p && str_u64(str_trim(rest), &n);
}

static bool ruler(Str line) {
    for (size_t i = 0; i < line.len; i++)
        if (line.p[i] != '-') return false;
    return line.len >= 10;
}

/* "Logical Device number 0", "Logical device number 0" */
static bool volume_line(Str line, uint64_t *n) {
    return str_istarts(line, "Logical device number ") && str_u64(str_trim(str_from(line, 22)), n);
}

static bool starts(Str line) {
    Str s = str_trim_right(line);
    return found(s) || section(s);
}

static bool continues(Str line) {
    Str s = str_trim_right(line);
    uint64_t n;
    return !s.len || starts(s) || ruler(s) || volume_line(s, &n) ||
           (ch_blank(s.p[0]) && s.len > 2 && ch_blank(s.p[1])) || str_starts(s, "Command completed") ||
           str_starts(s, "Command aborted") || str_istarts(s, "Logical device Task:") ||
           str_starts(s, "No logical devices configured") || str_starts(s, "Current operation");
}

static int bid(Str path, Str command, Str head) {
    bool named = path_has(path, "arcconf") || str_ifind(command, "arcconf") != SIZE_MAX;
    Str all = head;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len || ruler(line)) continue;
        if (!starts(line)) return 0;
        bool sure = str_ifind(all, "\nLogical device") != SIZE_MAX ||
                    str_ifind(all, "Physical Device information") != SIZE_MAX ||
                    str_ifind(all, "\nController information") != SIZE_MAX;
        return named ? 36 : sure ? 28 : 0;
    }
    return 0;
}

static void word(State *s, Ref node, const char *key, Str value, Spot at) {
    if (node && value.len) ctx_setting(s->ctx, node, key, value, "firmware", at);
}

static Str where(State *s) {
    return arena_strf(s->ctx->scratch, "controller %u", (unsigned)s->number);
}

static void block_end(State *s) {
    raid_volume_end(s->ctx, &s->volume);
    if (s->drive && !s->placed)
        word(s, s->drive, "raid_slot", arena_strf(s->ctx->scratch, "#%.*s", STR_ARG(s->device)), s->drive_at);
    raid_identity(s->ctx, s->drive, &s->id);
    s->drive = 0;
    s->placed = false;
    s->battery = false;
}

static void battery(State *s, Str value, Spot at) {
    const char *is = raid_battery_word(value);
    if (is) word(s, s->node, "raid_battery", str_of(is), at);
    else if (value.len) parse_note(s->ctx, at, "no known state of a battery: \"%.*s\"", STR_ARG(str_sub(value, 0, 60)));
}

static void controller_field(State *s, Str key, Str value, Spot at) {
    double n;
    if (str_is(key, "Controller Status")) word(s, s->node, "raid_controller_status", value, at);
    else if (str_is(key, "Controller Model")) word(s, s->node, "model", value, at);
    else if (str_is(key, "Firmware")) word(s, s->node, "firmware", value, at);
    else if (str_is(key, "Temperature") && !s->battery && dev_leading_number(value, &n) && n > 0 && n < 150)
        ctx_setting_real(s->ctx, s->node, "temperature_celsius", n, "firmware", at);
    else if (str_starts(key, "Global Physical Device Write Cache Policy"))
        word(s, s->node, "disk_cache_policy", value, at);
    else if (str_is(key, "Overall Backup Unit Status") || (s->battery && str_is(key, "Status"))) battery(s, value, at);
    else if (str_is(key, "Supercap Status") && str_is(value, "Fatal")) battery(s, value, at);
}

static void policy(State *s, Str value, Spot at) {
    bool on = str_istarts(value, "Enabled"), guarded = str_istarts(value, "On when protected");
    if (on || guarded) {
        word(s, s->volume.ref, "write_policy_default", STR("WriteBack"), at);
        word(s, s->volume.ref, "write_policy_bad_bbu", guarded ? STR("write through") : STR("write back"), at);
    } else if (str_istarts(value, "Disabled")) word(s, s->volume.ref, "write_policy_default", STR("WriteThrough"), at);
}

/* "Present (457862MB, SATA, SSD, Connector:0, Device:0) 7CS009RP": the serial number names the drive. */
static void segment(State *s, Str value, Spot at) {
    size_t paren = str_rfind_ch(value, ')');
    Str serial = paren == SIZE_MAX ? STR_NONE : str_trim(str_from(value, paren + 1));
    if (!str_starts(value, "Present") || serial.len < 4 || str_find_ch(serial, ' ') != SIZE_MAX) return;
    Ref drive = ctx_ref(s->ctx, REF_SERIAL, serial);
    word(s, drive, "serial", serial, at);
    if (str_has(value, ", SSD,") || str_has(value, ", HDD,"))
        word(s, drive, "rotational", str_has(value, ", SSD,") ? STR("0") : STR("1"), at);
    facts_edge(s->ctx->facts, s->ctx->src, drive, s->volume.ref, at);
}

static void volume_field(State *s, Str key, Str value, Spot at) {
    RaidVolume *v = &s->volume;
    if (str_is(key, "RAID level")) v->level = raid_level(s->ctx->scratch, value);
    else if (str_istarts(key, "Status of logical device")) {
        v->state = arena_str(s->ctx->scratch, value);
        v->pct = raid_percent(value);
        v->at = raid_keep(s->ctx, at);
    } else if (str_istarts(key, "Write-cache setting")) policy(s, value, at);
    else if (str_istarts(key, "Write-cache status") || str_istarts(key, "Write-cache mode")) {
        v->write_policy = str_istarts(value, "On") || str_istarts(value, "Enabled")     ? STR("WriteBack")
                          : str_istarts(value, "Off") || str_istarts(value, "Disabled") ? STR("WriteThrough")
                                                                                        : STR_NONE;
        v->policy_at = raid_keep(s->ctx, at);
    } else if (str_is(key, "Disk Name") || str_is(key, "OS Disk Name")) {
        Str rest = value, disk = str_strip_dev(str_word(&rest));
        if (dev_is_disk(disk)) facts_edge(s->ctx->facts, s->ctx->src, v->ref, ctx_ref(s->ctx, REF_DISK, disk), at);
    } else if (str_is(key, "Volume Unique Identifier"))
        word(s, v->ref, "raid_volume_wwn", dev_wwn(s->ctx->scratch, value), at);
    else if (str_has(key, "Segment ")) segment(s, value, at);
}

static void open_volume(State *s, uint64_t n, Spot at) {
    block_end(s);
    n %= 100000;
    raid_volume_open(s->ctx, &s->volume, s->node, "adaptec",
                     arena_strf(s->ctx->scratch, "logicaldevice %u:%u", (unsigned)s->number, (unsigned)n), at);
    word(s, s->volume.ref, "raid_target", arena_strf(s->ctx->scratch, "0:%u", (unsigned)n), at);
    s->block = BLOCK_VOLUME;
}

/* "Device is a Hard drive" opens what "Device #0" announced; an enclosure is none. */
static void open_drive(State *s, Spot at) {
    s->drive = ctx_ref(s->ctx, REF_SLOT,
                       arena_strf(s->ctx->scratch, "drive #%.*s [%.*s]", STR_ARG(s->device), STR_ARG(where(s))));
    facts_edge(s->ctx->facts, s->ctx->src, s->node, s->drive, at);
    s->drive_at = raid_keep(s->ctx, at);
    s->block = BLOCK_DRIVE;
}

/* "Enclosure 0, Slot 5( Connector Unknown )" */
static void location(State *s, Str value, Spot at) {
    Str rest = str_after(value, "Enclosure ");
    size_t slot = str_find(value, ", Slot ");
    double enclosure, bay;
    if (!rest.p || slot == SIZE_MAX || !dev_leading_number(rest, &enclosure) ||
        !dev_leading_number(str_from(value, slot + 7), &bay))
        return;
    word(s, s->drive, "raid_slot", arena_strf(s->ctx->scratch, "%.0f:%.0f", enclosure, bay), at);
    s->placed = true;
}

static void drive_field(State *s, Str key, Str value, Spot at) {
    uint64_t n;
    if (!s->drive || !value.len) return;
    if (str_is(key, "State"))
        raid_member_state(s->ctx, s->drive,
                          str_has(value, "JBOD") || str_has(value, "Pass Through") ? STR("JBOD") : value, at);
    else if (str_is(key, "Reported Location")) location(s, value, at);
    else if (str_is(key, "S.M.A.R.T. warnings")) {
        raid_counter(s->ctx, s->drive, "raid_predictive_failures", value, at);
        if (str_u64(value, &n)) word(s, s->drive, "raid_pd_alert", n ? STR("yes") : STR("no"), at);
    } else if (str_is(key, "Write Cache")) word(s, s->drive, "disk_cache_policy", value, at);
    else if (str_is(key, "Model")) {
        raid_hold(s->ctx, &s->id.model, &s->id.model_at, value, at);
    } else if (str_is(key, "Firmware")) {
        raid_hold(s->ctx, &s->id.firmware, &s->id.firmware_at, value, at);
    } else if (str_ieq(key, STR("Serial number"))) {
        bool hidden = value.len > 3; /* masked by whoever posted it */
        for (size_t i = 0; i < value.len; i++) hidden = hidden && value.p[i] == 'X';
        if (hidden) return;
        raid_hold(s->ctx, &s->id.serial, &s->id.serial_at, value, at);
    } else if (str_ieq(key, STR("World-wide name"))) {
        raid_hold(s->ctx, &s->id.wwn, &s->id.wwn_at, value, at);
    } else if (str_is(key, "Transfer Speed")) {
        raid_hold(s->ctx, &s->id.bus, &s->id.bus_at, value, at);
    } else if (str_is(key, "SSD")) {
        raid_hold(s->ctx, &s->id.medium, &s->id.medium_at, str_is(value, "Yes") ? STR("SSD") : STR("HDD"), at);
    } else if (str_is(key, "Medium Error Count") || str_is(key, "Media Failures"))
        raid_counter(s->ctx, s->drive, "raid_media_errors", value, at);
}

/* getstatus: "Logical Device : 0", "Current operation : Rebuild", "Percentage complete : 7" */
static void task_field(State *s, Str key, Str value, Spot at) {
    uint64_t n;
    double pct;
    if (str_ieq(key, STR("Logical device")) && str_u64(value, &n)) {
        s->task_of =
            ctx_ref(s->ctx, REF_ARRAY,
                    arena_strf(s->ctx->scratch, "logicaldevice %u:%u", (unsigned)s->number, (unsigned)(n % 100000)));
        facts_edge(s->ctx->facts, s->ctx->src, s->node, s->task_of, at);
    } else if (str_ieq(key, STR("Current operation")) && s->task_of) {
        word(s, s->task_of, "raid_task",
             str_istarts(value, "Rebuild") ? STR("rebuild")
             : str_istarts(value, "None")  ? STR("none")
                                           : STR("build or verify"),
             at);
    } else if (str_istarts(key, "Percentage complete") && s->task_of && dev_leading_number(value, &pct) && pct >= 0 &&
               pct <= 100)
        ctx_setting_real(s->ctx, s->task_of, "raid_progress_pct", pct, "firmware", at);
}

/* A part without a colon: "Device #0", "Controller Battery Information". */
static void title(State *s, Str line, Spot at) {
    Str rest = str_after(line, "Device #");
    uint64_t n;
    if (rest.p && str_u64(rest, &n)) {
        block_end(s);
        s->device = arena_str(s->ctx->scratch, rest);
        s->block = BLOCK_OTHER;
        return;
    }
    if (str_starts(line, "Device is a")) {
        if (str_ifind(line, "hard drive") != SIZE_MAX || str_ifind(line, "disk") != SIZE_MAX) open_drive(s, at);
        return;
    }
    if (section(line)) {
        block_end(s);
        s->block = str_istarts(line, "Controller") ? BLOCK_CONTROLLER : BLOCK_OTHER;
    } else if (str_istarts(line, "Controller Battery Information") ||
               str_istarts(line, "Controller Cache Backup Unit Information") ||
               str_istarts(line, "Controller ZMM Information")) {
        s->battery = true;
    } else if (s->block == BLOCK_CONTROLLER && str_ends(line, "Information") && !str_starts(line, "Supercap")) {
        s->battery = false;
    } else if (s->block == BLOCK_DRIVE && str_starts(line, "Phy #")) {
        block_end(s);
        s->block = BLOCK_OTHER;
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->number = 1;
    Str rest = ctx->command, w, line;
    uint64_t n;
    while ((w = str_word(&rest)).len)
        if (str_ieq(w, STR("getconfig")) || str_ieq(w, STR("getstatus"))) {
            w = str_word(&rest);
            if (str_u64(w, &n) && n < 100) s->number = n;
        }
    s->node = ctx_ref(ctx, REF_SCSI_HOST, arena_strf(ctx->scratch, "Adaptec %u", (unsigned)s->number));
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str key, value, text = str_trim(line);
        if (!text.len) continue;
        ctx->rows++;
        if (ruler(text) || found(text) || str_starts(text, "Command ")) continue;
        if (volume_line(text, &n)) open_volume(s, n, at);
        else if (str_istarts(text, "Logical device Task:")) {
            block_end(s);
            s->block = BLOCK_TASK;
        } else if (!dev_key_value(text, &key, &value)) title(s, text, at);
        else if (s->block == BLOCK_CONTROLLER) controller_field(s, key, value, at);
        else if (s->block == BLOCK_VOLUME) volume_field(s, key, value, at);
        else if (s->block == BLOCK_DRIVE) drive_field(s, key, value, at);
        else if (s->block == BLOCK_TASK) task_field(s, key, value, at);
    }
    block_end(s);
    return parse_result(ctx);
}

const Parser parser_arcconf = {.name = "arcconf",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "arcconf getconfig 1 al"};
