/* /proc/scsi/scsi: which of its entries are drives, and what they say. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_proc_scsi;

#define LIST                                                                                                           \
    "Attached devices:\nHost: scsi0 Channel: 03 Id: 00 Lun: 00\n  Vendor: HP       Model: P420i            Rev: "      \
    "3.54\n"                                                                                                           \
    "  Type:   RAID                             ANSI  SCSI revision: 05\nHost: scsi4 Channel: 00 Id: 02 Lun: 01\n"     \
    "  Vendor: IBM-ESXS Model: ST9146803SS      Rev: B53C\n  Type:   Direct-Access                    ANSI  SCSI "     \
    "revision: 05\n"                                                                                                   \
    "Host: scsi5 Channel: 00 Id: 00 Lun: 00\n  Vendor: ATA      Model: SAMSUNG SSD PM80 Rev: VBM2\n"                   \
    "  Type:   Direct-Access                    ANSI  SCSI revision: 05\n"

static const DeviceCase cases[] = {
    {"drives", NULL, NULL, LIST, ALL_SETTINGS,
     "4:0:2:1 hctl=4:0:2:1 kernel 5; 4:0:2:1 vendor=IBM-ESXS kernel 6; 4:0:2:1 model=ST9146803SS kernel 6; 4:0:2:1 "
     "firmware=B53C kernel 6; 4:0:2:1 "
     "device_type=disk kernel 7; 5:0:0:0 hctl=5:0:0:0 kernel 8; 5:0:0:0 model=SAMSUNG SSD PM80 kernel 9; 5:0:0:0 "
     "firmware=VBM2 kernel 9; 5:0:0:0 "
     "device_type=disk kernel 10"},
    {"a controller is no drive", NULL, NULL, LIST, "SELECT count(*) FROM ref", "2"},
    {"optical", NULL, NULL,
     "Host: scsi1 Channel: 00 Id: 00 Lun: 00\n  Vendor: X        Model: Y                Rev: 1\n  Type:   CD-ROM      "
     "                     ANSI  SCSI revision: "
     "05\n",
     SETTING_OF("1:0:0:0", "device_type"), "cdrom"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_proc_scsi, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_proc_scsi, LIST, true);
    claims_no_other(&parser_proc_scsi);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_proc_scsi, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_proc_scsi, LIST "Host: scsiX\nfoo\n", 2, "SELECT count(DISTINCT node) FROM setting", "2");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_proc_scsi, "proc-scsi", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
