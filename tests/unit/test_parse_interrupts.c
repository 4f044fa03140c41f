/* /proc/interrupts: sums of all CPUs, who is on a line, and the forms of chips; lines that were cut. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_interrupts;

#define ROWS                                                                                                           \
    "SELECT group_concat(x, '; ') FROM (SELECT irq||' '||CAST(total AS INTEGER)||' '||CAST(busiest AS INTEGER)||' "    \
    "'||chip||' '||coalesce(devices, '-')||' '||line AS x FROM interrupt ORDER BY rowid)"
#define X86                                                                                                            \
    "            CPU0       CPU1       \n   0:         38          0  IR-IO-APIC    2-edge      timer\n"               \
    "  16:         20     120034  IR-IO-APIC   16-fasteoi   i801_smbus, ata_piix\n"                                    \
    " 126:     402311          0  IR-PCI-MSI 376832-edge      ahci[0000:00:17.0]\n"                                    \
    " 130:          1          2  IR-PCI-MSIX-0000:01:00.0    0-edge      nvme0q0\n"                                   \
    " NMI:         12         13   Non-maskable interrupts\n ERR:          0\n MIS:          0\n"
#define ARM                                                                                                            \
    "           CPU0       \n 23:      47251     GICv3  30 Level     arch_timer\n 41:        512     GICv3 106 Edge  " \
    "    mmc0\nIPI0:       100       Rescheduling interrupts\n"

static const DeviceCase cases[] = {
    {"x86", NULL, NULL, X86, ROWS,
     "0 38 38 IR-IO-APIC timer 2; 16 120054 120034 IR-IO-APIC i801_smbus, ata_piix 3; 126 402311 402311 IR-PCI-MSI "
     "ahci[0000:00:17.0] 4; 130 3 2 IR-PCI-MSIX-0000:01:00.0 nvme0q0 5"},
    {"arm", NULL, NULL, ARM, ROWS, "23 47251 47251 GICv3 arch_timer 2; 41 512 512 GICv3 mmc0 3"},
    {"an old kernel", NULL, NULL, "           CPU0\n 14:    1000   IO-APIC-edge      ata_piix\n", ROWS,
     "14 1000 1000 IO-APIC-edge ata_piix 2"},
    {"nobody on it", NULL, NULL, "           CPU0\n  9:       0   IO-APIC   9-fasteoi\n", ROWS, "9 0 0 IO-APIC - 2"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_interrupts, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_interrupts, X86, true);
    claims_text(&parser_interrupts, ARM, true);
    claims_no_other(&parser_interrupts);
    assert_false(parser_interrupts.starts(STR("CPU: Intel(R) Xeon(R)")));
    assert_false(parser_interrupts.continues(STR("cpu0: 12")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_interrupts, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_interrupts, X86 " 131:          1\n", 1, "SELECT count(*) FROM interrupt", "4");
    device_notes(&parser_interrupts, "  9:       7   IO-APIC   9-fasteoi   acpi\n", 1, "SELECT count(*) FROM interrupt",
                 "0"); /* how many columns are counts stands in the heading */
    device_notes(&parser_interrupts, X86 "something else\n", 1, "SELECT count(*) FROM interrupt", "4");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
