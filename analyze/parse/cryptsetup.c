/*
 * cryptsetup.c - encrypted devices: mappings, LUKS headers, speed of the ciphers
 *
 * Reads   cryptsetup status NAME, cryptsetup luksDump DEVICE (LUKS1 and LUKS2), cryptsetup benchmark
 * Gives   setting crypt_* (type, cipher, key, sector, flags), edge device -> mapping; benchmark rows of tool cryptsetup
 * Sample  cryptsetup 2.6, status
 *   | /dev/mapper/crypt0 is active and is in use.
 *   |   type:    LUKS2
 *   |   cipher:  aes-xts-plain64
 *   |   device:  /dev/sda2
 *   |   sector size:  512
 *   |   flags:   discards no_read_workqueue
 * Varies  1.x prints neither sector size nor key location; 2.8 adds units in brackets. "flags:" is printed only when one is
 *         set. Key size is bits in status and "MK bits" in a LUKS1 header. A LUKS2 dump does not name its device: then the
 *         command or the path does, else the name that systemd gives the mapping, luks-UUID.
 */
#include "device_text.h"
#include "scan.h"

#include <math.h>

static bool status_heading(Str s, Str *name) {
    static const char *const ends[] = {" is active and is in use.", " is active.", " is active and is in use",
                                       " is inactive.", " is inactive and is in use."};
    if (!str_starts(s, "/dev/")) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(s, ends[i])) {
            *name = str_sub(s, 0, s.len - strlen(ends[i]));
            return str_find_ch(*name, ' ') == SIZE_MAX;
        }
    return false;
}

static bool dump_heading(Str s) {
    return str_starts(s, "LUKS header information");
}

static bool benchmark_heading(Str s) {
    return str_starts(s, "# Tests are approximate using memory only") ||
           (str_starts(s, "#") && str_has(s, "Algorithm |") && str_has(s, "Encryption |"));
}

/* "PBKDF2-sha256     1234567 iterations per second for 256-bit key", "argon2id      4 iterations, 1048576 memory, ..." */
static bool benchmark_key(Str s) {
    return (str_starts(s, "PBKDF2-") && str_has(s, "iterations per second")) ||
           (str_starts(s, "argon2") && str_has(s, " iterations, "));
}

/* "aes-xts        512b      2345.6 MiB/s      2400.1 MiB/s" */
static bool benchmark_row(Str s, Str w[6]) {
    size_t n = str_words(s, w, 6);
    if (n == 4) return str_is(w[2], "N/A") && str_is(w[3], "N/A") && str_ends(w[1], "b");
    return n == 6 && str_ends(w[1], "b") && str_is(w[3], "MiB/s") && str_is(w[5], "MiB/s");
}

static bool starts(Str line) {
    Str name, s = str_trim_right(line);
    return status_heading(s, &name) || dump_heading(s) || benchmark_heading(str_trim(s));
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "cryptsetup") || path_has(path, "crypt") || path_has(path, "luks") ? 6 : 0;
    for (int n = 0; n < 6 && head.len; n++) {
        Str s = str_trim(head_line(&head)), name, w[6];
        if (!s.len) continue;
        if (status_heading(s, &name)) return 24 + bits;
        if (dump_heading(s)) return 28 + bits;
        if (benchmark_heading(s)) return 28 + bits;
        if (benchmark_key(s) || benchmark_row(s, w)) return 20 + bits;
        return 0;
    }
    return 0;
}

static bool hex_bytes(Str s) {
    Str w;
    size_t n = 0;
    while ((w = str_word(&s)).len) {
        if (w.len != 2 || !ch_hex(w.p[0]) || !ch_hex(w.p[1])) return false;
        n++;
    }
    return n > 0;
}

static bool known_key(Str key) {
    static const char *const words[] = {"type",
                                        "cipher",
                                        "keysize",
                                        "key location",
                                        "device",
                                        "sector size",
                                        "offset",
                                        "size",
                                        "mode",
                                        "flags",
                                        "loop",
                                        "integrity",
                                        "integrity keysize",
                                        "skipped",
                                        "hash",
                                        "Version",
                                        "Cipher name",
                                        "Cipher mode",
                                        "Hash spec",
                                        "Payload offset",
                                        "MK bits",
                                        "MK digest",
                                        "MK salt",
                                        "MK iterations",
                                        "UUID",
                                        "Epoch",
                                        "Metadata area",
                                        "Keyslots area",
                                        "Label",
                                        "Subsystem",
                                        "Flags",
                                        "Requirements",
                                        "Data segments",
                                        "Keyslots",
                                        "Tokens",
                                        "Digests",
                                        "Salt",
                                        "Iterations",
                                        "Key material offset",
                                        "AF stripes",
                                        "AF hash",
                                        "Key",
                                        "Priority",
                                        "Cipher",
                                        "Cipher key",
                                        "PBKDF",
                                        "Time cost",
                                        "Memory",
                                        "Threads",
                                        "Area offset",
                                        "Area length",
                                        "Digest ID",
                                        "Hash",
                                        "Digest",
                                        "length",
                                        "sector",
                                        "Keyslot",
                                        "journal size",
                                        "tag size",
                                        "encryption",
                                        "superblock",
                                        "HW OPAL encryption",
                                        "HW OPAL key",
                                        "HW OPAL LBA",
                                        "HW OPAL segment number",
                                        "HW OPAL segment size",
                                        "OPAL segment number"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(key, words[i])) return true;
    return (str_starts(key, "Key Slot ") || str_starts(key, "tpm2-")) || (key.len && ch_digit(key.p[0]) && key.len < 4);
}

static bool continues(Str line) {
    Str s = str_trim(line), key, value, name, w[6];
    if (!s.len || status_heading(s, &name) || dump_heading(s) || benchmark_heading(s) || benchmark_key(s) ||
        benchmark_row(s, w))
        return true;
    if (hex_bytes(s)) return true;
    return dev_key_value(s, &key, &value) && (known_key(key) || ch_blank(line.p[0]));
}

/* ---------------------------------------------------------------- facts */

typedef struct Pending {
    const char *key;
    Str value;
    Spot at;
} Pending;

typedef struct Crypt {
    ParseCtx *ctx;
    enum { NOTHING, STATUS, DUMP, BENCHMARK } mode;
    Str device; /* as the command or path names it */
    Ref ref;
    bool flags, cipher;
    Spot heading;
    /* a dump: what stands before its UUID */
    Str dump_device, cipher_name;
    Spot cipher_at;
    VEC(Pending) pending;
    bool segment; /* inside "Data segments:" */
    bool pbkdf;
} Crypt;

static void set(Crypt *c, const char *key, Str value, Spot at) {
    ParseCtx *ctx = c->ctx;
    if (c->ref) {
        ctx_setting(ctx, c->ref, key, value, "kernel", at);
        return;
    }
    Pending p = {key, arena_str(ctx->scratch, value), scan_keep(ctx->scratch, at)};
    VEC_PUSH(ctx->scratch, &c->pending, p);
}

/* The words of the dm table, whichever of the two tools prints them. */
static Str table_flags(Arena *a, Str words) {
    StrBuf b;
    sb_init(&b, a);
    for (Str w; (w = str_word(&words)).len;) {
        if (b.len) sb_addc(&b, ' ');
        if (str_is(w, "discards") || str_is(w, "allow-discards")) {
            sb_addz(&b, "allow_discards");
            continue;
        }
        for (size_t i = 0; i < w.len; i++) sb_addc(&b, w.p[i] == '-' ? '_' : w.p[i]);
    }
    return sb_str(&b);
}

static void end_block(Crypt *c) {
    ParseCtx *ctx = c->ctx;
    if (c->mode == STATUS && c->ref && !c->flags && c->cipher)
        ctx_setting(ctx, c->ref, "crypt_flags", STR("none"), "kernel", c->heading);
    if (c->mode == DUMP && !c->ref) {
        Str device = c->dump_device.len ? c->dump_device : c->device, uuid = STR_NONE;
        for (size_t i = 0; i < c->pending.count; i++)
            if (strcmp(c->pending.items[i].key, "fs_uuid") == 0) uuid = c->pending.items[i].value;
        if (device.len) c->ref = scan_block_ref(ctx, device);
        else if (uuid.len) c->ref = ctx_ref(ctx, REF_DISK, arena_strf(ctx->scratch, "luks-%.*s", STR_ARG(uuid)));
        for (size_t i = 0; c->ref && i < c->pending.count; i++)
            ctx_setting(ctx, c->ref, c->pending.items[i].key, c->pending.items[i].value, "kernel",
                        c->pending.items[i].at);
        if (device.len && uuid.len) ctx_setting(ctx, c->ref, "fs_type", STR("crypto_LUKS"), "kernel", c->heading);
    }
    c->mode = NOTHING;
    c->ref = 0;
    c->flags = c->cipher = c->segment = c->pbkdf = false;
    c->dump_device = c->cipher_name = STR_NONE;
    c->pending.items = NULL;
    c->pending.count = c->pending.cap = 0;
}

/* "61766752 sectors", "32768 [512-byte units] (16777216 [bytes])" in bytes. */
static bool sectors(Str value, double *bytes) {
    double n;
    if (!dev_leading_number(value, &n)) return false;
    if (str_has(value, "sectors") || str_has(value, "512-byte units")) *bytes = n * 512;
    else if (str_has(value, "[bytes]")) *bytes = n;
    else return false;
    return true;
}

static bool status_value(Crypt *c, Str key, Str value, Spot at) {
    ParseCtx *ctx = c->ctx;
    double d;
    if (str_is(key, "type")) {
        if (!str_is(value, "n/a")) set(c, "crypt_type", value, at);
    } else if (str_is(key, "cipher")) {
        c->cipher = true;
        set(c, "crypt_cipher", value, at);
    } else if (str_is(key, "keysize")) {
        if (!dev_leading_number(value, &d)) return false;
        ctx_setting_real(ctx, c->ref, "crypt_key_bits", d, "kernel", at);
    } else if (str_is(key, "sector size")) {
        if (!dev_leading_number(value, &d)) return false;
        ctx_setting_real(ctx, c->ref, "crypt_sector_bytes", d, "kernel", at);
    } else if (str_is(key, "integrity")) {
        set(c, "crypt_integrity", value, at);
    } else if (str_is(key, "device")) {
        if (!str_starts(value, "/dev/")) return !str_has(value, "(null)");
        facts_edge(ctx->facts, ctx->src, scan_block_ref(ctx, value), c->ref, at);
    } else if (str_is(key, "size")) {
        if (!sectors(value, &d)) return false;
        ctx_setting(ctx, c->ref, "size_bytes", arena_strf(ctx->scratch, "%.0f", d), "kernel", at);
    } else if (str_is(key, "flags")) {
        c->flags = true;
        set(c, "crypt_flags", table_flags(ctx->scratch, value), at);
    }
    return true;
}

static bool dump_value(Crypt *c, Str key, Str value, Spot at) {
    ParseCtx *ctx = c->ctx;
    double d;
    if (str_is(key, "Version")) {
        if (!dev_leading_number(value, &d)) return false;
        set(c, "crypt_type", arena_strf(ctx->scratch, "LUKS%.0f", d), at);
    } else if (str_is(key, "UUID")) {
        set(c, "fs_uuid", value, at);
    } else if (str_is(key, "Cipher name")) {
        c->cipher_name = arena_str(ctx->scratch, value);
    } else if (str_is(key, "Cipher mode")) {
        if (c->cipher_name.len)
            set(c, "crypt_cipher", arena_strf(ctx->scratch, "%.*s-%.*s", STR_ARG(c->cipher_name), STR_ARG(value)), at);
    } else if (str_is(key, "MK bits")) {
        if (!dev_leading_number(value, &d)) return false;
        set(c, "crypt_key_bits", arena_strf(ctx->scratch, "%.0f", d), at);
    } else if (str_is(key, "Label")) {
        if (!str_starts(value, "(no ")) set(c, "fs_label", value, at);
    } else if (str_is(key, "Flags")) { /* those kept in the header; the mapping may have others */
        set(c, "crypt_flags", str_starts(value, "(no ") ? STR("none") : table_flags(ctx->scratch, value), at);
    } else if (str_is(key, "Data segments")) {
        c->segment = true;
    } else if (str_is(key, "Keyslots")) {
        c->segment = false;
    } else if (c->segment && str_is(key, "cipher")) {
        set(c, "crypt_cipher", value, at);
    } else if (c->segment && str_is(key, "sector")) {
        if (!dev_leading_number(value, &d)) return false;
        set(c, "crypt_sector_bytes", arena_strf(ctx->scratch, "%.0f", d), at);
    } else if (c->segment && str_is(key, "integrity")) {
        set(c, "crypt_integrity", value, at);
    } else if (!c->pbkdf && str_is(key, "PBKDF")) {
        c->pbkdf = true;
        set(c, "crypt_pbkdf", value, at);
    } else if (!c->pbkdf && !c->segment && str_is(key, "Key")) {
        if (!dev_leading_number(value, &d)) return false;
        set(c, "crypt_key_bits", arena_strf(ctx->scratch, "%.0f", d), at);
    }
    return true;
}

static void speed(ParseCtx *ctx, Str algorithm, Str key, Str value, const char *rw, Spot at) {
    double mib;
    if (!str_double(value, &mib)) {
        parse_note(ctx, at, "cryptsetup benchmark: \"%.*s\" is no number", STR_ARG(str_sub(value, 0, 40)));
        return;
    }
    Row r = ctx_row(ctx, "benchmark", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
    row_text(&r, "tool", STR("cryptsetup"));
    row_text(&r, "label", arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(algorithm), STR_ARG(key)));
    row_text(&r, "rw", str_of(rw));
    row_text(&r, "target", STR("memory"));
    row_real(&r, "mb_s", mib * 1.048576);
    row_text(&r, "measures", STR("how fast one CPU core runs this cipher in memory; no disk takes part"));
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Crypt *c = arena_new_of(ctx->scratch, Crypt);
    c->ctx = ctx;
    c->device = scan_device_in_command(ctx->command);
    if (!c->device.len) c->device = scan_device_in_path(ctx->path);
    Str line;
    while (input_line(in, &line)) {
        Str s = str_trim(line), key, value, name, w[6];
        Spot at = input_spot(in);
        if (!s.len) continue;
        if (status_heading(s, &name)) {
            end_block(c);
            ctx->rows++;
            c->mode = STATUS;
            c->ref = str_has(s, " is inactive") ? 0 : scan_block_ref(ctx, name);
            c->heading = scan_keep(ctx->scratch, at);
            if (!c->ref) c->mode = NOTHING;
        } else if (dump_heading(s)) {
            end_block(c);
            ctx->rows++;
            c->mode = DUMP;
            c->heading = scan_keep(ctx->scratch, at);
            size_t dev = str_find(s, "/dev/");
            if (dev != SIZE_MAX) c->dump_device = arena_str(ctx->scratch, str_from(s, dev));
        } else if (benchmark_heading(s) || benchmark_key(s)) {
            end_block(c);
            ctx->rows++;
            c->mode = BENCHMARK;
        } else if (benchmark_row(s, w)) {
            ctx->rows++;
            if (str_is(w[2], "N/A")) continue;
            speed(ctx, w[0], w[1], w[2], "write", at);
            speed(ctx, w[0], w[1], w[4], "read", at);
        } else if (c->mode == DUMP && hex_bytes(s)) {
            continue;
        } else if (dev_key_value(s, &key, &value) && (c->mode == STATUS || c->mode == DUMP) &&
                   (known_key(key) || ch_blank(line.p[0]))) {
            ctx->rows++;
            if (!(c->mode == STATUS ? status_value(c, key, value, at) : dump_value(c, key, value, at)))
                parse_note(ctx, at, "cryptsetup: \"%.*s\" is no value of \"%.*s\"", STR_ARG(str_sub(value, 0, 40)),
                           STR_ARG(str_sub(key, 0, 40)));
        } else {
            parse_note(ctx, at, "not understood in the output of cryptsetup: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    end_block(c);
    return parse_result(ctx);
}

const Parser parser_cryptsetup = {
    .name = "cryptsetup",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "cryptsetup status NAME; cryptsetup luksDump /dev/sdX2",
};
