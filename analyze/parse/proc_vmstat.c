/*
 * proc_vmstat.c - counters of the kernel's memory management that speak of storage
 *
 * Reads   /proc/vmstat
 * Gives   counter of the host (kind sysfs): pages waiting to be written, swapping, major faults, reclaim that had to wait
 * Sample  kernel 6.1, a part
 *   | nr_free_pages 615337
 *   | nr_dirty 1021
 *   | nr_writeback 96
 *   | pgpgin 8834020
 *   | pswpout 1200
 *   | pgmajfault 52110
 * Varies  names come and go with the kernel; pages are of the machine's size (4096 bytes on x86), pgpgin and pgpgout are KiB
 */
#include "parser.h"

static const struct {
    const char *name, *unit;
} kept[] = {{"nr_dirty", "pages"},
            {"nr_writeback", "pages"},
            {"nr_writeback_temp", "pages"},
            {"nr_unstable", "pages"},
            {"nr_dirty_threshold", "pages"},
            {"nr_dirty_background_threshold", "pages"},
            {"nr_dirtied", "pages"},
            {"nr_written", "pages"},
            {"pgpgin", "KiB"},
            {"pgpgout", "KiB"},
            {"pswpin", "pages"},
            {"pswpout", "pages"},
            {"pgmajfault", NULL},
            {"oom_kill", NULL},
            {"balance_dirty_pages", NULL},
            {"nr_vmscan_write", "pages"},
            {"allocstall", NULL},
            {"allocstall_normal", NULL},
            {"allocstall_movable", NULL},
            {"workingset_refault", "pages"},
            {"workingset_refault_file", "pages"},
            {"workingset_refault_anon", "pages"},
            {"drop_pagecache", NULL}};

static bool vmstat_line(Str line, Str *name, uint64_t *value) {
    Str rest = line;
    *name = str_word(&rest);
    if (name->len < 3 || name->len > 60 || !ch_alpha(name->p[0])) return false;
    for (size_t i = 0; i < name->len; i++)
        if (!ch_alnum(name->p[i]) && name->p[i] != '_') return false;
    Str number = str_word(&rest);
    if (number.len > 1 && number.p[0] == '-')
        number = str_from(number, 1); /* differences of per-CPU counters dip below 0 */
    return str_u64(number, value) && !str_trim(rest).len;
}

static int vmstat_bid(Str path, Str command, Str head) {
    int lines = 0, pages = 0;
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head), name;
        uint64_t v;
        if (!str_trim(line).len) continue;
        if (!vmstat_line(line, &name, &v)) return 0;
        lines++;
        pages += str_starts(name, "nr_") || str_starts(name, "pgpg") || str_starts(name, "numa_") ||
                 str_starts(name, "pswp");
    }
    if (pages < 3 || pages * 2 < lines) return 0;
    return 20 + (path_has(path, "vmstat") || str_has(command, "proc/vmstat") ? 6 : 0);
}

static bool vmstat_starts(Str line) {
    Str name;
    uint64_t v;
    return str_starts(line, "nr_free_pages ") && vmstat_line(line, &name, &v);
}

static bool vmstat_continues(Str line) {
    Str name;
    uint64_t v;
    return vmstat_line(line, &name, &v);
}

static ParseResult vmstat_parse(ParseCtx *ctx, Input *in) {
    Ref host = 0;
    Str line, name;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t v;
        if (!str_trim(line).len) continue;
        if (!vmstat_line(line, &name, &v)) {
            parse_note(ctx, at, "not a line of /proc/vmstat: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            if (!str_is(name, kept[i].name)) continue;
            if (!host) host = ctx_ref(ctx, REF_HOST, STR("host"));
            Row r = ctx_row(ctx, "counter", at);
            row_ref(&r, "node", host);
            row_text(&r, "name", name);
            row_text(&r, "kind", STR("sysfs"));
            row_real(&r, "value", (double)v);
            if (kept[i].unit) row_text(&r, "unit", str_of(kept[i].unit));
            row_done(&r);
        }
    }
    return parse_result(ctx);
}

const Parser parser_proc_vmstat = {
    .name = "proc-vmstat",
    .bid = vmstat_bid,
    .starts = vmstat_starts,
    .continues = vmstat_continues,
    .parse = vmstat_parse,
    .ask = "cat /proc/vmstat",
};
