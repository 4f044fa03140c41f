/* MegaCli -LDInfo: both spellings, spans, what was configured beside what is in force, quoted lines. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_megacli;

#define HEAD "Adapter 1 -- Virtual Drive Information:\nVirtual Drive: 2 (Target Id: 2)\n"
#define LEVEL                                                                                                          \
    "Name                :\nRAID Level          : Primary-1, Secondary-3, RAID Level Qualifier-0\nSize               " \
    " : 1.225 TB\nState               : Degraded\nNumber Of Drives per span:2\nSpan Depth          : 3\n"
#define POLICY                                                                                                         \
    "Default Cache Policy: WriteBack, ReadAheadNone, Cached, No Write Cache if Bad BBU\n"                              \
    "Current Cache Policy: WriteThrough, ReadAheadNone, Cached, No Write Cache if Bad BBU\n"
#define ARRAY(columns) "SELECT " columns " FROM raid_array a JOIN ref r ON r.id = a.node"

static const DeviceCase cases[] = {
    {"a volume", NULL, NULL, HEAD LEVEL POLICY,
     ARRAY("r.kind||' '||r.name||' '||a.kind||' '||level||' '||state||' '||raid_disks||' '||write_policy||' '||line"),
     "array volume 1:2 megaraid raid10 Degraded 6 WriteThrough 10"},
    {"configured and in force", NULL, NULL, HEAD POLICY, ALL_SETTINGS,
     "volume 1:2 write_policy_default=WriteBack firmware 3; volume 1:2 write_policy_bad_bbu=write through firmware 4"},
    {"two lines quoted", NULL, NULL, POLICY, ARRAY("a.name||' '||write_policy"), "volume ? WriteThrough"},
    {"quoted twice: two volumes", NULL, NULL, POLICY POLICY, "SELECT count(*) FROM raid_array", "2"},
    {"older words", NULL, NULL,
     "Virtual Disk: 0 (target id: 0)\nRAID Level: Primary-5, Secondary-0, RAID Level Qualifier-3\nState: "
     "Optimal\nNumber Of Drives:4\nSpan Depth:1\n",
     ARRAY("level||' '||raid_disks||' '||coalesce(write_policy, 'NULL')"), "raid5 4 NULL"},
    {"the write cache stays on without a battery", NULL, NULL,
     "Current Cache Policy: WriteBack, ReadAhead, Direct, Write Cache OK if Bad BBU\n",
     SETTING_OF("volume ?", "write_policy_bad_bbu"), "write back"},
    {"drives' caches", NULL, NULL, HEAD "Disk Cache Policy   : Disk's Default\n",
     SETTING_OF("volume 1:2", "disk_cache_policy"), "Disk's Default"},
    {"two volumes", NULL, NULL,
     HEAD POLICY "Virtual Drive: 3 (Target Id: 3)\nState               : Optimal\n\nExit Code: 0x00\n",
     "SELECT group_concat(name, '; ') FROM raid_array", "volume 1:2; volume 1:3"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_megacli, cases, sizeof cases / sizeof *cases);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_megacli, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_megacli, HEAD "what is this\n" POLICY, 1, "SELECT write_policy FROM raid_array",
                 "WriteThrough");
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_megacli, HEAD LEVEL POLICY, true);
    claims_no_other(&parser_megacli);
    assert_false(parser_megacli.starts(STR("Current Cache Policy: we should talk about it")));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(damage), cmocka_unit_test(claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
