/*
 * facts.h - the fact database and how facts get in
 *
 * Parsers write facts about names ("sda", "storage", "ata-WDC_..."); facts_resolve() turns names into nodes once a
 * whole upload was read. Everything goes into an in-memory SQLite database whose shape is schema.sql.
 *
 * Rows are written by naming their columns, so a column that a parser does not know stays NULL:
 *
 *     Row r = facts_row(f, "vdev", src, at);
 *     row_ref(&r, "node", leaf);
 *     row_text(&r, "state", STR("ONLINE"));
 *     row_int(&r, "read_errors", 0);
 *     row_done(&r);
 *
 * The database keeps a budget (FACTS_MAX_ROWS, FACTS_MAX_TEXT, FACTS_MAX_VALUES): what exceeds it is counted and said in the
 * source row of the piece, never silently lost.
 */
#ifndef STORDX_FACTS_FACTS_H
#define STORDX_FACTS_FACTS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <sqlite3.h>

typedef struct Facts Facts;
typedef struct Samples Samples;

enum {
    FACTS_LINE_CLIP = 512,   /* bytes kept of an original line */
    FACTS_VALUE_CLIP = 4096, /* and of any other text of a row */
    FACTS_MAX_ROWS = 4 * 1000 * 1000,
    FACTS_MAX_STATEMENTS = 2000,
    FACTS_MAX_TEXT = 256 * 1024 * 1024 /* of original lines */
};
#define FACTS_MAX_VALUES ((size_t)1 << 30) /* bytes of the other texts of all rows: 256 for each row there may be */

typedef int64_t Ref; /* a name in one piece; 0 is none */

/* Where a fact was read. line > 0: a line of the member. line == 0 with a path: a spot in JSON or XML. */
typedef struct Spot {
    int64_t line;
    Str text; /* the original line, or the value at `path` */
    Str path; /* JSON pointer or XPath; empty for lines */
} Spot;

/* Kinds of names; ref.kind holds the word in the comment. */
typedef enum RefKind {
    REF_HOST, /* host: always the name "host" */
    REF_DISK, /* disk: kernel name of a whole disk or partition: sda, sda1, nvme0n1p2, nvme0, ada0, mmcblk0, vda, md0, dm-3, zd16 */
    REF_LINK, /* link: name under /dev/disk/by-*: ata-MODEL_SERIAL-part1, wwn-0x5000..., pci-...-ata-1, partuuid, label */
    REF_ATA,        /* ata: libata port or device: ata3, ata3.00, ata3.01 */
    REF_SCSI,       /* scsi: H:C:T:L */
    REF_PCI,        /* pci: full address 0000:00:17.0; a short 00:17.0 gets domain 0000 */
    REF_USB,        /* usb: path 2-1.3 */
    REF_SCSI_HOST,  /* scsihost: host4 */
    REF_POOL,       /* pool: name */
    REF_VDEV,       /* vdev: pool/name, e.g. storage/raidz1-0 */
    REF_MEMBER,     /* member: leaf of a pool as ZFS prints it: sda, ata-..., /dev/gptid/..., a guid */
    REF_ARRAY,      /* array: md0, or a RAID volume */
    REF_FILESYSTEM, /* filesystem: mount point */
    REF_SERIAL,     /* serial: a drive of which only the serial is known */
    REF_SLOT,       /* slot: a drive as the tool of a RAID controller names it: drive 252:3 [c0], drive 1I:1:4 [slot 0] */
    REF_PROCESS,    /* process: name */
    REF_DATASET     /* dataset: ZFS file system or volume, pool/name */
} RefKind;

Facts *facts_new(Arena *arena, Error *err);
sqlite3 *facts_db(Facts *f);
Samples *facts_samples(Facts *f);
Arena *facts_arena(Facts *f);

/* Structure of the upload. Each returns the new row's id. */
int64_t facts_bundle(Facts *f, Str label, Str kind);
int64_t facts_capture(Facts *f, int64_t bundle, Str label);

/* A piece of the upload. facts_source_end() writes what became of it. status: parsed partial empty failed unrecognised
   skipped. */
int64_t facts_source(Facts *f, int64_t bundle, int64_t capture, Str member, int64_t line_first, const char *tool,
                     Str command, int bid);
void facts_source_end(Facts *f, int64_t src, int64_t line_last, const char *status, int64_t rows, int64_t bad_rows,
                      int64_t first_bad_line, Str note, int64_t bytes);
void facts_note(Facts *f, int64_t src, Spot at, Str text);
/* A line of prose in which the reader speaks. false: FACTS_MAX_STATEMENTS are kept already. */
bool facts_statement(Facts *f, int64_t src, int64_t line, Str text);

/* A number for one of several parts of a line that was cut up, to be used as Spot.line; numbers given one after the other
   are consecutive. facts_keep_line() stores such a spot under the path "line N part K". */
int64_t facts_part_line(Facts *f, int64_t line);
/* The line of the member behind such a number; any other number is its own. */
int64_t facts_real_line(const Facts *f, int64_t line);

/* The boot a piece speaks of while it is being parsed; a kernel log that holds several boots counts them 0, 1, 2, ...
   upward and facts_resolve() makes the last one seq 0. Applies to the rows written after the call. */
void facts_boot(Facts *f, int64_t src, int boot_index);

/* Name -> ref, created on first use in this piece and boot. /dev/ is stripped from disks; "../../sda" counts as "sda". */
Ref facts_ref(Facts *f, int64_t src, RefKind kind, Str name);
/* Two names of one thing, e.g. scsi 2:0:0:0 and disk sda. */
void facts_same(Facts *f, int64_t src, Ref a, Ref b, const char *how, Spot at);
/* `child` rests on `parent` (parent is closer to the hardware). */
void facts_edge(Facts *f, int64_t src, Ref parent, Ref child, Spot at);

/*
 * A time in a t_s, first_s or last_s column of which only the year is unknown ("Mar 11 09:02:11"): seconds since the start of that
 * year, counted as a leap year, and how many New Years the piece has passed. A value below -5e10; facts_resolve() turns it into a
 * time by the date of the capture, which the last stamp of a piece cannot be later than, or into NULL.
 */
double facts_yearless(double year_s, int turns);

/* The time stamps of this piece carry no zone; facts_resolve() shifts them by the capture's time zone. */
void facts_local_time(Facts *f, int64_t src);

/* One setting; value is copied. view: "kernel", "drive", "firmware". key must be one of keys.def. */
void facts_setting(Facts *f, int64_t src, Ref node, const char *key, Str value, const char *view, Spot at);
void facts_setting_int(Facts *f, int64_t src, Ref node, const char *key, int64_t value, const char *view, Spot at);
void facts_setting_real(Facts *f, int64_t src, Ref node, const char *key, double value, const char *view, Spot at);

/* keys.def has this key: for the lint of rules. */
bool facts_known_key(Str key);

/* Keeps the original line of a spot (clipped) and returns the number to store in `line`: its own, or a negative one for a
   path. Idempotent per line. */
int64_t facts_keep_line(Facts *f, int64_t src, Spot at);

/* A row of any table of schema.sql. src, line, boot are filled in when the table has them. An unknown column is a
   programming error and ends the run in test builds; NAN, INT64_MIN and Str with p == NULL are stored as NULL. */
typedef struct Row {
    Facts *f;
    struct TableInfo *table;
    bool dropped; /* over budget */
} Row;
#define FACT_NULL INT64_MIN
Row facts_row(Facts *f, const char *table, int64_t src, Spot at);
void row_ref(Row *r, const char *column, Ref ref);
void row_int(Row *r, const char *column, int64_t value);
void row_real(Row *r, const char *column, double value);
void row_text(Row *r, const char *column, Str value);
int64_t row_done(Row *r); /* id of the row, 0 when it was dropped */

/*
 * After all members of all bundles were read: names to nodes, identity, places, topology (edge, reach), captures and boots,
 * local times to UTC, drive classes and model facts, distributions, peers. Runs once.
 */
bool facts_resolve(Facts *f, Error *err);

/* The topology step of facts_resolve() alone: edges that follow from places, drives and vdevs, and the closure `reach`. For
   databases whose rows are nodes from the start, such as the cases of rule pages. */
bool facts_topology(Facts *f, Error *err);

/*
 * A prepared statement for one of the program's own short queries, kept for the next call with the same text: preparing costs more
 * than such a query does. It comes reset, with no values bound, and stays the database's: do not finalize it, and be done with
 * it before asking for the same text again. A statement that SQLite refuses is a defect and ends the run.
 */
sqlite3_stmt *facts_query(Facts *f, const char *sql);

/* Writes the pending inserts, so that queries on facts_db() see them; called by facts_resolve(). */
void facts_flush(Facts *f);

/* Writes the database, with a real table `sample`, to a new file. Refuses to overwrite. */
bool facts_export(Facts *f, const char *file, Error *err);

#endif
