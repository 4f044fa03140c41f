/*
 * compare_changes.c - what differs between two captures: the machine, its parts, settings, states and counters, and figures
 *
 * Drives are the same node in every capture (identity.c), everything else is matched by its key. What cannot be compared is
 * said, not left out: an average since import against another one of the same import contains it.
 */
#include "column.h"
#include "compare_parts.h"

#include <math.h>

static void cite(Compare *x, Change *c, sqlite3_stmt *st, int src, int line) {
    if (sqlite3_column_type(st, src) == SQLITE_NULL || sqlite3_column_type(st, line) == SQLITE_NULL) return;
    Str json = arena_strf(x->a, "[{\"src\":%lld,\"line\":%lld}]", (long long)sqlite3_column_int64(st, src),
                          (long long)sqlite3_column_int64(st, line));
    EvidenceList list = {0};
    evidence_from_json(x->f, x->a, json, &list);
    for (size_t i = 0; i < list.count; i++) VEC_PUSH(x->a, &c->evidence, list.items[i]);
}

/* In place of a side that is not there; the statements of parts() write them. */
static Str side(Str text) {
    static const char *const words[] = {N_("not there"), N_("no longer there")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(text, words[i])) return str_of(_(words[i]));
    return text;
}

static const char *const our_words[] = {N_("checksum errors in the pool"), N_("read errors in the pool"),
                                        N_("write errors in the pool")};

/* Rows: node (of the later capture, else of the earlier), what, from, to, and src, line of both. `said`: how to say what changed, with
   {name} in place of the row's `what`; "" where that is one of our_words; NULL where it is a name itself: of a setting, of a
   counter. */
static void changes(Compare *x, const char *kind, const char *said, const char *sql) {
    bool part = strcmp(kind, "drive") == 0 || strcmp(kind, "controller") == 0;
    sqlite3_stmt *st = compare_pair(x, sql);
    while (sqlite3_step(st) == SQLITE_ROW) {
        Change c = {.kind = str_of(kind),
                    .subject = subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after),
                    .what = column_text(x->a, st, 1),
                    .from = column_text(x->a, st, 2),
                    .to = column_text(x->a, st, 3),
                    .step = x->step};
        if (said && *said) c.what = say(x->a, _(said), "name", c.what, NULL);
        for (size_t i = 0; said && !*said && i < sizeof our_words / sizeof *our_words; i++)
            if (str_is(c.what, our_words[i])) c.what = str_of(_(our_words[i]));
        if (part) {
            c.from = side(c.from);
            c.to = side(c.to);
        }
        /* A drive that is gone is named as it was. */
        if (str_is(c.subject.kind, "drive") && !c.subject.model.len && !c.subject.serial.len)
            c.subject = subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->before);
        if (sqlite3_column_count(st) >= 8) {
            cite(x, &c, st, 4, 5);
            cite(x, &c, st, 6, 7);
        }
        VEC_PUSH(x->a, &x->c->changes, c);
    }
    sqlite3_finalize(st);
}

/* Settings people or firmware change; readings that move by themselves are left out. */
#define STABLE_KEYS                                                                                                    \
    "'write_cache','nvme_write_cache_feature','read_cache','read_lookahead','fua','queue_depth','ncq_depth',"          \
    "'nr_requests','scheduler','io_timeout_s','max_sectors_kb','read_ahead_kb','wbt_lat_usec','iostats',"              \
    "'discard_granularity_bytes','discard_max_bytes','link_gbps','link_limit_gbps','lpm_policy','usb_driver',"         \
    "'apm_level','erc_read_s','erc_write_s','autotrim','ashift','sync','compression','recordsize_bytes','logbias',"    \
    "'atime','relatime','primarycache','secondarycache','dedup','copies','special_small_blocks_bytes',"                \
    "'volblocksize_bytes','md_bitmap','md_consistency_policy','cache_mode','dmi_bios_version','cmdline',"              \
    "'kernel_release','zfs_version','fstrim_timer','vm_dirty_ratio_pct','vm_dirty_background_ratio_pct',"              \
    "'vm_dirty_bytes','vm_dirty_background_bytes','vm_dirty_expire_cs','vm_dirty_writeback_cs','vm_swappiness',"       \
    "'zfs_parameter','sysctl','smart_health','lba_format_bytes'"
/* The value that counts of each node, key and, where the value is "name=value", name: the drive's own word before the
   kernel's, later lines first; the log tells a link's policy as it was at boot, sysfs as it is. `owner` is the node's key without its capture. */
#define BEST_SETTINGS(capture_)                                                                                        \
    "(SELECT node, src, line, what, owner, CASE WHEN what = key THEN value ELSE substr(value, length(what) + 2) END "  \
    "AS value, row_number() OVER (PARTITION BY node, what ORDER BY CASE view WHEN 'drive' THEN 0 WHEN 'kernel' THEN 1" \
    " ELSE 2 END, CASE WHEN key = 'lpm_policy' THEN (SELECT coalesce(o.tool, '') = 'kernel-log' FROM source o WHERE "  \
    "o.id = src) END, src, line DESC) AS place FROM (SELECT s.*, CASE WHEN n.kind <> 'drive' AND instr(n.key, '@') > " \
    "0 "                                                                                                               \
    "THEN substr(n.key, 1, instr(n.key, '@') - 1) ELSE n.key END AS owner, CASE WHEN s.key IN ('zfs_parameter', "      \
    "'sysctl') AND instr(s.value, '=') > 1 THEN substr(s.value, 1, instr(s.value, '=') - 1) ELSE s.key END AS what "   \
    "FROM setting s JOIN node n ON n.id = s.node WHERE s.capture = " capture_                                          \
    " AND s.boot = 0 AND s.key IN (" STABLE_KEYS ")))"

/* Where a drive has a fact in a capture. */
#define FIRST_OF(column_, table_, drive_, where_)                                                                      \
    "(SELECT " column_ " FROM " table_ " t WHERE t.node = " drive_ ".node AND t.capture = " drive_                     \
    ".capture AND t.boot = 0 AND " where_ " ORDER BY t.src, t.line LIMIT 1)"
#define NAMED(column_, drive_)                                                                                         \
    FIRST_OF(column_, "drive_name", drive_, "t.kind = 'kernel' AND t.name = " drive_ ".name AND t.src IS NOT NULL")
#define FIRMWARE(column_, drive_)                                                                                      \
    FIRST_OF(column_, "setting", drive_, "t.key = 'firmware' AND t.value = " drive_ ".firmware")

static void parts(Compare *x) {
    changes(x, "controller-mode", N_("mode of {name}"),
            "SELECT b.node, a.bdf, a.mode || coalesce(' (' || a.driver || ')', ''), b.mode || coalesce(' "
            "(' || b.driver || ')', ''), a.src, a.line, b.src, b.line"
            " FROM pci_device a JOIN pci_device b ON b.bdf = a.bdf AND b.capture = :after WHERE a.capture = :before "
            "AND a.mode <> b.mode GROUP BY a.bdf ORDER BY a.bdf");
    /* Only where both captures list the bus: what nobody listed did not go away. */
    changes(x, "controller", N_("controller {name}"),
            "SELECT a.node, a.bdf, coalesce(a.name, a.mode), 'no longer there', a.src, a.line, NULL, "
            "NULL FROM pci_device a WHERE a.capture = :before AND a.mode IS NOT NULL AND a.node IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM pci_device b WHERE b.capture = :after AND b.bdf = a.bdf)"
            " AND EXISTS (SELECT 1 FROM pci_device b WHERE b.capture = :after AND b.class_code IS NOT NULL) GROUP BY "
            "a.bdf ORDER BY a.bdf");
    changes(x, "controller", N_("controller {name}"),
            "SELECT b.node, b.bdf, 'not there', coalesce(b.name, b.mode), NULL, NULL, b.src, b.line "
            "FROM pci_device b WHERE b.capture = :after AND b.mode IS NOT NULL AND b.node IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM pci_device a WHERE a.capture = :before AND a.bdf = b.bdf)"
            " AND EXISTS (SELECT 1 FROM pci_device a WHERE a.capture = :before AND a.class_code IS NOT NULL) GROUP BY "
            "b.bdf ORDER BY b.bdf");
    changes(x, "drive", N_("drive"),
            "SELECT a.node, 'drive', a.name, 'no longer there', " NAMED("src", "a") ", " NAMED(
                "line", "a") ", NULL, NULL FROM drive a WHERE a.capture = :before AND NOT EXISTS "
                             "(SELECT 1 FROM drive b WHERE b.node = a.node AND b.capture = :after)"
                             " AND (a.serial IS NOT NULL OR a.wwn IS NOT NULL) AND EXISTS (SELECT 1 FROM drive b WHERE "
                             "b.capture = :after) ORDER BY a.name");
    changes(x, "drive", N_("drive"),
            "SELECT b.node, 'drive', 'not there', b.name, NULL, NULL, " NAMED("src", "b") ", " NAMED(
                "line", "b") " FROM drive b WHERE b.capture = :after AND NOT EXISTS (SELECT "
                             "1 FROM drive a WHERE a.node = b.node AND a.capture = :before)"
                             " AND (b.serial IS NOT NULL OR b.wwn IS NOT NULL) AND EXISTS (SELECT 1 FROM drive a WHERE "
                             "a.capture = :before) ORDER BY b.name");
}

/* Drives that sit elsewhere, as compare_histories() judged it. */
static void places(Compare *x) {
    for (size_t i = 0; i < x->c->drives.count; i++) {
        const DriveHistory *h = &x->c->drives.items[i];
        const Stage *now = &h->stages.items[x->step], *old = &h->stages.items[x->step - 1];
        if (!now->moved || !old->present) continue;
        Change c = {.kind = STR("place"),
                    .subject = subject_of(x->f, x->a, h->node, x->after),
                    .what = str_of(_("place")),
                    .from = lang_phrase(x->a, old->place.label),
                    .to = lang_phrase(x->a, now->place.label),
                    .step = x->step};
        const int64_t captures[] = {x->before, x->after};
        for (size_t k = 0; k < 2; k++) {
            sqlite3_stmt *st =
                facts_query(x->f, "SELECT src, line FROM place WHERE node = ?1 AND capture = ?2 AND boot = 0");
            sqlite3_bind_int64(st, 1, h->node);
            sqlite3_bind_int64(st, 2, captures[k]);
            if (sqlite3_step(st) == SQLITE_ROW) cite(x, &c, st, 0, 1);
            sqlite3_reset(st);
        }
        VEC_PUSH(x->a, &x->c->changes, c);
    }
}

void compare_changes(Compare *x) {
    if (!x->c->different_hosts) parts(x); /* every part of another machine is another part */
    places(x);
    changes(x, "name", N_("kernel name"),
            "SELECT a.node, 'kernel name', a.name, b.name, " NAMED("src", "a") ", " NAMED("line", "a") ", " NAMED(
                "src", "b") ", " NAMED("line", "b") " FROM drive a JOIN drive b ON b.node = a.node AND b.capture = "
                                                    ":after WHERE a.capture = :before"
                                                    " AND a.name <> b.name ORDER BY a.name");
    changes(x, "firmware", N_("firmware"),
            "SELECT a.node, 'firmware', a.firmware, b.firmware, " FIRMWARE("src", "a") ", " FIRMWARE(
                "line", "a") ", " FIRMWARE("src", "b") ", " FIRMWARE("line", "b") " FROM drive a JOIN drive b ON "
                                                                                  "b.node = a.node AND "
                                                                                  "b.capture = :after WHERE a.capture "
                                                                                  "= :before"
                                                                                  " AND a.firmware <> b.firmware ORDER "
                                                                                  "BY a.name");
    changes(x, "pool-state", N_("state of pool {name}"),
            "SELECT b.node, a.name, a.state, b.state, a.src, a.line, b.src, b.line FROM pool a "
            "JOIN pool b ON b.name = a.name AND b.capture = :after"
            " WHERE a.capture = :before AND a.state <> b.state GROUP BY a.name ORDER BY a.name");
    changes(
        x, "pool-state", N_("name in the pool"),
        "SELECT b.node, 'name in the pool', a.name, b.name, a.src, a.line, b.src, b.line FROM vdev a JOIN vdev b ON "
        "b.node = a.node AND b.capture = :after AND b.is_leaf = 1"
        " WHERE a.capture = :before AND a.is_leaf = 1 AND a.name <> b.name GROUP BY a.node ORDER BY b.src, b.line");
    changes(
        x, "pool-state", N_("state in the pool"),
        "SELECT b.node, 'state in the pool', a.state, b.state, a.src, a.line, b.src, b.line FROM vdev a JOIN vdev b "
        "ON b.node = a.node AND b.capture = :after AND b.is_leaf = 1"
        " WHERE a.capture = :before AND a.is_leaf = 1 AND a.state <> b.state GROUP BY a.node ORDER BY b.src, "
        "b.line");
    changes(x, "pool-state", NULL,
            "SELECT b.node, 'TRIM', a.t, b.t, a.src, a.line, b.src, b.line FROM"
            " (SELECT *, trim_state || coalesce(' ' || CAST(round(trim_pct) AS INTEGER) || ' %', '') AS t FROM vdev "
            "WHERE capture = :before AND is_leaf = 1) a JOIN"
            " (SELECT *, trim_state || coalesce(' ' || CAST(round(trim_pct) AS INTEGER) || ' %', '') AS t FROM vdev "
            "WHERE capture = :after AND is_leaf = 1) b"
            " ON b.node = a.node WHERE a.t <> b.t ORDER BY b.name");
    changes(x, "setting", NULL,
            "SELECT b.node, a.what, a.value, b.value, a.src, a.line, b.src, b.line FROM " BEST_SETTINGS(
                ":before") " a JOIN " BEST_SETTINGS(":after") " b ON b.owner = a.owner AND b.what = a.what WHERE "
                                                              "a.place = 1 AND b.place = 1 AND a.value <> b.value"
                                                              " ORDER BY a.what, b.owner");
    changes(x, "mount", N_("options of {name}"),
            "SELECT b.node, a.mountpoint, a.options, b.options, a.src, a.line, b.src, b.line FROM "
            "mount a JOIN mount b ON b.mountpoint = a.mountpoint"
            " AND b.capture = :after WHERE a.capture = :before AND a.options <> b.options AND a.fstype = b.fstype "
            "GROUP BY a.mountpoint ORDER BY a.mountpoint");
    /* The largest reading of each side: attributes are read more than once. */
    changes(x, "counter", NULL,
            "SELECT a.node, a.name, CAST(a.value AS INTEGER), CAST(max(b.value) AS INTEGER), a.src, a.line, b.src, "
            "b.line FROM (SELECT node, name, id, kind, max(value) AS value, src, line FROM counter WHERE capture = "
            ":before GROUP BY node, name) a JOIN counter b ON b.node = a.node AND b.name = a.name"
            " AND b.capture = :after WHERE b.value > a.value AND (a.id IN (5, 10, 183, 184, 187, 188, 192, 196, 197, "
            "198, 199) OR a.kind = 'phy'"
            " OR a.name IN "
            "('media_errors','num_err_log_entries','critical_warning','percentage_used','unsafe_shutdowns','grown_"
            "defects','non_medium_errors')"
            " OR a.name GLOB '*uncorrected*') GROUP BY a.node, a.name ORDER BY a.node, a.name");
    changes(
        x, "counter", "",
        "SELECT a.node, e.what, CASE e.what WHEN 'checksum errors in the pool' THEN a.cksum_errors WHEN 'read errors "
        "in the pool' THEN a.read_errors ELSE a.write_errors END AS then_n, CASE e.what WHEN 'checksum errors in the "
        "pool' THEN b.cksum_errors WHEN 'read errors in the pool' THEN b.read_errors ELSE b.write_errors END AS "
        "now_n, a.src, a.line, b.src, b.line FROM vdev a JOIN vdev b ON b.node = a.node AND b.capture = :after AND "
        "b.is_leaf = 1 JOIN (SELECT 'checksum errors in the pool' AS what UNION SELECT 'read errors in the pool' "
        "UNION SELECT 'write errors in the pool') e WHERE a.capture = :before AND a.is_leaf = 1 AND then_n <> now_n "
        "GROUP BY a.node, e.what ORDER BY b.src, b.line, e.what");
}

/* ---------------------------------------------------------------- figures side by side */

static void add_factor(Compare *x, Subject subject, Str metric, Str unit, Str basis_from, Str basis_to, double from,
                       double to, Str why_not) {
    Factor f = {.subject = subject,
                .metric = metric,
                .unit = unit,
                .basis_from = basis_from,
                .basis_to = basis_to,
                .from = from,
                .to = to,
                .factor = from > 0 ? to / from : NAN,
                .comparable = !why_not.len,
                .why_not = why_not,
                .step = x->step};
    VEC_PUSH(x->a, &x->c->factors, f);
}

/* Which node of the later capture is which of the earlier one: pools and arrays by their key, drives as their histories say. */
static void match_nodes(Compare *x) {
    sqlite3_exec(facts_db(x->f),
                 "CREATE TEMP TABLE IF NOT EXISTS counterpart(old INTEGER, new INTEGER, PRIMARY KEY(old, new)); DELETE "
                 "FROM counterpart; INSERT OR IGNORE INTO counterpart SELECT a.id, b.id FROM node a JOIN node b ON "
                 "b.kind = a.kind WHERE a.kind IN ('pool', 'array') AND (b.id = a.id OR (instr(a.key, '@') > 0 AND "
                 "substr(b.key, 1, instr(b.key, '@')) = substr(a.key, 1, instr(a.key, '@'))))",
                 NULL, NULL, NULL);
    sqlite3_stmt *st = compare_prepare(x->f, "INSERT OR IGNORE INTO counterpart VALUES(?1, ?2)");
    for (size_t i = 0; i < x->c->drives.count; i++) {
        const DriveHistory *h = &x->c->drives.items[i];
        if (x->step >= h->stages.count) continue;
        const Stage *old = &h->stages.items[x->step - 1], *now = &h->stages.items[x->step];
        if (!old->present || !now->present) continue;
        sqlite3_bind_int64(st, 1, old->node);
        sqlite3_bind_int64(st, 2, now->node);
        sqlite3_step(st);
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
}

void compare_factors(Compare *x) {
    match_nodes(x);
    sqlite3_stmt *st = compare_pair(
        x, "SELECT h.node, a.kind, a.avg60_pct, b.avg60_pct FROM "
           "pressure a JOIN pressure b ON b.resource = a.resource AND b.kind = a.kind"
           " AND b.capture = :after JOIN host h ON h.capture = :after WHERE a.capture = :before AND a.resource = "
           "'io' AND a.avg60_pct IS NOT NULL AND b.avg60_pct IS NOT NULL"
           " GROUP BY a.kind ORDER BY a.kind DESC");
    while (sqlite3_step(st) == SQLITE_ROW)
        add_factor(x, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after),
                   say(x->a, _("io pressure, {kind} avg60"), "kind", column_text(x->a, st, 1), NULL), STR("%"),
                   STR("present value"), STR("present value"), column_real(st, 2), column_real(st, 3), STR_NONE);
    sqlite3_finalize(st);

    st = compare_pair(
        x, "SELECT b.node, a.metric, a.tool, a.basis, b.basis, coalesce(a.busy_p50, a.p50, a.mean), "
           "coalesce(b.busy_p50, b.p50, b.mean), nb.kind = 'drive' AND EXISTS (SELECT 1 FROM vdev v WHERE v.node = "
           "nb.id AND "
           "v.capture IN (:before, :after) AND v.is_leaf = 1 AND v.state IN ('UNAVAIL','FAULTED','OFFLINE','REMOVED')) "
           "FROM distribution a"
           " JOIN counterpart c ON c.old = a.node JOIN distribution b ON b.node = c.new AND b.metric = a.metric AND "
           "b.tool = a.tool AND b.capture = :after JOIN node nb ON nb.id = b.node"
           " WHERE a.capture = :before AND a.metric IN "
           "('w_await_ms','r_await_ms','f_await_ms','disk_wait_write_ms','disk_wait_read_ms','util_pct','w_bytes_"
           "s','r_bytes_s','w_s','r_s')"
           " AND (nb.kind IN ('pool','array') OR EXISTS (SELECT 1 FROM drive d WHERE d.node = nb.id AND d.capture = "
           ":after)) "
           "ORDER BY nb.kind, nb.label, a.metric");
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str metric = column_text(x->a, st, 1), from_basis = column_text(x->a, st, 3),
            to_basis = column_text(x->a, st, 4);
        double from = column_real(st, 5), to = column_real(st, 6);
        if (isnan(from) || isnan(to)) continue;
        /* Idle in both: less than one request per second is no figure. */
        if ((str_is(metric, "r_s") || str_is(metric, "w_s")) && from < 1 && to < 1) continue;
        if (str_ends(metric, "_bytes_s") && from < 50e3 && to < 50e3) continue;
        if (str_is(metric, "util_pct") && from < 1 && to < 1) continue;
        bool life_from = str_starts(from_basis, "lifetime"), life_to = str_starts(to_basis, "lifetime");
        Str why = life_from && life_to
                      ? str_of(_("both are averages since boot or import: the second contains the first"))
                  : life_from || life_to ? str_of(_("an average since boot or import against a series of the present"))
                  : x->other_load        ? str_of(_("the two captures carry different load"))
                  : sqlite3_column_int(st, 7) ? str_of(_("its pool does without it in one of the captures"))
                                              : STR_NONE;
        Str unit = STR("");
        if (str_ends(metric, "_ms")) unit = STR("ms");
        if (str_ends(metric, "_pct")) unit = STR("%");
        if (str_ends(metric, "_bytes_s")) {
            unit = STR("MB/s");
            from /= 1e6;
            to /= 1e6;
        }
        add_factor(x, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after), metric, unit, from_basis, to_basis,
                   from, to, why);
    }
    sqlite3_finalize(st);

    st = compare_pair(
        x, "SELECT coalesce(b.node, h.node), a.tool || ' ' || coalesce(a.rw, '') || coalesce(', ' || CASE WHEN "
           "a.block_bytes >= 1048576 THEN (a.block_bytes / 1048576) || ' MiB' ELSE (a.block_bytes / 1024) || ' KiB' "
           "END, '')"
           " || CASE WHEN a.direct = 1 THEN ', O_DIRECT' ELSE ', buffered' END || CASE WHEN a.sync IS NOT NULL AND "
           "a.sync <> 'none' THEN ', ' || a.sync ELSE '' END, a.mb_s, b.mb_s, a.measures"
           " FROM benchmark a JOIN benchmark b ON b.capture = :after AND b.tool = a.tool AND b.rw IS a.rw AND "
           "b.block_bytes IS a.block_bytes AND b.direct IS a.direct AND b.sync IS a.sync"
           " AND b.data IS a.data AND b.node IS a.node AND (a.bytes IS NULL OR b.bytes IS NULL OR abs(a.bytes - "
           "b.bytes) <= 0.1 * b.bytes)"
           " AND (a.label IS b.label OR NOT EXISTS (SELECT 1 FROM benchmark x WHERE x.capture = :before AND x.label = "
           "b.label)) JOIN host h ON h.capture = :after WHERE a.capture = :before AND a.mb_s IS NOT NULL AND b.mb_s IS "
           "NOT NULL"
           " GROUP BY a.node, a.tool, a.rw, a.block_bytes, a.direct, a.sync ORDER BY a.src, a.line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str measures = column_text(x->a, st, 4), metric = column_text(x->a, st, 1);
        if (measures.len)
            metric =
                say(x->a, _("{test} (measures: {what})"), "test", metric, "what", lang_phrase(x->a, measures), NULL);
        add_factor(x, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after), metric, STR("MB/s"),
                   STR("benchmark"), STR("benchmark"), column_real(st, 2), column_real(st, 3), STR_NONE);
    }
    sqlite3_finalize(st);
}

/* ---------------------------------------------------------------- the same host? */

typedef struct HostFacts {
    int64_t shared, known_before, known_after;
    Str identity[2], board[2];
} HostFacts;

static HostFacts host_facts(Compare *x) {
    HostFacts h = {0};
    sqlite3_stmt *st = compare_pair(
        x, "SELECT (SELECT count(*) FROM drive a JOIN drive b ON b.node = a.node AND b.capture = :after WHERE "
           "a.capture = :before AND (a.serial IS NOT NULL OR a.wwn IS NOT NULL)),"
           " (SELECT count(*) FROM drive WHERE capture = :before AND (serial IS NOT NULL OR wwn IS NOT NULL)), "
           "(SELECT count(*) FROM drive WHERE capture = :after AND (serial IS NOT NULL OR wwn IS NOT NULL)),"
           " (SELECT b.host_identity FROM bundle b JOIN capture c ON c.bundle = b.id WHERE c.id = :before),"
           " (SELECT b.host_identity FROM bundle b JOIN capture c ON c.bundle = b.id WHERE c.id = :after)");
    if (sqlite3_step(st) == SQLITE_ROW) {
        h.shared = sqlite3_column_int64(st, 0);
        h.known_before = sqlite3_column_int64(st, 1);
        h.known_after = sqlite3_column_int64(st, 2);
        /* The word of a bundle on its host says nothing of two captures in it. */
        if (x->from->bundle.id != x->to->bundle.id) {
            h.identity[0] = column_text(x->a, st, 3);
            h.identity[1] = column_text(x->a, st, 4);
        }
    }
    sqlite3_finalize(st);
    const int64_t captures[] = {x->before, x->after};
    for (size_t k = 0; k < 2; k++) {
        st = facts_query(x->f, "SELECT group_concat(value, ' ') FROM (SELECT DISTINCT key, value FROM setting WHERE "
                               "capture = ?1 AND key IN ('dmi_board_vendor', 'dmi_board_name') ORDER BY key DESC)");
        sqlite3_bind_int64(st, 1, captures[k]);
        if (sqlite3_step(st) == SQLITE_ROW) h.board[k] = column_text(x->a, st, 0);
        sqlite3_reset(st);
    }
    return h;
}

/* Tokens hide who is who from everybody who has not both captures of one key: then nothing can be said of the drives. */
static bool two_keys(Compare *x) {
    Str key[2] = {STR_NONE, STR_NONE};
    const int64_t captures[] = {x->before, x->after};
    for (size_t k = 0; k < 2; k++) {
        sqlite3_stmt *st =
            facts_query(x->f, "SELECT max(value) FROM setting WHERE capture = ?1 AND key = 'redact_key_check'");
        sqlite3_bind_int64(st, 1, captures[k]);
        if (sqlite3_step(st) == SQLITE_ROW) key[k] = column_text(x->a, st, 0);
        sqlite3_reset(st);
    }
    if (str_eq(key[0], key[1])) return false;
    bool both = key[0].len && key[1].len;
    compare_impossible(x, str_of(_("drives and hosts")),
                       str_of(both ? _("tokens of two keys: each capture was redacted with a key of its own, so that "
                                       "nobody can tell which drive is which; capture again with the key of the first")
                                   : _("one capture is redacted and the other is not, so that nobody can tell which "
                                       "drive is which; capture again alike")));
    return true;
}

/* Is a drive held for the same one in both captures of the pair, however weakly? */
static bool shares_history(const Compare *x) {
    for (size_t i = 0; i < x->c->drives.count; i++) {
        const DriveHistory *d = &x->c->drives.items[i];
        if (x->step < d->stages.count && d->stages.items[x->step - 1].present && d->stages.items[x->step].present)
            return true;
    }
    return false;
}

/* One upload given twice: every output of the same length, with the same rows, at the same time. */
static bool same_capture(Compare *x) {
    sqlite3_stmt *st = compare_pair(
        x,
        "SELECT 1 FROM capture a JOIN capture b ON b.id = :after AND b.start_s IS a.start_s AND b.boot_id IS a.boot_id "
        "WHERE a.id = :before AND (SELECT group_concat(t, char(10)) FROM (SELECT tool || ' ' || bytes || ' ' || rows "
        "|| "
        "' ' || bad_rows AS t FROM source WHERE capture = :before AND tool IS NOT NULL ORDER BY t)) = (SELECT "
        "group_concat(t, char(10)) FROM (SELECT tool || ' ' || bytes || ' ' || rows || ' ' || bad_rows AS t FROM "
        "source "
        "WHERE capture = :after AND tool IS NOT NULL ORDER BY t))");
    bool same = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_finalize(st);
    return same;
}

void compare_hosts(Compare *x) {
    if (same_capture(x))
        compare_warn(
            x, str_of(_("Both hold the same outputs of the same moment: one capture was probably given twice, and then "
                        "nothing can have changed.")));
    if (two_keys(x)) return;
    HostFacts h = host_facts(x);
    Str from = x->from->bundle.host, to = x->to->bundle.host;
    bool have_identity = h.identity[0].len && h.identity[1].len;
    bool other_identity = have_identity && !str_eq(h.identity[0], h.identity[1]);
    bool other_board = h.board[0].len && h.board[1].len && !str_eq(h.board[0], h.board[1]);
    bool both = h.known_before > 0 && h.known_after > 0, different = false;
    bool named = from.len && to.len && !str_eq(from, to);
    if (h.shared > 0) { /* shared drives come first: a system may be installed anew */
        if (!other_identity || !other_board) return;
        if (named)
            compare_warn(x, say_n(x->a,
                                  "These captures ({first} and {second}) share {n} drive, but machine-id and mainboard "
                                  "differ: the drives were moved to another machine.",
                                  "These captures ({first} and {second}) share {n} drives, but machine-id and "
                                  "mainboard differ: the drives were moved to another machine.",
                                  (unsigned long)h.shared, "first", from, "second", to, NULL));
        else
            compare_warn(x, say_n(x->a,
                                  "These captures share {n} drive, but machine-id and mainboard differ: the drives "
                                  "were moved to another machine.",
                                  "These captures share {n} drives, but machine-id and mainboard differ: the drives "
                                  "were moved to another machine.",
                                  (unsigned long)h.shared, NULL));
        return;
    }
    if (have_identity && !other_identity) {
        if (both)
            compare_warn(
                x, str_of(_("These captures share no drive, but are of one host by its machine-id: all its drives "
                            "are others, or their serial numbers could not be read in one of them.")));
    } else if (other_identity || other_board) {
        different = true;
        Str why = str_of(other_identity && other_board ? _("machine-id and mainboard differ")
                         : other_identity              ? _("the machine-id differs")
                                                       : _("the mainboard differs"));
        compare_warn(x, named ? say(x->a,
                                    _("These captures are of different hosts ({first} and {second}): they share no "
                                      "drive, and {why}."),
                                    "first", from, "second", to, "why", why, NULL)
                              : say(x->a, _("These captures are of different hosts: they share no drive, and {why}."),
                                    "why", why, NULL));
    } else if (both) {
        different = true;
        compare_warn(x, named ? say(x->a,
                                    _("These captures share no drive ({first} and {second}): they are probably of "
                                      "different hosts."),
                                    "first", from, "second", to, NULL)
                              : str_of(_("These captures share no drive: they are probably of different hosts.")));
    } else {
        if (shares_history(x)) {
            compare_warn(x, str_of(_("Serial numbers and WWNs are missing in one of the captures: drives are matched "
                                     "by their model, or by their name where that is all, and may be mistaken for "
                                     "each other.")));
            return;
        }
        compare_warn(x, str_of(_("Drives could not be matched: serial numbers or WWNs are missing in one of the "
                                 "captures.")));
    }
    x->c->different_hosts = x->c->different_hosts || different;
    compare_impossible(x, str_of(_("figures of single drives")), str_of(_("no drive is known to be in both captures")));
}
