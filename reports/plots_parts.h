/*
 * plots_parts.h - between plots.c and plots_compare.c; for these only
 */
#ifndef STORDX_REPORTS_PLOTS_PARTS_H
#define STORDX_REPORTS_PLOTS_PARTS_H

#include "layout_parts.h"
#include "plots.h"

enum {
    PANELS_MOST = 24,
    ROWS_UNDER = 64, /* of a table under a picture */
    LEAST_POINTS = 3
};

#define WIDTH 420.0 /* of a picture; lines at its edge keep one pixel from it */
#define FONT 12.0
#define SMALL 11.0

/* The next of 1, 2, 5 x 10^k at or above, or at or below, v > 0. */
double round_up(double v);
double round_down(double v);

Str ms_text(Arena *a, double ms);
/* Lines at the ticks of a scale, with their figures left of x1 where `labels`, or below y2. */
void grid_y(Picture *p, const Scale *y, double x1, double x2, size_t most, bool labels);
void grid_x(Picture *p, const Scale *x, double y1, double y2, size_t most);
/* Sentences of a legend, broken into lines of the picture; how high they are. Without a picture they are only measured. */
double put_words(Picture *p, double y, Str words);

#endif
