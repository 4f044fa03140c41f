/* arc_summary and arcstat: both generations, figures with their units, what is cut off. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_arc_summary, parser_arcstat;

#define RULE "------------------------------------------------------------------------\n"
#define NEW                                                                                                            \
    RULE "ZFS Subsystem Report                            Wed May 17 15:03:43 2023\n"                                  \
         "Linux 6.1.0-18-amd64                                            2.1.11-1\n"                                  \
         "Machine: nas (x86_64)                                           2.1.11-1\n\n"                                \
         "ARC status:                                                      HEALTHY\n"                                  \
         "        Memory throttle count:                                         3\n\n"                                \
         "ARC size (current):                                    98.4 %    7.5 GiB\n"                                  \
         "        Target size (adaptive):                       100.0 %    8.0 GiB\n"                                  \
         "        Min size (hard limit):                          6.2 %  512.0 MiB\n"                                  \
         "        Max size (high water):                           16:1    8.0 GiB\n"                                  \
         "        Dnode cache size (current):                   < 0.1 %  385.6 KiB\n\n"                                \
         "ARC total accesses (hits + misses):                               108.6M\n"                                  \
         "        Cache hit ratio:                               98.1 %     106.5M\n"                                  \
         "        Cache miss ratio:                               1.9 %       2.1M\n\n"                                \
         "Cache hits by data type:\n"                                                                                  \
         "        Demand data:                                   11.3 %      12.0M\n"                                  \
         "        Prefetch data:                                  0.9 %       1.0M\n\n"                                \
         "Cache misses by data type:\n"                                                                                \
         "        Demand data:                                    4.1 %      85.3k\n\n"                                \
         "DMU prefetch efficiency:                                            8.6M\n"                                  \
         "        Hit ratio:                                     54.9 %       4.7M\n\n"                                \
         "L2ARC size (adaptive):                                         283.5 GiB\n"                                  \
         "        Header size:                                  < 0.1 %  128.0 MiB\n\n"                                \
         "L2ARC breakdown:                                                    2.0M\n"                                  \
         "        Hit ratio:                                      5.0 %     100.0k\n"                                  \
         "        Miss ratio:                                    95.0 %       1.9M\n\n"                                \
         "Tunables:\n"                                                                                                 \
         "        l2arc_noprefetch                                               1\n"                                  \
         "        spl_hostid_path                                      /etc/hostid\n"
#define OLD                                                                                                            \
    RULE "ZFS Subsystem Report\t\t\t\tTue Jul 16 15:07:30 2019\nARC Summary: (HEALTHY)\n"                              \
         "\tMemory Throttle Count:\t\t\t0\n\nARC Size:\t\t\t\t92.16%\t7.25\tGiB\n"                                     \
         "\tTarget Size: (Adaptive)\t\t100.00%\t7.75\tGiB\n\tMax Size (High Water):\t\t250:1\t7.75\tGiB\n\n"           \
         "ARC Total accesses:\t\t\t\t\t2.08b\n\tCache Hit Ratio:\t\t95.11%\t1.98b\n"                                   \
         "\tCache Miss Ratio:\t\t4.89%\t101.67m\n"
#define COUNTERS                                                                                                       \
    "SELECT group_concat(replace(name, 'arcstats.', '')||'='||CAST(value AS INTEGER), ' ') FROM (SELECT * FROM "       \
    "counter ORDER BY rowid)"

static const DeviceCase summaries[] = {
    {"2.1", NULL, NULL, NEW, COUNTERS,
     "memory_throttle_count=3 size=8053063680 c=8589934592 c_min=536870912 c_max=8589934592 hits=106500000 "
     "misses=2100000 demand_data_hits=12000000 demand_data_misses=85300 l2_size=304405807104 l2_hdr_size=134217728 "
     "l2_hits=100000 l2_misses=1900000"},
    {"parameters, and none of spl", NULL, NULL, NEW, "SELECT group_concat(value) FROM setting", "l2arc_noprefetch=1"},
    {"where it stands", NULL, NULL, NEW, "SELECT line FROM counter WHERE name = 'arcstats.c_max'", "12"},
    {"0.7", NULL, NULL, OLD, COUNTERS,
     "memory_throttle_count=0 size=7784628224 c=8321499136 c_max=8321499136 hits=1980000000 misses=101670000"},
    {"2.2: hits have their own names", NULL, NULL,
     "ARC size (current):                                    98.4 %    7.5 GiB\n"
     "ARC total accesses:                                                18.8M\n"
     "        Total hits:                                    99.9 %      18.8M\n"
     "        Total I/O hits:                               < 0.1 %       3.0k\n"
     "        Total misses:                                   0.1 %      12.4k\n\n"
     "ARC demand data accesses:                              52.9 %      10.0M\n"
     "        Demand data hits:                             100.0 %      10.0M\n"
     "        Demand data I/O hits:                         < 0.1 %        114\n"
     "        Demand data misses:                           < 0.1 %       4.1k\n",
     COUNTERS,
     "size=8053063680 hits=18800000 iohits=3000 misses=12400 demand_data_hits=10000000 demand_data_misses=4100"},
    {"FreeBSD's names", NULL, NULL,
     "ARC Size:\t\t\t\t92.16%\t7.25\tGiB\nZFS Tunable (sysctl):\n\tvfs.zfs.txg.timeout                     5\n",
     "SELECT value FROM setting", "vfs.zfs.txg.timeout=5"},
};

#define STAT "    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  size     c  avail\n"

static const DeviceCase stats[] = {
    {"the first row is not summed", NULL, NULL,
     STAT "12:37:19    9M    1M     11     0    0     0    0     0    0   39G   45G    53G\n"
          "12:37:20  1.2K    20      1    20    1     0    0     0    0   39G   45G    53G\n" STAT
          "12:37:21   300    10      1    20    1     0    0     0    0   38G   44G    53G\n",
     "SELECT group_concat(name||'='||CAST(value AS INTEGER)||' '||line, '; ') FROM (SELECT * FROM counter ORDER BY "
     "rowid)",
     "arcstats.size=40802189312 5; arcstats.c=47244640256 5; arcstat.reads=1500 5; arcstat.misses=30 5"},
    {"0.7 calls the size arcsz", NULL, NULL,
     "    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  arcsz     c\n"
     "15:12:52    14     1      7     1   16     0    0     1    7   1.0G  7.8G\n",
     "SELECT value FROM counter WHERE name = 'arcstats.size'", "1073741824.0"},
    {"2.2", NULL, NULL,
     "    time  read  ddread  ddh%  dmread  dmh%  pread  ph%   size      c  avail\n"
     "15:12:52    14       1   100       1    16      0    0   1.0G   2.0G   3.0G\n",
     "SELECT value FROM counter WHERE name = 'arcstats.c'", "2147483648.0"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_arc_summary, summaries, sizeof summaries / sizeof *summaries);
    device_values(&parser_arcstat, stats, sizeof stats / sizeof *stats);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_arc_summary, &NEW[sizeof RULE - 1], true);
    claims_text(&parser_arc_summary, &OLD[sizeof RULE - 1], true);
    claims_text(&parser_arcstat, STAT "12:37:20  1.2K  20  1  20  1  0  0  0  0  39G  45G  53G\n", true);
    claims_no_other(&parser_arc_summary);
    claims_no_other(&parser_arcstat);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_arc_summary, summaries, sizeof summaries / sizeof *summaries);
    device_damage(&parser_arcstat, stats, sizeof stats / sizeof *stats);
    device_notes(&parser_arc_summary, NEW "garbage without a colon\n        Total hits:\n", 1,
                 "SELECT count(*) FROM counter", "13");
    device_notes(&parser_arc_summary, "ARC size (current):      98.4 %    7.5 GiB\n Max size (high water):  16:1\n", 1,
                 "SELECT count(*) FROM counter", "1");
    device_notes(&parser_arcstat,
                 STAT "12:37:20  1.2K  20  1  20  1  0  0  0  0  39G  45G  53G\n12:37:20  1.2K  20\nxx 1 2 3 4\n", 2,
                 "SELECT count(*) FROM counter", "2");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
