/* Links under /dev/disk and /dev/mapper: names, places, labels; several listing formats. */
#include "device_test.h"

extern const Parser parser_by_id;

static const DeviceCase cases[] = {
    {"by-id and by-path", NULL, NULL,
     "/dev/disk/by-id:\ntotal 0\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-EXAMPLE_SSD_EX0001 -> "
     "../../sda\nlrwxrwxrwx 1 root root 10 Sep 13 09:12 ata-EXAMPLE_SSD_EX0001-part1 -> ../../sda1\n\n"
     "/dev/disk/by-path:\ntotal 0\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:00:17.0-ata-3 -> "
     "../../sda\nlrwxrwxrwx 1 root root 10 Sep 13 09:12 pci-0000:00:17.0-ata-3-part1 -> ../../sda1\n",
     ALL_SAME,
     "link:ata-EXAMPLE_SSD_EX0001=disk:sda; link:ata-EXAMPLE_SSD_EX0001-part1=disk:sda1; "
     "link:pci-0000:00:17.0-ata-3=disk:sda; link:pci-0000:00:17.0-ata-3-part1=disk:sda1"},
    {"place in by-path", NULL, NULL,
     "/dev/disk/by-path:\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:00:17.0-ata-3 -> ../../sda\n", ALL_SETTINGS,
     "sda by_path=pci-0000:00:17.0-ata-3 kernel 2; sda pci=0000:00:17.0 kernel 2; sda port=3 kernel 2"},
    {"phy of an expander", NULL, NULL,
     "/dev/disk/by-path:\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:03:00.0-sas-exp0x500304801f715f3f-phy5-lun-0 "
     "-> ../../sdc\n",
     ALL_SETTINGS,
     "sdc by_path=pci-0000:03:00.0-sas-exp0x500304801f715f3f-phy5-lun-0 kernel 2; sdc pci=0000:03:00.0 kernel 2; sdc "
     "phy=5 kernel 2; sdc expander=0x500304801f715f3f kernel 2"},
    {"phy of an HBA", NULL, NULL,
     "/dev/disk/by-path:\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:03:00.0-sas-phy2-lun-0 -> ../../sdc\n",
     ALL_SETTINGS,
     "sdc by_path=pci-0000:03:00.0-sas-phy2-lun-0 kernel 2; sdc pci=0000:03:00.0 kernel 2; sdc phy=2 kernel 2; sdc "
     "port=2 "
     "kernel 2"},
    {"slave of an IDE channel", NULL, NULL,
     "/dev/disk/by-path:\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:00:1f.2-ata-1.1 -> ../../sdb\n", ALL_SETTINGS,
     "sdb by_path=pci-0000:00:1f.2-ata-1.1 kernel 2; sdb pci=0000:00:1f.2 kernel 2; sdb port=1 kernel 2; sdb "
     "ata_dev=01 "
     "kernel 2"},
    {"port multiplier", NULL, NULL,
     "/dev/disk/by-path:\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 pci-0000:05:00.0-ata-2.3.0 -> ../../sdf\n",
     ALL_SETTINGS,
     "sdf by_path=pci-0000:05:00.0-ata-2.3.0 kernel 2; sdf pci=0000:05:00.0 kernel 2; sdf port=2 kernel 2; sdf "
     "multiplier=3 kernel 2"},
    {"ISO dates, find -ls, plain lines", NULL, NULL,
     "lrwxrwxrwx 1 root root 9 2024-07-01 12:00 nvme-eui.0025385b81b1c1ec -> ../../nvme0n1\n   1234      0 lrwxrwxrwx  "
     " 1 root     root            9 Jul  1 12:00 /dev/disk/by-id/wwn-0x500a075100000001 -> ../../sda\n"
     "scsi-35000c50000000001 -> ../../sdc\n",
     ALL_SAME,
     "link:nvme-eui.0025385b81b1c1ec=disk:nvme0n1; link:wwn-0x500a075100000001=disk:sda; "
     "link:scsi-35000c50000000001=disk:sdc"},
    {"labels", NULL, NULL, "/dev/disk/by-label:\nlrwxrwxrwx 1 root root 10 Sep 13 09:12 my\\x20data -> ../../sdb1\n",
     ALL_SETTINGS, "sdb1 fs_label=my\\x20data kernel 2"},
    {"mapper", NULL, NULL,
     "/dev/mapper:\ntotal 0\ncrw------- 1 root root 10, 236 Sep 13 09:12 control\nlrwxrwxrwx 1 root root 7 Sep 13 "
     "09:12 vg0-root -> ../dm-0\n",
     ALL_SAME, "disk:vg0-root=disk:dm-0"},
    {"a sequence number is no name", NULL, NULL,
     "/dev/disk/by-diskseq:\nlrwxrwxrwx 1 root root 9 Sep 13 09:12 9 -> ../../sda\n", "SELECT count(*) FROM same_as",
     "0"},
    {"by-vdev of ZFS", NULL, NULL, "/dev/disk/by-vdev:\nlrwxrwxrwx 1 root root 9 Sep 13 09:12 A1 -> ../../sda\n",
     ALL_SAME, "link:A1=disk:sda"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_by_id, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_by_id);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_by_id);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_by_id, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    device_notes(&parser_by_id,
                 "/dev/disk/by-id:\nlrwxrwxrwx 1 root root 9 Sep 13 09:12 ata-A_1 -> ../../sda\nlrwxrwxrwx 1 root root "
                 "9 Sep 13 09:12 ata-B_2\nlrwxrwxrwx 1 ro\n",
                 2, ALL_SAME, "link:ata-A_1=disk:sda");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids), cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("by-id", tests, NULL, NULL);
}
