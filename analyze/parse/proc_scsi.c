/*
 * proc_scsi.c - the kernel's list of SCSI devices
 *
 * Reads   /proc/scsi/scsi
 * Gives   setting vendor, model, firmware, device_type, hctl of a SCSI address
 * Sample  Linux 5.10
 *   | Host: scsi0 Channel: 00 Id: 00 Lun: 00
 *   |   Vendor: ATA      Model: WDC WD40EFRX-68W Rev: 0A82
 *   |   Type:   Direct-Access                    ANSI  SCSI revision: 05
 * Varies  hardly in twenty years; numbers have leading zeros. Vendor "ATA" is libata's, not the drive's. Controllers, enclosures and
 *         processors are in the list, too: only disks and optical drives become facts.
 */
#include "scan.h"

static bool number_behind(Str line, const char *word, uint64_t *out) {
    size_t at = str_find(line, word);
    if (at == SIZE_MAX) return false;
    Str rest = str_from(line, at + strlen(word)), w = str_word(&rest);
    return str_u64(w, out);
}

/* "Host: scsi0 Channel: 00 Id: 00 Lun: 00" */
static bool host_line(Str line, uint64_t hctl[4]) {
    Str s = str_trim(line);
    return str_starts(s, "Host: scsi") && number_behind(s, "Host: scsi", &hctl[0]) &&
           number_behind(s, "Channel: ", &hctl[1]) && number_behind(s, "Id: ", &hctl[2]) &&
           number_behind(s, "Lun: ", &hctl[3]);
}

static bool vendor_line(Str s) {
    return str_starts(s, "Vendor:") && str_has(s, "Model:") && str_has(s, "Rev:");
}

static bool type_line(Str s) {
    return str_starts(s, "Type:") && str_has(s, "ANSI");
}

static bool starts(Str line) {
    uint64_t hctl[4];
    return str_is(str_trim(line), "Attached devices:") || host_line(line, hctl);
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "scsi") || str_has(command, "/proc/scsi") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = head_line(&head);
        uint64_t hctl[4];
        if (!str_trim(line).len) continue;
        if (host_line(line, hctl)) return 28 + bits;
        if (str_is(str_trim(line), "Attached devices:")) {
            line = head_line(&head);
            return !str_trim(line).len || host_line(line, hctl) ? 24 + bits : 0;
        }
        return 0;
    }
    return 0;
}

static bool continues(Str line) {
    Str s = str_trim(line);
    return !s.len || starts(line) || vendor_line(s) || type_line(s);
}

typedef struct Entry {
    Str hctl, vendor, model, rev;
    Spot at, host_at;
} Entry;

static Str between(Str s, const char *from, const char *to) {
    size_t a = str_find(s, from), b = to ? str_find(s, to) : s.len;
    if (a == SIZE_MAX || b == SIZE_MAX || b < a + strlen(from)) return STR_NONE;
    a += strlen(from);
    return str_trim(str_sub(s, a, b - a));
}

static void end_entry(ParseCtx *ctx, Entry *e, Str type, Spot at) {
    bool disk = str_is(type, "Direct-Access") || str_is(type, "Direct-Access-ZBC") || str_is(type, "Optical Device"),
         cd = str_is(type, "CD-ROM");
    if (!e->hctl.len || !(disk || cd)) return;
    Ref ref = ctx_ref(ctx, REF_SCSI, e->hctl);
    ctx_setting(ctx, ref, "hctl", e->hctl, "kernel", e->host_at);
    if (e->vendor.len && !str_is(e->vendor, "ATA")) ctx_setting(ctx, ref, "vendor", e->vendor, "kernel", e->at);
    if (e->model.len) ctx_setting(ctx, ref, "model", e->model, "kernel", e->at);
    if (e->rev.len) ctx_setting(ctx, ref, "firmware", e->rev, "kernel", e->at);
    ctx_setting(ctx, ref, "device_type", cd ? STR("cdrom") : STR("disk"), "kernel", at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Entry e = {.hctl = STR_NONE};
    Str line;
    while (input_line(in, &line)) {
        Str s = str_trim(line);
        Spot at = input_spot(in);
        uint64_t n[4];
        if (!s.len || str_is(s, "Attached devices:")) continue;
        if (host_line(line, n)) {
            ctx->rows++;
            e = (Entry){.hctl =
                            arena_strf(ctx->scratch, "%llu:%llu:%llu:%llu", (unsigned long long)n[0],
                                       (unsigned long long)n[1], (unsigned long long)n[2], (unsigned long long)n[3]),
                        .host_at = scan_keep(ctx->scratch, at)};
        } else if (vendor_line(s)) {
            ctx->rows++;
            e.vendor = arena_str(ctx->scratch, between(s, "Vendor:", "Model:"));
            e.model = arena_str(ctx->scratch, between(s, "Model:", "Rev:"));
            e.rev = arena_str(ctx->scratch, between(s, "Rev:", NULL));
            e.at = scan_keep(ctx->scratch, at);
        } else if (type_line(s)) {
            ctx->rows++;
            end_entry(ctx, &e, between(s, "Type:", "ANSI"), at);
            e = (Entry){.hctl = STR_NONE};
        } else {
            parse_note(ctx, at, "not understood in /proc/scsi/scsi: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_proc_scsi = {
    .name = "proc-scsi",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "cat /proc/scsi/scsi",
};
