/*
 * json.c - the report for programs: schema 1
 *
 * The field names are a contract: more may be added, none renamed or left out. What is unknown is null, never 0 or "". A
 * tree of cJSON is built because it escapes right by construction; strings go in through put_text() only.
 */
#include "writers.h"

#include "base/times.h"
#include "base/version.h"
#include "layout.h"

#include <cJSON.h>
#include <math.h>

enum { SCHEMA = 1 };

typedef struct Writer {
    Arena *a;
    bool failed; /* out of memory */
} Writer;

static cJSON *made(Writer *w, cJSON *item) {
    if (!item) w->failed = true;
    return item;
}

static void put(Writer *w, cJSON *object, const char *key, cJSON *value) {
    if (made(w, value) && object && !cJSON_AddItemToObjectCS(object, key, value)) w->failed = true;
}

static void append(Writer *w, cJSON *array, cJSON *value) {
    if (made(w, value) && array && !cJSON_AddItemToArray(array, value)) w->failed = true;
}

static cJSON *text_item(Writer *w, Str s) {
    return made(w, cJSON_CreateString(clean(w->a, s, CLEAN_KEEP).p));
}

/* A string that is always there. */
static void put_text(Writer *w, cJSON *object, const char *key, Str s) {
    put(w, object, key, text_item(w, s));
}

/* A string that may be unknown. */
static void put_known(Writer *w, cJSON *object, const char *key, Str s) {
    put(w, object, key, s.len ? text_item(w, s) : cJSON_CreateNull());
}

static void put_number(Writer *w, cJSON *object, const char *key, double v) {
    put(w, object, key, isfinite(v) ? cJSON_CreateNumber(v) : cJSON_CreateNull());
}

/* A count or a position: 0 means there is none. */
static void put_position(Writer *w, cJSON *object, const char *key, int64_t v) {
    put(w, object, key, v > 0 ? cJSON_CreateNumber((double)v) : cJSON_CreateNull());
}

static void put_time(Writer *w, cJSON *object, const char *key, double epoch_s) {
    char iso[32];
    time_format_iso(epoch_s, 0, iso, sizeof iso);
    put_known(w, object, key, str_of(iso));
}

static cJSON *array(Writer *w, cJSON *object, const char *key) {
    cJSON *list = cJSON_CreateArray();
    put(w, object, key, list);
    return list;
}

static cJSON *object_in(Writer *w, cJSON *list) {
    cJSON *item = cJSON_CreateObject();
    append(w, list, item);
    return item;
}

static void put_texts(Writer *w, cJSON *object, const char *key, const Str *items, size_t count) {
    cJSON *list = array(w, object, key);
    for (size_t i = 0; i < count; i++) append(w, list, text_item(w, items[i]));
}

/* ---------------------------------------------------------------- the shapes */

static void put_place(Writer *w, cJSON *object, const Place *p) {
    cJSON *place = cJSON_CreateObject();
    put(w, object, "place", place);
    put_known(w, place, "controller", p->controller);
    put_known(w, place, "port", p->port);
    put_known(w, place, "slot", p->slot);
    put_known(w, place, "label", place_text(w->a, p));
}

static void fill_subject(Writer *w, cJSON *o, const Subject *s) {
    put_text(w, o, "kind", s->kind);
    put_known(w, o, "id", s->id);
    put_known(w, o, "name", s->name);
    put_known(w, o, "model", s->model);
    put_known(w, o, "serial", s->serial);
    put_known(w, o, "wwn", s->wwn);
    put_place(w, o, &s->place);
}

static void put_subject(Writer *w, cJSON *object, const char *key, const Subject *s) {
    cJSON *o = cJSON_CreateObject();
    put(w, object, key, o);
    fill_subject(w, o, s);
}

static void put_subjects(Writer *w, cJSON *object, const SubjectList *subjects) {
    cJSON *list = array(w, object, "subjects");
    for (size_t i = 0; i < subjects->count; i++) fill_subject(w, object_in(w, list), &subjects->items[i]);
}

/* What is not found can be so for each of thousands of drives, a hundred times over: then as many are listed, and "subjects_more"
 * and "evidence_more" count the rest. Without an end 20,000 drives in a log took 1.7 GB. */
enum { MAX_UNFOUND = 500 };

static void put_unfound_subjects(Writer *w, cJSON *object, const SubjectList *subjects) {
    SubjectList head = *subjects;
    if (head.count > MAX_UNFOUND) head.count = MAX_UNFOUND;
    put_subjects(w, object, &head);
    if (head.count < subjects->count) put_number(w, object, "subjects_more", (double)(subjects->count - head.count));
}

static void put_lines(Writer *w, cJSON *object, const char *name, const EvidenceList *evidence) {
    cJSON *list = array(w, object, name);
    for (size_t i = 0; i < evidence->count; i++) {
        const Evidence *e = &evidence->items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "member", e->member);
        put_position(w, o, "line", e->line);
        put_known(w, o, "path", e->path);
        put_text(w, o, "text", e->text);
        put_known(w, o, "view", e->view);
        put_known(w, o, "bundle", e->bundle);
        put_known(w, o, "stage", e->stage);
    }
}

static void put_evidence(Writer *w, cJSON *object, const EvidenceList *evidence) {
    put_lines(w, object, "evidence", evidence);
}

static void put_unfound_evidence(Writer *w, cJSON *object, const EvidenceList *evidence) {
    EvidenceList head = *evidence;
    if (head.count > MAX_UNFOUND) head.count = MAX_UNFOUND;
    put_evidence(w, object, &head);
    if (head.count < evidence->count) put_number(w, object, "evidence_more", (double)(evidence->count - head.count));
}

/* `basis` is one of the contract's words where it begins with one; what else it said is kept as `basis_note`. */
static void fill_dist(Writer *w, cJSON *o, const Dist *x) {
    static const char *const words[] = {"lifetime average", "io percentiles"};
    Str basis = x->basis;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_istarts(basis, words[i])) basis = str_of(words[i]);
    put_number(w, o, "n", x->n);
    put_number(w, o, "mean", x->mean);
    put_number(w, o, "p50", x->p50);
    put_number(w, o, "p95", x->p95);
    put_number(w, o, "p99", x->p99);
    put_number(w, o, "p999", x->p999);
    put_number(w, o, "max", x->max);
    put_known(w, o, "basis", basis);
    if (basis.len != x->basis.len) put_text(w, o, "basis_note", x->basis);
    put_known(w, o, "tool", x->tool);
}

static int basis_value(const Dist *x) {
    return str_istarts(x->basis, "io percentiles") ? 2 : str_istarts(x->basis, "lifetime") ? 0 : 1;
}

/* One DIST per metric: the one that says most. What other tools measured of the same stands in `metrics_also`. */
static void put_metrics(Writer *w, cJSON *object, const Dist *items, size_t count) {
    cJSON *metrics = cJSON_CreateObject(), *also = cJSON_CreateArray();
    put(w, object, "metrics", metrics);
    put(w, object, "metrics_also", also);
    for (size_t i = 0; i < count; i++) {
        const Dist *x = &items[i];
        bool best = true;
        for (size_t k = 0; k < count && best; k++) {
            if (k == i || !str_eq(items[k].metric, x->metric)) continue;
            best = basis_value(&items[k]) < basis_value(x) || (basis_value(&items[k]) == basis_value(x) && k > i);
        }
        cJSON *o = cJSON_CreateObject();
        if (best) {
            if (made(w, o) && !cJSON_AddItemToObject(metrics, clean(w->a, x->metric, CLEAN_KEEP).p, o))
                w->failed = true;
        } else {
            append(w, also, o);
            put_text(w, o, "metric", x->metric);
        }
        fill_dist(w, o, x);
    }
}

/* The page that raised the symptom, as `rule` is always the id of a page. */
static Str page_of_symptom(const Diagnosis *d, const Explained *x) {
    Str rule = x->symptom;
    for (size_t i = 0; d && i < d->symptoms.count; i++) {
        const Finding *s = d->symptoms.items[i];
        if (!str_eq(s->symptom, x->symptom)) continue;
        rule = s->rule;
        for (size_t k = 0; k < s->subjects.count; k++)
            if (s->subjects.items[k].node == x->subject.node) return rule;
    }
    return rule;
}

/* The one shape of causes, risks, notes and verdicts. */
static void fill_cause(Writer *w, cJSON *o, const Diagnosis *d, const Finding *f) {
    Arena *a = w->a;
    put_position(w, o, "rank", f->rank);
    put_text(w, o, "rule", f->rule);
    put_text(w, o, "kind", f->kind);
    put_text(w, o, "title", f->title);
    put_known(w, o, "class", f->class_);
    put_known(w, o, "impact", f->impact);
    put_number(w, o, "confidence", f->confidence);
    put_text(w, o, "confidence_word", isnan(f->confidence) ? STR_NONE : str_of(confidence_word(f->confidence)));
    put_number(w, o, "score", f->score);
    put_subjects(w, o, &f->subjects);
    cJSON *explains = array(w, o, "explains");
    for (size_t i = 0; i < f->explains.count; i++) {
        const Explained *x = &f->explains.items[i];
        cJSON *e = object_in(w, explains);
        put_text(w, e, "rule", page_of_symptom(d, x));
        put_text(w, e, "symptom", x->symptom);
        put_number(w, e, "weight", x->weight);
        put_subject(w, e, "subject", &x->subject);
    }
    put_evidence(w, o, &f->evidence);
    put_text(w, o, "summary", rich_plain(a, &f->summary));
    StrList steps = rich_steps(a, &f->fix);
    put_texts(w, o, "fix", steps.items, steps.count);
    put_texts(w, o, "verify", f->verify_commands.items, f->verify_commands.count);
    put_text(w, o, "verify_text", rich_plain(a, &f->verify));
    put_text(w, o, "not_this", rich_plain(a, &f->not_this));
    put_texts(w, o, "remarks", f->remarks.items, f->remarks.count);
    put_known(w, o, "covered_by", f->covered_by);
    put_known(w, o, "inside", f->inside ? f->inside->rule : STR_NONE);
    put_position(w, o, "capture", f->capture);
    put_known(w, o, "source", f->source);
    put(w, o, "danger_now", cJSON_CreateBool(f->danger_now));
    put_position(w, o, "step", (int64_t)f->step);
}

static void put_causes(Writer *w, cJSON *root, const char *key, const Diagnosis *d, const FindingList *list) {
    cJSON *causes = array(w, root, key);
    for (size_t i = 0; i < list->count; i++) fill_cause(w, object_in(w, causes), d, list->items[i]);
}

static void put_symptoms(Writer *w, cJSON *root, const Diagnosis *d) {
    cJSON *list = array(w, root, "symptoms");
    for (size_t i = 0; i < d->symptoms.count; i++) {
        const Finding *f = d->symptoms.items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "rule", f->rule);
        put_text(w, o, "symptom", f->symptom);
        put_text(w, o, "title", f->title);
        put_subjects(w, o, &f->subjects);
        put_number(w, o, "magnitude", f->value); /* in `unit`; how large that is for a ranking is `size` */
        put_known(w, o, "unit", f->unit);
        put_number(w, o, "threshold", f->threshold);
        put_number(w, o, "size", f->magnitude);
        put_known(w, o, "basis", f->basis);
        put_number(w, o, "confidence", f->confidence);
        put_evidence(w, o, &f->evidence);
        put_texts(w, o, "explained_by", f->explained_by.items, f->explained_by.count);
        put_text(w, o, "summary", rich_plain(w->a, &f->summary));
        put_position(w, o, "capture", f->capture);
    }
}

static void fill_bundle(Writer *w, cJSON *o, const BundleInfo *b) {
    put_text(w, o, "label", b->label);
    put_known(w, o, "host", b->host);
    put_known(w, o, "os", b->os);
    put_known(w, o, "kernel", b->kernel);
    put_known(w, o, "kind", b->kind);
    put_known(w, o, "machine", b->machine);
    put_known(w, o, "test_path", b->test_path);
}

static void put_captures(Writer *w, cJSON *root, const BundleInfo *b) {
    cJSON *list = array(w, root, "captures");
    for (size_t i = 0; i < b->captures.count; i++) {
        const CaptureInfo *c = &b->captures.items[i];
        cJSON *o = object_in(w, list);
        put_number(w, o, "id", (double)c->id);
        put_known(w, o, "label", c->label);
        put_time(w, o, "start", c->start_s);
        put_time(w, o, "end", c->end_s);
        put_known(w, o, "boot_id", c->boot_id);
        put(w, o, "complete", c->complete < 0 ? cJSON_CreateNull() : cJSON_CreateBool(c->complete != 0));
        put_number(w, o, "sampling_s", c->sampling_s);
    }
}

static void put_drives(Writer *w, cJSON *root, const Diagnosis *d) {
    cJSON *list = array(w, root, "drives");
    for (size_t i = 0; i < d->drives.count; i++) {
        const DriveInfo *x = &d->drives.items[i];
        cJSON *o = object_in(w, list);
        put_known(w, o, "id", x->id);
        put_known(w, o, "name", x->name);
        put_known(w, o, "wwn", x->wwn);
        put_known(w, o, "serial", x->serial);
        put_known(w, o, "model", x->model);
        put_known(w, o, "firmware", x->firmware);
        put_known(w, o, "media", x->media);
        put_known(w, o, "bus", x->bus);
        put_known(w, o, "class", x->class_);
        put_known(w, o, "power_loss_protection", x->plp);
        put_number(w, o, "size_bytes", x->size_bytes);
        cJSON *names = array(w, o, "names");
        for (size_t k = 0; k < x->names.count; k++) {
            cJSON *n = object_in(w, names);
            put_number(w, n, "boot", x->names.items[k].boot);
            put_text(w, n, "name", x->names.items[k].name);
        }
        put_place(w, o, &x->place);
        put_texts(w, o, "pools", x->pools.items, x->pools.count);
        put_metrics(w, o, x->metrics.items, x->metrics.count);
        put(w, o, "culprit", cJSON_CreateBool(x->culprit));
    }
}

static void put_benchmarks(Writer *w, cJSON *root, const Diagnosis *d) {
    cJSON *list = array(w, root, "benchmarks");
    for (size_t i = 0; i < d->benchmarks.count; i++) {
        const Benchmark *b = &d->benchmarks.items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "tool", b->tool);
        put_text(w, o, "test", b->what);
        put_known(w, o, "target", b->target);
        put_known(w, o, "drive", b->subject.id);
        put_number(w, o, "mb_s", b->mb_s);
        put_number(w, o, "iops", b->iops);
        put_number(w, o, "mean_ms", b->mean_ms);
        put_number(w, o, "p50_ms", b->p50_ms);
        put_number(w, o, "p95_ms", b->p95_ms);
        put_number(w, o, "p99_ms", b->p99_ms);
        put_number(w, o, "p999_ms", b->p999_ms);
        put_number(w, o, "max_ms", b->max_ms);
        put_known(w, o, "beside", b->beside);
        put_known(w, o, "measures", b->measures);
        put_evidence(w, o, &b->evidence);
    }
}

static void put_sources(Writer *w, cJSON *root, const Diagnosis *d) {
    cJSON *list = array(w, root, "sources");
    for (size_t i = 0; i < d->sources.count; i++) {
        const SourceInfo *x = &d->sources.items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "member", x->member);
        put_known(w, o, "tool", x->tool);
        put_known(w, o, "command", x->command);
        put_text(w, o, "status", x->status);
        put_known(w, o, "note", x->note);
        put_number(w, o, "rows", (double)x->rows);
        put_number(w, o, "bad_rows", (double)x->bad_rows);
        put_position(w, o, "line_first", x->line_first);
        put_position(w, o, "line_last", x->line_last);
    }
}

static void put_tree(Writer *w, cJSON *root, const Diagnosis *d) {
    cJSON *list = array(w, root, "tree");
    for (size_t i = 0; i < d->tree.count; i++) {
        const TreeNode *n = &d->tree.items[i];
        cJSON *o = object_in(w, list);
        put_number(w, o, "depth", n->depth);
        put_text(w, o, "kind", n->kind);
        put_text(w, o, "label", n->label);
        put_known(w, o, "detail", n->detail);
        put(w, o, "culprit", cJSON_CreateBool(n->culprit));
        put(w, o, "suspect", cJSON_CreateBool(n->suspect));
    }
}

static cJSON *new_root(Writer *w) {
    cJSON *root = made(w, cJSON_CreateObject()), *tool = cJSON_CreateObject();
    put_number(w, root, "schema", SCHEMA);
    put(w, root, "tool", tool);
    put_text(w, tool, "name", STR("stordx"));
    put_text(w, tool, "version", STR(STORDX_VERSION));
    return root;
}

static bool print(Writer *w, cJSON *root, FILE *out, Error *err) {
    char *json = w->failed ? NULL : cJSON_Print(root);
    cJSON_Delete(root);
    if (!json) return error_set(err, "out of memory while writing the report");
    fputs(json, out);
    fputc('\n', out);
    cJSON_free(json);
    return true;
}

bool write_json_diagnosis(FILE *out, Arena *a, const Diagnosis *d, Error *err) {
    Writer w = {.a = a};
    cJSON *root = new_root(&w), *bundle = cJSON_CreateObject(), *verdict = cJSON_CreateObject();
    put(&w, root, "bundle", bundle);
    fill_bundle(&w, bundle, &d->bundle);
    put_captures(&w, root, &d->bundle);
    put(&w, root, "verdict", verdict);
    put_text(&w, verdict, "status", d->status.len ? d->status : STR("insufficient"));
    put_text(&w, verdict, "text", d->verdict);
    put_causes(&w, root, "causes", d, &d->causes);
    put_causes(&w, root, "risks", d, &d->risks);
    put_causes(&w, root, "notes", d, &d->notes);
    put_causes(&w, root, "verdicts", d, &d->verdicts);
    put_symptoms(&w, root, d);
    cJSON *ruled_out = array(&w, root, "ruled_out");
    for (size_t i = 0; i < d->ruled_out.count; i++) {
        const RuledOut *r = &d->ruled_out.items[i];
        cJSON *o = object_in(&w, ruled_out);
        put_text(&w, o, "rule", r->rule);
        put_text(&w, o, "title", r->title);
        put_text(&w, o, "reason", r->reason);
        put_unfound_subjects(&w, o, &r->subjects);
        put_unfound_evidence(&w, o, &r->evidence);
    }
    cJSON *not_checked = array(&w, root, "not_checked");
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *n = &d->not_checked.items[i];
        cJSON *o = object_in(&w, not_checked);
        put_text(&w, o, "rule", n->rule);
        put_text(&w, o, "title", n->title);
        put_unfound_subjects(&w, o, &n->subjects);
        put_texts(&w, o, "missing", n->missing.items, n->missing.count);
        put_texts(&w, o, "ask", n->ask.items, n->ask.count);
        put_number(&w, o, "settles", n->settles);
        put_lines(&w, o, "statements", &n->statements);
    }
    put_drives(&w, root, d);
    put_benchmarks(&w, root, d);
    put_sources(&w, root, d);
    put_tree(&w, root, d);
    put_texts(&w, root, "warnings", d->warnings.items, d->warnings.count);
    return print(&w, root, out, err);
}

/* ---------------------------------------------------------------- compare */

static void put_histories(Writer *w, cJSON *root, const Comparison *c) {
    cJSON *list = array(w, root, "drives");
    for (size_t i = 0; i < c->drives.count; i++) {
        const DriveHistory *h = &c->drives.items[i];
        cJSON *o = object_in(w, list);
        put_known(w, o, "id", h->id);
        put_known(w, o, "wwn", h->wwn);
        put_known(w, o, "serial", h->serial);
        put_known(w, o, "model", h->model);
        cJSON *stages = array(w, o, "stages");
        for (size_t k = 0; k < h->stages.count; k++) {
            const Stage *s = &h->stages.items[k];
            cJSON *stage = object_in(w, stages);
            put_text(w, stage, "bundle", s->bundle_label);
            put(w, stage, "present", cJSON_CreateBool(s->present));
            put_known(w, stage, "name", s->name);
            put_place(w, stage, &s->place);
            put_known(w, stage, "mode", s->mode);
            put(w, stage, "moved", cJSON_CreateBool(s->moved));
            put_known(w, stage, "place_note", s->place_note);
            if (isfinite(s->wait_ms)) {
                cJSON *peers = cJSON_CreateObject();
                put(w, stage, "peers", peers);
                put_known(w, peers, "metric", s->wait_metric);
                put_number(w, peers, "value_ms", s->wait_ms);
                put_number(w, peers, "peers_ms", s->peers_ms);
                put_number(w, peers, "ratio", s->ratio);
                put(w, peers, "slow", cJSON_CreateBool(s->slow));
            }
            put_known(w, stage, "firmware", s->firmware);
            put_metrics(w, stage, s->metrics.items, s->metrics.count);
            put_known(w, stage, "load", s->load);
        }
    }
}

static void put_unconfirmed(Writer *w, cJSON *root, const Comparison *c) {
    cJSON *list = array(w, root, "ruled_out");
    for (size_t i = 0; i < c->ruled_out.count; i++) {
        const RuledOut *r = &c->ruled_out.items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "rule", r->rule);
        put_text(w, o, "title", r->title);
        put_text(w, o, "reason", r->reason);
        put_unfound_subjects(w, o, &r->subjects);
        put_unfound_evidence(w, o, &r->evidence);
    }
}

static void put_finding_histories(Writer *w, cJSON *root, const Comparison *c) {
    cJSON *list = array(w, root, "findings");
    for (size_t i = 0; i < c->findings.count; i++) {
        const FindingHistory *h = &c->findings.items[i];
        cJSON *o = object_in(w, list);
        put_text(w, o, "rule", h->rule);
        put_text(w, o, "kind", h->kind);
        put_text(w, o, "title", h->title);
        put_subjects(w, o, &h->subjects);
        put_texts(w, o, "stages", h->stages.items, h->stages.count);
    }
}

bool write_json_comparison(FILE *out, Arena *a, const Comparison *c, Error *err) {
    Writer w = {.a = a};
    cJSON *root = new_root(&w), *verdict = cJSON_CreateObject(), *bundles;
    const Diagnosis *first = c->stages.count ? c->stages.items[0] : NULL,
                    *last = c->stages.count ? c->stages.items[c->stages.count - 1] : NULL;
    put(&w, root, "verdict", verdict);
    put_text(&w, verdict, "text", c->text);
    put(&w, verdict, "different_hosts", cJSON_CreateBool(c->different_hosts));
    bundles = array(&w, root, "bundles");
    for (size_t i = 0; i < c->stages.count; i++) {
        cJSON *o = object_in(&w, bundles);
        fill_bundle(&w, o, &c->stages.items[i]->bundle);
        put_captures(&w, o, &c->stages.items[i]->bundle);
        if (i < c->names.count) put_text(&w, o, "stage", c->names.items[i]);
        put_position(&w, o, "capture", c->stages.items[i]->capture.id);
        put_text(&w, o, "status", c->stages.items[i]->status);
        put_text(&w, o, "verdict", c->stages.items[i]->verdict);
    }
    put_histories(&w, root, c);
    cJSON *changes = array(&w, root, "changes");
    for (size_t i = 0; i < c->changes.count; i++) {
        const Change *x = &c->changes.items[i];
        cJSON *o = object_in(&w, changes);
        put_text(&w, o, "kind", x->kind);
        put_position(&w, o, "step", (int64_t)x->step);
        put_subject(&w, o, "subject", &x->subject);
        put_text(&w, o, "what", x->what);
        put_known(&w, o, "from", x->from);
        put_known(&w, o, "to", x->to);
        put_evidence(&w, o, &x->evidence);
    }
    cJSON *factors = array(&w, root, "factors");
    for (size_t i = 0; i < c->factors.count; i++) {
        const Factor *x = &c->factors.items[i];
        cJSON *o = object_in(&w, factors);
        put_position(&w, o, "step", (int64_t)x->step);
        put_subject(&w, o, "subject", &x->subject);
        put_text(&w, o, "metric", x->metric);
        put_known(&w, o, "unit", x->unit);
        put_number(&w, o, "from", x->from);
        put_number(&w, o, "to", x->to);
        put_number(&w, o, "factor", x->factor);
        put_known(&w, o, "basis_from", x->basis_from);
        put_known(&w, o, "basis_to", x->basis_to);
        put(&w, o, "comparable", cJSON_CreateBool(x->comparable));
        put_known(&w, o, "why_not", x->why_not);
    }
    put_causes(&w, root, "verdicts", last, &c->verdicts);
    put_causes(&w, root, "resolved", first, &c->resolved);
    put_causes(&w, root, "new", last, &c->new_);
    put_causes(&w, root, "remaining", last, &c->remaining);
    put_unconfirmed(&w, root, c);
    if (c->findings.count) put_finding_histories(&w, root, c);
    cJSON *not_comparable = array(&w, root, "not_comparable");
    for (size_t i = 0; i < c->not_comparable.count; i++) {
        cJSON *o = object_in(&w, not_comparable);
        put_text(&w, o, "what", c->not_comparable.items[i].what);
        put_text(&w, o, "why", c->not_comparable.items[i].why);
    }
    put_texts(&w, root, "warnings", c->warnings.items, c->warnings.count);
    return print(&w, root, out, err);
}
