/*
 * sas_flash.c - firmware of LSI SAS adapters as their flash and configuration tools print it
 *
 * Reads   sas2flash, sas3flash -list, -listall; sas2ircu, sas3ircu N DISPLAY
 * Gives   setting of the adapter (view firmware): firmware, firmware_mode (IT or IR), model; by its PCI address where the output has it,
 *         else "sasflash c0"
 * Sample  sas2flash -list, 20.00.00.00
 *   |LSI Corporation SAS2 Flash Utility
 *   |	Controller Number              : 0
 *   |	PCI Address                    : 00:01:00:00
 *   |	Firmware Product ID            : 0x2213 (IT)
 *   |	Firmware Version               : 20.00.07.00
 *   |	Board Name                     : SAS9211-8i
 *   |sas2ircu 0 DISPLAY
 *   |  Controller type                         : SAS2008
 *   |  Firmware version                        : 20.00.07.00
 * Varies  Avago and Broadcom in place of LSI Corporation. -listall is a table. The rows of drives of the configuration tool spell serial
 *         numbers in forms of their own (no dash behind WD), so they name no drive and give nothing.
 */
#include "device_text.h"
#include "parser.h"

typedef struct State {
    ParseCtx *ctx;
    Ref node, index;
    bool drives; /* the section of drives or volumes is open */
} State;

static bool title(Str line) {
    Str s = str_trim_left(line);
    return (str_starts(s, "LSI Corporation SAS") || str_starts(s, "Avago Technologies SAS") ||
            str_starts(s, "Broadcom Limited SAS") || str_starts(s, "Broadcom SAS")) &&
           (str_has(s, " Flash Utility") || str_has(s, " IR Configuration Utility"));
}

/* "0  SAS2008(B2)     20.00.07.00    14.01.00.08    07.39.02.00     00:01:00:00" */
static bool table_row(Str line, Str w[6]) {
    uint64_t number;
    return str_words(line, w, 6) == 6 && str_u64(w[0], &number) && number < 1000 && str_starts(w[1], "SAS") &&
           w[5].len == 11 && w[5].p[2] == ':';
}

static bool starts(Str line) {
    return title(line);
}

static bool continues(Str line) {
    static const char *const words[] = {
        "Version ",      "Copyright",   "Adapter Selected", "Finished Processing", "Exiting SAS", "Num   Ctlr",
        "Read configur", "Controller ", "IR Volume",        "IR volume",           "Physical",    "Enclosure inf",
        "Initiator at",  "Device is a", "Finished ",        "SAS2IRCU:",           "SAS3IRCU:",   "Advanced Mode",
    };
    Str w[6], key, value, s = str_trim(line);
    if (!s.len || title(line) || table_row(line, w) || str_starts(s, "-----")) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    /* "	Firmware Version               : 20.00.07.00": indented, and filled up to the colon */
    return (line.p[0] == '\t' || line.p[0] == ' ') && str_has(line, " : ") && dev_key_value(line, &key, &value);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "sas2flash") || command_is(command, "sas3flash") ||
                       command_is(command, "sas2ircu") || command_is(command, "sas3ircu") || path_has(path, "sas2") ||
                       path_has(path, "sas3")
                   ? 6
                   : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return title(line) ? 30 + bits : 0;
    }
    return 0;
}

static void adapter(State *s, uint64_t number) {
    s->node = s->index =
        ctx_ref(s->ctx, REF_SCSI_HOST, arena_strf(s->ctx->scratch, "sasflash c%u", (unsigned)(number % 1000)));
    s->drives = false;
}

static void property(State *s, Str key, Str value, Spot at) {
    uint64_t number;
    if (str_is(key, "Controller Number") && str_u64(value, &number)) {
        adapter(s, number);
        return;
    }
    if (s->drives || !value.len) return;
    if (!s->node) adapter(s, 0);
    if (str_is(key, "PCI Address")) {
        Str bdf = dev_sas_pci_address(s->ctx->scratch, value);
        if (!bdf.len) return;
        Ref pci = ctx_ref(s->ctx, REF_PCI, bdf);
        facts_same(s->ctx->facts, s->ctx->src, s->index, pci, "flash tool", at);
        s->node = pci;
    } else if (str_is(key, "Firmware Version") || str_is(key, "Firmware version")) {
        ctx_setting(s->ctx, s->node, "firmware", value, "firmware", at);
    } else if (str_is(key, "Firmware Product ID")) {
        if (str_has(value, "(IT)")) ctx_setting(s->ctx, s->node, "firmware_mode", STR("IT"), "firmware", at);
        if (str_has(value, "(IR)")) ctx_setting(s->ctx, s->node, "firmware_mode", STR("IR"), "firmware", at);
    } else if (str_is(key, "Board Name") && !str_is(value, "N/A")) {
        ctx_setting(s->ctx, s->node, "model", value, "firmware", at);
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State s = {.ctx = ctx};
    Str line, key, value, w[6], number;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        Str text = str_trim(line);
        uint64_t n;
        if (!text.len) continue;
        number = str_after(text, "Read configuration has been initiated for controller ");
        if (number.len && str_u64(number, &n)) adapter(&s, n);
        if (str_starts(text, "Physical device information") || str_istarts(text, "IR volume information") ||
            str_starts(text, "Device is a") || str_starts(text, "Enclosure information"))
            s.drives = true;
        if (table_row(line, w)) {
            Str bdf = dev_sas_pci_address(ctx->scratch, w[5]);
            ctx->rows++;
            if (bdf.len) ctx_setting(ctx, ctx_ref(ctx, REF_PCI, bdf), "firmware", w[2], "firmware", at);
        } else if ((line.p[0] == '\t' || line.p[0] == ' ') && str_has(line, " : ") &&
                   dev_key_value(line, &key, &value)) {
            ctx->rows++;
            property(&s, key, value, at);
        } else if (continues(line)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of a SAS flash tool: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_sas_flash = {.name = "sas-flash",
                                 .bid = bid,
                                 .starts = starts,
                                 .continues = continues,
                                 .parse = parse,
                                 .ask = "sas2flash -list; sas3flash -list"};
