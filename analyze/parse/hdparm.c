/*
 * hdparm.c - what a SATA drive says through hdparm
 *
 * Reads   hdparm -I -i -W -A -B -C -N -t -T, of one drive or several
 * Gives   setting (write_cache, identity, NCQ, TRIM, security, APM, power mode ...; view drive), benchmark (-t, -T)
 * Sample  hdparm 9.65, -W of a drive
 *   | /dev/sda:
 *   |  write-caching =  1 (on)
 * Varies  -I lists features with a '*' where they are on, and the name alone where they are only supported; -i prints
 *         "Model=..., FwRev=..., SerialNo=..." and "WriteCache=enabled"; behind USB bridges and RAID controllers "SG_IO: bad/missing
 *         sense data" or "HDIO_DRIVE_CMD(...) failed" comes instead of an answer; "MB" of -t and -T are 2^20 bytes
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

/* "/dev/sda:"; a RAID array is mdadm's heading. */
static bool device_heading(Str line, Str *device) {
    Str s = str_trim_right(line);
    if (!str_starts(s, "/dev/") || !str_ends(s, ":")) return false;
    s = str_sub(s, 5, s.len - 6);
    size_t slash = str_find_ch(s, '/');
    bool by_link =
        str_starts(s, "disk/by-") && str_find_ch(str_from(s, 8), '/') != SIZE_MAX; /* not the heading of ls -lR */
    if (!by_link && (slash != SIZE_MAX ? !str_starts(s, "cciss/") : !dev_is_name(s) || str_starts(s, "md")))
        return false;
    *device = s;
    return s.len > 0;
}

static bool setting_line(Str s, const char *name) {
    Str rest = str_after(str_trim_left(s), name);
    return rest.p && str_starts(str_trim_left(rest), "=");
}

static bool hdparm_starts(Str line) {
    Str device;
    return device_heading(line, &device) || str_starts(line, "ATA device, with ") ||
           setting_line(line, "write-caching") || str_starts(line, " Timing buffered disk reads:") ||
           str_starts(line, " Timing cached reads:") || str_starts(line, " drive state is:") ||
           (str_starts(line, " Model=") && str_has(line, "FwRev="));
}

static int hdparm_bid(Str path, Str command, Str head) {
    int evidence = 0;
    Str device;
    bool headed = false;
    for (int n = 0; head.len && n < 40; n++) {
        Str line = head_line(&head);
        if (!evidence && str_trim(line).len && !hdparm_starts(line)) return 0; /* prose in front is not ours */
        if (device_heading(line, &device)) {
            if (!headed) evidence += 4;
            headed = true;
        } else if (setting_line(line, "write-caching") || str_starts(line, " Timing buffered disk reads:") ||
                   str_starts(line, " Timing cached reads:") || str_starts(line, " Timing O_DIRECT") ||
                   str_starts(line, " drive state is:") || setting_line(line, "look-ahead") ||
                   setting_line(line, "APM_level") || str_starts(line, "ATA device, with") ||
                   str_starts(line, "CompactFlash ATA device") ||
                   str_starts(line, " HDIO_DRIVE_CMD(identify) failed")) {
            evidence += 20;
        } else if (str_starts(line, " Model=") && str_has(line, "FwRev=")) {
            evidence += 24;
        } else if (str_starts(line, "SG_IO: bad/missing sense data") || (headed && str_has(line, "max sectors   ="))) {
            evidence += 16;
        } else if (str_starts(str_trim(line), "Nominal Media Rotation Rate:") ||
                   str_is(str_trim(line), "Commands/features:")) {
            evidence += 16;
        }
    }
    if (evidence < 8) return 0;
    if (command_is(command, "hdparm") || path_has(path, "hdparm")) evidence += 8;
    return evidence;
}

static bool hdparm_continues(Str line) {
    static const char *const openings[] = {"ATA device, with",
                                           "ATAPI ",
                                           "CompactFlash",
                                           "Standards:",
                                           "Configuration:",
                                           "Capabilities:",
                                           "Commands/features:",
                                           "Security:",
                                           "Logical Unit WWN",
                                           "Checksum:",
                                           "HW reset",
                                           "Integrity word",
                                           "SG_IO:",
                                           "HDIO_",
                                           "Device capabilities",
                                           NULL};
    Str device;
    if (!str_trim(line).len || ch_blank(line.p[0]) || device_heading(line, &device)) return true;
    for (size_t i = 0; openings[i]; i++)
        if (str_starts(line, openings[i])) return true;
    return false;
}

typedef enum Block { BLOCK_NONE, BLOCK_FEATURES, BLOCK_SECURITY } Block;

typedef struct Hdparm {
    ParseCtx *ctx;
    Str given; /* name from command or path, for output without a heading */
    Ref ref;
    Block block;
    bool any, ncq, queue_depth_seen;
    bool features_end; /* the list of features was seen to its end: what is not in it is not there */
    int64_t queue_depth;
    Spot queue_depth_at;
    double gen_gbps;
    Spot gen_at;
    bool enabled, locked, frozen, security;
    Spot security_at;
    double sectors, sector_bytes;
    Spot sectors_at;
} Hdparm;

static Spot keep(Hdparm *h, Spot at) {
    at.text = arena_str(h->ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    return at;
}

static Ref drive(Hdparm *h, Spot at) {
    if (h->ref) return h->ref;
    h->ref = ctx_ref(h->ctx, REF_DISK,
                     h->given.len ? h->given : arena_strf(h->ctx->scratch, "[drive at line %lld]", (long long)at.line));
    return h->ref;
}

static void set(Hdparm *h, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (!value.len) return;
    h->any = true;
    h->ctx->rows++;
    ctx_setting(h->ctx, drive(h, at), key, value, "drive", at);
}

static void set_int(Hdparm *h, const char *key, int64_t value, Spot at) {
    set(h, key, arena_strf(h->ctx->scratch, "%lld", (long long)value), at);
}

static void drive_done(Hdparm *h) {
    if (h->queue_depth_seen && (h->ncq || h->features_end))
        set_int(h, "ncq_depth", h->ncq ? h->queue_depth : 0, h->queue_depth_at);
    if (h->gen_gbps > 0) {
        ctx_setting_real(h->ctx, drive(h, h->gen_at), "link_max_gbps", h->gen_gbps, "drive", h->gen_at);
        if (!h->ncq && h->features_end) set(h, "ncq_supported", STR("no"), h->gen_at);
    }
    if (h->sectors > 0)
        ctx_setting_int(h->ctx, drive(h, h->sectors_at), "size_bytes",
                        i64_of(h->sectors * (h->sector_bytes > 0 ? h->sector_bytes : 512)), "drive", h->sectors_at);
    if (h->security) {
        Str words = str_trim(arena_strf(h->ctx->scratch, "%s%s%s", h->enabled ? "enabled " : "",
                                        h->locked ? "locked " : "", h->frozen ? "frozen" : ""));
        set(h, "security", words.len ? words : STR("none"), h->security_at);
    }
    Hdparm next = {.ctx = h->ctx};
    *h = next;
}

/* "  1 (on)", "not supported" behind the '='. */
static void switch_setting(Hdparm *h, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (str_starts(value, "1")) set(h, key, STR("on"), at);
    else if (str_starts(value, "0")) set(h, key, STR("off"), at);
    else if (str_has(value, "not supported")) h->any = true, h->ctx->rows++;
    else parse_note(h->ctx, at, "%s: neither on nor off: \"%.*s\"", key, STR_ARG(value));
}

/* " Timing buffered disk reads: 342 MB in  3.01 seconds = 113.69 MB/sec" */
static void timing(Hdparm *h, Str line, Spot at) {
    bool cached = str_has(line, "cached reads:"), direct = str_has(line, "O_DIRECT");
    size_t colon = str_find(line, "reads:"), in = str_find(line, "MB in"), eq = str_find_ch(line, '=');
    double mib, seconds, rate;
    if (colon == SIZE_MAX || in == SIZE_MAX || eq == SIZE_MAX || !dev_leading_number(str_from(line, colon + 6), &mib) ||
        !dev_leading_number(str_from(line, in + 5), &seconds) || !dev_leading_number(str_from(line, eq + 1), &rate)) {
        parse_note(h->ctx, at, "timing not understood");
        return;
    }
    double bytes_per = 1048576;
    if (str_has(str_from(line, eq), "kB/sec")) rate /= 1024;
    h->any = true;
    h->ctx->rows++;
    Row r = ctx_row(h->ctx, "benchmark", at);
    row_ref(&r, "node", drive(h, at));
    row_text(&r, "tool", STR("hdparm"));
    row_text(&r, "label", cached ? STR("-T") : direct ? STR("-t --direct") : STR("-t"));
    row_text(&r, "rw", STR("read"));
    row_int(&r, "direct", direct ? 1 : 0);
    row_text(&r, "sync", STR("none"));
    row_real(&r, "bytes", mib * bytes_per);
    row_real(&r, "seconds", seconds);
    row_real(&r, "mb_s", rate * bytes_per / 1e6);
    row_text(&r, "measures",
             cached ? STR("copying from the page cache: memory and CPU, not the drive")
                    : STR("sequential reads at the start of the device"));
    row_done(&r);
}

/* A line of "Commands/features": "   *    Write cache". */
static void feature(Hdparm *h, Str line, Spot at) {
    Str s = str_trim(line);
    bool on = str_starts(s, "*");
    if (on) s = str_trim_left(str_from(s, 1));
    h->any = true;
    h->ctx->rows++;
    if (str_is(s, "Write cache")) set(h, "write_cache", on ? STR("on") : STR("off"), at);
    else if (str_is(s, "Look-ahead")) set(h, "read_lookahead", on ? STR("on") : STR("off"), at);
    else if (str_is(s, "SMART feature set"))
        set(h, "smart_enabled", on ? STR("yes") : STR("no"), at), set(h, "smart_supported", STR("yes"), at);
    else if (str_starts(s, "Native Command Queueing")) {
        h->ncq = true;
        set(h, "ncq_supported", STR("yes"), at);
    } else if (str_starts(s, "Data Set Management TRIM supported")) {
        set(h, "trim_supported", STR("yes"), at);
    } else if (str_starts(s, "SCT Error Recovery Control")) {
        set(h, "erc_supported", STR("yes"), at);
    } else if (str_starts(s, "Gen")) {
        size_t open = str_find_ch(s, '(');
        double gbps;
        if (open != SIZE_MAX && dev_gbps(str_from(s, open + 1), &gbps) && gbps > h->gen_gbps) {
            h->gen_gbps = gbps;
            h->gen_at = keep(h, at);
        }
    }
}

static void security_line(Hdparm *h, Str line, Spot at) {
    Str rest = line;
    Str word = str_word(&rest);
    bool no = str_is(word, "not");
    if (no) word = str_word(&rest);
    bool *flag = str_is(word, "enabled")  ? &h->enabled
                 : str_is(word, "locked") ? &h->locked
                 : str_is(word, "frozen") ? &h->frozen
                                          : NULL;
    if (!flag) return;
    *flag = !no;
    if (!h->security || !no) h->security_at = keep(h, at);
    h->security = true;
}

/* " Model=ST4000, FwRev=SC60, SerialNo=Z300" and the lines of -i behind it. */
static void identity_fields(Hdparm *h, Str line, Spot at) {
    size_t serial = str_find(line, "SerialNo=");
    if (!h->ref && !h->given.len && serial != SIZE_MAX) {
        Str value = str_trim(str_from(line, serial + strlen("SerialNo=")));
        if (value.len) h->ref = ctx_ref(h->ctx, REF_SERIAL, value);
    }
    static const char *const fields[][2] = {{"Model=", "model"}, {"FwRev=", "firmware"}, {"SerialNo=", "serial"}};
    for (size_t i = 0; i < 3; i++) {
        size_t from = str_find(line, fields[i][0]);
        if (from == SIZE_MAX) continue;
        Str value = str_from(line, from + strlen(fields[i][0]));
        size_t comma = str_find_ch(value, ',');
        if (comma != SIZE_MAX) value = str_sub(value, 0, comma);
        set(h, fields[i][1], value, at);
    }
}

static void text_line(Hdparm *h, Str line, Spot at) {
    Str s = str_trim(line), key, value;
    double number;
    if (!s.len) return;
    size_t eq = str_find_ch(s, '=');
    if (str_starts(s, "max sectors ") &&
        eq != SIZE_MAX) { /* -N: "max sectors   = 976771055/976773168, HPA is enabled" */
        uint64_t current, native;
        value = str_trim(str_from(s, eq + 1));
        size_t slash = str_find_ch(value, '/'), end = slash == SIZE_MAX ? SIZE_MAX : slash + 1;
        while (end < value.len && ch_digit(value.p[end])) end++;
        if (slash != SIZE_MAX && str_u64(str_sub(value, 0, slash), &current) &&
            str_u64(str_sub(value, slash + 1, end - slash - 1), &native) && str_ifind(s, "invalid") == SIZE_MAX &&
            native < 1ull << 48) {
            set_int(h, "hpa_current_sectors", (int64_t)(current & INT64_MAX), at);
            set_int(h, "hpa_native_sectors", (int64_t)native, at);
        } else {
            parse_note(h->ctx, at, "max sectors: not a pair that a drive can have");
        }
        return;
    }
    if (setting_line(s, "write-caching")) switch_setting(h, "write_cache", str_from(s, eq + 1), at);
    else if (setting_line(s, "look-ahead")) switch_setting(h, "read_lookahead", str_from(s, eq + 1), at);
    else if (setting_line(s, "APM_level")) {
        value = str_trim(str_from(s, eq + 1));
        if (str_starts(value, "off")) set_int(h, "apm_level", 255, at);
        else if (dev_leading_number(value, &number)) set_int(h, "apm_level", i64_of(number), at);
        else h->any = true, h->ctx->rows++;
    } else if (str_starts(s, "drive state is:")) {
        value = str_trim(str_from(s, strlen("drive state is:")));
        if (str_starts(value, "active")) set(h, "power_mode", STR("active"), at);
        else if (str_starts(value, "standby")) set(h, "power_mode", STR("standby"), at);
        else if (str_starts(value, "sleeping")) set(h, "power_mode", STR("sleep"), at);
        else if (str_starts(value, "idle")) set(h, "power_mode", STR("idle"), at);
        else h->any = true, h->ctx->rows++;
    } else if (str_starts(s, "Timing ")) {
        timing(h, s, at);
    } else if (str_starts(s, "SG_IO:") || str_starts(s, "HDIO_") || str_has(s, "Permission denied") ||
               str_has(s, "No such file") || str_has(s, "Input/output error")) {
        h->any = true;
        facts_note(h->ctx->facts, h->ctx->src, at,
                   arena_strf(h->ctx->scratch, "the drive did not answer: %.*s", STR_ARG(str_sub(s, 0, 200))));
    } else if (str_starts(s, "Model=") && str_has(s, "FwRev=")) {
        identity_fields(h, s, at);
    } else if (str_has(s, "WriteCache=")) {
        value = str_from(s, str_find(s, "WriteCache=") + strlen("WriteCache="));
        if (str_starts(value, "enabled")) set(h, "write_cache", STR("on"), at);
        else if (str_starts(value, "disabled")) set(h, "write_cache", STR("off"), at);
    } else if (str_starts(s, "Commands/features")) {
        h->block = BLOCK_FEATURES;
    } else if (str_starts(s, "Security:")) {
        h->block = BLOCK_SECURITY;
        h->features_end = true;
    } else if (str_starts(s, "Logical Unit WWN Device Identifier:")) {
        h->block = BLOCK_NONE;
        Str wwn = dev_wwn(h->ctx->scratch, str_from(s, strlen("Logical Unit WWN Device Identifier:")));
        if (wwn.len) set(h, "wwn", wwn, at);
    } else if (str_starts(s, "Checksum:")) {
        h->block = BLOCK_NONE;
        h->features_end = true;
        if (str_has(s, "incorrect")) parse_note(h->ctx, at, "the drive's identify data has a wrong checksum");
    } else if (str_starts(s, "Enabled") && str_has(s, "Supported")) {
        /* column heading of the features */
    } else if (h->block == BLOCK_FEATURES) {
        feature(h, s, at);
    } else if (h->block == BLOCK_SECURITY) {
        security_line(h, s, at);
    } else if (dev_key_value(s, &key, &value)) {
        if (str_is(key, "Model Number")) set(h, "model", value, at);
        else if (str_is(key, "Serial Number")) set(h, "serial", value, at);
        else if (str_is(key, "Firmware Revision")) set(h, "firmware", value, at);
        else if (str_is(key, "Transport"))
            set(h, "transport",
                str_istarts(value, "serial")     ? STR("sata")
                : str_istarts(value, "parallel") ? STR("ata")
                                                 : STR_NONE,
                at);
        else if (str_is(key, "Nominal Media Rotation Rate")) {
            bool solid = str_istarts(value, "solid");
            if (solid || (dev_leading_number(value, &number) && number > 1000)) {
                set_int(h, "rotation_rpm", solid ? 0 : i64_of(number), at);
                set_int(h, "rotational", solid ? 0 : 1, at);
            }
        } else if (str_is(key, "Queue depth") && dev_leading_number(value, &number)) {
            h->queue_depth_seen = true;
            h->queue_depth = i64_of(number);
            h->queue_depth_at = keep(h, at);
        } else if (str_is(key, "Advanced power management level")) {
            if (str_istarts(value, "disabled")) set_int(h, "apm_level", 255, at);
            else if (dev_leading_number(value, &number)) set_int(h, "apm_level", i64_of(number), at);
        } else if (str_is(key, "LBA48  user addressable sectors") || str_is(key, "LBA48 user addressable sectors") ||
                   (str_ends(key, "user addressable sectors") && str_starts(key, "LBA") && h->sectors == 0)) {
            if (dev_leading_number(value, &number)) {
                h->sectors = number;
                h->sectors_at = keep(h, at);
                h->any = true;
            }
        } else if (str_ends(key, "Sector size") && dev_leading_number(value, &number)) {
            bool logical = str_starts(key, "Logical"), physical = str_has(key, "Physical");
            if (logical) h->sector_bytes = number, set_int(h, "logical_block_bytes", i64_of(number), at);
            if (physical) set_int(h, "physical_block_bytes", i64_of(number), at);
        }
    }
}

static ParseResult hdparm_parse(ParseCtx *ctx, Input *in) {
    Hdparm h = {.ctx = ctx};
    h.given = dev_in_command(ctx->scratch, ctx->command);
    if (!h.given.len) h.given = dev_in_path(ctx->path);
    Str line;
    bool any = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str device;
        if (device_heading(line, &device)) {
            any = any || h.any;
            drive_done(&h);
            h.ref = ctx_ref(ctx, REF_DISK, arena_strf(ctx->scratch, "/dev/%.*s", STR_ARG(device)));
            continue;
        }
        /* "/dev/sda: Permission denied" */
        text_line(&h, line, at);
    }
    any = any || h.any;
    drive_done(&h);
    if (!ctx->rows && !ctx->bad_rows) return any ? PARSE_NOTHING : PARSE_REJECTED;
    return parse_result(ctx);
}

const Parser parser_hdparm = {
    .name = "hdparm",
    .bid = hdparm_bid,
    .starts = hdparm_starts,
    .continues = hdparm_continues,
    .parse = hdparm_parse,
    .ask = "hdparm -I -W /dev/sdX",
};
