#include "layout_parts.h"

#include "base/version.h"
#include "format.h"
#include "plots.h"
#include "timeline.h"

#include <math.h>

/* How much of long lists text and Markdown show; HTML and JSON have more of it. */
enum {
    EVIDENCE_SHOWN = 3,
    EVIDENCE_SHOWN_SMALL = 1,
    PARTS_SHOWN = 4,
    CAUSES_PLAIN = 5,
    CAUSES_HTML = 12,
    CAUSE_ROWS = 12,
    PART_ROWS = 24
};

/* ---------------------------------------------------------------- words */

typedef struct Word {
    const char *id, *text;
} Word;

static const char *word_of(const Word *words, size_t count, Str id) {
    for (size_t i = 0; i < count; i++)
        if (str_is(id, words[i].id)) return _(words[i].text);
    return NULL;
}
#define WORD_OF(words, id) word_of(words, sizeof words / sizeof *words, id)

/* One per line of symptoms.def. */
static const Word symptoms[] = {{"write-latency", N_("write latency")},
                                {"read-latency", N_("read latency")},
                                {"sync-latency", N_("latency of flushes")},
                                {"discard-latency", N_("latency of discards")},
                                {"latency-spikes", N_("latency spikes")},
                                {"slow-outlier", N_("one part slower than its like")},
                                {"low-throughput", N_("low throughput")},
                                {"low-iops", N_("low IOPS")},
                                {"throughput-collapse", N_("throughput collapse")},
                                {"io-pressure", N_("I/O pressure")},
                                {"iowait", N_("processors waiting for I/O")},
                                {"hung-tasks", N_("hung tasks")},
                                {"device-resets", N_("device resets")},
                                {"controller-reset", N_("controller resets")},
                                {"command-timeout", N_("command timeouts")},
                                {"path-errors", N_("path errors")},
                                {"resilver-slow", N_("slow rebuild")},
                                {"space-low", N_("low space")},
                                {"memory-pressure", N_("shortage of memory")},
                                {"cpu-steal", N_("processor time taken by the host")},
                                {"pool-degraded", N_("degraded pool")},
                                {"pool-suspended", N_("suspended pool")},
                                {"array-degraded", N_("degraded array")},
                                {"data-errors", N_("data errors")},
                                {"checksum-errors", N_("checksum errors")},
                                {"fs-readonly", N_("read-only file system")},
                                {"device-missing", N_("missing device")},
                                {"media-errors", N_("media errors")},
                                {"health-warning", N_("health warning of the drive")},
                                {"io-errors", N_("I/O errors")},
                                {"memory-errors", N_("memory errors")},
                                {"no-command-queueing", N_("missing command queueing")},
                                {"link-downgraded", N_("downgraded link")},
                                {"names-changed", N_("changed names")},
                                {"link-errors", N_("link errors")},
                                {"over-temperature", N_("over-temperature")}};

Str symptom_words(Arena *a, Str symptom) {
    const char *known = WORD_OF(symptoms, symptom);
    if (known) return str_of(known);
    StrBuf out; /* of a page that a user added */
    sb_init(&out, a);
    while (symptom.len) {
        if (out.len) sb_addc(&out, ' ');
        sb_add(&out, str_cut(&symptom, '-'));
    }
    return sb_str(&out);
}

static const Word classes[] = {{"misconfiguration", N_("settings and set-up")},
                               {"fault", N_("fault")},
                               {"degradation", N_("works, but worse than it should")},
                               {"saturation", N_("a limit is reached")}},
                  class_sentences[] = {{"misconfiguration", N_("How it is set up is the trouble, not a broken part.")},
                                       {"fault", N_("Something is broken, or about to be.")},
                                       {"degradation", N_("It still works, but worse than it should.")},
                                       {"saturation", N_("A limit is reached: that is no broken part.")}},
                  impacts[] = {{"severe", N_("severe impact")},
                               {"major", N_("major impact")},
                               {"minor", N_("minor impact")}},
                  surenesses[] = {{"certain", N_("certain")}, {"likely", N_("likely")}, {"possible", N_("possible")}},
                  sure_sentences[] = {{"certain", N_("Certain: the evidence shows it.")},
                                      {"likely", N_("Likely: the evidence speaks for it, but does not prove it.")},
                                      {"possible",
                                       N_("Possible only: check it before anything is bought or changed.")}},
                  views[] = {{"kernel", N_("kernel view")},
                             {"drive", N_("drive view")},
                             {"firmware", N_("firmware view")},
                             {"statement", N_("a statement")},
                             {"by-hand", N_("typed by hand")}};

/* What a page of a user calls otherwise is shown as it is. */
static Str class_words(Str class_) {
    const char *known = WORD_OF(classes, class_);
    return known ? str_of(known) : class_;
}

/* "certain" in the report's language; "" where nothing is said of it. */
static Str sure_word(const Finding *f) {
    const char *known = isnan(f->confidence) ? NULL : WORD_OF(surenesses, str_of(confidence_word(f->confidence)));
    return known ? str_of(known) : STR("");
}

Str subject_name(Doc *doc, const Subject *s) {
    static const Word kinds[] = {{"controller", N_("controller {name}")},
                                 {"link", N_("link {name}")},
                                 {"pool", N_("pool {name}")},
                                 {"array", N_("array {name}")},
                                 {"filesystem", N_("file system {name}")},
                                 {"guest", N_("guest {name}")},
                                 {"process", N_("process {name}")},
                                 {"drive", "{name}"},
                                 {"vdev", "{name}"}};
    Str name = s->name.len ? s->name : s->model.len ? s->model : s->serial.len ? s->serial : s->id;
    if (str_is(s->kind, "host")) return str_of(_("the host"));
    Str words = doc_clean(doc, name), kind = doc_clean(doc, s->kind);
    bool plain = str_is(kind, "drive") || str_is(kind, "vdev");
    if (!words.len) return kind.len && !plain ? kind : str_of(_("unnamed"));
    if (!kind.len || plain || str_istarts(words, arena_cstr(doc->arena, kind))) return words;
    const char *known = WORD_OF(kinds, kind);
    return known ? say(doc->arena, known, "name", words, NULL)
                 : arena_strf(doc->arena, "%.*s %.*s", STR_ARG(kind), STR_ARG(words));
}

Str joined(Arena *a, const StrList *words, size_t most) {
    StrBuf out;
    sb_init(&out, a);
    size_t shown = words->count > most ? most - 1 : words->count;
    size_t comma = shown < words->count || shown < 2 ? shown : shown - 1;
    for (size_t i = 0; i < comma; i++) sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(words->items[i]));
    if (shown < words->count)
        return say_n(a, "{list} and {n} more", "{list} and {n} more", words->count - shown, "list", sb_str(&out), NULL);
    if (comma == shown) return sb_str(&out);
    return say(a, _("{list} and {last}"), "list", sb_str(&out), "last", words->items[shown - 1], NULL);
}

void add_once(Arena *a, StrList *list, Str s) {
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
    Str when = start.len && end.len && !str_eq(start, end)
                   ? say(a, _("{start} to {end}"), "start", start, "end", end, NULL)
               : start.len ? start
                           : end;
    if (span.len)
        when = when.len ? say(a, _("{when}, {span} of samples"), "when", when, "span", span, NULL)
                        : say(a, _("{span} of samples"), "span", span, NULL);
    if (c->complete) return when;
    return when.len ? say(a, _("{when}; the capture did not finish"), "when", when, NULL)
                    : str_of(_("the capture did not finish"));
}

static Tone confidence_tone(double confidence) {
    const char *word = confidence_word(confidence);
    return str_is(str_of(word), "certain") ? TONE_BAD : str_is(str_of(word), "likely") ? TONE_WARN : TONE_INFO;
}

Str capital(Arena *a, Str s) {
    if (!s.len) return s;
    char *p = arena_cstr(a, s);
    if (p[0] >= 'a' && p[0] <= 'z') p[0] = (char)(p[0] - 32);
    /* a Cyrillic one of two bytes: U+0430 to U+044F */
    else if (s.len > 1 && p[0] == '\xd0' && (unsigned char)p[1] >= 0xb0) p[1] = (char)((unsigned char)p[1] - 0x20);
    else if (s.len > 1 && p[0] == '\xd1' && (unsigned char)p[1] < 0x90) {
        p[0] = '\xd0';
        p[1] = (char)((unsigned char)p[1] + 0x20);
    }
    return (Str){p, s.len};
}

/* ---------------------------------------------------------------- sentences */

/* Small letters are those that translations have: Latin ones with accents and Cyrillic ones. Quotes and "¿" begin a sentence. */
static bool upper_follows(Str text, size_t at) {
    if (at >= text.len) return false;
    unsigned char c = (unsigned char)text.p[at], next = at + 1 < text.len ? (unsigned char)text.p[at + 1] : 0;
    if (c < 0x80) return c >= 'A' && c <= 'Z';
    return !((c == 0xc3 && next >= 0x9f) || (c == 0xd0 && next >= 0xb0) || c == 0xd1);
}

/* Does a sentence end with text[at], a full stop or its like? Not behind "e.g." and "vol. 9". */
static bool sentence_ends(Str text, size_t at, bool last_span) {
    if (!strchr(".!?", text.p[at])) return false;
    if (at + 1 == text.len) return last_span;
    if (text.p[at + 1] != ' ') return false;
    if (at > 1 && text.p[at - 2] == '.') return false;
    return at + 2 == text.len || upper_follows(text, at + 2);
}

typedef VEC(Spans) Sentences;

/* The sentences of a text. Full stops of abbreviations and in code end none. */
static void split_sentences(Doc *doc, const Span *spans, size_t count, Sentences *out) {
    Spans now = {0};
    for (size_t i = 0; i < count; i++) {
        Span s = spans[i];
        size_t from = 0;
        for (size_t k = 0; !(s.style & (SPAN_CODE | SPAN_STRONG)) && k < s.text.len; k++) {
            if (!sentence_ends(s.text, k, i + 1 == count)) continue;
            span_add(doc, &now, s.style, str_sub(s.text, from, k + 1 - from));
            VEC_PUSH(doc->arena, out, now);
            now = (Spans){0};
            from = k + 1;
            while (from < s.text.len && s.text.p[from] == ' ') from++;
        }
        span_add(doc, &now, s.style, str_from(s.text, from));
    }
    if (str_trim(spans_plain(doc->arena, &now)).len) VEC_PUSH(doc->arena, out, now);
}

static void append(Doc *doc, Spans *to, const Spans *more) {
    if (to->count && more->count) VEC_PUSH(doc->arena, to, ((Span){.text = STR(" ")}));
    for (size_t i = 0; i < more->count; i++) VEC_PUSH(doc->arena, to, more->items[i]);
}

/* The first sentences of a text, as many as fit; one at least. What belongs to a danger is left out. */
static Spans beginning(Doc *doc, const Span *spans, size_t count, size_t most) {
    Spans words = {0}, out = {0};
    bool danger = false;
    for (size_t i = 0; i < count; i++) {
        danger = span_is_danger(&spans[i]) || (danger && spans[i].style & SPAN_STRONG);
        if (!danger) VEC_PUSH(doc->arena, &words, spans[i]);
    }
    Sentences sentences = {0};
    split_sentences(doc, words.items, words.count, &sentences);
    size_t length = 0;
    for (size_t i = 0; i < sentences.count; i++) {
        length += spans_plain(doc->arena, &sentences.items[i]).len + 1;
        if (i && length > most) break;
        append(doc, &out, &sentences.items[i]);
    }
    return out;
}

/* The first step of its fix: as many sentences as fit into `most` bytes, one at least; its danger, with "Danger:". Both may be empty. */
static void first_step(Doc *doc, const Finding *f, size_t most, Spans *act, Spans *danger) {
    size_t i = 0;
    while (i < f->fix.count && (f->fix.blocks[i].kind == BLOCK_HEADING || f->fix.blocks[i].kind == BLOCK_CODE)) i++;
    if (i == f->fix.count) return;
    const Block *b = &f->fix.blocks[i];
    bool inside = false;
    for (size_t k = 0; k < b->span_count; k++) {
        const Span *s = &b->spans[k];
        inside = span_is_danger(s) || (inside && s->style & SPAN_STRONG);
        if (inside) span_add(doc, danger, s->style & (SPAN_CODE | SPAN_EMPH), s->text);
    }
    *act = beginning(doc, b->spans, b->span_count, most);
    /* A page may have the whole step as a danger, and the act in the paragraph behind it. */
    if (!act->count && i + 1 < f->fix.count && f->fix.blocks[i + 1].kind == BLOCK_PARAGRAPH)
        *act = beginning(doc, f->fix.blocks[i + 1].spans, f->fix.blocks[i + 1].span_count, most);
    /* The command behind it; a script of several lines would not survive being one paragraph. */
    Str words = str_trim(spans_plain(doc->arena, act));
    if (!str_ends(words, ":") || i + 1 >= f->fix.count || f->fix.blocks[i + 1].kind != BLOCK_CODE) return;
    Str code = block_plain(doc->arena, &f->fix.blocks[i + 1]);
    if (str_find_ch(code, '\n') != SIZE_MAX) return;
    span_addz(doc, act, 0, " ");
    span_add(doc, act, SPAN_CODE, code);
}

static bool forbids(Str sentence) {
    /* In the languages that pages are written in; the last two are "never" and "do not" in Russian. */
    static const char *const words[] = {
        "never ",           "do not ", "don't ",
        "nunca ",           "no ",     "\xd0\x9d\xd0\xb8\xd0\xba\xd0\xbe\xd0\xb3\xd0\xb4\xd0\xb0 ",
        "\xd0\x9d\xd0\xb5 "};
    /* "No es", "no hay" say what is, and English sentences that begin with "No" do so, too. */
    bool spanish = !strcmp(lang_code(), "es");
    if (str_istarts(sentence, "no ") &&
        (!spanish || str_istarts(sentence, "no es ") || str_istarts(sentence, "no hay ")))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_istarts(sentence, words[i])) return true;
    return false;
}

/* The first sentence that forbids something; else, if `any`, the first one. */
static Spans forbidden(Doc *doc, const Rich *text, bool any) {
    Spans first = {0};
    for (size_t i = 0; i < text->count; i++) {
        const Block *b = &text->blocks[i];
        if (b->kind != BLOCK_PARAGRAPH && b->kind != BLOCK_ITEM) continue;
        Sentences sentences = {0};
        split_sentences(doc, b->spans, b->span_count, &sentences);
        for (size_t k = 0; k < sentences.count; k++) {
            if (forbids(str_trim_left(spans_plain(doc->arena, &sentences.items[k])))) return sentences.items[k];
            if (!first.count) first = sentences.items[k];
        }
    }
    return any ? first : (Spans){0};
}

/* What must not be done. A page may say it among its steps alone. */
static Spans not_this_first(Doc *doc, const Finding *f) {
    Spans out = forbidden(doc, &f->not_this, false);
    if (!out.count) out = forbidden(doc, &f->fix, false);
    return out.count ? out : forbidden(doc, &f->not_this, true);
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

/* "write latency (sda and sdb), I/O pressure": the symptoms explained with a weight in [low, high). A list, not a sentence:
   so no language has to decline its parts. */
static Str explained_text(Doc *doc, const Finding *f, double low, double high) {
    Arena *a = doc->arena;
    StrList done = {0};
    StrBuf out;
    sb_init(&out, a);
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
        sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(words));
        if (names.len) sb_addf(&out, " (%.*s)", STR_ARG(names));
    }
    return sb_str(&out);
}

/* "sysfs and dmesg (kernel view), hdparm (drive view)" */
static Str seen_text(Doc *doc, const Diagnosis *d, const Finding *f) {
    Arena *a = doc->arena;
    StrList found = {0}, groups = {0}, named = {0};
    for (size_t i = 0; i < f->evidence.count; i++) add_once(a, &found, f->evidence.items[i].view);
    for (size_t v = 0; v <= found.count; v++) { /* one more turn for what has no view */
        StrList tools = {0};
        for (size_t i = 0; i < f->evidence.count; i++) {
            const Evidence *e = &f->evidence.items[i];
            if (v < found.count ? !str_eq(e->view, found.items[v]) : e->view.len) continue;
            Str tool = doc_clean(doc, tool_of(d, e));
            size_t before = named.count;
            add_once(a, &named, tool);
            /* an event has no view, and its log was named with the log's settings already */
            if (v < found.count || named.count > before) add_once(a, &tools, tool);
        }
        if (!tools.count) continue;
        Str names = joined(a, &tools, NAMES_SHOWN);
        if (v < found.count && found.count > 1) {
            const char *view = WORD_OF(views, found.items[v]);
            names = say(a, _("{tools} ({view})"), "tools", names, "view",
                        view ? str_of(view) : doc_clean(doc, found.items[v]), NULL);
        }
        VEC_PUSH(a, &groups, names);
    }
    return found.count > 1 ? joined(a, &groups, NAMES_SHOWN) : joined(a, &named, NAMES_SHOWN);
}

Str finding_why(Doc *doc, const Diagnosis *d, const Finding *f) {
    Str strong = explained_text(doc, f, 0.5, INFINITY), seen = seen_text(doc, d, f);
    if (strong.len) return say(doc->arena, _("explains: {what}"), "what", strong, NULL);
    return seen.len ? say(doc->arena, _("seen in {tools}"), "tools", seen, NULL) : STR("");
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

/* Drives by name, model, serial, WWN and place, as advice to replace one must; other subjects in a line. */
static void put_subjects(Doc *doc, DocNode *parent, DocNode *facts, const SubjectList *subjects) {
    bool known = false;
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        known |= s->model.len > 0 || s->serial.len > 0 || s->wwn.len > 0 || place_text(doc->arena, &s->place).len > 0;
    }
    if (!known) {
        Str names = subject_names(doc, subjects->items, subjects->count, 30);
        doc_fact(doc, facts, _("Where"), names);
        return;
    }
    Table *t = doc_table(doc, parent, _("The parts concerned"), false);
    t->short_rows = PART_ROWS;
    doc_column(doc, t, str_of(_("Name")), false);
    doc_column(doc, t, str_of(_("Model")), false);
    doc_column(doc, t, str_of(_("Serial")), false);
    doc_column_html(doc, t, str_of(_("WWN")));
    doc_column(doc, t, str_of(_("Place")), false);
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_STRONG, subject_name(doc, s));
        span_add(doc, &row->cells[1], 0, s->model);
        if (s->serial.len) span_add(doc, &row->cells[2], 0, s->serial);
        else if (s->wwn.len) span_addf(doc, &row->cells[2], 0, "WWN %.*s", STR_ARG(s->wwn));
        else if (str_is(s->kind, "drive")) span_addz(doc, &row->cells[2], SPAN_MUTED, _("unknown"));
        if (s->serial.len) span_add(doc, &row->cells[3], 0, s->wwn);
        span_add(doc, &row->cells[4], 0, lang_phrase(doc->arena, place_text(doc->arena, &s->place)));
    }
}

static Str remarks_text(Doc *doc, const Finding *f) {
    StrBuf out;
    sb_init(&out, doc->arena);
    for (size_t i = 0; i < f->remarks.count; i++)
        sb_addf(&out, "%s%.*s", i ? "; " : "", STR_ARG(doc_clean(doc, f->remarks.items[i])));
    return sb_str(&out);
}

static void put_remarks(Doc *doc, DocNode *facts, const Finding *f) {
    Str all = remarks_text(doc, f);
    if (all.len) doc_fact(doc, facts, f->compared ? _("Note") : _("What weakens it"), all);
}

Str title_of(const Diagnosis *d, Str rule) {
    for (size_t i = 0; d && i < d->causes.count; i++)
        if (str_eq(d->causes.items[i]->rule, rule)) return d->causes.items[i]->title;
    for (size_t i = 0; d && i < d->risks.count; i++)
        if (str_eq(d->risks.items[i]->rule, rule)) return d->risks.items[i]->title;
    return rule;
}

Str title_text(const Finding *f) {
    return f->title.len ? f->title : f->rule.len ? f->rule : str_of(_("A finding without a title"));
}

static void put_rule(Doc *doc, DocNode *card, const Finding *f) {
    DocNode *p = doc_paragraph(doc, card, "rule");
    span_addz(doc, &p->spans, SPAN_MUTED, _("Rule:"));
    span_addz(doc, &p->spans, SPAN_MUTED, " ");
    if (f->rule.len) span_add(doc, &p->spans, SPAN_CODE | SPAN_MUTED, f->rule);
    else span_addz(doc, &p->spans, SPAN_MUTED, _("without an id"));
    if (!f->source.len) return;
    p = doc_paragraph(doc, card, "rule");
    p->shown = SHOWN_HTML;
    span_add(doc, &p->spans, SPAN_MUTED, say(doc->arena, _("Known from: {source}"), "source", f->source, NULL));
}

/* What belongs to a finding and has a rule of its own: its text, how to live with it meanwhile, and its lines. */
static void put_inside(Doc *doc, DocNode *card, const Diagnosis *d, const Finding *f) {
    if (!d) return;
    const FindingList *const lists[] = {&d->causes, &d->risks};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const Finding *part = lists[l]->items[i];
            if (part->inside != f) continue;
            DocNode *group = doc_add(doc, card, DOC_GROUP);
            group->role = "inside";
            doc_heading(doc, group, arena_fmt(doc->arena, "%.*s", STR_ARG(doc_clean(doc, title_text(part)))));
            doc_rich(doc, group, &part->summary);
            DocNode *facts = doc_add(doc, group, DOC_FACTS);
            put_remarks(doc, facts, part);
            doc_evidence(doc, group, &part->evidence, EVIDENCE_SHOWN_SMALL, true);
            doc_rich(doc, group, &part->fix);
            put_rule(doc, group, part);
        }
}

static void put_badges(Doc *doc, DocNode *card, const Finding *f) {
    bool aside = str_is(f->kind, "note") || str_is(f->kind, "verdict");
    Str word = sure_word(f);
    if (f->danger_now) doc_badge(doc, card, str_of(_("data at stake now")), TONE_BAD);
    doc_badge(doc, card, word, aside ? TONE_INFO : confidence_tone(f->confidence));
    if (!str_is(f->class_, "other")) doc_badge(doc, card, class_words(f->class_), TONE_NONE);
    const char *impact = WORD_OF(impacts, f->impact);
    if (f->impact.len && !aside) doc_badge(doc, card, impact ? str_of(impact) : f->impact, TONE_NONE);
    card->tone = aside ? TONE_INFO : str_is(f->kind, "risk") ? TONE_WARN : confidence_tone(f->confidence);
}

/* How sure, and why; what it explains; what weakens it. */
static DocNode *put_why(Doc *doc, DocNode *card, const Diagnosis *d, const Finding *f) {
    Arena *a = doc->arena;
    DocNode *facts = doc_add(doc, card, DOC_FACTS);
    Str strong = explained_text(doc, f, 0.5, INFINITY), weak = explained_text(doc, f, 0, 0.5),
        seen = seen_text(doc, d, f);
    const char *sure = isnan(f->confidence) ? NULL : WORD_OF(sure_sentences, str_of(confidence_word(f->confidence)));
    bool aside = str_is(f->kind, "note") || str_is(f->kind, "verdict");
    if (seen.len && sure && !aside)
        doc_fact(doc, facts, _("How sure"),
                 say(a, _("{sentence} Seen in {tools}."), "sentence", str_of(sure), "tools", seen, NULL));
    else if (seen.len) doc_fact(doc, facts, _("Seen in"), seen);
    else if (sure && !aside) doc_fact(doc, facts, _("How sure"), str_of(sure));
    put_remarks(doc, facts, f);
    doc_fact(doc, facts, _("Explains"), strong);
    doc_fact(doc, facts, _("Takes part in"), weak);
    if (!doc->compares && d && f->capture && d->capture.id && f->capture != d->capture.id)
        doc_fact(
            doc, facts, _("From"),
            say(a, _("capture {number} of this upload"), "number", arena_strf(a, "%lld", (long long)f->capture), NULL));
    return facts;
}

static void put_text(Doc *doc, DocNode *card, const char *role, const char *heading, const Rich *text) {
    if (!text->count) return;
    DocNode *group = doc_add(doc, card, DOC_GROUP);
    group->role = role;
    doc_heading(doc, group, heading);
    doc_rich(doc, group, text);
}

DocNode *layout_finding(Doc *doc, DocNode *parent, const Diagnosis *d, const Finding *f, CardStyle style) {
    Arena *a = doc->arena;
    DocNode *card = doc_add(doc, parent, DOC_CARD);
    bool cause = style == CARD_CAUSE;
    if (cause) card->id = arena_fmt(a, "finding-%d", ++doc->cards);
    if (cause && f->rank > 0) span_addf(doc, &card->title, 0, "%d. ", f->rank);
    span_add(doc, &card->title, 0, title_text(f));
    put_badges(doc, card, f);
    DocNode *facts = put_why(doc, card, d, f);
    put_subjects(doc, card, facts, &f->subjects);
    doc_rich(doc, card, &f->summary);
    put_text(doc, card, "fix", _("What to do"), &f->fix);
    put_text(doc, card, "verify", _("How to check that it worked"), &f->verify);
    put_text(doc, card, "not-this", _("Not this"), &f->not_this);
    put_inside(doc, card, d, f);
    if (f->evidence.count) {
        if (cause) {
            DocNode *heading = doc_heading(doc, card, _("Original lines"));
            heading->shown = SHOWN_PLAIN; /* HTML says it where they unfold */
        }
        size_t shown = !cause ? EVIDENCE_SHOWN_SMALL : f->rank > 1 ? EVIDENCE_SHOWN - 1 : EVIDENCE_SHOWN;
        doc_evidence(doc, card, &f->evidence, shown, true);
    }
    put_rule(doc, card, f);
    return card;
}

/* ---------------------------------------------------------------- the answer in short */

/* "sda (WD Red SA500 2.5 2TB, serial 21470D400458, port 3)". Of many, the end of the serial number, as labels are read. */
enum { SERIAL_END = 4 };

static Str part_text(Doc *doc, const Subject *s, bool whole, bool whole_serial) {
    Arena *a = doc->arena;
    StrList about = {0};
    Str serial = doc_clean(doc, s->serial), place = doc_clean(doc, lang_phrase(a, place_text(a, &s->place)));
    if (whole && s->model.len && s->name.len) VEC_PUSH(a, &about, doc_clean(doc, s->model));
    if (serial.len && !whole_serial && serial.len > SERIAL_END)
        VEC_PUSH(a, &about,
                 say(a, _("serial \xe2\x80\xa6{end}"), "end", str_from(serial, serial.len - SERIAL_END), NULL));
    else if (serial.len) VEC_PUSH(a, &about, say(a, _("serial {serial}"), "serial", serial, NULL));
    else if (s->wwn.len) VEC_PUSH(a, &about, arena_strf(a, "WWN %.*s", STR_ARG(doc_clean(doc, s->wwn))));
    if (place.len) VEC_PUSH(a, &about, place);
    if (!about.count) return subject_name(doc, s);
    StrBuf out;
    sb_init(&out, a);
    sb_addf(&out, "%.*s (", STR_ARG(subject_name(doc, s)));
    for (size_t i = 0; i < about.count; i++) sb_addf(&out, "%s%.*s", i ? ", " : "", STR_ARG(about.items[i]));
    sb_addc(&out, ')');
    return sb_str(&out);
}

/* Do the ends of the serial numbers tell these drives apart? Those of one SAS series may all end alike. */
static bool ends_differ(const SubjectList *subjects) {
    enum { LOOKED_AT = 64 };
    for (size_t i = 0; i < subjects->count && i < LOOKED_AT; i++)
        for (size_t k = 0; k < i; k++) {
            Str x = subjects->items[i].serial, y = subjects->items[k].serial;
            if (x.len > SERIAL_END && y.len > SERIAL_END &&
                str_eq(str_from(x, x.len - SERIAL_END), str_from(y, y.len - SERIAL_END)))
                return false;
        }
    return true;
}

/* "sda (WD Red, serial 2147, port 3)": what one needs to find the part. */
static Str parts_text(Doc *doc, const SubjectList *subjects) {
    enum { IN_FULL = 2, MODELS_SHOWN = 3 };
    StrList parts = {0};
    bool whole = subjects->count <= IN_FULL, whole_serial = whole || !ends_differ(subjects);
    for (size_t i = 0; i < subjects->count; i++)
        add_once(doc->arena, &parts, part_text(doc, &subjects->items[i], whole, whole_serial));
    Str list = joined(doc->arena, &parts, PARTS_SHOWN);
    StrList models = {0};
    for (size_t i = 0; !whole && i < subjects->count; i++)
        if (subjects->items[i].name.len) add_once(doc->arena, &models, doc_clean(doc, subjects->items[i].model));
    if (!models.count) return list;
    return say(doc->arena, _("{models}: {parts}"), "models", joined(doc->arena, &models, MODELS_SHOWN), "parts", list,
               NULL);
}

/* Of which a reader must know more than the title: unless that has them already. */
static Str names_beyond_title(Doc *doc, const Finding *f) {
    enum { NAMES = 6 };
    for (size_t i = 0; i < f->subjects.count; i++)
        if (!str_has(title_text(f), arena_cstr(doc->arena, f->subjects.items[i].name)))
            return subject_names(doc, f->subjects.items, f->subjects.count, NAMES);
    return STR("");
}

/* "The write cache is off: sda and sdb." */
static Str what_is_wrong(Doc *doc, const Finding *f) {
    Arena *a = doc->arena;
    Str title = doc_clean(doc, title_text(f)), names = names_beyond_title(doc, f);
    return names.len ? say(a, _("{title}: {names}."), "title", title, "names", names, NULL)
                     : say(a, _("{title}."), "title", title, NULL);
}

static Str class_sentence(const Finding *f) {
    const char *known = WORD_OF(class_sentences, f->class_);
    return str_of(known ? known : "");
}

static Str sure_sentence(const Finding *f) {
    const char *known = isnan(f->confidence) ? NULL : WORD_OF(sure_sentences, str_of(confidence_word(f->confidence)));
    return str_of(known ? known : "");
}

/* Without "Danger:", which its heading says. */
static Spans danger_words(Doc *doc, const Spans *danger) {
    Spans out = {0};
    for (size_t i = 0; i < danger->count; i++) {
        Span s = danger->items[i];
        size_t colon = i ? SIZE_MAX : str_find_ch(s.text, ':');
        if (colon != SIZE_MAX) s.text = capital(doc->arena, str_trim_left(str_from(s.text, colon + 1)));
        if (s.text.len) VEC_PUSH(doc->arena, &out, s);
    }
    return out;
}

/* Which part, how sure, what first, what not. */
static void put_answer(Doc *doc, DocNode *facts, const Finding *f, size_t most) {
    Spans act = {0}, danger = {0};
    first_step(doc, f, most, &act, &danger);
    doc_fact(doc, facts, _("Which part"), parts_text(doc, &f->subjects));
    doc_fact(doc, facts, _("How sure"), sure_sentence(f));
    doc_fact_spans(doc, facts, _("Danger"), danger_words(doc, &danger), TONE_BAD);
    doc_fact_spans(doc, facts, _("Do first"), act, TONE_NONE);
    doc_fact_spans(doc, facts, _("Not this"), not_this_first(doc, f), TONE_NONE);
}

void layout_brief_finding(Doc *doc, DocNode *list, const Diagnosis *d, const Finding *f, int number) {
    DocNode *item = doc_add(doc, list, DOC_ITEM);
    item->number = number;
    DocNode *p = doc_paragraph(doc, item, NULL);
    p->max_lines = 5;
    span_add(doc, &p->spans, SPAN_STRONG, title_text(f));
    Str names = subject_names(doc, f->subjects.items, f->subjects.count, 6), why = finding_why(doc, d, f),
        word = sure_word(f);
    if (names.len) span_addf(doc, &p->spans, 0, ": %.*s", STR_ARG(names));
    if (word.len) span_addf(doc, &p->spans, 0, " (%.*s)", STR_ARG(word));
    span_addz(doc, &p->spans, 0, ".");
    Spans act = {0}, danger = {0};
    first_step(doc, f, 200, &act, &danger);
    if (danger.count) {
        span_addz(doc, &p->spans, 0, " ");
        append(doc, &p->spans, &danger);
    }
    if (act.count) {
        span_addf(doc, &p->spans, SPAN_STRONG, " %s", _("First:"));
        append(doc, &p->spans, &act);
    }
    enum { SHORT = 160 }; /* a longer list of what it explains would only be cut */
    if (why.len && why.len <= SHORT) span_addf(doc, &p->spans, 0, " %.*s.", STR_ARG(capital(doc->arena, why)));
}

/* ---------------------------------------------------------------- the head and the verdict */

static void put_head(Doc *doc, const Diagnosis *d) {
    const BundleInfo *b = &d->bundle;
    Arena *a = doc->arena;
    doc->head = doc_new(doc, DOC_FACTS);
    doc_fact(doc, doc->head, _("Machine"), b->machine);
    doc_fact(doc, doc->head, _("System"),
             b->os.len && b->kernel.len
                 ? say(a, _("{system}, kernel {version}"), "system", b->os, "version", b->kernel, NULL)
             : b->os.len ? b->os
                         : b->kernel);
    doc_fact(doc, doc->head, _("Captured"), capture_text(a, &d->capture));
    doc_fact(doc, doc->head, _("Upload"),
             b->kind.len ? arena_strf(a, "%.*s (%.*s)", STR_ARG(b->label), STR_ARG(b->kind)) : b->label);
    if (b->captures.count < 2) return;
    StrBuf others;
    sb_init(&others, a);
    for (size_t i = 0; i < b->captures.count; i++) {
        if (b->captures.items[i].id == d->capture.id) continue;
        Str text = capture_text(a, &b->captures.items[i]);
        sb_addf(&others, "%s%.*s", others.len ? "; " : "", STR_ARG(text.len ? text : str_of(_("one without a time"))));
    }
    doc_fact(doc, doc->head, _("Not judged here"),
             say_n(a, "{n} earlier capture of this upload: {list}", "{n} earlier captures of this upload: {list}",
                   b->captures.count - 1, "list", sb_str(&others), NULL));
}

void layout_warnings(Doc *doc, DocNode *parent, const Str *warnings, size_t count, const BundleInfo *bundle,
                     const char *of) {
    if (bundle && bundle->test_path.len) {
        DocNode *box = doc_add(doc, parent, DOC_NOTE);
        box->tone = TONE_WARN;
        DocNode *p = doc_paragraph(doc, box, NULL);
        span_addf(doc, &p->spans, SPAN_STRONG, "%s%s. ", _("Made with test tools"), of);
        span_addz(doc, &p->spans, 0,
                  _("Nothing here need be true of a real host: the collector took its commands from"));
        span_addz(doc, &p->spans, 0, " ");
        span_add(doc, &p->spans, SPAN_CODE, bundle->test_path);
    }
    if (!count) return;
    DocNode *box = doc_add(doc, parent, DOC_NOTE);
    box->tone = TONE_WARN;
    DocNode *p = doc_paragraph(doc, box, NULL);
    span_addf(doc, &p->spans, SPAN_STRONG, "%s%s.", _("This report is not complete"), of);
    DocNode *list = doc_add(doc, box, DOC_LIST);
    for (size_t i = 0; i < count; i++) {
        DocNode *item = doc_add(doc, list, DOC_ITEM);
        span_add(doc, &doc_paragraph(doc, item, NULL)->spans, 0, warnings[i]);
    }
}

static Str first_command(const Diagnosis *d) {
    for (size_t i = 0; i < d->not_checked.count; i++)
        if (d->not_checked.items[i].ask.count) return d->not_checked.items[i].ask.items[0];
    return STR("");
}

static const Finding *first_cause(const Diagnosis *d) {
    for (size_t i = 0; i < d->causes.count; i++)
        if (!d->causes.items[i]->covered_by.len && !d->causes.items[i]->inside) return d->causes.items[i];
    return NULL;
}

/* The second of the causes that stand by themselves, and how many there are besides the first. */
static const Finding *second_cause(const Diagnosis *d, size_t *others) {
    const Finding *first = first_cause(d), *second = NULL;
    *others = 0;
    for (size_t i = 0; i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (f == first || f->covered_by.len || f->inside) continue;
        if (!second) second = f;
        ++*others;
    }
    return second;
}

static Str unexplained_text(Doc *doc, const Diagnosis *d) {
    StrBuf out;
    sb_init(&out, doc->arena);
    for (size_t i = 0; i < d->unexplained.count; i++) {
        const Finding *f = d->unexplained.items[i];
        Str names = subject_names(doc, f->subjects.items, f->subjects.count, NAMES_SHOWN);
        sb_addf(&out, "%s%.*s", i ? "; " : "", STR_ARG(doc_clean(doc, title_text(f))));
        if (names.len) sb_addf(&out, " (%.*s)", STR_ARG(names));
    }
    return sb_str(&out);
}

static Str with_sureness(Doc *doc, const Finding *f) {
    Str word = sure_word(f), title = doc_clean(doc, title_text(f));
    return word.len ? say(doc->arena, _("{title} ({sureness})."), "title", title, "sureness", word, NULL)
                    : say(doc->arena, _("{title}."), "title", title, NULL);
}

/* What is wrong, or that nothing can be said; for people who know nothing of storage. */
static Str lead_text(Doc *doc, const Diagnosis *d) {
    Arena *a = doc->arena;
    const Finding *first = first_cause(d);
    if (first) {
        Str what = what_is_wrong(doc, first), kind = class_sentence(first);
        return kind.len ? say(a, _("{what} {kind}"), "what", what, "kind", kind, NULL) : what;
    }
    if (str_is(d->status, "causes")) return str_of(_("Causes were found; they stand below."));
    if (d->worst)
        return say(a, _("Something is wrong, and the evidence does not say why: {what}"), "what",
                   what_is_wrong(doc, d->worst), NULL);
    bool nothing = str_is(d->status, "nothing_in_evidence");
    if (d->cleared)
        return say(a,
                   nothing ? _("{cleared} Nothing wrong was found in the evidence.")
                           : _("{cleared} Beyond that there is too little evidence to say that nothing is wrong."),
                   "cleared", with_sureness(doc, d->cleared), NULL);
    if (nothing) return str_of(_("Nothing wrong was found in the evidence."));
    size_t known = 0;
    for (size_t i = 0; i < d->sources.count; i++)
        known += str_is(d->sources.items[i].status, "parsed") || str_is(d->sources.items[i].status, "partial");
    return str_of(d->sources.count && !known
                      ? _("Nothing in this upload was recognised as the output of a tool, so nothing can be said.")
                      : _("There is too little evidence to say what is wrong, or that nothing is."));
}

static const char *const idle_words = N_("The host was idle meanwhile: if it is slow at times, capture it then.");

static Str more_symptoms(Doc *doc, const Diagnosis *d) {
    return say_n(doc->arena, "{n} more symptom", "{n} more symptoms", d->symptoms.count - 1, NULL);
}

static Str looked_at(Doc *doc, const Diagnosis *d) {
    Arena *a = doc->arena;
    return say_n(a, "{n} drive; {out} suspects are ruled out, {open} could not be checked",
                 "{n} drives; {out} suspects are ruled out, {open} could not be checked", d->drives.count, "out",
                 arena_strf(a, "%zu", d->ruled_out.count), "open", arena_strf(a, "%zu", d->not_checked.count), NULL);
}

static void put_next(Doc *doc, const Diagnosis *d, DocNode *facts) {
    Arena *a = doc->arena;
    const Finding *first = first_cause(d);
    if (d->instead && !first) doc_fact(doc, facts, _("What limits"), with_sureness(doc, d->instead));
    if (first) {
        size_t others;
        const Finding *second = second_cause(d, &others);
        if (second)
            doc_fact(doc, facts, _("Besides"),
                     say_n(a, "one more cause: {title}", "{n} more causes, first: {title}", others, "title",
                           doc_clean(doc, title_text(second)), NULL));
        doc_fact(doc, facts, _("Not explained"), unexplained_text(doc, d));
        if (!first->explains.count)
            doc_fact(doc, facts, _("Not known"), str_of(_("how slow the host is: no figure in the upload shows it")));
        return;
    }
    if (d->worst && d->symptoms.count > 1) doc_fact(doc, facts, _("Besides"), more_symptoms(doc, d));
    if (str_is(d->status, "nothing_in_evidence")) {
        doc_fact(doc, facts, _("Looked at"), looked_at(doc, d));
        if (d->idle) doc_fact(doc, facts, _("Do first"), str_of(_(idle_words)));
        return;
    }
    Str ask = first_command(d);
    Spans words = {0};
    if (ask.len) {
        span_addz(doc, &words, 0, _("ask for the output of:"));
        span_addz(doc, &words, 0, " ");
        span_add(doc, &words, SPAN_CODE, ask);
    } else {
        span_addz(doc, &words, 0, _("make a capture with stordx-collect while it is slow"));
    }
    doc_fact_spans(doc, facts, _("Do first"), words, TONE_NONE);
}

static void put_verdict(Doc *doc, const Diagnosis *d) {
    enum { STEP_SHOWN = 240 };
    DocNode *s = doc_section(doc, "verdict", _("Verdict"));
    s->role = "verdict";
    const Finding *first = first_cause(d);
    s->tone = first ? confidence_tone(first->confidence) : d->worst ? TONE_WARN : TONE_INFO;
    if (first && first->danger_now) {
        s->tone = TONE_BAD;
        doc_badge(doc, s, str_of(_("Data at stake now")), TONE_BAD);
    }
    if (d->worst && !first) doc_badge(doc, s, str_of(_("Not enough evidence")), TONE_WARN);
    /* It may name many parts; it is not a name, so it is not cut. */
    DocNode *p = doc_paragraph(doc, s, "lead");
    VEC_PUSH(doc->arena, &p->spans, ((Span){.text = clean(doc->arena, lead_text(doc, d), CLEAN_LINE)}));
    DocNode *facts = doc_add(doc, s, DOC_FACTS);
    facts->role = "answer";
    if (first) put_answer(doc, facts, first, STEP_SHOWN);
    put_next(doc, d, facts);
    layout_warnings(doc, s, d->warnings.items, d->warnings.count, &d->bundle, "");
}

/* What the figures of several parts say together: which of them stands out, or that storage is not the limit. */
static void put_together(Doc *doc, const Diagnosis *d) {
    if (!d->verdicts.count) return;
    DocNode *s = doc_section(doc, "together", _("What the figures say together"));
    for (size_t i = 0; i < d->verdicts.count; i++) layout_finding(doc, s, d, d->verdicts.items[i], CARD_SMALL);
}

/* Beyond those that are said in full: what, which part, how sure. Their steps name their own drives, so they are not said to be those of
   another cause. */
static Table *put_more_causes(Doc *doc, DocNode *s, Shown shown) {
    Table *t = doc_table(doc, s, _("More causes"), true);
    doc_last(s)->shown = shown;
    doc_column(doc, t, str_of(_("Cause")), false);
    doc_column(doc, t, str_of(_("Which part")), false);
    doc_column(doc, t, str_of(_("How sure")), false);
    t->short_rows = CAUSE_ROWS;
    return t;
}

static void add_cause(Doc *doc, Table *t, const Finding *f) {
    Row *row = doc_row(doc, t);
    if (f->rank > 0) span_addf(doc, &row->cells[0], 0, "%d. ", f->rank);
    span_add(doc, &row->cells[0], SPAN_STRONG, title_text(f));
    span_add(doc, &row->cells[1], 0, parts_text(doc, &f->subjects));
    span_add(doc, &row->cells[2], 0, sure_word(f));
}

static void put_causes(Doc *doc, const Diagnosis *d) {
    DocNode *s = doc_section(doc, "causes", _("Causes"));
    size_t covered = 0, told = 0;
    for (size_t i = 0; i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (f->covered_by.len) covered++;
        if (f->covered_by.len || f->inside || told >= CAUSES_HTML) continue;
        DocNode *card = layout_finding(doc, s, d, f, CARD_CAUSE);
        if (told++ >= CAUSES_PLAIN) card->shown = SHOWN_HTML;
    }
    for (int html = 0; html < 2; html++) {
        Table *more = NULL;
        size_t open = 0;
        for (size_t i = 0; i < d->causes.count; i++) {
            const Finding *f = d->causes.items[i];
            if (f->covered_by.len || f->inside || open++ < (html ? CAUSES_HTML : CAUSES_PLAIN)) continue;
            if (!more) more = put_more_causes(doc, s, html ? SHOWN_HTML : SHOWN_PLAIN);
            add_cause(doc, more, f);
        }
        if (more) {
            DocNode *p = doc_text(doc, s,
                                  html ? _("What to do about each of them stands in the JSON report.")
                                       : _("What to do about each of them stands in the HTML and JSON reports."));
            p->shown = html ? SHOWN_HTML : SHOWN_PLAIN;
        }
    }
    if (covered == d->causes.count)
        doc_text(
            doc, s,
            str_is(d->status, "nothing_in_evidence")
                ? _("No cause was found. That is as much as the evidence says: what could not be checked stands below.")
                : _("No cause was found."));
    if (!covered) return;
    doc_text(doc, s, _("Also fits the evidence, but is accounted for by a better finding:"));
    DocNode *list = doc_add(doc, s, DOC_LIST);
    for (size_t i = 0; i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (!f->covered_by.len) continue;
        DocNode *q = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
        Str names = subject_names(doc, f->subjects.items, f->subjects.count, NAMES_SHOWN);
        span_add(doc, &q->spans, SPAN_STRONG, title_text(f));
        if (names.len) span_addf(doc, &q->spans, 0, " (%.*s)", STR_ARG(names));
        span_add(doc, &q->spans, 0,
                 say(doc->arena, _(": see \"{title}\"."), "title", doc_clean(doc, title_of(d, f->covered_by)), NULL));
    }
}

static void put_risks(Doc *doc, const Diagnosis *d) {
    if (!d->risks.count) return;
    DocNode *s = doc_section(doc, "risks", _("Risks"));
    doc_text(doc, s, _("These explain nothing of the present complaint, but can turn against this host later."))->role =
        "intro";
    for (size_t i = 0; i < d->risks.count; i++)
        if (!d->risks.items[i]->inside) layout_finding(doc, s, d, d->risks.items[i], CARD_SMALL);
}

void layout_note(Doc *doc, DocNode *section, DocNode **list, const Diagnosis *d, const Finding *f) {
    if (!*list) {
        *list = doc_add(doc, section, DOC_LIST);
        (*list)->shown = SHOWN_PLAIN;
    }
    /* What limits the evidence is said in full; of the others the first paragraph. */
    bool limits = str_is(f->layer, "quality");
    DocNode *item = doc_add(doc, *list, DOC_ITEM), *p = doc_paragraph(doc, item, NULL);
    span_add(doc, &p->spans, SPAN_STRONG, say(doc->arena, _("{title}."), "title", doc_clean(doc, title_text(f)), NULL));
    for (size_t i = 0; i < f->summary.count && (!i || limits); i++) {
        const Block *b = &f->summary.blocks[i];
        Spans words = beginning(doc, b->spans, b->span_count, SIZE_MAX);
        append(doc, &p->spans, &words);
    }
    if (limits) doc_rich(doc, item, &f->verify);
    DocNode *fold = doc_fold(doc, section, title_text(f));
    fold->shown = SHOWN_HTML;
    fold->role = "note";
    put_why(doc, fold, d, f);
    doc_rich(doc, fold, &f->summary);
    put_text(doc, fold, "verify", _("How to check that it worked"), &f->verify);
    put_text(doc, fold, "not-this", _("Not this"), &f->not_this);
    doc_evidence(doc, fold, &f->evidence, EVIDENCE_SHOWN_SMALL, true);
    put_rule(doc, fold, f);
}

/* A line each; what asks for something to be done is said in full. */
static void put_notes(Doc *doc, const Diagnosis *d) {
    if (!d->notes.count) return;
    DocNode *s = doc_section(doc, "notes", _("Notes")), *list = NULL;
    doc_intro(doc, s, _("What limits this evidence, or is worth knowing beside it."));
    for (size_t i = 0; i < d->notes.count; i++)
        if (!d->notes.items[i]->inside && !d->notes.items[i]->fix.count)
            layout_note(doc, s, &list, d, d->notes.items[i]);
    for (size_t i = 0; i < d->notes.count; i++)
        if (!d->notes.items[i]->inside && d->notes.items[i]->fix.count)
            layout_finding(doc, s, d, d->notes.items[i], CARD_SMALL);
}

/* ---------------------------------------------------------------- brief */

static void brief_item(Doc *doc, DocNode *list, const char *term, const Spans *value, size_t lines) {
    if (!value->count) return;
    DocNode *p = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
    p->max_lines = lines;
    span_addz(doc, &p->spans, SPAN_STRONG, term);
    append(doc, &p->spans, value);
}

static void brief_text(Doc *doc, DocNode *list, const char *term, Str value, size_t lines) {
    Spans words = {0};
    span_add(doc, &words, 0, value);
    brief_item(doc, list, term, &words, lines);
}

static void put_brief(Doc *doc, const Diagnosis *d) {
    enum { STEP_SHOWN = 200 };
    const Finding *first = first_cause(d);
    DocNode *p = doc_paragraph(doc, doc->body, "lead");
    p->max_lines = 3;
    if (d->bundle.test_path.len) span_addf(doc, &p->spans, 0, "(%s) ", _("Made with test tools"));
    span_add(doc, &p->spans, SPAN_STRONG, doc->heading);
    span_addz(doc, &p->spans, 0, ": ");
    span_add(doc, &p->spans, 0, lead_text(doc, d));
    DocNode *list = doc_add(doc, doc->body, DOC_LIST);
    if (first) {
        Spans act = {0}, danger = {0}, not_this = not_this_first(doc, first);
        first_step(doc, first, STEP_SHOWN, &act, &danger);
        danger = danger_words(doc, &danger);
        brief_text(doc, list, _("Which part:"), parts_text(doc, &first->subjects), 3);
        brief_text(doc, list, _("How sure:"), sure_sentence(first), 2);
        brief_item(doc, list, _("Danger:"), &danger, 3);
        brief_item(doc, list, _("Do first:"), &act, 5);
        brief_item(doc, list, _("Not this:"), &not_this, 3);
        size_t others;
        const Finding *second = second_cause(d, &others);
        if (second) brief_text(doc, list, _("Takes part:"), with_sureness(doc, second), 2);
    } else {
        if (d->instead) brief_text(doc, list, _("What limits:"), with_sureness(doc, d->instead), 2);
        if (d->worst && d->symptoms.count > 1) brief_text(doc, list, _("Besides:"), more_symptoms(doc, d), 2);
        if (str_is(d->status, "nothing_in_evidence")) brief_text(doc, list, _("Looked at:"), looked_at(doc, d), 2);
        if (d->idle) brief_text(doc, list, _("Do first:"), str_of(_(idle_words)), 2);
    }
    if (!list->children.count) doc->body->children.count--; /* the list is the last one there */
    layout_brief_ask(doc, d);
}

Doc *layout_diagnosis(Arena *a, const Diagnosis *d, bool brief) {
    Doc *doc = arena_new_of(a, Doc);
    doc->arena = a;
    doc->brief = brief;
    doc->body = doc_new(doc, DOC_GROUP);
    Str host = doc_clean(doc, d->bundle.host), label = doc_clean(doc, d->bundle.label);
    if (str_is(label, "-")) label = str_of(_("Pasted text")); /* standard input */
    doc->heading = host.len ? host : label.len ? label : str_of(_("A host without a name"));
    doc->kicker = str_of(_("Storage diagnosis"));
    doc->title = arena_strf(a, "%.*s: %.*s", STR_ARG(doc->kicker), STR_ARG(doc->heading));
    doc->footer = STR("stordx " STORDX_VERSION);
    if (brief) {
        put_brief(doc, d);
        return doc;
    }
    put_head(doc, d);
    put_verdict(doc, d);
    if (!first_cause(d)) put_together(doc, d);
    put_causes(doc, d);
    if (first_cause(d)) put_together(doc, d);
    put_plots(doc, d);
    put_symptoms(doc, d);
    put_risks(doc, d);
    put_notes(doc, d);
    put_ruled_out(doc, d);
    put_not_checked(doc, d);
    put_host(doc, d);
    put_drives(doc, d);
    put_benchmarks(doc, d);
    put_timeline(doc, d);
    put_sources(doc, d);
    return doc;
}
