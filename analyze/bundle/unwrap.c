#include "unwrap.h"

#include "../parse/log_prefix.h"
#include "../parse/registry.h"
#include "framing.h"

enum {
    LONG_LINE = 256 * 1024, /* what is longer was no screenful */
    MIN_WIDTH = 50,         /* of a console or a mail */
    MAX_WIDTH = 260
};

static void push(Arena *a, PasteLines *v, Str text, int64_t line) {
    PasteLine l = {.text = text, .line = line};
    VEC_PUSH(a, v, l);
}

/* ---------------------------------------------------------------- run-on lines: stamps of a log */

typedef enum Stamp { STAMP_NONE, STAMP_MONO, STAMP_WALL, STAMP_SYSLOG, STAMP_ISO } Stamp;

static size_t digits_at(Str s, size_t i) {
    size_t n = 0;
    while (i + n < s.len && ch_digit(s.p[i + n])) n++;
    return n;
}

static bool month_at(Str s, size_t i) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (i + 3 > s.len) return false;
    for (size_t m = 0; m < 36; m += 3)
        if (memcmp(s.p + i, months + m, 3) == 0) return true;
    return false;
}

static bool clock_at(Str s, size_t i) {
    return i + 8 <= s.len && digits_at(s, i) == 2 && s.p[i + 2] == ':' && digits_at(s, i + 3) == 2 &&
           s.p[i + 5] == ':' && ch_digit(s.p[i + 6]) && ch_digit(s.p[i + 7]);
}

/* "Sun " before s[i]: systemctl writes its dates so, several in a row of a table, and no log does. */
static bool behind_weekday(Str s, size_t i) {
    static const char days[] = "MonTueWedThuFriSatSun";
    for (size_t d = 0; i >= 4 && d < 21; d += 3)
        if (memcmp(s.p + i - 4, days + d, 3) == 0 && s.p[i - 1] == ' ') return true;
    return false;
}

/* The kind of stamp that stands at s[i]. */
static Stamp stamp_at(Str s, size_t i) {
    if (i >= s.len) return STAMP_NONE;
    if (s.p[i] == '[') {
        size_t k = i + 1;
        while (k < s.len && s.p[k] == ' ' && k < i + 8) k++;
        size_t n = digits_at(s, k);
        if (n && n < 10 && k + n < s.len && s.p[k + n] == '.' && digits_at(s, k + n + 1) == 6 && k + n + 7 < s.len &&
            s.p[k + n + 7] == ']')
            return STAMP_MONO;
        /* "[Fr Aug 26 21:47:12 2022]": the weekday in any language */
        Str inner = str_sub(s, i + 1, 40);
        size_t end = str_find_ch(inner, ']');
        if (end == SIZE_MAX) return STAMP_NONE;
        inner.len = end;
        Str words[6];
        size_t count = str_words(inner, words, 6);
        uint64_t year;
        return count == 5 && clock_at(words[3], 0) && str_u64(words[4], &year) && year > 1990 && year < 2200
                   ? STAMP_WALL
                   : STAMP_NONE;
    }
    if (month_at(s, i) && i + 16 < s.len && s.p[i + 3] == ' ' && (s.p[i + 4] == ' ' || ch_digit(s.p[i + 4])) &&
        ch_digit(s.p[i + 5]) && s.p[i + 6] == ' ' && clock_at(s, i + 7))
        return STAMP_SYSLOG;
    if (digits_at(s, i) == 4 && i + 19 < s.len && s.p[i + 4] == '-' && digits_at(s, i + 5) == 2 && s.p[i + 7] == '-' &&
        digits_at(s, i + 8) == 2 && (s.p[i + 10] == 'T' || s.p[i + 10] == ' ') && clock_at(s, i + 11) &&
        !behind_weekday(s, i))
        return STAMP_ISO;
    return STAMP_NONE;
}

/* ---------------------------------------------------------------- run-on lines: labels and rows */

/* Where a line of smartctl begins. */
static const char *const smart_marks[] = {
    "=== START OF ",
    "Copyright (C) ",
    "Model Family:",
    "Device Model:",
    "Model Number:",
    "Serial Number:",
    "Serial number:",
    "LU WWN Device Id:",
    "Firmware Version:",
    "User Capacity:",
    "Sector Size:",
    "Sector Sizes:",
    "Rotation Rate:",
    "Form Factor:",
    "TRIM Command:",
    "Device is:",
    "ATA Version is:",
    "SATA Version is:",
    "Local Time is:",
    "SMART support is:",
    "SMART overall-health self-assessment test result:",
    "SMART Health Status:",
    "General SMART Values:",
    "Offline data collection status:",
    "Self-test execution status:",
    "Total time to complete Offline",
    "SMART capabilities:",
    "Error logging capability:",
    "Short self-test routine",
    "Extended self-test routine",
    "SCT capabilities:",
    "SMART Attributes Data Structure revision number:",
    "Vendor Specific SMART Attributes with Thresholds:",
    "ID# ATTRIBUTE_NAME",
    "SMART Error Log Version:",
    "ATA Error Count:",
    "No Errors Logged",
    "SMART Self-test log structure revision number",
    "Num Test_Description",
    "SMART Selective self-test log",
    "SMART Extended Comprehensive Error Log",
    "SMART Extended Self-test Log",
    "SMART/Health Information (NVMe Log",
    "Critical Warning:",
    "Available Spare:",
    "Available Spare Threshold:",
    "Percentage Used:",
    "Data Units Read:",
    "Data Units Written:",
    "Host Read Commands:",
    "Host Write Commands:",
    "Controller Busy Time:",
    "Power Cycles:",
    "Power On Hours:",
    "Unsafe Shutdowns:",
    "Media and Data Integrity Errors:",
    "Error Information Log Entries:",
    "Warning Comp. Temperature Time:",
    "Critical Comp. Temperature Time:",
    "Temperature Sensor ",
    "Vendor:",
    "Product:",
    "Revision:",
    "Compliance:",
    "Logical block size:",
    "Logical Unit id:",
    "Device type:",
    "Transport protocol:",
    "Temperature Warning:",
    "Current Drive Temperature:",
    "Drive Trip Temperature:",
    "Elements in grown defect list:",
    "Non-medium error count:",
    "SATA Phy Event Counters",
    "Device Statistics (GP Log",
    "PCI Vendor/Subsystem ID:",
    "IEEE OUI Identifier:",
    "Controller ID:",
    "Number of Namespaces:",
    "Namespace 1 Size/Capacity:",
    "Namespace 1 Formatted LBA Size:",
    "NVMe Version:",
    "Warning! ",
    "SMART WRITE LOG",
};

/* "197 Current_Pending_Sector 0x0012 ..." or, in the brief format, "197 Current_Pending_Sector -O--C- ..." */
static bool attribute_at(Str s) {
    Str rest = s, id = str_word(&rest), name = str_word(&rest), flag = str_word(&rest);
    uint64_t n;
    if (id.p != s.p || id.len > 3 || !str_u64(id, &n) || n < 1 || n > 255 || name.len < 4 || !ch_alpha(name.p[0]))
        return false;
    if (str_find_ch(name, '_') == SIZE_MAX && str_find_ch(name, '-') == SIZE_MAX) return false;
    if (flag.len == 6 && str_starts(flag, "0x")) return true;
    if (flag.len != 6) return false;
    for (size_t i = 0; i < 6; i++)
        if (flag.p[i] != '-' && flag.p[i] != "POSRCK"[i]) return false;
    return true;
}

static size_t smart_mark(Str s) {
    for (size_t i = 0; i < sizeof smart_marks / sizeof *smart_marks; i++)
        if (str_starts(s, smart_marks[i])) return strlen(smart_marks[i]);
    if (attribute_at(s)) return 3;
    Str rest = str_after(s, "# ");
    size_t n = rest.p ? digits_at(rest, 0) : 0;
    return n && n < 3 &&
                   (str_starts(str_trim_left(str_from(rest, n)), "Short ") ||
                    str_starts(str_trim_left(str_from(rest, n)), "Extended ") ||
                    str_starts(str_trim_left(str_from(rest, n)), "Conveyance "))
               ? 3
               : 0;
}

static bool pool_state(Str w) {
    static const char *const states[] = {"ONLINE",  "DEGRADED", "FAULTED", "OFFLINE",  "UNAVAIL",
                                         "REMOVED", "AVAIL",    "INUSE",   "SUSPENDED"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (str_is(w, states[i])) return true;
    return false;
}

static bool count_word(Str w) {
    size_t n = digits_at(w, 0);
    if (!n) return false;
    if (n < w.len && w.p[n] == '.') n += 1 + digits_at(w, n + 1);
    return n == w.len || (n + 1 == w.len && strchr("KMGTP", w.p[n]));
}

/* "sda ONLINE 0 0 0" */
static bool vdev_at(Str s) {
    Str rest = s, name = str_word(&rest), state = str_word(&rest), a = str_word(&rest), b = str_word(&rest),
        c = str_word(&rest);
    return name.p == s.p && ch_alnum(name.p[0]) && !pool_state(name) && pool_state(state) && count_word(a) &&
           count_word(b) && count_word(c);
}

static size_t pool_mark(Str s) {
    static const char *const marks[] = {"pool: ", "state: ", "status: ", "action: ", "see: ",
                                        "scan: ", "scrub: ", "config: ", "errors: ", "NAME STATE READ WRITE CKSUM",
                                        "logs ",  "cache ",  "spares ",  "special "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(s, marks[i]) && (i < 10 || vdev_at(str_trim_left(str_from(s, strlen(marks[i]))))))
            return strlen(marks[i]);
    return vdev_at(s) ? 1 : 0;
}

static size_t listing_mark(Str s) {
    return str_starts(s, "lrwxrwxrwx") ? 10 : 0;
}

/* Cuts s before every mark behind its start; gives how many parts there are. Without out it only counts. */
static size_t cut_at(Arena *a, Str s, size_t (*mark)(Str), int64_t line, PasteLines *out) {
    size_t parts = 1, from = 0;
    for (size_t i = 1; i < s.len; i++) {
        if (!ch_blank(s.p[i - 1]) || ch_blank(s.p[i])) continue;
        size_t len = mark(str_from(s, i));
        if (!len) continue;
        parts++;
        if (out) push(a, out, str_trim(str_sub(s, from, i - from)), line);
        from = i;
        i += len - 1;
    }
    if (out) push(a, out, str_trim(str_from(s, from)), line);
    return parts;
}

static size_t cut_stamps(Arena *a, Str s, Stamp kind, int64_t line, PasteLines *out) {
    size_t parts = 1, from = 0;
    for (size_t i = 1; i < s.len; i++) {
        if (!ch_blank(s.p[i - 1]) || stamp_at(s, i) != kind) continue;
        parts++;
        if (out) push(a, out, str_trim_right(str_sub(s, from, i - from)), line);
        from = i;
    }
    if (out) push(a, out, str_from(s, from), line);
    return parts;
}

static Stamp first_stamp(Str s, size_t *at) {
    for (size_t i = 0; i < s.len; i++) {
        if (i && !ch_blank(s.p[i - 1])) continue;
        Stamp k = stamp_at(s, i);
        if (k != STAMP_NONE) {
            *at = i;
            return k;
        }
    }
    return STAMP_NONE;
}

/* A document of one line is none of these. */
static bool opens_document(Str s) {
    return s.len &&
           (s.p[0] == '{' || (s.p[0] == '[' && (s.len == 1 || s.p[1] == '{' || s.p[1] == '"')) || s.p[0] == '<');
}

static bool split_one(Arena *a, const PasteLine *l, PasteLines *out) {
    Str s = str_trim(l->text);
    if (s.len < 60 || l->text.len > LONG_LINE || opens_document(s)) return false;
    size_t at = 0;
    Stamp kind = first_stamp(s, &at);
    if (kind != STAMP_NONE && cut_stamps(a, s, kind, 0, NULL) >= (at ? 3 : 2)) {
        if (at) push(a, out, str_trim_right(str_sub(s, 0, at)), l->line); /* words before the log */
        cut_stamps(a, str_from(s, at), kind, l->line, out);
        return true;
    }
    if (s.len < 100) return false;
    if ((str_has(s, "SMART") || str_has(s, "smartctl") || str_has(s, "Serial ") || str_has(s, "ATTRIBUTE_NAME")) &&
        cut_at(a, s, smart_mark, 0, NULL) >= 4) {
        cut_at(a, s, smart_mark, l->line, out);
        return true;
    }
    if (str_has(s, "state: ") && str_has(s, "config: ") && cut_at(a, s, pool_mark, 0, NULL) >= 5) {
        cut_at(a, s, pool_mark, l->line, out);
        return true;
    }
    if (str_has(s, "lrwxrwxrwx") && cut_at(a, s, listing_mark, 0, NULL) >= 2) {
        cut_at(a, s, listing_mark, l->line, out);
        return true;
    }
    return false;
}

void unwrap_split(Arena *arena, PasteLines *v) {
    PasteLines out = {0};
    bool any = false;
    for (size_t i = 0; i < v->count; i++) {
        if (!v->items[i].fence && split_one(arena, &v->items[i], &out)) any = true;
        else VEC_PUSH(arena, &out, v->items[i]);
    }
    if (any) *v = out;
}

/* ---------------------------------------------------------------- wrapped lines */

/* A run of lines without a gap: its longest line is what the lines were broken at, if they were. */
typedef struct Block {
    PasteLines *v;
    size_t from, end, width;
    size_t at_width; /* lines of exactly that length */
} Block;

static bool wrapped_width(const Block *b) {
    return b->width >= MIN_WIDTH && b->width <= MAX_WIDTH;
}

/* Would the first word of `next` not have fitted behind prev? */
static bool full(const Block *b, Str prev, Str next) {
    Str word = str_word(&next);
    return wrapped_width(b) && str_trim_right(prev).len + 1 + word.len > b->width;
}

/* Broken by a console, in the middle of whatever stood there, and not by a mail program between words. */
static bool hard(const Block *b, Str prev) {
    if (prev.len != b->width) return false;
    static const size_t consoles[] = {80, 100, 120, 132, 160};
    for (size_t i = 0; i < sizeof consoles / sizeof *consoles; i++)
        if (b->width == consoles[i]) return true;
    return b->width > 80 && b->at_width >= 3; /* mail programs break before that */
}

static Str joined(Arena *a, const Block *b, Str text, Str last, Str next) {
    bool glue = hard(b, last) && !str_ends(text, "->") && !ch_blank(last.p[last.len - 1]) && !ch_blank(next.p[0]);
    return arena_strf(a, "%.*s%s%.*s", STR_ARG(str_trim_right(text)), glue ? "" : " ", STR_ARG(str_trim(next)));
}

static bool numeric(Str w) {
    double v;
    if (str_ends(w, "%")) w.len--;
    return str_double(w, &v) || str_is(w, "-") || count_word(w);
}

static bool recognised_start(Str s) {
    return registry_starts(s, NULL) != NULL || frame_prompt(s).p;
}

static size_t word_count(Str s, bool *numbers) {
    size_t n = 0;
    *numbers = true;
    for (Str w; (w = str_word(&s)).len; n++) *numbers = *numbers && numeric(w);
    return n;
}

/* --- smartctl */

static bool attribute_row(Str s) {
    return attribute_at(str_trim_left(s));
}

static bool attribute_tail(Str s) {
    static const char *const words[] = {"-", "Always", "Offline", "Pre-fail", "Old_age", "FAILING_NOW", "In_the_past"};
    bool digit = false;
    size_t n = 0;
    for (Str w; (w = str_word(&s)).len; n++) {
        bool known = numeric(w) || w.p[0] == '(' || str_starts(w, "0x") || str_ends(w, ")") ||
                     str_starts(w, "Min/Max") || str_find_ch(w, '/') != SIZE_MAX;
        for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) known = str_is(w, words[i]);
        if (!known && n) return false; /* the first may be the rest of a broken word */
        digit = digit || ch_digit(w.p[0]);
    }
    return digit && n <= 8;
}

static bool smart_continues(const Block *b, Str text, Str last, Str next) {
    bool numbers;
    if (attribute_row(text) && !attribute_row(next) && word_count(text, &numbers) < 10 && !str_starts(next, "ID#")) {
        Str third = text;
        str_word(&third);
        str_word(&third);
        if (!str_starts(str_word(&third), "0x") && word_count(text, &numbers) >= 8)
            return false; /* brief rows are shorter */
        return full(b, last, next) && attribute_tail(next);
    }
    if (str_has(text, "ID# ATTRIBUTE_NAME") && !str_has(text, "RAW_VALUE"))
        return str_ends(str_trim_right(next), "RAW_VALUE") && !attribute_row(next);
    if (str_starts(text, "Num ") && str_has(text, "Test_Description") && !str_has(text, "LBA_of_first"))
        return str_is(str_trim(next), "LBA_of_first_error");
    return false;
}

/* --- zpool status */

static bool vdev_continues(const Block *b, Str text, Str last, Str next) {
    Str rest = text, name = str_word(&rest);
    bool numbers;
    size_t have = 0;
    if (!name.len || !pool_state(str_word(&rest))) return false;
    for (Str w; (w = str_word(&rest)).len; have++)
        if (!count_word(w)) return false;
    size_t more = word_count(next, &numbers);
    return have < 3 && more && have + more == 3 && numbers && last.len >= MIN_WIDTH && wrapped_width(b);
}

/* --- iostat */

static bool column_word(Str w) {
    return str_find_ch(w, '/') != SIZE_MAX || w.p[0] == '%' || str_ends(w, "await") || str_ends(w, "-sz") ||
           str_is(w, "svctm") || str_ends(w, "qm/s");
}

static bool device_header(Str s) {
    Str w = str_word(&s);
    return (str_is(w, "Device") || str_is(w, "Device:")) && str_find(s, "/s") != SIZE_MAX;
}

static bool header_continues(const Block *b, Str text, Str last, Str next) {
    if (!device_header(text) || str_has(text, "%util")) return false;
    bool any = false;
    for (Str w, s = next; (w = str_word(&s)).len; any = true)
        if (!column_word(w) && (any || !hard(b, last))) return false; /* the first may be half a word */
    return any;
}

/* --- kernel log */

static bool stamped(Str s) {
    LogPrefix p;
    log_prefix(s, NULL, &p);
    return p.stamped;
}

static bool log_continues(const Block *b, Str text, Str last, Str next, size_t after) {
    if (ch_blank(next.p[0]) || !stamped(text) || stamped(next) || !full(b, last, next)) return false;
    for (size_t i = after, n = 0; i < b->end && n < 4; i++, n++)
        if (stamped(b->v->items[i].text)) return true;
    return false;
}

/* --- lists */

static bool md_member(Str w) { /* sdb2[1], sdb2[1](F) */
    size_t open = str_find_ch(w, '['), n = open == SIZE_MAX ? 0 : digits_at(w, open + 1);
    return open != SIZE_MAX && open > 1 && n && open + 1 + n < w.len && w.p[open + 1 + n] == ']';
}

static bool array_continues(Str text, Str next) {
    Str t = str_trim(next);
    if (str_starts(text, "md") && str_has(text, " : ") && str_has(text, "active")) {
        for (Str w, s = t; (w = str_word(&s)).len;)
            if (!md_member(w)) return false;
        return true;
    }
    if (!str_has(text, " blocks ") || t.len < 3 || t.p[0] != '[' || t.p[t.len - 1] != ']' ||
        (t.p[1] != 'U' && t.p[1] != '_'))
        return false;
    for (size_t i = 1; i + 1 < t.len; i++)
        if (t.p[i] != 'U' && t.p[i] != '_') return false;
    return true;
}

static bool link_continues(const Block *b, Str text, Str last, Str next) {
    if (!str_starts(text, "lrwxrwxrwx") || str_starts(next, "lrwxrwxrwx")) return false;
    Str t = str_trim(next);
    bool numbers;
    if (!str_has(text, " -> ") && !str_ends(text, " ->"))
        return (str_has(t, "-> ") || full(b, last, t)) && str_find(t, "/") != SIZE_MAX && word_count(t, &numbers) <= 3;
    return str_ends(str_trim_right(text), "->") && str_starts(t, "../");
}

static bool slot_line(Str s) { /* "00:17.0 ", "0000:00:17.0 " */
    size_t n = 0;
    while (n < s.len && (ch_hex(s.p[n]) || s.p[n] == ':' || s.p[n] == '.')) n++;
    return n >= 7 && n < s.len && s.p[n] == ' ' && s.p[n - 2] == '.' && s.p[n - 5] == ':';
}

static bool slot_continues(const Block *b, Str text, Str last, Str next, size_t after) {
    if (!slot_line(text) || slot_line(next) || ch_blank(next.p[0]) || !full(b, last, next)) return false;
    return str_has(next, "[") || str_has(next, "(rev ") ||
           (after < b->end && (slot_line(b->v->items[after].text) || ch_blank(b->v->items[after].text.p[0])));
}

static bool tree_header(Str s) {
    return (str_starts(s, "NAME ") || str_starts(s, "KNAME ")) &&
           (str_has(s, " SIZE") || str_has(s, "MAJ:MIN") || str_has(s, " TYPE") || str_has(s, " MODEL") ||
            str_has(s, " SERIAL"));
}

static bool device_row(Str s) {
    static const char *const names[] = {"sd", "hd",  "vd", "xvd",  "nvme", "mmcblk", "loop", "sr",
                                        "md", "dm-", "zd", "zram", "nbd",  "rbd",    "fd"};
    if (!s.len || (unsigned char)s.p[0] >= 0x80 || ch_blank(s.p[0]) || s.p[0] == '|' || s.p[0] == '`')
        return true; /* a branch of the tree */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(s, names[i]) && s.len > strlen(names[i]) && ch_alnum(s.p[strlen(names[i])])) return true;
    return false;
}

static bool all_caps(Str s) {
    bool any = false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] >= 'a' && s.p[i] <= 'z') return false;
        any = any || ch_alpha(s.p[i]);
    }
    return any;
}

/* broken: a line of this tree was joined before. A table may be as wide everywhere without having been broken, so otherwise a
   row has to follow. */
static bool tree_continues(const Block *b, bool in_tree, bool broken, Str text, Str last, Str next, size_t after) {
    if (tree_header(text)) return all_caps(next) && !ch_blank(next.p[0]) && full(b, last, next);
    if (!in_tree || !device_row(text) || ch_blank(text.p[0]) || device_row(next)) return false;
    if (!(ch_alnum(next.p[0]) || next.p[0] == '/') || !full(b, last, next)) return false;
    return broken || (after < b->end && device_row(b->v->items[after].text));
}

static void join_block(Arena *a, const Block *b, PasteLines *out) {
    size_t columns = 0; /* of the iostat table at hand; 0: not known */
    bool in_tree = false, broken = false;
    for (size_t i = b->from; i < b->end;) {
        PasteLine l = b->v->items[i];
        Str last = l.text;
        size_t k = i + 1;
        bool header = device_header(l.text), numbers;
        if (tree_header(l.text)) in_tree = true, broken = false;
        else if (in_tree && recognised_start(l.text)) in_tree = false;
        for (; k < b->end && l.text.len < LONG_LINE; k++) {
            Str next = b->v->items[k].text;
            bool more = header_continues(b, l.text, last, next) || smart_continues(b, l.text, last, next) ||
                        vdev_continues(b, l.text, last, next) || array_continues(l.text, next) ||
                        link_continues(b, l.text, last, next);
            if (!more && columns && !header) {
                Str rest = l.text, name = str_word(&rest);
                size_t have = word_count(l.text, &numbers), need = columns - have;
                bool row = have < columns && name.len && !numeric(name) && word_count(rest, &numbers) && numbers;
                size_t with = row ? word_count(next, &numbers) : 0;
                more = row && numbers && with && with <= need + 1;
                if (more && with == need + 1) { /* a number was broken in two */
                    l.text = arena_strf(a, "%.*s%.*s", STR_ARG(str_trim_right(l.text)), STR_ARG(str_trim(next)));
                    last = next;
                    continue;
                }
                if (more) {
                    l.text = arena_strf(a, "%.*s %.*s", STR_ARG(str_trim_right(l.text)), STR_ARG(str_trim(next)));
                    last = next;
                    continue;
                }
            }
            if (!more && !opens_document(str_trim(next)) && !recognised_start(next)) {
                more = log_continues(b, l.text, last, next, k + 1) || slot_continues(b, l.text, last, next, k + 1);
                if (!more &&
                    tree_continues(b, in_tree, broken, l.text, last, next, k + 1)) { /* keep its columns apart */
                    int fill = (int)(b->width > last.len ? b->width - last.len : 0);
                    l.text = arena_strf(a, "%.*s%*s %.*s", STR_ARG(l.text), fill, "", STR_ARG(str_trim(next)));
                    last = next;
                    broken = true;
                    continue;
                }
            }
            if (!more) break;
            l.text = joined(a, b, l.text, last, next);
            last = next;
        }
        if (header) columns = str_has(l.text, "%util") && k > i + 1 ? word_count(l.text, &numbers) : 0;
        if (k > i + 1) l.end = b->v->items[k - 1].end ? b->v->items[k - 1].end : b->v->items[k - 1].line;
        VEC_PUSH(a, out, l);
        i = k;
    }
}

void unwrap_join(Arena *arena, PasteLines *v) {
    PasteLines out = {0};
    for (size_t i = 0; i < v->count;) {
        if (v->items[i].fence || !str_trim(v->items[i].text).len) {
            VEC_PUSH(arena, &out, v->items[i]);
            i++;
            continue;
        }
        Block b = {.v = v, .from = i, .end = i};
        for (; b.end < v->count && !v->items[b.end].fence && str_trim(v->items[b.end].text).len; b.end++) {
            size_t len = v->items[b.end].text.len;
            if (frame_prompt(v->items[b.end].text).p) { /* a command line may be longer than what it prints */
                if (b.end == i) b.end++;
                break;
            }
            if (len > b.width) {
                b.width = len;
                b.at_width = 0;
            }
            if (len == b.width) b.at_width++;
        }
        join_block(arena, &b, &out);
        i = b.end;
    }
    if (out.count != v->count) *v = out;
}
