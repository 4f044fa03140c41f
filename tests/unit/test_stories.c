/*
 * The fixtures: what must be found is found, every citation holds, and without a source nothing rests on it.
 */
#include "../../reports/reports.h"
#include "parse_test.h"
#include "story.h"

#include <cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FIXTURES
#define FIXTURES "fixtures"
#endif

/* The sanitizers look for wrong memory, not for wrong answers, and take seven times as long: a part of the stages shows it to them. */
#if defined(__SANITIZE_ADDRESS__)
enum { EVERY = 4 };
#else
enum { EVERY = 1 };
#endif

/* cmocka cuts its messages: the list goes out first. */
static void report(size_t bad, size_t all, const char *what, StrBuf *out) {
    if (!bad) return;
    fputs(sb_str(out).p, stderr);
    fail_msg("%zu %s %zu", bad, what, all);
}

static char *const *fixture_names(Arena *a, size_t *count) {
    VEC(char *) names = {0};
    DIR *d = opendir(FIXTURES);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        char *path = arena_fmt(a, FIXTURES "/%s/expect", e->d_name);
        if (e->d_name[0] != '.' && access(path, R_OK) == 0) VEC_PUSH(a, &names, arena_fmt(a, "%s", e->d_name));
    }
    closedir(d);
    for (size_t i = 1; i < names.count; i++)
        for (size_t k = i; k > 0 && strcmp(names.items[k], names.items[k - 1]) < 0; k--) {
            char *t = names.items[k];
            names.items[k] = names.items[k - 1];
            names.items[k - 1] = t;
        }
    *count = names.count;
    return names.items;
}

static Str nth_line(Str text, int64_t n) {
    Str line = STR_NONE;
    while (n-- > 0 && text.len) line = str_cut(&text, '\n');
    return n >= 0 ? STR_NONE : str_trim_right(line);
}

/* A JSON pointer (RFC 6901): what it points to exists and holds every word of the cited text. */
static bool pointer_holds(Arena *a, Str document, const Evidence *e) {
    cJSON *doc = cJSON_ParseWithLength(document.p, document.len);
    const cJSON *at = doc;
    Str rest = e->path;
    if (rest.len && rest.p[0] == '/') rest = str_from(rest, 1);
    while (at && rest.len) {
        Str token = str_cut(&rest, '/');
        uint64_t index;
        StrBuf name;
        sb_init(&name, a);
        for (size_t i = 0; i < token.len; i++) {
            if (token.p[i] == '~' && i + 1 < token.len) sb_addc(&name, token.p[++i] == '1' ? '/' : '~');
            else sb_addc(&name, token.p[i]);
        }
        at = cJSON_IsArray(at) && str_u64(token, &index) ? cJSON_GetArrayItem(at, (int)index)
                                                         : cJSON_GetObjectItemCaseSensitive(at, sb_str(&name).p);
    }
    char *printed = at ? cJSON_PrintUnformatted(at) : NULL;
    bool holds = printed != NULL;
    Str text = e->text;
    for (Str word; holds && (word = str_word(&text)).len;) holds = strstr(printed, arena_cstr(a, word)) != NULL;
    cJSON_free(printed);
    cJSON_Delete(doc);
    return holds;
}

static size_t check_evidence(Arena *a, const char *root, const EvidenceList *list, const char *what, StrBuf *out) {
    size_t bad = 0;
    Str text = STR_NONE; /* of the member of the line before, mostly */
    for (size_t i = 0; i < list->count; i++) {
        const Evidence *e = &list->items[i];
        if (!i || !str_eq(e->member, list->items[i - 1].member))
            text = pt_file(arena_fmt(a, "%s/%.*s", root, STR_ARG(e->member)));
        if (!text.p) {
            sb_addf(out, "%s: %s: no member %.*s\n", root, what, STR_ARG(e->member));
            bad++;
            continue;
        }
        if (e->path.len) {
            if (!pointer_holds(a, text, e)) {
                sb_addf(out, "%s: %s: %.*s %.*s: \"%.*s\" is not there\n", root, what, STR_ARG(e->member),
                        STR_ARG(e->path), STR_ARG(e->text));
                bad++;
            }
            continue;
        }
        Str line = nth_line(text, e->line), want = str_trim_right(e->text);
        if (e->line <= 0 || !want.len || !str_eq(str_sub(line, 0, want.len), want)) {
            sb_addf(out, "%s: %s: %.*s:%lld has \"%.*s\", cited \"%.*s\"\n", root, what, STR_ARG(e->member),
                    (long long)e->line, STR_ARG(str_sub(line, 0, 100)), STR_ARG(str_sub(want, 0, 100)));
            bad++;
        }
    }
    return bad;
}

static void bundles_of(Arena *a, const char *name, size_t *count, char **paths, size_t max) {
    DIR *d = opendir(arena_fmt(a, FIXTURES "/%s", name));
    *count = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (str_starts(str_of(e->d_name), "bundle-") && *count < max)
            paths[(*count)++] = arena_fmt(a, FIXTURES "/%s/%s", name, e->d_name);
    closedir(d);
}

/* Every line that the diagnosis of the upload at `path` cites stands there. */
static size_t check_citations(Arena *a, const char *path, const Diagnosis *d, size_t *cited, StrBuf *out) {
    size_t bad = 0;
    const FindingList *lists[] = {&d->causes, &d->risks, &d->notes, &d->symptoms, &d->verdicts};
    for (size_t l = 0; l < 5; l++)
        for (size_t k = 0; k < lists[l]->count; k++) {
            *cited += lists[l]->items[k]->evidence.count;
            bad += check_evidence(a, path, &lists[l]->items[k]->evidence, arena_cstr(a, lists[l]->items[k]->rule), out);
        }
    for (size_t k = 0; k < d->ruled_out.count; k++) {
        *cited += d->ruled_out.items[k].evidence.count;
        bad += check_evidence(a, path, &d->ruled_out.items[k].evidence, arena_cstr(a, d->ruled_out.items[k].rule), out);
    }
    /* A cause without a line is a claim. */
    for (size_t k = 0; k < d->causes.count; k++)
        if (!d->causes.items[k]->evidence.count) {
            sb_addf(out, "%s: %.*s has no evidence\n", path, STR_ARG(d->causes.items[k]->rule));
            bad++;
        }
    return bad;
}

/* ---------------------------------------------------------------- expectations and citations */

/* A story is read once for all lines about it, and its citations are looked at on the way. */
static void expectations(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 30);
    size_t fixtures, bad = 0, checked = 0, seen = 0, cited = 0;
    char *const *names = fixture_names(a, &fixtures);
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < fixtures; i++) {
        char *bundles[8];
        size_t bundle_count;
        bool looked_at[8] = {false};
        bundles_of(a, names[i], &bundle_count, bundles, 8);
        Story *s = NULL;
        Str open = STR_NONE; /* what `s` is of */
        Str text = pt_file(arena_fmt(a, FIXTURES "/%s/expect", names[i]));
        while (text.len) {
            Str line = str_trim(str_cut(&text, '\n'));
            bool single = str_starts(line, "expect: "), compare = str_starts(line, "expect-compare: ");
            if ((!single && !compare) || seen++ % EVERY) continue;
            const char *paths[2];
            size_t count = 1;
            if (single) {
                Str stage = expect_field(line, "stage");
                paths[0] = arena_fmt(a, FIXTURES "/%s/bundle-%.*s", names[i], STR_ARG(stage));
            } else {
                Str rest = str_from(line, strlen("expect-compare: ")), pair = str_word(&rest);
                size_t arrow = str_find(pair, "->"); /* without: the captures of one upload */
                count = arrow == SIZE_MAX ? 1 : 2;
                paths[0] = arena_fmt(a, FIXTURES "/%s/bundle-%.*s", names[i],
                                     STR_ARG(str_sub(pair, 0, count == 1 ? pair.len : arrow)));
                if (count == 2)
                    paths[1] = arena_fmt(a, FIXTURES "/%s/bundle-%.*s", names[i], STR_ARG(str_from(pair, arrow + 2)));
            }
            Str wanted = arena_strf(a, "%d %s %s", single, paths[0], count > 1 ? paths[1] : "");
            if (!s || !str_eq(open, wanted)) {
                if (s) story_close(s);
                s = single ? story_open(paths, count) : story_compare(paths, count);
                open = wanted;
            }
            for (size_t b = 0; single && b < bundle_count; b++) {
                if (strcmp(bundles[b], paths[0]) != 0 || looked_at[b]) continue;
                looked_at[b] = true;
                bad += check_citations(a, paths[0], s->d, &cited, &out);
            }
            StrBuf diff;
            sb_init(&diff, a);
            size_t differences = story_check(s, line, &diff);
            if (differences) sb_addf(&out, "%s: %.*s\n%s", names[i], STR_ARG(str_sub(line, 0, 60)), sb_str(&diff).p);
            bad += differences;
            checked++;
        }
        if (s) story_close(s);
        /* what no line speaks of */
        for (size_t b = 0; b < bundle_count; b++) {
            if (looked_at[b] || (i + b) % EVERY) continue;
            const char *path = bundles[b];
            s = story_open(&path, 1);
            bad += check_citations(a, path, s->d, &cited, &out);
            story_close(s);
        }
    }
    assert_true(checked > 20 && cited > 100);
    report(bad, checked, "differences in expectations and citations", &out);
    arena_free(a);
}

/* ---------------------------------------------------------------- without a source */

static void copy_tree(Arena *a, const char *from, const char *to, const char *prefix, const char *except) {
    mkdir(to, 0700);
    DIR *d = opendir(from);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char *source = arena_fmt(a, "%s/%s", from, e->d_name), *target = arena_fmt(a, "%s/%s", to, e->d_name),
             *member = arena_fmt(a, "%s%s", prefix, e->d_name);
        struct stat st;
        assert_int_equal(stat(source, &st), 0);
        if (S_ISDIR(st.st_mode)) {
            copy_tree(a, source, target, arena_fmt(a, "%s/", member), except);
        } else if (strcmp(member, except) != 0) {
            Str text = pt_file(source);
            FILE *f = fopen(target, "wb");
            assert_non_null(f);
            if (text.len) assert_int_equal(fwrite(text.p, 1, text.len, f), text.len);
            fclose(f);
        }
    }
    closedir(d);
}

static void remove_tree(Arena *a, const char *path) {
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char *p = arena_fmt(a, "%s/%s", path, e->d_name);
        if (unlink(p) != 0) remove_tree(a, p);
    }
    if (d) closedir(d);
    rmdir(path);
}

static bool cites(const EvidenceList *list, Str member, bool others_too) {
    bool mine = false, others = false;
    for (size_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].member, member)) mine = true;
        else others = true;
    }
    return others_too ? others : mine;
}

/* What was ruled out by a source must not be ruled out without it, unless another source says so too. */
static void deletion(void **state) {
    (void)state;
    static const char *const stages[] = {FIXTURES "/microserver-write-cache/bundle-before",
                                         FIXTURES "/microserver-write-cache/bundle-after"};
    Arena *a = arena_new((size_t)2 << 30);
    StrBuf out;
    sb_init(&out, a);
    size_t bad = 0, moved = 0;
    char base[] = "/tmp/stordx-test-XXXXXX";
    assert_non_null(mkdtemp(base));
    for (size_t g = 0; g < 2; g++) {
        Story *whole = story_open(&stages[g], 1);
        VEC(Str) members = {0};
        for (size_t i = 0; i < whole->d->sources.count; i++) {
            bool seen = false;
            for (size_t k = 0; k < members.count && !seen; k++)
                seen = str_eq(members.items[k], whole->d->sources.items[i].member);
            if (!seen && whole->d->sources.items[i].line_last > 0)
                VEC_PUSH(a, &members, arena_str(a, whole->d->sources.items[i].member));
        }
        for (size_t m = 0; m < members.count; m++) {
            char *tree = arena_fmt(a, "%s/bundle", base), *except = arena_cstr(a, members.items[m]);
            bool matters = false;
            for (size_t i = 0; i < whole->d->ruled_out.count && !matters; i++)
                matters = cites(&whole->d->ruled_out.items[i].evidence, members.items[m], false);
            if (!matters || m % EVERY) continue;
            copy_tree(a, stages[g], tree, "", except);
            const char *path = tree;
            Story *without = story_open(&path, 1);
            for (size_t i = 0; i < whole->d->ruled_out.count; i++) {
                const RuledOut *r = &whole->d->ruled_out.items[i];
                if (!cites(&r->evidence, members.items[m], false) || cites(&r->evidence, members.items[m], true))
                    continue; /* rests on this source alone */
                bool still = false, open = false;
                for (size_t k = 0; k < without->d->ruled_out.count; k++)
                    if (str_eq(without->d->ruled_out.items[k].rule, r->rule) &&
                        !without->d->ruled_out.items[k].evidence.count)
                        still = true;
                for (size_t k = 0; k < without->d->not_checked.count && !open; k++)
                    open = str_eq(without->d->not_checked.items[k].rule, r->rule);
                for (size_t k = 0; k < without->d->ruled_out.count && !open; k++)
                    open = str_eq(without->d->ruled_out.items[k].rule, r->rule) &&
                           without->d->ruled_out.items[k].evidence.count;
                if (still || !open) {
                    sb_addf(&out, "%s without %s: %.*s is %s\n", stages[g], except, STR_ARG(r->rule),
                            still ? "ruled out without evidence" : "neither ruled out nor unchecked");
                    bad++;
                }
                moved++;
            }
            story_close(without);
            remove_tree(a, tree);
        }
        story_close(whole);
    }
    remove_tree(a, base);
    assert_true(EVERY > 1 || moved > 3);
    report(bad, moved, "answers that rest on a deleted source, of all", &out);
    arena_free(a);
}

/* ---------------------------------------------------------------- the microserver, before and after */

static const Factor *factor_of(const Comparison *c, const char *subject, const char *metric) {
    for (size_t i = 0; i < c->factors.count; i++)
        if (str_is(c->factors.items[i].subject.name, subject) && str_starts(c->factors.items[i].metric, metric))
            return &c->factors.items[i];
    fail_msg("no figure \"%s\" of %s", metric, subject);
    return NULL;
}

static void near(double value, double want, double tolerance) {
    if (!(value >= want * (1 - tolerance) && value <= want * (1 + tolerance)))
        fail_msg("%g is not about %g", value, want);
}

/* Every point the story asks of this comparison. */
static void microserver_compare(void **state) {
    (void)state;
    static const char *const stages[] = {FIXTURES "/microserver-write-cache/bundle-before",
                                         FIXTURES "/microserver-write-cache/bundle-after"};
    static const struct {
        const char *name, *serial;
    } drives[] = {
        {"sda", "21470D400458"}, {"sdb", "21470D402050"}, {"sdc", "21470D401387"}, {"sdd", "PHLA8145016R256CGN"}};
    Story *s = story_open(stages, 2);
    const Comparison *c = s->c;
    /* write cache off -> on on four drives, matched by serial, each with the lines of both sides */
    size_t switched = 0;
    for (size_t i = 0; i < c->changes.count; i++) {
        const Change *x = &c->changes.items[i];
        if (!str_is(x->what, "write_cache")) continue;
        assert_true(str_is(x->from, "off") && str_is(x->to, "on"));
        assert_true(x->evidence.count == 2);
        for (size_t k = 0; k < 4; k++)
            switched += str_is(x->subject.name, drives[k].name) && str_is(x->subject.serial, drives[k].serial);
    }
    assert_int_equal(switched, 4);
    for (size_t k = 0; k < 4; k++) { /* one history a drive, two stages, the same place */
        const DriveHistory *h = NULL;
        for (size_t i = 0; i < c->drives.count; i++)
            if (str_is(c->drives.items[i].serial, drives[k].serial)) h = &c->drives.items[i];
        assert_non_null(h);
        assert_int_equal(h->stages.count, 2);
        assert_true(str_eq(h->stages.items[0].place.label, h->stages.items[1].place.label));
    }
    /* disk wait and bandwidth of each pool drive: shown, and grey, as one side is an average since import */
    for (size_t k = 0; k < 3; k++) {
        const Factor *wait = factor_of(c, drives[k].name, "disk_wait_write_ms"),
                     *rate = factor_of(c, drives[k].name, "w_bytes_s");
        assert_false(wait->comparable || rate->comparable);
        assert_true(wait->why_not.len && rate->why_not.len);
        assert_true(wait->factor < 0.05 && rate->factor > 4);
    }
    /* pressure is a present value on both sides */
    const Factor *psi = factor_of(c, "mserver", "io pressure, some avg60");
    assert_true(psi->comparable);
    near(psi->from, 90.06, 0.001);
    assert_true(psi->to > 30 && psi->to < 45);
    /* the benchmark table, each line named for what it measures */
    static const struct {
        const char *metric;
        double from, to, factor;
    } bench[] = {{"dd write, 1 MiB, buffered, fsync", 8, 547, 68},
                 {"dd write, 1 MiB, O_DIRECT", 2, 239, 120},
                 {"dd write, 4 KiB, O_DIRECT, dsync", 0.292, 0.334, 1.1},
                 {"dd read, 1 MiB, O_DIRECT", 972, 865, 0.9}};
    for (size_t i = 0; i < 4; i++) {
        const Factor *f = factor_of(c, "mserver", bench[i].metric);
        near(f->from, bench[i].from, 0.01);
        near(f->to, bench[i].to, 0.01);
        near(f->factor, bench[i].factor, 0.06);
        assert_true(str_has(f->metric, "measures: "));
    }
    /* the verdicts, their subjects, and the new limit by name */
    assert_true(c->verdicts.count >= 2);
    assert_true(str_is(c->verdicts.items[0]->rule, "fix-confirmed"));
    assert_int_equal(c->verdicts.items[0]->subjects.count, 4);
    assert_true(str_is(c->verdicts.items[1]->rule, "bottleneck-moved"));
    assert_true(str_is(c->verdicts.items[1]->subjects.items[0].name, "sdf"));
    /* TRIM was unfinished in both: its part is not shown */
    bool trim = false;
    for (size_t i = 0; i < c->not_comparable.count; i++)
        trim = trim || str_has(c->not_comparable.items[i].what, "TRIM");
    assert_true(trim);
    for (size_t i = 0; i < c->resolved.count; i++) assert_false(str_is(c->resolved.items[i]->rule, "zfs-trim-running"));
    /* what it must never say */
    for (size_t l = 0; l < 2; l++) {
        const FindingList *causes = &c->stages.items[l]->causes;
        for (size_t i = 0; i < causes->count; i++) {
            Str advice = rich_plain(s->arena, &causes->items[i]->fix);
            assert_false(str_has(advice, "sync=disabled"));
            assert_false(str_is(causes->items[i]->rule, "zfs-raidz-iops-limit") ||
                         str_is(causes->items[i]->rule, "zfs-recordsize-mismatch"));
        }
    }
    story_close(s);
}

/* ---------------------------------------------------------------- the backup server, stage by stage and as a series */

#define PBS FIXTURES "/backup-server-ide-mode/bundle-"

static const struct {
    const char *model, *serial, *wwn, *names[4];
} pbs_drives[] = {{"CT1000MX500SSD1", "2239E66D04B7", "500a0751e66d04b7", {"sda", "sda", "sda", "sda"}},
                  {"Samsung SSD 870 EVO 1TB", "S6PUNX0T318842Y", "5002538f43b1c07e", {"sdb", "sdb", "sdb", "sdb"}},
                  {"CT1000BX500SSD1", "2307E6A81C95", "500a0751e6a81c95", {"sdc", "sdd", "sdd", "sde"}},
                  {"SSD Smartbuy 240GB", "50C2075E051102004417", "", {"sdd", "sdc", "sdc", "sdc"}},
                  {"SPCC Solid State Disk", "AA230417S304KH02217", "502b2a201d1c7f3a", {"sde", "sde", "sde", "sdd"}}};
#define PBS_DRIVES (sizeof pbs_drives / sizeof *pbs_drives)

/* The report as Markdown: no line of it is wrapped, so that phrases stay whole. */
static Str markdown_of(Story *s) {
    char *text = NULL;
    size_t size = 0;
    Error err = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    bool ok = s->d ? report_write_diagnosis(out, s->d, REPORT_MARKDOWN, false, &err)
                   : report_write_comparison(out, s->c, REPORT_MARKDOWN, false, &err);
    fclose(out);
    if (!ok) fail_msg("%s", err.text);
    Str copy = arena_str(s->arena, (Str){text, size});
    free(text);
    return copy;
}

static const Finding *finding_of(const FindingList *list, const char *rule) {
    for (size_t i = 0; i < list->count; i++)
        if (str_is(list->items[i]->rule, rule)) return list->items[i];
    return NULL;
}

/* Fails unless the text holds the words, each after the one before; NULL ends the list. */
static void says(Str text, const char *first, ...) {
    va_list ap;
    va_start(ap, first);
    for (const char *w = first; w; w = va_arg(ap, const char *)) {
        size_t at = str_find(text, w);
        if (at == SIZE_MAX) {
            fprintf(stderr, "%.*s\n", STR_ARG(text));
            va_end(ap);
            fail_msg("does not say \"%s\" (in this order)", w);
        }
        text = str_from(text, at + strlen(w));
    }
    va_end(ap);
}

/* What no stage may advise or blame. */
static void pbs_never(Story *s) {
    const FindingList *lists[] = {&s->d->causes, &s->d->risks};
    static const char *const no[] = {"sata-link-below-drive", "phantom-floppy", "zfs-single-repaired-error",
                                     "zfs-features-not-enabled", "sata-link-controller-limit"};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
            const Finding *f = finding_of(lists[l], no[i]);
            if (f) fail_msg("%s is no cause here", no[i]);
        }
    for (size_t i = 0; i < s->d->causes.count; i++) {
        Str advice = rich_plain(s->arena, &s->d->causes.items[i]->fix);
        assert_false(str_has(advice, "sync=disabled") || str_has(advice, "atime=off"));
    }
    /* CPU and network rest on the reader's words alone: quoted, and both are asked for */
    Str report = markdown_of(s);
    says(report, "CPU of the PVE hosts and the network look fine", NULL);
    const NotChecked *n = NULL;
    for (size_t i = 0; i < s->d->not_checked.count; i++)
        if (str_is(s->d->not_checked.items[i].rule, "cpu-bound-not-disk")) n = &s->d->not_checked.items[i];
    assert_non_null(n);
    says(report, "mpstat -P ALL 1 10", NULL);
    says(report, "pidstat -u 1 10", NULL);
    says(report, "sar -n DEV 1 10", NULL);
    says(report, "iperf3", NULL);
}

static void backup_server_stages(void **state) {
    (void)state;
    const char *path = PBS "1";
    Story *s = story_open(&path, 1);
    pbs_never(s);
    const Finding *f = finding_of(&s->d->causes, "sata-ide-mode");
    assert_non_null(f);
    assert_ptr_equal(f, s->d->causes.items[0]);
    /* the names before the step that changes them; no single drive is judged in this mode */
    says(rich_plain(s->arena, &f->fix), "names", "zpool import -d /dev/disk/by-id", "AHCI", NULL);
    says(rich_plain(s->arena, &f->fix), "Windows", NULL);
    f = finding_of(&s->d->causes, "ide-channel-shared");
    assert_non_null(f);
    says(rich_plain(s->arena, &f->summary), "sdb", "sdc", NULL);
    story_close(s);

    path = PBS "2";
    s = story_open(&path, 1);
    pbs_never(s);
    f = s->d->causes.items[0];
    assert_true(str_is(f->rule, "zfs-member-renamed"));
    assert_true(str_is(f->subjects.items[0].name, "sdd") && str_is(f->subjects.items[0].serial, pbs_drives[2].serial) &&
                str_is(f->subjects.items[0].wwn, pbs_drives[2].wwn));
    says(rich_plain(s->arena, &f->summary), "sdc1", "sdd", pbs_drives[2].serial, pbs_drives[2].wwn, NULL);
    says(rich_plain(s->arena, &f->fix), "zpool replace", NULL); /* as what not to do */
    says(rich_plain(s->arena, &f->fix), "maintenance", "zpool export home", "zpool import -d /dev/disk/by-id home",
         NULL);
    story_close(s);

    static const char *const later[] = {PBS "3", PBS "4"};
    static const char *const spcc[] = {"sde", "sdd"};
    for (size_t i = 0; i < 2; i++) {
        s = story_open(&later[i], 1);
        pbs_never(s);
        f = s->d->causes.items[0];
        assert_true(str_is(f->rule, "zfs-slow-member"));
        assert_int_equal(f->subjects.count, 1);
        assert_true(str_is(f->subjects.items[0].name, spcc[i]) &&
                    str_is(f->subjects.items[0].serial, pbs_drives[4].serial) &&
                    str_is(f->subjects.items[0].wwn, pbs_drives[4].wwn));
        says(rich_plain(s->arena, &f->summary), "times as long", "slow itself", "mirror", NULL);
        says(rich_plain(s->arena, &f->fix), "exchange its port", "Capture again", NULL);
        static const char *const not_this[] = {"sync=disabled", "atime=off", "zpool upgrade", "SLOG", "sysctl"};
        for (size_t k = 0; k < sizeof not_this / sizeof *not_this; k++)
            says(rich_plain(s->arena, &f->not_this), not_this[k], NULL);
        Str report = markdown_of(s);
        says(report, pbs_drives[4].wwn, NULL);
        story_close(s);
    }
}

static const Stage *pbs_stage(const Comparison *c, size_t drive, size_t stage) {
    for (size_t i = 0; i < c->drives.count; i++)
        if (str_is(c->drives.items[i].serial, pbs_drives[drive].serial)) return &c->drives.items[i].stages.items[stage];
    fail_msg("no history of %s", pbs_drives[drive].model);
    return NULL;
}

static void backup_server_compare(void **state) {
    (void)state;
    /* 1 -> 2: the axes of the places differ; names shuffled; the mode changed; waits fell */
    static const char *const first[] = {PBS "1", PBS "2"};
    Story *s = story_open(first, 2);
    bool mode = false, queue = false, pool = false;
    for (size_t i = 0; i < s->c->changes.count; i++) {
        const Change *x = &s->c->changes.items[i];
        mode = mode || (str_has(x->from, "ide") || str_has(x->from, "IDE")) ||
               (str_is(x->kind, "controller-mode") && str_has(x->to, "ahci"));
        queue = queue || (str_is(x->what, "queue_depth") && str_is(x->from, "1") && str_is(x->to, "32"));
        pool = pool || (str_is(x->from, "ONLINE") && str_is(x->to, "DEGRADED"));
    }
    assert_true(mode && queue && pool);
    const Factor *wait = factor_of(s->c, "sdb", "w_await_ms");
    assert_true(wait->from > 200 && wait->to < 3 && wait->factor < 0.02);
    says(markdown_of(s), "not comparable (controller mode changed)", NULL);
    story_close(s);

    /* 3 -> 4: two drives have changed places, and the slowness went along */
    static const char *const last[] = {PBS "3", PBS "4"};
    s = story_open(last, 2);
    assert_true(str_is(pbs_stage(s->c, 4, 0)->place.label, "0000:00:1f.2 port 5"));
    assert_true(str_is(pbs_stage(s->c, 4, 1)->place.label, "0000:00:1f.2 port 4"));
    assert_true(str_is(pbs_stage(s->c, 2, 0)->place.label, "0000:00:1f.2 port 4"));
    assert_true(str_is(pbs_stage(s->c, 2, 1)->place.label, "0000:00:1f.2 port 5"));
    const Finding *f = finding_of(&s->c->verdicts, "slow-follows-drive");
    assert_non_null(f);
    assert_int_equal(f->subjects.count, 1);
    assert_true(str_is(f->subjects.items[0].wwn, pbs_drives[4].wwn));
    says(rich_plain(s->arena, &f->summary), "sde", "port 5", "sdd", "port 4", "neither port", NULL);
    says(rich_plain(s->arena, &f->fix), "Replace", "SPCC Solid State Disk", "TLC", "power-loss protection", NULL);
    says(rich_plain(s->arena, &f->fix), "resilver", "capture", NULL);
    story_close(s);

    /* all four: one line of life a drive, by its identity */
    static const char *const all[] = {PBS "1", PBS "2", PBS "3", PBS "4"};
    s = story_open(all, 4);
    assert_int_equal(s->c->drives.count, PBS_DRIVES);
    for (size_t d = 0; d < PBS_DRIVES; d++)
        for (size_t k = 0; k < 4; k++) {
            assert_true(pbs_stage(s->c, d, k)->present);
            assert_true(str_is(pbs_stage(s->c, d, k)->name, pbs_drives[d].names[k]));
        }
    Str report = markdown_of(s);
    for (size_t d = 0; d < PBS_DRIVES; d++) says(report, pbs_drives[d].serial, NULL);
    says(report, pbs_drives[4].wwn, NULL);
    story_close(s);
}

/* ---------------------------------------------------------------- the SATA SSD beside an NVMe drive */

#define SATA FIXTURES "/nvme-vs-sata/bundle-"

/* Nothing of a page's form shows in what people read. */
static void no_raw_placeholder(Story *s) {
    const FindingList *lists[] = {&s->d->causes, &s->d->risks, &s->d->notes, &s->d->verdicts, &s->d->symptoms};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            Str text = rich_plain(s->arena, &lists[l]->items[i]->summary);
            if (str_find_ch(text, '{') != SIZE_MAX || str_find_ch(text, '`') != SIZE_MAX)
                fail_msg("%.*s: %.*s", STR_ARG(lists[l]->items[i]->rule), STR_ARG(text));
        }
}

static const Benchmark *benchmark_of(const Diagnosis *d, const char *drive) {
    for (size_t i = 0; i < d->benchmarks.count; i++)
        if (str_is(d->benchmarks.items[i].subject.name, drive)) return &d->benchmarks.items[i];
    fail_msg("no benchmark of %s", drive);
    return NULL;
}

/* What the story asks of the report, by its numbers. */
static void nvme_vs_sata_paste(void **state) {
    (void)state;
    const char *path = SATA "paste";
    Story *s = story_open(&path, 1);
    no_raw_placeholder(s);
    Str report = markdown_of(s);
    /* 1: the drive, its class, and that the drive beside it is idle; an average since boot counts less */
    const Finding *f = s->d->causes.items[0];
    assert_true(str_is(f->rule, "device-slow-at-low-load") && str_is(f->subjects.items[0].name, "sda"));
    assert_true(f->confidence < 0.6);
    says(report, "**works, but worse than it should**", "sda is 99 % busy", "100 requests per second",
         "A write waits 45.6 ms", "averages since boot", "nvme0n1 beside it is 23 % busy",
         "helps only if the busy data move along", "before you buy anything", "so by construction on newer kernels",
         NULL);
    /* 3: who wrote, in shares of the total, and that the drive is not shown */
    f = s->d->causes.items[1];
    assert_true(str_is(f->rule, "concurrent-writers"));
    near(f->confidence, 0.5, 0.001);
    says(report, "Several programs write at the same time", "55 %", "21 %", "17 %", "The other 7 %",
         "A backup reads and writes while the database does its own work", "nothing here shows",
         "they must not be added", "Move the backup", "before you buy anything", "checkpoint", NULL);
    /* 2: a risk and no cause, both figures, the doubt about whose LnkCap it is, and the benchmark that it limits */
    assert_null(finding_of(&s->d->causes, "pcie-link-degraded"));
    f = finding_of(&s->d->risks, "pcie-link-degraded");
    assert_non_null(f);
    near(f->confidence, 0.6, 0.001);
    says(report, "## Risks", "1.97 GB/s at 8 GT/s x2", "7.88 GB/s at 16 GT/s x4", "a quarter",
         "compare both ends first", "87 % of the 1.97 GB/s", "not what the drive can do", "lspci -nnvvD", NULL);
    const Benchmark *b = benchmark_of(s->d, "nvme0n1");
    says(b->beside, "87 % of the 1.97 GB/s", "not what the drive can do", NULL);
    /* 7: percentiles of single I/Os where they are; sda's own figures are averages since boot */
    near(b->p50_ms, 0.27, 0.001);
    near(b->p95_ms, 0.48, 0.001);
    near(b->p99_ms, 0.76, 0.001);
    near(b->p999_ms, 1.2, 0.001);
    near(benchmark_of(s->d, "sda")->p999_ms, 9.2, 0.001);
    bool lifetime = false;
    for (size_t i = 0; i < s->d->drives.count; i++)
        for (size_t k = 0; k < s->d->drives.items[i].metrics.count; k++) {
            const Dist *x = &s->d->drives.items[i].metrics.items[k];
            if (!str_is(x->metric, "w_await_ms")) continue;
            lifetime = true;
            assert_true(str_is(x->basis, "lifetime average") && isnan(x->p50));
        }
    assert_true(lifetime);
    says(report, "no sample of the present", "iostat -dxmt 1 600", "pidstat -dl 1 600", NULL);
    says(report, "single report of iostat", "averages everything since boot", NULL);
    /* 8: CPUs as far as they are known; network and locks were not looked at */
    says(report, "The 16 CPUs were 75 % idle, and for 8 % of their time", "Not looked at:", "network and locks",
         "sar -n DEV", NULL);
    /* 4: the time of a flush */
    says(report, "4800 blocks per second", "0.208 ms per flush", "not queue depth, lanes or bandwidth", "32 ms",
         "power-loss protection", NULL);
    /* other moments */
    says(report, "iotop saw 145.8 MB/s", "9.63 MB/s", "neither added nor averaged", NULL);
    assert_null(finding_of(&s->d->notes, "sources-contradict"));
    story_close(s);
}

static void nvme_vs_sata_variants(void **state) {
    (void)state;
    const char *path = SATA "paste-three-reports";
    Story *s = story_open(&path, 1);
    says(markdown_of(s), "The first of 3 reports of iostat averages everything since boot", NULL);
    story_close(s);

    path = SATA "variant-luks"; /* 5 */
    s = story_open(&path, 1);
    no_raw_placeholder(s);
    assert_null(finding_of(&s->d->notes, "sources-contradict"));
    says(markdown_of(s), "cryptdata encrypts in units of 512 bytes", "LUKS2 aes-xts-plain64", "mpstat -P ALL 1 10",
         "Danger:", NULL);
    story_close(s);

    path = SATA "both-layouts"; /* each half stands in one of the others */
    s = story_open(&path, 1);
    no_raw_placeholder(s);
    assert_null(finding_of(&s->d->notes, "dmcrypt-sector-512"));
    says(markdown_of(s), "mount and lsblk contradict each other", "ext4 on", "cryptdata",
         "Nothing in this report rests on either", NULL);
    story_close(s);

    path = SATA "no-lspci-command";
    s = story_open(&path, 1);
    no_raw_placeholder(s);
    assert_null(finding_of(&s->d->risks, "pcie-link-degraded"));
    assert_non_null(finding_of(&s->d->notes, "link-of-unknown-device"));
    assert_true(benchmark_of(s->d, "nvme0n1")->beside.len > 0);
    assert_false(str_has(benchmark_of(s->d, "nvme0n1")->beside, "its link"));
    story_close(s);

    path = FIXTURES "/nvme-vs-sata-variants/bundle-tar-on-the-drive";
    s = story_open(&path, 1);
    no_raw_placeholder(s);
    const Finding *f = finding_of(&s->d->causes, "concurrent-writers");
    assert_non_null(f);
    near(f->confidence, 0.75, 0.001);
    says(rich_plain(s->arena, &f->summary), "/backup, to which", "lies on sdb", NULL);
    story_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(expectations),          cmocka_unit_test(deletion),
                                       cmocka_unit_test(microserver_compare),   cmocka_unit_test(backup_server_stages),
                                       cmocka_unit_test(backup_server_compare), cmocka_unit_test(nvme_vs_sata_paste),
                                       cmocka_unit_test(nvme_vs_sata_variants)};
    return cmocka_run_group_tests_name("stories", tests, NULL, NULL);
}
