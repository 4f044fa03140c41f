/*
 * kernel_probe_fbsd.c - what FreeBSD's kernel says of the hardware when it attaches it: controllers, channels, disks, USB
 *
 * Reads   messages of a kernel log, prefixes stripped (kernel_log.c), that kernel_probe.c does not know as Linux's
 * Gives   settings (view kernel), same_as and edge rows
 * Sample  ahcich0: <AHCI channel> at channel 0 on ahci0
 *         ada0 at ahcich0 bus 0 scbus0 target 0 lun 0
 *         ada0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)
 *         umass0: <ASMT 2115, class 0/0, rev 2.10/1.00, addr 4> on usbus0
 * Varies  wording by version; the formats stand beside each reader
 */
#include "cam_target.h"
#include "kernel_log.h"

#include <stdio.h>

size_t kernel_fbsd_disk(Str s) {
    static const char *const names[] = {"ada", "da", "nda", "nvd", "cd", "vtbd", "mmcsd", "ad"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str rest = str_after(s, names[i]);
        size_t n = 0;
        while (rest.p && n < rest.len && n < 4 && ch_digit(rest.p[n])) n++;
        if (n && n < rest.len && (rest.p[n] == ':' || rest.p[n] == ' ')) return s.len - rest.len + n;
    }
    return 0;
}

static Channel *channel_get(Log *k, Str name, bool add) {
    for (size_t i = 0; i < k->channels.count; i++)
        if (str_is(name, k->channels.items[i].name)) return &k->channels.items[i];
    if (!add || name.len > 15 || !room(k, k->channels.count)) return NULL;
    Channel c = {.at = keep_spot(k)};
    copy_text(c.name, sizeof c.name, name);
    VEC_PUSH(k->ctx->scratch, &k->channels, c);
    return &k->channels.items[k->channels.count - 1];
}

static const FbsdController *controller_get(const Log *k, Str name) {
    for (size_t i = 0; i < k->fbsd.count; i++)
        if (str_is(name, k->fbsd.items[i].name)) return &k->fbsd.items[i];
    return NULL;
}

const char *kernel_fbsd_bdf(const Log *k, Str name) {
    const FbsdController *c = controller_get(k, name);
    return c ? c->bdf : NULL;
}

static bool sas_sim(Str sim) {
    return str_starts(sim, "mps") || str_starts(sim, "mpr") || str_starts(sim, "mpi3mr");
}

Str kernel_cam_disk(const Log *k, Str sim, Str target) {
    uint64_t number;
    if (!str_u64(target, &number)) return STR_NONE;
    for (size_t i = k->targets.count; i-- > 0;)
        if (k->targets.items[i].target == number && str_is(sim, k->targets.items[i].sim))
            return str_of(k->targets.items[i].disk);
    return STR_NONE;
}

void kernel_cam_learn(Log *k, Str sim, Str target, Str disk) {
    CamTarget t = {.sim = "", .disk = ""};
    if (!sas_sim(sim) || sim.len >= sizeof t.sim || disk.len >= sizeof t.disk || !str_u64(target, &t.target) ||
        str_eq(kernel_cam_disk(k, sim, target), disk) || !str_starts(disk, "da") || !room(k, k->targets.count))
        return;
    copy_text(t.sim, sizeof t.sim, sim);
    copy_text(t.disk, sizeof t.disk, disk);
    VEC_PUSH(k->ctx->scratch, &k->targets, t);
}

/* "ahci0: <...> ... at device 31.2 on pci0". Units of pciN are bus numbers only for the root bus, so no other is read. */
static void controller_line(Log *k, Str name, Str s) {
    size_t at = str_find(s, " at device ");
    if (at == SIZE_MAX || controller_get(k, name) || !room(k, k->fbsd.count) || name.len > 15) return;
    Str rest = str_from(s, at + 11);
    uint64_t slot, function;
    if (!cut_number(&rest, &slot) || !cut_text(&rest, ".") || !cut_number(&rest, &function) || slot > 31 ||
        function > 7)
        return;
    if (!str_starts(rest, " on pci0") || (rest.len > 8 && ch_digit(rest.p[8]))) return;
    FbsdController c;
    copy_text(c.name, sizeof c.name, name);
    snprintf(c.bdf, sizeof c.bdf, "0000:00:%02x.%x", (unsigned)slot, (unsigned)function);
    VEC_PUSH(k->ctx->scratch, &k->fbsd, c);
}

/* "ahci0: AHCI v1.30 with 6 6Gbps ports, Port Multiplier not supported": the ceiling of its ports, all of them taken together */
static void ahci_banner(Log *k, Str name, Str s) {
    const FbsdController *c = controller_get(k, name);
    size_t at = str_find(s, "Gbps ports");
    double speed;
    if (!c || at == SIZE_MAX) return;
    size_t from = at;
    while (from > 0 && (ch_digit(s.p[from - 1]) || s.p[from - 1] == '.')) from--;
    if (from < at && str_double(str_sub(s, from, at - from), &speed) && speed > 0)
        ctx_setting_real(k->ctx, ref_z(k, REF_PCI, c->bdf), "ahci_ports_gbps", speed, "kernel", k->at);
}

/*
 * "ugen0.5: <ASMT 2115> at usbus0", then "umass0 on uhub1" and
 * "umass0: <ASMT 2115, class 0/0, rev 2.10/1.00, addr 4> on usbus0": rev is the USB version of the device, then its own. The address
 * is not the number behind ugen, so the order of the lines ties the two.
 */
static void usb_line(Log *k, Str s) {
    Str name, rest;
    if (!str_starts(s, "umass")) {
        if (cut_tag(&s, &name) && str_starts(s, "<") && str_has(s, "> at usbus") && !str_ends(s, "(disconnected)")) {
            copy_text(k->last_ugen, sizeof k->last_ugen, name);
            k->last_ugen_line = k->at.line;
        }
        return;
    }
    size_t rev = str_find(s, ", rev "), on = str_find(s, "> on usbus");
    if (!cut_tag(&s, &name) || name.len > 15 || !str_starts(s, "<") || rev == SIZE_MAX || on == SIZE_MAX) return;
    rest = str_from(s, str_find(s, ", rev ") + 6);
    Str version = str_cut(&rest, '/');
    double number;
    if (!str_double(version, &number) || version.len > 5) return;
    Umass *u = NULL;
    for (size_t i = 0; i < k->umass.count && !u; i++)
        if (str_is(name, k->umass.items[i].name)) u = &k->umass.items[i];
    if (!u) {
        if (!room(k, k->umass.count)) return;
        Umass one = {.version = ""};
        copy_text(one.name, sizeof one.name, name);
        VEC_PUSH(k->ctx->scratch, &k->umass, one);
        u = &k->umass.items[k->umass.count - 1];
    }
    copy_text(u->version, sizeof u->version, version);
    u->at = keep_spot(k);
    Ref node = ref(k, REF_USB, name);
    set(k, node, "usb_version", version);
    set(k, node, "usb_driver", STR("umass"));
    if (k->last_ugen[0] && k->at.line - k->last_ugen_line <= 3)
        facts_same(k->ctx->facts, k->ctx->src, ref_z(k, REF_USB, k->last_ugen), node, "USB attach lines", k->at);
}

/* The disk of "umass-sim0" hangs on umass0. */
static void usb_disk(Log *k, Ref node, Str sim) {
    char name[16];
    snprintf(name, sizeof name, "umass%.*s", (int)(sim.len - 9 < 8 ? sim.len - 9 : 8), sim.p + 9);
    set(k, node, "transport", STR("usb"));
    set(k, node, "usb_driver", STR("umass"));
    facts_edge(k->ctx->facts, k->ctx->src, ref_z(k, REF_USB, name), node, k->at);
    for (size_t i = 0; i < k->umass.count; i++)
        if (strcmp(name, k->umass.items[i].name) == 0)
            set_at(k, node, "usb_version", str_of(k->umass.items[i].version), k->umass.items[i].at);
}

/* "ada0 at ahcich0 bus 0 scbus0 target 0 lun 0" */
static void attach_line(Log *k, Str disk, Str s) {
    Str bus = str_word(&s);
    Ref node = ref(k, REF_DISK, disk);
    set(k, node, "device_type", str_starts(disk, "cd") ? STR("cdrom") : STR("disk"));
    if (str_starts(bus, "umass-sim") && bus.len > 9) usb_disk(k, node, bus);
    if (str_starts(bus, "nvme")) set(k, node, "transport", STR("nvme"));
    if (str_starts(bus, "vt")) set(k, node, "transport", STR("virtio"));
    if (sas_sim(bus)) {
        facts_edge(k->ctx->facts, k->ctx->src, ref(k, REF_SCSI_HOST, bus), node, k->at);
        size_t target = str_find(s, " target "), lun = str_find(s, " lun ");
        if (target != SIZE_MAX && lun != SIZE_MAX && str_starts(disk, "da")) {
            Str t = str_from(s, target + 8), l = str_from(s, lun + 5);
            fbsd_sas_target(k->ctx, node, bus, str_word(&t), str_word(&l), k->at);
            t = str_from(s, target + 8);
            kernel_cam_learn(k, bus, str_word(&t), disk);
        }
    }
    if (!str_starts(bus, "ahcich") && !str_starts(bus, "ata") && !str_starts(bus, "siisch") &&
        !str_starts(bus, "mvsch"))
        return;
    /* ata(4) drives a controller through the IDE registers, ahci(4) does not: the channel's name tells the mode. Target 0 and 1 of an
       ata channel are its master and slave; elsewhere a target above 0 stands behind a multiplier. */
    bool ide = str_starts(bus, "ata");
    if (ide || str_starts(bus, "ahcich")) set(k, node, "sata_mode_seen", ide ? STR("ide") : STR("ahci"));
    if (ide) {
        size_t at = str_find(s, " target ");
        Str rest = at == SIZE_MAX ? STR("") : str_from(s, at + 8);
        uint64_t target;
        set(k, node, "ata_port", bus);
        if (cut_number(&rest, &target) && target <= 1) set(k, node, "ata_dev", target ? STR("01") : STR("00"));
    }
    Channel *c = channel_get(k, bus, true);
    if (!c) return;
    bool known = false;
    for (unsigned i = 0; i < c->disks && i < CHANNEL_DISKS; i++) known |= str_is(disk, c->disk[i]);
    if (known) return;
    if (c->disks < CHANNEL_DISKS) copy_text(c->disk[c->disks], sizeof c->disk[0], disk);
    c->disks++;
    c->at = keep_spot(k);
}

/* Link speeds by what CAM prints: payload rate in MB/s of SATA and SAS after 8b/10b. */
static void transfers(Log *k, Ref node, Str s, bool cam_ata) {
    double mb;
    size_t at = str_find(s, "MB/s transfers");
    if (at == SIZE_MAX || !str_double(str_sub(s, 0, at), &mb)) return;
    bool sata = str_has(s, "(SATA ");
    /* "SATA" without a revision, on ata(4) channels in legacy mode: 150.000 is a placeholder, the speed cannot be read. */
    if (sata || (!cam_ata && (mb == 150 || mb == 300 || mb == 600 || mb == 1200)))
        ctx_setting_real(k->ctx, node, "link_gbps", mb / 100, "kernel", k->at);
    else if (!cam_ata && (mb == 40 || mb == 400)) /* USB: high speed, SuperSpeed */
        ctx_setting_real(k->ctx, node, "link_gbps", mb == 40 ? 0.48 : 5, "kernel", k->at);
    if (sata) set(k, node, "transport", STR("sata"));
}

static bool masked(Str s) {
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != '.' && s.p[i] != '-' && s.p[i] != '*') return false;
    return true;
}

/* "<MODEL FIRMWARE> ACS-4 ATA SATA 3.x device", "<VENDOR MODEL REV> Fixed Direct Access SPC-4 SCSI device", "<MODEL> NVMe namespace" */
static void identity(Log *k, Str disk, Ref node, Str s) {
    size_t end = str_rfind_ch(s, '>');
    if (end == SIZE_MAX || end < 2) return;
    Str rest = str_from(s, end + 1), id = str_sub(s, 1, end - 1);
    bool blank_vendor = id.len && id.p[0] == ' ';
    id = str_trim(id);
    if (str_starts(str_trim_left(rest), "s/n ")) return; /* the line that says it is gone */
    if (str_starts(disk, "nvd")) {
        set(k, node, "model", id);
        set(k, node, "transport", STR("nvme"));
        return;
    }
    bool nda = str_starts(disk, "nda"),
         ata = str_has(rest, " ATA ") || str_has(rest, " ATAPI ") || str_starts(disk, "ad");
    if (!str_has(rest, "device") && !nda) return;
    if (str_has(rest, " SATA ")) set(k, node, "transport", STR("sata"));
    if (str_starts(str_trim_left(rest), "Removable ")) set(k, node, "removable", STR("1"));
    else if (str_starts(str_trim_left(rest), "Fixed ")) set(k, node, "removable", STR("0"));
    /* "SATA 3.x" is word 76 of IDENTIFY: what the drive can do, not what was negotiated (ata_all.c, ata_print_ident()) */
    static const struct {
        const char *text;
        double gbps;
    } generations[] = {{" SATA 1.x ", 1.5}, {" SATA 2.x ", 3}, {" SATA 3.x ", 6}};
    for (size_t i = 0; i < 3; i++)
        if (str_has(rest, generations[i].text))
            ctx_setting_real(k->ctx, node, "link_max_gbps", generations[i].gbps, "kernel", k->at);
    size_t blank = str_rfind_ch(id, ' ');
    if (nda && blank != SIZE_MAX) { /* model, firmware, serial */
        Str serial = str_from(id, blank + 1);
        if (masked(serial)) return;
        set(k, node, "serial", serial);
        id = str_trim(str_sub(id, 0, blank));
        blank = str_rfind_ch(id, ' ');
    }
    if (blank == SIZE_MAX) {
        set(k, node, "model", id);
        return;
    }
    set(k, node, "firmware", str_from(id, blank + 1));
    id = str_trim(str_sub(id, 0, blank));
    size_t first = str_find_ch(id, ' ');
    if (!ata && !nda && !blank_vendor && first != SIZE_MAX) {
        Str vendor = str_sub(id, 0, first);
        set(k, node, "vendor", vendor);
        id = str_trim(str_from(id, first));
        if (str_is(vendor, "ATA")) set(k, node, "transport", STR("sata"));
    }
    set(k, node, "model", id);
}

static bool disk_line(Log *k, Str s, size_t name_len) {
    Str disk = str_sub(s, 0, name_len);
    s = str_from(s, name_len);
    if (cut_text(&s, " at ")) {
        if (!str_has(s, " bus ") && !str_has(s, " scbus")) return false;
        attach_line(k, disk, s);
        return true;
    }
    if (!cut_text(&s, ": ") || !s.len) return false;
    if (s.p[0] == '<') {
        identity(k, disk, ref(k, REF_DISK, disk), s);
    } else if (cut_text(&s, "Serial Number ")) {
        s = str_trim(s);
        if (s.len >= 3 && !masked(s)) set(k, ref(k, REF_DISK, disk), "serial", s);
    } else if (str_has(s, "MB/s transfers")) {
        transfers(k, ref(k, REF_DISK, disk), s, str_starts(disk, "ad"));
    } else if (ch_digit(s.p[0]) && str_has(s, "MB (")) {
        /* 953869MB (1953525168 512 byte sectors) */
        uint64_t sectors, size;
        Str in = str_from(s, str_find(s, "MB (") + 4);
        if (cut_number(&in, &sectors) && cut_text(&in, " ") && cut_number(&in, &size) &&
            str_starts(in, " byte sectors") && size >= 256 && size <= 1 << 20 && sectors &&
            sectors <= (uint64_t)INT64_MAX / size) {
            Ref node = ref(k, REF_DISK, disk);
            ctx_setting_int(k->ctx, node, "size_bytes", (int64_t)(sectors * size), "kernel", k->at);
            ctx_setting_int(k->ctx, node, "logical_block_bytes", (int64_t)size, "kernel", k->at);
        }
    }
    return true;
}

/* "ses0: ada0 in 'Slot 00', SATA Slot: scbus0 target 0" */
static void ses_line(Log *k, Str s) {
    Str name;
    if (!cut_tag(&s, &name)) return;
    size_t at = str_find(s, " in 'Slot ");
    if (at == SIZE_MAX || at > 15) return;
    Str disk = str_sub(s, 0, at), slot = str_from(s, at + 10);
    if (disk.len && str_find_ch(slot, '\'') != SIZE_MAX) set(k, ref(k, REF_DISK, disk), "slot", str_cut(&slot, '\''));
}

/* "ahcich0: <AHCI channel> at channel 0 on ahci0" */
static bool channel_line(Log *k, Str s) {
    size_t at = str_find(s, " at channel ");
    Str name, rest;
    uint64_t index;
    if (at == SIZE_MAX || !cut_tag(&s, &name)) return false;
    at = str_find(s, " at channel ");
    rest = str_from(s, at + 12);
    if (!cut_number(&rest, &index) || index > 255 || !cut_text(&rest, " on ")) return false;
    Channel *c = channel_get(k, name, true);
    if (!c) return true;
    c->index = (unsigned)index + 1;
    copy_text(c->controller, sizeof c->controller, str_word(&rest));
    return true;
}

/* "pci2: <ACPI PCI bus> on pcib2" */
static void bus_line(Log *k, Str m) {
    Str rest = str_from(m, 3);
    uint64_t bus, bridge;
    size_t on = str_find(m, "> on pcib");
    if (on == SIZE_MAX || !cut_number(&rest, &bus) || bus > 255 || !cut_text(&rest, ": <")) return;
    rest = str_from(m, on + 9);
    if (cut_number(&rest, &bridge) && !rest.len && bridge < 1000) k->pci_bridge[bus] = (uint16_t)(bridge + 1);
}

/* "nvme0: <Generic NVMe Device> mem 0xf7900000-0xf7903fff irq 17 at device 0.0 on pci2": with the line of its bus it tells the port
   above, which pciconf knows by the name pcib2. */
static void parent_line(Log *k, Str m) {
    static const char *const drivers[] = {"nvme", "mps", "mpr", "mpi3mr", "mfi", "mrsas", "ahci", "isp", "ciss", "aac"};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        Str rest = str_after(m, drivers[i]);
        uint64_t unit, bus;
        if (!rest.p || !cut_number(&rest, &unit) || unit > 999 || !cut_text(&rest, ": <")) continue;
        size_t at = str_find(rest, " at device ");
        size_t on = at == SIZE_MAX ? SIZE_MAX : str_find(str_from(rest, at), " on pci");
        if (on == SIZE_MAX) return;
        rest = str_from(rest, at + on + 7);
        if (!cut_number(&rest, &bus) || bus > 255 || !k->pci_bridge[bus]) return;
        char text[48];
        snprintf(text, sizeof text, "%s%u=pcib%u", drivers[i], (unsigned)unit, (unsigned)(k->pci_bridge[bus] - 1));
        set(k, ref_z(k, REF_HOST, "host"), "pci_parent", str_of(text));
        return;
    }
}

void kernel_fbsd_bus_line(Log *k, Str m) {
    if (m.len < 4) return;
    if (m.p[0] == 'p' && ch_digit(m.p[3]) && str_starts(m, "pci")) bus_line(k, m);
    else if (m.p[0] == 'n' || m.p[0] == 'm' || m.p[0] == 'a' || m.p[0] == 'i' || m.p[0] == 'c') parent_line(k, m);
}

bool kernel_fbsd_line(Log *k, Str m) {
    if (str_starts(m, "ahci") || str_starts(m, "ata")) {
        if (channel_line(k, m)) return true;
        Str rest = m, name;
        if (cut_tag(&rest, &name) && str_starts(rest, "<")) {
            controller_line(k, name, rest);
            return true;
        }
        rest = m;
        if (cut_tag(&rest, &name) && str_starts(rest, "AHCI v")) ahci_banner(k, name, rest);
    }
    if (m.len > 3 && str_starts(m, "ses") && ch_digit(m.p[3])) {
        ses_line(k, m);
        return true;
    }
    if (str_starts(m, "umass") || str_starts(m, "ugen")) {
        usb_line(k, m);
        return true;
    }
    size_t n = kernel_fbsd_disk(m);
    return n && disk_line(k, m, n);
}
