/*
 * evaluate.h - runs rule pages over the fact database
 *
 * Order: symptoms, then causes, risks and notes, then verdicts; each stage writes its answers to the table `finding`, which
 * later pages may read. Statements may only read, with a whitelist of functions and a step budget; a page that breaks is
 * named in the warnings and skipped, and never stops a report.
 */
#ifndef STORDX_DIAGNOSE_EVALUATE_H
#define STORDX_DIAGNOSE_EVALUATE_H

#include "../facts/facts.h"
#include "diagnosis.h"
#include "page.h"
#include "presence.h"

/* One row of a page's Evidence. */
typedef struct Hit {
    int64_t node;
    double confidence;     /* NAN when the page gave none */
    double explain_factor; /* 1 without */
    double value, threshold;
    bool inverted;
    Str unit, basis, group_key, remark;
    EvidenceList evidence;
    Placeholders columns;
} Hit;
typedef VEC_OF(Hit) HitList;

typedef struct Refuted {
    int64_t node;
    Str reason;
    EvidenceList evidence;
} Refuted;
typedef VEC_OF(Refuted) RefutedList;

/* What is missing for one page and one subject (node 0: for the whole capture). */
typedef struct Unmet {
    int64_t node;
    VEC_OF(Str) missing;
} Unmet;

typedef VEC_OF(int64_t) NodeList;

typedef struct Answer { /* of one page */
    const Page *page;
    HitList hits;
    RefutedList
        refuted; /* without the nodes that were found: found beats ruled out only when the facts do not speak against it, so
                            a node in both is ruled out and not found */
    VEC_OF(Unmet) unmet;
    NodeList subjects; /* what `applies` names */
    bool broken;
} Answer;
typedef VEC_OF(Answer) AnswerList;

typedef struct KnownSubjects { /* the answer to one `applies:` */
    Str sql;
    int64_t capture;
    NodeList nodes;
} KnownSubjects;

typedef struct KnownHint { /* could there be a thing of this kind, although no output shows it? */
    Str about;
    int64_t capture;
    bool yes;
} KnownHint;

typedef struct Evaluation {
    Facts *facts;
    Arena *arena;
    int64_t capture;       /* :capture */
    int64_t before, after; /* of compare pages; 0 in an analysis */
    Presence *presence;    /* statements whose demands it does not meet are spared; NULL: all are run */
    AnswerList answers;
    VEC_OF(KnownSubjects) subjects;
    VEC_OF(KnownHint) hints;
    VEC_OF(Str) warnings;
} Evaluation;

/*
 * For tests: statements that would be spared are run, and a page whose statement gives rows then is broken, as the demands that the
 * build read from it are wrong.
 */
extern bool evaluate_distrusts_demands;

/* Evaluates all pages for one capture (compare pages are left out). Clears `finding` rows of this capture first. */
void evaluate_capture(Evaluation *e, const Pages *pages);

/* Evaluates the compare pages over two captures, a page after those that it yields to, so that it can read what they found. */
void evaluate_compare(Evaluation *e, const Pages *pages);

/* Evaluates one page; for cases and `explain`. */
void evaluate_page(Evaluation *e, const Page *page, Answer *answer);

/* The query of `applies:`: its own, or the one of the node kind it names. */
Str applies_query(Str applies);

/* Restricts a database to reading: authorizer, step budget, length limit. Undone by evaluate_unlock(). Table `statement` is closed to
   rules: what a reader claims is quoted and never judged. */
void evaluate_lock(sqlite3 *db);
/* The same for people: every table may be read. */
void evaluate_lock_reader(sqlite3 *db);
extern int evaluate_step_budget; /* of one statement, in 100 000 operations of SQLite; tests lower it */
void evaluate_unlock(sqlite3 *db);

/* Evidence of a JSON array as cite() and json_group_array() make it: objects or strings of objects. */
void evidence_from_json(Facts *f, Arena *a, Str json, EvidenceList *out);

/* A node as a subject of a report. capture chooses names and place. */
Subject subject_of(Facts *f, Arena *a, int64_t node, int64_t capture);

/* Does the expression of `needs:` hold? node 0: for the capture as a whole. Unmet terms are appended to missing (may be NULL). A
   syntax error gives false and err. */
bool needs_met(Facts *f, Arena *a, Str needs, int64_t capture, int64_t node, Unmet *missing, Error *err);

#endif
