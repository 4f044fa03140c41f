/*
 * nvme_cli.c - NVMe drives as nvme-cli shows them
 *
 * Reads   nvme smart-log, id-ctrl, id-ns, get-feature -f 6, list, error-log, intel smart-log-add; text (also -H) and JSON
 * Gives   setting (identity, vwc_present, nvme_write_cache_feature, write_cache, LBA format, limits; view drive), counter (kind nvme)
 * Sample  nvme-cli 2.4, smart-log
 *   | Smart Log for NVME device:nvme0n1 namespace-id:ffffffff
 *   | critical_warning                    : 0
 *   | temperature                         : 36 C
 *   | percentage_used                     : 3%
 * Sample  get-feature -f 6 -H
 *   | get-feature:0x06 (Volatile Write Cache), Current value:0x00000001
 *   |         Volatile Write Cache Enable (WCE): Enabled
 * Varies  the JSON has other names (avail_spare, percent_used) and the temperature in Kelvin; thousands are separated or not; the
 *         feature's value is 0x1, 00000001 or 0x000001; id-ctrl, get-feature and all JSON but list do not name the device
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "smart_fact.h"

#include <math.h>

/* Names of the health log: specification, nvme-cli text, nvme-cli JSON. */
static const struct {
    const char *name, *text, *json;
} health[] = {
    {"critical_warning", "critical_warning", "critical_warning"},
    {"temperature", "temperature", "temperature"},
    {"available_spare", "available_spare", "avail_spare"},
    {"available_spare_threshold", "available_spare_threshold", "spare_thresh"},
    {"percentage_used", "percentage_used", "percent_used"},
    {"data_units_read", "data_units_read", "data_units_read"},
    {"data_units_written", "data_units_written", "data_units_written"},
    {"host_reads", "host_read_commands", "host_read_commands"},
    {"host_writes", "host_write_commands", "host_write_commands"},
    {"controller_busy_time", "controller_busy_time", "controller_busy_time"},
    {"power_cycles", "power_cycles", "power_cycles"},
    {"power_on_hours", "power_on_hours", "power_on_hours"},
    {"unsafe_shutdowns", "unsafe_shutdowns", "unsafe_shutdowns"},
    {"media_errors", "media_errors", "media_errors"},
    {"num_err_log_entries", "num_err_log_entries", "num_err_log_entries"},
    {"warning_temp_time", "warning temperature time", "warning_temp_time"},
    {"critical_comp_time", "critical composite temperature time", "critical_comp_time"},
    {"thm_temp1_trans_count", "thermal management t1 trans count", "thm_temp1_trans_count"},
    {"thm_temp2_trans_count", "thermal management t2 trans count", "thm_temp2_trans_count"},
    {"thm_temp1_total_time", "thermal management t1 total time", "thm_temp1_total_time"},
    {"thm_temp2_total_time", "thermal management t2 total time", "thm_temp2_total_time"},
};
enum { HEALTH_COUNT = sizeof health / sizeof *health };

static bool list_header(Str line) {
    return str_starts(line, "Node ") && str_has(line, " SN ") && str_has(line, " Model");
}

static Str title_device(Str line) {
    static const char *const titles[] = {
        "Smart Log for NVME device:", "Error Log Entries for device:", "Additional Smart Log for NVME device:", NULL};
    for (size_t i = 0; titles[i]; i++) {
        Str rest = str_after(line, titles[i]);
        if (!rest.p) continue;
        return str_strip_dev(str_word(&rest));
    }
    return STR_NONE;
}

static bool title(Str line) {
    return title_device(line).len > 0 || str_starts(line, "NVME Identify Controller") ||
           str_starts(line, "NVME Identify Namespace") ||
           (str_starts(line, "get-feature:0x") && str_has(line, "urrent value:")) || list_header(line);
}

/* "vwc     : 0x7", "sn        : S3EV": the short lower-case keys of id-ctrl and id-ns */
static bool identify_key(Str key) {
    static const char *const keys[] = {"vid",    "ssvid",  "sn",     "mn",    "fr",      "rab",     "ieee",   "cmic",
                                       "mdts",   "cntlid", "ver",    "rtd3r", "oaes",    "ctratt",  "oacs",   "acl",
                                       "aerl",   "frmw",   "lpa",    "elpe",  "npss",    "avscc",   "apsta",  "wctemp",
                                       "cctemp", "mtfa",   "hmpre",  "hmmin", "tnvmcap", "unvmcap", "rpmbs",  "sanicap",
                                       "sqes",   "cqes",   "maxcmd", "nn",    "oncs",    "fuses",   "fna",    "vwc",
                                       "awun",   "awupf",  "subnqn", "nsze",  "ncap",    "nuse",    "nsfeat", "nlbaf",
                                       "flbas",  "mc",     "dpc",    "dps",   "nmic",    "nguid",   "eui64",  NULL};
    for (size_t i = 0; keys[i]; i++)
        if (str_is(key, keys[i])) return true;
    return false;
}

static int nvme_bid(Str path, Str command, Str head) {
    bool named = command_is(command, "nvme") || path_has(path, "nvme");
    int evidence = 0;
    if (json_looks(head)) {
        if (str_has(head, "\"smartctl\"")) return 0;
        if (str_has(head, "\"critical_warning\"") &&
            (str_has(head, "\"avail_spare\"") || str_has(head, "\"percent_used\"")))
            evidence = 32;
        else if (str_has(head, "\"mn\"") && str_has(head, "\"sn\"") && str_has(head, "\"fr\"")) evidence = 28;
        else if (str_has(head, "\"nsze\"") && str_has(head, "\"flbas\"")) evidence = 28;
        else if (str_has(head, "\"Devices\"") && (str_has(head, "\"DevicePath\"") || str_has(head, "\"Subsystems\"") ||
                                                  str_has(head, "\"ModelNumber\"")))
            evidence = 28;
        else if (str_has(head, "\"status_field\"") && str_has(head, "\"error_count\"")) evidence = 24;
        else if (str_has(head, "Volatile Write Cache")) evidence = 20;
        return evidence ? evidence + (named ? 8 : 0) : 0;
    }
    int keys = 0;
    for (int n = 0; head.len && n < 40; n++) {
        Str line = head_line(&head), key, value;
        if (title(line)) evidence += 24;
        else if (dev_key_value(line, &key, &value)) {
            Str bare = key;
            while (bare.len && (bare.p[0] == '+' || bare.p[0] == '-')) bare = str_from(bare, 1);
            if (identify_key(bare) && key.p == line.p) keys++;
            for (size_t i = 0; i < 15; i++)
                if (str_is(bare, health[i].text) && str_find_ch(bare, '_') != SIZE_MAX) keys++;
        }
        /* What comes first decides, unless path or command say that it is nvme's. */
        if (!named && !evidence && !keys && str_trim(line).len) return 0;
    }
    if (keys >= 4) evidence += 20;
    return evidence ? evidence + (named ? 8 : 0) : 0;
}

static bool nvme_starts(Str line) {
    return title(line);
}

static bool nvme_continues(Str line) {
    Str key, value, s = str_trim(line);
    if (!s.len || title(line) || ch_blank(line.p[0])) return true;
    if (str_starts(line, "----") || str_starts(line, "....") || str_starts(line, "/dev/nvme") ||
        str_starts(line, "/dev/ng") || str_starts(line, "0x"))
        return true;
    if (str_starts(line, "ps ") || str_starts(line, "lbaf") || str_starts(line, " Entry[") || str_starts(line, "ID ") ||
        str_starts(line, "Rev"))
        return true;
    if (!dev_key_value(line, &key, &value)) return str_starts(line, "NVMe status:");
    while (key.len && (key.p[0] == '+' || key.p[0] == '-')) key = str_from(key, 1);
    if (identify_key(key)) return true;
    if (str_istarts(key, "Temperature Sensor") || str_istarts(key, "Thermal Management") ||
        str_istarts(key, "endurance group"))
        return true;
    for (size_t i = 0; i < HEALTH_COUNT; i++)
        if (str_ieq(key, str_of(health[i].text))) return true;
    /* further keys of identify and error entries: short, lower case, padded to a column */
    for (size_t i = 0; i < key.len; i++)
        if (!(key.p[i] >= 'a' && key.p[i] <= 'z') && !ch_digit(key.p[i]) && key.p[i] != '_' && key.p[i] != ' ')
            return false;
    return key.len <= 20;
}

/* ---------------------------------------------------------------- facts */

typedef enum Table {
    TABLE_NONE,
    TABLE_SMART,
    TABLE_IDENTIFY,
    TABLE_NAMESPACE,
    TABLE_LIST,
    TABLE_INTEL,
    TABLE_ERRORS,
    TABLE_FEATURE
} Table;

typedef struct Nvme {
    ParseCtx *ctx;
    Str given;
    Ref ref;
    Table table;
    bool from_serial;
    int64_t feature; /* the feature whose lines follow; -1 */
    bool feature_set;
    size_t ruler[16][2], ruler_count;
    Str list_heads[16];
    Str wrapped; /* a row of the list that a mail program cut */
    Spot wrapped_at;
    double nsze;
    Spot nsze_at;
    double lba_bytes;
} Nvme;

static Ref drive(Nvme *n, Spot at) {
    if (!n->ref)
        n->ref =
            ctx_ref(n->ctx, REF_DISK,
                    n->given.len ? n->given : arena_strf(n->ctx->scratch, "[drive at line %lld]", (long long)at.line));
    return n->ref;
}

static void set(Nvme *n, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (value.len) ctx_setting(n->ctx, drive(n, at), key, value, "drive", at);
}

static void set_real(Nvme *n, const char *key, double value, Spot at) {
    ctx_setting_real(n->ctx, drive(n, at), key, value, "drive", at);
}

static void set_int(Nvme *n, const char *key, int64_t value, Spot at) {
    ctx_setting_int(n->ctx, drive(n, at), key, value, "drive", at);
}

static void health_value(Nvme *n, const char *name, double value, Str raw, Spot at) {
    smart_nvme_counter(n->ctx, drive(n, at), name, value, raw, at);
    if (!strcmp(name, "power_on_hours")) set_int(n, "power_on_hours", i64_of(value), at);
    if (!strcmp(name, "temperature") && value > 0 && value < 150) set_real(n, "temperature_celsius", value, at);
}

/* One key of id-ctrl, id-ns; the same names in text and JSON. */
static void identify(Nvme *n, Str key, Str value, Spot at) {
    double number = NAN;
    uint64_t hex;
    Str word = value;
    word = str_word(&word);
    if (str_istarts(word, "0x") ? str_hex_u64(word, &hex) : str_u64(word, &hex)) number = (double)hex;
    if (str_is(key, "sn")) {
        if (!n->ref && !n->given.len && str_trim(value).len) n->ref = ctx_ref(n->ctx, REF_SERIAL, str_trim(value));
        set(n, "serial", value, at);
        set(n, "transport", STR("nvme"), at);
    } else if (str_is(key, "mn")) set(n, "model", value, at);
    else if (str_is(key, "fr")) set(n, "firmware", value, at);
    else if (str_is(key, "vwc")) {
        if (isnan(number)) parse_note(n->ctx, at, "vwc: expected a number, found \"%.*s\"", STR_ARG(value));
        else set_int(n, "vwc_present", i64_of(number) & 1, at);
    } else if (str_is(key, "wctemp")) {
        if (number > 273 && number < 473) set_real(n, "temperature_max_celsius", number - 273, at);
    } else if (str_is(key, "tnvmcap")) {
        if (number > 0) set_int(n, "size_bytes", i64_of(number), at);
    } else if (str_is(key, "eui64") || str_is(key, "nguid")) {
        Str digits = dev_wwn(n->ctx->scratch, value);
        if (digits.len) set(n, digits.len == 32 ? "nguid" : "eui", digits, at);
    } else if (str_is(key, "nsze") && number > 0) {
        n->nsze = number;
        n->nsze_at = at;
        n->nsze_at.text = arena_str(n->ctx->scratch, at.text);
        n->nsze_at.path = at.path.len ? arena_str(n->ctx->scratch, at.path) : at.path;
    }
}

static void namespace_done(Nvme *n) {
    if (n->nsze > 0 && n->lba_bytes > 0 && n->nsze * n->lba_bytes < 1e18)
        set_int(n, "size_bytes", i64_of(n->nsze * n->lba_bytes), n->nsze_at);
    n->nsze = n->lba_bytes = 0;
}

/* "lbaf  0 : ms:0   lbads:9  rp:0x2 (in use)" */
static void lba_format(Nvme *n, Str line, Spot at) {
    size_t ds = str_find(line, "lbads:");
    double power;
    if (ds == SIZE_MAX || !str_has(line, "(in use)") || !dev_leading_number(str_from(line, ds + 6), &power) ||
        power < 9 || power > 16)
        return;
    n->lba_bytes = exp2(power);
    set_int(n, "lba_format_bytes", i64_of(n->lba_bytes), at);
}

static void write_cache_feature(Nvme *n, bool on, Spot at) {
    if (n->feature_set) return; /* -H says it twice */
    n->feature_set = true;
    set(n, "nvme_write_cache_feature", on ? STR("on") : STR("off"), at);
    set(n, "write_cache", on ? STR("on") : STR("off"), at);
}

/* "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001" */
static void feature_line(Nvme *n, Str line, Spot at) {
    Str rest = str_from(line, strlen("get-feature:"));
    size_t end = 0;
    while (end < rest.len && (ch_hex(rest.p[end]) || rest.p[end] == 'x')) end++;
    uint64_t id, value;
    size_t current = str_ifind(rest, "current value:");
    if (!str_hex_u64(str_sub(rest, 0, end), &id) || current == SIZE_MAX) {
        parse_note(n->ctx, at, "feature not understood");
        return;
    }
    n->feature = (int64_t)id;
    n->feature_set = false;
    n->ctx->rows++;
    if (id != 6) return;
    Str text = str_trim(str_from(rest, current + strlen("current value:")));
    Str word = str_word(&text);
    if (str_ends(word, ",")) word.len--;
    if (!str_hex_u64(word, &value))
        parse_note(n->ctx, at, "value of feature 6 not understood: \"%.*s\"", STR_ARG(word));
    else write_cache_feature(n, value & 1, at);
}

/* The column Usage is rounded ("1.00 TB"): no capacity to hold against an exact one, so it is left alone. */
static void list_cell(Nvme *n, Str head, Str cell, Ref node, Spot at) {
    cell = str_trim(cell);
    if (!cell.len) return;
    ParseCtx *ctx = n->ctx;
    double number;
    if (str_is(head, "SN")) ctx_setting(ctx, node, "serial", cell, "drive", at);
    else if (str_is(head, "Model")) ctx_setting(ctx, node, "model", cell, "drive", at);
    else if (str_starts(head, "FW")) ctx_setting(ctx, node, "firmware", cell, "drive", at);
    else if (str_is(head, "Format")) {
        if (dev_leading_number(cell, &number) && number > 0)
            ctx_setting_int(ctx, node, "lba_format_bytes", i64_of(str_has(cell, "KiB") ? number * 1024 : number),
                            "drive", at);
    }
}

/* Columns of a row that does not follow the ruler: cells are separated by two blanks and more. */
static void list_row_loose(Nvme *n, Str row, Spot at) {
    Str cells[24];
    size_t count = 0;
    Str rest = row;
    while (rest.len && count < 24) {
        size_t end = 0;
        while (end < rest.len && !(rest.p[end] == ' ' && (end + 1 == rest.len || rest.p[end + 1] == ' '))) end++;
        Str cell = str_trim(str_sub(rest, 0, end));
        if (cell.len) cells[count++] = cell;
        rest = str_trim_left(str_from(rest, end));
    }
    Str name = count ? str_strip_dev(cells[0]) : STR_NONE;
    if (count < 6 || !dev_is_disk(name)) {
        parse_note(n->ctx, at, "row of the list not understood");
        return;
    }
    n->ctx->rows++;
    Ref node = ctx_ref(n->ctx, REF_DISK, name);
    ctx_setting(n->ctx, node, "transport", STR("nvme"), "drive", at);
    size_t serial = str_starts(cells[1], "/dev/ng") ? 2 : 1;
    list_cell(n, STR("SN"), cells[serial], node, at);
    list_cell(n, STR("Model"), cells[serial + 1], node, at);
    list_cell(n, STR("FW"), cells[count - 1], node, at);
    /* "512   B +  0 B": the data bytes of a block stand before the plus, its unit with them or alone */
    for (size_t i = serial + 2; i + 1 < count; i++)
        if (str_ends(cells[i], "B +"))
            list_cell(n, STR("Format"),
                      cells[i].len > 4
                          ? cells[i]
                          : arena_strf(n->ctx->scratch, "%.*s %.*s", STR_ARG(cells[i - 1]), STR_ARG(cells[i])),
                      node, at);
}

static void list_row(Nvme *n, Str line, Spot at) {
    if (n->ruler_count < 5) {
        if (n->wrapped.len && ch_blank(line.p[0])) {
            list_row_loose(n, arena_strf(n->ctx->scratch, "%.*s  %.*s", STR_ARG(n->wrapped), STR_ARG(str_trim(line))),
                           n->wrapped_at);
            n->wrapped = STR_NONE;
        } else {
            if (n->wrapped.len) list_row_loose(n, n->wrapped, n->wrapped_at);
            n->wrapped = arena_str(n->ctx->scratch, str_trim_right(line));
            n->wrapped_at = at;
            n->wrapped_at.text = n->wrapped;
        }
        return;
    }
    Str name = str_strip_dev(str_trim(str_sub(line, n->ruler[0][0], n->ruler[0][1])));
    if (!dev_is_disk(name) || line.len < n->ruler[2][0]) {
        parse_note(n->ctx, at, "row of the list not understood");
        return;
    }
    n->ctx->rows++;
    Ref node = ctx_ref(n->ctx, REF_DISK, name);
    ctx_setting(n->ctx, node, "transport", STR("nvme"), "drive", at);
    for (size_t i = 1; i < n->ruler_count; i++)
        list_cell(n, n->list_heads[i], str_sub(line, n->ruler[i][0], n->ruler[i][1]), node, at);
}

/* "---- ----": where the columns are; the heading above names them. */
static void list_ruler(Nvme *n, Str line, Str head) {
    size_t i = 0;
    n->ruler_count = 0;
    while (i < line.len && n->ruler_count < 16) {
        while (i < line.len && line.p[i] == ' ') i++;
        size_t from = i;
        while (i < line.len && line.p[i] == '-') i++;
        if (i == from) break;
        n->ruler[n->ruler_count][0] = from;
        n->ruler[n->ruler_count][1] = i - from;
        n->list_heads[n->ruler_count] = str_trim(str_sub(head, from, i - from));
        n->ruler_count++;
    }
}

static void text_line(Nvme *n, Str line, Spot at) {
    Str key, value, s = str_trim(line);
    if (n->table == TABLE_LIST) {
        if (str_starts(s, "/dev/")) list_row(n, line, at);
        else if (n->wrapped.len && ch_blank(line.p[0])) list_row(n, line, at);
        return;
    }
    if (n->feature >= 0 && str_starts(s, "Volatile Write Cache Enable (WCE)")) {
        write_cache_feature(n, str_has(s, "Enabled"), at);
        n->ctx->rows++;
        return;
    }
    if (n->table == TABLE_INTEL && str_starts(s, "0x")) {
        Str w[8];
        size_t count = str_words(s, w, 8);
        double number;
        uint64_t normalized;
        if (count < 4 || !str_u64(w[2], &normalized) || !dev_leading_number(w[3], &number)) {
            parse_note(n->ctx, at, "row of the additional log not understood");
            return;
        }
        n->ctx->rows++;
        smart_counter(n->ctx, drive(n, at), "nvme", w[1], FACT_NULL, number, str_from(s, (size_t)(w[3].p - s.p)), NULL,
                      at);
        return;
    }
    if (str_starts(s, "lbaf")) {
        lba_format(n, s, at);
        n->ctx->rows++;
        return;
    }
    if (str_starts(s, "NVMe status:") || str_starts(s, "NVMe Status:") || str_has(s, "Permission denied") ||
        str_has(s, "No such file") || str_has(s, "No such device")) {
        facts_note(n->ctx->facts, n->ctx->src, at, str_sub(s, 0, 300));
        return;
    }
    if (!dev_key_value(line, &key, &value)) return;
    while (key.len && (key.p[0] == '+' || key.p[0] == '-' || key.p[0] == '>')) key = str_trim(str_from(key, 1));
    if (str_starts(key, "Temperature Sensor ") && key.len == 20) {
        double celsius;
        if (dev_leading_number(value, &celsius)) {
            if (str_has(value, "F") && !str_has(value, "C")) celsius = round((celsius - 32) * 5 / 9);
            smart_counter(n->ctx, drive(n, at), "nvme", arena_strf(n->ctx->scratch, "temperature_sensor_%c", key.p[19]),
                          FACT_NULL, celsius, value, "celsius", at);
        }
        n->ctx->rows++;
        return;
    }
    for (size_t i = 0; i < HEALTH_COUNT; i++) {
        if (!str_ieq(key, str_of(health[i].text)) && !str_ieq(key, str_of(health[i].name))) continue;
        uint64_t number;
        Str word = value;
        word = str_word(&word);
        if (str_istarts(word, "0x") ? !str_hex_u64(word, &number) : !dev_grouped(value, &number)) {
            parse_note(n->ctx, at, "%s: expected a number, found \"%.*s\"", health[i].name, STR_ARG(value));
            return;
        }
        double figure = (double)number;
        if (i == 1 && str_has(value, "F") && !str_has(value, "C")) figure = round((figure - 32) * 5 / 9);
        n->ctx->rows++;
        health_value(n, health[i].name, figure, value, at);
        return;
    }
    if (n->table == TABLE_IDENTIFY || n->table == TABLE_NAMESPACE || identify_key(key)) {
        if (!ch_blank(line.p[0])) {
            n->ctx->rows++;
            identify(n, key, value, at);
        }
        return;
    }
    n->ctx->rows++; /* entries of the error log */
}

static ParseResult parse_text(Nvme *n, Input *in) {
    Str line, head = STR_NONE;
    bool any = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        Str device = title_device(line);
        if (title(line)) {
            any = true;
            namespace_done(n);
            bool list = list_header(line);
            if (device.len) n->ref = ctx_ref(n->ctx, REF_DISK, device);
            n->feature = -1;
            n->table = list                                  ? TABLE_LIST
                       : str_starts(line, "Smart")           ? TABLE_SMART
                       : str_starts(line, "Additional")      ? TABLE_INTEL
                       : str_starts(line, "Error")           ? TABLE_ERRORS
                       : str_starts(line, "NVME Identify C") ? TABLE_IDENTIFY
                       : str_starts(line, "NVME Identify N") ? TABLE_NAMESPACE
                                                             : TABLE_FEATURE;
            if (list) {
                head = arena_str(n->ctx->scratch, line);
                n->ruler_count = 0;
            }
            if (n->table == TABLE_FEATURE) feature_line(n, line, at);
            continue;
        }
        if (n->table == TABLE_LIST && str_starts(str_trim_left(line), "----")) {
            if (str_starts(line, "----")) list_ruler(n, line, head);
            if (n->ruler_count < 5) n->ruler_count = 0;
            continue;
        }
        text_line(n, line, at);
    }
    if (n->wrapped.len) list_row_loose(n, n->wrapped, n->wrapped_at);
    namespace_done(n);
    if (!n->ctx->rows && !n->ctx->bad_rows) return any ? PARSE_NOTHING : PARSE_REJECTED;
    return parse_result(n->ctx);
}

/* ---------------------------------------------------------------- JSON */

static void json_health(Nvme *n, const cJSON *log) {
    for (size_t i = 0; i < HEALTH_COUNT; i++) {
        const cJSON *v = json_get(log, health[i].json);
        double number;
        if (!v) continue;
        if (cJSON_IsObject(v)) v = json_get(v, "value"); /* 2.11: critical_warning with its bits */
        Spot at = spot_path(json_path(n->ctx->scratch, STR_NONE, health[i].json), json_show(n->ctx->scratch, v));
        if (!json_number(v, &number)) {
            parse_note(n->ctx, at, "%s: expected a number", health[i].json);
            continue;
        }
        if (i == 1 && number > 200) number -= 273; /* Kelvin, as the log holds it */
        n->ctx->rows++;
        health_value(n, health[i].name, number, at.text, at);
    }
}

static void json_identify(Nvme *n, const cJSON *root) {
    static const char *const keys[] = {"sn", "mn", "fr", "vwc", "wctemp", "tnvmcap", "eui64", "nguid", "nsze"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const cJSON *v = json_get(root, keys[i]);
        if (!v || cJSON_IsNull(v)) continue;
        Str text = json_show(n->ctx->scratch, v);
        n->ctx->rows++;
        identify(n, str_of(keys[i]), text, spot_path(json_path(n->ctx->scratch, STR_NONE, keys[i]), text));
    }
    double flbas, power;
    if (json_number(json_get(root, "flbas"), &flbas) && flbas >= 0) {
        int64_t format = i64_of(flbas);
        int index = (int)(format & 15) | (int)(format >> 5 & 3) << 4;
        char *path = arena_fmt(n->ctx->scratch, "/lbafs/%d/ds", index);
        if (json_number(json_at(root, path), &power) && power >= 9 && power <= 16) {
            n->lba_bytes = exp2(power);
            set_int(n, "lba_format_bytes", i64_of(n->lba_bytes),
                    spot_path(str_of(path), json_show(n->ctx->scratch, json_at(root, path))));
        }
    }
    namespace_done(n);
}

static void json_text_setting(Nvme *n, Ref node, const cJSON *object, Str base, const char *member, const char *key) {
    Str text = str_trim(json_text(json_get(object, member)));
    if (text.len)
        ctx_setting(n->ctx, node, key, text, "drive", spot_path(json_path(n->ctx->scratch, base, member), text));
}

static void json_namespace(Nvme *n, Ref node, const cJSON *ns, Str base) {
    double size, sector;
    const cJSON *v = json_get(ns, "PhysicalSize");
    if (json_number(v, &size) && size > 0) /* negative: an int that overflowed in old versions */
        ctx_setting_int(n->ctx, node, "size_bytes", i64_of(size), "drive",
                        spot_path(json_path(n->ctx->scratch, base, "PhysicalSize"), json_show(n->ctx->scratch, v)));
    v = json_get(ns, "SectorSize");
    if (json_number(v, &sector) && sector >= 512)
        ctx_setting_int(n->ctx, node, "lba_format_bytes", i64_of(sector), "drive",
                        spot_path(json_path(n->ctx->scratch, base, "SectorSize"), json_show(n->ctx->scratch, v)));
}

static void json_list(Nvme *n, const cJSON *devices) {
    ParseCtx *ctx = n->ctx;
    const cJSON *device, *subsystem, *controller, *ns;
    size_t d = 0;
    cJSON_ArrayForEach(device, devices) {
        Str base = json_path_index(ctx->scratch, STR("/Devices"), d++);
        Str path = json_text(json_get(device, "DevicePath"));
        if (path.len) { /* one entry per namespace */
            Ref node = ctx_ref(ctx, REF_DISK, path);
            ctx->rows++;
            ctx_setting(ctx, node, "transport", STR("nvme"), "drive", spot_path(base, path));
            json_text_setting(n, node, device, base, "SerialNumber", "serial");
            json_text_setting(n, node, device, base, "ModelNumber", "model");
            json_text_setting(n, node, device, base, "Firmware", "firmware");
            json_namespace(n, node, device, base);
            continue;
        }
        size_t s = 0;
        cJSON_ArrayForEach(subsystem, json_get(device, "Subsystems")) {
            Str sub = json_path_index(ctx->scratch, json_path(ctx->scratch, base, "Subsystems"), s++);
            size_t c = 0;
            cJSON_ArrayForEach(controller, json_get(subsystem, "Controllers")) {
                Str at = json_path_index(ctx->scratch, json_path(ctx->scratch, sub, "Controllers"), c++);
                Str name = json_text(json_get(controller, "Controller"));
                if (!name.len) continue;
                Ref node = ctx_ref(ctx, REF_DISK, name);
                ctx->rows++;
                json_text_setting(n, node, controller, at, "SerialNumber", "serial");
                json_text_setting(n, node, controller, at, "ModelNumber", "model");
                json_text_setting(n, node, controller, at, "Firmware", "firmware");
                Str address = json_text(json_get(controller, "Address"));
                if (str_is(json_text(json_get(controller, "Transport")), "pcie")) {
                    ctx_setting(ctx, node, "transport", STR("nvme"), "drive", spot_path(at, name));
                    if (str_find_ch(address, ':') != SIZE_MAX)
                        ctx_setting(ctx, node, "pci", address, "kernel",
                                    spot_path(json_path(ctx->scratch, at, "Address"), address));
                }
                size_t k = 0;
                cJSON_ArrayForEach(ns, json_get(controller, "Namespaces")) {
                    Str ns_at = json_path_index(ctx->scratch, json_path(ctx->scratch, at, "Namespaces"), k++);
                    Str ns_name = json_text(json_get(ns, "NameSpace"));
                    if (!ns_name.len) continue;
                    Ref child = ctx_ref(ctx, REF_DISK, ns_name);
                    facts_same(ctx->facts, ctx->src, node, child, "nvme list", spot_path(ns_at, ns_name));
                    json_namespace(n, child, ns, ns_at);
                }
            }
        }
        if (!json_get(device, "Subsystems")) parse_note(ctx, spot_path(base, STR_NONE), "a device without a path");
    }
}

static ParseResult parse_json(Nvme *n, Input *in) {
    ParseCtx *ctx = n->ctx;
    Str text;
    bool any = false;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, (Spot){.line = 1}, "too much JSON: the end was not read");
    while (text.len) {
        Str one = json_next(&text);
        if (!one.len) break;
        Error err = {""};
        const cJSON *root = json_read(ctx->scratch, one, &err), *v;
        if (!root) {
            parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
            continue;
        }
        if (json_get(root, "smartctl")) continue;
        any = true;
        if (cJSON_IsArray(json_get(root, "Devices"))) json_list(n, json_get(root, "Devices"));
        else if (json_get(root, "critical_warning")) json_health(n, root);
        else if (json_get(root, "sn") || json_get(root, "nsze")) json_identify(n, root);
        else if (cJSON_IsArray(json_get(root, "errors"))) {
            cJSON_ArrayForEach(v, json_get(root, "errors")) ctx->rows++;
        } else if ((v = json_get(root, "Volatile Write Cache Enable (WCE)")) != NULL) {
            ctx->rows++;
            Str word = json_show(ctx->scratch, v);
            write_cache_feature(n, str_is(word, "Enabled") || str_is(word, "true") || str_is(word, "1"),
                                spot_path(STR("/Volatile Write Cache Enable (WCE)"), word));
        } else {
            ctx->rows++; /* another log */
        }
    }
    return any || ctx->bad_rows ? parse_result(ctx) : PARSE_REJECTED;
}

static ParseResult nvme_parse(ParseCtx *ctx, Input *in) {
    Nvme n = {.ctx = ctx, .feature = -1};
    n.given = dev_in_command(ctx->scratch, ctx->command);
    if (!n.given.len) n.given = dev_in_path(ctx->path);
    Str line;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        input_unread(in);
        return json_looks(line) ? parse_json(&n, in) : parse_text(&n, in);
    }
    return PARSE_NOTHING;
}

const Parser parser_nvme_cli = {
    .name = "nvme-cli",
    .bid = nvme_bid,
    .starts = nvme_starts,
    .continues = nvme_continues,
    .parse = nvme_parse,
    .ask = "nvme smart-log /dev/nvme0; nvme get-feature -f 6 -H /dev/nvme0; nvme id-ctrl /dev/nvme0",
};
