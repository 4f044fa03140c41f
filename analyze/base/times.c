#include "times.h"

#include <math.h>
#include <stdio.h>

enum { MAX_TOKENS = 10 };

int64_t time_from_civil(int64_t year, int month, int day) {
    /* Days count from 1 March of year 0, so that the leap day is the last of its year. */
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return (era * 146097 + doe - 719468) * 86400;
}

static void civil_from_days(int64_t days, int64_t *year, int *month, int *day) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t doe = days - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    *day = (int)(doy - (153 * mp + 2) / 5 + 1);
    *month = (int)(mp < 10 ? mp + 3 : mp - 9);
    *year = yoe + era * 400 + (*month <= 2);
}

static bool valid_date(int64_t year, int month, int day) {
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > days[month - 1]) return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month != 2 || day <= 28 || leap;
}

/* At most `max` digits at *p; how many there were. */
static int digits(const char **p, const char *end, int max, int64_t *out) {
    int n = 0;
    int64_t v = 0;
    while (*p < end && n < max && ch_digit(**p)) {
        v = v * 10 + (**p - '0');
        (*p)++;
        n++;
    }
    if (n) *out = v;
    return n;
}

/* h:mm[:ss[.fraction]] at *p. */
static bool clock_at(const char **pp, const char *end, double *seconds) {
    const char *p = *pp;
    int64_t h, m, s = 0;
    if (!digits(&p, end, 2, &h) || p >= end || *p != ':') return false;
    p++;
    if (digits(&p, end, 2, &m) != 2) return false;
    double fraction = 0;
    if (p < end && *p == ':') {
        p++;
        if (digits(&p, end, 2, &s) != 2) return false;
        if (p + 1 < end && (*p == '.' || *p == ',') && ch_digit(p[1])) {
            double scale = 0.1;
            for (p++; p < end && ch_digit(*p); p++, scale /= 10) fraction += scale * (*p - '0');
        }
    }
    if (h > 24 || m > 59 || s > 60) return false;
    *seconds = (double)(h * 3600 + m * 60 + s) + fraction;
    *pp = p;
    return true;
}

/* Z, +hh, +hhmm, +hh:mm over the whole of s. */
static bool zone_offset(Str s, int *offset) {
    if (str_is(s, "Z") || str_is(s, "z")) {
        *offset = 0;
        return true;
    }
    if (s.len < 3 || (s.p[0] != '+' && s.p[0] != '-')) return false;
    const char *p = s.p + 1, *end = s.p + s.len;
    int64_t h, m = 0;
    if (digits(&p, end, 2, &h) != 2) return false;
    if (p < end && *p == ':') p++;
    if (p < end && digits(&p, end, 2, &m) != 2) return false;
    if (p != end || h > 14 || m > 59) return false;
    *offset = (int)(h * 3600 + m * 60) * (s.p[0] == '-' ? -1 : 1);
    return true;
}

/* Words that name exactly one zone. CST, IST, BST and the like name several and are left out on purpose. */
static bool zone_word(Str s, int *offset) {
    static const struct {
        const char *name;
        int minutes;
    } zones[] = {{"UTC", 0},    {"GMT", 0},    {"WET", 0},    {"WEST", 60},   {"CET", 60},   {"CEST", 120},
                 {"EET", 120},  {"EEST", 180}, {"MSK", 180},  {"EST", -300},  {"EDT", -240}, {"CDT", -300},
                 {"MDT", -360}, {"PST", -480}, {"PDT", -420}, {"AKST", -540}, {"JST", 540},  {"KST", 540},
                 {"AEST", 600}, {"AEDT", 660}, {"NZST", 720}, {"NZDT", 780},  {"SAST", 120}, {"HKT", 480}};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (str_is(s, zones[i].name)) {
            *offset = zones[i].minutes * 60;
            return true;
        }
    return false;
}

static bool is_zone_like(Str s) {
    if (s.len < 2 || s.len > 5) return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] < 'A' || s.p[i] > 'Z') return false;
    return true;
}

/* Month names by their first letters: English, then what de, fr, es, it, nl, pt print differently. */
static int month_word(Str s) {
    static const struct {
        const char *name;
        int month;
    } names[] = {{"jan", 1},
                 {"feb", 2},
                 {"mar", 3},
                 {"apr", 4},
                 {"may", 5},
                 {"jun", 6},
                 {"jul", 7},
                 {"aug", 8},
                 {"sep", 9},
                 {"oct", 10},
                 {"nov", 11},
                 {"dec", 12},
                 {"m\xc3\xa4r", 3},
                 {"mrz", 3},
                 {"mai", 5},
                 {"okt", 10},
                 {"dez", 12},
                 {"f\xc3\xa9v", 2},
                 {"avr", 4},
                 {"juin", 6},
                 {"juil", 7},
                 {"ao\xc3\xbb", 8},
                 {"d\xc3\xa9"
                  "c",
                  12},
                 {"ene", 1},
                 {"abr", 4},
                 {"ago", 8},
                 {"dic", 12},
                 {"gen", 1},
                 {"mag", 5},
                 {"giu", 6},
                 {"lug", 7},
                 {"set", 9},
                 {"ott", 10},
                 {"mrt", 3},
                 {"mei", 5},
                 {"fev", 2},
                 {"out", 10}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_istarts(s, names[i].name)) return names[i].month;
    return 0;
}

typedef struct Parts {
    int64_t year;
    int month, day;
    double clock;
    int offset;
    bool has_date, has_clock, has_zone;
} Parts;

/* Three numbers with one kind of separator. *rest: what stands behind them in the token. */
static bool date_token(Str t, DateOrder order, Parts *d, Str *rest) {
    const char *p = t.p, *end = t.p + t.len;
    int64_t a, b, c;
    int na = digits(&p, end, 4, &a);
    if (!na || na == 3 || p >= end) return false;
    char sep = *p;
    if (sep != '-' && sep != '/' && sep != '.') return false;
    p++;
    if (digits(&p, end, 2, &b) < 1 || p >= end || *p != sep) return false;
    p++;
    int nc = digits(&p, end, 4, &c);
    if (!nc || nc == 3 || (nc == 4 && na == 4)) return false;
    int64_t year, month, day;
    if (na == 4) {
        year = a, month = b, day = c;
    } else {
        year = nc == 4 ? c : c < 70 ? 2000 + c : 1900 + c;
        bool day_first = sep != '/' || order == DATE_DAY_FIRST ? b <= 12 : a > 12;
        day = day_first ? a : b;
        month = day_first ? b : a;
    }
    if (!valid_date(year, (int)month, (int)day)) return false;
    d->year = year;
    d->month = (int)month;
    d->day = (int)day;
    d->has_date = true;
    *rest = (Str){p, (size_t)(end - p)};
    return true;
}

static bool clock_token(Str t, Parts *d) {
    const char *p = t.p, *end = t.p + t.len;
    double seconds;
    if (!clock_at(&p, end, &seconds)) return false;
    Str rest = {p, (size_t)(end - p)};
    if (rest.len) {
        if (!zone_offset(rest, &d->offset)) return false;
        d->has_zone = true;
    }
    d->clock = seconds;
    d->has_clock = true;
    return true;
}

static bool half_day(Str t, double *clock) {
    if (t.len == 2 && str_istarts(t, "am")) {
        if (*clock >= 43200 && *clock < 46800) *clock -= 43200;
        return *clock < 43200;
    }
    if (t.len == 2 && str_istarts(t, "pm")) {
        if (*clock < 43200) *clock += 43200;
        return *clock < 86400;
    }
    return false;
}

static bool epoch(Str s, double *out) {
    size_t whole = 0;
    while (whole < s.len && ch_digit(s.p[whole])) whole++;
    if (whole < 9 || whole > 10) return false;
    if (whole < s.len && (s.p[whole] != '.' || whole + 1 == s.len)) return false;
    double v = 0, scale = 0.1;
    for (size_t i = 0; i < whole; i++) v = v * 10 + (s.p[i] - '0');
    for (size_t i = whole + 1; i < s.len; i++, scale /= 10) {
        if (!ch_digit(s.p[i])) return false;
        v += scale * (s.p[i] - '0');
    }
    *out = v;
    return true;
}

/* "2024年07月01日 12时00分00秒" as sysstat prints it in Chinese and Japanese locales, with the characters turned into
   separators; out holds s.len bytes. false: none of them in s. */
static bool plain_digits(Str s, char *out, size_t *n) {
    static const struct {
        const char *utf8;
        char to;
    } map[] = {{"\xe5\xb9\xb4", '-'}, {"\xe6\x9c\x88", '-'}, {"\xe6\x97\xa5", ' '}, {"\xe6\x97\xb6", ':'},
               {"\xe6\x99\x82", ':'}, {"\xe5\x88\x86", ':'}, {"\xe7\xa7\x92", ' '}};
    bool any = false;
    *n = 0;
    for (size_t i = 0; i < s.len;) {
        bool hit = false;
        for (size_t k = 0; k < sizeof map / sizeof *map && !hit; k++)
            if (str_starts(str_from(s, i), map[k].utf8)) {
                out[(*n)++] = map[k].to;
                i += 3;
                hit = any = true;
            }
        if (!hit) out[(*n)++] = s.p[i++];
    }
    return any;
}

bool time_parse_order(Str s, DateOrder order, double *epoch_s, bool *has_zone) {
    s = str_trim(s);
    if (s.len < 6 || s.len > 64) return false;
    double t;
    if (epoch(s, &t)) {
        if (epoch_s) *epoch_s = t;
        if (has_zone) *has_zone = true;
        return true;
    }
    char plain[64];
    size_t n;
    if (plain_digits(s, plain, &n)) s = str_trim((Str){plain, n});

    Str tokens[MAX_TOKENS];
    size_t count = str_words(s, tokens, MAX_TOKENS);
    if (count > MAX_TOKENS) return false;
    Parts d = {0};
    int64_t year = 0;
    size_t months = 0; /* "mar 12 mar 2024": an Italian Tuesday in March */
    for (size_t i = 0; i < count; i++) months += !ch_digit(tokens[i].p[0]) && month_word(tokens[i]);
    for (size_t i = 0; i < count; i++) {
        Str tok = tokens[i], rest;
        if (!d.has_date && ch_digit(tok.p[0]) && date_token(tok, order, &d, &rest)) {
            if (!rest.len) continue;
            if ((rest.p[0] != 'T' && rest.p[0] != 't') || !clock_token(str_from(rest, 1), &d)) return false;
            continue;
        }
        if (ch_digit(tok.p[0]) && !d.has_clock && str_find_ch(tok, ':') != SIZE_MAX) {
            if (!clock_token(tok, &d)) return false;
            continue;
        }
        if (d.has_clock && half_day(tok, &d.clock)) continue;
        if (d.has_clock && !d.has_zone && (zone_offset(tok, &d.offset) || zone_word(tok, &d.offset))) {
            d.has_zone = true;
            continue;
        }
        uint64_t v;
        Str number =
            tok.len && (tok.p[tok.len - 1] == '.' || tok.p[tok.len - 1] == ',') ? str_sub(tok, 0, tok.len - 1) : tok;
        if (!d.has_date && str_u64(number, &v)) {
            if (number.len == 4 && !year) year = (int64_t)v;
            else if (number.len <= 2 && !d.day && v >= 1 && v <= 31) d.day = (int)v;
            else return false;
            continue;
        }
        if (!d.has_date && !ch_digit(tok.p[0]) && !d.month && month_word(tok) && !(i == 0 && months > 1)) {
            d.month = month_word(tok);
            continue;
        }
        if (i == 0 && !ch_digit(tok.p[0]) && tok.len <= 12) {
            if (str_find_ch(tok, ':') != SIZE_MAX || str_find_ch(tok, '=') != SIZE_MAX) return false; /* a key */
            continue; /* weekday, in any language */
        }
        if (d.has_clock && is_zone_like(tok)) continue; /* a word that may be several zones */
        return false;
    }
    if (!d.has_date) {
        if (!year || !d.month || !d.day || !valid_date(year, d.month, d.day)) return false;
        d.year = year;
    }
    if (epoch_s) *epoch_s = (double)time_from_civil(d.year, d.month, d.day) + d.clock - d.offset;
    if (has_zone) *has_zone = d.has_zone;
    return true;
}

bool time_parse(Str s, double *epoch_s, bool *has_zone) {
    return time_parse_order(s, DATE_MONTH_FIRST, epoch_s, has_zone);
}

bool time_is_day_first(Str s) {
    Str tokens[1];
    Parts d;
    Str rest;
    if (str_words(s, tokens, 1) < 1 || tokens[0].len < 6) return false;
    if (!date_token(tokens[0], DATE_MONTH_FIRST, &d, &rest)) return false;
    const char *p = tokens[0].p;
    int64_t first = 0;
    int n = digits(&p, p + tokens[0].len, 4, &first);
    return n <= 2 && (*p != '/' || first > 12);
}

bool time_parse_clock(Str s, double *seconds) {
    s = str_trim(s);
    const char *p = s.p, *end = s.p + s.len;
    double v;
    if (!s.len || !clock_at(&p, end, &v)) return false;
    Str rest = str_trim((Str){p, (size_t)(end - p)});
    if (rest.len && !half_day(rest, &v)) return false;
    *seconds = v;
    return true;
}

bool time_parse_span(Str s, double *seconds) {
    s = str_trim(s);
    const char *p = s.p, *end = s.p + s.len;
    double total = 0;
    bool any = false;
    while (p < end) {
        while (p < end && *p == ' ') p++;
        const char *start = p;
        int64_t v;
        if (!digits(&p, end, 9, &v)) return false;
        if (p < end && *p == ':') { /* clock; hours may have more than two digits */
            int64_t m, sec = 0;
            p++;
            if (digits(&p, end, 2, &m) != 2 || m > 59) return false;
            if (p < end && *p == ':') {
                p++;
                if (digits(&p, end, 2, &sec) != 2 || sec > 60) return false;
            }
            total += (double)(v * 3600 + m * 60 + sec);
            any = true;
            continue;
        }
        while (p < end && *p == ' ') p++;
        Str unit = {p, 0};
        while (p < end && ch_alpha(*p)) p++, unit.len++;
        double scale;
        if (str_is(unit, "d") || str_is(unit, "days") || str_is(unit, "day")) scale = 86400;
        else if (str_is(unit, "h")) scale = 3600;
        else if (str_is(unit, "m")) scale = 60;
        else if (str_is(unit, "s")) scale = 1;
        else return false;
        total += (double)v * scale;
        any = p > start;
    }
    if (!any) return false;
    *seconds = total;
    return true;
}

void time_format_iso(double epoch_s, int tz_s, char *buf, size_t n) {
    if (!n) return;
    buf[0] = 0;
    double local = floor(epoch_s) + tz_s;
    if (!(local > -62167219200.0 && local < 253402300800.0)) return; /* years 0..9999; NAN fails too */
    int64_t t = (int64_t)local;
    int64_t days = (t >= 0 ? t : t - 86399) / 86400;
    int64_t in_day = t - days * 86400, year;
    int month, day;
    civil_from_days(days, &year, &month, &day);
    char zone[16] = "Z";
    if (tz_s)
        snprintf(zone, sizeof zone, "%c%02d:%02d", tz_s < 0 ? '-' : '+', (tz_s < 0 ? -tz_s : tz_s) / 3600 % 100,
                 (tz_s < 0 ? -tz_s : tz_s) / 60 % 60);
    snprintf(buf, n, "%04d-%02d-%02dT%02d:%02d:%02d%s", (int)year, month, day, (int)(in_day / 3600),
             (int)(in_day / 60 % 60), (int)(in_day % 60), zone);
}
