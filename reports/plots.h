/*
 * plots.h - series and distributions as small pictures
 *
 * Each is as wide as a phone shows without making letters small, so that a wide page has two beside each other. A culprit is
 * told by weight, filled area and word; peers are grey. Nothing is drawn of fewer than three points.
 */
#ifndef STORDX_REPORTS_PLOTS_H
#define STORDX_REPORTS_PLOTS_H

#include "picture.h"

/* Section "In pictures"; no section where there is nothing to draw. */
void put_plots(Doc *doc, const Diagnosis *d);
void put_compare_plots(Doc *doc, const Comparison *c);

/* ---- scales, for tests, too ---- */

/* Values from lo to hi onto pixels from..to. Both ends are finite and differ, whatever it was made of. */
typedef struct Scale {
    bool log;
    double lo, hi, from, to;
} Scale;

enum { TICKS_MOST = 12 };

/*
 * A scale that holds [lo, hi], with round ends. It is logarithmic where `log` is wanted and hi is 20 times lo or more; what is
 * 0 or below then stands at its lower end. Not finite: as if it were not there.
 */
Scale scale_of(double lo, double hi, bool log, double from, double to);
/* Pixel of a value, within from..to; NAN of NAN. */
double scale_at(const Scale *s, double v);
/* Round values within the scale, ascending, at most `most` and TICKS_MOST. */
size_t scale_ticks(const Scale *s, size_t most, double *ticks);
/* Whole seconds, minutes, hours or days between the marks of an axis of time with at most `most` of them. */
double time_step(double span_s, size_t most);

#endif
