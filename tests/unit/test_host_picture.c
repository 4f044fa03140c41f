/*
 * The geometry of the host picture. Boxes lie apart and inside the view box, no line runs
 * through one, groups are balanced, and what is marked can be seen, from one drive to thousands and whatever their names are.
 */
#include "arena_test.h"
#include "reports/host_picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- diagnoses by hand */

static Diagnosis *empty(void) {
    Diagnosis *d = arena_new_of(arena, Diagnosis);
    d->bundle.host = STR("box");
    return d;
}

static size_t node(Diagnosis *d, const char *kind, Str name, const char *detail) {
    MapNode n = {.node = (int64_t)d->map.nodes.count + 1,
                 .kind = str_of(kind),
                 .name = name,
                 .detail = str_of(detail),
                 .size_bytes = NAN,
                 .rate = NAN,
                 .could = NAN};
    VEC_PUSH(arena, &d->map.nodes, n);
    return d->map.nodes.count - 1;
}

static MapNode *at(Diagnosis *d, size_t i) {
    return &d->map.nodes.items[i];
}

static void rests(Diagnosis *d, size_t above, size_t below) {
    VEC_PUSH(arena, &at(d, above)->below, below);
}

static void found(Diagnosis *d, bool cause, size_t on) {
    Finding *f = arena_new_of(arena, Finding);
    f->rule = STR("some-rule");
    f->title = STR("Some rule");
    Subject s = {.node = at(d, on)->node, .kind = at(d, on)->kind, .name = at(d, on)->name};
    VEC_PUSH(arena, &f->subjects, s);
    if (cause) f->rank = (int)d->causes.count + 1;
    VEC_PUSH(arena, cause ? &d->causes : &d->risks, f);
}

typedef struct Farm {
    size_t drives, controllers, per_vdev, vdevs_per_pool, filesystems;
    bool expanders, models_differ;
} Farm;

/* Drives dealt out to controllers, in vdevs and pools, with some file systems on each pool; returns the first drive. */
static size_t farm(Diagnosis *d, Farm f) {
    size_t on[64] = {0};
    for (size_t i = 0; i < f.controllers && i < 64; i++) {
        on[i] = node(d, "controller", arena_strf(arena, "0000:%02zx:00.0", i), "SAS, Some HBA with a rather long name");
        if (f.expanders && i % 2 == 0) {
            size_t e = node(d, "expander", arena_strf(arena, "0x5003048001%06zx", i), "");
            rests(d, e, on[i]);
            on[i] = e;
        }
    }
    size_t first = d->map.nodes.count;
    for (size_t i = 0; i < f.drives; i++) {
        size_t x = node(d, "drive", arena_strf(arena, "sd%zu", i),
                        f.models_differ ? arena_fmt(arena, "MODEL %zu", i) : "MODEL 12");
        at(d, x)->size_bytes = 4e12;
        at(d, x)->rate = at(d, x)->could = 12;
        at(d, x)->port = arena_strf(arena, "phy %zu", i);
        if (f.controllers) rests(d, x, on[i * f.controllers / f.drives]);
    }
    size_t vdevs = f.per_vdev ? (f.drives + f.per_vdev - 1) / f.per_vdev : 0, first_vdev = d->map.nodes.count;
    for (size_t v = 0; v < vdevs; v++) {
        size_t x = node(d, "vdev", arena_strf(arena, "raidz2-%zu", v), "");
        for (size_t i = v * f.per_vdev; i < (v + 1) * f.per_vdev && i < f.drives; i++) rests(d, x, first + i);
    }
    size_t per_pool = f.vdevs_per_pool ? f.vdevs_per_pool : vdevs ? vdevs : 1;
    for (size_t v = 0; v < vdevs; v += per_pool) {
        size_t x = node(d, "pool", arena_strf(arena, "tank%zu", v / per_pool), "");
        for (size_t i = v; i < v + per_pool && i < vdevs; i++) rests(d, x, first_vdev + i);
        for (size_t i = 0; i < f.filesystems; i++)
            rests(d, node(d, "filesystem", arena_strf(arena, "/tank%zu/data-%zu", v / per_pool, i), "zfs"), x);
    }
    return first;
}

/* ---------------------------------------------------------------- what was drawn */

typedef struct Drawn {
    Doc *doc;
    DocNode *section;
    const Picture *wide, *narrow;
    const Table *table;
    bool any;
} Drawn;

static Drawn draw(const Diagnosis *d) {
    Drawn out = {.doc = arena_new_of(arena, Doc)};
    out.doc->arena = arena;
    out.doc->body = doc_new(out.doc, DOC_GROUP);
    out.section = doc_section(out.doc, "host", "Host");
    out.any = put_host_picture(out.doc, out.section, d);
    for (size_t i = 0; i < out.section->children.count; i++) {
        const DocNode *n = out.section->children.items[i];
        if (n->kind == DOC_TABLE) out.table = n->table;
        if (n->kind != DOC_PICTURE) continue;
        if (out.wide) out.narrow = n->picture;
        else out.wide = n->picture;
    }
    return out;
}

static bool is(const Shape *s, const char *class_) {
    if (!s->class_) return false;
    size_t n = strlen(class_);
    for (const char *p = s->class_; (p = strstr(p, class_)); p += n)
        if ((p == s->class_ || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return true;
    return false;
}

static size_t count(const Picture *p, const char *class_) {
    size_t n = 0;
    for (size_t i = 0; i < p->shapes.count; i++) n += is(&p->shapes.items[i], class_);
    return n;
}

static bool says(const Picture *p, const char *words) {
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        if (s->kind == SHAPE_TEXT && str_has(s->text, words)) return true;
    }
    return false;
}

static void inside(const Picture *p, double x, double y, const Shape *s) {
    if (x >= -0.1 && y >= -0.1 && x <= p->width + 0.1 && y <= p->height + 0.1) return;
    fail_msg("%s at %.1f %.1f outside of %.0f x %.0f: %.*s", s->class_ ? s->class_ : "shape", x, y, p->width, p->height,
             STR_ARG(s->text));
}

static void check_shapes(const Picture *p) {
    int open = 0;
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *s = &p->shapes.items[i];
        switch (s->kind) {
        case SHAPE_RECT:
            assert_true(s->w > 0 && s->h > 0);
            inside(p, s->x, s->y, s);
            inside(p, s->x + s->w, s->y + s->h, s);
            break;
        case SHAPE_LINE:
            inside(p, s->x, s->y, s);
            inside(p, s->w, s->h, s);
            break;
        case SHAPE_CIRCLE: inside(p, s->x, s->y, s); break;
        case SHAPE_TEXT: {
            double width = text_width(s->text, 8), /* at least */ left = s->anchor == ANCHOR_START ? s->x
                                                                         : s->anchor == ANCHOR_END ? s->x - width
                                                                                                   : s->x - width / 2;
            assert_true(s->text.len > 0 && s->text.len < 400);
            inside(p, left, s->y - 8, s);
            inside(p, left + width, s->y + 3, s);
            break;
        }
        case SHAPE_GROUP: open++; break;
        case SHAPE_END: assert_true(open-- > 0); break;
        case SHAPE_PATH: break;
        }
    }
    assert_int_equal(open, 0);
}

static void check_apart(const Picture *p) {
    for (size_t i = 0; i < p->shapes.count; i++) {
        const Shape *a = &p->shapes.items[i];
        if (a->kind != SHAPE_RECT || !is(a, "hp-box")) continue;
        for (size_t k = i + 1; k < p->shapes.count; k++) {
            const Shape *b = &p->shapes.items[k];
            if (b->kind != SHAPE_RECT || !is(b, "hp-box")) continue;
            bool apart = a->x + a->w <= b->x + 0.1 || b->x + b->w <= a->x + 0.1 || a->y + a->h <= b->y + 0.1 ||
                         b->y + b->h <= a->y + 0.1;
            if (!apart) fail_msg("boxes at %.1f %.1f and %.1f %.1f overlap", a->x, a->y, b->x, b->y);
        }
        for (size_t k = 0; k < p->shapes.count; k++) {
            const Shape *l = &p->shapes.items[k];
            if (l->kind != SHAPE_LINE) continue;
            double x1 = fmin(l->x, l->w), x2 = fmax(l->x, l->w), y1 = fmin(l->y, l->h), y2 = fmax(l->y, l->h);
            bool through = x2 > a->x + 1 && x1 < a->x + a->w - 1 && y2 > a->y + 1 && y1 < a->y + a->h - 1;
            if (through)
                fail_msg("a line %.1f %.1f to %.1f %.1f runs through the box at %.1f %.1f", x1, y1, x2, y2, a->x, a->y);
        }
    }
}

static Drawn checked(const Diagnosis *d) {
    Drawn out = draw(d);
    assert_true(out.any);
    assert_non_null(out.wide);
    assert_non_null(out.narrow);
    check_shapes(out.wide);
    check_shapes(out.narrow);
    check_apart(out.wide);
    check_apart(out.narrow);
    assert_true(out.wide->width <= 900);
    assert_true(out.narrow->width <= 362); /* what a phone of 390 px shows without shrinking it */
    assert_true(out.wide->height < 2600);
    assert_true(out.wide->title.len && out.wide->desc.len);
    return out;
}

/* ---------------------------------------------------------------- the picture */

static void from_one_to_thousands(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 6, 13, 24, 60, 240, 3000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int marks = 0; marks < 3; marks++) {
            Diagnosis *d = empty();
            size_t n = sizes[i];
            Farm f = {.drives = n,
                      .controllers = 1 + n / 16 % 12,
                      .per_vdev = n > 1 ? 2 + n / 24 % 10 : 0,
                      .vdevs_per_pool = 1 + n / 30 % 8,
                      .filesystems = 1 + n % 7,
                      .expanders = n % 4 == 0,
                      .models_differ = n == 13};
            size_t first = farm(d, f);
            if (marks) found(d, true, first + n / 2);
            for (size_t k = 0; marks == 2 && k < n; k += 3) found(d, k % 2, first + k);
            Drawn out = checked(d);
            assert_non_null(out.table);
            assert_true(out.table->rows.count == n || (n > 500 && out.table->rows.count == 501));
            if (marks) {
                assert_true(count(out.wide, "hp-inner") > 0);
                const char *mark = says(out.wide, "cause 1") ? "cause 1" : "causes 1,";
                assert_true(says(out.wide, mark));
                assert_true(says(out.narrow, mark));
                assert_true(str_has(out.wide->desc, mark));
            } else {
                assert_int_equal(count(out.wide, "hp-cause"), 0);
                assert_true(str_has(out.wide->desc, "Nothing is marked"));
            }
        }
}

static void many_that_are_alike_fold(void **state) {
    (void)state;
    Diagnosis *d = empty();
    size_t first = farm(d, (Farm){.drives = 24, .controllers = 1, .per_vdev = 12, .filesystems = 2});
    found(d, true, first + 3);
    Drawn out = checked(d);
    assert_int_equal(count(out.wide, "hp-drive"), 2 + 1); /* two folded, and the legend */
    assert_true(says(out.wide, "11 drives alike"));
    assert_true(says(out.wide, "12 drives alike"));
    assert_true(says(out.wide, "sd3")); /* the culprit stands alone */
    assert_true(says(out.wide, "/tank0/data-1"));

    /* few are shown one by one, and drives of two kinds are not one */
    d = empty();
    farm(d, (Farm){.drives = 16, .controllers = 1, .per_vdev = 4});
    assert_false(says(checked(d).wide, "alike"));
    d = empty();
    farm(d, (Farm){.drives = 20, .controllers = 1, .per_vdev = 4, .models_differ = true});
    assert_false(says(checked(d).wide, "alike"));

    /* a host of 240 is a page: whole vdevs fold */
    d = empty();
    farm(d, (Farm){.drives = 240, .controllers = 4, .per_vdev = 10, .vdevs_per_pool = 12, .filesystems = 30});
    out = checked(d);
    assert_true(out.wide->height < 1200);
    assert_true(says(out.wide, "12 × raidz2"));
    assert_true(says(out.wide, "30 file systems"));
}

static void nobody_is_dropped_unsaid(void **state) {
    (void)state;
    Diagnosis *d = empty();
    size_t first = farm(d, (Farm){.drives = 300, .controllers = 2, .models_differ = true});
    found(d, true, first + 299);
    d->map.left_out = 5;
    Drawn out = checked(d);
    assert_true(says(out.wide, "273 more drives are not drawn"));
    assert_true(says(out.wide, "sd299"));
    assert_true(says(out.narrow, "273 more drives are not drawn"));
}

static void links(void **state) {
    (void)state;
    Diagnosis *d = empty();
    size_t first = farm(d, (Farm){.drives = 4, .controllers = 1, .per_vdev = 4});
    MapNode *n = at(d, first);
    n->rate = 1.5;
    n->could = 6;
    n = at(d, first + 1);
    n->rate = 8, n->could = 8, n->lanes = 1, n->could_lanes = 4;
    n = at(d, first + 2);
    n->rate = 2.5, n->could = 8, n->lanes = 4, n->could_lanes = 4;
    Drawn out = checked(d);
    assert_true(says(out.wide, "1.5 of 6.0 Gb/s"));
    assert_true(says(out.wide, "x1 of x4"));
    assert_true(says(out.wide, "x4, 2.5 of 8 GT/s"));
    assert_true(says(out.wide, "12.0 Gb/s"));
    assert_int_equal(count(out.wide, "hp-slow"), 3 + 1); /* and the legend */
    assert_true(str_has(out.wide->desc, "1.5 of 6.0 Gb/s"));
    /* no word on what it could: no complaint */
    at(d, first)->could = NAN;
    assert_int_equal(count(checked(d).wide, "hp-slow"), 2 + 1);
}

static void states_and_absent_members(void **state) {
    (void)state;
    Diagnosis *d = empty();
    farm(d, (Farm){.drives = 3, .controllers = 1, .per_vdev = 3});
    size_t gone = node(d, "drive", STR("12884217730914551277"), "");
    at(d, gone)->absent = true;
    size_t mirror = node(d, "vdev", STR("mirror-1"), "");
    rests(d, mirror, gone);
    for (size_t i = 0; i < d->map.nodes.count; i++)
        if (str_is(at(d, i)->kind, "pool")) {
            at(d, i)->state = STR("DEGRADED");
            at(d, i)->trouble = true;
        }
    size_t md = node(d, "array", STR("md0"), "raid1");
    rests(d, md, 1);
    at(d, md)->trouble = true;
    at(d, md)->members = 2;
    at(d, md)->active = 1;
    found(d, false, md);
    Drawn out = checked(d);
    assert_true(says(out.wide, "DEGRADED"));
    assert_true(says(out.wide, "not there"));
    assert_true(says(out.wide, "1 of 2 members"));
    assert_true(says(out.wide, "risk"));
    assert_true(str_has(out.wide->desc, "DEGRADED"));
}

static void unknown_places(void **state) {
    (void)state;
    Diagnosis *d = empty();
    farm(d, (Farm){.drives = 3, .per_vdev = 3});
    Drawn out = checked(d);
    assert_true(says(out.wide, "place unknown"));
    assert_true(count(out.wide, "hp-unknown") > 0);

    /* names of drives alone give no picture */
    d = empty();
    farm(d, (Farm){.drives = 3});
    assert_false(draw(d).any);
    d = empty();
    out = draw(d);
    assert_false(out.any);
    assert_int_equal(out.section->children.count, 0);
    /* a pool without a drive does */
    node(d, "pool", STR("tank"), "");
    out = checked(d);
    assert_true(says(out.wide, "tank"));
    assert_null(out.table);
}

/* Volumes on volumes, drives in several things, members on several storeys. */
static void stacks(void **state) {
    (void)state;
    Diagnosis *d = empty();
    size_t c = node(d, "controller", STR("0000:00:17.0"), "AHCI"), a = node(d, "drive", STR("sda"), "M"),
           b = node(d, "drive", STR("sdb"), "M"), e = node(d, "drive", STR("nvme0n1"), "N");
    rests(d, a, c);
    rests(d, b, c);
    rests(d, e, c);
    size_t md[3];
    for (size_t i = 0; i < 3; i++) {
        md[i] = node(d, "array", arena_strf(arena, "md%zu", i), "raid1");
        rests(d, md[i], a);
        rests(d, md[i], b);
    }
    rests(d, node(d, "filesystem", STR("/boot"), "ext4"), md[0]);
    size_t crypt = node(d, "volume", STR("md1_crypt"), "LUKS2"), root = node(d, "volume", STR("vg-root"), ""),
           fs = node(d, "filesystem", STR("/"), "ext4");
    rests(d, crypt, md[1]);
    rests(d, root, crypt);
    rests(d, fs, root);
    size_t pool = node(d, "pool", STR("tank"), "");
    rests(d, pool, md[2]);
    rests(d, pool, e); /* its log: a storey below */
    size_t up = pool;
    for (size_t i = 0; i < 40; i++) { /* as high as somebody may pile them */
        size_t x = node(d, "array", arena_strf(arena, "loop%zu", i), "");
        rests(d, x, up);
        rests(d, x, fs);
        up = x;
    }
    found(d, true, up);
    found(d, true, crypt);
    Drawn out = checked(d);
    assert_true(says(out.wide, "md1_crypt")); /* said by what lies on it */
    assert_true(str_has(out.wide->desc, "cause 1"));
    assert_true(str_has(out.wide->desc, "cause 2"));
}

static void hostile_names(void **state) {
    (void)state;
    static const char *const bad[] = {
        "<script>alert(1)</script>", "\x1b[31mred\x07", "\xff\xfe\x80", "]]>&amp;\"'", "\xe2\x80\xaereversed", "", " ",
        "日本語のとても長い名前"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Diagnosis *d = empty();
        StrBuf name;
        sb_init(&name, arena);
        sb_addz(&name, bad[i]);
        while (bad[i][0] && name.len < 4096) sb_addz(&name, bad[i]);
        size_t first =
            farm(d, (Farm){.drives = 18, .controllers = 2, .per_vdev = 3, .filesystems = 5, .expanders = true});
        for (size_t k = 0; k < d->map.nodes.count; k += 2) {
            MapNode *n = at(d, k);
            n->name = n->detail = n->state = n->port = n->slot = sb_str(&name);
            n->trouble = k % 4 == 0;
        }
        at(d, first)->role = sb_str(&name);
        d->bundle.host = sb_str(&name);
        found(d, true, first);
        checked(d);
    }
}

/* Everything on everything. */
static void tangle(void **state) {
    (void)state;
    Diagnosis *d = empty();
    size_t first = farm(d, (Farm){.drives = 12, .controllers = 5});
    for (size_t g = 0; g < 20; g++) {
        size_t x = node(d, g % 3 ? "array" : "pool", arena_strf(arena, "a%zu", g), "");
        for (size_t i = g % 4; i < 12; i += 1 + g % 3) rests(d, x, first + i);
        for (size_t i = 0; g > 3 && i < 3; i++) rests(d, x, x - 1 - i);
    }
    found(d, true, first + 5);
    checked(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(from_one_to_thousands, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(many_that_are_alike_fold, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(nobody_is_dropped_unsaid, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(links, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(states_and_absent_members, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(unknown_places, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(stacks, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(hostile_names, arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(tangle, arena_setup, arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
