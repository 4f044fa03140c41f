/* MegaCli -LDInfo: both spellings, spans, what was configured beside what is in force, quoted lines. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_megacli;

#define HEAD "Adapter 1 -- Virtual Drive Information:\nVirtual Drive: 2 (Target Id: 2)\n"
#define LEVEL                                                                                                          \
    "Name                :\nRAID Level          : Primary-1, Secondary-3, RAID Level Qualifier-0\nSize               " \
    " : 1.225 TB\nState               : Degraded\nNumber Of Drives per span:2\nSpan Depth          : 3\n"
#define POLICY                                                                                                         \
    "Default Cache Policy: WriteBack, ReadAheadNone, Cached, No Write Cache if Bad BBU\n"                              \
    "Current Cache Policy: WriteThrough, ReadAheadNone, Cached, No Write Cache if Bad BBU\n"
#define ARRAY(columns) "SELECT " columns " FROM raid_array a JOIN ref r ON r.id = a.node"

#define SAS_DRIVE                                                                                                      \
    "Enclosure Device ID: 64\nSlot Number: 3\nDrive's position: DiskGroup: 0, Span: 0, Arm: 0\nWWN: "                  \
    "5000CCA2940E56BB\nMedia Error Count: 12\nOther Error Count: 1\nPredictive Failure Count: 2\nPD Type: SAS\n\nRaw " \
    "Size: 10.692 TB [0x558a00000 Sectors]\nFirmware state: Online, Spun Up\nInquiry Data: HGST    HUH721212AL5200 "   \
    "NS07D5G7WG8L            \nMedia Type: Hard Disk Device\nDrive Temperature :28C (82.40 F)\nPort-0 :\nPort "        \
    "status: "                                                                                                         \
    "Active\nDrive has flagged a S.M.A.R.T alert : Yes\n\n\n"
#define SATA_DRIVE                                                                                                     \
    "Enclosure Device ID: N/A\nSlot Number: 1\nWWN: 5000C500A1B2C3D4\nMedia Error Count: 0\nPD Type: SATA\nFirmware "  \
    "state: Rebuild\nInquiry Data:             9XF18SP9ST9500620NS                             AA09\nMedia Type: "     \
    "Solid "                                                                                                           \
    "State Device\n"
#define BBU_HEAD "\nBBU status for Adapter: 2\n\nBatteryType: iBBU\nVoltage: 4069 mV\n"
#define BBU_FLAGS                                                                                                      \
    "BBU Firmware Status:\n\n  Charging Status              : None\n  Learn Cycle Active           : Yes\n  Battery "  \
    "Pack "                                                                                                            \
    "Missing         : No\n"
#define ORDERED(where)                                                                                                 \
    "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting WHERE " where " ORDER BY key, line)"

static const DeviceCase cases[] = {
    {"a SAS drive", NULL, NULL, "Adapter #1\n\n" SAS_DRIVE, ORDERED("1"),
     "firmware=NS07; model=HUH721212AL5200; raid_pd_alert=yes; raid_pd_state=online; raid_slot=64:3; rotational=1; "
     "serial=D5G7WG8L; transport=sas"},
    {"its counters", NULL, NULL, "Adapter #1\n\n" SAS_DRIVE,
     "SELECT group_concat(r.name||' '||c.name||' '||CAST(value AS INTEGER), '; ') FROM counter c JOIN ref r ON r.id = "
     "c.node",
     "drive 64:3 [c1] raid_media_errors 12; drive 64:3 [c1] raid_other_errors 1; drive 64:3 [c1] "
     "raid_predictive_failures 2"},
    {"a SATA drive without an enclosure", NULL, NULL, "Adapter #0\n\n" SATA_DRIVE, ORDERED("1"),
     "firmware=AA09; model=ST9500620NS; raid_pd_state=rebuilding; raid_slot=:1; rotational=0; serial=9XF18SP9; "
     "transport=sata; wwn=5000c500a1b2c3d4"},
    {"drives of a volume", NULL, NULL, HEAD LEVEL "PD: 0 Information\n" SAS_DRIVE, ALL_EDGES,
     "scsihost:MegaCli a1>array:volume 1:2; scsihost:MegaCli a1>slot:drive 64:3 [c1]; slot:drive 64:3 "
     "[c1]>array:volume "
     "1:2"},
    {"a battery that learns", NULL, NULL, BBU_HEAD "Battery State     : Optimal\n" BBU_FLAGS, ORDERED("1"),
     "raid_battery=good; raid_learn_active=yes"},
    {"a battery to be replaced, and no word for its state", NULL, NULL,
     BBU_HEAD BBU_FLAGS
     "  Battery Replacement required : Yes\n\nBattery state: \n\nGasGuageStatus:\n  Fully Charged           : "
     "Yes\n",
     ORDERED("key = 'raid_battery'"), "raid_battery=failed"},
    {"no word, and nothing is wanted", NULL, NULL, BBU_HEAD BBU_FLAGS "  Battery Replacement required : No\n",
     ORDERED("key = 'raid_battery'"), "raid_battery=good"},
    {"no battery", NULL, NULL,
     "Adapter 0: Get BBU Status Failed.\n\nFW error description: \n The required hardware component is not present.  "
     "\n\nExit Code: 0x22\n",
     ALL_SETTINGS, "MegaCli a0 raid_battery=none firmware 4"},
    {"an adapter", NULL, NULL,
     "Adapter #0\n\n===========\n                    Versions\n                ================\nProduct Name    : "
     "PERC "
     "H700 Integrated\n                Error Counters\n                ================\nMemory Correctable Errors   : "
     "3\nMemory Uncorrectable Errors : 0\nAny Offline VD Cache Preserved   : Yes\nCache When BBU Bad               : "
     "Disabled\nBBU              : Absent\nMemory Size      : 512MB\n",
     ORDERED("1"),
     "model=PERC H700 Integrated; raid_battery=none; raid_cache_bytes=536870912; raid_cache_without_battery=off; "
     "raid_preserved_cache=yes"},
    {"where it sits", NULL, NULL,
     "PCI information for Controller 0\n--------------------------------\nBus Number      : 3b\nDevice Number   : "
     "0\nFunction Number : 0\n",
     ALL_SAME, "scsihost:MegaCli a0=pci:0000:3b:00.0"},
    {"a running check", NULL, NULL,
     HEAD "Ongoing Progresses:\n  Check Consistency        : Completed 12%, Taken 3 min.\n",
     ORDERED("key <> 'raid_target'"), "raid_progress_pct=12; raid_task=consistency check"},
    {"a volume", NULL, NULL, HEAD LEVEL POLICY,
     ARRAY("r.kind||' '||r.name||' '||a.kind||' '||level||' '||state||' '||raid_disks||' '||line"),
     "array volume 1:2 megaraid raid10 Degraded 6 6"},
    {"its policy has a line of its own", NULL, NULL, HEAD LEVEL POLICY,
     ARRAY("group_concat(coalesce(write_policy, '-')||' '||line)"), "- 6,WriteThrough 10"},
    {"configured and in force", NULL, NULL, HEAD POLICY, ALL_SETTINGS,
     "volume 1:2 raid_target=2:2 firmware 2; volume 1:2 write_policy_default=WriteBack firmware 3; volume 1:2 "
     "write_policy_bad_bbu=write through firmware 4"},
    {"two lines quoted", NULL, NULL, POLICY, ARRAY("a.name||' '||write_policy"), "volume ? WriteThrough"},
    {"quoted twice: two volumes", NULL, NULL, POLICY POLICY, "SELECT count(*) FROM raid_array", "2"},
    {"older words", NULL, NULL,
     "Virtual Disk: 0 (target id: 0)\nRAID Level: Primary-5, Secondary-0, RAID Level Qualifier-3\nState: "
     "Optimal\nNumber Of Drives:4\nSpan Depth:1\n",
     ARRAY("level||' '||raid_disks||' '||coalesce(write_policy, 'NULL')"), "raid5 4 NULL"},
    {"the write cache stays on without a battery", NULL, NULL,
     "Current Cache Policy: WriteBack, ReadAhead, Direct, Write Cache OK if Bad BBU\n",
     SETTING_OF("volume ?", "write_policy_bad_bbu"), "write back"},
    {"drives' caches", NULL, NULL, HEAD "Disk Cache Policy   : Disk's Default\n",
     SETTING_OF("volume 1:2", "disk_cache_policy"), "Disk's Default"},
    {"two volumes", NULL, NULL,
     HEAD POLICY "Virtual Drive: 3 (Target Id: 3)\nState               : Optimal\n\nExit Code: 0x00\n",
     "SELECT group_concat(name, '; ') FROM raid_array", "volume 1:2; volume 1:3"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_megacli, cases, sizeof cases / sizeof *cases);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_megacli, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_megacli, HEAD "what is this\n" POLICY, 1, "SELECT write_policy FROM raid_array",
                 "WriteThrough");
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_megacli, HEAD LEVEL POLICY, true);
    claims_no_other(&parser_megacli);
    assert_false(parser_megacli.starts(STR("Current Cache Policy: we should talk about it")));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
