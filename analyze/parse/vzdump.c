/*
 * vzdump.c - backups of guests as Proxmox VE logs them
 *
 * Reads   the log of vzdump: task output, e-mail, the files of /var/log/vzdump, syslog lines
 * Gives   job (kind backup, told_by task), one per guest
 * Sample  Proxmox VE 8
 *   | INFO: starting new backup job: vzdump 104 --mode snapshot --storage pbs
 *   | INFO: Starting Backup of VM 104 (qemu)
 *   | INFO: Backup started at 2024-03-01 02:00:03
 *   | INFO:  12% (4.0 GiB of 32.0 GiB) in 38s, read: 110.0 MiB/s, write: 108.2 MiB/s
 *   | INFO: Finished Backup of VM 104 (00:05:03)
 *   | INFO: Backup finished at 2024-03-01 02:05:06
 * Varies  older versions have the progress as "status: 12% (...)", and containers none. Files start each line with a date
 *         ("2024-03-01 02:00:03 INFO: ..."); since 7 the task log does not. Times are local.
 * Source  pve-manager PVE/VZDump.pm, qemu-server PVE/VZDump/QemuServer.pm
 */
#include "../base/times.h"
#include "parser.h"

#include <math.h>

/* The line behind a date of the file form; *date is that date or empty. */
static Str message(Str line, Str *date) {
    *date = STR_NONE;
    static const char *const levels[] = {"INFO: ", "ERROR: ", "WARN: ", "WARNING: ", NULL};
    for (size_t i = 0; levels[i]; i++)
        if (str_starts(line, levels[i])) return line;
    if (line.len > 25 && ch_digit(line.p[0])) {
        size_t at = str_find(str_sub(line, 0, 40), "INFO: ");
        if (at == SIZE_MAX) at = str_find(str_sub(line, 0, 40), "ERROR: ");
        if (at == SIZE_MAX) at = str_find(str_sub(line, 0, 40), "WARN: ");
        double t;
        if (at != SIZE_MAX && time_parse(str_trim(str_sub(line, 0, at)), &t, NULL)) {
            *date = str_trim(str_sub(line, 0, at));
            return str_from(line, at);
        }
    }
    return STR_NONE;
}

static bool begins(Str m) {
    return str_starts(m, "INFO: starting new backup job: vzdump ") || str_starts(m, "INFO: Starting Backup of VM ") ||
           str_starts(m, "INFO: Starting Backup of CT ");
}

static bool end_line(Str line) {
    return str_starts(line, "TASK OK") || str_starts(line, "TASK ERROR: ") || str_starts(line, "TASK WARNINGS: ");
}

static int bid(Str path, Str command, Str head) {
    Str date;
    (void)command;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        Str m = message(line, &date);
        if (!m.p) return 0;
        if (begins(m)) return path_has(path, "vzdump") ? 34 : 30;
    }
    return 0;
}

static bool starts(Str line) {
    Str date;
    return begins(message(line, &date));
}

static bool continues(Str line) {
    Str date;
    return message(line, &date).p || end_line(line);
}

typedef struct Backup {
    ParseCtx *ctx;
    bool open;
    Str guest, state;
    double start, end;
    Spot at;
    Ref host;
} Backup;

static void put(Backup *b) {
    if (!b->open) return;
    Row r = ctx_row(b->ctx, "job", b->at);
    row_ref(&r, "node", b->host);
    row_text(&r, "kind", STR("backup"));
    row_text(&r, "name", arena_strf(b->ctx->scratch, "vzdump %.*s", STR_ARG(b->guest)));
    row_text(&r, "target", b->guest);
    row_text(&r, "told_by", STR("task"));
    row_text(&r, "state", b->state);
    row_real(&r, "local_start_s", b->start);
    row_real(&r, "local_end_s", b->end);
    row_done(&r);
    b->open = false;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Backup b = {.ctx = ctx, .host = ctx_ref(ctx, REF_HOST, STR("host"))};
    Str line, date;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        Str m = message(line, &date), rest;
        double t;
        if (!m.p && end_line(line)) {
            ctx->rows++;
            continue;
        }
        if (!m.p) {
            parse_note(ctx, at, "not a line of vzdump: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        bool vm = (rest = str_after(m, "INFO: Starting Backup of VM ")).p != NULL;
        if (vm || (rest = str_after(m, "INFO: Starting Backup of CT ")).p) {
            put(&b);
            b = (Backup){.ctx = ctx, .host = b.host, .open = true, .start = NAN, .end = NAN, .state = STR("unknown")};
            b.guest = arena_str(ctx->scratch, str_word(&rest));
            b.at = at;
            b.at.text = arena_str(ctx->scratch, at.text);
            if (date.len) time_parse(date, &b.start, NULL);
        } else if ((rest = str_after(m, "INFO: Backup started at ")).p) {
            if (!time_parse(str_trim(rest), &t, NULL))
                parse_note(ctx, at, "no time: \"%.*s\"", STR_ARG(str_sub(rest, 0, 40)));
            else if (b.open) b.start = t;
        } else if ((rest = str_after(m, "INFO: Backup finished at ")).p ||
                   (rest = str_after(m, "INFO: Failed at ")).p) {
            if (!time_parse(str_trim(rest), &t, NULL))
                parse_note(ctx, at, "no time: \"%.*s\"", STR_ARG(str_sub(rest, 0, 40)));
            else if (b.open) b.end = t;
            b.state = STR("finished");
            put(&b);
        } else if (str_starts(m, "INFO: Finished Backup of ") || str_starts(m, "ERROR: Backup of ")) {
            b.state = STR("finished");
            if (date.len) time_parse(date, &b.end, NULL);
        }
    }
    put(&b);
    return parse_result(ctx);
}

const Parser parser_vzdump = {
    .name = "vzdump",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "cat /var/log/vzdump/qemu-ID.log",
};
