/*
 * mpsutil.c - LSI SAS adapters as FreeBSD's own tools show them
 *
 * Reads   mpsutil show adapter, mprutil show adapter (also: show all), show devices
 * Gives   setting of the adapter: model, firmware (view firmware), temperature
 * Sample  mpsutil show adapter, FreeBSD 13
 *   |mps0 Adapter:
 *   |       Board Name: SAS9211-8i
 *   |        Chip Name: LSISAS2008
 *   |Firmware Revision: 20.00.07.00
 *   |      Temperature: 52 C
 *   |PhyNum  CtlrHandle  DevHandle  Disabled  Speed   Min    Max    Device
 *   |0       0001        0009       N         6.0     1.5    6.0    SAS Initiator
 * Varies  "Temperature: Unknown/Unsupported" on older chips; a phy without a device leaves its cells blank. Handles and SAS addresses of
 *         show devices name no disk of the system, so its rows are counted and give nothing.
 */
#include "device_text.h"
#include "parser.h"

/* "mps0 Adapter:", "mpr1 Adapter:" */
static bool title(Str line, Str *unit) {
    Str rest = str_after(line, "mps");
    if (!rest.p) rest = str_after(line, "mpr");
    size_t n = 0;
    while (rest.p && n < rest.len && ch_digit(rest.p[n])) n++;
    if (!n || n > 3 || !str_is(str_trim_right(str_from(rest, n)), " Adapter:")) return false;
    *unit = str_sub(line, 0, 3 + n);
    return true;
}

static bool table_head(Str line) {
    return str_starts(line, "PhyNum ") || (str_starts(line, "B____T") && str_has(line, "SAS Address"));
}

static bool pair(Str line, Str *key, Str *value) {
    static const char *const keys[] = {"Board Name",       "Board Assembly",    "Chip Name",       "Chip Revision",
                                       "BIOS Revision",    "Firmware Revision", "Integrated RAID", "SATA NCQ",
                                       "PCIe Width/Speed", "IOC Speed",         "Temperature"};
    if (!dev_key_value(line, key, value)) return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(*key, keys[i])) return true;
    return false;
}

/* "0       0001        0009       N         6.0     1.5    6.0    SAS Initiator" or a row of show devices */
static bool row(Str line) {
    uint64_t number;
    Str w[12];
    size_t count = str_words(line, w, 12);
    return count >= 4 && str_u64(w[0], &number) && number < 1024 &&
           (str_has(line, "SAS") || str_has(line, "SATA") || str_has(line, "SMP") || str_has(line, " N ") ||
            str_has(line, "No Device"));
}

static bool starts(Str line) {
    Str unit;
    return title(line, &unit) || (str_starts(line, "B____T") && str_has(line, "SAS Address"));
}

static bool continues(Str line) {
    Str key, value;
    return !str_trim(line).len || starts(line) || table_head(line) || pair(line, &key, &value) || row(line);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    bool named = command_is(command, "mpsutil") || command_is(command, "mprutil");
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (line.len) return starts(line) ? named ? 40 : 32 : 0;
    }
    return 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, unit, key, value;
    Ref adapter = 0;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        double celsius;
        if (title(line, &unit)) {
            adapter = ctx_ref(ctx, REF_SCSI_HOST, unit);
            ctx->rows++;
        } else if (table_head(line)) {
            continue;
        } else if (pair(line, &key, &value)) {
            ctx->rows++;
            if (!adapter || !value.len) continue;
            if (str_is(key, "Board Name")) ctx_setting(ctx, adapter, "model", value, "firmware", at);
            else if (str_is(key, "Firmware Revision")) ctx_setting(ctx, adapter, "firmware", value, "firmware", at);
            else if (str_is(key, "Temperature") && dev_leading_number(value, &celsius) && celsius > 0 && celsius < 150)
                ctx_setting_real(ctx, adapter, "temperature_celsius", celsius, "firmware", at);
        } else if (row(line)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of mpsutil: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_mpsutil = {.name = "mpsutil",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "mpsutil show adapter; mprutil show adapter"};
