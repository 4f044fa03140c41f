/*
 * ceph.c - state of a Ceph cluster, its health checks and what each OSD says of itself
 *
 * Reads   ceph -s, ceph health [detail], ceph osd perf, osd tree, osd df [tree], device ls; all of them also with -f json
 * Gives   settings ceph_* of the host that was asked, tables ceph_check and ceph_osd
 * Sample  Ceph 18
 *   |    health: HEALTH_WARN
 *   |            12 slow ops, oldest one blocked for 34 sec, daemons [osd.0,osd.3] have slow ops.
 *   |    pgs:     123/4567 objects degraded (2.693%)
 *   |    recovery: 56 MiB/s, 14 objects/s
 *   |osd  commit_latency(ms)  apply_latency(ms)
 *   |  2                   5                  5
 * Varies  health detail before 15 has no "[WRN] " before the code; osd tree and osd df show the class since 12. Sizes have blanks in
 *         them ("3.6 TiB"), so the columns of osd df are counted from the right.
 * Source  Ceph src/mon/MonCap.cc, src/mgr/ClusterState.cc, src/mon/PGMap.cc, src/mon/health_check.h, src/osd/OSDMap.cc
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "scan.h"

#include <math.h>

/* ---------------------------------------------------------------- which line is whose */

static bool perf_header(Str line) {
    Str w[4];
    return str_words(line, w, 4) == 3 && str_is(w[0], "osd") && str_starts(w[1], "commit_latency(ms)") &&
           str_starts(w[2], "apply_latency(ms)");
}

static bool tree_header(Str line) {
    return str_starts(line, "ID") && str_has(line, "WEIGHT") && str_has(line, "TYPE NAME") && !str_has(line, "%USE");
}

static bool df_header(Str line) {
    return str_starts(line, "ID") && str_has(line, "WEIGHT") && str_has(line, "REWEIGHT") && str_has(line, "%USE");
}

static bool device_header(Str line) {
    return str_starts(line, "DEVICE ") && str_has(line, "HOST:DEV") && str_has(line, "DAEMONS");
}

static bool health_line(Str line) {
    return str_starts(line, "HEALTH_OK") || str_starts(line, "HEALTH_WARN") || str_starts(line, "HEALTH_ERR");
}

/* "[WRN] SLOW_OPS: text", "SLOW_OPS text" */
static bool check_line(Str line, Str *severity, Str *code, Str *text) {
    Str rest = line;
    *severity = STR_NONE;
    if (str_starts(line, "[WRN] ")) *severity = STR("HEALTH_WARN");
    else if (str_starts(line, "[ERR] ")) *severity = STR("HEALTH_ERR");
    if (severity->len) rest = str_from(line, 6);
    *code = str_word(&rest);
    bool colon = str_ends(*code, ":");
    if (colon) code->len--;
    if (code->len < 4 || (!colon && severity->len)) return false;
    size_t bars = 0;
    for (size_t i = 0; i < code->len; i++) {
        char c = code->p[i];
        if (c == '_') bars++;
        else if (!(c >= 'A' && c <= 'Z')) return false;
    }
    *text = str_trim(rest);
    return bars > 0 && text->len > 0 && !health_line(line);
}

static bool starts(Str line) {
    Str a, b, c, s = str_trim_right(line);
    return perf_header(s) || tree_header(s) || df_header(s) || device_header(s) || str_is(s, "  cluster:") ||
           (health_line(s) && (s.len < 12 || str_find_ch(s, ' ') != SIZE_MAX)) || (check_line(s, &a, &b, &c) && a.len);
}

static bool section(Str s) {
    static const char *const words[] = {
        "cluster:",     "services:",      "data:",   "io:",       "progress:", "id:",         "health:",
        "mon:",         "mgr:",           "osd:",    "mds:",      "rgw:",      "pools:",      "objects:",
        "usage:",       "pgs:",           "client:", "recovery:", "volumes:",  "rbd-mirror:", "cache:",
        "tcmu-runner:", "cephfs-mirror:", "iscsi:",  "snaptrim:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(s, words[i])) return true;
    return false;
}

static bool continues(Str line) {
    Str a, b, c, s = str_trim(line);
    if (!s.len || starts(line) || check_line(s, &a, &b, &c)) return true;
    if (ch_blank(line.p[0])) return true; /* everything below a section is indented */
    Str w[3];
    double id;
    size_t n = str_words(s, w, 3);
    if (str_starts(s, "MIN/MAX VAR:")) return true;
    if (n >= 2 && str_double(w[0], &id)) return true; /* " 0  hdd ...", "-1  43.65900 root default" */
    return n >= 3 && str_find_ch(w[1], ':') != SIZE_MAX && str_starts(w[2], "osd."); /* device ls */
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "ceph") ? 8 : path_has(path, "ceph") ? 6 : 0;
    if (json_looks(head)) {
        if (str_has(head, "\"osd_perf_infos\"") || (str_has(head, "\"health\"") && str_has(head, "\"fsid\"")) ||
            (str_has(head, "\"checks\"") && str_has(head, "HEALTH_")))
            return 32;
        if (bits && (str_has(head, "\"nodes\"") || str_has(head, "\"devid\""))) return 24;
        if (str_has(head, "\"nodes\"") && (str_has(head, "\"crush_weight\"") || str_has(head, "\"type_id\"")))
            return 24;
        return str_has(head, "\"devid\"") && str_has(head, "\"daemons\"") ? 24 : 0;
    }
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim_right(head_line(&head));
        if (!str_trim(line).len) continue;
        return starts(line) ? 26 + bits : 0;
    }
    return 0;
}

/* ---------------------------------------------------------------- facts */

enum { MAX_NAMED = 256 };

typedef struct Ceph {
    ParseCtx *ctx;
    Ref host;
    double degraded, misplaced, recovery;
    int64_t scrubs, deep;
    bool status;
    Spot status_at, degraded_at, misplaced_at, recovery_at, scrub_at;
    Str code, severity; /* the check whose details follow */
} Ceph;

static bool osd_number(Str s, int64_t *out) {
    Str rest = str_after(s, "osd.");
    uint64_t n;
    if (!rest.p || !str_u64(rest, &n) || n > INT32_MAX) return false;
    *out = (int64_t)n;
    return true;
}

typedef struct Osd {
    int64_t id, up, pgs;
    Str host, class, device, device_id;
    double weight, commit, apply, used;
} Osd;
static const Osd no_osd = {
    .id = FACT_NULL, .up = FACT_NULL, .pgs = FACT_NULL, .weight = NAN, .commit = NAN, .apply = NAN, .used = NAN};

static void osd_row(Ceph *x, const Osd *o, Spot at) {
    x->ctx->rows++;
    Row r = ctx_row(x->ctx, "ceph_osd", at);
    row_int(&r, "osd", o->id);
    if (o->host.len) row_text(&r, "host", o->host);
    if (o->class.len) row_text(&r, "class", o->class);
    row_int(&r, "up", o->up);
    row_real(&r, "weight", o->weight);
    row_real(&r, "commit_ms", o->commit);
    row_real(&r, "apply_ms", o->apply);
    row_real(&r, "used_pct", o->used);
    row_int(&r, "pgs", o->pgs);
    if (o->device.len) row_text(&r, "device", o->device);
    if (o->device_id.len) row_text(&r, "device_id", o->device_id);
    row_done(&r);
}

static void check_one(Ceph *x, Str code, Str severity, Str text, bool detail, int64_t osd, Spot at) {
    Row r = ctx_row(x->ctx, "ceph_check", at);
    if (code.len) row_text(&r, "code", code);
    if (severity.len) row_text(&r, "severity", severity);
    row_text(&r, "text", text);
    row_int(&r, "detail", detail);
    row_int(&r, "osd", osd);
    row_done(&r);
}

/* A row for each OSD that the text names ("daemons [osd.0,osd.3] have slow ops"), else one. */
static void check_row(Ceph *x, Str code, Str severity, Str text, bool detail, Spot at) {
    size_t named = 0, from = 0, hit;
    while (named < MAX_NAMED && (hit = str_find(str_from(text, from), "osd.")) != SIZE_MAX) {
        size_t digit = from + hit + 4, end = digit;
        uint64_t n;
        while (end < text.len && ch_digit(text.p[end])) end++;
        if (end > digit && str_u64(str_sub(text, digit, end - digit), &n) && n <= INT32_MAX) {
            check_one(x, code, severity, text, detail, (int64_t)n, at);
            named++;
        }
        from = end;
    }
    if (!named) check_one(x, code, severity, text, detail, FACT_NULL, at);
}

static void health(Ceph *x, Str word, Spot at) {
    ctx_setting(x->ctx, x->host, "ceph_health", word, "kernel", at);
}

/* What a check says stands in its words alone where no code is printed (ceph -s). */
static Str code_of(Str text) {
    return str_has(text, " slow ops, oldest")                        ? STR("SLOW_OPS")
           : str_has(text, "slow operations in BlueStore")           ? STR("BLUESTORE_SLOW_OP_ALERT")
           : str_has(text, "Degraded data redundancy")               ? STR("PG_DEGRADED")
           : str_has(text, "osds down") || str_has(text, "osd down") ? STR("OSD_DOWN")
           : str_has(text, "nearfull")                               ? STR("OSD_NEARFULL")
           : str_has(text, "Slow OSD heartbeats")                    ? STR("OSD_SLOW_PING_TIME_BACK")
                                                                     : STR_NONE;
}

/* "123/4567 objects degraded (2.693%)" */
static bool share_line(Str s, const char *word, double *out) {
    if (!str_has(s, word)) return false;
    size_t open = str_rfind_ch(s, '(');
    return open != SIZE_MAX && dev_leading_number(str_from(s, open + 1), out);
}

/* "56 MiB/s, 14 objects/s", "56 MiB/s rd" */
static bool rate(Str s, double *out) {
    Str rest = s, number = str_word(&rest), unit = str_word(&rest);
    if (str_ends(unit, ",")) unit.len--;
    if (!str_ends(unit, "/s")) return false;
    unit.len -= 2;
    double scale = 1, v;
    Str text = {0};
    char room[48];
    if (!str_double(number, &v) || number.len + unit.len > 40) return false;
    memcpy(room, "1", 1);
    memcpy(room + 1, unit.p, unit.len);
    text = (Str){room, unit.len + 1};
    if (!dev_size(text, &scale)) return false;
    *out = v * scale;
    return true;
}

static void status_line(Ceph *x, Str s, Spot at) {
    ParseCtx *ctx = x->ctx;
    Str value;
    double v;
    Str after = str_after(s, "health: ");
    if (after.p) {
        Str rest = after;
        health(x, str_word(&rest), at);
        return;
    }
    if ((value = str_after(s, "pgs:")).p) s = str_trim(value);
    if (str_starts(s, "recovery:")) {
        if (rate(str_trim(str_from(s, 9)), &v)) {
            x->recovery = v;
            x->recovery_at = scan_keep(ctx->scratch, at);
        }
    } else if (share_line(s, " objects degraded", &v)) {
        x->degraded = v;
        x->degraded_at = scan_keep(ctx->scratch, at);
    } else if (share_line(s, " objects misplaced", &v)) {
        x->misplaced = v;
        x->misplaced_at = scan_keep(ctx->scratch, at);
    } else {
        Str rest = s, number = str_word(&rest), states = str_trim(rest);
        uint64_t n;
        if (str_u64(number, &n) && str_has(states, "+") && str_has(states, "scrubbing") && n < 1000000) {
            x->scrubs += (int64_t)n;
            if (str_has(states, "scrubbing+deep")) x->deep += (int64_t)n;
            x->scrub_at = scan_keep(ctx->scratch, at);
        }
    }
}

static void status_end(Ceph *x) {
    ParseCtx *ctx = x->ctx;
    if (!x->status) return;
    /* a status names what there is; what it leaves out is none */
    const struct {
        const char *key;
        double value;
        Spot at;
    } all[] = {{"ceph_degraded_pct", x->degraded, x->degraded_at},
               {"ceph_misplaced_pct", x->misplaced, x->misplaced_at},
               {"ceph_recovery_bytes_s", x->recovery, x->recovery_at}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ctx_setting_real(ctx, x->host, all[i].key, isfinite(all[i].value) ? all[i].value : 0, "kernel",
                         isfinite(all[i].value) ? all[i].at : x->status_at);
    Spot at = x->scrubs ? x->scrub_at : x->status_at;
    ctx_setting_int(ctx, x->host, "ceph_scrubs", x->scrubs, "kernel", at);
    ctx_setting_int(ctx, x->host, "ceph_deep_scrubs", x->deep, "kernel", at);
    x->status = false;
    x->degraded = x->misplaced = x->recovery = NAN;
    x->scrubs = x->deep = 0;
}

/* ---------------------------------------------------------------- tables */

/* " 0    hdd   3.63820          osd.0      up   1.00000  1.00000"; a host: "-3  14.55300  host pve1" */
static void tree_row(Ceph *x, Str s, Str *host, Spot at) {
    Str w[12];
    size_t n = str_words(s, w, 12);
    Osd o = no_osd;
    if (n > 12) n = 12;
    for (size_t i = 1; i < n; i++) {
        if (str_is(w[i], "host") && i + 1 < n) {
            *host = arena_str(x->ctx->scratch, w[i + 1]);
            x->ctx->rows++;
            return;
        }
        if (!osd_number(w[i], &o.id)) continue;
        double v;
        if (i == 3 || (i > 1 && !str_double(w[1], &v))) o.class = w[1];
        if (i + 1 < n) o.up = str_is(w[i + 1], "up") ? 1 : str_is(w[i + 1], "down") ? 0 : FACT_NULL;
        if (i + 2 < n && str_double(w[i + 2], &v)) o.weight = v;
        o.host = *host;
        osd_row(x, &o, at);
        return;
    }
    x->ctx->rows++; /* root, rack, chassis */
}

static void df_row(Ceph *x, Str s, Str header, Spot at) {
    Str w[32], h[32];
    size_t n = str_words(s, w, 32), m = str_words(header, h, 32), use = 0;
    double v, id;
    uint64_t pgs;
    while (use < m && m <= 32 && !str_is(h[use], "%USE")) use++;
    if (use == m || m > 32 || n > 32) {
        parse_note(x->ctx, at, "osd df: columns not understood");
        return;
    }
    if (!n || !str_double(w[0], &id) || id < 0 || id > 1e6) { /* totals, hosts */
        x->ctx->rows++;
        return;
    }
    Osd o = no_osd;
    o.id = (int64_t)id;
    /* columns behind %USE: VAR PGS [STATUS] [TYPE NAME]; an OSD's name is one word */
    size_t behind = m - use - 1;
    bool named = m >= 2 && str_is(h[m - 1], "NAME");
    if (named) behind--;
    if (n < behind + 3) {
        parse_note(x->ctx, at, "osd df: %zu columns", n);
        return;
    }
    size_t at_use = n - behind - 1;
    if (str_double(w[at_use], &v) && v >= 0 && v <= 200) o.used = v;
    if (at_use + 2 < n && str_u64(w[at_use + 2], &pgs) && pgs < 1000000) o.pgs = (int64_t)pgs;
    if (at_use + 3 < n) o.up = str_is(w[at_use + 3], "up") ? 1 : str_is(w[at_use + 3], "down") ? 0 : FACT_NULL;
    if (!str_double(w[1], &v)) o.class = w[1];
    size_t reweight = o.class.len ? 3 : 2;
    if (reweight < n && str_double(w[reweight], &v)) o.weight = v;
    osd_row(x, &o, at);
}

static void device_row(Ceph *x, Str s, Spot at) {
    Str w[32];
    size_t n = str_words(s, w, 32);
    bool any = false;
    for (size_t i = 2; i < n && i < 32; i++) {
        Osd o = no_osd;
        if (!osd_number(w[i], &o.id)) continue;
        size_t colon = str_find_ch(w[1], ':');
        o.device_id = w[0];
        if (colon != SIZE_MAX) {
            o.host = str_sub(w[1], 0, colon);
            o.device = str_from(w[1], colon + 1);
        }
        osd_row(x, &o, at);
        any = true;
    }
    if (!any) x->ctx->rows++; /* a monitor's drive */
}

/* ---------------------------------------------------------------- JSON */

static void json_checks(Ceph *x, const cJSON *checks, Str path) {
    const cJSON *check, *detail;
    cJSON_ArrayForEach(check, checks) {
        if (!check->string) continue;
        Str code = str_of(check->string), severity = json_text(json_get(check, "severity"));
        Str here = json_path(x->ctx->scratch, path, check->string);
        Str text = json_text(json_get(json_get(check, "summary"), "message"));
        x->ctx->rows++;
        check_row(x, code, severity, text, false, spot_path(here, text));
        size_t i = 0;
        Str list = json_path(x->ctx->scratch, here, "detail");
        cJSON_ArrayForEach(detail, json_get(check, "detail")) {
            Str message = json_text(json_get(detail, "message"));
            check_row(x, code, severity, message, true,
                      spot_path(json_path_index(x->ctx->scratch, list, i++), message));
        }
    }
}

static void json_status(Ceph *x, const cJSON *root) {
    ParseCtx *ctx = x->ctx;
    const cJSON *map = json_get(root, "pgmap"), *state;
    x->status = true;
    x->status_at = spot_path(STR("/pgmap"), STR("pgmap"));
    double v;
    if (json_number(json_get(map, "degraded_ratio"), &v))
        x->degraded = 100 * v, x->degraded_at = spot_path(STR("/pgmap/degraded_ratio"), STR("degraded_ratio"));
    if (json_number(json_get(map, "misplaced_ratio"), &v))
        x->misplaced = 100 * v, x->misplaced_at = spot_path(STR("/pgmap/misplaced_ratio"), STR("misplaced_ratio"));
    if (json_number(json_get(map, "recovering_bytes_per_sec"), &v))
        x->recovery = v,
        x->recovery_at = spot_path(STR("/pgmap/recovering_bytes_per_sec"), STR("recovering_bytes_per_sec"));
    cJSON_ArrayForEach(state, json_get(map, "pgs_by_state")) {
        Str name = json_text(json_get(state, "state_name"));
        if (!str_has(name, "scrubbing") || !json_number(json_get(state, "count"), &v) || !(v >= 0 && v < 1e6)) continue;
        x->scrubs += (int64_t)v;
        if (str_has(name, "scrubbing+deep")) x->deep += (int64_t)v;
        x->scrub_at = spot_path(STR("/pgmap/pgs_by_state"), name);
    }
    ctx->rows++;
}

static void json_nodes(Ceph *x, const cJSON *nodes) {
    const cJSON *node, *child;
    size_t i = 0, hosts = 0;
    cJSON_ArrayForEach(node, nodes) {
        Str path = json_path_index(x->ctx->scratch, STR("/nodes"), i++), type = json_text(json_get(node, "type"));
        double v;
        if (str_is(type, "host")) hosts++;
        if (!str_is(type, "osd") || !json_number(json_get(node, "id"), &v) || !(v >= 0 && v < 1e6)) {
            x->ctx->rows++;
            continue;
        }
        Osd o = no_osd;
        o.id = (int64_t)v;
        o.class = json_text(json_get(node, "device_class"));
        Str status = json_text(json_get(node, "status"));
        if (status.len) o.up = str_is(status, "up");
        if (json_number(json_get(node, "reweight"), &v)) o.weight = v;
        if (json_number(json_get(node, "utilization"), &v)) o.used = v;
        if (json_number(json_get(node, "pgs"), &v) && v >= 0 && v < 1e6) o.pgs = (int64_t)v;
        if (hosts <= 2000) { /* whose child it is: osd tree lists hosts with the numbers of their OSDs */
            const cJSON *host;
            size_t looked = 0;
            cJSON_ArrayForEach(host, nodes) {
                if (++looked > 4000 || o.host.len) break;
                if (!str_is(json_text(json_get(host, "type")), "host")) continue;
                cJSON_ArrayForEach(child, json_get(host, "children")) {
                    double c;
                    if (json_number(child, &c) && (int64_t)c == o.id) o.host = json_text(json_get(host, "name"));
                }
            }
        }
        osd_row(x, &o, spot_path(path, json_text(json_get(node, "name"))));
    }
}

static ParseResult parse_json(Ceph *x, Input *in) {
    ParseCtx *ctx = x->ctx;
    Str text;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, (Spot){.line = 1}, "too much JSON: the end was not read");
    Error err = {""};
    const cJSON *root = json_read(ctx->scratch, json_next(&text), &err), *one, *list;
    if (!root) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return parse_result(ctx);
    }
    const cJSON *state = json_get(root, "health");
    if (state && json_get(root, "pgmap")) json_status(x, root);
    Str prefix = state ? STR("/health") : STR("");
    if (!state) state = root;
    Str word = json_text(json_get(state, "status"));
    if (str_starts(word, "HEALTH_")) {
        health(x, word, spot_path(json_path(ctx->scratch, prefix, "status"), word));
        ctx->rows++;
    }
    json_checks(x, json_get(state, "checks"), json_path(ctx->scratch, prefix, "checks"));
    list = json_get(root, "osd_perf_infos");
    if (!list) list = json_get(json_get(root, "osdstats"), "osd_perf_infos");
    size_t i = 0;
    cJSON_ArrayForEach(one, list) {
        Osd o = no_osd;
        double v;
        const cJSON *stats = json_get(one, "perf_stats");
        Str path = json_path_index(ctx->scratch, STR("/osdstats/osd_perf_infos"), i++);
        if (!json_number(json_get(one, "id"), &v) || !(v >= 0 && v < 1e6)) {
            parse_note(ctx, spot_path(path, STR_NONE), "osd perf: no id");
            continue;
        }
        o.id = (int64_t)v;
        if (json_number(json_get(stats, "commit_latency_ms"), &v)) o.commit = v;
        if (json_number(json_get(stats, "apply_latency_ms"), &v)) o.apply = v;
        osd_row(x, &o, spot_path(path, json_print(ctx->scratch, one)));
    }
    if (cJSON_IsArray(json_get(root, "nodes"))) json_nodes(x, json_get(root, "nodes"));
    if (cJSON_IsArray(root)) {
        i = 0;
        cJSON_ArrayForEach(one, root) {
            Str path = json_path_index(ctx->scratch, STR(""), i++), id = json_text(json_get(one, "devid"));
            const cJSON *daemon, *where = cJSON_GetArrayItem(json_get(one, "location"), 0);
            cJSON_ArrayForEach(daemon, json_get(one, "daemons")) {
                Osd o = no_osd;
                if (!osd_number(json_text(daemon), &o.id)) continue;
                o.device_id = id;
                o.host = json_text(json_get(where, "host"));
                o.device = json_text(json_get(where, "dev"));
                osd_row(x, &o, spot_path(path, id));
            }
            ctx->rows++;
        }
    }
    status_end(x);
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Ceph x = {
        .ctx = ctx, .host = ctx_ref(ctx, REF_HOST, STR("host")), .degraded = NAN, .misplaced = NAN, .recovery = NAN};
    enum { NONE, STATUS, HEALTH, PERF, TREE, DF, DEVICES } table = NONE;
    Str line, header = STR_NONE, host = STR_NONE, severity, code, text;
    bool first = true, below_health = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str raw = str_trim_right(line), s = str_trim(line), w[4];
        double v, u;
        if (!s.len) continue;
        if (first && json_looks(s)) {
            input_unread(in);
            return parse_json(&x, in);
        }
        first = false;
        if (str_is(raw, "  cluster:")) {
            status_end(&x);
            table = STATUS;
            x.status = true;
            x.status_at = scan_keep(ctx->scratch, at);
            ctx->rows++;
        } else if (health_line(raw)) {
            Str rest = s;
            table = HEALTH;
            x.code = STR_NONE;
            health(&x, str_word(&rest), at);
            ctx->rows++;
        } else if (perf_header(raw) || tree_header(raw) || df_header(raw) || device_header(raw)) {
            table = perf_header(raw) ? PERF : df_header(raw) ? DF : tree_header(raw) ? TREE : DEVICES;
            header = arena_str(ctx->scratch, s);
            ctx->rows++;
        } else if (table != STATUS && !ch_blank(raw.p[0]) && check_line(raw, &severity, &code, &text)) {
            table = HEALTH;
            x.code = arena_str(ctx->scratch, code);
            x.severity = arena_str(ctx->scratch, severity);
            check_row(&x, code, severity, text, false, at);
            ctx->rows++;
        } else if (table == STATUS) {
            if (section(s)) {
                below_health = str_starts(s, "health:");
                if (str_starts(s, "progress:")) table = STATUS;
                status_line(&x, s, at);
            } else if (below_health) {
                check_row(&x, code_of(s), STR_NONE, s, false, at);
            } else status_line(&x, s, at);
            ctx->rows++;
        } else if (table == HEALTH && ch_blank(raw.p[0])) {
            check_row(&x, x.code, x.severity, s, true, at);
            ctx->rows++;
        } else if (table == PERF) {
            Osd o = no_osd;
            double id;
            if (str_words(s, w, 4) == 3 && str_double(w[0], &id) && id >= 0 && id < 1e6 && str_double(w[1], &v) &&
                str_double(w[2], &u)) {
                o.id = (int64_t)id;
                o.commit = v;
                o.apply = u;
                osd_row(&x, &o, at);
            } else parse_note(ctx, at, "osd perf: row not understood");
        } else if (table == TREE) tree_row(&x, s, &host, at);
        else if (table == DF) {
            if (str_starts(s, "MIN/MAX VAR:")) ctx->rows++;
            else df_row(&x, s, header, at);
        } else if (table == DEVICES) device_row(&x, s, at);
        else parse_note(ctx, at, "line of ceph not understood");
    }
    status_end(&x);
    return parse_result(ctx);
}

const Parser parser_ceph = {.name = "ceph",
                            .bid = bid,
                            .starts = starts,
                            .continues = continues,
                            .parse = parse,
                            .ask = "ceph -s; ceph health detail; ceph osd perf; ceph osd tree"};
