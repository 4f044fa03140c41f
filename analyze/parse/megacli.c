/*
 * megacli.c - volumes, drives, battery and adapter of LSI and Broadcom RAID controllers as MegaCli lists them
 *
 * Reads   MegaCli (MegaCli64, CmdTool2, perccli of that time) -LDInfo, -PDList, -LdPdInfo, -CfgDsply, -AdpBbuCmd, -AdpAllInfo, -AdpGetPciInfo,
 *         -EncInfo, -ShowSummary, -V, in every spelling of their colons; two lines of -LDInfo alone
 * Gives   raid_array (kind megaraid) per volume; setting write_policy_default, write_policy_bad_bbu, disk_cache_policy; per drive bay,
 *         state, identity and counters; of the controller its battery, memory errors, model. "MegaCli a0" is the controller
 * Sample  MegaCli -LDInfo -Lall -aALL, 8.07
 *   |Adapter 0 -- Virtual Drive Information:
 *   |Virtual Drive: 0 (Target Id: 0)
 *   |RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0
 *   |State               : Optimal
 *   |Number Of Drives    : 2
 *   |Default Cache Policy: WriteBack, ReadAheadNone, Direct, No Write Cache if Bad BBU
 *   |Current Cache Policy: WriteThrough, ReadAheadNone, Direct, No Write Cache if Bad BBU
 *         -PDList -aALL
 *   |Adapter #0
 *   |Enclosure Device ID: 64
 *   |Slot Number: 0
 *   |Media Error Count: 0
 *   |PD Type: SAS
 *   |Firmware state: Online, Spun Up
 *   |Inquiry Data: HGST    HUH721212AL5200 NS07D5G7WG8L
 * Varies  "Virtual Disk" before 8; blanks around colons. Secondary-3 with a span depth is RAID 10 or 50 or 60; the number of drives is that of one
 *         span. What stands in "Current" is in force, "Default" is what was configured: a battery that is bad or learning makes the difference.
 *         Inquiry data have fixed columns: vendor, product, revision, serial of SCSI (8, 16, 4); serial, model, firmware of SATA (20, 40, 8).
 */
#include "device_text.h"
#include "parser.h"
#include "raid_fact.h"

#include <math.h>

typedef enum Block { BLOCK_NONE, BLOCK_VOLUME, BLOCK_DRIVE, BLOCK_BATTERY, BLOCK_OTHER } Block;

typedef struct State {
    ParseCtx *ctx;
    Block block;
    RaidVolume volume;
    double spans;
    uint64_t adapter;
    Ref node; /* the controller; 0: no line named it */
    int unnamed;
    bool inside; /* drives that follow belong to the volume: -LdPdInfo, -CfgDsply */
    /* the drive */
    Str enclosure, slot;
    Spot drive_at;
    Ref drive;
    RaidIdentity id;
    Str inquiry;
    Spot inquiry_at;
    /* the battery: what its flags say where its state is not printed */
    Str battery;
    Spot battery_at, flag_at;
    bool replace, missing, flags;
    /* -AdpGetPciInfo */
    Str bus, device;
} State;

/* Keys of all these outputs that have no two blanks before their colon. */
static const char *const keys[] = {"Absolute state of charge",
                                   "Access Policy",
                                   "Auto Learn Mode",
                                   "BBU Firmware Status",
                                   "BBU Mode",
                                   "Background Initialization",
                                   "Bad Blocks Exist",
                                   "Battery Replacement required",
                                   "Battery State",
                                   "Battery state",
                                   "BatteryType",
                                   "Bus Number",
                                   "CLI Version",
                                   "Cache Cade Type",
                                   "Cache When BBU Bad",
                                   "Can spin up in 1 minute",
                                   "Charger Status",
                                   "Charger System Ctrl",
                                   "Charger System State",
                                   "Charging Status",
                                   "Charging current",
                                   "Check Consistency",
                                   "Coerced Size",
                                   "Commissioned Spare",
                                   "Connected Port Number",
                                   "Copyback",
                                   "Current Access Policy",
                                   "Current Cache Policy",
                                   "Current Power Savings Policy",
                                   "DISK GROUPS",
                                   "Date of Manufacture",
                                   "Default Access Policy",
                                   "Default Cache Policy",
                                   "Default Power Savings Policy",
                                   "Design Capacity",
                                   "Device Firmware Level",
                                   "Device Id",
                                   "Device Name",
                                   "Device Number",
                                   "Device Speed",
                                   "Disk Cache Policy",
                                   "Drive Group",
                                   "Drive Temperature",
                                   "Drive has flagged a S.M.A.R.T alert",
                                   "Drive is formatted for PI information",
                                   "Drive's NCQ setting",
                                   "Drive's position",
                                   "Drive's postion",
                                   "Drive's write cache",
                                   "Driver Version",
                                   "Emergency Spare",
                                   "Emulated Drive",
                                   "Enclosure Device ID",
                                   "Enclosure position",
                                   "Encryption Type",
                                   "Exit Code",
                                   "FDE Capable",
                                   "FDE Enable",
                                   "FRU",
                                   "FW Package Version",
                                   "Firmware state",
                                   "Foreign Secure",
                                   "Foreign State",
                                   "Full Charge Capacity",
                                   "Function Number",
                                   "GasGuageStatus",
                                   "Host Interface",
                                   "Hotspare Information",
                                   "IBM FRU/CRU",
                                   "Initialization",
                                   "Inquiry Data",
                                   "Is VD Cached",
                                   "Is VD emulated",
                                   "LD has drives that support T10 power conditions",
                                   "LD's IO profile supports MAX power savings with cached writes",
                                   "Last Predictive Failure Event Seq Number",
                                   "Learn Cycle Active",
                                   "Learn Cycle Requested",
                                   "Link Speed",
                                   "Logical Sector Size",
                                   "Manufacture Name",
                                   "Max Error",
                                   "Media Error Count",
                                   "Media Type",
                                   "Memory Size",
                                   "Mirror Data",
                                   "Needs EKM Attention",
                                   "Next Learn time",
                                   "Non Coerced Size",
                                   "Number Of Drives",
                                   "Number Of Drives per span",
                                   "Number of DISK GROUPS",
                                   "Number of Dedicated Hotspares",
                                   "Number of PDs",
                                   "Number of Spans",
                                   "Number of Temperature Sensors",
                                   "Number of VDs",
                                   "Number of Virtual Disks",
                                   "Number of bytes of user data in LBA",
                                   "Number of dedicated Hotspares",
                                   "Ongoing Progresses",
                                   "Operating System",
                                   "Other Error Count",
                                   "PD Type",
                                   "PD type",
                                   "PI Eligibility",
                                   "PI type",
                                   "Pack is about to fail & should be replaced",
                                   "Parity Size",
                                   "Patrol Read",
                                   "Physical Disk",
                                   "Physical Disk Information",
                                   "Physical Sector Size",
                                   "Port status",
                                   "Port's Linkspeed",
                                   "Predictive Failure Count",
                                   "Product Id",
                                   "Product Name",
                                   "RAID Level",
                                   "Raw Size",
                                   "Rebuild",
                                   "Reconstruction",
                                   "Relative State of Charge",
                                   "Remaining Capacity",
                                   "Remaining Capacity Alarm",
                                   "Remaining Time Alarm",
                                   "Sector Size",
                                   "Sequence Number",
                                   "Serial No",
                                   "Serial Number",
                                   "Shield Counter",
                                   "Slot Number",
                                   "Span Depth",
                                   "Span Reference",
                                   "Strip Size",
                                   "Stripe Size",
                                   "Successful diagnostics completion on",
                                   "Target Id of the Associated LDs",
                                   "Virtual Disk Information",
                                   "Virtual Drive Type",
                                   "WWN",
                                   "isSOHGood"};

/* Words that anybody writes: only right behind other lines of it. */
static const char *const short_keys[] = {"BBU",   "Current", "Drive",       "Locked",  "Memory", "Name",
                                         "PD",    "PI",      "SPAN",        "Secured", "Size",   "Span",
                                         "State", "Status",  "Temperature", "Type",    "Voltage"};

static bool among(const char *const *list, size_t n, Str key) {
    for (size_t i = 0; i < n; i++)
        if (str_is(key, list[i])) return true;
    return false;
}

static bool known_key(Str key) {
    return among(keys, sizeof keys / sizeof *keys, key) ||
           among(short_keys, sizeof short_keys / sizeof *short_keys, key) || str_starts(key, "SAS Address(") ||
           str_starts(key, "Port-") || str_starts(key, "Enclosure ");
}

/* "Memory Correctable Errors        : 0": no sentence has two blanks before its colon. */
static bool padded(Str line) {
    size_t colon = str_find_ch(line, ':');
    return colon != SIZE_MAX && colon >= 2 && colon < 80 && ch_blank(line.p[colon - 1]) &&
           (ch_blank(line.p[colon - 2]) || line.p[colon - 1] == '\t');
}

/* "Virtual Drive: 0 (Target Id: 0)", "CacheCade Virtual Drive: 1 (Target Id: 1)" */
static bool volume_line(Str line, uint64_t *number, bool *cade) {
    Str t = str_trim(line), rest = str_after(t, "CacheCade ");
    *cade = rest.p != NULL;
    if (rest.p) t = rest;
    rest = str_after(t, "Virtual Drive: ");
    if (!rest.p) rest = str_after(t, "Virtual Disk: ");
    return rest.p && str_u64(str_word(&rest), number) && (str_istarts(str_trim(rest), "(target id: "));
}

/* "Adapter 0 -- Virtual Drive Information:", "Adapter #0", "Adapter: 0", "BBU status for Adapter: 0": the number of the adapter. */
static bool adapter_line(Str line, uint64_t *number, Block *block) {
    Str t = str_trim(line), rest = str_after(t, "Adapter #");
    *block = BLOCK_OTHER;
    if (rest.p || (rest = str_after(t, "Adapter: ")).p) return str_u64(rest, number);
    if ((rest = str_after(t, "BBU status for Adapter: ")).p) {
        *block = BLOCK_BATTERY;
        return str_u64(rest, number);
    }
    if ((rest = str_after(t, "PCI information for Controller ")).p) return str_u64(rest, number);
    rest = str_after(t, "Adapter ");
    if (!rest.p) return false;
    Str word = str_word(&rest);
    if (str_ends(word, ":")) word.len--;
    if (!str_u64(word, number)) return false;
    rest = str_trim(rest);
    if (str_starts(rest, "-- Virtual Drive Information")) *block = BLOCK_VOLUME;
    else if (str_starts(rest, "Get BBU Status Failed")) *block = BLOCK_BATTERY;
    else return str_starts(rest, "No Virtual Drive Configured");
    return true;
}

static bool policy_line(Str line) {
    Str key, value;
    return dev_key_value(str_trim(line), &key, &value) &&
           (str_is(key, "Default Cache Policy") || str_is(key, "Current Cache Policy")) && str_starts(value, "Write");
}

static bool drive_line(Str line) {
    Str rest = str_after(str_trim(line), "Enclosure Device ID: ");
    uint64_t n;
    return rest.p && (str_u64(str_trim(rest), &n) || str_is(str_trim(rest), "N/A"));
}

/* Lines that no colon divides. */
static bool title(Str line) {
    static const char *const titles[] = {"MegaCLI SAS RAID Management Tool",
                                         "(c)Copyright",
                                         "Number of enclosures on adapter ",
                                         "Controller Count: ",
                                         "FW error description:",
                                         "The required hardware component is not present",
                                         "Physical Disk Information",
                                         "Virtual Disk Information"};
    Str t = str_trim(line);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_starts(t, titles[i])) return true;
    return false;
}

/* Headings of -ShowSummary and -AdpAllInfo: words alone in a line. */
static bool heading(Str line) {
    static const char *const words[] = {"System",
                                        "Hardware",
                                        "Controller",
                                        "Enclosure",
                                        "PD",
                                        "Storage",
                                        "BBU",
                                        "Virtual Drives",
                                        "Versions",
                                        "Mfg. Data",
                                        "Image Versions in Flash:",
                                        "Pending Images in Flash",
                                        "PCI Info",
                                        "HW Configuration",
                                        "Settings",
                                        "Capabilities",
                                        "Status",
                                        "Limitations",
                                        "Device Present",
                                        "Supported Adapter Operations",
                                        "Supported VD Operations",
                                        "Supported PD Operations",
                                        "Error Counters",
                                        "Cluster Information",
                                        "Default Settings",
                                        "Allowed Mixing:",
                                        "Mix in Enclosure Allowed",
                                        "None",
                                        "Mix of SAS/SATA of HDD type in VD Allowed",
                                        "Mix of SSD/HDD in VD Allowed",
                                        "Mix SAS/SATA of SSD type in VD Allowed"};
    Str t = str_trim(line);
    bool rule = t.len >= 4;
    for (size_t i = 0; i < t.len; i++) rule = rule && (t.p[i] == '=' || t.p[i] == '-');
    if (rule) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(t, words[i])) return true;
    return false;
}

/* -ShowSummary begins with this line. */
static bool summary_line(Str line) {
    return str_is(str_trim_right(line), "System");
}

/* -AdpCount: "Controller Count: 1." */
static bool count_line(Str line) {
    Str n = str_after(str_trim(line), "Controller Count: ");
    uint64_t count;
    return n.p && str_ends(n, ".") && str_u64(str_sub(n, 0, n.len - 1), &count);
}

static bool starts(Str line) {
    uint64_t n;
    bool cade;
    Block block;
    return volume_line(line, &n, &cade) || adapter_line(line, &n, &block) || policy_line(line) || drive_line(line) ||
           str_starts(str_trim(line), "MegaCLI SAS RAID Management Tool") ||
           str_starts(str_trim(line), "Number of enclosures on adapter ") || summary_line(line) || count_line(line);
}

static bool continues(Str line) {
    Str key, value;
    if (!str_trim(line).len || starts(line) || title(line) || heading(line) || padded(line)) return true;
    return dev_key_value(str_trim(line), &key, &value) && known_key(key);
}

static int bid(Str path, Str command, Str head) {
    bool named = path_has(path, "megacli") || path_has(path, "cmdtool2") || str_ifind(command, "megacli") != SIZE_MAX ||
                 str_ifind(command, "cmdtool2") != SIZE_MAX;
    Str rest = str_trim_left(head), first = head_line(&rest);
    if (summary_line(first)) /* a word of everybody's: the rest has to be there */
        return str_has(rest, "\tCLI Version: ") && str_has(rest, "ProductName ") && str_has(rest, "Virtual Drives")
                   ? (named ? 38 : 24)
                   : 0;
    if (count_line(first)) return str_has(rest, "Exit Code: 0x") ? (named ? 30 : 20) : 0;
    for (int n = 0; n < 8 && head.len; n++) {
        Str line = head_line(&head);
        if (starts(line) && !summary_line(line)) return named || str_has(command, "LDInfo") ? 38 : 30;
        if (str_trim(line).len && !continues(line)) return 0;
    }
    return 0;
}

/* ---------------------------------------------------------------- blocks */

static Str where(State *s) {
    return arena_strf(s->ctx->scratch, "c%u", (unsigned)s->adapter);
}

/* "HGST    HUH721212AL5200 NS07D5G7WG8L" or "   9XF18SP9ST9500620NS      ...     AA09", by columns. */
static void inquiry(State *s) {
    Str text = s->inquiry;
    if (str_starts(text, "ATA     ") ||
        (str_ifind(s->id.bus, "SAS") != SIZE_MAX && str_ifind(s->id.bus, "SATA") == SIZE_MAX)) {
        s->id.model = str_trim(str_sub(text, 8, 16));
        s->id.firmware = str_trim(str_sub(text, 24, 4));
        s->id.serial = str_trim(str_from(text, 28));
    } else if (text.len >= 50) {
        s->id.serial = str_trim(str_sub(text, 0, 20));
        s->id.model = str_trim(str_sub(text, 20, 40));
        s->id.firmware = str_trim(str_from(text, 60));
    }
    s->id.model_at = s->id.serial_at = s->id.firmware_at = s->inquiry_at;
}

static void drive_end(State *s) {
    if (s->drive) {
        if (s->inquiry.len) inquiry(s);
        raid_identity(s->ctx, s->drive, &s->id);
    }
    s->id = (RaidIdentity){0};
    s->drive = 0;
    s->enclosure = s->slot = s->inquiry = STR_NONE;
}

static void battery_end(State *s) {
    const char *is = s->missing ? "missing" : s->replace ? "failed" : raid_battery_word(s->battery);
    Spot at = s->missing || s->replace || !s->battery.len ? s->flag_at : s->battery_at;
    /* without a word for the state: nothing is missing and nothing wants to be replaced */
    if (!is && !s->battery.len && s->flags) is = "good";
    if (is && s->node) ctx_setting(s->ctx, s->node, "raid_battery", str_of(is), "firmware", at);
    s->battery = STR_NONE;
    s->missing = s->replace = s->flags = false;
}

static void block_end(State *s) {
    if (isfinite(s->volume.disks) && s->spans > 1 && s->spans < 1000) s->volume.disks *= s->spans;
    s->spans = NAN;
    raid_volume_end(s->ctx, &s->volume);
    drive_end(s);
    battery_end(s);
}

static void open_volume(State *s, Str name, Spot at) {
    block_end(s);
    raid_volume_open(s->ctx, &s->volume, s->node, "megaraid", name, at);
    s->block = BLOCK_VOLUME;
}

static Spot keep(State *s, Spot at) {
    return raid_keep(s->ctx, at);
}

static void word(State *s, Ref node, const char *key, Str value, Spot at) {
    if (node && value.len) ctx_setting(s->ctx, node, key, value, "firmware", at);
}

static void yes_no(State *s, Ref node, const char *key, Str value, Spot at) {
    if (str_ieq(value, STR("yes"))) word(s, node, key, STR("yes"), at);
    else if (str_ieq(value, STR("no"))) word(s, node, key, STR("no"), at);
}

static void policies(State *s, bool current, Str value, Spot at) {
    Str rest = value, write = str_trim(str_cut(&rest, ','));
    if (!current) {
        word(s, s->volume.ref, "write_policy_default", write, at);
        return;
    }
    s->volume.write_policy = arena_str(s->ctx->scratch, write);
    s->volume.policy_at = keep(s, at);
    if (str_has(value, "No Write Cache if Bad BBU"))
        word(s, s->volume.ref, "write_policy_bad_bbu", STR("write through"), at);
    if (str_has(value, "Write Cache OK if Bad BBU"))
        word(s, s->volume.ref, "write_policy_bad_bbu", STR("write back"), at);
}

/* "Check Consistency        : Completed 12%, Taken 3 min." */
static void ongoing(State *s, Str key, Str value, Spot at) {
    bool init = str_istarts(key, "Background") || str_istarts(key, "Back ");
    Str what = init                                                                   ? STR("background initialization")
               : str_istarts(key, "Check")                                            ? STR("consistency check")
               : str_istarts(key, "Foreground") || str_istarts(key, "Initialization") ? STR("initialization")
                                                                                      : STR("reconstruction");
    double pct = raid_percent(value);
    if (!isfinite(pct)) return;
    word(s, s->volume.ref, "raid_task", what, at);
    ctx_setting_real(s->ctx, s->volume.ref, "raid_progress_pct", pct, "firmware", at);
}

static void volume_field(State *s, Str key, Str value, Spot at) {
    RaidVolume *v = &s->volume;
    if (str_is(key, "RAID Level")) v->level = raid_level(s->ctx->scratch, value);
    else if (str_is(key, "State")) {
        v->state = arena_str(s->ctx->scratch, value);
        v->at = keep(s, at);
    } else if (str_starts(key, "Number Of Drives")) dev_leading_number(value, &v->disks);
    else if (str_is(key, "Span Depth")) dev_leading_number(value, &s->spans);
    else if (str_is(key, "Default Cache Policy")) policies(s, false, value, at);
    else if (str_is(key, "Current Cache Policy")) policies(s, true, value, at);
    else if (str_is(key, "Disk Cache Policy")) word(s, v->ref, "disk_cache_policy", value, at);
    else if (str_is(key, "Check Consistency") || str_istarts(key, "Background Init") || str_is(key, "Initialization") ||
             str_is(key, "Reconstruction"))
        ongoing(s, key, value, at);
}

/* The slot completes the name of a drive. */
static void drive_field(State *s, Str key, Str value, Str raw, Spot at) {
    if (str_is(key, "Slot Number")) {
        s->slot = arena_str(s->ctx->scratch, value);
        s->drive =
            raid_member(s->ctx, s->node,
                        arena_strf(s->ctx->scratch, "%.*s:%.*s",
                                   STR_ARG(str_is(s->enclosure, "N/A") ? STR_NONE : s->enclosure), STR_ARG(s->slot)),
                        where(s), at);
        if (s->inside && s->volume.ref) facts_edge(s->ctx->facts, s->ctx->src, s->drive, s->volume.ref, at);
        return;
    }
    if (!s->drive || !value.len) return;
    if (str_is(key, "Media Error Count")) raid_counter(s->ctx, s->drive, "raid_media_errors", value, at);
    else if (str_is(key, "Other Error Count")) raid_counter(s->ctx, s->drive, "raid_other_errors", value, at);
    else if (str_is(key, "Predictive Failure Count"))
        raid_counter(s->ctx, s->drive, "raid_predictive_failures", value, at);
    else if (str_istarts(key, "Drive has flagged a S.M.A.R.T alert")) yes_no(s, s->drive, "raid_pd_alert", value, at);
    else if (str_is(key, "Firmware state")) raid_member_state(s->ctx, s->drive, value, at);
    else if (str_is(key, "PD Type")) {
        raid_hold(s->ctx, &s->id.bus, &s->id.bus_at, value, at);
    } else if (str_is(key, "Media Type")) {
        raid_hold(s->ctx, &s->id.medium, &s->id.medium_at, value, at);
    } else if (str_is(key, "WWN")) {
        raid_hold(s->ctx, &s->id.wwn, &s->id.wwn_at, value, at);
    } else if (str_is(key, "Inquiry Data")) { /* its columns count from the blank behind the colon */
        size_t colon = str_find_ch(raw, ':');
        s->inquiry = arena_str(s->ctx->scratch, str_from(raw, colon + 2));
        s->inquiry_at = keep(s, at);
    } else if (str_is(key, "Rebuild") || str_is(key, "Copyback")) {
        double pct = raid_percent(value);
        if (isfinite(pct)) ctx_setting_real(s->ctx, s->drive, "raid_progress_pct", pct, "firmware", at);
    }
}

static void battery_field(State *s, Str key, Str value, Spot at) {
    if (str_ieq(key, STR("Battery State")) && value.len) {
        s->battery = arena_str(s->ctx->scratch, value);
        s->battery_at = keep(s, at);
    } else if (str_is(key, "Learn Cycle Active")) yes_no(s, s->node, "raid_learn_active", value, at);
    else if (str_is(key, "Next Learn time")) word(s, s->node, "raid_learn_next", value, at);
    else if (str_is(key, "Battery Pack Missing") && str_ieq(value, STR("yes"))) {
        s->missing = true;
        s->flag_at = keep(s, at);
    } else if (str_is(key, "Battery Replacement required") || str_starts(key, "Pack is about to fail")) {
        bool bad = str_ieq(value, STR("yes"));
        if (bad || (!s->flags && !s->missing)) s->flag_at = keep(s, at);
        s->replace |= bad;
        s->flags = true;
    }
}

static void controller_field(State *s, Str key, Str value, Spot at) {
    double n;
    if (!s->node || !value.len) return;
    if (str_is(key, "Product Name") || str_is(key, "ProductName")) word(s, s->node, "model", value, at);
    else if (str_is(key, "FW Version")) word(s, s->node, "firmware", value, at);
    else if (str_is(key, "Memory Correctable Errors"))
        raid_counter(s->ctx, s->node, "raid_memory_correctable", value, at);
    else if (str_is(key, "Memory Uncorrectable Errors"))
        raid_counter(s->ctx, s->node, "raid_memory_uncorrectable", value, at);
    else if (str_is(key, "Any Offline VD Cache Preserved")) yes_no(s, s->node, "raid_preserved_cache", value, at);
    else if (str_is(key, "BBU") && str_is(value, "Absent")) word(s, s->node, "raid_battery", STR("none"), at);
    else if (str_is(key, "Cache When BBU Bad") && (str_is(value, "Enabled") || str_is(value, "Disabled")))
        word(s, s->node, "raid_cache_without_battery", str_is(value, "Enabled") ? STR("on") : STR("off"), at);
    else if (str_starts(key, "ROC temperature") && dev_leading_number(value, &n) && n > 0 && n < 150)
        ctx_setting_real(s->ctx, s->node, "temperature_celsius", n, "firmware", at);
    else if ((str_is(key, "Memory Size") || str_is(key, "Memory")) && str_ends(value, "MB") &&
             dev_leading_number(value, &n) && n >= 0 && n < 1e6)
        ctx_setting_real(s->ctx, s->node, "raid_cache_bytes", n * 1048576, "firmware", at);
    else if (str_is(key, "Bus Number")) s->bus = arena_str(s->ctx->scratch, value);
    else if (str_is(key, "Device Number")) s->device = arena_str(s->ctx->scratch, value);
    else if (str_is(key, "Function Number")) {
        uint64_t bus, device, function;
        if (str_hex_u64(s->bus, &bus) && str_hex_u64(s->device, &device) && str_hex_u64(value, &function) &&
            bus < 256 && device < 32 && function < 8)
            facts_same(s->ctx->facts, s->ctx->src, s->node,
                       ctx_ref(s->ctx, REF_PCI,
                               arena_strf(s->ctx->scratch, "0000:%02x:%02x.%x", (unsigned)bus, (unsigned)device,
                                          (unsigned)function)),
                       "megacli", at);
    }
}

static void adapter(State *s, uint64_t number, Block block) {
    block_end(s);
    s->adapter = number % 1000;
    s->node = ctx_ref(s->ctx, REF_SCSI_HOST, arena_strf(s->ctx->scratch, "MegaCli a%u", (unsigned)s->adapter));
    s->block = block;
    s->inside = false;
    s->volume.ref = 0;
}

static void volume(State *s, uint64_t number, bool cade, Spot at) {
    if (cade) { /* a cache of other volumes, made of SSDs */
        block_end(s);
        s->block = BLOCK_OTHER;
        return;
    }
    number %= 100000;
    open_volume(s, arena_strf(s->ctx->scratch, "volume %u:%u", (unsigned)s->adapter, (unsigned)number), at);
    s->inside = true;
    if (number < 128) word(s, s->volume.ref, "raid_target", arena_strf(s->ctx->scratch, "2:%u", (unsigned)number), at);
}

/* One line; false: not understood. */
static bool take(State *s, Str line, Spot at) {
    uint64_t number;
    bool cade;
    Block block;
    Str key, value;
    if (adapter_line(line, &number, &block)) {
        adapter(s, number, block);
        return true;
    }
    if (volume_line(line, &number, &cade)) {
        volume(s, number, cade, at);
        return true;
    }
    if (str_has(line, "required hardware component is not present") && s->block == BLOCK_BATTERY) {
        word(s, s->node, "raid_battery", STR("none"), at);
        return true;
    }
    if (title(line) || heading(line)) {
        if (heading(line) && s->block != BLOCK_BATTERY) {
            block_end(s);
            s->block = BLOCK_OTHER;
        }
        return true;
    }
    if (!dev_key_value(str_trim(line), &key, &value) || (!known_key(key) && !padded(line) && s->block != BLOCK_OTHER))
        return false;
    if (drive_line(line)) {
        drive_end(s);
        if (s->block == BLOCK_VOLUME) raid_volume_end(s->ctx, &s->volume);
        s->block = BLOCK_DRIVE;
        s->enclosure = arena_str(s->ctx->scratch, value);
        return true;
    }
    if (str_is(key, "Exit Code")) {
        block_end(s);
        s->block = BLOCK_NONE;
        return true;
    }
    bool again = s->volume.open && str_is(key, "Default Cache Policy") && s->volume.write_policy.len;
    if ((s->block != BLOCK_VOLUME || !s->volume.open || again) && policy_line(line) &&
        s->block != BLOCK_OTHER) /* a few lines were quoted */
        open_volume(s, s->unnamed++ ? arena_strf(s->ctx->scratch, "volume ? (%d)", s->unnamed) : STR("volume ?"), at);
    if (s->block == BLOCK_NONE && !s->volume.open && (str_is(key, "Disk Cache Policy") || str_is(key, "RAID Level")))
        open_volume(s, s->unnamed++ ? arena_strf(s->ctx->scratch, "volume ? (%d)", s->unnamed) : STR("volume ?"), at);
    if (s->block == BLOCK_VOLUME && value.len) volume_field(s, key, value, at);
    else if (s->block == BLOCK_DRIVE) drive_field(s, key, value, line, at);
    else if (s->block == BLOCK_BATTERY) battery_field(s, key, value, at);
    else if (s->block == BLOCK_OTHER) controller_field(s, key, value, at);
    return true;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    s->spans = NAN;
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (take(s, line, at)) ctx->rows++;
        else parse_note(ctx, at, "not a line of MegaCli: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
    }
    block_end(s);
    return parse_result(ctx);
}

const Parser parser_megacli = {.name = "megacli",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "MegaCli64 -LDInfo -Lall -aALL -NoLog"};
