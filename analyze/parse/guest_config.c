/*
 * guest_config.c - virtual machines and containers of Proxmox VE by their configuration
 *
 * Reads   qm config, pct config, /etc/pve/qemu-server/ID.conf and /etc/pve/lxc/ID.conf
 * Gives   guest, guest_disk; cgroup_io (limits of containers, lxc.cgroup2.io.max)
 * Sample  qm config 104, Proxmox VE 8
 *   | boot: order=scsi0;ide2
 *   | ide2: none,media=cdrom
 *   | name: mail
 *   | scsi0: local-lvm:vm-104-disk-0,cache=unsafe,discard=on,iothread=1,size=32G,ssd=1
 *   | scsihw: virtio-scsi-single
 * Varies  the files have the guest's description as # lines, and behind "[name]" what the guest was at a snapshot, which is another
 *         time: only counted. The id stands in command or path alone. Without scsihw the adapter is lsi; "none" as volume is an empty
 *         drive. Values with a password are printed as stars.
 * Source  pve-docs qm.adoc, qm.conf.5 and pct.conf.5 opts
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

enum { MAX_DISKS = 64 };

/* Keys of both kinds of guests; a '#' stands for a number. */
static const char *const keys[] = {"acpi",
                                   "affinity",
                                   "agent",
                                   "allow-ksm",
                                   "amd-sev",
                                   "arch",
                                   "args",
                                   "audio#",
                                   "autostart",
                                   "balloon",
                                   "bios",
                                   "boot",
                                   "bootdisk",
                                   "cdrom",
                                   "cicustom",
                                   "cipassword",
                                   "citype",
                                   "ciupgrade",
                                   "ciuser",
                                   "cmode",
                                   "console",
                                   "cores",
                                   "cpu",
                                   "cpulimit",
                                   "cpuunits",
                                   "debug",
                                   "description",
                                   "dev#",
                                   "efidisk#",
                                   "entrypoint",
                                   "env",
                                   "features",
                                   "freeze",
                                   "hookscript",
                                   "hostname",
                                   "hostpci#",
                                   "hotplug",
                                   "hugepages",
                                   "ide#",
                                   "intel-tdx",
                                   "ipconfig#",
                                   "ivshmem",
                                   "keephugepages",
                                   "keyboard",
                                   "kvm",
                                   "localtime",
                                   "lock",
                                   "machine",
                                   "memory",
                                   "meta",
                                   "migrate_downtime",
                                   "migrate_speed",
                                   "mp#",
                                   "name",
                                   "nameserver",
                                   "net#",
                                   "numa",
                                   "numa#",
                                   "onboot",
                                   "ostype",
                                   "parallel#",
                                   "parent",
                                   "protection",
                                   "reboot",
                                   "rng#",
                                   "rootfs",
                                   "running-nets-host-mtu",
                                   "runningcpu",
                                   "runningmachine",
                                   "sata#",
                                   "scsi#",
                                   "scsihw",
                                   "searchdomain",
                                   "serial#",
                                   "shares",
                                   "smbios1",
                                   "smp",
                                   "snapstate",
                                   "snaptime",
                                   "sockets",
                                   "spice_enhancements",
                                   "sshkeys",
                                   "startdate",
                                   "startup",
                                   "swap",
                                   "tablet",
                                   "tags",
                                   "tdf",
                                   "template",
                                   "timezone",
                                   "tpmstate#",
                                   "tty",
                                   "unprivileged",
                                   "unused#",
                                   "usb#",
                                   "vcpus",
                                   "vga",
                                   "virtio#",
                                   "virtiofs#",
                                   "vmgenid",
                                   "vmstate",
                                   "vmstatestorage",
                                   "watchdog",
                                   NULL};

/* The number behind a word: "scsi0" is the word scsi with a number. */
static bool key_is(Str key, const char *word) {
    size_t n = strlen(word);
    if (!n || word[n - 1] != '#') return str_is(key, word);
    if (key.len < n || key.len > n + 2 || memcmp(key.p, word, n - 1) != 0) return false;
    for (size_t i = n - 1; i < key.len; i++)
        if (!ch_digit(key.p[i])) return false;
    return true;
}

/* "key: value" of a configuration; key and value are views. */
static bool config_line(Str line, Str *key, Str *value) {
    size_t colon = str_find_ch(line, ':');
    if (colon == SIZE_MAX || !colon || !(line.p[0] >= 'a' && line.p[0] <= 'z')) return false;
    *key = str_sub(line, 0, colon);
    Str rest = str_from(line, colon + 1);
    if (rest.len && !ch_blank(rest.p[0])) return false;
    *value = str_trim(rest);
    if (str_starts(*key, "lxc.")) return true;
    for (size_t i = 0; keys[i]; i++)
        if (key_is(*key, keys[i])) return true;
    return false;
}

static bool disk_key(Str key) {
    return key_is(key, "ide#") || key_is(key, "sata#") || key_is(key, "scsi#") || key_is(key, "virtio#");
}

/* STORAGE:VOLUME or a path, with options behind commas: what no prose has behind such a key. */
static bool volume(Str value) {
    Str first = str_sub(value, 0, str_find_ch(value, ','));
    if (str_is(first, "none") || str_is(first, "cdrom")) return str_has(value, "media=cdrom");
    if (str_find_ch(first, ' ') != SIZE_MAX) return false;
    bool named = str_starts(first, "/") || (str_find_ch(first, ':') != SIZE_MAX && first.len > 3);
    return named && (str_has(value, ",size=") || str_has(value, ",media=") || str_has(first, "vm-") ||
                     str_has(first, "subvol-") || str_has(first, "base-") || str_starts(first, "/dev/"));
}

/* Lines that only such a configuration has. */
static bool telling(Str line) {
    Str key, value;
    if (!config_line(line, &key, &value)) return false;
    if (disk_key(key) || key_is(key, "mp#") || str_is(key, "rootfs") || key_is(key, "efidisk#")) return volume(value);
    return str_is(key, "scsihw") || str_is(key, "vmgenid") || (str_is(key, "smbios1") && str_has(value, "uuid=")) ||
           (str_is(key, "boot") && str_starts(value, "order=")) || (key_is(key, "net#") && str_has(value, "bridge=")) ||
           (str_is(key, "meta") && str_has(value, "creation-qemu=")) || str_starts(key, "lxc.");
}

static bool section(Str line) {
    Str s = str_trim(line);
    return s.len > 2 && s.len < 80 && s.p[0] == '[' && s.p[s.len - 1] == ']' && str_find_ch(s, ' ') == SIZE_MAX;
}

static bool named_so(Str path, Str command) {
    return command_is(command, "qm") || command_is(command, "pct") || path_has(path, "qemu-server") ||
           (path_has(path, "/lxc/") && str_ends(path, ".conf")) || path_has(path, "qm_config") ||
           path_has(path, "pct_config") || str_has(command, "qemu-server/") || str_has(command, "/pve/lxc/");
}

static int bid(Str path, Str command, Str head) {
    int sure = 0, lines = 0, other = 0;
    Str key, value;
    bool named = named_so(path, command);
    for (int n = 0; n < 60 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len || line.p[0] == '#') continue;
        if (section(line)) break;
        if (telling(line)) sure++;
        else if (config_line(line, &key, &value)) lines++;
        else if (++other > 2) break;
        if (other && !sure && !lines) return 0;
    }
    if (sure >= 2) return named ? 34 : 27;
    if (sure && (named || lines >= 2)) return named ? 30 : 20;
    return named && lines >= 2 && !other ? 14 : 0;
}

static bool starts(Str line) {
    Str key, value;
    if (telling(line)) return true;
    /* What comes first of the alphabet; "agent: 1" and "arch: amd64" are said by no other tool in this form. */
    return config_line(line, &key, &value) &&
           ((str_is(key, "agent") && (str_is(value, "0") || str_is(value, "1") || str_has(value, "enabled=1"))) ||
            (str_is(key, "arch") && str_is(value, "amd64")) || (str_is(key, "bootdisk") && disk_key(value)) ||
            (str_is(key, "balloon") && value.len && ch_digit(value.p[0])));
}

static bool continues(Str line) {
    Str key, value;
    return config_line(line, &key, &value) || section(line) || (line.len && line.p[0] == '#');
}

typedef struct Disk {
    Str slot, value;
    Spot at;
} Disk;

/* The value of one option behind the volume; STR_NONE without it. */
static Str option(Str value, const char *name) {
    str_cut(&value, ',');
    while (value.len) {
        Str one = str_cut(&value, ','), rest = str_after(one, name);
        if (rest.p && rest.len && rest.p[0] == '=') return str_from(rest, 1);
    }
    return STR_NONE;
}

/* Rates that are held, "mbps_wr=50, iops=500". How long a burst may last is none. */
static Str limits(Arena *a, Str value) {
    StrBuf b;
    sb_init(&b, a);
    str_cut(&value, ',');
    while (value.len) {
        Str one = str_cut(&value, ',');
        bool rate = str_starts(one, "mbps") || str_starts(one, "iops") || str_starts(one, "bps");
        if (!rate || str_has(one, "_length=") || str_has(one, "_max") || str_ends(one, "=0")) continue;
        sb_addf(&b, "%s%.*s", sb_str(&b).len ? ", " : "", STR_ARG(one));
    }
    return sb_str(&b).len ? sb_str(&b) : STR_NONE;
}

static int64_t yes(Str value) {
    return str_is(value, "1") || str_is(value, "on") || str_is(value, "yes") || str_is(value, "true");
}

static void put_disk(ParseCtx *ctx, const Disk *d, Str guest, bool container, Str scsihw) {
    Str source = str_sub(d->value, 0, str_find_ch(d->value, ',')), word = d->slot;
    if (str_starts(source, "file=")) source = str_from(source, 5);
    if (str_is(source, "none") || str_is(source, "cdrom") || str_is(option(d->value, "media"), "cdrom")) return;
    if (str_has(source, "cloudinit")) return;
    while (word.len && ch_digit(word.p[word.len - 1])) word.len--;
    double size = NAN;
    Str text = option(d->value, "size"), format = option(d->value, "format");
    if (text.p && !dev_size(text, &size))
        parse_note(ctx, d->at, "size not understood: \"%.*s\"", STR_ARG(str_sub(text, 0, 40)));
    if (!format.p && str_ends(source, ".qcow2")) format = STR("qcow2");
    if (!format.p && str_ends(source, ".vmdk")) format = STR("vmdk");
    if (!format.p && str_ends(source, ".raw")) format = STR("raw");
    Row r = ctx_row(ctx, "guest_disk", d->at);
    row_text(&r, "guest", guest);
    row_text(&r, "slot", d->slot);
    if (!container) {
        row_text(&r, "interface", word);
        if (str_is(word, "scsi")) row_text(&r, "controller", scsihw.len ? scsihw : STR("lsi"));
        row_text(&r, "cache", option(d->value, "cache"));
        Str discard = option(d->value, "discard");
        row_int(&r, "discard", str_is(discard, "on") || str_is(discard, "1"));
        row_int(&r, "iothread", yes(option(d->value, "iothread")));
    }
    row_text(&r, "source", source);
    row_text(&r, "format", format);
    row_real(&r, "size_bytes", size);
    row_text(&r, "limits", limits(ctx->scratch, d->value));
    row_done(&r);
}

/* "8:0 rbps=1048576 wiops=120" of lxc.cgroup2.io.max */
static void put_limit(ParseCtx *ctx, Str guest, Str value, Spot at) {
    Str device = str_word(&value);
    uint64_t major, minor;
    if (!scan_number_pair(device, &major, &minor)) {
        parse_note(ctx, at, "no device number: \"%.*s\"", STR_ARG(str_sub(device, 0, 40)));
        return;
    }
    for (Str w; (w = str_word(&value)).len;) {
        double n;
        Str name = str_cut(&w, '=');
        if (str_is(w, "max") || !str_double(w, &n)) continue;
        Row r = ctx_row(ctx, "cgroup_io", at);
        Str disk = scan_device_of_number(ctx->scratch, major, minor);
        if (disk.len) row_ref(&r, "node", ctx_ref(ctx, REF_DISK, disk));
        row_text(&r, "cgroup", guest);
        row_text(&r, "device", device);
        row_text(&r, "file", STR("io.max"));
        row_text(&r, "name", name);
        row_real(&r, "value", n);
        row_done(&r);
    }
}

/* The id, from "qm config 104", ".../104.conf" or "qm_config_104". */
static Str guest_id(Str path, Str command) {
    Str last = STR_NONE;
    uint64_t n;
    for (Str w; (w = str_word(&command)).len;) {
        Str base = str_basename(w);
        if (str_ends(base, ".conf")) base.len -= 5;
        if (str_u64(base, &n) && n >= 100) last = base;
    }
    if (last.p) return last;
    Str base = str_basename(path);
    size_t end = base.len;
    while (end && !ch_digit(base.p[end - 1])) end--;
    size_t from = end;
    while (from && ch_digit(base.p[from - 1])) from--;
    return end - from >= 3 && end - from <= 9 ? str_sub(base, from, end - from) : STR_NONE;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Disk disk[MAX_DISKS], limit[MAX_DISKS];
    size_t disks = 0, limit_count = 0, snapshots = 0;
    Str line, key, value, name = STR_NONE, lock = STR_NONE, scsihw = STR_NONE;
    Spot first = {0};
    bool now = true, file = str_ends(ctx->path, ".conf"),
         container = command_is(ctx->command, "pct") || path_has(ctx->path, "/lxc/");
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (line.p[0] == '#') {
            ctx->rows++;
            continue;
        }
        if (section(line)) {
            /* [PENDING] and [special:...] are no snapshots */
            Str s = str_trim(line);
            now = false;
            file = true;
            if (!str_ieq(s, STR("[PENDING]")) && str_find_ch(s, ':') == SIZE_MAX) snapshots++;
            ctx->rows++;
            continue;
        }
        if (!config_line(line, &key, &value)) {
            parse_note(ctx, at, "not a line of a guest's configuration: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        if (!now) continue;
        if (!first.line) first = scan_keep(ctx->scratch, at);
        if (str_is(key, "name") || str_is(key, "hostname")) name = arena_str(ctx->scratch, value);
        else if (str_is(key, "lock")) {
            lock = arena_str(ctx->scratch, value);
            first = scan_keep(ctx->scratch, at);
        } else if (str_is(key, "scsihw")) scsihw = arena_str(ctx->scratch, value);
        if (str_is(key, "rootfs") || str_is(key, "unprivileged")) container = true;
        bool kept = disk_key(key) || str_is(key, "rootfs") || key_is(key, "mp#");
        bool held = str_is(key, "lxc.cgroup2.io.max") || str_is(key, "lxc.cgroup.io.max");
        if ((kept && disks == MAX_DISKS) || (held && limit_count == MAX_DISKS)) {
            parse_note(ctx, at, "more than %d disks: the rest is not read", MAX_DISKS);
        } else if (kept || held) {
            Disk *d = kept ? &disk[disks++] : &limit[limit_count++];
            *d = (Disk){arena_str(ctx->scratch, key), arena_str(ctx->scratch, value), scan_keep(ctx->scratch, at)};
        }
    }
    if (!first.line) return parse_result(ctx);
    Str id = guest_id(ctx->path, ctx->command);
    StrBuf b;
    sb_init(&b, ctx->scratch);
    sb_addf(&b, "%s", container ? "container" : "VM");
    if (id.len) sb_addf(&b, " %.*s", STR_ARG(id));
    if (name.len) sb_addf(&b, id.len ? " (%.*s)" : " %.*s", STR_ARG(name));
    Str guest = sb_str(&b);
    Row r = ctx_row(ctx, "guest", first);
    row_text(&r, "kind", container ? STR("container") : STR("vm"));
    row_text(&r, "name", guest);
    row_text(&r, "lock", lock);
    row_int(&r, "snapshots", file ? (int64_t)snapshots : FACT_NULL);
    row_done(&r);
    for (size_t i = 0; i < disks; i++) put_disk(ctx, &disk[i], guest, container, scsihw);
    for (size_t i = 0; i < limit_count; i++) put_limit(ctx, guest, limit[i].value, limit[i].at);
    return parse_result(ctx);
}

const Parser parser_guest_config = {
    .name = "guest-config",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "qm config ID",
};
