/*
 * diskinfo.c - a FreeBSD disk as its driver describes it, and the small benchmark of the same tool
 *
 * Reads   diskinfo DISK, diskinfo -v, -c, -t, -i, -S in any combination, several disks
 * Gives   setting model, serial, size_bytes, logical_block_bytes, physical_block_bytes, rotation_rpm, rotational, trim_supported,
 *         transport (view kernel); benchmark (transfer rates, random reads, synchronous writes)
 * Sample  diskinfo -v, FreeBSD 13
 *   |ada1
 *   |	512         	# sectorsize
 *   |	6001175126016	# mediasize in bytes (5.5T)
 *   |	11721045168 	# mediasize in sectors
 *   |	4096        	# stripesize
 *   |	FOO NAS 6TB	# Disk descr.
 *   |	EX0000000001	# Disk ident.
 *   |	ahcich1     	# Attachment
 *   |	No          	# TRIM/UNMAP support
 *   |	7200        	# Rotation rate in RPM
 * Sample  diskinfo -t
 *   |Transfer rates:
 *   |	outside:       102400 kbytes in   0.554402 sec =   184704 kbytes/sec
 *   |	inside:        102400 kbytes in   1.111428 sec =    92134 kbytes/sec
 * Sample  diskinfo -i
 *   |Asynchronous random reads:
 *   |	sectorsize:   1246 ops in    3.091 sec =      403 IOPS
 * Sample  diskinfo
 *   |/dev/da0	512	21474836480	41943040	0	0	2610	255	63
 * Varies  lines of -v came with the years (descr. and Attachment 11, Rotation rate 12). "Unknown" and an empty identity say nothing. Of a
 *         partition the tool prints the disk's identity: only whole disks get one here. kbytes are 1024 bytes. The benchmark reads the
 *         raw device: no cache of the system is in between. The rate in the middle is left out: outside and inside are the ends.
 */
#include "device_text.h"
#include "parser.h"

/* "ada1" or "/dev/ada1" alone on a line */
static bool title(Str line, Str *device) {
    Str t = str_trim_right(line);
    if (!t.len || ch_blank(t.p[0]) || str_find_ch(t, ' ') != SIZE_MAX || str_find_ch(t, '\t') != SIZE_MAX) return false;
    *device = str_strip_dev(t);
    return dev_is_name(*device);
}

/* "	512         	# sectorsize" */
static bool pair(Str line, Str *value, Str *what) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    size_t at = str_find(line, "# ");
    if (at == SIZE_MAX || at == 0 || !ch_blank(line.p[at - 1])) {
        at = str_find(line, "\t# ");
        if (at == SIZE_MAX) return false;
        at++;
    }
    *value = str_trim(str_sub(line, 0, at));
    *what = str_trim(str_from(line, at + 2));
    static const char *const known[] = {
        "sectorsize",          "mediasize in bytes", "mediasize in sectors", "stripesize",           "stripeoffset",
        "Cylinders according", "Heads according",    "Sectors according",    "Disk descr.",          "Disk ident.",
        "Attachment",          "Physical path",      "TRIM/UNMAP support",   "Rotation rate in RPM", "Zone Mode"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_starts(*what, known[i])) return true;
    return false;
}

/* "/dev/da0	512	21474836480	41943040	0	0	2610	255	63": sectors times their size are the bytes */
static bool plain(Str line, Str *device, uint64_t figure[3]) {
    Str w[10];
    size_t n = str_words(line, w, 10);
    if (n < 6 || n > 9 || str_find_ch(line, '\t') == SIZE_MAX) return false;
    *device = str_strip_dev(w[0]);
    for (size_t i = 1; i < n; i++) {
        uint64_t v;
        if (!str_u64(w[i], &v)) return false;
        if (i <= 3) figure[i - 1] = v;
    }
    return dev_is_name(*device) && figure[0] >= 512 && figure[0] <= 65536 && figure[2] == figure[1] / figure[0];
}

static bool heading(Str t) {
    static const char *const words[] = {
        "I/O command overhead:",      "Seek times:",  "Transfer rates:", "Asynchronous random reads:",
        "Synchronous random writes:", "Commit times:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(t, words[i])) return true;
    return false;
}

/* A line of the benchmark: "name: N kbytes in T sec = R kbytes/sec" and its like */
static bool figures(Str line) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    return str_has(line, " kbytes/sec") || str_has(line, " IOPS") || str_has(line, " usec/IO") ||
           str_has(line, "msec/sector") || (str_has(line, " iter in ") && str_has(line, " msec")) ||
           str_has(line, "time to read ") || str_has(line, "calculated command overhead");
}

static bool starts(Str line) {
    static const char *const names[] = {"ada", "da", "nvd", "nda", "mmcsd", "vtbd", "mfid", "mfisyspd"};
    Str device;
    uint64_t figure[3];
    if (plain(line, &device, figure)) return true;
    if (!title(line, &device)) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) { /* a bare name: of FreeBSD's disks only */
        Str rest = str_after(device, names[i]);
        if (rest.p && rest.len && ch_digit(rest.p[0])) return true;
    }
    return false;
}

static bool continues(Str line) {
    Str device, value, what, t = str_trim(line);
    uint64_t figure[3];
    return !t.len || pair(line, &value, &what) || plain(line, &device, figure) || heading(t) || figures(line) ||
           title(line, &device);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    bool named = command_is(command, "diskinfo");
    Str device, value, what;
    uint64_t figure[3];
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        if (plain(line, &device, figure)) return named ? 30 : 18;
        if (!title(line, &device)) return 0;
        Str next = str_trim_right(head_line(&head));
        return pair(next, &value, &what) && str_is(what, "sectorsize") ? named ? 40 : 34 : 0;
    }
    return 0;
}

static void setting(ParseCtx *ctx, Ref disk, bool whole, Str value, Str what, Spot at) {
    uint64_t n;
    bool number = str_u64(value, &n) && n < (uint64_t)INT64_MAX;
    if (!value.len || !whole) return;
    if (str_is(what, "sectorsize") && number)
        ctx_setting_int(ctx, disk, "logical_block_bytes", (int64_t)n, "kernel", at);
    else if (str_starts(what, "mediasize in bytes") && number)
        ctx_setting_int(ctx, disk, "size_bytes", (int64_t)n, "kernel", at);
    else if (str_is(what, "stripesize") && number && (n == 512 || n == 4096 || n == 8192))
        ctx_setting_int(ctx, disk, "physical_block_bytes", (int64_t)n, "kernel", at);
    else if (str_is(what, "Disk descr.")) {
        size_t blank = str_find_ch(value, ' ');
        /* "ATA ST4000DM000-1F21": vendor and product of an INQUIRY; a da disk's first word is its vendor */
        if (str_starts(value, "ATA ") && blank != SIZE_MAX) value = str_trim(str_from(value, blank));
        ctx_setting(ctx, disk, "model", value, "kernel", at);
    } else if (str_is(what, "Disk ident.") && value.len >= 4) ctx_setting(ctx, disk, "serial", value, "kernel", at);
    else if (str_is(what, "Attachment") && str_starts(value, "umass-sim"))
        ctx_setting(ctx, disk, "transport", STR("usb"), "kernel", at);
    else if (str_is(what, "TRIM/UNMAP support") && (str_is(value, "Yes") || str_is(value, "No")))
        ctx_setting(ctx, disk, "trim_supported", str_is(value, "Yes") ? STR("yes") : STR("no"), "kernel", at);
    else if (str_is(what, "Rotation rate in RPM") && number && (n == 0 || (n > 1000 && n < 30000))) {
        ctx_setting_int(ctx, disk, "rotation_rpm", (int64_t)n, "kernel", at);
        ctx_setting_int(ctx, disk, "rotational", n > 0, "kernel", at);
    }
}

/* The last number in front of `unit`. */
static bool before(Str line, const char *unit, double *out) {
    size_t at = str_find(line, unit);
    if (at == SIZE_MAX) return false;
    Str s = str_trim_right(str_sub(line, 0, at));
    size_t from = s.len;
    while (from && !ch_blank(s.p[from - 1]) && s.p[from - 1] != '=') from--;
    return str_double(str_from(s, from), out) && *out > 0;
}

static void measured(ParseCtx *ctx, Ref disk, Str device, Str line, Spot at) {
    Str t = str_trim(line), name = t;
    double rate, usec, mbytes;
    bool outside = str_starts(t, "outside:"), inside = str_starts(t, "inside:"), random = str_has(t, " IOPS");
    name = str_cut(&name, ':');
    if (!disk || !(outside || inside || random || str_has(t, " usec/IO"))) return;
    Row r = ctx_row(ctx, "benchmark", at);
    row_ref(&r, "node", disk);
    row_text(&r, "tool", STR("diskinfo"));
    row_text(&r, "target", device);
    row_text(&r, "label", name);
    row_int(&r, "direct", 1);
    double kib;
    if (dev_leading_number(name, &kib) && str_has(name, "kbytes") && kib > 0 && kib < 1e6)
        row_int(&r, "block_bytes", (int64_t)(kib * 1024));
    if (outside || inside) {
        row_text(&r, "rw", STR("read"));
        if (before(t, " kbytes/sec", &rate)) row_real(&r, "mb_s", rate * 1024 / 1e6);
        row_text(&r, "measures",
                 outside ? STR("large reads of the raw device at its start, the fast end of a disk")
                         : STR("large reads of the raw device at its end, the slow end of a disk"));
    } else if (random) {
        row_text(&r, "rw", STR("randread"));
        if (before(t, " IOPS", &rate)) row_real(&r, "iops", rate);
        row_text(&r, "measures", STR("random reads of the raw device, many at once"));
    } else { /* "4 kbytes:    127.3 usec/IO =     30.7 Mbytes/s" */
        row_text(&r, "rw", STR("randwrite"));
        row_text(&r, "sync", STR("fsync"));
        if (before(t, " usec/IO", &usec)) row_real(&r, "iops", 1e6 / usec);
        if (before(t, " Mbytes/s", &mbytes)) row_real(&r, "mb_s", mbytes * 1048576 / 1e6);
        row_text(&r, "measures", STR("random writes, each followed by a flush"));
    }
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, device = STR_NONE, value, what, now;
    uint64_t figure[3];
    Ref disk = 0;
    bool whole = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (plain(line, &now, figure)) {
            ctx->rows++;
            if (!dev_is_disk(now)) continue;
            Ref one = ctx_ref(ctx, REF_DISK, now);
            ctx_setting_int(ctx, one, "logical_block_bytes", (int64_t)figure[0], "kernel", at);
            if (figure[1] < (uint64_t)INT64_MAX)
                ctx_setting_int(ctx, one, "size_bytes", (int64_t)figure[1], "kernel", at);
        } else if (title(line, &now)) {
            ctx->rows++;
            device = arena_str(ctx->scratch, now);
            disk = ctx_ref(ctx, REF_DISK, device);
            whole = dev_is_disk(device);
        } else if (pair(line, &value, &what)) {
            ctx->rows++;
            if (disk) setting(ctx, disk, whole, value, what, at);
        } else if (heading(str_trim(line))) {
            continue;
        } else if (figures(line)) {
            ctx->rows++;
            measured(ctx, disk, device, line, at);
        } else {
            parse_note(ctx, at, "not a line of diskinfo: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_diskinfo = {.name = "diskinfo",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "diskinfo -v DISK"};
