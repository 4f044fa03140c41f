/*
 * sysctl.c - kernel parameters
 *
 * Reads   sysctl -a (Linux, FreeBSD, macOS), sysctl NAME..., grep over /proc/sys
 * Gives   setting vm_*, sysctl, zfs_parameter, and on FreeBSD the host's identity; counter (kind zfs) from kstat.zfs.misc
 *         and, of datasets, from kstat.zfs.POOL.dataset
 * Sample  Linux
 *   | vm.dirty_background_ratio = 10
 * Sample  FreeBSD
 *   | vfs.zfs.trim.enabled: 1
 * Varies  Linux writes "name = value", BSD "name: value" (with -e "name=value"), grep "/proc/sys/vm/dirty_ratio:20". BSD values
 *         may run over several lines. What does not concern storage is counted, no more. Configuration files (sysctl.conf) look
 *         alike and are not the state of a kernel: by their path they are nobody's.
 */
#include "device_text.h"
#include "scan.h"
#include "zfs_counter.h"

#include <math.h>

static bool top_level(Str s) {
    static const char *const words[] = {"abi",    "crypto",   "debug", "dev", "fs",     "kernel", "net",      "sunrpc",
                                        "user",   "vm",       "kern",  "vfs", "hw",     "kstat",  "security", "machdep",
                                        "compat", "p1003_1b", "efi",   "xen", "ktrace", "audit",  "iogpu"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

/* "vm.dirty_ratio = 20", "kern.ostype: FreeBSD", "/proc/sys/vm/dirty_ratio:20" */
static bool entry(Arena *a, Str line, Str *name, Str *value) {
    Str proc = str_after(line, "/proc/sys/");
    if (proc.p) {
        size_t colon = str_find_ch(proc, ':');
        if (colon == SIZE_MAX) return false;
        *value = str_trim(str_from(proc, colon + 1));
        *name = str_sub(proc, 0, colon);
        if (!a) return true;
        char *dotted = arena_cstr(a, *name);
        for (char *c = dotted; *c; c++)
            if (*c == '/') *c = '.';
        *name = str_of(dotted);
        return true;
    }
    size_t n = 0, dot = SIZE_MAX;
    while (n < line.len && (ch_alnum(line.p[n]) || (line.p[n] && strchr("._-/%*@+", line.p[n])))) {
        if (line.p[n] == '.' && dot == SIZE_MAX) dot = n;
        n++;
    }
    if (dot == SIZE_MAX || !dot || n == line.len || !top_level(str_sub(line, 0, dot))) return false;
    Str rest = str_from(line, n);
    *name = str_sub(line, 0, n);
    if (str_starts(rest, " = ") || str_is(rest, " =")) *value = str_trim(str_from(rest, 2));
    else if (str_starts(rest, ": ") || str_is(rest, ":")) *value = str_trim(str_from(rest, 1));
    else if (rest.p[0] == '=') *value = str_trim(str_from(rest, 1));
    else return false;
    return true;
}

/* "kstat.zfs.zroot.txgs:" has a table behind it, which zfs_kstat.c reads. */
static bool table_of_groups(Str line) {
    size_t end = str_find_ch(line, '\n');
    return str_starts(line, "kstat.zfs.") && str_has(end == SIZE_MAX ? line : str_sub(line, 0, end), ".txgs:");
}

static bool starts(Str line) {
    Str name, value;
    return !table_of_groups(line) && entry(NULL, line, &name, &value);
}

static bool configuration(Str path) {
    return path_has(path, "sysctl.conf") || path_has(path, "sysctl.d/") || path_has(path, "loader.conf");
}

static int bid(Str path, Str command, Str head) {
    int bits = command_is(command, "sysctl") || path_has(path, "sysctl") ? 6 : 0, seen = 0;
    if (configuration(path) || table_of_groups(head)) return 0;
    for (int n = 0; n < 8 && head.len; n++) {
        Str line = head_line(&head), name, value;
        if (!str_trim(line).len) continue;
        if (!entry(NULL, line, &name, &value)) {
            if (!seen) return 0;
            continue;
        }
        seen++;
    }
    if (!seen) return 0;
    return seen >= 3 ? 24 + bits : 16 + bits;
}

/* A variable below a name that is not on our list, such as a driver's: "hptmv.status: ..." */
static bool other_variable(Str line) {
    size_t n = 0, dots = 0;
    while (n < line.len && (ch_alnum(line.p[n]) || (line.p[n] && strchr("._-%", line.p[n]))))
        dots += line.p[n++] == '.';
    Str rest = str_from(line, n);
    return dots && ch_alpha(line.p[0]) && line.p[n - 1] != '.' && (str_starts(rest, ": ") || str_starts(rest, " = "));
}

/* Lines of the long values that FreeBSD prints among the others: kern.conftxt, kern.geom.conftxt, confdot and confxml,
   kern.sched.topology_spec. */
static bool long_value(Str line) {
    static const char *const begins[] = {
        "options\t", "device\t", "makeoptions\t", "nooptions\t", "ident\t", "machine\t", "cpu\t", "hints\t",
        "z0x",       "}",        "makeoptions ",  "{",           "\t"};
    Str s = str_trim_left(line);
    if (s.len && s.p[0] == '<') return true;
    if (line.len > 3 && ch_digit(line.p[0]) && line.p[1] == ' ' && line.p[2] >= 'A' && line.p[2] <= 'Z') return true;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (str_starts(line, begins[i])) return true;
    return false;
}

static bool continues(Str line) {
    Str name, value;
    if (table_of_groups(line)) return false;
    return !str_trim(line).len || entry(NULL, line, &name, &value) || long_value(line) || other_variable(line);
}

static const struct {
    const char *name, *key;
} known[] = {
    {"vm.dirty_ratio", "vm_dirty_ratio_pct"},
    {"vm.dirty_background_ratio", "vm_dirty_background_ratio_pct"},
    {"vm.dirty_bytes", "vm_dirty_bytes"},
    {"vm.dirty_background_bytes", "vm_dirty_background_bytes"},
    {"vm.dirty_expire_centisecs", "vm_dirty_expire_cs"},
    {"vm.dirty_writeback_centisecs", "vm_dirty_writeback_cs"},
    {"vm.swappiness", "vm_swappiness"},
    {"kern.hostname", "hostname"},
    {"kern.osrelease", "kernel_release"},
    {"hw.ncpu", "cpus"},
    {"hw.physmem", "memory_bytes"},
    {"hw.memsize", "memory_bytes"},
    {"kernel.hostname", "hostname"},
    {"kernel.osrelease", "kernel_release"},
};

/* Parameters that concern storage, by the beginning of their names. */
static bool concerns_storage(Str name) {
    static const char *const begins[] = {"vm.dirtytime_expire_seconds",
                                         "vm.vfs_cache_pressure",
                                         "vm.min_free_kbytes",
                                         "vm.laptop_mode",
                                         "vm.page-cluster",
                                         "vm.watermark_",
                                         "vm.swap_total",
                                         "dev.raid.speed_limit_",
                                         "fs.aio-",
                                         "fs.file-nr",
                                         "kernel.hung_task_",
                                         "vfs.read_max",
                                         "vfs.hirunningspace",
                                         "vfs.lorunningspace",
                                         "vfs.runningbufspace",
                                         "kern.cam.ada.",
                                         "kern.cam.da.",
                                         "kern.cam.nda.",
                                         "kern.cam.scsi_delay",
                                         "kern.geom.dev.delete_max_sectors",
                                         "kern.maxphys",
                                         "kern.geom.mirror.",
                                         "kern.geom.raid.",
                                         "vm.defer_swapspace_pageouts",
                                         "hw.nvme.",
                                         "hw.mps.",
                                         "hw.mpr.",
                                         "hw.ahci."};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (str_starts(name, begins[i])) return true;
    static const char *const drivers[] = {"dev.ahcich.", "dev.ahci.",  "dev.mps.", "dev.mpr.",
                                          "dev.nvme.",   "dev.mrsas.", "dev.mfi."};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (str_starts(name, drivers[i]))
            return !str_has(name, ".%") || str_ends(name, ".%driver") || str_ends(name, ".%desc");
    return false;
}

/*
 * What FreeBSD's device tree says of a SAS adapter: "dev.mps.0.firmware_version: 20.00.07.00", and its PCI address in
 * "dev.mps.0.%location: slot=0 function=0 dbsf=pci0:1:0:0" (12 and later; domain, bus, slot, function, decimal).
 */
static void sas_adapter(ParseCtx *ctx, Str name, Str value, Spot at) {
    Str rest = str_after(name, "dev.mps."), unit;
    const char *driver = "mps";
    if (!rest.p) {
        rest = str_after(name, "dev.mpr.");
        driver = "mpr";
    }
    uint64_t number, part[4];
    if (!rest.p) return;
    unit = str_cut(&rest, '.');
    if (!str_u64(unit, &number) || number > 99) return;
    Ref adapter = ctx_ref(ctx, REF_SCSI_HOST, arena_strf(ctx->scratch, "%s%u", driver, (unsigned)number));
    if (str_is(rest, "firmware_version")) ctx_setting(ctx, adapter, "firmware", value, "firmware", at);
    size_t dbsf = str_find(value, "dbsf=pci");
    if (!str_is(rest, "%location") || dbsf == SIZE_MAX) return;
    Str address = str_from(value, dbsf + 8);
    address = str_word(&address);
    for (int i = 0; i < 4; i++)
        if (!str_u64(str_cut(&address, ':'), &part[i])) return;
    if (part[0] > 0xffff || part[1] > 255 || part[2] > 31 || part[3] > 7) return;
    facts_same(ctx->facts, ctx->src, adapter,
               ctx_ref(ctx, REF_PCI,
                       arena_strf(ctx->scratch, "%04x:%02x:%02x.%x", (unsigned)part[0], (unsigned)part[1],
                                  (unsigned)part[2], (unsigned)part[3])),
               "sysctl", at);
}

/* Figures of one dataset, whose name may come last: "kstat.zfs.zroot.dataset.objset-0x84a1.nread: 278766165". */
enum { MAX_FIGURES = 64 };

typedef struct Objset {
    Str key, dataset; /* key: "zroot.dataset.objset-0x84a1" */
    struct {
        Str name, value;
        Spot at;
    } figure[MAX_FIGURES];
    size_t count;
} Objset;

static void put_objset(ParseCtx *ctx, Objset *o) {
    Ref node = o->dataset.len ? ctx_ref(ctx, REF_DATASET, o->dataset) : 0;
    for (size_t i = 0; i < o->count && node; i++)
        zfs_counter(ctx, node, STR("objset"), o->figure[i].name, o->figure[i].value, NAN, o->figure[i].at);
    o->key = o->dataset = STR_NONE;
    o->count = 0;
}

/* rest: behind "kstat.zfs." false: not a dataset's. */
static bool objset_figure(ParseCtx *ctx, Objset *o, Str rest, Str value, Spot at) {
    size_t from = str_find(rest, ".dataset.objset-"), dot = str_rfind_ch(rest, '.');
    if (from == SIZE_MAX || dot == SIZE_MAX || dot < from + 16) return false;
    Str key = str_sub(rest, 0, dot), name = str_from(rest, dot + 1);
    if (!str_eq(key, o->key)) {
        put_objset(ctx, o);
        o->key = arena_str(ctx->scratch, key);
    }
    if (str_is(name, "dataset_name")) {
        o->dataset = arena_str(ctx->scratch, value);
    } else if (o->count < MAX_FIGURES) {
        o->figure[o->count].name = arena_str(ctx->scratch, name);
        o->figure[o->count].value = arena_str(ctx->scratch, value);
        o->figure[o->count++].at = scan_keep(ctx->scratch, at);
    }
    return true;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Objset *objset = arena_new_of(ctx->scratch, Objset);
    Str line, ostype = STR_NONE;
    bool any = false;
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    while (input_line(in, &line)) {
        Str name, value;
        Spot at = input_spot(in);
        if (!entry(ctx->scratch, line, &name, &value)) {
            Str s = str_trim(line);
            if (any && other_variable(line)) ctx->rows++;
            if (!s.len || any) continue; /* the value of the last name runs on */
            if (str_starts(s, "sysctl: ")) ctx->rows++;
            else parse_note(ctx, at, "not a kernel parameter: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
            continue;
        }
        any = true;
        ctx->rows++;
        if (!value.len) continue;
        const char *key = NULL;
        for (size_t i = 0; i < sizeof known / sizeof *known && !key; i++)
            if (str_is(name, known[i].name)) key = known[i].key;
        double v;
        if (key && (str_starts(name, "vm.") || str_starts(name, "hw.")) && !str_double(value, &v)) {
            parse_note(ctx, at, "%.*s: \"%.*s\" is no number", STR_ARG(name), STR_ARG(str_sub(value, 0, 40)));
            continue;
        }
        Str arc = str_after(name, "kstat.zfs.misc."), zfs = str_after(name, "kstat.zfs.");
        if (zfs.p && objset_figure(ctx, objset, zfs, value, at)) continue;
        sas_adapter(ctx, name, value, at);
        if (key) ctx_setting(ctx, host, key, value, "kernel", at);
        else if (str_is(name, "kern.hostid")) {
            uint64_t hostid;
            if (str_u64(value, &hostid) && hostid > 0 && hostid <= UINT32_MAX)
                ctx_setting(ctx, host, "hostid", arena_strf(ctx->scratch, "%08llx", (unsigned long long)hostid),
                            "kernel", at);
        } else if (str_is(name, "kern.ostype")) ostype = arena_str(ctx->scratch, value);
        else if (str_starts(name, "vfs.zfs."))
            ctx_setting(ctx, host, "zfs_parameter",
                        arena_strf(ctx->scratch, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)), "kernel", at);
        else if (arc.p) {
            Str table = str_cut(&arc, '.');
            zfs_counter(ctx, host, table, arc, value, NAN, at);
        } else if (concerns_storage(name))
            ctx_setting(ctx, host, "sysctl", arena_strf(ctx->scratch, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)),
                        "kernel", at);
        if (str_is(name, "kern.osrelease") && ostype.len)
            ctx_setting(ctx, host, "os_name", arena_strf(ctx->scratch, "%.*s %.*s", STR_ARG(ostype), STR_ARG(value)),
                        "kernel", at);
    }
    put_objset(ctx, objset);
    return parse_result(ctx);
}

const Parser parser_sysctl = {
    .name = "sysctl",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "sysctl -a; grep -s . /proc/sys/vm/*",
};
