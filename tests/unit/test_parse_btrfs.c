/* btrfs: devices, space, errors, scrub, balance, quota; old and new forms, tables and JSON, missing devices. */
#include "device_test.h"

extern const Parser parser_btrfs;

#define SHOW                                                                                                           \
    "Label: 'data'  uuid: 4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n\tTotal devices 3 FS bytes used 1.05TiB\n"             \
    "\tdevid    1 size 1.82TiB used 1.07TiB path /dev/sdb\n\tdevid    2 size 1.82TiB used 1.07TiB path /dev/sdc\n"     \
    "\t*** Some devices missing\n\nLabel: none  uuid: 5d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n"                          \
    "\tTotal devices 1 FS bytes used 1.05GiB\n\tdevid    1 size 18.20GiB used 10.07GiB path /dev/sda2\n\n"
#define OVERALL                                                                                                        \
    "Overall:\n    Device size:\t\t   3.64TiB\n    Device allocated:\t\t   2.15TiB\n    Device unallocated:\t\t   "    \
    "1.49TiB\n    Device missing:\t\t     0.00B\n    Device slack:\t\t     0.00B\n    Used:\t\t\t   2.12TiB\n"         \
    "    Free (estimated):\t\t 777.51GiB\t(min: 777.51GiB)\n    Free (statfs, df):\t\t 776.51GiB\n"                    \
    "    Data ratio:\t\t\t      2.00\n    Metadata ratio:\t\t      2.00\n"                                             \
    "    Global reserve:\t\t 512.00MiB\t(used: 16.00KiB)\n    Multiple profiles:\t\t        no\n\n"
#define TABLE                                                                                                          \
    "            Data      Metadata System                              \n"                                            \
    "Id Path     RAID1     RAID1    RAID1    Unallocated Total     Slack\n"                                            \
    "-- -------- --------- -------- -------- ----------- --------- -----\n"                                            \
    " 1 /dev/sdb   1.00TiB  3.00GiB 32.00MiB   763.98GiB   1.82TiB     -\n"                                            \
    " 2 missing    1.00TiB  3.00GiB        -     1.00MiB   1.82TiB     -\n"                                            \
    "-- -------- --------- -------- -------- ----------- --------- -----\n"                                            \
    "   Total      1.00TiB  3.00GiB 32.00MiB     1.49TiB   3.64TiB 0.00B\n"                                            \
    "   Used     512.00GiB  2.00GiB 176.00KiB\n"
#define LINES                                                                                                          \
    "Data,RAID5: Size:4.00GiB, Used:2.00GiB (50.00%)\n   /dev/sdb\t   2.00GiB\n   /dev/sdc\t   2.00GiB\n\n"            \
    "Metadata,RAID1: Size:1.00GiB, Used:512.00MiB (50.00%)\n   /dev/sdb\t   1.00GiB\n   <missing disk>\t   "           \
    "1.00GiB\n\nUnallocated:\n   /dev/sdb\t   8.00GiB\n"
#define STATS                                                                                                          \
    "[/dev/sdb].write_io_errs    0\n[/dev/sdb].read_io_errs     0\n[/dev/sdb].flush_io_errs    0\n"                    \
    "[/dev/sdb].corruption_errs  12\n[/dev/sdb].generation_errs  0\n[devid:3].write_io_errs    7\n"
#define SCRUB                                                                                                          \
    "UUID:             4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\nScrub started:    Wed Apr 10 12:34:56 2024\n"             \
    "Status:           running\nDuration:         0:15:10\nTime left:        1:05:33\n"                                \
    "ETA:              Wed Apr 10 13:55:39 2024\nTotal to scrub:   149.05GiB\n"                                        \
    "Bytes scrubbed:   29.05GiB  (19.49%)\nRate:             100.00MiB/s\nError summary:    csum=5\n"                  \
    "  Corrected:      3\n  Uncorrectable:  2\n  Unverified:     0\n"
#define SPACE                                                                                                          \
    "SELECT group_concat(x, '; ') FROM (SELECT r.kind || ' ' || s.kind || ' ' || coalesce(profile, '-') || ' ' || "    \
    "coalesce(device, '-') || ' ' || CAST(size_bytes / 1048576 AS INTEGER) || ' ' || coalesce(CAST(used_bytes / "      \
    "1048576 AS INTEGER), '-') || ' ' || line AS x FROM btrfs_space s JOIN ref r ON r.id = s.node ORDER BY s.rowid)"
#define SCANS                                                                                                          \
    "SELECT group_concat(x, '; ') FROM (SELECT r.name || ' ' || s.kind || ' ' || state || ' ' || coalesce(done_pct, "  \
    "'-') || ' ' || coalesce(errors, '-') || ' ' || coalesce(to_go_s, '-') AS x FROM pool_scan s JOIN ref r ON r.id "  \
    "= s.node ORDER BY s.rowid)"
#define COUNTERS                                                                                                       \
    "SELECT group_concat(x, '; ') FROM (SELECT r.name || ' ' || c.name || ' ' || c.value AS x FROM counter c JOIN "    \
    "ref r ON r.id = c.node WHERE c.kind = 'btrfs' ORDER BY c.rowid)"

static const DeviceCase cases[] = {
    {"show", NULL, "btrfs filesystem show", SHOW,
     "SELECT group_concat(uuid || ' ' || coalesce(label, '-') || ' ' || devices || ' ' || present || ' ' || missing || "
     "' ' || line, '; ') FROM btrfs_fs",
     "4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71 data 3 2 1 5; 5d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71 - 1 1 0 7"},
    {"show: devices", NULL, NULL, SHOW, SETTING_OF("sdc", "fs_uuid"), "4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71"},
    {"show: MISSING in the row", NULL, NULL,
     "Label: none  uuid: 5d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n\tTotal devices 2 FS bytes used 1.05GiB\n\tdevid    1 "
     "size 18.20GiB used 10.07GiB path /dev/sda2\n\tdevid    2 size 0 used 0 path  MISSING\n",
     "SELECT devices || ' ' || present || ' ' || missing FROM btrfs_fs", "2 1 1"},
    {"usage -T", NULL, "btrfs filesystem usage -T /data", OVERALL TABLE, SPACE,
     "filesystem missing - - 0 - 5; filesystem reserve single - 512 0 12; filesystem unallocated - sdb 782315 - 18; "
     "filesystem unallocated - missing 1 - 19; filesystem data raid1 - 1048576 524288 22; filesystem metadata raid1 - "
     "3072 2048 22; filesystem system raid1 - 32 0 22"},
    {"usage, no command", NULL, NULL, OVERALL LINES, SPACE,
     "host missing - - 0 - 5; host reserve single - 512 0 12; host data raid5 - 4096 2048 15; host metadata raid1 - "
     "1024 512 19; host unallocated - sdb 8192 - 24"},
    {"df", NULL, "btrfs fi df /",
     "Data, single: total=8.00GiB, used=7.00GiB\nGlobalReserve, single: total=16.00MiB, "
     "used=0.00B\n",
     SPACE, "filesystem data single - 8192 7168 1; filesystem reserve single - 16 0 2"},
    {"df, JSON", NULL, NULL,
     "{\"__header\": {\"version\": \"1\"}, \"filesystem-df\": [{\"bg-type\": \"Metadata\", \"bg-profile\": \"DUP\", "
     "\"total\": \"1073741824\", \"used\": \"524288000\"}]}",
     "SELECT kind || ' ' || profile || ' ' || size_bytes || ' ' || used_bytes FROM btrfs_space",
     "metadata dup 1073741824.0 524288000.0"},
    {"device stats", NULL, NULL, STATS, COUNTERS,
     "sdb write_io_errs 0.0; sdb read_io_errs 0.0; sdb flush_io_errs 0.0; sdb corruption_errs 12.0; sdb "
     "generation_errs 0.0"},
    {"device stats -T", NULL, NULL,
     "Id Path     Write errors Read errors Flush errors Corruption errors Generation errors\n"
     "-- -------- ------------ ----------- ------------ ----------------- -----------------\n"
     " 1 /dev/sdb            1           2            3                 4                 5\n",
     COUNTERS,
     "sdb write_io_errs 1.0; sdb read_io_errs 2.0; sdb flush_io_errs 3.0; sdb corruption_errs 4.0; sdb generation_errs "
     "5.0"},
    {"device stats, JSON", NULL, NULL,
     "{\"__header\": {\"version\": \"1\"}, \"device-stats\": [{\"device\": \"/dev/sdc\", \"devid\": \"1\", "
     "\"write_io_errs\": \"4\", \"read_io_errs\": \"0\"}]}",
     COUNTERS, "sdc write_io_errs 4.0; sdc read_io_errs 0.0"},
    {"scrub", NULL, "btrfs scrub status /data", SCRUB, SCANS, "/data btrfs scrub running 19.49 2 3933.0"},
    {"scrub, none", NULL, NULL, "UUID:             4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n\tno stats available\n", SCANS,
     "host btrfs scrub none - - -"},
    {"scrub before 5.2", NULL, NULL,
     "scrub status for 4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n\tscrub started at Wed Apr 10 12:34:56 2019 and finished "
     "after 00:15:10\n\ttotal bytes scrubbed: 29.05GiB with 3 errors\n\terror details: csum=3\n\tcorrected errors: 2, "
     "uncorrectable errors: 1, unverified errors: 0\n",
     SCANS, "host btrfs scrub finished - 1 -"},
    {"balance", NULL, NULL,
     "Balance on '/data' is running\n3 out of about 12 chunks balanced (4 considered),  75% left\n", SCANS,
     "/data btrfs balance running - - -"},
    {"no balance", NULL, NULL, "No balance found on '/data'\n", SCANS, "/data btrfs balance none - - -"},
    {"replace", NULL, "btrfs replace status /data", "5.3% done, 0 write errs, 0 uncorr. read errs\n", SCANS,
     "/data btrfs replace running 5.3 - -"},
    {"qgroups", NULL, "btrfs qgroup show /data",
     "qgroupid         rfer         excl \n--------         ----         ---- \n0/5          16.00KiB     16.00KiB \n"
     "0/257         1.05GiB    200.00MiB \n1/100         1.05GiB    200.00MiB \n",
     ALL_SETTINGS, "/data btrfs_quota=on kernel 1; /data btrfs_qgroups=2 kernel 1"},
    {"no quotas", NULL, "btrfs qgroup show /data", "ERROR: can't list qgroups: quotas not enabled\n", ALL_SETTINGS,
     "/data btrfs_quota=off kernel 1"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_btrfs, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_btrfs, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_btrfs, "[/dev/sdb].write_io_errs    many\n[/dev/sdb].read_io_errs    1\nwhat is this\n", 2,
                 COUNTERS, "sdb read_io_errs 1.0");
    device_notes(&parser_btrfs, "Data, single: total=lots, used=7.00GiB\nSystem, DUP: total=8.00MiB, used=16.00KiB\n",
                 1, "SELECT kind FROM btrfs_space", "system");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("btrfs", tests, NULL, NULL);
}
