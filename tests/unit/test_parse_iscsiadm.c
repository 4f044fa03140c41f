/* iSCSI sessions: with disks, without, one line each. */
#include "device_test.h"

extern const Parser parser_iscsiadm;

#define SESSION                                                                                                        \
    "iSCSI Transport Class version 2.0-870\n"                                                                          \
    "version 2.1.8\n"                                                                                                  \
    "Target: iqn.2003-01.org.example:t1 (non-flash)\n"                                                                 \
    "\tCurrent Portal: 192.0.2.7:3260,1\n"                                                                             \
    "\tPersistent Portal: 192.0.2.7:3260,1\n"                                                                          \
    "\t\t**********\n"                                                                                                 \
    "\t\tInterface:\n"                                                                                                 \
    "\t\t**********\n"                                                                                                 \
    "\t\tIface Name: default\n"                                                                                        \
    "\t\tSID: 1\n"                                                                                                     \
    "\t\tiSCSI Connection State: LOGGED IN\n"                                                                          \
    "\t\tiSCSI Session State: LOGGED_IN\n"                                                                             \
    "\t\tInternal iscsid Session State: NO CHANGE\n"                                                                   \
    "\t\t*********\n"                                                                                                  \
    "\t\tTimeouts:\n"                                                                                                  \
    "\t\t*********\n"                                                                                                  \
    "\t\tRecovery Timeout: 120\n"                                                                                      \
    "\t\t************************\n"                                                                                   \
    "\t\tNegotiated iSCSI params:\n"                                                                                   \
    "\t\t************************\n"                                                                                   \
    "\t\tHeaderDigest: None\n"                                                                                         \
    "\t\t************************\n"                                                                                   \
    "\t\tAttached SCSI devices:\n"                                                                                     \
    "\t\t************************\n"                                                                                   \
    "\t\tHost Number: 3\tState: running\n"                                                                             \
    "\t\tscsi3 Channel 00 Id 0 Lun: 0\n"                                                                               \
    "\t\t\tAttached scsi disk sdb\t\tState: running\n"                                                                 \
    "\t\tscsi3 Channel 00 Id 0 Lun: 1\n"                                                                               \
    "\t\t\tAttached scsi disk sdc\t\tState: offline\n"
#define SESSIONS                                                                                                       \
    "SELECT group_concat(x, '; ') FROM (SELECT coalesce(sid, '-') || ' ' || target || ' ' || portal || ' ' || "        \
    "coalesce(connection_state, '-') || ' ' || coalesce(recovery_timeout_s, '-') || ' ' || coalesce(disk, '-') || ' "  \
    "' || coalesce(disk_state, '-') || ' ' || line AS x FROM iscsi_session ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"-P 3", NULL, NULL, SESSION, SESSIONS,
     "1 iqn.2003-01.org.example:t1 192.0.2.7:3260,1 LOGGED IN 120 sdb running 27; 1 iqn.2003-01.org.example:t1 "
     "192.0.2.7:3260,1 LOGGED IN 120 sdc offline 29"},
    {"-P 1", NULL, NULL,
     "Target: iqn.2003-01.org.example:t1 (non-flash)\n\tCurrent Portal: 192.0.2.7:3260,1\n\t\tSID: 4\n\t\tiSCSI "
     "Connection State: TRANSPORT WAIT\n",
     SESSIONS, "4 iqn.2003-01.org.example:t1 192.0.2.7:3260,1 TRANSPORT WAIT - - - 4"},
    {"short", NULL, NULL, "tcp: [1] 192.0.2.7:3260,1 iqn.2003-01.org.example:t1 (non-flash)\n", SESSIONS,
     "1 iqn.2003-01.org.example:t1 192.0.2.7:3260,1 - - - - 1"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_iscsiadm, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_iscsiadm, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_iscsiadm, "tcp: [1] 192.0.2.7:3260,1 iqn.2003-01.org.example:t1 (non-flash)\nwhat is this\n",
                 1, "SELECT sid FROM iscsi_session", "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("iscsiadm", tests, NULL, NULL);
}
