/* The comparison of two or more captures: what changed, and whether it helped. */
#include "layout.h"

#include "base/lang.h"
#include "base/version.h"
#include "format.h"
#include "plots.h"

#include <math.h>

enum { TITLES_SHOWN = 4, CHANGE_ROWS_SHOWN = 60, FACTOR_ROWS_SHOWN = 60, FIGURE_ROWS_SHOWN = 40, SUBJECTS_SHOWN = 8 };

/* "before" and "after"; of a longer series "stage 1", "stage 2", ... As comparisons keep it: not yet translated. */
static Str stage_name(Arena *a, const Comparison *c, size_t i) {
    if (i < c->names.count && c->names.items[i].len) return c->names.items[i];
    if (c->stages.count <= 2) return i == 0 ? STR("before") : STR("after");
    return arena_strf(a, "stage %zu", i + 1);
}

static Str stage_title(Arena *a, const Comparison *c, size_t i) {
    Str name = stage_name(a, c, i);
    if (str_is(name, "before")) return str_of(_("Before"));
    if (str_is(name, "after")) return str_of(_("After"));
    if (str_starts(name, "stage ")) return say(a, _("Stage {n}"), "n", str_from(name, 6), NULL);
    return arena_strf(a, "%c%.*s", name.p[0] >= 'a' && name.p[0] <= 'z' ? name.p[0] - 32 : name.p[0],
                      STR_ARG(str_from(name, 1)));
}

static bool is_series(const Comparison *c) {
    return c->stages.count > 2;
}

/* "3 to 4" of a pair in a series. */
static Str step_words(Arena *a, size_t step) {
    if (!step) return STR("");
    return say(a, _("{from} to {to}"), "from", arena_strf(a, "%zu", step), "to", arena_strf(a, "%zu", step + 1), NULL);
}

static const Diagnosis *last_stage(const Comparison *c) {
    return c->stages.count ? c->stages.items[c->stages.count - 1] : NULL;
}

static const Diagnosis *first_stage(const Comparison *c) {
    return c->stages.count ? c->stages.items[0] : NULL;
}

/* ---------------------------------------------------------------- verdict */

/* Causes and risks; notes are counted only. A lone drive is named with its serial number, because its name may have been
   another drive's before. */
static Str titles_of(Doc *doc, const FindingList *list) {
    StrBuf out;
    sb_init(&out, doc->arena);
    size_t notes = 0, shown = 0, more = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Finding *f = list->items[i];
        if (str_is(f->kind, "note")) {
            notes++;
            continue;
        }
        if (shown == TITLES_SHOWN) {
            more++;
            continue;
        }
        const Subject *only = f->subjects.count == 1 ? f->subjects.items : NULL;
        Str names = subject_names(doc, f->subjects.items, f->subjects.count, 6);
        if (names.len && only && str_is(only->kind, "drive") && only->serial.len)
            names = say(doc->arena, _("{drive}, serial {serial}"), "drive", names, "serial",
                        doc_clean(doc, only->serial), NULL);
        Str title = doc_clean(doc, f->title.len ? f->title : f->rule);
        if (shown++) sb_addz(&out, "; ");
        sb_add(&out, names.len ? say(doc->arena, _("{title} ({names})"), "title", title, "names", names, NULL) : title);
    }
    Str text = sb_str(&out);
    if (more) text = say_n(doc->arena, "{titles}; and {n} more", "{titles}; and {n} more", more, "titles", text, NULL);
    if (!shown && notes)
        return say_n(doc->arena, "none, apart from {n} note", "none, apart from {n} notes", notes, NULL);
    if (!shown) return str_of(_("none"));
    if (notes)
        text = say_n(doc->arena, "{titles}; and {n} note", "{titles}; and {n} notes", notes, "titles", text, NULL);
    return text;
}

static size_t count_kind(const FindingList *list, const char *kind) {
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) n += str_is(list->items[i]->kind, kind);
    return n;
}

/* Causes and risks; a note is worth knowing, but neither good nor bad news. */
static size_t weighty(const FindingList *list) {
    return list->count - count_kind(list, "note");
}

/* "2 causes resolved", "1 risk resolved": the same count of causes as in the text at the top. */
typedef enum Fate { FATE_RESOLVED, FATE_NEW, FATE_REMAINING } Fate;

static void put_counts(Doc *doc, DocNode *s, const FindingList *list, Fate fate, Tone tone) {
    static const struct {
        const char *kind;
        struct {
            const char *one, *many;
        } of[FATE_REMAINING + 1];
    } words[] = {{"cause",
                  {{P_("{n} cause resolved", "{n} causes resolved")},
                   {P_("{n} new cause", "{n} new causes")},
                   {P_("{n} cause remaining", "{n} causes remaining")}}},
                 {"risk",
                  {{P_("{n} risk resolved", "{n} risks resolved")},
                   {P_("{n} new risk", "{n} new risks")},
                   {P_("{n} risk remaining", "{n} risks remaining")}}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = count_kind(list, words[i].kind);
        if (!n) continue;
        doc_badge(doc, s, say_n(doc->arena, words[i].of[fate].one, words[i].of[fate].many, n, NULL),
                  i == 0 || tone == TONE_GOOD ? tone : TONE_WARN);
    }
}

static Str verdict_text(const Comparison *c) {
    if (c->text.len) return c->text;
    if (c->resolved.count && !c->new_.count && !c->remaining.count)
        return str_of(_("What was found before is gone, and nothing new was found."));
    if (c->new_.count || c->remaining.count)
        return str_of(_("There are still causes in the newer capture; they stand below."));
    return str_of(_("No finding changed between these captures. What could not be compared stands below."));
}

static Str drive_label(const DriveHistory *h) {
    for (size_t i = h->stages.count; i > 0; i--)
        if (h->stages.items[i - 1].present && h->stages.items[i - 1].name.len) return h->stages.items[i - 1].name;
    return h->model.len ? h->model : h->serial.len ? h->serial : h->id;
}

/* Model, serial and WWN: what is printed on the drive. */
static void put_identity(Doc *doc, Spans *cell, const DriveHistory *h) {
    span_add(doc, cell, SPAN_STRONG, h->model.len ? h->model : drive_label(h));
    if (h->serial.len)
        span_addf(doc, cell, 0, ", %.*s", STR_ARG(say(doc->arena, _("serial {serial}"), "serial", h->serial, NULL)));
    if (h->wwn.len) span_addf(doc, cell, SPAN_MUTED, ", WWN 0x%.*s", STR_ARG(h->wwn));
}

static Str ratio_words(Arena *a, double ratio) {
    return ratio < 10 ? arena_strf(a, "%.2g", ratio) : arena_strf(a, "%.0f", ratio);
}

static void put_wait(Doc *doc, Spans *cell, const Stage *s) {
    if (!isfinite(s->wait_ms)) {
        span_addz(doc, cell, SPAN_MUTED, _("not measured"));
        return;
    }
    span_add(doc, cell, s->slow ? SPAN_STRONG : 0, format_quantity(doc->arena, s->wait_ms, STR("ms")));
    if (isfinite(s->ratio) && s->ratio < 0.5) span_addf(doc, cell, 0, ", %s", _("less than its peers"));
    else if (isfinite(s->ratio))
        span_addf(doc, cell, s->slow ? SPAN_STRONG : 0, ", %.*s",
                  STR_ARG(say(doc->arena, _("{ratio} × its peers"), "ratio", ratio_words(doc->arena, s->ratio), NULL)));
}

/* A drive by its name in the later stage, with the earlier one where it was another. */
static void put_where(Doc *doc, Spans *cell, const Comparison *c, const Subject *subject, size_t step, unsigned style) {
    span_add(doc, cell, style, subject_name(doc, subject));
    for (size_t i = 0; i < c->drives.count && step; i++) {
        const DriveHistory *h = &c->drives.items[i];
        if (h->node != subject->node || step >= h->stages.count) continue;
        const Stage *old = &h->stages.items[step - 1], *now = &h->stages.items[step];
        if (old->present && now->present && !str_eq(old->name, now->name))
            span_addf(doc, cell, SPAN_MUTED, " (%.*s)",
                      STR_ARG(say(doc->arena, _("before {name}"), "name", old->name, NULL)));
    }
}

/* Who sat where, and how slow it was there: what tells a drive from a port. */
static void put_moves(Doc *doc, const Comparison *c, DocNode *s, size_t step) {
    Arena *a = doc->arena;
    Table *t = NULL;
    const size_t drives = c->drives.count;
    for (size_t i = 0; i < 2 * drives; i++) { /* the slow ones first */
        const DriveHistory *h = &c->drives.items[i < drives ? i : i - drives];
        if (step >= h->stages.count || !h->stages.items[step].moved) continue;
        const Stage *old = &h->stages.items[step - 1], *now = &h->stages.items[step];
        if ((old->slow || now->slow) != (i < drives)) continue;
        if (!t) {
            Str caption = is_series(c) ? say(a, _("Drives that changed places from stage {from} to stage {to}"), "from",
                                             arena_strf(a, "%zu", step), "to", arena_strf(a, "%zu", step + 1), NULL)
                                       : str_of(_("Drives that changed places"));
            t = doc_table(doc, s, arena_cstr(a, caption), true);
            doc_column(doc, t, str_of(_("Drive")), false);
            for (size_t k = step - 1; k <= step; k++) {
                doc_column(doc, t, stage_title(a, c, k), false);
                doc_column(doc, t, say(a, _("{stage}: wait"), "stage", stage_title(a, c, k), NULL), false);
            }
        }
        Row *row = doc_row(doc, t);
        if (old->slow && now->slow) row->tone = TONE_BAD;
        put_identity(doc, &row->cells[0], h);
        const Stage *const sides[] = {old, now};
        for (size_t k = 0; k < 2; k++) {
            span_add(doc, &row->cells[1 + 2 * k], SPAN_STRONG, sides[k]->name);
            span_addf(doc, &row->cells[1 + 2 * k], 0, " %.*s",
                      STR_ARG(say(a, _("at {place}"), "place", lang_phrase(a, place_text(a, &sides[k]->place)), NULL)));
            put_wait(doc, &row->cells[2 + 2 * k], sides[k]);
        }
    }
}

/* The lead says the first paragraph of the first two verdicts that ask for something to be done. */
static bool in_lead(const Comparison *c, size_t i) {
    return c->text.len && i < 2 && c->verdicts.items[i]->fix.count && c->verdicts.items[i]->summary.count > 1;
}

static void put_verdict(Doc *doc, const Comparison *c) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "verdict", _("Verdict"));
    s->role = "verdict";
    size_t resolved = weighty(&c->resolved), fresh = weighty(&c->new_), remaining = weighty(&c->remaining);
    bool open = fresh || remaining;
    s->tone = open ? TONE_WARN : resolved ? TONE_GOOD : TONE_INFO;
    if (c->different_hosts) doc_badge(doc, s, str_of(_("Different hosts")), TONE_BAD);
    put_counts(doc, s, &c->resolved, FATE_RESOLVED, TONE_GOOD);
    put_counts(doc, s, &c->new_, FATE_NEW, TONE_BAD);
    put_counts(doc, s, &c->remaining, FATE_REMAINING, TONE_WARN);
    if (!open && !resolved && !c->different_hosts) doc_badge(doc, s, str_of(_("No finding changed")), TONE_INFO);
    DocNode *p = doc_paragraph(doc, s, "lead");
    VEC_PUSH(a, &p->spans, ((Span){.text = clean(a, verdict_text(c), CLEAN_LINE)}));
    for (size_t step = 1; step < c->stages.count; step++) put_moves(doc, c, s, step);
    if (!c->different_hosts) {
        DocNode *facts = doc_add(doc, s, DOC_FACTS);
        facts->role = "answer";
        doc_fact(doc, facts, _("Resolved"), titles_of(doc, &c->resolved));
        doc_fact(doc, facts, _("New"), titles_of(doc, &c->new_));
        doc_fact(doc, facts, _("Remaining"), titles_of(doc, &c->remaining));
    }
    layout_warnings(doc, s, c->warnings.items, c->warnings.count, NULL, "");
    for (size_t i = 0; i < c->stages.count; i++) {
        const Diagnosis *d = c->stages.items[i];
        layout_warnings(doc, s, d->warnings.items, d->warnings.count, &d->bundle,
                        arena_fmt(a, " (%s)", arena_cstr(a, stage_words(a, stage_name(a, c, i)))));
    }
    for (size_t i = 0; i < c->verdicts.count; i++) {
        Finding f = *c->verdicts.items[i];
        const Diagnosis *d = f.step && f.step < c->stages.count ? c->stages.items[f.step] : last_stage(c);
        if (in_lead(c, i)) f.summary = (Rich){f.summary.blocks + 1, f.summary.count - 1};
        DocNode *card = layout_finding(doc, s, d, &f, CARD_CAUSE);
        if (is_series(c) && f.step)
            doc_badge(doc, card, say(a, _("stage {step}"), "step", step_words(a, f.step), NULL), TONE_NONE);
    }
}

/* What a verdict cannot be, and why. */
static void put_unconfirmed(Doc *doc, const Comparison *c) {
    if (!c->ruled_out.count) return;
    DocNode *s = doc_section(doc, "not-confirmed", _("Not confirmed"));
    doc_text(
        doc, s,
        _("Changes that were made and did not show the effect that was hoped for, or whose effect nobody measured."))
        ->role = "intro";
    DocNode *list = doc_add(doc, s, DOC_LIST);
    for (size_t i = 0; i < c->ruled_out.count; i++) {
        const RuledOut *r = &c->ruled_out.items[i];
        DocNode *item = doc_add(doc, list, DOC_ITEM), *p = doc_paragraph(doc, item, NULL);
        Str names = subject_names(doc, r->subjects.items, r->subjects.count, 8);
        if (names.len) {
            span_add(doc, &p->spans, SPAN_STRONG, names);
            span_addz(doc, &p->spans, 0, ": ");
        }
        span_addf(doc, &p->spans, 0, "%.*s.", STR_ARG(r->reason));
        doc_evidence(doc, item, &r->evidence, 2, true);
    }
}

/* ---------------------------------------------------------------- drives and changes */

static const Stage *stage_before(const DriveHistory *h, size_t i) {
    while (i-- > 0)
        if (h->stages.items[i].present) return &h->stages.items[i];
    return NULL;
}

/* A cell of the drive table; what differs from the stage before says so. */
static void put_stage(Doc *doc, Spans *cell, const DriveHistory *h, size_t i) {
    Arena *a = doc->arena;
    const Stage *s = &h->stages.items[i], *old = stage_before(h, i);
    if (!s->present) {
        span_addz(doc, cell, old ? SPAN_STRONG : SPAN_MUTED, _("not there"));
        return;
    }
    /* The name means nothing, the place does: only a drive that moved is stressed. */
    span_add(doc, cell, SPAN_STRONG, s->name);
    bool any = s->name.len > 0;
    Str place = lang_phrase(a, place_text(a, &s->place));
    if (place.len) {
        span_addf(doc, cell, s->moved ? SPAN_STRONG : 0, "%s%.*s", any ? " " : "",
                  STR_ARG(say(a, _("at {place}"), "place", place, NULL)));
        if (s->moved) span_addf(doc, cell, SPAN_STRONG, " (%s)", _("moved"));
        if (s->place_note.len) span_addf(doc, cell, SPAN_MUTED, ": %.*s", STR_ARG(s->place_note));
        any = true;
    }
    if (isfinite(s->wait_ms)) {
        span_addf(doc, cell, 0, "%s%s ", any ? "; " : "", _("waits"));
        put_wait(doc, cell, s);
        any = true;
    }
    if (s->load.len)
        span_addf(doc, cell, 0, "%s%.*s", any ? "; " : "", STR_ARG(say(a, _("load {load}"), "load", s->load, NULL)));
    if (s->firmware.len) {
        bool other = old && old->firmware.len && !str_eq(old->firmware, s->firmware);
        if (other)
            span_addf(
                doc, cell, SPAN_STRONG, "%s%.*s", any ? "; " : "",
                STR_ARG(say(a, _("firmware {now} (was {then})"), "now", s->firmware, "then", old->firmware, NULL)));
        else if (!old)
            span_addf(doc, cell, SPAN_MUTED, "%s%.*s", any ? "; " : "",
                      STR_ARG(say(a, _("firmware {now}"), "now", s->firmware, NULL)));
    }
    any = any || s->load.len || s->firmware.len;
    if (!any) span_addz(doc, cell, SPAN_MUTED, _("there"));
}

static const Dist *dist_of(const Stage *s, const Dist *like) {
    for (size_t i = 0; i < s->metrics.count; i++)
        if (str_eq(s->metrics.items[i].metric, like->metric) && str_eq(s->metrics.items[i].tool, like->tool))
            return &s->metrics.items[i];
    return NULL;
}

static void put_figures(Doc *doc, const Comparison *c, DocNode *section) {
    Arena *a = doc->arena;
    bool any = false;
    for (size_t i = 0; i < c->drives.count && !any; i++)
        for (size_t k = 0; k < c->drives.items[i].stages.count && !any; k++)
            any = c->drives.items[i].stages.items[k].metrics.count > 0;
    if (!any) return;
    Table *t = doc_table(doc, section, _("Figures of each drive, side by side"), true);
    t->html_only = true; /* the factors say it shorter */
    t->short_rows = FIGURE_ROWS_SHOWN;
    doc_column(doc, t, str_of(_("Drive")), false);
    doc_column(doc, t, str_of(_("Metric")), false);
    for (size_t i = 0; i < c->stages.count; i++) doc_column(doc, t, stage_title(a, c, i), true);
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        for (size_t s = 0; s < h->stages.count; s++)
            for (size_t m = 0; m < h->stages.items[s].metrics.count; m++) {
                const Dist *x = &h->stages.items[s].metrics.items[m];
                bool shown = false; /* with an earlier stage */
                for (size_t e = 0; e < s && !shown; e++) shown = dist_of(&h->stages.items[e], x) != NULL;
                if (shown) continue;
                Row *row = doc_row(doc, t);
                span_add(doc, &row->cells[0], SPAN_STRONG, drive_label(h));
                span_add(doc, &row->cells[1], 0, metric_label(a, x->metric));
                if (x->tool.len) span_addf(doc, &row->cells[1], SPAN_MUTED, " (%.*s)", STR_ARG(x->tool));
                for (size_t k = 0; k < c->stages.count; k++) {
                    Spans *cell = &row->cells[2 + k];
                    const Dist *y = k < h->stages.count ? dist_of(&h->stages.items[k], x) : NULL;
                    Str unit = metric_unit(x->metric);
                    if (!y) {
                        span_addz(doc, cell, SPAN_MUTED, "-");
                        continue;
                    }
                    span_add(doc, cell, 0, format_quantity(a, isfinite(y->mean) ? y->mean : y->p50, unit));
                    if (isfinite(y->p95))
                        span_addf(doc, cell, SPAN_MUTED, ", p95 %.*s", STR_ARG(format_quantity(a, y->p95, unit)));
                    if (y->basis.len) span_addf(doc, cell, SPAN_MUTED, " (%.*s)", STR_ARG(basis_words(a, y->basis)));
                }
            }
    }
}

static void put_drives(Doc *doc, const Comparison *c) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "drives", _("The drives, then and now"));
    if (!c->drives.count) {
        doc_text(doc, s, _("No drive could be told in both captures."));
        return;
    }
    doc_text(doc, s, _("Drives are matched by their identity (WWN, serial, model), never by name."))->role = "intro";
    Table *t = doc_table(doc, s, _("Drives by identity"), true);
    doc_column(doc, t, str_of(_("Drive")), false);
    for (size_t i = 0; i < c->stages.count; i++) doc_column(doc, t, stage_title(a, c, i), false);
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        Row *row = doc_row(doc, t);
        put_identity(doc, &row->cells[0], h);
        for (size_t k = 0; k < c->stages.count; k++) {
            if (k < h->stages.count) put_stage(doc, &row->cells[1 + k], h, k);
            else span_addz(doc, &row->cells[1 + k], SPAN_MUTED, _("unknown"));
        }
    }
    put_figures(doc, c, s);
}

/* Old name, drive, new name; of a series the name in each stage. Only drives whose name changed. */
static void put_names(Doc *doc, const Comparison *c, DocNode *s) {
    Arena *a = doc->arena;
    Table *t = NULL;
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        bool other = false;
        for (size_t k = 1; k < h->stages.count; k++) {
            const Stage *old = stage_before(h, k);
            other = other || (old && h->stages.items[k].present && !str_eq(old->name, h->stages.items[k].name));
        }
        if (!other) continue;
        size_t drive = is_series(c) ? 0 : 1; /* column of the drive */
        if (!t) {
            t = doc_table(doc, s, _("Names that changed"), true);
            for (size_t k = 0; k <= c->stages.count; k++) {
                if (k == drive) doc_column(doc, t, str_of(_("Drive")), false);
                else doc_column(doc, t, stage_title(a, c, k > drive ? k - 1 : k), false);
            }
        }
        Row *row = doc_row(doc, t);
        for (size_t k = 0; k <= c->stages.count; k++) {
            if (k == drive) {
                put_identity(doc, &row->cells[k], h);
                continue;
            }
            const Stage *stage = &h->stages.items[k > drive ? k - 1 : k];
            if (stage->present) span_add(doc, &row->cells[k], SPAN_CODE, stage->name);
            else span_addz(doc, &row->cells[k], SPAN_MUTED, _("not there"));
        }
    }
}

static bool same_change(const Change *x, const Change *y) {
    return x->step == y->step && str_eq(x->kind, y->kind) && str_eq(x->what, y->what) && str_eq(x->from, y->from) &&
           str_eq(x->to, y->to) && str_eq(x->subject.kind, y->subject.kind);
}

static void put_changes(Doc *doc, const Comparison *c) {
    DocNode *s = doc_section(doc, "changes", c->different_hosts ? _("How the hosts differ") : _("What changed"));
    if (!c->changes.count) {
        doc_text(doc, s, _("No setting, place or part that both captures show has changed."));
        return;
    }
    put_names(doc, c, s);
    Table *t = doc_table(doc, s, _("Changes"), false);
    t->short_rows = CHANGE_ROWS_SHOWN;
    size_t first = is_series(c) ? 1 : 0;
    if (first) doc_column(doc, t, str_of(_("Stages")), false);
    doc_column(doc, t, str_of(_("Where")), false);
    doc_column(doc, t, str_of(_("What")), false);
    doc_column(doc, t, str_of(_("From")), false);
    doc_column(doc, t, str_of(_("To")), false);
    doc_column(doc, t, str_of(_("Read in")), false);
    EvidenceList evidence = {0};
    for (size_t i = 0; i < c->changes.count; i++) {
        const Change *x = &c->changes.items[i];
        bool said = str_is(x->kind, "name"); /* in a table of its own */
        for (size_t k = 0; k < i && !said; k++) said = same_change(&c->changes.items[k], x);
        for (size_t k = 0; k < x->evidence.count; k++) VEC_PUSH(doc->arena, &evidence, x->evidence.items[k]);
        if (said) continue;
        Row *row = doc_row(doc, t);
        Spans *cells = row->cells + first;
        if (first) span_add(doc, &row->cells[0], 0, step_words(doc->arena, x->step));
        SubjectList subjects = {0};
        for (size_t k = i; k < c->changes.count; k++)
            if (same_change(x, &c->changes.items[k])) VEC_PUSH(doc->arena, &subjects, c->changes.items[k].subject);
        Str names = subject_names(doc, subjects.items, subjects.count, SUBJECTS_SHOWN);
        if (subjects.count == 1 || !names.len) put_where(doc, &cells[0], c, &x->subject, x->step, SPAN_STRONG);
        else span_add(doc, &cells[0], SPAN_STRONG, names);
        span_add(doc, &cells[1], 0, x->what.len ? setting_label(x->what) : x->kind);
        span_add(doc, &cells[2], x->from.len ? SPAN_CODE : SPAN_MUTED, x->from.len ? x->from : str_of(_("unknown")));
        span_add(doc, &cells[3], x->to.len ? SPAN_CODE : SPAN_MUTED, x->to.len ? x->to : str_of(_("unknown")));
        for (size_t k = 0; k < x->evidence.count && k < 2; k++) {
            if (k) span_addz(doc, &cells[4], 0, ", ");
            span_add(doc, &cells[4], SPAN_CODE, evidence_place(doc->arena, &x->evidence.items[k]));
        }
    }
    doc_evidence(doc, s, &evidence, 4, true);
}

static void put_factors(Doc *doc, const Comparison *c) {
    if (!c->factors.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "figures", _("Figures side by side"));
    Table *t = doc_table(doc, s, _("Figures with their factor"), false);
    t->short_rows = FACTOR_ROWS_SHOWN;
    size_t first = is_series(c) ? 1 : 0;
    if (first) doc_column(doc, t, str_of(_("Stages")), false);
    doc_column(doc, t, str_of(_("Where")), false);
    doc_column(doc, t, str_of(_("Figure")), false);
    doc_column(doc, t, str_of(_("From")), true);
    doc_column(doc, t, str_of(_("To")), true);
    doc_column(doc, t, str_of(_("Factor")), true);
    doc_column(doc, t, str_of(_("Comparable")), false);
    for (size_t i = 0; i < c->factors.count; i++) {
        const Factor *x = &c->factors.items[i];
        Row *row = doc_row(doc, t);
        Spans *cells = row->cells + first;
        if (first) span_add(doc, &row->cells[0], x->comparable ? 0 : SPAN_MUTED, step_words(a, x->step));
        Str unit = x->unit.len ? x->unit : metric_unit(x->metric);
        unsigned style = x->comparable ? 0 : SPAN_MUTED;
        row->tone = x->comparable ? TONE_NONE : TONE_MUTED;
        put_where(doc, &cells[0], c, &x->subject, x->step, x->comparable ? SPAN_STRONG : SPAN_MUTED);
        span_add(doc, &cells[1], style, metric_label(a, x->metric));
        span_add(doc, &cells[2], style, format_quantity(a, x->from, unit));
        span_add(doc, &cells[3], style, format_quantity(a, x->to, unit));
        span_add(doc, &cells[4], x->comparable ? SPAN_STRONG : SPAN_MUTED, format_factor(a, x->factor));
        if (!x->comparable) {
            span_add(doc, &cells[5], SPAN_MUTED,
                     say(a, _("no: {why}"), "why", x->why_not.len ? x->why_not : str_of(_("the reason is not known")),
                         NULL));
        } else if (str_eq(x->basis_from, x->basis_to)) {
            span_add(doc, &cells[5], 0, x->basis_from.len ? basis_words(a, x->basis_from) : str_of(_("yes")));
        } else {
            span_add(doc, &cells[5], 0,
                     say(a, _("{first}, then {second}"), "first", basis_words(a, x->basis_from), "second",
                         basis_words(a, x->basis_to), NULL));
        }
    }
}

/* ---------------------------------------------------------------- findings */

/* A verdict that already says what to do about this drive: then the finding's own advice (exchange its port, and see) is
   behind us. */
static const Finding *settled_by(const Comparison *c, const Finding *f) {
    bool slow = false, broken = false;
    for (size_t i = 0; i < f->explains.count; i++) {
        slow = slow || str_is(f->explains.items[i].symptom, "slow-outlier");
        broken = broken || str_is(f->explains.items[i].symptom, "link-errors");
    }
    for (size_t i = 0; i < c->verdicts.count; i++) {
        const Finding *v = c->verdicts.items[i];
        if (!v->fix.count || v->step + 1 != c->stages.count) continue;
        if (str_starts(v->rule, "errors-") ? !broken : !slow) continue;
        for (size_t k = 0; k < v->subjects.count; k++)
            for (size_t m = 0; m < f->subjects.count; m++)
                if (v->subjects.items[k].node == f->subjects.items[m].node) return v;
    }
    return NULL;
}

/* Without what the pages of slow members say as long as nobody exchanged anything: the verdict answers it. */
static Rich without_question(Arena *a, const Finding *f) {
    Rich out = {.blocks = arena_alloc(a, (f->summary.count + 1) * sizeof *f->summary.blocks)};
    for (size_t i = 0; i < f->summary.count; i++)
        if (i + 1 != f->question) out.blocks[out.count++] = f->summary.blocks[i];
    return out;
}

static void put_findings(Doc *doc, const Comparison *c, const Diagnosis *d, const FindingList *list, const char *id,
                         const char *title, const char *intro, CardStyle style) {
    if (!list->count) return; /* the verdict says "none" */
    bool resolved = str_is(str_of(id), "resolved");
    DocNode *s = doc_section(doc, id, title);
    doc_text(doc, s, intro)->role = "intro";
    DocNode *notes = NULL;
    for (size_t i = 0; i < list->count; i++) {
        Finding f = *list->items[i];
        if (str_is(f.kind, "note") && (resolved || !f.fix.count)) {
            layout_note(doc, s, &notes, d, &f);
            continue;
        }
        f.rank = 0; /* a rank belongs to one bundle's report */
        if (style == CARD_SMALL) f.fix = f.verify = f.not_this = (Rich){0};
        const Finding *verdict = resolved ? NULL : settled_by(c, &f);
        if (verdict) {
            f.fix = f.verify = (Rich){0};
            f.summary = without_question(doc->arena, &f);
        }
        DocNode *card = layout_finding(doc, s, d, &f, style);
        if (verdict) {
            DocNode *p = doc_paragraph(doc, card, "where");
            span_addf(doc, &p->spans, 0, "%s ", _("What to do about it stands in the verdict above:"));
            span_add(doc, &p->spans, SPAN_STRONG, verdict->title);
            span_addz(doc, &p->spans, 0, ".");
        }
        if (!resolved) continue;
        card->tone = TONE_GOOD;
        for (size_t k = 0; k < card->badges.count; k++) card->badges.items[k].tone = TONE_NONE;
    }
}

/* One rule, found, ruled out and left open in the same stages. */
static bool same_fate(const FindingHistory *x, const FindingHistory *y) {
    if (x == y) return true;
    if (!str_eq(x->rule, y->rule) || !str_eq(x->title, y->title) || x->stages.count != y->stages.count) return false;
    for (size_t i = 0; i < x->stages.count; i++)
        if (!str_eq(x->stages.items[i], y->stages.items[i])) return false;
    return true;
}

/* What a stage says of a rule, as FindingHistory has it. */
static Str answer_words(Arena *a, Str word) {
    static const char *const words[] = {N_("risk"), N_("note"), N_("ruled out"), N_("not checked")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i])) return str_of(_(words[i]));
    if (str_starts(word, "cause ")) return say(a, _("cause {n}"), "n", str_from(word, 6), NULL);
    if (str_starts(word, "covered by ")) return say(a, _("covered by {rule}"), "rule", str_from(word, 11), NULL);
    return word;
}

/* Each cause and risk, stage by stage. */
static void put_finding_histories(Doc *doc, const Comparison *c) {
    if (!c->findings.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "findings", _("Findings, stage by stage"));
    Table *t = doc_table(doc, s, _("Findings of each stage"), false);
    doc_column(doc, t, str_of(_("Finding")), false);
    for (size_t i = 0; i < c->stages.count; i++) doc_column(doc, t, stage_title(a, c, i), false);
    for (size_t i = 0; i < c->findings.count; i++) {
        const FindingHistory *h = &c->findings.items[i];
        bool said = false;
        for (size_t k = 0; k < i && !said; k++) said = same_fate(&c->findings.items[k], h);
        if (said) continue;
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_STRONG, h->title.len ? h->title : h->rule);
        SubjectList subjects = {0};
        for (size_t k = i; k < c->findings.count; k++)
            for (size_t m = 0; same_fate(h, &c->findings.items[k]) && m < c->findings.items[k].subjects.count; m++)
                VEC_PUSH(a, &subjects, c->findings.items[k].subjects.items[m]);
        for (size_t k = 0; k < subjects.count;
             k++) /* names change from stage to stage: a drive is named by its model */
            if (str_is(subjects.items[k].kind, "drive") && subjects.items[k].model.len)
                subjects.items[k].name = subjects.items[k].model;
        Str names = subject_names(doc, subjects.items, subjects.count, SUBJECTS_SHOWN);
        if (names.len) span_addf(doc, &row->cells[0], 0, " (%.*s)", STR_ARG(names));
        for (size_t k = 0; k < h->stages.count; k++) {
            Str word = h->stages.items[k];
            bool found = str_starts(word, "cause") || str_is(word, "risk") || str_is(word, "note");
            span_add(doc, &row->cells[1 + k], found ? SPAN_STRONG : SPAN_MUTED,
                     word.len ? answer_words(a, word) : str_of(_("not seen")));
        }
    }
}

static void put_not_comparable(Doc *doc, const Comparison *c) {
    if (!c->not_comparable.count) return;
    DocNode *s = doc_section(doc, "not-comparable", _("Not comparable"));
    DocNode *list = doc_add(doc, s, DOC_LIST);
    for (size_t i = 0; i < c->not_comparable.count; i++) {
        DocNode *p = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
        span_add(doc, &p->spans, SPAN_STRONG, c->not_comparable.items[i].what);
        if (c->not_comparable.items[i].why.len) span_addz(doc, &p->spans, 0, ": ");
        span_add(doc, &p->spans, 0, c->not_comparable.items[i].why);
    }
}

static void put_captures(Doc *doc, const Comparison *c) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "captures", _("The captures"));
    Table *t = doc_table(doc, s, _("Captures compared"), false);
    static const char *const titles[] = {N_("Stage"),  N_("Upload"),   N_("Host"),
                                         N_("System"), N_("Captured"), N_("Verdict by itself")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) doc_column(doc, t, str_of(_(titles[i])), false);
    for (size_t i = 0; i < c->stages.count; i++) {
        const Diagnosis *d = c->stages.items[i];
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_STRONG, stage_title(a, c, i));
        span_add(doc, &row->cells[1], 0, d->bundle.label);
        if (d->bundle.kind.len) span_addf(doc, &row->cells[1], SPAN_MUTED, " (%.*s)", STR_ARG(d->bundle.kind));
        span_add(doc, &row->cells[2], 0, d->bundle.host);
        span_addf(doc, &row->cells[3], 0, "%.*s%s%.*s", STR_ARG(d->bundle.os),
                  d->bundle.os.len && d->bundle.kernel.len ? ", " : "", STR_ARG(d->bundle.kernel));
        span_add(doc, &row->cells[4], 0, capture_text(a, &d->capture));
        VEC_PUSH(a, &row->cells[5], ((Span){.text = clean(a, d->verdict, CLEAN_LINE)}));
    }
}

static void put_brief(Doc *doc, const Comparison *c) {
    enum { MOST = 2 };
    DocNode *p = doc_paragraph(doc, doc->body, "lead");
    p->max_lines = 4;
    span_add(doc, &p->spans, SPAN_STRONG, doc->heading);
    span_addz(doc, &p->spans, 0, ": ");
    span_add(doc, &p->spans, 0, verdict_text(c));
    /* What is to be done first, then what is still wrong, then what was. */
    static const struct {
        const char *word;
        size_t list; /* verdicts to act on, new, remaining, other verdicts, resolved */
    } order[] = {{"{title}", 0},
                 {N_("New: {title}"), 1},
                 {N_("Remaining: {title}"), 2},
                 {"{title}", 3},
                 {N_("Resolved: {title}"), 4}};
    const FindingList *const lists[] = {&c->verdicts, &c->new_, &c->remaining, &c->verdicts, &c->resolved};
    DocNode *list = NULL;
    int number = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < lists[k]->count && number < MOST; i++) {
            Finding f = *lists[k]->items[i];
            bool acts = f.fix.count > 0, verdict = lists[k] == &c->verdicts, resolved = lists[k] == &c->resolved;
            if (verdict && acts != (order[k].list == 0)) continue;
            if (resolved && number) continue;
            if (!verdict && !resolved && str_is(f.kind, "note")) continue;
            if (!verdict && settled_by(c, &f)) continue; /* said above */
            if (resolved) f.fix = (Rich){0};
            f.title = say(doc->arena, _(order[k].word), "title", f.title.len ? f.title : f.rule, NULL);
            if (!list) list = doc_add(doc, doc->body, DOC_LIST);
            layout_brief_finding(doc, list, resolved ? first_stage(c) : last_stage(c), &f, ++number);
        }
    if (last_stage(c)) layout_brief_ask(doc, last_stage(c));
}

Doc *layout_comparison(Arena *a, const Comparison *c, bool brief) {
    Doc *doc = arena_new_of(a, Doc);
    doc->arena = a;
    doc->brief = brief;
    doc->compares = true;
    doc->body = doc_new(doc, DOC_GROUP);
    Str host = STR_NONE;
    for (size_t i = c->stages.count; i > 0 && !host.len; i--)
        host = doc_clean(doc, c->stages.items[i - 1]->bundle.host);
    doc->heading = host.len ? host : str_of(_("A host without a name"));
    doc->kicker =
        c->stages.count > 2 ? str_of(_("Storage, capture by capture")) : str_of(_("Storage, before and after"));
    doc->title = arena_strf(a, "%.*s: %.*s", STR_ARG(doc->kicker), STR_ARG(doc->heading));
    doc->footer = STR("stordx " STORDX_VERSION);
    if (brief) {
        put_brief(doc, c);
        return doc;
    }
    doc->head = doc_new(doc, DOC_FACTS);
    for (size_t i = 0; i < c->stages.count; i++) {
        const Diagnosis *d = c->stages.items[i];
        Str when = capture_text(a, &d->capture);
        doc_fact(doc, doc->head, stage_title(a, c, i).p,
                 arena_strf(a, "%.*s%s%.*s", STR_ARG(d->bundle.label), d->bundle.label.len && when.len ? ", " : "",
                            STR_ARG(when)));
    }
    put_verdict(doc, c);
    put_findings(doc, c, last_stage(c), &c->new_, "new", _("New"),
                 is_series(c) ? _("Found in the last stage and not in the first.")
                              : _("Found in the newest capture and not in the one before."),
                 CARD_CAUSE);
    put_findings(doc, c, last_stage(c), &c->remaining, "remaining", _("Remaining"), _("Found before, and still found."),
                 CARD_CAUSE);
    put_findings(doc, c, first_stage(c), &c->resolved, "resolved", _("Resolved"),
                 _("Found before, and ruled out or gone in the newest capture."), CARD_SMALL);
    put_unconfirmed(doc, c);
    put_finding_histories(doc, c);
    put_changes(doc, c);
    put_compare_plots(doc, c);
    put_factors(doc, c);
    put_drives(doc, c);
    put_not_comparable(doc, c);
    put_captures(doc, c);
    return doc;
}
