/*
 * dd.c - what a dd run measured, in figures and in words
 *
 * Reads   the last lines of dd (GNU in any language, busybox, BSD and macOS), with the command line before them or given with the
 *         piece; command lines of DiskSpd with -Sh are named, too
 * Gives   benchmark(tool, rw, block_bytes, direct, sync, data, target, bytes, seconds, mb_s, measures)
 * Sample  GNU coreutils 9.1
 *   | dd if=/dev/zero of=/storage/test bs=1M count=1024 oflag=direct
 *   | 1024+0 records in
 *   | 1024+0 records out
 *   | 1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.4 s, 244 MB/s
 * Varies  the words are translated ("kopiert", "octets"), the decimal sign too; GNU before 8.24 has one size in the brackets;
 *         busybox says "seconds", BSD "bytes transferred in 4.4 secs (244032324 bytes/sec)"; status=progress writes lines like
 *         the last one while it runs. Without the command line a figure means little: then it says so.
 */
#include "parser.h"

#include <math.h>

enum { MAX_COMMAND = 1024 };

typedef struct Operands {
    bool seen;
    char line[MAX_COMMAND];
    size_t len;
    Str in, out;
    double block, count;
    bool read_direct, write_direct;
    const char *sync; /* none dsync fsync fdatasync */
} Operands;

typedef struct State {
    ParseCtx *ctx;
    Operands op;
    bool records; /* "records out" came: the next line of figures is the end of a run */
    bool held;    /* figures without records before them: progress, unless nothing else comes */
    double bytes, seconds;
    int64_t held_line;
    char held_text[FACTS_LINE_CLIP];
    size_t held_len;
    bool continued; /* the command goes on in the next line */
    char label[FACTS_LINE_CLIP];
} State;

/* ---------------------------------------------------------------- lines */

/* "1024+0 records in", "1024+0 Datensaetze ein", "0+1 enregistrements lus" */
static bool records_line(Str line) {
    Str rest = str_trim(line), word = str_word(&rest);
    size_t plus = str_find_ch(word, '+');
    uint64_t v;
    if (plus == SIZE_MAX || !str_u64(str_sub(word, 0, plus), &v) || !str_u64(str_from(word, plus + 1), &v))
        return false;
    return str_word(&rest).len && str_trim(rest).len < 40;
}

/* The second of the two lines cannot be told by its words in every language: it is the one that follows a first. */

static double rate_unit(Str u) {
    if (str_is(u, "GB/s")) return 1e9;
    if (str_is(u, "MB/s")) return 1e6;
    if (str_is(u, "kB/s") || str_is(u, "KB/s")) return 1e3;
    if (str_is(u, "B/s")) return 1;
    return 0;
}

/* Is there a rate at the end: "244 MB/s", "244MB/s", "1,1 GB/s"? */
static bool ends_in_rate(Str t) {
    size_t slash = str_rfind_ch(t, '/');
    if (slash == SIZE_MAX || t.len - slash < 2 || t.len - slash > 6) return false; /* "/s", "/sec" */
    size_t start = slash;
    while (start && ch_alpha(t.p[start - 1])) start--;
    Str unit = str_from(t, start);
    return rate_unit(unit) > 0 || str_ends(unit, "/s") || str_ends(unit, "o/s");
}

/*
 * "N bytes (...) copied, T s, R MB/s" in any language: a number, a word, brackets, ", T s", and a rate at the end; or BSD's
 * "N bytes transferred in T secs (R bytes/sec)".
 */
static bool figures_line(Str line, double *bytes, double *seconds) {
    size_t cr = str_rfind_ch(str_trim_right(line), '\r'); /* progress overwrites itself */
    Str t = str_trim(cr == SIZE_MAX ? line : str_from(line, cr + 1));
    if (!t.len || !ch_digit(t.p[0])) return false;
    Str rest = t, number = str_word(&rest);
    uint64_t n;
    if (!str_u64(number, &n)) return false;
    size_t at = str_find(t, " transferred in ");
    if (at != SIZE_MAX) {
        rest = str_from(t, at + 16);
        Str time = str_word(&rest);
        if (!str_double(time, seconds) || !str_starts(str_trim(rest), "sec")) return false;
        *bytes = (double)n;
        return true;
    }
    Str word = str_word(&rest); /* bytes, Bytes, octets, byte */
    if (!word.len || ch_digit(word.p[0]) || !ends_in_rate(t)) return false;
    /* the time: last ", NUMBER s" before the rate */
    Str head = t;
    for (int i = 0; i < 4; i++) {
        size_t comma = str_rfind_ch(head, ',');
        if (comma == SIZE_MAX) return false;
        Str part = str_trim(str_from(head, comma + 1)), words = part;
        Str value = str_word(&words), unit = str_word(&words);
        bool is_time =
            (str_is(unit, "s") || str_starts(unit, "sec") || str_starts(unit, "Sek") || str_is(unit, "\xd1\x81")) &&
            !words.len;
        head = str_sub(head, 0, comma);
        if (!is_time) continue;
        double v;
        if (!str_double(value, &v)) return false;
        /* "4,4 s" was cut at its decimal comma: the blank that follows a real one is missing */
        if (comma + 1 < t.len && ch_digit(t.p[comma + 1])) {
            size_t start = comma;
            while (start && ch_digit(t.p[start - 1])) start--;
            if (start == comma || !str_double((Str){t.p + start, (size_t)(value.p + value.len - (t.p + start))}, &v))
                return false;
        }
        *seconds = v;
        *bytes = (double)n;
        return true;
    }
    return false;
}

/* The dd command in a line, behind a prompt, sudo, time or the like; STR_NONE when there is none. Behind figures it stands in a list of
   processes (pidstat -l, iotop, ps). */
static Str dd_command(Str line) {
    Str rest = line;
    int figures = 0;
    double v;
    for (Str w; figures < 2 && (w = str_word(&rest)).len;) {
        if (str_double(w, &v)) figures++;
        if (!str_is(str_basename(w), "dd") && !str_ends(w, "$dd") && !str_ends(w, "#dd")) continue;
        Str after = rest, next = str_word(&after);
        static const char *const operands[] = {
            "if=", "of=", "bs=", "count=", "iflag=", "oflag=", "conv=", "ibs=", "obs=", "status=", "skip=", "seek="};
        for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
            if (str_starts(next, operands[i])) return str_from(line, (size_t)(w.p - line.p));
    }
    return STR_NONE;
}

/* The command of DiskSpd, in its report ("Command Line: diskspd -Sh ...") or at a prompt. */
static Str diskspd_command(Str line) {
    size_t at = str_ifind(line, "diskspd");
    if (at == SIZE_MAX) return STR_NONE;
    Str rest = str_from(line, at), first = str_word(&rest);
    if (first.len > 20 || !str_trim(rest).len || str_trim(rest).p[0] != '-') return STR_NONE;
    return str_from(line, at);
}

static int bid(Str path, Str command, Str head) {
    int bits = 0;
    bool records = false;
    (void)path;
    for (int n = 0; n < 12 && head.len; n++) {
        Str line = head_line(&head);
        double b, s;
        if (!str_trim(line).len) continue;
        if (records_line(line)) {
            if (records) bits += 8;
            records = true;
            bits += 6;
        } else if (figures_line(line, &b, &s)) {
            bits += 16;
        } else if (dd_command(line).len) {
            bits += 12;
        } else if (diskspd_command(line).len) {
            bits += 14;
        } else if (n > 3 && !bits) {
            return 0;
        }
    }
    if (!bits) return 0;
    return (bits > 36 ? 36 : bits) + (command_is(command, "dd") ? 6 : 0);
}

static bool starts(Str line) {
    double b, s;
    if (records_line(line) && (str_has(line, " in") || str_has(line, "ein") || str_has(line, "lus"))) return true;
    if (figures_line(line, &b, &s)) return true;
    Str t = str_trim(line);
    return (str_starts(t, "dd ") && dd_command(t).len) || str_istarts(t, "Command Line: diskspd");
}

static bool continues(Str line) {
    double b, s;
    Str t = str_trim(line);
    return !t.len || records_line(line) || figures_line(line, &b, &s) || (str_starts(t, "dd ") && dd_command(t).len) ||
           (str_starts(t, "sudo dd ") && dd_command(t).len) || str_starts(t, "real\t") || str_starts(t, "user\t") ||
           str_starts(t, "sys\t");
}

/* ---------------------------------------------------------------- operands */

/* "1M", "4k", "512", "1MB" (10^6), "64x1k"; c w b k K M G T as in POSIX and GNU. */
static bool block_size(Str s, double *out) {
    double product = 1;
    while (s.len) {
        size_t x = str_find_ch(s, 'x');
        Str part = x == SIZE_MAX ? s : str_sub(s, 0, x);
        s = x == SIZE_MAX ? STR_NONE : str_from(s, x + 1);
        size_t n = 0;
        while (n < part.len && ch_digit(part.p[n])) n++;
        uint64_t v;
        if (!str_u64(str_sub(part, 0, n), &v)) return false;
        Str unit = str_from(part, n);
        double scale = 1;
        if (unit.len) {
            static const char letters[] = "kmgtpe";
            char c = ch_lower(unit.p[0]);
            const char *at = memchr(letters, c, sizeof letters - 1);
            if (at) {
                bool thousand = unit.len == 2 && unit.p[1] == 'B';
                for (const char *l = letters; l <= at; l++) scale *= thousand ? 1000 : 1024;
            } else if (unit.len == 1 && c == 'b') {
                scale = 512;
            } else if (unit.len == 1 && c == 'w') {
                scale = 2;
            } else if (!(unit.len == 1 && c == 'c')) {
                return false;
            }
        }
        product *= (double)v * scale;
    }
    *out = product;
    return product > 0;
}

static bool flag(Str list, const char *word) {
    while (list.len)
        if (str_is(str_cut(&list, ','), word)) return true;
    return false;
}

static void read_command(Operands *o, Str command) {
    *o = (Operands){.seen = true, .block = 512, .count = NAN, .sync = "none"};
    o->len = command.len < sizeof o->line ? command.len : sizeof o->line;
    memcpy(o->line, command.p, o->len);
    Str rest = {o->line, o->len};
    double v;
    for (Str w; (w = str_word(&rest)).len;) {
        if (w.p[0] == '|' || w.p[0] == ';' || w.p[0] == '&' || w.p[0] == '>' || str_starts(w, "2>")) break;
        Str value;
        if ((value = str_after(w, "if=")).p) o->in = value;
        else if ((value = str_after(w, "of=")).p) o->out = value;
        else if ((value = str_after(w, "bs=")).p || (value = str_after(w, "obs=")).p ||
                 (value = str_after(w, "ibs=")).p)
            o->block = block_size(value, &v) ? v : NAN;
        else if ((value = str_after(w, "count=")).p) o->count = block_size(value, &v) ? v : NAN;
        else if ((value = str_after(w, "iflag=")).p) o->read_direct = o->read_direct || flag(value, "direct");
        else if ((value = str_after(w, "oflag=")).p) {
            o->write_direct = o->write_direct || flag(value, "direct");
            if (flag(value, "dsync") || flag(value, "sync")) o->sync = "dsync";
        } else if ((value = str_after(w, "conv=")).p) {
            if (flag(value, "fdatasync") && strcmp(o->sync, "dsync") != 0) o->sync = "fdatasync";
            if (flag(value, "fsync") && strcmp(o->sync, "dsync") != 0) o->sync = "fsync";
        }
    }
}

/* ---------------------------------------------------------------- what it measures */

static const char *data_of(Str in) {
    if (!in.len) return "unknown";
    if (str_is(in, "/dev/zero")) return "zero";
    if (str_is(in, "/dev/urandom") || str_is(in, "/dev/random")) return "random";
    return "file";
}

static void sentence(StrBuf *b, const char *text) {
    if (b->len) sb_addz(b, "; ");
    sb_addz(b, text);
}

static Str measures(ParseCtx *ctx, const Operands *o, bool read, double bytes, double seconds) {
    StrBuf b;
    sb_init(&b, ctx->scratch);
    if (!o->seen) {
        sentence(
            &b,
            "dd without its command line: what was read, what was written and whether it reached the drive is unknown");
        return sb_str(&b);
    }
    const char *data = data_of(o->in);
    if (read) {
        if (o->read_direct)
            sentence(&b,
                     "sequential reads past the page cache (iflag=direct); on ZFS before 2.3 the ARC still answers");
        else sentence(&b, "sequential reads through the page cache: what was read or written before comes from memory");
    } else {
        bool dsync = strcmp(o->sync, "dsync") == 0;
        if (dsync)
            sb_addf(&b, "the latency of a flush after every block (oflag=dsync)%s, not the rate of the drive",
                    o->block <= 65536 ? "" : ", the larger the block the less");
        if (o->write_direct && !dsync)
            sentence(&b, "writes past the page cache, one block at a time (oflag=direct): the latency of a block more "
                         "than the rate of the drive; "
                         "without a flush, so a drive's own cache takes them");
        if (!o->write_direct && strcmp(o->sync, "none") == 0) {
            sentence(&b, "no fsync and no direct I/O: writes to memory (page cache), as long as it takes them");
            if (seconds > 0 && seconds < 5) sentence(&b, "shorter than writeback waits before it begins");
        }
        if (!dsync && (strcmp(o->sync, "fsync") == 0 || strcmp(o->sync, "fdatasync") == 0))
            sentence(&b, "sequential writes with one flush at the end: what reached the drive");
        if (strcmp(data, "zero") == 0)
            sentence(&b, "zeros: compressing file systems (ZFS, btrfs) and some SSDs write next to nothing");
        if (strcmp(data, "random") == 0)
            sentence(&b, "the source is the kernel's random generator: a CPU makes some 200 to 500 MB/s of it, which "
                         "may be the limit");
        if (strcmp(data, "file") == 0 && !str_starts(o->in, "/dev/shm/") && !str_starts(o->in, "/tmp/"))
            sentence(&b, "reading the source takes part of the time");
    }
    if (bytes > 0 && bytes < 256e6) sentence(&b, "little data: caches of the drive may have taken all of it");
    return sb_str(&b);
}

static void put(State *s, double bytes, double seconds, Spot at) {
    ParseCtx *ctx = s->ctx;
    const Operands *o = &s->op;
    bool read =
        o->seen && (str_is(o->out, "/dev/null") || (!o->out.len && o->in.len && !str_starts(o->in, "/dev/zero")));
    Str target = !o->seen ? STR_NONE : read ? o->in : o->out;
    Ref node = 0;
    if (str_starts(target, "/dev/") && !str_starts(target, "/dev/shm") && !str_starts(target, "/dev/null") &&
        !str_starts(target, "/dev/zvol"))
        node = ctx_ref(ctx, REF_DISK, target);
    Row r = ctx_row(ctx, "benchmark", at);
    row_ref(&r, "node", node);
    row_text(&r, "tool", STR("dd"));
    row_text(&r, "label", o->seen ? (Str){o->line, o->len} : STR_NONE);
    if (o->seen) {
        row_text(&r, "rw", read ? STR("read") : STR("write"));
        if (o->block > 0 && o->block < 9e18) row_int(&r, "block_bytes", (int64_t)o->block);
        row_int(&r, "direct", read ? o->read_direct : o->write_direct);
        row_text(&r, "sync", str_of(read ? "none" : o->sync));
    }
    row_text(&r, "data", str_of(o->seen ? (read ? "file" : data_of(o->in)) : "unknown"));
    row_text(&r, "target", target.len ? target : STR_NONE);
    row_real(&r, "bytes", bytes);
    row_real(&r, "seconds", seconds);
    if (seconds > 0) row_real(&r, "mb_s", bytes / seconds / 1e6);
    if (o->seen && o->block > 0 && seconds > 0 && strcmp(o->sync, "dsync") == 0 && !read)
        row_real(&r, "iops", bytes / o->block / seconds);
    row_text(&r, "measures", measures(ctx, o, read, bytes, seconds));
    row_done(&r);
    ctx->rows++;
}

static void put_held(State *s) {
    if (!s->held) return;
    s->held = false;
    put(s, s->bytes, s->seconds, (Spot){.line = s->held_line, .text = {s->held_text, s->held_len}});
}

static void put_diskspd(State *s, Str command, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str rest = command;
    bool software = true, hardware = true, random = false;
    double block = NAN;
    int writes = 0;
    for (Str w; (w = str_word(&rest)).len;) {
        if (str_starts(w, "-S")) {
            software = str_find_ch(w, 'b') != SIZE_MAX || str_find_ch(w, 'm') != SIZE_MAX;
            hardware = str_find_ch(w, 'h') == SIZE_MAX && str_find_ch(w, 'w') == SIZE_MAX;
        } else if (str_starts(w, "-h")) {
            software = hardware = false; /* the old spelling of -Sh */
        } else if (str_starts(w, "-r")) {
            random = true;
        } else if (str_starts(w, "-b")) {
            double v;
            if (block_size(str_from(w, 2), &v)) block = v;
        } else if (str_starts(w, "-w")) {
            uint64_t v;
            writes = str_u64(str_from(w, 2), &v) && v <= 100 ? (int)v : 100;
        }
    }
    ctx->rows++;
    if (hardware && software) return; /* nothing special: its figures are read elsewhere or not at all */
    Row r = ctx_row(ctx, "benchmark", at);
    row_text(&r, "tool", STR("diskspd"));
    row_text(&r, "label", command);
    if (writes == 0 || writes == 100)
        row_text(&r, "rw", str_of(writes ? (random ? "randwrite" : "write") : random ? "randread" : "read"));
    if (!isnan(block) && block < 9e18) row_int(&r, "block_bytes", (int64_t)block);
    row_int(&r, "direct", !software);
    row_text(&r, "measures",
             hardware ? STR("software caching is off on purpose; the drive's own write cache is in use")
                      : STR("-Sh switches software caching and the drive's write cache off on purpose: this is the "
                            "rate without a write cache"));
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    Str from_command = dd_command(ctx->command), line;
    if (from_command.len) read_command(&s->op, from_command);
    while (input_line(in, &line)) {
        double bytes, seconds;
        Spot at = input_spot(in);
        Str t = str_trim(line), command;
        if (!t.len) {
            continue;
        } else if (records_line(t)) {
            /* figures before the records were progress */
            s->held = false;
            s->records = true;
        } else if (figures_line(line, &bytes, &seconds)) {
            if (s->records) {
                put(s, bytes, seconds, at);
                s->records = false;
                s->op.seen = false;
                if (from_command.len) read_command(&s->op, from_command);
            } else {
                s->held = true;
                s->bytes = bytes;
                s->seconds = seconds;
                s->held_line = at.line;
                s->held_len = t.len < sizeof s->held_text ? t.len : sizeof s->held_text;
                memcpy(s->held_text, t.p, s->held_len);
            }
        } else if ((command = dd_command(t)).len) {
            put_held(s);
            read_command(&s->op, command);
            s->records = false;
        } else if ((command = diskspd_command(t)).len) {
            put_diskspd(s, command, at);
        } else if (s->op.seen && s->op.len && s->op.line[s->op.len - 1] == '\\') { /* the command goes on */
            char joined[MAX_COMMAND * 2];
            size_t n = s->op.len - 1, more = t.len < MAX_COMMAND ? t.len : MAX_COMMAND;
            memcpy(joined, s->op.line, n);
            joined[n++] = ' ';
            memcpy(joined + n, t.p, more);
            read_command(&s->op, (Str){joined, n + more});
        } else if (str_istarts(t, "real") || str_istarts(t, "user") || str_istarts(t, "sys")) {
            continue; /* time(1) */
        } else if (str_has(t, "dd: ")) {
            parse_note(ctx, at, "dd failed: \"%.*s\"", STR_ARG(str_sub(t, 0, 120)));
        }
    }
    put_held(s);
    return parse_result(ctx);
}

const Parser parser_dd = {
    .name = "dd",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "dd if=/dev/shm/random of=NEW_FILE bs=1M count=1024 conv=fsync",
};
