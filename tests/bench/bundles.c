/*
 * bundles.c - writes the bundles that measure.c reads
 *
 *     bundles [DIRECTORY]
 *
 * Without a directory: "bench" beside the program that $STORDX names. Two sizes, the same bytes on every machine:
 *
 *          drives  members  kernel log     iostat -xt                     zpool iostat -vl
 *     S    6       188         2,500 lines     60 samples                     60 samples
 *     M    60      1,754     200,000 lines  3,600 samples (216,000 rows)  3,600 samples
 *
 * as SIZE.tar.gz, M also as .tar.zst (where libarchive can) and .zip; and, unpacked, SIZE.kernel and SIZE.iostat for
 * measuring one parser at a time. A directory that already holds them is left as it is.
 *
 * What is in them is invented. The formats: sysstat 12 iostat.c, OpenZFS 2.1 zpool_main.c, Linux printk, smartmontools
 * 7.3 scsiprint.cpp, and the collector of this project.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char stamp[] = "bundles 1\n"; /* count up when what is written changes */

static _Noreturn void die(const char *what, const char *why) {
    fprintf(stderr, "bundles: %s: %s\n", what, why);
    exit(1);
}

/* ---------------------------------------------------------------- chance, the same everywhere */

static uint64_t state = 88172645463325252u;

static uint32_t chance(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static double between(double low, double high) {
    return low + (high - low) * chance(10000) / 10000;
}

/* ---------------------------------------------------------------- members */

typedef struct Text {
    char *p;
    size_t len, cap;
} Text;

static void add(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(Text *t, const char *fmt, ...) {
    enum { LONGEST = 1024 };
    if (t->cap - t->len < LONGEST) {
        t->cap = t->cap ? t->cap * 2 : (size_t)16 * LONGEST;
        t->p = realloc(t->p, t->cap);
        if (!t->p) die("text", "out of memory");
    }
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->p + t->len, LONGEST, fmt, ap);
    va_end(ap);
    if (n < 0 || n >= LONGEST) die("text", "a line is too long");
    t->len += (size_t)n;
}

enum { MAX_MEMBERS = 4096 };

typedef struct Member {
    char name[160];
    Text text;
} Member;

typedef struct Bundle {
    const char *size;
    int drives, samples, log_lines;
    Member *members;
    size_t count;
    Text manifest;
} Bundle;

static const time_t start_s = 1709280000; /* 2024-03-01 08:00:00 UTC */

static Text *member(Bundle *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static Text *member(Bundle *b, const char *fmt, ...) {
    if (b->count == MAX_MEMBERS) die("bundle", "too many members");
    Member *m = &b->members[b->count++];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->name, sizeof m->name, fmt, ap);
    va_end(ap);
    return &m->text;
}

/* A command's output, with its row of the manifest. */
static Text *output(Bundle *b, const char *name, const char *command) {
    add(&b->manifest, "%s\t%lld\t%lld\t0\tok\t%s\n", name, (long long)start_s, (long long)start_s, command);
    return member(b, "%s.out", name);
}

/* ---------------------------------------------------------------- drives */

enum { PER_VDEV = 6 };

static void drive_name(int i, char out[8]) {
    if (i < 26) snprintf(out, 8, "sd%c", 'a' + i);
    else snprintf(out, 8, "sd%c%c", 'a' + i / 26 - 1, 'a' + i % 26);
}

static unsigned long long wwn_of(int i) {
    return 0x5000c500a1000000ull + (unsigned long long)i * 0x1357;
}

static void add_sysfs(Bundle *b, int i, const char *name) {
    static const struct {
        const char *file, *value;
    } files[] = {
        {"size", "15628053168"},
        {"ro", "0"},
        {"removable", "0"},
        {"inflight", "       0        3"},
        {"queue/scheduler", "none [mq-deadline]"},
        {"queue/rotational", "1"},
        {"queue/nr_requests", "256"},
        {"queue/write_cache", "write back"},
        {"queue/fua", "1"},
        {"queue/discard_granularity", "0"},
        {"queue/discard_max_bytes", "0"},
        {"queue/logical_block_size", "512"},
        {"queue/physical_block_size", "4096"},
        {"queue/optimal_io_size", "0"},
        {"queue/max_sectors_kb", "1280"},
        {"queue/max_hw_sectors_kb", "16383"},
        {"queue/read_ahead_kb", "128"},
        {"queue/nomerges", "0"},
        {"queue/rq_affinity", "1"},
        {"queue/wbt_lat_usec", "75000"},
        {"queue/zoned", "none"},
        {"device/vendor", "SEAGATE"},
        {"device/model", "ST8000NM0075"},
        {"device/rev", "E004"},
        {"device/state", "running"},
        {"device/queue_depth", "254"},
        {"device/timeout", "30"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        add(member(b, "sys/block/%s/%s", name, files[k].file), "%s\n", files[k].value);
    add(member(b, "sys/block/%s/device/wwid", name), "naa.%016llx\n", wwn_of(i));
}

static void add_smart(Bundle *b, int i, const char *name) {
    char member_name[40], command[60];
    snprintf(member_name, sizeof member_name, "drives/smart_%s", name);
    snprintf(command, sizeof command, "smartctl -x /dev/%s", name);
    Text *t = output(b, member_name, command);
    add(t, "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local build)\n"
           "Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org\n\n"
           "=== START OF INFORMATION SECTION ===\n"
           "Vendor:               SEAGATE\n"
           "Product:              ST8000NM0075\n"
           "Revision:             E004\n"
           "Compliance:           SPC-4\n"
           "User Capacity:        8,001,563,222,016 bytes [8.00 TB]\n"
           "Logical block size:   512 bytes\n"
           "Physical block size:  4096 bytes\n"
           "LU is fully provisioned\n"
           "Rotation Rate:        7200 rpm\n"
           "Form Factor:          3.5 inches\n");
    add(t,
        "Logical Unit id:      0x%016llx\n"
        "Serial number:        ZA9BENCH%04d\n",
        wwn_of(i), i);
    add(t, "Device type:          disk\n"
           "Transport protocol:   SAS (SPL-3)\n"
           "SMART support is:     Available - device has SMART capability.\n"
           "SMART support is:     Enabled\n"
           "Temperature Warning:  Enabled\n"
           "Read Cache is:        Enabled\n"
           "Writeback Cache is:   Enabled\n\n"
           "=== START OF READ SMART DATA SECTION ===\n"
           "SMART Health Status: OK\n\n");
    add(t,
        "Current Drive Temperature:     %u C\n"
        "Drive Trip Temperature:        60 C\n\n"
        "Accumulated power on time, hours:minutes %u:%02u\n"
        "Elements in grown defect list: 0\n\n",
        28 + chance(12), 20000 + chance(9000), chance(60));
    add(t, "Error counter log:\n"
           "           Errors Corrected by           Total   Correction     Gigabytes    Total\n"
           "               ECC          rereads/    errors   algorithm      processed    uncorrected\n"
           "           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors\n"
           "read:    138157215        0         0  138157215          0      94006.474           0\n"
           "write:           0        0         0         0          0      33867.845           0\n\n"
           "Non-medium error count:        0\n");
}

/* ---------------------------------------------------------------- series */

static void add_iostat(Bundle *b) {
    Text *t = output(b, "samples/iostat", "iostat -xt 1");
    add(t, "Linux 6.1.0-18-amd64 (bench1) \t2024-03-01\t_x86_64_\t(32 CPU)\n\n");
    for (int s = 0; s < b->samples; s++) {
        time_t now = start_s + s;
        struct tm tm;
        char when[40];
        gmtime_r(&now, &tm);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S+0000", &tm);
        add(t, "%s\navg-cpu:  %%user   %%nice %%system %%iowait  %%steal   %%idle\n", when);
        double user = between(1, 9), wait = between(0, 20);
        add(t, "        %7.2f    0.00 %7.2f %7.2f    0.00 %7.2f\n\n", user, user / 2, wait, 100 - user * 1.5 - wait);
        add(t, "Device            r/s     rkB/s   rrqm/s  %%rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %%wrqm "
               "w_await"
               " wareq-sz     d/s     dkB/s   drqm/s  %%drqm d_await dareq-sz     f/s f_await  aqu-sz  %%util\n");
        for (int i = 0; i < b->drives; i++) {
            char name[8];
            drive_name(i, name);
            bool slow = i == 3 && s % 5 == 0;
            unsigned reads = chance(60), writes = chance(150);
            double r_await = reads ? between(2, 12) : 0, w_await = writes ? between(1, 14) * (slow ? 9 : 1) : 0;
            double r_kb = reads * between(8, 200), w_kb = writes * between(4, 300);
            add(t,
                "%-11s %9.2f %9.2f %8.2f %6.2f %7.2f %8.2f %7.2f %9.2f %8.2f %6.2f %7.2f %8.2f    0.00      0.00     "
                "0.00"
                "   0.00    0.00     0.00 %7.2f %7.2f %7.2f %6.2f\n",
                name, (double)reads, r_kb, 0.0, 0.0, r_await, reads ? r_kb / reads : 0, (double)writes, w_kb,
                writes / 8.0, writes ? 11.1 : 0.0, w_await, writes ? w_kb / writes : 0, writes / 40.0,
                writes ? w_await / 2 : 0, (reads * r_await + writes * w_await) / 1000, between(1, 99));
        }
        add(t, "\n\n");
    }
}

static void nicenum(double v, char out[12]) {
    static const char units[] = " KMGT";
    int u = 0;
    for (; v >= 1024 && u < 4; u++) v /= 1024;
    if (u == 0) snprintf(out, 12, "%.0f", v);
    else snprintf(out, 12, v < 10 ? "%.2f%c" : v < 100 ? "%.1f%c" : "%.0f%c", v, units[u]);
}

static void zpool_row(Text *t, const char *name, bool leaf, int drives) {
    unsigned reads = chance(60) * (unsigned)drives, writes = chance(150) * (unsigned)drives;
    unsigned total = 2 + chance(40);
    char r[12], w[12], rb[12], wb[12];
    nicenum(reads, r);
    nicenum(writes, w);
    nicenum(reads * between(8, 200) * 1024, rb);
    nicenum(writes * between(4, 300) * 1024, wb);
    add(t, "%-28s %5s  %5s  %5s  %5s  %5s  %5s  %3ums  %3ums  %3ums  %3ums  %3uus  %3uus    1ms  %3ums      -      -\n",
        name, leaf ? "-" : "31.6T", leaf ? "-" : "26.6T", r, w, rb, wb, total, total * 2, total / 2 + 1, total,
        100 + chance(800), 100 + chance(800), total);
}

static void add_zpool_iostat(Bundle *b) {
    Text *t = output(b, "samples/zpool_iostat", "zpool iostat -vly -T d 1");
    static const char rule[] = "----------------------------  -----  -----  -----  -----  -----  -----  -----  -----  "
                               "-----  -----  -----  -----"
                               "  -----  -----  -----  -----\n";
    for (int s = 0; s < b->samples; s++) {
        time_t now = start_s + s;
        struct tm tm;
        char when[40];
        gmtime_r(&now, &tm);
        strftime(when, sizeof when, "%a %b %e %H:%M:%S %Y", &tm);
        add(t, "%s\n", when);
        add(t,
            "                                capacity     operations     bandwidth    total_wait     disk_wait"
            "    syncq_wait    asyncq_wait  scrub   trim\n"
            "pool                          alloc   free   read  write   read  write   read  write   read  write   read"
            "  write   read  write   wait   wait\n");
        add(t, "%s", rule);
        zpool_row(t, "vault", false, b->drives);
        for (int i = 0; i < b->drives; i++) {
            char name[40];
            if (i % PER_VDEV == 0) {
                snprintf(name, sizeof name, "  raidz2-%d", i / PER_VDEV);
                zpool_row(t, name, false, PER_VDEV);
            }
            snprintf(name, sizeof name, "    wwn-0x%016llx", wwn_of(i));
            zpool_row(t, name, true, 1);
        }
        add(t, "%s", rule);
    }
}

/* ---------------------------------------------------------------- kernel log */

/* One line in twelve is about storage, the rest is what fills the log of any server. */
static void add_kernel_line(Bundle *b, Text *t, double at) {
    char name[8];
    int drive = (int)chance((uint32_t)b->drives);
    drive_name(drive, name);
    add(t, "[%12.6f] ", at);
    if (chance(12) == 0) {
        switch (chance(8)) {
        case 0:
            add(t,
                "blk_update_request: I/O error, dev %s, sector %u op 0x1:(WRITE) flags 0x700 phys_seg %u prio class "
                "0\n",
                name, chance(1u << 31), 1 + chance(8));
            return;
        case 1:
            add(t, "sd 0:0:%d:0: [%s] tag#%u FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK cmd_age=%us\n", drive,
                name, chance(900), chance(20));
            return;
        case 2:
            add(t, "sd 0:0:%d:0: [%s] tag#%u Sense Key : Aborted Command [current] \n", drive, name, chance(900));
            return;
        case 3: add(t, "sd 0:0:%d:0: Power-on or device reset occurred\n", drive); return;
        case 4: add(t, "mpt3sas_cm0: log_info(0x31110e05): originator(PL), code(0x11), sub_code(0x0e05)\n"); return;
        case 5: add(t, "INFO: task z_wr_iss:%u blocked for more than 120 seconds.\n", 400 + chance(90)); return;
        case 6: add(t, "md: data-check of RAID array md%u\n", chance(4)); return;
        default: add(t, "EXT4-fs (%s1): mounted filesystem with ordered data mode. Quota mode: none.\n", name); return;
        }
    }
    unsigned a = chance(255), c = chance(255), port = 1024 + chance(60000);
    switch (chance(6)) {
    case 0:
        add(t,
            "[UFW BLOCK] IN=eno1 OUT= MAC=02:00:5e:10:%02x:%02x:02:00:5e:10:00:01:08:00 SRC=192.0.2.%u "
            "DST=198.51.100.7 LEN=60"
            " TOS=0x00 PREC=0x00 TTL=51 ID=%u DF PROTO=TCP SPT=%u DPT=22 WINDOW=64240 RES=0x00 SYN URGP=0\n",
            a, c, a, chance(65000), port);
        return;
    case 1:
        add(t,
            "audit: type=1400 audit(1709280000.%03u:%u): apparmor=\"ALLOWED\" operation=\"open\" "
            "profile=\"/usr/sbin/cupsd\""
            " name=\"/etc/hosts\" pid=%u comm=\"cupsd\" requested_mask=\"r\" denied_mask=\"r\" fsuid=0 ouid=0\n",
            chance(1000), port, port);
        return;
    case 2: add(t, "docker0: port %u(veth%04x%02x) entered forwarding state\n", 1 + chance(30), port, a); return;
    case 3: add(t, "IPv6: ADDRCONF(NETDEV_CHANGE): veth%04x%02x: link becomes ready\n", port, a); return;
    case 4: add(t, "systemd[1]: session-%u.scope: Deactivated successfully.\n", port); return;
    default:
        add(t, "perf: interrupt took too long (%u > %u), lowering kernel.perf_event_max_sample_rate to %u\n", 2500 + a,
            2500, port);
    }
}

static void add_kernel_log(Bundle *b) {
    Text *t = output(b, "dmesg", "dmesg");
    add(t, "[    0.000000] Linux version 6.1.0-18-amd64 (build@example) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld "
           "2.40) #1 SMP"
           " PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)\n"
           "[    0.000000] Command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=/dev/mapper/vg-root ro quiet\n");
    int line = 2;
    for (int i = 0; i < b->drives; i++) {
        char name[8];
        drive_name(i, name);
        double at = 2 + i * 0.01;
        add(t, "[%12.6f] scsi 0:0:%d:0: Direct-Access     SEAGATE  ST8000NM0075     E004 PQ: 0 ANSI: 6\n", at, i);
        add(t, "[%12.6f] sd 0:0:%d:0: [%s] 15628053168 512-byte logical blocks: (8.00 TB/7.28 TiB)\n", at + 0.001, i,
            name);
        add(t, "[%12.6f] sd 0:0:%d:0: [%s] Write cache: enabled, read cache: enabled, supports DPO and FUA\n",
            at + 0.002, i, name);
        line += 3;
    }
    double step = 600000.0 / b->log_lines;
    for (; line < b->log_lines; line++) add_kernel_line(b, t, 10 + line * step);
}

/* ---------------------------------------------------------------- the rest of a host */

static void add_host(Bundle *b) {
    add(output(b, "uname", "uname -a"),
        "Linux bench1 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64 GNU/Linux\n");
    add(output(b, "date", "date '+%s %Y-%m-%dT%H:%M:%S%z'"), "%lld 2024-03-01T08:00:00+0000\n", (long long)start_s);
    add(output(b, "os", "cat /etc/os-release /etc/debian_version"),
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian "
        "GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n12.5\n");
    add(output(b, "uptime", "cat /proc/uptime /proc/sys/kernel/random/boot_id"),
        "600100.21 19012345.67\n5f0c0d4e-2f0b-4a55-9f0e-6d1b2a3c4d5e\n");
    add(output(b, "pressure0", "grep . /proc/pressure/*"),
        "/proc/pressure/cpu:some avg10=0.40 avg60=0.31 avg300=0.30 total=1203944211\n"
        "/proc/pressure/io:some avg10=3.94 avg60=4.06 avg300=4.24 total=84639826320\n"
        "/proc/pressure/io:full avg10=3.82 avg60=3.84 avg300=4.01 total=76175843688\n"
        "/proc/pressure/memory:some avg10=0.00 avg60=0.00 avg300=0.00 total=1042\n"
        "/proc/pressure/memory:full avg10=0.00 avg60=0.00 avg300=0.00 total=1019\n");
    add(output(b, "mounts", "cat /proc/self/mountinfo"),
        "21 1 253:0 / / rw,relatime shared:1 - ext4 /dev/mapper/vg-root rw,errors=remount-ro\n"
        "35 21 0:31 / /vault rw,noatime shared:20 - zfs vault rw,xattr,posixacl\n");
    Text *t = output(b, "lspci", "lspci -nnk");
    add(t, "00:00.0 Host bridge [0600]: Intel Corporation Sky Lake-E DMI3 Registers [8086:2020] (rev 07)\n"
           "18:00.0 Serial Attached SCSI controller [0107]: Broadcom / LSI SAS3008 PCI-Express Fusion-MPT SAS-3 "
           "[1000:0097] (rev 02)\n"
           "\tSubsystem: Broadcom / LSI SAS9300-8i [1000:30e0]\n\tKernel driver in use: mpt3sas\n\tKernel modules: "
           "mpt3sas\n");
    t = output(b, "zpool_status", "zpool status -vPt");
    add(t, "  pool: vault\n state: ONLINE\n  scan: scrub repaired 0B in 09:12:44 with 0 errors on Sun Feb 11 09:36:45 "
           "2024\nconfig:\n\n"
           "\tNAME                                        STATE     READ WRITE CKSUM\n"
           "\tvault                                       ONLINE       0     0     0\n");
    for (int i = 0; i < b->drives; i++) {
        if (i % PER_VDEV == 0) add(t, "\t  raidz2-%-33d ONLINE       0     0     0\n", i / PER_VDEV);
        add(t, "\t    /dev/disk/by-id/wwn-0x%016llx  ONLINE       0     0     0  (trim unsupported)\n", wwn_of(i));
    }
    add(t, "\nerrors: No known data errors\n");
    t = output(b, "lsblk", "lsblk -P -b -o NAME,KNAME,PKNAME,TYPE,SIZE,MODEL,SERIAL,WWN,VENDOR,REV,TRAN,HCTL,ROTA");
    Text *byid = output(b, "byid", "ls -l /dev/disk/by-id");
    add(byid, "total 0\n");
    for (int i = 0; i < b->drives; i++) {
        char name[8];
        drive_name(i, name);
        add(t,
            "NAME=\"%s\" KNAME=\"%s\" PKNAME=\"\" TYPE=\"disk\" SIZE=\"8001563222016\" MODEL=\"ST8000NM0075\" "
            "SERIAL=\"ZA9BENCH%04d\""
            " WWN=\"0x%016llx\" VENDOR=\"SEAGATE \" REV=\"E004\" TRAN=\"sas\" HCTL=\"0:0:%d:0\" ROTA=\"1\"\n",
            name, name, i, wwn_of(i), i);
        add(byid, "lrwxrwxrwx 1 root root 9 Mar  1 07:00 wwn-0x%016llx -> ../../%s\n", wwn_of(i), name);
    }
}

/* ---------------------------------------------------------------- writing */

static void make_bundle(Bundle *b) {
    member(b, "manifest.tsv");
    add_host(b);
    for (int i = 0; i < b->drives; i++) {
        char name[8];
        drive_name(i, name);
        add_sysfs(b, i, name);
    }
    add_iostat(b);
    add_zpool_iostat(b);
    for (int i = 0; i < b->drives; i++) {
        char name[8];
        drive_name(i, name);
        add_smart(b, i, name);
    }
    add_kernel_log(b);
    Text *m = &b->members[0].text;
    add(m,
        "# collector_version\t0.1.0\n# schema\t1\n# os\tLinux\n# uid\t0\n# host\tbench1\n# timezone\t+0000\n# "
        "epoch_start\t%lld\n"
        "# uptime_start_s\t600100.21\n# boot_id\t5f0c0d4e-2f0b-4a55-9f0e-6d1b2a3c4d5e\n# sample_seconds\t%d\n# "
        "complete\tyes\n"
        "# epoch_end\t%lld\n",
        (long long)start_s, b->samples, (long long)start_s + b->samples);
    for (size_t at = 0; at < b->manifest.len;) {
        char *end = memchr(b->manifest.p + at, '\n', b->manifest.len - at);
        size_t n = (size_t)(end - (b->manifest.p + at)) + 1;
        add(m, "%.*s", (int)n, b->manifest.p + at);
        at += n;
    }
}

typedef enum Pack { PACK_GZIP, PACK_ZSTD, PACK_ZIP } Pack;

/* false: this libarchive cannot write it. */
static bool pack(const Bundle *b, const char *path, Pack how) {
    struct archive *a = archive_write_new();
    if (!a) die(path, "out of memory");
    int ok = how == PACK_ZIP ? archive_write_set_format_zip(a) : archive_write_set_format_pax_restricted(a);
    if (ok == ARCHIVE_OK && how == PACK_GZIP) ok = archive_write_add_filter_gzip(a);
    if (ok == ARCHIVE_OK && how == PACK_ZSTD) ok = archive_write_add_filter_zstd(a);
    if (ok == ARCHIVE_OK) ok = archive_write_open_filename(a, path);
    if (ok != ARCHIVE_OK) { /* ARCHIVE_WARN: it would start a program for this filter */
        archive_write_free(a);
        unlink(path);
        return false;
    }
    for (size_t i = 0; i < b->count; i++) {
        const Member *m = &b->members[i];
        char name[200];
        snprintf(name, sizeof name, "stordx-bench1/%s", m->name);
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, name);
        archive_entry_set_size(e, (la_int64_t)m->text.len);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_mtime(e, start_s, 0);
        if (archive_write_header(a, e) != ARCHIVE_OK || archive_write_data(a, m->text.p, m->text.len) < 0)
            die(path, archive_error_string(a));
        archive_entry_free(e);
    }
    if (archive_write_close(a) != ARCHIVE_OK) die(path, archive_error_string(a));
    archive_write_free(a);
    return true;
}

static void write_file(const char *path, const char *p, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(p, 1, n, f) != n || fclose(f) != 0) die(path, strerror(errno));
}

static void path_in(char out[1024], const char *dir, const char *name, const char *ending) {
    if (snprintf(out, 1024, "%s/%s%s", dir, name, ending) >= 1024) die(dir, "the path is too long");
}

static void write_bundle(const char *dir, Bundle b) {
    b.members = calloc(MAX_MEMBERS, sizeof *b.members);
    if (!b.members) die("bundle", "out of memory");
    make_bundle(&b);
    char path[1024];
    static const struct {
        const char *member, *ending;
    } alone[] = {{"dmesg.out", ".kernel"}, {"samples/iostat.out", ".iostat"}};
    uint64_t bytes = 0;
    for (size_t i = 0; i < b.count; i++) {
        bytes += b.members[i].text.len;
        for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) {
            if (strcmp(b.members[i].name, alone[k].member) != 0) continue;
            path_in(path, dir, b.size, alone[k].ending);
            write_file(path, b.members[i].text.p, b.members[i].text.len);
        }
    }
    path_in(path, dir, b.size, ".tar.gz");
    if (!pack(&b, path, PACK_GZIP)) die(path, "libarchive cannot write it");
    if (b.samples > 1000) {
        path_in(path, dir, b.size, ".tar.zst");
        pack(&b, path, PACK_ZSTD);
        path_in(path, dir, b.size, ".zip");
        pack(&b, path, PACK_ZIP);
    }
    printf("%s: %d drives, %zu members, %.1f MB\n", b.size, b.drives, b.count, (double)bytes / 1e6);
    for (size_t i = 0; i < b.count; i++) free(b.members[i].text.p);
    free(b.members);
    free(b.manifest.p);
}

int main(int argc, char **argv) {
    char dir[900], path[1024], have[sizeof stamp] = "";
    const char *program = getenv("STORDX");
    if (argc > 1) {
        snprintf(dir, sizeof dir, "%s", argv[1]);
    } else {
        const char *slash = program ? strrchr(program, '/') : NULL;
        snprintf(dir, sizeof dir, "%.*s/bench", slash ? (int)(slash - program) : 1, slash ? program : ".");
    }
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) die(dir, strerror(errno));
    path_in(path, dir, "made-by", "");
    FILE *f = fopen(path, "rb");
    if (f) {
        have[fread(have, 1, sizeof have - 1, f)] = '\0';
        fclose(f);
    }
    if (strcmp(have, stamp) == 0) {
        printf("%s is there\n", dir);
        return 0;
    }
    write_bundle(dir, (Bundle){.size = "S", .drives = 6, .samples = 60, .log_lines = 2500});
    write_bundle(dir, (Bundle){.size = "M", .drives = 60, .samples = 3600, .log_lines = 200 * 1000});
    write_file(path, stamp, sizeof stamp - 1);
    return 0;
}
