/* mountstats: NFS mounts among others; numbers of operations that never ran are left out. */
#include "device_test.h"

extern const Parser parser_mountstats;

#define STATS                                                                                                          \
    "device rootfs mounted on / with fstype rootfs\n"                                                                  \
    "device nas2:/vol mounted on /vol with fstype nfs4 statvers=1.1\n"                                                 \
    "\topts:\trw,vers=4.2,rsize=1048576,hard\n"                                                                        \
    "\tage:\t86400\n"                                                                                                  \
    "\timpl_id:\tname='',domain='',date='0,0'\n"                                                                       \
    "\tcaps:\tcaps=0xfff7,wtmult=512\n"                                                                                \
    "\tnfsv4:\tbm0=0xfdffbfff\n"                                                                                       \
    "\tsec:\tflavor=1,pseudoflavor=1\n"                                                                                \
    "\tevents:\t1 2 3\n"                                                                                               \
    "\tbytes:\t1 2 3\n"                                                                                                \
    "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"                                                                \
    "\txprt:\ttcp 785 1 1 0 0 100 100 0 100 0\n"                                                                       \
    "\tper-op statistics\n"                                                                                            \
    "\t        NULL: 1 1 0 44 24 6 0 6 0\n"                                                                            \
    "\t        READ: 1000 1002 0 234567 345678 12 800 900 0\n"                                                         \
    "\t      COMMIT: 500 500 0 1 1 10 30000 30100 0\n"                                                                 \
    "\t     GETATTR: 5000 5000 0 1 1 10 2500 2600 0\n"
#define OPS                                                                                                            \
    "SELECT group_concat(x, '; ') FROM (SELECT mountpoint || ' ' || op || ' ' || report || ' ' || coalesce(ops, '-') " \
    "|| ' ' || coalesce(ops_s, '-') || ' ' || coalesce(retrans, '-') || ' ' || rtt_ms || ' ' || exe_ms || ' ' || "     \
    "coalesce(queue_ms, '-') || ' ' || line AS x FROM nfs_op ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"operations", NULL, NULL, STATS, OPS,
     "/vol NULL 0 1.0 - 0.0 0.0 6.0 6.0 14; /vol READ 0 1000.0 - 2.0 0.8 0.9 0.012 15; /vol COMMIT 0 500.0 - 0.0 60.0 "
     "60.2 0.02 16; /vol GETATTR 0 5000.0 - 0.0 0.5 0.52 0.002 17"},
    {"mounts", NULL, NULL, STATS, "SELECT source || ' ' || mountpoint || ' ' || fstype FROM mount",
     "nas2:/vol /vol nfs4"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_mountstats, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_mountstats, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_mountstats,
                 "device nas2:/vol mounted on /vol with fstype nfs4 statvers=1.1\n\twhat is this\n\t        READ: 10 "
                 "10 0 1 1 1 20 30 0\n",
                 1, "SELECT op FROM nfs_op", "READ");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("mountstats", tests, NULL, NULL);
}
