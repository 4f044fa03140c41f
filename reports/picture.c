#include "picture.h"

#include <math.h>

Picture *doc_picture(Doc *d, DocNode *parent, const char *role, Str title, Str desc, double width, double height) {
    DocNode *n = doc_add(d, parent, DOC_PICTURE);
    Picture *p = arena_new_of(d->arena, Picture);
    *p = (Picture){.arena = d->arena,
                   .role = role,
                   .title = clean(d->arena, title, CLEAN_INLINE),
                   .desc = clean(d->arena, desc, CLEAN_INLINE),
                   .width = width,
                   .height = height};
    n->picture = p;
    return p;
}

Table *picture_data(Doc *d, Picture *p, const char *caption) {
    p->data = arena_new_of(d->arena, Table);
    p->data->caption = str_of(caption);
    p->data->html_only = true;
    return p->data;
}

static void add(Picture *p, Shape s) {
    VEC_PUSH(p->arena, &p->shapes, s);
}

void picture_rect(Picture *p, const char *class_, double x, double y, double w, double h, double r) {
    add(p, (Shape){.kind = SHAPE_RECT, .class_ = class_, .x = x, .y = y, .w = w, .h = h, .r = r});
}

void picture_line(Picture *p, const char *class_, double x1, double y1, double x2, double y2) {
    add(p, (Shape){.kind = SHAPE_LINE, .class_ = class_, .x = x1, .y = y1, .w = x2, .h = y2});
}

void picture_circle(Picture *p, const char *class_, double x, double y, double r) {
    add(p, (Shape){.kind = SHAPE_CIRCLE, .class_ = class_, .x = x, .y = y, .r = r});
}

void picture_text(Picture *p, const char *class_, double x, double y, Anchor anchor, Str text) {
    Str words = clean(p->arena, text, CLEAN_NAME);
    if (words.len)
        add(p, (Shape){.kind = SHAPE_TEXT, .class_ = class_, .x = x, .y = y, .anchor = anchor, .text = words});
}

void picture_group(Picture *p, const char *class_, Str tip) {
    add(p, (Shape){.kind = SHAPE_GROUP, .class_ = class_, .text = clean(p->arena, tip, CLEAN_NAME)});
}

void picture_end(Picture *p) {
    add(p, (Shape){.kind = SHAPE_END});
}

void pen_init(PathPen *pen, Arena *a) {
    sb_init(&pen->d, a);
    pen->drawn = false;
}

void pen_to(PathPen *pen, double x, double y, bool pen_down) {
    if (!isfinite(x) || !isfinite(y)) return;
    bool draw = pen_down && pen->drawn;
    sb_addf(&pen->d, "%s%c%.1f %.1f", pen->drawn ? " " : "", draw ? 'L' : 'M', x, y);
    pen->drawn = true;
}

void picture_path(Picture *p, const char *class_, PathPen *pen) {
    if (pen->drawn) add(p, (Shape){.kind = SHAPE_PATH, .class_ = class_, .text = sb_str(&pen->d)});
}

/* A little more than the average letter of Segoe UI, Roboto and Noto Sans takes: rather too much room than letters over a line. */
#define LETTER_EM 0.56

/* Cyrillic letters are wider than Latin ones, in all of them. */
#define CYRILLIC_EM 0.64

double text_width(Str text, double font_px) {
    size_t cyrillic = 0;
    for (size_t i = 0; i < text.len; i++)
        cyrillic += (unsigned char)text.p[i] == 0xd0 || (unsigned char)text.p[i] == 0xd1;
    return ((double)display_width(text) * LETTER_EM + (double)cyrillic * (CYRILLIC_EM - LETTER_EM)) * font_px;
}

Str text_fit(Arena *a, Str text, double font_px, double width) {
    if (text_width(text, font_px) <= width) return text;
    VEC(size_t) at = {0}; /* where each character begins */
    for (size_t i = 0; i < text.len;) {
        uint32_t code;
        VEC_PUSH(a, &at, i);
        i += utf8_decode(text, i, &code);
    }
    VEC_PUSH(a, &at, text.len);
    /* in columns, as some characters take two */
    size_t room = width > font_px ? (size_t)(width / (font_px * LETTER_EM)) : 1, left = 0, right = at.count - 1,
           used = 1;
    for (bool more = true; more && left < right;) {
        more = false;
        for (int side = 0; side < 2 && left < right; side++) { /* one at the end, one at the beginning */
            size_t from = side ? left : right - 1;
            size_t columns = display_width((Str){text.p + at.items[from], at.items[from + 1] - at.items[from]});
            if (used + columns > room) continue;
            used += columns;
            if (side) left++;
            else right--;
            more = true;
        }
    }
    if (left >= right) return text;
    size_t end = at.items[left], from = at.items[right];
    return arena_strf(a, "%.*s…%.*s", (int)end, text.p, (int)(text.len - from), text.p + from);
}
