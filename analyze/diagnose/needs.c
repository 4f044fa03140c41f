/*
 * needs.c - the expression of `needs:`
 *
 * term ("and" | "or") term, parentheses; "and" binds closer. A term is a tool ("lspci"), a tool that must have said something
 * about the subject ("lspci@controller"), or a fact: "setting.KEY", "counter.NAME", "distribution.METRIC", "model_fact.FACT",
 * "pressure.RESOURCE", "log_window", "TABLE", each with "@kind" for the subject itself; "pool.capacity_pct", "mount.used_pct",
 * "vdev.trim_state", "pcie_link.up_gtps" are columns that only some outputs fill. "peer": it was compared with its like in 20 busy moments.
 */
#include "../parse/registry.h"
#include "evaluate.h"

#include <stdio.h>

typedef struct Needs {
    Facts *f;
    Arena *a;
    Str rest;
    int64_t capture, node;
    Unmet *missing;
    Error *err;
    bool bad;
    int depth; /* of brackets */
} Needs;

static bool exists(Needs *n, const char *sql, Str word) {
    sqlite3_stmt *st = facts_query(n->f, sql);
    sqlite3_bind_int64(st, 1, n->capture);
    if (sqlite3_bind_parameter_count(st) >= 2) sqlite3_bind_int64(st, 2, n->node);
    if (sqlite3_bind_parameter_count(st) >= 3) sqlite3_bind_text64(st, 3, word.p, word.len, SQLITE_STATIC, SQLITE_UTF8);
    bool hit = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return hit;
}

static bool kind_is(Needs *n, Str kind) {
    if (str_is(kind, "ctl")) kind = STR("controller");
    if (str_is(kind, "fs")) kind = STR("filesystem");
    sqlite3_stmt *st = facts_query(n->f, "SELECT kind FROM node WHERE id = ?1");
    sqlite3_bind_int64(st, 1, n->node);
    bool same = sqlite3_step(st) == SQLITE_ROW && str_eq(kind, str_of((const char *)sqlite3_column_text(st, 0)));
    sqlite3_reset(st);
    return same;
}

/* A tool that speaks of this very node, or of a drive below it. */
static bool tool_at_node(Needs *n, Str tool) {
    /* Every fact about a thing is written by a name of it in that piece. */
    return exists(n,
                  "SELECT 1 FROM ref r JOIN source s ON s.id = r.src WHERE r.node = ?2 AND s.capture = ?1 AND s.tool = "
                  "?3 AND s.status IN ('parsed','partial')",
                  tool);
}

static bool fact_term(Needs *n, Str table, Str name, bool here) {
    static const struct {
        const char *table, *any, *node;
    } facts[] = {
        {"setting", "SELECT 1 FROM setting WHERE capture = ?1 AND ?2 IS NOT NULL AND key = ?3",
         "SELECT 1 FROM setting WHERE capture = ?1 AND node = ?2 AND key = ?3"},
        {"counter", "SELECT 1 FROM counter WHERE capture = ?1 AND ?2 IS NOT NULL AND name = ?3",
         "SELECT 1 FROM counter WHERE capture = ?1 AND node = ?2 AND name = ?3"},
        {"distribution", "SELECT 1 FROM distribution WHERE capture = ?1 AND ?2 IS NOT NULL AND metric = ?3",
         "SELECT 1 FROM distribution WHERE capture = ?1 AND node = ?2 AND metric = ?3"},
        {"model_fact", "SELECT 1 FROM model_fact WHERE capture = ?1 AND ?2 IS NOT NULL AND fact = ?3",
         "SELECT 1 FROM model_fact WHERE capture = ?1 AND node = ?2 AND fact = ?3"},
        {"zfs_property", "SELECT 1 FROM zfs_property WHERE capture = ?1 AND ?2 IS NOT NULL AND key = ?3",
         "SELECT 1 FROM zfs_property WHERE capture = ?1 AND pool = ?2 AND key = ?3"},
        {"zfs_growth", "SELECT 1 FROM zfs_growth WHERE capture = ?1 AND ?2 IS NOT NULL AND name = ?3",
         "SELECT 1 FROM zfs_growth WHERE capture = ?1 AND node = ?2 AND name = ?3"},
        {"pressure", "SELECT 1 FROM pressure WHERE capture = ?1 AND ?2 IS NOT NULL AND resource = ?3", NULL},
        {"log_event", "SELECT 1 FROM log_event WHERE capture = ?1 AND ?2 IS NOT NULL AND event = ?3",
         "SELECT 1 FROM log_event WHERE capture = ?1 AND node = ?2 AND event = ?3"},
    };
    static const struct {
        const char *table, *column, *any, *node;
    } columns[] = {
        /* a column that only some outputs of a tool fill */
        {"pool", "capacity_pct",
         "SELECT 1 FROM pool WHERE capture = ?1 AND ?2 IS NOT NULL AND capacity_pct IS NOT NULL",
         "SELECT 1 FROM pool WHERE capture = ?1 AND node = ?2 AND capacity_pct IS NOT NULL"},
        {"pool", "fragmentation_pct",
         "SELECT 1 FROM pool WHERE capture = ?1 AND ?2 IS NOT NULL AND fragmentation_pct IS NOT NULL",
         "SELECT 1 FROM pool WHERE capture = ?1 AND node = ?2 AND fragmentation_pct IS NOT NULL"},
        {"mount", "used_pct", "SELECT 1 FROM mount WHERE capture = ?1 AND ?2 IS NOT NULL AND used_pct IS NOT NULL",
         "SELECT 1 FROM mount WHERE capture = ?1 AND node = ?2 AND used_pct IS NOT NULL"},
        {"mount", "options", "SELECT 1 FROM mount WHERE capture = ?1 AND ?2 IS NOT NULL AND options IS NOT NULL",
         "SELECT 1 FROM mount WHERE capture = ?1 AND node = ?2 AND options IS NOT NULL"},
        {"mount", "inodes_used_pct",
         "SELECT 1 FROM mount WHERE capture = ?1 AND ?2 IS NOT NULL AND inodes_used_pct IS NOT NULL",
         "SELECT 1 FROM mount WHERE capture = ?1 AND node = ?2 AND inodes_used_pct IS NOT NULL"},
        {"pcie_link", "up_gtps",
         "SELECT 1 FROM pcie_link WHERE capture = ?1 AND ?2 IS NOT NULL AND up_gtps IS NOT NULL",
         "SELECT 1 FROM pcie_link WHERE capture = ?1 AND node = ?2 AND up_gtps IS NOT NULL"},
        {"raid_array", "state", "SELECT 1 FROM raid_array WHERE capture = ?1 AND ?2 IS NOT NULL AND state IS NOT NULL",
         "SELECT 1 FROM raid_array WHERE capture = ?1 AND node = ?2 AND state IS NOT NULL"},
        {"raid_array", "sync_action",
         "SELECT 1 FROM raid_array WHERE capture = ?1 AND ?2 IS NOT NULL AND sync_action IS NOT NULL",
         "SELECT 1 FROM raid_array WHERE capture = ?1 AND node = ?2 AND sync_action IS NOT NULL"},
        {"vdev", "slow_ios", "SELECT 1 FROM vdev WHERE capture = ?1 AND ?2 IS NOT NULL AND slow_ios IS NOT NULL",
         "SELECT 1 FROM vdev WHERE capture = ?1 AND ?2 IN (node, pool) AND slow_ios IS NOT NULL"},
        {"vdev", "trim_state", "SELECT 1 FROM vdev WHERE capture = ?1 AND ?2 IS NOT NULL AND trim_state IS NOT NULL",
         "SELECT 1 FROM vdev WHERE capture = ?1 AND ?2 IN (node, pool) AND trim_state IS NOT NULL"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (str_is(table, columns[i].table) && str_is(name, columns[i].column))
            return exists(n, here ? columns[i].node : columns[i].any, name);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (str_is(table, facts[i].table)) return exists(n, here && facts[i].node ? facts[i].node : facts[i].any, name);
    n->bad = true;
    return error_set(n->err, "needs: no facts \"%.*s\"", STR_ARG(table));
}

static bool table_term(Needs *n, Str table, bool here) {
    static const char *const with_node[] = {
        "btrfs_space", "nfs_op",        "iscsi_session", "drbd_volume",   "file_layout", "pool",      "vdev",
        "pool_scan",   "raid_array",    "mount",         "benchmark",     "pci_device",  "place",     "drive",
        "counter",     "lifetime",      "series",        "recorded_name", "pcie_link",   "write_run", "ssd_wear",
        "self_test",   "media_counter", "pool_event",    "member_label",  "btrfs_fs"};
    static const char *const without[] = {"ceph_osd",   "ceph_check",  "log_window", "pressure", "process_io",
                                          "interrupt",  "job",         "store",      "swap",     "guest",
                                          "guest_disk", "guest_image", "cgroup_io"};
    char sql[200];
    if (str_is(table, "peer")) /* fewer moments may show a slow drive, but clear none */
        return exists(n,
                      here ? "SELECT 1 FROM peer WHERE capture = ?1 AND drive = ?2 AND n_busy >= 20"
                           : "SELECT 1 FROM peer WHERE capture = ?1 AND ?2 IS NOT NULL AND n_busy >= 20",
                      table);
    for (size_t i = 0; i < sizeof with_node / sizeof *with_node; i++)
        if (str_is(table, with_node[i])) {
            snprintf(sql, sizeof sql,
                     here ? "SELECT 1 FROM %s WHERE capture = ?1 AND node = ?2"
                          : "SELECT 1 FROM %s WHERE capture = ?1 AND ?2 IS NOT NULL",
                     with_node[i]);
            return exists(n, sql, table);
        }
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (str_is(table, without[i])) {
            snprintf(sql, sizeof sql, "SELECT 1 FROM %s WHERE capture = ?1", without[i]);
            return exists(n, sql, table);
        }
    n->bad = true;
    return error_set(n->err, "needs: neither a tool nor a table: \"%.*s\"", STR_ARG(table));
}

/* The tool that most often says it: a reader is to ask for an output, not for a column. A setting that several tools give keeps
   its own name. */
static Str source_of(Str what) {
    static const struct {
        const char *term, *source;
    } sources[] = {
        {"log_window", "kernel-log"},
        {"log_event.", "kernel-log"},
        {"pressure", "pressure"},
        {"distribution.disk_wait", "zpool-iostat"},
        {"distribution.swap_", "vmstat"},
        {"distribution.cpu_steal_pct", "vmstat"},
        {"distribution.procs_blocked", "vmstat"},
        {"distribution.", "iostat"},
        {"series", "iostat"},
        {"recorded_name", "zdb"},
        {"pcie_link", "lspci"},
        {"ssd_wear", "smartctl"},
        {"self_test", "smartctl"},
        {"media_counter", "smartctl"},
        {"member_label", "lsblk"},
        {"peer", "iostat"},
        {"lifetime", "iostat"},
        {"counter.raid_", "storcli"},
        {"setting.raid_", "storcli"},
        {"setting.write_policy_default", "storcli"},
        {"setting.disk_cache_policy", "storcli"},
        {"counter.critical_warning", "nvme-cli"},
        {"counter.media_errors", "nvme-cli"},
        {"counter.percentage_used", "nvme-cli"},
        {"counter.available_spare", "nvme-cli"},
        {"counter.warning_temp_time", "nvme-cli"},
        {"counter.thm_temp", "nvme-cli"},
        {"counter.aer_dev", "sysfs"},
        {"counter.core_throttle", "sysfs"},
        {"counter.package_throttle", "sysfs"},
        {"counter.ebs_volume", "ebs-stats"},
        {"counter.ec2_instance", "ebs-stats"},
        {"counter.md_read_errors", "sysfs"},
        {"counter.arcstats", "zfs-kstat"},
        {"counter.dmu_tx", "zfs-kstat"},
        {"counter.zil", "zfs-kstat"},
        {"counter.objset", "zfs-kstat"},
        {"counter.txgs", "zfs-kstat"},
        {"counter.zpool_r", "zpool iostat -r"},
        {"zfs_growth.", N_("two readings of the ZFS kstats")},
        {"zfs_property.", "zfs-get"},
        {"counter.", "smartctl"},
        {"model_fact.", N_("model data")},
        {"pool.capacity_pct", "zpool-get"},
        {"pool.fragmentation_pct", "zpool-get"},
        {"setting.vdev_used_pct", "zpool-get"},
        {"pool", "zpool-status"},
        {"vdev", "zpool-status"},
        {"raid_array", "mdstat"},
        {"mount.used_pct", "df"},
        {"mount", "mounts"},
        {"interrupt", "interrupts"},
        {"benchmark", N_("a benchmark")},
        {"write_run", N_("iostat during a long write")},
        {"process_io", "pidstat"},
        {"job", "list-timers"},
        {"store", "storage-config"},
        {"swap", "swaps"},
        {"setting.cpu_busiest_pct", "mpstat"},
        {"setting.cpu_thread_pct", "pidstat"},
        {"setting.start_bytes", "lsblk"},
        {"setting.thin_data_pct", "dmsetup"},
        {"setting.thin_discard", "dmsetup"},
        {"setting.cache_dirty_blocks", "dmsetup"},
        {"setting.lvm_", "lvm"},
        {"setting.multipath_", "multipath"},
        {"setting.md_mismatch_cnt", "sysfs"},
        {"setting.md_events", "mdadm"},
        {"setting.md_bad_blocks", "mdadm"},
        {"setting.io_timeout_s", "sysfs"},
        {"setting.power_on_hours", "smartctl"},
        {"setting.smart_health", "smartctl"},
        {"setting.smart_sense", "smartctl"},
        {"setting.vwc_present", "nvme-cli"},
        {"setting.nvme_write_cache_feature", "nvme-cli"},
        {"setting.sata_mode_seen", "kernel-log"},
        {"setting.link_max_gbps", "smartctl"},
        {"setting.spdn_cnt", "sysfs"},
        {"setting.virtualization", "host-info"},
        {"setting.fstrim_timer", "list-timers"},
        {"setting.memory_dirty_bytes", "meminfo"},
        {"setting.load_1min", "uptime"},
        {"setting.cpus", "lscpu"},
        {"setting.cpu_governor", "cpupower"},
        {"setting.cpu_freq", "cpupower"},
        {"setting.cpu_steal_pct", "mpstat"},
        {"setting.tasks_blocked", "ps"},
        {"guest_image", "qemu-img"},
        {"guest", "guest-config"},
        {"cgroup_io", "cgroup"},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (str_starts(what, sources[i].term)) return str_of(sources[i].source);
    size_t dot = str_find_ch(what, '.');
    return dot != SIZE_MAX ? str_from(what, dot + 1) : what;
}

static bool term(Needs *n, Str word) {
    Str rest = word, what = str_cut(&rest, '@');
    bool at_subject = rest.len && n->node && kind_is(n, rest);
    size_t dot = str_find_ch(what, '.');
    bool met;
    if (dot != SIZE_MAX) met = fact_term(n, str_sub(what, 0, dot), str_from(what, dot + 1), at_subject);
    else if (registry_find(what))
        met = at_subject ? tool_at_node(n, what)
                         : exists(n,
                                  "SELECT 1 FROM source WHERE capture = ?1 AND ?2 IS NOT NULL AND tool = ?3 AND status "
                                  "IN ('parsed','partial')",
                                  what);
    else met = table_term(n, what, at_subject);
    if (!met && !n->bad && n->missing) {
        Str name = source_of(what);
        for (size_t i = 0; i < n->missing->missing.count; i++)
            if (str_eq(n->missing->missing.items[i], name)) return met;
        VEC_PUSH(n->a, &n->missing->missing, arena_str(n->a, name));
    }
    return met;
}

static Str next_token(Needs *n) {
    n->rest = str_trim_left(n->rest);
    if (!n->rest.len) return STR("");
    if (n->rest.p[0] == '(' || n->rest.p[0] == ')') {
        Str t = str_sub(n->rest, 0, 1);
        n->rest = str_from(n->rest, 1);
        return t;
    }
    size_t i = 0;
    while (i < n->rest.len && !ch_blank(n->rest.p[i]) && n->rest.p[i] != '(' && n->rest.p[i] != ')') i++;
    Str t = str_sub(n->rest, 0, i);
    n->rest = str_from(n->rest, i);
    return t;
}

static bool accept(Needs *n, const char *word) {
    Str save = n->rest;
    if (str_is(next_token(n), word)) return true;
    n->rest = save;
    return false;
}

static bool either(Needs *n);

static bool factor(Needs *n) {
    if (accept(n, "(")) {
        enum { MAX_DEPTH = 50 };
        if (++n->depth > MAX_DEPTH) {
            n->bad = true;
            return error_set(n->err, "needs: brackets are nested too deeply");
        }
        bool met = either(n);
        n->depth--;
        if (n->bad) return false;
        if (!accept(n, ")")) {
            n->bad = true;
            error_set(n->err, "needs: a bracket is not closed");
        }
        return met;
    }
    Str word = next_token(n);
    if (!word.len || str_is(word, ")") || str_is(word, "and") || str_is(word, "or")) {
        n->bad = true;
        return error_set(n->err, "needs: a term is missing");
    }
    return term(n, word);
}

static bool both(Needs *n) {
    bool met = factor(n);
    while (!n->bad && accept(n, "and")) {
        bool right = factor(n);
        met = met && right;
    }
    return met;
}

/* What an alternative lacks is missing only when no alternative holds. */
static bool either(Needs *n) {
    size_t mark = n->missing ? n->missing->missing.count : 0;
    bool met = both(n);
    while (!n->bad && accept(n, "or")) {
        bool right = both(n);
        met = met || right;
    }
    if (met && n->missing) n->missing->missing.count = mark;
    return met;
}

bool needs_met(Facts *f, Arena *a, Str needs, int64_t capture, int64_t node, Unmet *missing, Error *err) {
    if (!needs.len) return true;
    Needs n = {.f = f, .a = a, .rest = needs, .capture = capture, .node = node, .missing = missing, .err = err};
    bool met = either(&n);
    Str left = str_trim(n.rest);
    if (!n.bad && left.len) {
        n.bad = true;
        error_set(err, "needs: \"%.*s\" does not belong here", STR_ARG(left));
    }
    return met && !n.bad;
}
