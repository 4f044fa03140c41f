/* nfsiostat: the average since the mount, then intervals; old tables without the queue. */
#include "device_test.h"

extern const Parser parser_nfsiostat;

#define TWO                                                                                                            \
    "\n"                                                                                                               \
    "nas2:/vol mounted on /vol:\n"                                                                                     \
    "\n"                                                                                                               \
    "           ops/s       rpc bklog\n"                                                                               \
    "          12.345           0.000\n"                                                                               \
    "\n"                                                                                                               \
    "read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "   \
    "queue (ms)          errors\n"                                                                                     \
    "                   1.234         123.456         100.000        0 (0.0%)           1.234           1.456        " \
    "   0.012        0 (0.0%)\n"                                                                                       \
    "write:             ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "   \
    "queue (ms)          errors\n"                                                                                     \
    "                  10.000         640.000          64.000        0 (0.0%)         240.000         244.000        " \
    "   0.012        0 (0.0%)\n"                                                                                       \
    "\n"                                                                                                               \
    "nas2:/vol mounted on /vol:\n"                                                                                     \
    "\n"                                                                                                               \
    "           ops/s       rpc bklog\n"                                                                               \
    "          12.345           0.000\n"                                                                               \
    "\n"                                                                                                               \
    "read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "   \
    "queue (ms)          errors\n"                                                                                     \
    "                   0.000           0.000           0.000        0 (0.0%)           0.000           0.000        " \
    "   0.000        0 (0.0%)\n"                                                                                       \
    "write:             ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg "   \
    "queue (ms)          errors\n"                                                                                     \
    "                  14.000         640.000          64.000        2 (0.1%)         340.000         344.000        " \
    "   0.012        0 (0.0%)\n"
#define OPS                                                                                                            \
    "SELECT group_concat(x, '; ') FROM (SELECT mountpoint || ' ' || op || ' ' || report || ' ' || coalesce(ops, '-') " \
    "|| ' ' || coalesce(ops_s, '-') || ' ' || coalesce(retrans, '-') || ' ' || rtt_ms || ' ' || exe_ms || ' ' || "     \
    "coalesce(queue_ms, '-') || ' ' || line AS x FROM nfs_op ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"two reports", NULL, NULL, TWO, OPS,
     "/vol read 0 - 1.234 0.0 1.234 1.456 0.012 8; /vol write 0 - 10.0 0.0 240.0 244.0 0.012 10; /vol read 1 - 0.0 0.0 "
     "0.0 0.0 0.0 18; /vol write 1 - 14.0 2.0 340.0 344.0 0.012 20"},
    {"old", NULL, NULL,
     "nas2:/vol mounted on /vol:\n\n           ops/s       rpc bklog\n   1.00 \t   0.00\nread:             ops/s       "
     "     kB/s           kB/op         retrans         avg RTT (ms)    avg exe (ms)\n                  1.000          "
     "12.000          12.000        0 (0.0%)           2.000           3.000\n",
     OPS, "/vol read 0 - 1.0 0.0 2.0 3.0 - 6"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_nfsiostat, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_nfsiostat, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_nfsiostat,
                 "nas2:/vol mounted on /vol:\n           ops/s       rpc bklog\n          12.345           0.000\nwhat "
                 "is this\n",
                 1, "SELECT count(*) FROM nfs_op", "0");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("nfsiostat", tests, NULL, NULL);
}
