/*
 * swaps.c - where memory is swapped to, and how much of it
 *
 * Reads   /proc/swaps, swapon --show (--bytes), swapon -s; swapinfo of FreeBSD
 * Gives   swap
 * Sample  /proc/swaps
 *   | Filename				Type		Size		Used		Priority
 *   | /dev/sda3                               partition	8388604		1234567		-2
 * Sample  swapon --show
 *   | NAME      TYPE      SIZE USED PRIO
 *   | /dev/zd16 partition   8G 2.1G   -2
 * Sample  swapinfo -k
 *   | Device          1K-blocks     Used    Avail Capacity
 *   | /dev/ada0p3       4194304   524288  3670016    13%
 * Varies  /proc counts KiB; swapon prints units or, with --bytes, bytes; a swap file is named by its path, blanks in it as \040
 */
#include "device_text.h"
#include "scan.h"

typedef enum Form { FORM_NONE, FORM_PROC, FORM_SWAPON, FORM_BSD } Form;

static Form heading(Str s) {
    Str w[8];
    size_t n = str_words(str_trim(s), w, 8);
    if (n == 5 && str_is(w[0], "Filename") && str_is(w[1], "Type") && str_is(w[2], "Size") && str_is(w[3], "Used"))
        return FORM_PROC;
    if (n >= 4 && str_is(w[0], "NAME") && str_is(w[1], "TYPE") && str_is(w[2], "SIZE") && str_is(w[3], "USED"))
        return FORM_SWAPON;
    if (n == 5 && str_is(w[0], "Device") && str_is(w[1], "1K-blocks") && str_is(w[2], "Used")) return FORM_BSD;
    return FORM_NONE;
}

/* A row of one of the forms; sizes in bytes. */
static bool swap_row(Form form, Str s, Str *name, Str *type, double *size, double *used) {
    Str w[8];
    size_t n = str_words(str_trim(s), w, 8);
    *type = STR_NONE;
    if (form == FORM_BSD) {
        uint64_t a, b;
        if (n != 5 || !str_u64(w[1], &a) || !str_u64(w[2], &b)) return false;
        *name = w[0], *size = (double)a * 1024, *used = (double)b * 1024;
        return true;
    }
    if (n < 4 || (!str_is(w[1], "partition") && !str_is(w[1], "file") && !str_is(w[1], "virtual"))) return false;
    *name = w[0], *type = w[1];
    if (form == FORM_PROC) {
        uint64_t a, b;
        if (!str_u64(w[2], &a) || !str_u64(w[3], &b)) return false;
        *size = (double)a * 1024, *used = (double)b * 1024;
        return true;
    }
    return dev_size(w[2], size) && dev_size(w[3], used);
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "swaps") || command_is(command, "swapon") || command_is(command, "swapinfo") ||
                       str_has(command, "/proc/swaps")
                   ? 6
                   : 0;
    while (head.len) {
        Str s = head_line(&head);
        if (!str_trim(s).len) continue;
        return heading(s) != FORM_NONE ? 24 + bits : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return heading(line) != FORM_NONE;
}

static bool continues(Str line) {
    Str name, type;
    double size, used;
    if (!str_trim(line).len || starts(line)) return true;
    if (str_trim(line).p[0] != '/' && !str_starts(str_trim(line), "Total ") && !str_starts(str_trim(line), "zram"))
        return false;
    for (int f = FORM_PROC; f <= FORM_BSD; f++)
        if (swap_row((Form)f, line, &name, &type, &size, &used)) return true;
    return false;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, name, type;
    Form form = FORM_NONE;
    double size, used;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (heading(line) != FORM_NONE) {
            form = heading(line);
            ctx->rows++;
            continue;
        }
        if (form == FORM_NONE || !swap_row(form, line, &name, &type, &size, &used)) {
            parse_note(ctx, at, "not a swap space: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        if (str_is(name, "Total")) continue;
        Str device = str_strip_dev(name);
        bool file = str_is(type, "file") || !str_starts(name, "/dev/");
        Row r = ctx_row(ctx, "swap", at);
        if (!file && !str_has(name, "zram")) {
            Str disk = str_ends(device, ".eli") ? str_sub(device, 0, device.len - 4) : device;
            row_ref(&r, "node", dev_is_name(disk) ? ctx_ref(ctx, REF_DISK, disk) : scan_block_ref(ctx, name));
        }
        row_text(&r, "name", name);
        row_text(&r, "type",
                 str_has(name, "zram")                                     ? STR("zram")
                 : file                                                    ? STR("file")
                 : str_starts(device, "zd") || str_starts(device, "zvol/") ? STR("zvol")
                                                                           : STR("device"));
        row_real(&r, "size_bytes", size);
        row_real(&r, "used_bytes", used);
        row_done(&r);
    }
    return parse_result(ctx);
}

const Parser parser_swaps = {.name = "swaps",
                             .bid = bid,
                             .starts = starts,
                             .continues = continues,
                             .parse = parse,
                             .ask = "swapon --show --bytes"};
