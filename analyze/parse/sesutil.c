/*
 * sesutil.c - which slot of an enclosure holds which disk, as FreeBSD's ses(4) knows it
 *
 * Reads   sesutil map, sesutil show, sesutil status
 * Gives   setting slot and enclosure (view kernel) of the disks in it, of show also model and serial
 * Sample  sesutil map, FreeBSD 13
 *   |ses0:
 *   |	Enclosure Name: AHCI SGPIO Enclosure 2.00
 *   |	Enclosure ID: 3061686369656d30
 *   |	Element 1, Type: Array Device Slot
 *   |		Status: OK (0x01 0x00 0x00 0x00)
 *   |		Description: Slot 00
 *   |		Device Names: ada0,pass0
 * Sample  sesutil show
 *   |ses0: <AHCI SGPIO Enclosure 2.00>; ID: 3061686369656d30
 *   |Desc     Dev     Model                     Ident                Size/Status
 *   |Slot 00  ada0    FOO SSD 1TB               EX0000000001         1T
 *   |Slot 01  -       -                         -                    Not Installed
 * Sample  sesutil status
 *   |ses0: OK
 * Varies  a slot without a name has no Description: then its element number, less one for the heading element, is the slot. "Extra
 *         status" lines and temperature elements stand between. A multipath disk has two names in one slot.
 */
#include "device_text.h"
#include "parser.h"

typedef struct Ses {
    char name[16];
    Str id, slot;
    uint64_t element;
    bool is_slot;
} Ses;

/* "ses0:" alone, or "ses0: OK" */
static bool enclosure(Str line, Str *name, Str *status) {
    Str rest = str_after(line, "ses");
    size_t n = 0;
    while (rest.p && n < rest.len && ch_digit(rest.p[n])) n++;
    if (!n || n > 4 || n >= rest.len || rest.p[n] != ':') return false;
    *name = str_sub(line, 0, 3 + n);
    *status = str_trim(str_from(rest, n + 1));
    static const char *const words[] = {"OK",   "CRITICAL",    "NONCRITICAL", "UNRECOVERABLE",
                                        "INFO", "UNSUPPORTED", "FAILED"};
    bool known = !status->len;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) known |= str_starts(*status, words[i]);
    return known && str_find_ch(line, 0x3c) == SIZE_MAX;
}

/* "ses0: <AHCI SGPIO Enclosure 2.00>; ID: 3061686369656d30" */
static bool show_title(Str line, Str *id) {
    Str rest = str_after(line, "ses");
    size_t at = str_find(line, ">; ID: ");
    if (!rest.p || !rest.len || !ch_digit(rest.p[0]) || !str_has(line, ": <") || at == SIZE_MAX) return false;
    *id = str_trim(str_from(line, at + 7));
    uint64_t hex;
    return id->len >= 8 && id->len <= 16 && str_hex_u64(*id, &hex);
}

static bool show_head(Str line) {
    return str_starts(line, "Desc") && str_has(line, " Dev") && str_has(line, " Model ");
}

/* "Slot 00  ada0    FOO SSD 1TB    EX0000000001    1T": what stands before the disk is the slot, the last word its size, the one
   before its identity. An empty slot has no disk. */
static bool show_row(Str line, Str *slot, Str *disk, Str *model, Str *ident) {
    if (!line.len || ch_blank(line.p[0])) return false;
    Str scan = line, w, names = STR_NONE;
    *disk = *model = *ident = STR_NONE;
    while ((w = str_word(&scan)).len && !names.len) {
        Str one = w;
        one = str_cut(&one, ',');
        if (w.p != line.p && (dev_is_disk(one) || str_is(w, "-"))) names = w;
        if (names.len) break;
    }
    if (!names.len) return false;
    *slot = str_trim((Str){line.p, (size_t)(names.p - line.p)});
    if (str_is(names, "-")) return str_has(line, " - ");
    Str rest = names;
    *disk = str_cut(&rest, ',');
    rest = str_trim(str_from(line, (size_t)(names.p - line.p) + names.len));
    size_t end = rest.len;
    Str tail[2] = {STR_NONE, STR_NONE};
    for (int i = 0; i < 2; i++) {
        while (end && ch_blank(rest.p[end - 1])) end--;
        size_t from = end;
        while (from && !ch_blank(rest.p[from - 1])) from--;
        tail[i] = str_sub(rest, from, end - from);
        end = from;
    }
    *model = str_trim(str_sub(rest, 0, end));
    *ident = tail[1];
    return tail[0].len > 0;
}

static bool starts(Str line) {
    Str name, status;
    line = str_trim_right(line);
    return enclosure(line, &name, &status) || show_title(line, &name);
}

static bool continues(Str line) {
    line = str_trim_right(line);
    Str slot, disk, model, ident;
    if (!line.len || starts(line) || show_head(line)) return true;
    if (str_starts(line, "Slot") && show_row(line, &slot, &disk, &model, &ident)) return true;
    if (line.p[0] != '\t') return false;
    static const char *const keys[] = {
        "Enclosure ",  "Element ", "Status: ", "Description: ", "Device Names: ", "Extra status", "- ",
        "Temperature", "Voltage",  "Current",  "Speed",         "Text: ",         "SubEnclosure", "LED"};
    Str s = str_trim(line);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_starts(s, keys[i])) return true;
    return str_starts(line, "\t\t");
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    bool named = command_is(command, "sesutil");
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head)), name, status;
        if (!line.len) continue;
        if (show_title(line, &name)) return str_has(head, "Desc") ? named ? 40 : 30 : named ? 24 : 12;
        if (!enclosure(line, &name, &status)) return 0;
        if (str_has(head, "\tEnclosure Name: ") || str_has(head, "\tElement ")) return named ? 40 : 32;
        return named ? 24 : status.len ? 10 : 0;
    }
    return 0;
}

static void names(ParseCtx *ctx, const Ses *s, Str list, Spot at) {
    while (list.len) {
        Str disk = str_trim(str_cut(&list, ','));
        if (!dev_is_disk(disk)) continue; /* pass0, ses0 */
        Ref ref = ctx_ref(ctx, REF_DISK, disk);
        Str slot = s->slot;
        if (!slot.len && s->element > 0) slot = arena_strf(ctx->scratch, "%llu", (unsigned long long)s->element - 1);
        if (slot.len) ctx_setting(ctx, ref, "slot", slot, "kernel", at);
        if (s->id.len) ctx_setting(ctx, ref, "enclosure", s->id, "kernel", at);
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Ses s = {{0}, STR_NONE, STR_NONE, 0, false};
    Str line, name, status, slot, disk, model, ident;
    bool shown = false; /* the table of `show` */
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        Str text = str_trim(line), v;
        if (show_title(line, &name)) {
            s = (Ses){{0}, arena_str(ctx->scratch, name), STR_NONE, 0, true};
            shown = true;
            ctx->rows++;
            continue;
        }
        if (show_head(line)) continue;
        if (shown && show_row(line, &slot, &disk, &model, &ident)) {
            ctx->rows++;
            if (str_starts(slot, "Slot ")) slot = str_trim(str_from(slot, 5));
            if (!disk.len) continue;
            Ref ref = ctx_ref(ctx, REF_DISK, disk);
            if (slot.len) ctx_setting(ctx, ref, "slot", slot, "kernel", at);
            ctx_setting(ctx, ref, "enclosure", s.id, "kernel", at);
            if (model.len && !str_is(model, "-")) ctx_setting(ctx, ref, "model", model, "kernel", at);
            if (ident.len >= 4 && model.len) ctx_setting(ctx, ref, "serial", ident, "kernel", at);
            continue;
        }
        if (enclosure(line, &name, &status)) {
            s = (Ses){{0}, STR_NONE, STR_NONE, 0, false};
            ctx->rows++;
            if (status.len && !str_is(status, "OK"))
                facts_note(ctx->facts, ctx->src, at,
                           arena_strf(ctx->scratch, "enclosure %.*s says %.*s", STR_ARG(name),
                                      STR_ARG(str_sub(status, 0, 40))));
        } else if (!continues(line)) {
            parse_note(ctx, at, "not a line of sesutil: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        } else if ((v = str_after(text, "Enclosure ID: ")).p) {
            s.id = arena_str(ctx->scratch, v);
        } else if ((v = str_after(text, "Element ")).p) {
            Str number = str_cut(&v, ',');
            ctx->rows++;
            s.slot = STR_NONE;
            if (!str_u64(number, &s.element))
                parse_note(ctx, at, "number of an element not understood: \"%.*s\"", STR_ARG(str_sub(text, 0, 60)));
            s.is_slot = str_has(v, "Device Slot");
        } else if ((v = str_after(text, "Description: ")).p) {
            if (str_starts(v, "Slot ")) v = str_trim(str_from(v, 5)); /* as ses(4) prints it in the kernel log */
            s.slot = arena_str(ctx->scratch, v);
        } else if ((v = str_after(text, "Device Names: ")).p) {
            ctx->rows++;
            if (s.is_slot) names(ctx, &s, v, at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_sesutil = {.name = "sesutil",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "sesutil map; sesutil show"};
