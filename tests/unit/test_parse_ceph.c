/* Ceph: status, health, OSDs as text and JSON; checks that name OSDs. */
#include "device_test.h"

extern const Parser parser_ceph;

#define STATUS                                                                                                         \
    "  cluster:\n"                                                                                                     \
    "    id:     a1b2c3d4-0000-4000-8000-000000000001\n"                                                               \
    "    health: HEALTH_WARN\n"                                                                                        \
    "            1 osds down\n"                                                                                        \
    "            12 slow ops, oldest one blocked for 34 sec, daemons [osd.0,osd.3] have slow ops.\n"                   \
    "            Degraded data redundancy: 123/4567 objects degraded (2.693%), 12 pgs degraded\n"                      \
    "\n"                                                                                                               \
    "  services:\n"                                                                                                    \
    "    mon: 3 daemons, quorum a,b,c (age 2d)\n"                                                                      \
    "    mgr: a(active, since 2d), standbys: b\n"                                                                      \
    "    osd: 12 osds: 11 up (since 3m), 12 in (since 2w); 34 remapped pgs\n"                                          \
    "\n"                                                                                                               \
    "  data:\n"                                                                                                        \
    "    pools:   3 pools, 129 pgs\n"                                                                                  \
    "    objects: 1.23M objects, 4.5 TiB\n"                                                                            \
    "    usage:   13 TiB used, 30 TiB / 43 TiB avail\n"                                                                \
    "    pgs:     123/4567 objects degraded (2.693%)\n"                                                                \
    "             456/4567 objects misplaced (9.985%)\n"                                                               \
    "             100 active+clean\n"                                                                                  \
    "             12  active+undersized+degraded+remapped+backfilling\n"                                               \
    "             3   active+clean+scrubbing+deep\n"                                                                   \
    "             2   active+clean+scrubbing\n"                                                                        \
    "\n"                                                                                                               \
    "  io:\n"                                                                                                          \
    "    client:   1.2 MiB/s rd, 3.4 MiB/s wr, 12 op/s rd, 34 op/s wr\n"                                               \
    "    recovery: 56 MiB/s, 14 objects/s\n"                                                                           \
    "\n"                                                                                                               \
    "  progress:\n"                                                                                                    \
    "    Global Recovery Event (5m)\n"                                                                                 \
    "      [===.........................] (remaining: 12m)\n"                                                          \
    "\n"
#define DETAIL                                                                                                         \
    "HEALTH_WARN 1 osds down; 12 slow ops, oldest one blocked for 34 sec, osd.7 has slow ops\n"                        \
    "[WRN] OSD_DOWN: 1 osds down\n"                                                                                    \
    "    osd.5 (root=default,host=pve2) is down\n"                                                                     \
    "[WRN] SLOW_OPS: 12 slow ops, oldest one blocked for 34 sec, osd.7 has slow ops\n"
#define PERF                                                                                                           \
    "osd  commit_latency(ms)  apply_latency(ms)\n"                                                                     \
    "  7                 145                145\n"                                                                     \
    "  2                   5                  5\n"                                                                     \
    "  1                   4                  4\n"                                                                     \
    "  0                   6                  6\n"
#define TREE                                                                                                           \
    "ID  CLASS  WEIGHT    TYPE NAME       STATUS  REWEIGHT  PRI-AFF\n"                                                 \
    "-1         43.65900  root default                             \n"                                                 \
    "-3         14.55300      host pve1                            \n"                                                 \
    " 0    hdd   3.63820          osd.0       up   1.00000  1.00000\n"                                                 \
    " 1    hdd   3.63820          osd.1       up   1.00000  1.00000\n"                                                 \
    "-5         14.55300      host pve2                            \n"                                                 \
    " 2    hdd   3.63820          osd.2       up   1.00000  1.00000\n"                                                 \
    " 7    hdd   3.63820          osd.7     down         0  1.00000\n"
#define DF                                                                                                             \
    "ID  CLASS  WEIGHT   REWEIGHT  SIZE     RAW USE  DATA     OMAP     META     AVAIL    %USE   VAR   PGS  STATUS\n"   \
    " 0    hdd  3.63820   1.00000  3.6 TiB  2.1 TiB  2.1 TiB  1.2 MiB  3.4 GiB  1.5 TiB  57.85  1.01   98      up\n"   \
    " 7    hdd  3.63820         0      0 B      0 B      0 B      0 B      0 B      0 B      0     0    0    down\n"   \
    "                       TOTAL   43 TiB   13 TiB   13 TiB  5.0 MiB   40 GiB   30 TiB  30.23\n"                      \
    "MIN/MAX VAR: 0.96/1.05  STDDEV: 2.55\n"
#define DEVICES                                                                                                        \
    "DEVICE                           HOST:DEV  DAEMONS  WEAR  LIFE EXPECTANCY\n"                                      \
    "SAMSUNG_MZ7LH960_S45NNE0M123456  pve1:sda  osd.0     12%\n"                                                       \
    "CT1000MX500SSD1_1234E56789AB     pve2:sdb  osd.7     80%\n"
#define OSDS                                                                                                           \
    "SELECT group_concat(x, '; ') FROM (SELECT osd || ' ' || coalesce(host, '-') || ' ' || coalesce(class, '-') || ' " \
    "' || coalesce(up, '-') || ' ' || coalesce(weight, '-') || ' ' || coalesce(commit_ms, '-') || ' ' || "             \
    "coalesce(used_pct, '-') || ' ' || coalesce(pgs, '-') || ' ' || coalesce(device, '-') || ' ' || "                  \
    "coalesce(device_id, '-') || ' ' || line AS x FROM ceph_osd ORDER BY rowid)"
#define CHECKS                                                                                                         \
    "SELECT group_concat(x, '; ') FROM (SELECT coalesce(code, '-') || ' ' || detail || ' ' || coalesce(osd, '-') || "  \
    "' ' || line AS x FROM ceph_check ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"status", NULL, NULL, STATUS, ALL_SETTINGS,
     "host ceph_health=HEALTH_WARN kernel 3; host ceph_degraded_pct=2.693 kernel 17; host ceph_misplaced_pct=9.985 "
     "kernel 18; host ceph_recovery_bytes_s=58720256 kernel 26; host ceph_scrubs=5 kernel 22; host ceph_deep_scrubs=3 "
     "kernel 22"},
    {"status: checks", NULL, NULL, STATUS, CHECKS, "OSD_DOWN 0 - 4; SLOW_OPS 0 0 5; SLOW_OPS 0 3 5; PG_DEGRADED 0 - 6"},
    {"health detail", NULL, NULL, DETAIL, CHECKS, "OSD_DOWN 0 - 2; OSD_DOWN 1 5 3; SLOW_OPS 0 7 4"},
    {"health detail of Ceph 14", NULL, NULL,
     "HEALTH_WARN 1 osds down\nOSD_DOWN 1 osds down\n    osd.5 (root=default,host=pve2) is down\n", CHECKS,
     "OSD_DOWN 0 - 2; OSD_DOWN 1 5 3"},
    {"healthy", NULL, "ceph health", "HEALTH_OK\n", ALL_SETTINGS, "host ceph_health=HEALTH_OK kernel 1"},
    {"perf", NULL, NULL, PERF, OSDS,
     "7 - - - - 145.0 - - - - 2; 2 - - - - 5.0 - - - - 3; 1 - - - - 4.0 - - - - 4; 0 - - - - 6.0 - - - - 5"},
    {"tree", NULL, NULL, TREE, OSDS,
     "0 pve1 hdd 1 1.0 - - - - - 4; 1 pve1 hdd 1 1.0 - - - - - 5; 2 pve2 hdd 1 1.0 - - - - - 7; 7 pve2 hdd 0 0.0 - - - "
     "- - 8"},
    {"df", NULL, NULL, DF, OSDS, "0 - hdd 1 1.0 - 57.85 98 - - 2; 7 - hdd 0 0.0 - 0.0 0 - - 3"},
    {"device ls", NULL, NULL, DEVICES, OSDS,
     "0 pve1 - - - - - - sda SAMSUNG_MZ7LH960_S45NNE0M123456 2; 7 pve2 - - - - - - sdb CT1000MX500SSD1_1234E56789AB 3"},
    {"status, JSON", NULL, NULL,
     "{\"fsid\": \"a\", \"health\": {\"status\": \"HEALTH_WARN\", \"checks\": {\"SLOW_OPS\": {\"severity\": "
     "\"HEALTH_WARN\", \"summary\": {\"message\": \"1 slow ops, oldest one blocked for 45 sec, osd.7 has slow ops\", "
     "\"count\": 1}}}}, \"pgmap\": {\"pgs_by_state\": [{\"state_name\": \"active+clean+scrubbing+deep\", \"count\": "
     "2}], \"degraded_ratio\": 0.25, \"recovering_bytes_per_sec\": 1000}}",
     "SELECT group_concat(key || '=' || value, ' ') FROM setting",
     "ceph_health=HEALTH_WARN ceph_degraded_pct=25 ceph_misplaced_pct=0 ceph_recovery_bytes_s=1000 ceph_scrubs=2 "
     "ceph_deep_scrubs=2"},
    {"health, JSON", NULL, NULL,
     "{\"status\": \"HEALTH_WARN\", \"checks\": {\"SLOW_OPS\": {\"severity\": \"HEALTH_WARN\", \"summary\": "
     "{\"message\": \"x\"}, \"detail\": [{\"message\": \"osd.7 has slow ops\"}]}}}",
     "SELECT group_concat(code || ' ' || detail || ' ' || coalesce(osd, '-'), '; ') FROM ceph_check",
     "SLOW_OPS 0 -; SLOW_OPS 1 7"},
    {"perf, JSON", NULL, NULL,
     "{\"osdstats\": {\"osd_perf_infos\": [{\"id\": 3, \"perf_stats\": {\"commit_latency_ms\": 12, "
     "\"apply_latency_ms\": 13}}]}}",
     "SELECT osd || ' ' || commit_ms || ' ' || apply_ms FROM ceph_osd", "3 12.0 13.0"},
    {"tree, JSON", NULL, "ceph osd tree -f json",
     "{\"nodes\": [{\"id\": -3, \"name\": \"pve1\", \"type\": \"host\", \"type_id\": 1, \"children\": [0]}, {\"id\": "
     "0, \"device_class\": \"ssd\", \"name\": \"osd.0\", \"type\": \"osd\", \"status\": \"up\", \"reweight\": 1}], "
     "\"stray\": []}",
     "SELECT osd || ' ' || host || ' ' || class || ' ' || up FROM ceph_osd", "0 pve1 ssd 1"},
    {"device ls, JSON", NULL, "ceph device ls -f json",
     "[{\"devid\": \"FOO_SSD_S1234567\", \"location\": [{\"host\": \"pve1\", \"dev\": \"sdc\"}], \"daemons\": "
     "[\"osd.4\"]}]",
     "SELECT osd || ' ' || host || ' ' || device || ' ' || device_id FROM ceph_osd", "4 pve1 sdc FOO_SSD_S1234567"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_ceph, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_ceph, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_ceph, "osd  commit_latency(ms)  apply_latency(ms)\n  7  fast  slow\n  8  1  2\n", 1,
                 "SELECT osd FROM ceph_osd", "8");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("ceph", tests, NULL, NULL);
}
