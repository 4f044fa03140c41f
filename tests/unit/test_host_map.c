/*
 * The graph of a host as it is read from the facts for its picture: what hangs on what, without short cuts, circles and ends.
 */
#include "arena_test.h"
#include "diagnose/host_map.h"
#include "facts/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const MapNode *named(const Diagnosis *d, const char *name) {
    for (size_t i = 0; i < d->map.nodes.count; i++)
        if (str_is(d->map.nodes.items[i].name, name)) return &d->map.nodes.items[i];
    fail_msg("no node %s", name);
    return NULL;
}

static bool lies_on(const Diagnosis *d, const char *above, const char *below) {
    const MapNode *n = named(d, above);
    for (size_t i = 0; i < n->below.count; i++)
        if (str_is(d->map.nodes.items[n->below.items[i]].name, below)) return true;
    return false;
}

static Diagnosis *map_of(const char *sql, const int64_t *drives, const char *const *names, size_t count_) {
    Error err = {""};
    Facts *facts = facts_new(arena, &err);
    assert_non_null(facts);
    assert_true(views_create(facts_db(facts), arena, NULL, 0, &err));
    char *message = NULL;
    if (sqlite3_exec(facts_db(facts), sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    for (size_t i = 0; i < count_; i++) {
        DriveInfo x = {.node = drives[i], .name = str_of(names[i]), .size_bytes = 1e12};
        VEC_PUSH(arena, &d->drives, x);
    }
    host_map_read(facts, arena, 1, d);
    for (size_t i = 0; i < d->map.nodes.count; i++)
        for (size_t k = 0; k < d->map.nodes.items[i].below.count; k++)
            assert_true(d->map.nodes.items[i].below.items[k] < i);
    return d;
}

static void graph_of_a_host(void **state) {
    (void)state;
    Diagnosis *d = map_of(
        "INSERT INTO node(id, kind, key, label) VALUES (1,'drive','d1','sda'),(2,'drive','d2','sdb'),(3,'drive','d3',"
        "'nvme0n1'),(4,'drive','d4','sdx'),(5,'drive','d5','777'),(10,'controller','c1','0000:00:17.0'),"
        "(11,'controller','c2','host3'),(12,'controller','c3','0000:02:00.0'),(20,'partition','p1','sda1'),"
        "(21,'partition','p2','sdb1'),(22,'partition','p3','sda2'),(30,'array','a1','md0'),(31,'volume','v1','vg-root')"
        ","
        "(32,'filesystem','f1','/'),(33,'array','a2','volume 0'),(34,'filesystem','f2','/data'),(40,'pool','q','tank'),"
        "(41,'vdev','w','tank/mirror-0'),(42,'filesystem','f3','/tank'),(43,'volume','v3','tank/"
        "x'),(50,'link','l','ata3');"
        "INSERT INTO edge(capture, parent, child) VALUES "
        "(1,10,1),(1,10,11),(1,11,2),(1,1,20),(1,2,21),(1,1,22),(1,20,30),"
        "(1,21,30),(1,30,31),(1,31,32),(1,30,32),(1,50,1),(1,12,3),"
        "(1,3,41),(1,5,41),(1,41,40),(1,40,42),(1,40,43),(1,43,42),(1,33,4),(1,4,34),(1,2,33),"
        "(2,1,40);"
        "INSERT INTO place(node, capture, boot, controller, bdf, mode, port) VALUES "
        "(1,1,0,10,'0000:00:17.0','ahci','3'),"
        "(3,1,0,12,'0000:02:00.0','nvme',NULL),(1,1,-1,12,'x','ahci','9');"
        "INSERT INTO pool(node, capture, name, state) VALUES (40,1,'tank','DEGRADED');"
        "INSERT INTO vdev(node, capture, pool, parent, name, class, is_leaf, state) VALUES "
        "(41,1,40,40,'mirror-0','data',0,"
        "'DEGRADED'),(3,1,40,41,'nvme0n1','data',1,'ONLINE'),(5,1,40,41,'777','data',1,'UNAVAIL');"
        "INSERT INTO raid_array(node, capture, name, kind, level, state, raid_disks, active_disks) VALUES "
        "(30,1,'md0','md',"
        "'raid1','active',2,1);"
        "INSERT INTO mount(node, capture, mountpoint, fstype) VALUES (32,1,'/','ext4');"
        "INSERT INTO setting(node, capture, boot, key, value, view) VALUES (1,1,0,'link_gbps','3.0','drive'),"
        "(1,1,0,'link_gbps','1.5','kernel'),(1,1,0,'link_max_gbps','6.0','drive'),(1,1,-1,'link_gbps','6.0','kernel');",
        (const int64_t[]){1, 2, 3, 4}, (const char *const[]){"sda", "sdb", "nvme0n1", "sdx"}, 4);
    assert_true(lies_on(d, "sda", "0000:00:17.0"));
    assert_true(lies_on(d, "sdb", "0000:00:17.0")); /* by way of a SCSI host, without a place */
    assert_true(lies_on(d, "nvme0n1", "PCI Express"));
    assert_string_equal(arena_cstr(arena, named(d, "sda")->port), "port 3");
    assert_true(lies_on(d, "md0", "sda") && lies_on(d, "md0", "sdb"));
    assert_true(lies_on(d, "/", "vg-root"));
    assert_false(lies_on(d, "/", "md0")); /* by way of the volume */
    assert_false(lies_on(d, "/tank", "tank"));
    assert_true(lies_on(d, "mirror-0", "777") && named(d, "777")->absent && named(d, "777")->trouble);
    assert_true(lies_on(d, "/data", "volume 0")); /* sdx is what the controller shows of it */
    for (size_t i = 0; i < d->map.nodes.count; i++) assert_false(str_is(d->map.nodes.items[i].name, "sdx"));
    assert_true(named(d, "tank")->trouble && named(d, "md0")->trouble && named(d, "md0")->active == 1);
    assert_true(fabs(named(d, "sda")->rate - 1.5) < 0.01); /* the kernel's word, of this boot */
    assert_true(fabs(named(d, "sda")->could - 6) < 0.01);
    assert_true(isnan(named(d, "sdb")->rate));
}

/* A guest lies on its volume, on the file system of its file or on the pool of its storage; where it is not told, nowhere. */
static void guests(void **state) {
    (void)state;
    Diagnosis *d = map_of(
        "INSERT INTO node(id, kind, key, label) VALUES (1,'drive','d1','sda'),(2,'volume','v','pve-vm--101--disk--0'),"
        "(3,'pool','q','rpool'),(4,'filesystem','f','/var/lib/vz'),(5,'filesystem','g','/');"
        "INSERT INTO edge(capture, parent, child) VALUES (1,1,2),(1,1,3),(1,1,4),(1,1,5);"
        "INSERT INTO mount(node, capture, mountpoint) VALUES (4,1,'/var/lib/vz'),(5,1,'/');"
        "INSERT INTO store(capture, kind, type, name, path, pool) VALUES (1,'pve','dir','local','/var/lib/vz',NULL),"
        "(1,'pve','zfspool','zfs','','rpool/data'),(1,'pve','dir','far','/srv/far',NULL);"
        "INSERT INTO guest_disk(capture, guest, slot, source) VALUES (1,'VM 101','scsi0','local-lvm:vm-101-disk-0'),"
        "(1,'VM 101','scsi1','local:101/vm-101-disk-0.qcow2'),(1,'VM 102','scsi0','zfs:vm-102-disk-0'),"
        "(1,'VM 103','scsi0','far:103/x.raw'),(1,'VM 104','vda','/var/lib/vz/images/x.qcow2');",
        (const int64_t[]){1}, (const char *const[]){"sda"}, 1);
    assert_true(lies_on(d, "VM 101", "pve-vm--101--disk--0"));
    assert_true(lies_on(d, "VM 101", "/var/lib/vz"));
    assert_true(lies_on(d, "VM 102", "rpool"));
    assert_true(lies_on(d, "VM 104", "/var/lib/vz"));
    for (size_t i = 0; i < d->map.nodes.count; i++) assert_false(str_is(d->map.nodes.items[i].name, "VM 103"));
}

/* Which of several enclosures a drive sits in is told, the only one of a controller is not; expanders always are. */
static void between_controller_and_drive(void **state) {
    (void)state;
    Diagnosis *d = map_of(
        "INSERT INTO node(id, kind, key, label) VALUES (1,'drive','d1','sda'),(2,'drive','d2','sdb'),(3,'drive','d3',"
        "'sdc'),(4,'drive','d4','sdd'),(5,'drive','d5','sde'),(10,'controller','c1','x'),(11,'controller','c2','y'),"
        "(12,'controller','c3','z');"
        "INSERT INTO edge(capture, parent, child) VALUES (1,10,1),(1,10,2),(1,11,3),(1,12,4),(1,12,5);"
        "INSERT INTO place(node, capture, boot, controller, mode, port, multiplier, expander, phy, slot, enclosure) "
        "VALUES "
        "(1,1,0,10,'sas','0',NULL,NULL,'0','1','E1'),(2,1,0,10,'sas','1',NULL,NULL,'1','1','E2'),"
        "(3,1,0,11,'sas','0',NULL,NULL,'0','4','E3'),(4,1,0,12,'sas',NULL,NULL,'0x5003','12','0','E4'),"
        "(5,1,0,12,'ahci','2','1',NULL,NULL,NULL,NULL);",
        (const int64_t[]){1, 2, 3, 4, 5}, (const char *const[]){"sda", "sdb", "sdc", "sdd", "sde"}, 5);
    assert_true(lies_on(d, "sda", "E1") && lies_on(d, "sdb", "E2") && lies_on(d, "E1", "x"));
    assert_true(lies_on(d, "sdc", "y"));
    assert_true(lies_on(d, "sdd", "0x5003") && lies_on(d, "0x5003", "z"));
    assert_string_equal(arena_cstr(arena, named(d, "sdd")->port), "phy 12");
    assert_true(lies_on(d, "sde", "2")); /* a port multiplier on port 2 */
    assert_string_equal(arena_cstr(arena, named(d, "sde")->port), "port 2.1");
    assert_string_equal(arena_cstr(arena, named(d, "sda")->slot), "1");
}

static void graph_with_circles(void **state) {
    (void)state;
    Diagnosis *d =
        map_of("INSERT INTO node(id, kind, key, label) VALUES "
               "(1,'drive','d1','sda'),(2,'volume','v1','a'),(3,'volume','v2','b'),"
               "(4,'volume','v3','c'),(5,'controller','c1','x'),(6,'controller','c2','y'),(7,'partition','p','sda1'),"
               "(8,'pool','q','tank'),(9,'array','r','volume 0');"
               "INSERT INTO edge(capture, parent, child) VALUES "
               "(1,1,7),(1,7,2),(1,2,3),(1,3,4),(1,4,2),(1,4,7),(1,5,6),(1,6,5),"
               "(1,5,1),(1,8,8),(1,2,8),(1,8,2),(1,9,1),(1,1,9);",
               (const int64_t[]){1}, (const char *const[]){"sda"}, 1);
    assert_true(d->map.nodes.count > 0);

    /* nothing at all */
    d = map_of("SELECT 1", NULL, NULL, 0);
    assert_int_equal(d->map.nodes.count, 0);
}

/* 20,000 volumes and 6,000 drives, all tied to one pool: bounded, and told. */
static void graph_without_end(void **state) {
    (void)state;
    enum { DRIVES = 6000 };
    int64_t *ids = arena_array(arena, int64_t, DRIVES);
    const char **names = arena_array(arena, const char *, DRIVES);
    for (size_t i = 0; i < DRIVES; i++) {
        ids[i] = (int64_t)i + 1;
        names[i] = arena_fmt(arena, "sd%zu", i);
    }
    Diagnosis *d = map_of(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO node(id, kind, "
        "key, "
        "label) SELECT i, 'drive', 'd' || i, 'sd' || i FROM n;"
        "WITH RECURSIVE n(i) AS (SELECT 10001 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) INSERT INTO node(id, "
        "kind, "
        "key, label) SELECT i, 'volume', 'v' || i, 'v' || i FROM n;"
        "INSERT INTO node(id, kind, key, label) VALUES (9000, 'pool', 'p', 'tank'), (9001, 'partition', 'q', 'part');"
        "INSERT INTO edge(capture, parent, child) SELECT 1, id, 9001 FROM node WHERE kind = 'drive';"
        "INSERT INTO edge(capture, parent, child) SELECT 1, id, 9000 FROM node WHERE kind = 'drive';"
        "INSERT INTO edge(capture, parent, child) SELECT 1, 9001, id FROM node WHERE kind = 'volume';"
        "INSERT INTO edge(capture, parent, child) SELECT 1, 9000, id FROM node WHERE kind = 'volume';",
        ids, names, DRIVES);
    assert_true(d->map.nodes.count <= HOST_MAP_NODES);
    assert_true(d->map.left_out >= 6000 + 20000 - HOST_MAP_NODES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(graph_of_a_host, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(guests, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(between_controller_and_drive, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(graph_with_circles, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(graph_without_end, arena_setup, arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
