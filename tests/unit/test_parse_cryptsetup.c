/* cryptsetup: mappings, headers of both formats, the speed of ciphers. */
#include "claim_test.h"
#include "device_test.h"

#include <stdio.h>

extern const Parser parser_cryptsetup;

#define STATUS                                                                                                         \
    "/dev/mapper/crypt0 is active and is in use.\n  type:    LUKS2\n  cipher:  aes-xts-plain64\n  keysize: 512 bits\n" \
    "  key location: keyring\n  device:  /dev/sda2\n  sector size:  4096\n  offset:  32768 sectors\n"                  \
    "  size:    2048 sectors\n  mode:    read/write\n  flags:   discards no_read_workqueue no_write_workqueue\n"

#define LUKS1                                                                                                          \
    "LUKS header information for /dev/sdc1\n\nVersion:       \t1\nCipher name:   \taes\nCipher mode:   "               \
    "\txts-plain64\n"                                                                                                  \
    "Hash spec:     \tsha256\nPayload offset:\t4096\nMK bits:       \t512\nMK digest:     \tdb b8 55 5e df 8c c4 b4\n" \
    "MK salt:       \t1b 16 42 cb 04 3b 77 d8 \n               \tc3 2e 76 04 \nMK iterations: \t106562\n"              \
    "UUID:          \t263902da-5f0c-43a9-82eb-cc6f14d90448\n\nKey Slot 0: ENABLED\n\tIterations:         \t2099250\n"  \
    "\tSalt:               \t3d 99 94 f5 \n\tKey material offset:\t8\n\tAF stripes:            \t4000\nKey Slot 1: "   \
    "DISABLED\n"

#define LUKS2                                                                                                          \
    "LUKS header information\nVersion:       \t2\nEpoch:         \t3\nMetadata area: \t16384 [bytes]\n"                \
    "Keyslots area: \t16744448 [bytes]\nUUID:          \tc8338763-450d-4143-92b2-dff843aff1ac\n"                       \
    "Label:         \tVAULT\nSubsystem:     \t(no subsystem)\nFlags:       \tallow-discards no-read-workqueue \n\n"    \
    "Data segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\tcipher: aes-xts-plain64\n"    \
    "\tsector: 512 [bytes]\n\nKeyslots:\n  0: luks2\n\tKey:        512 bits\n\tPriority:   normal\n"                   \
    "\tCipher:     aes-xts-plain64\n\tCipher key: 512 bits\n\tPBKDF:      argon2id\n\tTime cost:  9\n\tSalt:       "   \
    "ab 47 \n"                                                                                                         \
    "\t            d1 bd \n\tArea offset:32768 [bytes]\n\tDigest ID:  0\nTokens:\nDigests:\n  0: pbkdf2\n"             \
    "\tHash:       sha256\n\tIterations: 140183\n"

#define SPEED                                                                                                          \
    "# Tests are approximate using memory only (no storage IO).\nPBKDF2-sha256     1456355 iterations per second for " \
    "256-bit key\n"                                                                                                    \
    "argon2id      5 iterations, 1048576 memory, 4 parallel threads (CPUs) for 256-bit key (requested 2000 ms time)\n" \
    "#     Algorithm |       Key |      Encryption |      Decryption\n        aes-cbc        128b      1000.0 MiB/s  " \
    "    3000.0 MiB/s\n"                                                                                               \
    "    twofish-cbc        128b               N/A               N/A\n"

static const DeviceCase cases[] = {
    {"status", NULL, NULL, STATUS, ALL_SETTINGS,
     "crypt0 crypt_type=LUKS2 kernel 2; crypt0 crypt_cipher=aes-xts-plain64 kernel 3; crypt0 crypt_key_bits=512 kernel "
     "4; crypt0 "
     "crypt_sector_bytes=4096 kernel 7; crypt0 size_bytes=1048576 kernel 9; crypt0 crypt_flags=allow_discards "
     "no_read_workqueue "
     "no_write_workqueue kernel 11"},
    {"status: what it rests on", NULL, NULL, STATUS, ALL_EDGES, "disk:sda2>disk:crypt0"},
    {"no flags is a fact, too", NULL, NULL,
     "/dev/mapper/a is active.\n  type:    PLAIN\n  cipher:  aes-cbc-essiv:sha256\n  device:  /dev/mapper/vg-lv\n",
     "SELECT (SELECT value||' '||line FROM setting WHERE key = 'crypt_flags')||' '||(SELECT r.name FROM edge JOIN ref "
     "r ON r.id = parent)",
     "none 1 vg-lv"},
    {"2.8 adds units", NULL, NULL,
     "/dev/mapper/a is active.\n  cipher:  c\n  sector size:  512 [bytes]\n  size:    4096 [512-byte units] (2097152 "
     "[bytes])\n",
     SETTING_OF("a", "size_bytes"), "2097152"},
    {"inactive", NULL, NULL, "/dev/mapper/a is inactive.\n", "SELECT count(*) FROM setting", "0"},
    {"LUKS1", NULL, NULL, LUKS1, ALL_SETTINGS,
     "sdc1 crypt_type=LUKS1 kernel 3; sdc1 crypt_cipher=aes-xts-plain64 kernel 5; sdc1 crypt_key_bits=512 kernel 8; "
     "sdc1 "
     "fs_uuid=263902da-5f0c-43a9-82eb-cc6f14d90448 kernel 13; sdc1 fs_type=crypto_LUKS kernel 1"},
    {"LUKS2, device of the command", NULL, "cryptsetup luksDump /dev/sdb2", LUKS2, ALL_SETTINGS,
     "sdb2 crypt_type=LUKS2 kernel 2; sdb2 fs_uuid=c8338763-450d-4143-92b2-dff843aff1ac kernel 6; sdb2 fs_label=VAULT "
     "kernel 7; sdb2 "
     "crypt_flags=allow_discards no_read_workqueue kernel 9; sdb2 crypt_cipher=aes-xts-plain64 kernel 15; sdb2 "
     "crypt_sector_bytes=512 "
     "kernel 16; sdb2 crypt_key_bits=512 kernel 20; sdb2 crypt_pbkdf=argon2id kernel 24; sdb2 fs_type=crypto_LUKS "
     "kernel 1"},
    {"LUKS2, device unknown", NULL, NULL, LUKS2, "SELECT DISTINCT name FROM ref",
     "luks-c8338763-450d-4143-92b2-dff843aff1ac"},
    {"benchmark", NULL, NULL, SPEED,
     "SELECT group_concat(tool||' '||label||' '||rw||' '||mb_s||' '||line, '; ') FROM benchmark",
     "cryptsetup aes-cbc 128b write 1048.576 5; cryptsetup aes-cbc 128b read 3145.728 5"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_cryptsetup, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_cryptsetup, STATUS, true);
    claims_text(&parser_cryptsetup, LUKS1, true);
    claims_text(&parser_cryptsetup, LUKS2, true);
    claims_text(&parser_cryptsetup, SPEED, true);
    claims_no_other(&parser_cryptsetup);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_cryptsetup, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_cryptsetup, "/dev/mapper/a is active.\n  cipher:  c\n  keysize: many\nwhatever this is\n", 2,
                 SETTING_OF("a", "crypt_cipher"), "c");
}

/* libstorage-ng's own reading: name, uuid, type, cipher, key size in bytes. It takes the name from its command line, which is not
   in the file, and knows paes keys by their slot, as we do. */
static void expected(void **state) {
    (void)state;
    static const char *const files[] = {
        "libstorage-ng__cryptsetup-luks-dump-parse1.txt",
        "libstorage-ng__cryptsetup-luks-dump-parse2.txt",
        "libstorage-ng__cryptsetup-luks-dump-parse3_paes.txt",
        "libstorage-ng__cryptsetup-luks-dump-parse4_two_keyslots.txt",
        "libstorage-ng__cryptsetup-luks-dump-parse5_aead.txt",
    };
    if (!pt_corpus()) skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024], want[400];
        const char *file = files[i];
        snprintf(path, sizeof path, "%s/cryptsetup-luksdump/%s", pt_corpus(), file);
        Str text = pt_file(path), json = claims_expected("cryptsetup-luksdump", file);
        if (!text.p || !json.p) skip();
        ParseTest *pt = pt_run(&parser_cryptsetup, file, NULL, text);
        double bits = pt_real(pt, "SELECT value FROM setting WHERE key = 'crypt_key_bits'");
        const char *pbkdf = pt_text(pt, "SELECT value FROM setting WHERE key = 'crypt_pbkdf'");
        snprintf(want, sizeof want, "uuid:%s encryption-type:%s cipher:%s key-size:%d%s%s",
                 pt_text(pt, "SELECT value FROM setting WHERE key = 'fs_uuid'"),
                 pt_text(pt, "SELECT lower(value) FROM setting WHERE key = 'crypt_type'"),
                 pt_text(pt, "SELECT value FROM setting WHERE key = 'crypt_cipher'"), (int)bits / 8,
                 *pbkdf ? " pbkdf:" : "", pbkdf);
        if (!str_has(json, want)) fail_msg("%s: %s", file, want);
        pt_free(pt);
    }
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_cryptsetup, "cryptsetup-luksdump", NULL, 0);
    device_corpus(&parser_cryptsetup, "cryptsetup-status", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(expected), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
