#include "svg.h"

typedef struct Out {
    xmlTextWriterPtr x;
    Arena *a;
    bool failed;
} Out;

static void check(Out *o, int result) {
    if (result < 0) o->failed = true;
}

static void begin(Out *o, const char *name) {
    check(o, xmlTextWriterStartElement(o->x, (const xmlChar *)name));
}

static void end(Out *o) {
    check(o, xmlTextWriterFullEndElement(o->x));
}

static void attr(Out *o, const char *name, const char *value) {
    check(o, xmlTextWriterWriteAttribute(o->x, (const xmlChar *)name, (const xmlChar *)value));
}

/* A tenth of a pixel is all that is seen; a figure that is not finite would make the whole attribute invalid. */
static void number_attr(Out *o, const char *name, double v) {
    if (!(v > -1e6 && v < 1e6)) v = 0;
    const char *s = arena_fmt(o->a, "%.1f", v);
    Str t = str_of(s);
    if (t.len > 2 && t.p[t.len - 1] == '0') s = arena_cstr(o->a, (Str){t.p, t.len - 2});
    attr(o, name, s[0] == '-' && s[1] == '0' && !s[2] ? "0" : s);
}

static void class_attr(Out *o, const char *class_) {
    if (class_) attr(o, "class", class_);
}

static void words(Out *o, Str s) {
    if (s.len) check(o, xmlTextWriterWriteString(o->x, (const xmlChar *)arena_cstr(o->a, s)));
}

static void worded(Out *o, const char *name, const char *id, Str s) {
    if (!s.len) return;
    begin(o, name);
    if (id) attr(o, "id", id);
    words(o, s);
    end(o);
}

static void shape(Out *o, const Shape *s, int *open) {
    switch (s->kind) {
    case SHAPE_RECT:
        begin(o, "rect");
        class_attr(o, s->class_);
        number_attr(o, "x", s->x);
        number_attr(o, "y", s->y);
        number_attr(o, "width", s->w > 0 ? s->w : 0);
        number_attr(o, "height", s->h > 0 ? s->h : 0);
        if (s->r > 0) number_attr(o, "rx", s->r);
        end(o);
        break;
    case SHAPE_LINE:
        begin(o, "line");
        class_attr(o, s->class_);
        number_attr(o, "x1", s->x);
        number_attr(o, "y1", s->y);
        number_attr(o, "x2", s->w);
        number_attr(o, "y2", s->h);
        end(o);
        break;
    case SHAPE_CIRCLE:
        begin(o, "circle");
        class_attr(o, s->class_);
        number_attr(o, "cx", s->x);
        number_attr(o, "cy", s->y);
        number_attr(o, "r", s->r > 0 ? s->r : 0);
        end(o);
        break;
    case SHAPE_PATH:
        begin(o, "path");
        class_attr(o, s->class_);
        attr(o, "d", arena_cstr(o->a, s->text));
        end(o);
        break;
    case SHAPE_TEXT:
        begin(o, "text");
        class_attr(o, s->class_);
        number_attr(o, "x", s->x);
        number_attr(o, "y", s->y);
        if (s->anchor != ANCHOR_START) attr(o, "text-anchor", s->anchor == ANCHOR_END ? "end" : "middle");
        words(o, s->text);
        end(o);
        break;
    case SHAPE_GROUP:
        begin(o, "g");
        class_attr(o, s->class_);
        worded(o, "title", NULL, s->text);
        ++*open;
        break;
    case SHAPE_END:
        if (*open) {
            end(o);
            --*open;
        }
        break;
    }
}

bool svg_write(xmlTextWriterPtr x, Arena *a, const Picture *p, int number) {
    Out out = {x, a, false}, *o = &out;
    const char *title = arena_fmt(a, "picture-%d-title", number), *desc = arena_fmt(a, "picture-%d-desc", number);
    begin(o, "svg");
    attr(o, "viewBox", arena_fmt(a, "0 0 %.0f %.0f", p->width, p->height));
    number_attr(o, "width", p->width);
    number_attr(o, "height", p->height);
    attr(o, "role", "img");
    attr(o, "aria-labelledby", p->desc.len ? arena_fmt(a, "%s %s", title, desc) : title);
    worded(o, "title", title, p->title);
    worded(o, "desc", desc, p->desc);
    int open = 0;
    for (size_t i = 0; i < p->shapes.count; i++) shape(o, &p->shapes.items[i], &open);
    while (open-- > 0) end(o);
    end(o);
    return !out.failed;
}
