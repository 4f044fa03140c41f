/* hdparm: what the drive says of its write cache, identity and features; timings; drives that do not answer. */
#include "device_test.h"

extern const Parser parser_hdparm;

static const char identify[] =
    "\n/dev/sda:\n\nATA device, with non-removable media\n\tModel Number:       EXAMPLE SSD 512GB                      "
    " \n\tSerial Number:      EX0000000002\n\tFirmware Revision:  EX1.0\n"
    "\tTransport:          Serial, ATA8-AST, SATA 1.0a, SATA II Extensions, SATA Rev 2.5, SATA Rev 2.6, SATA Rev "
    "3.0\nStandards:\n\tSupported: 9 8 7 6 5 \n"
    "Configuration:\n\tLBA    user addressable sectors:   268435455\n\tLBA48  user addressable sectors:  "
    "1000215216\n\tLogical  Sector size:                   512 bytes\n"
    "\tPhysical Sector size:                  4096 bytes\n\tNominal Media Rotation Rate: Solid State "
    "Device\nCapabilities:\n\tLBA, IORDY(can be disabled)\n\tQueue depth: 32\n"
    "\tAdvanced power management level: disabled\nCommands/features:\n\tEnabled\tSupported:\n\t   *\tSMART feature "
    "set\n\t    \tWrite cache\n\t   *\tLook-ahead\n"
    "\t   *\tGen2 signaling speed (3.0Gb/s)\n\t   *\tGen3 signaling speed (6.0Gb/s)\n\t   *\tNative Command Queueing "
    "(NCQ)\n\t   *\tData Set Management TRIM supported (limit 8 blocks)\n"
    "Security: \n\tMaster password revision code = "
    "65534\n\t\tsupported\n\tnot\tenabled\n\tnot\tlocked\n\t\tfrozen\n\tnot\texpired: security count\n"
    "Logical Unit WWN Device Identifier: 5002538043584d30\n\tNAA\t\t: 5\nChecksum: correct\n";

static const DeviceCase cases[] = {
    {"-W off", NULL, NULL, "\n/dev/sda:\n write-caching =  0 (off)\n", ALL_SETTINGS, "sda write_cache=off drive 3"},
    {"-N with a hidden part", NULL, "hdparm -N /dev/sda",
     "\n/dev/sda:\n max sectors   = 1953523055/1953525168, HPA is enabled\n", ALL_SETTINGS,
     "sda hpa_current_sectors=1953523055 drive 3; sda hpa_native_sectors=1953525168 drive 3"},
    {"-N, a native size in brackets", NULL, "hdparm -N /dev/sda",
     "\n/dev/sda:\n max sectors   = 5860533168/5860533168(5860533168?), HPA is disabled\n",
     SETTING_OF("sda", "hpa_native_sectors"), "5860533168"},
    {"-W of several", NULL, "hdparm -W /dev/sda /dev/sdb /dev/sdc",
     "\n/dev/sda:\n write-caching =  1 (on)\n\n/dev/sdb:\n write-caching =  0 (off)\n\n/dev/sdc:\n write-caching = not "
     "supported\n",
     ALL_SETTINGS, "sda write_cache=on drive 3; sdb write_cache=off drive 6"},
    {"-W by link", NULL, NULL, "\n/dev/disk/by-id/ata-EXAMPLE_SSD_EX0001:\n write-caching =  1 (on)\n",
     "SELECT kind||':'||name FROM ref", "link:ata-EXAMPLE_SSD_EX0001"},
    {"-W1 says what it does, then what is", NULL, NULL,
     "\n/dev/sda:\n setting drive write-caching to 1 (on)\n write-caching =  1 (on)\n", ALL_SETTINGS,
     "sda write_cache=on drive 4"},
    {"no heading: the command names the drive", NULL, "hdparm -W /dev/sdd", " write-caching =  1 (on)\n",
     SETTING_OF("sdd", "write_cache"), "on"},
    {"-I", NULL, NULL, identify, ALL_SETTINGS,
     "sda model=EXAMPLE SSD 512GB drive 5; sda serial=EX0000000002 drive 6; sda firmware=EX1.0 drive 7; sda "
     "transport=sata drive 8; sda logical_block_bytes=512 drive 14; sda physical_block_bytes=4096 drive 15; "
     "sda rotation_rpm=0 drive 16; sda rotational=0 drive 16; sda apm_level=255 drive 20; sda smart_enabled=yes drive "
     "23; sda smart_supported=yes drive 23; sda write_cache=off drive 24; "
     "sda read_lookahead=on drive 25; sda ncq_supported=yes drive 28; sda trim_supported=yes drive 29; sda "
     "wwn=5002538043584d30 drive 37; sda ncq_depth=32 drive 19; sda link_max_gbps=6 drive 27; "
     "sda size_bytes=512110190592 drive 13; sda security=frozen drive 35"},
    {"-I cut off inside the list: no NCQ is not said", NULL, NULL,
     "/dev/sda:\n\nATA device, with non-removable media\n\tQueue depth: "
     "32\nCommands/features:\n\tEnabled\tSupported:\n\t   *\tGen2 signaling speed (3.0Gb/s)\n",
     "SELECT count(*) FROM setting WHERE key GLOB 'ncq*'", "0"},
    {"-i", NULL, NULL,
     "\n/dev/sda:\n\n Model=EXAMPLE HDD, FwRev=EX02, SerialNo=EX0003\n Config={ Fixed }\n AdvancedPM=no "
     "WriteCache=enabled\n",
     ALL_SETTINGS,
     "sda model=EXAMPLE HDD drive 4; sda firmware=EX02 drive 4; sda serial=EX0003 drive 4; sda write_cache=on drive 6"},
    {"-C and -B", NULL, NULL,
     "\n/dev/sda:\n drive state is:  standby\n APM_level\t= 128\n\n/dev/sdb:\n drive state is:  active/idle\n "
     "APM_level\t= off\n",
     ALL_SETTINGS,
     "sda power_mode=standby drive 3; sda apm_level=128 drive 4; sdb power_mode=active drive 7; sdb apm_level=255 "
     "drive 8"},
    {"-t: MB are 2^20 bytes", NULL, NULL,
     "\n/dev/sda:\n Timing buffered disk reads: 342 MB in  3.00 seconds = 114.00 MB/sec\n",
     "SELECT tool||' '||label||' '||rw||' '||bytes||' '||seconds||' '||mb_s||' '||line FROM benchmark",
     "hdparm -t read 358612992.0 3.0 119.537664 3"},
    {"-T measures memory", NULL, NULL,
     "\n/dev/sda:\n Timing cached reads:   9000 MB in  2.00 seconds = 4500.00 MB/sec\n",
     "SELECT measures FROM benchmark", "copying from the page cache: memory and CPU, not the drive"},
    {"an error is a remark", NULL, NULL,
     "\n/dev/sdb:\nSG_IO: bad/missing sense data, sb[]:  70 00 05 00 00 00 00 0a\n write-caching = not supported\n",
     "SELECT line||' '||substr(text, 1, 29) FROM note", "3 the drive did not answer: SG_"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_hdparm, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_hdparm);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_hdparm);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_hdparm, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    device_notes(&parser_hdparm,
                 "\n/dev/sda:\n write-caching =  7 (odd)\n\n/dev/sdb:\n write-caching =  0 (off)\n Timing buffered "
                 "disk reads: fast\n",
                 2, ALL_SETTINGS, "sdb write_cache=off drive 6");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_hdparm, "hdparm", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("hdparm", tests, NULL, NULL);
}
