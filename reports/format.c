#include "format.h"

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

Str format_quantity(Arena *a, double v, Str unit) {
    if (!isfinite(v)) return STR("-");
    if (str_is(unit, "bytes") || str_is(unit, "B")) return scaled(a, v, "B");
    if (str_is(unit, "bytes/s") || str_is(unit, "B/s")) return scaled(a, v, "B/s");
    if (str_is(unit, "ms") && fabs(v) >= 10000) return arena_strf(a, "%.*s s", STR_ARG(format_number(a, v / 1000)));
    Str number = format_number(a, v);
    if (!unit.len) return number;
    if (str_is(unit, "%") || str_is(unit, "/s") || str_is(unit, "x"))
        return arena_strf(a, "%.*s%.*s", STR_ARG(number), STR_ARG(unit));
    /* "1 reset", "1 process", but "1 ms" and "1 times" */
    size_t one = 0;
    if (str_is(number, "1") && unit.len > 2 && str_ends(unit, "s") && !str_ends(unit, "/s") && !str_is(unit, "times"))
        one = str_ends(unit, "sses") ? 2 : 1;
    return arena_strf(a, "%.*s %.*s", STR_ARG(number), STR_ARG(str_sub(unit, 0, unit.len - one)));
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
    } known[] = {{"cmdline", "kernel command line"},
                 {"dmi_bios_version", "BIOS version"},
                 {"kernel_release", "kernel"},
                 {"zfs_version", "ZFS version"},
                 {"write_cache", "write cache"},
                 {"nvme_write_cache_feature", "write cache (NVMe feature)"},
                 {"read_cache", "read cache"},
                 {"read_lookahead", "read look-ahead"},
                 {"queue_depth", "queue depth"},
                 {"ncq_depth", "NCQ depth"},
                 {"scheduler", "I/O scheduler"},
                 {"io_timeout_s", "command timeout (s)"},
                 {"link_gbps", "link speed (Gbit/s)"},
                 {"link_limit_gbps", "limit of the link speed (Gbit/s)"},
                 {"lpm_policy", "link power management"},
                 {"usb_driver", "USB driver"},
                 {"apm_level", "APM level"},
                 {"erc_read_s", "error recovery limit, reads (s)"},
                 {"erc_write_s", "error recovery limit, writes (s)"},
                 {"smart_health", "SMART health"},
                 {"lba_format_bytes", "LBA format (bytes)"},
                 {"fstrim_timer", "fstrim.timer"},
                 {"cache_mode", "cache mode of the guest's disk"},
                 {"recordsize_bytes", "recordsize (bytes)"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(key, known[i].key)) return str_of(known[i].label);
    return key;
}

Str metric_label(Arena *a, Str metric) {
    static const struct {
        const char *metric, *label;
    } known[] = {{"r_s", "reads (r/s)"},
                 {"w_s", "writes (w/s)"},
                 {"d_s", "discards (d/s)"},
                 {"f_s", "flushes (f/s)"},
                 {"io_s", "operations (tps)"},
                 {"r_bytes_s", "read"},
                 {"w_bytes_s", "written"},
                 {"d_bytes_s", "discarded"},
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
                 {"psi_io_some_pct", "I/O pressure, some"},
                 {"psi_io_full_pct", "I/O pressure, full"},
                 {"cpu_iowait_pct", "%iowait"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(metric, known[i].metric)) return str_of(known[i].label);
    const char *unit, *ending = ending_of(metric, &unit);
    if (str_is(metric, ending) || str_is(STR("_s"), ending)) return arena_str(a, metric);
    return arena_str(a, str_sub(metric, 0, metric.len - strlen(ending)));
}

Str format_factor(Arena *a, double factor) {
    if (!isfinite(factor)) return STR("-");
    if (factor > 0.9 && factor < 1.1) return STR("about 1x");
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
