#include "device_test.h"

#include "../../analyze/parse/registry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Samples in the true format of each tool; names and serial numbers are invented. */
static const struct {
    const char *parser_of; /* name and a word, so that both smartctl parsers are told apart */
    const char *text;
    bool opens; /* the first line can stand in a paste without a prompt */
} samples[] = {
    {"smartctl text",
     "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build)\n"
     "Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org\n\n"
     "=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE HDD 2000\nSerial Number:    EX2000-000017\n"
     "LU WWN Device Id: 5 000c50 0a1b2c3d4\nFirmware Version: EX01\nUser Capacity:    2,000,398,934,016 bytes [2.00 "
     "TB]\n\n"
     "=== START OF READ SMART DATA SECTION ===\nSMART overall-health self-assessment test result: PASSED\n",
     true},
    {"smartctl text",
     "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
     "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0\n",
     true},
    {"smartctl json",
     "{\n  \"json_format_version\": [1, 0],\n  \"smartctl\": {\"version\": [7, 4], \"argv\": [\"smartctl\", \"-j\", "
     "\"/dev/sda\"], \"exit_status\": 0},\n"
     "  \"device\": {\"name\": \"/dev/sda\", \"info_name\": \"/dev/sda [SAT]\", \"type\": \"sat\", \"protocol\": "
     "\"ATA\"}\n}\n",
     false},
    {"nvme-cli text",
     "Smart Log for NVME device:nvme0n1 namespace-id:ffffffff\ncritical_warning                    : 0\ntemperature    "
     "                     : 36 C\n"
     "available_spare                     : 100%\n",
     true},
    {"nvme-cli text",
     "Node             SN                   Model                                    Namespace Usage                   "
     "   Format           FW Rev  \n"
     "---------------- -------------------- ---------------------------------------- --------- "
     "-------------------------- ---------------- --------\n"
     "/dev/nvme0n1     EX0000000001         EXAMPLE NVME 1TB                         1         402.18  GB /   1.00  TB "
     "   512   B +  0 B   EX10\n",
     true},
    {"nvme-cli text",
     "get-feature:0x06 (Volatile Write Cache), Current value:0x00000001\n\tVolatile Write Cache Enable (WCE): "
     "Enabled\n",
     true},
    {"nvme-cli json",
     "{\n  \"critical_warning\": 0,\n  \"temperature\": 310,\n  \"avail_spare\": 100,\n  \"spare_thresh\": 10,\n  "
     "\"percent_used\": 3\n}\n",
     false},
    {"hdparm text", "\n/dev/sda:\n write-caching =  0 (off)\n", false},
    {"hdparm text",
     "/dev/sda:\n\nATA device, with non-removable media\n\tModel Number:       EXAMPLE SSD 512GB                       "
     "\n\tSerial Number:      EX0000000002\n"
     "Commands/features:\n\tEnabled\tSupported:\n\t   *\tWrite cache\n",
     true},
    {"hdparm text", "/dev/sdb:\n Timing buffered disk reads: 342 MB in  3.01 seconds = 113.62 MB/sec\n", true},
    {"lspci text",
     "00:17.0 SATA controller [0106]: Intel Corporation Device [8086:43d2] (rev 11)\n\tSubsystem: Example Corp Device "
     "[1590:028d]\n\tKernel driver in use: ahci\n",
     true},
    {"lspci text",
     "Slot:\t00:1f.2\nClass:\tIDE interface [0101]\nVendor:\tIntel Corporation [8086]\nDevice:\tExample IDE "
     "[1d00]\nDriver:\tata_piix\n",
     true},
    {"lsblk text",
     "NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\nsda      8:0    0   1.8T  0 disk \n|-sda1   8:1    0   1.8T  0 "
     "part /data\n`-sda9   8:9    0     8M  0 part \n",
     true},
    {"lsblk text", "NAME=\"sda\" KNAME=\"sda\" SIZE=\"2000398934016\" TYPE=\"disk\" MODEL=\"EXAMPLE SSD\"\n", true},
    {"lsblk json",
     "{\n   \"blockdevices\": [\n      {\"name\":\"sda\", \"size\":2000398934016, \"type\":\"disk\"}\n   ]\n}\n",
     false},
    {"sysfs text", "/sys/block/sda/queue/write_cache:write through\n/sys/block/sdb/queue/write_cache:write back\n",
     true},
    {"sysfs text",
     "/sys/block/sda\t/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda\n/sys/block/sda/"
     "size\t3907029168\n",
     true},
    {"by-id text",
     "/dev/disk/by-id:\ntotal 0\nlrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-EXAMPLE_SSD_EX0001 -> ../../sda\n", true},
    {"by-id text", "lrwxrwxrwx 1 root root 9 Sep 13 09:12 wwn-0x500a075100000001 -> ../../sdb\n", true},
    {"dmi text", "/sys/class/dmi/id/sys_vendor:HPE\n/sys/class/dmi/id/product_name:ProLiant Example\n", true},
    {"dmi text",
     "# dmidecode 3.3\nGetting SMBIOS data from sysfs.\nSMBIOS 3.2.0 present.\n\nHandle 0x0001, DMI type 1, 27 "
     "bytes\nSystem Information\n\tManufacturer: QEMU\n",
     true},
    {"mounts text",
     "sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n/dev/sda2 / ext4 rw,relatime,errors=remount-ro 0 0\n",
     true},
    {"mounts text", "26 1 8:50 / / rw,relatime shared:1 - ext4 /dev/sdd2 rw,errors=remount-ro\n", true},
    {"mounts text", "/dev/sda2 on / type ext4 (rw,relatime)\nstorage on /storage type zfs (rw,xattr,noacl)\n", true},
    {"mounts text",
     "Filesystem     Type 1024-blocks      Used Available Capacity Mounted on\n/dev/sda2      ext4   245073160  "
     "30517248 202033448      14% /\n",
     true},
    {"manifest text",
     "# collector_version\t0.1.0\n# schema\t1\n# timezone\t+0200\nuname\t1757761330\t1757761330\t0\tok\tuname -a\n",
     true},
    {"host-info text",
     "Linux mserver 6.12.41+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.41-1 (2025-08-12) x86_64 GNU/Linux\n", true},
    {"host-info text", "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nNAME=\"Debian GNU/Linux\"\nID=debian\n", true},
    {"host-info text", "MemTotal:       32809944 kB\nMemFree:         1213412 kB\nMemAvailable:   10936324 kB\n", true},
    {"other",
     "  pool: storage\n state: ONLINE\n  scan: none requested\nconfig:\n\n\tNAME        STATE     READ WRITE "
     "CKSUM\n\tstorage     ONLINE       0     0     0\n",
     false},
    {"other",
     "NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT\nstorage  5.45T  3.91T  "
     "1.54T        -         -    12%    71%  1.00x    ONLINE  -\n",
     false},
    {"other",
     "Linux 6.1.0 (host) \t07/01/24 \t_x86_64_\t(4 CPU)\n\nDevice            r/s     rkB/s   rrqm/s  %rrqm r_await "
     "rareq-sz     w/s     wkB/s\nsda 1 2 3 4 5 6 7 8\n",
     false},
    {"other",
     "[    2.101312] sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA\n",
     false},
    {"other",
     "some avg10=94.05 avg60=90.06 avg300=80.24 total=123456\nfull avg10=88.82 avg60=84.62 avg300=75.87 total=123\n",
     false},
    {"other", "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 134.2 s, 8.0 MB/s\n", false},
    {"other", "My disk is slow. It writes at 8 MB/s only.\nWhat can I do about /dev/sda?\n", false},
    {"other", "{\"pools\": {\"storage\": {\"name\": \"storage\"}}}\n", false},
};
enum { SAMPLE_COUNT = sizeof samples / sizeof *samples };

static bool is_json_parser(const Parser *parser) {
    return parser->bid(STR(""), STR(""), str_of("{\"json_format_version\": [1, 0], \"smartctl\": {\"argv\": []}}")) > 0;
}

static bool owns(const Parser *parser, size_t i) {
    const char *name = samples[i].parser_of;
    size_t n = strlen(parser->name);
    if (strncmp(name, parser->name, n) != 0 || name[n] != ' ') return false;
    if (strcmp(parser->name, "smartctl") != 0) return true;
    return (strstr(name, "json") != NULL) == is_json_parser(parser);
}

void device_values(const Parser *parser, const DeviceCase *cases, size_t count) {
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        const DeviceCase *c = &cases[i];
        ParseTest *pt = pt_run(parser, c->path, c->command, str_of(c->text));
        const char *got = pt_text(pt, c->sql);
        if (pt->ctx.bad_rows) {
            print_error("%s: line %d: %.*s\n", c->name, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
            failures++;
        } else if (strcmp(got, c->want) != 0) {
            print_error("%s:\n  got  %s\n  want %s\n", c->name, got, c->want);
            failures++;
        }
        pt_free(pt);
    }
    if (failures) fail_msg("%d of %d cases", failures, (int)count);
}

void device_bids(const Parser *parser) {
    size_t own = 0;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        Str head = str_of(samples[i].text);
        int bid = parser->bid(STR(""), STR(""), head);
        if (owns(parser, i)) {
            int best;
            own++;
            if (bid <= 0) fail_msg("no bid on sample %zu: %s", i, samples[i].text);
            if (registry_best(STR(""), STR(""), head, &best) != parser)
                fail_msg("sample %zu goes elsewhere: %s", i, samples[i].text);
        } else if (bid != 0) {
            fail_msg("bids %d on what is %s: %s", bid, samples[i].parser_of, samples[i].text);
        }
    }
    assert_true(own > 0);
    assert_int_equal(parser->bid(STR(""), STR(""), STR("")), 0);
    assert_int_equal(parser->bid(STR(""), STR(""), STR("bash: command not found\n")), 0);
}

void device_framing(const Parser *parser) {
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        Str text = str_of(samples[i].text);
        bool first = true;
        if (strstr(samples[i].parser_of, "json")) continue;
        while (text.len) {
            Str line = str_cut(&text, '\n');
            if (owns(parser, i)) {
                if (first && samples[i].opens && !parser->starts(line)) fail_msg("does not start: %.*s", STR_ARG(line));
                if (!parser->continues(line)) fail_msg("not claimed: %.*s", STR_ARG(line));
            } else if (first && str_trim(line).len && parser->starts(line)) {
                fail_msg("starts on what is %s: %.*s", samples[i].parser_of, STR_ARG(line));
            }
            first = false;
        }
    }
}

void device_damage(const Parser *parser, const DeviceCase *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(cases[i].text), step = len / 60 + 1;
        ParseTest *pt = NULL;
        for (size_t n = 0; n <= len; n += step)
            pt = pt_again(pt, parser, cases[i].path, cases[i].command, (Str){cases[i].text, n});
        char *copy = malloc(len + 1);
        assert_non_null(copy);
        static const char junk[] = {'\0', '\xff', '\t', ':', '"', '[', '9', '\n', '-'};
        for (size_t k = 0; k < sizeof junk; k++) {
            memcpy(copy, cases[i].text, len);
            for (size_t at = k + 1; at < len; at += 11 + k) copy[at] = junk[k];
            pt = pt_again(pt, parser, cases[i].path, cases[i].command, (Str){copy, len});
        }
        pt_free(pt);
        free(copy);
    }
}

void device_notes(const Parser *parser, const char *text, int bad_rows, const char *sql, const char *want) {
    ParseTest *pt = pt_run(parser, NULL, NULL, str_of(text));
    if (pt->ctx.bad_rows != bad_rows)
        fail_msg("%d bad rows, not %d; first: %.*s", (int)pt->ctx.bad_rows, bad_rows, STR_ARG(pt->ctx.first_note));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_true(pt->ctx.first_note.len > 0);
    assert_string_equal(pt_text(pt, sql), want);
    pt_free(pt);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void device_corpus(const Parser *parser, const char *folder, const CorpusException *exceptions, size_t count) {
    const char *corpus = pt_corpus();
    if (!corpus) skip();
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", corpus, folder);
    DIR *dir = opendir(path);
    if (!dir) skip();
    char *names[2048];
    size_t n = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL && n < sizeof names / sizeof *names;)
        if (e->d_name[0] != '.' && !strstr(e->d_name, ".expected.")) names[n++] = strdup(e->d_name);
    closedir(dir);
    qsort(names, n, sizeof *names, by_name);
    bool json = is_json_parser(parser);
    int failures = 0;
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", corpus, folder, names[i]);
        Str text = pt_file(path);
        bool excepted = false;
        for (size_t k = 0; k < count; k++)
            if (strstr(names[i], exceptions[k].file)) excepted = true;
        size_t start = 0;
        while (start < text.len && ch_blank(text.p[start])) start++;
        bool is_json = start < text.len && text.p[start] == '{';
        bool mine = strcmp(parser->name, "smartctl") != 0 || is_json == json;
        if (text.p && mine) {
            int bid = parser->bid(str_of(names[i]), STR(""), str_sub(text, 0, 16384));
            ParseTest *pt = pt_run(parser, names[i], NULL, text);
            if (!excepted && (bid <= 0 || pt->ctx.rows == 0 || pt->ctx.bad_rows != 0)) {
                print_error("%s/%s: bid %d, rows %d, bad rows %d, first at line %d: %.*s\n", folder, names[i], bid,
                            (int)pt->ctx.rows, (int)pt->ctx.bad_rows, (int)pt->ctx.first_bad_line,
                            STR_ARG(pt->ctx.first_note));
                failures++;
            }
            pt_free(pt);
        }
        free((char *)text.p);
        free(names[i]);
    }
    if (failures) fail_msg("%d files of %s", failures, folder);
}
