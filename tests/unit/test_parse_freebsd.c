/* FreeBSD's lists: pciconf, camcontrol devlist, gstat. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include <math.h>
#include <stdio.h>

extern const Parser parser_pciconf, parser_camcontrol_devlist, parser_gstat, parser_sesutil, parser_glabel,
    parser_mpsutil, parser_usbconfig;

#define NEW                                                                                                            \
    "ahci0@pci0:0:31:2:\tclass=0x010601 rev=0x05 hdr=0x00 vendor=0x8086 device=0x1c02 subvendor=0x1043 "               \
    "subdevice=0x844d\n"
#define OLD "atapci1@pci0:3:0:0:\tclass=0x010185 card=0x84ca1043 chip=0x4390106b rev=0x09 hdr=0x00\n"
#define LINK                                                                                                           \
    "nvme0@pci1:6:0:0:\tclass=0x010802 rev=0x00 hdr=0x00 vendor=0x144d device=0xa809 subvendor=0x144d "                \
    "subdevice=0xa801\n    vendor     = 'Samsung'\n    device     = 'PM9'\n    cap 10[70] = PCI-Express 2 endpoint "   \
    "max "                                                                                                             \
    "data 128(256) RO NS\n                 link x2(x4) speed 8.0(16.0) ASPM disabled(L1)\n"
#define PCI(column) "SELECT " column " FROM pci_device"

static const DeviceCase pci[] = {
    {"new fields", NULL, NULL, NEW,
     PCI("bdf||' '||class_code||' '||prog_if||' '||vendor_id||':'||device_id||' '||subsystem||' '||driver"),
     "0000:00:1f.2 0106 01 8086:1c02 1043:844d ahci"},
    {"old fields: the vendor is the lower half", NULL, NULL, OLD,
     PCI("bdf||' '||vendor_id||':'||device_id||' '||subsystem||' '||driver"),
     "0000:03:00.0 106b:4390 1043:84ca atapci"},
    {"link and name", NULL, NULL, LINK,
     PCI("bdf||' '||name||' '||lnksta_width||' '||lnkcap_width||' '||lnksta_gtps||' '||lnkcap_gtps"),
     "0001:06:00.0 Samsung PM9 2 4 8.0 16.0"},
    {"power management, unit and the line of the link", NULL, NULL, LINK,
     "SELECT x.unit||' '||x.lnksta_line||' '||s.key||' '||s.value||' '||s.line FROM pci_device x, setting s",
     "nvme0 5 aspm off 5"},
    {"errors that were seen", NULL, NULL,
     NEW "  PCI-e errors = Correctable Error Detected\n                 Unsupported Request Detected\n     Non-fatal = "
         "Unsupported Request\n     Corrected = Receiver Error\n                 Replay Timer Timeout\n",
     "SELECT value||' '||line FROM setting WHERE key = 'pcie_errors'", "UnsupReq RxErr Timeout 4"},
    {"the speed of a root port stands on a line of its own", NULL, NULL,
     "pcib2@pci0:0:28:0:\tclass=0x060400 card=0x84ca1043 chip=0x1e108086 rev=0xc4 hdr=0x01\n    cap 10[40] = "
     "PCI-Express 2 "
     "root port slot max data 128(128) link x4(x4)\n                 speed 5.0(8.0) ASPM L1(L0s/L1)\n",
     "SELECT x.unit||' '||x.lnksta_gtps||'x'||x.lnksta_width||' '||x.lnkcap_gtps||'x'||x.lnkcap_width||' '||s.value "
     "FROM "
     "pci_device x, setting s",
     "pcib2 5.0x4 8.0x4 L1"},
    {"no driver", NULL, NULL,
     "none3@pci0:0:23:0:\tclass=0x010400 rev=0x05 hdr=0x00 vendor=0x8086 device=0x2822 subvendor=0x0000 "
     "subdevice=0x0000\n",
     PCI("coalesce(driver, '-')||' '||coalesce(subsystem, '-')"), "- -"},
    {"other classes are no storage", NULL, NULL,
     "vgapci0@pci0:0:2:0:\tclass=0x030000 rev=0x21 hdr=0x00 vendor=0x8086 device=0x22b1 subvendor=0x1043 "
     "subdevice=0x86d6\n",
     "SELECT count(*) FROM pci_device", "0"},
};

static const DeviceCase cam[] = {
    {"SATA", NULL, NULL, "<Samsung SSD 870 EVO 1TB SVT02B6Q>  at scbus0 target 0 lun 0 (pass0,ada0)\n", ALL_SETTINGS,
     "ada0 device_type=disk kernel 1; ada0 firmware=SVT02B6Q kernel 1; ada0 model=Samsung SSD 870 EVO 1TB kernel 1"},
    {"SCSI, names the other way round", NULL, NULL,
     "<ATA HGST HUS724040AL A8B0>  at scbus1 target 3 lun 0 (da3,pass4)\n", ALL_SETTINGS,
     "da3 device_type=disk kernel 1; da3 firmware=A8B0 kernel 1; da3 vendor=ATA kernel 1; da3 transport=sata kernel 1; "
     "da3 model=HGST HUS724040AL kernel 1"},
    {"-v: the slave of an IDE channel", NULL, NULL,
     "scbus2 on ata1 bus 0:\n<QUUX HDD 1.0>  at scbus2 target 1 lun 0 (ada1,pass1)\n", ALL_SETTINGS,
     "ada1 device_type=disk kernel 2; ada1 sata_mode_seen=ide kernel 2; ada1 ata_port=ata1 kernel 2; ada1 ata_dev=01 "
     "kernel 2; ada1 firmware=1.0 kernel 2; ada1 model=QUUX HDD kernel 2"},
    {"-v: USB", NULL, NULL,
     "scbus7 on umass-sim0 bus 0:\n<Kingston DT 101 II 1.00>  at scbus7 target 0 lun 0 (pass4,da0)\n",
     SETTING_OF("da0", "transport"), "usb"},
    {"a channel without a device", NULL, NULL,
     "scbus0 on ahcich0 bus 0:\n<>                                 at scbus0 target -1 lun ffffffff ()\n",
     "SELECT count(*) FROM setting", "0"},
    {"an enclosure is no disk", NULL, NULL,
     "<AHCI SGPIO Enclosure 1.00 0001>   at scbus6 target 0 lun 0 (ses0,pass3)\n", SETTING_OF("ses0", "device_type"),
     "enclosure"},
    {"a model with >", NULL, NULL, "<ODD > NAME 1.0>  at scbus1 target 0 lun 0 (pass0,ada0)\n",
     SETTING_OF("ada0", "model"), "ODD > NAME"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_pciconf, pci, sizeof pci / sizeof *pci);
    device_values(&parser_camcontrol_devlist, cam, sizeof cam / sizeof *cam);
}

#define INTERVAL "dT: 1.007s  w: 1.000s\n"
#define HEADER                                                                                                         \
    " L(q)  ops/s    r/s   kBps   ms/r    w/s   kBps   ms/w    d/s   kBps   ms/d    o/s   ms/o   %busy Name\n"

static void reports(void **state) {
    (void)state;
    ParseTest *pt = pt_run(
        &parser_gstat, NULL, "gstat -bdo",
        STR(INTERVAL HEADER
            "    1   1303   1288 164864    0.6     15    360    0.3      0      0    0.0      2   11.0   144.2  ada0\n"
            "    0      0      0      0    0.0      0      0    0.0      0      0    0.0      0    0.0     0.0  "
            "gpt/boot 0\n" INTERVAL HEADER "    0      3      2    120    8.6      1     20    4.0      0      0    "
            "0.0      0    0.0     3.1  ada0\ngarbage\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.rows, 3);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_int_equal(sample_count(pt, "disk", "ada0"), 2);
    assert_float_equal(sample_at(pt, "disk", "ada0", M_r_bytes_s, 0).value, 164864.0 * 1024, 1);
    assert_float_equal(sample_at(pt, "disk", "ada0", M_f_await_ms, 0).value, 11, 1e-5);
    assert_float_equal(sample_at(pt, "disk", "ada0", M_util_pct, 0).value, 100, 1e-5);
    assert_float_equal(sample_at(pt, "disk", "ada0", M_r_await_ms, 1).value, 8.6, 1e-5);
    assert_float_equal(sample_at(pt, "disk", "ada0", M_r_await_ms, 1).dt_s, 1.007, 1e-5);
    assert_true(isnan(sample_at(pt, "disk", "ada0", M_d_await_ms, 0).value)); /* none was deleted */
    assert_true(isnan(sample_at(pt, "disk", "gpt/boot 0", M_w_await_ms, 0).value));
    pt_free(pt);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_pciconf, LINK NEW, true);
    claims_text(&parser_camcontrol_devlist, "<A 1>  at scbus0 target 0 lun 0 (pass0,ada0)\nscbus1 on ahcich1 bus 0:\n",
                true);
    claims_text(
        &parser_gstat,
        INTERVAL HEADER
        "    0      3      2    120    8.6      1     20    4.0      0      0    0.0      0    0.0     3.1  ada0\n",
        true);
    claims_no_other(&parser_pciconf);
    claims_no_other(&parser_camcontrol_devlist);
    claims_no_other(&parser_gstat);
}

static void corpus(void **state) {
    (void)state;
    if (!pt_corpus()) skip();
    device_corpus(&parser_pciconf, "freebsd-pciconf", NULL, 0);
    device_corpus(&parser_camcontrol_devlist, "freebsd-camcontrol-devlist", NULL, 0);
}

/* CSV: the time of each report, its length from the one before; the first is of an instant and gives nothing. */
static void csv_rates(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_gstat, NULL, "gstat -C -d -o -p -I 1s",
               STR("timestamp,name,q-depth,total_ops/s,read/s,read-KiB/s,ms/read,write/s,write-KiB/s,ms/write,"
                   "delete/s,delete-KiB/s,ms/delete,other/s,ms/other,%busy\n"
                   "2023-03-14 19:30:01.000000001,ada0,0,90000,90000,9,0.1,0,0,0.0,0,0,0.0,0,0.0,100.0\n"
                   "2023-03-14 19:30:01.000000001,ada1,0,0,0,0,0.0,0,0,0.0,0,0,0.0,0,0.0,0.0\n"
                   "2023-03-14 19:30:03.000000001,ada0,1,110,100,2048,0.5,10,40,8.0,0,0,0.0,2,20.0,120.5\n"
                   "2023-03-14 19:30:03.000000001,ada1,0,0,0,0,0.0,0,0,0.0,0,0,0.0,0,0.0,0.5\n"
                   "2023-03-14 19:30:05.000000001,ada0,1,110,100,2048,0.5,10,40,x,0,0\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_int_equal(pt->ctx.rows, 4);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(CAST(t AS INTEGER) || ' ' || round(dt_s, 3) || ' ' || r_s || ' ' || r_bytes_s "
                    "|| ' ' || coalesce(w_await_ms, '-') || ' ' || coalesce(f_await_ms, '-') || ' ' || util_pct) "
                    "FROM (SELECT * FROM sample ORDER BY line)"),
        "1678822203 2.0 100.0 2097152.0 8.0 20.0 100.0,1678822203 2.0 0.0 0.0 - - 0.5");
    pt_free(pt);
}

/* Slots: by their description, else by the element; enclosures that are not well are said. */
static void slots(void **state) {
    (void)state;
    ParseTest *pt = pt_run(
        &parser_sesutil, NULL, "sesutil map",
        STR("ses0:\n\tEnclosure Name: AHCI SGPIO Enclosure 2.00\n\tEnclosure ID: 3061686369656d30\n"
            "\tElement 0, Type: Array Device Slot\n\t\tStatus: Unsupported (0x00 0x00 0x00 0x00)\n\t\tDescription: "
            "Drive Slots\n"
            "\tElement 1, Type: Array Device Slot\n\t\tStatus: OK (0x01 0x00 0x00 0x00)\n\t\tDescription: Slot 00\n"
            "\t\tDevice Names: ada0,pass0\n"
            "\tElement 3, Type: Array Device Slot\n\t\tStatus: OK (0x01 0x00 0x00 0x00)\n\t\tDevice Names: "
            "da4,pass5\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT group_concat(r.name || ' ' || s.key || ' ' || s.value, ', ') FROM setting "
                                    "s JOIN ref r ON r.id = s.node"),
                        "ada0 slot 00, ada0 enclosure 3061686369656d30, da4 slot 2, da4 enclosure 3061686369656d30");
    pt_free(pt);
    pt = pt_run(&parser_sesutil, NULL, "sesutil status", STR("ses0: OK\nses1: CRITICAL\nses2: fine\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(pt_text(pt, "SELECT text FROM note ORDER BY line LIMIT 1"), "enclosure ses1 says CRITICAL");
    pt_free(pt);
}

static void slot_table(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_sesutil, NULL, "sesutil show",
                           STR("ses0: <AHCI SGPIO Enclosure 2.00>; ID: 3061686369656d30\n"
                               "Desc     Dev     Model                     Ident                Size/Status\n"
                               "Slot 00  ada0    FOO SSD 1TB               EX0000000001         1T\n"
                               "Slot 01  -       -                         -                    Not Installed\n"
                               "Slot 02  da3,da9 FOO NAS                   EX0000000002         4T\nrubbish\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(r.name || ' ' || s.key || ' ' || s.value, ', ') FROM setting s JOIN "
                    "ref r ON r.id = s.node"),
        "ada0 slot 00, ada0 enclosure 3061686369656d30, ada0 model FOO SSD 1TB, ada0 serial EX0000000001, "
        "da3 slot 02, da3 enclosure 3061686369656d30, da3 model FOO NAS, da3 serial EX0000000002");
    pt_free(pt);
}

static void mirrors(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_glabel, NULL, "gmirror status",
                           STR("       Name    Status  Components\n"
                               "mirror/gm0  DEGRADED  ada0p3 (ACTIVE)\n"
                               "                      ada1p3 (SYNCHRONIZING, 12%)\n"
                               "mirror/gm1  COMPLETE  ada0p2 (ACTIVE)\n"
                               "                      ada1p2 (ACTIVE)\n"
                               "rubbish\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(pt_text(pt, "SELECT group_concat(name || ' ' || kind || ' ' || state || ' ' || active_disks || "
                                    "' ' || coalesce(sync_pct, '-'), ', ') "
                                    "FROM raid_array"),
                        "mirror/gm0 gmirror DEGRADED 1 12.0, mirror/gm1 gmirror COMPLETE 2 -");
    assert_int_equal((int)pt_real(pt, "SELECT count(*) FROM edge"), 4);
    pt_free(pt);
}

static void adapters(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_mpsutil, NULL, "mpsutil show adapter",
                           STR("mps0 Adapter:\n       Board Name: SAS9211-8i\n        Chip Name: LSISAS2008\n"
                               "Firmware Revision: 20.00.07.00\n      Temperature: 52 C\n\n"
                               "PhyNum  CtlrHandle  DevHandle  Disabled  Speed   Min    Max    Device\n"
                               "0       0001        0009       N         6.0     1.5    6.0    SAS Initiator \n"
                               "1                              N                 1.5    6.0    SAS Initiator \n"
                               "nonsense\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(r.kind || ' ' || r.name || ' ' || s.key || ' ' || s.value, ', ') FROM setting "
                    "s JOIN ref r ON r.id = s.node"),
        "scsihost mps0 model SAS9211-8i, scsihost mps0 firmware 20.00.07.00, scsihost mps0 temperature_celsius 52");
    pt_free(pt);
}

/* Targets of an adapter: slot, enclosure and phy stand in tables that a handle ties together. */
static void targets(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_mpsutil, NULL, "mprutil -u 1 show all",
                           STR("mpr1 Adapter:\n       Board Name: SAS9300-8i\n\n"
                               "PhyNum  CtlrHandle  DevHandle  Disabled  Speed   Min    Max    Device\n"
                               "0       0001        0009       N         12      3.0    12     SAS Initiator \n"
                               "1       0002        000a       N         6.0     3.0    12     SAS Initiator \n\n"
                               "B____T    SAS Address      Handle  Parent    Device        Speed Enc  Slot  Wdt\n"
                               "            500304800098c87f 0009    0001      SMP Target    12    0002 00    1\n"
                               "00   180  5000c50000000001 000b    0009      SAS Target    12    0002 12    1\n"
                               "00   02   4433221101000000 000a    0002      SATA Target   6.0   0001 01    1\n"
                               "00   03   44332211\n\n"
                               "Slots      Logical ID     SEPHandle  EncHandle    Type\n"
                               "  08    500605b0deadbeef               0001     Direct Attached SGPIO\n"
                               "  24    500304800098c87f    000c       0002     External SES-2\n\n"
                               "NumPhys   SAS Address     DevHandle   Parent  EncHandle  SAS Level\n"
                               "36        500304800098c87f 0009      0001    0002       1\n\n"
                               "     Phy  RemotePhy  DevHandle  Speed   Min    Max    Device\n"
                               "     3    1          000b       12      1.5    12     SAS Target\n"));
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(x, ', ') FROM (SELECT r.name || ' ' || s.key || ' ' || s.value "
                    "AS x FROM setting s JOIN ref r ON r.id = s.node WHERE r.kind = 'scsi' ORDER BY x)"),
        "mpr1:180 enclosure 500304800098c87f, mpr1:180 expander 500304800098c87f, mpr1:180 link_gbps 12, "
        "mpr1:180 phy 3, mpr1:180 slot 12, mpr1:2 enclosure 500605b0deadbeef, mpr1:2 link_gbps 6, "
        "mpr1:2 phy 1, mpr1:2 slot 1");
    pt_free(pt);
    /* without a title the command says which adapter; without either nobody does */
    static const char row[] = "B____T    SAS Address      Handle  Parent    Device        Speed Enc  Slot  Wdt\n"
                              "00   02   4433221101000000 000a    0002      SATA Target   6.0   0001 01    1\n";
    pt = pt_run(&parser_mpsutil, NULL, "mpsutil show devices", str_of(row));
    assert_string_equal(pt_text(pt, "SELECT r.name FROM setting s JOIN ref r ON r.id = s.node WHERE s.key = 'slot'"),
                        "mps0:2");
    pt_free(pt);
    pt = pt_run(&parser_mpsutil, NULL, NULL, str_of(row));
    assert_int_equal((int)pt_real(pt, "SELECT count(*) FROM setting"), 0);
    assert_string_equal(pt_text(pt, "SELECT line || ' ' || text FROM note"),
                        "2 nothing says which adapter this table is of, so its rows are left out");
    pt_free(pt);
}

/* More rows than an adapter can have: the first are kept, and that others were not is said once. */
static void many_targets(void **state) {
    (void)state;
    enum { ROWS = 1100 };
    static char text[ROWS * 90 + 200];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "B____T    SAS Address      Handle  Parent    Device        Speed Enc  Slot  Wdt\n");
    for (int i = 0; i < ROWS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "00   %d   443322110%07x %04x    0002      SATA Target   6.0   0001 01    1\n", i, i, i);
    ParseTest *pt = pt_run(&parser_mpsutil, NULL, "mpsutil show devices", (Str){text, n});
    assert_int_equal((int)pt_real(pt, "SELECT count(*) FROM setting WHERE key = 'slot'"), 1024);
    assert_string_equal(pt_text(pt, "SELECT line || ' ' || text FROM note"),
                        "1026 more than 1024 rows of one adapter: the rest is left out");
    pt_free(pt);
}

static void usb(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_usbconfig, NULL, "usbconfig dump_device_desc",
               STR("ugen0.1: <Intel XHCI root HUB> at usbus0, cfg=0 md=HOST spd=SUPER (5.0Gbps) pwr=SAVE (0mA)\n"
                   "ugen0.5: <ASMT 2115> at usbus0, cfg=0 md=HOST spd=HIGH (480Mbps) pwr=ON (144mA)\n\n"
                   "  bLength = 0x0012 \n  bcdUSB = 0x0210 \n  idVendor = 0x174c \n  idProduct = 0x55aa \n"
                   "  bcdUSB = zz \nrubbish\n"));
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(pt_text(pt,
                                "SELECT group_concat(s.key || ' ' || s.value, ', ') FROM setting s JOIN ref r ON r.id "
                                "= s.node WHERE r.name = 'ugen0.5'"),
                        "link_gbps 0.48, usb_power_ma 144, usb_version 2.10, usb_id 174c:55aa");
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),     cmocka_unit_test(reports), cmocka_unit_test(claims),
        cmocka_unit_test(csv_rates),  cmocka_unit_test(slots),   cmocka_unit_test(mirrors),
        cmocka_unit_test(adapters),   cmocka_unit_test(targets), cmocka_unit_test(many_targets),
        cmocka_unit_test(slot_table), cmocka_unit_test(usb),     cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
