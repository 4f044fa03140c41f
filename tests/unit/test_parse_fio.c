/* fio: the report of 2.x and 3.x, terse lines, JSON; units, what a run measured, and percentiles. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include "../../analyze/parse/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_fio;

#define JOB3(engine, depth)                                                                                            \
    "t: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 8192B-8192B, (T) 4096B-4096B, ioengine=" engine                   \
    ", iodepth=" depth "\nfio-3.33\nStarting 1 process\n\n"
#define RESULT3                                                                                                        \
    "t: (groupid=0, jobs=1): err= 0: pid=4711: Mon Jul  1 12:00:30 2024\n"                                             \
    "  write: IOPS=39.3k, BW=307MiB/s (322MB/s)(9216MiB/30020msec); 0 zone resets\n"                                   \
    "    slat (nsec): min=2780, max=78933k, avg=16023.10, stdev=160757.08\n"                                           \
    "    clat (usec): min=2, max=412k, avg=51.10, stdev=20.30\n"                                                       \
    "     lat (usec): min=4, max=412k, avg=67.10, stdev=20.30\n"                                                       \
    "    clat percentiles (usec):\n"                                                                                   \
    "     |  1.00th=[   10], 50.00th=[   48], 95.00th=[   90], 99.00th=[ 1310],\n"                                     \
    "     | 99.99th=[  401]\n"                                                                                         \
    "   bw (  KiB/s): min=11736, max=58560, per=99.93%, avg=30627.17, stdev=1994.22, samples=60\n"                     \
    "   iops        : min= 2934, max=14640, avg=7656.79, stdev=498.55, samples=60\n"                                   \
    "  fsync/fdatasync/sync_file_range:\n"                                                                             \
    "    sync (msec): min=1, max=90, avg=11.10, stdev=2.00\n"                                                          \
    "    sync percentiles (msec):\n"                                                                                   \
    "     |  1.00th=[    4], 50.00th=[   10], 95.00th=[   20], 99.00th=[   42]\n"                                      \
    "  cpu          : usr=1.42%, sys=5.61%, ctx=72137, majf=0, minf=16\n"                                              \
    "\nRun status group 0 (all jobs):\n"                                                                               \
    "  WRITE: bw=307MiB/s (322MB/s), 307MiB/s-307MiB/s (322MB/s-322MB/s), io=9216MiB (9664MB), run=30020-30020msec\n"  \
    "\nDisk stats (read/write):\n  sda: ios=0/9381, merge=0/12, ticks=0/478010, in_queue=478010, util=99.31%\n"
#define TWO                                                                                                            \
    "r: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=16\n...\nfio-2.2.10\nStarting 8 "           \
    "processes\n\n"                                                                                                    \
    "r: (groupid=0, jobs=8): err= 0: pid=4175: Tue Apr  4 17:21:33 2017\n"                                             \
    "  read : io=4096.0MB, bw=245439KB/s, iops=61359, runt= 17089msec\n"                                               \
    "    clat (usec): min=39, max=84543, avg=1987.34, stdev=1061.22\n"                                                 \
    "    clat percentiles (usec):\n     | 50.00th=[ 1912], 60.00th=[ 2064],\n     | 95.00th=[ 3184], 99.00th=[ "       \
    "4448]\n"
#define PERCENTILES                                                                                                    \
    "1.000000%=10;5.000000%=20;10.000000%=30;20.000000%=40;30.000000%=50;40.000000%=60;50.000000%=500;60.000000%=600;" \
    "70.000000%=700;80.000000%=800;90.000000%=900;"                                                                    \
    "95.000000%=950;99.000000%=2500;99.500000%=3000;99.900000%=4000;99.950000%=5000;99.990000%=6000;0%=0;0%=0;0%=0"
#define NONE                                                                                                           \
    "0;0;0;0;0;0;0.000000;0.000000;0;0;0.000000;0.000000;1.000000%=0;5.000000%=0;10.000000%=0;20.000000%=0;30.000000%" \
    "=0;40.000000%=0;50.000000%=0;60.000000%=0;70.000000%=0;80.000000%=0;90.000000%=0;95.000000%=0;99.000000%=0;99."   \
    "500000%=0;99.900000%=0;99.950000%=0;99.990000%=0;0%=0;0%=0;0%=0;0;0;0.000000;0.000000;0;0;0.000000%;0.000000;0."  \
    "000000"
#define TERSE                                                                                                          \
    "3;fio-3.33;seqw;0;0;" NONE                                                                                        \
    ";1048576;104857;102;10000;5;60;10.000000;1.000000;100;9000;610.500000;12.000000;" PERCENTILES                     \
    ";110;9100;620.000000;12.000000;90000;110000;100.000000%;104857.000000;900.000000;1.0%;2.0%;1000;0;20;100.0%;0.0%" \
    "\n"
#define JSON(options, write)                                                                                           \
    "{\n\"fio version\" : \"fio-3.33\",\n\"global options\" : {\"filename\" : \"/dev/sdb\", \"ioengine\" : "           \
    "\"libaio\"},\n\"jobs\" : [\n{\"jobname\" : \"t\", \"error\" : 0,\n"                                               \
    "\"job options\" : {" options                                                                                      \
    "},\n\"read\" : {\"io_bytes\" : 0, \"io_kbytes\" : 0, \"runtime\" : 0},\n\"write\" : {" write "},\n"               \
    "\"sync\" : {\"total_ios\" : 0, \"lat_ns\" : {\"min\" : 1, \"max\" : 90000000, \"mean\" : 11000000.0, \"stddev\" " \
    ": 1.0, \"N\" : 512, \"percentile\" : {\"50.000000\" : 10000000, \"99.000000\" : 42000000}}}\n}]}\n"
#define WRITE                                                                                                          \
    "\"io_bytes\" : 1073741824, \"io_kbytes\" : 1048576, \"bw_bytes\" : 8876980, \"iops\" : 2167.2, \"runtime\" : "    \
    "120958, \"total_ios\" : 262144, \"clat_ns\" : {\"min\" : 1200, \"max\" : 4090273600, \"mean\" : 418473.2, "       \
    "\"percentile\" : {\"50.000000\" : 91648, \"95.000000\" : 144384, \"99.000000\" : 264192}}"
#define OF(column) "SELECT " column " FROM benchmark ORDER BY rowid LIMIT 1"
#define DIST(metric, column)                                                                                           \
    "SELECT round(" column ", 6) FROM distribution WHERE basis = 'io percentiles' AND metric = '" metric "'"
#define CMD "fio --name=t --rw=randwrite --bs=8k --filename=/dev/sdb "

static const DeviceCase cases[] = {
    {"3.x label", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("label"), "t rw=randwrite iodepth=16 ioengine=libaio"},
    {"3.x direction", NULL, NULL, JOB3("libaio", "16") RESULT3, "SELECT group_concat(rw) FROM benchmark", "randwrite"},
    {"3.x block of writes", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("block_bytes"), "8192"},
    {"3.x rate", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("round(mb_s, 2)"), "321.91"},
    {"3.x bytes", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("bytes"), "9663676416.0"},
    {"3.x seconds", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("seconds"), "30.02"},
    {"3.x IOPS", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("iops"), "39300.0"},
    {"3.x p99", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("lat_p99_ms"), "1.31"},
    {"3.x line", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("line"), "6"},
    {"3.x median of completion", NULL, NULL, JOB3("libaio", "16") RESULT3, DIST("w_await_ms", "p50"), "0.048"},
    {"3.x maximum with k", NULL, NULL, JOB3("libaio", "16") RESULT3, DIST("w_await_ms", "max"), "412.0"},
    {"3.x flushes", NULL, NULL, JOB3("libaio", "16") RESULT3, DIST("f_await_ms", "p99"), "42.0"},
    {"3.x flushes, mean", NULL, NULL, JOB3("libaio", "16") RESULT3, DIST("f_await_ms", "mean"), "11.1"},
    {"direct is not known", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("direct"), "NULL"},
    {"so neither is sync", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("sync"), "NULL"},
    {"and it says so", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("measures LIKE 'without its command line: %'"),
     "1"},
    {"no node without a file", NULL, NULL, JOB3("libaio", "16") RESULT3, OF("node"), "NULL"},
    {"the command: direct", NULL, CMD "--direct=1", JOB3("libaio", "16") RESULT3,
     OF("direct||' '||sync||' '||target||' '||data"), "1 none /dev/sdb random"},
    {"the command: a device", NULL, CMD "--direct=1", JOB3("libaio", "16") RESULT3,
     "SELECT r.kind||' '||r.name FROM benchmark b JOIN ref r ON r.id = b.node", "disk sdb"},
    {"the command: defaults", NULL, CMD, JOB3("libaio", "16") RESULT3, OF("direct||' '||sync"), "0 none"},
    {"page cache", NULL, CMD, JOB3("libaio", "16") RESULT3, OF("measures LIKE '%writes to memory (page cache)%'"), "1"},
    {"libaio without direct", NULL, CMD, JOB3("libaio", "16") RESULT3,
     OF("measures LIKE '%queue depth asked for was not reached%'"), "1"},
    {"depth 1 needs no such word", NULL, CMD, JOB3("libaio", "1") RESULT3, OF("measures LIKE '%not reached%'"), "0"},
    {"fsync=1", NULL, CMD "--fsync=1", JOB3("sync", "1") RESULT3, OF("sync"), "dsync"},
    {"end_fsync", NULL, CMD "--end_fsync=1", JOB3("sync", "1") RESULT3, OF("sync"), "fsync"},
    {"zeros", NULL, CMD "--direct=1 --zero_buffers", JOB3("sync", "1") RESULT3, OF("data"), "zero"},
    {"less than a minute", NULL, CMD "--direct=1", JOB3("libaio", "16") RESULT3,
     OF("measures LIKE '%less than a minute%'"), "1"},
    {"a job file hides options", NULL, "fio --direct=1 job.fio", JOB3("libaio", "16") RESULT3,
     OF("direct||' '||coalesce(sync,'?')"), "1 ?"},
    {"a command pasted above", NULL, NULL, CMD "--direct=1\n" JOB3("libaio", "16") RESULT3, OF("direct"), "1"},
    {"2.x bytes, MB are 2^20", NULL, NULL, TWO, OF("bytes"), "4294967296.0"},
    {"2.x rate, KB are 1024", NULL, NULL, TWO, OF("round(mb_s, 3)"), "251.33"},
    {"2.x IOPS", NULL, NULL, TWO, OF("iops||' '||seconds"), "61359.0 17.089"},
    {"2.x label", NULL, NULL, TWO, OF("label"), "r rw=randread iodepth=16 numjobs=8 ioengine=libaio"},
    {"2.x p99 in ms", NULL, NULL, TWO, OF("lat_p99_ms||' '||rw||' '||block_bytes"), "4.448 randread 4096"},
    {"terse", NULL, "fio --name=seqw --rw=write --bs=1M --minimal", TERSE,
     OF("rw||' '||bytes||' '||seconds||' '||iops||' '||lat_p99_ms"), "write 1073741824.0 10.0 102.0 2.5"},
    {"terse rate", NULL, NULL, TERSE, OF("round(mb_s, 4)"), "107.3736"},
    {"terse median", NULL, NULL, TERSE, DIST("w_await_ms", "p50||' '||mean||' '||max"), NULL},
    {"JSON", NULL, NULL,
     JSON("\"rw\" : \"randwrite\", \"bs\" : \"4k\", \"iodepth\" : \"8\", \"direct\" : \"1\"", WRITE),
     OF("rw||' '||block_bytes||' '||direct||' '||sync||' '||target||' '||bytes||' '||seconds"),
     "randwrite 4096 1 none /dev/sdb 1073741824.0 120.958"},
    {"JSON rate", NULL, NULL, JSON("\"rw\" : \"randwrite\"", WRITE), OF("mb_s||' '||iops||' '||lat_p99_ms"),
     "8.87698 2167.2 0.264192"},
    {"JSON: what is not said is 0", NULL, NULL, JSON("\"rw\" : \"randwrite\"", WRITE), OF("direct"), "0"},
    {"JSON: device of the percentiles", NULL, NULL, JSON("\"rw\" : \"write\"", WRITE),
     "SELECT r.name||' '||d.n||' '||d.p95 FROM distribution d JOIN ref r ON r.id = d.node WHERE metric = 'w_await_ms'",
     "sdb 262144 0.144384"},
    {"JSON: flushes", NULL, NULL, JSON("\"rw\" : \"write\", \"fdatasync\" : \"1\"", WRITE),
     "SELECT d.n||' '||d.p50||' '||d.p99||' '||(SELECT sync FROM benchmark) FROM distribution d WHERE metric = "
     "'f_await_ms'",
     "512 10.0 42.0 dsync"},
    {"JSON: spot", NULL, NULL, JSON("\"rw\" : \"write\"", WRITE),
     "SELECT l.path FROM line_text l JOIN benchmark b ON b.line = l.line", "/jobs/0/write"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void values(void **state) {
    (void)state;
    DeviceCase list[CASES];
    memcpy(list, cases, sizeof cases);
    for (size_t i = 0; i < CASES; i++)
        if (!list[i].want) { /* several columns, rounded one by one */
            list[i].sql = "SELECT p50||' '||mean||' '||max FROM distribution WHERE metric = 'w_await_ms'";
            list[i].want = "0.5 0.6105 9.0";
        }
    device_values(&parser_fio, list, CASES);
}

static void framing(void **state) {
    (void)state;
    claims_text(&parser_fio, JOB3("libaio", "16") RESULT3, true);
    claims_text(&parser_fio, TWO, true);
    claims_text(&parser_fio, TERSE, true);
    claims_no_other(&parser_fio);
    assert_true(parser_fio.bid(STR(""), STR(""), STR(JSON("\"rw\" : \"write\"", WRITE))) > 0);
    assert_int_equal(parser_fio.bid(STR("fio.json"), STR(""), STR("{\"jobs\": [{\"name\": \"build\"}]}\n")), 0);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_fio, cases, CASES);
    device_notes(&parser_fio,
                 JOB3("libaio", "16") "t: (groupid=0, jobs=1): err= 0: pid=4711: Mon Jul  1 12:00:30 2024\n  write: "
                                      "IOPS=39.3k, BW=307MiB/s (322M\n",
                 1, OF("iops"), "39300.0");
    ParseTest *pt = pt_run(&parser_fio, NULL, NULL, STR(JOB3("libaio", "16")));
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM benchmark"), "0"); /* it never reported */
    pt_free(pt);
    pt = pt_run(&parser_fio, NULL, NULL,
                STR("{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"t\", \"read\": {\"io_by"));
    assert_int_equal(pt->result, PARSE_REJECTED);
    pt_free(pt);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    ParseTest *pt = pt_run(&parser_fio, path, NULL, text);
    if (parser_fio.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows || !pt->ctx.rows)
        fail_msg("%s:%d: %.*s", file, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
    double runs =
        pt_real(pt, "SELECT count(*) FROM benchmark WHERE mb_s > 0 AND bytes > 0 AND seconds > 0 AND rw IS NOT NULL");
    /* nothing but "fio: pid=..., err=84" lines; nothing but "verify: bad header" lines behind the job's, and no result */
    if (!strstr(file, "_Error_2") && !(runs > 0)) fail_msg("%s: no run", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("fio", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(framing), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
