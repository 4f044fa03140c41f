/* /proc/diskstats and /proc/partitions read once: counters, and what they say since boot. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include <math.h>
#include <stdio.h>

extern const Parser parser_diskstats, parser_diskstats_awk, parser_partitions, parser_stordx_raw;

#define SDA "   8       0 sda 4810 12 385032 30120 9120 210 1221640 601220 0 88120 640100 7 0 56 3 310 8760\n"
#define SDA1 "   8       1 sda1 4700 12 380032 29120 9120 210 1221640 601220 0 88100 630340 0 0 0 0 0 0\n"
#define LOOP "   7       0 loop0 10092 0 20790 3898 0 0 0 0 0 1184 88 0 0 0 0\n"
#define OLD                                                                                                            \
    "   8      16 sdb 1132105 127625 95048962 12125298 1541331 2624311 178999432 520526656 0 15011617 532716500\n"
#define RAM "   1       0 ram0 0 0 0 0 0 0 0 0 0 0 0\n"
#define COUNTER(n, c) "SELECT c.value FROM counter c JOIN ref r ON r.id=c.node WHERE r.name='" n "' AND c.name='" c "'"

static const DeviceCase cases[] = {
    {"reads", NULL, NULL, SDA SDA1, COUNTER("sda", "reads"), "4810.0"},
    {"sectors written", NULL, NULL, SDA SDA1, COUNTER("sda", "write_sectors"), "1221640.0"},
    {"unit", NULL, NULL, SDA SDA1, "SELECT DISTINCT unit FROM counter WHERE name='write_sectors'", "512 bytes"},
    {"discards", NULL, NULL, SDA SDA1, COUNTER("sda", "discard_sectors"), "56.0"},
    {"flushes", NULL, NULL, SDA SDA1, COUNTER("sda", "flush_ms"), "8760.0"},
    {"partitions too", NULL, NULL, SDA SDA1, COUNTER("sda1", "io_ms"), "88100.0"},
    {"11 figures", NULL, NULL, OLD, COUNTER("sdb", "weighted_io_ms"), "532716500.0"},
    {"11 figures: no flushes", NULL, NULL, OLD, "SELECT count(*) FROM counter", "11"},
    {"never used", NULL, NULL, RAM SDA, "SELECT count(*) FROM ref WHERE name='ram0'", "0"},
    {"old partitions", NULL, NULL, OLD "   8      17 sdb1 10 80 20 160\n", COUNTER("sdb1", "write_sectors"), "160.0"},
    {"the last reading counts", NULL, NULL,
     SDA "   8       0 sda 5000 12 385032 30120 9120 210 1221640 601220 0 88120 640100 7 0 56 3 310 8760\n",
     COUNTER("sda", "reads"), "5000.0"},
    {"and is cited", NULL, NULL,
     SDA "   8       0 sda 5000 12 385032 30120 9120 210 1221640 601220 0 88120 640100 7 0 56 3 310 8760\n",
     "SELECT max(line) FROM counter", "2"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_diskstats, cases, sizeof cases / sizeof *cases);
    ParseTest *pt = pt_run(&parser_diskstats, NULL, NULL, STR(SDA SDA1 LOOP));
    assert_true(fabs(lifetime_value(pt, "disk", "sda", "r_await_ms") - 30120.0 / 4810) < 1e-3);
    assert_true(fabs(lifetime_value(pt, "disk", "sda", "w_await_ms") - 601220.0 / 9120) < 1e-3);
    assert_true(fabs(lifetime_value(pt, "disk", "sda", "f_await_ms") - 8760.0 / 310) < 1e-3);
    assert_true(fabs(lifetime_value(pt, "disk", "sda", "wareq_bytes") - 1221640.0 * 512 / 9120) < 1e-2);
    assert_true(isnan(lifetime_value(pt, "disk", "sda", "w_s")));           /* how long it ran is not known */
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM lifetime"), "1"); /* no partition, no loop device */
    pt_free(pt);
}

static void framing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) claims_text(&parser_diskstats, cases[i].text, true);
    claims_no_other(&parser_diskstats);
    claims_no_other(&parser_partitions);
    assert_int_equal(parser_diskstats.bid(STR(""), STR(""), STR("=== 1719828000.25\n" SDA)), 0);
    assert_int_equal(parser_stordx_raw.bid(STR(""), STR(""), STR(SDA SDA1)), 0);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_diskstats, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_diskstats, SDA "   8       1 sda1 4700 12 380032 29\nnonsense\n", 2,
                 "SELECT count(*) FROM counter", "17");
}

static const DeviceCase partition_cases[] = {
    {"bytes", NULL, NULL, "major minor  #blocks  name\n\n   8        0 1953514584 sda\n   8        1 1953513560 sda1\n",
     SETTING_OF("sda1", "size_bytes"), "2000397885440"},
    {"view", NULL, NULL, "major minor  #blocks  name\n\n   8        0 1953514584 sda\n",
     "SELECT view||' '||line FROM setting", "kernel 3"},
};

static void partitions(void **state) {
    (void)state;
    device_values(&parser_partitions, partition_cases, 2);
    device_damage(&parser_partitions, partition_cases, 2);
    device_notes(&parser_partitions, "major minor  #blocks  name\n\n   8        0 sda\n   8        1 100 sda1\n", 1,
                 SETTING_OF("sda1", "size_bytes"), "102400");
    claims_text(&parser_partitions, partition_cases[0].text, true);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    ParseTest *pt = pt_run(&parser_diskstats, path, NULL, text);
    if (parser_diskstats.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    /* root2 and root3: one row each has 14 figures, which no kernel prints */
    int want = strstr(file, "sysstat__root2") || strstr(file, "sysstat__root3") ? 1 : 0;
    if (pt->ctx.bad_rows != want || !pt->ctx.rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("diskstats", corpus_file);
}

static void partitions_corpus(void **state) {
    (void)state;
    device_corpus(&parser_partitions, "proc-partitions", NULL, 0);
}

/* Columns that only the command explains. */
static void cut_by_awk(void **state) {
    (void)state;
    const Parser *p = &parser_diskstats_awk;
    const char *command = "cat /proc/diskstats | awk '{print $3, $7, $11, $7+$11, $13}' | grep -v loop";
    ParseTest *pt = pt_run(p, NULL, command, STR("nvme0n1 23 458 481 244\nsda 1 2 3\nsdb 9 8 17 7\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 1);
    assert_string_equal(pt_text(pt, COUNTER("nvme0n1", "write_ms")), "458.0");
    assert_string_equal(pt_text(pt, COUNTER("sdb", "io_ms")), "7.0");
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM counter"), "6"); /* the sum is none */
    pt_free(pt);
    static const struct {
        const char *command, *text;
        bool mine;
    } bids[] = {{"awk '{print $3, $4, $8}' /proc/diskstats", "sda 1 2\n", true},
                {"awk '$4 > 0 { print $3, $4 }' /proc/diskstats", "sda 1\n", true},
                {"awk '{print $3, $4, $8}' /proc/diskstats", "sda 1 2 3\n", false},
                {"awk '{printf \"%s %d\", $3, $4}' /proc/diskstats", "sda 1\n", false},
                {"awk '{print $3, toupper($4)}' /proc/diskstats", "sda 1\n", false},
                {"awk '{print $4, $5}' /proc/diskstats", "1 2\n", false}, /* whose? */
                {"awk '{print $3, $4}' other", "sda 1\n", false},
                {"", "sda 1 2\n", false}};
    for (size_t i = 0; i < sizeof bids / sizeof *bids; i++)
        if ((p->bid(STR("x"), str_of(bids[i].command), str_of(bids[i].text)) > 0) != bids[i].mine)
            fail_msg("%s", bids[i].command);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values),           cmocka_unit_test(framing),
                                       cmocka_unit_test(cut_by_awk),       cmocka_unit_test(damage),
                                       cmocka_unit_test(partitions),       cmocka_unit_test(corpus),
                                       cmocka_unit_test(partitions_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
