/*
 * lspci.c - storage controllers, bridges and their PCI Express links
 *
 * Reads   lspci with -n -nn -k -v -vv -vvv -D -t, -mm and -vmm
 * Gives   pci_device of storage controllers (class 01xx), bridges (0604) and USB controllers (0c03); setting slot, numa_node, aspm,
 *         pcie_errors
 * Sample  pciutils 3.9, -nnvvD
 *   | 0000:01:00.0 Non-Volatile memory controller [0108]: Example Corp NVMe SSD Controller [1e0f:0009] (rev 01) (prog-if 02 [NVM Express])
 *   |         Subsystem: Example Corp Device [1e0f:0001]
 *   |         Capabilities: [70] Express (v2) Endpoint, MSI 00
 *   |                 LnkCap: Port #0, Speed 8GT/s, Width x4, ASPM L1, Exit Latency L1 <64us
 *   |                 LnkSta: Speed 8GT/s, Width x2 (downgraded)
 *   |         Kernel driver in use: nvme
 *   |         LnkCtl: ASPM L1 Enabled; RCB 64 bytes, Disabled- CommClk+
 *   |         CESta:  RxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr-
 *         pcie_link_* of the NVMe drive of the command line, where only the lines of its link were quoted:
 *   | lspci -vv -s $(readlink -f /sys/class/nvme/nvme0/device | awk -F/ '{print $NF}') | egrep 'LnkCap|LnkSta'
 * Varies  without root "Capabilities: <access denied>" stands for the link; -n prints ids only; the class has no code without -n/-nn
 *         and is then known by its name; "(downgraded)" depends on the version, so only the numbers are read. Of LnkCap and LnkSta
 *         alone, as grep leaves them, the command line says whose they are: -s ADDRESS, or the name of an NVMe drive in it
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

/* Class names of pci.ids that matter here. */
static const struct {
    const char *name, *code;
} classes[] = {
    {"SCSI storage controller", "0100"},
    {"IDE interface", "0101"},
    {"Floppy disk controller", "0102"},
    {"IPI bus controller", "0103"},
    {"RAID bus controller", "0104"},
    {"ATA controller", "0105"},
    {"SATA controller", "0106"},
    {"Serial Attached SCSI controller", "0107"},
    {"Non-Volatile memory controller", "0108"},
    {"Universal Flash Storage controller", "0109"},
    {"Mass storage controller", "0180"},
    {"SCSI controller", "0100"},
    {"PCI bridge", "0604"},
    {"USB controller", "0c03"},
    {"USB Controller", "0c03"},
    {"NVMe controller", "0108"},
};

/* "00:17.0", "0000:00:17.0" at the start of s; its length, 0 when there is none. */
static size_t bdf_length(Str s) {
    size_t i = 0, groups[3] = {0}, g = 0;
    while (i < s.len && g < 3) {
        size_t from = i;
        while (i < s.len && ch_hex(s.p[i])) i++;
        groups[g++] = i - from;
        if (i < s.len && s.p[i] == ':' && g < 3) {
            i++;
            continue;
        }
        break;
    }
    bool shape = g == 2 ? groups[0] == 2 && groups[1] == 2
                        : g == 3 && groups[0] >= 1 && groups[0] <= 8 && groups[1] == 2 && groups[2] == 2;
    if (!shape || i + 1 >= s.len || s.p[i] != '.' || s.p[i + 1] < '0' || s.p[i + 1] > '7') return 0;
    return i + 2;
}

/* A line that opens a device. */
static bool device_line(Str line, Str *bdf, Str *rest) {
    size_t n = bdf_length(line);
    if (!n || n + 2 >= line.len || line.p[n] != ' ') return false;
    *bdf = str_sub(line, 0, n);
    *rest = str_from(line, n + 1);
    return str_find_ch(*rest, ':') != SIZE_MAX || rest->p[0] == '"';
}

static bool tree_line(Str line) {
    if (str_starts(line, "-+-[") || str_starts(line, "-[") || str_starts(line, " +-[") || str_starts(line, " \\-["))
        return true;
    Str s = line;
    while (s.len && (s.p[0] == ' ' || s.p[0] == '|')) s = str_from(s, 1);
    return line.len > 4 && s.len > 5 && (s.p[0] == '+' || s.p[0] == '\\') && s.p[1] == '-' && ch_hex(s.p[2]) &&
           ch_hex(s.p[3]) && s.p[4] == '.' && (line.p[0] == ' ');
}

static bool machine_line(Str line) {
    static const char *const keys[] = {"Slot:\t",     "Class:\t",      "Vendor:\t",  "Device:\t", "SVendor:\t",
                                       "SDevice:\t",  "Rev:\t",        "ProgIf:\t",  "Driver:\t", "Module:\t",
                                       "NUMANode:\t", "IOMMUGroup:\t", "PhySlot:\t", "DTNode:\t", NULL};
    for (size_t i = 0; keys[i]; i++) {
        Str key = str_sub(str_of(keys[i]), 0, strlen(keys[i]) - 1);
        if (line.len > key.len && memcmp(line.p, key.p, key.len) == 0 && ch_blank(line.p[key.len])) return true;
    }
    return false;
}

static bool slot_line(Str line) {
    return str_starts(line, "Slot:") && bdf_length(str_trim(str_from(line, 5))) > 0;
}

/* "LnkSta: Speed 5GT/s (downgraded), Width x1": all that is quoted of a device, often. */
static bool link_line(Str line) {
    Str s = str_trim(line);
    return (str_starts(s, "LnkCap:") || str_starts(s, "LnkSta:")) && str_has(s, "GT/s") && str_has(s, "Width x");
}

static int lspci_bid(Str path, Str command, Str head) {
    int evidence = 0;
    for (int n = 0; head.len && n < 30 && evidence < 48; n++) {
        Str line = head_line(&head), bdf, rest;
        if (device_line(line, &bdf, &rest)) evidence += 12;
        else if (slot_line(line) || link_line(line)) evidence += 16;
        else if (tree_line(line) && str_has(line, "[")) evidence += 16;
        else if (str_starts(line, "\tKernel driver in use:") || str_starts(line, "\tSubsystem:") ||
                 str_starts(line, "\t\tLnkSta:"))
            evidence += 8;
    }
    if (evidence < 12) return 0;
    return evidence + (command_is(command, "lspci") || path_has(path, "lspci") ? 8 : 0);
}

static bool lspci_starts(Str line) {
    Str bdf, rest;
    if (slot_line(line) || link_line(line) || str_starts(line, "-+-[0000:") || str_starts(line, "-[0000:")) return true;
    if (!device_line(line, &bdf, &rest)) return false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (str_starts(rest, classes[i].name)) return true;
    return str_starts(rest, "Host bridge") || str_starts(rest, "VGA compatible") ||
           str_starts(rest, "Ethernet controller") || str_starts(rest, "ISA bridge") || str_starts(rest, "Class ") ||
           str_has(rest, " (rev ") || (bdf.len >= 12 && str_has(rest, "]: "));
}

static bool lspci_continues(Str line) {
    Str bdf, rest;
    if (!str_trim(line).len || device_line(line, &bdf, &rest) || tree_line(line) || machine_line(line)) return true;
    if (line.p[0] == '\t' || str_starts(line, "        ") || str_starts(line, "    ")) return true;
    if (line.len > 5 && ch_hex(line.p[0]) && ch_hex(line.p[1]) &&
        (line.p[2] == ':' || (ch_hex(line.p[2]) && line.p[3] == ':')))
        return true; /* -x */
    return str_starts(line, "lspci: ") || str_starts(line, "pcilib: ");
}

/* ---------------------------------------------------------------- devices */

typedef struct Device {
    Str bdf; /* with its domain */
    Str code, prog_if, vendor, device, subsystem, name, driver, slot;
    Str upstream, aspm, errors;
    double cap_gtps, sta_gtps;
    int64_t cap_width, sta_width, denied, numa;
    int64_t secondary; /* bus behind a bridge; -1 */
    int links;         /* lines LnkSta: more than one are of several devices */
    bool quoted;       /* only lines of its link stand there, of the address that the command gave */
    Spot at, cap_at, sta_at, aspm_at, errors_at;
} Device;

typedef struct Lspci {
    ParseCtx *ctx;
    VEC(Device) devices;
    Device *current;
    /* the tree: for a column, the bus whose devices hang there and the bridge above */
    struct {
        size_t column;
        Str domain, bus, bridge;
    } branch[64];
    size_t branches;
} Lspci;

static Str full_bdf(Arena *a, Str bdf) {
    Str copy = arena_str(a, bdf);
    char *p = arena_cstr(a, copy);
    for (char *c = p; *c; c++) *c = ch_lower(*c);
    copy = str_of(p);
    /* A domain has four digits at least; old versions leave it out, or its zeros. */
    static const char zeros[] = "0000:";
    if (copy.len == 7) return arena_strf(a, "%s%.*s", zeros, STR_ARG(copy));
    return copy.len < 12 ? arena_strf(a, "%.*s%.*s", (int)(12 - copy.len), zeros, STR_ARG(copy)) : copy;
}

static Spot keep_spot(Lspci *l, Spot at) {
    at.text = arena_str(l->ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    return at;
}

static Device *device_new(Lspci *l, Str bdf, Spot at) {
    Device d = {.bdf = full_bdf(l->ctx->scratch, bdf),
                .cap_gtps = NAN,
                .sta_gtps = NAN,
                .cap_width = FACT_NULL,
                .sta_width = FACT_NULL,
                .denied = FACT_NULL,
                .numa = FACT_NULL,
                .secondary = -1,
                .at = at};
    d.at = keep_spot(l, at);
    VEC_PUSH(l->ctx->scratch, &l->devices, d);
    l->ctx->rows++;
    return l->current = &l->devices.items[l->devices.count - 1];
}

static Str keep(Lspci *l, Str s) {
    return arena_str(l->ctx->scratch, str_trim(s));
}

static bool hex4(Str s) {
    return s.len == 4 && ch_hex(s.p[0]) && ch_hex(s.p[1]) && ch_hex(s.p[2]) && ch_hex(s.p[3]);
}

/* "[8086:43d2]" at the end of a name. */
static bool trailing_ids(Str *name, Str *vendor, Str *device) {
    Str s = str_trim_right(*name);
    if (s.len < 11 || s.p[s.len - 1] != ']') return false;
    Str ids = str_sub(s, s.len - 10, 9);
    if (s.p[s.len - 11] != '[' || ids.p[4] != ':' || !hex4(str_sub(ids, 0, 4)) || !hex4(str_from(ids, 5))) return false;
    *vendor = str_sub(ids, 0, 4);
    *device = str_from(ids, 5);
    *name = str_trim_right(str_sub(s, 0, s.len - 11));
    return true;
}

static void class_and_name(Lspci *l, Device *d, Str rest) {
    /* (rev 11) and (prog-if 01 [AHCI 1.0]) behind the name */
    size_t prog = str_find(rest, " (prog-if ");
    if (prog != SIZE_MAX) {
        Str pi = str_sub(rest, prog + strlen(" (prog-if "), 2);
        if (pi.len == 2 && ch_hex(pi.p[0]) && ch_hex(pi.p[1])) d->prog_if = keep(l, pi);
        rest = str_sub(rest, 0, prog);
    }
    size_t rev = str_find(rest, " (rev ");
    if (rev != SIZE_MAX) rest = str_sub(rest, 0, rev);
    size_t colon = str_find(rest, ": ");
    if (colon == SIZE_MAX) return;
    Str class = str_sub(rest, 0, colon), name = str_trim(str_from(rest, colon + 2));
    if (class.len > 6 && class.p[class.len - 1] == ']' && class.p[class.len - 6] == '[')
        d->code = keep(l, str_sub(class, class.len - 5, 4));
    else if (str_starts(class, "Class ") && hex4(str_trim(str_from(class, 6)))) d->code = keep(l, str_from(class, 6));
    else if (hex4(class)) d->code = keep(l, class); /* -n */
    else
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
            if (str_is(str_trim(class), classes[i].name)) d->code = str_of(classes[i].code);
    Str vendor, device;
    if (trailing_ids(&name, &vendor, &device)) {
        d->vendor = keep(l, vendor);
        d->device = keep(l, device);
    } else {
        Str ids = str_after(name, "Device ");
        if (!ids.p) ids = name;
        if (ids.len == 9 && ids.p[4] == ':' && hex4(str_sub(ids, 0, 4)) && hex4(str_from(ids, 5))) {
            d->vendor = keep(l, str_sub(ids, 0, 4));
            d->device = keep(l, str_from(ids, 5));
        }
    }
    d->name = keep(l, name);
}

/* "Speed 8GT/s (ok), Width x4 (downgraded), ...": numbers only. */
static void link_numbers(Str text, double *gtps, int64_t *width) {
    size_t speed = str_find(text, "Speed "), w = str_find(text, "Width x");
    double n;
    if (speed != SIZE_MAX && dev_leading_number(str_from(text, speed + 6), &n)) *gtps = n;
    if (w != SIZE_MAX && dev_leading_number(str_from(text, w + 7), &n) && n > 0) *width = i64_of(n); /* x0: no link */
}

/* "ASPM Disabled; ...", "ASPM L1 Enabled; ...", "ASPM L0s L1 Enabled; ..." */
static void aspm(Lspci *l, Device *d, Str rest, Spot at) {
    rest = str_trim(rest);
    Str words = str_after(str_cut(&rest, ';'), "ASPM ");
    if (!words.p) return;
    if (str_is(words, "Disabled")) d->aspm = STR("off");
    else if (str_ends(words, " Enabled")) d->aspm = keep(l, str_sub(words, 0, words.len - strlen(" Enabled")));
    else return;
    d->aspm_at = keep_spot(l, at);
}

/* "RxErr+ BadTLP- ...": the bits that are set, over CESta and UESta. */
enum { ERRORS_KEPT = 400 }; /* characters: the names of all bits take fewer than 200 */
static void error_bits(Lspci *l, Device *d, Str rest, Spot at) {
    for (Str word; (word = str_word(&rest)).len;) {
        if (word.p[word.len - 1] != '+') continue;
        Str bit = str_sub(word, 0, word.len - 1);
        if (d->errors.len + 1 + bit.len > ERRORS_KEPT) return;
        if (!d->errors.len) d->errors_at = keep_spot(l, at);
        d->errors = d->errors.len ? arena_strf(l->ctx->scratch, "%.*s %.*s", STR_ARG(d->errors), STR_ARG(bit))
                                  : arena_str(l->ctx->scratch, bit);
    }
}

static void detail_line(Lspci *l, Device *d, Str s, Spot at) {
    Str rest, vendor, device;
    double n;
    if ((rest = str_after(s, "LnkCap:")).p) {
        link_numbers(rest, &d->cap_gtps, &d->cap_width);
        d->cap_at = keep_spot(l, at);
    } else if ((rest = str_after(s, "LnkSta:")).p) {
        d->links++;
        link_numbers(rest, &d->sta_gtps, &d->sta_width);
        d->sta_at = keep_spot(l, at);
    } else if ((rest = str_after(s, "LnkCtl:")).p) {
        aspm(l, d, rest, at);
    } else if ((rest = str_after(s, "CESta:")).p || (rest = str_after(s, "UESta:")).p) {
        error_bits(l, d, rest, at);
    } else if ((rest = str_after(s, "Kernel driver in use:")).p) {
        d->driver = keep(l, rest);
    } else if ((rest = str_after(s, "Subsystem:")).p) {
        Str name = str_trim(rest);
        if (trailing_ids(&name, &vendor, &device))
            d->subsystem = arena_strf(l->ctx->scratch, "%.*s:%.*s", STR_ARG(vendor), STR_ARG(device));
        else d->subsystem = keep(l, name);
    } else if (str_starts(s, "Capabilities: <access denied>")) {
        d->denied = 1;
    } else if ((rest = str_after(s, "Bus: primary=")).p) {
        size_t sec = str_find(rest, "secondary=");
        uint64_t bus;
        if (sec != SIZE_MAX && str_hex_u64(str_sub(rest, sec + 10, 2), &bus)) d->secondary = (int64_t)bus;
        else parse_note(l->ctx, at, "bus numbers of a bridge not understood");
    } else if ((rest = str_after(s, "NUMA node:")).p) {
        if (dev_leading_number(rest, &n)) d->numa = i64_of(n);
    } else if ((rest = str_after(s, "Physical Slot:")).p) {
        d->slot = keep(l, rest);
    }
}

/* lspci -vmm and -vmmk: blocks of "Key:\tvalue". */
static void machine_field(Lspci *l, Str line, Spot at) {
    Str key, value;
    if (!dev_key_value(line, &key, &value)) return;
    if (str_is(key, "Slot")) {
        size_t n = bdf_length(value);
        if (n) device_new(l, str_sub(value, 0, n), at);
        else parse_note(l->ctx, at, "no PCI address: \"%.*s\"", STR_ARG(value));
        return;
    }
    Device *d = l->current;
    if (!d) return;
    Str code = value;
    if (value.len > 6 && value.p[value.len - 1] == ']' && value.p[value.len - 6] == '[')
        code = str_sub(value, value.len - 5, 4);
    if (str_is(key, "Class")) {
        if (hex4(code)) d->code = keep(l, code);
        else
            for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
                if (str_is(value, classes[i].name)) d->code = str_of(classes[i].code);
    } else if (str_is(key, "Vendor")) {
        if (hex4(code)) d->vendor = keep(l, code);
        d->name = keep(l, value);
    } else if (str_is(key, "Device")) {
        if (hex4(code)) d->device = keep(l, code);
        d->name = arena_strf(l->ctx->scratch, "%.*s %.*s", STR_ARG(d->name), STR_ARG(value));
    } else if (str_is(key, "ProgIf")) d->prog_if = keep(l, value);
    else if (str_is(key, "Driver")) d->driver = keep(l, value);
    else if (str_is(key, "PhySlot")) d->slot = keep(l, value);
    else if (str_is(key, "SVendor") && hex4(code)) d->subsystem = keep(l, code);
    else if (str_is(key, "SDevice") && hex4(code) && hex4(d->subsystem))
        d->subsystem = arena_strf(l->ctx->scratch, "%.*s:%.*s", STR_ARG(d->subsystem), STR_ARG(code));
}

/* lspci -mm: 00:17.0 "SATA controller [0106]" "Intel [8086]" "name [43d2]" -r11 -p01 "sub" "sub" */
static void quoted_fields(Lspci *l, Device *d, Str rest) {
    Str fields[3];
    size_t n = 0;
    while (n < 3) {
        size_t open = str_find_ch(rest, '"');
        if (open == SIZE_MAX) break;
        Str after = str_from(rest, open + 1);
        size_t close = str_find_ch(after, '"');
        if (close == SIZE_MAX) break;
        fields[n++] = str_sub(after, 0, close);
        rest = str_from(after, close + 1);
    }
    for (size_t i = 0; i < n; i++) {
        Str f = fields[i], code = f;
        if (f.len > 6 && f.p[f.len - 1] == ']' && f.p[f.len - 6] == '[') code = str_sub(f, f.len - 5, 4);
        if (i == 0) {
            if (hex4(code)) d->code = keep(l, code);
            else
                for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
                    if (str_is(f, classes[k].name)) d->code = str_of(classes[k].code);
        } else if (hex4(code)) {
            if (i == 1) d->vendor = keep(l, code);
            else d->device = keep(l, code);
        }
    }
    if (n == 3) d->name = arena_strf(l->ctx->scratch, "%.*s %.*s", STR_ARG(fields[1]), STR_ARG(fields[2]));
    size_t prog = str_find(rest, "-p");
    if (prog != SIZE_MAX && ch_hex(str_sub(rest, prog + 2, 1).len ? rest.p[prog + 2] : ' '))
        d->prog_if = keep(l, str_sub(rest, prog + 2, 2));
}

static void branch_set(Lspci *l, size_t column, Str domain, Str bus, Str bridge) {
    while (l->branches && l->branch[l->branches - 1].column >= column) l->branches--;
    if (l->branches == sizeof l->branch / sizeof *l->branch) return;
    l->branch[l->branches].column = column;
    l->branch[l->branches].domain = domain;
    l->branch[l->branches].bus = bus;
    l->branch[l->branches].bridge = bridge;
    l->branches++;
}

/*
 * One line of lspci -t. A bus is written in brackets; what follows '-' is a device of that bus, and a '+' on the way opens a branch:
 * lines below continue it with '+' or '\' in the same column.
 *
 *   -+-[0000:20]-+-00.0-[21]--
 *    |           +-01.0-[2b]----00.0  Example NVMe
 *    \-[0000:00]-+-00.0
 */
static void tree(Lspci *l, Str line, Spot at) {
    Arena *a = l->ctx->scratch;
    Str domain = STR_NONE, bus = STR_NONE, bridge = STR_NONE;
    size_t i = 0;
    while (i < line.len && (line.p[i] == ' ' || line.p[i] == '|')) i++;
    if (i < line.len && (line.p[i] == '+' || line.p[i] == '\\')) { /* continues a branch */
        bool found = false;
        for (size_t k = 0; k < l->branches && !found; k++)
            if (l->branch[k].column == i) {
                domain = l->branch[k].domain;
                bus = l->branch[k].bus;
                bridge = l->branch[k].bridge;
                found = true;
                l->branches = k + 1;
            }
        i++;
    }
    bool any = false;
    while (i < line.len) {
        char c = line.p[i];
        if (c == '-') {
            i++;
        } else if (c == '+' || c == '\\') {
            branch_set(l, i, domain, bus, bridge);
            i++;
        } else if (c == '[') {
            Str rest = str_from(line, i + 1);
            size_t close = str_find_ch(rest, ']');
            if (close == SIZE_MAX) break;
            Str inside = str_sub(rest, 0, close);
            size_t dash = str_find_ch(inside, '-'), colon = str_find_ch(inside, ':');
            if (dash != SIZE_MAX) inside = str_sub(inside, 0, dash);
            if (colon != SIZE_MAX && colon < inside.len) {
                domain = arena_str(a, str_sub(inside, 0, colon));
                inside = str_from(inside, colon + 1);
            }
            bus = arena_str(a, inside);
            i += close + 2;
            any = true;
        } else if (i + 3 < line.len && ch_hex(c) && ch_hex(line.p[i + 1]) && line.p[i + 2] == '.' &&
                   ch_digit(line.p[i + 3]) && bus.len) {
            Str number = str_sub(line, i, 4);
            i += 4;
            any = true;
            Device *d = device_new(l,
                                   arena_strf(a, "%.*s:%.*s:%.*s", STR_ARG(domain.len ? domain : STR("0000")),
                                              STR_ARG(bus), STR_ARG(number)),
                                   at);
            d->upstream = bridge;
            if (i < line.len && line.p[i] == '-') { /* a bridge: its bus follows */
                bridge = d->bdf;
                continue;
            }
            Str name = str_trim(str_from(line, i)), vendor, device;
            if (trailing_ids(&name, &vendor, &device)) {
                d->vendor = keep(l, vendor);
                d->device = keep(l, device);
            }
            d->name = keep(l, name);
            break;
        } else {
            break;
        }
    }
    if (!any) parse_note(l->ctx, at, "line of the tree not understood");
}

/*
 * The one NVMe drive that a command line names in a path: "-s $(readlink -f /sys/class/nvme/nvme0/device)". The word may be cut where a
 * shell's expansion ends. STR_NONE without one, or where it names two.
 */
static Str nvme_of_command(Str command) {
    Str found = STR_NONE;
    for (size_t from = 0, at; (at = str_find(str_from(command, from), "/nvme")) != SIZE_MAX; from += at + 1) {
        Str name = str_from(command, from + at + 1);
        size_t n = 4;
        while (n < name.len && (ch_digit(name.p[n]) || name.p[n] == 'n')) n++;
        if (n < 5 || n > 12 || !ch_digit(name.p[4]) || (n < name.len && (ch_alpha(name.p[n]) || name.p[n] == '*')))
            continue;
        name = str_sub(name, 0, n);
        size_t space = str_find_ch(str_from(name, 4), 'n');
        if (space != SIZE_MAX) name = str_sub(name, 0, 4 + space); /* the controller of nvme0n1 */
        if (found.p && !str_eq(found, name)) return STR_NONE;
        found = name;
    }
    return found;
}

/*
 * Lines of a link without the device they belong to. The command line tells the drive, not which end of its link was printed: LnkSta is
 * the same at both ends, LnkCap is not.
 */
static void quoted_link(Lspci *l, const Device *d) {
    ParseCtx *ctx = l->ctx;
    Str name = d->links == 1 ? nvme_of_command(ctx->command) : STR_NONE;
    if (!name.p) {
        facts_note(ctx->facts, ctx->src, d->at,
                   STR("the device of these lines is unknown: neither its address nor one drive in the command line"));
        return;
    }
    Ref drive = ctx_ref(ctx, REF_DISK, name);
    if (!isnan(d->sta_gtps)) ctx_setting_real(ctx, drive, "pcie_link_gtps", d->sta_gtps, "kernel", d->sta_at);
    if (d->sta_width != FACT_NULL) ctx_setting_int(ctx, drive, "pcie_link_width", d->sta_width, "kernel", d->sta_at);
    if (!isnan(d->cap_gtps)) ctx_setting_real(ctx, drive, "pcie_link_max_gtps", d->cap_gtps, "kernel", d->cap_at);
    if (d->cap_width != FACT_NULL)
        ctx_setting_int(ctx, drive, "pcie_link_max_width", d->cap_width, "kernel", d->cap_at);
}

static void rows(Lspci *l, bool from_tree) {
    ParseCtx *ctx = l->ctx;
    for (size_t i = 0; i < l->devices.count; i++) {
        Device *d = &l->devices.items[i];
        /* The bridge whose secondary bus is the device's bus, in the same domain. */
        size_t colon = str_find_ch(d->bdf, ':');
        uint64_t bus;
        if (!d->upstream.len && colon != SIZE_MAX && str_hex_u64(str_sub(d->bdf, colon + 1, 2), &bus) && bus > 0)
            for (size_t k = 0; k < l->devices.count; k++) {
                const Device *up = &l->devices.items[k];
                if (up->secondary == (int64_t)bus && k != i && memcmp(up->bdf.p, d->bdf.p, colon + 1) == 0 &&
                    up->bdf.len > colon) {
                    d->upstream = up->bdf;
                    break;
                }
            }
        bool wanted = str_starts(d->code, "01") || str_is(d->code, "0604") || str_is(d->code, "0c03");
        bool nameless = str_starts(d->bdf, "["); /* only its details were quoted */
        if (!wanted && !nameless && !d->quoted && !(from_tree && !d->code.len && d->upstream.len)) continue;
        if (nameless) quoted_link(l, d);
        Ref node = ctx_ref(ctx, REF_PCI, d->bdf);
        Row r = ctx_row(ctx, "pci_device", d->at);
        row_ref(&r, "node", node);
        if (!nameless) row_text(&r, "bdf", d->bdf);
        if (d->code.len) row_text(&r, "class_code", d->code);
        if (d->prog_if.len) row_text(&r, "prog_if", d->prog_if);
        if (d->vendor.len) row_text(&r, "vendor_id", d->vendor);
        if (d->device.len) row_text(&r, "device_id", d->device);
        if (d->subsystem.len) row_text(&r, "subsystem", d->subsystem);
        if (d->name.len) row_text(&r, "name", d->name);
        if (d->driver.len) row_text(&r, "driver", d->driver);
        if (d->upstream.len) row_text(&r, "upstream_bdf", d->upstream);
        row_real(&r, "lnkcap_gtps", d->cap_gtps);
        row_real(&r, "lnksta_gtps", d->sta_gtps);
        row_int(&r, "lnkcap_width", d->cap_width);
        row_int(&r, "lnksta_width", d->sta_width);
        if (d->cap_at.line) row_int(&r, "lnkcap_line", facts_keep_line(ctx->facts, ctx->src, d->cap_at));
        if (d->sta_at.line) row_int(&r, "lnksta_line", facts_keep_line(ctx->facts, ctx->src, d->sta_at));
        row_int(&r, "link_access_denied", d->denied);
        row_done(&r);
        if (d->aspm.len) ctx_setting(ctx, node, "aspm", d->aspm, "kernel", d->aspm_at);
        if (d->errors.len) ctx_setting(ctx, node, "pcie_errors", d->errors, "kernel", d->errors_at);
        if (d->slot.len) ctx_setting(ctx, node, "slot", d->slot, "kernel", d->at);
        if (d->numa != FACT_NULL) ctx_setting_int(ctx, node, "numa_node", d->numa, "kernel", d->at);
    }
}

/* Lines of a link without the line of their device: "lspci -vv -s 01:00.0 | grep Lnk" gives the address, quoted_link() knows what else. */
static void unnamed_device(Lspci *l, Spot at) {
    ParseCtx *ctx = l->ctx;
    Str rest = command_is(ctx->command, "lspci") ? ctx->command : STR_NONE, address = STR_NONE;
    for (Str word; (word = str_word(&rest)).len && !str_is(word, "|");) {
        if (!str_is(word, "-s")) continue;
        Str value = str_word(&rest);
        while (value.len && (value.p[0] == '"' || value.p[0] == '\'')) value = str_from(value, 1);
        size_t n = bdf_length(value);
        if (n && value.len <= n + 1) address = str_sub(value, 0, n);
    }
    if (address.len) device_new(l, address, at)->quoted = true;
    else
        device_new(
            l, arena_strf(ctx->scratch, "[device at line %lld]", (long long)facts_real_line(ctx->facts, at.line)), at);
}

static ParseResult lspci_parse(ParseCtx *ctx, Input *in) {
    enum { MAX_DEVICES = 4096 };
    Lspci l = {.ctx = ctx};
    Str line, bdf, rest;
    bool from_tree = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        if (l.devices.count >= MAX_DEVICES) {
            parse_note(ctx, at, "more than %d devices", MAX_DEVICES);
            break;
        }
        if (device_line(line, &bdf, &rest)) {
            Device *d = device_new(&l, bdf, at);
            if (rest.p[0] == '"') quoted_fields(&l, d, rest);
            else class_and_name(&l, d, rest);
        } else if (machine_line(line)) {
            machine_field(&l, line, at);
        } else if (tree_line(line)) {
            from_tree = true;
            tree(&l, line, at);
        } else if (ch_blank(line.p[0]) || (!l.current && link_line(line))) {
            if (!l.current && link_line(line)) unnamed_device(&l, at);
            if (l.current) detail_line(&l, l.current, str_trim(line), at);
            else if (!str_starts(str_trim(line), "#")) parse_note(ctx, at, "a detail before any device");
        } else if (str_starts(line, "lspci: ") || str_starts(line, "pcilib: ")) {
            facts_note(ctx->facts, ctx->src, at, str_sub(line, 0, 300));
        } else if (line.p[0] == '#' || (line.len > 3 && ch_hex(line.p[0]) && (line.p[2] == ':' || line.p[3] == ':'))) {
            continue; /* a comment; the hex dump of -x */
        } else {
            parse_note(ctx, at, "neither a device nor a detail of one");
        }
    }
    rows(&l, from_tree);
    return parse_result(ctx);
}

const Parser parser_lspci = {
    .name = "lspci",
    .bid = lspci_bid,
    .starts = lspci_starts,
    .continues = lspci_continues,
    .parse = lspci_parse,
    .ask = "lspci -nnk",
};
