#include "jobs.h"

#include "../base/times.h"

#include <math.h>

/* ---------------------------------------------------------------- kinds */

static const struct {
    const char *word, *kind;
} words[] = {
    /* the first that is there counts: "zfs-scrub-weekly", "garbage_collection", "verificationjob" */
    {"scrub", "scrub"},
    {"xfs_scrub_all", "scrub"},
    {"e2scrub_all", "scrub"},
    {"fstrim", "trim"},
    {"trim", "trim"},
    {"mdcheck", "check"},
    {"mdcheck_start", "check"},
    {"mdcheck_continue", "check"},
    {"checkarray", "check"},
    {"raid-check", "check"},
    {"snapraid", "check"},
    {"verify", "verify"},
    {"verificationjob", "verify"},
    {"verify_group", "verify"},
    {"verify_snapshot", "verify"},
    {"garbage_collection", "gc"},
    {"garbage-collection", "gc"},
    {"prune", "prune"},
    {"prunejob", "prune"},
    {"prune-datastore", "prune"},
    {"syncjob", "sync"},
    {"zsync", "sync"},
    {"replication", "sync"},
    {"syncoid", "sync"},
    {"zrepl", "sync"},
    {"rclone", "backup"},
    {"vzdump", "backup"},
    {"backup", "backup"},
    {"backups", "backup"},
    {"borg", "backup"},
    {"borgmatic", "backup"},
    {"restic", "backup"},
    {"rsync", "backup"},
    {"rsnapshot", "backup"},
    {"duplicity", "backup"},
    {"kopia", "backup"},
    {"pg_dump", "backup"},
    {"pg_dumpall", "backup"},
    {"mysqldump", "backup"},
    {"balance", "balance"},
    {"defrag", "balance"},
    {"updatedb", "index"},
    {"mlocate", "index"},
    {"plocate", "index"},
    {"plocate-updatedb", "index"},
    {"locate", "index"},
    {"clamscan", "scan"},
    {"clamdscan", "scan"},
    {"self-test", "self-test"},
};

/* Is `word` in s as a word of its own? '-' and '_' divide, too, so that "zfs-scrub-weekly" has scrub, and "raid-check" is found. */
static bool has_word(Str s, const char *word) {
    size_t len = strlen(word);
    for (size_t from = 0; from + len <= s.len;) {
        size_t at = str_ifind(str_from(s, from), word);
        if (at == SIZE_MAX) return false;
        at += from;
        if ((at == 0 || !ch_alnum(s.p[at - 1])) && (at + len == s.len || !ch_alnum(s.p[at + len]))) return true;
        from = at + 1;
    }
    return false;
}

const char *job_kind(Str text) {
    /* tasks of a Proxmox server are named by the type in their id */
    size_t upid = str_find(text, "UPID:");
    if (upid != SIZE_MAX) {
        Str rest = str_from(text, upid), part = STR_NONE;
        for (int i = 0; rest.len && i < 9; i++) {
            part = str_cut(&rest, ':');
            if (i >= 5 && part.len > 2 && ch_alpha(part.p[0]) && str_find_ch(part, '@') == SIZE_MAX) break;
        }
        text = part;
    }
    static const char *const small[] = {"dpkg-db-backup", "e2scrub_reap", "etckeeper"};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (str_has(text, small[i])) return NULL; /* seconds of work on a few files */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i].word)) return words[i].kind;
    return NULL;
}

static const struct {
    const char *program, *kind;
} programs[] = {
    {"fstrim", "trim"},
    {"checkarray", "check"},
    {"mdcheck", "check"},
    {"snapraid", "check"},
    {"xfs_scrub", "scrub"},
    {"e2scrub", "scrub"},
    {"vzdump", "backup"},
    {"proxmox-backup-client", "backup"},
    {"borg", "backup"},
    {"borgmatic", "backup"},
    {"restic", "backup"},
    {"rsync", "copy"},
    {"rsnapshot", "backup"},
    {"duplicity", "backup"},
    {"rdiff-backup", "backup"},
    {"kopia", "backup"},
    {"rclone", "copy"},
    {"pg_dump", "backup"},
    {"pg_dumpall", "backup"},
    {"pg_basebackup", "backup"},
    {"mysqldump", "backup"},
    {"mariadb-dump", "backup"},
    {"xtrabackup", "backup"},
    {"mariabackup", "backup"},
    {"bacula-fd", "backup"},
    {"bareos-fd", "backup"},
    {"syncoid", "sync"},
    {"updatedb", "index"},
    {"updatedb.mlocate", "index"},
    {"updatedb.plocate", "index"},
    {"clamscan", "scan"},
    {"duperemove", "balance"},
};

const char *job_of_process(Str command) {
    if (str_find(command, "UPID:") != SIZE_MAX) return job_kind(command); /* "task UPID:pve:...:vzdump:101:root@pam:" */
    if (str_has(command, "--daemon") || str_has(command, "-proxy") || str_starts(command, "[")) return NULL;
    for (int i = 0; i < 8; i++) { /* python3 /usr/bin/borg, ionice -c 3 rsync */
        Str program = str_basename(str_word(&command));
        if (!program.len) return NULL;
        if (program.p[program.len - 1] == ':') program.len--;
        Str rest = command, mode = str_word(&rest);
        if (str_is(mode, "mount") || str_is(mode, "serve") || str_is(mode, "daemon")) return NULL;
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
            if (str_is(program, programs[k].program)) return programs[k].kind;
        if (str_is(program, "zpool") || str_is(program, "btrfs") || str_is(program, "zfs")) {
            Str first = str_word(&command), second = str_word(&command);
            if (str_is(first, "scrub")) return "scrub";
            if (str_is(first, "trim")) return "trim";
            if (str_is(first, "send") || str_is(second, "send")) return "sync";
            if (str_is(first, "balance") || str_is(second, "defragment")) return "balance";
            return NULL;
        }
        static const char *const starters[] = {"sh",     "bash", "dash", "perl", "python",  "python3", "nice",
                                               "ionice", "sudo", "env",  "time", "timeout", "chrt",    "flock"};
        bool starter = program.p[0] == '-' || ch_digit(program.p[0]);
        for (size_t k = 0; k < sizeof starters / sizeof *starters && !starter; k++)
            starter = str_is(program, starters[k]);
        if (!starter) return NULL;
    }
    return NULL;
}

/* ---------------------------------------------------------------- crontabs */

typedef struct Field {
    uint64_t bits; /* bit n: n matches */
    bool any;      /* "*": does not restrict */
} Field;

static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                     "jul", "aug", "sep", "oct", "nov", "dec"};
static const char *const days[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

static bool value(Str s, int low, int high, uint64_t *out) {
    if (str_u64(s, out)) return *out >= (uint64_t)low && *out <= (uint64_t)high;
    if (s.len < 3) return false;
    for (uint64_t i = 0; low == 1 && high == 12 && i < 12; i++)
        if (str_ieq(str_sub(s, 0, 3), str_of(months[i]))) return *out = i + 1, true;
    for (uint64_t i = 0; high == 7 && i < 7; i++)
        if (str_ieq(str_sub(s, 0, 3), str_of(days[i]))) return *out = i, true;
    return false;
}

/* "*", "0,30", "1-5", "8-18/2", "mon-fri", and the "~" of a random minute (cronie): its beginning. */
static bool field(Str text, int low, int high, Field *f) {
    *f = (Field){0};
    while (text.len) {
        Str item = str_cut(&text, ','), range = str_cut(&item, '/');
        uint64_t from = (uint64_t)low, to = (uint64_t)high, step = 1;
        if (item.len && (!str_u64(item, &step) || !step || step > 60)) return false;
        if (str_is(range, "*")) {
            f->any = f->any || step == 1;
        } else {
            Str last = range, first;
            first = str_cut(&last, str_find_ch(range, '~') != SIZE_MAX ? '~' : '-');
            if (!value(first, low, high, &from)) return false;
            if (!last.len) to = item.len ? (uint64_t)high : from;
            else if (!value(last, low, high, &to)) return false;
            if (str_find_ch(range, '~') != SIZE_MAX) to = from;
        }
        for (uint64_t i = from; i <= to; i += step) f->bits |= (uint64_t)1 << i;
    }
    return f->bits != 0;
}

static bool matches(const Field *f, int n) {
    return (f->bits >> n) & 1;
}

double job_cron_before(Str fields, double now_s) {
    static const struct {
        const char *word, *fields;
    } named[] = {{"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
                 {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
                 {"@hourly", "0 * * * *"}};
    fields = str_trim(fields);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (str_is(fields, named[i].word)) fields = str_of(named[i].fields);
    Str w[6];
    Field minute, hour, day, month, weekday;
    if (!(now_s > 0) || now_s > 1e11 || str_words(fields, w, 6) != 5 || !field(w[0], 0, 59, &minute) ||
        !field(w[1], 0, 23, &hour) || !field(w[2], 1, 31, &day) || !field(w[3], 1, 12, &month) ||
        !field(w[4], 0, 7, &weekday))
        return NAN;
    if (matches(&weekday, 7)) weekday.bits |= 1; /* 7 is Sunday as well */
    int64_t today = (int64_t)(now_s / 86400);
    for (int64_t back = 0; back < 2 * 366; back++) {
        int64_t number = today - back, z = number + 719468; /* the civil date of a day, as in times.c */
        int64_t doe = z % 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
        int d = (int)(doy - (153 * mp + 2) / 5 + 1), m = (int)(mp < 10 ? mp + 3 : mp - 9),
            w_day = (int)((number + 4) % 7);
        bool by_day = matches(&day, d), by_weekday = matches(&weekday, w_day);
        bool due = day.any || weekday.any ? by_day && by_weekday : by_day || by_weekday;
        if (!due || !matches(&month, m)) continue;
        int last = back ? 24 * 60 - 1 : (int)((now_s - (double)today * 86400) / 60);
        for (int t = last; t >= 0; t--)
            if (matches(&hour, t / 60) && matches(&minute, t % 60)) return (double)number * 86400 + t * 60;
    }
    return NAN;
}
