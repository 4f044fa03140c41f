/*
 * Diagnoses made by hand for test_reports.c: the write cache story as a reader would get it, one whose every string is an
 * attack, and an empty one. All names and serials are invented.
 */
#ifndef STORDX_TESTS_REPORTS_SAMPLES_H
#define STORDX_TESTS_REPORTS_SAMPLES_H

#include "analyze/diagnose/diagnosis.h"
#include "base/arena.h"

#include <math.h>

/* ---- small builders ---- */

static Span span_of(Str text, unsigned style) {
    return (Span){.text = text, .style = style};
}

static void block_add(Arena *a, Rich *r, BlockKind kind, int depth, int number, Span s1, Span s2) {
    Block *blocks = arena_array(a, Block, r->count + 1);
    for (size_t i = 0; i < r->count; i++) blocks[i] = r->blocks[i];
    Block *b = &blocks[r->count];
    *b = (Block){.kind = kind,
                 .depth = depth,
                 .number = number,
                 .spans = arena_array(a, Span, 2),
                 .span_count = s2.text.len ? 2 : 1};
    b->spans[0] = s1;
    b->spans[1] = s2;
    r->blocks = blocks;
    r->count++;
}

static void paragraph(Arena *a, Rich *r, const char *text) {
    block_add(a, r, BLOCK_PARAGRAPH, 0, 0, span_of(str_of(text), 0), (Span){0});
}

static void item(Arena *a, Rich *r, int number, const char *text, const char *code) {
    block_add(a, r, BLOCK_ITEM, 1, number, span_of(str_of(text), 0), span_of(str_of(code), SPAN_CODE));
}

static void code_block(Arena *a, Rich *r, int depth, const char *text) {
    block_add(a, r, BLOCK_CODE, depth, 0, span_of(str_of(text), SPAN_CODE), (Span){0});
}

static void evidence_add(Arena *a, EvidenceList *list, const char *member, int64_t line, const char *text,
                         const char *view) {
    VEC_PUSH(a, list, ((Evidence){.member = str_of(member), .line = line, .text = str_of(text), .view = str_of(view)}));
}

static Subject drive_subject(Arena *a, int n) {
    static const char *const names[] = {"sda", "sdb", "sdc", "sdd"};
    static const char *const serials[] = {"24172J800458", "24172J801387", "24172J802050", "S5GXNX0T707743"};
    return (Subject){.node = 10 + n,
                     .kind = STR("drive"),
                     .id = arena_strf(a, "drive:5001b448c80%05d+%s", 458 + n, serials[n]),
                     .name = str_of(names[n]),
                     .model = n == 3 ? STR("Samsung SSD 870 EVO 250GB") : STR("WD Red SA500 2.5 2TB"),
                     .serial = str_of(serials[n]),
                     .wwn = arena_strf(a, "5001b448c80%05d", 458 + n),
                     .place = {.controller = STR("0000:00:17.0"),
                               .port = arena_strf(a, "%d", n + 1),
                               .label = arena_strf(a, "AHCI 0000:00:17.0, port %d", n + 1)}};
}

static Finding *finding_add(Arena *a, FindingList *list, const char *rule, const char *kind, const char *title) {
    Finding *f = arena_new_of(a, Finding);
    f->rule = str_of(rule);
    f->kind = str_of(kind);
    f->title = str_of(title);
    f->confidence = f->score = f->value = f->threshold = f->magnitude = NAN;
    f->capture = 1;
    VEC_PUSH(a, list, f);
    return f;
}

static void explains_add(Arena *a, Finding *f, const char *symptom, double weight, Subject s) {
    VEC_PUSH(a, &f->explains, ((Explained){str_of(symptom), weight, s}));
}

static void source_add(Arena *a, Diagnosis *d, const char *member, const char *tool, const char *status,
                       const char *note, int64_t rows) {
    VEC_PUSH(a, &d->benchmarks,
             ((Benchmark){.tool = STR("fio"),
                          .target = STR("/dev/nvme0n1"),
                          .what = STR("random read, 4 KiB, 128 in flight"),
                          .mb_s = 1720,
                          .iops = 420000,
                          .mean_ms = 0.302,
                          .p50_ms = 0.27,
                          .p95_ms = 0.48,
                          .p99_ms = 0.76,
                          .p999_ms = 1.2,
                          .max_ms = NAN,
                          .beside = STR("87 % of the 1.97 GB/s that its link carries")}));
    VEC_PUSH(a, &d->sources,
             ((SourceInfo){.member = str_of(member),
                           .tool = str_of(tool),
                           .status = str_of(status),
                           .note = str_of(note),
                           .rows = rows}));
}

static const Subject the_host = {
    .node = 1, .kind = {"host", 4}, .id = {"host:microserver", 16}, .name = {"microserver", 11}};
static const Subject the_pool = {.node = 30, .kind = {"pool", 4}, .id = {"pool:storage", 12}, .name = {"storage", 7}};

static const char udev_rule[] = "printf '%s\\n' 'ACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{ID_BUS}==\"ata\", "
                                "ATTR{queue/rotational}==\"0\", RUN+=\"/usr/sbin/hdparm -W1 "
                                "/dev/%k\"' >/etc/udev/rules.d/69-write-cache.rules";

/* ---- the write cache story ---- */

static Finding *story_cause(Arena *a, FindingList *list) {
    Finding *f =
        finding_add(a, list, "drive-write-cache-off", "cause", "The drives' volatile write cache is switched off");
    f->rank = 1;
    f->confidence = 0.93;
    f->score = 1.71;
    f->class_ = STR("misconfiguration");
    f->impact = STR("severe");
    f->layer = STR("drive");
    f->source = STR("Linux Documentation/ABI queue/write_cache; hdparm(8)");
    for (int i = 0; i < 4; i++) VEC_PUSH(a, &f->subjects, drive_subject(a, i));
    for (int i = 0; i < 3; i++) explains_add(a, f, "write-latency", 0.9, drive_subject(a, i));
    explains_add(a, f, "low-throughput", 0.8, the_pool);
    explains_add(a, f, "io-pressure", 0.6, the_host);
    for (int i = 0; i < 4; i++)
        evidence_add(a, &f->evidence, "sysfs.txt", 41 + 31 * i,
                     arena_fmt(a, "/sys/block/sd%c/queue/write_cache:write through", 'a' + i), "kernel");
    evidence_add(
        a, &f->evidence, "dmesg.out", 812,
        "[    2.101312] sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA",
        "kernel");
    evidence_add(
        a, &f->evidence, "dmesg.out", 813,
        "[    2.101316] sd 3:0:0:0: [sdc] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA",
        "kernel");
    evidence_add(
        a, &f->evidence, "dmesg.out", 815,
        "[    2.101332] sd 5:0:0:0: [sdd] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA",
        "kernel");
    evidence_add(
        a, &f->evidence, "dmesg.out", 818,
        "[    2.101407] sd 4:0:0:0: [sdb] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA",
        "kernel");
    evidence_add(a, &f->evidence, "drives/hdparm_sda.out", 3, " write-caching =  0 (off)", "drive");
    VEC_PUSH(a, &f->remarks, STR("sdb, sdc, sdd: the kernel's view only, hdparm was run for sda alone"));
    paragraph(a, &f->summary,
              "Every write has to reach the flash before the drive says that it is done. A consumer SSD is built to "
              "gather small writes in its cache first; without it "
              "each of them costs a program cycle, and sequential writes fall to a few MB/s.");
    paragraph(a, &f->summary,
              "The cache was already off at 2.1 s after power-on, before any user space: the firmware of this machine "
              "did it. The USB devices show it enabled, so it is "
              "set per bus.");
    item(a, &f->fix, 1,
         "Switch the cache on, on each internal drive. It is volatile: the setting is lost with the power.", "");
    code_block(a, &f->fix, 1,
               "for d in /dev/disk/by-id/ata-*; do\n    case $d in *-part*) ;; *) hdparm -W1 \"$d\" ;; esac\ndone");
    item(a, &f->fix, 2, "Make it last with a udev rule for internal SSDs only, so that USB disks are left alone:", "");
    code_block(a, &f->fix, 1, udev_rule);
    item(a, &f->fix, 3,
         "Give the host a UPS with a clean shutdown: these drives have no power-loss protection. ZFS, ext4 and XFS "
         "flush where it counts, so the cache itself is safe with them.",
         "");
    paragraph(a, &f->verify, "The kernel and the drive must both say so, and the wait must fall:");
    code_block(a, &f->verify, 0,
               "cat /sys/block/sd[a-d]/queue/write_cache    # write back\nhdparm -W /dev/sda                           "
               "# write-caching = 1 (on)");
    VEC_PUSH(a, &f->verify_commands, STR("cat /sys/block/sd[a-d]/queue/write_cache"));
    VEC_PUSH(a, &f->verify_commands, STR("hdparm -W /dev/sda"));
    block_add(a, &f->not_this, BLOCK_PARAGRAPH, 0, 0,
              span_of(STR("This is not RAIDZ parity and not the transaction groups of ZFS. Do not set "), 0),
              span_of(STR("sync=disabled"), SPAN_CODE));
    item(a, &f->not_this, 0, "Synchronous 4K writes will not become faster: each ends in a flush.", "");
    item(a, &f->not_this, 0,
         "Do not move the controller to RAID mode to reach a switch for it: that hides the drives and takes the pool "
         "with it.",
         "");
    return f;
}

static Diagnosis *story_before(Arena *a) {
    Diagnosis *d = arena_new_of(a, Diagnosis);
    d->bundle = (BundleInfo){.id = 1,
                             .label = STR("microserver-before.tar.gz"),
                             .host = STR("microserver"),
                             .os = STR("Debian GNU/Linux 13 (trixie)"),
                             .kernel = STR("6.12.38+deb13-amd64"),
                             .kind = STR("stordx"),
                             .machine = STR("HPE ProLiant MicroServer Gen10 Plus v2")};
    d->capture = (CaptureInfo){.id = 1,
                               .boot_id = STR("0f6c2b1e-0b1d-4c57-9a51-6f1f6d9f7c11"),
                               .start_s = 1754300000,
                               .end_s = 1754300061,
                               .sampling_s = NAN,
                               .complete = 1};
    VEC_PUSH(a, &d->bundle.captures, d->capture);
    d->status = STR("causes");
    d->verdict = STR("The volatile write cache of all four internal SATA SSDs is switched off, so every write waits "
                     "for flash (certain). A manual TRIM of the pool runs at the same time and takes part.");

    story_cause(a, &d->causes);
    Finding *trim =
        finding_add(a, &d->causes, "zfs-trim-running", "cause", "A TRIM of pool storage runs during the complaint");
    trim->rank = 2;
    trim->confidence = 0.7;
    trim->score = 0.31;
    trim->class_ = STR("saturation");
    trim->impact = STR("major");
    VEC_PUSH(a, &trim->subjects, the_pool);
    for (int i = 0; i < 3; i++) explains_add(a, trim, "write-latency", 0.35, drive_subject(a, i));
    evidence_add(a, &trim->evidence, "zpool_status.out", 9,
                 "            ata-WD_Red_SA500_2.5_2TB_24172J800458  ONLINE  0  0  0  (2% trimmed, started at Mon Aug  "
                 "4 09:12:44 2025)",
                 "");
    evidence_add(a, &trim->evidence, "zpool_history.out", 3, "2025-08-04.09:12:44 zpool trim storage", "");
    paragraph(a, &trim->summary,
              "It was started 40 minutes before the capture and stands at 2 %. It competes with the restore, and is "
              "itself slowed down by cause 1.");
    item(a, &trim->fix, 0, "Pause it until the restore is done: ", "zpool trim -s storage");
    item(a, &trim->fix, 0, "Start it again afterwards: ", "zpool trim storage");
    Finding *covered =
        finding_add(a, &d->causes, "sync-writes-slow", "cause", "Synchronous writes wait for the drives");
    covered->rank = 3;
    covered->confidence = 0.3;
    covered->covered_by = STR("drive-write-cache-off");
    VEC_PUSH(a, &covered->subjects, the_pool);

    static const double waits[] = {68, 72, 57};
    for (int i = 0; i < 3; i++) {
        Finding *s = finding_add(a, &d->symptoms, "write-latency-high", "symptom",
                                 arena_fmt(a, "Writes of sd%c wait %.0f ms", 'a' + i, waits[i]));
        s->symptom = STR("write-latency");
        s->value = waits[i];
        s->threshold = 10;
        s->magnitude = 0.9;
        s->unit = STR("ms");
        s->basis = STR("lifetime average (since import)");
        VEC_PUSH(a, &s->subjects, drive_subject(a, i));
        VEC_PUSH(a, &s->explained_by, STR("drive-write-cache-off"));
        VEC_PUSH(a, &s->explained_by, STR("zfs-trim-running"));
        evidence_add(a, &s->evidence, "samples/zpool_iostat.out", 6 + i,
                     "    ata-WD_Red_SA500_2.5_2TB_24172J800458      -      -      0     61  1.14K  7.57M    1ms  "
                     "262ms    1ms   68ms",
                     "kernel");
    }
    Finding *psi =
        finding_add(a, &d->symptoms, "io-pressure-high", "symptom", "Tasks wait for storage most of the time");
    psi->symptom = STR("io-pressure");
    psi->value = 90.06;
    psi->threshold = 10;
    psi->unit = STR("%");
    psi->basis = STR("present value");
    VEC_PUSH(a, &psi->subjects, the_host);
    VEC_PUSH(a, &psi->explained_by, STR("drive-write-cache-off"));
    evidence_add(a, &psi->evidence, "pressure0.out", 2, "some avg10=94.05 avg60=90.06 avg300=80.24 total=14823950112",
                 "kernel");

    Finding *risk = finding_add(a, &d->risks, "drive-without-plp", "risk", "The SSDs have no power-loss protection");
    risk->confidence = 0.6;
    risk->class_ = STR("other");
    risk->impact = STR("minor");
    VEC_PUSH(a, &risk->subjects, drive_subject(a, 0));
    paragraph(a, &risk->summary,
              "A power cut loses what is in the cache and was not flushed. File systems expect that; software that "
              "does not flush is the one at risk.");
    Finding *note =
        finding_add(a, &d->notes, "since-boot-sample", "note", "The only pool figures are averages since the import");
    note->confidence = 1;
    VEC_PUSH(a, &note->subjects, the_pool);
    paragraph(a, &note->summary,
              "One report of zpool iostat without -y averages everything since the pool was imported: good for the "
              "magnitude, not for spikes.");
    evidence_add(a, &note->evidence, "samples/zpool_iostat.out", 1, "storage     3.42K 22.7M   1ms 233ms   1ms 65ms",
                 "");

    RuledOut ide = {.rule = STR("sata-ide-mode"),
                    .title = STR("SATA controller runs in IDE mode"),
                    .reason = STR("the controller is driven by ahci")};
    VEC_PUSH(a, &ide.subjects, ((Subject){.node = 2, .kind = STR("controller"), .name = STR("0000:00:17.0")}));
    evidence_add(a, &ide.evidence, "lspci.out", 14, "\tKernel driver in use: ahci", "kernel");
    VEC_PUSH(a, &d->ruled_out, ide);
    RuledOut smart = {.rule = STR("drive-media-errors"),
                      .title = STR("Drives report media errors"),
                      .reason = STR("no reallocated, pending or uncorrectable sectors")};
    for (int i = 0; i < 4; i++) {
        VEC_PUSH(a, &smart.subjects, drive_subject(a, i));
        evidence_add(a, &smart.evidence, arena_fmt(a, "drives/smart_sd%c.out", 'a' + i), 58,
                     "  5 Reallocated_Sector_Ct   0x0032   100   100   ---    Old_age   Always       -       0",
                     "drive");
    }
    VEC_PUSH(a, &d->ruled_out, smart);

    NotChecked queue = {.rule = STR("no-ncq"), .title = STR("Command queueing is off"), .settles = 3};
    VEC_PUSH(a, &queue.ask, STR("grep . /sys/block/sd*/device/queue_depth"));
    VEC_PUSH(a, &queue.missing, STR("sysfs queue_depth"));
    for (int i = 0; i < 4; i++) VEC_PUSH(a, &queue.subjects, drive_subject(a, i));
    VEC_PUSH(a, &d->not_checked, queue);
    NotChecked usb = {
        .rule = STR("usb-source-limit"), .title = STR("The USB disk being read is the limit"), .settles = 2};
    VEC_PUSH(a, &usb.ask, STR("iostat -dxmt 1 60"));
    VEC_PUSH(a, &usb.missing, STR("iostat"));
    VEC_PUSH(a, &d->not_checked, usb);
    NotChecked spikes = {.rule = STR("latency-spikes"), .title = STR("Single drives stall now and then"), .settles = 2};
    VEC_PUSH(a, &spikes.ask, STR("iostat -dxmt 1 60"));
    VEC_PUSH(a, &spikes.missing, STR("iostat"));
    VEC_PUSH(a, &d->not_checked, spikes);

    TreeNode host = {1,     STR("host"), STR("microserver"), STR("HPE ProLiant MicroServer Gen10 Plus v2"), 0,
                     false, false};
    VEC_PUSH(a, &d->tree, host);
    TreeNode ahci = {2,
                     STR("controller"),
                     STR("0000:00:17.0"),
                     STR("Intel Cannon Lake PCH SATA AHCI Controller (ahci)"),
                     1,
                     false,
                     false};
    VEC_PUSH(a, &d->tree, ahci);
    for (int i = 0; i < 4; i++) {
        Subject s = drive_subject(a, i);
        TreeNode t = {s.node,
                      STR("drive"),
                      s.name,
                      arena_strf(a, "%.*s, serial %.*s, port %d%s", STR_ARG(s.model), STR_ARG(s.serial), i + 1,
                                 i < 3 ? " - in storage" : ""),
                      2,
                      true,
                      false};
        VEC_PUSH(a, &d->tree, t);
        DriveInfo x = {.node = s.node,
                       .id = s.id,
                       .name = s.name,
                       .wwn = s.wwn,
                       .serial = s.serial,
                       .model = s.model,
                       .firmware = i < 3 ? STR("540500WD") : STR("SVT02B6Q"),
                       .media = STR("ssd"),
                       .bus = STR("ata"),
                       .plp = STR("no"),
                       .size_bytes = i < 3 ? 2000398934016.0 : 250059350016.0,
                       .place = s.place,
                       .culprit = true};
        VEC_PUSH(a, &x.names, ((NameAt){0, s.name}));
        if (i == 1) VEC_PUSH(a, &x.names, ((NameAt){1, STR("sdc")}));
        if (i < 3) VEC_PUSH(a, &x.pools, STR("storage"));
        if (i < 3) {
            Dist wait = {STR("disk_wait_write_ms"),
                         STR("zpool_iostat"),
                         STR("lifetime average"),
                         NAN,
                         waits[i],
                         NAN,
                         NAN,
                         NAN,
                         NAN,
                         NAN};
            Dist rate = {
                STR("w_bytes_s"), STR("zpool_iostat"), STR("lifetime average"), NAN, 7.94e6, NAN, NAN, NAN, NAN, NAN};
            VEC_PUSH(a, &x.metrics, wait);
            VEC_PUSH(a, &x.metrics, rate);
        }
        VEC_PUSH(a, &d->drives, x);
    }
    TreeNode usb_controller = {
        3,    STR("controller"), STR("0000:00:14.0"), STR("Intel Cannon Lake PCH USB 3.1 xHCI (xhci_hcd)"), 1, false,
        false};
    VEC_PUSH(a, &d->tree, usb_controller);
    TreeNode disk = {14, STR("drive"), STR("sdf"), STR("WD Elements 25A2, USB 5 Gbit/s"), 2, false, true};
    VEC_PUSH(a, &d->tree, disk);
    TreeNode pool = {30, STR("pool"), STR("storage"), STR("ONLINE, raidz1 of sda, sdb, sdc"), 1, true, false};
    VEC_PUSH(a, &d->tree, pool);
    DriveInfo elements = {.node = 14,
                          .id = STR("drive:WX32D60"),
                          .name = STR("sdf"),
                          .serial = STR("WX32D60LK4T7"),
                          .model = STR("WD Elements 25A2"),
                          .media = STR("hdd"),
                          .bus = STR("usb"),
                          .size_bytes = NAN};
    VEC_PUSH(a, &d->drives, elements);

    source_add(a, d, "sysfs.txt", "sysfs", "parsed", "", 412);
    source_add(a, d, "dmesg.out", "kernel_log", "parsed", "", 1204);
    source_add(a, d, "drives/hdparm_sda.out", "hdparm", "parsed", "", 1);
    for (int i = 0; i < 4; i++)
        source_add(a, d, arena_fmt(a, "drives/smart_sd%c.out", 'a' + i), "smartctl", "parsed", "", 61);
    source_add(a, d, "zpool_status.out", "zpool_status", "parsed", "", 8);
    source_add(a, d, "samples/zpool_iostat.out", "zpool_iostat", "parsed", "", 5);
    source_add(a, d, "pressure0.out", "psi", "parsed", "", 6);
    source_add(a, d, "lspci.out", "lspci", "parsed", "", 22);
    source_add(a, d, "timers.out", "timers", "empty", "", 0);
    source_add(a, d, "nvme_list.out", "nvme", "failed", "nvme: command not found", 0);
    source_add(a, d, "mounts.out", "mounts", "partial", "line 31: 4 fields where 6 were expected", 29);
    source_add(a, d, "notes-of-the-customer.odt", "", "unrecognised", "", 0);
    return d;
}

static Comparison *story_comparison(Arena *a) {
    Comparison *c = arena_new_of(a, Comparison);
    Diagnosis *before = story_before(a), *after = arena_new_of(a, Diagnosis);
    after->bundle = before->bundle;
    after->bundle.label = STR("microserver-after.tar.gz");
    after->capture =
        (CaptureInfo){.id = 2, .start_s = 1754307500, .end_s = 1754307561, .sampling_s = 60, .complete = 1};
    after->status = STR("causes");
    after->verdict = STR("The USB disk being read is at its limit (likely).");
    source_add(a, after, "samples/iostat.out", "iostat", "parsed", "", 480);
    VEC_PUSH(a, &c->stages, before);
    VEC_PUSH(a, &c->stages, after);
    c->text = STR("The fix worked: the write cache is on for all four drives and the restore runs three times as fast. "
                  "The bottleneck is now the USB disk being read, which is at its limit.");
    Finding *fixed = finding_add(a, &c->verdicts, "fix-confirmed", "verdict", "Switching the write cache on helped");
    fixed->confidence = 0.95;
    for (int i = 0; i < 4; i++) VEC_PUSH(a, &fixed->subjects, drive_subject(a, i));
    paragraph(a, &fixed->summary,
              "The setting changed between the captures, and the figures it should move moved: the restore from 30 to "
              "90 MB/s, I/O pressure from 90 to 38 %.");
    Finding *moved =
        finding_add(a, &c->verdicts, "bottleneck-moved", "verdict", "The bottleneck moved to the USB disk");
    moved->confidence = 0.8;
    VEC_PUSH(a, &moved->subjects,
             ((Subject){.node = 14,
                        .kind = STR("drive"),
                        .name = STR("sdf"),
                        .model = STR("WD Elements 25A2"),
                        .serial = STR("WX32D60LK4T7")}));
    Finding *usb = finding_add(a, &c->new_, "usb-source-limit", "cause", "The USB disk being read is the limit");
    usb->confidence = 0.75;
    usb->rank = 1;
    usb->class_ = STR("saturation");
    usb->impact = STR("major");
    VEC_PUSH(a, &usb->subjects, moved->subjects.items[0]);
    evidence_add(a, &usb->evidence, "samples/iostat.out", 44, "sdf  88.00  90.12  0.00  0.00  11.20  1048.6 ... 99.40",
                 "kernel");
    paragraph(a, &usb->summary, "It reads 90 MB/s at 99 % utilisation, which is what a 2.5 inch disk does.");
    item(a, &usb->fix, 0, "Nothing is wrong with the host: let the restore end, or copy from a faster source.", "");
    story_cause(a, &c->resolved);
    static const char *const stage_names[] = {"sda", "sdb", "sdc", "sdd"};
    for (int i = 0; i < 4; i++) {
        Subject s = drive_subject(a, i);
        DriveHistory h = {.id = s.id, .wwn = s.wwn, .serial = s.serial, .model = s.model};
        for (int k = 0; k < 2; k++) {
            Stage stage = {.bundle = k + 1,
                           .bundle_label = k ? after->bundle.label : before->bundle.label,
                           .name = str_of(stage_names[k && i == 3   ? 2
                                                      : k && i == 2 ? 3
                                                                    : i]),
                           .firmware = STR("540500WD"),
                           .place = s.place,
                           .present = true,
                           .load = k ? STR("180 w/s, 30 MB/s") : STR_NONE};
            Dist wait = {k ? STR("w_await_ms") : STR("disk_wait_write_ms"),
                         k ? STR("iostat") : STR("zpool_iostat"),
                         k ? STR("1s averages") : STR("lifetime average"),
                         k ? 60 : NAN,
                         k ? 1.9 : 68,
                         k ? 1.7 : NAN,
                         k ? 4.2 : NAN,
                         NAN,
                         NAN,
                         k ? 9.5 : NAN};
            VEC_PUSH(a, &stage.metrics, wait);
            VEC_PUSH(a, &h.stages, stage);
        }
        VEC_PUSH(a, &c->drives, h);
        Change on = {.kind = STR("setting"),
                     .subject = s,
                     .what = STR("write cache"),
                     .from = STR("write through"),
                     .to = STR("write back")};
        evidence_add(a, &on.evidence, "before:sysfs.txt", 41 + 31 * i, "write through", "kernel");
        evidence_add(a, &on.evidence, "after:sysfs.txt", 41 + 31 * i, "write back", "kernel");
        VEC_PUSH(a, &c->changes, on);
        Factor wait = {.subject = s,
                       .metric = STR("disk_wait_write_ms"),
                       .basis_from = STR("lifetime average"),
                       .basis_to = STR("lifetime average"),
                       .from = 68,
                       .to = 61,
                       .factor = 61.0 / 68,
                       .why_not = STR("both are averages since one import: the second contains the first")};
        VEC_PUSH(a, &c->factors, wait);
    }
    Factor psi = {.subject = the_host,
                  .metric = STR("psi_io_some_pct"),
                  .basis_from = STR("present value"),
                  .basis_to = STR("present value"),
                  .from = 90.06,
                  .to = 38.2,
                  .factor = 38.2 / 90.06,
                  .comparable = true};
    VEC_PUSH(a, &c->factors, psi);
    Factor bench = {.subject = the_pool,
                    .metric = STR("sequential 1M, buffered + fsync (dd)"),
                    .unit = STR("MB/s"),
                    .basis_from = STR("benchmark"),
                    .basis_to = STR("benchmark"),
                    .from = 8,
                    .to = 547,
                    .factor = 547.0 / 8,
                    .comparable = true};
    VEC_PUSH(a, &c->factors, bench);
    Factor sync4k = {.subject = the_pool,
                     .metric = STR("4K, O_DIRECT + dsync (dd)"),
                     .unit = STR("kB/s"),
                     .basis_from = STR("benchmark"),
                     .basis_to = STR("benchmark"),
                     .from = 292,
                     .to = 334,
                     .factor = 334.0 / 292,
                     .comparable = true};
    VEC_PUSH(a, &c->factors, sync4k);
    VEC_PUSH(a, &c->not_comparable,
             ((NotComparable){STR("the effect of TRIM"), STR("it was not finished in either capture")}));
    return c;
}

/* ---- one whose every string is an attack ---- */

/* Each below CLEAN_NAME_MAX characters, so that names show them whole. */
static const char attack_html[] = "<script>alert(1)</script> \"><img src=x onerror=alert(2)> ' & &amp; &#60; <!-- c "
                                  "--> ]]> <?php ?> <![CDATA[ </p></article></style></title> "
                                  "{ style=\"x\" } onclick=\"y\" <a href=javascript:alert(1)>j</a> end";
static const char attack_markdown[] = "`tick` ``two`` ``` a|b *s* _u_ **b** ~~d~~ ~~~ $x$ == ^sup^ # h - d + p > q 1. "
                                      "one 2) two [x](javascript:alert(3)) ![i](http://evil.example/i.png) "
                                      "<https://evil.example> [r]: http://evil.example \\ \\\\ &lt; [^1] "
                                      "[quote]q[/quote] <b>b</b> | --- | *** ___ --- e.g. 6.12.3";
static const char attack_mentions[] = "# 1. @user @org/team owner/repo#12 #7 #tag GH-7 :smile: :+1: "
                                      "http://evil.example/ ftp://evil.example www.evil.example mail@evil.example "
                                      "evil.example javascript:alert(1) 2:0:0:0 \xc3\xa4"
                                      "b.example mailto:a xmpp:b";
static const char attack_bytes[] =
    "\033[31mred\033[0m \033]0;title\a nul\0nul \x01\x02 \xff\xfe\xc0\xaf\xed\xa0\x80 \xe2\x80\xae"
    "rtl\xe2\x80\x8f \xe2\x80\x8bzero \xf0\x9f\x92\xbe "
    "line\none\r\ntwo\rthree\ttab \xef\xbf\xbe \xef\xbb\xbf \xc2\x85 \xe2\x80\xa8 \x1b[ \x1b \x7f \xc2\x9b"
    "31m \xf4\x90\x80\x80 \xe4";
#define ATTACK(bytes)                                                                                                  \
    { bytes, sizeof bytes - 1 }
static const Str attacks[] = {ATTACK(attack_html),
                              ATTACK(attack_markdown),
                              ATTACK(attack_mentions),
                              ATTACK(attack_bytes),
                              {" ", 1},
                              {"`", 1},
                              {"\\", 1},
                              {"|", 1},
                              {"-", 1},
                              {"1.", 2},
                              {NULL, 0}};
enum { ATTACKS = sizeof attacks / sizeof *attacks };
static Str attack; /* the one that attack_diagnosis() puts everywhere */

static Rich attack_rich(Arena *a) {
    Rich r = {0};
    block_add(a, &r, BLOCK_HEADING, 2, 0, span_of(attack, 0), (Span){0});
    block_add(a, &r, BLOCK_PARAGRAPH, 0, 0, span_of(attack, SPAN_STRONG), span_of(attack, SPAN_CODE));
    block_add(a, &r, BLOCK_PARAGRAPH, 3, 0, span_of(attack, SPAN_EMPH),
              span_of(attack, SPAN_STRONG | SPAN_EMPH | SPAN_CODE));
    block_add(a, &r, BLOCK_ITEM, 5, -3, span_of(attack, 0),
              (Span){.text = attack, .style = SPAN_LINK, .url = STR("javascript:alert(1)")});
    block_add(a, &r, BLOCK_ITEM, 2, 7, span_of(attack, 0),
              (Span){.text = attack, .style = SPAN_LINK, .url = STR("http://evil.example/\"onclick=\"x")});
    block_add(a, &r, BLOCK_CODE, 9, 0, span_of(attack, SPAN_CODE), (Span){0});
    block_add(a, &r, BLOCK_CODE, -1, 0, span_of(STR("```\n<script>alert(4)</script>\n~~~\n````\n# h"), SPAN_CODE),
              (Span){0});
    block_add(a, &r, BLOCK_PARAGRAPH, 0, 0, (Span){0}, (Span){0});
    return r;
}

static void attack_evidence(Arena *a, EvidenceList *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        VEC_PUSH(a, list,
                 ((Evidence){.member = attack,
                             .line = i % 2 ? (int64_t)i + 1 : 0,
                             .path = attack,
                             .text = attack,
                             .view = i % 3 ? attack : STR("kernel")}));
}

static Subject attack_subject(void) {
    return (Subject){.node = 5,
                     .kind = attack,
                     .id = attack,
                     .name = attack,
                     .model = attack,
                     .serial = attack,
                     .wwn = attack,
                     .place = {attack, attack, attack, attack}};
}

static Finding *attack_finding(Arena *a, FindingList *list, const char *kind) {
    Finding *f = finding_add(a, list, "", kind, "");
    f->rule = f->title = f->class_ = f->impact = f->layer = f->source = f->symptom = f->unit = f->basis = attack;
    f->rank = 1;
    f->confidence = INFINITY;
    f->score = -INFINITY;
    f->value = INFINITY;
    f->danger_now = true;
    VEC_PUSH(a, &f->subjects, attack_subject());
    VEC_PUSH(a, &f->explains, ((Explained){attack, 1, attack_subject()}));
    attack_evidence(a, &f->evidence, 20);
    f->summary = f->fix = f->verify = f->not_this = attack_rich(a);
    VEC_PUSH(a, &f->verify_commands, attack);
    VEC_PUSH(a, &f->remarks, attack);
    VEC_PUSH(a, &f->explained_by, attack);
    return f;
}

static Diagnosis *attack_diagnosis(Arena *a) {
    Diagnosis *d = arena_new_of(a, Diagnosis);
    d->bundle = (BundleInfo){.label = attack,
                             .host = attack,
                             .os = attack,
                             .kernel = attack,
                             .kind = attack,
                             .machine = attack,
                             .test_path = attack};
    d->capture = (CaptureInfo){.id = 2,
                               .label = attack,
                               .boot_id = attack,
                               .start_s = 1e300,
                               .end_s = -1e300,
                               .sampling_s = INFINITY,
                               .complete = 0};
    VEC_PUSH(a, &d->bundle.captures, d->capture);
    VEC_PUSH(
        a, &d->bundle.captures,
        ((CaptureInfo){.id = 1, .label = attack, .start_s = NAN, .end_s = NAN, .sampling_s = NAN, .complete = -1}));
    d->status = attack;
    d->verdict = attack;
    attack_finding(a, &d->causes, "cause");
    attack_finding(a, &d->causes, "cause")->covered_by = attack;
    attack_finding(a, &d->risks, "risk");
    attack_finding(a, &d->notes, "note");
    attack_finding(a, &d->verdicts, "verdict");
    attack_finding(a, &d->symptoms, "symptom");
    RuledOut r = {.rule = attack, .title = attack, .reason = attack};
    VEC_PUSH(a, &r.subjects, attack_subject());
    attack_evidence(a, &r.evidence, 3);
    VEC_PUSH(a, &d->ruled_out, r);
    NotChecked n = {.rule = attack, .title = attack, .settles = NAN};
    VEC_PUSH(a, &n.subjects, attack_subject());
    VEC_PUSH(a, &n.missing, attack);
    VEC_PUSH(a, &n.ask, attack);
    VEC_PUSH(a, &n.ask, attack);
    VEC_PUSH(a, &n.statements, ((Evidence){.member = attack, .line = 1, .path = attack, .text = attack}));
    VEC_PUSH(a, &d->not_checked, n);
    DriveInfo x = {.node = 5,
                   .id = attack,
                   .name = attack,
                   .wwn = attack,
                   .serial = attack,
                   .model = attack,
                   .firmware = attack,
                   .media = attack,
                   .bus = attack,
                   .class_ = attack,
                   .plp = attack,
                   .size_bytes = 1e30,
                   .place = {attack, attack, attack, attack},
                   .culprit = true};
    VEC_PUSH(a, &x.names, ((NameAt){-1, attack}));
    VEC_PUSH(a, &x.pools, attack);
    VEC_PUSH(a, &x.metrics, ((Dist){attack, attack, attack, 1, -1, NAN, INFINITY, 1e-9, NAN, 1e20}));
    VEC_PUSH(a, &x.metrics, ((Dist){attack, attack, attack, 2, -1, NAN, INFINITY, 1e-9, NAN, 1e20}));
    VEC_PUSH(a, &d->drives, x);
    static const char *const statuses[] = {"parsed", "failed", "partial", "unrecognised", "skipped"};
    for (size_t i = 0; i < 5; i++)
        VEC_PUSH(a, &d->sources,
                 ((SourceInfo){.member = attack,
                               .tool = attack,
                               .command = attack,
                               .status = str_of(statuses[i]),
                               .note = attack,
                               .rows = -1,
                               .bad_rows = 3,
                               .line_first = 5,
                               .line_last = 9}));
    VEC_PUSH(a, &d->benchmarks,
             ((Benchmark){.tool = attack,
                          .target = attack,
                          .what = attack,
                          .mb_s = INFINITY,
                          .iops = -1,
                          .mean_ms = NAN,
                          .p50_ms = 1e-9,
                          .p95_ms = 1e20,
                          .p99_ms = NAN,
                          .p999_ms = NAN,
                          .max_ms = -INFINITY,
                          .beside = attack,
                          .measures = attack}));
    VEC_PUSH(a, &d->sources, ((SourceInfo){.member = attack, .status = attack}));
    static const int depths[] = {3, -5, 9, 9, 40, 1, 1000000, 0, 2};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        VEC_PUSH(a, &d->tree, ((TreeNode){5, attack, attack, attack, depths[i], i % 2, i % 3 == 0}));
    VEC_PUSH(a, &d->warnings, attack);
    return d;
}

static Comparison *attack_comparison(Arena *a, size_t bundles) {
    Comparison *c = arena_new_of(a, Comparison);
    DriveHistory h = {.id = attack, .wwn = attack, .serial = attack, .model = attack};
    for (size_t i = 0; i < bundles; i++) {
        VEC_PUSH(a, &c->stages, attack_diagnosis(a));
        Stage s = {.bundle_label = attack,
                   .name = attack,
                   .firmware = attack,
                   .place = {attack, attack, attack, attack},
                   .present = i != 1,
                   .load = attack};
        VEC_PUSH(a, &s.metrics, ((Dist){attack, attack, attack, 1, 2, 3, NAN, 4, NAN, INFINITY}));
        if (i < 2) VEC_PUSH(a, &h.stages, s); /* fewer stages than bundles */
    }
    VEC_PUSH(a, &c->drives, h);
    Change x = {.kind = attack, .subject = attack_subject(), .what = attack, .from = attack, .to = attack};
    attack_evidence(a, &x.evidence, 5);
    VEC_PUSH(a, &c->changes, x);
    for (int i = 0; i < 2; i++)
        VEC_PUSH(a, &c->factors,
                 ((Factor){.subject = attack_subject(),
                           .metric = attack,
                           .unit = attack,
                           .basis_from = attack,
                           .basis_to = attack,
                           .from = 1,
                           .to = 0,
                           .factor = INFINITY,
                           .comparable = i,
                           .why_not = attack}));
    attack_finding(a, &c->verdicts, "verdict");
    attack_finding(a, &c->resolved, "cause");
    attack_finding(a, &c->new_, "cause");
    attack_finding(a, &c->remaining, "risk");
    VEC_PUSH(a, &c->not_comparable, ((NotComparable){attack, attack}));
    c->text = attack;
    VEC_PUSH(a, &c->warnings, attack);
    return c;
}

#endif
