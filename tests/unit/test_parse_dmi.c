/* DMI: vendor, product and firmware of the machine; hypervisors by their words. */
#include "device_test.h"

extern const Parser parser_dmi;

static const DeviceCase cases[] = {
    {"grep listing", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:HPE\n/sys/class/dmi/id/product_name:ProLiant "
     "Example\n/sys/class/dmi/id/bios_date:03/21/2024\n/sys/class/dmi/id/product_serial:EX1\n",
     ALL_SETTINGS,
     "host dmi_sys_vendor=HPE firmware 1; host dmi_product_name=ProLiant Example firmware 2; host "
     "dmi_bios_date=03/21/2024 firmware 3"},
    {"path TAB value", NULL, NULL, "/sys/class/dmi/id/board_name\tX11SPW-TF\n", ALL_SETTINGS,
     "host dmi_board_name=X11SPW-TF firmware 1"},
    {"a file of its own", "host/sys/class/dmi/id/product_name", NULL, "PowerEdge R540\n", ALL_SETTINGS,
     "host dmi_product_name=PowerEdge R540 firmware 1"},
    {"dmidecode", NULL, NULL,
     "# dmidecode 3.3\nGetting SMBIOS data from sysfs.\nSMBIOS 3.2.0 present.\n\nHandle 0x0000, DMI type 0, 26 "
     "bytes\nBIOS Information\n\tVendor: American Megatrends Inc.\n\tVersion: 3.3\n\tRelease Date: 02/21/2020\n"
     "\tCharacteristics:\n\t\tPCI is supported\n\nHandle 0x0001, DMI type 1, 27 bytes\nSystem "
     "Information\n\tManufacturer: Supermicro\n\tProduct Name: SYS-5029P-WTR\n\tVersion: Not Specified\n"
     "\nHandle 0x0002, DMI type 2, 15 bytes\nBase Board Information\n\tManufacturer: Supermicro\n\tProduct Name: "
     "X11SPW-TF\n",
     ALL_SETTINGS,
     "host dmi_bios_vendor=American Megatrends Inc. firmware 7; host dmi_bios_version=3.3 firmware 8; host "
     "dmi_bios_date=02/21/2020 firmware 9; host dmi_sys_vendor=Supermicro firmware 15; "
     "host dmi_product_name=SYS-5029P-WTR firmware 16; host dmi_board_vendor=Supermicro firmware 21; host "
     "dmi_board_name=X11SPW-TF firmware 22"},
    {"KVM", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:QEMU\n/sys/class/dmi/id/product_name:Standard PC (Q35 + ICH9, 2009)\n",
     SETTING_OF("host", "virtualization"), "kvm"},
    {"VMware", NULL, NULL, "/sys/class/dmi/id/sys_vendor:VMware, Inc.\n", SETTING_OF("host", "virtualization"),
     "vmware"},
    {"Hyper-V", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:Microsoft Corporation\n/sys/class/dmi/id/product_name:Virtual Machine\n",
     SETTING_OF("host", "virtualization"), "microsoft"},
    {"a Surface is no virtual machine", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:Microsoft Corporation\n/sys/class/dmi/id/product_name:Surface Pro 7\n",
     "SELECT count(*) FROM setting WHERE key = 'virtualization'", "0"},
    {"bare metal at Amazon", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:Amazon EC2\n/sys/class/dmi/id/product_name:i3.metal\n",
     "SELECT count(*) FROM setting WHERE value = 'kvm'", "0"},
    {"no answers", NULL, NULL,
     "/sys/class/dmi/id/sys_vendor:To Be Filled By O.E.M.\n/sys/class/dmi/id/board_name:Default "
     "string\n/sys/class/dmi/id/product_name:\n",
     "SELECT count(*) FROM setting", "0"},
};

enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    device_values(&parser_dmi, cases, CASES);
}
static void bids(void **state) {
    (void)state;
    device_bids(&parser_dmi);
}
static void framing(void **state) {
    (void)state;
    device_framing(&parser_dmi);
}
static void damage(void **state) {
    (void)state;
    device_damage(&parser_dmi, cases, CASES);
}

static void notes(void **state) {
    (void)state;

    ParseTest *pt = pt_run(&parser_dmi, NULL, NULL, STR("nothing of DMI\n"));
    assert_int_equal(pt->ctx.rows, 0);
    assert_true(pt->result == PARSE_NOTHING || pt->result == PARSE_REJECTED);
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids), cmocka_unit_test(framing),
                                       cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("dmi", tests, NULL, NULL);
}
