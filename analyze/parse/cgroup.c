/*
 * cgroup.c - what control groups do to I/O
 *
 * Reads   io.max, io.latency, io.cost.qos, io.pressure, io.stat of cgroup v2, blkio.throttle.* of v1, as grep -r . or cat print them;
 *         IOReadBandwidthMax= and its like of systemctl show and unit files
 * Gives   cgroup_io
 * Sample  grep -r . /sys/fs/cgroup --include=io.max, kernel 6.1
 *   | /sys/fs/cgroup/system.slice/backup.service/io.max:8:16 rbps=max wbps=10485760 riops=max wiops=max
 *   | /sys/fs/cgroup/system.slice/backup.service/io.pressure:some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714
 * Varies  cat prints the lines without names: then path or command tell the group, and the words of the line the file. A limit that is
 *         not set is "max", or the line is missing. v1 has one file per direction. Files of other controllers are counted.
 * Source  Linux Documentation/admin-guide/cgroup-v2.rst, Documentation/admin-guide/cgroup-v1/blkio-controller.rst; systemd.resource-control(5)
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

static const struct {
    const char *v1, *systemd, *name;
} limits[] = {
    {"blkio.throttle.read_bps_device", "IOReadBandwidthMax=", "rbps"},
    {"blkio.throttle.write_bps_device", "IOWriteBandwidthMax=", "wbps"},
    {"blkio.throttle.read_iops_device", "IOReadIOPSMax=", "riops"},
    {"blkio.throttle.write_iops_device", "IOWriteIOPSMax=", "wiops"},
    {NULL, "BlockIOReadBandwidth=", "rbps"},
    {NULL, "BlockIOWriteBandwidth=", "wbps"},
};
enum { LIMITS = sizeof limits / sizeof *limits };

static const char *const files[] = {"io.max",        "io.latency", "io.cost.qos", "io.cost.model",
                                    "io.pressure",   "io.stat",    "io.weight",   "io.bfq.weight",
                                    "io.prio.class", "io.low",     NULL};

static const char *group_start(Str s, Str *rest) {
    static const char *const tops[] = {"/sys/fs/cgroup/", "sys/fs/cgroup/", NULL};
    for (size_t i = 0; tops[i]; i++) {
        Str behind = str_after(s, tops[i]);
        if (behind.p) {
            *rest = behind;
            return tops[i];
        }
    }
    return NULL;
}

/* The group and the file in "system.slice/backup.service/io.max", which may be followed by what `end` says. */
static bool group_file(Str s, char end, Str *group, Str *file, Str *value) {
    for (size_t from = 0, at; (at = str_find(str_from(s, from), "io.")) != SIZE_MAX; from += at + 3) {
        size_t i = from + at;
        bool blk = i >= 2 && s.p[i - 1] == 'k' && str_has(str_sub(s, 0, i + 3), "blkio.");
        size_t begin = blk && i >= 3 ? i - 3 : i;
        if (begin && s.p[begin - 1] != '/') continue;
        Str tail = str_from(s, begin);
        size_t stop = end ? str_find_ch(tail, end) : tail.len;
        if (stop == SIZE_MAX) continue;
        Str name = str_sub(tail, 0, stop);
        bool known = str_starts(name, "blkio.") && str_find_ch(name, '/') == SIZE_MAX;
        for (size_t k = 0; files[k] && !known; k++) known = str_is(name, files[k]);
        if (!known) continue;
        *group = begin ? str_sub(s, 0, begin - 1) : STR("");
        *file = name;
        *value = end ? str_from(tail, stop + 1) : STR_NONE;
        return true;
    }
    return false;
}

/* A line of a listing: "/sys/fs/cgroup/GROUP/FILE:value". */
static bool listed(Str line, Str *group, Str *file, Str *value) {
    Str rest;
    return group_start(line, &rest) && group_file(rest, ':', group, file, value);
}

/* "8:16 rbps=max ..." as cat prints it: the file by its words. */
static const char *file_of_words(Str line) {
    Str rest = line, device = str_word(&rest);
    uint64_t a, b;
    if (!scan_number_pair(device, &a, &b)) return NULL;
    rest = str_trim(rest);
    if (str_starts(rest, "rbps=") && str_has(rest, "wiops=")) return "io.max";
    if (str_starts(rest, "target=")) return "io.latency";
    if (str_starts(rest, "enable=") && str_has(rest, "rpct=")) return "io.cost.qos";
    if (str_starts(rest, "ctrl=") && str_has(rest, "rbps=")) return "io.cost.model";
    if (str_starts(rest, "rbytes=") && str_has(rest, "wios=")) return "io.stat";
    return NULL;
}

static const char *systemd_limit(Str line, Str *value) {
    for (size_t i = 0; i < LIMITS; i++) {
        Str rest = str_after(line, limits[i].systemd);
        if (rest.p) {
            *value = str_trim(rest);
            return limits[i].name;
        }
    }
    return NULL;
}

static bool group_path(Str s) {
    return str_has(s, "sys/fs/cgroup");
}

static int bid(Str path, Str command, Str head) {
    Str group, file, value, rest;
    for (int n = 0; n < 8 && head.len; n++) {
        Str line = str_trim(head_line(&head));
        if (!line.len) continue;
        if (listed(line, &group, &file, &value)) return 36;
        if (group_start(line, &rest)) return str_has(command, "io.") ? 34 : 26;
        if (file_of_words(line)) return group_path(path) || group_path(command) ? 34 : 26;
        if (systemd_limit(line, &value)) return command_is(command, "systemctl") ? 30 : 22;
        if (str_has(line, "avg10=") && group_path(path) && str_has(path, "io.pressure")) return 34;
        return 0;
    }
    return 0;
}

static bool starts(Str line) {
    Str rest, value;
    return group_start(line, &rest) || file_of_words(line) || systemd_limit(line, &value);
}

static bool continues(Str line) {
    Str rest, value;
    return !str_trim(line).len || group_start(line, &rest) || file_of_words(line) || systemd_limit(line, &value) ||
           str_starts(line, "default ");
}

static void put(ParseCtx *ctx, Str group, Str device, const char *file, Str name, double value, Spot at) {
    uint64_t major, minor;
    Str disk = STR_NONE;
    if (scan_number_pair(device, &major, &minor)) disk = scan_device_of_number(ctx->scratch, major, minor);
    else if (str_starts(device, "/dev/") && dev_is_name(str_strip_dev(device))) disk = str_strip_dev(device);
    Row r = ctx_row(ctx, "cgroup_io", at);
    if (disk.len) row_ref(&r, "node", ctx_ref(ctx, REF_DISK, disk));
    row_text(&r, "cgroup", group);
    row_text(&r, "device", device);
    row_text(&r, "file", str_of(file));
    row_text(&r, "name", name);
    row_real(&r, "value", value);
    row_done(&r);
}

/* "DEVICE key=value key=value": those of `wanted` that have a number. */
static void pairs(ParseCtx *ctx, Str group, const char *file, Str value, const char *const *wanted, Spot at) {
    Str device = str_word(&value);
    for (Str w; (w = str_word(&value)).len;) {
        double n;
        Str name = str_cut(&w, '=');
        if (!str_double(w, &n)) continue; /* max, auto */
        for (size_t i = 0; wanted[i]; i++) {
            if (!str_is(name, wanted[i])) continue;
            put(ctx, group, device, file, str_is(name, "target") ? STR("target_us") : name, n, at);
        }
    }
}

static bool one_value(ParseCtx *ctx, Str group, Str file, Str value, Spot at) {
    static const char *const max[] = {"rbps", "wbps", "riops", "wiops", NULL};
    static const char *const latency[] = {"target", NULL};
    static const char *const cost[] = {"enable", NULL};
    Str words = value, first = str_word(&words);
    uint64_t a, b;
    bool device = scan_number_pair(first, &a, &b);
    if (str_is(file, "io.max")) {
        if (device) pairs(ctx, group, "io.max", value, max, at);
        return device;
    }
    if (str_is(file, "io.latency")) {
        if (device) pairs(ctx, group, "io.latency", value, latency, at);
        return device;
    }
    if (str_is(file, "io.cost.qos")) {
        if (device) pairs(ctx, group, "io.cost.qos", value, cost, at);
        return device;
    }
    if (str_is(file, "io.pressure")) {
        double v;
        size_t from = str_find(value, "avg60=");
        bool some = str_is(first, "some");
        if ((!some && !str_is(first, "full")) || from == SIZE_MAX) return false;
        Str figure = str_from(value, from + 6);
        if (!str_double(str_word(&figure), &v)) return false;
        if (v > 0)
            put(ctx, group, STR_NONE, "io.pressure", some ? STR("some_avg60_pct") : STR("full_avg60_pct"), v, at);
        return true;
    }
    for (size_t i = 0; i < LIMITS; i++) {
        double n;
        if (!limits[i].v1 || !str_is(file, limits[i].v1)) continue;
        if (!device || !str_double(str_trim(words), &n)) return false;
        put(ctx, group, first, "io.max", str_of(limits[i].name), n, at);
        return true;
    }
    return true; /* counters and weights hold nothing back */
}

/* "/dev/sda 10M" of a unit: K, M, G are powers of 1000. */
static bool unit_limit(ParseCtx *ctx, Str unit, const char *name, Str value, Spot at) {
    if (!value.len || str_is(value, "infinity")) return true;
    Str device = str_word(&value);
    double n;
    if (str_is(str_trim(value), "infinity")) return true;
    if (!str_scaled(str_trim(value), 1000, &n)) return false;
    put(ctx, unit, device, "io.max", str_of(name), n, at);
    return true;
}

/* The group that a path or command names, with the file if it does. */
static void named_group(Str text, Str *group, Str *file) {
    for (Str w; (w = str_word(&text)).len;) {
        size_t at = str_find(w, "sys/fs/cgroup/");
        Str value;
        if (at == SIZE_MAX) continue;
        Str rest = str_from(w, at + strlen("sys/fs/cgroup/"));
        if (!group_file(rest, 0, group, file, &value)) *group = rest;
        return;
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, group = STR_NONE, file = STR_NONE, unit = STR_NONE;
    named_group(ctx->path, &group, &file);
    if (!group.p) named_group(ctx->command, &group, &file);
    if (command_is(ctx->command, "systemctl")) {
        Str words = ctx->command;
        for (Str w; (w = str_word(&words)).len;)
            if (str_has(w, ".service") || str_has(w, ".slice") || str_has(w, ".scope")) unit = w;
    }
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line), g, f, value, rest;
        if (!s.len) continue;
        const char *name = systemd_limit(s, &value), *words;
        bool good = true;
        if (name) good = unit_limit(ctx, unit.p ? unit : str_basename(ctx->path), name, value, at);
        else if (listed(s, &g, &f, &value)) good = one_value(ctx, g, f, value, at);
        else if (group_start(s, &rest)) good = true; /* another controller's file, or a bare path */
        else if ((words = file_of_words(s))) good = one_value(ctx, group, str_of(words), s, at);
        else if (file.len) good = one_value(ctx, group, file, s, at);
        else good = str_starts(s, "default ");
        if (good) ctx->rows++;
        else parse_note(ctx, at, "not a line of a control group: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
    }
    return parse_result(ctx);
}

const Parser parser_cgroup = {
    .name = "cgroup",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .strict = true,
    .ask = "grep -r . /sys/fs/cgroup --include=io.max --include=io.latency --include=io.cost.qos --include=io.pressure",
};
