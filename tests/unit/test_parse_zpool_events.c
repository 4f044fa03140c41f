/* What ZFS remembers: zpool events and zpool history, and what is damaged in them. */
#include "parse_test.h"

extern const Parser parser_zpool_events, parser_zpool_history;

#define DELAY                                                                                                          \
    "Jul  7 2024 03:24:01.123456789 ereport.fs.zfs.delay\n"                                                            \
    "        class = \"ereport.fs.zfs.delay\"\n"                                                                       \
    "        detector = (embedded nvlist)\n"                                                                           \
    "                pool = 0x140a4edc0f6540b8\n"                                                                      \
    "        (end detector)\n"                                                                                         \
    "        pool = \"tank\"\n"                                                                                        \
    "        vdev_guid = 0xe7e4ae08e62d0021\n"                                                                         \
    "        vdev_path = \"/dev/disk/by-id/ata-EXAMPLE_EX0001-part1\"\n"                                               \
    "        vdev_spare_paths = \n"                                                                                    \
    "        zio_delay = 0x738a1f400\n"                                                                                \
    "        time = 0x668a0961 0x75bcd15 \n"                                                                           \
    "        eid = 0x4d\n\n"

#define RESTART                                                                                                        \
    "Jul  7 2024 03:25:01.000000001 sysevent.fs.zfs.history_event\n"                                                   \
    "        pool = \"tank\"\n"                                                                                        \
    "        history_internal_str = \"errors=0\"\n"                                                                    \
    "        history_internal_name = \"scan aborted, restarting\"\n"                                                   \
    "        time = 0x668a099d 0x1\n\n"

static void events(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_events, NULL, "zpool events -v",
                           STR("TIME                           CLASS\n" DELAY RESTART
                               "Jul  7 2024 03:26:01.000000001 sysevent.fs.zfs.resilver_start\n"
                               "        pool = \"tank\"\n        time = 0x668a09d9 0x1\n"
                               "Jul  7 2024 03:27:01.000000001 resource.fs.zfs.statechange\n"
                               "        pool = \"tank\"\n        vdev_state = \"FAULTED\" (0x5)\n"
                               "        vdev_path = \"/dev/sdb1\"\n        time = 0x668a0a15 0x1\n"
                               "Jul  7 2024 03:28:01.000000001 sysevent.fs.zfs.config_sync\n"
                               "        pool = \"tank\"\n        time = 0x668a0a51 0x1\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt,
                                "SELECT group_concat(what || ' ' || coalesce(scan, state, '-') || ' ' || line, ', ') "
                                "FROM (SELECT * FROM pool_event ORDER BY line)"),
                        "delay - 2, scan-restart - 15, scan-start resilver 21, state FAULTED 24");
    assert_string_equal(pt_text(pt, "SELECT CAST(t_s AS INTEGER) || ' ' || CAST(delay_ms AS INTEGER) || ' ' || origin "
                                    "FROM pool_event WHERE what = 'delay'"),
                        "1720322401 31014 events");
    assert_string_equal(pt_text(pt, "SELECT r.name FROM pool_event e JOIN ref r ON r.id = e.member WHERE e.what = "
                                    "'delay'"),
                        "/dev/disk/by-id/ata-EXAMPLE_EX0001-part1");
    assert_int_equal((int)pt_real(pt, "SELECT coalesce(max(local_time), 0) FROM source"), 0);
    pt_free(pt);
}

static void events_short(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_events, NULL, NULL,
                           STR("Aug 20 2018 02:10:02.017707822\tereport.fs.zfs.scrub.start\n"
                               "Aug 21 2018 02:45:57.216337412\tereport.fs.zfs.delay\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT what || ' ' || CAST(t_s AS INTEGER) || ' ' || coalesce(node, 'no pool') "
                                    "FROM pool_event ORDER BY line LIMIT 1"),
                        "scan-start 1534731002 no pool");
    assert_int_equal((int)pt_real(pt, "SELECT max(local_time) FROM source"), 1);
    pt_free(pt);
}

static void events_cut(void **state) { /* the middle of a long output is left out by the collector */
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_events, NULL, NULL,
                           STR(DELAY "        vdev_path = \"/dev/sdz1\"\n        time = 0x668a0a15 0x1 \n"
                                     "        eid = 0x99\n\n" RESTART));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT r.name || ' ' || CAST(e.t_s AS INTEGER) FROM pool_event e JOIN ref r ON "
                                    "r.id = e.member WHERE e.what = 'delay'"),
                        "/dev/disk/by-id/ata-EXAMPLE_EX0001-part1 1720322401");
    pt_free(pt);
}

static void events_damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_events, NULL, NULL,
                           STR("TIME                           CLASS\n" DELAY "garbage\n"
                               "Jul  7 2024 03:24:01.123456789 ereport.fs.zfs.io\n"
                               "        pool = \"tank\n"
                               "        zio_delay = 31 s\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    assert_string_equal(pt_text(pt, "SELECT count(*) || ' ' || count(t_s) FROM pool_event"), "2 1");
    pt_free(pt);
}

static void history(void **state) {
    (void)state;
    ParseTest *pt =
        pt_run(&parser_zpool_history, NULL, "zpool history -il",
               STR("History for 'tank':\n"
                   "2022-07-02.11:20:41 zpool create -o ashift=12 tank mirror sda sdb [user 0 (root) on nas:linux]\n"
                   "2022-07-02.11:20:41 [txg:5] create pool version 5000; software version zfs-2.1.4 [on nas]\n"
                   "2024-04-14.00:24:01 [txg:8112311] scan setup func=2 mintxg=3 maxtxg=8112311 [on nas]\n"
                   "2024-04-14.00:25:01 [txg:8112319] scan aborted, restarting errors=0 [on nas]\n"
                   "2024-04-14.00:26:01 [txg:8112323] scan done errors=0 [on nas]\n"
                   "2024-04-15.00:00:01 zfs snapshot tank/vm@daily [user 0 (root) on nas:linux]\n"
                   "2024-04-16.00:24:01 (812ms) zpool scrub tank [user 0 (root) on nas:linux]\n"
                   "2024-04-16.09:24:01 zpool scrub -s tank\n"
                   "2024-04-16.09:30:00 ioctl pool_clear\n"
                   "    input:\n"
                   "        rewind: 1\n"
                   "\n"
                   "History for 'old':\n"
                   "2011-04-16.09:24:01 [internal pool scrub txg:77] func=1 mintxg=0 maxtxg=77\n"
                   "2011-04-16.10:24:01 [internal pool scrub done txg:99] complete=1\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(
        pt_text(pt,
                "SELECT group_concat(r.name || ' ' || what || ' ' || coalesce(scan, '-'), ', ') FROM (SELECT * FROM "
                "pool_event ORDER BY line) e JOIN ref r ON r.id = e.node"),
        "tank created -, tank created -, tank scan-start resilver, tank scan-restart resilver, tank scan-end resilver, "
        "tank command scrub, tank command -, old scan-start scrub, old scan-end scrub");
    assert_string_equal(pt_text(pt, "SELECT text FROM pool_event WHERE scan = 'scrub' AND what = 'command'"),
                        "zpool scrub tank");
    assert_int_equal((int)pt_real(pt, "SELECT max(local_time) FROM source"), 1);
    pt_free(pt);
}

static void history_end(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_history, "zpool_history_big_tank.out", "zpool history -il 'big tank'",
                           STR("        rewind: 1\n"
                               "2024-04-16.00:24:01 (812ms) zpool scrub 'big tank'\n"));
    assert_int_equal(pt->result, PARSE_OK);
    assert_string_equal(pt_text(pt, "SELECT r.name || ' ' || e.scan FROM pool_event e JOIN ref r ON r.id = e.node"),
                        "big tank scrub");
    pt_free(pt);
}

static void history_damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_history, NULL, NULL,
                           STR("History for 'tank':\n"
                               "2022-07-02.11:20 zpool create tank sda\n"
                               "2022-13-02.11:20:41 zpool create tank sda\n"
                               "2022-07-02.11:20:41 iocage activate tank\n"
                               "2022-07-03.11:20:41 zpool online tank sdb\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 3);
    assert_string_equal(pt_text(pt, "SELECT group_concat(text) FROM pool_event"), "zpool online tank sdb");
    pt_free(pt);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(events),        cmocka_unit_test(events_short),
                                       cmocka_unit_test(events_cut),    cmocka_unit_test(events_damage),
                                       cmocka_unit_test(history),       cmocka_unit_test(history_end),
                                       cmocka_unit_test(history_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
