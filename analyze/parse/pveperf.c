/*
 * pveperf.c - Proxmox's quick look at a host
 *
 * Reads   pveperf [PATH]
 * Gives   benchmark: flushes per second of a file that is written and flushed again and again; the buffered read of the device
 * Sample  pve-manager 8
 *   | CPU BOGOMIPS:      57471.52
 *   | REGEX/SECOND:      3824412
 *   | HD SIZE:           64.27 GB (/dev/mapper/pve-root)
 *   | BUFFERED READS:    239.96 MB/sec
 *   | AVERAGE SEEK TIME: 0.24 ms
 *   | FSYNCS/SECOND:     691.50
 *   | DNS EXT:           54.79 ms
 * Varies  ZFS has a dataset behind HD SIZE and neither BUFFERED READS nor AVERAGE SEEK TIME; without PATH it looks at /. The reads come
 *         through the page cache (2 GiB at the start of the device).
 */
#include "device_text.h"
#include "scan.h"

#include <math.h>

static const char *const labels[] = {"CPU BOGOMIPS:",      "REGEX/SECOND:",  "HD SIZE:", "BUFFERED READS:",
                                     "AVERAGE SEEK TIME:", "FSYNCS/SECOND:", "DNS EXT:", "DNS INT:"};

static bool ours(Str line) {
    Str s = str_trim(line);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (str_starts(s, labels[i])) return true;
    return false;
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "pveperf") || path_has(path, "pveperf") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str s = str_trim(head_line(&head));
        if (!s.len) continue;
        if (str_starts(s, "CPU BOGOMIPS:") || str_starts(s, "FSYNCS/SECOND:")) return 26 + bits;
        return ours(s) && bits ? 20 : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return str_starts(str_trim(line), "CPU BOGOMIPS:") || str_starts(str_trim(line), "FSYNCS/SECOND:");
}

static bool continues(Str line) {
    return !str_trim(line).len || ours(line);
}

/* What HD SIZE names: a device, or a dataset of ZFS. */
static Ref place(ParseCtx *ctx, Str where) {
    if (!where.len) return 0;
    if (str_starts(where, "/dev/")) return scan_block_ref(ctx, where);
    Str rest = where, pool = str_cut(&rest, '/');
    return rest.len ? ctx_ref(ctx, REF_DATASET, where) : ctx_ref(ctx, REF_POOL, pool);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, where = STR_NONE, target = STR_NONE;
    Str words = ctx->command;
    for (Str word; (word = str_word(&words)).len;)
        if (word.p[0] == '/') target = word;
    while (input_line(in, &line)) {
        Str s = str_trim(line), key, value;
        Spot at = input_spot(in);
        if (!s.len) continue;
        double v;
        if (!ours(s) || !dev_key_value(s, &key, &value) || !dev_leading_number(value, &v)) {
            parse_note(ctx, at, "not a line of pveperf: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
            continue;
        }
        ctx->rows++;
        if (str_is(key, "HD SIZE")) {
            size_t open = str_find_ch(value, '(');
            if (open != SIZE_MAX && str_ends(value, ")"))
                where = arena_str(ctx->scratch, str_sub(value, open + 1, value.len - open - 2));
        } else if (str_is(key, "FSYNCS/SECOND") || str_is(key, "BUFFERED READS")) {
            bool flush = str_is(key, "FSYNCS/SECOND");
            Row r = ctx_row(ctx, "benchmark", at);
            Ref node = place(ctx, where);
            if (node) row_ref(&r, "node", node);
            row_text(&r, "tool", STR("pveperf"));
            row_text(&r, "rw", flush ? STR("write") : STR("read"));
            row_int(&r, "direct", 0);
            row_text(&r, "sync", flush ? STR("dsync") : STR("none"));
            row_text(&r, "target", where.len ? where : target);
            if (flush) row_real(&r, "iops", v);
            else row_real(&r, "mb_s", v);
            row_text(
                &r, "measures",
                flush
                    ? STR("one writer that flushes after each write: the latency of a flush, not the rate of the drive")
                    : STR("reads through the page cache"));
            row_done(&r);
        }
    }
    return parse_result(ctx);
}

const Parser parser_pveperf = {
    .name = "pveperf", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "pveperf PATH"};
