/*
 * gpart.c - partition tables as FreeBSD shows them
 *
 * Reads   gpart show, with -p (names instead of indexes) and -l (labels instead of types), of all disks or of some
 * Gives   the name of each GPT label: gpt/LABEL and its partition are one thing
 * Sample  gpart show -lp, FreeBSD 12.2
 *   |=>        40  1953525088    ada0  GPT  (932G)
 *   |          40        2008          - free -  (1.0M)
 *   |        2048  1953521072  ada0p1  S_EX000000000001  (932G)
 * Varies  without -p an index stands where -p has the name; "(null)" is no label; "[CORRUPT]", "[active]", "[bootme]" behind the size;
 *         a table may lie on a label or a slice instead of a disk. Without the command line, types are known by their names: a
 *         table where none is a type shows labels.
 */
#include "device_text.h"
#include "geom_fact.h"

static const char *const types[] = {"efi",
                                    "freebsd",
                                    "freebsd-boot",
                                    "freebsd-swap",
                                    "freebsd-ufs",
                                    "freebsd-zfs",
                                    "freebsd-vinum",
                                    "freebsd-nandfs",
                                    "bios-boot",
                                    "ms-basic-data",
                                    "ms-reserved",
                                    "ms-recovery",
                                    "ms-ldm-data",
                                    "ms-ldm-metadata",
                                    "ms-spaces",
                                    "linux-data",
                                    "linux-lvm",
                                    "linux-raid",
                                    "linux-swap",
                                    "apple-apfs",
                                    "apple-boot",
                                    "apple-hfs",
                                    "apple-ufs",
                                    "apple-zfs",
                                    "apple-raid",
                                    "apple-label",
                                    "ntfs",
                                    "fat12",
                                    "fat16",
                                    "fat16lba",
                                    "fat32",
                                    "fat32lba",
                                    "ebr",
                                    "mbr",
                                    "netbsd-ffs",
                                    "netbsd-swap",
                                    "openbsd-data",
                                    "solaris-root",
                                    "solaris-swap",
                                    "vmware-vmfs",
                                    "chromeos-root",
                                    "prep-boot",
                                    "dragonfly-hammer",
                                    "hifive-fsbl",
                                    "u-boot-env"};

typedef struct GpartRow {
    bool header;
    Str middle; /* header: the name; row: index or partition */
    Str text;   /* header: the scheme; row: type or label, "- free -" */
} GpartRow;

/* Cuts "(932G)" and "[active]" off the end: they close every line. */
static bool tail(Str *s) {
    bool size = false;
    for (;;) {
        *s = str_trim_right(*s);
        if (!s->len) return false;
        char end = s->p[s->len - 1];
        if (end == ']' && !size) {
            size_t open = str_rfind_ch(*s, '[');
            if (open == SIZE_MAX || s->len - open > 24) return false;
            *s = str_sub(*s, 0, open);
        } else if (end == ')' && !size) {
            size_t open = str_rfind_ch(*s, '(');
            if (open == SIZE_MAX || s->len - open > 10 || !ch_digit(s->p[open + 1])) return false;
            *s = str_sub(*s, 0, open);
            size = true;
        } else if (end == ']') { /* "(null)  [active]  (7.5G)" */
            size_t open = str_rfind_ch(*s, '[');
            if (open == SIZE_MAX || s->len - open > 24 || open < 2) return true;
            *s = str_sub(*s, 0, open);
        } else {
            return size;
        }
    }
}

static bool row(Str line, GpartRow *out) {
    uint64_t start, size;
    Str s = line;
    out->header = str_starts(line, "=>");
    if (out->header) s = str_from(line, 2);
    if (!tail(&s)) return false;
    if (!str_u64(str_word(&s), &start) || !str_u64(str_word(&s), &size)) return false;
    s = str_trim(s);
    if (str_is(s, "- free -")) {
        out->middle = STR_NONE;
        out->text = s;
        return !out->header;
    }
    Str rest = s;
    out->middle = str_word(&rest);
    out->text = str_trim(rest);
    if (!out->middle.len || !out->text.len) return false;
    if (!out->header) {
        uint64_t index;
        char last = out->middle.p[out->middle.len - 1]; /* a BSD partition ends in its letter */
        return str_u64(out->middle, &index) || (ch_alpha(out->middle.p[0]) && (ch_digit(last) || ch_alpha(last)));
    }
    static const char *const schemes[] = {"GPT", "MBR", "BSD", "EBR", "APM", "VTOC8", "LDM", "PC98", "BSD64"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (str_is(out->text, schemes[i])) return true;
    return false;
}

static bool starts(Str line) {
    GpartRow r;
    return str_starts(line, "=>") && row(str_trim_right(line), &r);
}

static bool continues(Str line) {
    GpartRow r;
    line = str_trim_right(line);
    return !line.len || row(line, &r);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (line.len) return starts(line) ? command_is(command, "gpart") ? 40 : 32 : 0;
    }
    return 0;
}

static bool is_type(Str s) {
    if (s.len && s.p[0] == '!') return true; /* a type without a name: !171 */
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is(s, types[i])) return true;
    return false;
}

/* gpart show -l, -lp, -pl */
static bool wants_labels(Str command) {
    bool flag = false;
    for (Str word; (word = str_word(&command)).len;)
        if (word.p[0] == '-' && word.len < 6) flag |= str_find_ch(word, 'l') != SIZE_MAX;
    return flag;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    bool flag = wants_labels(ctx->command) && command_is(ctx->command, "gpart");
    Str line, table = STR_NONE, scheme = STR_NONE;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        GpartRow r;
        line = str_trim_right(line);
        if (!line.len) continue;
        if (!row(line, &r)) {
            parse_note(ctx, at, "not a line of gpart show: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        if (r.header) {
            table = arena_str(ctx->scratch, r.middle);
            scheme = arena_str(ctx->scratch, r.text);
            continue;
        }
        if (!r.middle.len || !str_is(scheme, "GPT") || str_is(r.text, "(null)") || (!flag && is_type(r.text))) continue;
        uint64_t index;
        Str partition = str_u64(r.middle, &index)
                            ? arena_strf(ctx->scratch, "%.*sp%llu", STR_ARG(table), (unsigned long long)index)
                            : r.middle;
        geom_label(ctx, geom_gpt_link(ctx->scratch, r.text), partition, "gpart show", at);
    }
    return parse_result(ctx);
}

const Parser parser_gpart = {
    .name = "gpart", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "gpart show -lp"};
