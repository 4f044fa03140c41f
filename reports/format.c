#include "format.h"

#include "base/lang.h"
#include "base/times.h"

#include <math.h>
#include <stdio.h>

Str format_number(Arena *a, double v) {
    if (!isfinite(v)) return STR("-");
    double size = fabs(v);
    if (size >= 1e15) return arena_strf(a, "%.3g", v);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 || v == 0 ? 2 : 3;
    if (size != 0 && size < 0.0005) return arena_strf(a, "%.2g", v);
    Str s = arena_strf(a, "%.*f", decimals, v);
    if (str_find_ch(s, '.') != SIZE_MAX) {
        while (s.p[s.len - 1] == '0') s.len--;
        if (s.p[s.len - 1] == '.') s.len--;
    }
    return arena_str(a, s);
}

Str format_count(Arena *a, double v) {
    return isfinite(v) ? arena_strf(a, "%.0f", v) : STR("-");
}

static Str scaled(Arena *a, double v, const char *suffix) {
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    size_t i = 0;
    for (; fabs(v) >= 999.5 && i + 1 < sizeof prefixes / sizeof *prefixes; i++) v /= 1000;
    return arena_strf(a, "%.*s %s%s", STR_ARG(format_number(a, v)), prefixes[i], suffix);
}

/* Words that pages and metrics count in; other units are symbols (ms, MB/s). */
static const struct {
    const char *unit, *one, *many;
} counted_units[] = {
    {"times", P_("{n} times", "{n} times")},         {"errors", P_("{n} error", "{n} errors")},
    {"resets", P_("{n} reset", "{n} resets")},       {"pools", P_("{n} pool", "{n} pools")},
    {"lines", P_("{n} line", "{n} lines")},          {"drives", P_("{n} drive", "{n} drives")},
    {"warnings", P_("{n} warning", "{n} warnings")}, {"timeouts", P_("{n} timeout", "{n} timeouts")},
    {"tasks", P_("{n} task", "{n} tasks")},          {"sectors", P_("{n} sector", "{n} sectors")},
    {"members", P_("{n} member", "{n} members")},    {"file systems", P_("{n} file system", "{n} file systems")},
    {"commands", P_("{n} command", "{n} commands")}, {"processes", P_("{n} process", "{n} processes")},
};

static Str counted(Arena *a, double v, Str number, Str unit) {
    /* What is no whole number counts as a few: "1.5 раза". */
    unsigned long n = v == floor(v) && fabs(v) < 1e9 ? (unsigned long)fabs(v) : 2;
    for (size_t i = 0; i < sizeof counted_units / sizeof *counted_units; i++)
        if (str_is(unit, counted_units[i].unit))
            return say(a, lang_plural(counted_units[i].one, counted_units[i].many, str_is(number, "1") ? 1 : n), "n",
                       number, NULL);
    if (str_is(unit, "per day")) return say(a, _("{n} per day"), "n", number, NULL);
    if (str_is(unit, "load")) return say(a, _("{n} load"), "n", number, NULL);
    /* "1 reset", "1 process", but "1 ms" and "1 times" */
    size_t one = 0;
    if (str_is(number, "1") && unit.len > 2 && str_ends(unit, "s") && !str_ends(unit, "/s"))
        one = str_ends(unit, "sses") ? 2 : 1;
    return arena_strf(a, "%.*s %.*s", STR_ARG(number), STR_ARG(str_sub(unit, 0, unit.len - one)));
}

Str format_quantity(Arena *a, double v, Str unit) {
    if (!isfinite(v)) return STR("-");
    if (str_is(unit, "bytes") || str_is(unit, "B")) return scaled(a, v, "B");
    if (str_is(unit, "bytes/s") || str_is(unit, "B/s")) return scaled(a, v, "B/s");
    if (str_is(unit, "ms") && fabs(v) >= 10000) return arena_strf(a, "%.*s s", STR_ARG(format_number(a, v / 1000)));
    Str number = format_number(a, v);
    if (!unit.len) return number;
    if (str_is(unit, "%") || str_is(unit, "/s") || str_is(unit, "x"))
        return arena_strf(a, "%.*s%.*s", STR_ARG(number), STR_ARG(unit));
    return counted(a, v, number, unit);
}

static const struct {
    const char *ending, *unit;
} units[] = {{"_bytes_s", "bytes/s"},
             {"_bytes", "bytes"},
             {"_ms", "ms"},
             {"_pct", "%"},
             {"_celsius", "\xc2\xb0"
                          "C"},
             {"_s", "/s"}};

static const char *ending_of(Str metric, const char **unit) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_ends(metric, units[i].ending)) {
            *unit = units[i].unit;
            return units[i].ending;
        }
    *unit = "";
    return "";
}

Str metric_unit(Str metric) {
    const char *unit;
    ending_of(metric, &unit);
    return str_of(unit);
}

Str setting_label(Str key) {
    static const struct {
        const char *key, *label;
    } known[] = {{"cmdline", N_("kernel command line")},
                 {"dmi_bios_version", N_("BIOS version")},
                 {"kernel_release", N_("kernel")},
                 {"zfs_version", N_("ZFS version")},
                 {"write_cache", N_("write cache")},
                 {"nvme_write_cache_feature", N_("write cache (NVMe feature)")},
                 {"read_cache", N_("read cache")},
                 {"read_lookahead", N_("read look-ahead")},
                 {"queue_depth", N_("queue depth")},
                 {"ncq_depth", N_("NCQ depth")},
                 {"scheduler", N_("I/O scheduler")},
                 {"io_timeout_s", N_("command timeout (s)")},
                 {"link_gbps", N_("link speed (Gbit/s)")},
                 {"link_limit_gbps", N_("limit of the link speed (Gbit/s)")},
                 {"lpm_policy", N_("link power management")},
                 {"usb_driver", N_("USB driver")},
                 {"apm_level", N_("APM level")},
                 {"erc_read_s", N_("error recovery limit, reads (s)")},
                 {"erc_write_s", N_("error recovery limit, writes (s)")},
                 {"smart_health", N_("SMART health")},
                 {"lba_format_bytes", N_("LBA format (bytes)")},
                 {"fstrim_timer", N_("fstrim.timer")},
                 {"cache_mode", N_("cache mode of the guest's disk")},
                 {"recordsize_bytes", N_("recordsize (bytes)")}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(key, known[i].key)) return str_of(_(known[i].label));
    return key;
}

Str metric_label(Arena *a, Str metric) {
    static const struct {
        const char *metric, *label;
    } known[] = {{"r_s", N_("reads (r/s)")},
                 {"w_s", N_("writes (w/s)")},
                 {"d_s", N_("discards (d/s)")},
                 {"f_s", N_("flushes (f/s)")},
                 {"io_s", N_("operations (tps)")},
                 {"r_bytes_s", N_("read")},
                 {"w_bytes_s", N_("written")},
                 {"d_bytes_s", N_("discarded")},
                 {"rareq_bytes", "rareq-sz"},
                 {"wareq_bytes", "wareq-sz"},
                 {"areq_bytes", "areq-sz"},
                 {"aqu_sz", "aqu-sz"},
                 {"util_pct", "%util"},
                 {"rrqm_s", "rrqm/s"},
                 {"wrqm_s", "wrqm/s"},
                 {"disk_wait_read_ms", "disk_wait read"},
                 {"disk_wait_write_ms", "disk_wait write"},
                 {"total_wait_read_ms", "total_wait read"},
                 {"total_wait_write_ms", "total_wait write"},
                 {"psi_io_some_pct", N_("I/O pressure, some")},
                 {"psi_io_full_pct", N_("I/O pressure, full")},
                 {"cpu_iowait_pct", "%iowait"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(metric, known[i].metric)) return str_of(_(known[i].label));
    const char *unit, *ending = ending_of(metric, &unit);
    if (str_is(metric, ending) || str_is(STR("_s"), ending)) return arena_str(a, metric);
    return arena_str(a, str_sub(metric, 0, metric.len - strlen(ending)));
}

Str format_factor(Arena *a, double factor) {
    if (!isfinite(factor)) return STR("-");
    if (factor > 0.9 && factor < 1.1) return str_of(_("about 1x"));
    return arena_strf(a, "%.*sx", STR_ARG(format_number(a, factor >= 100 ? round(factor) : factor)));
}

Str format_time(Arena *a, double epoch_s) {
    char iso[32];
    time_format_iso(epoch_s, 0, iso, sizeof iso);
    Str s = str_of(iso);
    if (s.len < 20) return STR("");
    return arena_strf(a, "%.10s %.8s UTC", iso, iso + 11);
}

Str format_span(Arena *a, double seconds) {
    if (!(seconds >= 0) || seconds > 1e11) return STR("");
    int64_t s = (int64_t)(seconds + 0.5);
    if (s < 120) return arena_strf(a, "%lld s", (long long)s);
    if (s < 7200) return arena_strf(a, "%lld min", (long long)(s / 60));
    if (s < 2 * 86400) return arena_strf(a, "%lld h %lld min", (long long)(s / 3600), (long long)(s / 60 % 60));
    return arena_strf(a, "%lld d %lld h", (long long)(s / 86400), (long long)(s / 3600 % 24));
}

Str basis_words(Arena *a, Str basis) {
    static const char *const words[] = {N_("averages"),
                                        N_("lifetime average"),
                                        N_("lifetime average (since boot)"),
                                        N_("lifetime average (since import)"),
                                        N_("present value"),
                                        N_("io percentiles"),
                                        N_("benchmark"),
                                        N_("transaction groups"),
                                        N_("kernel log"),
                                        N_("counters and kernel log"),
                                        N_("lists of drives and members")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(basis, words[i])) return str_of(_(words[i]));
    size_t digits = 0;
    while (digits < basis.len && (ch_digit(basis.p[digits]) || basis.p[digits] == '.')) digits++;
    if (digits && str_is(str_from(basis, digits), "s averages"))
        return say(a, _("{n}s averages"), "n", str_sub(basis, 0, digits), NULL);
    return lang_phrase(a, basis);
}
