#include "plots_parts.h"

#include "format.h"
#include "timeline.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- scales */

double round_up(double v) {
    double decade = pow(10, floor(log10(v)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < 4; i++)
        if (v <= steps[i] * decade * (1 + 1e-9)) return steps[i] * decade;
    return 10 * decade;
}

double round_down(double v) {
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

Str ms_text(Arena *a, double ms) {
    return format_quantity(a, ms, STR("ms"));
}

/* Bare figure at a tick. */
static Str tick_text(Arena *a, double v) {
    return v >= 1e6     ? arena_strf(a, "%.0e", v)
           : v >= 10000 ? arena_strf(a, "%.*sk", STR_ARG(format_number(a, v / 1000)))
                        : format_number(a, v);
}

void grid_y(Picture *p, const Scale *y, double x1, double x2, size_t most, bool labels) {
    double ticks[TICKS_MOST];
    size_t n = scale_ticks(y, most, ticks);
    for (size_t i = 0; i < n; i++) {
        double at = scale_at(y, ticks[i]);
        picture_line(p, "pl-grid", x1, at, x2, at);
        if (labels) picture_text(p, "pl-small", x1 - 5, at + 4, ANCHOR_END, tick_text(p->arena, ticks[i]));
    }
}

void grid_x(Picture *p, const Scale *x, double y1, double y2, size_t most) {
    double ticks[TICKS_MOST];
    size_t n = scale_ticks(x, most, ticks);
    double free_from = -1e9;
    for (size_t i = 0; i < n; i++) {
        double at = scale_at(x, ticks[i]);
        picture_line(p, "pl-grid", at, y1, at, y2);
        Str words = tick_text(p->arena, ticks[i]);
        double half = text_width(words, SMALL) / 2;
        if (at - half < free_from || at + half * 1.1 > WIDTH - 1) continue;
        picture_text(p, "pl-small", at, y2 + 16, ANCHOR_MIDDLE, words);
        free_from = at + half + 4;
    }
}

#define LEGEND 11.6 /* a phone shows it a little larger than SMALL: report.css */

double put_words(Picture *p, double y, Str words) {
    double high = 0;
    while (words.len) {
        size_t end = 0; /* as many words as fit */
        for (size_t at = 0; at < words.len;) {
            size_t next = at;
            while (next < words.len && words.p[next] != ' ') next++;
            if (end && text_width(str_sub(words, 0, next), LEGEND) > WIDTH - 2) break;
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

enum { RANKS_MARKED = 3, DOT_ROWS = 24, MARK_ROWS = 6, SCATTER_POINTS = 1500 /* in all */ };

/* Rank of the first cause that names a drive; 0: none does. */
static int cause_rank(const Diagnosis *d, const DriveInfo *x) {
    int best = 0;
    for (size_t i = 0; i < d->causes.count && x->culprit; i++) {
        const Finding *f = d->causes.items[i];
        if (f->covered_by.len || f->rank < 1 || (best && f->rank >= best)) continue;
        for (size_t k = 0; k < f->subjects.count; k++)
            if (f->subjects.items[k].node == x->node) best = f->rank;
    }
    return best;
}

/* Where there are many causes, those behind the first few are no marks any more: with all drives marked none would be. */
static bool is_marked(const Diagnosis *d, const DriveInfo *x) {
    return x->culprit && cause_rank(d, x) <= RANKS_MARKED;
}

/* "cause 1"; "" for who is in none. */
static Str mark_of(Doc *doc, const Diagnosis *d, const DriveInfo *x) {
    int rank = cause_rank(d, x);
    if (rank) return say(doc->arena, _("cause {n}"), "n", arena_strf(doc->arena, "%d", rank), NULL);
    return x->culprit ? str_of(_("culprit")) : STR("");
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
    bool bad; /* to be marked */
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

/* Drives with enough waits of a direction: those of the first causes, who waits far longer than most, who is like the former, the
   others. */
static PanelList drives_with(Doc *doc, const Diagnosis *d, size_t k) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    PanelList list = {0};
    for (size_t i = 0; i < f->drives.count; i++) {
        const DriveFigure *x = &f->drives.items[i];
        if (x->drive >= d->drives.count || known_moments(x->wait_ms[k], f->moments) < LEAST_POINTS) continue;
        const DriveInfo *info = &d->drives.items[x->drive];
        VEC_PUSH(a, &list, ((Panel){x, info, mark_of(doc, d, info), is_marked(d, info), 0}));
    }
    if (!list.count) return list;
    float *medians = arena_array(a, float, list.count);
    for (size_t i = 0; i < list.count; i++)
        medians[i] = (float)median_of(a, list.items[i].figure->wait_ms[k], f->moments);
    double usual = median_of(a, medians, list.count);
    for (size_t i = 0; i < list.count; i++) {
        Panel *x = &list.items[i];
        if (x->bad) {
            x->order = cause_rank(d, x->info);
            continue;
        }
        x->order = (double)medians[i] >= 3 * usual ? RANKS_MARKED + 1 : RANKS_MARKED + 3;
        for (size_t c = 0; c < list.count && x->order > RANKS_MARKED + 2; c++)
            if (list.items[c].bad && same_group(list.items[c].info, x->info)) x->order = RANKS_MARKED + 2;
    }
    qsort(list.items, list.count, sizeof *list.items, by_order);
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
            if (o->bad || !str_eq(o->info->class_, of->info->class_) || !isfinite(o->figure->wait_ms[k][m])) continue;
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
        if (list.items[i].bad) {
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
        peers = list.items[i].bad && list.count > 1 && peers_median(a, &list, &list.items[i], k, f->moments);
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
        bool bad_one = x->bad;
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
        if (x->bad) row->tone = TONE_BAD;
        span_add(doc, &row->cells[0], SPAN_STRONG, drive_name(doc, x->info));
        if (x->mark.len) span_addf(doc, &row->cells[0], 0, " (%.*s)", STR_ARG(x->mark));
        span_addf(doc, &row->cells[1], 0, "%zu", x->figure->wait_n[k]);
        span_add(doc, &row->cells[2], 0, ms_text(a, median_of(a, x->figure->wait_ms[k], f->moments)));
        span_add(doc, &row->cells[3], 0, ms_text(a, most));
        span_add(doc, &row->cells[4], 0, moment_text(a, f, (double)at + 1, false));
    }
}

/* The direction in which drives wait longest; both where drives are slow in both, for their class or beside the others. */
static size_t directions(Doc *doc, const Diagnosis *d, size_t *order) {
    const Figures *f = d->figures;
    double most[2] = {NAN, NAN};
    bool slow[2] = {false, false};
    for (size_t k = 0; k < 2; k++) {
        PanelList list = drives_with(doc, d, k);
        float *medians = arena_array(doc->arena, float, list.count + 1);
        for (size_t i = 0; i < list.count; i++) {
            double m = median_of(doc->arena, list.items[i].figure->wait_ms[k], f->moments);
            medians[i] = (float)m;
            if (!(m <= most[k])) most[k] = m;
            slow[k] |= m >= list.items[i].figure->slow_wait_ms;
        }
        slow[k] |= most[k] >= 2 && most[k] >= 3 * median_of(doc->arena, medians, list.count);
    }
    size_t first = !(most[1] < most[0]) && isfinite(most[1]) ? 1 : 0, n = 0;
    if (isfinite(most[first])) order[n++] = first;
    if (isfinite(most[1 - first]) && slow[1 - first]) order[n++] = 1 - first;
    return n;
}

/* ---------------------------------------------------------------- distributions */

static bool is_known(double v) {
    return v > 0 && isfinite(v);
}

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
            if (v > hi && isfinite(v)) hi = v;
        }
        if (is_known(x->class_wait_ms)) {
            band = true;
            lo = fmin(lo, x->class_wait_ms / 2);
            hi = fmax(hi, x->class_wait_ms);
        }
        if (is_known(x->slow_wait_ms)) {
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
        if (is_known(v->class_wait_ms))
            picture_rect(p, "pl-band", left, top + (double)i * each + 2, scale_at(&x, v->class_wait_ms) - left,
                         each - 4, 0);
    }
    grid_x(p, &x, top, bottom, 9);
    for (size_t i = 0; i < rows; i++) {
        const Panel *row = &list.items[i];
        const DriveFigure *v = row->figure;
        double base = top + (double)(i + 1) * each - 5;
        bool bad = row->bad;
        size_t n = v->dots[k];
        Str name = drive_name(doc, row->info);
        picture_group(
            p, bad ? "pl-bad" : "pl-peer",
            say(a, _("{name}: median {ms}"), "name", name, "ms", ms_text(a, (double)v->dots_ms[k][n / 2]), NULL));
        picture_text(p, "pl-name", 0, base - (row->mark.len && each > 30 ? 10 : 2), ANCHOR_START,
                     text_fit(a, name, FONT,
                              row->mark.len && each <= 30 ? left - text_width(row->mark, FONT) * 1.12 - 16 : left - 8));
        if (row->mark.len) {
            if (each > 30)
                picture_text(p, "pl-mark", 0, base + 4, ANCHOR_START, text_fit(a, row->mark, FONT, left - 8));
            else picture_text(p, "pl-mark", left - 6, base - 2, ANCHOR_END, row->mark);
        }
        picture_line(p, "pl-base", left, base + 4, right, base + 4);
        if (is_known(v->slow_wait_ms)) {
            double at = scale_at(&x, v->slow_wait_ms);
            picture_line(p, "pl-limit", at, base + 4, at, base - each + 11);
        }
        /* Dots of about the same value stand on each other. */
        size_t tallest = 1, stack = 0;
        double before = -1e9;
        for (size_t q = 0; q < n; q++) {
            double at = scale_at(&x, (double)v->dots_ms[k][q]);
            if (!isfinite(at)) continue;
            stack = at - before < 5 ? stack + 1 : 0;
            if (!stack) before = at;
            if (stack + 1 > tallest) tallest = stack + 1;
        }
        double step = fmin(5, (each - 9) / (double)tallest);
        before = -1e9;
        for (size_t q = 0; q < n; q++) {
            double at = scale_at(&x, (double)v->dots_ms[k][q]);
            if (!isfinite(at)) continue;
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
        if (list.items[i].bad) row->tone = TONE_BAD;
        span_add(doc, &row->cells[0], SPAN_STRONG, drive_name(doc, list.items[i].info));
        if (list.items[i].mark.len) span_addf(doc, &row->cells[0], 0, " (%.*s)", STR_ARG(list.items[i].mark));
        for (size_t q = 0; q < 5; q++) span_add(doc, &row->cells[1 + q], 0, ms_text(a, (double)v->dots_ms[k][at[q]]));
        if (isfinite(v->class_wait_ms)) span_add(doc, &row->cells[6], 0, ms_text(a, v->class_wait_ms));
        if (isfinite(v->slow_wait_ms)) span_add(doc, &row->cells[7], 0, ms_text(a, v->slow_wait_ms));
    }
}

/* ---------------------------------------------------------------- load */

/* One point of a cloud: a stroke of no length, which its round or square cap makes visible. */
static void spot(PathPen *pen, double x, double y) {
    pen_to(pen, x, y, false);
    pen_to(pen, x, y, true);
}

static size_t load_points(const Figures *f, const DriveFigure *x) {
    size_t n = 0;
    for (size_t m = 0; x->util_pct && x->bytes_s && m < f->moments; m++)
        n += isfinite(x->util_pct[m]) && x->bytes_s[m] > 0 && isfinite(x->bytes_s[m]);
    return n;
}

static void put_load(Doc *doc, DocNode *s, const Diagnosis *d) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    size_t drives = 0, points = 0;
    double lo = INFINITY, hi = 0;
    StrList bad = {0};
    for (size_t i = 0; i < f->drives.count; i++) {
        const DriveFigure *x = &f->drives.items[i];
        size_t n = x->drive < d->drives.count ? load_points(f, x) : 0;
        if (n < LEAST_POINTS) continue;
        drives++;
        points += n;
        if (is_marked(d, &d->drives.items[x->drive])) add_once(a, &bad, drive_name(doc, &d->drives.items[x->drive]));
        for (size_t m = 0; m < f->moments; m++) {
            double v = (double)x->bytes_s[m];
            if (v > 0 && v < lo) lo = v;
            if (v > hi && isfinite(v)) hi = v;
        }
    }
    if (!drives) return;
    size_t stride = points / SCATTER_POINTS + 1;
    enum { LEFT = 40, TOP = 20, HIGH = 170 };
    Str legend = str_of(
        bad.count ? _("Busy at little throughput, upper left: the drive itself is slow, or its requests are small. "
                      "Squares: drives that a cause names. Dots: the others.")
                  : _("Busy at little throughput, upper left: the drive itself is slow, or its requests are small."));
    double bad_util = NAN, other_util = NAN, bad_rate = NAN, other_rate = NAN;
    for (size_t i = 0; i < f->drives.count; i++) {
        const DriveFigure *x = &f->drives.items[i];
        if (x->drive >= d->drives.count || load_points(f, x) < LEAST_POINTS) continue;
        double u = median_of(a, x->util_pct, f->moments), b = median_of(a, x->bytes_s, f->moments);
        bool culprit = is_marked(d, &d->drives.items[x->drive]);
        double *util = culprit ? &bad_util : &other_util, *rate = culprit ? &bad_rate : &other_rate;
        if (u <= *util) continue;
        *util = u;
        *rate = b;
    }
    Str one = say(a, _("{util} busy at {rate}"), "util",
                  format_quantity(a, isfinite(bad_util) ? bad_util : other_util, STR("%")), "rate",
                  format_quantity(a, isfinite(bad_util) ? bad_rate : other_rate, STR("bytes/s")), NULL);
    Str desc = isfinite(bad_util) && isfinite(other_util)
                   ? say(a,
                         _("The busiest of those named by a cause is {one} in the median; the busiest of the others "
                           "{util} at {rate}."),
                         "one", one, "util", format_quantity(a, other_util, STR("%")), "rate",
                         format_quantity(a, other_rate, STR("bytes/s")), NULL)
                   : say(a, _("The busiest drive is {one} in the median."), "one", one, NULL);
    double right = WIDTH - 10, bottom = TOP + HIGH;
    Picture *p = doc_picture(doc, s, "plot load", str_of(_("How busy each drive is for what it moves")), desc, WIDTH,
                             bottom + 40 + put_words(NULL, 0, legend));
    Scale x = scale_of(lo / 1e6, hi / 1e6, true, LEFT, right), y = {.lo = 0, .hi = 100, .from = bottom, .to = TOP};
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START, str_of(_("%util")));
    picture_rect(p, "pl-frame", LEFT, TOP, right - LEFT, HIGH, 0);
    grid_y(p, &y, LEFT, right, 6, true);
    grid_x(p, &x, TOP, bottom, 9);
    picture_text(p, "pl-soft", right, bottom + 28, ANCHOR_END,
                 str_of(x.log ? _("MB/s read and written, logarithmic") : _("MB/s read and written")));
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Drive")), false);
    doc_column(doc, t, str_of(_("Points")), true);
    doc_column(doc, t, str_of(_("Median of %util")), true);
    doc_column(doc, t, str_of(_("Median of what it moves")), true);
    for (int pass = 0; pass < 2; pass++) /* the culprits over the others */
        for (size_t i = 0; i < f->drives.count; i++) {
            const DriveFigure *v = &f->drives.items[i];
            if (v->drive >= d->drives.count || load_points(f, v) < LEAST_POINTS) continue;
            const DriveInfo *info = &d->drives.items[v->drive];
            if (is_marked(d, info) != (pass == 1)) continue;
            PathPen pen;
            pen_init(&pen, a);
            for (size_t m = 0; m < f->moments; m += stride)
                if (isfinite(v->util_pct[m]) && v->bytes_s[m] > 0)
                    spot(&pen, scale_at(&x, (double)v->bytes_s[m] / 1e6), scale_at(&y, (double)v->util_pct[m]));
            picture_group(p, pass ? "pl-bad" : "pl-peer", drive_name(doc, info));
            picture_path(p, "pl-cloud", &pen);
            picture_end(p);
        }
    put_words(p, bottom + 46, legend);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < f->drives.count; i++) {
            const DriveFigure *v = &f->drives.items[i];
            if (v->drive >= d->drives.count || load_points(f, v) < LEAST_POINTS) continue;
            const DriveInfo *info = &d->drives.items[v->drive];
            if (is_marked(d, info) != (pass == 0) || t->rows.count >= ROWS_UNDER) continue;
            Row *row = doc_row(doc, t);
            if (is_marked(d, info)) row->tone = TONE_BAD;
            span_add(doc, &row->cells[0], SPAN_STRONG, drive_name(doc, info));
            span_addf(doc, &row->cells[1], 0, "%zu", load_points(f, v));
            span_add(doc, &row->cells[2], 0, format_quantity(a, median_of(a, v->util_pct, f->moments), STR("%")));
            span_add(doc, &row->cells[3], 0, format_quantity(a, median_of(a, v->bytes_s, f->moments), STR("bytes/s")));
        }
}

/* ---------------------------------------------------------------- kernel events over latency */

static void put_marks(Doc *doc, DocNode *s, const Diagnosis *d, size_t k) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    if (!f->marks.count || f->moments < LEAST_POINTS) return;
    float *worst = arena_array(a, float, f->moments);
    double lo = INFINITY, hi = 0;
    size_t known = 0;
    for (size_t m = 0; m < f->moments; m++) {
        worst[m] = NAN;
        for (size_t i = 0; i < f->drives.count; i++) {
            float v = f->drives.items[i].wait_max_ms[k] ? f->drives.items[i].wait_max_ms[k][m] : NAN;
            if (isfinite(v) && !(v <= worst[m])) worst[m] = v;
        }
        if (!isfinite(worst[m])) continue;
        known++;
        if ((double)worst[m] > hi) hi = (double)worst[m];
        if (worst[m] > 0 && (double)worst[m] < lo) lo = (double)worst[m];
    }
    if (known < LEAST_POINTS) return;
    /* One row per kind of event, those that come most often first. */
    typedef struct Kind {
        Str what;
        size_t count, moments;
        bool grave;
    } Kind;
    VEC(Kind) kinds = {0};
    size_t all = 0;
    for (size_t i = 0; i < f->marks.count; i++) {
        const FigureEvent *e = &f->marks.items[i];
        Kind *same = NULL;
        for (size_t n = 0; n < kinds.count && !same; n++)
            if (str_eq(kinds.items[n].what, e->what)) same = &kinds.items[n];
        if (!same) {
            VEC_PUSH(a, &kinds, ((Kind){.what = e->what}));
            same = &kinds.items[kinds.count - 1];
        }
        same->count += e->count;
        same->moments++;
        same->grave |= e->grave;
        all += e->count;
    }
    size_t rows = kinds.count < MARK_ROWS ? kinds.count : MARK_ROWS;
    enum { LEFT = 132, TOP = 20, HIGH = 70, EACH = 20 };
    double right = WIDTH - 1, marks_top = TOP + HIGH + 6, bottom = marks_top + EACH * (double)rows;
    Str legend = arena_strf(a, "%.*s %s", STR_ARG(axis_words(a, f)),
                            _("Line: the longest wait of any drive. Marks: kernel events; a figure behind one counts "
                              "those of its moment."));
    if (kinds.count > rows)
        legend = arena_strf(a, "%.*s %.*s", STR_ARG(legend),
                            STR_ARG(say_n(a, "And {n} more kind of event.", "And {n} more kinds of events.",
                                          (unsigned long)(kinds.count - rows), NULL)));
    Picture *p = doc_picture(doc, s, "plot marks", str_of(_("Kernel events beside the longest wait")),
                             say_n(a, "{n} kernel event while samples were taken; the longest wait is {ms}.",
                                   "{n} kernel events while samples were taken; the longest wait is {ms}.",
                                   (unsigned long)all, "ms", ms_text(a, hi), NULL),
                             WIDTH, bottom + 24 + put_words(NULL, 0, legend));
    Scale x = moment_scale(f, LEFT, right), y = scale_of(lo, hi, true, TOP + HIGH, TOP);
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START, str_of(y.log ? _("ms, logarithmic") : _("ms")));
    picture_rect(p, "pl-frame", LEFT, TOP, right - LEFT, HIGH, 0);
    grid_y(p, &y, LEFT, right, 5, true);
    draw_line(p, "pl-line", worst, f->moments, &x, &y);
    for (size_t r = 0; r < rows; r++) {
        const Kind *kind = &kinds.items[r];
        double base = marks_top + EACH * (double)r + EACH / 2.0;
        Str words = arena_strf(a, "%.*s \xc3\x97%zu",
                               STR_ARG(lang_phrase(a, event_words(a, doc_clean(doc, kind->what)))), kind->count);
        picture_group(p, kind->grave ? "pl-bad" : "pl-peer", words);
        picture_text(p, "pl-name", 0, base + 4, ANCHOR_START, text_fit(a, words, FONT, LEFT - 16));
        picture_line(p, "pl-base", LEFT, base, right, base);
        size_t *counts = arena_array(a, size_t, f->moments + 1);
        for (size_t i = 0; i < f->marks.count; i++) {
            double at = (f->marks.items[i].from_s - f->start_s) / f->step_s;
            if (str_eq(f->marks.items[i].what, kind->what) && at >= 0 && at <= (double)f->moments)
                counts[at < (double)f->moments ? (size_t)at : f->moments - 1] += f->marks.items[i].count;
        }
        for (size_t m = 0; m < f->moments; m++) {
            if (!counts[m]) continue;
            double at = scale_at(&x, (double)m + 0.5);
            if (kind->grave) picture_rect(p, "pl-dot", at - 2.5, base - 6, 5, 12, 0);
            else picture_circle(p, "pl-dot", at, base, 3);
            if (counts[m] < 2) continue;
            Str figure = arena_strf(a, "%zu", counts[m]);
            double end = at + 5 + text_width(figure, SMALL);
            bool room = end <= right; /* up to the next mark */
            for (size_t next = m + 1; next < f->moments && room && scale_at(&x, (double)next + 0.5) < end + 4; next++)
                room = !counts[next];
            if (room) picture_text(p, "pl-small", at + 5, base + 4, ANCHOR_START, figure);
        }
        picture_end(p);
    }
    time_ends(p, f, LEFT, right, bottom + 12);
    put_words(p, bottom + 30, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Event")), false);
    doc_column(doc, t, str_of(_("How often")), true);
    doc_column(doc, t, str_of(_("Moments with it")), true);
    for (size_t i = 0; i < kinds.count && i < ROWS_UNDER; i++) {
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_STRONG, lang_phrase(a, event_words(a, doc_clean(doc, kinds.items[i].what))));
        span_addf(doc, &row->cells[1], 0, "%zu", kinds.items[i].count);
        span_addf(doc, &row->cells[2], 0, "%zu", kinds.items[i].moments);
    }
}

/* ---------------------------------------------------------------- pressure */

static void put_pressure(Doc *doc, DocNode *s, const Diagnosis *d) {
    const Figures *f = d->figures;
    Arena *a = doc->arena;
    size_t n = f->pressure.count;
    if (n < LEAST_POINTS) return;
    float *values[2] = {arena_array(a, float, n), arena_array(a, float, n)};
    for (size_t i = 0; i < n; i++) {
        values[0][i] = (float)f->pressure.items[i].some_pct;
        values[1][i] = (float)f->pressure.items[i].full_pct;
    }
    if (known_moments(values[0], n) < LEAST_POINTS) return;
    double from = f->pressure.items[0].t_s, to = f->pressure.items[n - 1].t_s;
    if (!(to > from) || !isfinite(to - from)) return;
    double some = median_of(a, values[0], n), full = median_of(a, values[1], n);
    enum { LEFT = 40, TOP = 20, HIGH = 120, ROOM = 40 };
    double right = WIDTH - ROOM, bottom = TOP + HIGH;
    Str legend = arena_strf(a, "%.*s %s",
                            STR_ARG(say(a, _("{day}, clock of the host ({zone})."), "day",
                                        str_sub(clock_text(a, from, f->timezone_s, true, true), 0, 10), "zone",
                                        zone_text(a, f->timezone_s), NULL)),
                            _("some: at least one task waited for I/O; full: all that could run did."));
    Picture *p = doc_picture(
        doc, s, "plot pressure", str_of(_("I/O pressure over time (PSI)")),
        isfinite(full) ? say(a, _("The median of some is {some}, of full {full}."), "some",
                             format_quantity(a, some, STR("%")), "full", format_quantity(a, full, STR("%")), NULL)
                       : say(a, _("The median of some is {some}."), "some", format_quantity(a, some, STR("%")), NULL),
        WIDTH, bottom + 24 + put_words(NULL, 0, legend));
    Scale x = {.lo = 0, .hi = to - from, .from = LEFT, .to = right},
          y = {.lo = 0, .hi = 100, .from = bottom, .to = TOP};
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START, str_of(_("% of the time")));
    picture_rect(p, "pl-frame", LEFT, TOP, right - LEFT, HIGH, 0);
    grid_y(p, &y, LEFT, right, 6, true);
    double usual = (to - from) / (double)(n - 1), end_y[2] = {NAN, NAN};
    for (size_t k = 0; k < 2; k++) {
        PathPen pen;
        pen_init(&pen, a);
        bool down = false;
        double before = NAN;
        for (size_t i = 0; i < n; i++) {
            double t = f->pressure.items[i].t_s;
            if (!isfinite(values[k][i]) || !(t >= from && t <= to)) {
                down = false;
                continue;
            }
            end_y[k] = scale_at(&y, (double)values[k][i]);
            pen_to(&pen, scale_at(&x, t - from), end_y[k], down && t - before < 4 * usual);
            down = true;
            before = t;
        }
        picture_path(p, k ? "pl-full" : "pl-line", &pen);
    }
    /* Their names at the end of the lines; the one below gives way. */
    if (fabs(end_y[0] - end_y[1]) < 13) {
        double middle = (end_y[0] + end_y[1]) / 2;
        end_y[0] = middle - 6.5;
        end_y[1] = middle + 6.5;
    }
    static const char *const names[] = {"some", "full"};
    for (size_t k = 0; k < 2; k++)
        if (isfinite(end_y[k])) picture_text(p, "pl-small", right + 6, end_y[k] + 4, ANCHOR_START, str_of(names[k]));
    picture_text(p, "pl-small", LEFT, bottom + 14, ANCHOR_START, clock_text(a, from, f->timezone_s, false, true));
    picture_text(p, "pl-small", right, bottom + 14, ANCHOR_END, clock_text(a, to, f->timezone_s, false, true));
    put_words(p, bottom + 32, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("When")), false);
    doc_column(doc, t, STR("some"), true);
    doc_column(doc, t, STR("full"), true);
    size_t per = (n + 19) / 20;
    for (size_t i = 0; i < n; i += per) {
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], 0, clock_text(a, f->pressure.items[i].t_s, f->timezone_s, false, true));
        for (size_t k = 0; k < 2; k++)
            if (isfinite(values[k][i]))
                span_add(doc, &row->cells[1 + k], 0, format_quantity(a, (double)values[k][i], STR("%")));
    }
}

/* ---------------------------------------------------------------- the section */

void put_plots(Doc *doc, const Diagnosis *d) {
    if (!d->figures) return;
    DocNode *s = doc_new(doc, DOC_SECTION);
    s->id = "plots";
    s->role = "plots";
    s->shown = SHOWN_HTML;
    span_addz(doc, &s->title, 0, _("In pictures"));
    size_t order[2], n = d->figures->moments ? directions(doc, d, order) : 0;
    for (size_t i = 0; i < n; i++) {
        put_latency(doc, s, d, order[i]);
        put_dots(doc, s, d, order[i]);
    }
    if (n) {
        put_marks(doc, s, d, order[0]);
        put_load(doc, s, d);
    }
    put_pressure(doc, s, d);
    if (s->children.count) VEC_PUSH(doc->arena, &doc->body->children, s);
}
