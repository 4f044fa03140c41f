/*
 * iscsiadm.c - iSCSI sessions of this host and the disks behind them
 *
 * Reads   iscsiadm -m session, with -P 0 to 3
 * Gives   table iscsi_session: one row per disk, or per session where the disks are not listed
 * Sample  open-iscsi 2.1, -P 3
 *   |Target: iqn.2003-01.org.example:t1 (non-flash)
 *   |	Current Portal: 192.0.2.7:3260,1
 *   |		SID: 1
 *   |		iSCSI Connection State: LOGGED IN
 *   |			Attached scsi disk sdb		State: running
 * Varies  without -P one line per session: "tcp: [1] 192.0.2.7:3260,1 iqn.2003-01.org.example:t1 (non-flash)"
 * Source  open-iscsi usr/session_info.c
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

typedef struct Session {
    ParseCtx *ctx;
    Str target, portal, sid, connection, session;
    int64_t timeout;
    Spot at;
    bool open, disks;
} Session;

static bool short_line(Str line) {
    size_t open = str_find(line, ": [");
    return open != SIZE_MAX && open < 12 && !ch_blank(line.p[0]) &&
           (str_has(line, " iqn.") || str_has(line, " eui.") || str_has(line, " naa.") || str_has(line, " NQN-"));
}

static bool target_line(Str line) {
    return str_starts(line, "Target: iqn.") || str_starts(line, "Target: eui.") || str_starts(line, "Target: naa.") ||
           str_starts(line, "Target: NQN-"); /* redacted */
}

static bool banner(Str line) {
    return str_starts(line, "iSCSI Transport Class version ");
}

static bool starts(Str line) {
    return target_line(line) || short_line(line) || banner(line);
}

static bool continues(Str line) {
    Str s = str_trim(line), key, value;
    if (!s.len || starts(line)) return true;
    if (str_starts(line, "version ") && s.len < 20) return true;
    if (!ch_blank(line.p[0])) return false;
    return str_starts(s, "***") || str_starts(s, "scsi") || str_starts(s, "Attached scsi ") ||
           dev_key_value(s, &key, &value);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len || (str_starts(line, "version ") && n)) continue;
        return starts(line) ? 28 + (command_is(command, "iscsiadm") ? 4 : 0) : 0;
    }
    return 0;
}

static void session_row(Session *x, Str disk, Str state, Spot at) {
    Row r = ctx_row(x->ctx, "iscsi_session", at);
    if (disk.len) row_ref(&r, "node", ctx_ref(x->ctx, REF_DISK, disk));
    row_text(&r, "sid", x->sid);
    row_text(&r, "target", x->target);
    row_text(&r, "portal", x->portal);
    if (x->connection.len) row_text(&r, "connection_state", x->connection);
    if (x->session.len) row_text(&r, "session_state", x->session);
    row_int(&r, "recovery_timeout_s", x->timeout);
    if (disk.len) row_text(&r, "disk", disk);
    if (state.len) row_text(&r, "disk_state", state);
    row_done(&r);
}

static void session_end(Session *x) {
    if (x->open && !x->disks) session_row(x, STR_NONE, STR_NONE, x->at);
    x->open = x->disks = false;
    x->sid = x->connection = x->session = STR_NONE;
    x->timeout = FACT_NULL;
}

static void short_session(Session *x, Str s, Spot at) {
    Str rest = str_from(s, str_find(s, ": [") + 3);
    x->sid = arena_str(x->ctx->scratch, str_cut(&rest, ']'));
    x->portal = arena_str(x->ctx->scratch, str_word(&rest));
    x->target = arena_str(x->ctx->scratch, str_word(&rest));
    session_row(x, STR_NONE, STR_NONE, at);
    x->sid = STR_NONE;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Session x = {.ctx = ctx, .timeout = FACT_NULL};
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line), key, value;
        if (!s.len) continue;
        if (short_line(s)) {
            session_end(&x);
            short_session(&x, s, at);
        } else if (target_line(s)) {
            session_end(&x);
            Str rest = str_from(s, 8);
            x.target = arena_str(ctx->scratch, str_word(&rest));
        } else if (str_starts(s, "Current Portal: ")) {
            session_end(&x);
            x.open = true;
            x.portal = arena_str(ctx->scratch, str_trim(str_from(s, 16)));
            x.at = scan_keep(ctx->scratch, at);
        } else if (str_starts(s, "Attached scsi disk ")) {
            Str rest = str_from(s, 19), disk = str_word(&rest), state = str_after(str_trim(rest), "State: ");
            if (!disk.len) {
                parse_note(ctx, at, "a disk without a name");
                continue;
            }
            session_row(&x, disk, state, at);
            x.disks = true;
        } else if (banner(s) || str_starts(s, "version ") || str_starts(s, "***") || str_starts(s, "scsi")) {
            ;
        } else if (dev_key_value(s, &key, &value)) {
            if (str_is(key, "SID")) x.sid = arena_str(ctx->scratch, value);
            else if (str_is(key, "iSCSI Connection State")) {
                x.connection = arena_str(ctx->scratch, value);
                x.at = scan_keep(ctx->scratch, at);
            } else if (str_is(key, "iSCSI Session State")) x.session = arena_str(ctx->scratch, value);
            else if (str_is(key, "Recovery Timeout")) {
                double v;
                if (dev_leading_number(value, &v) && v < 1e9) x.timeout = (int64_t)v;
            }
        } else {
            parse_note(ctx, at, "line of iscsiadm not understood");
            continue;
        }
        ctx->rows++;
    }
    session_end(&x);
    return parse_result(ctx);
}

const Parser parser_iscsiadm = {.name = "iscsiadm",
                                .bid = bid,
                                .starts = starts,
                                .continues = continues,
                                .parse = parse,
                                .ask = "iscsiadm -m session -P 3"};
