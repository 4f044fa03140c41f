/*
 * finding.c - hits of a rule become one finding: grouped, named, with its text filled in
 */
#include "column.h"
#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *confidence_word(double c) {
    return c >= 0.9 ? N_("certain") : c >= 0.6 ? N_("likely") : c >= 0.3 ? N_("possible") : "";
}

/* ---------------------------------------------------------------- groups */

/* Nearest node of a kind on either side of `node`, 0 if there is none. */
static int64_t nearest(Facts *f, int64_t node, Str kind, int64_t capture) {
    sqlite3_stmt *st = facts_query(
        f, "SELECT n.id FROM reach r JOIN node n ON n.id = CASE WHEN r.above = ?1 THEN r.below ELSE r.above END"
           " WHERE r.capture = ?2 AND (r.above = ?1 OR r.below = ?1) AND n.kind = ?3 ORDER BY r.depth, n.id LIMIT 1");
    sqlite3_bind_int64(st, 1, node);
    sqlite3_bind_int64(st, 2, capture);
    sqlite3_bind_text64(st, 3, kind.p, kind.len, SQLITE_STATIC, SQLITE_UTF8);
    int64_t id = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    sqlite3_reset(st);
    return id;
}

typedef struct KeyedHit {
    Str key;
    size_t at, group;
} KeyedHit;

static int by_key(const void *p, const void *q) {
    const KeyedHit *x = p, *y = q;
    int c = str_cmp(x->key, y->key);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

static int by_row(const void *p, const void *q) {
    const KeyedHit *x = p, *y = q;
    return (x->at > y->at) - (x->at < y->at);
}

static int by_group(const void *p, const void *q) {
    const KeyedHit *x = p, *y = q;
    int c = (x->group > y->group) - (x->group < y->group);
    return c ? c : by_row(p, q);
}

/* Numbers the groups in the order of their first rows; what would be one more than a reader takes in becomes one group. */
static void number_groups(Arena *a, KeyedHit *hits, size_t n) {
    enum { MAX_GROUPS = 64 };
    size_t *number = arena_array(a, size_t, n + 1), *same = arena_array(a, size_t, n + 1), count = 0;
    qsort(hits, n, sizeof *hits, by_key);
    for (size_t i = 0; i < n; i++)
        same[hits[i].at] = i && str_eq(hits[i].key, hits[i - 1].key) ? same[hits[i - 1].at] : hits[i].at;
    qsort(hits, n, sizeof *hits, by_row);
    for (size_t i = 0; i < n; i++) {
        if (same[i] == i) number[i] = count < MAX_GROUPS ? count++ : MAX_GROUPS - 1;
        hits[i].group = number[same[i]];
    }
    qsort(hits, n, sizeof *hits, by_group);
}

void group_hits(Facts *f, Arena *a, const Answer *answer, int64_t capture, GroupPut put, void *arg) {
    size_t n = answer->hits.count;
    KeyedHit *hits = arena_array(a, KeyedHit, n + 1);
    for (size_t i = 0; i < n; i++) {
        const Hit *h = &answer->hits.items[i];
        Str by = answer->page->group_by;
        int64_t group = h->node;
        if (by.len && !h->group_key.len && !str_is(by, "group_key")) {
            int64_t near = nearest(f, h->node, by, capture);
            if (near) group = near;
        }
        hits[i] = (KeyedHit){h->group_key.len ? h->group_key : arena_strf(a, "node %lld", (long long)group), i, 0};
    }
    number_groups(a, hits, n);
    const Hit **members = arena_array(a, const Hit *, n + 1);
    for (size_t i = 0, count; i < n; i += count) {
        for (count = 0; i + count < n && hits[i + count].group == hits[i].group; count++)
            members[count] = &answer->hits.items[hits[i + count].at];
        put(arg, members, count);
    }
}

/* ---------------------------------------------------------------- text */

static Str by_id_path(Facts *f, Arena *a, int64_t node, int64_t capture, Str name) {
    /* The most telling link: by model and serial before the WWN. */
    sqlite3_stmt *st =
        facts_query(f, "SELECT name FROM drive_name WHERE node = ?1 AND capture = ?2 AND boot = 0 AND kind = 'by-id' "
                       "AND name NOT GLOB '*-part[0-9]*'"
                       " ORDER BY CASE WHEN name GLOB 'ata-*' OR name GLOB 'nvme-[!e]*' THEN 0 WHEN name GLOB 'scsi-*' "
                       "OR name GLOB 'usb-*' THEN 1"
                       " WHEN name GLOB 'wwn-*' OR name GLOB 'nvme-eui*' THEN 2 ELSE 3 END, name LIMIT 1");
    sqlite3_bind_int64(st, 1, node);
    sqlite3_bind_int64(st, 2, capture);
    Str link = sqlite3_step(st) == SQLITE_ROW ? column_text(a, st, 0) : STR_NONE;
    sqlite3_reset(st);
    if (link.len) return arena_strf(a, "/dev/disk/by-id/%.*s", STR_ARG(link));
    /* a log may know no more than the port (ata3.00), a paste no more than the line: the reader has to fill in the drive */
    if (str_find_ch(name, '.') != SIZE_MAX || str_find_ch(name, ' ') != SIZE_MAX) return STR("/dev/sdX");
    return arena_strf(a, "/dev/%.*s", STR_ARG(name));
}

static void builtin_placeholders(Facts *f, Arena *a, Placeholders *p, const SubjectList *subjects, int64_t capture) {
    placeholder_add(a, p, STR("count"), arena_strf(a, "%zu", subjects->count), true);
    for (size_t i = 0; i < subjects->count; i++) {
        const Subject *s = &subjects->items[i];
        placeholder_add(a, p, STR("subjects"), s->name, false);
        if (s->model.len) placeholder_add(a, p, STR("models"), s->model, false);
        if (s->serial.len) placeholder_add(a, p, STR("serials"), s->serial, false);
        if (s->place.label.len) placeholder_add(a, p, STR("places"), s->place.label, false);
        StrBuf longer;
        sb_init(&longer, a);
        sb_add(&longer, s->name);
        const Str known[] = {s->model,
                             s->serial.len ? say(a, _("serial {serial}"), "serial", s->serial, NULL) : STR_NONE,
                             lang_phrase(a, s->place.label)};
        bool open = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (!known[k].len) continue;
            sb_addf(&longer, "%s%.*s", open ? ", " : " (", STR_ARG(known[k]));
            open = true;
        }
        if (open) sb_addc(&longer, ')');
        placeholder_add(a, p, STR("drives_long"), sb_str(&longer), false);
        if (str_is(s->kind, "drive"))
            placeholder_add(a, p, STR("by_id"), by_id_path(f, a, s->node, capture, s->name), false);
    }
}

/* Commands of a Verify section: its code spans and the lines of its code blocks. */
static void commands_of(Arena *a, const Rich *r, Finding *out) {
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->blocks[i].span_count; k++) {
            if (!(r->blocks[i].spans[k].style & SPAN_CODE)) continue;
            Str text = r->blocks[i].spans[k].text;
            while (text.len) {
                Str line = str_trim(str_cut(&text, '\n'));
                if (line.len && (r->blocks[i].kind == BLOCK_CODE || str_find_ch(line, ' ') != SIZE_MAX))
                    VEC_PUSH(a, &out->verify_commands, line);
            }
        }
}

static double capped_by_views(const EvidenceList *evidence, double confidence) {
    /* What rests on the reader's word is never more than possible; what was typed off a screen, not by itself. */
    size_t typed = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        if (str_is(evidence->items[i].view, "statement")) return fmin(confidence, CONFIDENCE_OF_WORDS);
        typed += str_is(evidence->items[i].view, "by-hand");
    }
    if (typed) return fmin(confidence, typed == evidence->count ? CONFIDENCE_OF_WORDS : CONFIDENCE_HALF_TYPED);
    /* More than 0.95 needs two independent views; a measurement is one of its own. */
    Str first = STR_NONE;
    bool two = false;
    for (size_t i = 0; i < evidence->count && !two; i++) {
        Str view = evidence->items[i].view.len ? evidence->items[i].view : STR("measurement");
        if (!first.p) first = view;
        else two = !str_eq(first, view);
    }
    return two ? confidence : fmin(confidence, 0.95);
}

static void unite(Arena *a, EvidenceList *into, const EvidenceList *more) {
    enum { MAX_EVIDENCE = 2000 }; /* of one finding: more is no better proof */
    for (size_t i = 0; i < more->count && into->count < MAX_EVIDENCE; i++) {
        bool have = false;
        for (size_t k = 0; k < into->count && !have; k++)
            have = into->items[k].src == more->items[i].src && into->items[k].line == more->items[i].line;
        if (!have) VEC_PUSH(a, into, more->items[i]);
    }
}

/* Found in the English page, by the value that fills the paragraph: a translation has the same paragraphs. */
static size_t question_of(Arena *a, const Page *page, const Placeholders *p) {
    Str name = STR_NONE;
    for (size_t i = 0; i < p->count && !name.p; i++)
        if (p->items[i].values.count && str_starts(p->items[i].values.items[0], "What makes it slow is unknown"))
            name = p->items[i].name;
    if (!name.p) return 0;
    Rich english = page_rich(a, page->summary, NULL);
    for (size_t i = 0; i < english.count; i++)
        if (str_eq(lang_hole(str_trim(block_plain(a, &english.blocks[i]))), name)) return i + 1;
    return 0;
}

Finding *finding_build(Facts *f, Arena *a, const Page *page, const Hit *const *hits, size_t count, int64_t capture) {
    Finding *out = arena_new_of(a, Finding);
    out->rule = page->id;
    out->kind = str_of(page_kind_word(page->kind));
    out->layer = page->layer;
    out->class_ = page->class_;
    out->impact = page->impact;
    out->source = page->source;
    out->capture = capture;
    out->value = out->threshold = out->magnitude = NAN;
    out->symptom = page->kind == PAGE_SYMPTOM ? page->raises : STR_NONE;
    Placeholders p = {0};
    double best = 0;
    for (size_t i = 0; i < count; i++) {
        const Hit *h = hits[i];
        bool have = false;
        for (size_t k = 0; k < out->subjects.count && !have; k++) have = out->subjects.items[k].node == h->node;
        if (!have) VEC_PUSH(a, &out->subjects, subject_of(f, a, h->node, capture));
        unite(a, &out->evidence, &h->evidence);
        if (isfinite(h->confidence)) best = fmax(best, h->confidence);
        for (size_t k = 0; k < h->columns.count; k++)
            for (size_t v = 0; v < h->columns.items[k].values.count; v++)
                placeholder_add(a, &p, h->columns.items[k].name, h->columns.items[k].values.items[v],
                                h->columns.items[k].numeric);
        if (h->remark.len) {
            Str remark = lang_phrase(a, h->remark);
            bool said = false;
            for (size_t k = 0; k < out->remarks.count && !said; k++) said = str_eq(out->remarks.items[k], remark);
            if (!said) VEC_PUSH(a, &out->remarks, remark);
        }
    }
    out->confidence = capped_by_views(&out->evidence, best);
    for (size_t i = 0; i < out->evidence.count; i++)
        if (str_is(out->evidence.items[i].view, "by-hand")) {
            VEC_PUSH(a, &out->remarks,
                     str_of(_("figures were typed by hand: the tool's own output would make it surer")));
            break;
        }
    for (size_t i = 0; i < count;
         i++) /* members that are weaker than the group, where the page did not say so itself */
        if (!hits[i]->remark.len && isfinite(hits[i]->confidence) && hits[i]->confidence < best - 0.05)
            VEC_PUSH(a, &out->remarks,
                     say(a, _("{drive}: weaker evidence ({confidence})"), "drive",
                         subject_of(f, a, hits[i]->node, capture).name, "confidence",
                         str_of(_(confidence_word(hits[i]->confidence))), NULL));
    builtin_placeholders(f, a, &p, &out->subjects, capture);
    PageWords words = page_words(a, page);
    out->title = placeholders_fill(a, &p, words.title);
    out->summary = page_rich(a, words.summary, &p);
    out->fix = page_rich(a, words.fix, &p);
    out->verify = page_rich(a, words.verify, &p);
    out->not_this = page_rich(a, words.not_this, &p);
    out->question = question_of(a, page, &p);
    if (out->question > out->summary.count) out->question = 0;
    commands_of(a, &out->verify, out);
    return out;
}

Finding *finding_told(Facts *f, Arena *a, const Page *page, const EvidenceList *statements, int64_t host,
                      int64_t capture) {
    Finding *out = arena_new_of(a, Finding);
    const Placeholders none = {0};
    PageWords words = page_words(a, page);
    *out = (Finding){.rule = page->id,
                     .kind = str_of(page_kind_word(page->kind)),
                     .layer = page->layer,
                     .title = say(a, _("{title} (if it is as you write)"), "title", page_plain_title(a, page), NULL),
                     .source = page->source,
                     .capture = capture,
                     .confidence = CONFIDENCE_SHOWN,
                     .value = NAN,
                     .threshold = NAN,
                     .magnitude = NAN,
                     .summary = page_rich(a, words.as_told, &none),
                     .not_this = page_rich(a, words.not_this, &none)};
    VEC_PUSH(a, &out->subjects, subject_of(f, a, host, capture));
    for (size_t i = 0; i < statements->count; i++) {
        Evidence e = statements->items[i];
        e.view = STR("statement");
        VEC_PUSH(a, &out->evidence, e);
    }
    VEC_PUSH(a, &out->remarks, str_of(_("no output in this upload shows it")));
    return out;
}
