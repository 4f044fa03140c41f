#include "progress.h"

#include "base/error.h"
#include "base/terminal.h"

#include "../reports/clean.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double first_s = 0.5;
enum { NAME_BYTES = 512, SOME_TOOLS = 4 };

static struct {
    Facts *facts;
    bool shows, verbose;
    bool drawn; /* there is a line to take away */
    double begin_s, next_s, member_s;
    uint64_t members, bytes;
    int64_t last_source; /* at the start of the member */
    const char *phase;
    char member[NAME_BYTES];
    size_t member_len;
    const char *tool;
} now;

static double clock_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* "1,204" */
static Str grouped(Arena *a, uint64_t n) {
    return n < 1000 ? arena_strf(a, "%u", (unsigned)n)
                    : arena_strf(a, "%.*s,%03u", STR_ARG(grouped(a, n / 1000)), (unsigned)(n % 1000));
}

static Str sized(Arena *a, double bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    return arena_strf(a, unit && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/* A name of the upload for one line of a terminal, its end if it is long: folders say less than files. */
static Str fitting(Arena *a, Str name, size_t columns) {
    Str s = clean(a, name, CLEAN_NAME);
    if (display_width(s) <= columns) return s;
    if (columns < 4) return STR_NONE;
    while (s.len && display_width(s) > columns - 1) {
        uint32_t c;
        s = str_from(s, utf8_decode(s, 0, &c));
    }
    return arena_strf(a, "\xe2\x80\xa6%.*s", STR_ARG(s));
}

static void draw(double t) {
    Arena *a = arena_new((size_t)1 << 20);
    int terminal = terminal_columns(STDERR_FILENO);
    size_t columns = terminal > 20 ? (size_t)terminal - 1 : 20; /* in the last one some terminals go to the next line */
    double took = t - now.begin_s;
    Str line;
    if (now.phase) {
        line = arena_strf(a, "stordx: %s; %.*s %s read, %.0f s", now.phase, STR_ARG(grouped(a, now.members)),
                          now.members == 1 ? "file" : "files", took);
    } else {
        line = arena_strf(a, "stordx: %.*s %s, %.*s, %.*s/s: ", STR_ARG(grouped(a, now.members)),
                          now.members == 1 ? "file" : "files", STR_ARG(sized(a, (double)now.bytes)),
                          STR_ARG(sized(a, (double)now.bytes / took)));
        Str tool = now.tool ? arena_strf(a, " (%s)", now.tool) : STR_NONE;
        size_t used = line.len + tool.len;
        Str name = used < columns ? fitting(a, (Str){now.member, now.member_len}, columns - used) : STR_NONE;
        line = arena_strf(a, "%.*s%.*s%.*s", STR_ARG(line), STR_ARG(name), STR_ARG(tool));
    }
    if (line.len > columns && display_width(line) > columns)
        line = str_sub(line, 0, columns); /* ASCII, where no name fits */
    fprintf(stderr, "\r%.*s\033[K", STR_ARG(line));
    fflush(stderr);
    now.drawn = true;
    now.next_s = t + 1.0 / PROGRESS_HZ;
    arena_free(a);
}

static void tick(void) {
    if (!now.shows) return;
    double t = clock_s();
    if (t >= now.next_s) draw(t);
}

void progress_hide(void) {
    if (!now.drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    now.drawn = false;
}

/* ---------------------------------------------------------------- what reading tells */

static void member_begins(void *arg, Str member) {
    (void)arg;
    now.members++;
    now.tool = NULL;
    now.member_len = member.len < NAME_BYTES ? member.len : NAME_BYTES;
    memcpy(now.member, member.p + member.len - now.member_len, now.member_len);
    if (now.verbose) now.member_s = clock_s();
    tick();
}

static void tool_begins(void *arg, const char *tool) {
    (void)arg;
    now.tool = tool;
    tick();
}

static void bytes_read(void *arg, size_t bytes) {
    (void)arg;
    now.bytes += bytes;
    tick();
}

/* "var/log/kern.log: kernel-log, 1,204 rows; 12 ms". Of what became of it the table `source` knows. */
static void member_ends(void *arg, Str member, uint64_t bytes) {
    (void)arg;
    if (!now.verbose) return;
    progress_hide();
    Arena *a = arena_new((size_t)1 << 20);
    sqlite3_stmt *st;
    const char *sql =
        "SELECT coalesce(tool, ''), coalesce(status, ''), sum(coalesce(rows, 0)), sum(coalesce(bad_rows, 0)),"
        " max(id), max(note) FROM source WHERE id > ?1 GROUP BY 1, 2 ORDER BY min(id)";
    StrBuf line;
    sb_init(&line, a);
    sb_addf(&line, "%.*s:", STR_ARG(clean(a, member, CLEAN_NAME)));
    if (sqlite3_prepare_v2(facts_db(now.facts), sql, -1, &st, NULL) == SQLITE_OK) {
        size_t shown = 0, more = 0;
        int64_t last = now.last_source;
        sqlite3_bind_int64(st, 1, now.last_source);
        while (sqlite3_step(st) == SQLITE_ROW) {
            Str tool = str_of((const char *)sqlite3_column_text(st, 0)),
                status = str_of((const char *)sqlite3_column_text(st, 1));
            Str note = str_of((const char *)sqlite3_column_text(st, 5));
            if (sqlite3_column_int64(st, 4) > last) last = sqlite3_column_int64(st, 4);
            if (shown == SOME_TOOLS) {
                more++;
                continue;
            }
            sb_addz(&line, shown++ ? "; " : " ");
            if (tool.len) sb_addf(&line, "%.*s, ", STR_ARG(tool));
            if (str_is(status, "parsed") || str_is(status, "partial"))
                sb_addf(&line, "%.*s %s", STR_ARG(grouped(a, (uint64_t)sqlite3_column_int64(st, 2))),
                        sqlite3_column_int64(st, 2) == 1 ? "row" : "rows");
            else sb_add(&line, status);
            if (sqlite3_column_int64(st, 3))
                sb_addf(&line, ", %.*s not understood", STR_ARG(grouped(a, (uint64_t)sqlite3_column_int64(st, 3))));
            if (str_is(status, "skipped") && note.len) sb_addf(&line, ": %.*s", STR_ARG(clean(a, note, CLEAN_NAME)));
        }
        sqlite3_finalize(st);
        now.last_source = last;
        if (more) sb_addf(&line, "; and %zu more", more);
    }
    if (bytes) sb_addf(&line, "; %.*s", STR_ARG(sized(a, (double)bytes)));
    if (now.member_s > 0) sb_addf(&line, "; %.0f ms", 1e3 * (clock_s() - now.member_s)); /* 0: it was not begun */
    now.member_s = 0;
    fprintf(stderr, "%.*s\n", STR_ARG(sb_str(&line)));
    arena_free(a);
}

static const BundleWatch watch = {member_begins, tool_begins, bytes_read, member_ends, NULL};

const BundleWatch *progress_watch(void) {
    return now.shows || now.verbose ? &watch : NULL;
}

/* ---------------------------------------------------------------- from the start to the end */

void progress_begin(Facts *f, bool verbose, bool line) {
    progress_end();
    now.facts = f;
    now.verbose = verbose;
    now.shows = line && terminal_is(STDERR_FILENO);
    now.begin_s = clock_s();
    now.next_s = now.begin_s + first_s;
    before_fatal = progress_hide;
}

/* Long work on the database is many statements: each one's start is a moment to look at the clock. */
static int statement_begins(unsigned type, void *arg, void *statement, void *sql) {
    (void)type;
    (void)arg;
    (void)statement;
    (void)sql;
    tick();
    return 0;
}

void progress_phase(const char *what) {
    if (!now.shows) return;
    if (!now.phase) sqlite3_trace_v2(facts_db(now.facts), SQLITE_TRACE_STMT, statement_begins, NULL);
    now.phase = what;
    tick();
}

void progress_end(void) {
    progress_hide();
    if (now.facts && now.phase) sqlite3_trace_v2(facts_db(now.facts), 0, NULL, NULL);
    memset(&now, 0, sizeof now);
}
