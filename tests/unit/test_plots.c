/*
 * Plots and their arithmetic: scales and ticks, folding, what is drawn against the data, and that nothing is drawn from too
 * little, grows with what an upload holds, or leaves its picture.
 */
#include "arena_test.h"
#include "reports/plots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include "analyze/diagnose/figures.h"
#include "reports/reports.h"
#include "reports/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double awkward[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-300, 1e-9, 0.01, 1, 39.9, 40, 1e6, 1e15, 1e300};
enum { AWKWARD = sizeof awkward / sizeof *awkward };

/* ---- scales ---- */

static void test_scale_of_anything(void **state) {
    (void)state;
    for (size_t i = 0; i < AWKWARD; i++)
        for (size_t k = 0; k < AWKWARD; k++)
            for (int log = 0; log < 2; log++) {
                Scale s = scale_of(awkward[i], awkward[k], log, 100, 0);
                assert_true(isfinite(s.lo) && isfinite(s.hi) && s.lo < s.hi);
                assert_true(!s.log || s.lo > 0);
                for (size_t v = 0; v < AWKWARD; v++) {
                    double at = scale_at(&s, awkward[v]);
                    if (isnan(awkward[v])) assert_true(isnan(at));
                    else assert_true(at >= -1e-6 && at <= 100 + 1e-6);
                }
                for (size_t most = 0; most < 20; most++) {
                    double ticks[TICKS_MOST];
                    size_t n = scale_ticks(&s, most, ticks);
                    assert_true(n <= TICKS_MOST && n <= (most < 2 ? 2 : most));
                    for (size_t t = 0; t < n; t++) {
                        assert_true(ticks[t] >= s.lo * (1 - 1e-6) && ticks[t] <= s.hi * (1 + 1e-6));
                        assert_true(t == 0 || ticks[t] > ticks[t - 1]);
                    }
                }
            }
}

static void test_scale_values(void **state) {
    (void)state;
    Scale s = scale_of(0.7, 480, true, 0, 300);
    assert_true(s.log);
    assert_float_equal(s.lo, 0.5, 1e-9);
    assert_float_equal(s.hi, 500, 1e-9);
    assert_float_equal(scale_at(&s, 5), 100, 1e-6);
    assert_float_equal(scale_at(&s, 50), 200, 1e-6);
    assert_float_equal(scale_at(&s, 0), 0, 1e-6);
    double ticks[TICKS_MOST];
    assert_int_equal(scale_ticks(&s, 4, ticks), 3); /* 1, 10, 100 */
    assert_float_equal(ticks[1], 10, 1e-9);
    s = scale_of(12, 40, true, 0, 100); /* less than a factor of 20: from 0 */
    assert_false(s.log);
    assert_float_equal(s.lo, 0, 1e-9);
    assert_float_equal(scale_at(&s, 20), 50, 1e-6);
    assert_float_equal(time_step(60, 4), 15, 1e-9);
    assert_float_equal(time_step(3600, 4), 900, 1e-9);
    for (size_t i = 0; i < AWKWARD; i++) assert_true(time_step(awkward[i], i) > 0);
}

/* ---- folding ---- */

static void test_fold(void **state) {
    (void)state;
    Fold f = {0};
    assert_true(isnan(fold_mean(&f)));
    for (size_t i = 0; i < 4; i++) fold_add(&f, awkward[i], 1); /* none of these counts */
    fold_add(&f, 5, 0);
    fold_add(&f, 5, NAN);
    assert_true(isnan(fold_mean(&f)));
    fold_add(&f, 10, 300);
    fold_add(&f, 400, 1);
    assert_float_equal(fold_mean(&f), (10.0 * 300 + 400) / 301, 1e-3); /* one slow operation among 300 */
    assert_float_equal(f.max, 400, 1e-3);
    for (size_t i = 0; i < AWKWARD; i++)
        for (size_t k = 0; k < AWKWARD; k++) {
            double step = moment_step(awkward[i], awkward[k]);
            assert_true(isfinite(step) && step > 0);
        }
    assert_float_equal(moment_step(60, 1), 1, 1e-9);
    assert_float_equal(moment_step(3600, 1), 15, 1e-9);
    assert_true(86400 / moment_step(86400, 10) <= FIGURE_MOMENTS);
}

static void test_dots(void **state) {
    (void)state;
    float dots[FIGURE_DOTS];
    assert_int_equal(dots_of(NULL, 0, dots), 0);
    Counted few[] = {{3, 1}, {1, 1}, {2, 1}};
    assert_int_equal(dots_of(few, 3, dots), 3);
    assert_float_equal(dots[0], 1, 1e-6);
    assert_float_equal(dots[2], 3, 1e-6);
    Counted many[100];
    for (size_t i = 0; i < 100; i++) many[i] = (Counted){(float)(100 - i), 1};
    assert_int_equal(dots_of(many, 100, dots), FIGURE_DOTS);
    assert_float_equal(dots[0], 3, 1.01); /* 2.5 % of 1..100 */
    assert_float_equal(dots[FIGURE_DOTS - 1], 98, 1.01);
    for (size_t i = 1; i < FIGURE_DOTS; i++) assert_true(dots[i] >= dots[i - 1]);
    Counted folded[] = {{9, 950}, {400, 50}}; /* buckets count by their samples */
    assert_int_equal(dots_of(folded, 2, dots), FIGURE_DOTS);
    assert_float_equal(dots[18], 9, 1e-6);
    assert_float_equal(dots[19], 400, 1e-6);
}

/* ---- diagnoses made by hand ---- */

enum { MOMENTS = 60 };

static float *series(double base, double spread) {
    float *v = arena_array(arena, float, MOMENTS);
    for (size_t i = 0; i < MOMENTS; i++) v[i] = (float)(base + spread * (double)(i * 7 % 11) / 11);
    return v;
}

static Diagnosis *diagnosis_of(size_t drives, const char *name) {
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    Figures *f = arena_new_of(arena, Figures);
    d->figures = f;
    d->status = STR("causes");
    *f = (Figures){.tool = STR("iostat"),
                   .metric = {STR("r_await_ms"), STR("w_await_ms")},
                   .start_s = 1725000000,
                   .step_s = 1,
                   .moments = MOMENTS,
                   .sample_s = 1,
                   .clock = true,
                   .timezone_s = 7200};
    for (size_t i = 0; i < drives; i++) {
        DriveInfo x = {.node = (int64_t)i + 1,
                       .id = arena_strf(arena, "drive:%zu", i),
                       .name = name ? str_of(name) : arena_strf(arena, "sd%zu", i),
                       .class_ = STR("ssd-sata"),
                       .culprit = i == 0,
                       .size_bytes = NAN};
        VEC_PUSH(arena, &d->drives, x);
        if (i >= FIGURE_DRIVES) {
            f->drives_left_out++;
            continue;
        }
        DriveFigure v = {.drive = i, .class_wait_ms = 0.5, .slow_wait_ms = 10};
        v.wait_ms[1] = v.wait_max_ms[1] = series(i ? 2 : 300, i ? 1 : 80);
        v.wait_n[1] = MOMENTS;
        v.util_pct = series(i ? 20 : 90, 10);
        v.bytes_s = series(2e6, 4e6);
        v.dots[1] = FIGURE_DOTS;
        for (size_t q = 0; q < FIGURE_DOTS; q++) v.dots_ms[1][q] = (float)((i ? 2 : 300) + (double)q);
        VEC_PUSH(arena, &f->drives, v);
    }
    Finding *cause = arena_new_of(arena, Finding);
    *cause = (Finding){.rule = STR("x"), .kind = STR("cause"), .title = STR("X"), .rank = 1, .confidence = 0.95};
    if (drives)
        VEC_PUSH(arena, &cause->subjects,
                 ((Subject){.node = 1, .kind = STR("drive"), .name = d->drives.items[0].name}));
    VEC_PUSH(arena, &d->causes, cause);
    return d;
}

static Doc *doc_of(void) {
    Doc *doc = arena_new_of(arena, Doc);
    doc->arena = arena;
    doc->body = doc_new(doc, DOC_GROUP);
    return doc;
}

static const Picture *picture_of(const Doc *doc, const char *role) {
    for (size_t i = 0; i < doc->body->children.count; i++) {
        const DocNode *s = doc->body->children.items[i];
        for (size_t k = 0; k < s->children.count; k++)
            if (s->children.items[k]->picture && strstr(s->children.items[k]->picture->role, role))
                return s->children.items[k]->picture;
    }
    return NULL;
}

/* Groups end, coordinates are finite and within, labels do not leave the picture. */
static void assert_sound(const Picture *p) {
    int open = 0;
    assert_true(p->width > 0 && p->height > 0 && p->height < 4000);
    assert_true(p->title.len > 0 && p->desc.len > 0);
    assert_non_null(p->data);
    assert_true(p->data->rows.count > 0 && p->data->rows.count <= 64);
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        if (s->kind == SHAPE_GROUP) open++;
        if (s->kind == SHAPE_END) open--;
        assert_true(open == 0 || open == 1);
        if (s->kind == SHAPE_PATH || s->kind == SHAPE_GROUP || s->kind == SHAPE_END) continue;
        assert_true(isfinite(s->x) && isfinite(s->y) && isfinite(s->w) && isfinite(s->h));
        assert_true(s->x >= -1 && s->x <= p->width + 1 && s->y >= -1 && s->y <= p->height + 1);
        if (s->kind != SHAPE_TEXT) continue;
        double wide = text_width(s->text, 11), from = s->anchor == ANCHOR_START ? s->x
                                                      : s->anchor == ANCHOR_END ? s->x - wide
                                                                                : s->x - wide / 2;
        assert_true(from >= -6 && from + wide <= p->width + 6);
    }
    assert_int_equal(open, 0);
}

static void assert_all_sound(const Doc *doc) {
    for (size_t i = 0; i < doc->body->children.count; i++)
        for (size_t k = 0; k < doc->body->children.items[i]->children.count; k++)
            if (doc->body->children.items[i]->children.items[k]->picture)
                assert_sound(doc->body->children.items[i]->children.items[k]->picture);
}

/* Mean height of the points of the path of class `class_` that comes `nth`, from 0. */
static double height_of(const Picture *p, const char *class_, size_t nth, size_t *points) {
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        if (s->kind != SHAPE_PATH || strcmp(s->class_, class_) != 0 || nth-- > 0) continue;
        double sum = 0;
        *points = 0;
        char *at = (char *)arena_cstr(arena, s->text);
        while (*at) {
            at += strcspn(at, "ML");
            if (!*at) break;
            strtod(at + 1, &at);
            sum += strtod(at, &at);
            ++*points;
        }
        return *points ? sum / (double)*points : NAN;
    }
    return NAN;
}

static void test_culprit_lies_above(void **state) {
    (void)state;
    Doc *doc = doc_of();
    put_plots(doc, diagnosis_of(4, NULL));
    assert_all_sound(doc);
    const Picture *p = picture_of(doc, "latency");
    assert_non_null(p);
    size_t points = 0;
    /* Its panel is the first, in the same row as the second: y grows downwards. */
    double culprit = height_of(p, "pl-line", 0, &points);
    assert_int_equal(points, MOMENTS);
    double peer = height_of(p, "pl-line", 1, &points);
    assert_int_equal(points, MOMENTS);
    assert_true(culprit < peer - 10);
    assert_true(isfinite(height_of(p, "pl-like", 0, &points))); /* the median of its peers beside it */
    assert_true(str_has(p->desc, "sd0"));
    assert_int_equal(p->data->rows.count, 4);
    bool marked = false; /* by a word and a class, not by colour alone */
    for (size_t i = 0; i < p->shapes.count; i++)
        marked |= p->shapes.items[i].kind == SHAPE_TEXT && str_is(p->shapes.items[i].text, "cause 1");
    assert_true(marked);
    p = picture_of(doc, "dots");
    assert_non_null(p);
    size_t squares = 0, circles = 0;
    double leftmost_square = 1e9, rightmost_circle = 0;
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        if (!s->class_ || strcmp(s->class_, "pl-dot") != 0) continue;
        if (s->kind == SHAPE_RECT) {
            squares++;
            leftmost_square = fmin(leftmost_square, s->x);
        } else {
            circles++;
            rightmost_circle = fmax(rightmost_circle, s->x);
        }
    }
    assert_int_equal(squares, FIGURE_DOTS);
    assert_int_equal(circles, 3 * FIGURE_DOTS);
    assert_true(leftmost_square > rightmost_circle);
    assert_non_null(picture_of(doc, "load"));
}

static void test_gap(void **state) {
    (void)state;
    Diagnosis *d = diagnosis_of(1, NULL);
    float *v = d->figures->drives.items[0].wait_ms[1];
    for (size_t i = 20; i < 30; i++) v[i] = NAN;
    v[10] = NAN;
    Doc *doc = doc_of();
    put_plots(doc, d);
    const Picture *p = picture_of(doc, "latency");
    assert_non_null(p);
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        if (s->kind != SHAPE_PATH || strcmp(s->class_, "pl-line") != 0) continue;
        size_t strokes = 0;
        for (size_t k = 0; k < s->text.len; k++) strokes += s->text.p[k] == 'M';
        assert_int_equal(strokes, 3);
    }
}

static void test_nothing_of_too_little(void **state) {
    (void)state;
    Doc *doc = doc_of();
    put_plots(doc, arena_new_of(arena, Diagnosis)); /* not asked for */
    put_timeline(doc, arena_new_of(arena, Diagnosis));
    Diagnosis *d = diagnosis_of(0, NULL);
    put_plots(doc, d);
    put_timeline(doc, d);
    d = diagnosis_of(2, NULL); /* two points each */
    for (size_t i = 0; i < 2; i++) {
        DriveFigure *x = &d->figures->drives.items[i];
        for (size_t m = 2; m < MOMENTS; m++) x->wait_ms[1][m] = x->util_pct[m] = NAN;
    }
    VEC_PUSH(arena, &d->figures->pressure, ((PressurePoint){1, 50, 20}));
    VEC_PUSH(arena, &d->figures->pressure, ((PressurePoint){2, 50, 20}));
    put_plots(doc, d);
    assert_int_equal(doc->body->children.count, 0);
    Comparison *c = arena_new_of(arena, Comparison);
    put_compare_plots(doc, c);
    VEC_PUSH(arena, &c->stages, arena_new_of(arena, Diagnosis));
    VEC_PUSH(arena, &c->stages, arena_new_of(arena, Diagnosis));
    put_compare_plots(doc, c);
    assert_int_equal(doc->body->children.count, 0);
}

static void test_awkward_figures(void **state) {
    (void)state;
    for (size_t a = 0; a < AWKWARD; a++) {
        Diagnosis *d = diagnosis_of(3, NULL);
        Figures *f = d->figures;
        for (size_t i = 0; i < f->drives.count; i++) {
            DriveFigure *x = &f->drives.items[i];
            float *const lists[] = {x->wait_ms[1], x->util_pct, x->bytes_s};
            for (size_t l = 0; l < 3; l++)
                for (size_t m = l; m < MOMENTS; m += i + 2) lists[l][m] = (float)awkward[(a + m) % AWKWARD];
            x->slow_wait_ms = awkward[a];
            x->class_wait_ms = awkward[(a + 3) % AWKWARD];
            x->dots_ms[1][3] = (float)awkward[a];
        }
        f->start_s = awkward[a];
        f->step_s = a % 2 ? 1 : 1e9;
        f->timezone_s = awkward[(a + 5) % AWKWARD];
        for (size_t i = 0; i < 5; i++)
            VEC_PUSH(arena, &f->pressure, ((PressurePoint){awkward[(a + i) % AWKWARD], awkward[i], awkward[a]}));
        for (size_t i = 0; i < 5; i++) {
            FigureEvent e = {.kind = FIGURE_KERNEL,
                             .from_s = awkward[(a + i) % AWKWARD],
                             .to_s = awkward[i],
                             .count = i,
                             .what = STR("x")};
            VEC_PUSH(arena, &f->marks, e);
            VEC_PUSH(arena, &f->events, e);
        }
        Doc *doc = doc_of();
        put_plots(doc, d);
        put_timeline(doc, d);
        assert_all_sound(doc);
    }
}

static void test_many_and_hostile(void **state) {
    (void)state;
    char *name = arena_alloc(arena, 4097);
    for (size_t i = 0; i < 4096; i++) name[i] = "<&\"\n\x1b]`|"[i % 8];
    Diagnosis *d = diagnosis_of(3000, name);
    for (size_t i = 0; i < 1000; i++) {
        FigureEvent e = {.kind = (FigureEventKind)(i % 6),
                         .from_s = 1725000000 + (double)i,
                         .to_s = NAN,
                         .count = i,
                         .what = str_of(name),
                         .of = str_of(name)};
        if (i < FIGURE_EVENTS) VEC_PUSH(arena, &d->figures->events, e);
        e.kind = FIGURE_KERNEL;
        e.from_s = 1725000000 + (double)(i % MOMENTS);
        e.what = arena_strf(arena, "event-%zu-%s", i % 50, i % 3 ? "" : name);
        VEC_PUSH(arena, &d->figures->marks, e);
    }
    Doc *doc = doc_of();
    put_plots(doc, d);
    put_timeline(doc, d);
    assert_all_sound(doc);
    size_t shapes = 0, rows = 0;
    for (size_t i = 0; i < doc->body->children.count; i++)
        for (size_t k = 0; k < doc->body->children.items[i]->children.count; k++) {
            const DocNode *n = doc->body->children.items[i]->children.items[k];
            if (n->picture) shapes += n->picture->shapes.count;
            if (n->table) rows += n->table->rows.count;
        }
    assert_true(shapes > 100 && shapes < 6000);
    assert_true(rows > 0 && rows <= 60);
    d->bundle.host = str_of(name);
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);
    Error err = {{0}};
    assert_true(report_write_diagnosis(out, d, REPORT_HTML, false, &err));
    fclose(out);
    assert_null(strstr(bytes, "<&")); /* a name of the upload is never markup */
    free(bytes);
}

/* ---- comparison ---- */

static Stage stage_of(double ms, const char *port, bool moved, bool slow) {
    Stage s = {.present = true,
               .name = STR("sda"),
               .place = {.controller = STR("0000:00:17.0"), .label = arena_strf(arena, "0000:00:17.0 port %s", port)},
               .moved = moved,
               .slow = slow,
               .wait_ms = ms,
               .peers_ms = NAN,
               .ratio = NAN};
    VEC_PUSH(arena, &s.metrics,
             ((Dist){.metric = STR("w_await_ms"),
                     .tool = STR("iostat"),
                     .basis = STR("1s averages"),
                     .n = 60,
                     .mean = ms,
                     .p50 = ms,
                     .p95 = ms * 1.5,
                     .p99 = NAN,
                     .p999 = NAN,
                     .max = ms * 2}));
    return s;
}

static void test_comparison(void **state) {
    (void)state;
    for (size_t drives = 1; drives <= 3000; drives = drives * 7 + 1) {
        Comparison *c = arena_new_of(arena, Comparison);
        for (size_t i = 0; i < 2; i++) {
            VEC_PUSH(arena, &c->stages, arena_new_of(arena, Diagnosis));
            VEC_PUSH(arena, &c->names, i ? STR("after") : STR("before"));
        }
        for (size_t i = 0; i < drives; i++) {
            DriveHistory h = {
                .node = (int64_t)i + 1, .id = arena_strf(arena, "d%zu", i), .serial = STR("S1"), .model = STR("M")};
            VEC_PUSH(arena, &h.stages, stage_of(i ? 2 : 300, i ? "3" : "1", false, i == 0));
            VEC_PUSH(arena, &h.stages, stage_of(2, i ? "3" : "2", i == 0, false));
            VEC_PUSH(arena, &c->drives, h);
            Factor f = {.subject = {.node = h.node, .kind = STR("drive"), .name = STR("sda")},
                        .metric = STR("w_await_ms"),
                        .unit = STR("ms"),
                        .from = 300,
                        .to = 2,
                        .factor = i % 5 == 4 ? awkward[i % AWKWARD] : 2.0 / 300,
                        .comparable = i % 2 == 0,
                        .step = 1};
            VEC_PUSH(arena, &c->factors, f);
        }
        Doc *doc = doc_of();
        put_compare_plots(doc, c);
        assert_all_sound(doc);
        const Picture *p = picture_of(doc, "slopes");
        if (drives > 1) {
            assert_non_null(p);
            bool fell = false; /* the slow drive's line goes down: to the right, y grows */
            for (size_t i = 0; i < p->shapes.count && !fell; i++)
                fell = p->shapes.items[i].kind == SHAPE_LINE && !strcmp(p->shapes.items[i].class_, "pl-step") &&
                       p->shapes.items[i].h > p->shapes.items[i].y + 20;
            assert_true(fell);
        }
        p = picture_of(doc, "ports");
        assert_non_null(p);
        assert_true(p->shapes.count < 20000);
    }
}

static void test_clock(void **state) {
    (void)state;
    assert_true(str_is(clock_text(arena, 0, 7200, true, true), "1970-01-01 02:00:00"));
    assert_true(str_is(clock_text(arena, 3599, NAN, false, false), "00:59"));
    assert_true(str_is(zone_text(arena, -19800), "UTC-05:30"));
    assert_true(str_is(zone_text(arena, NAN), "UTC"));
    for (size_t i = 0; i < AWKWARD; i++)
        for (size_t k = 0; k < AWKWARD; k++) {
            clock_text(arena, awkward[i], awkward[k], true, true);
            zone_text(arena, awkward[k]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scale_of_anything, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_scale_values, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_fold, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_dots, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_culprit_lies_above, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_gap, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_nothing_of_too_little, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_awkward_figures, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_many_and_hostile, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_comparison, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(test_clock, arena_setup, arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
