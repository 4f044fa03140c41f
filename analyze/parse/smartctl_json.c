/*
 * smartctl_json.c - JSON of smartctl (7.0 and later) for ATA, NVMe and SCSI drives
 *
 * Reads   smartctl --json[=cosuv] -a -x ...; one object or several one after the other
 * Gives   the facts of smartctl.c, with a JSON pointer as their place
 * Sample  smartctl 7.4
 *   | {"json_format_version": [1, 0],
 *   |  "smartctl": {"version": [7, 4], "argv": ["smartctl", "--json", "-a", "/dev/sda"], "exit_status": 0},
 *   |  "device": {"name": "/dev/sda", "info_name": "/dev/sda [SAT]", "type": "sat", "protocol": "ATA"},
 *   |  "model_name": "EXAMPLE SSD 2TB", "serial_number": "EX0000000021", "rotation_rate": 0,
 *   |  "wwn": {"naa": 5, "oui": 6980, "id": 37442618456},
 *   |  "smart_status": {"passed": true},
 *   |  "ata_smart_attributes": {"table": [{"id": 5, "name": "Reallocated_Sector_Ct", "value": 100, "worst": 100, "thresh": 10,
 *   |    "when_failed": "", "raw": {"value": 0, "string": "0"}}]}}
 * Varies  SCSI identity is vendor/product in 7.0 and scsi_vendor/scsi_product since 7.3; "smart_support" and "temperature" came
 *         late; a failed run has only "smartctl.messages"
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "smart_fact.h"

#include <math.h>

static int smartctl_json_bid(Str path, Str command, Str head) {
    if (!json_looks(head) || str_trim_left(head).p[0] != '{') return 0;
    int evidence = 0;
    if (str_has(head, "\"smartctl\"")) evidence += 16;
    if (str_has(head, "\"json_format_version\"")) evidence += 16;
    if (str_has(head, "\"argv\"") && str_has(head, "\"platform_info\"")) evidence += 8;
    if (str_has(head, "\"ata_smart_attributes\"") || str_has(head, "\"nvme_smart_health_information_log\""))
        evidence += 16;
    if (str_has(head, "\"smart_support\"") && str_has(head, "\"model_name\"")) evidence += 16;
    if (evidence < 16) return 0;
    if (command_is(command, "smartctl") || path_has(path, "smart")) evidence += 8;
    return evidence;
}

static bool smartctl_json_starts(Str line) {
    (void)line; /* "{" alone says nothing: the framer gives the whole document to the bids */
    return false;
}

static bool smartctl_json_continues(Str line) {
    (void)line;
    return true;
}

typedef struct Doc {
    ParseCtx *ctx;
    const cJSON *root;
    SmartDrive drive;
} Doc;

static Spot spot_at(Doc *d, const char *pointer, const cJSON *value) {
    return spot_path(str_of(pointer), json_show(d->ctx->scratch, value));
}

static void set_text(Doc *d, const char *pointer, const char *key) {
    const cJSON *v = json_at(d->root, pointer);
    Str text = str_trim(json_text(v));
    if (!text.len || str_is(text, "--")) return;
    ctx_setting(d->ctx, d->drive.ref, key, text, "drive", spot_at(d, pointer, v));
    d->ctx->rows++;
}

/* A whole number, with lowest and highest believable value. */
static bool set_whole(Doc *d, const char *pointer, const char *key, double low, double high) {
    const cJSON *v = json_at(d->root, pointer);
    double n;
    if (!v || cJSON_IsNull(v)) return false;
    if (!json_number(v, &n)) {
        parse_note(d->ctx, spot_at(d, pointer, v), "%s: expected a number", pointer);
        return false;
    }
    d->ctx->rows++;
    if (!(n >= low && n <= high)) return false;
    ctx_setting_int(d->ctx, d->drive.ref, key, i64_of(n), "drive", spot_at(d, pointer, v));
    return true;
}

/* A truth value as one of two words. */
static void set_bool(Doc *d, const char *pointer, const char *key, const char *yes, const char *no) {
    const cJSON *v = json_at(d->root, pointer);
    if (!cJSON_IsBool(v)) return;
    ctx_setting(d->ctx, d->drive.ref, key, str_of(cJSON_IsTrue(v) ? yes : no), "drive", spot_at(d, pointer, v));
    d->ctx->rows++;
}

static void set_word(Doc *d, const char *pointer, const char *key, const char *word) {
    ctx_setting(d->ctx, d->drive.ref, key, str_of(word), "drive", spot_at(d, pointer, json_at(d->root, pointer)));
    d->ctx->rows++;
}

static void set_wwn(Doc *d, const char *pointer, const char *key) {
    const cJSON *v = json_at(d->root, pointer);
    Str digits = dev_wwn(d->ctx->scratch, json_text(v));
    if (digits.len) ctx_setting(d->ctx, d->drive.ref, key, digits, "drive", spot_at(d, pointer, v));
}

static void set_temperature(Doc *d, const char *pointer) {
    if (!d->drive.have_temperature && set_whole(d, pointer, "temperature_celsius", 1, 130))
        d->drive.have_temperature = true;
}

static void count(Doc *d, const char *pointer, const char *kind, const char *name) {
    const cJSON *v = json_at(d->root, pointer);
    double n;
    if (!v || cJSON_IsNull(v)) return;
    Spot at = spot_at(d, pointer, v);
    if (!json_number(v, &n)) {
        parse_note(d->ctx, at, "%s: expected a number", pointer);
        return;
    }
    d->ctx->rows++;
    smart_counter(d->ctx, d->drive.ref, kind, str_of(name), FACT_NULL, n, at.text, NULL, at);
}

/* naa, oui and id are the parts of one 64-bit number: 4, 24 and 36 bits. */
static void identity(Doc *d) {
    double naa, oui, id;
    const cJSON *wwn = json_at(d->root, "/wwn");
    if (json_number(json_get(wwn, "naa"), &naa) && json_number(json_get(wwn, "oui"), &oui) &&
        json_number(json_get(wwn, "id"), &id) && naa >= 0 && naa < 16 && oui >= 0 && oui < 16777216 && id >= 0 &&
        id < 68719476736.0) {
        uint64_t whole = (uint64_t)naa << 60 | (uint64_t)oui << 36 | (uint64_t)id;
        Str digits = dev_wwn(d->ctx->scratch, arena_strf(d->ctx->scratch, "%016llx", (unsigned long long)whole));
        if (digits.len)
            ctx_setting(d->ctx, d->drive.ref, "wwn", digits, "drive",
                        spot_path(STR("/wwn"), json_print(d->ctx->scratch, wwn)));
    }
    set_wwn(d, "/wwn/token", "wwn"); /* our own collector, when it redacts */
    set_wwn(d, "/logical_unit_id", "wwn");
    double ext;
    const cJSON *eui = json_at(d->root, "/nvme_namespaces/0/eui64");
    if (json_number(json_get(eui, "oui"), &oui) && json_number(json_get(eui, "ext_id"), &ext) && oui >= 0 &&
        oui < 16777216 && ext >= 0 && ext < 1099511627776.0) {
        uint64_t whole = (uint64_t)oui << 40 | (uint64_t)ext;
        Str digits = dev_wwn(d->ctx->scratch, arena_strf(d->ctx->scratch, "%016llx", (unsigned long long)whole));
        if (digits.len)
            ctx_setting(d->ctx, d->drive.ref, "eui", digits, "drive",
                        spot_path(STR("/nvme_namespaces/0/eui64"), json_print(d->ctx->scratch, eui)));
    }
    set_wwn(d, "/nvme_namespaces/0/eui64/token", "eui");
    set_text(d, "/serial_number", "serial");
    set_text(d, "/firmware_version", "firmware");
    if (json_at(d->root, "/scsi_product")) {
        set_text(d, "/scsi_product", "model");
        set_text(d, "/scsi_vendor", "vendor");
        set_text(d, "/scsi_revision", "firmware");
    } else if (json_at(d->root, "/product")) {
        set_text(d, "/product", "model");
        set_text(d, "/vendor", "vendor");
        set_text(d, "/revision", "firmware");
    } else {
        set_text(d, "/model_name", "model");
    }
    if (!set_whole(d, "/user_capacity/bytes", "size_bytes", 1, 1152921504606846976.0) &&
        !set_whole(d, "/nvme_total_capacity", "size_bytes", 1, 1152921504606846976.0))
        set_whole(d, "/nvme_namespaces/0/size/bytes", "size_bytes", 1, 1152921504606846976.0);
    set_whole(d, "/logical_block_size", "logical_block_bytes", 1, 65536);
    set_whole(d, "/physical_block_size", "physical_block_bytes", 1, 1 << 24);
    set_whole(d, "/nvme_namespaces/0/formatted_lba_size", "lba_format_bytes", 1, 65536);
    double rpm;
    const cJSON *rate = json_at(d->root, "/rotation_rate");
    if (json_number(rate, &rpm) && (rpm == 0 || rpm > 1000)) {
        set_whole(d, "/rotation_rate", "rotation_rpm", 0, 100000);
        set_word(d, "/rotation_rate", "rotational", rpm > 0 ? "1" : "0");
    }
}

static void links(Doc *d) {
    double gbps;
    const cJSON *v = json_at(d->root, "/interface_speed/max/string");
    if (dev_gbps(json_text(v), &gbps))
        ctx_setting_real(d->ctx, d->drive.ref, "link_max_gbps", gbps, "drive",
                         spot_at(d, "/interface_speed/max/string", v));
    v = json_at(d->root, "/interface_speed/current/string");
    if (dev_gbps(json_text(v), &gbps))
        ctx_setting_real(d->ctx, d->drive.ref, "link_gbps", gbps, "drive",
                         spot_at(d, "/interface_speed/current/string", v));
    Str protocol = json_text(json_at(d->root, "/device/protocol"));
    Str scsi = json_text(json_at(d->root, "/scsi_transport_protocol/name"));
    if (str_is(protocol, "NVMe")) set_word(d, "/device/protocol", "transport", "nvme");
    else if (json_at(d->root, "/sata_version")) set_word(d, "/sata_version/string", "transport", "sata");
    else if (str_is(protocol, "ATA") && json_at(d->root, "/ata_version"))
        set_word(d, "/device/protocol", "transport", "ata");
    else if (str_istarts(scsi, "SAS")) set_word(d, "/scsi_transport_protocol/name", "transport", "sas");
    else if (str_istarts(scsi, "Fibre")) set_word(d, "/scsi_transport_protocol/name", "transport", "fc");
    else if (str_istarts(scsi, "Parallel")) set_word(d, "/scsi_transport_protocol/name", "transport", "spi");
}

static void state(Doc *d) {
    set_bool(d, "/smart_support/available", "smart_supported", "yes", "no");
    set_bool(d, "/smart_support/enabled", "smart_enabled", "yes", "no");
    set_bool(d, "/in_smartctl_database", "smartctl_database", "yes", "no");
    double asc, ascq;
    bool sense = json_number(json_at(d->root, "/smart_status/scsi/asc"), &asc) &&
                 json_number(json_at(d->root, "/smart_status/scsi/ascq"), &ascq) && asc >= 0 && asc < 256 &&
                 ascq >= 0 && ascq < 256;
    if (sense)
        ctx_setting(d->ctx, d->drive.ref, "smart_sense",
                    arena_strf(d->ctx->scratch, "%02x/%02x", (unsigned)asc, (unsigned)ascq), "drive",
                    spot_at(d, "/smart_status/scsi", json_at(d->root, "/smart_status/scsi")));
    /* a test that somebody triggered (5d/ff) or a warning of heat (0b) is not the drive's word that it will fail */
    if (!sense || !((asc == 0x5d && ascq == 0xff) || asc == 0x0b))
        set_bool(d, "/smart_status/passed", "smart_health", "PASSED", "FAILED");
    set_bool(d, "/write_cache/enabled", "write_cache", "on", "off");
    set_bool(d, "/read_lookahead/enabled", "read_lookahead", "on", "off");
    set_bool(d, "/read_cache/enabled", "read_cache", "on", "off");
    set_bool(d, "/scsi_read_cache/enabled", "read_cache", "on", "off");
    set_bool(d, "/trim/supported", "trim_supported", "yes", "no");
    const cJSON *security = json_at(d->root, "/ata_security");
    if (cJSON_IsBool(json_get(security, "enabled"))) {
        Str words = str_trim(arena_strf(d->ctx->scratch, "%s%s%s",
                                        cJSON_IsTrue(json_get(security, "enabled")) ? "enabled " : "",
                                        cJSON_IsTrue(json_get(security, "locked")) ? "locked " : "",
                                        cJSON_IsTrue(json_get(security, "frozen")) ? "frozen" : ""));
        ctx_setting(d->ctx, d->drive.ref, "security", words.len ? words : STR("none"), "drive",
                    spot_at(d, "/ata_security/string", json_at(d->root, "/ata_security/string")));
    }
    set_whole(d, "/ata_apm/level", "apm_level", 0, 255);
    const cJSON *apm = json_at(d->root, "/ata_apm/enabled");
    if (cJSON_IsFalse(apm)) set_word(d, "/ata_apm/enabled", "apm_level", "255");
    double code;
    const cJSON *test = json_at(d->root, "/ata_smart_data/self_test/status/value");
    if (json_number(test, &code) && code >= 0 && code < 256 && smart_self_test_word((int)code))
        set_word(d, "/ata_smart_data/self_test/status/value", "self_test_status", smart_self_test_word((int)code));
    static const char *const erc[2][2] = {{"/ata_sct_erc/read", "erc_read_s"}, {"/ata_sct_erc/write", "erc_write_s"}};
    for (size_t i = 0; i < 2; i++) {
        const cJSON *limit = json_at(d->root, erc[i][0]);
        double tenths;
        if (cJSON_IsFalse(json_get(limit, "enabled")))
            ctx_setting_int(d->ctx, d->drive.ref, erc[i][1], 0, "drive", spot_at(d, erc[i][0], NULL));
        else if (json_number(json_get(limit, "deciseconds"), &tenths))
            ctx_setting_real(d->ctx, d->drive.ref, erc[i][1], tenths / 10, "drive",
                             spot_at(d, erc[i][0], json_get(limit, "deciseconds")));
    }
    if (json_at(d->root, "/ata_sct_capabilities"))
        set_bool(d, "/ata_sct_capabilities/error_recovery_control_supported", "erc_supported", "yes", "no");
    d->drive.have_hours = set_whole(d, "/power_on_time/hours", "power_on_hours", 0, 1e7);
    set_temperature(d, "/temperature/current");
    if (!set_whole(d, "/temperature/op_limit_max", "temperature_max_celsius", 20, 130) &&
        !set_whole(d, "/nvme_composite_temperature_threshold/warning", "temperature_max_celsius", 20, 130))
        set_whole(d, "/temperature/drive_trip", "temperature_max_celsius", 20, 130);
}

static void attributes(Doc *d) {
    const cJSON *table = json_at(d->root, "/ata_smart_attributes/table"), *row;
    size_t index = 0;
    cJSON_ArrayForEach(row, table) {
        Str path = json_path_index(d->ctx->scratch, STR("/ata_smart_attributes/table"), index++);
        double id, n;
        const cJSON *raw = json_get(row, "raw");
        Str text = json_text(json_get(raw, "string"));
        if (!text.len) text = json_show(d->ctx->scratch, json_get(raw, "value"));
        Spot at = spot_path(
            path, arena_strf(d->ctx->scratch, "%.*s %.*s", STR_ARG(json_text(json_get(row, "name"))), STR_ARG(text)));
        if (!json_number(json_get(row, "id"), &id) || id < 1 || id > 255 || !text.len) {
            parse_note(d->ctx, at, "attribute row without id or raw value");
            continue;
        }
        SmartAttribute a = {.id = (int)id,
                            .name = json_text(json_get(row, "name")),
                            .raw = str_trim(text),
                            .when_failed = json_text(json_get(row, "when_failed")),
                            .value = -1,
                            .worst = -1,
                            .threshold = -1,
                            .prefail = -1};
        const cJSON *prefail = json_at(row, "/flags/prefailure");
        if (cJSON_IsBool(prefail)) a.prefail = cJSON_IsTrue(prefail) ? 1 : 0;
        if (json_number(json_get(row, "value"), &n) && n >= 0 && n <= 255) a.value = (int)n;
        if (json_number(json_get(row, "worst"), &n) && n >= 0 && n <= 255) a.worst = (int)n;
        if (json_number(json_get(row, "thresh"), &n) && n >= 0 && n <= 255) a.threshold = (int)n;
        d->ctx->rows++;
        smart_attribute(d->ctx, &d->drive, &a, at);
    }
}

static void nvme_log(Doc *d) {
    static const char *const names[] = {"critical_warning",          "temperature",          "available_spare",
                                        "available_spare_threshold", "percentage_used",      "data_units_read",
                                        "data_units_written",        "host_reads",           "host_writes",
                                        "controller_busy_time",      "power_cycles",         "power_on_hours",
                                        "unsafe_shutdowns",          "media_errors",         "num_err_log_entries",
                                        "warning_temp_time",         "critical_comp_time",   "thm_temp1_trans_count",
                                        "thm_temp2_trans_count",     "thm_temp1_total_time", "thm_temp2_total_time"};
    const cJSON *log = json_at(d->root, "/nvme_smart_health_information_log");
    if (!log) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const cJSON *v = json_get(log, names[i]);
        double n;
        if (!v) continue;
        Str path = json_path(d->ctx->scratch, STR("/nvme_smart_health_information_log"), names[i]);
        Spot at = spot_path(path, json_show(d->ctx->scratch, v));
        if (!json_number(v, &n)) {
            parse_note(d->ctx, at, "%s: expected a number", names[i]);
            continue;
        }
        d->ctx->rows++;
        smart_nvme_counter(d->ctx, d->drive.ref, names[i], n, at.text, at);
    }
    set_temperature(d, "/nvme_smart_health_information_log/temperature");
    for (int i = 0; i < 8; i++)
        count(d, arena_fmt(d->ctx->scratch, "/nvme_smart_health_information_log/temperature_sensors/%d", i), "nvme",
              arena_fmt(d->ctx->scratch, "temperature_sensor_%d", i + 1));
}

/* What the drive kept of its temperatures: {"logging_interval_minutes": 1, "table": [31, 31, null]}. */
static void heat(Doc *d) {
    set_whole(d, "/temperature/power_cycle_max", "temperature_cycle_max_celsius", 1, 120);
    set_whole(d, "/temperature/lifetime_max", "temperature_lifetime_max_celsius", 1, 120);
    count(d, "/temperature/over_limit_count", "ata", "over_temperature_count");
    SmartHeat all = {.interval_min = 0};
    double n;
    if (json_number(json_at(d->root, "/ata_sct_temperature_history/logging_interval_minutes"), &n) && n > 0 &&
        n < 10000)
        all.interval_min = n;
    const cJSON *row;
    Spot at = spot_path(STR("/ata_sct_temperature_history/table"), STR_NONE);
    cJSON_ArrayForEach(row, json_at(d->root, "/ata_sct_temperature_history/table")) {
        if (json_number(row, &n)) smart_heat(d->ctx, &all, n, 1, at);
    }
    smart_heat_end(d->ctx, &all, d->drive.ref);
}

/* {"result_1": {"reassign_status": "Require Write or Reassign Blocks command"}, "status": {...}} */
static void background_scan(Doc *d) {
    const cJSON *scan = json_at(d->root, "/scsi_background_scan"), *row;
    if (!scan) return;
    int64_t open = 0, done = 0;
    Spot at = spot_path(STR("/scsi_background_scan"), STR_NONE);
    cJSON_ArrayForEach(row, scan) {
        Str text = json_text(json_get(row, "reassign_status"));
        bool left = str_has(text, "Require Write or Reassign Blocks");
        if (left && !open++)
            at = spot_path(json_path(d->ctx->scratch, STR("/scsi_background_scan"), row->string ? row->string : ""),
                           text);
        done += str_has(text, "Recovered via rewrite in-place");
    }
    d->ctx->rows++;
    smart_counter(d->ctx, d->drive.ref, "scsi", STR("background_scan_unrepaired"), FACT_NULL, (double)open, STR_NONE,
                  NULL, at);
    smart_counter(d->ctx, d->drive.ref, "scsi", STR("background_scan_recovered"), FACT_NULL, (double)done, STR_NONE,
                  NULL, at);
}

/* {"id": 10, "name": "Device-to-host register FISes sent due to a COMRESET", "size": 2, "value": 7, "overflow": false} */
static void phy_events(Doc *d) {
    const cJSON *row;
    size_t index = 0;
    cJSON_ArrayForEach(row, json_at(d->root, "/sata_phy_event_counters/table")) {
        Str path = json_path_index(d->ctx->scratch, STR("/sata_phy_event_counters/table"), index++);
        double id, n;
        Spot at = spot_path(path, arena_strf(d->ctx->scratch, "%.*s %.*s", STR_ARG(json_text(json_get(row, "name"))),
                                             STR_ARG(json_show(d->ctx->scratch, json_get(row, "value")))));
        if (!json_number(json_get(row, "id"), &id) || !json_number(json_get(row, "value"), &n)) {
            parse_note(d->ctx, at, "phy event counter without id or value");
            continue;
        }
        d->ctx->rows++;
        smart_counter(d->ctx, d->drive.ref, "phy", json_text(json_get(row, "name")), i64_of(id), n,
                      json_show(d->ctx->scratch, json_get(row, "value")), NULL, at);
    }
}

/* {"pages": [{"number": 4, "table": [{"offset": 8, "name": "...", "value": 0, "flags": {"valid": true}}]}]} */
static void device_statistics(Doc *d) {
    const cJSON *page, *row;
    size_t p = 0;
    cJSON_ArrayForEach(page, json_at(d->root, "/ata_device_statistics/pages")) {
        Str base = json_path_index(d->ctx->scratch, STR("/ata_device_statistics/pages"), p++);
        double number = 0, offset, n;
        json_number(json_get(page, "number"), &number);
        size_t index = 0;
        cJSON_ArrayForEach(row, json_get(page, "table")) {
            Str path = json_path_index(d->ctx->scratch, json_path(d->ctx->scratch, base, "table"), index++);
            d->ctx->rows++;
            if (cJSON_IsFalse(json_at(row, "/flags/valid"))) continue;
            if (!json_number(json_get(row, "offset"), &offset) || !json_number(json_get(row, "value"), &n)) continue;
            Str name = json_text(json_get(row, "name")), value = json_show(d->ctx->scratch, json_get(row, "value"));
            n = smart_statistic(name, n, cJSON_IsTrue(json_at(row, "/flags/normalized")));
            smart_counter(d->ctx, d->drive.ref, "devstat", name, i64_of(number * 65536 + offset), n, value, NULL,
                          spot_path(path, arena_strf(d->ctx->scratch, "%.*s %.*s", STR_ARG(name), STR_ARG(value))));
        }
    }
}

static void ata_logs(Doc *d) {
    static const char *const words[4] = {"ICRC", "UNC", "IDNF", "ABRT"};
    static const char *const names[4] = {"error_log_icrc", "error_log_unc", "error_log_idnf", "error_log_abrt"};
    const char *log = json_at(d->root, "/ata_smart_error_log/extended") ? "/ata_smart_error_log/extended"
                                                                        : "/ata_smart_error_log/summary";
    count(d, arena_fmt(d->ctx->scratch, "%s/count", log), "ata", "ata_error_count");
    const cJSON *row;
    int64_t found[4] = {0}, refused = 0;
    double hours[4], refused_hours = NAN, newest = NAN, h;
    Spot where[4], newest_at = {.line = 0}, refused_at = {.line = 0};
    size_t index = 0;
    char *table = arena_fmt(d->ctx->scratch, "%s/table", log);
    cJSON_ArrayForEach(row, json_at(d->root, table)) {
        Str path = json_path_index(d->ctx->scratch, str_of(table), index++);
        Str text = json_text(json_get(row, "error_description"));
        if (!json_number(json_get(row, "lifetime_hours"), &h)) h = NAN;
        if (isnan(newest) && !isnan(h)) newest = h, newest_at = spot_path(path, text);
        for (size_t i = 0; i < 4; i++) {
            if (!str_has(text, words[i])) continue;
            if (!found[i]++) where[i] = spot_path(path, text), hours[i] = h;
            double opcode;
            if (i == 3 && json_number(json_at(row, "/previous_commands/0/registers/command"), &opcode) && opcode >= 0 &&
                opcode < 256 && smart_data_command((uint64_t)opcode) && !refused++)
                refused_at = spot_path(path, text), refused_hours = h;
            break;
        }
    }
    for (size_t i = 0; i < 4; i++) {
        if (!found[i]) continue;
        smart_counter(d->ctx, d->drive.ref, "ata", str_of(names[i]), FACT_NULL, (double)found[i], STR_NONE, NULL,
                      where[i]);
        if (!isnan(hours[i]))
            smart_counter(d->ctx, d->drive.ref, "ata", arena_strf(d->ctx->scratch, "%s_hours", names[i]), FACT_NULL,
                          hours[i], STR_NONE, "hours", where[i]);
    }
    if (found[3])
        smart_counter(d->ctx, d->drive.ref, "ata", STR("error_log_abrt_data"), FACT_NULL, (double)refused, STR_NONE,
                      NULL, refused ? refused_at : where[3]);
    if (refused && !isnan(refused_hours))
        smart_counter(d->ctx, d->drive.ref, "ata", STR("error_log_abrt_data_hours"), FACT_NULL, refused_hours, STR_NONE,
                      "hours", refused_at);
    if (!isnan(newest))
        smart_counter(d->ctx, d->drive.ref, "ata", STR("error_log_last_hours"), FACT_NULL, newest, STR_NONE, "hours",
                      newest_at);
}

/* The log of self-tests, the newest first: {"type": {"string": "Short offline"}, "status": {"string": "..."}, "lifetime_hours": 7,
   "lba": 1}; NVMe drives say self_test_code and self_test_result. */
static void self_tests(Doc *d) {
    static const char *const tables[3] = {"/ata_smart_self_test_log/extended/table",
                                          "/ata_smart_self_test_log/standard/table", "/nvme_self_test_log/table"};
    for (size_t t = 0; t < 3; t++) {
        const cJSON *all = json_at(d->root, tables[t]), *row;
        if (!cJSON_IsArray(all) || !all->child) continue;
        SmartTests tests = SMART_TESTS_NONE;
        size_t index = 0;
        cJSON_ArrayForEach(row, all) {
            Str status = json_text(json_at(row, t == 2 ? "/self_test_result/string" : "/status/string"));
            Str kind = json_text(json_at(row, t == 2 ? "/self_test_code/string" : "/type/string"));
            double hours, lba;
            if (!json_number(json_get(row, t == 2 ? "power_on_hours" : "lifetime_hours"), &hours)) hours = NAN;
            const cJSON *where = json_get(row, t == 2 ? "failing_lba" : "lba");
            smart_test(d->ctx, &tests, status, str_ifind(kind, "extended") != SIZE_MAX, hours,
                       json_number(where, &lba) ? json_show(d->ctx->scratch, where) : STR_NONE,
                       spot_path(json_path_index(d->ctx->scratch, str_of(tables[t]), index++), status));
            d->ctx->rows++;
        }
        smart_tests_end(d->ctx, &tests, d->drive.ref);
        return;
    }
}

static void scsi_logs(Doc *d) {
    static const char *const directions[] = {"read", "write", "verify"};
    static const char *const columns[] = {
        "errors_corrected_by_eccfast", "errors_corrected_by_eccdelayed",   "errors_corrected_by_rereads_rewrites",
        "total_errors_corrected",      "correction_algorithm_invocations", "gigabytes_processed",
        "total_uncorrected_errors"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 7; k++)
            count(d, arena_fmt(d->ctx->scratch, "/scsi_error_counter_log/%s/%s", directions[i], columns[k]), "scsi",
                  arena_fmt(d->ctx->scratch, "%s_%s", directions[i], columns[k]));
    count(d, "/scsi_grown_defect_list", "scsi", "grown_defect_list");
    count(d, "/scsi_nonmedium_error/count", "scsi", "non_medium_error_count");
    count(d, "/scsi_percentage_used_endurance_indicator", "scsi", "percentage_used");
    count(d, "/scsi_start_stop_cycle_counter/accumulated_start_stop_cycles", "scsi", "accumulated_start_stop_cycles");
    count(d, "/scsi_start_stop_cycle_counter/accumulated_load_unload_cycles", "scsi", "accumulated_load_unload_cycles");
    count(d, "/endurance_used/current_percent", "devstat", "endurance_used_percent");
    bool linked = false;
    for (int port = 0; port < 4; port++)
        for (int phy = 0; phy < 4; phy++) {
            static const char *const fields[4][2] = {
                {"invalid_dword_count", "Invalid DWORD count"},
                {"running_disparity_error_count", "Running disparity error count"},
                {"loss_of_dword_synchronization_count", "Loss of DWORD synchronization"},
                {"phy_reset_problem_count", "Phy reset problem"}};
            char *base = arena_fmt(d->ctx->scratch, "/scsi_sas_port_%d/phy_%d", port, phy);
            const cJSON *object = json_at(d->root, base);
            if (!object) continue;
            double id = phy, n;
            json_number(json_get(object, "identifier"), &id);
            for (size_t i = 0; i < 4; i++) {
                const cJSON *v = json_get(object, fields[i][0]);
                if (!json_number(v, &n)) continue;
                d->ctx->rows++;
                smart_counter(d->ctx, d->drive.ref, "phy", str_of(fields[i][1]), i64_of(id), n,
                              json_show(d->ctx->scratch, v), NULL,
                              spot_at(d, arena_fmt(d->ctx->scratch, "%s/%s", base, fields[i][0]), v));
            }
            const cJSON *rate = json_get(object, "negotiated_logical_link_rate");
            Str text = json_text(rate);
            size_t semi = str_find_ch(text, ';');
            double gbps;
            if (!linked && semi != SIZE_MAX && dev_gbps(str_from(text, semi + 1), &gbps)) {
                linked = true;
                ctx_setting_real(d->ctx, d->drive.ref, "link_gbps", gbps, "drive",
                                 spot_at(d, arena_fmt(d->ctx->scratch, "%s/negotiated_logical_link_rate", base), rate));
            }
        }
}

/* Why the drive was not read, from smartctl's own messages. */
static void messages(Doc *d, bool named) {
    const cJSON *row;
    size_t index = 0;
    cJSON_ArrayForEach(row, json_at(d->root, "/smartctl/messages")) {
        Str path = json_path_index(d->ctx->scratch, STR("/smartctl/messages"), index++);
        Str text = json_text(json_get(row, "string"));
        if (!text.len) continue;
        Spot at = spot_path(path, text);
        facts_note(d->ctx->facts, d->ctx->src, at,
                   arena_strf(d->ctx->scratch, "smartctl: %.*s", STR_ARG(str_sub(text, 0, 300))));
        bool standby = str_has(text, "STANDBY") || str_has(text, "SLEEP mode");
        bool unread = standby || str_ifind(text, "open failed") != SIZE_MAX || str_has(text, "Unknown USB bridge") ||
                      str_has(text, "Unable to detect device type") || str_has(text, "Permission denied") ||
                      str_has(text, "Please specify device type") || str_has(text, "Identity failed");
        if (!unread || !named) continue;
        ctx_setting(d->ctx, d->drive.ref, "smart_supported", STR("unavailable"), "drive", at);
        if (standby)
            ctx_setting(d->ctx, d->drive.ref, "power_mode", str_has(text, "SLEEP") ? STR("sleep") : STR("standby"),
                        "drive", at);
    }
}

/* The name smartctl gives the drive: info_name "/dev/bus/0 [megaraid_disk_08] [SAT]" for children of a RAID controller, else
   name. */
static Str device_name(ParseCtx *ctx, const cJSON *root) {
    Str name = json_text(json_at(root, "/device/name")), info = json_text(json_at(root, "/device/info_name"));
    size_t open = str_find(info, "_disk");
    if (open != SIZE_MAX) {
        size_t close = str_find_ch(str_from(info, open), ']');
        if (close != SIZE_MAX) return str_strip_dev(str_sub(info, 0, open + close + 1));
    }
    Str type = json_text(json_at(root, "/device/type"));
    if (name.len) return dev_raid_child(ctx->scratch, str_strip_dev(name), type);
    Str given = dev_in_command(ctx->scratch, ctx->command);
    return given.len ? given : dev_in_path(ctx->path);
}

static void document(ParseCtx *ctx, const cJSON *root) {
    Doc d = {.ctx = ctx, .root = root, .drive = {.airflow = NAN}};
    int64_t before = ctx->rows;
    Str name = device_name(ctx, root), serial = str_trim(json_text(json_at(root, "/serial_number")));
    if (name.len) d.drive.ref = ctx_ref(ctx, REF_DISK, name);
    else if (serial.len) d.drive.ref = ctx_ref(ctx, REF_SERIAL, serial);
    messages(&d, d.drive.ref != 0);
    if (!d.drive.ref) {
        if (json_at(root, "/ata_smart_attributes") || json_at(root, "/nvme_smart_health_information_log"))
            d.drive.ref = ctx_ref(ctx, REF_DISK, STR("[unnamed drive]"));
        else return;
    }
    d.drive.seagate =
        smart_is_seagate(json_text(json_at(root, "/model_family")), json_text(json_at(root, "/model_name")));
    identity(&d);
    links(&d);
    state(&d);
    attributes(&d);
    nvme_log(&d);
    phy_events(&d);
    device_statistics(&d);
    ata_logs(&d);
    self_tests(&d);
    scsi_logs(&d);
    background_scan(&d);
    heat(&d);
    smart_drive_end(ctx, &d.drive);
    if (ctx->rows > before) ctx->rows++;
}

static ParseResult smartctl_json_parse(ParseCtx *ctx, Input *in) {
    Str text;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, (Spot){.line = 1}, "more than %d MiB of JSON: the end was not read",
                   JSON_MAX_BYTES / (1024 * 1024));
    bool any = false;
    while (text.len) {
        Str one = json_next(&text);
        if (!one.len) break;
        Error err = {""};
        const cJSON *root = json_read(ctx->scratch, one, &err);
        if (!root) {
            parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
            continue;
        }
        if (!json_get(root, "smartctl") && !json_get(root, "json_format_version") && !json_get(root, "device"))
            continue;
        any = true;
        document(ctx, root);
    }
    if (any && !ctx->rows && !ctx->bad_rows) return PARSE_NOTHING;
    return any || ctx->bad_rows ? parse_result(ctx) : PARSE_REJECTED;
}

const Parser parser_smartctl_json = {
    .name = "smartctl",
    .bid = smartctl_json_bid,
    .starts = smartctl_json_starts,
    .continues = smartctl_json_continues,
    .parse = smartctl_json_parse,
    .ask = "smartctl -x /dev/sdX",
};
