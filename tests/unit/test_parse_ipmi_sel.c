/* ipmitool sel: the rows that concern memory and power, with their times; old forms and new ones. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_ipmi_sel;

#define EVENTS                                                                                                         \
    "SELECT group_concat(x, '; ') FROM (SELECT event||' '||CAST(t_s AS INTEGER)||' '||line AS x FROM log_event ORDER " \
    "BY rowid)"
#define ELIST                                                                                                          \
    "   1 | 05/24/2026 | 11:42:07 | Memory #0x02 | Correctable ECC | Asserted\n"                                       \
    "   2 | 05/24/2026 | 11:42:08 AM UTC | Memory #0x02 | Uncorrectable ECC (@DIMMB1(CPU1)) | Asserted\n"              \
    "   3 | Pre-Init  |0000000004| Power Unit #0x01 | Power cycle | Asserted\n"                                        \
    "   4 | 05/25/2026 | 11:43:10 AM CEST | Voltage +12V | Lower Critical going low | Asserted | Reading 10.9 < "      \
    "Threshold 11.2 Volts\n"                                                                                           \
    "   5 | 05/25/2026 | 11:44:00 | Fan FAN3 | Lower Critical going low | Asserted | Reading 300 < Threshold 500 "     \
    "RPM\n"                                                                                                            \
    "  1a | 05/25/2026 | 11:44:10 | Power Supply PS1 Status | Power Supply AC lost | Asserted\n"                       \
    "  1b | 05/25/2026 | 11:45:10 | Power Supply PS1 Status | Power Supply AC lost | Deasserted\n"

static const DeviceCase cases[] = {
    {"elist", NULL, NULL, ELIST, EVENTS,
     "memory-corrected 1779622927 1; memory-uncorrected 1779622928 2; voltage-fault 1779702190 4; power-supply-fault "
     "1779709450 6"},
    {"no date", NULL, NULL,
     "   1 | Pre-Init  |0000000004| Memory #0x02 | Uncorrectable ECC | Asserted\n"
     "   2 | Pre-Init  |0000000009| Memory #0x02 | Uncorrectable ECC | Asserted\n",
     "SELECT (SELECT count(*) FROM log_event)||' '||line||' '||text FROM note",
     "0 1 events without a date, which may be years old and are left out: 2"},
    {"nothing that concerns storage", NULL, NULL,
     "   1 | 03/20/2021 | 00:58:40 | Event Logging Disabled #0x07 | Log area reset/cleared | Asserted\n", EVENTS,
     "NULL"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_ipmi_sel, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_ipmi_sel, ELIST, true);
    claims_no_other(&parser_ipmi_sel);
    assert_false(parser_ipmi_sel.starts(STR("FAN1 | 300.000 | RPM | ok | 100.000")));
    assert_false(parser_ipmi_sel.starts(STR("| 05/24/2026 | 11:42:07 |")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_ipmi_sel, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_ipmi_sel, ELIST "something else\n", 1, "SELECT count(*) FROM log_event", "4");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
