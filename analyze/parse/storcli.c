/*
 * storcli.c - SAS adapters and RAID controllers, their volumes and drives, as Broadcom's tool shows them
 *
 * Reads   storcli (storcli64, storcli2, perccli) show, /cX show, show all, show temperature, phyerrorcounters, patrolread; /cX/vall,
 *         /cX/eall/sall, /cX/bbu, /cX/cv show all; show rebuild, copyback, cc, bgi; as text and with J as JSON
 * Gives   setting of the controller (view firmware): model, firmware, temperature_celsius, raid_*; counter (kind phy) of its phys and of its
 *         memory (kind raid); raid_array (kind megaraid) per volume with its cache policies; per drive state, bay, identity and counters.
 *         Controllers are named by their PCI address where the output has it, else "storcli c0"
 * Sample  storcli 7, /c0 show all
 *   |CLI Version = 007.2807.0000.0000 Dec 22, 2023
 *   |Controller = 0
 *   |Model = HBA 9500-16e
 *   |PCI Address = 00:01:00:00
 *   |Firmware Version = 36.00.00.00
 *   |ROC temperature(Degree Celsius) = 50
 *         /c0/v0 show all
 *   |/c0/v0 :
 *   |DG/VD TYPE  State Access Consist Cache Cac sCC       Size Name
 *   |0/0   RAID6 Optl  RW     Yes     RWBD  -   ON  43.652 TB  data
 *   |VD0 Properties :
 *   |Write Cache(initial setting) = WriteBack
 * Varies  Product Name and FW Version in the short form; "show temperature" and "/c0/cv show all" print their properties as rows of a table. The
 *         string in column Cache is the policy in force (WB, WT, AWB: write back even without a battery), the initial setting the
 *         one that was chosen. A drive that the system sees itself (JBOD) is told only where its serial number is printed, too.
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "raid_fact.h"

#include <math.h>

typedef enum Block { BLOCK_CONTROLLER, BLOCK_VOLUME, BLOCK_DRIVE, BLOCK_BATTERY, BLOCK_OTHER } Block;
typedef enum Table {
    TABLE_NONE,
    TABLE_PHYS,
    TABLE_VOLUMES,
    TABLE_DRIVES,
    TABLE_BATTERY,
    TABLE_PROPERTIES,
    TABLE_OVERVIEW,
    TABLE_TASKS,
    TABLE_VOLUME_TASKS
} Table;

typedef struct State {
    ParseCtx *ctx;
    Ref node, index; /* the controller; its number */
    uint64_t number;
    Block block;
    Table table;
    char head[160]; /* header of the open table */
    RaidVolume volume;
    uint64_t volume_number;
    RaidGroups groups;
    Str bay; /* of the drive whose block is open */
    Spot bay_at;
    Ref drive; /* 0: nothing was told of it yet that is worth a name of its own */
    RaidIdentity id;
    bool copyback; /* of "show copyback", not of "show rebuild" */
} State;

static Ref controller_ref(State *s, uint64_t number) {
    return ctx_ref(s->ctx, REF_SCSI_HOST, arena_strf(s->ctx->scratch, "storcli c%u", (unsigned)(number % 1000)));
}

static Str where(State *s) {
    return arena_strf(s->ctx->scratch, "c%u", (unsigned)s->number);
}

static void drive_end(State *s) {
    raid_identity(s->ctx, s->drive, &s->id);
    s->drive = 0;
    s->bay = STR_NONE;
}

static void drive_open(State *s, Str bay, Spot at) {
    if (str_eq(bay, s->bay)) return;
    drive_end(s);
    s->bay = bay;
    s->bay_at = raid_keep(s->ctx, at);
}

/* What the system sees itself needs no second name, so a drive gets one only with the first fact that matters. */
static Ref drive_ref(State *s) {
    if (!s->drive) s->drive = raid_member(s->ctx, s->node, s->bay, where(s), s->bay_at);
    return s->drive;
}

static void all_end(State *s) {
    drive_end(s);
    raid_volume_end(s->ctx, &s->volume);
    raid_group_end(s->ctx, &s->groups);
}

static void controller(State *s, uint64_t number) {
    all_end(s);
    s->number = number % 1000;
    s->node = s->index = controller_ref(s, number);
    s->block = BLOCK_CONTROLLER;
    s->table = TABLE_NONE;
}

static void pci_address(State *s, Str value, Spot at) {
    Str bdf = dev_sas_pci_address(s->ctx->scratch, value);
    if (!bdf.len) return;
    Ref pci = ctx_ref(s->ctx, REF_PCI, bdf);
    if (s->index) facts_same(s->ctx->facts, s->ctx->src, s->index, pci, "storcli", at);
    s->node = pci;
}

static void word(State *s, Ref node, const char *key, Str value, Spot at) {
    if (node && value.len && !str_is(value, "N/A") && !str_is(value, "NA"))
        ctx_setting(s->ctx, node, key, value, "firmware", at);
}

static void yes_no(State *s, Ref node, const char *key, Str value, Spot at) {
    if (str_ieq(value, STR("yes"))) word(s, node, key, STR("yes"), at);
    else if (str_ieq(value, STR("no"))) word(s, node, key, STR("no"), at);
}

static void battery(State *s, Ref node, Str value, Spot at) {
    const char *is = raid_battery_word(value);
    if (node && is) ctx_setting(s->ctx, node, "raid_battery", str_of(is), "firmware", at);
}

/* One property of the controller. */
static void property(State *s, Str key, Str value, Spot at) {
    double number;
    if (!s->node || !value.len) return;
    if (str_is(key, "PCI Address")) pci_address(s, value, at);
    else if (str_is(key, "Model") || str_is(key, "Product Name")) word(s, s->node, "model", value, at);
    else if (str_is(key, "Firmware Version") || str_is(key, "FW Version")) word(s, s->node, "firmware", value, at);
    else if (str_starts(key, "ROC temperature") && dev_leading_number(value, &number) && number > 0 && number < 150)
        ctx_setting_real(s->ctx, s->node, "temperature_celsius", number, "firmware", at);
    else if (str_is(key, "Controller Status")) word(s, s->node, "raid_controller_status", value, at);
    else if (str_is(key, "Memory Correctable Errors"))
        raid_counter(s->ctx, s->node, "raid_memory_correctable", value, at);
    else if (str_is(key, "Memory Uncorrectable Errors"))
        raid_counter(s->ctx, s->node, "raid_memory_uncorrectable", value, at);
    else if (str_is(key, "Any Offline VD Cache Preserved")) yes_no(s, s->node, "raid_preserved_cache", value, at);
    else if (str_is(key, "BBU") && str_is(value, "Absent")) battery(s, s->node, value, at);
    else if (str_is(key, "BBU Status")) { /* bits: 0 none, 8 charging, 4096 a learn cycle is due some day */
        if (str_is(value, "0") || str_is(value, "4096")) battery(s, s->node, STR("OK"), at);
        else if (str_is(value, "8")) battery(s, s->node, STR("Charging"), at);
    } else if (str_is(key, "Cache When BBU Bad")) {
        if (str_is(value, "On") || str_is(value, "Off"))
            word(s, s->node, "raid_cache_without_battery", str_is(value, "On") ? STR("on") : STR("off"), at);
    } else if (str_is(key, "On Board Memory Size") && dev_leading_number(value, &number) && number >= 0 &&
               number < 1e6) {
        if (str_ends(value, "MB"))
            ctx_setting_real(s->ctx, s->node, "raid_cache_bytes", number * 1048576, "firmware", at);
    } else if (str_is(key, "PR Current State")) {
        ctx_setting(s->ctx, s->node, "raid_task", str_istarts(value, "Active") ? STR("patrol read") : STR("none"),
                    "firmware", at);
    }
}

/* What is said of the battery or the capacitor, in a table or as members of an object. */
static void battery_property(State *s, Str key, Str value, Spot at) {
    if (!s->node) return;
    if (str_is(key, "State") || str_is(key, "Battery State")) battery(s, s->node, value, at);
    else if (str_is(key, "Learn Cycle Active")) yes_no(s, s->node, "raid_learn_active", value, at);
    else if (str_is(key, "Next Learn") || str_is(key, "Next Learn time"))
        word(s, s->node, "raid_learn_next", value, at);
    else if (str_is(key, "Battery Pack Missing") && str_ieq(value, STR("yes"))) battery(s, s->node, STR("Missing"), at);
    else if ((str_is(key, "Replacement required") || str_is(key, "Battery Replacement required")) &&
             str_ieq(value, STR("yes")))
        battery(s, s->node, STR("Failed"), at);
}

/* ---------------------------------------------------------------- volumes */

static Str cache_policy(Str cache) {
    return str_has(cache, "AWB")  ? STR("AlwaysWriteBack")
           : str_has(cache, "WB") ? STR("WriteBack")
           : str_has(cache, "WT") ? STR("WriteThrough")
                                  : STR_NONE;
}

static void open_volume(State *s, uint64_t number, Spot at) {
    number %= 100000;
    raid_volume_open(s->ctx, &s->volume, s->node, "megaraid",
                     arena_strf(s->ctx->scratch, "volume %u:%u", (unsigned)s->number, (unsigned)number), at);
    s->volume_number = number;
    /* logical drives are targets of channel 2: Linux drivers/scsi/megaraid, MEGASAS_IS_LOGICAL */
    if (number < 128)
        ctx_setting(s->ctx, s->volume.ref, "raid_target", arena_strf(s->ctx->scratch, "2:%u", (unsigned)number),
                    "firmware", at);
}

/* A row of a list of volumes: "0/0", "RAID5", "Optl", "RWBD". */
static void volume_row(State *s, Str dg_vd, Str type, Str state, Str cache, Spot at) {
    Str rest = dg_vd, group = str_cut(&rest, '/');
    uint64_t dg, vd;
    if (!str_u64(rest, &vd)) {
        parse_note(s->ctx, at, "no volume in \"%.*s\"", STR_ARG(str_sub(dg_vd, 0, 60)));
        return;
    }
    open_volume(s, vd, at);
    s->volume.level = raid_level(s->ctx->scratch, type);
    s->volume.state = arena_str(s->ctx->scratch, state);
    s->volume.write_policy = cache_policy(cache);
    if (str_u64(group, &dg)) raid_group_add(s->ctx, &s->groups, s->volume.ref, dg, false, at);
}

static void task(State *s, Ref node, Str what, double pct, Spot at) {
    ctx_setting(s->ctx, node, "raid_task", what, "firmware", at);
    if (isfinite(pct)) ctx_setting_real(s->ctx, node, "raid_progress_pct", pct, "firmware", at);
}

static Str task_name(Str printed) {
    return str_istarts(printed, "CC") || str_istarts(printed, "Consist") || str_istarts(printed, "Check Consist")
               ? STR("consistency check")
           : str_istarts(printed, "BGI") || str_istarts(printed, "Background") || str_istarts(printed, "Back Ground")
               ? STR("background initialization")
           : str_istarts(printed, "INIT") || str_istarts(printed, "Foreground") ? STR("initialization")
           : str_istarts(printed, "Rebuild")                                    ? STR("rebuild")
                                                                                : STR("migration");
}

static void volume_property(State *s, Str key, Str value, Spot at) {
    RaidVolume *v = &s->volume;
    double n;
    if (!v->ref || !value.len) return;
    if (str_starts(key, "Write Cache(initial")) {
        bool back = str_has(value, "Back");
        if (back || str_has(value, "Through"))
            word(s, v->ref, "write_policy_default", back ? STR("WriteBack") : STR("WriteThrough"), at);
        if (back && str_has(value, "Always")) word(s, v->ref, "write_policy_bad_bbu", STR("write back"), at);
    } else if (str_is(key, "Disk Cache Policy")) word(s, v->ref, "disk_cache_policy", value, at);
    else if (str_is(key, "OS Drive Name") && str_starts(value, "/dev/"))
        facts_edge(s->ctx->facts, s->ctx->src, v->ref, ctx_ref(s->ctx, REF_DISK, value), at);
    else if (str_is(key, "SCSI NAA Id")) word(s, v->ref, "raid_volume_wwn", dev_wwn(s->ctx->scratch, value), at);
    else if (str_is(key, "Number of Drives Per Span") && dev_leading_number(value, &n))
        v->disks = n * (isfinite(v->disks) ? v->disks : 1);
    else if (str_is(key, "Span Depth") && dev_leading_number(value, &n)) v->disks = n;
    else if (str_is(key, "Active Operations")) {
        if (str_is(value, "None")) task(s, v->ref, STR("none"), NAN, at);
        else task(s, v->ref, task_name(value), raid_percent(value), at);
    }
}

/* ---------------------------------------------------------------- drives */

/* A row of a list of drives. What the system sees itself is told by its serial number or not at all. */
static void drive_row(State *s, Str bay, Str state, Str dg, Str bus, Str medium, Str model, Spot at) {
    uint64_t group;
    bool detail = s->block == BLOCK_DRIVE;
    const char *is = raid_member_word(state);
    if (str_find_ch(bay, ':') == SIZE_MAX) {
        parse_note(s->ctx, at, "no drive in \"%.*s\"", STR_ARG(str_sub(bay, 0, 60)));
        return;
    }
    if (str_is(dg, "F")) is = "foreign";
    bool seen = is && strcmp(is, "jbod") == 0;
    if (!detail && seen) return;
    drive_open(s, arena_str(s->ctx->scratch, bay), at);
    if (is && !seen) ctx_setting(s->ctx, drive_ref(s), "raid_pd_state", str_of(is), "firmware", at);
    else if (!is) raid_member_state(s->ctx, drive_ref(s), state, at);
    raid_hold(s->ctx, &s->id.bus, &s->id.bus_at, bus, at);
    raid_hold(s->ctx, &s->id.medium, &s->id.medium_at, medium, at);
    raid_hold(s->ctx, &s->id.model, &s->id.model_at, model, at);
    if (str_u64(dg, &group)) raid_group_add(s->ctx, &s->groups, drive_ref(s), group, true, at);
    if (!detail) drive_end(s);
}

static void drive_property(State *s, Str key, Str value, Spot at) {
    uint64_t n;
    if (!s->bay.len || !value.len) return;
    bool figure = str_u64(value, &n);
    if (str_is(key, "Media Error Count"))
        raid_counter(s->ctx, figure ? drive_ref(s) : 0, "raid_media_errors", value, at);
    else if (str_is(key, "Other Error Count"))
        raid_counter(s->ctx, figure ? drive_ref(s) : 0, "raid_other_errors", value, at);
    else if (str_is(key, "Predictive Failure Count"))
        raid_counter(s->ctx, figure ? drive_ref(s) : 0, "raid_predictive_failures", value, at);
    else if (str_istarts(key, "S.M.A.R.T alert flagged"))
        yes_no(s, str_is(value, "N/A") ? 0 : drive_ref(s), "raid_pd_alert", value, at);
    else if (str_is(key, "SN")) {
        if (!str_is(value, "N/A")) drive_ref(s);
        raid_hold(s->ctx, &s->id.serial, &s->id.serial_at, value, at);
    } else if (str_is(key, "Model Number")) {
        raid_hold(s->ctx, &s->id.model, &s->id.model_at, value, at);
    } else if (str_is(key, "WWN")) {
        raid_hold(s->ctx, &s->id.wwn, &s->id.wwn_at, value, at);
    } else if (str_is(key, "Firmware Revision")) {
        raid_hold(s->ctx, &s->id.firmware, &s->id.firmware_at, value, at);
    }
}

/* "/c0/e252/s3", "/c0/s3" to the bay 252:3, :3; false: no drive. */
static bool drive_path(State *s, Str text, uint64_t *ctl, Str *bay) {
    Str rest = str_after(text, "/c"), e, number;
    uint64_t n;
    if (!rest.p) return false;
    number = str_cut(&rest, '/');
    if (!str_u64(number, ctl)) return false;
    e = str_after(rest, "e");
    Str enclosure = STR("");
    if (e.p) {
        enclosure = str_cut(&e, '/');
        if (!str_u64(enclosure, &n)) return false;
        rest = e;
    }
    Str slot = str_after(rest, "s");
    size_t digits = 0;
    while (digits < slot.len && ch_digit(slot.p[digits])) digits++;
    if (!slot.p || !digits || digits > 5) return false;
    *bay = arena_strf(s->ctx->scratch, "%.*s:%.*s", STR_ARG(enclosure), STR_ARG(str_sub(slot, 0, digits)));
    return true;
}

/* A row of "show rebuild" and "show copyback". */
static void progress_row(State *s, Str path, Str pct, Str status, Spot at) {
    Str bay;
    uint64_t ctl;
    double done;
    if (!drive_path(s, path, &ctl, &bay) || !str_istarts(status, "In progress")) return;
    Ref drive = raid_member(s->ctx, s->node, bay, where(s), at);
    ctx_setting(s->ctx, drive, "raid_pd_state", s->copyback ? STR("copyback") : STR("rebuilding"), "firmware", at);
    if (dev_leading_number(pct, &done)) ctx_setting_real(s->ctx, drive, "raid_progress_pct", done, "firmware", at);
}

/* A row of "show cc", "show bgi", "show init": the volume, the operation, how far. */
static void volume_progress_row(State *s, uint64_t vd, Str operation, Str pct, Str status, Spot at) {
    double done = NAN;
    open_volume(s, vd, at);
    bool runs = str_istarts(status, "In progress");
    dev_leading_number(pct, &done);
    task(s, s->volume.ref, runs ? task_name(operation) : STR("none"), runs ? done : (double)NAN, at);
}

/* One controller of the overview of all: its battery and health. */
static void overview_row(State *s, uint64_t ctl, Str bbu, Str health, Spot at) {
    Ref ref = controller_ref(s, ctl);
    battery(s, ref, bbu, at);
    word(s, ref, "raid_controller_status",
         str_is(health, "Opt")     ? STR("Optimal")
         : str_is(health, "NdAtn") ? STR("Needs Attention")
                                   : health,
         at);
}

/* ---------------------------------------------------------------- text */

static bool pair(Str line, Str *key, Str *value) {
    size_t at = str_find(line, " = ");
    bool empty = at == SIZE_MAX && str_ends(line, " =");
    if (empty) at = line.len - 2;
    if (at == SIZE_MAX || at == 0) return false;
    *key = str_trim(str_sub(line, 0, at));
    *value = empty ? STR_NONE : str_trim(str_from(line, at + 3));
    return true;
}

static bool heading(Str line) {
    return str_ends(line, " :");
}

static bool ruler(Str line) {
    for (size_t i = 0; i < line.len; i++)
        if (line.p[i] != '-' && line.p[i] != '=') return false;
    return line.len > 0;
}

static bool starts(Str line) {
    Str version = str_after(line, "CLI Version = ");
    return version.len >= 8 && ch_digit(version.p[0]) && ch_digit(version.p[1]) && ch_digit(version.p[2]) &&
           version.p[3] == '.';
}

/* Lines of tables have no form of their own: all is taken but a prompt, until another tool's first line comes. */
static bool continues(Str line) {
    Str s = str_trim_right(line);
    if (!s.len) return true;
    if (str_find(s, "# ") != SIZE_MAX && str_find(s, "@") != SIZE_MAX) return false;
    return s.p[0] != '$' && s.p[0] != '#' && s.p[0] != '>';
}

static int bid(Str path, Str command, Str head) {
    bool named = path_has(path, "storcli") || path_has(path, "perccli") || str_has(command, "storcli") ||
                 str_has(command, "perccli");
    if (json_looks(head))
        return str_has(head, "\"Controllers\"") && str_has(head, "\"Command Status\"") &&
                       str_has(head, "\"CLI Version\"")
                   ? named ? 40 : 32
                   : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return starts(line) ? named ? 36 : 28 : 0;
    }
    return 0;
}

/* "    3              0                  0               0              0" */
static void phy_row(State *s, Str line, Spot at) {
    static const char *const names[4] = {"invalid_dword_count", "running_disparity_error_count",
                                         "loss_of_dword_sync_count", "phy_reset_problem_count"};
    Str w[6];
    uint64_t phy, n;
    if (str_words(line, w, 6) != 5 || !str_u64(w[0], &phy) || phy > 255) return;
    for (int i = 0; i < 4; i++) {
        if (!str_u64(w[i + 1], &n)) continue;
        Row r = ctx_row(s->ctx, "counter", at);
        row_ref(&r, "node", s->node);
        row_text(&r, "name", str_of(names[i]));
        row_int(&r, "id", (int64_t)phy);
        row_text(&r, "kind", STR("phy"));
        row_real(&r, "value", (double)n);
        row_text(&r, "raw", w[i + 1]);
        row_done(&r);
    }
}

/* What a heading opens: "Drive /c0/e0/s12 State :", "/c0/v0 :", "VD0 Properties :", "BBU_Info :", "Basics :". */
static void open_block(State *s, Str line, Spot at) {
    Str title = str_trim(str_sub(line, 0, line.len - 1)), bay, rest = str_after(title, "Drive ");
    uint64_t ctl, vd;
    s->table = TABLE_NONE;
    if (rest.p && drive_path(s, str_word(&rest), &ctl, &bay)) {
        drive_open(s, bay, at);
        s->block = BLOCK_DRIVE;
        return;
    }
    drive_end(s);
    rest = str_after(title, "VD");
    Str number = rest.p ? str_word(&rest) : STR_NONE;
    if (number.len && str_u64(number, &vd) && str_is(str_trim(rest), "Properties")) {
        if (!s->volume.open || s->volume_number != vd % 100000) open_volume(s, vd, at);
        s->block = BLOCK_VOLUME;
        return;
    }
    s->block = str_has(title, "Cachevault_Info") || str_has(title, "BBU_Info") ||
                       str_has(title, "BBU_Firmware_Status") || str_has(title, "BBU_Properties") ||
                       str_has(title, "GasGaugeStatus")
                   ? BLOCK_BATTERY
               : str_has(title, "/e") || str_has(title, "/s") || str_has(title, "/p") || str_has(title, "/v")
                   ? BLOCK_OTHER
                   : BLOCK_CONTROLLER;
}

/* Which table a header line opens. */
static Table table_of(Str line) {
    Str s = str_trim(line);
    if (str_starts(s, "PhyNo ") && str_has(s, "DispartyErrCnt")) return TABLE_PHYS;
    if (str_starts(s, "DG/VD ") && str_has(s, " State ")) return TABLE_VOLUMES;
    if (str_starts(s, "EID:Slt ") && str_has(s, " State ")) return TABLE_DRIVES;
    if (str_starts(s, "Ctl Model ") && str_has(s, " Hlth")) return TABLE_OVERVIEW;
    if (str_starts(s, "Ctrl_Prop ")) return TABLE_PROPERTIES;
    if (str_starts(s, "Property ") && str_has(s, "Value")) return TABLE_BATTERY;
    if (str_starts(s, "Model ") && str_has(s, "State ") && str_has(s, "RetentionTime")) return TABLE_BATTERY;
    if (str_starts(s, "Drive-ID ") && str_has(s, "Progress%")) return TABLE_TASKS;
    if (str_starts(s, "VD ") && str_has(s, "Operation ") && str_has(s, "Progress%")) return TABLE_VOLUME_TASKS;
    return TABLE_NONE;
}

/* The cell below the column `name` of the header, up to the next column; columns are wide enough for what stands in them on the left. */
static Str cell(State *s, Str line, const char *name) {
    Str head = str_of(s->head);
    size_t from = str_find(head, name);
    if (from == SIZE_MAX) return STR_NONE;
    size_t to = from + strlen(name);
    while (to < head.len && ch_blank(head.p[to])) to++;
    return str_trim(str_sub(line, from, to >= head.len ? SIZE_MAX : to - from));
}

/* Word number `column` of a row, by the words of the header; behind Size, whose unit is a word of its own, one more. */
static Str word_cell(State *s, Str line, const char *name) {
    Str head = str_of(s->head), heads[24], words[24];
    size_t n = str_words(head, heads, 24), m = str_words(line, words, 24), extra = 0;
    for (size_t i = 0; i < n && i < 24; i++) {
        if (str_is(heads[i], name)) return i + extra < m && i + extra < 24 ? words[i + extra] : STR_NONE;
        if (str_is(heads[i], "Size")) extra = 1;
    }
    return STR_NONE;
}

static void table_row(State *s, Str line, Spot at) {
    Str w[24];
    size_t n = str_words(line, w, 24);
    uint64_t number;
    switch (s->table) {
    case TABLE_PHYS:
        if (s->node) phy_row(s, line, at);
        break;
    case TABLE_VOLUMES:
        volume_row(s, w[0], word_cell(s, line, "TYPE"), word_cell(s, line, "State"), word_cell(s, line, "Cache"), at);
        break;
    case TABLE_DRIVES:
        drive_row(s, w[0], word_cell(s, line, "State"), word_cell(s, line, "DG"), word_cell(s, line, "Intf"),
                  word_cell(s, line, "Med"), cell(s, line, "Model"), at);
        break;
    case TABLE_OVERVIEW: { /* counted from the end: models hold blanks */
        Str heads[24];
        size_t columns = str_words(str_of(s->head), heads, 24), bbu = SIZE_MAX;
        for (size_t i = 0; i < columns && i < 24; i++)
            if (str_is(heads[i], "BBU")) bbu = columns - i;
        if (n <= 24 && columns <= 24 && n >= 4 && bbu != SIZE_MAX && bbu <= n && str_u64(w[0], &number))
            overview_row(s, number, w[n - bbu], w[n - 1], at);
        break;
    }
    case TABLE_PROPERTIES: property(s, cell(s, line, "Ctrl_Prop"), cell(s, line, "Value"), at); break;
    case TABLE_BATTERY:
        if (str_starts(str_of(s->head), "Property "))
            battery_property(s, cell(s, line, "Property"), cell(s, line, "Value"), at);
        else {
            battery_property(s, STR("State"), cell(s, line, "State"), at);
            battery_property(s, STR("Next Learn"), cell(s, line, "Next Learn"), at);
        }
        break;
    case TABLE_TASKS:
        if (n >= 3) progress_row(s, w[0], w[1], str_has(line, "In progress") ? STR("In progress") : w[2], at);
        break;
    case TABLE_VOLUME_TASKS:
        if (n >= 4 && str_u64(w[0], &number))
            volume_progress_row(s, number, w[1], w[2], str_has(line, "In progress") ? STR("In progress") : w[3], at);
        break;
    case TABLE_NONE: break;
    }
}

static ParseResult parse_text(State *s, Input *in) {
    Str line, key, value;
    int rulers = 0; /* of a table: the second one stands below its header, the third ends it */
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t number;
        line = str_trim_right(line);
        if (!line.len) continue;
        s->ctx->rows++;
        if (heading(line)) {
            open_block(s, line, at);
            rulers = 0;
        } else if (ruler(line)) {
            if (++rulers >= 3 && line.p[0] == '-') s->table = TABLE_NONE, rulers = 0;
            if (line.p[0] == '=') rulers = 0;
        } else if (pair(line, &key, &value) && s->table == TABLE_NONE) {
            if (str_is(key, "Controller") && str_u64(value, &number)) {
                if (!s->node || number % 1000 != s->number || s->block != BLOCK_CONTROLLER) controller(s, number);
            } else if (str_is(key, "Description")) s->copyback = str_ifind(value, "copyback") != SIZE_MAX;
            else if (s->block == BLOCK_DRIVE) drive_property(s, key, value, at);
            else if (s->block == BLOCK_VOLUME) volume_property(s, key, value, at);
            else if (s->block == BLOCK_BATTERY) battery_property(s, key, value, at);
            else if (s->block == BLOCK_CONTROLLER) property(s, key, value, at);
        } else if (table_of(line) != TABLE_NONE && rulers <= 1) {
            s->table = table_of(line);
            Str head = str_sub(line, 0, sizeof s->head - 1);
            memcpy(s->head, head.p, head.len);
            s->head[head.len] = 0;
        } else if (s->table != TABLE_NONE) {
            table_row(s, line, at);
        }
    }
    all_end(s);
    return parse_result(s->ctx);
}

/* ---------------------------------------------------------------- JSON */

static Str shown(State *s, const cJSON *object, const char *key) {
    const cJSON *v = json_get(object, key);
    return v ? str_trim(json_show(s->ctx->scratch, v)) : STR_NONE;
}

static Spot spot_at(State *s, const cJSON *value, Str path) {
    return (Spot){.text = json_print(s->ctx->scratch, value), .path = path};
}

/* Members of an object as properties of the controller, a volume, a drive or a battery. */
static void json_properties(State *s, const cJSON *object, Str path, void (*take)(State *, Str, Str, Spot)) {
    const cJSON *v;
    cJSON_ArrayForEach(v, object) {
        if (!v->string || cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
        Str text = str_trim(json_show(s->ctx->scratch, v));
        s->ctx->rows++;
        take(s, str_of(v->string), text, (Spot){.text = text, .path = json_path(s->ctx->scratch, path, v->string)});
    }
}

/* Rows of a table. */
static void json_table(State *s, const cJSON *array, Str path, Table table) {
    const cJSON *row;
    size_t k = 0;
    double n;
    cJSON_ArrayForEach(row, array) {
        Spot at = spot_at(s, row, json_path_index(s->ctx->scratch, path, k++));
        s->ctx->rows++;
        switch (table) {
        case TABLE_VOLUMES:
            volume_row(s, shown(s, row, "DG/VD"), shown(s, row, "TYPE"), shown(s, row, "State"), shown(s, row, "Cache"),
                       at);
            break;
        case TABLE_DRIVES:
            drive_row(s, shown(s, row, "EID:Slt"), shown(s, row, "State"), shown(s, row, "DG"), shown(s, row, "Intf"),
                      shown(s, row, "Med"), shown(s, row, "Model"), at);
            break;
        case TABLE_PROPERTIES: property(s, shown(s, row, "Ctrl_Prop"), shown(s, row, "Value"), at); break;
        case TABLE_BATTERY:
            if (json_get(row, "Property")) battery_property(s, shown(s, row, "Property"), shown(s, row, "Value"), at);
            else json_properties(s, row, at.path, battery_property);
            break;
        case TABLE_OVERVIEW:
            if (json_number(json_get(row, "Ctl"), &n) && n >= 0 && n < 1000)
                overview_row(s, (uint64_t)n, shown(s, row, "BBU"), shown(s, row, "Hlth"), at);
            break;
        case TABLE_TASKS:
            progress_row(s, shown(s, row, "Drive-ID"), shown(s, row, "Progress%"), shown(s, row, "Status"), at);
            break;
        case TABLE_VOLUME_TASKS:
            if (json_number(json_get(row, "VD"), &n) && n >= 0 && n < 100000)
                volume_progress_row(s, (uint64_t)n, shown(s, row, "Operation"), shown(s, row, "Progress%"),
                                    shown(s, row, "Status"), at);
            break;
        case TABLE_PHYS:
        case TABLE_NONE: break;
        }
    }
}

static void json_member(State *s, const cJSON *v, Str path);

static void json_members(State *s, const cJSON *object, Str path) {
    const cJSON *v;
    cJSON_ArrayForEach(v, object) if (v->string) json_member(s, v, json_path(s->ctx->scratch, path, v->string));
}

/* "Drive /c0/e252/s3" and "Drive /c0/e252/s3 - Detailed Information". */
static void json_drive(State *s, const cJSON *v, Str path) {
    Str rest = str_from(str_of(v->string), 6), bay;
    uint64_t ctl;
    const cJSON *group;
    if (!drive_path(s, str_word(&rest), &ctl, &bay)) return;
    Spot at = {.text = str_of(v->string), .path = path};
    s->block = BLOCK_DRIVE;
    if (cJSON_IsArray(v)) {
        json_table(s, v, path, TABLE_DRIVES);
        return;
    }
    drive_open(s, bay, at);
    cJSON_ArrayForEach(group, v) if (group->string && cJSON_IsObject(group))
        json_properties(s, group, json_path(s->ctx->scratch, path, group->string), drive_property);
    json_properties(s, v, path, drive_property);
    drive_end(s);
}

static void json_member(State *s, const cJSON *v, Str path) {
    Str name = str_of(v->string), rest;
    uint64_t vd;
    if (str_starts(name, "Drive /")) {
        json_drive(s, v, path);
        return;
    }
    drive_end(s);
    s->block = BLOCK_CONTROLLER;
    rest = str_after(name, "VD");
    Str number = rest.p ? str_word(&rest) : STR_NONE;
    if (cJSON_IsObject(v) && number.len && str_u64(number, &vd)) {
        if (!s->volume.open || s->volume_number != vd % 100000) open_volume(s, vd, (Spot){.text = name, .path = path});
        json_properties(s, v, path, volume_property);
    } else if (cJSON_IsObject(v) && str_is(name, "Physical Device Information")) json_members(s, v, path);
    else if (cJSON_IsObject(v)) json_properties(s, v, path, property);
    else if (cJSON_IsArray(v)) {
        const cJSON *first = v->child;
        Table table = json_get(first, "DG/VD")                                  ? TABLE_VOLUMES
                      : json_get(first, "EID:Slt")                              ? TABLE_DRIVES
                      : json_get(first, "Ctrl_Prop")                            ? TABLE_PROPERTIES
                      : json_get(first, "Hlth")                                 ? TABLE_OVERVIEW
                      : str_has(name, "Cachevault") || str_starts(name, "BBU_") ? TABLE_BATTERY
                                                                                : TABLE_NONE;
        json_table(s, v, path, table);
    }
}

static ParseResult parse_json(State *s, Input *in) {
    ParseCtx *ctx = s->ctx;
    Str all;
    Spot top = {.line = 1};
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &all)) parse_note(ctx, top, "more JSON than is read");
    for (Str document; (document = json_next(&all)).len;) {
        Error err = {""};
        const cJSON *root = json_read(ctx->scratch, document, &err), *one;
        if (!root) {
            parse_note(ctx, top, "%s", err.text);
            continue;
        }
        size_t index = 0;
        cJSON_ArrayForEach(one, json_get(root, "Controllers")) {
            Str here = json_path_index(ctx->scratch, STR("/Controllers"), index++);
            Str data_path = json_path(ctx->scratch, here, "Response Data");
            const cJSON *data = json_get(one, "Response Data");
            double number;
            ctx->rows++;
            if (!json_number(json_at(one, "/Command Status/Controller"), &number) || number < 0 || number > 999) {
                all_end(s);
                s->node = s->index = 0; /* the overview of all controllers */
            } else {
                controller(s, (uint64_t)number);
            }
            s->copyback = str_ifind(json_text(json_at(one, "/Command Status/Description")), "copyback") != SIZE_MAX;
            if (s->node && cJSON_IsObject(data)) { /* the address first: it names the controller */
                const cJSON *address = json_at(data, "/Basics/PCI Address");
                Str base = address ? json_path(ctx->scratch, data_path, "Basics") : data_path;
                if (!address) address = json_get(data, "PCI Address");
                Str text = str_trim(json_show(ctx->scratch, address));
                if (address)
                    pci_address(s, text, (Spot){.text = text, .path = json_path(ctx->scratch, base, "PCI Address")});
                json_properties(s, data, data_path, property);
            }
            if (cJSON_IsArray(data))
                json_table(s, data, data_path,
                           json_get(data->child, "Drive-ID")    ? TABLE_TASKS
                           : json_get(data->child, "Operation") ? TABLE_VOLUME_TASKS
                                                                : TABLE_NONE);
            else json_members(s, data, data_path);
        }
        all_end(s);
    }
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    Str line;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        input_unread(in);
        return json_looks(line) ? parse_json(s, in) : parse_text(s, in);
    }
    return parse_result(ctx);
}

const Parser parser_storcli = {.name = "storcli",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "storcli /c0 show all"};
