/*
 * interrupts.c - which interrupt line serves whom, and how often it came
 *
 * Reads   /proc/interrupts of Linux
 * Gives   interrupt: one row per numbered line
 * Sample  kernel 6.1, x86
 *   |           CPU0       CPU1
 *   |  16:          0     120034  IR-IO-APIC   16-fasteoi   i801_smbus, ata_piix
 *   | 126:     402311          0  IR-PCI-MSI 376832-edge      ahci[0000:00:17.0]
 *   | NMI:         12         13   Non-maskable interrupts
 * Varies  one column per online CPU; the chip is one word or two ("PCI-MSIX-0000:01:00.0 0-edge"), old kernels print
 *         "IO-APIC-fasteoi"; names behind it are separated by commas where a line is shared. Lines with a word in place of the
 *         number (NMI, LOC, ERR) are counted and give nothing.
 * Source  Linux kernel/irq/proc.c show_interrupts()
 */
#include "parser.h"

/* "           CPU0       CPU1 ": how many, 0 when it is no such line. */
static size_t header(Str line) {
    size_t n = 0;
    for (Str w; (w = str_word(&line)).len;) {
        uint64_t number;
        if (!str_starts(w, "CPU") || !str_u64(str_from(w, 3), &number)) return 0;
        n++;
    }
    return n;
}

/* " 16:          0     120034  IR-IO-APIC ...": the name before the colon, the rest behind it. */
static bool row(Str line, Str *name, Str *rest) {
    Str s = str_trim_left(line);
    size_t colon = str_find_ch(s, ':');
    if (colon == SIZE_MAX || colon == 0 || colon > 12) return false;
    *name = str_sub(s, 0, colon);
    for (size_t i = 0; i < name->len; i++)
        if (!ch_digit(name->p[i]) && (name->p[i] < 'A' || name->p[i] > 'Z')) return false;
    *rest = str_from(s, colon + 1);
    uint64_t count;
    Str probe = *rest;
    return str_u64(str_word(&probe), &count);
}

static bool starts(Str line) {
    return header(line) >= 1;
}

static bool continues(Str line) {
    Str name, rest;
    return row(line, &name, &rest) || header(line) >= 1;
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "interrupts") || str_has(command, "/proc/interrupts") ? 8 : 0;
    Str name, rest;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        return header(line) >= 1 && row(head_line(&head), &name, &rest) ? 28 + bits : 0;
    }
    return 0;
}

/* Cuts the chip and the trigger off: what is left names the devices. */
static Str devices_of(Str rest) {
    Str after = rest;
    str_word(&after); /* the chip */
    /* "IR-IO-APIC 16-fasteoi  NAMES", "PCI-MSI 376832-edge  NAMES", "IO-APIC-fasteoi  NAMES" */
    Str more = after, second = str_word(&more);
    if (str_ends(second, "-edge") || str_ends(second, "-fasteoi") || str_ends(second, "-level") ||
        str_is(second, "Edge") || str_is(second, "Level"))
        after = more;
    else { /* "GICv3  23 Level  NAMES" */ Str third_rest = more, third = str_word(&third_rest);
        if (str_is(third, "Edge") || str_is(third, "Level")) after = third_rest;
    }
    return str_trim(after);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line, name, rest;
    size_t cpus = 0;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim_right(line);
        if (!line.len) continue;
        size_t n = header(line);
        if (n) {
            cpus = n;
            ctx->rows++;
            continue;
        }
        if (!row(line, &name, &rest)) {
            parse_note(ctx, at, "not a line of /proc/interrupts: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        uint64_t irq, count, total = 0, busiest = 0;
        if (!str_u64(name, &irq)) continue;
        size_t columns = 0;
        for (; columns < cpus; columns++) {
            Str more = rest;
            if (!str_u64(str_word(&more), &count)) break;
            rest = more;
            total += count;
            if (count > busiest) busiest = count;
        }
        if (!cpus || columns < cpus) { /* a cut line, or one without its heading: its sum would be too small */
            parse_note(ctx, at, "%zu of %zu CPUs", columns, cpus);
            continue;
        }
        Str devices = devices_of(rest), chip_rest = rest, chip = str_word(&chip_rest);
        Row r = ctx_row(ctx, "interrupt", at);
        row_text(&r, "irq", name);
        row_real(&r, "total", (double)total);
        row_real(&r, "busiest", (double)busiest);
        row_int(&r, "cpus", (int64_t)cpus);
        if (chip.len) row_text(&r, "chip", chip);
        if (devices.len) row_text(&r, "devices", devices);
        row_done(&r);
    }
    return parse_result(ctx);
}

const Parser parser_interrupts = {.name = "interrupts",
                                  .bid = bid,
                                  .starts = starts,
                                  .continues = continues,
                                  .parse = parse,
                                  .ask = "cat /proc/interrupts"};
