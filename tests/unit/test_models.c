/* Models: which entries speak of a drive, and which do not of its neighbour. Each entry's own samples are checked by the lint. */
#include "world_test.h"

#include <stdio.h>
#include <string.h>

/* The facts of a drive as "fact=value", the surest of each, without what does not decide anything. */
static const char *facts_of(const char *model, const char *firmware) {
    World *w = world_open(1);
    world_source(w, 0, "smartctl", "smartctl -i /dev/sda");
    world_set(
        w, "disk:sda", "drive",
        arena_fmt(w->arena, "serial=EX1|model=%s%s%s", model, firmware ? "|firmware=" : "", firmware ? firmware : ""));
    world_resolve(w);
    static char answer[600];
    snprintf(answer, sizeof answer, "%s",
             world_list(
                 w,
                 "SELECT fact || '=' || value FROM (SELECT fact, value, row_number() OVER (PARTITION BY fact "
                 "ORDER BY certainty DESC, model_id) AS rank FROM model_fact WHERE fact IN ('smr', 'plp', "
                 "'dram', 'flash', 'epc', 'aged_reads', 'bug_hours', 'quirk', 'media')) WHERE rank = 1 ORDER BY fact"));
    world_close(w);
    return answer;
}

static void test_drives(void **state) {
    (void)state;
    static const struct {
        const char *model, *firmware, *facts;
    } c[] = {
        {"WDC WD40EFAX-68JH4N0", NULL, "media=hdd smr=drive-managed"},
        {"WDC WD40EFRX-68N32N0", NULL, "media=hdd smr=no"},
        {"WDC WD80EFAX-68LHPN0", NULL, "media=hdd smr=no"},
        {"ST2000DM008-2FR102", NULL, "media=hdd quirk=nolpm smr=drive-managed"},
        {"ST28000DM000-3AB101", NULL, "media=hdd smr=no"},
        {"ST4000DM005-2DP166", NULL, "media=hdd"}, /* sources contradict each other */
        {"ST12000NM0007-2A1101", NULL, "epc=yes media=hdd"},
        {"WDC  WSH722020ALE604", NULL, "media=hdd smr=host-managed"},
        {"CT480BX500SSD1", NULL, "dram=no media=ssd plp=no quirk=nolpm"},
        {"CT1000BX500SSD1", NULL, "dram=no flash=qlc media=ssd plp=no quirk=nolpm"},
        {"CT1000MX500SSD1", NULL, "dram=yes flash=tlc media=ssd"},
        {"Samsung SSD 870 QVO 2TB", NULL, "flash=qlc media=ssd plp=no quirk=noncqtrim noncqonati nolpmonati"},
        {"Samsung SSD 840 EVO 250GB", NULL, "aged_reads=yes flash=tlc media=ssd plp=no quirk=noncqtrim"},
        {"Samsung SSD 840 PRO Series", NULL, "media=ssd plp=no quirk=noncqtrim"},
        {"SAMSUNG MZ7LH480HAHQ-00005", NULL, "media=ssd quirk=noncqtrim noncqonati nolpmonati"},
        {"SAMSUNG MZ7LH512HALU-00000", NULL, "media=ssd plp=no quirk=noncqtrim noncqonati nolpmonati"},
        {"SAMSUNG MZQLW960HMJP-00003", NULL, "media=nvme plp=yes"},
        {"VO0480JFDGT", "HPD5", "bug_hours=32768.0"},
        {"VO0480JFDGT", "HPD8", ""},
        {"SPCC Solid State Disk", "H190117A", "dram=no media=ssd plp=no"},
        {"ST9500420AS", "SD24", ""},
        {"FOO 1000", NULL, ""},
        {"WD40EFAX", NULL, "media=hdd smr=drive-managed"}, /* some bridges drop the maker */
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        const char *got = facts_of(c[i].model, c[i].firmware);
        if (strcmp(got, c[i].facts)) fail_msg("%s: %s", c[i].model, got);
    }
}

/* A drive that no entry knows, with an attribute of its maker: a capacitor that works, and one that has failed. */
static void test_capacitor(void **state) {
    (void)state;
    for (int failed = 0; failed < 2; failed++) {
        World *w = world_open(1);
        world_source(w, 0, "smartctl", "smartctl -x /dev/sda");
        world_set(w, "disk:sda", "drive", "serial=EX1|model=FOO 1000");
        Row r = facts_row(w->facts, "counter", w->src, (Spot){.line = ++w->line});
        row_ref(&r, "node", world_ref(w, "disk:sda"));
        row_text(&r, "name", STR("Power_Loss_Cap_Test"));
        row_text(&r, "kind", STR("ata"));
        if (failed) row_text(&r, "when_failed", STR("now"));
        row_done(&r);
        world_resolve(w);
        assert_string_equal(world_text(w, "SELECT plp FROM drive"), failed ? "NULL" : "yes");
        world_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drives), cmocka_unit_test(test_capacitor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
