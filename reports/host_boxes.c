#include "format.h"
#include "host_picture_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
    FOLD_ABOVE = 16, /* so many drives are shown one by one */
    ROWS_WANTED = 20,
    ROWS_MOST = 32, /* boxes of one layer: what a printed page can still show */
    LEAVES_SHOWN = 3
};

static bool equal(const Indexes *a, const Indexes *b) {
    return a->count == b->count && (!a->count || !memcmp(a->items, b->items, a->count * sizeof *a->items));
}

static int by_index(const void *x, const void *y) {
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    return (a > b) - (a < b);
}

/* ---------------------------------------------------------------- words */

static Str rate_words(Arena *a, double v, bool pcie) {
    /* "6.0" and "0.48", as the tools print them */
    const char *s = v < 1 ? arena_fmt(a, "%.2f", v) : arena_fmt(a, "%.1f", v);
    Str t = str_of(s);
    if (pcie && str_has(t, ".0")) t.len -= 2;
    return t;
}

static bool link_is_slow(const MapNode *n) {
    if (!isfinite(n->rate) || !isfinite(n->could)) return false;
    return n->rate < n->could * 0.95 || (n->lanes && n->lanes < n->could_lanes);
}

static Str link_words(Arena *a, const MapNode *n) {
    if (!isfinite(n->rate) || n->rate <= 0) return STR_NONE;
    bool slow = link_is_slow(n);
    Str now = rate_words(a, n->rate, n->lanes > 0), could = slow ? rate_words(a, n->could, n->lanes > 0) : STR_NONE;
    if (!n->lanes)
        return slow ? say(a, _("{now} of {could} Gb/s"), "now", now, "could", could, NULL)
                    : say(a, _("{now} Gb/s"), "now", now, NULL);
    Str lanes = arena_strf(a, "x%d", n->lanes);
    if (slow && n->lanes < n->could_lanes)
        return say(a, _("{now} of {could}"), "now", lanes, "could", arena_strf(a, "x%d", n->could_lanes), NULL);
    if (slow) return say(a, _("{lanes}, {now} of {could} GT/s"), "lanes", lanes, "now", now, "could", could, NULL);
    return say(a, _("{lanes}, {now} GT/s"), "lanes", lanes, "now", now, NULL);
}

Str joined_by(Arena *a, Str x, const char *between, Str y) {
    if (!x.len || !y.len) return x.len ? x : y;
    return arena_strf(a, "%.*s%s%.*s", STR_ARG(x), between, STR_ARG(y));
}

Str box_mark(Work *w, const Box *b) {
    Arena *a = w->a;
    if (b->causes == 1) return say(a, _("cause {rank}"), "rank", arena_strf(a, "%d", b->ranks[0]), NULL);
    if (b->causes) {
        StrBuf list;
        sb_init(&list, a);
        for (int i = 0; i < b->causes && i < 2; i++) sb_addf(&list, "%s%d", i ? ", " : "", b->ranks[i]);
        if (b->causes > 2) sb_addz(&list, " …");
        return say(a, _("causes {list}"), "list", sb_str(&list), NULL);
    }
    return b->risks ? str_of(_("risk")) : STR_NONE;
}

/* ---------------------------------------------------------------- from the map to boxes */

static int layer_of_kind(Str kind) {
    if (str_is(kind, "controller")) return LAYER_CONTROLLER;
    if (str_is(kind, "expander") || str_is(kind, "multiplier") || str_is(kind, "enclosure")) return LAYER_EXPANDER;
    return str_is(kind, "drive") ? LAYER_DRIVE : LAYER_GROUP;
}

/* As lspci prints it: the domain is 0000 nearly everywhere. */
static Str short_address(Str s) {
    return str_starts(s, "0000:") ? (Str){s.p + 5, s.len - 5} : s;
}

static bool is_sas_address(Str s) {
    for (size_t i = 0; i < s.len; i++)
        if (!strchr("0123456789abcdefx", s.p[i])) return false;
    return s.len >= 16;
}

static Str box_name(Work *w, const MapNode *n) {
    Str name = doc_clean(w->doc, n->name);
    if (!name.len) name = STR("?");
    if (layer_of_kind(n->kind) == LAYER_EXPANDER &&
        is_sas_address(name)) /* a SAS address: its end tells it from others of its maker */
        return arena_strf(w->a, "…%.*s", 7, name.p + name.len - 7);
    if (str_is(n->kind, "multiplier")) return say(w->a, _("port {n}"), "n", name, NULL);
    return short_address(name);
}

static void add_boxes(Work *w) {
    const HostMap *m = &w->d->map;
    for (size_t i = 0; i < m->nodes.count; i++) {
        const MapNode *n = &m->nodes.items[i];
        Box b = {.node = n,
                 .kind = n->kind,
                 .name = box_name(w, n),
                 .sub = doc_clean(w->doc, n->detail),
                 .state = n->trouble ? doc_clean(w->doc, n->state) : STR_NONE,
                 .trouble = n->trouble,
                 .absent = n->absent,
                 .link = link_words(w->a, n),
                 .slow = link_is_slow(n),
                 .count = 1,
                 .layer = layer_of_kind(n->kind)};
        if (!str_eq(b.name, n->name)) b.tip = doc_clean(w->doc, n->name);
        b.port = lang_phrase(w->a, short_address(doc_clean(w->doc, n->port)));
        Str slot = doc_clean(w->doc, n->slot);
        if (slot.len) b.port = joined_by(w->a, b.port, ", ", say(w->a, _("slot {n}"), "n", slot, NULL));
        if (n->trouble && n->active < n->members)
            b.state = say(w->a, _("{n} of {m} members"), "n", arena_strf(w->a, "%d", n->active), "m",
                          arena_strf(w->a, "%d", n->members), NULL);
        if (b.layer == LAYER_DRIVE) {
            w->drives++;
            if (isfinite(n->size_bytes) && n->size_bytes > 0)
                b.sub = joined_by(w->a, b.sub, ", ", format_quantity(w->a, n->size_bytes, STR("bytes")));
            b.sub = joined_by(w->a, b.sub, ", ", doc_clean(w->doc, n->role));
            if (n->absent) b.sub = str_of(_("not there"));
        }
        sb_init(&b.carries, w->a);
        for (size_t k = 0; k < n->below.count; k++)
            if (n->below.items[k] < i) VEC_PUSH(w->a, &b.below, n->below.items[k]);
        /* drives of the map stand in the order of their names */
        if (b.below.count) qsort(b.below.items, b.below.count, sizeof *b.below.items, by_index);
        add_box(w, b);
    }
}

typedef struct NodeAt {
    int64_t node;
    size_t box;
} NodeAt;

static int by_node(const void *x, const void *y) {
    const NodeAt *a = x, *b = y;
    if (a->node != b->node) return (a->node > b->node) - (a->node < b->node);
    return (a->box > b->box) - (a->box < b->box);
}

static void mark_boxes(Work *w) {
    VEC(NodeAt) index = {0};
    for (size_t i = 0; i < w->boxes.count; i++) {
        const MapNode *n = box_at(w, i)->node;
        if (n->node) VEC_PUSH(w->a, &index, ((NodeAt){n->node, i}));
        for (size_t k = 0; k < n->also.count; k++) VEC_PUSH(w->a, &index, ((NodeAt){n->also.items[k], i}));
    }
    if (index.count) qsort(index.items, index.count, sizeof *index.items, by_node);
    const FindingList *const lists[] = {&w->d->causes, &w->d->risks};
    Box host = {0};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const Finding *f = lists[l]->items[i];
            if (f->covered_by.len || (l && f->inside)) continue;
            for (size_t k = 0; k < f->subjects.count; k++) {
                size_t low = 0, high = index.count;
                int64_t node = f->subjects.items[k].node;
                while (low < high) {
                    size_t mid = (low + high) / 2;
                    if (index.items[mid].node < node) low = mid + 1;
                    else high = mid;
                }
                bool is_host = str_is(f->subjects.items[k].kind, "host");
                for (; is_host || (low < index.count && index.items[low].node == node); low++) {
                    Box *b = is_host ? &host : box_at(w, index.items[low].box);
                    if (l) b->risks++;
                    bool told = l == 1;
                    for (int c = 0; c < b->causes && c < 3; c++) told |= b->ranks[c] == f->rank;
                    if (!told && b->causes < 3) b->ranks[b->causes] = f->rank;
                    if (!told) b->causes++;
                    if (is_host) break;
                }
            }
        }
    w->host_is_cause = host.causes > 0;
    w->host_mark = box_mark(w, &host);
}

/* Drives of which nobody told where they sit hang on a place that says so. */
static void add_unknown_place(Work *w) {
    size_t unknown = 0, at = 0;
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->layer != LAYER_DRIVE || b->below.count || b->absent) continue;
        if (!unknown++) {
            Box place = {.kind = STR("controller"),
                         .name = str_of(_("place unknown")),
                         .unknown = true,
                         .count = 1,
                         .layer = LAYER_CONTROLLER};
            at = add_box(w, place);
        }
        VEC_PUSH(w->a, &box_at(w, i)->below, at);
    }
}

void boxes_find_above(Work *w) {
    for (size_t i = 0; i < w->boxes.count; i++) box_at(w, i)->above.count = 0;
    for (size_t i = 0; i < w->boxes.count; i++) {
        if (box_at(w, i)->gone) continue;
        for (size_t k = 0; k < box_at(w, i)->below.count; k++)
            VEC_PUSH(w->a, &box_at(w, box_at(w, i)->below.items[k])->above, i);
    }
}

static void merge_marks(Box *into, const Box *from) {
    for (int i = 0; i < from->causes && i < 3; i++) {
        bool there = false;
        for (int k = 0; k < into->causes && k < 3; k++) there |= into->ranks[k] == from->ranks[i];
        if (there) continue;
        if (into->causes < 3) into->ranks[into->causes] = from->ranks[i];
        into->causes++;
    }
    into->risks += from->risks;
    if (from->trouble && !into->trouble) into->state = from->state;
    into->trouble |= from->trouble;
}

static void carry(Box *into, const Box *from) {
    enum { NAMED = 6 };
    if (into->carried++ < NAMED) sb_addf(&into->carries, "%s%.*s", into->carries.len ? ", " : "", STR_ARG(from->name));
    else if (into->carried == NAMED + 1) sb_addz(&into->carries, ", …");
    merge_marks(into, from);
}

static bool is_volume(const Box *b) {
    return str_is(b->kind, "volume");
}

bool box_is_leaf(const Box *b) {
    return is_volume(b) || str_is(b->kind, "filesystem") || str_is(b->kind, "guest");
}

/* A volume that carries one other thing is told by that: a file system on a logical volume on an encrypted device is one box. */
static void merge_chains(Work *w) {
    boxes_find_above(w);
    for (size_t i = w->boxes.count; i-- > 0;) {
        Box *b = box_at(w, i);
        if (b->gone || !is_volume(b) || b->above.count != 1) continue;
        size_t up = b->above.items[0];
        Box *u = box_at(w, up);
        if (!box_is_leaf(u)) continue;
        Indexes below = {0};
        for (size_t k = 0; k < u->below.count; k++)
            if (u->below.items[k] != i) VEC_PUSH(w->a, &below, u->below.items[k]);
        for (size_t k = 0; k < b->below.count; k++) {
            size_t x = b->below.items[k];
            if (!has(&below, x)) VEC_PUSH(w->a, &below, x);
            Indexes *above = &box_at(w, x)->above; /* it carries the upper one now */
            size_t kept = 0;
            bool there = false;
            for (size_t m = 0; m < above->count; m++) {
                size_t y = above->items[m] == i ? up : above->items[m];
                if (y == up && there) continue;
                there |= y == up;
                above->items[kept++] = y;
            }
            above->count = kept;
        }
        u->below = below;
        carry(u, b);
        b->gone = true;
    }
}

/* The fourth storey and those above go into the third. */
static void set_layers(Work *w) {
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone || b->layer < LAYER_GROUP) continue;
        int layer = LAYER_GROUP;
        for (size_t k = 0; k < b->below.count; k++) {
            Box *x = box_at(w, b->below.items[k]);
            while (x->gone && x->above.count) x = box_at(w, x->above.items[0]);
            if (x->layer + 1 > layer) layer = x->layer + 1;
        }
        b->layer = layer;
    }
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone || b->layer <= LAYER_TOP) continue;
        for (size_t k = 0; k < b->below.count; k++) {
            Box *x = box_at(w, b->below.items[k]);
            if (x->gone && x->carried == SIZE_MAX) x = box_at(w, x->below.items[0]);
            if (x->layer != LAYER_TOP || x->gone) continue;
            carry(x, b);
            break;
        }
        b->gone = true;
        for (size_t k = 0; k < b->below.count; k++) { /* for those above it: where it went */
            Box *x = box_at(w, b->below.items[k]);
            size_t at = x->gone && x->carried == SIZE_MAX ? x->below.items[0] : b->below.items[k];
            if (box_at(w, at)->layer != LAYER_TOP || box_at(w, at)->gone) continue;
            b->below.items[0] = at;
            b->carried = SIZE_MAX;
            break;
        }
    }
}

/* File systems and volumes side by side on one thing, of which nothing is to be said. */
static void fold_leaves(Work *w) {
    boxes_find_above(w);
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone || b->layer < LAYER_DRIVE) continue;
        static const char *const kinds[] = {"filesystem", "volume", "guest"};
        for (size_t kind = 0; kind < 3; kind++) {
            Indexes same = {0};
            for (size_t k = 0; k < b->above.count; k++) {
                Box *x = box_at(w, b->above.items[k]);
                if (!x->gone && str_is(x->kind, kinds[kind]) && x->below.count == 1 && !x->above.count && !marked(x) &&
                    x->count == 1)
                    VEC_PUSH(w->a, &same, b->above.items[k]);
            }
            if (same.count <= LEAVES_SHOWN) continue;
            Box *first = box_at(w, same.items[0]);
            StrBuf names;
            sb_init(&names, w->a);
            for (size_t k = 0; k < same.count; k++) {
                if (k < 12) sb_addf(&names, "%s%.*s", k ? ", " : "", STR_ARG(box_at(w, same.items[k])->name));
                if (k) box_at(w, same.items[k])->gone = true;
            }
            first->count = same.count;
            first->sub = sb_str(&names);
            first->carries.len = 0;
            first->tip = first->sub;
            first->name = kind == 0   ? say_n(w->a, "{n} file system", "{n} file systems", same.count, NULL)
                          : kind == 1 ? say_n(w->a, "{n} volume", "{n} volumes", same.count, NULL)
                                      : say_n(w->a, "{n} guest", "{n} guests", same.count, NULL);
        }
    }
    boxes_find_above(w);
}

/* ---------------------------------------------------------------- drives from top to bottom, and folded */

size_t box_place(const Box *b) {
    return b->below.count ? b->below.items[0] : SIZE_MAX;
}

static void visit(Work *w, bool *seen, size_t i, size_t cluster, size_t *group, int depth) {
    if (seen[i] || depth > LAYERS) return;
    seen[i] = true;
    Box *b = box_at(w, i);
    if (b->layer == LAYER_DRIVE) {
        b->cluster = cluster;
        b->group = *group;
        VEC_PUSH(w->a, &w->rows, i);
        return;
    }
    if (b->layer < LAYER_DRIVE) return;
    for (int pass = 0; pass < 2; pass++) { /* drives of its own first */
        for (size_t k = 0; k < b->below.count; k++) {
            bool drive = box_at(w, b->below.items[k])->layer == LAYER_DRIVE;
            if (drive == (pass == 0)) visit(w, seen, b->below.items[k], cluster, group, depth + 1);
        }
        ++*group;
    }
}

typedef struct Top {
    size_t first, box;
} Top;

static int by_first(const void *x, const void *y) {
    const Top *a = x, *b = y;
    if (a->first != b->first) return (a->first > b->first) - (a->first < b->first);
    return (a->box > b->box) - (a->box < b->box);
}

static size_t lowest_drive(const Work *w, size_t i, int depth) {
    const Box *b = box_at(w, i);
    if (b->layer <= LAYER_DRIVE || depth > LAYERS) return b->layer == LAYER_DRIVE ? i : SIZE_MAX;
    size_t low = SIZE_MAX;
    for (size_t k = 0; k < b->below.count; k++) {
        size_t x = lowest_drive(w, b->below.items[k], depth + 1);
        if (x < low) low = x;
    }
    return low;
}

static void order_rows(Work *w) {
    bool *seen = arena_array(w->a, bool, w->boxes.count + 1);
    VEC(Top) tops = {0};
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone || b->layer < LAYER_DRIVE) continue;
        /* a drive in nothing comes after those that are in something, by its place */
        if (b->layer == LAYER_DRIVE && !b->above.count) {
            size_t place = box_place(b);
            VEC_PUSH(w->a, &tops, ((Top){w->boxes.count + (place == SIZE_MAX ? w->boxes.count : place), i}));
        } else if (b->layer > LAYER_DRIVE && !b->above.count) {
            VEC_PUSH(w->a, &tops, ((Top){lowest_drive(w, i, 0), i}));
        }
    }
    if (tops.count) qsort(tops.items, tops.count, sizeof *tops.items, by_first);
    size_t cluster = 1, group = 1, before = SIZE_MAX;
    for (size_t i = 0; i < tops.count; i++) {
        Box *b = box_at(w, tops.items[i].box);
        /* drives of one place that are in nothing stand together */
        if (b->layer != LAYER_DRIVE || tops.items[i].first != before) {
            cluster++;
            group++;
        }
        before = tops.items[i].first;
        visit(w, seen, tops.items[i].box, cluster, &group, 0);
    }
}

int box_interest(const Box *b) {
    int least = 99;
    for (int i = 0; i < b->causes && i < 3; i++)
        if (b->ranks[i] < least) least = b->ranks[i];
    if (b->causes) return least <= LEADING_CAUSES ? least - 1 : LEADING_CAUSES;
    return marked(b) ? LEADING_CAUSES + 1 : LEADING_CAUSES + 2;
}

typedef enum Folding {
    FOLD_PLAIN, /* drives of which nothing was found */
    FOLD_SAME,  /* and those with the same marks */
    FOLD_LATER /* and those that a later cause names, whichever: a host with a hundred causes is not told by its picture */
} Folding;

static bool alike(const Box *x, const Box *y, Folding how) {
    if (!equal(&x->below, &y->below) || !equal(&x->above, &y->above)) return false;
    if (x->absent != y->absent || x->slow != y->slow || !str_eq(x->link, y->link)) return false;
    if (!str_eq(x->sub, y->sub)) return false;
    if (how == FOLD_PLAIN) return !marked(x) && !marked(y);
    if (how == FOLD_LATER && box_interest(x) == LEADING_CAUSES && box_interest(y) == LEADING_CAUSES)
        return str_eq(x->state, y->state);
    return str_eq(x->mark, y->mark) && str_eq(x->state, y->state);
}

static Str fold_name(Work *w, const Box *b) {
    return marked(b) ? say_n(w->a, "{n} drive", "{n} drives", b->count, NULL)
                     : say_n(w->a, "{n} drive alike", "{n} drives alike", b->count, NULL);
}

static void name_fold(Work *w, Box *b, Str last) {
    b->tip = b->tip.len ? b->tip : b->name;
    Str range = joined_by(w->a, b->name, " … ", last);
    b->sub = joined_by(w->a, range, ": ", b->sub);
    b->name = fold_name(w, b);
    b->port = STR_NONE;
}

/* Of each group those that are alike become the first of them; the others go. */
static void fold_rows(Work *w, Folding how) {
    size_t n = w->rows.count;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && box_at(w, w->rows.items[to])->group == box_at(w, w->rows.items[from])->group;)
            to++;
        for (size_t i = from; i < to; i++) {
            Box *b = box_at(w, w->rows.items[i]);
            if (b->gone || b->count > 1 || (marked(b) && how == FOLD_PLAIN)) continue;
            size_t last = i;
            StrBuf names;
            sb_init(&names, w->a);
            sb_add(&names, b->name);
            for (size_t k = i + 1; k < to; k++) {
                Box *x = box_at(w, w->rows.items[k]);
                if (x->gone || x->count > 1 || !alike(b, x, how)) continue;
                if (names.len < 360) sb_addf(&names, ", %.*s", STR_ARG(x->name));
                x->gone = true;
                if (how != FOLD_PLAIN) merge_marks(b, x);
                b->count++;
                last = k;
            }
            if (last == i) continue;
            b->tip = sb_str(&names);
            b->mark = box_mark(w, b);
            name_fold(w, b, box_at(w, w->rows.items[last])->name);
        }
    }
}

static void drop_gone(Work *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->rows.count; i++)
        if (!box_at(w, w->rows.items[i])->gone) w->rows.items[kept++] = w->rows.items[i];
    w->rows.count = kept;
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        kept = 0;
        for (size_t k = 0; k < b->below.count; k++)
            if (!box_at(w, b->below.items[k])->gone) b->below.items[kept++] = b->below.items[k];
        b->below.count = kept;
    }
    boxes_find_above(w);
}

/* "raidz2" of "raidz2-11" */
static Str group_type(const Box *b) {
    Str s = b->name;
    size_t n = s.len;
    while (n && s.p[n - 1] >= '0' && s.p[n - 1] <= '9') n--;
    if (n && n < s.len && s.p[n - 1] == '-') n--;
    return n ? (Str){s.p, n} : s;
}

static bool group_folds(const Work *w, const Box *b, int from, bool folds) {
    if (b->gone || b->layer != LAYER_GROUP || box_interest(b) < from || !b->below.count || box_is_leaf(b)) return false;
    for (size_t k = 0; k < b->below.count; k++) {
        const Box *x = box_at(w, b->below.items[k]);
        if (x->layer != LAYER_DRIVE || x->above.count != 1) return false;
        if (box_interest(x) < from && !(folds && x->count > 1)) return false;
    }
    return true;
}

/* Whole vdevs that are alike, with the drives below them; `from`: the interest that is told no more of. */
static void fold_groups(Work *w, int from, bool folds) {
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (!group_folds(w, b, from, folds) || b->count > 1) continue;
        StrBuf names;
        sb_init(&names, w->a);
        sb_add(&names, b->name);
        for (size_t k = i + 1; k < w->boxes.count; k++) {
            Box *x = box_at(w, k);
            if (!group_folds(w, x, from, folds) || x->count > 1 || !equal(&b->above, &x->above) ||
                !str_eq(b->sub, x->sub) || !str_eq(group_type(b), group_type(x)))
                continue;
            if (names.len < 360) sb_addf(&names, ", %.*s", STR_ARG(x->name));
            x->gone = true;
            merge_marks(b, x);
            b->count++;
            for (size_t m = 0; m < x->below.count; m++) VEC_PUSH(w->a, &b->below, x->below.items[m]);
        }
        if (b->count == 1) continue;
        b->tip = sb_str(&names);
        b->name = arena_strf(w->a, "%zu × %.*s", b->count, STR_ARG(group_type(b)));
        /* their drives by place and model, whatever their names */
        for (size_t k = 0; k < b->below.count; k++) {
            Box *x = box_at(w, b->below.items[k]);
            if (x->gone) continue;
            x->group = b->group;
            for (size_t m = k + 1; m < b->below.count; m++) {
                Box *y = box_at(w, b->below.items[m]);
                if (y->gone || !equal(&x->below, &y->below) || !str_eq(x->link, y->link) || !x->node || !y->node ||
                    box_interest(x) != box_interest(y) ||
                    (box_interest(x) < LEADING_CAUSES && !str_eq(x->mark, y->mark)) ||
                    !str_eq(x->node->detail, y->node->detail))
                    continue;
                merge_marks(x, y);
                x->count += y->count;
                y->gone = true;
            }
            if (x->count < 2) continue;
            x->sub = doc_clean(w->doc, x->node->detail);
            if (isfinite(x->node->size_bytes) && x->node->size_bytes > 0)
                x->sub = joined_by(w->a, x->sub, ", ", format_quantity(w->a, x->node->size_bytes, STR("bytes")));
            x->tip = x->sub;
            x->port = STR_NONE;
            x->mark = box_mark(w, x);
            x->name = fold_name(w, x);
        }
    }
}

/* What even then is too much for a picture is counted, not drawn: what is told least of. */
static void cut_rows(Work *w) {
    size_t shown = 0;
    bool *kept = arena_array(w->a, bool, w->rows.count + 1);
    for (int level = 0; level <= LEADING_CAUSES + 2; level++)
        for (size_t i = 0; i < w->rows.count && shown < ROWS_MOST; i++)
            if (box_interest(box_at(w, w->rows.items[i])) == level) {
                kept[i] = true;
                shown++;
            }
    for (size_t i = 0; i < w->rows.count; i++) {
        if (kept[i]) continue;
        Box *b = box_at(w, w->rows.items[i]);
        b->gone = true;
        w->not_drawn += b->count;
    }
    drop_gone(w);
}

static void cut_layers(Work *w) {
    /* what lost all it rested on goes with it, from below to above */
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone || b->layer <= LAYER_DRIVE || !b->node || !b->node->below.count) continue;
        size_t kept = 0;
        for (size_t k = 0; k < b->below.count; k++)
            if (!box_at(w, b->below.items[k])->gone) b->below.items[kept++] = b->below.items[k];
        b->below.count = kept;
        if (!kept) b->gone = true;
    }
    for (int layer = 0; layer < LAYERS; layer++) {
        if (layer == LAYER_DRIVE) continue;
        size_t count = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < w->boxes.count; i++) {
                Box *b = box_at(w, i);
                if (b->gone || b->layer != layer || marked(b) != (pass == 0)) continue;
                if (count++ >= ROWS_MOST) b->gone = true;
            }
    }
    drop_gone(w);
    /* controllers and expanders that carry nothing any more */
    for (int layer = LAYER_EXPANDER; layer >= LAYER_CONTROLLER; layer--) {
        for (size_t i = 0; i < w->boxes.count; i++) {
            Box *b = box_at(w, i);
            if (b->layer == layer && !b->above.count && !marked(b)) b->gone = true;
        }
        drop_gone(w);
    }
}

static void fold(Work *w) {
    if (w->drives > FOLD_ABOVE) {
        fold_rows(w, FOLD_PLAIN);
        drop_gone(w);
        static const struct {
            size_t above;
            bool groups, folds;
            int how;
        } steps[] = {{ROWS_WANTED, true, false, LEADING_CAUSES + 2},
                     {ROWS_MOST, false, false, FOLD_SAME},
                     {ROWS_MOST, false, false, FOLD_LATER},
                     {ROWS_MOST, true, false, LEADING_CAUSES},
                     {ROWS_MOST, true, true, LEADING_CAUSES}};
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            if (w->rows.count <= steps[i].above) break;
            if (steps[i].groups) fold_groups(w, steps[i].how, steps[i].folds);
            else fold_rows(w, (Folding)steps[i].how);
            drop_gone(w);
        }
    }
    cut_rows(w);
    cut_layers(w);
}

void boxes_read(Work *w) {
    add_boxes(w);
    mark_boxes(w);
    for (size_t i = 0; i < w->boxes.count; i++) box_at(w, i)->mark = box_mark(w, box_at(w, i));
    boxes_find_above(w);
}

void boxes_fold(Work *w) {
    add_unknown_place(w);
    merge_chains(w);
    drop_gone(w);
    set_layers(w);
    drop_gone(w);
    fold_leaves(w);
    drop_gone(w);
    order_rows(w);
    fold(w);
}
