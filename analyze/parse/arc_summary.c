/*
 * arc_summary.c - the report that OpenZFS makes of its cache
 *
 * Reads   arc_summary, arc_summary.py, arc_summary3 (ZFS 0.6 to 2.3, Linux and FreeBSD), also cut to some of its sections
 * Gives   counter (kind zfs) arcstats.size, c, c_min, c_max, hits, misses, demand_*, memory_throttle_count, l2_*; setting
 *         zfs_parameter
 * Sample  OpenZFS 2.1
 *   | ZFS Subsystem Report                            Wed May 17 15:03:43 2023
 *   | ARC size (current):                                    98.7 %   62.0 GiB
 *   |         Target size (adaptive):                       100.0 %   62.9 GiB
 *   | ARC total accesses (hits + misses):                               108.6M
 *   |         Cache hit ratio:                               98.1 %     106.5M
 *   | Tunables:
 *   |         l2arc_noprefetch                                               1
 * Sample  0.7 and earlier
 *   | ARC Size:                               92.16%  7.22    GiB
 *   |         Max Size (High Water):          250:1   7.83    GiB
 * Varies  words in small letters since 0.8. Since 2.2 hits stand as "Demand data hits", before as "Demand data" below "Cache hits
 *         by data type". Sizes are rounded to three figures, counts carry k M B T (small letters before), base 1000.
 */
#include "parser.h"
#include "zfs_counter.h"

#include <math.h>

static bool dashes(Str s) {
    if (s.len < 10) return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != '-') return false;
    return true;
}

/* "label: 98.7 %   62.0 GiB" without the percentage or ratio in front: the last figure and its unit. */
static bool last_figure(Str s, double *out) {
    static const struct {
        const char *word;
        double factor;
    } sizes[] = {{"Bytes", 1},          {"KiB", 1024.0},          {"MiB", 1048576.0},
                 {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}, {"PiB", 1125899906842624.0}};
    Str before = STR_NONE, last = STR_NONE;
    for (Str w; (w = str_word(&s)).len;) {
        before = last;
        last = w;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (str_is(last, sizes[i].word)) {
            double v;
            if (!str_double(before, &v)) return false;
            *out = v * sizes[i].factor;
            return true;
        }
    if (!last.len || last.p[last.len - 1] == '%' || str_find_ch(last, ':') != SIZE_MAX) return false;
    static const char letters[] = "kmbtq";
    double factor = 1;
    char c = last.p[last.len - 1];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    for (size_t i = 0; letters[i]; i++)
        if (c == letters[i]) {
            factor = pow(1000, (double)i + 1);
            last.len--;
        }
    double v;
    if (!last.len || !ch_digit(last.p[0]) || !str_double(last, &v)) return false;
    *out = v * factor;
    return true;
}

/* "zfs_arc_max      0" and "vfs.zfs.arc_max     0": a name with an underscore or dot, and one value. */
static bool tunable(Str line, Str *name, Str *value) {
    if (!line.len || !ch_blank(line.p[0])) return false;
    *name = str_word(&line);
    *value = str_word(&line);
    if (!value->len || str_word(&line).len || name->len < 4 || !ch_alpha(name->p[0])) return false;
    bool joined = false;
    for (size_t i = 0; i < name->len; i++) {
        char c = name->p[i];
        if (!ch_alnum(c) && c != '_' && c != '.') return false;
        joined = joined || c == '_' || c == '.';
    }
    return joined;
}

/* A figure with its label: "        Cache hit ratio:      98.1 %     106.5M". */
static bool labelled(Str line, Str *label, Str *rest) {
    Str s = str_trim(line);
    size_t colon = str_find(s, ": ");
    if (colon == SIZE_MAX) colon = str_find(s, ":\t");
    if (colon == SIZE_MAX && s.len && s.p[s.len - 1] == ':') colon = s.len - 1;
    if (colon == SIZE_MAX || !colon || !ch_alpha(s.p[0])) return false;
    *label = str_sub(s, 0, colon);
    *rest = str_trim(str_from(s, colon + 1));
    /* "Target Size: (Adaptive)  100.00%  7.83 GiB" of old versions */
    if (str_starts(*rest, "(")) {
        size_t end = str_find_ch(*rest, ')');
        if (end != SIZE_MAX) *rest = str_trim(str_from(*rest, end + 1));
    }
    return true;
}

static bool title(Str s) {
    return str_starts(s, "ZFS Subsystem Report");
}

/* "Linux 6.1.0-18-amd64                      2.1.11-1" below the title. */
static bool system_line(Str s) {
    Str w[4];
    return (str_starts(s, "Linux ") || str_starts(s, "FreeBSD ")) && str_words(s, w, 4) == 3 &&
           str_has(s, "          ") && ch_digit(w[1].p[0]) && (ch_digit(w[2].p[0]) || str_starts(w[2], "zfs"));
}

static bool arc_size(Str s) {
    double v;
    return (str_starts(s, "ARC size (current):") || str_starts(s, "ARC Size:")) && last_figure(s, &v) &&
           (str_ends(s, "iB") || str_ends(s, "Bytes"));
}

static bool starts(Str line) {
    Str s = str_trim(line);
    return title(s) || arc_size(s);
}

static bool continues(Str line) {
    Str s = str_trim(line), label, rest, name, value;
    double v;
    if (!s.len || dashes(s) || title(s) || tunable(line, &name, &value) || system_line(s) ||
        str_starts(s, "L2ARC not detected"))
        return true;
    if (!labelled(line, &label, &rest) || label.len > 60) return false;
    return !rest.len || last_figure(rest, &v) || str_is(rest, "HEALTHY") || str_is(rest, "THROTTLED") ||
           str_starts(s, "ARC Summary: (") || str_starts(s, "Machine: ");
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "arc_summary") || str_has(command, "arc_summary") ? 6 : 0;
    for (int n = 0; n < 6 && head.len; n++) {
        Str s = str_trim(head_line(&head));
        if (!s.len || dashes(s)) continue;
        if (title(s)) return 30 + bits;
        if (arc_size(s)) return 26 + bits;
        if (str_starts(s, "ARC status:") || str_starts(s, "ARC Summary: (")) return 20 + bits;
        if (n > 3) break;
    }
    return 0;
}

/* ---------------------------------------------------------------- facts */

/* section: what the last heading speaks of; NULL: wherever it stands. */
typedef enum Section { S_ANY, S_ARC, S_HITS, S_MISSES, S_L2, S_OTHER } Section;

static const struct {
    Section section;
    const char *label, *name;
} figures[] = {
    {S_ANY, "ARC size (current)", "size"},
    {S_ANY, "ARC Size", "size"},
    {S_ANY, "Target size (adaptive)", "c"},
    {S_ANY, "Target Size", "c"},
    {S_ANY, "Min size (hard limit)", "c_min"},
    {S_ANY, "Max size (high water)", "c_max"},
    {S_ANY, "Memory throttle count", "memory_throttle_count"},
    {S_ARC, "Cache hit ratio", "hits"},
    {S_ARC, "Cache miss ratio", "misses"},
    {S_ARC, "Total hits", "hits"},
    {S_ARC, "Total I/O hits", "iohits"},
    {S_ARC, "Total misses", "misses"},
    {S_ANY, "Demand data hits", "demand_data_hits"},
    {S_ANY, "Demand data misses", "demand_data_misses"},
    {S_ANY, "Demand metadata hits", "demand_metadata_hits"},
    {S_ANY, "Demand metadata misses", "demand_metadata_misses"},
    {S_HITS, "Demand data", "demand_data_hits"},
    {S_HITS, "Demand metadata", "demand_metadata_hits"},
    {S_MISSES, "Demand data", "demand_data_misses"},
    {S_MISSES, "Demand metadata", "demand_metadata_misses"},
    {S_ANY, "L2ARC size (adaptive)", "l2_size"},
    {S_L2, "Header size", "l2_hdr_size"},
    {S_L2, "Hit ratio", "l2_hits"},
    {S_L2, "Miss ratio", "l2_misses"},
};

static Section section_of(Str label, Section now) {
    static const struct {
        const char *begins;
        Section section;
    } heads[] = {{"ARC total accesses", S_ARC},
                 {"Cache hits by data type", S_HITS},
                 {"Cache misses by data type", S_MISSES},
                 {"L2ARC breakdown", S_L2},
                 {"L2 ARC breakdown", S_L2},
                 {"L2ARC size", S_L2},
                 {"L2 ARC size", S_L2},
                 {"Cache hits by cache", S_OTHER},
                 {"DMU", S_OTHER},
                 {"File-Level Prefetch", S_OTHER},
                 {"L2ARC evicts", S_OTHER},
                 {"L2ARC I/O", S_OTHER},
                 {"VDEV", S_OTHER},
                 {"ZIL", S_OTHER},
                 {"ARC hash", S_OTHER},
                 {"ARC misc", S_OTHER}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        Str begins = str_of(heads[i].begins);
        if (label.len >= begins.len && str_ieq(str_sub(label, 0, begins.len), begins)) return heads[i].section;
    }
    return now;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    Section section = S_OTHER;
    Str line;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line), label, rest, name, value;
        if (!s.len || dashes(s)) continue;
        if (title(s)) {
            ctx->rows++;
        } else if (tunable(line, &name, &value)) {
            ctx->rows++;
            if (str_starts(name, "zfs_") || str_starts(name, "l2arc_") || str_starts(name, "zi") ||
                str_starts(name, "spa_") || str_starts(name, "vfs.zfs."))
                ctx_setting(ctx, host, "zfs_parameter",
                            arena_strf(ctx->scratch, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)), "kernel", at);
        } else if (labelled(line, &label, &rest)) {
            double v = NAN;
            ctx->rows++;
            section = section_of(label, section);
            for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
                if ((figures[i].section != S_ANY && figures[i].section != section) ||
                    !str_ieq(label, str_of(figures[i].label)))
                    continue;
                if (!last_figure(rest, &v))
                    parse_note(ctx, at, "arc_summary: no figure in \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
                else
                    zfs_counter(ctx, host, STR("arcstats"), str_of(figures[i].name),
                                arena_strf(ctx->scratch, "%.0f", v), NAN, at);
                break;
            }
        } else if (system_line(s) || str_starts(s, "L2ARC not detected") || str_starts(s, "#") || ch_blank(line.p[0])) {
            ctx->rows++; /* also what -d says of a parameter, and one with several values */
        } else {
            parse_note(ctx, at, "not a line of arc_summary: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_arc_summary = {
    .name = "arc-summary", .bid = bid, .starts = starts, .continues = continues, .parse = parse, .ask = "arc_summary"};
