/*
 * Two outputs glued together come apart again, whatever they are.
 *
 * A pasted text is often several outputs behind each other, with a prompt between them or with nothing. Every parser says
 * which line could be its first and which could still be its own; only all of them together can be right or wrong, so
 * every ordered pair is tried.
 */
#include "../../analyze/parse/registry.h"
#include "frame_test.h"
#include "tool_samples.h"

#include <stdio.h>

static Str sample_text(const Sample *s) {
    if (!s->path) return str_of(s->text);
    Str text = pt_file(s->path);
    if (!text.p) fail_msg("%s cannot be read", s->path);
    if (!s->lines) return text;
    size_t at = 0;
    for (int n = 0; n < s->lines && at < text.len; at++)
        if (text.p[at] == '\n') n++;
    return str_sub(text, 0, at);
}

static int64_t lines_in(Str text) {
    int64_t n = 0;
    for (size_t i = 0; i < text.len; i++) n += text.p[i] == '\n';
    return n + (text.len && text.p[text.len - 1] != '\n');
}

/* Number of the first line with something on it, from 1; *line gets it. */
static int64_t first_line(Str text, Str *line) {
    for (int64_t n = 1; text.len; n++) {
        *line = head_line(&text);
        if (str_trim(*line).len) return n;
    }
    return 0;
}

static const Parser *by_name(const char *tool, size_t at) { /* smartctl has two parsers of one name */
    for (size_t i = 0; i < parser_count; i++)
        if (str_is(str_of(tool), parsers[i]->name) && at-- == 0) return parsers[i];
    return NULL;
}

static bool starts_as(const char *tool, Str line) {
    const Parser *p;
    for (size_t i = 0; (p = by_name(tool, i)); i++)
        if (p->starts(line)) return true;
    return false;
}

static bool continues_as(const char *tool, Str line) {
    const Parser *p;
    for (size_t i = 0; (p = by_name(tool, i)); i++)
        if (p->continues(line)) return true;
    return false;
}

/* cmocka cuts its messages: what is long goes to standard error first. */
static void report(StrBuf *out, size_t bad, const char *what) {
    if (!bad) return;
    fprintf(stderr, "%s", sb_str(out).p);
    fail_msg("%zu %s", bad, what);
}

/* Every tool of parsers.def has a sample; a new parser cannot be forgotten here. */
static void all_tools(void **state) {
    (void)state;
    for (size_t i = 0; i < parser_count; i++) {
        bool found = false;
        for (size_t k = 0; k < tool_sample_count; k++)
            found = found || str_is(str_of(tool_samples[k].tool), parsers[i]->name);
        if (!found) fail_msg("no sample of %s in tool_samples.c", parsers[i]->name);
        assert_non_null(parsers[i]->starts);
        assert_non_null(parsers[i]->continues);
        assert_non_null(parsers[i]->bid);
        assert_non_null(parsers[i]->ask);
    }
}

static void first_lines(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 30);
    StrBuf out;
    size_t bad = 0;
    sb_init(&out, a);
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        Str line = STR_NONE;
        first_line(sample_text(s), &line);
        if (!(s->flags & (NO_START | STAMPED | JSON)) && !starts_as(s->tool, line)) {
            sb_addf(&out, "%s (%s): starts() does not know \"%.*s\"\n", s->tool, s->variant,
                    STR_ARG(str_sub(line, 0, 100)));
            bad++;
        }
        for (size_t k = 0; k < parser_count; k++)
            if (!str_is(str_of(s->tool), parsers[k]->name) && parsers[k]->starts(line)) {
                sb_addf(&out, "%s (%s): %s claims to start with \"%.*s\"\n", s->tool, s->variant, parsers[k]->name,
                        STR_ARG(str_sub(line, 0, 100)));
                bad++;
            }
    }
    report(&out, bad, "first lines");
    arena_free(a);
}

static void all_lines(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 30);
    StrBuf out;
    size_t bad = 0;
    sb_init(&out, a);
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        if (s->flags & JSON) continue;
        Str text = sample_text(s);
        for (int64_t n = 1; text.len; n++) {
            Str line = head_line(&text);
            if (!str_trim(line).len) continue;
            if (!continues_as(s->tool, line) && !starts_as(s->tool, line)) {
                sb_addf(&out, "%s (%s): continues() refuses line %lld, \"%.*s\"\n", s->tool, s->variant, (long long)n,
                        STR_ARG(str_sub(line, 0, 100)));
                bad++;
            }
            if (by_name(s->tool, 0)->strict && by_name(s->tool, 0)->continues(line))
                continue; /* the others are not asked */
            for (size_t k = 0; k < parser_count; k++)
                if (!str_is(str_of(s->tool), parsers[k]->name) && parsers[k]->starts(line)) {
                    sb_addf(&out, "%s (%s): %s claims line %lld, \"%.*s\"\n", s->tool, s->variant, parsers[k]->name,
                            (long long)n, STR_ARG(str_sub(line, 0, 100)));
                    bad++;
                }
        }
    }
    report(&out, bad, "lines");
    arena_free(a);
}

/* Content decides: the own parser bids highest without a path and without a command, and with those of others. */
static void bids(void **state) {
    (void)state;
    Arena *a = arena_new((size_t)1 << 30);
    StrBuf out;
    size_t bad = 0;
    sb_init(&out, a);
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        Str head = str_sub(sample_text(s), 0, 16 * 1024);
        static const char *const paths[] = {"",          "upload/file.txt",   "proc/uptime", "drives/smart_sda.out",
                                            "dmesg.out", "samples/iostat.out"};
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
            int bid;
            const Parser *best = registry_best(str_of(paths[k]), STR_NONE, head, &bid);
            if (best && str_is(str_of(s->tool), best->name)) continue;
            sb_addf(&out, "%s (%s): %s wins at path \"%s\" with %d\n", s->tool, s->variant,
                    best ? best->name : "nobody", paths[k], bid);
            bad++;
        }
        int bid;
        const Parser *best = registry_best(STR_NONE, str_of(s->command), head, &bid);
        if (!best || !str_is(str_of(s->tool), best->name)) {
            sb_addf(&out, "%s (%s): %s wins behind %s with %d\n", s->tool, s->variant, best ? best->name : "nobody",
                    s->command, bid);
            bad++;
        }
    }
    report(&out, bad, "bids");
    arena_free(a);
}

/* ---------------------------------------------------------------- pairs */

typedef enum Between { BLANK_LINE, NOTHING, PROMPT, BETWEENS } Between;
static const char *const between_name[] = {"blank line", "nothing", "prompt"};

/* A from line 1 to the line before B, B from `from` to the end, and nothing else. */
static const char *judge(FrameTest *ft, const FramePiece *p, size_t count, const Sample *a, const Sample *b,
                         int64_t from, int64_t last) {
    if (b->flags & STAMPED) from++; /* its stamp may stay with A or alone */
    size_t i = 0;
    while (i < count && p[i].first < from) {
        bool stamp = (a->flags & STAMPED) && i == 0 && !p[i].tool[0] && p[i].first == p[i].last;
        stamp = stamp || ((b->flags & STAMPED) && p[i].first == from - 1 && !p[i].tool[0]);
        if (strcmp(p[i].tool, a->tool) != 0 && !stamp)
            return arena_fmt(ft->arena, "line %lld is not %s", (long long)p[i].first, a->tool);
        if (p[i].last >= from)
            return arena_fmt(ft->arena, "%s runs on to line %lld, %s begins at %lld", a->tool, (long long)p[i].last,
                             b->tool, (long long)from);
        i++;
    }
    if (!i) return "nothing of the first";
    if (i == count) return "nothing of the second";
    if (p[i].first != from)
        return arena_fmt(ft->arena, "%s begins at line %lld, not at %lld", b->tool, (long long)p[i].first,
                         (long long)from);
    int64_t end = 0;
    for (; i < count; i++) {
        if (strcmp(p[i].tool, b->tool) != 0)
            return arena_fmt(ft->arena, "line %lld is not %s", (long long)p[i].first, b->tool);
        end = p[i].last;
    }
    if (end != last)
        return arena_fmt(ft->arena, "%s ends at line %lld, not at %lld", b->tool, (long long)end, (long long)last);
    return NULL;
}

/* The sanitizers look for wrong memory, not for wrong answers, and are slow: a part of the pairs shows it to them. */
#if defined(__SANITIZE_ADDRESS__)
enum { EACH = 7 };
#else
enum { EACH = 1 };
#endif

static void every_pair(void **state) {
    (void)state;
    Arena *all = arena_new((size_t)1 << 30);
    StrBuf out;
    size_t bad = 0, tried = 0;
    sb_init(&out, all);
    for (size_t i = 0; i < tool_sample_count; i++) {
        FrameTest *ft = ft_open();
        const Sample *a = &tool_samples[i];
        Str first = str_trim_right(sample_text(a));
        for (size_t k = 0; k < tool_sample_count; k++) {
            const Sample *b = &tool_samples[k];
            if (strcmp(a->tool, b->tool) == 0) continue;
            if ((i + 3 * k) % EACH) continue;
            Str second = str_trim_right(sample_text(b)), line;
            /* One way for a pair, by turns: each sample meets all of them many times, on either side. */
            for (Between way = (Between)((i + k) % BETWEENS), once = 0; !once; once = 1) {
                if (way != PROMPT && (b->flags & NO_START)) continue;
                /* Blocks of kernel counters hold pressure and diskstats lines, too: only a prompt could tell. */
                if (way != PROMPT && strcmp(a->tool, "stordx-raw") == 0 &&
                    ((strcmp(b->tool, "pressure") == 0 && !b->path) || strcmp(b->tool, "diskstats") == 0))
                    continue;
                StrBuf text;
                sb_init(&text, ft->arena);
                sb_add(&text, first);
                sb_addz(&text, "\n");
                if (way == BLANK_LINE) sb_addz(&text, "\n");
                if (way == PROMPT) sb_addf(&text, "root@host:~# %s\n", b->command);
                int64_t from = lines_in(sb_str(&text)) + first_line(second, &line);
                sb_add(&text, second);
                sb_addz(&text, "\n");
                size_t count;
                const FramePiece *p = ft_frame(ft, "-", "", false, sb_str(&text), &count);
                const char *wrong = judge(ft, p, count, a, b, from, lines_in(sb_str(&text)));
                tried++;
                if (!wrong) continue;
                bad++;
                sb_addf(&out, "%s (%s) + %s + %s (%s): %s [%s]\n", a->tool, a->variant, between_name[way], b->tool,
                        b->variant, wrong, ft_print(ft, p, count));
            }
        }
        ft_close(ft);
    }
    assert_true(tried > 10000 / EACH);
    report(&out, bad, "pairs");
    arena_free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tools), cmocka_unit_test(first_lines), cmocka_unit_test(all_lines),
        cmocka_unit_test(bids),      cmocka_unit_test(every_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
