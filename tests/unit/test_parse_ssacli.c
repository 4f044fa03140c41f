/* ssacli: the long and the short form, caches, groups of drives; what the system sees itself stays out. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_ssacli;

#define CONTROLLER                                                                                                     \
    "Smart Array P440ar in Slot 0 (Embedded)\n   Bus Interface: PCI\n   Controller Status: OK\n   Firmware Version: "  \
    "3.56-0\n"
#define CACHE_OK "   Cache Board Present: True\n   Cache Status: OK\n   Cache Ratio: 10% Read / 90% Write\n"
#define CACHE_OFF                                                                                                      \
    "   Cache Status: Temporarily Disabled\n   Cache Status Details: Cache disabled; low batteries.\n   "              \
    "Battery/Capacitor Status: Failed (Replace Batteries)\n"
#define REST                                                                                                           \
    "   Drive Write Cache: Disabled\n   No-Battery Write Cache: Enabled\n   PCI Address "                              \
    "(Domain:Bus:Device.Function): "                                                                                   \
    "0000:03:00.0\n"
#define CAGE                                                                                                           \
    "   Internal Drive Cage at Port 1I, Box 1, OK\n      Drive Bays: 4\n   Physical Drives\n      physicaldrive "      \
    "1I:1:1 "                                                                                                          \
    "(port 1I:box 1:bay 1, SATA SSD, 1.9 TB, OK)\n\n"
#define ARRAY_A                                                                                                        \
    "   Array: A\n      Interface Type: SATA\n      Status: OK\n\n\n      Logical Drive: 1\n         Size: 5.2 TB\n  " \
    "       "                                                                                                          \
    "Fault Tolerance: 1+0\n         Status: Recovering, 12% complete\n         Caching:  Enabled\n         Unique "    \
    "Identifier: 600508B1001C158B69C0104DA29E6FF7\n         Disk Name: /dev/sda          Mount Points: None\n        " \
    " "                                                                                                                \
    "Mirror Group 1:\n            physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SATA SSD, 1.9 TB, OK)\n\n      "          \
    "physicaldrive "                                                                                                   \
    "1I:1:1\n         Port: 1I\n         Status: Predictive Failure\n         Interface Type: Solid State SATA\n     " \
    "    "                                                                                                             \
    "Firmware Revision: XCV10110\n         Serial Number: S1ABCDEFG\n         WWID: 30014380095E2C50\n         "       \
    "Model: ATA "                                                                                                      \
    "    INTEL SSDSC2KB01\n"
#define SHORT                                                                                                          \
    "\nSmart Array P410i in Slot 2                (sn: 50014380095E2C50)\n\n   array A (SAS, Unused Space: 0  "        \
    "MB)\n\n\n "                                                                                                       \
    "     logicaldrive 1 (2.2 TB, RAID 5, Interim Recovery Mode)\n\n      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, " \
    "SAS "                                                                                                             \
    "HDD, 600 GB, Failed)\n      physicaldrive 1I:1:2 (port 1I:box 1:bay 2, SAS HDD, 600 GB, OK, spare)\n\n   "        \
    "unassigned\n\n      physicaldrive 2I:1:8 (port 2I:box 1:bay 8, SAS HDD, 600 GB, OK)\n"
#define KEYS(where)                                                                                                    \
    "SELECT group_concat(key||'='||value, '; ') FROM (SELECT DISTINCT s.key, s.value FROM setting s JOIN ref r ON "    \
    "r.id = "                                                                                                          \
    "s.node WHERE " where " ORDER BY s.key, s.value)"
#define ROW                                                                                                            \
    "SELECT name||' '||kind||' '||level||' '||state||' '||coalesce(sync_pct, '')||' '||coalesce((SELECT "              \
    "max(write_policy) FROM raid_array), '') FROM raid_array"

static const DeviceCase cases[] = {
    {"a controller", NULL, NULL, CONTROLLER CACHE_OK REST, KEYS("1"),
     "disk_cache_policy=Disabled; firmware=3.56-0; model=Smart Array P440ar; raid_cache_status=OK; "
     "raid_cache_without_battery=on; raid_cache_write_pct=90; raid_controller_status=OK"},
    {"its address", NULL, NULL, CONTROLLER REST, ALL_SAME, "scsihost:Smart Array slot 0=pci:0000:03:00.0"},
    {"a cache that is off", NULL, NULL, CONTROLLER CACHE_OFF, KEYS("key LIKE 'raid_%'"),
     "raid_battery=failed; raid_cache_reason=Cache disabled; low batteries.; raid_cache_status=Temporarily Disabled; "
     "raid_controller_status=OK"},
    {"a logical drive", NULL, NULL, CONTROLLER CACHE_OK REST CAGE ARRAY_A, ROW,
     "logicaldrive 0:1 smartarray raid10 Recovering, 12% complete 12.0 WriteBack"},
    {"whose cache is off", NULL, NULL, CONTROLLER CACHE_OFF ARRAY_A, "SELECT max(write_policy) FROM raid_array",
     "WriteThrough"},
    {"whose cache is not known", NULL, NULL, CONTROLLER ARRAY_A,
     "SELECT coalesce(max(write_policy), 'NULL') FROM raid_array", "NULL"},
    {"what was chosen", NULL, NULL, CONTROLLER CACHE_OFF ARRAY_A, KEYS("r.kind = 'array'"),
     "raid_volume_wwn=600508b1001c158b69c0104da29e6ff7; write_policy_default=WriteBack"},
    {"a drive", NULL, NULL, CONTROLLER CAGE ARRAY_A, KEYS("r.kind = 'slot'"),
     "firmware=XCV10110; model=INTEL SSDSC2KB01; raid_pd_state=online; raid_pd_state=predictive; raid_slot=1I:1:1; "
     "rotational=0; serial=S1ABCDEFG; transport=sata"},
    {"who lies where", NULL, NULL, CONTROLLER ARRAY_A,
     "SELECT group_concat(DISTINCT a.name||'>'||b.name) FROM edge e JOIN ref a ON a.id = e.parent JOIN ref b ON b.id = "
     "e.child WHERE a.kind <> 'scsihost'",
     "logicaldrive 0:1>sda,drive 1I:1:1 [slot 0]>logicaldrive 0:1"},
    {"the short form", NULL, NULL, SHORT, ROW, "logicaldrive 2:1 smartarray raid5 Interim Recovery Mode  "},
    {"its drives", NULL, NULL, SHORT,
     "SELECT group_concat(r.name||' '||s.value, '; ') FROM setting s JOIN ref r ON r.id = s.node WHERE s.key = "
     "'raid_pd_state'",
     "drive 1I:1:1 [slot 2] failed; drive 1I:1:2 [slot 2] spare; drive 2I:1:8 [slot 2] online"},
    {"a spare is no member, nor is an unassigned drive", NULL, NULL, SHORT,
     "SELECT group_concat(a.name||'>'||b.name) FROM edge e JOIN ref a ON a.id = e.parent JOIN ref b ON b.id = e.child "
     "WHERE b.kind = 'array' AND a.kind = 'slot'",
     "drive 1I:1:1 [slot 2]>logicaldrive 2:1"},
    {"drives of an HBA are the system's own", NULL, NULL,
     "Smart Array P840 in Slot 1 (HBA Mode)\n\n   HBA Drives\n\n      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, "
     "900.1 GB, OK)\n",
     "SELECT count(*) FROM ref WHERE kind = 'slot'", "0"},
    {"no cache at all", NULL, NULL, CONTROLLER "   Cache Board Present: False\n", KEYS("key = 'raid_cache_bytes'"),
     "raid_cache_bytes=0"},
    {"a notice before it", NULL, NULL,
     "FIRMWARE UPGRADE REQUIRED: A firmware update is recommended for this controller\n                           to "
     "prevent rare potential data write errors.\n\n\n" SHORT,
     "SELECT count(*) FROM raid_array", "1"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_ssacli, cases, sizeof cases / sizeof *cases);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_ssacli, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_ssacli, CONTROLLER "   what is this\n" CACHE_OK, 1, KEYS("key = 'raid_cache_status'"),
                 "raid_cache_status=OK");
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_ssacli, CONTROLLER CACHE_OK REST CAGE ARRAY_A, true);
    claims_no_other(&parser_ssacli);
    assert_false(parser_ssacli.starts(STR("Smart Array P440ar in Slot 0 is what we have")));
    assert_false(parser_ssacli.continues(STR("Then it was slow.")));
}

static void corpus(void **state) {
    (void)state;
    static const CorpusException exceptions[] = {
        {"check_raid__hpacucli-145-physicaldrive.slot0.txt", "a prompt stands in its first line"},
        {"check_raid__hpacucli-145-physicaldrive.slot1.txt", "a prompt stands in its first line"},
        {"check_raid__hpacucli-154-controller.txt", "a prompt stands in its first line"},
        {"check_raid__hpacucli-154-logicaldrive.slot0.txt", "a prompt stands in its first line"},
        {"check_raid__hpacucli-issue157-controller.all.show.status.txt", "a prompt stands in its first line"},
        {"check_raid__hpacucli-issue157-controller.slot-0.logicaldrive.all.show.txt",
         "a prompt stands in its first line"},
        {"check_raid__hpacucli-145-logicaldrive.slot1.txt", "an error message alone"},
        {"check_raid__hpacucli-154-logicaldrive.slot1.txt", "an error message alone"},
        {"check_raid__hpacucli-heracles-logicaldrive.all.show.txt", "an error message alone"},
        {"check_raid__hpacucli-issue157-controller.logicaldrive.all.show.txt", "an error message alone"}};
    device_corpus(&parser_ssacli, "ssacli", exceptions, sizeof exceptions / sizeof *exceptions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(claims),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
