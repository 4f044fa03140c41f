/*
 * figures.h - the series behind the plots and the timeline of a report
 *
 * A diagnosis is made of facts in single figures; pictures need series. They cost a walk over the samples, so they are
 * filled only for a report that shows them. Lone averages since boot are no samples and never come in here.
 */
#ifndef STORDX_DIAGNOSE_FIGURES_H
#define STORDX_DIAGNOSE_FIGURES_H

#include "diagnosis.h"

typedef struct Facts Facts; /* facts.h */

typedef enum FigureWish {
    FIGURES_EVENTS, /* the timeline alone: text and Markdown */
    FIGURES_ALL     /* and the series: HTML */
} FigureWish;

/*
 * Sets d->figures from the facts of its capture. Of several tools the kernel's samples are taken before those of the pool; of
 * several runs of one tool those around the longest. All drives share one row of moments, so that points of the same index
 * belong together. A fact that cannot be read leaves its part empty.
 */
void figures_fill(Facts *f, Arena *a, Diagnosis *d, FigureWish wish);

/* ---- the arithmetic, for tests ---- */

/* Weighted mean of what falls into one moment. A value that is not finite or below 0 does not count. */
typedef struct Fold {
    double sum, weight;
    float max;
} Fold;
void fold_add(Fold *f, double value, double weight);
float fold_mean(const Fold *f); /* NAN: nothing fell into it */

/* Width of a moment: of `span_s` in at most FIGURE_MOMENTS moments, no narrower than a sample. Positive for any input. */
double moment_step(double span_s, double sample_s);
/* Quantiles (i + 0.5) / n of values with counts, n = min(FIGURE_DOTS, all of them). Sorts the values; returns n. */
typedef struct Counted {
    float value;
    uint32_t n;
} Counted;
size_t dots_of(Counted *values, size_t count, float *dots);

#endif
