/*
 * zpool_status.c - state, errors, scans and TRIM of ZFS pools
 *
 * Reads   zpool status [-vtsPgLpixD] [-c ...] of ZFS 0.5 to 2.4, OpenSolaris and FreeBSD; zpool status -j (2.3+); the listing of
 *         zpool import; a configuration table pasted without its head
 * Gives   pool (state, status, action, see, errors), vdev (one row per line of the table, with what stands behind the
 *         counters and the TRIM state), pool_scan (scrub, resilver, rebuild, removal, expansion), edges member -> vdev -> pool
 * Sample  OpenZFS 2.2, zpool status -t
 *   |   pool: storage
 *   |  state: ONLINE
 *   |   scan: scrub in progress since Sun Jul  7 03:24:01 2024
 *   | 	1.20T / 3.40T scanned at 412M/s, 800G / 3.40T issued at 210M/s
 *   | 	0B repaired, 22.98% done, 03:41:12 to go
 *   | config:
 *   |
 *   | 	NAME                            STATE     READ WRITE CKSUM
 *   | 	storage                         ONLINE       0     0     0
 *   | 	  raidz1-0                      ONLINE       0     0     0
 *   | 	    ata-EXAMPLE_SSD_2TB_A00001  ONLINE       0     0     0  (2% trimmed, started at Sun Jul  7 03:00:00 2024)
 *   |
 *   | errors: No known data errors
 * Varies  SLOW, POWER and DIO columns by option; names may hold blanks, so a row is cut at its state word; one pool may have two
 *         scan blocks (2.0+); continuation lines lose their TAB in pastes and then look like rows; the table of an import
 *         has no counters. Counters use powers of 1024 ("1.2K") and are since import or the last clear. Dates are local
 *         without a zone. A FAULTED row need not mean errors: see the text behind it.
 */
#include "../base/times.h"
#include "json.h"
#include "parser.h"
#include "zfs_tree.h"

#include <math.h>

enum { MAX_WORDS = 48, MAX_LIST = 5, MAX_BLOCK = 4096, MAX_JSON_DEPTH = 16 };

typedef enum Key {
    KEY_NONE,
    KEY_POOL,
    KEY_ID,
    KEY_STATE,
    KEY_STATUS,
    KEY_ACTION,
    KEY_SEE,
    KEY_SCAN,
    KEY_REMOVE,
    KEY_EXPAND,
    KEY_CHECKPOINT,
    KEY_COMMENT,
    KEY_CONFIG,
    KEY_DEDUP,
    KEY_ERRORS
} Key;

static const struct {
    const char *word;
    Key key;
} key_words[] = {{"pool:", KEY_POOL},       {"id:", KEY_ID},
                 {"state:", KEY_STATE},     {"status:", KEY_STATUS},
                 {"action:", KEY_ACTION},   {"see:", KEY_SEE},
                 {"scan:", KEY_SCAN},       {"scrub:", KEY_SCAN},
                 {"remove:", KEY_REMOVE},   {"expand:", KEY_EXPAND},
                 {"config:", KEY_CONFIG},   {"checkpoint:", KEY_CHECKPOINT},
                 {"comment:", KEY_COMMENT}, {"scan warning:", KEY_COMMENT},
                 {"dedup:", KEY_DEDUP},     {"errors:", KEY_ERRORS}};

static Key line_key(Str line, Str *value) {
    Str t = str_trim(line);
    for (size_t i = 0; i < sizeof key_words / sizeof *key_words; i++) {
        Str rest = str_after(t, key_words[i].word);
        if (!rest.p) continue;
        *value = str_trim(rest);
        return key_words[i].key;
    }
    return KEY_NONE;
}

static bool state_word(Str s) {
    static const char *const words[] = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "REMOVED",  "UNAVAIL",
                                        "SPLIT",  "UNKNOWN",  "AVAIL",   "INUSE",   "SUSPENDED"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static bool table_header(Str line) {
    Str w[8];
    return str_words(line, w, 8) >= 5 && str_is(w[0], "NAME") && str_is(w[1], "STATE") && str_is(w[2], "READ") &&
           str_is(w[3], "WRITE") && str_is(w[4], "CKSUM");
}

/* "no pools available", "all pools are healthy", "pool 'tank' is healthy" */
static bool healthy_line(Str line, Str *pool) {
    Str t = str_trim(line);
    *pool = STR_NONE;
    if (str_is(t, "no pools available") || str_is(t, "all pools are healthy") ||
        str_is(t, "no pools available to import"))
        return true;
    Str rest = str_after(t, "pool '");
    size_t end = str_rfind_ch(rest, '\'');
    if (!rest.p || end == SIZE_MAX || !str_is(str_from(rest, end), "' is healthy")) return false;
    *pool = str_sub(rest, 0, end);
    return true;
}

/* ANSI colours (ZFS_COLOR) out of a line; in place in the buffer of a copy. */
static Str without_colour(Arena *a, Str line) {
    if (str_find_ch(line, '\033') == SIZE_MAX) return line;
    StrBuf b;
    sb_init(&b, a);
    for (size_t i = 0; i < line.len; i++) {
        size_t escape = str_csi(line, i);
        if (escape) i += escape - 1;
        else sb_addc(&b, line.p[i]);
    }
    return sb_str(&b);
}

/* ---------------------------------------------------------------- bidding and framing */

static int bid(Str path, Str command, Str head) {
    int bits = 0;
    Str pool;
    if (json_looks(head)) {
        if (str_has(head, "\"pools\"") &&
            (str_has(head, "\"vdev_type\"") || str_has(head, "\"scan_stats\"") || str_has(head, "zpool status")))
            return 28;
        return 0;
    }
    bool saw_pool = false, saw_state = false, saw_config = false, saw_table = false;
    for (int n = 0; n < 80 && head.len; n++) {
        Str line = head_line(&head), value;
        if (healthy_line(line, &pool)) return n < 3 ? 24 : 0;
        switch (line_key(line, &value)) {
        case KEY_POOL: saw_pool = true; break;
        case KEY_STATE: saw_state = saw_state || state_word(value); break;
        case KEY_CONFIG: saw_config = true; break;
        default: break;
        }
        saw_table = saw_table || table_header(line);
        if (!saw_pool && !saw_table && n > 10) break; /* something else comes first */
    }
    if (saw_pool && saw_state) bits += 24;
    if (saw_table) bits += 20;
    if (saw_pool && saw_config) bits += 4;
    if (!bits) return 0;
    if (path_has(path, "zpool") && path_has(path, "status")) bits += 4;
    if (command_is(command, "zpool") && str_has(command, "status")) bits += 4;
    return bits;
}

static bool starts(Str line) {
    Str pool, t = str_trim(line), name = str_after(t, "pool: ");
    if (str_starts(t, "{\"output_version\"") && str_has(t, "zpool status")) return true;
    if (healthy_line(line, &pool) || table_header(line)) return true;
    return name.len && name.len <= 256 && ch_alpha(name.p[0]) && str_find(name, ": ") == SIZE_MAX;
}

/* Parts of the texts that zpool prints over several lines: pastes lose the TAB that marks a continuation. */
static bool continuation_words(Str t) {
    static const char *const parts[] = {" scanned",
                                        " issued",
                                        "% done",
                                        " to go",
                                        "functioning in a degraded",
                                        "functioning.",
                                        "degraded state.",
                                        "attempt was made to correct",
                                        "using 'zpool ",
                                        "'zpool ",
                                        "still be used, but",
                                        "The pool can still",
                                        "the features.",
                                        "pool may no longer be accessible",
                                        "may not support",
                                        "software that does not support",
                                        "continue to function",
                                        "Sufficient replicas exist",
                                        "corruption.  Applications",
                                        "entire pool from backup",
                                        "replicas for the pool",
                                        "the pool to continue",
                                        "repaired.",
                                        "should correct the problem",
                                        "Returning the pool to its state",
                                        "fault tolerance of the pool",
                                        "scrub started on",
                                        "expect reduced performance",
                                        "Expect reduced performance",
                                        "memory used for removed device mappings"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_has(t, parts[i])) return true;
    return false;
}

static bool continues(Str line) {
    Str value, pool, t = str_trim(line);
    if (!t.len || line_key(line, &value) != KEY_NONE) return true;
    if (table_header(line) || healthy_line(line, &pool)) return true;
    if (line.p[0] == '\t' || zfs_indent(line) >= 4) return true;
    if (zfs_class_header(t)) return true;
    Str w[MAX_WORDS];
    size_t n = str_words(t, w, MAX_WORDS);
    if (n > MAX_WORDS) n = MAX_WORDS;
    double v;
    for (size_t i = 1; i < n; i++)
        if (state_word(w[i]) &&
            (i + 1 == n || zfs_number(w[i + 1], &v) || w[i + 1].p[0] == '(' || str_is(w[i], "INUSE")))
            return true;
    return continuation_words(t);
}

/* ---------------------------------------------------------------- the parser's state */

typedef struct Table {
    size_t counters; /* numeric columns behind STATE; 0 in the listing of an import */
    int read, write, cksum, slow;
    bool known;
} Table;

typedef struct Row1 { /* a row that waits for the next one, which tells whether it has children */
    bool full;
    char name[ZFS_MAX_PATH], line[FACTS_LINE_CLIP];
    size_t name_len, line_len, indent, text_at; /* text_at: offset in line of what stands behind the counters */
    char state[16];
    size_t state_len;
    int64_t number;
    double counter[8];
    bool header_only;
} Row1;

typedef struct State {
    ParseCtx *ctx;
    Key in;       /* which block continuation lines belong to */
    StrBuf block; /* text of that block */
    Spot block_at;
    Table table;
    ZfsTree tree;
    Row1 row;
    bool rows_begun; /* of this pool */
    bool open;       /* a pool is being read */
    bool local;      /* the source was marked as using local time */
    Str name, guid, state, status, action, see, errors;
    int64_t data_errors, listed;
    int64_t status_line, errors_line; /* as facts_keep_line() numbers them */
    Spot at;                          /* where the pool's row is proven: its state line */
    char scan_line[FACTS_LINE_CLIP], at_line[FACTS_LINE_CLIP];
} State;

static Spot keep_spot(Spot at, char *buffer) {
    size_t n = at.text.len < FACTS_LINE_CLIP ? at.text.len : FACTS_LINE_CLIP;
    if (n) memcpy(buffer, at.text.p, n);
    at.text = (Str){buffer, n};
    return at;
}

static double local_time(State *s, Str text) {
    double t;
    bool zone;
    if (!time_parse(text, &t, &zone)) return NAN;
    if (!zone && !s->local) {
        facts_local_time(s->ctx->facts, s->ctx->src);
        s->local = true;
    }
    return t;
}

/* A date somewhere in text behind `mark`, up to `stop` (or the end). */
static double date_behind(State *s, Str text, const char *mark, const char *stop) {
    size_t at = str_find(text, mark);
    if (at == SIZE_MAX) return NAN;
    Str rest = str_from(text, at + strlen(mark));
    size_t end = stop ? str_find(rest, stop) : SIZE_MAX;
    if (end == SIZE_MAX) end = rest.len;
    rest = str_trim(str_sub(rest, 0, end));
    double t = local_time(s, rest);
    /* what may follow a ctime on the same line: cut back to its five words */
    Str w[6];
    if (isnan(t) && str_words(rest, w, 6) > 5) t = local_time(s, (Str){rest.p, (size_t)(w[4].p + w[4].len - rest.p)});
    return t;
}

/* ---------------------------------------------------------------- scans */

/* The number with a unit that ends right before `word`: " issued at" in "843M / 888M issued at 421M/s" gives nothing useful,
   so callers ask for what stands behind. */
static double bytes_behind(Str text, const char *mark) {
    size_t at = str_find(text, mark);
    if (at == SIZE_MAX) return NAN;
    Str rest = str_from(text, at + strlen(mark)), word = str_word(&rest);
    while (word.len && (word.p[word.len - 1] == ',' || word.p[word.len - 1] == '.')) word.len--;
    if (str_ends(word, "/s")) word.len -= 2;
    double v;
    return zfs_number(word, &v) ? v : NAN;
}

static double word_before(Str text, const char *mark) {
    size_t at = str_find(text, mark);
    if (at == SIZE_MAX) return NAN;
    Str head = str_trim_right(str_sub(text, 0, at));
    size_t blank = str_rfind_ch(head, ' ');
    Str word = blank == SIZE_MAX ? head : str_from(head, blank + 1);
    if (str_ends(word, "%")) word.len--;
    double v;
    return zfs_number(word, &v) ? v : NAN;
}

static void scan_row(State *s, Str text, const char *forced_kind, Spot at) {
    ParseCtx *ctx = s->ctx;
    const char *kind = forced_kind, *state = NULL;
    double start = NAN, end = NAN, done = NAN, repaired = NAN, errors = NAN, span = NAN, scanned = NAN, issued = NAN,
           to_go = NAN;
    bool named = str_has(text, " (") && (str_starts(text, "resilver (") || str_starts(text, "resilvered ("));
    if (!kind) {
        if (named) kind = "rebuild";
        else if (str_starts(text, "resilver")) kind = "resilver";
        else if (str_starts(text, "error scrub") || str_starts(text, "scrubbed ")) kind = "error-scrub";
        else if (str_starts(text, "scrub") || str_starts(text, "none requested")) kind = "scrub";
    }
    if (str_starts(text, "none requested")) state = "none";
    else if (str_has(text, "in progress")) state = "running";
    else if (str_has(text, " paused") || str_has(text, "paused for")) state = "paused";
    else if (str_has(text, "cancel") || str_has(text, " stopped")) state = "canceled";
    else if (str_has(text, " repaired ") || str_starts(text, "resilvered") || str_has(text, "completed") ||
             str_starts(text, "expanded") || str_starts(text, "scrubbed"))
        state = "finished";
    if (!kind || !state) {
        parse_note(ctx, at, "scan: not understood: \"%.*s\"", STR_ARG(str_sub(text, 0, 80)));
        return;
    }
    bool running = strcmp(state, "running") == 0 || strcmp(state, "paused") == 0;
    if (running) {
        start = date_behind(s, text, "started on ", NULL);
        if (isnan(start)) start = date_behind(s, text, "in progress since ", " | ");
        if (str_has(text, "issued at ")) issued = bytes_behind(text, "issued at ");
        if (isnan(issued)) issued = bytes_behind(text, " issued "); /* a rebuild of 2.0 and 2.1 leaves the "at" out */
        if (str_has(text, "scanned at ")) scanned = bytes_behind(text, "scanned at ");
        else if (str_has(text, "scanned out of ") || str_has(text, "copied out of "))
            scanned = bytes_behind(text, " at ");
        done = word_before(text, "% done");
        size_t go = str_find(text, " to go");
        if (go != SIZE_MAX) {
            Str head = str_sub(text, 0, go);
            size_t comma = str_rfind_ch(head, ',');
            double v;
            if (comma != SIZE_MAX && time_parse_span(str_from(head, comma + 1), &v)) to_go = v;
        }
        repaired = word_before(text, " repaired,");
        if (isnan(repaired)) repaired = word_before(text, " resilvered,");
    } else if (strcmp(state, "finished") == 0) {
        errors = word_before(text, " errors on ");
        if (isnan(errors)) errors = word_before(text, " errors");
        end = date_behind(s, text, " errors on ", " | ");
        if (isnan(end)) end = date_behind(s, text, "completed on ", " | ");
        if (isnan(end)) end = date_behind(s, text, " on ", " | ");
        if (str_starts(text, "scrub repaired ")) repaired = bytes_behind(text, "scrub repaired ");
        else if (named) repaired = bytes_behind(text, ") ");
        else if (str_starts(text, "resilvered ")) repaired = bytes_behind(text, "resilvered ");
        size_t in = str_find(text, " in ");
        if (in == SIZE_MAX) in = str_find(text, " after ");
        size_t with = str_find(text, " with ");
        if (with == SIZE_MAX) with = str_find(text, ", completed on ");
        if (with == SIZE_MAX) with = str_find(text, ", on ");
        if (in != SIZE_MAX && with != SIZE_MAX && with > in) {
            Str words = str_sub(text, in, with - in);
            str_word(&words);
            if (time_parse_span(words, &span)) start = end - span;
        }
    } else if (strcmp(state, "canceled") == 0) {
        end = date_behind(s, text, " on ", " | ");
    }
    bool slow = str_has(text, "no estimated") || str_has(text, "scan is slow");
    Row r = ctx_row(ctx, "pool_scan", at);
    row_ref(&r, "node", ctx_ref(ctx, REF_POOL, s->name));
    row_text(&r, "kind", str_of(kind));
    row_text(&r, "state", str_of(state));
    row_real(&r, "start_s", start);
    row_real(&r, "end_s", end);
    row_real(&r, "done_pct", done);
    row_real(&r, "repaired_bytes", repaired);
    if (!isnan(errors)) row_int(&r, "errors", i64_of(errors));
    row_real(&r, "scanned_bytes_s", scanned);
    row_real(&r, "issued_bytes_s", issued);
    row_real(&r, "to_go_s", to_go);
    row_int(&r, "no_estimate", running ? slow : FACT_NULL);
    row_text(&r, "text", str_sub(text, 0, FACTS_LINE_CLIP));
    row_done(&r);
    ctx->rows++;
}

/* ---------------------------------------------------------------- rows of the table */

typedef struct Trim {
    const char *state;
    double pct, start_s, end_s;
} Trim;

static Trim trim_of(State *s, Str text) {
    Trim t = {NULL, NAN, NAN, NAN};
    if (str_has(text, "(untrimmed)")) {
        t.state = "untrimmed";
    } else if (str_has(text, "(trim unsupported)")) {
        t.state = "unsupported";
    } else if (str_has(text, "(trimming)")) {
        t.state = "trimming";
    } else if (str_has(text, "(suspended)") || str_has(text, "(trim suspended)")) {
        t.state = "suspended";
    } else {
        size_t at = str_find(text, "% trimmed");
        if (at == SIZE_MAX) return t;
        size_t open = str_rfind_ch(str_sub(text, 0, at), '(');
        if (open == SIZE_MAX) return t;
        Str body = str_from(text, open + 1);
        size_t close = str_find_ch(body, ')');
        if (close != SIZE_MAX) body = str_sub(body, 0, close);
        double v;
        if (str_double(str_sub(body, 0, at - open - 1), &v)) t.pct = v;
        t.state = str_has(body, "suspended") ? "suspended" : str_has(body, "completed") ? "completed" : "trimming";
        t.start_s = date_behind(s, body, "started at ", NULL);
        t.end_s = date_behind(s, body, "completed at ", NULL);
    }
    return t;
}

static bool all_digits(Str s) {
    for (size_t i = 0; i < s.len; i++)
        if (!ch_digit(s.p[i])) return false;
    return s.len > 0;
}

static void row_count(Row *r, const char *column, double v) {
    if (!isnan(v) && v >= 0 && v < 9e18) row_int(r, column, (int64_t)v);
}

/* Writes the row that was waiting. next_indent: of the row behind it, SIZE_MAX when there is none. */
static void flush_row(State *s, size_t next_indent) {
    if (!s->row.full) return;
    s->row.full = false;
    ParseCtx *ctx = s->ctx;
    Row1 *w = &s->row;
    Str name = {w->name, w->name_len}, line = {w->line, w->line_len};
    Str text = str_trim(str_from(line, w->text_at));
    Spot at = {.line = w->number, .text = line};
    ZfsPlace place;
    if (!s->rows_begun) {
        place = zfs_tree_pool(&s->tree, name, w->indent);
        s->rows_begun = true;
        if (!s->name.len) { /* a table without its head */
            s->name = arena_str(ctx->scratch, name);
            s->open = true;
            s->at = keep_spot(at, s->at_line);
            s->state = arena_str(ctx->scratch, (Str){w->state, w->state_len});
        }
    } else {
        bool deeper = next_indent != SIZE_MAX && next_indent > w->indent && !s->tree.flat;
        place = zfs_tree_place(&s->tree, name, w->indent, deeper ? 1 : -1);
    }
    ctx->rows++;
    if (place.kind == ZFS_CLASS && !w->state_len) return;
    Ref node = zfs_place_ref(ctx, &s->tree, &place), parent = zfs_parent_ref(ctx, &s->tree, &place);
    Ref pool = ctx_ref(ctx, REF_POOL, s->name);
    if (place.kind == ZFS_CLASS)
        return; /* "logs FAULTED": old versions print a state of the class; its rows have their own */
    bool spare = strcmp(place.in_class, "spare") == 0, cache = strcmp(place.in_class, "cache") == 0;
    /* A pool rests on its data, log and special vdevs; a spare carries nothing yet, and losing the cache loses nothing. */
    if (parent && !spare && !cache) facts_edge(ctx->facts, ctx->src, node, parent, at);
    Trim trim = trim_of(s, text);
    Row r = ctx_row(ctx, "vdev", at);
    row_ref(&r, "node", node);
    row_ref(&r, "pool", pool);
    row_ref(&r, "parent", parent);
    row_text(&r, "name", name);
    row_text(&r, "type", place.type ? str_of(place.type) : STR_NONE);
    row_text(&r, "class", str_of(place.in_class));
    row_int(&r, "is_leaf", place.kind == ZFS_LEAF);
    row_text(&r, "state", (Str){w->state, w->state_len});
    if (s->table.known) {
        if (s->table.read >= 0) row_count(&r, "read_errors", w->counter[s->table.read]);
        if (s->table.write >= 0) row_count(&r, "write_errors", w->counter[s->table.write]);
        if (s->table.cksum >= 0) row_count(&r, "cksum_errors", w->counter[s->table.cksum]);
        if (s->table.slow >= 0) row_count(&r, "slow_ios", w->counter[s->table.slow]);
    }
    row_text(&r, "text", text.len ? text : STR_NONE);
    if (all_digits(name) && name.len >= 8) row_text(&r, "guid", name);
    if (str_starts(name, "/")) row_text(&r, "path", name);
    size_t was = str_find(text, "was /");
    if (was != SIZE_MAX) {
        Str rest = str_from(text, was + 4);
        row_text(&r, "was", str_word(&rest));
    }
    row_text(&r, "trim_state", trim.state ? str_of(trim.state) : STR_NONE);
    row_real(&r, "trim_pct", trim.pct);
    row_real(&r, "trim_start_s", trim.start_s);
    row_real(&r, "trim_end_s", trim.end_s);
    row_done(&r);
}

static void read_header(State *s, Str line) {
    Str w[MAX_WORDS];
    size_t n = str_words(line, w, MAX_WORDS);
    if (n > MAX_WORDS) n = MAX_WORDS;
    s->table = (Table){.read = -1, .write = -1, .cksum = -1, .slow = -1, .known = true};
    for (size_t i = 2; i < n && s->table.counters < 8; i++) {
        int at = (int)s->table.counters;
        if (str_is(w[i], "READ")) s->table.read = at;
        else if (str_is(w[i], "WRITE")) s->table.write = at;
        else if (str_is(w[i], "CKSUM")) s->table.cksum = at;
        else if (str_is(w[i], "SLOW")) s->table.slow = at;
        else if (!str_is(w[i], "POWER") && !str_is(w[i], "DIO")) break; /* columns of -c: free text */
        s->table.counters++;
    }
}

/* A row of the table: NAME STATE [counters] [text]. false when it is none. */
static bool read_row(State *s, Str line, int64_t number) {
    Str w[MAX_WORDS];
    size_t n = str_words(line, w, MAX_WORDS);
    if (n > MAX_WORDS) n = MAX_WORDS;
    if (!n) return false;
    size_t at = 0;
    double v;
    for (size_t i = 1; i < n && !at; i++) {
        if (!state_word(w[i])) continue;
        bool spare = str_is(w[i], "AVAIL") || str_is(w[i], "INUSE");
        if (!s->table.known || spare || i + 1 == n || zfs_number(w[i + 1], &v)) at = i;
    }
    bool header_only = false;
    if (!at) {
        if (n != 1 || !zfs_class_header(w[0])) return false;
        header_only = true;
    }
    flush_row(s, zfs_indent(line));
    Row1 *r = &s->row;
    *r = (Row1){.full = true, .number = number, .indent = zfs_indent(line), .header_only = header_only};
    for (size_t i = 0; i < 8; i++) r->counter[i] = NAN;
    Str name = header_only ? w[0] : str_trim((Str){w[0].p, (size_t)(w[at].p - w[0].p)});
    r->name_len = name.len < sizeof r->name ? name.len : sizeof r->name;
    memcpy(r->name, name.p, r->name_len);
    r->line_len = line.len < sizeof r->line ? line.len : sizeof r->line;
    memcpy(r->line, line.p, r->line_len);
    r->text_at = r->line_len;
    if (header_only) return true;
    r->state_len = w[at].len;
    memcpy(r->state, w[at].p, w[at].len);
    size_t next = at + 1, have = 0;
    while (next < n && have < s->table.counters && zfs_number(w[next], &v)) {
        r->counter[have++] = v;
        next++;
    }
    if (s->table.known && have && have < s->table.counters && have < 3) {
        r->full = false;
        return false; /* cut in the middle of its counters */
    }
    if (next < n) r->text_at = (size_t)(w[next].p - line.p) < r->line_len ? (size_t)(w[next].p - line.p) : r->line_len;
    return true;
}

/* ---------------------------------------------------------------- blocks */

static void end_block(State *s) {
    Str text = sb_str(&s->block);
    switch (s->in) {
    case KEY_STATUS:
        s->status = text;
        s->status_line = facts_keep_line(s->ctx->facts, s->ctx->src, s->block_at);
        break;
    case KEY_ACTION: s->action = text; break;
    case KEY_SCAN: scan_row(s, text, NULL, s->block_at); break;
    case KEY_REMOVE: scan_row(s, text, "removal", s->block_at); break;
    case KEY_EXPAND: scan_row(s, text, "expansion", s->block_at); break;
    default: break;
    }
    s->in = KEY_NONE;
}

static void begin_block(State *s, Key key, Str value, Spot at) {
    s->in = key;
    sb_init(&s->block, s->ctx->scratch);
    sb_add(&s->block, value);
    s->block_at = keep_spot(at, s->scan_line);
    s->ctx->rows++;
}

static void end_pool(State *s) {
    end_block(s);
    flush_row(s, SIZE_MAX);
    if (!s->open) return;
    ParseCtx *ctx = s->ctx;
    Row r = ctx_row(ctx, "pool", s->at);
    row_ref(&r, "node", ctx_ref(ctx, REF_POOL, s->name));
    row_text(&r, "name", s->name);
    row_text(&r, "guid", s->guid);
    row_text(&r, "state", s->state);
    row_text(&r, "status", s->status);
    row_text(&r, "action", s->action);
    row_text(&r, "see", s->see);
    row_text(&r, "errors", s->errors);
    row_int(&r, "data_errors", s->listed ? s->listed : s->data_errors);
    row_int(&r, "status_line", s->status_line);
    row_int(&r, "errors_line", s->errors_line);
    row_done(&r);
    s->open = false;
}

static void begin_pool(State *s, Str name, Spot at) {
    end_pool(s);
    s->open = true;
    s->rows_begun = false;
    s->table = (Table){.read = -1, .write = -1, .cksum = -1, .slow = -1};
    s->name = arena_str(s->ctx->scratch, name);
    s->guid = s->state = s->status = s->action = s->see = s->errors = STR_NONE;
    s->data_errors = s->status_line = s->errors_line = FACT_NULL;
    s->listed = 0;
    s->at = keep_spot(at, s->at_line);
    zfs_tree_init(&s->tree);
}

static void read_errors(State *s, Str value, Spot at) {
    s->errors_line = facts_keep_line(s->ctx->facts, s->ctx->src, at);
    if (str_starts(value, "List of errors unavailable")) {
        if (!s->errors.p) s->errors = arena_str(s->ctx->scratch, value);
        return; /* the line with the number follows */
    }
    s->errors = arena_str(s->ctx->scratch, value);
    uint64_t n;
    Str rest = value;
    if (str_starts(value, "No known data errors")) s->data_errors = 0;
    else if (str_u64(str_word(&rest), &n) && n < INT64_MAX) s->data_errors = (int64_t)n;
}

/*
 * "DDT entries 1234, size 560B on disk, 180B in core": the sizes are one entry's. 2.3 prints totals, and "1.2G cached (99.00%)" behind:
 * an entry takes a few hundred bytes, so 8 KiB tell the two apart.
 */
static void read_dedup(State *s, Str value, Spot at) {
    ParseCtx *ctx = s->ctx;
    if (!s->name.len) return;
    Ref pool = ctx_ref(ctx, REF_POOL, s->name);
    if (str_starts(value, "no DDT entries")) {
        ctx_setting_int(ctx, pool, "ddt_entries", 0, "kernel", at);
        return;
    }
    Str rest = str_after(value, "DDT entries "), number = rest;
    size_t size = str_find(rest, ", size ");
    if (!rest.p || size == SIZE_MAX) return;
    number = str_sub(rest, 0, size);
    Str sizes = str_from(rest, size + 7), disk = str_word(&sizes);
    size_t comma = str_find(sizes, "on disk, ");
    uint64_t entries;
    double on_disk, in_core;
    if (comma == SIZE_MAX || !str_u64(number, &entries)) return;
    sizes = str_from(sizes, comma + 9);
    Str core = str_word(&sizes);
    if (disk.len && disk.p[disk.len - 1] == 'B') disk.len--;
    if (core.len && core.p[core.len - 1] == 'B') core.len--;
    if (!zfs_number(disk, &on_disk) || !zfs_number(core, &in_core) || isnan(on_disk) || isnan(in_core)) return;
    ctx_setting_int(ctx, pool, "ddt_entries", i64_of((double)entries), "kernel", at);
    double times = in_core <= 8192 ? (double)entries : 1;
    ctx_setting_int(ctx, pool, "ddt_disk_bytes", i64_of(on_disk * times), "kernel", at);
    ctx_setting_int(ctx, pool, "ddt_memory_bytes", i64_of(in_core * times), "kernel", at);
}

static void read_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str value, t = str_trim(line);
    Key key = line_key(line, &value);
    if (!t.len) {
        if (s->in != KEY_CONFIG && s->in != KEY_ERRORS && s->in != KEY_DEDUP) end_block(s);
        return;
    }
    if (s->in == KEY_ERRORS && key == KEY_NONE && s->open && str_has(s->errors, "following files")) {
        s->listed++;
        ctx->rows++;
        if (s->listed <= MAX_LIST) s->errors = arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(s->errors), STR_ARG(t));
        return;
    }
    if (key == KEY_NONE && table_header(line)) {
        if (!s->open || s->rows_begun) begin_pool(s, STR(""), at);
        s->open = s->name.len > 0;
        read_header(s, line);
        s->in = KEY_CONFIG;
        return;
    }
    if (key == KEY_NONE) {
        switch (s->in) {
        case KEY_STATUS:
        case KEY_ACTION:
        case KEY_REMOVE:
        case KEY_EXPAND:
        case KEY_SCAN:
            /* scan lines are kept apart with a mark that no text of zpool has */
            if (s->block.len < MAX_BLOCK) sb_addf(&s->block, "%s%.*s", s->in == KEY_SCAN ? " | " : " ", STR_ARG(t));
            return;
        case KEY_CHECKPOINT:
        case KEY_COMMENT:
        case KEY_DEDUP: ctx->rows++; return;
        case KEY_CONFIG:
            if (str_starts(t, "The configuration cannot be determined")) return;
            if (read_row(s, line, at.line)) return;
            if (str_starts(t, "...")) {
                facts_note(ctx->facts, ctx->src, at, STR("rows were left out here"));
                return;
            }
            break;
        default: break;
        }
        parse_note(ctx, at, "not a line of zpool status: \"%.*s\"", STR_ARG(str_sub(t, 0, 80)));
        return;
    }
    if (key == KEY_POOL) {
        begin_pool(s, value, at);
        ctx->rows++;
        return;
    }
    if (!s->open) {
        if (s->in == KEY_CONFIG && key == KEY_ERRORS)
            flush_row(s, SIZE_MAX); /* a table without a head opens its pool with its first row */
        if (!s->open) begin_pool(s, STR(""), at);
    }
    if (key != KEY_ERRORS || s->in != KEY_ERRORS) end_block(s);
    begin_block(s, key, value, at);
    switch (key) {
    case KEY_ID: s->guid = arena_str(ctx->scratch, value); break;
    case KEY_STATE:
        s->state = arena_str(ctx->scratch, value);
        s->at = keep_spot(at, s->at_line);
        break;
    case KEY_SEE: s->see = arena_str(ctx->scratch, value); break;
    case KEY_DEDUP: read_dedup(s, value, at); break;
    case KEY_CONFIG:
        flush_row(s, SIZE_MAX);
        s->rows_begun = false;
        break;
    case KEY_ERRORS:
        flush_row(s, SIZE_MAX);
        read_errors(s, value, at);
        break;
    default: break;
    }
}

/* ---------------------------------------------------------------- JSON */

typedef struct JsonState {
    ParseCtx *ctx;
    Str pool;
    ZfsTree tree;
} JsonState;

static double json_nice(const cJSON *v) {
    double d;
    Str text = json_text(v);
    if (text.p) return zfs_number(str_trim(text), &d) ? d : NAN;
    return json_number(v, &d) ? d : NAN;
}

static Str json_field(Arena *a, const cJSON *o, const char *key) {
    const cJSON *v = json_get(o, key);
    return v ? json_show(a, v) : STR_NONE;
}

/* Times are epoch numbers with --json-int, ctime strings without. */
static double json_time(JsonState *js, const cJSON *v) {
    double t;
    bool zone = true;
    if (json_number(v, &t)) return t > 0 ? t : NAN;
    if (!time_parse(json_text(v), &t, &zone)) return NAN;
    if (!zone) facts_local_time(js->ctx->facts, js->ctx->src);
    return t;
}

/* `aux` of the JSON is the name of a state of the kernel; the text output, which rules read, says it in words. */
static Str aux_words(Str aux) {
    static const struct {
        const char *aux, *words;
    } known[] = {{"OPEN_FAILED", "cannot open"},
                 {"CORRUPT_DATA", "corrupted data"},
                 {"NO_REPLICAS", "insufficient replicas"},
                 {"BAD_GUID_SUM", "missing device"},
                 {"BAD_LABEL", "invalid label"},
                 {"VERSION_NEWER", "newer version"},
                 {"UNSUP_FEAT", "unsupported feature(s)"},
                 {"SPARED", "currently in use"},
                 {"ERR_EXCEEDED", "too many errors"},
                 {"IO_FAILURE", "experienced I/O failures"},
                 {"BAD_LOG", "bad intent log"},
                 {"EXTERNAL", "external device fault"},
                 {"EXTERNAL_PERSIST", "external device fault"},
                 {"SPLIT_POOL", "split into new pool"},
                 {"CHILDREN_OFFLINE", "all children offline"}};
    if (str_is(aux, "NONE")) return STR_NONE;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(aux, known[i].aux)) return str_of(known[i].words);
    return aux.len ? aux : STR_NONE;
}

/* States of the JSON are the kernel's; the text output prints CANT_OPEN by its reason, as zpool_state_to_name() does. */
static Str state_words(Str state, Str aux) {
    if (str_is(state, "CLOSED")) return STR("OFFLINE");
    if (!str_is(state, "CANT_OPEN")) return state;
    if (str_is(aux, "CORRUPT_DATA") || str_is(aux, "BAD_LOG")) return STR("FAULTED");
    return str_is(aux, "SPLIT_POOL") ? STR("SPLIT") : STR("UNAVAIL");
}

static void json_vdev(JsonState *js, const cJSON *v, Str path, Ref parent, const char *in_class, size_t depth) {
    ParseCtx *ctx = js->ctx;
    if (depth > MAX_JSON_DEPTH) {
        parse_note(ctx, spot_path(path, STR("")), "vdevs nested more than %d deep", MAX_JSON_DEPTH);
        return;
    }
    Str name = json_field(ctx->scratch, v, "name");
    if (!name.len) name = str_of(v->string ? v->string : "");
    Str type = json_field(ctx->scratch, v, "vdev_type"), aux = json_field(ctx->scratch, v, "aux"),
        was = json_field(ctx->scratch, v, "was");
    const cJSON *children = json_get(v, "vdevs");
    bool root = depth == 0, leaf = !children || !cJSON_GetArraySize(children);
    ZfsPlace place = root ? zfs_tree_pool(&js->tree, name, 0) : zfs_tree_place(&js->tree, name, depth, leaf ? 0 : 1);
    Ref node = root ? ctx_ref(ctx, REF_POOL, js->pool) : zfs_place_ref(ctx, &js->tree, &place);
    Str state = state_words(json_field(ctx->scratch, v, "state"), aux);
    Spot at = spot_path(path, arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(name), STR_ARG(state)));
    const cJSON *trim_state = json_get(v, "trim_state");
    Str ts = json_text(trim_state);
    const char *trim = NULL;
    double notsup;
    if (json_number(json_get(v, "trim_notsup"), &notsup) && notsup > 0) trim = "unsupported";
    else if (ts.p)
        trim = str_is(ts, "ACTIVE")      ? "trimming"
               : str_is(ts, "SUSPENDED") ? "suspended"
               : str_is(ts, "COMPLETE")  ? "completed"
                                         : "untrimmed"; /* UNTRIMMED, CANCELED */
    double trimmed = json_nice(json_get(v, "trimmed")), to_trim = json_nice(json_get(v, "to_trim"));
    double when = json_time(js, json_get(v, "trim_time"));
    Str json_class = json_text(json_get(v, "class"));
    if (json_class.p && !root)
        in_class = str_is(json_class, "l2cache")   ? "cache"
                   : str_is(json_class, "log")     ? "log"
                   : str_is(json_class, "special") ? "special"
                   : str_is(json_class, "dedup")   ? "dedup"
                   : str_is(json_class, "spare")   ? "spare"
                                                   : in_class;
    bool carries = strcmp(in_class, "spare") != 0 && strcmp(in_class, "cache") != 0;
    if (parent && carries) facts_edge(ctx->facts, ctx->src, node, parent, at);
    /* A member that is only a guid has no other name; of one with a name, the device id may be of the time before. */
    Str devid = json_text(json_get(v, "devid"));
    if (leaf && !root && all_digits(name) && devid.len && !str_starts(devid, "id1,"))
        facts_same(ctx->facts, ctx->src, node, ctx_ref(ctx, REF_LINK, devid), "zpool status devid",
                   spot_path(json_path(ctx->scratch, path, "devid"), devid));
    Row r = ctx_row(ctx, "vdev", at);
    row_ref(&r, "node", node);
    row_ref(&r, "pool", ctx_ref(ctx, REF_POOL, js->pool));
    row_ref(&r, "parent", parent);
    row_text(&r, "name", name);
    row_text(&r, "type", place.type ? str_of(place.type) : type);
    row_text(&r, "class", str_of(in_class));
    row_int(&r, "is_leaf", leaf && !root);
    row_text(&r, "state", state);
    row_count(&r, "read_errors", json_nice(json_get(v, "read_errors")));
    row_count(&r, "write_errors", json_nice(json_get(v, "write_errors")));
    row_count(&r, "cksum_errors", json_nice(json_get(v, "checksum_errors")));
    row_count(&r, "slow_ios", json_nice(json_get(v, "slow_ios")));
    /* as the text output: where the last known path stands, nothing else does */
    row_text(&r, "text", was.len ? arena_strf(ctx->scratch, "was %.*s", STR_ARG(was)) : aux_words(aux));
    row_text(&r, "guid", json_field(ctx->scratch, v, "guid"));
    row_text(&r, "path", json_field(ctx->scratch, v, "path"));
    row_text(&r, "was", was.len ? was : STR_NONE);
    row_text(&r, "trim_state", trim ? str_of(trim) : STR_NONE);
    if (trim && to_trim > 0 && strcmp(trim, "untrimmed") != 0) row_real(&r, "trim_pct", 100 * trimmed / to_trim);
    if (trim && strcmp(trim, "completed") == 0) row_real(&r, "trim_end_s", when);
    else if (trim && strcmp(trim, "untrimmed") != 0) row_real(&r, "trim_start_s", when);
    row_done(&r);
    ctx->rows++;
    const cJSON *child;
    Str below = json_path(ctx->scratch, path, "vdevs");
    cJSON_ArrayForEach(child, children) {
        json_vdev(js, child, json_path(ctx->scratch, below, child->string ? child->string : ""), node, in_class,
                  depth + 1);
    }
}

static void json_scan(JsonState *js, const cJSON *scan, Str path) {
    ParseCtx *ctx = js->ctx;
    Str function = json_text(json_get(scan, "function")), state = json_text(json_get(scan, "state"));
    if (!function.p) return;
    const char *kind = str_is(function, "RESILVER")     ? "resilver"
                       : str_is(function, "ERRORSCRUB") ? "error-scrub"
                                                        : "scrub";
    const char *word = str_is(state, "SCANNING")   ? "running"
                       : str_is(state, "FINISHED") ? "finished"
                       : str_is(state, "CANCELED") ? "canceled"
                                                   : "none";
    if (str_is(function, "NONE")) word = "none";
    double paused = json_time(js, json_get(scan, "scrub_pause"));
    if (strcmp(word, "running") == 0 && !isnan(paused)) word = "paused";
    double examine = json_nice(json_get(scan, "to_examine")), skipped = json_nice(json_get(scan, "skipped"));
    double issued = json_nice(json_get(scan, "issued"));
    double total = isnan(skipped) ? examine : examine - skipped;
    Row r = ctx_row(ctx, "pool_scan",
                    spot_path(path, arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(function), STR_ARG(state))));
    row_ref(&r, "node", ctx_ref(ctx, REF_POOL, js->pool));
    row_text(&r, "kind", str_of(kind));
    row_text(&r, "state", str_of(word));
    row_real(&r, "start_s", json_time(js, json_get(scan, "start_time")));
    if (strcmp(word, "running") != 0 && strcmp(word, "paused") != 0)
        row_real(&r, "end_s", json_time(js, json_get(scan, "end_time")));
    if (total > 0 && strcmp(word, "running") == 0) row_real(&r, "done_pct", 100 * issued / total);
    row_real(&r, "repaired_bytes", json_nice(json_get(scan, "processed")));
    row_count(&r, "errors", json_nice(json_get(scan, "errors")));
    row_done(&r);
    ctx->rows++;
}

static ParseResult parse_json(ParseCtx *ctx, Str text) {
    Error err = {""};
    cJSON *doc = json_read(ctx->scratch, text, &err);
    if (!doc) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return PARSE_REJECTED;
    }
    const cJSON *pools = json_get(doc, "pools"), *pool;
    if (!pools) return PARSE_REJECTED;
    JsonState js = {.ctx = ctx};
    cJSON_ArrayForEach(pool, pools) {
        Str path = json_path(ctx->scratch, STR("/pools"), pool->string ? pool->string : "");
        js.pool = json_field(ctx->scratch, pool, "name");
        if (!js.pool.len) js.pool = str_of(pool->string ? pool->string : "");
        zfs_tree_init(&js.tree);
        const cJSON *errlist = json_get(pool, "errlist"), *vdev;
        double errors = json_nice(json_get(pool, "error_count"));
        Str see = json_field(ctx->scratch, pool, "moreinfo");
        if (!see.len) see = json_field(ctx->scratch, pool, "msgid");
        Str state = json_field(ctx->scratch, pool, "state");
        Row r = ctx_row(ctx, "pool", spot_path(json_path(ctx->scratch, path, "state"), state));
        row_ref(&r, "node", ctx_ref(ctx, REF_POOL, js.pool));
        row_text(&r, "name", js.pool);
        row_text(&r, "guid", json_field(ctx->scratch, pool, "pool_guid"));
        row_text(&r, "state", state);
        row_text(&r, "status", json_field(ctx->scratch, pool, "status"));
        row_text(&r, "action", json_field(ctx->scratch, pool, "action"));
        row_text(&r, "see", see.len ? see : STR_NONE);
        if (errlist && cJSON_GetArraySize(errlist))
            row_text(&r, "errors", json_show(ctx->scratch, cJSON_GetArrayItem(errlist, 0)));
        row_count(&r, "data_errors", errors);
        Str status = json_field(ctx->scratch, pool, "status");
        if (status.len)
            row_int(&r, "status_line",
                    facts_keep_line(ctx->facts, ctx->src, spot_path(json_path(ctx->scratch, path, "status"), status)));
        if (!isnan(errors))
            row_int(&r, "errors_line",
                    facts_keep_line(ctx->facts, ctx->src,
                                    spot_path(json_path(ctx->scratch, path, "error_count"),
                                              json_field(ctx->scratch, pool, "error_count"))));
        row_done(&r);
        ctx->rows++;
        const cJSON *scan = json_get(pool, "scan_stats");
        if (scan) json_scan(&js, scan, json_path(ctx->scratch, path, "scan_stats"));
        /* "vdevs" holds the root with its data vdevs; the other classes stand beside it */
        static const struct {
            const char *key, *in_class;
        } groups[] = {{"vdevs", "data"}, {"dedup", "dedup"},   {"special", "special"},
                      {"logs", "log"},   {"l2cache", "cache"}, {"spares", "spare"}};
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
            Str below = json_path(ctx->scratch, path, groups[i].key);
            cJSON_ArrayForEach(vdev, json_get(pool, groups[i].key)) {
                Str at = json_path(ctx->scratch, below, vdev->string ? vdev->string : "");
                Str type = json_text(json_get(vdev, "vdev_type"));
                bool root =
                    i == 0 && (str_is(type, "root") || str_eq(str_of(vdev->string ? vdev->string : ""), js.pool));
                if (js.tree.top < 0) zfs_tree_pool(&js.tree, js.pool, 0);
                js.tree.in_class = groups[i].in_class;
                json_vdev(&js, vdev, at, root ? 0 : ctx_ref(ctx, REF_POOL, js.pool), groups[i].in_class, root ? 0 : 1);
            }
        }
    }
    return parse_result(ctx);
}

/* ---------------------------------------------------------------- */

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    zfs_tree_init(&s->tree);
    sb_init(&s->block, ctx->scratch);
    s->table = (Table){.read = -1, .write = -1, .cksum = -1, .slow = -1};
    Str line, pool;
    bool first = true;
    while (input_line(in, &line)) {
        if (first && json_looks(line)) {
            input_unread(in);
            Str text;
            if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
                parse_note(ctx, input_spot(in), "JSON of more than %d bytes", JSON_MAX_BYTES);
            return parse_json(ctx, text);
        }
        if (str_trim(line).len) first = false;
        line = without_colour(ctx->scratch, str_trim_right(line));
        Spot at = input_spot(in);
        if (healthy_line(line, &pool)) {
            if (pool.p) {
                begin_pool(s, pool, at);
                s->status = arena_str(ctx->scratch, str_trim(line));
                s->status_line = facts_keep_line(ctx->facts, ctx->src, at);
                ctx->rows++;
                end_pool(s);
            }
            continue;
        }
        read_line(s, line, at);
    }
    end_pool(s);
    return parse_result(ctx);
}

const Parser parser_zpool_status = {
    .name = "zpool-status",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "zpool status -P -t -s -v",
};
