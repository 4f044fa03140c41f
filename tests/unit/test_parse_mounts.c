/* Mounts: five formats, escapes, translated headers, pseudo file systems left out. */
#include "device_test.h"

extern const Parser parser_mounts;

#define MOUNTS                                                                                                         \
    "SELECT group_concat(x, '; ') FROM (SELECT source||' '||mountpoint||' '||coalesce(fstype, '-')||' "                \
    "'||coalesce(options, '-')||' '||coalesce(size_bytes, '-')||' '||coalesce(used_pct, '-')||' '||line AS x FROM "    \
    "mount ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"/proc/mounts", NULL, NULL,
     "proc /proc proc rw,relatime 0 0\n/dev/sda2 / ext4 rw,relatime,errors=remount-ro 0 0\nstorage/my\\040data "
     "/my\\040data zfs rw,xattr,noacl 0 0\n",
     MOUNTS, "/dev/sda2 / ext4 rw,relatime,errors=remount-ro - - 2; storage/my data /my data zfs rw,xattr,noacl - - 3"},
    {"mountinfo: both sets of options", NULL, NULL,
     "26 1 8:50 / / rw,noatime shared:1 - ext4 /dev/sdd2 rw,barrier=0\n22 26 0:21 / /proc rw shared:12 - proc proc "
     "rw\n",
     MOUNTS, "/dev/sdd2 / ext4 rw,noatime,rw,barrier=0 - - 1"},
    {"mount", NULL, NULL,
     "/dev/sda2 on / type ext4 (rw,relatime)\n/dev/sr1 on /run/media/Disk on C type NFS type iso9660 (ro,uid=0) [C "
     "type Disk]\n",
     MOUNTS, "/dev/sda2 / ext4 rw,relatime - - 1; /dev/sr1 /run/media/Disk on C type NFS iso9660 ro,uid=0 - - 2"},
    {"mount of FreeBSD", NULL, NULL, "/dev/sda2 on / type ext4 (rw)\nzroot/ROOT/default on / (zfs, local, noatime)\n",
     "SELECT fstype||' '||options FROM mount WHERE line = 2", "zfs local, noatime"},
    {"df -PT", NULL, NULL,
     "Filesystem     Type 1024-blocks      Used Available Capacity Mounted on\n/dev/sda2      ext4   245073160  "
     "30517248 202033448      14% /\n",
     MOUNTS, "/dev/sda2 / ext4 - 250954915840.0 14.0 2"},
    {"df -h, German, long name", NULL, NULL,
     "Dateisystem                Gr\xc3\xb6\xc3\x9f"
     "e Benutzt Verf. Verw% Eingeh\xc3\xa4ngt auf\n/dev/mapper/vg0-a_very_long_name\n                             20G  "
     "  4,0G   15G   22% /\ntmpfs                      1,6G    2,1M  1,6G    1% /run\n",
     MOUNTS, "/dev/mapper/vg0-a_very_long_name / - - 21474836480.0 22.0 3"},
    {"df -i: inodes, no sizes", NULL, NULL,
     "Filesystem      Inodes  IUsed   IFree IUse% Mounted on\n/dev/sda2     15630336 312245 15318091    2% "
     "/\n/dev/sdb1 "
     "0 0 0 - /boot/efi\n",
     "SELECT group_concat(mountpoint || ' ' || coalesce(inodes_used_pct, '-') || ' ' || coalesce(used_pct, '-') || ' ' "
     "|| coalesce(size_bytes, '-'), '; ') FROM mount",
     "/ 2.0 - -; /boot/efi - - -"},
    {"df -i of FreeBSD: both", NULL, NULL,
     "Filesystem  1024-blocks     Used    Avail Capacity iused    ifree %iused  Mounted on\n/dev/ada0p2    19549372 "
     "7800000 10185424    43%  401229  2180465   16%   /\n",
     "SELECT mountpoint || ' ' || inodes_used_pct || ' ' || used_pct FROM mount", "/ 16.0 43.0"},
    {"findmnt", NULL, NULL,
     "TARGET                SOURCE         FSTYPE   OPTIONS\n/                     /dev/sda2      ext4     "
     "rw,relatime\n\xe2\x94\x9c\xe2\x94\x80/proc               proc           proc     rw\n"
     "\xe2\x94\x94\xe2\x94\x80/home               /dev/sda3[/@home] btrfs rw,subvol=/@home\n",
     MOUNTS, "/dev/sda2 / ext4 rw,relatime - - 2; /dev/sda3 /home btrfs rw,subvol=/@home - - 4"},
    {"findmnt -J", NULL, NULL,
     "{\"filesystems\": [{\"target\":\"/\", \"source\":\"/dev/sda2\", \"fstype\":\"ext4\", \"options\":\"rw\", "
     "\"children\": [{\"target\":\"/data\", \"source\":\"storage\", \"fstype\":\"zfs\", \"options\":\"rw\"}]}]}",
     ALL_EDGES, "disk:sda2>filesystem:/; pool:storage>filesystem:/data"},
    {"edges", NULL, NULL,
     "/dev/mapper/vg0-root / ext4 rw 0 0\nstorage/data /data zfs rw 0 0\nnas:/export /mnt nfs4 rw 0 0\n", ALL_EDGES,
     "disk:vg0-root>filesystem:/; pool:storage>filesystem:/data"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_mounts, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_mounts);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_mounts);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_mounts, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    device_notes(&parser_mounts, "/dev/sda2 / ext4 rw,relatime 0 0\n/dev/sdb1 /data ext4 rw,rela\nx\n", 2,
                 "SELECT group_concat(mountpoint) FROM mount", "/");
    device_notes(&parser_mounts,
                 "Filesystem     Type 1024-blocks      Used Available Capacity Mounted on\n/dev/sda2      ext4   lots  "
                 "30517248 202033448      14% /\n/dev/sda3      ext4   1000  500 500      50% /home\n",
                 1, "SELECT group_concat(mountpoint) FROM mount", "/home");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_mounts, "mounts", NULL, 0);
    device_corpus(&parser_mounts, "mountinfo", NULL, 0);
    device_corpus(&parser_mounts, "mount", NULL, 0);
    device_corpus(&parser_mounts, "findmnt", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("mounts", tests, NULL, NULL);
}
