/*
 * task_list.c - tasks of Proxmox VE and Proxmox Backup Server
 *
 * Reads   pvenode task list, proxmox-backup-manager task list (tables with or without drawn lines)
 * Gives   job (told_by task): kind by the type in the task's id, start, end, state
 * Sample  pvenode task list, LC_ALL=C
 *   | | UPID                                                    | Type   | ID  | User     | Starttime  | Endtime    | Status |
 *   | | UPID:pve:0001A2B3:02F1C3D4:664F0A10:vzdump:101:root@pam: | vzdump | 101 | root@pam | 1716456976 | 1716457801 | OK     |
 * Sample  proxmox-backup-manager task list
 *   | | starttime                | endtime | upid                                                              | status  |
 *   | | Thu May 23 03:00:00 2024 |         | UPID:pbs:00000A1B:00000C2D:00000005:664E9430:garbage_collection:store1:root@pam: | running |
 * Varies  the lines are drawn with Unicode in a terminal. The id holds the start in hexadecimal seconds: the sixth part, of a backup server
 *         the seventh, and behind it type and object. Endtime is a number or a date in local time. A task without an end whose status
 *         is not that of a running one is of an unknown state (the host went down).
 */
#include "../base/times.h"
#include "../facts/jobs.h"
#include "parser.h"

#include <math.h>

enum { COLUMNS = 12 };

static bool bar(Str s, size_t *len) {
    if (str_starts(s, "|")) return *len = 1, true;
    if (str_starts(s, "\xe2\x94\x82")) return *len = 3, true; /* │ */
    return false;
}

/* The cells of a drawn row; 0: it is none. */
static size_t cells(Str s, Str *out) {
    size_t n = 0, len;
    s = str_trim(s);
    if (!bar(s, &len)) return 0;
    s = str_from(s, len);
    while (s.len && n < COLUMNS) {
        size_t end = 0;
        while (end < s.len && !bar(str_from(s, end), &len)) end++;
        if (end >= s.len) break;
        out[n++] = str_trim(str_sub(s, 0, end));
        s = str_from(s, end + len);
    }
    return n;
}

static bool rule_line(Str s) {
    s = str_trim(s);
    if (!s.len) return false;
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] < 0x80 && s.p[i] != '-' && s.p[i] != '+' && s.p[i] != '=' && s.p[i] != '|' &&
            s.p[i] != ' ')
            return false;
    return str_has(s, "--") || str_has(s, "==") || str_has(s, "\xe2\x94\x80") || str_has(s, "\xe2\x95\x90");
}

static bool heading(Str s) {
    Str c[COLUMNS];
    size_t n = cells(s, c);
    bool upid = false, start = false;
    for (size_t i = 0; i < n; i++) {
        upid = upid || str_ieq(c[i], STR("upid"));
        start = start || str_ieq(c[i], STR("starttime"));
    }
    return upid && start;
}

/* UPID:NODE:PID:PSTART:[TASK:]START:TYPE:ID:USER: */
static bool task_id(Str id, double *start, Str *type, Str *object) {
    Str part[12];
    size_t n = 0;
    while (n < 12 && id.len) part[n++] = str_cut(&id, ':');
    if (n < 7 || !str_is(part[0], "UPID")) return false;
    size_t at = n >= 8 && part[5].len == 8 && ch_hex(part[5].p[0]) && str_find_ch(part[5], '_') == SIZE_MAX ? 5 : 4;
    uint64_t seconds;
    if (at == 5 && !str_hex_u64(part[5], &seconds)) at = 4;
    if (!str_hex_u64(part[at], &seconds) || seconds < 946684800 || seconds > 4102444800 || at + 1 >= n) return false;
    *start = (double)seconds;
    *type = part[at + 1];
    *object = at + 2 < n ? part[at + 2] : STR_NONE;
    return type->len > 0;
}

static int bid(Str path, Str command, Str head) {
    int bits = str_has(command, "task list") || path_has(path, "tasks") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str s = head_line(&head);
        if (!str_trim(s).len || rule_line(s)) continue;
        return heading(s) ? 26 + bits : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return heading(line);
}

static bool continues(Str line) {
    Str c[COLUMNS];
    return !str_trim(line).len || rule_line(line) || cells(line, c) > 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, c[COLUMNS];
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    size_t upid = SIZE_MAX, end = SIZE_MAX, status = SIZE_MAX;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len || rule_line(line)) continue;
        size_t n = cells(line, c);
        if (n && heading(line)) {
            upid = end = status = SIZE_MAX;
            for (size_t i = 0; i < n; i++) {
                if (str_ieq(c[i], STR("upid"))) upid = i;
                if (str_ieq(c[i], STR("endtime"))) end = i;
                if (str_ieq(c[i], STR("status"))) status = i;
            }
            ctx->rows++;
            continue;
        }
        double started, ended = NAN;
        Str type, object;
        if (upid >= n || !task_id(c[upid], &started, &type, &object)) {
            parse_note(ctx, at, "not a task: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        bool zone = true;
        Str said = status < n ? c[status] : STR_NONE;
        if (end < n && c[end].len && !time_parse(c[end], &ended, &zone))
            parse_note(ctx, at, "no time: \"%.*s\"", STR_ARG(str_sub(c[end], 0, 40)));
        bool runs = isnan(ended) && (str_ieq(said, STR("running")) || !said.len);
        const char *kind = job_kind(type);
        Row r = ctx_row(ctx, "job", at);
        row_ref(&r, "node", host);
        row_text(&r, "kind", kind ? str_of(kind) : STR_NONE);
        row_text(&r, "name", object.len ? arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(type), STR_ARG(object)) : type);
        row_text(&r, "target", object.len ? object : STR_NONE);
        row_text(&r, "told_by", STR("task"));
        row_text(&r, "state", runs ? STR("running") : isnan(ended) ? STR("unknown") : STR("finished"));
        row_real(&r, "start_s", started);
        row_real(&r, zone ? "end_s" : "local_end_s", ended);
        row_done(&r);
    }
    return parse_result(ctx);
}

const Parser parser_task_list = {.name = "task-list",
                                 .bid = bid,
                                 .starts = starts,
                                 .continues = continues,
                                 .parse = parse,
                                 .ask = "pvenode task list --limit 50; proxmox-backup-manager task list --all"};
