/*
 * cpupower.c - who chooses the frequency of the CPUs
 *
 * Reads   cpupower frequency-info, cpupower idle-info
 * Gives   setting of the host (cpu_freq_driver, cpu_governor, cpu_freq_max_khz, cpu_freq_limit_khz)
 * Sample  cpupower 6.1, frequency-info
 *   | analyzing CPU 0:
 *   |   driver: acpi-cpufreq
 *   |   hardware limits: 1.20 GHz - 2.60 GHz
 *   |   current policy: frequency should be within 1.20 GHz and 2.60 GHz.
 *   |                   The governor "powersave" may decide which speed to use
 * Varies  a CPU each with -c all; without a driver "no or unknown cpufreq driver is active on this CPU"
 * Source  Linux tools/power/cpupower/utils/cpufreq-info.c, cpuidle-info.c
 */
#include "parser.h"

#include <math.h>

static const char *const words[] = {"analyzing CPU ",
                                    "driver: ",
                                    "no or unknown cpufreq driver",
                                    "CPUs which run at the same hardware frequency:",
                                    "CPUs which need to have their frequency coordinated by software:",
                                    "energy performance preference:",
                                    "energy performance hints:",
                                    "maximum transition latency:",
                                    "hardware limits:",
                                    "available frequency steps:",
                                    "available cpufreq governors:",
                                    "current policy:",
                                    "The governor \"",
                                    "within this range.",
                                    "current CPU frequency:",
                                    "cpufreq stats:",
                                    "boost state support:",
                                    "Supported:",
                                    "Active:",
                                    "Boost States:",
                                    "Total States:",
                                    "Pstate-P",
                                    "AMD PSTATE",
                                    "Highest Performance:",
                                    "Nominal Performance:",
                                    "Lowest Non-linear Performance:",
                                    "Lowest Performance:",
                                    "Maximum Frequency:",
                                    "Preferred Core",
                                    "MHz max turbo",
                                    "CPUidle driver:",
                                    "CPUidle governor:",
                                    "Number of idle states:",
                                    "Available idle states:",
                                    "Flags/Description:",
                                    "Latency:",
                                    "Residency:",
                                    "Usage:",
                                    "Duration:",
                                    "Disabled",
                                    NULL};

static bool mine(Str line) {
    Str s = str_trim(line);
    for (size_t i = 0; words[i]; i++)
        if (str_starts(s, words[i])) return true;
    return str_has(s, " MHz max turbo ") ||
           (s.len > 2 && s.p[0] == 'C' && (ch_digit(s.p[1]) || str_starts(s, "C1E")) && str_has(s, ":")) ||
           str_starts(s, "POLL");
}

static bool opens(Str line) {
    Str rest = str_after(line, "analyzing CPU ");
    return rest.p && str_ends(str_trim(rest), ":") && ch_digit(rest.p[0]);
}

static int bid(Str path, Str command, Str head) {
    bool named = command_is(command, "cpupower") || command_is(command, "cpufreq-info") || path_has(path, "cpupower");
    for (int n = 0; n < 6 && head.len; n++) {
        Str line = head_line(&head);
        if (opens(line)) return named ? 32 : 26;
        if (str_starts(line, "CPUidle driver:")) return named ? 28 : 20;
        if (str_trim(line).len && !mine(line) && !named) return 0;
    }
    return 0;
}

static bool starts(Str line) {
    return opens(line) || str_starts(line, "CPUidle driver: ");
}

static bool continues(Str line) {
    return !str_trim(line).len || mine(line);
}

/* "2.60 GHz", "800 MHz" in kHz. */
static bool frequency(Str s, double *khz) {
    double n;
    if (!str_double(str_word(&s), &n)) return false;
    Str unit = str_word(&s);
    double scale = str_starts(unit, "GHz") ? 1e6 : str_starts(unit, "MHz") ? 1e3 : str_starts(unit, "kHz") ? 1 : NAN;
    *khz = round(n * scale);
    return !isnan(*khz);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, governor = STR_NONE;
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    bool limit_said = false, driver_said = false;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        Str s = str_trim(line), rest;
        if (!s.len) continue;
        if (!mine(line)) {
            parse_note(ctx, at, "not a line of cpupower: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
            continue;
        }
        ctx->rows++;
        double khz;
        if ((rest = str_after(s, "driver: ")).p && !driver_said) {
            ctx_setting(ctx, host, "cpu_freq_driver", str_trim(rest), "kernel", at);
            driver_said = true;
        } else if ((rest = str_after(s, "hardware limits: ")).p && !limit_said) {
            size_t dash = str_find(rest, " - ");
            if (dash == SIZE_MAX || !frequency(str_from(rest, dash + 3), &khz)) parse_note(ctx, at, "no frequencies");
            else ctx_setting_real(ctx, host, "cpu_freq_max_khz", khz, "kernel", at);
        } else if ((rest = str_after(s, "current policy: ")).p && !limit_said) {
            size_t and = str_find(rest, " and ");
            if (and != SIZE_MAX && frequency(str_from(rest, and+5), &khz))
                ctx_setting_real(ctx, host, "cpu_freq_limit_khz", khz, "kernel", at);
            limit_said = true;
        } else if ((rest = str_after(s, "The governor \"")).p) {
            Str name = str_sub(rest, 0, str_find_ch(rest, '"'));
            if (!str_eq(name, governor)) ctx_setting(ctx, host, "cpu_governor", name, "kernel", at);
            governor = arena_str(ctx->scratch, name);
        }
    }
    return parse_result(ctx);
}

const Parser parser_cpupower = {
    .name = "cpupower",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "cpupower frequency-info",
};
