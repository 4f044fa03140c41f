#include "timeline.h"

#include "base/times.h"
#include "format.h"
#include "layout_parts.h"

#include <math.h>

enum {
    ROWS_SHOWN = 60,
    ROWS_SHORT = 12,
    KERNEL_ROWS = 30,
    KERNEL_SAME = 4 /* newest times of one kernel event; what comes every hour would hide all else */
};

Str clock_text(Arena *a, double epoch_s, double timezone_s, bool day, bool seconds) {
    if (!isfinite(epoch_s) || fabs(epoch_s) > 1e11) return STR("");
    char iso[48];
    time_format_iso(floor(epoch_s + (isfinite(timezone_s) ? timezone_s : 0)), 0, iso, sizeof iso);
    Str s = arena_str(a, str_of(iso)); /* 2024-07-01T12:00:00Z */
    if (s.len < 19) return STR("");
    Str date = str_sub(s, 0, 10), clock = str_sub(s, 11, seconds ? 8 : 5);
    return day ? arena_strf(a, "%.*s %.*s", STR_ARG(date), STR_ARG(clock)) : clock;
}

Str zone_text(Arena *a, double timezone_s) {
    if (!isfinite(timezone_s) || timezone_s == 0 || fabs(timezone_s) > 86400) return STR("UTC");
    int minutes = (int)fabs(timezone_s) / 60;
    return arena_strf(a, "UTC%c%02d:%02d", timezone_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

Str event_words(Arena *a, Str word) {
    StrBuf out;
    sb_init(&out, a);
    while (word.len) {
        if (out.len) sb_addc(&out, ' ');
        sb_add(&out, str_cut(&word, '-'));
    }
    return sb_str(&out);
}

static const char *pool_words(Str what) {
    static const struct {
        const char *id, *words;
    } known[] = {{"created", N_("pool {of} was made")},
                 {"imported", N_("pool {of} was imported")},
                 {"scan-start", N_("a scrub or resilver of pool {of} began")},
                 {"scan-end", N_("a scrub or resilver of pool {of} ended")},
                 {"scan-restart", N_("a scrub or resilver of pool {of} began anew")},
                 {"scan-cancel", N_("a scrub or resilver of pool {of} was stopped")},
                 {"delay", N_("slow I/O in pool {of}")},
                 {"deadman", N_("an I/O of pool {of} hung")},
                 {"checksum", N_("checksum errors in pool {of}")},
                 {"io", N_("I/O errors in pool {of}")},
                 {"io-failure", N_("pool {of} stopped on an I/O failure")},
                 {"probe-failure", N_("a member of pool {of} did not answer")},
                 {"state", N_("a member of pool {of} changed its state")},
                 {"removed", N_("a member of pool {of} was removed")},
                 {"label", N_("a member of pool {of} could not be used")}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(what, known[i].id)) return _(known[i].words);
    return NULL;
}

static void put_what(Doc *doc, Row *row, const FigureEvent *e) {
    Arena *a = doc->arena;
    Spans *cell = &row->cells[1];
    switch (e->kind) {
    case FIGURE_BOOT: span_addz(doc, cell, 0, _("The host was started")); break;
    case FIGURE_CAPTURE:
        span_add(doc, cell, e->running ? SPAN_STRONG : 0,
                 e->running    ? str_of(_("This capture was made"))
                 : e->what.len ? say(a, _("The capture {name} was made"), "name", doc_clean(doc, e->what), NULL)
                               : str_of(_("Another capture was made")));
        break;
    case FIGURE_SLOW:
        span_addz(doc, cell, SPAN_STRONG,
                  str_is(e->what, "tasks hung") ? _("Tasks hung: the time complained of")
                                                : _("Samples were taken: the time under diagnosis"));
        row->tone = TONE_WARN;
        break;
    case FIGURE_KERNEL:
        if (e->parts > 1)
            span_add(doc, cell, 0,
                     say_n(a, "Kernel: {event}, {n} part", "Kernel: {event}, {n} parts", (unsigned long)e->parts,
                           "event", lang_phrase(a, event_words(a, doc_clean(doc, e->what))), NULL));
        else
            span_add(doc, cell, 0,
                     say(a, e->of.len ? _("Kernel: {event}, {part}") : _("Kernel: {event}"), "event",
                         lang_phrase(a, event_words(a, doc_clean(doc, e->what))), "part", doc_clean(doc, e->of), NULL));
        if (e->grave) row->tone = TONE_BAD;
        break;
    case FIGURE_JOB:
        span_add(doc, cell, 0,
                 say(a, e->running ? _("Job, still running: {name}") : _("Job: {name}"), "name",
                     lang_phrase(a, doc_clean(doc, e->what)), NULL));
        break;
    case FIGURE_POOL: {
        const char *known = pool_words(e->what);
        span_add(doc, cell, 0,
                 capital(a, known ? say(a, known, "of", doc_clean(doc, e->of), NULL)
                                  : lang_phrase(a, event_words(a, doc_clean(doc, e->what)))));
        if (e->grave) row->tone = TONE_BAD;
        break;
    }
    }
}

void put_timeline(Doc *doc, const Diagnosis *d) {
    const Figures *f = d->figures;
    if (!f || !f->events.count) return;
    size_t real = 0; /* a capture's own time alone tells nothing that the head does not */
    for (size_t i = 0; i < f->events.count; i++)
        real += f->events.items[i].kind != FIGURE_CAPTURE && f->events.items[i].kind != FIGURE_SLOW;
    if (!real) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "timeline", _("What happened when"));
    doc_paragraph(doc, s, "intro");
    DocNode *p = s->children.items[s->children.count - 1];
    Str zone = zone_text(a, f->timezone_s);
    span_add(doc, &p->spans, 0,
             say(a,
                 isfinite(f->timezone_s) ? _("Times are those of the host's clock ({zone}).")
                                         : _("Times are {zone}: the zone of the host is not known."),
                 "zone", zone, NULL));
    Table *t = doc_table(doc, s, _("Events in order of time, the newest first"), false);
    t->short_rows = ROWS_SHORT;
    doc_column(doc, t, str_of(_("When")), false);
    doc_column(doc, t, str_of(_("What")), false);
    doc_column(doc, t, str_of(_("How often")), true);
    doc_column(doc, t, str_of(_("Until")), false);
    size_t shown = 0, kernel = 0, left = f->events_left_out;
    for (size_t i = f->events.count; i > 0; i--) {
        const FigureEvent *e = &f->events.items[i - 1];
        size_t newer = 0;
        for (size_t k = i; k < f->events.count && e->kind == FIGURE_KERNEL && newer < KERNEL_SAME; k++)
            newer += f->events.items[k].kind == FIGURE_KERNEL && str_eq(f->events.items[k].what, e->what);
        bool fits = shown < ROWS_SHOWN && newer < KERNEL_SAME &&
                    !(e->kind == FIGURE_KERNEL && !e->grave && kernel >= KERNEL_ROWS);
        if (!fits) {
            left++;
            continue;
        }
        shown++;
        kernel += e->kind == FIGURE_KERNEL;
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], 0, clock_text(a, e->from_s, f->timezone_s, true, true));
        put_what(doc, row, e);
        if (e->count > 1) span_addf(doc, &row->cells[2], 0, "%zu", e->count);
        if (isfinite(e->to_s)) {
            span_add(doc, &row->cells[3], 0, clock_text(a, e->to_s, f->timezone_s, e->to_s - e->from_s > 43200, true));
            span_add(doc, &row->cells[3], SPAN_MUTED,
                     arena_strf(a, " (%.*s)", STR_ARG(format_span(a, e->to_s - e->from_s))));
        }
    }
    if (left) {
        p = doc_paragraph(doc, s, NULL);
        span_add(doc, &p->spans, SPAN_MUTED,
                 say_n(a, "{n} older or lesser event is left out.", "{n} older or lesser events are left out.",
                       (unsigned long)left, NULL));
    }
}
