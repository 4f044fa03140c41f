/*
 * host_picture_parts.h - between host_picture.c and host_boxes.c; for these only
 *
 * host_boxes.c turns the map of the host into boxes: it names and marks them, merges what is one thing to a reader, brings drives
 * into an order in which few lines cross, and folds what is alike. host_picture.c gives them places and draws them.
 */
#ifndef STORDX_REPORTS_HOST_PICTURE_PARTS_H
#define STORDX_REPORTS_HOST_PICTURE_PARTS_H

#include "base/lang.h"
#include "host_picture.h"

enum { LAYER_CONTROLLER, LAYER_EXPANDER, LAYER_DRIVE, LAYER_GROUP, LAYER_POOL, LAYER_TOP, LAYERS };

enum { LEADING_CAUSES = 3 }; /* causes whose drives stand alone whatever comes */

typedef VEC(size_t) Indexes;

typedef struct Box {
    const MapNode *node; /* NULL: made here */
    Str kind, name, sub, tip, state, port, link, mark;
    int ranks[3]; /* of the causes that name it */
    int causes, risks;
    bool trouble, slow, absent, unknown, pass; /* pass: only a line goes through */
    bool gone;                                 /* merged into another one, or not drawn */
    size_t count;                              /* drives or groups that it stands for */
    StrBuf carries;                            /* names of what was merged into it */
    size_t carried;
    int layer;
    Indexes below, above;
    size_t cluster, group;
    double x, y, w, h, want;
} Box;

typedef struct Work {
    Doc *doc;
    Arena *a;
    const Diagnosis *d;
    VEC(Box) boxes;
    Indexes rows; /* drives from top to bottom */
    Indexes layers[LAYERS];
    Str host_mark;
    bool host_is_cause;
    size_t drives, not_drawn;
    Picture *p;
    double top, bottom, width;
    double column_x[LAYERS], column_w[LAYERS], column_least[LAYERS]; /* least: names fit, details are cut */
    bool has_cause, has_risk, has_trouble, has_slow, has_fold, has_unknown, has_absent;
} Work;

static inline Box *box_at(const Work *w, size_t i) {
    return &w->boxes.items[i];
}

static inline size_t add_box(Work *w, Box b) {
    VEC_PUSH(w->a, &w->boxes, b);
    return w->boxes.count - 1;
}

static inline bool has(const Indexes *list, size_t v) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == v) return true;
    return false;
}

static inline bool marked(const Box *b) {
    return b->causes || b->risks || b->trouble || b->absent;
}

/* The map as boxes, one for each of its nodes and with the same number, named and marked. */
void boxes_read(Work *w);
/* Merged, layered, in order and folded; w->rows are the drives that are left, from top to bottom. */
void boxes_fold(Work *w);
/* After a change of what rests on what. */
void boxes_find_above(Work *w);

/* "cause 1", "causes 2, 3 ...", "risk"; empty */
Str box_mark(Work *w, const Box *b);
/* What it hangs on first; SIZE_MAX: nothing. */
size_t box_place(const Box *b);
/* A file system, volume or guest: what carries nothing that a picture shows as its part. */
bool box_is_leaf(const Box *b);
/* How much a reader wants to see it, from 0: a leading cause, a later one, whatever else is marked, the rest. */
int box_interest(const Box *b);
/* Both with `between` between them, where both are there. */
Str joined_by(Arena *a, Str x, const char *between, Str y);

#endif
