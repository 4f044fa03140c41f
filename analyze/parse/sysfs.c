/*
 * sysfs.c - what the kernel says of disks, ports and controllers under /sys
 *
 * Reads   one file per value (the member's path is the attribute), "path<TAB>value" and "path:value" listings (grep .), "==> path <=="
 *         (tail), "path -> target", ls -l /sys/block, cat /sys/... with its command line
 * Gives   setting (view kernel) of disks, ata ports, SCSI addresses, hosts, the machine (clocksource, frequency of its CPUs); places from device paths; pci_device; counter (kind
 *         sysfs, phy, edac); edges of partitions, dm and md; raid_array and md_* settings
 * Sample  kernel 6.12, collector listing
 *   | /sys/block/sda	/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda
 *   | /sys/block/sda/size	3907029168
 *   | /sys/block/sda/queue/write_cache	write through
 *   | /sys/class/ata_link/link3/sata_spd	6.0 Gbps
 * Varies  the path can run through /sys/block, /sys/class or /sys/devices; a ':' separates path and value and also stands inside
 *         directory names (2:0:0:0, 0000:00:17.0); sizes are in 512-byte sectors whatever the drive's sector is
 * Source  Documentation/ABI/stable/sysfs-block, Documentation/ABI/testing/sysfs-ata, drivers/scsi/scsi_sysfs.c of Linux
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

/* ---------------------------------------------------------------- lines of a listing */

static bool sys_path(Str s) {
    if (!str_starts(s, "/sys/") && !str_starts(s, "sys/")) return false;
    return !str_has(str_sub(s, 0, 16), "sys/fs/cgroup"); /* control groups: cgroup.c */
}

static bool dmi_path(Str s) {
    return str_has(s, "/dmi/id/");
}

/* May text behind a ':' belong to a directory name? Hex digits and dots do: "00:17.0", "0:0:0". */
static bool address_part(Str s) {
    if (!s.len) return false;
    for (size_t i = 0; i < s.len; i++)
        if (!ch_hex(s.p[i]) && s.p[i] != '.') return false;
    return true;
}

/* Splits "path:value". A ':' whose component goes on with address digits up to a '/' is part of the path. */
static bool split_colon(Str line, Str *path, Str *value) {
    size_t i = 0;
    while (i < line.len) {
        if (line.p[i] == ' ' || line.p[i] == '\t') return false; /* no blanks in these paths */
        if (line.p[i] != ':') {
            i++;
            continue;
        }
        size_t j = i + 1;
        bool inside = true;
        while (inside) {
            size_t k = j;
            while (k < line.len && line.p[k] != ':' && line.p[k] != '/') k++;
            if (k == line.len || !address_part(str_sub(line, j, k - j))) inside = false;
            else if (line.p[k] == '/') break;
            j = k + 1;
        }
        if (!inside) {
            *path = str_sub(line, 0, i);
            *value = str_from(line, i + 1);
            return true;
        }
        while (i < line.len && line.p[i] != '/') i++;
    }
    return false;
}

typedef enum LineKind { LINE_NONE, LINE_VALUE, LINE_LINK, LINE_PATH } LineKind;

static LineKind split_line(Arena *arena, Str line, Str *path, Str *value) {
    line = str_trim_right(line);
    size_t arrow = str_find(line, " -> ");
    if (arrow != SIZE_MAX) {
        Str left = str_trim(str_sub(line, 0, arrow));
        *value = str_trim(str_from(line, arrow + 4));
        size_t blank = str_rfind_ch(left, ' ');
        Str name = blank == SIZE_MAX ? left : str_from(left, blank + 1);
        if (sys_path(name)) *path = name;
        else if (arena && str_has(*value, "/devices/"))
            *path = arena_strf(arena, "/sys/block/%.*s", STR_ARG(name)); /* ls -l /sys/block */
        else if (!arena && str_has(*value, "/devices/")) *path = name;
        else return LINE_NONE;
        return LINE_LINK;
    }
    if (!sys_path(line)) return LINE_NONE;
    size_t tab = str_find_ch(line, '\t');
    if (tab != SIZE_MAX) {
        *path = str_sub(line, 0, tab);
        *value = str_from(line, tab + 1);
        return LINE_VALUE;
    }
    if (split_colon(line, path, value)) return LINE_VALUE;
    if (str_find_ch(line, ' ') != SIZE_MAX) return LINE_NONE;
    *path = line;
    *value = STR_NONE;
    return LINE_PATH;
}

static Str tail_heading(Str line) {
    Str rest = str_after(line, "==> ");
    if (!rest.p || !str_ends(str_trim_right(rest), " <==")) return STR_NONE;
    rest = str_trim_right(rest);
    rest = str_sub(rest, 0, rest.len - 4);
    return sys_path(rest) ? rest : STR_NONE;
}

/* The part of a member path that is below the root of the host: "host/sos/sys/block/sda/size" gives "/sys/block/sda/size". */
static Str attribute_path(Str member) {
    static const char *const tops[] = {"sys/block/",  "sys/class/", "sys/bus/", "sys/devices/",
                                       "sys/module/", "sys/dev/",   NULL};
    size_t best = SIZE_MAX;
    for (size_t i = 0; tops[i]; i++) {
        size_t at = str_find(member, tops[i]);
        if (at != SIZE_MAX && (at == 0 || member.p[at - 1] == '/') && at < best) best = at;
    }
    return best == SIZE_MAX ? STR_NONE : str_from(member, best);
}

static bool cat_of_sys(Str command) {
    return (command_is(command, "cat") || command_is(command, "head") || command_is(command, "more")) &&
           str_has(command, "/sys/") && !dmi_path(command);
}

static int sysfs_bid(Str path, Str command, Str head) {
    if (!str_trim(head).len) return 0;
    int lines = 0, mine = 0, dmi = 0;
    Str rest = head;
    for (int n = 0; rest.len && n < 12; n++) {
        Str line = head_line(&rest), p, v;
        if (!str_trim(line).len || str_starts(line, "total ")) continue;
        lines++;
        LineKind kind = split_line(NULL, line, &p, &v);
        if (kind != LINE_NONE || tail_heading(line).len) mine++;
        if (dmi_path(line)) dmi++;
    }
    if (dmi * 2 > lines) return 0;
    if (mine && mine * 2 >= lines) return 24 + (mine > 3 ? 8 : 0);
    if (cat_of_sys(command)) return 16;
    Str attribute = attribute_path(path);
    if (attribute.len && !dmi_path(attribute) && !str_ends(attribute, "/") && head.len < 16000) return 8;
    return 0;
}

static bool sysfs_starts(Str line) {
    Str p, v;
    if (dmi_path(line)) return false;
    LineKind kind = split_line(NULL, line, &p, &v);
    return kind == LINE_VALUE || kind == LINE_LINK || tail_heading(line).len > 0;
}

static bool sysfs_continues(Str line) {
    Str p, v;
    return !dmi_path(line) && (split_line(NULL, line, &p, &v) != LINE_NONE || tail_heading(line).len > 0);
}

/* ---------------------------------------------------------------- facts */

typedef struct PciDevice {
    Str bdf, upstream, class_code, prog_if, vendor, device, subsystem_vendor, subsystem_device, driver;
    double cap_gtps, sta_gtps;
    int64_t cap_width, sta_width;
    Spot at, link_at[4]; /* of what can be and what is, the speed before the width */
} PciDevice;
enum { CAP_SPEED, CAP_WIDTH, STA_SPEED, STA_WIDTH };

typedef struct NvmeLink {
    Str name, bdf;
    double cap_gtps, sta_gtps, cap_width, sta_width;
    Spot at, link_at[4];
} NvmeLink;

/* A USB device by its path, and the disks behind it: a card reader has several. */
typedef struct UsbDevice {
    Str path, driver, vendor, product, version, power;
    double gbps;
    Spot driver_at, id_at, version_at, power_at, gbps_at;
} UsbDevice;
typedef struct UsbDisk {
    Str path;
    Ref disk;
} UsbDisk;

/* An end device of the SAS transport, and the disk behind it; what its own folder says may come before or after the disk. */
typedef struct EndDevice {
    Str name, phy, bay, enclosure;
    Ref disk;
    Spot phy_at, bay_at, enclosure_at;
} EndDevice;

/* A slot of an enclosure with what sits in it. */
typedef struct Bay {
    Str enclosure;
    Ref drive;
    Spot at;
} Bay;
typedef struct EnclosureId {
    Str name, id;
} EnclosureId;

/* An array of Linux software RAID: its attributes come one by one. */
typedef struct MdArray {
    Str name, level, state, action;
    double raid_disks, degraded, sync_pct;
    bool external;
    Spot at, action_at;
} MdArray;

enum { MAX_CPU_VALUES = 4096 }; /* each new one is compared with those before */

typedef struct Sysfs {
    ParseCtx *ctx;
    VEC(MdArray) arrays;
    VEC(EndDevice) ends;
    VEC(Bay) bays;
    VEC(EnclosureId) enclosures;
    VEC(UsbDevice) usb;
    VEC(UsbDisk) usb_disks;
    VEC(NvmeLink) nvme;
    VEC(PciDevice) pci;
    Str placed;            /* device whose path was taken last, so that each line of it need not do it again */
    Str id_path, id_words; /* IDENTIFY words of an ata_device, which grep prints on several lines */
    Spot id_at;
    VEC(Str) cpu_seen; /* what was said of one CPU already: the others mostly say the same */
    Str empty;         /* ata_device on a port without a drive: "class" comes before what else stands there */
} Sysfs;

static Spot keep(Sysfs *s, Spot at) {
    at.text = arena_str(s->ctx->scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    at.path = at.path.len ? arena_str(s->ctx->scratch, at.path) : at.path;
    return at;
}

static void set(Sysfs *s, Ref node, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (value.len) ctx_setting(s->ctx, node, key, value, "kernel", at);
}

/* A whole number; anything else is a note. */
static bool number(Sysfs *s, Str path, Str value, double *out, Spot at) {
    uint64_t hex;
    value = str_trim(value);
    if (str_starts(value, "0x") && str_hex_u64(value, &hex)) {
        *out = (double)hex;
        return true;
    }
    if (str_double(value, out)) return true;
    if (value.len)
        parse_note(s->ctx, at, "%.*s: expected a number, found \"%.*s\"", STR_ARG(path),
                   STR_ARG(str_sub(value, 0, 60)));
    return false;
}

static bool hctl(Str s) {
    int colons = 0;
    if (!s.len || !ch_digit(s.p[0]) || !ch_digit(s.p[s.len - 1])) return false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == ':') colons++;
        else if (!ch_digit(s.p[i])) return false;
    }
    return colons == 3;
}

/* "2-5", "1-1.3": bus, then ports */
static bool usb_path(Str s) {
    size_t dash = str_find_ch(s, '-');
    if (dash == SIZE_MAX || dash == 0 || dash + 1 == s.len) return false;
    for (size_t i = 0; i < s.len; i++)
        if (i != dash && !ch_digit(s.p[i]) && !(i > dash && s.p[i] == '.')) return false;
    return true;
}

static bool numbered(Str s, const char *word) {
    Str rest = str_after(s, word);
    uint64_t n;
    return rest.p && str_u64(rest, &n);
}

static PciDevice *pci_get(Sysfs *s, Str bdf, Spot at) {
    for (size_t i = s->pci.count; i-- > 0;)
        if (str_eq(s->pci.items[i].bdf, bdf)) return &s->pci.items[i];
    PciDevice d = {.bdf = arena_str(s->ctx->scratch, bdf),
                   .cap_gtps = NAN,
                   .sta_gtps = NAN,
                   .cap_width = FACT_NULL,
                   .sta_width = FACT_NULL,
                   .at = keep(s, at)};
    VEC_PUSH(s->ctx->scratch, &s->pci, d);
    return &s->pci.items[s->pci.count - 1];
}

/* Remembers on which PCI function an NVMe controller is: its link attributes are shown below its own name. */
static NvmeLink *nvme_link(Sysfs *s, Str name) {
    for (size_t i = 0; i < s->nvme.count; i++)
        if (str_eq(s->nvme.items[i].name, name)) return &s->nvme.items[i];
    NvmeLink l = {
        .name = arena_str(s->ctx->scratch, name), .cap_gtps = NAN, .sta_gtps = NAN, .cap_width = NAN, .sta_width = NAN};
    VEC_PUSH(s->ctx->scratch, &s->nvme, l);
    return &s->nvme.items[s->nvme.count - 1];
}

static void nvme_at(Sysfs *s, Str name, Str bdf) {
    NvmeLink *l = nvme_link(s, name);
    if (!l->bdf.len) l->bdf = arena_str(s->ctx->scratch, bdf);
}

static UsbDevice *usb_get(Sysfs *s, Str path) {
    for (size_t i = 0; i < s->usb.count; i++)
        if (str_eq(s->usb.items[i].path, path)) return &s->usb.items[i];
    UsbDevice u = {.path = arena_str(s->ctx->scratch, path), .gbps = NAN};
    VEC_PUSH(s->ctx->scratch, &s->usb, u);
    return &s->usb.items[s->usb.count - 1];
}

static void usb_driver_of(Sysfs *s, Str path, Str driver, Spot at) {
    UsbDevice *u = usb_get(s, path);
    u->driver = arena_str(s->ctx->scratch, driver);
    u->driver_at = keep(s, at);
}

static EndDevice *end_get(Sysfs *s, Str name) {
    for (size_t i = 0; i < s->ends.count; i++)
        if (str_eq(s->ends.items[i].name, name)) return &s->ends.items[i];
    EndDevice e = {.name = arena_str(s->ctx->scratch, name)};
    VEC_PUSH(s->ctx->scratch, &s->ends, e);
    return &s->ends.items[s->ends.count - 1];
}

static void sas_facts(Sysfs *s) {
    for (size_t i = 0; i < s->ends.count; i++) {
        const EndDevice *e = &s->ends.items[i];
        if (!e->disk) continue;
        if (e->phy.len) set(s, e->disk, "phy", e->phy, e->phy_at);
        if (e->bay.len) set(s, e->disk, "slot", e->bay, e->bay_at);
        if (e->enclosure.len) set(s, e->disk, "enclosure", e->enclosure, e->enclosure_at);
    }
    for (size_t i = 0; i < s->bays.count; i++) {
        const Bay *b = &s->bays.items[i];
        Str id = b->enclosure;
        for (size_t k = 0; k < s->enclosures.count; k++)
            if (str_eq(s->enclosures.items[k].name, b->enclosure)) id = s->enclosures.items[k].id;
        set(s, b->drive, "enclosure", id, b->at);
    }
}

/* What is known of a bridge is said of each disk behind it. */
static void usb_facts(Sysfs *s) {
    for (size_t i = 0; i < s->usb.count; i++) {
        const UsbDevice *u = &s->usb.items[i];
        Str id = u->vendor.len && u->product.len
                     ? arena_strf(s->ctx->scratch, "%.*s:%.*s", STR_ARG(u->vendor), STR_ARG(u->product))
                     : STR_NONE;
        bool any = false;
        for (size_t k = 0; k < s->usb_disks.count; k++) {
            if (!str_eq(s->usb_disks.items[k].path, u->path)) continue;
            any = true;
            if (u->driver.len) set(s, s->usb_disks.items[k].disk, "usb_driver", u->driver, u->driver_at);
            if (id.len) set(s, s->usb_disks.items[k].disk, "usb_id", id, u->id_at);
            if (u->version.len) set(s, s->usb_disks.items[k].disk, "usb_version", u->version, u->version_at);
            if (u->power.len) set(s, s->usb_disks.items[k].disk, "usb_power_ma", u->power, u->power_at);
            if (isfinite(u->gbps))
                ctx_setting_real(s->ctx, s->usb_disks.items[k].disk, "link_gbps", u->gbps, "kernel", u->gbps_at);
        }
        if (any || !u->driver.len) continue;
        Ref node = ctx_ref(s->ctx, REF_USB, u->path);
        if (u->version.len) set(s, node, "usb_version", u->version, u->version_at);
        set(s, node, "usb_driver", u->driver, u->driver_at);
        if (id.len) set(s, node, "usb_id", id, u->id_at);
    }
}

/* "../devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda": where a disk hangs. name: the disk. */
static void upstream_chain(Sysfs *s, Str path, Spot at) {
    Str above = STR_NONE;
    while (path.len) {
        Str part = str_cut(&path, '/');
        if (!scan_pci_address(part)) continue;
        PciDevice *d = pci_get(s, part, at);
        if (above.len && !d->upstream.len) d->upstream = arena_str(s->ctx->scratch, above);
        above = part;
    }
}

static void device_path(Sysfs *s, Str name, Str path, Spot at) {
    ParseCtx *ctx = s->ctx;
    if (str_eq(s->placed, name)) return;
    s->placed = arena_str(ctx->scratch, name);
    Ref disk = ctx_ref(ctx, REF_DISK, name);
    Str bdf = STR_NONE, ata = STR_NONE, host = STR_NONE, address = STR_NONE, usb = STR_NONE, controller = STR_NONE;
    Str expander = STR_NONE, end = STR_NONE;
    bool virtio = false, mmc = false, sas = false, virtual = str_has(path, "/virtual/block/");
    Str rest = path;
    while (rest.len) {
        Str part = str_cut(&rest, '/');
        if (scan_pci_address(part)) {
            bdf = part;
        } else if (numbered(part, "ata")) ata = part;
        else if (numbered(part, "host")) host = part;
        else if (hctl(part)) address = part;
        else if (usb_path(part)) usb = part;
        else if (numbered(part, "virtio")) virtio = true;
        else if (numbered(part, "mmc")) mmc = true;
        else if (str_starts(part, "end_device-")) sas = true, end = part;
        else if (str_starts(part, "expander-")) expander = part;
        else if (numbered(part, "nvme")) controller = part;
    }
    if (str_starts(name, "nvme")) set(s, disk, "transport", STR("nvme"), at);
    if (controller.len && str_starts(name, "nvme") && !str_eq(controller, name))
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, controller), disk, "sysfs", at);
    if (virtual && !str_starts(name, "nvme")) return;
    if (bdf.len) {
        set(s, disk, "pci", bdf, at);
        facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_PCI, bdf), disk, at);
        upstream_chain(s, path, at);
        if (controller.len) nvme_at(s, controller, bdf);
    }
    if (address.len) {
        set(s, disk, "hctl", address, at);
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI, address), disk, "sysfs", at);
    }
    if (ata.len) {
        set(s, disk, "ata_port", ata, at);
        uint64_t channel = 0, target = 0;
        Str h = address;
        str_cut(&h, ':');
        /* libata: the SCSI channel is the link of a port multiplier, the target master or slave */
        if (address.len && str_u64(str_cut(&h, ':'), &channel) && str_u64(str_cut(&h, ':'), &target) && channel < 32 &&
            target < 32) {
            Str dev = arena_strf(ctx->scratch, "%02llu", (unsigned long long)(channel ? channel : target));
            set(s, disk, "ata_dev", dev, at);
            facts_same(ctx->facts, ctx->src,
                       ctx_ref(ctx, REF_ATA, arena_strf(ctx->scratch, "%.*s.%.*s", STR_ARG(ata), STR_ARG(dev))), disk,
                       "sysfs", at);
        }
        if (host.len)
            facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI_HOST, host), ctx_ref(ctx, REF_ATA, ata), "sysfs",
                       at);
    }
    if (usb.len) {
        set(s, disk, "transport", STR("usb"), at);
        set(s, disk, "port", usb, at);
        facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_USB, usb), disk, at);
        UsbDisk behind = {.path = arena_str(ctx->scratch, usb), .disk = disk};
        VEC_PUSH(ctx->scratch, &s->usb_disks, behind);
    } else if (virtio) {
        set(s, disk, "transport", STR("virtio"), at);
    } else if (mmc) {
        set(s, disk, "transport", STR("mmc"), at);
    } else if (sas) {
        set(s, disk, "transport", STR("sas"), at);
        if (expander.len) set(s, disk, "expander", expander, at);
        end_get(s, end)->disk = disk;
    }
}

/* ---------------------------------------------------------------- attributes */

static const struct {
    const char *attribute, *key;
    char kind; /* n number, t text, w write cache, s scheduler, c counter in hex or decimal */
} attributes[] = {
    {"queue/write_cache", "write_cache", 'w'},
    {"queue/fua", "fua", 'n'},
    {"queue/rotational", "rotational", 'n'},
    {"queue/nr_requests", "nr_requests", 'n'},
    {"queue/scheduler", "scheduler", 's'},
    {"queue/discard_granularity", "discard_granularity_bytes", 'n'},
    {"queue/discard_max_bytes", "discard_max_bytes", 'n'},
    {"queue/logical_block_size", "logical_block_bytes", 'n'},
    {"queue/physical_block_size", "physical_block_bytes", 'n'},
    {"queue/max_sectors_kb", "max_sectors_kb", 'n'},
    {"queue/read_ahead_kb", "read_ahead_kb", 'n'},
    {"queue/wbt_lat_usec", "wbt_lat_usec", 'n'},
    {"queue/iostats", "iostats", 'n'},
    {"queue/nomerges", "nomerges", 'n'},
    {"queue/zoned", "zoned", 't'},
    {"removable", "removable", 'n'},
    {"serial", "serial", 't'},
    {"device/model", "model", 't'},
    {"device/rev", "firmware", 't'},
    {"device/firmware_rev", "firmware", 't'},
    {"device/fwrev", "firmware", 't'},
    {"device/vendor", "vendor", 'v'},
    {"device/serial", "serial", 't'},
    {"device/state", "device_state", 't'},
    {"device/queue_depth", "queue_depth", 'n'},
    {"device/timeout", "io_timeout_s", 'n'},
    {"device/numa_node", "numa_node", 'n'},
    {"device/cache_type", "write_cache", 'w'},
    {"device/power/runtime_status", "runtime_status", 't'},
    {"device/ioerr_cnt", "ioerr_cnt", 'c'},
    {"device/iotmo_cnt", "iotmo_cnt", 'c'},
    {"device/iorequest_cnt", "iorequest_cnt", 'c'},
    {"device/iodone_cnt", "iodone_cnt", 'c'},
    {"device/wwid", "wwid", 'i'},
    {"wwid", "wwid", 'i'},
    {"eui", "eui", 'i'},
    {"nguid", "nguid", 'i'},
    {"size", "size_bytes", 'z'},
};

static void identifier(Sysfs *s, Ref disk, const char *attribute, Str value, Spot at) {
    value = str_trim(value);
    Str digits = dev_wwn(s->ctx->scratch, value);
    if (!digits.len)
        return; /* "t10.ATA ...", "uuid....", "nvme.1cc1-...": texts that hold serial and model, no number */
    const char *key = "wwn";
    if (!strcmp(attribute, "eui") || !strcmp(attribute, "nguid") || str_istarts(value, "eui."))
        key = digits.len == 32 ? "nguid" : "eui";
    set(s, disk, key, digits, at);
}

static void cache_setting(Sysfs *s, Ref node, Str path, Str value, Spot at) {
    value = str_trim(value);
    if (str_starts(value, "write back")) set(s, node, "write_cache", STR("on"), at);
    else if (str_is(value, "write through") || str_is(value, "none")) set(s, node, "write_cache", STR("off"), at);
    else if (value.len)
        parse_note(s->ctx, at, "%.*s: neither write back nor write through: \"%.*s\"", STR_ARG(path),
                   STR_ARG(str_sub(value, 0, 60)));
}

/* The word in brackets is active: "none [mq-deadline]"; a lone "none" too. */
static void scheduler(Sysfs *s, Ref disk, Str value, Spot at) {
    size_t open = str_find_ch(value, '['), close = str_find_ch(value, ']');
    if (open != SIZE_MAX && close != SIZE_MAX && close > open)
        set(s, disk, "scheduler", str_sub(value, open + 1, close - open - 1), at);
    else if (str_find_ch(str_trim(value), ' ') == SIZE_MAX) set(s, disk, "scheduler", value, at);
}

/* An attribute of a block device: name "sda", attribute "queue/write_cache". */
/* ---------------------------------------------------------------- software RAID: /sys/block/md0/md (admin-guide/md.rst) */

static MdArray *md_get(Sysfs *s, Str name, Spot at) {
    for (size_t i = s->arrays.count; i-- > 0;)
        if (str_eq(s->arrays.items[i].name, name)) return &s->arrays.items[i];
    MdArray a = {.name = arena_str(s->ctx->scratch, name), .raid_disks = NAN, .degraded = NAN, .sync_pct = NAN};
    a.at = keep(s, at);
    VEC_PUSH(s->ctx->scratch, &s->arrays, a);
    return &s->arrays.items[s->arrays.count - 1];
}

/* "3392 8" in each line of dev-sdb1/bad_blocks: first sector and how many; the list may have hundreds. */
static void md_bad_blocks(Sysfs *s, Ref member, Str value, Spot at) {
    enum { MAX_RANGES = 32 };
    int n = 0;
    while (value.len) {
        Str line = str_cut(&value, '\n'), first = str_word(&line), count = str_word(&line);
        uint64_t a, b;
        if (!str_u64(first, &a) || !str_u64(count, &b)) continue;
        if (!n) set(s, member, "md_bad_blocks", STR("1"), at);
        if (n++ < MAX_RANGES)
            set(s, member, "md_bad_block_range",
                arena_strf(s->ctx->scratch, "%llu+%llu", (unsigned long long)a, (unsigned long long)b), at);
    }
}

/* dev-sdb1/state: "in_sync", "faulty,write_error", "in_sync,write_mostly", "spare" */
static void md_member(Sysfs *s, Ref array, Str device, Str attribute, Str path, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    Ref member = ctx_ref(ctx, REF_DISK, device);
    double n;
    value = str_trim(value);
    if (str_is(attribute, "state")) {
        facts_edge(ctx->facts, ctx->src, member, array, at);
        const char *state = str_has(value, "faulty")    ? str_has(value, "journal") ? "faulty journal" : "faulty"
                            : str_has(value, "journal") ? "journal"
                            : str_has(value, "replacement") && !str_has(value, "want_replacement") ? "replacement"
                            : str_has(value, "in_sync")                                            ? "in use"
                            : str_has(value, "spare")                                              ? "spare"
                                                                                                   : NULL;
        if (state) set(s, member, "md_member_state", str_of(state), at);
        if (str_has(value, "write_mostly")) set(s, member, "md_member_flags", STR("write-mostly"), at);
    } else if (str_is(attribute, "errors")) {
        if (!number(s, path, value, &n, at)) return;
        Row r = ctx_row(ctx, "counter", at);
        row_ref(&r, "node", member);
        row_text(&r, "name", STR("md_read_errors"));
        row_text(&r, "kind", STR("sysfs"));
        row_real(&r, "value", n);
        row_text(&r, "raw", value);
        row_done(&r);
    } else if (str_is(attribute, "slot")) {
        if (!str_is(value, "none")) set(s, member, "md_member_slot", value, at);
    } else if (str_is(attribute, "bad_blocks") || str_is(attribute, "unacknowledged_bad_blocks")) {
        md_bad_blocks(s, member, value, at);
    }
}

static void md_attribute(Sysfs *s, Str name, Str attribute, Str path, Str value, Spot at) {
    Ref array = ctx_ref(s->ctx, REF_DISK, name);
    double n;
    Str device = str_after(attribute, "dev-");
    if (device.p) {
        Str below = device;
        device = str_cut(&below, '/');
        if (below.len && device.len) md_member(s, array, device, below, path, value, at);
        return;
    }
    value = str_trim(value);
    if (str_is(attribute, "array_state")) {
        MdArray *a = md_get(s, name, at);
        a->state = arena_str(s->ctx->scratch, value);
        a->at = keep(s, at);
    } else if (str_is(attribute, "sync_action")) {
        MdArray *a = md_get(s, name, at);
        a->action = arena_str(s->ctx->scratch, value);
        a->action_at = keep(s, at);
    } else if (str_is(attribute, "level")) {
        md_get(s, name, at)->level = arena_str(s->ctx->scratch, value);
    } else if (str_is(attribute, "raid_disks") && dev_leading_number(value, &n)) {
        md_get(s, name, at)->raid_disks = n; /* "4 (3)" while it is reshaped: new and old */
    } else if (str_is(attribute, "degraded") && dev_leading_number(value, &n)) {
        md_get(s, name, at)->degraded = n;
    } else if (str_is(attribute, "sync_completed")) { /* "123456 / 7890123", "none", "delayed" */
        Str rest = value, done = str_word(&rest), slash = str_word(&rest), all = str_word(&rest);
        double a, b;
        if (str_is(slash, "/") && str_double(done, &a) && str_double(all, &b) && b > 0)
            md_get(s, name, at)->sync_pct = 100 * a / b;
    } else if (str_is(attribute, "metadata_version")) {
        MdArray *a = md_get(s, name, at);
        Str external = str_after(value, "external:");
        if (!external.p) {
            if (!str_is(value, "none")) set(s, array, "md_metadata", value, at);
            return;
        }
        set(s, array, "md_metadata", STR("external"), at);
        a->external = external.len && external.p[0] != '/'; /* a container; its volumes say "external:/md127/0" */
        if (a->external) set(s, array, "md_external", external, at);
    } else if (str_is(attribute, "consistency_policy")) {
        if (!str_is(value, "none") && !str_is(value, "unknown")) set(s, array, "md_consistency_policy", value, at);
    } else if (str_is(attribute, "last_sync_action")) {
        set(s, array, "md_last_sync_action", value, at);
    } else if (str_is(attribute, "mismatch_cnt")) {
        if (number(s, path, value, &n, at)) set(s, array, "md_mismatch_cnt", value, at);
    } else if (str_is(attribute, "stripe_cache_size")) {
        if (number(s, path, value, &n, at)) set(s, array, "md_stripe_cache_size", value, at);
    } else if (str_is(attribute, "chunk_size") || str_is(attribute, "bitmap/chunksize")) {
        const char *key = str_is(attribute, "chunk_size") ? "md_chunk_bytes" : "md_bitmap_chunk_bytes";
        if (number(s, path, value, &n, at) && n > 0) set(s, array, key, value, at);
    } else if (str_is(attribute, "bitmap/location")) { /* "+8": sectors behind the superblock; "none", "file" */
        set(s, array, "md_bitmap",
            str_is(value, "none")   ? STR("none")
            : str_is(value, "file") ? STR("file")
                                    : STR("internal"),
            at);
    }
}

static void md_rows(Sysfs *s) {
    ParseCtx *ctx = s->ctx;
    for (size_t i = 0; i < s->arrays.count; i++) {
        const MdArray *a = &s->arrays.items[i];
        if ((!a->state.len && !a->action.len) || str_is(a->state, "clear")) continue; /* clear: stopped, only a name */
        Ref ref = ctx_ref(ctx, REF_DISK, a->name);
        Spot at = a->state.len ? a->at : a->action_at;
        facts_same(ctx->facts, ctx->src, ref, ctx_ref(ctx, REF_ARRAY, a->name), "sysfs", at);
        bool moving = a->action.len && !str_is(a->action, "idle") && !str_is(a->action, "frozen");
        Row r = ctx_row(ctx, "raid_array", moving ? a->action_at : at);
        row_ref(&r, "node", ref);
        row_text(&r, "name", a->name);
        row_text(&r, "kind", STR("md"));
        row_text(&r, "level", a->level.len ? a->level : a->external ? STR("container") : STR_NONE);
        row_text(&r, "state",
                 str_is(a->state, "readonly")    ? STR("read-only")
                 : str_is(a->state, "read-auto") ? STR("active, auto-read-only")
                                                 : a->state);
        if (a->raid_disks > 0) {
            row_int(&r, "raid_disks", i64_of(a->raid_disks));
            if (a->degraded >= 0 && a->degraded <= a->raid_disks)
                row_int(&r, "active_disks", i64_of(a->raid_disks - a->degraded));
        }
        if (a->action.len && !str_is(a->action, "frozen"))
            row_text(&r, "sync_action", str_is(a->action, "recover") ? STR("recovery") : a->action);
        if (moving) row_real(&r, "sync_pct", a->sync_pct);
        row_done(&r);
    }
}

/* "4.0M", "512k", "0": as bcache prints sizes and counts. */
static void bcache_number(Sysfs *s, Ref node, const char *key, Str value, Spot at) {
    double n;
    if (str_scaled(str_trim(value), 1024, &n) && n >= 0 && n < 9e18)
        ctx_setting_int(s->ctx, node, key, i64_of(n), "kernel", at);
    else if (str_trim(value).len)
        parse_note(s->ctx, at, "bcache: no number in \"%.*s\"", STR_ARG(str_sub(value, 0, 60)));
}

/* /sys/block/bcache0/bcache, which is the folder of the backing device, and that of a cache device (admin-guide/bcache.rst). */
static void bcache_attribute(Sysfs *s, Ref node, Str attribute, Str value, Spot at) {
    static const struct {
        const char *attribute, *key;
    } numbers[] = {{"dirty_data", "bcache_dirty_bytes"},
                   {"sequential_cutoff", "bcache_sequential_cutoff_bytes"},
                   {"stats_total/cache_hit_ratio", "bcache_hit_pct"},
                   {"stats_total/bypassed", "bcache_bypassed_bytes"},
                   {"io_errors", "bcache_io_errors"}};
    if (str_is(attribute, "state")) set(s, node, "bcache_state", value, at);
    else if (str_is(attribute, "cache_mode")) {
        size_t open = str_find_ch(value, '['), close = str_find_ch(value, ']');
        if (open != SIZE_MAX && close != SIZE_MAX && close > open)
            set(s, node, "bcache_mode", str_sub(value, open + 1, close - open - 1), at);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (str_is(attribute, numbers[i].attribute)) bcache_number(s, node, numbers[i].key, value, at);
}

static void block_attribute(Sysfs *s, Str name, Str attribute, Str path, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    Ref disk = ctx_ref(ctx, REF_DISK, name);
    size_t slash = str_find_ch(attribute, '/');
    Str first = slash == SIZE_MAX ? attribute : str_sub(attribute, 0, slash);
    Str below = slash == SIZE_MAX ? STR_NONE : str_from(attribute, slash + 1);
    if (dev_is_name(first) && first.len > name.len &&
        memcmp(first.p, name.p, name.len) == 0) { /* a partition's folder */
        Ref part = ctx_ref(ctx, REF_DISK, first);
        if (str_is(below, "partition") || str_is(below, "size")) facts_edge(ctx->facts, ctx->src, disk, part, at);
        if (str_is(below, "size") || str_starts(below, "holders/") || str_starts(below, "bcache/"))
            block_attribute(s, first, below, path, value, at);
        uint64_t sectors; /* of 512 bytes, whatever the disk has */
        if (str_is(below, "start") && str_u64(str_trim(value), &sectors) && sectors < INT64_MAX / 512)
            ctx_setting_int(ctx, part, "start_bytes", (int64_t)(sectors * 512), "kernel", at);
        return;
    }
    if (str_is(first, "slaves") && below.len && str_find_ch(below, '/') == SIZE_MAX) {
        facts_edge(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, below), disk, at);
        return;
    }
    if (str_is(first, "holders") && below.len && str_find_ch(below, '/') == SIZE_MAX) {
        facts_edge(ctx->facts, ctx->src, disk, ctx_ref(ctx, REF_DISK, below), at);
        return;
    }
    if (str_is(first, "md") && below.len && str_starts(name, "md")) {
        md_attribute(s, name, below, path, value, at);
        return;
    }
    if (str_is(first, "bcache") && below.len) {
        bcache_attribute(s, disk, below, value, at);
        return;
    }
    if (str_is(attribute, "dm/name")) {
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, str_trim(value)), disk, "device-mapper", at);
        return;
    }
    if (str_is(attribute, "dm/uuid")) {
        if (str_starts(value, "LVM-")) set(s, disk, "device_type", STR("lvm"), at);
        else if (str_starts(value, "CRYPT-")) set(s, disk, "device_type", STR("crypt"), at);
        else if (str_starts(value, "mpath-")) set(s, disk, "device_type", STR("mpath"), at);
        return;
    }
    if (str_starts(attribute, "device/scsi_disk/") && str_ends(attribute, "/cache_type")) {
        cache_setting(s, disk, path, value, at);
        return;
    }
    if (str_is(attribute, "device/life_time")) { /* "0x02 0x0b": two areas of an eMMC, in steps of 10 % */
        Str rest = value, word;
        uint64_t step, worst = 0;
        while ((word = str_word(&rest)).len)
            if (str_hex_u64(word, &step) && step <= 11 && step > worst) worst = step;
        if (worst) ctx_setting_int(ctx, disk, "mmc_life_time", (int64_t)worst * 10, "drive", at);
        return;
    }
    if (str_is(attribute, "device/pre_eol_info")) {
        static const char *const words[] = {NULL, "normal", "warning", "urgent"};
        uint64_t step;
        if (str_hex_u64(str_trim(value), &step) && step >= 1 && step <= 3)
            set(s, disk, "mmc_pre_eol", str_of(words[step]), at);
        return;
    }
    if (str_is(attribute, "device/vpd_pg80")) { /* four bytes of header, then the serial number */
        size_t from = 0;
        while (from < value.len && !(value.p[from] > ' ' && value.p[from] < 127)) from++;
        Str serial = str_trim(str_from(value, from));
        bool printable = serial.len > 0;
        for (size_t i = 0; i < serial.len; i++)
            if (serial.p[i] < ' ' || serial.p[i] > '~') printable = false;
        if (printable) set(s, disk, "serial", serial, at);
        return;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!str_is(attribute, attributes[i].attribute)) continue;
        double n;
        switch (attributes[i].kind) {
        case 'n':
            if (number(s, path, value, &n, at) && n >= 0 && n < 9e18)
                ctx_setting_int(ctx, disk, attributes[i].key, i64_of(n), "kernel", at);
            break;
        case 't': set(s, disk, attributes[i].key, value, at); break;
        case 'v':
            if (!str_starts(str_trim(value), "0x"))
                set(s, disk, "vendor", value, at); /* NVMe: device/vendor is the PCI id */
            break;
        case 'w': cache_setting(s, disk, path, value, at); break;
        case 's': scheduler(s, disk, value, at); break;
        case 'i': identifier(s, disk, attributes[i].attribute, value, at); break;
        case 'z':
            if (number(s, path, value, &n, at) && n >= 0 && n < 1.8e16)
                ctx_setting_int(ctx, disk, "size_bytes", i64_of(n * 512), "kernel", at);
            break;
        case 'c':
            if (number(s, path, value, &n, at)) {
                Row r = ctx_row(ctx, "counter", at);
                row_ref(&r, "node", disk);
                row_text(&r, "name", str_of(attributes[i].key));
                row_text(&r, "kind", STR("sysfs"));
                row_real(&r, "value", n);
                row_text(&r, "raw", str_trim(value));
                row_done(&r);
            }
            break;
        default: break;
        }
        return;
    }
}

static void nvme_attribute(Sysfs *s, Str name, Str attribute, Str value, Spot at) {
    Ref node = ctx_ref(s->ctx, REF_DISK, name);
    static const char *const texts[][2] = {
        {"model", "model"}, {"serial", "serial"}, {"firmware_rev", "firmware"}, {"state", "device_state"}};
    for (size_t i = 0; i < 4; i++)
        if (str_is(attribute, texts[i][0])) set(s, node, texts[i][1], value, at);
    if (str_is(attribute, "transport")) set(s, node, "transport", STR("nvme"), at);
    if (str_is(attribute, "address") && scan_pci_address(str_trim(value))) {
        set(s, node, "pci", value, at);
        facts_edge(s->ctx->facts, s->ctx->src, ctx_ref(s->ctx, REF_PCI, str_trim(value)), node, at);
        pci_get(s, str_trim(value), at);
        nvme_at(s, name, str_trim(value));
    }
    double n;
    if (str_is(attribute, "numa_node") && str_double(str_trim(value), &n) && n >= 0)
        ctx_setting_int(s->ctx, node, "numa_node", i64_of(n), "kernel", at);
}

/* "RxErr 0 BadTLP 12 ... TOTAL_ERR_COR 12": the kinds that happened, and the total. */
static void aer_counters(Sysfs *s, Str bdf, Str attribute, Str value, Spot at) {
    Ref node = ctx_ref(s->ctx, REF_PCI, bdf);
    while (value.len) {
        Str name = str_word(&value), count = str_word(&value);
        uint64_t n;
        if (!name.len || !str_u64(count, &n)) {
            if (name.len) parse_note(s->ctx, at, "%.*s: expected pairs of name and number", STR_ARG(attribute));
            return;
        }
        if (!n && !str_starts(name, "TOTAL_")) continue;
        Row r = ctx_row(s->ctx, "counter", at);
        row_ref(&r, "node", node);
        row_text(&r, "name", arena_strf(s->ctx->scratch, "%.*s_%.*s", STR_ARG(attribute), STR_ARG(name)));
        row_text(&r, "kind", STR("sysfs"));
        row_real(&r, "value", (double)n);
        row_done(&r);
    }
}

static void pci_attribute(Sysfs *s, Str bdf, Str attribute, Str path, Str value, Spot at) {
    static const char *const wanted[] = {"class",
                                         "vendor",
                                         "device",
                                         "subsystem_vendor",
                                         "subsystem_device",
                                         "driver",
                                         "current_link_speed",
                                         "max_link_speed",
                                         "current_link_width",
                                         "max_link_width",
                                         NULL};
    bool known = false;
    for (size_t i = 0; wanted[i]; i++)
        if (str_is(attribute, wanted[i])) known = true;
    if (str_starts(attribute, "aer_dev_")) aer_counters(s, bdf, attribute, value, at);
    if (!known) return;
    PciDevice *d = pci_get(s, bdf, at);
    Arena *a = s->ctx->scratch;
    value = str_trim(value);
    Str hex = str_starts(value, "0x") ? str_from(value, 2) : value;
    double n;
    if (str_is(attribute, "class")) {
        if (hex.len == 6) {
            d->class_code = arena_str(a, str_sub(hex, 0, 4));
            d->prog_if = arena_str(a, str_from(hex, 4));
        } else if (value.len) {
            parse_note(s->ctx, at, "%.*s: a PCI class has six hex digits", STR_ARG(path));
        }
        d->at = keep(s, at);
    } else if (str_is(attribute, "vendor")) d->vendor = arena_str(a, hex);
    else if (str_is(attribute, "device")) d->device = arena_str(a, hex);
    else if (str_is(attribute, "subsystem_vendor")) d->subsystem_vendor = arena_str(a, hex);
    else if (str_is(attribute, "subsystem_device")) d->subsystem_device = arena_str(a, hex);
    else if (str_is(attribute, "driver")) d->driver = arena_str(a, str_basename(value));
    else if (str_is(attribute, "current_link_speed") || str_is(attribute, "max_link_speed")) {
        if (!dev_leading_number(value, &n)) return; /* "Unknown" */
        if (str_starts(attribute, "cur")) d->sta_gtps = n, d->link_at[STA_SPEED] = keep(s, at);
        else d->cap_gtps = n, d->link_at[CAP_SPEED] = keep(s, at);
    } else if (number(s, path, value, &n, at) && n > 0 && n <= 32) { /* 63 and 255: no link */
        if (str_starts(attribute, "cur")) d->sta_width = i64_of(n), d->link_at[STA_WIDTH] = keep(s, at);
        else d->cap_width = i64_of(n), d->link_at[CAP_WIDTH] = keep(s, at);
    }
}

/* "3" or "3.1" behind "dev" or "link" to the kernel log's "ata3.00", "ata3". */
static Ref ata_ref(Sysfs *s, Str digits, bool device) {
    Str rest = digits;
    Str port = str_cut(&rest, '.'), dev = str_cut(&rest, '.');
    uint64_t p, d = 0;
    if (!str_u64(port, &p) || (dev.len && !str_u64(dev, &d)) || d > 31) return 0;
    if (!device && !dev.len)
        return ctx_ref(s->ctx, REF_ATA, arena_strf(s->ctx->scratch, "ata%llu", (unsigned long long)p));
    return ctx_ref(s->ctx, REF_ATA,
                   arena_strf(s->ctx->scratch, "ata%llu.%02llu", (unsigned long long)p, (unsigned long long)d));
}

static void speed(Sysfs *s, Ref node, const char *key, Str value, Spot at) {
    double gbps;
    if (node && dev_gbps(value, &gbps)) ctx_setting_real(s->ctx, node, key, gbps, "kernel", at);
}

/* Text of IDENTIFY words: two characters a word, high byte first. */
static Str id_text(Arena *a, const uint16_t *words, size_t from, size_t count) {
    char *p = arena_alloc(a, count * 2 + 1);
    for (size_t i = 0; i < count; i++) {
        p[i * 2] = (char)(words[from + i] >> 8);
        p[i * 2 + 1] = (char)(words[from + i] & 0xff);
    }
    for (size_t i = 0; i < count * 2; i++)
        if (p[i] < ' ' || p[i] > '~') return STR_NONE;
    return str_trim((Str){p, count * 2});
}

/* The IDENTIFY data that the kernel read at boot, 256 words in hex: the drive's words, but not asked now (view kernel). ATA8-ACS,
   IDENTIFY DEVICE. */
static void identify_words(Sysfs *s) {
    if (!s->id_path.len) return;
    Str path = s->id_path, text = s->id_words;
    Spot at = s->id_at;
    s->id_path = STR_NONE;
    uint16_t words[256] = {0};
    size_t n = 0;
    while (text.len && n < 256) {
        Str w = str_word(&text);
        uint64_t v;
        if (!w.len) break;
        if (!str_hex_u64(w, &v) || v > 0xffff) {
            parse_note(s->ctx, at, "%.*s: IDENTIFY word %zu is no hex number", STR_ARG(path), n);
            return;
        }
        words[n++] = (uint16_t)v;
    }
    if (n < 90) return; /* an empty port gives zeros or nothing */
    size_t dev = str_find(path, "/dev");
    while (dev != SIZE_MAX && !(dev + 4 < path.len && ch_digit(path.p[dev + 4]))) {
        size_t next = str_find(str_from(path, dev + 1), "/dev");
        dev = next == SIZE_MAX ? SIZE_MAX : dev + 1 + next;
    }
    if (dev == SIZE_MAX) return;
    Str digits = str_from(path, dev + 4);
    size_t end = str_find_ch(digits, '/');
    Ref node = ata_ref(s, str_sub(digits, 0, end), true);
    if (!node || words[0] == 0) return;
    Str model = id_text(s->ctx->scratch, words, 27, 20);
    if (model.len) set(s, node, "model", model, at);
    Str serial = id_text(s->ctx->scratch, words, 10, 10);
    if (serial.len) set(s, node, "serial", serial, at);
    Str firmware = id_text(s->ctx->scratch, words, 23, 4);
    if (firmware.len) set(s, node, "firmware", firmware, at);
    if (words[0] & 0x8000) return; /* ATAPI */
    bool valid = (words[83] & 0xc000) == 0x4000, enabled_valid = n > 87 && (words[87] & 0xc000) == 0x4000;
    if (valid && (words[82] & 0x20) && enabled_valid)
        set(s, node, "write_cache", words[85] & 0x20 ? STR("on") : STR("off"), at);
    if (words[76] != 0 && words[76] != 0xffff) {
        set(s, node, "ncq_supported", words[76] & 0x100 ? STR("yes") : STR("no"), at);
        double most = words[76] & 8 ? 6 : words[76] & 4 ? 3 : words[76] & 2 ? 1.5 : 0;
        if (most > 0) ctx_setting_real(s->ctx, node, "link_max_gbps", most, "kernel", at);
    }
    if (n > 111 && (words[87] & 0x100)) {
        Str wwn = dev_wwn(s->ctx->scratch, arena_strf(s->ctx->scratch, "%04x%04x%04x%04x", words[108], words[109],
                                                      words[110], words[111]));
        if (wwn.len) set(s, node, "wwn", wwn, at);
    }
    if (n > 217 && words[217] == 1) ctx_setting_int(s->ctx, node, "rotation_rpm", 0, "kernel", at);
    else if (n > 217 && words[217] >= 0x0401 && words[217] < 0xffff)
        ctx_setting_int(s->ctx, node, "rotation_rpm", words[217], "kernel", at);
    if (n > 169) set(s, node, "trim_supported", words[169] & 1 ? STR("yes") : STR("no"), at);
    uint64_t sectors =
        (uint64_t)words[103] << 48 | (uint64_t)words[102] << 32 | (uint64_t)words[101] << 16 | words[100];
    if (n > 117 && (words[83] & 0x400) && sectors && sectors < (uint64_t)1 << 48) {
        uint64_t bytes = 512;
        if ((words[106] & 0xd000) == 0x5000)
            bytes = ((uint64_t)words[118] << 16 | words[117]) * 2; /* long logical sectors */
        if (bytes >= 512 && bytes <= 65536)
            ctx_setting_int(s->ctx, node, "size_bytes", (int64_t)(sectors * bytes), "kernel", at);
    }
}

/* What stands behind "/sys/class/KIND/NAME/". */
static bool class_attribute(Sysfs *s, Str path, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    /* kind and name also occur inside device paths: .../ata3/link3/ata_link/link3/sata_spd */
    static const char *const kinds[] = {"ata_link", "ata_device", "scsi_disk",  "scsi_host",
                                        "sas_phy",  "ata_port",   "sas_device", NULL};
    for (size_t i = 0; kinds[i]; i++) {
        char *needle = arena_fmt(ctx->scratch, "/%s/", kinds[i]);
        size_t from = str_find(path, needle);
        if (from == SIZE_MAX) continue;
        Str rest = str_from(path, from + strlen(needle));
        Str name = str_cut(&rest, '/'), attribute = rest;
        if (!attribute.len) return true;
        double n;
        if (i == 0) {
            Ref port = ata_ref(s, str_after(name, "link"), false);
            if (str_is(attribute, "sata_spd")) speed(s, port, "link_gbps", value, at);
            else if (str_is(attribute, "sata_spd_limit")) speed(s, port, "link_limit_gbps", value, at);
            else if (str_is(attribute, "hw_sata_spd_limit")) speed(s, port, "port_max_gbps", value, at);
        } else if (i == 1) {
            if (str_is(attribute, "class") && (str_is(str_trim(value), "none") || str_is(str_trim(value), "unknown")))
                s->empty = arena_str(ctx->scratch, name);
            if (str_eq(name, s->empty)) return true; /* libata lists every seat, taken or not */
            Ref dev = ata_ref(s, str_after(name, "dev"), true);
            if (!dev) return true;
            if (str_is(attribute, "spdn_cnt")) {
                if (number(s, path, value, &n, at)) ctx_setting_int(ctx, dev, "spdn_cnt", i64_of(n), "kernel", at);
            } else if (str_is(attribute, "trim")) {
                if (str_is(str_trim(value), "unsupported")) set(s, dev, "trim_supported", STR("no"), at);
                else if (str_has(value, "queued")) set(s, dev, "trim_supported", STR("yes"), at);
            } else if (str_is(attribute, "id")) {
                if (!str_eq(s->id_path, path)) {
                    identify_words(s);
                    s->id_path = arena_str(ctx->scratch, path);
                    s->id_words = STR_NONE;
                    s->id_at = keep(s, at);
                }
                if (s->id_words.len < 8192)
                    s->id_words = arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(s->id_words), STR_ARG(value));
            }
        } else if (i == 2) {
            if (hctl(name) && str_is(attribute, "cache_type"))
                cache_setting(s, ctx_ref(ctx, REF_SCSI, name), path, value, at);
        } else if (i == 3) {
            if (str_is(attribute, "link_power_management_policy"))
                set(s, ctx_ref(ctx, REF_SCSI_HOST, name), "lpm_policy", value, at);
        } else if (i == 5) {
            if (str_is(attribute, "port_no") && numbered(name, "ata"))
                set(s, ctx_ref(ctx, REF_ATA, name), "port", value, at);
        } else if (i == 6) {
            if (!str_starts(name, "end_device-")) return true;
            Str text = str_trim(value);
            uint64_t whole;
            bool small = str_u64(text, &whole) && whole < 65536;
            if (str_is(attribute, "phy_identifier") && small) {
                EndDevice *e = end_get(s, name);
                e->phy = arena_str(ctx->scratch, text), e->phy_at = keep(s, at);
            } else if (str_is(attribute, "bay_identifier") && small) {
                EndDevice *e = end_get(s, name);
                e->bay = arena_str(ctx->scratch, text), e->bay_at = keep(s, at);
            } else if (str_is(attribute, "enclosure_identifier") && str_hex_u64(text, &whole) && whole != 0) {
                EndDevice *e = end_get(s, name);
                e->enclosure = arena_str(ctx->scratch, text), e->enclosure_at = keep(s, at);
            }
        } else { /* phy-0:3, phy-0:0:12 behind an expander */
            Str digits = str_after(name, "phy-");
            size_t colon = str_find_ch(digits, ':'), last = str_rfind_ch(digits, ':');
            uint64_t phy;
            if (colon == SIZE_MAX || !str_u64(str_from(digits, last + 1), &phy)) return true;
            Ref host =
                ctx_ref(ctx, REF_SCSI_HOST, arena_strf(ctx->scratch, "host%.*s", STR_ARG(str_sub(digits, 0, colon))));
            bool rate = str_is(attribute, "negotiated_linkrate") || str_is(attribute, "maximum_linkrate");
            bool errors = str_ends(attribute, "_count");
            if (!rate && !errors) return true;
            if (rate ? !dev_gbps(value, &n) : !number(s, path, value, &n, at)) return true;
            Row r = ctx_row(ctx, "counter", at);
            row_ref(&r, "node", host);
            /* A phy of an expander has a number of its own: "expander-0:0/invalid_dword_count". */
            row_text(&r, "name",
                     colon == last ? attribute
                                   : arena_strf(ctx->scratch, "expander-%.*s/%.*s", STR_ARG(str_sub(digits, 0, last)),
                                                STR_ARG(attribute)));
            row_int(&r, "id", (int64_t)phy);
            row_text(&r, "kind", STR("phy"));
            row_real(&r, "value", n);
            row_text(&r, "raw", str_trim(value));
            if (rate) row_text(&r, "unit", STR("Gbit/s"));
            row_done(&r);
        }
        return true;
    }
    return false;
}

/* "mc0/ce_count", "mc0/ue_count": errors of the memory since boot. What stands below (csrow, dimm) is counted in them as well. */
static void edac_counter(Sysfs *s, Str rest, Str path, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str controller = str_cut(&rest, '/');
    double n;
    if (!str_is(rest, "ce_count") && !str_is(rest, "ue_count")) return;
    if (!number(s, path, value, &n, at)) return;
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_HOST, STR("host")));
    row_text(&r, "name", rest);
    row_text(&r, "kind", STR("edac"));
    row_real(&r, "value", n);
    row_text(&r, "raw", controller);
    row_done(&r);
}

/*
 * "cpu3/cpufreq/scaling_governor", "cpufreq/policy0/scaling_governor", "cpu3/thermal_throttle/core_throttle_count". A machine may have
 * hundreds of CPUs: each value is kept once, and of the counters those that are not 0. Source: Documentation/admin-guide/pm/cpufreq.rst,
 * drivers/thermal/intel/therm_throt.c
 */
static void cpu_attribute(Sysfs *s, Str name, Str path, Str value, Spot at) {
    static const char *const keys[][2] = {{"scaling_governor", "cpu_governor"},
                                          {"scaling_driver", "cpu_freq_driver"},
                                          {"cpuinfo_max_freq", "cpu_freq_max_khz"},
                                          {"scaling_max_freq", "cpu_freq_limit_khz"}};
    static const char *const counters[] = {"core_throttle_count", "package_throttle_count",
                                           "core_throttle_total_time_ms", "package_throttle_total_time_ms"};
    Str base = str_basename(name);
    const char *key = NULL, *counter = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(base, keys[i][0])) key = keys[i][1];
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (str_is(base, counters[i])) counter = counters[i];
    value = str_trim(value);
    if ((!key && !counter) || !value.len) return;
    double n = 0;
    if (counter && !number(s, path, value, &n, at)) return;
    Str of = counter && n > 0 ? path : value,
        said = arena_strf(s->ctx->scratch, "%.*s=%.*s", STR_ARG(base), STR_ARG(of));
    for (size_t i = 0; i < s->cpu_seen.count; i++)
        if (str_eq(s->cpu_seen.items[i], said)) return;
    if (s->cpu_seen.count == MAX_CPU_VALUES) {
        parse_note(s->ctx, at, "more than %d different values of CPUs: this one is not kept", MAX_CPU_VALUES);
        return;
    }
    VEC_PUSH(s->ctx->scratch, &s->cpu_seen, said);
    Ref host = ctx_ref(s->ctx, REF_HOST, STR("host"));
    if (key) {
        set(s, host, key, value, at);
        return;
    }
    Row r = ctx_row(s->ctx, "counter", at);
    row_ref(&r, "node", host);
    row_text(&r, "name", str_of(counter));
    row_text(&r, "kind", STR("sysfs"));
    row_real(&r, "value", n);
    row_text(&r, "raw", value);
    row_done(&r);
}

/* One attribute with its value, from whatever container. link: the value is the target of a symbolic link. */
static void attribute(Sysfs *s, Str path, Str value, bool link, Spot at) {
    ParseCtx *ctx = s->ctx;
    ctx->rows++;
    Str rest = path;
    if (str_starts(rest, "/")) rest = str_from(rest, 1);
    if (!str_starts(rest, "sys/")) return;
    rest = str_from(rest, 4);
    if (str_starts(rest, "module/")) {
        rest = str_from(rest, 7);
        Str module = str_cut(&rest, '/');
        Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
        if (str_is(module, "zfs") && str_is(rest, "version")) set(s, host, "zfs_version", value, at);
        Str parameter = str_after(rest, "parameters/");
        if ((str_is(module, "zfs") || str_is(module, "spl")) && parameter.len)
            set(s, host, "zfs_parameter",
                arena_strf(ctx->scratch, "%.*s=%.*s", STR_ARG(parameter), STR_ARG(str_trim(value))), at);
        return;
    }
    if (class_attribute(s, path, value, at)) return;
    if (str_is(rest, "devices/system/clocksource/clocksource0/current_clocksource")) {
        set(s, ctx_ref(ctx, REF_HOST, STR("host")), "clocksource", value, at);
        return;
    }
    Str cpu = str_after(rest, "devices/system/cpu/");
    if (cpu.p) {
        cpu_attribute(s, cpu, path, value, at);
        return;
    }
    Str cache = str_after(rest, "fs/bcache/");
    if (cache.p) { /* a set of caches: its name is a UUID */
        Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
        (void)str_cut(&cache, '/');
        if (str_is(cache, "congested_read_threshold_us")) bcache_number(s, host, "bcache_read_congested_us", value, at);
        else if (str_is(cache, "congested_write_threshold_us"))
            bcache_number(s, host, "bcache_write_congested_us", value, at);
        else if (str_starts(cache, "cache") && str_ends(cache, "/io_errors"))
            bcache_number(s, host, "bcache_io_errors", value, at);
        return;
    }
    Str edac = str_after(rest, "devices/system/edac/mc/");
    if (edac.p) {
        edac_counter(s, edac, path, value, at);
        return;
    }
    bool target = link || str_starts(value, "/sys/devices/") || str_starts(value, "../devices/") ||
                  str_starts(value, "../../devices/");
    Str block = str_after(rest, "block/");
    if (!block.p) block = str_after(rest, "class/block/");
    if (block.p) {
        Str name = str_cut(&block, '/');
        if (!block.len) {
            if (target && str_has(value, "devices/")) device_path(s, name, value, at);
            return;
        }
        if (str_is(block, "device") && target) return; /* relative: "../../../2:0:0:0" */
        if (str_is(block, "_list") || str_ends(block, "/_list")) return;
        block_attribute(s, name, block, path, value, at);
        return;
    }
    if (str_starts(rest, "dev/block/")) {
        if (target && str_has(value, "devices/") && dev_is_disk(str_basename(value)))
            device_path(s, str_basename(value), value, at);
        return;
    }
    Str nvme = str_after(rest, "class/nvme/");
    if (nvme.p) {
        Str name = str_cut(&nvme, '/');
        if (!nvme.len) {
            if (target && str_has(value, "devices/")) device_path(s, name, value, at);
            return;
        }
        Str pci = str_after(nvme, "device/");
        if (pci.p) { /* attributes of the PCI function; its address stands in "address" or in the link */
            double n;
            if (!dev_leading_number(value, &n)) return;
            NvmeLink *l = nvme_link(s, name);
            if (!l->at.line) l->at = keep(s, at);
            if (str_is(pci, "current_link_speed")) l->sta_gtps = n, l->link_at[STA_SPEED] = keep(s, at);
            else if (str_is(pci, "max_link_speed")) l->cap_gtps = n, l->link_at[CAP_SPEED] = keep(s, at);
            else if (str_is(pci, "current_link_width")) l->sta_width = n, l->link_at[STA_WIDTH] = keep(s, at);
            else if (str_is(pci, "max_link_width")) l->cap_width = n, l->link_at[CAP_WIDTH] = keep(s, at);
            return;
        }
        nvme_attribute(s, name, nvme, value, at);
        return;
    }
    Str pci = str_after(rest, "bus/pci/devices/");
    if (pci.p) {
        Str bdf = str_cut(&pci, '/');
        if (!scan_pci_address(bdf)) return;
        if (pci.len) pci_attribute(s, bdf, pci, path, value, at);
        else if (target) upstream_chain(s, value, at);
        return;
    }
    Str enclosure = str_after(rest, "class/enclosure/");
    if (enclosure.p && target && str_ends(enclosure, "/device")) { /* 0:0:20:0/Slot 03/device -> .../0:0:3:0 */
        Str box = str_cut(&enclosure, '/');
        Str slot = str_cut(&enclosure, '/'), address = str_basename(value);
        if (slot.len && hctl(address)) {
            Bay b = {arena_str(ctx->scratch, box), ctx_ref(ctx, REF_SCSI, address), keep(s, at)};
            set(s, b.drive, "slot", slot, at);
            VEC_PUSH(ctx->scratch, &s->bays, b);
        }
        return;
    }
    if (enclosure.p) {
        EnclosureId e = {arena_str(ctx->scratch, str_cut(&enclosure, '/')), arena_str(ctx->scratch, str_trim(value))};
        uint64_t id;
        if (str_is(enclosure, "id") && str_hex_u64(e.id, &id) && id != 0) VEC_PUSH(ctx->scratch, &s->enclosures, e);
        if (str_is(enclosure, "id")) return;
    }
    size_t usb_driver = str_find(rest, "/drivers/uas/");
    const char *driver = "uas";
    if (usb_driver == SIZE_MAX) {
        usb_driver = str_find(rest, "/drivers/usb-storage/");
        driver = "usb-storage";
    }
    if (usb_driver != SIZE_MAX) {
        Str interface = str_basename(rest);
        size_t colon = str_find_ch(interface, ':');
        if (colon != SIZE_MAX && usb_path(str_sub(interface, 0, colon)))
            usb_driver_of(s, str_sub(interface, 0, colon), str_of(driver), at);
        return;
    }
    Str usb = str_after(rest, "bus/usb/devices/");
    if (usb.p) {
        Str name = str_cut(&usb, '/');
        double mbps;
        size_t colon = str_find_ch(name, ':');
        if (colon != SIZE_MAX && str_is(usb, "driver") && usb_path(str_sub(name, 0, colon))) {
            Str bound = str_basename(value);
            if (str_is(bound, "uas") || str_is(bound, "usb-storage"))
                usb_driver_of(s, str_sub(name, 0, colon), bound, at);
        }
        bool product = str_is(usb, "idProduct");
        if (usb_path(name) && (product || str_is(usb, "idVendor")) && str_trim(value).len == 4) {
            UsbDevice *u = usb_get(s, name);
            *(product ? &u->product : &u->vendor) = arena_str(ctx->scratch, str_trim(value));
            if (product) u->id_at = keep(s, at);
        }
        if (usb_path(name) && str_is(usb, "version")) {
            UsbDevice *u = usb_get(s, name);
            u->version = arena_str(ctx->scratch, str_trim(value));
            u->version_at = keep(s, at);
        }
        Str power = str_trim(value);
        if (usb_path(name) && str_is(usb, "bMaxPower") && str_ends(power, "mA")) {
            UsbDevice *u = usb_get(s, name);
            u->power = arena_str(ctx->scratch, str_sub(power, 0, power.len - 2));
            u->power_at = keep(s, at);
        }
        if (usb_path(name) && str_is(usb, "speed") && str_double(str_trim(value), &mbps) && mbps > 0) {
            UsbDevice *u = usb_get(s, name);
            u->gbps = mbps / 1000;
            u->gbps_at = keep(s, at);
            ctx_setting_real(ctx, ctx_ref(ctx, REF_USB, name), "link_gbps", u->gbps, "kernel", at);
        }
        return;
    }
    if (str_starts(rest, "devices/")) {
        /* .../block/sda/queue/fua or .../nvme/nvme0/nvme0n1/queue/fua, .../nvme/nvme0/model, .../0000:00:17.0/class */
        size_t b = str_find(rest, "/block/");
        if (b != SIZE_MAX) {
            Str below = str_from(rest, b + 7);
            Str name = str_cut(&below, '/');
            device_path(s, name, str_sub(rest, 0, b), at);
            if (below.len && !link) block_attribute(s, name, below, path, value, at);
            return;
        }
        size_t nv = str_find(rest, "/nvme/nvme");
        size_t subsystem = str_find(rest, "/nvme-subsystem/");
        if (nv != SIZE_MAX || subsystem != SIZE_MAX) {
            Str below = str_from(rest, nv != SIZE_MAX ? nv + 6 : subsystem + 16);
            Str controller = str_cut(&below, '/');
            Str next = below, name = str_cut(&next, '/');
            if (str_starts(name, "nvme") && dev_is_disk(name)) {
                device_path(s, name, str_sub(rest, 0, nv != SIZE_MAX ? nv + 6 + controller.len : subsystem), at);
                if (next.len && !link) block_attribute(s, name, next, path, value, at);
            } else if (nv != SIZE_MAX && below.len && str_find_ch(below, '/') == SIZE_MAX && !link) {
                nvme_attribute(s, controller, below, value, at);
            }
            return;
        }
        size_t slash = str_rfind_ch(rest, '/');
        Str folder = slash == SIZE_MAX ? STR_NONE : str_sub(rest, 0, slash);
        Str bdf = str_basename(folder);
        if (scan_pci_address(bdf)) pci_attribute(s, bdf, str_from(rest, slash + 1), path, value, at);
    }
}

static void pci_rows(Sysfs *s) {
    for (size_t i = 0; i < s->nvme.count; i++) {
        const NvmeLink *l = &s->nvme.items[i];
        if (!l->bdf.len || !l->at.line) continue;
        PciDevice *d = pci_get(s, l->bdf, l->at);
        if (!isnan(l->cap_gtps)) d->cap_gtps = l->cap_gtps;
        if (!isnan(l->sta_gtps)) d->sta_gtps = l->sta_gtps;
        if (l->cap_width > 0 && l->cap_width <= 32) d->cap_width = (int64_t)l->cap_width;
        if (l->sta_width > 0 && l->sta_width <= 32) d->sta_width = (int64_t)l->sta_width;
        for (int k = 0; k < 4; k++)
            if (l->link_at[k].line) d->link_at[k] = l->link_at[k];
    }
    for (size_t i = 0; i < s->pci.count; i++) {
        const PciDevice *d = &s->pci.items[i];
        bool storage = str_starts(d->class_code, "01") || str_starts(d->class_code, "0604") ||
                       str_starts(d->class_code, "0c03") || !d->class_code.len;
        bool link =
            !isnan(d->cap_gtps) || !isnan(d->sta_gtps) || d->cap_width != FACT_NULL || d->sta_width != FACT_NULL;
        if (!storage || (!d->class_code.len && !link && !d->upstream.len && !d->driver.len)) continue;
        Row r = ctx_row(s->ctx, "pci_device", d->at);
        row_ref(&r, "node", ctx_ref(s->ctx, REF_PCI, d->bdf));
        row_text(&r, "bdf", d->bdf);
        if (d->class_code.len) row_text(&r, "class_code", d->class_code);
        if (d->prog_if.len) row_text(&r, "prog_if", d->prog_if);
        if (d->vendor.len) row_text(&r, "vendor_id", d->vendor);
        if (d->device.len) row_text(&r, "device_id", d->device);
        if (d->subsystem_vendor.len && d->subsystem_device.len)
            row_text(
                &r, "subsystem",
                arena_strf(s->ctx->scratch, "%.*s:%.*s", STR_ARG(d->subsystem_vendor), STR_ARG(d->subsystem_device)));
        if (d->driver.len) row_text(&r, "driver", d->driver);
        if (d->upstream.len) row_text(&r, "upstream_bdf", d->upstream);
        row_real(&r, "lnkcap_gtps", d->cap_gtps);
        row_real(&r, "lnksta_gtps", d->sta_gtps);
        row_int(&r, "lnkcap_width", d->cap_width);
        row_int(&r, "lnksta_width", d->sta_width);
        /* one line of each end stands for two: the width's where it is what falls short */
        bool width = d->sta_gtps >= d->cap_gtps || d->sta_width < d->cap_width;
        const Spot *cap = &d->link_at[width ? CAP_WIDTH : CAP_SPEED], *sta = &d->link_at[width ? STA_WIDTH : STA_SPEED];
        if (cap->line) row_int(&r, "lnkcap_line", facts_keep_line(s->ctx->facts, s->ctx->src, *cap));
        if (sta->line) row_int(&r, "lnksta_line", facts_keep_line(s->ctx->facts, s->ctx->src, *sta));
        row_done(&r);
    }
}

/* The paths of "cat /sys/block/{sda,sdb}/queue/write_cache", braces expanded as a shell does. */
static void expand(Arena *a, Str word, Str *out, size_t *count, size_t max) {
    size_t open = str_find_ch(word, '{'), close = open == SIZE_MAX ? SIZE_MAX : str_find_ch(str_from(word, open), '}');
    if (*count >= max) return;
    if (open == SIZE_MAX || close == SIZE_MAX) {
        out[(*count)++] = word;
        return;
    }
    Str choices = str_sub(word, open + 1, close - 1), after = str_from(word, open + close + 1);
    while (choices.len && *count < max) {
        Str one = str_cut(&choices, ',');
        expand(a, arena_strf(a, "%.*s%.*s%.*s", STR_ARG(str_sub(word, 0, open)), STR_ARG(one), STR_ARG(after)), out,
               count, max);
    }
}

static ParseResult parse_cat(Sysfs *s, Input *in) {
    enum { MAX_PATHS = 256 };
    ParseCtx *ctx = s->ctx;
    Str *paths = arena_array(ctx->scratch, Str, MAX_PATHS);
    size_t count = 0;
    Str command = ctx->command;
    bool glob = false;
    while (command.len) {
        Str w = str_word(&command);
        if (str_is(w, "|") || str_is(w, ";") || str_is(w, "&&")) break;
        if (!sys_path(w)) continue;
        if (str_find_ch(w, '*') != SIZE_MAX || str_find_ch(w, '?') != SIZE_MAX || str_find_ch(w, '[') != SIZE_MAX ||
            str_find_ch(w, '$') != SIZE_MAX)
            glob = true;
        else expand(ctx->scratch, w, paths, &count, MAX_PATHS);
    }
    VEC(Str) values = {0};
    VEC(Spot) spots = {0};
    Str line;
    while (input_line(in, &line)) {
        if (values.count > MAX_PATHS || !str_trim(line).len) continue;
        Spot at = keep(s, input_spot(in));
        Str copy = arena_str(ctx->scratch, line);
        VEC_PUSH(ctx->scratch, &values, copy);
        VEC_PUSH(ctx->scratch, &spots, at);
    }
    if (!values.count) return PARSE_NOTHING;
    if (glob || count != values.count) {
        parse_note(ctx, spots.items[0],
                   "%zu values without names: which file each is from cannot be told (grep . instead of cat shows it)",
                   values.count);
        return parse_result(ctx);
    }
    for (size_t i = 0; i < count; i++) attribute(s, paths[i], values.items[i], false, spots.items[i]);
    return PARSE_OK;
}

static ParseResult sysfs_parse(ParseCtx *ctx, Input *in) {
    Sysfs s = {.ctx = ctx};
    Str line, path, value, member = attribute_path(ctx->path), pending = STR_NONE;
    bool first = true;
    ParseResult result = PARSE_OK;
    bool have_result = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str heading = tail_heading(line);
        LineKind kind = heading.len ? LINE_NONE : split_line(ctx->scratch, line, &path, &value);
        if (first && str_trim(line).len) {
            first = false;
            if (kind == LINE_NONE && !heading.len && !str_starts(line, "total ")) {
                if (cat_of_sys(ctx->command)) {
                    input_unread(in);
                    result = parse_cat(&s, in);
                    have_result = true;
                    break;
                }
                if (member.len) { /* a file of its own: one attribute, all its lines */
                    Str text = arena_str(ctx->scratch, line), more;
                    Spot here = keep(&s, at);
                    if (!input_all(in, ctx->scratch, 64 * 1024, &more))
                        parse_note(ctx, here, "more than 64 KiB for one attribute");
                    Str whole = more.len ? arena_strf(ctx->scratch, "%.*s\n%.*s", STR_ARG(text), STR_ARG(more)) : text;
                    attribute(&s, member, str_trim_right(whole), false, here);
                    break;
                }
            }
        }
        if (heading.len) {
            pending = arena_str(ctx->scratch, heading);
            continue;
        }
        if (kind == LINE_NONE) {
            Str t = str_trim(line);
            if (pending.len && t.len) {
                attribute(&s, pending, t, false, at);
                continue;
            }
            if (!t.len || str_starts(t, "total ") || str_starts(t, "grep: ") || str_starts(t, "cat: ") ||
                str_starts(t, "/sys/block:") || str_starts(t, "ls: "))
                continue;
            parse_note(ctx, at, "neither a path with a value nor a link");
            continue;
        }
        pending = STR_NONE;
        if (kind == LINE_PATH && str_ends(path, ":")) continue; /* heading of ls */
        attribute(&s, path, value, kind == LINE_LINK, at);
    }
    identify_words(&s);
    pci_rows(&s);
    usb_facts(&s);
    sas_facts(&s);
    md_rows(&s);
    return have_result && result != PARSE_OK ? result : parse_result(ctx);
}

const Parser parser_sysfs = {
    .name = "sysfs",
    .bid = sysfs_bid,
    .starts = sysfs_starts,
    .continues = sysfs_continues,
    .parse = sysfs_parse,
    .strict = true,
    .ask =
        "grep -s . /sys/block/*/queue/{write_cache,scheduler,rotational,nr_requests} /sys/block/*/device/queue_depth",
};
