/* zfs get and zfs list: columns by header, by command, by number; blanks in names; what a dataset gets. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_zfs_get;

#define GET                                                                                                            \
    "NAME        PROPERTY              VALUE                  SOURCE\n"                                                \
    "storage/vm  type                  filesystem             -\n"                                                     \
    "storage/vm  creation              Sun Jul  7 10:00 2024  -\n"                                                     \
    "storage/vm  used                  1.20T                  -\n"                                                     \
    "storage/vm  compressratio         1.35x                  -\n"                                                     \
    "storage/vm  mounted               yes                    -\n"                                                     \
    "storage/vm  quota                 none                   default\n"                                               \
    "storage/vm  recordsize            128K                   default\n"                                               \
    "storage/vm  mountpoint            /storage/my vms        inherited from storage\n"                                \
    "storage/vm  compression           lz4                    inherited from storage\n"                                \
    "storage/vm  sync                  always                 local\n"                                                 \
    "storage/vm  special_small_blocks  0                      default\n"                                               \
    "storage/vm  com.sun:auto-snapshot true                   local\n"                                                 \
    "storage/vm  some_later_property   x                      -\n"

#define LIST                                                                                                           \
    "NAME                  USED  AVAIL     REFER  MOUNTPOINT\n"                                                        \
    "storage              1.20T   560G       96K  /storage\n"                                                          \
    "storage/my data       100M   560G      100M  /storage/my data\n"                                                  \
    "storage/vol           103G   610G     52.3G  -\n"                                                                 \
    "storage@snap            0B      -       96K  -\n"

#define KEYS                                                                                                           \
    "SELECT group_concat(r.name||' '||key||'='||value, '; ') FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref "  \
    "r ON "                                                                                                            \
    "r.id = s.node"

static const DeviceCase cases[] = {
    {"get", NULL, NULL, GET, KEYS,
     "storage/vm dataset_type=filesystem; storage/vm used_bytes=1319413953331; storage/vm compressratio=1.35; "
     "storage/vm "
     "recordsize_bytes=131072; storage/vm mountpoint=/storage/my vms; storage/vm compression=lz4; storage/vm "
     "sync=always; "
     "storage/vm special_small_blocks_bytes=0"},
    {"get: structure", NULL, NULL, GET, ALL_EDGES,
     "pool:storage>dataset:storage/vm; dataset:storage/vm>filesystem:/storage/my vms"},
    {"get: line and view", NULL, NULL, GET, "SELECT line||' '||view FROM setting WHERE key = 'sync'", "11 kernel"},
    {"get -H -p", NULL, "zfs get -H -p recordsize,sync,mountpoint",
     "tank\trecordsize\t131072\tdefault\ntank\tsync\tstandard\tdefault\ntank\tmountpoint\t/tank\tdefault\ntank/"
     "v\tvolblocksize\t16384\t-\n"
     "tank/v\trefreservation\tnone\tdefault\n",
     KEYS, "tank recordsize_bytes=131072; tank sync=standard; tank mountpoint=/tank; tank/v volblocksize_bytes=16384"},
    {"get of one, without names", NULL, "zfs get -o property,value sync,atime tank/db",
     "PROPERTY  VALUE\nsync      disabled\natime     off\n", KEYS, "tank/db sync=disabled; tank/db atime=off"},
    {"not mounted: no file system", NULL, NULL,
     "NAME  PROPERTY    VALUE   SOURCE\nrpool  mounted     no      -\nrpool  mountpoint  /rpool  default\n", ALL_EDGES,
     "pool:rpool>dataset:rpool"},
    {"list", NULL, NULL, LIST, KEYS,
     "storage used_bytes=1319413953331; storage available_bytes=601295421440; storage referenced_bytes=98304; storage "
     "mountpoint=/storage; storage/my data used_bytes=104857600; storage/my data available_bytes=601295421440; "
     "storage/my data "
     "referenced_bytes=104857600; storage/my data mountpoint=/storage/my data; storage/vol used_bytes=110595407872; "
     "storage/vol "
     "available_bytes=654982512640; storage/vol referenced_bytes=56156697395"},
    {"list: structure", NULL, NULL, LIST, ALL_EDGES,
     "pool:storage>dataset:storage; dataset:storage>filesystem:/storage; pool:storage>dataset:storage/my data; "
     "dataset:storage/my "
     "data>filesystem:/storage/my data; pool:storage>dataset:storage/vol"},
    {"list: snapshots are no datasets", NULL, NULL, LIST, "SELECT count(*) FROM ref WHERE name LIKE '%@%'", "0"},
    {"list -H", NULL, "zfs list -H", "tank\t1.2T\t560G\t96K\t/tank\ntank/my d\t1M\t560G\t1M\tlegacy\n",
     "SELECT group_concat(r.name||'='||value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE key = 'mountpoint'",
     "tank=/tank tank/my d=legacy"},
    {"list -H -p -o space", "system/zfs_list.out", NULL, "tank\t1000\t2000\t30\t40\t0\t1930\n", KEYS,
     "tank available_bytes=1000; tank used_bytes=2000; tank usedbysnapshots_bytes=30; tank "
     "usedbyrefreservation_bytes=0"},
    {"list -H -o of the command", NULL, "zfs list -Ho name,recordsize,sync", "tank\t1M\tdisabled\n", KEYS,
     "tank recordsize_bytes=1048576; tank sync=disabled"},
    {"list -o", NULL, NULL,
     "NAME     RECSIZE  COMPRESS        SYNC  VOLBLOCK\ntank        128K  lz4         standard         -\n"
     "tank/v         -  off           always       16K\n",
     KEYS,
     "tank recordsize_bytes=131072; tank compression=lz4; tank sync=standard; tank/v compression=off; tank/v "
     "sync=always; tank/v "
     "volblocksize_bytes=16384"},
    {"JSON", NULL, "zfs get -j all",
     "{\"output_version\":{\"command\":\"zfs "
     "get\",\"vers_major\":0,\"vers_minor\":1},\"datasets\":{\"tank/vm\":{\"name\":\"tank/vm\",\"type\":"
     "\"FILESYSTEM\",\"pool\":\"tank\",\"createtxg\":\"77\",\"properties\":{\"sync\":{\"value\":\"disabled\","
     "\"source\":{\"type\":\"LOCAL\",\"data\":"
     "\"-\"}},\"recordsize\":{\"value\":\"128K\"},\"quota\":{\"value\":\"none\"}}},\"tank@s\":{\"name\":\"tank@s\","
     "\"type\":\"SNAPSHOT\"}}}",
     KEYS, "tank/vm dataset_type=filesystem; tank/vm sync=disabled; tank/vm recordsize_bytes=131072"},
    {"JSON: where it stands", NULL, NULL,
     "{\"output_version\":{\"command\":\"zfs "
     "list\"},\"datasets\":{\"t\":{\"name\":\"t\",\"properties\":{\"used\":{\"value\":\"1K\"}}}}}",
     "SELECT l.path||' '||l.text FROM setting s JOIN line_text l ON l.src = s.src AND l.line = s.line WHERE key = "
     "'used_bytes'",
     "/datasets/t/properties/used 1K"},
    {"nothing", NULL, NULL, LIST "no datasets available\n", "SELECT count(*) FROM note", "0"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_zfs_get, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_zfs_get, GET, false); /* NAME PROPERTY VALUE SOURCE heads zpool get, too */
    claims_text(&parser_zfs_get, LIST, true);
    claims_text(&parser_zfs_get, "tank\tsync\tstandard\tdefault\n", true);
    claims_no_other(&parser_zfs_get);
    static const char *const not_mine[] = {
        "NAME      PROPERTY      VALUE  SOURCE\ntank      ashift   12    local\n",
        "NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINT\nsda 8:0 0 1.8T 0 disk\n",
        "NAME TYPE MOUNTPOINT\nsda disk /\n",
        "NAME   SIZE  ALLOC   FREE    CAP  DEDUP  HEALTH  ALTROOT\ntank   131T  4.91M   131T   0%  1.00x  ONLINE  -\n",
    };
    for (size_t i = 0; i < sizeof not_mine / sizeof *not_mine; i++)
        if (parser_zfs_get.bid(STR(""), STR(""), str_of(not_mine[i]))) fail_msg("bid on %s", not_mine[i]);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_zfs_get, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_zfs_get, LIST "tank x y z\n???\n", 2, "SELECT count(DISTINCT node) FROM setting", "3");
    device_notes(&parser_zfs_get,
                 "NAME  PROPERTY    VALUE   SOURCE\ntank  recordsize  big     local\ntank  sync  always  local\n", 1,
                 "SELECT value FROM setting", "always");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
