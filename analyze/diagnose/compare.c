/*
 * compare.c - two captures or more side by side
 *
 * Drives are the same node in every capture (identity.c), everything else is matched by its key. What cannot be compared is
 * said, not left out: an average since import against another one of the same import contains it.
 */
#include "column.h"
#include "diagnose.h"

#include <math.h>
#include <stdio.h>

typedef struct Compare {
    Facts *f;
    Arena *a;
    Comparison *c;
    int64_t before, after;
    const Diagnosis *from, *to;
} Compare;

static sqlite3_stmt *prepare(Facts *f, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("compare: %s: %s", sql, sqlite3_errmsg(facts_db(f)));
    return st;
}

static sqlite3_stmt *pair(Compare *x, const char *sql) {
    sqlite3_stmt *st = prepare(x->f, sql);
    for (int i = 1; i <= sqlite3_bind_parameter_count(st); i++) {
        const char *name = sqlite3_bind_parameter_name(st, i);
        sqlite3_bind_int64(st, i, name && strcmp(name, ":before") == 0 ? x->before : x->after);
    }
    return st;
}

/* A key without the capture it was made unique by: "pool:storage@2" and "pool:storage@1" are the same pool. */
static Str bare_key(Str id) {
    size_t at = str_rfind_ch(id, '@');
    if (at == SIZE_MAX) return id;
    for (size_t i = at + 1; i < id.len; i++)
        if (!ch_digit(id.p[i])) return id;
    return str_sub(id, 0, at);
}

static bool same_subject(const Subject *a, const Subject *b) {
    return a->node == b->node || str_eq(bare_key(a->id), bare_key(b->id));
}

static bool shares_subject(const SubjectList *a, const SubjectList *b) {
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (same_subject(&a->items[i], &b->items[k])) return true;
    return false;
}

/* ---------------------------------------------------------------- findings */

static Finding *find_match(const Diagnosis *d, const Finding *f) {
    const FindingList *lists[] = {&d->causes, &d->risks, &d->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            Finding *other = lists[l]->items[i];
            if (str_eq(other->rule, f->rule) && shares_subject(&other->subjects, &f->subjects)) return other;
        }
    return NULL;
}

static const NotChecked *find_unchecked(const Diagnosis *d, const Finding *f) {
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *n = &d->not_checked.items[i];
        if (str_eq(n->rule, f->rule) && (!n->subjects.count || shares_subject(&n->subjects, &f->subjects))) return n;
    }
    return NULL;
}

static bool is_ruled_out(const Diagnosis *d, const Finding *f) {
    for (size_t i = 0; i < d->ruled_out.count; i++)
        if (str_eq(d->ruled_out.items[i].rule, f->rule) &&
            shares_subject(&d->ruled_out.items[i].subjects, &f->subjects))
            return true;
    return false;
}

static Str list_words(Arena *a, const Str *words, size_t count) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < count; i++) sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(words[i]));
    return sb_str(&out);
}

static void not_comparable(Compare *x, Str what, Str why) {
    for (size_t i = 0; i < x->c->not_comparable.count; i++)
        if (str_eq(x->c->not_comparable.items[i].what, what) && str_eq(x->c->not_comparable.items[i].why, why)) return;
    NotComparable n = {what, why};
    VEC_PUSH(x->a, &x->c->not_comparable, n);
}

/* How good a capture is belongs to that capture: it is neither resolved nor new. */
static bool about_evidence(const Finding *f) {
    return str_is(f->kind, "note") && str_is(f->layer, "quality");
}

static void sort_findings(Compare *x) {
    const FindingList *lists[] = {&x->from->causes, &x->from->risks, &x->from->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            Finding *f = lists[l]->items[i];
            if (f->covered_by.len || about_evidence(f) || find_match(x->to, f)) continue;
            const NotChecked *open = find_unchecked(x->to, f);
            if (open)
                not_comparable(x, f->title,
                               arena_strf(x->a, "it could not be checked in the later capture (missing: %.*s)",
                                          STR_ARG(list_words(x->a, open->missing.items, open->missing.count))));
            else if (f->rank > 0 && !is_ruled_out(x->to, f)) /* silence is not health */
                not_comparable(x, f->title, STR("it is not seen in the later capture, but nothing there rules it out"));
            else VEC_PUSH(x->a, &x->c->resolved, f);
        }
    const FindingList *now[] = {&x->to->causes, &x->to->risks, &x->to->notes};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < now[l]->count; i++) {
            Finding *f = now[l]->items[i];
            if (f->covered_by.len || about_evidence(f)) continue;
            Finding *earlier = find_match(x->from, f);
            if (earlier && !earlier->covered_by.len) {
                VEC_PUSH(x->a, &x->c->remaining, f);
                continue;
            }
            if (find_unchecked(x->from, f)) {
                Finding *copy = arena_new_of(x->a, Finding);
                *copy = *f;
                VEC_PUSH(x->a, &copy->remarks,
                         STR("It could not be checked in the earlier capture, so it may be older than it looks."));
                f = copy;
            }
            VEC_PUSH(x->a, &x->c->new_, f);
        }
}

/* ---------------------------------------------------------------- drives over the stages */

static Str load_words(Compare *x, int64_t node, int64_t capture) {
    sqlite3_stmt *st = prepare(
        x->f,
        "SELECT metric, coalesce(p50, mean) FROM distribution WHERE node = ?1 AND capture = ?2"
        " AND metric IN ('r_s','w_s','r_bytes_s','w_bytes_s') AND basis NOT LIKE 'lifetime%' ORDER BY tool, metric");
    sqlite3_bind_int64(st, 1, node);
    sqlite3_bind_int64(st, 2, capture);
    double r = NAN, w = NAN, rb = NAN, wb = NAN;
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str m = str_of((const char *)sqlite3_column_text(st, 0));
        double v = sqlite3_column_double(st, 1);
        if (str_is(m, "r_s") && isnan(r)) r = v;
        if (str_is(m, "w_s") && isnan(w)) w = v;
        if (str_is(m, "r_bytes_s") && isnan(rb)) rb = v;
        if (str_is(m, "w_bytes_s") && isnan(wb)) wb = v;
    }
    sqlite3_finalize(st);
    if (isnan(r) && isnan(w)) return STR_NONE;
    StrBuf out;
    sb_init(&out, x->a);
    if (isfinite(r)) sb_addf(&out, "%.0f r/s", r);
    if (isfinite(rb)) sb_addf(&out, " (%.1f MB/s)", rb / 1e6);
    if (isfinite(w)) sb_addf(&out, "%s%.0f w/s", out.len ? ", " : "", w);
    if (isfinite(wb)) sb_addf(&out, " (%.1f MB/s)", wb / 1e6);
    return sb_str(&out);
}

static void drive_histories(Compare *x) {
    for (size_t s = 0; s < x->c->stages.count; s++) {
        const Diagnosis *d = x->c->stages.items[s];
        for (size_t i = 0; i < d->drives.count; i++) {
            const DriveInfo *drive = &d->drives.items[i];
            DriveHistory *h = NULL;
            for (size_t k = 0; k < x->c->drives.count && !h; k++)
                if (str_eq(bare_key(x->c->drives.items[k].id), bare_key(drive->id))) h = &x->c->drives.items[k];
            if (!h) {
                DriveHistory fresh = {
                    .id = drive->id, .wwn = drive->wwn, .serial = drive->serial, .model = drive->model};
                VEC_PUSH(x->a, &x->c->drives, fresh);
                h = &x->c->drives.items[x->c->drives.count - 1];
            }
            if (!h->wwn.len) h->wwn = drive->wwn;
            if (!h->serial.len) h->serial = drive->serial;
            if (!h->model.len) h->model = drive->model;
            while (h->stages.count < s) { /* it was absent in the stages before */
                const Diagnosis *missing = x->c->stages.items[h->stages.count];
                Stage gap = {.bundle = missing->bundle.id, .bundle_label = missing->bundle.label};
                VEC_PUSH(x->a, &h->stages, gap);
            }
            if (h->stages.count > s) continue; /* two names of one drive */
            Stage stage = {.bundle = d->bundle.id,
                           .bundle_label = d->bundle.label,
                           .name = drive->name,
                           .firmware = drive->firmware,
                           .place = drive->place,
                           .present = true,
                           .load = load_words(x, drive->node, d->capture.id)};
            for (size_t k = 0; k < drive->metrics.count; k++) VEC_PUSH(x->a, &stage.metrics, drive->metrics.items[k]);
            VEC_PUSH(x->a, &h->stages, stage);
        }
    }
    for (size_t k = 0; k < x->c->drives.count; k++) {
        DriveHistory *h = &x->c->drives.items[k];
        while (h->stages.count < x->c->stages.count) {
            const Diagnosis *missing = x->c->stages.items[h->stages.count];
            Stage gap = {.bundle = missing->bundle.id, .bundle_label = missing->bundle.label};
            VEC_PUSH(x->a, &h->stages, gap);
        }
    }
}

/* ---------------------------------------------------------------- changes */

static void cite(Compare *x, Change *c, sqlite3_stmt *st, int src, int line) {
    if (sqlite3_column_type(st, src) == SQLITE_NULL || sqlite3_column_type(st, line) == SQLITE_NULL) return;
    Str json = arena_strf(x->a, "[{\"src\":%lld,\"line\":%lld}]", (long long)sqlite3_column_int64(st, src),
                          (long long)sqlite3_column_int64(st, line));
    EvidenceList list = {0};
    evidence_from_json(x->f, x->a, json, &list);
    for (size_t i = 0; i < list.count; i++) VEC_PUSH(x->a, &c->evidence, list.items[i]);
}

/* Rows: node (of the later capture, else of the earlier), what, from, to, and src, line of both. */
static void changes(Compare *x, const char *kind, const char *sql) {
    sqlite3_stmt *st = pair(x, sql);
    while (sqlite3_step(st) == SQLITE_ROW) {
        Change c = {.kind = str_of(kind),
                    .subject = subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after),
                    .what = column_text(x->a, st, 1),
                    .from = column_text(x->a, st, 2),
                    .to = column_text(x->a, st, 3)};
        if (!c.subject.name.len) c.subject = subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->before);
        if (sqlite3_column_count(st) >= 8) {
            cite(x, &c, st, 4, 5);
            cite(x, &c, st, 6, 7);
        }
        VEC_PUSH(x->a, &x->c->changes, c);
    }
    sqlite3_finalize(st);
}

/* The value that counts of each key and node in one capture: the drive's own word before the kernel's, later lines first. */
#define BEST_SETTINGS(capture_)                                                                                        \
    "(SELECT node, key, value, src, line, (SELECT CASE WHEN n.kind IN ('drive') THEN n.key WHEN instr(n.key, '@') > "  \
    "0 THEN substr(n.key, 1, instr(n.key, '@') - 1) ELSE n.key END"                                                    \
    " FROM node n WHERE n.id = s.node) AS k, row_number() OVER (PARTITION BY node, key ORDER BY CASE view WHEN "       \
    "'drive' THEN 0 WHEN 'kernel' THEN 1 ELSE 2 END, src, line DESC) AS place"                                         \
    " FROM setting s WHERE capture = " capture_ " AND boot = 0 AND node IS NOT NULL AND key IN (" STABLE_KEYS "))"
/* Settings people or firmware change; readings that move by themselves are left out. */
#define STABLE_KEYS                                                                                                    \
    "'write_cache','nvme_write_cache_feature','read_cache','read_lookahead','fua','queue_depth','ncq_depth','nr_"      \
    "requests','scheduler','io_timeout_s','max_sectors_kb',"                                                           \
    "'read_ahead_kb','wbt_lat_usec','iostats','discard_granularity_bytes','discard_max_bytes','link_gbps','link_"      \
    "limit_gbps','lpm_policy','usb_driver','apm_level','autotrim',"                                                    \
    "'ashift','sync','compression','recordsize_bytes','dmi_bios_version','cmdline','kernel_release','zfs_version','"   \
    "fstrim_timer','zfs_parameter','smart_health','lba_format_bytes'"

static void find_changes(Compare *x) {
    changes(
        x, "setting",
        "SELECT b.node, a.key, a.value, b.value, a.src, a.line, b.src, b.line FROM " BEST_SETTINGS(
            ":before") " a JOIN " BEST_SETTINGS(":after") " b"
                                                          " ON b.k = a.k AND b.key = a.key WHERE a.place = 1 AND "
                                                          "b.place = 1 AND a.value <> b.value"
                                                          /* the same speaker: a kernel's word against a drive's is a disagreement, not a change */
                                                          " ORDER BY a.key, b.k");
    changes(x, "firmware",
            "SELECT a.node, 'firmware', a.firmware, b.firmware FROM drive a JOIN drive b ON b.node = a.node AND "
            "b.capture = :after WHERE a.capture = :before"
            " AND a.firmware <> b.firmware ORDER BY a.name");
    changes(x, "name",
            "SELECT a.node, 'kernel name', a.name, b.name FROM drive a JOIN drive b ON b.node = a.node AND b.capture = "
            ":after WHERE a.capture = :before"
            " AND a.name <> b.name ORDER BY a.name");
    changes(x, "place",
            "SELECT a.node, 'place', a.label, b.label, a.src, a.line, b.src, b.line FROM place a JOIN place b ON "
            "b.node = a.node AND b.capture = :after AND b.boot = 0"
            " WHERE a.capture = :before AND a.boot = 0 AND a.bdf IS NOT NULL AND b.bdf IS NOT NULL AND (a.bdf <> b.bdf "
            "OR a.port <> b.port OR a.slot <> b.slot) ORDER BY a.label");
    changes(x, "drive",
            "SELECT a.node, 'drive', a.name, 'no longer there' FROM drive a WHERE a.capture = :before AND NOT EXISTS "
            "(SELECT 1 FROM drive b WHERE b.node = a.node AND b.capture = :after)"
            " AND (a.serial IS NOT NULL OR a.wwn IS NOT NULL) AND EXISTS (SELECT 1 FROM drive b WHERE b.capture = "
            ":after) ORDER BY a.name");
    changes(x, "drive",
            "SELECT b.node, 'drive', 'not there', b.name FROM drive b WHERE b.capture = :after AND NOT EXISTS (SELECT "
            "1 FROM drive a WHERE a.node = b.node AND a.capture = :before)"
            " AND (b.serial IS NOT NULL OR b.wwn IS NOT NULL) AND EXISTS (SELECT 1 FROM drive a WHERE a.capture = "
            ":before) ORDER BY b.name");
    changes(x, "controller-mode",
            "SELECT b.node, 'mode of ' || a.bdf, a.mode || coalesce(' (' || a.driver || ')', ''), b.mode || coalesce(' "
            "(' || b.driver || ')', ''), a.src, a.line, b.src, b.line"
            " FROM pci_device a JOIN pci_device b ON b.bdf = a.bdf AND b.capture = :after WHERE a.capture = :before "
            "AND a.mode <> b.mode GROUP BY a.bdf ORDER BY a.bdf");
    changes(x, "pool-state",
            "SELECT b.node, 'state of pool ' || a.name, a.state, b.state, a.src, a.line, b.src, b.line FROM pool a "
            "JOIN pool b ON b.name = a.name AND b.capture = :after"
            " WHERE a.capture = :before AND a.state <> b.state GROUP BY a.name ORDER BY a.name");
    changes(x, "pool-state",
            "SELECT b.node, 'TRIM of ' || b.name, a.t, b.t, a.src, a.line, b.src, b.line FROM"
            " (SELECT *, trim_state || coalesce(' ' || CAST(round(trim_pct) AS INTEGER) || ' %', '') AS t FROM vdev "
            "WHERE capture = :before AND is_leaf = 1) a JOIN"
            " (SELECT *, trim_state || coalesce(' ' || CAST(round(trim_pct) AS INTEGER) || ' %', '') AS t FROM vdev "
            "WHERE capture = :after AND is_leaf = 1) b"
            " ON b.node = a.node WHERE a.t <> b.t ORDER BY b.name");
    changes(x, "counter",
            "SELECT a.node, a.name, CAST(a.value AS INTEGER), CAST(b.value AS INTEGER), a.src, a.line, b.src, b.line "
            "FROM counter a JOIN counter b ON b.node = a.node AND b.name = a.name"
            " AND b.capture = :after WHERE a.capture = :before AND b.value > a.value AND (a.id IN (5, 10, 183, 184, "
            "187, 188, 192, 196, 197, 198, 199) OR a.kind = 'phy'"
            " OR a.name IN "
            "('media_errors','num_err_log_entries','critical_warning','percentage_used','unsafe_shutdowns','grown_"
            "defects','non_medium_errors')"
            " OR a.name GLOB '*uncorrected*') GROUP BY a.node, a.name ORDER BY a.node, a.name");
    changes(x, "mount",
            "SELECT b.node, 'options of ' || a.mountpoint, a.options, b.options, a.src, a.line, b.src, b.line FROM "
            "mount a JOIN mount b ON b.mountpoint = a.mountpoint"
            " AND b.capture = :after WHERE a.capture = :before AND a.options <> b.options AND a.fstype = b.fstype "
            "GROUP BY a.mountpoint ORDER BY a.mountpoint");
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
                .why_not = why_not};
    VEC_PUSH(x->a, &x->c->factors, f);
}

static void find_factors(Compare *x) {
    sqlite3_stmt *st =
        pair(x, "SELECT h.node, a.resource || ' pressure, ' || a.kind || ' avg60', a.avg60_pct, b.avg60_pct FROM "
                "pressure a JOIN pressure b ON b.resource = a.resource AND b.kind = a.kind"
                " AND b.capture = :after JOIN host h ON h.capture = :after WHERE a.capture = :before AND a.resource = "
                "'io' AND a.avg60_pct IS NOT NULL AND b.avg60_pct IS NOT NULL"
                " GROUP BY a.kind ORDER BY a.kind DESC");
    while (sqlite3_step(st) == SQLITE_ROW)
        add_factor(x, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after), column_text(x->a, st, 1), STR("%"),
                   STR("present value"), STR("present value"), column_real(st, 2), column_real(st, 3), STR_NONE);
    sqlite3_finalize(st);

    st = pair(x, "SELECT b.node, a.metric, a.tool, a.basis, b.basis, coalesce(a.busy_p50, a.p50, a.mean), "
                 "coalesce(b.busy_p50, b.p50, b.mean) FROM distribution a"
                 " JOIN node na ON na.id = a.node JOIN distribution b ON b.metric = a.metric AND b.tool = a.tool AND "
                 "b.capture = :after JOIN node nb ON nb.id = b.node"
                 " AND (nb.id = na.id OR (instr(na.key, '@') > 0 AND substr(nb.key, 1, instr(nb.key, '@')) = "
                 "substr(na.key, 1, instr(na.key, '@'))))"
                 " WHERE a.capture = :before AND a.metric IN "
                 "('w_await_ms','r_await_ms','f_await_ms','disk_wait_write_ms','disk_wait_read_ms','util_pct','w_bytes_"
                 "s','r_bytes_s','w_s','r_s')"
                 " AND nb.kind IN ('drive','pool','array') ORDER BY nb.kind, nb.label, a.metric");
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str metric = column_text(x->a, st, 1), from_basis = column_text(x->a, st, 3),
            to_basis = column_text(x->a, st, 4);
        double from = column_real(st, 5), to = column_real(st, 6);
        if (isnan(from) || isnan(to)) continue;
        /* Idle in both: less than one request per second is no figure. */
        if ((str_is(metric, "r_s") || str_is(metric, "w_s")) && from < 1 && to < 1) continue;
        if (str_ends(metric, "_bytes_s") && from < 50e3 && to < 50e3) continue;
        bool life_from = str_starts(from_basis, "lifetime"), life_to = str_starts(to_basis, "lifetime");
        Str why = life_from && life_to   ? STR("both are averages since boot or import: the second contains the first")
                  : life_from || life_to ? STR("an average since boot or import against a series of the present")
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

    st = pair(
        x, "SELECT coalesce(b.node, h.node), a.tool || ' ' || coalesce(a.rw, '') || coalesce(', ' || CASE WHEN "
           "a.block_bytes >= 1048576 THEN (a.block_bytes / 1048576) || ' MiB' ELSE (a.block_bytes / 1024) || ' KiB' "
           "END, '')"
           " || CASE WHEN a.direct = 1 THEN ', O_DIRECT' ELSE ', buffered' END || CASE WHEN a.sync IS NOT NULL AND "
           "a.sync <> 'none' THEN ', ' || a.sync ELSE '' END, a.mb_s, b.mb_s, a.measures"
           " FROM benchmark a JOIN benchmark b ON b.capture = :after AND b.tool = a.tool AND b.rw IS a.rw AND "
           "b.block_bytes IS a.block_bytes AND b.direct IS a.direct AND b.sync IS a.sync"
           " AND b.data IS a.data AND (a.bytes IS NULL OR b.bytes IS NULL OR abs(a.bytes - b.bytes) <= 0.1 * b.bytes)"
           " AND (a.label IS b.label OR NOT EXISTS (SELECT 1 FROM benchmark x WHERE x.capture = :before AND x.label = "
           "b.label)) JOIN host h ON h.capture = :after WHERE a.capture = :before AND a.mb_s IS NOT NULL AND b.mb_s IS "
           "NOT NULL"
           " GROUP BY a.tool, a.rw, a.block_bytes, a.direct, a.sync ORDER BY a.src, a.line");
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str measures = column_text(x->a, st, 4), metric = column_text(x->a, st, 1);
        if (measures.len) metric = arena_strf(x->a, "%.*s (measures: %.*s)", STR_ARG(metric), STR_ARG(measures));
        add_factor(x, subject_of(x->f, x->a, sqlite3_column_int64(st, 0), x->after), metric, STR("MB/s"),
                   STR("benchmark"), STR("benchmark"), column_real(st, 2), column_real(st, 3), STR_NONE);
    }
    sqlite3_finalize(st);
}

/* ---------------------------------------------------------------- the same host? */

static void check_hosts(Compare *x) {
    sqlite3_stmt *st =
        pair(x, "SELECT (SELECT count(*) FROM drive a JOIN drive b ON b.node = a.node AND b.capture = :after WHERE "
                "a.capture = :before AND (a.serial IS NOT NULL OR a.wwn IS NOT NULL)),"
                " (SELECT count(*) FROM drive WHERE capture = :before AND (serial IS NOT NULL OR wwn IS NOT NULL)), "
                "(SELECT count(*) FROM drive WHERE capture = :after AND (serial IS NOT NULL OR wwn IS NOT NULL))");
    if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0) == 0) {
        bool both = sqlite3_column_int(st, 1) > 0 && sqlite3_column_int(st, 2) > 0;
        Str from = x->from->bundle.host, to = x->to->bundle.host;
        if (both)
            VEC_PUSH(x->a, &x->c->warnings,
                     arena_strf(x->a,
                                "These captures share no drive (%.*s and %.*s): they are probably of different hosts.",
                                STR_ARG(from.len ? from : STR("?")), STR_ARG(to.len ? to : STR("?"))));
        else
            VEC_PUSH(x->a, &x->c->warnings,
                     STR("Drives could not be matched: serial numbers or WWNs are missing in one of the captures."));
        not_comparable(x, STR("figures of single drives"), STR("no drive is known to be in both captures"));
    }
    sqlite3_finalize(st);
}

typedef struct Verdicts {
    Compare *x;
    const Answer *answer;
} Verdicts;

static void put_verdict(void *arg, const Hit *const *hits, size_t count) {
    Verdicts *v = arg;
    Finding *f = finding_build(v->x->f, v->x->a, v->answer->page, hits, count, v->x->after);
    if (f->confidence >= 0.3) VEC_PUSH(v->x->a, &v->x->c->verdicts, f);
}

static void write_text(Compare *x) {
    StrBuf out;
    sb_init(&out, x->a);
    Comparison *c = x->c;
    for (size_t i = 0; i < c->verdicts.count && i < 2; i++) {
        const Finding *f = c->verdicts.items[i];
        StrBuf names;
        sb_init(&names, x->a);
        for (size_t k = 0; k < f->subjects.count && k < 6; k++)
            sb_addf(&names, "%s%.*s", k ? ", " : "", STR_ARG(f->subjects.items[k].name));
        Str title = str_after(f->title, "Verdict: ").p ? str_after(f->title, "Verdict: ") : f->title;
        sb_addf(&out, "%s%.*s: %.*s.", out.len ? " " : "", STR_ARG(title), STR_ARG(sb_str(&names)));
    }
    size_t resolved = 0, fresh = 0, remaining = 0;
    for (size_t i = 0; i < c->resolved.count; i++) resolved += c->resolved.items[i]->rank > 0;
    for (size_t i = 0; i < c->new_.count; i++) fresh += c->new_.items[i]->rank > 0;
    for (size_t i = 0; i < c->remaining.count; i++) remaining += c->remaining.items[i]->rank > 0;
    sb_addf(&out, "%s%zu cause%s resolved, %zu new, %zu remaining.", out.len ? " " : "", resolved,
            resolved == 1 ? "" : "s", fresh, remaining);
    c->text = sb_str(&out);
    if (c->text.len && c->text.p[0] >= 'a' && c->text.p[0] <= 'z')
        ((char *)(uintptr_t)c->text.p)[0] = (char)(c->text.p[0] - 32); /* our own buffer */
}

Comparison *compare_bundles(Facts *f, Arena *a, const Pages *pages, const int64_t *bundles, size_t count, Error *err) {
    Compare x = {.f = f, .a = a, .c = arena_new_of(a, Comparison)};
    for (size_t i = 0; i < count; i++) {
        Diagnosis *d = diagnose(f, a, pages, bundles[i], err);
        if (!d) return NULL;
        VEC_PUSH(a, &x.c->stages, d);
        for (size_t k = 0; k < d->warnings.count; k++) {
            bool said = false;
            for (size_t m = 0; m < x.c->warnings.count && !said; m++)
                said = str_eq(x.c->warnings.items[m], d->warnings.items[k]);
            if (!said) VEC_PUSH(a, &x.c->warnings, d->warnings.items[k]);
        }
    }
    drive_histories(&x);
    for (size_t i = 0; i + 1 < count; i++) { /* neighbours: what a step did */
        x.from = x.c->stages.items[i];
        x.to = x.c->stages.items[i + 1];
        x.before = x.from->capture.id;
        x.after = x.to->capture.id;
        Evaluation e = {.facts = f, .arena = a, .capture = x.after, .before = x.before, .after = x.after};
        evaluate_compare(&e, pages);
        for (size_t k = 0; k < e.answers.count; k++) {
            Verdicts v = {&x, &e.answers.items[k]};
            group_hits(f, a, v.answer, x.after, put_verdict, &v);
        }
        for (size_t k = 0; k < e.warnings.count; k++) VEC_PUSH(a, &x.c->warnings, e.warnings.items[k]);
        check_hosts(&x);
        find_changes(&x);
        find_factors(&x);
    }
    for (size_t i = 1; i < x.c->verdicts.count; i++) /* the surest first */
        for (size_t k = i; k > 0 && x.c->verdicts.items[k]->confidence > x.c->verdicts.items[k - 1]->confidence + 1e-9;
             k--) {
            Finding *t = x.c->verdicts.items[k];
            x.c->verdicts.items[k] = x.c->verdicts.items[k - 1];
            x.c->verdicts.items[k - 1] = t;
        }
    x.from = x.c->stages.items[0];
    x.to = x.c->stages.items[count - 1];
    x.before = x.from->capture.id;
    x.after = x.to->capture.id;
    sort_findings(&x);
    write_text(&x);
    return x.c;
}
