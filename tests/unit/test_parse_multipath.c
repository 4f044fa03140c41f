/* multipath -ll: maps, paths and their states, in the layouts of 0.4 and 0.8. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_multipath;

#define NEW                                                                                                            \
    "mpatha (3600508b4000156d700012000000b0000) dm-2 HPE,MSA 2050\n"                                                   \
    "size=100G features='1 queue_if_no_path' hwhandler='0' wp=rw\n`-+- policy='service-time 0' prio=1 status=active\n" \
    "  |- 2:0:0:1 sdb 8:16 active ready running\n  `- 3:0:0:1 sdc 8:32 failed faulty running\n"                        \
    "3600508b4000156d700012000000b0001 dm-3 HPE,MSA 2050\nsize=60G features='0' hwhandler='0' wp=rw\n"                 \
    "|-+- policy='service-time 0' prio=1 status=active\n| `- 0:0:0:0 sda 8:0  active ready running\n"                  \
    "`-+- policy='service-time 0' prio=1 status=enabled\n  `- #:#:#:# -   #:#  failed faulty running\n"
#define OLD                                                                                                            \
    "mpath0 (3600a0b80) dm-1 IBM,2107900\n[size=1.0G][features=1 queue_if_no_path][hwhandler=0][rw]\n"                 \
    "\\_ round-robin 0 [prio=1][active]\n \\_ 0:0:0:1 sdb 8:16 [active][ready]\n \\_ 0:0:1:1 sdd 8:48 "                \
    "[failed][faulty]\n"

static const DeviceCase cases[] = {
    {"maps and paths", NULL, NULL, NEW, ALL_SETTINGS,
     "dm-2 multipath_features=queue_if_no_path kernel 2; sdb multipath_path_state=active ready running kernel 4; sdc "
     "multipath_path_state=failed faulty "
     "running kernel 5; dm-2 multipath_paths=2 kernel 1; dm-2 multipath_paths_failed=1 kernel 1; dm-3 "
     "multipath_features=none kernel 7; sda "
     "multipath_path_state=active ready running kernel 9; dm-3 multipath_paths=2 kernel 6; dm-3 "
     "multipath_paths_failed=1 kernel 6"},
    {"edges", NULL, NULL, NEW, ALL_EDGES, "disk:sdb>disk:dm-2; disk:sdc>disk:dm-2; disk:sda>disk:dm-3"},
    {"names", NULL, NULL, NEW, ALL_SAME,
     "disk:mpatha=disk:dm-2; scsi:2:0:0:1=disk:sdb; scsi:3:0:0:1=disk:sdc; "
     "disk:3600508b4000156d700012000000b0001=disk:dm-3; scsi:0:0:0:0=disk:sda"},
    {"0.4", NULL, NULL, OLD, ALL_SETTINGS,
     "dm-1 multipath_features=queue_if_no_path kernel 2; sdb multipath_path_state=active ready kernel 4; sdd "
     "multipath_path_state=failed faulty kernel 5; dm-1 "
     "multipath_paths=2 kernel 1; dm-1 multipath_paths_failed=1 kernel 1"},
    {"a map to be made", NULL, "multipath -d -v 2", ": QEMU_HARDDISK_38 dm-0 ATA,QEMU HARDDISK\n",
     "SELECT name FROM ref WHERE name LIKE 'QEMU%'", "QEMU_HARDDISK_38"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_multipath, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_multipath, NEW, true);
    claims_text(&parser_multipath, OLD, true);
    claims_no_other(&parser_multipath);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_multipath, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_multipath, NEW "error calling out /sbin/scsi_id\n", 1, "SELECT count(*) FROM edge", "3");
}

/* libstorage-ng reads the same maps and paths; it skips native NVMe, which has no paths in the file. */
static void expected(void **state) {
    (void)state;
    static const struct {
        const char *file, *want;
    } rows[] = {{"libstorage-ng__multipath-parse1.txt", "dm-0:sda dm-0:sdc dm-1:sdb dm-1:sdd"},
                {"libstorage-ng__multipath-parse3.txt", "dm-0:sda dm-0:sdb"},
                {"libstorage-ng__multipath-parse5.txt", "dm-0:sda dm-0:sdb"}};
    if (!pt_corpus()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str text = pt_file(strcat(strcat(strcpy((char[1024]){""}, pt_corpus()), "/multipath/"), rows[i].file));
        if (!text.p) skip();
        ParseTest *pt = pt_run(&parser_multipath, NULL, NULL, text);
        const char *got = pt_text(pt, "SELECT group_concat(x, ' ') FROM (SELECT c.name||':'||p.name AS x FROM edge e "
                                      "JOIN ref p ON p.id = e.parent JOIN ref c "
                                      "ON c.id = e.child ORDER BY 1)");
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: %s, not %s", rows[i].file, got, rows[i].want);
        pt_free(pt);
    }
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_multipath, "multipath", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(expected), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
