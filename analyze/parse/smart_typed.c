/*
 * smart_typed.c - SMART attributes that somebody typed off
 *
 * Reads   rows "ID NAME RAW" below a line that names the drive, in a post or ticket
 * Gives   counter (kind ata), setting smart_health, power_on_hours, temperature_celsius, model
 * Sample  by hand
 *   | sdb  EXAMPLE4000NM01, backups
 *   |   SMART overall-health self-assessment test result: PASSED
 *   |   5 Reallocated_Sector_Ct    12   (norm 100/100, thr 10)
 *   |   197 Current_Pending_Sector: 8
 *   |   ATA Error Count: 3
 * Varies  everything but attribute numbers with smartctl's names for them, which nobody writes by chance. Hands err and leave out: so
 *         a finding that rests on such rows alone is possible at most, and they rule nothing out (Parser.by_hand).
 */
#include "device_text.h"
#include "parser.h"
#include "smart_fact.h"

#include <math.h>

/* smartctl's names of the attributes that people copy. Source: smartmontools drivedb.h, DEFAULT entry. */
static const struct {
    int id;
    const char *name;
} known[] = {{1, "Raw_Read_Error_Rate"},       {3, "Spin_Up_Time"},
             {4, "Start_Stop_Count"},          {5, "Reallocated_Sector_Ct"},
             {7, "Seek_Error_Rate"},           {9, "Power_On_Hours"},
             {10, "Spin_Retry_Count"},         {12, "Power_Cycle_Count"},
             {184, "End-to-End_Error"},        {187, "Reported_Uncorrect"},
             {188, "Command_Timeout"},         {192, "Power-Off_Retract_Count"},
             {193, "Load_Cycle_Count"},        {194, "Temperature_Celsius"},
             {196, "Reallocated_Event_Count"}, {197, "Current_Pending_Sector"},
             {198, "Offline_Uncorrectable"},   {199, "UDMA_CRC_Error_Count"}};

/* "197 Current_Pending_Sector 624", "197 Current_Pending_Sector: 624 (thr 0)". false for a row of smartctl itself, which has
   columns between name and raw value. */
static bool typed_row(Str line, SmartAttribute *a) {
    Str rest = line, id = str_word(&rest), name = str_word(&rest);
    uint64_t number, figure;
    if (name.len && name.p[name.len - 1] == ':') name.len--;
    if (!str_u64(id, &number)) return false;
    bool hit = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !hit; i++)
        hit = number == (uint64_t)known[i].id && str_is(name, known[i].name);
    Str raw = str_word(&rest);
    if (str_is(raw, "=") || str_is(raw, ":")) raw = str_word(&rest);
    rest = str_trim(rest);
    bool ends = raw.len && (raw.p[raw.len - 1] == ',' || raw.p[raw.len - 1] == ';');
    if (ends) raw.len--; /* the rest is words */
    if (!hit || !str_u64(raw, &figure) || (rest.len && !ends && rest.p[0] != '(')) return false;
    if (a)
        *a = (SmartAttribute){
            .id = (int)number, .name = name, .raw = raw, .value = -1, .worst = -1, .threshold = -1, .prefail = -1};
    return true;
}

/* "sdb  ST12000NM0127, media": a disk's kernel name, a model number, and a mark behind it, as no table has it. */
static bool heading(Str line, Str *device, Str *model) {
    Str rest = str_trim(line), name = str_strip_dev(str_word(&rest)), word = str_word(&rest);
    if (name.len && name.p[name.len - 1] == ':') name.len--;
    if (!dev_is_disk(name) || word.len < 2) return false;
    bool closed = word.p[0] == '(';
    if (closed) word = str_from(word, 1);
    size_t letters = 0, digits = 0, marks = 0;
    while (word.len && (word.p[word.len - 1] == ',' || word.p[word.len - 1] == ':' || word.p[word.len - 1] == ')'))
        word.len--, marks++;
    for (size_t i = 0; i < word.len; i++) {
        if (!ch_alnum(word.p[i]) && word.p[i] != '-') return false;
        if (word.p[i] >= 'a' && word.p[i] <= 'z') return false;
        letters += ch_alpha(word.p[i]);
        digits += ch_digit(word.p[i]);
    }
    *device = name;
    *model = word;
    return marks && letters >= 2 && digits >= 3;
}

static bool health_line(Str line, Str *value) {
    Str key;
    return dev_key_value(str_trim(line), &key, value) &&
           (str_is(key, "SMART overall-health self-assessment test result") || str_is(key, "SMART Health Status"));
}

static bool count_line(Str line, uint64_t *n) {
    Str key, value;
    return dev_key_value(str_trim(line), &key, &value) && str_is(key, "ATA Error Count") &&
           str_u64(str_word(&value), n);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    (void)command;
    int rows = 0;
    for (int n = 0; n < 40 && head.len; n++) {
        Str line = head_line(&head), a, b;
        if (typed_row(line, NULL)) rows++;
        else if (n == 0 && !heading(line, &a, &b)) return 0;
    }
    return rows >= 2 ? 16 + 2 * rows : 0;
}

static bool starts(Str line) {
    Str a, b;
    return typed_row(line, NULL) || heading(line, &a, &b);
}

static bool continues(Str line) {
    Str a, b;
    uint64_t n;
    return !str_trim(line).len || typed_row(line, NULL) || heading(line, &a, &b) || health_line(line, &a) ||
           count_line(line, &n);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, device, model, value;
    SmartDrive drive = {.airflow = NAN};
    bool open = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        SmartAttribute a;
        uint64_t n;
        if (!str_trim(line).len) continue;
        if (heading(line, &device, &model)) {
            if (open) smart_drive_end(ctx, &drive);
            drive = (SmartDrive){
                .ref = ctx_ref(ctx, REF_DISK, device), .seagate = smart_is_seagate(STR_NONE, model), .airflow = NAN};
            ctx_setting(ctx, drive.ref, "model", model, "by-hand", at);
            open = true;
            ctx->rows++;
            facts_statement(ctx->facts, ctx->src, at.line, line); /* what else stands there is prose */
            continue;
        }
        bool row = typed_row(line, &a), health = health_line(line, &value), count = count_line(line, &n);
        if (!row && !health && !count) {
            parse_note(ctx, at, "not a typed line of SMART: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        if (!open) {
            drive.ref = ctx_ref(ctx, REF_DISK, arena_strf(ctx->scratch, "[drive at line %lld]", (long long)at.line));
            open = true;
        }
        ctx->rows++;
        if (row) smart_attribute(ctx, &drive, &a, at);
        else if (count)
            smart_counter(ctx, drive.ref, "ata", STR("ata_error_count"), FACT_NULL, (double)n, STR_NONE, NULL, at);
        else if (str_istarts(value, "PASSED") || str_istarts(value, "OK"))
            ctx_setting(ctx, drive.ref, "smart_health", STR("PASSED"), "by-hand", at);
        else if (str_istarts(value, "FAILED"))
            ctx_setting(ctx, drive.ref, "smart_health", STR("FAILED"), "by-hand", at);
    }
    if (open) smart_drive_end(ctx, &drive);
    return parse_result(ctx);
}

const Parser parser_smart_typed = {.name = "smart-typed",
                                   .bid = bid,
                                   .starts = starts,
                                   .continues = continues,
                                   .parse = parse,
                                   .ask = "smartctl -x /dev/sdX",
                                   .by_hand = true};
