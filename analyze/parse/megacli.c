/*
 * megacli.c - volumes of LSI and Broadcom RAID controllers as MegaCli lists them
 *
 * Reads   MegaCli -LDInfo, in every spelling of its colons; two lines of it alone
 * Gives   raid_array (kind megaraid) per volume; setting write_policy_default, write_policy_bad_bbu, disk_cache_policy
 * Sample  MegaCli -LDInfo -Lall -aALL, 8.07
 *   |Adapter 0 -- Virtual Drive Information:
 *   |Virtual Drive: 0 (Target Id: 0)
 *   |RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0
 *   |State               : Optimal
 *   |Number Of Drives    : 2
 *   |Default Cache Policy: WriteBack, ReadAheadNone, Direct, No Write Cache if Bad BBU
 *   |Current Cache Policy: WriteThrough, ReadAheadNone, Direct, No Write Cache if Bad BBU
 * Varies  "Virtual Disk" before 8; blanks around colons. Secondary-3 with a span depth is RAID 10 or 50 or 60; the number of drives is that of one
 *         span. What stands in "Current" is in force, "Default" is what was configured: a battery that is bad or learning makes the difference.
 */
#include "device_text.h"
#include "parser.h"

#include <math.h>

typedef struct Volume {
    bool open;
    char name[40];
    Ref ref;
    Spot at;
    char text[FACTS_LINE_CLIP];
    char level[16], state[40], policy[24];
    double drives, spans;
} Volume;

typedef struct State {
    ParseCtx *ctx;
    Volume volume;
    uint64_t adapter;
    int unnamed;
} State;

static const char *const keys[] = {"Name",
                                   "RAID Level",
                                   "Size",
                                   "Sector Size",
                                   "Mirror Data",
                                   "Parity Size",
                                   "State",
                                   "Strip Size",
                                   "Stripe Size",
                                   "Number Of Drives",
                                   "Number Of Drives per span",
                                   "Span Depth",
                                   "Default Cache Policy",
                                   "Current Cache Policy",
                                   "Access Policy",
                                   "Default Access Policy",
                                   "Current Access Policy",
                                   "Disk Cache Policy",
                                   "Encryption Type",
                                   "Default Power Savings Policy",
                                   "Current Power Savings Policy",
                                   "Can spin up in 1 minute",
                                   "LD has drives that support T10 power conditions",
                                   "LD's IO profile supports MAX power savings with cached writes",
                                   "Bad Blocks Exist",
                                   "Is VD Cached",
                                   "Is VD emulated",
                                   "PI type",
                                   "Ongoing Progresses",
                                   "Cache Cade Type",
                                   "Exit Code"};

static bool known_key(Str key) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(key, keys[i])) return true;
    return false;
}

/* "Virtual Drive: 0 (Target Id: 0)" */
static bool volume_line(Str line, uint64_t *number) {
    Str t = str_trim(line), rest = str_after(t, "Virtual Drive: ");
    if (!rest.p) rest = str_after(t, "Virtual Disk: ");
    return rest.p && str_u64(str_word(&rest), number) && (str_istarts(str_trim(rest), "(target id: "));
}

/* "Adapter 0 -- Virtual Drive Information:" */
static bool adapter_line(Str line, uint64_t *number) {
    Str rest = str_after(str_trim(line), "Adapter ");
    return rest.p && str_u64(str_word(&rest), number) && str_starts(str_trim(rest), "-- Virtual Drive Information");
}

static bool policy_line(Str line) {
    Str key, value;
    return dev_key_value(str_trim(line), &key, &value) &&
           (str_is(key, "Default Cache Policy") || str_is(key, "Current Cache Policy")) && str_starts(value, "Write");
}

static bool starts(Str line) {
    uint64_t n;
    return volume_line(line, &n) || adapter_line(line, &n) || policy_line(line);
}

static bool nothing(Str line) {
    return str_has(line, "No Virtual Drive Configured");
}

static bool continues(Str line) {
    Str key, value;
    return !str_trim(line).len || starts(line) || nothing(line) ||
           (dev_key_value(str_trim(line), &key, &value) && known_key(key));
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (starts(line)) return str_has(command, "LDInfo") ? 38 : 30;
        if (str_trim(line).len && !continues(line)) return 0;
    }
    return 0;
}

static void copy(char *to, size_t size, Str s) {
    size_t n = s.len < size - 1 ? s.len : size - 1;
    if (n) memcpy(to, s.p, n);
    to[n] = 0;
}

static void finish(State *s) {
    Volume *v = &s->volume;
    if (!v->open) return;
    v->open = false;
    if (!v->level[0] && !v->state[0] && !v->policy[0]) return;
    Row r = ctx_row(s->ctx, "raid_array", v->at);
    row_ref(&r, "node", v->ref);
    row_text(&r, "name", str_of(v->name));
    row_text(&r, "kind", STR("megaraid"));
    if (v->level[0]) row_text(&r, "level", str_of(v->level));
    if (v->state[0]) row_text(&r, "state", str_of(v->state));
    if (v->drives > 0) row_int(&r, "raid_disks", i64_of(v->drives * (v->spans > 1 ? v->spans : 1)));
    if (v->policy[0]) row_text(&r, "write_policy", str_of(v->policy));
    row_done(&r);
}

static void open_volume(State *s, const char *name, Spot at) {
    finish(s);
    Volume *v = &s->volume;
    *v = (Volume){.open = true, .at = at, .drives = NAN, .spans = NAN};
    copy(v->name, sizeof v->name, str_of(name));
    copy(v->text, sizeof v->text, at.text);
    v->at.text = str_of(v->text);
    v->ref = ctx_ref(s->ctx, REF_ARRAY, str_of(v->name));
}

/* "Primary-1, Secondary-3, RAID Level Qualifier-0": the first level, and whether spans lie over it. */
static void level(Volume *v, Str value) {
    double primary, secondary = 0;
    Str rest = str_after(value, "Primary-");
    if (!rest.p || !dev_leading_number(rest, &primary) || primary < 0 || primary > 99) return;
    size_t at = str_find(rest, "Secondary-");
    if (at != SIZE_MAX) dev_leading_number(str_from(rest, at + 10), &secondary);
    char text[16];
    bool spanned = secondary == 3 && primary > 0;
    text[0] = 0;
    Str digits = str_sub(rest, 0, primary < 10 ? 1 : 2);
    copy(text, sizeof text, digits);
    copy(v->level, sizeof v->level, STR("raid"));
    size_t n = strlen(v->level);
    copy(v->level + n, sizeof v->level - n, str_of(text));
    n = strlen(v->level);
    if (spanned) copy(v->level + n, sizeof v->level - n, STR("0"));
}

static void policies(State *s, bool current, Str value, Spot at) {
    Str rest = value, write = str_trim(str_cut(&rest, ','));
    if (current) copy(s->volume.policy, sizeof s->volume.policy, write);
    else ctx_setting(s->ctx, s->volume.ref, "write_policy_default", write, "firmware", at);
    if (current && str_has(value, "No Write Cache if Bad BBU"))
        ctx_setting(s->ctx, s->volume.ref, "write_policy_bad_bbu", STR("write through"), "firmware", at);
    if (current && str_has(value, "Write Cache OK if Bad BBU"))
        ctx_setting(s->ctx, s->volume.ref, "write_policy_bad_bbu", STR("write back"), "firmware", at);
}

static void field(State *s, Str key, Str value, Spot at) {
    Volume *v = &s->volume;
    if (str_is(key, "RAID Level")) level(v, value);
    else if (str_is(key, "State")) copy(v->state, sizeof v->state, value);
    else if (str_starts(key, "Number Of Drives")) dev_leading_number(value, &v->drives);
    else if (str_is(key, "Span Depth")) dev_leading_number(value, &v->spans);
    else if (str_is(key, "Default Cache Policy")) policies(s, false, value, at);
    else if (str_is(key, "Current Cache Policy")) {
        policies(s, true, value, at);
        copy(v->text, sizeof v->text, at.text); /* the line that matters is the one in force */
        v->at = (Spot){.line = at.line, .text = str_of(v->text)};
    } else if (str_is(key, "Disk Cache Policy")) {
        ctx_setting(s->ctx, v->ref, "disk_cache_policy", value, "firmware", at);
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    Str line, key, value;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t number;
        char name[40];
        if (!str_trim(line).len || nothing(line)) continue;
        if (adapter_line(line, &number)) {
            finish(s);
            s->adapter = number;
            ctx->rows++;
        } else if (volume_line(line, &number)) {
            ctx->rows++;
            copy(name, sizeof name,
                 arena_strf(ctx->scratch, "volume %llu:%llu", (unsigned long long)s->adapter,
                            (unsigned long long)number));
            open_volume(s, name, at);
        } else if (dev_key_value(str_trim(line), &key, &value) && known_key(key)) {
            ctx->rows++;
            bool again = s->volume.open && str_is(key, "Default Cache Policy") && s->volume.policy[0];
            if (str_is(key, "Exit Code")) continue;
            if (!s->volume.open || again) { /* a few lines were quoted */
                copy(name, sizeof name,
                     s->unnamed++ ? arena_strf(ctx->scratch, "volume ? (%d)", s->unnamed) : STR("volume ?"));
                open_volume(s, name, at);
            }
            if (value.len) field(s, key, value, at);
        } else {
            parse_note(ctx, at, "not a line of MegaCli -LDInfo: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 80)));
        }
    }
    finish(s);
    return parse_result(ctx);
}

const Parser parser_megacli = {.name = "megacli",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "MegaCli64 -LDInfo -Lall -aALL -NoLog"};
