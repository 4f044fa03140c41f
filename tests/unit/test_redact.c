/* Redaction: the test vectors of the algorithm, every spelling, what must stay, and that a second run changes nothing. */
#include "base/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

static Redactor *vectors(Arena *a) {
    return redactor_new(a, STR("fixture-key-0001"));
}

static void tokens(void **state) {
    (void)state;
    static const struct {
        const char *kind, *value, *token;
    } cases[] = {
        /* HMAC-SHA-256 by another program: printf '%s\037%s' KIND VALUE | openssl dgst -sha256 -hmac fixture-key-0001 */
        {"WWN", "5002538e40a1b2c3", "WWN-e2d6ee41"},
        {"WWN", "5 002538 e40a1b2c3", "WWN-e2d6ee41"},
        {"WWN", "5002538E40A1B2C3", "WWN-e2d6ee41"},
        {"EUI", "6479A73C80300015", "EUI-a782ec83"},
        {"SN", "S4X6NF0M123456A     ", "SN-041619db"},
        {"SN", "WD-WX12 A34", "SN-3fee0999"},
        {"SN", "WD-WX12__A34", "SN-3fee0999"},
        {"host", "PBS1", "host-1acf91f7"},
        {"user", "j\xc3\xbcrgen", "user-0b1ad36d"},
        {"WWN", "0000000000000000", ""},
        {"EUI", "ffffffffffffffff", ""},
        {"SN", "  ", ""},
    };
    Arena *a = arena_new(1 << 24);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char token[REDACT_TOKEN_SIZE];
        redact_token(vectors(a), cases[i].kind, str_of(cases[i].value), token);
        assert_string_equal(token, cases[i].token);
    }
    char short_key[REDACT_TOKEN_SIZE], long_key[REDACT_TOKEN_SIZE];
    char key[81];
    snprintf(key, sizeof key, "%080d", 7); /* longer than a block of SHA-256: hashed first (RFC 2104) */
    redact_token(redactor_new(a, str_of(key)), "SN", STR("X1"), long_key);
    redact_token(vectors(a), "SN", STR("X1"), short_key);
    assert_string_not_equal(short_key, long_key);
    arena_free(a);
}

static const struct {
    const char *text, *redacted;
} texts[] = {
    /* values that were told: WWN 5002538e40a1b2c3, SN S4X6NF0M123456A and WD-WX12_A34, host pbs1, EUI 6479a73c80300015 */
    {"wwn-0x5002538e40a1b2c3-part1", "wwn-WWN-e2d6ee41-part1"},
    {"LU WWN Device Id: 5 002538 e40a1b2c3", "LU WWN Device Id: WWN-e2d6ee41"},
    {"naa.5002538E40A1B2C3", "WWN-e2d6ee41"},
    {"scsi-35002538e40a1b2c3", "scsi-3WWN-e2d6ee41"},
    {"eui.6479A73C80300015", "EUI-a782ec83"},
    {"ata-Samsung_SSD_850_PRO_S4X6NF0M123456A-part9", "ata-Samsung_SSD_850_PRO_SN-041619db-part9"},
    {"Serial Number:    WD-WX12 A34", "Serial Number:    SN-3fee0999"},
    {"ata-WDC_WD-WX12_A34", "ata-WDC_SN-3fee0999"},
    {"PBS1 kernel: x", "host-1acf91f7 kernel: x"},
    {"pbs1.example.org said", "host-1acf91f7.dom-"},
    {"stordx-pbs1-20240701T120000Z.tar.gz!pbs1.tar.gz",
     "stordx-host-1acf91f7-20240701T120000Z.tar.gz!host-1acf91f7.tar.gz"},
    {"pbs1x and xpbs1", "pbs1x and xpbs1"},
    {"{\"naa\":5,\"oui\":9528,\"id\":61213881027}", "{\"naa\":5,\"oui\":9528,\"id\":WWN-e2d6ee41}"},
    {"\tUnique ID\t: e40a1b2c3", "\tUnique ID\t: WWN-e2d6ee41"},
    {"/sys/block/nvme0n1/eui 64 79 a7 3c 80 30 00 15", "/sys/block/nvme0n1/eui EUI-a782ec83"},
    {"attrlog.WDC_WD40EFRX_68N32N0-WD_WX12_A34.ata.csv", "attrlog.WDC_WD40EFRX_68N32N0-SN-3fee0999.ata.csv"},
    {"nvme-nvme.144d-533458364e46304d31323334353641-53", "nvme-nvme.144d-SN-041619db-53"},
    {"the pool of storage", "the pool of storage"}, /* though a host has that name */
    /* values nobody told */
    {"S/N:WD-WX12_A34, WWN:5-002538-e40a1b2c3, FW:82", "S/N:SN-3fee0999, WWN:WWN-e2d6ee41, FW:82"},
    {"SAS Address : 5002538-e-40a1-b2c3", "SAS Address : WWN-e2d6ee41"},
    {"renamed from usb0: enx525400ddeeff", "renamed from usb0: enxMAC-"},
    {"scsi-SATA_WDC_WD40EFRX_68N_WX12A777Q -> x", "scsi-SATA_WDC_WD40EFRX_68N_SN-"},
    {"ip-198.51.100.7:3260-iscsi-iqn.2003-01.org.x:sn.42-lun-1-part1", "ip-ip4-"},
    {"nfs: server kestrel9 not responding, still trying", "nfs: server host-"},
    {"0x5000c500e1a2b3c4 is a WWN, 0xffff888012345678 and 0x00000000fee00000 are addresses of memory", "WWN-"},
    {"root@pam asked for 203.0.113.7, 192.168.7.20 and 127.0.0.1", "root@pam asked for ip4-"},
    {"inet6 2001:db8::17 and ::1", "inet6 ip6-"},
    {"link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff", "link/ether MAC-"},
    {"mail to Ops@Example.org", "mail to mail-"},
    {"nqn.2014-08.org.nvmexpress:uuid:1b4e28ba done", "NQN-"},
    {"usb 2-1: SerialNumber: 0123456789ABCDEF", "usb 2-1: SerialNumber: SN-"},
    {"/dev/disk/by-id/nvme-Example_SSD_1TB_ABC123XYZ_1-part2", "/dev/disk/by-id/nvme-Example_SSD_1TB_SN-"},
    {"/home/alice/dump and /home/root/x", "/home/user-"},
    {"C:\\Users\\alice\\Videos\\ and c:\\Users\\Public\\x", "C:\\Users\\user-"},
    {"C:\\Users\\Wilma Stone\\a.txt", "C:\\Users\\user-"},
    {"   Dest : \\\\kestrel9\\media\\", "   Dest : \\\\host-"},
    {"Jul  7 03:24:01 gamma kernel: ata3: link up", "Jul  7 03:24:01 host-"},
    {"ssh quentin@nas77 said no", "ssh user-"},
    {"root@pbs1: hi", "root@host-1acf91f7: hi"},
    /* what stays */
    {"tank/data@daily and sshd@1-2.service", "tank/data@daily and sshd@1-2.service"},
    {"ata-QEMU_HARDDISK_none", "ata-QEMU_HARDDISK_none"},
    {"0000:00:1f.2 class 0106 2:0:0:0 12:30:45", "0000:00:1f.2 class 0106 2:0:0:0 12:30:45"},
    {"md uuid dbbca7b5:327751b1:895f8f11:443f6ecb, guid 11427366438345325911",
     "md uuid dbbca7b5:327751b1:895f8f11:443f6ecb, guid 11427366438345325911"},
    {"zfs-trim-weekly@tank.timer", "zfs-trim-weekly@tank.timer"},
    {"Serial Number: none", "Serial Number: none"},
    {"naa.0000000000000000", "naa.0000000000000000"},
    {"2.3.4 and 12.7.5.1.2", "2.3.4 and 12.7.5.1.2"},
    {"wwn-0xWWN-e2d6ee41 SN-041619db host-1acf91f7", "wwn-0xWWN-e2d6ee41 SN-041619db host-1acf91f7"},
    {"wwn-WWN-e2d6ee41 nvme-EUI-a782ec83", "wwn-WWN-e2d6ee41 nvme-EUI-a782ec83"},
};

static Redactor *told(Arena *a) {
    Redactor *r = vectors(a);
    redactor_add(r, "WWN", STR("5002538e40a1b2c3"));
    redactor_add(r, "EUI", STR("6479a73c80300015"));
    redactor_add(r, "SN", STR("S4X6NF0M123456A     "));
    redactor_add(r, "SN", STR("WD-WX12 A34"));
    redactor_add(r, "host", STR("pbs1"));
    redactor_add(r, "host", STR("storage"));
    redactor_add(r, "SN", STR("-")); /* too short to look for */
    return r;
}

static void spellings(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *a = arena_new(1 << 24);
        Redactor *r = told(a);
        Str got = redact(r, str_of(texts[i].text)), want = str_of(texts[i].redacted);
        bool whole = want.len && want.p[want.len - 1] != '-'; /* else a token follows whose hash does not matter here */
        if (whole ? !str_eq(got, want) : !str_starts(got, texts[i].redacted))
            fail_msg("%s: got %.*s, not %s", texts[i].text, STR_ARG(got), texts[i].redacted);
        Str again = redact(r, got);
        if (!str_eq(again, got)) fail_msg("twice: %.*s became %.*s", STR_ARG(got), STR_ARG(again));
        arena_free(a);
    }
}

/* A host that only a log line named is replaced in what comes after. */
static void learns_hosts(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 24);
    Redactor *r = vectors(a);
    Str line = redact(r, STR("2024-07-01T12:00:00+0200 delta kernel: ata1: up"));
    assert_false(str_has(line, "delta"));
    Str other = redact(r, STR("Name : delta:0"));
    assert_false(str_has(other, "delta"));
    char token[REDACT_TOKEN_SIZE];
    redact_token(r, "host", STR("DELTA"), token);
    assert_true(str_has(other, token) && str_has(line, token));
    arena_free(a);
}

/* The name of an account in a path is replaced where it stands alone, too. */
static void learns_accounts(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 24);
    Redactor *r = vectors(a);
    redactor_learn(r, STR("xfs_info /home/wombat/disk"));
    assert_false(str_has(redact(r, STR("xfs__home_wombat_disk.out")), "wombat"));
    assert_true(str_eq(redact(r, STR("wombats")), STR("wombats")));
    arena_free(a);
}

/* A target has one token, whether it stands alone or in a path. */
static void targets(void **state) {
    (void)state;
    Arena *a = arena_new(1 << 24);
    Redactor *r = vectors(a);
    char token[REDACT_TOKEN_SIZE];
    redact_token(r, "NQN", STR("iqn.2003-01.org.x:sn.42"), token);
    Str path = redact(r, STR("ip-198.51.100.7:3260-iscsi-iqn.2003-01.org.x:sn.42-lun-1-part1"));
    assert_true(str_has(path, token) && str_has(path, "-lun-1-part1"));
    assert_true(str_has(redact(r, STR("Target: iqn.2003-01.org.x:sn.42 (non-flash)")), token));
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tokens), cmocka_unit_test(spellings),
                                       cmocka_unit_test(learns_hosts), cmocka_unit_test(learns_accounts),
                                       cmocka_unit_test(targets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
