/* lspci: controllers, links by numbers, bridges above, machine-readable forms and trees. */
#include "device_test.h"

#include <stdio.h>

extern const Parser parser_lspci;

#define ROW                                                                                                            \
    "SELECT group_concat(x, '; ') FROM (SELECT bdf||' '||coalesce(class_code, '-')||' '||coalesce(prog_if, '-')||' "   \
    "'||coalesce(vendor_id, '-')||':'||coalesce(device_id, '-')||' '||coalesce(driver, '-')||' "                       \
    "'||coalesce(upstream_bdf, '-')||' '||coalesce(lnkcap_gtps, '-')||'x'||coalesce(lnkcap_width, '-')||' "            \
    "'||coalesce(lnksta_gtps, '-')||'x'||coalesce(lnksta_width, '-')||' '||coalesce(link_access_denied, '-')||' "      \
    "'||line AS x FROM pci_device ORDER BY rowid)"

static const char verbose[] =
    "00:1c.0 PCI bridge [0604]: Example Corp Root Port [8086:43bb] (rev 11) (prog-if 00 [Normal decode])\n\tBus: "
    "primary=00, secondary=01, subordinate=02, sec-latency=0\n\tCapabilities: [40] Express (v2) Root Port (Slot+), MSI "
    "00\n"
    "\t\tLnkCap:\tPort #1, Speed 8GT/s, Width x4, ASPM L1, Exit Latency L1 <16us\n\t\tLnkSta:\tSpeed 8GT/s, Width x2, "
    "TrErr- Train-\n\tKernel driver in use: pcieport\n\n"
    "01:00.0 Non-Volatile memory controller [0108]: Example Corp NVMe [1e0f:0009] (rev 01) (prog-if 02 [NVM "
    "Express])\n\tSubsystem: Example Corp Device [1e0f:0001]\n\tPhysical Slot: 3\n\tNUMA node: 1\n"
    "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1\n\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x2 "
    "(downgraded)\n\tKernel driver in use: nvme\n\n"
    "02:00.0 Ethernet controller [0200]: Example Corp Network [8086:1521]\n\tKernel driver in use: igb\n";

#define LINK_LINES                                                                                                     \
    "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1\n\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x2 "          \
    "(downgraded)\n"

static const DeviceCase cases[] = {
    {"-nnk", NULL, NULL,
     "00:17.0 SATA controller [0106]: Intel Corporation Device [8086:43d2] (rev 11)\n\tSubsystem: Example Corp Device "
     "[1590:028d]\n\tKernel driver in use: ahci\n\tKernel modules: ahci\n",
     ROW, "0000:00:17.0 0106 - 8086:43d2 ahci - -x- -x- - 1"},
    {"IDE mode", NULL, NULL,
     "0000:00:1f.2 IDE interface [0101]: Example Corp 4-Port SATA IDE Controller [8086:1d00] (rev 05) (prog-if 8f [PCI "
     "native mode controller])\n\tKernel driver in use: ata_piix\n",
     ROW, "0000:00:1f.2 0101 8f 8086:1d00 ata_piix - -x- -x- - 1"},
    {"the class by its name", NULL, NULL, "03:00.0 RAID bus controller: Example MegaRAID SAS (rev 05)\n", ROW,
     "0000:03:00.0 0104 - -:- - - -x- -x- - 1"},
    {"-n", NULL, NULL, "03:00.0 0107: 1000:0097 (rev 02)\n", ROW, "0000:03:00.0 0107 - 1000:0097 - - -x- -x- - 1"},
    {"links and the bridge above; other classes only counted", NULL, NULL, verbose, ROW,
     "0000:00:1c.0 0604 00 8086:43bb pcieport - 8.0x4 8.0x2 - 1; 0000:01:00.0 0108 02 1e0f:0009 nvme 0000:00:1c.0 "
     "16.0x4 8.0x2 - 8"},
    {"slot and NUMA node", NULL, NULL, verbose, ALL_SETTINGS,
     "0000:01:00.0 slot=3 kernel 8; 0000:01:00.0 numa_node=1 kernel 8"},
    {"subsystem", NULL, NULL, verbose, "SELECT subsystem||'|'||name FROM pci_device WHERE bdf GLOB '*01:00.0'",
     "1e0f:0001|Example Corp NVMe"},
    {"without root", NULL, NULL,
     "01:00.0 Non-Volatile memory controller: Example NVMe (prog-if 02 [NVM Express])\n\tFlags: bus master, fast "
     "devsel, latency 0\n\tCapabilities: <access denied>\n\tKernel driver in use: nvme\n",
     ROW, "0000:01:00.0 0108 02 -:- nvme - -x- -x- 1 1"},
    {"no link: x0 is no width", NULL, NULL,
     "00:01.0 PCI bridge [0604]: Example [8086:0e02]\n\t\tLnkSta:\tSpeed unknown, Width x0\n", ROW,
     "0000:00:01.0 0604 - 8086:0e02 - - -x- -x- - 1"},
    {"-vmm", NULL, NULL,
     "Slot:\t00:07.1\nClass:\tIDE interface [0101]\nVendor:\tIntel Corporation [8086]\nDevice:\t82371AB/EB/MB PIIX4 "
     "IDE [7111]\nProgIf:\t8a\nDriver:\tata_piix\n\nSlot:\t00:0f.0\nClass:\tVGA compatible controller "
     "[0300]\nVendor:\tX [15ad]\nDevice:\tY [0405]\n",
     ROW, "0000:00:07.1 0101 8a 8086:7111 ata_piix - -x- -x- - 1"},
    {"-mm", NULL, NULL,
     "00:17.0 \"SATA controller [0106]\" \"Intel Corporation [8086]\" \"Device [43d2]\" -r11 -p01 \"Example [1590]\" "
     "\"Device [028d]\"\n",
     ROW, "0000:00:17.0 0106 01 8086:43d2 - - -x- -x- - 1"},
    {"-t", NULL, NULL,
     "-+-[0000:20]-+-00.0-[21]--\n |           \\-01.0-[22-24]--+-00.0  Example Switch [10b5:8747]\n |                 "
     "          \\-01.0-[24]----00.0  Example NVMe [1e0f:0009]\n \\-[0000:00]-+-00.0  Example Host bridge "
     "[8086:4c53]\n             \\-17.0  Example SATA [8086:43d2]\n",
     ROW,
     "0000:22:00.0 - - 10b5:8747 - 0000:20:01.0 -x- -x- - 2; 0000:22:01.0 - - -:- - 0000:20:01.0 -x- -x- - 3; "
     "0000:24:00.0 - - 1e0f:0009 - 0000:22:01.0 -x- -x- - 3"},
    {"lines of a link, whose address the command gives", NULL, "lspci -vvs 0000:01:00.0 -s 01:00.0 | grep Lnk",
     LINK_LINES, "SELECT bdf||' '||lnkcap_width||' '||lnksta_width||' '||lnkcap_line||' '||lnksta_line FROM pci_device",
     "0000:01:00.0 4 2 1 2"},
    {"power management and error bits", NULL, NULL,
     "01:00.0 Non-Volatile memory controller [0108]: Example NVMe [1e0f:0009]\n\t\tLnkCtl:\tASPM L0s L1 Enabled; RCB "
     "64 "
     "bytes, Disabled- CommClk+\n\t\tUESta:\tDLP- SDES- CmpltTO+ UnsupReq-\n\t\tCESta:\tRxErr+ BadTLP- BadDLLP+ "
     "Rollover-\n",
     ALL_SETTINGS, "0000:01:00.0 aspm=L0s L1 kernel 2; 0000:01:00.0 pcie_errors=CmpltTO RxErr BadDLLP kernel 3"},
    {"power management off", NULL, NULL,
     "01:00.0 Non-Volatile memory controller [0108]: Example NVMe [1e0f:0009]\n\t\tLnkCtl:\tASPM Disabled; RCB 64 "
     "bytes\n\t\tCESta:\tRxErr- BadTLP-\n",
     ALL_SETTINGS, "0000:01:00.0 aspm=off kernel 2"},
    {"domains", NULL, NULL, "10000:e1:00.0 Non-Volatile memory controller [0108]: Example [1e0f:0009]\n",
     "SELECT bdf FROM pci_device", "10000:e1:00.0"},
    {"lines of a link, and the drive in the command line", NULL,
     "lspci -vv -s $(readlink -f /sys/class/nvme/nvme3/device | awk -F/ '{print $(NF-1)}') | egrep 'LnkCap|LnkSta'",
     "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1, Exit Latency L1 <64us\n\t\tLnkSta:\tSpeed 8GT/s "
     "(downgraded), "
     "Width x2 (downgraded)\n",
     ALL_SETTINGS,
     "nvme3 pcie_link_gtps=8 kernel 2; nvme3 pcie_link_width=2 kernel 2; nvme3 pcie_link_max_gtps=16 kernel 1; nvme3 "
     "pcie_link_max_width=4 kernel 1"},
    {"each figure cites its line", NULL,
     "lspci -vv -s $(readlink -f /sys/class/nvme/nvme3/device) | grep Lnk | sort -r",
     "\t\tLnkSta:\tSpeed 8GT/s, Width x2\n\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4\n", ALL_SETTINGS,
     "nvme3 pcie_link_gtps=8 kernel 1; nvme3 pcie_link_width=2 kernel 1; nvme3 pcie_link_max_gtps=16 kernel 2; nvme3 "
     "pcie_link_max_width=4 kernel 2"},
    {"a loop names no drive", NULL, "for n in /sys/class/nvme/nvme*; do lspci -vv -s $(readlink -f $n/device); done",
     "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4\n\t\tLnkSta:\tSpeed 8GT/s, Width x2\n",
     "SELECT count(*) || ' ' || (SELECT text FROM note) FROM setting",
     "0 the device of these lines is unknown: neither its address nor one drive in the command line"},
    {"two links of one command are of two devices", NULL, "lspci -vv -s $(readlink -f /sys/class/nvme/nvme0/device)",
     "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4\n\t\tLnkSta:\tSpeed 8GT/s, Width x2\n\t\tLnkCap:\tPort #1, Speed "
     "8GT/s, Width x4\n\t\tLnkSta:\tSpeed 8GT/s, Width x2\n",
     "SELECT count(*) FROM setting", "0"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_lspci, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_lspci);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_lspci);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_lspci, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_lspci,
                 "00:17.0 SATA controller [0106]: Intel Corporation Device [8086:43d2] (rev 11)\nVGA compatible "
                 "controller: Example\nSlot:\tnowhere\n",
                 2, "SELECT bdf FROM pci_device", "0000:00:17.0");
}

/* A line made to cost memory: of error bits no more are kept than there are. */
static void many_bits(void **state) {
    (void)state;
    enum { TIMES = 100000 };
    static char text[TIMES * 7 + 200];
    size_t n = (size_t)snprintf(
        text, sizeof text, "01:00.0 Non-Volatile memory controller [0108]: Example NVMe [1e0f:0009]\n\t\tCESta:\t");
    for (int i = 0; i < TIMES; i++) n += (size_t)snprintf(text + n, sizeof text - n, "RxErr+ ");
    text[n++] = '\n';
    ParseTest *pt = pt_run(&parser_lspci, NULL, NULL, (Str){text, n});
    assert_in_range((int)pt_real(pt, "SELECT length(value) FROM setting WHERE key = 'pcie_errors'"), 100, 400);
    pt_free(pt);
}

static const CorpusException exceptions[] = {
    {"LSPCI_DRIVER_DETAILS_2", "one line of the source lacks its address"},
};

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_lspci, "lspci", exceptions, sizeof exceptions / sizeof *exceptions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids),      cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(many_bits), cmocka_unit_test(notes),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests_name("lspci", tests, NULL, NULL);
}
