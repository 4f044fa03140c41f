/*
 * host_info.c - system, kernel, time and memory of the host
 *
 * Reads   uname -a, /etc/os-release and friends, hostname, hostid, hostnamectl, uptime, date, /proc/{cmdline,version,uptime,loadavg,cpuinfo,meminfo},
 *         free, lscpu, systemd-detect-virt, systemctl list-unit-files, zfs version
 * Gives   setting of the host (view kernel); bundle.os, bundle.kernel, bundle.host; capture.start_s, uptime_s, boot_id where no manifest
 *         gave them
 * Sample  uname -a
 *   | Linux mserver 6.12.41+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.41-1 (2025-08-12) x86_64 GNU/Linux
 * Sample  /etc/os-release
 *   | PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
 *   | ID=debian
 * Varies  several of them often stand in one file, so each line is recognised by itself; single words ("none", a host name) only where
 *         path or command say what they are
 */
#include "device_text.h"
#include "parser.h"

#include "../base/times.h"

#include <math.h>

typedef enum Kind {
    KIND_NONE,
    KIND_UNAME,
    KIND_OS_RELEASE,
    KIND_UPTIME,
    KIND_PROC_UPTIME,
    KIND_BOOT_ID,
    KIND_LOADAVG,
    KIND_DATE,
    KIND_CMDLINE,
    KIND_VERSION,
    KIND_CPUINFO,
    KIND_MEMINFO,
    KIND_FREE,
    KIND_LSCPU,
    KIND_HOSTNAMECTL,
    KIND_TIMER_ROW,
    KIND_ZFS_VERSION
} Kind;

static bool boot_id(Str s) {
    if (s.len != 36) return false;
    for (size_t i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s.p[i] != '-' : !ch_hex(s.p[i])) return false;
    }
    return true;
}

static bool os_release_line(Str s) {
    static const char *const keys[] = {"PRETTY_NAME=",
                                       "NAME=",
                                       "VERSION=",
                                       "VERSION_ID=",
                                       "ID=",
                                       "ID_LIKE=",
                                       "VERSION_CODENAME=",
                                       "HOME_URL=",
                                       "SUPPORT_URL=",
                                       "BUG_REPORT_URL=",
                                       "DEBIAN_VERSION_FULL=",
                                       "UBUNTU_CODENAME=",
                                       "ANSI_COLOR=",
                                       "CPE_NAME=",
                                       "LOGO=",
                                       "VARIANT=",
                                       "VARIANT_ID=",
                                       "PLATFORM_ID=",
                                       "BUILD_ID=",
                                       "IMAGE_ID=",
                                       "DISTRIB_ID=",
                                       "DISTRIB_RELEASE=",
                                       "DISTRIB_CODENAME=",
                                       "DISTRIB_DESCRIPTION=",
                                       "PRIVACY_POLICY_URL=",
                                       "DOCUMENTATION_URL=",
                                       "REDHAT_",
                                       "DEFAULT_HOSTNAME=",
                                       NULL};
    size_t quote = str_find(s, "=\"");
    if (quote != SIZE_MAX && str_has(str_from(s, quote + 2), "=\"")) return false; /* pairs of lsblk and blkid */
    for (size_t i = 0; keys[i]; i++)
        if (str_starts(s, keys[i])) return true;
    return false;
}

static bool meminfo_line(Str s) {
    static const char *const keys[] = {
        "MemTotal:", "MemFree:",   "MemAvailable:", "Buffers:",   "Cached:",    "SwapCached:", "Active:",
        "Inactive:", "SwapTotal:", "Dirty:",        "Writeback:", "AnonPages:", NULL};
    for (size_t i = 0; keys[i]; i++)
        if (str_starts(s, keys[i])) return str_ends(s, "kB") || str_ends(s, " 0");
    return false;
}

static bool cpuinfo_line(Str s) {
    return str_starts(s, "processor\t:") || str_starts(s, "vendor_id\t:") || str_starts(s, "cpu family\t:") ||
           str_starts(s, "model name\t:") || str_starts(s, "processor       :");
}

/* What a line is, by its own words alone. */
static Kind kind_of(Str line) {
    Str s = str_trim(line), w[6];
    if (!s.len) return KIND_NONE;
    if (str_starts(s, "Linux version ")) return KIND_VERSION;
    if (str_starts(s, "Linux ") && str_has(s, " #") && str_words(s, w, 6) >= 6) return KIND_UNAME;
    /* The host's name stands before the version; the banner of a kernel log has none ("FreeBSD 12.1-RELEASE-p5 GENERIC"). */
    if (str_starts(s, "FreeBSD ") && str_words(s, w, 6) >= 5 && ch_digit(w[2].p[0]) && str_has(w[2], "RELEASE"))
        return KIND_UNAME;
    if (os_release_line(s)) return KIND_OS_RELEASE;
    if (meminfo_line(s)) return KIND_MEMINFO;
    if (cpuinfo_line(s)) return KIND_CPUINFO;
    if (str_starts(s, "top - ")) return KIND_NONE; /* top.c */
    if (str_has(s, " up ") && (str_has(s, "load average:") || str_has(s, "load averages:"))) return KIND_UPTIME;
    if (str_starts(s, "up ") && (str_has(s, " minute") || str_has(s, " hour") || str_has(s, " day")))
        return KIND_UPTIME;
    if (boot_id(s)) return KIND_BOOT_ID;
    if (str_starts(s, "BOOT_IMAGE=") ||
        (str_has(s, "root=") && (str_has(s, " ro") || str_has(s, " quiet") || str_has(s, "rw ")) &&
         str_find_ch(s, ':') == SIZE_MAX))
        return KIND_CMDLINE;
    if (str_starts(s, "zfs-") && s.len > 5 && (ch_digit(s.p[4]) || str_starts(s, "zfs-kmod-"))) return KIND_ZFS_VERSION;
    if (str_starts(s, "fstrim.timer")) return KIND_TIMER_ROW;
    if (str_starts(s, "Static hostname:") || str_starts(s, "Operating System:") || str_starts(s, "Virtualization:"))
        return KIND_HOSTNAMECTL;
    if (str_starts(s, "CPU(s):") || str_starts(s, "On-line CPU(s) list:") || str_starts(s, "Hypervisor vendor:"))
        return KIND_LSCPU;
    if (str_starts(s, "Mem:") && str_words(s, w, 6) >= 4) return KIND_FREE;
    if (str_starts(s, "total ") && str_has(s, " used ") && str_has(s, " free ")) return KIND_FREE;
    if (str_starts(s, "Swap:") && str_words(s, w, 6) == 4) return KIND_FREE;
    size_t n = str_words(s, w, 6);
    double a, b;
    uint64_t e;
    if (n == 2 && str_double(w[0], &a) && str_double(w[1], &b) && str_find_ch(w[0], '.') != SIZE_MAX &&
        str_find_ch(w[1], '.') != SIZE_MAX)
        return KIND_PROC_UPTIME;
    if (n == 5 && str_double(w[0], &a) && str_double(w[1], &b) && str_find_ch(w[3], '/') != SIZE_MAX &&
        str_u64(w[4], &e))
        return KIND_LOADAVG;
    bool zone;
    if (n == 2 && str_u64(w[0], &e) && e > 1000000000 && str_find_ch(w[1], 'T') != SIZE_MAX &&
        time_parse(w[1], &a, &zone))
        return KIND_DATE;
    if (n >= 5 && n <= 7 && s.len < 48 && time_parse(s, &a, &zone)) return KIND_DATE;
    return KIND_NONE;
}

/* What path or command says of single words. */
typedef enum Hint { HINT_NONE, HINT_HOSTNAME, HINT_HOSTID, HINT_VIRT, HINT_ZFS, HINT_RELEASE } Hint;

static Hint hint_of(Str path, Str command) {
    Str base = str_basename(path);
    if (command_is(command, "systemd-detect-virt") || str_starts(base, "virt.") || str_has(base, "detect-virt") ||
        str_is(base, "virt"))
        return HINT_VIRT;
    if (command_is(command, "hostname") || str_is(base, "hostname") || str_starts(base, "hostname.") ||
        str_ends(path, "/etc/hostname"))
        return HINT_HOSTNAME;
    if (command_is(command, "hostid") || str_is(base, "hostid") || str_starts(base, "hostid.")) return HINT_HOSTID;
    if (str_ends(path, "module/zfs/version")) return HINT_ZFS;
    if (str_has(path, "etc/debian_version") || str_has(path, "-release") || str_ends(path, "etc/version") ||
        str_starts(base, "os.") || str_has(base, "unraid-version"))
        return HINT_RELEASE;
    return HINT_NONE;
}

/* What hostid(1) prints: eight hex digits, the leading noughts included. */
static bool hostid_word(Str s) {
    uint64_t v;
    return s.len == 8 && !str_starts(s, "0x") && str_hex_u64(s, &v) && v > 0;
}

static bool virt_word(Str s) {
    static const char *const words[] = {
        "none",      "kvm", "qemu",        "vmware", "microsoft", "oracle",          "xen",      "bhyve",
        "parallels", "lxc", "lxc-libvirt", "docker", "podman",    "systemd-nspawn",  "openvz",   "amazon",
        "uml",       "zvm", "bochs",       "qnx",    "acrn",      "powervm",         "apple",    "sre",
        "google",    "wsl", "proot",       "pouch",  "rkt",       "container-other", "vm-other", NULL};
    for (size_t i = 0; words[i]; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static int host_info_bid(Str path, Str command, Str head) {
    int evidence = 0, lines = 0, known = 0;
    Str rest = head;
    Hint hint = hint_of(path, command);
    for (int n = 0; rest.len && n < 12; n++) {
        Str line = head_line(&rest);
        if (!str_trim(line).len) continue;
        lines++;
        Kind kind = kind_of(line);
        if (kind == KIND_NONE) continue;
        known++;
        switch (kind) {
        case KIND_VERSION: /* also the first line of a kernel log */ evidence += 4; break;
        case KIND_PROC_UPTIME:
        case KIND_LOADAVG:
        case KIND_DATE:
        case KIND_CMDLINE:
        case KIND_BOOT_ID: evidence += 9; break;
        case KIND_UPTIME: /* also the first line of top and w */ evidence += 10; break;
        default: evidence += 16; break;
        }
    }
    if (!lines) return 0;
    if (hint == HINT_VIRT && virt_word(str_trim(head_line(&head)))) return 16;
    Str only = head;
    if (hint == HINT_HOSTID && lines == 1 && hostid_word(str_trim(head_line(&only)))) return 16;
    if (!known) return hint == HINT_HOSTNAME && lines == 1 ? 8 : hint == HINT_RELEASE && lines <= 3 ? 8 : 0;
    if (known * 3 < lines && evidence < 32) return 0; /* a line of ours in something else */
    if (lines == 1 && kind_of(str_trim(str_sub(head, 0, 4096))) == KIND_VERSION) evidence = 16;
    if (evidence > 40) evidence = 40;
    return evidence;
}

static bool host_info_starts(Str line) {
    switch (kind_of(line)) {
    case KIND_UNAME:
    case KIND_MEMINFO:
    case KIND_ZFS_VERSION:
    case KIND_CMDLINE: return true;
    case KIND_OS_RELEASE: /* lsblk -P has several pairs on a line */
        return str_starts(line, "PRETTY_NAME=") || (str_starts(line, "NAME=") && !str_has(str_from(line, 6), "=\""));
    case KIND_CPUINFO: return str_starts(line, "processor");
    case KIND_UPTIME: return str_has(line, "load average");
    default: return false;
    }
}

static bool host_info_continues(Str line) {
    Str s = str_trim(line);
    if (!s.len) return true;
    if (kind_of(s) != KIND_NONE) return true;
    /* the rest of cpuinfo and meminfo */
    size_t colon = str_find_ch(s, ':');
    if (colon != SIZE_MAX && colon > 0 && str_has(line, "\t:")) return true;
    return colon != SIZE_MAX && str_ends(s, " kB") && str_find_ch(str_sub(s, 0, colon), ' ') == SIZE_MAX;
}

typedef struct HostInfo {
    ParseCtx *ctx;
    Ref host;
    int64_t cpus;
    Spot cpus_at;
    Kind last;
} HostInfo;

static void set(HostInfo *h, const char *key, Str value, Spot at) {
    value = str_trim(value);
    if (!value.len) return;
    if (!h->host) h->host = ctx_ref(h->ctx, REF_HOST, STR("host"));
    ctx_setting(h->ctx, h->host, key, value, "kernel", at);
}

static void set_real(HostInfo *h, const char *key, double value, Spot at) {
    set(h, key, arena_strf(h->ctx->scratch, "%.15g", value), at);
}

/* Columns of bundle and capture that a manifest may have filled already stay. */
static void fill(ParseCtx *ctx, const char *sql, Str text, double number) {
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(facts_db(ctx->facts), sql, -1, &st, NULL) != SQLITE_OK) return;
    if (text.p) sqlite3_bind_text(st, 1, text.p, text.len > INT_MAX ? INT_MAX : (int)text.len, SQLITE_TRANSIENT);
    else sqlite3_bind_double(st, 1, number);
    sqlite3_bind_int64(st, 2, ctx->src);
    sqlite3_step(st);
    sqlite3_finalize(st);
}
#define CAPTURE(column)                                                                                                \
    "UPDATE capture SET " column " = ifnull(" column ", ?1) WHERE id = (SELECT capture FROM source WHERE id = ?2)"
#define BUNDLE(column)                                                                                                 \
    "UPDATE bundle SET " column " = ifnull(" column ", ?1) WHERE id = (SELECT bundle FROM source WHERE id = ?2)"

static Str unquote(Str s) {
    s = str_trim(s);
    if (s.len >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.len - 1] == s.p[0]) s = str_sub(s, 1, s.len - 2);
    return s;
}

/* " 12:00:01 up 10 days,  2:03,  1 user,  load average: 0.52, 0.41, 0.30" */
static bool uptime_line(HostInfo *h, Str s, Spot at) {
    size_t up = str_starts(s, "up ") ? 0 : str_find(s, " up ");
    if (up == SIZE_MAX) return false;
    Str rest = str_from(s, up + (str_starts(s, "up ") ? 3 : 4));
    double seconds = 0;
    bool any = false;
    while (rest.len) {
        Str part = str_trim(str_cut(&rest, ','));
        double n;
        size_t colon = str_find_ch(part, ':');
        uint64_t hours, minutes;
        if (str_has(part, "user") || str_starts(part, "load average")) break;
        if (colon != SIZE_MAX && str_u64(str_sub(part, 0, colon), &hours) &&
            str_u64(str_from(part, colon + 1), &minutes)) {
            seconds += (double)hours * 3600 + (double)minutes * 60;
            any = true;
        } else if (dev_leading_number(part, &n)) {
            double unit = str_has(part, "day")                           ? 86400
                          : str_has(part, "week")                        ? 604800
                          : str_has(part, "hour") || str_has(part, "hr") ? 3600
                          : str_has(part, "min")                         ? 60
                          : str_has(part, "sec")                         ? 1
                                                                         : 0;
            if (unit == 0) break;
            seconds += n * unit;
            any = true;
        }
    }
    if (any) {
        set_real(h, "uptime_s", seconds, at);
        fill(h->ctx, CAPTURE("uptime_s"), STR_NONE, seconds);
    }
    size_t load = str_find(s, "load average");
    double one;
    if (load != SIZE_MAX) {
        Str figures = str_from(s, load);
        size_t colon = str_find_ch(figures, ':');
        if (colon != SIZE_MAX && dev_leading_number(str_from(figures, colon + 1), &one))
            set_real(h, "load_1min", one, at);
    }
    return any;
}

/* systemctl list-unit-files and is-enabled */
static void timer_row(HostInfo *h, Str s, Spot at) {
    Str rest = str_from(s, strlen("fstrim.timer")), state = str_word(&rest);
    if (str_is(state, "enabled") || str_is(state, "disabled") || str_is(state, "static") || str_is(state, "masked"))
        set(h, "fstrim_timer", str_is(state, "enabled") ? STR("enabled") : STR("disabled"), at);
}

static bool kibibytes(Str value, double *bytes) {
    double n;
    if (!dev_leading_number(value, &n)) return false;
    *bytes = n * 1024;
    return true;
}

/* "Mem:  32617116  8123456 ..." in KiB, or with suffixes ("31Gi"). */
static void free_line(HostInfo *h, Str s, Spot at) {
    Str w[8];
    size_t n = str_words(s, w, 8);
    if (!str_is(w[0], "Mem:") || n < 4) return;
    double total, available = NAN, factor = 1024;
    Str command = h->ctx->command, path = h->ctx->path; /* without a command the name of a file may say: free-m.txt */
    if (str_has(command, " -b") || path_has(path, "free-b") || path_has(path, "free_b")) factor = 1;
    else if (str_has(command, " -m") || path_has(path, "free-m") || path_has(path, "free_m")) factor = 1048576;
    else if (str_has(command, " -g") || path_has(path, "free-g") || path_has(path, "free_g")) factor = 1073741824;
    bool plain = str_double(w[1], &total);
    if (plain) total *= factor;
    else if (!dev_size(w[1], &total)) {
        parse_note(h->ctx, at, "memory size not understood: \"%.*s\"", STR_ARG(w[1]));
        return;
    }
    set_real(h, "memory_bytes", round(total), at);
    if (n >= 7 && (plain ? str_double(w[6], &available) : dev_size(w[6], &available)))
        set_real(h, "memory_available_bytes", round(plain ? available * factor : available), at);
}

static bool line_facts(HostInfo *h, Kind kind, Str s, Spot at) {
    ParseCtx *ctx = h->ctx;
    Str key, value, w[6];
    double n;
    switch (kind) {
    case KIND_UNAME: {
        Str rest = s;
        Str system = str_word(&rest), node = str_word(&rest), release = str_word(&rest);
        set(h, "hostname", node, at);
        set(h, "kernel_release", release, at);
        fill(ctx, BUNDLE("host"), arena_str(ctx->scratch, node), 0);
        fill(ctx, BUNDLE("kernel"), arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(system), STR_ARG(release)), 0);
        if (str_is(system, "FreeBSD"))
            fill(ctx, BUNDLE("os"), arena_strf(ctx->scratch, "FreeBSD %.*s", STR_ARG(release)), 0);
        return true;
    }
    case KIND_VERSION: {
        Str rest = str_from(s, strlen("Linux version "));
        Str release = str_word(&rest);
        set(h, "kernel_release", release, at);
        fill(ctx, BUNDLE("kernel"), arena_strf(ctx->scratch, "Linux %.*s", STR_ARG(release)), 0);
        return true;
    }
    case KIND_OS_RELEASE:
        if (str_starts(s, "PRETTY_NAME=") || str_starts(s, "DISTRIB_DESCRIPTION=")) {
            value = unquote(str_from(s, str_find_ch(s, '=') + 1));
            set(h, "os_name", value, at);
            if (value.len) fill(ctx, BUNDLE("os"), arena_str(ctx->scratch, value), 0);
        }
        return true;
    case KIND_UPTIME: return uptime_line(h, s, at);
    case KIND_PROC_UPTIME:
        str_words(s, w, 6);
        if (!str_double(w[0], &n)) return false;
        set_real(h, "uptime_s", n, at);
        fill(ctx, CAPTURE("uptime_s"), STR_NONE, n);
        return true;
    case KIND_BOOT_ID: fill(ctx, CAPTURE("boot_id"), arena_str(ctx->scratch, s), 0); return true;
    case KIND_LOADAVG:
        str_words(s, w, 6);
        if (str_double(w[0], &n)) set_real(h, "load_1min", n, at);
        return true;
    case KIND_DATE: {
        bool zone = false;
        size_t words = str_words(s, w, 6);
        if (words == 2 && str_double(w[0], &n)) zone = true;
        else if (!time_parse(s, &n, &zone)) return false;
        if (zone) fill(ctx, CAPTURE("start_s"), STR_NONE, n);
        return true;
    }
    case KIND_CMDLINE: set(h, "cmdline", s, at); return true;
    case KIND_CPUINFO:
        if (str_starts(s, "processor")) {
            if (!h->cpus++) {
                h->cpus_at = at;
                h->cpus_at.text = arena_str(ctx->scratch, at.text);
            }
        }
        return true;
    case KIND_MEMINFO:
        if (!dev_key_value(s, &key, &value) || !kibibytes(value, &n)) return false;
        if (str_is(key, "MemTotal")) set_real(h, "memory_bytes", n, at);
        else if (str_is(key, "MemAvailable")) set_real(h, "memory_available_bytes", n, at);
        else if (str_is(key, "Dirty")) set_real(h, "memory_dirty_bytes", n, at);
        else if (str_is(key, "Writeback")) set_real(h, "memory_writeback_bytes", n, at);
        return true;
    case KIND_FREE: free_line(h, s, at); return true;
    case KIND_LSCPU:
        dev_key_value(s, &key, &value);
        if (str_is(key, "CPU(s)")) set(h, "cpus", value, at);
        return true;
    case KIND_HOSTNAMECTL:
        dev_key_value(s, &key, &value);
        if (str_is(key, "Static hostname")) set(h, "hostname", value, at);
        else if (str_is(key, "Operating System")) set(h, "os_name", value, at);
        else if (str_is(key, "Virtualization")) set(h, "virtualization", value, at);
        return true;
    case KIND_TIMER_ROW: timer_row(h, s, at); return true;
    case KIND_ZFS_VERSION:
        if (str_starts(s, "zfs-kmod-")) set(h, "zfs_version", str_from(s, 9), at);
        return true;
    default: return false;
    }
}

static ParseResult host_info_parse(ParseCtx *ctx, Input *in) {
    HostInfo h = {.ctx = ctx};
    Hint hint = hint_of(ctx->path, ctx->command);
    Str line;
    bool first = true;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line);
        if (!s.len) continue;
        Kind kind = kind_of(line);
        if (kind == KIND_NONE) {
            /* rows that only their neighbours explain */
            bool colon = str_find_ch(s, ':') != SIZE_MAX;
            if (hint == HINT_VIRT && virt_word(s)) {
                /* -v comes first; "none" is said of the container question too */
                if (first) set(&h, "virtualization", s, at);
                ctx->rows++;
            } else if (hint == HINT_HOSTNAME && str_find_ch(s, ' ') == SIZE_MAX && first) {
                set(&h, "hostname", s, at);
                fill(ctx, BUNDLE("host"), arena_str(ctx->scratch, s), 0);
                ctx->rows++;
            } else if (hint == HINT_HOSTID && hostid_word(s) && first) {
                set(&h, "hostid", s, at);
                ctx->rows++;
            } else if (hint == HINT_ZFS && ch_digit(s.p[0])) {
                set(&h, "zfs_version", s, at);
                ctx->rows++;
            } else if (hint == HINT_RELEASE || h.last == KIND_OS_RELEASE) {
                if (hint == HINT_RELEASE && first && !ch_digit(s.p[0]) && s.len < 120) {
                    set(&h, "os_name", s, at);
                    fill(ctx, BUNDLE("os"), arena_str(ctx->scratch, s), 0);
                }
                ctx->rows++; /* "13.0" of debian_version */
            } else if (colon && (h.last == KIND_CPUINFO || h.last == KIND_MEMINFO || h.last == KIND_LSCPU ||
                                 h.last == KIND_HOSTNAMECTL)) {
                ctx->rows++;
            } else {
                parse_note(ctx, at, "not understood");
            }
        } else {
            if (line_facts(&h, kind, s, at)) ctx->rows++;
            else parse_note(ctx, at, "not understood");
            h.last = kind;
        }
        first = false;
    }
    if (h.cpus) set(&h, "cpus", arena_strf(ctx->scratch, "%lld", (long long)h.cpus), h.cpus_at);
    return parse_result(ctx);
}

const Parser parser_host_info = {
    .name = "host-info",
    .bid = host_info_bid,
    .starts = host_info_starts,
    .continues = host_info_continues,
    .parse = host_info_parse,
    .ask = "uname -a; cat /etc/os-release /proc/cmdline /proc/meminfo",
};
