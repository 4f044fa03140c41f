/* mpstat: how busy the busiest CPU was, whichever it was. */
#include "claim_test.h"
#include "device_test.h"

extern const Parser parser_mpstat;

#define BANNER "Linux 6.1.0-18-amd64 (nas) \t07/01/2024 \t_x86_64_\t(2 CPU)\n\n"
#define HEAD "12:00:00 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
#define ROW(t, cpu, usr, iowait, idle)                                                                                 \
    t "  " cpu "   " usr "    0.00    1.00   " iowait "    0.00    0.00    0.00    0.00    0.00   " idle "\n"
#define ALL "SELECT group_concat(key||'='||value||' '||line, '; ') FROM setting"

static const DeviceCase cases[] = {
    {"a thread that moves from CPU to CPU", NULL, "mpstat -P ALL 1 2",
     BANNER HEAD ROW("12:00:01 AM", "all", "50.00", "0.00", "49.00") ROW("12:00:01 AM", "  0", "97.00", "0.00", "2.00")
         ROW("12:00:01 AM", "  1", "2.00", "0.00", "97.00") "\n" HEAD ROW(
             "12:00:02 AM", "all", "48.00", "0.00", "51.00") ROW("12:00:02 AM", "  0", "1.00", "0.00", "98.00")
             ROW("12:00:02 AM", "  1", "95.00", "0.00", "4.00") "\n" ROW("Average:   ", "all", "49.00", "0.00",
                                                                         "50.00"),
     ALL, "cpu_busiest_pct=97 5; cpu_all_pct=50 4; cpu_steal_pct=0 4"},
    {"waiting for disks is no work", NULL, NULL,
     HEAD ROW("12:00:01 AM", "  0", "1.00", "97.00", "1.00") ROW("12:00:02 AM", "  0", "1.00", "96.00", "1.00"), ALL,
     "cpu_busiest_pct=2.5 3"},
    {"one interval with its average", NULL, "mpstat -P ALL 1 1",
     HEAD ROW("12:00:01 AM", "  0", "30.00", "0.00", "69.00") "\n" ROW("Average:   ", "  0", "30.00", "0.00", "69.00"),
     ALL, "cpu_busiest_pct=31 2"},
    {"one interval, its average cut off", NULL, NULL,
     HEAD ROW("12:00:05 AM", "all", "50.00", "0.00", "49.00") ROW("12:00:05 AM", "  0", "97.00", "0.00", "2.00"), ALL,
     "cpu_busiest_pct=98 3; cpu_all_pct=51 2; cpu_steal_pct=0 2"},
    {"an average since boot says nothing of now: its heading bears the same time", NULL, "mpstat -P ALL",
     BANNER HEAD ROW("12:00:00 AM", "all", "50.00", "0.00", "49.00") ROW("12:00:00 AM", "  0", "97.00", "0.00", "2.00"),
     "SELECT count(*) FROM setting", "0"},
    {"24 hours, commas, other words", NULL, NULL,
     "Linux 5.14.0 (srv) \t01.07.2024 \t_x86_64_\t(2 CPU)\n\n"
     "00:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
     "00:00:01     all   50,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00   50,00\n"
     "00:00:01       1  100,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00\n"
     "Durchschn.:  all   50,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00   50,00\n"
     "Durchschn.:    1  100,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00    0,00\n",
     ALL, "cpu_busiest_pct=100 5; cpu_all_pct=50 4; cpu_steal_pct=0 4"},
    {"old columns", NULL, "mpstat 1 2",
     "12:00:00 AM  CPU   %user   %nice    %sys %iowait    %irq   %soft  %steal   %idle    intr/s\n"
     "12:00:01 AM  all   90.00    0.00    6.00    0.00    0.00    0.00    0.00    4.00   1012.00\n"
     "12:00:02 AM  all   92.00    0.00    6.00    0.00    0.00    0.00    0.00    2.00   1010.00\n",
     ALL, "cpu_all_pct=97 3; cpu_steal_pct=0 3"},
    {"interrupts of -A", NULL, "mpstat -A 1 1",
     HEAD ROW("12:00:01 AM", "  0", "30.00", "0.00", "69.00") "\n12:00:00 AM  CPU    intr/s\n12:00:01 AM  all   "
                                                              "1200.00\n12:00:01 AM    0    600.00\n\nAverage:     CPU "
                                                              "   intr/s\nAverage:     all   1200.00\n",
     "SELECT count(*) FROM note", "0"},
};

static void values(void **state) {
    (void)state;
    device_values(&parser_mpstat, cases, sizeof cases / sizeof *cases);
}

static void framing(void **state) {
    (void)state;
    /* the banner is that of all tools of sysstat: it starts nothing here */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        claims_text(&parser_mpstat, cases[i].text, !str_starts(str_of(cases[i].text), "Linux"));
    claims_no_other(&parser_mpstat);
}

static void damage(void **state) {
    (void)state;
    device_damage(&parser_mpstat, cases, sizeof cases / sizeof *cases);
    device_notes(&parser_mpstat,
                 HEAD "garbage\n12:00:01 AM    0   1.00 2.00 3.00\n" ROW("12:00:01 AM", "  0", "30.00", "0.00", "69.00")
                     ROW("12:00:02 AM", "  0", "30.00", "0.00", "69.00"),
                 2, "SELECT value FROM setting", "31");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(framing),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
