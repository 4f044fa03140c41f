#include "drive_class.h"

#include <math.h>
#include <stdio.h>

typedef struct DriveRow {
    int64_t node, capture;
    Str name, model, vendor, transport, driver, rotational_drive, rotational_kernel, by_id, usb_path;
    double rpm, removable, link_gbps, lane_gtps, lanes;
    bool asked_as_ata;
    int attributes_say; /* 1 rotates, 0 does not, -1 nothing */
} DriveRow;

typedef struct Class {
    const char *media, *bus, *class_, *raid;
    int internal, is_virtual; /* -1 unknown */
    double mb_s, iops, wait_ms, slow_ms;
} Class;

static bool any_of(Str s, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (str_is(s, words[i])) return true;
    return false;
}
#define ANY_OF(s, ...)                                                                                                 \
    any_of((s), (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *bus_of(const DriveRow *d) {
    Str t = d->transport;
    if (str_starts(d->name, "nvme") || str_starts(d->name, "nvd") || str_starts(d->name, "nda") || str_is(t, "nvme") ||
        str_is(t, "pcie"))
        return "nvme";
    if (str_is(t, "usb") || str_starts(d->by_id, "usb-") || d->usb_path.len) return "usb";
    if (str_starts(d->name, "mmcblk") || str_starts(d->name, "mmcsd") || str_is(t, "mmc")) return "mmc";
    if (str_starts(d->name, "vd") || str_starts(d->name, "xvd") || str_is(t, "virtio")) return "virtio";
    if (ANY_OF(d->driver, "megaraid_sas", "aacraid", "hpsa", "smartpqi", "arcmsr", "mfi", "mrsas", "cciss", "3w-9xxx",
               "3w-sas") &&
        !str_is(t, "sata") && !str_is(t, "ata"))
        return "raid";
    if (str_is(t, "sas") || str_is(t, "fc")) return "sas";
    if (str_is(t, "sata") || str_is(t, "ata") || str_is(d->vendor, "ATA") || str_starts(d->by_id, "ata-") ||
        str_starts(d->name, "ada"))
        return "ata";
    if (str_is(t, "scsi") || str_is(t, "spi")) return "scsi";
    if (ANY_OF(d->driver, "mpt2sas", "mpt3sas", "mptsas", "mps", "mpr")) return "sas";
    if (d->asked_as_ata)
        return "ata"; /* hdparm or SMART spoke ATA with it; a bridge that translates would show as USB above */
    if (ANY_OF(d->driver, "ahci", "ata_piix", "sata_mv", "sata_nv", "sata_sil", "sata_sil24")) return "ata";
    return NULL;
}

/* A volume that a RAID controller or a hypervisor invents has no drive's physics. */
static bool virtual_model(const DriveRow *d) {
    static const char *const parts[] = {
        "QEMU",           "VBOX",  "VMware",   "Virtual disk", "Virtual_disk",  "Virtual Disk",
        "LOGICAL VOLUME", "PERC",  "MegaRAID", "ServeRAID",    "RAID",          "MR9",
        "SMC3108",        "iDRAC", "LUN",      "Google",       "Amazon Elastic"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_ifind(d->model, parts[i]) != SIZE_MAX || str_ifind(d->vendor, parts[i]) != SIZE_MAX) return true;
    return false;
}

static double usb_ceiling(double gbps) {
    if (!isfinite(gbps)) return 420; /* a USB 3 port, the least that is common */
    if (gbps < 1) return 40;
    if (gbps < 6) return 420;
    return 950;
}

static void hdd_class(Class *c, double rpm) {
    bool slow = isfinite(rpm) && rpm > 0 && rpm < 6000, fast = isfinite(rpm) && rpm > 9000;
    c->class_ = slow ? "hdd-5400" : fast ? "hdd-10k" : "hdd-7200";
    c->mb_s = slow ? 180 : fast ? 250 : 280;
    c->iops = slow ? 60 : fast ? 150 : 100;
    c->wait_ms = slow ? 20 : fast ? 8 : 15;
    c->slow_ms = 40;
}

static Class classify(const DriveRow *d) {
    Class c = {.internal = -1, .is_virtual = -1, .mb_s = NAN, .iops = NAN, .wait_ms = NAN, .slow_ms = NAN};
    c.bus = bus_of(d);
    Str rot = d->rotational_drive.len ? d->rotational_drive : d->rotational_kernel;
    bool known_rot = rot.len > 0, rotates = str_is(rot, "1");
    if (isfinite(d->rpm)) {
        known_rot = true;
        rotates = d->rpm > 0;
    }
    if (!known_rot && d->attributes_say >= 0) {
        known_rot = true;
        rotates = d->attributes_say == 1;
    }
    bool usb = c.bus && strcmp(c.bus, "usb") == 0;
    c.is_virtual = virtual_model(d) || (c.bus && (strcmp(c.bus, "virtio") == 0));
    if (c.bus && strcmp(c.bus, "raid") == 0) c.is_virtual = 1;
    if (ANY_OF(d->driver, "megaraid_sas", "aacraid", "hpsa", "smartpqi", "arcmsr", "mfi", "mrsas", "cciss") &&
        c.is_virtual == 1)
        c.raid = "raid controller";
    if (c.bus) c.internal = usb ? 0 : strcmp(c.bus, "virtio") != 0;

    if (c.bus && strcmp(c.bus, "nvme") == 0) {
        static const double lane_mb[] = {200, 400, 900, 1800, 3600};
        int gen = !isfinite(d->lane_gtps) ? 2
                  : d->lane_gtps < 4      ? 0
                  : d->lane_gtps < 7      ? 1
                  : d->lane_gtps < 12     ? 2
                  : d->lane_gtps < 24     ? 3
                                          : 4;
        c.media = "nvme";
        c.class_ = "nvme";
        c.mb_s = lane_mb[gen] * (isfinite(d->lanes) && d->lanes > 0 ? d->lanes : 4);
        c.iops = 100000;
        c.wait_ms = 0.2;
        c.slow_ms = 5;
        if (c.is_virtual == 1) c.mb_s = c.iops = c.wait_ms = NAN; /* a volume may do what was ordered, no more */
    } else if (usb) {
        double ceiling = usb_ceiling(d->link_gbps);
        if (d->removable == 1) { /* sticks say so; disks in enclosures do not */
            c.media = "flash";
            c.class_ = "usb-stick";
            c.mb_s = 90;
            c.iops = 50;
        } else if (known_rot && !rotates) {
            c.media = "ssd";
            c.class_ = "usb-ssd";
            c.mb_s = ceiling;
            c.iops = 10000;
            c.wait_ms = 1.5;
            c.slow_ms = 10;
        } else if (known_rot) { /* bridges report 1 for everything: a hard disk is the likelier */
            c.media = "hdd";
            hdd_class(&c, d->rpm);
            c.class_ = "usb-hdd";
            c.mb_s = ceiling < 140 ? ceiling : 140; /* 2.5-inch disks give 60 to 140 */
        }
    } else if (c.bus && strcmp(c.bus, "mmc") == 0) {
        c.media = "flash";
        c.class_ = "sd";
        c.mb_s = 90;
        c.iops = 50;
    } else if (known_rot && c.is_virtual != 1) {
        if (rotates) {
            c.media = "hdd";
            hdd_class(&c, d->rpm);
        } else {
            bool sas = c.bus && strcmp(c.bus, "sas") == 0;
            c.media = "ssd";
            c.class_ = sas ? "ssd-sas" : "ssd-sata";
            c.mb_s = sas ? 1100 : !isfinite(d->link_gbps) || d->link_gbps > 4 ? 550 : d->link_gbps > 2 ? 280 : 140;
            c.iops = 10000;
            c.wait_ms = 0.5;
            c.slow_ms = 10;
        }
    }
    if (c.is_virtual == 1 && !c.media) c.media = "virtual";
    return c;
}

static Str text_at(sqlite3_stmt *st, int i) {
    const char *p = (const char *)sqlite3_column_text(st, i);
    return p ? (Str){p, (size_t)sqlite3_column_bytes(st, i)} : STR("");
}

static double real_at(sqlite3_stmt *st, int i) {
    return sqlite3_column_type(st, i) == SQLITE_NULL ? NAN : sqlite3_column_double(st, i);
}

static void bind_z(sqlite3_stmt *st, int at, const char *z) {
    if (z) sqlite3_bind_text(st, at, z, -1, SQLITE_STATIC);
    else sqlite3_bind_null(st, at);
}

static void bind_real(sqlite3_stmt *st, int at, double v) {
    if (isfinite(v)) sqlite3_bind_double(st, at, v);
    else sqlite3_bind_null(st, at);
}

#define SETTING(key_, view_)                                                                                           \
    "(SELECT value FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = '" key_                  \
    "' AND s.boot = 0" view_ " ORDER BY CASE view WHEN 'drive' THEN 0 ELSE 1 END, src, line DESC LIMIT 1)"

/* 1 rotates, 0 does not, NULL unknown, where no output says it outright: what only flash or only a spindle has among the SMART
   attributes, else what is known of the model. */
#define MEDIUM_ELSEWHERE                                                                                               \
    "coalesce((SELECT CASE WHEN max(lower(c.name) GLOB '*wear*' OR lower(c.name) GLOB '*nand*' OR lower(c.name) GLOB " \
    "'*flash*' OR lower(c.name) GLOB '*erase*' OR lower(c.name) GLOB '*ssd*' OR lower(c.name) GLOB '*program_fail*') " \
    "THEN 0 WHEN max(c.name GLOB 'Seek_*' OR c.name GLOB 'Spin_*' OR c.name GLOB 'Load_Cycle*'"                        \
    ") THEN 1 END FROM counter c WHERE c.node = d.node AND c.capture = d.capture AND c.kind = 'ata'),"                 \
    " (SELECT CASE m.value WHEN 'hdd' THEN 1 WHEN 'ssd' THEN 0 END FROM model_fact m WHERE m.node = d.node AND "       \
    "m.capture = d.capture AND m.fact = 'media' ORDER BY m.certainty DESC, m.model_id LIMIT 1))"

bool drive_class_resolve(Facts *f, Error *err) {
    sqlite3 *db = facts_db(f);
    sqlite3_stmt *st, *put;
    const char *query =
        "SELECT d.node, d.capture, d.name, d.model, d.vendor, "
        /* behind a USB bridge the drive says SATA, and behind a SAS controller the kernel says SAS of a SATA drive */
        " lower((SELECT value FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = 'transport' "
        "AND s.boot = 0"
        " ORDER BY value <> 'usb', CASE view WHEN 'drive' THEN 0 ELSE 1 END, src, line DESC LIMIT 1)),"
        " coalesce((SELECT p.driver FROM place x JOIN pci_device p ON p.bdf = x.bdf AND p.capture = x.capture WHERE "
        "x.node = d.node AND x.capture = d.capture AND p.driver IS NOT NULL LIMIT 1),"
        "   " SETTING("usb_driver", "") "), " SETTING("rotational", " AND view = 'drive'") ", " SETTING(
            "rotational",
            " AND view <> 'drive'") ","
                                    " (SELECT min(name) FROM drive_name x WHERE x.node = d.node AND x.capture = "
                                    "d.capture AND (x.name GLOB 'ata-*' OR x.name GLOB 'usb-*')),"
                                    " CASE WHEN EXISTS (SELECT 1 FROM setting s WHERE s.node = d.node AND s.capture = "
                                    "d.capture AND s.key = 'usb_driver') THEN 'usb' END,"
                                    " d.rotation_rpm, d.removable, " SETTING(
                                        "link_gbps",
                                        "") ","
                                            " coalesce((SELECT p.lnksta_gtps FROM place x JOIN pci_device p ON p.bdf = "
                                            "x.bdf "
                                            "AND p.capture = x.capture WHERE x.node = d.node AND x.capture = d.capture "
                                            "LIMIT 1), " SETTING("pcie_link_gtps",
                                                                 "") "),"
                                                                     " coalesce((SELECT p.lnksta_width FROM place x "
                                                                     "JOIN pci_device p ON p.bdf = x.bdf "
                                                                     "AND p.capture = x.capture WHERE x.node = d.node "
                                                                     "AND x.capture = d.capture "
                                                                     "LIMIT 1), " SETTING(
                                                                         "pcie_link_width",
                                                                         "") "),"
                                                                             " (d.node, d.capture) IN (SELECT s.node, "
                                                                             "s.capture FROM source o JOIN "
                                                                             "setting s ON s.src = o.id WHERE o.tool = "
                                                                             "'hdparm'), " MEDIUM_ELSEWHERE
                                                                             " FROM drive d";
    if (sqlite3_prepare_v2(db, query, -1, &st, NULL) != SQLITE_OK)
        return error_set(err, "classifying drives: %s", sqlite3_errmsg(db));
    if (sqlite3_prepare_v2(
            db,
            "UPDATE drive SET media = ?3, bus = ?4, internal = ?5, is_virtual = ?6, behind_raid = ?7, class = ?8, "
            "class_mb_s = ?9,"
            " class_iops = ?10, class_wait_ms = ?11, slow_wait_ms = ?12 WHERE node = ?1 AND capture = ?2",
            -1, &put, NULL) != SQLITE_OK) {
        sqlite3_finalize(st);
        return error_set(err, "classifying drives: %s", sqlite3_errmsg(db));
    }
    while (sqlite3_step(st) == SQLITE_ROW) {
        DriveRow d = {.node = sqlite3_column_int64(st, 0),
                      .capture = sqlite3_column_int64(st, 1),
                      .name = text_at(st, 2),
                      .model = text_at(st, 3),
                      .vendor = text_at(st, 4),
                      .transport = text_at(st, 5),
                      .driver = text_at(st, 6),
                      .rotational_drive = text_at(st, 7),
                      .rotational_kernel = text_at(st, 8),
                      .by_id = text_at(st, 9),
                      .usb_path = text_at(st, 10),
                      .rpm = real_at(st, 11),
                      .removable = real_at(st, 12),
                      .link_gbps = real_at(st, 13),
                      .lane_gtps = real_at(st, 14),
                      .lanes = real_at(st, 15),
                      .asked_as_ata = sqlite3_column_int(st, 16) != 0,
                      .attributes_say = sqlite3_column_type(st, 17) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 17)};
        Class c = classify(&d);
        sqlite3_bind_int64(put, 1, d.node);
        sqlite3_bind_int64(put, 2, d.capture);
        bind_z(put, 3, c.media);
        bind_z(put, 4, c.bus);
        if (c.internal >= 0) sqlite3_bind_int(put, 5, c.internal);
        else sqlite3_bind_null(put, 5);
        sqlite3_bind_int(put, 6, c.is_virtual == 1);
        bind_z(put, 7, c.raid);
        bind_z(put, 8, c.class_);
        bind_real(put, 9, c.mb_s);
        bind_real(put, 10, c.iops);
        bind_real(put, 11, c.wait_ms);
        bind_real(put, 12, c.slow_ms);
        sqlite3_step(put);
        sqlite3_reset(put);
    }
    sqlite3_finalize(st);
    sqlite3_finalize(put);
    return true;
}
