#include "plots.h"

#include "format.h"
#include "layout_parts.h"
#include "timeline.h"

#include <math.h>
#include <stdlib.h>

enum {
    PANELS_MOST = 24,
    DOT_ROWS = 24,
    MARK_ROWS = 6,
    SCATTER_POINTS = 1500, /* in all */
    ROWS_UNDER = 64,       /* of a table under a picture */
    LEAST_POINTS = 3
};

#define WIDTH 420.0 /* of a picture; lines at its edge keep one pixel from it */
#define FONT 12.0
#define SMALL 11.0

/* ---------------------------------------------------------------- scales */

/* The next of 1, 2, 5 x 10^k at or above (below) v > 0. */
static double round_up(double v) {
    double decade = pow(10, floor(log10(v)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < 4; i++)
        if (v <= steps[i] * decade * (1 + 1e-9)) return steps[i] * decade;
    return 10 * decade;
}

static double round_down(double v) {
    double decade = pow(10, floor(log10(v)));
    return v >= 5 * decade * (1 - 1e-9) ? 5 * decade : v >= 2 * decade * (1 - 1e-9) ? 2 * decade : decade;
}

#define LARGEST 1e15

static double tamed(double v) {
    return !isfinite(v) || v < 0 ? 0 : v > LARGEST ? LARGEST : v;
}

Scale scale_of(double lo, double hi, bool log, double from, double to) {
    lo = tamed(lo);
    hi = tamed(hi);
    if (hi < lo) {
        double t = lo;
        lo = hi;
        hi = t;
    }
    Scale s = {.from = from, .to = to};
    if (hi < 1e-6) hi = 1;
    double least = hi / 1e4; /* four decades are enough to see; what is below lies on the axis */
    if (lo < least) lo = least;
    if (log && hi >= 20 * lo) {
        s.log = true;
        s.lo = round_down(lo);
        s.hi = round_up(hi);
    } else {
        s.lo = 0;
        double step = round_up(hi / 5);
        s.hi = ceil(hi / step - 1e-9) * step;
    }
    return s;
}

double scale_at(const Scale *s, double v) {
    if (isnan(v)) return NAN;
    if (v < s->lo) v = s->lo;
    if (v > s->hi) v = s->hi;
    double part = s->log ? log10(v / s->lo) / log10(s->hi / s->lo) : (v - s->lo) / (s->hi - s->lo);
    return s->from + part * (s->to - s->from);
}

size_t scale_ticks(const Scale *s, size_t most, double *ticks) {
    if (most > TICKS_MOST) most = TICKS_MOST;
    if (most < 2) most = 2;
    size_t n = 0;
    if (!s->log) {
        double step = round_up((s->hi - s->lo) / (double)(most - 1));
        for (double v = s->lo; v <= s->hi * (1 + 1e-9) && n < most; v += step) ticks[n++] = v;
        return n;
    }
    int first = (int)floor(log10(s->lo) + 1e-9), last = (int)ceil(log10(s->hi) - 1e-9);
    /* All of 1, 2 and 5 where they have room, else 1 alone, else every second decade and so on. */
    for (int way = 0; way < 8; way++) {
        static const double steps[] = {1, 2, 5};
        n = 0;
        bool fits = true;
        for (int k = first; k <= last && fits; k += way < 2 ? 1 : way)
            for (size_t i = 0; i < (way == 0 ? 3 : 1) && fits; i++) {
                double v = steps[i] * pow(10, k);
                if (v < s->lo * (1 - 1e-9) || v > s->hi * (1 + 1e-9)) continue;
                if (n == most) fits = false;
                else ticks[n++] = v;
            }
        if (fits) break;
    }
    return n;
}

double time_step(double span_s, size_t most) {
    static const double steps[] = {1,    2,    5,    10,    15,    30,    60,    120,    300,    600,    900,
                                   1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2592000};
    if (!isfinite(span_s) || span_s <= 0) return 1;
    if (most < 1) most = 1;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (span_s / steps[i] <= (double)most) return steps[i];
    return ceil(span_s / (double)most / 31536000) * 31536000;
}

/* ---------------------------------------------------------------- what pictures share */

static Str ms_text(Arena *a, double ms) {
    return format_quantity(a, ms, STR("ms"));
}

/* Bare figure at a tick. */
static Str tick_text(Arena *a, double v) {
    return v >= 1e6     ? arena_strf(a, "%.0e", v)
           : v >= 10000 ? arena_strf(a, "%.*sk", STR_ARG(format_number(a, v / 1000)))
                        : format_number(a, v);
}

static void grid_y(Picture *p, const Scale *y, double x1, double x2, size_t most, bool labels) {
    double ticks[TICKS_MOST];
    size_t n = scale_ticks(y, most, ticks);
    for (size_t i = 0; i < n; i++) {
        double at = scale_at(y, ticks[i]);
        picture_line(p, "pl-grid", x1, at, x2, at);
        if (labels) picture_text(p, "pl-small", x1 - 5, at + 4, ANCHOR_END, tick_text(p->arena, ticks[i]));
    }
}

static void grid_x(Picture *p, const Scale *x, double y1, double y2, size_t most) {
    double ticks[TICKS_MOST];
    size_t n = scale_ticks(x, most, ticks);
    double free_from = -1e9;
    for (size_t i = 0; i < n; i++) {
        double at = scale_at(x, ticks[i]);
        picture_line(p, "pl-grid", at, y1, at, y2);
        Str words = tick_text(p->arena, ticks[i]);
        double half = text_width(words, SMALL) / 2;
        if (at - half < free_from || at + half > WIDTH) continue;
        picture_text(p, "pl-small", at, y2 + 14, ANCHOR_MIDDLE, words);
        free_from = at + half + 4;
    }
}

/* Sentences of a legend, broken into lines of the picture; how high they are. Without a picture they are only measured. */
static double put_words(Picture *p, double y, Str words) {
    double high = 0;
    while (words.len) {
        size_t end = 0; /* as many words as fit */
        for (size_t at = 0; at < words.len;) {
            size_t next = at;
            while (next < words.len && words.p[next] != ' ') next++;
            if (end && text_width(str_sub(words, 0, next), SMALL) > WIDTH - 2) break;
            end = next;
            at = next + 1;
        }
        if (p) picture_text(p, "pl-soft", 0, y + high, ANCHOR_START, str_sub(words, 0, end));
        high += 15;
        words = end < words.len ? str_from(words, end + 1) : STR("");
    }
    return high;
}

static Str drive_name(Doc *doc, const DriveInfo *x) {
    return doc_clean(doc, x->name.len ? x->name : x->model.len ? x->model : x->id);
}

/* "cause 1"; "" for who is in none. */
static Str mark_of(Doc *doc, const Diagnosis *d, const DriveInfo *x) {
    if (!x->culprit) return STR("");
    for (size_t i = 0; i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (f->covered_by.len) continue;
        for (size_t k = 0; k < f->subjects.count; k++)
            if (f->subjects.items[k].node == x->node && f->rank > 0)
                return say(doc->arena, _("cause {n}"), "n", arena_strf(doc->arena, "%d", f->rank), NULL);
    }
    return str_of(_("culprit"));
}

static bool same_group(const DriveInfo *a, const DriveInfo *b) {
    if (a->pools.count && b->pools.count) return str_eq(a->pools.items[0], b->pools.items[0]);
    return !a->pools.count && !b->pools.count && str_eq(a->class_, b->class_);
}

static size_t known_moments(const float *values, size_t count) {
    size_t n = 0;
    for (size_t i = 0; values && i < count; i++) n += isfinite(values[i]);
    return n;
}

static int by_float(const void *x, const void *y) {
    float a = *(const float *)x, b = *(const float *)y;
    return (a > b) - (a < b);
}

/* Of the finite ones; NAN of none. */
static double median_of(Arena *a, const float *values, size_t count) {
    float *v = arena_array(a, float, count + 1);
    size_t n = 0;
    for (size_t i = 0; values && i < count; i++)
        if (isfinite(values[i])) v[n++] = values[i];
    if (!n) return NAN;
    qsort(v, n, sizeof *v, by_float);
    return n % 2 ? (double)v[n / 2] : ((double)v[n / 2 - 1] + (double)v[n / 2]) / 2;
}

static double highest(const float *values, size_t count, size_t *at) {
    double most = NAN;
    for (size_t i = 0; values && i < count; i++)
        if (isfinite(values[i]) && !((double)values[i] <= most)) {
            most = (double)values[i];
            *at = i;
        }
    return most;
}

/* Time at the end of a moment: of day, or since the first row. */
static Str moment_text(Arena *a, const Figures *f, double moment, bool day) {
    double t = f->start_s + moment * f->step_s;
    return f->clock ? clock_text(a, t, f->timezone_s, day, f->step_s * (double)f->moments < 7200)
                    : arena_strf(a, "%.0f s", t);
}

static Str axis_words(Arena *a, const Figures *f) {
    if (!f->clock) return str_of(_("Seconds since the first row: the samples carry no time."));
    return say(a, _("{day}, clock of the host ({zone})."), "day",
               str_sub(clock_text(a, f->start_s, f->timezone_s, true, true), 0, 10), "zone",
               zone_text(a, f->timezone_s), NULL);
}

static Str sample_words(Arena *a, const Figures *f) {
    return f->step_s > f->sample_s * 1.01
               ? say(a,
                     _("A point is the mean of {step}, weighted by operations; the thin line reaches to the longest "
                       "{sample} average."),
                     "step", format_span(a, f->step_s), "sample", format_span(a, f->sample_s), NULL)
               : say(a, _("A point is an average over {sample}."), "sample", format_span(a, f->sample_s), NULL);
}

/* ---------------------------------------------------------------- wait over time */

typedef struct Panel {
    const DriveFigure *figure;
    const DriveInfo *info;
    Str mark;
    int order;
} Panel;

typedef VEC(Panel) PanelList;

static int by_order(const void *x, const void *y) {
    const Panel *a = x, *b = y;
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    bool pool_a = a->info->pools.count > 0, pool_b = b->info->pools.count > 0;
    if (pool_a != pool_b) return pool_a ? -1 : 1;
    int c =
        pool_a ? str_cmp(a->info->pools.items[0], b->info->pools.items[0]) : str_cmp(a->info->class_, b->info->class_);
    if (c) return c;
    return a->figure->drive < b->figure->drive ? -1 : a->figure->drive > b->figure->drive;
}

/* Drives with enough waits of a direction: culprits, then who is like them, then the others. */
static PanelList drives_with(Doc *doc, const Diagnosis *d, size_t k) {
    const Figures *f = d->figures;
    PanelList list = {0};
    for (size_t i = 0; i < f->drives.count; i++) {
        const DriveFigure *x = &f->drives.items[i];
        if (x->drive >= d->drives.count || known_moments(x->wait_ms[k], f->moments) < LEAST_POINTS) continue;
        const DriveInfo *info = &d->drives.items[x->drive];
        int order = info->culprit ? 0 : 2;
        for (size_t c = 0; c < d->drives.count && order == 2; c++)
            if (d->drives.items[c].culprit && same_group(&d->drives.items[c], info)) order = 1;
        VEC_PUSH(doc->arena, &list, ((Panel){x, info, mark_of(doc, d, info), order}));
    }
    if (list.count) qsort(list.items, list.count, sizeof *list.items, by_order);
    return list;
}

static void range_of(const PanelList *list, size_t count, size_t k, size_t moments, double *lo, double *hi) {
    *lo = INFINITY;
    *hi = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < moments; m++) {
            double v = (double)list->items[i].figure->wait_ms[k][m],
                   most = (double)list->items[i].figure->wait_max_ms[k][m];
            if (v > 0 && v < *lo) *lo = v;
            if (v > *hi && isfinite(v)) *hi = v;
            if (most > *hi && isfinite(most)) *hi = most;
        }
}

/* A line over the moments; a moment without neighbours is a dot. */
static void draw_line(Picture *p, const char *class_, const float *values, size_t moments, const Scale *x,
                      const Scale *y) {
    PathPen pen;
    pen_init(&pen, p->arena);
    for (size_t i = 0; i < moments; i++) {
        if (!isfinite(values[i])) continue;
        double px = scale_at(x, (double)i + 0.5), py = scale_at(y, (double)values[i]);
        bool joined_before = i > 0 && isfinite(values[i - 1]),
             joined_behind = i + 1 < moments && isfinite(values[i + 1]);
        pen_to(&pen, px, py, joined_before);
        if (!joined_before && !joined_behind) pen_to(&pen, px, py, true);
    }
    picture_path(p, class_, &pen);
}

static Scale moment_scale(const Figures *f, double from, double to) {
    return (Scale){.lo = 0, .hi = f->moments ? (double)f->moments : 1, .from = from, .to = to};
}

/* Begin and end of the axis of time below a panel. */
static void time_ends(Picture *p, const Figures *f, double x1, double x2, double y) {
    Str from = moment_text(p->arena, f, 0, false), to = moment_text(p->arena, f, (double)f->moments, false);
    if (text_width(from, SMALL) + text_width(to, SMALL) + 6 > x2 - x1) { /* too narrow for seconds */
        from = str_sub(from, 0, 5);
        to = str_sub(to, 0, 5);
    }
    picture_text(p, "pl-small", x1, y, ANCHOR_START, from);
    picture_text(p, "pl-small", x2, y, ANCHOR_END, to);
}

static const float *peers_median(Arena *a, const PanelList *list, const Panel *of, size_t k, size_t moments) {
    float *out = arena_array(a, float, moments), *v = arena_array(a, float, list->count + 1);
    size_t known = 0;
    for (size_t m = 0; m < moments; m++) {
        size_t n = 0;
        for (size_t i = 0; i < list->count; i++) {
            const Panel *o = &list->items[i];
            if (o->info->culprit || !str_eq(o->info->class_, of->info->class_) || !isfinite(o->figure->wait_ms[k][m]))
                continue;
            v[n++] = o->figure->wait_ms[k][m];
        }
        if (n) qsort(v, n, sizeof *v, by_float);
        out[m] = n ? v[n / 2] : NAN;
        known += n > 0;
    }
    return known >= LEAST_POINTS ? out : NULL;
}

static void put_latency(Doc *doc, DocNode *s, const Diagnosis *d, size_t k) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    PanelList list = drives_with(doc, d, k);
    if (!list.count || f->moments < LEAST_POINTS) return;
    size_t panels = list.count < PANELS_MOST ? list.count : PANELS_MOST,
           columns = panels == 1  ? 1
                     : panels > 8 ? 3
                                  : 2,
           rows = (panels + columns - 1) / columns;
    size_t more = list.count - panels + f->drives_left_out;
    double lo, hi;
    range_of(&list, list.count, k, f->moments, &lo, &hi);

    /* what one sees */
    StrList bad = {0};
    double bad_ms = NAN, good_ms = NAN;
    for (size_t i = 0; i < list.count; i++) {
        double m = median_of(a, list.items[i].figure->wait_ms[k], f->moments);
        if (list.items[i].info->culprit) {
            add_once(a, &bad, drive_name(doc, list.items[i].info));
            if (!(m <= bad_ms)) bad_ms = m;
        } else if (!(m <= good_ms)) good_ms = m;
    }
    Str desc = !bad.count ? say_n(a, "{n} drive on one scale; none is named by a cause. The highest median is {ms}.",
                                  "{n} drives on one scale; none is named by a cause. The highest median is {ms}.",
                                  (unsigned long)list.count, "ms", ms_text(a, good_ms), NULL)
               : isfinite(good_ms)
                   ? say(a,
                         _("Drives on one scale. The highest median of those named by a cause ({names}) is {ms}; of "
                           "the others it is {other}."),
                         "names", joined(a, &bad, 6), "ms", ms_text(a, bad_ms), "other", ms_text(a, good_ms), NULL)
                   : say(a, _("Drives on one scale. All are named by a cause ({names}); the highest median is {ms}."),
                         "names", joined(a, &bad, 6), "ms", ms_text(a, bad_ms), NULL);

    enum { GUTTER = 40, GAP = 10, HEAD = 18, PLOT = 54, FOOT = 8 };
    double top = 20, each = (WIDTH - 1 - GUTTER - GAP * (double)(columns - 1)) / (double)columns,
           bottom = top + (double)rows * (HEAD + PLOT + FOOT);
    Scale probe = scale_of(lo, hi, true, 0, 1);
    bool peers = false;
    for (size_t i = 0; i < panels && !peers; i++)
        peers = list.items[i].info->culprit && list.count > 1 && peers_median(a, &list, &list.items[i], k, f->moments);
    Str legend = axis_words(a, f);
    legend = arena_strf(a, "%.*s %.*s", STR_ARG(legend), STR_ARG(sample_words(a, f)));
    legend = arena_strf(a, "%.*s %s", STR_ARG(legend), _("A gap: no such operation, or no sample."));
    if (peers) legend = arena_strf(a, "%.*s %s", STR_ARG(legend), _("Dashed: the median of its like."));
    if (more)
        legend =
            arena_strf(a, "%.*s %.*s", STR_ARG(legend),
                       STR_ARG(say_n(a, "And {n} more drive.", "And {n} more drives.", (unsigned long)more, NULL)));
    Str title = say(
        a, k ? _("How long writes wait on each drive ({metric})") : _("How long reads wait on each drive ({metric})"),
        "metric", metric_label(a, f->metric[k]), NULL);
    Picture *p = doc_picture(doc, s, "plot latency", title, desc, WIDTH, bottom + 26 + put_words(NULL, 0, legend));
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START,
                 str_of(probe.log ? _("ms, logarithmic, the same scale for all") : _("ms, the same scale for all")));
    for (size_t i = 0; i < panels; i++) {
        const Panel *x = &list.items[i];
        double left = GUTTER + (double)(i % columns) * (each + GAP), right = left + each,
               head = top + (double)(i / columns) * (HEAD + PLOT + FOOT);
        Scale ys = scale_of(lo, hi, true, head + HEAD + PLOT, head + HEAD), xs = moment_scale(f, left, right);
        bool bad_one = x->info->culprit;
        Str name = drive_name(doc, x->info);
        picture_group(p, bad_one ? "pl-bad" : "pl-peer",
                      say(a, _("{name}: median {ms}"), "name", name, "ms",
                          ms_text(a, median_of(a, x->figure->wait_ms[k], f->moments)), NULL));
        picture_rect(p, "pl-frame", left, head + HEAD, each, PLOT, 0);
        grid_y(p, &ys, left, right, 4, i % columns == 0);
        double mark_width = x->mark.len ? text_width(x->mark, FONT) + 8 : 0;
        picture_text(p, "pl-name", left, head + HEAD - 5, ANCHOR_START, text_fit(a, name, FONT, each - mark_width));
        if (x->mark.len) picture_text(p, "pl-mark", right, head + HEAD - 5, ANCHOR_END, x->mark);
        if (bad_one) {
            const float *median = list.count > 1 ? peers_median(a, &list, x, k, f->moments) : NULL;
            if (median) draw_line(p, "pl-like", median, f->moments, &xs, &ys);
        }
        if (f->step_s > f->sample_s * 1.01) {
            PathPen pen;
            pen_init(&pen, a);
            for (size_t m = 0; m < f->moments; m++) {
                if (!isfinite(x->figure->wait_ms[k][m])) continue;
                pen_to(&pen, scale_at(&xs, (double)m + 0.5), scale_at(&ys, (double)x->figure->wait_ms[k][m]), false);
                pen_to(&pen, scale_at(&xs, (double)m + 0.5), scale_at(&ys, (double)x->figure->wait_max_ms[k][m]), true);
            }
            picture_path(p, "pl-reach", &pen);
        }
        draw_line(p, "pl-line", x->figure->wait_ms[k], f->moments, &xs, &ys);
        picture_end(p);
        if (i + columns >= panels) time_ends(p, f, left, right, head + HEAD + PLOT + 14);
    }
    put_words(p, bottom + 24, legend);

    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Drive")), false);
    doc_column(doc, t, str_of(_("Samples with such an operation")), true);
    doc_column(doc, t, str_of(_("Median of the points")), true);
    doc_column(doc, t, str_of(_("Longest")), true);
    doc_column(doc, t, str_of(_("When")), false);
    for (size_t i = 0; i < list.count && i < ROWS_UNDER; i++) {
        const Panel *x = &list.items[i];
        Row *row = doc_row(doc, t);
        size_t at = 0;
        double most = highest(x->figure->wait_max_ms[k], f->moments, &at);
        if (x->info->culprit) row->tone = TONE_BAD;
        span_add(doc, &row->cells[0], SPAN_STRONG, drive_name(doc, x->info));
        if (x->mark.len) span_addf(doc, &row->cells[0], 0, " (%.*s)", STR_ARG(x->mark));
        span_addf(doc, &row->cells[1], 0, "%zu", x->figure->wait_n[k]);
        span_add(doc, &row->cells[2], 0, ms_text(a, median_of(a, x->figure->wait_ms[k], f->moments)));
        span_add(doc, &row->cells[3], 0, ms_text(a, most));
        span_add(doc, &row->cells[4], 0, moment_text(a, f, (double)at + 1, false));
    }
}

/* The direction in which drives wait longest; both where both are worth a look. */
static size_t directions(Doc *doc, const Diagnosis *d, size_t *order) {
    const Figures *f = d->figures;
    double most[2] = {NAN, NAN};
    bool slow[2] = {false, false};
    for (size_t k = 0; k < 2; k++) {
        PanelList list = drives_with(doc, d, k);
        for (size_t i = 0; i < list.count; i++) {
            double m = median_of(doc->arena, list.items[i].figure->wait_ms[k], f->moments);
            if (!(m <= most[k])) most[k] = m;
            slow[k] |= m >= list.items[i].figure->slow_wait_ms;
        }
    }
    size_t first = !(most[1] < most[0]) && isfinite(most[1]) ? 1 : 0, n = 0;
    if (isfinite(most[first])) order[n++] = first;
    if (isfinite(most[1 - first]) && slow[1 - first]) order[n++] = 1 - first;
    return n;
}

/* ---------------------------------------------------------------- distributions */

static void put_dots(Doc *doc, DocNode *s, const Diagnosis *d, size_t k) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    PanelList list = drives_with(doc, d, k);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].figure->dots[k] >= LEAST_POINTS) list.items[kept++] = list.items[i];
    list.count = kept;
    if (!list.count) return;
    size_t rows = list.count < DOT_ROWS ? list.count : DOT_ROWS;
    double lo = INFINITY, hi = 0;
    bool band = false, limit = false;
    for (size_t i = 0; i < rows; i++) {
        const DriveFigure *x = list.items[i].figure;
        for (size_t q = 0; q < x->dots[k]; q++) {
            double v = (double)x->dots_ms[k][q];
            if (v > 0 && v < lo) lo = v;
            if (v > hi) hi = v;
        }
        if (x->class_wait_ms > 0) {
            band = true;
            lo = fmin(lo, x->class_wait_ms / 2);
            hi = fmax(hi, x->class_wait_ms);
        }
        if (x->slow_wait_ms > 0) {
            limit = true;
            hi = fmax(hi, x->slow_wait_ms);
        }
    }
    Str legend =
        say(a, _("Each dot is a twentieth of the {sample} averages of a drive (of fewer than 20, each dot is one)."),
            "sample", format_span(a, f->sample_s), NULL);
    if (band)
        legend = arena_strf(a, "%.*s %s", STR_ARG(legend),
                            _("Shaded: what a drive of its class takes at light load (class figures of stordx)."));
    if (limit)
        legend = arena_strf(
            a, "%.*s %s", STR_ARG(legend),
            _("Bar: slow from here on for its class (threshold of stordx: 5 ms NVMe, 10 ms SSD, 40 ms hard disk)."));
    if (list.count > rows)
        legend = arena_strf(
            a, "%.*s %.*s", STR_ARG(legend),
            STR_ARG(say_n(a, "And {n} more drive.", "And {n} more drives.", (unsigned long)(list.count - rows), NULL)));
    Str worst = STR(""), best = STR("");
    double most = -1, least = INFINITY;
    for (size_t i = 0; i < list.count; i++) {
        const DriveFigure *x = list.items[i].figure;
        double m = (double)x->dots_ms[k][x->dots[k] / 2];
        if (m > most) {
            most = m;
            worst = drive_name(doc, list.items[i].info);
        }
        if (m < least) {
            least = m;
            best = drive_name(doc, list.items[i].info);
        }
    }
    Str desc = list.count > 1
                   ? say(a, _("Half of the averages of {worst} are {most} or more; of {best}, the fastest, {least}."),
                         "worst", worst, "most", ms_text(a, most), "best", best, "least", ms_text(a, least), NULL)
                   : say(a, _("Half of the averages of {worst} are {most} or more."), "worst", worst, "most",
                         ms_text(a, most), NULL);
    double each = rows <= 8 ? 34 : 24, top = 20, left = 112, right = WIDTH - 12, bottom = top + (double)rows * each;
    Picture *p = doc_picture(doc, s, "plot dots",
                             say(a,
                                 k ? _("How the write waits of each drive spread ({metric})")
                                   : _("How the read waits of each drive spread ({metric})"),
                                 "metric", metric_label(a, f->metric[k]), NULL),
                             desc, WIDTH, bottom + 22 + put_words(NULL, 0, legend) + 6);
    Scale x = scale_of(lo, hi, true, left, right);
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START, str_of(x.log ? _("ms, logarithmic") : _("ms")));
    for (size_t i = 0; i < rows; i++) { /* shades first, so that the grid and the dots lie over them */
        const DriveFigure *v = list.items[i].figure;
        if (v->class_wait_ms > 0)
            picture_rect(p, "pl-band", left, top + (double)i * each + 2, scale_at(&x, v->class_wait_ms) - left,
                         each - 4, 0);
    }
    grid_x(p, &x, top, bottom, 9);
    for (size_t i = 0; i < rows; i++) {
        const Panel *row = &list.items[i];
        const DriveFigure *v = row->figure;
        double base = top + (double)(i + 1) * each - 5;
        bool bad = row->info->culprit;
        size_t n = v->dots[k];
        Str name = drive_name(doc, row->info);
        picture_group(
            p, bad ? "pl-bad" : "pl-peer",
            say(a, _("{name}: median {ms}"), "name", name, "ms", ms_text(a, (double)v->dots_ms[k][n / 2]), NULL));
        picture_text(
            p, "pl-name", 0, base - (row->mark.len && each > 30 ? 10 : 2), ANCHOR_START,
            text_fit(a, name, FONT, row->mark.len && each <= 30 ? left - text_width(row->mark, FONT) - 14 : left - 8));
        if (row->mark.len) {
            if (each > 30)
                picture_text(p, "pl-mark", 0, base + 4, ANCHOR_START, text_fit(a, row->mark, FONT, left - 8));
            else picture_text(p, "pl-mark", left - 6, base - 2, ANCHOR_END, row->mark);
        }
        picture_line(p, "pl-base", left, base + 4, right, base + 4);
        if (v->slow_wait_ms > 0) {
            double at = scale_at(&x, v->slow_wait_ms);
            picture_line(p, "pl-limit", at, base + 4, at, base - each + 11);
        }
        /* Dots of about the same value stand on each other. */
        size_t tallest = 1, stack = 0;
        double before = -1e9;
        for (size_t q = 0; q < n; q++) {
            double at = scale_at(&x, (double)v->dots_ms[k][q]);
            stack = at - before < 5 ? stack + 1 : 0;
            if (!stack) before = at;
            if (stack + 1 > tallest) tallest = stack + 1;
        }
        double step = fmin(5, (each - 9) / (double)tallest);
        before = -1e9;
        for (size_t q = 0; q < n; q++) {
            double at = scale_at(&x, (double)v->dots_ms[k][q]);
            stack = at - before < 5 ? stack + 1 : 0;
            if (!stack) before = at;
            double y = base + 1 - step * (double)stack;
            if (bad) picture_rect(p, "pl-dot", before - 2.2, y - 2.2, 4.4, 4.4, 0);
            else picture_circle(p, "pl-dot", before, y, 2.3);
        }
        picture_end(p);
    }
    put_words(p, bottom + 34, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Drive")), false);
    static const char *const titles[] = {N_("Lowest twentieth"), N_("Lower quarter"), N_("Median"), N_("Upper quarter"),
                                         N_("Highest twentieth")};
    for (size_t i = 0; i < 5; i++) doc_column(doc, t, str_of(_(titles[i])), true);
    doc_column(doc, t, str_of(_("Its class at light load")), true);
    doc_column(doc, t, str_of(_("Slow from")), true);
    for (size_t i = 0; i < list.count && i < ROWS_UNDER; i++) {
        const DriveFigure *v = list.items[i].figure;
        size_t n = v->dots[k];
        const size_t at[] = {0, n / 4, n / 2, n - 1 - n / 4, n - 1};
        Row *row = doc_row(doc, t);
        if (list.items[i].info->culprit) row->tone = TONE_BAD;
        span_add(doc, &row->cells[0], SPAN_STRONG, drive_name(doc, list.items[i].info));
        if (list.items[i].mark.len) span_addf(doc, &row->cells[0], 0, " (%.*s)", STR_ARG(list.items[i].mark));
        for (size_t q = 0; q < 5; q++) span_add(doc, &row->cells[1 + q], 0, ms_text(a, (double)v->dots_ms[k][at[q]]));
        if (isfinite(v->class_wait_ms)) span_add(doc, &row->cells[6], 0, ms_text(a, v->class_wait_ms));
        if (isfinite(v->slow_wait_ms)) span_add(doc, &row->cells[7], 0, ms_text(a, v->slow_wait_ms));
    }
}

/* ---------------------------------------------------------------- the section */

void put_plots(Doc *doc, const Diagnosis *d) {
    if (!d->figures) return;
    DocNode *s = doc_new(doc, DOC_SECTION);
    s->id = "plots";
    s->role = "plots";
    span_addz(doc, &s->title, 0, _("In pictures"));
    size_t order[2], n = d->figures->moments ? directions(doc, d, order) : 0;
    for (size_t i = 0; i < n; i++) {
        put_latency(doc, s, d, order[i]);
        put_dots(doc, s, d, order[i]);
    }
    if (s->children.count) VEC_PUSH(doc->arena, &doc->body->children, s);
}

void put_compare_plots(Doc *doc, const Comparison *c) {
    (void)doc;
    (void)c;
}
