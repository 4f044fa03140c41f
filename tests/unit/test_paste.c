/*
 * Text as people paste it: what stands around an output is taken off, wrapped lines are joined, run-on lines cut, and every
 * fact still knows the line it stands in.
 */
#include "../../analyze/bundle/paste.h"
#include "../../analyze/bundle/unwrap.h"
#include "frame_test.h"

#include <stdio.h>
#include <stdlib.h>

#define ROW5 "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       16"
#define ROW197 "197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       8"
#define ROW199 "199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       0"
#define HEADER "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE"
#define COUNTERS "SELECT group_concat(name || '=' || raw, ' ') FROM (SELECT * FROM counter ORDER BY id)"
#define THREE "Reallocated_Sector_Ct=16 Current_Pending_Sector=8 UDMA_CRC_Error_Count=0"
#define TWO "Reallocated_Sector_Ct=16 Current_Pending_Sector=8"
#define LINES "SELECT group_concat(line, ' ') FROM (SELECT * FROM counter ORDER BY id)"

typedef struct Case {
    const char *what, *text, *pieces; /* "first-last tool status; ...", or NULL: not looked at */
    const char *sql, *value;
} Case;

static const char *ask(FrameTest *ft, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(ft->facts), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(facts_db(ft->facts)));
    const char *text = "";
    if (sqlite3_step(st) == SQLITE_ROW)
        text = arena_fmt(ft->arena, "%s", sqlite3_column_text(st, 0) ? (const char *)sqlite3_column_text(st, 0) : "");
    sqlite3_finalize(st);
    return text;
}

static void run_cases(const Case *cases, size_t count) {
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        FrameTest *ft = ft_open();
        size_t n;
        const FramePiece *p = ft_frame(ft, "-", "", false, str_of(cases[i].text), &n);
        const char *got = ft_print(ft, p, n);
        if (cases[i].pieces && strcmp(got, cases[i].pieces) != 0) {
            fprintf(stderr, "%s:\n  expected %s\n  got      %s\n", cases[i].what, cases[i].pieces, got);
            bad++;
        }
        const char *value = cases[i].sql ? ask(ft, cases[i].sql) : "";
        if (cases[i].sql && strcmp(value, cases[i].value) != 0) {
            fprintf(stderr, "%s:\n  expected %s\n  got      %s   (%s)\n", cases[i].what, cases[i].value, value, got);
            bad++;
        }
        ft_close(ft);
    }
    if (bad) fail_msg("%zu differences in %zu texts", bad, count);
}
#define RUN(cases) run_cases(cases, sizeof cases / sizeof *cases)

/* ---------------------------------------------------------------- one line */

static void characters(void **state) {
    (void)state;
    static const struct {
        const char *line, *clean; /* NULL: as it is */
    } table[] = {
        {"plain text", NULL},
        {"[    1.844021] ata3: link up", NULL},
        {"\x1b[31mata3\x1b[0m: link \x1b[1;33mup\x1b[m", "ata3: link up"},
        {"\x1b]0;root@nas: ~\aroot@nas:~# dmesg", "root@nas:~# dmesg"},
        {"[31mata3[0m: link up", "ata3: link up"},
        {"^[[1mata3^[[0m: up", "ata3: up"},
        {"sda\xc2\xa0\xc2\xa0"
         "1.5\xe2\x80\xaf"
         "GB",
         "sda  1.5 GB"},
        {"Serial\xe2\x80\x8bNumber:\xef\xbb\xbf X", "SerialNumber: X"},
        {"\xe2\x80\x9cOld_age\xe2\x80\x9d \xe2\x80\x98x\xe2\x80\x99", "\"Old_age\" 'x'"},
        {"Always \xe2\x80\x93 0", "Always - 0"},
        {"Always \xe2\x80\x94 0", "Always - 0"},
        {"lsblk \xe2\x80\x94"
         "json",
         "lsblk --json"},
        {"\xef\xbc\xa1\xef\xbc\xb4\xef\xbc\xa1\xef\xbc\x9a 1", "ATA: 1"},
        {"\xe7\xa1\xac\xe7\x9b\x98\xef\xbc\x88sda\xef\xbc\x89", NULL}, /* Chinese keeps its own signs */
        {"B\bBo\bold", "Bold"},
        {"windows\r", "windows"},
        {"sda\xa0 1", "sda  1"}, /* Latin-1 */
        {"\xe2\x94\x9c\xe2\x94\x80sda1", NULL},
        {"md0 : active raid1 sda1[0] sdb1[1]", NULL},
        {"\x1b", ""},
        {"\x1b[", "["},
        {"\xe2\x80", NULL},
    };
    Arena *a = arena_new((size_t)1 << 20);
    size_t bad = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *want = table[i].clean ? table[i].clean : table[i].line;
        Str got = paste_line(a, str_of(table[i].line));
        if (str_is(got, want)) continue;
        fprintf(stderr, "\"%s\" becomes \"%.*s\", not \"%s\"\n", table[i].line, STR_ARG(got), want);
        bad++;
    }
    arena_free(a);
    if (bad) fail_msg("%zu lines", bad);
}

/* ---------------------------------------------------------------- containers */

static void containers(void **state) {
    (void)state;
    static const Case cases[] = {
        {"as it is", "Look:\n\n" HEADER "\n" ROW5 "\n" ROW197 "\n" ROW199 "\n\nThanks\n",
         "1-1 ? unrecognised; 3-7 smartctl parsed; 8-8 ? unrecognised", COUNTERS, THREE},
        {"rows without their header", "These are bad:\n" ROW5 "\n" ROW197 "\n",
         "1-1 ? unrecognised; 2-3 smartctl parsed", COUNTERS, TWO},
        {"a fence with the output in its line", "```" ROW5 "\n" ROW197 "```\n", "1-2 smartctl parsed", COUNTERS, TWO},
        {"a fence that closes behind the last line", "see\n```\n" ROW5 "\n" ROW197 "```\nThanks\n",
         "1-1 ? unrecognised; 3-4 smartctl parsed; 5-5 ? unrecognised", COUNTERS, TWO},
        {"one backtick around a block", "`" ROW197 "\n" ROW199 "`\n", "1-2 smartctl parsed", COUNTERS,
         "Current_Pending_Sector=8 UDMA_CRC_Error_Count=0"},
        {"backticks around every line", "`" ROW197 "`\n`" ROW199 "`\n", "1-2 smartctl parsed", LINES, "1 2"},
        {"BBCode around", "[code]" HEADER "\n" ROW5 "\n" ROW197 "[/code] what now?\n",
         "1-3 smartctl parsed; 3-3 ? unrecognised", COUNTERS, TWO},
        {"BBCode with attributes",
         "[quote=\"someone, post: 4\"]\n[size=85][color=#ff0000]" ROW5 "[/color][/size]\n[b]" ROW197 "[/b]\n[/quote]\n",
         "2-3 smartctl parsed", COUNTERS, TWO},
        {"a spoiler", "[spoiler=SMART]\n[code]\n" ROW5 "\n" ROW197 "\n[/code]\n[/spoiler]\n", "3-4 smartctl parsed",
         COUNTERS, TWO},
        {"a box without its frame",
         "Code: [Select]\n" ROW5 "\n" ROW197 "\nQuote from: somebody on yesterday\nno idea\n",
         "2-3 smartctl parsed; 5-5 ? unrecognised", COUNTERS, TWO},
        {"braces", "{noformat}\n" ROW5 "\n" ROW197 "\n{noformat}\n", "2-3 smartctl parsed", COUNTERS, TWO},
        {"mail quoting", "Somebody wrote:\n> Hello,\n> " HEADER "\n> " ROW5 "\n> " ROW197 "\n> bye\nI see.\n", NULL,
         COUNTERS, TWO},
        {"quoted twice", ">> " ROW5 "\n>> " ROW197 "\n> and?\nI see.\n", "1-2 smartctl parsed; 3-4 ? unrecognised",
         COUNTERS, TWO},
        {"quoted with blanks between", "> > " ROW5 "\n> > " ROW197 "\n", "1-2 smartctl parsed", COUNTERS, TWO},
        {"quoted with bars", "| " ROW5 "\n| " ROW197 "\n", "1-2 smartctl parsed", COUNTERS, TWO},
        {"what diff prints is not quoted", "1c1\n< " ROW5 "\n---\n> " ROW197 "\n> " ROW199 "\n", "1-5 ? unrecognised",
         COUNTERS, ""},
        {"indented by four", "Look:\n\n    " HEADER "\n    " ROW5 "\n    " ROW197 "\n\nThanks\n",
         "1-1 ? unrecognised; 3-6 smartctl parsed; 7-7 ? unrecognised", COUNTERS, TWO},
        {"indented by four, behind a prompt",
         "    $ sudo hdparm -W /dev/sda\n\n    /dev/sda:\n     write-caching =  0 (off)\n", "3-4 hdparm parsed",
         "SELECT value FROM setting WHERE key = 'write_cache'", "off"},
        {"numbered by a pastebin", "1. " HEADER "\n2. " ROW5 "\n3. " ROW197 "\n4. " ROW199 "\n", "1-4 smartctl parsed",
         COUNTERS, THREE},
        {"a Markdown table",
         "| ID# | ATTRIBUTE_NAME | FLAG | VALUE | WORST | THRESH | TYPE | UPDATED | WHEN_FAILED | RAW_VALUE "
         "|\n|---|:---|---|---|---|---|---|---|---|---:|\n"
         "| 5 | Reallocated_Sector_Ct | 0x0033 | 100 | 100 | 010 | Pre-fail | Always | - | 16 |\n| 197 | "
         "Current\\_Pending\\_Sector | 0x0012 | 100 | 100 | 000 | Old_age | Always | - | 8 |\n",
         "1-4 smartctl parsed", COUNTERS, TWO},
        {"escaped for Markdown",
         "  5 Reallocated\\_Sector\\_Ct   0x0033   100   100   010    Pre-fail  Always       -       16\n",
         "1-1 smartctl parsed", COUNTERS, "Reallocated_Sector_Ct=16"},
        {"CR LF and blanks that are none",
         HEADER "\r\n"
                "197\xc2\xa0"
                "Current_Pending_Sector\xc2\xa0 0x0012\xc2\xa0\xc2\xa0 100   100   000    Old_age   Always       "
                "\xe2\x80\x93       8\r\n",
         "1-2 smartctl parsed", COUNTERS, "Current_Pending_Sector=8"},
        {"CR alone", HEADER "\r" ROW5 "\r" ROW197 "\r", "1-3 smartctl parsed", LINES, "2 3"},
        {"a mail in quoted-printable",
         "From: a\nContent-Transfer-Encoding: quoted-printable\n\n=20 5 Reallocated_Sector_Ct   0x0033   100   100   "
         "010    Pre-fail=\n  Always       -       16\nwrite-caching =3D 1\n",
         NULL, COUNTERS, "Reallocated_Sector_Ct=16"},
    };
    RUN(cases);
}

static void html(void **state) {
    (void)state;
    static const Case cases[] = {
        {"a saved page",
         "<!DOCTYPE html>\n<html><head><title>x</title>\n<style>p { color: red }</style>\n<script>var s = "
         "\"dmesg\";</script></head>\n<body>\n<p>My disk &amp; I</p>\n<pre><code>" HEADER "\n" ROW5 "\n" ROW197
         "\n</code></pre>\n<p>Thanks</p></body></html>\n",
         "6-6 ? unrecognised; 7-9 smartctl parsed; 11-11 ? unrecognised", LINES, "8 9"},
        {"a page that was cut", "<html><body><pre>" ROW5 "\n" ROW197, "1-2 smartctl parsed", COUNTERS, TWO},
        {"lines by <br>",
         "<html><body><div class=code>/dev/sda:<br>\n&nbsp;write-caching =&nbsp; 0 (off)<br></div></body></html>", NULL,
         "SELECT value || ' ' || line FROM setting WHERE key = 'write_cache'", "off 2"},
        {"rests of tags", "<p>Look:</p>\n<pre>" HEADER "\n" ROW5 "\n" ROW197 "</pre>\nbye",
         "1-1 ? unrecognised; 2-4 smartctl parsed; 5-5 ? unrecognised", COUNTERS, TWO},
        {"entities",
         "[    1.5] sd 0:0:0:0: [sda] foo\n[    2.500000] ata1.00: ATA-8: &lt;FOO&gt;, &quot;X&quot;, max UDMA/133\n",
         "1-2 kernel-log parsed", NULL, NULL},
        {"what is a drive is no tag",
         "ada1: <WDC WD40EFRX-68WT0N0 80.00A80> ACS-2 ATA SATA 3.x device\nada1: 600.000MB/s transfers (SATA 3.x, "
         "UDMA5, PIO 8192bytes)\n<br>\n",
         NULL, "SELECT value FROM setting WHERE key = 'model'", "WDC WD40EFRX-68WT0N0"},
    };
    RUN(cases);
}

/* ---------------------------------------------------------------- wrapped and run-on lines */

static void wrapped(void **state) {
    (void)state;
    static const Case cases[] = {
        {"attribute rows at 80 columns",
         "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_\nFAILED RAW_VALUE\n"
         "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -\n       16\n"
         "197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -\n       8\n",
         "1-6 smartctl parsed", LINES, "3 5"},
        {"attribute rows in a mail",
         "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE\nUPDATED  WHEN_FAILED RAW_VALUE\n"
         "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail\nAlways       -       16\n"
         "197 Current_Pending_Sector  0x0012   100   100   000    Old_age\nAlways       -       8\n",
         "1-6 smartctl parsed", COUNTERS, TWO},
        {"a row that was cut stays cut", HEADER "\n" ROW5 "\n188 Command_Tim\n\nwhat is 188?\n",
         "1-4 smartctl partial; 5-5 ? unrecognised", COUNTERS, "Reallocated_Sector_Ct=16"},
        {"a log in a mail",
         "[ 8123.104211] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action\n0x6 frozen\n[ 8123.104230] ata2.00: "
         "failed command: READ FPDMA QUEUED\n"
         "[ 8123.104242] ata2.00: cmd 60/08:00:a0:05:39/00:00:3a:00:00/40 tag 0\nncq dma 4096 in\n[ 8123.104255] "
         "ata2.00: status: { DRDY }\n",
         "1-6 kernel-log parsed", "SELECT group_concat(text, '|') FROM line_text WHERE text LIKE '%exception%'",
         "[ 8123.104211] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen"},
        {"a log on a console",
         "[ 8123.104211] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen \n"
         "[ 8123.104230] ata2.00: error: this is a message that is longer than eighty colu\nmns\n[ 8123.104255] "
         "ata2.00: status: { DRDY }\n",
         "1-4 kernel-log parsed", NULL, NULL},
        {"prose behind a log is no part of it",
         "[ 8123.104211] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\nI think the drive has UNC "
         "errors\n",
         NULL, "SELECT count(*) FROM line_text WHERE text LIKE '%frozen I think%'", "0"},
        {"vdev rows at 80 columns",
         "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME                                                        STATE "
         "    READ WRITE CKSUM\n\ttank                                                        ONLINE       0     0     "
         "0\n"
         "\t  mirror-0                                                  ONLINE       0     0\n     0\n\t    "
         "ata-FOO_DRIVE_4TB_0123456789ABCDEF_SERIAL-part1         ONLINE       0     0\n     3\n"
         "\t    ata-FOO_DRIVE_4TB_0123456789ABCDEF_OTHERS-part1         ONLINE       0     0\n     0\n\nerrors: No "
         "known data errors\n",
         NULL, "SELECT group_concat(cksum_errors, ' ') FROM vdev WHERE is_leaf = 1", "3 0"},
        {"iostat in 80 columns",
         "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrq\nm r_await w_await aqu-sz "
         "rareq-sz wareq-sz  svctm  %util\n"
         "sda              0.40   88.20      9.00   2040.00     0.00     1.00   0.00  32.2\n6    0.30   61.90   5.40   "
         " 22.50    23.12   2.00  98.50\n"
         "sdb              0.40   88.20      9.00   2040.00     0.00     1.00   0.00  32.2\n6    0.30   61.90   5.40   "
         " 22.50    23.12   2.00  97.50\n",
         NULL, "SELECT group_concat(status || rows, ' ') FROM source", "parsed2"},
        {"an array's members",
         "md1 : active raid10 sdb2[1] sda2[0] sdd2[3] sdg2[6]\nsdh2[7] sde2[4] sdc2[2] sdf2[5]\n      3824596992 "
         "blocks super 1.1 512K chunks 2 near-copies [8/8]\n[UUUUUUUU]\n",
         "1-4 mdstat parsed", NULL, NULL},
        {"links",
         "lrwxrwxrwx 1 root root  9 Aug 20 10:00 /dev/disk/by-id/ata-FOO_DRIVE_4000GB_S1 ->\n../../sda\nlrwxrwxrwx 1 "
         "root root  9 Aug 20 10:00 /dev/disk/by-id/ata-FOO_DRIVE_4000GB_S2 ->\n../../sdb\n",
         "1-4 by-id parsed", NULL, NULL},
        {"lsblk in a mail",
         "NAME   SIZE TYPE MODEL                            SERIAL\nMOUNTPOINT\n"
         "sda    3.6T disk EXAMPLE-HDD-4000-LONG-NAME        EX4000-0042\n"
         "|-sda1 512M part                                              \n/boot\nsdb    3.6T disk "
         "EXAMPLE-HDD-4000-LONG-NAME        EX4000-0043\n",
         NULL,
         "SELECT group_concat(r.name || '=' || s.value, ' ') FROM setting s JOIN ref r ON r.id = s.node WHERE "
         "s.key = 'serial'",
         "sda=EX4000-0042 sdb=EX4000-0043"},
        {"a table that is as wide everywhere",
         "NAME    SIZE TYPE MODEL                                  "
         "SERIAL\nsda     3.6T disk EXAMPLE-HDD-4000                       EX-000042\nThat is all I have.\n",
         "1-2 lsblk parsed; 3-3 ? unrecognised", NULL, NULL},
        {"controllers",
         "00:17.0 SATA controller [0106]: Intel Corporation Device [8086:43d2]\n(rev 11) (prog-if 01 [AHCI "
         "1.0])\n01:00.0 Non-Volatile memory controller [0108]: Foo Device\n[144d:a808]\n",
         "1-4 lspci parsed", "SELECT group_concat(device_id, ' ') FROM pci_device", "43d2 a808"},
    };
    RUN(cases);
}

static void run_on(void **state) {
    (void)state;
    static const Case cases[] = {
        {"smartctl in one line",
         "Here it is: smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build) Copyright (C) 2002-22, "
         "Bruce Allen, Christian Franke, www.smartmontools.org "
         "=== START OF INFORMATION SECTION === Device Model: EXAMPLE HDD 2000 Serial Number: EX2000-17 Firmware "
         "Version: A1 User Capacity: 2,000,398,934,016 bytes [2.00 TB] "
         "Rotation Rate: 7200 rpm === START OF READ SMART DATA SECTION === SMART overall-health self-assessment test "
         "result: PASSED "
         "Vendor Specific SMART Attributes with Thresholds: ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE UPDATED "
         "WHEN_FAILED RAW_VALUE "
         "5 Reallocated_Sector_Ct 0x0033 100 100 010 Pre-fail Always - 16 197 Current_Pending_Sector 0x0012 100 100 "
         "000 Old_age Always - 8\n",
         NULL, COUNTERS, TWO},
        {"what it says of the drive",
         "=== START OF INFORMATION SECTION === Device Model: EXAMPLE HDD 2000 Serial Number: EX2000-17 Firmware "
         "Version: A1 User Capacity: 2,000,398,934,016 bytes [2.00 TB] "
         "SMART overall-health self-assessment test result: PASSED\n",
         "1-1 smartctl parsed",
         "SELECT group_concat(key || '=' || value, ' ') FROM setting WHERE key IN ('model', 'serial', 'size_bytes', "
         "'smart_health')",
         "model=EXAMPLE HDD 2000 serial=EX2000-17 size_bytes=2000398934016 smart_health=PASSED"},
        {"its parts are cited by their line",
         "x\n=== START OF INFORMATION SECTION === Device Model: EXAMPLE HDD 2000 Serial Number: EX2000-17 Firmware "
         "Version: A1 User Capacity: 2,000,398,934,016 bytes [2.00 TB]\n",
         NULL,
         "SELECT group_concat(t.path || ': ' || t.text, '|') FROM setting s JOIN line_text t ON t.src = s.src AND "
         "t.line = s.line WHERE key = 'serial'",
         "line 2 part 3: Serial Number: EX2000-17"},
        {"a log in one line",
         "I get this: [ 8123.104211] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen [ 8123.104230] "
         "ata2.00: failed command: READ FPDMA QUEUED "
         "[ 8123.104255] ata2.00: status: { DRDY } [ 8123.104300] ata2: hard resetting link\n",
         "1-1 ? unrecognised; 1-1 kernel-log parsed", "SELECT rows FROM source WHERE tool = 'kernel-log'", "4"},
        {"syslog in one line",
         "Jan 20 14:20:07 localhost kernel: [   36.118019] ata1.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 "
         "frozen Jan 20 14:20:07 localhost kernel: [   36.118044] ata1.00: failed command: READ FPDMA QUEUED\n",
         NULL, "SELECT rows FROM source", "2"},
        {"zpool status in one line",
         "pool: tank state: DEGRADED scan: none requested config: NAME STATE READ WRITE CKSUM tank DEGRADED 0 0 0 "
         "mirror-0 DEGRADED 0 0 0 sda ONLINE 0 0 0 sdb FAULTED 3 12 0 errors: No known data errors\n",
         NULL, "SELECT group_concat(name || '=' || state || '/' || write_errors, ' ') FROM vdev WHERE name LIKE 'sd%'",
         "sda=ONLINE/0 sdb=FAULTED/12"},
        {"a document of one line stays one",
         "{\"output_version\":{\"command\":\"zpool "
         "status\",\"vers_major\":0,\"vers_minor\":1},\"pools\":{\"t\":{\"name\":\"t\",\"state\":\"ONLINE\",\"scan\":"
         "\"config: state: \"}}}\n",
         NULL, "SELECT count(*) FROM source", "1"},
    };
    RUN(cases);
}

/* ---------------------------------------------------------------- captures */

#define CAPTURES                                                                                                       \
    "SELECT group_concat(coalesce(label, '-') || ':' || (SELECT count(*) FROM source s WHERE s.capture = c.id AND "    \
    "s.tool IS NOT NULL), ' ') FROM capture c"
#define HDPARM_OFF "/dev/sda:\n write-caching =  0 (off)\n"
#define HDPARM_ON "/dev/sda:\n write-caching =  1 (on)\n"
#define PSI                                                                                                            \
    "some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714\nfull avg10=66.14 avg60=63.90 avg300=57.21 "          \
    "total=44018220981\n"

static void captures(void **state) {
    (void)state;
    static const Case cases[] = {
        {"before and after", "Before:\n" HDPARM_OFF "\nAfter the change:\n" HDPARM_ON, NULL, CAPTURES,
         "Before:1 After the change:1"},
        {"Markdown headings",
         "## Before\n```\n" HDPARM_OFF "```\n## After replacing the cable\n```\n" HDPARM_ON "```\n", NULL, CAPTURES,
         "Before:1 After replacing the cable:1"},
        {"only words", "Before I forget: thanks.\n" HDPARM_OFF "After all:\nnothing helps\n", NULL, CAPTURES, "-:1"},
        {"an after with another tool is in doubt", "Before:\n" HDPARM_OFF "After:\n" PSI, NULL, CAPTURES, "-:2"},
        {"two hosts", "root@alpha:~# hdparm -W /dev/sda\n" HDPARM_OFF "root@beta:~# hdparm -W /dev/sda\n" HDPARM_ON,
         NULL, CAPTURES, "alpha:1 beta:1"},
        {"one host by two users",
         "root@alpha:~# hdparm -W /dev/sda\n" HDPARM_OFF "me@alpha:~$ cat /proc/pressure/io\n" PSI, NULL, CAPTURES,
         "-:2"},
        {"the same commands again",
         "$ sudo hdparm -W /dev/sda\n" HDPARM_OFF "$ cat /proc/pressure/io\n" PSI
         "and now\n$ sudo hdparm -W /dev/sda\n" HDPARM_ON "$ cat /proc/pressure/io\n" PSI,
         NULL, CAPTURES, "-:2 -:2"},
        {"the same command for two drives",
         "$ sudo hdparm -W /dev/sda\n" HDPARM_OFF "$ sudo hdparm -W /dev/sdb\n/dev/sdb:\n write-caching =  1 (on)\n",
         NULL, CAPTURES, "-:2"},
        {"quoted once more",
         "$ sudo hdparm -W /dev/sda\n" HDPARM_OFF "$ cat /proc/pressure/io\n" PSI
         "Somebody said:\n> $ sudo hdparm -W /dev/sda\n> /dev/sda:\n>  write-caching =  0 (off)\n> $ cat "
         "/proc/pressure/io\n",
         NULL, "SELECT count(*) FROM capture", "1"},
    };
    RUN(cases);
}

/* ---------------------------------------------------------------- prose */

static void prose(void **state) {
    (void)state;
    static const Case cases[] = {
        {"one line", "my disk is slow, smartctl says 624 pending sectors", "1-1 ? unrecognised",
         "SELECT count(*) FROM counter", "0"},
        {"figures by hand",
         "sdb  FOO 12TB\n  SMART overall-health self-assessment test result: PASSED\n  5 Reallocated_Sector_Ct    2872 "
         "  (norm 100/100, thr 10)\n  197 Current_Pending_Sector  624\n",
         "1-2 ? unrecognised; 3-4 smart-typed parsed",
         "SELECT count(*) || ' ' || group_concat(DISTINCT o.tool) FROM counter c JOIN source o ON o.id = c.src",
         "2 smart-typed"},
        {"a helper's words",
         "> ata1 hard resetting link is a cable\nI would say UNC means the disk is dead, ata1.00 is sda.\n", NULL,
         "SELECT count(*) FROM log_event", "0"},
    };
    RUN(cases);
}

/* A file of its own keeps its shape; colours and odd blanks go. */
static void own_files(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    size_t n;
    const FramePiece *p = ft_frame(ft, "hdparm.out", "", true,
                                   STR("/dev/sda:\n\x1b[1m write-caching =\xc2\xa0 0 (off)\x1b[0m\n> quoted\n"), &n);
    assert_string_equal(ft_print(ft, p, n), "1-3 hdparm parsed");
    assert_string_equal(ask(ft, "SELECT s.line || t.text FROM setting s JOIN line_text t ON t.src = s.src AND t.line = "
                                "s.line WHERE key = 'write_cache'"),
                        "2 write-caching =  0 (off)");
    ft_close(ft);
}

/* Large texts that are no files of their own are cleaned line by line. */
static void large(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    StrBuf b;
    sb_init(&b, ft->arena);
    sb_addz(&b, "\x1b[0m");
    while (b.len < PASTE_MAX + 1000)
        sb_addz(&b, "\x1b[31m[    1.844021]\x1b[0m ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n");
    size_t n;
    const FramePiece *p = ft_frame(ft, "-", "", false, sb_str(&b), &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].tool, "kernel-log");
    assert_string_equal(ask(ft, "SELECT t.text FROM line_text t WHERE line = 1"),
                        "[    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)");
    ft_close(ft);
}

/* Texts made to be slow or to nest without end. */
static void hostile(void **state) {
    (void)state;
    static const char *const parts[] = {"`",
                                        "`x\n",
                                        ">",
                                        "> ",
                                        "[code]",
                                        "[code]x\n",
                                        "[/code]",
                                        "|",
                                        "|-|-|\n",
                                        "| a |\n|---|\n",
                                        "<pre>",
                                        "<b",
                                        "&lt;",
                                        "&",
                                        "    x\n",
                                        "```x y",
                                        "\x1b[",
                                        "\x1b]",
                                        "\\_",
                                        "1. x\n",
                                        "Before:\n",
                                        "After:\n",
                                        "a@b:~# c\n",
                                        "a@c:~# d\n$ sudo x\n",
                                        "[1.123456] x ",
                                        "lrwxrwxrwx ",
                                        "5 A_b 0x0000 ",
                                        "a ONLINE 0 0 0 state: config: ",
                                        "<html><pre>",
                                        "\r",
                                        "=\n",
                                        "Device r/s\nw/s\n",
                                        "md0 : active\nsda[0]\n",
                                        "NAME SIZE\nsda\nfoo\n",
                                        "\xf0\x9f",
                                        "[quote=\"",
                                        "0x",
                                        "Jan  1 00:00:00 h kernel: x "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int html_page = 0; html_page < 2; html_page++) {
            FrameTest *ft = ft_open();
            StrBuf b;
            sb_init(&b, ft->arena);
            if (html_page) sb_addz(&b, "<html>");
            for (int k = 0; k < 4000; k++) sb_addz(&b, parts[i]);
            size_t n;
            ft_frame(ft, "-", "", false, sb_str(&b), &n);
            ft_close(ft);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters), cmocka_unit_test(containers), cmocka_unit_test(html),
        cmocka_unit_test(wrapped),    cmocka_unit_test(run_on),     cmocka_unit_test(captures),
        cmocka_unit_test(prose),      cmocka_unit_test(own_files),  cmocka_unit_test(large),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
