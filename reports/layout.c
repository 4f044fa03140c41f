#include "layout.h"

#include "base/version.h"
#include "format.h"
#include "host_picture.h"

#include <math.h>

/* How much of long lists text and Markdown show; HTML and JSON have all of it. */
enum {
    EVIDENCE_SHOWN = 6,
    EVIDENCE_SHOWN_SMALL = 2,
    METRIC_ROWS_SHOWN = 40,
    SOURCE_ROWS_SHOWN = 40,
    NAMES_SHOWN = 8,
    SUSPECTS_IN_FULL = 6,
    SUSPECTS_SHOWN = 12
};

/* ---------------------------------------------------------------- words */

Str symptom_words(Arena *a, Str symptom) {
    static const struct {
        const char *part, *word;
    } words[] = {{"io", "I/O"}, {"iops", "IOPS"}, {"fs", "file system"}, {"cpu", "CPU"}},
      whole[] = {{"no-command-queueing", "missing command queueing"},
                 {"slow-outlier", "outlying slowness"},
                 {"pool-degraded", "degraded state"},
                 {"array-degraded", "degraded state"},
                 {"link-downgraded", "downgraded link"},
                 {"names-changed", "changed names"},
                 {"device-missing", "absence"},
                 {"resilver-slow", "slow resilver"},
                 {"space-low", "low space"}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (str_is(symptom, whole[i].part)) return str_of(whole[i].word);
    StrBuf out;
    sb_init(&out, a);
    while (symptom.len) {
        Str part = str_cut(&symptom, '-');
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (str_is(part, words[i].part)) part = str_of(words[i].word);
        if (out.len) sb_addc(&out, ' ');
        sb_add(&out, part);
    }
    return sb_str(&out);
}

static Str kind_words(Str kind) {
    return str_is(kind, "filesystem")                      ? STR("file system")
           : str_is(kind, "vdev") || str_is(kind, "drive") ? STR("")
                                                           : kind;
}

Str subject_name(Doc *doc, const Subject *s) {
    Str name = s->name.len ? s->name : s->model.len ? s->model : s->serial.len ? s->serial : s->id;
    if (str_is(s->kind, "host")) return STR("the host");
    Str kind = doc_clean(doc, kind_words(s->kind)), words = doc_clean(doc, name);
    if (!words.len) return kind.len ? kind : STR("unnamed");
    if (!kind.len || str_istarts(words, kind.p)) return words;
    return arena_strf(doc->arena, "%.*s %.*s", STR_ARG(kind), STR_ARG(words));
}

/* a, b and c */
static Str joined(Arena *a, const StrList *words, size_t most) {
    StrBuf out;
    sb_init(&out, a);
    size_t shown = words->count > most ? most - 1 : words->count;
    for (size_t i = 0; i < shown; i++) {
        if (i) sb_addz(&out, i + 1 == words->count ? " and " : ", ");
        sb_add(&out, words->items[i]);
    }
    if (shown < words->count) sb_addf(&out, " and %zu more", words->count - shown);
    return sb_str(&out);
}

static void add_once(Arena *a, StrList *list, Str s) {
    enum { LOOKED_AT = 256 }; /* beyond that a repetition does no harm */
    if (!s.len) return;
    for (size_t i = 0; i < list->count && i < LOOKED_AT; i++)
        if (str_eq(list->items[i], s)) return;
    VEC_PUSH(a, list, s);
}

static bool only_hosts(const Subject *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!str_is(items[i].kind, "host")) return false;
    return true;
}

Str subject_names(Doc *doc, const Subject *items, size_t count, size_t most) {
    StrList names = {0};
    if (only_hosts(items, count)) return STR("");
    for (size_t i = 0; i < count; i++) add_once(doc->arena, &names, subject_name(doc, &items[i]));
    return joined(doc->arena, &names, most);
}

Str place_text(Arena *a, const Place *p) {
    if (p->label.len) return p->label;
    StrBuf out;
    sb_init(&out, a);
    if (p->controller.len) sb_addf(&out, "controller %.*s", STR_ARG(p->controller));
    if (p->port.len) sb_addf(&out, "%sport %.*s", out.len ? ", " : "", STR_ARG(p->port));
    if (p->slot.len) sb_addf(&out, "%sslot %.*s", out.len ? ", " : "", STR_ARG(p->slot));
    return sb_str(&out);
}

Str capture_text(Arena *a, const CaptureInfo *c) {
    Str start = format_time(a, c->start_s), end = format_time(a, c->end_s), span = format_span(a, c->sampling_s);
    StrBuf out;
    sb_init(&out, a);
    if (start.len && end.len && !str_eq(start, end)) sb_addf(&out, "%.*s to %.*s", STR_ARG(start), STR_ARG(end));
    else sb_add(&out, start.len ? start : end);
    if (span.len) sb_addf(&out, "%s%.*s of samples", out.len ? ", " : "", STR_ARG(span));
    if (c->complete == 0) sb_addf(&out, "%sthe capture did not finish", out.len ? "; " : "");
    return sb_str(&out);
}

static Str upper_word(Arena *a, Str s) {
    static const char *const kept[] = {"ssd", "hdd", "ata", "sata", "sas", "usb", "nvme", "scsi", "emmc", "sd"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (str_is(s, kept[i])) {
            char *p = arena_cstr(a, s);
            for (char *c = p; *c; c++)
                if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 32);
            return str_is(s, "nvme") ? STR("NVMe") : str_is(s, "emmc") ? STR("eMMC") : (Str){p, s.len};
        }
    return s;
}

static Tone confidence_tone(double confidence) {
    const char *word = confidence_word(confidence);
    return str_is(str_of(word), "certain") ? TONE_BAD : str_is(str_of(word), "likely") ? TONE_WARN : TONE_INFO;
}

static Str capital(Arena *a, Str s) {
    if (!s.len || s.p[0] < 'a' || s.p[0] > 'z') return s;
    char *p = arena_cstr(a, s);
    p[0] = (char)(p[0] - 32);
    return (Str){p, s.len};
}

/* ---------------------------------------------------------------- why */

/* The tool that read a line, as the sources tell. */
static Str tool_of(const Diagnosis *d, const Evidence *e) {
    Str tool = STR_NONE;
    for (size_t i = 0; d && i < d->sources.count; i++) {
        const SourceInfo *s = &d->sources.items[i];
        if (!s->tool.len || !str_eq(s->member, e->member)) continue;
        if (e->line > 0 && s->line_first > 0 &&
            (e->line < s->line_first || (s->line_last > 0 && e->line > s->line_last)))
            continue;
        return s->tool;
    }
    return tool;
}

/* "the write latency of sda and sdb, the I/O pressure" of the symptoms explained with a weight in [low, high). */
static Str explained_text(Doc *doc, const Finding *f, double low, double high) {
    Arena *a = doc->arena;
    StrList parts = {0}, done = {0};
    for (size_t i = 0; i < f->explains.count; i++) {
        const Explained *x = &f->explains.items[i];
        size_t before = done.count;
        add_once(a, &done, x->symptom);
        if (done.count == before) continue;
        VEC(Subject) subjects = {0};
        double best = 0;
        for (size_t k = i; k < f->explains.count; k++) {
            if (!str_eq(f->explains.items[k].symptom, x->symptom)) continue;
            best = fmax(best, f->explains.items[k].weight);
            VEC_PUSH(a, &subjects, f->explains.items[k].subject);
        }
        if (!(best >= low && best < high)) continue;
        Str words = doc_clean(doc, symptom_words(a, x->symptom)),
            names = subject_names(doc, subjects.items, subjects.count, NAMES_SHOWN);
        VEC_PUSH(a, &parts,
                 names.len ? arena_strf(a, "the %.*s of %.*s", STR_ARG(words), STR_ARG(names))
                           : arena_strf(a, "the %.*s", STR_ARG(words)));
    }
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < parts.count; i++) {
        if (i) sb_addz(&out, i + 1 == parts.count ? " and " : ", ");
        sb_add(&out, parts.items[i]);
    }
    return sb_str(&out);
}

/* "sysfs and dmesg (kernel view), hdparm (drive view)" */
static Str seen_text(Doc *doc, const Diagnosis *d, const Finding *f) {
    Arena *a = doc->arena;
    StrList views = {0}, groups = {0}, named = {0};
    for (size_t i = 0; i < f->evidence.count; i++) add_once(a, &views, f->evidence.items[i].view);
    for (size_t v = 0; v <= views.count; v++) { /* one more turn for what has no view */
        StrList tools = {0};
        for (size_t i = 0; i < f->evidence.count; i++) {
            const Evidence *e = &f->evidence.items[i];
            if (v < views.count ? !str_eq(e->view, views.items[v]) : e->view.len) continue;
            Str tool = doc_clean(doc, tool_of(d, e));
            size_t before = named.count;
            add_once(a, &named, tool);
            /* an event has no view, and its log was named with the log's settings already */
            if (v < views.count || named.count > before) add_once(a, &tools, tool);
        }
        if (!tools.count) continue;
        Str names = joined(a, &tools, NAMES_SHOWN);
        if (v < views.count && views.count > 1)
            names = arena_strf(a, "%.*s (%.*s view)", STR_ARG(names), STR_ARG(doc_clean(doc, views.items[v])));
        VEC_PUSH(a, &groups, names);
    }
    return views.count > 1 ? joined(a, &groups, NAMES_SHOWN) : joined(a, &named, NAMES_SHOWN);
}

static Str why_text(Doc *doc, const Diagnosis *d, const Finding *f, bool only_one) {
    Str strong = explained_text(doc, f, 0.5, INFINITY), weak = explained_text(doc, f, 0, 0.5),
        seen = seen_text(doc, d, f);
    StrBuf out;
    sb_init(&out, doc->arena);
    if (strong.len) sb_addf(&out, "explains %.*s", STR_ARG(strong));
    if (weak.len) sb_addf(&out, "%stakes part in %.*s", out.len ? "; " : "", STR_ARG(weak));
    if (seen.len && !(only_one && out.len)) sb_addf(&out, "%sseen in %.*s", out.len ? "; " : "", STR_ARG(seen));
    return sb_str(&out);
}

Str finding_why(Doc *doc, const Diagnosis *d, const Finding *f) {
    return why_text(doc, d, f, false);
}

StrList rich_steps(Arena *a, const Rich *rich) {
    StrList steps = {0};
    for (size_t i = 0; i < rich->count; i++) {
        const Block *b = &rich->blocks[i];
        Str text = str_trim(block_plain(a, b));
        if (!text.len || b->kind == BLOCK_HEADING) continue;
        bool starts = b->kind == BLOCK_ITEM ? b->depth <= 1 : b->kind == BLOCK_PARAGRAPH && b->depth < 1;
        if (starts || !steps.count) {
            VEC_PUSH(a, &steps, text);
        } else {
            Str *last = &steps.items[steps.count - 1];
            *last = arena_strf(a, "%.*s\n%.*s", STR_ARG(*last), STR_ARG(text));
        }
    }
    return steps;
}

/* ---------------------------------------------------------------- findings */

/* Drives by name, model, serial and place, as advice to replace one must; other subjects in a line. */
static void put_subjects(Doc *doc, DocNode *parent, const SubjectList *subjects) {
    bool model = false, serial = false, place = false;
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        model |= s->model.len > 0;
        serial |= s->serial.len > 0 || s->wwn.len > 0;
        place |= place_text(doc->arena, &s->place).len > 0;
    }
    if (!model && !serial && !place) {
        Str names = subject_names(doc, subjects->items, subjects->count, 30);
        if (!names.len) return;
        DocNode *p = doc_paragraph(doc, parent, "where");
        span_addz(doc, &p->spans, 0, "Where: ");
        span_add(doc, &p->spans, SPAN_STRONG, names);
        return;
    }
    Table *t = doc_table(doc, parent, "Where", false);
    doc_column(doc, t, STR("Name"), false);
    if (model) doc_column(doc, t, STR("Model"), false);
    if (serial) doc_column(doc, t, STR("Serial"), false);
    if (place) doc_column(doc, t, STR("Place"), false);
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        Row *row = doc_row(doc, t);
        size_t c = 0;
        span_add(doc, &row->cells[c++], SPAN_STRONG, subject_name(doc, s));
        if (model) span_add(doc, &row->cells[c++], 0, s->model);
        if (serial) {
            if (s->serial.len) span_add(doc, &row->cells[c++], 0, s->serial);
            else if (s->wwn.len) span_addf(doc, &row->cells[c++], 0, "WWN %.*s", STR_ARG(s->wwn));
            else span_addz(doc, &row->cells[c++], SPAN_MUTED, "unknown");
        }
        if (place) span_add(doc, &row->cells[c], 0, place_text(doc->arena, &s->place));
    }
}

static void put_remarks(Doc *doc, DocNode *parent, const Finding *f) {
    if (!f->remarks.count) return;
    DocNode *p = doc_paragraph(doc, parent, "remark");
    span_addz(doc, &p->spans, 0, f->compared ? "Note: " : "What weakens it: ");
    for (size_t i = 0; i < f->remarks.count; i++) {
        if (i) span_addz(doc, &p->spans, 0, "; ");
        span_add(doc, &p->spans, 0, f->remarks.items[i]);
    }
}

static Str title_of(const Diagnosis *d, Str rule) {
    for (size_t i = 0; d && i < d->causes.count; i++)
        if (str_eq(d->causes.items[i]->rule, rule)) return d->causes.items[i]->title;
    for (size_t i = 0; d && i < d->risks.count; i++)
        if (str_eq(d->risks.items[i]->rule, rule)) return d->risks.items[i]->title;
    return rule;
}

static Str title_text(const Finding *f) {
    return f->title.len ? f->title : f->rule.len ? f->rule : STR("A finding without a title");
}

/* What belongs to a finding and has a rule of its own: its text, how to live with it meanwhile, and its lines. */
static void put_inside(Doc *doc, DocNode *card, const Diagnosis *d, const Finding *f) {
    if (!d) return;
    const FindingList *const lists[] = {&d->causes, &d->risks};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const Finding *part = lists[l]->items[i];
            if (part->inside != f) continue;
            doc_heading(doc, card, arena_fmt(doc->arena, "%.*s", STR_ARG(doc_clean(doc, title_text(part)))));
            doc_rich(doc, card, &part->summary);
            put_remarks(doc, card, part);
            doc_evidence(doc, card, &part->evidence, EVIDENCE_SHOWN_SMALL, true);
            doc_rich(doc, card, &part->fix);
            DocNode *p = doc_paragraph(doc, card, "rule");
            span_addz(doc, &p->spans, SPAN_MUTED, "Rule ");
            span_add(doc, &p->spans, SPAN_CODE | SPAN_MUTED, part->rule);
        }
}

DocNode *layout_finding(Doc *doc, DocNode *parent, const Diagnosis *d, const Finding *f, CardStyle style) {
    Arena *a = doc->arena;
    DocNode *card = doc_add(doc, parent, DOC_CARD);
    bool cause = style == CARD_CAUSE;
    if (cause) card->id = arena_fmt(a, "finding-%d", ++doc->cards);
    if (cause && f->rank > 0) span_addf(doc, &card->title, 0, "%d. ", f->rank);
    span_add(doc, &card->title, 0, title_text(f));
    const char *word = isnan(f->confidence) ? "" : confidence_word(f->confidence);
    if (f->danger_now) doc_badge(doc, card, STR("data at stake now"), TONE_BAD);
    if (*word)
        doc_badge(doc, card, str_of(word),
                  str_is(f->kind, "note") || str_is(f->kind, "verdict") ? TONE_INFO : confidence_tone(f->confidence));
    if (!str_is(f->class_, "other")) doc_badge(doc, card, f->class_, TONE_NONE);
    if (f->impact.len && !str_is(f->kind, "note") && !str_is(f->kind, "verdict"))
        doc_badge(doc, card, arena_strf(a, "%.*s impact", STR_ARG(f->impact)), TONE_NONE);
    card->tone = str_is(f->kind, "note") || str_is(f->kind, "verdict") ? TONE_INFO
                 : str_is(f->kind, "risk")                             ? TONE_WARN
                                                                       : confidence_tone(f->confidence);

    Str why = finding_why(doc, d, f);
    if (why.len) {
        DocNode *p = doc_paragraph(doc, card, "why");
        if (*word) span_addf(doc, &p->spans, SPAN_STRONG, "%.*s:", STR_ARG(capital(a, str_of(word))));
        if (*word) span_addz(doc, &p->spans, 0, " ");
        span_addf(doc, &p->spans, 0, "%.*s.", STR_ARG(*word ? why : capital(a, why)));
    }
    if (!doc->compares && d && f->capture && d->capture.id && f->capture != d->capture.id) {
        DocNode *p = doc_paragraph(doc, card, "remark");
        span_addf(doc, &p->spans, 0, "From capture %lld of this upload.", (long long)f->capture);
    }
    doc_rich(doc, card, &f->summary);
    put_subjects(doc, card, &f->subjects);
    put_remarks(doc, card, f);
    if (f->evidence.count) {
        if (cause) doc_heading(doc, card, "Evidence");
        doc_evidence(doc, card, &f->evidence, cause ? EVIDENCE_SHOWN : EVIDENCE_SHOWN_SMALL, !cause);
    }
    const struct {
        const char *heading;
        const Rich *text;
    } parts[] = {
        {"What to do", &f->fix}, {"How to check that it worked", &f->verify}, {"What it is not", &f->not_this}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].text->count) continue;
        doc_heading(doc, card, parts[i].heading);
        doc_rich(doc, card, parts[i].text);
    }
    put_inside(doc, card, d, f);
    DocNode *p = doc_paragraph(doc, card, "rule");
    span_addz(doc, &p->spans, SPAN_MUTED, "Rule ");
    span_add(doc, &p->spans, SPAN_CODE | SPAN_MUTED, f->rule.len ? f->rule : STR("without an id"));
    if (f->source.len) span_addf(doc, &p->spans, SPAN_MUTED, ". Known from: %.*s", STR_ARG(f->source));
    return card;
}

/* ---------------------------------------------------------------- sections */

static void put_head(Doc *doc, const Diagnosis *d) {
    const BundleInfo *b = &d->bundle;
    Arena *a = doc->arena;
    doc->head = doc_new(doc, DOC_FACTS);
    doc_fact(doc, doc->head, "Machine", b->machine);
    doc_fact(
        doc, doc->head, "System",
        arena_strf(a, "%.*s%s%.*s", STR_ARG(b->os), b->os.len && b->kernel.len ? ", kernel " : "", STR_ARG(b->kernel)));
    doc_fact(doc, doc->head, "Captured", capture_text(a, &d->capture));
    doc_fact(doc, doc->head, "Upload",
             b->kind.len ? arena_strf(a, "%.*s (%.*s)", STR_ARG(b->label), STR_ARG(b->kind)) : b->label);
    if (b->captures.count > 1) {
        StrBuf others;
        sb_init(&others, a);
        for (size_t i = 0; i < b->captures.count; i++) {
            if (b->captures.items[i].id == d->capture.id) continue;
            Str text = capture_text(a, &b->captures.items[i]);
            sb_addf(&others, "%s%.*s", others.len ? "; " : "", STR_ARG(text.len ? text : STR("one without a time")));
        }
        doc_fact(doc, doc->head, "Not judged here",
                 arena_strf(a, "%zu earlier capture%s of this upload: %.*s", b->captures.count - 1,
                            b->captures.count == 2 ? "" : "s", STR_ARG(sb_str(&others))));
    }
}

void layout_warnings(Doc *doc, DocNode *parent, const Str *warnings, size_t count, const BundleInfo *bundle,
                     const char *of) {
    if (bundle && bundle->test_path.len) {
        DocNode *box = doc_add(doc, parent, DOC_NOTE);
        box->tone = TONE_WARN;
        DocNode *p = doc_paragraph(doc, box, NULL);
        span_addf(doc, &p->spans, SPAN_STRONG, "Made with test tools%s. ", of);
        span_addz(doc, &p->spans, 0, "The collector took its commands from ");
        span_add(doc, &p->spans, SPAN_CODE, bundle->test_path);
        span_addz(doc, &p->spans, 0, ", so nothing here need be true of a real host.");
    }
    if (!count) return;
    DocNode *box = doc_add(doc, parent, DOC_NOTE);
    box->tone = TONE_WARN;
    DocNode *p = doc_paragraph(doc, box, NULL);
    span_addf(doc, &p->spans, SPAN_STRONG, "This report is not complete%s.", of);
    DocNode *list = doc_add(doc, box, DOC_LIST);
    for (size_t i = 0; i < count; i++) {
        DocNode *item = doc_add(doc, list, DOC_ITEM);
        span_add(doc, &doc_paragraph(doc, item, NULL)->spans, 0, warnings[i]);
    }
}

static Str status_words(Str status, Tone *tone) {
    *tone = TONE_WARN;
    if (str_is(status, "causes")) {
        *tone = TONE_BAD;
        return STR("Causes found");
    }
    if (str_is(status, "nothing_in_evidence")) {
        *tone = TONE_INFO; /* not green: what is not in the evidence was not seen to be well */
        return STR("Nothing wrong in the evidence");
    }
    return STR("Not enough evidence");
}

static Str verdict_text(const Diagnosis *d) {
    if (d->verdict.len) return d->verdict;
    if (str_is(d->status, "causes")) return STR("Causes were found; they stand below.");
    if (str_is(d->status, "nothing_in_evidence"))
        return STR("Nothing wrong was found in the evidence. What could not be checked stands below.");
    return STR("There is too little evidence to say what is wrong, or that nothing is. What to ask for stands below.");
}

static void put_verdict(Doc *doc, const Diagnosis *d) {
    DocNode *s = doc_section(doc, "verdict", "Verdict");
    s->role = "verdict";
    Str words = status_words(d->status, &s->tone);
    doc_badge(doc, s, words, s->tone);
    /* The verdict may name many parts; it is not a name, so it is not cut. */
    DocNode *p = doc_paragraph(doc, s, "lead");
    Str text = clean(doc->arena, verdict_text(d), CLEAN_LINE);
    VEC_PUSH(doc->arena, &p->spans, ((Span){.text = text}));
    layout_warnings(doc, s, d->warnings.items, d->warnings.count, &d->bundle, "");
    for (size_t i = 0; i < d->verdicts.count; i++) layout_finding(doc, s, d, d->verdicts.items[i], CARD_SMALL);
}

static void put_causes(Doc *doc, const Diagnosis *d) {
    DocNode *s = doc_section(doc, "causes", "Causes");
    size_t covered = 0;
    for (size_t i = 0; i < d->causes.count; i++) {
        if (d->causes.items[i]->covered_by.len) covered++;
        else if (!d->causes.items[i]->inside) layout_finding(doc, s, d, d->causes.items[i], CARD_CAUSE);
    }
    if (covered == d->causes.count)
        doc_text(
            doc, s,
            str_is(d->status, "nothing_in_evidence")
                ? "No cause was found. That is as much as the evidence says: what could not be checked stands below."
                : "No cause was found.");
    if (!covered) return;
    DocNode *p = doc_paragraph(doc, s, NULL);
    span_addz(doc, &p->spans, 0, "Also fits the evidence, but is accounted for by a better finding:");
    DocNode *list = doc_add(doc, s, DOC_LIST);
    for (size_t i = 0; i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (!f->covered_by.len) continue;
        DocNode *q = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
        Str names = subject_names(doc, f->subjects.items, f->subjects.count, NAMES_SHOWN);
        span_add(doc, &q->spans, SPAN_STRONG, title_text(f));
        if (names.len) span_addf(doc, &q->spans, 0, " (%.*s)", STR_ARG(names));
        span_addf(doc, &q->spans, 0, ": see \"%.*s\".", STR_ARG(doc_clean(doc, title_of(d, f->covered_by))));
    }
}

/* One card per symptom, one row per subject: "w_await is high" of twelve drives is one thing. */
static void put_symptoms(Doc *doc, const Diagnosis *d) {
    if (!d->symptoms.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "symptoms", "Symptoms");
    bool *done = arena_array(a, bool, d->symptoms.count);
    for (size_t i = 0; i < d->symptoms.count; i++) {
        if (done[i]) continue;
        const Finding *first = d->symptoms.items[i];
        DocNode *card = doc_add(doc, s, DOC_CARD);
        card->tone = TONE_MUTED;
        EvidenceList evidence = {0};
        bool one_title = true;
        Table *t = NULL;
        for (size_t k = i; k < d->symptoms.count; k++) {
            const Finding *f = d->symptoms.items[k];
            if (done[k] || !str_eq(f->rule, first->rule) || !str_eq(f->symptom, first->symptom)) continue;
            done[k] = true;
            one_title = one_title && str_eq(f->title, first->title);
            if (!t) {
                if (f->summary.count) doc_rich(doc, card, &f->summary);
                t = doc_table(doc, card, "Measured", false);
                doc_column(doc, t, STR("Where"), false);
                doc_column(doc, t, STR("Measured"), true);
                doc_column(doc, t, STR("Limit"), true);
                doc_column(doc, t, STR("Basis"), false);
                doc_column(doc, t, STR("Explained by"), false);
            }
            Row *row = doc_row(doc, t);
            Str names = subject_names(doc, f->subjects.items, f->subjects.count, NAMES_SHOWN);
            span_add(doc, &row->cells[0], SPAN_STRONG, names.len ? names : STR("the host"));
            if (isfinite(f->value)) span_add(doc, &row->cells[1], 0, format_quantity(a, f->value, f->unit));
            if (isfinite(f->threshold)) span_add(doc, &row->cells[2], 0, format_quantity(a, f->threshold, f->unit));
            span_add(doc, &row->cells[3], 0, f->basis);
            StrList by = {0};
            for (size_t c = 0; c < f->explained_by.count; c++) {
                Str rule = f->explained_by.items[c], label = title_of(d, rule);
                for (size_t r = 0; r < d->causes.count; r++)
                    if (str_eq(d->causes.items[r]->rule, rule) && d->causes.items[r]->rank > 0 &&
                        !d->causes.items[r]->covered_by.len)
                        label = arena_strf(a, "cause %d", d->causes.items[r]->rank);
                add_once(a, &by, doc_clean(doc, label));
            }
            if (by.count) span_add(doc, &row->cells[4], 0, joined(a, &by, NAMES_SHOWN));
            else span_addz(doc, &row->cells[4], SPAN_MUTED, "no cause found");
            for (size_t e = 0; e < f->evidence.count; e++) VEC_PUSH(a, &evidence, f->evidence.items[e]);
        }
        Str words = capital(a, symptom_words(a, first->symptom));
        span_add(doc, &card->title, 0,
                 one_title && first->title.len ? first->title
                 : words.len                   ? words
                                               : title_text(first));
        doc_evidence(doc, card, &evidence, EVIDENCE_SHOWN_SMALL, true);
    }
}

static void put_findings(Doc *doc, const Diagnosis *d, const FindingList *list, const char *id, const char *title,
                         const char *intro) {
    if (!list->count) return;
    DocNode *s = doc_section(doc, id, title);
    DocNode *p = doc_text(doc, s, intro);
    p->role = "intro";
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i]->inside) layout_finding(doc, s, d, list->items[i], CARD_SMALL);
}

static void put_ruled_out(Doc *doc, const Diagnosis *d) {
    if (!d->ruled_out.count) return;
    DocNode *s = doc_section(doc, "ruled-out", "Ruled out");
    doc_text(doc, s, "The evidence speaks against these.")->role = "intro";
    DocNode *list = doc_add(doc, s, DOC_LIST);
    list->role = "plain";
    /* One entry a suspect, suspects of causes before the symptoms they would show as; one line a reason. */
    for (int symptoms = 0; symptoms < 2; symptoms++)
        for (size_t i = 0; i < d->ruled_out.count; i++) {
            const RuledOut *first = &d->ruled_out.items[i];
            if (str_is(first->kind, "symptom") != (symptoms == 1)) continue;
            if (i && str_eq(d->ruled_out.items[i - 1].rule, first->rule)) continue; /* sorted by rule: said already */
            DocNode *item = doc_add(doc, list, DOC_ITEM);
            DocNode *head = doc_paragraph(doc, item, NULL);
            span_add(doc, &head->spans, SPAN_STRONG, first->title.len ? first->title : first->rule);
            EvidenceList evidence = {0};
            size_t same = 0;
            while (i + same < d->ruled_out.count && str_eq(d->ruled_out.items[i + same].rule, first->rule)) same++;
            for (size_t k = i; k < i + same; k++) {
                const RuledOut *r = &d->ruled_out.items[k];
                DocNode *p = same == 1 ? head : doc_paragraph(doc, item, "reason");
                Str names = subject_names(doc, r->subjects.items, r->subjects.count, NAMES_SHOWN);
                if (same == 1) {
                    if (names.len) span_addf(doc, &p->spans, 0, " (%.*s)", STR_ARG(names));
                    span_addz(doc, &p->spans, 0, ": ");
                } else if (names.len) {
                    span_addf(doc, &p->spans, 0, "%.*s: ", STR_ARG(names));
                }
                span_add(doc, &p->spans, 0, r->reason);
                for (size_t e = 0; e < r->evidence.count; e++) VEC_PUSH(doc->arena, &evidence, r->evidence.items[e]);
            }
            doc_evidence(doc, item, &evidence, 1, true);
        }
}

/* Are both asked for by the same command, or both by none? */
static bool same_command(const NotChecked *a, const NotChecked *b) {
    return (a->ask.count > 0) == (b->ask.count > 0) && (!a->ask.count || str_eq(a->ask.items[0], b->ask.items[0]));
}

static void put_not_checked(Doc *doc, const Diagnosis *d) {
    if (!d->not_checked.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "not-checked", "Not checked, and what to ask for");
    doc_text(
        doc, s,
        "Neither found nor ruled out: the upload does not hold what would show it. What settles most stands first.")
        ->role = "intro";
    /* Who writes to the customer needs the list of commands, so suspects are grouped under the command that settles them. */
    bool *done = arena_array(a, bool, d->not_checked.count);
    DocNode *list = doc_add(doc, s, DOC_LIST);
    int number = 0;
    for (int pass = 0; pass < 2; pass++) /* what no command shows comes last */
        for (size_t i = 0; i < d->not_checked.count; i++) {
            const NotChecked *first = &d->not_checked.items[i];
            if (done[i] || (pass == 0) != (first->ask.count > 0)) continue;
            DocNode *item = doc_add(doc, list, DOC_ITEM);
            item->number = ++number;
            DocNode *p = doc_paragraph(doc, item, NULL);
            if (first->ask.count) span_add(doc, &p->spans, SPAN_CODE, first->ask.items[0]);
            else span_addz(doc, &p->spans, SPAN_STRONG, "No command of the host shows these");
            DocNode *q = doc_paragraph(doc, item, "settles");
            StrList missing = {0};
            EvidenceList said = {0};
            size_t count = 0, all = 0, left_out = 0;
            for (size_t k = i; k < d->not_checked.count; k++)
                all += !done[k] && same_command(first, &d->not_checked.items[k]);
            /* What one command settles may be dozens: then their names alone, and not all. What somebody spoke of is said in full. */
            bool many = all > SUSPECTS_IN_FULL;
            for (size_t k = i; k < d->not_checked.count; k++) {
                const NotChecked *n = &d->not_checked.items[k];
                if (done[k] || !same_command(first, n)) continue;
                done[k] = true;
                bool brief = many && !n->statements.count;
                if (brief && count >= SUSPECTS_SHOWN) {
                    left_out++;
                    continue;
                }
                if (count++) span_addz(doc, &q->spans, 0, "; ");
                else if (many)
                    span_addf(doc, &q->spans, 0,
                              first->ask.count ? "would settle %zu suspects: " : "%zu suspects are open: ", all);
                else span_addz(doc, &q->spans, 0, first->ask.count ? "would settle: " : "Open: ");
                span_add(doc, &q->spans, SPAN_EMPH, n->title.len ? n->title : n->rule);
                if (brief) continue;
                Str names = subject_names(doc, n->subjects.items, n->subjects.count, NAMES_SHOWN);
                if (names.len) span_addf(doc, &q->spans, 0, " (%.*s)", STR_ARG(names));
                for (size_t m = 1; m < n->ask.count; m++) {
                    span_addz(doc, &q->spans, 0, m == 1 ? ", with " : ", ");
                    span_add(doc, &q->spans, SPAN_CODE, n->ask.items[m]);
                }
                for (size_t m = 0; m < n->missing.count; m++)
                    add_once(a, &missing, doc_clean(doc, n->missing.items[m]));
                for (size_t m = 0; m < n->statements.count; m++) {
                    bool again = false; /* "CPU and network look fine" is said of two suspects */
                    for (size_t e = 0; e < said.count && !again; e++)
                        again = said.items[e].src == n->statements.items[m].src &&
                                said.items[e].line == n->statements.items[m].line;
                    if (!again) VEC_PUSH(a, &said, n->statements.items[m]);
                }
            }
            if (left_out) span_addf(doc, &q->spans, 0, "; and %zu more, which the JSON report names", left_out);
            span_addz(doc, &q->spans, 0, ".");
            if (missing.count)
                span_addf(doc, &q->spans, SPAN_MUTED, " Missing: %.*s.", STR_ARG(joined(a, &missing, 30)));
            if (said.count) {
                doc_text(doc, item, "Somebody says of it (a statement, which nothing in the evidence proves):")->role =
                    "remark";
                doc_evidence(doc, item, &said, said.count, false);
            }
        }
}

/* "cause 1 and cause 3": those of a node. */
static Str marks_of(Doc *doc, const Diagnosis *d, int64_t node) {
    StrList marks = {0};
    for (size_t i = 0; node && i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (f->covered_by.len) continue;
        for (size_t k = 0; k < f->subjects.count; k++)
            if (f->subjects.items[k].node == node) {
                VEC_PUSH(doc->arena, &marks, f->rank > 0 ? arena_strf(doc->arena, "cause %d", f->rank) : STR("cause"));
                break;
            }
    }
    return joined(doc->arena, &marks, NAMES_SHOWN);
}

static void put_tree(Doc *doc, const Diagnosis *d) {
    enum { DEEPEST = 16 };
    if (!d->tree.count) return;
    DocNode *s = doc_section(doc, "host", "The host at a glance");
    put_host_picture(doc, s, d);
    DocNode *tree = doc_add(doc, s, DOC_TREE);
    int before = -1;
    for (size_t i = 0; i < d->tree.count; i++) {
        const TreeNode *n = &d->tree.items[i];
        int depth = n->depth < 0 ? 0 : n->depth > before + 1 ? before + 1 : n->depth;
        if (depth > DEEPEST) depth = DEEPEST;
        if (!i) depth = 0;
        else if (depth == 0) depth = 1; /* one root */
        before = depth;
        Str label = doc_clean(doc, n->label), kind = doc_clean(doc, n->kind);
        TreeRow row = {.depth = depth,
                       .label = label.len ? label : STR("?"),
                       .kind = str_is(kind, "drive") || str_eq(kind, label) ? STR("") : kind,
                       .detail = doc_clean(doc, n->detail),
                       .tone = n->culprit   ? TONE_BAD
                               : n->suspect ? TONE_WARN
                                            : TONE_NONE};
        if (n->culprit) {
            Str marks = marks_of(doc, d, n->node);
            row.mark = marks.len ? marks : STR("culprit");
        } else if (n->suspect) {
            row.mark = STR("suspect");
        }
        VEC_PUSH(doc->arena, &tree->tree, row);
    }
}

void layout_metric_columns(Doc *doc, Table *t) {
    doc_column(doc, t, STR("Metric"), false);
    doc_column(doc, t, STR("n"), true);
    doc_column(doc, t, STR("Mean"), true);
    doc_column(doc, t, STR("p50"), true);
    doc_column(doc, t, STR("p95"), true);
    doc_column(doc, t, STR("p99"), true);
    doc_column(doc, t, STR("p99.9"), true);
    doc_column(doc, t, STR("Max"), true);
    doc_column(doc, t, STR("Basis"), false);
}

void layout_metric_cells(Doc *doc, Row *row, size_t c, const Dist *x) {
    Arena *a = doc->arena;
    Str unit = metric_unit(x->metric);
    const double values[] = {x->mean, x->p50, x->p95, x->p99, x->p999, x->max};
    span_add(doc, &row->cells[c++], 0, metric_label(a, x->metric));
    if (isfinite(x->n)) span_add(doc, &row->cells[c], 0, format_count(a, x->n));
    c++;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++, c++)
        if (isfinite(values[i]))
            span_add(doc, &row->cells[c], 0,
                     format_quantity(a, values[i], unit)); /* a column nobody fills is left out */
    span_addf(doc, &row->cells[c], 0, "%.*s%s%.*s", STR_ARG(x->basis), x->basis.len && x->tool.len ? ", " : "",
              STR_ARG(x->tool));
}

static Str drive_kind(Arena *a, const DriveInfo *x) {
    StrBuf out;
    sb_init(&out, a);
    const Str parts[] = {upper_word(a, x->media), upper_word(a, x->bus)};
    for (size_t i = 0; i < 2; i++)
        if (parts[i].len) sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(parts[i]));
    if (str_is(x->plp, "yes")) sb_addf(&out, "%spower-loss protected", out.len ? ", " : "");
    return sb_str(&out);
}

static void put_drives(Doc *doc, const Diagnosis *d) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "drives", "Drives");
    if (!d->drives.count) {
        doc_text(doc, s, "No drive could be told from the evidence.");
        return;
    }
    Table *t = doc_table(doc, s, "Drives by identity", true);
    static const char *const titles[] = {"Name", "Model", "Serial",    "Firmware", "Kind",
                                         "Size", "Place", "Member of", "Finding"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) doc_column(doc, t, str_of(titles[i]), i == 5);
    bool measured = false;
    for (size_t i = 0; i < d->drives.count; i++) {
        const DriveInfo *x = &d->drives.items[i];
        Row *row = doc_row(doc, t);
        row->tone = x->culprit ? TONE_BAD : TONE_NONE;
        measured |= x->metrics.count > 0;
        span_add(doc, &row->cells[0], SPAN_STRONG, x->name.len ? x->name : x->id);
        StrList other = {0};
        for (size_t k = 0; k < x->names.count; k++)
            if (x->names.items[k].boot != 0 && !str_eq(x->names.items[k].name, x->name))
                add_once(a, &other, doc_clean(doc, x->names.items[k].name));
        if (other.count)
            span_addf(doc, &row->cells[0], SPAN_MUTED, " (%.*s at another boot)",
                      STR_ARG(joined(a, &other, NAMES_SHOWN)));
        span_add(doc, &row->cells[1], 0, x->model);
        span_add(doc, &row->cells[2], 0, x->serial);
        if (x->wwn.len)
            span_addf(doc, &row->cells[2], SPAN_MUTED, "%sWWN %.*s", x->serial.len ? " " : "", STR_ARG(x->wwn));
        span_add(doc, &row->cells[3], 0, x->firmware);
        span_add(doc, &row->cells[4], 0, drive_kind(a, x));
        if (isfinite(x->size_bytes)) span_add(doc, &row->cells[5], 0, format_quantity(a, x->size_bytes, STR("bytes")));
        span_add(doc, &row->cells[6], 0, place_text(a, &x->place));
        StrList pools = {0};
        for (size_t k = 0; k < x->pools.count; k++) add_once(a, &pools, doc_clean(doc, x->pools.items[k]));
        span_add(doc, &row->cells[7], 0, joined(a, &pools, NAMES_SHOWN));
        if (x->culprit) {
            Str marks = marks_of(doc, d, x->node);
            span_add(doc, &row->cells[8], SPAN_STRONG, marks.len ? marks : STR("culprit"));
        }
    }
    if (!measured) return;
    t = doc_table(doc, s, "Measured per drive", true);
    t->short_rows = METRIC_ROWS_SHOWN;
    doc_column(doc, t, STR("Drive"), false);
    layout_metric_columns(doc, t);
    bool averages = false;
    for (size_t i = 0; i < d->drives.count; i++) {
        const DriveInfo *x = &d->drives.items[i];
        for (size_t k = 0; k < x->metrics.count; k++) {
            Row *row = doc_row(doc, t);
            span_add(doc, &row->cells[0], SPAN_STRONG, x->name.len ? x->name : x->id);
            layout_metric_cells(doc, row, 1, &x->metrics.items[k]);
            averages |= str_has(x->metrics.items[k].basis, "average");
        }
    }
    if (averages)
        doc_text(doc, s,
                 "Where the basis is averages, p95 and p99 are quantiles of those averages, not of single I/Os. A "
                 "lifetime average tells a magnitude only.")
            ->role = "intro";
}

/* What somebody measured on purpose, beside what link and class can do. */
static void put_benchmarks(Doc *doc, const Diagnosis *d) {
    if (!d->benchmarks.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "benchmarks", "Measured on purpose");
    doc_text(
        doc, s,
        "A benchmark says what was possible at that moment with that test, not what the programs of this host get.")
        ->role = "intro";
    Table *t = doc_table(doc, s, "Benchmarks", true);
    t->short_rows = METRIC_ROWS_SHOWN;
    static const char *const titles[] = {"Test",
                                         "Of",
                                         "Rate",
                                         "IOPS",
                                         "Mean",
                                         "p50",
                                         "p95",
                                         "p99",
                                         "p99.9",
                                         "Max",
                                         "Beside what is possible",
                                         "What it measured"};
    enum { TEXTS_FROM = 10 };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        doc_column(doc, t, str_of(titles[i]), i > 1 && i < TEXTS_FROM);
    for (size_t i = 0; i < d->benchmarks.count; i++) {
        const Benchmark *b = &d->benchmarks.items[i];
        Row *row = doc_row(doc, t);
        span_addf(doc, &row->cells[0], SPAN_STRONG, "%.*s: %.*s", STR_ARG(b->tool), STR_ARG(b->what));
        Str name = b->subject.name;
        if (b->target.len && name.len && !str_eq(str_strip_dev(b->target), name))
            span_addf(doc, &row->cells[1], 0, "%.*s (%.*s)", STR_ARG(name), STR_ARG(b->target));
        else span_add(doc, &row->cells[1], 0, name.len ? name : b->target);
        if (isfinite(b->mb_s)) span_add(doc, &row->cells[2], 0, format_quantity(a, b->mb_s, STR("MB/s")));
        if (isfinite(b->iops)) span_add(doc, &row->cells[3], 0, format_count(a, b->iops));
        const double waits[] = {b->mean_ms, b->p50_ms, b->p95_ms, b->p99_ms, b->p999_ms, b->max_ms};
        for (size_t k = 0; k < sizeof waits / sizeof *waits; k++)
            if (isfinite(waits[k])) span_add(doc, &row->cells[4 + k], 0, format_quantity(a, waits[k], STR("ms")));
        span_add(doc, &row->cells[TEXTS_FROM], 0, b->beside);
        span_add(doc, &row->cells[TEXTS_FROM + 1], 0, b->measures);
    }
    doc_text(
        doc, s,
        "Percentiles are of single I/Os of the test, at its queue depth: the deeper the queue, the longer each waits.")
        ->role = "intro";
}

static bool status_is_well(Str status) {
    return str_is(status, "parsed") || str_is(status, "empty");
}

static Str line_range(Arena *a, const SourceInfo *x) {
    if (x->line_first <= 1 || x->line_last <= 0) return STR("");
    return arena_strf(a, " (lines %lld-%lld)", (long long)x->line_first, (long long)x->line_last);
}

static void put_sources(Doc *doc, const Diagnosis *d) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "sources", "What was read");
    if (!d->sources.count) {
        doc_text(doc, s, "The upload holds nothing that could be read.");
        return;
    }
    size_t bad = 0;
    for (size_t i = 0; i < d->sources.count; i++) bad += !status_is_well(d->sources.items[i].status);
    if (bad) {
        Table *t = doc_table(doc, s, "Not or not wholly read", true);
        t->short_rows = SOURCE_ROWS_SHOWN;
        doc_column(doc, t, STR("Piece"), false);
        doc_column(doc, t, STR("Taken as"), false);
        doc_column(doc, t, STR("Status"), false);
        doc_column(doc, t, STR("Why"), false);
        /* What could have told something comes before what never would. */
        static const char *const order[] = {"failed", "partial", "skipped", "unrecognised", NULL};
        for (size_t pass = 0; pass < sizeof order / sizeof *order; pass++)
            for (size_t i = 0; i < d->sources.count; i++) {
                const SourceInfo *x = &d->sources.items[i];
                bool listed = false;
                for (size_t k = 0; order[k]; k++) listed |= str_is(x->status, order[k]);
                if (status_is_well(x->status) || (order[pass] ? !str_is(x->status, order[pass]) : listed)) continue;
                Row *row = doc_row(doc, t);
                row->tone = str_is(x->status, "unrecognised") ? TONE_MUTED : TONE_NONE;
                span_add(doc, &row->cells[0], SPAN_CODE, x->member);
                span_add(doc, &row->cells[0], SPAN_MUTED, line_range(a, x));
                span_add(doc, &row->cells[1], 0, x->tool);
                span_add(doc, &row->cells[2], 0, x->status.len ? x->status : STR("unknown"));
                if (x->note.len) span_add(doc, &row->cells[3], 0, x->note);
                else if (x->bad_rows > 0)
                    span_addf(doc, &row->cells[3], 0, "%lld rows were not understood", (long long)x->bad_rows);
            }
    }
    enum { MEMBERS_SHOWN = 3 };
    StrList tools = {0};
    for (size_t i = 0; i < d->sources.count; i++)
        if (status_is_well(d->sources.items[i].status))
            add_once(a, &tools, d->sources.items[i].tool.len ? d->sources.items[i].tool : STR("other"));
    if (tools.count) {
        Table *t = doc_table(doc, s, "Read, by tool", true);
        doc_column(doc, t, STR("Tool"), false);
        doc_column(doc, t, STR("Pieces"), true);
        doc_column(doc, t, STR("Rows"), true);
        doc_column(doc, t, STR("From"), false);
        for (size_t k = 0; k < tools.count; k++) {
            size_t pieces = 0, empty = 0;
            int64_t rows = 0;
            Row *row = doc_row(doc, t);
            span_add(doc, &row->cells[0], SPAN_STRONG, tools.items[k]);
            for (size_t i = 0; i < d->sources.count; i++) {
                const SourceInfo *x = &d->sources.items[i];
                if (!status_is_well(x->status) || !str_eq(x->tool.len ? x->tool : STR("other"), tools.items[k]))
                    continue;
                rows += x->rows > 0 ? x->rows : 0;
                empty += str_is(x->status, "empty");
                if (pieces++ >= MEMBERS_SHOWN) continue;
                if (pieces > 1) span_addz(doc, &row->cells[3], 0, ", ");
                span_add(doc, &row->cells[3], SPAN_CODE, x->member);
            }
            if (pieces > MEMBERS_SHOWN) span_addf(doc, &row->cells[3], 0, " and %zu more", pieces - MEMBERS_SHOWN);
            if (empty == pieces) span_addz(doc, &row->cells[3], SPAN_MUTED, " (nothing in it)");
            else if (empty) span_addf(doc, &row->cells[3], SPAN_MUTED, " (nothing in %zu of them)", empty);
            span_addf(doc, &row->cells[1], 0, "%zu", pieces);
            span_addf(doc, &row->cells[2], 0, "%lld", (long long)rows);
        }
    }
    Table *t = doc_table(doc, s, "Every piece of the upload", false);
    t->html_only = true;
    static const char *const titles[] = {"Piece", "Taken as", "Command", "Status", "Rows", "Note"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) doc_column(doc, t, str_of(titles[i]), i == 4);
    for (size_t i = 0; i < d->sources.count; i++) {
        const SourceInfo *x = &d->sources.items[i];
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_CODE, x->member);
        span_add(doc, &row->cells[0], SPAN_MUTED, line_range(a, x));
        span_add(doc, &row->cells[1], 0, x->tool);
        span_add(doc, &row->cells[2], SPAN_CODE, x->command);
        span_add(doc, &row->cells[3], 0, x->status);
        if (x->rows > 0) span_addf(doc, &row->cells[4], 0, "%lld", (long long)x->rows);
        span_add(doc, &row->cells[5], 0, x->note);
    }
}

/* ---------------------------------------------------------------- brief */

void layout_brief_finding(Doc *doc, DocNode *list, const Diagnosis *d, const Finding *f, int number) {
    DocNode *item = doc_add(doc, list, DOC_ITEM);
    item->number = number;
    DocNode *p = doc_paragraph(doc, item, NULL);
    p->max_lines = 5;
    span_add(doc, &p->spans, SPAN_STRONG, title_text(f));
    Str names = subject_names(doc, f->subjects.items, f->subjects.count, 6),
        why = why_text(doc, d, f, true); /* the lines are few: what it explains, else who saw it */
    const char *word = isnan(f->confidence) ? "" : confidence_word(f->confidence);
    if (names.len) span_addf(doc, &p->spans, 0, ": %.*s", STR_ARG(names));
    if (*word || f->class_.len)
        span_addf(doc, &p->spans, 0, " (%s%s%.*s)", word, *word && f->class_.len ? ", " : "", STR_ARG(f->class_));
    span_addz(doc, &p->spans, 0, ".");
    enum { SHORT = 160 }; /* a longer list of what it explains must not push the first step, and its warning, out */
    if (why.len && why.len <= SHORT) span_addf(doc, &p->spans, 0, " %.*s.", STR_ARG(capital(doc->arena, why)));
    /* The first step only, with the command behind it; a script of several lines would not survive being one paragraph. */
    for (size_t i = 0, steps = 0; i < f->fix.count; i++) {
        const Block *b = &f->fix.blocks[i];
        if (b->kind == BLOCK_HEADING) continue;
        if (b->kind == BLOCK_CODE && (!steps || str_find_ch(block_plain(doc->arena, b), '\n') != SIZE_MAX)) break;
        if (b->kind != BLOCK_CODE && steps++) break;
        if (b->kind != BLOCK_CODE) span_addz(doc, &p->spans, 0, " First: ");
        if (b->kind == BLOCK_CODE) span_addz(doc, &p->spans, 0, " ");
        for (size_t k = 0; k < b->span_count; k++)
            span_add(doc, &p->spans, b->spans[k].style & (SPAN_CODE | SPAN_STRONG | SPAN_EMPH), b->spans[k].text);
    }
    if (why.len > SHORT) span_addf(doc, &p->spans, 0, " %.*s.", STR_ARG(capital(doc->arena, why)));
}

void layout_brief_ask(Doc *doc, const Diagnosis *d) {
    for (size_t i = 0; i < d->not_checked.count; i++) {
        if (!d->not_checked.items[i].ask.count) continue;
        DocNode *p = doc_paragraph(doc, doc->body, NULL);
        p->max_lines = 1;
        span_addz(doc, &p->spans, 0, "Ask for: ");
        span_add(doc, &p->spans, SPAN_CODE, d->not_checked.items[i].ask.items[0]);
        return;
    }
}

static void put_brief(Doc *doc, const Diagnosis *d) {
    enum { MOST = 2 };
    DocNode *p = doc_paragraph(doc, doc->body, "lead");
    p->max_lines = 4;
    if (d->bundle.test_path.len) span_addz(doc, &p->spans, 0, "(Made with test tools.) ");
    span_add(doc, &p->spans, SPAN_STRONG, doc->heading);
    span_addz(doc, &p->spans, 0, ": ");
    span_add(doc, &p->spans, 0, verdict_text(d));
    DocNode *list = NULL;
    int number = 0;
    for (size_t i = 0; i < d->causes.count && number < MOST; i++) {
        if (d->causes.items[i]->covered_by.len || d->causes.items[i]->inside) continue;
        if (!list) list = doc_add(doc, doc->body, DOC_LIST);
        layout_brief_finding(doc, list, d, d->causes.items[i], ++number);
    }
    layout_brief_ask(doc, d);
}

Doc *layout_diagnosis(Arena *a, const Diagnosis *d, bool brief) {
    Doc *doc = arena_new_of(a, Doc);
    doc->arena = a;
    doc->brief = brief;
    doc->body = doc_new(doc, DOC_GROUP);
    Str host = doc_clean(doc, d->bundle.host), label = doc_clean(doc, d->bundle.label);
    doc->heading = host.len ? host : label.len ? label : STR("A host without a name");
    doc->kicker = STR("Storage diagnosis");
    doc->title = arena_strf(a, "Storage diagnosis: %.*s", STR_ARG(doc->heading));
    doc->footer = STR("stordx " STORDX_VERSION);
    if (brief) {
        put_brief(doc, d);
        return doc;
    }
    put_head(doc, d);
    put_verdict(doc, d);
    put_causes(doc, d);
    put_symptoms(doc, d);
    put_findings(doc, d, &d->risks, "risks", "Risks",
                 "These explain nothing of the present complaint, but can turn against this host later.");
    put_findings(doc, d, &d->notes, "notes", "Notes", "What limits this evidence, or is worth knowing beside it.");
    put_ruled_out(doc, d);
    put_not_checked(doc, d);
    put_tree(doc, d);
    put_drives(doc, d);
    put_benchmarks(doc, d);
    put_sources(doc, d);
    return doc;
}
