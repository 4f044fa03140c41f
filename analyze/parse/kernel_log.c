/*
 * kernel_log.c - kernel logs: dmesg in every form, journalctl, syslog; Linux and FreeBSD
 *
 * Reads   dmesg (raw, -T, -x, -d, -e, -t, --json), /dev/kmsg records, journalctl -k (short*, json), /var/log/messages, syslog
 *         and kern.log, FreeBSD's dmesg.boot and messages, pasted excerpts with or without stamps
 * Gives   log_event: one row per line that a signature knows (rules/signatures); storms are folded
 *         episode: one row per round of ATA error handling (episodes.c)
 *         log_window: one row per boot, what the log covers; boot_id where journalctl heads the boot with it
 *         settings of host, ata, scsi, disk, pci and usb names from the probe lines (view kernel: what the driver read)
 *         same_as: ata3.00 = 2:0:0:0 = sda, edges from PCI functions to ports and hosts
 * Sample  dmesg
 *   | [    2.356109] ata1: SATA link up 3.0 Gbps (SStatus 123 SControl 300)
 *   | [    2.358709] ata1.00: ATA-11: Northwind SSD 500G, NW01B2, max UDMA/133
 *   | [    2.359309] ata1.00: 976773168 sectors, multi 1: LBA48 NCQ (depth 32), AA
 *   | [    2.532509] scsi 0:0:0:0: Direct-Access     ATA      Northwind SSD 50 01B2 PQ: 0 ANSI: 5
 *   | [    2.535768] sd 0:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA
 * Varies  stamps (log_prefix.h); lines of several CPUs interleave, so nothing here counts on adjacency; mail wraps long
 *         lines; a file may hold several boots, an excerpt none of the probe lines
 *
 * Names (ata3, 2:0:0:0, sda) mean something within one boot only, so every boot has refs of its own (facts_boot) and all that
 * ties them together is settled when a boot ends.
 */
#include "kernel_log.h"

#include "device_text.h"
#include "scan.h"

#include <math.h>
#include <stdio.h>

enum {
    STORM_ROWS = 50,       /* rows kept per signature and subject in a boot; the last one takes the rest in */
    STORM_SLOTS = 1 << 15, /* hash slots; half of them are filled at most */
    STORM_RESERVE = 2048,  /* of them, for signatures whose subjects got too many */
    MAX_FOLDS = 8192,
    MAX_BOOTS = 1000, /* more in one file are no boots but a broken clock */
    HELD = 1024,      /* bytes of a line that may have been wrapped, joined */
    NEAR_LINES = 12   /* a `res` line belongs to the ATA command at most so many lines above */
};
/* Going back by more than this is another boot; less is the order in which CPUs got to the buffer. */
#define BOOT_STEP_S 5.0
/* A first line later than this means that the start of the boot is gone. */
#define START_S 1.0

/* ------------------------------------------------------------------ events */

static void write_event(Log *k, Pending *e) {
    if (!e->used) return;
    ParseCtx *c = k->ctx;
    Row r = ctx_row(c, "log_event", (Spot){.line = e->line, .text = {e->text, e->text_len}});
    row_ref(&r, "node", e->node);
    row_text(&r, "sig", str_of(e->sig->id));
    row_text(&r, "event", str_of(e->sig->event));
    row_text(&r, "severity", str_of(e->sig->severity));
    row_text(&r, "subject_kind", e->sig->subject_kind[0] ? str_of(e->sig->subject_kind) : STR_NONE);
    row_text(&r, "subject", e->subject[0] ? str_of(e->subject) : STR_NONE);
    row_text(&r, "fields", str_of(e->fields));
    row_real(&r, "t_mono_s", e->mono_s);
    row_real(&r, "t_s", e->wall_s);
    row_int(&r, "count", e->count);
    if (e->count > 1) {
        row_real(&r, "last_t_mono_s", e->last_mono_s);
        row_real(&r, "last_t_s", e->last_wall_s);
        row_int(&r, "last_line", e->last_line);
    }
    row_done(&r);
    if (e->count > 1 && e->last_line != e->line)
        facts_keep_line(c->facts, c->src, (Spot){.line = e->last_line, .text = {e->last_text, e->last_text_len}});
    e->used = false;
}

/* A port of a hub is spoken of as the device in it: "usb2-port1" is 2-1, "2-1.4-port2" is 2-1.4.2, "hub 2-0" with port 1 is 2-1. */
static void usb_port_path(Str path, Str port, char *name, size_t cap) {
    size_t at = str_find(path, "-port");
    if (at != SIZE_MAX) {
        port = str_from(path, at + 5);
        path = str_sub(path, 0, at);
    } else if (port.len && str_ends(path, "-0")) {
        path = str_sub(path, 0, path.len - 2); /* a root hub */
    }
    Str root = str_after(path, "usb");
    if (root.p) path = root;
    if (!port.len) copy_text(name, cap, path);
    else
        snprintf(name, cap, "%.*s%c%.*s", (int)(path.len < 64 ? path.len : 64), path.p,
                 str_find_ch(path, '-') == SIZE_MAX ? '-' : '.', (int)(port.len < 8 ? port.len : 8), port.p);
}

/* "nvme0c1n2" is a path through controller 1 to nvme0n2 (native multipath): what happens on it happens to that drive. The name is
   made in `room`; other names stay as they are. */
static Str path_namespace(Str s, char *room, size_t cap) {
    size_t c = str_find_ch(s, 'c'), n = c == SIZE_MAX ? SIZE_MAX : str_find_ch(str_from(s, c), 'n');
    uint64_t number;
    if (!str_starts(s, "nvme") || n == SIZE_MAX || n < 2 || !str_u64(str_sub(s, 4, c - 4), &number) ||
        !str_u64(str_sub(s, c + 1, n - 1), &number) || !str_u64(str_from(s, c + n + 1), &number))
        return s;
    snprintf(room, cap, "%.*s%.*s", STR_ARG(str_sub(s, 0, c)), STR_ARG(str_from(s, c + n)));
    return str_of(room);
}

/* The name a signature's subject stands for. 0: none that is a thing of this machine. */
static Ref subject_ref(Log *k, const SigMatch *m, char *name, size_t cap) {
    const char *kind = m->sig->subject_kind, *what = m->sig->subject;
    Str s = m->subject;
    name[0] = '\0';
    if (strcmp(kind, "host") == 0) return ref_z(k, REF_HOST, "host");
    if (!s.p || !s.len) {
        /* A continuation line names nobody: it speaks of the ATA command above it. */
        if (strcmp(kind, "ata") == 0 && k->last_ata && k->at.line - k->last_ata_line <= NEAR_LINES) {
            copy_text(name, cap, str_of(k->last_ata_name));
            return k->last_ata;
        }
        return 0;
    }
    copy_text(name, cap, s);
    if (strcmp(kind, "ata") == 0) {
        if (!ch_digit(s.p[0])) return ref(k, REF_ATA, s); /* ahcich0 */
        Str dev = sig_capture(m, "dev");
        if (!dev.len) dev = sig_capture(m, "pmp");
        uint64_t port, number;
        if (!str_u64(s, &port) || port > 100000) return 0;
        if (dev.len && str_u64(dev, &number) && number < 100)
            snprintf(name, cap, "ata%u.%02u", (unsigned)port, (unsigned)number);
        else snprintf(name, cap, "ata%u", (unsigned)port);
        return ref_z(k, REF_ATA, name);
    }
    if (strcmp(kind, "scsi") == 0) {
        Str rest = s, hctl;
        uint64_t number;
        if (cut_hctl(&rest, &hctl) && !rest.len) return ref(k, REF_SCSI, hctl);
        if (str_u64(s, &number) && number < 100000) {
            snprintf(name, cap, "host%u", (unsigned)number);
            return ref_z(k, REF_SCSI_HOST, name);
        }
        static const char *const targets[] = {"tgt", "t2", "t3"};
        for (size_t i = 0; i < sizeof targets / sizeof *targets;
             i++) { /* "mps0: Sending abort to target 7 for SMID 812" */
            Str disk = kernel_cam_disk(k, s, sig_capture(m, targets[i]));
            if (!disk.len) continue;
            copy_text(name, cap, disk);
            return ref(k, REF_DISK, disk);
        }
        return ref(k, REF_SCSI_HOST, s);
    }
    if (strcmp(kind, "pci") == 0) {
        if (is_bdf(s) || (s.len == 7 && s.p[2] == ':')) return ref(k, REF_PCI, s);
        const char *bdf = kernel_fbsd_bdf(k, s);
        return bdf ? ref_z(k, REF_PCI, bdf) : ref(k, REF_SCSI_HOST, s);
    }
    if (strcmp(kind, "usb") == 0) {
        Str path = s;
        size_t blank = str_rfind_ch(path, ' ');
        if (blank != SIZE_MAX) path = str_from(path, blank + 1); /* "usb usb1-port2", "hub 1-0:1.0" */
        size_t colon = str_find_ch(path, ':');
        if (colon != SIZE_MAX) path = str_sub(path, 0, colon); /* an interface of the device */
        usb_port_path(path, sig_capture(m, "port"), name, cap);
        return name[0] ? ref_z(k, REF_USB, name) : 0;
    }
    if (strcmp(kind, "disk") == 0) {
        if (strcmp(what, "vdev") == 0) return ref(k, REF_MEMBER, s);
        if (s.len == 4 && str_starts(s, "mmc") && s.p[3] >= '0' && s.p[3] < '8' && k->mmc_disk[s.p[3] - '0'][0]) {
            copy_text(name, cap, str_of(k->mmc_disk[s.p[3] - '0']));
            return ref_z(k, REF_DISK, name);
        }
        if (strcmp(what, "prov") == 0 && dev_is_name(s) &&
            !dev_is_disk(s)) { /* GEOM's provider da1p1, ada0s1a: its disk */
            size_t n = s.len;
            while (n > 2 && !dev_is_disk(str_sub(s, 0, n))) n--;
            if (n > 2) s = str_sub(s, 0, n);
        }
        if (strcmp(what, "periph") == 0) kernel_cam_learn(k, sig_capture(m, "sim"), sig_capture(m, "tgt"), s);
        return ref(k, REF_DISK, path_namespace(s, name, cap));
    }
    uint64_t major, minor;
    if (strcmp(kind, "dm") == 0 &&
        scan_number_pair(s, &major, &minor)) { /* "253:4": the device mapper's minor is dm-N */
        snprintf(name, cap, "dm-%llu", (unsigned long long)minor);
        return ref_z(k, REF_DISK, name);
    }
    if (strcmp(kind, "nvme") == 0 || strcmp(kind, "dm") == 0 || strcmp(kind, "fs") == 0)
        return ref(k, REF_DISK, path_namespace(str_strip_dev(s), name, cap));
    if (strcmp(kind, "md") == 0) return ref(k, REF_ARRAY, str_strip_dev(s));
    if (strcmp(kind, "pool") == 0) {
        size_t slash = str_find_ch(s, '/'); /* a dataset names its pool */
        return ref(k, REF_POOL, slash == SIZE_MAX ? s : str_sub(s, 0, slash));
    }
    return 0;
}

/* Counter of a signature and subject in this boot. When the table is nearly full, new subjects share one per signature, so that
   made-up names cannot fill memory: *crowded. */
static Storm *storm_of(Log *k, size_t sig, Str subject, bool *crowded) {
    if (!k->storms) {
        k->storms = arena_array(k->ctx->scratch, Storm, STORM_SLOTS);
        k->storm_used = arena_array(k->ctx->scratch, uint32_t, STORM_SLOTS / 2);
        k->folds = arena_array(k->ctx->scratch, Pending *, MAX_FOLDS);
    }
    *crowded = false;
    for (;;) {
        uint64_t key = (str_hash(subject) * 31 + sig + 1) * 0x9e3779b97f4a7c15u;
        if (key == 0) key = 1;
        size_t i = (size_t)(key >> 40) % STORM_SLOTS;
        while (k->storms[i].key && k->storms[i].key != key) i = (i + 1) % STORM_SLOTS;
        if (k->storms[i].key) return &k->storms[i];
        if (k->storm_count >= STORM_SLOTS / 2) {
            k->spare = (Storm){0};
            return &k->spare;
        }
        if (k->storm_count < STORM_SLOTS / 2 - STORM_RESERVE || *crowded) {
            k->storms[i].key = key;
            k->storm_used[k->storm_count++] = (uint32_t)i;
            return &k->storms[i];
        }
        *crowded = true;
        subject = STR("\x01others");
    }
}

static void set_last(Log *k, Pending *e) {
    e->last_mono_s = k->mono_s;
    e->last_wall_s = k->wall_s;
    e->last_line = k->at.line;
    Str text = str_sub(k->at.text, 0, FACTS_LINE_CLIP);
    if (text.len) memcpy(e->last_text, text.p, text.len);
    e->last_text_len = text.len;
}

static void add_event(Log *k, const SigMatch *m, int64_t times) {
    char name[96] = "";
    Ref node = subject_ref(k, m, name, sizeof name);
    bool crowded;
    episode_event(k, m, node, name, times);
    Storm *storm = storm_of(k, m->index, str_of(name), &crowded);
    if (crowded) { /* counted without a name rather than under a wrong one */
        node = 0;
        memset(name, 0, sizeof name);
    }
    if (storm->fold) {
        storm->fold->count += times;
        set_last(k, storm->fold);
        k->repeatable = storm->fold;
        return;
    }
    write_event(k, &k->last);
    Pending *e = &k->last;
    if (++storm->rows == STORM_ROWS && k->fold_count < MAX_FOLDS) {
        if (k->fold_count == k->fold_cap) k->folds[k->fold_cap++] = arena_new_of(k->ctx->scratch, Pending);
        e = storm->fold = k->folds[k->fold_count++];
    }
    e->used = true;
    e->sig = m->sig;
    e->node = node;
    memcpy(e->subject, name, sizeof e->subject);
    sig_fields_json(m, e->fields, sizeof e->fields);
    e->count = times;
    e->mono_s = k->mono_s;
    e->wall_s = k->wall_s;
    e->line = k->at.line;
    Str text = str_sub(k->at.text, 0, FACTS_LINE_CLIP);
    if (text.len) memcpy(e->text, text.p, text.len);
    e->text_len = text.len;
    set_last(k, e);
    k->repeatable = e;
}

/* ------------------------------------------------------------------ boots */
static void boot_clear(Log *k) {
    k->boot_open = false;
    k->lines = 0;
    k->first_line = 0;
    k->start_seen = k->version_seen = k->in_initrd = k->cmdline_seen = k->release_seen = k->has_mono = false;
    k->first_mono = k->last_mono = k->first_wall = k->last_wall = k->first_year = NAN;
    k->first_stamp = k->last_stamp = NAN;
    k->base_wall = k->epoch_s = k->user_space = k->run_init = NAN;
    k->suppressed = 0;
    k->slept_s = 0;
    k->boot_id[0] = '\0';
    if (k->scsi.count) memset(k->scsi_slots, 0, SCSI_SLOTS * sizeof *k->scsi_slots);
    k->controllers.count = k->hosts.count = k->ports.count = k->ata.count = k->scsi.count = k->usb.count = 0;
    k->channels.count = k->fbsd.count = 0;
    memset(k->usb_bus, 0, sizeof k->usb_bus);
    k->last_hba[0] = k->last_hba_driver[0] = k->last_ioc[0] = '\0';
    for (size_t i = 0; i < k->storm_count; i++) k->storms[k->storm_used[i]] = (Storm){0};
    k->storm_count = k->fold_count = 0;
    k->repeatable = NULL;
    k->last_ata = 0;
}

static void boot_end(Log *k) {
    if (!k->boot_open) return;
    write_event(k, &k->last);
    for (size_t i = 0; i < k->fold_count; i++) write_event(k, k->folds[i]);
    episodes_end(k);
    kernel_probe_settle(k);
    if (!isnan(k->epoch_s) && !isnan(k->first_mono)) { /* the line that tells the time is not the first */
        k->first_wall = k->epoch_s + k->first_mono;
        k->last_wall = k->epoch_s + k->last_mono + k->slept_s;
    }
    Row r = ctx_row(k->ctx, "log_window", spot_of(k->first_at));
    row_real(&r, "first_mono_s", k->first_mono);
    row_real(&r, "last_mono_s", k->last_mono);
    row_real(&r, "first_s", isnan(k->first_wall) ? k->first_stamp : k->first_wall);
    row_real(&r, "last_s", isnan(k->last_wall) ? k->last_stamp : k->last_wall);
    row_int(&r, "start_present", k->start_seen || (k->has_mono && k->first_mono <= START_S));
    row_real(&r, "user_space_mono_s", isnan(k->user_space) ? k->run_init : k->user_space);
    row_int(&r, "suppressed", k->suppressed);
    row_int(&r, "lines", k->lines);
    if (k->boot_id[0]) row_text(&r, "boot_id", str_of(k->boot_id));
    row_done(&r);
}

/* "-- Boot 5a1f0c3e77b24d194a0e0be2c61d8f47 --": 32 hex digits, since systemd 250. */
static void read_boot_id(Log *k, Str line) {
    if (!str_starts(line, "-- Boot ")) return;
    Str id = str_from(line, strlen("-- Boot "));
    id = str_word(&id);
    if (id.len != sizeof k->boot_id - 1) return;
    for (size_t i = 0; i < id.len; i++)
        if (!ch_hex(id.p[i])) return;
    memcpy(k->boot_id, id.p, id.len);
    k->boot_id[id.len] = '\0';
}

static void boot_next(Log *k) {
    if (!k->boot_open) return;
    if (k->boot + 1 >= MAX_BOOTS) {
        if (!k->told_boots)
            parse_note(k->ctx, k->at, "more than %d boots in one log; the rest is read as one", MAX_BOOTS);
        k->told_boots = true;
        return;
    }
    boot_end(k);
    boot_clear(k);
    k->boot++;
    facts_boot(k->ctx->facts, k->ctx->src, k->boot);
}

/* Does this line begin another boot? */
static bool is_new_boot(const Log *k, Str m, const LogPrefix *p) {
    if (!k->boot_open || k->lines == 0) return false;
    if (!isnan(p->mono_s) && k->has_mono && p->mono_s + BOOT_STEP_S < k->last_mono) return true;
    if (m.len > 14 && m.p[0] == 'L' && str_starts(m, "Linux version "))
        return k->version_seen || (!k->start_seen && k->lines > 20);
    if (m.len > 14 && m.p[0] == 'C' && str_starts(m, "Copyright (c) ") && str_has(m, "BSD Project."))
        return k->start_seen && k->lines > 2;
    return false;
}

/* ------------------------------------------------------------------ lines */

/* User-space programs whose lines are about storage; others may quote kernel messages without meaning them. */
static bool storage_daemon(Str tag) {
    static const char *const names[] = {
        "systemd", "zed",     "zfs",      "zpool",  "smartd", "mdadm",         "mdmonitor", "multipath", "ceph",
        "fstrim",  "lvm",     "dmeventd", "iscsi",  "udev",   "systemd-udevd", "rasdaemon", "mcelog",    "nut",
        "upsmon",  "ups",     "nfs",      "rpc",    "smbd",   "corosync",      "pve",       "proxmox",   "mdmon",
        "dmraid",  "storcli", "megaraid", "hpasmd", "hp-",    "chronyd",       "ntpd"}; /* these two set the clock by which waits are measured */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(tag, names[i])) return true;
    return false;
}

/* "N callbacks suppressed", "N messages suppressed", "** 5 printk messages dropped **": the number, 0 if it is no such line. */
static int64_t suppressed(Str m) {
    Str s = str_trim_right(m);
    if (s.len < 12) return 0;
    if (!str_ends(s, "suppressed") && !str_ends(s, "suppressed.") && !str_ends(s, " dropped **")) return 0;
    /* the last number in the line */
    size_t end = s.len;
    while (end > 0 && !ch_digit(s.p[end - 1])) end--;
    size_t from = end;
    while (from > 0 && ch_digit(s.p[from - 1])) from--;
    uint64_t v = 0;
    if (from == end || !str_u64(str_sub(s, from, end - from), &v) || v > 1000000000) return 0;
    return (int64_t)v;
}

/* "PM: Timekeeping suspended for 12.178 seconds", "Suspended for 12.178 seconds" of old kernels: the clock of the log stood still. */
static double slept(Str m) {
    if (m.len < 20 || m.len > 80 || !str_ends(str_trim_right(m), " seconds")) return 0;
    size_t at = str_find(m, "uspended for ");
    double s;
    if (at == SIZE_MAX) return 0;
    Str rest = str_from(m, at + 13);
    return str_double(str_word(&rest), &s) && s > 0 && s < 1e8 ? s : 0;
}

/* "last message repeated 5 times", "### [PREVIOUS LINE REPEATED 5 TIMES] ###": how many, 0: no such line. */
static int64_t repeats(Str m) {
    size_t at = str_ifind(m, " repeated ");
    uint64_t n;
    if (at == SIZE_MAX || (!str_has(str_sub(m, 0, at), "last message") && !str_has(str_sub(m, 0, at), "PREVIOUS LINE")))
        return 0;
    Str rest = str_from(m, at + 10);
    return cut_number(&rest, &n) && str_istarts(rest, " time") && n < 1000000000 ? (int64_t)n : 0;
}

/* One message, its prefixes stripped. raw: the line as it stands in the file. */
static void message(Log *k, const LogPrefix *p, Str raw, int64_t line) {
    Str m = str_trim_left(p->msg);
    int64_t times = 1;
    k->at = (Spot){.line = line, .text = raw};

    if (!m.len) return;
    /* rsyslog: "message repeated 5 times: [ the message]" */
    if (m.p[0] == 'm' && str_starts(m, "message repeated ")) {
        Str rest = str_from(m, 17);
        uint64_t n;
        if (cut_number(&rest, &n) && n < 1000000000 && cut_text(&rest, " times: [") && str_ends(rest, "]")) {
            LogPrefix inner;
            log_prefix(str_trim(str_sub(rest, 0, rest.len - 1)), NULL, &inner);
            m = inner.msg;
            times = (int64_t)n;
            if (!m.len) return;
        }
    }
    if (is_new_boot(k, m, p)) boot_next(k);
    if (!k->boot_open) {
        k->boot_open = true;
        k->first_at = keep_spot(k);
    }
    k->lines++;

    double mono = p->mono_s, wall = p->wall_s;
    if (!isnan(mono)) {
        if (!k->has_mono) k->first_mono = mono;
        k->has_mono = true;
        /* never back: stragglers of another CPU must not shorten the window */
        if (!(mono < k->last_mono)) k->last_mono = mono;
    } else if (!k->has_mono) {
        /* A log that has wall time only: seconds since its start line, in line order within a second. */
        double t = !isnan(wall) ? wall : p->year_s;
        if (m.p[0] == 'L' && str_starts(m, "Linux version ")) k->base_wall = t;
        if (!isnan(k->base_wall) && !isnan(t) && t >= k->base_wall) {
            mono = t - k->base_wall;
            if (!isnan(k->last_mono) && mono <= k->last_mono) mono = k->last_mono + 1e-6;
            if (isnan(k->first_mono)) k->first_mono = mono;
            k->last_mono = mono;
        }
    }
    if (isnan(wall) && !isnan(k->epoch_s) && !isnan(p->mono_s) && isnan(p->year_s))
        wall = k->epoch_s + mono + k->slept_s;
    else if (!isnan(wall) && !p->has_zone && !k->local_time) {
        k->local_time = true;
        facts_local_time(k->ctx->facts, k->ctx->src);
    }
    if (!isnan(wall)) {
        if (isnan(k->first_wall)) k->first_wall = wall;
        k->last_wall = wall;
    }
    if (isnan(k->first_year)) k->first_year = p->year_s;
    if (isnan(wall) && !isnan(p->year_s)) { /* facts_resolve() knows when the capture was made, and with it the year */
        if (k->last_year - p->year_s > 180 * 86400.0) k->turns++;
        k->last_year = p->year_s;
        wall = facts_yearless(p->year_s, k->turns);
        if (isnan(k->first_stamp)) k->first_stamp = wall;
        k->last_stamp = wall;
        if (!k->local_time && !p->has_zone) {
            k->local_time = true;
            facts_local_time(k->ctx->facts, k->ctx->src);
        }
    }
    k->mono_s = mono;
    k->wall_s = wall;

    k->slept_s += slept(m);
    int64_t lost = suppressed(m);
    if (lost) k->suppressed += lost;
    Pending *before = k->repeatable;
    k->repeatable = NULL;
    if (p->kernel || str_starts(m, "systemd[1]: ")) {
        int64_t again = repeats(m);
        if (again) {
            if (before && before->used) {
                before->count += again;
                set_last(k, before);
            }
            k->ctx->rows++;
            return;
        }
        bool known = kernel_probe_line(k, m, p);
        if (!known && !p->stamped) {
            /* "l: sd 0:0:0:0: ..." of a quoted `kernel: ` that lost its start */
            size_t colon = str_find(str_sub(m, 0, 10), ": ");
            if (colon != SIZE_MAX && colon < 8) {
                Str rest = str_from(m, colon + 2);
                if (str_starts(rest, "sd ") || str_starts(rest, "scsi ") || str_starts(rest, "ata"))
                    known = kernel_probe_line(k, rest, p);
            }
        }
        SigMatch match;
        if (signatures_match(k->sigs, m, &match)) {
            add_event(k, &match, times);
            known = true;
        }
        if (known || p->stamped) k->ctx->rows++;
    } else {
        SigMatch match;
        if (storage_daemon(p->tag) && signatures_match(k->sigs, m, &match)) add_event(k, &match, times);
        k->ctx->rows++;
    }
}

/* ------------------------------------------------------------------ JSON output of dmesg and journalctl */

/* The string behind `"key":` in a line of JSON, unescaped into buf. Keys cannot hide in values: their quotes are escaped. */
static Str json_field(Str line, const char *key, char *buf, size_t cap) {
    size_t at = str_find(line, key);
    if (at == SIZE_MAX) return STR_NONE;
    Str s = str_trim_left(str_from(line, at + strlen(key)));
    if (!s.len || s.p[0] != '"') return STR_NONE;
    size_t n = 0;
    for (size_t i = 1; i < s.len && s.p[i] != '"' && n + 4 < cap; i++) {
        if (s.p[i] != '\\' || i + 1 >= s.len) {
            buf[n++] = s.p[i];
            continue;
        }
        char c = s.p[++i];
        uint64_t code;
        if (c == 'u' && str_hex_u64(str_sub(s, i + 1, 4), &code) && i + 4 < s.len) {
            i += 4;
            if (code < 0x80) {
                buf[n++] = (char)code;
            } else if (code < 0x800) {
                buf[n++] = (char)(0xc0 | code >> 6);
                buf[n++] = (char)(0x80 | (code & 63));
            } else {
                buf[n++] = (char)(0xe0 | code >> 12);
                buf[n++] = (char)(0x80 | (code >> 6 & 63));
                buf[n++] = (char)(0x80 | (code & 63));
            }
        } else {
            buf[n++] = c == 'n' || c == 't' || c == 'r' ? ' ' : c;
        }
    }
    return (Str){buf, n};
}

/* dmesg --json prints one member per line; journalctl -o json one record per line. Returns whether the line was JSON. */
static bool json_line(Log *k, Str line, int64_t number, double *pending_mono) {
    char text[SIG_MAX_LINE], word[64];
    Str s = str_trim(line);
    LogPrefix p = {.kernel = true, .stamped = true, .mono_s = NAN, .wall_s = NAN, .year_s = NAN};
    if (s.len < 2) return false;
    if (str_starts(s, "\"time\":")) {
        Str v = str_trim(str_from(s, 7));
        if (str_ends(v, ",")) v.len--;
        if (!str_double(v, pending_mono)) *pending_mono = NAN;
        return true;
    }
    if (str_starts(s, "\"msg\":")) {
        p.msg = json_field(s, "\"msg\":", text, sizeof text);
        p.mono_s = *pending_mono;
        *pending_mono = NAN;
        message(k, &p, line, number);
        return true;
    }
    if (s.p[0] == '{' && str_has(s, "\"MESSAGE\"")) {
        size_t at = str_find(s, "\"MESSAGE\" :") != SIZE_MAX ? 1 : 0;
        p.msg = json_field(s, at ? "\"MESSAGE\" :" : "\"MESSAGE\":", text, sizeof text);
        double v;
        Str t = json_field(s, at ? "\"__REALTIME_TIMESTAMP\" :" : "\"__REALTIME_TIMESTAMP\":", word, sizeof word);
        if (str_double(t, &v) && v > 1e15) p.wall_s = v / 1e6;
        p.has_zone = true;
        char mono[64], id[64];
        t = json_field(s, at ? "\"__MONOTONIC_TIMESTAMP\" :" : "\"__MONOTONIC_TIMESTAMP\":", mono, sizeof mono);
        if (str_double(t, &v)) p.mono_s = v / 1e6;
        p.tag = json_field(s, at ? "\"SYSLOG_IDENTIFIER\" :" : "\"SYSLOG_IDENTIFIER\":", id, sizeof id);
        p.kernel = !p.tag.len || str_is(p.tag, "kernel");
        char whole[SIG_MAX_LINE + 80];
        if (!p.kernel) { /* daemons' signatures expect the tag */
            int n = snprintf(whole, sizeof whole, "%.*s: %.*s", STR_ARG(p.tag), STR_ARG(p.msg));
            if (n > 0) p.msg = (Str){whole, (size_t)n < sizeof whole ? (size_t)n : sizeof whole - 1};
        }
        message(k, &p, line, number);
        return true;
    }
    return s.p[0] == '{' || s.p[0] == '}' || s.p[0] == ']' || s.p[0] == '"';
}

/* ------------------------------------------------------------------ what a kernel line looks like */

/* FreeBSD announces each device by its parent: "ahci0: <Intel Patsburg AHCI SATA controller> port 0xf070 ... on pci0". */
static bool newbus_attach(Str s) {
    size_t at = 0, digits;
    while (at < s.len && at < 32 && ((s.p[at] >= 'a' && s.p[at] <= 'z') || s.p[at] == '_')) at++;
    digits = at;
    while (at < s.len && at < 32 && ch_digit(s.p[at])) at++;
    if (!digits || at == digits || !str_starts(str_from(s, at), ": <")) return false;
    size_t on = str_find(str_from(s, at), "> ");
    if (on == SIZE_MAX) return false;
    Str words[2], rest = str_trim(s);
    size_t blank = str_rfind_ch(rest, ' ');
    if (blank == SIZE_MAX || blank < 3 || !str_ends(str_sub(rest, 0, blank), " on")) return false;
    return str_words(str_from(rest, blank), words, 2) == 1 &&
           (ch_digit(rest.p[rest.len - 1]) || str_is(words[0], "motherboard"));
}

/* Openings of messages that no other tool's output starts with; first characters are looked at before anything else. */
static bool message_start(Str s) {
    Str hctl;
    uint64_t n;
    if (s.len < 6) return false;
    switch (s.p[0]) {
    case 'a': {
        if (str_starts(s, "ahci 0000:") || str_starts(s, "ata_piix 0000:") || str_starts(s, "audit: type="))
            return true;
        Str rest = s;
        if (cut_text(&rest, "ahcich")) return cut_number(&rest, &n) && str_starts(rest, ": ");
        if (cut_text(&rest, "ata")) {
            if (!cut_number(&rest, &n)) return false;
            if (rest.len && rest.p[0] == '.') {
                rest = str_from(rest, 1);
                if (!cut_number(&rest, &n)) return false;
            }
            return cut_text(&rest, ": ");
        }
        break;
    }
    case 's': {
        Str rest = s;
        if (str_starts(s, "scsi host") || str_starts(s, "systemd[1]: "))
            return str_find(str_sub(s, 0, 16), ": ") != SIZE_MAX;
        if (cut_text(&rest, "sd ") || cut_text(&rest, "scsi ") || cut_text(&rest, "sr "))
            return cut_hctl(&rest, &hctl) && str_starts(rest, ": ");
        if (cut_text(&rest, "scsi target")) return true;
        if (cut_text(&rest, "scsi")) return cut_number(&rest, &n) && str_starts(rest, " : ");
        break;
    }
    case 'b': return str_starts(s, "blk_update_request: ") || str_starts(s, "blk_print_req_error: ");
    case 'p': return str_starts(s, "print_req_error: ") || str_starts(s, "pcieport 0000:");
    case 'e': return str_starts(s, "end_request: ");
    case 'n': {
        Str rest = s;
        if (cut_text(&rest, "nvme nvme")) return cut_number(&rest, &n) && str_starts(rest, ": ");
        break;
    }
    case 'u': {
        if (str_starts(s, "usb-storage ") && s.len > 12 && ch_digit(s.p[12])) return true;
        return str_starts(s, "usb ") && s.len > 5 && ch_digit(s.p[4]) && str_find(str_sub(s, 0, 24), ": ") != SIZE_MAX;
    }
    case 'm':
        return str_starts(s, "mpt2sas_cm") || str_starts(s, "mpt3sas_cm") || str_starts(s, "mpt2sas0:") ||
               str_starts(s, "megaraid_sas 0000:") || str_starts(s, "md/raid") || str_starts(s, "md: ");
    case 'B':
        return str_starts(s, "Buffer I/O error on dev") || str_starts(s, "BTRFS error (device") ||
               str_starts(s, "BTRFS warning (device");
    case 'E': return str_starts(s, "EXT4-fs (") || str_starts(s, "EXT4-fs error");
    case 'X': return str_starts(s, "XFS (");
    case 'I': return str_starts(s, "INFO: task ") || str_starts(s, "INFO: rcu") || str_starts(s, "I/O error, dev ");
    case 'L': return str_starts(s, "Linux version ");
    case 'C': return str_starts(s, "Copyright (c) ") && str_has(s, "BSD Project");
    case '-':
        return str_starts(s, "---<<BOOT>>---") || str_starts(s, "-- Logs begin at ") ||
               str_starts(s, "-- Journal begins at ") || str_starts(s, "-- Boot ") || str_starts(s, "-- Reboot --");
    case '(': { /* (ada0:ahcich0:0:0:0): CAM status: ... */
        size_t end = str_find(str_sub(s, 0, 48), "): ");
        size_t colons = 0;
        for (size_t i = 0; end != SIZE_MAX && i < end; i++) colons += s.p[i] == ':';
        if (colons == 4 &&
            str_starts(s, "(pass")) /* camcontrol prints so, too: "(pass4:mps0:0:4:0): maxtags       255" */
            return end + 3 < s.len && s.p[end + 3] >= 'A' && s.p[end + 3] <= 'Z';
        return colons == 4 &&
               (kernel_fbsd_disk(str_from(s, 1)) > 0 || str_starts(s, "(aprobe") || str_starts(s, "(probe"));
    }
    case 'z': return str_starts(s, "zio pool=");
    default: break;
    }
    if (newbus_attach(s)) return true;
    size_t name = kernel_fbsd_disk(s);
    if (name) {
        Str rest = str_from(s, name);
        if (str_starts(rest, " at ")) return str_has(rest, " bus ") && str_has(rest, " target ");
        return (str_starts(rest, ": <") && (str_has(rest, "device") || str_has(rest, "namespace"))) ||
               str_has(rest, "MB/s transfers") || str_has(rest, ": Command Queueing enabled") ||
               str_has(rest, ": Serial Number ");
    }
    return false;
}

/* How surely is this a line of a kernel log? 0 no, 1 syslog of anybody, 2 a stamp as dmesg prints it, 3 the kernel's own. */
static int line_class(Str line) {
    if (!line.len) return 0;
    LogPrefix p;
    char first = line.p[0];
    if (first == '[' || first == '<' || ch_digit(first) || ch_alpha(first) || (first & 0x80)) {
        bool any = log_prefix(line, NULL, &p);
        if (any && p.stamped) {
            if (p.tagged && p.kernel) return 3;
            if (p.tagged) return 1;
            /* A bare date in front of a text is anybody's; a bare number in brackets only with the kernel's digits. */
            if (first == '[' || first == '<') {
                size_t end = str_find_ch(line, ']');
                bool whole = first == '[' && end != SIZE_MAX;
                for (size_t i = 1; whole && i < end; i++) whole = ch_digit(line.p[i]) || line.p[i] == ' ';
                /* FreeBSD prints whole seconds; so do footnotes and shell jobs. */
                return whole ? (message_start(p.msg) ? 3 : 0) : p.msg.len ? 2 : 0;
            }
            if (!isnan(p.mono_s)) return 3; /* facility or kmsg */
            return message_start(p.msg) ? 3 : 0;
        }
        if (any && first != '<' && message_start(p.msg)) return 3;
        if (any && str_starts(line, "kernel: ")) return 3;
    }
    if (message_start(first == ' ' ? str_trim_left(line) : line)) return 3;
    return 0;
}

static bool starts(Str line) {
    return line_class(line) > 0;
}

/* Text that belongs to a log although it has no stamp: continuation lines, FreeBSD and `dmesg -t` messages. Prose does not. */
static bool continues(Str line) {
    Str s = str_trim_right(line);
    if (!s.len || s.p[0] == ' ' || s.p[0] == '\t') return true;
    if (line_class(s) > 0) return true;
    if (str_starts(s, "(pass")) return false;
    if (str_starts(s, "```") || str_starts(s, "[/") || str_istarts(s, "[code") || str_starts(s, "===") ||
        str_starts(s, "#"))
        return false;
    if (str_has(s, ": ") || str_ends(s, ":") || str_ends(s, "...")) return true;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (ch_digit(c) || c == '=' || c == '<' || c == '>' || c == '[' || c == '(' || c == '/' || c == '_')
            return true;
    }
    /* Kernel messages are short: "Initialise system trusted keyrings", "All buffers synced.". Sentences are not. */
    Str words[10];
    size_t n = str_words(s, words, 10);
    char last = s.p[s.len - 1];
    if (str_has(s, "is a registered trademark of")) return true; /* FreeBSD's banner */
    return last != '?' && (n <= 6 || (n <= 8 && last != '.' && last != '!'));
}

/* Colour escapes, out of line. */
static Str without_colours(Str line, char *buf, size_t cap) {
    size_t n = 0;
    for (size_t i = 0; i < line.len && n < cap; i++) {
        size_t escape = str_csi(line, i);
        if (escape) i += escape - 1;
        else buf[n++] = line.p[i];
    }
    return (Str){buf, n};
}

static int bid(Str path, Str command, Str head) {
    int strong = 0, dmesg = 0, sys = 0, others = 0, looked = 0;
    bool opens = false; /* one of the first lines is the log's own: a prompt or a heading may stand before it */
    Str rest = head;
    if (str_has(str_sub(head, 0, 4096), "\"dmesg\": [") && str_has(str_sub(head, 0, 4096), "\"msg\":")) return 28;
    if (str_has(str_sub(head, 0, 16384), "\"__REALTIME_TIMESTAMP\"") && str_has(str_sub(head, 0, 16384), "\"MESSAGE\""))
        return 28;
    while (rest.len && looked < 60) {
        Str line = head_line(&rest);
        if (!str_trim(line).len) continue;
        looked++;
        char clean[1024]; /* colours */
        if (memchr(line.p, 0x1b, line.len)) line = without_colours(line, clean, sizeof clean);
        int class = line_class(line);
        if (class && looked <= 5) opens = true;
        switch (class) {
        case 3: strong++; break;
        case 2: dmesg++; break;
        case 1: sys++; break;
        default: others++; break;
        }
    }
    int seen = strong + dmesg + sys;
    bool called = command_is(command, "dmesg") || command_is(command, "journalctl") || path_has(path, "dmesg") ||
                  path_has(path, "journal") || path_has(path, "syslog") || path_has(path, "messages") ||
                  path_has(path, "kern.log");
    if (!looked) return 0;
    if (!seen) {
        /* "dmesg -t" of a machine whose first lines are memory maps, FreeBSD's dmesg cut in the middle: the name must say so,
           and the text must not look like prose or like a table */
        bool named = command_is(command, "dmesg") || path_has(path, "dmesg");
        int fits = 0;
        rest = head;
        for (int i = 0; rest.len && i < 60; i++) {
            Str line = head_line(&rest);
            if (continues(line)) fits++;
        }
        return named && fits > 0 ? 8 : 0;
    }
    /* A log quoted somewhere in another output does not make that output a log: what comes first decides. */
    if (!opens && seen * 3 < others && !called) return 0;
    int bits = (strong ? 18 : dmesg ? 16 : 12) + (seen >= 3 ? 6 : 0) + (called ? 4 : 0);
    return bits;
}

/* ------------------------------------------------------------------ the parser */

/* What somebody says about the log in the line below it: "I think the drive is bad". */
static bool sentence(Str s) {
    Str words[4];
    if (s.p[0] < 'A' || s.p[0] > 'Z' || str_words(s, words, 4) < 4) return false;
    for (size_t i = 0; i < s.len; i++)
        if (ch_digit(s.p[i]) || memchr(":[{=/_<", s.p[i], 7)) return false;
    return true;
}

/*
 * Mail and forum software cuts long lines. `next` continues `line` when it has no stamp although the log has them, does not start
 * like a message and is not indented (those are lines of their own), and `line` has the length at which wrapping happens.
 */
static bool is_wrapped(Str line, const LogPrefix *p, Str next) {
    if (line.len < 40 || line.len > 90 || !next.len) return false;
    char c = next.p[0];
    if (c == '[' || c == '<' || c == ' ' || c == '\t' || c == '-' || c == '{' || c == '"') return false;
    if (line.p[0] == c && next.len > 3 && memcmp(line.p, next.p, 3) == 0) return false; /* the next syslog date */
    if (line_class(next) > 0 || sentence(next)) return false;
    if (p->stamped) return true;
    /* Without stamps only a sentence that goes on in lower case behind a known opening. */
    bool lower = (c >= 'a' && c <= 'z') || ch_digit(c) || c == '(';
    return line.len >= 55 && lower && (message_start(p->msg) || (line.p[0] == ' ' && str_has(line, "res "))) &&
           str_find(str_sub(next, 0, 24), ": ") == SIZE_MAX;
}

/* "-- Logs begin at Mon 2024-07-01 12:00:00 CEST, end at Tue 2024-07-02 09:00:00 CEST. --": the year of stamps that have none,
   where both ends agree. */
static void header_year(Log *k, Str line) {
    int years[2] = {0, 0}, n = 0;
    for (size_t i = 0; i + 11 <= line.len && n < 2; i++) {
        uint64_t y;
        if (line.p[i] == ' ' && line.p[i + 5] == '-' && line.p[i + 8] == '-' && str_u64(str_sub(line, i + 1, 4), &y))
            years[n++] = (int)y;
    }
    if (n == 2 && years[0] == years[1] && !k->clock.year) k->clock.year = years[0];
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Error err;
    Log *k = arena_new_of(ctx->scratch, Log);
    k->ctx = ctx;
    k->sigs = signatures_builtin(&err);
    k->given_up = signatures_given_up(k->sigs);
    if (err.text[0])
        facts_note(ctx->facts, ctx->src, (Spot){0}, arena_strf(ctx->scratch, "a signature was left out: %s", err.text));
    boot_clear(k);
    facts_boot(ctx->facts, ctx->src, 0);

    char held[HELD], clean[SIG_MAX_LINE];
    double json_mono = NAN;
    bool json = false, first = true;
    Str line;
    while (input_line(in, &line)) {
        int64_t number = in->line;
        if (memchr(line.p ? line.p : "", 0x1b, line.len)) line = without_colours(line, clean, sizeof clean);
        if (!line.len) continue;
        if (first || json) {
            char c = str_trim_left(line).len ? str_trim_left(line).p[0] : ' ';
            if (first && c == '{') json = true;
            first = false;
            if (json && json_line(k, line, number, &json_mono)) continue;
        }
        /* journalctl's own lines */
        if (line.p[0] == '-') {
            if (str_starts(line, "-- Boot ") || str_starts(line, "-- Reboot --") ||
                str_starts(line, "---<<BOOT>>---")) {
                boot_next(k);
                read_boot_id(k, line);
                if (line.p[2] == '-') {
                    k->start_seen = true;
                    k->boot_open = true;
                    k->first_at = (Where){number, arena_str(ctx->scratch, line)};
                }
                ctx->rows++;
                continue;
            }
            if (str_starts(line, "-- ") && str_ends(str_trim_right(line), "--")) {
                header_year(k, line);
                continue;
            }
        }
        LogPrefix p;
        log_prefix(line, &k->clock, &p);
        if (line.len >= 40 && line.len <= 90) {
            /* Looking at the next line ends this one's life: everything that points into it moves to the copy. */
            size_t len = line.len, last_len = line.len, msg_at = (size_t)(p.msg.p - line.p);
            size_t tag_at = p.tag.p ? (size_t)(p.tag.p - line.p) : 0;
            memcpy(held, line.p, line.len);
            p.msg.p = held + msg_at;
            if (p.tag.p) p.tag.p = held + tag_at;
            p.host = STR_NONE;
            Str next;
            int joined = 0;
            while (joined < 4 && input_line(in, &next)) {
                if (!is_wrapped((Str){held + len - last_len, last_len}, &p, next) || len + 1 + next.len > sizeof held) {
                    input_unread(in);
                    break;
                }
                if (held[len - 1] != ' ') held[len++] = ' ';
                memcpy(held + len, next.p, next.len);
                len += next.len;
                last_len = next.len;
                joined++;
            }
            line = (Str){held, len};
            if (joined) p.msg = str_from(line, msg_at);
        }
        message(k, &p, line, number);
    }
    boot_end(k);
    if (signatures_given_up(k->sigs) > k->given_up)
        parse_note(ctx, (Spot){0}, "%zu lines were too costly for a signature and were not matched against it",
                   signatures_given_up(k->sigs) - k->given_up);
    return parse_result(ctx);
}

const Parser parser_kernel_log = {
    .name = "kernel-log",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .json_lines = true,
    .ask = "dmesg; journalctl -k -b -o short-precise",
};
