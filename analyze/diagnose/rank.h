/*
 * rank.h - which cause stands first
 *
 * Pure arithmetic over symptoms and causes, so that worked examples can be fed to it directly. Symptoms form complaints: the
 * waiting chain (drive latency up to I/O pressure) is one, each other symptom and subject its own. A cause explains a part of
 * a complaint, E = cov * max over its members (w * g * q); its score is the sum over complaints of k * R * conf * E, where R
 * is what better causes left unexplained (noisy-OR). Causes of a danger present now come first.
 */
#ifndef STORDX_DIAGNOSE_RANK_H
#define STORDX_DIAGNOSE_RANK_H

#include "../base/arena.h"
#include "symptoms.h"

typedef struct RankSymptom {
    const SymptomInfo *info;
    int64_t drive; /* node of the drive it is about, 0 when its subject is no drive */
    double g;      /* size, 0..1 */
    double q;      /* 0.7 when it rests on a lone report, else 1 */
} RankSymptom;

typedef struct RankCause {
    const char *id;
    double confidence;
    int impact; /* 3 severe, 2 major, 1 minor */
    const double *
        weights; /* one per symptom: what the cause explains of it, propagation and explain_factor included; 0 nothing */
    const int64_t *drives; /* drives the cause covers */
    size_t drive_count;
    bool all_drives; /* covers whatever drive there is (scope host) */
    /* out */
    double score;                    /* after the causes above it */
    double alone;                    /* if it stood alone */
    double danger, felt, structural; /* largest E of each class, without conf */
    bool danger_now;                 /* explains a danger present now: R * conf * E >= 0.3 */
    bool felt_now;                   /* explains something felt or a danger */
    bool structural_only;
    bool explains_nothing;
} RankCause;

/* Fills the out fields and order[], the indices of the causes from the first to the last: n symptoms, m causes. */
void rank_causes(Arena *a, const RankSymptom *s, size_t n, RankCause *causes, size_t m, size_t *order);

#endif
