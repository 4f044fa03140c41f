#include "identity.h"

#include "sqlfunc.h"

#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- spellings */

static bool all_digits(Str s) {
    for (size_t i = 0; i < s.len; i++)
        if (!ch_digit(s.p[i])) return false;
    return s.len > 0;
}

/* "sd" + letters, then digits: cuts name into the letters part and the rest. */
static size_t letters_after(Str name, size_t from) {
    size_t i = from;
    while (i < name.len && name.p[i] >= 'a' && name.p[i] <= 'z') i++;
    return i;
}

NameClass name_class(Str name, Str *base) {
    *base = name;
    static const char *const lettered[] = {"sd", "hd", "vd", "xvd"};
    for (size_t k = 0; k < sizeof lettered / sizeof *lettered; k++) {
        size_t prefix = strlen(lettered[k]);
        if (!str_starts(name, lettered[k])) continue;
        size_t end = letters_after(name, prefix);
        if (end == prefix) continue;
        if (end == name.len) return NAME_DISK;
        if (all_digits(str_from(name, end))) {
            *base = str_sub(name, 0, end);
            return NAME_PARTITION;
        }
    }
    /* Numbered disks: the partition follows behind 'p' (Linux) or 'p' and 's' (FreeBSD). */
    static const char *const numbered[] = {"mmcblk", "mmcsd", "nvd",  "nda",       "ada",       "da",      "nbd",
                                           "rbd",    "vtbd",  "mfid", "cciss!c0d", "cciss/c0d", "mfisyspd"};
    for (size_t k = 0; k < sizeof numbered / sizeof *numbered; k++) {
        Str rest = str_after(name, numbered[k]);
        if (!rest.p || !rest.len || !ch_digit(rest.p[0])) continue;
        size_t n = 0;
        while (n < rest.len && ch_digit(rest.p[n])) n++;
        size_t disk_len = name.len - rest.len + n;
        if (n == rest.len) return NAME_DISK;
        if ((rest.p[n] == 'p' || rest.p[n] == 's') && n + 1 < rest.len && ch_digit(rest.p[n + 1])) {
            *base = str_sub(name, 0, disk_len);
            return NAME_PARTITION;
        }
        if (str_starts(name, "mmcblk") || str_starts(name, "mmcsd")) return NAME_VOLUME; /* mmcblk0boot0, mmcsd0rpmb */
    }
    Str nvme = str_after(name, "nvme");
    if (nvme.p && nvme.len && ch_digit(nvme.p[0])) {
        size_t n = 0;
        while (n < nvme.len && ch_digit(nvme.p[n])) n++;
        if (n == nvme.len) return NAME_CONTROLLER;
        if (str_starts(str_from(nvme, n), "ns") && all_digits(str_from(nvme, n + 2)))
            return NAME_CONTROLLER; /* FreeBSD nvme0ns1 */
        if (nvme.p[n] == 'n') {
            size_t m = n + 1;
            while (m < nvme.len && ch_digit(nvme.p[m])) m++;
            if (m > n + 1 && m == nvme.len) return NAME_DISK;
            if (m > n + 1 && nvme.p[m] == 'p' && all_digits(str_from(nvme, m + 1))) {
                *base = str_sub(name, 0, 4 + m);
                return NAME_PARTITION;
            }
        }
        if (nvme.p[n] == 'c') return NAME_VOLUME; /* nvme0c1n1: a path of a multipath namespace */
    }
    if (str_starts(name, "md") && name.len > 2 && (ch_digit(name.p[2]) || name.p[2] == '/' || name.p[2] == '_'))
        return NAME_ARRAY;
    static const char *const optical[] = {"sr", "cd", "fd", "scd"};
    for (size_t k = 0; k < sizeof optical / sizeof *optical; k++)
        if (str_starts(name, optical[k]) && all_digits(str_from(name, strlen(optical[k])))) return NAME_OPTICAL;
    static const char *const volumes[] = {"dm-", "zd", "loop", "ram", "zram", "bcache", "drbd", "pmem"};
    for (size_t k = 0; k < sizeof volumes / sizeof *volumes; k++)
        if (str_starts(name, volumes[k]) && name.len > strlen(volumes[k]) && ch_digit(name.p[strlen(volumes[k])]))
            return NAME_VOLUME;
    return NAME_OTHER;
}

Str identity_wwn(Arena *a, Str s) {
    char digits[WWN_SIZE];
    size_t n = wwn_normalize(s.p, s.len, digits);
    return n ? arena_str(a, (Str){digits, n}) : STR_NONE;
}

Str identity_text(Arena *a, Str s) {
    s = str_trim(s);
    StrBuf out;
    sb_init(&out, a);
    bool gap = false;
    for (size_t i = 0; i < s.len; i++) {
        if (ch_blank(s.p[i]) || s.p[i] == '_') {
            gap = true;
            continue;
        }
        if (gap && out.len) sb_addc(&out, '_');
        gap = false;
        sb_addc(&out, s.p[i]);
    }
    return out.len ? sb_str(&out) : STR_NONE;
}

/* What firmware and bridges print where no serial number is: one sign over and over, or words that say so. */
static bool usable_serial(Str s) {
    static const char *const words[] = {"none",          "unknown",       "n/a",           "null",
                                        "serial",        "not_specified", "not_available", "to_be_filled_by_o.e.m.",
                                        "default_string"};
    if (!s.p || !s.len || s.p[0] == '[' || s.p[0] == '<') return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_ieq(s, str_of(words[i]))) return false;
    size_t i = 0;
    while (i < s.len && (s.p[i] == s.p[0] || s.p[i] == '_' || s.p[i] == '-')) i++;
    return i < s.len || !strchr("0FfXx*-.?#", s.p[0]);
}

Str identity_serial(Arena *a, Str s) {
    Str text = identity_text(a, s);
    return usable_serial(text) ? text : STR_NONE;
}

/* "-part3" of a link. */
static Str without_part(Str name) {
    for (size_t i = name.len; i > 6; i--) {
        if (ch_digit(name.p[i - 1])) continue;
        if (i < name.len && i >= 5 && memcmp(name.p + i - 5, "-part", 5) == 0) return str_sub(name, 0, i - 5);
        break;
    }
    return name;
}

/* "nvme.1cc1-<serial in hex>-<model in hex>-00000001": what udev makes of a namespace without EUI and NGUID. */
static Str from_hex(Arena *a, Str hex) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        uint64_t c;
        if (!str_hex_u64(str_sub(hex, i, 2), &c) || c < 0x20 || c > 0x7e) return STR_NONE;
        sb_addc(&out, (char)c);
    }
    return out.len ? sb_str(&out) : STR_NONE;
}

LinkIdentity identity_of_link(Arena *a, Str name) {
    LinkIdentity id = {STR_NONE, STR_NONE, STR_NONE};
    bool gone = str_has(name, "by-path/") || str_has(name, "by-partuuid/") || str_has(name, "by-uuid/");
    name = without_part(str_basename(name));
    Str disk = str_after(name, "DISK-");
    if (disk.p) { /* FreeBSD: diskid/DISK-SERIALp1 */
        size_t n = disk.len;
        while (n > 1 && ch_digit(disk.p[n - 1])) n--;
        /* A serial may end in "p1" by itself; upper case is what drives print, lower case what GEOM appends. */
        if (n < disk.len && n > 4 && (disk.p[n - 1] == 'p' || disk.p[n - 1] == 's')) disk = str_sub(disk, 0, n - 1);
        id.serial = identity_serial(a, disk);
        return id;
    }
    if (gone) return id;
    if (str_starts(name, "wwn-") || str_starts(name, "nvme-eui.") || str_starts(name, "nvme-uuid.") ||
        str_starts(name, "nvme-EUI-") || str_starts(name, "scsi-3")) {
        id.wwn = identity_wwn(a, name);
        return id;
    }
    Str hex = str_after(name, "nvme-nvme.");
    if (hex.p) {
        str_cut(&hex, '-');
        bool token = str_starts(hex, "SN-") && hex.len > 11 && hex.p[11] == '-'; /* a redacted bundle */
        Str serial = token ? str_sub(hex, 0, 11) : str_cut(&hex, '-');
        if (token) hex = str_from(hex, 12);
        id.serial = identity_serial(a, token ? serial : from_hex(a, serial));
        id.model = identity_text(a, from_hex(a, str_cut(&hex, '-')));
        return id;
    }
    static const char *const prefixes[] = {"ata-", "scsi-SATA_", "scsi-1ATA_", "scsi-S", "usb-", "nvme-", "mmc-"};
    Str rest = STR_NONE;
    size_t k = 0;
    for (; k < sizeof prefixes / sizeof *prefixes && !rest.p; k++) rest = str_after(name, prefixes[k]);
    if (!rest.p) return id;
    Str prefix = str_of(prefixes[k - 1]);
    if (str_is(prefix, "usb-")) { /* "-0:0" is target and LUN of the bridge */
        size_t dash = str_rfind_ch(rest, '-');
        if (dash != SIZE_MAX && str_find_ch(str_from(rest, dash), ':') != SIZE_MAX) rest = str_sub(rest, 0, dash);
    }
    size_t bar = str_rfind_ch(rest, '_');
    if (str_is(prefix, "nvme-") && bar != SIZE_MAX && rest.len - bar <= 4) { /* "_1" is the namespace */
        uint64_t nsid;
        Str before = str_sub(rest, 0, bar);
        size_t other = str_rfind_ch(before, '_');
        if (str_u64(str_from(rest, bar + 1), &nsid) && other != SIZE_MAX && before.len - other > 8) {
            rest = before;
            bar = other;
        }
    }
    if (bar == SIZE_MAX || rest.len - bar < 5) return id; /* no serial, or too short to be one */
    id.serial = identity_serial(a, str_from(rest, bar + 1));
    id.model = identity_text(a, str_sub(rest, 0, bar));
    return id;
}

/* ---------------------------------------------------------------- refs */

typedef struct RefInfo {
    int64_t id, capture;
    int boot;
    Str kind, name;
    size_t up; /* union-find */
} RefInfo;

typedef struct Ids { /* the spellings of one identifier: NGUID and EUI-64, the drive's serial and its bridge's */
    Str items[4];
    size_t count;
} Ids;

typedef struct Thing { /* one union of refs */
    bool used;
    Str name; /* kernel name, or the best other */
    Str kind; /* node kind */
    int64_t capture;
    int boot;
    Str wwn, serial, model; /* the best of them; wwns and serials hold the others, too */
    Ids wwns, serials;
    Str pci, port, unit; /* where it hangs, to find it by a name of /dev/disk/by-path */
    bool nvme;
    bool one_path; /* on SATA or USB: a second name with the same identity is a second drive */
    bool nameless; /* an output that names no device, as a pasted smartctl: only its serial stands for it */
    int64_t node;
} Thing;

typedef struct Identity { /* a physical drive over all captures */
    Str model;
    Ids wwns, serials;
    bool nvme;
    int64_t node;
    VEC(int64_t) captures; /* captures in which a name already stands for it */
} Identity;

/* What was filed under a text: positions in another table, the latest first. */
typedef struct Filed {
    uint64_t hash;
    size_t at;
    struct Filed *next;
} Filed;
enum { FILES = 4096, MAX_CANDIDATES = 64 }; /* an identity that more names share than this is none */

typedef struct Resolver {
    Facts *f;
    Arena *a;
    sqlite3 *db;
    RefInfo *refs;
    size_t count, cap;
    Str *disk;     /* of a root: a kernel name of the disk or partition it stands for */
    Thing *things; /* indexed as refs: the entry of each union's root is used */
    size_t *at;    /* position of a ref by its id, plus one; 0: no such ref */
    int64_t max_id;
    VEC(Identity) identities;
    Filed **by_wwn, **by_serial; /* of identities */
    bool several;                /* more than one capture: keys of things that are not shared carry it */
} Resolver;

static size_t find(Resolver *r, size_t i) {
    while (r->refs[i].up != i) {
        r->refs[i].up = r->refs[r->refs[i].up].up;
        i = r->refs[i].up;
    }
    return i;
}

static void join(Resolver *r, size_t a, size_t b) {
    a = find(r, a);
    b = find(r, b);
    if (a == b) return;
    if (b < a) { /* the earlier leads, so that results do not depend on the order of joins */
        size_t t = a;
        a = b;
        b = t;
    }
    r->refs[b].up = a;
    if (!r->disk[a].p) r->disk[a] = r->disk[b];
}

/*
 * A name that may be stale: two different disks never become one through it. A link of udev points elsewhere after a drive was
 * plugged in again, and drives with one identifier fight for a link; a label that was copied with dd lies on two disks.
 */
static bool join_name(Resolver *r, size_t a, size_t b) {
    a = find(r, a);
    b = find(r, b);
    if (a != b && r->disk[a].p && r->disk[b].p && !str_eq(r->disk[a], r->disk[b])) return false;
    join(r, a, b);
    return true;
}

static void file(Resolver *r, Filed **files, Str text, size_t at) {
    uint64_t hash = str_hash(text);
    Filed *e = arena_array(r->a, Filed, 1);
    *e = (Filed){hash, at, files[hash % FILES]};
    files[hash % FILES] = e;
}

/* Positions filed under text, the first filed first; at most MAX_CANDIDATES. Hashes may collide: compare. */
static size_t filed(Filed **files, Str text, size_t *out, size_t count) {
    if (!text.p) return count;
    uint64_t hash = str_hash(text);
    size_t from = count;
    for (Filed *e = files[hash % FILES]; e && count < MAX_CANDIDATES; e = e->next)
        if (e->hash == hash) out[count++] = e->at;
    for (size_t i = from, k = count; k > i + 1; i++) { /* as they came */
        size_t t = out[i];
        out[i] = out[--k];
        out[k] = t;
    }
    return count;
}

static Str lowered(Arena *a, Str s) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < s.len; i++) sb_addc(&out, ch_lower(s.p[i]));
    return sb_str(&out);
}

static Str column(Resolver *r, sqlite3_stmt *st, int i) {
    const char *p = (const char *)sqlite3_column_text(st, i);
    return p ? arena_str(r->a, (Str){p, (size_t)sqlite3_column_bytes(st, i)}) : STR_NONE;
}

static sqlite3_stmt *prepare(Resolver *r, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(r->db, sql, -1, &st, NULL) != SQLITE_OK)
        fatal("identity: %s: %s", sql, sqlite3_errmsg(r->db));
    return st;
}

static int ref_order(const void *x, const void *y) {
    const RefInfo *a = x, *b = y;
    if (a->capture != b->capture) return a->capture < b->capture ? -1 : 1;
    if (a->boot != b->boot) return a->boot > b->boot ? -1 : 1; /* the boot of the capture first */
    int c = str_cmp(a->kind, b->kind);
    if (!c) c = str_cmp(a->name, b->name);
    if (c) return c;
    return a->id < b->id ? -1 : 1;
}

static void load_refs(Resolver *r) {
    sqlite3_stmt *st = prepare(
        r, "SELECT ref.id, source.capture, ref.boot, ref.kind, ref.name FROM ref JOIN source ON source.id = ref.src");
    while (sqlite3_step(st) == SQLITE_ROW) {
        RefInfo info = {.id = sqlite3_column_int64(st, 0),
                        .capture = sqlite3_column_int64(st, 1),
                        .boot = sqlite3_column_int(st, 2),
                        .kind = column(r, st, 3),
                        .name = column(r, st, 4)};
        if (r->count == r->cap) r->refs = arena_grow_(r->a, r->refs, r->count, sizeof *r->refs, &r->cap);
        r->refs[r->count++] = info;
    }
    sqlite3_finalize(st);
    if (r->count) qsort(r->refs, r->count, sizeof *r->refs, ref_order);
    r->disk = arena_array(r->a, Str, r->count ? r->count : 1);
    for (size_t i = 0; i < r->count; i++) {
        Str base;
        r->refs[i].up = i;
        if (!str_is(r->refs[i].kind, "disk")) continue;
        NameClass class = name_class(r->refs[i].name, &base);
        if (class == NAME_DISK || class == NAME_PARTITION) r->disk[i] = r->refs[i].name;
    }
    /* The same kind and name in one capture and boot is one thing, whichever piece says it. */
    for (size_t i = 1; i < r->count; i++) {
        RefInfo *a = &r->refs[i - 1], *b = &r->refs[i];
        if (a->capture == b->capture && a->boot == b->boot && str_eq(a->kind, b->kind) && str_eq(a->name, b->name))
            join(r, i - 1, i);
    }
}

/* Where a ref of that capture, boot, kind and name stands, or would. */
static size_t lower_bound(Resolver *r, int64_t capture, int boot, Str kind, Str name) {
    RefInfo key = {.capture = capture, .boot = boot, .kind = kind, .name = name, .id = INT64_MIN};
    size_t lo = 0, hi = r->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ref_order(&r->refs[mid], &key) < 0) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* Position of a ref by capture, boot, kind and name; SIZE_MAX if there is none. */
static size_t lookup(Resolver *r, int64_t capture, int boot, const char *kind, Str name) {
    size_t at = lower_bound(r, capture, boot, str_of(kind), name);
    const RefInfo *hit = &r->refs[at];
    return at < r->count && hit->capture == capture && hit->boot == boot && str_is(hit->kind, kind) &&
                   str_eq(hit->name, name)
               ? at
               : SIZE_MAX;
}

static void index_by_id(Resolver *r) {
    for (size_t i = 0; i < r->count; i++)
        if (r->refs[i].id > r->max_id) r->max_id = r->refs[i].id;
    r->at = arena_array(r->a, size_t, (size_t)r->max_id + 1);
    for (size_t i = 0; i < r->count; i++) r->at[r->refs[i].id] = i + 1;
}

/* Position of a ref by its id; SIZE_MAX if there is none. */
static size_t ref_at(const Resolver *r, int64_t id) {
    return id > 0 && id <= r->max_id && r->at[id] ? r->at[id] - 1 : SIZE_MAX;
}

static void say_flip(Resolver *r, const RefInfo *name, Str one, Str other, int64_t src, int64_t line) {
    facts_note(r->f, src, (Spot){.line = line},
               arena_strf(r->a, "%.*s stands for %.*s and for %.*s: it is taken for the first", STR_ARG(name->name),
                          STR_ARG(one), STR_ARG(other)));
}

/* A kernel name without its partition: "sdc" of "sdc1" and "/dev/sdc1"; none for other names. */
static Str disk_of_name(Str name) {
    Str base;
    if (str_starts(name, "/dev/")) name = str_from(name, 5);
    NameClass class = name_class(name, &base);
    return class == NAME_DISK || class == NAME_PARTITION ? base : STR_NONE;
}

/* Where a name of ZFS stands among the names that listings tie to a disk; SIZE_MAX: nowhere. */
static size_t member_target(Resolver *r, const RefInfo *m, Str name) {
    bool by = str_has(name, "disk/by-");
    bool geom = str_has(name, "gptid/") || str_has(name, "gpt/") || str_has(name, "diskid/") || str_has(name, "label/");
    if (str_starts(name, "/dev/")) name = by ? str_basename(name) : str_from(name, 5);
    size_t at = lookup(r, m->capture, m->boot, "link", name);
    if (at == SIZE_MAX) at = lookup(r, m->capture, m->boot, "link", without_part(name));
    if (at == SIZE_MAX) at = lookup(r, m->capture, m->boot, "link", arena_strf(r->a, "%.*s-part1", STR_ARG(name)));
    if (at == SIZE_MAX && !by && !geom) at = lookup(r, m->capture, m->boot, "disk", name);
    if (at == SIZE_MAX && geom) { /* zpool status prints gpt/tank2, a label on the disk /dev/gpt/tank2 */
        at = lookup(r, m->capture, m->boot, "member", arena_strf(r->a, "/dev/%.*s", STR_ARG(name)));
        if (at != SIZE_MAX && &r->refs[at] == m) at = SIZE_MAX;
    }
    Str disk = disk_of_name(name); /* iostat shows sdb only, ZFS sdb1 */
    if (at == SIZE_MAX && disk.p && !by && !geom) at = lookup(r, m->capture, m->boot, "disk", disk);
    return at;
}

typedef struct Same { /* a row of same_as */
    size_t a, b;
    int64_t src, line;
    int turn;
} Same;

static void join_said(Resolver *r, const Same *s) {
    if (s->turn == 0) {
        join(r, s->a, s->b);
        return;
    }
    Str one = r->disk[find(r, s->a)], other = r->disk[find(r, s->b)];
    if (!join_name(r, s->a, s->b))
        say_flip(r, str_is(r->refs[s->a].kind, "disk") ? &r->refs[s->b] : &r->refs[s->a], one, other, s->src, s->line);
}

/* Roots of the disks behind rows of a pool that are open. */
static bool *open_disks(Resolver *r) {
    bool *open = arena_array(r->a, bool, r->count ? r->count : 1);
    sqlite3_stmt *st = prepare(r, "SELECT node FROM vdev WHERE is_leaf = 1 AND state IN ('ONLINE', 'DEGRADED')");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t row = ref_at(r, sqlite3_column_int64(st, 0));
        size_t at = row == SIZE_MAX ? SIZE_MAX : member_target(r, &r->refs[row], r->refs[row].name);
        if (at != SIZE_MAX && r->disk[find(r, at)].p) open[find(r, at)] = true;
    }
    sqlite3_finalize(st);
    return open;
}

/*
 * What parsers say is the same. Links and labels come last, a label that was read from the device itself before what the labels
 * of its siblings remember. Where two disks carry one label, a member that is not there is sooner the disk that no row has open.
 */
static void join_same(Resolver *r) {
    VEC(Same) labels = {0};
    sqlite3_stmt *st = prepare(
        r,
        "SELECT s.a, s.b, s.src, s.line, CASE WHEN s.how = 'zfs label' THEN CASE WHEN b.kind = 'disk' THEN 2 ELSE 3 END"
        " WHEN a.kind = 'link' OR b.kind = 'link' THEN 1 ELSE 0 END AS turn FROM same_as s JOIN ref a ON a.id = s.a"
        " JOIN ref b ON b.id = s.b ORDER BY turn, s.src, s.line, s.a, s.b");
    while (sqlite3_step(st) == SQLITE_ROW) {
        Same s = {ref_at(r, sqlite3_column_int64(st, 0)), ref_at(r, sqlite3_column_int64(st, 1)),
                  sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3), sqlite3_column_int(st, 4)};
        if (s.a == SIZE_MAX || s.b == SIZE_MAX) continue;
        if (s.turn < 2) join_said(r, &s);
        else VEC_PUSH(r->a, &labels, s);
    }
    sqlite3_finalize(st);
    if (!labels.count) return;
    const bool *open = open_disks(r);
    bool *later = arena_array(r->a, bool, labels.count);
    for (size_t i = 0; i < labels.count; i++) later[i] = labels.items[i].turn == 2 && open[find(r, labels.items[i].b)];
    for (size_t i = 0; i < labels.count && labels.items[i].turn == 2; i++)
        if (!later[i]) join_said(r, &labels.items[i]);
    for (size_t i = 0; i < labels.count; i++)
        if (later[i] || labels.items[i].turn == 3) join_said(r, &labels.items[i]);
}

/* "ata3" is the port of "ata3.00" while nothing else hangs on it: no slave, no port multiplier. */
static void join_ata_ports(Resolver *r) {
    for (size_t i = 0; i < r->count; i++) {
        RefInfo *p = &r->refs[i];
        if (!str_is(p->kind, "ata") || str_find_ch(p->name, '.') != SIZE_MAX) continue;
        size_t dev = lookup(r, p->capture, p->boot, "ata", arena_strf(r->a, "%.*s.00", STR_ARG(p->name)));
        size_t slave = lookup(r, p->capture, p->boot, "ata", arena_strf(r->a, "%.*s.01", STR_ARG(p->name)));
        size_t multiplier = lookup(r, p->capture, p->boot, "ata", arena_strf(r->a, "%.*s.15", STR_ARG(p->name)));
        if (dev != SIZE_MAX && slave == SIZE_MAX && multiplier == SIZE_MAX) join(r, i, dev);
    }
}

/* Serial numbers said of the names of one union; the first. */
static Str *early_serials(Resolver *r) {
    Str *serials = arena_array(r->a, Str, r->count ? r->count : 1);
    sqlite3_stmt *st = prepare(r, "SELECT node, value FROM setting WHERE key = 'serial'"
                                  " ORDER BY CASE view WHEN 'drive' THEN 0 ELSE 1 END, src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t at = ref_at(r, sqlite3_column_int64(st, 0));
        if (at == SIZE_MAX) continue;
        Str *of = &serials[find(r, at)];
        if (!of->p) *of = identity_serial(r->a, column(r, st, 1));
    }
    sqlite3_finalize(st);
    return serials;
}

/* "nvme12" of nvme12, nvme12n1, nvme12ns1; FreeBSD's nvd0 and nda0 are counted on their own. */
static Str nvme_controller(Str name) {
    size_t n = 4;
    while (n < name.len && ch_digit(name.p[n])) n++;
    return str_starts(name, "nvme") && n > 4 ? str_sub(name, 0, n) : STR_NONE;
}

static bool nvme_disk(const RefInfo *d) {
    Str base;
    return str_is(d->kind, "disk") && name_class(d->name, &base) == NAME_DISK &&
           (str_starts(d->name, "nvme") || str_starts(d->name, "nvd") || str_starts(d->name, "nda"));
}

enum { NVME_BY_MODEL = 64 };

/*
 * FreeBSD counts nvd0 and nda0 on their own, and its kernel log says of nvd0 the model alone. Where one controller and one such disk
 * of a capture have a model, they are one drive; two of a model cannot be told apart.
 */
static void join_nvme_by_model(Resolver *r, const Str *serials, bool *has_disk) {
    size_t found[2][NVME_BY_MODEL], count[2] = {0, 0}; /* controllers, disks; one ref of each union */
    Str base, models[2][NVME_BY_MODEL];
    sqlite3_stmt *st = prepare(r, "SELECT node, value FROM setting WHERE key = 'model' ORDER BY src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t at = ref_at(r, sqlite3_column_int64(st, 0));
        if (at == SIZE_MAX || !str_is(r->refs[at].kind, "disk")) continue;
        const RefInfo *d = &r->refs[at];
        bool disk = str_starts(d->name, "nvd") || str_starts(d->name, "nda");
        NameClass class = name_class(d->name, &base);
        if (disk ? class != NAME_DISK : class != NAME_CONTROLLER || has_disk[find(r, at)]) continue;
        bool known = false;
        for (size_t k = 0; k < count[disk] && !known; k++) known = find(r, found[disk][k]) == find(r, at);
        if (known) continue;
        if (count[disk] == NVME_BY_MODEL) break; /* nobody counts them by their models */
        models[disk][count[disk]] = identity_text(r->a, column(r, st, 1));
        found[disk][count[disk]++] = at;
    }
    sqlite3_finalize(st);
    for (size_t i = 0; i < count[0]; i++) {
        const RefInfo *c = &r->refs[found[0][i]];
        size_t same[2] = {0, 0}, only = SIZE_MAX;
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; k < count[side]; k++) {
                const RefInfo *d = &r->refs[found[side][k]];
                if (d->capture != c->capture || d->boot != c->boot || !models[side][k].p ||
                    !str_eq(models[side][k], models[0][i]))
                    continue;
                same[side]++;
                if (side == 1) only = found[side][k];
            }
        if (same[0] != 1 || same[1] != 1) continue;
        Str mine = serials[find(r, found[0][i])], theirs = serials[find(r, only)];
        if (mine.p && theirs.p && !str_eq(mine, theirs)) continue;
        join(r, found[0][i], only);
        has_disk[find(r, only)] = true;
    }
}

/*
 * A controller and the namespaces on it are one drive. With native multipath nvme0 may have nvme1n1: names of namespaces count
 * subsystems. So a device path or the serial number decides; only where neither speaks does the same number.
 */
static void join_nvme(Resolver *r) {
    Str base;
    /* Namespaces with one number lie in one subsystem, hence on one drive. */
    for (size_t i = 1, last = SIZE_MAX; i <= r->count; i++) {
        const RefInfo *a = &r->refs[i - 1];
        if (!str_is(a->kind, "disk") || name_class(a->name, &base) != NAME_DISK || !str_starts(a->name, "nvme"))
            continue;
        if (last != SIZE_MAX && r->refs[last].capture == a->capture && r->refs[last].boot == a->boot &&
            str_eq(nvme_controller(r->refs[last].name), nvme_controller(a->name)))
            join(r, last, i - 1);
        last = i - 1;
    }
    bool *has_disk = arena_array(r->a, bool, r->count ? r->count : 1); /* of a root */
    for (size_t i = 0; i < r->count; i++)
        if (str_is(r->refs[i].kind, "disk") && name_class(r->refs[i].name, &base) == NAME_DISK)
            has_disk[find(r, i)] = true;
    Str *serials = early_serials(r);
    Filed **by_serial = arena_array(r->a, Filed *, FILES);
    for (size_t i = 0; i < r->count; i++)
        if (nvme_disk(&r->refs[i]) && serials[find(r, i)].p) file(r, by_serial, serials[find(r, i)], i);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < r->count; i++) {
            RefInfo c = r->refs[i];
            if (!str_is(c.kind, "disk") || name_class(c.name, &base) != NAME_CONTROLLER || has_disk[find(r, i)])
                continue;
            Str serial = serials[find(r, i)], number = nvme_controller(c.name);
            size_t only = SIZE_MAX, different = 0;
            if (turn == 0) {
                size_t found[MAX_CANDIDATES], count = filed(by_serial, serial, found, 0);
                for (size_t k = 0; k < count; k++) {
                    const RefInfo *d = &r->refs[found[k]];
                    if (d->capture != c.capture || d->boot != c.boot || !str_eq(serials[find(r, found[k])], serial))
                        continue;
                    /* nvd0 and nvd1 with one serial are namespaces of one drive: FreeBSD numbers them one by one */
                    if (only != SIZE_MAX && !str_starts(d->name, "nvme") && !str_starts(r->refs[only].name, "nvme"))
                        join(r, only, found[k]);
                    if (only == SIZE_MAX || find(r, only) != find(r, found[k])) different++;
                    only = found[k];
                }
            } else {
                Str prefix = arena_strf(r->a, "%.*sn", STR_ARG(number));
                for (size_t k = lower_bound(r, c.capture, c.boot, c.kind, prefix); k < r->count && different < 2; k++) {
                    RefInfo *d = &r->refs[k];
                    if (d->capture != c.capture || d->boot != c.boot || !str_eq(d->kind, c.kind) ||
                        d->name.len <= prefix.len || memcmp(d->name.p, prefix.p, prefix.len) != 0)
                        break;
                    if (name_class(d->name, &base) != NAME_DISK) continue;
                    Str theirs = serials[find(r, k)];
                    if (serial.p && theirs.p && !str_eq(serial, theirs))
                        continue; /* that number belongs to another drive */
                    if (only == SIZE_MAX || find(r, only) != find(r, k)) different++;
                    only = k;
                }
            }
            if (different != 1) continue;
            Str keep = serial.p ? serial : serials[find(r, only)];
            join(r, i, only);
            serials[find(r, i)] = keep;
            has_disk[find(r, i)] = true;
        }
    }
    join_nvme_by_model(r, serials, has_disk);
}

/* ---------------------------------------------------------------- members of pools */

/* What zpool status says of the rows that carry a name. */
typedef struct MemberRow {
    bool seen, open; /* open: ONLINE or DEGRADED in some row, so the device behind the name was opened */
    Str was;
} MemberRow;

static MemberRow *member_rows(Resolver *r) {
    MemberRow *rows = arena_array(r->a, MemberRow, r->count ? r->count : 1);
    sqlite3_stmt *st = prepare(r, "SELECT node, state, was FROM vdev WHERE is_leaf = 1 ORDER BY src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t at = ref_at(r, sqlite3_column_int64(st, 0));
        if (at == SIZE_MAX) continue;
        MemberRow *row = &rows[find(r, at)];
        Str state = column(r, st, 1), was = column(r, st, 2);
        row->seen = true;
        row->open |= !state.p || str_is(state, "ONLINE") || str_is(state, "DEGRADED") || str_is(state, "AVAIL") ||
                     str_is(state, "INUSE");
        if (!row->was.p) row->was = was;
    }
    sqlite3_finalize(st);
    return rows;
}

/* One thing that a label says: this guid was last known under this path. */
typedef struct Remembered {
    size_t guid; /* ref */
    Str disk;    /* kernel name of the disk or partition, from the path */
} Remembered;

/*
 * Members of pools carry the name under which they were imported. A kernel name in a row that is not open may belong to another
 * drive by now: where a label remembers the name with a guid, the guid says which drive is meant, or that none is known.
 */
static void join_members(Resolver *r) {
    MemberRow *rows = member_rows(r);
    VEC(Remembered) paths = {0};
    Filed **by_name = arena_array(r->a, Filed *, FILES);
    sqlite3_stmt *st = prepare(r, "SELECT node, value FROM setting WHERE key = 'zfs_label_path' ORDER BY src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t at = ref_at(r, sqlite3_column_int64(st, 0));
        if (at == SIZE_MAX || !str_is(r->refs[at].kind, "member")) continue;
        Str disk = disk_of_name(column(r, st, 1));
        if (!disk.p) continue;
        Remembered p = {at, disk};
        file(r, by_name, disk, paths.count);
        VEC_PUSH(r->a, &paths, p);
    }
    sqlite3_finalize(st);
    for (size_t i = 0; i < r->count; i++) {
        RefInfo *m = &r->refs[i];
        if (!str_is(m->kind, "member")) continue;
        const MemberRow *row = &rows[find(r, i)];
        Str disk = disk_of_name(m->name);
        if (disk.p && row->seen && !row->open) {
            size_t found[MAX_CANDIDATES], count = filed(by_name, disk, found, 0), guid = SIZE_MAX, guids = 0;
            bool right = false;
            for (size_t k = 0; k < count; k++) {
                const Remembered *p = &paths.items[found[k]];
                const RefInfo *g = &r->refs[p->guid];
                if (!str_eq(p->disk, disk) || g->capture != m->capture || g->boot != m->boot) continue;
                Str now = disk_of_name(r->disk[find(r, p->guid)]);
                right |= str_eq(now, disk);
                if (guid != SIZE_MAX && find(r, guid) == find(r, p->guid)) continue;
                guid = p->guid;
                guids++;
            }
            if (!right && guids == 1) {
                join(r, i, guid);
                continue;
            }
            if (!right && guids > 1) continue;
        }
        size_t at = member_target(r, m, m->name);
        if (at != SIZE_MAX) join_name(r, i, at);
        /* A row shown as a guid remembers its path; one that follows the disk still tells which disk was meant. */
        else if (row->was.p && !disk_of_name(row->was).p && !str_has(row->was, "by-path/") && !r->disk[find(r, i)].p) {
            at = member_target(r, m, row->was);
            if (at != SIZE_MAX) join_name(r, i, at);
        }
    }
}

/* ---------------------------------------------------------------- things */

/* Better names come first: what the kernel calls a disk, then ZFS's name, then bus addresses. */
static int name_rank(Str kind) {
    static const char *const order[] = {"host", "pool",     "array", "filesystem", "dataset", "disk",
                                        "vdev", "process",  "pci",   "member",     "link",    "scsi",
                                        "ata",  "scsihost", "usb",   "slot",       "serial"};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (str_is(kind, order[i])) return i;
    return 99;
}

static Str thing_kind(const RefInfo *best) {
    Str base;
    if (str_is(best->kind, "disk")) {
        switch (name_class(best->name, &base)) {
        case NAME_DISK:
        case NAME_CONTROLLER:
        case NAME_OPTICAL: return STR("drive");
        case NAME_PARTITION: return STR("partition");
        case NAME_ARRAY: return STR("array");
        case NAME_VOLUME: return STR("volume");
        case NAME_OTHER: break;
        }
        /* smartctl's "sda [megaraid_disk_08]" is a drive behind a controller; "vg-lv" is a volume. */
        return str_has(best->name, "[") ? STR("drive") : STR("volume");
    }
    if (str_is(best->kind, "pci") || str_is(best->kind, "scsihost")) return STR("controller");
    /* "mps0:4", a target of a FreeBSD adapter of which no disk is known */
    if (str_is(best->kind, "scsi") && best->name.len && !ch_digit(best->name.p[0])) return STR("link");
    if (str_is(best->kind, "scsi") || str_is(best->kind, "serial") || str_is(best->kind, "slot")) return STR("drive");
    if (str_is(best->kind, "ata")) return str_find_ch(best->name, '.') != SIZE_MAX ? STR("drive") : STR("link");
    if (str_is(best->kind, "member")) return STR("drive");
    /* /dev/disk/by-id/md-uuid-...: the only name of an array of which just a member's superblock was read */
    if (str_is(best->kind, "link") && (str_starts(best->name, "md-uuid-") || str_starts(best->name, "md-name-")))
        return STR("array");
    if (str_is(best->kind, "link"))
        return str_eq(without_part(best->name), best->name) ? STR("drive") : STR("partition");
    if (str_is(best->kind, "usb")) return STR("link");
    if (str_is(best->kind, "dataset")) return STR("volume");
    return best->kind; /* host pool vdev array filesystem process */
}

static void name_things(Resolver *r) {
    r->things = arena_array(r->a, Thing, r->count ? r->count : 1);
    size_t *best = arena_array(r->a, size_t, r->count ? r->count : 1);
    for (size_t i = 0; i < r->count; i++) {
        size_t root = find(r, i);
        Thing *t = &r->things[root];
        const RefInfo *mine = &r->refs[i];
        if (!t->used) {
            t->used = true;
            best[root] = i;
            continue;
        }
        const RefInfo *now = &r->refs[best[root]];
        int a = name_rank(mine->kind), b = name_rank(now->kind);
        Str base;
        if (a == b &&
            str_is(mine->kind, "disk")) { /* nvme0n1 names the drive better than nvme0; sda better than a path of it */
            a = (int)name_class(mine->name, &base);
            b = (int)name_class(now->name, &base);
            /* dm-4 is another volume after the next boot; its name is not */
            if (str_starts(mine->name, "dm-")) a = NAME_OTHER + 1;
            if (str_starts(now->name, "dm-")) b = NAME_OTHER + 1;
        }
        if (a == b && str_is(mine->kind, "ata")) { /* ata2.00 is the drive on port ata2 */
            a = str_find_ch(mine->name, '.') == SIZE_MAX;
            b = str_find_ch(now->name, '.') == SIZE_MAX;
        }
        if (a < b) best[root] = i;
    }
    for (size_t i = 0; i < r->count; i++) {
        Thing *t = &r->things[i];
        if (!t->used) continue;
        const RefInfo *b = &r->refs[best[i]];
        t->name = b->name;
        t->capture = b->capture;
        t->boot = b->boot;
        t->kind = thing_kind(b);
        t->nameless = str_is(b->kind, "serial") || str_is(b->kind, "slot"); /* no name of the system's */
    }
}

static void add_id(Ids *ids, Str value) {
    if (!value.p || ids->count == sizeof ids->items / sizeof *ids->items) return;
    for (size_t i = 0; i < ids->count; i++)
        if (str_eq(ids->items[i], value)) return;
    ids->items[ids->count++] = value;
}

/* Identity attributes of the things: the drive's own word first, then the kernel's. */
static void read_identity(Resolver *r) {
    sqlite3_stmt *st = prepare(r, "SELECT node, key, value FROM setting WHERE key IN "
                                  "('serial','wwn','eui','nguid','model','transport','pci','port','ata_dev')"
                                  " ORDER BY CASE view WHEN 'drive' THEN 0 WHEN 'kernel' THEN 1 ELSE 2 END,"
                                  " CASE key WHEN 'wwn' THEN 0 WHEN 'nguid' THEN 1 ELSE 2 END, src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        size_t ref = ref_at(r, sqlite3_column_int64(st, 0));
        if (ref == SIZE_MAX) continue;
        Thing *t = &r->things[find(r, ref)];
        Str key = column(r, st, 1), value = column(r, st, 2);
        if (str_is(key, "serial")) {
            add_id(&t->serials, identity_serial(r->a, value));
        } else if (str_is(key, "model")) {
            if (!t->model.p) t->model = identity_text(r->a, value);
        } else if (str_is(key, "transport")) {
            if (str_ieq(value, STR("usb")) || str_ieq(value, STR("sata")) || str_ieq(value, STR("ata")))
                t->one_path = true;
        } else if (str_is(key, "pci")) {
            if (!t->pci.p) t->pci = value;
        } else if (str_is(key, "port")) {
            if (!t->port.p) t->port = value;
        } else if (str_is(key, "ata_dev")) {
            if (!t->unit.p) t->unit = value;
        } else {
            add_id(&t->wwns, identity_wwn(r->a, value));
        }
    }
    sqlite3_finalize(st);
    /* Links carry identities too: wwn-0x..., nvme-eui...., ata-MODEL_SERIAL. What they say last is what others did not say. */
    for (size_t i = 0; i < r->count; i++) {
        const RefInfo *link = &r->refs[i];
        if (!str_is(link->kind, "link") && !str_is(link->kind, "member")) continue;
        Thing *t = &r->things[find(r, i)];
        if (!str_is(t->kind, "drive")) continue;
        LinkIdentity id = identity_of_link(r->a, link->name);
        Str name = str_basename(link->name);
        if (!t->wwns.count) add_id(&t->wwns, id.wwn);
        if (!t->serials.count && id.serial.p && !t->model.p) {
            add_id(&t->serials, id.serial);
            t->model = id.model;
        }
        if (str_starts(name, "usb-") || str_starts(name, "ata-")) t->one_path = true;
    }
    for (size_t i = 0; i < r->count; i++) {
        Thing *t = &r->things[i];
        if (!t->used) continue;
        t->nvme = str_starts(t->name, "nvme") || str_starts(t->name, "nvd") || str_starts(t->name, "nda");
        if (t->wwns.count) t->wwn = t->wwns.items[0];
        /* Older udev gives the WWN as the short serial of SCSI drives: no second identity. */
        size_t kept = 0;
        for (size_t k = 0; k < t->serials.count; k++) {
            Str digits = identity_wwn(r->a, t->serials.items[k]);
            bool wwn = false;
            for (size_t n = 0; n < t->wwns.count; n++) wwn |= digits.p && str_eq(digits, t->wwns.items[n]);
            if (!wwn) t->serials.items[kept++] = t->serials.items[k];
        }
        /* An ATA drive has a serial number of its own, and Kingston makes the WWN of it: printed, but it decides nothing. */
        if (kept || (t->one_path && t->serials.count)) t->serial = t->serials.items[0];
        t->serials.count = kept;
    }
}

/* One model string may be cut or prefixed by the vendor in the other: "ATA WDC WD40", "WDC WD40EFAX-68JH4N0". */
static bool models_agree(Str a, Str b) {
    if (!a.p || !b.p) return true;
    if (a.len > b.len) {
        Str t = a;
        a = b;
        b = t;
    }
    for (size_t i = 0; i + a.len <= b.len; i++)
        if (str_ieq(a, str_sub(b, i, a.len))) return true;
    return false;
}

/* The unit serial number of a SAS drive goes on where the label's ends: "ZA1A7K2P", "ZA1A7K2P0000R925ABCD". */
static bool serials_agree(Str a, Str b, bool same_wwn) {
    if (a.len == b.len || !same_wwn) return str_eq(a, b);
    size_t n = a.len < b.len ? a.len : b.len;
    return n >= 6 && memcmp(a.p, b.p, n) == 0;
}

/* How sure it is that t is the drive id. */
typedef enum Match {
    MATCH_NONE,
    MATCH_WEAK, /* only a serial that may be a USB bridge's agrees */
    MATCH_SURE
} Match;

static Match same_drive(const Identity *id, const Thing *t) {
    bool by_wwn = id->wwns.count && t->wwns.count, by_serial = id->serials.count && t->serials.count;
    bool wwn = false, first = false, serial = false;
    for (size_t i = 0; i < id->wwns.count; i++)
        for (size_t k = 0; k < t->wwns.count; k++) wwn |= str_eq(id->wwns.items[i], t->wwns.items[k]);
    for (size_t i = 0; i < id->serials.count; i++)
        for (size_t k = 0; k < t->serials.count; k++) {
            bool same = serials_agree(id->serials.items[i], t->serials.items[k], wwn);
            serial |= same;
            first |= same && i == 0 && k == 0;
        }
    if (by_serial && !serial) return MATCH_NONE;
    /* The namespaces of an NVMe drive have identifiers of their own, and each has two; the drive has one serial. */
    if (by_wwn && !wwn && !(id->nvme && t->nvme && first && id->model.p && t->model.p)) return MATCH_NONE;
    if (!(by_wwn || by_serial) || !models_agree(id->model, t->model)) return MATCH_NONE;
    return wwn || first ? MATCH_SURE : MATCH_WEAK;
}

static bool in_capture(const Identity *id, int64_t capture) {
    for (size_t i = 0; i < id->captures.count; i++)
        if (id->captures.items[i] == capture) return true;
    return false;
}

static int64_t new_node(Resolver *r, Str kind, Str key, Str label) {
    sqlite3_stmt *st = prepare(r, "INSERT INTO node(kind, key, label) VALUES(?1, ?2, ?3) ON CONFLICT(key) DO UPDATE "
                                  "SET label = label RETURNING id");
    sqlite3_bind_text64(st, 1, kind.p, kind.len, SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_text64(st, 2, key.p, key.len, SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_text64(st, 3, label.p, label.len, SQLITE_STATIC, SQLITE_UTF8);
    int64_t id = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
    }
    sqlite3_finalize(st);
    return id;
}

/* A drive with a kernel name in the capture and boot of m, other than `except`; SIZE_MAX if it is none. */
static size_t named_drive(Resolver *r, size_t thing, const RefInfo *m, size_t except) {
    size_t at = find(r, thing);
    const Thing *t = &r->things[at];
    Str base;
    bool fits = at != except && t->used && t->capture == m->capture && t->boot == m->boot && str_is(t->kind, "drive") &&
                name_class(t->name, &base) == NAME_DISK;
    return fits ? at : SIZE_MAX;
}

/* What no listing ties to a kernel name is looked for among the drives that others described. */
typedef struct Search {
    Filed **wwns, **serials, **places;
    size_t hit, hits;
} Search;

static void found_drive(Resolver *r, Search *f, size_t thing, const RefInfo *m, size_t root, Str wwn, Str serial) {
    size_t drive = named_drive(r, thing, m, root);
    if (drive == SIZE_MAX || drive == f->hit) return;
    const Thing *t = &r->things[drive];
    bool same = false;
    for (size_t i = 0; i < t->wwns.count; i++) same |= wwn.p && str_eq(t->wwns.items[i], wwn);
    for (size_t i = 0; i < t->serials.count; i++) same |= serial.p && str_ieq(t->serials.items[i], serial);
    if (!same) return;
    f->hit = drive;
    f->hits++;
}

/* "pci-0000:00:1f.2-ata-3", "-ata-1.1", "-sas-phy2-lun-0", "-nvme-1": the drive that hangs there. */
static void search_place(Resolver *r, Search *f, const RefInfo *m, size_t root, Str name) {
    Str rest = str_after(name, "pci-");
    size_t dash = str_find_ch(rest, '-');
    if (!rest.p || dash == SIZE_MAX || str_has(name, "-usb") || str_has(name, "-exp")) return;
    Str bdf = str_sub(rest, 0, dash), where = str_from(rest, dash + 1);
    bool ata = str_starts(where, "ata-"), nvme = str_starts(where, "nvme-");
    size_t phy = str_find(where, "-phy");
    if (!ata && !nvme && phy == SIZE_MAX) return;
    Str port = STR_NONE, unit = STR_NONE;
    if (!nvme) {
        Str tail = str_from(where, ata ? 4 : phy + 4);
        port = str_cut(&tail, '-');
        unit = port;
        port = str_cut(&unit, '.');
    }
    size_t found[MAX_CANDIDATES], count = filed(f->places, bdf, found, 0);
    for (size_t k = 0; k < count; k++) {
        size_t drive = named_drive(r, found[k], m, root);
        if (drive == SIZE_MAX || drive == f->hit) continue;
        const Thing *t = &r->things[drive];
        if (!str_eq(t->pci, bdf) || (port.p && !str_eq(t->port, port))) continue;
        if (ata && unit.len == 1 && t->unit.len == 2 && t->unit.p[1] != unit.p[0]) continue;
        f->hit = drive;
        f->hits++;
    }
}

/*
 * Members and links that no listing ties to a kernel name: "ata-MODEL_SERIAL-part1" holds the serial, "wwn-0x..." the WWN
 * of a drive that another output described. Ambiguous matches are left alone.
 */
static void join_by_embedded_identity(Resolver *r) {
    Search f = {arena_array(r->a, Filed *, FILES), arena_array(r->a, Filed *, FILES), arena_array(r->a, Filed *, FILES),
                SIZE_MAX, 0};
    MemberRow *rows = member_rows(r);
    for (size_t i = 0; i < r->count; i++) {
        const Thing *t = &r->things[i];
        Str base;
        if (!t->used || !str_is(t->kind, "drive") || name_class(t->name, &base) != NAME_DISK) continue;
        for (size_t k = 0; k < t->wwns.count; k++) file(r, f.wwns, t->wwns.items[k], i);
        for (size_t k = 0; k < t->serials.count; k++)
            if (t->serials.items[k].len >= 4) file(r, f.serials, lowered(r->a, t->serials.items[k]), i);
        if (t->pci.p) file(r, f.places, t->pci, i);
    }
    for (size_t i = 0; i < r->count; i++) {
        RefInfo *m = &r->refs[i];
        if (!str_is(m->kind, "member") && !str_is(m->kind, "link")) continue;
        size_t root = find(r, i);
        Str base;
        if (name_class(r->things[root].name, &base) != NAME_OTHER) continue; /* a kernel name is known already */
        Str said = m->name;
        if (str_is(m->kind, "member") && rows[root].was.p && !str_has(rows[root].was, "by-path/") &&
            !disk_of_name(rows[root].was).p)
            said = rows[root].was;
        Str name = identity_text(r->a, without_part(str_basename(said)));
        if (!name.p) continue;
        LinkIdentity id = identity_of_link(r->a, said);
        f.hit = SIZE_MAX;
        f.hits = 0;
        Str wwn = id.wwn.p ? id.wwn : r->things[root].wwn;
        size_t found[MAX_CANDIDATES], count = filed(f.wwns, wwn, found, 0);
        for (size_t k = 0; k < count; k++) found_drive(r, &f, found[k], m, root, wwn, STR_NONE);
        Str low = lowered(r->a, name);
        int parts = 0;
        for (size_t at = low.len; at > 1 && parts < 8; at--) { /* a serial may hold blanks, which are '_' here */
            if (low.p[at - 1] != '_') continue;
            parts++;
            Str serial = str_from(low, at);
            count = serial.len ? filed(f.serials, serial, found, 0) : 0;
            for (size_t k = 0; k < count; k++) found_drive(r, &f, found[k], m, root, STR_NONE, serial);
        }
        if (!f.hits && id.serial.p) { /* -0:0 of USB, p1 of diskid, _1 of NVMe, hex */
            Str serial = lowered(r->a, id.serial);
            count = filed(f.serials, serial, found, 0);
            for (size_t k = 0; k < count; k++) found_drive(r, &f, found[k], m, root, STR_NONE, serial);
        }
        if (!f.hits && str_starts(name, "pci-")) search_place(r, &f, m, root, name);
        if (f.hits != 1) continue;
        size_t hit = f.hit;
        Thing keep = r->things[hit];
        Ids wwns = r->things[root].wwns;
        join(r, root, hit);
        size_t now = find(r, hit);
        Thing *t = &r->things[now];
        if (now != hit) {
            r->things[hit].used = false;
            *t = keep;
        } else {
            r->things[root].used = false;
        }
        if (!t->wwns.count && wwns.count) {
            t->wwns = wwns;
            t->wwn = wwns.items[0];
        }
    }
}

/* Identities that t may be, in the order of their making; each may stand there more than once. */
static size_t candidates(Resolver *r, const Thing *t, size_t out[MAX_CANDIDATES]) {
    size_t count = 0;
    for (size_t i = 0; i < t->wwns.count; i++) count = filed(r->by_wwn, t->wwns.items[i], out, count);
    for (size_t i = 0; i < t->serials.count; i++) count = filed(r->by_serial, t->serials.items[i], out, count);
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && out[k] < out[k - 1]; k--) {
            size_t x = out[k];
            out[k] = out[k - 1];
            out[k - 1] = x;
        }
    return count;
}

static void learn(Resolver *r, size_t at, const Thing *t) {
    Identity *id = &r->identities.items[at];
    for (size_t i = 0; i < t->wwns.count; i++) {
        size_t before = id->wwns.count;
        add_id(&id->wwns, t->wwns.items[i]);
        if (id->wwns.count > before) file(r, r->by_wwn, t->wwns.items[i], at);
    }
    for (size_t i = 0; i < t->serials.count; i++) {
        size_t before = id->serials.count;
        add_id(&id->serials, t->serials.items[i]);
        if (id->serials.count > before) file(r, r->by_serial, t->serials.items[i], at);
    }
    if (!id->model.p) id->model = t->model;
    id->nvme |= t->nvme;
    if (t->boot == 0) VEC_PUSH(r->a, &id->captures, t->capture);
}

static int64_t drive_node(Resolver *r, Thing *t) {
    if (t->wwns.count || t->serials.count) {
        size_t found[MAX_CANDIDATES], count = candidates(r, t, found), at = SIZE_MAX;
        bool taken = count == MAX_CANDIDATES; /* by another drive of this capture */
        size_t same = 0, weak = 0;
        for (size_t i = 0; i < count; i++) /* found by WWN and by serial it stands there twice, side by side */
            if (i == 0 || found[i] != found[i - 1]) {
                Match match = same_drive(&r->identities.items[found[i]], t);
                same += match != MATCH_NONE;
                weak += match == MATCH_WEAK;
            }
        for (size_t i = 0; i < count && at == SIZE_MAX; i++) {
            Identity *known = &r->identities.items[found[i]];
            Match match = same_drive(known, t);
            if (match == MATCH_NONE) continue;
            /* Docks have one serial for all their bays: it names a drive only where just one can be meant. */
            if (match == MATCH_WEAK && (weak > 1 || in_capture(known, t->capture))) {
                taken = true;
                continue;
            }
            /* Two names in one capture are one drive (two paths) only when WWN and serial both say so and the bus has paths:
               bridges and cheap drives share serials, RAID controllers and clones share WWNs. */
            bool second = in_capture(known, t->capture) && t->boot == 0 &&
                          !(known->wwns.count && t->wwns.count && known->serials.count && t->serials.count &&
                            models_agree(known->model, t->model) && !t->one_path);
            /* What claims no name is no second one: the drive speaks that has its name elsewhere, if only one can be meant. */
            if (t->nameless) second = same > 1;
            if (second) {
                taken = true;
                continue;
            }
            at = found[i];
        }
        if (at == SIZE_MAX) {
            Str key = arena_strf(r->a, "drive:%.*s+%.*s", STR_ARG(t->wwn.p ? t->wwn : STR("-")),
                                 STR_ARG(t->serial.p ? t->serial : STR("-")));
            if (taken)
                key = arena_strf(r->a, "%.*s#%.*s", STR_ARG(key),
                                 STR_ARG(t->name)); /* a duplicate identity needs a key of its own */
            Identity fresh = {.node = new_node(r, STR("drive"), key, t->name)};
            VEC_PUSH(r->a, &r->identities, fresh);
            at = r->identities.count - 1;
        }
        learn(r, at, t);
        return r->identities.items[at].node;
    }
    StrBuf key;
    sb_init(&key, r->a);
    sb_addf(&key, "drive:%.*s", STR_ARG(t->name));
    if (t->boot != 0) sb_addf(&key, "@boot%d", t->boot);
    if (r->several) sb_addf(&key, "@%lld", (long long)t->capture);
    return new_node(r, STR("drive"), sb_str(&key), t->name);
}

static void make_nodes(Resolver *r) {
    /* Drives with a full identity first, so that a name with half of one finds them; all names before the outputs that
       have none. */
    for (int pass = 0; pass < 6; pass++) {
        for (size_t i = 0; i < r->count; i++) {
            Thing *t = &r->things[i];
            if (!t->used || t->node || !str_is(t->kind, "drive") || t->nameless != (pass >= 3)) continue;
            int known = (t->wwns.count > 0) + (t->serials.count > 0);
            if (known == 2 - pass % 3) t->node = drive_node(r, t);
        }
    }
    for (size_t i = 0; i < r->count; i++) {
        Thing *t = &r->things[i];
        if (!t->used || t->node) continue;
        StrBuf key;
        sb_init(&key, r->a);
        if (str_is(t->kind, "host")) sb_addz(&key, "host");
        else sb_addf(&key, "%.*s:%.*s", STR_ARG(t->kind), STR_ARG(t->name));
        if (t->boot != 0 && !str_is(t->kind, "host")) sb_addf(&key, "@boot%d", t->boot);
        if (r->several) sb_addf(&key, "@%lld", (long long)t->capture);
        t->node = new_node(r, t->kind, sb_str(&key), t->name);
    }
}

/* What the drives of each capture were told apart by, for facts_resolve(). */
static void keep_identities(Resolver *r) {
    sqlite3_exec(r->db,
                 "CREATE TEMP TABLE known_identity(node INTEGER, capture INTEGER, wwn TEXT, serial TEXT, model TEXT)",
                 NULL, NULL, NULL);
    sqlite3_stmt *st = prepare(r, "INSERT INTO known_identity VALUES(?1, ?2, ?3, ?4, ?5)");
    for (size_t i = 0; i < r->count; i++) {
        const Thing *t = &r->things[i];
        if (!t->used || !str_is(t->kind, "drive") || t->boot != 0) continue;
        const Str texts[] = {t->wwn, t->serial, t->model};
        sqlite3_bind_int64(st, 1, t->node);
        sqlite3_bind_int64(st, 2, t->capture);
        for (int k = 0; k < 3; k++) {
            if (texts[k].p) sqlite3_bind_text64(st, 3 + k, texts[k].p, texts[k].len, SQLITE_STATIC, SQLITE_UTF8);
            else sqlite3_bind_null(st, 3 + k);
        }
        sqlite3_step(st);
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
    sqlite3_exec(r->db, "CREATE INDEX temp.known_identity_node ON known_identity(node, capture)", NULL, NULL, NULL);
}

bool identity_resolve(Facts *f, Error *err) {
    Resolver r = {.f = f, .a = facts_arena(f), .db = facts_db(f)};
    sqlite3_stmt *st = prepare(&r, "SELECT count(*) FROM capture");
    r.several = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0) > 1;
    sqlite3_finalize(st);
    r.by_wwn = arena_array(r.a, Filed *, FILES);
    r.by_serial = arena_array(r.a, Filed *, FILES);
    load_refs(&r);
    index_by_id(&r);
    join_same(&r);
    join_ata_ports(&r);
    join_nvme(&r);
    join_members(&r);
    name_things(&r);
    read_identity(&r);
    join_by_embedded_identity(&r);
    make_nodes(&r);
    keep_identities(&r);
    st = prepare(&r, "UPDATE ref SET node = ?2 WHERE id = ?1");
    for (size_t i = 0; i < r.count; i++) {
        sqlite3_bind_int64(st, 1, r.refs[i].id);
        sqlite3_bind_int64(st, 2, r.things[find(&r, i)].node);
        if (sqlite3_step(st) != SQLITE_DONE) {
            error_set(err, "identity: %s", sqlite3_errmsg(r.db));
            sqlite3_finalize(st);
            return false;
        }
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
    return true;
}
