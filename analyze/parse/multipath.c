/*
 * multipath.c - paths of multipath devices
 *
 * Reads   multipath -ll, multipath -d -v 2 -ll; multipath-tools 0.4 to 0.9
 * Gives   setting multipath_* of the map and multipath_path_state of each path; edges path -> map; which map is dm-N
 * Sample  multipath-tools 0.8
 *   | mpatha (3600508b4000156d700012000000b0000) dm-2 VENDOR,PRODUCT
 *   | size=100G features='1 queue_if_no_path' hwhandler='0' wp=rw
 *   | `-+- policy='service-time 0' prio=1 status=active
 *   |   |- 2:0:0:1 sdb 8:16 active ready running
 *   |   `- 3:0:0:1 sdc 8:32 failed faulty running
 * Varies  without user_friendly_names the WWID stands first and alone, with a new map "create: " or ": " before it; up to 0.4.8
 *         "[size=100G][features=0]" and "\_ 2:0:0:1 sdb 8:16 [active][ready]". Native NVMe multipath is listed with "[nvme]" and n/a.
 */
#include "device_text.h"
#include "scan.h"

/* "NAME [(WWID)] dm-N VENDOR,PRODUCT"; NVMe: "ID [nvme]:nvme0n1 NVMe,MODEL,FW". */
static bool map_row(Str line, Str *name, Str *wwid, Str *dm) {
    Str s = str_trim(line);
    size_t at = str_find(s, " dm-"), nvme = str_find(s, " [nvme]:");
    *wwid = STR_NONE;
    if (nvme != SIZE_MAX && str_has(s, "NQN:")) {
        Str rest = str_from(s, nvme + 8);
        *name = str_sub(s, 0, nvme);
        *dm = str_word(&rest);
        return dm->len > 0;
    }
    if (at == SIZE_MAX || !at) return false;
    Str rest = str_from(s, at + 1);
    *dm = str_word(&rest);
    uint64_t n;
    if (!str_u64(str_from(*dm, 3), &n)) return false;
    Str front = str_sub(s, 0, at), word;
    static const char *const actions[] = {
        "create: ", "reload: ", "undef: ", "rename: ", "resize: ", "switchpg: ", "unchanged: ", "reject: ", ": "};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (str_starts(front, actions[i])) {
            front = str_from(front, strlen(actions[i]));
            break;
        }
    word = str_word(&front);
    *name = word;
    front = str_trim(front);
    if (front.len > 2 && front.p[0] == '(' && front.p[front.len - 1] == ')') *wwid = str_sub(front, 1, front.len - 2);
    else if (front.len) return false;
    return name->len > 0 && (!str_trim(rest).len || str_find_ch(rest, ',') != SIZE_MAX || str_has(rest, "##"));
}

static bool size_row(Str line) {
    Str s = str_trim(line);
    return (str_starts(s, "size=") && str_has(s, "features=")) || (str_starts(s, "[size=") && str_has(s, "[features="));
}

static Str without_drawing(Str line) {
    size_t i = 0;
    while (i < line.len && (ch_blank(line.p[i]) || line.p[i] == '|' || line.p[i] == '`' || line.p[i] == '-' ||
                            line.p[i] == '+' || line.p[i] == '\\' || line.p[i] == '_'))
        i++;
    return str_from(line, i);
}

static bool group_row(Str line) {
    Str s = without_drawing(line);
    if (s.len == line.len) return false;
    return (str_starts(s, "policy=") && str_has(s, "status=")) ||
           ((str_starts(s, "round-robin") || str_starts(s, "queue-length") || str_starts(s, "service-time")) &&
            str_has(s, "[prio="));
}

/* "2:0:0:1 sdb 8:16 active ready running" */
static bool path_row(Str line, Str *hctl, Str *device, Str *states) {
    Str s = without_drawing(line);
    uint64_t a, b;
    if (s.len == line.len) return false;
    *hctl = str_word(&s);
    *device = str_word(&s);
    Str number = str_word(&s);
    *states = str_trim(s);
    if (str_is(*hctl, "#:#:#:#")) return device->len > 0 && states->len > 0;
    size_t parts = 0;
    for (size_t i = 0; i < hctl->len; i++) parts += hctl->p[i] == ':';
    return hctl->len && ch_digit(hctl->p[0]) && parts == 3 && device->len && scan_number_pair(number, &a, &b) &&
           states->len;
}

static bool starts(Str line) {
    Str name, wwid, dm;
    return map_row(line, &name, &wwid, &dm) && !ch_blank(line.p[0]);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "multipath") || path_has(path, "multipath") ? 6 : 0;
    Str name, wwid, dm;
    bool map = false;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (map_row(line, &name, &wwid, &dm)) map = true;
        else if (map && (size_row(line) || group_row(line))) return 30 + bits;
        else if (size_row(line)) return 16 + bits;
        else return 0;
    }
    return map ? 14 + bits : 0;
}

static bool continues(Str line) {
    Str a, b, c;
    return !str_trim(line).len || map_row(line, &a, &b, &c) || size_row(line) || group_row(line) ||
           path_row(line, &a, &b, &c);
}

typedef struct Map {
    ParseCtx *ctx;
    Ref ref;
    int64_t paths, failed;
    Spot at;
} Map;

static void end_map(Map *m) {
    if (m->ref && m->paths) {
        ctx_setting_int(m->ctx, m->ref, "multipath_paths", m->paths, "kernel", m->at);
        ctx_setting_int(m->ctx, m->ref, "multipath_paths_failed", m->failed, "kernel", m->at);
    }
    m->ref = 0;
    m->paths = m->failed = 0;
}

/* features='1 queue_if_no_path' or [features=1 queue_if_no_path] */
static void features(Map *m, Str line, Spot at) {
    size_t from = str_find(line, "features=");
    if (from == SIZE_MAX || !m->ref) return;
    Str rest = str_from(line, from + 9), value;
    if (rest.len && rest.p[0] == '\'') {
        rest = str_from(rest, 1);
        value = str_cut(&rest, '\'');
    } else {
        value = str_cut(&rest, ']');
    }
    Str words = value, count = str_word(&words);
    uint64_t n;
    if (str_u64(count, &n))
        ctx_setting(m->ctx, m->ref, "multipath_features", n ? str_trim(words) : STR("none"), "kernel", at);
}

static void add_path(Map *m, Str hctl, Str device, Str states, Spot at) {
    ParseCtx *ctx = m->ctx;
    StrBuf b;
    sb_init(&b, ctx->scratch);
    for (size_t i = 0; i < states.len; i++) { /* [active][ready] of old versions */
        char c = states.p[i];
        if (c == '[' || c == ']' || ch_blank(c)) {
            if (b.len && b.p[b.len - 1] != ' ') sb_addc(&b, ' ');
        } else {
            sb_addc(&b, c);
        }
    }
    Str words = str_trim(sb_str(&b));
    m->paths++;
    /* "ghost" is the standby side of an array, "i/o pending" a check that runs */
    if (str_has(words, "failed") || str_has(words, "faulty") || str_has(words, "offline") || str_has(words, "shaky") ||
        str_has(words, "timeout"))
        m->failed++;
    if (str_is(device, "-") || str_starts(device, "#")) return; /* a path whose device is gone */
    Ref disk = ctx_ref(ctx, REF_DISK, device);
    ctx_setting(ctx, disk, "multipath_path_state", words, "kernel", at);
    if (scan_hctl(hctl)) facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_SCSI, hctl), disk, "multipath", at);
    if (m->ref) facts_edge(ctx->facts, ctx->src, disk, m->ref, at);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Map m = {.ctx = ctx};
    Str line;
    while (input_line(in, &line)) {
        Str a, b, c, s = str_trim(line);
        Spot at = input_spot(in);
        if (!s.len) continue;
        if (map_row(line, &a, &b, &c)) {
            end_map(&m);
            ctx->rows++;
            m.ref = ctx_ref(ctx, REF_DISK, c);
            m.at = scan_keep(ctx->scratch, at);
            if (str_starts(c, "dm-"))
                facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, a), m.ref, "multipath", at);
        } else if (size_row(line)) {
            ctx->rows++;
            features(&m, line, at);
        } else if (group_row(line)) {
            ctx->rows++;
        } else if (path_row(line, &a, &b, &c)) {
            ctx->rows++;
            add_path(&m, a, b, c, at);
        } else {
            parse_note(ctx, at, "not understood in the output of multipath: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    end_map(&m);
    return parse_result(ctx);
}

const Parser parser_multipath = {
    .name = "multipath",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "multipath -ll",
};
