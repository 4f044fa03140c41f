/* zdb: labels of two eras, the configuration, what ties a guid to a disk and what does not. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_zdb;

#define MIRROR                                                                                                         \
    "------------------------------------\nLABEL 0\n------------------------------------\n"                            \
    "    version: 5000\n    name: 'storage'\n    state: 0\n    txg: 1234567\n    pool_guid: 11427366438345325911\n"    \
    "    errata: 0\n    hostid: 3254938721\n    hostname: 'nas'\n    top_guid: 7305437254312345678\n"                  \
    "    guid: 1539417216530011223\n    vdev_children: 1\n    vdev_tree:\n        type: 'mirror'\n        id: 0\n"     \
    "        guid: 7305437254312345678\n        metaslab_array: 256\n        ashift: 12\n        asize: "              \
    "500102070272\n"                                                                                                   \
    "        is_log: 0\n        children[0]:\n            type: 'disk'\n            id: 0\n"                           \
    "            guid: 1539417216530011223\n            path: '/dev/sdc1'\n"                                           \
    "            devid: 'ata-EXAMPLE_SSD_EX0001-part1'\n            phys_path: 'pci-0000:00:1f.2-ata-3'\n"             \
    "            whole_disk: 1\n        children[1]:\n            type: 'disk'\n            id: 1\n"                   \
    "            guid: 2539417216530011224\n            path: '/dev/sdd1'\n            whole_disk: 1\n"                \
    "    features_for_read:\n        com.delphix:hole_birth\n    labels = 0 1 2 3 \n"

#define GELI                                                                                                           \
    "MOS Configuration:\n        version: 5000\n        name: 'tank'\n        state: 0\n        pool_guid: 42\n"       \
    "        vdev_tree:\n            type: 'root'\n            id: 0\n            guid: 42\n            "              \
    "children[0]:\n"                                                                                                   \
    "                type: 'raidz'\n                id: 0\n                guid: 100\n                nparity: 2\n"    \
    "                ashift: 9\n                children[0]:\n                    type: 'disk'\n"                      \
    "                    id: 0\n                    guid: 101\n                    path: '/dev/gptid/aa-bb'\n"         \
    "                children[1]:\n                    type: 'replacing'\n                    id: 1\n"                 \
    "                    guid: 102\n                    children[0]:\n                        type: 'disk'\n"          \
    "                        id: 0\n                        guid: 103\n"                                               \
    "                        path: '/dev/diskid/DISK-EX7p3'\n            children[1]:\n"                               \
    "                type: 'hole'\n                id: 1\n                guid: 0\n"                                   \
    "                whole_disk: 0\n            children[2]:\n                type: 'disk'\n                id: 2\n"   \
    "                guid: 104\n                path: '/dev/gpt/log0'\n                ashift: 13\n"

#define FLAT                                                                                                           \
    "LABEL 0\nversion: 5000\nname: 'flat'\nstate: 0\npool_guid: 7\nguid: 11\nvdev_tree:\ntype: 'mirror'\nid: 3\n"      \
    "guid: 9\nashift: 12\nchildren[0]:\ntype: 'disk'\nid: 0\nguid: 10\npath: '/dev/sda1'\ndevid: 'ata-A_1-part1'\n"    \
    "children[1]:\ntype: 'disk'\nid: 1\nguid: 11\npath: '/dev/sdb1'\ndevid: 'ata-B_2-part1'\nfeatures_for_read:\n"     \
    "com.delphix:hole_birth\n"

#define CASE(name_, path_, command_, text_, sql_, want_)                                                               \
    { name_, path_, command_, text_, sql_, want_ }
static const DeviceCase cases[] = {
    CASE("the device asked for and the name that follows it", NULL, "zdb -l /dev/sdb1", MIRROR, ALL_SAME,
         "member:1539417216530011223=disk:sdb1; member:1539417216530011223=link:ata-EXAMPLE_SSD_EX0001-part1"),
    CASE("the device by the path", "drives/zdb_sdb1.out", NULL, MIRROR, ALL_SAME,
         "member:1539417216530011223=disk:sdb1; member:1539417216530011223=link:ata-EXAMPLE_SSD_EX0001-part1"),
    CASE("a kernel name of a sibling ties nothing", NULL, NULL, MIRROR,
         "SELECT count(*) FROM ref WHERE name IN ('sdd1', '/dev/sdd1')", "0"),
    CASE("ashift of vdev and leaf", NULL, NULL, MIRROR,
         "SELECT group_concat(r.kind||':'||r.name||'='||s.value||' '||s.view||' '||s.line, '; ') FROM setting s JOIN "
         "ref r ON "
         "r.id = s.node WHERE key = 'ashift'",
         "vdev:storage/mirror-0=12 kernel 20; member:1539417216530011223=12 kernel 20"),
    CASE("edges", NULL, NULL, MIRROR, ALL_EDGES,
         "vdev:storage/mirror-0>pool:storage; member:1539417216530011223>vdev:storage/mirror-0"),
    CASE(
        "what the label says of its member", NULL, NULL, MIRROR,
        "SELECT group_concat(key||'='||value, '; ') FROM (SELECT s.* FROM setting s JOIN ref r ON r.id = s.node WHERE "
        "r.kind = "
        "'member' AND key <> 'ashift' ORDER BY s.rowid)",
        "zfs_guid=1539417216530011223; zfs_label_path=/dev/sdc1; zfs_phys_path=pci-0000:00:1f.2-ata-3; "
        "zfs_pool_name=storage; "
        "zfs_pool_guid=11427366438345325911; zfs_pool_state=active; zfs_hostid=c2026c61; zfs_guid=2539417216530011224; "
        "zfs_label_path=/dev/sdd1"),
    CASE("all labels can be read", NULL, "zdb -l /dev/sdb1", MIRROR, SETTING_OF("sdb1", "zfs_label"), "ok"),
    CASE("no label", NULL, "zdb -l /dev/sdb",
         "failed to unpack label 0\nfailed to unpack label 1\nfailed to unpack label 2\nfailed to unpack label 3\n",
         SETTING_OF("sdb", "zfs_label"), "none"),
    CASE("two labels lost", NULL, "zdb -l /dev/sdb1", MIRROR "failed to unpack label 2\n",
         SETTING_OF("sdb1", "zfs_label"), "partly"),
    CASE("-C on FreeBSD", NULL, "zdb -C tank", GELI, ALL_EDGES,
         "vdev:tank/raidz2-0>pool:tank; member:101>vdev:tank/raidz2-0; "
         "vdev:tank/raidz2-0/replacing-1>vdev:tank/raidz2-0; "
         "member:103>vdev:tank/raidz2-0/replacing-1; member:104>pool:tank"),
    CASE("names that follow the disk on FreeBSD", NULL, NULL, GELI, ALL_SAME,
         "member:101=member:/dev/gptid/aa-bb; member:103=member:/dev/diskid/DISK-EX7p3; "
         "member:104=member:/dev/gpt/log0"),
    CASE("each top-level vdev has its own ashift", NULL, NULL, GELI,
         "SELECT group_concat(r.name||'='||s.value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE key = "
         "'ashift'",
         "tank/raidz2-0=9 101=9 tank/raidz2-0/replacing-1=9 103=9 104=13"),
    CASE("plain zdb: the pool's name heads it", NULL, "zdb",
         "tank:\n    version: 5000\n    name: 'tank'\n    state: 0\n    pool_guid: 42\n    vdev_tree:\n        type: "
         "'root'\n"
         "        id: 0\n        guid: 42\n        children[0]:\n            type: 'disk'\n            id: 0\n"
         "            guid: 5\n            path: '/dev/disk/by-id/ata-X_1-part1'\n            ashift: 12\n"
         "other:\n    version: 5000\n    name: 'other'\n    pool_guid: 43\n",
         ALL_EDGES, "member:5>pool:tank"),
    CASE("a paste that lost its indentation", NULL, NULL, FLAT, ALL_EDGES,
         "vdev:flat/mirror-3>pool:flat; member:10>vdev:flat/mirror-3; member:11>vdev:flat/mirror-3"),
    CASE("a pool that was destroyed is no pool", NULL, "zdb -l /dev/sdx1",
         "LABEL 0\n    version: 5000\n    name: 'old'\n    state: 2\n    pool_guid: 7\n    guid: 8\n    vdev_tree:\n"
         "        type: 'disk'\n        id: 0\n        guid: 8\n        path: '/dev/sdx1'\n        ashift: 12\n",
         "SELECT (SELECT count(*) FROM ref WHERE kind = 'pool')||' '||(SELECT value FROM setting WHERE key = "
         "'zfs_pool_state')",
         "0 destroyed"),
    CASE("grep ashift", NULL, "zdb | grep ashift",
         "            ashift: 12\n            ashift: 12\n            ashift: 9\n", ALL_SETTINGS,
         "host ashift=12 kernel 1; host ashift=9 kernel 3"),
    CASE("0.8: every label, and uberblocks", NULL, "zdb -lu /dev/sdb1",
         MIRROR
         "------------------------------------\nLABEL 1\n------------------------------------\n    version: 5000\n"
         "    name: 'storage'\n    guid: 1539417216530011223\n    Uberblock[0]\n\tmagic = 0000000000bab10c\n"
         "\tversion = 5000\n\ttxg = 1024\n\tguid_sum = 77\n\ttimestamp = 1564000000 UTC = Wed Jul 24 20:26:40 2019\n",
         "SELECT count(*) FROM setting WHERE key = 'ashift'", "2"),
    CASE("draid", NULL, NULL,
         "MOS Configuration:\n    version: 5000\n    name: 'd'\n    vdev_tree:\n        type: 'draid'\n        id: 0\n"
         "        guid: 1\n        nparity: 1\n        draid_ndata: 2\n        draid_ngroups: 1\n        "
         "draid_nspares: 1\n"
         "        ashift: 12\n        children[0]:\n            type: 'disk'\n            id: 0\n            guid: 2\n"
         "            path: '/dev/disk/by-vdev/a1'\n",
         ALL_EDGES, "vdev:d/draid1:2d:1c:1s-0>pool:d; member:2>vdev:d/draid1:2d:1c:1s-0"),
};

static void values(void **state) {
    (void)state;
    device_values(&parser_zdb, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_zdb, GELI, true);
    claims_text(&parser_zdb, MIRROR, false); /* a rule of dashes comes first */
    claims_text(&parser_zdb, "failed to unpack label 0\nfailed to unpack label 1\n", true);
    claims_text(&parser_zdb, "            ashift: 12\n", true);
    claims_no_other(&parser_zdb);
    assert_false(parser_zdb.starts(STR("tank:")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_zdb, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_zdb, "LABEL 0\n    version: 5000\n    name: 'a'\nfoo bar baz\n    pool_guid: 5\n!!\n", 2,
                 "SELECT value FROM setting WHERE key = 'zfs_pool_guid'", "5");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_zdb, "zdb-l", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
