/* blkid: rows, export, list, udev; what lies on which device. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_blkid;

#define ROWS                                                                                                           \
    "/dev/sda1: LABEL=\"storage\" UUID=\"13402870331\" UUID_SUB=\"77\" BLOCK_SIZE=\"4096\" TYPE=\"zfs_member\" "       \
    "PARTUUID=\"744589e8-5711-4750-9984-c34d66f93879\"\n"                                                              \
    "/dev/mapper/vg-root: UUID=\"07d718ef-950c-4e5b-98e0-42a1147b77d9\" TYPE=\"xfs\" \n"                               \
    "/dev/sr1: LABEL=\"a \\\"b\\\" 18.04\" TYPE=\"iso9660\" PTTYPE=\"dos\"\n/dev/loop0: TYPE=\"squashfs\"\n"
#define EXPORT                                                                                                         \
    "DEVNAME=/dev/sda1\nUUID=05d927bb\nTYPE=xfs\nPARTUUID=744589e8-5711-4750-9984-c34d66f93879\n\nDEVNAME=/dev/"       \
    "sda2\nTYPE=swap\n"
#define UDEV                                                                                                           \
    "ID_FS_UUID=3klkIj\nID_FS_UUID_ENC=3klkIj\nID_FS_TYPE=LVM2_member\nID_FS_USAGE=raid\nID_IOLIMIT_PHYSICAL_SECTOR_"  \
    "SIZE=4096\n"                                                                                                      \
    "ID_IOLIMIT_LOGICAL_SECTOR_SIZE=512\nID_PART_ENTRY_NUMBER=2\nID_PART_ENTRY_DISK=8:16\n"
#define TABLE                                                                                                          \
    "device                       fs_type         label    mount point                        UUID\n"                  \
    "----------------------------------------------------------------------------------------------------\n"           \
    "/dev/sda1                    ext4            root     /                                  05d927bb-5875\n"         \
    "/dev/sdb1                    zfs_member      storage  (in use)                           1340287\n"

static const DeviceCase cases[] = {
    {"rows", NULL, NULL, ROWS, ALL_SETTINGS,
     "sda1 fs_label=storage kernel 1; sda1 fs_uuid=13402870331 kernel 1; sda1 fs_type=zfs_member kernel 1; vg-root "
     "fs_uuid=07d718ef-950c-4e5b-98e0-42a1147b77d9 kernel 2; vg-root fs_type=xfs kernel 2; sr1 fs_label=a \\\"b\\\" "
     "18.04 kernel 3; sr1 fs_type=iso9660 "
     "kernel 3; loop0 fs_type=squashfs kernel 4"},
    {"a PARTUUID names a partition", NULL, NULL, ROWS, ALL_SAME, "link:744589e8-5711-4750-9984-c34d66f93879=disk:sda1"},
    {"export", NULL, "blkid -o export", EXPORT, ALL_SETTINGS,
     "sda1 fs_uuid=05d927bb kernel 2; sda1 fs_type=xfs kernel 3; sda2 fs_type=swap kernel 7"},
    {"udev: the partition by its disk's number", NULL, "blkid -p -o udev /dev/sdb2", UDEV, ALL_SETTINGS,
     "sdb2 fs_uuid=3klkIj kernel 1; sdb2 fs_type=LVM2_member kernel 3; sdb2 physical_block_bytes=4096 kernel 5; sdb2 "
     "logical_block_bytes=512 kernel 6"},
    {"list", NULL, "blkid -o list", TABLE, ALL_SETTINGS,
     "sda1 fs_type=ext4 kernel 3; sda1 fs_label=root kernel 3; sdb1 fs_type=zfs_member kernel 4; sdb1 fs_label=storage "
     "kernel 4"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_blkid, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_blkid, ROWS, true);
    claims_text(&parser_blkid, EXPORT, true);
    claims_text(&parser_blkid, UDEV, true);
    claims_text(&parser_blkid, TABLE, true);
    claims_no_other(&parser_blkid);
    assert_int_equal(parser_blkid.bid(STR(""), STR(""), STR("/dev/sda:\n write-caching =  1 (on)\n")), 0);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_blkid, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_blkid, "/dev/sda1: TYPE=\"xfs\" UUID=\"cut\nnonsense\n/dev/sda2: TYPE=\"ext4\"\n", 2,
                 "SELECT group_concat(value, ' ') FROM setting", "xfs ext4");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_blkid, "blkid", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
