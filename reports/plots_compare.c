/* Two captures or more: how each drive fared, where it sat, and by which factor figures changed. */
#include "plots_parts.h"

#include "format.h"

#include <math.h>
#include <stdlib.h>

/* ---- waits ---- */

static const Dist *wait_of(const Stage *s, const char *metric) {
    const Dist *life = NULL;
    for (size_t i = 0; i < s->metrics.count; i++) {
        const Dist *x = &s->metrics.items[i];
        if (!str_is(x->metric, metric)) continue;
        if (!str_starts(x->basis, "lifetime")) return x;
        life = x;
    }
    return life;
}

static double middle_of(const Dist *x) {
    return !x ? NAN : isfinite(x->p50) && x->p50 >= 0 ? x->p50 : isfinite(x->mean) && x->mean >= 0 ? x->mean : NAN;
}

/* Whether the figures of a drive may be compared between stage `step` - 1 and `step`. */
static bool comparable_step(const Comparison *c, const DriveHistory *h, const char *metric, size_t step) {
    for (size_t i = 0; i < c->factors.count; i++) {
        const Factor *x = &c->factors.items[i];
        if (x->subject.node == h->node && str_is(x->metric, metric) && (x->step == step || (!x->step && step == 1)))
            return x->comparable;
    }
    const Dist *old = wait_of(&h->stages.items[step - 1], metric), *now = wait_of(&h->stages.items[step], metric);
    return old && now && str_starts(old->basis, "lifetime") == str_starts(now->basis, "lifetime") &&
           !str_starts(old->basis, "lifetime");
}

static bool ever_slow(const DriveHistory *h) {
    for (size_t i = 0; i < h->stages.count; i++)
        if (h->stages.items[i].slow) return true;
    return false;
}

static Str history_name(Doc *doc, const DriveHistory *h) {
    for (size_t i = h->stages.count; i > 0; i--)
        if (h->stages.items[i - 1].present && h->stages.items[i - 1].name.len)
            return doc_clean(doc, h->stages.items[i - 1].name);
    return doc_clean(doc, h->serial.len ? h->serial : h->model.len ? h->model : h->id);
}

typedef struct Path {
    const DriveHistory *h;
    bool slow;
    double most;
} Path;

static int by_most(const void *x, const void *y) {
    const Path *a = x, *b = y;
    if (a->slow != b->slow) return a->slow ? -1 : 1;
    if (a->most != b->most) return a->most > b->most ? -1 : 1;
    return str_cmp(a->h->id, b->h->id);
}

static Str name_of_stage(Doc *doc, const Comparison *c, size_t i) {
    return i < c->names.count ? doc_clean(doc, stage_words(doc->arena, c->names.items[i]))
                              : arena_strf(doc->arena, "%zu", i + 1);
}

/* Each drive from stage to stage: a panel per drive, all on one scale. Of two stages it is the slope between them. */
static bool put_waits_compared(Doc *doc, DocNode *s, const Comparison *c, const char *metric) {
    Arena *a = doc->arena;
    size_t stages = c->stages.count < 12 ? c->stages.count : 12;
    VEC(Path) list = {0};
    double lo = INFINITY, hi = 0;
    size_t points = 0;
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        size_t known = 0;
        double most = 0;
        for (size_t k = 0; k < stages && k < h->stages.count; k++) {
            double v = middle_of(wait_of(&h->stages.items[k], metric));
            known += isfinite(v);
            if (v > most) most = v;
        }
        if (known < 2) continue;
        points += known;
        VEC_PUSH(a, &list, ((Path){h, ever_slow(h), most}));
    }
    if (!list.count || points < LEAST_POINTS) return false;
    qsort(list.items, list.count, sizeof *list.items, by_most);
    size_t panels = list.count < PANELS_MOST ? list.count : PANELS_MOST,
           columns = panels > 8   ? 3
                     : panels > 1 ? 2
                                  : 1,
           rows = (panels + columns - 1) / columns;
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < stages && k < list.items[i].h->stages.count; k++) {
            const Dist *x = wait_of(&list.items[i].h->stages.items[k], metric);
            double v = middle_of(x), high = x ? x->p95 : NAN;
            if (v > 0 && v < lo) lo = v;
            if (v > hi) hi = v;
            if (isfinite(high) && high > hi) hi = high;
        }
    Str legend = str_of(_("Points: medians of the samples' averages; whiskers reach to their p95. Squares: slow beside "
                          "its peers. Dashed and open: not comparable, or an average since boot."));
    if (list.count > panels)
        legend = arena_strf(a, "%.*s %.*s", STR_ARG(legend),
                            STR_ARG(say_n(a, "And {n} more drive.", "And {n} more drives.",
                                          (unsigned long)(list.count - panels), NULL)));
    const Path *first = &list.items[0];
    size_t begin = 0, end = 0;
    for (size_t k = 0; k < stages && k < first->h->stages.count; k++)
        if (isfinite(middle_of(wait_of(&first->h->stages.items[k], metric)))) end = k;
    for (size_t k = stages; k > 0; k--)
        if (k <= first->h->stages.count && isfinite(middle_of(wait_of(&first->h->stages.items[k - 1], metric))))
            begin = k - 1;
    Str desc =
        say(a, _("{drive} went from {from} ({before}) to {to} ({after})."), "drive", history_name(doc, first->h),
            "from", ms_text(a, middle_of(wait_of(&first->h->stages.items[begin], metric))), "before",
            name_of_stage(doc, c, begin), "to", ms_text(a, middle_of(wait_of(&first->h->stages.items[end], metric))),
            "after", name_of_stage(doc, c, end), NULL);
    enum { GUTTER = 40, GAP = 10, HEAD = 18, PLOT = 66, FOOT = 8 };
    double top = 20, each = (WIDTH - 1 - GUTTER - GAP * (double)(columns - 1)) / (double)columns,
           bottom = top + (double)rows * (HEAD + PLOT + FOOT);
    Scale probe = scale_of(lo, hi, true, 0, 1);
    Picture *p = doc_picture(doc, s, "plot slopes",
                             say(a, _("How long each drive waits, capture by capture ({metric})"), "metric",
                                 metric_label(a, str_of(metric)), NULL),
                             desc, WIDTH, bottom + 26 + put_words(NULL, 0, legend));
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START,
                 str_of(probe.log ? _("ms, logarithmic, the same scale for all") : _("ms, the same scale for all")));
    for (size_t i = 0; i < panels; i++) {
        const Path *x = &list.items[i];
        double left = GUTTER + (double)(i % columns) * (each + GAP), right = left + each,
               head = top + (double)(i / columns) * (HEAD + PLOT + FOOT), base = head + HEAD + PLOT;
        Scale y = scale_of(lo, hi, true, base, head + HEAD);
        double inset = fmin(28, each / (double)(stages + 1)),
               pitch = stages > 1 ? (each - 2 * inset) / (double)(stages - 1) : 0;
        picture_group(p, x->slow ? "pl-bad" : "pl-peer", history_name(doc, x->h));
        picture_rect(p, "pl-frame", left, head + HEAD, each, PLOT, 0);
        grid_y(p, &y, left, right, 4, i % columns == 0);
        Str mark = x->slow ? str_of(_("slow")) : STR("");
        picture_text(p, "pl-name", left, head + HEAD - 5, ANCHOR_START,
                     text_fit(a, history_name(doc, x->h), FONT, each - (mark.len ? text_width(mark, FONT) + 8 : 0)));
        if (mark.len) picture_text(p, "pl-mark", right, head + HEAD - 5, ANCHOR_END, mark);
        double px = NAN, py = NAN;
        size_t from = 0;
        for (size_t k = 0; k < stages && k < x->h->stages.count; k++) {
            double v = middle_of(wait_of(&x->h->stages.items[k], metric));
            if (!isfinite(v)) continue;
            double at = left + inset + pitch * (double)k, ay = scale_at(&y, v);
            if (isfinite(px))
                picture_line(p, k - from == 1 && comparable_step(c, x->h, metric, k) ? "pl-step" : "pl-unsure", px, py,
                             at, ay);
            px = at;
            py = ay;
            from = k;
        }
        for (size_t k = 0; k < stages && k < x->h->stages.count; k++) { /* points over the lines */
            const Dist *v = wait_of(&x->h->stages.items[k], metric);
            if (!isfinite(middle_of(v))) continue;
            double at = left + inset + pitch * (double)k, ay = scale_at(&y, middle_of(v));
            if (isfinite(v->p95)) picture_line(p, "pl-whisker", at, ay, at, scale_at(&y, v->p95));
            bool life = str_starts(v->basis, "lifetime");
            if (x->h->stages.items[k].slow) picture_rect(p, life ? "pl-open" : "pl-dot", at - 3.5, ay - 3.5, 7, 7, 0);
            else picture_circle(p, life ? "pl-open" : "pl-dot", at, ay, 3.2);
        }
        picture_end(p);
        if (i + columns < panels) continue;
        double free_from = -1e9;
        for (size_t k = 0; k < stages; k++) {
            Str name = stages > 2 ? arena_strf(a, "%zu", k + 1) : name_of_stage(doc, c, k);
            double at = left + inset + pitch * (double)k, half = text_width(name, SMALL) / 2;
            if (at - half < free_from) continue;
            picture_text(p, "pl-small", at, base + 14, ANCHOR_MIDDLE, text_fit(a, name, SMALL, each / 2));
            free_from = at + half + 3;
        }
    }
    put_words(p, bottom + 24, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Drive")), false);
    for (size_t k = 0; k < stages; k++)
        doc_column(doc, t,
                   say(a, _("{stage}: median and p95 of the averages"), "stage", name_of_stage(doc, c, k), NULL), true);
    for (size_t i = 0; i < list.count && i < ROWS_UNDER; i++) {
        Row *row = doc_row(doc, t);
        if (list.items[i].slow) row->tone = TONE_BAD;
        span_add(doc, &row->cells[0], SPAN_STRONG, history_name(doc, list.items[i].h));
        for (size_t k = 0; k < stages && k < list.items[i].h->stages.count; k++) {
            const Dist *v = wait_of(&list.items[i].h->stages.items[k], metric);
            if (!isfinite(middle_of(v))) continue;
            span_add(doc, &row->cells[1 + k], 0, ms_text(a, middle_of(v)));
            if (isfinite(v->p95)) span_addf(doc, &row->cells[1 + k], 0, ", %.*s", STR_ARG(ms_text(a, v->p95)));
            if (str_starts(v->basis, "lifetime"))
                span_addf(doc, &row->cells[1 + k], SPAN_MUTED, " (%.*s)", STR_ARG(basis_words(a, v->basis)));
        }
    }
    return true;
}

/* ---- where the drives sat ---- */

static Str short_place(Doc *doc, const Place *x, bool one_controller) {
    Str label = doc_clean(doc, place_text(doc->arena, x));
    if (one_controller && x->controller.len && str_starts(label, arena_cstr(doc->arena, x->controller)) &&
        label.len > x->controller.len + 1)
        return str_from(label, x->controller.len + 1);
    if (str_starts(label, "0000:")) return str_from(label, 5); /* the one PCI domain of nearly all machines */
    return label;
}

static size_t place_index(const StrList *list, Str place) {
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i], place)) return i;
    return SIZE_MAX;
}

/* port 2 before port 10 */
static int by_length(const void *x, const void *y) {
    const Str *a = x, *b = y;
    if (a->len != b->len) return a->len < b->len ? -1 : 1;
    return str_cmp(*a, *b);
}

static void put_ports(Doc *doc, DocNode *s, const Comparison *c, size_t step) {
    Arena *a = doc->arena;
    size_t moved = 0;
    Str controller = STR("");
    bool one = true;
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        if (step >= h->stages.count) continue;
        moved += h->stages.items[step].moved;
        for (size_t k = step - 1; k <= step; k++) {
            const Place *x = &h->stages.items[k].place;
            if (!h->stages.items[k].present || !x->controller.len) continue;
            if (!controller.len) controller = x->controller;
            one &= str_eq(controller, x->controller);
        }
    }
    if (!moved) return;
    enum { ROWS = 32, DRIVES = 96, EACH = 24, TOP = 26, SIDE = 160 };
    StrList ports = {0};
    VEC(const DriveHistory *) shown = {0};
    size_t left_out = 0;
    for (int pass = 0; pass < 2; pass++) /* who moved, then who stayed */
        for (size_t i = 0; i < c->drives.count; i++) {
            const DriveHistory *h = &c->drives.items[i];
            if (step >= h->stages.count || h->stages.items[step].moved != (pass == 0)) continue;
            const Stage *old = &h->stages.items[step - 1], *now = &h->stages.items[step];
            Str from = old->present ? short_place(doc, &old->place, one) : STR(""),
                to = now->present ? short_place(doc, &now->place, one) : STR("");
            if (!from.len || !to.len) continue;
            if (ports.count + 2 > ROWS ||
                shown.count == DRIVES) { /* thousands may share a place that is told coarsely */
                left_out++;
                continue;
            }
            add_once(a, &ports, from);
            add_once(a, &ports, to);
            VEC_PUSH(a, &shown, h);
        }
    if (!shown.count) return;
    qsort(ports.items, ports.count, sizeof *ports.items, by_length);
    Str legend = str_of(_("Thick: drives that changed their place. Names are those of that boot. Square: slow beside "
                          "its peers in that capture."));
    if (left_out)
        legend =
            arena_strf(a, "%.*s %.*s", STR_ARG(legend),
                       STR_ARG(say_n(a, "And {n} more drive.", "And {n} more drives.", (unsigned long)left_out, NULL)));
    double bottom = TOP + EACH * (double)ports.count, right = WIDTH - SIDE;
    Picture *p = doc_picture(
        doc, s, "plot ports",
        say(a, _("Which drive sat where: {before} and {after}"), "before", name_of_stage(doc, c, step - 1), "after",
            name_of_stage(doc, c, step), NULL),
        say_n(a, "{n} drive changed its place.", "{n} drives changed their places.", (unsigned long)moved, NULL), WIDTH,
        bottom + 12 + put_words(NULL, 0, legend));
    picture_text(p, "pl-soft", SIDE - 12, 14, ANCHOR_END,
                 text_fit(a, name_of_stage(doc, c, step - 1), SMALL, SIDE - 14));
    picture_text(p, "pl-soft", right + 12, 14, ANCHOR_START,
                 text_fit(a, name_of_stage(doc, c, step), SMALL, SIDE - 14));
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < shown.count; i++) {
            const DriveHistory *h = shown.items[i];
            const Stage *old = &h->stages.items[step - 1], *now = &h->stages.items[step];
            if (now->moved != (pass == 1)) continue;
            const Stage *const sides[] = {old, now};
            double at[2];
            for (size_t k = 0; k < 2; k++)
                at[k] = TOP + EACH * ((double)place_index(&ports, short_place(doc, &sides[k]->place, one)) + 0.5);
            picture_group(p, now->moved ? "pl-moved" : "pl-peer",
                          say(a, _("{model}, serial {serial}"), "model", doc_clean(doc, h->model), "serial",
                              doc_clean(doc, h->serial), NULL));
            picture_line(p, "pl-move", SIDE, at[0], right, at[1]);
            for (size_t k = 0; k < 2; k++) {
                double x = k ? right : SIDE;
                if (sides[k]->slow) picture_rect(p, "pl-slow", x - 5, at[k] - 5, 10, 10, 0);
                else picture_circle(p, "pl-dot", x, at[k], 3);
            }
            picture_end(p);
        }
    /* Labels once per port and side: two drives that a place cannot tell apart share it. */
    for (size_t k = 0; k < 2; k++)
        for (size_t r = 0; r < ports.count; r++) {
            StrList names = {0};
            for (size_t i = 0; i < shown.count; i++) {
                const Stage *x = &shown.items[i]->stages.items[step - 1 + k];
                if (str_eq(short_place(doc, &x->place, one), ports.items[r]))
                    add_once(a, &names, doc_clean(doc, x->name));
            }
            Str who = names.count ? joined(a, &names, 2) : STR("");
            Str words = !who.len ? ports.items[r]
                        : k      ? arena_strf(a, "%.*s  %.*s", STR_ARG(who), STR_ARG(ports.items[r]))
                                 : arena_strf(a, "%.*s  %.*s", STR_ARG(ports.items[r]), STR_ARG(who));
            picture_text(p, who.len ? "pl-name" : "pl-soft", k ? right + 12 : SIDE - 12,
                         TOP + EACH * ((double)r + 0.5) + 4, k ? ANCHOR_START : ANCHOR_END,
                         text_fit(a, words, FONT, SIDE - 14));
        }
    put_words(p, bottom + 16, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    doc_column(doc, t, str_of(_("Drive")), false);
    doc_column(doc, t, name_of_stage(doc, c, step - 1), false);
    doc_column(doc, t, name_of_stage(doc, c, step), false);
    for (size_t i = 0; i < shown.count && i < ROWS_UNDER; i++) {
        const Stage *old = &shown.items[i]->stages.items[step - 1], *now = &shown.items[i]->stages.items[step];
        Row *row = doc_row(doc, t);
        span_addf(doc, &row->cells[0], now->moved ? SPAN_STRONG : 0, "%.*s %.*s", STR_ARG(shown.items[i]->model),
                  STR_ARG(shown.items[i]->serial));
        span_addf(doc, &row->cells[1], 0, "%.*s: %.*s", STR_ARG(old->name), STR_ARG(place_text(a, &old->place)));
        span_addf(doc, &row->cells[2], now->moved ? SPAN_STRONG : 0, "%.*s: %.*s", STR_ARG(now->name),
                  STR_ARG(place_text(a, &now->place)));
    }
}

/* ---- factors ---- */

static int by_factor(const void *x, const void *y) {
    const Factor *a = *(const Factor *const *)x, *b = *(const Factor *const *)y;
    if (a->comparable != b->comparable) return a->comparable ? -1 : 1;
    double fa = fabs(log(a->factor)), fb = fabs(log(b->factor));
    if (fa != fb) return fa > fb ? -1 : 1;
    if (a->step != b->step) return a->step < b->step ? -1 : 1;
    int c = str_cmp(a->subject.name, b->subject.name);
    return c ? c : str_cmp(a->metric, b->metric);
}

static bool is_load(Str metric) {
    return str_is(metric, "r_s") || str_is(metric, "w_s") || str_ends(metric, "_bytes_s");
}

/* Cut at its end: of a figure's name the beginning tells. */
static Str text_head(Arena *a, Str text, double width) {
    if (text_width(text, FONT) <= width) return text;
    size_t end = 0;
    for (size_t i = 0; i < text.len;) {
        uint32_t code;
        i += utf8_decode(text, i, &code);
        if (text_width(str_sub(text, 0, i), FONT) + FONT > width) break;
        end = i;
    }
    return arena_strf(a, "%.*s\xe2\x80\xa6", (int)end, text.p);
}

static void put_factor_bars(Doc *doc, DocNode *s, const Comparison *c) {
    Arena *a = doc->arena;
    VEC(const Factor *) list = {0};
    for (size_t i = 0; i < c->factors.count; i++) {
        const Factor *x = &c->factors.items[i];
        if (isfinite(x->factor) && x->factor > 0 && fabs(log(x->factor)) > 0.1) VEC_PUSH(a, &list, x);
    }
    /* How much was asked of it is no result, where there are others. */
    size_t kept = 0, results = 0;
    for (size_t i = 0; i < list.count; i++) results += !is_load(list.items[i]->metric);
    for (size_t i = 0; i < list.count; i++)
        if (results < LEAST_POINTS || !is_load(list.items[i]->metric)) list.items[kept++] = list.items[i];
    list.count = kept;
    if (list.count < LEAST_POINTS) return;
    qsort(list.items, list.count, sizeof *list.items, by_factor);
    enum { BARS = 16, EACH = 22, TOP = 22, LEFT = 200, ROOM = 58 };
    size_t rows = list.count < BARS ? list.count : BARS;
    bool unsure = false, series = c->stages.count > 2;
    double lo = 0.5, hi = 2;
    for (size_t i = 0; i < rows; i++) {
        double v = fmin(fmax(list.items[i]->factor, 1e-5), 1e5);
        lo = fmin(lo, v);
        hi = fmax(hi, v);
        unsure |= !list.items[i]->comparable;
    }
    double right = WIDTH - ROOM, bottom = TOP + EACH * (double)rows;
    Scale x = {.log = true, .lo = round_down(lo), .hi = round_up(hi), .from = LEFT, .to = right};
    Str legend = str_of(
        unsure ? _("Left of 1x: it fell; right: it grew. Dashed bars: not comparable, the table of factors says why.")
               : _("Left of 1x: it fell; right: it grew."));
    if (list.count > rows)
        legend = arena_strf(a, "%.*s %.*s", STR_ARG(legend),
                            STR_ARG(say_n(a, "{n} smaller factor is left out.", "{n} smaller factors are left out.",
                                          (unsigned long)(list.count - rows), NULL)));
    const Factor *first = list.items[0];
    Picture *p = doc_picture(doc, s, "plot factors", str_of(_("What grew and what fell, as a factor")),
                             say(a, _("The largest: {figure} of {part}, {factor}."), "figure",
                                 metric_label(a, doc_clean(doc, first->metric)), "part",
                                 subject_name(doc, &first->subject), "factor", format_factor(a, first->factor), NULL),
                             WIDTH, bottom + 26 + put_words(NULL, 0, legend));
    picture_text(p, "pl-soft", 0, 11, ANCHOR_START, str_of(_("factor, logarithmic")));
    grid_x(p, &x, TOP, bottom, 9);
    double one = scale_at(&x, 1);
    for (size_t i = 0; i < rows; i++) {
        const Factor *v = list.items[i];
        double y = TOP + EACH * (double)i, end = scale_at(&x, v->factor);
        Str part = subject_name(doc, &v->subject), what = metric_label(a, doc_clean(doc, v->metric));
        if (str_is(v->subject.kind, "host")) part = what; /* its benchmarks name their target, where it is known */
        else part = arena_strf(a, "%.*s %.*s", STR_ARG(part), STR_ARG(what));
        Str words =
            series && v->step ? arena_strf(a, "%zu\xe2\x86\x92%zu %.*s", v->step, v->step + 1, STR_ARG(part)) : part;
        picture_group(p, v->comparable ? "pl-sure" : "pl-vague", words);
        picture_text(p, "pl-name", 0, y + 15, ANCHOR_START, text_head(a, words, LEFT - 8));
        picture_rect(p, "pl-bar", fmin(one, end), y + 4, fmax(fabs(end - one), 1), EACH - 8, 0);
        picture_text(p, "pl-value", WIDTH - 1, y + 15, ANCHOR_END, format_factor(a, v->factor));
        picture_end(p);
    }
    picture_line(p, "pl-one", one, TOP, one, bottom);
    put_words(p, bottom + 32, legend);
    Table *t = picture_data(doc, p, _("These figures as a table"));
    static const char *const titles[] = {N_("Where"), N_("Figure"), N_("From"), N_("To"), N_("Factor")};
    for (size_t i = 0; i < 5; i++) doc_column(doc, t, str_of(_(titles[i])), i > 1);
    for (size_t i = 0; i < list.count && i < ROWS_UNDER; i++) {
        const Factor *v = list.items[i];
        Row *row = doc_row(doc, t);
        Str unit = v->unit.len ? v->unit : metric_unit(v->metric);
        row->tone = v->comparable ? TONE_NONE : TONE_MUTED;
        span_add(doc, &row->cells[0], v->comparable ? SPAN_STRONG : 0, subject_name(doc, &v->subject));
        span_add(doc, &row->cells[1], 0, metric_label(a, v->metric));
        span_add(doc, &row->cells[2], 0, format_quantity(a, v->from, unit));
        span_add(doc, &row->cells[3], 0, format_quantity(a, v->to, unit));
        span_add(doc, &row->cells[4], 0, format_factor(a, v->factor));
    }
}

/* ---- the section ---- */

void put_compare_plots(Doc *doc, const Comparison *c) {
    if (c->different_hosts || c->stages.count < 2) return;
    DocNode *s = doc_new(doc, DOC_SECTION);
    s->id = "plots";
    s->role = "plots";
    s->shown = SHOWN_HTML;
    span_addz(doc, &s->title, 0, _("In pictures"));
    static const char *const metrics[2][2] = {{"w_await_ms", "disk_wait_write_ms"},
                                              {"r_await_ms", "disk_wait_read_ms"}};
    for (size_t k = 0; k < 2; k++)
        if (!put_waits_compared(doc, s, c, metrics[k][0])) put_waits_compared(doc, s, c, metrics[k][1]);
    for (size_t step = 1; step < c->stages.count && step < 6; step++) put_ports(doc, s, c, step);
    put_factor_bars(doc, s, c);
    if (s->children.count) VEC_PUSH(doc->arena, &doc->body->children, s);
}
