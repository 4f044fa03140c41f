/* DRBD: /proc/drbd of version 8, status of version 9 with and without statistics, a peer that is away. */
#include "device_test.h"

extern const Parser parser_drbd;

#define PROC                                                                                                           \
    "version: 8.4.11 (api:1/proto:86-101)\n"                                                                           \
    "GIT-hash: 66145a308421e9c124ec391a7848ac20203bb03c build by root@pve1, 2020-04-09 10:00:00\n"                     \
    " 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent C r-----\n"                                       \
    "    ns:1234 nr:0 dw:5678 dr:9 al:1 bm:0 lo:0 pe:12 ua:3 ap:12 ep:1 wo:f oos:345678\n"                             \
    "\t[=>..................] sync'ed: 12.3% (345/400)M\n"                                                             \
    "\tfinish: 0:12:34 speed: 12,345 (11,111) K/sec\n"                                                                 \
    " 1: cs:Unconfigured\n"                                                                                            \
    " 2: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----\n"                                            \
    "    ns:1 nr:0 dw:5 dr:9 al:1 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0\n"
#define STATUS                                                                                                         \
    "r0 node-id:0 role:Primary suspended:no force-io-failures:no\n"                                                    \
    "    write-ordering:flush\n"                                                                                       \
    "  volume:0 minor:10 disk:UpToDate backing_dev:/dev/vg/r0 quorum:yes\n"                                            \
    "      size:1048576 read:1000 written:2000 al-writes:3 bm-writes:0 upper-pending:5 lower-pending:1 "               \
    "al-suspended:no blocked:no\n"                                                                                     \
    "  nodeb node-id:1 connection:Connected role:Secondary congested:yes ap-in-flight:4096 rs-in-flight:0\n"           \
    "    volume:0 replication:Established peer-disk:UpToDate resync-suspended:no\n"                                    \
    "        received:0 sent:2000 out-of-sync:0 pending:5 unacked:2\n"                                                 \
    "  nodec node-id:2 connection:Connecting role:Unknown congested:no ap-in-flight:0 rs-in-flight:0\n"                \
    "\n"                                                                                                               \
    "r1 role:Secondary\n"                                                                                              \
    "  disk:UpToDate\n"                                                                                                \
    "  nodeb role:Primary\n"                                                                                           \
    "    replication:SyncTarget peer-disk:UpToDate done:45.67\n"
#define VOLUMES                                                                                                        \
    "SELECT group_concat(x, '; ') FROM (SELECT coalesce(resource, '-') || ' ' || coalesce(minor, '-') || ' ' || "      \
    "coalesce(peer, '-') || ' ' || coalesce(connection, '-') || ' ' || coalesce(replication, '-') || ' ' || "          \
    "coalesce(disk, '-') || '/' || coalesce(peer_disk, '-') || ' ' || coalesce(protocol, '-') || ' pe ' || "           \
    "coalesce(pending, '-') || ' ua ' || coalesce(unacked, '-') || ' ap ' || coalesce(upper_pending, '-') || ' ' || "  \
    "coalesce(sync_pct, '-') || ' ' || coalesce(congested, '-') || ' ' || line AS x FROM drbd_volume ORDER BY rowid)"

static const DeviceCase cases[] = {
    {"/proc/drbd", NULL, NULL, PROC, VOLUMES,
     "- 0 - SyncSource - UpToDate/Inconsistent C pe 12 ua 3 ap 12 12.3 - 3; - 2 - Connected - UpToDate/UpToDate C pe 0 "
     "ua 0 ap 0 - - 8"},
    {"/proc/drbd: speed and what is out of sync", NULL, NULL, PROC,
     "SELECT sync_bytes_s || ' ' || out_of_sync_bytes FROM drbd_volume WHERE minor = 0", "12641280.0 353974272.0"},
    {"status", NULL, NULL, STATUS, VOLUMES,
     "r0 10 nodeb Connected Established UpToDate/UpToDate - pe 5 ua 2 ap 5 - 1 6; r0 10 nodec Connecting - UpToDate/- "
     "- pe - ua - ap 5 - 0 8; r1 - nodeb Connected SyncTarget UpToDate/UpToDate - pe - ua - ap - 45.67 - 13"},
};
#define CASES (sizeof cases / sizeof *cases)

static void values(void **state) {
    (void)state;
    device_values(&parser_drbd, cases, CASES);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_drbd, cases, CASES);
}

static void notes(void **state) {
    (void)state;
    device_notes(&parser_drbd,
                 " 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----\n    ns:1 nr:0 pe:0 ua:0 ap:0 "
                 "oos:0\nwhat is this\n",
                 1, "SELECT connection FROM drbd_volume", "Connected");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(notes)};
    return cmocka_run_group_tests_name("drbd", tests, NULL, NULL);
}
