/*
 * smartctl.c - text of smartctl (smartmontools 5.x to 7.5) for ATA, NVMe and SCSI drives
 *
 * Reads   smartctl -i -H -A -a -x -l ..., one drive or several one after the other
 * Gives   setting (identity, capacity, link, write cache, SMART health ...; view drive), counter (kind ata nvme scsi phy
 *         devstat)
 * Sample  smartctl 7.3, -a
 *   | smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build)
 *   | === START OF INFORMATION SECTION ===
 *   | Device Model:     EXAMPLE HDD 2000
 *   | Serial Number:    EX2000-000017
 *   | User Capacity:    2,000,398,934,016 bytes [2.00 TB]
 *   | SATA Version is:  SATA 3.2, 6.0 Gb/s (current: 6.0 Gb/s)
 *   | === START OF READ SMART DATA SECTION ===
 *   | SMART overall-health self-assessment test result: PASSED
 *   | ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
 *   |   5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0
 * Varies  the attribute table of -x has FLAGS and FAIL and no TYPE, so columns are found by the header; thousands are separated
 *         by comma, apostrophe, blank or dot; the output does not name the device: it comes from the command line, a heading
 *         or the member's path, else the drive is known by its serial number only; SCSI drives speak of "Serial number",
 *         "Product" and "Writeback Cache is" where ATA drives speak of "Serial Number", "Device Model" and "Write cache is"
 */
#include "device_text.h"
#include "parser.h"
#include "smart_fact.h"

#include <math.h>

static bool banner(Str line) {
    Str rest = str_after(line, "smartctl ");
    if (!rest.p) return false;
    if (str_starts(rest, "version ")) rest = str_from(rest, 8);
    else if (str_starts(rest, "pre-")) rest = str_from(rest, 4);
    return rest.len > 2 && ch_digit(rest.p[0]) && (rest.p[1] == '.' || ch_digit(rest.p[1]));
}

/* "ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH ..." */
static bool attribute_header(Str line) {
    return str_starts(str_trim_left(line), "ID# ATTRIBUTE_NAME");
}

/* A row of the attribute table, which is often quoted without its header: the number of its columns, 0 for no row. "0x0033" is
   the FLAG of -A, "PO--CK" that of -x. */
static int attribute_row_columns(Str line) {
    Str words[11];
    size_t n = str_words(line, words, 11);
    uint64_t id, v;
    if (n < 8 || !str_u64(words[0], &id) || id < 1 || id > 255 || !ch_alpha(words[1].p[0])) return 0;
    if (words[2].len != 6 || !str_u64(words[3], &v) || v > 255 || !str_u64(words[4], &v) || v > 255) return 0;
    if (!str_u64(words[5], &v) && !str_is(words[5], "---")) return 0;
    if (str_starts(words[2], "0x"))
        return n >= 10 && (str_is(words[6], "Pre-fail") || str_is(words[6], "Old_age")) ? 10 : 0;
    for (size_t i = 0; i < 6; i++)
        if (words[2].p[i] != '-' && words[2].p[i] != "POSRCK"[i]) return 0;
    return 8;
}

/* An entry of the ATA error log: "Error 25 occurred at disk power-on lifetime: 18798 hours (783 days + 6 hours)" */
static bool error_entry(Str line) {
    return str_starts(line, "Error ") && str_has(line, " occurred at disk power-on lifetime:");
}

static const char *const refusals[] = {
    "Unknown USB bridge",
    "Please specify device type with the -d option",
    "Device is in STANDBY",
    "Device is in STANDBY (OS)",
    "Device is in SLEEP mode",
    "Device is in IDLE",
    "Smartctl open device:",
    "Smartctl: Device Read Identity Failed",
    "Read Device Identity failed",
    "Unable to detect device type",
    "Smartctl: please specify",
    "NO MEDIUM present in device",
    "Read NVMe Identify Controller failed",
    "Standard Inquiry (36 bytes) failed",
    NULL,
};

static bool refusal(Str line) {
    for (size_t i = 0; refusals[i]; i++)
        if (str_starts(line, refusals[i])) return true;
    return str_has(line, ": Unknown USB bridge [0x") || str_has(line, ": Unable to detect device type");
}

/* A heading that names the drive whose output follows: a command with its prompt, "=== /dev/sda ===", "/dev/sda:". */
static bool heading(Arena *arena, Str line, Str *device) {
    Str s = str_trim(line);
    if (str_has(s, "smartctl ") && str_has(s, "/dev/") && !banner(s)) {
        size_t at = str_find(s, "smartctl ");
        *device = dev_in_command(arena, str_from(s, at));
        return device->len > 0;
    }
    while (s.len && !ch_alnum(s.p[0]) && s.p[0] != '/') s = str_from(s, 1);
    while (s.len && !ch_alnum(s.p[s.len - 1]) && s.p[s.len - 1] != ']') s.len--;
    if (!str_starts(s, "/dev/")) return false;
    Str name = str_from(s, 5);
    if (!dev_is_disk(name)) return false;
    *device = name;
    return true;
}

static int smartctl_bid(Str path, Str command, Str head) {
    if (!str_trim(head).len) return 0;
    int evidence = 0;
    for (int n = 0; head.len && n < 60; n++) {
        Str line = head_line(&head);
        if (banner(line)) evidence += 24;
        else if (str_starts(line, "=== START OF ") && str_ends(str_trim_right(line), "SECTION ===")) evidence += 16;
        else if (attribute_header(line) || attribute_row_columns(line)) evidence += 24;
        else if (error_entry(line)) evidence += 24;
        else if (str_starts(line, "ATA Error Count:")) evidence += 12;
        else if (str_starts(line, "SMART overall-health self-assessment test result:")) evidence += 24;
        else if (str_starts(line, "SMART Health Status:")) evidence += 16;
        else if (str_starts(line, "SMART/Health Information (NVMe")) evidence += 24;
        else if (str_starts(line, "LU WWN Device Id:") || str_starts(line, "SMART support is:")) evidence += 12;
        else if (str_starts(line, "Logical Unit id:") || str_starts(line, "Elements in grown defect list:"))
            evidence += 12;
        else if (str_starts(line, "Device Statistics (GP Log") || str_starts(line, "SATA Phy Event Counters"))
            evidence += 20;
        else if (str_starts(line, "Background scan results log") || str_starts(line, "Protocol Specific port log page"))
            evidence += 16;
        else if (str_starts(line, "SMART Error Log Version:") || str_starts(line, "SMART Self-test log structure"))
            evidence += 16;
        else if (refusal(line)) evidence += 12;
        if (evidence >= 48) break;
    }
    if (!evidence) return 0;
    if (command_is(command, "smartctl") || path_has(path, "smart")) evidence += 8;
    return evidence;
}

static bool smartctl_starts(Str line) {
    return banner(line) || (str_starts(line, "=== START OF ") && str_ends(str_trim_right(line), "SECTION ===")) ||
           attribute_header(line) || attribute_row_columns(line) || error_entry(line) ||
           str_starts(line, "ATA Error Count: ") ||
           str_starts(line, "SMART overall-health self-assessment test result:") ||
           str_starts(line, "SMART Attributes Data Structure revision number:") ||
           str_starts(line, "SMART/Health Information (NVMe Log") || str_starts(line, "Device Statistics (GP Log") ||
           str_starts(line, "SATA Phy Event Counters (GP Log") || str_starts(line, "SMART Error Log Version:") ||
           str_starts(line, "SMART Self-test log structure revision") || str_starts(line, "SMART Health Status:") ||
           str_starts(line, "Background scan results log") ||
           str_starts(line, "Protocol Specific port log page for SAS") ||
           str_starts(line, "/dev/sda: Unknown USB bridge");
}

/* How the lines of smartctl that start in the first column begin; the rest is indented, numbered or ruled. */
static const char *const openings[] = {
    "=== ",
    "===",
    "Copyright (C)",
    "smartctl ",
    "ATA ",
    "AAM ",
    "APM ",
    "Accumulated ",
    "Add. Product",
    "Additional Product",
    "Address ",
    "After scanning",
    "Auto Offline",
    "Average ",
    "Available Spare",
    "Abort Offline",
    "A mandatory",
    "Background ",
    "Blocks ",
    "CHECK POWER",
    "Cmd",
    "Commands ",
    "Compliance:",
    "Controller ",
    "Conveyance ",
    "Critical ",
    "Cum",
    "Current ",
    "DSN feature",
    "DDd+hh",
    "Data Units",
    "Device",
    "Drive ",
    "ECC ",
    "Elements in",
    "Endurance",
    "Error",
    "Extended ",
    "Event Inf",
    "FARM ",
    "Firmware ",
    "Flash LED",
    "Form Factor",
    "Formatted",
    "General ",
    "Grown ",
    "Head",
    "Helium",
    "High Priority",
    "Highest ",
    "Home page",
    "Host ",
    "ID ",
    "ID#",
    "IEEE ",
    "Id Fmt",
    "If Selective",
    "Index",
    "Interrupt",
    "LBA",
    "LH ",
    "LM ",
    "LL ",
    "LU ",
    "Local Time",
    "Log Page",
    "Log Size",
    "Logical ",
    "Long ",
    "Lifetime ",
    "Lowest ",
    "Manufactured ",
    "Max",
    "Media and",
    "Min",
    "Model ",
    "NVMe",
    "NO MEDIUM",
    "No ",
    "Non-medium",
    "Note:",
    "Num ",
    "Number of",
    "Offline ",
    "Optional ",
    "PCI ",
    "Page ",
    "Pending ",
    "Percentage ",
    "Physical ",
    "Please ",
    "Power",
    "Product",
    "Protocol ",
    "Rd look",
    "Read ",
    "Recommended",
    "Register",
    "Reason ",
    "Retrying",
    "Revision:",
    "Rotation ",
    "SAS ",
    "SATA ",
    "SCSI ",
    "SCT ",
    "SMART",
    "SN ",
    "SC ",
    "FR ",
    "ST ",
    "ER ",
    "DC ",
    "DV ",
    "DH ",
    "CL ",
    "CH ",
    "CR ",
    "CTO ",
    "COUNT ",
    "FEATR ",
    "LBA_48",
    "SPAN ",
    "SS=sec",
    "St Op",
    "Scheduled",
    "Seagate ",
    "Sector ",
    "See ",
    "Selective ",
    "Self",
    "Serial ",
    "Short ",
    "Spare ",
    "Specified ",
    "Spin",
    "Standard ",
    "Status:",
    "Supported ",
    "Supports ",
    "Suspend ",
    "TRIM ",
    "Temperature",
    "The above",
    "Thermal ",
    "Time ",
    "Timestamp",
    "Total ",
    "Transport ",
    "Unallocated",
    "Uncorrectable",
    "Under/Over",
    "Unsafe ",
    "User Capacity",
    "Utilization",
    "Vendor",
    "Warning",
    "World Wide",
    "Write",
    "Writeback",
    "Wt Cache",
    "Zoned ",
    "command.",
    "without error",
    "been run.",
    "capabilities:",
    "data collection",
    "recommended polling",
    "power-saving",
    "entering power",
    "was ",
    "the read",
    "by the host",
    "fast |",
    "read:",
    "write:",
    "verify:",
    "relative target",
    "defect list",
    "[",
    "|",
    "==> ",
    "http",
    "Namespace ",
    "... (",
    "Rebuild",
    "Manufacture",
    "Nominal",
    "Unrecoverable",
    "Physical Element",
    "Maximum ",
    "Minimum ",
    "Number ",
    NULL,
};

static bool smartctl_continues(Str line) {
    if (!str_trim(line).len) return true;
    char c = line.p[0];
    if (ch_blank(c)) return true;
    if (c == '#' && line.len > 2 && (ch_digit(line.p[1]) || (line.p[1] == ' ' && ch_digit(line.p[2])))) return true;
    if (ch_digit(c)) {
        Str rest = line;
        Str first = str_word(&rest);
        uint64_t n;
        if (str_starts(first, "0x")) return true;
        rest = str_trim_left(rest);
        Str cells = rest, count = str_word(&cells), queue = str_word(&cells), command = str_word(&cells);
        /* the NVMe error log with its blanks squeezed: Num ErrCount SQId CmdId */
        if (str_u64(first, &n) && str_u64(count, &n) && str_u64(queue, &n) && str_starts(command, "0x")) return true;
        return str_u64(first, &n) && rest.len && (ch_alpha(rest.p[0]) || rest.p[0] == '+' || rest.p[0] == '-');
    }
    for (size_t i = 0; openings[i]; i++)
        if (str_starts(line, openings[i])) return true;
    return refusal(line);
}

/* ---------------------------------------------------------------- parsing */

typedef enum Table {
    TABLE_NONE,
    TABLE_ATTRIBUTES,
    TABLE_PHY,
    TABLE_DEVSTAT,
    TABLE_SCSI_ERRORS,
    TABLE_NVME_TEST,
    TABLE_HEAT,
    TABLE_ERC
} Table;

/* A setting read before it is known which drive speaks. */
typedef struct Held {
    const char *key;
    Str value;
    Spot at;
} Held;

typedef struct Smartctl {
    ParseCtx *ctx;
    Str device; /* from command, heading or path; may be empty */
    SmartDrive drive;
    VEC(Held) held;
    Str model, family, serial;
    bool started; /* something of the current drive was seen */
    bool refused;
    bool nvme, capacity;
    Table table;
    int col_value, col_worst, col_threshold, col_failed, col_raw, col_type; /* column numbers of the attribute table */
    bool have_temperature_setting;
    int64_t sas_phy;
    bool sas_link;
    SmartTests tests;
    SmartHeat heat;
    double heat_last;
    int64_t scan_unrepaired, scan_recovered; /* places that the background scan found */
    bool scan;
    Spot scan_at;
    int64_t logged[4]; /* entries of the ATA error log by kind: ICRC UNC IDNF ABRT */
    Spot logged_at[4];
    double logged_hours[4]; /* power-on hours of the newest of each */
    double entry_hours;     /* of the entry that is being read */
    Spot entry_at;
    double last_hours; /* of the newest entry; NAN: none */
    Spot last_at;
    bool abrt_open; /* the command of an ABRT entry follows */
    int64_t abrt_data;
    Spot abrt_data_at;
    double abrt_data_hours; /* of the newest of them */
    Str lbas[16];           /* different places of the UNC entries */
    size_t lba_count;
} Smartctl;

static const Smartctl smartctl_none = {.drive = {.airflow = NAN},
                                       .col_failed = -1,
                                       .col_type = -1,
                                       .sas_phy = FACT_NULL,
                                       .tests = {.failed_hours = NAN, .long_hours = NAN},
                                       .heat_last = NAN,
                                       .entry_hours = NAN,
                                       .last_hours = NAN};

static const char *const logged_names[4] = {"error_log_icrc", "error_log_unc", "error_log_idnf", "error_log_abrt"};

static Spot keep_spot(Arena *a, Spot at) {
    at.text = arena_str(a, str_sub(at.text, 0, FACTS_LINE_CLIP));
    return at;
}

/* The drive's ref, made on first need; then what was held back is written. */
static Ref drive_ref(Smartctl *s, Spot at) {
    if (s->drive.ref) return s->drive.ref;
    ParseCtx *ctx = s->ctx;
    if (s->device.len) s->drive.ref = ctx_ref(ctx, REF_DISK, s->device);
    else if (s->serial.len) s->drive.ref = ctx_ref(ctx, REF_SERIAL, s->serial);
    else
        s->drive.ref = ctx_ref(
            ctx, REF_DISK,
            arena_strf(ctx->scratch, "[drive at line %lld]",
                       (long long)facts_real_line(ctx->facts, s->held.count ? s->held.items[0].at.line : at.line)));
    s->drive.seagate = smart_is_seagate(s->family, s->model);
    for (size_t i = 0; i < s->held.count; i++)
        ctx_setting(ctx, s->drive.ref, s->held.items[i].key, s->held.items[i].value, "drive", s->held.items[i].at);
    s->held.count = 0;
    return s->drive.ref;
}

static void set(Smartctl *s, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (!value.len) return;
    s->started = true;
    if (s->drive.ref) {
        ctx_setting(s->ctx, s->drive.ref, key, value, "drive", at);
        return;
    }
    Held h = {.key = key, .value = arena_str(s->ctx->scratch, value), .at = keep_spot(s->ctx->scratch, at)};
    VEC_PUSH(s->ctx->scratch, &s->held, h);
    if (s->held.count > 256) drive_ref(s, at); /* no identity comes any more */
}

static void set_int(Smartctl *s, const char *key, int64_t value, Spot at) {
    set(s, key, arena_strf(s->ctx->scratch, "%lld", (long long)value), at);
}

static void set_real(Smartctl *s, const char *key, double value, Spot at) {
    set(s, key, arena_strf(s->ctx->scratch, "%.10g", value), at);
}

static void drive_done(Smartctl *s) {
    if (s->started || s->held.count) {
        Spot at = s->held.count ? s->held.items[0].at : (Spot){.line = 1};
        Ref ref = drive_ref(s, at);
        smart_tests_end(s->ctx, &s->tests, ref);
        smart_heat_end(s->ctx, &s->heat, ref);
        for (size_t i = 0; i < 4; i++) {
            if (!s->logged[i]) continue;
            smart_counter(s->ctx, ref, "ata", str_of(logged_names[i]), FACT_NULL, (double)s->logged[i], STR_NONE, NULL,
                          s->logged_at[i]);
            if (!isnan(s->logged_hours[i]))
                smart_counter(s->ctx, ref, "ata", arena_strf(s->ctx->scratch, "%s_hours", logged_names[i]), FACT_NULL,
                              s->logged_hours[i], STR_NONE, "hours", s->logged_at[i]);
        }
        if (s->lba_count)
            smart_counter(s->ctx, ref, "ata", STR("error_log_unc_places"), FACT_NULL, (double)s->lba_count, STR_NONE,
                          NULL, s->logged_at[1]);
        if (s->logged[3])
            smart_counter(s->ctx, ref, "ata", STR("error_log_abrt_data"), FACT_NULL, (double)s->abrt_data, STR_NONE,
                          NULL, s->abrt_data ? s->abrt_data_at : s->logged_at[3]);
        if (s->abrt_data && !isnan(s->abrt_data_hours))
            smart_counter(s->ctx, ref, "ata", STR("error_log_abrt_data_hours"), FACT_NULL, s->abrt_data_hours, STR_NONE,
                          "hours", s->abrt_data_at);
        if (!isnan(s->last_hours))
            smart_counter(s->ctx, ref, "ata", STR("error_log_last_hours"), FACT_NULL, s->last_hours, STR_NONE, "hours",
                          s->last_at);
        if (s->scan) {
            smart_counter(s->ctx, ref, "scsi", STR("background_scan_unrepaired"), FACT_NULL, (double)s->scan_unrepaired,
                          STR_NONE, NULL, s->scan_at);
            smart_counter(s->ctx, ref, "scsi", STR("background_scan_recovered"), FACT_NULL, (double)s->scan_recovered,
                          STR_NONE, NULL, s->scan_at);
        }
    }
    smart_drive_end(s->ctx, &s->drive);
    ParseCtx *ctx = s->ctx;
    *s = smartctl_none;
    s->ctx = ctx;
}

static Str yes_no(Str value) {
    if (str_istarts(value, "enabled") || str_istarts(value, "available")) return STR("yes");
    if (str_istarts(value, "disabled") || str_istarts(value, "unavailable")) return STR("no");
    return STR_NONE;
}

static Str on_off(Str value) {
    if (str_istarts(value, "enabled")) return STR("on");
    if (str_istarts(value, "disabled")) return STR("off");
    return STR_NONE;
}

static void number_counter(Smartctl *s, const char *kind, const char *name, Str value, Spot at) {
    uint64_t n;
    Str text = value;
    if (str_istarts(value, "0x")) {
        Str word = value;
        word = str_word(&word);
        if (!str_hex_u64(word, &n)) {
            parse_note(s->ctx, at, "%s: expected a number, found \"%.*s\"", name, STR_ARG(value));
            return;
        }
    } else if (!dev_grouped(value, &n)) {
        if (value.len && value.p[0] != '-' && !str_istarts(value, "not"))
            parse_note(s->ctx, at, "%s: expected a number, found \"%.*s\"", name, STR_ARG(value));
        return;
    }
    s->started = true;
    s->ctx->rows++;
    if (!strcmp(kind, "nvme")) smart_nvme_counter(s->ctx, drive_ref(s, at), name, (double)n, text, at);
    else smart_counter(s->ctx, drive_ref(s, at), kind, str_of(name), FACT_NULL, (double)n, text, NULL, at);
}

/* "SATA 3.2, 6.0 Gb/s (current: 3.0 Gb/s)"; B9.1 of the field's documents: the first speed is the drive's own maximum. */
static void sata_version(Smartctl *s, Str value, Spot at) {
    double gbps;
    size_t open = str_find(value, "(current:");
    Str most = open == SIZE_MAX ? value : str_sub(value, 0, open);
    size_t comma = str_rfind_ch(most, ',');
    if (comma != SIZE_MAX && dev_gbps(str_from(most, comma + 1), &gbps)) set_real(s, "link_max_gbps", gbps, at);
    if (open != SIZE_MAX && dev_gbps(str_from(value, open + strlen("(current:")), &gbps))
        set_real(s, "link_gbps", gbps, at);
    set(s, "transport", STR("sata"), at);
}

static void transport_protocol(Smartctl *s, Str value, Spot at) {
    if (str_istarts(value, "SAS")) set(s, "transport", STR("sas"), at);
    else if (str_istarts(value, "Fibre")) set(s, "transport", STR("fc"), at);
    else if (str_istarts(value, "Parallel SCSI")) set(s, "transport", STR("spi"), at);
    else if (str_istarts(value, "ISCSI") || str_istarts(value, "SRP")) set(s, "transport", STR("scsi"), at);
}

static void ata_security(Smartctl *s, Str value, Spot at) {
    if (str_istarts(value, "unavailable")) return;
    bool enabled = str_istarts(value, "enabled");
    bool locked = str_ifind(value, "locked") != SIZE_MAX && str_ifind(value, "not locked") == SIZE_MAX;
    bool frozen = str_ifind(value, "frozen") != SIZE_MAX && str_ifind(value, "not frozen") == SIZE_MAX;
    Str words = arena_strf(s->ctx->scratch, "%s%s%s", enabled ? "enabled " : "", locked ? "locked " : "",
                           frozen ? "frozen" : "");
    words = str_trim(words);
    set(s, "security", words.len ? words : STR("none"), at);
}

static Str power_mode(Str value) {
    if (str_istarts(value, "ACTIVE")) return STR("active");
    if (str_istarts(value, "IDLE")) return STR("idle");
    if (str_istarts(value, "STANDBY")) return STR("standby");
    if (str_istarts(value, "SLEEP")) return STR("sleep");
    return STR_NONE;
}

static void sector_sizes(Smartctl *s, Str value, Spot at) {
    /* "512 bytes logical, 4096 bytes physical" or "512 bytes logical/physical" */
    double logical, physical;
    if (!dev_leading_number(value, &logical)) return;
    size_t comma = str_find_ch(value, ',');
    if (comma == SIZE_MAX || !dev_leading_number(str_from(value, comma + 1), &physical)) physical = logical;
    set_int(s, "logical_block_bytes", i64_of(logical), at);
    set_int(s, "physical_block_bytes", i64_of(physical), at);
}

static void rotation(Smartctl *s, Str value, Spot at) {
    double rpm;
    if (str_istarts(value, "solid state")) {
        set_int(s, "rotation_rpm", 0, at);
        set_int(s, "rotational", 0, at);
    } else if (dev_leading_number(value, &rpm) && rpm > 1000) {
        set_int(s, "rotation_rpm", i64_of(rpm), at);
        set_int(s, "rotational", 1, at);
    }
}

/* "... [asc=5d, ascq=10]" of a SCSI drive as setting smart_sense 5d/10. 5d/ff is a test that somebody triggered, and 0b/xx warns
   of heat or of a background test: neither is the drive's word that it will fail. true: nothing more is to be said. */
static bool health_sense(Smartctl *s, Str value, Spot at) {
    size_t sense = str_find(value, "[asc=");
    if (sense == SIZE_MAX) return false;
    Str asc = str_from(value, sense + strlen("[asc="));
    size_t second = str_find(asc, "ascq=");
    if (second == SIZE_MAX) return false;
    Str ascq = str_from(asc, second + strlen("ascq="));
    size_t comma = str_find_ch(asc, ','), close = str_find_ch(ascq, ']');
    uint64_t a, q;
    if (comma == SIZE_MAX || close == SIZE_MAX || !str_hex_u64(str_sub(asc, 0, comma), &a) ||
        !str_hex_u64(str_sub(ascq, 0, close), &q) || a > 255 || q > 255)
        return false;
    set(s, "smart_sense", arena_strf(s->ctx->scratch, "%02x/%02x", (unsigned)a, (unsigned)q), at);
    return (a == 0x5d && q == 0xff) || a == 0x0b;
}

static void health(Smartctl *s, Str value, Spot at) {
    if (health_sense(s, value, at)) return;
    if (str_istarts(value, "PASSED") || str_istarts(value, "OK")) set(s, "smart_health", STR("PASSED"), at);
    else if (str_istarts(value, "FAIL") || str_has(value, "[asc=") || str_has(value, "THRESHOLD EXCEEDED"))
        set(s, "smart_health", STR("FAILED"), at);
    else if (!str_istarts(value, "UNKNOWN") && value.len && !str_istarts(value, "not"))
        parse_note(s->ctx, at, "health result not understood: \"%.*s\"", STR_ARG(value));
}

static void temperature(Smartctl *s, Str value, Spot at) {
    double celsius;
    if (!dev_leading_number(value, &celsius) || celsius < 1 || celsius > 130 || s->drive.have_temperature) return;
    s->drive.have_temperature = true;
    set_real(s, "temperature_celsius", celsius, at);
}

/* The second figure of "18/51 Celsius"; "--" where the drive does not know. */
static void highest(Smartctl *s, const char *key, Str value, Spot at) {
    size_t slash = str_find_ch(value, '/');
    double celsius;
    if (slash != SIZE_MAX && dev_leading_number(str_trim(str_from(value, slash + 1)), &celsius) && celsius >= 1 &&
        celsius <= 120)
        set_real(s, key, celsius, at);
}

static void wwn_setting(Smartctl *s, const char *key, Str value, Spot at) {
    Str digits = dev_wwn(s->ctx->scratch, value);
    if (digits.len) set(s, key, digits, at); /* masked and all-zero ones are no identity */
}

static void size_setting(Smartctl *s, Str value, Spot at) {
    uint64_t bytes;
    size_t end = str_find_ch(value, '[');
    Str digits = str_trim(end == SIZE_MAX ? value : str_sub(value, 0, end));
    if (str_ends(digits, "bytes")) digits = str_trim(str_sub(digits, 0, digits.len - 5));
    bool clean = true; /* a letter or sign among the digits: the line was damaged, its beginning is no capacity */
    for (size_t i = 0; i < digits.len; i++)
        if ((unsigned char)digits.p[i] < 0x80 && !ch_digit(digits.p[i]) &&
            str_find_ch(STR(",.' _"), digits.p[i]) == SIZE_MAX)
            clean = false;
    if (!clean || !dev_grouped(digits, &bytes))
        parse_note(s->ctx, at, "capacity not understood: \"%.*s\"", STR_ARG(value));
    /* 2^60 bytes: larger figures are those of a drive that did not answer (an empty DVD drive says 7757 PB). */
    else if (bytes && bytes < (uint64_t)1 << 60) set_int(s, "size_bytes", (int64_t)bytes, at), s->capacity = true;
}

/* Every line "key: value" that starts in the first column. false: not a key we know. */
static bool key_line(Smartctl *s, Str key, Str value, Spot at) {
#define IS(text) str_is(key, text)
    double number;
    if (IS("Device Model") || IS("Model Number")) {
        s->nvme = IS("Model Number");
        s->model = arena_str(s->ctx->scratch, value);
        set(s, "model", value, at);
        if (s->nvme) set(s, "transport", STR("nvme"), at), set_int(s, "rotational", 0, at);
    } else if (IS("Device")) { /* 5.x: "Device: SEAGATE  ST3300655SS      Version: HS0B" */
        size_t version = str_find(value, "Version:");
        if (version == SIZE_MAX) return false;
        Str rest = str_trim(str_sub(value, 0, version));
        Str vendor = str_word(&rest);
        set(s, "vendor", vendor, at);
        set(s, "model", str_trim(rest), at);
        set(s, "firmware", str_from(value, version + 8), at);
    } else if (IS("Model Family")) {
        s->family = arena_str(s->ctx->scratch, value);
    } else if (IS("Serial Number") || IS("Serial number")) {
        if (str_is(value, "--") || str_starts(value, "[")) return true; /* masked */
        s->serial = arena_str(s->ctx->scratch, value);
        set(s, "serial", value, at);
    } else if (IS("LU WWN Device Id") || IS("Logical Unit id")) {
        wwn_setting(s, "wwn", value, at);
    } else if (str_starts(key, "Namespace ") && str_ends(key, " IEEE EUI-64")) {
        wwn_setting(s, "eui", value, at);
    } else if (IS("Firmware Version") || IS("Revision")) {
        set(s, "firmware", value, at);
    } else if (IS("Vendor")) {
        set(s, "vendor", value, at);
    } else if (IS("Product")) {
        s->model = arena_str(s->ctx->scratch, value);
        set(s, "model", value, at);
    } else if (IS("User Capacity")) {
        size_setting(s, value, at);
    } else if (IS("Total NVM Capacity")) {
        if (value.len) size_setting(s, value, at);
    } else if (str_starts(key, "Namespace ") && str_ends(key, " Size/Capacity")) {
        if (!s->capacity) size_setting(s, value, at); /* the total stands first where the controller tells it */
    } else if (str_starts(key, "Namespace ") && str_ends(key, " Formatted LBA Size")) {
        if (dev_leading_number(value, &number)) set_int(s, "lba_format_bytes", i64_of(number), at);
    } else if (IS("Sector Sizes") || IS("Sector Size")) {
        sector_sizes(s, value, at);
    } else if (IS("Logical block size")) {
        if (dev_leading_number(value, &number) && number <= 65536)
            set_int(s, "logical_block_bytes", i64_of(number), at);
    } else if (IS("Physical block size")) {
        if (dev_leading_number(value, &number) && number <= 65536)
            set_int(s, "physical_block_bytes", i64_of(number), at);
    } else if (IS("Rotation Rate")) {
        rotation(s, value, at);
    } else if (IS("SATA Version is")) {
        sata_version(s, value, at);
    } else if (IS("ATA Version is")) {
        /* a SATA line follows on SATA drives; a PATA drive has only this one */
    } else if (IS("Transport protocol")) {
        transport_protocol(s, value, at);
    } else if (IS("SMART support is")) {
        if (str_istarts(value, "enabled") || str_istarts(value, "disabled")) set(s, "smart_enabled", yes_no(value), at);
        else set(s, "smart_supported", yes_no(value), at);
    } else if (IS("Write cache is") || IS("Writeback Cache is")) {
        set(s, "write_cache", on_off(value), at);
    } else if (IS("Rd look-ahead is")) {
        set(s, "read_lookahead", on_off(value), at);
    } else if (IS("Read Cache is")) {
        set(s, "read_cache", on_off(value), at);
    } else if (IS("TRIM Command")) {
        set(s, "trim_supported", yes_no(value), at);
    } else if (IS("Zoned Device")) {
        if (str_ifind(value, "host aware") != SIZE_MAX) set(s, "zoned", STR("host-aware"), at);
        else if (str_ifind(value, "host managed") != SIZE_MAX) set(s, "zoned", STR("host-managed"), at);
        else if (str_ifind(value, "device managed") != SIZE_MAX) set(s, "zoned", STR("drive-managed"), at);
    } else if (IS("APM level is")) {
        if (dev_leading_number(value, &number)) set_int(s, "apm_level", i64_of(number), at);
    } else if (IS("APM feature is")) {
        if (str_istarts(value, "disabled")) set_int(s, "apm_level", 255, at);
    } else if (IS("ATA Security is")) {
        ata_security(s, value, at);
    } else if (IS("Power mode is") || IS("Power mode was")) {
        set(s, "power_mode", power_mode(value), at);
    } else if (IS("SMART overall-health self-assessment test result") || IS("SMART Health Status")) {
        health(s, value, at);
    } else if (IS("Self-test execution status")) {
        size_t open = str_find_ch(value, '(');
        if (open != SIZE_MAX && dev_leading_number(str_from(value, open + 1), &number)) {
            const char *word = number >= 0 && number < 256 ? smart_self_test_word((int)number) : NULL;
            if (word) set(s, "self_test_status", str_of(word), at);
        }
    } else if (IS("Self-test status")) { /* NVMe */
        set(s, "self_test_status", str_istarts(value, "no self-test") ? STR("completed") : STR("in-progress"), at);
    } else if (str_starts(key, "Lifetime ") && str_ends(key, "Min/Max Temperature")) {
        highest(s, "temperature_lifetime_max_celsius", value, at);
    } else if (IS("Power Cycle Min/Max Temperature")) {
        highest(s, "temperature_cycle_max_celsius", value, at);
    } else if (IS("Under/Over Temperature Limit Count")) {
        size_t slash = str_find_ch(value, '/');
        uint64_t n;
        if (slash != SIZE_MAX && str_u64(str_trim(str_from(value, slash + 1)), &n))
            smart_counter(s->ctx, drive_ref(s, at), "ata", STR("over_temperature_count"), FACT_NULL, (double)n, value,
                          NULL, at);
    } else if (IS("Temperature Logging Interval")) {
        if (dev_leading_number(value, &number) && number > 0 && number < 10000) s->heat.interval_min = number;
    } else if (str_starts(key, "Temperature Sensor ") && key.len == 20) {
        number_counter(s, "nvme", arena_fmt(s->ctx->scratch, "temperature_sensor_%c", key.p[19]), value, at);
    } else if (IS("Device is")) {
        if (str_starts(value, "In smartctl database")) set(s, "smartctl_database", STR("yes"), at);
        else if (str_starts(value, "Not in smartctl database")) set(s, "smartctl_database", STR("no"), at);
    } else if (IS("Temperature") || IS("Current Temperature") || IS("Current Drive Temperature")) {
        if (IS("Temperature")) number_counter(s, "nvme", "temperature", value, at);
        temperature(s, value, at);
    } else if (IS("Specified Max Operating Temperature") || IS("Drive Trip Temperature") ||
               str_is(key, "Warning  Comp. Temp. Threshold") || IS("Warning Comp. Temp. Threshold")) {
        if (dev_leading_number(value, &number) && number > 20 && number < 130)
            set_real(s, "temperature_max_celsius", number, at);
    } else if (IS("Device Error Count") || IS("ATA Error Count")) {
        number_counter(s, "ata", "ata_error_count", value, at);
    } else if (IS("Elements in grown defect list")) {
        number_counter(s, "scsi", "grown_defect_list", value, at);
    } else if (IS("Non-medium error count")) {
        number_counter(s, "scsi", "non_medium_error_count", value, at);
    } else if (IS("Percentage used endurance indicator")) {
        number_counter(s, "scsi", "percentage_used", value, at);
    } else if (IS("Accumulated start-stop cycles")) {
        number_counter(s, "scsi", "accumulated_start_stop_cycles", value, at);
    } else if (IS("Accumulated load-unload cycles")) {
        number_counter(s, "scsi", "accumulated_load_unload_cycles", value, at);
    } else {
        static const struct {
            const char *text, *name;
        } nvme[] = {
            {"Critical Warning", "critical_warning"},
            {"Available Spare", "available_spare"},
            {"Available Spare Threshold", "available_spare_threshold"},
            {"Percentage Used", "percentage_used"},
            {"Data Units Read", "data_units_read"},
            {"Data Units Written", "data_units_written"},
            {"Host Read Commands", "host_reads"},
            {"Host Write Commands", "host_writes"},
            {"Controller Busy Time", "controller_busy_time"},
            {"Power Cycles", "power_cycles"},
            {"Power On Hours", "power_on_hours"},
            {"Unsafe Shutdowns", "unsafe_shutdowns"},
            {"Media and Data Integrity Errors", "media_errors"},
            {"Error Information Log Entries", "num_err_log_entries"},
            {"Warning  Comp. Temperature Time", "warning_temp_time"},
            {"Warning Comp. Temperature Time", "warning_temp_time"},
            {"Critical Comp. Temperature Time", "critical_comp_time"},
            {"Thermal Temp. 1 Transition Count", "thm_temp1_trans_count"},
            {"Thermal Temp. 2 Transition Count", "thm_temp2_trans_count"},
            {"Thermal Temp. 1 Total Time", "thm_temp1_total_time"},
            {"Thermal Temp. 2 Total Time", "thm_temp2_total_time"},
        };
        for (size_t i = 0; i < sizeof nvme / sizeof *nvme; i++) {
            if (!str_is(key, nvme[i].text)) continue;
            number_counter(s, "nvme", nvme[i].name, value, at);
            uint64_t hours;
            if (!strcmp(nvme[i].name, "power_on_hours") && dev_grouped(value, &hours))
                set_int(s, "power_on_hours", (int64_t)hours, at);
            return true;
        }
        return false;
    }
    s->ctx->rows++;
    return true;
#undef IS
}

static void attribute_columns(Smartctl *s, Str line) {
    Str words[16];
    size_t n = str_words(line, words, 16);
    s->col_value = s->col_worst = s->col_threshold = s->col_failed = s->col_raw = s->col_type = -1;
    for (size_t i = 0; i < n && i < 16; i++) {
        int col = (int)i;
        if (str_is(words[i], "VALUE")) s->col_value = col;
        else if (str_is(words[i], "WORST")) s->col_worst = col;
        else if (str_is(words[i], "THRESH")) s->col_threshold = col;
        else if (str_is(words[i], "WHEN_FAILED") || str_is(words[i], "FAIL")) s->col_failed = col;
        else if (str_is(words[i], "RAW_VALUE")) s->col_raw = col;
        else if (str_is(words[i], "TYPE") || str_is(words[i], "FLAGS")) s->col_type = col;
    }
    s->table = TABLE_ATTRIBUTES;
}

/* The same for rows without a header. */
static void usual_columns(Smartctl *s, int columns) {
    s->col_value = 3;
    s->col_worst = 4;
    s->col_threshold = 5;
    s->col_failed = columns == 10 ? 8 : 6;
    s->col_raw = columns == 10 ? 9 : 7;
    s->col_type = columns == 10 ? 6 : 2;
    s->table = TABLE_ATTRIBUTES;
}

static int attribute_number(const Str *words, int column) {
    uint64_t n;
    return column >= 0 && str_u64(words[column], &n) && n <= 255 ? (int)n : -1;
}

/* A row of the attribute table; false when the line is something else. */
static bool attribute_row(Smartctl *s, Str line, Spot at) {
    Str rest = line;
    Str id = str_word(&rest);
    uint64_t number;
    if (!str_u64(id, &number) || number == 0 || number > 255) return false;
    Str after_id = str_trim_left(rest);
    if (after_id.len && !ch_alpha(after_id.p[0])) return false;
    Str words[16] = {id};
    int n = 1;
    while (n < s->col_raw) {
        Str w = str_word(&rest);
        if (!w.len) break;
        words[n++] = w;
    }
    Str raw = str_trim(rest);
    if (s->col_raw < 0 || n < s->col_raw || !raw.len) {
        parse_note(s->ctx, at, "attribute %.*s: the row ends before RAW_VALUE", STR_ARG(id));
        return true;
    }
    SmartAttribute a = {.id = (int)number,
                        .name = words[1],
                        .raw = raw,
                        .when_failed = s->col_failed >= 0 ? words[s->col_failed] : STR_NONE,
                        .value = attribute_number(words, s->col_value),
                        .worst = attribute_number(words, s->col_worst),
                        .threshold = attribute_number(words, s->col_threshold),
                        .prefail = -1};
    if (s->col_type >= 0 && s->col_type < n) { /* Pre-fail or Old_age; in the flags of -x P or - */
        if (str_istarts(words[s->col_type], "P")) a.prefail = 1;
        else if (str_is(words[s->col_type], "Old_age") || words[s->col_type].len == 6) a.prefail = 0;
    }
    if (a.value < 0 && s->col_value >= 0 && !str_starts(words[s->col_value], "-")) {
        parse_note(s->ctx, at, "attribute %.*s: VALUE \"%.*s\" is no number", STR_ARG(id),
                   STR_ARG(words[s->col_value]));
        return true;
    }
    drive_ref(s, at);
    s->started = true;
    s->ctx->rows++;
    smart_attribute(s->ctx, &s->drive, &a, at);
    return true;
}

/* "0x000a  2            5  Device-to-host register FISes sent due to a COMRESET"; a '+' behind the value: the counter is full. */
static bool phy_row(Smartctl *s, Str line, Spot at) {
    Str rest = line;
    Str id = str_word(&rest), size = str_word(&rest), value = str_word(&rest);
    uint64_t event, n, bytes;
    if (!str_starts(id, "0x")) return false;
    Str plain = value;
    if (str_ends(plain, "+")) plain.len--;
    Str name = str_trim(rest);
    if (!str_hex_u64(id, &event) || !str_u64(size, &bytes) || !str_u64(plain, &n) || !name.len) {
        /* "0x8fff  14: Invalid entry" is smartctl's own complaint about the drive's log. */
        if (!str_is(value, "-") && !str_ends(line, "Invalid entry"))
            parse_note(s->ctx, at, "phy event counter not understood");
        return true;
    }
    s->ctx->rows++;
    s->started = true;
    smart_counter(s->ctx, drive_ref(s, at), "phy", name, (int64_t)event, (double)n, value, NULL, at);
    return true;
}

/* 7.x: "0x06  0x018  4               0  ---  Number of Interface CRC Errors"; 6.x: "  1  0x008  4   36  Lifetime Power-On Resets" with a
   '~' behind normalised values and the flags missing. */
static bool devstat_row(Smartctl *s, Str line, Spot at) {
    Str rest = line;
    Str page_word = str_word(&rest), offset_word = str_word(&rest), size = str_word(&rest), value = str_word(&rest);
    uint64_t page, offset, bytes, n;
    if (!str_hex_u64(page_word, &page) || page > 255) return false;
    if (str_starts(offset_word, "=")) return true; /* heading of a page */
    if (!str_hex_u64(offset_word, &offset) || !str_starts(offset_word, "0x")) return false;
    if (!str_u64(size, &bytes)) {
        parse_note(s->ctx, at, "device statistic not understood");
        return true;
    }
    s->ctx->rows++;
    if (str_is(value, "-")) return true; /* not valid at the moment */
    Str name = str_trim(rest), flags = rest;
    flags = str_word(&flags);
    bool flagged = flags.len == 3;
    for (size_t i = 0; flagged && i < 3; i++) flagged = str_find_ch(STR("-NDCV"), flags.p[i]) != SIZE_MAX;
    if (flagged) name = str_trim(str_from(str_trim_left(rest), 3));
    Str plain = value;
    if (str_ends(plain, "~")) plain.len--;
    int64_t signed_value;
    if (!name.len ||
        !(str_u64(plain, &n) ? (signed_value = (int64_t)(n & INT64_MAX), true) : str_i64(plain, &signed_value))) {
        s->ctx->rows--;
        parse_note(s->ctx, at, "device statistic not understood");
        return true;
    }
    s->started = true;
    bool scaled = (flagged && flags.p[0] == 'N') || str_ends(value, "~");
    smart_counter(s->ctx, drive_ref(s, at), "devstat", name, (int64_t)(page * 65536 + offset),
                  smart_statistic(name, (double)signed_value, scaled), value, NULL, at);
    return true;
}

/* "read:   1521076288        0         0  1521076288          0      25920.949           0" */
static bool scsi_error_row(Smartctl *s, Str line, Spot at) {
    static const char *const columns[7] = {
        "errors_corrected_by_eccfast", "errors_corrected_by_eccdelayed",   "errors_corrected_by_rereads_rewrites",
        "total_errors_corrected",      "correction_algorithm_invocations", "gigabytes_processed",
        "total_uncorrected_errors"};
    Str rest = line;
    Str key = str_word(&rest);
    if (!str_is(key, "read:") && !str_is(key, "write:") && !str_is(key, "verify:")) return false;
    key.len--;
    Str words[8];
    size_t n = str_words(rest, words, 8);
    double values[7];
    bool good = n == 7;
    for (size_t i = 0; good && i < 7; i++) good = str_double(words[i], &values[i]);
    if (!good) {
        parse_note(s->ctx, at, "error counter row \"%.*s\" has not its seven numbers", STR_ARG(key));
        return true;
    }
    s->ctx->rows++;
    s->started = true;
    for (size_t i = 0; i < 7; i++)
        smart_counter(s->ctx, drive_ref(s, at), "scsi",
                      arena_strf(s->ctx->scratch, "%.*s_%s", STR_ARG(key), columns[i]), FACT_NULL, values[i], words[i],
                      i == 5 ? "10^9 bytes" : NULL, at);
    return true;
}

/* Rows "# 1  Extended offline    Completed: read failure  90%  12345  67890" of an ATA drive, "# 1  Background long   Completed
   -   30284   - [-   -    -]" of a SCSI one. A second log of the same tests starts again with the first. */
static void self_test_row(Smartctl *s, Str line, Spot at) {
    s->ctx->rows++;
    s->started = true;
    Str rest = str_from(line, 1), number = str_word(&rest);
    if (str_is(number, "1") && s->tests.logged) s->tests = SMART_TESTS_NONE;
    bool is_long = str_ifind(rest, "extended") != SIZE_MAX || str_ifind(rest, " long ") != SIZE_MAX;
    Str words[24], lba = STR_NONE;
    size_t bracket = str_find(rest, " ["),
           n = str_words(bracket == SIZE_MAX ? rest : str_sub(rest, 0, bracket), words, 24);
    double hours = NAN;
    uint64_t h;
    if (n >= 3 && n < 24 && str_u64(words[n - 2], &h) && (bracket != SIZE_MAX || str_ends(words[n - 3], "%"))) {
        hours = (double)h;
        if (ch_digit(words[n - 1].p[0])) lba = words[n - 1];
    }
    smart_test(s->ctx, &s->tests, str_trim(rest), is_long, hours, lba, at);
}

/* " 0   Extended   Completed without error   8737   -  -  -  -": what stands behind the hours came bit by bit. */
static bool nvme_test_row(Smartctl *s, Str line, Spot at) {
    Str rest = line, number = str_word(&rest), kind = str_word(&rest);
    uint64_t n;
    if (!str_u64(number, &n) || !kind.len) return false;
    rest = str_trim(rest);
    size_t gap = str_find(rest, "  ");
    if (gap == SIZE_MAX) return false;
    Str status = str_sub(rest, 0, gap), after = str_trim(str_from(rest, gap)), hours = str_word(&after);
    double h = NAN;
    if (str_u64(hours, &n)) h = (double)n;
    s->ctx->rows++;
    s->started = true;
    Str lba = str_word(&after);
    smart_test(s->ctx, &s->tests, status, str_is(kind, "Extended"), h, lba.len && ch_digit(lba.p[0]) ? lba : STR_NONE,
               at);
    return true;
}

/* " 333    2022-12-20 08:46    29  **********", " ...    ..(  2 skipped).    ..  **********": the same value twice more. */
static bool heat_row(Smartctl *s, Str line, Spot at) {
    Str words[5];
    size_t n = str_words(line, words, 5);
    uint64_t index;
    double celsius;
    if (n >= 2 && str_starts(words[0], "...")) {
        size_t open = str_find_ch(line, '(');
        double times;
        if (open == SIZE_MAX || !dev_leading_number(str_trim(str_from(line, open + 1)), &times)) return false;
        if (!isnan(s->heat_last)) smart_heat(s->ctx, &s->heat, s->heat_last, i64_of(times), at);
    } else {
        if (n < 4 || !str_u64(words[0], &index)) return false;
        s->heat_last = dev_leading_number(words[3], &celsius) ? celsius : NAN; /* "?": not recorded */
        if (!isnan(s->heat_last)) smart_heat(s->ctx, &s->heat, s->heat_last, 1, at);
    }
    s->ctx->rows++;
    s->started = true;
    return true;
}

/* A row of the background scan of a SCSI drive; its last words say what became of the place. */
static bool scan_row(Smartctl *s, Str line, Spot at) {
    if (str_starts(str_trim(line), "Number of background scans performed:")) {
        if (!s->scan) s->scan_at = keep_spot(s->ctx->scratch, at);
        s->scan = true;
        s->ctx->rows++;
        return true;
    }
    bool open = str_has(line, "Require Write or Reassign Blocks"),
         done = str_has(line, "Recovered via rewrite in-place");
    if (!open && !done) return false;
    if (!s->scan || (open && !s->scan_unrepaired) || !(s->scan_unrepaired + s->scan_recovered))
        s->scan_at = keep_spot(s->ctx->scratch, at);
    s->scan = s->started = true;
    s->scan_unrepaired += open;
    s->scan_recovered += done;
    s->ctx->rows++;
    return true;
}

/* Registers of an entry of the ATA error log, "  40 51 08 80 41 37 e6  Error: UNC 8 sectors at LBA = 0x06374180 = 104284544". */
static void error_registers(Smartctl *s, Str text, Spot at) {
    static const char *const words[4] = {"ICRC", "UNC", "IDNF", "ABRT"};
    s->started = true;
    s->ctx->rows++;
    for (size_t i = 0; i < 4; i++) {
        if (!str_has(text, words[i])) continue;
        if (!s->logged[i]++) {
            s->logged_at[i] = keep_spot(s->ctx->scratch, at);
            s->logged_hours[i] = s->entry_hours;
        }
        if (i == 3) s->abrt_open = true;
        if (i == 1) {
            size_t eq = str_rfind_ch(text, '=');
            Str lba = eq == SIZE_MAX ? STR_NONE : str_trim(str_from(text, eq + 1));
            bool known = !lba.len || s->lba_count == sizeof s->lbas / sizeof *s->lbas;
            for (size_t k = 0; !known && k < s->lba_count; k++) known = str_eq(s->lbas[k], lba);
            if (!known) s->lbas[s->lba_count++] = arena_str(s->ctx->scratch, lba);
        }
        return; /* "ICRC, ABRT" is one CRC error; ABRT alone is a command the drive does not know */
    }
}

/* Indented lines of the SAS phy page, of the background scan and of vendor pages. */
static void indented_line(Smartctl *s, Str line, Spot at) {
    Str text = str_trim(line);
    size_t eq = str_find(text, " = ");
    uint64_t n;
    if (eq != SIZE_MAX) {
        Str key = str_trim(str_sub(text, 0, eq)), value = str_trim(str_from(text, eq + 3));
        if (str_is(key, "phy identifier")) {
            if (str_u64(value, &n)) s->sas_phy = (int64_t)n;
        } else if (str_is(key, "Invalid DWORD count") || str_is(key, "Running disparity error count") ||
                   str_is(key, "Loss of DWORD synchronization") || str_is(key, "Phy reset problem")) {
            if (!str_u64(value, &n)) {
                parse_note(s->ctx, at, "%.*s: expected a number", STR_ARG(key));
                return;
            }
            s->ctx->rows++;
            s->started = true;
            smart_counter(s->ctx, drive_ref(s, at), "phy", key, s->sas_phy, (double)n, value, NULL, at);
        } else if (str_is(key, "number of hours powered up")) {
            double hours;
            if (str_double(value, &hours) && hours >= 0 && hours < 1e7)
                set_int(s, "power_on_hours", i64_of(hours), at), s->ctx->rows++;
        }
        return;
    }
    Str rest = str_after(text, "negotiated logical link rate:");
    if (rest.p) {
        size_t semi = str_find_ch(rest, ';');
        double gbps;
        if (semi != SIZE_MAX && !s->sas_link && dev_gbps(str_from(rest, semi + 1), &gbps)) {
            s->sas_link = true;
            set_real(s, "link_gbps", gbps, at);
            s->ctx->rows++;
        }
        return;
    }
    rest = str_after(text, "Accumulated power on time, hours:minutes");
    double hours;
    if (rest.p && dev_leading_number(rest, &hours)) set_int(s, "power_on_hours", i64_of(hours), at), s->ctx->rows++;
}

/* "          Read:     70 (7.0 seconds)" or "Disabled" */
static void erc_line(Smartctl *s, Str line, Spot at) {
    Str key, value;
    double tenths;
    if (!dev_key_value(line, &key, &value)) return;
    const char *name = str_is(key, "Read") ? "erc_read_s" : str_is(key, "Write") ? "erc_write_s" : NULL;
    if (!name) return;
    s->ctx->rows++;
    if (str_istarts(value, "disabled")) set_int(s, name, 0, at);
    else if (dev_leading_number(value, &tenths)) set_real(s, name, tenths / 10, at);
    else {
        s->ctx->rows--;
        parse_note(s->ctx, at, "SCT error recovery time not understood");
    }
}

static void refuse(Smartctl *s, Str line, Spot at) {
    Str device;
    size_t dev = str_find(line, "/dev/");
    if (!s->device.len && dev != SIZE_MAX) {
        device = str_from(line, dev + 5);
        size_t end = 0;
        while (end < device.len && (ch_alnum(device.p[end]) || str_find_ch(STR("/_-"), device.p[end]) != SIZE_MAX))
            end++;
        s->device = arena_str(s->ctx->scratch, str_sub(device, 0, end));
    }
    s->refused = true;
    if (s->device.len || s->serial.len) {
        Str mode = STR_NONE;
        if (str_has(line, "STANDBY")) mode = STR("standby");
        else if (str_has(line, "SLEEP")) mode = STR("sleep");
        set(s, "smart_supported", STR("unavailable"), at);
        set(s, "power_mode", mode, at);
    }
    facts_note(s->ctx->facts, s->ctx->src, at,
               arena_strf(s->ctx->scratch, "the drive was not read: %.*s", STR_ARG(str_sub(str_trim(line), 0, 200))));
}

static void text_line(Smartctl *s, Str line, Spot at) {
    Str key, value;
    if (attribute_header(line)) {
        attribute_columns(s, line);
        return;
    }
    if (str_starts(line, "ID      Size     Value  Description")) {
        s->table = TABLE_PHY;
        return;
    }
    if (str_starts(line, "Device Statistics (")) {
        s->table = TABLE_DEVSTAT;
        return;
    }
    if (str_starts(line, "Index    Estimated Time   Temperature")) {
        s->table = TABLE_HEAT;
        return;
    }
    if (str_starts(line, "Num  Test_Description  Status")) {
        s->table = str_has(line, "Power_on_Hours") ? TABLE_NVME_TEST : TABLE_NONE;
        return;
    }
    if (str_starts(line, "SCT Error Recovery Control:")) {
        s->table = TABLE_ERC;
        set(s, "erc_supported", STR("yes"), at);
        return;
    }
    if (str_starts(line, "SCT Error Recovery Control command not supported") ||
        str_starts(line, "SCT Commands not supported")) {
        set(s, "erc_supported", STR("no"), at);
        return;
    }
    if (s->table == TABLE_NONE && attribute_row_columns(line)) usual_columns(s, attribute_row_columns(line));
    if (s->table == TABLE_ATTRIBUTES && attribute_row(s, line, at)) return;
    if (s->table == TABLE_PHY && phy_row(s, line, at)) return;
    if (s->table == TABLE_DEVSTAT && devstat_row(s, line, at)) return;
    if (s->table == TABLE_ERC && line.len && ch_blank(line.p[0])) {
        erc_line(s, line, at);
        return;
    }
    if (s->table == TABLE_HEAT && heat_row(s, line, at)) return;
    if (s->table == TABLE_NVME_TEST && nvme_test_row(s, line, at)) return;
    if (!str_trim(line).len) return;
    if (scsi_error_row(s, line, at)) return;
    if (error_entry(line)) {
        const char *words = " occurred at disk power-on lifetime:";
        Str hours = str_from(line, str_find(line, words) + strlen(words));
        uint64_t h;
        hours = str_word(&hours);
        s->entry_hours = str_u64(hours, &h) ? (double)h : NAN;
        s->abrt_open = false;
        if (isnan(s->last_hours) && !isnan(s->entry_hours)) {
            s->last_hours = s->entry_hours;
            s->last_at = keep_spot(s->ctx->scratch, at);
        }
    }
    if (line.p[0] == '#' && line.len > 2 && (ch_digit(line.p[1]) || ch_digit(line.p[2]))) {
        self_test_row(s, line, at);
        return;
    }
    if (refusal(line)) {
        refuse(s, line, at);
        return;
    }
    size_t error = str_find(line, "  Error: ");
    if (error != SIZE_MAX && ch_blank(line.p[0])) { /* registers of an entry of the ATA error log */
        error_registers(s, str_from(line, error), at);
        return;
    }
    if (s->abrt_open && ch_blank(line.p[0])) { /* the first command below is the one that was refused */
        Str rest = line, code = str_word(&rest);
        uint64_t opcode;
        if (code.len == 2 && str_hex_u64(code, &opcode)) {
            s->abrt_open = false;
            if (smart_data_command(opcode) && !s->abrt_data++) {
                s->abrt_data_at = keep_spot(s->ctx->scratch, at);
                s->abrt_data_hours = s->entry_hours;
            }
        }
        return;
    }
    if (scan_row(s, line, at)) return;
    if (ch_blank(line.p[0])) {
        indented_line(s, line, at);
        return;
    }
    if (str_starts(line, "Device does not support SMART")) {
        set(s, "smart_supported", STR("no"), at);
        s->ctx->rows++;
        return;
    }
    if (str_starts(line, "Device supports SMART and is ")) {
        set(s, "smart_supported", STR("yes"), at);
        set(s, "smart_enabled", yes_no(str_from(line, strlen("Device supports SMART and is "))), at);
        s->ctx->rows++;
        return;
    }
    Str hours = str_after(line, "Accumulated power on time, hours:minutes");
    double number;
    if (hours.p && dev_leading_number(hours, &number)) {
        set_int(s, "power_on_hours", i64_of(number), at);
        s->ctx->rows++;
        return;
    }
    if (dev_key_value(line, &key, &value)) key_line(s, key, value, at);
    /* The column header of the device statistics stands between their heading and the first row. */
    if (!ch_digit(line.p[0]) && line.p[0] != '|' && !str_starts(line, "Page ")) s->table = TABLE_NONE;
}

static ParseResult smartctl_parse(ParseCtx *ctx, Input *in) {
    Smartctl s = smartctl_none;
    s.ctx = ctx;
    Str given = dev_in_command(ctx->scratch, ctx->command);
    if (!given.len) given = dev_in_path(ctx->path);
    s.device = given;
    Str line, next_device = STR_NONE;
    bool after_banner = false, any = false, refused = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str device;
        bool ahead = banner(line);
        if (!ahead && line.len && !ch_blank(line.p[0]) && heading(ctx->scratch, line, &device)) {
            next_device = arena_str(ctx->scratch, device);
            ahead = s.started || s.refused;
            if (!ahead) s.device = next_device, next_device = STR_NONE;
        }
        if (ahead && (s.started || s.refused || s.held.count)) {
            /* The given name is that of the first drive only. */
            any = any || s.started;
            refused = refused || s.refused;
            drive_done(&s);
            s.device = next_device;
            next_device = STR_NONE;
        } else if (ahead && next_device.len) {
            s.device = next_device;
            next_device = STR_NONE;
        }
        if (banner(line)) {
            after_banner = true;
            continue;
        }
        text_line(&s, line, at);
    }
    refused = refused || s.refused;
    drive_done(&s);
    if (!ctx->rows && !ctx->bad_rows) return after_banner || refused ? PARSE_NOTHING : PARSE_REJECTED;
    return parse_result(ctx);
}

const Parser parser_smartctl = {
    .name = "smartctl",
    .bid = smartctl_bid,
    .starts = smartctl_starts,
    .continues = smartctl_continues,
    .parse = smartctl_parse,
    .ask = "smartctl -x /dev/sdX",
};
