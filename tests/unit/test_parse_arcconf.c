/* arcconf: logical devices, drives, battery, tasks; the controller's number comes from the command. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_arcconf;

#define RULE "----------------------------------------------------------------------\n"
#define FOUND "Controllers found: 1\n" RULE
#define LD                                                                                                             \
    "Logical device information\n" RULE "Logical Device number 3\n   Logical Device name                      : "      \
    "data\n   RAID level                          "                                                                    \
    "     : 5\n   Status of Logical Device                 : Impacted ( Build/Verify with fix : 90 % )\n"
#define CACHE(setting, status)                                                                                         \
    "   Write-cache setting                      : " setting "\n   Write-cache status                       : " status \
    "\n"
#define SEGMENT                                                                                                        \
    "   Failed stripes                           : No\n   --------------------------------------------------------\n " \
    "  "                                                                                                               \
    "Logical Device segment information\n   --------------------------------------------------------\n   Group 0, "    \
    "Segment 0                       : Present (457862MB, SATA, SSD, Connector:0, Device:0) 7CS009RP\n"
#define PD                                                                                                             \
    "Physical Device information\n" RULE "      Device #7\n         Device is a Hard drive\n         State           " \
    "                     : Failed\n         "                                                                         \
    "Transfer Speed                       : SATA 6.0 Gb/s\n         Reported Location                    : Enclosure " \
    "0, "                                                                                                              \
    "Slot 5( Connector Unknown )\n         Model                                : INTEL SSDSC2KB019T\n         "       \
    "Serial "                                                                                                          \
    "number                        : PHYS1234567\n         Write Cache                          : Disabled "           \
    "(write-through)\n         S.M.A.R.T.                           : No\n         S.M.A.R.T. warnings               " \
    "   : "                                                                                                            \
    "2\n         SSD                                  : Yes\n      ------------------------------\n      Device Phy "  \
    "Information\n      ------------------------------\n         Phy #0\n            SAS Address                     " \
    "  : "                                                                                                             \
    "5000\n\n      Device #8\n         Device is an Enclosure Services Device\n         Model                        " \
    "     "                                                                                                            \
    "   : SAS2X28\n"
#define KEYS(where)                                                                                                    \
    "SELECT group_concat(key||'='||value, '; ') FROM (SELECT s.key, s.value FROM setting s JOIN ref r ON r.id = "      \
    "s.node "                                                                                                          \
    "WHERE " where " ORDER BY s.key)"

static const DeviceCase cases[] = {
    {"a logical device", NULL, "arcconf getconfig 2 ld", FOUND LD CACHE("On when protected by battery/ZMM", "Off"),
     "SELECT name||' '||kind||' '||level||' '||sync_pct||' '||line FROM raid_array",
     "logicaldevice 2:3 adaptec raid5 90.0 8"},
    {"its state", NULL, NULL, FOUND LD, "SELECT state FROM raid_array", "Impacted ( Build/Verify with fix : 90 % )"},
    {"guarded by the battery", NULL, NULL, FOUND LD CACHE("On when protected by battery/ZMM", "Off"),
     KEYS("key LIKE 'write%'"), "write_policy_bad_bbu=write through; write_policy_default=WriteBack"},
    {"on without one", NULL, NULL, FOUND LD CACHE("Enabled", "On"), KEYS("key LIKE 'write%'"),
     "write_policy_bad_bbu=write back; write_policy_default=WriteBack"},
    {"older words", NULL, NULL, FOUND LD "   Write-cache mode                         : Disabled (write-through)\n",
     "SELECT max(write_policy) FROM raid_array", "WriteThrough"},
    {"its drives by their serial numbers", NULL, NULL, FOUND LD SEGMENT, ALL_EDGES,
     "scsihost:Adaptec 1>array:logicaldevice 1:3; serial:7CS009RP>array:logicaldevice 1:3"},
    {"a drive", NULL, NULL, FOUND PD, KEYS("r.kind = 'slot'"),
     "disk_cache_policy=Disabled (write-through); model=INTEL SSDSC2KB019T; raid_pd_alert=yes; raid_pd_state=failed; "
     "raid_slot=0:5; rotational=0; serial=PHYS1234567; transport=sata"},
    {"an enclosure is none", NULL, NULL, FOUND PD, "SELECT group_concat(name) FROM ref WHERE kind = 'slot'",
     "drive #7 [controller 1]"},
    {"the backup of the cache", NULL, NULL,
     FOUND
     "Controller information\n" RULE
     "   Controller Status                        : Optimal\n   Controller Model                         : Adaptec "
     "ASR7805\n   Temperature                              : 48 C/ 118 F (Normal)\n   "
     "--------------------------------------------------------\n   Controller Cache Backup Unit Information\n   "
     "--------------------------------------------------------\n\n    Overall Backup Unit Status              : Not "
     "Ready\n",
     KEYS("1"), "model=Adaptec ASR7805; raid_battery=degraded; raid_controller_status=Optimal; temperature_celsius=48"},
    {"a task", NULL, "arcconf getstatus 1",
     "Controllers found: 1\nLogical device Task:\n   Logical device                 : 0\n   Task ID                    "
     "    "
     ": 101\n   Current operation              : Rebuild\n   Status                         : In Progress\n   "
     "Percentage "
     "complete            : 7\n\nCommand completed successfully.\n",
     KEYS("1"), "raid_progress_pct=7; raid_task=rebuild"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_arcconf, cases, sizeof cases / sizeof *cases);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_arcconf, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_arcconf,
                 FOUND "Controller information\n" RULE
                       "   Controller Battery Information\n   Status                                   : purple\n" LD,
                 1, "SELECT level FROM raid_array", "raid5");
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_arcconf, FOUND LD SEGMENT PD, true);
    claims_no_other(&parser_arcconf);
    assert_false(parser_arcconf.starts(STR("Controllers found: none")));
    assert_false(parser_arcconf.continues(STR("Then it was slow.")));
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_arcconf, "arcconf", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(claims),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
