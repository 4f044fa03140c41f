/* dd of several systems and languages, and what each run measured. */
#include "sample_test.h"

#include <math.h>

extern const Parser parser_dd;

#define IO "1024+0 records in\n1024+0 records out\n"
#define GNU IO "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.4 s, 244 MB/s\n"

static const struct {
    const char *name, *command, *text, *sql, *want;
} rows[] = {
    {"GNU", "dd if=/dev/zero of=/storage/test bs=1M count=1024", GNU,
     "SELECT tool||' '||rw||' '||block_bytes||' '||direct||' '||sync||' '||data||' '||target||' '||bytes||' "
     "'||seconds||' '||round(mb_s,2)||' '||line FROM benchmark",
     "dd write 1048576 0 none zero /storage/test 1073741824.0 4.4 244.03 3"},
    {"GNU before 8.24", NULL, IO "1073741824 bytes (1.1 GB) copied, 4.4 s, 244 MB/s\n",
     "SELECT round(mb_s,2)||' '||coalesce(rw,'?')||' '||data FROM benchmark", "244.03 ? unknown"},
    {"German", NULL,
     "1024+0 Datensätze ein\n1024+0 Datensätze aus\n1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 4,40012 s, 244 MB/s\n",
     "SELECT seconds FROM benchmark", "4.40012"},
    {"French", NULL,
     "1024+0 enregistrements lus\n1024+0 enregistrements écrits\n1073741824 octets (1,1 GB, 1,0 GiB) copiés, 4,4 s, "
     "244 MB/s\n",
     "SELECT seconds FROM benchmark", "4.4"},
    {"busybox", NULL, IO "1073741824 bytes (1.0GB) copied, 4.400000 seconds, 232.7MB/s\n",
     "SELECT seconds||' '||bytes FROM benchmark", "4.4 1073741824.0"},
    {"BSD", NULL, IO "1073741824 bytes transferred in 4.400000 secs (244032232 bytes/sec)\n",
     "SELECT seconds||' '||round(mb_s,2) FROM benchmark", "4.4 244.03"},
    {"only the last line", NULL, "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.4 s, 244 MB/s\n",
     "SELECT count(*) FROM benchmark", "1"},
    {"progress is no result", "dd if=/dev/zero of=x bs=1M status=progress",
     "500000000 bytes (500 MB, 477 MiB) copied, 2 s, 250 MB/s\r800000000 bytes (800 MB, 763 MiB) copied, 3 s, 266 "
     "MB/s\n" GNU,
     "SELECT group_concat(bytes) FROM benchmark", "1073741824.0"},
    {"several, each with its command", NULL,
     "root@nas:~# dd if=/dev/zero of=/a bs=4k count=1000 oflag=direct,dsync\n" GNU
     "root@nas:~# dd if=/storage/file of=/dev/null bs=1M iflag=direct\n" GNU,
     "SELECT group_concat(rw||' '||sync||' '||direct||' '||target, ',') FROM (SELECT * FROM benchmark ORDER BY rowid)",
     "write dsync 1 /a,read none 1 /storage/file"},
    {"a command over two lines", NULL, "$ dd if=/dev/urandom \\\n    of=/storage/x bs=64k conv=fsync\n" GNU,
     "SELECT data||' '||sync||' '||target||' '||block_bytes FROM benchmark", "random fsync /storage/x 65536"},
    {"sudo and a device", "sudo dd if=/dev/sdb of=/dev/null bs=1MB", GNU,
     "SELECT r.kind||' '||r.name||' '||block_bytes FROM benchmark b JOIN ref r ON r.id=b.node", "disk sdb 1000000"},
    {"fdatasync", "dd if=/dev/shm/r of=/t/x bs=1M conv=notrunc,fdatasync", GNU, "SELECT sync||' '||data FROM benchmark",
     "fdatasync file"},
    {"IOPS of dsync", "dd if=/dev/zero of=/t/x bs=4k oflag=dsync",
     IO "4096000 bytes (4.1 MB, 3.9 MiB) copied, 10 s, 410 kB/s\n", "SELECT iops FROM benchmark", "100.0"},
    {"DiskSpd", NULL, "Command Line: diskspd.exe -c4G -b4K -r -w100 -d30 -Sh D:\\test.dat\n",
     "SELECT tool||' '||rw||' '||block_bytes||' '||direct FROM benchmark", "diskspd randwrite 4096 1"},
};

static void values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = pt_run(&parser_dd, "x", rows[i].command, str_of(rows[i].text));
        if (pt->ctx.bad_rows || pt->result != PARSE_OK) fail_msg("%s: %.*s", rows[i].name, STR_ARG(pt->ctx.first_note));
        const char *got = pt_text(pt, rows[i].sql);
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: %s, not %s", rows[i].name, got, rows[i].want);
        assert_true(parser_dd.bid(STR(""), str_of(rows[i].command), str_of(rows[i].text)) > 0);
        pt_free(pt);
    }
}

static const struct {
    const char *command, *says, *not_says;
} meanings[] = {
    {"dd if=/dev/zero of=/t/x bs=1M", "no fsync and no direct I/O", "flush after every block"},
    {"dd if=/dev/zero of=/t/x bs=1M", "zeros", "random generator"},
    {"dd if=/dev/zero of=/t/x bs=1M conv=fsync", "one flush at the end", "page cache"},
    {"dd if=/dev/zero of=/t/x bs=4k oflag=dsync", "flush after every block", "one flush at the end"},
    {"dd if=/dev/zero of=/t/x bs=4k oflag=direct,dsync", "flush after every block", "cache takes them"},
    {"dd if=/dev/urandom of=/t/x bs=1M conv=fsync", "random generator", "zeros"},
    {"dd if=/dev/shm/random of=/t/x bs=1M conv=fsync", "one flush at the end", "reading the source"},
    {"dd if=/t/x of=/dev/null bs=1M", "through the page cache", "zeros"},
    {"dd if=/t/x of=/dev/null bs=1M iflag=direct", "past the page cache", "comes from memory"},
    {NULL, "without its command line", "zeros"},
};

static void measures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        ParseTest *pt = pt_run(&parser_dd, "x", meanings[i].command, STR(GNU));
        Str got = str_of(pt_text(pt, "SELECT measures FROM benchmark"));
        if (!str_has(got, meanings[i].says) || str_has(got, meanings[i].not_says))
            fail_msg("%s: %.*s", meanings[i].command, STR_ARG(got));
        pt_free(pt);
    }
    ParseTest *pt = pt_run(&parser_dd, "x", NULL, STR("Command Line: diskspd -Sh -w100 -b1M x\n"));
    assert_true(str_has(str_of(pt_text(pt, "SELECT measures FROM benchmark")), "write cache off on purpose"));
    pt_free(pt);
}

static void damage_and_framing(void **state) {
    (void)state;
    /* a list of processes that has one of dd */
    assert_int_equal(
        parser_dd.bid(
            STR(""), STR(""),
            STR("16:00:20      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
                "16:00:20     1000      7410      0.00 661000.00      0.00      88  dd if=/dev/zero of=big bs=1M\n")),
        0);
    ParseTest *pt = pt_run(&parser_dd, NULL, "dd if=/dev/sda of=/dev/null",
                           STR("dd: error reading '/dev/sda': Input/output error\n" GNU));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    pt_free(pt);
    static const char text[] = "$ dd if=/dev/zero of=/t/x bs=1x2x3 count=1k oflag=\n" GNU
                               "1073741824 bytes transferred in 0 secs (inf bytes/sec)\n";
    for (size_t n = 0; n < sizeof text; n++) {
        pt = pt_run(&parser_dd, NULL, NULL, (Str){text, n});
        pt_free(pt);
    }
    assert_true(parser_dd.starts(STR("1024+0 records in")));
    assert_true(parser_dd.starts(STR("dd if=/dev/zero of=x")));
    assert_true(parser_dd.continues(STR("1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.4 s, 244 MB/s")));
    static const char *const others[] = {
        "sda               8.59       222.14        57.08    1597749     410544",
        "Pre 1+1 line of something else that is long",
        "[    2.101312] sd 2:0:0:0: [sda] 3907029168 512-byte logical blocks: (2.00 TB/1.82 TiB)",
        "  pool: storage",
        "added to the list: if=of",
        "500107862016 bytes [500 GB]",
        "312.6 GiB (335657148416 bytes) trimmed"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Str line = str_of(others[i]);
        if (parser_dd.continues(line) || parser_dd.starts(line) || parser_dd.bid(STR(""), STR(""), line))
            fail_msg("claimed: %s", others[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(measures),
                                       cmocka_unit_test(damage_and_framing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
