/*
 * test_parse_kernel_log.c - kernel logs: stamps, boots, probe lines, events, damage, and every log of the corpus
 */
#include "../../analyze/parse/log_prefix.h"

#include "parse_test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_kernel_log;

static ParseTest *run(const char *text) {
    return pt_run(&parser_kernel_log, NULL, NULL, str_of(text));
}

/* One value as text. */
static void want(ParseTest *pt, const char *sql, const char *value) {
    const char *got = pt_text(pt, sql);
    if (strcmp(got, value) != 0) fail_msg("%s\n  gives \"%s\", not \"%s\"", sql, got, value);
}

/* Setting of a name in a boot, as the parser wrote it; several are joined with '|' in line order. */
static void want_setting(ParseTest *pt, const char *kind, const char *name, const char *key, const char *value) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT coalesce(group_concat(value, '|'), '-') FROM (SELECT s.value FROM setting s JOIN ref r ON r.id = "
             "s.node "
             "WHERE r.kind = '%s' AND r.name = '%s' AND s.key = '%s' ORDER BY s.line)",
             kind, name, key);
    want(pt, sql, value);
}

static void want_same(ParseTest *pt, const char *a, const char *b, int yes) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT count(*) > 0 FROM same_as JOIN ref x ON x.id = a JOIN ref y ON y.id = b WHERE (x.name = '%s' AND "
             "y.name = '%s') OR "
             "(x.name = '%s' AND y.name = '%s')",
             a, b, b, a);
    want(pt, sql, yes ? "1" : "0");
}

static void want_edge(ParseTest *pt, const char *parent, const char *child) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT count(*) > 0 FROM edge JOIN ref x ON x.id = parent JOIN ref y ON y.id = child WHERE x.name = '%s' "
             "AND y.name = '%s'",
             parent, child);
    want(pt, sql, "1");
}

/* ------------------------------------------------------------------ prefixes */

static void prefixes(void **state) {
    (void)state;
    static const struct {
        const char *line, *msg;
        double mono, wall; /* NAN: none */
        bool zone, kernel, stamped;
    } rows[] = {
        {"[    2.101312] sd 2:0:0:0: [sda] x", "sd 2:0:0:0: [sda] x", 2.101312, NAN, false, true, true},
        {"[12345.678901] sd 2:0:0:0: x\r", "sd 2:0:0:0: x", 12345.678901, NAN, false, true, true},
        {"<6>[    2.101312] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"<6>ata1: x", "ata1: x", NAN, NAN, false, true, false},
        {"kern  :info  : [    2.101312] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"kern  :err   : [Mon Jul  1 12:00:00 2024] ata1: x", "ata1: x", NAN, 1719835200, false, true, true},
        {"[Mon Jul  1 12:00:00 2024] ata1: x", "ata1: x", NAN, 1719835200, false, true, true},
        {"[Mo Jul  1 12:00:00 2024] ata1: x", "ata1: x", NAN, 1719835200, false, true, true},
        {"[Do Okt 10 12:00:00 2024] ata1: x", "ata1: x", NAN, 1728561600, false, true, true},
        {"[    2.101312 <    0.000004>] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"[<    0.000004>] ata1: x", "ata1: x", NAN, NAN, false, true, true},
        {"[    2.101312] [   T12] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"[    2.101312][    C3] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"[ ... ] ata1.00: x", "ata1.00: x", NAN, NAN, false, true, true},
        {"Jul  1 12:00:00 nas kernel: [    2.101312] ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"Jul  1 12:00:00 nas kernel: ata1: x", "ata1: x", NAN, NAN, false, true, true},
        {"Jul  1 2024 12:00:00 nas kernel: ata1: x", "ata1: x", NAN, 1719835200, false, true, true},
        {"Jul  1 12:00:00 <kern.crit> nas kernel: ada0: x", "ada0: x", NAN, NAN, false, true, true},
        {"Jul  1 12:00:00  nvme nvme0: I/O 1 QID 2 timeout", "nvme nvme0: I/O 1 QID 2 timeout", NAN, NAN, false, true,
         true},
        {"Jul  1 12:00:00 nas smartd[812]: Device: /dev/sda", "smartd[812]: Device: /dev/sda", NAN, NAN, false, false,
         true},
        {"2024-07-01T12:00:00+0200 nas kernel: ata1: x", "ata1: x", NAN, 1719828000, true, true, true},
        {"2024-07-01T12:00:00.500000+02:00 nas kernel: [  7.5] ata1: x", "ata1: x", 7.5, 1719828000.5, true, true,
         true},
        {"2024-07-01T12:00:00Z nas kernel: ata1: x", "ata1: x", NAN, 1719835200, true, true, true},
        {"2024-07-01T12:00:00,123456+02:00 ata1: x", "ata1: x", NAN, 1719828000.123456, true, true, true},
        {"Mon 2024-07-01 12:00:00 UTC nas kernel: ata1: x", "ata1: x", NAN, 1719835200, true, true, true},
        {"Mon 2024-07-01 12:00:00 CEST nas kernel: ata1: x", "ata1: x", NAN, 1719835200, false, true, true},
        {"1719828000.123456 nas kernel: ata1: x", "ata1: x", NAN, 1719828000.123456, true, true, true},
        {"[    2.101312] nas kernel: ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"[    9.101312] nas systemd[1]: x", "systemd[1]: x", 9.101312, NAN, false, false, true},
        {"[    9.101312] systemd[1]: x", "systemd[1]: x", 9.101312, NAN, false, true, true},
        {"<2>1 2024-07-01T12:00:00.000000Z nas kernel - - - ada0: x", "ada0: x", NAN, 1719835200, true, true, true},
        {"6,1234,2101312,-;ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"6,1234,2101312,-,caller=T1;ata1: x", "ata1: x", 2.101312, NAN, false, true, true},
        {"kernel: ata1: x", "ata1: x", NAN, NAN, false, true, false},
        /* no prefixes at all */
        {"ata1: SATA link up", "ata1: SATA link up", NAN, NAN, false, true, false},
        {"[sda] x", "[sda] x", NAN, NAN, false, true, false},
        {"[ath_hal] loaded", "[ath_hal] loaded", NAN, NAN, false, true, false},
        {"[0:0:0:0]    disk    ATA", "[0:0:0:0]    disk    ATA", NAN, NAN, false, true, false},
        {"[99999999999999999999.5] x", "[99999999999999999999.5] x", NAN, NAN, false, true, false},
        {"[    2.1", "[    2.1", NAN, NAN, false, true, false},
        {"Jul 32 12:00:00 nas kernel: x", "Jul 32 12:00:00 nas kernel: x", NAN, NAN, false, true, false},
        {"2024-13-01T12:00:00Z nas kernel: x", "2024-13-01T12:00:00Z nas kernel: x", NAN, NAN, false, true, false},
        {"", "", NAN, NAN, false, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LogPrefix p;
        log_prefix(str_of(rows[i].line), NULL, &p);
        if (!str_is(p.msg, rows[i].msg)) fail_msg("\"%s\": message \"%.*s\"", rows[i].line, STR_ARG(p.msg));
        if (isnan(rows[i].mono) != isnan(p.mono_s) || fabs(rows[i].mono - p.mono_s) > 1e-9)
            fail_msg("\"%s\": monotonic %f", rows[i].line, p.mono_s);
        if (isnan(rows[i].wall) != isnan(p.wall_s) || fabs(rows[i].wall - p.wall_s) > 1e-6)
            fail_msg("\"%s\": wall %f", rows[i].line, p.wall_s);
        if (rows[i].zone != p.has_zone || rows[i].kernel != p.kernel || rows[i].stamped != p.stamped)
            fail_msg("\"%s\": zone %d kernel %d stamped %d", rows[i].line, p.has_zone, p.kernel, p.stamped);
    }
}

static void relative_stamps_add_up(void **state) {
    (void)state;
    LogClock clock = {.year = 2024};
    LogPrefix p;
    log_prefix(STR("[Jul 1 12:00] first"), &clock, &p);
    assert_true(fabs(p.wall_s - 1719835200) < 1e-6);
    log_prefix(STR("[  +1.500000] second"), &clock, &p);
    log_prefix(STR("[  +0.250000] third"), &clock, &p);
    assert_true(fabs(p.wall_s - 1719835201.75) < 1e-6);
    assert_true(str_is(p.msg, "third"));
}

/* ------------------------------------------------------------------ probe lines */

#define AHCI_BOOT                                                                                                      \
    "[    0.000000] Linux version 6.1.0-13-amd64 (builder@example) (gcc-12) #1 SMP Debian 6.1.55-1 (2023-09-29)\n"     \
    "[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=UUID=1 ro quiet\n"                                          \
    "[    0.000349] DMI: HPE ProLiant MicroServer Gen10 Plus v2/ProLiant MicroServer Gen10 Plus v2, BIOS U64 "         \
    "08/18/2022\n"                                                                                                     \
    "[    0.000400] Hypervisor detected: KVM\n"                                                                        \
    "[    1.753310] rtc_cmos 00:02: setting system clock to 2024-07-01T10:00:00 UTC (1719828000)\n"                    \
    "[    1.868609] Run /init as init process\n"                                                                       \
    "[    2.036884] ahci 0000:00:17.0: AHCI 0001.0301 32 slots 4 ports 6 Gbps 0xd impl SATA mode\n"                    \
    "[    2.038385] scsi host0: ahci\n"                                                                                \
    "[    2.039885] scsi host1: ahci\n"                                                                                \
    "[    2.041385] scsi host2: ahci\n"                                                                                \
    "[    2.042885] scsi host3: ahci\n"                                                                                \
    "[    2.045985] ata1: SATA max UDMA/133 abar m2048@0xfebff800 port 0xfebff900 irq 100\n"                           \
    "[    2.045996] ata2: DUMMY\n"                                                                                     \
    "[    2.046096] ata3: SATA max UDMA/133 abar m2048@0xfebff800 port 0xfebffa00 irq 100 lpm-pol 0\n"                 \
    "[    2.046097] ata4: SATA max UDMA/133 abar m2048@0xfebff800 port 0xfebffa80 irq 100\n"                           \
    "[    2.356109] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"                                          \
    "[    2.356200] ata1: SATA link up 1.5 Gbps (SStatus 113 SControl 310)\n"                                          \
    "[    2.358709] ata3.00: ATA-11: Northwind SSD, 500G NW01B2X, NW01B2XQ, max UDMA/133\n"                            \
    "[    2.359309] ata3.00: 976773168 sectors, multi 1: LBA48 NCQ (depth 32), AA\n"                                   \
    "[    2.358800] ata1.00: ATA-9: Contoso Spin 4TB, CS10, max UDMA/133\n"                                            \
    "[    2.359400] ata1.00: 7814037168 sectors, multi 16: LBA48 NCQ (not used)\n"                                     \
    "[    2.472109] ata4: SATA link down (SStatus 0 SControl 300)\n"                                                   \
    "[    2.532509] scsi 0:0:0:0: Direct-Access     ATA      Contoso Spin 4TB CS10 PQ: 0 ANSI: 5\n"                    \
    "[    2.533909] scsi 2:0:0:0: Direct-Access     ATA      Northwind SSD, 5 B2XQ PQ: 0 ANSI: 5\n"                    \
    "[    2.535645] sd 2:0:0:0: [sdb] 976773168 512-byte logical blocks: (500 GB/466 GiB)\n"                           \
    "[    2.535650] sd 2:0:0:0: [sdb] 4096-byte physical blocks\n"                                                     \
    "[    2.535768] sd 2:0:0:0: [sdb] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA\n"        \
    "[    2.537111] sd 0:0:0:0: [sda] Write cache: enabled, read cache: disabled, supports DPO and FUA\n"              \
    "[    2.540288] sd 2:0:0:0: [sdb] Attached SCSI disk\n"                                                            \
    "[    4.946854] systemd[1]: systemd 252 running in system mode (+PAM)\n"                                           \
    "[  900.100000] sd 2:0:0:0: [sdb] Write cache: enabled, read cache: enabled, doesn't support DPO or FUA\n"         \
    "[  900.200000] blk_update_request: 12 callbacks suppressed\n"                                                     \
    "[  900.300000] printk: 3 messages suppressed.\n"

static void ahci_boot(void **state) {
    (void)state;
    ParseTest *pt = run(AHCI_BOOT);
    assert_int_equal(pt->result, PARSE_OK);
    assert_int_equal(pt->ctx.bad_rows, 0);
    want_setting(pt, "host", "host", "kernel_release", "6.1.0-13-amd64");
    want_setting(pt, "host", "host", "cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=1 ro quiet");
    want_setting(pt, "host", "host", "dmi_sys_vendor", "HPE");
    want_setting(pt, "host", "host", "dmi_product_name", "ProLiant MicroServer Gen10 Plus v2");
    want_setting(pt, "host", "host", "dmi_bios_version", "U64");
    want_setting(pt, "host", "host", "dmi_bios_date", "08/18/2022");
    want_setting(pt, "host", "host", "virtualization", "kvm");
    want_setting(pt, "pci", "0000:00:17.0", "ahci_ports_gbps", "6");
    want_setting(pt, "ata", "ata3", "sata_mode_seen", "ahci");
    want_setting(pt, "ata", "ata3", "port", "3");
    want_setting(pt, "ata", "ata3", "pci", "0000:00:17.0");
    want_setting(pt, "ata", "ata3", "link_gbps", "6");
    want_setting(pt, "ata", "ata3", "link_limit_gbps", "-");
    want_setting(pt, "ata", "ata1", "link_gbps", "1.5");
    want_setting(pt, "ata", "ata1", "link_limit_gbps", "1.5");
    want_setting(pt, "ata", "ata2", "port", "-"); /* a dummy is no port */
    /* the model itself has a comma */
    want_setting(pt, "ata", "ata3.00", "model", "Northwind SSD, 500G NW01B2X");
    want_setting(pt, "ata", "ata3.00", "firmware", "NW01B2XQ");
    want_setting(pt, "ata", "ata3.00", "transport", "sata");
    want_setting(pt, "ata", "ata3.00", "ncq_depth", "32");
    want_setting(pt, "ata", "ata1.00", "ncq_depth", "0");
    /* sd spoke for one of them; the other's size is libata's */
    want_setting(pt, "ata", "ata3.00", "size_bytes", "-");
    want_setting(pt, "ata", "ata1.00", "size_bytes", "4000787030016");
    want_setting(pt, "disk", "sdb", "size_bytes", "500107862016");
    want_setting(pt, "disk", "sdb", "logical_block_bytes", "512");
    want_setting(pt, "disk", "sdb", "physical_block_bytes", "4096");
    want_setting(pt, "disk", "sdb", "write_cache", "off|on"); /* every line counts: one before, one after user space */
    want_setting(pt, "disk", "sda", "read_cache", "off");
    want_setting(pt, "disk", "sda", "fua", "1");
    want_setting(pt, "disk", "sdb", "removable", "0");
    want(pt, "SELECT view FROM setting WHERE key = 'write_cache' LIMIT 1", "kernel");
    want(pt, "SELECT text FROM line_text WHERE line = 24",
         "[    2.533909] scsi 2:0:0:0: Direct-Access     ATA      Northwind SSD, 5 B2XQ PQ: 0 ANSI: 5");
    want_same(pt, "ata3.00", "2:0:0:0", 1);
    want_same(pt, "ata1.00", "0:0:0:0", 1);
    want_same(pt, "2:0:0:0", "sdb", 1);
    want_same(pt, "ata3", "host2", 1);
    want_edge(pt, "0000:00:17.0", "ata3");
    want_setting(pt, "scsi", "2:0:0:0", "ata_port", "ata3");
    want_setting(pt, "scsi", "2:0:0:0", "ata_dev", "00");
    want_setting(pt, "scsi", "2:0:0:0", "port", "3");
    want_setting(pt, "scsi", "2:0:0:0", "model", "-"); /* 16 cut bytes of it are no news */
    want(pt, "SELECT count(*) FROM log_window", "1");
    want(pt, "SELECT start_present FROM log_window", "1");
    want(pt, "SELECT lines FROM log_window", "33");
    want(pt, "SELECT suppressed FROM log_window", "15");
    assert_true(fabs(pt_real(pt, "SELECT user_space_mono_s FROM log_window") - 4.946854) < 1e-9);
    assert_true(fabs(pt_real(pt, "SELECT last_mono_s FROM log_window") - 900.3) < 1e-9);
    /* 1719828000 at 1.753310 s */
    assert_true(
        fabs(pt_real(pt, "SELECT t_s FROM log_event WHERE event = 'write-cache-state' ORDER BY line DESC LIMIT 1") -
             (1719828000 - 1.75331 + 900.1)) < 1e-3);
    want(pt,
         "SELECT r.name FROM log_event e JOIN ref r ON r.id = e.node WHERE e.event = 'write-cache-state' AND e.line = "
         "27",
         "sdb");
    want(pt, "SELECT json_extract(fields, '$.wc') FROM log_event WHERE line = 27", "disabled");
    pt_free(pt);
}

static void ide_mode_boot(void **state) {
    (void)state;
    ParseTest *pt = run("[    1.100000] ata_piix 0000:00:1f.2: MAP [ P0 P2 P1 P3 ]\n"
                        "[    1.110000] scsi0 : ata_piix\n"
                        "[    1.110100] scsi1 : ata_piix\n"
                        "[    1.120000] ata1: SATA max UDMA/133 cmd 0x1f0 ctl 0x3f6 bmdma 0xf0a0 irq 14\n"
                        "[    1.120100] ata2: SATA max UDMA/133 cmd 0x170 ctl 0x376 bmdma 0xf0a8 irq 15\n"
                        "[    1.300000] ata1.00: ATA-9: Contoso SSD A, M3CR046, max UDMA/133\n"
                        "[    1.300100] ata1.00: 468862128 sectors, multi 16: LBA48 NCQ (depth 0/32)\n"
                        "[    1.300200] ata1.01: ATA-9: Contoso SSD B, C2, max UDMA/133\n"
                        "[    1.300300] ata1.01: 468862128 sectors, multi 16: LBA48 NCQ (depth 0/32)\n"
                        "[    1.400000] ata2.00: ATAPI: Northwind DVD, N1, max UDMA/100\n"
                        "[    1.500000] scsi 0:0:0:0: Direct-Access     ATA      Contoso SSD A    046  PQ: 0 ANSI: 5\n"
                        "[    1.500100] scsi 0:0:1:0: Direct-Access     ATA      Contoso SSD B    C2   PQ: 0 ANSI: 5\n"
                        "[    1.500200] scsi 1:0:0:0: CD-ROM            NORTHWIN DVD              N1   PQ: 0 ANSI: 5\n"
                        "[    1.600000] sr 1:0:0:0: Attached scsi CD-ROM sr0\n");
    want_setting(pt, "ata", "ata1", "sata_mode_seen", "ide");
    want_setting(pt, "ata", "ata1", "pci", "0000:00:1f.2");
    want_setting(pt, "ata", "ata2", "port", "2");
    want_setting(pt, "ata", "ata1.01", "ncq_depth", "0");
    want_setting(pt, "ata", "ata1.01", "sata_mode_seen", "ide"); /* the port's word, for each of the two */
    want_setting(pt, "ata", "ata1.01", "ncq_supported", "yes");
    want_setting(pt, "ata", "ata2.00", "device_type", "cdrom");
    want_same(pt, "ata1.00", "0:0:0:0", 1);
    want_same(pt, "ata1.01", "0:0:1:0", 1);
    want_same(pt, "ata2.00", "1:0:0:0", 1);
    want_same(pt, "1:0:0:0", "sr0", 1);
    want_edge(pt, "ata1", "ata1.01"); /* two share the channel */
    want_setting(pt, "scsi", "0:0:1:0", "ata_dev", "01");
    want(pt, "SELECT start_present FROM log_window", "0"); /* 1.1 s: what came before is not there */
    pt_free(pt);
}

/* ata(4) of FreeBSD: two disks on one channel, both with their place. */
static void freebsd_ide_mode(void **state) {
    (void)state;
    ParseTest *pt =
        run("atapci0: <Intel ICH8 SATA300 controller> port 0x1f0-0x1f7,0x3f6,0x170-0x177,0x376 at device 31.2 on pci0\n"
            "ata0: <ATA channel> at channel 0 on atapci0\n"
            "ata1: <ATA channel> at channel 1 on atapci0\n"
            "ada0 at ata0 bus 0 scbus0 target 0 lun 0\n"
            "ada0: <Contoso SSD A C1> ATA-9 SATA 3.x device\n"
            "ada0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)\n"
            "ada1 at ata0 bus 0 scbus0 target 1 lun 0\n"
            "ada1: <Contoso SSD B C2> ATA-9 SATA 3.x device\n"
            "ada1: 16.700MB/s transfers (WDMA2, PIO 8192bytes)\n" /* what an old driver makes of a SATA drive */
            "ada2 at ata1 bus 0 scbus1 target 0 lun 0\n");
    want_setting(pt, "disk", "ada0", "sata_mode_seen", "ide");
    want_setting(pt, "disk", "ada0", "ata_dev", "00");
    want_setting(pt, "disk", "ada1", "ata_dev", "01");
    want_setting(pt, "disk", "ada1", "ata_port", "ata0");
    want_setting(pt, "disk", "ada0", "pci", "0000:00:1f.2");
    want_setting(pt, "disk", "ada1", "pci", "0000:00:1f.2");
    want_setting(pt, "disk", "ada1", "port", "1");
    want_setting(pt, "disk", "ada1", "transport", "sata");
    want_same(pt, "ata0", "ada0", 0);
    want_same(pt, "ata1", "ada2", 1);
    pt_free(pt);
}

/* Chips that announce no ports: the driver's line ties hosts to the function, as far as its two ports go. */
static void sff_without_map(void **state) {
    (void)state;
    ParseTest *pt = run("[    1.1] sata_nv 0000:00:0e.0: Using SWNCQ mode\n"
                        "[    1.2] scsi host0: sata_nv\n"
                        "[    1.2] scsi host1: sata_nv\n"
                        "[    1.2] scsi host2: sata_nv\n"
                        "[    1.3] ata1: SATA max UDMA/133 cmd 0x9f0 ctl 0xbf0 bmdma 0xd400 irq 20\n"
                        "[    1.3] ata2: SATA max UDMA/133 cmd 0x970 ctl 0xb70 bmdma 0xd408 irq 20\n"
                        "[    1.3] ata3: SATA max UDMA/133 cmd 0x9e0 ctl 0xbe0 bmdma 0xe400 irq 21\n"
                        "[    1.4] sata_nv 0000:00:zz.0: Using SWNCQ mode\n");
    want_setting(pt, "ata", "ata2", "pci", "0000:00:0e.0");
    want(pt, "SELECT count(*) FROM setting s JOIN ref r ON r.id = s.node WHERE r.name = 'ata3' AND s.key = 'pci'", "0");
    pt_free(pt);
}

/* The controller's lines are gone: identify and inquiry lines find each other by model, in order where models repeat. */
static void ata_pairs_without_hosts(void **state) {
    (void)state;
    ParseTest *pt = run("ata7.00: ATA-8: Contoso Spin 250, CS01, max UDMA/133\n"
                        "ata8.00: ATA-8: Contoso Spin 250, CS01, max UDMA/133\n"
                        "ata9.00: ATA-8: Northwind SSD, NW01, max UDMA/133\n"
                        "scsi 2:0:0:0: Direct-Access     ATA      Contoso Spin 250 CS01 PQ: 0 ANSI: 5\n"
                        "scsi 2:0:1:0: Direct-Access     ATA      Contoso Spin 250 CS01 PQ: 0 ANSI: 5\n"
                        "scsi 2:0:2:0: Direct-Access     ATA      Northwind SSD    NW02 PQ: 0 ANSI: 5\n");
    want_same(pt, "ata7.00", "2:0:0:0", 1);
    want_same(pt, "ata8.00", "2:0:1:0", 1);
    want_same(pt, "ata9.00", "2:0:2:0", 0); /* another firmware: not the same drive */
    want_setting(pt, "scsi", "2:0:2:0", "model", "Northwind SSD");
    want_setting(pt, "scsi", "2:0:2:0", "firmware", "NW02");
    pt_free(pt);
    /* three of one against two of the other: nobody can tell which */
    pt = run(
        "ata1.00: ATA-8: Contoso Spin 250, CS01, max UDMA/133\nata2.00: ATA-8: Contoso Spin 250, CS01, max UDMA/133\n"
        "scsi 0:0:0:0: Direct-Access     ATA      Contoso Spin 250 CS01 PQ: 0 ANSI: 5\n");
    want(pt, "SELECT count(*) FROM same_as", "0");
    pt_free(pt);
    /* A log searched for names of disks has no "scsi ..." lines: blocks that one drive and one disk count are the same. */
    pt = run("[    2.0] ata2.00: ATA-9: FOO, 1, max UDMA/133\n[    2.0] ata2.00: 250069680 sectors, multi 16: LBA48\n"
             "[    2.0] ata3.00: ATA-9: BAR, 1, max UDMA/133\n[    2.0] ata3.00: 976773168 sectors, multi 16: LBA48\n"
             "[    2.0] ata4.00: ATA-9: BAR, 1, max UDMA/133\n[    2.0] ata4.00: 976773168 sectors, multi 16: LBA48\n"
             "[    2.1] sd 6:0:0:0: [sda] 250069680 512-byte logical blocks: (128 GB/119 GiB)\n"
             "[    2.1] sd 7:0:0:0: [sdb] 976773168 512-byte logical blocks: (500 GB/466 GiB)\n");
    want_same(pt, "ata2.00", "6:0:0:0", 1);
    want_same(pt, "ata3.00", "7:0:0:0", 0);
    want_same(pt, "ata4.00", "7:0:0:0", 0);
    pt_free(pt);
}

/* Two controllers probed at once: hosts are mixed, and the port's register address shows it. */
static void mixed_hosts_are_not_tied(void **state) {
    (void)state;
    ParseTest *pt = run("[    2.0] ahci 0000:00:17.0: AHCI 0001.0301 32 slots 2 ports 6 Gbps 0x3 impl SATA mode\n"
                        "[    2.0] ahci 0000:01:00.0: AHCI 0001.0200 32 slots 2 ports 6 Gbps 0x3 impl SATA mode\n"
                        "[    2.1] scsi host0: ahci\n[    2.1] scsi host1: ahci\n[    2.1] scsi host2: ahci\n[    2.1] "
                        "scsi host3: ahci\n"
                        "[    2.2] ata1: SATA max UDMA/133 abar m2048@0xfe000000 port 0xfe000100 irq 30\n"
                        "[    2.2] ata2: SATA max UDMA/133 abar m2048@0xfd000000 port 0xfd000100 irq 31\n");
    want_same(pt, "ata1", "host0", 1);
    want_same(pt, "ata2", "host1", 0);
    want_setting(pt, "ata", "ata2", "pci", "-");
    want_setting(pt, "ata", "ata2", "port", "1");
    pt_free(pt);
}

/* Newer mpt3sas names the target, older ones the unit; both say bay and enclosure. */
static void sas_bays(void **state) {
    (void)state;
    ParseTest *pt = run("[    1.3] scsi target11:0:1: handle(0x000a), sas_address(0x5000c500aabbccdd), phy(6)\n"
                        "[    1.3] scsi target11:0:1: enclosure logical id(0x500062b202d7ea80), slot(6) \n"
                        "[    1.3] scsi 6:0:1:0: enclosure logical id (0x500605b00a4d21c0), slot(2) \n"
                        "[    1.3] scsi target11:0:x: enclosure logical id(0x500062b202d7ea80), slot(9) \n"
                        "[    1.3] scsi 6:0:2:0: enclosure logical id (0x0000000000000000), slot(3) \n");
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(r.name || ' ' || s.key || '=' || s.value, '; ') FROM setting s JOIN "
                    "ref r ON r.id = s.node WHERE s.key IN ('phy', 'slot', 'enclosure') ORDER BY s.rowid"),
        "11:0:1:0 phy=6; 11:0:1:0 slot=6; 11:0:1:0 enclosure=0x500062b202d7ea80; 6:0:1:0 slot=2; 6:0:1:0 "
        "enclosure=0x500605b00a4d21c0; 6:0:2:0 slot=3");
    pt_free(pt);
}

static void sas_usb_nvme_virtio(void **state) {
    (void)state;
    ParseTest *pt =
        run("[    1.0] mpt3sas 0000:03:00.0: enabling device (0000 -> 0002)\n"
            "[    1.1] mpt2sas_cm0: LSISAS2308: FWVersion(20.00.07.00), ChipRevision(0x05), BiosVersion(07.39.02.00)\n"
            "[    1.2] scsi host6: Fusion MPT SAS Host\n"
            "[    1.3] scsi 6:0:1:0: Direct-Access     CONTOSO  SAS SPIN 8TB     C004 PQ: 0 ANSI: 6\n"
            "[    1.3] scsi 6:0:1:0: SSP: handle(0x000a), sas_addr(0x5000c500aabbccdd), phy(1), "
            "device_name(0x5000c500aabbccdc)\n"
            "[    1.3] scsi 6:0:1:0: enclosure logical id (0x500605b00a4d21c0), slot(2) \n"
            "[    1.3] scsi 6:0:1:0: qdepth(254), tagged(1), scsi_level(7), cmd_que(1)\n"
            "[    1.4] xhci_hcd 0000:00:14.0: new USB bus registered, assigned bus number 2\n"
            "[    1.5] usb 2-1: new SuperSpeed USB device number 2 using xhci_hcd\n"
            "[    1.5] usb 2-1: New USB device found, idVendor=174c, idProduct=55aa, bcdDevice= 1.00\n"
            "[    1.5] usb 2-1: Product: Desk Box\n"
            "[    1.5] usb 2-1: Manufacturer: Contoso\n"
            "[    1.5] usb 2-1: SerialNumber: 00000000A1\n"
            "[    1.6] scsi host7: uas\n"
            "[    1.7] usb 2-2: new high-speed USB device number 3 using xhci_hcd\n"
            "[    1.7] usb-storage 2-2:1.0: USB Mass Storage device detected\n"
            "[    1.7] scsi host8: usb-storage 2-2:1.0\n"
            "[    1.8] usb 2-3: new low-speed USB device number 4 using xhci_hcd\n"
            "[    1.8] usb 2-3: Product: Keyboard\n"
            "[    1.9] scsi 7:0:0:0: Direct-Access     Contoso  Desk Box         0    PQ: 0 ANSI: 6\n"
            "[    1.9] scsi 8:0:0:0: Direct-Access Contoso Stick 1.00 PQ: 0 ANSI: 6\n"
            "[    1.9] sd 8:0:0:0: [sdc] Attached SCSI removable disk\n"
            "[    1.9] sd 8:0:0:0: [sdc] No Caching mode page found\n"
            "[    1.9] sd 8:0:0:0: [sdc] Assuming drive cache: write through\n"
            "[    2.0] nvme nvme0: pci function 0000:01:00.0\n"
            "[    2.0] nvme nvme1: pci function 10000:e1:00.0\n"
            "[    2.1] virtio_blk virtio7: [vda] 629145600 512-byte logical blocks (322 GB/300 GiB)\n");
    assert_int_equal(pt->ctx.bad_rows, 0);
    want_same(pt, "host6", "mpt2sas_cm0", 1);
    want_edge(pt, "0000:03:00.0", "host6");
    want_edge(pt, "host6", "6:0:1:0");
    want_setting(pt, "scsi", "6:0:1:0", "vendor", "CONTOSO");
    want_setting(pt, "scsi", "6:0:1:0", "model", "SAS SPIN 8TB");
    want_setting(pt, "scsi", "6:0:1:0", "firmware", "C004");
    want_setting(pt, "scsi", "6:0:1:0", "transport", "sas");
    want_setting(pt, "scsi", "6:0:1:0", "wwn", "5000c500aabbccdc");
    want_setting(pt, "scsi", "6:0:1:0", "slot", "2");
    want_setting(pt, "scsi", "6:0:1:0", "queue_depth", "254");
    want_setting(pt, "scsi", "6:0:1:0", "pci", "0000:03:00.0");
    want_setting(pt, "scsi", "7:0:0:0", "transport", "usb");
    want_setting(pt, "scsi", "7:0:0:0", "usb_driver", "uas");
    want_setting(pt, "scsi", "7:0:0:0", "usb_id", "174c:55aa");
    want_setting(pt, "scsi", "7:0:0:0", "link_gbps", "5");
    want_setting(pt, "scsi", "7:0:0:0", "pci", "0000:00:14.0");
    want_setting(pt, "usb", "2-1", "serial", "00000000A1");
    want_setting(pt, "scsi", "7:0:0:0", "serial", "-"); /* the bridge's serial is not the drive's */
    want_edge(pt, "2-1", "7:0:0:0");
    want_setting(pt, "scsi", "8:0:0:0", "usb_driver", "usb-storage");
    want_setting(pt, "scsi", "8:0:0:0", "link_gbps", "0.48");
    want_setting(pt, "scsi", "8:0:0:0", "model", "Stick"); /* blanks squeezed by a forum */
    want_setting(pt, "usb", "2-3", "model", "-");          /* a keyboard is no storage */
    want_setting(pt, "disk", "sdc", "removable", "1");
    want_setting(pt, "disk", "sdc", "cache_assumed", "write through");
    want_setting(pt, "disk", "nvme0", "pci", "0000:01:00.0");
    want_setting(pt, "disk", "nvme1", "pci", "10000:e1:00.0");
    want_edge(pt, "0000:01:00.0", "nvme0");
    want_setting(pt, "disk", "vda", "size_bytes", "322122547200");
    want_setting(pt, "disk", "vda", "transport", "virtio");
    pt_free(pt);
}

static void freebsd_boot(void **state) {
    (void)state;
    ParseTest *pt = run("---<<BOOT>>---\n"
                        "Copyright (c) 1992-2020 The FreeBSD Project.\n"
                        "FreeBSD 12.2-RELEASE-p7 GENERIC amd64\n"
                        "Hypervisor: Origin = \"VMwareVMware\"\n"
                        "ahci0: <Contoso AHCI SATA controller> port 0xf070-0xf077 mem 0xf7f16000-0xf7f167ff irq 19 at "
                        "device 31.2 on pci0\n"
                        "ahci0: AHCI v1.30 with 6 3Gbps ports, Port Multiplier not supported\n"
                        "ahcich0: <AHCI channel> at channel 0 on ahci0\n"
                        "ahcich2: <AHCI channel> at channel 2 on ahci0\n"
                        "ada0 at ahcich2 bus 0 scbus2 target 0 lun 0\n"
                        "ada0: <Northwind SSD 870 1TB NW02B6Q> ACS-4 ATA SATA 3.x device\n"
                        "ada0: Serial Number NW0000398298M\n"
                        "ada0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)\n"
                        "ada0: Command Queueing enabled\n"
                        "ada0: 953869MB (1953525168 512 byte sectors)\n"
                        "ses0: ada0 in 'Slot 02', SATA Slot: scbus2 target 0\n"
                        "da0 at mps0 bus 0 scbus7 target 4 lun 0\n"
                        "da0: <ATA Contoso Spin 4TB 0A82> Fixed Direct Access SPC-4 SCSI device\n"
                        "da0: Serial Number...\n"
                        "da0: 600.000MB/s transfers\n"
                        "da1 at umass-sim0 bus 0 scbus8 target 0 lun 0\n"
                        "da1: < USB DISK 2.0 PMAP> Removable Direct Access SPC-4 SCSI device\n"
                        "da1: 40.000MB/s transfers\n"
                        "nvd0: <Northwind NV 1TB> NVMe namespace\n"
                        "nvd0: 976762MB (2000409264 512 byte sectors)\n"
                        "(ada0:ahcich2:0:0:0): READ_FPDMA_QUEUED. ACB: 60 08 b0 1e e4 40 06 00 00 00 00 00\n"
                        "(ada0:ahcich2:0:0:0): ATA status: 41 (DRDY ERR), error: 40 (UNC )\n"
                        "ahcich2: Timeout on slot 29 port 0\n");
    want_setting(pt, "host", "host", "kernel_release", "12.2-RELEASE-p7");
    want_setting(pt, "host", "host", "virtualization", "vmware");
    want_setting(pt, "disk", "ada0", "model", "Northwind SSD 870 1TB");
    want_setting(pt, "disk", "ada0", "firmware", "NW02B6Q");
    want_setting(pt, "disk", "ada0", "serial", "NW0000398298M");
    want_setting(pt, "disk", "ada0", "link_gbps", "3");
    want_setting(pt, "disk", "ada0", "transport", "sata|sata"); /* by its standard, and by its link */
    want_setting(pt, "disk", "ada0", "size_bytes", "1000204886016");
    want_setting(pt, "disk", "ada0", "port", "3");
    want_setting(pt, "disk", "ada0", "pci", "0000:00:1f.2");
    want_setting(pt, "disk", "ada0", "slot", "02");
    want_same(pt, "ahcich2", "ada0", 1);
    want_setting(pt, "disk", "da0", "vendor", "ATA");
    want_setting(pt, "disk", "da0", "model", "Contoso Spin 4TB");
    want_setting(pt, "disk", "da0", "serial", "-"); /* masked */
    want_setting(pt, "disk", "da0", "link_gbps", "6");
    want_setting(pt, "disk", "da1", "transport", "usb");
    want_setting(pt, "disk", "da1", "link_gbps", "0.48");
    want_setting(pt, "disk", "da1", "model", "USB DISK 2.0");
    want_setting(pt, "disk", "nvd0", "transport", "nvme");
    want(pt, "SELECT start_present FROM log_window", "1");
    want(pt, "SELECT r.name FROM log_event e JOIN ref r ON r.id = e.node WHERE e.line = 27", "ahcich2");
    want(pt, "SELECT r.kind || r.name FROM log_event e JOIN ref r ON r.id = e.node WHERE e.line = 6",
         "pci0000:00:1f.2");
    want(pt, "SELECT r.name FROM log_event e JOIN ref r ON r.id = e.node WHERE e.line = 26", "ada0");
    pt_free(pt);
    /* the bridge above a function; a bus whose own line is missing tells nothing */
    pt = run("pci0: <ACPI PCI bus> on pcib0\n"
             "pcib2: <ACPI PCI-PCI bridge> irq 17 at device 28.0 on pci0\n"
             "pci2: <ACPI PCI bus> numa-domain 0 on pcib2\n"
             "pci3: <ACPI PCI bus> on pcib12\n"
             "nvme0: <Generic NVMe Device> mem 0xf7900000-0xf7903fff irq 17 at device 0.0 on pci3\n"
             "mps1: <Avago Technologies (LSI) SAS2008> port 0xe000-0xe0ff irq 16 at device 0.0 on pci4\n"
             "ahci0: <Contoso AHCI SATA controller> port 0xf070-0xf077 irq 19 at device 31.2 on pci0\n"
             "mpr0: <x> at device 0.0 on pci999999999999\n");
    want_setting(pt, "host", "host", "pci_parent", "nvme0=pcib12|ahci0=pcib0");
    pt_free(pt);
}

/* ------------------------------------------------------------------ boots and time */

static void boots_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        int boots;
    } rows[] = {
        {"one", "[    1.0] a: x\n[    9.0] a: y\n", 1},
        {"back in time", "[  900.0] a: x\n[    0.0] a: y\n", 2},
        {"stragglers", "[  900.5] a: x\n[  900.1] a: y\n[  898.0] a: z\n", 1},
        {"short boot",
         "[    0.0] Linux version 6.1 (x)\n[    3.0] a: x\n[    0.0] Linux version 6.1 (x)\n[    1.0] a: y\n", 2},
        {"banner behind early lines", "[    0.0] early: x\n[    0.0] Linux version 6.1 (x)\n", 1},
        {"journal marks",
         "-- Boot 0123456789abcdef0123456789abcdef --\nJul  1 12:00:00 nas kernel: a: x\n-- Boot "
         "1123456789abcdef0123456789abcdef --\n"
         "Jul  1 13:00:00 nas kernel: a: x\n-- Reboot --\nJul  1 14:00:00 nas kernel: a: y\n",
         3},
        {"FreeBSD",
         "---<<BOOT>>---\nCopyright (c) 1992-2020 The FreeBSD Project.\nada0: x\nada0: y\n---<<BOOT>>---\n"
         "Copyright (c) 1992-2020 The FreeBSD Project.\nada0: y\n",
         2},
        {"stampless",
         " Linux version 3.10.0 (x)\n ata1: SATA link down (SStatus 0 SControl 300)\n Linux version 3.10.0 (x)\n ata1: "
         "SATA link down (SStatus 0 SControl 300)\n",
         2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = run(rows[i].text);
        int boots = (int)pt_real(pt, "SELECT count(*) FROM log_window");
        if (boots != rows[i].boots) fail_msg("%s: %d boots", rows[i].name, boots);
        assert_int_equal((int)pt_real(pt, "SELECT max(boot) FROM log_window"), rows[i].boots - 1);
        pt_free(pt);
    }
    /* names are per boot: sda of one is not sda of the next */
    ParseTest *pt =
        run("[  900.0] sd 0:0:0:0: [sda] Write cache: enabled, read cache: enabled, doesn't support DPO or FUA\n"
            "[    2.0] sd 0:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA\n");
    want(pt, "SELECT count(*) FROM ref WHERE kind = 'disk' AND name = 'sda'", "2");
    want(pt, "SELECT value FROM setting WHERE key = 'write_cache' AND boot = 1", "off");
    pt_free(pt);
}

static void times(void **state) {
    (void)state;
    /* journalctl -o short: no year until the RTC line, seconds from the start line for monotonic time */
    ParseTest *pt =
        run("Apr 25 13:41:47 nas kernel: Linux version 6.1.0 (x)\n"
            "Apr 25 13:41:48 nas kernel: rtc_cmos 00:02: setting system clock to 2024-04-25T11:41:47 UTC (1714045307)\n"
            "Apr 25 13:41:49 nas kernel: sd 0:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support "
            "DPO or FUA\n"
            "Apr 25 13:41:49 nas systemd[1]: systemd 252 running in system mode (+PAM)\n"
            "Apr 25 13:41:49 nas kernel: sd 1:0:0:0: [sdb] Write cache: disabled, read cache: enabled, doesn't support "
            "DPO or FUA\n"
            "Apr 26 13:41:49 nas kernel: sd 1:0:0:0: [sdb] Write cache: enabled, read cache: enabled, doesn't support "
            "DPO or FUA\n");
    want(pt, "SELECT local_time FROM source", "1");
    assert_true(fabs(pt_real(pt, "SELECT first_s FROM log_window") - 1714052507) < 1e-6);
    assert_true(fabs(pt_real(pt, "SELECT last_s - first_s FROM log_window") - 86402) < 1e-6);
    assert_true(fabs(pt_real(pt, "SELECT t_mono_s FROM log_event WHERE line = 3") - 2) < 1e-6);
    /* within one second the order of the lines decides */
    want(pt,
         "SELECT (SELECT t_mono_s FROM log_event WHERE line = 3) < user_space_mono_s AND user_space_mono_s < "
         "(SELECT t_mono_s FROM log_event WHERE line = 5) FROM log_window",
         "1");
    pt_free(pt);

    /* no year anywhere: facts_resolve() knows it by the date of the capture, over New Year, too */
    pt = run("Dec 31 23:59:50 nas kernel: ata1: hard resetting link\nJan  1 00:00:10 nas kernel: ata1: hard resetting "
             "link\n");
    assert_true(fabs(pt_real(pt, "SELECT min(t_s) FROM log_event") - facts_yearless(365 * 86400.0 + 86390, 0)) < 1e-3);
    assert_true(fabs(pt_real(pt, "SELECT last_s - first_s FROM log_window") - 20) < 1e-3);
    pt_free(pt);

    /* the journal's heading has it */
    pt = run("-- Logs begin at Mon 2024-01-01 00:00:00 CET, end at Tue 2024-07-02 09:00:00 CEST. --\n"
             "Jul  1 12:00:00 nas kernel: ata1: hard resetting link\n");
    assert_true(fabs(pt_real(pt, "SELECT t_s FROM log_event") - 1719835200) < 1e-6);
    pt_free(pt);

    /* initial RAM disk with systemd of its own: the system's init comes after the switch */
    pt = run("[    1.5] systemd[1]: systemd 239 running in system mode.\n[    1.6] systemd[1]: Running in initial RAM "
             "disk.\n"
             "[    3.0] systemd[1]: Switching root.\n[    3.5] systemd[1]: systemd 239 running in system mode.\n");
    assert_true(fabs(pt_real(pt, "SELECT user_space_mono_s FROM log_window") - 3.5) < 1e-9);
    pt_free(pt);

    /* zone given: not local */
    pt = run("2024-07-01T12:00:00+0200 nas kernel: ata1: hard resetting link\n");
    want(pt, "SELECT local_time FROM source", "NULL");
    assert_true(fabs(pt_real(pt, "SELECT t_s FROM log_event") - 1719828000) < 1e-6);
    pt_free(pt);
}

/* ------------------------------------------------------------------ events */

static void storms_fold(void **state) {
    (void)state;
    char text[40000];
    size_t n = 0;
    for (int i = 0; i < 200; i++) /* two disks take turns */
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "[%5d.000000] blk_update_request: I/O error, dev sd%c, sector %d\n", 100 + i,
                              i % 2 ? 'b' : 'a', i);
    ParseTest *pt = run(text);
    want(pt, "SELECT count(*) || ' ' || sum(count) FROM log_event", "100 200");
    want(pt, "SELECT count(*) || ' ' || sum(count) FROM log_event WHERE subject = 'sda'", "50 100");
    want(pt,
         "SELECT count || ' ' || line || ' ' || last_line FROM log_event WHERE subject = 'sda' ORDER BY line DESC "
         "LIMIT 1",
         "51 99 199");
    want(pt, "SELECT text FROM line_text WHERE line = 199",
         "[  298.000000] blk_update_request: I/O error, dev sda, sector 198");
    want(pt, "SELECT max(last_t_mono_s) FROM log_event", "299.0");
    want(pt, "SELECT last_line FROM log_event ORDER BY line LIMIT 1", "NULL");
    pt_free(pt);
}

static void repeats_multiply(void **state) {
    (void)state;
    ParseTest *pt =
        run("Jul  1 12:00:00 nas kernel: ata1: hard resetting link\n"
            "Jul  1 12:00:09 nas last message repeated 4 times\n"
            "Jul  1 12:00:10 nas kernel: something else: x\n"
            "Jul  1 12:00:19 nas last message repeated 9 times\n"
            "Jul  1 12:00:20 nas kernel: message repeated 3 times: [ [   12.345678] ata2: hard resetting link]\n");
    want(pt, "SELECT count || ' ' || last_line FROM log_event WHERE subject = 'ata1'", "5 2");
    want(pt, "SELECT count FROM log_event WHERE subject = 'ata2'", "3");
    want(pt, "SELECT count(*) FROM log_event", "2");
    pt_free(pt);
}

static void continuation_lines_find_their_device(void **state) {
    (void)state;
    ParseTest *pt = run("[  100.0] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x0\n"
                        "[  100.0] ata3.00: failed command: READ FPDMA QUEUED\n"
                        "[  100.0] ata3.00: cmd 60/08:00:b0:1e:e4/00:00:06:00:00/40 tag 0 ncq dma 4096 in\n"
                        "                   res 41/40:00:b0:1e:e4/00:00:06:00:00/40 Emask 0x409 (media error) <F>\n"
                        "[  100.0] ata3.00: status: { DRDY ERR }\n");
    want(pt, "SELECT subject FROM log_event WHERE line = 4", "ata3.00");
    want(pt, "SELECT count(*) FROM log_event e JOIN ref ON ref.id = e.node WHERE ref.name = 'ata3.00'", "5");
    pt_free(pt);
}

static void wrapped_lines_are_joined(void **state) {
    (void)state;
    ParseTest *pt = run("[  350.577181] ata1.00: exception Emask 0x1 SAct 0xffffffff SErr 0x0 \n"
                        "action 0x6 frozen\n"
                        "[  350.584836] ata1.00: failed command: READ FPDMA QUEUED\n"
                        "\n"
                        "sd 11:0:1:0: attempting task abort!scmd(0x00000000ef8da38c), outstanding\n"
                        "for 2098 ms & timeout 1000 ms\n"
                        "sd 11:0:1:0: Power-on or device reset occurred\n");
    want(pt, "SELECT json_extract(fields, '$.action') FROM log_event WHERE line = 1", "6");
    want(pt, "SELECT count(*) FROM log_event WHERE line IN (3, 5, 7)", "3");
    pt_free(pt);
}

static void user_space_quotes_are_not_the_kernel(void **state) {
    (void)state;
    ParseTest *pt = run("Jul  1 12:00:00 nas sudo[99]: root : COMMAND=/bin/grep 'blk_update_request: I/O error, dev "
                        "sda, sector 1' /var/log/syslog\n"
                        "Jul  1 12:00:01 nas zed[999]: eid=77 class=delay pool='tank' "
                        "vdev=wwn-0x5000c500a1b2c3d4-part1 size=131072 offset=1234 "
                        "priority=2 err=0 flags=0x180880 delay=31012ms\n");
    want(pt, "SELECT group_concat(sig) FROM log_event", "zed-delay");
    want(pt, "SELECT r.kind || ' ' || r.name FROM log_event e JOIN ref r ON r.id = e.node",
         "member wwn-0x5000c500a1b2c3d4-part1");
    pt_free(pt);
}

static void subjects_become_names(void **state) {
    (void)state;
    static const struct {
        const char *line, *ref;
    } rows[] = {
        {"[ 9.0] ata4: limiting SATA link speed to 1.5 Gbps", "ata ata4"},
        {"[ 9.0] ata4.00: NCQ disabled due to excessive errors", "ata ata4.00"},
        {"[ 9.0] nvme nvme0: I/O 528 QID 10 timeout, aborting", "disk nvme0"},
        /* a path of native multipath is its namespace */
        {"[ 9.0] nvme0c1n2: Read(0x2) @ LBA 12, 8 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81) DNR ",
         "disk nvme0n2"},
        {"[ 9.0] critical medium error, dev nvme3c0n1, sector 1234567 op 0x0:(READ) flags 0x80700 phys_seg 1 prio "
         "class 2",
         "disk nvme3n1"},
        {"[ 9.0] sd 2:0:0:0: rejecting I/O to offline device", "scsi 2:0:0:0"},
        {"[ 9.0] usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd", "usb 2-1"},
        {"[ 9.0] scsi host6: uas_eh_device_reset_handler start", "scsihost host6"},
        {"[ 9.0] pcieport 0000:00:1c.0: AER: Corrected error received: 0000:01:00.0", "pci 0000:00:1c.0"},
        {"[ 9.0] md/raid1:md0: Disk failure on sdb1, disabling device.", "disk sdb1"},
        {"[ 9.0] md/raid1:md0: Operation continuing on 1 devices.", "array md0"},
        {"[ 9.0] EXT4-fs error (device dm-0): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0",
         "disk dm-0"},
        {"[ 9.0] INFO: task txg_sync:1234 blocked for more than 120 seconds.", "host host"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = run(rows[i].line);
        const char *got = pt_text(pt, "SELECT r.kind || ' ' || r.name FROM log_event e JOIN ref r ON r.id = e.node");
        if (strcmp(got, rows[i].ref) != 0) fail_msg("%s: \"%s\"", rows[i].line, got);
        pt_free(pt);
    }
}

/* ------------------------------------------------------------------ other forms, damage */

static void json_forms(void **state) {
    (void)state;
    ParseTest *pt = run("{\n   \"dmesg\": [\n      {\n         \"pri\": 6,\n         \"time\":    2.500000,\n         "
                        "\"msg\": \"ata3: limiting SATA link speed to \\u0031.5 Gbps\"\n      },{\n"
                        "         \"pri\": 6,\n         \"time\":    3.000000,\n         \"msg\": \"a \\\"quoted\\\" "
                        "line\"\n      }\n   ]\n}\n");
    want(pt, "SELECT sig || ' ' || subject || ' ' || t_mono_s FROM log_event", "ATA005 ata3 2.5");
    want(pt, "SELECT last_mono_s FROM log_window", "3.0");
    pt_free(pt);
    pt = run("{\"__REALTIME_TIMESTAMP\":\"1719828000123456\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":"
             "\"kernel\",\"MESSAGE\":\"ata3: hard resetting link\","
             "\"__MONOTONIC_TIMESTAMP\":\"2500000\"}\n"
             "{\"MESSAGE\":\"eid=12 class=statechange pool='home' vdev=sdc1 "
             "vdev_state=UNAVAIL\",\"SYSLOG_IDENTIFIER\":\"zed\",\"__REALTIME_TIMESTAMP\":\"1719828001000000\"}\n");
    want(pt, "SELECT subject || ' ' || t_mono_s FROM log_event ORDER BY line LIMIT 1", "ata3 2.5");
    assert_true(fabs(pt_real(pt, "SELECT min(t_s) FROM log_event") - 1719828000.123456) < 1e-5);
    want(pt, "SELECT count(*) FROM log_event WHERE sig LIKE 'zed%'", "1");
    pt_free(pt);
}

static void colours_are_stripped(void **state) {
    (void)state;
    ParseTest *pt = run("\x1b[32m[    2.101312] \x1b[0m\x1b[33mata3\x1b[0m: limiting SATA link speed to 1.5 Gbps\n");
    want(pt, "SELECT sig || ' ' || subject FROM log_event", "ATA005 ata3");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        ParseResult result;
        int bad;
    } rows[] = {
        {"empty", "", PARSE_NOTHING, 0},
        {"blank", "\n\n\n", PARSE_NOTHING, 0},
        {"cut identify", "[    2.3] ata1.00: ATA-9: Contoso Sp", PARSE_PARTIAL, 1},
        {"identify without firmware", "[    2.3] ata1.00: ATA-9: Contoso, max UDMA/133\n", PARSE_PARTIAL, 1},
        {"cache word", "[    2.3] sd 0:0:0:0: [sda] Write cache: maybe, read cache: enabled\n", PARSE_PARTIAL, 1},
        {"no address", "[    2.3] nvme nvme0: pci function somewhere\n", PARSE_PARTIAL, 1},
        {"cut names",
         "[    2.3] sd 2:0:0:0: [sda\n[    2.3] sd 2:0:0:\n[    2.3] ata\n[    2.3] scsi \n[    2.3] usb \n", PARSE_OK,
         0},
        {"absurd numbers",
         "[    2.3] sd 0:0:0:0: [sda] 18446744073709551615 4294967296-byte logical blocks: (x)\n"
         "[    2.3] ata99999999999: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
         "[    2.3] ata1.00: 18446744073709551615 sectors, multi 1: LBA48 NCQ (depth 99999999/2)\n"
         "[    2.3] ata1: SATA max UDMA/133 abar m2048@0xffffffffffffffff port 0x0 irq 1\n"
         "[    2.3] scsi 99999999999:0:0:0: Direct-Access     ATA      Contoso Spin 250 CS01 PQ: 0 ANSI: 5\n"
         "[    2.3] x: 99999999999999999999 callbacks suppressed\n",
         PARSE_OK, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = run(rows[i].text);
        if (pt->result != rows[i].result || pt->ctx.bad_rows != rows[i].bad)
            fail_msg("%s: result %d, %d bad rows", rows[i].name, pt->result, (int)pt->ctx.bad_rows);
        want(pt, "SELECT count(*) FROM setting WHERE key = 'size_bytes'", "0");
        pt_free(pt);
    }
    /* cut after every byte, and with a byte knocked out: no crash, no hang */
    Str whole = str_of(AHCI_BOOT);
    for (size_t n = 0; n < whole.len; n += 61) pt_free(pt_run(&parser_kernel_log, NULL, NULL, str_sub(whole, 0, n)));
    char *text = malloc(whole.len);
    assert_non_null(text);
    for (size_t n = 0; n < whole.len; n += 83) {
        memcpy(text, whole.p, whole.len);
        text[n] = (char)(n * 7);
        pt_free(pt_run(&parser_kernel_log, NULL, NULL, (Str){text, whole.len}));
    }
    free(text);
}

/* Made-up names must not make unbounded tables. */
static void many_names(void **state) {
    (void)state;
    size_t cap = 8 * 1024 * 1024, n = 0;
    char *text = malloc(cap);
    assert_non_null(text);
    for (int i = 0; i < 30000; i++)
        n += (size_t)snprintf(text + n, cap - n,
                              "[ 9.0] sd %d:0:0:0: [sda] 4096-byte physical blocks\n[ 9.0] ata%d.00: NCQ disabled due "
                              "to excessive errors\n"
                              "[ 9.0] usb 1-%d: new high-speed USB device number 3 using xhci_hcd\n",
                              i, i, i);
    ParseTest *pt = pt_run(&parser_kernel_log, NULL, NULL, (Str){text, n});
    want(pt, "SELECT sum(count) FROM log_event WHERE event = 'ncq-disabled'", "30000");
    want(pt, "SELECT count(*) FROM note", "1");
    /* those beyond the table are counted, under nobody's name */
    want(pt,
         "SELECT sum(count) > 10000 FROM log_event WHERE event = 'ncq-disabled' AND subject IS NULL AND node IS NULL",
         "1");
    pt_free(pt);
    /* a clock that jumps with every line */
    n = 0;
    for (int i = 0; i < 100000; i++)
        n += (size_t)snprintf(text + n, cap - n, "[ %d.0] ata1.00: NCQ disabled due to excessive errors\n",
                              i % 2 ? 900 : 9);
    pt = pt_run(&parser_kernel_log, NULL, NULL, (Str){text, n});
    want(pt, "SELECT sum(count) FROM log_event", "100000");
    want(pt, "SELECT count(*) FROM log_window", "1000");
    want(pt, "SELECT count(*) FROM note", "1");
    pt_free(pt);
    free(text);
}

/* ------------------------------------------------------------------ recognition */

static void recognition(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int starts, continues;
    } rows[] = {
        {"[    2.101312] sd 2:0:0:0: [sda] x", 1, 1},
        {"[Mon Jul  1 12:00:00 2024] anything", 1, 1},
        {"Jul  1 12:00:00 nas kernel: anything", 1, 1},
        {"Jul  1 12:00:00 nas sshd[12]: anything", 1, 1},
        {"ata3.00: status: { DRDY ERR }", 1, 1},
        {"sd 2:0:0:0: [sda] tag#0 x", 1, 1},
        {"blk_update_request: I/O error, dev sdb, sector 1", 1, 1},
        {"I/O error, dev sdb, sector 1 op 0x0:(READ)", 1, 1},
        {"nvme nvme0: I/O 528 QID 10 timeout, aborting", 1, 1},
        {"(ada0:ahcich0:0:0:0): CAM status: Command timeout", 1, 1},
        {"ada0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)", 1, 1},
        {"---<<BOOT>>---", 1, 1},
        {"-- Logs begin at Mon 2024-07-01 12:00:00 CEST, end at Tue 2024-07-02 09:00:00 CEST. --", 1, 1},
        {"6,1234,2101312,-;ata1: x", 1, 1},
        {"", 0, 1},
        {"          res 41/40:00:b0:1e:e4/00:00:06:00:00/40 Emask 0x409 (media error) <F>", 0, 1},
        {"  with arguments:", 0, 1},
        {"cpu0: <ACPI CPU> on acpi0", 1, 1},
        {"cpu0: <ACPI CPU> no parent", 0, 1},
        {"el: ata3.00: status: { DRDY ERR }", 1, 1},
        {"Security Framework initialized", 0, 1},
        {"Can anybody tell me what is going on here and whether the disk is dying?", 0, 0},
        {"I have already tried another cable but that did not help at all.", 0, 0},
        {"```", 0, 0},
        /* other tools */
        {"  pool: tank", 0, 1},
        {"sda               0.00    0.00      0.00   0.00    0.00     0.00", 0, 1},
        {"/dev/sda:", 0, 1},
        {"[0:0:0:0]    disk    ATA      Contoso          C1    /dev/sda", 0, 1},
        {"md0 : active raid1 sdb1[1] sda1[0]", 0, 1},
        {"pass0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)", 0, 1},
        {"[1] https://example.org/x", 0, 1},
        {"Device Model:     Contoso", 0, 1},
        {"Linux 6.1.0-13-amd64 (nas)  07/01/2024  _x86_64_  (4 CPU)", 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str line = str_of(rows[i].line);
        if (parser_kernel_log.starts(line) != (rows[i].starts != 0)) fail_msg("starts: \"%s\"", rows[i].line);
        if (parser_kernel_log.continues(line) != (rows[i].continues != 0)) fail_msg("continues: \"%s\"", rows[i].line);
    }
}

static void bids(void **state) {
    (void)state;
    static const struct {
        const char *path, *command, *head;
        int low, high;
    } rows[] = {
        {"", "", AHCI_BOOT, 20, 32},
        {"kernel/dmesg.txt", "dmesg", AHCI_BOOT, 24, 32},
        {"", "", "ata3.00: status: { DRDY ERR }\nata3.00: error: { UNC }\n", 16, 32},
        {"", "", "$ dmesg | grep sda\n[    2.1] sd 0:0:0:0: [sda] Attached SCSI disk\n", 12, 32},
        {"", "", "\x1b[32m[    2.101312] \x1b[0m\x1b[33mata3\x1b[0m: x\n", 12, 32},
        {"", "", "Jul  1 12:00:00 nas sshd[12]: x\nJul  1 12:00:01 nas cron[13]: y\n", 8, 20},
        {"kernel/dmesg", "dmesg", "", 0, 0},
        {"kernel/dmesg", "dmesg", "dmesg: read kernel buffer failed: Operation not permitted\n", 0, 8},
        {"", "", "", 0, 0},
        {"", "", "  pool: tank\n state: ONLINE\nconfig:\n", 0, 0},
        {"", "",
         "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz\nsda              0.00      0.00     0.00   "
         "0.00    0.00     0.00\n",
         0, 0},
        {"", "",
         "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-13-amd64] (local build)\n=== START OF INFORMATION SECTION "
         "===\nDevice Model: x\n",
         0, 0},
        {"", "", "NAME   SIZE TYPE\nsda    500G disk\n", 0, 0},
        {"", "", "{\n   \"dmesg\": [\n {\n \"pri\": 0,\n \"time\": 0.1,\n \"msg\": \"x\"\n }\n ]\n}\n", 20, 32},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int bid = parser_kernel_log.bid(str_of(rows[i].path), str_of(rows[i].command), str_of(rows[i].head));
        if (bid < rows[i].low || bid > rows[i].high) fail_msg("row %zu bids %d", i, bid);
    }
}

/* ------------------------------------------------------------------ corpus */

typedef void (*EachFile)(const char *path, const char *name, Str text);

static void each_file(const char *folder, EachFile fn) {
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        char path[1024];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        Str text = pt_file(path);
        if (text.p) fn(path, e->d_name, text);
    }
    closedir(d);
}

/* Files without anything a kernel log rests on, each with its reason. */
static const char *const no_events[] = {
    "hotsos__openstack-dmesg.txt",         /* audit lines only */
    "insights-core__dmesg-TS_MSGINFO.txt", /* start of a boot, no storage in it */
    "insights-core__dmesg_log-DMESG_EXAMPLE.txt",
    "insights-core__vmcore_dmesg-VMCORE_DMESG_TXT.txt",
    "util-linux__", /* stamp formats around the words "example[0]" */
};

static void check_log(const char *path, const char *name, Str text) {
    Str head = str_sub(text, 0, 16384);
    if (parser_kernel_log.bid(str_of(path), STR(""), head) == 0) fail_msg("%s: not recognised", name);
    ParseTest *pt = pt_run(&parser_kernel_log, path, NULL, text);
    if (pt->result != PARSE_OK || pt->ctx.bad_rows != 0)
        fail_msg("%s: result %d, first complaint: %.*s", name, pt->result, STR_ARG(pt->ctx.first_note));
    bool quiet = false;
    for (size_t i = 0; i < sizeof no_events / sizeof *no_events; i++)
        quiet |= strncmp(name, no_events[i], strlen(no_events[i])) == 0;
    if (pt->ctx.rows == 0) fail_msg("%s: no rows", name);
    if (!quiet && pt_real(pt, "SELECT count(*) FROM log_event") < 1) fail_msg("%s: no events", name);
    if (pt_real(pt, "SELECT count(*) FROM log_window") < 1) fail_msg("%s: no window", name);
    pt_free(pt);
}

static int files_of_others;

static void check_other(const char *path, const char *name, Str text) {
    (void)path;
    files_of_others++;
    int bid = parser_kernel_log.bid(STR(""), STR(""), str_sub(text, 0, 16384));
    if (bid) fail_msg("%s: bids %d on another tool's output", name, bid);
}

static void corpus_logs(void **state) {
    (void)state;
    const char *corpus = pt_corpus();
    if (!corpus) skip();
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/dmesg-linux", corpus);
    each_file(folder, check_log);
    snprintf(folder, sizeof folder, "%s/dmesg-freebsd", corpus);
    each_file(folder, check_log);
}

static void corpus_of_others(void **state) {
    (void)state;
    const char *corpus = pt_corpus();
    if (!corpus) skip();
    DIR *d = opendir(corpus);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        char folder[1024];
        if (e->d_name[0] == '.' || strncmp(e->d_name, "dmesg", 5) == 0) continue;
        snprintf(folder, sizeof folder, "%s/%s", corpus, e->d_name);
        each_file(folder, check_other);
    }
    closedir(d);
    assert_true(files_of_others > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefixes),
        cmocka_unit_test(relative_stamps_add_up),
        cmocka_unit_test(ahci_boot),
        cmocka_unit_test(ide_mode_boot),
        cmocka_unit_test(freebsd_ide_mode),
        cmocka_unit_test(sff_without_map),
        cmocka_unit_test(ata_pairs_without_hosts),
        cmocka_unit_test(mixed_hosts_are_not_tied),
        cmocka_unit_test(sas_bays),
        cmocka_unit_test(sas_usb_nvme_virtio),
        cmocka_unit_test(freebsd_boot),
        cmocka_unit_test(boots_are_counted),
        cmocka_unit_test(times),
        cmocka_unit_test(storms_fold),
        cmocka_unit_test(repeats_multiply),
        cmocka_unit_test(continuation_lines_find_their_device),
        cmocka_unit_test(wrapped_lines_are_joined),
        cmocka_unit_test(user_space_quotes_are_not_the_kernel),
        cmocka_unit_test(subjects_become_names),
        cmocka_unit_test(json_forms),
        cmocka_unit_test(colours_are_stripped),
        cmocka_unit_test(damage),
        cmocka_unit_test(many_names),
        cmocka_unit_test(recognition),
        cmocka_unit_test(bids),
        cmocka_unit_test(corpus_logs),
        cmocka_unit_test(corpus_of_others),
    };
    return cmocka_run_group_tests_name("kernel-log", tests, NULL, NULL);
}
