/* storcli: controllers by their address, firmware and heat, as text and as JSON; what belongs to drives stays out. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_storcli;

#define SHOW_ALL                                                                                                       \
    "CLI Version = 007.2807.0000.0000 Dec 22, 2023\nOperating system = Linux 6.6.44\nController = 0\nStatus = "        \
    "Success\nDescription = None\n\n\nBasics :\n======\nController = 0\nAdapter Type =   SAS3816(A0)\nModel = HBA "    \
    "9500-16e\nPCI Address = 00:01:00:00\n\n\nVersion :\n=======\nFirmware Package Build = 36.00.00.00\n"              \
    "Firmware Version = 36.00.00.00\n\n\nHwCfg :\n=====\nROC temperature(Degree Celsius) = 50\n\nDrive /c0/e0/s12 "    \
    ":\n================\nModel = X670\nFirmware Version = NA56\n"
#define TEMPERATURE                                                                                                    \
    "CLI Version = 007.3503.0000.0000 Aug 05, 2025\nController = 1\nStatus = Success\n\nController Properties :\n"     \
    "=====================\n\n--------------------------------------\nCtrl_Prop                       Value\n"         \
    "--------------------------------------\nROC temperature(Degree Celsius) 104\n"                                    \
    "--------------------------------------\n"
#define PHYS                                                                                                           \
    "CLI Version = 007.3503.0000.0000 Aug 05, 2025\nController = 0\nStatus = Success\n\nPhy Info :\n========\n\n"      \
    "-----------------------------------------------------------------------\n"                                        \
    "PhyNo InvldDwrdCount RungDispartyErrCnt LosOfDwrdSynCnt PhyResetPrbCnt\n"                                         \
    "-----------------------------------------------------------------------\n"                                        \
    "    3             12                  1               0              2\n"                                         \
    "-----------------------------------------------------------------------\n"
#define JSON                                                                                                           \
    "{\n\"Controllers\":[\n{\n\"Command Status\" : {\n\"CLI Version\" : \"007.2703.0000.0000 July 03, 2023\",\n"       \
    "\"Controller\" : 0,\n\"Status\" : \"Success\"\n},\n\"Response Data\" : {\n\"Basics\" : {\n\"Model\" : \"HBA "     \
    "9500-8i\",\n\"PCI Address\" : \"00:21:00:01\"\n},\n\"Version\" : {\n\"Firmware Version\" : \"28.00.00.00\"\n},\n" \
    "\"HwCfg\" : {\n\"ROC temperature(Degree Celsius)\" : 44\n}\n}\n}\n]\n}\n"

#define VOLUME                                                                                                         \
    "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nController = 0\nStatus = Success\nDescription = None\n\n\n/c0/v0 " \
    ":\n======\n\n--------------------------------------------------------------\nDG/VD TYPE  State Access Consist "   \
    "Cache Cac sCC      Size Name\n--------------------------------------------------------------\n0/0   RAID6 Dgrd  " \
    "RW     Yes     RWTD  -   OFF 99.996 GB data\n--------------------------------------------------------------\n\n"  \
    "Optl=Optimal|RO=Read Only|RW=Read Write\n\nPDs for VD 0 :\n============\n\n--------------------------\nEID:Slt "  \
    "DID State DG     Size Intf Med SED PI SeSz Model       Sp Type\n--------------------------\n252:0    10 Onln   "  \
    "0 "                                                                                                               \
    "3.637 TB SATA HDD N   N  512B WDC WD4003  U  -\n252:1    11 Rbld   0 3.637 TB SATA HDD N   N  512B WDC WD4003  "  \
    "U  -\n252:2    12 JBOD   - 3.637 TB SATA HDD N   N  512B WDC WD4003  U  -\n--------------------------\n\nVD0 "    \
    "Properties :\n==============\nSpan Depth = 1\nNumber of Drives Per Span = 2\nWrite Cache(initial setting) = "     \
    "WriteBack\nDisk Cache Policy = Disk's Default\nActive Operations = Consistency Check (45%)\nOS Drive Name = "     \
    "/dev/sda\nSCSI NAA Id = 600e0004001e49902983aea95aad0556\n"
#define DRIVE                                                                                                          \
    "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nController = 0\nStatus = Success\n\nDrive /c0/e252/s0 "            \
    ":\n=====\n\n------\nEID:Slt DID State DG     Size Intf Med SED PI SeSz Model       Sp Type\n------\n252:0    10 " \
    "Onln   0 3.637 TB SATA SSD N   N  512B WDC WD4003  U  -\n------\n\nDrive /c0/e252/s0 State :\n=====\nMedia "      \
    "Error "                                                                                                           \
    "Count = 7\nOther Error Count = 3\nPredictive Failure Count = N/A\nS.M.A.R.T alert flagged by drive = "            \
    "Yes\n\nDrive /c0/e252/s0 Device attributes :\n=====\nSN = V1G8ABCD\nWWN = 5000CCA097C12345\n"
#define BATTERY                                                                                                        \
    "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nController = 0\nStatus = Success\n\nStatus :\n======\nController " \
    "Status = Needs Attention\nMemory Correctable Errors = 3\nMemory Uncorrectable Errors = 0\nAny Offline VD Cache "  \
    "Preserved = Yes\nBBU Status = 8\n\nBBU_Firmware_Status :\n====\n\n----\nProperty            Value\n----\nLearn "  \
    "Cycle Active  Yes\nBattery Pack Missing No\n----\n"
#define JSON_VOLUME                                                                                                    \
    "{\"Controllers\":[{\"Command Status\":{\"CLI Version\":\"007.2703.0000.0000 July 03, "                            \
    "2023\",\"Controller\":1,\"Status\":\"Success\"},\"Response Data\":{\"/c1/v3\":[{\"DG/"                            \
    "VD\":\"2/3\",\"TYPE\":\"RAID10\",\"State\":\"Optl\",\"Cache\":\"NRAWBD\"}],\"VD3 Properties\":{\"Write "          \
    "Cache(initial "                                                                                                   \
    "setting)\":\"WriteThrough\"},\"PD "                                                                               \
    "LIST\":[{\"EID:Slt\":\"8:1\",\"State\":\"Msng\",\"DG\":2,\"Intf\":\"SAS\",\"Med\":"                               \
    "\"HDD\"}],\"Cachevault_Info\":[{\"Model\":\"CVPM05\",\"State\":\"Optimal\"}]}}]}\n"
#define ROWS(columns) "SELECT group_concat(" columns ", '; ') FROM raid_array"

static const DeviceCase cases[] = {
    {"a volume", NULL, NULL, VOLUME,
     ROWS("name||' '||kind||' '||level||' '||state||' '||raid_disks||' '||write_policy||' '||line"),
     "volume 0:0 megaraid raid6 Dgrd 2 WriteThrough 13"},
    {"what was configured", NULL, NULL, VOLUME, SETTING_OF("volume 0:0", "write_policy_default"), "WriteBack"},
    {"what it does", NULL, NULL, VOLUME,
     "SELECT group_concat(key||'='||value, '; ') FROM setting WHERE key IN ('raid_task', 'raid_progress_pct')",
     "raid_task=consistency check; raid_progress_pct=45"},
    {"its disk and its drives; what the system sees itself stays out", NULL, NULL, VOLUME, ALL_EDGES,
     "scsihost:storcli c0>array:volume 0:0; scsihost:storcli c0>slot:drive 252:0 [c0]; scsihost:storcli c0>slot:drive "
     "252:1 [c0]; array:volume 0:0>disk:sda; slot:drive 252:0 [c0]>array:volume 0:0; slot:drive 252:1 "
     "[c0]>array:volume "
     "0:0"},
    {"a rebuild", NULL, NULL, VOLUME, SETTING_OF("drive 252:1 [c0]", "raid_pd_state"), "rebuilding"},
    {"a drive", NULL, NULL, DRIVE,
     "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY key)",
     "model=WDC WD4003; raid_pd_alert=yes; raid_pd_state=online; raid_slot=252:0; rotational=0; serial=V1G8ABCD; "
     "transport=sata; wwn=5000cca097c12345"},
    {"its counters", NULL, NULL, DRIVE,
     "SELECT group_concat(name||' '||CAST(value AS INTEGER)||' '||line, '; ') FROM counter",
     "raid_media_errors 7 16; raid_other_errors 3 17"},
    {"a battery that learns", NULL, NULL, BATTERY,
     "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY key)",
     "raid_battery=charging; raid_controller_status=Needs Attention; raid_learn_active=yes; raid_preserved_cache=yes"},
    {"memory", NULL, NULL, BATTERY, "SELECT value FROM counter WHERE name = 'raid_memory_correctable'", "3.0"},
    {"JSON of a volume", NULL, NULL, JSON_VOLUME, ROWS("name||' '||level||' '||state||' '||write_policy"),
     "volume 1:3 raid10 Optl AlwaysWriteBack"},
    {"JSON of its drives and battery", NULL, NULL, JSON_VOLUME,
     "SELECT group_concat(key||'='||value, '; ') FROM (SELECT * FROM setting WHERE key IN ('raid_pd_state', "
     "'raid_battery', 'write_policy_default', 'transport') ORDER BY key)",
     "raid_battery=good; raid_pd_state=missing; transport=sas; write_policy_default=WriteThrough"},
    {"overview of all", NULL, NULL,
     "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nStatus = Success\n\nSystem Overview :\n===\n\n---\nCtl Model     "
     "      Ports PDs DGs DNOpt VDs VNOpt BBU sPR DS EHS ASOs Hlth\n---\n  1 MegaRAID 9361-8i    8   4   1     0   1   "
     "  0 Msng On  1  N      0 NdAtn\n---\n",
     ALL_SETTINGS,
     "storcli c1 raid_battery=missing firmware 10; storcli c1 raid_controller_status=Needs Attention firmware 10"},
    {"progress", NULL, NULL,
     "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nController = 0\nStatus = Success\nDescription = Show Drive "
     "Rebuild "
     "Status Succeeded.\n\n---\nDrive-ID    Progress% Status          Estimated Time Left\n---\n/c0/e252/s1        37 "
     "In "
     "progress     1 Hours\n/c0/e252/s0 -         Not in progress -\n---\n",
     "SELECT group_concat(key||'='||value, '; ') FROM setting",
     "raid_slot=252:1; raid_pd_state=rebuilding; raid_progress_pct=37"},
    {"show all", NULL, NULL, SHOW_ALL, ALL_SETTINGS,
     "storcli c0 model=HBA 9500-16e firmware 12; 0000:01:00.0 firmware=36.00.00.00 firmware 19; 0000:01:00.0 "
     "temperature_celsius=50 firmware 24"},
    {"show all: one controller", NULL, NULL, SHOW_ALL, ALL_SAME, "scsihost:storcli c0=pci:0000:01:00.0"},
    {"show temperature", NULL, NULL, TEMPERATURE, ALL_SETTINGS, "storcli c1 temperature_celsius=104 firmware 11"},
    {"show phyerrorcounters", NULL, NULL, PHYS,
     "SELECT group_concat(x, '; ') FROM (SELECT c.name||' '||c.id||' '||CAST(c.value AS INTEGER) AS x FROM counter c "
     "ORDER BY rowid)",
     "invalid_dword_count 3 12; running_disparity_error_count 3 1; loss_of_dword_sync_count 3 0; "
     "phy_reset_problem_count 3 2"},
    {"JSON", NULL, NULL, JSON,
     "SELECT group_concat(x, '; ') FROM (SELECT r.name||' '||s.key||'='||s.value AS x FROM setting s JOIN ref r ON "
     "r.id "
     "= s.node ORDER BY s.rowid)",
     "0000:21:00.1 model=HBA 9500-8i; 0000:21:00.1 firmware=28.00.00.00; 0000:21:00.1 temperature_celsius=44"},
    {"no such address", NULL, NULL,
     "CLI Version = 007.2807.0000.0000\nController = 0\nPCI Address = 00:99:77:00\nFW Version = 24.00.00.00\n",
     ALL_SETTINGS, "storcli c0 firmware=24.00.00.00 firmware 4"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_storcli, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_storcli, SHOW_ALL, true);
    claims_text(&parser_storcli, PHYS, true);
    claims_no_other(&parser_storcli);
    assert_false(parser_storcli.starts(STR("CLI Version = unknown")));
    assert_false(parser_storcli.continues(STR("root@nas:~# zpool status")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_storcli, cases, sizeof cases / sizeof *cases);
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_storcli, "storcli", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
