/*
 * resolve.c - from facts about names to facts about things
 *
 * Runs once, after every upload was read. Order matters and is the order of facts_resolve() at the end of this file.
 */
#include "captures.h"
#include "drive_class.h"
#include "facts.h"
#include "identity.h"
#include "jobs.h"
#include "models.h"
#include "samples.h"
#include "spike_rhythm.h"
#include "views.h"
#include "write_runs.h"

#include "../base/times.h"

#include <math.h>

typedef struct Resolve {
    Facts *f;
    sqlite3 *db;
    Error *err;
    bool failed;
} Resolve;

static void sql(Resolve *r, const char *text) {
    if (r->failed) return;
    if (sqlite3_exec(r->db, text, NULL, NULL, NULL) != SQLITE_OK) {
        error_set(r->err, "resolving facts: %s", sqlite3_errmsg(r->db));
        r->failed = true;
    }
}

/* ---------------------------------------------------------------- boots and captures */

static const char *const boot_tables[] = {"ref",       "drive_name", "place",     "setting",
                                          "log_event", "episode",    "log_window"};

/* Counts the boots of the sources in temp table `last_boot` down by what it says. */
static void shift_boots(Resolve *r) {
    for (size_t i = 0; i < sizeof boot_tables / sizeof *boot_tables; i++) {
        char text[256];
        sqlite3_snprintf(sizeof text, text,
                         "UPDATE %s SET boot = boot - (SELECT last FROM last_boot WHERE src = %s.src) WHERE src IN"
                         " (SELECT src FROM last_boot)",
                         boot_tables[i], boot_tables[i]);
        sql(r, text);
    }
}

/*
 * Two logs of one capture need not end with the same boot: one was saved before a restart. By their boot ids, or as it ended before
 * the other one's boot began, the older one is an earlier boot; where another log holds that boot, too, it gets its number. A log
 * whose lines have no time since boot may be a part of a boot: its first line says nothing of a start.
 */
static void order_logs(Resolve *r) {
    sql(r,
        "DROP TABLE last_boot;"
        "CREATE TEMP TABLE last_boot AS WITH w AS (SELECT s.capture, w.src, w.boot, replace(w.boot_id, '-', '') AS "
        "boot_id, coalesce(w.first_s - w.first_mono_s, w.first_s) AS start_s, w.last_s, (w.first_mono_s IS NOT NULL OR "
        "w.start_present = 1) "
        "AS timed, replace(c.boot_id, '-', '') AS own FROM log_window w JOIN source s ON s.id = w.src JOIN capture c "
        "ON c.id = s.capture),"
        " now AS (SELECT *, row_number() OVER (PARTITION BY capture ORDER BY coalesce(boot_id = own, 0) DESC, start_s "
        "DESC, src) AS rank FROM w WHERE boot = 0),"
        " old AS (SELECT w.* FROM w JOIN now n ON n.capture = w.capture AND n.rank = 1 AND n.src <> w.src WHERE w.boot "
        "= 0 AND CASE WHEN w.boot_id IS NOT NULL AND n.boot_id IS NOT NULL THEN w.boot_id <> n.boot_id ELSE n.timed "
        "AND w.last_s < n.start_s END)"
        " SELECT o.src, coalesce((SELECT -max(n.boot) FROM w n WHERE n.capture = o.capture AND n.boot < 0 AND n.src "
        "<> o.src AND (n.boot_id = o.boot_id OR abs(n.start_s - o.start_s) < 120)), 1 + (SELECT count(DISTINCT "
        "coalesce(p.boot_id, CAST(p.start_s / 120 AS INTEGER))) FROM old p WHERE p.capture = o.capture AND "
        "p.start_s > o.start_s + 120)) AS last FROM old o GROUP BY o.src;"
        "CREATE INDEX temp.last_boot_src ON last_boot(src)");
    shift_boots(r);
    sql(r, "UPDATE source SET boot = -(SELECT last FROM last_boot WHERE src = source.id) WHERE id IN (SELECT src FROM "
           "last_boot)");
}

static void number_boots(Resolve *r) {
    /* Parsers count the boots of a piece upward from 0; the last one is the boot of the capture, or the one that
       `journalctl -b -1` names. */
    sql(r, "CREATE TEMP TABLE last_boot AS SELECT s.id AS src, max(coalesce(x.last, 0))"
           " + CASE WHEN s.command GLOB 'journalctl*-b -[1-9]*' OR s.command GLOB 'journalctl*-b-[1-9]*'"
           "   THEN max(1, abs(CAST(substr(s.command, instr(s.command, '-b') + 2) AS INTEGER))) ELSE 0 END AS last"
           " FROM source s LEFT JOIN (SELECT src, max(boot) AS last FROM log_window GROUP BY src UNION ALL SELECT src, "
           "max(boot) FROM log_event GROUP BY src"
           " UNION ALL SELECT src, max(boot) FROM ref GROUP BY src) x ON x.src = s.id GROUP BY s.id;"
           "DELETE FROM last_boot WHERE last <= 0; CREATE INDEX last_boot_src ON last_boot(src)");
    shift_boots(r);
    sql(r, "UPDATE source SET boot = -(SELECT last FROM last_boot WHERE src = source.id)"
           " WHERE command GLOB 'journalctl*-b -[1-9]*' OR command GLOB 'journalctl*-b-[1-9]*'");
    order_logs(r);
    sql(r, "INSERT INTO boot(capture, seq) SELECT DISTINCT s.capture, x.boot FROM (SELECT src, boot FROM log_window "
           "UNION SELECT src, boot FROM ref"
           " UNION SELECT id, 0 FROM source) x JOIN source s ON s.id = x.src WHERE s.capture IS NOT NULL AND x.boot IS "
           "NOT NULL");
    sql(r, "UPDATE boot SET boot_id = (SELECT boot_id FROM capture WHERE id = boot.capture) WHERE seq = 0;"
           "UPDATE boot SET boot_id = (SELECT max(substr(w.boot_id, 1, 8) || '-' || substr(w.boot_id, 9, 4) || '-' || "
           "substr(w.boot_id, 13, 4) || '-' || substr(w.boot_id, 17, 4) || '-' || substr(w.boot_id, 21)) FROM "
           "log_window w JOIN source s ON s.id = w.src WHERE "
           "s.capture = boot.capture AND w.boot = boot.seq) WHERE boot_id IS NULL;"
           "UPDATE capture SET boot_id = (SELECT boot_id FROM boot WHERE capture = capture.id AND seq = 0) WHERE "
           "boot_id IS "
           "NULL");
}

/* ---------------------------------------------------------------- names to nodes */

/*
 * An NVMe drive that is cut into namespaces is one drive with several kernel names, whose sizes add up. Which name said what is known
 * only here, before names become nodes. Of several sizes of one name one in whole sectors counts before a rounded one.
 */
static void namespace_sizes(Resolve *r) {
    sql(r, "CREATE TEMP TABLE namespace AS SELECT node, capture, name, bytes FROM (SELECT n.node, o.capture, n.name, "
           "CAST(s.value AS INTEGER) AS bytes, row_number() OVER (PARTITION BY n.node, o.capture, n.name ORDER BY "
           "CAST(s.value AS INTEGER) % 512 <> 0, CAST(s.value AS INTEGER) % 1000000000 = 0, s.src, s.line) AS rank"
           " FROM setting s JOIN ref n ON n.id = s.node JOIN source o ON o.id = s.src"
           " WHERE s.key = 'size_bytes' AND n.kind = 'disk' AND n.boot = 0 AND CAST(s.value AS INTEGER) > 0"
           " AND (n.name GLOB 'nvme[0-9]*n[0-9]*' OR n.name GLOB 'nvd[0-9]*' OR n.name GLOB 'nda[0-9]*')"
           " AND n.name NOT GLOB '*[cps][0-9]*') WHERE rank = 1");
}

static void whole_drives(Resolve *r) {
    sql(r,
        "UPDATE drive SET size_bytes = max(coalesce(size_bytes, 0), (SELECT sum(bytes) FROM namespace n WHERE n.node = "
        "drive.node AND n.capture = drive.capture)) WHERE (node, capture) IN (SELECT node, capture FROM namespace "
        "GROUP BY node, capture HAVING count(*) > 1); DROP TABLE namespace");
}

static void replace_refs(Resolve *r) {
    static const struct {
        const char *table, *column;
    } columns[] = {
        {"btrfs_fs", "node"},    {"btrfs_space", "node"},  {"nfs_op", "node"},     {"iscsi_session", "node"},
        {"drbd_volume", "node"}, {"file_layout", "node"},  {"drive_name", "node"}, {"place", "node"},
        {"place", "controller"}, {"pci_device", "node"},   {"setting", "node"},    {"counter", "node"},
        {"log_event", "node"},   {"pool", "node"},         {"vdev", "node"},       {"vdev", "pool"},
        {"vdev", "parent"},      {"pool_scan", "node"},    {"raid_array", "node"}, {"mount", "node"},
        {"benchmark", "node"},   {"edge", "parent"},       {"edge", "child"},      {"distribution", "node"},
        {"episode", "node"},     {"job", "node"},          {"swap", "node"},       {"cgroup_io", "node"},
        {"pool_event", "node"},  {"pool_event", "member"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[256];
        sqlite3_snprintf(sizeof text, text,
                         "UPDATE %s SET %s = (SELECT node FROM ref WHERE id = %s.%s) WHERE %s IS NOT NULL",
                         columns[i].table, columns[i].column, columns[i].table, columns[i].column, columns[i].column);
        sql(r, text);
    }
    static const char *const captured[] = {
        "btrfs_space", "ceph_osd",   "ceph_check",  "nfs_op",    "iscsi_session", "drbd_volume", "file_layout",
        "drive_name",  "place",      "pci_device",  "setting",   "counter",       "log_event",   "log_window",
        "pressure",    "pool",       "vdev",        "pool_scan", "raid_array",    "mount",       "benchmark",
        "edge",        "interrupt",  "process_io",  "job",       "store",         "swap",        "distribution",
        "guest",       "guest_disk", "guest_image", "cgroup_io", "statement",     "episode",     "pool_event",
        "btrfs_fs"}; /* samples_resolve() places its own */
    for (size_t i = 0; i < sizeof captured / sizeof *captured; i++) {
        char text[160];
        sqlite3_snprintf(sizeof text, text, "UPDATE %s SET capture = (SELECT capture FROM source WHERE id = %s.src)",
                         captured[i], captured[i]);
        sql(r, text);
    }
    /* Names of drives; a member of a pool is its drive, not the partition. */
    sql(r, "CREATE INDEX ref_node ON ref(node)");
    sql(r,
        "INSERT INTO drive_name(node, capture, boot, name, kind, src, line)"
        " SELECT DISTINCT n.id, s.capture, r.boot, r.name, CASE r.kind WHEN 'disk' THEN 'kernel' WHEN 'link' THEN"
        " CASE WHEN r.name GLOB 'pci-*' OR r.name GLOB 'platform-*' THEN 'by-path' ELSE 'by-id' END ELSE r.kind END,"
        " min(r.src), NULL FROM ref r JOIN node n ON n.id = r.node JOIN source s ON s.id = r.src WHERE n.kind = 'drive'"
        " AND r.kind IN ('disk','link','ata','scsi','member','usb') GROUP BY n.id, s.capture, r.boot, r.name, r.kind");
}

/* A partition's disk is its parent whether or not a tool drew the tree; leaves and vdevs lie above. */
static void partition_parents(Resolve *r) {
    sqlite3_stmt *st, *put;
    if (r->failed) return;
    if (sqlite3_prepare_v2(r->db,
                           "SELECT DISTINCT ref.node, ref.name, s.capture, ref.boot FROM ref JOIN node n ON n.id = "
                           "ref.node JOIN source s ON s.id = ref.src"
                           " WHERE n.kind = 'partition' AND ref.kind = 'disk'",
                           -1, &st, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(r->db,
                           "INSERT INTO edge(capture, parent, child) SELECT DISTINCT ?1, ref.node, ?2 FROM ref JOIN "
                           "source s ON s.id = ref.src"
                           " JOIN node n ON n.id = ref.node AND n.kind = 'drive' WHERE ref.kind = 'disk' AND ref.name "
                           "= ?3 AND s.capture = ?1"
                           " AND ref.boot = ?4",
                           -1, &put, NULL) != SQLITE_OK) {
        r->failed = true;
        error_set(r->err, "resolving partitions: %s", sqlite3_errmsg(r->db));
        return;
    }
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str base, name = {(const char *)sqlite3_column_text(st, 1), (size_t)sqlite3_column_bytes(st, 1)};
        if (name_class(name, &base) != NAME_PARTITION) continue;
        sqlite3_bind_int64(put, 1, sqlite3_column_int64(st, 2));
        sqlite3_bind_int64(put, 2, sqlite3_column_int64(st, 0));
        sqlite3_bind_text64(put, 3, base.p, base.len, SQLITE_TRANSIENT, SQLITE_UTF8);
        sqlite3_bind_int64(put, 4, sqlite3_column_int64(st, 3));
        sqlite3_step(put);
        sqlite3_reset(put);
    }
    sqlite3_finalize(st);
    sqlite3_finalize(put);
    /* Links such as partuuid or -part1 that only resolve to a partition: the leaf rests on that partition's disk. */
    sql(r, "UPDATE vdev SET node = (SELECT e.parent FROM edge e JOIN node d ON d.id = e.parent AND d.kind = 'drive' "
           "WHERE e.child = vdev.node"
           " AND e.capture = vdev.capture LIMIT 1) WHERE is_leaf = 1 AND (SELECT kind FROM node WHERE id = vdev.node) "
           "= 'partition'"
           " AND EXISTS (SELECT 1 FROM edge e JOIN node d ON d.id = e.parent AND d.kind = 'drive' WHERE e.child = "
           "vdev.node AND e.capture = vdev.capture)");
}

/*
 * How each leaf of a pool was tied to a drive of the capture. A row that shows a guid, or a kernel name that is another drive's by
 * now, was found by the label on the drive itself or by what the labels of its siblings remember.
 */
static void member_matches(Resolve *r) {
    sql(r,
        "CREATE TEMP TABLE own_label AS SELECT DISTINCT s.capture, a.name AS guid, coalesce((SELECT e.parent FROM edge "
        "e "
        "JOIN node d ON d.id = e.parent AND d.kind = 'drive' WHERE e.child = a.node AND e.capture = s.capture LIMIT 1),"
        " a.node) AS node FROM same_as x JOIN ref a ON a.id = x.a JOIN ref b ON b.id = x.b JOIN source s ON s.id = "
        "x.src"
        " WHERE x.how = 'zfs label' AND a.kind = 'member' AND b.kind = 'disk';"
        "CREATE INDEX temp.own_label_node ON own_label(node, capture);"
        "CREATE INDEX temp.own_label_guid ON own_label(guid, capture)");
    sql(r, "UPDATE vdev SET guid = name WHERE is_leaf = 1 AND guid IS NULL AND length(name) > 9 AND name NOT GLOB "
           "'*[^0-9]*'");
    sql(r, "CREATE TEMP TABLE leaf_name AS SELECT v.rowid AS row, v.node, v.capture, v.name, v.guid, CASE WHEN v.name "
           "LIKE "
           "'/dev/%' THEN substr(v.name, 6) ELSE v.name END AS bare FROM vdev v JOIN drive d ON d.node = v.node AND "
           "d.capture = "
           "v.capture WHERE v.is_leaf = 1;"
           "CREATE UNIQUE INDEX temp.leaf_name_row ON leaf_name(row)");
    sql(r, "UPDATE vdev SET matched_by = (SELECT CASE"
           " WHEN (length(l.name) > 9 AND l.name NOT GLOB '*[^0-9]*') OR (disk_of(l.bare) IS NOT NULL AND NOT EXISTS "
           "(SELECT 1 FROM "
           "drive_name x WHERE x.node = l.node AND x.capture = l.capture AND x.boot = 0 AND x.kind = 'kernel' AND"
           " x.name = disk_of(l.bare)))"
           " THEN CASE WHEN EXISTS (SELECT 1 FROM temp.own_label o WHERE o.node = l.node AND o.capture = l.capture AND "
           "(l.guid "
           "IS NULL OR o.guid = l.guid)) THEN 'guid' ELSE 'devid' END"
           " WHEN l.name GLOB '*pci-*' OR l.name GLOB '*by-path/*' THEN 'path' ELSE 'name' END"
           " FROM temp.leaf_name l WHERE l.row = vdev.rowid) WHERE rowid IN (SELECT row FROM temp.leaf_name)");
    sql(r, "UPDATE vdev SET guid = (SELECT min(o.guid) FROM temp.own_label o WHERE o.node = vdev.node AND o.capture = "
           "vdev.capture HAVING count(DISTINCT o.guid) = 1) WHERE is_leaf = 1 AND guid IS NULL AND matched_by IS NOT "
           "NULL");
}

/* A member that cannot be opened and that nothing but the pool's own memory speaks of is no drive of this capture. */
static void missing_members(Resolve *r) {
    sql(r,
        "DELETE FROM drive WHERE NOT EXISTS (SELECT 1 FROM ref JOIN source s ON s.id = ref.src WHERE ref.node = "
        "drive.node AND "
        "s.capture = drive.capture AND ref.boot = 0 AND ref.kind NOT IN ('member', 'link'))"
        " AND EXISTS (SELECT 1 FROM vdev v WHERE v.node = drive.node AND v.capture = drive.capture AND v.is_leaf = 1)"
        " AND NOT EXISTS (SELECT 1 FROM vdev v WHERE v.node = drive.node AND v.capture = drive.capture AND v.is_leaf = "
        "1"
        " AND coalesce(v.state, 'ONLINE') NOT IN ('UNAVAIL', 'REMOVED'))");
    /* sysfs has an ata_device for every port, with or without a drive. */
    sql(r,
        "DELETE FROM drive WHERE NOT EXISTS (SELECT 1 FROM ref JOIN source s ON s.id = ref.src WHERE ref.node = "
        "drive.node AND "
        "s.capture = drive.capture AND ref.boot = 0 AND ref.kind NOT IN ('ata', 'scsihost'))"
        " AND NOT EXISTS (SELECT 1 FROM setting s WHERE s.node = drive.node AND s.capture = drive.capture AND s.key IN "
        "('model', 'serial', 'size_bytes', 'device_type', 'firmware', 'ncq_depth', 'wwn'))"
        " AND NOT EXISTS (SELECT 1 FROM log_event e WHERE e.node = drive.node AND e.capture = drive.capture AND "
        "coalesce(e.severity, 'info') NOT IN ('info', 'noise'))");
}

/*
 * Names under which something remembers a drive, whether it still has them or not. Only what can be tied to a drive by more than the name
 * is here: the guid or devid of a pool's member, or the identity that a log of an earlier boot shows.
 */
static void recorded_names(Resolve *r) {
    sql(r, "INSERT INTO recorded_name(node, capture, name, recorded_by, matched_by, src, line)"
           " SELECT node, capture, disk_of(CASE WHEN x LIKE '/dev/%' THEN substr(x, 6) ELSE x END), 'zpool status', "
           "matched_by, "
           "src, line FROM (SELECT v.*, CASE WHEN v.was IS NOT NULL THEN v.was ELSE v.name END AS x FROM vdev v WHERE "
           "v.is_leaf "
           "= 1 AND v.matched_by IN ('guid', 'devid'))");
    sql(r,
        "INSERT INTO recorded_name(node, capture, name, recorded_by, matched_by, src, line)"
        " SELECT d.node, d.capture, disk_of(substr(s.value, 6)), 'zfs label', 'guid', s.src, s.line FROM setting s"
        " JOIN drive d ON d.capture = s.capture AND (d.node = s.node OR EXISTS (SELECT 1 FROM edge e WHERE e.capture = "
        "s.capture AND e.parent = d.node AND e.child = s.node AND (SELECT kind FROM node WHERE id = s.node) = "
        "'partition'))"
        " WHERE s.key = 'zfs_label_path' AND s.value LIKE '/dev/%' AND EXISTS (SELECT 1 FROM setting p WHERE p.capture "
        "= "
        "s.capture AND p.node = s.node AND p.src = s.src AND p.key = 'zfs_pool_state' AND p.value = 'active')");
    sql(r, "INSERT INTO recorded_name(node, capture, name, recorded_by, matched_by, boot, src, line)"
           " SELECT x.node, x.capture, x.name, 'kernel log', 'serial or wwn', x.boot, x.src, (SELECT min(s.line) FROM "
           "setting s "
           "WHERE s.node = x.node AND s.src = x.src AND s.boot = x.boot) FROM drive_name x JOIN drive d ON d.node = "
           "x.node AND "
           "d.capture = x.capture WHERE x.boot < 0 AND x.kind = 'kernel' AND d.identity IN ('wwn+serial', 'serial', "
           "'wwn') AND "
           "disk_of(x.name) = x.name");
    /* A member that is open under a name that stays has been found already, whatever a label read before says. */
    sql(r, "DELETE FROM recorded_name WHERE name IS NULL OR NOT EXISTS (SELECT 1 FROM drive_name x WHERE x.node = "
           "recorded_name.node AND x.capture = recorded_name.capture AND x.boot = 0 AND x.kind = 'kernel')"
           " OR (recorded_by = 'zfs label' AND EXISTS (SELECT 1 FROM vdev v WHERE v.node = recorded_name.node AND "
           "v.capture = "
           "recorded_name.capture AND v.is_leaf = 1 AND v.state = 'ONLINE' AND disk_of(CASE WHEN v.name LIKE '/dev/%' "
           "THEN "
           "substr(v.name, 6) ELSE v.name END) IS NOT recorded_name.name))");
    sql(r,
        "UPDATE recorded_name SET stale = NOT EXISTS (SELECT 1 FROM drive_name x WHERE x.node = recorded_name.node AND "
        "x.capture = recorded_name.capture AND x.boot = 0 AND x.kind = 'kernel' AND x.name = recorded_name.name)");
    sql(r, "UPDATE recorded_name SET holder = (SELECT x.node FROM drive_name x JOIN drive d ON d.node = x.node AND "
           "d.capture = "
           "x.capture WHERE x.capture = recorded_name.capture AND x.boot = 0 AND x.kind = 'kernel' AND x.name = "
           "recorded_name.name LIMIT 1)");
}

/*
 * Volumes of RAID controllers: the controller that a vendor's tool numbers is the PCI function with such a driver if there is one of
 * each, and the disk that the system sees lies above its volume. It is told by its WWN, or by its SCSI address: logical drives of
 * megaraid_sas are targets on channel 2, those of aacraid on channel 0. Source: Linux drivers/scsi/megaraid/megaraid_sas_base.c
 * (MEGASAS_IS_LOGICAL), drivers/scsi/aacraid/linit.c.
 */
static void raid_volumes(Resolve *r) {
#define VOLUMES "('megaraid','smartarray','adaptec')"
    sql(r,
        "INSERT INTO edge(capture, parent, child) WITH tool AS (SELECT DISTINCT s.capture, s.node FROM setting s JOIN "
        "node n ON n.id = s.node AND n.kind = 'controller' WHERE s.key GLOB 'raid_*' UNION SELECT e.capture, e.parent "
        "FROM edge e JOIN node n ON n.id = e.parent AND n.kind = 'controller' JOIN raid_array a ON a.node = e.child "
        "AND a.capture = e.capture AND a.kind IN " VOLUMES "), pci AS (SELECT DISTINCT capture, node FROM pci_device "
        "WHERE mode = 'raid' AND mode_by = 'driver')"
        " SELECT t.capture, min(p.node), min(t.node) FROM tool t JOIN pci p ON p.capture = t.capture WHERE t.node NOT "
        "IN (SELECT node FROM pci_device x WHERE x.capture = t.capture AND x.node IS NOT NULL) GROUP BY t.capture"
        " HAVING count(DISTINCT t.node) = 1 AND count(DISTINCT p.node) = 1");
    sql(r, "INSERT INTO edge(capture, parent, child, src, line) SELECT s.capture, s.node, d.node, min(s.src), "
           "first_line(s.src, s.line) FROM setting s JOIN drive d ON d.capture = s.capture AND d.wwn = s.value WHERE "
           "s.key = 'raid_volume_wwn' AND d.node <> s.node GROUP BY s.capture, s.node, d.node");
    sql(r,
        "INSERT INTO edge(capture, parent, child, src, line) WITH told AS (SELECT DISTINCT s.capture, s.node, s.value, "
        "min(s.src) AS src, first_line(s.src, s.line) AS line FROM setting s WHERE s.key = 'raid_target' GROUP BY "
        "s.capture, s.node, s.value), seen AS (SELECT DISTINCT p.capture, p.node, p.controller, substr(p.hctl, "
        "instr(p.hctl, ':') + 1) AS ctl FROM place p JOIN pci_device c ON c.capture = p.capture AND c.node = "
        "p.controller WHERE p.boot = 0 AND p.hctl IS NOT NULL AND c.driver IN ('megaraid_sas', 'aacraid')"
        /* where the controllers were not listed: nothing but these has a channel 2 */
        " UNION SELECT DISTINCT x.capture, x.node, NULL, substr(x.value, instr(x.value, ':') + 1) FROM setting x JOIN "
        "drive d ON d.node = x.node AND d.capture = x.capture WHERE x.key = 'hctl' AND x.boot = 0 AND x.value LIKE "
        "'%:2:%:0' AND NOT EXISTS (SELECT 1 FROM pci_device c WHERE c.capture = x.capture))"
        " SELECT t.capture, t.node, min(d.node), t.src, t.line FROM told t JOIN seen d ON d.capture = t.capture AND "
        "d.ctl = t.value || ':0' WHERE (EXISTS (SELECT 1 FROM edge e WHERE e.capture = t.capture AND e.child = "
        "t.node AND e.parent = d.controller) OR (SELECT count(DISTINCT controller) FROM seen x WHERE x.capture = "
        "t.capture) <= 1) AND NOT EXISTS (SELECT 1 FROM edge e JOIN raid_array a ON a.node = e.parent AND a.capture = "
        "e.capture WHERE e.capture = t.capture AND (e.child = d.node OR (e.parent = t.node AND e.child IN (SELECT "
        "node FROM drive)))) GROUP BY t.capture, t.node, t.src, t.line HAVING count(DISTINCT d.node) = 1");
    /* MegaCli names the groups of drives but not of volumes: with one volume, all drives in use are its. */
    sql(r, "INSERT INTO edge(capture, parent, child, src, line) WITH one AS (SELECT e.capture, e.parent AS ctl, "
           "min(e.child) AS volume FROM edge e JOIN raid_array a ON a.capture = e.capture AND a.node = e.child AND "
           "a.kind = 'megaraid' GROUP BY e.capture, e.parent HAVING count(DISTINCT e.child) = 1)"
           " SELECT o.capture, e.child, o.volume, min(s.src), first_line(s.src, s.line) FROM one o JOIN edge e ON "
           "e.capture = o.capture AND e.parent = o.ctl JOIN setting s ON s.capture = e.capture AND s.node = e.child "
           "AND s.key = 'raid_pd_state' AND s.value IN ('online', 'rebuilding', 'copyback')"
           " WHERE NOT EXISTS (SELECT 1 FROM edge x JOIN raid_array a ON a.capture = x.capture AND a.node = x.child "
           "WHERE x.capture = o.capture AND x.parent = e.child) GROUP BY o.capture, e.child, o.volume");
}

/* Drives that only the controller's tool, or smartctl through the controller, can name. */
static void raid_members(Resolve *r) {
    sql(r, "UPDATE drive AS d SET behind_raid = 'raid controller', is_virtual = 0 WHERE behind_raid IS NULL AND "
           "(EXISTS (SELECT 1 FROM setting s WHERE s.capture = d.capture AND s.node = d.node AND s.key = 'raid_slot')"
           " OR EXISTS (SELECT 1 FROM edge e JOIN raid_array a ON a.capture = e.capture AND a.node = e.child WHERE "
           "e.capture = d.capture AND e.parent = d.node AND a.kind IN " VOLUMES
           ")) AND NOT EXISTS (SELECT 1 FROM drive_name n WHERE n.capture = d.capture AND n.node = d.node AND n.boot = "
           "0 AND n.kind = 'kernel' AND instr(n.name, '[') = 0)");
    sql(r, "UPDATE drive AS d SET behind_raid = 'raid controller', is_virtual = 1 WHERE behind_raid IS NULL AND EXISTS "
           "(SELECT 1 FROM edge e JOIN raid_array a ON a.capture = e.capture AND a.node = e.parent WHERE e.capture = "
           "d.capture AND e.child = d.node AND a.kind IN " VOLUMES ")");
    /* A kernel log alone: what calls itself a volume, at a controller whose driver logs as a RAID controller's. */
    sql(r,
        "UPDATE drive AS d SET behind_raid = 'raid controller' WHERE behind_raid IS NULL AND is_virtual = 1 AND "
        "coalesce(bus, '') <> 'virtio' AND EXISTS (SELECT 1 FROM place p JOIN log_event l ON l.capture = p.capture AND "
        "l.node = p.controller WHERE p.capture = d.capture AND p.node = d.node AND p.boot = 0 AND l.event IN "
        "('raid-controller-reset', 'raid-controller-event', 'raid-controller-timeout')) AND NOT EXISTS (SELECT 1 FROM "
        "setting v WHERE v.capture = d.capture AND v.key = 'virtualization' AND v.value NOT IN ('none', ''))");
    /* A volume is as slow as its drives at worst, so their threshold is its own. */
    sql(r,
        "UPDATE drive AS d SET slow_wait_ms = (SELECT max(m.slow_wait_ms) FROM edge v JOIN raid_array a ON a.capture = "
        "v.capture AND a.node = v.parent AND a.kind IN " VOLUMES
        " JOIN edge p ON p.capture = v.capture AND p.child = a.node JOIN drive m ON m.capture = p.capture AND m.node = "
        "p.parent WHERE v.capture = d.capture AND v.child = d.node) WHERE slow_wait_ms IS NULL AND is_virtual = 1");
}
#undef VOLUMES

/* A filesystem mounted from a partition, array, volume or pool dataset lies above it. */
static void topology(Resolve *r) {
    sql(r, "DELETE FROM edge WHERE parent IS NULL OR child IS NULL OR parent = child");
    /* host - controller - drive, from the places */
    sql(r, "INSERT INTO edge(capture, parent, child, src, line) SELECT p.capture, p.controller, p.node, p.src, p.line "
           "FROM place p"
           " WHERE p.controller IS NOT NULL AND p.boot = 0 AND p.controller <> p.node");
    sql(r, "INSERT INTO edge(capture, parent, child) SELECT DISTINCT h.capture, h.node, p.controller FROM place p JOIN "
           "host h ON h.capture = p.capture"
           " WHERE p.controller IS NOT NULL AND p.boot = 0 AND p.controller <> p.node");
    /* The question for each drive below would otherwise walk all edges: a minute for 20 000 names made up in a pool. */
    sql(r, "CREATE INDEX IF NOT EXISTS edge_child ON edge(capture, child)");
    sql(r, "INSERT INTO edge(capture, parent, child) SELECT d.capture, h.node, d.node FROM drive d JOIN host h ON "
           "h.capture = d.capture"
           " WHERE NOT EXISTS (SELECT 1 FROM edge e WHERE e.capture = d.capture AND e.child = d.node)");
    /* leaves - vdevs - pools */
    sql(r, "INSERT INTO edge(capture, parent, child, src, line) SELECT capture, node, coalesce(parent, pool), src, "
           "line FROM vdev"
           " WHERE node IS NOT NULL AND coalesce(parent, pool) IS NOT NULL AND node <> coalesce(parent, pool)");
    /* A btrfs lies on all its devices, though it is mounted by one of them. Bounded: a made-up list may give thousands one UUID. */
    sql(r, "CREATE TEMP TABLE btrfs_part AS SELECT DISTINCT u.capture, u.value AS uuid, u.node FROM setting u JOIN "
           "setting t ON t.capture = u.capture AND t.node = u.node AND t.key = 'fs_type' AND t.value = 'btrfs' WHERE "
           "u.key = 'fs_uuid' AND u.node IS NOT NULL;"
           "INSERT INTO edge(capture, parent, child) SELECT p.capture, p.node, m.child FROM btrfs_part p JOIN (SELECT "
           "DISTINCT o.capture, o.uuid, e.child FROM btrfs_part o JOIN edge e ON e.capture = o.capture AND e.parent = "
           "o.node JOIN mount x ON x.capture = e.capture AND x.node = e.child AND x.fstype = 'btrfs' LIMIT 2000) m ON "
           "m.capture = p.capture AND m.uuid = p.uuid LIMIT 20000; DROP TABLE btrfs_part");
    sql(r, "CREATE TEMP TABLE edge_once AS SELECT capture, parent, child, min(src) AS src, first_line(src, line) AS "
           "line FROM edge "
           "GROUP BY capture, parent, child;"
           "DELETE FROM edge; INSERT INTO edge(capture, parent, child, src, line) SELECT capture, parent, child, src, "
           "line FROM edge_once"
           " ORDER BY capture, parent, child; DROP TABLE edge_once;");
    sql(r, "CREATE INDEX IF NOT EXISTS edge_parent ON edge(capture, parent)");
    /* UNION (not UNION ALL) ends on cycles, which a damaged tree can hold; the depth is bounded as well. */
    sql(r,
        "INSERT OR IGNORE INTO reach(capture, below, above, depth)"
        " WITH RECURSIVE walk(capture, below, above, depth) AS ("
        " SELECT DISTINCT capture, parent, parent, 0 FROM edge UNION SELECT DISTINCT capture, child, child, 0 FROM edge"
        " UNION SELECT w.capture, w.below, e.child, w.depth + 1 FROM walk w JOIN edge e ON e.capture = w.capture AND "
        "e.parent = w.above"
        " WHERE w.depth < 12)"
        " SELECT capture, below, above, min(depth) FROM walk GROUP BY capture, below, above");
    sql(r, "INSERT OR IGNORE INTO reach(capture, below, above, depth) SELECT capture, node, node, 0 FROM drive UNION "
           "SELECT capture, node, node, 0 FROM pool"
           " UNION SELECT capture, node, node, 0 FROM host");
}

/*
 * Where a pool names its members by what they are, and other outputs name disks by sdX alone, nobody says which is which. But where the
 * only pool has as many members as there are such disks, and no other disk is there, they are the same: the pool rests on all of them.
 * No edge, and after the comparison of peers: whose row is whose stays unknown.
 */
static void unnamed_members(Resolve *r) {
    sql(r,
        "INSERT OR IGNORE INTO reach(capture, below, above, depth) WITH leaf AS (SELECT DISTINCT capture, node FROM "
        "vdev WHERE is_leaf = 1), each_one AS (SELECT d.capture, d.node, l.node IS NOT NULL AS is_member, "
        "EXISTS (SELECT 1 FROM drive_name n WHERE n.capture = d.capture AND n.node = d.node AND n.boot = 0 AND n.kind "
        "= 'kernel') AS has_name, d.identity, d.bus FROM drive d LEFT JOIN leaf l ON l.capture = d.capture AND l.node "
        "= "
        "d.node), fits AS (SELECT capture FROM each_one GROUP BY capture HAVING sum(is_member) >= 2 AND "
        "2 * sum(is_member) = count(*) AND min(is_member + has_name) = 1 AND max(is_member + has_name) = 1 AND "
        "min(is_member OR (identity = 'name' AND bus IS NULL)) = 1)"
        " SELECT e.capture, e.node, p.node, 1 FROM fits f JOIN each_one e ON e.capture = f.capture AND NOT e.is_member "
        "JOIN pool p ON p.capture = f.capture WHERE (SELECT count(*) FROM pool o WHERE o.capture = f.capture) = 1");
}

bool facts_topology(Facts *f, Error *err) {
    Resolve r = {.f = f, .db = facts_db(f), .err = err};
    topology(&r);
    return !r.failed;
}

static void hosts(Resolve *r) {
    sql(r, "INSERT INTO node(kind, key, label) SELECT 'host', CASE WHEN (SELECT count(*) FROM capture) > 1 THEN "
           "'host@' || c.id ELSE 'host' END, 'host'"
           " FROM capture c WHERE true ON CONFLICT(key) DO NOTHING");
    sql(r, "INSERT INTO host(node, capture) SELECT n.id, c.id FROM capture c JOIN node n ON n.key = CASE WHEN (SELECT "
           "count(*) FROM capture) > 1"
           " THEN 'host@' || c.id ELSE 'host' END");
    sql(r,
        "UPDATE node SET label = coalesce((SELECT s.value FROM setting s JOIN host h ON h.node = s.node AND h.capture "
        "= s.capture"
        " WHERE s.key = 'hostname' AND s.node = node.id ORDER BY s.src, s.line LIMIT 1), label) WHERE kind = 'host'");
    sql(r, "UPDATE bundle SET"
           " host = coalesce(host, (SELECT s.value FROM setting s JOIN host h ON h.node = s.node JOIN capture c ON "
           "c.id = h.capture WHERE c.bundle = bundle.id AND s.key = 'hostname' ORDER BY s.src, s.line LIMIT 1)),"
           " os = coalesce(os, (SELECT s.value FROM setting s JOIN host h ON h.node = s.node JOIN capture c ON c.id = "
           "h.capture WHERE c.bundle = bundle.id AND s.key = 'os_name' ORDER BY s.src, s.line LIMIT 1)),"
           " kernel = coalesce(kernel, (SELECT s.value FROM setting s JOIN host h ON h.node = s.node JOIN capture c ON "
           "c.id = h.capture WHERE c.bundle = bundle.id AND s.key = 'kernel_release' AND s.boot = 0 ORDER BY s.src, "
           "s.line LIMIT 1))");
}

/* ---------------------------------------------------------------- controllers and places */

/*
 * The driver that runs a function decides, else its class. A device id or name with "IDE" in it does not: Linux switches several
 * AMD chips to AHCI by itself (quirk_amd_ide_mode in drivers/pci/quirks.c) and leaves the id, which names the IDE mode, alone.
 */
static void controller_mode(Resolve *r) {
    sql(r, "UPDATE pci_device SET mode_by = 'driver', mode = CASE"
           " WHEN driver = 'ahci' OR driver = 'sata_ahci' THEN 'ahci'"
           " WHEN driver GLOB 'ata_piix*' OR driver GLOB 'pata_*' OR driver IN "
           "('ata_generic','ide-pci-generic','piix','atapci') THEN 'ide'"
           " WHEN driver IN ('nvme','nvd','nda') THEN 'nvme'"
           " WHEN driver IN "
           "('mpt2sas','mpt3sas','mptsas','mps','mpr','isci','pm80xx','mvsas','hisi_sas_v3_hw','esas2r') THEN "
           "'sas'"
           " WHEN driver IN "
           "('megaraid_sas','aacraid','hpsa','smartpqi','arcmsr','cciss','mfi','mrsas','3w-9xxx','3w-sas','twa','tws','"
           "aac') THEN "
           "'raid' END WHERE mode IS NULL");
    sql(r, "UPDATE pci_device SET mode_by = 'class', mode = CASE"
           " class_code WHEN '0101' THEN 'ide' WHEN '0106' THEN 'ahci' WHEN '0104' THEN 'raid'"
           " WHEN '0108' THEN 'nvme' WHEN '0107' THEN 'sas' END WHERE mode IS NULL");
    sql(r, "UPDATE pci_device SET mode_by = NULL WHERE mode IS NULL");
    /* Red Hat's and QEMU's, VMware's, VirtualBox's, Hyper-V's and Parallels' own ids; QEMU's and VirtualBox's PIIX has Intel's. */
    sql(r,
        "UPDATE pci_device SET emulated = 1 WHERE vendor_id IN ('1af4', '1b36', '15ad', '80ee', '1414', '1ab8') OR "
        "subsystem GLOB "
        "'1af4:*' OR subsystem GLOB '15ad:*' OR subsystem GLOB '80ee:*' OR (vendor_id = '8086' AND device_id IN "
        "('7010', "
        "'7111', '2922', '2829') AND EXISTS (SELECT 1 FROM setting v WHERE v.capture = pci_device.capture AND v.key = "
        "'virtualization' AND v.value NOT IN ('none', '')))");
}

/* Setting of a node in the boot of the capture: the word of the drive before the kernel's, the later line of one piece first. */
#define BEST(key_)                                                                                                     \
    "(SELECT value FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.key = '" key_                  \
    "' AND s.boot = 0 ORDER BY CASE view WHEN 'drive' THEN 0 WHEN 'kernel' THEN 1 ELSE 2 END, src, line DESC LIMIT 1)"
#define PLACE_FACTS                                                                                                    \
    ", " BEST("pci") ", " BEST("port") ", " BEST("ata_port") ", " BEST("hctl") ", " BEST("slot") ", " BEST(            \
        "enclosure") ", " BEST("multiplier") ", " BEST("expander") ", " BEST("phy")
/* Where the place of a drive was read: its address before the rest. */
#define SAID_BY(column_)                                                                                               \
    ", (SELECT " column_ " FROM setting s WHERE s.node = d.node AND s.capture = d.capture AND s.boot = 0"              \
    " AND s.key IN ('pci', 'hctl', 'ata_port', 'port') ORDER BY s.key <> 'pci', src, line LIMIT 1)"

/*
 * Which axis a place is counted on. In IDE mode a SATA function shows two channels with a master and a slave each, wired to the
 * ports as the chipset likes: its numbers are no port numbers, so they never stand in `port`.
 */
static void place_axes(Resolve *r) {
    sql(r,
        "UPDATE place SET mode = CASE"
        " WHEN EXISTS (SELECT 1 FROM setting s WHERE s.node = place.node AND s.capture = place.capture AND s.key = "
        "'transport' AND s.value = 'usb') THEN 'usb'"
        " ELSE coalesce((SELECT p.mode FROM pci_device p WHERE p.bdf = place.bdf AND p.capture = place.capture AND "
        "p.mode "
        "IS NOT NULL ORDER BY p.driver IS NULL, p.src, p.line LIMIT 1),"
        " (SELECT s.value FROM setting s WHERE s.node = place.node AND s.capture = place.capture AND s.boot = 0 AND "
        "s.key "
        "= 'sata_mode_seen' ORDER BY s.src, s.line LIMIT 1),"
        " CASE WHEN EXISTS (SELECT 1 FROM drive d WHERE d.node = place.node AND d.capture = place.capture AND d.name "
        "GLOB 'nvme[0-9]*') THEN 'nvme' WHEN expander IS NOT NULL OR phy IS NOT NULL THEN 'sas' END) END");
    sql(r, "UPDATE place SET channel = port, port = NULL WHERE mode = 'ide'");
    sql(r, "UPDATE place AS p SET unit = (SELECT CASE s.value WHEN '00' THEN 'master' WHEN '01' THEN 'slave' END FROM "
           "setting s"
           " WHERE s.node = p.node AND s.capture = p.capture AND s.boot = 0 AND s.key = 'ata_dev' ORDER BY s.src, "
           "s.line DESC "
           "LIMIT 1) WHERE mode = 'ide'");
    /* Behind a multiplier the device number of libata is the link: told by a link above 1, which no master or slave has. */
    sql(r, "UPDATE place AS p SET multiplier = (SELECT CAST(CAST(s.value AS INTEGER) AS TEXT) FROM setting s WHERE "
           "s.node = "
           "p.node AND s.capture = p.capture AND s.boot = 0 AND s.key = 'ata_dev' ORDER BY s.src, s.line DESC LIMIT 1)"
           " WHERE p.multiplier IS NULL AND coalesce(p.mode, '') <> 'ide' AND p.ata IS NOT NULL AND (EXISTS (SELECT 1 "
           "FROM "
           "place q JOIN setting s ON s.node = q.node AND s.capture = q.capture AND s.boot = 0 AND s.key = 'ata_dev'"
           " WHERE q.capture = p.capture AND q.ata = p.ata AND CAST(s.value AS INTEGER) > 1)"
           " OR EXISTS (SELECT 1 FROM ref JOIN source s ON s.id = ref.src WHERE s.capture = p.capture AND ref.boot = 0 "
           "AND "
           "ref.kind = 'ata' AND ref.name = p.ata || '.15'))");
    /* An NVMe drive sits in the slot of its own function; the slot of an HBA is nobody's bay. */
    sql(r, "UPDATE place SET slot = (SELECT s.value FROM setting s JOIN pci_device x ON x.node = s.node AND x.capture "
           "= s.capture "
           "WHERE s.capture = place.capture AND s.key = 'slot' AND x.bdf = place.bdf ORDER BY s.src, s.line LIMIT 1) "
           "WHERE slot "
           "IS NULL AND mode = 'nvme'");
    sql(r, "UPDATE place SET port = NULL WHERE expander IS NOT NULL AND phy IS NOT NULL AND mode = 'sas'");
    sql(r, "UPDATE place SET port = phy WHERE port IS NULL AND expander IS NULL AND mode IN ('sas', 'raid')");
}

/* What was said of a USB device holds for the disks on it, and a disk on mps0 hangs on that controller's PCI function. */
static void facts_of_parents(Resolve *r) {
    sql(r,
        "INSERT INTO setting(node, capture, boot, key, value, view, src, line) SELECT DISTINCT e.child, s.capture, "
        "s.boot, s.key, s.value, s.view, s.src, s.line FROM edge e JOIN node n ON n.id = e.parent AND n.kind = 'link'"
        " JOIN drive d ON d.node = e.child AND d.capture = e.capture JOIN setting s ON s.node = e.parent AND "
        "s.capture = e.capture"
        " WHERE s.key IN ('usb_id', 'usb_driver', 'usb_version', 'usb_superspeed', 'usb_power_ma', 'link_gbps') AND "
        "EXISTS (SELECT 1 FROM setting t WHERE t.node = d.node AND t.capture = d.capture AND t.key = 'transport' AND "
        "t.value = 'usb')"
        " AND NOT EXISTS (SELECT 1 FROM setting t WHERE t.node = e.child AND t.capture = e.capture AND t.key = s.key)");
    sql(r,
        "INSERT INTO setting(node, capture, boot, key, value, view, src, line) SELECT e.child, e.capture, 0, 'pci', "
        "x.bdf, 'kernel', min(e.src), first_line(e.src, e.line) FROM edge e JOIN pci_device x ON x.node = e.parent AND "
        "x.capture = "
        "e.capture"
        " JOIN drive d ON d.node = e.child AND d.capture = e.capture WHERE x.bdf IS NOT NULL AND substr(x.class_code, "
        "1, 2) = '01' AND NOT EXISTS (SELECT 1 FROM setting t WHERE t.node = e.child AND t.capture = e.capture AND "
        "t.key = 'pci') GROUP BY e.child, e.capture HAVING count(DISTINCT x.bdf) = 1");
}

static void places(Resolve *r) {
    /* Which bridge a function hangs on stands in FreeBSD's kernel log, the bridge's address in pciconf. */
    sql(r,
        "UPDATE pci_device SET upstream_bdf = (SELECT max(p.bdf) FROM setting s JOIN pci_device p ON p.capture = "
        "s.capture AND p.unit = substr(s.value, instr(s.value, '=') + 1) WHERE s.key = 'pci_parent' AND s.boot = 0 "
        "AND s.capture = pci_device.capture AND substr(s.value, 1, instr(s.value, '=') - 1) = pci_device.unit) WHERE "
        "upstream_bdf IS NULL AND unit IS NOT NULL");
    /* FreeBSD's NVMe drives have no device path: the driver's name for the function is the drive's. */
    sql(r, "INSERT INTO setting(node, capture, boot, key, value, view, src, line) SELECT n.node, x.capture, 0, 'pci', "
           "x.bdf, "
           "'kernel', x.src, x.line FROM pci_device x JOIN drive_name n ON n.capture = x.capture AND n.boot = 0 AND "
           "n.name = x.unit AND n.kind = 'kernel' WHERE x.driver = 'nvme' AND x.bdf IS NOT NULL GROUP BY n.node, "
           "x.capture, x.bdf");
    /* A controller is the node of its PCI address; one that only a drive's path names gets a node, too. */
    sql(r, "INSERT INTO node(kind, key, label) SELECT DISTINCT 'controller', 'controller:' || s.value || CASE WHEN "
           "(SELECT count(*) FROM capture) > 1"
           " THEN '@' || s.capture ELSE '' END, s.value FROM setting s WHERE s.key = 'pci' AND s.value IS NOT NULL ON "
           "CONFLICT(key) DO NOTHING");
    sql(r, "INSERT INTO place(node, capture, boot, bdf, port, ata, hctl, slot, enclosure, multiplier, expander, phy,"
           " src, line) SELECT d.node, d.capture, 0" PLACE_FACTS SAID_BY("src") SAID_BY("line") " FROM drive d");
    sql(r, "UPDATE place SET controller = (SELECT id FROM node WHERE key = 'controller:' || place.bdf || CASE WHEN "
           "(SELECT count(*) FROM capture) > 1"
           " THEN '@' || place.capture ELSE '' END) WHERE bdf IS NOT NULL");
    place_axes(r);
    sql(r,
        "UPDATE place SET label = CASE WHEN bdf IS NULL THEN coalesce(ata, hctl) ELSE bdf ||"
        " CASE WHEN channel IS NOT NULL THEN ' channel ' || channel || coalesce(' ' || unit, '')"
        " WHEN unit IS NOT NULL THEN ' ' || unit"
        " WHEN expander IS NOT NULL AND phy IS NOT NULL THEN ' expander ' || expander || ' phy ' || phy"
        " WHEN port IS NOT NULL THEN CASE WHEN mode = 'sas' AND port = phy THEN ' phy ' ELSE ' port ' END || port ||"
        " coalesce(' multiplier port ' || multiplier, '')"
        " WHEN slot IS NOT NULL THEN ' slot ' || slot WHEN hctl IS NOT NULL THEN ' (' || hctl || ')' ELSE '' END END");
    sql(r, "DELETE FROM place WHERE label IS NULL");
}

/* ---------------------------------------------------------------- drives */

static void drives(Resolve *r) {
    sql(r, "INSERT OR IGNORE INTO drive(node, capture) SELECT DISTINCT ref.node, s.capture FROM ref JOIN source s ON "
           "s.id = ref.src"
           " JOIN node n ON n.id = ref.node WHERE n.kind = 'drive' AND ref.boot = 0 AND s.capture IS NOT NULL");
    sql(r,
        "UPDATE drive AS d SET"
        " name = coalesce((SELECT name FROM drive_name x WHERE x.node = d.node AND x.capture = d.capture AND x.boot = "
        "0 AND x.kind = 'kernel'"
        "   AND x.name NOT GLOB 'nvme[0-9]' AND x.name NOT GLOB 'nvme[0-9][0-9]' ORDER BY length(name), name LIMIT 1),"
        "   (SELECT name FROM drive_name x WHERE x.node = d.node AND x.capture = d.capture AND x.boot = 0 AND x.kind = "
        "'kernel' ORDER BY length(name), name LIMIT 1),"
        "   (SELECT label FROM node WHERE id = d.node)),"
        " wwn = coalesce(wwn(" BEST("wwn") "), wwn(" BEST("nguid") "), wwn(" BEST(
            "eui") ")),"
                   " serial = " BEST("serial") ", model = " BEST("model") ", vendor = " BEST(
                       "vendor") ", firmware = " BEST("firmware") ","
                                                                  /* tools round: a size in whole sectors before "1.8T" */
                                                                  " size_bytes = (SELECT CAST(value AS INTEGER) FROM "
                                                                  "setting s WHERE s.node = d.node AND s.capture = "
                                                                  "d.capture AND s.key = 'size_bytes' AND s.boot = 0"
                                                                  " ORDER BY CAST(value AS INTEGER) % 512 <> 0, "
                                                                  "CAST(value AS INTEGER) % 1000000000 = 0, CASE view "
                                                                  "WHEN 'drive' THEN 0 ELSE 1 END, src, line DESC "
                                                                  "LIMIT 1),"
                                                                  " rotation_rpm = CAST(" BEST(
                                                                      "rotation_rpm") " AS INTEGER),"
                                                                                      " removable = CAST(" BEST(
                                                                                          "removable") " AS INTEGER)");
    /* The WWN may stand only in a link: /dev/disk/by-id/wwn-0x... */
    sql(r, "UPDATE drive AS d SET wwn = (SELECT wwn(x.name) FROM drive_name x WHERE x.node = d.node AND x.capture = "
           "d.capture"
           " AND (x.name GLOB 'wwn-?*' OR x.name GLOB 'nvme-eui.*' OR x.name GLOB 'nvme-EUI-*') AND x.name NOT GLOB "
           "'*-part*' ORDER BY x.name LIMIT 1) WHERE wwn IS NULL");
    sql(r, "UPDATE node SET label = coalesce((SELECT name FROM drive d WHERE d.node = node.id ORDER BY capture DESC "
           "LIMIT 1), label) WHERE kind = 'drive'");
    /* What only a link says, and what is no serial at all. */
    sql(r, "UPDATE drive AS d SET wwn = coalesce(wwn, (SELECT wwn FROM temp.known_identity k WHERE k.node = d.node AND "
           "k.capture "
           "= d.capture AND k.wwn IS NOT NULL LIMIT 1)),"
           " serial = CASE WHEN EXISTS (SELECT 1 FROM temp.known_identity k WHERE k.node = d.node AND k.capture = "
           "d.capture AND "
           "k.serial IS NOT NULL) THEN coalesce(serial, (SELECT serial FROM temp.known_identity k WHERE k.node = "
           "d.node AND "
           "k.capture = d.capture AND k.serial IS NOT NULL LIMIT 1)) END,"
           " model = coalesce(model, (SELECT model FROM temp.known_identity k WHERE k.node = d.node AND k.capture = "
           "d.capture "
           "AND k.model IS NOT NULL LIMIT 1))");
    sql(r, "UPDATE drive SET identity = CASE WHEN wwn IS NOT NULL AND serial IS NOT NULL THEN 'wwn+serial' WHEN serial "
           "IS NOT "
           "NULL THEN 'serial' WHEN wwn IS NOT NULL THEN 'wwn' WHEN model IS NOT NULL THEN 'model' ELSE 'name' END");
    /* An optical drive or floppy is not diagnosed; a guid is the name of a member that is not there. */
    sql(r, "DELETE FROM drive WHERE (length(name) > 9 AND name NOT GLOB '*[^0-9]*') OR name GLOB 'sr[0-9]*' OR name "
           "GLOB 'cd[0-9]*' OR name GLOB 'fd[0-9]*' OR name GLOB "
           "'scd[0-9]*'"
           " OR EXISTS (SELECT 1 FROM setting s WHERE s.node = drive.node AND s.capture = drive.capture AND s.key = "
           "'device_type' AND s.value IN ('cdrom','enclosure','rom'))");
}

/* ---------------------------------------------------------------- times */

/* ---------------------------------------------------------------- years */

#define LEAP_YEAR_S (366 * 86400.0)
#define YEARLESS_ZERO (-1e11) /* far before any time: nothing else is below half of it */

double facts_yearless(double year_s, int turns) {
    return year_s >= 0 && year_s < LEAP_YEAR_S && turns >= 0 && turns < 1000
               ? YEARLESS_ZERO + year_s + turns * LEAP_YEAR_S
               : NAN;
}

/* Seconds since 1970 of such a time when its turn 0 is that year. The 29th of February is skipped where there was none. */
static double in_year(double t, int64_t year) {
    t -= YEARLESS_ZERO;
    int64_t turn = (int64_t)(t / LEAP_YEAR_S);
    double rest = t - (double)turn * LEAP_YEAR_S;
    year += turn;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return rest + (double)time_from_civil(year, 1, 1) - (!leap && rest >= 60 * 86400.0 ? 86400 : 0);
}

/* dated(t, last, upper): t, where `last` of the same piece is the latest such time that is not after `upper`. A log that goes on to
   the capture may be a day ahead of it, by its time zone. */
static void dated_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    double t = sqlite3_value_double(argv[0]), last = sqlite3_value_double(argv[1]),
           upper = sqlite3_value_double(argv[2]);
    if (sqlite3_value_type(argv[2]) == SQLITE_NULL || sqlite3_value_type(argv[1]) == SQLITE_NULL) return;
    int64_t year = 1970 + (int64_t)(upper / (365.25 * 86400)) + 1 - (int64_t)((last - YEARLESS_ZERO) / LEAP_YEAR_S);
    for (int tries = 0; tries < 4 && in_year(last, year) > upper + 86400; tries++) year--;
    double at = in_year(t, year);
    if (at > 0 && at <= upper + 86400) sqlite3_result_double(context, at);
}

/* Before captures and boots are put in order by their times. */
static void year_logs(Resolve *r) {
    static const struct {
        const char *table, *column;
    } times[] = {{"log_event", "t_s"},  {"log_event", "last_t_s"}, {"episode", "first_s"},
                 {"episode", "last_s"}, {"log_window", "first_s"}, {"log_window", "last_s"}};
    sql(r,
        "CREATE TEMP TABLE yearless AS SELECT w.src, max(CASE WHEN w.last_s < -5e10 THEN w.last_s END) AS last,"
        " coalesce(min(CASE WHEN w.last_s >= -5e10 THEN w.last_s END), c.end_s, c.start_s, (SELECT max(o.last_s) FROM "
        "log_window o JOIN source os ON os.id = o.src WHERE os.capture = s.capture AND o.last_s >= -5e10)) AS upper"
        " FROM log_window w JOIN source s ON s.id = w.src LEFT JOIN capture c ON c.id = s.capture GROUP BY w.src"
        " HAVING min(w.first_s) < -5e10 OR min(w.last_s) < -5e10;"
        "CREATE INDEX temp.yearless_src ON yearless(src)");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[300];
        sqlite3_snprintf(sizeof text, text,
                         "UPDATE %s SET %s = (SELECT dated(%s, coalesce(y.last, %s.%s), y.upper) FROM yearless y WHERE "
                         "y.src = %s.src) WHERE %s < -5e10 AND src IN (SELECT src FROM yearless)",
                         times[i].table, times[i].column, times[i].column, times[i].table, times[i].column,
                         times[i].table, times[i].column);
        sql(r, text);
    }
    sql(r, "DROP TABLE yearless");
}

static void shift_times(Resolve *r) {
    /* Local stamps become UTC where the capture's zone is known. */
    static const struct {
        const char *table, *column;
    } times[] = {{"log_event", "t_s"},     {"log_event", "last_t_s"}, {"log_window", "first_s"},
                 {"log_window", "last_s"}, {"pressure", "t_s"},       {"process_io", "t_s"},
                 {"vdev", "trim_start_s"}, {"vdev", "trim_end_s"},    {"pool_scan", "start_s"},
                 {"pool_scan", "end_s"},   {"episode", "first_s"},    {"episode", "last_s"},
                 {"pool_event", "t_s"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[400];
        sqlite3_snprintf(sizeof text, text,
                         "UPDATE %s SET %s = %s - (SELECT c.timezone_s FROM source s JOIN capture c ON c.id = "
                         "s.capture WHERE s.id = %s.src)"
                         " WHERE %s IS NOT NULL AND (SELECT s.local_time AND c.timezone_s IS NOT NULL FROM source s "
                         "JOIN capture c ON c.id = s.capture WHERE s.id = %s.src)",
                         times[i].table, times[i].column, times[i].column, times[i].table, times[i].column,
                         times[i].table);
        sql(r, text);
    }
}

/*
 * A log without dates has them where the collector noted the time and the uptime: monotonic 0 is their difference. /proc/uptime
 * counts sleep and the log does not, so of a boot that slept nothing is said; and nothing where uptime(1) gave whole minutes only.
 */
static void date_logs(Resolve *r) {
    static const struct {
        const char *table, *from, *to;
    } columns[] = {{"log_event", "t_mono_s", "t_s"},
                   {"log_event", "last_t_mono_s", "last_t_s"},
                   {"episode", "first_mono_s", "first_s"},
                   {"episode", "last_mono_s", "last_s"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[600];
        sqlite3_snprintf(sizeof text, text,
                         "UPDATE %s AS x SET %s = (SELECT c.start_s - c.uptime_s + x.%s FROM capture c WHERE c.id = "
                         "x.capture AND CAST(round(c.uptime_s * 100) AS INTEGER) %% 6000 <> 0) WHERE x.%s IS NULL AND "
                         "coalesce(x.boot, 0) = 0 AND NOT EXISTS (SELECT 1 FROM "
                         "log_event e WHERE e.capture = x.capture AND e.event = 'system-resumed')",
                         columns[i].table, columns[i].to, columns[i].from, columns[i].to);
        sql(r, text);
    }
}

/* dmesg and the journal tell the same rounds: the fuller log of a port speaks where both have its times. */
static void single_episodes(Resolve *r) {
    sql(r,
        "DELETE FROM episode WHERE rowid IN (SELECT e.rowid FROM episode e JOIN episode o ON o.capture = e.capture AND "
        "o.boot = e.boot AND o.port = e.port AND o.src <> e.src WHERE "
        "(abs(o.first_mono_s - e.first_mono_s) < 3 OR abs(o.first_s - e.first_s) < 3) AND "
        "(o.count > e.count OR (o.count = e.count AND (o.lines > e.lines OR (o.lines = e.lines AND o.src < e.src)))))");
}

static void series_place(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    Resolve *r = arg;
    sqlite3_stmt *st;
    *node = *capture = 0;
    *shift_s = 0;
    if (sqlite3_prepare_v2(r->db,
                           "SELECT ref.node, s.capture, CASE WHEN s.local_time THEN -coalesce(c.timezone_s, 0) ELSE 0 "
                           "END FROM source s"
                           " JOIN ref ON ref.id = ?2 LEFT JOIN capture c ON c.id = s.capture WHERE s.id = ?1",
                           -1, &st, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(st, 1, src);
    sqlite3_bind_int64(st, 2, device);
    if (sqlite3_step(st) == SQLITE_ROW) {
        *node = sqlite3_column_int64(st, 0);
        *capture = sqlite3_column_int64(st, 1);
        *shift_s = sqlite3_column_double(st, 2);
    }
    sqlite3_finalize(st);
}

static void capture_times(Resolve *r) {
    sql(r,
        "UPDATE capture SET start_s = coalesce(start_s, (SELECT min(first_s) FROM series WHERE capture = capture.id)),"
        " end_s = coalesce(end_s, (SELECT max(last_s) FROM series WHERE capture = capture.id))");
    sql(r, "UPDATE capture SET end_s = coalesce(end_s, (SELECT max(last_s) FROM log_window w WHERE w.capture = "
           "capture.id AND w.boot = 0))");
    /* Clocks of several sources may disagree about the zone: a capture that ends before it starts has no known start. */
    sql(r, "UPDATE capture SET start_s = NULL WHERE start_s > end_s");
}

/* Members read before their manifest learn their command lines now. */
static void manifest_commands(Resolve *r) {
    sqlite3_stmt *any;
    if (r->failed || sqlite3_prepare_v2(r->db, "SELECT 1 FROM manifest", -1, &any, NULL) != SQLITE_OK) return;
    bool have = sqlite3_step(any) == SQLITE_ROW;
    sqlite3_finalize(any);
    if (!have) return;
    sql(r, "CREATE INDEX IF NOT EXISTS manifest_name ON manifest(name)");
    sql(r, "UPDATE source SET command = (WITH RECURSIVE tail(name, depth) AS ("
           " SELECT substr(source.member, 1, length(source.member) - 4), 0"
           " UNION ALL SELECT substr(name, instr(name, '/') + 1), depth + 1 FROM tail WHERE depth < 12"
           " AND instr(name, '/') > 0)"
           " SELECT nullif(m.command, '') FROM tail JOIN manifest m ON m.name = tail.name"
           " JOIN source ms ON ms.id = m.src AND ms.bundle = source.bundle ORDER BY tail.depth, m.src, m.line LIMIT 1)"
           " WHERE command IS NULL AND substr(member, -4) = '.out'");
}

/*
 * Without a manifest a file's name says how it was made: dmesg-T.txt, journalctl-k.log. It matters for logs: one that was asked for
 * reaches up to the capture, though its last line is older. A file named dmesg alone may be the one of /var/log, which ends with
 * the start of the system.
 */
static void named_commands(Resolve *r) {
    sql(r,
        "UPDATE source SET command = (SELECT replace(CASE WHEN instr(base, '.') > 0 THEN substr(base, 1, instr(base, "
        "'.') - 1) ELSE base END, '-', ' -') FROM (SELECT substr(source.member, length(rtrim(source.member, "
        "replace(source.member, '/', ''))) + 1) AS base))"
        " WHERE command IS NULL AND tool = 'kernel-log' AND member NOT LIKE '%var/log/%' AND ('/' || member GLOB "
        "'*/dmesg-[a-zA-Z]*' OR '/' || member GLOB '*/dmesg.txt' OR '/' || member GLOB '*/journalctl*')");
}

/* disk_of('sdc1') is 'sdc', of a disk itself; NULL for what is no kernel name of a disk or partition. */
static void disk_of_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    if (!text) return;
    Str base, name = {text, (size_t)sqlite3_value_bytes(argv[0])};
    NameClass class = name_class(name, &base);
    if (class == NAME_DISK || class == NAME_PARTITION)
        sqlite3_result_text(context, base.p, (int)base.len, SQLITE_TRANSIENT);
}

/* cron_before('24 0 * * 0', t): when that was due last, see jobs.h. */
static void cron_before_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    if (!text || sqlite3_value_type(argv[1]) == SQLITE_NULL) return;
    double t = job_cron_before((Str){text, (size_t)sqlite3_value_bytes(argv[0])}, sqlite3_value_double(argv[1]));
    if (!isnan(t)) sqlite3_result_double(context, t);
}

/* Times of jobs where the zone of the capture is known: stamps without one, and what a crontab was due to start. */
static void job_times(Resolve *r) {
    sql(r,
        "UPDATE job AS j SET start_s = coalesce(start_s, local_start_s - (SELECT timezone_s FROM capture WHERE id = "
        "j.capture)), end_s = coalesce(end_s, local_end_s - (SELECT timezone_s FROM capture WHERE id = j.capture)) "
        "WHERE local_start_s IS NOT NULL OR local_end_s IS NOT NULL;"
        "UPDATE job AS j SET start_s = (SELECT cron_before(j.schedule, coalesce(c.end_s, c.start_s) + c.timezone_s) - "
        "c.timezone_s FROM capture c WHERE c.id = j.capture) WHERE schedule IS NOT NULL AND kind IS NOT NULL");
}

bool facts_resolve(Facts *f, Error *err) {
    Resolve r = {.f = f, .db = facts_db(f), .err = err};
    facts_flush(f);
    sqlite3_create_function_v2(r.db, "disk_of", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, disk_of_function, NULL,
                               NULL, NULL);
    sqlite3_create_function_v2(r.db, "dated", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, dated_function, NULL, NULL,
                               NULL);
    sqlite3_create_function_v2(r.db, "cron_before", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, cron_before_function,
                               NULL, NULL, NULL);
    sql(&r, "BEGIN");
    year_logs(&r);
    sql(&r, "CREATE INDEX ref_src ON ref(src)");
    if (!r.failed && !captures_split(f, err)) r.failed = true;
    manifest_commands(&r);
    named_commands(&r);
    number_boots(&r);
    if (!r.failed && !identity_resolve(f, err)) r.failed = true;
    namespace_sizes(&r);
    replace_refs(&r);
    hosts(&r);
    drives(&r);
    whole_drives(&r);
    partition_parents(&r);
    missing_members(&r);
    controller_mode(&r);
    facts_of_parents(&r);
    places(&r);
    member_matches(&r);
    recorded_names(&r);
    raid_volumes(&r);
    topology(&r);
    shift_times(&r);
    date_logs(&r);
    single_episodes(&r);
    if (!r.failed && !models_resolve(f, err)) r.failed = true; /* a model's medium counts where nothing else tells it */
    if (!r.failed && !models_stated(f, err)) r.failed = true;
    if (!r.failed && !drive_class_resolve(f, err)) r.failed = true;
    raid_members(&r);
    sql(&r, "COMMIT");
    if (!r.failed && !samples_resolve(facts_samples(f), series_place, &r, err)) r.failed = true;
    capture_times(&r);
    job_times(&r);
    if (!r.failed && !peers_compute(f, err)) r.failed = true;
    unnamed_members(&r);
    if (!r.failed && !write_runs_compute(f, err)) r.failed = true;
    if (!r.failed && !spike_rhythm_compute(f, err)) r.failed = true;
    /* The program itself reads these; whoever reads more, makes more. */
    Str views[] = {STR("capture_in_order"), STR("outlier"), STR("benchmark_beside")};
    if (!r.failed && !views_create(r.db, facts_arena(f), views, sizeof views / sizeof *views, err)) r.failed = true;
    return !r.failed;
}
