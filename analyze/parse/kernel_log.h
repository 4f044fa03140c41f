/*
 * kernel_log.h - the kernel log parser's own state: shared by kernel_log.c (lines, boots, events), kernel_probe.c and
 * kernel_probe_fbsd.c (what the probe lines of drivers say) and episodes.c (rounds of error handling); nothing else includes it
 */
#ifndef STORDX_PARSE_KERNEL_LOG_H
#define STORDX_PARSE_KERNEL_LOG_H

#include "log_prefix.h"
#include "parser.h"
#include "signatures.h"

enum {
    MAX_THINGS = 4096, /* ports, hosts, devices per boot: more is no machine but an attack */
    SCSI_SLOTS = 2 * MAX_THINGS
};

/* ------------------------------------------------------------------ scanning: each cuts what it read off *s */

/* Reads an unsigned number at the start of *s and cuts it off. */
static inline bool cut_number(Str *s, uint64_t *out) {
    size_t n = 0;
    while (n < s->len && n < 20 && ch_digit(s->p[n])) n++;
    if (!n || !str_u64(str_sub(*s, 0, n), out)) return false;
    *s = str_from(*s, n);
    return true;
}

static inline bool cut_text(Str *s, const char *z) {
    Str rest = str_after(*s, z);
    if (!rest.p) return false;
    *s = rest;
    return true;
}

/* "H:C:T:L" at the start of *s, cut off. */
static inline bool cut_hctl(Str *s, Str *hctl) {
    size_t n = 0, colons = 0;
    while (n < s->len && n < 40 && (ch_digit(s->p[n]) || s->p[n] == ':')) {
        if (s->p[n] == ':') {
            if (n == 0 || s->p[n - 1] == ':') return false;
            if (colons == 3) break;
            colons++;
        }
        n++;
    }
    if (colons != 3 || !ch_digit(s->p[n - 1])) return false;
    *hctl = str_sub(*s, 0, n);
    *s = str_from(*s, n);
    return true;
}

/* "0000:00:1f.2", also with a longer domain (10000:01:00.0 behind VMD). */
static inline bool is_bdf(Str s) {
    size_t n = s.len;
    if (n < 12 || n > 13 || s.p[n - 2] != '.' || s.p[n - 5] != ':' || s.p[n - 8] != ':') return false;
    for (size_t i = 0; i < n; i++)
        if (i != n - 2 && i != n - 5 && i != n - 8 && !ch_hex(s.p[i])) return false;
    return s.p[n - 1] <= '7';
}

/* Word ending in ':' at the start of *s, cut off with the colon and blanks. */
static inline bool cut_tag(Str *s, Str *tag) {
    size_t n = 0;
    while (n < s->len && n < 64 && s->p[n] != ' ') n++;
    if (n < 2 || s->p[n - 1] != ':') return false;
    *tag = str_sub(*s, 0, n - 1);
    *s = str_trim_left(str_from(*s, n));
    return true;
}

static inline void copy_text(char *to, size_t cap, Str s) {
    size_t n = s.len < cap - 1 ? s.len : cap - 1;
    if (n) memcpy(to, s.p, n);
    to[n] = '\0';
}

/* ------------------------------------------------------------------ state of a boot */

typedef struct Where { /* a spot that outlives its line */
    int64_t line;
    Str text;
} Where;

typedef struct Controller { /* a SATA controller that announced its ports */
    char driver[16], bdf[16];
    unsigned ports, hosts; /* how many it has, how many SCSI hosts it was given so far */
} Controller;

typedef struct Host { /* scsi hostN */
    unsigned number;
    char driver[32], bdf[16];
    unsigned port_index; /* on its controller, from 0 */
    bool libata, has_port;
    unsigned ata_port;
    size_t usb; /* index + 1 */
} Host;

typedef struct Port { /* ataN */
    unsigned number;
    bool sata, has_host, dropped;
    unsigned host, index; /* index: port on its controller, from 1; 0 unknown */
    const char *mode;     /* ide ahci; NULL unknown */
    char bdf[16];
    Where at;
} Port;

typedef struct AtaDevice { /* ataN.NN */
    unsigned port, dev;
    bool atapi, identified;
    const struct ScsiDevice *scsi; /* its other name, once the boot is settled */
    Str model, firmware;
    uint64_t sectors;
    Where at, sectors_at;
} AtaDevice;

typedef struct ScsiDevice { /* H:C:T:L */
    unsigned h, c, t, l;
    Str hctl, vendor, model, rev;
    uint64_t blocks; /* logical, as sd counts them; 0: not told */
    bool inquiry, sized, ata_paired, told_disk;
    bool sata, sas; /* what a SAS HBA says of it */
    char type[12];  /* device_type */
    char disk[16];  /* the name it was last given */
    Where at;
} ScsiDevice;

typedef struct Usb {
    char path[32], id[12];
    double gbps;
    Str product, manufacturer, serial;
    Where at, product_at, manufacturer_at, serial_at;
    const char *driver; /* uas, usb-storage; NULL: no storage */
} Usb;

enum { CHANNEL_DISKS = 5 }; /* two on an ata channel, five behind the usual multiplier */

typedef struct Channel { /* FreeBSD ahcich0, ata2 */
    char name[16], controller[16];
    unsigned index, disks; /* disks: as many as were seen, also beyond those kept */
    char disk[CHANNEL_DISKS][16];
    Where at; /* the last disk's attach line */
} Channel;

typedef struct FbsdController {
    char name[16], bdf[16];
} FbsdController;

typedef struct CamTarget { /* target 7 of mps0 is da3 */
    char sim[12], disk[12];
    uint64_t target;
} CamTarget;

typedef struct Umass { /* FreeBSD's driver of USB storage, umass0 */
    char name[16], version[8];
    Where at;
} Umass;

/* An event that was not written yet, because repeats may still add to it. */
typedef struct Pending {
    bool used;
    const Signature *sig;
    Ref node;
    char subject[96];
    char fields[1536];
    double mono_s, wall_s, last_mono_s, last_wall_s;
    int64_t line, last_line, count;
    char text[FACTS_LINE_CLIP], last_text[FACTS_LINE_CLIP];
    size_t text_len, last_text_len;
} Pending;

typedef struct Storm {
    uint64_t key; /* 0: free slot */
    int64_t rows;
    Pending *fold;
} Storm;

typedef struct Log {
    ParseCtx *ctx;
    const Signatures *sigs;
    size_t given_up;
    LogClock clock;
    bool local_time, told_things, told_boots;

    /* the line at hand */
    Spot at;
    double mono_s, wall_s;

    /* the boot at hand */
    int boot;
    bool boot_open;
    int64_t lines, first_line;
    Where first_at;
    bool start_seen, version_seen, in_initrd, cmdline_seen, release_seen;
    double first_mono, last_mono, first_wall, last_wall, first_year;
    double first_stamp, last_stamp,
        last_year;    /* of stamps whose year is unknown: facts_yearless(), and the last year_s */
    int turns;        /* how often December was followed by January */
    double base_wall; /* wall (or year) time of the start line of a log without monotonic stamps */
    double epoch_s;   /* seconds since 1970 of monotonic 0, from audit and RTC lines; NAN unknown */
    double user_space, run_init;
    int64_t suppressed;
    char boot_id[33]; /* as journalctl heads a boot; "" unknown */
    bool has_mono;

    VEC(Controller) controllers;
    VEC(Host) hosts;
    VEC(Port) ports;
    VEC(AtaDevice) ata;
    VEC(ScsiDevice) scsi;
    VEC(Usb) usb;
    VEC(Channel) channels;
    VEC(FbsdController) fbsd;
    VEC(Umass) umass;
    VEC(CamTarget) targets;
    char mmc_disk[8][12]; /* disk of mmc0, mmc1, ... */
    char last_ugen[24];   /* the USB device that was announced last: ugen0.5 */
    int64_t last_ugen_line;
    uint32_t *scsi_slots;     /* hash of hctl -> index + 1 in scsi; 2 * MAX_THINGS slots */
    char usb_bus[64][16];     /* bus number -> PCI function */
    uint16_t pci_bridge[256]; /* FreeBSD: unit of pciN -> unit of the pcib it hangs on, plus one; 0 unknown */
    char last_hba[16], last_hba_driver[20], last_ioc[24];

    Storm *storms;
    uint32_t *storm_used; /* slots in use, so that a boot costs no more to end than it had events */
    Pending **folds;      /* kept from boot to boot */
    size_t storm_count, fold_count, fold_cap;
    Storm spare; /* when the table is full */
    Pending last, *repeatable;
    Ref last_ata; /* device of the ATA command above, for `res` lines */
    char last_ata_name[16];
    int64_t last_ata_line;
    struct Episodes *episodes; /* episodes.c; NULL until the first event */
    double slept_s;            /* how long the system slept in this boot, as far as the kernel said so */
} Log;

/* The line at hand, as a spot that outlives it. */
static inline Where keep_spot(Log *k) {
    return (Where){k->at.line, arena_str(k->ctx->scratch, str_sub(k->at.text, 0, FACTS_LINE_CLIP))};
}

static inline Spot spot_of(Where w) {
    return (Spot){.line = w.line, .text = w.text};
}

static inline Ref ref(Log *k, RefKind kind, Str name) {
    return ctx_ref(k->ctx, kind, name);
}

static inline Ref ref_z(Log *k, RefKind kind, const char *name) {
    return ctx_ref(k->ctx, kind, str_of(name));
}

static inline void set(Log *k, Ref node, const char *key, Str value) {
    if (value.len) ctx_setting(k->ctx, node, key, value, "kernel", k->at);
}

static inline void set_at(Log *k, Ref node, const char *key, Str value, Where at) {
    if (value.len) ctx_setting(k->ctx, node, key, value, "kernel", spot_of(at));
}

/* Room for one more? Said once, since a log that lies about its hardware is a finding of its own. */
static inline bool room(Log *k, size_t count) {
    if (count < MAX_THINGS) return true;
    if (!k->told_things)
        parse_note(k->ctx, k->at, "more than %d devices of one kind in one boot; the rest is not tied together",
                   MAX_THINGS);
    k->told_things = true;
    return false;
}

/* Gives an event to the round of error handling that it belongs to. name: "ata3.00", "ada0" or "". times: lines it stands for. */
void episode_event(Log *k, const SigMatch *m, Ref node, const char *name, int64_t times);
/* Writes what is left of a boot. */
void episodes_end(Log *k);

/* Reads what a message tells about hardware, host and clock. p: the prefixes it came with. Returns whether it was known. */
bool kernel_probe_line(Log *k, Str message, const LogPrefix *p);
/* The facts that need the whole boot: which ataN.NN is which H:C:T:L, transports, USB. Called before the boot changes. */
void kernel_probe_settle(Log *k);
/* The same of FreeBSD (kernel_probe_fbsd.c): what tells the bus of a function, and everything else. */
void kernel_fbsd_bus_line(Log *k, Str message);
bool kernel_fbsd_line(Log *k, Str message);
/* Length of a FreeBSD disk name ("ada0", "da12", "nvd0") at the start of s, 0: none. */
size_t kernel_fbsd_disk(Str s);
/* FreeBSD's disk at a target of mps0 or mpr0, learned from attach lines and error lines; STR_NONE where it is not known. */
void kernel_cam_learn(Log *k, Str sim, Str target, Str disk);
Str kernel_cam_disk(const Log *k, Str sim, Str target);
/* PCI address of a FreeBSD controller ("ahci0") in this boot; NULL: not known. */
const char *kernel_fbsd_bdf(const Log *k, Str name);

#endif
