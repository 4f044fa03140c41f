/*
 * zpool_events.c - what ZFS noticed since its module was loaded
 *
 * Reads   zpool events [-v] [-H] [POOL], ZFS 0.6 to 2.4
 * Gives   pool_event: slow I/Os, errors, changed states, scrubs and resilvers that began or ended
 * Sample  OpenZFS 2.1, zpool events -v
 *   |TIME                           CLASS
 *   |Jul  7 2024 03:24:01.123456789 ereport.fs.zfs.delay
 *   |        class = "ereport.fs.zfs.delay"
 *   |        detector = (embedded nvlist)
 *   |                pool = 0x140a4edc0f6540b8
 *   |        (end detector)
 *   |        pool = "tank"
 *   |        vdev_path = "/dev/disk/by-id/ata-EXAMPLE_EX0001-part1"
 *   |        zio_delay = 0x738a1f400
 *   |        time = 0x668a0961 0x75bcd15
 * Varies  without -v only the first line of an event is there, in local time, and of which pool it speaks nothing says. Up to
 *         0.7 scans are ereport.fs.zfs.scrub.start, later sysevent.fs.zfs.scrub_start. The names of the fields changed little;
 *         those that no diagnosis needs are passed over. A ring: 512 events by default, the oldest go. zio_delay is what the
 *         device took, zio_delta with the queue of ZFS; nanoseconds.
 */
#include "../base/times.h"
#include "parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CLASS = 64, MAX_NAME = 256, MAX_KEPT = 4096 };

static bool class_word(Str s) {
    return (str_starts(s, "ereport.fs.zfs.") || str_starts(s, "sysevent.fs.zfs.") ||
            str_starts(s, "resource.fs.zfs.")) &&
           s.len < MAX_CLASS;
}

static int month_of(Str s) {
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (int i = 0; i < 12; i++)
        if (str_is(s, months[i])) return i + 1;
    return 0;
}

/* "Jul  7 2024 03:24:01.123456789 ereport.fs.zfs.delay"; *t: as if it were UTC. */
static bool event_row(Str line, double *t, Str *class) {
    Str w[6];
    uint64_t day, year;
    double clock;
    if (str_words(line, w, 6) != 5 || !class_word(w[4]) || !str_u64(w[1], &day) || !str_u64(w[2], &year)) return false;
    int month = month_of(w[0]);
    if (!month || day < 1 || day > 31 || year < 1970 || year > 9999 || !time_parse_clock(w[3], &clock)) return false;
    *t = (double)time_from_civil((int64_t)year, month, (int)day) + clock;
    *class = w[4];
    return true;
}

static bool header(Str line) {
    Str w[3];
    return str_words(line, w, 3) == 2 && str_is(w[0], "TIME") && str_is(w[1], "CLASS");
}

/* "        name = value"; value may be empty. */
static bool field(Str line, Str *name, Str *value) {
    Str s = str_trim(line);
    size_t at = str_find(s, " =");
    if (at == SIZE_MAX || (at + 2 < s.len && s.p[at + 2] != ' ')) return false;
    *name = str_sub(s, 0, at);
    for (size_t i = 0; i < name->len; i++)
        if (!ch_alpha(name->p[i]) && !ch_digit(name->p[i]) && name->p[i] != '_') return false;
    *value = str_trim(str_from(s, at + 2));
    return name->len > 0;
}

static bool bracket(Str line) {
    Str s = str_trim(line);
    return str_starts(s, "(end ") || str_starts(s, "(start ");
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "zpool") && str_has(command, "events") ? 6 : path_has(path, "zpool_events") ? 6 : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head), class;
        double t;
        if (!str_trim(line).len) continue;
        if (event_row(line, &t, &class)) return 28 + bits;
        if (!header(line)) return 0;
        bits += 16;
    }
    return bits > 6 ? bits : 0;
}

static bool starts(Str line) {
    Str class;
    double t;
    return header(line) || event_row(line, &t, &class);
}

static bool continues(Str line) {
    Str name, value;
    bool inside = line.len > 8 && (str_starts(line, "        ") || line.p[0] == '\t');
    return !str_trim(line).len || starts(line) || (inside && (field(line, &name, &value) || bracket(line)));
}

/* ---------------------------------------------------------------- events */

typedef struct Event {
    bool open, complete; /* complete: "eid", the last field, was there */
    double local_s, utc_s, delay_ms, delta_ms;
    char class[MAX_CLASS], pool[MAX_NAME], path[MAX_NAME], guid[24], state[24], note[MAX_NAME];
    char text[FACTS_LINE_CLIP];
    Spot at;
} Event;

typedef struct State {
    ParseCtx *ctx;
    Event e;
    bool any_utc, local;
    int64_t kept;
} State;

static void keep(char *out, size_t size, Str s) {
    size_t n = s.len < size - 1 ? s.len : size - 1, k = 0;
    for (size_t i = 0; i < n; i++)
        if (s.p[i]) out[k++] = s.p[i];
    out[k] = '\0';
}

/* What of an event is kept, or NULL. */
static const char *what_of(Str class, const char **scan) {
    static const struct {
        const char *class, *what, *scan;
    } known[] = {{"ereport.fs.zfs.delay", "delay", NULL},
                 {"ereport.fs.zfs.deadman", "deadman", NULL},
                 {"ereport.fs.zfs.checksum", "checksum", NULL},
                 {"ereport.fs.zfs.io", "io", NULL},
                 {"ereport.fs.zfs.probe_failure", "probe-failure", NULL},
                 {"ereport.fs.zfs.io_failure", "io-failure", NULL},
                 {"ereport.fs.zfs.vdev.bad_label", "label", NULL},
                 {"ereport.fs.zfs.vdev.corrupt_data", "label", NULL},
                 {"ereport.fs.zfs.vdev.open_failed", "label", NULL},
                 {"ereport.fs.zfs.statechange", "state", NULL},
                 {"resource.fs.zfs.statechange", "state", NULL},
                 {"resource.fs.zfs.removed", "removed", NULL},
                 {"ereport.fs.zfs.scrub.start", "scan-start", "scrub"},
                 {"ereport.fs.zfs.scrub.finish", "scan-end", "scrub"},
                 {"ereport.fs.zfs.resilver.start", "scan-start", "resilver"},
                 {"ereport.fs.zfs.resilver.finish", "scan-end", "resilver"},
                 {"sysevent.fs.zfs.scrub_start", "scan-start", "scrub"},
                 {"sysevent.fs.zfs.scrub_finish", "scan-end", "scrub"},
                 {"sysevent.fs.zfs.scrub_abort", "scan-cancel", "scrub"},
                 {"sysevent.fs.zfs.resilver_start", "scan-start", "resilver"},
                 {"sysevent.fs.zfs.resilver_finish", "scan-end", "resilver"},
                 {"sysevent.fs.zfs.pool_import", "imported", NULL},
                 {"sysevent.fs.zfs.pool_create", "created", NULL}};
    *scan = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(class, known[i].class)) {
            *scan = known[i].scan;
            return known[i].what;
        }
    return NULL;
}

static void put(State *s) {
    Event *e = &s->e;
    ParseCtx *ctx = s->ctx;
    if (!e->open) return;
    e->open = false;
    const char *scan, *what = what_of(str_of(e->class), &scan);
    /* a history entry inside an event: only what no event of its own tells */
    if (!what && str_is(str_of(e->note), "scan aborted, restarting")) what = "scan-restart";
    if (!what) return;
    if (s->kept++ >= MAX_KEPT) return;
    double t = e->utc_s;
    if (isnan(t) && !s->any_utc) {
        t = e->local_s;
        if (!s->local) facts_local_time(ctx->facts, ctx->src);
        s->local = true;
    }
    Row r = ctx_row(ctx, "pool_event", e->at);
    if (e->pool[0]) row_ref(&r, "node", ctx_ref(ctx, REF_POOL, str_of(e->pool)));
    if (e->path[0]) row_ref(&r, "member", ctx_ref(ctx, REF_MEMBER, str_of(e->path)));
    else if (e->guid[0]) row_ref(&r, "member", ctx_ref(ctx, REF_MEMBER, str_of(e->guid)));
    row_text(&r, "what", str_of(what));
    if (scan) row_text(&r, "scan", str_of(scan));
    row_real(&r, "t_s", t);
    row_real(&r, "delay_ms", isnan(e->delay_ms) ? e->delta_ms : e->delay_ms);
    if (e->state[0]) row_text(&r, "state", str_of(e->state));
    row_text(&r, "origin", STR("events"));
    row_text(&r, "text", str_of(e->note[0] ? e->note : e->class));
    row_done(&r);
}

static void begin(State *s, double t, Str class, Spot at) {
    put(s);
    s->e = (Event){.open = true, .local_s = t, .utc_s = NAN, .delay_ms = NAN, .delta_ms = NAN};
    keep(s->e.class, sizeof s->e.class, class);
    size_t n = at.text.len < FACTS_LINE_CLIP ? at.text.len : FACTS_LINE_CLIP;
    memcpy(s->e.text, at.text.p, n);
    s->e.at = at;
    s->e.at.text = (Str){s->e.text, n};
}

/* "text" without its quotes; *rest: what stands behind. false: no such string. */
static bool quoted(Str value, Str *inside) {
    size_t end = str_rfind_ch(value, '"');
    if (value.len < 2 || value.p[0] != '"' || end == 0 || end == SIZE_MAX) return false;
    *inside = str_sub(value, 1, end - 1);
    return true;
}

static bool hex_number(Str value, double *out) {
    Str word = str_word(&value);
    uint64_t v;
    if (!str_starts(word, "0x") || !str_hex_u64(word, &v)) return false;
    *out = (double)v;
    return true;
}

/* One field of the open event. false: it cannot be read. */
static bool take(Event *e, Str name, Str value) {
    Str inside;
    double v;
    if (str_is(name, "pool") && value.len && value.p[0] == '"') {
        if (!quoted(value, &inside)) return false;
        keep(e->pool, sizeof e->pool, inside);
    } else if (str_is(name, "vdev_path")) {
        if (!quoted(value, &inside)) return !value.len;
        keep(e->path, sizeof e->path, inside);
    } else if (str_is(name, "vdev_guid")) {
        uint64_t guid;
        Str word = str_word(&value);
        if (!str_hex_u64(word, &guid)) return false;
        snprintf(e->guid, sizeof e->guid, "%llu", (unsigned long long)guid);
    } else if (str_is(name, "vdev_state")) { /* "FAULTED" (0x5) */
        Str rest = value;
        if (str_starts(value, "\"")) rest = str_from(value, 1);
        size_t end = str_find_ch(rest, '"');
        if (end != SIZE_MAX && str_starts(value, "\"")) keep(e->state, sizeof e->state, str_sub(rest, 0, end));
    } else if (str_is(name, "zio_delay")) {
        if (!hex_number(value, &v)) return false;
        if (v > 0) e->delay_ms = v / 1e6;
    } else if (str_is(name, "zio_delta")) {
        if (!hex_number(value, &v)) return false;
        if (v > 0) e->delta_ms = v / 1e6;
    } else if (str_is(name, "history_internal_name") || str_is(name, "history_command")) {
        if (!quoted(value, &inside)) return !value.len;
        keep(e->note, sizeof e->note, inside);
    } else if (str_is(name, "eid")) {
        e->complete = true;
    } else if (str_is(name, "time")) { /* seconds and nanoseconds, UTC */
        if (!hex_number(value, &v) || v > 1e11) return false;
        e->utc_s = v;
    }
    return true;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        Str class, name, value;
        double t;
        if (event_row(line, &t, &class)) {
            begin(s, t, class, at);
            ctx->rows++;
        } else if (header(line)) {
            ctx->rows++;
        } else if (s->e.open && field(line, &name, &value)) {
            ctx->rows++;
            if (s->e.complete) continue; /* the middle of a long output was cut out: of another event */
            if (!take(&s->e, name, value))
                parse_note(ctx, at, "zpool events: no value of %.*s: \"%.*s\"", STR_ARG(str_sub(name, 0, 40)),
                           STR_ARG(str_sub(value, 0, 60)));
            if (!isnan(s->e.utc_s)) s->any_utc = true;
        } else if (s->e.open && bracket(line)) {
            ctx->rows++;
        } else {
            parse_note(ctx, at, "not a line of zpool events: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        }
    }
    put(s);
    if (s->kept > MAX_KEPT)
        facts_note(ctx->facts, ctx->src, (Spot){.line = 1},
                   arena_strf(ctx->arena, "events behind the first %d, which are left out: %lld", MAX_KEPT,
                              (long long)(s->kept - MAX_KEPT)));
    return parse_result(ctx);
}

const Parser parser_zpool_events = {.name = "zpool-events",
                                    .bid = bid,
                                    .starts = starts,
                                    .continues = continues,
                                    .parse = parse,
                                    .ask = "zpool events -v"};
