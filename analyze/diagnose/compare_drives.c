/*
 * compare_drives.c - each drive over the stages: followed by its identity, never by its name
 *
 * Two axes. The name changes from boot to boot and means nothing. The place (controller and port) is where the drive sits,
 * and can only be compared while the controller keeps its mode: a channel of an IDE interface is no port of an AHCI one.
 */
#include "column.h"
#include "compare_parts.h"

#include <math.h>

static Str load_words(Compare *x, int64_t node, int64_t capture) {
    sqlite3_stmt *st = compare_prepare(
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

/* The drive beside its peers, as view `outlier` judges it. */
static void read_peers(Compare *x, int64_t node, int64_t capture, Stage *out) {
    sqlite3_stmt *st = facts_query(x->f, "SELECT value_ms, peers_ms, ratio, slow, metric FROM outlier WHERE capture = "
                                         "?1 AND drive = ?2 AND rank = 1");
    sqlite3_bind_int64(st, 1, capture);
    sqlite3_bind_int64(st, 2, node);
    if (sqlite3_step(st) == SQLITE_ROW) {
        out->wait_ms = column_real(st, 0);
        out->peers_ms = column_real(st, 1);
        out->ratio = column_real(st, 2);
        out->slow = sqlite3_column_int(st, 3) != 0;
        out->wait_metric = column_text(x->a, st, 4);
    }
    sqlite3_reset(st);
}

static Str mode_of(Compare *x, int64_t node, int64_t capture) {
    sqlite3_stmt *st =
        facts_query(x->f, "SELECT coalesce(p.mode, (SELECT mode FROM pci_device d WHERE d.bdf = p.bdf AND d.capture = "
                          "p.capture AND mode IS NOT NULL LIMIT 1)) FROM place p"
                          " WHERE p.node = ?1 AND p.capture = ?2 AND p.boot = 0 ORDER BY p.src, p.line LIMIT 1");
    sqlite3_bind_int64(st, 1, node);
    sqlite3_bind_int64(st, 2, capture);
    Str mode = sqlite3_step(st) == SQLITE_ROW ? column_text(x->a, st, 0) : STR_NONE;
    sqlite3_reset(st);
    return mode;
}

/* Is there a controller at this address in the capture? */
static bool has_address(Compare *x, Str bdf, int64_t capture) {
    sqlite3_stmt *st = facts_query(x->f, "SELECT 1 FROM pci_device WHERE capture = ?1 AND bdf = ?2 UNION ALL SELECT 1 "
                                         "FROM place WHERE capture = ?1 AND bdf = ?2 AND boot = 0 LIMIT 1");
    sqlite3_bind_int64(st, 1, capture);
    sqlite3_bind_text64(st, 2, bdf.p, bdf.len, SQLITE_STATIC, SQLITE_UTF8);
    bool yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return yes;
}

/* The verdicts about exchanged ports ask the same view. */
static bool is_exact(Compare *x, int64_t node, int64_t capture) {
    sqlite3_stmt *st = facts_query(x->f, "SELECT 1 FROM exact_place WHERE capture = ?1 AND node = ?2 LIMIT 1");
    sqlite3_bind_int64(st, 1, capture);
    sqlite3_bind_int64(st, 2, node);
    bool yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return yes;
}

/* A port is no slot: where one capture tells the one and the other the other, nothing is known of a move. */
static bool same_axis(const Place *a, const Place *b) {
    return !a->port.len == !b->port.len && !a->slot.len == !b->slot.len;
}

static void compare_places(Compare *x, const Stage *old, int64_t now, Stage *s) {
    if (!old->place.label.len || !s->place.label.len || str_eq(old->place.label, s->place.label)) return;
    if (old->mode.len && s->mode.len && !str_eq(old->mode, s->mode) &&
        (str_eq(old->place.controller, s->place.controller) || !has_address(x, old->place.controller, now)))
        s->place_note = str_of(_("not comparable (controller mode changed)"));
    else if (!old->exact || !s->exact || !same_axis(&old->place, &s->place))
        s->place_note = str_of(_("not comparable (the port is not known in both)"));
    else if (!str_eq(old->place.controller, s->place.controller) && !has_address(x, old->place.controller, now))
        s->place_note = str_of(_("not comparable (the bus was numbered anew)"));
    else s->moved = true;
}

static Stage absent(const Compare *x, size_t i) {
    const Diagnosis *d = x->c->stages.items[i];
    return (Stage){
        .bundle = d->bundle.id, .bundle_label = d->bundle.label, .wait_ms = NAN, .peers_ms = NAN, .ratio = NAN};
}

static void fill_gaps(Compare *x, DriveHistory *h, size_t until) {
    while (h->stages.count < until) {
        Stage gap = absent(x, h->stages.count);
        VEC_PUSH(x->a, &h->stages, gap);
    }
}

static DriveHistory *history_of(Compare *x, const DriveInfo *drive) {
    for (size_t k = 0; k < x->c->drives.count; k++) {
        DriveHistory *h = &x->c->drives.items[k];
        const Stage *last = h->stages.count ? &h->stages.items[h->stages.count - 1] : NULL;
        Str name = last ? last->name : STR_NONE;
        if (compare_same_drive(x, h->node, h->id, name, h->model, drive->node, drive->id, drive->name, drive->model))
            return h;
    }
    DriveHistory fresh = {
        .node = drive->node, .id = drive->id, .wwn = drive->wwn, .serial = drive->serial, .model = drive->model};
    VEC_PUSH(x->a, &x->c->drives, fresh);
    return &x->c->drives.items[x->c->drives.count - 1];
}

void compare_histories(Compare *x) {
    for (size_t s = 0; s < x->c->stages.count; s++) {
        const Diagnosis *d = x->c->stages.items[s];
        for (size_t i = 0; i < d->drives.count; i++) {
            const DriveInfo *drive = &d->drives.items[i];
            DriveHistory *h = history_of(x, drive);
            if (!h->wwn.len) h->wwn = drive->wwn;
            if (!h->serial.len) h->serial = drive->serial;
            if (!h->model.len) h->model = drive->model;
            fill_gaps(x, h, s);
            if (h->stages.count > s) continue; /* two names of one drive */
            Stage stage = absent(x, s);
            stage.present = true;
            stage.node = drive->node;
            stage.name = drive->name;
            stage.firmware = drive->firmware;
            stage.place = drive->place;
            stage.mode = mode_of(x, drive->node, d->capture.id);
            stage.exact = is_exact(x, drive->node, d->capture.id);
            stage.load = load_words(x, drive->node, d->capture.id);
            read_peers(x, drive->node, d->capture.id, &stage);
            for (size_t k = 0; k < drive->metrics.count; k++) VEC_PUSH(x->a, &stage.metrics, drive->metrics.items[k]);
            for (size_t k = h->stages.count; k > 0; k--)
                if (h->stages.items[k - 1].present) {
                    compare_places(x, &h->stages.items[k - 1], d->capture.id, &stage);
                    break;
                }
            VEC_PUSH(x->a, &h->stages, stage);
        }
    }
    for (size_t k = 0; k < x->c->drives.count; k++) fill_gaps(x, &x->c->drives.items[k], x->c->stages.count);
}
