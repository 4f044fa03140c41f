/* Dates of the tools, in every form that knowledge of them shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/times.h"

#include <math.h>

static void dates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double want;
        bool zone;
    } rows[] = {
        {"2024-07-01T12:00:00Z", 1719835200, true},
        {"2024-07-01T12:00:00+0200", 1719828000, true},
        {"2024-07-01T12:00:00.250+02:00", 1719828000.25, true},
        {"2024-07-01 12:00:00,5", 1719835200.5, false},
        {"2024-07-01 12:00:00 UTC", 1719835200, true},
        {"2024-07-01 12:00:00 +0100", 1719831600, true},
        {"2024-07-01 12:00:00 PM", 1719835200, false},
        {"2024/07/01 12:00:00", 1719835200, false},
        {"2024-07-01", 1719792000, false},
        {"Sun Jul  7 03:24:01 2024", 1720322641, false},
        {"Sun Jul  7 03:24:01 CEST 2024", 1720315441, true},
        {"Sun Jul  7 03:24:01 CST 2024", 1720322641, false},
        {"Sun Jul  7 03:24:01 AM UTC 2024", 1720322641, true},
        {"Sun 07 Jul 2024 03:24:01 PM CEST", 1720358641, true},
        {"So 7. Jul 03:24:01 CEST 2024", 1720315441, true},
        {"Mar 12 03:24:01 2024", 1710213841, false},
        {"mar 12 mar 2024 03:24:01", 1710213841, false},
        {"Mo 4. M\xc3\xa4r 03:24:01 2024", 1709522641, false},
        {"07/01/2024 12:00:00 PM", 1719835200, false},
        {"07/01/2024 12:00:01 AM", 1719792001, false},
        {"07/01/24 12:00:00", 1719835200, false},
        {"27/07/10 12:47:34", 1280234854, false},
        {"01.07.2024 12:00:00", 1719835200, false},
        {"25-11-14 12:00:00", 1416916800, false},
        {"2024\xe5\xb9\xb4"
         "07\xe6\x9c\x88"
         "01\xe6\x97\xa5 12\xe6\x97\xb6"
         "00\xe5\x88\x86"
         "00\xe7\xa7\x92",
         1719835200, false},
        {"1719835200", 1719835200, true},
        {" 1719835200.125 ", 1719835200.125, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double t = NAN;
        bool zone = !rows[i].zone;
        if (!time_parse(str_of(rows[i].text), &t, &zone)) fail_msg("not read: %s", rows[i].text);
        if (fabs(t - rows[i].want) > 1e-6) fail_msg("%s: %.6f, not %.6f", rows[i].text, t, rows[i].want);
        if (zone != rows[i].zone) fail_msg("%s: zone %d", rows[i].text, zone);
    }
}

static void not_dates(void **state) {
    (void)state;
    static const char *const rows[] = {"",
                                       "sda",
                                       "12:00:00",
                                       "2024-13-01 12:00:00",
                                       "2023-02-29",
                                       "07/01/24 25:00:00",
                                       "12345",
                                       "17198352000",
                                       "1719835200 x",
                                       "Sun Jul 7",
                                       "0.01 0.29 0.00",
                                       "13/13/2024",
                                       "Device r/s w/s",
                                       "33/04/2023",
                                       "date: 04/01/2014",
                                       "2024-07-01Tx",
                                       "Sun Jul  7 03:24:01 2024 and more words than a date has in it"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double t = 42;
        bool zone = true;
        if (time_parse(str_of(rows[i]), &t, &zone)) fail_msg("read: %s", rows[i]);
        assert_true(t > 41.9 && t < 42.1); /* outputs stay as they were */
    }
}

static void order(void **state) {
    (void)state;
    double t;
    assert_true(time_parse_order(STR("07/01/24 12:00:00"), DATE_DAY_FIRST, &t, NULL));
    assert_true(t > 1704628799 && t < 1704628801); /* 7 January */
    assert_true(time_is_day_first(STR("27/07/10")));
    assert_false(time_is_day_first(STR("07/27/10")));
    assert_true(time_is_day_first(STR("25-11-14")));
    assert_false(time_is_day_first(STR("2024-07-01")));
}

static void clocks_and_spans(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double want; /* NAN: not a span */
    } spans[] = {{"01:02:03", 3723},
                 {"2 days 01:02:03", 176523},
                 {"0 days 00:10:05", 605},
                 {"1h2m", 3720},
                 {"33s", 33},
                 {"5d3h", 442800},
                 {"0h0m", 0},
                 {"20:10:00", 72600},
                 {"", NAN},
                 {"soon", NAN},
                 {"3x", NAN}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        double v = NAN;
        bool ok = time_parse_span(str_of(spans[i].text), &v);
        if (ok != !isnan(spans[i].want) || (ok && fabs(v - spans[i].want) > 1e-9)) fail_msg("%s: %f", spans[i].text, v);
    }
    double c;
    assert_true(time_parse_clock(STR("03:49:57 PM"), &c));
    assert_true(fabs(c - 57.0 - 49 * 60 - 15 * 3600) < 1e-9);
    assert_true(time_parse_clock(STR("12:00:01 AM"), &c));
    assert_true(fabs(c - 1) < 1e-9);
    assert_false(time_parse_clock(STR("25 bottles"), &c));
}

static void formatting(void **state) {
    (void)state;
    char buf[40];
    time_format_iso(1719835200.9, 0, buf, sizeof buf);
    assert_string_equal(buf, "2024-07-01T12:00:00Z");
    time_format_iso(1719835200, 7200, buf, sizeof buf);
    assert_string_equal(buf, "2024-07-01T14:00:00+02:00");
    time_format_iso(1719835200, -12600, buf, sizeof buf);
    assert_string_equal(buf, "2024-07-01T08:30:00-03:30");
    time_format_iso(-1, 0, buf, sizeof buf);
    assert_string_equal(buf, "1969-12-31T23:59:59Z");
    time_format_iso(NAN, 0, buf, sizeof buf);
    assert_string_equal(buf, "");
    for (int64_t day = 0; day < 40000; day += 17) { /* there and back */
        time_format_iso((double)(day * 86400), 0, buf, sizeof buf);
        double t;
        bool zone;
        assert_true(time_parse(str_of(buf), &t, &zone));
        assert_true(zone && t > (double)(day * 86400) - 0.5 && t < (double)(day * 86400) + 0.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dates), cmocka_unit_test(not_dates), cmocka_unit_test(order),
                                       cmocka_unit_test(clocks_and_spans), cmocka_unit_test(formatting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
