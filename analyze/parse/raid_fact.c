#include "raid_fact.h"

#include "device_text.h"
#include "scan.h"

#include <math.h>

enum {
    MAX_GROUPED = 4096,    /* volumes and drives of one output; a controller has at most some hundred */
    MAX_KEPT_ROWS = 500000 /* lines of one output; the longest have some thousand */
};

Spot raid_keep(ParseCtx *ctx, Spot at) {
    if (ctx->rows <= MAX_KEPT_ROWS) return scan_keep(ctx->scratch, at);
    at.text = STR_NONE;
    return at;
}

void raid_hold(ParseCtx *ctx, Str *text, Spot *text_at, Str value, Spot at) {
    if (ctx->rows > MAX_KEPT_ROWS) return;
    *text = arena_str(ctx->scratch, value);
    *text_at = raid_keep(ctx, at);
}

static Row volume_row(ParseCtx *ctx, const RaidVolume *v, Spot at) {
    Row r = ctx_row(ctx, "raid_array", at);
    row_ref(&r, "node", v->ref);
    row_text(&r, "name", v->name);
    row_text(&r, "kind", str_of(v->kind));
    return r;
}

void raid_volume_end(ParseCtx *ctx, RaidVolume *v) {
    if (!v->open) return;
    v->open = false;
    bool apart = v->write_policy.len && v->policy_at.line && v->policy_at.line != v->at.line;
    if (v->level.len || v->state.len || v->action.len || (v->write_policy.len && !apart)) {
        Row r = volume_row(ctx, v, v->at);
        if (v->level.len) row_text(&r, "level", v->level);
        if (v->state.len) row_text(&r, "state", v->state);
        if (v->disks > 0 && v->disks < 1e6) row_int(&r, "raid_disks", i64_of(v->disks));
        if (v->action.len) row_text(&r, "sync_action", v->action);
        row_real(&r, "sync_pct", v->pct);
        if (v->write_policy.len && !apart) row_text(&r, "write_policy", v->write_policy);
        row_done(&r);
    }
    if (!apart) return;
    Row r = volume_row(ctx, v, v->policy_at);
    row_text(&r, "write_policy", v->write_policy);
    row_done(&r);
}

void raid_volume_open(ParseCtx *ctx, RaidVolume *v, Ref controller, const char *kind, Str name, Spot at) {
    raid_volume_end(ctx, v);
    *v = (RaidVolume){.open = true, .kind = kind, .at = raid_keep(ctx, at), .disks = NAN, .pct = NAN};
    v->name = arena_str(ctx->scratch, name);
    v->ref = ctx_ref(ctx, REF_ARRAY, v->name);
    facts_edge(ctx->facts, ctx->src, controller, v->ref, at);
}

void raid_group_add(ParseCtx *ctx, RaidGroups *g, Ref ref, uint64_t group, bool member, Spot at) {
    if (!ref || g->items.count >= MAX_GROUPED) return;
    struct RaidGrouped one = {.ref = ref, .group = group, .at = raid_keep(ctx, at), .member = member};
    VEC_PUSH(ctx->scratch, &g->items, one);
}

void raid_group_end(ParseCtx *ctx, RaidGroups *g) {
    size_t edges = 0;
    for (size_t i = 0; i < g->items.count; i++) {
        if (!g->items.items[i].member) continue;
        for (size_t k = 0; k < g->items.count && edges < MAX_GROUPED; k++) {
            if (g->items.items[k].member || g->items.items[k].group != g->items.items[i].group) continue;
            facts_edge(ctx->facts, ctx->src, g->items.items[i].ref, g->items.items[k].ref, g->items.items[i].at);
            edges++;
        }
    }
    g->items.count = 0;
}

Ref raid_member(ParseCtx *ctx, Ref controller, Str bay, Str where, Spot at) {
    if (!bay.len) return 0;
    Ref ref = ctx_ref(ctx, REF_SLOT, arena_strf(ctx->scratch, "drive %.*s [%.*s]", STR_ARG(bay), STR_ARG(where)));
    facts_edge(ctx->facts, ctx->src, controller, ref, at);
    ctx_setting(ctx, ref, "raid_slot", bay, "firmware", at);
    return ref;
}

/* How a word that a tool prints begins, and what it means. A longer one stands before the shorter one that begins it. */
typedef struct Word {
    const char *printed, *word;
} Word;

static const char *word_of(const Word *words, size_t n, Str printed) {
    for (size_t i = 0; i < n; i++)
        if (str_istarts(printed, words[i].printed)) return words[i].word;
    return NULL;
}

/* storcli prints short words, MegaCli and arcconf whole ones, ssacli its own. */
const char *raid_member_word(Str printed) {
    static const Word words[] = {{"Onln", "online"},         {"Online", "online"},
                                 {"Conf", "online"},         {"OK", "online"},
                                 {"Optimal", "online"},      {"Rbld", "rebuilding"},
                                 {"Rebuild", "rebuilding"},  {"Cpybck", "copyback"},
                                 {"Copyback", "copyback"},   {"Copy back", "copyback"},
                                 {"Failed", "failed"},       {"Fail", "failed"},
                                 {"Dead", "failed"},         {"Msng", "missing"},
                                 {"Missing", "missing"},     {"Offln", "offline"},
                                 {"Offline", "offline"},     {"UBad", "bad"},
                                 {"UBUnsp", "bad"},          {"Unconfigured(bad)", "bad"},
                                 {"Unconf(bad)", "bad"},     {"GHS", "spare"},
                                 {"DHS", "spare"},           {"Hotspare", "spare"},
                                 {"Hot Spare", "spare"},     {"Global Hot", "spare"},
                                 {"Dedicated Hot", "spare"}, {"Hot-Spare", "spare"},
                                 {"UGood", "unused"},        {"UGUnsp", "unused"},
                                 {"UConf", "unused"},        {"Unconfigured(good)", "unused"},
                                 {"Unconf(good)", "unused"}, {"Unconf", "unused"},
                                 {"Ready", "unused"},        {"Raw", "jbod"},
                                 {"JBOD", "jbod"},           {"Predictive", "predictive"},
                                 {"Frgn", "foreign"},        {"Foreign", "foreign"},
                                 {"Warning", "predictive"},  {"Sntze", "unused"},
                                 {"HSPShld", "spare"},       {"CFShld", "online"},
                                 {"Present", "online"},      {"Erase", "unused"}};
    return word_of(words, sizeof words / sizeof *words, printed);
}

void raid_member_state(ParseCtx *ctx, Ref member, Str printed, Spot at) {
    const char *word = raid_member_word(printed);
    if (!member || !printed.len) return;
    if (word) ctx_setting(ctx, member, "raid_pd_state", str_of(word), "firmware", at);
    else parse_note(ctx, at, "no known state of a drive: \"%.*s\"", STR_ARG(str_sub(printed, 0, 60)));
}

const char *raid_battery_word(Str printed) {
    static const Word words[] = {{"Optimal", "good"},
                                 {"Opt", "good"},
                                 {"OK", "good"},
                                 {"Operational", "good"},
                                 {"Ready", "good"},
                                 {"ZMM Optimal", "good"},
                                 {"Degraded(Charging", "charging"},
                                 {"Degraded (Charging", "charging"},
                                 {"Charging", "charging"},
                                 {"Recharging", "charging"},
                                 {"Not Fully Charged", "charging"},
                                 {"Learning", "learning"},
                                 {"Degraded", "degraded"},
                                 {"Dgd", "degraded"},
                                 {"Needs Attention", "degraded"},
                                 {"NdAtn", "degraded"},
                                 {"Not Ready", "degraded"},
                                 {"Failed", "failed"},
                                 {"Fail", "failed"},
                                 {"Fatal", "failed"},
                                 {"Non Operational", "failed"},
                                 {"Not Operational", "failed"},
                                 {"Missing", "missing"},
                                 {"Msng", "missing"},
                                 {"Absent", "none"},
                                 {"Not Present", "none"},
                                 {"Not Installed", "none"},
                                 {"None", "none"}};
    return word_of(words, sizeof words / sizeof *words, printed);
}

Str raid_level(Arena *arena, Str printed) {
    Str primary = str_after(printed, "Primary-");
    double first, second = 0;
    if (primary.p) { /* MegaCli names two levels; Secondary-3 says that spans lie over the first */
        size_t at = str_find(primary, "Secondary-");
        if (!dev_leading_number(primary, &first) || first < 0 || first > 99) return STR_NONE;
        if (at != SIZE_MAX) dev_leading_number(str_from(primary, at + 10), &second);
        return arena_strf(arena, "raid%d%s", (int)first, second == 3 && first > 0 ? "0" : "");
    }
    Str rest = str_trim(printed);
    if (str_istarts(rest, "raid")) rest = str_trim_left(str_from(rest, 4));
    if (str_istarts(rest, "-")) rest = str_trim_left(str_from(rest, 1));
    size_t n = 0;
    while (n < rest.len && ch_digit(rest.p[n])) n++;
    if (!n || n > 2) return str_istarts(rest, "simple_volume") ? STR("jbod") : STR_NONE;
    Str more = str_from(rest, n);
    if (str_starts(more, "+0") || str_starts(more, "(+0)"))
        return arena_strf(arena, "raid%.*s0", STR_ARG(str_sub(rest, 0, n)));
    return arena_strf(arena, "raid%.*s", STR_ARG(str_sub(rest, 0, n)));
}

double raid_percent(Str text) {
    size_t at = str_find_ch(text, '%');
    if (at == SIZE_MAX) return NAN;
    size_t end = at;
    while (end > 0 && ch_blank(text.p[end - 1])) end--;
    size_t from = end;
    while (from > 0 && (ch_digit(text.p[from - 1]) || text.p[from - 1] == '.')) from--;
    double pct;
    return str_double(str_sub(text, from, end - from), &pct) && pct >= 0 && pct <= 100 ? pct : (double)NAN;
}

void raid_counter(ParseCtx *ctx, Ref node, const char *name, Str value, Spot at) {
    uint64_t n;
    if (!node || !str_u64(str_trim(value), &n)) return;
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", node);
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("raid"));
    row_real(&r, "value", (double)n);
    row_text(&r, "raw", value);
    row_done(&r);
}

/* "N/A", "NA", "-", "Unknown" and the like say nothing. */
static bool said(Str s) {
    return s.len && !str_ieq(s, STR("N/A")) && !str_ieq(s, STR("NA")) && !str_is(s, "-") &&
           !str_ieq(s, STR("Unknown")) && !str_ieq(s, STR("REDACTED"));
}

void raid_identity(ParseCtx *ctx, Ref member, RaidIdentity *id) {
    if (member) {
        bool sas = str_ifind(id->bus, "SAS") != SIZE_MAX, sata = str_ifind(id->bus, "SATA") != SIZE_MAX;
        if (said(id->model)) ctx_setting(ctx, member, "model", id->model, "firmware", id->model_at);
        if (said(id->serial)) ctx_setting(ctx, member, "serial", id->serial, "firmware", id->serial_at);
        if (said(id->firmware)) ctx_setting(ctx, member, "firmware", id->firmware, "firmware", id->firmware_at);
        Str wwn = sas && !sata ? STR_NONE : dev_wwn(ctx->scratch, id->wwn);
        if (wwn.len && sata) ctx_setting(ctx, member, "wwn", wwn, "firmware", id->wwn_at);
        if (sas || sata) ctx_setting(ctx, member, "transport", sata ? STR("sata") : STR("sas"), "firmware", id->bus_at);
        else if (str_ifind(id->bus, "NVMe") != SIZE_MAX)
            ctx_setting(ctx, member, "transport", STR("nvme"), "firmware", id->bus_at);
        bool flash = str_ifind(id->medium, "SSD") != SIZE_MAX || str_ifind(id->medium, "Solid State") != SIZE_MAX;
        if (flash || str_ifind(id->medium, "HDD") != SIZE_MAX || str_ifind(id->medium, "Hard Disk") != SIZE_MAX)
            ctx_setting(ctx, member, "rotational", flash ? STR("0") : STR("1"), "firmware", id->medium_at);
    }
    *id = (RaidIdentity){0};
}
