/*
 * diskstats_awk.c - the kernel's I/O counters as somebody cut them out with awk: unlabelled columns that only the command explains
 *
 * Reads   the output of awk '{print $3, $7, $11}' over /proc/diskstats, with the command in front
 * Gives   counter of each device (kind sysfs, names as in diskstats.c); sums of columns are passed over
 * Sample  cat /proc/diskstats | awk '{print $3, $7, $11, $7+$11, $13, $14}', kernel 4.15
 *   |nvme0n1 23102 458211 481313 2440911020 2441380544
 *   |nvme0n1p1 23102 340116 363218 529310 979204
 * Varies  the columns are as many as the expressions behind print, in their order. A program that does more than print columns and
 *         sums of them (printf, conditions on the output) says nothing about its columns here, and is nobody's.
 */
#include "diskstats.h"
#include "parser.h"

enum { COLUMNS = 24, FIRST_FIGURE = 4 };

/* What each printed column is: a field of /proc/diskstats (1 major, 2 minor, 3 name, 4 reads ...), 0: computed. */
typedef struct Columns {
    size_t count, name; /* name: which of them is the device */
    int field[COLUMNS];
} Columns;

/* One expression between commas: "$7" is a field; "$7+$11" and the like are computed; anything else makes the whole unknown. */
static bool expression(Str s, int *field) {
    s = str_trim(s);
    if (s.len < 2 || s.p[0] != '$') return false;
    uint64_t n;
    if (str_u64(str_from(s, 1), &n)) {
        *field = n >= 1 && n < FIRST_FIGURE + DISKSTATS_FIGURES ? (int)n : 0;
        return true;
    }
    *field = 0;
    for (size_t i = 0; i < s.len; i++)
        if (!ch_digit(s.p[i]) && !ch_blank(s.p[i]) && !memchr("$+-*/().", s.p[i], 8)) return false;
    return true;
}

static bool columns_of(Str command, Columns *c) {
    size_t awk = str_find(command, "awk "), print;
    if (!str_has(command, "/proc/diskstats") || awk == SIZE_MAX) return false;
    Str program = str_from(command, awk);
    print = str_find(program, "{print ");
    size_t skip = strlen("{print ");
    if (print == SIZE_MAX) {
        print = str_find(program, "{ print ");
        skip = strlen("{ print ");
    }
    if (print == SIZE_MAX) return false;
    Str list = str_from(program, print + skip);
    size_t end = str_find_ch(list, '}');
    if (end == SIZE_MAX) return false;
    list = str_trim(str_sub(list, 0, end));
    *c = (Columns){.name = SIZE_MAX};
    while (list.len) {
        Str one = str_cut(&list, ',');
        if (c->count == COLUMNS || !expression(one, &c->field[c->count])) return false;
        if (c->field[c->count] == 3 && c->name == SIZE_MAX) c->name = c->count;
        c->count++;
    }
    return c->name != SIZE_MAX && c->count >= 2;
}

static bool row(const Columns *c, Str line, Str *name, double *v) {
    Str rest = line;
    for (size_t i = 0; i < c->count; i++) {
        Str w = str_word(&rest);
        if (i == c->name) {
            if (!w.len || !ch_alpha(w.p[0])) return false;
            *name = w;
        } else if (!str_double(w, &v[i])) {
            return false;
        }
    }
    return !str_trim(rest).len;
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    Columns c;
    if (!columns_of(command, &c)) return 0;
    double v[COLUMNS];
    for (Str name, line; head.len;) {
        line = head_line(&head);
        if (str_trim(line).len) return row(&c, line, &name, v) ? 30 : 0;
    }
    return 0;
}

/* Without the command such a line is nobody's. */
static bool starts(Str line) {
    (void)line;
    return false;
}

/* A device and numbers. */
static bool continues(Str line) {
    Str rest = line, w = str_word(&rest);
    double v;
    size_t n = 0;
    if (!w.len || !ch_alpha(w.p[0])) return false;
    for (; (w = str_word(&rest)).len; n++)
        if (!str_double(w, &v)) return false;
    return n > 0;
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Columns c;
    bool known = columns_of(ctx->command, &c);
    Str line, name;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        double v[COLUMNS];
        if (!str_trim(line).len) continue;
        if (!known || !row(&c, line, &name, v)) {
            parse_note(ctx, at, "not a row of the columns that awk prints: \"%.*s\"",
                       STR_ARG(str_sub(str_trim(line), 0, 80)));
            continue;
        }
        ctx->rows++;
        Ref ref = ctx_ref(ctx, REF_DISK, name);
        for (size_t i = 0; i < c.count; i++) {
            if (c.field[i] < FIRST_FIGURE) continue;
            const DiskstatsFigure *figure = &diskstats_figures[c.field[i] - FIRST_FIGURE];
            Row r = ctx_row(ctx, "counter", at);
            row_ref(&r, "node", ref);
            row_text(&r, "name", str_of(figure->name));
            row_text(&r, "kind", STR("sysfs"));
            row_real(&r, "value", v[i]);
            if (figure->unit) row_text(&r, "unit", str_of(figure->unit));
            row_done(&r);
        }
    }
    return parse_result(ctx);
}

const Parser parser_diskstats_awk = {.name = "diskstats",
                                     .bid = bid,
                                     .starts = starts,
                                     .continues = continues,
                                     .parse = parse,
                                     .ask = "cat /proc/diskstats"};
