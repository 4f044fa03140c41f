#include "sample_test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Ref wanted;

/* While a series is mapped its device can be seen; nothing is changed for the others. */
static void only(void *arg, int64_t src, Ref device, int64_t *node, int64_t *capture, double *shift_s) {
    (void)arg;
    (void)src;
    *node = device;
    *capture = 1;
    *shift_s = 0;
}

static void resolve_once(ParseTest *pt) {
    Error err = {""};
    if (pt_real(pt, "SELECT count(*) FROM series") > 0) return;
    if (!samples_resolve(facts_samples(pt->facts), only, NULL, &err)) fail_msg("%s", err.text);
}

static void find(ParseTest *pt, const char *kind, const char *name) {
    resolve_once(pt);
    char *sql = arena_fmt(pt->arena, "SELECT id FROM ref WHERE kind='%s' AND name='%s'", kind, name);
    double id = pt_real(pt, sql);
    wanted = isnan(id) ? -1 : (Ref)id;
}

int sample_count(ParseTest *pt, const char *kind, const char *name) {
    find(pt, kind, name);
    Samples *s = facts_samples(pt->facts);
    int n = 0;
    for (size_t i = 0; i < samples_series_count(s); i++) {
        SeriesInfo info = series_info(samples_series_at(s, i));
        if (info.node == wanted) n += (int)info.n;
    }
    return n;
}

SamplePoint sample_at(ParseTest *pt, const char *kind, const char *name, Metric m, int row) {
    find(pt, kind, name);
    Samples *s = facts_samples(pt->facts);
    int n = row;
    for (size_t i = 0; i < samples_series_count(s); i++) {
        Series *series = samples_series_at(s, i);
        SeriesInfo info = series_info(series);
        if (info.node != wanted) continue;
        int column = series_column(series, m);
        SeriesCursor cursor;
        SampleRow r;
        series_open(&cursor, series, INT64_MIN, INT64_MAX);
        while (series_next(&cursor, &r))
            if (n-- == 0)
                return (SamplePoint){.t_s = info.has_time ? (double)r.t_ms / 1000 : NAN,
                                     .dt_s = (double)r.dt_s,
                                     .value = column < 0 ? NAN : (double)r.values[column],
                                     .line = r.line};
    }
    fail_msg("no sample %d of %s %s", row, kind, name);
    return (SamplePoint){NAN, NAN, NAN, 0};
}

double lifetime_value(ParseTest *pt, const char *kind, const char *name, const char *metric) {
    return pt_real(pt,
                   arena_fmt(pt->arena,
                             "SELECT l.%s FROM lifetime l JOIN ref r ON r.id=l.node WHERE r.kind='%s' AND r.name='%s'"
                             " ORDER BY l.rowid DESC",
                             metric, kind, name));
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void corpus_each(const char *folder, CorpusFn fn) {
    const char *corpus = pt_corpus();
    if (!corpus) skip();
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", corpus, folder);
    DIR *d = opendir(path);
    if (!d) skip();
    char *names[512]; /* the largest folder holds 60 */
    size_t n = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL && n < 512;)
        if (e->d_name[0] != '.' && !strstr(e->d_name, ".expected.")) names[n++] = strdup(e->d_name);
    closedir(d);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", corpus, folder, names[i]);
        Str text = pt_file(path);
        assert_non_null(text.p);
        fn(names[i], text);
        free((void *)(uintptr_t)text.p);
        free(names[i]);
    }
}
