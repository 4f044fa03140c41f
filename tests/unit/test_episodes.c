/*
 * test_episodes.c - rounds of ATA error handling: which lines are one round, what class it has, storms, phases, the timeline
 */
#include "parse_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_kernel_log;

static void want(const char *log, const char *sql, const char *value) {
    ParseTest *pt = pt_run(&parser_kernel_log, NULL, NULL, str_of(log));
    const char *got = pt_text(pt, sql);
    if (strcmp(got, value) != 0) fail_msg("%s\n  gives \"%s\", not \"%s\"\n%s", sql, got, value, log);
    pt_free(pt);
}

/* Each row is one round; the class is decided by all its lines together. */
static void classes(void **state) {
    (void)state;
    static const struct {
        const char *class, *log;
    } rows[] = {
        {"media", "[900.0] ata1.00: exception Emask 0x0 SAct 0x40 SErr 0x0 action 0x0\n"
                  "[900.0] ata1.00: irq_stat 0x40000008\n"
                  "[900.0] ata1.00: failed command: READ FPDMA QUEUED\n"
                  "[900.0] ata1.00: cmd 60/08:30:b0:1e:e4/00:00:06:00:00/40 tag 6 ncq dma 4096 in\n"
                  "                res 41/40:00:b0:1e:e4/00:00:06:00:00/40 Emask 0x409 (media error) <F>\n"
                  "[900.0] ata1.00: status: { DRDY ERR }\n"
                  "[900.0] ata1.00: error: { UNC }\n"
                  "[900.2] ata1: EH complete\n"},
        {"wire", "[900.0] ata3.00: exception Emask 0x10 SAct 0x1 SErr 0x400100 action 0x6 frozen\n"
                 "[900.0] ata3.00: irq_stat 0x08000000, interface fatal error\n"
                 "[900.0] ata3: SError: { UnrecovData Handshk }\n"
                 "[900.0] ata3.00: failed command: WRITE FPDMA QUEUED\n"
                 "[900.1] ata3: EH complete\n"},
        {"wire", "[900.0] ata3.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0\n"
                 "[900.0] ata3.00: failed command: WRITE DMA EXT\n"
                 "[900.0] ata3.00: error: { ICRC ABRT }\n"},
        /* no SErr, a plain bus error */
        {"wire", "[900.0] ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
                 "[900.0] ata3.00: failed command: WRITE DMA EXT\n"},
        {"link", "[900.0] ata3: exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen\n"
                 "[900.0] ata3: irq_stat 0x00400040, connection status changed\n"
                 "[900.0] ata3: SError: { PHYRdyChg CommWake DevExch }\n"
                 "[901.0] ata3: hard resetting link\n"
                 "[902.0] ata3: EH complete\n"},
        /* a falling link decodes garbage; that is no bad cable yet */
        {"link", "[900.0] ata3: exception Emask 0x10 SAct 0x0 SErr 0x40d0000 action 0xe frozen\n"
                 "[900.0] ata3: SError: { PHYRdyChg CommWake 10B8B DevExch }\n"},
        {"wire", "[900.0] ata3: exception Emask 0x10 SAct 0x0 SErr 0x4290000 action 0xe frozen\n"
                 "[900.0] ata3: SError: { PHYRdyChg 10B8B BadCRC DevExch }\n"},
        {"link", "[900.0] ata2.00: exception Emask 0x10 SAct 0x600000 SErr 0x850000 action 0x6 frozen\n"
                 "[900.0] ata2: SError: { PHYRdyChg CommWake LinkSeq }\n"
                 "[900.0] ata2.00: failed command: READ FPDMA QUEUED\n"},
        /* timed out because the link dropped: the link counts */
        {"link", "[900.0] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x50000 action 0x6 frozen\n"
                 "[900.0] ata2: SError: { PHYRdyChg CommWake }\n"
                 "[900.0] ata2.00: failed command: WRITE FPDMA QUEUED\n"
                 "[900.0]          res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)\n"},
        {"timeout", "[900.0] ata2.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n"
                    "[900.0] ata2.00: failed command: WRITE FPDMA QUEUED\n"
                    "[900.0] ata2.00: cmd 61/08:00:b0:1e:e4/00:00:06:00:00/40 tag 0 ncq dma 4096 out\n"
                    "                 res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)\n"
                    "[900.0] ata2.00: status: { DRDY }\n"
                    "[900.0] ata2: hard resetting link\n"},
        {"host-bus", "[900.0] ata2.00: exception Emask 0x20 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
                     "[900.0] ata2.00: irq_stat 0x20000000, host bus error\n"},
        {"host-bus", "[900.0] ata2.00: exception Emask 0x0 SAct 0x0 SErr 0x800 action 0x6 frozen\n"
                     "[900.0] ata2: SError: { HostInt }\n"},
        {"interrupt", "[900.0] ata1: lost interrupt (Status 0x50)\n"
                      "[900.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
                      "[900.0] ata1.00: failed command: READ DMA EXT\n"
                      "[900.0] ata1.00: cmd 25/00:08:00:00:00/00:00:00:00:00/e0 tag 0 dma 4096 in\n"
                      "                 res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)\n"},
        {"address", "[900.0] ata1.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x0\n"
                    "[900.0] ata1.00: failed command: READ FPDMA QUEUED\n"
                    "[900.0] ata1.00: error: { IDNF }\n"},
        {"fault", "[900.0] ata1.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x0\n"
                  "[900.0] ata1.00: failed command: WRITE FPDMA QUEUED\n"
                  "[900.0] ata1.00: status: { DRDY DF ERR }\n"
                  "[900.0] ata1.00: error: { ABRT }\n"},
        {"protocol", "[900.0] ata1.00: exception Emask 0x2 SAct 0x1 SErr 0x0 action 0x6\n"
                     "[900.0] ata1.00: failed command: WRITE FPDMA QUEUED\n"},
        {"refused", "[900.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0\n"
                    "[900.0] ata1.00: failed command: FLUSH CACHE EXT\n"
                    "[900.0] ata1.00: error: { ABRT }\n"},
        {"rejected", "[900.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0\n"
                     "[900.0] ata1.00: failed command: SMART\n"
                     "[900.0] ata1.00: error: { ABRT }\n"},
        /* ATAPI: the error register holds a sense key, not UNC */
        {"rejected", "[900.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0\n"
                     "[900.0] ata1.00: failed command: PACKET\n"
                     "[900.0] ata1.00: cmd a0/00:00:00:08:00/00:00:00:00:00/a0 tag 0 pio 16392 in\n"
                     "                 res 51/40:03:00:08:00/00:00:00:00:00/a0 Emask 0x1 (device error)\n"},
        {"multiplier", "[900.0] ata1.15: exception Emask 0x4 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
                       "[900.0] ata1.15: PMP revalidation failed (errno=-19)\n"},
        /* kernels of 2006: opcodes only; of 2005: other words; and the IDE driver */
        {"wire", "ata1.00: exception Emask 0x10 SAct 0x0 SErr 0x0 action 0x2\n"
                 "ata1.00: (BMDMA stat 0x25)\n"
                 "ata1.00: cmd 35/00:08:00:00:00/00:00:00:00:00/e0 tag 0 cdb 0x0 data 4096 out\n"
                 "         res 51/84:00:00:00:00/00:00:00:00:00/e0 Emask 0x10 (ATA bus error)\n"},
        {"wire", "ata1: status=0x51 { DriveReady SeekComplete Error }\nata1: error=0x84 { DriveStatusError BadCRC }\n"},
        {"timeout", "ata1: command 0x35 timeout, stat 0xd0 host_stat 0x61\n"},
        {"media", "[900.0] hda: dma_intr: status=0x51 { DriveReady SeekComplete Error }\n"
                  "[900.0] hda: dma_intr: error=0x40 { UncorrectableError }, LBAsect=81, sector=80\n"},
        {"interrupt", "[900.0] hdc: lost interrupt\n"},
        {"timeout", "(ada0:ahcich0:0:0:0): READ_FPDMA_QUEUED. ACB: 60 08 b0 1e e4 40 06 00 00 00 00 00\n"
                    "(ada0:ahcich0:0:0:0): CAM status: Command timeout\n"
                    "(ada0:ahcich0:0:0:0): Retrying command, 3 more tries remain\n"},
        {"wire", "(ada0:ahcich0:0:0:0): CAM status: Uncorrectable parity/CRC error\n"
                 "(ada0:ahcich0:0:0:0): Retrying command\n"},
        {"media", "(ada0:ahcich0:0:0:0): CAM status: ATA Status Error\n"
                  "(ada0:ahcich0:0:0:0): ATA status: 41 (DRDY ERR), error: 40 (UNC )\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        want(rows[i].log, "SELECT group_concat(class, '|') FROM episode", rows[i].class);
}

#define ROUND(t, port)                                                                                                 \
    "[" t ".0] ata" port ": exception Emask 0x10 SAct 0x0 SErr 0x4050000 action 0xe frozen\n"                          \
    "[" t ".0] ata" port ": irq_stat 0x00400040, connection status changed\n"                                          \
    "[" t ".5] ata" port ": hard resetting link\n"                                                                     \
    "[" t ".9] ata" port ": EH complete\n"

static void rounds_and_storms(void **state) {
    (void)state;
    /* two ports whose lines interleave */
    want("[500.0] ata1.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n"
         "[500.0] ata2.00: exception Emask 0x10 SAct 0x1 SErr 0x400000 action 0x6 frozen\n"
         "[500.0] ata1.00: failed command: READ FPDMA QUEUED\n"
         "[500.0] ata2: SError: { Handshk }\n"
         "[500.0] ata1.00: failed command: READ FPDMA QUEUED\n"
         "[501.0] ata2: EH complete\n"
         "[531.0] ata1: hard resetting link\n"
         "[532.0] ata1: EH complete\n",
         "SELECT group_concat(t, '|') FROM (SELECT subject || ' ' || class || ' ' || commands || ' ' || resets || ' ' "
         "|| "
         "outcome || ' ' || line || '-' || last_line AS t FROM episode ORDER BY subject)",
         "ata1.00 unknown 2 1 recovered 1-8|ata2.00 wire 0 0 recovered 2-6");
    /* three rounds far apart, each an event of its own */
    want(ROUND("1000", "4") ROUND("2000", "4") ROUND("3000", "4"),
         "SELECT count(*) || ' ' || sum(count) || ' ' || sum(per_hour IS NULL) FROM episode", "3 3 3");
    /* close together: one storm, with its rate */
    want(ROUND("1000", "4") ROUND("1010", "4") ROUND("1020", "4"),
         "SELECT count || ' ' || first_mono_s || ' ' || last_mono_s || ' ' || CAST(per_hour AS INTEGER) || ' ' || line "
         "|| "
         "' ' || last_line FROM episode",
         "3 1000.0 1020.9 516 1 12");
    /* the end is cut off; the next boot is another round */
    want("[  900.0] ata1.00: failed command: WRITE FPDMA QUEUED\n[    1.0] Linux version 6.1.0 (x) #1\n"
         "[  900.1] ata1.00: failed command: WRITE FPDMA QUEUED\n",
         "SELECT group_concat(boot || ' ' || coalesce(outcome, '-') || ' ' || count, '|') FROM episode", "0 - 1|1 - 1");
    /* a silence of more than all reset waits is the end of a round */
    want("[  900.0] ata1.00: failed command: WRITE FPDMA QUEUED\n[ 2000.0] ata1: hard resetting link\n",
         "SELECT count(*) FROM episode", "2");
    /* an empty port that is probed is no round */
    want("[    2.0] ata6: SATA link down (SStatus 0 SControl 300)\n", "SELECT count(*) FROM episode", "0");
    want("[  900.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen\n"
         "[  960.0] ata1: reset failed, giving up\n[  960.0] ata1.00: disabled\n[  960.0] ata1: EH complete\n",
         "SELECT outcome || ' ' || frozen FROM episode", "disabled 1");
    want("[  900.0] ata1: limiting SATA link speed to 1.5 Gbps\n[  900.0] ata1: hard resetting link\n",
         "SELECT limits || ' ' || resets FROM episode", "1 1");
}

/* Memory and rows stay small, and the last row says how many there were. */
static void a_long_storm(void **state) {
    (void)state;
    enum { N = 3000 };
    char *log = malloc((size_t)N * 160);
    size_t n = 0;
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(
            log + n,
            "[%d.0] ata%d: exception Emask 0x10 SAct 0x0 SErr 0x10000 action 0xe frozen\n[%d.5] ata%d: EH complete\n",
            100 + i * 100, 1 + i % 2, 100 + i * 100, 1 + i % 2);
    want(log, "SELECT (count(*) BETWEEN 100 AND 140) || ' ' || sum(count) || ' ' || max(last_line) FROM episode",
         "1 3000 6000");
    free(log);
}

static void phases(void **state) {
    (void)state;
    want(ROUND("12", "1")
             ROUND("5000", "1") "[9000.0] ACPI: PM: Waking up from system sleep state S3\n" ROUND("9004", "1")
                 ROUND("9900", "1"),
         "SELECT group_concat(phase, '|') FROM episode", "boot|run|resume|run");
    want("ata1.00: failed command: WRITE FPDMA QUEUED\n", "SELECT coalesce(phase, '-') FROM episode", "-");
}

/* A log's own clock stands still while the system sleeps. */
static void sleep_moves_the_clock(void **state) {
    (void)state;
    want("[    1.0] rtc_cmos 00:01: setting system clock to 2024-07-01T12:00:00 UTC (1719835200)\n"
         "[ 100.0] ata1: hard resetting link\n"
         "[ 200.0] PM: Timekeeping suspended for 3600.000 seconds\n"
         "[ 300.0] ata1: hard resetting link\n",
         "SELECT CAST(max(t_s) - min(t_s) AS INTEGER) || ' ' || CAST((SELECT last_s - first_s FROM log_window) AS "
         "INTEGER) "
         "FROM log_event WHERE event = 'link-reset'",
         "3800 3899");
    want("[ 300.0] PM: Timekeeping suspended for many seconds\n[ 301.0] ata1: hard resetting link\n",
         "SELECT count(t_s) FROM log_event", "0");
}

/* "Unaligned write command" beside a dropped link is libata's word for it (ata_to_sense_error), no alignment. */
static void sense_placeholders(void **state) {
    (void)state;
    want("[900.0] sd 2:0:0:0: [sdb] tag#1 Add. Sense: Unaligned write command\n"
         "[900.0] sd 2:0:0:0: [sdb] tag#2 Add. Sense: Scsi parity error\n",
         "SELECT group_concat(event, '|') FROM log_event", "sense-placeholder|sense-placeholder");
}

static void policy_of_the_port_line(void **state) {
    (void)state;
    want("[    1.9] ata1: SATA max UDMA/133 abar m2048@0xf7d36000 port 0xf7d36100 irq 125 lpm-pol 3\n"
         "[    1.9] ata2: SATA max UDMA/133 abar m2048@0xf7d36000 port 0xf7d36180 irq 125 lpm-pol 1 ext\n"
         "[    1.9] ata3: SATA max UDMA/133 abar m2048@0xf7d36000 port 0xf7d36200 irq 125 lpm-pol 9\n",
         "SELECT group_concat(value, '|') FROM setting WHERE key = 'lpm_policy'",
         "med_power_with_dipm|max_performance");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes),
        cmocka_unit_test(rounds_and_storms),
        cmocka_unit_test(a_long_storm),
        cmocka_unit_test(phases),
        cmocka_unit_test(sleep_moves_the_clock),
        cmocka_unit_test(sense_placeholders),
        cmocka_unit_test(policy_of_the_port_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
