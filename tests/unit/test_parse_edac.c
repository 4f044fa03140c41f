/* edac-util and ras-mc-ctl: counters of each module, events with their times, and what says nothing. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_edac;

#define COUNTERS                                                                                                       \
    "SELECT group_concat(x, '; ') FROM (SELECT kind||' '||name||' '||raw||' '||CAST(value AS INTEGER)||' '||line AS "  \
    "x "                                                                                                               \
    "FROM counter ORDER BY rowid)"
#define EVENTS                                                                                                         \
    "SELECT group_concat(x, '; ') FROM (SELECT event||' '||json_extract(fields, '$.label')||' "                        \
    "'||json_extract(fields, "                                                                                         \
    "'$.n')||' '||CAST(t_s AS INTEGER) AS x FROM log_event ORDER BY rowid)"
#define VERBOSE                                                                                                        \
    "mc0: 0 Uncorrected Errors with no DIMM info\nmc0: 0 Corrected Errors with no DIMM info\n"                         \
    "mc0: csrow0: 1 Uncorrected Errors\nmc0: csrow0: CPU_SrcID#0_MC#0_Chan#0_DIMM#0: 12 Corrected Errors\n"
#define COUNT "Label               \tCE\tUE\nmc#0csrow#2channel#0\t3\t0\nDIMM A1\t0\t2\n"
#define SUMMARY                                                                                                        \
    "Memory controller events summary:\n\tCorrected on DIMM Label(s): 'DIMM_A1' location: 1:0:0:0 errors: 42\n"        \
    "\tUncorrected on DIMM Label(s): 'DIMM_B2' location: 1:0:1:0 errors: 1\n\nPCIe AER events summary:\n"              \
    "\t2 Uncorrected (Non-Fatal) errors: Completion Timeout\n\nNo Extlog errors.\n\nNo MCE errors.\n"
#define ERRORS                                                                                                         \
    "Memory controller events:\n1 2026-05-24 11:42:07 +0000 1 Corrected error(s): memory read error at DIMM_A1 "       \
    "location: 1:0:0:0, addr 445, grain 5, syndrome 0 \n2 2026-05-24 13:42:09 +0200 2 Uncorrected error(s): memory "   \
    "read error at DIMM \"B\" location: 1:0:1:0, addr 1, grain 5, syndrome 0 \n\nNo PCIe AER errors.\n"

static const DeviceCase cases[] = {
    {"edac-util -v", NULL, NULL, VERBOSE, COUNTERS,
     "edac ue_count mc0 0 1; edac ce_count mc0 0 2; edac ue_count csrow0 1 3; edac ce_count "
     "CPU_SrcID#0_MC#0_Chan#0_DIMM#0 12 4"},
    {"nothing to report", NULL, NULL, "edac-util: No errors to report.\n", COUNTERS,
     "edac ce_count all 0 1; edac ue_count all 0 1"},
    {"no driver", NULL, NULL, "edac-util: Error: No memory controller data found.\n", COUNTERS, "NULL"},
    {"--error-count", NULL, NULL, COUNT, COUNTERS,
     "edac ce_count mc#0csrow#2channel#0 3 2; edac ue_count mc#0csrow#2channel#0 0 2; edac ce_count DIMM A1 0 3; edac "
     "ue_count DIMM A1 2 3"},
    {"--summary", NULL, NULL, SUMMARY, COUNTERS, "rasdaemon ce_count DIMM_A1 42 2; rasdaemon ue_count DIMM_B2 1 3"},
    {"--errors", NULL, NULL, ERRORS, EVENTS,
     "memory-corrected DIMM_A1 1 1779622927; memory-uncorrected DIMM _B_ 2 1779622929"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_edac, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_edac, VERBOSE, true);
    claims_text(&parser_edac, COUNT, true);
    claims_text(&parser_edac, SUMMARY, true);
    claims_text(&parser_edac, ERRORS, true);
    claims_no_other(&parser_edac);
    assert_false(parser_edac.starts(STR("mcelog: Running trigger `page-error-trigger'")));
    assert_false(parser_edac.starts(STR("No pools available")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_edac, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_edac, VERBOSE "something else\n", 1, "SELECT count(*) FROM counter", "4");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
