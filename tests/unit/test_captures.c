/* Two captures in one text: which output belongs to which. */
#include "../../analyze/bundle/bundle.h"
#include "parse_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROWS(clock)                                                                                                    \
    "09/17/24 " clock "\nDevice            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await "   \
    "w_await aqu-sz rareq-sz wareq-sz  svctm  %util\nsda              1.00    9.00     10.00     90.00     0.00     "  \
    "0.00   0.00   0.00    0.50    0.90   0.01    10.00    10.00   1.00   1.00\n\n"
#define IOSTAT(hour)                                                                                                   \
    "root@box:~# iostat -xt 1 2\nLinux 5.15.0 (box) \t09/17/24 \t_x86_64_\t(4 CPU)\n\n" ROWS(hour ":14:00")            \
        ROWS(hour ":14:01")
#define LSBLK "root@box:~# lsblk\nNAME SIZE TYPE\nsda  1.8T disk\n"
#define POOL                                                                                                           \
    "root@box:~# zpool status\n  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE CKSUM\n\ttank  "     \
    "ONLINE  0  0  0\n\t  sda  ONLINE  0  0  0\n\nerrors: No known data errors\n"

static Facts *read_text(Arena *a, const char *text) {
    char path[] = "/tmp/stordx-captures-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    Error err = {""};
    Facts *f = facts_new(a, &err);
    int64_t bundle;
    assert_non_null(f);
    if (!bundle_read(f, path, &bundle, &err) || !facts_resolve(f, &err)) fail_msg("%s", err.text);
    unlink(path);
    return f;
}

/* "1lsblk 1iostat 2lsblk": captures from 1, tools in the order of the text. */
static void divided(const char *text, const char *want) {
    Arena *a = arena_new((size_t)1 << 28);
    Facts *f = read_text(a, text);
    sqlite3_stmt *st =
        facts_query(f, "SELECT group_concat(x, ' ') FROM (SELECT (SELECT count(*) FROM capture c WHERE c.id "
                       "<= s.capture) || s.tool AS x FROM source s WHERE s.tool IS NOT NULL ORDER BY s.id)");
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    const char *got = (const char *)sqlite3_column_text(st, 0);
    if (!got || strcmp(got, want) != 0) fail_msg("got  %s\nwant %s", got ? got : "nothing", want);
    sqlite3_reset(st);
    arena_free(a);
}

static void samples_last(void **state) {
    (void)state;
    divided(LSBLK POOL IOSTAT("01") LSBLK POOL IOSTAT("21"),
            "1lsblk 1zpool-status 1iostat 2lsblk 2zpool-status 2iostat");
}

static void samples_between(void **state) {
    (void)state;
    divided(LSBLK IOSTAT("01") POOL LSBLK IOSTAT("21") POOL,
            "1lsblk 1iostat 1zpool-status 2lsblk 2iostat 2zpool-status");
}

static void samples_first(void **state) {
    (void)state;
    divided(IOSTAT("01") LSBLK POOL IOSTAT("21") LSBLK POOL,
            "1iostat 1lsblk 1zpool-status 2iostat 2lsblk 2zpool-status");
}

static void one_moment(void **state) {
    (void)state;
    divided(LSBLK IOSTAT("01") POOL IOSTAT("02"), "1lsblk 1iostat 1zpool-status 1iostat");
}

/* A log of the system's start, as the journal prints it. */
#define JOURNAL(id, hour)                                                                                              \
    "root@box:~# journalctl -k -o short-iso\n-- Boot " id " --\n2024-09-17T" hour                                      \
    ":02:00+0000 box kernel: Linux version 5.15.0 (a@b) (gcc) #1 SMP\n2024-09-17T" hour                                \
    ":02:00+0000 box kernel: Command line: ro quiet\n2024-09-17T" hour                                                 \
    ":02:01+0000 box kernel: ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"
#define ID_A "5a1f0c3e77b24d194a0e0be2c61d8f47"
#define ID_B "0be2c61d8f475a1f0c3e77b24d194a0e"

/* Samples on both sides of a start of the system are two captures, however near in time. */
static void restarted_between(void **state) {
    (void)state;
    divided(JOURNAL(ID_A, "00") IOSTAT("01") LSBLK JOURNAL(ID_B, "03") IOSTAT("04"),
            "1kernel-log 1iostat 1lsblk 2kernel-log 2iostat");
    divided(JOURNAL(ID_A, "00") IOSTAT("01") LSBLK JOURNAL(ID_A, "00") IOSTAT("04"),
            "1kernel-log 1iostat 1lsblk 1kernel-log 1iostat");
}

/* Two logs of one capture: the one that was saved before the restart is of the boot before. */
static void log_before_restart(void **state) {
    (void)state;
    static const char *const texts[] = {JOURNAL(ID_B, "03") LSBLK JOURNAL(ID_A, "00"),
                                        JOURNAL(ID_A, "00") LSBLK JOURNAL(ID_B, "03"),
                                        JOURNAL(ID_A, "00") LSBLK JOURNAL(ID_A, "00")};
    static const char *const want[] = {"0 -1", "-1 0", "0 0"};
    for (size_t i = 0; i < 3; i++) {
        Arena *a = arena_new((size_t)1 << 28);
        Facts *f = read_text(a, texts[i]);
        sqlite3_stmt *st =
            facts_query(f, "SELECT group_concat(boot, ' ') FROM (SELECT boot FROM log_window ORDER BY src)");
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(st, 0), want[i]);
        sqlite3_reset(st);
        st = facts_query(f, "SELECT boot_id FROM capture");
        assert_int_equal(sqlite3_step(st), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(st, 0),
                            i < 2 ? "0be2c61d-8f47-5a1f-0c3e-77b24d194a0e" : "5a1f0c3e-77b2-4d19-4a0e-0be2c61d8f47");
        sqlite3_reset(st);
        arena_free(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_last),      cmocka_unit_test(samples_between),
                                       cmocka_unit_test(samples_first),     cmocka_unit_test(one_moment),
                                       cmocka_unit_test(restarted_between), cmocka_unit_test(log_before_restart)};
    return cmocka_run_group_tests_name("captures", tests, NULL, NULL);
}
