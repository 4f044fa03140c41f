/* sas2flash, sas3flash, sas2ircu: the adapter's firmware and what it is made for; the drives below give nothing. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_sas_flash;

#define LIST                                                                                                           \
    "LSI Corporation SAS2 Flash Utility\nVersion 20.00.00.00 (2014.09.18)\nCopyright (c) 2008-2014 LSI Corporation. "  \
    "All rights reserved\n\n\tAdapter Selected is a LSI SAS: SAS2008(B2)\n\n\tController Number              : 0\n"    \
    "\tController                     : SAS2008(B2)\n\tPCI Address                    : 00:01:00:00\n"                 \
    "\tSAS Address                    : 500605b-0-0abc-def0\n\tFirmware Product ID            : 0x2713 (IR)\n"         \
    "\tFirmware Version               : 20.00.07.00\n\tBoard Name                     : SAS9211-8i\n"                  \
    "\tBoard Assembly                 : N/A\n\n\tFinished Processing Commands Successfully.\n\tExiting SAS2Flash.\n"
#define LISTALL                                                                                                        \
    "Avago Technologies SAS3 Flash Utility\nVersion 16.00.00.00 (2017.05.02)\n\n\tAdapter Selected is a Avago SAS: "   \
    "SAS3008(C0)\n\nNum   Ctlr            FW Ver        NVDATA        x86-BIOS         PCI Addr\n"                     \
    "----------------------------------------------------------------------------\n\n"                                 \
    "0  SAS3008(C0)     16.00.12.00    0e.01.00.07    08.37.00.00     00:02:00:00\n\n\tFinished Processing Commands "  \
    "Successfully.\n\tExiting SAS3Flash.\n"
#define DISPLAY                                                                                                        \
    "LSI Corporation SAS2 IR Configuration Utility.\nVersion 20.00.00.00 (2014.09.18)\n\nRead configuration has been " \
    "initiated for controller 1\n------------------------------------------------------------------------\n"           \
    "Controller information\n------------------------------------------------------------------------\n"               \
    "  Controller type                         : SAS2308_2\n  Firmware version                        : 20.00.02.00\n" \
    "------------------------------------------------------------------------\nPhysical device information\n"          \
    "------------------------------------------------------------------------\nDevice is a Hard disk\n"                \
    "  Enclosure #                             : 1\n  Slot #                                  : 0\n"                   \
    "  Firmware Revision                       : 0A82\n  Serial No                               : WDWCC4E0000001\n"

static const DeviceCase cases[] = {
    {"-list", NULL, NULL, LIST, ALL_SETTINGS,
     "0000:01:00.0 firmware_mode=IR firmware 11; 0000:01:00.0 firmware=20.00.07.00 firmware 12; 0000:01:00.0 "
     "model=SAS9211-8i firmware 13"},
    {"-listall", NULL, NULL, LISTALL, ALL_SETTINGS, "0000:02:00.0 firmware=16.00.12.00 firmware 9"},
    {"display", NULL, NULL, DISPLAY, ALL_SETTINGS, "sasflash c1 firmware=20.00.02.00 firmware 9"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_sas_flash, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_sas_flash, LIST, true);
    claims_text(&parser_sas_flash, LISTALL, true);
    claims_text(&parser_sas_flash, DISPLAY, true);
    claims_no_other(&parser_sas_flash);
    assert_false(parser_sas_flash.starts(STR("LSI Corporation SAS2008")));
    assert_false(parser_sas_flash.continues(STR("root@nas:~# lspci")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_sas_flash, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_sas_flash, LIST "something else\n", 1, "SELECT count(*) FROM setting", "3");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
