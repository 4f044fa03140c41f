/*
 * btrfs.c - what the btrfs command says of its file systems: devices, space, errors, scrub, balance, quota groups
 *
 * Reads   btrfs filesystem show, usage (also -T), df; device stats (also -T); scrub status, balance status, replace status, qgroup show;
 *         device stats, filesystem df and qgroup show also with --format json
 * Gives   table btrfs_fs (devices that there should be and are), btrfs_space; counter (kind btrfs) of devices; pool_scan (btrfs scrub,
 *         btrfs balance, btrfs replace); settings fs_type, fs_uuid, fs_label of devices, btrfs_quota and btrfs_qgroups
 * Sample  btrfs-progs 6.2, device stats, then usage
 *   |[/dev/sdb].write_io_errs    0
 *   |[/dev/sdb].corruption_errs  12
 *   |Data,RAID1: Size:1.07TiB, Used:1.06TiB (98.79%)
 *   |   /dev/sdb	   1.07TiB
 * Varies  which file system is meant stands in the command line alone (its last word); balance status names it, show names a UUID.
 *         Before 5.2 scrub status was one sentence. A missing device is "MISSING", "<missing disk>", "missing" or "*** Some devices missing".
 * Source  btrfs-progs cmds/filesystem.c, filesystem-usage.c, device.c, scrub.c, balance.c, replace.c, qgroup.c
 */
#include "../base/times.h"
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

static const char *const counter_names[] = {"write_io_errs", "read_io_errs", "flush_io_errs", "corruption_errs",
                                            "generation_errs"};
enum { COUNTERS = sizeof counter_names / sizeof *counter_names, MAX_COLUMNS = 16 };

/* ---------------------------------------------------------------- which line is whose */

/* "[/dev/sdb].write_io_errs   0"; *device may be "devid:3". */
static bool stats_line(Str line, Str *device, Str *name, Str *value) {
    size_t close = str_find(line, "].");
    if (!str_starts(line, "[") || close == SIZE_MAX) return false;
    *device = str_sub(line, 1, close - 1);
    Str rest = str_from(line, close + 2);
    *name = str_word(&rest);
    *value = str_trim(rest);
    for (size_t i = 0; i < COUNTERS; i++)
        if (str_is(*name, counter_names[i])) return device->len > 0;
    return false;
}

/* "Data,RAID1: Size:1.07TiB, Used:..." of usage, "Data, RAID1: total=1.07TiB, used=..." of df. */
static bool group_line(Str line, Str *kind, Str *profile, Str *size, Str *used) {
    size_t comma = str_find_ch(line, ','), colon = str_find(line, ": ");
    if (comma == SIZE_MAX || colon == SIZE_MAX || comma > colon || comma > 20) return false;
    *kind = str_sub(line, 0, comma);
    if (!str_is(*kind, "Data") && !str_is(*kind, "Metadata") && !str_is(*kind, "System") &&
        !str_is(*kind, "GlobalReserve") && !str_is(*kind, "Data+Metadata"))
        return false;
    *profile = str_trim(str_sub(line, comma + 1, colon - comma - 1));
    Str rest = str_trim_left(str_from(line, colon + 2)), total = str_after(rest, "Size:");
    if (!total.p) total = str_after(rest, "total=");
    if (!total.p) return false;
    *size = str_trim(str_cut(&total, ','));
    Str amount = str_trim_left(total), after = str_after(amount, "Used:");
    if (!after.p) after = str_after(amount, "used=");
    *used = after.p ? str_word(&after) : STR_NONE;
    return profile->len > 0 && size->len > 0;
}

static bool show_heading(Str line) {
    return str_starts(line, "Label: ") && str_has(line, " uuid: ");
}

static bool balance_line(Str line) {
    return (str_starts(line, "Balance on '") && str_has(line, "' is ")) || str_starts(line, "No balance found on '");
}

static bool qgroup_header(Str line) {
    Str w[4];
    return str_words(line, w, 4) >= 3 && (str_is(w[0], "qgroupid") || str_is(w[0], "Qgroupid")) &&
           (str_is(w[1], "rfer") || str_is(w[1], "Referenced"));
}

static bool stats_table(Str line) {
    return str_starts(line, "Id Path") && str_has(line, "Write errors");
}

/* Words of a row; those beyond MAX_COLUMNS are left out, no table of btrfs has as many. */
static size_t row_words(Str line, Str w[MAX_COLUMNS]) {
    size_t n = str_words(line, w, MAX_COLUMNS);
    return n < MAX_COLUMNS ? n : MAX_COLUMNS;
}

/* "Id Path     RAID1     RAID1    RAID1    Unallocated": the second header row of usage -T. */
static bool usage_columns(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = row_words(line, w);
    size_t path = n > 1 && str_is(w[0], "Id") ? 1 : 0;
    if (n < path + 2 || !str_is(w[path], "Path")) return false;
    for (size_t i = path + 1; i < n; i++)
        if (str_is(w[i], "Unallocated")) return true;
    return false;
}

static bool usage_kinds(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = row_words(line, w);
    if (!n || !ch_blank(line.p[0])) return false;
    for (size_t i = 0; i < n; i++)
        if (!str_is(w[i], "Data") && !str_is(w[i], "Metadata") && !str_is(w[i], "System") &&
            !str_is(w[i], "Data+Metadata"))
            return false;
    return true;
}

static bool quota_off(Str line) {
    return str_has(line, "quotas not enabled") || str_has(line, "quota not enabled") ||
           (str_has(line, "can't list qgroups") && str_has(line, "No such file"));
}

static bool replace_line(Str line) {
    return (str_has(line, "% done, ") || str_has(line, ", finished on ") || str_has(line, ", canceled on ") ||
            str_has(line, ", suspended on ")) &&
           str_has(line, " write errs, ");
}

/* Lines that nobody else prints. */
static bool starts(Str line) {
    Str a, b, c, d, s = str_trim_right(line);
    return stats_line(s, &a, &b, &c) || group_line(s, &a, &b, &c, &d) || show_heading(s) || balance_line(s) ||
           qgroup_header(s) || stats_table(s) || replace_line(s) || str_is(s, "Overall:") ||
           str_starts(s, "Scrub started: ") || str_starts(s, "scrub status for ") ||
           (str_starts(s, "UUID:             ") && s.len == 18 + 36 && ch_hex(s.p[18])) /* cryptsetup has a tab */;
}

static const char *const words[] = {"Total devices ",
                                    "devid ",
                                    "*** Some devices missing",
                                    "Device size:",
                                    "Device allocated:",
                                    "Device unallocated:",
                                    "Device missing:",
                                    "Device slack:",
                                    "Device zone ",
                                    "Used:",
                                    "Free (",
                                    "Data ratio:",
                                    "Metadata ratio:",
                                    "Global reserve:",
                                    "Multiple profiles:",
                                    "Data to metadata ratio:",
                                    "Unallocated:",
                                    "UUID:",
                                    "Scrub started:",
                                    "Scrub resumed:",
                                    "Scrub device ",
                                    "scrub device ",
                                    "Status:",
                                    "Duration:",
                                    "Time left:",
                                    "ETA:",
                                    "Total to scrub:",
                                    "Bytes scrubbed:",
                                    "Rate:",
                                    "Error summary:",
                                    "Corrected:",
                                    "Uncorrectable:",
                                    "Unverified:",
                                    "scrub started at ",
                                    "scrub resumed at ",
                                    "total bytes scrubbed:",
                                    "error details:",
                                    "corrected errors:",
                                    "no stats available",
                                    "Total ",
                                    "Used ",
                                    "Id Path",
                                    "Path ",
                                    "-- ---",
                                    "btrfs-progs v",
                                    "Btrfs v",
                                    "Never started",
                                    "WARNING: ",
                                    "ERROR: ",
                                    "Dumping filters:",
                                    "DATA (flags ",
                                    "METADATA (flags ",
                                    "SYSTEM (flags "};

static bool continues(Str line) {
    Str s = str_trim(line), w[4];
    if (!s.len || starts(line) || usage_kinds(line) || usage_columns(s)) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    if (ch_blank(line.p[0]) && (str_starts(s, "/dev/") || str_starts(s, "<missing") || str_starts(s, "missing")))
        return true;
    size_t n = str_words(s, w, 4);
    if (n >= 2 && ch_digit(w[0].p[0]) && (str_starts(w[1], "/dev/") || str_has(w[1], "missing")))
        return true;                                                                      /* a row of a table */
    if (n >= 3 && ch_digit(w[0].p[0]) && str_find_ch(w[0], '/') != SIZE_MAX) return true; /* 0/257 of qgroup show */
    if (n >= 2 && str_starts(w[0], "---")) return true;
    return str_has(s, " chunks balanced (");
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "btrfs") ? 8 : path_has(path, "btrfs") ? 6 : 0;
    if (json_looks(head)) {
        static const char *const roots[] = {"\"device-stats\"", "\"filesystem-df\"", "\"qgroup-show\""};
        for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
            size_t at = str_find(head, roots[i]);
            if (at != SIZE_MAX && at < 200) return 32;
        }
        return 0;
    }
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = str_trim_right(head_line(&head)), s = str_trim(line);
        if (!s.len || str_starts(s, "WARNING: ")) continue;
        if (starts(line)) return 24 + bits;
        if (bits &&
            (usage_kinds(line) || quota_off(s) || str_is(s, "Never started") || str_is(s, "no stats available")))
            return 16 + bits;
        if (!bits) return 0;
    }
    return 0;
}

/* ---------------------------------------------------------------- facts */

typedef struct Btrfs {
    ParseCtx *ctx;
    Ref fs; /* the file system that the command names, else the host */
    /* filesystem show */
    Str label, uuid;
    int64_t devices, present;
    Ref first;
    Spot show_at;
    bool showing, some_missing;
    /* usage */
    bool unallocated;
    Str kinds[MAX_COLUMNS], profiles[MAX_COLUMNS];
    size_t kind_count, columns; /* columns: behind the path */
    double totals[MAX_COLUMNS];
    Spot totals_at;
    bool have_totals, stats_rows;
    /* scrub */
    bool scrub;
    Str scrub_state, scrub_text;
    double scrub_start, scrub_pct, scrub_rate, scrub_left, scrub_errors, scrub_fixed;
    Spot scrub_at;
    /* quota */
    int64_t qgroups;
    bool quota;
    Spot quota_at;
} Btrfs;

static bool size_of(Str s, double *out) {
    return dev_size(s, out) && *out >= 0;
}

static Str lower(Arena *arena, Str s) {
    char *p = arena_alloc(arena, s.len + 1);
    for (size_t i = 0; i < s.len; i++) p[i] = ch_lower(s.p[i]);
    return (Str){p, s.len};
}

static Str kind_word(Arena *arena, Str kind) {
    if (str_is(kind, "GlobalReserve")) return STR("reserve");
    if (str_is(kind, "Data+Metadata")) return STR("mixed");
    return lower(arena, kind);
}

/* "RAID1", "RAID1C3", "single", "DUP", "raid1" */
static void space_row(Btrfs *b, Str kind, Str profile, Str device, double size, double used, Spot at) {
    Row r = ctx_row(b->ctx, "btrfs_space", at);
    row_ref(&r, "node", b->fs);
    row_text(&r, "kind", kind);
    if (profile.len) row_text(&r, "profile", lower(b->ctx->scratch, profile));
    if (device.len) row_text(&r, "device", str_strip_dev(device));
    row_real(&r, "size_bytes", size);
    row_real(&r, "used_bytes", used);
    row_done(&r);
}

static void counter_row(Btrfs *b, Str device, Str name, double value, Spot at) {
    b->ctx->rows++;
    if (!str_starts(device, "/dev/")) { /* "devid:3", "<missing disk>": gone, so there is no such thing here */
        if (value > 0)
            facts_note(b->ctx->facts, b->ctx->src, at,
                       arena_strf(b->ctx->scratch, "%.*s of the missing device %.*s: %.0f", STR_ARG(name),
                                  STR_ARG(device), value));
        return;
    }
    Row r = ctx_row(b->ctx, "counter", at);
    row_ref(&r, "node", scan_block_ref(b->ctx, device));
    row_text(&r, "name", name);
    row_text(&r, "kind", STR("btrfs"));
    row_real(&r, "value", value);
    row_done(&r);
}

static void scan_row(Btrfs *b, Ref node, const char *kind, Str state, Str text, double pct, Spot at) {
    Row r = ctx_row(b->ctx, "pool_scan", at);
    row_ref(&r, "node", node);
    row_text(&r, "kind", str_of(kind));
    row_text(&r, "state", state);
    row_real(&r, "done_pct", pct);
    row_text(&r, "text", text);
    row_done(&r);
}

static void show_end(Btrfs *b) {
    if (!b->showing) return;
    b->showing = false;
    Row r = ctx_row(b->ctx, "btrfs_fs", b->show_at);
    if (b->first) row_ref(&r, "node", b->first);
    row_text(&r, "uuid", b->uuid);
    if (b->label.len) row_text(&r, "label", b->label);
    row_int(&r, "devices", b->devices);
    /* "Some devices missing" without a row for them */
    int64_t present = b->present;
    if (b->some_missing && b->devices != FACT_NULL && present >= b->devices) present = b->devices - 1;
    row_int(&r, "present", present);
    row_int(&r, "missing", b->some_missing || (b->devices != FACT_NULL && present < b->devices));
    row_done(&r);
}

static void show_heading_facts(Btrfs *b, Str s, Spot at) {
    show_end(b);
    size_t uuid = str_find(s, " uuid: ");
    Str label = str_trim(str_sub(s, 7, uuid - 7));
    b->showing = true;
    b->some_missing = false;
    b->first = 0;
    b->devices = FACT_NULL;
    b->present = 0;
    b->label = str_is(label, "none") ? STR_NONE : arena_str(b->ctx->scratch, scan_unquote(label));
    Str rest = str_from(s, uuid + 7);
    b->uuid = arena_str(b->ctx->scratch, str_word(&rest));
    b->show_at = scan_keep(b->ctx->scratch, at);
    b->ctx->rows++;
}

/* "devid    1 size 1.82TiB used 1.07TiB path /dev/sdb" */
static void show_device(Btrfs *b, Str s, Spot at) {
    size_t path = str_find(s, " path ");
    Str device = path == SIZE_MAX ? STR_NONE : str_trim(str_from(s, path + 6));
    if (!device.len && !str_has(s, "MISSING") && !str_has(s, "missing")) {
        parse_note(b->ctx, at, "devid without a path");
        return;
    }
    b->ctx->rows++;
    if (str_has(device, "MISSING") || str_has(device, "missing") || !str_starts(device, "/dev/")) {
        b->some_missing = true;
        return;
    }
    b->present++;
    Ref ref = scan_block_ref(b->ctx, device);
    if (!b->first) b->first = ref;
    ctx_setting(b->ctx, ref, "fs_type", STR("btrfs"), "kernel", at);
    if (b->uuid.len) ctx_setting(b->ctx, ref, "fs_uuid", b->uuid, "kernel", at);
    if (b->label.len) ctx_setting(b->ctx, ref, "fs_label", b->label, "kernel", at);
}

static void usage_columns_facts(Btrfs *b, Str s) {
    Str w[MAX_COLUMNS];
    size_t n = row_words(s, w), path = str_is(w[0], "Id") ? 1 : 0, k = 0;
    b->columns = n - path - 1;
    for (size_t i = path + 1; i < n && !str_is(w[i], "Unallocated"); i++)
        if (k < MAX_COLUMNS) b->profiles[k++] = arena_str(b->ctx->scratch, w[i]);
    if (k < b->kind_count) b->kind_count = k;
    b->have_totals = b->stats_rows = false;
}

/* A row of usage -T: values are counted from the right, as a path may have blanks. */
static void usage_row(Btrfs *b, Str s, Spot at) {
    Str w[MAX_COLUMNS + 6];
    size_t n = str_words(s, w, MAX_COLUMNS + 6);
    if (n > MAX_COLUMNS + 6 || n < b->kind_count + 1) {
        parse_note(b->ctx, at, "usage: %zu columns", n);
        return;
    }
    bool total = str_is(w[0], "Total"), used = str_is(w[0], "Used");
    size_t from = used || total ? 1 : n > b->columns ? n - b->columns : 1;
    double values[MAX_COLUMNS] = {0};
    for (size_t i = 0; i < b->kind_count; i++) {
        if (from + i >= n) {
            parse_note(b->ctx, at, "usage: too few columns");
            return;
        }
        Str v = w[from + i];
        values[i] = 0;
        if (!str_is(v, "-") && !size_of(v, &values[i])) {
            parse_note(b->ctx, at, "usage: \"%.*s\" is no size", STR_ARG(v));
            return;
        }
    }
    b->ctx->rows++;
    if (total) {
        for (size_t i = 0; i < b->kind_count; i++) b->totals[i] = values[i];
        b->have_totals = true;
        b->totals_at = scan_keep(b->ctx->scratch, at);
    } else if (used) {
        for (size_t i = 0; i < b->kind_count && b->have_totals; i++)
            space_row(b, kind_word(b->ctx->scratch, b->kinds[i]), b->profiles[i], STR_NONE, b->totals[i], values[i],
                      at);
        b->have_totals = false;
    } else {
        double free_bytes;
        size_t column = from + b->kind_count;
        Str device = from >= 1 ? w[from - 1] : STR_NONE;
        if (column < n && size_of(w[column], &free_bytes))
            space_row(b, STR("unallocated"), STR_NONE, device, free_bytes, NAN, at);
    }
}

static void scrub_end(Btrfs *b) {
    if (!b->scrub) return;
    b->scrub = false;
    Str state = b->scrub_state;
    if (!state.len) return;
    Row r = ctx_row(b->ctx, "pool_scan", b->scrub_at);
    row_ref(&r, "node", b->fs);
    row_text(&r, "kind", STR("btrfs scrub"));
    row_text(&r, "state", state);
    row_real(&r, "start_s", b->scrub_start);
    row_real(&r, "done_pct", b->scrub_pct);
    row_real(&r, "scanned_bytes_s", b->scrub_rate);
    row_real(&r, "to_go_s", b->scrub_left);
    if (isfinite(b->scrub_errors)) row_int(&r, "errors", (int64_t)b->scrub_errors);
    if (b->scrub_text.len) row_text(&r, "text", b->scrub_text);
    row_done(&r);
}

static void scrub_begin(Btrfs *b, Spot at) {
    if (b->scrub) return;
    b->scrub = true;
    b->scrub_state = b->scrub_text = STR_NONE;
    b->scrub_start = b->scrub_pct = b->scrub_rate = b->scrub_left = b->scrub_errors = b->scrub_fixed = NAN;
    b->scrub_at = scan_keep(b->ctx->scratch, at);
}

/* "Wed Apr 10 12:34:56 2024" in the zone of the host */
static double date_of(Btrfs *b, Str s) {
    double t;
    bool zone = false;
    if (!time_parse(s, &t, &zone)) return NAN;
    if (!zone) facts_local_time(b->ctx->facts, b->ctx->src);
    return t;
}

static bool number_in(Str s, const char *key, double *out) {
    size_t at = str_find(s, key);
    return at != SIZE_MAX && dev_leading_number(str_trim_left(str_from(s, at + strlen(key))), out);
}

static void add_error(Btrfs *b, double n) {
    b->scrub_errors = isfinite(b->scrub_errors) ? b->scrub_errors + n : n;
}

static bool scrub_line(Btrfs *b, Str s, Spot at) {
    ParseCtx *ctx = b->ctx;
    Str key, value;
    double v;
    if (str_starts(s, "scrub status for ")) {
        scrub_end(b);
        scrub_begin(b, at);
    } else if (str_starts(s, "scrub started at ") || str_starts(s, "scrub resumed at ")) {
        scrub_begin(b, at);
        b->scrub_at = scan_keep(ctx->scratch, at);
        b->scrub_state = str_has(s, "finished after") ? STR("finished")
                         : str_has(s, "running for")  ? STR("running")
                                                      : STR("canceled");
        Str date = str_from(s, 17);
        size_t end = str_find(date, " and ");
        if (end == SIZE_MAX) end = str_find(date, ", ");
        b->scrub_start = date_of(b, end == SIZE_MAX ? date : str_sub(date, 0, end));
    } else if (str_starts(s, "total bytes scrubbed:")) {
        if (number_in(s, " with ", &v)) b->scrub_errors = v;
    } else if (str_starts(s, "error details:") || str_starts(s, "corrected errors:")) {
        if (number_in(s, "uncorrectable errors: ", &v)) b->scrub_errors = v;
    } else if (str_starts(s, "Scrub device ") || str_starts(s, "scrub device ")) {
        scrub_end(b);
        scrub_begin(b, at);
        if (str_ends(s, "no stats available")) b->scrub = false;
    } else if (str_starts(s, "no stats available")) {
        scrub_begin(b, at);
        b->scrub_state = STR("none");
    } else if (dev_key_value(s, &key, &value)) {
        if (str_is(key, "UUID")) {
            scrub_end(b);
            scrub_begin(b, at);
        } else if (str_is(key, "Scrub started") || str_is(key, "Scrub resumed")) {
            scrub_begin(b, at);
            b->scrub_start = date_of(b, value);
        } else if (str_is(key, "Status")) {
            scrub_begin(b, at);
            b->scrub_at = scan_keep(ctx->scratch, at);
            b->scrub_state = str_is(value, "running")    ? STR("running")
                             : str_is(value, "finished") ? STR("finished")
                                                         : STR("canceled"); /* aborted, interrupted */
        } else if (str_is(key, "Bytes scrubbed")) {
            size_t open = str_find_ch(value, '(');
            if (open != SIZE_MAX && dev_leading_number(str_from(value, open + 1), &v)) b->scrub_pct = v;
        } else if (str_is(key, "Rate")) {
            size_t slash = str_find_ch(value, '/');
            if (slash != SIZE_MAX && size_of(str_sub(value, 0, slash), &v)) b->scrub_rate = v;
        } else if (str_is(key, "Time left")) {
            if (time_parse_span(value, &v)) b->scrub_left = v;
        } else if (str_is(key, "Error summary")) {
            b->scrub_text = arena_str(ctx->scratch, value);
            if (str_starts(value, "no errors found")) b->scrub_errors = 0;
        } else if (str_is(key, "Uncorrectable") || str_is(key, "Unverified")) {
            if (dev_leading_number(value, &v)) add_error(b, v);
        } else if (!str_is(key, "Duration") && !str_is(key, "ETA") && !str_is(key, "Total to scrub") &&
                   !str_is(key, "Corrected"))
            return false;
    } else return false;
    ctx->rows++;
    return true;
}

static void balance_facts(Btrfs *b, Str s, Spot at) {
    size_t open = str_find_ch(s, '\''), close = str_rfind_ch(s, '\'');
    Str where = open < close ? str_sub(s, open + 1, close - open - 1) : STR_NONE;
    Ref node = str_starts(where, "/") ? ctx_ref(b->ctx, REF_FILESYSTEM, where) : b->fs;
    Str state = str_starts(s, "No balance")  ? STR("none")
                : str_ends(s, "is paused")   ? STR("paused")
                : str_has(s, "' is running") ? STR("running")
                                             : STR("none");
    b->ctx->rows++;
    scan_row(b, node, "btrfs balance", state, s, NAN, at);
}

static void replace_facts(Btrfs *b, Str s, Spot at) {
    double pct = NAN;
    bool running = str_has(s, "% done, ");
    if (running) dev_leading_number(s, &pct);
    b->ctx->rows++;
    scan_row(b, b->fs, "btrfs replace",
             running                         ? STR("running")
             : str_has(s, ", finished on ")  ? STR("finished")
             : str_has(s, ", suspended on ") ? STR("paused")
                                             : STR("canceled"),
             s, pct, at);
}

static void stats_table_row(Btrfs *b, Str s, Spot at) {
    Str w[12];
    size_t n = str_words(s, w, 12);
    if (n < COUNTERS + 2 || n > 12) {
        parse_note(b->ctx, at, "device stats: %zu columns", n);
        return;
    }
    double v[COUNTERS];
    for (size_t i = 0; i < COUNTERS; i++)
        if (!str_double(w[n - COUNTERS + i], &v[i])) {
            parse_note(b->ctx, at, "device stats: \"%.*s\" is no number", STR_ARG(w[n - COUNTERS + i]));
            return;
        }
    for (size_t i = 0; i < COUNTERS; i++) counter_row(b, w[1], str_of(counter_names[i]), v[i], at);
}

static bool overall_line(Btrfs *b, Str s, Spot at) {
    Str key, value;
    double v, used;
    if (!dev_key_value(s, &key, &value)) return false;
    if (str_is(key, "Device missing")) {
        Str word = str_word(&value);
        if (!size_of(word, &v)) return false;
        space_row(b, STR("missing"), STR_NONE, STR_NONE, v, NAN, at);
    } else if (str_is(key, "Global reserve")) {
        Str rest = value, word = str_word(&rest);
        if (!size_of(word, &v)) return false;
        size_t open = str_find(rest, "(used:");
        Str u = open == SIZE_MAX ? STR_NONE : str_trim(str_from(rest, open + 6));
        if (str_ends(u, ")")) u.len--;
        if (!size_of(u, &used)) used = NAN;
        space_row(b, STR("reserve"), STR("single"), STR_NONE, v, used, at);
    } else if (!str_starts(key, "Device ") && !str_starts(key, "Free (") && !str_is(key, "Used") &&
               !str_ends(key, " ratio") && !str_is(key, "Multiple profiles") && !str_is(key, "Overall"))
        return false;
    b->ctx->rows++;
    return true;
}

static void quota_end(Btrfs *b) {
    if (!b->quota) return;
    ctx_setting(b->ctx, b->fs, "btrfs_quota", STR("on"), "kernel", b->quota_at);
    ctx_setting_int(b->ctx, b->fs, "btrfs_qgroups", b->qgroups, "kernel", b->quota_at);
    b->quota = false;
}

/* The file system is the last word of the command: "btrfs filesystem usage -T /srv/data". */
static Ref command_fs(ParseCtx *ctx) {
    Str rest = ctx->command, word, last = STR_NONE;
    while (rest.len && (word = str_word(&rest)).len) last = scan_unquote(word);
    if (str_starts(last, "/") && !str_starts(last, "/dev/") && !str_ends(last, "/btrfs"))
        return ctx_ref(ctx, REF_FILESYSTEM, last);
    return ctx_ref(ctx, REF_HOST, STR("host"));
}

static ParseResult parse_json(Btrfs *b, Input *in) {
    ParseCtx *ctx = b->ctx;
    Str text;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, (Spot){.line = 1}, "too much JSON: the end was not read");
    Error err = {""};
    const cJSON *root = json_read(ctx->scratch, json_next(&text), &err), *one, *list;
    if (!root) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return parse_result(ctx);
    }
    size_t i = 0;
    list = json_get(root, "device-stats");
    cJSON_ArrayForEach(one, list) {
        Str path = json_path_index(ctx->scratch, STR("/device-stats"), i++),
            device = json_text(json_get(one, "device"));
        if (!device.len) {
            parse_note(ctx, spot_path(path, STR_NONE), "device stats: no device");
            continue;
        }
        for (size_t k = 0; k < COUNTERS; k++) {
            const cJSON *value = json_get(one, counter_names[k]);
            double v;
            if (!value) continue;
            Spot at = spot_path(json_path(ctx->scratch, path, counter_names[k]), json_text(value));
            if (!json_number(value, &v) && !str_double(json_text(value), &v))
                parse_note(ctx, at, "device stats: no number");
            else counter_row(b, device, str_of(counter_names[k]), v, at);
        }
    }
    i = 0;
    list = json_get(root, "filesystem-df");
    cJSON_ArrayForEach(one, list) {
        Str path = json_path_index(ctx->scratch, STR("/filesystem-df"), i++),
            kind = json_text(json_get(one, "bg-type"));
        const cJSON *total = json_get(one, "total"), *used = json_get(one, "used");
        double size, u;
        if (!kind.len || (!json_number(total, &size) && !size_of(json_text(total), &size))) {
            parse_note(ctx, spot_path(path, kind), "filesystem df: no type or size");
            continue;
        }
        if (!json_number(used, &u) && !size_of(json_text(used), &u)) u = NAN;
        ctx->rows++;
        space_row(b, kind_word(ctx->scratch, kind), json_text(json_get(one, "bg-profile")), STR_NONE, size, u,
                  spot_path(path, kind));
    }
    list = json_get(root, "qgroup-show");
    if (cJSON_IsArray(list)) {
        b->quota = true;
        b->quota_at = spot_path(STR("/qgroup-show"), STR("qgroup-show"));
        cJSON_ArrayForEach(one, list) {
            ctx->rows++;
            if (str_starts(json_text(json_get(one, "qgroupid")), "0/")) b->qgroups++;
        }
        quota_end(b);
    }
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Btrfs b = {.ctx = ctx, .fs = command_fs(ctx)};
    enum { NONE, SHOW, USAGE_TABLE, STATS_TABLE, QGROUPS } in_table = NONE;
    Str line;
    bool first = true;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line), device, name, value, kind, profile, size, used;
        double v, u;
        if (!s.len) continue;
        if (first && json_looks(s)) {
            input_unread(in);
            return parse_json(&b, in);
        }
        first = false;
        if (stats_line(s, &device, &name, &value)) {
            if (!str_double(value, &v)) parse_note(ctx, at, "%.*s: no number", STR_ARG(name));
            else counter_row(&b, device, name, v, at);
        } else if (show_heading(s)) {
            show_heading_facts(&b, s, at);
        } else if (b.showing && str_starts(s, "Total devices ")) {
            if (dev_leading_number(str_from(s, 14), &v) && v >= 0 && v < 100000) {
                b.devices = (int64_t)v;
                ctx->rows++;
            } else parse_note(ctx, at, "number of devices not understood");
        } else if (b.showing && str_starts(s, "devid ")) {
            show_device(&b, s, at);
        } else if (str_starts(s, "*** Some devices missing")) {
            if (b.showing) b.some_missing = true, b.show_at = scan_keep(ctx->scratch, at);
            ctx->rows++;
        } else if (group_line(s, &kind, &profile, &size, &used)) {
            b.unallocated = false;
            if (!size_of(size, &v)) parse_note(ctx, at, "\"%.*s\" is no size", STR_ARG(size));
            else {
                if (!size_of(used, &u)) u = NAN;
                ctx->rows++;
                space_row(&b, kind_word(ctx->scratch, kind), profile, STR_NONE, v, u, at);
            }
        } else if (usage_kinds(line) && !b.scrub) {
            Str w[MAX_COLUMNS];
            b.kind_count = row_words(s, w);
            for (size_t i = 0; i < b.kind_count; i++) b.kinds[i] = arena_str(ctx->scratch, w[i]);
        } else if (stats_table(s)) {
            in_table = STATS_TABLE;
        } else if (usage_columns(s) && b.kind_count) {
            usage_columns_facts(&b, s);
            in_table = USAGE_TABLE;
        } else if (qgroup_header(s)) {
            in_table = QGROUPS;
            b.quota = true;
            b.quota_at = scan_keep(ctx->scratch, at);
            ctx->rows++;
        } else if (str_starts(s, "---") || str_starts(s, "-- --")) {
            continue;
        } else if (in_table == QGROUPS && ch_digit(s.p[0]) && str_find_ch(s, '/') != SIZE_MAX) {
            if (str_starts(s, "0/")) b.qgroups++;
            ctx->rows++;
        } else if (in_table == STATS_TABLE && (ch_digit(s.p[0]) || str_starts(s, "/dev/"))) {
            stats_table_row(&b, s, at);
        } else if (in_table == USAGE_TABLE && (ch_digit(s.p[0]) || str_starts(s, "/dev/") || str_starts(s, "Total ") ||
                                               str_starts(s, "Used ") || str_has(s, "missing"))) {
            usage_row(&b, s, at);
        } else if (balance_line(s)) {
            balance_facts(&b, s, at);
        } else if (replace_line(s)) {
            replace_facts(&b, s, at);
        } else if (quota_off(s)) {
            ctx->rows++;
            ctx_setting(ctx, b.fs, "btrfs_quota", STR("off"), "kernel", at);
        } else if (str_is(s, "Unallocated:")) {
            b.unallocated = true;
            ctx->rows++;
        } else if (str_starts(s, "/dev/") || str_starts(s, "<missing") || str_starts(s, "missing")) {
            /* a device's share of the block groups above it, or what it has left */
            Str rest = s, path = STR_NONE, word, last = STR_NONE;
            while ((word = str_word(&rest)).len) {
                if (!path.len) path = word;
                last = word;
            }
            if (!size_of(last, &v)) parse_note(ctx, at, "\"%.*s\" is no size", STR_ARG(last));
            else {
                ctx->rows++;
                if (b.unallocated) space_row(&b, STR("unallocated"), STR_NONE, path, v, NAN, at);
            }
        } else if (str_starts(s, "WARNING: ") || str_starts(s, "ERROR: ")) {
            facts_note(ctx->facts, ctx->src, at, str_sub(s, 0, 300));
        } else if (overall_line(&b, s, at) || scrub_line(&b, s, at)) {
            continue;
        } else if (str_is(s, "Never started") || str_starts(s, "btrfs-progs v") || str_starts(s, "Btrfs v") ||
                   str_has(s, " chunks balanced (") || str_starts(s, "Dumping filters:") || str_has(s, " (flags ")) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "line of btrfs not understood");
        }
    }
    show_end(&b);
    scrub_end(&b);
    quota_end(&b);
    return parse_result(ctx);
}

const Parser parser_btrfs = {.name = "btrfs",
                             .bid = bid,
                             .starts = starts,
                             .continues = continues,
                             .parse = parse,
                             .ask = "btrfs filesystem usage MOUNTPOINT; btrfs device stats MOUNTPOINT"};
