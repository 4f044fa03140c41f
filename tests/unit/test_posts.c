/*
 * Posts: the folders of $STORDX_POSTS or ../shared/posts, when they are there, and our own in every style, each with the tools
 * that are recognised in it and the facts its diagnosis rests on, after names were resolved. A folder's case.md has a line
 * "- expect: ..." that the diagnosis has to meet; our own have theirs beside the text.
 */
#include "../../analyze/bundle/bundle.h"
#include "../../analyze/diagnose/diagnosis.h"
#include "parse_test.h"
#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ASKED = 6 };

typedef struct Post {
    const char *name;
    const char *text;  /* NULL: a folder of the posts */
    const char *tools; /* in the order of their lines */
    struct {
        const char *sql, *value;
    } asked[MAX_ASKED];
    const char *status; /* of the verdict; NULL: the rules decide */
    const char *expect; /* as in a fixture's file; NULL: none */
} Post;

static const char *ask(Story *s, const char *sql) {
    sqlite3_stmt *st;
    StrBuf b;
    sb_init(&b, s->arena);
    if (sqlite3_prepare_v2(facts_db(s->facts), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(facts_db(s->facts)));
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (b.len) sb_addc(&b, ' ');
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *text = (const char *)sqlite3_column_text(st, i);
            sb_addf(&b, "%s%s", i ? ":" : "", text ? text : "-");
        }
    }
    sqlite3_finalize(st);
    return b.len ? sb_str(&b).p : "";
}

static size_t differs(StrBuf *out, const char *post, const char *what, const char *want, const char *got) {
    if (strcmp(want, got) == 0) return 0;
    sb_addf(out, "%s: %s\n  expected %s\n  got      %s\n", post, what, want, got);
    return 1;
}

/* A line that is cited holds what is cited. */
static size_t check_lines(Story *s, const char *post, Str text, StrBuf *out) {
    sqlite3_stmt *st;
    size_t bad = 0;
    if (sqlite3_prepare_v2(facts_db(s->facts), "SELECT line, text FROM line_text WHERE line > 0", -1, &st, NULL) !=
        SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(facts_db(s->facts)));
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str rest = text, line = STR_NONE;
        for (int64_t n = sqlite3_column_int64(st, 0); n > 0; n--) line = str_cut(&rest, '\n');
        const char *kept = (const char *)sqlite3_column_text(st, 1);
        Str word = str_of(kept ? kept : "");
        word = str_word(&word);
        if (!word.len || str_has(line, arena_cstr(s->arena, word))) continue;
        sb_addf(out, "%s: line %d does not hold \"%s\"\n", post, sqlite3_column_int(st, 0), kept);
        bad++;
    }
    sqlite3_finalize(st);
    return bad;
}

static size_t meets(Story *s, const char *post, Str expect, StrBuf *out) {
    StrBuf wrong;
    sb_init(&wrong, s->arena);
    size_t bad = story_check(s, expect, &wrong);
    if (bad) sb_addf(out, "%s: %.*s\n%.*s", post, STR_ARG(expect), STR_ARG(sb_str(&wrong)));
    return bad;
}

/* The line "- expect: ..." of the case beside the input. */
static Str expect_of(Arena *a, const char *path) {
    Str folder = str_of(path);
    folder.len = str_rfind_ch(folder, '/');
    const char *name = arena_fmt(a, "%.*s/case.md", STR_ARG(folder));
    if (access(name, R_OK) != 0) return STR_NONE;
    Str text = pt_file(name);
    while (text.len) {
        Str line = str_cut(&text, '\n');
        if (str_starts(line, "- expect: ")) return str_from(line, 2);
    }
    return STR_NONE;
}

static size_t check(const Post *p, const char *path, StrBuf *out) {
    Story *s = story_open(&path, 1);
    size_t bad = differs(out, p->name, "tools", p->tools,
                         ask(s, "SELECT tool FROM source WHERE tool IS NOT NULL AND status IN ('parsed', 'partial', "
                                "'empty', 'failed') ORDER BY line_first, id"));
    for (size_t i = 0; i < MAX_ASKED && p->asked[i].sql; i++)
        bad += differs(out, p->name, p->asked[i].sql, p->asked[i].value, ask(s, p->asked[i].sql));
    if (p->status) bad += differs(out, p->name, "verdict", p->status, arena_cstr(s->arena, s->d->status));
    Str expect = p->text ? str_of(p->expect) : expect_of(s->arena, path);
    if (expect.len) bad += meets(s, p->name, expect, out);
    Str text = pt_file(path);
    if (!str_has(text, "<pre") && !str_has(text, "\\_")) bad += check_lines(s, p->name, text, out);
    story_close(s);
    return bad;
}

#define EVENTS "SELECT event, subject, count(*) FROM log_event WHERE event IN "
#define IN_ORDER " GROUP BY event, subject ORDER BY min(line)"
#define COUNTER "SELECT id, CAST(value AS INTEGER), line FROM counter WHERE id IN "

static const Post posts[] = {
    {"03-looks-like-cable-is-spindown-tool",
     NULL,
     "kernel-log",
     {{EVENTS "('ata-exception', 'failed-command', 'link-bit-errors', 'link-reset', 'link-up')" IN_ORDER,
       "ata-exception:ata2.00:1 link-bit-errors:ata2:1 failed-command:ata2.00:2 link-reset:ata2:1 link-up:ata2:1"},
      {"SELECT json_extract(fields, '$.bits'), line FROM log_event WHERE event = 'link-bit-errors'",
       "PHYRdyChg CommWake LinkSeq :6"},
      {"SELECT value, line FROM setting WHERE key = 'link_gbps'", "6:14"}},
     NULL,
     NULL},
    {"09-wd40efax-resilver-idnf",
     NULL,
     "kernel-log",
     {{EVENTS "('io-error', 'command-refused', 'scsi-sense-detail')" IN_ORDER,
       "command-refused:sdm:2 scsi-sense-detail:sdm:2 io-error:sdm:2"},
      {"SELECT json_extract(fields, '$.sector') FROM log_event WHERE event = 'io-error'", "2187301928 2187309440"},
      {"SELECT DISTINCT n.key FROM log_event l JOIN node n ON n.id = l.node", "drive:sdm"},
      {"SELECT name, value, line FROM stated_model WHERE fact = 'smr'", "WD40EFAX:drive-managed:1"},
      {"SELECT count(*) FROM model_fact", "0"}},
     NULL,
     NULL},
    {"14-passed-but-624-unreadable-wrong-disk-blamed",
     NULL,
     "smart-typed",
     {{COUNTER "(5, 9, 197, 198)", "5:2872:6 197:624:7 198:624:8 9:14101:9"},
      {"SELECT name, model FROM drive ORDER BY name", "sdb:ST12000NM0127 sdd:ST1000LM035"},
      {"SELECT count(*) FROM log_event", "0"}},
     NULL,
     NULL},
    {"17-seagate-raw-rates-new-drive",
     NULL,
     "smartctl",
     {{COUNTER "(1, 5, 7, 9, 184, 187, 188)", "1:188413752:7 5:0:9 7:65210448:10 9:261:11 184:0:13 187:0:14"},
      {"SELECT status, first_bad_line FROM source WHERE tool = 'smartctl'", "partial:15"}},
     NULL,
     NULL},
    {"25-pi-nvme-downgraded-by-design",
     NULL,
     "lspci",
     {{"SELECT DISTINCT name, model_id, line FROM stated_model", "BCM2711:pci-14e4-2711:1"},
      {"SELECT lnkcap_gtps, lnkcap_width, lnksta_gtps, lnksta_width, bdf FROM pci_device", "8.0:4:5.0:1:-"}},
     NULL,
     NULL},
    {"29-uas-abort-storm-pi-ssd",
     NULL,
     "kernel-log",
     {{EVENTS "('uas-error')" IN_ORDER, "uas-error:sda:7"},
      {"SELECT json_extract(fields, '$.utag') FROM log_event WHERE event = 'uas-error' ORDER BY line",
       "10 9 8 7 5 3 6"}},
     NULL,
     NULL},
    {"34-nvme-100-percent-busy",
     NULL,
     "diskstats",
     {{"SELECT count(*) FROM sample", "0"},
      {"SELECT name, CAST(value AS INTEGER), line FROM counter WHERE line = 4 ORDER BY name",
       "io_ms:2440911020:4 read_ms:23102:4 weighted_io_ms:2441380544:4 write_ms:458211:4"},
      {"SELECT CAST(value AS INTEGER) FROM counter WHERE line = 5 AND name = 'io_ms'", "529310"}},
     "insufficient",
     NULL},
    {"36-megaraid-default-wb-current-wt",
     NULL,
     "megacli",
     {{"SELECT kind, write_policy, line FROM raid_array", "megaraid:WriteThrough:4"},
      {"SELECT key, value FROM setting ORDER BY key",
       "write_policy_bad_bbu:write through write_policy_default:WriteBack"}},
     NULL,
     NULL},
    {"41-by-id-links-moved-after-boot",
     NULL,
     "zpool-status by-id",
     {{"SELECT name, state, coalesce(read_errors, '?') FROM vdev WHERE is_leaf = 1 ORDER BY line",
       "sdf:ONLINE:0 sde:ONLINE:0 sdg:ONLINE:0 sdd:ONLINE:0"},
      {"SELECT name, type FROM vdev WHERE is_leaf = 0", "media:root raidz1-0:raidz1"},
      {"SELECT b.name, k.name FROM drive_name b JOIN drive_name k ON k.node = b.node AND k.kind = 'kernel' WHERE "
       "b.kind = 'by-id' ORDER BY b.name",
       "ata-WDC_WD20EARS-00MVWB0_WD-A:sde ata-WDC_WD20EARS-60MVWB0_WD-B:sdd ata-WDC_WD20EARS-60MVWB0_WD-C:sdf "
       "ata-WDC_WD20EARS-60MVWB0_WD-D:sdc"}},
     NULL,
     NULL},
    {"44-md-data-check-first-sunday",
     NULL,
     "kernel-log mdstat iostat",
     {{"SELECT name, level, raid_disks, active_disks, sync_action, sync_pct FROM raid_array",
       "md1:raid10:8:8:check:52.9"},
      {EVENTS "('md-sync-start')" IN_ORDER, "md-sync-start:md1:1"},
      {"SELECT round(cpu_iowait_pct, 2) FROM lifetime", "1.26"}},
     NULL,
     NULL},
    {"46-libata-acpi-timeouts-zh",
     NULL,
     "kernel-log",
     {{EVENTS "('ata-exception', 'failed-command', 'command-timeout')" IN_ORDER,
       "ata-exception:ata1.00:1 failed-command:ata1.00:1 command-timeout:ata1.00:1"},
      {"SELECT json_extract(fields, '$.serr') FROM log_event WHERE event = 'ata-exception'", "0"}},
     NULL,
     NULL},
    {"50-historic-crc-counter-stable", NULL, "", {{"SELECT count(*) FROM counter", "0"}}, "insufficient", NULL},
    {"53-unc-sector-polish",
     NULL,
     "smartctl",
     {{"SELECT name, CAST(value AS INTEGER), line FROM counter",
       "error_log_unc:1:9 error_log_unc_hours:18798:9 error_log_unc_places:1:9 error_log_last_hours:18798:3"},
      {"SELECT text FROM line_text WHERE line = 9",
       "  40 51 08 80 41 37 e6  Error: UNC 8 sectors at LBA = 0x06374180 = 104284544"}},
     NULL,
     NULL},
    {"61-sata2-link-speed-red-herring",
     NULL,
     "kernel-log",
     {{"SELECT d.name, d.model, s.value FROM drive d JOIN setting s ON s.node = d.node AND s.key = 'link_gbps' ORDER "
       "BY d.name",
       "ada1:WDC WD40EFRX-68WT0N0:6 ada2:WDC WD40EFRX-68WT0N0:3 ada3:WDC WD40EFRX-68WT0N0:6 ada4:WDC "
       "WD40EFRX-68WT0N0:3 ada5:KINGSTON SV300S37A120G:3"}},
     NULL,
     NULL},
};

static void folders(void **state) {
    (void)state;
    const char *dir = getenv("STORDX_POSTS");
    if (!dir) dir = "../shared/posts";
    if (access(dir, R_OK) != 0) skip();
    Arena *a = arena_new((size_t)1 << 30);
    StrBuf out;
    sb_init(&out, a);
    size_t bad = 0, read = 0;
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        const char *path = arena_fmt(a, "%s/%s/input.txt", dir, posts[i].name);
        if (access(path, R_OK) != 0) continue;
        bad += check(&posts[i], path, &out);
        read++;
    }
    if (bad) fputs(sb_str(&out).p, stderr);
    if (bad) fail_msg("%zu differences in %zu posts", bad, read);
    arena_free(a);
}

/* ---------------------------------------------------------------- our own, one per style */

#define SMART_HEAD                                                                                                     \
    "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build)\n"                                      \
    "=== START OF INFORMATION SECTION ===\n"                                                                           \
    "Device Model:     EXAMPLE HDD 4000\n"                                                                             \
    "Serial Number:    EX4000-0042\n"

static const Post own[] = {
    {"a forum's box around smartctl, prose on both sides",
     "My NAS clicks.\n[CODE]root@nas:~# smartctl -a /dev/sdb\n" SMART_HEAD
     "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
     "  5 Reallocated_Sector_Ct   0x0033   098   098   010    Pre-fail  Always       -       1712\n"
     "197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       48\n[/CODE]\n"
     "A friend says that all 4000 sectors are bad.\n",
     "smartctl",
     {{"SELECT name, serial, model FROM drive", "sdb:EX4000-0042:EXAMPLE HDD 4000"},
      {COUNTER "(5, 197)", "5:1712:8 197:48:9"}},
     NULL,
     NULL},
    {"a quoted mail, wrapped: two drives by kernel log and by link",
     "On Monday, J. wrote:\n> the log has\n>\n"
     "> [ 8123.104211] ata4.00: exception Emask 0x10 SAct 0x1 SErr 0x280100 action\n0x6 frozen\n"
     "> [ 8123.104230] ata4: SError: { UnrecovData 10B8B BadCRC }\n"
     "> [ 8123.104300] ata4: hard resetting link\n"
     "> [ 8123.424300] ata4: SATA link up 3.0 Gbps (SStatus 123 SControl 300)\n>\n> - J.\nThat is a cable, sda.\n",
     "kernel-log",
     {{EVENTS "('ata-exception', 'link-bit-errors', 'link-reset', 'link-up')" IN_ORDER,
       "ata-exception:ata4.00:1 link-bit-errors:ata4:1 link-reset:ata4:1 link-up:ata4:1"},
      {"SELECT value, line FROM setting WHERE key = 'link_gbps'", "3:8"}},
     NULL,
     NULL},
    {"Markdown with four blanks: a pool without its heading",
     "zpool status says\n\n    \tNAME        STATE     READ WRITE CKSUM\n    \ttank        DEGRADED     0     0     "
     "0\n"
     "    \t  mirror-0  DEGRADED     0     0     0\n    \t    sda     ONLINE       0     0     0\n    \t    sdb     "
     "FAULTED      3    12     0  too many errors\n\nWhat now?\n",
     "zpool-status",
     {{"SELECT name, state, write_errors FROM vdev WHERE is_leaf = 1 ORDER BY line", "sda:ONLINE:0 sdb:FAULTED:12"}},
     NULL,
     NULL},
    {"a pool that lost its indent",
     "pool: tank\nstate: DEGRADED\nscan: none requested\nconfig:\n\nNAME STATE READ WRITE CKSUM\ntank DEGRADED 0 0 "
     "0\nmirror-0 DEGRADED 0 0 0\nsda ONLINE 0 0 0\nsdb REMOVED 0 3 0\n\nerrors: No known data errors\n",
     "zpool-status",
     {{"SELECT name, state, write_errors FROM vdev WHERE is_leaf = 1 ORDER BY line", "sda:ONLINE:0 sdb:REMOVED:3"},
      {"SELECT name, state FROM pool", "tank:DEGRADED"}},
     NULL,
     NULL},
    {"a page saved from a browser",
     "<!DOCTYPE html>\n<html><body>\n<p>Slow disk &#8211; help</p>\n<pre>\n$ sudo hdparm -W /dev/sdc\n\n/dev/sdc:\n "
     "write-caching =  0 (off)\n</pre>\n<p>Write caching = on, I am sure</p>\n</body></html>\n",
     "hdparm",
     {{"SELECT n.key, value, line FROM setting s JOIN node n ON n.id = s.node WHERE s.key = 'write_cache'",
       "drive:sdc:off:8"}},
     NULL,
     NULL},
    {"one line from a chat",
     "smartctl says: === START OF INFORMATION SECTION === Device Model: EXAMPLE HDD 4000 Serial Number: EX4000-0042 "
     "SMART overall-health self-assessment test result: PASSED ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE UPDATED "
     "WHEN_FAILED RAW_VALUE 197 Current_Pending_Sector 0x0012 100 100 000 Old_age Always - 48\n",
     "smartctl",
     {{"SELECT serial, model FROM drive", "EX4000-0042:EXAMPLE HDD 4000"},
      {"SELECT id, CAST(value AS INTEGER) FROM counter", "197:48"},
      {"SELECT path, text FROM line_text WHERE text LIKE '197 %'",
       "line 1 part 7:197 Current_Pending_Sector 0x0012 100 100 000 Old_age Always - 48"}},
     NULL,
     NULL},
    {"several outputs glued, two hosts",
     "me@alpha:~$ sudo hdparm -W /dev/sda\n\n/dev/sda:\n write-caching =  0 (off)\nme@alpha:~$ cat /proc/mdstat\n"
     "Personalities : [raid1]\nmd0 : active raid1 sda1[0] sdb1[1]\n      1046528 blocks super 1.2 [2/2] [UU]\n\n"
     "unused devices: <none>\nme@beta:~$ sudo hdparm -W /dev/sda\n\n/dev/sda:\n write-caching =  1 (on)\n",
     "hdparm mdstat hdparm",
     {{"SELECT c.label, value FROM setting s JOIN capture c ON c.id = s.capture WHERE key = 'write_cache' ORDER BY "
       "c.id",
       "alpha:off beta:on"}},
     NULL,
     NULL},
    {"UTF-16 from a Windows console, colours inside",
     "/dev/sda:\r\n write-caching = \x1b[1m0 (off)\r\n",
     "hdparm",
     {{"SELECT value FROM setting WHERE key = 'write_cache'", "off"}},
     NULL,
     NULL},
    {"ESXi and FreeBSD words without a stamp",
     "It says\n\n(ada2:ahcich2:0:0:0): READ_FPDMA_QUEUED. ACB: 60 08 b0 e5 2b 40 57 00 00 00 00 00\n"
     "(ada2:ahcich2:0:0:0): CAM status: Uncorrectable parity/CRC error\n(ada2:ahcich2:0:0:0): Retrying command, 3 "
     "more tries remain\n\nagain and again.\n",
     "kernel-log",
     {{"SELECT DISTINCT subject FROM log_event WHERE subject_kind = 'disk'", "ada2"}},
     NULL,
     NULL},
    {"a model in prose, and one drive whose model no output tells",
     "I put a new wd60efax into the pool, and now this:\n\n"
     "[ 4711.100000] sd 2:0:0:0: [sdf] tag#4 Sense Key : Illegal Request [current]\n"
     "[ 4711.100010] sd 2:0:0:0: [sdf] tag#4 Add. Sense: Logical block address out of range\n"
     "[ 4711.100020] sd 2:0:0:0: [sdf] tag#4 CDB: Write(16) 8a 00 00 00 00 02 40 00 00 00 00 00 00 10 00 00\n"
     "[ 4711.100030] blk_update_request: I/O error, dev sdf, sector 9663676416 op 0x1:(WRITE) flags 0x700 phys_seg 2 "
     "prio "
     "class 0\n"
     "[ 4999.100000] sd 2:0:0:0: [sdf] tag#9 Sense Key : Illegal Request [current]\n"
     "[ 4999.100010] sd 2:0:0:0: [sdf] tag#9 Add. Sense: Logical block address out of range\n"
     "[ 4999.100020] sd 2:0:0:0: [sdf] tag#9 CDB: Write(16) 8a 00 00 00 00 02 40 00 10 00 00 00 00 10 00 00\n"
     "[ 4999.100030] blk_update_request: I/O error, dev sdf, sector 9663680512 op 0x1:(WRITE) flags 0x700 phys_seg 2 "
     "prio "
     "class 0\n",
     "kernel-log",
     {{"SELECT name, value FROM stated_model WHERE fact = 'smr'", "WD60EFAX:drive-managed"}},
     NULL,
     "expect: top=smr-drive must=io-errors forbid=hpa-or-capacity-clipped,failing-disk"},
    {"the same with the names of two models",
     "I replaced a WD40EFRX by a WD60EFAX, and one of them does this:\n\n"
     "[ 4711.100000] sd 2:0:0:0: [sdf] tag#4 Sense Key : Illegal Request [current]\n"
     "[ 4711.100010] sd 2:0:0:0: [sdf] tag#4 Add. Sense: Logical block address out of range\n",
     "kernel-log",
     {{"SELECT count(*) FROM stated_model", "0"}},
     NULL,
     "expect: top=none forbid=smr-drive"},
    {"a model in prose that smartctl shows of another drive",
     "The WD60EFAX is fine, says smartctl:\n\n" SMART_HEAD "User Capacity:    4,000,787,030,016 bytes [4.00 TB]\n\n"
     "$ smartctl -i /dev/sdb\n"
     "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build)\n"
     "=== START OF INFORMATION SECTION ===\n"
     "Device Model:     WDC WD60EFAX-68SHWN0\nSerial Number:    EX6000-0001\n",
     "smartctl smartctl",
     {{"SELECT count(*) FROM stated_model", "0"}},
     NULL,
     NULL},
    {"attributes that were typed off, and zeros of another drive",
     "SMART says for the two:\n\nsda  EXAMPLE4000NM01, left bay\n  5 Reallocated_Sector_Ct: 0\n  197 "
     "Current_Pending_Sector: 0\n"
     "sdb  EXAMPLE4000NM01, right bay\n  5 Reallocated_Sector_Ct: 320\n  197 Current_Pending_Sector: 40\n",
     "smart-typed",
     {{"SELECT n.label, c.id, CAST(c.value AS INTEGER) FROM counter c JOIN node n ON n.id = c.node ORDER BY c.line",
       "sda:5:0 sda:197:0 sdb:5:320 sdb:197:40"}},
     NULL,
     "expect: top=failing-disk must=media-errors forbid=failing-disk@sda"},
    {"one line",
     "my disk is slow, dmesg shows ata1 errors and 624 pending sectors\n",
     "",
     {{NULL, NULL}},
     "insufficient",
     NULL},
    {"prose with figures",
     "The CRC count is 20 and has been for years.\nw_await is 60 ms on sda, the others have 2 ms.\nZFS says 12 write "
     "errors on sdb.\n",
     "",
     {{"SELECT (SELECT count(*) FROM counter) + (SELECT count(*) FROM setting) + (SELECT count(*) FROM log_event)",
       "0"}},
     "insufficient",
     NULL},
};

static void styles(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 30);
    StrBuf out;
    sb_init(&out, a);
    size_t bad = 0;
    char path[] = "/tmp/stordx-post-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        Str text = str_of(own[i].text);
        bool wide = str_starts(str_of(own[i].name), "UTF-16");
        if (wide) {
            char *to = arena_alloc(a, text.len * 2 + 2);
            memcpy(to, "\xff\xfe", 2);
            for (size_t k = 0; k < text.len; k++) to[2 + 2 * k] = text.p[k];
            text = (Str){to, text.len * 2 + 2};
        }
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, text.p, text.len, 0), (ssize_t)text.len);
        if (wide) { /* what is cited is UTF-8: no comparison with the bytes */
            const char *paths = path;
            Story *s = story_open(&paths, 1);
            bad += differs(&out, own[i].name, "write cache", own[i].asked[0].value, ask(s, own[i].asked[0].sql));
            story_close(s);
        } else {
            bad += check(&own[i], path, &out);
        }
    }
    close(fd);
    unlink(path);
    if (bad) fputs(sb_str(&out).p, stderr);
    if (bad) fail_msg("%zu differences", bad);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(folders), cmocka_unit_test(styles)};
    return cmocka_run_group_tests_name("posts", tests, NULL, NULL);
}
