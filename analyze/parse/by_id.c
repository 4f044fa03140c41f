/*
 * by_id.c - the links under /dev/disk and /dev/mapper
 *
 * Reads   ls -l /dev/disk/by-*, ls -lR /dev/disk, find /dev/disk -ls, "name -> ../../sda1" lines
 * Gives   names that mean one device; setting by_path, pci, port, fs_label, fs_uuid (view kernel)
 * Sample  coreutils 9.1
 *   | /dev/disk/by-id:
 *   | total 0
 *   | lrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-EXAMPLE_SSD_EX0001 -> ../../sda
 *   | lrwxrwxrwx 1 root root 10 Sep 13 09:12 ata-EXAMPLE_SSD_EX0001-part1 -> ../../sda1
 * Varies  the number of columns before the name (dates of ls have two or three words), so the name is the last word before "->":
 *         udev writes blanks in it as \x20; without a heading the folder is told by the name's first word
 */
#include "device_text.h"
#include "parser.h"

typedef enum Folder {
    BY_NONE,
    BY_ID,
    BY_PATH,
    BY_PARTUUID,
    BY_UUID,
    BY_LABEL,
    BY_PARTLABEL,
    BY_VDEV,
    BY_DISKSEQ,
    BY_MAPPER,
    BY_OTHER
} Folder;

static const struct {
    const char *name;
    Folder folder;
} folders[] = {{"by-id", BY_ID},
               {"by-path", BY_PATH},
               {"by-partuuid", BY_PARTUUID},
               {"by-uuid", BY_UUID},
               {"by-label", BY_LABEL},
               {"by-partlabel", BY_PARTLABEL},
               {"by-vdev", BY_VDEV},
               {"by-diskseq", BY_DISKSEQ},
               {"by-loop-ref", BY_OTHER},
               {"by-designator", BY_OTHER},
               {"by-dname", BY_OTHER},
               {"by-loop-inode", BY_OTHER}};

static Folder folder_in(Str path) {
    size_t at = str_find(path, "by-");
    if (at == SIZE_MAX) return str_has(path, "/dev/mapper") ? BY_MAPPER : BY_NONE;
    Str rest = str_from(path, at);
    size_t end = 0;
    while (end < rest.len && (ch_alnum(rest.p[end]) || rest.p[end] == '-')) end++;
    rest = str_sub(rest, 0, end);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (str_is(rest, folders[i].name)) return folders[i].folder;
    return BY_OTHER;
}

/* "/dev/disk/by-id:", "./by-id:", "by-id:", "/dev/mapper:" */
static bool heading(Str line, Folder *folder) {
    Str s = str_trim(line);
    if (!str_ends(s, ":") || str_find_ch(s, ' ') != SIZE_MAX) return false;
    if (!str_starts(s, "/dev/disk") && !str_starts(s, "/dev/mapper") && !str_starts(s, "./by-") &&
        !str_starts(s, "by-"))
        return false;
    *folder = folder_in(s);
    return true;
}

static const struct {
    const char *prefix;
    Folder folder;
} prefixes[] = {{"ata-", BY_ID},      {"wwn-", BY_ID},         {"nvme-", BY_ID},       {"usb-", BY_ID},
                {"scsi-", BY_ID},     {"mmc-", BY_ID},         {"virtio-", BY_ID},     {"dm-name-", BY_ID},
                {"dm-uuid-", BY_ID},  {"md-name-", BY_ID},     {"md-uuid-", BY_ID},    {"lvm-pv-uuid-", BY_ID},
                {"ieee1394-", BY_ID}, {"pci-", BY_PATH},       {"platform-", BY_PATH}, {"acpi-", BY_PATH},
                {"ip-", BY_PATH},     {"virtio-pci-", BY_PATH}};

static Folder folder_of_name(Str name) {
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(name, prefixes[i].prefix)) return prefixes[i].folder;
    return BY_NONE;
}

/* Name and target of a link line; false when it is none, or one of /sys. */
static bool link_line(Str line, Str *name, Str *target, Folder *folder) {
    size_t arrow = str_find(line, " -> ");
    if (arrow == SIZE_MAX) return false;
    Str left = str_trim(str_sub(line, 0, arrow)), right = str_trim(str_from(line, arrow + 4));
    if (right.len > 1 && (right.p[0] == '\'' || right.p[0] == '"')) right = str_sub(right, 1, right.len - 2);
    size_t blank = str_rfind_ch(left, ' ');
    Str whole = blank == SIZE_MAX ? left : str_from(left, blank + 1);
    if (whole.len > 1 && (whole.p[0] == '\'' || whole.p[0] == '"')) whole = str_sub(whole, 1, whole.len - 2);
    if (str_has(right, "/devices/") || str_starts(whole, "/sys/")) return false;
    if (!str_starts(right, "../") && !str_starts(right, "/dev/") && !dev_is_name(right)) return false;
    *folder = str_starts(whole, "/dev/") ? folder_in(whole) : BY_NONE;
    *name = str_basename(whole);
    *target = str_basename(right);
    return name->len && target->len && str_find_ch(*target, ' ') == SIZE_MAX;
}

static int by_id_bid(Str path, Str command, Str head) {
    int evidence = 0;
    bool headed = false;
    (void)command;
    for (int n = 0; head.len && n < 40 && evidence < 40; n++) {
        Str line = head_line(&head), name, target;
        Folder folder;
        if (heading(line, &folder)) {
            headed = true;
            evidence += 8;
        } else if (link_line(line, &name, &target, &folder)) {
            if (folder == BY_NONE && !headed) folder = folder_of_name(name);
            if (folder != BY_NONE) evidence += 20;
            else if (headed && dev_is_name(target)) evidence += 12;
            else if (path_has(path, "by-id") || path_has(path, "by-path") || path_has(path, "disk_by") ||
                     path_has(path, "byid"))
                evidence += 12;
        }
    }
    return evidence >= 12 ? evidence : 0;
}

static bool by_id_starts(Str line) {
    Str name, target;
    Folder folder;
    if (heading(line, &folder)) return folder != BY_NONE;
    return link_line(line, &name, &target, &folder) && (folder != BY_NONE || folder_of_name(name) != BY_NONE);
}

static bool by_id_continues(Str line) {
    Str name, target;
    Folder folder;
    Str s = str_trim(line);
    if (!s.len || heading(line, &folder) || link_line(line, &name, &target, &folder)) return true;
    if (str_starts(s, "total ") || str_starts(s, "/dev/disk:")) return true;
    /* the folders of ls -lR, the control node of /dev/mapper */
    return str_starts(s, "drwx") || str_starts(s, "crw") || str_starts(s, "brw") ||
           str_starts(s, "ls: cannot access '/dev/disk") || str_starts(s, "ls: cannot access /dev/disk") ||
           str_starts(s, "ls: cannot access '/dev/mapper");
}

static void place_number(ParseCtx *ctx, Ref disk, const char *key, Str value, Spot at) {
    uint64_t number;
    if (str_u64(value, &number)) ctx_setting(ctx, disk, key, value, "kernel", at);
}

/*
 * Where a disk hangs, as udev's path_id writes it:
 *   pci-0000:00:17.0-ata-3             port 3 (older udev)
 *   pci-0000:00:1f.2-ata-1.1           port or channel 1, target 1: in IDE mode the slave
 *   pci-0000:00:17.0-ata-3.2.0         behind port 2 of a port multiplier
 *   pci-0000:03:00.0-sas-phy5-lun-0    phy 5 of the HBA
 *   pci-0000:03:00.0-sas-exp0x500304801e5a7d3f-phy9-lun-0   phy 9 of an expander
 *   pci-0000:01:00.0-nvme-1
 */
static void place(ParseCtx *ctx, Ref disk, Str name, Spot at) {
    Str rest = str_after(name, "pci-");
    if (!rest.p) return;
    size_t dash = str_find_ch(rest, '-');
    Str bdf = dash == SIZE_MAX ? rest : str_sub(rest, 0, dash);
    if (bdf.len < 12 || bdf.len > 16 || str_find_ch(bdf, '.') == SIZE_MAX) return;
    ctx_setting(ctx, disk, "pci", bdf, "kernel", at);
    if (dash == SIZE_MAX) return;
    rest = str_from(rest, dash + 1);
    Str port = str_after(rest, "ata-");
    if (port.p) {
        Str numbers = str_cut(&port, '-'), first = str_cut(&numbers, '.'), second = str_cut(&numbers, '.');
        uint64_t n;
        place_number(ctx, disk, "port", first, at);
        if (numbers.len) { /* PORT.LINK.0; without a multiplier PORT.TARGET */
            place_number(ctx, disk, "multiplier", second, at);
        } else if (str_u64(second, &n) && n < 2) {
            ctx_setting(ctx, disk, "ata_dev", n ? STR("01") : STR("00"), "kernel", at);
        }
        return;
    }
    size_t at_phy = str_find(rest, "-phy");
    if (at_phy == SIZE_MAX) return;
    Str phy = str_from(rest, at_phy + 4), expander = str_after(rest, "sas-exp");
    phy = str_cut(&phy, '-');
    place_number(ctx, disk, "phy", phy, at);
    if (expander.p) ctx_setting(ctx, disk, "expander", str_cut(&expander, '-'), "kernel", at);
    else place_number(ctx, disk, "port", phy, at);
}

static ParseResult by_id_parse(ParseCtx *ctx, Input *in) {
    Str line;
    Folder current = folder_in(ctx->path);
    if (current == BY_OTHER || current == BY_MAPPER) current = BY_NONE;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str name, target;
        Folder folder;
        if (heading(line, &folder)) {
            current = folder;
            continue;
        }
        Str s = str_trim(line);
        if (!s.len || str_starts(s, "total ") || str_starts(s, "drwx") || str_starts(s, "crw") || str_starts(s, "brw"))
            continue;
        if (str_has(s, "No such file or directory")) {
            facts_note(ctx->facts, ctx->src, at, str_sub(s, 0, 300));
            continue;
        }
        if (!link_line(line, &name, &target, &folder)) {
            /* find -ls of the folders themselves, and of device nodes */
            if (str_has(s, " drwx") || str_has(s, " brw") || str_has(s, " crw")) continue;
            if (str_has(s, " -> ") || str_starts(s, "lrwx")) parse_note(ctx, at, "link not understood");
            else if (ctx->rows) parse_note(ctx, at, "neither a link nor a folder");
            continue;
        }
        if (folder == BY_NONE) folder = current;
        if (folder == BY_NONE) folder = folder_of_name(name);
        if (!dev_is_name(target) && folder != BY_MAPPER) {
            ctx->rows++; /* a link to something that is no disk: by-loop-ref, tape */
            continue;
        }
        ctx->rows++;
        Ref disk = ctx_ref(ctx, REF_DISK, target);
        if (folder == BY_DISKSEQ || folder == BY_OTHER) continue; /* "9" is a name of nothing else */
        if (folder == BY_MAPPER) {
            facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_DISK, name), disk, "mapper", at);
            continue;
        }
        const char *how = "link";
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            if (folders[i].folder == folder) how = folders[i].name;
        facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, name), disk, how, at);
        if (folder == BY_PATH && dev_is_disk(target)) {
            ctx_setting(ctx, disk, "by_path", name, "kernel", at);
            place(ctx, disk, name, at);
        } else if (folder == BY_LABEL) {
            ctx_setting(ctx, disk, "fs_label", name, "kernel", at);
        } else if (folder == BY_UUID) {
            ctx_setting(ctx, disk, "fs_uuid", name, "kernel", at);
        }
    }
    return parse_result(ctx);
}

const Parser parser_by_id = {
    .name = "by-id",
    .bid = by_id_bid,
    .starts = by_id_starts,
    .continues = by_id_continues,
    .parse = by_id_parse,
    .ask = "ls -l /dev/disk/by-id /dev/disk/by-path /dev/disk/by-partuuid",
};
