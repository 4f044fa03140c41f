/*
 * pbs_log.c - what a task of Proxmox Backup Server wrote while it ran
 *
 * Reads   proxmox-backup-manager task log UPID; the task viewer's text; files of /var/log/proxmox-backup/tasks
 * Gives   job (told_by task): garbage collection, verification, prune, sync, with start, end and state
 * Sample  Proxmox Backup Server 3
 *   | 2024-05-23T03:00:00+02:00: starting garbage collection on store store1
 *   | 2024-05-23T03:00:00+02:00: Start GC phase1 (mark used chunks)
 *   | 2024-05-23T05:12:44+02:00: marked 50% (206 of 412 index files)
 *   | 2024-05-23T09:40:02+02:00: Removed chunks: 10417
 *   | 2024-05-23T09:40:02+02:00: TASK OK
 * Varies  the first lines are missing in excerpts: then the kind follows from the words of its progress. A log without its last line
 *         (TASK OK, TASK ERROR, TASK WARNINGS) is one of a task that was running, up to its last stamp.
 * Source  proxmox-backup pbs-datastore/src/datastore.rs, src/backup/verify.rs; proxmox-rest-server worker_task.rs
 */
#include "../base/times.h"
#include "parser.h"

#include <math.h>

/* "2024-05-23T03:00:00+02:00: words" */
static bool stamped(Str line, double *t, Str *words) {
    bool zone;
    if (line.len < 28 || !ch_digit(line.p[0]) || line.p[10] != 'T' || line.p[13] != ':') return false;
    size_t at = str_find(str_sub(line, 19, 8), ": ");
    if (at == SIZE_MAX) return false;
    if (!time_parse(str_sub(line, 0, 19 + at), t, &zone) || !zone) return false;
    *words = str_trim(str_from(line, 19 + at + 2));
    return words->len > 0;
}

static const struct {
    const char *begin, *kind, *task;
} sayings[] = {
    {"starting garbage collection on store ", "gc", "garbage_collection"},
    {"Start GC phase1", "gc", "garbage_collection"},
    {"Start GC phase2", "gc", "garbage_collection"},
    {"marked ", "gc", "garbage_collection"},
    {"Removed garbage: ", "gc", "garbage_collection"},
    {"Removed chunks: ", "gc", "garbage_collection"},
    {"Pending removals: ", "gc", "garbage_collection"},
    {"Original data usage: ", "gc", "garbage_collection"},
    {"On-Disk usage: ", "gc", "garbage_collection"},
    {"On-Disk chunks: ", "gc", "garbage_collection"},
    {"Deduplication factor: ", "gc", "garbage_collection"},
    {"Average chunk size: ", "gc", "garbage_collection"},
    {"Starting datastore verify job '", "verify", "verificationjob"},
    {"verify datastore ", "verify", "verify"},
    {"verify group ", "verify", "verify"},
    {"verified ", "verify", "verify"},
    {"Starting datastore prune on datastore ", "prune", "prunejob"},
    {"Starting datastore sync job '", "sync", "syncjob"},
};

static const char *kind_of(Str words, const char **task) {
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
        if (str_starts(words, sayings[i].begin)) {
            *task = sayings[i].task;
            return sayings[i].kind;
        }
    return NULL;
}

static bool known(Str line) {
    double t;
    Str words;
    const char *task;
    return stamped(line, &t, &words) && kind_of(words, &task);
}

static int bid(Str path, Str command, Str head) {
    int bits = str_has(command, "task log") || path_has(path, "proxmox-backup/tasks") ? 6 : 0;
    double t;
    Str words;
    for (int n = 0; n < 40 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (!stamped(line, &t, &words)) return 0;
        if (known(line)) return 26 + bits;
    }
    return 0;
}

static bool starts(Str line) {
    return known(line);
}

static bool continues(Str line) {
    double t;
    Str words;
    return !str_trim(line).len || stamped(line, &t, &words);
}

typedef struct Task {
    const char *kind, *name;
    Str target;
    double start, last;
    bool ended;
    Spot at;
} Task;

static void put(ParseCtx *ctx, Ref host, const Task *t) {
    if (!t->kind) return;
    Row r = ctx_row(ctx, "job", t->at);
    row_ref(&r, "node", host);
    row_text(&r, "kind", str_of(t->kind));
    row_text(&r, "name",
             t->target.len ? arena_strf(ctx->scratch, "%s %.*s", t->name, STR_ARG(t->target)) : str_of(t->name));
    row_text(&r, "target", t->target);
    row_text(&r, "told_by", STR("task"));
    row_text(&r, "state", t->ended ? STR("finished") : STR("unknown"));
    row_real(&r, "start_s", t->start);
    row_real(&r, "end_s", t->last); /* without its last line: it was still at work then */
    row_done(&r);
}

/* What the first line names: a store, or the job in quotes. */
static Str target_of(ParseCtx *ctx, Str words) {
    size_t quote = str_find_ch(words, '\''), store = str_find(words, "store ");
    if (quote != SIZE_MAX) {
        Str rest = str_from(words, quote + 1);
        return arena_str(ctx->scratch, str_cut(&rest, '\''));
    }
    if (store == SIZE_MAX) return STR_NONE;
    Str rest = str_from(words, store + 6);
    if (str_starts(rest, "'")) rest = str_from(rest, 1);
    return arena_str(ctx->scratch, str_word(&rest));
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, words;
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    Task task = {.start = NAN, .last = NAN};
    double t;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (!stamped(line, &t, &words)) {
            parse_note(ctx, at, "not a line of a task's log: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        const char *name = NULL, *kind = kind_of(words, &name);
        bool begins = str_istarts(words, "starting ");
        if ((begins && kind && task.kind) || task.ended) { /* another task's log follows */
            put(ctx, host, &task);
            task = (Task){.start = NAN, .last = NAN};
        }
        if (isnan(task.start)) {
            task.start = t;
            task.at = at;
            task.at.text = arena_str(ctx->scratch, at.text);
        }
        task.last = t;
        if (kind && !task.kind) {
            task.kind = kind;
            task.name = name;
            if (begins || str_starts(words, "verify datastore ")) task.target = target_of(ctx, words);
        }
        if (str_starts(words, "TASK ")) task.ended = true;
    }
    put(ctx, host, &task);
    return parse_result(ctx);
}

const Parser parser_pbs_log = {.name = "pbs-task-log",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "proxmox-backup-manager task log UPID"};
