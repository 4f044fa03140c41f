#include "host_map.h"

#include "../base/lang.h"
#include "column.h"

#include <math.h>
#include <stdlib.h>

enum {
    DRIVES_KEPT = HOST_MAP_NODES / 2,
    EDGES_READ = 200000,
    BELOW_KEPT = 200000, /* of all nodes together: a hostile upload may tie everything to everything */
    STEP_CHECK = 1000,
    STEPS_OF_QUERY = 20000 /* times STEP_CHECK */
};
#define NOT_THERE SIZE_MAX

typedef VEC(size_t) Indexes;

/* A node that an edge names. */
typedef struct Local {
    int64_t id;
    Str kind, label;
    bool virtual_of_array; /* the disk that a RAID controller shows of its volume */
    int mark;              /* 0 untouched, 1 being placed, 2 done */
    size_t node;           /* in the map; NOT_THERE */
    Indexes stands;        /* nodes of the map that what lies upon this one rests on */
    size_t first_parent, parents, first_child, children;
} Local;

typedef struct Reader {
    Facts *f;
    Arena *a;
    int64_t capture;
    Diagnosis *d;
    HostMap *m;
    Local *locals;
    size_t local_count;
    size_t *parents, *children; /* of all locals, one behind the other */
    size_t below_count;
    size_t pcie; /* the node that NVMe drives hang on; NOT_THERE */
    int budget;
} Reader;

static int out_of_steps(void *arg) {
    int *left = arg;
    return --*left < 0;
}

/* With :capture bound. */
static sqlite3_stmt *query(Reader *r, const char *sql) {
    sqlite3_stmt *st;
    r->budget = STEPS_OF_QUERY;
    if (sqlite3_prepare_v2(facts_db(r->f), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("host map: %s: %s", sql, sqlite3_errmsg(facts_db(r->f)));
    sqlite3_bind_int64(st, 1, r->capture);
    return st;
}

static bool next(Reader *r, sqlite3_stmt *st) {
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) return true;
    if (rc == SQLITE_INTERRUPT)
        VEC_PUSH(r->a, &r->d->warnings,
                 str_of(_("The picture of the host lacks details: reading them took too long.")));
    sqlite3_finalize(st);
    return false;
}

/* ---------------------------------------------------------------- nodes that edges name */

static int by_id(const void *x, const void *y) {
    const Local *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

static Local *local_of(const Reader *r, int64_t id) {
    Local key = {.id = id};
    return r->local_count ? bsearch(&key, r->locals, r->local_count, sizeof key, by_id) : NULL;
}

static void read_edges(Reader *r) {
    VEC(Local) locals = {0};
    sqlite3_stmt *st = query(r, "SELECT n.id, n.kind, n.label FROM node n WHERE n.id IN (SELECT parent FROM edge WHERE "
                                "capture = ?1 UNION SELECT child FROM edge WHERE capture = ?1) ORDER BY n.id");
    while (next(r, st)) {
        Local l = {.id = sqlite3_column_int64(st, 0),
                   .kind = column_text(r->a, st, 1),
                   .label = column_text(r->a, st, 2),
                   .node = NOT_THERE};
        VEC_PUSH(r->a, &locals, l);
    }
    r->locals = locals.items;
    r->local_count = locals.count;
    VEC(size_t) from = {0}, to = {0};
    st = query(r, "SELECT DISTINCT parent, child FROM edge WHERE capture = ?1 ORDER BY parent, child");
    while (next(r, st)) {
        Local *p = local_of(r, sqlite3_column_int64(st, 0)), *c = local_of(r, sqlite3_column_int64(st, 1));
        if (!p || !c || p == c) continue;
        if (from.count == EDGES_READ) {
            r->m->left_out++;
            continue;
        }
        VEC_PUSH(r->a, &from, (size_t)(p - r->locals));
        VEC_PUSH(r->a, &to, (size_t)(c - r->locals));
        p->children++;
        c->parents++;
    }
    size_t at_parent = 0, at_child = 0;
    for (size_t i = 0; i < r->local_count; i++) {
        Local *l = &r->locals[i];
        l->first_parent = at_parent;
        l->first_child = at_child;
        at_parent += l->parents;
        at_child += l->children;
        l->parents = l->children = 0;
    }
    r->parents = arena_array(r->a, size_t, at_parent + 1);
    r->children = arena_array(r->a, size_t, at_child + 1);
    for (size_t i = 0; i < from.count; i++) {
        Local *p = &r->locals[from.items[i]], *c = &r->locals[to.items[i]];
        r->children[p->first_child + p->children++] = to.items[i];
        r->parents[c->first_parent + c->parents++] = from.items[i];
        if (str_is(p->kind, "array") && str_is(c->kind, "drive")) c->virtual_of_array = true;
    }
}

/* ---------------------------------------------------------------- controllers and drives */

static size_t add_node(Reader *r, MapNode n) {
    if (r->m->nodes.count >= HOST_MAP_NODES) {
        r->m->left_out++;
        return NOT_THERE;
    }
    VEC_PUSH(r->a, &r->m->nodes, n);
    return r->m->nodes.count - 1;
}

static MapNode fresh(int64_t node, Str kind, Str name) {
    return (MapNode){.node = node, .kind = kind, .name = name, .size_bytes = NAN, .rate = NAN, .could = NAN};
}

static void stand_for(Reader *r, size_t node, int64_t id) {
    if (node != NOT_THERE && id) VEC_PUSH(r->a, &r->m->nodes.items[node].also, id);
}

static void rest_on(Reader *r, size_t node, size_t below) {
    if (node == NOT_THERE || below == NOT_THERE || below >= node) return;
    MapNode *n = &r->m->nodes.items[node];
    for (size_t i = 0; i < n->below.count && n->below.count < 64; i++)
        if (n->below.items[i] == below) return;
    if (r->below_count++ < BELOW_KEPT) VEC_PUSH(r->a, &n->below, below);
}

/* The PCI function above a SCSI host; the host itself where none is known. */
static Local *topmost(const Reader *r, Local *l) {
    for (int steps = 0; l && steps < 8; steps++) {
        Local *up = NULL;
        for (size_t i = 0; i < l->parents && !up; i++) {
            Local *p = &r->locals[r->parents[l->first_parent + i]];
            if (str_is(p->kind, "controller")) up = p;
        }
        if (!up) break;
        l = up;
    }
    return l;
}

static Local *controller_by_edge(const Reader *r, const Local *l) {
    for (size_t i = 0; l && i < l->parents; i++) {
        Local *p = &r->locals[r->parents[l->first_parent + i]];
        if (str_is(p->kind, "controller")) return topmost(r, p);
    }
    return NULL;
}

/* The node of a controller, made when it is asked for: one that nothing hangs on tells a reader nothing. */
static size_t controller_node(Reader *r, Local *l) {
    if (!l) return NOT_THERE;
    if (l->node == NOT_THERE) {
        l->node = add_node(r, fresh(l->id, STR("controller"), l->label));
        for (size_t i = 0; i < l->children; i++) {
            const Local *c = &r->locals[r->children[l->first_child + i]];
            if (str_is(c->kind, "controller")) stand_for(r, l->node, c->id);
        }
    }
    return l->node;
}

typedef struct Seat {
    int64_t controller;
    Str bdf, mode, port, channel, unit, multiplier, expander, phy, slot, enclosure;
    bool enclosures; /* drives of its controller sit in several */
} Seat;

/* Behind an expander or a port multiplier, or in one of several enclosures: one node for each of a controller. */
static size_t between(Reader *r, size_t controller, const Seat *s) {
    Str kind = s->expander.len ? STR("expander") : s->multiplier.len ? STR("multiplier") : STR("enclosure");
    Str name = s->expander.len ? s->expander : s->multiplier.len ? s->port : s->enclosure;
    for (size_t i = 0; i < r->m->nodes.count; i++) {
        const MapNode *n = &r->m->nodes.items[i];
        if (str_eq(n->kind, kind) && str_eq(n->name, name) && n->below.count == (controller != NOT_THERE) &&
            (!n->below.count || n->below.items[0] == controller))
            return i;
    }
    size_t node = add_node(r, fresh(0, kind, name));
    rest_on(r, node, controller);
    return node;
}

static Str port_words(Arena *a, const Seat *s) {
    if (s->expander.len) return s->phy.len ? arena_strf(a, "phy %.*s", STR_ARG(s->phy)) : STR_NONE;
    if (s->multiplier.len) return arena_strf(a, "port %.*s.%.*s", STR_ARG(s->port), STR_ARG(s->multiplier));
    if (s->channel.len)
        return arena_strf(a, "channel %.*s%s%.*s", STR_ARG(s->channel), s->unit.len ? " " : "", STR_ARG(s->unit));
    if (str_is(s->mode, "sas") && s->phy.len) return arena_strf(a, "phy %.*s", STR_ARG(s->phy));
    return s->port.len ? arena_strf(a, "port %.*s", STR_ARG(s->port)) : STR_NONE;
}

static void seat_drive(Reader *r, MapNode *n, const Seat *s, const Local *l) {
    n->port = port_words(r->a, s);
    n->slot = s->slot;
    Local *by_edge = controller_by_edge(r, l), *c = s->controller ? local_of(r, s->controller) : NULL;
    if (c && !str_is(c->kind, "controller")) c = NULL;
    c = c ? topmost(r, c) : by_edge;
    if (str_is(s->mode, "nvme")) {
        /* the drive is its own controller */
        if (r->pcie == NOT_THERE) r->pcie = add_node(r, fresh(0, STR("controller"), STR("PCI Express")));
        if (s->controller) VEC_PUSH(r->a, &n->also, s->controller);
        if (!n->port.len) n->port = s->bdf;
        if (r->pcie != NOT_THERE) VEC_PUSH(r->a, &n->below, r->pcie);
        return;
    }
    size_t on = controller_node(r, c);
    if (s->expander.len || (s->multiplier.len && s->port.len) || (s->enclosures && !s->multiplier.len))
        on = between(r, on, s);
    if (on != NOT_THERE) VEC_PUSH(r->a, &n->below, on);
}

static bool drive_kept(const Reader *r, size_t i) {
    size_t n = r->d->drives.count;
    if (n <= DRIVES_KEPT) return true;
    return i < DRIVES_KEPT - 512 || r->d->drives.items[i].culprit;
}

/* The one enclosure of a controller tells nothing; which of several does. */
static void tell_enclosures(Reader *r, Seat *seats, size_t count) {
    VEC(Seat) first = {0}; /* of each controller */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            Seat *s = &seats[i], *same = NULL;
            if (!s->enclosure.len || !s->controller) continue;
            for (size_t k = 0; k < first.count && !same; k++)
                if (first.items[k].controller == s->controller) same = &first.items[k];
            if (pass) s->enclosures = same && same->enclosures;
            else if (!same && first.count < 256) VEC_PUSH(r->a, &first, *s);
            else if (same && !str_eq(same->enclosure, s->enclosure)) same->enclosures = true;
        }
}

static void read_drives(Reader *r) {
    Diagnosis *d = r->d;
    Seat *seats = arena_array(r->a, Seat, d->drives.count + 1);
    /* d->drives is in the order of names: an index by node. */
    Local *index = arena_array(r->a, Local, d->drives.count + 1);
    for (size_t i = 0; i < d->drives.count; i++) index[i] = (Local){.id = d->drives.items[i].node, .node = i};
    if (d->drives.count) qsort(index, d->drives.count, sizeof *index, by_id);
    sqlite3_stmt *st =
        query(r, "SELECT node, controller, bdf, mode, port, channel, unit, multiplier, expander, phy, "
                 "slot, enclosure FROM place WHERE capture = ?1 AND coalesce(boot, 0) = 0 ORDER BY node, rowid");
    while (next(r, st)) {
        Local key = {.id = sqlite3_column_int64(st, 0)};
        const Local *at = d->drives.count ? bsearch(&key, index, d->drives.count, sizeof *index, by_id) : NULL;
        if (!at || seats[at->node].controller) continue;
        Str texts[10];
        for (int c = 0; c < 10; c++) texts[c] = column_text(r->a, st, c + 2);
        seats[at->node] = (Seat){.controller = sqlite3_column_int64(st, 1),
                                 .bdf = texts[0],
                                 .mode = texts[1],
                                 .port = texts[2],
                                 .channel = texts[3],
                                 .unit = texts[4],
                                 .multiplier = texts[5],
                                 .expander = texts[6],
                                 .phy = texts[7],
                                 .slot = texts[8],
                                 .enclosure = texts[9]};
    }
    tell_enclosures(r, seats, d->drives.count);
    /* All that drives hang on stands before them. */
    MapNode *drives = arena_array(r->a, MapNode, d->drives.count + 1);
    for (size_t i = 0; i < d->drives.count; i++) {
        const DriveInfo *x = &d->drives.items[i];
        Local *l = local_of(r, x->node);
        drives[i] = fresh(x->node, STR("drive"), x->name.len ? x->name : x->id);
        drives[i].detail = x->model;
        drives[i].size_bytes = x->size_bytes;
        if (!drive_kept(r, i) || (l && l->virtual_of_array)) continue;
        seat_drive(r, &drives[i], &seats[i], l);
    }
    for (size_t i = 0; i < d->drives.count; i++) {
        Local *l = local_of(r, d->drives.items[i].node);
        size_t node = NOT_THERE;
        if (l && l->virtual_of_array) continue;
        if (drive_kept(r, i)) node = add_node(r, drives[i]);
        else r->m->left_out++;
        if (!l || node == NOT_THERE) continue;
        l->node = node;
        l->mark = 2;
        VEC_PUSH(r->a, &l->stands, node);
        for (size_t k = 0; k < l->parents; k++) {
            const Local *p = &r->locals[r->parents[l->first_parent + k]];
            if (str_is(p->kind, "link")) stand_for(r, node, p->id);
        }
    }
}

/* ---------------------------------------------------------------- what rests on drives */

static bool is_upper(const Local *l) {
    static const char *const kinds[] = {"vdev", "array", "pool", "volume", "filesystem"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_is(l->kind, kinds[i])) return true;
    return false;
}

/* A part of a disk, or the disk of a RAID volume: what lies on it rests on what is below. */
static bool is_clear(const Local *l) {
    return str_is(l->kind, "partition") || l->virtual_of_array;
}

static void take_over(Reader *r, Indexes *into, const Indexes *from) {
    for (size_t i = 0; i < from->count; i++) {
        bool there = false;
        for (size_t k = into->count > 256 ? into->count - 256 : 0; k < into->count && !there; k++)
            there = into->items[k] == from->items[i];
        if (!there && r->below_count++ < BELOW_KEPT) VEC_PUSH(r->a, into, from->items[i]);
    }
}

static void place_local(Reader *r, Local *l) {
    Indexes below = {0};
    for (size_t i = 0; i < l->parents; i++) {
        Local *p = &r->locals[r->parents[l->first_parent + i]];
        if (p->mark == 2) take_over(r, &below, &p->stands);
    }
    l->mark = 2;
    if (is_clear(l)) {
        l->stands = below;
        for (size_t i = 0; i < below.count && i < 64; i++) stand_for(r, below.items[i], l->id);
        return;
    }
    bool absent = str_is(l->kind, "drive");
    /* network mounts and the like rest on nothing that this picture shows */
    if (!absent && !below.count && !str_is(l->kind, "pool") && !str_is(l->kind, "array") && !str_is(l->kind, "vdev")) {
        if (l->parents && r->below_count >= BELOW_KEPT) r->m->left_out++;
        return;
    }
    MapNode n = fresh(l->id, l->kind, l->label);
    n.absent = absent;
    if (!absent)
        for (size_t i = 0; i < below.count; i++) VEC_PUSH(r->a, &n.below, below.items[i]);
    l->node = add_node(r, n);
    if (l->node != NOT_THERE) VEC_PUSH(r->a, &l->stands, l->node);
}

/* Parents first. An edge that closes a circle is left out. */
static void place_from(Reader *r, Local *start) {
    struct Frame {
        Local *l;
        size_t next;
    };
    VEC(struct Frame) stack = {0};
    struct Frame first = {start, 0};
    if (start->mark) return;
    start->mark = 1;
    VEC_PUSH(r->a, &stack, first);
    while (stack.count) {
        struct Frame *top = &stack.items[stack.count - 1];
        if (top->next < top->l->parents) {
            Local *p = &r->locals[r->parents[top->l->first_parent + top->next++]];
            bool member = str_is(p->kind, "drive") && !str_is(top->l->kind, "partition");
            if (p->mark || !(is_upper(p) || is_clear(p) || member)) continue;
            p->mark = 1;
            struct Frame more = {p, 0};
            VEC_PUSH(r->a, &stack, more);
        } else {
            place_local(r, top->l);
            stack.count--;
        }
    }
}

/* What rests on something by way of another node needs no edge of its own: a file system on its pool and on the pool's dataset. */
static void drop_short_cuts(Reader *r) {
    size_t n = r->m->nodes.count, steps = 0;
    size_t *seen = arena_array(r->a, size_t, n + 1); /* stamped with the number of the node, from 1 */
    Indexes walk = {0};
    for (size_t i = 0; i < n; i++) {
        MapNode *x = &r->m->nodes.items[i];
        if (x->below.count < 2) continue;
        walk.count = 0;
        for (size_t k = 0; k < x->below.count; k++) {
            const MapNode *b = &r->m->nodes.items[x->below.items[k]];
            for (size_t m = 0; m < b->below.count; m++) VEC_PUSH(r->a, &walk, b->below.items[m]);
        }
        while (walk.count && steps++ < 20000000) {
            size_t at = walk.items[--walk.count];
            if (seen[at] == i + 1) continue;
            seen[at] = i + 1;
            const MapNode *b = &r->m->nodes.items[at];
            for (size_t m = 0; m < b->below.count; m++)
                if (seen[b->below.items[m]] != i + 1) VEC_PUSH(r->a, &walk, b->below.items[m]);
        }
        size_t kept = 0;
        for (size_t k = 0; k < x->below.count; k++)
            if (seen[x->below.items[k]] != i + 1) x->below.items[kept++] = x->below.items[k];
        x->below.count = kept;
    }
}

/* ---------------------------------------------------------------- guests */

/* "pve/vm-101-disk-0" of the device mapper's "pve-vm--101--disk--0"; any other name as it is. */
static Str volume_name(Arena *a, Str s) {
    StrBuf out;
    sb_init(&out, a);
    bool parted = false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] != '-') {
            sb_addc(&out, s.p[i]);
        } else if (i + 1 < s.len && s.p[i + 1] == '-') {
            sb_addc(&out, '-');
            i++;
        } else {
            sb_addc(&out, parted ? '-' : '/');
            parted = true;
        }
    }
    return parted ? sb_str(&out) : s;
}

typedef struct Named {
    Str name, path, pool;
    size_t node;
} Named;
typedef VEC(Named) NamedList;

static bool is_below(Str path, Str folder) {
    if (str_is(folder, "/")) return str_starts(path, "/");
    return path.len >= folder.len && !memcmp(path.p, folder.p, folder.len) &&
           (path.len == folder.len || path.p[folder.len] == '/');
}

/* What a guest's disk lies on: its own volume, the file system that holds its file, or the pool of its storage. */
static size_t home_of(const Reader *r, Str source, const NamedList *volumes, const NamedList *stores,
                      const NamedList *mounts) {
    Str store = STR_NONE, rest = source, path = str_starts(source, "/") ? source : STR_NONE;
    for (size_t i = 0; i < source.len && !path.len; i++)
        if (source.p[i] == ':') {
            store = (Str){source.p, i};
            rest = (Str){source.p + i + 1, source.len - i - 1};
            break;
        }
    for (size_t i = 0; i < volumes->count && rest.len > 3; i++) {
        Str v = volumes->items[i].name;
        if (v.len > rest.len && v.p[v.len - rest.len - 1] == '/' && !memcmp(v.p + v.len - rest.len, rest.p, rest.len))
            return volumes->items[i].node;
    }
    for (size_t i = 0; i < stores->count && store.len; i++) {
        const Named *s = &stores->items[i];
        if (!str_eq(s->name, store)) continue;
        if (s->path.len) path = s->path;
        for (size_t k = 0; k < r->m->nodes.count && s->pool.len; k++) {
            const MapNode *n = &r->m->nodes.items[k];
            if (str_is(n->kind, "pool") && is_below(s->pool, n->name)) return k;
        }
    }
    size_t best = NOT_THERE, length = 0;
    for (size_t i = 0; i < mounts->count && path.len; i++)
        if (mounts->items[i].path.len > length && is_below(path, mounts->items[i].path)) {
            length = mounts->items[i].path.len;
            best = mounts->items[i].node;
        }
    return best;
}

static void read_guests(Reader *r) {
    enum { DISKS_READ = 1000 };
    NamedList volumes = {0}, stores = {0}, mounts = {0};
    for (size_t i = 0; i < r->m->nodes.count; i++)
        if (str_is(r->m->nodes.items[i].kind, "volume"))
            VEC_PUSH(r->a, &volumes, ((Named){.name = volume_name(r->a, r->m->nodes.items[i].name), .node = i}));
    sqlite3_stmt *st = query(r, "SELECT name, path, pool FROM store WHERE capture = ?1 AND kind = 'pve' AND "
                                "coalesce(disabled, 0) = 0 ORDER BY src, line LIMIT 200");
    while (next(r, st))
        VEC_PUSH(r->a, &stores,
                 ((Named){column_text(r->a, st, 0), column_text(r->a, st, 1), column_text(r->a, st, 2), 0}));
    /* "/" holds a path for sure only where all mounts are known, as in the view store_place */
    st = query(r, "SELECT DISTINCT m.node, m.mountpoint FROM mount m WHERE m.capture = ?1 AND m.node IS NOT NULL AND "
                  "(m.mountpoint <> '/' OR EXISTS (SELECT 1 FROM mount q WHERE q.capture = m.capture AND q.options IS "
                  "NOT NULL)) ORDER BY m.mountpoint, m.node LIMIT 2000");
    while (next(r, st)) {
        const Local *l = local_of(r, sqlite3_column_int64(st, 0));
        if (l && l->node != NOT_THERE)
            VEC_PUSH(r->a, &mounts, ((Named){.path = column_text(r->a, st, 1), .node = l->node}));
    }
    st =
        query(r, "SELECT DISTINCT guest, source FROM guest_disk WHERE capture = ?1 AND guest IS NOT NULL AND source IS "
                 "NOT NULL ORDER BY guest, slot LIMIT ?2");
    sqlite3_bind_int(st, 2, DISKS_READ);
    Str last = STR_NONE;
    size_t guest = NOT_THERE;
    while (next(r, st)) {
        Str name = column_text(r->a, st, 0);
        size_t home = home_of(r, column_text(r->a, st, 1), &volumes, &stores, &mounts);
        if (home == NOT_THERE) continue;
        if (!str_eq(name, last)) guest = add_node(r, fresh(0, STR("guest"), name));
        last = name;
        rest_on(r, guest, home);
    }
}

/* ---------------------------------------------------------------- what is known of each */

static MapNode *node_of(Reader *r, int64_t id) {
    Local *l = local_of(r, id);
    return l && l->node != NOT_THERE ? &r->m->nodes.items[l->node] : NULL;
}

static bool good_state(Str s) {
    static const char *const good[] = {"ONLINE", "AVAIL", "INUSE",   "active",  "clean",  "active-idle",
                                       "Optl",   "OK",    "Optimal", "optimal", "Online", "read-auto"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (str_is(s, good[i])) return true;
    /* md prints several words: "active, checking" */
    return str_starts(s, "active") || str_starts(s, "clean")
               ? !str_has(s, "degraded") && !str_has(s, "FAILED") && !str_has(s, "failed")
               : false;
}

static void set_state(MapNode *n, Str state) {
    if (!n || !state.len || n->trouble) return;
    n->state = state;
    n->trouble = !good_state(state);
}

/* "Intel Cannon Lake PCH SATA AHCI Controller" of "Intel Corporation Cannon ..." and "Broadcom" of "Broadcom / LSI". */
static Str short_chip(Arena *a, Str name) {
    static const char *const noise[] = {
        " Corporation", " Technology Group Ltd.", " Electronics Co Ltd", " Inc.", ", Inc.", " / LSI", " Co., Ltd.",
        " Ltd."};
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        for (size_t at = 0, n = strlen(noise[i]); at + n <= name.len && at < 64; at++)
            if (!memcmp(name.p + at, noise[i], n)) {
                name = arena_strf(a, "%.*s%.*s", (int)at, name.p, (int)(name.len - at - n), name.p + at + n);
                break;
            }
    return name;
}

static void read_states(Reader *r) {
    sqlite3_stmt *st =
        query(r, "SELECT node, state FROM pool WHERE capture = ?1 AND node IS NOT NULL ORDER BY src DESC");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (n && !n->state.len) set_state(n, column_text(r->a, st, 1));
    }
    st = query(r, "SELECT node, name, type, class, state, is_leaf, parent = pool FROM vdev WHERE capture = ?1 AND node "
                  "IS NOT NULL AND "
                  "parent IS NOT NULL ORDER BY src DESC");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n) continue;
        bool leaf = sqlite3_column_int(st, 5);
        Str class_ = column_text(r->a, st, 3);
        if (!n->state.len) set_state(n, column_text(r->a, st, 4));
        if (leaf) {
            /* in a mirror the mirror says it */
            if (class_.len && !str_is(class_, "data") && sqlite3_column_int(st, 6)) n->role = class_;
            continue;
        }
        n->name = column_text(r->a, st, 1);
        if (class_.len && !str_is(class_, "data")) n->detail = class_;
    }
    st = query(r, "SELECT node, level, state, raid_disks, active_disks, sync_action, sync_pct FROM raid_array WHERE "
                  "capture = ?1 AND node IS NOT NULL ORDER BY state IS NULL, src DESC, line DESC");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n) continue;
        if (!n->state.len) set_state(n, column_text(r->a, st, 2));
        if (!n->detail.len) n->detail = column_text(r->a, st, 1);
        if (!n->members && !n->active) {
            n->members = sqlite3_column_int(st, 3);
            n->active = sqlite3_column_type(st, 4) == SQLITE_NULL ? n->members : sqlite3_column_int(st, 4);
            if (n->active < n->members) n->trouble = true;
        }
    }
    st = query(r, "SELECT node, max(fstype) FROM mount WHERE capture = ?1 AND node IS NOT NULL GROUP BY node");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (n) n->detail = column_text(r->a, st, 1);
    }
    st = query(r, "SELECT node, min(value) FROM setting WHERE capture = ?1 AND key IN ('crypt_type', 'lvm_type', "
                  "'dm_target') GROUP BY node ORDER BY node");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (n && !n->detail.len && !str_is(n->kind, "drive")) n->detail = column_text(r->a, st, 1);
    }
    st = query(r, "SELECT node, name, driver, mode FROM pci_device WHERE capture = ?1 AND node IS NOT NULL ORDER BY "
                  "name IS NULL, driver IS NULL, src");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n || n->detail.len || !str_is(n->kind, "controller")) continue;
        Str name = column_text(r->a, st, 1), driver = column_text(r->a, st, 2), mode = column_text(r->a, st, 3);
        name = name.len ? short_chip(r->a, name) : driver;
        /* IDE or AHCI is the first thing to know of a controller; "nvme" its drive says itself */
        char *word = arena_cstr(r->a, mode);
        for (char *p = word; *p; p++) *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
        n->detail = !mode.len ? name : !name.len ? str_of(word) : arena_strf(r->a, "%s, %.*s", word, STR_ARG(name));
    }
}

/* The kernel's word on what runs before the drive's, and the newest of each; what could run only where a drive says it. */
static void read_links(Reader *r) {
    sqlite3_stmt *st = query(r, "SELECT node, key, CAST(value AS REAL) FROM setting WHERE capture = ?1 AND key IN "
                                "('link_gbps', 'link_max_gbps') AND coalesce(boot, 0) = 0 ORDER BY view <> 'kernel', "
                                "src DESC, line DESC");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        double v = sqlite3_column_double(st, 2);
        if (!n || !str_is(n->kind, "drive") || !(v > 0)) continue;
        if (str_is(str_of((const char *)sqlite3_column_text(st, 1)), "link_gbps")) {
            if (isnan(n->rate)) n->rate = v;
        } else if (!(n->could >= v)) {
            n->could = v;
        }
    }
    st = query(r, "SELECT node, now, could FROM sas_rate WHERE capture = ?1");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n) continue;
        n->rate = column_real(st, 1);
        n->could = column_real(st, 2);
    }
    /* USB 3 begins at 5 Gbit/s; which of its speeds the device can do nobody says. */
    st = query(r, "SELECT node, runs FROM usb_slow_link WHERE capture = ?1");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n) continue;
        n->rate = column_real(st, 1);
        n->could = 5;
    }
    st = query(r, "SELECT node, runs_gtps, runs_width, can_gtps, can_width FROM pcie_link WHERE capture = ?1");
    while (next(r, st)) {
        MapNode *n = node_of(r, sqlite3_column_int64(st, 0));
        if (!n) continue;
        n->rate = column_real(st, 1);
        n->lanes = sqlite3_column_int(st, 2);
        n->could = column_real(st, 3);
        n->could_lanes = sqlite3_column_int(st, 4);
    }
}

void host_map_read(Facts *f, Arena *a, int64_t capture, Diagnosis *d) {
    Reader r = {.f = f, .a = a, .capture = capture, .d = d, .m = &d->map, .pcie = NOT_THERE};
    sqlite3_progress_handler(facts_db(f), STEP_CHECK, out_of_steps, &r.budget);
    read_edges(&r);
    read_drives(&r);
    for (size_t i = 0; i < r.local_count; i++)
        if (is_upper(&r.locals[i])) place_from(&r, &r.locals[i]);
    /* those that nothing lies on stand for their drive */
    for (size_t i = 0; i < r.local_count; i++)
        if (is_clear(&r.locals[i])) place_from(&r, &r.locals[i]);
    read_guests(&r);
    drop_short_cuts(&r);
    read_states(&r);
    read_links(&r);
    sqlite3_progress_handler(facts_db(f), 0, NULL, NULL);
}
