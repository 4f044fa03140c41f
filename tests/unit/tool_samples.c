#include "tool_samples.h"

#define F "fixtures/"

const Sample tool_samples[] = {
    /* ---- kernel log */
    {"kernel-log", "dmesg", NULL, F "microserver-write-cache/bundle-before/dmesg.out", 40, 0, "dmesg"},
    {"kernel-log", "dmesg, start cut off", NULL, F "wrapped-log-sysfs-only/bundle-off/dmesg.out", 40, 0, "dmesg"},
    {"kernel-log", "syslog",
     "Sep 13 09:12:31 nas kernel: [    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "Sep 13 09:12:31 nas kernel: [    1.845120] ata3.00: ATA-11: FOO SSD 2TB, 40103000, max UDMA/133\n"
     "Sep 13 09:12:32 nas kernel: [    1.846133] sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA\n",
     NULL, 0, 0, "cat /var/log/kern.log"},
    {"kernel-log", "journal",
     "Sep 13 09:12:31.482731 nas kernel: ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "Sep 13 09:12:31.482742 nas kernel: ata3.00: configured for UDMA/133\n",
     NULL, 0, 0, "journalctl -k -b -o short-precise"},
    {"kernel-log", "journal, ISO dates",
     "2025-09-13T09:12:31+0200 nas kernel: ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
     "2025-09-13T09:12:31+0200 nas kernel: ata3.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
     "2025-09-13T09:12:31+0200 nas kernel: ata3.00: failed command: WRITE FPDMA QUEUED\n",
     NULL, 0, 0, "journalctl -k -o short-iso"},
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
    {"iostat", "-xt with its banner", NULL, F "datacentre-ssd-plp-off-by-design/bundle-off/samples/iostat.out", 20, 0, "iostat -dxmt 1 61"},
    {"iostat", "decimal commas", NULL, F "nas-mirrors-hdd-german/bundle-aus/nas4/stat/iostat-xt.txt", 26, 0, "iostat -xt"},
    {"iostat", "table alone",
     "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n"
     "sda              0.40   88.20      9.00   2040.00     0.00     1.00   0.00  32.26    0.30   61.90   5.40    22.50    23.12   2.00  98.50\n"
     "sdb              0.40   88.10      9.00   2040.00     0.00     1.00   0.00  32.26    0.30   60.90   5.38    22.50    23.12   2.00  97.50\n",
     NULL, 0, 0, "iostat -dx"},
    {"iostat", "CPU first",
     "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
     "           4.00    0.00    2.00   24.20    0.00   69.80\n"
     "\n"
     "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n"
     "sda              12.10       410.00      7010.00         0.00     410123    7010456          0\n",
     NULL, 0, 0, "iostat"},
    {"iostat", "old table",
     "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\n"
     "sda               0.00     3.00    1.00   55.00    16.00   880.00    32.00     4.10   73.00    9.00   74.00  17.00  95.00\n",
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
     "\t\t\t\t\t\t{\"disk_device\": \"sda\", \"r/s\": 0.40, \"w/s\": 88.20, \"rkB/s\": 9.00, \"wkB/s\": 2040.00, \"r_await\": 0.30, \"w_await\": 61.90, \"aqu-sz\": 5.40, "
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
     NULL, 0, 0, "iostat -x 1"},

    /* ---- zpool iostat */
    {"zpool-iostat", "-vl", NULL, F "microserver-write-cache/bundle-before/samples/zpool_iostat.out", 0, 0, "zpool iostat -vly 1"},
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
     NULL, 0, STAMPED, "zpool iostat -T u 1"},
    {"zpool-iostat", "-w",
     "storage      total_wait     disk_wait    syncq_wait    asyncq_wait\n"
     "latency      read  write   read  write   read  write   read  write  scrub   trim\n"
     "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
     "1ns             0      0      0      0      0      0      0      0      0      0\n"
     "524us          12      3     12      3      0      0      0      3      0      0\n"
     "67ms            0    310      0    290      0      1      0     44      0      0\n"
     "--------------------------------------------------------------------------------\n",
     NULL, 0, 0, "zpool iostat -w storage"},

    /* ---- zpool status */
    {"zpool-status", "one pool", NULL, F "microserver-write-cache/bundle-before/zpool_status.out", 0, 0, "zpool status -t"},
    {"zpool-status", "two pools", NULL, F "two-controllers-one-off/bundle-off/zpool_status.out", 0, 0, "zpool status"},
    {"zpool-status", "-x", "all pools are healthy\n", NULL, 0, 0, "zpool status -x"},
    {"zpool-status", "no pools", "no pools available\n", NULL, 0, 0, "zpool status"},
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
     "{\"output_version\":{\"command\":\"zpool status\",\"vers_major\":0,\"vers_minor\":1},\"pools\":{\"tank\":{\"name\":\"tank\",\"state\":\"ONLINE\",\"pool_guid\":"
     "\"4521905184012345678\",\"error_count\":\"0\",\"vdevs\":{\"tank\":{\"name\":\"tank\",\"vdev_type\":\"root\",\"guid\":\"4521905184012345678\",\"state\":\"ONLINE\","
     "\"read_errors\":\"0\",\"write_errors\":\"0\",\"checksum_errors\":\"0\",\"vdevs\":{\"sda\":{\"name\":\"sda\",\"vdev_type\":\"disk\",\"guid\":\"88012345678901234\","
     "\"path\":\"/dev/sda1\",\"state\":\"ONLINE\",\"read_errors\":\"0\",\"write_errors\":\"0\",\"checksum_errors\":\"0\"}}}}}}}\n",
     NULL, 0, JSON, "zpool status -j"},

    /* ---- zpool list and get */
    {"zpool-get", "list", NULL, F "microserver-write-cache/bundle-before/zpool_list.out", 0, 0, "zpool list"},
    {"zpool-get", "get", NULL, F "microserver-write-cache/bundle-before/zpool_get.out", 0, 0, "zpool get autotrim"},

    /* ---- smartctl */
    {"smartctl", "ATA", NULL, F "microserver-write-cache/bundle-before/drives/smart_sdb.out", 0, 0, "smartctl -x /dev/sdb"},
    {"smartctl", "SAS", NULL, F "sas-hba-raidz2/bundle-off/drives/smart_sda.out", 0, 0, "smartctl -x /dev/sda"},
    {"smartctl", "JSON", NULL, F "microserver-write-cache/bundle-before/drives/smart_sda.out", 0, JSON, "smartctl -x -j /dev/sda"},
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
    {"nvme-cli", "smart-log", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_smart_nvme0.out", 0, 0, "nvme smart-log /dev/nvme0"},
    {"nvme-cli", "id-ctrl", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_id_ctrl_nvme0.out", 0, 0, "nvme id-ctrl /dev/nvme0"},
    {"nvme-cli", "get-feature", NULL, F "workstation-nvme-vwc-off/bundle-off/drives/nvme_feature6_nvme0.out", 0, 0, "nvme get-feature -f 6 -H /dev/nvme0"},
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
    {"hdparm", "-W", NULL, F "microserver-write-cache/bundle-before/drives/hdparm_sda.out", 0, 0, "hdparm -W /dev/sda"},
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
     NULL, 0, 0, "hdparm -tT /dev/sda"},

    /* ---- by-id */
    {"by-id", "folders", NULL, F "microserver-write-cache/bundle-before/byid.out", 0, 0, "ls -l /dev/disk/by-id"},
    {"by-id", "links alone",
     "lrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-FOO_SSD_2TB_1234ABCD5678 -> ../../sda\n"
     "lrwxrwxrwx 1 root root 10 Sep 13 09:12 ata-FOO_SSD_2TB_1234ABCD5678-part1 -> ../../sda1\n"
     "lrwxrwxrwx 1 root root  9 Sep 13 09:12 wwn-0x5001b448b5a1c0d1 -> ../../sda\n",
     NULL, 0, 0, "ls -l /dev/disk/by-id"},

    /* ---- pressure */
    {"pressure", "grep", NULL, F "microserver-write-cache/bundle-before/pressure0.out", 0, 0, "grep . /proc/pressure/*"},
    {"pressure", "cat",
     "some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714\n"
     "full avg10=66.14 avg60=63.90 avg300=57.21 total=44018220981\n",
     NULL, 0, 0, "cat /proc/pressure/io"},

    /* ---- DMI */
    {"dmi", "sysfs", NULL, F "microserver-write-cache/bundle-before/dmi.out", 0, 0, "grep -s . /sys/class/dmi/id/*"},
    {"dmi", "dmidecode", NULL, F "microserver-write-cache/bundle-before/dmidecode.out", 0, 0, "dmidecode -t system"},

    /* ---- sysfs */
    {"sysfs", "collected", NULL, F "microserver-write-cache/bundle-before/sysfs.txt", 60, 0, "grep -s . /sys/block/*/queue/*"},
    {"sysfs", "grep",
     "/sys/block/sda/queue/rotational:0\n"
     "/sys/block/sda/queue/write_cache:write through\n"
     "/sys/block/sda/device/queue_depth:32\n",
     NULL, 0, 0, "grep -s . /sys/block/sda/queue/rotational /sys/block/sda/queue/write_cache"},

    /* ---- mounts */
    {"mounts", "mountinfo", NULL, F "microserver-write-cache/bundle-before/mounts.out", 0, 0, "cat /proc/self/mountinfo"},
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
     NULL, 0, 0, "df -hT"},
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
     NULL, 0, 0, "dd if=/dev/shm/rnd of=/storage/bench/seq.bin bs=1M conv=fsync"},
    {"dd", "with its command",
     "dd if=/dev/zero of=/tank/test bs=1M count=1024 conv=fdatasync\n"
     "1024+0 records in\n"
     "1024+0 records out\n"
     "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.01 s, 534 MB/s\n",
     NULL, 0, 0, "sh bench.sh"},
    {"dd", "FreeBSD",
     "1024+0 records in\n"
     "1024+0 records out\n"
     "1073741824 bytes transferred in 10.512341 secs (102141003 bytes/sec)\n",
     NULL, 0, 0, "dd if=/dev/random of=/tank/test bs=1m count=1024"},

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
     NULL, 0, 0, "mdadm --detail --scan"},
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
     NULL, 0, 0, "vmstat -s"},
    {"vmstat", "FreeBSD",
     "procs    memory    page                      disks       faults       cpu\n"
     "r  b  w  avm  fre  flt  re  pi  po   fr   sr ada0 ada1   in   sy   cs us sy id\n"
     "0  2  0 512M 1.2G  123   0   0   0  200    5   40   41   20  300  400  1  3 96\n",
     NULL, 0, 0, "vmstat 1"},
    {"pidstat", "-d",
     "12:00:00 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
     "12:00:01 AM     0       395      0.00      7.92      0.00       0  jbd2/sda1-8\n"
     "12:00:01 AM  1000      2211      4.00   9120.50      0.00      61  rsync\n",
     NULL, 0, 0, "pidstat -d 1"},
    {"pidstat", "-dlh",
     "# Time        UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
     "1719828001      0       395      0.00      7.92      0.00       0  [jbd2/sda1-8]\n"
     "1719828001   1000      2211      4.00   9120.50      0.00      61  /usr/bin/rsync -a /data /backup\n",
     NULL, 0, 0, "pidstat -dlh 1 1"},
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
     "randwrite: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=16\n"
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
     "  WRITE: bw=1251KiB/s (1281kB/s), 1251KiB/s-1251KiB/s (1281kB/s-1281kB/s), io=36.7MiB (38.5MB), run=30042-30042msec\n"
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
     "      \"write\" : {\"io_bytes\" : 8589934592, \"io_kbytes\" : 8388608, \"bw_bytes\" : 161000000, \"iops\" : 153.5, \"runtime\" : 53353}\n"
     "    }\n"
     "  ]\n"
     "}\n",
     NULL, 0, JSON, "fio --output-format=json job.fio"},

    /* ---- host */
    {"host-info", "uname", NULL, F "microserver-write-cache/bundle-before/uname.out", 0, 0, "uname -a"},
    {"host-info", "os-release", NULL, F "microserver-write-cache/bundle-before/os.out", 10, 0, "cat /etc/os-release"},
    {"host-info", "meminfo", NULL, F "microserver-write-cache/bundle-before/meminfo.out", 0, 0, "cat /proc/meminfo"},
    {"host-info", "timers", NULL, F "microserver-write-cache/bundle-before/timers.out", 0, 0, "systemctl list-timers"},
    {"host-info", "command line", NULL, F "microserver-write-cache/bundle-before/cmdline.out", 0, 0, "cat /proc/cmdline"},
    {"host-info", "uptime", " 13:02:10 up 3:49,  2 users,  load average: 12.31, 11.80, 9.12\n", NULL, 0, 0, "uptime"},

    /* ---- manifest */
    {"manifest", "collector's", NULL, F "microserver-write-cache/bundle-before/manifest.tsv", 0, 0, "cat manifest.tsv"},
};
const size_t tool_sample_count = sizeof tool_samples / sizeof *tool_samples;
