/*
 * picture.h - plots and the host picture as shapes
 *
 * plots.c and host_picture.c make pictures of a diagnosis; html.c writes them as inline SVG (svg.c). Coordinates are CSS
 * pixels of a view box from 0,0 to width,height, y downwards. Colours, fonts and widths of lines belong to report.css: a
 * shape has a class only, so that light, dark and print differ in the style alone. Colour never carries a meaning alone: a
 * culprit has another shape, pattern or word, too.
 *
 * A picture is nothing without its words: title (what it shows), desc (what one sees in it, for who cannot see it) and data
 * (the figures as a table, folded under it).
 */
#ifndef STORDX_REPORTS_PICTURE_H
#define STORDX_REPORTS_PICTURE_H

#include "doc.h"

typedef enum ShapeKind {
    SHAPE_RECT,   /* x y w h, corners of radius r */
    SHAPE_LINE,   /* x y to w h */
    SHAPE_CIRCLE, /* x y r */
    SHAPE_PATH,   /* text: commands of the path */
    SHAPE_TEXT,   /* x y: its base line; anchor; text */
    SHAPE_GROUP,  /* up to its SHAPE_END; text: what a pointer resting on it shows, may be empty */
    SHAPE_END
} ShapeKind;

typedef enum Anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } Anchor;

typedef struct Shape {
    ShapeKind kind;
    Anchor anchor;
    const char *class_; /* ours; NULL: none */
    double x, y, w, h, r;
    Str text; /* clean */
} Shape;

typedef struct Picture {
    Arena *arena;
    const char *role; /* class of the figure: "latency", "host", ... */
    Str title, desc;
    double width, height; /* positive; shown no wider than so, and scaled down to a narrow page */
    VEC(Shape) shapes;
    Table *data; /* NULL: none */
} Picture;

/* A picture in the document, behind the other children of `parent`. Text and Markdown leave it out. */
Picture *doc_picture(Doc *d, DocNode *parent, const char *role, Str title, Str desc, double width, double height);
/* The table under it; columns and rows as for doc_table(). */
Table *picture_data(Doc *d, Picture *p, const char *caption);

void picture_rect(Picture *p, const char *class_, double x, double y, double w, double h, double r);
void picture_line(Picture *p, const char *class_, double x1, double y1, double x2, double y2);
void picture_circle(Picture *p, const char *class_, double x, double y, double r);
void picture_text(Picture *p, const char *class_, double x, double y, Anchor anchor, Str text);
void picture_group(Picture *p, const char *class_, Str tip);
void picture_end(Picture *p);

/* A path, point by point: "M x y L x y ...". `pen_down` false begins a new stroke. */
typedef struct PathPen {
    StrBuf d;
    bool drawn;
} PathPen;
void pen_init(PathPen *pen, Arena *a);
void pen_to(PathPen *pen, double x, double y, bool pen_down);
void picture_path(Picture *p, const char *class_, PathPen *pen); /* nothing when empty */

/* Roughly how wide a text is at a size of font, for system fonts, which are not known here: to place and to clip. */
double text_width(Str text, double font_px);
/* Cut with an ellipsis in the middle, as the ends of device names and serials tell them apart. */
Str text_fit(Arena *a, Str text, double font_px, double width);

#endif
