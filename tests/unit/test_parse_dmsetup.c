/* dmsetup: tables, states, trees, and which device a number is. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_dmsetup;

#define TABLE                                                                                                          \
    "vg-root: 0 33554432 linear 8:2 125831168\nvg-root: 33554432 33554432 linear 65:17 897632256\n"                    \
    "crypt0: 0 2093056 crypt aes-xts-plain64 :64:logon:cryptsetup:0123-d0 0 8:3 32768 3 allow_discards "               \
    "sector_size:4096 no_read_workqueue\n"                                                                             \
    "crypt1: 0 2093056 crypt aes-xts-plain64 000000 0 9:0 4096\n"                                                      \
    "fast: 0 409600 striped 2 128 8:17 2048 8:18 2048\n"                                                               \
    "vg-pool-tpool: 0 209715200 thin-pool 253:3 253:4 128 0 1 skip_block_zeroing \n"                                   \
    "vg-c: 0 83886080 cache 253:4 253:3 253:5 128 2 metadata2 writeback smq 0\n"

#define STATES                                                                                                         \
    "vg-pool-tpool: 0 209715200 thin-pool 4 400/25600 655360/819200 - rw discard_passdown queue_if_no_space - 1024 \n" \
    "vg-dead: 0 100 thin-pool Fail\nvg-root: 0 33554432 linear \ncrypt0: 0 2093056 crypt \n"                           \
    "vg-c: 0 83886080 cache 8 264/65536 128 4096/8192 100 50 20 10 0 0 33 2 metadata2 writeback 2 "                    \
    "migration_threshold 2048 smq 0 rw - \n"                                                                           \
    "vg-r: 0 409600 raid raid1 2 AD 409600/409600 idle 0 0 -\nvg-s: 0 4096 snapshot 1024/4096 16\nvg-t: 0 1 snapshot " \
    "Invalid\n"                                                                                                        \
    "mpatha: 0 2097152 multipath 2 0 0 0 2 1 A 0 1 2 8:16 A 0 0 1 E 0 1 2 8:48 F 3 0 1 \n"

#define TREE                                                                                                           \
    "vg-root (253:1)\n \xe2\x94\x94\xe2\x94\x80"                                                                       \
    "crypt0 (253:0)\n    \xe2\x94\x94\xe2\x94\x80 (8:3)\nvg-swap (253:2)\n"                                            \
    " `-crypt0 (253:0)\n    `- (8:3)\n"

#define INFO                                                                                                           \
    "Name:              vg-root\nState:             ACTIVE\nRead Ahead:        256\nTables present:    LIVE\n"         \
    "Open count:        1\nEvent number:      0\nMajor, minor:      253, 4\nNumber of targets: 1\nUUID: LVM-abc\n"

static const DeviceCase cases[] = {
    {"table: what rests on what", NULL, NULL, TABLE, ALL_EDGES,
     "disk:sda2>disk:vg-root; disk:sdr1>disk:vg-root; disk:sda3>disk:crypt0; disk:md0>disk:crypt1; "
     "disk:sdb1>disk:fast; disk:sdb2>disk:fast"},
    {"table: settings", NULL, NULL, TABLE,
     "SELECT group_concat(r.name||' '||key||'='||value||' '||line, '; ') FROM (SELECT * FROM setting WHERE key <> "
     "'dm_target' ORDER BY rowid) s JOIN ref r "
     "ON r.id = s.node",
     "crypt0 crypt_cipher=aes-xts-plain64 3; crypt0 crypt_sector_bytes=4096 3; crypt0 crypt_flags=allow_discards "
     "no_read_workqueue 3; crypt1 "
     "crypt_cipher=aes-xts-plain64 4; crypt1 crypt_flags=none 4; vg-c cache_mode=writeback 7"},
    {"status", NULL, NULL, STATES,
     "SELECT group_concat(r.name||' '||key||'='||value, '; ') FROM (SELECT * FROM setting WHERE key <> 'dm_target' "
     "ORDER BY rowid) s JOIN ref r ON r.id = "
     "s.node",
     "vg-pool-tpool thin_metadata_pct=1.6; vg-pool-tpool thin_data_pct=80; vg-pool-tpool thin_mode=rw; vg-pool-tpool "
     "thin_discard=discard_passdown; "
     "vg-pool-tpool thin_no_space=queue_if_no_space; vg-pool-tpool thin_needs_check=0; vg-dead thin_mode=fail; vg-c "
     "cache_used_pct=50; vg-c "
     "cache_dirty_blocks=33; vg-c cache_mode=writeback; vg-r md_mismatch_cnt=0; vg-s snapshot_used_pct=25; vg-t "
     "snapshot_used_pct=Invalid; "
     "mpatha multipath_paths=2; mpatha "
     "multipath_paths_failed=1"},
    {"status: counters of the cache", NULL, NULL, STATES, "SELECT group_concat(name||'='||value, ' ') FROM counter",
     "dm_cache_read_hits=100.0 dm_cache_read_misses=50.0 dm_cache_write_hits=20.0 dm_cache_write_misses=10.0"},
    {"status: dm-raid", NULL, NULL, STATES,
     "SELECT name||' '||kind||' '||level||' '||state||' '||raid_disks||' '||active_disks||' '||failed_disks||' "
     "'||sync_action FROM raid_array",
     "vg-r dm-raid raid1 AD 2 1 1 idle"},
    {"status: a multipath path", NULL, NULL, STATES, ALL_EDGES,
     "disk:sdb>disk:mpatha; disk:sdd>disk:mpatha; disk:sdb>disk:mpatha; disk:sdd>disk:mpatha"},
    {"table: features of multipath", NULL, NULL,
     "mpatha: 0 2097152 multipath 1 queue_if_no_path 0 2 1 service-time 0 2 2 8:16 1 1 8:32 1 1 \n", ALL_SETTINGS,
     "mpatha dm_target=multipath kernel 1; mpatha multipath_features=queue_if_no_path kernel 1"},
    {"status: a mirror lost a leg", NULL, NULL, "vg-m: 0 409600 mirror 2 253:3 253:4 400/400 1 AD 3 disk 253:2 A\n",
     "SELECT name||' '||kind||' '||level||' '||state||' '||raid_disks||' '||active_disks FROM raid_array",
     "vg-m dm-raid mirror AD 2 1"},
    {"status: broken ones", NULL, NULL,
     "vg-c: 0 83886080 cache Fail\nvg-t: 0 8 thin Fail\nvg-d: 0 83886080 cache 8 264/65536 128 4096/8192 1 1 1 1 0 0 0 "
     "1 "
     "writethrough 2 migration_threshold 2048 smq 0 rw needs_check\n",
     "SELECT group_concat(r.name||'='||value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE key = 'lvm_health'",
     "vg-c=failed vg-t=failed vg-d=needs_check"},
    {"tree", NULL, NULL, TREE, ALL_EDGES,
     "disk:crypt0>disk:vg-root; disk:sda3>disk:crypt0; disk:crypt0>disk:vg-swap; disk:sda3>disk:crypt0"},
    {"tree: dm numbers", NULL, NULL, TREE, ALL_SAME,
     "disk:vg-root=disk:dm-1; disk:crypt0=disk:dm-0; disk:vg-swap=disk:dm-2; disk:crypt0=disk:dm-0"},
    {"tree tells numbers of the table", NULL, NULL, "a: 0 8 linear 253:0 0\ncrypt0 (253:0)\n `- (8:3)\n", ALL_EDGES,
     "disk:sda3>disk:crypt0; disk:crypt0>disk:a"},
    {"info", NULL, NULL, INFO, ALL_SAME, "disk:vg-root=disk:dm-4"},
    {"info -c", NULL, NULL,
     "Name               Maj Min Stat Open Targ Event  UUID\nvg-tmp             253   8 L--w    1    1      0 "
     "LVM-abc\n",
     ALL_SAME, "disk:vg-tmp=disk:dm-8"},
    {"ls", NULL, "dmsetup ls", "vg-root\t(253:1)\nvg-swap\t(253, 2)\n", ALL_SAME,
     "disk:vg-root=disk:dm-1; disk:vg-swap=disk:dm-2"},
    {"deps", NULL, NULL, "vg-root: 2 dependencies\t: (8, 3) (8, 19)\n", ALL_EDGES,
     "disk:sda3>disk:vg-root; disk:sdb3>disk:vg-root"},
    {"table of one", NULL, "dmsetup table /dev/mapper/one", "0 8 linear 8:1 0\n", ALL_EDGES, "disk:sda1>disk:one"},
    {"none", NULL, NULL, TABLE "No devices found\n", "SELECT count(*) FROM note", "0"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_dmsetup, cases, sizeof cases / sizeof *cases);
    ParseTest *pt = pt_run(&parser_dmsetup, NULL, NULL, STR("No devices found\n"));
    assert_int_equal(pt->result, PARSE_NOTHING);
    pt_free(pt);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_dmsetup, TABLE, true);
    claims_text(&parser_dmsetup, STATES, true);
    claims_text(&parser_dmsetup, TREE, true);
    claims_text(&parser_dmsetup, INFO, true);
    claims_no_other(&parser_dmsetup);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_dmsetup, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_dmsetup, "a: 0 8 linear 8:1 0\nb: 0 8 thin-pool 4 x/y 1/2\n::::\n", 2, ALL_EDGES,
                 "disk:sda1>disk:a");
}

static void corpus(void **state) {
    (void)state;
    static const CorpusException exceptions[] = {{"parse_no_devices", "\"No devices found\" holds no row"}};
    device_corpus(&parser_dmsetup, "dmsetup", exceptions, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
