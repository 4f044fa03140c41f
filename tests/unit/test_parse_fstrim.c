/* fstrim: what was trimmed, in the words of several locales and versions; what systemd says of the timer. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_fstrim;

#define VERBOSE                                                                                                        \
    "/boot: 805.1 MiB (844242944 bytes) trimmed on /dev/sda2\n/: 25.6 GiB (27487790694 bytes) trimmed on "             \
    "/dev/mapper/vg-root\n"
#define TIMER                                                                                                          \
    "\xe2\x97\x8f fstrim.timer - Discard unused blocks once a week\n"                                                  \
    "     Loaded: loaded (/lib/systemd/system/fstrim.timer; enabled; preset: enabled)\n"                               \
    "     Active: active (waiting) since Sat 2025-09-13 09:12:40 CEST; 3h 49min ago\n"                                 \
    "    Trigger: Mon 2025-09-15 00:39:32 CEST; 1 day 11h left\n   Triggers: \xe2\x97\x8f fstrim.service\n       "     \
    "Docs: man:fstrim\n"
#define SERVICE                                                                                                        \
    "\xe2\x97\x8b fstrim.service - Discard unused blocks on filesystems from /etc/fstab\n"                             \
    "     Loaded: loaded (/lib/systemd/system/fstrim.service; static)\n"                                               \
    "     Active: inactive (dead) since Mon 2025-09-08 00:31:12 UTC; 5 days ago\n"                                     \
    "    Process: 812 ExecStart=/sbin/fstrim --listed-in /etc/fstab (code=exited, status=0/SUCCESS)\n\n"               \
    "Sep 08 00:31:01 nas systemd[1]: Starting Discard unused blocks on filesystems from /etc/fstab...\n"               \
    "Sep 08 00:31:12 nas fstrim[812]: /data: 1 GiB (1073741824 bytes) trimmed on /dev/sdb1\n"

static const DeviceCase cases[] = {
    {"-v", NULL, NULL, VERBOSE, ALL_SETTINGS,
     "/boot fstrim_result=trimmed kernel 1; /boot fstrim_bytes=844242944 kernel 1; / fstrim_result=trimmed kernel 2; / "
     "fstrim_bytes=27487790694 kernel 2"},
    {"-v: what it lies on", NULL, NULL, VERBOSE, ALL_EDGES, "disk:sda2>filesystem:/boot; disk:vg-root>filesystem:/"},
    {"without the device", NULL, NULL, "/: 1.2 GiB (1288490188 bytes) trimmed\n", SETTING_OF("/", "fstrim_bytes"),
     "1288490188"},
    {"German", NULL, NULL, "/: 1,2 GiB (1288490188 Bytes) getrimmt\n", SETTING_OF("/", "fstrim_bytes"), "1288490188"},
    {"Japanese", NULL, NULL,
     "/mnt/x: 1.2 GiB (1288490188 \xe3\x83\x90\xe3\x82\xa4\xe3\x83\x88) "
     "\xe3\x82\x92\xe5\x88\x87\xe3\x82\x8a\xe8\xa9\xb0\xe3\x82\x81\xe3\x81\xbe\xe3\x81\x97\xe3\x81\x9f\n",
     SETTING_OF("/mnt/x", "fstrim_bytes"), "1288490188"},
    {"French", NULL, NULL,
     "/: 1,2 Gio (1288490188 octets) r\xc3\xa9"
     "duits sur /dev/sda1\n",
     ALL_EDGES, "disk:sda1>filesystem:/"},
    {"nothing to trim", NULL, NULL, "/: 0 B (0 bytes) trimmed on /dev/sda1\n", SETTING_OF("/", "fstrim_bytes"), "0"},
    {"2.20", NULL, NULL, "/: 844242944 bytes were trimmed\n", SETTING_OF("/", "fstrim_bytes"), "844242944"},
    {"a colon and a blank in the name", NULL, NULL, "/a: b: 1 KiB (1024 bytes) trimmed\n",
     SETTING_OF("/a: b", "fstrim_bytes"), "1024"},
    {"not supported", NULL, NULL, "fstrim: /usb: the discard operation is not supported\n", ALL_SETTINGS,
     "/usb fstrim_result=unsupported kernel 1"},
    {"failed", NULL, NULL, "fstrim: /mnt: FITRIM ioctl failed: Input/output error\n", ALL_SETTINGS,
     "/mnt fstrim_result=failed kernel 1"},
    {"timer", NULL, NULL, TIMER, ALL_SETTINGS, "host fstrim_timer=enabled kernel 3"},
    {"timer off", NULL, NULL,
     "\xe2\x97\x8b fstrim.timer - Discard\n     Loaded: loaded (/x; disabled; preset: enabled)\n     Active: inactive "
     "(dead)\n",
     ALL_SETTINGS, "host fstrim_timer=disabled kernel 3"},
    {"no timer", NULL, NULL, "Unit fstrim.timer could not be found.\n", ALL_SETTINGS,
     "host fstrim_timer=absent kernel 1"},
    {"service: when it ran and what it did", NULL, NULL, SERVICE, ALL_SETTINGS,
     "host fstrim_last_s=1757291472 kernel 3; /data fstrim_result=trimmed kernel 7; /data fstrim_bytes=1073741824 "
     "kernel 7"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_fstrim, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_fstrim, VERBOSE, true);
    claims_text(&parser_fstrim, TIMER, true);
    claims_no_other(&parser_fstrim);
    assert_false(
        parser_fstrim.starts(STR("fstrim.timer                 enabled         enabled"))); /* list-unit-files */
    assert_false(parser_fstrim.starts(
        STR("Sep 08 00:31:12 nas fstrim[812]: /data: 1 GiB (1073741824 bytes) trimmed on /dev/sdb1")));
    assert_false(parser_fstrim.starts(STR("/dev/sda: 1.8 TiB, 2000398934016 bytes, 3907029168 sectors")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_fstrim, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_fstrim, VERBOSE "something else\n", 1, "SELECT count(*) FROM setting", "4");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
