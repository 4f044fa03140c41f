#include "redact_report.h"

#include "../base/error.h"

static void add_values(Redactor *r, Facts *f, const char *kind, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), sql, -1, &st, NULL) != SQLITE_OK)
        fatal("redact: %s: %s", sql, sqlite3_errmsg(facts_db(f)));
    while (sqlite3_step(st) == SQLITE_ROW)
        redactor_add(r, kind, (Str){(const char *)sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0)});
    sqlite3_finalize(st);
}

Redactor *redactor_of_facts(Facts *f, Arena *a, Str key) {
    Redactor *r = redactor_new(a, key);
    /* A WWN of 32 digits may be an NGUID or an NAA of 16 bytes: how the fact was read says which. */
    add_values(r, f, "EUI", "SELECT DISTINCT value FROM setting WHERE key IN ('eui', 'nguid') AND value IS NOT NULL");
    add_values(r, f, "WWN", "SELECT DISTINCT value FROM setting WHERE key = 'wwn' AND value IS NOT NULL");
    add_values(r, f, "WWN",
               "SELECT DISTINCT wwn FROM drive WHERE wwn IS NOT NULL AND wwn NOT IN (SELECT value FROM setting WHERE "
               "key IN ('eui', 'nguid'))");
    add_values(r, f, "SN", "SELECT DISTINCT value FROM setting WHERE key = 'serial' AND value IS NOT NULL");
    add_values(r, f, "SN", "SELECT DISTINCT serial FROM drive WHERE serial IS NOT NULL");
    add_values(
        r, f, "host",
        "SELECT DISTINCT CASE WHEN instr(value, '.') > 1 THEN substr(value, 1, instr(value, '.') - 1) ELSE value END"
        " FROM setting WHERE key = 'hostname' AND value <> 'localhost'");
    add_values(r, f, "host",
               "SELECT DISTINCT CASE WHEN instr(host, '.') > 1 THEN substr(host, 1, instr(host, '.') - 1) ELSE host END"
               " FROM bundle WHERE host IS NOT NULL AND host <> 'localhost'");
    add_values(r, f, "host",
               "SELECT DISTINCT substr(value, 1, instr(value, ':') - 1) FROM setting WHERE key = 'md_name' AND "
               "instr(value, ':') > 1"
               " AND value NOT LIKE 'any:%' AND value NOT LIKE 'localhost%'");
    add_values(r, f, "host",
               "SELECT DISTINCT CASE WHEN instr(server, '.') > 1 AND server GLOB '*[a-zA-Z]*' THEN substr(server, 1, "
               "instr(server, '.') - 1) "
               "ELSE server END FROM store WHERE server GLOB '*[a-zA-Z]*' AND server <> 'localhost'");
    /* Hosts and accounts that only a log line or a path names are learnt before anything is printed. */
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f),
                           "SELECT text FROM line_text WHERE line > 0 UNION SELECT command FROM source"
                           " WHERE command IS NOT NULL UNION SELECT command FROM manifest"
                           " UNION SELECT target FROM benchmark WHERE target IS NOT NULL"
                           " UNION SELECT source || ' ' || mountpoint || ' ' || coalesce(fstype, '') FROM mount"
                           " UNION SELECT name FROM job WHERE name IS NOT NULL UNION SELECT target FROM job"
                           " WHERE target IS NOT NULL UNION SELECT source FROM guest_disk WHERE source IS NOT NULL"
                           " UNION SELECT path FROM store WHERE path IS NOT NULL ORDER BY 1",
                           -1, &st, NULL) != SQLITE_OK)
        fatal("redact: %s", sqlite3_errmsg(facts_db(f)));
    while (sqlite3_step(st) == SQLITE_ROW)
        redactor_learn(r, (Str){(const char *)sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0)});
    sqlite3_finalize(st);
    return r;
}

static void one(Redactor *r, Str *s) {
    *s = redact(r, *s);
}

#define LIST(r, list)                                                                                                  \
    for (size_t i_ = 0; i_ < (list)->count; i_++) one((r), &(list)->items[i_])

static void rich(Redactor *r, Rich *text) {
    for (size_t b = 0; b < text->count; b++)
        for (size_t s = 0; s < text->blocks[b].span_count; s++) one(r, &text->blocks[b].spans[s].text);
}

static void place(Redactor *r, Place *p) {
    one(r, &p->controller);
    one(r, &p->port);
    one(r, &p->slot);
    one(r, &p->label);
}

static void subject(Redactor *r, Subject *s) {
    one(r, &s->id);
    one(r, &s->name);
    one(r, &s->model);
    one(r, &s->serial);
    one(r, &s->wwn);
    place(r, &s->place);
}

static void subjects(Redactor *r, SubjectList *list) {
    for (size_t i = 0; i < list->count; i++) subject(r, &list->items[i]);
}

static void evidence(Redactor *r, EvidenceList *list) {
    for (size_t i = 0; i < list->count; i++) {
        Evidence *e = &list->items[i];
        one(r, &e->member);
        one(r, &e->path);
        one(r, &e->text);
        one(r, &e->bundle);
    }
}

static void finding(Redactor *r, Finding *f) {
    one(r, &f->title);
    subjects(r, &f->subjects);
    for (size_t i = 0; i < f->explains.count; i++) subject(r, &f->explains.items[i].subject);
    evidence(r, &f->evidence);
    rich(r, &f->summary);
    rich(r, &f->fix);
    rich(r, &f->verify);
    rich(r, &f->not_this);
    LIST(r, &f->verify_commands);
    LIST(r, &f->remarks);
    one(r, &f->basis);
}

static void findings(Redactor *r, FindingList *list) {
    for (size_t i = 0; i < list->count; i++) finding(r, list->items[i]);
}

static void bundle(Redactor *r, BundleInfo *b) {
    one(r, &b->label);
    one(r, &b->host);
    one(r, &b->machine);
    one(r, &b->test_path);
    for (size_t i = 0; i < b->captures.count; i++) one(r, &b->captures.items[i].label);
}

static void drive(Redactor *r, DriveInfo *d) {
    one(r, &d->id);
    one(r, &d->name);
    one(r, &d->wwn);
    one(r, &d->serial);
    one(r, &d->model);
    for (size_t i = 0; i < d->names.count; i++) one(r, &d->names.items[i].name);
    place(r, &d->place);
    LIST(r, &d->pools);
}

static void ruled_out(Redactor *r, RuledOut *x) {
    one(r, &x->title);
    one(r, &x->reason);
    subjects(r, &x->subjects);
    evidence(r, &x->evidence);
}

void redact_diagnosis(Redactor *r, Diagnosis *d) {
    bundle(r, &d->bundle);
    one(r, &d->capture.label);
    one(r, &d->verdict);
    FindingList *const lists[] = {&d->causes, &d->risks, &d->notes, &d->verdicts, &d->symptoms};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) findings(r, lists[i]);
    for (size_t i = 0; i < d->ruled_out.count; i++) ruled_out(r, &d->ruled_out.items[i]);
    for (size_t i = 0; i < d->not_checked.count; i++) {
        NotChecked *x = &d->not_checked.items[i];
        one(r, &x->title);
        subjects(r, &x->subjects);
        LIST(r, &x->missing);
        LIST(r, &x->ask);
        evidence(r, &x->statements);
    }
    for (size_t i = 0; i < d->drives.count; i++) drive(r, &d->drives.items[i]);
    for (size_t i = 0; i < d->benchmarks.count; i++) {
        Benchmark *x = &d->benchmarks.items[i];
        subject(r, &x->subject);
        one(r, &x->target);
        one(r, &x->what);
        one(r, &x->beside);
        one(r, &x->measures);
        evidence(r, &x->evidence);
    }
    for (size_t i = 0; i < d->sources.count; i++) {
        SourceInfo *x = &d->sources.items[i];
        one(r, &x->member);
        one(r, &x->command);
        one(r, &x->note);
    }
    for (size_t i = 0; i < d->tree.count; i++) {
        one(r, &d->tree.items[i].label);
        one(r, &d->tree.items[i].detail);
    }
    for (size_t i = 0; i < d->map.nodes.count; i++) {
        MapNode *x = &d->map.nodes.items[i];
        one(r, &x->name);
        one(r, &x->detail);
        one(r, &x->port);
        one(r, &x->slot);
    }
    for (size_t i = 0; d->figures && i < d->figures->events.count; i++) {
        one(r, &d->figures->events.items[i].what);
        one(r, &d->figures->events.items[i].of);
    }
    LIST(r, &d->warnings);
}

void redact_comparison(Redactor *r, Comparison *c) {
    for (size_t i = 0; i < c->stages.count; i++) redact_diagnosis(r, c->stages.items[i]);
    LIST(r, &c->names);
    for (size_t i = 0; i < c->drives.count; i++) {
        DriveHistory *h = &c->drives.items[i];
        one(r, &h->id);
        one(r, &h->wwn);
        one(r, &h->serial);
        one(r, &h->model);
        for (size_t k = 0; k < h->stages.count; k++) {
            one(r, &h->stages.items[k].bundle_label);
            one(r, &h->stages.items[k].name);
            place(r, &h->stages.items[k].place);
        }
    }
    for (size_t i = 0; i < c->changes.count; i++) {
        Change *x = &c->changes.items[i];
        subject(r, &x->subject);
        one(r, &x->what);
        one(r, &x->from);
        one(r, &x->to);
        evidence(r, &x->evidence);
    }
    for (size_t i = 0; i < c->factors.count; i++) {
        subject(r, &c->factors.items[i].subject);
        one(r, &c->factors.items[i].metric);
        one(r, &c->factors.items[i].why_not);
    }
    FindingList *const lists[] = {&c->verdicts, &c->resolved, &c->new_, &c->remaining};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) findings(r, lists[i]);
    for (size_t i = 0; i < c->ruled_out.count; i++) ruled_out(r, &c->ruled_out.items[i]);
    for (size_t i = 0; i < c->findings.count; i++) {
        one(r, &c->findings.items[i].title);
        /* the list is that of a finding of a stage, which was redacted there; a second time changes nothing */
        subjects(r, &c->findings.items[i].subjects);
    }
    for (size_t i = 0; i < c->not_comparable.count; i++) {
        one(r, &c->not_comparable.items[i].what);
        one(r, &c->not_comparable.items[i].why);
    }
    one(r, &c->text);
    LIST(r, &c->warnings);
}
