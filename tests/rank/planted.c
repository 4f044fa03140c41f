#include "planted.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------- files and folders */

bool planted_text(Arena *a, const char *path, Str *text, Error *err) {
    FILE *f = fopen(path, "rb");
    if (!f) return error_set(err, "%s: %s", path, strerror(errno));
    StrBuf b;
    sb_init(&b, a);
    char block[16384];
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) sb_add(&b, (Str){block, n});
    bool bad = ferror(f);
    fclose(f);
    *text = sb_str(&b);
    return bad ? error_set(err, "%s: cannot be read", path) : true;
}

static bool read_folder(Arena *a, const char *folder, const char *prefix, PlantedFiles *files, Error *err) {
    DIR *d = opendir(folder);
    if (!d) return error_set(err, "%s: %s", folder, strerror(errno));
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char *path = arena_fmt(a, "%s/%s", folder, e->d_name), *name = arena_fmt(a, "%s%s", prefix, e->d_name);
        struct stat st;
        if (stat(path, &st) != 0) {
            ok = error_set(err, "%s: %s", path, strerror(errno));
        } else if (S_ISDIR(st.st_mode)) {
            ok = read_folder(a, path, arena_fmt(a, "%s/", name), files, err);
        } else {
            PlantedFile f = {.path = str_of(name)};
            ok = planted_text(a, path, &f.text, err);
            VEC_PUSH(a, files, f);
        }
    }
    closedir(d);
    return ok;
}

static int by_path(const void *x, const void *y) {
    return str_cmp(((const PlantedFile *)x)->path, ((const PlantedFile *)y)->path);
}

bool planted_folder(Arena *a, const char *folder, PlantedFiles *files, Error *err) {
    if (!read_folder(a, folder, "", files, err)) return false;
    if (files->count) qsort(files->items, files->count, sizeof *files->items, by_path);
    return true;
}

static bool make_folders(Arena *a, const char *path, Error *err) {
    char *p = arena_fmt(a, "%s", path);
    for (char *slash = strchr(p + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(p, 0700) != 0 && errno != EEXIST) return error_set(err, "%s: %s", p, strerror(errno));
        *slash = '/';
    }
    return true;
}

const char *planted_write(Arena *a, const PlantedFiles *files, const char *folder, Error *err) {
    const char *path = NULL;
    if (mkdir(folder, 0700) != 0) {
        error_set(err, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    for (size_t i = 0; i < files->count; i++) {
        const PlantedFile *file = &files->items[i];
        path = arena_fmt(a, "%s/%.*s", folder, STR_ARG(file->path));
        if (!make_folders(a, path, err)) return NULL;
        FILE *f = fopen(path, "wb");
        bool ok = f && (!file->text.len || fwrite(file->text.p, 1, file->text.len, f) == file->text.len);
        if (f) ok = fclose(f) == 0 && ok;
        if (!ok) {
            error_set(err, "%s: %s", path, strerror(errno));
            return NULL;
        }
    }
    return files->count == 1 ? path : folder;
}

void planted_remove(Arena *a, const char *folder) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char *p = arena_fmt(a, "%s/%s", folder, e->d_name);
        if (unlink(p) != 0) planted_remove(a, p);
    }
    if (d) closedir(d);
    rmdir(folder);
}

/* ---------------------------------------------------------------- descriptions */

static bool head_field(Str line, const char *key, Str *value) {
    Str rest = str_after(line, key);
    if (!rest.p || !str_starts(rest, ":")) return false;
    *value = str_trim(str_from(rest, 1));
    return true;
}

bool planted_read(Arena *a, const char *path, PlantedList *list, Error *err) {
    Str text;
    if (!planted_text(a, path, &text, err)) return false;
    Planted *p = NULL;
    size_t number = 0;
    bool edits = false; /* behind the head */
    while (text.len) {
        const char *begin = text.p;
        Str line = str_trim_right(str_cut(&text, '\n')), name = STR_NONE;
        number++;
        if (head_field(line, "case", &name)) {
            VEC_PUSH(a, list, ((Planted){.where = arena_fmt(a, "%s:%zu", path, number), .name = name}));
            p = &list->items[list->count - 1];
            edits = false;
            continue;
        }
        if (!edits && (!line.len || line.p[0] == '#')) continue;
        if (!p) return error_set(err, "%s:%zu: a description begins with \"case: NAME\"", path, number);
        if (!edits && (head_field(line, "about", &p->about) || head_field(line, "source", &p->source) ||
                       head_field(line, "base", &p->base) || str_starts(line, "expect: "))) {
            if (str_starts(line, "expect: ")) p->expect = line;
            continue;
        }
        if (!edits) p->edits = (Str){begin, 0}, p->line = number;
        edits = true;
        p->edits.len = (size_t)((text.p ? text.p : begin + line.len) - p->edits.p);
    }
    for (size_t i = 0; i < list->count; i++) {
        const Planted *c = &list->items[i];
        const char *missing = !c->name.len     ? "a name"
                              : !c->about.len  ? "\"about:\""
                              : !c->source.len ? "\"source:\""
                              : !c->base.len   ? "\"base:\""
                              : !c->expect.len ? "\"expect:\""
                                               : NULL;
        if (missing) return error_set(err, "%s: the description has no %s", c->where, missing);
        for (size_t k = 0; k < i; k++)
            if (str_eq(c->name, list->items[k].name))
                return error_set(err, "%s: the name stands at %s, too", c->where, list->items[k].where);
    }
    return true;
}

/* ---------------------------------------------------------------- edits */

typedef struct Maker {
    Arena *a;
    PlantedFiles *files;
    const char *where;
    size_t line;
    Error *err;
    Str at; /* glob of the files in hand */
    uint64_t seed;
} Maker;

static bool fail(const Maker *m, const char *what, Str of) {
    return error_set(m->err, "%s: line %zu: %s: %.*s", m->where, m->line, what, STR_ARG(of));
}

static double spread(Maker *m) { /* 0..1, xorshift64* */
    m->seed ^= m->seed >> 12;
    m->seed ^= m->seed << 25;
    m->seed ^= m->seed >> 27;
    return (double)((m->seed * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0;
}

typedef enum Where { INSTEAD, BEFORE, BEHIND, AT_END } Where;

static bool put_lines(Maker *m, Where where, Str glob, Str lines) {
    size_t hits = 0, files = 0;
    for (size_t i = 0; i < m->files->count; i++) {
        PlantedFile *f = &m->files->items[i];
        if (!str_glob(m->at, f->path)) continue;
        files++;
        StrBuf b;
        sb_init(&b, m->a);
        bool put = false;
        for (Str rest = f->text; rest.len;) {
            Str line = str_cut(&rest, '\n');
            bool hit = where != AT_END && (where == INSTEAD || !put) && str_glob(glob, str_trim_right(line));
            hits += hit;
            if (hit && where == BEHIND) sb_add(&b, line), sb_addc(&b, '\n');
            if (hit && !put) sb_add(&b, lines);
            put = put || hit;
            if (!hit || where == BEFORE) sb_add(&b, line), sb_addc(&b, '\n');
        }
        if (where == AT_END) sb_add(&b, lines), hits++;
        f->text = sb_str(&b);
    }
    if (!files) return fail(m, "no such file", m->at);
    return hits ? true : fail(m, "no such line", glob);
}

static bool put_text(Maker *m, Str rule) {
    size_t arrow = str_find(rule, " => "), hits = 0;
    if (arrow == SIZE_MAX) return fail(m, "OLD => NEW is expected", rule);
    const char *old = arena_cstr(m->a, str_sub(rule, 0, arrow));
    Str new_ = str_from(rule, arrow + 4);
    for (size_t i = 0; i < m->files->count; i++) {
        PlantedFile *f = &m->files->items[i];
        if (!str_glob(m->at, f->path) || !str_has(f->text, old)) continue;
        StrBuf b;
        sb_init(&b, m->a);
        Str rest = f->text;
        for (size_t at; (at = str_find(rest, old)) != SIZE_MAX; hits++) {
            sb_add(&b, str_sub(rest, 0, at));
            sb_add(&b, new_);
            rest = str_from(rest, at + strlen(old));
        }
        sb_add(&b, rest);
        f->text = sb_str(&b);
    }
    return hits ? true : fail(m, "no such text", rule);
}

/* The n-th word of the line as a slice, from 0; empty when there are fewer. */
static Str nth_word(Str line, size_t n) {
    Str word = str_word(&line);
    while (n-- && word.len) word = str_word(&line);
    return word;
}

static size_t column_of(Str head, Str name) {
    int64_t number;
    if (str_starts(name, "#") && str_i64(str_from(name, 1), &number)) return number > 0 ? (size_t)number - 1 : SIZE_MAX;
    for (size_t n = 0;; n++) {
        Str word = str_word(&head);
        if (!word.len) return SIZE_MAX;
        if (str_eq(word, name)) return n;
    }
}

/* The cell's new text: as many decimals, at least as wide. */
static bool new_value(Maker *m, Str old, Str spec, char *out, size_t size) {
    double v = 0, low, high;
    bool literal = false;
    size_t dots = str_find(spec, ".."), comma = str_find_ch(old, ','),
           point = comma != SIZE_MAX ? comma : str_find_ch(old, '.');
    if (str_starts(spec, "*")) {
        if (!str_double(old, &v) || !str_double(str_from(spec, 1), &low)) return false;
        v *= low;
    } else if (dots != SIZE_MAX) {
        if (!str_double(str_sub(spec, 0, dots), &low) || !str_double(str_from(spec, dots + 2), &high)) return false;
        v = low + (high - low) * spread(m);
    } else {
        literal = !str_double(spec, &v); /* "119ms", "ONLINE" */
    }
    if (literal) return snprintf(out, size, "%*.*s", (int)old.len, STR_ARG(spec)) < (int)size;
    int n = snprintf(out, size, "%*.*f", (int)old.len, point == SIZE_MAX ? 0 : (int)(old.len - point - 1), v);
    if (comma != SIZE_MAX)
        for (char *c = out; *c; c++)
            if (*c == '.') *c = ',';
    return n > 0 && (size_t)n < size;
}

static bool put_columns(Maker *m, Str rule) {
    Str row = str_word(&rule);
    size_t hits = 0;
    for (Str pairs = rule; str_trim(pairs).len;) {
        Str spec = str_word(&pairs), name = str_cut(&spec, '=');
        size_t changed = 0;
        for (size_t i = 0; i < m->files->count; i++) {
            PlantedFile *f = &m->files->items[i];
            if (!str_glob(m->at, f->path)) continue;
            StrBuf b;
            sb_init(&b, m->a);
            size_t column = SIZE_MAX;
            for (Str rest = f->text; rest.len;) {
                Str line = str_cut(&rest, '\n'), first = nth_word(line, 0);
                size_t here = column_of(line, name);
                if (here != SIZE_MAX) column = here;
                Str cell = str_eq(first, row) && column != SIZE_MAX ? nth_word(line, column) : STR_NONE;
                if (!cell.len) {
                    sb_add(&b, line), sb_addc(&b, '\n');
                    continue;
                }
                char value[64];
                if (!new_value(m, cell, spec, value, sizeof value)) return fail(m, "no such value", spec);
                size_t at = (size_t)(cell.p - line.p), eat = strlen(value) - cell.len;
                /* Wider than it was: the blanks before it make room, as printf does. */
                while (eat && at > 1 && line.p[at - 1] == ' ' && line.p[at - 2] == ' ') at--, eat--;
                sb_add(&b, str_sub(line, 0, at));
                sb_addz(&b, value);
                sb_add(&b, str_from(line, (size_t)(cell.p - line.p) + cell.len)), sb_addc(&b, '\n');
                changed++;
            }
            f->text = sb_str(&b);
        }
        if (!changed) return fail(m, "no such row or column", name.len ? name : row);
        hits++;
    }
    return hits ? true : fail(m, "NAME=VALUE is expected", row);
}

static bool drop(Maker *m, Str glob) {
    size_t kept = 0;
    for (size_t i = 0; i < m->files->count; i++)
        if (!str_glob(glob, m->files->items[i].path)) m->files->items[kept++] = m->files->items[i];
    if (kept == m->files->count) return fail(m, "no such file", glob);
    m->files->count = kept;
    return true;
}

/* The lines "+ TEXT" at the head of *text, which shrinks behind them. */
static Str plus_lines(Maker *m, Str *text) {
    StrBuf b;
    sb_init(&b, m->a);
    while (text->len) {
        Str rest = *text, line = str_cut(&rest, '\n');
        if (!str_starts(line, "+ ") && !str_is(str_trim_right(line), "+")) break;
        sb_add(&b, str_from(line, 2)), sb_addc(&b, '\n');
        *text = rest;
        m->line++;
    }
    return sb_str(&b);
}

static bool edit(Maker *m, Str text) {
    while (text.len) {
        Str rest = text, line = str_cut(&rest, '\n'), bare = str_trim_right(line), arg = str_from(bare, 2);
        bool ok = true;
        if (str_starts(line, "+ ") || str_is(bare, "+")) { /* read as a block below */
            m->line--;
            Str lines = plus_lines(m, &text);
            ok = m->at.len ? put_lines(m, AT_END, STR_NONE, lines) : fail(m, "no file is in hand", bare);
            if (!ok) return false;
            m->line++;
            continue;
        }
        text = rest;
        if (!bare.len || bare.p[0] == '#') {
        } else if (str_starts(bare, "at ")) {
            m->at = str_trim(str_from(bare, 3));
        } else if (str_starts(bare, "new ")) {
            m->at = str_trim(str_from(bare, 4));
            for (size_t i = 0; i < m->files->count; i++)
                if (str_eq(m->at, m->files->items[i].path)) return fail(m, "there is such a file already", m->at);
            VEC_PUSH(m->a, m->files, ((PlantedFile){.path = m->at}));
        } else if (str_starts(bare, "drop ")) {
            ok = drop(m, str_trim(str_from(bare, 5)));
        } else if (str_starts(bare, "- ") || str_starts(bare, "> ") || str_starts(bare, "< ")) {
            Where where = bare.p[0] == '-' ? INSTEAD : bare.p[0] == '>' ? BEHIND : BEFORE;
            size_t at = m->line;
            Str lines = plus_lines(m, &text);
            size_t behind = m->line;
            m->line = at;
            ok = put_lines(m, where, arg, lines);
            m->line = behind;
        } else if (str_starts(bare, "~ ")) {
            ok = put_text(m, arg);
        } else if (str_starts(bare, "= ")) {
            ok = put_columns(m, arg);
        } else {
            ok = fail(m, "no such mark", bare);
        }
        if (!ok) return false;
        m->line++;
    }
    return true;
}

bool planted_make(Arena *a, const Planted *p, const char *fixtures, PlantedFiles *files, Error *err) {
    if (!str_is(p->base, "-")) {
        Str stage = p->base, fixture = str_cut(&stage, '/');
        const char *folder = arena_fmt(a, "%s/%.*s/bundle-%.*s", fixtures, STR_ARG(fixture), STR_ARG(stage));
        if (!planted_folder(a, folder, files, err)) return false;
    }
    Maker m = {.a = a, .files = files, .where = p->where, .line = p->line, .err = err, .seed = 0x9e3779b97f4a7c15u};
    if (!edit(&m, p->edits)) return false;
    if (!files->count) return error_set(err, "%s: an upload without a file", p->where);
    qsort(files->items, files->count, sizeof *files->items, by_path);
    return true;
}
