/*
 * drbd.c - DRBD devices: who is connected, who is up to date, what is waited for
 *
 * Reads   /proc/drbd (DRBD 8), drbdsetup status --verbose --statistics, drbdadm status (DRBD 9)
 * Gives   table drbd_volume, one row per volume and peer
 * Sample  DRBD 8.4, then 9
 *   | 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent C r-----
 *   |    ns:1234 nr:0 dw:5678 dr:9 al:1 bm:0 lo:0 pe:12 ua:3 ap:12 ep:1 wo:f oos:345678
 *   |r0 node-id:0 role:Primary suspended:no
 *   |  volume:0 minor:0 disk:UpToDate
 *   |  nodeb node-id:1 connection:Connected role:Secondary congested:yes ap-in-flight:12 rs-in-flight:0
 *   |    volume:0 replication:Established peer-disk:UpToDate resync-suspended:no
 * Varies  status without --verbose leaves out what is normal: no connection means Connected, no replication means Established. Sizes are KiB.
 * Source  DRBD drbd_proc.c; drbd-utils user/v9/drbdsetup.c, drbdsetup-9.0(8) status
 */
#include "device_text.h"
#include "parser.h"
#include "scan.h"

#include <math.h>
#include <stdio.h>

enum { MAX_VOLUMES = 64 };

typedef struct Volume {
    Str number, disk;
    int64_t minor, lower, upper;
} Volume;

typedef struct Peer {
    Str resource, role, peer, connection, peer_role, replication, peer_disk, disk, protocol, volume;
    int64_t minor, pending, unacked, lower, upper;
    double oos, sync_pct, speed;
    int64_t congested;
    Spot at;
    bool open;
} Peer;

static Str field(Str line, const char *key) {
    Str rest = line, word;
    size_t n = strlen(key);
    while ((word = str_word(&rest)).len)
        if (word.len > n && str_starts(word, key) && word.p[n] == ':') return str_from(word, n + 1);
    return STR_NONE;
}

static int64_t count_field(Str line, const char *key) {
    Str v = field(line, key);
    uint64_t n;
    return v.len && str_u64(v, &n) && n < INT64_MAX ? (int64_t)n : FACT_NULL;
}

/* " 0: cs:Connected ro:..." */
static bool proc_line(Str line, int64_t *minor) {
    Str s = str_trim(line);
    size_t colon = str_find(s, ": cs:");
    uint64_t n;
    if (colon == SIZE_MAX || colon > 6 || !str_u64(str_sub(s, 0, colon), &n)) return false;
    *minor = (int64_t)n;
    return true;
}

static bool banner(Str line) {
    return str_starts(line, "version: ") && str_has(line, "(api:") && str_has(line, "/proto:");
}

/* "r0 role:Primary", "r0 node-id:0 role:Primary suspended:no" */
static bool resource_line(Str line) {
    if (!line.len || ch_blank(line.p[0])) return false;
    Str rest = line, name = str_word(&rest);
    if (str_find_ch(name, ':') != SIZE_MAX) return false;
    rest = str_trim(rest);
    return (str_starts(rest, "role:") || (str_starts(rest, "node-id:") && str_has(rest, " role:"))) &&
           field(rest, "role").len;
}

static bool starts(Str line) {
    int64_t minor;
    Str s = str_trim_right(line);
    return banner(s) || proc_line(s, &minor) || resource_line(s);
}

static bool tokens(Str s) {
    Str rest = s, word;
    size_t pairs = 0, n = 0;
    while ((word = str_word(&rest)).len) {
        n++;
        if (str_find_ch(word, ':') != SIZE_MAX) pairs++;
    }
    return pairs > 0 && pairs + 1 >= n;
}

static bool sync_line(Str s) {
    return (str_has(s, "sync'ed:") && str_find_ch(s, '%') != SIZE_MAX) ||
           (str_starts(s, "finish: ") && str_has(s, "speed: "));
}

static bool continues(Str line) {
    Str s = str_trim(line);
    if (!s.len || starts(line) || str_starts(s, "GIT-hash: ") || str_starts(s, "srcversion: ")) return true;
    if (str_starts(s, "resync: used:") || str_starts(s, "act_log: used:") || sync_line(s)) return true;
    return ch_blank(line.p[0]) && tokens(s);
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "drbdsetup") || command_is(command, "drbdadm") || path_has(path, "drbd") ? 6 : 0;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!line.len) continue;
        if (banner(line)) return 32 + bits;
        return starts(line) ? 20 + bits : 0;
    }
    return 0;
}

static void peer_row(ParseCtx *ctx, Peer *p) {
    if (!p->open) return;
    p->open = false;
    Row r = ctx_row(ctx, "drbd_volume", p->at);
    if (p->minor != FACT_NULL)
        row_ref(&r, "node", ctx_ref(ctx, REF_DISK, arena_strf(ctx->scratch, "drbd%lld", (long long)p->minor)));
    row_int(&r, "minor", p->minor);
    const struct {
        const char *column;
        Str text;
    } texts[] = {
        {"resource", p->resource},   {"peer", p->peer}, {"connection", p->connection}, {"role", p->role},
        {"peer_role", p->peer_role}, {"disk", p->disk}, {"peer_disk", p->peer_disk},   {"replication", p->replication},
        {"protocol", p->protocol}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text.len) row_text(&r, texts[i].column, texts[i].text);
    row_int(&r, "pending", p->pending);
    row_int(&r, "unacked", p->unacked);
    row_int(&r, "lower_pending", p->lower);
    row_int(&r, "upper_pending", p->upper);
    row_real(&r, "out_of_sync_bytes", p->oos * 1024);
    row_real(&r, "sync_pct", p->sync_pct);
    row_real(&r, "sync_bytes_s", p->speed);
    row_int(&r, "congested", p->congested);
    row_done(&r);
}

static const Peer nobody = {.minor = FACT_NULL,
                            .pending = FACT_NULL,
                            .unacked = FACT_NULL,
                            .lower = FACT_NULL,
                            .upper = FACT_NULL,
                            .oos = NAN,
                            .sync_pct = NAN,
                            .speed = NAN,
                            .congested = FACT_NULL};

static Str keep(ParseCtx *ctx, Str s) {
    return s.len ? arena_str(ctx->scratch, s) : STR_NONE;
}

static void proc_facts(ParseCtx *ctx, Peer *p, Str s, int64_t minor, Spot at) {
    peer_row(ctx, p);
    *p = nobody;
    p->minor = minor;
    p->at = scan_keep(ctx->scratch, at);
    p->connection = keep(ctx, field(s, "cs"));
    if (str_is(p->connection, "Unconfigured")) return;
    p->open = true;
    Str roles = field(s, "ro"), disks = field(s, "ds"), rest = s, word, before = STR_NONE;
    if (!roles.len) roles = field(s, "st"); /* 8.2 */
    p->role = keep(ctx, str_cut(&roles, '/'));
    p->peer_role = keep(ctx, roles);
    p->disk = keep(ctx, str_cut(&disks, '/'));
    p->peer_disk = keep(ctx, disks);
    while ((word = str_word(&rest)).len) {
        if (word.len == 1 && (word.p[0] == 'A' || word.p[0] == 'B' || word.p[0] == 'C') && str_has(before, ":"))
            p->protocol = keep(ctx, word);
        before = word;
    }
}

/* Figures of the line that follows: of /proc/drbd, or of a peer's volume in status. */
static void figures(Peer *p, Str s) {
    static const struct {
        const char *key;
        size_t at;
    } keys[] = {{"pe", offsetof(Peer, pending)},      {"ua", offsetof(Peer, unacked)},
                {"lo", offsetof(Peer, lower)},        {"ap", offsetof(Peer, upper)},
                {"pending", offsetof(Peer, pending)}, {"unacked", offsetof(Peer, unacked)}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int64_t n = count_field(s, keys[i].key);
        if (n != FACT_NULL) memcpy((char *)p + keys[i].at, &n, sizeof n);
    }
    int64_t oos = count_field(s, "oos");
    if (oos == FACT_NULL) oos = count_field(s, "out-of-sync");
    if (oos != FACT_NULL) p->oos = (double)oos;
    Str done = field(s, "done");
    double v;
    if (done.len && str_double(done, &v)) p->sync_pct = v;
}

static void sync_facts(Peer *p, Str s) {
    size_t at = str_find(s, "sync'ed:");
    double v;
    uint64_t n;
    if (at != SIZE_MAX && dev_leading_number(str_trim_left(str_from(s, at + 8)), &v)) p->sync_pct = v;
    at = str_find(s, "speed: ");
    if (at != SIZE_MAX && dev_grouped(str_from(s, at + 7), &n)) p->speed = (double)n * 1024;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Peer p = nobody, peer = nobody; /* p: the row being filled; peer: what all volumes of a peer have in common */
    Volume volumes[MAX_VOLUMES];
    size_t count = 0;
    Volume *local = NULL;
    Str line, resource = STR_NONE, role = STR_NONE;
    bool status = false, at_peer = false, peer_done = true;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line);
        int64_t minor;
        if (!s.len) continue;
        if (proc_line(s, &minor)) {
            status = false;
            proc_facts(ctx, &p, s, minor, at);
        } else if (resource_line(str_trim_right(line))) {
            if (!peer_done) p = peer, p.open = true;
            peer_row(ctx, &p);
            peer_done = true;
            status = true;
            at_peer = false;
            count = 0;
            local = NULL;
            Str rest = s;
            resource = keep(ctx, str_word(&rest));
            role = keep(ctx, field(s, "role"));
        } else if (banner(s) || str_starts(s, "GIT-hash: ") || str_starts(s, "srcversion: ") ||
                   str_starts(s, "resync: used:") || str_starts(s, "act_log: used:")) {
            ;
        } else if (sync_line(s)) {
            sync_facts(&p, s);
        } else if (!status && tokens(s)) {
            figures(&p, s);
        } else if (status && tokens(s)) {
            Str rest = s, first = str_word(&rest);
            size_t indent = 0;
            while (indent < line.len && ch_blank(line.p[indent])) indent++;
            bool named = str_find_ch(first, ':') == SIZE_MAX;
            if (named) { /* a peer */
                if (!peer_done) p = peer, p.open = true;
                peer_row(ctx, &p);
                peer = nobody;
                peer.resource = resource;
                peer.role = role;
                peer.peer = keep(ctx, first);
                peer.peer_role = keep(ctx, field(s, "role"));
                peer.connection = keep(ctx, field(s, "connection"));
                if (!peer.connection.len) peer.connection = STR("Connected");
                Str congested = field(s, "congested");
                peer.congested = congested.len ? str_is(congested, "yes") : FACT_NULL;
                peer.at = scan_keep(ctx->scratch, at);
                if (count) { /* a peer without volumes of its own still stands for ours */
                    peer.disk = volumes[0].disk;
                    peer.minor = volumes[0].minor;
                    peer.lower = volumes[0].lower;
                    peer.upper = volumes[0].upper;
                }
                at_peer = true;
                peer_done = false;
            } else if (field(s, "peer-disk").len || (at_peer && field(s, "replication").len)) {
                peer_row(ctx, &p);
                p = peer;
                p.open = true;
                peer_done = true;
                p.at = scan_keep(ctx->scratch, at);
                p.volume = keep(ctx, field(s, "volume"));
                p.peer_disk = keep(ctx, field(s, "peer-disk"));
                p.replication = keep(ctx, field(s, "replication"));
                if (!p.replication.len) p.replication = STR("Established");
                for (size_t i = 0; i < count; i++)
                    if (!p.volume.len || str_eq(volumes[i].number, p.volume)) {
                        p.disk = volumes[i].disk;
                        p.minor = volumes[i].minor;
                        p.lower = volumes[i].lower;
                        p.upper = volumes[i].upper;
                        break;
                    }
                figures(&p, s);
            } else if (!at_peer && field(s, "disk").len) {
                if (count == MAX_VOLUMES) {
                    parse_note(ctx, at, "more than %d volumes", MAX_VOLUMES);
                    continue;
                }
                local = &volumes[count++];
                *local = (Volume){.number = keep(ctx, field(s, "volume")),
                                  .disk = keep(ctx, field(s, "disk")),
                                  .minor = count_field(s, "minor"),
                                  .lower = count_field(s, "lower-pending"),
                                  .upper = count_field(s, "upper-pending")};
            } else if (at_peer && p.open) {
                figures(&p, s);
            } else if (at_peer) {
                Str congested = field(s, "congested");
                if (congested.len) peer.congested = str_is(congested, "yes");
            } else if (local) { /* statistics of our own volume on a line below it */
                int64_t n = count_field(s, "lower-pending"), m = count_field(s, "upper-pending");
                if (n != FACT_NULL) local->lower = n;
                if (m != FACT_NULL) local->upper = m;
            }
        } else {
            parse_note(ctx, at, "line of DRBD not understood");
            continue;
        }
        ctx->rows++;
    }
    if (!peer_done) p = peer, p.open = true;
    peer_row(ctx, &p);
    return parse_result(ctx);
}

const Parser parser_drbd = {.name = "drbd",
                            .bid = bid,
                            .starts = starts,
                            .continues = continues,
                            .parse = parse,
                            .ask = "cat /proc/drbd; drbdsetup status --verbose --statistics"};
