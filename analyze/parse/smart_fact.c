#include "smart_fact.h"

#include "device_text.h"

#include <math.h>

bool smart_is_seagate(Str family, Str model) {
    if (str_ifind(family, "seagate") != SIZE_MAX || str_ifind(model, "seagate") != SIZE_MAX) return true;
    return model.len > 3 && str_starts(model, "ST") && ch_digit(model.p[2]) && ch_digit(model.p[3]);
}

/* "12345h+27m+10.123s", also "12345h" alone. */
static bool hours_minutes(Str raw, double *hours) {
    size_t h = str_find_ch(raw, 'h');
    uint64_t whole;
    if (h == SIZE_MAX || !str_u64(str_sub(raw, 0, h), &whole)) return false;
    *hours = (double)whole;
    Str rest = str_from(raw, h + 1);
    if (str_starts(rest, "+")) {
        rest = str_from(rest, 1);
        size_t m = str_find_ch(rest, 'm');
        uint64_t minutes;
        if (m != SIZE_MAX && str_u64(str_sub(rest, 0, m), &minutes)) *hours += (double)minutes / 60;
    }
    return true;
}

double smart_raw(int id, Str name, Str raw, bool seagate, const char **unit) {
    *unit = NULL;
    raw = str_trim(raw);
    bool packed = seagate && (id == 1 || id == 7 || id == 195);
    if (packed) *unit = "errors";
    else if (id == 5 || id == 197 || id == 198) *unit = "sectors";
    else if (id == 190 || id == 194) *unit = "celsius";
    double hours;
    if (hours_minutes(raw, &hours)) {
        *unit = "hours";
        return hours;
    }
    if (id == 9 && (str_ifind(name, "hours") != SIZE_MAX || str_ifind(name, "unknown") != SIZE_MAX)) *unit = "hours";
    uint64_t number;
    if (str_istarts(raw, "0x")) {
        Str hex = raw;
        hex = str_word(&hex);
        return str_hex_u64(hex, &number) ? (double)number : NAN;
    }
    size_t slash = str_find_ch(raw, '/');
    uint64_t high, low;
    if (slash != SIZE_MAX && str_u64(str_sub(raw, 0, slash), &high) && str_u64(str_from(raw, slash + 1), &low))
        return (double)high;
    Str words[4];
    size_t n = str_words(raw, words, 4);
    if (id == 188 && n == 3 && str_u64(words[2], &low) && str_u64(words[0], &high) && str_u64(words[1], &high))
        return (double)low;
    if (n && str_u64(words[0], &number)) {
        if (packed) return (double)(number >> 32);
        if (id == 188 && number > 0xffff) return (double)(number & 0xffff);
        if ((id == 190 || id == 194) && number > 0xff) return (double)(number & 0xff);
        return (double)number;
    }
    double value;
    return dev_leading_number(raw, &value) ? value : NAN;
}

double smart_hours(double raw) {
    const double most = 200000;
    if (isnan(raw) || raw < 0) return NAN;
    if (raw <= most) return raw;
    if (raw >= 1.8e19) return NAN;
    uint64_t bits = (uint64_t)raw;
    if ((bits & 0xffffffffu) <= (uint64_t)most) return (double)(bits & 0xffffffffu);
    if ((bits & 0xffffffu) <= (uint64_t)most) return (double)(bits & 0xffffffu);
    if (raw / 60 <= most) return raw / 60;
    if (raw / 3600 <= most) return raw / 3600;
    return NAN;
}

void smart_counter(ParseCtx *ctx, Ref drive, const char *kind, Str name, int64_t id, double value, Str raw,
                   const char *unit, Spot at) {
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", drive);
    row_text(&r, "name", name.len ? name : STR("unnamed")); /* a column that may not be NULL */
    row_int(&r, "id", id);
    row_text(&r, "kind", str_of(kind));
    row_real(&r, "value", value);
    row_text(&r, "raw", raw);
    if (unit) row_text(&r, "unit", str_of(unit));
    row_done(&r);
}

/* "33 (Min/Max 17/52)": of attribute 194 these are the extremes of its life; those of 190 are of the power cycle on some. */
static void lifetime_heat(ParseCtx *ctx, SmartDrive *drive, const SmartAttribute *a, Spot at) {
    if (a->id != 194) return;
    size_t at_range = str_find(a->raw, "Min/Max ");
    if (at_range == SIZE_MAX) return;
    Str range = str_from(a->raw, at_range + strlen("Min/Max "));
    size_t slash = str_find_ch(range, '/');
    double most;
    if (slash == SIZE_MAX || !dev_leading_number(str_from(range, slash + 1), &most)) return;
    if (most >= 1 && most <= 120)
        ctx_setting_real(ctx, drive->ref, "temperature_lifetime_max_celsius", most, "drive", at);
}

void smart_attribute(ParseCtx *ctx, SmartDrive *drive, const SmartAttribute *a, Spot at) {
    const char *unit;
    double value = smart_raw(a->id, a->name, a->raw, drive->seagate, &unit);
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", drive->ref);
    row_text(&r, "name", a->name.len ? a->name : STR("Unknown_Attribute")); /* as smartctl names them */
    row_int(&r, "id", a->id);
    row_text(&r, "kind", STR("ata"));
    row_real(&r, "value", value);
    row_text(&r, "raw", a->raw);
    if (a->value >= 0) row_int(&r, "normalized", a->value);
    if (a->worst >= 0) row_int(&r, "worst", a->worst);
    if (a->threshold >= 0) row_int(&r, "threshold", a->threshold);
    if (str_istarts(a->when_failed, "failing") || str_ieq(a->when_failed, STR("now")))
        row_text(&r, "when_failed", STR("now"));
    else if (str_istarts(a->when_failed, "in_the_past") || str_ieq(a->when_failed, STR("past")))
        row_text(&r, "when_failed", STR("past"));
    if (a->prefail >= 0) row_int(&r, "prefail", a->prefail);
    if (unit) row_text(&r, "unit", str_of(unit));
    row_done(&r);
    lifetime_heat(ctx, drive, a, at);
    if (a->id == 9) {
        double hours = smart_hours(value);
        if (!isnan(hours) && !drive->have_hours)
            ctx_setting_int(ctx, drive->ref, "power_on_hours", i64_of(hours), "drive", at);
    } else if (a->id == 194 && !isnan(value) && value > 0 && value < 130 && !drive->have_temperature) {
        drive->have_temperature = true;
        ctx_setting_real(ctx, drive->ref, "temperature_celsius", value, "drive", at);
    } else if (a->id == 190 && !isnan(value) && value > 0 && value < 130 && isnan(drive->airflow)) {
        drive->airflow = value;
        drive->airflow_at = at;
        drive->airflow_at.text = arena_str(ctx->scratch, at.text);
        drive->airflow_at.path = at.path.len ? arena_str(ctx->scratch, at.path) : at.path;
    }
}

void smart_drive_end(ParseCtx *ctx, SmartDrive *drive) {
    if (drive->ref && !drive->have_temperature && !isnan(drive->airflow))
        ctx_setting_real(ctx, drive->ref, "temperature_celsius", drive->airflow, "drive", drive->airflow_at);
    *drive = (SmartDrive){.airflow = NAN};
}

void smart_nvme_counter(ParseCtx *ctx, Ref drive, const char *name, double value, Str raw, Spot at) {
    static const struct {
        const char *name, *unit;
    } units[] = {
        {"temperature", "celsius"},
        {"available_spare", "percent"},
        {"available_spare_threshold", "percent"},
        {"percentage_used", "percent"},
        {"data_units_read", "512000 bytes"},
        {"data_units_written", "512000 bytes"},
        {"controller_busy_time", "minutes"},
        {"power_on_hours", "hours"},
        {"warning_temp_time", "minutes"},
        {"critical_comp_time", "minutes"},
        {"thm_temp1_total_time", "seconds"},
        {"thm_temp2_total_time", "seconds"},
    };
    const char *unit = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].name, name)) unit = units[i].unit;
    smart_counter(ctx, drive, "nvme", str_of(name), FACT_NULL, value, raw, unit, at);
}

const char *smart_self_test_word(int code) {
    switch ((code >> 4) & 15) {
    case 0: return "completed";
    case 1:
    case 2: return "aborted";
    case 15: return "in-progress";
    default: return (code >> 4 & 15) <= 8 ? "failed" : NULL;
    }
}

static bool test_failed(Str status) {
    static const char *const words[] = {"failure",   "handling damage", "Fatal or unknown",
                                        "Failed in", "segment failed",  "failed segment"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_ifind(status, words[i]) != SIZE_MAX) return true;
    return false;
}

void smart_test(ParseCtx *ctx, SmartTests *tests, Str status, bool is_long, double hours, Str lba, Spot at) {
    Spot kept = at;
    kept.text = arena_str(ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    if (kept.path.len) kept.path = arena_str(ctx->scratch, at.path);
    if (!tests->logged++) tests->at = kept;
    if (test_failed(status)) {
        if (!tests->failed++) {
            tests->at = kept;
            tests->failed_hours = hours;
            size_t colon = str_find(status, "Completed: ");
            Str words =
                colon == SIZE_MAX ? STR("failed in a segment") : str_from(status, colon + strlen("Completed: "));
            size_t gap = str_find(words, "  ");
            tests->failure = arena_str(ctx->scratch, str_trim(gap == SIZE_MAX ? words : str_sub(words, 0, gap)));
            tests->lba = arena_str(ctx->scratch, lba);
        }
        if (!tests->passed_long) tests->open++;
    } else if (is_long && str_has(status, "Completed")) {
        if (!tests->passed_long++) {
            tests->long_at = kept;
            tests->long_hours = hours;
        }
    }
}

void smart_tests_end(ParseCtx *ctx, SmartTests *t, Ref drive) {
    if (!t->logged) return;
    const char *k = "ata"; /* one name for all kinds of drives, as rules ask for it */
    smart_counter(ctx, drive, k, STR("self_tests_failed"), FACT_NULL, (double)t->failed, STR_NONE, NULL, t->at);
    smart_counter(ctx, drive, k, STR("self_tests_failed_open"), FACT_NULL, (double)t->open, STR_NONE, NULL, t->at);
    smart_counter(ctx, drive, k, STR("self_tests_passed_long"), FACT_NULL, (double)t->passed_long, STR_NONE, NULL,
                  t->passed_long ? t->long_at : t->at);
    if (!isnan(t->long_hours))
        smart_counter(ctx, drive, k, STR("self_test_long_hours"), FACT_NULL, t->long_hours, STR_NONE, "hours",
                      t->long_at);
    if (!isnan(t->failed_hours))
        smart_counter(ctx, drive, k, STR("self_test_failed_hours"), FACT_NULL, t->failed_hours, STR_NONE, "hours",
                      t->at);
    if (t->failure.len) ctx_setting(ctx, drive, "self_test_failure", t->failure, "drive", t->at);
    if (t->lba.len) ctx_setting(ctx, drive, "self_test_failure_lba", t->lba, "drive", t->at);
}

void smart_heat(ParseCtx *ctx, SmartHeat *heat, double celsius, int64_t times, Spot at) {
    if (!(celsius >= 1 && celsius <= 120) || times < 1 || times > 100000)
        return; /* the history has a few hundred entries */
    if (!heat->total) {
        heat->at = at;
        heat->at.text = arena_str(ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
        if (at.path.len) heat->at.path = arena_str(ctx->scratch, at.path);
    }
    heat->n[(size_t)celsius] += times;
    heat->total += times;
}

void smart_heat_end(ParseCtx *ctx, SmartHeat *heat, Ref drive) {
    if (heat->total < 10) return; /* ten readings say how it is; fewer say little more than the current one */
    int64_t below = 0;
    int median = 0, most = 0;
    for (int c = 0; c < (int)(sizeof heat->n / sizeof *heat->n); c++) {
        if (below * 2 < heat->total) median = c;
        below += heat->n[c];
        if (heat->n[c]) most = c;
    }
    ctx_setting_int(ctx, drive, "temperature_history_max_celsius", most, "drive", heat->at);
    ctx_setting_int(ctx, drive, "temperature_history_median_celsius", median, "drive", heat->at);
    if (heat->interval_min > 0)
        ctx_setting_real(ctx, drive, "temperature_history_hours", heat->interval_min * (double)heat->total / 60,
                         "drive", heat->at);
}

bool smart_data_command(uint64_t opcode) {
    /* READ, WRITE and FLUSH CACHE in their forms: ATA ACS-3, command codes */
    static const unsigned char codes[] = {0x20, 0x24, 0x25, 0x29, 0x2a, 0x2b, 0x30, 0x34, 0x35, 0x39, 0x3a,
                                          0x3b, 0x3d, 0x60, 0x61, 0xc4, 0xc5, 0xc8, 0xca, 0xce, 0xe7, 0xea};
    for (size_t i = 0; i < sizeof codes; i++)
        if (codes[i] == opcode) return true;
    return false;
}

double smart_statistic(Str name, double value, bool normalized) {
    return normalized && str_starts(name, "Number of ") ? NAN : value;
}
