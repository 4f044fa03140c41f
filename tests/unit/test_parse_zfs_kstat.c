/* ZFS kstats: which table it is, by grep's prefix, by path, by words; what pools and datasets get. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_zfs_kstat;

#define HEAD "6 1 0x01 91 4368 5266997922 97951858082072\nname                            type data\n"
#define ARC                                                                                                            \
    HEAD "hits                            4    8772612\nmisses                          4    571470\nsize            " \
         "                4    1603939792\n"                                                                           \
         "c                               4    1643208777\nc_max                           4    8367976448\nl2_hits  " \
         "                       4    0\n"                                                                             \
         "hash_chains                     4    412\n"
#define POOLS                                                                                                          \
    "/proc/spl/kstat/zfs/storage/state:ONLINE\n/proc/spl/kstat/zfs/storage/txgs:20 0 0x01 7 1120 1 2\n"                \
    "/proc/spl/kstat/zfs/storage/txgs:txg      birth            state ndirty       nread        nwritten     reads   " \
    " writes   otime        qtime        wtime        stime       \n"                                                  \
    "/proc/spl/kstat/zfs/storage/txgs:11       100              C     4096         0            8192         0       " \
    " 2        5000000000   10           20           1500000000  \n"                                                  \
    "/proc/spl/kstat/zfs/storage/txgs:12       200              C     9000         0            8192         0       " \
    " 2        5000000000   10           20           7250000000  \n"                                                  \
    "/proc/spl/kstat/zfs/storage/objset-0x36:23 1 0x01 7 2160 221578688875 6665999035587\n"                            \
    "/proc/spl/kstat/zfs/storage/objset-0x36:name                            type data\n"                              \
    "/proc/spl/kstat/zfs/storage/objset-0x36:dataset_name                    7    storage/vm one\n"                    \
    "/proc/spl/kstat/zfs/storage/objset-0x36:writes                          4    12\n"                                \
    "/proc/spl/kstat/zfs/storage/objset-0x36:nwritten                        4    49152\n"
#define COUNTERS                                                                                                       \
    "SELECT group_concat(r.kind||':'||r.name||' '||c.name||'='||value||' '||coalesce(unit, '-')||' '||c.line, '; ') "  \
    "FROM (SELECT * FROM counter ORDER BY rowid)"                                                                      \
    " c JOIN ref r ON r.id = c.node"

static const DeviceCase cases[] = {
    {"arcstats", NULL, NULL, ARC, COUNTERS,
     "host:host arcstats.hits=8772612.0 - 3; host:host arcstats.misses=571470.0 - 4; host:host "
     "arcstats.size=1603939792.0 bytes 5; host:host "
     "arcstats.c=1643208777.0 bytes 6; host:host arcstats.c_max=8367976448.0 bytes 7; host:host arcstats.l2_hits=0.0 - "
     "8"},
    {"kind", NULL, NULL, ARC, "SELECT DISTINCT kind FROM counter", "zfs"},
    {"hits of another table", NULL, NULL,
     HEAD "hits                            4    7\nmisses                          4    1\nmax_streams 4 9\n",
     "SELECT count(*) FROM counter", "0"},
    {"the path tells", "proc/spl/kstat/zfs/arcstats", NULL, HEAD "hits                            4    7\n", COUNTERS,
     "host:host arcstats.hits=7.0 - 3"},
    {"zil", NULL, NULL,
     HEAD "zil_commit_count                4    10\nzil_itx_metaslab_slog_bytes     4    18446744073709537686\n",
     COUNTERS,
     "host:host zil_commit_count=10.0 - 3; host:host zil_itx_metaslab_slog_bytes=1.84467440737095e+19 bytes 4"},
    {"dmu_tx", NULL, NULL, HEAD "dmu_tx_assigned                 4    35\ndmu_tx_dirty_delay              4    2\n",
     COUNTERS, "host:host dmu_tx_assigned=35.0 - 3; host:host dmu_tx_dirty_delay=2.0 - 4"},
    {"pools", NULL, "grep -s . /proc/spl/kstat/zfs/*/*", POOLS, COUNTERS,
     "pool:storage txgs.stime_max_ms=7250.0 ms 5; pool:storage txgs.ndirty_max=9000.0 bytes 5; pool:storage "
     "txgs.syncs=2.0 - 5; pool:storage txgs.slow_syncs=1.0 - 5; dataset:storage/vm one objset.writes=12.0 - 9; "
     "dataset:storage/vm one objset.nwritten=49152.0 bytes 10"},
    {"two readings that overlap count each group once", "samples/txgs.out", NULL,
     "=== 2026-11-30 10:00:00 +0000\n" POOLS "=== 2026-11-30 10:00:05 +0000\n" POOLS
     "/proc/spl/kstat/zfs/storage/txgs:txg      birth            state ndirty       nread        nwritten     reads   "
     " writes   otime        qtime        wtime        stime       \n"
     "/proc/spl/kstat/zfs/storage/txgs:13       300              C     9000         0            8192         0       "
     " 2        5000000000   10           20           8250000000  \n"
     "/proc/spl/kstat/zfs/storage/txgs:14       400              O     9000         0            8192         0       "
     " 2        5000000000   10           20           0           \n",
     "SELECT max(value) || (SELECT ' of ' || max(value) FROM counter WHERE name = 'txgs.syncs') FROM counter WHERE "
     "name "
     "= 'txgs.slow_syncs'",
     "2.0 of 3.0"},
    {"FreeBSD: the pool stands in front of its groups", NULL, NULL,
     "kstat.zfs.my.pool.txgs: \ntxg      birth            state ndirty       nread        nwritten     reads    writes "
     "  "
     "otime        qtime        wtime        stime       \n"
     "8675     1234567          C     4096         0            8192         0        2        5000000000   10         "
     " "
     " 20           6500000000  \n",
     COUNTERS,
     "pool:my.pool txgs.stime_max_ms=6500.0 ms 3; pool:my.pool txgs.ndirty_max=4096.0 bytes 3; pool:my.pool "
     "txgs.syncs=1.0 - 3; pool:my.pool txgs.slow_syncs=1.0 - 3"},
    {"when it was read", NULL, NULL, ARC, "SELECT DISTINCT t_mono_s FROM counter", "97951.858082072"},
    {"no header, no time", "proc/spl/kstat/zfs/arcstats", NULL,
     "name                            type data\nhits                            4    7\n",
     "SELECT coalesce(t_mono_s, 'none') FROM counter", "none"},
    {"state of a pool", NULL, NULL, POOLS, "SELECT name||' '||state||' '||line FROM pool", "storage ONLINE 1"},
    {"state by path", "proc/spl/kstat/zfs/tank/state", NULL, "SUSPENDED\n", "SELECT name||' '||state FROM pool",
     "tank SUSPENDED"},
    {"io", "spl/kstat/zfs/tank/io", NULL,
     "12 3 0x00 1 80 79205351707403 395818011156865\nnread    nwritten reads    writes   wtime    wlentime wupdate  "
     "rtime    rlentime rupdate  wcnt     rcnt\n"
     "1884160  3206144  22       132      7155162  104112268 79210489694949 24168078 104112268 79210489849220 0        "
     "0\n",
     COUNTERS,
     "pool:tank io.nread=1884160.0 bytes 3; pool:tank io.nwritten=3206144.0 bytes 3; pool:tank io.reads=22.0 - 3; "
     "pool:tank io.writes=132.0 - 3"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_zfs_kstat, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_zfs_kstat, ARC, true);
    claims_text(&parser_zfs_kstat, POOLS, true);
    claims_no_other(&parser_zfs_kstat);
    assert_int_equal(parser_zfs_kstat.bid(STR("x"), STR(""), STR("ONLINE\n")), 0);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_zfs_kstat, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_zfs_kstat, ARC "hits x y\n???\n", 2, "SELECT count(*) FROM counter", "6");
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_zfs_kstat, "zfs-kstat", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
