/*
 * crontab.c - what cron starts, and when
 *
 * Reads   crontab -l, /etc/crontab, the files of /etc/cron.d; grep -r . over them (PATH:LINE)
 * Gives   job (told_by cron; schedule; start_s is worked out when the time of the capture is known)
 * Sample  grep -rs . /etc/crontab /etc/cron.d
 *   | /etc/crontab:25 6    * * *   root    test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }
 *   | /etc/cron.d/zfsutils-linux:24 0 8-14 * * root if [ $(date +\%w) -eq 0 ] && [ -x /usr/lib/zfs-linux/scrub ]; then ...; fi
 * Varies  system crontabs name a user behind the five fields, those of users do not; "@daily" stands for five fields. A line whose command
 *         first asks for the date runs on some of the days only: it is "conditional".
 */
#include "../facts/jobs.h"
#include "parser.h"

/* Cuts "/etc/cron.d/NAME:" off. *system: such a file names users. */
static Str without_path(Str s, bool *system) {
    if (!str_starts(s, "/etc/cron") && !str_starts(s, "/var/cron/tabs/") && !str_starts(s, "/var/spool/cron/"))
        return s;
    size_t colon = str_find_ch(s, ':');
    if (colon == SIZE_MAX || colon > 200 || str_find_ch(str_sub(s, 0, colon), ' ') != SIZE_MAX) return s;
    *system = str_starts(s, "/etc/");
    return str_from(s, colon + 1);
}

static bool schedule_word(Str w) {
    if (!w.len || w.len > 60) return false;
    for (size_t i = 0; i < w.len; i++)
        if (!ch_alnum(w.p[i]) && !(w.p[i] && strchr("*/,-~", w.p[i]))) return false;
    return true;
}

/* The five fields, or @daily; *command: what stands behind them. */
static bool schedule(Str s, Str *fields, Str *command) {
    s = str_trim(s);
    Str rest = s;
    if (str_starts(s, "@")) {
        static const char *const named[] = {"@reboot", "@yearly", "@annually", "@monthly",
                                            "@weekly", "@daily",  "@midnight", "@hourly"};
        *fields = str_word(&rest);
        *command = str_trim(rest);
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
            if (str_is(*fields, named[i])) return command->len > 0;
        return false;
    }
    Str last = STR_NONE;
    for (int i = 0; i < 5; i++) {
        last = str_word(&rest);
        if (!schedule_word(last)) return false;
    }
    *fields = str_sub(s, 0, (size_t)(last.p - s.p) + last.len);
    *command = str_trim(rest);
    /* 1e9 s is a Sunday at 01:46:40: any schedule that can come at all was due in the two years before */
    double due = job_cron_before(*fields, 1e9);
    return command->len > 0 && due == due;
}

/* NAME=value, as PATH and MAILTO */
static bool assignment(Str s) {
    size_t n = 0;
    while (n < s.len && (ch_alnum(s.p[n]) || s.p[n] == '_')) n++;
    Str rest = str_trim_left(str_from(s, n));
    return n > 0 && ch_alpha(s.p[0]) && rest.len && rest.p[0] == '=';
}

static bool comment_heading(Str s) {
    return str_starts(s, "# m h ") || str_starts(s, "# m  h ") || str_starts(s, "#m h ");
}

static int bid(Str path, Str command, Str head) {
    int bits = path_has(path, "cron") || command_is(command, "crontab") || str_has(command, "/etc/cron") ? 8 : 0;
    int lines = 0, fit = 0;
    bool from_file = false, titled = false;
    for (int n = 0; n < 80 && head.len; n++) {
        Str s = str_trim(head_line(&head)), fields, rest;
        bool system = false;
        if (!s.len) continue;
        Str t = str_trim(without_path(s, &system));
        from_file = from_file || t.p != s.p;
        titled = titled || comment_heading(t);
        if (str_starts(t, "#") || assignment(t)) continue;
        lines++;
        if (!schedule(t, &fields, &rest)) return 0;
        if (++fit >= 3) break;
    }
    if (!fit || fit < lines) return 0;
    return (from_file ? 24 : titled ? 22 : fit >= 2 ? 18 : 14) + bits;
}

static bool starts(Str line) {
    bool system = false;
    Str s = str_trim(line), t = without_path(s, &system), fields, command;
    if (comment_heading(s)) return true;
    return t.p != s.p && (schedule(t, &fields, &command) || str_starts(t, "#") || assignment(t));
}

static bool continues(Str line) {
    bool system = false;
    Str s = str_trim(line), t = without_path(s, &system), fields, command;
    return !s.len || t.p != s.p || str_starts(t, "#") || assignment(t) || schedule(t, &fields, &command);
}

static void entry(ParseCtx *ctx, Ref host, Str fields, Str command, bool system, Spot at) {
    if (system) { /* the user */
        Str rest = command, user = str_word(&rest);
        if (user.len && user.len <= 32 && (ch_alpha(user.p[0]) || user.p[0] == '_') && str_trim(rest).len &&
            str_find_ch(user, '/') == SIZE_MAX)
            command = str_trim(rest);
    }
    ctx->rows++;
    const char *kind = job_kind(command);
    if (!kind && str_has(command, "run-parts") && str_has(command, "cron.daily")) kind = "daily";
    Row r = ctx_row(ctx, "job", at);
    row_ref(&r, "node", host);
    row_text(&r, "kind", kind ? str_of(kind) : STR_NONE);
    row_text(&r, "name", str_sub(command, 0, 160));
    row_text(&r, "told_by", STR("cron"));
    row_text(&r, "state", str_has(command, "$(date ") || str_has(command, "`date ") ? STR("conditional") : STR_NONE);
    row_text(&r, "schedule", fields);
    row_done(&r);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line;
    Ref host = ctx_ref(ctx, REF_HOST, STR("host"));
    bool system_file = path_has(ctx->path, "etc/crontab") || path_has(ctx->path, "etc/cron.d/") ||
                       str_has(ctx->command, "/etc/crontab");
    while (input_line(in, &line)) {
        Str s = str_trim(line), fields, command;
        Spot at = input_spot(in);
        bool system = system_file;
        if (!s.len) continue;
        Str t = str_trim(without_path(s, &system));
        if (!t.len || str_starts(t, "#")) {
            ctx->rows++;
        } else if (schedule(t, &fields, &command)) {
            entry(ctx, host, fields, command, system, at);
        } else if (assignment(t) || str_starts(t, "no crontab for ")) {
            ctx->rows++;
        } else if (str_has(t, "cron.d/README") || t.p != s.p) {
            ctx->rows++; /* scripts and notes that stand beside */
        } else {
            parse_note(ctx, at, "not a line of a crontab: \"%.*s\"", STR_ARG(str_sub(s, 0, 80)));
        }
    }
    return parse_result(ctx);
}

const Parser parser_crontab = {.name = "crontab",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "crontab -l; cat /etc/crontab; grep -r . /etc/cron.d"};
