/*
 * smartctl_scan.c - which drives smartctl finds, and how it speaks to them
 *
 * Reads   smartctl --scan, --scan-open, as text and as JSON
 * Gives   setting smartctl_type of a drive, and smartctl_open_error where it could not be opened
 * Sample  smartctl 7.3
 *   | /dev/sda -d sat # /dev/sda [SAT], ATA device
 *   | /dev/bus/0 -d megaraid,8 # /dev/bus/0 [megaraid_disk_08], SCSI device
 *   | # /dev/sdb -d sat # /dev/sdb [SAT], ATA device open failed: Permission denied
 * Varies  a drive that did not open is commented out; macOS prints IOService paths. Drives behind one RAID controller share its
 *         device and differ in the type.
 */
#include "device_text.h"
#include "json.h"
#include "scan.h"

/* "DEVICE -d TYPE # INFO, PROTOCOL device [open failed: WHY]" */
static bool row(Str line, Str *device, Str *type, Str *error) {
    Str s = str_trim(line), rest = str_after(s, "# ");
    if (rest.p) s = rest;
    size_t d = str_find(s, " -d "), hash = str_find(s, " # ");
    if (d == SIZE_MAX || hash == SIZE_MAX || hash < d || !str_has(str_from(s, hash), " device")) return false;
    if (!str_starts(s, "/dev/") && !str_starts(s, "IOService:")) return false;
    *device = str_sub(s, 0, d);
    *type = str_trim(str_sub(s, d + 4, hash - d - 4));
    size_t failed = str_find(s, " open failed: ");
    *error = failed == SIZE_MAX ? STR_NONE : str_from(s, failed + 14);
    return str_find_ch(*device, ' ') == SIZE_MAX && type->len && str_find_ch(*type, ' ') == SIZE_MAX;
}

static bool complaint(Str line) {
    return str_starts(line, "# scan_smart_devices:") || str_starts(line, "# /dev/") ||
           str_starts(line, "glob(3) aborted matching pattern") || str_starts(line, "# No smart devices");
}

static bool starts(Str line) {
    Str device, type, error;
    return row(line, &device, &type, &error) || str_starts(line, "# scan_smart_devices:");
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "smartctl") || path_has(path, "scan") ? 6 : 0;
    if (json_looks(head)) /* above smartctl's own bid, which hears the same words in front */
        return str_has(head, "\"smartctl\"") && str_has(head, "\"json_format_version\"") && str_has(head, "\"--scan") &&
                       str_has(head, "\"devices\"")
                   ? 56
                   : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return starts(line) ? 28 + bits : 0;
    }
    return 0;
}

static bool continues(Str line) {
    Str device, type, error;
    return !str_trim(line).len || row(line, &device, &type, &error) || complaint(line);
}

static void facts(ParseCtx *ctx, Str device, Str type, Str error, Spot at) {
    ctx->rows++;
    if (!str_starts(device, "/dev/")) return; /* a path in macOS's registry: no name of a disk */
    Ref ref = ctx_ref(ctx, REF_DISK, dev_raid_child(ctx->scratch, str_from(device, 5), type));
    ctx_setting(ctx, ref, "smartctl_type", type, "kernel", at);
    if (error.len) ctx_setting(ctx, ref, "smartctl_open_error", error, "kernel", at);
}

static ParseResult parse_json(ParseCtx *ctx, Str text) {
    Error err = {""};
    const cJSON *doc = json_read(ctx->scratch, text, &err), *item;
    if (!doc) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return PARSE_REJECTED;
    }
    size_t i = 0;
    cJSON_ArrayForEach(item, json_get(doc, "devices")) {
        Str path = json_path_index(ctx->scratch, STR("/devices"), i++);
        Str device = json_text(json_get(item, "name")), type = json_text(json_get(item, "type")),
            error = json_text(json_get(item, "open_error"));
        Spot at = spot_path(json_path(ctx->scratch, path, "type"), type);
        if (device.len && type.len) facts(ctx, device, type, error, at);
        else parse_note(ctx, spot_path(path, STR_NONE), "a device without name or type");
    }
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line;
    bool first = true;
    while (input_line(in, &line)) {
        Str device, type, error;
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (first && json_looks(line)) {
            input_unread(in);
            Str text;
            if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
                parse_note(ctx, input_spot(in), "JSON of more than %d bytes", JSON_MAX_BYTES);
            return parse_json(ctx, text);
        }
        first = false;
        if (row(line, &device, &type, &error)) facts(ctx, device, type, error, at);
        else if (complaint(line)) ctx->rows++; /* the scan itself failed: it found nothing */
        else parse_note(ctx, at, "not a row of smartctl --scan: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
    }
    return parse_result(ctx);
}

const Parser parser_smartctl_scan = {
    .name = "smartctl-scan",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "smartctl --scan-open",
};
