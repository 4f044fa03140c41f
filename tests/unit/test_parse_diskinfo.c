/* diskinfo: the description of a disk, its benchmark, and what is damaged. */
#include "parse_test.h"

#include <math.h>

extern const Parser parser_diskinfo;

#define SETTINGS                                                                                                       \
    "SELECT group_concat(x, ', ') FROM (SELECT r.name || ' ' || s.key || ' ' || s.value AS x FROM setting s JOIN ref " \
    "r "                                                                                                               \
    "ON r.id = s.node ORDER BY x)"

static void verbose(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_diskinfo, NULL, "diskinfo -v ada1 da0p1 da8",
               STR("ada1\n\t512         \t# sectorsize\n\t6001175126016\t# mediasize in bytes (5.5T)\n"
                   "\t11721045168 \t# mediasize in sectors\n\t4096        \t# stripesize\n\t0           \t# "
                   "stripeoffset\n\tATA FOO NAS 6TB\t# Disk descr.\n\tEX0000000001\t# Disk ident.\n"
                   "\tNo          \t# TRIM/UNMAP support\n\t7200        \t# Rotation rate in RPM\n\nda0p1\n"
                   "\t512         \t# sectorsize\n\tEX0000000002\t# Disk ident.\n\n/dev/da8\n"
                   "        512             # sectorsize\n                        # Disk ident.\n"
                   "        umass-sim0      # Attachment\n        Unknown         # Rotation rate in RPM\n"
                   "rubbish here\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(
        pt_text(pt, SETTINGS),
        "ada1 logical_block_bytes 512, ada1 model FOO NAS 6TB, ada1 physical_block_bytes 4096, ada1 "
        "rotation_rpm 7200, ada1 rotational 1, ada1 serial EX0000000001, ada1 size_bytes 6001175126016, "
        "ada1 trim_supported no, da8 logical_block_bytes 512, da8 transport usb");
    pt_free(pt);
}

static void benchmarks(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_diskinfo, NULL, "diskinfo -cti /dev/ada0",
                           STR("/dev/ada0\n\t512         \t# sectorsize\n\nI/O command overhead:\n"
                               "\ttime to read 10MB block      0.019532 sec\t=    0.001 msec/sector\n"
                               "\tcalculated command overhead\t\t\t=    0.019 msec/sector\n\nSeek times:\n"
                               "\tFull stroke:\t  250 iter in   0.022049 sec =    0.088 msec\n\nTransfer rates:\n"
                               "\toutside:       102400 kbytes in   0.196512 sec =   521088 kbytes/sec\n"
                               "\tmiddle:        102400 kbytes in   0.196100 sec =   522182 kbytes/sec\n"
                               "\tinside:        102400 kbytes in   0.201312 sec =   508663 kbytes/sec\n\n"
                               "Asynchronous random reads:\n"
                               "\tsectorsize:  243211 ops in    3.000 sec =    81070 IOPS\n"
                               "\nSynchronous random writes:\n\t   4 kbytes:    127.3 usec/IO =     30.7 Mbytes/s\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt, "SELECT group_concat(label || ' ' || rw || ' ' || coalesce(round(mb_s), '-') || ' ' || "
                    "coalesce(round(iops), '-'), ', ') FROM benchmark"),
        "outside read 534.0 -, inside read 521.0 -, sectorsize randread - 81070.0, 4 kbytes randwrite 32.0 "
        "7855.0");
    pt_free(pt);
}

static void plain(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_diskinfo, NULL, "diskinfo da0 ada0",
                           STR("/dev/da0\t512\t21474836480\t41943040\t0\t0\t2610\t255\t63\n"
                               "ada0\t4096\t4000787030016\t976754646\t0\t0\n"));
    assert_string_equal(pt_text(pt, SETTINGS), "ada0 logical_block_bytes 4096, ada0 size_bytes 4000787030016, da0 "
                                               "logical_block_bytes 512, da0 size_bytes 21474836480");
    pt_free(pt);
    assert_int_equal(parser_diskinfo.bid(STR(""), STR("diskinfo"), STR("/dev/da0\t512\t21474836480\t41943041\t0\t0\n")),
                     0);
    assert_int_equal(parser_diskinfo.bid(STR(""), STR(""), STR("ada0\nada1\n")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(verbose), cmocka_unit_test(benchmarks),
                                       cmocka_unit_test(plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
