/*
 * nfsiostat.c - how long an NFS client waits for its servers, per interval
 *
 * Reads   nfsiostat [INTERVAL [COUNT]]
 * Gives   table nfs_op: report 0 is the average since each mount, 1, 2 ... the intervals
 * Sample  nfs-utils 2.6
 *   |nas2:/vol mounted on /vol:
 *   |           ops/s       rpc bklog
 *   |          12.345           0.000
 *   |read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg queue (ms)          errors
 *   |                   1.234         123.456         100.000        0 (0.0%)           1.234           1.456           0.012        0 (0.0%)
 * Varies  "avg queue" and "errors" came with 2.4 and 2.5
 * Source  nfs-utils tools/nfs-iostat/nfs-iostat.py
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

static bool mount_line(Str line, Str *source, Str *where) {
    size_t on = str_find(line, " mounted on ");
    if (on == SIZE_MAX || !on || !str_ends(line, ":") || ch_blank(line.p[0])) return false;
    *source = str_sub(line, 0, on);
    *where = str_sub(line, on + 12, line.len - on - 13);
    return str_find(*source, ":/") != SIZE_MAX && str_starts(*where, "/");
}

static bool op_heading(Str line, Str *op) {
    if (!str_has(line, "ops/s") || !str_has(line, "avg RTT (ms)")) return false;
    size_t colon = str_find_ch(line, ':');
    if (colon == SIZE_MAX || colon > 10) return false;
    *op = str_sub(line, 0, colon);
    return true;
}

static bool figures(Str line) {
    Str w[12];
    size_t n = str_words(line, w, 12);
    double v;
    if (!n || n > 12) return false;
    for (size_t i = 0; i < n; i++)
        if (!str_double(w[i], &v) && !(str_starts(w[i], "(") && str_ends(w[i], "%)"))) return false;
    return true;
}

static bool starts(Str line) {
    Str a, b, s = str_trim_right(line);
    return mount_line(s, &a, &b) || op_heading(s, &a);
}

static bool continues(Str line) {
    return !str_trim(line).len || starts(line) || (str_has(line, "ops/s") && str_has(line, "rpc bklog")) ||
           (ch_blank(line.p[0]) && figures(line));
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        return starts(line) ? 28 + (command_is(command, "nfsiostat") ? 4 : 0) : 0;
    }
    return 0;
}

enum { MAX_MOUNTS = 256 };

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, source = STR_NONE, where = STR_NONE, op = STR_NONE, seen[MAX_MOUNTS];
    int64_t reports[MAX_MOUNTS] = {0}, report = 0;
    size_t mounts = 0;
    Ref fs = 0;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim_right(line), a, b;
        if (!s.len) continue;
        if (mount_line(s, &a, &b)) {
            size_t i = 0;
            while (i < mounts && !str_eq(seen[i], b)) i++;
            if (i == mounts && mounts < MAX_MOUNTS) {
                seen[mounts] = arena_str(ctx->scratch, b);
                reports[mounts++] = -1;
            }
            source = arena_str(ctx->scratch, a);
            where = arena_str(ctx->scratch, b);
            report = i < MAX_MOUNTS ? ++reports[i] : FACT_NULL;
            fs = ctx_ref(ctx, REF_FILESYSTEM, where);
            op = STR_NONE;
            ctx->rows++;
        } else if (op_heading(s, &a)) {
            op = arena_str(ctx->scratch, a);
            ctx->rows++;
        } else if (str_has(s, "rpc bklog")) {
            op = STR_NONE;
            ctx->rows++;
        } else if (figures(s)) {
            Str w[12];
            double v[12];
            size_t n = str_words(s, w, 12), k = 0;
            for (size_t i = 0; i < n && i < 12; i++)
                if (w[i].p[0] != '(' && str_double(w[i], &v[k])) k++;
            if (!op.len) ctx->rows++; /* all operations together */
            else if (k < 6 || !fs) parse_note(ctx, at, "nfsiostat: %zu columns", k);
            else {
                ctx->rows++;
                Row r = ctx_row(ctx, "nfs_op", at);
                row_ref(&r, "node", fs);
                row_text(&r, "source", source);
                row_text(&r, "mountpoint", where);
                row_text(&r, "op", op);
                row_int(&r, "report", report);
                row_real(&r, "ops_s", v[0]);
                row_real(&r, "retrans", v[3]);
                row_real(&r, "rtt_ms", v[4]);
                row_real(&r, "exe_ms", v[5]);
                if (k > 6) row_real(&r, "queue_ms", v[6]);
                row_done(&r);
            }
            op = STR_NONE;
        } else parse_note(ctx, at, "line of nfsiostat not understood");
    }
    return parse_result(ctx);
}

const Parser parser_nfsiostat = {
    .name = "nfsiostat", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "nfsiostat 1 10"};
