/*
 * Places, structure, drive classes and times: what facts_resolve() adds to the names.
 */
#include "world_test.h"

#include "../../analyze/base/times.h"

#include <math.h>
#include <stdio.h>

static Spot nowhere(void) {
    return (Spot){.line = 1, .text = STR("text")};
}

static void pci(World *w, const char *bdf, const char *class_code, const char *driver, double gtps, int64_t width) {
    Row r = facts_row(w->facts, "pci_device", w->src, nowhere());
    row_ref(&r, "node", world_ref(w, arena_fmt(w->arena, "pci:%s", bdf)));
    row_text(&r, "bdf", str_of(bdf));
    row_text(&r, "class_code", str_of(class_code));
    if (driver) row_text(&r, "driver", str_of(driver));
    if (gtps > 0) row_real(&r, "lnksta_gtps", gtps);
    if (width > 0) row_int(&r, "lnksta_width", width);
    row_done(&r);
}

static void edge(World *w, const char *parent, const char *child) {
    facts_edge(w->facts, w->src, world_ref(w, parent), world_ref(w, child), nowhere());
}

/* A host with an AHCI controller, two drives in a mirror, an NVMe system drive with a mounted partition. */
static World *small_host(void) {
    World *w = world_open(1);
    world_source(w, 0, "lspci", "lspci -nnk");
    pci(w, "0000:00:17.0", "0106", "ahci", 0, 0);
    pci(w, "0000:01:00.0", "0108", "nvme", 8, 4);
    world_source(w, 0, "sysfs", "grep");
    world_set(w, "disk:sda", "kernel",
              "serial=S-ONE|pci=0000:00:17.0|ata_port=ata3|port=3|hctl=2:0:0:0|rotational=0|transport=sata");
    world_set(w, "disk:sdb", "kernel",
              "serial=S-TWO|pci=0000:00:17.0|ata_port=ata4|port=4|hctl=3:0:0:0|rotational=0|transport=sata");
    world_set(w, "disk:nvme0n1", "kernel", "serial=N-ONE|pci=0000:01:00.0|rotational=0");
    world_source(w, 0, "lsblk", "lsblk");
    world_ref(w, "disk:sda1");
    world_ref(w, "disk:nvme0n1p2");
    edge(w, "disk:nvme0n1p2", "filesystem:/");
    world_source(w, 0, "zpool-status", "zpool status");
    world_leaf(w, "tank", "mirror-0", "sda1");
    world_leaf(w, "tank", "mirror-0", "sdb");
    Row r = facts_row(w->facts, "vdev", w->src, nowhere());
    row_ref(&r, "node", world_ref(w, "vdev:tank/mirror-0"));
    row_ref(&r, "pool", world_ref(w, "pool:tank"));
    row_text(&r, "name", STR("mirror-0"));
    row_text(&r, "type", STR("mirror"));
    row_done(&r);
    return w;
}

#define ABOVE(key)                                                                                                     \
    "SELECT n.label FROM reach r JOIN node b ON b.id = r.below JOIN node n ON n.id = r.above WHERE b.key = '" key      \
    "' AND r.depth > 0 ORDER BY r.depth, n.label"

static void structure(void **state) {
    (void)state;
    World *w = small_host();
    world_resolve(w);
    assert_string_equal(world_list(w, ABOVE("drive:-+S-TWO")), "tank/mirror-0 tank");
    assert_string_equal(world_list(w, ABOVE("drive:-+S-ONE")), "sda1 tank/mirror-0 tank");
    assert_string_equal(world_list(w, ABOVE("controller:0000:00:17.0")), "sda sdb sda1 tank/mirror-0 tank");
    assert_string_equal(world_list(w, ABOVE("drive:-+N-ONE")), "nvme0n1p2 /");
    assert_string_equal(world_list(w, ABOVE("host")),
                        "0000:00:17.0 0000:01:00.0 nvme0n1 sda sdb nvme0n1p2 sda1 tank/mirror-0 / tank");
    /* Every drive, pool and the host reach themselves. */
    assert_string_equal(world_text(w, "SELECT count(*) FROM node n WHERE n.kind IN ('drive','pool','host') AND NOT "
                                      "EXISTS (SELECT 1 FROM reach r WHERE r.below = n.id AND r.above = n.id AND "
                                      "r.depth = 0)"),
                        "0");
    world_close(w);
}

/* A tree that bites its tail ends. */
static void cycles(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    edge(w, "disk:sda", "disk:dm-0");
    edge(w, "disk:dm-0", "disk:dm-1");
    edge(w, "disk:dm-1", "disk:dm-0");
    edge(w, "disk:dm-1", "disk:dm-1");
    for (int i = 0; i < 200; i++)
        edge(w, arena_fmt(w->arena, "disk:dm-%d", 10 + i),
             arena_fmt(w->arena, "disk:dm-%d", 10 + (i * 7 + 1) % 200)); /* and a wild one */
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT n.label FROM reach r JOIN node b ON b.id = r.below JOIN node n ON n.id = "
                                      "r.above WHERE b.label = 'sda' ORDER BY r.depth"),
                        "sda dm-0 dm-1");
    world_close(w);
}

static void places(void **state) {
    (void)state;
    World *w = small_host();
    world_resolve(w);
    assert_string_equal(
        world_list(
            w,
            "SELECT d.name || '=' || p.label || ';' FROM place p JOIN drive d USING (node, capture) ORDER BY d.name"),
        "nvme0n1=0000:01:00.0; sda=0000:00:17.0 port 3; sdb=0000:00:17.0 port 4;");
    assert_string_equal(world_text(w, "SELECT n.key FROM place p JOIN drive d USING (node, capture) JOIN node n ON "
                                      "n.id = p.controller WHERE d.name = 'sda'"),
                        "controller:0000:00:17.0");
    assert_string_equal(
        world_text(w, "SELECT ata || ' ' || hctl FROM place p JOIN drive d USING (node, capture) WHERE d.name = 'sdb'"),
        "ata4 3:0:0:0");
    assert_string_equal(world_list(w, "SELECT mode FROM pci_device ORDER BY bdf"), "ahci nvme");
    world_close(w);
}

/* Without lspci the controller is still a node; without anything there is no place. */
static void sparse_places(void **state) {
    (void)state;
    World *w = world_open(2);
    for (size_t c = 0; c < 2; c++) {
        world_source(w, c, "sysfs", "grep");
        world_set(w, "disk:sda", "kernel", "serial=S-ONE|pci=0000:00:17.0|port=3");
        world_set(w, "disk:sdb", "kernel", "serial=S-TWO|hctl=3:0:0:0");
        world_set(w, "disk:sdc", "kernel", "serial=S-THREE");
    }
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT d.capture || d.name || '=' || p.label || ';' FROM place p JOIN drive d "
                                      "USING (node, capture) ORDER BY d.capture, d.name"),
                        "1sda=0000:00:17.0 port 3; 1sdb=3:0:0:0; 2sda=0000:00:17.0 port 3; 2sdb=3:0:0:0;");
    /* A controller is a thing of its capture, a drive is not. */
    assert_string_equal(
        world_text(w,
                   "SELECT count(DISTINCT controller) || ' ' || count(DISTINCT node) FROM place WHERE bdf IS NOT NULL"),
        "2 1");
    assert_string_equal(world_text(w, "SELECT count(*) FROM host"), "2");
    /* A drive of which no place is known hangs on the host. */
    assert_string_equal(world_list(w, "SELECT n.kind FROM edge e JOIN node n ON n.id = e.parent JOIN drive d ON d.node "
                                      "= e.child AND d.capture = e.capture WHERE d.name = 'sdc'"),
                        "host host");
    world_close(w);
}

/* Each axis of a place, and that IDE channels are no ports. */
static void place_axes(void **state) {
    (void)state;
    static const struct {
        const char *what, *class_code, *driver, *drives; /* name settings; more after ';' */
        const char *want;                                /* per drive: mode label */
    } table[] = {
        {"IDE", "0101", "ata_piix",
         "sda pci=0000:00:1f.2|port=1|ata_port=ata1|ata_dev=00;sdb pci=0000:00:1f.2|port=1|ata_port=ata1|ata_dev=01;"
         "sdc pci=0000:00:1f.2|ata_dev=01",
         "ide 0000:00:1f.2 channel 1 master; ide 0000:00:1f.2 channel 1 slave; ide 0000:00:1f.2 slave;"},
        {"AHCI", "0106", "ahci",
         "sda pci=0000:00:1f.2|port=1|ata_port=ata1|ata_dev=00;sdb pci=0000:00:1f.2|port=4|ata_port=ata4|ata_dev=00",
         "ahci 0000:00:1f.2 port 1; ahci 0000:00:1f.2 port 4;"},
        {"multiplier: link 0 is told by its mates", "0106", "ahci",
         "sda pci=0000:00:1f.2|port=2|ata_port=ata2|ata_dev=00;sdb pci=0000:00:1f.2|port=2|ata_port=ata2|ata_dev=03;"
         "sdc pci=0000:00:1f.2|port=3|ata_port=ata3|ata_dev=00;sdd pci=0000:00:1f.2|port=4|multiplier=1",
         "ahci 0000:00:1f.2 port 2 multiplier port 0; ahci 0000:00:1f.2 port 2 multiplier port 3; ahci 0000:00:1f.2 "
         "port 3; ahci 0000:00:1f.2 port 4 multiplier port 1;"},
        {"SAS", "0107", "mpt3sas",
         "sda pci=0000:00:1f.2|phy=3|hctl=0:0:3:0;sdb pci=0000:00:1f.2|expander=0x500304801e5a7d3f|phy=9;"
         "sdc pci=0000:00:1f.2|slot=7|enclosure=0x500304801e5a7d00",
         "sas 0000:00:1f.2 phy 3; sas 0000:00:1f.2 expander 0x500304801e5a7d3f phy 9; sas 0000:00:1f.2 slot 7;"},
        {"RAID", "0104", "megaraid_sas", "sda pci=0000:00:1f.2|hctl=0:2:0:0", "raid 0000:00:1f.2 (0:2:0:0);"},
        {"USB on an AHCI function's neighbour", "0c03", "xhci_hcd", "sda pci=0000:00:1f.2|port=2-1.3|transport=usb",
         "usb 0000:00:1f.2 port 2-1.3;"},
        {"only the log saw the mode", NULL, NULL, "sda pci=0000:00:1f.2|port=2|ata_dev=00|sata_mode_seen=ide",
         "ide 0000:00:1f.2 channel 2 master;"},
        {"an expander says that it is SAS", NULL, NULL, "sda pci=0000:00:1f.2|expander=0x500304801e5a7d3f|phy=9",
         "sas 0000:00:1f.2 expander 0x500304801e5a7d3f phy 9;"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        if (table[i].class_code) {
            world_source(w, 0, "lspci", "lspci");
            pci(w, "0000:00:1f.2", table[i].class_code, table[i].driver, 0, 0);
        }
        world_source(w, 0, "sysfs", "grep");
        for (Str rest = str_of(table[i].drives); rest.len;) {
            Str one = str_cut(&rest, ';'), name = str_cut(&one, ' ');
            world_set(w, arena_fmt(w->arena, "disk:%.*s", STR_ARG(name)), "kernel", arena_cstr(w->arena, one));
        }
        world_resolve(w);
        const char *got = world_list(w, "SELECT p.mode || ' ' || p.label || ';' FROM place p JOIN drive d USING (node, "
                                        "capture) ORDER BY d.name");
        if (strcmp(got, table[i].want) != 0) fail_msg("%s:\n got  %s\n want %s", table[i].what, got, table[i].want);
        world_close(w);
    }
    World *w = world_open(1);
    world_source(w, 0, "lspci", "lspci");
    pci(w, "0000:00:1f.2", "0101", "ata_piix", 0, 0);
    world_set(w, "disk:sda", "kernel", "pci=0000:00:1f.2|port=1|ata_dev=00");
    world_resolve(w);
    assert_string_equal(world_text(w, "SELECT coalesce(port, 'none') || ' ' || channel || ' ' || unit FROM place"),
                        "none 1 master");
    assert_string_equal(world_text(w, "SELECT mode_by FROM pci_device"), "driver");
    world_close(w);
}

/* sysfs has an ata_device for a port without a drive; a failed command makes it one. */
static void empty_ports(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "sysfs", "grep");
    world_set(w, "ata:ata4.00", "kernel", "spdn_cnt=0");
    world_set(w, "ata:ata5.00", "kernel", "spdn_cnt=0");
    world_set(w, "ata:ata6.00", "kernel", "model=FOO");
    int64_t log = world_source(w, 0, "kernel-log", "dmesg");
    Row r = facts_row(w->facts, "log_event", log, nowhere());
    row_ref(&r, "node", world_ref(w, "ata:ata5.00"));
    row_text(&r, "sig", STR("ATA001"));
    row_text(&r, "severity", STR("high"));
    row_done(&r);
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name FROM drive ORDER BY name"), "ata5.00 ata6.00");
    world_close(w);
}

static void modes(void **state) {
    (void)state;
    static const struct {
        const char *class_code, *driver, *mode;
    } table[] = {
        {"0101", "ata_piix", "ide"},  {"0101", "ahci", "ahci"},
        {"0106", NULL, "ahci"},       {"0104", "megaraid_sas", "raid"},
        {"0107", "mpt3sas", "sas"},   {"0108", "nvme", "nvme"},
        {"0101", NULL, "ide"},        {"0104", "ahci", "ahci"},
        {"0106", "vfio-pci", "ahci"}, {"0c03", "xhci_hcd", "NULL"},
        {"0107", "hpsa", "raid"},     {"0101", "pata_jmicron", "ide"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        world_source(w, 0, "lspci", "lspci");
        pci(w, "0000:00:17.0", table[i].class_code, table[i].driver, 0, 0);
        world_resolve(w);
        const char *got = world_text(w, "SELECT mode FROM pci_device");
        if (strcmp(got, table[i].mode) != 0)
            fail_msg("class %s, driver %s: %s, not %s", table[i].class_code, table[i].driver ? table[i].driver : "none",
                     got, table[i].mode);
        world_close(w);
    }
}

/* ---------------------------------------------------------------- classes */

static void classes(void **state) {
    (void)state;
    static const struct {
        const char *name, *drive, *kernel; /* what the drive says, what the kernel says */
        const char *driver;                /* of its controller */
        double gtps;
        int width;
        const char *want; /* media bus class internal is_virtual class_mb_s slow_wait_ms */
    } table[] = {
        {"sda", "rotation_rpm=7200|rotational=1|transport=sata", "rotational=1", "ahci", 0, 0,
         "hdd ata hdd-7200 1 0 280 40"},
        {"sda", "rotation_rpm=5400|rotational=1", "transport=sata", "ahci", 0, 0, "hdd ata hdd-5400 1 0 180 40"},
        {"sda", "rotation_rpm=5700|rotational=1", "transport=sata", "ahci", 0, 0, "hdd ata hdd-5400 1 0 180 40"},
        {"sda", "rotation_rpm=10500|rotational=1", "transport=sas", "mpt3sas", 0, 0, "hdd sas hdd-10k 1 0 250 40"},
        {"sda", "", "rotational=0|transport=sata|link_gbps=6", "ahci", 0, 0, "ssd ata ssd-sata 1 0 550 10"},
        {"sda", "", "rotational=0|transport=sata|link_gbps=3", "ahci", 0, 0, "ssd ata ssd-sata 1 0 280 10"},
        {"sda", "", "rotational=0|transport=sata|link_gbps=1.5", "ahci", 0, 0, "ssd ata ssd-sata 1 0 140 10"},
        {"sda", "rotational=0|transport=sas", "", "mpt3sas", 0, 0, "ssd sas ssd-sas 1 0 1100 10"},
        {"sda", "", "rotational=0", "ahci", 0, 0, "ssd ata ssd-sata 1 0 550 10"},
        {"nvme0n1", "", "rotational=0", "nvme", 8, 4, "nvme nvme nvme 1 0 3600 5"},
        {"nvme0n1", "", "", "nvme", 16, 4, "nvme nvme nvme 1 0 7200 5"},
        {"nvme0n1", "", "", "nvme", 8, 2, "nvme nvme nvme 1 0 1800 5"},
        {"nvme0n1", "", "", "nvme", 2.5, 1, "nvme nvme nvme 1 0 200 5"},
        {"nvme0n1", "", "", "nvme", 32, 4, "nvme nvme nvme 1 0 14400 5"},
        {"nvme1n1", "", "rotational=0|model=Amazon Elastic Block Store", "nvme", 8, 4,
         "nvme nvme nvme 1 1 NULL 5"}, /* it may do what was ordered, not what a link carries */
        {"nvd0", "", "", "nvme", 0, 0, "nvme nvme nvme 1 0 3600 5"},
        {"sdx", "", "rotational=1|transport=usb|removable=0|link_gbps=5", NULL, 0, 0, "hdd usb usb-hdd 0 0 140 40"},
        {"sdx", "", "rotational=1|transport=usb|link_gbps=0.48", NULL, 0, 0, "hdd usb usb-hdd 0 0 40 40"},
        {"sdx", "", "rotational=0|transport=usb|link_gbps=10", NULL, 0, 0, "ssd usb usb-ssd 0 0 950 10"},
        {"sdx", "", "rotational=1|transport=usb|removable=1", NULL, 0, 0, "flash usb usb-stick 0 0 90 NULL"},
        {"mmcblk0", "", "rotational=0", NULL, 0, 0, "flash mmc sd 1 0 90 NULL"},
        {"vda", "", "rotational=1", NULL, 0, 0, "virtual virtio NULL 0 1 NULL NULL"},
        {"sda", "", "rotational=1|model=QEMU HARDDISK", "ahci", 0, 0, "virtual ata NULL 1 1 NULL NULL"},
        {"sda", "", "rotational=1|model=PERC H730 Mini|vendor=DELL", "megaraid_sas", 0, 0,
         "virtual raid NULL 1 1 NULL NULL"},
        {"sda", "", "transport=sata", "ahci", 0, 0, "NULL ata NULL 1 0 NULL NULL"}, /* nobody said whether it turns */
        {"sda", "", "model=UNKNOWN", NULL, 0, 0, "NULL NULL NULL NULL 0 NULL NULL"},
        {"sda", "rotation_rpm=0|rotational=0", "rotational=1|transport=sata", "ahci", 0, 0,
         "ssd ata ssd-sata 1 0 550 10"}, /* the drive knows better than the kernel */
        {"ada0", "rotation_rpm=7200", "", NULL, 0, 0, "hdd ata hdd-7200 1 0 280 40"},
        {"sda", "", "model=SPCC Solid State Disk", NULL, 0, 0, "ssd NULL ssd-sata NULL 0 550 10"}, /* by its model */
        {"sda", "", "model=WDC WD40EFRX-68N32N0", NULL, 0, 0, "hdd NULL hdd-7200 NULL 0 280 40"},
        {"sda", "", "model=Samsung_SSD_860_EVO_500GB", NULL, 0, 0,
         "ssd NULL ssd-sata NULL 0 550 10"}, /* as by-id spells it */
        {"sda", "", "model=SPCC Solid State Disk|rotational=1", NULL, 0, 0,
         "hdd NULL hdd-7200 NULL 0 280 40"}, /* what is said counts */
    };
    size_t bad = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        char name[64];
        snprintf(name, sizeof name, "disk:%s", table[i].name);
        if (table[i].driver) {
            world_source(w, 0, "lspci", "lspci");
            pci(w, "0000:02:00.0", "0106", table[i].driver, table[i].gtps, table[i].width);
        }
        world_source(w, 0, "sysfs", "grep");
        world_set(w, name, "kernel", table[i].kernel);
        if (table[i].driver) world_set(w, name, "kernel", "pci=0000:02:00.0");
        world_source(w, 0, "smartctl", "smartctl");
        world_set(w, name, "drive", table[i].drive);
        world_ref(w, name);
        world_resolve(w);
        const char *got =
            world_text(w, "SELECT coalesce(media,'NULL')||' '||coalesce(bus,'NULL')||' '||coalesce(class,'NULL')||' "
                          "'||coalesce(internal,'NULL')||' '||coalesce(is_virtual,'NULL')"
                          "||' '||coalesce(CAST(class_mb_s AS INTEGER),'NULL')||' '||coalesce(CAST(slow_wait_ms AS "
                          "INTEGER),'NULL') FROM drive");
        if (strcmp(got, table[i].want) != 0) {
            fprintf(stderr, "%s drive:%s kernel:%s driver:%s\n  expected %s\n  got      %s\n", table[i].name,
                    table[i].drive, table[i].kernel, table[i].driver ? table[i].driver : "-", table[i].want, got);
            bad++;
        }
        world_close(w);
    }
    if (bad) fail_msg("%zu classes", bad);
}

/* Where nothing says whether it turns, what only a spindle or only flash has among the SMART attributes does. */
static void medium_by_attributes(void **state) {
    (void)state;
    static const struct {
        const char *names, *want;
    } cases[] = {{"Reallocated_Sector_Ct Power_On_Hours", "NULL"},
                 {"Reallocated_Sector_Ct Seek_Error_Rate Load_Cycle_Count", "hdd"},
                 {"Spin_Retry_Count", "hdd"},
                 {"Wear_Leveling_Count", "ssd"},
                 {"Media_Wearout_Indicator Spin_Up_Time", "ssd"}, /* old SSDs keep a spindle's row */
                 {"Program_Fail_Count Erase_Fail_Count", "ssd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World *w = world_open(1);
        int64_t src = world_source(w, 0, "smartctl", "smartctl -A /dev/sda");
        Ref disk = world_ref(w, "disk:sda");
        Str names = str_of(cases[i].names);
        for (Str name; (name = str_word(&names)).len;) {
            Row r = facts_row(w->facts, "counter", src, nowhere());
            row_ref(&r, "node", disk);
            row_text(&r, "name", name);
            row_text(&r, "kind", STR("ata"));
            row_real(&r, "value", 1);
            row_done(&r);
        }
        world_resolve(w);
        const char *got = world_text(w, "SELECT coalesce(media, 'NULL') FROM drive");
        if (strcmp(got, cases[i].want) != 0) fail_msg("%s: %s, not %s", cases[i].names, got, cases[i].want);
        world_close(w);
    }
}

/* ---------------------------------------------------------------- times */

/* Stamps without a year get the latest one that is not after the capture, and count back over New Year; a leap day stays one. */
static void years(void **state) {
    (void)state;
    static const struct {
        const char *capture; /* end of it */
        int month, day, turns;
        const char *want;
    } cases[] = {
        {"2023-03-14", 3, 11, 0, "2023-03-11"},  {"2023-03-14", 3, 15, 0, "2023-03-15"},
        {"2023-03-14", 3, 17, 0, "2022-03-17"},  {"2023-01-02", 12, 30, 0, "2022-12-30"},
        {"2024-03-05", 2, 29, 0, "2024-02-29"},  {"2023-03-05", 3, 1, 0, "2023-03-01"},
        {"2024-12-31", 12, 31, 0, "2024-12-31"}, {"2023-02-10", 12, 30, 0, "2022-12-30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World *w = world_open(1);
        char text[200];
        snprintf(text, sizeof text, "UPDATE capture SET start_s = unixepoch('%s 12:00:00')", cases[i].capture);
        sqlite3_exec(facts_db(w->facts), text, NULL, NULL, NULL);
        int64_t src = world_source(w, 0, "kernel-log", "cat /var/log/messages");
        double at = (double)(time_from_civil(1972, cases[i].month, cases[i].day) - time_from_civil(1972, 1, 1)) + 3600;
        Row r = facts_row(w->facts, "log_window", src, nowhere());
        row_real(&r, "first_s", facts_yearless(at, 0));
        row_real(&r, "last_s", facts_yearless(at, 0));
        row_done(&r);
        r = facts_row(w->facts, "log_event", src, nowhere());
        row_text(&r, "sig", STR("x"));
        row_real(&r, "t_s", facts_yearless(at, 0));
        row_done(&r);
        world_resolve(w);
        assert_string_equal(world_text(w, "SELECT date(t_s, 'unixepoch') FROM log_event"), cases[i].want);
        world_close(w);
    }
    /* over New Year, and without any date */
    for (int dated = 1; dated >= 0; dated--) {
        World *w = world_open(1);
        if (dated)
            sqlite3_exec(facts_db(w->facts), "UPDATE capture SET start_s = unixepoch('2023-01-04')", NULL, NULL, NULL);
        int64_t src = world_source(w, 0, "kernel-log", "cat /var/log/messages");
        double stamps[] = {facts_yearless(362 * 86400.0, 0), facts_yearless(86400.0, 1)};
        Row r = facts_row(w->facts, "log_window", src, nowhere());
        row_real(&r, "first_s", stamps[0]);
        row_real(&r, "last_s", stamps[1]);
        row_done(&r);
        world_resolve(w);
        assert_string_equal(
            world_text(w, "SELECT coalesce(date(first_s, 'unixepoch') || ' ' || date(last_s, 'unixepoch'), "
                          "'NULL') FROM log_window"),
            dated ? "2022-12-28 2023-01-02" : "NULL");
        world_close(w);
    }
    assert_true(isnan(facts_yearless(-1, 0)) && isnan(facts_yearless(NAN, 0)) && isnan(facts_yearless(0, 1000)));
}

/* A local stamp is shifted by the zone of its own capture, once; a stamp with a zone is not; without a zone nothing is. */
static void local_times(void **state) {
    (void)state;
    World *w = world_open(2);
    sqlite3_exec(facts_db(w->facts), "UPDATE capture SET timezone_s = 7200 WHERE id = 1", NULL, NULL, NULL);
    for (size_t c = 0; c < 2; c++)
        for (int local = 0; local < 2; local++) {
            int64_t src = world_source(w, c, "kernel-log", local ? "dmesg -T" : "journalctl -o short-iso");
            if (local) facts_local_time(w->facts, src);
            Row r = facts_row(w->facts, "log_window", src, nowhere());
            row_real(&r, "first_s", 1000000);
            row_real(&r, "last_s", 1003600);
            row_int(&r, "lines", 10);
            row_done(&r);
            r = facts_row(w->facts, "log_event", src, nowhere());
            row_text(&r, "sig", STR("x"));
            row_real(&r, "t_s", 1000100);
            row_done(&r);
            r = facts_row(w->facts, "pressure", src, nowhere());
            row_real(&r, "t_s", 1000200);
            row_text(&r, "resource", STR("io"));
            row_done(&r);
        }
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT CAST(first_s AS INTEGER) FROM log_window ORDER BY src"),
                        "1000000 992800 1000000 1000000");
    assert_string_equal(world_list(w, "SELECT CAST(last_s AS INTEGER) FROM log_window ORDER BY src"),
                        "1003600 996400 1003600 1003600");
    assert_string_equal(world_list(w, "SELECT CAST(t_s AS INTEGER) FROM log_event ORDER BY src"),
                        "1000100 992900 1000100 1000100");
    assert_string_equal(world_list(w, "SELECT CAST(t_s AS INTEGER) FROM pressure ORDER BY src"),
                        "1000200 993000 1000200 1000200");
    world_close(w);
}

static void round_of(World *w, int64_t src, double mono, double wall, int64_t count, int64_t lines) {
    Row r = facts_row(w->facts, "episode", src, nowhere());
    row_ref(&r, "node", world_ref(w, "ata:ata3"));
    row_text(&r, "port", STR("ata3"));
    row_text(&r, "class", STR("wire"));
    row_real(&r, "first_mono_s", mono);
    row_real(&r, "last_mono_s", mono + 5);
    row_real(&r, "first_s", wall);
    row_real(&r, "last_s", wall + 5);
    row_int(&r, "count", count);
    row_int(&r, "lines", lines);
    row_done(&r);
}

/* Two logs tell one round: it is one. Different rounds of one port stay. */
static void rounds_told_twice(void **state) {
    (void)state;
    World *w = world_open(1);
    int64_t dmesg = world_source(w, 0, "kernel-log", "dmesg");
    round_of(w, dmesg, 100, NAN, 1, 8);
    round_of(w, dmesg, 900, NAN, 1, 8);
    round_of(w, dmesg, 902, NAN, 1, 3); /* the same log has it twice: two rounds */
    int64_t journal = world_source(w, 0, "kernel-log", "journalctl -k -b");
    round_of(w, journal, 100.4, 1000100, 1, 9);
    round_of(w, journal, 5000, 1005000, 1, 9);
    world_resolve(w);
    assert_string_equal(
        world_list(w, "SELECT CAST(first_mono_s AS INTEGER) || ':' || lines FROM episode ORDER BY first_mono_s"),
        "100:9 900:8 902:3 5000:9");
    world_close(w);
}

/* The time of the capture and the uptime give monotonic stamps their date; minutes and sleep do not. */
static void dates_of_monotonic_logs(void **state) {
    (void)state;
    static const struct {
        double uptime;
        bool slept;
        const char *want;
    } rows[] = {{3456.78, false, "996643"}, {3480, false, "-"}, {3456.78, true, "- -"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        World *w = world_open(1);
        int64_t src = world_source(w, 0, "kernel-log", "dmesg");
        for (int k = 0; k <= (int)rows[i].slept; k++) {
            Row r = facts_row(w->facts, "log_event", src, nowhere());
            row_text(&r, "sig", STR("X"));
            row_text(&r, "event", k ? STR("system-resumed") : STR("link-reset"));
            row_real(&r, "t_mono_s", 100);
            row_done(&r);
        }
        facts_flush(w->facts);
        char update[128];
        snprintf(update, sizeof update, "UPDATE capture SET start_s = 1000000, uptime_s = %.2f", rows[i].uptime);
        assert_int_equal(sqlite3_exec(facts_db(w->facts), update, NULL, NULL, NULL), SQLITE_OK);
        world_resolve(w);
        assert_string_equal(world_list(w, "SELECT coalesce(CAST(t_s AS INTEGER), '-') FROM log_event"), rows[i].want);
        world_close(w);
    }
}

/* journalctl -b -1 holds the boot before, whatever the log itself counts. */
static void other_boots(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "kernel-log", "dmesg");
    world_set(w, "disk:sda", "kernel", "write_cache=off");
    world_source(w, 0, "kernel-log", "journalctl -k -b -1 -o short-precise");
    world_set(w, "disk:sda", "kernel", "write_cache=on");
    world_source(w, 0, "kernel-log", "journalctl -k -b -2");
    world_set(w, "disk:sda", "kernel", "write_cache=on");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT boot || '=' || value FROM setting ORDER BY boot"), "-2=on -1=on 0=off");
    assert_string_equal(world_list(w, "SELECT seq FROM boot ORDER BY seq"), "-2 -1 0");
    world_close(w);
}

/* A file's name says that the log was asked for; a log of /var/log was not. */
static void raid_array(World *w, const char *name) {
    Row r = facts_row(w->facts, "raid_array", w->src, nowhere());
    row_ref(&r, "node", world_ref(w, arena_fmt(w->arena, "array:%s", name)));
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("megaraid"));
    row_done(&r);
}

#define BELOW_VOLUME(label_)                                                                                           \
    "SELECT n.label FROM edge e JOIN node p ON p.id = e.parent JOIN node n ON n.id = e.child WHERE p.label = '" label_ \
    "'"

/* A volume lies below the disk that the system sees of it, and a drive that both know is one drive. */
static void raid_volumes(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lspci", "lspci -nnk");
    pci(w, "0000:18:00.0", "0104", "megaraid_sas", 0, 0);
    world_source(w, 0, "sysfs", "grep");
    world_set(w, "disk:sda", "kernel", "model=PERC H730|pci=0000:18:00.0|hctl=0:2:0:0");
    world_set(w, "disk:sdb", "kernel",
              "model=PERC H730|pci=0000:18:00.0|hctl=0:2:1:0|wwn=600605b010cbe11029aeeba55d3ea3e6");
    world_set(w, "disk:sdc", "kernel",
              "model=ST4000NM0035|serial=ZC1ABCDE|wwn=5000c500a1b2c3d4|pci=0000:18:00.0|hctl=0:0:7:0");
    world_source(w, 0, "storcli", "storcli64 /c0 show all");
    raid_array(w, "volume 0:0");
    raid_array(w, "volume 0:1");
    edge(w, "scsihost:storcli c0", "array:volume 0:0");
    edge(w, "scsihost:storcli c0", "array:volume 0:1");
    edge(w, "slot:drive 252:0 [c0]", "array:volume 0:0");
    world_set(w, "array:volume 0:0", "firmware", "raid_target=2:0");
    world_set(w, "array:volume 0:1", "firmware", "raid_target=2:5|raid_volume_wwn=600605b010cbe11029aeeba55d3ea3e6");
    world_set(w, "slot:drive 252:0 [c0]", "firmware", "raid_slot=252:0|serial=V1G8ABCD|transport=sata");
    world_set(w, "slot:drive 252:7 [c0]", "firmware", "raid_slot=252:7|serial=ZC1ABCDE|transport=sas");
    world_resolve(w);
    assert_string_equal(world_list(w, BELOW_VOLUME("volume 0:0")), "sda");
    assert_string_equal(world_list(w, BELOW_VOLUME("volume 0:1")), "sdb");
    assert_string_equal(world_list(w, ABOVE("controller:0000:18:00.0")),
                        "sda sdb sdc storcli c0 volume 0:0 volume 0:1");
    /* a drive that the system sees itself is no second one, and keeps its name */
    assert_string_equal(
        world_text(w, "SELECT n.label FROM setting s JOIN node n ON n.id = s.node WHERE s.key = 'raid_slot' "
                      "AND s.value = '252:7'"),
        "sdc");
    assert_string_equal(world_text(w,
                                   "SELECT name || ' ' || behind_raid || ' ' || is_virtual FROM drive WHERE serial = "
                                   "'V1G8ABCD'"),
                        "drive 252:0 [c0] raid controller 0");
    world_close(w);
}

static void named_logs(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"x/dmesg-T.txt", "dmesg -T"}, {"dmesg.txt", "dmesg"}, {"journalctl-k.log", "journalctl -k"}, {"dmesg", "-"},
        {"var/log/dmesg.txt", "-"},    {"kern.log", "-"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        World *w = world_open(1);
        world_source(w, 0, "kernel-log", "x");
        facts_flush(w->facts);
        char update[128];
        snprintf(update, sizeof update, "UPDATE source SET member = '%s', command = NULL", names[i][0]);
        assert_int_equal(sqlite3_exec(facts_db(w->facts), update, NULL, NULL, NULL), SQLITE_OK);
        world_resolve(w);
        assert_string_equal(world_list(w, "SELECT coalesce(command, '-') FROM source"), names[i][1]);
        world_close(w);
    }
}

/* Members by id and disks by name: the pool rests on the disks where they are as many and no other is there. */
static void unnamed_members(void **state) {
    (void)state;
    static const struct {
        const char *more, *want;
    } table[] = {{NULL, "sda sdb"}, {"disk:sdc", "NULL"}, {"disk:nvme0n1", "NULL"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        world_source(w, 0, "zpool-status", "zpool status");
        world_leaf(w, "tank", "mirror-0", "ata-ST8000VN004-3CP101_WRQ0AB11");
        world_leaf(w, "tank", "mirror-0", "ata-ST8000VN004-3CP101_WRQ0AB1C");
        Row r = facts_row(w->facts, "pool", w->src, nowhere());
        row_ref(&r, "node", world_ref(w, "pool:tank"));
        row_text(&r, "name", STR("tank"));
        row_done(&r);
        world_source(w, 0, "iostat", "iostat -dxm 5");
        world_ref(w, "disk:sda");
        world_ref(w, "disk:sdb");
        if (table[i].more) world_ref(w, table[i].more);
        world_resolve(w);
        assert_string_equal(
            world_text(w, "SELECT group_concat(label, ' ') FROM (SELECT n.label FROM reach r JOIN node a ON a.id = "
                          "r.above JOIN node n ON n.id = r.below WHERE a.key = 'pool:tank' AND n.label GLOB 'sd?' "
                          "ORDER BY n.label)"),
            table[i].want);
        world_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure),
        cmocka_unit_test(cycles),
        cmocka_unit_test(places),
        cmocka_unit_test(sparse_places),
        cmocka_unit_test(place_axes),
        cmocka_unit_test(empty_ports),
        cmocka_unit_test(modes),
        cmocka_unit_test(classes),
        cmocka_unit_test(medium_by_attributes),
        cmocka_unit_test(years),
        cmocka_unit_test(local_times),
        cmocka_unit_test(other_boots),
        cmocka_unit_test(named_logs),
        cmocka_unit_test(raid_volumes),
        cmocka_unit_test(unnamed_members),
        cmocka_unit_test(rounds_told_twice),
        cmocka_unit_test(dates_of_monotonic_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
