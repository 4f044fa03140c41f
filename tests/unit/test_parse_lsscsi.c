/* lsscsi: columns by width, transports, long form; addresses and their disks. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_lsscsi;

#define PLAIN                                                                                                          \
    "[0:0:0:0]    disk    HP       LOGICAL VOLUME   5.14  /dev/sda   /dev/sg1 \n"                                      \
    "[0:3:0:0]    storage HP       P410i            5.14  -          /dev/sg0 \n"                                      \
    "[2:0:0:0]    disk    ATA      WDC WD40EFRX-68W 0A82  /dev/sdb   4.00TB\n"                                         \
    "[3:0:0:0]    cd/dvd  HL-DT-ST DVD A  DS8A5SH   EL01  /dev/sr0 \n"
#define LONG                                                                                                           \
    "[1:0:0:0]    disk    sas:0x5000c50012345679          /dev/sdc \n  device_blocked=0\n  iodone_cnt=0x1f3c\n"        \
    "  ioerr_cnt=0x3\n  queue_depth=64\n  queue_type=simple\n  state=running\n  timeout=30\n  transport=sas\n"

static const DeviceCase cases[] = {
    {"plain", NULL, NULL, PLAIN, ALL_SETTINGS,
     "sda hctl=0:0:0:0 kernel 1; sda device_type=disk kernel 1; sda vendor=HP kernel 1; sda model=LOGICAL VOLUME "
     "kernel 1; sda firmware=5.14 kernel 1; sdb "
     "hctl=2:0:0:0 kernel 3; sdb device_type=disk kernel 3; sdb model=WDC WD40EFRX-68W kernel 3; sdb firmware=0A82 "
     "kernel 3; sr0 hctl=3:0:0:0 kernel 4; sr0 "
     "device_type=cdrom kernel 4; sr0 vendor=HL-DT-ST kernel 4; sr0 model=DVD A  DS8A5SH kernel 4; sr0 firmware=EL01 "
     "kernel 4"},
    {"addresses", NULL, NULL, PLAIN, ALL_SAME, "scsi:0:0:0:0=disk:sda; scsi:2:0:0:0=disk:sdb; scsi:3:0:0:0=disk:sr0"},
    {"blanks squeezed", NULL, NULL, "[2:0:0:0] disk ATA WDC WD40EFRX-68W 0A82 /dev/sdb\n", SETTING_OF("sdb", "model"),
     "WDC WD40EFRX-68W"},
    {"transport sata", NULL, NULL, "[2:0:0:0]    disk    sata:50014ee2b1234567           /dev/sdb \n", ALL_SETTINGS,
     "sdb hctl=2:0:0:0 kernel 1; sdb device_type=disk kernel 1; sdb transport=sata kernel 1; sdb wwn=50014ee2b1234567 "
     "kernel 1"},
    {"transport sata without a name", NULL, NULL,
     "[0:0:0:0]    disk    sata:ATA     VBOX HARDDISK                           VB1   /dev/sda \n",
     SETTING_OF("sda", "transport"), "sata"},
    {"transport usb", NULL, NULL, "[6:0:0:0]    disk    usb: 2-1.5:1.0                  /dev/sdb \n",
     SETTING_OF("sdb", "port"), "2-1.5"},
    {"transport sas: a port's name is no WWN", NULL, NULL, LONG, "SELECT count(*) FROM setting WHERE key = 'wwn'", "0"},
    {"none", NULL, NULL, "[0:0:0:0]    disk                                    /dev/sda \n", SETTING_OF("sda", "hctl"),
     "0:0:0:0"},
    {"-L", NULL, NULL, LONG, ALL_SETTINGS,
     "sdc hctl=1:0:0:0 kernel 1; sdc device_type=disk kernel 1; sdc transport=sas kernel 1; sdc queue_depth=64 kernel "
     "5; sdc device_state=running kernel 7; sdc "
     "io_timeout_s=30 kernel 8; sdc transport=sas kernel 9"},
    {"-L: counters", NULL, NULL, LONG, "SELECT group_concat(name||'='||value||' '||raw, '; ') FROM counter",
     "iodone_cnt=7996.0 0x1f3c; ioerr_cnt=3.0 0x3"},
    {"-v: where it hangs", NULL, NULL,
     "[2:0:0:0]    disk    ATA      WDC WD40EFRX-68W 0A82  /dev/sdb \n  dir: /sys/bus/scsi/devices/2:0:0:0  "
     "[/sys/devices/pci0000:00/0000:00:1c.0/0000:03:00.0/ata3/host2/target2:0:0/2:0:0:0]\n",
     "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting WHERE key IN ('pci', 'ata_port')",
     "pci=0000:03:00.0 2; ata_port=ata3 2"},
    {"NVMe", NULL, NULL, "[N:0:4:1]    disk    EXAMPLE SSD 1TB__1                 /dev/nvme0n1\n",
     SETTING_OF("nvme0n1", "transport"), "nvme"},
    {"-d", NULL, NULL, "[0:0:0:0]    disk    HP       LOGICAL VOLUME   5.14  /dev/sda[8:0]\n",
     "SELECT name FROM ref WHERE kind = 'disk'", "sda"},
    {"with its prompt", NULL, NULL, "root@nas ~# lsscsi -g\n" PLAIN, "SELECT count(*) FROM same_as", "3"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_lsscsi, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_lsscsi, PLAIN, true);
    claims_text(&parser_lsscsi, LONG, true);
    claims_no_other(&parser_lsscsi);
    assert_false(parser_lsscsi.starts(STR("[    1.844021] ata3: SATA link up 6.0 Gbps")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_lsscsi, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_lsscsi, PLAIN "[x:y] foo\nwhat\n", 2, "SELECT count(*) FROM same_as", "3");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_lsscsi, "lsscsi", NULL, 0);
}

/* libstorage-ng reads the transport only; it calls none UNKNOWN, and tells FCoE from FC, which is one transport here. */
static void expected(void **state) {
    (void)state;
    static const struct {
        const char *file, *want;
    } rows[] = {{"libstorage-ng__lsscsi-parse1.txt", "sda=sata sr0=sata sdb=usb"},
                {"libstorage-ng__lsscsi-parse2.txt", "NULL"},
                {"libstorage-ng__lsscsi-parse4.txt", "sdb=fc sdc=fc"},
                {"libstorage-ng__lsscsi-parse5.txt", "sdb=fc sdc=fc"}};
    if (!pt_corpus()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *path = strcat(strcat(strcpy((char[1024]){""}, pt_corpus()), "/lsscsi/"), rows[i].file);
        Str text = pt_file(path);
        if (!text.p) skip();
        ParseTest *pt = pt_run(&parser_lsscsi, NULL, NULL, text);
        const char *got = pt_text(pt, "SELECT group_concat(r.name||'='||value, ' ') FROM setting s JOIN ref r ON r.id "
                                      "= s.node WHERE key = 'transport'");
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: %s, not %s", rows[i].file, got, rows[i].want);
        pt_free(pt);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus), cmocka_unit_test(expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
