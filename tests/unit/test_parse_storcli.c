/* storcli: controllers by their address, firmware and heat, as text and as JSON; what belongs to drives stays out. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_storcli;

#define SHOW_ALL                                                                                                       \
    "CLI Version = 007.2807.0000.0000 Dec 22, 2023\nOperating system = Linux 6.6.44\nController = 0\nStatus = "        \
    "Success\nDescription = None\n\n\nBasics :\n======\nController = 0\nAdapter Type =   SAS3816(A0)\nModel = HBA "    \
    "9500-16e\nPCI Address = 00:01:00:00\n\n\nVersion :\n=======\nFirmware Package Build = 36.00.00.00\n"              \
    "Firmware Version = 36.00.00.00\n\n\nHwCfg :\n=====\nROC temperature(Degree Celsius) = 50\n\nDrive /c0/e0/s12 "    \
    ":\n================\nModel = X670\nFirmware Version = NA56\n"
#define TEMPERATURE                                                                                                    \
    "CLI Version = 007.3503.0000.0000 Aug 05, 2025\nController = 1\nStatus = Success\n\nController Properties :\n"     \
    "=====================\n\n--------------------------------------\nCtrl_Prop                       Value\n"         \
    "--------------------------------------\nROC temperature(Degree Celsius) 104\n"                                    \
    "--------------------------------------\n"
#define PHYS                                                                                                           \
    "CLI Version = 007.3503.0000.0000 Aug 05, 2025\nController = 0\nStatus = Success\n\nPhy Info :\n========\n\n"      \
    "-----------------------------------------------------------------------\n"                                        \
    "PhyNo InvldDwrdCount RungDispartyErrCnt LosOfDwrdSynCnt PhyResetPrbCnt\n"                                         \
    "-----------------------------------------------------------------------\n"                                        \
    "    3             12                  1               0              2\n"                                         \
    "-----------------------------------------------------------------------\n"
#define JSON                                                                                                           \
    "{\n\"Controllers\":[\n{\n\"Command Status\" : {\n\"CLI Version\" : \"007.2703.0000.0000 July 03, 2023\",\n"       \
    "\"Controller\" : 0,\n\"Status\" : \"Success\"\n},\n\"Response Data\" : {\n\"Basics\" : {\n\"Model\" : \"HBA "     \
    "9500-8i\",\n\"PCI Address\" : \"00:21:00:01\"\n},\n\"Version\" : {\n\"Firmware Version\" : \"28.00.00.00\"\n},\n" \
    "\"HwCfg\" : {\n\"ROC temperature(Degree Celsius)\" : 44\n}\n}\n}\n]\n}\n"

static const DeviceCase cases[] = {
    {"show all", NULL, NULL, SHOW_ALL, ALL_SETTINGS,
     "storcli c0 model=HBA 9500-16e firmware 12; 0000:01:00.0 firmware=36.00.00.00 firmware 19; 0000:01:00.0 "
     "temperature_celsius=50 firmware 24"},
    {"show all: one controller", NULL, NULL, SHOW_ALL, ALL_SAME, "scsihost:storcli c0=pci:0000:01:00.0"},
    {"show temperature", NULL, NULL, TEMPERATURE, ALL_SETTINGS, "storcli c1 temperature_celsius=104 firmware 11"},
    {"show phyerrorcounters", NULL, NULL, PHYS,
     "SELECT group_concat(x, '; ') FROM (SELECT c.name||' '||c.id||' '||CAST(c.value AS INTEGER) AS x FROM counter c "
     "ORDER BY rowid)",
     "invalid_dword_count 3 12; running_disparity_error_count 3 1; loss_of_dword_sync_count 3 0; "
     "phy_reset_problem_count 3 2"},
    {"JSON", NULL, NULL, JSON,
     "SELECT group_concat(x, '; ') FROM (SELECT r.name||' '||s.key||'='||s.value AS x FROM setting s JOIN ref r ON "
     "r.id "
     "= s.node ORDER BY s.rowid)",
     "0000:21:00.1 model=HBA 9500-8i; 0000:21:00.1 firmware=28.00.00.00; 0000:21:00.1 temperature_celsius=44"},
    {"no such address", NULL, NULL,
     "CLI Version = 007.2807.0000.0000\nController = 0\nPCI Address = 00:99:77:00\nFW Version = 24.00.00.00\n",
     ALL_SETTINGS, "storcli c0 firmware=24.00.00.00 firmware 4"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_storcli, cases, sizeof cases / sizeof *cases);
}

static void claims(void **state) {
    (void)state;
    claims_text(&parser_storcli, SHOW_ALL, true);
    claims_text(&parser_storcli, PHYS, true);
    claims_no_other(&parser_storcli);
    assert_false(parser_storcli.starts(STR("CLI Version = unknown")));
    assert_false(parser_storcli.continues(STR("root@nas:~# zpool status")));
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_storcli, cases, sizeof cases / sizeof *cases);
}

static void corpus(void **state) {
    (void)state;
    device_corpus(&parser_storcli, "storcli", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(claims), cmocka_unit_test(damage),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
