/* camcontrol identify, inquiry and tags: the disk's name, ceilings, caches on and off, damage. */
#include "parse_test.h"

extern const Parser parser_camcontrol_identify;

#define SSD                                                                                                            \
    "pass0: <Example SSD 1TB FW000001> ACS-4 ATA SATA 3.x device\n"                                                    \
    "pass0: 300.000MB/s transfers (SATA 2.x, UDMA6, PIO 8192bytes)\n"                                                  \
    "\n"                                                                                                               \
    "protocol              ACS-4 ATA SATA 3.x\n"                                                                       \
    "device model          Example SSD 1TB\n"                                                                          \
    "firmware revision     FW000001\n"                                                                                 \
    "serial number         EX000000000001\n"                                                                           \
    "WWN                   5000c50000000001\n"                                                                         \
    "cylinders             16383\n"                                                                                    \
    "sector size           logical 512, physical 4096, offset 0\n"                                                     \
    "LBA supported         268435455 sectors\n"                                                                        \
    "LBA48 supported       1953525168 sectors\n"                                                                       \
    "media RPM             non-rotating\n"                                                                             \
    "Zoned-Device Commands no\n"                                                                                       \
    "\n"                                                                                                               \
    "Feature                      Support  Enabled   Value           Vendor\n"                                         \
    "read ahead                     yes\tyes\n"                                                                        \
    "write cache                    yes\tno\n"                                                                         \
    "flush cache                    yes\tyes\n"                                                                        \
    "Native Command Queuing (NCQ)   yes\t\t32 tags\n"                                                                  \
    "SMART                          yes\tyes\n"                                                                        \
    "security                       yes\tno\n"                                                                         \
    "advanced power management      yes\tyes\t254/0xfe\n"                                                              \
    "device statistics notification no\tno\n"                                                                          \
    "Data Set Management (DSM/TRIM) yes\n"                                                                             \
    "DSM - deterministic read       yes              zeroed\n"

static const char *setting(ParseTest *pt, const char *key) {
    return pt_text(
        pt,
        arena_fmt(pt->arena, "SELECT s.value || ' ' || s.view FROM setting s WHERE s.key = '%s' ORDER BY s.line", key));
}

static void identify(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_camcontrol_identify, NULL, "camcontrol identify ada0 -v", STR(SSD));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(DISTINCT r.kind || ' ' || r.name) FROM setting s JOIN ref r ON r.id = s.node"),
        "disk ada0");
    static const struct {
        const char *key, *want;
    } all[] = {{"model", "Example SSD 1TB drive"},
               {"firmware", "FW000001 drive"},
               {"serial", "EX000000000001 drive"},
               {"wwn", "5000c50000000001 drive"},
               {"link_gbps", "3 kernel"},
               {"link_max_gbps", "6 drive"},
               {"write_cache", "off drive"},
               {"read_lookahead", "on drive"},
               {"ncq_supported", "yes drive"},
               {"logical_block_bytes", "512 drive"},
               {"physical_block_bytes", "4096 drive"},
               {"rotation_rpm", "0 drive"},
               {"size_bytes", "1000204886016 drive"},
               {"trim_supported", "yes drive"},
               {"apm_level", "254 drive"},
               {"smart_enabled", "yes drive"},
               {"zoned", "none drive"},
               {"security", ""},
               {"transport", "sata drive"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_string_equal(setting(pt, all[i].key), all[i].want);
    pt_free(pt);
    pt = pt_run(&parser_camcontrol_identify, NULL, NULL, STR(SSD)); /* passN is no disk */
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(DISTINCT r.kind || ' ' || r.name) FROM setting s JOIN ref r ON r.id = s.node"),
        "serial EX000000000001");
    pt_free(pt);
}

static void others(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_camcontrol_identify, NULL, "camcontrol inquiry da4",
                           STR("pass4: <ATA ST4000DM000-1F21 CC52> Fixed Direct Access SPC-4 SCSI device\n"
                               "pass4: Serial Number Z3000001\n"
                               "pass4: 600.000MB/s transfers, Command Queueing Enabled\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(setting(pt, "model"), "ST4000DM000-1F21 drive");
    assert_string_equal(setting(pt, "vendor"), "ATA drive");
    assert_string_equal(setting(pt, "link_gbps"), "6 kernel");
    assert_string_equal(setting(pt, "serial"), "Z3000001 drive");
    pt_free(pt);
    pt = pt_run(&parser_camcontrol_identify, "camcontrol_tags_da4.out", NULL,
                STR("(pass4:mps0:0:4:0): dev_openings  254\n(pass4:mps0:0:4:0): maxtags       255\n"));
    assert_string_equal(setting(pt, "queue_depth"), "255 kernel");
    pt_free(pt);
    pt = pt_run(&parser_camcontrol_identify, NULL, "camcontrol tags ada1",
                STR("(pass1:ahcich2:0:0:0): device openings: 32\n"));
    assert_string_equal(setting(pt, "queue_depth"), "32 kernel");
    pt_free(pt);
    /* a USB stick prints its bus' speed: no SATA link */
    pt = pt_run(&parser_camcontrol_identify, NULL, "camcontrol inquiry da8",
                STR("pass11: <Kingston DT 101 II 1.00> Removable Direct Access SCSI device\n"
                    "pass11: Serial Number 001CC0EC0000000000\n"
                    "pass11: 40.000MB/s transfers\n"));
    assert_string_equal(setting(pt, "link_gbps"), "");
    assert_string_equal(setting(pt, "link_max_gbps"), "");
    pt_free(pt);
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_camcontrol_identify, NULL, "camcontrol identify ada0",
                           STR("pass0: <Example SSD 1TB FW000001> ACS-4 ATA SATA 3.x device\n"
                               "pass0: 300.000MB/s transfers (SATA, UDMA6, PIO 8192bytes)\n"
                               "camcontrol: ATA ATAPI_IDENTIFY via pass_16 failed\n"
                               "write cac"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    assert_string_equal(setting(pt, "link_gbps"), ""); /* no revision: a placeholder */
    pt_free(pt);
    assert_int_equal(parser_camcontrol_identify.bid(STR(""), STR("camcontrol identify ada0"), STR("")), 0);
    assert_int_equal(parser_camcontrol_identify.bid(STR(""), STR(""), STR("ada0: 300.000MB/s transfers\n")), 0);
    assert_false(parser_camcontrol_identify.starts(STR("pass0: 300.000MB/s transfers (SATA 2.x, UDMA6)")));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(identify), cmocka_unit_test(others), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
