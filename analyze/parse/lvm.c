/*
 * lvm.c - logical volumes, volume groups and physical volumes as LVM lists them
 *
 * Reads   lvs, vgs, pvs with any columns (-o, -v, --separator, --units, --nameprefixes), their --reportformat json; lvdisplay, vgdisplay,
 *         pvdisplay; lvmconfig's thin_pool_autoextend_threshold
 * Gives   setting lvm_*, thin_*, snapshot_used_pct, cache_*, size_bytes of volumes; lvm_missing_pv, lvm_vg_free and lvm_autoextend_pct of the
 *         host; edges device -> volume and pool -> thin volume
 * Sample  LVM 2.03, lvs -a -o +devices,lv_health_status
 *   |   LV              VG  Attr       LSize   Pool Origin Data%  Meta%  Move Log Cpy%Sync Convert Devices       Health
 *   |   [lvol0_pmspare] pve ewi-------   1.00g                                                     /dev/sda3(0)
 *   |   data            pve twi-aotzD- 500.00g             100.00 61.22                            data_tdata(0) out_of_data
 *   |   vm-100-disk-0   pve Vwi-aotz--  32.00g data        97.20
 * Varies  empty cells are blanks, so a word belongs to the column in which it begins: headings are left-aligned, texts too, numbers
 *         right-aligned; units (r b s k m g t p e, capitals are powers of 1000), "<" before a rounded size; "Snap%" for
 *         "Data%" in old versions; headings of two words ("LV Tags", "PV UUID"); warnings stand before or between the rows
 * Source  LVM lvs(8), vgs(8), pvs(8), lvmreport(7): lv_attr, vg_attr and pv_attr letter by letter; names of mapped devices: lvm(8), hyphens
 *         in names are doubled. A thin pool's device is VG-POOL-tpool: what dmsetup calls it.
 */
#include "device_text.h"
#include "json.h"
#include "scan.h"

#include <math.h>

typedef enum Field {
    F_OTHER,
    F_LV,
    F_VG,
    F_PV,
    F_LV_ATTR,
    F_VG_ATTR,
    F_PV_ATTR,
    F_LV_SIZE,
    F_VG_SIZE,
    F_VG_FREE,
    F_PV_SIZE,
    F_POOL,
    F_ORIGIN,
    F_DATA,
    F_META,
    F_DEVICES,
    F_HEALTH,
    F_SEGTYPE,
    F_MONITOR,
    F_DISCARDS,
    F_WHEN_FULL,
    F_CACHE_MODE,
    F_CACHE_DIRTY,
    F_MISSING,
    F_KIND, /* first attribute letter, where only lvdisplay's words tell it */
    F_SNAP, /* what lvdisplay says of a snapshot's fill */
    F_DM,   /* number of the mapped device: 253:4 */
    FIELDS
} Field;

/* Headings of the table and names in JSON, which are also LVM2_NAMES of --nameprefixes. */
static const struct {
    const char *heading, *name;
    Field field;
} known[] = {{"LV", "lv_name", F_LV},
             {"VG", "vg_name", F_VG},
             {"PV", "pv_name", F_PV},
             {NULL, "lv_attr", F_LV_ATTR},
             {NULL, "vg_attr", F_VG_ATTR},
             {NULL, "pv_attr", F_PV_ATTR},
             {"LSize", "lv_size", F_LV_SIZE},
             {"VSize", "vg_size", F_VG_SIZE},
             {"VFree", "vg_free", F_VG_FREE},
             {"PSize", "pv_size", F_PV_SIZE},
             {"Pool", "pool_lv", F_POOL},
             {"Origin", "origin", F_ORIGIN},
             {"Data%", "data_percent", F_DATA},
             {"Snap%", "snap_percent", F_DATA},
             {"Meta%", "metadata_percent", F_META},
             {"Devices", "devices", F_DEVICES},
             {"Health", "lv_health_status", F_HEALTH},
             {"Type", "segtype", F_SEGTYPE},
             {"Monitor", "seg_monitor", F_MONITOR},
             {"Discards", "discards", F_DISCARDS},
             {"KDiscards", "kernel_discards", F_DISCARDS},
             {"WhenFull", "lv_when_full", F_WHEN_FULL},
             {"CacheMode", "cache_mode", F_CACHE_MODE},
             {"KCacheMode", "kernel_cache_mode", F_CACHE_MODE},
             {"CacheDirtyBlocks", "cache_dirty_blocks", F_CACHE_DIRTY},
             {"Missing", "pv_missing", F_MISSING},
             {"#PV", NULL, F_OTHER},
             {"#LV", NULL, F_OTHER},
             {"#SN", NULL, F_OTHER},
             {"Fmt", NULL, F_OTHER},
             {"PFree", NULL, F_OTHER},
             {"Move", NULL, F_OTHER},
             {"Log", NULL, F_OTHER},
             {"Cpy%Sync", NULL, F_OTHER},
             {"Copy%", NULL, F_OTHER},
             {"Convert", NULL, F_OTHER},
             {"Path", NULL, F_OTHER},
             {"DMPath", NULL, F_OTHER},
             {"Tags", NULL, F_OTHER},
             {"UUID", NULL, F_OTHER},
             {"#Str", NULL, F_OTHER},
             {"#Seg", NULL, F_OTHER},
             {"Used", NULL, F_OTHER}};

enum { MAX_COLUMNS = 80, MAX_MESSAGES = 100000 };

typedef struct Column {
    size_t start, end;
    Field field;
} Column;

typedef struct Lvm {
    ParseCtx *ctx;
    Str shown[FIELDS]; /* of the volume that lvdisplay is at */
    Spot shown_at;
    bool in_display;
    double pvs_current, pvs_active; /* vgdisplay */
    Column columns[MAX_COLUMNS];
    size_t count;
    char separator; /* 0: blanks */
} Lvm;

/* ---------------------------------------------------------------- lines */

static bool first_heading(Str w) {
    return str_is(w, "LV") || str_is(w, "VG") || str_is(w, "PV");
}

/* "LV Tags", "PV UUID", "Dev Size", "1st PE": the second word belongs to the first. */
static bool second_word(Str w, Str before) {
    if (str_is(w, "Tags") || str_is(w, "UUID")) return first_heading(before);
    if (str_is(w, "Size")) return str_is(before, "Dev");
    if (str_is(w, "PE")) return str_is(before, "1st");
    return str_is(before, "Lock") && (str_is(w, "Type") || str_is(w, "Args"));
}

static bool known_heading(Str w) {
    if (str_is(w, "Attr")) return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].heading && str_is(w, known[i].heading)) return true;
    return false;
}

/* Is this the heading of a report? Its columns, the separator between them. */
static bool header(Str line, Lvm *l) {
    Str s = str_trim(line), first = s, rest = s;
    l->count = 0;
    l->separator = 0;
    if (s.len < 4 || s.len > 4000) return false;
    if (s.p[2] != ' ' && !ch_alpha(s.p[2]) && first_heading(str_sub(s, 0, 2))) { /* --separator */
        l->separator = s.p[2];
        size_t of_it = 0;
        bool attr = false;
        for (size_t n = 0; rest.len && n < MAX_COLUMNS; n++) {
            Str w = str_trim(str_cut(&rest, l->separator));
            attr = attr || str_is(w, "Attr");
            of_it += known_heading(w);
            l->columns[l->count++] = (Column){n, 0, F_OTHER};
        }
        if (!attr && (of_it < l->count || l->count < 3)) return false;
        rest = s;
        Field kind = str_is(str_sub(s, 0, 2), "LV")   ? F_LV_ATTR
                     : str_is(str_sub(s, 0, 2), "PV") ? F_PV_ATTR
                                                      : F_VG_ATTR;
        for (size_t n = 0; n < l->count; n++) {
            Str w = str_trim(str_cut(&rest, l->separator));
            if (str_is(w, "Attr")) l->columns[n].field = kind;
            for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (known[i].heading && str_is(w, known[i].heading)) l->columns[n].field = known[i].field;
        }
        return l->count >= 2;
    }
    first = str_word(&rest);
    if (!first_heading(first)) return false;
    Str before = STR_NONE;
    bool attr = false, lv = false, pv = false;
    size_t unknown = 0;
    for (size_t at = 0; at < line.len && l->count < MAX_COLUMNS;) {
        while (at < line.len && ch_blank(line.p[at])) at++;
        size_t start = at;
        while (at < line.len && !ch_blank(line.p[at])) at++;
        if (start == at) break;
        Str w = str_sub(line, start, at - start);
        if (l->count && second_word(w, before)) {
            l->columns[l->count - 1].end = at;
            l->columns[l->count - 1].field = F_OTHER;
        } else {
            Column c = {start, at, F_OTHER};
            for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (known[i].heading && str_is(w, known[i].heading)) c.field = known[i].field;
            l->columns[l->count++] = c;
            if (str_is(w, "Attr")) attr = true;
            else if (!known_heading(w)) unknown++;
        }
        before = w;
    }
    for (size_t i = 0; i < l->count; i++) {
        lv = lv || l->columns[i].field == F_LV;
        pv = pv || l->columns[i].field == F_PV;
    }
    if (l->count < 2 || (!attr && unknown)) return false;
    for (size_t i = 0; i < l->count; i++)
        if (str_is(str_sub(line, l->columns[i].start, l->columns[i].end - l->columns[i].start), "Attr"))
            l->columns[i].field = lv ? F_LV_ATTR : pv ? F_PV_ATTR : F_VG_ATTR;
    return true;
}

static bool header_line(Str line) {
    Lvm l;
    return header(line, &l);
}

/* "WARNING: VG data is missing PV 0a1B2c-... (last written to /dev/sdb1)." */
static bool missing_line(Str line, Str *vg, Str *uuid, Str *device) {
    Str s = str_trim(line), after = str_after(s, "WARNING: VG ");
    if (!after.p) after = str_after(s, "VG ");
    *device = STR_NONE;
    if (!after.p) return false;
    *vg = str_word(&after);
    if (!str_is(str_word(&after), "is") || !str_is(str_word(&after), "missing") || !str_is(str_word(&after), "PV"))
        return false;
    *uuid = str_word(&after);
    if (uuid->len && uuid->p[uuid->len - 1] == '.') uuid->len--;
    size_t at = str_find(after, "/dev/");
    if (at != SIZE_MAX) {
        *device = str_from(after, at);
        size_t end = str_find_ch(*device, ')');
        if (end != SIZE_MAX) *device = str_sub(*device, 0, end);
    }
    return vg->len > 0;
}

/* "Couldn't find device with uuid 0a1B2c-...", "Device for PV 0a1B2c-... not found or rejected by a filter." */
static bool lost_line(Str line, Str *uuid) {
    Str s = str_trim(line), after = str_after(s, "WARNING: ");
    if (after.p) s = after;
    after = str_after(s, "Couldn't find device with uuid ");
    if (!after.p && str_has(s, " not found or rejected by a filter")) after = str_after(s, "Device for PV ");
    if (!after.p) return false;
    *uuid = scan_unquote(str_word(&after));
    while (uuid->len && (uuid->p[uuid->len - 1] == '.' || uuid->p[uuid->len - 1] == '\'')) uuid->len--;
    if (uuid->len && uuid->p[0] == '\'') *uuid = str_from(*uuid, 1);
    return uuid->len > 8;
}

/* What LVM says besides its rows. */
static bool message(Str line) {
    static const char *const starts_with[] = {"WARNING: ",
                                              "Couldn't find ",
                                              "Device for PV ",
                                              "Logging initialised",
                                              "Found duplicate PV",
                                              "Using duplicate PV",
                                              "There are ",
                                              "Cannot process",
                                              "Failed to ",
                                              "Volume group ",
                                              "Skipping ",
                                              "Reading ",
                                              "Refusing ",
                                              "Unable to ",
                                              "Using logical volume",
                                              "Using volume group",
                                              "Using physical volume",
                                              "Finding ",
                                              "Scanning ",
                                              "Wiping ",
                                              "Cache: ",
                                              "Configuration setting ",
                                              "File descriptor ",
                                              "connect() failed",
                                              "Internal error",
                                              "Archiving ",
                                              "Creating volume group backup",
                                              "VG ",
                                              "Devices file ",
                                              "Error reading device",
                                              "Getting ",
                                              "Reloading ",
                                              "Set umask",
                                              "Running command",
                                              "Executing: ",
                                              "Loading "};
    Str s = str_trim(line);
    for (size_t i = 0; i < sizeof starts_with / sizeof *starts_with; i++)
        if (str_starts(s, starts_with[i])) return true;
    return str_starts(s, "/dev/") && (str_has(s, ": read failed after ") || str_has(s, ": open failed: ") ||
                                      str_has(s, ": stat failed: ") || str_has(s, ": lseek "));
}

/* "thin_pool_autoextend_threshold=70", with "activation/" before it or a tab */
static bool autoextend_line(Str line, double *pct) {
    Str s = str_trim(line), after = str_after(s, "activation/");
    if (after.p) s = after;
    after = str_after(s, "thin_pool_autoextend_threshold");
    if (!after.p) return false;
    after = str_trim(after);
    return after.len > 1 && after.p[0] == '=' && str_double(str_trim(str_from(after, 1)), pct) && *pct >= 0 &&
           *pct <= 100;
}

static bool prefixed(Str line) {
    return str_starts(str_trim(line), "LVM2_");
}

/* ---- lvdisplay, vgdisplay, pvdisplay: "  LV Name                data" below "  --- Logical volume ---" */

static bool display_heading(Str line) {
    Str s = str_trim(line);
    return str_is(s, "--- Logical volume ---") || str_is(s, "--- Volume group ---") ||
           str_is(s, "--- Physical volume ---") || str_is(s, "--- NEW Physical volume ---") ||
           str_is(s, "--- Physical volumes ---") || str_is(s, "--- Segments ---") ||
           str_is(s, "--- Physical Segments ---");
}

static const struct {
    const char *key;
    Field field;
} display_keys[] = {{"LV Name", F_LV},
                    {"VG Name", F_VG},
                    {"PV Name", F_PV},
                    {"LV Size", F_LV_SIZE},
                    {"LV Pool name", F_POOL},
                    {"LV Thin origin name", F_ORIGIN},
                    {"Allocated pool data", F_DATA},
                    {"Allocated metadata", F_META},
                    {"Allocated to snapshot", F_SNAP},
                    {"Block device", F_DM},
                    {"LV Pool data", F_KIND},
                    {"LV snapshot status", F_KIND},
                    {"Cur PV", F_OTHER},
                    {"Act PV", F_OTHER},
                    {"Free  PE / Size", F_VG_FREE},
                    {"LV ", F_OTHER},
                    {"VG ", F_OTHER},
                    {"PV ", F_OTHER},
                    {"PE Size", F_OTHER},
                    {"Total PE", F_OTHER},
                    {"Free PE", F_OTHER},
                    {"Allocated PE", F_OTHER},
                    {"Alloc PE / Size", F_OTHER},
                    {"Allocatable", F_OTHER},
                    {"Mapped size", F_OTHER},
                    {"Current LE", F_OTHER},
                    {"Segments", F_OTHER},
                    {"Allocation", F_OTHER},
                    {"Read ahead sectors", F_OTHER},
                    {"- currently set to", F_OTHER},
                    {"# open", F_OTHER},
                    {"System ID", F_OTHER},
                    {"Format", F_OTHER},
                    {"Metadata ", F_OTHER},
                    {"MAX LV", F_OTHER},
                    {"Cur LV", F_OTHER},
                    {"Open LV", F_OTHER},
                    {"Max PV", F_OTHER},
                    {"COW-table ", F_OTHER},
                    {"Snapshot chunk size", F_OTHER},
                    {"Mirrored volumes", F_OTHER},
                    {"Persistent ", F_OTHER},
                    {"Clustered", F_OTHER},
                    {"Shared", F_OTHER},
                    {"Physical extent ", F_OTHER},
                    {"Logical extent", F_OTHER},
                    {"Logical extents", F_OTHER},
                    {"Physical volume", F_OTHER},
                    {"Physical extents", F_OTHER},
                    {"Type", F_OTHER},
                    {"Stripes", F_OTHER},
                    {"Stripe ", F_OTHER},
                    {"Stripe size", F_OTHER},
                    {"Monitoring", F_OTHER},
                    {"Virtual extents", F_OTHER},
                    {"Transaction ID", F_OTHER},
                    {"Zero new blocks", F_OTHER},
                    {"Chunk size", F_OTHER},
                    {"Discards", F_OTHER},
                    {"Thin count", F_OTHER},
                    {"Device ID", F_OTHER},
                    {"FREE", F_OTHER}};

/* The key of such a line, and what stands behind it: two blanks, the key, the value from column 20 or later. With -m the segments
   are indented further and use tabs. Other tools have words like "Type" too, so the place counts. */
static bool display_row(Str line, size_t *key, Str *value) {
    Str s = str_trim(line);
    if (!s.len) return false;
    size_t lead = (size_t)(s.p - line.p);
    bool segment = lead >= 4 && str_find_ch(s, '\t') != SIZE_MAX;
    if (lead != 2 && !segment) return false;
    for (size_t i = 0; i < sizeof display_keys / sizeof *display_keys; i++) {
        Str after = str_after(s, display_keys[i].key);
        if (!after.p) continue;
        bool open = display_keys[i].key[strlen(display_keys[i].key) - 1] == ' '; /* any word of this beginning */
        if (!open && after.len && !ch_blank(after.p[0])) continue;
        size_t gap = open ? str_find(after, "  ") : 0;
        *key = i;
        *value = gap == SIZE_MAX ? STR_NONE : str_trim(str_from(after, gap));
        bool extents = str_starts(s, "Logical extent") || str_starts(s, "Virtual extent") || str_starts(s, "Physical ");
        return segment || extents || !value->len || (size_t)(value->p - line.p) >= 20;
    }
    return false;
}

static bool starts(Str line) {
    Str a, b, c;
    double pct;
    if (display_heading(line)) return !str_has(line, "egments");
    return header_line(line) || missing_line(line, &a, &b, &c) || (prefixed(line) && str_has(line, "='")) ||
           (autoextend_line(line, &pct) && !str_has(line, " "));
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "lvs") || command_is(command, "vgs") || command_is(command, "pvs") ||
                       command_is(command, "lvm") || command_is(command, "lvmconfig") || path_has(path, "lvm") ||
                       path_has(path, "lvs") || path_has(path, "vgs") || path_has(path, "pvs")
                   ? 6
                   : 0;
    if (json_looks(head)) {
        if (!str_has(head, "\"report\"")) return 0;
        return (str_has(head, "\"lv\"") && str_has(head, "\"lv_name\"")) ||
                       (str_has(head, "\"vg\"") && str_has(head, "\"vg_name\"")) ||
                       (str_has(head, "\"pv\"") && str_has(head, "\"pv_name\""))
                   ? 26 + bits
                   : 0;
    }
    int said = 0;
    for (int n = 0; n < 60 && head.len; n++) {
        Str line = head_line(&head), a, b, c;
        double pct;
        if (!str_trim(line).len) continue;
        if (header_line(line)) return 26 + bits;
        if (display_heading(line)) return 24 + bits;
        if (prefixed(line) && str_has(line, "='")) return 26 + bits;
        if (autoextend_line(line, &pct)) return 18 + bits;
        if (missing_line(line, &a, &b, &c) || lost_line(line, &a)) said = 20 + bits;
        else if (!message(line)) return said;
    }
    return said;
}

static bool continues(Str line) {
    double pct;
    size_t key;
    Str s = str_trim(line), value;
    if (display_heading(line) || display_row(line, &key, &value)) return true;
    if (str_starts(line, "                    ") && (str_ends(s, "[active]") || str_ends(s, "[INACTIVE]"))) return true;
    if (!s.len || header_line(line) || message(line) || prefixed(line) || autoextend_line(line, &pct)) return true;
    /* a row: two blanks, a name, and somewhere an attribute word or a device */
    if (!ch_blank(line.p[0])) return false;
    Str rest = s, w;
    for (int n = 0; (w = str_word(&rest)).len && n < 6; n++) {
        size_t dashes = 0;
        for (size_t i = 0; i < w.len; i++) dashes += w.p[i] == '-';
        if (n && dashes && ((w.len == 10 && dashes >= 1) || (w.len == 6 && dashes >= 1) || (w.len == 3 && dashes >= 1)))
            return true;
    }
    return s.p[0] == '[' || str_starts(s, "/dev/");
}

/* ---------------------------------------------------------------- facts */

/* "my-vg" and "root" to "my--vg-root", as the device mapper knows it. */
static Str mapped_name(Arena *a, Str vg, Str lv) {
    StrBuf b;
    sb_init(&b, a);
    for (int part = 0; part < 2; part++) {
        Str s = part ? lv : vg;
        if (part) sb_addc(&b, '-');
        for (size_t i = 0; i < s.len; i++) {
            sb_addc(&b, s.p[i]);
            if (s.p[i] == '-') sb_addc(&b, '-');
        }
    }
    return sb_str(&b);
}

static Str no_brackets(Str s) {
    return s.len > 2 && s.p[0] == '[' && s.p[s.len - 1] == ']' ? str_sub(s, 1, s.len - 2) : s;
}

static Ref volume(Lvm *l, Str vg, Str lv) {
    return ctx_ref(l->ctx, REF_DISK, mapped_name(l->ctx->scratch, vg, no_brackets(lv)));
}

static Ref pool_volume(Lvm *l, Str vg, Str lv) {
    Str name = mapped_name(l->ctx->scratch, vg, no_brackets(lv));
    return ctx_ref(l->ctx, REF_DISK, arena_strf(l->ctx->scratch, "%.*s-tpool", STR_ARG(name)));
}

static Ref host(Lvm *l) {
    return ctx_ref(l->ctx, REF_HOST, STR("host"));
}

static void set(Lvm *l, Ref ref, const char *key, Str value, Spot at) {
    if (value.len) ctx_setting(l->ctx, ref, key, value, "kernel", at);
}

/* "<3.64t", "500.00g", "107374182400B", "1.00 GiB": capitals are powers of 1000, "i" those of 1024. */
static bool size_bytes(Str s, double *bytes) {
    s = str_trim(s);
    if (s.len && (s.p[0] == '<' || s.p[0] == '>')) s = str_from(s, 1);
    size_t i = 0;
    while (i < s.len && (ch_digit(s.p[i]) || s.p[i] == '.' || s.p[i] == ',')) i++;
    char number[40];
    if (!i || i >= sizeof number) return false;
    for (size_t k = 0; k < i; k++) number[k] = s.p[k] == ',' ? '.' : s.p[k];
    double v;
    if (!str_double((Str){number, i}, &v)) return false;
    Str unit = str_trim(str_from(s, i));
    if (!unit.len) return false; /* --nosuffix: in which unit nobody says */
    static const char letters[] = "kmgtpe";
    char c = ch_lower(unit.p[0]);
    if (c == 'b') *bytes = v;
    else if (c == 's') *bytes = v * 512;
    else {
        const char *at = strchr(letters, c);
        if (!at || !c) return false;
        bool decimal = unit.p[0] != c && !(unit.len > 1 && unit.p[1] == 'i');
        *bytes = v * pow(decimal ? 1000 : 1024, (double)(at - letters + 1));
    }
    return *bytes < 9e18;
}

static bool percent(Str s, double *v) {
    s = str_trim(s);
    char number[16];
    if (!s.len || s.len >= sizeof number) return false;
    for (size_t k = 0; k < s.len; k++) number[k] = s.p[k] == ',' ? '.' : s.p[k];
    return str_double((Str){number, s.len}, v) && *v >= 0 && *v <= 100;
}

static const char *type_of(char c) {
    switch (c) {
    case 't': return "thin-pool";
    case 'V': return "thin";
    case 'T': return "thin-pool-data";
    case 'e': return "metadata";
    case 's': return "snapshot";
    case 'S': return "snapshot-merging";
    case 'o': return "origin";
    case 'O': return "origin-merging";
    case 'C': return "cache";
    case 'm':
    case 'M': return "mirror";
    case 'r':
    case 'R': return "raid";
    case 'i':
    case 'I': return "image";
    case 'l': return "log";
    case 'v': return "virtual";
    case 'p': return "pvmove";
    case 'd': return "vdo-pool";
    case 'D': return "vdo-data";
    case 'g': return "integrity";
    case '-': return "plain";
    default: return NULL;
    }
}

static bool attr_word(Str s) {
    return s.len >= 6 && s.len <= 10 && type_of(s.p[0]);
}

/* Devices: "/dev/sda3(0),/dev/sdb1(25600)", "data_tdata(0)", "[unknown](0)". */
static void devices(Lvm *l, Str list, Str vg, Ref ref, Spot at) {
    while (list.len) {
        Str one = str_trim(str_cut(&list, ','));
        size_t open = str_rfind_ch(one, '(');
        if (open != SIZE_MAX) one = str_sub(one, 0, open);
        if (!one.len) continue;
        if (str_is(one, "[unknown]") || str_starts(one, "unknown")) {
            set(l, ref, "lvm_health", STR("partial"), at);
            continue;
        }
        Ref lower = str_starts(one, "/dev/") ? scan_block_ref(l->ctx, one) : vg.len ? volume(l, vg, one) : 0;
        if (lower && lower != ref) facts_edge(l->ctx->facts, l->ctx->src, lower, ref, at);
    }
}

static void lv_record(Lvm *l, const Str *v, Spot at) {
    Str vg = v[F_VG], attr = v[F_LV_ATTR], lv = no_brackets(v[F_LV]);
    double n;
    if (!vg.len) return; /* without its group the volume has no name of its own */
    bool has_attr = attr_word(attr);
    char letter = has_attr ? attr.p[0] : v[F_KIND].len ? v[F_KIND].p[0] : 0;
    bool pool = letter == 't' || str_is(v[F_SEGTYPE], "thin-pool");
    bool snapshot = letter == 's' || letter == 'S';
    Ref ref = pool ? pool_volume(l, vg, lv) : volume(l, vg, lv);
    set(l, ref, "lvm_lv", arena_strf(l->ctx->scratch, "%.*s/%.*s", STR_ARG(vg), STR_ARG(lv)), at);
    if (has_attr) {
        set(l, ref, "lvm_attr", attr, at);
        const char *type = type_of(letter);
        if (letter == 'e' && str_has(lv, "spare")) type = "spare";
        set(l, ref, "lvm_type", str_of(type), at);
    } else if (letter) {
        set(l, ref, "lvm_type", str_of(type_of(letter)), at);
    } else if (v[F_SEGTYPE].len) {
        set(l, ref, "lvm_type", v[F_SEGTYPE], at);
    }
    uint64_t major, minor;
    if (scan_number_pair(v[F_DM], &major, &minor))
        facts_same(l->ctx->facts, l->ctx->src, ref,
                   ctx_ref(l->ctx, REF_DISK, arena_strf(l->ctx->scratch, "dm-%llu", (unsigned long long)minor)),
                   "device-mapper", at);
    if (size_bytes(v[F_LV_SIZE], &n)) ctx_setting_int(l->ctx, ref, "size_bytes", i64_of(n), "kernel", at);
    if (percent(v[F_DATA], &n)) {
        if (pool) ctx_setting_real(l->ctx, ref, "thin_data_pct", n, "kernel", at);
        else if (snapshot) ctx_setting_real(l->ctx, ref, "snapshot_used_pct", n, "kernel", at);
        else if (letter == 'C') ctx_setting_real(l->ctx, ref, "cache_used_pct", n, "kernel", at);
    }
    if (pool && percent(v[F_META], &n)) ctx_setting_real(l->ctx, ref, "thin_metadata_pct", n, "kernel", at);
    if (has_attr && attr.len > 4) {
        char state = attr.p[4], health = attr.len > 8 ? attr.p[8] : '-';
        if (snapshot && (state == 'I' || state == 'S')) set(l, ref, "snapshot_used_pct", STR("Invalid"), at);
        if (pool && (state == 'c' || state == 'C')) set(l, ref, "thin_needs_check", STR("1"), at);
        if (pool && (state == 'a') && health == '-') set(l, ref, "thin_mode", STR("rw"), at);
        if (pool && (health == 'D' || health == 'M' || health == 'F'))
            set(l, ref, "thin_mode",
                health == 'D'   ? STR("out_of_data_space")
                : health == 'M' ? STR("ro")
                                : STR("fail"),
                at);
        const char *word = health == 'p'   ? "partial"
                           : health == 'r' ? "refresh needed"
                           : health == 'm' ? "mismatches exist"
                           : health == 'F' ? "failed"
                           : health == 'D' ? "out of data space"
                           : health == 'M' ? "metadata read only"
                           : health == 'E' ? "cache error"
                                           : NULL;
        if (word) set(l, ref, "lvm_health", str_of(word), at);
        else if (v[F_HEALTH].len) set(l, ref, "lvm_health", v[F_HEALTH], at);
        else if (attr.len > 8 && (health == '-' || health == 'w')) set(l, ref, "lvm_health", STR("ok"), at);
    } else if (v[F_HEALTH].len) {
        set(l, ref, "lvm_health", v[F_HEALTH], at);
    }
    if (v[F_POOL].len) {
        bool thin = letter == 'V' || str_is(v[F_SEGTYPE], "thin");
        Str name = no_brackets(v[F_POOL]);
        set(l, ref, "lvm_pool", arena_strf(l->ctx->scratch, "%.*s/%.*s", STR_ARG(vg), STR_ARG(name)), at);
        if (thin) facts_edge(l->ctx->facts, l->ctx->src, pool_volume(l, vg, name), ref, at);
    }
    if (v[F_ORIGIN].len)
        set(l, ref, "lvm_origin",
            arena_strf(l->ctx->scratch, "%.*s/%.*s", STR_ARG(vg), STR_ARG(no_brackets(v[F_ORIGIN]))), at);
    devices(l, v[F_DEVICES], vg, ref, at);
    if (v[F_MONITOR].len) set(l, ref, "lvm_monitored", str_is(v[F_MONITOR], "monitored") ? STR("yes") : STR("no"), at);
    if (pool && v[F_DISCARDS].len)
        set(l, ref, "thin_discard",
            str_is(v[F_DISCARDS], "passdown")     ? STR("discard_passdown")
            : str_is(v[F_DISCARDS], "nopassdown") ? STR("no_discard_passdown")
            : str_is(v[F_DISCARDS], "ignore")     ? STR("ignore_discard")
                                                  : STR_NONE,
            at);
    if (pool && v[F_WHEN_FULL].len)
        set(l, ref, "thin_no_space",
            str_is(v[F_WHEN_FULL], "error") ? STR("error_if_no_space") : STR("queue_if_no_space"), at);
    if (str_is(v[F_CACHE_MODE], "writeback") || str_is(v[F_CACHE_MODE], "writethrough") ||
        str_is(v[F_CACHE_MODE], "passthrough"))
        set(l, ref, "cache_mode", v[F_CACHE_MODE], at);
    uint64_t dirty;
    if (str_u64(v[F_CACHE_DIRTY], &dirty)) set(l, ref, "cache_dirty_blocks", v[F_CACHE_DIRTY], at);
}

static void missing(Lvm *l, Str vg, Str uuid, Str device, Spot at) {
    StrBuf b;
    sb_init(&b, l->ctx->scratch);
    sb_add(&b, vg.len ? vg : STR("-"));
    sb_addc(&b, ' ');
    sb_add(&b, uuid.len ? uuid : STR("-"));
    if (device.len) {
        sb_addc(&b, ' ');
        sb_add(&b, device);
    }
    set(l, host(l), "lvm_missing_pv", sb_str(&b), at);
}

static void vg_record(Lvm *l, const Str *v, Spot at) {
    double n;
    if (size_bytes(v[F_VG_FREE], &n) || str_is(v[F_VG_FREE], "0"))
        set(l, host(l), "lvm_vg_free",
            arena_strf(l->ctx->scratch, "%.*s %.0f", STR_ARG(v[F_VG]), str_is(v[F_VG_FREE], "0") ? 0.0 : n), at);
    if (v[F_VG_ATTR].len == 6 && v[F_VG_ATTR].p[3] == 'p') missing(l, v[F_VG], STR_NONE, STR_NONE, at);
}

static void pv_record(Lvm *l, const Str *v, Spot at) {
    Str attr = v[F_PV_ATTR];
    bool gone = str_starts(v[F_PV], "[unknown]") || str_starts(v[F_PV], "unknown") ||
                (attr.len == 3 && attr.p[2] == 'm') || str_is(v[F_MISSING], "missing");
    if (gone) missing(l, v[F_VG], STR_NONE, str_starts(v[F_PV], "/dev/") ? v[F_PV] : STR_NONE, at);
    else if (str_starts(v[F_PV], "/dev/") && v[F_VG].len)
        set(l, scan_block_ref(l->ctx, v[F_PV]), "lvm_vg", v[F_VG], at);
}

static void record(Lvm *l, const Str *v, Spot at) {
    l->ctx->rows++;
    if (v[F_LV].len) lv_record(l, v, at);
    else if (v[F_PV].len) pv_record(l, v, at);
    else if (v[F_VG].len) vg_record(l, v, at);
}

/* ---------------------------------------------------------------- rows */

/* Headings are left-aligned, so a cell begins between the start of its own heading and that of the next, wherever it is aligned. */
static size_t column_of(const Lvm *l, size_t start) {
    size_t column = 0;
    for (size_t i = 1; i < l->count && l->columns[i].start <= start; i++) column = i;
    return column;
}

static void table_row(Lvm *l, Str line, Spot at) {
    Str v[FIELDS] = {0}, cell[MAX_COLUMNS] = {0};
    if (l->separator) {
        Str rest = str_trim(line);
        for (size_t n = 0; n < l->count; n++) cell[n] = str_trim(str_cut(&rest, l->separator));
    } else {
        size_t lead = 0;
        while (lead < line.len && ch_blank(line.p[lead])) lead++;
        /* the indent may be lost in a paste: the first column is never empty and left-aligned */
        ptrdiff_t shift = (ptrdiff_t)l->columns[0].start - (ptrdiff_t)lead;
        for (size_t i = lead; i < line.len;) {
            while (i < line.len && ch_blank(line.p[i])) i++;
            size_t start = i;
            while (i < line.len && !ch_blank(line.p[i])) i++;
            if (start == i) break;
            Str *c = &cell[column_of(l, (size_t)((ptrdiff_t)start + shift))];
            if (!c->len) *c = str_sub(line, start, i - start);
            else c->len = (size_t)(line.p + i - c->p); /* a text of several words: "refresh needed" */
        }
    }
    for (size_t n = 0; n < l->count; n++)
        if (l->columns[n].field != F_OTHER && cell[n].len && !v[l->columns[n].field].len)
            v[l->columns[n].field] = cell[n];
    for (size_t n = 0; n < l->count; n++)
        if (l->columns[n].field == F_LV_ATTR && !attr_word(v[F_LV_ATTR])) {
            parse_note(l->ctx, at, "no attributes of a volume in \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            return;
        }
    record(l, v, at);
}

/* LVM2_LV_NAME='root' LVM2_VG_NAME='vg' ... */
static void prefixed_row(Lvm *l, Str line, Spot at) {
    Str v[FIELDS] = {0}, s = str_trim(line);
    bool any = false;
    while (s.len) {
        size_t eq = str_find(s, "='");
        if (eq == SIZE_MAX) break;
        Str key = str_trim(str_sub(s, 0, eq)), prefix = str_after(key, "LVM2_");
        s = str_from(s, eq + 2);
        Str value = str_cut(&s, '\'');
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (prefix.p && known[i].name && str_ieq(prefix, str_of(known[i].name)) && value.len) {
                v[known[i].field] = value;
                any = true;
            }
    }
    if (any) record(l, v, at);
    else parse_note(l->ctx, at, "no known field of LVM in \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
}

/* ---- lvdisplay and its like */

static void display_end(Lvm *l) {
    Str *v = l->shown;
    if (l->in_display && (v[F_LV].len || v[F_PV].len || v[F_VG].len)) {
        if (v[F_KIND].len) { /* "active destination for home", "source of", or the data of a pool */
            Str to = v[F_KIND];
            size_t at = str_find(to, " destination for ");
            if (str_is(v[F_SEGTYPE], "thin-pool")) v[F_KIND] = STR("t");
            else if (at != SIZE_MAX) {
                v[F_ORIGIN] = str_trim(str_from(to, at + 17));
                v[F_KIND] = STR("s");
            } else v[F_KIND] = STR("o");
        } else if (v[F_POOL].len) {
            v[F_KIND] = STR("V");
        }
        if (v[F_SNAP].len && str_is(v[F_KIND], "s")) v[F_DATA] = v[F_SNAP];
        Field pct[] = {F_DATA, F_META};
        for (size_t i = 0; i < 2; i++)
            if (v[pct[i]].len && v[pct[i]].p[v[pct[i]].len - 1] == '%') v[pct[i]].len--;
        size_t slash = str_rfind_ch(v[F_VG_FREE], '/'); /* "4096 / 16.00 GiB" */
        if (slash != SIZE_MAX) v[F_VG_FREE] = str_trim(str_from(v[F_VG_FREE], slash + 1));
        if (str_starts(v[F_LV], "/dev/")) v[F_LV] = str_basename(v[F_LV]); /* before 2.02.96 */
        record(l, v, l->shown_at);
        if (!v[F_LV].len && !v[F_PV].len && l->pvs_active < l->pvs_current)
            missing(l, v[F_VG], STR_NONE, STR_NONE, l->shown_at);
    }
    for (size_t i = 0; i < FIELDS; i++) l->shown[i] = STR_NONE;
    l->pvs_current = l->pvs_active = NAN;
    l->in_display = false;
}

static void display_line(Lvm *l, size_t key, Str value, Spot at) {
    Field field = display_keys[key].field;
    Str name = str_of(display_keys[key].key);
    value = arena_str(l->ctx->scratch, value);
    double n;
    if (str_is(name, "Cur PV") && str_double(value, &n)) l->pvs_current = n;
    if (str_is(name, "Act PV") && str_double(value, &n)) l->pvs_active = n;
    if (field == F_OTHER) return;
    if (str_is(name, "LV Pool data")) l->shown[F_SEGTYPE] = STR("thin-pool");
    if (!l->shown[field].len) l->shown[field] = value;
    if (field == F_LV || field == F_PV || (field == F_VG && !l->shown_at.line) || field == F_DATA || field == F_SNAP)
        l->shown_at = scan_keep(l->ctx->scratch, at);
    else if (!l->shown_at.line) l->shown_at = scan_keep(l->ctx->scratch, at);
}

static ParseResult parse_json(Lvm *l, Input *in) {
    ParseCtx *ctx = l->ctx;
    Str text;
    Spot at = input_spot(in);
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text)) {
        parse_note(ctx, at, "more than %d MiB of JSON", JSON_MAX_BYTES / 1024 / 1024);
        return PARSE_REJECTED;
    }
    Error err = {0};
    Str one = json_next(&text);
    const cJSON *root = json_read(ctx->scratch, one, &err);
    if (!root) {
        parse_note(ctx, at, "%s", err.text);
        return parse_result(ctx);
    }
    static const char *const kinds[] = {"lv", "vg", "pv"};
    const cJSON *report, *object;
    size_t reports = 0;
    cJSON_ArrayForEach(report, json_get(root, "report")) {
        Str base = json_path_index(ctx->scratch, STR("/report"), reports++);
        for (size_t k = 0; k < 3; k++) {
            size_t index = 0;
            Str list = json_path(ctx->scratch, base, kinds[k]);
            cJSON_ArrayForEach(object, json_get(report, kinds[k])) {
                Str v[FIELDS] = {0};
                for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
                    const cJSON *member = known[i].name ? json_get(object, known[i].name) : NULL;
                    if (!member) continue;
                    Str value = str_trim(json_show(ctx->scratch, member));
                    if (value.len && !v[known[i].field].len) v[known[i].field] = value;
                }
                record(l, v, spot_path(json_path_index(ctx->scratch, list, index++), json_print(ctx->scratch, object)));
            }
        }
    }
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Lvm *l = arena_new_of(ctx->scratch, Lvm), *next = arena_new_of(ctx->scratch, Lvm);
    l->ctx = ctx;
    Str line, vg, uuid, device;
    bool first = true, said = false;
    double pct;
    size_t key;
    Str value;
    display_end(l);
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (first && json_looks(line)) {
            input_unread(in);
            return parse_json(l, in);
        }
        first = false;
        if (header(line, next)) {
            display_end(l);
            memcpy(l->columns, next->columns, sizeof l->columns);
            l->count = next->count;
            l->separator = next->separator;
            said = true;
        } else if (display_heading(line)) {
            if (str_has(line, "egments") || str_has(line, "volumes")) continue; /* lvdisplay -m, vgdisplay -v */
            display_end(l);
            l->in_display = true;
            l->count = 0;
            l->shown_at = (Spot){0};
            said = true;
        } else if (l->in_display && display_row(line, &key, &value)) {
            display_line(l, key, value, at);
        } else if (l->in_display && ch_blank(line.p[0]) && str_ends(str_trim(line), "]")) {
            continue; /* a snapshot below "source of": "snap [active]" */
        } else if (missing_line(line, &vg, &uuid, &device)) {
            ctx->rows++;
            missing(l, vg, uuid, device, at);
        } else if (lost_line(line, &uuid)) {
            ctx->rows++;
            missing(l, STR_NONE, uuid, STR_NONE, at);
        } else if (autoextend_line(line, &pct)) {
            ctx->rows++;
            ctx_setting_real(ctx, host(l), "lvm_autoextend_pct", pct, "kernel", at);
        } else if (prefixed(line)) {
            prefixed_row(l, line, at);
        } else if (message(line)) {
            said = true;
        } else if (l->count) {
            table_row(l, str_trim_right(line), at);
        } else {
            parse_note(ctx, at, "not understood in the output of LVM: \"%.*s\"",
                       STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    display_end(l);
    if (said && !ctx->rows && !ctx->bad_rows) return PARSE_NOTHING;
    return parse_result(ctx);
}

const Parser parser_lvm = {
    .name = "lvm",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "lvs -a -o +devices,data_percent,metadata_percent,lv_health_status; vgs; pvs",
};
