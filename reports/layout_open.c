/* What was ruled out, and what was not checked and would be settled by which command. */
#include "layout_parts.h"

#include "format.h"

enum { RULED_OUT_SHOWN = 8, RULED_OUT_LINES = 3, COMMANDS_SHOWN = 4, SUSPECTS_SHOWN = 3, BLOCK_MOST = 12 };

static const struct {
    const char *layer, *title;
} layers[] = {{"drive", N_("Drives")},
              {"link", N_("Cables, links and ports")},
              {"controller", N_("Controllers")},
              {"raid", N_("RAID")},
              {"pool", N_("Pools and volumes")},
              {"filesystem", N_("File systems")},
              {"usb", N_("USB")},
              {"platform", N_("Machine, firmware and kernel")},
              {"workload", N_("Load and programs")},
              {"virtual", N_("Virtual machines")},
              {"quality", N_("The evidence itself")},
              {"symptom", N_("Symptoms that were looked for")}};
enum { LAYERS = sizeof layers / sizeof *layers };

static size_t layer_of(const RuledOut *r) {
    if (str_is(r->kind, "symptom")) return LAYERS - 1;
    for (size_t i = 0; i < LAYERS; i++)
        if (str_is(r->layer, layers[i].layer)) return i;
    return LAYERS; /* of a page that a user added: without a heading of its own */
}

/* ---------------------------------------------------------------- ruled out */

/* How many entries from `i` on are of one rule: they are sorted by it. */
static size_t same_rule(const Diagnosis *d, size_t i) {
    size_t n = 1;
    while (i + n < d->ruled_out.count && str_eq(d->ruled_out.items[i + n].rule, d->ruled_out.items[i].rule)) n++;
    return n;
}

static bool rule_begins(const Diagnosis *d, size_t i) {
    return !i || !str_eq(d->ruled_out.items[i - 1].rule, d->ruled_out.items[i].rule);
}

static void put_reason(Doc *doc, Spans *out, const RuledOut *r, bool names_first) {
    Str names = subject_names(doc, r->subjects.items, r->subjects.count, NAMES_SHOWN);
    if (names.len) span_addf(doc, out, 0, names_first ? "%.*s" : " (%.*s)", STR_ARG(names));
    if (!names_first || names.len) span_addz(doc, out, 0, ": ");
    span_add(doc, out, 0, r->reason);
}

/* A few of each reason, none twice: all of them stand in the JSON report. */
static void add_lines(Arena *a, EvidenceList *to, const EvidenceList *from) {
    for (size_t i = 0, added = 0; i < from->count && added < RULED_OUT_LINES && to->count < 3 * RULED_OUT_LINES; i++) {
        const Evidence *e = &from->items[i];
        bool known = false;
        for (size_t k = 0; k < to->count && !known; k++)
            known = to->items[k].line == e->line && str_eq(to->items[k].member, e->member) &&
                    str_eq(to->items[k].path, e->path);
        if (known) continue;
        VEC_PUSH(a, to, *e);
        added++;
    }
}

/* One entry per suspect, one line per reason, its original lines folded under it. */
static void put_suspect(Doc *doc, const Diagnosis *d, DocNode *list, size_t i) {
    size_t same = same_rule(d, i);
    const RuledOut *first = &d->ruled_out.items[i];
    DocNode *item = doc_add(doc, list, DOC_ITEM), *head = doc_paragraph(doc, item, NULL);
    span_add(doc, &head->spans, SPAN_STRONG, first->title.len ? first->title : first->rule);
    EvidenceList evidence = {0};
    for (size_t k = i; k < i + same; k++) {
        const RuledOut *r = &d->ruled_out.items[k];
        DocNode *p = same == 1 ? head : doc_paragraph(doc, item, "reason");
        put_reason(doc, &p->spans, r, same > 1);
        add_lines(doc->arena, &evidence, &r->evidence);
    }
    doc_evidence(doc, item, &evidence, 1, true);
}

/* Text and Markdown: what would have explained most of the trouble, a line each; the others are counted. */
static void put_ruled_out_short(Doc *doc, const Diagnosis *d, DocNode *s, size_t suspects) {
    Arena *a = doc->arena;
    bool *done = arena_array(a, bool, d->ruled_out.count);
    DocNode *list = doc_add(doc, s, DOC_LIST);
    list->shown = SHOWN_PLAIN;
    size_t shown = 0;
    for (; shown < RULED_OUT_SHOWN; shown++) {
        size_t best = d->ruled_out.count;
        for (size_t i = 0; i < d->ruled_out.count; i++) {
            const RuledOut *r = &d->ruled_out.items[i];
            if (done[i] || !rule_begins(d, i) || str_is(r->kind, "symptom")) continue;
            if (best == d->ruled_out.count || r->relevance > d->ruled_out.items[best].relevance) best = i;
        }
        if (best == d->ruled_out.count) break;
        done[best] = true;
        const RuledOut *r = &d->ruled_out.items[best];
        size_t same = same_rule(d, best);
        DocNode *p = doc_paragraph(doc, doc_add(doc, list, DOC_ITEM), NULL);
        span_add(doc, &p->spans, SPAN_STRONG, r->title.len ? r->title : r->rule);
        put_reason(doc, &p->spans, r, false);
        if (same > 1)
            span_add(doc, &p->spans, SPAN_MUTED,
                     say_n(a, " (and {n} more reason)", " (and {n} more reasons)", same - 1, NULL));
    }
    if (suspects <= shown) return;
    StrBuf rest;
    sb_init(&rest, a);
    for (size_t l = 0; l < LAYERS; l++) {
        size_t n = 0;
        for (size_t i = 0; i < d->ruled_out.count; i++)
            n += !done[i] && rule_begins(d, i) && layer_of(&d->ruled_out.items[i]) == l;
        if (n) sb_addf(&rest, "%s%s: %zu", rest.len ? ", " : "", _(layers[l].title), n);
    }
    DocNode *p = doc_paragraph(doc, s, NULL);
    p->shown = SHOWN_PLAIN;
    Str more = say_n(a, "and {n} more, which the HTML and JSON reports show",
                     "and {n} more, which the HTML and JSON reports show", suspects - shown, NULL);
    span_add(doc, &p->spans, 0, rest.len ? arena_strf(a, "%.*s (%.*s)", STR_ARG(more), STR_ARG(sb_str(&rest))) : more);
}

void put_ruled_out(Doc *doc, const Diagnosis *d) {
    if (!d->ruled_out.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "ruled-out", _("Ruled out"));
    doc_intro(doc, s, _("The evidence speaks against these."));
    size_t suspects = 0;
    for (size_t i = 0; i < d->ruled_out.count; i++) suspects += rule_begins(d, i);
    put_ruled_out_short(doc, d, s, suspects);
    for (size_t l = 0; l <= LAYERS; l++) {
        size_t n = 0;
        for (size_t i = 0; i < d->ruled_out.count; i++) n += rule_begins(d, i) && layer_of(&d->ruled_out.items[i]) == l;
        if (!n) continue;
        DocNode *fold = doc_fold(doc, s, arena_strf(a, "%s (%zu)", l < LAYERS ? _(layers[l].title) : _("Others"), n));
        fold->role = "layer";
        fold->shown = SHOWN_HTML;
        DocNode *list = doc_add(doc, fold, DOC_LIST);
        list->role = "plain";
        for (size_t i = 0; i < d->ruled_out.count; i++)
            if (rule_begins(d, i) && layer_of(&d->ruled_out.items[i]) == l) put_suspect(doc, d, list, i);
    }
}

/* ---------------------------------------------------------------- commands to ask for */

/*
 * Commands that only read, by what they begin with; root: they need it. What an upload lacks is asked for by the pages, and their
 * authors are trusted, but a block that is pasted as a whole is held to more: nothing but what stands here gets into it.
 */
static const struct {
    const char *begins;
    bool root;
    char system; /* L Linux, B FreeBSD, or both */
} readers[] = {{"smartctl -x ", true, 0},
               {"smartctl -i ", true, 0},
               {"smartctl -l ", true, 0},
               {"smartctl -g ", true, 0},
               {"smartctl -n standby -i ", true, 0},
               {"smartctl --scan", true, 0},
               {"hdparm -I ", true, 'L'},
               {"hdparm -W /", true, 'L'},
               {"hdparm -A /", true, 'L'},
               {"hdparm -N /", true, 'L'},
               {"hdparm -B -C /", true, 'L'},
               {"nvme smart-log ", true, 'L'},
               {"nvme error-log ", true, 'L'},
               {"nvme id-ctrl ", true, 'L'},
               {"nvme get-feature ", true, 'L'},
               {"nvme fw-log ", true, 'L'},
               {"nvme list", true, 'L'},
               {"dmesg", true, 0},
               {"journalctl -k ", true, 'L'},
               {"lspci ", true, 'L'},
               {"lsusb", false, 'L'},
               {"lscpu", false, 'L'},
               {"lsblk", false, 'L'},
               {"ls -l /", false, 0},
               {"iostat ", false, 0},
               {"vmstat ", false, 0},
               {"mpstat ", false, 'L'},
               {"pidstat ", true, 'L'},
               {"iotop -b", true, 'L'},
               {"nfsiostat ", false, 'L'},
               {"sar -n ", false, 'L'},
               {"cat /proc/", false, 'L'},
               {"cat /sys/", false, 'L'},
               {"grep . /sys/", true, 'L'},
               {"grep -s . /sys/", true, 'L'},
               {"grep -r . /sys/", true, 'L'},
               {"grep -s . /proc/", false, 'L'},
               {"df -", false, 0},
               {"findmnt ", false, 'L'},
               {"zpool status", true, 0},
               {"zpool iostat ", true, 0},
               {"zpool list", true, 0},
               {"zpool events -v", true, 0},
               {"zpool get ", true, 0},
               {"zpool history", true, 0},
               {"zfs get ", true, 0},
               {"zfs list ", true, 0},
               {"zfs version", false, 0},
               {"mdadm -D /", true, 'L'},
               {"mdadm --examine /", true, 'L'},
               {"mdadm --detail-platform", true, 'L'},
               {"dmsetup status", true, 'L'},
               {"dmsetup table", true, 'L'},
               {"lvs ", true, 'L'},
               {"vgs", true, 'L'},
               {"pvs", true, 'L'},
               {"multipath -ll", true, 'L'},
               {"dmidecode -t ", true, 0},
               {"edac-util -v", true, 'L'},
               {"ras-mc-ctl --", true, 'L'},
               {"ipmitool sel elist", true, 0},
               {"sensors", false, 'L'},
               {"swapon --show", false, 'L'},
               {"swapinfo ", false, 'B'},
               {"systemctl list-timers", false, 'L'},
               {"systemd-detect-virt", false, 'L'},
               {"uname -", false, 0},
               {"uptime", false, 0},
               {"btrfs filesystem show", true, 'L'},
               {"camcontrol devlist", true, 'B'},
               {"camcontrol identify ", true, 'B'},
               {"geom disk list", true, 'B'},
               {"gpart list", true, 'B'},
               {"gmirror status", true, 'B'},
               {"gmirror list", true, 'B'},
               {"graid status", true, 'B'},
               {"nvmecontrol devlist", true, 'B'},
               {"nvmecontrol identify ", true, 'B'},
               {"nvmecontrol logpage ", true, 'B'},
               {"pciconf -lv", true, 'B'},
               {"mpsutil show ", true, 'B'},
               {"mprutil show ", true, 'B'}};

typedef struct Command {
    Str text;   /* as the page has it */
    Str pasted; /* as it stands in the block; "" when it does not */
    Str remark; /* behind '#': when to run it */
    double settles;
    VEC(const NotChecked *) suspects;
} Command;
typedef VEC(Command) Commands;

/* Words that somebody has to fill in. */
static bool has_blank_to_fill(Str command) {
    static const char *const blanks[] = {"MOUNTPOINT", "NAME",    "DEVICE", "FILE",    "DISK", "ID",
                                         "SERVER",     "DATASET", "UNIT",   "MEMBERS", "POOL", "TESTFILE"};
    static const char *const parts[] = {"sdX", "mdX", "nvmeX", "sgN", ",N "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_has(command, parts[i])) return true;
    bool value = false; /* of -o: names of columns */
    while (command.len) {
        Str word = str_word(&command);
        for (size_t i = 0; !value && i < sizeof blanks / sizeof *blanks; i++)
            if (str_is(word, blanks[i])) return true;
        value = str_is(word, "-o");
    }
    return false;
}

/* Which commands can say anything here. */
typedef struct Host {
    bool freebsd;
    bool sd, sdaa, nvme; /* it has disks of these names; sdaa: more than 26 */
    StrList denied;      /* disks that may lose data when they are asked anything: they stand in no command */
    StrList allowed;     /* the others, while they are few enough to be named */
} Host;

enum { NAMED_MOST = 32 };

static Host host_of(Arena *a, const Diagnosis *d) {
    Host h = {.freebsd = str_ifind(d->bundle.os, "freebsd") != SIZE_MAX ||
                         str_ifind(d->bundle.kernel, "freebsd") != SIZE_MAX ||
                         str_ifind(d->bundle.os, "truenas core") != SIZE_MAX};
    for (size_t i = 0; i < d->drives.count; i++) {
        Str name = d->drives.items[i].name;
        h.sd |= str_starts(name, "sd");
        h.sdaa |= str_starts(name, "sd") && name.len == strlen("sdaa");
        h.nvme |= str_starts(name, "nvme");
        if (d->drives.items[i].denylist.len && name.len) VEC_PUSH(a, &h.denied, name);
        else if (name.len && h.allowed.count < NAMED_MOST) VEC_PUSH(a, &h.allowed, name);
    }
    return h;
}

/* "/dev/sd[a-z]": the disks to ask, one after the other; "" where this host has none. NVMe drives: smartctl knows them, hdparm does not. */
static const char *disks_of(Arena *a, const Host *h, bool nvme_too) {
    if (h->denied.count) { /* a pattern would hold them, too */
        StrBuf names;
        sb_init(&names, a);
        for (size_t i = 0; i < h->allowed.count; i++) {
            Str name = h->allowed.items[i];
            bool plain = name.len <= 16 && (nvme_too || !str_starts(name, "nv"));
            for (size_t k = 0; k < name.len && plain; k++) plain = ch_alpha(name.p[k]) || ch_digit(name.p[k]);
            if (plain) sb_addf(&names, "%s%s%.*s", names.len ? " " : "", h->freebsd ? "" : "/dev/", STR_ARG(name));
        }
        return arena_cstr(a, sb_str(&names));
    }
    if (h->freebsd) return "$(sysctl -n kern.disks)";
    bool sd = h->sd || !h->nvme, nvme = nvme_too && h->nvme;
    if (sd && nvme) return h->sdaa ? "/dev/sd[a-z] /dev/sd[a-z][a-z] /dev/nvme[0-9]" : "/dev/sd[a-z] /dev/nvme[0-9]";
    if (sd) return h->sdaa ? "/dev/sd[a-z] /dev/sd[a-z][a-z]" : "/dev/sd[a-z]";
    return nvme ? "/dev/nvme[0-9]" : "";
}

/* "dmesg -c" empties the log, "sensors -s" sets limits: of these two nothing but the word itself is known to read only. */
static bool begins_with(Str command, const char *begins) {
    bool whole = strcmp(begins, "dmesg") == 0 || strcmp(begins, "sensors") == 0;
    return whole ? str_is(command, begins) : str_starts(command, begins);
}

/* "zpool status POOL" of all pools, "smartctl -x /dev/sdX" of each disk; with sudo. "" when it is no command to paste. */
static Str pasted(Arena *a, Str command, const Host *h) {
    enum { LONGEST = 200 };
    if (!command.len || command.len > LONGEST) return STR("");
    for (size_t i = 0; i < command.len; i++)
        if ((unsigned char)command.p[i] < 0x20 || strchr(";&|<>$`\\'\"(){}!", command.p[i])) return STR("");
    for (size_t i = 0; i < h->denied.count; i++)
        if (str_has(command, arena_cstr(a, h->denied.items[i]))) return STR("");
    size_t k = 0, readers_count = sizeof readers / sizeof *readers;
    while (k < readers_count && !begins_with(command, readers[k].begins)) k++;
    if (k == readers_count || (readers[k].system && (readers[k].system == 'B') != h->freebsd)) return STR("");
    const char *root = readers[k].root ? "sudo " : "";
    size_t pool = str_starts(command, "zpool ") || str_starts(command, "zfs ") ? str_find(command, " POOL") : SIZE_MAX;
    if (pool != SIZE_MAX)
        command = arena_strf(a, "%.*s%.*s", (int)pool, command.p, STR_ARG(str_from(command, pool + strlen(" POOL"))));
    if (str_ends(command, " /dev/sdX")) {
        Str tool = str_sub(command, 0, command.len - strlen("/dev/sdX"));
        const char *disks = disks_of(a, h, str_starts(tool, "smartctl"));
        if (has_blank_to_fill(tool) || !*disks) return STR("");
        return arena_strf(a, "for d in %s; do echo \"== $d\"; %s%.*s%s$d; done", disks, root, STR_ARG(tool),
                          h->freebsd ? "/dev/" : "");
    }
    if (h->freebsd && str_starts(command, "iostat -dxmt 1 ")) /* its options are others */
        return arena_strf(a, "iostat -x -w 1 -c %.*s", STR_ARG(str_from(command, strlen("iostat -dxmt 1 "))));
    if (str_starts(command, "nvme ") && !h->nvme && h->sd) return STR("");
    return has_blank_to_fill(command) ? STR("") : arena_strf(a, "%s%.*s", root, STR_ARG(command));
}

static void split_remark(Str ask, Str *command, Str *remark) {
    size_t at = str_find(ask, " # ");
    *command = str_trim(at == SIZE_MAX ? ask : str_sub(ask, 0, at));
    *remark = at == SIZE_MAX ? STR("") : str_trim(str_from(ask, at + 3));
}

/* The command to ask for: the first that this system has, else the first. Its page lists the one that settles most first. */
static Str command_of(Arena *a, const Diagnosis *d, const NotChecked *n) {
    Host h = host_of(a, d);
    for (size_t i = 0; i < n->ask.count; i++) {
        Str command, remark;
        split_remark(n->ask.items[i], &command, &remark);
        if ((str_has(remark, "FreeBSD") && !h.freebsd) || str_has(remark, "guest") || str_has(remark, "on the host"))
            continue;
        if (pasted(a, command, &h).len) return n->ask.items[i];
    }
    return n->ask.count ? n->ask.items[0] : STR("");
}

/* "iostat -dxmt 1 60" and "iostat -dxmt 1 600" differ in how long: the longer one shows what the shorter would. */
static bool same_but_for_length(Str x, Str y) {
    size_t a = str_rfind_ch(x, ' '), b = str_rfind_ch(y, ' ');
    if (a == SIZE_MAX || a != b || !str_eq(str_sub(x, 0, a), str_sub(y, 0, b))) return false;
    for (Str *s = &x;; s = &y) {
        Str number = str_from(*s, a + 1);
        for (size_t i = 0; i < number.len; i++)
            if (!ch_digit(number.p[i])) return false;
        if (s == &y) return number.len > 0;
    }
}

static void collect(Doc *doc, const Diagnosis *d, Commands *out) {
    Arena *a = doc->arena;
    Host h = host_of(a, d);
    for (size_t i = 0; i < d->not_checked.count; i++) {
        const NotChecked *n = &d->not_checked.items[i];
        Str command, remark, ask = command_of(a, d, n);
        split_remark(ask, &command, &remark);
        if (str_is(command, "dmesg -T") || str_is(command, "journalctl -k -b")) command = STR("dmesg"); /* one log */
        if (str_starts(command, "smartctl -i /")) /* -x has it, and is asked for by more pages */
            command = arena_strf(a, "smartctl -x %.*s", STR_ARG(str_from(command, strlen("smartctl -i "))));
        Command *same = NULL;
        for (size_t k = 0; k < out->count && !same; k++)
            if (str_eq(out->items[k].text, command) || same_but_for_length(out->items[k].text, command))
                same = &out->items[k];
        if (!same) {
            VEC_PUSH(a, out, ((Command){.text = command, .remark = remark}));
            same = &out->items[out->count - 1];
        }
        if (command.len > same->text.len) {
            same->text = command;
            same->remark = remark;
        }
        same->pasted = pasted(a, same->text, &h);
        /* A symptom is no suspect, but seeing it helps; a note does neither. */
        same->settles += str_is(n->kind, "note") ? 0 : str_is(n->kind, "symptom") ? 0.25 : 1;
        VEC_PUSH(a, &same->suspects, n);
    }
    for (size_t i = 1; i < out->count; i++) /* the most useful first; in the order they came where equal */
        for (size_t k = i; k > 0; k--) {
            Command *x = &out->items[k - 1], *y = &out->items[k];
            if (!y->text.len || (x->text.len && x->settles >= y->settles)) break;
            Command t = *x;
            *x = *y;
            *y = t;
        }
}

/* Names of settings and tables as people say them. */
static Str missing_words(Doc *doc, Str missing) {
    static const struct {
        const char *id, *words;
    } known[] = {{"kernel-log", N_("the kernel log")},
                 {"log_window", N_("the kernel log")},
                 {"zfs-get", N_("zfs get")},
                 {"zfs-kstat", N_("statistics of ZFS")},
                 {"zpool-status", N_("zpool status")},
                 {"zpool-iostat", N_("zpool iostat")},
                 {"stordx-raw", N_("questions to the drive by stordx-collect")},
                 {"power_mode", N_("the power state of the disk")},
                 {"zfs_parameter", N_("parameters of the ZFS module")},
                 {"smart_sense", N_("sense data of the drive")},
                 {"swaps", N_("the list of swap areas")},
                 {"mounts", N_("the list of mounts")},
                 {"pressure", N_("I/O pressure (/proc/pressure)")},
                 {"nvme-cli", N_("nvme smart-log")},
                 {"zpool-get", N_("zpool get")},
                 {"zpool-events", N_("zpool events")},
                 {"zpool-history", N_("zpool history")},
                 {"list-timers", N_("the list of timers")},
                 {"task-list", N_("the list of tasks")},
                 {"host-info", N_("facts of the host")},
                 {"by-id", N_("the links of /dev/disk/by-id")},
                 {"temperature_celsius", N_("the temperature")},
                 {"temperature_max_celsius", N_("the highest temperature")},
                 {"read_ahead_kb", N_("read-ahead")},
                 {"nomerges", N_("the setting of merging requests")},
                 {"max_sectors_kb", N_("the largest request")},
                 {"iostats", N_("whether the kernel counts I/O")},
                 {"discard_max_bytes", N_("the largest discard")},
                 {"nr_requests", N_("the length of the request queue")},
                 {"self_test_status", N_("the last self-test")},
                 {"ashift", N_("ashift")},
                 {"physical_block_bytes", N_("the size of physical sectors")},
                 {"logical_block_bytes", N_("the size of logical sectors")},
                 {"erc_supported", N_("whether error recovery can be limited")},
                 {"wwn", N_("the WWN")},
                 {"nguid", N_("the NGUID")},
                 {"eui", N_("the EUI")},
                 {"ddt_entries", N_("the deduplication table")},
                 {"crontab", N_("the crontab")},
                 {"vm_dirty_ratio_pct", N_("limits of unwritten data in memory")},
                 {"vm_dirty_bytes", N_("limits of unwritten data in memory")},
                 {"memory_dirty_bytes", N_("unwritten data in memory")},
                 {"memory_bytes", N_("the size of the memory")},
                 {"lba_format_rank", N_("the LBA formats")},
                 {"lba_format_best_rank", N_("the LBA formats")},
                 {"hctl", N_("the SCSI address")},
                 {"clocksource", N_("the clock source")},
                 {"autotrim", N_("the property autotrim")},
                 {"hpa_native_sectors", N_("the native size of the disk")},
                 {"ata_dev", N_("the number of the ATA device")},
                 {"multiplier", N_("whether a port multiplier is there")},
                 {"uptime_s", N_("how long the host runs")},
                 {"usb_version", N_("the USB version")},
                 {"usb_superspeed", N_("whether the device can do USB 3")},
                 {"usb_id", N_("the USB id")},
                 {"virtualization", N_("whether the host is a virtual machine")},
                 {"cpu_thread_pct", N_("the load of single threads")},
                 {"cpu_busiest_pct", N_("the load of single processors")},
                 {"cpu_steal_pct", N_("CPU steal")},
                 {"crypt_flags", N_("the flags of the encryption")},
                 {"thin_data_pct", N_("how full the thin pool is")},
                 {"thin_metadata_pct", N_("how full the metadata of the thin pool are")},
                 {"md_bitmap", N_("the bitmap of the array")},
                 {"md_member_state", N_("the states of the array's members")},
                 {"md_consistency_policy", N_("how the array stays consistent")},
                 {"power_on_hours", N_("the hours in operation")},
                 {"place", N_("the place")},
                 {"model", N_("the model")},
                 {"serial", N_("the serial number")},
                 {"firmware", N_("the firmware")},
                 {"interrupts", N_("/proc/interrupts")},
                 {"meminfo", N_("/proc/meminfo")},
                 {"ps", N_("the list of processes")},
                 {"storage-config", N_("the storage configuration")},
                 {"camcontrol-identify", N_("camcontrol identify")}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(missing, known[i].id)) return str_of(_(known[i].words));
    Str label = setting_label(missing);
    if (!str_eq(label, missing)) return label;
    char *words = arena_cstr(doc->arena, doc_clean(doc, missing));
    for (char *c = words; *c; c++)
        if (*c == '_') *c = ' ';
    return str_of(words);
}

/* "would settle 12 suspects: The drive is worn (sda); ..." */
static void put_suspects(Doc *doc, DocNode *item, const Command *c, size_t most, bool whole) {
    Arena *a = doc->arena;
    DocNode *p = doc_paragraph(doc, item, "settles");
    span_add(doc, &p->spans, 0,
             c->text.len ? say_n(a, "would settle {n} suspect:", "would settle {n} suspects:", c->suspects.count, NULL)
                         : say_n(a, "{n} suspect is open:", "{n} suspects are open:", c->suspects.count, NULL));
    StrList missing = {0};
    size_t shown = 0;
    for (size_t i = 0; i < c->suspects.count; i++) {
        const NotChecked *n = c->suspects.items[i];
        if (shown >= most && !n->statements.count) continue; /* what somebody spoke of is always named */
        span_addz(doc, &p->spans, 0, shown++ ? "; " : " ");
        span_add(doc, &p->spans, SPAN_EMPH, n->title.len ? n->title : n->rule);
        Str names = subject_names(doc, n->subjects.items, n->subjects.count, NAMES_SHOWN);
        if (whole && names.len) span_addf(doc, &p->spans, 0, " (%.*s)", STR_ARG(names));
        for (size_t m = 0; m < n->missing.count; m++) add_once(a, &missing, missing_words(doc, n->missing.items[m]));
    }
    if (shown < c->suspects.count)
        span_add(doc, &p->spans, 0, say_n(a, "; and {n} more", "; and {n} more", c->suspects.count - shown, NULL));
    span_addz(doc, &p->spans, 0, ".");
    if (whole && missing.count) {
        span_addz(doc, &p->spans, 0, " ");
        span_add(doc, &p->spans, SPAN_MUTED, say(a, _("Missing: {what}."), "what", joined(a, &missing, 30), NULL));
    }
}

static void put_statements(Doc *doc, DocNode *item, const Command *c) {
    EvidenceList said = {0};
    for (size_t i = 0; i < c->suspects.count; i++)
        for (size_t m = 0; m < c->suspects.items[i]->statements.count; m++) {
            const Evidence *e = &c->suspects.items[i]->statements.items[m];
            bool again = false; /* "CPU and network look fine" is said of two suspects */
            for (size_t k = 0; k < said.count && !again; k++)
                again = said.items[k].src == e->src && said.items[k].line == e->line;
            if (!again) VEC_PUSH(doc->arena, &said, *e);
        }
    if (!said.count) return;
    doc_text(doc, item, _("Somebody says of it (a statement, which nothing in the evidence proves):"))->role = "remark";
    doc_evidence(doc, item, &said, said.count, false);
}

/* What else would show it. In the short form only of suspects that somebody spoke of: who denies one is asked for figures. */
static void put_other_commands(Doc *doc, DocNode *item, const Command *c, bool whole) {
    enum { OTHERS = 6 };
    StrList others = {0};
    for (size_t i = 0; i < c->suspects.count; i++) {
        const NotChecked *n = c->suspects.items[i];
        for (size_t k = 0; k < n->ask.count && (whole || n->statements.count); k++) {
            Str command, remark;
            split_remark(n->ask.items[k], &command, &remark);
            if (!str_eq(command, c->text)) add_once(doc->arena, &others, doc_clean(doc, n->ask.items[k]));
        }
    }
    if (!others.count) return;
    DocNode *p = doc_paragraph(doc, item, "settles");
    span_addz(doc, &p->spans, 0, _("Beside it, or instead:"));
    for (size_t i = 0; i < others.count && i < OTHERS; i++) {
        span_addz(doc, &p->spans, 0, i ? ", " : " ");
        span_add(doc, &p->spans, SPAN_CODE, others.items[i]);
    }
}

static void put_command(Doc *doc, DocNode *list, const Command *c, size_t most, bool whole) {
    DocNode *item = doc_add(doc, list, DOC_ITEM), *p = doc_paragraph(doc, item, NULL);
    if (c->text.len) span_add(doc, &p->spans, SPAN_CODE, c->text);
    else span_addz(doc, &p->spans, SPAN_STRONG, _("No command of the host shows these"));
    if (c->remark.len) span_addf(doc, &p->spans, SPAN_MUTED, " (%.*s)", STR_ARG(lang_phrase(doc->arena, c->remark)));
    put_suspects(doc, item, c, most, whole);
    if (c->text.len) put_other_commands(doc, item, c, whole);
    put_statements(doc, item, c);
}

/* All that can be pasted at once. */
static Str denied_names(Doc *doc, const Host *h, size_t most) {
    StrList names = {0};
    for (size_t i = 0; i < h->denied.count; i++) VEC_PUSH(doc->arena, &names, doc_clean(doc, h->denied.items[i]));
    return joined(doc->arena, &names, most);
}

/* Harm that a question does stands before the commands that ask. */
static Str denied_text(Doc *doc, const Host *h) {
    enum { NAMES = 8 };
    return say(doc->arena,
               _("Do not query {drives}: such a drive can lose data when its SMART values or its identity are read "
                 "while something writes. The commands leave it out."),
               "drives", denied_names(doc, h, NAMES), NULL);
}

static void put_block(Doc *doc, DocNode *s, const Host *host, const Commands *commands) {
    StrBuf block;
    sb_init(&block, doc->arena);
    StrList lines = {0};
    for (size_t i = 0; i < commands->count && lines.count < BLOCK_MOST; i++) {
        const Command *c = &commands->items[i];
        size_t before = lines.count;
        if (c->pasted.len && c->settles > 0) add_once(doc->arena, &lines, c->pasted);
        if (lines.count == before) continue;
        sb_addf(&block, "%s%.*s", block.len ? "\n" : "", STR_ARG(c->pasted));
        if (c->remark.len) sb_addf(&block, "  # %.*s", STR_ARG(doc_clean(doc, lang_phrase(doc->arena, c->remark))));
    }
    if (!lines.count) return;
    if (host->denied.count) {
        DocNode *box = doc_add(doc, s, DOC_NOTE);
        box->tone = TONE_BAD;
        DocNode *p = doc_paragraph(doc, box, NULL);
        span_add(doc, &p->spans, SPAN_STRONG, denied_text(doc, host));
    }
    doc_text(doc, s,
             _("To paste as a whole; these commands only read. Run them while it is slow, and send what they print:"));
    DocNode *code = doc_add(doc, s, DOC_CODE);
    code->role = "ask";
    code->code = clean(doc->arena, sb_str(&block), CLEAN_BLOCK);
}

void put_not_checked(Doc *doc, const Diagnosis *d) {
    if (!d->not_checked.count) return;
    Arena *a = doc->arena;
    DocNode *s = doc_section(doc, "not-checked", _("Not checked, and what to ask for"));
    doc_text(
        doc, s,
        _("Neither found nor ruled out: the upload does not hold what would show it. What settles most stands first."))
        ->role = "intro";
    Commands commands = {0};
    collect(doc, d, &commands);
    Host host = host_of(a, d);
    put_block(doc, s, &host, &commands);
    DocNode *plain = doc_add(doc, s, DOC_LIST);
    plain->shown = SHOWN_PLAIN;
    size_t left = 0;
    for (size_t i = 0; i < commands.count; i++) {
        const Command *c = &commands.items[i];
        bool said = false;
        for (size_t k = 0; k < c->suspects.count; k++) said |= c->suspects.items[k]->statements.count > 0;
        if (i < COMMANDS_SHOWN || said) put_command(doc, plain, c, SUSPECTS_SHOWN, false);
        else left += c->suspects.count;
    }
    if (left)
        doc_text(doc, s,
                 arena_cstr(a, say_n(a, "and {n} more suspect, which the HTML and JSON reports name",
                                     "and {n} more suspects, which the HTML and JSON reports name", left, NULL)))
            ->shown = SHOWN_PLAIN;
    DocNode *fold = doc_fold(doc, s, str_of(_("What each command settles")));
    fold->shown = SHOWN_HTML;
    DocNode *list = doc_add(doc, fold, DOC_LIST);
    list->role = "plain";
    for (size_t i = 0; i < commands.count; i++) put_command(doc, list, &commands.items[i], SIZE_MAX, true);
}

void layout_brief_ask(Doc *doc, const Diagnosis *d) {
    for (size_t i = 0; i < d->not_checked.count; i++) {
        Str ask = command_of(doc->arena, d, &d->not_checked.items[i]);
        if (!ask.len) continue;
        DocNode *p = doc_paragraph(doc, doc->body, NULL);
        p->max_lines = 2;
        Host h = host_of(doc->arena, d);
        if (h.freebsd && str_ends(ask, " /dev/sdX"))
            ask = arena_strf(doc->arena, "%.*s/dev/adaX", (int)(ask.len - strlen("/dev/sdX")), ask.p);
        span_addz(doc, &p->spans, 0, _("Ask for:"));
        span_addz(doc, &p->spans, 0, " ");
        span_add(doc, &p->spans, SPAN_CODE, ask);
        if (h.denied.count) {
            enum { NAMES = 4 };
            span_addz(doc, &p->spans, 0, " ");
            span_add(doc, &p->spans, 0,
                     say(doc->arena, _("(never of {drives}: being asked can cost data)"), "drives",
                         denied_names(doc, &h, NAMES), NULL));
        }
        return;
    }
}
