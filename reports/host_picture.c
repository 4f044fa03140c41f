#include "format.h"
#include "host_picture_parts.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE_ROWS = 500 };

#define HEIGHT 40.0      /* of a box with two lines */
#define LOW 24.0         /* with one */
#define GAP 8.0          /* between boxes of a layer */
#define GROUP_GAP 14.0   /* between drives of two groups */
#define CLUSTER_GAP 26.0 /* between drives that share nothing */
#define PAD 8.0          /* inside a box */
#define LANE 8.0         /* between two lines that run upwards */
#define EDGE 4.0         /* around everything: outlines stand out of their boxes */
#define WIDEST 892.0
#define NARROWEST 460.0
#define NARROW_COLUMN 56.0
#define NARROW 360.0 /* the picture for a phone */
#define STEP 18.0    /* set in by so much, there */

typedef struct Hub { /* a line upwards that joins one box with others */
    size_t box;
    bool right; /* the box stands to the right of the others */
    Indexes ends;
    double from, to, at; /* heights: of its ends, of itself */
    int lane;
} Hub;

/* Heads of columns, and what the kinds are called in them. */
static const struct {
    const char *kind, *title;
} KINDS[] = {{"controller", N_("Controllers")},
             {"expander", N_("Expanders")},
             {"multiplier", N_("Port multipliers")},
             {"enclosure", N_("Enclosures")},
             {"drive", N_("Drives")},
             {"vdev", N_("Vdevs")},
             {"array", N_("Arrays")},
             {"pool", N_("Pools")},
             {"volume", N_("Volumes")},
             {"filesystem", N_("File systems")},
             {"guest", N_("Guests")}};

/* ---------------------------------------------------------------- geometry */

/* A line that jumps a layer gets a place of its own in it, so that it runs between the boxes. */
static void add_passes(Work *w) {
    bool used[LAYERS] = {false};
    for (size_t i = 0; i < w->boxes.count; i++)
        if (!box_at(w, i)->gone) used[box_at(w, i)->layer] = true;
    size_t n = w->boxes.count;
    for (size_t i = 0; i < n; i++) {
        if (box_at(w, i)->gone) continue;
        for (int layer = box_at(w, i)->layer - 1; layer > 0; layer--) {
            if (!used[layer]) continue;
            /* below layer LAYER_DRIVE lines meet in what is left of them, above it in what is right */
            for (size_t k = 0; k < box_at(w, i)->below.count; k++) {
                size_t x = box_at(w, i)->below.items[k];
                if (box_at(w, x)->layer >= layer) continue;
                size_t pass = SIZE_MAX;
                for (size_t m = n; m < w->boxes.count && layer < LAYER_DRIVE && pass == SIZE_MAX; m++) {
                    Box *p = box_at(w, m);
                    if (p->pass && p->layer == layer && p->below.count == 1 && p->below.items[0] == x) pass = m;
                }
                if (pass == SIZE_MAX) {
                    Box p = {.pass = true, .layer = layer, .kind = STR("")};
                    VEC_PUSH(w->a, &p.below, x);
                    pass = add_box(w, p);
                    if (layer > LAYER_DRIVE) { /* all from that far down go through one */
                        Box *b = box_at(w, i), *q = box_at(w, pass);
                        size_t kept = k + 1;
                        for (size_t m = k + 1; m < b->below.count; m++) {
                            size_t y = b->below.items[m];
                            if (box_at(w, y)->layer < layer) VEC_PUSH(w->a, &q->below, y);
                            else b->below.items[kept++] = y;
                        }
                        b->below.count = kept;
                    }
                }
                box_at(w, i)->below.items[k] = pass;
            }
            /* a pass of several layers goes on from its lower end */
        }
    }
    /* passes rest on what may be more than one layer below */
    for (size_t i = n; i < w->boxes.count; i++)
        for (int layer = box_at(w, i)->layer - 1; layer > 0; layer--) {
            if (!used[layer]) continue;
            for (size_t k = 0; k < box_at(w, i)->below.count; k++) {
                size_t x = box_at(w, i)->below.items[k];
                if (box_at(w, x)->layer >= layer) continue;
                Box p = {.pass = true, .layer = layer, .kind = STR("")};
                VEC_PUSH(w->a, &p.below, x);
                size_t pass = add_box(w, p);
                box_at(w, i)->below.items[k] = pass;
            }
        }
    boxes_find_above(w);
}

typedef enum Letters { PLAIN, STRONG, NAME } Letters; /* of report.css: 11 px, 11 px semibold, 12 px semibold */

/*
 * How wide a text is at the most: as in DejaVu Sans, which is the widest of the fonts that systems come with. text_width() takes
 * all letters as one, which is too coarse for boxes of this size.
 */
static double measure(Str s, Letters letters) {
    double em = 0;
    for (size_t i = 0; i < s.len;) {
        uint32_t code;
        size_t from = i;
        i += utf8_decode(s, i, &code);
        if (code >= 128) em += 0.62 * (double)display_width((Str){s.p + from, i - from});
        else if (strchr(" .,:;|!'ijl", (int)code)) em += 0.34;
        else if (strchr("tfrI()[]/-\\\"", (int)code)) em += 0.42;
        else if (strchr("mwMW@%&+=<>~#_", (int)code)) em += code == '_' ? 0.5 : 0.96;
        else if (code >= 'A' && code <= 'Z') em += 0.74;
        else em += 0.64;
    }
    return em * (letters == NAME ? 12 * 1.12 : letters == STRONG ? 11 * 1.12 : 11);
}

/* Whole, or with an ellipsis in the middle. */
static Str fit(Arena *a, Str s, Letters letters, double width) {
    double most = measure(s, letters);
    if (most <= width) return s;
    size_t columns = display_width(s);
    if (columns > 600) columns = 600;
    for (size_t n = (size_t)((double)columns * fmax(width, 1) / most) + 3; n > 1; n--) {
        Str cut = text_fit(a, s, 1, text_width(STR("x"), 1) * ((double)n + 0.5));
        if (measure(cut, letters) <= width) return cut;
    }
    return STR("…");
}

static double pill_width(Str text) {
    return text.len ? measure(text, STRONG) + 14 : 0;
}

static Str second_line(Work *w, const Box *b) {
    Str sub = b->sub;
    if (b->carries.len) {
        StrBuf carries = b->carries;
        Str names = sb_str(&carries);
        sub = joined_by(w->a, sub, ": ", names);
    }
    if (b->layer == LAYER_CONTROLLER && b->link.len && b->slow) sub = joined_by(w->a, b->link, ", ", sub);
    return sub;
}

static void set_sizes(Work *w) {
    static const double least[LAYERS] = {96, 90, 140, 84, 84, 84}, most[LAYERS] = {200, 150, 250, 180, 170, 180};
    for (size_t i = 0; i < w->boxes.count; i++) {
        Box *b = box_at(w, i);
        if (b->gone) continue;
        VEC_PUSH(w->a, &w->layers[b->layer], i);
        if (b->pass) {
            b->h = 10;
            continue;
        }
        b->mark = box_mark(w, b);
        Str sub = second_line(w, b);
        b->sub = sub;
        b->h = sub.len || b->state.len ? HEIGHT : LOW;
        if (b->layer == LAYER_DRIVE) b->h = HEIGHT;
        double first = measure(b->name, NAME) + (b->mark.len ? pill_width(b->mark) + 8 : 0),
               second = measure(sub, PLAIN) + (b->state.len ? pill_width(b->state) + 8 : 0);
        double width = 2 * PAD + fmax(first, second);
        w->column_w[b->layer] = fmax(w->column_w[b->layer], fmin(fmax(width, least[b->layer]), most[b->layer]));
        w->column_least[b->layer] =
            fmax(w->column_least[b->layer],
                 fmin(fmax(2 * PAD + fmax(first, pill_width(b->state) - 6), least[b->layer]), most[b->layer] - 10));
    }
}

/* The wanted heights, pushed apart as little as can be (isotonic regression), in the order of `list`. */
static void spread(Work *w, const Indexes *list, double gap) {
    typedef struct Stuck { /* boxes that touch each other */
        double sum;
        size_t n;
    } Stuck;
    Stuck *blocks = arena_array(w->a, Stuck, list->count + 1);
    double *offset = arena_array(w->a, double, list->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        Box *b = box_at(w, list->items[i]);
        if (i) offset[i] = offset[i - 1] + box_at(w, list->items[i - 1])->h + gap;
        blocks[count++] = (Stuck){b->want - b->h / 2 - offset[i], 1};
        while (count > 1 && blocks[count - 2].sum / (double)blocks[count - 2].n >=
                                blocks[count - 1].sum / (double)blocks[count - 1].n) {
            blocks[count - 2].sum += blocks[count - 1].sum;
            blocks[count - 2].n += blocks[count - 1].n;
            count--;
        }
    }
    for (size_t i = 0, block = 0, left = count ? blocks[0].n : 0; i < list->count; i++) {
        if (!left) left = blocks[++block].n;
        left--;
        double at = blocks[block].sum / (double)blocks[block].n;
        Box *b = box_at(w, list->items[i]);
        b->y = fmax(at, w->top) + offset[i];
    }
}

typedef struct Wanted {
    double want;
    size_t box;
} Wanted;

static int by_want(const void *x, const void *y) {
    const Wanted *a = x, *b = y;
    if (a->want != b->want) return a->want < b->want ? -1 : 1;
    return (a->box > b->box) - (a->box < b->box);
}

static void place_layer(Work *w, int layer, bool by_above) {
    Indexes *list = &w->layers[layer];
    for (size_t i = 0; i < list->count; i++) {
        Box *b = box_at(w, list->items[i]);
        const Indexes *to = by_above ? &b->above : &b->below;
        double sum = 0;
        for (size_t k = 0; k < to->count; k++) {
            const Box *x = box_at(w, to->items[k]);
            sum += x->y + x->h / 2;
        }
        b->want = to->count ? sum / (double)to->count : w->top;
    }
    Wanted *order = arena_array(w->a, Wanted, list->count + 1);
    for (size_t i = 0; i < list->count; i++) order[i] = (Wanted){box_at(w, list->items[i])->want, list->items[i]};
    if (list->count) qsort(order, list->count, sizeof *order, by_want);
    for (size_t i = 0; i < list->count; i++) list->items[i] = order[i].box;
    spread(w, list, GAP);
    for (size_t i = 0; i < list->count; i++)
        w->bottom = fmax(w->bottom, box_at(w, list->items[i])->y + box_at(w, list->items[i])->h);
}

static void place_rows(Work *w) {
    double y = w->top;
    for (size_t i = 0; i < w->rows.count; i++) {
        Box *b = box_at(w, w->rows.items[i]);
        if (i) {
            const Box *before = box_at(w, w->rows.items[i - 1]);
            y += before->cluster != b->cluster ? CLUSTER_GAP : before->group != b->group ? GROUP_GAP : GAP;
        }
        b->y = y;
        y += b->h;
    }
    w->bottom = fmax(w->bottom, y);
    for (int layer = LAYER_EXPANDER; layer >= LAYER_CONTROLLER; layer--) place_layer(w, layer, true);
    for (int layer = LAYER_GROUP; layer < LAYERS; layer++) place_layer(w, layer, false);
}

/* ---------------------------------------------------------------- lines */

typedef VEC(Hub) Hubs;

static double middle(const Box *b) {
    return b->y + b->h / 2;
}

static int by_from(const void *x, const void *y) {
    const Hub *a = x, *b = y;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return (a->box > b->box) - (a->box < b->box);
}

/* The lines between the layers `left` and `right`; returns how many run upwards side by side. */
static int plan_lines(Work *w, int left, int right, Hubs *hubs) {
    for (size_t i = 0; i < w->layers[left].count; i++) {
        size_t at = w->layers[left].items[i];
        Hub hub = {.box = at};
        const Box *b = box_at(w, at);
        for (size_t k = 0; k < b->above.count; k++)
            if (box_at(w, b->above.items[k])->below.count == 1) VEC_PUSH(w->a, &hub.ends, b->above.items[k]);
        if (hub.ends.count) VEC_PUSH(w->a, hubs, hub);
    }
    for (size_t i = 0; i < w->layers[right].count; i++) {
        Hub hub = {.box = w->layers[right].items[i], .right = true};
        const Box *b = box_at(w, hub.box);
        if (b->below.count > 1) hub.ends = b->below;
        if (hub.ends.count) VEC_PUSH(w->a, hubs, hub);
    }
    for (size_t i = 0; i < hubs->count; i++) {
        Hub *h = &hubs->items[i];
        h->at = h->from = h->to = middle(box_at(w, h->box));
        for (size_t k = 0; k < h->ends.count; k++) {
            double y = middle(box_at(w, h->ends.items[k]));
            h->from = fmin(h->from, y);
            h->to = fmax(h->to, y);
        }
    }
    if (hubs->count) qsort(hubs->items, hubs->count, sizeof *hubs->items, by_from);
    enum { LANES = 8 };
    double used[LANES];
    int lanes = 0;
    for (size_t i = 0; i < hubs->count; i++) {
        Hub *h = &hubs->items[i];
        h->lane = -1;
        if (h->to - h->from < 0.5) continue; /* straight */
        for (int k = 0; k < lanes && h->lane < 0; k++)
            if (used[k] + 6 < h->from) h->lane = k;
        if (h->lane < 0) h->lane = lanes < LANES ? lanes++ : LANES - 1;
        used[h->lane] = h->to;
    }
    if (lanes > 1)
        for (size_t i = 0; i < hubs->count; i++) {
            /* two lines that leave their boxes at one height would look like one */
            Hub *h = &hubs->items[i];
            const Box *b = box_at(w, h->box);
            double room = b->pass ? 0 : b->h / 2 - 8;
            double shift = (h->lane - lanes / 2.0 + 0.25) * 5;
            if (h->lane >= 0) h->at += fmin(fmax(shift, -room), room);
        }
    return lanes;
}

static const char *wire_class(const Box *end) {
    return end->slow ? "hp-wire hp-slow" : end->absent || end->unknown ? "hp-wire hp-faint" : "hp-wire";
}

static void draw_lines(Work *w, const Hubs *hubs, double from, double to, int right) {
    for (size_t i = 0; i < hubs->count; i++) {
        const Hub *h = &hubs->items[i];
        double lane = from + 10 + LANE * fmax(h->lane, 0);
        double here = h->right ? to : from;
        const Box *hub = box_at(w, h->box);
        const char *own = hub->unknown || hub->absent ? "hp-wire hp-faint" : "hp-wire";
        if (h->lane >= 0) {
            picture_line(w->p, own, here, h->at, lane, h->at);
            picture_line(w->p, own, lane, fmin(h->from, h->at), lane, fmax(h->to, h->at));
        }
        for (size_t k = 0; k < h->ends.count; k++) {
            const Box *end = box_at(w, h->ends.items[k]);
            double y = middle(end);
            bool slow = right == LAYER_DRIVE && end->layer == LAYER_DRIVE;
            const char *class_ = slow || end->absent ? wire_class(end) : own;
            if (h->lane < 0) {
                picture_line(w->p, class_, from, h->at, to, h->at);
                continue;
            }
            picture_line(w->p, class_, lane, y, h->right ? from : to, y);
            if (h->ends.count > 1 && y > h->from + 0.5 && y < h->to - 0.5) picture_circle(w->p, "hp-dot", lane, y, 2.2);
        }
    }
    /* a line that goes through a layer */
    for (size_t i = 0; i < w->layers[right].count; i++) {
        const Box *b = box_at(w, w->layers[right].items[i]);
        if (b->pass) picture_line(w->p, "hp-wire", b->x, middle(b), b->x + w->column_w[right], middle(b));
    }
}

/* ---------------------------------------------------------------- drawing */

/* Returns its width. */
static double pill(Work *w, const char *class_, const char *text_class, double right, double y, Str text, double room) {
    double width = pill_width(text);
    if (width > room) {
        text = fit(w->a, text, STRONG, room - 12);
        width = room;
    }
    picture_rect(w->p, class_, right - width, y, width, 16, 8);
    picture_text(w->p, text_class, right - width / 2, y + 12, ANCHOR_MIDDLE, text);
    return width;
}

static const char *box_class(const Box *b) {
    if (b->causes) return "hp-box hp-cause";
    if (b->trouble) return "hp-box hp-trouble";
    if (b->risks) return "hp-box hp-risk";
    if (b->unknown || b->absent) return "hp-box hp-unknown";
    return b->layer == LAYER_DRIVE ? "hp-box hp-drive" : "hp-box";
}

static void draw_box(Work *w, Box *b) {
    if (b->pass) return;
    double inner = b->w - 2 * PAD;
    StrBuf tip;
    sb_init(&tip, w->a);
    sb_add(&tip, b->name);
    if (b->tip.len && !str_eq(b->tip, b->sub)) sb_addf(&tip, ": %.*s", STR_ARG(b->tip));
    const Str parts[] = {b->sub, b->port, b->link, b->state, b->mark};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].len) sb_addf(&tip, "; %.*s", STR_ARG(parts[i]));
    picture_group(w->p, NULL, sb_str(&tip));
    if (b->count > 1) {
        picture_rect(w->p, "hp-stack", b->x + 4, b->y + 4, b->w, b->h, 5);
        picture_rect(w->p, "hp-stack", b->x + 2, b->y + 2, b->w, b->h, 5);
        w->has_fold = true;
    }
    picture_rect(w->p, box_class(b), b->x, b->y, b->w, b->h, 5);
    if (b->causes) picture_rect(w->p, "hp-inner", b->x + 3.5, b->y + 3.5, b->w - 7, b->h - 7, 3);
    double name_room = inner, sub_room = inner;
    if (b->mark.len)
        name_room -=
            6 + pill(w, b->causes ? "hp-pill hp-pill-cause" : "hp-pill", b->causes ? "hp-pill-text" : "hp-small",
                     b->x + b->w - 5, b->y + 4.5, b->mark, inner - 20);
    if (b->state.len && b->h <= LOW) {
        name_room -= 6 + pill(w, "hp-pill hp-pill-state", "hp-strong", b->x + b->w - 5, b->y + 4, b->state, inner - 20);
        w->has_trouble = true;
    } else if (b->state.len) {
        sub_room -=
            6 + pill(w, "hp-pill hp-pill-state", "hp-strong", b->x + b->w - 5, b->y + 20.5, b->state, inner + 4);
        w->has_trouble = true;
    }
    picture_text(w->p, b->unknown ? "hp-soft" : "hp-name", b->x + PAD, b->y + 16, ANCHOR_START,
                 fit(w->a, b->name, NAME, name_room));
    if (b->sub.len)
        picture_text(w->p, "hp-small", b->x + PAD, b->y + 31.5, ANCHOR_START, fit(w->a, b->sub, PLAIN, sub_room));
    picture_end(w->p);
    w->has_cause |= b->causes > 0;
    w->has_risk |= !b->causes && b->risks;
    w->has_unknown |= b->unknown;
    w->has_absent |= b->absent && !b->causes && !b->trouble && !b->risks;
    w->has_slow |= b->slow;
}

static void draw_label(Work *w, const Box *b, double from) {
    if (b->layer != LAYER_DRIVE) return;
    double y = middle(b), room = b->x - from - 8;
    if (room < 20) return;
    picture_text(w->p, "hp-label", b->x - 6, y - 4, ANCHOR_END, fit(w->a, b->port, PLAIN, room));
    picture_text(w->p, b->slow ? "hp-label hp-bad" : "hp-label", b->x - 6, y + 13, ANCHOR_END,
                 fit(w->a, b->link, b->slow ? STRONG : PLAIN, room));
}

/* Of two kinds as many as fit. */
static Str layer_title(Work *w, int layer, double room) {
    StrBuf out;
    sb_init(&out, w->a);
    size_t kinds = sizeof KINDS / sizeof *KINDS;
    int named = 0;
    for (size_t k = 0; k < kinds && named < 2; k++) {
        bool there = false;
        for (size_t i = 0; i < w->layers[layer].count && !there; i++) {
            const Box *b = box_at(w, w->layers[layer].items[i]);
            there = !b->unknown && str_is(b->kind, KINDS[k].kind);
        }
        Str title = str_of(_(KINDS[k].title));
        if (!there || (named && measure(sb_str(&out), STRONG) + measure(title, STRONG) + 8 > room)) continue;
        sb_addf(&out, "%s%.*s", named++ ? ", " : "", STR_ARG(title));
    }
    return sb_str(&out);
}

/* A cause that no part has but the host as a whole; returns how high it stands. */
static double draw_host_mark(Work *w) {
    if (!w->host_mark.len) return 0;
    Str words = say(w->a, _("the host itself: {mark}"), "mark", w->host_mark, NULL);
    double width = fmin(measure(words, STRONG) + 24, w->width - 2 * EDGE);
    picture_group(w->p, NULL, words);
    picture_rect(w->p, w->host_is_cause ? "hp-box hp-cause" : "hp-box hp-risk", EDGE, EDGE, width, 20, 5);
    picture_text(w->p, "hp-strong", EDGE + 10, EDGE + 14, ANCHOR_START, fit(w->a, words, STRONG, width - 16));
    picture_end(w->p);
    w->has_cause |= w->host_is_cause;
    w->has_risk |= !w->host_is_cause;
    return 28;
}

/* What a head may take beside its column. */
static double gap_behind(const Work *w, const double *gaps, int layer) {
    for (int next = layer + 1; next < LAYERS; next++)
        if (w->layers[next].count) return gaps[next] - 8;
    return 0;
}

static void legend_item(Work *w, double *x, double *y, const char *class_, const char *inner, bool line, bool stack,
                        Str words) {
    double width = 34 + measure(words, PLAIN) + 18;
    if (*x > EDGE && *x + width > w->width) {
        *x = EDGE;
        *y += 22;
    }
    if (stack) picture_rect(w->p, "hp-stack", *x + 5, *y + 3, 24, 14, 3);
    if (line) {
        picture_line(w->p, class_, *x, *y + 7, *x + 26, *y + 7);
    } else {
        picture_rect(w->p, class_, *x + 2, *y, 24, 14, 3);
        if (inner) picture_rect(w->p, inner, *x + 4.5, *y + 2.5, 19, 9, 2);
    }
    picture_text(w->p, "hp-small", *x + 33, *y + 11, ANCHOR_START, words);
    *x += width;
}

static double draw_legend(Work *w, double top) {
    double x = EDGE, y = top;
    bool any = false;
    const struct {
        bool there, line;
        const char *class_, *inner, *words;
    } items[] = {{w->has_cause, false, "hp-key hp-cause", "hp-inner", _("a cause of the verdict")},
                 {w->has_risk, false, "hp-key hp-risk", NULL, _("a risk")},
                 {w->has_trouble, false, "hp-key hp-trouble", NULL, _("not in its good state")},
                 {w->has_slow, true, "hp-wire hp-slow", NULL, _("link slower than it could be")},
                 {w->has_unknown || w->has_absent, false, "hp-key hp-unknown", NULL, _("not known, or not there")},
                 {w->has_fold, false, "hp-key hp-drive", NULL, _("several alike in one box")}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (!items[i].there) continue;
        any = true;
        legend_item(w, &x, &y, items[i].class_, items[i].inner, items[i].line, i == 5, str_of(items[i].words));
    }
    if (w->not_drawn) {
        any = true;
        legend_item(w, &x, &y, "hp-stack", NULL, false, false,
                    say_n(w->a, "{n} more drive is not drawn", "{n} more drives are not drawn", w->not_drawn, NULL));
    }
    return any ? y + 22 : top;
}

/* ---------------------------------------------------------------- in words */

typedef struct Told {
    Str marks;
    StrBuf names;
    size_t count;
} Told;

/* What a box is marked with, in words. */
static Str marks_of_box(Work *w, const Box *b) {
    StrBuf out;
    sb_init(&out, w->a);
    const Str parts[] = {b->mark, b->state, b->slow ? b->link : STR_NONE,
                         b->absent ? str_of(_("not there")) : STR_NONE};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k].len) sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(parts[k]));
    return sb_str(&out);
}

/* What is there, then what is marked: "cause 1: sda, sdb." */
static Str description(Work *w) {
    enum { MARKS_TOLD = 24, NAMES_TOLD = 12 };
    Arena *a = w->a;
    StrBuf out;
    sb_init(&out, a);
    size_t controllers = 0;
    for (size_t i = 0; i < w->boxes.count; i++) {
        const Box *b = box_at(w, i);
        controllers += !b->gone && !b->pass && !b->unknown && b->layer == LAYER_CONTROLLER;
    }
    sb_add(&out, say_n(a, "Joined by lines: {controllers}, {n} drive, what they form and what lies on it.",
                       "Joined by lines: {controllers}, {n} drives, what they form and what lies on it.", w->drives,
                       "controllers", say_n(a, "{n} controller", "{n} controllers", controllers, NULL), NULL));
    VEC(Told) told = {0};
    bool more = false;
    for (int level = 0; level <= LEADING_CAUSES + 2; level++)
        for (size_t i = 0; i < w->boxes.count; i++) {
            const Box *b = box_at(w, i);
            if (b->gone || b->pass || box_interest(b) != level) continue;
            Str marks = marks_of_box(w, b);
            if (!marks.len) continue;
            size_t k = 0;
            while (k < told.count && !str_eq(told.items[k].marks, marks)) k++;
            if (k == MARKS_TOLD) {
                more = true;
                continue;
            }
            if (k == told.count) {
                Told t = {.marks = marks};
                sb_init(&t.names, a);
                VEC_PUSH(a, &told, t);
            }
            Told *t = &told.items[k];
            if (t->count++ < NAMES_TOLD) sb_addf(&t->names, "%s%.*s", t->count > 1 ? ", " : "", STR_ARG(b->name));
            else if (t->count == NAMES_TOLD + 1) sb_addz(&t->names, ", …");
        }
    for (size_t k = 0; k < told.count; k++) {
        sb_addc(&out, ' ');
        sb_add(&out, say(a, _("{marks}: {names}."), "marks", told.items[k].marks, "names", sb_str(&told.items[k].names),
                         NULL));
    }
    if (more) sb_addz(&out, " …");
    if (!told.count) sb_addf(&out, " %s", _("Nothing is marked."));
    return sb_str(&out);
}

static Str names_above(Work *w, const MapNode *n, const char *kind_a, const char *kind_b) {
    StrBuf out;
    sb_init(&out, w->a);
    const HostMap *m = &w->d->map;
    size_t self = (size_t)(n - m->nodes.items);
    /* two storeys: its group, and that one's pool */
    Indexes now = {0};
    VEC_PUSH(w->a, &now, self);
    int named = 0;
    for (int storey = 0; storey < 3; storey++) {
        Indexes next = {0};
        for (size_t k = 0; k < now.count && next.count < 8; k++) {
            const Indexes *above = &box_at(w, now.items[k])->above;
            for (size_t i = 0; i < above->count && next.count < 8; i++) {
                const MapNode *x = &m->nodes.items[above->items[i]];
                if (!has(&next, above->items[i])) VEC_PUSH(w->a, &next, above->items[i]);
                if ((str_is(x->kind, kind_a) || str_is(x->kind, kind_b)) && named++ < 4)
                    sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(doc_clean(w->doc, x->name)));
            }
        }
        now = next;
    }
    return sb_str(&out);
}

/* Before anything is folded. */
static void put_table(Work *w, DocNode *section) {
    Doc *doc = w->doc;
    const HostMap *m = &w->d->map;
    Table *t = doc_table(doc, section, _("The picture as a table: drives and where they hang"), false);
    t->html_only = true;
    const char *const titles[] = {N_("Drive"), N_("Model"),         N_("Controller"), N_("Port"),
                                  N_("Link"),  N_("Vdev or array"), N_("Pool"),       N_("Mark")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) doc_column(doc, t, str_of(_(titles[i])), false);
    size_t rows = 0;
    for (int pass = 0; pass < 2; pass++) /* marked ones first, so that the limit spares them */
        for (size_t i = 0; i < m->nodes.count; i++) {
            const MapNode *n = &m->nodes.items[i];
            Box *b = box_at(w, i);
            if (b->layer != LAYER_DRIVE || marked(b) != (pass == 0)) continue;
            if (rows++ >= TABLE_ROWS) continue;
            Row *row = doc_row(doc, t);
            row->tone = b->causes ? TONE_BAD : TONE_NONE;
            const MapNode *on = n->below.count && n->below.items[0] < i ? &m->nodes.items[n->below.items[0]] : NULL;
            Str port = b->port;
            if (on && !str_is(on->kind, "controller")) {
                if (!str_is(on->kind, "multiplier")) port = joined_by(w->a, on->name, ", ", port);
                on = on->below.count ? &m->nodes.items[on->below.items[0]] : NULL;
            }
            span_add(doc, &row->cells[0], SPAN_STRONG, b->name);
            span_add(doc, &row->cells[1], 0, b->sub);
            if (on) span_add(doc, &row->cells[2], 0, joined_by(w->a, on->name, ", ", on->detail));
            else span_add(doc, &row->cells[2], SPAN_MUTED, str_of(_("place unknown")));
            span_add(doc, &row->cells[3], 0, port);
            span_add(doc, &row->cells[4], b->slow ? SPAN_STRONG : 0, b->link);
            span_add(doc, &row->cells[5], 0, names_above(w, n, "vdev", "array"));
            span_add(doc, &row->cells[6], 0, names_above(w, n, "pool", "pool"));
            span_add(doc, &row->cells[7], 0, joined_by(w->a, box_mark(w, b), ", ", b->state));
        }
    if (rows > TABLE_ROWS) {
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_MUTED,
                 say_n(w->a, "and {n} more drive", "and {n} more drives", rows - TABLE_ROWS, NULL));
    }
}

/* ---------------------------------------------------------------- for a phone */

typedef struct Narrow {
    Work *w;
    Picture *p;
    bool *seen;
    double y;
} Narrow;

/* The port of a drive with the controller it belongs to, as there are no lines to tell it. */
static Str seat_words(Work *w, const Box *b) {
    Str on = STR_NONE;
    for (size_t i = box_place(b), steps = 0; i != SIZE_MAX && steps < LAYERS; i = box_place(box_at(w, i)), steps++) {
        const Box *x = box_at(w, i);
        if (!x->pass)
            on = x->layer == LAYER_EXPANDER ? joined_by(w->a, x->name, ", ", on) : joined_by(w->a, x->name, " ", on);
    }
    return joined_by(w->a, joined_by(w->a, on, ", ", b->port), ", ", b->link);
}

/* A file system or volume that is said in a line of what it lies on. */
static bool said_below(const Box *b) {
    return !b->gone && !b->pass && b->layer > LAYER_DRIVE && box_is_leaf(b) && !b->above.count && b->below.count == 1 &&
           !marked(b);
}

static Str leaves_words(Work *w, const Box *b) {
    StrBuf out;
    sb_init(&out, w->a);
    for (size_t k = 0; k < b->above.count && out.len < 400; k++) {
        const Box *x = box_at(w, b->above.items[k]);
        while (x->pass && x->above.count) x = box_at(w, x->above.items[0]);
        if (said_below(x)) sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(x->name));
    }
    return out.len ? say(w->a, _("holds {names}"), "names", sb_str(&out), NULL) : STR_NONE;
}

static double draw_narrow_box(Narrow *n, Box *b, double x) {
    enum { LINE_HEIGHT = 16 };
    Work *w = n->w;
    const Str lines[] = {b->layer == LAYER_DRIVE ? seat_words(w, b) : STR_NONE,
                         b->layer >= LAYER_DRIVE ? leaves_words(w, b) : STR_NONE};
    b->x = x;
    b->y = n->y;
    b->w = NARROW - x - EDGE - 4;
    /* a state goes beside the name where it has that line to itself */
    b->h = b->sub.len || (b->state.len && (b->mark.len || lines[0].len || lines[1].len)) ? HEIGHT : LOW;
    double at = b->y + b->h + (b->h > LOW ? 7.5 : 8);
    for (size_t i = 0; i < 2; i++)
        if (lines[i].len) b->h += LINE_HEIGHT;
    draw_box(w, b);
    for (size_t i = 0; i < 2; i++) {
        if (!lines[i].len) continue;
        picture_text(w->p, i == 0 && b->slow ? "hp-small hp-bad" : "hp-small", x + PAD, at, ANCHOR_START,
                     fit(w->a, lines[i], PLAIN, b->w - 2 * PAD));
        at += LINE_HEIGHT;
    }
    double middle_y = n->y + b->h / 2;
    n->y += b->h + GAP;
    return middle_y;
}

static void through_passes(const Work *w, const Box *b, Indexes *out, int depth) {
    for (size_t k = 0; k < b->below.count && depth < LAYERS; k++) {
        const Box *x = box_at(w, b->below.items[k]);
        if (x->pass) through_passes(w, x, out, depth + 1);
        else VEC_PUSH(w->a, out, b->below.items[k]);
    }
}

/* What rests on others stands above them, and they are set in below it. */
static void draw_narrow(Narrow *n, size_t i, int depth, double *joint) {
    Work *w = n->w;
    Box *b = box_at(w, i);
    bool again = n->seen[i];
    n->seen[i] = true;
    double x = EDGE + STEP * depth;
    if (again) { /* a drive in several things: once in full, then by name */
        picture_text(w->p, "hp-label", x + PAD, n->y + 10, ANCHOR_START, fit(w->a, b->name, PLAIN, NARROW - x - 20));
        *joint = n->y + 6;
        n->y += 22;
        return;
    }
    *joint = draw_narrow_box(n, b, x);
    if (b->layer <= LAYER_DRIVE || depth > LAYERS) return;
    double from = b->y + b->h, last = 0;
    Indexes below = {0};
    through_passes(w, b, &below, 0);
    for (size_t k = 0; k < below.count; k++) {
        double at;
        const Box *end = box_at(w, below.items[k]);
        draw_narrow(n, below.items[k], depth + 1, &at);
        picture_line(w->p, wire_class(end), x + STEP / 2, at, x + STEP, at);
        last = at;
    }
    if (last > from) picture_line(w->p, "hp-wire", x + STEP / 2, from, x + STEP / 2, last);
}

/* Nothing lies on it that gets a box. */
static bool is_root(const Work *w, const Box *b) {
    for (size_t k = 0; k < b->above.count; k++) {
        const Box *x = box_at(w, b->above.items[k]);
        while (x->pass && x->above.count) x = box_at(w, x->above.items[0]);
        if (!said_below(x)) return false;
    }
    return true;
}

/* A column that is read on a phone without moving it: controllers, then each pool or file system with what is below. */
static void put_narrow(Work *w, DocNode *section, Str title, Str desc) {
    Narrow narrow = {.w = w, .seen = arena_array(w->a, bool, w->boxes.count + 1)}, *n = &narrow;
    w->width = NARROW;
    w->p = doc_picture(w->doc, section, "host host-narrow", title, desc, NARROW, 10);
    n->y = EDGE + draw_host_mark(w);
    n->y = draw_legend(w, n->y + 4) + 4;
    picture_text(w->p, "hp-head", EDGE, n->y + 11, ANCHOR_START, layer_title(w, LAYER_CONTROLLER, NARROW));
    n->y += 18;
    bool any = false;
    for (size_t i = 0; i < w->layers[LAYER_CONTROLLER].count; i++) {
        Box *b = box_at(w, w->layers[LAYER_CONTROLLER].items[i]);
        if (b->unknown || b->pass || (b->node && !b->node->node)) continue;
        draw_narrow_box(n, b, EDGE);
        any = true;
    }
    if (!any) n->y -= 18;
    /* in the order of the wide picture; drives that are in nothing come last */
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < w->rows.count + w->boxes.count; r++) {
            size_t i = pass ? (r < w->rows.count ? w->rows.items[r] : SIZE_MAX) : r;
            if (i >= w->boxes.count || n->seen[i]) continue;
            const Box *b = box_at(w, i);
            if (b->gone || b->pass || b->layer < LAYER_DRIVE || said_below(b)) continue;
            if ((b->layer == LAYER_DRIVE) != (pass == 1) || !is_root(w, b)) continue;
            double joint;
            n->y += GAP;
            draw_narrow(n, i, 0, &joint);
        }
    w->p->height = n->y + EDGE;
}

bool put_host_picture(Doc *doc, DocNode *section, const Diagnosis *d) {
    Work work = {.doc = doc, .a = doc->arena, .d = d, .not_drawn = d->map.left_out}, *w = &work;
    boxes_read(w);
    /* names of drives and nothing else: a picture would only repeat them */
    bool tells = false;
    for (size_t i = 0; i < w->boxes.count; i++) tells |= box_at(w, i)->layer != LAYER_DRIVE;
    if (!tells) return false;
    DocNode *below = doc_new(doc, DOC_GROUP); /* the table stands behind the picture, and is made before things fold */
    if (w->drives) put_table(w, below);
    boxes_fold(w);
    add_passes(w);
    set_sizes(w);

    w->top = EDGE + 20 + (w->host_mark.len ? 26 : 0);
    w->bottom = w->top;
    place_rows(w);

    /* columns: lines beside each other need room, labels of links more */
    Hubs hubs[LAYERS] = {0};
    double gaps[LAYERS] = {0}, label = 0, total = 2 * EDGE, spare = 0;
    int before = -1;
    for (size_t i = 0; i < w->layers[LAYER_DRIVE].count; i++) {
        const Box *b = box_at(w, w->layers[LAYER_DRIVE].items[i]);
        label = fmax(label, fmax(measure(b->port, PLAIN), measure(b->link, b->slow ? STRONG : PLAIN)));
    }
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!w->layers[layer].count) continue;
        if (before >= 0) {
            int lanes = plan_lines(w, before, layer, &hubs[layer]);
            gaps[layer] = 20 + LANE * lanes + (layer == LAYER_DRIVE ? fmin(label, 104) + (label > 0 ? 8 : 0) : 0);
        }
        total += gaps[layer] + w->column_w[layer];
        spare += fmax(w->column_w[layer] - w->column_least[layer], 0);
        before = layer;
    }
    if (total > WIDEST && spare > 0) {
        double cut = fmin(1, (total - WIDEST) / spare);
        for (int layer = 0; layer < LAYERS; layer++)
            w->column_w[layer] -= fmax(w->column_w[layer] - w->column_least[layer], 0) * cut;
    }
    total = fmin(total, fmax(total - spare, WIDEST)); /* what the cut above leaves */
    if (total > WIDEST) {                             /* names are cut, too */
        double columns = 0, rest = 2 * EDGE;
        for (int layer = 0; layer < LAYERS; layer++) {
            columns += w->layers[layer].count ? w->column_w[layer] : 0;
            rest += gaps[layer];
        }
        for (int layer = 0; layer < LAYERS; layer++)
            w->column_w[layer] = fmax(w->column_w[layer] * (WIDEST - rest) / columns, NARROW_COLUMN);
    }
    double x = EDGE, free = WIDEST - total;
    for (int layer = 0; layer < LAYERS; layer++) { /* heads get the room that is left */
        if (!w->layers[layer].count) continue;
        double more = measure(layer_title(w, layer, WIDEST), STRONG) - w->column_w[layer] - gap_behind(w, gaps, layer);
        if (more <= 0 || more > free) continue;
        w->column_w[layer] += more;
        free -= more;
    }
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!w->layers[layer].count) continue;
        x += gaps[layer];
        w->column_x[layer] = x;
        for (size_t i = 0; i < w->layers[layer].count; i++) {
            Box *b = box_at(w, w->layers[layer].items[i]);
            b->x = x;
            b->w = w->column_w[layer];
        }
        x += w->column_w[layer];
    }
    w->width = fmax(x + EDGE + 4, NARROWEST);

    Str name = doc_clean(doc, d->bundle.host);
    Str title = name.len ? say(w->a, _("How the storage of {host} hangs together"), "host", name, NULL)
                         : str_of(_("How the storage hangs together"));
    Str desc = description(w);
    w->p = doc_picture(doc, section, "host host-wide", title, desc, w->width, w->bottom);
    draw_host_mark(w);
    before = -1;
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!w->layers[layer].count) continue;
        double room = w->column_w[layer] + fmax(gap_behind(w, gaps, layer), 0);
        picture_text(w->p, "hp-head", w->column_x[layer], w->top - 9, ANCHOR_START,
                     fit(w->a, layer_title(w, layer, room), STRONG, room));
        if (before >= 0)
            draw_lines(w, &hubs[layer], w->column_x[before] + w->column_w[before], w->column_x[layer], layer);
        before = layer;
    }
    before = -1;
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!w->layers[layer].count) continue;
        double from = before >= 0 ? w->column_x[before] + w->column_w[before] + LANE : 0;
        for (size_t i = 0; i < w->layers[layer].count; i++) {
            Box *b = box_at(w, w->layers[layer].items[i]);
            draw_box(w, b);
            if (before >= 0) draw_label(w, b, from);
        }
        before = layer;
    }
    w->p->height = draw_legend(w, w->bottom + 20) + EDGE;
    put_narrow(w, section, title, desc);
    for (size_t i = 0; i < below->children.count; i++)
        VEC_PUSH(doc->arena, &section->children, below->children.items[i]);
    return true;
}
