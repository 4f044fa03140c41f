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
    static const char *const numbered[] = {"mmcblk", "nvd",  "nda",  "ada",       "da",        "nbd",
                                           "rbd",    "vtbd", "mfid", "cciss!c0d", "cciss/c0d", "mfisyspd"};
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
        if (str_starts(name, "mmcblk")) return NAME_VOLUME; /* mmcblk0boot0, mmcblk0rpmb */
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

/* ---------------------------------------------------------------- refs */

typedef struct RefInfo {
    int64_t id, capture;
    int boot;
    Str kind, name;
    size_t up; /* union-find */
} RefInfo;

typedef struct Thing { /* one union of refs */
    bool used;
    Str name; /* kernel name, or the best other */
    Str kind; /* node kind */
    int64_t capture;
    int boot;
    Str wwn, serial, model;
    bool one_path; /* on SATA or USB: a second name with the same identity is a second drive */
    bool nameless; /* an output that names no device, as a pasted smartctl: only its serial stands for it */
    int64_t node;
} Thing;

typedef struct Identity { /* a physical drive over all captures */
    Str wwn, serial, model;
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
    Thing *things; /* indexed as refs: the entry of each union's root is used */
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
    for (size_t i = 0; i < r->count; i++) r->refs[i].up = i;
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

/* Position of a ref by its id. */
static size_t *index_by_id(Resolver *r, int64_t *max_id) {
    *max_id = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->refs[i].id > *max_id) *max_id = r->refs[i].id;
    size_t *at = arena_array(r->a, size_t, (size_t)*max_id + 1);
    for (size_t i = 0; i < r->count; i++) at[r->refs[i].id] = i + 1; /* 0: no such ref */
    return at;
}

static void join_same(Resolver *r, const size_t *at, int64_t max_id) {
    sqlite3_stmt *st = prepare(r, "SELECT a, b FROM same_as ORDER BY src, line, a, b");
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t a = sqlite3_column_int64(st, 0), b = sqlite3_column_int64(st, 1);
        if (a <= 0 || b <= 0 || a > max_id || b > max_id || !at[a] || !at[b]) continue;
        join(r, at[a] - 1, at[b] - 1);
    }
    sqlite3_finalize(st);
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

/* nvme0 speaks for its namespace when it has exactly one; the same number is taken for it where no path says otherwise. */
static void join_nvme_controllers(Resolver *r) {
    Str base;
    bool *has_disk = arena_array(
        r->a, bool, r->count ? r->count : 1); /* of a root: a path may have given it another namespace already */
    for (size_t i = 0; i < r->count; i++)
        if (str_is(r->refs[i].kind, "disk") && name_class(r->refs[i].name, &base) == NAME_DISK)
            has_disk[find(r, i)] = true;
    for (size_t i = 0; i < r->count; i++) {
        RefInfo c = r->refs[i];
        if (!str_is(c.kind, "disk") || name_class(c.name, &base) != NAME_CONTROLLER || has_disk[find(r, i)]) continue;
        Str prefix = str_find(c.name, "ns") != SIZE_MAX ? str_sub(c.name, 0, str_find(c.name, "ns")) : c.name;
        prefix = arena_strf(r->a, "%.*sn", STR_ARG(prefix));
        size_t only = SIZE_MAX, different = 0;
        for (size_t k = lower_bound(r, c.capture, c.boot, c.kind, prefix); k < r->count && different < 2; k++) {
            RefInfo *d = &r->refs[k];
            if (d->capture != c.capture || d->boot != c.boot || !str_eq(d->kind, c.kind) || d->name.len <= prefix.len ||
                memcmp(d->name.p, prefix.p, prefix.len) != 0)
                break;
            if (name_class(d->name, &base) != NAME_DISK) continue;
            if (only == SIZE_MAX || !str_eq(r->refs[only].name, d->name)) different++;
            only = k;
        }
        if (different != 1) continue;
        join(r, i, only);
        has_disk[find(r, i)] = true;
    }
}

/* Name of a link without "-part3". */
static Str without_part(Str name) {
    for (size_t i = name.len; i > 6; i--) {
        if (ch_digit(name.p[i - 1])) continue;
        if (i < name.len && i >= 5 && memcmp(name.p + i - 5, "-part", 5) == 0) return str_sub(name, 0, i - 5);
        break;
    }
    return name;
}

/* Members of pools carry the name they were imported by. */
static void join_members(Resolver *r) {
    for (size_t i = 0; i < r->count; i++) {
        RefInfo *m = &r->refs[i];
        if (!str_is(m->kind, "member")) continue;
        Str name = m->name;
        bool by = str_has(name, "disk/by-");
        if (str_starts(name, "/dev/")) name = by ? str_basename(name) : str_from(name, 5);
        size_t at = lookup(r, m->capture, m->boot, "link", name);
        if (at == SIZE_MAX) at = lookup(r, m->capture, m->boot, "link", without_part(name));
        if (at == SIZE_MAX) at = lookup(r, m->capture, m->boot, "link", arena_strf(r->a, "%.*s-part1", STR_ARG(name)));
        if (at == SIZE_MAX && !by) at = lookup(r, m->capture, m->boot, "disk", name);
        if (at != SIZE_MAX) join(r, i, at);
    }
}

/* ---------------------------------------------------------------- things */

/* Better names come first: what the kernel calls a disk, then ZFS's name, then bus addresses. */
static int name_rank(Str kind) {
    static const char *const order[] = {"host", "pool",     "array", "filesystem", "dataset", "disk",
                                        "vdev", "process",  "pci",   "member",     "link",    "scsi",
                                        "ata",  "scsihost", "usb",   "serial"};
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
    if (str_is(best->kind, "scsi") || str_is(best->kind, "serial")) return STR("drive");
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
        t->nameless = str_is(b->kind, "serial");
    }
}

/* Identity attributes of the things: the drive's own word first, then the kernel's. */
static void read_identity(Resolver *r, const size_t *at, int64_t max_id) {
    sqlite3_stmt *st = prepare(
        r, "SELECT node, key, value FROM setting WHERE key IN ('serial','wwn','eui','nguid','model','transport')"
           " ORDER BY CASE view WHEN 'drive' THEN 0 WHEN 'kernel' THEN 1 ELSE 2 END,"
           " CASE key WHEN 'wwn' THEN 0 WHEN 'nguid' THEN 1 ELSE 2 END, src, line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        int64_t ref = sqlite3_column_int64(st, 0);
        if (ref <= 0 || ref > max_id || !at[ref]) continue;
        Thing *t = &r->things[find(r, at[ref] - 1)];
        Str key = column(r, st, 1), value = column(r, st, 2);
        if (str_is(key, "serial")) {
            if (!t->serial.p) t->serial = identity_text(r->a, value);
        } else if (str_is(key, "model")) {
            if (!t->model.p) t->model = identity_text(r->a, value);
        } else if (str_is(key, "transport")) {
            if (str_ieq(value, STR("usb")) || str_ieq(value, STR("sata")) || str_ieq(value, STR("ata")))
                t->one_path = true;
        } else if (!t->wwn.p) {
            t->wwn = identity_wwn(r->a, value);
        }
    }
    sqlite3_finalize(st);
    /* Links carry identities too: wwn-0x..., nvme-eui.... */
    for (size_t i = 0; i < r->count; i++) {
        if (!str_is(r->refs[i].kind, "link") && !str_is(r->refs[i].kind, "member")) continue;
        Thing *t = &r->things[find(r, i)];
        Str name = without_part(str_basename(r->refs[i].name));
        if (!t->wwn.p && (str_starts(name, "wwn-0x") || str_starts(name, "nvme-eui.")))
            t->wwn = identity_wwn(r->a, name);
        if (str_starts(name, "usb-") || str_starts(name, "ata-")) t->one_path = true;
    }
    /* Older udev gives the WWN as the short serial of SCSI drives: no second identity. */
    for (size_t i = 0; i < r->count; i++) {
        Thing *t = &r->things[i];
        if (t->used && t->serial.p && t->wwn.p && str_eq(identity_wwn(r->a, t->serial), t->wwn)) t->serial = STR_NONE;
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

static bool same_drive(const Identity *id, const Thing *t) {
    bool by_wwn = id->wwn.p && t->wwn.p, by_serial = id->serial.p && t->serial.p;
    if (by_wwn && !str_eq(id->wwn, t->wwn)) return false;
    if (by_serial && !serials_agree(id->serial, t->serial, by_wwn)) return false;
    return (by_wwn || by_serial) && models_agree(id->model, t->model);
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

/* A drive with a kernel name in the capture and boot of m, other than `not`; SIZE_MAX if it is none. */
static size_t named_drive(Resolver *r, size_t thing, const RefInfo *m, size_t not ) {
    size_t at = find(r, thing);
    const Thing *t = &r->things[at];
    Str base;
    bool fits = at != not &&t->used && t->capture == m->capture && t->boot == m->boot && str_is(t->kind, "drive") &&
                name_class(t->name, &base) == NAME_DISK;
    return fits ? at : SIZE_MAX;
}

/*
 * Members and links that no listing ties to a kernel name: "ata-MODEL_SERIAL-part1" holds the serial, "wwn-0x..." the WWN
 * of a drive that another output described. Ambiguous matches are left alone.
 */
static void join_by_embedded_identity(Resolver *r) {
    Filed **wwns = arena_array(r->a, Filed *, FILES), **serials = arena_array(r->a, Filed *, FILES);
    for (size_t i = 0; i < r->count; i++) {
        const Thing *t = &r->things[i];
        Str base;
        if (!t->used || !str_is(t->kind, "drive") || name_class(t->name, &base) != NAME_DISK) continue;
        if (t->wwn.p) file(r, wwns, t->wwn, i);
        if (t->serial.p && t->serial.len >= 4) file(r, serials, lowered(r->a, t->serial), i);
    }
    for (size_t i = 0; i < r->count; i++) {
        RefInfo *m = &r->refs[i];
        if (!str_is(m->kind, "member") && !str_is(m->kind, "link")) continue;
        size_t root = find(r, i);
        if (str_is(r->things[root].kind, "drive") && !str_is(m->kind, "member") &&
            !str_eq(r->things[root].name, m->name))
            continue;
        Str base;
        if (name_class(r->things[root].name, &base) != NAME_OTHER) continue; /* a kernel name is known already */
        Str name = identity_text(r->a, without_part(str_basename(m->name)));
        if (!name.p) continue;
        size_t hit = SIZE_MAX, hits = 0, found[MAX_CANDIDATES], count = filed(wwns, r->things[root].wwn, found, 0);
        for (size_t k = 0; k < count; k++) {
            size_t drive = named_drive(r, found[k], m, root);
            if (drive == SIZE_MAX || drive == hit || !str_eq(r->things[drive].wwn, r->things[root].wwn)) continue;
            hit = drive;
            hits++;
        }
        Str low = lowered(r->a, name);
        int parts = 0;
        for (size_t at = low.len; at > 1 && parts < 8; at--) { /* a serial may hold blanks, which are '_' here */
            if (low.p[at - 1] != '_') continue;
            parts++;
            Str serial = str_from(low, at);
            count = serial.len ? filed(serials, serial, found, 0) : 0;
            for (size_t k = 0; k < count; k++) {
                size_t drive = named_drive(r, found[k], m, root);
                if (drive == SIZE_MAX || drive == hit || !str_ieq(r->things[drive].serial, serial)) continue;
                hit = drive;
                hits++;
            }
        }
        if (hits != 1) continue;
        Thing keep = r->things[hit];
        join(r, root, hit);
        size_t now = find(r, hit);
        Thing *t = &r->things[now];
        Str wwn = r->things[root].wwn;
        if (now != hit) {
            r->things[hit].used = false;
            *t = keep;
        } else {
            r->things[root].used = false;
        }
        if (!t->wwn.p) t->wwn = wwn;
    }
}

/* Identities that t may be, in the order of their making. */
static size_t candidates(Resolver *r, const Thing *t, size_t out[MAX_CANDIDATES]) {
    size_t count = filed(r->by_serial, t->serial, out, filed(r->by_wwn, t->wwn, out, 0));
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && out[k] < out[k - 1]; k--) {
            size_t x = out[k];
            out[k] = out[k - 1];
            out[k - 1] = x;
        }
    return count;
}

static int64_t drive_node(Resolver *r, Thing *t) {
    if (t->wwn.p || t->serial.p) {
        size_t found[MAX_CANDIDATES], count = candidates(r, t, found), at = SIZE_MAX;
        bool taken = count == MAX_CANDIDATES; /* by another drive of this capture */
        size_t same = 0;
        for (size_t i = 0; i < count; i++) /* found by WWN and by serial it stands there twice, side by side */
            if (i == 0 || found[i] != found[i - 1]) same += same_drive(&r->identities.items[found[i]], t);
        for (size_t i = 0; i < count && at == SIZE_MAX; i++) {
            Identity *known = &r->identities.items[found[i]];
            if (!same_drive(known, t)) continue;
            /* Two names in one capture are one drive (two paths) only when WWN and serial both say so and the bus has paths:
               bridges and cheap drives share serials, RAID controllers and clones share WWNs. */
            bool second = in_capture(known, t->capture) && t->boot == 0 &&
                          !(known->wwn.p && t->wwn.p && known->serial.p && t->serial.p &&
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
        Identity *id = &r->identities.items[at];
        if (!id->wwn.p && t->wwn.p) {
            id->wwn = t->wwn;
            file(r, r->by_wwn, id->wwn, at);
        }
        if (!id->serial.p && t->serial.p) {
            id->serial = t->serial;
            file(r, r->by_serial, id->serial, at);
        }
        if (!id->model.p) id->model = t->model;
        if (t->boot == 0) VEC_PUSH(r->a, &id->captures, t->capture);
        return id->node;
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
            int known = (t->wwn.p != NULL) + (t->serial.p != NULL);
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

bool identity_resolve(Facts *f, Error *err) {
    Resolver r = {.f = f, .a = facts_arena(f), .db = facts_db(f)};
    sqlite3_stmt *st = prepare(&r, "SELECT count(*) FROM capture");
    r.several = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0) > 1;
    sqlite3_finalize(st);
    r.by_wwn = arena_array(r.a, Filed *, FILES);
    r.by_serial = arena_array(r.a, Filed *, FILES);
    load_refs(&r);
    int64_t max_id;
    size_t *at = index_by_id(&r, &max_id);
    join_same(&r, at, max_id);
    join_ata_ports(&r);
    join_nvme_controllers(&r);
    join_members(&r);
    name_things(&r);
    read_identity(&r, at, max_id);
    join_by_embedded_identity(&r);
    make_nodes(&r);
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
