/* The sections of a diagnosis that are tables: symptoms, the host, drives, benchmarks, sources. */
#include "format.h"
#include "host_picture.h"
#include "layout_parts.h"

#include <math.h>

enum { EVIDENCE_OF_SYMPTOM = 40, METRIC_ROWS_SHOWN = 40, SOURCE_ROWS_SHOWN = 12, DRIVE_ROWS_SHOWN = 60 };

/* ---------------------------------------------------------------- symptoms */

static bool same_symptom(const Finding *a, const Finding *b) {
    return str_eq(a->rule, b->rule) && str_eq(a->symptom, b->symptom);
}

/* "cause 1 and cause 2" */
static void add_explained_by(Doc *doc, const Diagnosis *d, const Finding *f, StrList *by) {
    for (size_t c = 0; c < f->explained_by.count; c++) {
        Str rule = f->explained_by.items[c], label = title_of(d, rule);
        for (size_t r = 0; r < d->causes.count; r++)
            if (str_eq(d->causes.items[r]->rule, rule) && d->causes.items[r]->rank > 0 &&
                !d->causes.items[r]->covered_by.len)
                label = say(doc->arena, _("cause {rank}"), "rank",
                            arena_strf(doc->arena, "%d", d->causes.items[r]->rank), NULL);
        add_once(doc->arena, by, doc_clean(doc, label));
    }
    if (!f->explained_by.count) add_once(doc->arena, by, str_of(_("no cause found")));
}

static Str symptom_title(Arena *a, const Diagnosis *d, size_t first) {
    const Finding *f = d->symptoms.items[first];
    bool one_title = f->title.len > 0;
    for (size_t k = first; k < d->symptoms.count; k++)
        if (same_symptom(f, d->symptoms.items[k]))
            one_title = one_title && str_eq(d->symptoms.items[k]->title, f->title);
    Str words = capital(a, symptom_words(a, f->symptom));
    return one_title ? f->title : words.len ? words : title_text(f);
}

static void put_measured(Doc *doc, Spans *cell, const Finding *f, double v) {
    if (isfinite(v)) span_add(doc, cell, 0, format_quantity(doc->arena, v, f->unit));
}

static void symptom_columns(Doc *doc, Table *t) {
    doc_column(doc, t, str_of(_("Where")), false);
    doc_column(doc, t, str_of(_("Measured")), true);
    doc_column(doc, t, str_of(_("Limit")), true);
    doc_column(doc, t, str_of(_("Basis")), false);
    doc_column(doc, t, str_of(_("Explained by")), false);
}

static void put_symptom_row(Doc *doc, Spans *cells, const Diagnosis *d, const Finding *f) {
    Str names = subject_names(doc, f->subjects.items, f->subjects.count, NAMES_SHOWN);
    span_add(doc, &cells[0], SPAN_STRONG, names.len ? names : str_of(_("the host")));
    put_measured(doc, &cells[1], f, f->value);
    put_measured(doc, &cells[2], f, f->threshold);
    span_add(doc, &cells[3], 0, basis_words(doc->arena, f->basis));
    StrList by = {0};
    add_explained_by(doc, d, f, &by);
    span_add(doc, &cells[4], f->explained_by.count ? 0 : SPAN_MUTED, joined(doc->arena, &by, NAMES_SHOWN));
}

/* All of one symptom together: "57 ms to 233 ms". */
typedef struct Together {
    Str title, names, measured, limit, basis, by;
} Together;

static Together together(Doc *doc, const Diagnosis *d, size_t first) {
    enum { PLACES = 4 };
    Arena *a = doc->arena;
    const Finding *f = d->symptoms.items[first], *low = f, *high = f;
    StrList names = {0}, by = {0}, bases = {0};
    for (size_t k = first; k < d->symptoms.count; k++) {
        const Finding *x = d->symptoms.items[k];
        if (!same_symptom(f, x)) continue;
        for (size_t i = 0; i < x->subjects.count; i++) add_once(a, &names, subject_name(doc, &x->subjects.items[i]));
        if (str_eq(x->unit, f->unit) && x->value < low->value) low = x;
        if (str_eq(x->unit, f->unit) && x->value > high->value) high = x;
        add_once(a, &bases, doc_clean(doc, basis_words(a, x->basis)));
        add_explained_by(doc, d, x, &by);
    }
    Str from = isfinite(low->value) ? format_quantity(a, low->value, f->unit) : STR(""),
        to = isfinite(high->value) ? format_quantity(a, high->value, f->unit) : STR("");
    return (Together){.title = symptom_title(a, d, first),
                      .names = names.count ? joined(a, &names, PLACES) : str_of(_("the host")),
                      .measured = str_eq(from, to) ? from : say(a, _("{from} to {to}"), "from", from, "to", to, NULL),
                      .limit = isfinite(f->threshold) ? format_quantity(a, f->threshold, f->unit) : STR(""),
                      .basis = joined(a, &bases, PLACES),
                      .by = joined(a, &by, PLACES)};
}

/* "Writes take too long: sda and sdb, 57 ms to 72 ms (limit 10 ms), lifetime average. Explained by: cause 1." */
static void put_symptom_line(Doc *doc, DocNode *list, const Together *t) {
    Arena *a = doc->arena;
    DocNode *p = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
    span_add(doc, &p->spans, SPAN_STRONG, t->title);
    span_addf(doc, &p->spans, 0, ": %.*s", STR_ARG(t->names));
    if (t->measured.len) span_addf(doc, &p->spans, 0, ", %.*s", STR_ARG(t->measured));
    if (t->measured.len && t->limit.len) {
        span_addz(doc, &p->spans, 0, " ");
        span_add(doc, &p->spans, 0, say(a, _("(limit {limit})"), "limit", t->limit, NULL));
    }
    if (t->basis.len) span_addf(doc, &p->spans, 0, ", %.*s", STR_ARG(t->basis));
    span_addz(doc, &p->spans, 0, ". ");
    span_add(doc, &p->spans, 0, say(a, _("Explained by: {causes}."), "causes", t->by, NULL));
}

/* Text and Markdown have one line per symptom; HTML a fold with one row per subject besides: "w_await is high" of twelve drives is
   one thing. */
void put_symptoms(Doc *doc, const Diagnosis *d) {
    if (!d->symptoms.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "symptoms", _("Symptoms"));
    doc_intro(doc, s, _("What is measured beyond its limit, or reported as trouble."));
    DocNode *lines = doc_add(doc, s, DOC_LIST);
    lines->shown = SHOWN_PLAIN;
    Table *all = doc_table(doc, s, _("Symptoms"), false);
    doc_last(s)->shown = SHOWN_HTML;
    doc_column(doc, all, str_of(_("Symptom")), false);
    symptom_columns(doc, all);
    DocNode *fold = doc_fold(doc, s, str_of(_("Each of them, with its original lines")));
    fold->shown = SHOWN_HTML;
    bool *done = arena_array(a, bool, d->symptoms.count);
    for (size_t i = 0; i < d->symptoms.count; i++) {
        if (done[i]) continue;
        const Finding *first = d->symptoms.items[i];
        Together t = together(doc, d, i);
        put_symptom_line(doc, lines, &t);
        const Str cells[] = {t.title, t.names, t.measured, t.limit, t.basis, t.by};
        Row *row = doc_row(doc, all);
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            span_add(doc, &row->cells[c], c ? 0 : SPAN_STRONG, cells[c]);
        doc_heading(doc, fold, t.title.len ? arena_cstr(a, doc_clean(doc, t.title)) : _("Measured"));
        EvidenceList evidence = {0};
        Table *each = NULL;
        for (size_t k = i; k < d->symptoms.count; k++) {
            const Finding *f = d->symptoms.items[k];
            if (done[k] || !same_symptom(f, first)) continue;
            done[k] = true;
            if (!each) {
                doc_rich(doc, fold, &f->summary);
                each =
                    doc_table(doc, fold, t.title.len ? arena_cstr(a, doc_clean(doc, t.title)) : _("Measured"), false);
                symptom_columns(doc, each);
            }
            put_symptom_row(doc, doc_row(doc, each)->cells, d, f);
            for (size_t e = 0; e < f->evidence.count && evidence.count < EVIDENCE_OF_SYMPTOM; e++)
                VEC_PUSH(a, &evidence, f->evidence.items[e]);
        }
        doc_evidence(doc, fold, &evidence, 1, true);
    }
}

/* ---------------------------------------------------------------- the host */

/* "cause 1 and cause 3": those of a node. */
static Str marks_of(Doc *doc, const Diagnosis *d, int64_t node) {
    StrList marks = {0};
    for (size_t i = 0; node && i < d->causes.count; i++) {
        const Finding *f = d->causes.items[i];
        if (f->covered_by.len) continue;
        for (size_t k = 0; k < f->subjects.count; k++)
            if (f->subjects.items[k].node == node) {
                VEC_PUSH(doc->arena, &marks,
                         f->rank > 0
                             ? say(doc->arena, _("cause {rank}"), "rank", arena_strf(doc->arena, "%d", f->rank), NULL)
                             : str_of(_("cause")));
                break;
            }
    }
    return joined(doc->arena, &marks, NAMES_SHOWN);
}

static Str kind_word(Str kind) {
    static const char *const words[] = {N_("host"),  N_("controller"), N_("link"),      N_("partition"),
                                        N_("pool"),  N_("vdev"),       N_("array"),     N_("volume"),
                                        N_("guest"), N_("process"),    N_("filesystem")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(kind, words[i])) return str_of(_(words[i]));
    return kind;
}

/* A large host in text and Markdown: what is marked, with what it hangs on; the other rows are counted. */
static void shorten_tree(Doc *doc, DocNode *s, DocNode *tree) {
    enum { TREE_ROWS = 60 };
    size_t count = tree->tree.count, kept = 0;
    if (count <= TREE_ROWS) return;
    bool *keep = arena_array(doc->arena, bool, count);
    for (size_t i = 0; i < count && kept < TREE_ROWS; i++) {
        const TreeRow *r = &tree->tree.items[i];
        if (i && !r->mark.len) continue;
        int depth = r->depth + 1; /* itself, then each that it hangs on */
        for (size_t k = i + 1; k > 0; k--) {
            if (tree->tree.items[k - 1].depth >= depth) continue;
            depth = tree->tree.items[k - 1].depth;
            kept += !keep[k - 1];
            keep[k - 1] = true;
        }
    }
    tree->shown = SHOWN_HTML;
    DocNode *part = doc_add(doc, s, DOC_TREE);
    part->shown = SHOWN_PLAIN;
    for (size_t i = 0; i < count; i++)
        if (keep[i]) VEC_PUSH(doc->arena, &part->tree, tree->tree.items[i]);
    doc_text(doc, s,
             arena_cstr(doc->arena, say_n(doc->arena, "and {n} more part, which the HTML report shows",
                                          "and {n} more parts, which the HTML report shows", count - kept, NULL)))
        ->shown = SHOWN_PLAIN;
}

void put_host(Doc *doc, const Diagnosis *d) {
    enum { DEEPEST = 16 };
    if (!d->tree.count) return;
    DocNode *s = doc_section(doc, "host", _("The host at a glance"));
    bool pictured = put_host_picture(doc, s, d);
    DocNode *tree = doc_add(doc, s, DOC_TREE);
    tree->role = pictured ? "folded" : NULL;
    int before = -1;
    for (size_t i = 0; i < d->tree.count; i++) {
        const TreeNode *n = &d->tree.items[i];
        if (i + 1 < d->tree.count && n->node && n->node == d->tree.items[i + 1].node &&
            n->depth == d->tree.items[i + 1].depth)
            continue; /* once more, with its state */
        int depth = n->depth < 0 ? 0 : n->depth > before + 1 ? before + 1 : n->depth;
        if (depth > DEEPEST) depth = DEEPEST;
        if (!i) depth = 0;
        else if (depth == 0) depth = 1; /* one root */
        before = depth;
        Str label = doc_clean(doc, n->label), kind = doc_clean(doc, n->kind);
        TreeRow row = {.depth = depth,
                       .label = label.len ? label : STR("?"),
                       .kind = str_is(kind, "drive") || str_eq(kind, label) ? STR("") : kind_word(kind),
                       .detail = doc_clean(doc, n->detail),
                       .tone = n->culprit   ? TONE_BAD
                               : n->suspect ? TONE_WARN
                                            : TONE_NONE};
        if (n->culprit) {
            Str marks = marks_of(doc, d, n->node);
            row.mark = marks.len ? marks : str_of(_("culprit"));
        } else if (n->suspect) {
            row.mark = str_of(_("suspect"));
        }
        VEC_PUSH(doc->arena, &tree->tree, row);
    }
    shorten_tree(doc, s, tree);
}

void layout_metric_columns(Doc *doc, Table *t) {
    doc_column(doc, t, str_of(_("Metric")), false);
    doc_column(doc, t, STR("n"), true);
    doc_column(doc, t, str_of(_("Mean")), true);
    doc_column(doc, t, STR("p50"), true);
    doc_column(doc, t, STR("p95"), true);
    doc_column(doc, t, STR("p99"), true);
    doc_column(doc, t, STR("p99.9"), true);
    doc_column(doc, t, str_of(_("Max")), true);
    doc_column(doc, t, str_of(_("Basis")), false);
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
    span_addf(doc, &row->cells[c], 0, "%.*s%s%.*s", STR_ARG(basis_words(a, x->basis)),
              x->basis.len && x->tool.len ? ", " : "", STR_ARG(x->tool));
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

static Str drive_kind(Arena *a, const DriveInfo *x) {
    StrBuf out;
    sb_init(&out, a);
    const Str parts[] = {upper_word(a, x->media), upper_word(a, x->bus)};
    for (size_t i = 0; i < 2; i++)
        if (parts[i].len) sb_addf(&out, "%s%.*s", out.len ? ", " : "", STR_ARG(parts[i]));
    if (str_is(x->plp, "yes")) sb_addf(&out, "%s%s", out.len ? ", " : "", _("power-loss protected"));
    return sb_str(&out);
}

static void put_identities(Doc *doc, const Diagnosis *d, DocNode *s) {
    enum { NAME, FINDING, MODEL, SERIAL, WWN, FIRMWARE, KIND, SIZE, PLACE, MEMBER };
    Arena *a = doc->arena;
    Table *t = doc_table(doc, s, _("Drives by identity"), true);
    t->short_rows = DRIVE_ROWS_SHOWN;
    doc_column(doc, t, str_of(_("Name")), false);
    doc_column(doc, t, str_of(_("Finding")), false);
    doc_column(doc, t, str_of(_("Model")), false);
    doc_column(doc, t, str_of(_("Serial")), false);
    doc_column_html(doc, t, str_of(_("WWN")));
    doc_column_html(doc, t, str_of(_("Firmware")));
    doc_column_html(doc, t, str_of(_("Kind")));
    doc_column(doc, t, str_of(_("Size")), true);
    doc_column(doc, t, str_of(_("Place")), false);
    doc_column_html(doc, t, str_of(_("Member of")));
    bool many = d->drives.count > DRIVE_ROWS_SHOWN; /* a list that is cut begins with what is to blame */
    for (int pass = many ? 0 : 1; pass < 2; pass++)
        for (size_t i = 0; i < d->drives.count; i++) {
            const DriveInfo *x = &d->drives.items[i];
            if (many && x->culprit != (pass == 0)) continue;
            Row *row = doc_row(doc, t);
            row->tone = x->culprit ? TONE_BAD : TONE_NONE;
            span_add(doc, &row->cells[NAME], SPAN_STRONG, x->name.len ? x->name : x->id);
            StrList other = {0};
            for (size_t k = 0; k < x->names.count; k++)
                if (x->names.items[k].boot != 0 && !str_eq(x->names.items[k].name, x->name))
                    add_once(a, &other, doc_clean(doc, x->names.items[k].name));
            if (other.count) {
                span_addz(doc, &row->cells[NAME], 0, " ");
                span_add(doc, &row->cells[NAME], SPAN_MUTED,
                         say(a, _("({names} at another boot)"), "names", joined(a, &other, NAMES_SHOWN), NULL));
            }
            span_add(doc, &row->cells[MODEL], 0, x->model);
            span_add(doc, &row->cells[SERIAL], 0, x->serial);
            span_add(doc, &row->cells[WWN], SPAN_MUTED, x->wwn);
            span_add(doc, &row->cells[FIRMWARE], 0, x->firmware);
            span_add(doc, &row->cells[KIND], 0, drive_kind(a, x));
            if (isfinite(x->size_bytes))
                span_add(doc, &row->cells[SIZE], 0, format_quantity(a, x->size_bytes, STR("bytes")));
            span_add(doc, &row->cells[PLACE], 0, lang_phrase(a, place_text(a, &x->place)));
            StrList pools = {0};
            for (size_t k = 0; k < x->pools.count; k++) add_once(a, &pools, doc_clean(doc, x->pools.items[k]));
            span_add(doc, &row->cells[MEMBER], 0, joined(a, &pools, NAMES_SHOWN));
            if (!x->culprit) continue;
            Str marks = marks_of(doc, d, x->node);
            span_add(doc, &row->cells[FINDING], SPAN_STRONG, marks.len ? marks : str_of(_("culprit")));
        }
}

void put_drives(Doc *doc, const Diagnosis *d) {
    DocNode *s = doc_section(doc, "drives", _("Drives"));
    if (!d->drives.count) {
        doc_text(doc, s, _("No drive could be told from the evidence."));
        return;
    }
    bool measured = false;
    for (size_t i = 0; i < d->drives.count; i++) measured |= d->drives.items[i].metrics.count > 0;
    DocNode *list = doc_add(doc, s, DOC_GROUP);
    put_identities(doc, d, list);
    bool renamed = false;
    for (size_t i = 0; i < d->drives.count; i++)
        for (size_t k = 0; k < d->drives.items[i].names.count; k++)
            renamed |= d->drives.items[i].names.items[k].boot != 0;
    if (d->tree.count > d->drives.count && !renamed) s->shown = SHOWN_HTML; /* the tree has said it */
    if (!measured) return;
    Table *t = doc_table(doc, s, _("Measured per drive"), true);
    t->html_only = true;
    doc_column(doc, t, str_of(_("Drive")), false);
    layout_metric_columns(doc, t);
    bool averages = false;
    bool many = d->drives.count > DRIVE_ROWS_SHOWN; /* as above */
    for (int pass = many ? 0 : 1; pass < 2; pass++)
        for (size_t i = 0; i < d->drives.count; i++) {
            const DriveInfo *x = &d->drives.items[i];
            if (many && x->culprit != (pass == 0)) continue;
            for (size_t k = 0; k < x->metrics.count; k++) {
                Row *row = doc_row(doc, t);
                span_add(doc, &row->cells[0], SPAN_STRONG, x->name.len ? x->name : x->id);
                layout_metric_cells(doc, row, 1, &x->metrics.items[k]);
                averages |= str_has(x->metrics.items[k].basis, "average");
            }
        }
    if (averages) {
        DocNode *p = doc_text(
            doc, s,
            _("Where the basis is averages, p95 and p99 are quantiles of those averages, not of single I/Os. A "
              "lifetime average tells a magnitude only."));
        p->role = "intro";
        p->shown = SHOWN_HTML;
    }
}

/* What somebody measured on purpose, beside what link and class can do. */
void put_benchmarks(Doc *doc, const Diagnosis *d) {
    if (!d->benchmarks.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "benchmarks", _("Measured on purpose"));
    doc_intro(
        doc, s,
        _("A benchmark says what was possible at that moment with that test, not what the programs of this host get."));
    Table *t = doc_table(doc, s, _("Benchmarks"), true);
    t->short_rows = METRIC_ROWS_SHOWN;
    static const char *const titles[] = {N_("Test"),
                                         N_("Of"),
                                         N_("Rate"),
                                         "IOPS",
                                         N_("Mean"),
                                         "p50",
                                         "p95",
                                         "p99",
                                         "p99.9",
                                         N_("Max"),
                                         N_("Beside what is possible"),
                                         N_("What it measured")};
    enum { TEXTS_FROM = 10 };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        doc_column(doc, t, str_of(_(titles[i])), i > 1 && i < TEXTS_FROM);
        t->columns.items[i].html_only = i > TEXTS_FROM;
    }
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
    doc_intro(doc, s,
              _("Percentiles are of single I/Os of the test, at its queue depth: the deeper the queue, the longer each "
                "waits."));
}

static bool status_is_well(Str status) {
    return str_is(status, "parsed") || str_is(status, "empty");
}

static Str line_range(Arena *a, const SourceInfo *x) {
    if (x->line_first <= 1 || x->line_last <= 0) return STR("");
    return say(a, _(" (lines {range})"), "range",
               arena_strf(a, "%lld-%lld", (long long)x->line_first, (long long)x->line_last), NULL);
}

static Str status_words(Str status) {
    static const char *const words[] = {N_("parsed"), N_("partial"),      N_("empty"),
                                        N_("failed"), N_("unrecognised"), N_("skipped")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(status, words[i])) return str_of(_(words[i]));
    return status.len ? status : str_of(_("unknown"));
}

void put_sources(Doc *doc, const Diagnosis *d) {
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "sources", _("What was read"));
    if (!d->sources.count) {
        doc_text(doc, s, _("The upload holds nothing that could be read."));
        return;
    }
    size_t bad = 0;
    for (size_t i = 0; i < d->sources.count; i++) bad += !status_is_well(d->sources.items[i].status);
    if (bad) {
        Table *t = doc_table(doc, s, _("Not or not wholly read"), true);
        t->short_rows = SOURCE_ROWS_SHOWN;
        doc_column(doc, t, str_of(_("Piece")), false);
        doc_column(doc, t, str_of(_("Taken as")), false);
        doc_column(doc, t, str_of(_("Status")), false);
        doc_column(doc, t, str_of(_("Why")), false);
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
                span_add(doc, &row->cells[2], 0, status_words(x->status));
                if (x->note.len) span_add(doc, &row->cells[3], 0, lang_phrase(doc->arena, x->note));
                else if (x->bad_rows > 0)
                    span_add(doc, &row->cells[3], 0,
                             say_n(a, "{n} row was not understood", "{n} rows were not understood",
                                   (unsigned long)x->bad_rows, NULL));
            }
    }
    enum { MEMBERS_SHOWN = 3, TOOLS_NAMED = 40 };
    StrList tools = {0};
    for (size_t i = 0; i < d->sources.count; i++)
        if (status_is_well(d->sources.items[i].status))
            add_once(a, &tools, d->sources.items[i].tool.len ? d->sources.items[i].tool : str_of(_("other")));
    if (tools.count) {
        Str names = joined(a, &tools, TOOLS_NAMED);
        DocNode *p = doc_paragraph(doc, s, NULL);
        p->shown = SHOWN_PLAIN;
        span_add(doc, &p->spans, 0,
                 say_n(a, "Read: {n} piece, of {tools}.", "Read: {n} pieces, of {tools}.", d->sources.count - bad,
                       "tools", names, NULL));
        Table *t = doc_table(doc, s, _("Read, by tool"), true);
        t->html_only = true;
        doc_column(doc, t, str_of(_("Tool")), false);
        doc_column(doc, t, str_of(_("Pieces")), true);
        doc_column(doc, t, str_of(_("Rows")), true);
        doc_column(doc, t, str_of(_("From")), false);
        for (size_t k = 0; k < tools.count; k++) {
            size_t pieces = 0, empty = 0;
            int64_t rows = 0;
            Row *row = doc_row(doc, t);
            span_add(doc, &row->cells[0], SPAN_STRONG, tools.items[k]);
            for (size_t i = 0; i < d->sources.count; i++) {
                const SourceInfo *x = &d->sources.items[i];
                if (!status_is_well(x->status) || !str_eq(x->tool.len ? x->tool : str_of(_("other")), tools.items[k]))
                    continue;
                rows += x->rows > 0 ? x->rows : 0;
                empty += str_is(x->status, "empty");
                if (pieces++ >= MEMBERS_SHOWN) continue;
                if (pieces > 1) span_addz(doc, &row->cells[3], 0, ", ");
                span_add(doc, &row->cells[3], SPAN_CODE, x->member);
            }
            if (pieces > MEMBERS_SHOWN)
                span_add(doc, &row->cells[3], 0,
                         say_n(a, " and {n} more", " and {n} more", pieces - MEMBERS_SHOWN, NULL));
            if (empty == pieces) span_addz(doc, &row->cells[3], SPAN_MUTED, _(" (nothing in it)"));
            else if (empty)
                span_add(doc, &row->cells[3], SPAN_MUTED,
                         say_n(a, " (nothing in {n} of them)", " (nothing in {n} of them)", empty, NULL));
            span_addf(doc, &row->cells[1], 0, "%zu", pieces);
            span_addf(doc, &row->cells[2], 0, "%lld", (long long)rows);
        }
    }
    Table *t = doc_table(doc, s, _("Every piece of the upload"), false);
    t->html_only = true;
    static const char *const titles[] = {N_("Piece"),  N_("Taken as"), N_("Command"),
                                         N_("Status"), N_("Rows"),     N_("Note")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) doc_column(doc, t, str_of(_(titles[i])), i == 4);
    for (size_t i = 0; i < d->sources.count; i++) {
        const SourceInfo *x = &d->sources.items[i];
        Row *row = doc_row(doc, t);
        span_add(doc, &row->cells[0], SPAN_CODE, x->member);
        span_add(doc, &row->cells[0], SPAN_MUTED, line_range(a, x));
        span_add(doc, &row->cells[1], 0, x->tool);
        span_add(doc, &row->cells[2], SPAN_CODE, x->command);
        span_add(doc, &row->cells[3], 0, status_words(x->status));
        if (x->rows > 0) span_addf(doc, &row->cells[4], 0, "%lld", (long long)x->rows);
        span_add(doc, &row->cells[5], 0, lang_phrase(doc->arena, x->note));
    }
}
