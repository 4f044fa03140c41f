/*
 * symptoms.h - what is known of each symptom id
 */
#ifndef STORDX_DIAGNOSE_SYMPTOMS_H
#define STORDX_DIAGNOSE_SYMPTOMS_H

#include "../base/str.h"

typedef enum SymptomClass { SYMPTOM_FELT, SYMPTOM_DANGER, SYMPTOM_STRUCTURAL } SymptomClass;

typedef struct SymptomInfo {
    const char *id;
    SymptomClass class_;
    bool chain; /* part of the waiting chain */
} SymptomInfo;

/* NULL when there is no such symptom. */
const SymptomInfo *symptom_find(Str id);

/*
 * Size of a raised symptom, 0..1. Danger and structural: 1. io-pressure and iowait: max(0.4, per cent / 100). Else
 * min(1, 0.4 + 0.3 log10(x)), x = value / threshold, or threshold / value where less is worse (inverted).
 */
double symptom_magnitude(const SymptomInfo *s, double value, double threshold, bool inverted);

#endif
