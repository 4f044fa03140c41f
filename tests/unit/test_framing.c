/*
 * One text, many outputs: prompts, headings, fences, prose, failed commands, documents that end.
 */
#include "../../analyze/parse/registry.h"
#include "frame_test.h"

#include <stdio.h>
#include <stdlib.h>

#define IOSTAT                                                                                                         \
    "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await w_await aqu-sz "        \
    "rareq-sz wareq-sz  svctm  %util\n"                                                                                \
    "sda              0.40   88.20      9.00   2040.00     0.00     1.00   0.00  32.26    0.30   61.90   5.40    "     \
    "22.50    23.12   2.00  98.50\n"
#define HDPARM "/dev/sda:\n write-caching =  0 (off)\n"
#define PSI                                                                                                            \
    "some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714\nfull avg10=66.14 avg60=63.90 avg300=57.21 "          \
    "total=44018220981\n"
#define KERNEL                                                                                                         \
    "[    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"                                          \
    "[    1.845120] ata3.00: ATA-11: FOO SSD 2TB, 40103000, max UDMA/133\n"
#define SMART_JSON                                                                                                     \
    "{\n  \"json_format_version\": [\n    1,\n    0\n  ],\n  \"smartctl\": {\n    \"version\": [\n      7,\n      "    \
    "4\n    ]\n  },\n"                                                                                                 \
    "  \"device\": {\n    \"name\": \"/dev/sda\"\n  },\n  \"model_name\": \"FOO {SSD}\"\n}\n"

/* ---------------------------------------------------------------- prompts */

static void prompts(void **state) {
    (void)state;
    static const struct {
        const char *line, *command; /* NULL: no prompt */
    } table[] = {
        {"root@host:~# dmesg -T", "dmesg -T"},
        {"root@host:~#  dmesg", "dmesg"},
        {"root@host:/var/log# cat kern.log", "cat kern.log"},
        {"[root@host ~]# lspci -nnk", "lspci -nnk"},
        {"[root@host.example.org log]# anything at all", "anything at all"},
        {"user@host:~/x$ sudo hdparm -W /dev/sda", "sudo hdparm -W /dev/sda"},
        {"user@host ~ $ lsblk", "lsblk"},
        {"user@host ~/x> zpool status", "zpool status"},
        {"admin@truenas[~]$ sudo zpool iostat -v 1", "sudo zpool iostat -v 1"},
        {"root@truenas[/mnt/tank]# iostat -x 1", "iostat -x 1"},
        {"root@pve:~#", ""},
        {"host% zpool status", "zpool status"},
        {"truenas% sudo smartctl -a /dev/da0", "sudo smartctl -a /dev/da0"},
        {"nas# camcontrol devlist", "camcontrol devlist"},
        {"bash-5.1$ lsblk -f", "lsblk -f"},
        {"nas:~ # dmesg", "dmesg"},
        {"~ # cat /proc/mounts", "cat /proc/mounts"},
        {"/var/log # ls -l", "ls -l"},
        {"# dmesg", "dmesg"},
        {"# smartctl -a /dev/sda", "smartctl -a /dev/sda"},
        {"# zpool status tank", "zpool status tank"},
        {"$ sudo iostat -x", "sudo iostat -x"},
        {"$ lsblk", "lsblk"},
        {"  $ lsblk", "lsblk"},

        {"# a comment", NULL},
        {"# dd on the idle pool, cache off", NULL},
        {"# mount the pool first", NULL},
        {"#", NULL},
        {"#dmesg", NULL},
        {"$ 12.50 is what I paid", NULL},
        {"me@example.org", NULL},
        {"me@example.org wrote that dmesg is empty", NULL},
        {"me@example.org> wrote:", NULL},
        {"ask me@example.org # or somebody else", NULL},
        {"me@example.org # not a prompt either", NULL},
        {"[  1.234] x@y", NULL},
        {"[    0.000000] Linux version 6.1.0 (builder@host) (gcc 12) #1 SMP PREEMPT", NULL},
        {"Sep 13 09:12:31 nas sshd[812]: Accepted publickey for root@nas: done # 1", NULL},
        {"sda              0.40   88.20      9.00", NULL},
        {"50% done", NULL},
        {"95% cat and dog", NULL},
        {"> quoted text", NULL},
        {"https://user@host/path # dmesg", NULL},
        {"  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       0", NULL},
        {"/dev/sda:", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Str got = frame_prompt(str_of(table[i].line));
        if (!table[i].command) {
            if (got.p) fail_msg("\"%s\" is no prompt, but gives \"%.*s\"", table[i].line, STR_ARG(got));
        } else if (!got.p || !str_is(got, table[i].command)) {
            fail_msg("\"%s\" gives \"%.*s\", not \"%s\"", table[i].line, STR_ARG(got), table[i].command);
        }
    }
}

/* ---------------------------------------------------------------- whole texts */

/* A text and its pieces, "first-last tool status; ..."; "?" is nobody. */
typedef struct Case {
    const char *what, *text, *pieces;
    bool own_file;
    const char *path, *command;
} Case;

static void run_cases(const Case *cases, size_t count) {
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        FrameTest *ft = ft_open();
        size_t n;
        const FramePiece *p =
            ft_frame(ft, cases[i].path ? cases[i].path : "-", cases[i].command ? cases[i].command : "",
                     cases[i].own_file, str_of(cases[i].text), &n);
        const char *got = ft_print(ft, p, n);
        if (strcmp(got, cases[i].pieces) != 0) {
            fprintf(stderr, "%s:\n  expected %s\n  got      %s\n", cases[i].what, cases[i].pieces, got);
            bad++;
        }
        ft_close(ft);
    }
    if (bad) fail_msg("%zu of %zu texts", bad, count);
}

static void pastes(void **state) {
    (void)state;
    static const Case cases[] = {
        {.what = "one output", .text = HDPARM, .pieces = "1-2 hdparm parsed"},
        {.what = "two prompts",
         .text = "root@h:~# hdparm -W /dev/sda\n\n" HDPARM "root@h:~# cat /proc/pressure/io\n" PSI,
         .pieces = "3-4 hdparm parsed; 6-7 pressure parsed"},
        {.what = "prose, output, prose",
         .text = "Hello,\nmy pool is slow since yesterday. Here is what hdparm says:\n\n" HDPARM
                 "\nWhat could that be? I have no idea.\nThanks!\n",
         .pieces = "1-2 ? unrecognised; 4-6 hdparm parsed; 7-8 ? unrecognised"},
        {.what = "prose between two outputs",
         .text =
             HDPARM "And this is what the kernel thinks about pressure:\n" PSI "Somebody said that this is too much.\n",
         .pieces = "1-2 hdparm parsed; 3-3 ? unrecognised; 4-5 pressure parsed; 6-6 ? unrecognised"},
        {.what = "code fences",
         .text = "Look:\n```\n" HDPARM "```\nand\n```text\n" PSI "```\n",
         .pieces = "1-1 ? unrecognised; 3-4 hdparm parsed; 6-6 ? unrecognised; 8-9 pressure parsed"},
        {.what = "BBCode",
         .text = "[code]\n" HDPARM "[/code]\n[CODE]\n" PSI "[/CODE]\n",
         .pieces = "2-3 hdparm parsed; 6-7 pressure parsed"},
        {.what = "headings of head and tail",
         .text = "==> /proc/pressure/io <==\n" PSI "\n==> /var/log/kern.log <==\n" KERNEL,
         .pieces = "2-4 pressure parsed; 6-7 kernel-log parsed"},
        {.what = "glued without anything",
         .text = HDPARM PSI KERNEL IOSTAT,
         .pieces = "1-2 hdparm parsed; 3-4 pressure parsed; 5-6 kernel-log parsed; 7-8 iostat parsed"},
        {.what = "two captures of one tool, behind prompts",
         .text = "$ sudo hdparm -W /dev/sda\n" HDPARM "$ sudo hdparm -W /dev/sda\n" HDPARM,
         .pieces = "2-3 hdparm parsed; 5-6 hdparm parsed"},
        {.what = "two captures of one tool, glued", .text = IOSTAT IOSTAT, .pieces = "1-4 iostat parsed"},
        {.what = "the error log of an NVMe drive with its blanks squeezed is the last line",
         .text = "=== START OF SMART DATA SECTION ===\nSMART overall-health self-assessment test result: PASSED\n\n"
                 "Error Information (NVMe Log 0x01, max 256 entries)\n"
                 "Num ErrCount SQId CmdId Status PELoc LBA NSID VS\n0 283 0 0x000c 0xc004 0x02b - 0 -",
         .pieces = "1-6 smartctl parsed"},
        {.what = "the last disk of lsblk -f -l is empty, and its blanks were cut off",
         .text = "NAME FSTYPE LABEL UUID                                 FSAVAIL FSUSE% MOUNTPOINT\n"
                 "vda1 ext4         7a7b2ccb-9d4c-4b1b-9e63-4f9e0f7d6d52   30.1G    20% /\nvdc\nvdd",
         .pieces = "1-4 lsblk parsed"},
        {.what = "a document ends",
         .text = SMART_JSON "and so on\n",
         .pieces = "1-16 smartctl parsed; 17-17 ? unrecognised"},
        {.what = "two documents",
         .text = SMART_JSON SMART_JSON,
         .pieces = "1-16 smartctl parsed; 17-32 smartctl parsed"},
        {.what = "a document in a fence",
         .text = "My drive:\n```json\n" SMART_JSON "```\nThanks\n",
         .pieces = "1-1 ? unrecognised; 3-18 smartctl parsed; 20-20 ? unrecognised"},
        {.what = "a document cut by the next prompt",
         .text = "root@h:~# smartctl -j -a /dev/sda\n{\n  \"json_format_version\": [1, 0],\n  \"smartctl\": "
                 "{\"version\": [7, 4]},\n  \"device\": {\nroot@h:~# hdparm -W /dev/sda\n" HDPARM,
         .pieces = "2-5 smartctl unrecognised; 7-8 hdparm parsed"},
        {.what = "journal as one document per line",
         .text = "{\"__REALTIME_TIMESTAMP\":\"1757747551000000\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":"
                 "\"kernel\",\"MESSAGE\":\"ata3: hard resetting link\"}\n"
                 "{\"__REALTIME_TIMESTAMP\":\"1757747552000000\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":"
                 "\"kernel\",\"MESSAGE\":\"ata3: SATA link up 6.0 Gbps (SStatus 133 "
                 "SControl 300)\"}\n"
                 "{\"__REALTIME_TIMESTAMP\":\"1757747553000000\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":"
                 "\"kernel\",\"MESSAGE\":\"ata3: EH complete\"}\n" HDPARM,
         .pieces = "1-3 kernel-log parsed; 4-5 hdparm parsed"},
        {.what = "a series with a foreign line",
         .text = IOSTAT "Connection to host closed.\n" IOSTAT,
         .pieces = "1-5 iostat partial"},
        {.what = "a series that ends",
         .text =
             IOSTAT "So, what do you make of it?\nI think it is the disk.\nAnd the cable.\nOr the controller.\n" IOSTAT,
         .pieces = "1-2 iostat parsed; 3-6 ? unrecognised; 7-8 iostat parsed"},
        {.what = "quoted output between sentences of the same words",
         .text = "my write-caching = off question\n" HDPARM,
         .pieces = "1-1 ? unrecognised; 2-3 hdparm parsed"},
        {.what = "prompts without output",
         .text = "root@h:~# clear\nroot@h:~# zpool status -x\nall pools are healthy\nroot@h:~#\n",
         .pieces = "3-3 zpool-status empty"},
        {.what = "commands that printed nothing",
         .text = "root@h:~# clear\nroot@h:~# dmesg\nroot@h:~# zpool status -x\nall pools are healthy\nroot@h:~# "
                 "smartctl -a "
                 "/dev/sda\n",
         .pieces = "2-2 kernel-log empty; 4-4 zpool-status empty; 5-5 smartctl empty"},
        {.what = "a prompt and nothing else", .text = "root@h:~# clear\n", .pieces = "1-1 ? empty"},
        {.what = "fences around nothing", .text = "```\n\n```\n", .pieces = "1-3 ? empty"},
        {.what = "a heading above nothing", .text = "==> /proc/mdstat <==\n", .pieces = "1-1 ? empty"},
        {.what = "only prose", .text = "My server is slow.\n\nPlease help.\n", .pieces = "1-3 ? unrecognised"},
    };
    run_cases(cases, sizeof cases / sizeof *cases);
}

static void failures(void **state) {
    (void)state;
    static const Case cases[] = {
        {.what = "a member that is the shell's complaint",
         .text = "-bash: hdparm: command not found\n",
         .path = "drives/hdparm_sda.out",
         .own_file = true,
         .pieces = "1-1 hdparm failed"},
        {.what = "the same in German",
         .text = "-bash: hdparm: Kommando nicht gefunden.\n",
         .path = "block/hdparm-W.txt",
         .own_file = true,
         .pieces = "1-1 hdparm failed"},
        {.what = "named by the manifest",
         .text = "timeout: failed to run command 'zpool': No such file or directory\n",
         .path = "x.out",
         .command = "zpool status -v",
         .own_file = true,
         .pieces = "1-1 zpool-status failed"},
        {.what = "the kernel log is for root",
         .text = "dmesg: read kernel buffer failed: Operation not permitted\n",
         .path = "dmesg.out",
         .command = "dmesg",
         .own_file = true,
         .pieces = "1-1 kernel-log failed"},
        {.what = "an environment before the tool",
         .text = "sh: 1: iostat: not found\n",
         .path = "samples/s.out",
         .command = "iostat -dxmt 1 61",
         .own_file = true,
         .pieces = "1-1 iostat failed"},
        {.what = "a file that is not there",
         .text = "cat: /proc/pressure/io: No such file or directory\n",
         .path = "x.out",
         .command = "cat /proc/pressure/io",
         .own_file = true,
         .pieces = "1-1 pressure failed"},
        {.what = "behind a prompt",
         .text =
             "root@h:~# hdparm -W /dev/sda\n-bash: hdparm: command not found\nroot@h:~# cat /proc/pressure/io\n" PSI,
         .pieces = "2-2 hdparm failed; 4-5 pressure parsed"},
        {.what = "behind a prompt, of a tool nobody reads",
         .text = "root@h:~# frobnicate -x\nbash: frobnicate: command not found\n",
         .pieces = "2-2 ? failed"},
        {.what = "without a prompt, between others",
         .text = KERNEL "\nzsh: command not found: hdparm\n" PSI,
         .pieces = "1-4 kernel-log parsed; 5-6 pressure parsed"},
        {.what = "without a prompt",
         .text = "bash: lsblk: command not found\n" PSI,
         .pieces = "1-1 lsblk failed; 2-3 pressure parsed"},
        {.what = "a failure is no word of prose",
         .text = "I tried smartctl but my shell said command not found\n",
         .pieces = "1-1 ? unrecognised"},
        {.what = "denied for one of two",
         .text = "root@h:~# hdparm -W /dev/sda\n/dev/sda: Permission denied\nroot@h:~# hdparm -W /dev/sdb\n/dev/sdb:\n "
                 "write-caching =  1 (on)\n",
         .pieces = "2-2 hdparm failed; 4-5 hdparm parsed"},
    };
    run_cases(cases, sizeof cases / sizeof *cases);
    /* The words are kept. */
    FrameTest *ft = ft_open();
    size_t n;
    const FramePiece *p =
        ft_frame(ft, "drives/hdparm_sda.out", "hdparm -W /dev/sda", true, STR("sudo: hdparm: command not found\n"), &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].note, "sudo: hdparm: command not found");
    assert_string_equal(p[0].command, "hdparm -W /dev/sda");
    p = ft_frame(ft, "-", "", false, STR("root@h:~# zpool status\nbash: zpool: command not found\n"), &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].tool, "zpool-status");
    assert_string_equal(p[0].note, "bash: zpool: command not found");
    assert_string_equal(p[0].command, "zpool status");
    ft_close(ft);
}

static void members(void **state) {
    (void)state;
    static const Case cases[] = {
        {.what = "nothing",
         .text = "",
         .own_file = true,
         .path = "dmesg.out",
         .command = "dmesg",
         .pieces = "1-0 kernel-log empty"},
        {.what = "blanks",
         .text = " \n\n\t\n",
         .own_file = true,
         .path = "drives/hdparm_sda.out",
         .pieces = "1-3 hdparm empty"},
        {.what = "error output",
         .text = "Warning: something\n",
         .own_file = true,
         .path = "lspci.err",
         .pieces = "1-1 ? unrecognised"},
        {.what = "a line of nobody stays with its piece",
         .text = HDPARM " frobs         = 12\nwhat is this\n",
         .own_file = true,
         .path = "h.out",
         .pieces = "1-4 hdparm parsed"},
        {.what = "the path alone does not decide",
         .text = PSI,
         .own_file = true,
         .path = "drives/smart_sda.out",
         .pieces = "1-2 pressure parsed"},
        {.what = "a post in an archive is a paste",
         .text = "Hi all,\n\nhere it is:\nroot@h:~# hdparm -W /dev/sda\n\n" HDPARM
                 "\nThe disks are fine as far as I know.\nThanks!\n",
         .own_file = true,
         .path = "post.txt",
         .pieces = "1-3 ? unrecognised; 6-8 hdparm parsed; 9-10 ? unrecognised"},
    };
    run_cases(cases, sizeof cases / sizeof *cases);
}

static void binary(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    char noise[5000];
    unsigned seed = 12345;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1103515245u + 12345u;
        noise[i] = (char)(seed >> 16);
    }
    size_t n;
    const FramePiece *p = ft_frame(ft, "core", "", true, (Str){noise, sizeof noise}, &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].status, "unrecognised");
    assert_string_equal(p[0].tool, "");
    assert_string_equal(p[0].note, "binary data");
    memset(noise, 0, sizeof noise);
    p = ft_frame(ft, "zeros", "", true, (Str){noise, sizeof noise}, &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].note, "binary data");
    /* A few control bytes in a log do not make it binary. */
    p = ft_frame(
        ft, "dmesg.out", "", true,
        STR("\x1b[32m[    1.844021] \x1b[0m\x1b[33mata3\x1b[0m: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"),
        &n);
    assert_int_equal(n, 1);
    assert_string_equal(p[0].tool, "kernel-log");
    ft_close(ft);
}

/* Lines are numbered as in the whole text, also behind prompts and documents. */
static void line_numbers(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    size_t n;
    ft_frame(
        ft, "-", "", false,
        str_of("Hello\n\nroot@h:~# smartctl -j -a /dev/sdb\n" SMART_JSON "root@h:~# hdparm -W /dev/sda\n\n" HDPARM),
        &n);
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(facts_db(ft->facts),
                                        "SELECT s.line, t.text FROM setting s JOIN line_text t ON t.src = s.src AND "
                                        "t.line = s.line WHERE s.key = 'write_cache'",
                                        -1, &st, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(st, 0), 3 + 16 + 1 + 1 + 2);
    assert_string_equal((const char *)sqlite3_column_text(st, 1), " write-caching =  0 (off)");
    sqlite3_finalize(st);
    ft_close(ft);
}

/* A read error in the middle is said, and what came before it counts. */
static void read_error(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    Str texts[] = {str_of(HDPARM PSI), str_of("just words\nand more of them\n"), str_of(IOSTAT IOSTAT)};
    for (size_t i = 0; i < 3; i++) {
        StepSource s;
        step_source(&s, texts[i], 7);
        s.fail_after = texts[i].len - 3;
        LineReader r;
        reader_open(&r, &s.src);
        Member m = {.facts = ft->facts,
                    .arena = ft->arena,
                    .scratch = ft->scratch,
                    .bundle = ft->bundle,
                    .capture = ft->capture,
                    .path = STR("cut"),
                    .own_file = i == 1};
        frame_member(&m, &r);
        reader_close(&r);
    }
    facts_flush(ft->facts);
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(facts_db(ft->facts),
                                        "SELECT group_concat(line_first || '-' || line_last || ' ' || coalesce(tool, "
                                        "'?') || ' ' || status || ' ' || coalesce(note, ''), '; ') FROM source",
                                        -1, &st, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(st, 0),
                        "1-2 hdparm parsed ; 3-4 pressure partial the input ends early: made to fail; 1-2 ? "
                        "unrecognised the input ends early: made to fail; "
                        "1-3 iostat parsed ; 4-4 ? unrecognised the input ends early: made to fail");
    sqlite3_finalize(st);
    ft_close(ft);
}

/* Texts made to be slow: every line opens something, nothing ever closes, one line without end. */
static void hostile(void **state) {
    (void)state;
    static const char *const lines[] = {"{\n",
                                        "{\"a\n",
                                        "[{\"\n",
                                        "[1.5] x\n",
                                        "/dev/sda:\n",
                                        "root@h:~# dmesg\n",
                                        "```\n",
                                        "bash: hdparm: command not found\n",
                                        "==> a <==\n",
                                        "Device r/s w/s\n",
                                        "=== START OF INFORMATION SECTION ===\n/dev/sda:\n",
                                        "  pool: x\n00:00.0 Host bridge: y\n",
                                        "{}\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FrameTest *ft = ft_open();
        size_t len = strlen(lines[i]), times = 4000;
        char *text = malloc(len * times);
        assert_non_null(text);
        for (size_t k = 0; k < times; k++) memcpy(text + k * len, lines[i], len);
        size_t n;
        const FramePiece *piece = ft_frame(ft, "-", "", false, (Str){text, len * times}, &n);
        if (strcmp(lines[i], "root@h:~# dmesg\n") == 0) { /* the first of them, and a word about the others */
            assert_int_equal(n, 200);
            assert_true(str_has(str_of(piece[n - 1].note), "later ones"));
        }
        free(text);
        ft_close(ft);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prompts),    cmocka_unit_test(pastes),  cmocka_unit_test(failures),
        cmocka_unit_test(members),    cmocka_unit_test(binary),  cmocka_unit_test(line_numbers),
        cmocka_unit_test(read_error), cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
