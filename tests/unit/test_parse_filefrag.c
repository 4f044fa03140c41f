/* filefrag and lsattr: pieces of files, attribute C. */
#include "device_test.h"

extern const Parser parser_filefrag;

#define FILES                                                                                                          \
    "SELECT group_concat(x, '; ') FROM (SELECT path || ' ' || coalesce(extents, '-') || ' ' || coalesce(nocow, '-') "  \
    "|| ' ' || line AS x FROM file_layout ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"filefrag", NULL, NULL, "/vm/disk.qcow2: 45231 extents found\n/vm/a b: 1 extent found\n", FILES,
     "/vm/disk.qcow2 45231 - 1; /vm/a b 1 - 2"},
    {"lsattr", NULL, NULL, "---------------C------ /vm/a.qcow2\n---------------------- /vm/b.qcow2\n", FILES,
     "/vm/a.qcow2 - 1 1; /vm/b.qcow2 - 0 2"},
    {"filefrag -v", NULL, NULL,
     "Filesystem type is: 9123683e\nFile size of /vm/x is 8192 (2 blocks of 4096 bytes)\n ext:     logical_offset:     "
     "   physical_offset: length:   expected: flags:\n   0:        0..       1:      34816..     34817:      2:        "
     "     last,eof\n/vm/x: 1 extent found\n",
     FILES, "/vm/x 1 - 5"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_filefrag, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_filefrag, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_filefrag, "/vm/disk.qcow2: 45231 extents found\nwhat is this\n", 1,
                 "SELECT path FROM file_layout", "/vm/disk.qcow2");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("filefrag", tests, NULL, NULL);
}
