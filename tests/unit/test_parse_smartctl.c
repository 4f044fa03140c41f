/* smartctl text: facts of ATA, SCSI and NVMe drives, several drives in one text, refusals, packed raw values. */
#include "device_test.h"

#include "../../analyze/parse/smart_fact.h"

#include <math.h>

extern const Parser parser_smartctl;

#define ATA                                                                                                            \
    "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\nCopyright (C) 2002-22, Bruce Allen, Christian " \
    "Franke, www.smartmontools.org\n\n"                                                                                \
    "=== START OF INFORMATION SECTION ===\nModel Family:     Seagate Example\nDevice Model:     "                      \
    "ST4000EX000-2AB166\nSerial Number:    ZEX00017\n"                                                                 \
    "LU WWN Device Id: 5 000c50 0a1b2c3d4\nFirmware Version: SC60\nUser Capacity:    4,000,787,030,016 bytes [4.00 "   \
    "TB]\n"                                                                                                            \
    "Sector Sizes:     512 bytes logical, 4096 bytes physical\nRotation Rate:    5980 rpm\n"                           \
    "SATA Version is:  SATA 3.1, 6.0 Gb/s (current: 3.0 Gb/s)\nSMART support is: Available - device has SMART "        \
    "capability.\nSMART support is: Enabled\n"                                                                         \
    "APM feature is:   Disabled\nRd look-ahead is: Enabled\nWrite cache is:   Disabled\nATA Security is:  Disabled, "  \
    "frozen [SEC2]\n\n"                                                                                                \
    "=== START OF READ SMART DATA SECTION ===\nSMART overall-health self-assessment test result: PASSED\n\n"           \
    "Self-test execution status:      ( 121)\tThe previous self-test completed having\n\t\t\t\t\tthe read element of " \
    "the test failed.\n"
#define TABLE                                                                                                          \
    "Vendor Specific SMART Attributes with Thresholds:\nID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE " \
    "     UPDATED  WHEN_FAILED RAW_VALUE\n"                                                                            \
    "  1 Raw_Read_Error_Rate     0x000f   083   063   044    Pre-fail  Always       -       219212352\n"               \
    "  5 Reallocated_Sector_Ct   0x0033   009   009   010    Pre-fail  Always   FAILING_NOW 1024\n"                    \
    "  9 Power_On_Hours          0x0032   091   091   000    Old_age   Always       -       8105h+27m+10.123s\n"       \
    "188 Command_Timeout         0x0032   100   099   000    Old_age   Always   In_the_past 0 1 2\n"                   \
    "190 Airflow_Temperature_Cel 0x0022   066   060   040    Old_age   Always       -       34 (Min/Max 28/40)\n"      \
    "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       17\n"
#define COUNTER(name_)                                                                                                 \
    "SELECT r.name||' '||coalesce(c.id, '-')||' '||c.kind||' '||c.value||' '||coalesce(c.normalized, '-')||' "         \
    "'||coalesce(c.threshold, '-')||' '||coalesce(c.when_failed, '-')||' '||coalesce(c.unit, '-')||' '||c.line FROM "  \
    "counter c JOIN ref r ON r.id = c.node WHERE c.name = '" name_ "'"

static const char scsi[] =
    "smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.10.0] (local build)\n\n=== START OF INFORMATION SECTION "
    "===\nVendor:               EXAMPLE\nProduct:              SAS900\nRevision:             EX02\n"
    "User Capacity:        900'185'481'216 bytes [900 GB]\nLogical block size:   512 bytes\nRotation Rate:        "
    "10500 rpm\nLogical Unit id:      0x5000c50093c7021b\nSerial number:        EXSAS0001\n"
    "Transport protocol:   SAS (SPL-3)\nRead Cache is:        Enabled\nWriteback Cache is:   Disabled\n\n=== START OF "
    "READ SMART DATA SECTION ===\n"
    "SMART Health Status: FIRMWARE IMPENDING FAILURE TOO MANY BLOCK REASSIGNS [asc=5d, ascq=64]\n\nCurrent Drive "
    "Temperature:     30 C\nDrive Trip Temperature:        60 C\n"
    "Elements in grown defect list: 12\n\nError counter log:\n           Errors Corrected by           Total   "
    "Correction     Gigabytes    Total\n"
    "read:   1521076288        3         0  1521076291          0      25920.949           7\nwrite:         0        "
    "0         0         0          0       1543.290           0\n\n"
    "Non-medium error count:       54\n\nProtocol Specific port log page for SAS SSP\nrelative target port id = 1\n  "
    "phy identifier = 1\n"
    "    negotiated logical link rate: phy enabled; 6 Gbps\n    Invalid DWORD count = 4\n    Phy reset problem = 5\n";

static const char nvme[] =
    "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.6.0] (local build)\n\n=== START OF INFORMATION SECTION ===\nModel "
    "Number:                       EXAMPLE NVME 1TB\nSerial Number:                      EXNV0001\n"
    "Firmware Version:                   EX10\nTotal NVM Capacity:                 1.000.204.886.016 [1,00 "
    "TB]\nNamespace 1 Size/Capacity:          1.000.204.886.016 [1,00 TB]\n"
    "Namespace 1 Formatted LBA Size:     512\nNamespace 1 IEEE EUI-64:            002538 5b81b1c1ec\nWarning  Comp. "
    "Temp. Threshold:     85 Celsius\n\n=== START OF SMART DATA SECTION ===\n"
    "SMART overall-health self-assessment test result: FAILED!\n- available spare has fallen below "
    "threshold\n\nSMART/Health Information (NVMe Log 0x02)\nCritical Warning:                   0x01\n"
    "Temperature:                        44 Celsius\nAvailable Spare:                    4%\nAvailable Spare "
    "Threshold:          10%\nPercentage Used:                    104%\n"
    "Data Units Written:                 8.371.637 [4,28 TB]\nUnsafe Shutdowns:                   7\nMedia and Data "
    "Integrity Errors:    71\nPower On Hours:                     11.044\n";

static const char logs[] =
    "SMART Extended Comprehensive Error Log Version: 1 (5 sectors)\nDevice Error Count: 23 (device log contains only "
    "the most recent 20 errors)\n\n"
    "Error 23 [2] occurred at disk power-on lifetime: 40119 hours (1671 days + 15 hours)\n  84 -- 51 00 00 00 00 07 ff "
    "aa 67 47 00  Error: ICRC, ABRT at LBA = 0x07ffaa67 = 134195815\n"
    "  40 -- 51 00 00 00 00 07 ff aa 67 47 00  Error: UNC at LBA = 0x07ffaa67 = 134195815\n  40 -- 51 00 00 00 00 07 "
    "ff aa 68 47 00  Error: UNC at LBA = 0x07ffaa68 = 134195816\n\n"
    "SMART Extended Self-test Log Version: 1 (1 sectors)\nNum  Test_Description    Status                  Remaining  "
    "LifeTime(hours)  LBA_of_first_error\n"
    "# 1  Extended offline    Completed: read failure       90%     40100         134195815\n# 2  Short offline       "
    "Completed without error       00%     40050         -\n\n"
    "SCT Error Recovery Control:\n           Read:     70 (7.0 seconds)\n          Write: Disabled\n\n"
    "Device Statistics (GP Log 0x04)\nPage  Offset Size        Value Flags Description\n0x01  =====  =               = "
    " ===  == General Statistics (rev 1) ==\n"
    "0x01  0x008  4              36  ---  Lifetime Power-On Resets\n0x05  0x010  1               -  N--  Average Short "
    "Term Temperature\n0x06  0x018  4               9  ---  Number of Interface CRC Errors\n"
    "                                |||_ C monitored condition met\n\nSATA Phy Event Counters (GP Log 0x11)\nID      "
    "Size     Value  Description\n"
    "0x0001  2           12  Command failed due to ICRC error\n0x000a  2        65535+ Device-to-host register FISes "
    "sent due to a COMRESET\n";

static const DeviceCase cases[] = {
    {"settings of an ATA drive, named by the command", NULL, "smartctl -a /dev/sda", ATA, ALL_SETTINGS,
     "sda model=ST4000EX000-2AB166 drive 6; sda serial=ZEX00017 drive 7; sda wwn=5000c500a1b2c3d4 drive 8; sda "
     "firmware=SC60 drive 9; sda size_bytes=4000787030016 drive 10; "
     "sda logical_block_bytes=512 drive 11; sda physical_block_bytes=4096 drive 11; sda rotation_rpm=5980 drive 12; "
     "sda rotational=1 drive 12; sda link_max_gbps=6 drive 13; sda link_gbps=3 drive 13; "
     "sda transport=sata drive 13; sda smart_supported=yes drive 14; sda smart_enabled=yes drive 15; sda apm_level=255 "
     "drive 16; sda read_lookahead=on drive 17; sda write_cache=off drive 18; "
     "sda security=frozen drive 19; sda smart_health=PASSED drive 22; sda self_test_status=failed drive 24"},
    {"named by the path", "host/sos_commands/ata/smartctl_-a_.dev.sdc", NULL, ATA, SETTING_OF("sdc", "serial"),
     "ZEX00017"},
    {"named by nothing but its serial number", "paste.txt", NULL, ATA, "SELECT DISTINCT kind||':'||name FROM ref",
     "serial:ZEX00017"},
    {"named by nothing at all", "paste.txt", NULL, TABLE, "SELECT DISTINCT kind||':'||name FROM ref",
     "disk:[drive at line 3]"},
    {"a drive behind a RAID controller", NULL, "smartctl -a -d sat+megaraid,8 /dev/sda", ATA, "SELECT name FROM ref",
     "sda [megaraid_disk_08]"},
    {"Seagate: errors and operations in one number", NULL, "smartctl -A /dev/sda", ATA TABLE,
     COUNTER("Raw_Read_Error_Rate"), "sda 1 ata 0.0 83 44 - errors 28"},
    {"not Seagate: as printed", NULL, "smartctl -A /dev/sda", TABLE, COUNTER("Raw_Read_Error_Rate"),
     "sda 1 ata 219212352.0 83 44 - - 3"},
    {"failing now", NULL, "smartctl -A /dev/sda", TABLE, COUNTER("Reallocated_Sector_Ct"),
     "sda 5 ata 1024.0 9 10 now sectors 4"},
    {"failed in the past, low word of three", NULL, "smartctl -A /dev/sda", TABLE, COUNTER("Command_Timeout"),
     "sda 188 ata 2.0 100 0 past - 6"},
    {"hours and minutes", NULL, "smartctl -A /dev/sda", TABLE, SETTING_OF("sda", "power_on_hours"), "8105"},
    {"temperature from 190 where there is no 194", NULL, "smartctl -A /dev/sda", TABLE,
     SETTING_OF("sda", "temperature_celsius"), "34"},
    {"brief format", NULL, "smartctl -x /dev/sda",
     "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n197 Current_Pending_Sector  -O--C-   200 "
     "  200   000    -    624\n                            ||||||_ K auto-keep\n",
     COUNTER("Current_Pending_Sector"), "sda 197 ata 624.0 200 0 - sectors 2"},
    {"SCSI settings", NULL, "smartctl -a /dev/sdb", scsi, ALL_SETTINGS,
     "sdb vendor=EXAMPLE drive 4; sdb model=SAS900 drive 5; sdb firmware=EX02 drive 6; sdb size_bytes=900185481216 "
     "drive 7; sdb logical_block_bytes=512 drive 8; sdb rotation_rpm=10500 drive 9; "
     "sdb rotational=1 drive 9; sdb wwn=5000c50093c7021b drive 10; sdb serial=EXSAS0001 drive 11; sdb transport=sas "
     "drive 12; sdb read_cache=on drive 13; sdb write_cache=off drive 14; "
     "sdb smart_sense=5d/64 drive 17; sdb smart_health=FAILED drive 17; sdb temperature_celsius=30 drive 19; sdb "
     "temperature_max_celsius=60 drive 20; "
     "sdb link_gbps=6 drive 33"},
    {"SCSI uncorrected errors", NULL, "smartctl -a /dev/sdb", scsi, COUNTER("read_total_uncorrected_errors"),
     "sdb - scsi 7.0 - - - - 25"},
    {"SCSI grown defects", NULL, "smartctl -a /dev/sdb", scsi, COUNTER("grown_defect_list"),
     "sdb - scsi 12.0 - - - - 21"},
    {"SAS phy", NULL, "smartctl -a /dev/sdb", scsi, COUNTER("Invalid DWORD count"), "sdb 1 phy 4.0 - - - - 34"},
    {"NVMe settings, German thousands", NULL, "smartctl -a /dev/nvme0", nvme, ALL_SETTINGS,
     "nvme0 model=EXAMPLE NVME 1TB drive 4; nvme0 transport=nvme drive 4; nvme0 rotational=0 drive 4; nvme0 "
     "serial=EXNV0001 drive 5; nvme0 firmware=EX10 drive 6; nvme0 size_bytes=1000204886016 drive 7; "
     "nvme0 lba_format_bytes=512 drive 9; nvme0 eui=0025385b81b1c1ec drive 10; nvme0 temperature_max_celsius=85 drive "
     "11; nvme0 smart_health=FAILED drive 14; nvme0 temperature_celsius=44 drive 19; "
     "nvme0 power_on_hours=11044 drive 26"},
    {"NVMe critical warning", NULL, "smartctl -a /dev/nvme0", nvme, COUNTER("critical_warning"),
     "nvme0 - nvme 1.0 - - - - 18"},
    {"NVMe wear above 100", NULL, "smartctl -a /dev/nvme0", nvme, COUNTER("percentage_used"),
     "nvme0 - nvme 104.0 - - - percent 22"},
    {"NVMe units of 512000 bytes", NULL, "smartctl -a /dev/nvme0", nvme, COUNTER("data_units_written"),
     "nvme0 - nvme 8371637.0 - - - 512000 bytes 23"},
    {"error log count", NULL, "smartctl -x /dev/sda", logs, COUNTER("ata_error_count"), "sda - ata 23.0 - - - - 2"},
    {"CRC errors of the log", NULL, "smartctl -x /dev/sda", logs, COUNTER("error_log_icrc"), "sda - ata 1.0 - - - - 5"},
    {"media errors of the log", NULL, "smartctl -x /dev/sda", logs, COUNTER("error_log_unc"),
     "sda - ata 2.0 - - - - 6"},
    {"failed self-test", NULL, "smartctl -x /dev/sda", logs, COUNTER("self_tests_failed"), "sda - ata 1.0 - - - - 11"},
    {"error recovery", NULL, "smartctl -x /dev/sda", logs, ALL_SETTINGS,
     "sda erc_supported=yes drive 14; sda erc_read_s=7 drive 15; sda erc_write_s=0 drive 16; sda "
     "self_test_failure=read failure drive 11; sda self_test_failure_lba=134195815 drive 11"},
    {"a later long test outdates a failed one", NULL, "smartctl -x /dev/sda",
     "Num  Test_Description    Status                  Remaining  LifeTime(hours)  LBA_of_first_error\n"
     "# 1  Short offline       Completed without error       00%     18800         -\n"
     "# 2  Extended offline    Completed without error       00%     18799         -\n"
     "# 3  Extended offline    Completed: read failure       90%     18790         104284544\n"
     "# 4  Extended offline    Aborted by host               90%     18780         -\n",
     "SELECT group_concat(name||'='||value||':'||line, '; ') FROM counter",
     "self_tests_failed=1.0:4; self_tests_failed_open=0.0:4; self_tests_passed_long=1.0:3; "
     "self_test_long_hours=18799.0:3; "
     "self_test_failed_hours=18790.0:4"},
    {"self-tests of a SCSI drive", NULL, "smartctl -x /dev/sdb",
     "SMART Self-test log\nNum  Test              Status                 segment  LifeTime  LBA_first_err [SK ASC "
     "ASQ]\n"
     "# 1  Background long   Failed in segment -->       3   30284        11223344 [0x3 0x11 0x0]\n"
     "# 2  Background short  Completed                   -     349                 - [-   -    -]\n",
     "SELECT group_concat(name||'='||value, '; ') FROM counter",
     "self_tests_failed=1.0; self_tests_failed_open=1.0; self_tests_passed_long=0.0; self_test_failed_hours=30284.0"},
    {"self-tests of an NVMe drive", NULL, "smartctl -x /dev/nvme0",
     "Self-test Log (NVMe Log 0x06)\nSelf-test status: No self-test in progress\n"
     "Num  Test_Description  Status                       Power_on_Hours  Failing_LBA  NSID Seg SCT Code\n"
     " 0   Extended          Completed: failed segments             8737       102400     1   4   -    -\n"
     " 1   Short             Completed without error                8700            -     -   -   -    -\n",
     "SELECT group_concat(name||'='||value, '; ') FROM counter",
     "self_tests_failed=1.0; self_tests_failed_open=1.0; self_tests_passed_long=0.0; self_test_failed_hours=8737.0"},
    {"the error log with hours: which errors, when, at how many places", NULL, "smartctl -x /dev/sda",
     "Error 25 occurred at disk power-on lifetime: 18798 hours (783 days + 6 hours)\n"
     "  40 51 08 80 41 37 e6  Error: UNC 8 sectors at LBA = 0x06374180 = 104284544\n"
     "  c8 00 08 80 41 37 e6 08      08:54:35.771  READ DMA\n"
     "Error 24 occurred at disk power-on lifetime: 18700 hours (779 days + 4 hours)\n"
     "  40 51 08 80 41 37 e6  Error: UNC 8 sectors at LBA = 0x06374180 = 104284544\n"
     "Error 23 occurred at disk power-on lifetime: 900 hours (37 days + 12 hours)\n"
     "  04 51 00 00 00 00 a0  Error: ABRT\n  CR FR SC SN CL CH DH DC   Powered_Up_Time  Command/Feature_Name\n"
     "  -- -- -- -- -- -- -- --  ----------------  --------------------\n"
     "  b0 d5 01 09 4f c2 a0 08      08:54:35.771  SMART READ LOG\n"
     "  35 00 08 80 41 37 e0 08      08:54:35.770  WRITE DMA EXT\n"
     "Error 22 occurred at disk power-on lifetime: 899 hours (37 days + 11 hours)\n"
     "  04 51 00 00 00 00 a0  Error: ABRT\n"
     "  ea 00 00 00 00 00 a0 08      08:54:35.771  FLUSH CACHE EXT\n",
     "SELECT group_concat(name||'='||value||':'||line, '; ') FROM counter",
     "error_log_unc=2.0:2; error_log_unc_hours=18798.0:2; error_log_abrt=2.0:7; error_log_abrt_hours=900.0:7; "
     "error_log_unc_places=1.0:2; error_log_abrt_data=1.0:14; error_log_abrt_data_hours=899.0:14; "
     "error_log_last_hours=18798.0:1"},
    {"temperatures that the drive remembers", NULL, "smartctl -x /dev/sda",
     "SCT Status Version:                  3\nCurrent Temperature:                    31 Celsius\n"
     "Power Cycle Min/Max Temperature:     25/48 Celsius\nLifetime    Min/Max Temperature:     18/61 Celsius\n"
     "Under/Over Temperature Limit Count:   0/3\n\nTemperature Logging Interval:        2 minutes\n"
     "Min/Max recommended Temperature:      0/60 Celsius\nTemperature History Size (Index):    478 (2)\n\n"
     "Index    Estimated Time   Temperature Celsius\n   3    2026-11-30 10:02     ?  -\n"
     "   4    2026-11-30 10:04    48  *****************************\n ...    ..( 20 skipped).    ..  "
     "*****************************\n"
     "  25    2026-11-30 10:46    52  *********************************\n",
     ALL_SETTINGS,
     "sda temperature_celsius=31 drive 2; sda temperature_cycle_max_celsius=48 drive 3; sda "
     "temperature_lifetime_max_celsius=61 drive 4; sda temperature_history_max_celsius=52 drive 13; sda "
     "temperature_history_median_celsius=48 drive 13; sda temperature_history_hours=0.7333333333 drive 13"},
    {"194 packed: now, lowest and highest in one number", NULL, "smartctl -A /dev/sda",
     "194 Temperature_Celsius     0x0022   064   051   000    Old_age   Always       -       158913789992\n",
     SETTING_OF("sda", "temperature_celsius"), "40"},
    {"hours that count seconds", NULL, "smartctl -A /dev/sda",
     "  9 Power_On_Hours          0x0032   091   091   000    Old_age   Always       -       29178000\n",
     SETTING_OF("sda", "power_on_hours"), "8105"},
    {"hours with milliseconds in the upper half", NULL, "smartctl -A /dev/sda",
     "  9 Power_On_Hours          0x0032   091   091   000    Old_age   Always       -       6958375300505513\n",
     SETTING_OF("sda", "power_on_hours"), "8105"},
    {"the range of 194 is of its life", NULL, "smartctl -A /dev/sda",
     "194 Temperature_Celsius     0x0022   064   051   000    Old_age   Always       -       36 (Min/Max 17/52)\n",
     SETTING_OF("sda", "temperature_lifetime_max_celsius"), "52"},
    {"what the maker calls a failure, in both forms of the table", NULL, "smartctl -A /dev/sda",
     "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0\n"
     "  9 Power_On_Hours          0x0032   001   001   000    Old_age   Always       -       8105\n",
     "SELECT group_concat(prefail) FROM counter", "1,0"},
    {"flags of the brief form", NULL, "smartctl -x /dev/sda",
     "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"
     "  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    0\n"
     "197 Current_Pending_Sector  -O--C-   200   200   000    -    0\n",
     "SELECT group_concat(prefail) FROM counter", "1,0"},
    {"the sense of a SCSI drive's health", NULL, "smartctl -H /dev/sdb",
     "SMART Health Status: HARDWARE IMPENDING FAILURE GENERAL HARD DRIVE FAILURE [asc=5d, ascq=10]\n", ALL_SETTINGS,
     "sdb smart_sense=5d/10 drive 1; sdb smart_health=FAILED drive 1"},
    {"a test of the prediction is none", NULL, "smartctl -H /dev/sdb",
     "SMART Health Status: FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE) [asc=5d, ascq=ff]\n", ALL_SETTINGS,
     "sdb smart_sense=5d/ff drive 1"},
    {"what the background scan left", NULL, "smartctl -x /dev/sdb",
     "Background scan results log\n  Status: scan is active\n    Number of background scans performed: 63,  scan "
     "progress: "
     "5.00%\n\n"
     "   #  when        lba(hex)    [sk,asc,ascq]    reassign_status\n"
     "   1  3687:12     0000000012345678  [1,17,1]   Recovered via rewrite in-place\n"
     "   2  3690:40     0000000012345680  [3,11,0]   Require Write or Reassign Blocks command\n",
     "SELECT group_concat(name||'='||value||':'||line, '; ') FROM counter",
     "background_scan_unrepaired=1.0:7; background_scan_recovered=1.0:7"},
    {"a normalized statistic is no number of anything", NULL, "smartctl -x /dev/sda",
     "Device Statistics (GP Log 0x04)\nPage  Offset Size        Value Flags Description\n"
     "0x04  0x008  4             100  N--  Number of Reported Uncorrectable Errors\n"
     "0x07  0x008  1               3  N--  Percentage Used Endurance Indicator\n",
     "SELECT group_concat(name||'='||coalesce(value, 'NULL'), '; ') FROM counter",
     "Number of Reported Uncorrectable Errors=NULL; Percentage Used Endurance Indicator=3.0"},
    {"device statistics; '-' is not valid now", NULL, "smartctl -x /dev/sda", logs,
     "SELECT group_concat(name||' '||value||' '||id, '; ') FROM counter WHERE kind = 'devstat'",
     "Lifetime Power-On Resets 36.0 65544; Number of Interface CRC Errors 9.0 393240"},
    {"phy events; '+' is full", NULL, "smartctl -x /dev/sda", logs,
     "SELECT group_concat(id||' '||value||' '||raw, '; ') FROM counter WHERE kind = 'phy'",
     "1 12.0 12; 10 65535.0 65535+"},
    {"two drives in one text", NULL, NULL,
     "# smartctl -H /dev/sda\nsmartctl 7.3 2022-02-28 r5338 [x] (local build)\n\nSMART overall-health self-assessment "
     "test result: PASSED\n\n"
     "# smartctl -H /dev/sdb\nsmartctl 7.3 2022-02-28 r5338 [x] (local build)\n\nSMART overall-health self-assessment "
     "test result: FAILED!\n",
     ALL_SETTINGS, "sda smart_health=PASSED drive 4; sdb smart_health=FAILED drive 9"},
    {"headings of a loop", NULL, NULL,
     "=== /dev/sda ===\nSMART Health Status: OK\n=== /dev/sdb ===\nSMART Health Status: OK\n",
     "SELECT group_concat(name) FROM ref", "sda,sdb"},
    {"standby", NULL, "smartctl -n standby -a /dev/sdd",
     "smartctl 7.4 2023-08-01 r5530 [x] (local build)\n\nDevice is in STANDBY mode, exit(2)\n", ALL_SETTINGS,
     "sdd smart_supported=unavailable drive 3; sdd power_mode=standby drive 3"},
    {"USB bridge", NULL, NULL,
     "smartctl 6.6 2016-05-31 r4324 [x] (local build)\n\n/dev/sde: Unknown USB bridge [0x152d:0x0583 (0x209)]\nPlease "
     "specify device type with the -d option.\n",
     SETTING_OF("sde", "smart_supported"), "unavailable"},
    {"masked identity is none", NULL, "smartctl -i /dev/sda",
     "=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE\nSerial Number:    --\nLU WWN Device Id: 0 "
     "000000 000000000\n",
     ALL_SETTINGS, "sda model=EXAMPLE drive 2"},
    {"an empty DVD drive has no capacity", NULL, "smartctl -i /dev/sr0",
     "User Capacity:        7,757,100,351,738,617,888 bytes [7757 PB]\nLogical block size:   1752178720 bytes\n",
     "SELECT count(*) FROM setting", "0"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_smartctl, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_smartctl);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_smartctl);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_smartctl, cases, CASES);
}

static void claims(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        Str text = str_of(cases[i].text);
        while (text.len) {
            Str line = str_cut(&text, '\n');
            bool foreign = str_starts(line, "- available") || str_starts(line, "# smartctl") ||
                           str_starts(line, "=== /dev") || str_starts(line, "/dev/sde:");
            if (!foreign && !parser_smartctl.continues(line))
                fail_msg("%s: not claimed: %.*s", cases[i].name, STR_ARG(line));
        }
    }
    assert_false(parser_smartctl.continues(STR("I think the disk is dying, what do you say?")));
    assert_false(parser_smartctl.continues(STR("root@nas:~# zpool status")));
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_smartctl,
                 "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
                 "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0\n"
                 "197 Current_Pending_Sector  0x0012   1x0   100   000    Old_age   Always       -       8\n"
                 "198 Offline_Uncorrectable   0x0010   100\n",
                 2, "SELECT group_concat(id) FROM counter", "5");
    device_notes(&parser_smartctl, "SMART Health Status: OK\nElements in grown defect list: x7\nread:   1 2 3\n", 2,
                 "SELECT count(*) FROM counter", "0");
    device_notes(&parser_smartctl, "Device Model: EXAMPLE\nUser Capacity:    300,$00,000,000 bytes [300 GB]\n", 1,
                 "SELECT count(*) FROM setting WHERE key = 'size_bytes'", "0");
    ParseTest *pt = pt_run(&parser_smartctl, NULL, NULL, STR("smartctl 7.3 2022-02-28 r5338 [x] (local build)\n"));
    assert_int_equal(pt->result, PARSE_NOTHING);
    pt_free(pt);
    pt = pt_run(&parser_smartctl, NULL, NULL, STR("not smartctl at all\n"));
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

static void raw_values(void **state) {
    (void)state;
    static const struct {
        int id;
        const char *name, *raw;
        bool seagate;
        double want;
    } rows[] = {
        {1, "Raw_Read_Error_Rate", "0/219212352", false, 0},
        {7, "Seek_Error_Rate", "8589935000", true, 2},
        {188, "Command_Timeout", "4295032833", false, 1},
        {194, "Temperature_Celsius", "73014771746", false, 34},
        {194, "Temperature_Celsius", "38 (0 18 0 0 0)", false, 38},
        {9, "Power_On_Hours", "1309", false, 1309},
        {230, "Media_Wearout", "0x012500140125", false, 1258426728741.0},
        {3, "Spin_Up_Time", "392 (Average 401)", false, 392},
        {5, "Reallocated_Sector_Ct", "-", false, NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *unit;
        double got = smart_raw(rows[i].id, str_of(rows[i].name), str_of(rows[i].raw), rows[i].seagate, &unit);
        if (isnan(rows[i].want) ? !isnan(got) : got != rows[i].want)
            fail_msg("%d %s: %g, not %g", rows[i].id, rows[i].raw, got, rows[i].want);
    }
    assert_true(smart_hours(9000) == 9000);
    assert_true(smart_hours(4294976296.0) == 9000); /* more counters in the upper bits */
    assert_true(smart_hours(3000000) == 50000);     /* minutes */
    assert_true(isnan(smart_hours(-1)));
}

static const CorpusException exceptions[] = {
    {"smartctl.cciss.8.txt", "the controller had no such drive: error texts only"},
    {"farm-root-", "the vendor log FARM alone, of which nothing is taken"},
    {"nvme0n1.error.txt", "entries of the NVMe error log alone"},
    {"pySMART__linux_01", "holds a path instead of an output"},
    {"linux_multiple_devices--d_sat+megaraid", "holds a path instead of an output"},
    {"-l_background__dev_sdd", "the drive has no such log"},
    {"-l_sasphy__dev_sdd", "the drive has no such log"},
    {"issue_50-notes.txt", "a note of the source's authors"},
    {"mockStandbyData", "a drive in standby"},
    {"htSASInfoData", "its capacity was damaged by the source (300,$00,...)"},
};

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_smartctl, "smartctl", exceptions, sizeof exceptions / sizeof *exceptions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(bids),  cmocka_unit_test(framing),    cmocka_unit_test(claims),
        cmocka_unit_test(damage), cmocka_unit_test(notes), cmocka_unit_test(raw_values), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("smartctl", tests, NULL, NULL);
}
