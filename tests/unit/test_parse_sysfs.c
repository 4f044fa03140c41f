/* sysfs: the containers an attribute comes in, the places of device paths, links, IDENTIFY words. */
#include "device_test.h"

#include <stdio.h>

extern const Parser parser_sysfs;

#define MD                                                                                                             \
    "/sys/block/md0/md/level:raid5\n/sys/block/md0/md/array_state:clean\n/sys/block/md0/md/sync_action:recover\n"      \
    "/sys/block/md0/md/raid_disks:4\n/sys/block/md0/md/degraded:1\n/sys/block/md0/md/mismatch_cnt:128\n"               \
    "/sys/block/md0/md/last_sync_action:check\n/sys/block/md0/md/stripe_cache_size:256\n"                              \
    "/sys/block/md0/md/dev-sdb1/state:in_sync,write_mostly\n/sys/block/md0/md/dev-sdb1/errors:17\n"                    \
    "/sys/block/md0/md/dev-sdc1/state:faulty,write_error\n/sys/block/md0/md/dev-sdb1/bad_blocks:3392 8\n"              \
    "/sys/block/md127/md/metadata_version:external:imsm\n/sys/block/md127/md/array_state:inactive\n"                   \
    "/sys/block/md127/md/raid_disks:0\n/sys/block/md0/md/sync_completed:250 / 1000\n"                                  \
    "/sys/block/md5/md/array_state:clear\n"

static const DeviceCase cases[] = {
    {"bcache", NULL, NULL,
     "/sys/block/bcache0/bcache/state:dirty\n/sys/block/bcache0/bcache/cache_mode:writethrough [writeback] writearound "
     "none\n/sys/block/bcache0/bcache/dirty_data:1.5G\n/sys/block/bcache0/bcache/sequential_cutoff:4.0M\n"
     "/sys/block/bcache0/bcache/stats_total/cache_hit_ratio:12\n/sys/block/nvme0n1/nvme0n1p1/bcache/io_errors:3\n"
     "/sys/fs/bcache/4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71/congested_write_threshold_us:20000\n",
     ALL_SETTINGS,
     "bcache0 bcache_state=dirty kernel 1; bcache0 bcache_mode=writeback kernel 2; bcache0 "
     "bcache_dirty_bytes=1610612736 kernel 3; bcache0 bcache_sequential_cutoff_bytes=4194304 kernel 4; bcache0 "
     "bcache_hit_pct=12 kernel 5; nvme0n1p1 bcache_io_errors=3 kernel 6; host bcache_write_congested_us=20000 kernel "
     "7"},
    {"grep listing", NULL, NULL,
     "/sys/block/sda/queue/write_cache:write through\n/sys/block/sdb/queue/write_cache:write "
     "back\n/sys/block/sda/queue/scheduler:none [mq-deadline] "
     "kyber\n/sys/block/sda/size:3907029168\n/sys/block/sda/device/queue_depth:32\n",
     ALL_SETTINGS,
     "sda write_cache=off kernel 1; sdb write_cache=on kernel 2; sda scheduler=mq-deadline kernel 3; sda "
     "size_bytes=2000398934016 kernel 4; sda queue_depth=32 kernel 5"},
    {"where a partition starts", NULL, NULL, "/sys/block/sda/sda1/start:2048\n/sys/block/sda/sda2/start:x\n",
     ALL_SETTINGS, "sda1 start_bytes=1048576 kernel 1"},
    {"a colon in the path and one before the value", NULL, NULL,
     "/sys/block/sda/device/scsi_disk/2:0:0:0/cache_type:write back\n/sys/class/scsi_disk/3:0:0:0/cache_type:write "
     "through\n",
     ALL_SETTINGS, "2:0:0:0 write_cache=on kernel 1; 3:0:0:0 write_cache=off kernel 2"},
    {"the place of a SATA disk", NULL, NULL,
     "/sys/block/sda\t/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda\n", ALL_SETTINGS,
     "sda pci=0000:00:17.0 kernel 1; sda hctl=2:0:0:0 kernel 1; sda ata_port=ata3 kernel 1; sda ata_dev=00 kernel 1"},
    {"names of a SATA disk", NULL, NULL,
     "sda -> ../devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda\n", ALL_SAME,
     "scsi:2:0:0:0=disk:sda; ata:ata3.00=disk:sda; scsihost:host2=ata:ata3"},
    {"slave on an IDE channel", NULL, NULL,
     "/sys/block/sdb -> ../devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:1/0:0:1:0/block/sdb\n",
     SETTING_OF("sdb", "ata_dev"), "01"},
    {"behind a port multiplier", NULL, NULL,
     "/sys/block/sdb -> ../devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:3:0/0:3:0:0/block/sdb\n",
     SETTING_OF("sdb", "ata_dev"), "03"},
    {"ls -l /sys/block", NULL, NULL,
     "total 0\nlrwxrwxrwx 1 root root 0 Jul  1 12:00 nvme0n1 -> "
     "../devices/pci0000:00/0000:00:06.0/0000:04:00.0/nvme/nvme0/nvme0n1\n",
     ALL_SAME, "disk:nvme0=disk:nvme0n1"},
    {"USB disk with its bridge", NULL, NULL,
     "/sys/block/sde\t/sys/devices/pci0000:00/0000:00:14.0/usb2/2-5/2-5:1.0/host6/target6:0:0/6:0:0:0/block/sde\n/sys/"
     "bus/usb/devices/2-5/idVendor\t174c\n/sys/bus/usb/devices/2-5/idProduct\t55aa\n"
     "/sys/bus/usb/devices/2-5:1.0/driver\t/sys/bus/usb/drivers/uas\n/sys/bus/usb/devices/2-5/speed\t5000\n",
     ALL_SETTINGS,
     "sde pci=0000:00:14.0 kernel 1; sde hctl=6:0:0:0 kernel 1; sde transport=usb kernel 1; sde port=2-5 kernel 1; 2-5 "
     "link_gbps=5 kernel 5; sde usb_driver=uas kernel 4; sde usb_id=174c:55aa kernel 3; sde link_gbps=5 kernel 5"},
    {"attributes of devices paths", NULL, NULL,
     "/sys/devices/pci0000:00/0000:00:06.0/0000:04:00.0/nvme/nvme0/nvme0n1/eui:00 25 38 bc 21 b1 56 "
     "01\n/sys/devices/pci0000:00/0000:00:06.0/0000:04:00.0/nvme/nvme0/model:EXAMPLE NVME          \n",
     ALL_SETTINGS,
     "nvme0n1 transport=nvme kernel 1; nvme0n1 pci=0000:04:00.0 kernel 1; nvme0n1 eui=002538bc21b15601 kernel 1; nvme0 "
     "model=EXAMPLE NVME kernel 2"},
    {"SATA links", NULL, NULL,
     "/sys/class/ata_link/link3/sata_spd\t3.0 "
     "Gbps\n/sys/class/ata_link/link3/sata_spd_limit\t<unknown>\n/sys/class/ata_link/link3/hw_sata_spd_limit\t6.0 "
     "Gbps\n/sys/class/ata_device/dev3.0/spdn_cnt\t2\n",
     ALL_SETTINGS, "ata3 link_gbps=3 kernel 1; ata3 port_max_gbps=6 kernel 3; ata3.00 spdn_cnt=2 kernel 4"},
    {"a port without a drive", NULL, NULL,
     "/sys/class/ata_device/dev6.0/class\tnone\n/sys/class/ata_device/dev6.0/spdn_cnt\t0\n"
     "/sys/class/ata_device/dev7.0/class\tata\n/sys/class/ata_device/dev7.0/spdn_cnt\t0\n",
     ALL_SETTINGS, "ata7.00 spdn_cnt=0 kernel 4"},
    {"link power management, port number", NULL, NULL,
     "/sys/class/scsi_host/host2/link_power_management_policy\tmed_power_with_dipm\n/sys/class/ata_port/ata3/"
     "port_no\t3\n",
     ALL_SETTINGS, "host2 lpm_policy=med_power_with_dipm kernel 1; ata3 port=3 kernel 2"},
    {"a file of its own", "host/sos/sys/block/sda/queue/write_cache", NULL, "write through\n", ALL_SETTINGS,
     "sda write_cache=off kernel 1"},
    {"cat with names in braces", NULL, "cat /sys/block/{sda,sdb}/queue/write_cache", "write through\nwrite back\n",
     ALL_SETTINGS, "sda write_cache=off kernel 1; sdb write_cache=on kernel 2"},
    {"tail", NULL, NULL, "==> /sys/block/sda/queue/rotational <==\n0\n\n==> /sys/block/sdb/queue/rotational <==\n1\n",
     ALL_SETTINGS, "sda rotational=0 kernel 2; sdb rotational=1 kernel 5"},
    {"identifiers", NULL, NULL,
     "/sys/block/sda/device/wwid:naa.5001b448b7c10458\n/sys/block/sdb/device/wwid:t10.ATA     EXAMPLE SSD     "
     "EX0001\n/sys/block/nvme0n1/wwid:eui.00000000000000000025385b81b1c1ec\n",
     ALL_SETTINGS, "sda wwn=5001b448b7c10458 kernel 1; nvme0n1 nguid=00000000000000000025385b81b1c1ec kernel 3"},
    {"error counters in hex", NULL, NULL, "/sys/block/sda/device/ioerr_cnt:0x1a\n",
     "SELECT name||' '||kind||' '||value||' '||raw FROM counter", "ioerr_cnt sysfs 26.0 0x1a"},
    {"md: the array", NULL, NULL, MD,
     "SELECT group_concat(name||' '||kind||' '||coalesce(level,'?')||' '||state||' '||coalesce(raid_disks,'?')||'/'||"
     "coalesce(active_disks,'?')||' '||coalesce(sync_action,'?')||' '||coalesce(sync_pct,'-')||' '||line, '; ') FROM "
     "raid_array",
     "md0 md raid5 clean 4/3 recovery 25.0 3; md127 md container inactive ?/? ? - 14"},
    {"md: settings", NULL, NULL, MD, ALL_SETTINGS,
     "md0 md_mismatch_cnt=128 kernel 6; md0 md_last_sync_action=check kernel 7; md0 md_stripe_cache_size=256 kernel 8; "
     "sdb1 md_member_state=in use kernel 9; sdb1 md_member_flags=write-mostly kernel 9; sdc1 md_member_state=faulty "
     "kernel 11; sdb1 md_bad_blocks=1 kernel 12; sdb1 md_bad_block_range=3392+8 kernel 12; md127 md_metadata=external "
     "kernel 13; md127 md_external=imsm kernel 13"},
    {"md: read errors", NULL, NULL, MD, "SELECT name||' '||value||' '||line FROM counter", "md_read_errors 17.0 10"},
    {"md: members", NULL, NULL, MD, ALL_EDGES, "disk:sdb1>disk:md0; disk:sdc1>disk:md0"},
    {"PCI function", NULL, NULL,
     "/sys/bus/pci/devices/0000:04:00.0/class\t0x010802\n/sys/bus/pci/devices/0000:04:00.0/vendor\t0x144d\n/sys/bus/"
     "pci/devices/0000:04:00.0/current_link_speed\t8.0 GT/s PCIe\n/sys/bus/pci/devices/0000:04:00.0/max_link_width\t4\n"
     "/sys/bus/pci/devices/0000:04:00.0\t/sys/devices/pci0000:00/0000:00:06.0/0000:04:00.0\n/sys/bus/pci/devices/"
     "0000:04:00.0/driver\t/sys/bus/pci/drivers/nvme\n",
     "SELECT bdf||' '||class_code||' '||prog_if||' '||vendor_id||' '||driver||' '||upstream_bdf||' '||lnksta_gtps||' "
     "'||lnkcap_width||' '||line FROM pci_device WHERE class_code IS NOT NULL",
     "0000:04:00.0 0108 02 144d nvme 0000:00:06.0 8.0 4 1"},
    {"NVMe link below the controller's name", NULL, NULL,
     "/sys/class/nvme/nvme0/address\t0000:04:00.0\n/sys/class/nvme/nvme0/device/current_link_width\t2\n/sys/class/nvme/"
     "nvme0/device/max_link_width\t4\n",
     "SELECT bdf||' '||lnksta_width||' '||lnkcap_width FROM pci_device", "0000:04:00.0 2 4"},
    {"AER: what happened, and the total", NULL, NULL,
     "/sys/bus/pci/devices/0000:04:00.0/aer_dev_correctable\tRxErr 12 BadTLP 0 TOTAL_ERR_COR 12\n",
     "SELECT group_concat(name||'='||value) FROM counter",
     "aer_dev_correctable_RxErr=12.0,aer_dev_correctable_TOTAL_ERR_COR=12.0"},
    {"device mapper and partitions", NULL, NULL,
     "/sys/block/dm-0/dm/name:vg0-root\n/sys/block/dm-0/dm/uuid:LVM-abc\n/sys/block/dm-0/slaves/sda2:\n/sys/block/sda/"
     "sda2/partition:2\n",
     ALL_EDGES, "disk:sda2>disk:dm-0; disk:sda>disk:sda2"},
    {"SAS phy", NULL, NULL,
     "/sys/class/sas_phy/phy-0:3/negotiated_linkrate\t6.0 Gbit\n/sys/class/sas_phy/phy-0:3/invalid_dword_count\t9\n",
     "SELECT group_concat(r.name||' '||c.name||' '||c.id||' '||c.value, '; ') FROM counter c JOIN ref r ON r.id = "
     "c.node",
     "host0 negotiated_linkrate 3 6.0; host0 invalid_dword_count 3 9.0"},
    {"phy of an expander", NULL, NULL, "/sys/class/sas_phy/phy-0:1:12/invalid_dword_count\t7\n",
     "SELECT group_concat(r.name||' '||c.name||' '||c.id||' '||c.value, '; ') FROM counter c JOIN ref r ON r.id = "
     "c.node",
     "host0 expander-0:1/invalid_dword_count 12 7.0"},
    {"memory controller and clock", NULL, NULL,
     "/sys/devices/system/edac/mc/mc0/ce_count:3\n/sys/devices/system/edac/mc/mc0/csrow0/ce_count:3\n"
     "/sys/devices/system/clocksource/clocksource0/current_clocksource:tsc\n",
     "SELECT group_concat(x, '; ') FROM (SELECT r.name||' '||c.kind||' '||c.name||' '||c.raw||' '||c.value AS x FROM "
     "counter c JOIN ref r ON r.id = c.node UNION ALL SELECT r.name||' '||s.key||' '||s.value FROM setting s JOIN ref "
     "r "
     "ON r.id = s.node)",
     "host edac ce_count mc0 3.0; host clocksource tsc"},
    {"enclosure slot", NULL, NULL,
     "/sys/class/enclosure/0:0:20:0/Slot "
     "03/device\t/sys/devices/pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:3/target0:0:3/0:0:3:0\n",
     ALL_SETTINGS, "0:0:3:0 slot=Slot 03 kernel 1; 0:0:3:0 enclosure=0:0:20:0 kernel 1"},
    {"the enclosure's logical id", NULL, NULL,
     "/sys/class/enclosure/0:0:20:0/Slot "
     "03/device\t/sys/devices/pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:3/target0:0:3/0:0:3:0\n"
     "/sys/class/enclosure/0:0:20:0/id\t0x500304801e5a7d3f\n",
     SETTING_OF("0:0:3:0", "enclosure"), "0x500304801e5a7d3f"},
    {"expander, phy and bay of a SAS drive", NULL, NULL,
     "/sys/class/sas_device/end_device-0:0:9/phy_identifier\t9\n"
     "/sys/block/sdk\t/sys/devices/pci0000:00/0000:00:03.0/0000:03:00.0/host0/port-0:0/expander-0:0/port-0:0:9/"
     "end_device-0:0:9/target0:0:12/0:0:12:0/block/sdk\n"
     "/sys/class/sas_device/end_device-0:0:9/bay_identifier\t7\n"
     "/sys/class/sas_device/end_device-0:0:9/enclosure_identifier\t0x500304801e5a7d3f\n",
     "SELECT group_concat(s.key||'='||s.value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = 'sdk' "
     "AND "
     "s.key IN ('expander', 'phy', 'slot', 'enclosure')",
     "expander=expander-0:0 phy=9 slot=7 enclosure=0x500304801e5a7d3f"},
    {"ZFS parameter", NULL, NULL, "/sys/module/zfs/parameters/zfs_txg_timeout:5\n/sys/module/zfs/version:2.3.2-2\n",
     ALL_SETTINGS, "host zfs_parameter=zfs_txg_timeout=5 kernel 1; host zfs_version=2.3.2-2 kernel 2"},
    {"what has no meaning here is counted", NULL, NULL,
     "/sys/block/sda/events_poll_msecs:-1\n/sys/block/sda/queue/add_random:0\n", "SELECT count(*) FROM setting", "0"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_sysfs, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_sysfs);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_sysfs);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_sysfs, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_sysfs,
                 "/sys/block/sda/queue/write_cache:write "
                 "sideways\n/sys/block/sda/queue/nr_requests:many\n/sys/block/sda/queue/rotational:0\n/sys/class/"
                 "ata_device/dev3.0/id\t0040 xyzw\n",
                 3, ALL_SETTINGS, "sda rotational=0 kernel 3");
    ParseTest *pt =
        pt_run(&parser_sysfs, NULL, "cat /sys/block/*/queue/write_cache", STR("write through\nwrite back\n"));
    assert_int_equal(pt->ctx.bad_rows, 1); /* whose they are cannot be told */
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM setting"), "0");
    pt_free(pt);
}

/* The 256 words of IDENTIFY DEVICE that the kernel keeps; everything not set here is 0. */
static void identify(void **state) {
    (void)state;
    unsigned short w[256] = {0x0040};
    const char *serial = "EX0000000001        ", *firmware = "EX1.0   ",
               *model = "EXAMPLE SSD 2TB                         ";
    for (int i = 0; i < 10; i++) w[10 + i] = (unsigned short)(serial[i * 2] << 8 | serial[i * 2 + 1]);
    for (int i = 0; i < 4; i++) w[23 + i] = (unsigned short)(firmware[i * 2] << 8 | firmware[i * 2 + 1]);
    for (int i = 0; i < 20; i++) w[27 + i] = (unsigned short)(model[i * 2] << 8 | model[i * 2 + 1]);
    w[76] = 0x010e; /* NCQ, 1.5 to 6 Gbit/s */
    w[82] = 0x0020; /* has a write cache */
    w[83] = 0x4400;
    w[85] = 0x0000;                   /* which is off */
    w[87] = 0x4100;                   /* valid; has a WWN */
    w[100] = 0x88b0, w[101] = 0xe8e0; /* 3907029168 sectors */
    w[108] = 0x5001, w[109] = 0xb448, w[110] = 0xb7c1, w[111] = 0x0458;
    w[169] = 1;
    w[217] = 1;
    char text[2048];
    size_t n = (size_t)snprintf(text, sizeof text, "/sys/class/ata_device/dev3.0/id\t");
    for (int i = 0; i < 256; i++) n += (size_t)snprintf(text + n, sizeof text - n, "%04x ", w[i]);
    ParseTest *pt = pt_run(&parser_sysfs, NULL, NULL, (Str){text, n});
    assert_int_equal(pt->ctx.bad_rows, 0);
    assert_string_equal(
        pt_text(pt, ALL_SETTINGS),
        "ata3.00 model=EXAMPLE SSD 2TB kernel 1; ata3.00 serial=EX0000000001 kernel 1; ata3.00 firmware=EX1.0 kernel "
        "1; ata3.00 write_cache=off kernel 1; ata3.00 ncq_supported=yes kernel 1; "
        "ata3.00 link_max_gbps=6 kernel 1; ata3.00 wwn=5001b448b7c10458 kernel 1; ata3.00 rotation_rpm=0 kernel 1; "
        "ata3.00 trim_supported=yes kernel 1; ata3.00 size_bytes=2000398934016 kernel 1");
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_sysfs, "sysfs-block", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values),  cmocka_unit_test(bids),  cmocka_unit_test(framing),
                                       cmocka_unit_test(damage),  cmocka_unit_test(notes), cmocka_unit_test(corpus),
                                       cmocka_unit_test(identify)};
    return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
