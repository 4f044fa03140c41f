/*
 * diagnosis.h - the finished diagnosis: all that a report may read
 *
 * Everything lives in the arena that diagnose() was given. Strings are plain text from the bundle or the rules, never
 * markup; formatted text is Rich. NAN, 0 nodes and empty Str are "unknown" where nothing else is said.
 */
#ifndef STORDX_DIAGNOSE_DIAGNOSIS_H
#define STORDX_DIAGNOSE_DIAGNOSIS_H

#include "../base/rich.h"

typedef struct Page Page; /* page.h */

#define VEC_OF(Type)                                                                                                   \
    struct {                                                                                                           \
        Type *items;                                                                                                   \
        size_t count, cap;                                                                                             \
    }

typedef struct Evidence {
    Str member;   /* path in the upload */
    int64_t line; /* 1-based; 0 when it has a path instead */
    Str path;     /* JSON pointer */
    Str text;     /* the original line, clipped to 512 bytes */
    Str view;     /* kernel drive firmware; empty for events and series */
    int64_t src;
} Evidence;
typedef VEC_OF(Evidence) EvidenceList;

typedef struct Place {
    Str controller; /* PCI address */
    Str port, slot;
    Str label; /* printed form */
} Place;

typedef struct Subject {
    int64_t node;
    Str kind;               /* drive controller link pool vdev array filesystem host guest process */
    Str id;                 /* node.key */
    Str name;               /* what people call it: sda, storage */
    Str model, serial, wwn; /* drives */
    Place place;
} Subject;
typedef VEC_OF(Subject) SubjectList;

typedef struct Explained {
    Str symptom;   /* symptom id: write-latency */
    double weight; /* after propagation and explain_factor */
    Subject subject;
} Explained;

typedef struct Finding {
    Str rule, kind, layer; /* kind: cause risk note verdict symptom */
    Str title;             /* placeholders filled */
    Str class_, impact;
    int rank;          /* from 1 for causes, 0 elsewhere */
    double confidence; /* 0..1; words: certain >= 0.9, likely >= 0.6, possible >= 0.3 */
    double score;
    int64_t capture;
    SubjectList subjects;
    VEC_OF(Explained) explains;
    EvidenceList evidence;
    Rich summary, fix, verify, not_this; /* placeholders filled */
    VEC_OF(Str) verify_commands;         /* code spans and blocks of verify, one command each */
    VEC_OF(Str) remarks;                 /* what weakens it, in words: "sdb: kernel view only" */
    Str covered_by;                      /* rule id of the finding that replaces it, empty */
    const struct Finding *inside;        /* finding that shows this one within its own; NULL: it stands by itself */
    Str source;                          /* where the knowledge is from */
    bool danger_now;                     /* explains a danger present now */
    /* symptoms */
    Str symptom;                        /* symptom id it raises */
    double value, threshold, magnitude; /* magnitude: 0..1 */
    Str unit, basis;                    /* basis: "1 s averages", "lifetime average (since import)", "present value" */
    VEC_OF(Str) explained_by;
} Finding;
typedef VEC_OF(Finding *) FindingList;

typedef struct RuledOut {
    Str rule, kind, title, reason;
    SubjectList subjects;
    EvidenceList evidence;
} RuledOut;

typedef struct NotChecked {
    Str rule, kind, title;
    SubjectList subjects;
    VEC_OF(Str) missing;     /* sources, or what of them */
    VEC_OF(Str) ask;         /* commands, the one that settles most open suspects first */
    EvidenceList statements; /* what the reader says of it: quoted, and no evidence of anything */
    double settles;          /* how many open suspects the first command would settle */
} NotChecked;

typedef struct Dist {
    Str metric, tool, basis;
    double n, mean, p50, p95, p99, max;
} Dist;

typedef struct NameAt {
    int boot;
    Str name;
} NameAt;

typedef struct DriveInfo {
    int64_t node;
    Str id, name, wwn, serial, model, firmware, media, bus, class_, plp;
    double size_bytes; /* NAN unknown */
    VEC_OF(NameAt) names;
    Place place;
    VEC_OF(Str) pools; /* pools and arrays it belongs to */
    VEC_OF(Dist) metrics;
    bool culprit; /* subject of a cause that is not covered */
} DriveInfo;

typedef struct SourceInfo {
    Str member, tool, command, status, note;
    int64_t rows, bad_rows, line_first, line_last;
} SourceInfo;

typedef struct CaptureInfo {
    int64_t id;
    Str label, boot_id;
    double start_s, end_s, sampling_s; /* NAN unknown */
    int complete;                      /* 1, 0, -1 unknown */
} CaptureInfo;

typedef struct BundleInfo {
    int64_t id;
    Str label, host, os, kernel, kind, machine; /* machine: DMI vendor and product */
    Str test_path;                              /* made with test tools: say so */
    VEC_OF(CaptureInfo) captures;
} BundleInfo;

/* The stack of the host for the picture: one row per edge, parents first. */
typedef struct TreeNode {
    int64_t node;
    Str kind, label, detail; /* detail: model, level, mode */
    int depth;               /* host 0, controller 1, drive 2, ... */
    bool culprit, suspect;
} TreeNode;

typedef struct Diagnosis {
    BundleInfo bundle;
    CaptureInfo capture;
    Str status;  /* causes nothing_in_evidence insufficient */
    Str verdict; /* two sentences */
    FindingList causes, risks, notes, verdicts, symptoms;
    VEC_OF(RuledOut) ruled_out;
    VEC_OF(NotChecked) not_checked;
    VEC_OF(DriveInfo) drives;
    VEC_OF(SourceInfo) sources;
    VEC_OF(TreeNode) tree;
    VEC_OF(Str) warnings; /* broken pages, limits reached: one line each */
} Diagnosis;

/* ---- compare ---- */

typedef struct Stage { /* one drive in one bundle */
    int64_t bundle;
    Str bundle_label, name, firmware;
    Place place;
    bool present;
    VEC_OF(Dist) metrics;
    Str load; /* in words: "320 w/s, 42 MB/s" */
} Stage;

typedef struct DriveHistory {
    Str id, wwn, serial, model;
    VEC_OF(Stage) stages; /* one per bundle, in order */
} DriveHistory;

typedef struct Change {
    Str kind; /* setting place name firmware drive controller-mode pool-state kernel counter mount */
    Subject subject;
    Str what, from, to;
    EvidenceList evidence; /* before, then after */
} Change;

typedef struct Factor { /* a figure side by side */
    Subject subject;
    Str metric, unit, basis_from, basis_to;
    double from, to;
    double factor;   /* to / from */
    bool comparable; /* false: shown grey */
    Str why_not;
} Factor;

typedef struct NotComparable {
    Str what, why;
} NotComparable;

typedef struct Comparison {
    VEC_OF(Diagnosis *) stages; /* one per bundle, in the order given */
    VEC_OF(DriveHistory) drives;
    VEC_OF(Change) changes;
    VEC_OF(Factor) factors; /* distributions, pressure and benchmarks */
    FindingList verdicts, resolved, new_, remaining;
    VEC_OF(NotComparable) not_comparable;
    Str text; /* the verdict in two sentences */
    VEC_OF(Str) warnings;
} Comparison;

#define CONFIDENCE_SHOWN 0.3 /* weaker findings are in no report */

/* "certain", "likely", "possible"; "" below CONFIDENCE_SHOWN. */
const char *confidence_word(double confidence);

#endif
