/*
 * episodes.c - joins the lines of one round of ATA error handling and decodes what they say together
 *
 * Reads   events that signatures found (libata, the old IDE driver, FreeBSD's CAM), in the order of the log
 * Gives   episode: one row per round of one port; rounds of one class that follow each other closely are one storm
 * Sample  one round, six lines, class link
 *   | ata3: exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen
 *   | ata3: irq_stat 0x00400040, connection status changed
 *   | ata3: SError: { PHYRdyChg CommWake DevExch }
 *   | ata3: hard resetting link
 *   | ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)
 *   | ata3: EH complete
 * Varies  lines of several ports interleave; old kernels print no "SError: { }" and no "failed command"; the end of a log may cut
 *         a round; the kernel may leave lines out. So a line joins the open round of its port, wherever it stands.
 *
 * Registers: Serial ATA SError as in Linux include/linux/ata.h (SERR_*), err_mask as in include/linux/libata.h (AC_ERR_*) and
 * ata_err_string(), status and error bits as in ACS.
 */
#include "kernel_log.h"

#include <math.h>
#include <stdio.h>

enum {
    MAX_OPEN = 512,     /* ports with rounds in a boot; more is no machine */
    ROWS_PER_PORT = 64, /* rows of a port in a boot; the last one takes the rest in */
    ROUND_LINES = 400   /* without times: a round is over when its port said nothing for so many lines */
};
/* The kernel waits at most 10, 10, 35 and 5 s between its resets (libata-eh.c, ata_eh_reset_timeouts): a longer silence ends a round. */
#define ROUND_GAP_S 60.0
/* FreeBSD prints no end of a round; its retries follow at once. */
#define CAM_GAP_S 5.0
/* Rounds of one class nearer to each other than this are one storm. */
#define STORM_GAP_S 60.0
/* While a system starts or wakes up links come and go. */
#define START_PHASE_S 60.0
#define RESUME_PHASE_S 60.0

/* err_mask bits (AC_ERR_*) */
enum {
    EM_HSM = 0x002,
    EM_TIMEOUT = 0x004,
    EM_MEDIA = 0x008,
    EM_ATA_BUS = 0x010,
    EM_HOST_BUS = 0x020,
    EM_SYSTEM = 0x040,
    EM_INVALID = 0x080,
};

/* SError bits that say how the wire or the link behaved. */
enum {
    SERR_WIRE = 0x00000001 | 0x00000100 | 0x00080000 | 0x00100000 | 0x00200000 | 0x00400000 | 0x00800000 | 0x01000000,
    SERR_LINK = 0x00000002 | 0x00010000 | 0x00040000 | 0x04000000,
    /* 10B8B Dispar LinkSeq TrStaTrns: what a receiver sees while the other end goes away */
    SERR_FALLING = 0x00080000 | 0x00100000 | 0x00800000 | 0x01000000,
    SERR_GONE = 0x00010000 | 0x04000000, /* PHYRdyChg DevExch */
    SERR_HOST = 0x00000800
};

enum { /* what the lines of a round said beyond the masks */
       SAID_UNC = 1 << 0,
       SAID_ICRC = 1 << 1,
       SAID_IDNF = 1 << 2,
       SAID_ABRT = 1 << 3,
       SAID_FAULT = 1 << 4,
       SAID_BUSY = 1 << 5,
       SAID_LOST_IRQ = 1 << 6,
       SAID_CHANGED = 1 << 7,
       SAID_DOWN = 1 << 8,
       SAID_HOST_BUS = 1 << 9,
       SAID_TIMEOUT = 1 << 10,
       SAID_BUS = 1 << 11,
       SAID_MEDIA = 1 << 12,
       SAID_GONE = 1 << 13,
       SAID_HSM = 1 << 14,
       SAID_EXCEPTION = 1 << 15,
       SAID_MULTIPLIER = 1 << 16,
       SAID_INTERNAL = 1 << 17, /* a command of the driver itself had no answer */
};

static const struct {
    uint32_t bit;
    const char *word;
} serror_words[] = {
    {0x00000001, "RecovData"}, {0x00000002, "RecovComm"}, {0x00000100, "UnrecovData"}, {0x00000200, "Persist"},
    {0x00000400, "Proto"},     {0x00000800, "HostInt"},   {0x00010000, "PHYRdyChg"},   {0x00020000, "PHYInt"},
    {0x00040000, "CommWake"},  {0x00080000, "10B8B"},     {0x00100000, "Dispar"},      {0x00200000, "BadCRC"},
    {0x00400000, "Handshk"},   {0x00800000, "LinkSeq"},   {0x01000000, "TrStaTrns"},   {0x02000000, "UnrecFIS"},
    {0x04000000, "DevExch"},
};

/* Words of old kernels and of FreeBSD for the bits above, and status and error bits of all. */
static const struct {
    const char *word;
    uint32_t said;
} register_words[] = {
    {"UNC", SAID_UNC},   {"UncorrectableError", SAID_UNC},
    {"AMNF", SAID_UNC},  {"AddrMarkNotFound", SAID_UNC},
    {"ICRC", SAID_ICRC}, {"BadCRC", SAID_ICRC},
    {"IDNF", SAID_IDNF}, {"SectorIdNotFound", SAID_IDNF},
    {"ABRT", SAID_ABRT}, {"DriveStatusError", SAID_ABRT},
    {"DF", SAID_FAULT},  {"DeviceFault", SAID_FAULT},
    {"Busy", SAID_BUSY}, {"BSY", SAID_BUSY},
};

typedef struct Round {
    bool open;
    char key[24];        /* ata3, ada0, hda */
    char subject[24];    /* ata3.00 */
    Ref node, port_node; /* of the device; of the port */
    uint32_t emask, serr, action, said, devices;
    int64_t commands, monitor, resets, limits, lines;
    bool frozen, gave_up, disabled, complete;
    bool packet, named; /* an ATAPI command; its name was printed and its taskfile was not yet */
    char command[48];
    double first_mono, last_mono, first_wall, last_wall;
    int64_t first_line, last_line;
    char text[FACTS_LINE_CLIP], last_text[FACTS_LINE_CLIP]; /* of these lines */
    size_t text_len, last_text_len;
} Round;

typedef struct EpisodeRow { /* rounds of one class that make one row */
    Round r;                /* masks or-ed, sums summed */
    const char *class, *phase;
    int64_t count;
} EpisodeRow;

typedef struct Slot {
    Round now;
    EpisodeRow row;
    int rows;
} Slot;

struct Episodes {
    VEC(Slot *) slots;
    size_t used;
    double resumed; /* mono time of the last wake-up; NAN none */
    Slot *recent;
};

/* ------------------------------------------------------------------ deciding */

/* One round's class. The order is that of how much a sign proves, not of how often it comes: a bad sector is one however the link
   behaves, and a link that dropped explains the time-outs and bus errors that follow from it. */
static const char *class_of(const Round *r) {
    uint32_t said = r->said, wire = r->serr & SERR_WIRE, link = r->serr & SERR_LINK;
    if ((r->emask & EM_HOST_BUS) || (r->serr & SERR_HOST) || (said & SAID_HOST_BUS)) return "host-bus";
    if (said & (SAID_UNC | SAID_MEDIA) || (r->emask & EM_MEDIA)) return "media";
    if (said & SAID_MULTIPLIER) return "multiplier";
    if (said & SAID_FAULT) return "fault";
    if (said & SAID_ICRC) return "wire";
    /* Garbage that comes with a change of presence is the last word of a link that fell; damaged frames are not. */
    if ((r->serr & SERR_GONE) && !(wire & ~(uint32_t)SERR_FALLING)) return "link";
    if (wire) return "wire";
    if (link || (said & (SAID_CHANGED | SAID_GONE)) || (said & SAID_DOWN)) return "link";
    if ((r->emask & EM_TIMEOUT) || (said & (SAID_TIMEOUT | SAID_LOST_IRQ)))
        return said & SAID_LOST_IRQ && !(said & SAID_BUSY) ? "interrupt" : "timeout";
    if ((r->emask & EM_ATA_BUS) || (said & SAID_BUS)) return "wire";
    if ((said & SAID_IDNF) || ((r->emask & EM_INVALID) && r->commands > r->monitor)) return "address";
    if ((r->emask & EM_HSM) || (said & SAID_HSM)) return "protocol";
    if (said & SAID_ABRT) return r->commands && r->commands == r->monitor ? "rejected" : "refused";
    if (r->commands && r->commands == r->monitor) return "rejected";
    if (said & SAID_INTERNAL) return "timeout";
    if (!(said & SAID_EXCEPTION) && !r->commands && r->resets) return "reset";
    return "unknown";
}

static const char *phase_of(const Log *k, const Round *r) {
    double t = r->first_mono;
    if (isnan(t)) return NULL;
    double start = !isnan(k->user_space) && k->user_space > START_PHASE_S ? k->user_space : START_PHASE_S;
    if (t < start) return "boot";
    if (!isnan(k->episodes->resumed) && t >= k->episodes->resumed - 5 && t < k->episodes->resumed + RESUME_PHASE_S)
        return "resume";
    return "run";
}

/* ------------------------------------------------------------------ writing */

static void add_word(char *buf, size_t cap, const char *word) {
    size_t n = strlen(buf);
    if (n + strlen(word) + 2 < cap) snprintf(buf + n, cap - n, "%s%s", n ? " " : "", word);
}

static void write_row(Log *k, Slot *s) {
    EpisodeRow *e = &s->row;
    if (!e->count) return;
    const Round *r = &e->r;
    char serr[256] = "";
    for (size_t i = 0; i < sizeof serror_words / sizeof *serror_words; i++)
        if (r->serr & serror_words[i].bit) add_word(serr, sizeof serr, serror_words[i].word);
    ParseCtx *c = k->ctx;
    Row row = ctx_row(c, "episode", (Spot){.line = r->first_line, .text = {r->text, r->text_len}});
    row_ref(&row, "node", r->node ? r->node : r->port_node);
    row_text(&row, "subject", str_of(r->subject[0] ? r->subject : r->key));
    row_text(&row, "port", str_of(r->key));
    row_text(&row, "class", str_of(e->class));
    if (e->phase) row_text(&row, "phase", str_of(e->phase));
    row_int(&row, "count", e->count);
    row_real(&row, "first_mono_s", r->first_mono);
    row_real(&row, "last_mono_s", r->last_mono);
    row_real(&row, "first_s", r->first_wall);
    row_real(&row, "last_s", r->last_wall);
    double span = !isnan(r->last_mono - r->first_mono) ? r->last_mono - r->first_mono : r->last_wall - r->first_wall;
    if (e->count > 1 && span > 0) row_real(&row, "per_hour", (double)e->count * 3600.0 / span);
    if (r->said & SAID_EXCEPTION) {
        row_int(&row, "emask", r->emask);
        row_int(&row, "serr", r->serr);
        row_int(&row, "action", r->action);
        row_int(&row, "frozen", r->frozen);
        row_text(&row, "serror", str_of(serr));
    }
    if (r->said & SAID_BUSY) row_int(&row, "busy", 1);
    if (r->command[0]) row_text(&row, "command", str_of(r->command));
    row_int(&row, "commands", r->commands);
    row_int(&row, "resets", r->resets);
    row_int(&row, "limits", r->limits);
    int devices = 0;
    for (uint32_t d = r->devices; d; d &= d - 1) devices++;
    row_int(&row, "devices", devices);
    row_text(&row, "outcome",
             r->disabled   ? STR("disabled")
             : r->gave_up  ? STR("gave up")
             : r->complete ? STR("recovered")
                           : STR_NONE);
    row_int(&row, "lines", r->lines);
    row_int(&row, "last_line", r->last_line);
    row_done(&row);
    if (r->last_line != r->first_line)
        facts_keep_line(c->facts, c->src, (Spot){.line = r->last_line, .text = {r->last_text, r->last_text_len}});
    s->rows++;
    e->count = 0;
}

static void close_round(Log *k, Slot *s) {
    Round *r = &s->now;
    if (!r->open) return;
    r->open = false;
    const char *class = class_of(r), *phase = phase_of(k, r);
    EpisodeRow *e = &s->row;
    double gap = r->first_mono - e->r.last_mono;
    if (isnan(gap)) gap = r->first_wall - e->r.last_wall;
    bool near = isnan(gap) ? r->first_line - e->r.last_line < ROUND_LINES : gap < STORM_GAP_S;
    if (e->count && (s->rows >= ROWS_PER_PORT || (near && strcmp(e->class, class) == 0 && e->phase == phase))) {
        e->count++;
        e->r.emask |= r->emask, e->r.serr |= r->serr, e->r.action |= r->action, e->r.said |= r->said;
        e->r.devices |= r->devices;
        e->r.commands += r->commands, e->r.resets += r->resets, e->r.limits += r->limits, e->r.lines += r->lines;
        e->r.frozen |= r->frozen, e->r.gave_up |= r->gave_up, e->r.disabled |= r->disabled, e->r.complete = r->complete;
        e->r.last_mono = r->last_mono, e->r.last_wall = r->last_wall;
        e->r.last_line = r->last_line;
        memcpy(e->r.last_text, r->last_text, sizeof e->r.last_text);
        e->r.last_text_len = r->last_text_len;
        if (strcmp(e->class, class) != 0) e->class = "mixed";
        if (!e->r.command[0]) memcpy(e->r.command, r->command, sizeof e->r.command);
        return;
    }
    write_row(k, s);
    e->r = *r;
    e->class = class;
    e->phase = phase;
    e->count = 1;
}

/* ------------------------------------------------------------------ reading */

static Slot *slot_of(Log *k, Str key) {
    struct Episodes *p = k->episodes;
    if (p->recent && str_is(key, p->recent->now.key)) return p->recent;
    for (size_t i = 0; i < p->used; i++)
        if (str_is(key, p->slots.items[i]->now.key)) return p->recent = p->slots.items[i];
    if (p->used >= MAX_OPEN || key.len >= sizeof p->recent->now.key) return NULL;
    if (p->used == p->slots.count) VEC_PUSH(k->ctx->scratch, &p->slots, arena_new_of(k->ctx->scratch, Slot));
    Slot *s = p->slots.items[p->used++];
    memset(s, 0, sizeof *s);
    copy_text(s->now.key, sizeof s->now.key, key);
    return p->recent = s;
}

static uint32_t hex_field(const SigMatch *m, const char *name) {
    uint64_t v;
    return str_hex_u64(sig_capture(m, name), &v) ? (uint32_t)v : 0;
}

static size_t keep_text(char *to, Str line) {
    Str part = str_sub(line, 0, FACTS_LINE_CLIP);
    if (part.len) memcpy(to, part.p, part.len);
    return part.len;
}

/* Bits in words: "ICRC ABRT", "DriveStatusError BadCRC", "PHYRdyChg CommWake". */
static void read_words(Round *r, Str bits) {
    while ((bits = str_trim_left(bits)).len) {
        Str word = str_word(&bits);
        for (size_t i = 0; i < sizeof register_words / sizeof *register_words; i++)
            if (str_is(word, register_words[i].word)) r->said |= register_words[i].said;
    }
}

static void read_serror(Round *r, Str bits) {
    while ((bits = str_trim_left(bits)).len) {
        Str word = str_word(&bits);
        for (size_t i = 0; i < sizeof serror_words / sizeof *serror_words; i++)
            if (str_is(word, serror_words[i].word)) r->serr |= serror_words[i].bit;
    }
}

static void command_failed(Round *r, Str command, bool monitor) {
    r->commands++;
    if (monitor) r->monitor++;
    if (!r->command[0] || (r->commands - 1 == r->monitor && !monitor))
        copy_text(r->command, sizeof r->command, command);
}

/* IDENTIFY, SMART, READ LOG, CHECK POWER MODE, SET FEATURES, PACKET: not of programs that read or write files. */
static bool is_monitor(uint32_t op) {
    return op == 0xec || op == 0xa1 || op == 0xb0 || op == 0x2f || op == 0x47 || op == 0xe5 || op == 0xef || op == 0xa0;
}

static Str op_name(uint32_t op, Str hex) {
    switch (op) {
    case 0x25: return STR("READ DMA EXT");
    case 0x35: return STR("WRITE DMA EXT");
    case 0x60: return STR("READ FPDMA QUEUED");
    case 0x61: return STR("WRITE FPDMA QUEUED");
    case 0xc8: return STR("READ DMA");
    case 0xca: return STR("WRITE DMA");
    case 0xe7: return STR("FLUSH CACHE");
    case 0xea: return STR("FLUSH CACHE EXT");
    default: return hex;
    }
}

/* libata's lines. Returns 0: not of a round; 1: belongs to an open one; 2: opens one. */
static int libata_line(const SigMatch *m, Round *r) {
    const char *id = m->sig->id;
    if (strncmp(id, "ATA0", 4) != 0 || !ch_digit(id[4]) || !ch_digit(id[5])) return 0;
    switch ((id[4] - '0') * 10 + id[5] - '0') {
    case 11:
        if (!r) return 2;
        r->said |= SAID_EXCEPTION;
        r->emask |= hex_field(m, "emask");
        r->serr |= hex_field(m, "serr");
        r->action |= hex_field(m, "action");
        if (sig_capture(m, "frozen").len) r->frozen = true;
        return 2;
    case 12: {
        if (!r) return strcmp(m->sig->event, "link-changed") == 0 ? 2 : 1;
        Str desc = sig_capture(m, "desc");
        if (strcmp(m->sig->event, "link-changed") == 0) r->said |= SAID_CHANGED;
        if (str_has(desc, "host bus")) r->said |= SAID_HOST_BUS;
        return 2;
    }
    case 13:
        if (r) read_serror(r, sig_capture(m, "bits"));
        return 2;
    case 14:
        if (r) {
            command_failed(r, sig_capture(m, "cmd"), strcmp(m->sig->event, "monitor-command-failed") == 0);
            r->named = true;
            if (str_starts(sig_capture(m, "cmd"), "PACKET")) r->packet = true;
        }
        return 2;
    case 15: /* kernels before 2.6.36 give the opcode only */
        if (r) {
            uint32_t op = hex_field(m, "op");
            if (op == 0xa0) r->packet = true;
            if (!r->named) command_failed(r, op_name(op, sig_capture(m, "op")), is_monitor(op));
            r->named = false;
        }
        return 2;
    case 16:
        if (r) {
            uint32_t emask = hex_field(m, "emask"), status = hex_field(m, "status"), error = hex_field(m, "error");
            r->emask |= emask;
            /* A command that timed out has the registers of the moment before: only Busy means something. */
            if (status & 0x80) r->said |= SAID_BUSY;
            else if (!(emask & EM_TIMEOUT)) {
                if (status & 0x20) r->said |= SAID_FAULT;
                /* ATAPI has the sense key there. BBD of the oldest drives is the bit of ICRC, which comes with ABRT. */
                if ((status & 0x01) && !r->packet)
                    r->said |= (error & 0x80 ? (error & 0x04 ? SAID_ICRC : SAID_UNC) : 0) |
                               (error & 0x41 ? SAID_UNC : 0) | (error & 0x10 ? SAID_IDNF : 0) |
                               (error & 0x04 ? SAID_ABRT : 0);
            }
        }
        return 2;
    case 17: /* status: { DRDY } is printed for every command and opens nothing */
        if (r) read_words(r, sig_capture(m, "bits"));
        return 1;
    case 18:
        if (r && !r->packet) read_words(r, sig_capture(m, "bits"));
        return 2;
    case 3: return 1;
    case 4:
        /* Only in an open round: on its own it is an empty port. */
        if (r) r->said |= SAID_DOWN;
        return 1;
    case 5:
    case 19:
    case 20:
        if (r) r->limits++;
        return 2;
    case 6:
    case 9:
    case 10:
    case 35: return 1;
    case 7:
        if (r) r->resets++;
        return 2;
    case 8:
        if (r && sig_capture(m, "giveup").len) r->gave_up = true;
        return 1;
    case 28:
        if (r) r->said |= SAID_INTERNAL;
        return 2;
    case 30:
        if (r) r->disabled = true;
        return 1;
    case 31:
        if (r) r->complete = true;
        return 1;
    case 38:
        if (r) r->said |= SAID_LOST_IRQ;
        return 2;
    case 46:
        if (r) r->said |= SAID_MULTIPLIER;
        return 2;
    case 49:
        if (r) {
            r->emask |= hex_field(m, "emask");
            command_failed(r, STR("FLUSH"), false);
        }
        return 2;
    case 27:
    case 29:
    case 39:
    case 56:
    case 57: return 1;
    default: return 0;
    }
}

/* FreeBSD: "(ada0:ahcich0:0:0:0): CAM status: Command timeout", and what the old drivers of both systems print of a disk. */
static int other_line(const SigMatch *m, Round *r) {
    static const struct {
        const char *event;
        uint32_t said;
    } means[] = {
        {"icrc", SAID_ICRC},
        {"medium-error", SAID_MEDIA},
        {"command-timeout", SAID_TIMEOUT},
        {"device-gone", SAID_GONE},
        {"ata-error", 0},
        {"cam-status", 0},
        {"cam-retry", 0},
        {"ide-error", 0},
        {"lost-interrupt", SAID_LOST_IRQ},
    };
    const char *id = m->sig->id;
    bool ours = strcmp(id, "ide-lost-interrupt") == 0 || strncmp(id, "FBSD004", 7) == 0 ||
                strncmp(id, "FBSD006", 7) == 0 || strncmp(id, "FBSD007", 7) == 0 || strncmp(id, "FBSD011", 7) == 0 ||
                strncmp(id, "FBSD023", 7) == 0 || strncmp(id, "ata-old-", 8) == 0 || strcmp(id, "ATA054") == 0;
    if (!ours) return 0;
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        if (strcmp(m->sig->event, means[i].event) != 0) continue;
        bool retry = strcmp(m->sig->event, "cam-retry") == 0;
        if (!r) return retry ? 1 : 2;
        r->said |= means[i].said;
        read_words(r, sig_capture(m, "bits"));
        read_words(r, sig_capture(m, "erbits"));
        if (str_has(sig_capture(m, "stbits"), "BSY")) r->said |= SAID_BUSY;
        if (str_has(sig_capture(m, "stbits"), "DF")) r->said |= SAID_FAULT;
        if (sig_capture(m, "cmd").len) command_failed(r, sig_capture(m, "cmd"), false);
        return retry ? 1 : 2;
    }
    return 0;
}

void episode_event(Log *k, const SigMatch *m, Ref node, const char *name, int64_t times) {
    if (!k->episodes) {
        k->episodes = arena_new_of(k->ctx->scratch, struct Episodes);
        k->episodes->resumed = NAN;
    }
    if (strcmp(m->sig->event, "system-resumed") == 0) {
        k->episodes->resumed = k->mono_s;
        return;
    }
    bool cam = false;
    int kind = libata_line(m, NULL);
    if (!kind) kind = other_line(m, NULL), cam = true;
    if (!kind || !name[0]) return;

    /* the port of "ata3.00" */
    Str subject = str_of(name), key = subject;
    size_t dot = cam ? SIZE_MAX : str_find_ch(subject, '.');
    uint64_t device = 0;
    if (dot != SIZE_MAX) {
        key = str_sub(subject, 0, dot);
        if (!str_u64(str_from(subject, dot + 1), &device) || device > 31) return;
    }
    Slot *s = slot_of(k, key);
    if (!s) return;
    Round *r = &s->now;
    if (r->open) {
        double gap = k->mono_s - r->last_mono;
        if (isnan(gap)) gap = k->wall_s - r->last_wall;
        if (isnan(gap) ? k->at.line - r->last_line > ROUND_LINES : gap > (cam ? CAM_GAP_S : ROUND_GAP_S))
            close_round(k, s);
        /* Without a time each exception begins a round: nothing else tells a retry from the next error. */
        else if (isnan(gap) && (r->said & SAID_EXCEPTION) && strcmp(m->sig->id, "ATA011") == 0) close_round(k, s);
    }
    if (!r->open) {
        if (kind < 2) return;
        char kept[sizeof r->key];
        memcpy(kept, r->key, sizeof kept);
        memset(r, 0, sizeof *r);
        r->open = true;
        r->first_mono = k->mono_s, r->first_wall = k->wall_s, r->first_line = k->at.line;
        memcpy(r->key, kept, sizeof kept);
        r->text_len = keep_text(r->text, k->at.text);
    }
    r->last_mono = k->mono_s;
    r->last_wall = k->wall_s;
    r->last_line = k->at.line;
    r->last_text_len = keep_text(r->last_text, k->at.text);
    r->lines += times;
    bool named = dot != SIZE_MAX && device != 15; /* 15 is the multiplier itself */
    if (named) r->devices |= 1u << device;
    if ((named || cam) && !r->node) {
        r->node = node;
        copy_text(r->subject, sizeof r->subject, subject);
    } else if (!r->port_node) {
        r->port_node = node;
    }
    if (cam) other_line(m, r);
    else libata_line(m, r);
    if (r->complete) close_round(k, s);
}

void episodes_end(Log *k) {
    if (!k->episodes) return;
    for (size_t i = 0; i < k->episodes->used; i++) {
        close_round(k, k->episodes->slots.items[i]);
        write_row(k, k->episodes->slots.items[i]);
    }
    k->episodes->used = 0;
    k->episodes->recent = NULL;
    k->episodes->resumed = NAN;
}
