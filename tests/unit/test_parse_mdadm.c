/* mdadm: --detail, --examine, --export, --scan; what a superblock says stays apart from what the array is. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include "../../analyze/parse/json.h"

#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_mdadm;

#define UUID "1b2c3d4e:5f60718a:92a3b4c5:d6e7f801"
#define DETAIL                                                                                                         \
    "/dev/md0:\n           Version : 1.2\n     Creation Time : Sun Sep  5 23:19:18 2021\n        Raid Level : raid5\n" \
    "        Array Size : 405504 (396.00 MiB 415.24 MB)\n     Used Dev Size : 202752 (198.00 MiB 207.62 MB)\n"         \
    "      Raid Devices : 3\n     Total Devices : 3\n       Persistence : Superblock is persistent\n\n"                \
    "     Intent Bitmap : Internal\n\n       Update Time : Sun Sep 26 22:18:13 2021\n"                                 \
    "             State : active, degraded, recovering \n    Active Devices : 2\n   Working Devices : 3\n"             \
    "    Failed Devices : 1\n     Spare Devices : 1\n\n            Layout : left-symmetric\n        Chunk Size : "     \
    "512K\n\n"                                                                                                         \
    "Consistency Policy : bitmap\n\n    Rebuild Status : 24% complete\n\n"                                             \
    "              Name : nas:0  (local to host nas)\n              UUID : " UUID "\n            Events : 1821\n\n"    \
    "    Number   Major   Minor   RaidDevice State\n       0       8        1        0      active sync   /dev/sda1\n" \
    "       3       8       33        1      spare rebuilding   /dev/sdc1\n"                                           \
    "       2       8       49        2      active sync writemostly failfast   /dev/sdd1\n\n"                         \
    "       1       8       17        -      faulty   /dev/sdb1\n"
#define EXAMINE                                                                                                        \
    "/dev/sdb1:\n          Magic : a92b4efc\n        Version : 1.2\n    Feature Map : 0x1\n     Array UUID : " UUID    \
    "\n"                                                                                                               \
    "           Name : nas:0  (local to host nas)\n  Creation Time : Sun Sep  5 23:19:18 2021\n     Raid Level : "     \
    "raid5\n"                                                                                                          \
    "   Raid Devices : 3\n\n Avail Dev Size : 405504 sectors (198.00 MiB 207.62 MB)\n          State : clean\n"        \
    "    Device UUID : 28848fbc:1648c806:004ddc4a:7820c3fc\n\nInternal Bitmap : 8 sectors from superblock\n"           \
    "    Update Time : Sun Sep 26 20:10:00 2021\n"                                                                     \
    "  Bad Block Log : 512 entries available at offset 16 sectors - bad blocks present.\n"                             \
    "       Checksum : 5b482818 - correct\n         Events : 1790\n\n         Layout : left-symmetric\n"               \
    "     Chunk Size : 512K\n\n   Device Role : Active device 1\n"                                                     \
    "   Array State : AAA ('A' == active, '.' == missing, 'R' == replacing)\n"
#define IMSM                                                                                                           \
    "/dev/sda:\n          Magic : Intel Raid ISM Cfg Sig.\n        Version : 1.1.00\n    Orig Family : 7e8d3d8e\n"     \
    "         Family : 7e8d3d8e\n     Generation : 00001234\n     Attributes : All supported\n"                        \
    "           UUID : 955f4f3a:dea4bc4d:f597c49e:c118251c\n       Checksum : 7b2f5a3a correct\n    MPB Sectors : 2\n" \
    "          Disks : 2\n   RAID Devices : 1\n\n  Disk00 Serial : EX0001\n          State : active\n"                 \
    "             Id : 00000000\n    Usable Size : 976768654 (465.76 GiB 500.11 GB)\n\n[Volume0]:\n"                   \
    "       Subarray : 0\n           UUID : " UUID                                                                     \
    "\n     RAID Level : 1\n        Members : 2\n          Slots : [U_]\n"                                             \
    "    Failed disk : 1\n      This Slot : 0\n     Array Size : 976766976 (465.76 GiB 500.10 GB)\n"                   \
    "  Sector Offset : 0\n    Num Stripes : 3815496\n     Chunk Size : 64 KiB\n       Reserved : 0\n"                  \
    "  Migrate State : idle\n      Map State : degraded\n    Dirty State : clean\n\n  Disk01 Serial : EX0002\n"        \
    "          State : active failed\n             Id : ffffffff\n"
#define DDF                                                                                                            \
    "/dev/vda:\n          Magic : de11de11\n        Version : 01.02.00\n"                                              \
    "Controller GUID : 4C696E75:782D4D44:20202020:20202073:79737265:73637565\n                  (Linux-MD       "      \
    "nas)\n"                                                                                                           \
    " Container GUID : 4C696E75:782D4D44:DEADBEEF:00000000:502D01BA:FB6D4FCB\n                  (Linux-MD 08/16/22 "   \
    "16:20:42)\n"                                                                                                      \
    "            Seq : 00000008\n  Redundant hdr : yes\n  Virtual Disks : 1\n\n"                                       \
    "      VD GUID[0] : 4C696E75:782D4D44:DEADBEEF:00000000:502D01DF:DBFB2605\n                  (Linux-MD 08/16/22 "  \
    "16:21:19)\n"                                                                                                      \
    "         unit[0] : 127\n        state[0] : Degraded, Consistent\n   init state[0] : Fully Initialised\n"          \
    "       access[0] : Read/Write\n         Name[0] : vol0\n Raid Devices[0] : 2 (1@0K 0@0K)\n   Raid Level[0] : "    \
    "RAID1\n"                                                                                                          \
    "  Device Size[0] : 786432\n   Array Size[0] : 786432\n\n Physical Disks : 1023\n"                                 \
    "      Number    RefNo      Size       Device      Type/State\n         0    d32b14d7    786432K /dev/vda        " \
    "active/Online\n"                                                                                                  \
    "         1    886a9f58    913408K                 active/Offline\n"
#define OLD                                                                                                            \
    "/dev/sda1:\n          Magic : a92b4efc\n        Version : 0.90.00\n           UUID : " UUID "\n"                  \
    "  Creation Time : Thu Jan 15 16:37:46 2009\n     Raid Level : raid1\n   Raid Devices : 2\n          State : "     \
    "clean\n"                                                                                                          \
    "       Checksum : 4f9fd0d0 - correct\n         Events : 1182\n\n\n      Number   Major   Minor   RaidDevice "     \
    "State\n"                                                                                                          \
    "this     0       8        1        0      active sync   /dev/sda1\n\n"                                            \
    "   0     0       8        1        0      active sync   /dev/sda1\n   1     1       8       17        1      "    \
    "faulty removed\n"
#define EXPORT                                                                                                         \
    "MD_LEVEL=raid10\nMD_DEVICES=4\nMD_METADATA=1.2\nMD_UUID=" UUID "\nMD_DEVNAME=test\nMD_NAME=nas:test\n"            \
    "MD_DEVICE_ev_sdd2_ROLE=3\nMD_DEVICE_ev_sdd2_DEV=/dev/sdd2\nMD_DEVICE_ev_sdc3_ROLE=spare\nMD_DEVICE_ev_sdc3_DEV=/" \
    "dev/sdc3\n"
#define ARRAY                                                                                                          \
    "SELECT group_concat(coalesce(name,'?')||' '||kind||' '||coalesce(level,'?')||' '||coalesce(state,'?')||' "        \
    "'||coalesce(raid_disks,'?')||'/'||coalesce(active_disks,'?')||' f'||"                                             \
    "coalesce(failed_disks,'?')||' s'||coalesce(spare_disks,'?')||' '||coalesce(sync_action,'-')||' "                  \
    "'||coalesce(sync_pct,'-')||' '||line, '; ') FROM raid_array"

#define BAD                                                                                                            \
    "Bad-blocks on /dev/sdc3:\n          13086517288 for 32 sectors\n                   64 for 8 sectors\n"            \
    "Bad-blocks list is empty in /dev/sda3\nNo bad-blocks list configured on /dev/sdb3\n"

static const DeviceCase cases[] = {
    {"detail", NULL, NULL, DETAIL, ARRAY, "md0 md raid5 active, degraded, recovering 3/2 f1 s1 recovery 24.0 14"},
    {"detail: uuid", NULL, NULL, DETAIL, SETTING_OF("md0", "md_uuid"), UUID},
    {"detail: names", NULL, NULL, DETAIL, ALL_SAME, "disk:md0=array:md0; disk:md0=link:md-uuid-" UUID},
    {"detail: edges", NULL, NULL, DETAIL, ALL_EDGES,
     "disk:sda1>disk:md0; disk:sdc1>disk:md0; disk:sdd1>disk:md0; disk:sdb1>disk:md0"},
    {"detail: events", NULL, NULL, DETAIL, SETTING_OF("md0", "md_events"), "1821"},
    {"detail: bitmap", NULL, NULL, DETAIL, SETTING_OF("md0", "md_bitmap"), "internal"},
    {"detail: layout", NULL, NULL, DETAIL, SETTING_OF("md0", "md_layout"), "left-symmetric"},
    {"detail: chunk", NULL, NULL, DETAIL, SETTING_OF("md0", "md_chunk_bytes"), "524288"},
    {"detail: size", NULL, NULL, DETAIL, SETTING_OF("md0", "size_bytes"), "415236096"},
    {"detail: name", NULL, NULL, DETAIL, SETTING_OF("md0", "md_name"), "nas:0"},
    {"detail: policy", NULL, NULL, DETAIL, SETTING_OF("md0", "md_consistency_policy"), "bitmap"},
    {"detail: in use", NULL, NULL, DETAIL, SETTING_OF("sda1", "md_member_state"), "in use"},
    {"detail: rebuilding", NULL, NULL, DETAIL, SETTING_OF("sdc1", "md_member_state"), "spare rebuilding"},
    {"detail: faulty", NULL, NULL, DETAIL, SETTING_OF("sdb1", "md_member_state"), "faulty"},
    {"detail: flags", NULL, NULL, DETAIL, SETTING_OF("sdd1", "md_member_flags"), "write-mostly failfast"},
    {"detail: slot", NULL, NULL, DETAIL, SETTING_OF("sdd1", "md_member_slot"), "2"},
    {"detail: view", NULL, NULL, DETAIL, "SELECT DISTINCT view FROM setting", "kernel"},
    {"a heading that is gone", NULL, "mdadm -D /dev/md5",
     "        Raid Level : raid1\n      Raid Devices : 2\n    Active Devices : 2\n", ARRAY,
     "md5 md raid1 ? 2/2 f? s? - - 1"},
    {"two arrays", NULL, NULL,
     "/dev/md0:\n     Raid Level : raid1\n   Raid Devices : 2\n\n/dev/md1:\n     Raid Level : raid0\n   Raid Devices : "
     "2\n",
     ARRAY, "md0 md raid1 ? 2/? f? s? - - 1; md1 md raid0 ? 2/? f? s? - - 5"},
    {"inactive", NULL, NULL,
     "/dev/md1:\n          Version : 1.2\n      Raid Level : raid5\n    Total Devices : 4\n            State : "
     "inactive\n  Working Devices : 4\n\n"
     "  Number   Major   Minor   RaidDevice\n\n      -     259       16        -        /dev/nvme0n1p1\n",
     ARRAY, "md1 md raid5 inactive ?/? f? s? - - 5"},
    {"a container's volume", NULL, NULL,
     "/dev/md127:\n         Container : /dev/md0, member 0\n        Raid Level : raid1\n      Raid Devices : 2\n",
     SETTING_OF("md127", "md_container"), "md0"},
    {"examine makes no array's state", NULL, NULL, EXAMINE, "SELECT count(*) FROM raid_array", "0"},
    {"examine: events", NULL, NULL, EXAMINE, SETTING_OF("sdb1", "md_events"), "1790"},
    {"examine: role", NULL, NULL, EXAMINE, SETTING_OF("sdb1", "md_member_slot"), "1"},
    {"examine: what it saw last", NULL, NULL, EXAMINE, SETTING_OF("sdb1", "md_member_map"), "AAA"},
    {"examine: bad blocks", NULL, NULL, EXAMINE, SETTING_OF("sdb1", "md_bad_blocks"), "1"},
    {"examine: checksum", NULL, NULL, EXAMINE, SETTING_OF("sdb1", "md_checksum"), "correct"},
    {"examine: edge by uuid", NULL, NULL, EXAMINE, ALL_EDGES, "disk:sdb1>link:md-uuid-" UUID},
    {"examine: view", NULL, NULL, EXAMINE, "SELECT DISTINCT view FROM setting", "drive"},
    {"imsm", NULL, NULL, IMSM, ARRAY, "Volume0 imsm raid1 degraded 2/1 f? s? - - 33"},
    {"imsm: metadata", NULL, NULL, IMSM, SETTING_OF("sda", "md_metadata"), "imsm"},
    {"ddf", NULL, NULL, DDF, ARRAY, "vol0 ddf raid1 Degraded, Consistent 2/? f? s? - - 15"},
    {"ddf: physical disk", NULL, NULL, DDF, SETTING_OF("vda", "md_member_state"), "active/Online"},
    {"0.90", NULL, NULL, OLD, SETTING_OF("sda1", "md_member_slot"), "0"},
    {"0.90: uuid", NULL, NULL, OLD, SETTING_OF("sda1", "md_uuid"), UUID},
    {"export", NULL, NULL, EXPORT, "SELECT level||' '||raid_disks||' '||coalesce(active_disks,'?') FROM raid_array",
     "raid10 4 ?"},
    {"export: name", NULL, NULL, EXPORT, "SELECT name FROM raid_array", "md/test"},
    {"export: a spare", NULL, NULL, EXPORT, SETTING_OF("sdc3", "md_member_state"), "spare"},
    {"export: command names it", NULL, "mdadm --detail --export /dev/md3", "MD_LEVEL=raid1\nMD_METADATA=1.0\n",
     "SELECT name FROM raid_array", "md3"},
    {"scan", NULL, NULL,
     "ARRAY /dev/md0 level=raid1 num-devices=2 metadata=1.2 spares=1 name=nas:0 UUID=" UUID
     "\n   devices=/dev/sda1,/dev/sdb1\n",
     ARRAY, "md0 md raid1 ? 2/? f? s1 - - 1"},
    {"scan: edges", NULL, NULL,
     "ARRAY /dev/md0 level=raid1 metadata=1.2 UUID=" UUID "\n   devices=/dev/sda1,/dev/sdb1\n", ALL_EDGES,
     "disk:sda1>disk:md0; disk:sdb1>disk:md0"},
    {"scan: inactive", NULL, NULL, "INACTIVE-ARRAY /dev/md127 metadata=1.2 name=nas:0 UUID=" UUID "\n",
     "SELECT state FROM raid_array", "inactive"},
    {"bad blocks", NULL, NULL, BAD, ALL_SETTINGS,
     "sdc3 md_bad_blocks=1 drive 1; sdc3 md_bad_block_range=13086517288+32 drive 2; sdc3 md_bad_block_range=64+8 drive "
     "3; sda3 md_bad_blocks=0 drive 4"},
    {"query", NULL, NULL, "/dev/md0: 931.51GiB raid1 2 devices, 0 spares. Use mdadm --detail for more detail.\n", ARRAY,
     "md0 md raid1 ? 2/? f? s? - - 1"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_mdadm, cases, CASES);
}

static void framing(void **state) {
    (void)state;
    static const char *const opening[] = {DETAIL, EXPORT, "ARRAY /dev/md0 metadata=1.2 UUID=" UUID "\n"};
    for (size_t i = 0; i < 3; i++) claims_text(&parser_mdadm, opening[i], true);
    /* a heading of a disk may be hdparm's as well: it starts nothing here, and the words below it decide */
    static const char *const others[] = {EXAMINE, IMSM, DDF, OLD};
    for (size_t i = 0; i < 4; i++) claims_text(&parser_mdadm, others[i], false);
    claims_no_other(&parser_mdadm);
    assert_int_equal(
        parser_mdadm.bid(STR("etc/mdadm/mdadm.conf"), STR(""), STR("ARRAY /dev/md0 metadata=1.2 UUID=" UUID "\n")), 0);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_mdadm, cases, CASES);
    device_notes(&parser_mdadm, "/dev/md0:\n        Raid Level : raid1\ngarbage\n      Raid Devices : 2\n", 1,
                 "SELECT raid_disks FROM raid_array", "2");
    ParseTest *pt = pt_run(&parser_mdadm, NULL, NULL, STR("mdadm: No md superblock detected on /dev/sdb.\n"));
    assert_int_equal(pt->result, PARSE_NOTHING);
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM note"), "1");
    pt_free(pt);
}

static void same(const char *file, ParseTest *pt, const cJSON *doc, const char *key, const char *sql) {
    const cJSON *want = json_get(doc, key);
    if (!want) return;
    Str text = json_show(pt->arena, want);
    const char *got = pt_text(pt, sql);
    if (!str_is(text, got)) fail_msg("%s: %s is %s, not %.*s", file, key, got, STR_ARG(text));
}

#define OF_ARRAY(column) "SELECT CAST(" column " AS TEXT) FROM raid_array"
#define OF_KEY(key) "SELECT value FROM setting WHERE key = '" key "' ORDER BY rowid LIMIT 1"
static void compare(const char *folder, const char *file, ParseTest *pt) {
    Str text = claims_expected(folder, file);
    if (!text.p) return;
    Error err;
    cJSON *doc = json_read(pt->scratch, text, &err);
    if (doc && json_get(doc, "device")) {
        bool array = json_get(doc, "device_table") && !json_get(doc, "magic");
        if (array) {
            same(file, pt, doc, "raid_level", OF_ARRAY("level"));
            same(file, pt, doc, "raid_devices", OF_ARRAY("raid_disks"));
            same(file, pt, doc, "active_devices", OF_ARRAY("active_disks"));
            same(file, pt, doc, "failed_devices", OF_ARRAY("failed_disks"));
            same(file, pt, doc, "spare_devices", OF_ARRAY("spare_disks"));
            same(file, pt, doc, "state", OF_ARRAY("state"));
            same(file, pt, doc, "rebuild_status_percent",
                 "SELECT CAST(CAST(sync_pct AS INTEGER) AS TEXT) FROM raid_array");
            same(file, pt, doc, "resync_status_percent",
                 "SELECT CAST(CAST(sync_pct AS INTEGER) AS TEXT) FROM raid_array");
            same(file, pt, doc, "check_status_percent",
                 "SELECT CAST(CAST(sync_pct AS INTEGER) AS TEXT) FROM raid_array");
        }
        same(file, pt, doc, "events", OF_KEY("md_events"));
        same(file, pt, doc, "array_uuid", OF_KEY("md_uuid"));
        same(file, pt, doc, "uuid_val", OF_KEY("md_uuid"));
        same(file, pt, doc, "layout", OF_KEY("md_layout"));
        same(file, pt, doc, "consistency_policy", OF_KEY("md_consistency_policy"));
        same(file, pt, doc, "checksum_state", OF_KEY("md_checksum"));
        same(file, pt, doc, "name_val", OF_KEY("md_name"));
        if (array) {
            int members = 0;
            const cJSON *row;
            cJSON_ArrayForEach(row, json_get(doc, "device_table")) {
                members += json_text(json_get(row, "device")).len > 0;
            }
            const char *got = pt_text(pt, "SELECT count(DISTINCT e.parent) FROM edge e JOIN ref r ON r.id = e.parent "
                                          "WHERE r.name NOT LIKE 'md%'");
            if (atoi(got) != members) fail_msg("%s: %s members, not %d", file, got, members);
        }
    }
    free((void *)(uintptr_t)text.p);
}

static const char *folder_now;
static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    ParseTest *pt = pt_run(&parser_mdadm, path, NULL, text);
    if (parser_mdadm.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows || !pt->ctx.rows)
        fail_msg("%s:%d: %.*s", file, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
    compare(folder_now, file, pt);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    static const char *const folders[] = {"mdadm-detail", "mdadm-detail-export", "mdadm-examine"};
    for (size_t i = 0; i < 3; i++) {
        folder_now = folders[i];
        corpus_each(folders[i], corpus_file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(framing), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
