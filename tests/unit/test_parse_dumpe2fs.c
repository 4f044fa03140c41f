/* ext superblocks: errors and when, none at all, a list that is cut. */
#include "device_test.h"

extern const Parser parser_dumpe2fs;

#define HEAD                                                                                                           \
    "dumpe2fs 1.47.0 (5-Feb-2023)\n"                                                                                   \
    "Filesystem volume name:   <none>\n"                                                                               \
    "Last mounted on:          /srv\n"                                                                                 \
    "Filesystem UUID:          4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71\n"                                                 \
    "Filesystem magic number:  0xEF53\n"                                                                               \
    "Filesystem state:         clean with errors\n"                                                                    \
    "Errors behavior:          Continue\n"                                                                             \
    "Inode count:              65536\n"                                                                                \
    "Journal backup:           inode blocks\n"                                                                         \
    "FS Error count:           5\n"                                                                                    \
    "First error time:         Tue Jul  4 15:38:52 2017\n"                                                             \
    "First error function:     ext4_find_entry\n"                                                                      \
    "First error line #:       1455\n"                                                                                 \
    "Last error time:          Tue Jul  4 15:38:52 2017\n"                                                             \
    "Checksum type:            crc32c\n"

static const DeviceCase cases[] = {
    {"errors", NULL, "dumpe2fs -h /dev/sda1", HEAD, ALL_SETTINGS,
     "sda1 ext_state=clean with errors drive 6; sda1 ext_error_count=5 drive 10; sda1 ext_first_error_s=1499182732 "
     "drive 11; sda1 ext_last_error_s=1499182732 drive 14; sda1 fs_uuid=4d2f1b0e-9c57-4f0a-8f1e-6f5f6e0c2a71 drive 4"},
    {"no command: where it was mounted", NULL, NULL, HEAD,
     "SELECT r.kind || ' ' || r.name FROM setting s JOIN ref r ON r.id = s.node WHERE key = 'ext_error_count'",
     "filesystem /srv"},
    {"none", NULL, "tune2fs -l /dev/sdb1",
     "tune2fs 1.47.0 (5-Feb-2023)\nFilesystem volume name:   data\nLast mounted on:          <not "
     "available>\nFilesystem state:         clean\nJournal backup:           inode blocks\n",
     SETTING_OF("sdb1", "ext_error_count"), "0"},
    {"cut before the errors", NULL, "tune2fs -l /dev/sdb1",
     "Filesystem volume name:   data\nLast mounted on:          /\nFilesystem state:         clean\n",
     "SELECT count(*) FROM setting WHERE key = 'ext_error_count'", "0"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_dumpe2fs, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_dumpe2fs, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(
        &parser_dumpe2fs,
        "Filesystem volume name:   data\nLast mounted on:          /\nwhat is this\nFilesystem state:         clean\n",
        1, SETTING_OF("/", "ext_state"), "clean");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("dumpe2fs", tests, NULL, NULL);
}
