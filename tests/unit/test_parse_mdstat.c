/* /proc/mdstat: every kind of line, what becomes of arrays without counts, and what real hosts print. */
#include "claim_test.h"
#include "device_test.h"
#include "sample_test.h"

#include "../../analyze/parse/json.h"

#include <stdio.h>
#include <stdlib.h>

extern const Parser parser_mdstat;

#define HEAD "Personalities : [raid1] [raid6] [raid5] [raid4] [raid0] [raid10]\n"
#define TAIL "\nunused devices: <none>\n"
#define RAID5                                                                                                          \
    HEAD "md0 : active raid5 sde1[4] sdd1[3](W) sdc1[2](F) sdb1[1] sda1[0]\n"                                          \
         "      5860147200 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/3] [UU_U]\n"                           \
         "      [==>..................]  recovery = 12.6% (246789012/1953382400) finish=123.4min speed=230100K/sec\n"  \
         "      bitmap: 3/15 pages [12KB], 65536KB chunk\n" TAIL
#define ARRAY                                                                                                          \
    "SELECT name||' '||coalesce(level,'?')||' '||state||' "                                                            \
    "'||coalesce(raid_disks,'?')||'/'||coalesce(active_disks,'?')||' f'||coalesce(failed_disks,'?')||' s'||"           \
    "coalesce(spare_disks,'?')||' '||coalesce(sync_action,'-')||' '||coalesce(sync_pct,'-')||' '||line FROM "          \
    "raid_array ORDER BY rowid LIMIT 1"

static const DeviceCase cases[] = {
    {"a raid5 being rebuilt", NULL, NULL, RAID5, ARRAY, "md0 raid5 active, degraded 4/3 f1 s0 recovery 12.6 3"},
    {"the line with the gap is the evidence", NULL, NULL, RAID5,
     "SELECT l.text LIKE '%[4/3] [UU_U]' FROM line_text l JOIN raid_array a ON a.line = l.line", "1"},
    {"speed in bytes", NULL, NULL, RAID5, SETTING_OF("md0", "md_sync_bytes_s"), "235622400"},
    {"finish in seconds", NULL, NULL, RAID5, SETTING_OF("md0", "md_sync_finish_s"), "7404"},
    {"size in bytes", NULL, NULL, RAID5, SETTING_OF("md0", "size_bytes"), "6000790732800"},
    {"metadata", NULL, NULL, RAID5, SETTING_OF("md0", "md_metadata"), "1.2"},
    {"chunk", NULL, NULL, RAID5, SETTING_OF("md0", "md_chunk_bytes"), "524288"},
    {"layout", NULL, NULL, RAID5, SETTING_OF("md0", "md_layout"), "algorithm 2"},
    {"bitmap", NULL, NULL, RAID5, SETTING_OF("md0", "md_bitmap"), "internal"},
    {"bitmap chunk", NULL, NULL, RAID5, SETTING_OF("md0", "md_bitmap_chunk_bytes"), "67108864"},
    {"member map", NULL, NULL, RAID5, SETTING_OF("md0", "md_member_map"), "[UU_U]"},
    {"a faulty member", NULL, NULL, RAID5, SETTING_OF("sdc1", "md_member_state"), "faulty"},
    {"a write-mostly member", NULL, NULL, RAID5, SETTING_OF("sdd1", "md_member_flags"), "write-mostly"},
    {"edges", NULL, NULL, HEAD "md1 : active raid1 sdb1[1] sda1[0]\n      10 blocks [2/2] [UU]\n" TAIL, ALL_EDGES,
     "disk:sdb1>disk:md1; disk:sda1>disk:md1"},
    {"one thing, two kinds of name", NULL, NULL, HEAD "md1 : active raid1 sdb1[1]\n      10 blocks [2/1] [_U]\n",
     ALL_SAME, "disk:md1=array:md1"},
    {"0.90 prints no version", NULL, NULL, HEAD "md1 : active raid1 sdb1[1] sda1[0]\n      10 blocks [2/2] [UU]\n",
     SETTING_OF("md1", "md_metadata"), "0.90"},
    {"idle", NULL, NULL, HEAD "md1 : active raid1 sdb1[1] sda1[0]\n      10 blocks [2/2] [UU]\n", ARRAY,
     "md1 raid1 active 2/2 f0 s0 idle - 3"},
    {"raid0 has no counts", NULL, NULL,
     HEAD "md1 : active raid0 dm-15[1] dm-14[0]\n      20969472 blocks super 1.2 512k chunks\n", ARRAY,
     "md1 raid0 active 2/2 f0 s0 - - 2"},
    {"linear", NULL, NULL, "md0 : active linear sdf2[0] sde6[1]\n      58291648 blocks 64k rounding\n", ARRAY,
     "md0 linear active 2/2 f0 s0 - - 1"},
    {"raid10 layout", NULL, NULL,
     HEAD "md0 : active raid10 sdb1[1] sdc1[0]\n      100 blocks super 1.2 512K chunks 2 near-copies [2/2] [UU]\n",
     SETTING_OF("md0", "md_layout"), "2 near-copies"},
    {"read-only and pending", NULL, NULL,
     HEAD "md11 : active (auto-read-only) raid1 sdb2[0] sdc2[1] hda[4](S)\n      4190208 blocks super 1.2 [2/2] [UU]\n "
          "     resync=PENDING\n",
     ARRAY, "md11 raid1 active, auto-read-only 2/2 f0 s1 resync - 3"},
    {"what it waits for", NULL, NULL,
     HEAD "md11 : active raid1 sdb2[0]\n      4190208 blocks [2/1] [U_]\n        resync=DELAYED\n",
     SETTING_OF("md11", "md_sync_waits"), "DELAYED"},
    {"an inactive array's members are no spares", NULL, NULL,
     HEAD "md126 : inactive sde1[0](S)\n      101340 blocks super 1.0\n", ARRAY, "md126 ? inactive ?/? f0 s? - - 2"},
    {"nor its state", NULL, NULL, HEAD "md126 : inactive sde1[0](S)\n      101340 blocks super 1.0\n",
     SETTING_OF("sde1", "md_member_state"), "not assembled"},
    {"a container", NULL, NULL,
     HEAD "md127 : inactive sdb[1](S) sda[0](S)\n      7593 blocks super external:imsm\n       \n", ARRAY,
     "md127 container inactive ?/? f0 s? - - 2"},
    {"a volume in it", NULL, NULL,
     HEAD "md126 : active raid1 sda[1] sdb[0]\n      500 blocks super external:/md127/0 [2/2] [UU]\n",
     SETTING_OF("md126", "md_container"), "md127"},
    {"a journal", NULL, NULL,
     HEAD "md0 : active raid5 sdd1[4] sde1[3] sdf1[1] sdb1[0](J)\n      4190208 blocks super 1.2 level 5, 512k chunk, "
          "algorithm 2 [3/3] [UUU]\n",
     SETTING_OF("sdb1", "md_member_state"), "journal"},
    {"a replacement", NULL, NULL,
     HEAD "md0 : active raid1 sdd1[4](R) sde1[3] sdf1[1]\n      4190208 blocks super 1.2 [2/2] [UU]\n",
     SETTING_OF("sdd1", "md_member_state"), "replacement"},
    {"several marks", NULL, NULL,
     HEAD "md0 : active raid1 sdd1[4](W)(F) sde1[3]\n      4190208 blocks super 1.2 [2/1] [_U]\n",
     SETTING_OF("sdd1", "md_member_state"), "faulty"},
    {"a check", NULL, NULL,
     HEAD "md0 : active raid1 sda1[0] sdb1[1]\n\t1993728 blocks super 1.2 [2/2] [UU]\n\t[=>...................]  check "
          "=  5.7% (114176/1993728) finish=0.2min speed=114176K/sec\n",
     ARRAY, "md0 raid1 active 2/2 f0 s0 check 5.7 3"},
    {"the md lines alone", NULL, NULL, "md0 : active raid1 sda1[0] sdb1[1]\nmd1 : active raid1 sda2[0] sdb2[1]\n",
     "SELECT count(*)||' '||count(raid_disks) FROM raid_array", "2 0"},
    {"kernel 2.4", NULL, NULL,
     "Personalities : [raid1]\nread_ahead 1024 sectors\nmd2 : active raid1 sde1[1] sdd1[0]\n      17920384 blocks "
     "[2/2] [UU]\n",
     ARRAY, "md2 raid1 active 2/2 f0 s0 idle - 4"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_mdstat, cases, sizeof cases / sizeof *cases);
}

static void framing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) claims_text(&parser_mdstat, cases[i].text, true);
    claims_no_other(&parser_mdstat);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_mdstat, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_mdstat, HEAD "garbage\nmd0 : active raid1 sda1[0] sdb1[\n      10 blocks [2/1] [U_]\n", 2,
                 "SELECT active_disks FROM raid_array", "1");
    ParseTest *pt = pt_run(&parser_mdstat, NULL, NULL, STR("Personalities : [raid1]\nunused devices: <none>\n"));
    assert_int_equal(pt->result, PARSE_NOTHING);
    assert_string_equal(pt_text(pt, "SELECT count(*) FROM raid_array"), "0");
    pt_free(pt);
}

/* "data[md0] -> md-level:RAID1 super:1.0 size:8588820480 devices:</dev/sda1 /dev/sdb1>" */
static void compare(const char *file, ParseTest *pt) {
    Str text = claims_expected("mdstat", file);
    if (!text.p) return;
    for (Str rest = text; rest.len;) {
        Str line = str_cut(&rest, '\n');
        size_t at = str_find(line, "data[");
        if (at == SIZE_MAX) continue;
        Str name = str_from(line, at + 5), level = str_from(line, str_find(line, "md-level:") + 9);
        name = str_sub(name, 0, str_find_ch(name, ']'));
        level = str_word(&level);
        const char *got =
            pt_text(pt, arena_fmt(pt->arena, "SELECT upper(level) FROM raid_array WHERE name='%.*s'", STR_ARG(name)));
        /* it has no word for containers, and none for inactive arrays, whose level mdstat does not print */
        if (str_is(level, "unknown")) assert_true(strcmp(got, "NULL") == 0 || strcmp(got, "CONTAINER") == 0);
        else if (!str_is(level, got)) fail_msg("%s %.*s: %s, not %.*s", file, STR_ARG(name), got, STR_ARG(level));
        Str size = str_from(line, str_find(line, " size:") + 6);
        uint64_t bytes;
        assert_true(str_u64(str_word(&size), &bytes));
        got = pt_text(
            pt,
            arena_fmt(
                pt->arena,
                "SELECT s.value FROM setting s JOIN ref r ON r.id=s.node WHERE r.name='%.*s' AND s.key='size_bytes'",
                STR_ARG(name)));
        if (strcmp(got, arena_fmt(pt->arena, "%llu", (unsigned long long)bytes)) != 0)
            fail_msg("%s %.*s: %s bytes, not %llu", file, STR_ARG(name), got, (unsigned long long)bytes);
        int members = 0;
        Str devices = str_from(line, str_find(line, "devices:<") + 9);
        for (size_t i = 0; i < devices.len && devices.p[i] != '>'; i++)
            members += devices.p[i] == '/' && (!i || devices.p[i - 1] == '<' || devices.p[i - 1] == ' ' || i == 0);
        int all = atoi(pt_text(
            pt, arena_fmt(pt->arena, "SELECT count(*) FROM edge e JOIN ref r ON r.id=e.child WHERE r.name='%.*s'",
                          STR_ARG(name))));
        /* it leaves faulty and journal members out of this list in some places, so it may have fewer */
        if (all < members) fail_msg("%s %.*s: %d members, not %d", file, STR_ARG(name), all, members);
    }
    free((void *)(uintptr_t)text.p);
}

static void corpus_file(const char *file, Str text) {
    char path[256];
    snprintf(path, sizeof path, "upload/%s", file);
    ParseTest *pt = pt_run(&parser_mdstat, path, NULL, text);
    if (parser_mdstat.bid(STR("x"), STR(""), str_sub(text, 0, 16384)) <= 0) fail_msg("%s: not recognised", file);
    if (pt->ctx.bad_rows) fail_msg("%s:%d: %.*s", file, (int)pt->ctx.first_bad_line, STR_ARG(pt->ctx.first_note));
    bool arrays = str_has(text, ": active") || str_has(text, ": inactive");
    if (arrays ? pt->ctx.rows == 0 : pt->result != PARSE_NOTHING) fail_msg("%s: %d rows", file, (int)pt->ctx.rows);
    compare(file, pt);
    pt_free(pt);
}

static void corpus(void **state) {
    (void)state;
    corpus_each("mdstat", corpus_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(framing), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
