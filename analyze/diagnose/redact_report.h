/*
 * redact_report.h - a finished diagnosis or comparison without what identifies drives, hosts and people
 *
 * Every string that a report can print is replaced, so that no writer has to think of it. Ids of rules, tools and states stay: they are ours.
 */
#ifndef STORDX_DIAGNOSE_REDACT_REPORT_H
#define STORDX_DIAGNOSE_REDACT_REPORT_H

#include "../base/redact.h"
#include "../facts/facts.h"
#include "diagnosis.h"

/* A redactor that knows the identities and host names of the facts, which are resolved. In the arena. */
Redactor *redactor_of_facts(Facts *f, Arena *a, Str key);

/* In place. */
void redact_diagnosis(Redactor *r, Diagnosis *d);
/* With its stages. */
void redact_comparison(Redactor *r, Comparison *c);

#endif
