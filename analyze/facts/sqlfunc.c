#include "sqlfunc.h"

#ifdef STORDX_SQLITE_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1
#else
#include <sqlite3.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- order statistics */

typedef struct Numbers {
    double *items;
    size_t count, cap;
    double p; /* per cent */
    bool p_set;
} Numbers;

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Moves the value of rank k to v[k], smaller ones before it, larger ones behind it. Unlucky pivots end in a sort, so the
   time is bounded for any input. */
static void place_rank(double *v, size_t n, size_t k) {
    for (int tries = 0; n > 32 && tries < 60; tries++) {
        double a = v[0], b = v[n / 2], c = v[n - 1];
        double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        size_t i = 0, j = n - 1;
        for (;;) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i >= j) break;
            double swap = v[i];
            v[i++] = v[j];
            v[j--] = swap;
        }
        size_t left = i == j ? i + 1 : i; /* v[0..left) <= pivot <= v[left..n) */
        if (left == n) break;
        if (k < left) {
            n = left;
        } else {
            v += left;
            n -= left;
            k -= left;
        }
    }
    qsort(v, n, sizeof *v, compare_doubles);
}

/* q from 0 to 1; n >= 1; reorders v. */
static double quantile(double *v, size_t n, double q) {
    double rank = q * (double)(n - 1);
    size_t below = (size_t)rank;
    if (below >= n) below = n - 1;
    place_rank(v, n, below);
    double low = v[below], part = rank - (double)below;
    if (part <= 0 || below + 1 >= n) return low;
    double next = v[below + 1];
    for (size_t i = below + 2; i < n; i++)
        if (v[i] < next) next = v[i];
    return low + (next - low) * part;
}

static void add_number(sqlite3_context *context, Numbers *numbers, double value) {
    if (numbers->count == numbers->cap) {
        size_t cap = numbers->cap ? numbers->cap * 2 : 64;
        double *more = sqlite3_realloc64(numbers->items, cap * sizeof *more);
        if (!more) {
            sqlite3_result_error_nomem(context);
            return;
        }
        numbers->items = more;
        numbers->cap = cap;
    }
    numbers->items[numbers->count++] = value;
}

static bool number_of(sqlite3_value *value, double *out) {
    int type = sqlite3_value_numeric_type(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return false;
    *out = sqlite3_value_double(value);
    return isfinite(*out);
}

static void numbers_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    Numbers *numbers = sqlite3_aggregate_context(context, sizeof *numbers);
    if (!numbers) {
        sqlite3_result_error_nomem(context);
        return;
    }
    double value;
    if (argc == 2) {
        double p;
        if (!number_of(argv[1], &p) || p < 0 || p > 100) {
            sqlite3_result_error(context, "percentile: the second argument must be a number from 0 to 100", -1);
            return;
        }
        if (numbers->p_set && numbers->p != p) {
            sqlite3_result_error(context, "percentile: the second argument must be the same in every row", -1);
            return;
        }
        numbers->p = p;
        numbers->p_set = true;
    }
    if (number_of(argv[0], &value)) add_number(context, numbers, value);
}

static Numbers *numbers_of(sqlite3_context *context) {
    Numbers *numbers = sqlite3_aggregate_context(context, 0);
    return numbers && numbers->count ? numbers : NULL;
}

static void numbers_free(sqlite3_context *context) {
    Numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers) return;
    sqlite3_free(numbers->items);
    *numbers = (Numbers){0};
}

static void median_final(sqlite3_context *context) {
    Numbers *numbers = numbers_of(context);
    if (numbers) sqlite3_result_double(context, quantile(numbers->items, numbers->count, 0.5));
    numbers_free(context);
}

static void percentile_final(sqlite3_context *context) {
    Numbers *numbers = numbers_of(context);
    if (numbers) sqlite3_result_double(context, quantile(numbers->items, numbers->count, numbers->p / 100));
    numbers_free(context);
}

static void mad_final(sqlite3_context *context) {
    Numbers *numbers = numbers_of(context);
    if (numbers) {
        double middle = quantile(numbers->items, numbers->count, 0.5);
        for (size_t i = 0; i < numbers->count; i++) numbers->items[i] = fabs(numbers->items[i] - middle);
        sqlite3_result_double(context, quantile(numbers->items, numbers->count, 0.5));
    }
    numbers_free(context);
}

/* ---------------------------------------------------------------- wwn */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool cut_prefix(const char **text, size_t *len, const char *prefix) {
    size_t n = strlen(prefix);
    if (*len < n) return false;
    for (size_t i = 0; i < n; i++)
        if (lower((*text)[i]) != prefix[i]) return false;
    *text += n;
    *len -= n;
    return true;
}

bool wwn_is_token(const char *text, size_t len) {
    if (len != WWN_TOKEN || (memcmp(text, "WWN-", 4) != 0 && memcmp(text, "EUI-", 4) != 0)) return false;
    for (size_t i = 4; i < len; i++)
        if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f'))) return false;
    return true;
}

static size_t take_token(const char *text, size_t len, char out[WWN_SIZE]) {
    if (!wwn_is_token(text, len)) return 0;
    memcpy(out, text, len);
    out[len] = 0;
    return len;
}

size_t wwn_normalize(const char *text, size_t len, char out[WWN_SIZE]) {
    out[0] = 0;
    while (len && blank(*text)) text++, len--;
    while (len && blank(text[len - 1])) len--;
    if (take_token(text, len, out)) return len; /* its kind looks like the prefix of a link */
    if (!cut_prefix(&text, &len, "wwn-") && !cut_prefix(&text, &len, "nvme-")) cut_prefix(&text, &len, "scsi-");
    bool uuid = cut_prefix(&text, &len, "uuid.");
    if (!uuid && !cut_prefix(&text, &len, "naa.")) cut_prefix(&text, &len, "eui.");
    cut_prefix(&text, &len, "0x");
    bool type_digit = len == WWN_TOKEN + 1 && *text == '3';
    if (take_token(text + type_digit, len - type_digit, out)) return len - type_digit;
    char found[WWN_SIZE]; /* one digit more than a name has */
    size_t digits = 0;
    bool after_digit = false;
    for (size_t i = 0; i < len; i++) {
        char c = lower(text[i]);
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) {
            if (digits == sizeof found) return 0;
            found[digits++] = c;
            after_digit = true;
        } else if (after_digit && (blank(c) || c == ':' || (uuid && c == '-'))) {
            after_digit = blank(c); /* several blanks, but one colon or dash */
        } else {
            return 0;
        }
    }
    const char *name = found;
    /* udev and multipath put the designator type 3 (NAA) before the digits of the name itself. */
    if ((digits == 17 && found[0] == '3' && strchr("235", found[1])) ||
        (digits == 33 && found[0] == '3' && found[1] == '6')) {
        name++;
        digits--;
    }
    if ((digits != 16 && digits != 32) || (uuid && digits != 32)) return 0;
    size_t zeros = 0, ones = 0;
    for (size_t i = 0; i < digits; i++) {
        zeros += name[i] == '0';
        ones += name[i] == 'f';
    }
    if (zeros == digits || ones == digits) return 0;
    memcpy(out, name, digits);
    out[digits] = 0;
    return digits;
}

static void wwn_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    /* A name of decimal digits only may have become a number; 16 digits fit an integer exactly. */
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    char out[WWN_SIZE];
    if (!text) return;
    size_t digits = wwn_normalize(text, (size_t)sqlite3_value_bytes(argv[0]), out);
    if (digits) sqlite3_result_text(context, out, (int)digits, SQLITE_TRANSIENT);
}

/* ---------------------------------------------------------------- cite */

enum { JSON_SUBTYPE = 74 }; /* 'J': how SQLite's JSON functions know JSON from text */

static void cite_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    bool whole = sqlite3_value_type(argv[1]) != SQLITE_NULL;
    char *json = whole ? sqlite3_mprintf("{\"src\":%lld,\"line\":%lld}", (long long)sqlite3_value_int64(argv[0]),
                                         (long long)sqlite3_value_int64(argv[1]))
                       : sqlite3_mprintf("{\"src\":%lld,\"line\":null}", (long long)sqlite3_value_int64(argv[0]));
    if (!json) {
        sqlite3_result_error_nomem(context);
        return;
    }
    sqlite3_result_text(context, json, -1, sqlite3_free);
    sqlite3_result_subtype(context, JSON_SUBTYPE);
}

/* ---------------------------------------------------------------- first_line */

typedef struct FirstLine {
    bool any, has_line;
    sqlite3_int64 src, line;
} FirstLine;

static void first_line_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    FirstLine *first = sqlite3_aggregate_context(context, sizeof *first);
    if (!first) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    sqlite3_int64 src = sqlite3_value_int64(argv[0]), line = sqlite3_value_int64(argv[1]);
    bool has_line = sqlite3_value_type(argv[1]) != SQLITE_NULL;
    if (first->any &&
        (src > first->src || (src == first->src && first->has_line && (!has_line || line >= first->line))))
        return;
    *first = (FirstLine){true, has_line, src, line};
}

static void first_line_final(sqlite3_context *context) {
    const FirstLine *first = sqlite3_aggregate_context(context, 0);
    if (first && first->has_line) sqlite3_result_int64(context, first->line);
}

/* ---------------------------------------------------------------- fmt */

enum { FMT_MAX = 12 };

/* printf() of SQLite itself, which this cannot call otherwise. */
static void fmt_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    char text[16 + 4 * FMT_MAX] = "SELECT printf(";
    size_t n = strlen(text);
    if (argc < 1 || argc > FMT_MAX) {
        sqlite3_result_error(context, "fmt() takes a format and up to 11 values", -1);
        return;
    }
    for (int i = 0; i < argc; i++) {
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) return;
        if (i) text[n++] = ',';
        text[n++] = '?';
    }
    text[n++] = ')';
    text[n] = '\0';
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(sqlite3_context_db_handle(context), text, -1, &st, NULL) != SQLITE_OK) {
        sqlite3_result_error(context, "fmt() failed", -1);
        return;
    }
    for (int i = 0; i < argc; i++) sqlite3_bind_value(st, i + 1, argv[i]);
    if (sqlite3_step(st) == SQLITE_ROW) sqlite3_result_value(context, sqlite3_column_value(st, 0));
    sqlite3_finalize(st);
}

/* ---------------------------------------------------------------- counted */

static void counted_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
    if (argc < 2 || argc > 3) {
        sqlite3_result_error(context, "counted() takes a number, a word and its plural", -1);
        return;
    }
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) return;
    sqlite3_int64 n = sqlite3_value_int64(argv[0]);
    const char *one = (const char *)sqlite3_value_text(argv[1]);
    const char *many = argc == 3 ? (const char *)sqlite3_value_text(argv[2]) : NULL;
    char *text = n == 1 || many ? sqlite3_mprintf("%lld %s", (long long)n, n == 1 ? one : many)
                                : sqlite3_mprintf("%lld %ss", (long long)n, one);
    if (text) sqlite3_result_text(context, text, -1, sqlite3_free);
    else sqlite3_result_error_nomem(context);
}

/* ---------------------------------------------------------------- registering */

#ifndef SQLITE_INNOCUOUS /* before SQLite 3.31 */
#define SQLITE_INNOCUOUS 0
#endif
#ifndef SQLITE_RESULT_SUBTYPE /* before SQLite 3.45, which wants to be told */
#define SQLITE_RESULT_SUBTYPE 0
#endif

static int add_functions(sqlite3 *db) {
    static const struct {
        const char *name;
        int arguments, flags;
        void (*scalar)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } functions[] = {
        {"median", 1, 0, NULL, numbers_step, median_final},
        {"percentile", 2, 0, NULL, numbers_step, percentile_final},
        {"mad", 1, 0, NULL, numbers_step, mad_final},
        {"first_line", 2, 0, NULL, first_line_step, first_line_final},
        {"wwn", 1, 0, wwn_function, NULL, NULL},
        {"cite", 2, SQLITE_RESULT_SUBTYPE, cite_function, NULL, NULL},
        {"fmt", -1, 0, fmt_function, NULL, NULL},
        {"counted", -1, 0, counted_function, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        int rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
                                            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | functions[i].flags,
                                            NULL, functions[i].scalar, functions[i].step, functions[i].final, NULL);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}

#ifdef STORDX_SQLITE_EXTENSION

/* SQLite makes the name from that of the file: the letters of stordx_sql.so without its ending. */
int sqlite3_stordxsql_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);
int sqlite3_stordxsql_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
    (void)message;
    SQLITE_EXTENSION_INIT2(api);
    return add_functions(db);
}

#else

bool sqlfunc_register(sqlite3 *db, Error *err) {
    return add_functions(db) == SQLITE_OK || error_set(err, "SQL functions: %s", sqlite3_errmsg(db));
}

#endif
