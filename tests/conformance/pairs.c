/*
 * pairs - two outputs of the corpus glued together, as a paste: do they come apart again?
 *
 *   pairs HOME [-v] [--each N | --all] [--part I/N] [--first GLOB] [--second GLOB]
 *
 * --each N  for every ordered pair of folders N pairs of files, chosen by a generator with a fixed seed (2: more than 5,000
 *           pairs), half of them glued with an empty line between, half with none. The default is 2
 * --all     every ordered pair of files, by turns with an empty line between and with none
 * --part    only every N-th first file, from the I-th on
 *
 * The measure is each file framed alone, as a paste too: in the glued text every line must belong to the same tool as there,
 * and as many rows must be understood. Outputs of one tool may become one piece. Where the second text begins with lines that
 * are nobody's even alone, nothing marks its start: it is judged from its first recognised line on, and an output that no
 * parser reads not at all. Deviations are counted by pair of folders; explained.tsv may hold "glued first" for a
 * file whose own lines go astray, and "glued second" for one that does not come apart from what stands before it.
 *
 * The last line is "N passed, N failed, N skipped". Exit 0, 1 with a failure, 77 without a corpus.
 */
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>

/* A file framed alone. */
typedef struct Alone {
    bool known; /* the rest is filled in */
    Str text;   /* without blank lines at its end, with one line feed */
    size_t lines;
    const char **tool; /* per line: NULL nobody, or the parser's name */
    bool *blank;
    int64_t rows;
    int64_t begins; /* first line that is somebody's, from 0; the number of lines without one */
} Alone;

typedef struct Failures {
    int count;
    const char *first;
} Failures;

/* "" and tools' names live as long as the registry or this. */
static const char *lasting(Arena *a, const char *tool) {
    return tool[0] ? arena_fmt(a, "%s", tool) : NULL;
}

static void label(Arena *a, const Piece *p, size_t n, const char **tool, size_t lines) {
    for (size_t i = 0; i < n; i++)
        for (int64_t line = p[i].first; line <= p[i].last && line <= (int64_t)lines; line++)
            if (line > 0) tool[line - 1] = lasting(a, p[i].tool);
}

static size_t count_lines(Str text) {
    size_t n = 0;
    while (text.len) {
        str_cut(&text, '\n');
        n++;
    }
    return n;
}

static int64_t total_rows(const Piece *p, size_t n) {
    int64_t rows = 0;
    for (size_t i = 0; i < n; i++) rows += p[i].rows;
    return rows;
}

static void frame_alone(Corpus *c, const CorpusFile *f, Alone *alone) {
    if (alone->known) return;
    StrBuf b;
    sb_init(&b, c->arena);
    sb_add(&b, str_trim_right(f->text));
    sb_addz(&b, "\n");
    alone->text = sb_str(&b);
    alone->lines = count_lines(alone->text);
    alone->tool = arena_array(c->arena, const char *, alone->lines + 1);
    alone->blank = arena_array(c->arena, bool, alone->lines + 1);
    Desk *d = desk_open();
    size_t n;
    const Piece *p = desk_frame(d, "-", false, alone->text, &n);
    label(c->arena, p, n, alone->tool, alone->lines);
    alone->rows = total_rows(p, n);
    desk_close(d);
    Str rest = alone->text;
    alone->begins = (int64_t)alone->lines;
    for (size_t i = 0; rest.len; i++) {
        alone->blank[i] = !str_trim(str_cut(&rest, '\n')).len;
        if (alone->tool[i] && alone->begins > (int64_t)i) alone->begins = (int64_t)i;
    }
    alone->known = true;
}

static const char *named(const char *tool) {
    return tool ? tool : "nobody";
}

static bool same_tool(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* NULL when all is well, else what went wrong; *second: in the second text. */
static const char *try_pair(Desk *d, const Alone *a, const Alone *b, bool empty_line, bool *second) {
    StrBuf sb;
    sb_init(&sb, d->arena);
    sb_add(&sb, a->text);
    if (empty_line) sb_addz(&sb, "\n");
    sb_add(&sb, b->text);
    Str text = sb_str(&sb);
    size_t n, from = a->lines + empty_line, lines = from + b->lines;
    const Piece *p = desk_frame(d, "-", false, text, &n);
    const char **tool = arena_array(d->arena, const char *, lines + 1);
    label(d->arena, p, n, tool, lines);
    for (size_t i = 0; i < lines; i++) {
        if (empty_line && i == a->lines) continue;
        *second = i >= from;
        const Alone *part = *second ? b : a;
        size_t line = *second ? i - from : i;
        if (part->blank[line] || (*second && (int64_t)line < b->begins) || same_tool(tool[i], part->tool[line]))
            continue;
        return arena_fmt(d->arena, "line %zu of the %s is %s's, alone %s's [%s]", line + 1,
                         *second ? "second" : "first", named(tool[i]), named(part->tool[line]), desk_print(d, p, n));
    }
    int64_t rows = total_rows(p, n);
    *second = true;
    if (rows < a->rows + b->rows)
        return arena_fmt(d->arena, "%lld rows, alone %lld and %lld [%s]", (long long)rows, (long long)a->rows,
                         (long long)b->rows, desk_print(d, p, n));
    return NULL;
}

static uint64_t seed = 0x9e3779b97f4a7c15u;
static size_t pick(size_t n) { /* xorshift64* */
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (size_t)((seed * 0x2545f4914f6cdd1du) >> 33) % n;
}

typedef struct Pair {
    uint32_t first, second;
    bool empty_line;
} Pair;

static int by_first(const void *x, const void *y) {
    const Pair *a = x, *b = y;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return (int)a->empty_line - (int)b->empty_line;
}

typedef struct Run {
    Corpus *c;
    Alone *alone;
    Failures *failures; /* per ordered pair of folders */
    Desk *desk;
    int64_t desk_bytes; /* framed on it */
    int passed, failed, accepted;
    bool verbose;
} Run;

static void run_pair(Run *r, Pair pair) {
    Corpus *c = r->c;
    const CorpusFile *fa = &c->files.items[pair.first], *fb = &c->files.items[pair.second];
    Alone *a = &r->alone[pair.first], *b = &r->alone[pair.second];
    frame_alone(c, fa, a);
    frame_alone(c, fb, b);
    if (!r->desk || r->desk_bytes > 4 * 1000 * 1000) {
        if (r->desk) desk_close(r->desk);
        r->desk = desk_open();
        r->desk_bytes = 0;
    }
    r->desk_bytes += (int64_t)(a->text.len + b->text.len);
    bool second = false;
    const char *wrong = try_pair(r->desk, a, b, pair.empty_line, &second);
    if (!wrong) {
        r->passed++;
        return;
    }
    /* Where nothing marks the start of the second, lines before it may go to its tool; what is no output of the first draws others in. */
    const char *reason = explained(c, fa->file, "glued first");
    if (!reason) reason = explained(c, fb->file, "glued second");
    if (reason) {
        r->accepted++;
        return;
    }
    r->failed++;
    Failures *f =
        &r->failures[(size_t)(fa->tool - c->tools.items) * c->tools.count + (size_t)(fb->tool - c->tools.items)];
    const char *text =
        arena_fmt(c->arena, "%s + %s%s: %s", fa->file, pair.empty_line ? "empty line + " : "", fb->file, wrong);
    if (!f->count++) f->first = text;
    if (r->verbose) printf("%s\n", text);
}

static void usage(void) {
    fprintf(stderr, "usage: pairs HOME [-v] [--each N | --all] [--part I/N] [--first GLOB] [--second GLOB]\n");
    exit(2);
}

int main(int argc, char **argv) {
    if (argc < 2) usage();
    bool all = false, verbose = false;
    unsigned each = 2;
    unsigned long part = 0, parts = 1;
    const char *first_glob = "*", *second_glob = "*";
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            verbose = true;
        } else if (strcmp(argv[i], "--all") == 0) {
            all = true;
        } else if (strcmp(argv[i], "--each") == 0 && i + 1 < argc) {
            each = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc) {
            first_glob = argv[++i];
        } else if (strcmp(argv[i], "--second") == 0 && i + 1 < argc) {
            second_glob = argv[++i];
        } else if (strcmp(argv[i], "--part") == 0 && i + 1 < argc) {
            char *end;
            part = strtoul(argv[++i], &end, 10);
            parts = *end == '/' ? strtoul(end + 1, NULL, 10) : 0;
            if (!parts) usage();
        } else {
            usage();
        }
    }
    Corpus *c = corpus_open(argv[1]);
    if (!c) {
        printf("the corpus is not here\n");
        return 77;
    }
    Run r = {.c = c, .verbose = verbose};
    r.alone = arena_array(c->arena, Alone, c->files.count);
    r.failures = arena_array(c->arena, Failures, c->tools.count * c->tools.count);

    if (all) {
        for (uint32_t i = 0; i < c->files.count; i++) {
            if (i % parts != part || !str_glob(str_of(first_glob), str_of(c->files.items[i].file))) continue;
            for (uint32_t k = 0; k < c->files.count; k++) {
                if (!str_glob(str_of(second_glob), str_of(c->files.items[k].file))) continue;
                run_pair(&r, (Pair){i, k, (i + k) % 2 == 1});
            }
        }
    } else {
        typedef VEC(uint32_t) Numbers;
        Numbers *folder = arena_array(c->arena, Numbers, c->tools.count);
        for (uint32_t i = 0; i < c->files.count; i++)
            VEC_PUSH(c->arena, &folder[c->files.items[i].tool - c->tools.items], i);
        VEC(Pair) pairs = {0};
        for (size_t i = 0; i < c->tools.count; i++)
            for (size_t k = 0; k < c->tools.count; k++)
                for (unsigned n = 0; n < each && folder[i].count && folder[k].count; n++) {
                    Pair pair = {folder[i].items[pick(folder[i].count)], folder[k].items[pick(folder[k].count)],
                                 n % 2 == 1};
                    if (pair.first % parts != part) continue;
                    VEC_PUSH(c->arena, &pairs, pair);
                }
        qsort(pairs.items, pairs.count, sizeof *pairs.items, by_first);
        for (size_t i = 0; i < pairs.count; i++)
            if (str_glob(str_of(first_glob), str_of(c->files.items[pairs.items[i].first].file)) &&
                str_glob(str_of(second_glob), str_of(c->files.items[pairs.items[i].second].file)))
                run_pair(&r, pairs.items[i]);
    }
    if (r.desk) desk_close(r.desk);
    for (size_t i = 0; i < c->tools.count; i++)
        for (size_t k = 0; k < c->tools.count; k++) {
            const Failures *f = &r.failures[i * c->tools.count + k];
            if (f->count)
                printf("%.*s + %.*s: %d fail, the first %s\n", STR_ARG(c->tools.items[i].folder),
                       STR_ARG(c->tools.items[k].folder), f->count, f->first);
        }
    printf("\n%d pairs came apart, %d did not as explained, %d did not\n", r.passed, r.accepted, r.failed);
    printf("%d passed, %d failed, %d skipped\n", r.passed + r.accepted, r.failed, 0);
    corpus_close(c);
    return r.failed > 0;
}
