/* zpool list and zpool get: columns by header, by command, by their sums; what pools and what vdevs get. */
#include "sample_test.h"

#include <math.h>

extern const Parser parser_zpool_get;

#define LIST "NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT\n"

static const struct {
    const char *name, *command, *text, *sql, *want;
} rows[] = {
    {"0.8+", NULL, LIST "storage  5.45T  3.91T  1.54T        -         -    12%    71%  1.00x    ONLINE  -\n",
     "SELECT name||' '||state||' '||size_bytes||' '||alloc_bytes||' '||capacity_pct||' '||fragmentation_pct||' '||line "
     "FROM pool",
     "storage ONLINE 5992338371379 4299090464604 71.0 12.0 2"},
    {"0.6.2", NULL,
     "NAME   SIZE  ALLOC   FREE    CAP  DEDUP  HEALTH  ALTROOT\ntank   131T  4.91M   131T     0%  1.00x  ONLINE  -\n",
     "SELECT capacity_pct FROM pool", "0.0"},
    {"no histogram: FRAG is -", NULL,
     LIST "storage  5.45T  3.91T  1.54T        -         -      -    71%  1.00x    ONLINE  -\n",
     "SELECT fragmentation_pct FROM pool", "NULL"},
    {"-Hp, eleven columns", NULL, "btest\t427349245952\t405504\t427348840448\t-\t-\t0\t0\t1.00\tONLINE\t-\n",
     "SELECT size_bytes||' '||alloc_bytes||' '||state FROM pool", "427349245952 405504 ONLINE"},
    {"-H -o of the command", "zpool list -H -o name,health,capacity,size", "tank\tDEGRADED\t93%\t10T\n",
     "SELECT state||' '||capacity_pct||' '||size_bytes FROM pool", "DEGRADED 93.0 10995116277760"},
    {"-Hp -o of the command, few columns", "zpool list -Hpo name,cap,health", "big\t81\tONLINE\nlow\t7\tONLINE\n",
     "SELECT group_concat(name||' '||capacity_pct||' '||state, ' ') FROM pool", "big 81.0 ONLINE low 7.0 ONLINE"},
    {"-o of the command, two columns", "zpool list -o name,cap", "NAME   CAP\nx      44%\ny      81%\n",
     "SELECT group_concat(name||' '||capacity_pct, ' ') FROM pool", "x 44.0 y 81.0"},
    {"two lists of -H, of other columns", NULL,
     "zroot\tONLINE\t67108864000\t11959578624\t55149285376\t4\t17\t1.00\n"
     "rpool   109G    66.2G   42.8G   60%     1.00x   ONLINE  34\n",
     "SELECT group_concat(name||' '||size_bytes||' '||state, ' ') FROM pool",
     "zroot 67108864000 ONLINE rpool 117037858816 ONLINE"},
    {"-H with columns unknown: the sum tells", NULL,
     "zroot\tONLINE\t67108864000\t11959578624\t55149285376\t4\t17\t1.00\n",
     "SELECT capacity_pct||' '||fragmentation_pct||' '||size_bytes FROM pool", "17.0 4.0 67108864000"},
    {"-v: how full the special vdev is", NULL,
     LIST
     "tank  175T  163T  11.7T        -         -     3%    93%  3.86x    ONLINE  -\n"
     "  raidz2  175T  163T  11.3T - - 3% 93.5% - ONLINE\n    da0  - - - - - - - - ONLINE\n"
     "special - - - - - - - - -\n  mirror  508G  166G  342G - - 53% 32.6% - ONLINE\n    nvd0  - - - - - - - - ONLINE\n",
     "SELECT group_concat(r.name||' '||s.key||' '||s.value, ', ') FROM setting s JOIN ref r ON r.id = s.node",
     "tank dedup_ratio 3.86, tank/raidz2-0 vdev_fragmentation_pct 3, tank/raidz2-0 vdev_used_pct 93.5, tank/mirror-1 "
     "vdev_class "
     "special, tank/mirror-1 vdev_fragmentation_pct 53, tank/mirror-1 vdev_used_pct 32.6"},
    {"-v: a disk right under the pool is a vdev", NULL,
     LIST "tank  9.08T  3.0T  6.1T        -         -     9%    30%  1.00x  ONLINE  -\n  sda  4.5T  3.0T  1.5T - - 9% "
          "66.6% - ONLINE\n  sdb  4.5T  1G  4.5T - - 0% 0.02% - ONLINE\n",
     "SELECT group_concat(r.name||' '||s.value, ', ') FROM setting s JOIN ref r ON r.id = s.node WHERE s.key = "
     "'vdev_used_pct'",
     "sda 66.6, sdb 0.02"},
    {"-v", NULL,
     LIST "tank  9.08T  3.0T  6.1T        -         -     9%    30%  1.00x  DEGRADED  -\n  mirror-0  9.08T  3.0T  6.1T "
          "- - 9% 30.1% - ONLINE\n    sdc2  9.09T - - - - - - - ONLINE\n"
          "logs - - - - - - - - -\n  sdb1  16.7G - - - - 0% 0% - ONLINE\ncache - - - - - - - - -\n  sdd1  92G  91G "
          "0.2G - - 0% 99% - ONLINE\n",
     "SELECT group_concat(p.name||'>'||c.name, ' ') FROM (SELECT * FROM edge ORDER BY rowid) e JOIN ref p ON "
     "p.id=e.parent JOIN ref c ON c.id=e.child",
     "tank/mirror-0>tank sdc2>tank/mirror-0 sdb1>tank"},
    {"-v has one pool row", NULL,
     LIST "tank  9.08T  3.0T  6.1T        -         -     9%    30%  1.00x  DEGRADED  -\n  mirror-0  9.08T  3.0T  6.1T "
          "- - 9% 30.1% - ONLINE\n",
     "SELECT count(*) FROM pool", "1"},
    {"-H -v", "zpool list -H -v -p",
     "b\t427349245952\t761856\t427348484096\t-\t-\t0\t0\t1.00\tONLINE\t-"
     "\n\tmirror\t213674622976\t438272\t213674184704\t-\t-\t0\t0\t-\tONLINE\n\t/dev/"
     "sda1\t-\t-\t-\t-\t-\t-\t-\t-\tONLINE\n"
     "\tmirror\t213674622976\t323584\t213674299392\t-\t-\t0\t0\t-\tONLINE\n\t/dev/"
     "sda3\t-\t-\t-\t-\t-\t-\t-\t-\tONLINE\n",
     "SELECT group_concat(p.name||'>'||c.name, ' ') FROM (SELECT * FROM edge ORDER BY rowid) e JOIN ref p ON "
     "p.id=e.parent JOIN ref c ON c.id=e.child",
     "b/mirror-0>b /dev/sda1>b/mirror-0 b/mirror-1>b /dev/sda3>b/mirror-1"},
    {"get", NULL,
     "NAME     PROPERTY       VALUE    SOURCE\nstorage  size           5.45T    -\nstorage  capacity       71%      "
     "-\nstorage  health         ONLINE   -\nstorage  guid           1234567890123456789  -\n"
     "storage  autotrim       off      default\nstorage  ashift         12       local\nstorage  fragmentation  12%    "
     "  -\nstorage  comment        a b c    local\nstorage  readonly       off      -\n",
     "SELECT name||' '||state||' '||guid||' '||capacity_pct||' '||fragmentation_pct||' '||line FROM pool",
     "storage ONLINE 1234567890123456789 71.0 12.0 3"},
    {"get: autotrim", NULL,
     "NAME     PROPERTY       VALUE    SOURCE\nstorage  autotrim       off      default\nstorage  ashift         12    "
     "   local\n",
     "SELECT group_concat(r.kind||':'||r.name||' '||key||'='||value||' '||view||' '||line) FROM setting s JOIN ref r "
     "ON r.id=s.node",
     "pool:storage autotrim=off kernel 2"},
    {"get -H", "zpool get -H all",
     "tank\tsize\t10995116277760\t-\ntank\tautotrim\ton\tlocal\ntank\tfeature@async_destroy\tenabled\tlocal\n",
     "SELECT value FROM setting WHERE key='autotrim'", "on"},
    {"ashift of vdevs", "zpool get ashift tank mirror-0 sda",
     "NAME      PROPERTY  VALUE  SOURCE\nmirror-0  ashift    12     -\nsda       ashift    9      -\n",
     "SELECT group_concat(r.kind||':'||r.name||'='||value, ' ') FROM (SELECT * FROM setting ORDER BY rowid) s JOIN ref "
     "r ON r.id=s.node",
     "vdev:tank/mirror-0=12 member:sda=9"},
    {"JSON", "zpool list -j",
     "{\"output_version\":{\"command\":\"zpool "
     "list\",\"vers_major\":0,\"vers_minor\":1},\"pools\":{\"t\":{\"name\":\"t\",\"type\":\"POOL\",\"state\":"
     "\"ONLINE\",\"pool_guid\":\"77\",\"properties\":{"
     "\"size\":{\"value\":\"5.45T\",\"source\":{\"type\":\"NONE\",\"data\":\"-\"}},\"capacity\":{\"value\":\"71%\"},"
     "\"fragmentation\":{\"value\":\"-\"},\"autotrim\":{\"value\":\"on\"}}}}}",
     "SELECT p.name||' '||p.state||' '||guid||' '||capacity_pct||' '||(SELECT value FROM setting) FROM pool p",
     "t ONLINE 77 71.0 on"},
};

static void values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ParseTest *pt = pt_run(&parser_zpool_get, "x", rows[i].command, str_of(rows[i].text));
        if (pt->ctx.bad_rows) fail_msg("%s: %.*s", rows[i].name, STR_ARG(pt->ctx.first_note));
        const char *got = pt_text(pt, rows[i].sql);
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: %s, not %s", rows[i].name, got, rows[i].want);
        pt_free(pt);
    }
}

static void bids(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parser_zpool_get.bid(STR(""), str_of(rows[i].command), str_of(rows[i].text)) <= 0)
            fail_msg("%s: no bid", rows[i].name);
    static const char *const others[] = {
        "NAME      PROPERTY      VALUE  SOURCE\ntank/vm   compression   lz4    local\n",
        "NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINT\nsda 8:0 0 1.8T 0 disk\n",
        "pool        alloc   free   read  write   read  write\ntank 1 2 3 4 5 6\n",
        "  pool: storage\n state: ONLINE\n",
        "\tNAME STATE READ WRITE CKSUM\n\tt ONLINE 0 0 0\n",
        "NAME    USED  AVAIL  REFER  MOUNTPOINT\ntank  1.2T  3.4T  96K  /tank\n",
        "sda 8.59 222.14 57.08 1597749 410544\n",
        "Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 1G 1G 0 100% /\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Str head = str_of(others[i]);
        if (parser_zpool_get.bid(STR(""), STR(""), head)) fail_msg("bid on %s", others[i]);
    }
}

static void damage(void **state) {
    (void)state;
    ParseTest *pt = pt_run(&parser_zpool_get, NULL, NULL,
                           STR(LIST "storage  5.45T  3.91T  1.54T        -         -    12%    71%  1.00x    ONLINE  "
                                    "-\ntank  what ever 1 2 3 4 5 6 7 8\nx\n"));
    assert_int_equal(pt->result, PARSE_PARTIAL);
    assert_int_equal(pt->ctx.bad_rows, 2);
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM pool"), "1");
    pt_free(pt);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t n = 0; n < strlen(rows[i].text); n += 5) {
            pt = pt_run(&parser_zpool_get, NULL, rows[i].command, (Str){rows[i].text, n});
            pt_free(pt);
        }
}

static void framing(void **state) {
    (void)state;
    for (size_t i = 0; i + 1 < sizeof rows / sizeof *rows; i++) {
        Str text = str_of(rows[i].text);
        if (strstr(rows[i].name, "-o of the command") || strstr(rows[i].name, "columns unknown")) continue;
        while (text.len) {
            Str line = str_cut(&text, '\n');
            bool other_property = str_has(line, "guid") || str_has(line, "readonly");
            if (!other_property && !parser_zpool_get.continues(line))
                fail_msg("%s: not claimed: %.*s", rows[i].name, STR_ARG(line));
        }
    }
    assert_true(parser_zpool_get.starts(
        STR("NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT")));
    assert_true(parser_zpool_get.continues(STR("tank   44%")));
    assert_false(parser_zpool_get.continues(STR("tank   what")));
    assert_false(parser_zpool_get.starts(STR("NAME   MAJ:MIN RM   SIZE RO TYPE MOUNTPOINT")));
}

static void corpus_file(const char *file, Str text) {
    ParseTest *pt = pt_run(&parser_zpool_get, file, NULL, text);
    if (parser_zpool_get.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows) fail_msg("%s: %.*s", file, STR_ARG(pt->ctx.first_note));
    if (!(pt_real(
              pt,
              "SELECT count(*) FROM pool WHERE size_bytes > 0 AND capacity_pct IS NOT NULL AND state IS NOT NULL") >=
          1))
        fail_msg("%s: no pool", file);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("zpool-list", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(bids), cmocka_unit_test(damage),
                                       cmocka_unit_test(framing), cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
