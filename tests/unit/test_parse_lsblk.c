/* lsblk: trees, lists, pairs and JSON; columns by header, cells with blanks, empty cells. */
#include "device_test.h"

extern const Parser parser_lsblk;

#define TREE                                                                                                           \
    "NAME           MAJ:MIN RM   SIZE RO TYPE  MOUNTPOINTS\n"                                                          \
    "sda              8:0    0   1.8T  0 disk  \n"                                                                     \
    "\xe2\x94\x9c\xe2\x94\x80"                                                                                         \
    "sda1           8:1    0   512M  0 part  /boot/efi\n"                                                              \
    "\xe2\x94\x94\xe2\x94\x80"                                                                                         \
    "sda2           8:2    0   1.8T  0 part  \n"                                                                       \
    "  \xe2\x94\x94\xe2\x94\x80"                                                                                       \
    "md0          9:0    0   1.8T  0 raid1 \n"                                                                         \
    "    \xe2\x94\x94\xe2\x94\x80"                                                                                     \
    "vg0-root 253:0    0   100G  0 lvm   /\n"                                                                          \
    "                                          /home\n"

static const DeviceCase cases[] = {
    {"tree: edges", NULL, NULL, TREE, ALL_EDGES,
     "disk:sda1>filesystem:/boot/efi; disk:sda>disk:sda1; disk:sda>disk:sda2; disk:sda2>disk:md0; "
     "disk:vg0-root>filesystem:/; disk:md0>disk:vg0-root; disk:vg0-root>filesystem:/home"},
    {"tree: rounded sizes are powers of 1024", NULL, NULL, TREE, SETTING_OF("sda1", "size_bytes"), "536870912"},
    {"tree: types", NULL, NULL, TREE,
     "SELECT group_concat(r.name||'='||value) FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref r ON r.id = "
     "s.node WHERE key = 'device_type'",
     "sda=disk,sda1=part,sda2=part,md0=raid1,vg0-root=lvm"},
    {"-D", NULL, NULL,
     "NAME   DISC-ALN DISC-GRAN DISC-MAX DISC-ZERO\nsda           0      512B       2G         0\nsdb           0      "
     "  0B       0B         0\n",
     ALL_SETTINGS,
     "sda discard_granularity_bytes=512 kernel 2; sda discard_max_bytes=2147483648 kernel 2; sdb "
     "discard_granularity_bytes=0 kernel 3; sdb discard_max_bytes=0 kernel 3"},
    {"-t", NULL, NULL,
     "NAME    ALIGNMENT MIN-IO OPT-IO PHY-SEC LOG-SEC ROTA SCHED       RQ-SIZE  RA WSAME\nsda             0   4096     "
     " 0    4096     512    1 mq-deadline      64 128    0B\n",
     ALL_SETTINGS,
     "sda rotational=1 kernel 2; sda scheduler=mq-deadline kernel 2; sda physical_block_bytes=4096 kernel 2; sda "
     "logical_block_bytes=512 kernel 2; sda nr_requests=64 kernel 2; sda read_ahead_kb=128 kernel 2"},
    {"-S: blanks in cells, empty cells", NULL, NULL,
     "NAME HCTL       TYPE VENDOR   MODEL                REV SERIAL       TRAN\nsda  2:0:0:0    disk ATA      EXAMPLE "
     "SSD 2.5 2TB 00WD EX0000000001 sata\nsr0  3:0:0:0    rom  HL-DT-ST                     1.00              sata\n",
     ALL_SETTINGS,
     "sda device_type=disk kernel 2; sda model=EXAMPLE SSD 2.5 2TB kernel 2; sda serial=EX0000000001 kernel 2; sda "
     "vendor=ATA kernel 2; sda firmware=00WD kernel 2; sda transport=sata kernel 2; sda hctl=2:0:0:0 kernel 2; "
     "sr0 device_type=cdrom kernel 3; sr0 vendor=HL-DT-ST kernel 3; sr0 firmware=1.00 kernel 3; sr0 transport=sata "
     "kernel 3; sr0 hctl=3:0:0:0 kernel 3"},
    {"-f", NULL, NULL,
     "NAME   FSTYPE     FSVER LABEL   UUID                                 FSAVAIL FSUSE% MOUNTPOINTS\nsda             "
     "                                                                    \n`-sda1 zfs_member 5000  storage "
     "1234567890123456789                                 \n",
     ALL_SETTINGS,
     "sda1 fs_type=zfs_member kernel 3; sda1 fs_label=storage kernel 3; sda1 fs_uuid=1234567890123456789 kernel 3"},
    {"columns that slipped: words fill them", NULL, NULL,
     "NAME   MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT\nsda 8:0 0 1.8T 0 disk\nsda1 8:1 0 512M 0 part /boot\n",
     "SELECT group_concat(r.name||' '||key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref r "
     "ON r.id = s.node WHERE key <> 'removable'",
     "sda device_type=disk; sda size_bytes=1979120929997; sda1 device_type=part; sda1 size_bytes=536870912; sda1 "
     "mountpoint=/boot"},
    {"no header: the command has the columns", NULL, "lsblk -dno NAME,SIZE,ROTA -b",
     "sda 2000398934016 0\nsdb 4000787030016 1\n", SETTING_OF("sdb", "size_bytes"), "4000787030016"},
    {"-P", NULL, NULL,
     "NAME=\"mpatha\" KNAME=\"dm-0\" PKNAME=\"sda\" TYPE=\"mpath\" SIZE=\"10G\" WWN=\"0x5000c50093c7021b\" "
     "ROTA=\"1\"\n",
     ALL_SAME, "disk:mpatha=disk:dm-0"},
    {"-P: parent", NULL, NULL, "NAME=\"sda1\" KNAME=\"sda1\" PKNAME=\"sda\" TYPE=\"part\" MOUNTPOINT=\"/data\"\n",
     ALL_EDGES, "disk:sda1>filesystem:/data; disk:sda>disk:sda1"},
    {"-J -b", NULL, NULL,
     "{\"blockdevices\": [{\"name\":\"sda\", \"kname\":\"sda\", \"type\":\"disk\", \"size\":2000398934016, "
     "\"model\":\"EXAMPLE SSD\", \"serial\":\"EX1\", \"wwn\":\"0x5001b448b7c10458\", \"tran\":\"sata\", "
     "\"rota\":false, \"rm\":\"0\", \"mountpoint\":null,"
     "\"children\": [{\"name\":\"sda1\", \"type\":\"part\", \"size\":\"1073741824\", \"model\":\"EXAMPLE SSD\", "
     "\"mountpoints\":[null, \"/data\", \"/srv\"]}]}]}",
     "SELECT group_concat(r.name||' '||key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref r "
     "ON r.id = s.node",
     "sda device_type=disk; sda size_bytes=2000398934016; sda model=EXAMPLE SSD; sda serial=EX1; sda "
     "wwn=5001b448b7c10458; sda transport=sata; sda rotational=0; sda removable=0; sda1 device_type=part; sda1 "
     "size_bytes=1073741824; sda1 mountpoint=/data; sda1 mountpoint=/srv"},
    {"START counts sectors of 512 bytes, of whatever the disk has", NULL, "lsblk -b -o NAME,TYPE,START,PHY-SEC",
     "NAME   TYPE  START PHY-SEC\nsda    disk             4096\n`-sda1 part     63    4096\n",
     SETTING_OF("sda1", "start_bytes"), "32256"},
    {"-J: the place", NULL, NULL,
     "{\"blockdevices\": [{\"name\":\"sda\", \"children\": [{\"name\":\"sda1\", \"fstype\":\"ext4\"}]}]}",
     "SELECT path FROM line_text t JOIN setting s ON s.line = t.line WHERE key = 'fs_type'",
     "/blockdevices/0/children/0"},
    {"an option it does not know", NULL, NULL, "lsblk: unknown column: MOUNTPOINTS,X\n", "SELECT count(*) FROM setting",
     "0"},
    {"a complaint before the rows of a list", NULL, "lsblk -dno NAME,SIZE -b /dev/sdx /dev/sda",
     "lsblk: /dev/sdx: not a block device\nsda 2000398934016\n", SETTING_OF("sda", "size_bytes"), "2000398934016"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_lsblk, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_lsblk);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_lsblk);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_lsblk, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_lsblk,
                 "NAME   MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT\nsda      8:0    0  1.8T  0 disk \nsdb      8:16   0  "
                 "lots  0 disk x y z\n",
                 1, SETTING_OF("sda", "device_type"), "disk");
    device_notes(&parser_lsblk, "NAME=\"sda\" TYPE=\"disk\" SIZE=\"many\"\nNAME=\"sdb\" TYPE=\"disk\" SIZE=\"10\n", 2,
                 SETTING_OF("sdb", "device_type"), "disk");
    device_notes(&parser_lsblk,
                 "lsblk: /dev/sdx: not a block device\nsda 8:0 0 10G 0 disk\nNAME SIZE TYPE\nsdb   10G disk\n", 1,
                 SETTING_OF("sdb", "device_type"), "disk");
    /* words behind a pasted table hide none of its columns */
    device_notes(&parser_lsblk,
                 "NAME     SIZE MODEL\nsda    111.8G EXAMPLE SSD 120\n|-sda1 111.3G\nsdb    465.8G EXAMPLE HDD\n\n"
                 "Is it the disk or the cable?\n",
                 1, SETTING_OF("sda", "model"), "EXAMPLE SSD 120");
}

static const CorpusException exceptions[] = {
    {"ansible__LSBLK_OUTPUT", "no header: needs the command line, which the file does not hold"},
    {"LSBLK_INVALID_OPTION", "an error and the help text"},
};

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_lsblk, "lsblk", exceptions, sizeof exceptions / sizeof *exceptions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("lsblk", tests, NULL, NULL);
}
