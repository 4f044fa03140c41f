/*
 * nvmecontrol.c - NVMe drives as FreeBSD's own tool shows them
 *
 * Reads   nvmecontrol devlist; identify of a controller or a namespace; logpage -p 1 (errors) and -p 2 (health)
 * Gives   setting (identity, vwc_present, LBA formats; view drive), counter (kind nvme, names of the specification)
 * Sample  nvmecontrol identify nvme0ns1, FreeBSD 12.2
 *   |Size:                        1953525168 blocks
 *   |Number of LBA Formats:       2
 *   |Current LBA Format:          LBA Format #00
 *   |Globally Unique Identifier:  00000000000000000000000000000000
 *   |IEEE EUI64:                  0025385971b0b9c5
 *   |LBA Format #00: Data Size:   512  Metadata Size:     0  Performance: Better
 *   |LBA Format #01: Data Size:  4096  Metadata Size:     0  Performance: Best
 * Varies  identify and logpage do not name the device: the command line or the member's path does, else the serial number stands for it.
 *         "Size (in LBAs)" before 12. An NGUID or EUI of zeros is none. devlist rounds sizes to MB, so they are left alone.
 *         Relative performance words: Best, Better, Good, Degraded (NVMe base specification, LBA Format RP 0 to 3)
 */
#include "device_text.h"
#include "parser.h"
#include "smart_fact.h"

#include <math.h>

enum { FORMATS = 64 };

static const struct {
    const char *text, *name;
} health[] = {
    {"Critical Warning State", "critical_warning"},
    {"Temperature", "temperature"},
    {"Available spare", "available_spare"},
    {"Available spare threshold", "available_spare_threshold"},
    {"Percentage used", "percentage_used"},
    {"Data units (512,000 byte) read", "data_units_read"},
    {"Data units (512 byte) read", "data_units_read"}, /* the wording of 9.x: the unit was the same */
    {"Data units written", "data_units_written"},
    {"Data units (512 byte) written", "data_units_written"},
    {"Host read commands", "host_reads"},
    {"Host write commands", "host_writes"},
    {"Controller busy time (minutes)", "controller_busy_time"},
    {"Power cycles", "power_cycles"},
    {"Power on hours", "power_on_hours"},
    {"Unsafe shutdowns", "unsafe_shutdowns"},
    {"Media errors", "media_errors"},
    {"No. error info log entries", "num_err_log_entries"},
    {"Warning Temp Composite Time", "warning_temp_time"},
    {"Error Temp Composite Time", "critical_comp_time"},
    {"Temperature 1 Transition Count", "thm_temp1_trans_count"},
    {"Temperature 2 Transition Count", "thm_temp2_trans_count"},
    {"Total Time For Temperature 1", "thm_temp1_total_time"},
    {"Total Time For Temperature 2", "thm_temp2_total_time"},
};

/* " nvme0: Amazon Elastic Block Store" */
static bool device_row(Str line, Str *device, Str *model) {
    if (!str_starts(line, " nvme") || line.len < 9) return false;
    Str s = str_from(line, 1);
    size_t n = 4;
    while (n < s.len && ch_digit(s.p[n])) n++;
    if (n == 4 || n > 9 || !str_starts(str_from(s, n), ": ")) return false;
    *device = str_sub(s, 0, n);
    *model = str_trim(str_from(s, n + 2));
    return model->len > 0;
}

/* "    nvme0ns1 (10240MB)"; since 14 a name of a disk may stand there */
static bool namespace_row(Str line) {
    return (str_starts(line, "    nvme") || str_starts(line, "    nda") || str_starts(line, "    nvd")) &&
           str_ends(str_trim_right(line), "MB)");
}

static bool title(Str line) {
    return str_is(line, "Controller Capabilities/Features") || str_is(line, "SMART/Health Information Log") ||
           str_is(line, "Error Information Log") || str_is(line, "Admin Command Set Attributes") ||
           str_is(line, "NVM Command Set Attributes") || str_is(line, "Namespace Drive Attributes");
}

/* The first line of a namespace: it has no heading. */
static bool size_line(Str line) {
    if (str_starts(line, "Size (in LBAs):  ")) return true;
    return str_starts(line, "Size:                        ") && str_ends(line, " blocks");
}

static bool starts(Str line) {
    Str device, model;
    line = str_trim_right(line);
    return title(line) || size_line(line) || device_row(line, &device, &model);
}

static bool continues(Str line) {
    Str key, value;
    line = str_trim_right(line);
    if (!line.len || starts(line) || namespace_row(line)) return true;
    bool ruler = true;
    for (size_t i = 0; i < line.len; i++) ruler &= line.p[i] == '=';
    if (ruler) return line.len >= 10;
    if (str_starts(line, "No error entries found") || str_starts(line, "Entry ") ||
        str_starts(line, "Submission Queue Entry") || str_starts(line, "Completion Queue Entry") ||
        str_is(line, "Metadata Capabilities"))
        return true;
    static const char *const begins[] = {"LBA Format #", "Vendor ID", "Subsystem Vendor",
                                         "Utilization",  "Capacity",  "Temperature Sensor"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (str_starts(line, begins[i])) return true;
    /* "Key:    value" with the value in a column of its own */
    if (!dev_key_value(line, &key, &value) || !key.len) return false;
    size_t colon = str_find_ch(line, ':');
    return (line.p[0] >= 'A' && line.p[0] <= 'Z' && value.len &&
            (colon >= 24 || str_starts(str_from(line, colon), ":  "))) ||
           str_starts(line, "  M") || str_starts(line, " ") || str_starts(line, "IEEE") || str_starts(line, "NVM ");
}

static int bid(Str path, Str command, Str head) {
    bool named = command_is(command, "nvmecontrol") || path_has(path, "nvmecontrol");
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head)), device, model;
        if (!line.len) continue;
        if (title(line)) return named ? 40 : 32;
        if (size_line(line)) return named ? 40 : str_has(head, "LBA Format #") ? 32 : 0;
        if (!device_row(line, &device, &model)) return 0;
        return namespace_row(str_trim_right(head_line(&head))) ? named ? 38 : 30 : named ? 16 : 0;
    }
    return 0;
}

typedef struct Format {
    bool seen;
    double bytes, metadata;
    int rank; /* 0 best */
    Spot at;
} Format;

typedef struct Nvme {
    ParseCtx *ctx;
    Ref ref;
    Str serial; /* what stands for the drive where no name does */
    Format format[FORMATS];
    int64_t current;
    Spot current_at;
    double blocks;
    Spot blocks_at;
    bool errors; /* within the error log: its entries repeat names of the other tables */
} Nvme;

static Spot keep(Nvme *n, Spot at) {
    at.text = arena_str(n->ctx->scratch, at.text);
    return at;
}

static Ref drive(Nvme *n, Spot at) {
    if (!n->ref)
        n->ref = n->serial.len ? ctx_ref(n->ctx, REF_SERIAL, n->serial)
                               : ctx_ref(n->ctx, REF_DISK,
                                         arena_strf(n->ctx->scratch, "[drive at line %lld]", (long long)at.line));
    return n->ref;
}

static void set(Nvme *n, const char *key, Str value, Spot at) {
    if (value.len) ctx_setting(n->ctx, drive(n, at), key, value, "drive", at);
}

/* "nvme0" of nvme0 and nvme0ns1; nvd0 and nda0 as they are: they are counted on their own. */
static Str device_word(Str word) {
    if (str_starts(word, "/dev/")) word = str_from(word, 5);
    static const char *const names[] = {"nvme", "nvd", "nda"};
    for (size_t i = 0; i < 3; i++) {
        Str rest = str_after(word, names[i]);
        size_t n = 0;
        while (rest.p && n < rest.len && n < 5 && ch_digit(rest.p[n])) n++;
        if (!n) continue;
        Str tail = str_from(rest, n);
        if (tail.len && !(i == 0 && str_starts(tail, "ns") && tail.len > 2 && ch_digit(tail.p[2])) &&
            (ch_digit(tail.p[0]) || (tail.p[0] >= 'a' && tail.p[0] <= 'z')))
            continue;
        return str_sub(word, 0, word.len - tail.len);
    }
    return STR_NONE;
}

static Str given_device(ParseCtx *ctx) {
    Str rest = ctx->command, found = STR_NONE;
    for (Str word; (word = str_word(&rest)).len;)
        if (device_word(word).len) found = device_word(word);
    if (found.len) return found;
    Str path = ctx->path;
    for (size_t i = 0; i < path.len; i++)
        if (!i || !((path.p[i - 1] >= 'a' && path.p[i - 1] <= 'z') || ch_digit(path.p[i - 1])))
            if (device_word(str_from(path, i)).len) found = device_word(str_from(path, i));
    return found;
}

/* "LBA Format #01: Data Size:  4096  Metadata Size:     0  Performance: Best" */
static void lba_format(Nvme *n, Str line, Spot at) {
    uint64_t index, bytes, metadata;
    static const char *const words[] = {"Best", "Better", "Good", "Degraded"};
    Str rest = str_after(line, "LBA Format #"), number = str_cut(&rest, ':');
    size_t data = str_find(rest, "Data Size:"), meta = str_find(rest, "Metadata Size:");
    if (!str_u64(str_trim(number), &index) || index >= FORMATS || data == SIZE_MAX || meta == SIZE_MAX) {
        parse_note(n->ctx, at, "LBA format not understood: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        return;
    }
    Str d = str_from(rest, data + 10), m = str_from(rest, meta + 14);
    if (!str_u64(str_word(&d), &bytes) || !str_u64(str_word(&m), &metadata) || bytes < 256 || bytes > 1 << 20) {
        parse_note(n->ctx, at, "sizes of an LBA format not understood: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        return;
    }
    n->ctx->rows++;
    Format f = {.seen = true, .bytes = (double)bytes, .metadata = (double)metadata, .rank = -1, .at = keep(n, at)};
    size_t perf = str_find(rest, "Performance:");
    Str word = perf == SIZE_MAX ? STR_NONE : str_trim(str_from(rest, perf + 12));
    for (int i = 0; i < 4; i++)
        if (str_is(word, words[i])) f.rank = i;
    n->format[index] = f;
}

static void namespace_done(Nvme *n) {
    if (n->current >= 0 && n->current < FORMATS && n->format[n->current].seen) {
        const Format *now = &n->format[n->current], *best = NULL;
        ctx_setting_int(n->ctx, drive(n, now->at), "lba_format_bytes", i64_of(now->bytes), "drive", now->at);
        if (n->blocks > 0 && n->blocks * now->bytes < 1e18)
            ctx_setting_int(n->ctx, drive(n, n->blocks_at), "size_bytes", i64_of(n->blocks * now->bytes), "drive",
                            n->blocks_at);
        /* Formats with metadata are for hosts that use it; ZFS and GEOM do not. */
        for (size_t i = 0; i < FORMATS; i++) {
            const Format *f = &n->format[i];
            if (f->seen && f->rank >= 0 && f->metadata == 0 && (!best || f->rank < best->rank)) best = f;
        }
        if (now->rank >= 0 && best) {
            ctx_setting_int(n->ctx, drive(n, now->at), "lba_format_rank", now->rank, "drive", now->at);
            ctx_setting_int(n->ctx, drive(n, best->at), "lba_format_best_bytes", i64_of(best->bytes), "drive",
                            best->at);
            ctx_setting_int(n->ctx, drive(n, best->at), "lba_format_best_rank", best->rank, "drive", best->at);
        }
    }
    memset(n->format, 0, sizeof n->format);
    n->current = -1;
    n->blocks = 0;
}

static void health_line(Nvme *n, Str key, Str value, Spot at) {
    for (size_t i = 0; i < sizeof health / sizeof *health; i++) {
        if (!str_is(key, health[i].text)) continue;
        double number;
        uint64_t hex;
        Str word = value;
        word = str_word(&word);
        if (str_starts(word, "0x") ? !str_hex_u64(word, &hex) : !dev_leading_number(value, &number)) {
            parse_note(n->ctx, at, "%s: expected a number, found \"%.*s\"", health[i].text,
                       STR_ARG(str_sub(value, 0, 60)));
            return;
        }
        if (str_starts(word, "0x")) number = (double)hex;
        if (i == 1) number -= 273; /* "307 K, 33.85 C, 92.93 F": the log holds whole kelvins */
        smart_nvme_counter(n->ctx, drive(n, at), health[i].name, number, value, at);
        if (i == 1 && number > 0 && number < 150)
            ctx_setting_real(n->ctx, drive(n, at), "temperature_celsius", number, "drive", at);
        if (!strcmp(health[i].name, "power_on_hours"))
            ctx_setting_int(n->ctx, drive(n, at), "power_on_hours", i64_of(number), "drive", at);
        return;
    }
}

static void key_line(Nvme *n, Str line, Spot at) {
    Str key, value;
    if (!dev_key_value(line, &key, &value)) return;
    n->ctx->rows++;
    if (n->errors || ch_blank(line.p[0])) return;
    if (str_is(key, "Serial Number")) {
        n->serial = arena_str(n->ctx->scratch, value);
        set(n, "serial", value, at);
        set(n, "transport", STR("nvme"), at);
    } else if (str_is(key, "Model Number")) set(n, "model", value, at);
    else if (str_is(key, "Firmware Version")) set(n, "firmware", value, at);
    else if (str_is(key, "Volatile Write Cache"))
        set(n, "vwc_present",
            str_is(value, "Present")    ? STR("1")
            : str_starts(value, "Not ") ? STR("0")
                                        : STR_NONE,
            at);
    else if (str_is(key, "Globally Unique Identifier") || str_is(key, "IEEE EUI64")) {
        Str digits = dev_wwn(n->ctx->scratch, value); /* zeros are none */
        set(n, digits.len == 32 ? "nguid" : "eui", digits, at);
    } else if (str_is(key, "Size") || str_is(key, "Size (in LBAs)")) {
        n->blocks = 0;
        dev_leading_number(value, &n->blocks);
        n->blocks_at = keep(n, at);
    } else if (str_is(key, "Current LBA Format")) {
        Str number = str_after(value, "LBA Format #");
        uint64_t index;
        if (number.p && str_u64(str_trim(number), &index) && index < FORMATS) n->current = (int64_t)index;
        n->current_at = keep(n, at);
    } else health_line(n, key, value, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Nvme *n = arena_new_of(ctx->scratch, Nvme);
    *n = (Nvme){.ctx = ctx, .current = -1};
    Str line, device, model, given = given_device(ctx);
    if (given.len) n->ref = ctx_ref(ctx, REF_DISK, given);
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (device_row(line, &device, &model)) {
            ctx->rows++;
            Ref ref = ctx_ref(ctx, REF_DISK, device);
            ctx_setting(ctx, ref, "model", model, "drive", at);
            ctx_setting(ctx, ref, "transport", STR("nvme"), "drive", at);
        } else if (namespace_row(line)) {
            ctx->rows++;
        } else if (title(line)) {
            n->errors = str_is(line, "Error Information Log");
            if (str_is(line, "Controller Capabilities/Features")) {
                namespace_done(n);
                if (!given.len) n->ref = 0; /* another drive */
            }
        } else if (str_starts(line, "LBA Format #")) {
            lba_format(n, line, at);
        } else if (!continues(line)) {
            parse_note(ctx, at, "not a line of nvmecontrol: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        } else if (str_starts(line, "No error entries found")) {
            ctx->rows++;
        } else {
            if (size_line(line)) namespace_done(n);
            key_line(n, line, at);
        }
    }
    namespace_done(n);
    return parse_result(ctx);
}

const Parser parser_nvmecontrol = {
    .name = "nvmecontrol",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "nvmecontrol devlist; nvmecontrol identify nvme0; nvmecontrol identify nvme0ns1; nvmecontrol logpage -p 2 "
           "nvme0",
};
