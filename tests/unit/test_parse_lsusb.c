/* lsusb: a tree gives paths, a list the ids, a description what the device could do. */
#include "parse_test.h"

extern const Parser parser_lsusb;

#define SETTINGS                                                                                                       \
    "SELECT group_concat(x, ', ') FROM (SELECT r.name || ' ' || s.key || ' ' || s.value AS x FROM setting s JOIN ref " \
    "r "                                                                                                               \
    "ON r.id = s.node ORDER BY x)"

static void tree(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_lsusb, NULL, "lsusb -t",
                           STR("/:  Bus 02.Port 1: Dev 1, Class=root_hub, Driver=xhci_hcd/4p, 5000M\n"
                               "    |__ Port 3: Dev 2, If 0, Class=Hub, Driver=hub/4p, 5000M\n"
                               "        |__ Port 2: Dev 4, If 0, Class=Mass Storage, Driver=uas, 5000M\n"
                               "/:  Bus 001.Port 001: Dev 001, Class=root_hub, Driver=xhci_hcd/16p, 480M\n"
                               "    |__ Port 005: Dev 006, If 0, Class=Mass Storage, Driver=usb-storage, 480M\n"
                               "            |__ Port 9: Dev 9, If 0, Class=Mass Storage, Driver=uas, 5000M\n"
                               "rubbish\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    assert_string_equal(pt_text(pt, SETTINGS), "1-5 link_gbps 0.48, 1-5 usb_driver usb-storage, 2-3 link_gbps 5, 2-3.2 "
                                               "link_gbps 5, 2-3.2 usb_driver uas");
    assert_string_equal(pt_text(pt,
                                "SELECT group_concat(a.name || '=' || b.name, ', ') FROM same_as s JOIN ref a ON a.id "
                                "= s.a JOIN ref b ON b.id = s.b"),
                        "2-3=bus 2 device 2, 2-3.2=bus 2 device 4, 1-5=bus 1 device 6");
    pt_free(pt);
}

static void descriptions(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_lsusb, NULL, "lsusb -v",
                           STR("Bus 001 Device 006: ID 174c:55aa ASMedia Technology Inc. bridge\n"
                               "Device Descriptor:\n  bLength                18\n  bcdUSB               2.10\n"
                               "  Configuration Descriptor:\n    MaxPower              144mA\n"
                               "Binary Object Store Descriptor:\n  SuperSpeed USB Device Capability:\n"
                               "    bLength                10\n"
                               "\nBus 001 Device 001: ID 1d6b:0002 Linux Foundation 2.0 root hub\n"
                               "Couldn't open device, some information will be missing\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, SETTINGS),
        "bus 1 device 1 usb_id 1d6b:0002, bus 1 device 6 usb_id 174c:55aa, bus 1 device 6 usb_power_ma 144, "
        "bus 1 device 6 usb_superspeed yes, bus 1 device 6 usb_version 2.10");
    pt_free(pt);
}

static void others(void **state) {
    (void)state;
    assert_int_equal(parser_lsusb.bid(STR(""), STR("lsusb"), STR("Bus 001 Device 006: ID 174c:5aa\n")), 0);
    assert_int_equal(parser_lsusb.bid(STR(""), STR("lsusb"), STR("sda  8:0  0 1.8T\n")), 0);
    assert_true(parser_lsusb.bid(STR(""), STR(""), STR("Bus 001 Device 006: ID 174c:55aa ASMedia\n")) > 24);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tree), cmocka_unit_test(descriptions),
                                       cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
