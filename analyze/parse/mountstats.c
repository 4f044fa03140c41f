/*
 * mountstats.c - how long an NFS client waited for its servers, since each mount
 *
 * Reads   /proc/self/mountstats
 * Gives   table nfs_op, averages since it was mounted (report 0); mount rows of NFS
 * Sample  statvers 1.1
 *   |device nas2:/vol mounted on /vol with fstype nfs4 statvers=1.1
 *   |	age:	86400
 *   |	per-op statistics
 *   |	        READ: 1234 1234 0 234567 345678 12 3456 3500 0
 * Varies  the last number (errors) came with Linux 4.20. Other file systems have the first line only.
 * Source  Linux net/sunrpc/stats.c rpc_clnt_show_stats(), fs/nfs/super.c nfs_show_stats()
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

/* "device SOURCE mounted on MOUNTPOINT with fstype TYPE [statvers=1.1]" */
static bool device_line(Str line, Str *source, Str *where, Str *type) {
    if (!str_starts(line, "device ")) return false;
    size_t on = str_find(line, " mounted on "), with = str_find(line, " with fstype ");
    if (on == SIZE_MAX || with == SIZE_MAX || with < on + 12) return false;
    *source = str_sub(line, 7, on - 7);
    *where = str_sub(line, on + 12, with - on - 12);
    Str rest = str_from(line, with + 13);
    *type = str_word(&rest);
    return source->len && where->len && type->len;
}

/* "READ: 1234 1234 0 234567 345678 12 3456 3500 0" */
static bool op_line(Str line, Str *op, double v[9], size_t *count) {
    Str s = str_trim(line), w[12];
    size_t n = str_words(s, w, 12);
    if (n < 9 || n > 10 || !str_ends(w[0], ":") || w[0].len < 3) return false;
    for (size_t i = 0; i + 1 < w[0].len; i++)
        if (!ch_alnum(w[0].p[i]) && w[0].p[i] != '_') return false;
    for (size_t i = 1; i < n; i++)
        if (!ch_digit(w[i].p[0]) || !str_double(w[i], &v[i - 1])) return false;
    *op = str_sub(w[0], 0, w[0].len - 1);
    *count = n - 1;
    return true;
}

static bool key_line(Str line) {
    static const char *const keys[] = {
        "opts:", "age:", "impl_id:",     "caps:",   "sec:",      "events:", "bytes:",  "nfsv4:",
        "xprt:", "fsc:", "RPC iostats ", "per-op ", "sessions:", "pnfs:",   "device ", "no device mounted on "};
    Str s = str_trim(line);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_starts(s, keys[i])) return true;
    return false;
}

static bool starts(Str line) {
    Str a, b, c;
    return device_line(line, &a, &b, &c);
}

static bool continues(Str line) {
    Str op;
    double v[9];
    size_t n;
    return !str_trim(line).len || starts(line) ||
           (ch_blank(line.p[0]) && (key_line(line) || op_line(line, &op, v, &n))) ||
           str_starts(line, "no device mounted on ");
}

static int bid(Str path, Str command, Str head) {
    (void)command;
    int lines = 0;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (starts(line)) lines++;
        else if (!lines && str_trim(line).len) return 0;
    }
    return lines ? 24 + (path_has(path, "mountstats") ? 6 : 0) : 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, source = STR_NONE, where = STR_NONE, type, op;
    Ref fs = 0;
    double v[9];
    size_t n;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        Str a, b;
        if (device_line(str_trim_right(line), &a, &b, &type)) {
            ctx->rows++;
            fs = 0;
            if (!str_starts(type, "nfs") || str_is(type, "nfsd")) continue;
            source = arena_str(ctx->scratch, a);
            where = arena_str(ctx->scratch, b);
            fs = ctx_ref(ctx, REF_FILESYSTEM, where);
            Row r = ctx_row(ctx, "mount", at);
            row_ref(&r, "node", fs);
            row_text(&r, "source", source);
            row_text(&r, "mountpoint", where);
            row_text(&r, "fstype", type);
            row_done(&r);
        } else if (op_line(line, &op, v, &n)) {
            ctx->rows++;
            if (!fs || v[0] <= 0) continue;
            Row r = ctx_row(ctx, "nfs_op", at);
            row_ref(&r, "node", fs);
            row_text(&r, "source", source);
            row_text(&r, "mountpoint", where);
            row_text(&r, "op", op);
            row_int(&r, "report", 0);
            row_real(&r, "ops", v[0]);
            row_real(&r, "retrans", v[1] >= v[0] ? v[1] - v[0] : NAN);
            row_real(&r, "queue_ms", v[5] / v[0]);
            row_real(&r, "rtt_ms", v[6] / v[0]);
            row_real(&r, "exe_ms", v[7] / v[0]);
            row_done(&r);
        } else if (key_line(line)) ctx->rows++;
        else parse_note(ctx, at, "line of mountstats not understood");
    }
    return parse_result(ctx);
}

const Parser parser_mountstats = {.name = "mountstats",
                                  .bid = bid,
                                  .starts = starts,
                                  .continues = continues,
                                  .parse = parse,
                                  .ask = "cat /proc/self/mountstats"};
