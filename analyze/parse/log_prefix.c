/*
 * log_prefix.c - stamps and tags in front of log messages
 *
 * The order is fixed (priority, date with host and tag, facility, monotonic stamp, wall stamp, caller, host and tag again);
 * every step is optional. This runs once per line of logs of millions of lines: no allocation, no regular expressions, and
 * the date of a line that equals the last line's is not computed again.
 */
#include "log_prefix.h"

#include <math.h>

/* ------------------------------------------------------------------ dates */

/* Days since 1970-01-01 of a date in the Gregorian calendar. */
static int64_t days_from_civil(int64_t y, int m, int d) {
    y -= m <= 2;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + doe - 719468;
}

/* n digits at p as a number, -1 when they are none. */
static int digits(const char *p, size_t n) {
    int v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!ch_digit(p[i])) return -1;
        v = v * 10 + (p[i] - '0');
    }
    return v;
}

/* dmesg -T and syslog print month names in the language of the session. */
static int month_of(Str s) {
    static const struct {
        const char *name;
        int month;
    } names[] = {
        {"Jan", 1},
        {"Feb", 2},
        {"Mar", 3},
        {"Apr", 4},
        {"May", 5},
        {"Jun", 6},
        {"Jul", 7},
        {"Aug", 8},
        {"Sep", 9},
        {"Oct", 10},
        {"Nov", 11},
        {"Dec", 12},
        {"M\xc3\xa4r", 3},
        {"Mai", 5},
        {"Okt", 10},
        {"Dez", 12},
        {"ene", 1},
        {"abr", 4},
        {"ago", 8},
        {"dic", 12},
        {"f\xc3\xa9v", 2},
        {"avr", 4},
        {"ao\xc3\xbb", 8},
        {"d\xc3\xa9"
         "c",
         12},
        {"juin", 6},
        {"juil", 7},
        {"gen", 1},
        {"mag", 5},
        {"giu", 6},
        {"lug", 7},
        {"set", 9},
        {"ott", 10},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_istarts(s, names[i].name)) return names[i].month;
    return 0;
}

/* "HH:MM:SS[.,frac]" at the start of s: seconds since midnight, and how many bytes it took; 0: it is none. */
static size_t clock_time(Str s, double *seconds) {
    if (s.len < 8 || s.p[2] != ':' || s.p[5] != ':') return 0;
    int h = digits(s.p, 2), m = digits(s.p + 3, 2), sec = digits(s.p + 6, 2);
    if (h < 0 || h > 24 || m < 0 || m > 59 || sec < 0 || sec > 60) return 0;
    double v = h * 3600.0 + m * 60.0 + sec;
    size_t n = 8;
    if (s.len > 9 && (s.p[8] == '.' || s.p[8] == ',') && ch_digit(s.p[9])) {
        double scale = 0.1;
        for (n = 9; n < s.len && ch_digit(s.p[n]); n++, scale /= 10)
            if (n < 18) v += (s.p[n] - '0') * scale;
    }
    *seconds = v;
    return n;
}

/* Zone behind an ISO time: Z, +02:00, +0200, +02. Bytes taken; 0: none. */
static size_t zone(Str s, double *offset_s) {
    if (s.len >= 1 && s.p[0] == 'Z' && (s.len == 1 || !ch_alnum(s.p[1]))) {
        *offset_s = 0;
        return 1;
    }
    if (s.len < 3 || (s.p[0] != '+' && s.p[0] != '-')) return 0;
    int h = digits(s.p + 1, 2), m = 0;
    size_t n = 3;
    if (h < 0 || h > 14) return 0;
    if (s.len >= 6 && s.p[3] == ':' && digits(s.p + 4, 2) >= 0) {
        m = digits(s.p + 4, 2);
        n = 6;
    } else if (s.len >= 5 && digits(s.p + 3, 2) >= 0) {
        m = digits(s.p + 3, 2);
        n = 5;
    }
    *offset_s = (s.p[0] == '-' ? -1 : 1) * (h * 3600.0 + m * 60.0);
    return n;
}

/* "2024-07-01T12:00:00.123+02:00" or with a blank. Bytes taken. */
static size_t iso_date(Str s, double *wall, bool *has_zone, bool *comma) {
    if (s.len < 19 || s.p[4] != '-' || s.p[7] != '-' || (s.p[10] != 'T' && s.p[10] != ' ')) return 0;
    int y = digits(s.p, 4), m = digits(s.p + 5, 2), d = digits(s.p + 8, 2);
    double seconds, offset;
    if (y < 1970 || m < 1 || m > 12 || d < 1 || d > 31) return 0;
    size_t n = clock_time(str_from(s, 11), &seconds);
    if (!n) return 0;
    *comma = n > 8 && s.p[11 + 8] == ',';
    n += 11;
    *wall = (double)days_from_civil(y, m, d) * 86400.0 + seconds;
    size_t z = zone(str_from(s, n), &offset);
    *has_zone = z > 0;
    if (z) *wall -= offset;
    return n + z;
}

/* "Jul  1 [2024 ]12:00:00[.frac]". Bytes taken; *no_year: *wall counts from the start of a year that is not known. */
static size_t bsd_date(Str s, LogClock *clock, double *wall, bool *no_year) {
    size_t n = 0;
    /* Jul, Sept., d\u00e9c. */
    while (n < s.len && n < 8 && (ch_alpha(s.p[n]) || (s.p[n] & 0x80) || s.p[n] == '.')) n++;
    int month = n >= 3 ? month_of(str_sub(s, 0, n)) : 0;
    if (!month || n >= s.len || s.p[n] != ' ') return 0;
    while (n < s.len && s.p[n] == ' ') n++;
    int day = 0;
    size_t from = n;
    while (n < s.len && n < from + 2 && ch_digit(s.p[n])) day = day * 10 + (s.p[n++] - '0');
    if (day < 1 || day > 31 || n >= s.len || s.p[n] != ' ') return 0;
    n++;
    int year = 0;
    if (s.len >= n + 5 && digits(s.p + n, 4) >= 1970 && s.p[n + 4] == ' ') {
        year = digits(s.p + n, 4);
        n += 5;
    }
    double seconds;
    size_t t = clock_time(str_from(s, n), &seconds);
    if (!t) return 0;
    n += t;
    *no_year = false;
    if (!year && clock) {
        if (clock->year && clock->last_month == 12 && month == 1) clock->year++;
        clock->last_month = month;
        year = clock->year;
    }
    if (!year) {
        *no_year = true;
        year = 1972; /* a leap year, so that 29 February stays one */
    }
    *wall = (double)days_from_civil(year, month, day) * 86400.0 + seconds;
    if (*no_year) *wall -= (double)days_from_civil(1972, 1, 1) * 86400.0;
    return n;
}

/* Behind the bracket of `[Sun Jul  7 03:24:01 2024]`: the weekday is skipped, the year follows the time. */
static bool ctime_date(Str s, double *wall) {
    size_t n = 0;
    while (n < s.len && n < 8 && (ch_alpha(s.p[n]) || (s.p[n] & 0x80) || s.p[n] == '.')) n++;
    if (n < 2 || n >= s.len || s.p[n] != ' ') return false;
    s = str_trim_left(str_from(s, n));
    n = 0;
    while (n < s.len && n < 8 && (ch_alpha(s.p[n]) || (s.p[n] & 0x80) || s.p[n] == '.')) n++;
    int month = n >= 3 ? month_of(str_sub(s, 0, n)) : 0;
    if (!month) return false;
    s = str_trim_left(str_from(s, n));
    n = 0;
    int day = 0;
    while (n < s.len && n < 2 && ch_digit(s.p[n])) day = day * 10 + (s.p[n++] - '0');
    if (day < 1 || day > 31) return false;
    s = str_trim_left(str_from(s, n));
    double seconds;
    n = clock_time(s, &seconds);
    if (!n) return false;
    s = str_trim_left(str_from(s, n));
    if (s.len < 4 || digits(s.p, 4) < 1970) return false;
    *wall = (double)days_from_civil(digits(s.p, 4), month, day) * 86400.0 + seconds;
    return true;
}

/* ------------------------------------------------------------------ the steps */

static bool is_level(Str s) {
    static const char *const levels[] = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (str_is(s, levels[i])) return true;
    return false;
}

/* "kern  :info  : ". Bytes taken. */
static size_t facility(Str s) {
    size_t n = 0;
    while (n < s.len && n < 10 && ch_alnum(s.p[n])) n++;
    if (n < 3) return 0;
    while (n < s.len && n < 12 && s.p[n] == ' ') n++;
    if (n >= s.len || s.p[n] != ':') return 0;
    n++;
    while (n < s.len && n < 16 && s.p[n] == ' ') n++;
    size_t from = n;
    while (n < s.len && n < from + 7 && ch_alpha(s.p[n])) n++;
    if (!is_level(str_sub(s, from, n - from))) return 0;
    while (n < s.len && n < from + 10 && s.p[n] == ' ') n++;
    if (n >= s.len || s.p[n] != ':') return 0;
    n++;
    if (n < s.len && s.p[n] == ' ') n++;
    return n;
}

/* Digits with an optional fraction at the start of s. Bytes taken. */
static size_t number(Str s, double *out) {
    uint64_t whole = 0;
    size_t n = 0;
    while (n < s.len && n < 15 && ch_digit(s.p[n])) whole = whole * 10 + (uint64_t)(s.p[n++] - '0');
    if (n == 0) return 0;
    double v = (double)whole;
    if (n + 1 < s.len && s.p[n] == '.' && ch_digit(s.p[n + 1])) {
        uint64_t frac = 0, scale = 1;
        for (n++; n < s.len && ch_digit(s.p[n]); n++) {
            if (scale >= 1000000000u) continue;
            frac = frac * 10 + (uint64_t)(s.p[n] - '0');
            scale *= 10;
        }
        v += (double)frac / (double)scale;
    }
    *out = v;
    return n;
}

/* Everything in brackets that dmesg may put in front. Bytes taken with the blank behind; 0: no stamp. */
static size_t bracket(Str s, LogClock *clock, LogPrefix *out) {
    if (s.len < 3 || s.p[0] != '[') return 0;
    size_t end = 1;
    while (end < s.len && end < 64 && s.p[end] != ']') end++;
    if (end >= s.len || s.p[end] != ']') return 0;
    Str in = str_trim_left(str_sub(s, 1, end - 1));
    double v;
    size_t n = number(in, &v);
    if (n > 0) {
        Str rest = str_trim_left(str_from(in, n));
        /* [12] is FreeBSD with kern.msgbuf_show_timestamp=1, or a list index: only with a blank behind the bracket */
        if (rest.len == 0 || rest.p[0] == '<') out->mono_s = v;
        else return 0;
        if (end + 1 < s.len && s.p[end + 1] != ' ' && s.p[end + 1] != '[') return 0;
    } else if (in.len > 1 && in.p[0] == '+') {
        if (!number(str_from(in, 1), &v)) return 0;
        if (clock && clock->rel_known) {
            clock->rel_base_s += v;
            *(clock->rel_no_year ? &out->year_s : &out->wall_s) = clock->rel_base_s;
        }
    } else if (in.len > 1 && in.p[0] == '<') {
        if (!number(str_trim_left(str_from(in, 1)), &v)) return 0;
    } else if (str_is(str_trim(in), "...")) {
        /* stamps that somebody cut out */
    } else if (in.len >= 10 && (ch_alpha(in.p[0]) || (in.p[0] & 0x80))) {
        double wall;
        bool no_year;
        if (ctime_date(in, &wall)) {
            out->wall_s = wall;
        } else {
            /* dmesg -e: [Jul 1 12:00], later lines carry deltas; minutes are all it prints */
            char minute[32];
            Str t = str_trim_right(in);
            if (t.len + 3 >= sizeof minute || t.len < 10 || t.p[t.len - 3] != ':') return 0;
            size_t k = 0;
            for (size_t i = 0; i < t.len; i++) {
                minute[k++] = t.p[i];
                /* old versions print [Feb13 04:56] */
                if (ch_alpha(t.p[i]) && i + 1 < t.len && ch_digit(t.p[i + 1])) minute[k++] = ' ';
                if (k + 4 >= sizeof minute) return 0;
            }
            memcpy(minute + k, ":00", 3);
            if (bsd_date((Str){minute, k + 3}, clock, &wall, &no_year) != k + 3) return 0;
            *(no_year ? &out->year_s : &out->wall_s) = wall;
            if (clock) {
                clock->rel_base_s = wall;
                clock->rel_known = true;
                clock->rel_no_year = no_year;
            }
        }
    } else if (in.len > 18 && ch_digit(in.p[0])) {
        return 0;
    } else {
        return 0;
    }
    out->stamped = true;
    end++;
    if (end < s.len && s.p[end] == ' ') end++;
    return end;
}

/* "[    T1] " or "[   C0] ". */
static size_t caller(Str s) {
    if (s.len < 4 || s.p[0] != '[') return 0;
    size_t n = 1;
    while (n < s.len && n < 12 && s.p[n] == ' ') n++;
    if (n >= s.len || (s.p[n] != 'T' && s.p[n] != 'C')) return 0;
    size_t from = ++n;
    while (n < s.len && n < from + 10 && ch_digit(s.p[n])) n++;
    if (n == from || n >= s.len || s.p[n] != ']') return 0;
    n++;
    return n < s.len && s.p[n] == ' ' ? n + 1 : n;
}

/*
 * "HOST TAG[PID]: " behind a date. Anything of the form `a b: ` could be it ("nvme nvme0: I/O ..." of a log whose host column
 * was cut away is not), so the tag must be `kernel`, or carry a pid, or the host must be known from other lines.
 * Bytes up to the message; 0: none.
 */
static size_t host_and_tag(Str s, LogClock *clock, LogPrefix *out) {
    size_t n = 0;
    if (s.len > 2 && s.p[0] == '<' && ch_alpha(s.p[1])) { /* FreeBSD syslogd -vv: <kern.crit> */
        size_t gt = str_find_ch(str_sub(s, 0, 24), '>');
        if (gt != SIZE_MAX && gt + 1 < s.len && s.p[gt + 1] == ' ') n = gt + 2;
    }
    size_t host_at = n;
    while (n < s.len && n - host_at < 255 && s.p[n] != ' ') n++;
    Str host = str_sub(s, host_at, n - host_at);
    size_t tag_at = n + 1;
    if (str_is(host, "kernel:")) { /* no host column */
        out->kernel = true;
        out->tag = str_sub(s, host_at, 6);
        return n < s.len ? n + 1 : n;
    }
    if (n >= s.len || host.len == 0 || host.p[host.len - 1] == ':') return 0;
    while (tag_at < s.len && s.p[tag_at] == ' ') tag_at++;
    n = tag_at;
    while (n < s.len && n - tag_at < 64 && s.p[n] != ' ' && s.p[n] != ':' && s.p[n] != '[') n++;
    Str tag = str_sub(s, tag_at, n - tag_at);
    bool pid = false;
    if (n < s.len && s.p[n] == '[') {
        size_t from = ++n;
        while (n < s.len && n - from < 10 && ch_digit(s.p[n])) n++;
        if (n == from || n >= s.len || s.p[n] != ']') return 0;
        pid = true;
        n++;
    }
    if (tag.len == 0 || n >= s.len || s.p[n] != ':') return 0;
    n++;
    bool kernel = str_is(tag, "kernel");
    bool known = clock && clock->host_len && str_eq(host, (Str){clock->host, clock->host_len});
    if (!kernel && !pid && !known) return 0;
    out->host = host;
    out->tag = tag;
    out->tagged = true;
    out->kernel = kernel;
    if (kernel && clock && !known && host.len < sizeof clock->host) {
        memcpy(clock->host, host.p, host.len);
        clock->host_len = host.len;
    }
    if (!kernel) return tag_at; /* the message keeps its tag */
    return n < s.len && s.p[n] == ' ' ? n + 1 : n;
}

/* /dev/kmsg: "6,1234,5678901,-[,caller=T1];". Bytes taken. */
static size_t kmsg(Str s, LogPrefix *out) {
    if (s.len < 8 || !ch_digit(s.p[0])) return 0;
    size_t n = 0;
    int field = 0;
    double v, micros = NAN;
    while (field < 3) {
        size_t d = number(str_from(s, n), &v);
        if (!d || n + d >= s.len || s.p[n + d] != ',') return 0;
        if (field == 2) micros = v;
        n += d + 1;
        field++;
    }
    if (n >= s.len || (s.p[n] != '-' && s.p[n] != 'c' && s.p[n] != '+')) return 0;
    size_t semicolon = str_find_ch(str_sub(s, n, 64), ';');
    if (semicolon == SIZE_MAX) return 0;
    out->mono_s = micros / 1e6;
    out->stamped = true;
    return n + semicolon + 1;
}

/* The date at the start, in any of its forms. Bytes taken with the blanks behind. *bare: a form that has no host column. */
static size_t date(Str s, LogClock *clock, LogPrefix *out, bool *bare) {
    *bare = false;
    if (s.len < 15) return 0;
    size_t n = 0;
    double wall = NAN;
    bool has_zone = false, no_year = false;
    if (clock && clock->date_len && s.len > clock->date_len && s.p[clock->date_len] == ' ' &&
        memcmp(s.p, clock->date, clock->date_len) == 0) {
        n = clock->date_len;
        wall = clock->date_s;
        no_year = clock->date_no_year;
    } else if (ch_digit(s.p[0])) {
        n = iso_date(s, &wall, &has_zone, bare);
        if (!n && s.len > 17 && s.p[10] == '.') {
            /* journalctl -o short-unix: ten digits and microseconds */
            n = number(s, &wall);
            if (n < 17 || wall < 1e9 || wall > 1e10) return 0;
            has_zone = true;
        }
        if (!n) return 0;
    } else if (ch_alpha(s.p[0]) || (s.p[0] & 0x80)) {
        n = bsd_date(s, clock, &wall, &no_year);
        if (n && clock && n < sizeof clock->date) {
            memcpy(clock->date, s.p, n);
            clock->date_len = n;
            clock->date_s = wall;
            clock->date_no_year = no_year;
        }
        if (!n && s.len > 24 && s.p[3] == ' ' && ch_digit(s.p[4])) {
            /* journalctl -o short-full: Mon 2024-07-01 12:00:00 CEST */
            n = iso_date(str_from(s, 4), &wall, &has_zone, bare);
            if (!n) return 0;
            n += 4;
            if (n + 4 < s.len && s.p[n] == ' ') {
                size_t z = n + 1;
                while (z < s.len && z < n + 7 && s.p[z] >= 'A' && s.p[z] <= 'Z') z++;
                if (z > n + 3 && z < s.len && s.p[z] == ' ') {
                    has_zone =
                        str_is(str_sub(s, n + 1, z - n - 1), "UTC") || str_is(str_sub(s, n + 1, z - n - 1), "GMT");
                    n = z;
                }
            }
        }
        if (!n) return 0;
    } else {
        return 0;
    }
    if (n < s.len && s.p[n] != ' ' && s.p[n] != '\t') return 0;
    *(no_year ? &out->year_s : &out->wall_s) = wall;
    out->has_zone = has_zone;
    out->stamped = true;
    while (n < s.len && (s.p[n] == ' ' || s.p[n] == '\t')) n++;
    return n;
}

bool log_prefix(Str line, LogClock *clock, LogPrefix *out) {
    *out = (LogPrefix){.kernel = true, .mono_s = NAN, .wall_s = NAN, .year_s = NAN};
    Str s = line;
    while (s.len && (s.p[s.len - 1] == '\r' || s.p[s.len - 1] == '\n')) s.len--;
    const char *start = s.p;
    bool bare;

    /* Most lines of most logs: "[   12.345678] ". */
    if (s.len && s.p[0] != '[') {
        size_t n = 0;
        bool rfc5424 = false;
        if (s.p[0] == '<') {
            for (n = 1; n < s.len && n < 5 && ch_digit(s.p[n]);) n++;
            if (n > 1 && n < s.len && s.p[n] == '>') {
                s = str_from(s, n + 1);
                if (s.len > 22 && s.p[0] == '1' && s.p[1] == ' ' && ch_digit(s.p[2]) && s.p[6] == '-') {
                    rfc5424 = true;
                    s = str_from(s, 2);
                }
            }
        }
        if ((n = kmsg(s, out)) > 0) {
            s = str_from(s, n);
        } else if ((n = date(s, clock, out, &bare)) > 0) {
            s = str_from(s, n);
            if (rfc5424) {
                Str rest = s, host = str_word(&rest), app = str_word(&rest);
                str_word(&rest); /* process id, message id, structured data */
                str_word(&rest);
                if (str_starts(str_trim_left(rest), "-")) str_word(&rest);
                out->host = host;
                out->tag = app;
                out->tagged = true;
                out->kernel = str_is(app, "kernel");
                s = str_trim_left(rest);
            } else if (!bare) {
                s = str_from(s, host_and_tag(s, clock, out));
            }
        } else if (str_starts(s, "kernel: ")) { /* journalctl -o with-unit, cut columns */
            s = str_from(s, 8);
        } else { /* copied from the middle of the screen: the left is cut off */
            for (size_t k = 1; k < 7; k++)
                if (str_starts(s, &"kernel: "[k])) {
                    s = str_from(s, 8 - k);
                    break;
                }
        }
        if ((n = facility(s)) > 0) s = str_from(s, n);
    }
    size_t n = bracket(s, clock, out);
    if (n) {
        s = str_from(s, n);
        /* A second one: wall time behind the monotonic stamp in some collectors, or the other way round. */
        if ((isnan(out->mono_s) || isnan(out->wall_s)) && s.len && s.p[0] == '[')
            s = str_from(s, bracket(s, clock, out));
        if (s.len && s.p[0] == '[') s = str_from(s, caller(s));
        /* journalctl -o short-monotonic */
        if (!out->tagged && s.len && s.p[0] != ' ') s = str_from(s, host_and_tag(s, clock, out));
    }
    out->msg = s;
    return s.p != start;
}
