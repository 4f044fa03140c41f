/* pidstat and iotop: who reads and writes, in bytes, and how much of it is kept. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_pidstat, parser_iotop;

#define BANNER "Linux 6.1.0-18-amd64 (nas) \t07/01/2024 \t_x86_64_\t(4 CPU)\n\n"
#define HEAD "12:00:00 AM   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
#define RSYNC(t) t "  1000      2211      4.00   9120.50      0.00      61  rsync\n"
#define JBD(t) t "     0       395      0.00      7.92      0.00       0  jbd2/sda1-8\n"
#define ALL                                                                                                            \
    "SELECT group_concat(coalesce(pid,'?')||' '||coalesce(command,'?')||' '||coalesce(read_bytes_s,'-')||' "           \
    "'||coalesce(write_bytes_s,'-')||' '||coalesce(io_wait_pct,'-')||' '||line, '; ')"                                 \
    " FROM (SELECT * FROM process_io ORDER BY rowid)"

static const DeviceCase pidstat_cases[] = {
    {"-d", NULL, "pidstat -d 1", BANNER HEAD RSYNC("12:00:01 AM") JBD("12:00:01 AM"), ALL,
     "2211 rsync 4096.0 9339392.0 61.0 4; 395 jbd2/sda1-8 0.0 8110.08 0.0 5"},
    {"a time with the banner's date", NULL, NULL, BANNER HEAD RSYNC("12:00:01 AM"), "SELECT t_s FROM process_io",
     "1719792001.0"},
    {"past midnight", NULL, NULL, BANNER HEAD RSYNC("11:59:59 PM") RSYNC("12:00:01 AM"),
     "SELECT max(t_s) - min(t_s) FROM process_io", "2.0"},
    {"no banner, no date", NULL, NULL, HEAD RSYNC("12:00:01 AM"), "SELECT t_s FROM process_io", "NULL"},
    {"24 hours, commas", NULL, NULL,
     "Linux 6.1.0 (nas) \t01.07.2024 \t_x86_64_\t(4 CPU)\n\n00:00:00      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s "
     "iodelay  Command\n00:00:01        0       395      0,00      8,00      0,00       5  jbd2\n"
     "Durchschn.:     0       395      0,00      8,00      0,00       5  jbd2\n",
     ALL, "395 jbd2 0.0 8192.0 5.0 4"},
    {"-dlh with epoch", NULL, NULL,
     "# Time        UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n1719828001  1000      2211      4.00 "
     "  9120.50      0.00      61  /usr/bin/rsync -a /data\n",
     "SELECT t_s||' '||command FROM process_io", "1719828001.0 /usr/bin/rsync -a /data"},
    {"old, without iodelay", NULL, NULL,
     "12:00:00 AM       PID   kB_rd/s   kB_wr/s kB_ccwr/s  Command\n12:00:01 AM      2211      4.00   9120.50      "
     "0.00  rsync\n",
     ALL, "2211 rsync 4096.0 9339392.0 - 2"},
    {"iodelay over 2 seconds", NULL, "pidstat -d 2", HEAD RSYNC("12:00:01 AM"), "SELECT io_wait_pct FROM process_io",
     "30.5"},
    {"may not be read", NULL, NULL, HEAD "12:00:01 AM     0         1     -1.00     -1.00     -1.00       4  systemd\n",
     ALL, "1 systemd - - 4.0 2"},
    {"threads", NULL, NULL,
     "12:00:00 AM   UID      TGID       TID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n12:00:01 AM  1000         "
     "-      2213      4.00   9120.50      0.00      61  |__rsync\n",
     ALL, "2213 rsync 4096.0 9339392.0 61.0 2"},
    {"-U and --human", NULL, NULL,
     "12:00:00 AM      USER       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n12:00:01 AM    backup      2211  "
     "    4.0k      8.9M      0.0B      61  rsync\n",
     ALL, "2211 rsync 4096.0 9332326.4 61.0 2"},
    {"-udh", NULL, NULL,
     "# Time   UID       PID    %usr %system  %guest   %wait    %CPU   CPU   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  "
     "Command\n12:00:01    0       395    0.10    0.20    0.00    1.00    0.30     2      0.00      8.00      0.00     "
     "  5  jbd2\n",
     ALL, "395 jbd2 0.0 8192.0 5.0 2"},
    {"the busiest task of each interval", NULL, "pidstat -u 1 2",
     "12:00:00 AM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n12:00:01 AM     0       395  "
     "  0.10    0.20    0.00    1.00    0.30     2  jbd2\n12:00:01 AM  1000      2211   90.00    8.00    0.00    1.00  "
     " "
     "98.00     2  rsync\n12:00:02 AM  1000      2211   90.00    4.00    0.00    1.00   94.00     1  rsync\n"
     "Average:     1000      2211   90.00    6.00    0.00    1.00   96.00     -  rsync\n",
     "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting",
     "cpu_thread_pct=96 3; cpu_thread=rsync 3; cpu_thread_is=process 3"},
    {"threads, not their sum", NULL, "pidstat -ut 1 2",
     "12:00:00 AM   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n12:00:01 AM  1000  "
     "  "
     "  2211         -  180.00    8.00    0.00    1.00  188.00     2  zstd\n12:00:01 AM  1000         -      2212   "
     "94.00    0.00    0.00    1.00   94.00     2  |__zstd\n12:00:02 AM  1000         -      2213   90.00    0.00    "
     "0.00 "
     "   1.00   90.00     2  |__zstd\n",
     "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting",
     "cpu_thread_pct=92 3; cpu_thread=zstd 3; cpu_thread_is=thread 3"},
    {"a lone table is an average", NULL, "pidstat -u",
     "12:00:00 AM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n12:00:01 AM     0       395  "
     "  0.10    0.20    0.00    1.00    0.30     2  jbd2\n",
     "SELECT count(*) FROM setting", "0"},
    {"-u has no I/O", NULL, NULL,
     "12:00:00 AM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n12:00:01 AM     0       395  "
     "  0.10    0.20    0.00    1.00    0.30     2  jbd2\n",
     "SELECT count(*) FROM process_io", "0"},
    {"nothing moved", NULL, NULL, HEAD "12:00:01 AM     0         1      0.00      0.00      0.00       0  systemd\n",
     "SELECT count(*) FROM process_io", "0"},
};

#define TOTAL(w)                                                                                                       \
    "Total DISK READ :       0.00 B/s | Total DISK WRITE :    " w                                                      \
    "\nActual DISK READ:       0.00 B/s | Actual DISK WRITE:    31.00 M/s\n"
#define TASKS "  TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN     IO>    COMMAND\n"
static const DeviceCase iotop_cases[] = {
    {"-b", NULL, NULL,
     TOTAL("27.94 M/s") TASKS " 3865 be/4 root        0.00 B/s   27.90 M/s  0.00 % 80.56 % rsync -a /data\n", ALL,
     "3865 rsync -a /data 0.0 29255270.4 80.56 4"},
    {"totals", NULL, NULL, TOTAL("27.00 M/s") TASKS TOTAL("2.00 M/s"), SETTING_OF("host", "tasks_write_bytes_s"),
     "28311552"},
    {"what reached devices", NULL, NULL, TOTAL("27.00 M/s") TASKS, SETTING_OF("host", "devices_write_bytes_s"),
     "32505856"},
    {"-k -t", NULL, NULL,
     "16:19:43 Total DISK READ :       0.00 K/s | Total DISK WRITE :       8.00 K/s\n16:19:43 Actual DISK READ:       "
     "0.00 K/s | Actual DISK WRITE:       0.00 K/s\n"
     "    TIME  TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND\n16:19:43   395 be/3 root        "
     "0.00 K/s    8.00 K/s  0.00 %  1.50 % [jbd2/sda1-8]\n",
     ALL, "395 [jbd2/sda1-8] 0.0 8192.0 1.5 4"},
    {"no delay accounting", NULL, NULL,
     TOTAL("8.00 K/s") "  PID  PRIO  USER     DISK READ DISK WRITE>    COMMAND\n  395 be/3 root        0.00 B/s    "
                       "8.00 K/s ?unavailable?  jbd2\n",
     ALL, "395 jbd2 0.0 8192.0 - 4"},
    {"-qqq: rows alone", NULL, NULL,
     "11:02:01    911 be/4 postgres    0.00 K/s 21000.00 K/s  0.00 % 30.00 % postgres: checkpointer\n"
     "11:02:02   5120 be/4 root     9000.00 K/s 14000.00 K/s  0.00 % 22.00 % rsync -a /srv /mnt/copy\n",
     "SELECT group_concat(pid || ' ' || command || ' ' || write_bytes_s, '; ') FROM process_io",
     "911 postgres: checkpointer 21504000.0; 5120 rsync -a /srv /mnt/copy 14336000.0"},
    {"-a: differences", NULL, "iotop -boa -d 2",
     TOTAL("0.00 B/s")
         TASKS TOTAL("12.00 K/s") "  395 be/3 root        0.00 B     24.00 K  0.00 %  1.50 % jbd2\n" TOTAL(
             "4.00 K/s") "  395 be/3 root        0.00 B     32.00 K  0.00 %  1.50 % jbd2\n",
     ALL, "395 jbd2 0.0 12288.0 1.5 6; 395 jbd2 0.0 4096.0 1.5 9"},
    {"FreeBSD counts operations", NULL, "top -b -m io",
     "  PID USERNAME     VCSW  IVCSW   READ  WRITE  FAULT  TOTAL PERCENT COMMAND\n 2211 backup        120      3      "
     "0    410      0    410  97.62% rsync\n",
     "SELECT (SELECT count(*) FROM process_io)||' '||count(*) FROM note", "0 1"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_pidstat, pidstat_cases, sizeof pidstat_cases / sizeof *pidstat_cases);
    device_values(&parser_iotop, iotop_cases, sizeof iotop_cases / sizeof *iotop_cases);
    ParseTest *pt = pt_run(&parser_pidstat, NULL, NULL, str_of(pidstat_cases[0].text));
    assert_string_equal(pt_text(pt, "SELECT local_time FROM source"), "1");
    pt_free(pt);
}

static void framing(void **state) {
    (void)state;
    /* the banner is iostat's as well: it starts nothing here, and the header below it decides */
    for (size_t i = 0; i < sizeof pidstat_cases / sizeof *pidstat_cases; i++)
        claims_text(&parser_pidstat, pidstat_cases[i].text, strncmp(pidstat_cases[i].text, "Linux", 5) != 0);
    for (size_t i = 0; i < sizeof iotop_cases / sizeof *iotop_cases; i++)
        claims_text(&parser_iotop, iotop_cases[i].text, true);
    claims_no_other(&parser_pidstat);
    claims_no_other(&parser_iotop);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_pidstat, pidstat_cases, sizeof pidstat_cases / sizeof *pidstat_cases);
    device_damage(&parser_iotop, iotop_cases, sizeof iotop_cases / sizeof *iotop_cases);
    device_notes(&parser_pidstat, HEAD "garbage\n" RSYNC("12:00:01 AM") "12:00:01 AM     0       395\n", 2,
                 "SELECT count(*) FROM process_io", "1");
    device_notes(&parser_iotop,
                 TOTAL("1.00 K/s") TASKS "garbage\n  395 be/3 root        0.00 B/s    8.00 K/s  0.00 %  1.50 % jbd2\n",
                 1, "SELECT count(*) FROM process_io", "1");
}

/* More rows than are kept: the largest stay, the rest is said. */
static void bounded(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    char *text = malloc((size_t)ROWS * 100 + 200);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s", HEAD);
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(text + n, "12:00:01 AM  1000      %d      0.00   %d.00      0.00      61  rsync\n", i + 1,
                             (i * 7919) % ROWS + 1);
    ParseTest *pt = pt_run(&parser_pidstat, NULL, NULL, (Str){text, n});
    assert_int_equal(pt->ctx.rows, ROWS);
    assert_string_equal(
        pt_text(pt, "SELECT count(*)||' '||(min(write_bytes_s)/1024)||' '||(max(write_bytes_s)/1024) FROM process_io"),
        "1000 2001.0 3000.0");
    assert_string_equal(
        pt_text(pt,
                "SELECT count(*) FROM process_io a JOIN process_io b ON b.rowid = a.rowid + 1 WHERE a.line >= b.line"),
        "0");
    assert_string_equal(pt_text(pt, "SELECT text LIKE '2000 rows %' FROM note"), "1");
    pt_free(pt);
    free(text);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    if (strstr(file, "hotsos__sunbeam"))
        return; /* "timeout: failed to run command": a refusal, which the framing of pieces knows */
    ParseTest *pt = pt_run(&parser_iotop, path, NULL, text);
    if (parser_iotop.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows || !pt->ctx.rows)
        fail_msg("%s:%d: %.*s", file, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
    if (strstr(file, "fio-heavy"))
        assert_string_equal(
            pt_text(pt, "SELECT CAST(write_bytes_s / 1048576 AS INTEGER)||' '||command FROM process_io"),
            "1603 fio new-fio.job");
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("iotop", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(framing), cmocka_unit_test(damage),
                                       cmocka_unit_test(bounded), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
