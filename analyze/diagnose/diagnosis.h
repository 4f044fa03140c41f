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
    Str view; /* kernel drive firmware; statement: prose of the reader; by-hand: figures typed off; empty for events and series */
    int64_t src;
    Str bundle, stage; /* of comparisons: label of its upload; "before", "after", "stage 3": whose line it is */
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
    bool compared;                       /* its remarks are what a comparison says of it */
    Str covered_by;                      /* rule id of the finding that replaces it, empty */
    const struct Finding *inside;        /* finding that shows this one within its own; NULL: it stands by itself */
    Str source;                          /* where the knowledge is from */
    bool danger_now;                     /* explains a danger present now */
    size_t question;                     /* the block of summary that a comparison may answer, from 1; 0: none */
    /* symptoms */
    Str symptom;                        /* symptom id it raises */
    double value, threshold, magnitude; /* magnitude: 0..1 */
    Str unit, basis;                    /* basis: "1 s averages", "lifetime average (since import)", "present value" */
    VEC_OF(Str) explained_by;
    /* verdicts over two captures */
    size_t step; /* from stage `step` to `step` + 1, both from 1; 0 elsewhere */
} Finding;
typedef VEC_OF(Finding *) FindingList;

typedef struct RuledOut {
    Str rule, kind, layer, title, reason;
    double relevance; /* 0..1: how much of a symptom of this capture it would explain, were it there */
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
    double n, mean, p50, p95, p99, p999, max;
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
    Str denylist; /* why it must not be asked anything (rules/models): "data may be lost when ..."; "" else */
} DriveInfo;

typedef struct Benchmark {  /* a measurement that somebody made on purpose */
    Subject subject;        /* the drive; empty where the target does not tell it */
    Str tool, target, what; /* what: "random read, 4 KiB, 128 in flight" */
    double mb_s, iops;      /* NAN unknown, as below */
    double mean_ms, p50_ms, p95_ms, p99_ms, p999_ms, max_ms;
    Str beside;   /* the figure beside what link and class can do: view `benchmark_beside` of schema.sql */
    Str measures; /* what this run really measured */
    EvidenceList evidence;
} Benchmark;

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

/*
 * The host as a graph, for the picture: every node rests on the nodes `below`, which stand before it. Partitions are left out: what
 * lies on one rests on its drive. At most HOST_MAP_NODES; read by host_map.h.
 */
typedef struct MapNode {
    int64_t node;        /* 0: it has none of its own, as an expander */
    Str kind;            /* controller expander multiplier enclosure drive vdev array pool volume filesystem guest */
    Str name, detail;    /* detail: chip and driver, model, level, type of file system */
    Str role;            /* of a drive that is in a pool by itself: log cache special spare */
    Str state;           /* as printed: ONLINE, FAULTED */
    bool trouble;        /* the state is not the good one */
    int members, active; /* of an array, where it says so: made for, there now; 0 unknown */
    /* drives and controllers */
    double size_bytes, rate,
        could; /* link: Gbit/s, of PCI Express GT/s per lane; NAN unknown; could: what drive and port can do */
    int lanes, could_lanes; /* of PCI Express; 0: another kind of link */
    Str port, slot;         /* port: in words, "port 3" */
    bool absent;            /* a member that its pool names and the host does not show */
    VEC_OF(size_t) below;
    VEC_OF(int64_t) also; /* nodes that it stands for, too: its partitions, its link */
} MapNode;

typedef struct HostMap {
    VEC_OF(MapNode) nodes;
    size_t left_out; /* drives and others beyond the limit */
} HostMap;

/* ---- series for the plots and the timeline: figures.h fills them when a report will show them ---- */

enum {
    FIGURE_MOMENTS = 240, /* points of a series at most; the folded ones are means over operations */
    FIGURE_DRIVES = 64,
    FIGURE_EVENTS = 400,
    FIGURE_DOTS = 20
};

/* One drive over the moments of its Figures. Arrays have one value per moment, NAN where nothing was measured; NULL: none at all. */
typedef struct DriveFigure {
    size_t drive; /* index in Diagnosis.drives */
    float *wait_ms[2],
        *wait_max_ms[2]; /* reads, writes: mean over the operations of the moment, and the longest sample */
    size_t wait_n[2];    /* samples behind them */
    float *util_pct, *bytes_s;
    float dots_ms[2][FIGURE_DOTS];      /* quantiles (i + 0.5) / dots of the samples */
    size_t dots[2];                     /* how many: FIGURE_DOTS, or all samples where there are fewer */
    double class_wait_ms, slow_wait_ms; /* of its class, as in table drive; NAN unknown */
} DriveFigure;

typedef struct PressurePoint {
    double t_s, some_pct, full_pct; /* avg10 of I/O pressure; NAN unknown */
} PressurePoint;

typedef enum FigureEventKind {
    FIGURE_BOOT,
    FIGURE_KERNEL,
    FIGURE_JOB,
    FIGURE_POOL,
    FIGURE_CAPTURE,
    FIGURE_SLOW /* when it was slow: what was sampled, or hung tasks */
} FigureEventKind;

typedef struct FigureEvent {
    FigureEventKind kind;
    double from_s, to_s; /* to_s NAN: a moment, or its end is unknown */
    size_t count;        /* events folded into it; 1 for most */
    Str what;            /* class word of a kernel event (link-reset); name of a job; event of a pool (scan-start) */
    Str of;              /* what it is about: sda, storage; empty: unknown, or several parts */
    size_t parts;        /* how many parts, of a kernel event; 0 unknown */
    bool running;        /* a job that had not ended */
    bool grave;          /* a kernel event of severity critical or high */
} FigureEvent;

typedef struct Figures {
    Str tool, metric[2];    /* whose samples; metrics of reads and writes: r_await_ms ...; empty: none */
    double start_s, step_s; /* moment i ends at start_s + (i + 1) * step_s */
    size_t moments;
    double sample_s;   /* what one sample averages over */
    bool clock;        /* start_s is a time of day; else samples count from their first row, and start_s is 0 */
    double timezone_s; /* of the host, east of UTC; NAN unknown: times are UTC */
    VEC_OF(DriveFigure) drives; /* culprits first, then as in Diagnosis.drives */
    size_t drives_left_out;
    VEC_OF(PressurePoint) pressure; /* in order of time, at most FIGURE_MOMENTS */
    VEC_OF(FigureEvent) events;     /* in order of time */
    size_t events_left_out;
    VEC_OF(FigureEvent) marks; /* kernel events within the moments, one per event and moment */
} Figures;

typedef struct Diagnosis {
    BundleInfo bundle;
    CaptureInfo capture;
    Str status;                    /* causes nothing_in_evidence insufficient */
    Str verdict;                   /* two sentences, for JSON; the other reports make theirs of what follows */
    const struct Finding *worst;   /* without a cause: the symptom to name; NULL: none */
    const struct Finding *cleared; /* without a cause: a verdict that clears the storage; NULL */
    const struct Finding *instead; /* what limits then; NULL: not known */
    VEC_OF(const Finding *)
    unexplained; /* with causes: symptoms felt or in danger that none explains, the first ones */
    bool idle;   /* nothing was to do meanwhile */
    FindingList causes, risks, notes, verdicts, symptoms;
    VEC_OF(RuledOut) ruled_out;
    VEC_OF(NotChecked) not_checked;
    VEC_OF(DriveInfo) drives;
    VEC_OF(Benchmark) benchmarks; /* at most BENCHMARKS_KEPT, as they were read */
    VEC_OF(SourceInfo) sources;
    VEC_OF(TreeNode) tree;
    HostMap map;
    VEC_OF(Str) warnings; /* broken pages, limits reached: one line each */
    Figures *figures;     /* NULL: not asked for */
} Diagnosis;

/* ---- compare ---- */

typedef struct Stage {    /* one drive in one stage: a bundle, or one capture of a bundle */
    int64_t bundle, node; /* node 0: not in this stage */
    Str bundle_label, name, firmware;
    Place place;
    Str mode; /* of its controller: ide ahci raid sas nvme usb */
    bool present;
    bool exact;      /* its place outlives a boot: view `exact_place` of schema.sql */
    bool moved;      /* sits on another place than in the stage before that has it */
    Str place_note;  /* why its place cannot be compared with that of the stage before; empty: it can */
    double wait_ms;  /* median wait at the moments at which peers were busy, too; NAN unknown */
    double peers_ms; /* the same of its peers */
    double ratio;    /* median of drive / peers */
    bool slow;       /* an outlier among its peers: view `outlier` of schema.sql */
    Str wait_metric; /* w_await_ms ... */
    VEC_OF(Dist) metrics;
    Str load; /* in words: "320 w/s, 42 MB/s" */
} Stage;

typedef struct DriveHistory {
    int64_t node;
    Str id, wwn, serial, model;
    VEC_OF(Stage) stages; /* one per stage, in order */
} DriveHistory;

typedef struct Change {
    Str kind; /* setting place name firmware drive controller controller-mode pool-state counter mount */
    Subject subject;
    Str what, from, to;
    EvidenceList evidence; /* before, then after */
    size_t step;           /* from stage `step` to `step` + 1, from 1 */
} Change;

typedef struct Factor { /* a figure side by side */
    Subject subject;
    Str metric, unit, basis_from, basis_to;
    double from, to;
    double factor;   /* to / from */
    bool comparable; /* false: shown grey */
    Str why_not;
    size_t step;
} Factor;

typedef struct NotComparable {
    Str what, why;
} NotComparable;

typedef struct FindingHistory { /* one rule over a series */
    Str rule, kind, title;
    SubjectList subjects; /* of the stage that has it first */
    VEC_OF(Str) stages;   /* in words: "cause 1", "risk", "ruled out", "not checked", "covered by ID", "" not seen */
} FindingHistory;

typedef struct Comparison {
    VEC_OF(Diagnosis *) stages; /* one per bundle, or per capture of the one bundle, in order */
    VEC_OF(Str) names;          /* of the stages: "before", "after"; in a longer series "stage 1" ... */
    VEC_OF(DriveHistory) drives;
    VEC_OF(Change) changes;
    VEC_OF(Factor) factors;                /* distributions, pressure and benchmarks */
    FindingList verdicts;                  /* of each neighbouring pair */
    FindingList resolved, new_, remaining; /* the first stage against the last */
    VEC_OF(RuledOut) ruled_out;            /* verdicts that the figures speak against, and why */
    VEC_OF(FindingHistory) findings;       /* of a series of three or more */
    VEC_OF(NotComparable) not_comparable;
    bool different_hosts; /* of any two neighbours */
    Str text;             /* the verdict in two sentences */
    VEC_OF(Str) warnings;
} Comparison;

enum { BENCHMARKS_KEPT = 200, HOST_MAP_NODES = 8192 };

#define CONFIDENCE_SHOWN 0.3 /* weaker findings are in no report */
/* Choices of ours: a finding that cites the reader's prose, or nothing but figures that were typed off, is no surer than the first;
   one that rests on such figures and on a tool's output no surer than the second. */
#define CONFIDENCE_OF_WORDS 0.5
#define CONFIDENCE_HALF_TYPED 0.75

/* "certain", "likely", "possible"; "" below CONFIDENCE_SHOWN. */
const char *confidence_word(double confidence);

/* A stage as Comparison.names and Evidence.stage have it ("before", "stage 3"), in the language of the report. */
Str stage_words(Arena *a, Str stage);

#endif
