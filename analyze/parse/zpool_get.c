/*
 * zpool_get.c - sizes and properties of pools
 *
 * Reads   zpool list [-v] [-H] [-p] [-P] [-o ...] and zpool get [-H] [-p], as text of ZFS 0.6 to 2.4 and as JSON (2.3+)
 * Gives   pool (state, size, allocated, capacity, fragmentation of the free space), setting autotrim and dedup_ratio of a pool,
 *         ashift, vdev_used_pct, vdev_fragmentation_pct and vdev_class of a vdev, edges member -> vdev -> pool from list -v
 * Sample  OpenZFS 2.2, zpool list
 *   | NAME      SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT
 *   | storage  5.45T  3.91T  1.54T        -         -    12%    71%  1.00x    ONLINE  -
 * Varies  columns come and went (FRAG and EXPANDSZ 0.6.4, CKPOINT 0.8) and follow -o: the header counts. -H prints none: then the
 *         number of columns, or which three figures add up. -v rows are indented by two blanks, with -H by a TAB. With -p
 *         sizes are bytes and percentages bare. The ashift of a pool is only what a future vdev would get, so it is no fact
 *         about the vdevs that are there and is not kept.
 */
#include "json.h"
#include "parser.h"
#include "zfs_tree.h"

#include <math.h>

enum { MAX_COLUMNS = 32 };

typedef enum Col {
    C_OTHER,
    C_NAME,
    C_SIZE,
    C_ALLOC,
    C_FREE,
    C_FRAG,
    C_CAP,
    C_DEDUP,
    C_HEALTH,
    C_GUID,
    C_ASHIFT,
    C_AUTOTRIM
} Col;

static const struct {
    const char *header, *property;
    Col col;
} columns_known[] = {
    {"NAME", "name", C_NAME},         {"SIZE", "size", C_SIZE},       {"ALLOC", "allocated", C_ALLOC},
    {"ALLOC", "alloc", C_ALLOC},      {"FREE", "free", C_FREE},       {"FRAG", "fragmentation", C_FRAG},
    {"FRAG", "frag", C_FRAG},         {"CAP", "capacity", C_CAP},     {"CAP", "cap", C_CAP},
    {"DEDUP", "dedupratio", C_DEDUP}, {"DEDUP", "dedup", C_DEDUP},    {"HEALTH", "health", C_HEALTH},
    {"GUID", "guid", C_GUID},         {"ASHIFT", "ashift", C_ASHIFT}, {"AUTOTRIM", "autotrim", C_AUTOTRIM}};

static Col column_of(Str word) {
    for (size_t i = 0; i < sizeof columns_known / sizeof *columns_known; i++)
        if (str_is(word, columns_known[i].header) || str_is(word, columns_known[i].property))
            return columns_known[i].col;
    return C_OTHER;
}

static bool health_word(Str s) {
    static const char *const words[] = {"ONLINE",  "DEGRADED",  "FAULTED", "OFFLINE", "REMOVED",
                                        "UNAVAIL", "SUSPENDED", "AVAIL",   "INUSE"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return false;
}

static bool list_header(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS), known = 0;
    if (n < 3 || n > MAX_COLUMNS || !str_is(w[0], "NAME")) return false;
    for (size_t i = 1; i < n; i++) known += column_of(w[i]) != C_OTHER && w[i].p[0] <= 'Z';
    return known >= 2;
}

static bool get_header(Str line) {
    Str w[5];
    return str_words(line, w, 5) >= 3 && str_is(w[0], "NAME") && str_is(w[1], "PROPERTY") && str_is(w[2], "VALUE");
}

/* Properties that pools have and datasets have not. */
static bool pool_property(Str s) {
    static const char *const words[] = {"size",
                                        "capacity",
                                        "altroot",
                                        "health",
                                        "bootfs",
                                        "delegation",
                                        "autoreplace",
                                        "cachefile",
                                        "failmode",
                                        "listsnapshots",
                                        "autoexpand",
                                        "dedupratio",
                                        "free",
                                        "allocated",
                                        "comment",
                                        "expandsize",
                                        "freeing",
                                        "fragmentation",
                                        "leaked",
                                        "multihost",
                                        "checkpoint",
                                        "load_guid",
                                        "autotrim",
                                        "ashift",
                                        "compatibility",
                                        "bcloneused",
                                        "bclonesaved",
                                        "bcloneratio",
                                        "dedup_table_size",
                                        "dedup_table_quota",
                                        "last_scrubbed_txg"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(s, words[i])) return true;
    return str_starts(s, "feature@");
}

/* A size cell: "1.20T", bytes, "-". */
static bool size_cell(Str s) {
    double v;
    return str_is(s, "-") || (s.len && ch_digit(s.p[0]) && zfs_number(s, &v));
}

/* A row of `zpool list`: a name, then at least four cells of size, percentage, ratio, health or '-'. */
static bool list_row(Str line) {
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS), sizes = 0, health = 0;
    if (n < 6 || n > 16) return false; /* five: "tank ONLINE 0 0 0" of zpool status */
    for (size_t i = 1; i < n; i++) {
        Str c = w[i];
        bool ratio = c.len && (c.p[c.len - 1] == '%' || c.p[c.len - 1] == 'x') && ch_digit(c.p[0]);
        if (health_word(c)) health++;
        else if (size_cell(c) || ratio) sizes++;
        else if (i + 1 != n) /* ALTROOT */ return false;
    }
    return sizes >= 3 && (health == 1 || (zfs_class_header(w[0]) && sizes >= 6));
}

/* NAME PROPERTY VALUE SOURCE */
static bool get_row(Str line, Str *name, Str *property, Str *value) {
    Str rest = str_trim(line);
    if (str_find_ch(rest, '\t') != SIZE_MAX) { /* -H: blanks belong to the cells */
        *name = str_cut(&rest, '\t');
        *property = str_cut(&rest, '\t');
        *value = str_trim(str_cut(&rest, '\t'));
        return name->len && pool_property(*property) && value->len;
    }
    *name = str_word(&rest);
    *property = str_word(&rest);
    rest = str_trim(rest);
    size_t last = str_rfind_ch(rest, ' ');
    Str source = last == SIZE_MAX ? STR_NONE : str_from(rest, last + 1);
    bool has_source = str_is(source, "-") || str_is(source, "default") || str_is(source, "local");
    *value = has_source ? str_trim(str_sub(rest, 0, last)) : rest;
    return pool_property(*property) && value->len;
}

/* The columns of `zpool list -o name,health,...` into col (MAX_COLUMNS of them); 0 when the command does not name them. */
static size_t columns_asked(Str command, Col *col) {
    bool list = false;
    for (Str w; (w = str_word(&command)).len;) {
        list = list || str_is(w, "list");
        if (!list || w.len < 2 || w.p[0] != '-') continue;
        size_t o = str_find_ch(w, 'o');
        Str names = o == SIZE_MAX ? STR_NONE : str_from(w, o + 1);
        if (o != SIZE_MAX && !names.len) names = str_word(&command);
        if (!names.len || !str_is(str_cut(&names, ','), "name")) continue;
        size_t n = 0;
        col[n++] = C_NAME;
        while (names.len && n < MAX_COLUMNS) col[n++] = column_of(str_cut(&names, ','));
        return n;
    }
    return 0;
}

/* A header of two columns could be anybody's: it counts where the command asked for just these. */
static bool asked_header(Str command, Str line) {
    Col col[MAX_COLUMNS];
    Str w[MAX_COLUMNS];
    size_t n = columns_asked(command, col);
    return n >= 2 && str_words(line, w, MAX_COLUMNS) == n && str_is(w[0], "NAME") && w[1].p[0] >= 'A' &&
           w[1].p[0] <= 'Z' && column_of(w[1]) == col[1] && command_is(command, "zpool");
}

/* A row of as many cells as the command asked for, at least one of which is a figure or a health word. */
static bool asked_row(Str command, Str line) {
    Col col[MAX_COLUMNS];
    Str w[MAX_COLUMNS];
    size_t n = columns_asked(command, col), known = 0;
    if (n < 2 || str_words(line, w, MAX_COLUMNS) != n || !command_is(command, "zpool")) return false;
    for (size_t i = 1; i < n; i++) {
        Str c = w[i];
        if (c.p[c.len - 1] == '%' || c.p[c.len - 1] == 'x') c.len--;
        if (col[i] == C_HEALTH ? health_word(c) : col[i] != C_OTHER && c.len && size_cell(c)) known++;
    }
    return known > 0;
}

static int bid(Str path, Str command, Str head) {
    bool zpool = command_is(command, "zpool") || path_has(path, "zpool");
    int bits = zpool ? 6 : 0;
    if (json_looks(head))
        return str_has(head, "\"pools\"") && (str_has(head, "zpool list") || str_has(head, "zpool get")) ? 28 : 0;
    for (int n = 0; n < 5 && head.len; n++) {
        Str line = head_line(&head), name, property, value;
        if (!str_trim(line).len) continue;
        if (list_header(line)) return 24 + bits;
        if (get_header(line)) {
            line = head_line(&head);
            return get_row(line, &name, &property, &value) ? 24 + bits : 0;
        }
        if (str_find_ch(str_trim(line), '\t') != SIZE_MAX && get_row(line, &name, &property, &value)) return 14 + bits;
        if (list_row(line)) return 12 + bits;
        if (asked_header(command, line) || asked_row(command, line)) return 12 + bits;
        if (n > 0) break;
    }
    return 0;
}

/* Does a cell of the row read 1.00x? Only zpool prints such a ratio beside a health word. */
static bool has_ratio(Str line) {
    for (Str w; (w = str_word(&line)).len;) {
        double v;
        if (w.p[w.len - 1] == 'x' && str_double(str_sub(w, 0, w.len - 1), &v)) return true;
    }
    return false;
}

static bool starts(Str line) {
    if (list_header(line) || get_header(line)) return true;
    Str name, property, value;
    bool tab = str_find_ch(str_trim(line), '\t') != SIZE_MAX;
    if (list_row(line)) return tab || has_ratio(line);
    return tab && get_row(line, &name, &property, &value) && str_is(property, "size");
}

/* "tank 44%", "tank ONLINE 7%": rows of few columns, as -o makes them. */
static bool short_row(Str line) {
    Str w[6];
    size_t n = str_words(line, w, 6);
    for (size_t i = 1; i < n && i < 6; i++)
        if (!health_word(w[i]) && !(w[i].len > 1 && ch_digit(w[i].p[0]) && w[i].p[w[i].len - 1] == '%')) return false;
    return n >= 2 && n <= 5;
}

static bool continues(Str line) {
    Str name, property, value;
    return !str_trim(line).len || short_row(line) || list_header(line) || list_row(line) || get_header(line) ||
           get_row(line, &name, &property, &value);
}

/* ---------------------------------------------------------------- facts */

typedef struct PoolRow {
    Str name, guid, state;
    double size, alloc, cap, frag;
    bool any;
    Spot at;
    char text[FACTS_LINE_CLIP], name_text[ZFS_MAX_PATH], guid_text[32], state_text[24];
} PoolRow;

typedef struct State {
    ParseCtx *ctx;
    PoolRow pool;
    Col col[MAX_COLUMNS];
    size_t cols;
    bool header, is_get;
    size_t base_indent;
    ZfsTree tree;
} State;

static Str keep(char *buffer, size_t size, Str s) {
    size_t n = s.len < size ? s.len : size;
    if (n) memcpy(buffer, s.p, n);
    return (Str){buffer, n};
}

static void put_pool(State *s) {
    PoolRow *p = &s->pool;
    if (p->name.len && p->any) {
        Row r = ctx_row(s->ctx, "pool", p->at);
        row_ref(&r, "node", ctx_ref(s->ctx, REF_POOL, p->name));
        row_text(&r, "name", p->name);
        row_text(&r, "guid", p->guid.len ? p->guid : STR_NONE);
        row_text(&r, "state", p->state.len ? p->state : STR_NONE);
        if (!isnan(p->size)) row_int(&r, "size_bytes", i64_of(p->size));
        if (!isnan(p->alloc)) row_int(&r, "alloc_bytes", i64_of(p->alloc));
        row_real(&r, "capacity_pct", p->cap);
        row_real(&r, "fragmentation_pct", p->frag);
        row_done(&r);
    }
    p->name = STR_NONE;
}

static void begin_pool(State *s, Str name, Spot at) {
    put_pool(s);
    PoolRow *p = &s->pool;
    p->name = keep(p->name_text, sizeof p->name_text, name);
    p->guid = p->state = STR_NONE;
    p->size = p->alloc = p->cap = p->frag = NAN;
    p->any = false;
    p->at = at;
    p->at.text = keep(p->text, sizeof p->text, at.text);
}

static double percent(Str s) {
    double v;
    if (s.len && s.p[s.len - 1] == '%') s.len--;
    return str_double(s, &v) && v >= 0 && v <= 100 ? v : NAN;
}

/* One cell of a pool. false: not a value of this column. */
static bool pool_value(State *s, Col col, Str v, Spot at) {
    PoolRow *p = &s->pool;
    double d = NAN;
    bool none = str_is(v, "-");
    switch (col) {
    case C_SIZE:
    case C_ALLOC:
    case C_FREE:
        if (!zfs_number(v, &d)) return false;
        if (col == C_SIZE) p->size = d;
        if (col == C_ALLOC) p->alloc = d;
        break;
    case C_FRAG:
    case C_CAP:
        d = percent(v);
        if (isnan(d) && !none) return false;
        if (col == C_FRAG) p->frag = d;
        else p->cap = d;
        break;
    case C_HEALTH: p->state = keep(p->state_text, sizeof p->state_text, v); break;
    case C_GUID: p->guid = keep(p->guid_text, sizeof p->guid_text, v); break;
    case C_DEDUP: {
        double ratio;
        Str figure = v.len && v.p[v.len - 1] == 'x' ? str_sub(v, 0, v.len - 1) : v;
        if (str_double(figure, &ratio) && ratio >= 1 && ratio < 1e6)
            ctx_setting_real(s->ctx, ctx_ref(s->ctx, REF_POOL, p->name), "dedup_ratio", ratio, "kernel", at);
        return true;
    }
    case C_AUTOTRIM:
        if (!none) ctx_setting(s->ctx, ctx_ref(s->ctx, REF_POOL, p->name), "autotrim", v, "kernel", at);
        return true;
    default: return true;
    }
    p->any = true;
    return true;
}

/* ---------------------------------------------------------------- zpool list */

/* Columns of -H by their number, or by the three figures of which the first is the sum of the others. */
static bool guess_columns(State *s, const Str *w, size_t n) {
    static const Col v8[] = {C_NAME, C_SIZE, C_ALLOC, C_FREE, C_CAP, C_DEDUP, C_HEALTH, C_OTHER};
    static const Col v10[] = {C_NAME, C_SIZE, C_ALLOC, C_FREE, C_OTHER, C_FRAG, C_CAP, C_DEDUP, C_HEALTH, C_OTHER};
    static const Col v11[] = {C_NAME, C_SIZE, C_ALLOC, C_FREE,   C_OTHER, C_OTHER,
                              C_FRAG, C_CAP,  C_DEDUP, C_HEALTH, C_OTHER};
    const Col *known = n == 11 ? v11 : n == 10 ? v10 : n == 8 ? v8 : NULL;
    if (known)
        for (size_t i = 0; i < n && known; i++)
            if ((known[i] == C_HEALTH) != health_word(w[i])) known = NULL;
    s->cols = n;
    for (size_t i = 0; i < n; i++) s->col[i] = known ? known[i] : C_OTHER;
    if (known) return true;
    s->col[0] = C_NAME;
    size_t at = 0;
    double size = NAN, alloc = NAN, left = NAN;
    for (size_t i = 1; i + 2 < n && !at; i++)
        if (zfs_number(w[i], &size) && zfs_number(w[i + 1], &alloc) && zfs_number(w[i + 2], &left) && size > 1e6 &&
            fabs(alloc + left - size) <= size * 0.02)
            at = i;
    if (!at) return false;
    s->col[at] = C_SIZE;
    s->col[at + 1] = C_ALLOC;
    s->col[at + 2] = C_FREE;
    double used = 100 * alloc / size;
    for (size_t i = at + 3; i < n; i++) {
        double v = percent(w[i]);
        if (health_word(w[i])) s->col[i] = C_HEALTH;
        else if (!isnan(v) && v >= floor(used) - 1 && v <= ceil(used) + 1 && s->col[i - 1] != C_CAP) {
            s->col[i] = C_CAP;
            if (i == at + 4 && !isnan(percent(w[i - 1]))) s->col[i - 1] = C_FRAG;
        }
    }
    for (size_t i = 1; i < at; i++)
        if (health_word(w[i])) s->col[i] = C_HEALTH;
    return true;
}

/* `-o name,health,size`: the columns of a list without a header. */
static bool columns_of_command(State *s) {
    s->cols = columns_asked(s->ctx->command, s->col);
    return s->cols > 0;
}

/* Do the columns of the rows before fit this one? Another `zpool list -H` behind the first has other columns and no header. */
static bool columns_fit(const State *s, const Str *w, size_t n) {
    if (n != s->cols) return false;
    for (size_t i = 1; i < n; i++) {
        double d;
        bool size = s->col[i] == C_SIZE || s->col[i] == C_ALLOC || s->col[i] == C_FREE;
        if (size ? !zfs_number(w[i], &d) : s->col[i] == C_HEALTH && !health_word(w[i])) return false;
    }
    return true;
}

static void list_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str w[MAX_COLUMNS];
    size_t n = str_words(line, w, MAX_COLUMNS);
    if (n > MAX_COLUMNS) n = MAX_COLUMNS;
    size_t indent = zfs_indent(line);
    if (!s->header && !s->cols) {
        if (!columns_of_command(s) && !guess_columns(s, w, n)) {
            s->cols = 0;
            parse_note(ctx, at, "a list without a header whose columns are not known: \"%.*s\"",
                       STR_ARG(str_sub(line, 0, 80)));
            return;
        }
    } else if (!s->header && !columns_fit(s, w, n) && zfs_indent(line) == 0) {
        State other = *s;
        if (guess_columns(&other, w, n)) {
            s->cols = other.cols;
            memcpy(s->col, other.col, sizeof s->col);
        }
    }
    /* A name may hold blanks: what is more than the columns belongs to it. -v rows leave out ALTROOT. */
    size_t extra = n > s->cols ? n - s->cols : 0;
    Str name = {w[0].p, (size_t)(w[extra].p + w[extra].len - w[0].p)};
    bool inner = indent > s->base_indent || zfs_class_header(name);
    if (!inner && s->tree.top >= 0 && (zfs_group_name(name, NULL) || zfs_leaf_name(name))) inner = true;
    if (inner && s->tree.top < 0) inner = false;
    for (size_t i = 1; i + extra < n && i < s->cols && !inner; i++) {
        Str v = w[i + extra];
        bool size = s->col[i] == C_SIZE || s->col[i] == C_ALLOC || s->col[i] == C_FREE;
        double d;
        if (size && !zfs_number(v, &d)) {
            parse_note(ctx, at, "zpool list: \"%.*s\" is no size", STR_ARG(str_sub(v, 0, 40)));
            return;
        }
    }
    if (n < 2 || (n < s->cols - 1 && !inner && s->cols > 3 && n < 4)) {
        parse_note(ctx, at, "a row of zpool list that is cut off: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
        return;
    }
    ctx->rows++;
    if (!inner) {
        begin_pool(s, name, at);
        zfs_tree_pool(&s->tree, s->pool.name, s->base_indent);
        for (size_t i = 1; i + extra < n && i < s->cols; i++)
            if (!pool_value(s, s->col[i], w[i + extra], at))
                parse_note(ctx, at, "zpool list: \"%.*s\" is no value of its column",
                           STR_ARG(str_sub(w[i + extra], 0, 40)));
        return;
    }
    /* -H puts one TAB before every row: the depth is gone, the names must do */
    if (str_starts(line, "\t") || !s->header) indent = s->base_indent;
    ZfsPlace place = zfs_tree_place(&s->tree, name, indent, -1);
    if (place.kind == ZFS_CLASS) return;
    /* How full the special vdev is stands here and nowhere else. A row right under its class, a lone disk's too, is one. */
    bool extra_class = strcmp(place.in_class, "special") == 0 || strcmp(place.in_class, "dedup") == 0;
    bool carrier = extra_class || strcmp(place.in_class, "data") == 0;
    if (place.kind == ZFS_VDEV || (carrier && str_eq(place.parent, s->pool.name))) {
        Ref node = zfs_place_ref(ctx, &s->tree, &place);
        if (extra_class) ctx_setting(ctx, node, "vdev_class", str_of(place.in_class), "kernel", at);
        for (size_t i = 1; i + extra < n && i < s->cols; i++) {
            double pct = s->col[i] == C_CAP || s->col[i] == C_FRAG ? percent(w[i + extra]) : NAN;
            if (!isnan(pct))
                ctx_setting_real(ctx, node, s->col[i] == C_CAP ? "vdev_used_pct" : "vdev_fragmentation_pct", pct,
                                 "kernel", at);
        }
    }
    bool carries = strcmp(place.in_class, "spare") != 0 && strcmp(place.in_class, "cache") != 0;
    if (carries)
        facts_edge(ctx->facts, ctx->src, zfs_place_ref(ctx, &s->tree, &place), zfs_parent_ref(ctx, &s->tree, &place),
                   at);
}

/* ---------------------------------------------------------------- zpool get */

static void get_line(State *s, Str line, Spot at) {
    ParseCtx *ctx = s->ctx;
    Str name, property, value;
    if (!get_row(line, &name, &property, &value)) {
        Str w[4];
        size_t n = str_words(line, w, 4);
        if (n >= 3 || (n == 2 && str_ends(line, "\t-"))) {
            ctx->rows++; /* a property that is none of ours: readonly, version, guid below */
            if (n < 3 || !str_is(w[1], "guid")) return;
            name = w[0];
            property = w[1];
            value = w[2];
        } else {
            parse_note(ctx, at, "not a row of zpool get: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            return;
        }
    } else {
        ctx->rows++;
    }
    bool vdev = zfs_group_name(name, NULL), leaf = !vdev && zfs_leaf_name(name);
    if (vdev || leaf) { /* vdev properties, 2.2+ */
        int64_t ashift;
        if (!str_is(property, "ashift") || !str_i64(value, &ashift) || ashift <= 0) return;
        Ref node = 0;
        if (leaf) {
            node = ctx_ref(ctx, REF_MEMBER, name);
        } else { /* zpool get ashift POOL VDEV: the pool stands before the vdevs */
            Str rest = ctx->command, pool = STR_NONE;
            int words = 0;
            for (Str w; (w = str_word(&rest)).len;) {
                if (w.p[0] == '-') continue;
                if (str_is(str_basename(w), "zpool")) words = 1;
                else if (words && ++words == 4) pool = w; /* zpool get PROPERTIES POOL */
            }
            if (!pool.len) return;
            node = ctx_ref(ctx, REF_VDEV, arena_strf(ctx->scratch, "%.*s/%.*s", STR_ARG(pool), STR_ARG(name)));
        }
        ctx_setting_int(ctx, node, "ashift", ashift, "kernel", at);
        return;
    }
    if (!str_eq(name, s->pool.name)) begin_pool(s, name, at);
    Col col = column_of(property);
    if (str_is(property, "capacity")) { /* the row that a rule about a full pool shows */
        s->pool.at = at;
        s->pool.at.text = keep(s->pool.text, sizeof s->pool.text, at.text);
    }
    if (!pool_value(s, col, value, at))
        parse_note(ctx, at, "zpool get: \"%.*s\" is no value of %.*s", STR_ARG(str_sub(value, 0, 40)),
                   STR_ARG(property));
}

/* ---------------------------------------------------------------- JSON */

static ParseResult parse_json(State *s, Str text) {
    ParseCtx *ctx = s->ctx;
    Error err = {""};
    cJSON *doc = json_read(ctx->scratch, text, &err);
    if (!doc) {
        parse_note(ctx, (Spot){.line = 1}, "%s", err.text);
        return PARSE_REJECTED;
    }
    const cJSON *pool, *property;
    cJSON_ArrayForEach(pool, json_get(doc, "pools")) {
        Str key = str_of(pool->string ? pool->string : ""), name = json_text(json_get(pool, "name"));
        Str path = json_path(ctx->scratch, STR("/pools"), pool->string ? pool->string : "");
        const cJSON *properties = json_get(pool, "properties");
        begin_pool(s, name.len ? name : key,
                   spot_path(path, json_show(ctx->scratch, json_at(properties, "/capacity/value"))));
        s->pool.at.path = path;
        Str state = json_text(json_get(pool, "state")), guid = json_text(json_get(pool, "pool_guid"));
        if (state.len) pool_value(s, C_HEALTH, state, s->pool.at);
        if (guid.len) pool_value(s, C_GUID, guid, s->pool.at);
        Str below = json_path(ctx->scratch, path, "properties");
        cJSON_ArrayForEach(property, properties) {
            Str value = json_show(ctx->scratch, json_get(property, "value"));
            Str property_name = str_of(property->string ? property->string : "");
            Spot at = spot_path(json_path(ctx->scratch, below, property->string ? property->string : ""), value);
            ctx->rows++;
            if (value.len && !pool_value(s, column_of(property_name), value, at))
                parse_note(ctx, at, "\"%.*s\" is no value of %.*s", STR_ARG(str_sub(value, 0, 40)),
                           STR_ARG(property_name));
        }
    }
    put_pool(s);
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State *s = arena_new_of(ctx->scratch, State);
    s->ctx = ctx;
    zfs_tree_init(&s->tree);
    Str line;
    bool first = true;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        Spot at = input_spot(in);
        if (first && json_looks(line)) {
            input_unread(in);
            Str text;
            if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
                parse_note(ctx, input_spot(in), "JSON of more than %d bytes", JSON_MAX_BYTES);
            return parse_json(s, text);
        }
        Str name, property, value;
        if (first && !list_header(line) && get_row(line, &name, &property, &value)) s->is_get = true;
        first = false;
        if (get_header(line)) {
            put_pool(s);
            s->is_get = true;
        } else if (list_header(line) || asked_header(ctx->command, line)) {
            put_pool(s);
            s->is_get = false;
            s->header = true;
            s->base_indent = zfs_indent(line);
            Str w[MAX_COLUMNS];
            s->cols = str_words(line, w, MAX_COLUMNS);
            if (s->cols > MAX_COLUMNS) s->cols = MAX_COLUMNS;
            for (size_t i = 0; i < s->cols; i++) s->col[i] = column_of(w[i]);
            zfs_tree_init(&s->tree);
        } else if (str_is(str_trim(line), "no pools available")) {
            continue;
        } else if (s->is_get) {
            get_line(s, line, at);
        } else {
            list_line(s, line, at);
        }
    }
    put_pool(s);
    return parse_result(ctx);
}

const Parser parser_zpool_get = {
    .name = "zpool-get",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "zpool list -v -p; zpool get -H all",
};
