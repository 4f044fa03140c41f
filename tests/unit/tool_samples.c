#include "tool_samples.h"

#define F "fixtures/"

const Sample tool_samples[] = {
    /* ---- kernel log */
    {"kernel-log", "dmesg", NULL, F "microserver-write-cache/bundle-before/dmesg.out", 40, 0, "dmesg"},
    {"kernel-log", "dmesg, start cut off", NULL, F "wrapped-log-sysfs-only/bundle-off/dmesg.out", 40, 0, "dmesg"},
    {"kernel-log", "syslog",
     "Sep 13 09:12:31 nas kernel: [    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "Sep 13 09:12:31 nas kernel: [    1.845120] ata3.00: ATA-11: FOO SSD 2TB, 40103000, max UDMA/133\n"
     "Sep 13 09:12:32 nas kernel: [    1.846133] sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't "
     "support DPO or FUA\n",
     NULL, 0, 0, "cat /var/log/kern.log"},
    {"kernel-log", "journal",
     "Sep 13 09:12:31.482731 nas kernel: ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "Sep 13 09:12:31.482742 nas kernel: ata3.00: configured for UDMA/133\n",
     NULL, 0, 0, "journalctl -k -b -o short-precise"},
    {"kernel-log", "journal, ISO dates",
     "2025-09-13T09:12:31+0200 nas kernel: ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "2025-09-13T09:12:31+0200 nas kernel: ata3.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
     "2025-09-13T09:12:31+0200 nas kernel: ata3.00: failed command: WRITE FPDMA QUEUED\n",
     NULL, 0, UNPROVEN, "journalctl -k -o short-iso"},
    {"kernel-log", "dmesg -T",
     "[Sat Sep 13 09:12:31 2025] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "[Sat Sep 13 09:12:31 2025] ata3.00: configured for UDMA/133\n"
     "[Sat Sep 13 09:12:32 2025] sd 2:0:0:0: [sda] 3907029168 512-byte logical blocks: (2.00 TB/1.82 TiB)\n",
     NULL, 0, 0, "dmesg -T"},
    {"kernel-log", "bare messages",
     "ata3.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
     "ata3.00: failed command: WRITE FPDMA QUEUED\n"
     "ata3: hard resetting link\n"
     "sd 2:0:0:0: [sda] tag#3 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK\n",
     NULL, 0, 0, "dmesg -t"},
    {"kernel-log", "FreeBSD",
     "ada0 at ahcich0 bus 0 scbus0 target 0 lun 0\n"
     "ada0: <FOO SSD 2TB 40103000> ACS-4 ATA SATA 3.x device\n"
     "ada0: Serial Number 1234ABCD5678\n"
     "ada0: 600.000MB/s transfers (SATA 3.x, UDMA6, PIO 512bytes)\n",
     NULL, 0, 0, "dmesg"},

    /* ---- iostat */
    {"iostat", "-xt with its banner", NULL, F "datacentre-ssd-plp-off-by-design/bundle-off/samples/iostat.out", 20, 0,
     "iostat -dxmt 1 61"},
    {"iostat", "decimal commas", NULL, F "nas-mirrors-hdd-german/bundle-aus/nas4/stat/iostat-xt.txt", 26, 0,
     "iostat -xt"},
    {"iostat", "table alone",
     "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await w_await aqu-sz "
     "rareq-sz wareq-sz  svctm  %util\n"
     "sda              0.40   88.20      9.00   2040.00     0.00     1.00   0.00  32.26    0.30   61.90   5.40    "
     "22.50    23.12   2.00  98.50\n"
     "sdb              0.40   88.10      9.00   2040.00     0.00     1.00   0.00  32.26    0.30   60.90   5.38    "
     "22.50    23.12   2.00  97.50\n",
     NULL, 0, 0, "iostat -dx"},
    {"iostat", "CPU first",
     "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
     "           4.00    0.00    2.00   24.20    0.00   69.80\n"
     "\n"
     "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n"
     "sda              12.10       410.00      7010.00         0.00     410123    7010456          0\n",
     NULL, 0, 0, "iostat"},
    {"iostat", "old table",
     "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  "
     "svctm  %util\n"
     "sda               0.00     3.00    1.00   55.00    16.00   880.00    32.00     4.10   73.00    9.00   74.00  "
     "17.00  95.00\n",
     NULL, 0, 0, "iostat -x"},
    {"iostat", "JSON",
     "{\"sysstat\": {\n"
     "\t\"hosts\": [\n"
     "\t\t{\n"
     "\t\t\t\"nodename\": \"nas\",\n"
     "\t\t\t\"sysname\": \"Linux\",\n"
     "\t\t\t\"release\": \"6.1.0-18-amd64\",\n"
     "\t\t\t\"machine\": \"x86_64\",\n"
     "\t\t\t\"number-of-cpus\": 4,\n"
     "\t\t\t\"date\": \"2025-09-13\",\n"
     "\t\t\t\"statistics\": [\n"
     "\t\t\t\t{\n"
     "\t\t\t\t\t\"timestamp\": \"2025-09-13T09:12:31+0200\",\n"
     "\t\t\t\t\t\"disk\": [\n"
     "\t\t\t\t\t\t{\"disk_device\": \"sda\", \"r/s\": 0.40, \"w/s\": 88.20, \"rkB/s\": 9.00, \"wkB/s\": 2040.00, "
     "\"r_await\": 0.30, \"w_await\": 61.90, \"aqu-sz\": 5.40, "
     "\"util\": 98.50}\n"
     "\t\t\t\t\t]\n"
     "\t\t\t\t}\n"
     "\t\t\t]\n"
     "\t\t}\n"
     "\t]\n"
     "}}\n",
     NULL, 0, JSON, "iostat -x -o JSON 1 2"},
    {"iostat", "FreeBSD",
     "                        extended device statistics  \n"
     "device       r/s     w/s     kr/s     kw/s  ms/r  ms/w  ms/o  ms/t qlen  %b  \n"
     "ada0           3      40     80.1   3020.5     4    61     0    57    3  97 \n"
     "ada1           3      40     80.0   3021.0     4    60     0    56    3  96 \n",
     NULL, 0, UNPROVEN, "iostat -x 1"},

    {"iostat", "FreeBSD, without -x",
     "       tty            ada0             nvd0             cpu\n"
     " tin  tout KB/t   tps  MB/s KB/t   tps  MB/s  us ni sy in id\n"
     "   0     9 38.2    11   0.4 16.0     2   0.0   1  0  1  0 98\n"
     "   0    22 112.4  184  20.2  0.0     0   0.0   4  1 12  1 82\n",
     NULL, 0, UNPROVEN, "iostat -w 1"},

    /* ---- zpool iostat */
    {"zpool-iostat", "sizes",
     "tank          sync_read    sync_write    async_read    async_write      scrub         trim\n"
     "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
     "4K           108K      0   355K      0  2.98K      0  1.98M      0    116      0      0      0\n"
     "32K             0    222      0  10.2K      0    271      0   123K      0      0      0      0\n",
     NULL, 0, 0, "zpool iostat -r"},
    {"zpool-iostat", "-vl", NULL, F "microserver-write-cache/bundle-before/samples/zpool_iostat.out", 0, 0,
     "zpool iostat -vly 1"},
    {"zpool-iostat", "plain",
     "              capacity     operations     bandwidth \n"
     "pool        alloc   free   read  write   read  write\n"
     "----------  -----  -----  -----  -----  -----  -----\n"
     "storage      382G  5.07T      0    183  3.42K  22.7M\n"
     "----------  -----  -----  -----  -----  -----  -----\n",
     NULL, 0, 0, "zpool iostat"},
    {"zpool-iostat", "stamped",
     "1757761342\n"
     "              capacity     operations     bandwidth \n"
     "pool        alloc   free   read  write   read  write\n"
     "----------  -----  -----  -----  -----  -----  -----\n"
     "storage      382G  5.07T      0    183  3.42K  22.7M\n"
     "----------  -----  -----  -----  -----  -----  -----\n"
     "1757761343\n"
     "storage      382G  5.07T      0    181  3.42K  22.5M\n"
     "----------  -----  -----  -----  -----  -----  -----\n",
     NULL, 0, STAMPED | UNPROVEN, "zpool iostat -T u 1"},
    {"zpool-iostat", "-w",
     "storage      total_wait     disk_wait    syncq_wait    asyncq_wait\n"
     "latency      read  write   read  write   read  write   read  write  scrub   trim\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
     "1ns             0      0      0      0      0      0      0      0      0      0\n"
     "524us          12      3     12      3      0      0      0      3      0      0\n"
     "67ms            0    310      0    290      0      1      0     44      0      0\n"
     "--------------------------------------------------------------------------------\n",
     NULL, 0, UNPROVEN, "zpool iostat -w storage"},

    {"zpool-iostat", "-q",
     "              capacity     operations     bandwidth    syncq_read    syncq_write   asyncq_read  asyncq_write   "
     "scrubq_read   trimq_write\n"
     "pool        alloc   free   read  write   read  write   pend  activ   pend  activ   pend  activ   pend  activ   "
     "pend  activ   pend  activ\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  "
     "-----  -----  -----  -----\n"
     "storage      382G  5.07T      0    183  3.42K  22.7M      0      0      0      2      0      0     31     10     "
     " 0      0      0      0\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  "
     "-----  -----  -----  -----\n",
     NULL, 0, UNPROVEN, "zpool iostat -q storage"},
    {"zpool-iostat", "-r",
     "storage       sync_read    sync_write    async_read    async_write      scrub         trim\n"
     "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
     "4K             12      0     33      0      1      0    310      0      0      0      0      0\n"
     "128K            0      2      0      7      0      0      0     91      0      0      0      0\n"
     "----------------------------------------------------------------------------------------------\n",
     NULL, 0, UNPROVEN, "zpool iostat -r storage"},

    /* ---- zpool status */
    {"zpool-status", "one pool", NULL, F "microserver-write-cache/bundle-before/zpool_status.out", 0, 0,
     "zpool status -t"},
    {"zpool-status", "two pools", NULL, F "two-controllers-one-off/bundle-off/zpool_status.out", 0, 0, "zpool status"},
    {"zpool-status", "-st",
     "  pool: lake\n"
     " state: ONLINE\n"
     "  scan: scrub repaired 0B in 02:10:31 with 0 errors on Sun Sep 14 02:34:32 2025\n"
     "config:\n"
     "\n"
     "\tNAME                        STATE     READ WRITE CKSUM  SLOW\n"
     "\tlake                        ONLINE       0     0     0     -\n"
     "\t  mirror-0                  ONLINE       0     0     0     -\n"
     "\t    wwn-0x5000c500e1a2b3c4  ONLINE       0     0     0     0  (100% trimmed, completed at Sat Sep 13 04:11:09 "
     "2025)\n"
     "\t    wwn-0x5000c500e1a2b3d5  ONLINE       0     0     0    17  (untrimmed)\n"
     "\n"
     "errors: No known data errors\n",
     NULL, 0, UNPROVEN, "zpool status -st lake"},
    {"zpool-status", "-x", "all pools are healthy\n", NULL, 0, UNPROVEN, "zpool status -x"},
    {"zpool-status", "no pools", "no pools available\n", NULL, 0, UNPROVEN, "zpool status"},
    {"zpool-status", "degraded",
     "  pool: tank\n"
     " state: DEGRADED\n"
     "status: One or more devices has experienced an unrecoverable error.  An\n"
     "\tattempt was made to correct the error.  Applications are unaffected.\n"
     "action: Determine if the device needs to be replaced, and clear the errors\n"
     "\tusing 'zpool clear' or replace the device with 'zpool replace'.\n"
     "   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-9P\n"
     "  scan: resilvered 1.20G in 00:01:12 with 0 errors on Sat Sep 13 09:12:31 2025\n"
     "config:\n"
     "\n"
     "\tNAME        STATE     READ WRITE CKSUM\n"
     "\ttank        DEGRADED     0     0     0\n"
     "\t  mirror-0  DEGRADED     0     0     0\n"
     "\t    sda     ONLINE       0     0     3\n"
     "\t    sdb     FAULTED      3   112     0  too many errors\n"
     "\n"
     "errors: No known data errors\n",
     NULL, 0, 0, "zpool status"},
    {"zpool-status", "JSON",
     "{\"output_version\":{\"command\":\"zpool "
     "status\",\"vers_major\":0,\"vers_minor\":1},\"pools\":{\"tank\":{\"name\":\"tank\",\"state\":\"ONLINE\",\"pool_"
     "guid\":"
     "\"4521905184012345678\",\"error_count\":\"0\",\"vdevs\":{\"tank\":{\"name\":\"tank\",\"vdev_type\":\"root\","
     "\"guid\":\"4521905184012345678\",\"state\":\"ONLINE\","
     "\"read_errors\":\"0\",\"write_errors\":\"0\",\"checksum_errors\":\"0\",\"vdevs\":{\"sda\":{\"name\":\"sda\","
     "\"vdev_type\":\"disk\",\"guid\":\"88012345678901234\","
     "\"path\":\"/dev/"
     "sda1\",\"state\":\"ONLINE\",\"read_errors\":\"0\",\"write_errors\":\"0\",\"checksum_errors\":\"0\"}}}}}}}\n",
     NULL, 0, JSON | UNPROVEN, "zpool status -j"},

    /* ---- zpool list and get */
    {"zpool-get", "list", NULL, F "microserver-write-cache/bundle-before/zpool_list.out", 0, 0, "zpool list"},
    {"zpool-get", "get", NULL, F "microserver-write-cache/bundle-before/zpool_get.out", 0, UNPROVEN,
     "zpool get autotrim"},

    /* ---- smartctl */
    {"smartctl", "ATA", NULL, F "microserver-write-cache/bundle-before/drives/smart_sdb.out", 0, 0,
     "smartctl -x /dev/sdb"},
    {"smartctl", "SAS", NULL, F "sas-hba-raidz2/bundle-off/drives/smart_sda.out", 0, 0, "smartctl -x /dev/sda"},
    {"smartctl", "JSON", NULL, F "microserver-write-cache/bundle-before/drives/smart_sda.out", 0, JSON,
     "smartctl -x -j /dev/sda"},
    {"smartctl", "NVMe",
     "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local build)\n"
     "Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org\n"
     "\n"
     "=== START OF INFORMATION SECTION ===\n"
     "Model Number:                       FOO NVMe 1TB\n"
     "Serial Number:                      N1234567890\n"
     "Firmware Version:                   2B2QEXM7\n"
     "Total NVM Capacity:                 1,000,204,886,016 [1.00 TB]\n"
     "\n"
     "=== START OF SMART DATA SECTION ===\n"
     "SMART overall-health self-assessment test result: PASSED\n"
     "\n"
     "SMART/Health Information (NVMe Log 0x02)\n"
     "Critical Warning:                   0x00\n"
     "Temperature:                        43 Celsius\n"
     "Percentage Used:                    3%\n"
     "Data Units Written:                 12,345,678 [6.32 TB]\n",
     NULL, 0, 0, "smartctl -a /dev/nvme0"},
    {"smartctl", "without its banner",
     "=== START OF READ SMART DATA SECTION ===\n"
     "SMART overall-health self-assessment test result: PASSED\n"
     "\n"
     "SMART Attributes Data Structure revision number: 16\n"
     "Vendor Specific SMART Attributes with Thresholds:\n"
     "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
     "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0\n"
     "199 UDMA_CRC_Error_Count    0x003e   100   100   000    Old_age   Always       -       12\n",
     NULL, 0, 0, "smartctl -H -A /dev/sda"},
    {"smartctl", "attributes alone",
     "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
     "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       8\n"
     "197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       16\n",
     NULL, 0, 0, "smartctl -A /dev/sda"},

    /* ---- nvme-cli */
    {"nvme-cli", "smart-log", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_smart_nvme0.out", 0, 0,
     "nvme smart-log /dev/nvme0"},
    {"nvme-cli", "id-ctrl", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_id_ctrl_nvme0.out", 0, 0,
     "nvme id-ctrl /dev/nvme0"},
    {"nvme-cli", "get-feature", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_feature6_nvme0.out", 0, 0,
     "nvme get-feature -f 6 -H /dev/nvme0"},
    {"nvme-cli", "list", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_list.out", 0, 0, "nvme list"},
    {"nvme-cli", "smart-log, JSON",
     "{\n"
     "  \"critical_warning\" : 0,\n"
     "  \"temperature\" : 316,\n"
     "  \"avail_spare\" : 100,\n"
     "  \"spare_thresh\" : 10,\n"
     "  \"percent_used\" : 3,\n"
     "  \"data_units_written\" : 12345678,\n"
     "  \"media_errors\" : 0\n"
     "}\n",
     NULL, 0, JSON, "nvme smart-log -o json /dev/nvme0"},

    /* ---- counters of the kernel */
    {"stordx-raw", "blocks",
     "=== 2025-09-13T13:02:12+0200\n"
     "   8       0 sda 120391 1022 8123456 30123 6612345 90213 398123456 41239912 3 812345 41270035 0 0 0 0 12 300\n"
     "   8      16 sdb 120391 1022 8123456 30123 6612345 90213 398123456 41239912 3 812345 41270035 0 0 0 0 12 300\n"
     "some avg10=94.05 avg60=90.06 avg300=80.24 total=7211403912\n"
     "full avg10=88.82 avg60=84.62 avg300=75.87 total=6790118405\n"
     "nr_dirty 10231\n"
     "=== 2025-09-13T13:02:13+0200\n"
     "   8       0 sda 120391 1022 8123456 30123 6612445 90213 398133456 41249912 3 813345 41280035 0 0 0 0 12 300\n"
     "   8      16 sdb 120391 1022 8123456 30123 6612445 90213 398133456 41249912 3 813345 41280035 0 0 0 0 12 300\n",
     NULL, 0, 0, "cat /proc/diskstats"},
    {"diskstats", "with a partition",
     "   8       0 sda 120391 1022 8123456 30123 6612345 90213 398123456 41239912 3 812345 41270035 0 0 0 0 12 300\n"
     "   8       1 sda1 120391 1022 8123456 30123 6612345 90213 398123456 41239912 3 812345 41270035 0 0 0 0 0 0\n",
     NULL, 0, 0, "cat /proc/diskstats"},

    /* ---- lsblk */
    {"lsblk", "JSON", NULL, F "microserver-write-cache/bundle-before/lsblk.out", 0, JSON, "lsblk -JO"},
    {"lsblk", "discard table", NULL, F "microserver-write-cache/bundle-before/lsblk_discard.out", 0, 0, "lsblk -D"},
    {"lsblk", "plain",
     "NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\n"
     "sda           8:0    0   1.8T  0 disk \n"
     "\xe2\x94\x9c\xe2\x94\x80sda1        8:1    0   1.8T  0 part \n"
     "\xe2\x94\x94\xe2\x94\x80sda9        8:9    0     8M  0 part \n"
     "nvme0n1     259:0    0 931.5G  0 disk \n"
     "\xe2\x94\x94\xe2\x94\x80nvme0n1p1 259:1    0   512M  0 part /boot/efi\n",
     NULL, 0, 0, "lsblk"},
    {"lsblk", "-f",
     "NAME   FSTYPE FSVER LABEL UUID                                 FSAVAIL FSUSE% MOUNTPOINTS\n"
     "sda                                                                           \n"
     "\xe2\x94\x94\xe2\x94\x80sda1 ext4   1.0   data  6c0b4d52-9f0e-4c53-8f6a-1d2f5a7790c3  812.1G    48% /srv\n",
     NULL, 0, 0, "lsblk -f"},
    {"lsblk", "-P",
     "NAME=\"sda\" MAJ:MIN=\"8:0\" RM=\"0\" SIZE=\"1.8T\" RO=\"0\" TYPE=\"disk\" MOUNTPOINTS=\"\"\n"
     "NAME=\"sda1\" MAJ:MIN=\"8:1\" RM=\"0\" SIZE=\"1.8T\" RO=\"0\" TYPE=\"part\" MOUNTPOINTS=\"/srv\"\n",
     NULL, 0, 0, "lsblk -P"},

    /* ---- lspci */
    {"lspci", "-nnk", NULL, F "microserver-write-cache/bundle-before/lspci.out", 0, 0, "lspci -nnk"},
    {"lspci", "-Dvv", NULL, F "microserver-write-cache/bundle-before/lspci_vv.out", 0, 0, "lspci -Dvvnn"},
    {"lspci", "plain",
     "00:00.0 Host bridge: Intel Corporation Device 4c53 (rev 01)\n"
     "00:17.0 SATA controller: Intel Corporation Device 43d2 (rev 11)\n"
     "01:00.0 Non-Volatile memory controller: Samsung Electronics Co Ltd NVMe SSD Controller SM981/PM981/PM983\n",
     NULL, 0, 0, "lspci"},
    {"lspci", "one device",
     "01:00.0 Serial Attached SCSI controller: Broadcom / LSI SAS2008 PCI-Express Fusion-MPT SAS-2 [Falcon] (rev 03)\n"
     "\tSubsystem: Broadcom / LSI Device 3020\n"
     "\tLnkCap:\tPort #0, Speed 5GT/s, Width x8, ASPM L0s, Exit Latency L0s <64ns\n"
     "\tLnkSta:\tSpeed 5GT/s, Width x4 (downgraded)\n"
     "\tKernel driver in use: mpt3sas\n",
     NULL, 0, 0, "lspci -vv -s 01:00.0"},

    /* ---- hdparm */
    {"hdparm", "-W", NULL, F "microserver-write-cache/bundle-before/drives/hdparm_sda.out", 0, UNPROVEN,
     "hdparm -W /dev/sda"},
    {"hdparm", "-I",
     "\n"
     "/dev/sda:\n"
     "\n"
     "ATA device, with non-removable media\n"
     "\tModel Number:       FOO SSD 2TB                             \n"
     "\tSerial Number:      1234ABCD5678\n"
     "\tFirmware Revision:  40103000\n"
     "Standards:\n"
     "\tUsed: unknown (minor revision code 0x005e) \n"
     "\tSupported: 11 8 7 6 5 \n"
     "Commands/features:\n"
     "\tEnabled\tSupported:\n"
     "\t   *\tSMART feature set\n"
     "\t    \tWrite cache\n"
     "\t   *\tLook-ahead\n"
     "Checksum: correct\n",
     NULL, 0, 0, "hdparm -I /dev/sda"},
    {"hdparm", "-tT",
     "\n"
     "/dev/sda:\n"
     " Timing cached reads:   24500 MB in  1.99 seconds = 12310.22 MB/sec\n"
     " Timing buffered disk reads: 1520 MB in  3.00 seconds = 506.40 MB/sec\n",
     NULL, 0, UNPROVEN, "hdparm -tT /dev/sda"},

    /* ---- by-id */
    {"by-id", "folders", NULL, F "microserver-write-cache/bundle-before/byid.out", 0, UNPROVEN,
     "ls -l /dev/disk/by-id"},
    {"by-id", "links alone",
     "lrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-FOO_SSD_2TB_1234ABCD5678 -> ../../sda\n"
     "lrwxrwxrwx 1 root root 10 Sep 13 09:12 ata-FOO_SSD_2TB_1234ABCD5678-part1 -> ../../sda1\n"
     "lrwxrwxrwx 1 root root  9 Sep 13 09:12 wwn-0x5001b448b5a1c0d1 -> ../../sda\n",
     NULL, 0, UNPROVEN, "ls -l /dev/disk/by-id"},

    /* ---- pressure */
    {"pressure", "grep", NULL, F "microserver-write-cache/bundle-before/pressure0.out", 0, 0,
     "grep . /proc/pressure/*"},
    {"pressure", "cat",
     "some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714\n"
     "full avg10=66.14 avg60=63.90 avg300=57.21 total=44018220981\n",
     NULL, 0, 0, "cat /proc/pressure/io"},

    /* ---- DMI */
    {"dmi", "sysfs", NULL, F "microserver-write-cache/bundle-before/dmi.out", 0, UNPROVEN,
     "grep -s . /sys/class/dmi/id/*"},
    {"dmi", "dmidecode", NULL, F "microserver-write-cache/bundle-before/dmidecode.out", 0, UNPROVEN,
     "dmidecode -t system"},

    /* ---- sysfs */
    {"sysfs", "collected", NULL, F "microserver-write-cache/bundle-before/sysfs.txt", 60, 0,
     "grep -s . /sys/block/*/queue/*"},
    {"sysfs", "grep",
     "/sys/block/sda/queue/rotational:0\n"
     "/sys/block/sda/queue/write_cache:write through\n"
     "/sys/block/sda/device/queue_depth:32\n",
     NULL, 0, 0, "grep -s . /sys/block/sda/queue/rotational /sys/block/sda/queue/write_cache"},

    /* ---- mounts */
    {"mounts", "mountinfo", NULL, F "microserver-write-cache/bundle-before/mounts.out", 0, 0,
     "cat /proc/self/mountinfo"},
    {"mounts", "/proc/mounts", NULL, F "nas-mirrors-hdd-german/bundle-aus/nas4/proc/mounts", 0, 0, "cat /proc/mounts"},
    {"mounts", "mount",
     "sysfs on /sys type sysfs (rw,nosuid,nodev,noexec,relatime)\n"
     "/dev/sdd2 on / type ext4 (rw,relatime,errors=remount-ro)\n"
     "storage on /storage type zfs (rw,xattr,noacl)\n",
     NULL, 0, 0, "mount"},
    {"mounts", "df",
     "Filesystem     Type  Size  Used Avail Use% Mounted on\n"
     "/dev/sdd2      ext4  234G   41G  181G  19% /\n"
     "storage        zfs   3.5T  252G  3.3T   8% /storage\n",
     NULL, 0, UNPROVEN, "df -hT"},
    {"mounts", "findmnt",
     "TARGET                SOURCE      FSTYPE   OPTIONS\n"
     "/                     /dev/sdd2   ext4     rw,relatime,errors=remount-ro\n"
     "\xe2\x94\x9c\xe2\x94\x80/storage            storage     zfs      rw,xattr,noacl\n"
     "\xe2\x94\x94\xe2\x94\x80/boot/efi           /dev/sdd1   vfat     rw,relatime\n",
     NULL, 0, 0, "findmnt"},

    /* ---- dd */
    {"dd", "GNU",
     "1024+0 records in\n"
     "1024+0 records out\n"
     "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 358.21 s, 3.0 MB/s\n",
     NULL, 0, UNPROVEN, "dd if=/dev/shm/rnd of=/storage/bench/seq.bin bs=1M conv=fsync"},
    {"dd", "with its command",
     "dd if=/dev/zero of=/tank/test bs=1M count=1024 conv=fdatasync\n"
     "1024+0 records in\n"
     "1024+0 records out\n"
     "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.01 s, 534 MB/s\n",
     NULL, 0, UNPROVEN, "sh bench.sh"},
    {"dd", "FreeBSD",
     "1024+0 records in\n"
     "1024+0 records out\n"
     "1073741824 bytes transferred in 10.512341 secs (102141003 bytes/sec)\n",
     NULL, 0, UNPROVEN, "dd if=/dev/random of=/tank/test bs=1m count=1024"},

    /* ---- software RAID */
    {"mdstat", "raid5 being rebuilt",
     "Personalities : [raid1] [raid6] [raid5] [raid4]\n"
     "md0 : active raid5 sde1[4] sdd1[3] sdc1[2](F) sdb1[1] sda1[0]\n"
     "      5860147200 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/3] [UU_U]\n"
     "      [==>..................]  recovery = 12.6% (246789012/1953382400) finish=123.4min speed=230100K/sec\n"
     "      bitmap: 3/15 pages [12KB], 65536KB chunk\n"
     "\n"
     "unused devices: <none>\n",
     NULL, 0, 0, "cat /proc/mdstat"},
    {"mdadm", "--detail",
     "/dev/md0:\n"
     "           Version : 1.2\n"
     "     Creation Time : Sun Sep  5 23:19:18 2021\n"
     "        Raid Level : raid1\n"
     "        Array Size : 976630464 (931.39 GiB 1000.07 GB)\n"
     "      Raid Devices : 2\n"
     "     Total Devices : 1\n"
     "       Update Time : Sun Sep 26 22:18:13 2021\n"
     "             State : clean, degraded \n"
     "    Active Devices : 1\n"
     "            Events : 1821\n"
     "\n"
     "    Number   Major   Minor   RaidDevice State\n"
     "       0       8        1        0      active sync   /dev/sda1\n"
     "       -       0        0        1      removed\n",
     NULL, 0, 0, "mdadm -D /dev/md0"},
    {"mdadm", "--detail --scan",
     "ARRAY /dev/md0 metadata=1.2 name=nas:0 UUID=1b2c3d4e:5f60718a:92a3b4c5:d6e7f801\n"
     "ARRAY /dev/md1 metadata=1.2 name=nas:1 UUID=2b2c3d4e:5f60718a:92a3b4c5:d6e7f801\n",
     NULL, 0, UNPROVEN, "mdadm --detail --scan"},
    {"mdadm", "--export",
     "MD_LEVEL=raid1\n"
     "MD_DEVICES=2\n"
     "MD_METADATA=1.2\n"
     "MD_UUID=1b2c3d4e:5f60718a:92a3b4c5:d6e7f801\n"
     "MD_NAME=nas:0\n"
     "MD_DEVICE_dev_sda1_ROLE=0\n"
     "MD_DEVICE_dev_sda1_DEV=/dev/sda1\n",
     NULL, 0, 0, "mdadm --detail --export /dev/md0"},

    /* ---- the host and its processes */
    {"vmstat", "-t",
     "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n"
     " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                CEST\n"
     " 1  0    524 763388 147216 819640    0    1   288   108  195    3  4  3 92  1  0 2024-07-01 12:00:00\n"
     " 0  2    524 763112 147216 819640    0   64     0  4108  157   96  0  1 49 50  0 2024-07-01 12:00:01\n",
     NULL, 0, 0, "vmstat -t 1 2"},
    {"vmstat", "-d",
     "disk- ------------reads------------ ------------writes----------- -----IO------\n"
     "       total merged sectors      ms  total merged sectors      ms    cur    sec\n"
     "sda    15257    100  841035    8395  50851   5502 1648657  146540      0     44\n",
     NULL, 0, 0, "vmstat -d"},
    {"vmstat", "-s",
     "      8036544 K total memory\n"
     "      1030412 K used memory\n"
     "      2210040 K active memory\n"
     "       120010 K inactive memory\n"
     "         1200 pages swapped in\n"
     "         9310 pages swapped out\n",
     NULL, 0, UNPROVEN, "vmstat -s"},
    {"vmstat", "FreeBSD",
     "procs    memory    page                      disks       faults       cpu\n"
     "r  b  w  avm  fre  flt  re  pi  po   fr   sr ada0 ada1   in   sy   cs us sy id\n"
     "0  2  0 512M 1.2G  123   0   0   0  200    5   40   41   20  300  400  1  3 96\n",
     NULL, 0, UNPROVEN, "vmstat 1"},
    {"ebs-stats", "nvme amzn stats",
     "Total Ops:\n"
     "  Read: 900000\n"
     "  Write: 800000\n"
     "Total Bytes:\n"
     "  Read: 14745600000\n"
     "  Write: 13107200000\n"
     "Total Time (us):\n"
     "  Read: 411000000\n"
     "  Write: 522000000\n"
     "\n"
     "EBS Volume Performance Exceeded (us):\n"
     "  IOPS: 31000000\n"
     "  Throughput: 0\n"
     "\n"
     "EC2 Instance EBS Performance Exceeded (us):\n"
     "  IOPS: 0\n"
     "  Throughput: 500000\n"
     "\n"
     "Queue Length (point in time): 12\n",
     NULL, 0, 0, "nvme amzn stats /dev/nvme1n1"},
    {"cgroup", "grep -r",
     "/sys/fs/cgroup/system.slice/backup.service/io.max:8:16 rbps=max wbps=10485760 riops=max wiops=max\n"
     "/sys/fs/cgroup/system.slice/backup.service/io.pressure:some avg10=71.30 avg60=68.02 avg300=61.77 "
     "total=48210337714\n"
     "/sys/fs/cgroup/user.slice/io.latency:8:16 target=75000\n",
     NULL, 0, 0, "grep -r . /sys/fs/cgroup --include=io.max --include=io.pressure --include=io.latency"},
    {"top", "-b",
     "top - 12:00:01 up 10 days,  3:02,  1 user,  load average: 44.10, 40.02, 31.11\n"
     "Tasks: 301 total,   1 running, 300 sleeping,   0 stopped,   0 zombie\n"
     "%Cpu(s):  1.2 us,  0.5 sy,  0.0 ni, 48.0 id, 30.3 wa,  0.0 hi,  0.0 si, 20.0 st\n"
     "MiB Mem :  31869.1 total,    402.1 free,   9012.4 used,  22454.6 buff/cache\n"
     "MiB Swap:   8192.0 total,   8190.0 free,      2.0 used.  22431.2 avail Mem\n"
     "\n"
     "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
     "   4711 root      20   0   12032   4096   2048 D   3.0   0.0   0:09.01 rsync\n"
     "      1 root      20   0  168000  12000   8000 S   0.0   0.1   0:09.77 systemd\n",
     NULL, 0, 0, "top -b -n 1"},
    {"ps", "-eo",
     "S     PID WCHAN                            CMD\n"
     "S       1 ep_poll                          /sbin/init\n"
     "D    4711 io_schedule                      rsync -a /srv /backup\n"
     "R    4790 -                                ps -eo state,pid,wchan:32,cmd\n",
     NULL, 0, 0, "ps -eo state,pid,wchan:32,cmd"},
    {"vzdump", "task",
     "INFO: starting new backup job: vzdump 104 --mode snapshot --storage pbs\n"
     "INFO: Starting Backup of VM 104 (qemu)\n"
     "INFO: Backup started at 2024-03-01 02:00:03\n"
     "INFO:  12% (4.0 GiB of 32.0 GiB) in 38s, read: 110.0 MiB/s, write: 108.2 MiB/s\n"
     "INFO: Finished Backup of VM 104 (00:05:03)\n"
     "INFO: Backup finished at 2024-03-01 02:05:06\n"
     "INFO: Backup job finished successfully\n"
     "TASK OK\n",
     NULL, 0, 0, "cat /var/log/pve/tasks/vzdump-104"},
    {"cpupower", "frequency-info",
     "analyzing CPU 0:\n"
     "  driver: acpi-cpufreq\n"
     "  hardware limits: 1.20 GHz - 2.60 GHz\n"
     "  current policy: frequency should be within 1.20 GHz and 2.60 GHz.\n"
     "                  The governor \"powersave\" may decide which speed to use\n"
     "                  within this range.\n",
     NULL, 0, 0, "cpupower frequency-info"},
    {"guest-config", "qm",
     "agent: 1\n"
     "boot: order=scsi0;ide2\n"
     "cores: 4\n"
     "ide2: none,media=cdrom\n"
     "memory: 8192\n"
     "name: mail\n"
     "net0: virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1\n"
     "ostype: l26\n"
     "scsi0: local-lvm:vm-104-disk-0,cache=unsafe,discard=on,iothread=1,size=32G,ssd=1\n"
     "scsihw: virtio-scsi-single\n",
     NULL, 0, 0, "qm config 104"},
    {"guest-config", "pct",
     "arch: amd64\n"
     "cores: 2\n"
     "hostname: proxy\n"
     "memory: 512\n"
     "net0: name=eth0,bridge=vmbr0,ip=dhcp,type=veth\n"
     "rootfs: local-lvm:vm-210-disk-0,size=8G\n"
     "unprivileged: 1\n",
     NULL, 0, 0, "pct config 210"},
    {"libvirt", "dumpxml",
     "<domain type='kvm' id='3'>\n"
     "  <name>mail</name>\n"
     "  <devices>\n"
     "    <disk type='file' device='disk'>\n"
     "      <driver name='qemu' type='qcow2' cache='writethrough' discard='unmap'/>\n"
     "      <source file='/var/lib/libvirt/images/mail.qcow2' index='1'/>\n"
     "      <backingStore/>\n"
     "      <target dev='sda' bus='sata'/>\n"
     "    </disk>\n"
     "  </devices>\n"
     "</domain>\n",
     NULL, 0, 0, "virsh dumpxml mail"},
    {"qemu-img", "chain",
     "image: mail-now.qcow2\n"
     "file format: qcow2\n"
     "virtual size: 32 GiB (34359738368 bytes)\n"
     "disk size: 1.2 GiB\n"
     "cluster_size: 65536\n"
     "backing file: mail.qcow2 (actual path: /var/lib/images/mail.qcow2)\n"
     "backing file format: qcow2\n"
     "Format specific information:\n"
     "    compat: 1.1\n"
     "    compression type: zlib\n"
     "\n"
     "image: /var/lib/images/mail.qcow2\n"
     "file format: qcow2\n"
     "virtual size: 32 GiB (34359738368 bytes)\n"
     "disk size: 12.4 GiB\n"
     "cluster_size: 65536\n",
     NULL, 0, 0, "qemu-img info --backing-chain mail-now.qcow2"},
    {"mpstat", "-P ALL",
     "12:00:00 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
     "12:00:01 AM  all   24.75    0.00    1.52    0.00    0.00    0.00    0.00    0.00    0.00   73.74\n"
     "12:00:01 AM    0    2.02    0.00    1.01    0.00    0.00    0.00    0.00    0.00    0.00   96.97\n"
     "12:00:01 AM    1   47.47    0.00    2.02    0.00    0.00    0.00    0.00    0.00    0.00   50.51\n",
     NULL, 0, UNPROVEN, "mpstat -P ALL 1 1"},
    {"pidstat", "-d",
     "12:00:00 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
     "12:00:01 AM     0       395      0.00      7.92      0.00       0  jbd2/sda1-8\n"
     "12:00:01 AM  1000      2211      4.00   9120.50      0.00      61  rsync\n",
     NULL, 0, UNPROVEN, "pidstat -d 1"},
    {"pidstat", "-dlh",
     "# Time        UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
     "1719828001      0       395      0.00      7.92      0.00       0  [jbd2/sda1-8]\n"
     "1719828001   1000      2211      4.00   9120.50      0.00      61  /usr/bin/rsync -a /data /backup\n",
     NULL, 0, UNPROVEN, "pidstat -dlh 1 1"},
    {"iotop", "-b",
     "Total DISK READ :       0.00 B/s | Total DISK WRITE :      27.94 M/s\n"
     "Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      31.07 M/s\n"
     "    TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN     IO>    COMMAND\n"
     "   3865 be/4 root        0.00 B/s   27.90 M/s  0.00 % 80.56 % rsync -a /data /backup\n",
     NULL, 0, 0, "iotop -bo"},
    {"iotop", "FreeBSD",
     "  PID USERNAME     VCSW  IVCSW   READ  WRITE  FAULT  TOTAL PERCENT COMMAND\n"
     " 2211 backup        120      3      0    410      0    410  97.62% rsync\n",
     NULL, 0, 0, "top -b -m io"},
    {"diskstats", "kernel 6.1",
     "   8       0 sda 4810 12 385032 30120 9120 210 1221640 601220 0 88120 640100 0 0 0 0 310 8760\n"
     "   8       1 sda1 4700 12 380032 29120 9120 210 1221640 601220 0 88100 630340 0 0 0 0 0 0\n",
     NULL, 0, 0, "cat /proc/diskstats"},
    {"partitions", "whole",
     "major minor  #blocks  name\n"
     "\n"
     "   8        0 1953514584 sda\n"
     "   8        1 1953513560 sda1\n",
     NULL, 0, 0, "cat /proc/partitions"},
    {"proc-vmstat", "start",
     "nr_free_pages 615337\n"
     "nr_zone_inactive_anon 39\n"
     "nr_zone_active_anon 34838\n"
     "nr_dirty 1021\n"
     "pgpgin 8834020\n"
     "pswpout 1200\n",
     NULL, 0, 0, "cat /proc/vmstat"},

    /* ---- fio */
    {"fio", "3.x",
     "randwrite: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, "
     "iodepth=16\n"
     "fio-3.33\n"
     "Starting 1 process\n"
     "\n"
     "randwrite: (groupid=0, jobs=1): err= 0: pid=4711: Mon Jul  1 12:00:30 2024\n"
     "  write: IOPS=312, BW=1251KiB/s (1281kB/s)(36.7MiB/30042msec); 0 zone resets\n"
     "    clat (msec): min=2, max=412, avg=51.10, stdev=20.30\n"
     "    clat percentiles (msec):\n"
     "     |  1.00th=[   10], 50.00th=[   48], 95.00th=[   90], 99.00th=[  131],\n"
     "     | 99.99th=[  401]\n"
     "  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=99.9%, 32=0.0%, >=64=0.0%\n"
     "\n"
     "Run status group 0 (all jobs):\n"
     "  WRITE: bw=1251KiB/s (1281kB/s), 1251KiB/s-1251KiB/s (1281kB/s-1281kB/s), io=36.7MiB (38.5MB), "
     "run=30042-30042msec\n"
     "\n"
     "Disk stats (read/write):\n"
     "  sda: ios=0/9381, merge=0/12, ticks=0/478010, in_queue=478010, util=99.31%\n",
     NULL, 0, 0, "fio --name=randwrite --rw=randwrite --bs=4k --iodepth=16 --ioengine=libaio --direct=1 --size=1G"},
    {"fio", "JSON",
     "{\n"
     "  \"fio version\" : \"fio-3.33\",\n"
     "  \"timestamp\" : 1719828030,\n"
     "  \"global options\" : {\"direct\" : \"1\"},\n"
     "  \"jobs\" : [\n"
     "    {\n"
     "      \"jobname\" : \"t\",\n"
     "      \"error\" : 0,\n"
     "      \"job options\" : {\"rw\" : \"write\", \"bs\" : \"1M\"},\n"
     "      \"read\" : {\"io_bytes\" : 0, \"io_kbytes\" : 0, \"bw_bytes\" : 0, \"iops\" : 0.0, \"runtime\" : 0},\n"
     "      \"write\" : {\"io_bytes\" : 8589934592, \"io_kbytes\" : 8388608, \"bw_bytes\" : 161000000, \"iops\" : "
     "153.5, \"runtime\" : 53353}\n"
     "    }\n"
     "  ]\n"
     "}\n",
     NULL, 0, JSON, "fio --output-format=json job.fio"},

    /* ---- ZFS labels, datasets, statistics */
    {"zdb", "-l",
     "failed to unpack label 1\n"
     "------------------------------------\n"
     "LABEL 0\n"
     "------------------------------------\n"
     "    version: 5000\n"
     "    name: 'storage'\n"
     "    state: 0\n"
     "    pool_guid: 11427366438345325911\n"
     "    guid: 1539417216530011223\n"
     "    vdev_tree:\n"
     "        type: 'mirror'\n"
     "        id: 0\n"
     "        ashift: 12\n"
     "        children[0]:\n"
     "            type: 'disk'\n"
     "            path: '/dev/sdc1'\n"
     "            devid: 'ata-EXAMPLE_SSD_EX0001-part1'\n"
     "    features_for_read:\n"
     "        com.delphix:hole_birth\n"
     "    labels = 0 2 3\n",
     NULL, 0, 0, "zdb -l /dev/sdc1"},
    {"zpool-events", "-v",
     "TIME                           CLASS\n"
     "Jul  7 2024 03:24:01.123456789 ereport.fs.zfs.delay\n"
     "        class = \"ereport.fs.zfs.delay\"\n"
     "        detector = (embedded nvlist)\n"
     "                pool = 0x140a4edc0f6540b8\n"
     "        (end detector)\n"
     "        pool = \"tank\"\n"
     "        vdev_path = \"/dev/disk/by-id/ata-EXAMPLE_EX0001-part1\"\n"
     "        zio_delay = 0x738a1f400\n"
     "        time = 0x668a0961 0x75bcd15 \n",
     NULL, 0, UNPROVEN, "zpool events -v"},
    {"zpool-history", "-il",
     "History for 'tank':\n"
     "2022-07-02.11:20:41 zpool create tank mirror sda sdb [user 0 (root) on nas:linux]\n"
     "2024-04-14.00:24:01 [txg:8112311] scan setup func=1 mintxg=0 maxtxg=8112311 [on nas]\n"
     "2024-04-14.01:05:09 zpool scrub tank [user 0 (root) on nas:linux]\n",
     NULL, 0, UNPROVEN, "zpool history -il tank"},
    {"zdb", "-C",
     "MOS Configuration:\n"
     "        version: 5000\n"
     "        name: 'tank'\n"
     "        vdev_tree:\n"
     "            type: 'root'\n"
     "            children[0]:\n"
     "                type: 'raidz'\n"
     "                nparity: 2\n"
     "                ashift: 12\n",
     NULL, 0, UNPROVEN, "zdb -C tank"},
    {"zfs-get", "list",
     "NAME              USED  AVAIL     REFER  MOUNTPOINT\n"
     "storage          1.20T   560G       96K  /storage\n"
     "storage/vm        103G   610G     52.3G  -\n",
     NULL, 0, UNPROVEN, "zfs list"},
    {"zfs-get", "get -H",
     "tank/vm\tsync\tdisabled\tlocal\n"
     "tank/vm\trecordsize\t131072\tdefault\n"
     "tank/vm\tmountpoint\t/tank/vm\tinherited from tank\n",
     NULL, 0, UNPROVEN, "zfs get -H -p sync,recordsize,mountpoint"},
    {"zfs-get", "JSON",
     "{\"output_version\":{\"command\":\"zfs get\",\"vers_major\":0,\"vers_minor\":1},\n"
     " \"datasets\":{\"tank\":{\"name\":\"tank\",\"type\":\"FILESYSTEM\",\"properties\":{\"sync\":{\"value\":"
     "\"standard\"}}}}}\n",
     NULL, 0, JSON | UNPROVEN, "zfs get -j sync"},
    {"zfs-kstat", "arcstats",
     "6 1 0x01 91 4368 5266997922 97951858082072\n"
     "name                            type data\n"
     "hits                            4    8772612\n"
     "c_max                           4    8367976448\n",
     NULL, 0, 0, "cat /proc/spl/kstat/zfs/arcstats"},
    {"zfs-kstat", "FreeBSD",
     "kstat.zfs.zroot.txgs: \n"
     "txg      birth            state ndirty       nread        nwritten     reads    writes   otime        qtime      "
     "  "
     "wtime        stime       \n"
     "8675     1234567          C     4096         0            8192         0        2        5000000000   10         "
     "  "
     "20           6500000000  \n",
     NULL, 0, 0, "sysctl kstat.zfs.zroot.txgs"},
    {"arc-summary", "2.1",
     "ZFS Subsystem Report                            Wed May 17 15:03:43 2023\n"
     "Linux 6.1.0-18-amd64                                            2.1.11-1\n"
     "Machine: nas (x86_64)                                           2.1.11-1\n"
     "\n"
     "ARC status:                                                      HEALTHY\n"
     "        Memory throttle count:                                         0\n"
     "\n"
     "ARC size (current):                                    98.7 %    7.9 GiB\n"
     "        Max size (high water):                           16:1    8.0 GiB\n",
     NULL, 0, 0, "arc_summary"},
    {"arcstat", "2.0",
     "    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  size     c  avail\n"
     "12:37:19   124     0      0     0    0     0    0     0    0   39G   45G    53G\n"
     "12:37:20  1.2K    20      1    20    1     0    0     0    0   39G   45G    53G\n",
     NULL, 0, 0, "arcstat 1 2"},
    {"zfs-kstat", "grep",
     "/proc/spl/kstat/zfs/storage/state:ONLINE\n"
     "/proc/spl/kstat/zfs/storage/objset-0x36:dataset_name                    7    storage/vm\n"
     "/proc/spl/kstat/zfs/storage/objset-0x36:nwritten                        4    49152\n",
     NULL, 0, 0, "grep -s . /proc/spl/kstat/zfs/storage/state /proc/spl/kstat/zfs/storage/objset-0x36"},

    /* ---- mapped and encrypted devices */
    {"cryptsetup", "status",
     "/dev/mapper/crypt0 is active and is in use.\n"
     "  type:    LUKS2\n"
     "  cipher:  aes-xts-plain64\n"
     "  keysize: 512 bits\n"
     "  device:  /dev/sda2\n"
     "  sector size:  512\n"
     "  size:    61766752 sectors\n"
     "  mode:    read/write\n"
     "  flags:   discards\n",
     NULL, 0, 0, "cryptsetup status crypt0"},
    {"cryptsetup", "luksDump",
     "LUKS header information\n"
     "Version:       \t2\n"
     "Epoch:         \t3\n"
     "UUID:          \tc8338763-450d-4143-92b2-dff843aff1ac\n"
     "Flags:       \t(no flags)\n"
     "\n"
     "Data segments:\n"
     "  0: crypt\n"
     "\tcipher: aes-xts-plain64\n"
     "\tsector: 512 [bytes]\n"
     "\n"
     "Keyslots:\n"
     "  0: luks2\n"
     "\tKey:        512 bits\n"
     "\tSalt:       ab 47 da f9 48 38 ce 38 76 10 01 eb eb 1e 17 d8 \n"
     "\tDigest ID:  0\n"
     "Tokens:\n",
     NULL, 0, 0, "cryptsetup luksDump /dev/sda2"},
    {"dmsetup", "table",
     "vg-root: 0 33554432 linear 8:2 125831168\n"
     "crypt0: 0 2093056 crypt aes-xts-plain64 :64:logon:cryptsetup:0123-d0 0 8:3 32768 1 allow_discards\n",
     NULL, 0, 0, "dmsetup table"},
    {"dmsetup", "tree",
     "vg-root (253:1)\n"
     " \xe2\x94\x94\xe2\x94\x80"
     "crypt0 (253:0)\n"
     "    \xe2\x94\x94\xe2\x94\x80 (8:3)\n",
     NULL, 0, UNPROVEN, "dmsetup ls --tree"},
    {"dmsetup", "info",
     "Name:              vg-root\n"
     "State:             ACTIVE\n"
     "Read Ahead:        256\n"
     "Open count:        1\n"
     "Major, minor:      253, 4\n"
     "Number of targets: 1\n",
     NULL, 0, 0, "dmsetup info"},
    {"lvm", "lvs",
     "  LV              VG    Attr       LSize   Pool Origin Data%  Meta% Move Log Cpy%Sync Convert Devices            "
     "             Health\n"
     "  [lvol0_pmspare] pve   ewi-------   1.00g                                                    /dev/sda3(0)\n"
     "  data            pve   twi-aotzD- 500.00g             100.00 61.22                           data_tdata(0)      "
     "             out_of_data\n"
     "  [data_tdata]    pve   Twi-ao---- 500.00g                                                    /dev/sda3(1024)\n"
     "  root            pve   -wi-ao---- <93.13g                                                    /dev/sda3(256)\n"
     "  vm-100-disk-0   pve   Vwi-aotz--  32.00g data        97.20\n",
     NULL, 0, 0, "lvs -a -o +devices,lv_health_status"},
    {"lvm", "vgs",
     "  VG    #PV #LV #SN Attr   VSize    VFree\n"
     "  my-vg   2   4   1 wz-pn-    1.81t 120.00g\n"
     "  pve     1  12   0 wz--n- <930.51g      0\n",
     NULL, 0, 0, "vgs"},
    {"lvm", "pvs",
     "  PV        VG    Fmt  Attr PSize    PFree\n"
     "  /dev/sda3 pve   lvm2 a--  <930.51g      0\n"
     "  /dev/sdb1 my-vg lvm2 a--   931.51g 120.00g\n",
     NULL, 0, 0, "pvs"},
    {"lvm", "lvdisplay",
     "  --- Logical volume ---\n"
     "  LV Path                /dev/vg0/root\n"
     "  LV Name                root\n"
     "  VG Name                vg0\n"
     "  LV Status              available\n"
     "  LV Size                96.00 GiB\n"
     "  Block device           253:0\n",
     NULL, 0, 0, "lvdisplay"},
    {"multipath", "-ll",
     "mpatha (3600508b4000156d700012000000b0000) dm-2 EXAMPLE,ARRAY\n"
     "size=100G features='1 queue_if_no_path' hwhandler='0' wp=rw\n"
     "`-+- policy='service-time 0' prio=1 status=active\n"
     "  |- 2:0:0:1 sdb 8:16 active ready running\n"
     "  `- 3:0:0:1 sdc 8:32 failed faulty running\n",
     NULL, 0, 0, "multipath -ll"},

    /* ---- parameters, trimming */
    {"sysctl", "Linux",
     "vm.dirty_background_ratio = 10\n"
     "vm.dirty_bytes = 0\n"
     "vm.dirty_ratio = 20\n"
     "vm.swappiness = 60\n",
     NULL, 0, 0, "sysctl -a"},
    {"sysctl", "FreeBSD",
     "kern.ostype: FreeBSD\n"
     "kern.osrelease: 13.2-RELEASE\n"
     "vfs.zfs.trim.enabled: 1\n"
     "kstat.zfs.misc.arcstats.c_max: 15017086976\n",
     NULL, 0, UNPROVEN, "sysctl -a"},
    {"sysctl", "files",
     "/proc/sys/vm/dirty_ratio:20\n"
     "/proc/sys/vm/swappiness:60\n",
     NULL, 0, UNPROVEN, "grep -s . /proc/sys/vm/dirty_ratio /proc/sys/vm/swappiness"},
    {"fstrim", "-v",
     "/boot: 805.1 MiB (844242944 bytes) trimmed on /dev/sda2\n"
     "/: 25,6 GiB (27487790694 Bytes) auf /dev/sda1 getrimmt\n",
     NULL, 0, UNPROVEN, "fstrim -av"},
    {"fstrim", "timer",
     "\xe2\x97\x8f fstrim.timer - Discard unused blocks once a week\n"
     "     Loaded: loaded (/lib/systemd/system/fstrim.timer; enabled; preset: enabled)\n"
     "     Active: active (waiting) since Sat 2025-09-13 09:12:40 CEST; 3h 49min ago\n"
     "    Trigger: Mon 2025-09-15 00:39:32 CEST; 1 day 11h left\n",
     NULL, 0, UNPROVEN, "systemctl status fstrim.timer"},

    {"ceph", "status",
     "  cluster:\n"
     "    id:     a1b2c3d4-0000-4000-8000-000000000001\n"
     "    health: HEALTH_WARN\n"
     "            1 osds down\n"
     "            12 slow ops, oldest one blocked for 34 sec, daemons [osd.0,osd.3] have slow ops.\n"
     "            Degraded data redundancy: 123/4567 objects degraded (2.693%), 12 pgs degraded\n"
     "  services:\n"
     "    mon: 3 daemons, quorum a,b,c (age 2d)\n"
     "    mgr: a(active, since 2d), standbys: b\n"
     "    osd: 12 osds: 11 up (since 3m), 12 in (since 2w); 34 remapped pgs\n"
     "  data:\n"
     "    pools:   3 pools, 129 pgs\n"
     "    objects: 1.23M objects, 4.5 TiB\n"
     "    usage:   13 TiB used, 30 TiB / 43 TiB avail\n"
     "    pgs:     123/4567 objects degraded (2.693%)\n"
     "             456/4567 objects misplaced (9.985%)\n"
     "             100 active+clean\n"
     "             12  active+undersized+degraded+remapped+backfilling\n"
     "             3   active+clean+scrubbing+deep\n"
     "             2   active+clean+scrubbing\n"
     "  io:\n"
     "    client:   1.2 MiB/s rd, 3.4 MiB/s wr, 12 op/s rd, 34 op/s wr\n"
     "    recovery: 56 MiB/s, 14 objects/s\n"
     "  progress:\n"
     "    Global Recovery Event (5m)\n"
     "      [===.........................] (remaining: 12m)\n",
     NULL, 0, UNPROVEN, "ceph -s"},
    {"ceph", "health detail",
     "HEALTH_WARN 1 osds down; 12 slow ops, oldest one blocked for 34 sec, osd.7 has slow ops\n"
     "[WRN] OSD_DOWN: 1 osds down\n"
     "    osd.5 (root=default,host=pve2) is down\n"
     "[WRN] SLOW_OPS: 12 slow ops, oldest one blocked for 34 sec, osd.7 has slow ops\n",
     NULL, 0, UNPROVEN, "ceph health detail"},
    {"ceph", "osd perf",
     "osd  commit_latency(ms)  apply_latency(ms)\n"
     "  7                 145                145\n"
     "  2                   5                  5\n"
     "  1                   4                  4\n"
     "  0                   6                  6\n",
     NULL, 0, UNPROVEN, "ceph osd perf"},
    {"ceph", "osd tree",
     "ID  CLASS  WEIGHT    TYPE NAME       STATUS  REWEIGHT  PRI-AFF\n"
     "-1         43.65900  root default                             \n"
     "-3         14.55300      host pve1                            \n"
     " 0    hdd   3.63820          osd.0       up   1.00000  1.00000\n"
     " 1    hdd   3.63820          osd.1       up   1.00000  1.00000\n"
     "-5         14.55300      host pve2                            \n"
     " 2    hdd   3.63820          osd.2       up   1.00000  1.00000\n"
     " 7    hdd   3.63820          osd.7     down         0  1.00000\n",
     NULL, 0, UNPROVEN, "ceph osd tree"},
    {"drbd", "proc",
     "version: 8.4.11 (api:1/proto:86-101)\n"
     "GIT-hash: 66145a308421e9c124ec391a7848ac20203bb03c build by root@pve1, 2020-04-09 10:00:00\n"
     " 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent C r-----\n"
     "    ns:1234 nr:0 dw:5678 dr:9 al:1 bm:0 lo:0 pe:12 ua:3 ap:12 ep:1 wo:f oos:345678\n"
     "\t[=>..................] sync'ed: 12.3% (345/400)M\n"
     "\tfinish: 0:12:34 speed: 12,345 (11,111) K/sec\n"
     " 1: cs:Unconfigured\n"
     " 2: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----\n"
     "    ns:1 nr:0 dw:5 dr:9 al:1 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0\n",
     NULL, 0, UNPROVEN, "cat /proc/drbd"},
    {"drbd", "status",
     "r0 node-id:0 role:Primary suspended:no force-io-failures:no\n"
     "    write-ordering:flush\n"
     "  volume:0 minor:10 disk:UpToDate backing_dev:/dev/vg/r0 quorum:yes\n"
     "      size:1048576 read:1000 written:2000 al-writes:3 bm-writes:0 upper-pending:5 lower-pending:1 "
     "al-suspended:no blocked:no\n"
     "  nodeb node-id:1 connection:Connected role:Secondary congested:yes ap-in-flight:4096 rs-in-flight:0\n"
     "    volume:0 replication:Established peer-disk:UpToDate resync-suspended:no\n"
     "        received:0 sent:2000 out-of-sync:0 pending:5 unacked:2\n"
     "  nodec node-id:2 connection:Connecting role:Unknown congested:no ap-in-flight:0 rs-in-flight:0\n"
     "\n"
     "r1 role:Secondary\n"
     "  disk:UpToDate\n"
     "  nodeb role:Primary\n"
     "    replication:SyncTarget peer-disk:UpToDate done:45.67\n",
     NULL, 0, UNPROVEN, "drbdsetup status --verbose --statistics"},
    {"iscsiadm", "-P 3",
     "iSCSI Transport Class version 2.0-870\n"
     "version 2.1.8\n"
     "Target: iqn.2003-01.org.example:t1 (non-flash)\n"
     "\tCurrent Portal: 192.0.2.7:3260,1\n"
     "\tPersistent Portal: 192.0.2.7:3260,1\n"
     "\t\t**********\n"
     "\t\tInterface:\n"
     "\t\t**********\n"
     "\t\tIface Name: default\n"
     "\t\tSID: 1\n"
     "\t\tiSCSI Connection State: LOGGED IN\n"
     "\t\tiSCSI Session State: LOGGED_IN\n"
     "\t\tInternal iscsid Session State: NO CHANGE\n"
     "\t\t*********\n"
     "\t\tTimeouts:\n"
     "\t\t*********\n"
     "\t\tRecovery Timeout: 120\n"
     "\t\t************************\n"
     "\t\tNegotiated iSCSI params:\n"
     "\t\t************************\n"
     "\t\tHeaderDigest: None\n"
     "\t\t************************\n"
     "\t\tAttached SCSI devices:\n"
     "\t\t************************\n"
     "\t\tHost Number: 3\tState: running\n"
     "\t\tscsi3 Channel 00 Id 0 Lun: 0\n"
     "\t\t\tAttached scsi disk sdb\t\tState: running\n"
     "\t\tscsi3 Channel 00 Id 0 Lun: 1\n"
     "\t\t\tAttached scsi disk sdc\t\tState: offline\n",
     NULL, 0, UNPROVEN, "iscsiadm -m session -P 3"},
    {"nfsiostat", "1 2",
     "nas2:/vol mounted on /vol:\n"
     "\n"
     "           ops/s       rpc bklog\n"
     "          12.345           0.000\n"
     "\n"
     "read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "
     "queue (ms)          errors\n"
     "                   1.234         123.456         100.000        0 (0.0%)           1.234           1.456         "
     "  0.012        0 (0.0%)\n"
     "write:             ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "
     "queue (ms)          errors\n"
     "                  10.000         640.000          64.000        0 (0.0%)         240.000         244.000         "
     "  0.012        0 (0.0%)\n"
     "\n"
     "nas2:/vol mounted on /vol:\n"
     "\n"
     "           ops/s       rpc bklog\n"
     "          12.345           0.000\n"
     "\n"
     "read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "
     "queue (ms)          errors\n"
     "                   0.000           0.000           0.000        0 (0.0%)           0.000           0.000         "
     "  0.000        0 (0.0%)\n"
     "write:             ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "
     "queue (ms)          errors\n"
     "                  14.000         640.000          64.000        2 (0.1%)         340.000         344.000         "
     "  0.012        0 (0.0%)\n",
     NULL, 0, UNPROVEN, "nfsiostat 1 2"},
    {"mountstats", "NFS 4",
     "device rootfs mounted on / with fstype rootfs\n"
     "device nas2:/vol mounted on /vol with fstype nfs4 statvers=1.1\n"
     "\topts:\trw,vers=4.2,rsize=1048576,hard\n"
     "\tage:\t86400\n"
     "\timpl_id:\tname='',domain='',date='0,0'\n"
     "\tcaps:\tcaps=0xfff7,wtmult=512\n"
     "\tnfsv4:\tbm0=0xfdffbfff\n"
     "\tsec:\tflavor=1,pseudoflavor=1\n"
     "\tevents:\t1 2 3\n"
     "\tbytes:\t1 2 3\n"
     "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
     "\txprt:\ttcp 785 1 1 0 0 100 100 0 100 0\n"
     "\tper-op statistics\n"
     "\t        NULL: 1 1 0 44 24 6 0 6 0\n"
     "\t        READ: 1000 1002 0 234567 345678 12 800 900 0\n"
     "\t      COMMIT: 500 500 0 1 1 10 30000 30100 0\n"
     "\t     GETATTR: 5000 5000 0 1 1 10 2500 2600 0\n",
     NULL, 0, UNPROVEN, "cat /proc/self/mountstats"},
    {"dumpe2fs", "-h",
     "dumpe2fs 1.47.0 (5-Feb-2023)\n"
     "Filesystem volume name:   <none>\n"
     "Last mounted on:          /srv\n"
     "Filesystem UUID:          4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n"
     "Filesystem magic number:  0xEF53\n"
     "Filesystem state:         clean with errors\n"
     "Errors behavior:          Continue\n"
     "Inode count:              65536\n"
     "Journal backup:           inode blocks\n"
     "FS Error count:           5\n"
     "First error time:         Tue Jul  4 15:38:52 2017\n"
     "First error function:     ext4_find_entry\n"
     "First error line #:       1455\n"
     "Last error time:          Tue Jul  4 15:38:52 2017\n"
     "Checksum type:            crc32c\n",
     NULL, 0, UNPROVEN, "dumpe2fs -h /dev/sda1"},
    {"filefrag", "filefrag",
     "/vm/disk.qcow2: 45231 extents found\n"
     "/vm/b.qcow2: 3 extents found\n",
     NULL, 0, UNPROVEN, "filefrag /vm/disk.qcow2 /vm/b.qcow2"},
    {"filefrag", "lsattr",
     "---------------C------ /vm/a.qcow2\n"
     "---------------------- /vm/b.qcow2\n",
     NULL, 0, UNPROVEN, "lsattr /vm"},
    {"btrfs", "show",
     "Label: 'data'  uuid: 4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n\tTotal devices 2 FS bytes used 1.05TiB\n"
     "\tdevid    1 size 1.82TiB used 1.07TiB path /dev/sdb\n\tdevid    2 size 1.82TiB used 1.07TiB path /dev/sdc\n",
     NULL, 0, UNPROVEN, "btrfs filesystem show"},
    {"btrfs", "device stats",
     "[/dev/sdb].write_io_errs    0\n[/dev/sdb].read_io_errs     0\n[/dev/sdb].flush_io_errs    0\n"
     "[/dev/sdb].corruption_errs  12\n[/dev/sdb].generation_errs  0\n",
     NULL, 0, UNPROVEN, "btrfs device stats /data"},
    {"btrfs", "scrub status",
     "UUID:             4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\nScrub started:    Wed Apr 10 12:34:56 2024\n"
     "Status:           finished\nDuration:         0:15:10\nTotal to scrub:   149.05GiB\n"
     "Rate:             100.00MiB/s\nError summary:    no errors found\n",
     NULL, 0, UNPROVEN, "btrfs scrub status /data"},
    {"interrupts", "x86",
     "            CPU0       CPU1       \n   0:         38          0  IR-IO-APIC    2-edge      timer\n"
     " 126:     402311          0  IR-PCI-MSI 376832-edge      ahci[0000:00:17.0]\n"
     " NMI:         12         13   Non-maskable interrupts\n",
     NULL, 0, UNPROVEN, "cat /proc/interrupts"},
    {"ipmi-sel", "elist",
     "   1 | 05/24/2026 | 11:42:07 | Memory #0x02 | Correctable ECC | Asserted\n"
     "  1a | 05/25/2026 | 11:44:10 | Power Supply PS1 Status | Power Supply AC lost | Asserted\n",
     NULL, 0, UNPROVEN, "ipmitool sel elist"},
    {"edac", "edac-util -v",
     "mc0: 0 Uncorrected Errors with no DIMM info\nmc0: 0 Corrected Errors with no DIMM info\n"
     "mc0: csrow0: CPU_SrcID#0_MC#0_Chan#0_DIMM#0: 12 Corrected Errors\n",
     NULL, 0, UNPROVEN, "edac-util -v"},
    {"edac", "ras-mc-ctl --summary",
     "Memory controller events summary:\n\tCorrected on DIMM Label(s): 'DIMM_A1' location: 1:0:0:0 errors: 42\n\n"
     "No PCIe AER errors.\n\nNo MCE errors.\n",
     NULL, 0, UNPROVEN, "ras-mc-ctl --summary"},

    {"storcli", "show all",
     "CLI Version = 007.2807.0000.0000 Dec 22, 2023\nOperating system = Linux 6.6.44\nController = 0\nStatus = "
     "Success\n\n\nBasics :\n======\nModel = HBA 9500-16e\nPCI Address = 00:01:00:00\n\n\nHwCfg :\n=====\n"
     "ROC temperature(Degree Celsius) = 50\n",
     NULL, 0, 0, "storcli /c0 show all"},
    {"sas-flash", "-list",
     "LSI Corporation SAS2 Flash Utility\nVersion 20.00.00.00 (2014.09.18)\n\n\tController Number              : 0\n"
     "\tPCI Address                    : 00:01:00:00\n\tFirmware Version               : 20.00.07.00\n",
     NULL, 0, UNPROVEN, "sas2flash -list"},
    {"megacli", "-LDInfo",
     "Adapter 0 -- Virtual Drive Information:\n"
     "Virtual Drive: 0 (Target Id: 0)\n"
     "RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0\n"
     "State               : Optimal\n"
     "Number Of Drives    : 2\n"
     "Default Cache Policy: WriteBack, ReadAheadNone, Direct, No Write Cache if Bad BBU\n"
     "Current Cache Policy: WriteThrough, ReadAheadNone, Direct, No Write Cache if Bad BBU\n",
     NULL, 0, 0, "MegaCli -LDInfo -Lall -aALL"},
    {"storcli", "/c0/vall show all",
     "CLI Version = 007.0709.0000.0000 Aug 14, 2018\nOperating system = Linux 5.4.0\nController = 0\nStatus = Success\n"
     "Description = None\n\n\n/c0/v0 :\n======\n\n"
     "--------------------------------------------------------------\n"
     "DG/VD TYPE  State Access Consist Cache Cac sCC      Size Name\n"
     "--------------------------------------------------------------\n"
     "0/0   RAID6 Optl  RW     Yes     RWBD  -   OFF 99.996 GB data\n"
     "--------------------------------------------------------------\n",
     NULL, 0, 0, "storcli64 /c0/vall show all"},
    {"megacli", "-PDList",
     "Adapter #0\n\nEnclosure Device ID: 64\nSlot Number: 0\nDrive's position: DiskGroup: 0, Span: 0, Arm: 0\n"
     "Device Id: 0\nMedia Error Count: 0\nOther Error Count: 0\nPredictive Failure Count: 0\nPD Type: SAS\n"
     "Firmware state: Online, Spun Up\nInquiry Data: HGST    HUH721212AL5200 NS07D5G0AAAA            \n"
     "Drive has flagged a S.M.A.R.T alert : No\n",
     NULL, 0, 0, "MegaCli64 -PDList -aALL"},
    {"ssacli", "config detail",
     "Smart Array P440ar in Slot 0 (Embedded)\n   Bus Interface: PCI\n   Controller Status: OK\n   Cache Status: OK\n"
     "   Array: A\n      Logical Drive: 1\n         Fault Tolerance: 1+0\n         Status: OK\n"
     "         Caching:  Enabled\n         Disk Name: /dev/sda\n",
     NULL, 0, 0, "ssacli ctrl all show config detail"},
    {"arcconf", "getconfig",
     "Controllers found: 1\n----------------------------------------------------------------------\n"
     "Logical device information\n----------------------------------------------------------------------\n"
     "Logical Device number 0\n   RAID level                               : 10\n"
     "   Status of Logical Device                 : Optimal\n   Write-cache setting                      : Enabled\n"
     "   Write-cache status                       : On\n",
     NULL, 0, 0, "arcconf getconfig 1 al"},

    /* ---- FreeBSD */
    {"pciconf", "-lvc",
     "ahci0@pci0:0:31:2:\tclass=0x010601 rev=0x05 hdr=0x00 vendor=0x8086 device=0x1c02 subvendor=0x1043 "
     "subdevice=0x844d\n"
     "    vendor     = 'Intel Corporation'\n"
     "    device     = '6 Series/C200 Series Chipset Family 6 port Desktop SATA AHCI Controller'\n"
     "    class      = mass storage\n"
     "    subclass   = SATA\n"
     "    cap 01[70] = powerspec 3  supports D0 D3  current D0\n",
     NULL, 0, 0, "pciconf -lvc"},
    {"glabel", "status",
     "                                      Name  Status  Components\n"
     "gptid/86c2d9b8-4d11-11e9-a0a1-d05099c3b7c1     N/A  ada0p2\n"
     "                diskid/DISK-WD-EXAMPLE0001     N/A  ada1\n",
     NULL, 0, 0, "glabel status"},
    {"camcontrol", "devlist",
     "<FOO SSD 2TB 40103000>             at scbus0 target 0 lun 0 (pass0,ada0)\n"
     "<AHCI SGPIO Enclosure 1.00 0001>   at scbus6 target 0 lun 0 (ses0,pass1)\n",
     NULL, 0, 0, "camcontrol devlist"},
    {"camcontrol", "devlist -v",
     "scbus0 on ahcich0 bus 0:\n"
     "<FOO SSD 2TB 40103000>             at scbus0 target 0 lun 0 (pass0,ada0)\n"
     "<>                                 at scbus0 target -1 lun ffffffff ()\n",
     NULL, 0, UNPROVEN, "camcontrol devlist -v"},
    {"camcontrol-identify", "identify",
     "pass0: <Example SSD 1TB FW000001> ACS-4 ATA SATA 3.x device\n"
     "pass0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)\n"
     "\n"
     "protocol              ACS-4 ATA SATA 3.x\n"
     "device model          Example SSD 1TB\n"
     "firmware revision     FW000001\n"
     "serial number         EX000000000001\n"
     "sector size           logical 512, physical 4096, offset 0\n"
     "LBA48 supported       1953525168 sectors\n"
     "media RPM             non-rotating\n"
     "\n"
     "Feature                      Support  Enabled   Value           Vendor\n"
     "write cache                    yes\tyes\n"
     "Native Command Queuing (NCQ)   yes\t\t32 tags\n",
     NULL, 0, 0, "camcontrol identify ada0"},
    {"camcontrol-identify", "tags",
     "(pass4:mps0:0:4:0): dev_openings  254\n"
     "(pass4:mps0:0:4:0): dev_active    1\n"
     "(pass4:mps0:0:4:0): maxtags       255\n",
     NULL, 0, UNPROVEN, "camcontrol tags da4 -v"},
    {"nvmecontrol", "devlist",
     " nvme0: Example NVMe 1TB\n"
     "    nvme0ns1 (953869MB)\n",
     NULL, 0, 0, "nvmecontrol devlist"},
    {"nvmecontrol", "namespace",
     "Size:                        1953525168 blocks\n"
     "Capacity:                    1953525168 blocks\n"
     "Number of LBA Formats:       2\n"
     "Current LBA Format:          LBA Format #00\n"
     "IEEE EUI64:                  6479a70000000001\n"
     "LBA Format #00: Data Size:   512  Metadata Size:     0  Performance: Better\n"
     "LBA Format #01: Data Size:  4096  Metadata Size:     0  Performance: Best\n",
     NULL, 0, UNPROVEN, "nvmecontrol identify nvme0ns1"},
    {"geom", "disk list",
     "Geom name: ada0\n"
     "Providers:\n"
     "1. Name: ada0\n"
     "   Mediasize: 1000204886016 (932G)\n"
     "   Sectorsize: 512\n"
     "   Mode: r1w1e2\n"
     "   descr: Example SSD 1TB\n"
     "   ident: EX000000000001\n"
     "   rotationrate: 0\n",
     NULL, 0, UNPROVEN, "geom disk list"},
    {"geom-conf", "text",
     "0 DISK ada0 1000204886016 512 hd 16 sc 63\n"
     "1 PART ada0p1 1000203747328 512 i 1 o 1048576 ty freebsd-zfs xs GPT xt 516e7cba-6ecf-11d6-8ff8-00022d09712b\n"
     "2 LABEL gpt/tank0 1000203747328 512 i 0 o 0\n",
     NULL, 0, 0, "sysctl -n kern.geom.conftxt"},
    {"geom-conf", "XML",
     "<mesh>\n"
     "  <class id=\"0x1\">\n"
     "    <name>DISK</name>\n"
     "    <geom id=\"0x2\">\n"
     "      <class ref=\"0x1\"/>\n"
     "      <name>ada0</name>\n"
     "      <provider id=\"0x3\">\n"
     "        <name>ada0</name>\n"
     "        <mediasize>1000204886016</mediasize>\n"
     "        <config><ident>EX000000000001</ident></config>\n"
     "      </provider>\n"
     "    </geom>\n"
     "  </class>\n"
     "</mesh>\n",
     NULL, 0, 0, "sysctl -b kern.geom.confxml"},
    {"robocopy", "report",
     "   ROBOCOPY     ::     Robust File Copy for Windows\n   Source : \\\\nas\\media\\small\\\n"
     "   Files :      1000      1000         0         0         0         0\n"
     "   Speed :             8221904 Bytes/sec.\n",
     NULL, 0, UNPROVEN, NULL},
    {"diskinfo", "-v",
     "ada1\n\t512         \t# sectorsize\n\t6001175126016\t# mediasize in bytes (5.5T)\n\t11721045168 \t# mediasize in "
     "sectors\n\tEX0000000001\t# Disk ident.\n",
     NULL, 0, UNPROVEN, "diskinfo -v ada1"},
    {"gpart", "show -lp",
     "=>        40  1953525088    ada0  GPT  (932G)\n"
     "          40        2008          - free -  (1.0M)\n"
     "        2048  1953521072  ada0p1  S_EX000000000001  (932G)\n",
     NULL, 0, UNPROVEN, "gpart show -lp"},
    {"gpart", "show",
     "=>       40  167772087  nda0  GPT  (80G)\n"
     "         40     532480     1  efi  (260M)\n"
     "     533544        984        - free -  (492K)\n"
     "     534528  163043295     4  freebsd-zfs  (78G)\n",
     NULL, 0, 0, "gpart show"},
    {"mpsutil", "adapter",
     "mps0 Adapter:\n"
     "       Board Name: SAS9211-8i\n"
     "   Board Assembly: H3-25250-02K\n"
     "        Chip Name: LSISAS2008\n"
     "Firmware Revision: 20.00.07.00\n"
     "      Temperature: Unknown/Unsupported\n"
     "\n"
     "PhyNum  CtlrHandle  DevHandle  Disabled  Speed   Min    Max    Device\n"
     "0       0001        0009       N         6.0     1.5    6.0    SAS Initiator \n"
     "1                              N                 1.5    6.0    SAS Initiator \n",
     NULL, 0, UNPROVEN, "mpsutil show adapter"},
    {"mpsutil", "show all",
     "mps0 Adapter:\n"
     "       Board Name: SAS9211-8i\n"
     "\n"
     "B____T    SAS Address      Handle  Parent    Device        Speed Enc  Slot  Wdt\n"
     "00   02   4433221101000000 000a    0002      SATA Target   6.0   0001 01    1\n",
     NULL, 0, UNPROVEN, "mpsutil show all"},
    {"gstat", "-C",
     "timestamp,name,q-depth,total_ops/s,read/s,read-KiB/s,ms/read,write/s,write-KiB/s,ms/write,%busy\n"
     "2023-03-14 19:30:02.104382911,ada0,1,1303,1288,164864,0.6,15,360,0.3,44.2\n"
     "2023-03-14 19:30:02.104382911,ada1,0,3,2,120,8.6,1,20,4.0,3.1\n",
     NULL, 0, UNPROVEN, "gstat -C -p -I 1s"},
    {"sesutil", "map",
     "ses0:\n"
     "\tEnclosure Name: AHCI SGPIO Enclosure 2.00\n"
     "\tEnclosure ID: 3061686369656d30\n"
     "\tElement 1, Type: Array Device Slot\n"
     "\t\tStatus: OK (0x01 0x00 0x00 0x00)\n"
     "\t\tDescription: Slot 00\n"
     "\t\tDevice Names: ada0,pass0\n",
     NULL, 0, UNPROVEN, "sesutil map"},
    {"glabel", "gmirror",
     "       Name    Status  Components\n"
     "mirror/gm0  DEGRADED  ada0p3 (ACTIVE)\n"
     "                      ada1p3 (SYNCHRONIZING, 12%)\n",
     NULL, 0, UNPROVEN, "gmirror status"},
    {"gstat", "-bdo",
     "dT: 1.007s  w: 1.000s\n"
     " L(q)  ops/s    r/s   kBps   ms/r    w/s   kBps   ms/w    d/s   kBps   ms/d    o/s   ms/o   %busy Name\n"
     "    1   1303   1288 164864    0.6     15    360    0.3      0      0    0.0      0    0.0    44.2  ada0\n"
     "    0      3      2    120    8.6      1     20    4.0      0      0    0.0      0    0.0     3.1  ada1\n",
     NULL, 0, UNPROVEN, "gstat -bdo"},

    /* ---- lists of devices */
    {"lsusb", "list",
     "Bus 002 Device 003: ID 174c:55aa ASMedia Technology Inc. ASM1051E SATA 6Gb/s bridge\n"
     "Bus 002 Device 001: ID 1d6b:0003 Linux Foundation 3.0 root hub\n",
     NULL, 0, UNPROVEN, "lsusb"},
    {"lsusb", "-t",
     "/:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M\n"
     "    |__ Port 3: Dev 3, If 0, Class=Mass Storage, Driver=uas, 5000M\n",
     NULL, 0, UNPROVEN, "lsusb -t"},
    {"usbconfig", "list",
     "ugen0.1: <Intel XHCI root HUB> at usbus0, cfg=0 md=HOST spd=SUPER (5.0Gbps) pwr=SAVE (0mA)\n"
     "ugen0.5: <ASMT 2115> at usbus0, cfg=0 md=HOST spd=SUPER (5.0Gbps) pwr=ON (144mA)\n",
     NULL, 0, UNPROVEN, "usbconfig list"},
    {"lsscsi", "-g",
     "[0:0:0:0]    disk    EXAMPLE  LOGICAL VOLUME   5.14  /dev/sda   /dev/sg1 \n"
     "[0:3:0:0]    storage EXAMPLE  P410i            5.14  -          /dev/sg0 \n",
     NULL, 0, 0, "lsscsi -g"},
    {"lsscsi", "-t -L",
     "[2:0:0:0]    disk    sata:50014ee2b1234567           /dev/sdb \n"
     "  device_blocked=0\n"
     "  queue_depth=31\n"
     "  state=running\n"
     "  timeout=30\n",
     NULL, 0, 0, "lsscsi -t -L"},
    {"blkid", "rows",
     "/dev/sda1: LABEL=\"storage\" UUID=\"13402870331\" UUID_SUB=\"77\" TYPE=\"zfs_member\" "
     "PARTUUID=\"744589e8-5711-4750-9984-c34d66f93879\"\n"
     "/dev/mapper/vg-root: UUID=\"07d718ef-950c-4e5b-98e0-42a1147b77d9\" TYPE=\"xfs\" \n",
     NULL, 0, 0, "blkid"},
    {"proc-scsi", "list",
     "Attached devices:\n"
     "Host: scsi4 Channel: 00 Id: 02 Lun: 01\n"
     "  Vendor: EXAMPLE  Model: ST9146803SS      Rev: B53C\n"
     "  Type:   Direct-Access                    ANSI  SCSI revision: 05\n",
     NULL, 0, 0, "cat /proc/scsi/scsi"},
    {"smartctl-scan", "text",
     "/dev/sda -d sat # /dev/sda [SAT], ATA device\n"
     "/dev/nvme0 -d nvme # /dev/nvme0, NVMe device\n",
     NULL, 0, 0, "smartctl --scan"},
    {"smartctl-scan", "JSON",
     "{\n"
     "  \"json_format_version\": [1, 0],\n"
     "  \"smartctl\": {\"version\": [7, 4], \"platform_info\": \"x86_64-linux\", \"argv\": [\"smartctl\", \"--scan\", "
     "\"--json\"], \"exit_status\": 0},\n"
     "  \"devices\": [ {\"name\": \"/dev/sda\", \"info_name\": \"/dev/sda [SAT]\", \"type\": \"sat\", \"protocol\": "
     "\"ATA\"} ]\n"
     "}\n",
     NULL, 0, JSON, "smartctl --scan --json"},
    {"smart-typed", "two drives",
     "sdb  EXAMPLE4000NM01, backups\n"
     "  SMART overall-health self-assessment test result: PASSED\n"
     "  5 Reallocated_Sector_Ct    12   (norm 100/100, thr 10)\n"
     "  197 Current_Pending_Sector: 8\n"
     "sdc  EXAMPLE4000NM01, media\n"
     "  197 Current_Pending_Sector: 0\n"
     "  199 UDMA_CRC_Error_Count: 0\n",
     NULL, 0, 0, NULL},
    {"smartd-mail", "pending sectors",
     "This message was generated by the smartd daemon running on:\n"
     "\n"
     "   host name:  nas\n"
     "   DNS domain: lan\n"
     "\n"
     "The following warning/error was logged by the smartd daemon:\n"
     "\n"
     "Device: /dev/sda [SAT], 8 Currently unreadable (pending) sectors\n"
     "\n"
     "Device info:\n"
     "EXAMPLE HDD 4TB, S/N:EX0001, WWN:5-0014ee-2b1234567, FW:82.00A82, 4.00 TB\n"
     "\n"
     "For details see host's SYSLOG.\n",
     NULL, 0, UNPROVEN, "cat /var/mail/root"},
    {"lshw", "-class storage",
     "  *-sata\n"
     "       description: SATA controller\n"
     "       product: EXAMPLE AHCI\n"
     "       bus info: pci@0000:00:17.0\n"
     "       configuration: driver=ahci latency=0\n"
     "     *-disk\n"
     "          description: ATA Disk\n"
     "          product: EXAMPLE SSD\n"
     "          logical name: /dev/sda\n",
     NULL, 0, 0, "lshw -class storage -class disk"},
    {"lshw", "JSON",
     "{\n"
     "  \"id\" : \"disk\", \"class\" : \"disk\", \"claimed\" : true, \"description\" : \"ATA Disk\",\n"
     "  \"physid\" : \"0.0.0\", \"logicalname\" : \"/dev/sda\", \"serial\" : \"EX0001\"\n"
     "}\n",
     NULL, 0, JSON, "lshw -json -class disk"},

    /* ---- host */
    {"host-info", "uname", NULL, F "microserver-write-cache/bundle-before/uname.out", 0, UNPROVEN, "uname -a"},
    {"host-info", "os-release", NULL, F "microserver-write-cache/bundle-before/os.out", 10, UNPROVEN,
     "cat /etc/os-release"},
    {"host-info", "meminfo", NULL, F "microserver-write-cache/bundle-before/meminfo.out", 0, UNPROVEN,
     "cat /proc/meminfo"},
    {"list-timers", "of a server", NULL, F "microserver-write-cache/bundle-before/timers.out", 0, 0,
     "systemctl list-timers"},
    {"crontab", "grep over the system's",
     "/etc/crontab:SHELL=/bin/sh\n"
     "/etc/crontab:25 6\t* * *\troot\ttest -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }\n"
     "/etc/cron.d/mdadm:57 0 * * 0 root if [ -x /usr/share/mdadm/checkarray ] && [ $(date +\\%d) -le 7 ]; then "
     "/usr/share/mdadm/checkarray --cron --all --idle --quiet; fi\n",
     NULL, 0, 0, "grep -rs . /etc/crontab /etc/cron.d"},
    {"crontab", "of a user",
     "# m h  dom mon dow   command\n"
     "0 3 * * * /usr/local/bin/backup.sh\n"
     "@weekly restic prune\n",
     NULL, 0, 0, "crontab -l"},
    {"task-list", "Proxmox VE",
     "| UPID                                                    | Type   | ID  | User     | Starttime  | Endtime    | "
     "Status |\n"
     "| UPID:pve:0001A2B3:02F1C3D4:664F0A10:vzdump:101:root@pam: | vzdump | 101 | root@pam | 1716455952 | 1716457801 | "
     "OK     |\n",
     NULL, 0, 0, "pvenode task list"},
    {"task-list", "Proxmox Backup Server",
     "| starttime                | endtime | upid                                                                      "
     " "
     "  | status  |\n"
     "| Thu May 23 03:00:00 2024 |         | "
     "UPID:pbs:00000A1B:00000C2D:00000005:664E9430:garbage_collection:store1:root@pam: | running |\n",
     NULL, 0, 0, "proxmox-backup-manager task list"},
    {"pbs-task-log", "garbage collection",
     "2024-05-23T03:00:00+02:00: starting garbage collection on store store1\n"
     "2024-05-23T03:00:00+02:00: Start GC phase1 (mark used chunks)\n"
     "2024-05-23T05:12:44+02:00: marked 50% (206 of 412 index files)\n"
     "2024-05-23T09:40:02+02:00: TASK OK\n",
     NULL, 0, 0, "proxmox-backup-manager task log UPID:pbs:00000A1B:garbage_collection"},
    {"storage-config", "storage.cfg",
     "lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\n"
     "pbs: vault\n\tdatastore store1\n\tserver 192.0.2.7\n\tcontent backup\n",
     NULL, 0, 0, "cat /etc/pve/storage.cfg"},
    {"storage-config", "datastore.cfg", "datastore: store1\n\tgc-schedule daily\n\tpath /mnt/datastore/store1\n", NULL,
     0, 0, "cat /etc/proxmox-backup/datastore.cfg"},
    {"swaps", "/proc/swaps",
     "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
     "/dev/sda3                               partition\t8388604\t\t1234567\t\t-2\n",
     NULL, 0, 0, "cat /proc/swaps"},
    {"swaps", "swapon", "NAME      TYPE      SIZE USED PRIO\n/dev/zd16 partition   8G 2.1G   -2\n", NULL, 0, 0,
     "swapon --show"},
    {"swaps", "FreeBSD",
     "Device          1K-blocks     Used    Avail Capacity\n"
     "/dev/ada0p3       4194304   524288  3670016    13%\n",
     NULL, 0, 0, "swapinfo -k"},
    {"pveperf", "of a host",
     "CPU BOGOMIPS:      57471.52\nREGEX/SECOND:      3824412\nHD SIZE:           64.27 GB (/dev/mapper/pve-root)\n"
     "BUFFERED READS:    239.96 MB/sec\nAVERAGE SEEK TIME: 0.24 ms\nFSYNCS/SECOND:     691.50\n"
     "DNS EXT:           54.79 ms\n",
     NULL, 0, 0, "pveperf"},
    {"host-info", "command line", NULL, F "microserver-write-cache/bundle-before/cmdline.out", 0, UNPROVEN,
     "cat /proc/cmdline"},
    {"host-info", "uptime", " 13:02:10 up 3:49,  2 users,  load average: 12.31, 11.80, 9.12\n", NULL, 0, UNPROVEN,
     "uptime"},

    /* ---- manifest */
    {"manifest", "collector's", NULL, F "microserver-write-cache/bundle-before/manifest.tsv", 0, 0, "cat manifest.tsv"},
};
const size_t tool_sample_count = sizeof tool_samples / sizeof *tool_samples;
