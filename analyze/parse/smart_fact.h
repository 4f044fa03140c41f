/*
 * smart_fact.h - what smartctl's text and its JSON have in common: decoding and names of the facts
 */
#ifndef STORDX_PARSE_SMART_FACT_H
#define STORDX_PARSE_SMART_FACT_H

#include "parser.h"

#include <math.h>

/* One row of the ATA attribute table. Numbers that the table does not show are -1. */
typedef struct SmartAttribute {
    int id;
    Str name, raw, when_failed;
    int value, worst, threshold;
    int prefail; /* 1: the maker calls it a sign of failure, 0: of age */
} SmartAttribute;

/* The drive the rows belong to. */
typedef struct SmartDrive {
    Ref ref;
    bool seagate; /* attributes 1, 7 and 195 hold errors and operations in one number */
    bool have_temperature, have_hours;
    double airflow; /* attribute 190, used when there is no 194; NAN */
    Spot airflow_at;
} SmartDrive;

/* Is this a Seagate drive, by model family or model ("ST4000VN008-2DR166")? */
bool smart_is_seagate(Str family, Str model);

/*
 * The figure in a raw value, NAN when there is none, and its unit (NULL: none known).
 *
 * Packed values: Seagate's 1, 7, 195 give the errors (high part, "0/219212352" or the plain 48-bit number); 188 the low of
 * three 16-bit counters; 190 and 194 the low byte; "12345h+27m+10.123s" hours; hex as a number; else the number the text
 * begins with. Source of the formats: smartmontools lib/atacmds.cpp, drivedb.h.
 */
double smart_raw(int id, Str name, Str raw, bool seagate, const char **unit);

/* Hours of attribute 9 when they are plausible (at most 200000), also when smartctl did not know how this model packs them:
   low 32 bits, low 24 bits, minutes, seconds are tried in that order. NAN when nothing fits. */
double smart_hours(double raw);

/* Writes the counter, and the settings temperature_celsius and power_on_hours of 190, 194 and 9. */
void smart_attribute(ParseCtx *ctx, SmartDrive *drive, const SmartAttribute *a, Spot at);
void smart_drive_end(ParseCtx *ctx, SmartDrive *drive);

/* A counter row. id: FACT_NULL when there is none. unit may be NULL. */
void smart_counter(ParseCtx *ctx, Ref drive, const char *kind, Str name, int64_t id, double value, Str raw,
                   const char *unit, Spot at);

/* A figure of the NVMe health log (log page 02h) under the name of the specification, with its unit. */
void smart_nvme_counter(ParseCtx *ctx, Ref drive, const char *name, double value, Str raw, Spot at);

/* What the log of self-tests says. Start with SMART_TESTS_NONE. */
typedef struct SmartTests {
    int64_t logged, failed;
    int64_t open;                    /* failures that no later long test outdates */
    int64_t passed_long;             /* long tests that found nothing */
    double failed_hours, long_hours; /* power-on hours of the newest; ATA counts them modulo 65536; NAN */
    Str failure, lba;
    Spot at, long_at;
} SmartTests;
#define SMART_TESTS_NONE ((SmartTests){.failed_hours = NAN, .long_hours = NAN})

/*
 * One entry of the log, the newest first. `status` may be the whole line: its words tell a failure, and a test that a reset or
 * the host ended is none. `hours` NAN and `lba` empty where there is none. Words: smartmontools ataprint.cpp, scsiprint.cpp,
 * nvmeprint.cpp.
 */
void smart_test(ParseCtx *ctx, SmartTests *tests, Str status, bool is_long, double hours, Str lba, Spot at);

/* Writes counters self_tests_failed, self_tests_failed_open, self_tests_passed_long and hours, and setting self_test_failure. */
void smart_tests_end(ParseCtx *ctx, SmartTests *tests, Ref drive);

/* The temperature history (SCT): one reading per interval. */
typedef struct SmartHeat {
    int64_t n[160], total; /* readings by degrees Celsius */
    double interval_min;
    Spot at;
} SmartHeat;
void smart_heat(ParseCtx *ctx, SmartHeat *heat, double celsius, int64_t times, Spot at);
/* Writes settings temperature_history_*. */
void smart_heat_end(ParseCtx *ctx, SmartHeat *heat, Ref drive);

/* A device statistic: where the drive says that a figure is normalized (flag N: 100 is good), a "Number of ..." is no number
   and NAN is returned. */
double smart_statistic(Str name, double value, bool normalized);

/* Does this ATA opcode move data or flush it, so that a refusal of it is no matter of optional features? */
bool smart_data_command(uint64_t opcode);

/* Self-test execution status byte (ATA) to the words of setting self_test_status. */
const char *smart_self_test_word(int code);

#endif
