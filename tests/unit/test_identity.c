/*
 * Which names mean the same drive, and which only look like it.
 */
#include "../../analyze/facts/identity.h"
#include "world_test.h"

#include <stdio.h>
#include <time.h>

static void names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        NameClass class_;
        const char *base;
    } table[] = {
        {"sda", NAME_DISK, "sda"},
        {"sdaa", NAME_DISK, "sdaa"},
        {"sda1", NAME_PARTITION, "sda"},
        {"sdaa15", NAME_PARTITION, "sdaa"},
        {"hda2", NAME_PARTITION, "hda"},
        {"vda", NAME_DISK, "vda"},
        {"xvdb3", NAME_PARTITION, "xvdb"},
        {"nvme0", NAME_CONTROLLER, "nvme0"},
        {"nvme12", NAME_CONTROLLER, "nvme12"},
        {"nvme0n1", NAME_DISK, "nvme0n1"},
        {"nvme10n12", NAME_DISK, "nvme10n12"},
        {"nvme0n1p3", NAME_PARTITION, "nvme0n1"},
        {"nvme0c1n1", NAME_VOLUME, "nvme0c1n1"},
        {"nvme0ns1", NAME_CONTROLLER, "nvme0ns1"},
        {"mmcblk0", NAME_DISK, "mmcblk0"},
        {"mmcblk0p1", NAME_PARTITION, "mmcblk0"},
        {"mmcblk0boot0", NAME_VOLUME, "mmcblk0boot0"},
        {"ada0", NAME_DISK, "ada0"},
        {"ada0p2", NAME_PARTITION, "ada0"},
        {"ada10s1", NAME_PARTITION, "ada10"},
        {"da3", NAME_DISK, "da3"},
        {"da3p1", NAME_PARTITION, "da3"},
        {"nvd0", NAME_DISK, "nvd0"},
        {"nda0p1", NAME_PARTITION, "nda0"},
        {"md0", NAME_ARRAY, "md0"},
        {"md127", NAME_ARRAY, "md127"},
        {"md/storage", NAME_ARRAY, "md/storage"},
        {"dm-0", NAME_VOLUME, "dm-0"},
        {"zd16", NAME_VOLUME, "zd16"},
        {"loop3", NAME_VOLUME, "loop3"},
        {"sr0", NAME_OPTICAL, "sr0"},
        {"cd0", NAME_OPTICAL, "cd0"},
        {"fd0", NAME_OPTICAL, "fd0"},
        {"sd", NAME_OTHER, "sd"},
        {"sdA", NAME_OTHER, "sdA"},
        {"sda1x", NAME_OTHER, "sda1x"},
        {"storage", NAME_OTHER, "storage"},
        {"dash", NAME_OTHER, "dash"},
        {"nvme", NAME_OTHER, "nvme"},
        {"nvme0n", NAME_OTHER, "nvme0n"},
        {"", NAME_OTHER, ""},
        {"mdadm", NAME_OTHER, "mdadm"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Str base;
        NameClass class_ = name_class(str_of(table[i].name), &base);
        if (class_ != table[i].class_ || !str_is(base, table[i].base))
            fail_msg("\"%s\" is %d of %.*s, not %d of %s", table[i].name, (int)class_, STR_ARG(base),
                     (int)table[i].class_, table[i].base);
    }
}

static void wwns(void **state) {
    (void)state;
    static const struct {
        const char *text, *wwn; /* NULL: no identity */
    } table[] = {
        {"5 00a075 1e1b2c3d4", "500a0751e1b2c3d4"},
        {"0x500a0751e1b2c3d4", "500a0751e1b2c3d4"},
        {"0x500A0751E1B2C3D4", "500a0751e1b2c3d4"},
        {"naa.500a0751e1b2c3d4", "500a0751e1b2c3d4"},
        {"wwn-0x500a0751e1b2c3d4", "500a0751e1b2c3d4"},
        {"scsi-3500a0751e1b2c3d4", "500a0751e1b2c3d4"},
        {"eui.0025385b01b5a2c3", "0025385b01b5a2c3"},
        {"nvme-eui.0025385b01b5a2c3", "0025385b01b5a2c3"},
        {"002538 5b01b5a2c3", "0025385b01b5a2c3"},
        {"eui.00000000000000010025385b01b5a2c3", "00000000000000010025385b01b5a2c3"},
        {"00:25:38:5b:01:b5:a2:c3", "0025385b01b5a2c3"},
        {"0x0000000000000000", NULL},
        {"0 000000 000000000", NULL},
        {"eui.00000000000000000000000000000000", NULL},
        {"0xffffffffffffffff", NULL},
        {"", NULL},
        {"0x5000", NULL},
        {"not a name", NULL},
        {"wwn-0x500a0751e1b2c3d4-part1", NULL},
    };
    Arena *a = arena_new((size_t)1 << 20);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Str got = identity_wwn(a, str_of(table[i].text));
        if (table[i].wwn ? !str_is(got, table[i].wwn) : got.p != NULL)
            fail_msg("\"%s\" gives \"%.*s\"", table[i].text, STR_ARG(got));
    }
    assert_true(str_is(identity_text(a, STR("  WDC  WD40EFRX_68 ")), "WDC_WD40EFRX_68"));
    assert_null(identity_text(a, STR("   ")).p);
    assert_null(identity_text(a, STR("___")).p);
    arena_free(a);
}

/* ---------------------------------------------------------------- one capture */

#define DRIVES "SELECT n.key FROM drive d JOIN node n ON n.id = d.node ORDER BY d.capture, n.key"

/* What lsblk, smartctl, links, bus addresses and ZFS call it is one drive. */
static void all_names_of_one(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sda", "kernel", "serial=1234ABCD5678|wwn=0x500a0751e1b2c3d4|model=FOO SSD 2TB");
    world_source(w, 0, "smartctl", "smartctl -x /dev/sda");
    world_set(w, "disk:/dev/sda", "drive", "serial=1234ABCD5678|wwn=5 00a075 1e1b2c3d4|model=FOO SSD 2TB|firmware=1.0");
    world_source(w, 0, "by-id", "ls -l /dev/disk/by-id");
    world_same(w, "link:ata-FOO_SSD_2TB_1234ABCD5678", "disk:../../sda");
    world_same(w, "link:ata-FOO_SSD_2TB_1234ABCD5678-part1", "disk:sda1");
    world_same(w, "link:0f0e4c53-8f6a-1d2f-5a77-90c36c0b4d52", "disk:sda1"); /* by-partuuid */
    world_source(w, 0, "kernel-log", "dmesg");
    world_same(w, "scsi:2:0:0:0", "disk:sda");
    world_same(w, "ata:ata3.00", "scsi:2:0:0:0");
    world_ref(w, "ata:ata3");
    world_source(w, 0, "zpool-status", "zpool status");
    world_leaf(w, "a", "mirror-0", "ata-FOO_SSD_2TB_1234ABCD5678");
    world_leaf(w, "b", "mirror-0", "/dev/disk/by-id/ata-FOO_SSD_2TB_1234ABCD5678-part1");
    world_leaf(w, "c", "mirror-0", "/dev/disk/by-partuuid/0f0e4c53-8f6a-1d2f-5a77-90c36c0b4d52");
    world_leaf(w, "d", "mirror-0", "sda");
    world_leaf(w, "e", "mirror-0", "/dev/sda1");
    world_resolve(w);
    static const char key[] = "drive:500a0751e1b2c3d4+1234ABCD5678";
    assert_string_equal(world_list(w, DRIVES), key);
    static const char *const same[] = {"disk:sda", "link:ata-FOO_SSD_2TB_1234ABCD5678", "scsi:2:0:0:0", "ata:ata3.00",
                                       "ata:ata3"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_string_equal(world_key(w, 0, 0, same[i]), key);
    assert_string_equal(world_key(w, 0, 0, "disk:sda1"), "partition:sda1");
    /* Every leaf rests on the drive, also those named by a partition. */
    assert_string_equal(world_list(w, "SELECT DISTINCT n.key FROM vdev v JOIN node n ON n.id = v.node"), key);
    assert_string_equal(world_text(w, "SELECT wwn || ' ' || serial || ' ' || model || ' ' || name FROM drive"),
                        "500a0751e1b2c3d4 1234ABCD5678 FOO SSD 2TB sda");
    assert_string_equal(world_text(w, "SELECT label FROM node WHERE kind = 'drive'"), "sda");
    world_close(w);
}

/* Nothing but the links' own names tells whose they are. */
static void embedded_identity(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "smartctl", "smartctl -x /dev/sda");
    world_set(w, "disk:sda", "drive", "serial=1234ABCD5678|wwn=5 00a075 1e1b2c3d4|model=FOO SSD 2TB");
    world_source(w, 0, "smartctl", "smartctl -x /dev/sdb");
    world_set(w, "disk:sdb", "drive", "serial=1234ABCD5679|wwn=5 00a075 1e1b2c3d5|model=FOO SSD 2TB");
    world_source(w, 0, "zpool-status", "zpool status");
    world_leaf(w, "a", "mirror-0", "ata-FOO_SSD_2TB_1234ABCD5678");
    world_leaf(w, "a", "mirror-0", "wwn-0x500a0751e1b2c3d5-part1");
    world_leaf(w, "a", "mirror-0", "ata-FOO_SSD_2TB_ABCD5678"); /* the end of a serial is not the serial */
    world_resolve(w);
    assert_string_equal(world_key(w, 0, 0, "member:ata-FOO_SSD_2TB_1234ABCD5678"),
                        "drive:500a0751e1b2c3d4+1234ABCD5678");
    assert_string_equal(world_key(w, 0, 0, "member:wwn-0x500a0751e1b2c3d5-part1"),
                        "drive:500a0751e1b2c3d5+1234ABCD5679");
    assert_string_equal(world_key(w, 0, 0, "member:ata-FOO_SSD_2TB_ABCD5678"), "drive:-+ABCD5678");
    world_close(w);
}

static void nvme(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:nvme0n1", "kernel", "serial=N1|wwn=eui.0025385b01b5a2c3|model=FOO NVMe");
    world_set(w, "disk:nvme1n1", "kernel", "serial=N2|model=FOO NVMe");
    world_set(w, "disk:nvme10n1", "kernel", "serial=N10|model=FOO NVMe");
    world_source(w, 0, "smartctl", "smartctl -x /dev/nvme0");
    world_set(w, "disk:nvme0", "drive", "serial=N1|nguid=00000000000000000000000000000000|firmware=2B2");
    world_source(w, 0, "smartctl", "smartctl -x /dev/nvme1");
    world_set(w, "disk:nvme1", "drive", "serial=N2|eui=0000000000000000|firmware=2B3");
    world_resolve(w);
    assert_string_equal(world_list(w, DRIVES), "drive:-+N10 drive:-+N2 drive:0025385b01b5a2c3+N1");
    assert_string_equal(world_key(w, 0, 0, "disk:nvme0"), world_key(w, 0, 0, "disk:nvme0n1"));
    assert_string_equal(world_key(w, 0, 0, "disk:nvme1"), world_key(w, 0, 0, "disk:nvme1n1"));
    assert_string_equal(world_list(w, "SELECT name FROM drive ORDER BY name"), "nvme0n1 nvme10n1 nvme1n1");
    assert_string_equal(world_text(w, "SELECT firmware FROM drive WHERE name = 'nvme0n1'"), "2B2");
    world_close(w);
}

/* FreeBSD: nvd0 has a model and no serial number in the log; one controller of that model is the same drive, two are not. */
static void nvme_by_model(void **state) {
    (void)state;
    for (int twins = 0; twins < 2; twins++) {
        World *w = world_open(1);
        world_source(w, 0, "kernel-log", "dmesg");
        world_set(w, "disk:nvd0", "kernel", "model=FOO NVMe|transport=nvme");
        if (twins) world_set(w, "disk:nvd1", "kernel", "model=FOO NVMe|transport=nvme");
        world_source(w, 0, "nvmecontrol", "nvmecontrol devlist");
        world_set(w, "disk:nvme0", "drive", "model=FOO NVMe|eui=6479a70000000001|transport=nvme");
        if (twins) world_set(w, "disk:nvme1", "drive", "model=FOO NVMe|eui=6479a70000000002|transport=nvme");
        world_resolve(w);
        assert_int_equal(strcmp(world_key(w, 0, 0, "disk:nvd0"), world_key(w, 0, 0, "disk:nvme0")) == 0, !twins);
        world_close(w);
    }
}

/* Cheap USB bridges have one serial number for all, clones one WWN: two names in one capture stay two drives. */
static void shared_identities(void **state) {
    (void)state;
    static const struct {
        const char *what, *a, *b;
    } table[] = {
        {"serial of a bridge", "serial=0123456789ABCDEF|model=USB Disk|transport=usb",
         "serial=0123456789ABCDEF|model=USB Disk|transport=usb"},
        {"serial and WWN of a bridge", "serial=000000123|wwn=0x5000000000000001|model=USB Disk|transport=usb",
         "serial=000000123|wwn=0x5000000000000001|model=USB Disk|transport=usb"},
        {"WWN of clones", "serial=A1|wwn=0x5000000000000001|model=CHEAP",
         "serial=A2|wwn=0x5000000000000001|model=CHEAP"},
        {"WWN alone", "wwn=0x5000000000000001|model=CHEAP", "wwn=0x5000000000000001|model=CHEAP"},
        {"serial over WWNs", "serial=A1|wwn=0x500a0751e1b2c3d4", "serial=A1|wwn=0x500a0751e1b2c3d5"},
        {"SATA clones", "serial=AA000000000000000001|wwn=0x5000000000000001|model=CHEAP|transport=sata",
         "serial=AA000000000000000001|wwn=0x5000000000000001|model=CHEAP|transport=sata"},
        {"zeros", "serial=|wwn=0x0000000000000000|model=CHEAP", "serial=|wwn=0x0000000000000000|model=CHEAP"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        world_source(w, 0, "lsblk", "lsblk");
        world_set(w, "disk:sda", "kernel", table[i].a);
        world_set(w, "disk:sdb", "kernel", table[i].b);
        world_resolve(w);
        const char *got = world_list(w, "SELECT name FROM drive ORDER BY name");
        if (strcmp(got, "sda sdb") != 0) fail_msg("%s: %s", table[i].what, got);
        world_close(w);
    }
}

/* Two paths to one SAS drive are one drive. */
static void multipath(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sda", "kernel", "serial=ZA1A7K2P|wwn=0x5000c500a631a0f3|model=ST8000NM0075|transport=sas");
    world_set(w, "disk:sdb", "kernel", "serial=ZA1A7K9Q|wwn=0x5000c500a631b1e7|model=ST8000NM0075|transport=sas");
    world_set(w, "disk:sdi", "kernel", "serial=ZA1A7K2P|wwn=0x5000c500a631a0f3|model=ST8000NM0075|transport=sas");
    world_set(w, "disk:sdj", "kernel", "serial=ZA1A7K9Q|wwn=0x5000c500a631b1e7|model=ST8000NM0075|transport=sas");
    world_resolve(w);
    assert_string_equal(world_list(w, DRIVES), "drive:5000c500a631a0f3+ZA1A7K2P drive:5000c500a631b1e7+ZA1A7K9Q");
    assert_string_equal(world_key(w, 0, 0, "disk:sda"), world_key(w, 0, 0, "disk:sdi"));
    assert_string_equal(world_list(w, "SELECT name FROM drive_name WHERE kind = 'kernel' ORDER BY name"),
                        "sda sdb sdi sdj");
    world_close(w);
}

/* The tools spell a serial number differently; the WWN says that it is one. */
static void spellings(void **state) {
    (void)state;
    World *w = world_open(2);
    world_source(w, 0, "smartctl", "smartctl -x /dev/sda");
    world_set(w, "disk:sda", "drive", "serial=ZA1A7K2P|wwn=0x5000c500a631a0f3|model=ST8000NM0075");
    world_set(w, "disk:sdb", "drive", "serial=WD-WCC4E1234567|wwn=5 0014ee 2b4c5d6e7|model=WDC WD40EFRX-68N32N0");
    world_source(w, 1, "lsblk", "lsblk");
    world_set(
        w, "disk:sda", "kernel",
        "serial=ZA1A7K2P0000R925ABCD|wwn=0x5000c500a631a0f3|model=ST8000NM0075"); /* the unit serial number page of SAS drives is longer */
    world_set(
        w, "disk:sdb", "kernel",
        "serial=50014ee2b4c5d6e7|wwn=0x50014ee2b4c5d6e7|model=WDC WD40EFRX-68N"); /* older udev has the WWN there */
    world_resolve(w);
    assert_string_equal(world_key(w, 1, 0, "disk:sda"), "drive:5000c500a631a0f3+ZA1A7K2P");
    assert_string_equal(world_key(w, 1, 0, "disk:sdb"), "drive:50014ee2b4c5d6e7+WD-WCC4E1234567");
    world_close(w);
    /* Kingston's SSDs make their WWN of their serial number, which stands on the label */
    w = world_open(2);
    for (size_t c = 0; c < 2; c++) {
        world_source(w, c, "lsblk", "lsblk");
        world_set(w, c ? "disk:sdb" : "disk:sda", "kernel",
                  "serial=50026B7785A0C417|wwn=0x50026b7785a0c417|model=KINGSTON SA400S37960G|transport=sata");
    }
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT serial FROM drive ORDER BY capture"),
                        "50026B7785A0C417 50026B7785A0C417");
    assert_string_equal(world_key(w, 0, 0, "disk:sda"), world_key(w, 1, 0, "disk:sdb"));
    world_close(w);
}

/* ---------------------------------------------------------------- several captures and boots */

/* The drives changed their kernel names between two captures: identity follows the drive, the rest does not. */
static void swapped_names(void **state) {
    (void)state;
    World *w = world_open(2);
    for (size_t c = 0; c < 2; c++) {
        world_source(w, c, "lsblk", "lsblk");
        world_set(w, c ? "disk:sdb" : "disk:sda", "kernel", "serial=S-ONE|wwn=0x500a0751e1b2c3d4|model=FOO");
        world_set(w, c ? "disk:sda" : "disk:sdb", "kernel", "serial=S-TWO|wwn=0x500a0751e1b2c3d5|model=FOO");
        world_set(w, "disk:sdc", "kernel", "model=NAMELESS");
        world_source(w, c, "zpool-status", "zpool status");
        world_leaf(w, "tank", "mirror-0", "sda");
        world_leaf(w, "tank", "mirror-0", "sdb");
    }
    world_resolve(w);
    assert_string_equal(world_key(w, 0, 0, "disk:sda"), "drive:500a0751e1b2c3d4+S-ONE");
    assert_string_equal(world_key(w, 1, 0, "disk:sdb"), "drive:500a0751e1b2c3d4+S-ONE");
    assert_string_equal(world_key(w, 0, 0, "disk:sdb"), world_key(w, 1, 0, "disk:sda"));
    assert_string_equal(
        world_list(
            w, "SELECT name FROM drive d JOIN node n ON n.id = d.node WHERE n.key LIKE '%S-ONE' ORDER BY d.capture"),
        "sda sdb");
    /* Without an identity a name means nothing in another capture; nor does a pool's name. */
    assert_true(strcmp(world_key(w, 0, 0, "disk:sdc"), world_key(w, 1, 0, "disk:sdc")) != 0);
    assert_true(strcmp(world_key(w, 0, 0, "pool:tank"), world_key(w, 1, 0, "pool:tank")) != 0);
    assert_string_equal(world_list(w, "SELECT count(*) FROM drive GROUP BY capture ORDER BY capture"), "3 3");
    world_close(w);
}

/* Two drives with one fake serial in both captures: two and two, never three. */
static void shared_over_captures(void **state) {
    (void)state;
    World *w = world_open(2);
    for (size_t c = 0; c < 2; c++) {
        world_source(w, c, "lsblk", "lsblk");
        world_set(w, "disk:sda", "kernel", "serial=0123456789ABCDEF|model=USB Disk|transport=usb");
        world_set(w, "disk:sdb", "kernel", "serial=0123456789ABCDEF|model=USB Disk|transport=usb");
    }
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT count(*) FROM drive GROUP BY capture ORDER BY capture"), "2 2");
    assert_string_equal(world_text(w, "SELECT count(*) FROM node WHERE kind = 'drive'"), "2");
    world_close(w);
}

/* A log of the boot before calls other drives by these names. */
static void earlier_boot(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sda", "kernel", "serial=S-ONE|wwn=0x500a0751e1b2c3d4|model=FOO");
    world_set(w, "disk:sdb", "kernel", "serial=S-TWO|wwn=0x500a0751e1b2c3d5|model=FOO");
    int64_t log = world_source(w, 0, "kernel-log", "journalctl -k");
    facts_boot(w->facts, log, 0);
    world_set(w, "disk:sda", "kernel", "write_cache=off");
    world_set(w, "disk:sdb", "kernel", "serial=S-ONE|wwn=0x500a0751e1b2c3d4"); /* it was sdb then */
    facts_boot(w->facts, log, 1);
    world_set(w, "disk:sda", "kernel", "write_cache=on");
    world_resolve(w);
    assert_string_equal(world_key(w, 0, -1, "disk:sdb"), "drive:500a0751e1b2c3d4+S-ONE");
    assert_string_equal(world_key(w, 0, 0, "disk:sda"), "drive:500a0751e1b2c3d4+S-ONE");
    assert_string_equal(world_key(w, 0, -1, "disk:sda"), "drive:sda@boot-1");
    /* The drive table is about now; the setting of then stays with its boot. */
    assert_string_equal(world_list(w, DRIVES), "drive:500a0751e1b2c3d4+S-ONE drive:500a0751e1b2c3d5+S-TWO");
    assert_string_equal(world_text(w, "SELECT s.value FROM setting s JOIN node n ON n.id = s.node WHERE s.key = "
                                      "'write_cache' AND n.key LIKE '%S-ONE'"),
                        "on");
    assert_string_equal(world_list(w, "SELECT seq FROM boot ORDER BY seq"), "-1 0");
    assert_string_equal(world_list(w, "SELECT name FROM drive_name x JOIN node n ON n.id = x.node WHERE n.key LIKE "
                                      "'%S-ONE' AND x.kind = 'kernel' ORDER BY boot"),
                        "sdb sda");
    world_close(w);
}

/* Names made up by the thousand must not take minutes. */
static void many_names(void **state) {
    (void)state;
    World *w = world_open(1);
    clock_t began = clock();
    world_source(w, 0, "lsblk", "lsblk");
    for (int i = 0; i < 20000; i++) {
        char name[64], settings[128];
        snprintf(name, sizeof name, "disk:nvme%dn1", i);
        snprintf(settings, sizeof settings, "serial=SER%05d|model=FOO", i);
        world_set(w, name, "kernel", settings);
        snprintf(name, sizeof name, "disk:nvme%d", i);
        world_set(w, name, "drive", settings);
        snprintf(name, sizeof name, "ata-FOO_SER%05d", i + 10000);
        world_leaf(w, "tank", "mirror-0", name);
    }
    world_resolve(w);
    assert_string_equal(world_text(w, "SELECT count(*) FROM drive"), "30000"); /* 10000 members are nobody's */
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (seconds > 60) fail_msg("%.1f s", seconds);
    world_close(w);
}

/* What the names of links say of their drives. */
static void links(void **state) {
    (void)state;
    static const struct {
        const char *name, *wwn, *serial, *model; /* NULL: nothing */
    } table[] = {
        {"ata-CT500BX500SSD1_2021E2A12345", NULL, "2021E2A12345", "CT500BX500SSD1"},
        {"/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K1234567-part1", NULL, "WD-WCC7K1234567",
         "WDC_WD40EFRX-68N32N0"},
        {"wwn-WWN-e2d6ee41-part9", "WWN-e2d6ee41", NULL, NULL},
        {"nvme-EUI-a782ec83-part1", "EUI-a782ec83", NULL, NULL},
        {"ata-WDC_WD40EFRX-68N32N0_SN-041619db-part1", NULL, "SN-041619db", "WDC_WD40EFRX-68N32N0"},
        {"nvme-nvme.144d-SN-041619db-53616d73756e67-00000001", NULL, "SN-041619db", "Samsung"},
        {"diskid/DISK-SN-041619dbp1", NULL, "SN-041619db", NULL},
        {"wwn-0x500a0751e6a81c95-part9", "500a0751e6a81c95", NULL, NULL},
        {"scsi-3500a0751e6a81c95", "500a0751e6a81c95", NULL, NULL},
        {"scsi-SATA_WDC_WD40EFRX-68N_WD-WCC7K1234567", NULL, "WD-WCC7K1234567", "WDC_WD40EFRX-68N"},
        {"scsi-1ATA_WDC_WD40EFRX-68N32N0_WD-WCC7K1234567", NULL, "WD-WCC7K1234567", "WDC_WD40EFRX-68N32N0"},
        {"scsi-SSEAGATE_ST8000NM0075_ZA1A7K2P0000R925ABCD", NULL, "ZA1A7K2P0000R925ABCD", "SEAGATE_ST8000NM0075"},
        {"nvme-Samsung_SSD_970_EVO_Plus_1TB_S4EWNX0M123456", NULL, "S4EWNX0M123456", "Samsung_SSD_970_EVO_Plus_1TB"},
        {"nvme-Samsung_SSD_970_EVO_Plus_1TB_S4EWNX0M123456_1", NULL, "S4EWNX0M123456", "Samsung_SSD_970_EVO_Plus_1TB"},
        {"nvme-eui.0025385b01b5a2c3", "0025385b01b5a2c3", NULL, NULL},
        {"nvme-nvme.1cc1-324b3132-41444154412053583832303050-00000001", NULL, "2K12", "ADATA_SX8200P"},
        {"usb-Samsung_PSSD_T7_S5T3NJ0NB12345X-0:0", NULL, "S5T3NJ0NB12345X", "Samsung_PSSD_T7"},
        {"diskid/DISK-WD-WCC7K1234567p1", NULL, "WD-WCC7K1234567", NULL},
        {"/dev/diskid/DISK-S3Z9NX0M123456", NULL, "S3Z9NX0M123456", NULL},
        {"ata-CHEAP_SSD_0000000000000000", NULL, NULL, "CHEAP_SSD"},
        {"pci-0000:00:1f.2-ata-1", NULL, NULL, NULL},
        {"/dev/disk/by-partuuid/0f0e4c53-8f6a-1d2f-5a77-90c36c0b4d52", NULL, NULL, NULL},
        {"sda1", NULL, NULL, NULL},
        {"1539417216530011223", NULL, NULL, NULL},
        {"ata-", NULL, NULL, NULL},
        {"", NULL, NULL, NULL},
    };
    Arena *a = arena_new((size_t)1 << 20);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        LinkIdentity id = identity_of_link(a, str_of(table[i].name));
        const Str got[] = {id.wwn, id.serial, id.model};
        const char *const want[] = {table[i].wwn, table[i].serial, table[i].model};
        for (int k = 0; k < 3; k++)
            if (want[k] ? !str_is(got[k], want[k]) : got[k].p != NULL)
                fail_msg("\"%s\", part %d: \"%.*s\"", table[i].name, k, STR_ARG(got[k]));
    }
    static const char *const none[] = {"00000000",
                                       "0",
                                       "FFFFFFFF",
                                       "xxxxxxxx",
                                       "****",
                                       "N/A",
                                       "Not Specified",
                                       "  ",
                                       "To be filled by O.E.M.",
                                       "[No Information Found]",
                                       "0000_0000",
                                       "--"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (identity_serial(a, str_of(none[i])).p) fail_msg("\"%s\" is taken for a serial number", none[i]);
    assert_true(str_is(identity_serial(a, STR(" WD-WCC7K1234567 ")), "WD-WCC7K1234567"));
    assert_true(str_is(identity_serial(a, STR("AAAAAAAA")), "AAAAAAAA"));
    arena_free(a);
}

/* One drive with two namespaces is one drive; names of namespaces count subsystems, not controllers. */
static void nvme_namespaces(void **state) {
    (void)state;
    World *w = world_open(2);
    world_source(w, 0, "nvme-cli", "nvme list");
    world_set(w, "disk:nvme0n1", "drive", "serial=S-TWO-NS|model=FOO|nguid=36343730525001230025384100000001");
    world_set(w, "disk:nvme0n2", "drive", "serial=S-TWO-NS|model=FOO|nguid=36343730525001230025384100000002");
    world_set(w, "disk:nvme1n1", "drive", "serial=S-B-12345|model=BAR|eui=0025385b01b5a2c3");
    world_set(w, "disk:nvme2n1", "drive", "serial=S-A-12345|model=BAR|eui=0025385b01b5a2c4");
    world_source(w, 0, "smartctl", "smartctl -x /dev/nvme0");
    world_set(w, "disk:nvme0", "drive", "serial=S-TWO-NS|model=FOO|firmware=F0");
    world_source(w, 0, "smartctl", "smartctl -x /dev/nvme1"); /* controller 1 has namespace 2n1 */
    world_set(w, "disk:nvme1", "drive", "serial=S-A-12345|model=BAR|firmware=F1");
    world_source(w, 0, "smartctl", "smartctl -x /dev/nvme2");
    world_set(w, "disk:nvme2", "drive", "serial=S-B-12345|model=BAR|firmware=F2");
    /* The other capture saw another identifier of each. */
    world_source(w, 1, "lsblk", "lsblk");
    world_set(w, "disk:nvme0n1", "kernel", "serial=S-B-12345|model=BAR|wwn=eui.36343730525009990025384100000009");
    world_set(w, "disk:nvme1n2", "kernel", "serial=S-TWO-NS|model=FOO|wwn=eui.36343730525001230025384100000002");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name || '=' || firmware FROM drive WHERE capture = 1 ORDER BY name"),
                        "nvme0n1=F0 nvme1n1=F2 nvme2n1=F1");
    assert_string_equal(world_key(w, 0, 0, "disk:nvme0n2"), world_key(w, 0, 0, "disk:nvme0n1"));
    assert_string_equal(world_key(w, 0, 0, "disk:nvme1"), world_key(w, 0, 0, "disk:nvme2n1"));
    assert_string_equal(world_key(w, 1, 0, "disk:nvme0n1"), world_key(w, 0, 0, "disk:nvme1n1"));
    assert_string_equal(world_key(w, 1, 0, "disk:nvme1n2"), world_key(w, 0, 0, "disk:nvme0n1"));
    assert_string_equal(world_text(w, "SELECT count(*) FROM node WHERE kind = 'drive'"), "3");
    world_close(w);
}

/* FreeBSD counts the namespaces of all drives one by one. The size of a drive is that of its namespaces together. */
static void namespaces_of_freebsd(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "geom", "geom disk list");
    world_set(w, "disk:nvd0", "kernel", "serial=S-TWO-NS|model=FOO|size_bytes=2000398934016");
    world_set(w, "disk:nvd1", "kernel", "serial=S-TWO-NS|model=FOO|size_bytes=1000204886016");
    world_set(w, "disk:nvd2", "kernel", "serial=S-ONE-NS|model=FOO|size_bytes=1000204886016");
    world_source(w, 0, "nvmecontrol", "nvmecontrol identify nvme0");
    world_set(w, "disk:nvme0", "drive", "serial=S-TWO-NS|model=FOO|firmware=F0");
    world_source(w, 0, "nvmecontrol", "nvmecontrol identify nvme1");
    world_set(w, "disk:nvme1", "drive", "serial=S-ONE-NS|model=FOO|firmware=F1");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name || '=' || firmware || '=' || size_bytes FROM drive ORDER BY name"),
                        "nvd0=F0=3000603820032 nvd2=F1=1000204886016");
    world_close(w);
}

/* Linux: two sizes of one namespace are no two namespaces, and the capacity that the controller names is all there is. */
static void namespace_sizes(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:nvme0n1", "kernel", "serial=S-A-12345|model=BAR|size_bytes=500107862016");
    world_set(w, "disk:nvme0n2", "kernel", "serial=S-A-12345|model=BAR|size_bytes=500107862016");
    world_set(w, "disk:nvme1n1", "kernel", "serial=S-B-12345|model=BAR|size_bytes=1000204886016");
    world_set(w, "disk:nvme2n1", "kernel", "serial=S-C-12345|model=BAR|size_bytes=100000000000");
    world_set(w, "disk:nvme2n2", "kernel", "serial=S-C-12345|model=BAR|size_bytes=100000000000");
    world_source(w, 0, "sysfs", NULL);
    world_set(w, "disk:nvme1n1", "kernel", "size_bytes=1000204886016");
    world_source(w, 0, "nvme-cli", "nvme id-ctrl /dev/nvme2");
    world_set(w, "disk:nvme2", "drive", "serial=S-C-12345|model=BAR|size_bytes=960197124096");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name || '=' || size_bytes FROM drive ORDER BY name"),
                        "nvme0n1=1000215724032 nvme1n1=1000204886016 nvme2n1=960197124096");
    world_close(w);
}

/* The serial of a dock is not the drive's: lsblk shows the one, smartctl through the bridge the other. */
static void usb_bridges(void **state) {
    (void)state;
    World *w = world_open(3);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sdb", "kernel", "serial=DOCK0001|model=Dock|transport=usb");
    world_source(w, 0, "smartctl", "smartctl -d sat -x /dev/sdb");
    world_set(w, "disk:sdb", "drive", "serial=WD-WX11A1234567|model=Dock|wwn=5 0014ee 2b4c5d6e7");
    world_source(w, 1, "lsblk", "lsblk"); /* nobody asked the drive: only one can be meant */
    world_set(w, "disk:sdc", "kernel", "serial=DOCK0001|model=Dock|transport=usb");
    world_source(w, 2, "smartctl", "smartctl -x /dev/sda"); /* and now on a port of its own */
    world_set(w, "disk:sda", "drive", "serial=WD-WX11A1234567|wwn=5 0014ee 2b4c5d6e7");
    world_resolve(w);
    assert_string_equal(world_key(w, 0, 0, "disk:sdb"), "drive:50014ee2b4c5d6e7+WD-WX11A1234567");
    assert_string_equal(world_key(w, 1, 0, "disk:sdc"), "drive:50014ee2b4c5d6e7+WD-WX11A1234567");
    assert_string_equal(world_key(w, 2, 0, "disk:sda"), "drive:50014ee2b4c5d6e7+WD-WX11A1234567");
    world_close(w);
    w = world_open(2); /* two bays with one serial */
    for (size_t i = 0; i < 2; i++) {
        world_source(w, 0, "lsblk", "lsblk");
        world_set(w, i ? "disk:sdc" : "disk:sdb", "kernel", "serial=DOCK0001|model=Dock|transport=usb");
        world_source(w, 0, "smartctl", "smartctl -d sat -x");
        world_set(w, i ? "disk:sdc" : "disk:sdb", "drive",
                  i ? "serial=DRIVE-TWO|model=Dock" : "serial=DRIVE-ONE|model=Dock");
    }
    world_source(w, 1, "lsblk", "lsblk");
    world_set(w, "disk:sdb", "kernel", "serial=DOCK0001|model=Dock|transport=usb");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT serial FROM drive WHERE capture = 1 ORDER BY name"),
                        "DRIVE-ONE DRIVE-TWO");
    assert_true(strcmp(world_key(w, 1, 0, "disk:sdb"), world_key(w, 0, 0, "disk:sdb")) != 0);
    assert_true(strcmp(world_key(w, 1, 0, "disk:sdb"), world_key(w, 0, 0, "disk:sdc")) != 0);
    world_close(w);
}

/* How sure a row is of the drive it speaks of. */
static void weak_identities(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sda", "kernel", "serial=S-ONE|wwn=0x500a0751e1b2c3d4|model=FOO");
    world_set(w, "disk:sdb", "kernel", "serial=S-TWO|model=FOO");
    world_set(w, "disk:sdc", "kernel", "wwn=0x500a0751e1b2c3d5|serial=00000000");
    world_set(w, "disk:sdd", "kernel", "model=FOO|serial=N/A|wwn=0x0000000000000000");
    world_ref(w, "disk:sde");
    world_source(w, 0, "zpool-status", "zpool status");
    world_leaf(w, "tank", "mirror-0", "ata-FOO_BAR_SERIAL77");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name || '=' || identity FROM drive ORDER BY name"),
                        "ata-FOO_BAR_SERIAL77=serial sda=wwn+serial sdb=serial sdc=wwn sdd=model sde=name");
    assert_string_equal(world_text(w, "SELECT count(*) FROM drive WHERE serial IN ('00000000', 'N/A')"), "0");
    world_close(w);
}

/* Captures that know a drive by its link only still speak of the same one. */
static void links_over_captures(void **state) {
    (void)state;
    World *w = world_open(2);
    world_source(w, 0, "zpool-status", "zpool status");
    world_leaf(w, "tank", "mirror-0", "wwn-0x500a0751e1b2c3d4");
    world_leaf(w, "tank", "mirror-0", "ata-FOO_SSD_SER12345");
    world_source(w, 1, "smartctl", "smartctl -x /dev/sdq");
    world_set(w, "disk:sdq", "drive", "serial=SER12340|wwn=5 00a075 1e1b2c3d4|model=FOO SSD");
    world_set(w, "disk:sdr", "drive", "serial=SER12345|model=FOO SSD");
    world_resolve(w);
    assert_string_equal(world_key(w, 0, 0, "member:wwn-0x500a0751e1b2c3d4"), world_key(w, 1, 0, "disk:sdq"));
    assert_string_equal(world_key(w, 0, 0, "member:ata-FOO_SSD_SER12345"), world_key(w, 1, 0, "disk:sdr"));
    world_close(w);
}

/* A link that points to two disks joins nothing, and the source says so. */
static void link_flips(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "by-id", "ls -l /dev/disk/by-id");
    world_same(w, "link:wwn-0x5000000000000001", "disk:sda");
    world_source(w, 0, "by-id", "ls -l /dev/disk/by-id");
    world_same(w, "link:wwn-0x5000000000000001", "disk:sdb");
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name FROM drive ORDER BY name"), "sda sdb");
    assert_string_equal(world_text(w, "SELECT text FROM note"),
                        "wwn-0x5000000000000001 stands for sda and for sdb: it is taken for the first");
    world_close(w);
}

/* ---------------------------------------------------------------- members of pools */

/* One leaf with a state and what zpool status says behind it. */
static void leaf_row(World *w, const char *member, const char *status, const char *was) {
    Row r = facts_row(w->facts, "vdev", w->src, (Spot){.line = ++w->line});
    row_ref(&r, "node", world_ref(w, arena_fmt(w->arena, "member:%s", member)));
    row_ref(&r, "pool", world_ref(w, "pool:home"));
    row_ref(&r, "parent", world_ref(w, "vdev:home/mirror-0"));
    row_text(&r, "name", str_of(member));
    row_text(&r, "type", STR("disk"));
    row_int(&r, "is_leaf", 1);
    row_text(&r, "state", str_of(status));
    if (was) row_text(&r, "was", str_of(was));
    row_done(&r);
}

static void label(World *w, const char *guid, const char *device, const char *devid, const char *path) {
    Spot at = {.line = ++w->line};
    Ref member = world_ref(w, arena_fmt(w->arena, "member:%s", guid));
    if (device)
        facts_same(w->facts, w->src, member, world_ref(w, arena_fmt(w->arena, "disk:%s", device)), "zfs label", at);
    if (devid)
        facts_same(w->facts, w->src, member, world_ref(w, arena_fmt(w->arena, "link:%s", devid)), "zfs label", at);
    world_set(
        w, arena_fmt(w->arena, "member:%s", guid), "kernel",
        arena_fmt(w->arena, "zfs_guid=%s|zfs_label_path=%s%s", guid, path, device ? "|zfs_pool_state=active" : ""));
}

static void three_drives(World *w) {
    world_source(w, 0, "lsblk", "lsblk");
    world_set(w, "disk:sdb", "kernel", "serial=SER-BBBB|model=FOO SSD");
    world_set(w, "disk:sdc", "kernel", "serial=SER-CCCC|model=FOO SSD");
    world_set(w, "disk:sdd", "kernel", "serial=SER-DDDD|model=FOO SSD");
    world_ref(w, "disk:sdb1");
    world_ref(w, "disk:sdc1");
    world_ref(w, "disk:sdd1");
}

#define LEAVES                                                                                                         \
    "SELECT v.name || '=' || coalesce(d.name, 'nobody') || ' by ' || coalesce(v.matched_by, '-') || ';' FROM vdev v "  \
    "LEFT JOIN drive d ON d.node = v.node AND d.capture = v.capture WHERE v.is_leaf = 1 ORDER BY v.line"

/* "was /dev/sdc1": the label says which drive it is; sdc of today has nothing to do with it. */
static void member_by_guid(void **state) {
    (void)state;
    World *w = world_open(1);
    three_drives(w);
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "1539417216530011223", "UNAVAIL", "/dev/sdc1");
    leaf_row(w, "sdb1", "ONLINE", NULL);
    world_source(w, 0, "zdb", "zdb -l /dev/sdd1");
    label(w, "1539417216530011223", "sdd1", "ata-FOO_SSD_SER-DDDD-part1", "/dev/sdc1");
    world_source(w, 0, "zdb", "zdb -l /dev/sdb1");
    label(w, "2539417216530011224", "sdb1", NULL, "/dev/sdb1");
    world_resolve(w);
    assert_string_equal(world_list(w, LEAVES), "1539417216530011223=sdd by guid; sdb1=sdb by name;");
    assert_string_equal(
        world_list(w, "SELECT d.name || ' was ' || r.name || ' by ' || recorded_by || ', now ' || h.name || "
                      "';' FROM recorded_name r JOIN drive d ON d.node = r.node JOIN drive h ON h.node = "
                      "r.holder WHERE stale = 1 ORDER BY recorded_by"),
        "sdd was sdc by zfs label, now sdc; sdd was sdc by zpool status, now sdc;");
    assert_string_equal(world_text(w, "SELECT guid FROM vdev WHERE name = 'sdb1'"), "2539417216530011224");
    world_close(w);
}

/* A label that was copied lies on two disks: the missing member is not the one that its pool has open. */
static void copied_label(void **state) {
    (void)state;
    static const char *const rows[] = {"sdb1", "/dev/disk/by-id/ata-FOO_SSD_SER-BBBB-part1"};
    for (size_t i = 0; i < 2; i++) {
        World *w = world_open(1);
        three_drives(w);
        world_source(w, 0, "by-id", "ls -l /dev/disk/by-id");
        facts_same(w->facts, w->src, world_ref(w, "link:ata-FOO_SSD_SER-BBBB-part1"), world_ref(w, "disk:sdb1"),
                   "by-id", (Spot){.line = ++w->line});
        world_source(w, 0, "zpool-status", "zpool status");
        leaf_row(w, rows[i], "ONLINE", NULL);
        leaf_row(w, "1539417216530011223", "UNAVAIL", "/dev/sdc1");
        world_source(w, 0, "zdb", "zdb -l /dev/sdb1");
        label(w, "1539417216530011223", "sdb1", NULL, "/dev/sdc1");
        world_source(w, 0, "zdb", "zdb -l /dev/sdd1");
        label(w, "1539417216530011223", "sdd1", NULL, "/dev/sdc1");
        world_resolve(w);
        assert_string_equal(world_list(w, LEAVES),
                            arena_fmt(w->arena, "%s=sdb by name; 1539417216530011223=sdd by guid;", rows[i]));
        assert_string_equal(world_text(w, "SELECT text FROM note WHERE text LIKE '%taken for the first%'"),
                            "1539417216530011223 stands for sdd1 and for sdb1: it is taken for the first");
        world_close(w);
    }
}

/* No label of its own was captured: what its sibling remembers of it, the serial in the devid. */
static void member_by_devid(void **state) {
    (void)state;
    World *w = world_open(1);
    three_drives(w);
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "1539417216530011223", "UNAVAIL", "/dev/sdc1");
    leaf_row(w, "1539417216530011299", "UNAVAIL", "/dev/disk/by-id/ata-FOO_SSD_SER-CCCC-part1");
    world_source(w, 0, "zdb", "zdb -l /dev/sdb1");
    label(w, "1539417216530011223", NULL, "ata-FOO_SSD_SER-DDDD-part1", "/dev/sdc1");
    world_resolve(w);
    assert_string_equal(world_list(w, LEAVES), "1539417216530011223=sdd by devid; 1539417216530011299=sdc by devid;");
    world_close(w);
}

/* A row that still shows a kernel name, which is another drive's by now. */
static void member_by_stale_name(void **state) {
    (void)state;
    static const struct {
        const char *state, *want;
    } table[] = {{"UNAVAIL", "sdc1=sdd by guid;"}, {"FAULTED", "sdc1=sdd by guid;"}, {"ONLINE", "sdc1=sdc by name;"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        three_drives(w);
        world_source(w, 0, "zpool-status", "zpool status");
        leaf_row(w, "sdc1", table[i].state, NULL);
        world_source(w, 0, "zdb", "zdb -l /dev/sdd1");
        label(w, "1539417216530011223", "sdd1", NULL, "/dev/sdc1");
        world_resolve(w);
        assert_string_equal(world_list(w, LEAVES), table[i].want);
        world_close(w);
    }
    /* The sibling's label says that sdc1 was guid ...99; where that is nobody knows, but not on sdc, which carries ...24. */
    World *w = world_open(1);
    three_drives(w);
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "sdc1", "UNAVAIL", NULL);
    world_source(w, 0, "zdb", "zdb -l");
    label(w, "1539417216530011299", NULL, NULL, "/dev/sdc1");
    label(w, "2539417216530011224", "sdc1", NULL, "/dev/sdd1");
    world_resolve(w);
    assert_string_equal(world_list(w, LEAVES), "sdc1=nobody by -;");
    world_close(w);
    /* Where its own label says that it is the one, a closed member keeps its name. */
    w = world_open(1);
    three_drives(w);
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "sdc1", "FAULTED", NULL);
    world_source(w, 0, "zdb", "zdb -l");
    label(w, "1539417216530011299", "sdc1", NULL, "/dev/sdc1");
    world_resolve(w);
    assert_string_equal(world_list(w, LEAVES), "sdc1=sdc by name;");
    world_close(w);
}

/* What is only remembered is no drive of the capture; what is open, or given up with errors, is one. */
static void members_that_are_missing(void **state) {
    (void)state;
    World *w = world_open(1);
    three_drives(w);
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "1539417216530011223", "UNAVAIL", "/dev/sdx1");
    leaf_row(w, "ata-FOO_SSD_SER-GONE", "UNAVAIL", NULL);
    leaf_row(w, "wwn-0x500a0751e1b2c3d4", "REMOVED", NULL);
    leaf_row(w, "ata-FOO_SSD_SER-ERRS", "FAULTED", NULL);
    leaf_row(w, "ata-FOO_SSD_SER-OPEN", "ONLINE", NULL);
    world_resolve(w);
    assert_string_equal(world_list(w, "SELECT name FROM drive ORDER BY name"),
                        "ata-FOO_SSD_SER-ERRS ata-FOO_SSD_SER-OPEN sdb sdc sdd");
    assert_string_equal(world_text(w, "SELECT count(*) FROM vdev WHERE is_leaf = 1 AND node IS NOT NULL"), "5");
    world_close(w);
}

/* Members by other names: path, multipath alias, GPT label, gptid, diskid, SCSI, iostat's disk without its partition. */
static void member_names(void **state) {
    (void)state;
    World *w = world_open(1);
    world_source(w, 0, "sysfs", "grep");
    world_set(w, "disk:sda", "kernel", "serial=SER-AAAA|pci=0000:00:1f.2|port=1|ata_dev=00");
    world_set(w, "disk:sdb", "kernel", "serial=SER-BBBB|pci=0000:00:1f.2|port=1|ata_dev=01");
    world_set(w, "disk:sdc", "kernel", "serial=SER-CCCC|pci=0000:03:00.0|port=5");
    world_set(w, "disk:ada4", "kernel", "serial=WD-WCC7K1234567");
    world_set(w, "disk:sdf", "kernel", "serial=ZA1A7K2P");
    world_source(w, 0, "glabel", "glabel status");
    world_same(w, "link:gptid/86c2-11e9", "disk:ada5p2");
    world_same(w, "link:gpt/bay7", "disk:ada6p1");
    world_ref(w, "disk:ada5");
    world_ref(w, "disk:ada6");
    world_ref(w, "disk:ada7");
    world_source(w, 0, "zdb", "zdb -l /dev/ada7p1"); /* the label knows the whole path, zpool status leaves /dev/ out */
    world_same(w, "member:/dev/gpt/bay9", "disk:ada7p1");
    world_source(w, 0, "iostat", "iostat -x");
    world_ref(w, "disk:sdg");
    world_source(w, 0, "zpool-status", "zpool status");
    leaf_row(w, "pci-0000:00:1f.2-ata-1.1-part1", "ONLINE", NULL);
    leaf_row(w, "pci-0000:00:1f.2-ata-1", "ONLINE", NULL); /* master or slave? */
    leaf_row(w, "pci-0000:03:00.0-sas-phy5-lun-0", "ONLINE", NULL);
    leaf_row(w, "diskid/DISK-WD-WCC7K1234567p1", "ONLINE", NULL);
    leaf_row(w, "gptid/86c2-11e9", "ONLINE", NULL);
    leaf_row(w, "/dev/gpt/bay7", "ONLINE", NULL);
    leaf_row(w, "gpt/bay9", "ONLINE", NULL);
    leaf_row(w, "scsi-SSEAGATE_ST8000NM0075_ZA1A7K2P", "ONLINE", NULL);
    leaf_row(w, "sdg1", "ONLINE", NULL);
    world_resolve(w);
    assert_string_equal(
        world_list(w, LEAVES),
        "pci-0000:00:1f.2-ata-1.1-part1=sdb by path; pci-0000:00:1f.2-ata-1=pci-0000:00:1f.2-ata-1 by "
        "path; pci-0000:03:00.0-sas-phy5-lun-0=sdc by path; diskid/DISK-WD-WCC7K1234567p1=ada4 by name; "
        "gptid/86c2-11e9=ada5 by name; /dev/gpt/bay7=ada6 by name; gpt/bay9=ada7 by name; "
        "scsi-SSEAGATE_ST8000NM0075_ZA1A7K2P=sdf by name; sdg1=sdg by name;");
    world_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(wwns),
        cmocka_unit_test(all_names_of_one),
        cmocka_unit_test(embedded_identity),
        cmocka_unit_test(nvme),
        cmocka_unit_test(nvme_by_model),
        cmocka_unit_test(shared_identities),
        cmocka_unit_test(multipath),
        cmocka_unit_test(spellings),
        cmocka_unit_test(swapped_names),
        cmocka_unit_test(shared_over_captures),
        cmocka_unit_test(earlier_boot),
        cmocka_unit_test(links),
        cmocka_unit_test(nvme_namespaces),
        cmocka_unit_test(namespaces_of_freebsd),
        cmocka_unit_test(namespace_sizes),
        cmocka_unit_test(usb_bridges),
        cmocka_unit_test(weak_identities),
        cmocka_unit_test(links_over_captures),
        cmocka_unit_test(link_flips),
        cmocka_unit_test(member_by_guid),
        cmocka_unit_test(copied_label),
        cmocka_unit_test(member_by_devid),
        cmocka_unit_test(member_by_stale_name),
        cmocka_unit_test(members_that_are_missing),
        cmocka_unit_test(member_names),
        cmocka_unit_test(many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
