/*
 * kernel_probe.c - what drivers say of the hardware when they bind: libata, SCSI, NVMe, USB, and the machine itself
 *
 * Reads   messages of a kernel log, prefixes stripped (kernel_log.c)
 * Gives   settings (view kernel; DMI text: firmware), same_as and edge rows
 * Sample  ata2.00: 976773168 sectors, multi 1: LBA48 NCQ (depth 32), AA
 *         sd 1:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA
 *         nvme nvme0: pci function 0000:01:00.0
 * Varies  wording by kernel version (3.10 to 7.0 were compared); the formats stand beside each reader
 */
#include "kernel_log.h"

#include "device_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ names and tables of this boot */

static Ref ata_ref(Log *k, unsigned port) {
    char name[24];
    snprintf(name, sizeof name, "ata%u", port);
    return ref_z(k, REF_ATA, name);
}

static Ref ata_device_ref(Log *k, unsigned port, unsigned dev) {
    char name[32];
    snprintf(name, sizeof name, "ata%u.%02u", port, dev);
    return ref_z(k, REF_ATA, name);
}

static Port *port_find(const Log *k, unsigned number) {
    for (size_t i = k->ports.count; i-- > 0;)
        if (k->ports.items[i].number == number) return &k->ports.items[i];
    return NULL;
}

static Port *port_get(Log *k, unsigned number) {
    Port *known = port_find(k, number);
    if (known) return known;
    if (!room(k, k->ports.count)) return NULL;
    Port p = {.number = number, .at = keep_spot(k)};
    VEC_PUSH(k->ctx->scratch, &k->ports, p);
    return &k->ports.items[k->ports.count - 1];
}

static AtaDevice *ata_get(Log *k, unsigned port, unsigned dev) {
    for (size_t i = k->ata.count; i-- > 0;)
        if (k->ata.items[i].port == port && k->ata.items[i].dev == dev) return &k->ata.items[i];
    if (!room(k, k->ata.count)) return NULL;
    AtaDevice d = {.port = port, .dev = dev, .at = keep_spot(k)};
    VEC_PUSH(k->ctx->scratch, &k->ata, d);
    return &k->ata.items[k->ata.count - 1];
}

static Host *host_get(Log *k, unsigned number) {
    for (size_t i = k->hosts.count; i-- > 0;)
        if (k->hosts.items[i].number == number) return &k->hosts.items[i];
    return NULL;
}

static ScsiDevice *scsi_get(Log *k, Str hctl) {
    if (!k->scsi_slots) k->scsi_slots = arena_array(k->ctx->scratch, uint32_t, SCSI_SLOTS);
    size_t i = str_hash(hctl) % SCSI_SLOTS;
    for (; k->scsi_slots[i]; i = (i + 1) % SCSI_SLOTS)
        if (str_eq(k->scsi.items[k->scsi_slots[i] - 1].hctl, hctl)) return &k->scsi.items[k->scsi_slots[i] - 1];
    if (!room(k, k->scsi.count)) return NULL;
    ScsiDevice d = {.hctl = arena_str(k->ctx->scratch, hctl), .at = keep_spot(k)};
    Str rest = hctl, part;
    unsigned *to[] = {&d.h, &d.c, &d.t, &d.l};
    for (size_t n = 0; n < 4; n++) {
        uint64_t v = 0;
        part = str_cut(&rest, ':');
        *to[n] = str_u64(part, &v) && v < UINT32_MAX ? (unsigned)v : UINT32_MAX;
    }
    VEC_PUSH(k->ctx->scratch, &k->scsi, d);
    k->scsi_slots[i] = (uint32_t)k->scsi.count;
    return &k->scsi.items[k->scsi.count - 1];
}

/* ------------------------------------------------------------------ probe lines: libata */

/* Gbit/s of "6.0 Gbps". */
static bool gbps(Str s, double *out) {
    size_t n = 0;
    while (n < s.len && (ch_digit(s.p[n]) || s.p[n] == '.')) n++;
    return n && str_starts(str_from(s, n), " Gbps") && str_double(str_sub(s, 0, n), out);
}

/* "SATA max UDMA/133 abar m2048@0xf7f36000 port 0xf7f36180 irq 27", "PATA max UDMA/100 cmd 0x1f0 ctl 0x3f6 bmdma ..." */
static void ata_port_line(Log *k, unsigned number, Str rest) {
    Port *p = port_get(k, number);
    if (!p) return;
    Ref node = ata_ref(k, number);
    p->sata = rest.p[0] == 'S';
    p->at = keep_spot(k);
    bool abar = str_has(rest, " abar "), dummy = str_starts(rest, "DUMMY");
    p->mode = abar ? "ahci" : str_has(rest, " cmd ") && str_has(rest, " ctl ") ? "ide" : NULL;
    if (p->mode) set(k, node, "sata_mode_seen", str_of(p->mode));
    /* since 6.9: "irq 125 lpm-pol 3"; the words are those of link_power_management_policy (libata-sata.c) */
    static const char *const policies[] = {"max_performance", "medium_power", "med_power_with_dipm",
                                           "min_power_with_partial", "min_power"};
    size_t policy = str_find(rest, " lpm-pol ");
    if (policy != SIZE_MAX && policy + 9 < rest.len && rest.p[policy + 9] >= '1' && rest.p[policy + 9] <= '5')
        set(k, node, "lpm_policy", str_of(policies[rest.p[policy + 9] - '1']));
    /* AHCI: the port's registers stand at abar + 0x100 + 0x80 * index (AHCI 1.3.1, section 3). */
    size_t at = str_find(rest, "@0x"), port_at = str_find(rest, " port 0x");
    uint64_t base, port;
    if (abar && at != SIZE_MAX && port_at != SIZE_MAX) {
        Str b = str_from(rest, at + 1), q = str_from(rest, port_at + 6);
        if (str_hex_u64(str_word(&b), &base) && str_hex_u64(str_word(&q), &port) && port >= base + 0x100 &&
            (port - base - 0x100) % 0x80 == 0 && (port - base - 0x100) / 0x80 < 32)
            p->index = (unsigned)((port - base - 0x100) / 0x80) + 1;
    }
    /* The hosts of a controller are made before its ports are announced, both in port order. */
    for (size_t i = 0; i < k->hosts.count && !p->has_host; i++) {
        Host *h = &k->hosts.items[i];
        if (!h->libata || h->has_port) continue;
        h->has_port = true;
        h->ata_port = number;
        p->host = h->number;
        p->has_host = true;
        /* Two controllers that probe at the same time mix their hosts; the register address gives it away. */
        if (p->index && h->bdf[0] && h->port_index + 1 != p->index) {
            p->has_host = false;
            break;
        }
        copy_text(p->bdf, sizeof p->bdf, str_of(h->bdf));
        if (!p->index && h->bdf[0] && !dummy) p->index = h->port_index + 1;
        facts_same(k->ctx->facts, k->ctx->src, node,
                   ref(k, REF_SCSI_HOST, arena_strf(k->ctx->scratch, "host%u", h->number)),
                   "libata host and port order", k->at);
    }
    if (p->index) ctx_setting_int(k->ctx, node, "port", p->index, "kernel", k->at);
    if (p->bdf[0]) {
        set(k, node, "pci", str_of(p->bdf));
        facts_edge(k->ctx->facts, k->ctx->src, ref_z(k, REF_PCI, p->bdf), node, k->at);
    }
}

/* "SATA link up 6.0 Gbps (SStatus 133 SControl 300)" of a port, or of one link behind a multiplier or of a slave link. */
static void ata_link_line(Log *k, Ref node, Str rest) {
    static const double speeds[] = {0, 1.5, 3.0, 6.0};
    double speed;
    if (gbps(rest, &speed)) ctx_setting_real(k->ctx, node, "link_gbps", speed, "kernel", k->at);
    size_t at = str_find(rest, "SControl ");
    if (at == SIZE_MAX) return;
    /* SControl, hex without 0x: bits 4 to 7 are the highest speed the host allows, 0 is no limit (SATA 3.x, SControl SPD). */
    Str value = str_from(rest, at + 9);
    size_t n = 0;
    while (n < value.len && ch_hex(value.p[n])) n++;
    uint64_t scontrol;
    if (!str_hex_u64(str_sub(value, 0, n), &scontrol)) return;
    unsigned limit = (unsigned)(scontrol >> 4) & 15;
    if (limit >= 1 && limit <= 3) ctx_setting_real(k->ctx, node, "link_limit_gbps", speeds[limit], "kernel", k->at);
}

/* "ATA-10: MODEL, FIRMWARE, max UDMA/133" */
static void ata_identify_line(Log *k, unsigned port, unsigned dev, Str rest, bool atapi) {
    size_t max = SIZE_MAX;
    for (size_t i = 0; i + 6 <= rest.len; i++)
        if (memcmp(rest.p + i, ", max ", 6) == 0) max = i; /* the last one: a model may say anything */
    if (max == SIZE_MAX) {
        parse_note(k->ctx, k->at, "identify line of ata%u.%02u is cut off", port, dev);
        return;
    }
    Str both = str_sub(rest, 0, max);
    size_t comma = str_rfind_ch(both, ',');
    if (comma == SIZE_MAX) {
        parse_note(k->ctx, k->at, "identify line of ata%u.%02u has no firmware", port, dev);
        return;
    }
    Str model = str_trim(str_sub(both, 0, comma)), firmware = str_trim(str_from(both, comma + 1));
    AtaDevice *d = ata_get(k, port, dev);
    Ref node = ata_device_ref(k, port, dev);
    const Port *p = port_find(k, port);
    set(k, node, "model", model);
    set(k, node, "firmware", firmware);
    set(k, node, "transport", p && p->sata ? STR("sata") : STR("ata"));
    set(k, node, "device_type", atapi ? STR("cdrom") : STR("disk"));
    if (!d) return;
    d->identified = true;
    d->atapi = atapi;
    d->model = arena_str(k->ctx->scratch, model);
    d->firmware = arena_str(k->ctx->scratch, firmware);
    d->at = keep_spot(k);
}

/* "7814037168 sectors, multi 16: LBA48 NCQ (depth 31/32), AA" */
static void ata_sectors_line(Log *k, unsigned port, unsigned dev, Str rest) {
    uint64_t sectors, depth;
    if (!cut_number(&rest, &sectors) || !cut_text(&rest, " sectors, ")) return;
    AtaDevice *d = ata_get(k, port, dev);
    if (d) {
        d->sectors = sectors;
        d->sectors_at = keep_spot(k);
    }
    Ref node = ata_device_ref(k, port, dev);
    size_t ncq = str_find(rest, "NCQ (");
    if (ncq == SIZE_MAX) {
        /* libata prints nothing when the drive's own identify data has no NCQ (ata_dev_config_ncq) */
        if (str_has(rest, "LBA")) ctx_setting_int(k->ctx, node, "ncq_depth", 0, "kernel", k->at);
        return;
    }
    rest = str_from(rest, ncq + 5);
    if (str_starts(rest, "not used")) ctx_setting_int(k->ctx, node, "ncq_depth", 0, "kernel", k->at);
    /* "depth 31/32" is host and drive; the first, smaller one is what is used, 0 on a controller in IDE mode */
    else if (cut_text(&rest, "depth ") && cut_number(&rest, &depth) && depth <= 256)
        ctx_setting_int(k->ctx, node, "ncq_depth", (int64_t)depth, "kernel", k->at);
    set(k, node, "ncq_supported", STR("yes"));
}

/* Behind "ata". */
static bool ata_line(Log *k, Str s) {
    uint64_t port, dev = 0;
    bool has_dev = false;
    if (!cut_number(&s, &port) || port > 100000) return false;
    if (s.len > 2 && s.p[0] == '.') {
        s = str_from(s, 1);
        if (!cut_number(&s, &dev) || dev > 99) return false;
        has_dev = true;
    }
    if (!cut_text(&s, ":")) return false;
    s = str_trim_left(s);
    if (s.len && s.p[0] == '<') return false; /* FreeBSD: "ata0: <ATA channel> at channel 0 on atapci0" */
    unsigned n = (unsigned)port, d = (unsigned)dev;
    if (str_starts(s, "SATA link up "))
        ata_link_line(k, has_dev ? ata_device_ref(k, n, d) : ata_ref(k, n), str_from(s, 13));
    else if (str_starts(s, "SATA max ") || str_starts(s, "PATA max ") || str_starts(s, "DUMMY")) ata_port_line(k, n, s);
    else if (has_dev && str_starts(s, "ATA-")) {
        size_t colon = str_find(s, ": ");
        if (colon != SIZE_MAX && colon < 8) ata_identify_line(k, n, d, str_from(s, colon + 2), false);
    } else if (has_dev && str_starts(s, "ATAPI: ")) ata_identify_line(k, n, d, str_from(s, 7), true);
    else if (has_dev && str_starts(s, "CFA: ")) ata_identify_line(k, n, d, str_from(s, 5), false);
    else if (has_dev && s.len && ch_digit(s.p[0])) ata_sectors_line(k, n, d, s);
    else if (has_dev && (str_starts(s, "exception ") || str_starts(s, "failed command") || str_starts(s, "cmd "))) {
        snprintf(k->last_ata_name, sizeof k->last_ata_name, "ata%u.%02u", n, d);
        k->last_ata = ata_device_ref(k, n, d);
        k->last_ata_line = k->at.line;
    }
    return true;
}

static void controller_seen(Log *k, const char *driver, Str bdf, unsigned ports) {
    for (size_t i = 0; i < k->controllers.count; i++)
        if (str_eq(str_of(k->controllers.items[i].bdf), bdf)) return;
    if (!room(k, k->controllers.count)) return;
    Controller c = {.ports = ports};
    copy_text(c.driver, sizeof c.driver, str_of(driver));
    copy_text(c.bdf, sizeof c.bdf, bdf);
    VEC_PUSH(k->ctx->scratch, &k->controllers, c);
}

/* "ahci 0000:00:17.0: AHCI 0001.0301 32 slots 6 ports 6 Gbps 0x3f impl SATA mode", since 6.x in two lines:
   "AHCI vers 0001.0301, 32 command slots, 6 Gbps, SATA mode" and "6/6 ports implemented (port mask 0x3f)" */
static bool ahci_line(Log *k, Str s) {
    Str bdf;
    if (!cut_tag(&s, &bdf) || !is_bdf(bdf)) return false;
    size_t at;
    uint64_t ports = 0, mask = 0;
    double speed;
    if (str_starts(s, "AHCI ")) {
        at = str_find(s, " Gbps");
        if (at != SIZE_MAX) {
            size_t from = at;
            while (from > 0 && (ch_digit(s.p[from - 1]) || s.p[from - 1] == '.')) from--;
            if (from < at && str_double(str_sub(s, from, at - from), &speed))
                ctx_setting_real(k->ctx, ref(k, REF_PCI, bdf), "ahci_ports_gbps", speed, "kernel", k->at);
        }
        at = str_find(s, " slots ");
        if (at == SIZE_MAX) return true;
        Str rest = str_from(s, at + 7);
        if (!cut_number(&rest, &ports)) return true;
        at = str_find(rest, " Gbps 0x");
        if (at != SIZE_MAX) rest = str_from(rest, at + 6);
        str_hex_u64(str_word(&rest), &mask);
    } else if ((at = str_find(s, " ports implemented (port mask 0x")) != SIZE_MAX) {
        Str rest = str_from(s, at + 30);
        str_hex_u64(str_cut(&rest, ')'), &mask);
        Str counts = str_sub(s, 0, at);
        str_cut(&counts, '/');
        cut_number(&counts, &ports);
    } else {
        return true;
    }
    /* ahci makes a host for every number up to the highest implemented port, dummies between them */
    unsigned highest = 0;
    while (highest < 32 && mask >> highest) highest++;
    controller_seen(k, "ahci", bdf, ports > highest ? (unsigned)ports : highest);
    return true;
}

/* ------------------------------------------------------------------ probe lines: SCSI */

/* "sata_nv 0000:00:0e.0: Using SWNCQ mode", "pata_via 0000:00:0f.1: ...": these print nothing of their ports. A function of such a
   chip has two of them; hosts beyond that belong to a function that said nothing. */
static bool sff_line(Log *k, Str s) {
    static const char *const drivers[] = {"sata_nv", "sata_via", "sata_sis", "sata_uli"};
    Str driver = str_word(&s), bdf;
    bool known = str_starts(driver, "pata_");
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) known |= str_is(driver, drivers[i]);
    s = str_trim_left(s);
    if (!known || driver.len > 15 || !cut_tag(&s, &bdf) || !is_bdf(bdf)) return false;
    controller_seen(k, arena_cstr(k->ctx->scratch, driver), bdf, 2);
    return true;
}

static bool is_libata(Str driver) {
    static const char *const starts[] = {"ahci", "ata_", "pata_", "sata_", "pdc_adma", "acard-ahci"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(driver, starts[i])) return true;
    return false;
}

/* "scsi host6: usb-storage 2-1:1.0", "scsi host2: ahci", "scsi0 : ata_piix" */
static void scsi_host_line(Log *k, unsigned number, Str rest) {
    /* "scsi host6: uas_eh_device_reset_handler start" is an error, not a birth. */
    if (!rest.len || str_starts(rest, "uas_") || str_has(rest, "reset") || str_has(rest, "rror")) return;
    Host h = {.number = number};
    Str line = rest, driver = str_word(&rest);
    copy_text(h.driver, sizeof h.driver, driver);
    h.libata = is_libata(driver);
    for (size_t i = 0; h.libata && i < k->controllers.count; i++) {
        Controller *c = &k->controllers.items[i];
        if (!str_starts(driver, c->driver) || c->hosts >= c->ports) continue;
        copy_text(h.bdf, sizeof h.bdf, str_of(c->bdf));
        h.port_index = c->hosts++;
        break;
    }
    if (str_is(driver, "usb-storage") || str_is(driver, "uas")) {
        Str path = str_word(&rest);
        size_t colon = str_find_ch(path, ':');
        if (colon != SIZE_MAX) path = str_sub(path, 0, colon);
        /* uas prints no path: it is the device that was announced last */
        for (size_t i = k->usb.count; i-- > 0 && !h.usb;) {
            Usb *u = &k->usb.items[i];
            if (path.len ? str_is(path, u->path) : !u->driver) {
                u->driver = str_is(driver, "uas") ? "uas" : "usb-storage";
                h.usb = i + 1;
                size_t dash = str_find_ch(str_of(u->path), '-');
                uint64_t bus;
                if (dash != SIZE_MAX && str_u64(str_sub(str_of(u->path), 0, dash), &bus) && bus < 64)
                    copy_text(h.bdf, sizeof h.bdf, str_of(k->usb_bus[bus]));
            }
        }
    } else if (!h.libata && k->last_hba[0] &&
               (str_starts(driver, k->last_hba_driver) || str_starts(line, "Fusion MPT") ||
                str_has(line, "MegaRAID"))) {
        copy_text(h.bdf, sizeof h.bdf, str_of(k->last_hba));
    }
    Ref node = ref(k, REF_SCSI_HOST, arena_strf(k->ctx->scratch, "host%u", number));
    if (str_starts(line, "Fusion MPT") && k->last_ioc[0])
        facts_same(k->ctx->facts, k->ctx->src, node, ref_z(k, REF_SCSI_HOST, k->last_ioc),
                   "next SCSI host behind the adapter", k->at);
    if (h.bdf[0]) facts_edge(k->ctx->facts, k->ctx->src, ref_z(k, REF_PCI, h.bdf), node, k->at);
    if (room(k, k->hosts.count)) VEC_PUSH(k->ctx->scratch, &k->hosts, h);
}

/* "Direct-Access     ATA      SanDisk SDSSDA24 70RL PQ: 0 ANSI: 5": 17 bytes type, 8 vendor, 16 model, 4 revision */
static void inquiry_line(Log *k, Str hctl, Str s) {
    static const struct {
        const char *scsi, *type;
    } types[] = {{"Direct-Access", "disk"}, {"CD-ROM", "cdrom"}, {"Enclosure", "enclosure"}};
    size_t pq = str_find(s, " PQ: ");
    if (pq == SIZE_MAX || pq < 20) return;
    Str type = str_trim(str_sub(s, 0, 17)), id = str_sub(s, 0, pq), vendor, model, rev;
    if (pq == 17 + 1 + 8 + 1 + 16 + 1 + 4) {
        vendor = str_trim(str_sub(s, 18, 8));
        model = str_trim(str_sub(s, 27, 16));
        rev = str_trim(str_sub(s, 44, 4));
    } else {
        /* runs of blanks were squeezed on the way: type, vendor, model words, revision */
        Str words[12];
        size_t n = str_words(id, words, 12);
        if (n < 4 || n > 12) return;
        type = words[0];
        vendor = words[1];
        rev = words[n - 1];
        model = (Str){words[2].p, (size_t)(words[n - 2].p + words[n - 2].len - words[2].p)};
    }
    ScsiDevice *d = scsi_get(k, hctl);
    if (!d) return;
    d->inquiry = true;
    d->type[0] = '\0';
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_starts(type, types[i].scsi)) copy_text(d->type, sizeof d->type, str_of(types[i].type));
    d->vendor = arena_str(k->ctx->scratch, vendor);
    d->model = arena_str(k->ctx->scratch, model);
    d->rev = arena_str(k->ctx->scratch, rev);
    d->at = keep_spot(k);
}

/* Number in parentheses behind `name`: "slot(3)". */
static Str in_parens(Str s, const char *name) {
    size_t at = str_find(s, name);
    if (at == SIZE_MAX) return STR_NONE;
    Str rest = str_from(s, at + strlen(name));
    if (str_find_ch(rest, ')') == SIZE_MAX) return STR_NONE;
    return str_trim(str_cut(&rest, ')'));
}

/* An address of SAS, "0x500e004aaaaaaa3f", or its token where it was redacted, "WWN-2fd51e74"; not the 0 of an unknown one. */
static bool sas_address(Str s) {
    uint64_t v;
    if (str_starts(s, "WWN-")) return s.len == 12 && str_hex_u64(str_from(s, 4), &v);
    return str_starts(s, "0x") && str_hex_u64(s, &v) && v != 0;
}

/* What mpt2sas and mpt3sas print about a device behind a SAS HBA. */
static void sas_device_line(Log *k, Str hctl, Str s) {
    Ref node = ref(k, REF_SCSI, hctl);
    ScsiDevice *d = scsi_get(k, hctl);
    bool sata = str_starts(s, "SATA: "), ssp = str_starts(s, "SSP: ");
    if (d && (sata || ssp)) {
        d->sata = sata;
        d->sas = ssp;
    }
    if (sata || ssp) set(k, node, "transport", sata ? STR("sata") : STR("sas"));
    Str wwn = in_parens(s, "device_name("), slot = in_parens(s, "slot("), phy = in_parens(s, "phy("),
        enclosure = in_parens(s, "enclosure logical id(");
    if (!enclosure.len) enclosure = in_parens(s, "enclosure logical id (");
    uint64_t v;
    if (sas_address(wwn)) {
        if (str_starts(wwn, "0x")) wwn = str_from(wwn, 2);
        if (wwn.len == 16 || wwn.len == 12) set(k, node, "wwn", wwn);
    }
    if (slot.len && str_u64(slot, &v)) set(k, node, "slot", slot);
    if (phy.len && str_u64(phy, &v)) set(k, node, "phy", phy);
    if (sas_address(enclosure)) set(k, node, "enclosure", enclosure);
    Str depth = in_parens(s, "qdepth(");
    if (depth.len && str_u64(depth, &v)) ctx_setting_int(k->ctx, node, "queue_depth", (int64_t)v, "kernel", k->at);
}

static bool scsi_line(Log *k, Str s) {
    uint64_t number;
    Str hctl;
    if (cut_text(&s, "host")) {
        if (!cut_number(&s, &number) || number > 100000 || !cut_text(&s, ":")) return false;
        scsi_host_line(k, (unsigned)number, str_trim(s));
        return true;
    }
    if (cut_text(&s, "target")) { /* "target11:0:1: enclosure logical id(0x5000...), slot(6)": all units of a target */
        Str address = str_cut(&s, ' ');
        if (!str_ends(address, ":")) return false;
        hctl = arena_strf(k->ctx->scratch, "%.*s0", STR_ARG(address));
        Str whole = hctl, same;
        if (!cut_hctl(&whole, &same) || whole.len) return false;
        if (str_starts(s, "enclosure ") || str_starts(s, "handle(")) sas_device_line(k, hctl, s);
        return true;
    }
    if (!cut_hctl(&s, &hctl) || !cut_text(&s, ":")) return false;
    s = str_trim_left(s);
    if (str_has(s, " PQ: ")) inquiry_line(k, hctl, s);
    else if (str_starts(s, "SATA: ") || str_starts(s, "SSP: ") || str_starts(s, "enclosure ") ||
             str_starts(s, "qdepth("))
        sas_device_line(k, hctl, s);
    return true;
}

static Str on_off(Str s) {
    return str_starts(s, "enabled") ? STR("on") : str_starts(s, "disabled") ? STR("off") : STR_NONE;
}

/* "BLOCKS SIZE-byte logical blocks: (...)", of sd and virtio_blk. */
static bool capacity(Log *k, Ref node, Str s, uint64_t *count) {
    uint64_t blocks, size;
    if (!cut_number(&s, &blocks) || !cut_text(&s, " ") || !cut_number(&s, &size) ||
        !str_starts(s, "-byte logical blocks"))
        return false;
    if (size < 256 || size > 1 << 20 || blocks == 0 || blocks > (uint64_t)INT64_MAX / size) return false;
    ctx_setting_int(k->ctx, node, "size_bytes", (int64_t)(blocks * size), "kernel", k->at);
    ctx_setting_int(k->ctx, node, "logical_block_bytes", (int64_t)size, "kernel", k->at);
    *count = blocks;
    return true;
}

/* "sd 2:0:0:0: [sda] ..." behind "sd ". */
static bool sd_line(Log *k, Str s) {
    Str hctl;
    if (!cut_hctl(&s, &hctl) || !cut_text(&s, ":")) return false;
    s = str_trim_left(s);
    if (!s.len || s.p[0] != '[') return true;
    size_t end = str_find_ch(s, ']');
    if (end == SIZE_MAX || end < 3 || end > 15) return true;
    Str disk = str_sub(s, 1, end - 1);
    for (size_t i = 0; i < disk.len; i++)
        if (!ch_alnum(disk.p[i])) return true;
    s = str_trim_left(str_from(s, end + 1));
    ScsiDevice *d = scsi_get(k, hctl);
    if (d && !str_is(disk, d->disk)) { /* also when a reconnected drive comes back under another name */
        copy_text(d->disk, sizeof d->disk, disk);
        Ref node = ref(k, REF_DISK, disk);
        facts_same(k->ctx->facts, k->ctx->src, ref(k, REF_SCSI, hctl), node, "sd line", k->at);
        set(k, node, "hctl", hctl);
    }
    if (!s.len || str_starts(s, "tag#")) return true; /* error lines: signatures have them */
    uint64_t v;
    Str number = s;
    if (ch_digit(s.p[0])) {
        Ref node = ref(k, REF_DISK, disk);
        if (capacity(k, node, s, &v)) {
            if (d) {
                d->sized = true;
                d->blocks = v;
            }
        } else if (cut_number(&number, &v) && str_starts(number, "-byte physical blocks") && v >= 256 && v <= 1 << 20) {
            ctx_setting_int(k->ctx, node, "physical_block_bytes", (int64_t)v, "kernel", k->at);
        }
    } else if (cut_text(&s, "Write cache: ")) {
        Ref node = ref(k, REF_DISK, disk);
        Str wc = on_off(s);
        if (!wc.p) {
            parse_note(k->ctx, k->at, "write cache of %.*s: neither enabled nor disabled", STR_ARG(disk));
            return true;
        }
        set(k, node, "write_cache", wc);
        size_t at = str_find(s, "read cache: ");
        if (at != SIZE_MAX) {
            Str rc = on_off(str_from(s, at + 12));
            if (rc.p) set(k, node, "read_cache", rc);
        }
        if (str_has(s, "supports DPO and FUA")) ctx_setting_int(k->ctx, node, "fua", 1, "kernel", k->at);
        else if (str_has(s, "doesn't support DPO or FUA")) ctx_setting_int(k->ctx, node, "fua", 0, "kernel", k->at);
    } else if (cut_text(&s, "Assuming drive cache: ")) {
        if (str_starts(s, "write through") || str_starts(s, "write back"))
            set(k, ref(k, REF_DISK, disk), "cache_assumed", str_sub(s, 0, str_starts(s, "write back") ? 10 : 13));
    } else if (cut_text(&s, "Attached SCSI ")) {
        ctx_setting_int(k->ctx, ref(k, REF_DISK, disk), "removable", str_starts(s, "removable") ? 1 : 0, "kernel",
                        k->at);
    } else if (str_starts(s, "Host-managed zoned")) {
        set(k, ref(k, REF_DISK, disk), "zoned", STR("host-managed"));
    } else if (str_starts(s, "Host-aware ")) {
        set(k, ref(k, REF_DISK, disk), "zoned", STR("host-aware"));
    } else if (str_starts(s, "Drive-managed SMR")) {
        set(k, ref(k, REF_DISK, disk), "zoned", STR("drive-managed"));
    }
    return true;
}

/* "sr 1:0:0:0: [sr0] ..." and "sr 1:0:0:0: Attached scsi CD-ROM sr0" */
static bool sr_line(Log *k, Str s) {
    Str hctl;
    if (!cut_hctl(&s, &hctl) || !cut_text(&s, ":")) return false;
    s = str_trim_left(s);
    Str name = STR_NONE;
    if (s.len > 3 && s.p[0] == '[' && str_find_ch(s, ']') != SIZE_MAX) name = str_sub(s, 1, str_find_ch(s, ']') - 1);
    else if (str_starts(s, "Attached scsi CD-ROM ")) name = str_trim(str_from(s, 21));
    if (!str_starts(name, "sr") || name.len > 6) return true;
    ScsiDevice *d = scsi_get(k, hctl);
    if (!d || str_is(name, d->disk)) return true;
    copy_text(d->disk, sizeof d->disk, name);
    facts_same(k->ctx->facts, k->ctx->src, ref(k, REF_SCSI, hctl), ref(k, REF_DISK, name), "sr line", k->at);
    return true;
}

/* ------------------------------------------------------------------ probe lines: NVMe, virtio, USB, host */

static bool nvme_line(Log *k, Str s) {
    Str ctrl;
    if (!cut_tag(&s, &ctrl) || !str_starts(ctrl, "nvme")) return false;
    if (!cut_text(&s, "pci function ")) return true;
    Str bdf = str_word(&s);
    if (!is_bdf(bdf)) {
        parse_note(k->ctx, k->at, "PCI function of %.*s is no address", STR_ARG(ctrl));
        return true;
    }
    Ref node = ref(k, REF_DISK, ctrl);
    set(k, node, "pci", bdf);
    set(k, node, "transport", STR("nvme"));
    facts_edge(k->ctx->facts, k->ctx->src, ref(k, REF_PCI, bdf), node, k->at);
    return true;
}

/* "virtio_blk virtio7: [vda] 629145600 512-byte logical blocks (322 GB/300 GiB)" */
static bool virtio_line(Log *k, Str s) {
    Str device;
    if (!cut_tag(&s, &device) || !cut_text(&s, "[")) return false;
    size_t end = str_find_ch(s, ']');
    if (end == SIZE_MAX || end > 15) return true;
    Ref node = ref(k, REF_DISK, str_sub(s, 0, end));
    uint64_t blocks;
    if (capacity(k, node, str_trim_left(str_from(s, end + 1)), &blocks)) set(k, node, "transport", STR("virtio"));
    return true;
}

/* Signalling rates by the words of the hub driver, Gbit/s. */
static double usb_speed(Str s) {
    static const struct {
        const char *word;
        double gbps;
    } speeds[] = {
        {"low-speed", 0.0015},           {"full-speed", 0.012},           {"high-speed", 0.48},
        {"SuperSpeed Plus Gen 2x2", 20}, {"SuperSpeed Plus Gen 1x2", 10}, {"SuperSpeed Plus", 10},
        {"SuperSpeedPlus", 10},          {"SuperSpeed Gen 2", 10},        {"SuperSpeed", 5},
    };
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (str_istarts(s, speeds[i].word)) return speeds[i].gbps;
    return NAN;
}

static bool usb_line(Log *k, Str s) {
    Str path;
    if (!cut_tag(&s, &path) || path.len >= sizeof(((Usb *)0)->path) || !path.len || !ch_digit(path.p[0])) return false;
    bool fresh = str_starts(s, "new ");
    Usb *u = NULL;
    for (size_t i = k->usb.count; i-- > 0 && !u && !fresh;)
        if (str_is(path, k->usb.items[i].path)) u = &k->usb.items[i];
    if (!fresh && !str_starts(s, "New USB device found") && !str_starts(s, "Product: ") &&
        !str_starts(s, "Manufacturer: ") && !str_starts(s, "SerialNumber: "))
        return true;
    if (!u) {
        if (!room(k, k->usb.count)) return true;
        Usb one = {.gbps = NAN, .at = keep_spot(k)};
        copy_text(one.path, sizeof one.path, path);
        VEC_PUSH(k->ctx->scratch, &k->usb, one);
        u = &k->usb.items[k->usb.count - 1];
    }
    if (fresh) {
        u->gbps = usb_speed(str_from(s, 4));
    } else if (cut_text(&s, "Product: ")) {
        u->product = arena_str(k->ctx->scratch, str_trim(s));
        u->product_at = keep_spot(k);
    } else if (cut_text(&s, "Manufacturer: ")) {
        u->manufacturer = arena_str(k->ctx->scratch, str_trim(s));
        u->manufacturer_at = keep_spot(k);
    } else if (cut_text(&s, "SerialNumber: ")) {
        u->serial = arena_str(k->ctx->scratch, str_trim(s));
        u->serial_at = keep_spot(k);
    } else {
        size_t v = str_find(s, "idVendor="), p = str_find(s, "idProduct=");
        uint64_t hex;
        if (v != SIZE_MAX && p != SIZE_MAX && v + 13 <= s.len && p + 14 <= s.len &&
            str_hex_u64(str_sub(s, v + 9, 4), &hex) && str_hex_u64(str_sub(s, p + 10, 4), &hex))
            snprintf(u->id, sizeof u->id, "%.4s:%.4s", s.p + v + 9, s.p + p + 10);
    }
    return true;
}

/* "xhci_hcd 0000:00:14.0: new USB bus registered, assigned bus number 2" */
static void usb_bus_line(Log *k, Str s) {
    str_word(&s);
    s = str_trim_left(s);
    Str bdf;
    uint64_t bus;
    if (!cut_tag(&s, &bdf) || !is_bdf(bdf)) return;
    size_t at = str_find(s, "assigned bus number ");
    if (at == SIZE_MAX) return;
    s = str_from(s, at + 20);
    if (cut_number(&s, &bus) && bus < 64) copy_text(k->usb_bus[bus], sizeof k->usb_bus[bus], bdf);
}

/*
 * "DMI: HPE ProLiant MicroServer Gen10 Plus v2/ProLiant MicroServer Gen10 Plus v2, BIOS U48 08/18/2021": vendor and product with a
 * blank between them, board behind a slash (dmi_dump_ids in drivers/firmware/dmi_scan.c). Where the vendor ends is known by its
 * name only; for one not listed here the whole stands as product.
 */
static void dmi_line(Log *k, Str s) {
    static const char *const vendors[] = {
        "Hewlett Packard Enterprise",
        "Hewlett-Packard",
        "HPE",
        "HP",
        "Dell Inc.",
        "Dell Computer Corporation",
        "LENOVO",
        "Lenovo",
        "Supermicro",
        "Super Micro Computer, Inc.",
        "ASUSTeK COMPUTER INC.",
        "ASUSTeK Computer INC.",
        "ASUS",
        "System manufacturer",
        "Gigabyte Technology Co., Ltd.",
        "GIGABYTE",
        "Micro-Star International Co., Ltd.",
        "MSI",
        "Intel Corporation",
        "Intel(R) Client Systems",
        "INTEL",
        "FUJITSU CLIENT COMPUTING LIMITED",
        "FUJITSU SIEMENS",
        "FUJITSU",
        "QEMU",
        "VMware, Inc.",
        "innotek GmbH",
        "Microsoft Corporation",
        "Xen",
        "Red Hat",
        "OpenStack Foundation",
        "Amazon EC2",
        "Google",
        "DigitalOcean",
        "Synology Inc.",
        "Synology",
        "QNAP",
        "To Be Filled By O.E.M.",
        "To be filled by O.E.M.",
        "Default string",
        "ASRockRack",
        "ASRock",
        "Acer",
        "Apple Inc.",
        "Quanta Cloud Technology Inc.",
        "Cisco Systems Inc",
        "Huawei",
        "Inspur",
        "IBM",
        "Oracle Corporation",
        "Sun Microsystems",
        "TYAN",
        "Tyan Computer Corporation",
        "BIOSTAR Group",
        "Biostar",
        "Shuttle Inc.",
        "TOSHIBA",
        "Samsung Electronics Co., Ltd.",
        "SAMSUNG ELECTRONICS CO., LTD.",
        "PC Engines",
        "Protectli",
        "Wortmann AG",
        "WORTMANN AG",
        "MEDION",
        "AZW",
        "Minisforum",
        "ZOTAC",
        "Wistron",
        "NEC",
        "Hitachi",
        "System76",
        "Framework",
        "Bochs",
    };
    Ref host = ref_z(k, REF_HOST, "host");
    size_t bios = SIZE_MAX;
    for (size_t i = 0; i + 7 <= s.len; i++)
        if (memcmp(s.p + i, ", BIOS ", 7) == 0) bios = i;
    if (bios != SIZE_MAX) {
        Str rest = str_from(s, bios + 7);
        size_t blank = str_rfind_ch(rest, ' ');
        Str date = blank == SIZE_MAX ? STR_NONE : str_from(rest, blank + 1);
        bool dated = date.len == 10 && date.p[2] == '/' && date.p[5] == '/';
        Str version = str_trim(dated ? str_sub(rest, 0, blank) : rest);
        if (version.len) ctx_setting(k->ctx, host, "dmi_bios_version", version, "firmware", k->at);
        if (dated) ctx_setting(k->ctx, host, "dmi_bios_date", date, "firmware", k->at);
        s = str_sub(s, 0, bios);
    }
    Str product = s;
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++) {
        Str rest = str_after(s, vendors[i]);
        if (!rest.p || !rest.len || rest.p[0] != ' ') continue;
        ctx_setting(k->ctx, host, "dmi_sys_vendor", str_of(vendors[i]), "firmware", k->at);
        product = str_trim(rest);
        break;
    }
    size_t slash = str_find_ch(product, '/');
    if (slash != SIZE_MAX) {
        Str board = str_trim(str_from(product, slash + 1));
        if (board.len) ctx_setting(k->ctx, host, "dmi_board_name", board, "firmware", k->at);
        product = str_trim(str_sub(product, 0, slash));
    }
    if (product.len) ctx_setting(k->ctx, host, "dmi_product_name", product, "firmware", k->at);
}

static void hypervisor_line(Log *k, Str s) {
    static const struct {
        const char *seen, *word;
    } names[] = {
        {"KVM", "kvm"},     {"VMware", "vmware"}, {"Microsoft H", "microsoft"},
        {"Xen", "xen"},     {"ACRN", "acrn"},     {"Jailhouse", "jailhouse"},
        {"bhyve", "bhyve"}, {"VBox", "oracle"},   {"TCGTCGTCGTCG", "qemu"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!str_has(s, names[i].seen)) continue;
        set(k, ref_z(k, REF_HOST, "host"), "virtualization", str_of(names[i].word));
        return;
    }
}

/* ------------------------------------------------------------------ dispatch */

static void linux_version(Log *k, Str s) {
    k->start_seen = k->version_seen = true;
    if (k->release_seen) return;
    k->release_seen = true;
    set(k, ref_z(k, REF_HOST, "host"), "kernel_release", str_word(&s));
}

static void command_line(Log *k, Str s) {
    k->start_seen = true;
    if (k->cmdline_seen) return; /* "Kernel command line:" says it again */
    k->cmdline_seen = true;
    set(k, ref_z(k, REF_HOST, "host"), "cmdline", str_trim(s));
}

/* "audit: type=2000 audit(1678994180.656:1): ...": seconds since 1970 at this line. */
static double audit_time(Str s) {
    size_t at = str_find(s, "audit(");
    double v = NAN;
    if (at == SIZE_MAX) return NAN;
    s = str_from(s, at + 6);
    size_t n = 0;
    while (n < s.len && n < 20 && (ch_digit(s.p[n]) || s.p[n] == '.')) n++;
    return str_double(str_sub(s, 0, n), &v) && v > 1e9 && v < 1e10 ? v : NAN;
}

/* "rtc_cmos 00:02: setting system clock to 2023-03-16T19:16:20 UTC (1678994180)" */
static double rtc_time(Str s) {
    size_t at = str_find(s, "setting system clock to ");
    double v = NAN;
    if (at == SIZE_MAX) return NAN;
    at = str_rfind_ch(s, '(');
    if (at == SIZE_MAX) return NAN;
    s = str_from(s, at + 1);
    return str_double(str_cut(&s, ')'), &v) && v > 1e8 && v < 1e10 ? v : NAN;
}

static int year_of(double epoch_s) {
    int64_t days = (int64_t)floor(epoch_s / 86400), z = days + 719468;
    int64_t era = z / 146097, doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    return (int)(yoe + era * 400 + (doy >= 306 ? 1 : 0));
}

/* Seconds since 1970 of a stamp that lacked its year; the days of such stamps are those of a leap year. */
static double with_year(double year_s, int year) {
    int64_t y = year - 1;
    int64_t days = 365 * y + y / 4 - y / 100 + y / 400 - 719162; /* 1 January of the year */
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return year_s + (double)days * 86400 - (!leap && year_s >= 60 * 86400.0 ? 86400 : 0);
}

/* The kernel told what time it is: gives monotonic stamps their date, and stamps without a year theirs. */
static void clock_hint(Log *k, double epoch_s, const LogPrefix *p) {
    if (isnan(epoch_s)) return;
    if (!isnan(p->mono_s) && isnan(p->wall_s) && isnan(p->year_s)) k->epoch_s = epoch_s - p->mono_s - k->slept_s;
    if (isnan(p->year_s) || k->clock.year) return;
    int year = year_of(epoch_s);
    /* Local time may be on the other side of New Year; a replayed old record is not about today at all. */
    for (int y = year - 1; y <= year + 1; y++) {
        if (fabs(with_year(p->year_s, y) - epoch_s) > 2 * 86400.0) continue;
        k->clock.year = y;
        k->clock.date_len = 0;
        if (!isnan(k->first_year) && isnan(k->first_wall)) k->first_wall = with_year(k->first_year, y);
        if (!isnan(k->base_wall)) k->base_wall = with_year(k->base_wall, y);
        break;
    }
}

bool kernel_probe_line(Log *k, Str m, const LogPrefix *p) {
    if (m.len < 4) return false;
    kernel_fbsd_bus_line(k, m);
    switch (m.p[0]) {
    case 'a': {
        if (str_starts(m, "ata")) {
            if (ata_line(k, str_from(m, 3))) return true;
            if (str_starts(m, "ata_piix ")) {
                Str rest = str_from(m, 9), bdf;
                /* one function has two channels, and says MAP when it is bound */
                if (cut_tag(&rest, &bdf) && is_bdf(bdf) && str_starts(rest, "MAP ["))
                    controller_seen(k, "ata_piix", bdf, 2);
                return true;
            }
        }
        if (str_starts(m, "ahci ")) return ahci_line(k, str_from(m, 5));
        if (str_starts(m, "audit: ")) {
            clock_hint(k, audit_time(m), p);
            return true;
        }
        break;
    }
    case 's':
        if (str_starts(m, "sd ")) return sd_line(k, str_from(m, 3));
        if (str_starts(m, "scsi ")) return scsi_line(k, str_from(m, 5));
        if (str_starts(m, "sr ")) return sr_line(k, str_from(m, 3));
        if (str_starts(m, "scsi")) { /* 3.x: "scsi0 : ahci" */
            Str rest = str_from(m, 4);
            uint64_t number;
            if (cut_number(&rest, &number) && number < 100000 && cut_text(&rest, " : ")) {
                scsi_host_line(k, (unsigned)number, str_trim(rest));
                return true;
            }
        }
        if (str_starts(m, "systemd[1]: ")) {
            Str rest = str_from(m, 12);
            if (str_starts(rest, "Running in init")) { /* "initial RAM disk", "initrd": not the system's own init yet */
                k->in_initrd = true;
                k->user_space = NAN;
            } else if (str_starts(rest, "Switching root")) {
                k->in_initrd = false;
                k->user_space = NAN;
            } else if (isnan(k->user_space) && !k->in_initrd) {
                k->user_space = k->mono_s;
            }
            return true;
        }
        if (str_starts(m, "sata_")) return sff_line(k, m);
        break;
    case 'n':
        if (str_starts(m, "nvme ")) return nvme_line(k, str_from(m, 5));
        break;
    case 'p':
        if (str_starts(m, "pata_")) return sff_line(k, m);
        break;
    case 'u':
        if (str_starts(m, "usb ")) return usb_line(k, str_from(m, 4));
        if (str_starts(m, "uhci_hcd ")) {
            usb_bus_line(k, m);
            return true;
        }
        break;
    case 'x':
    case 'e':
    case 'o':
        if (str_starts(m, "xhci") || str_starts(m, "ehci") || str_starts(m, "ohci")) {
            usb_bus_line(k, m);
            return true;
        }
        break;
    case 'v':
        if (str_starts(m, "virtio_blk ")) return virtio_line(k, str_from(m, 11));
        break;
    case 'm':
    case 'h':
    case 'i': {
        if (str_starts(m, "mmcblk")) { /* "mmcblk0: mmc0:0001 SD32G 29.7 GiB" */
            Str text = m, disk;
            if (cut_tag(&text, &disk) && dev_is_disk(disk) && str_starts(text, "mmc") && text.len > 5 &&
                text.p[3] >= '0' && text.p[3] < '8' && text.p[4] == ':')
                copy_text(k->mmc_disk[text.p[3] - '0'], sizeof k->mmc_disk[0], disk);
            return false;
        }
        /* "megaraid_sas 0000:03:00.0: ...", "mpt3sas 0000:01:00.0: ...", "isci 0000:05:00.0: ..." come before their SCSI host */
        Str rest = m, word = str_word(&rest), bdf;
        if (str_starts(m, "mpt") && str_ends(word, ":")) {
            copy_text(k->last_ioc, sizeof k->last_ioc, str_sub(word, 0, word.len - 1));
            return true;
        }
        rest = str_trim_left(rest);
        if ((str_starts(word, "megaraid") || str_starts(word, "mpt") || str_starts(word, "hpsa") ||
             str_starts(word, "isci")) &&
            cut_tag(&rest, &bdf) && is_bdf(bdf)) {
            copy_text(k->last_hba, sizeof k->last_hba, bdf);
            copy_text(k->last_hba_driver, sizeof k->last_hba_driver, word);
            return true;
        }
        break;
    }
    case 'r':
        if (str_starts(m, "rtc")) {
            clock_hint(k, rtc_time(m), p);
            return true;
        }
        break;
    case 'L':
        if (str_starts(m, "Linux version ")) {
            linux_version(k, str_from(m, 14));
            return true;
        }
        break;
    case 'C':
        if (str_starts(m, "Command line: ")) {
            command_line(k, str_from(m, 14));
            return true;
        }
        if (str_starts(m, "Copyright (c) ") && str_has(m, "BSD Project")) {
            k->start_seen = true;
            return true;
        }
        break;
    case 'K':
        if (str_starts(m, "Kernel command line: ")) {
            command_line(k, str_from(m, 21));
            return true;
        }
        break;
    case 'D':
        if (str_starts(m, "DMI: ") && !str_starts(m, "DMI: Memory slots")) {
            dmi_line(k, str_from(m, 5));
            return true;
        }
        break;
    case 'H':
        if (str_starts(m, "Hypervisor detected: ") || str_starts(m, "Hypervisor: Origin")) {
            hypervisor_line(k, m);
            return true;
        }
        break;
    case 'R':
        if (str_starts(m, "Run /") && str_has(m, " as init process")) {
            /* /init is the initial RAM disk's and loads the storage drivers; /sbin/init is the system's own */
            if (str_starts(m, "Run /init ")) k->run_init = isnan(k->run_init) ? k->mono_s : k->run_init;
            else if (isnan(k->user_space)) k->user_space = k->mono_s;
            return true;
        }
        break;
    case 'T':
        if (str_starts(m, "Trying to mount root from ")) {
            if (isnan(k->user_space)) k->user_space = k->mono_s;
            return true;
        }
        break;
    case 'F':
        if (str_starts(m, "FreeBSD ") &&
            str_has(m, "-RELEASE") + str_has(m, "-STABLE") + str_has(m, "-CURRENT") + str_has(m, "-PRERELEASE") > 0 &&
            !k->release_seen) {
            Str rest = str_from(m, 8), release = str_word(&rest);
            k->release_seen = true;
            Ref host = ref_z(k, REF_HOST, "host");
            set(k, host, "kernel_release", release);
            set(k, host, "os_name", arena_strf(k->ctx->scratch, "FreeBSD %.*s", STR_ARG(release)));
            return true;
        }
        break;
    default: break;
    }
    return kernel_fbsd_line(k, m);
}

/* ------------------------------------------------------------------ tying names together at the end of a boot */

/* libata shows SCSI only the first 16 bytes of the model and the last 4 of the 8 of the firmware, or its first 4 where those are
   blank (ata_scsiop_inq_std): "M3CR046" becomes "046". */
static bool same_identity(const AtaDevice *a, const ScsiDevice *s) {
    if (a->atapi) return strcmp(s->type, "cdrom") == 0;
    if (!str_is(s->vendor, "ATA")) return false;
    Str model = str_trim(str_sub(a->model, 0, 16));
    if (!str_eq(model, s->model)) return false;
    Str fw = a->firmware.len > 4 ? str_from(a->firmware, 4) : a->firmware;
    return !s->rev.len || !fw.len || str_eq(str_trim(fw), s->rev);
}

static void pair(Log *k, AtaDevice *a, ScsiDevice *s, const char *how) {
    a->scsi = s;
    s->ata_paired = true;
    Ref scsi = ref(k, REF_SCSI, s->hctl);
    facts_same(k->ctx->facts, k->ctx->src, ata_device_ref(k, a->port, a->dev), scsi, how, spot_of(a->at));
    char text[24];
    snprintf(text, sizeof text, "ata%u", a->port);
    set_at(k, scsi, "ata_port", str_of(text), a->at);
    snprintf(text, sizeof text, "%02u", a->dev);
    set_at(k, scsi, "ata_dev", str_of(text), a->at);
    const Port *p = port_find(k, a->port);
    if (!p) return;
    if (p->bdf[0]) set_at(k, scsi, "pci", str_of(p->bdf), p->at);
    if (p->index) ctx_setting_int(k->ctx, scsi, "port", p->index, "kernel", spot_of(p->at));
}

static int by_port(const void *x, const void *y) {
    const AtaDevice *a = x, *b = y;
    if (a->port != b->port) return a->port < b->port ? -1 : 1;
    return a->dev < b->dev ? -1 : a->dev > b->dev;
}

static int by_hctl(const void *x, const void *y) {
    const ScsiDevice *a = x, *b = y;
    if (a->h != b->h) return a->h < b->h ? -1 : 1;
    if (a->c != b->c) return a->c < b->c ? -1 : 1;
    if (a->t != b->t) return a->t < b->t ? -1 : 1;
    return a->l < b->l ? -1 : a->l > b->l;
}

/*
 * A log that was searched for "ata|sd" lost the lines "scsi 2:0:0:0: Direct-Access ATA ...". What is left are two counts of blocks:
 * libata's and sd's are the same number. Only where one drive and one disk of the boot have it; drives of one size stay apart.
 */
static void pair_by_size(Log *k) {
    for (size_t i = 0; i < k->ata.count; i++) {
        AtaDevice *a = &k->ata.items[i];
        if (!a->identified || a->scsi || a->atapi || !a->sectors) continue;
        size_t drives = 0, disks = 0, only = 0;
        for (size_t j = 0; j < k->ata.count; j++)
            drives += !k->ata.items[j].atapi && k->ata.items[j].sectors == a->sectors;
        for (size_t j = 0; j < k->scsi.count; j++)
            if (k->scsi.items[j].blocks == a->sectors) {
                disks++;
                only = j;
            }
        ScsiDevice *s = disks == 1 ? &k->scsi.items[only] : NULL;
        if (s && drives == 1 && !s->ata_paired && !s->inquiry) pair(k, a, s, "number of blocks");
    }
}

/*
 * Which ataN.NN is which H:C:T:L. First by the host of the port: without a multiplier the target is the device number, with one
 * the channel is the link. What is left (the controller's lines are gone, or libsas) goes by model and firmware, in order, where
 * there are as many of one as of the other.
 */
static void pair_ata(Log *k) {
    if (k->ata.count) qsort(k->ata.items, k->ata.count, sizeof *k->ata.items, by_port);
    if (k->scsi.count) qsort(k->scsi.items, k->scsi.count, sizeof *k->scsi.items, by_hctl);
    for (size_t i = 0; i < k->ata.count; i++) {
        AtaDevice *a = &k->ata.items[i];
        const Port *p = port_find(k, a->port);
        if (!a->identified || !p || !p->has_host) continue;
        for (size_t j = 0; j < k->scsi.count && !a->scsi; j++) {
            ScsiDevice *s = &k->scsi.items[j];
            if (s->h != p->host || s->ata_paired || s->l != 0) continue;
            bool place = (s->c == 0 && s->t == a->dev) || (s->t == 0 && s->c == a->dev);
            if (place && (!s->inquiry || same_identity(a, s))) pair(k, a, s, "SCSI host of the libata port");
        }
    }
    for (size_t i = 0; i < k->ata.count; i++) {
        AtaDevice *a = &k->ata.items[i];
        if (!a->identified || a->scsi || a->atapi) continue;
        size_t devices = 0, disks = 0;
        for (size_t j = 0; j < k->ata.count; j++) {
            const AtaDevice *b = &k->ata.items[j];
            if (b->identified && !b->scsi && !b->atapi && str_eq(a->model, b->model) &&
                str_eq(a->firmware, b->firmware))
                devices++;
        }
        for (size_t j = 0; j < k->scsi.count; j++)
            if (!k->scsi.items[j].ata_paired && k->scsi.items[j].inquiry && same_identity(a, &k->scsi.items[j]))
                disks++;
        if (devices != disks) continue;
        size_t j = 0;
        Str model = a->model, firmware = a->firmware;
        for (size_t b = i; b < k->ata.count && j < k->scsi.count; b++) {
            AtaDevice *other = &k->ata.items[b];
            if (!other->identified || other->scsi || other->atapi || !str_eq(model, other->model) ||
                !str_eq(firmware, other->firmware))
                continue;
            while (j < k->scsi.count && (k->scsi.items[j].ata_paired || !k->scsi.items[j].inquiry ||
                                         !same_identity(other, &k->scsi.items[j])))
                j++;
            if (j < k->scsi.count)
                pair(k, other, &k->scsi.items[j], devices == 1 ? "model and firmware" : "model and firmware, in order");
        }
    }
    pair_by_size(k);
}

/* Facts that need the whole boot: identities of SCSI devices, transports, USB. */
void kernel_probe_settle(Log *k) {
    ParseCtx *c = k->ctx;
    pair_ata(k);
    for (size_t i = 0; i < k->ata.count; i++) {
        const AtaDevice *a = &k->ata.items[i];
        bool shared = false;
        for (size_t j = 0; j < k->ata.count; j++)
            shared |= k->ata.items[j].port == a->port && k->ata.items[j].dev != a->dev;
        /* Two devices on one channel hang below it; a lone one is one thing with its port. */
        if (shared) {
            facts_edge(c->facts, c->src, ata_ref(k, a->port), ata_device_ref(k, a->port, a->dev), spot_of(a->at));
            const Port *p = port_find(k, a->port);
            if (p && p->mode) set_at(k, ata_device_ref(k, a->port, a->dev), "sata_mode_seen", str_of(p->mode), p->at);
        }
        /* Sectors here are logical blocks, 512 bytes on all but 4Kn drives: sd knows better where it spoke. */
        if (a->sectors && a->sectors < (uint64_t)INT64_MAX / 512 && !(a->scsi && a->scsi->sized))
            ctx_setting_int(c, ata_device_ref(k, a->port, a->dev), "size_bytes", (int64_t)(a->sectors * 512), "kernel",
                            spot_of(a->sectors_at));
    }
    for (size_t i = 0; i < k->scsi.count; i++) {
        const ScsiDevice *s = &k->scsi.items[i];
        const Host *h = host_get(k, s->h);
        if (!s->inquiry && !s->disk[0]) continue;
        Ref node = ref(k, REF_SCSI, s->hctl);
        /* The 16 bytes of a SATA drive's model are no news when identify gave all 40. */
        if (s->inquiry && !s->ata_paired) {
            set_at(k, node, "vendor", s->vendor, s->at);
            set_at(k, node, "model", s->model, s->at);
            set_at(k, node, "firmware", s->rev, s->at);
        }
        if (s->inquiry && s->type[0] && !s->ata_paired) set_at(k, node, "device_type", str_of(s->type), s->at);
        if (!h) continue;
        if (h->bdf[0]) {
            if (!s->ata_paired) set_at(k, node, "pci", str_of(h->bdf), s->at);
            if (!h->usb && !h->libata)
                facts_edge(c->facts, c->src, ref(k, REF_SCSI_HOST, arena_strf(c->scratch, "host%u", s->h)), node,
                           spot_of(s->at));
        }
        if (str_starts(str_of(h->driver), "virtio")) set_at(k, node, "transport", STR("virtio"), s->at);
        if (str_starts(str_of(h->driver), "iSCSI")) set_at(k, node, "transport", STR("scsi"), s->at);
        if (!h->usb) continue;
        const Usb *u = &k->usb.items[h->usb - 1];
        Ref usb = ref_z(k, REF_USB, u->path);
        set_at(k, node, "transport", STR("usb"), u->at);
        set_at(k, node, "usb_driver", str_of(u->driver), u->at);
        set_at(k, node, "usb_id", str_of(u->id), u->at);
        if (!isnan(u->gbps)) ctx_setting_real(c, node, "link_gbps", u->gbps, "kernel", spot_of(u->at));
        set_at(k, node, "port", str_of(u->path), u->at);
        facts_edge(c->facts, c->src, usb, node, spot_of(u->at));
        if (h->bdf[0]) facts_edge(c->facts, c->src, ref_z(k, REF_PCI, h->bdf), usb, spot_of(u->at));
    }
    for (size_t i = 0; i < k->usb.count; i++) {
        const Usb *u = &k->usb.items[i];
        if (!u->driver) continue; /* keyboards and hubs */
        /* What the bridge says of itself stays with the USB device: its serial is not the drive's. */
        Ref usb = ref_z(k, REF_USB, u->path);
        set_at(k, usb, "vendor", u->manufacturer, u->manufacturer_at);
        set_at(k, usb, "model", u->product, u->product_at);
        set_at(k, usb, "serial", u->serial, u->serial_at);
        set_at(k, usb, "usb_driver", str_of(u->driver), u->at);
        set_at(k, usb, "usb_id", str_of(u->id), u->at);
        if (!isnan(u->gbps)) ctx_setting_real(c, usb, "link_gbps", u->gbps, "kernel", spot_of(u->at));
    }
    for (size_t i = 0; i < k->channels.count; i++) {
        const Channel *ch = &k->channels.items[i];
        const char *bdf = kernel_fbsd_bdf(k, str_of(ch->controller));
        for (unsigned d = 0; d < ch->disks && d < CHANNEL_DISKS; d++) {
            Ref channel = ref_z(k, REF_ATA, ch->name), disk = ref_z(k, REF_DISK, ch->disk[d]);
            if (ch->disks == 1) facts_same(c->facts, c->src, channel, disk, "CAM attach line", spot_of(ch->at));
            else facts_edge(c->facts, c->src, channel, disk, spot_of(ch->at));
            if (ch->index) ctx_setting_int(c, disk, "port", ch->index, "kernel", spot_of(ch->at));
            if (bdf) set_at(k, disk, "pci", str_of(bdf), ch->at);
            if (bdf) facts_edge(c->facts, c->src, ref_z(k, REF_PCI, bdf), disk, spot_of(ch->at));
        }
    }
}
