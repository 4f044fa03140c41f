#include "lint.h"

#include "../base/embedded.h"
#include "../facts/models.h"
#include "../facts/samples.h"
#include "../facts/views.h"
#include "../parse/registry.h"
#include "../parse/signatures.h"
#include "evaluate.h"
#include "symptoms.h"

#include <cJSON.h>
#include <cmark.h>
#include <stdlib.h>

typedef struct Lint {
    Arena *a;
    const Pages *pages;
    const Page *page; /* being checked */
    Facts *facts;     /* empty */
    StrBuf *out;
    size_t count;
    VEC(Str) model_facts; /* names that rules/models can give */
} Lint;

static void complain(Lint *l, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void complain(Lint *l, int line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    sb_addf(l->out, "%.*s:%d: %s\n", STR_ARG(l->page->file), line, arena_vfmt(l->a, fmt, ap));
    va_end(ap);
    l->count++;
}

/* Is word one of the blank-separated words of list? */
static bool among(Str word, const char *list) {
    Str rest = str_of(list);
    for (Str w; (w = str_word(&rest)).len;)
        if (str_eq(w, word)) return true;
    return false;
}

/* ---------------------------------------------------------------- lines */

static int line_of_offset(Str text, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++)
        if (text.p[i] == '\n') line++;
    return line;
}

/* Line of a slice of the page's text; `otherwise` where it is none. */
static int line_of_slice(const Page *page, Str s, int otherwise) {
    if (!s.p || s.p < page->text.p || s.p > page->text.p + page->text.len) return otherwise;
    return line_of_offset(page->text, (size_t)(s.p - page->text.p));
}

/* The line of a key of the ```rule block, or of the block itself. */
static int line_of_key(const Page *page, const char *key) {
    Str rest = page->text;
    int line = 0, block = 0;
    while (rest.len) {
        Str l = str_cut(&rest, '\n');
        line++;
        if (!block) {
            if (str_starts(str_trim(l), "```rule")) block = line;
        } else if (str_starts(str_trim_left(l), "```")) {
            break;
        } else if (str_is(str_trim(str_cut(&l, ':')), key)) {
            return line;
        }
    }
    return block ? block : 1;
}

/* The line of a byte of an SQL block, whose fence is at `fence`; the blank lines before the first word were cut off. */
static int line_of_sql(const Page *page, int fence, Str sql, size_t offset) {
    Str rest = page->text;
    for (int i = 0; i < fence && rest.len; i++) str_cut(&rest, '\n');
    int line = fence + 1;
    while (rest.len && !str_trim(str_cut(&rest, '\n')).len) line++;
    return line + line_of_offset(sql, offset) - 1;
}

/* ---------------------------------------------------------------- what there is to refer to */

static const char scopes[] = "drive pair vdev pool array volume controller filesystem host guest";
static const char node_kinds[] = "host controller link drive partition pool vdev array volume filesystem guest process";
static const char layers[] =
    "controller link drive usb platform pool raid filesystem virtual workload quality verdict symptom";

static bool known_metric(Str name) {
    for (int i = 0; i < METRIC_COUNT; i++)
        if (str_is(name, metric_names[i])) return true;
    return false;
}

static bool known_event(Str name) {
    const Signatures *sigs = signatures_builtin(NULL);
    for (size_t i = 0; i < signatures_count(sigs); i++)
        if (str_is(name, signatures_at(sigs, i)->event)) return true;
    return false;
}

static bool known_signature(Lint *l, Str id) {
    return signatures_find(signatures_builtin(NULL), arena_cstr(l->a, id)) != NULL;
}

/* Tools that write rows: the parsers, and what the collector's raw counters become. */
static bool known_tool(Str name) {
    return registry_find(name) || str_is(name, "diskstats");
}

static void read_model_facts(Lint *l) {
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (!str_starts(str_of(embedded_files[i].path), "rules/models/")) continue;
        cJSON *doc = cJSON_ParseWithLength((const char *)embedded_files[i].data, embedded_files[i].len);
        const cJSON *model, *fact;
        cJSON_ArrayForEach(model, cJSON_GetObjectItemCaseSensitive(doc, "models")) {
            cJSON_ArrayForEach(fact, cJSON_GetObjectItemCaseSensitive(model, "facts")) {
                bool have = false;
                for (size_t k = 0; k < l->model_facts.count && !have; k++)
                    have = str_is(l->model_facts.items[k], fact->string);
                if (!have) VEC_PUSH(l->a, &l->model_facts, arena_str(l->a, str_of(fact->string)));
            }
        }
        cJSON_Delete(doc);
    }
}

static bool known_model_fact(const Lint *l, Str name) {
    for (size_t i = 0; i < l->model_facts.count; i++)
        if (str_eq(l->model_facts.items[i], name)) return true;
    return false;
}

/* ---------------------------------------------------------------- the ```rule block */

/* Lower case words with dashes between them. */
static bool well_formed_id(Str id) {
    for (size_t i = 0; i < id.len; i++) {
        char c = id.p[i];
        bool dash = c == '-';
        if (!dash && !ch_digit(c) && !(c >= 'a' && c <= 'z')) return false;
        if (dash && (i == 0 || i + 1 == id.len || id.p[i - 1] == '-')) return false;
    }
    return id.len && !ch_digit(id.p[0]);
}

static void check_identity(Lint *l) {
    const Page *p = l->page;
    Str base = str_basename(p->file);
    if (!str_ends(base, ".md") || !str_eq(str_sub(base, 0, base.len - 3), p->id))
        complain(l, line_of_key(p, "id"), "the id \"%.*s\" is not the name of the file", STR_ARG(p->id));
    if (!well_formed_id(p->id))
        complain(l, line_of_key(p, "id"), "an id is lower-case words with dashes: \"%.*s\"", STR_ARG(p->id));
    if (!among(p->layer, layers)) complain(l, 1, "\"%.*s\" is no layer: %s", STR_ARG(p->layer), layers);
    else if ((p->kind == PAGE_SYMPTOM) != str_is(p->layer, "symptom"))
        complain(l, line_of_key(p, "kind"), "symptom pages, and only they, are in the folder symptom");
    if (!str_trim(p->title).len) complain(l, 1, "the title is empty");
    if (str_find_ch(p->plain, '{') != SIZE_MAX)
        complain(l, line_of_key(p, "plain"), "plain is what stands where nothing fills a placeholder");
    if (!p->source.len) complain(l, line_of_key(p, "source"), "no source");
}

static void check_word(Lint *l, const char *key, Str value, const char *words, bool wanted) {
    const char *kind = page_kind_word(l->page->kind);
    int line = line_of_key(l->page, key);
    if (!value.len && wanted) complain(l, line, "a %s needs %s: %s", kind, key, words);
    else if (value.len && !wanted) complain(l, line, "a %s has no %s", kind, key);
    else if (value.len && !among(value, words))
        complain(l, line, "%s \"%.*s\" is none of: %s", key, STR_ARG(value), words);
}

static void check_weights(Lint *l) {
    const Page *p = l->page;
    int line = line_of_key(p, "explains");
    if (p->kind != PAGE_CAUSE && p->explains.count) complain(l, line, "only a cause explains symptoms");
    if (p->kind == PAGE_CAUSE && !p->explains.count)
        complain(l, line, "a cause explains at least one symptom; what explains none is a risk or a note");
    for (size_t i = 0; i < p->explains.count; i++) {
        const Weight *w = &p->explains.items[i];
        if (!symptom_find(w->symptom)) complain(l, line, "explains: there is no symptom \"%.*s\"", STR_ARG(w->symptom));
        if (!among(w->scope, scopes))
            complain(l, line, "explains: the scope \"%.*s\" is none of: %s", STR_ARG(w->scope), scopes);
        if (!(w->weight > 0 && w->weight <= 1))
            complain(l, line, "explains: the weight of %.*s is not above 0 and at most 1", STR_ARG(w->symptom));
        for (size_t k = 0; k < i; k++)
            if (str_eq(p->explains.items[k].symptom, w->symptom) && str_eq(p->explains.items[k].scope, w->scope))
                complain(l, line, "explains: %.*s@%.*s stands twice", STR_ARG(w->symptom), STR_ARG(w->scope));
    }
}

/* Words of the reader are lower case, as capitals in them would never be met. */
static void check_words_of(Lint *l, const char *key, const Str *words, size_t count) {
    int line = line_of_key(l->page, key);
    for (size_t i = 0; i < count; i++) {
        Str word = words[i];
        Str body = word.p[word.len - 1] == '*' ? str_sub(word, 0, word.len - 1) : word;
        bool fits = body.len >= 2;
        for (size_t k = 0; k < body.len; k++)
            fits = fits && (ch_alnum(body.p[k]) || (unsigned char)body.p[k] >= 0x80 || strchr("-/_ ", body.p[k])) &&
                   ch_lower(body.p[k]) == body.p[k];
        if (!fits)
            complain(l, line, "%s: \"%.*s\" is no lower-case word of two letters or more, with * at most at its end",
                     key, STR_ARG(word));
        for (size_t k = 0; k < i; k++)
            if (str_eq(word, words[k])) complain(l, line, "%s: \"%.*s\" stands twice", key, STR_ARG(word));
    }
}

/* `words:` are for suspects that a report can leave open, `answers:` for notes: what prose claims is never a cause. */
static void check_vocabulary(Lint *l) {
    const Page *p = l->page;
    if (p->words.count && (p->kind == PAGE_VERDICT || (p->kind == PAGE_NOTE && !p->ruled_out_sql.len) || !p->needs.len))
        complain(l, line_of_key(p, "words"), "words: this page is never among the unchecked, so nobody is quoted");
    check_words_of(l, "words", p->words.items, p->words.count);
    int line = line_of_key(p, "answers");
    if (p->answers.count && p->kind != PAGE_NOTE)
        complain(l, line, "answers: what prose claims is no evidence, so only a note may answer it");
    else if (p->answers.count && (!p->needs.len || !p->applies.len))
        complain(l, line, "answers: without needs and applies nothing tells whether the claim could be checked");
    else if ((p->answers.count > 0) != (p->as_told.len > 0))
        complain(l, line, "answers: the words and the section As told go together");
    check_words_of(l, "answers", p->answers.items, p->answers.count);
}

static void check_references(Lint *l) {
    const Page *p = l->page;
    if (p->inside.len) {
        const Page *outer = pages_find(l->pages, p->inside);
        int at = line_of_key(p, "inside");
        if (!outer || outer == p) complain(l, at, "inside: there is no other rule \"%.*s\"", STR_ARG(p->inside));
        else if (p->kind != PAGE_CAUSE || outer->kind != PAGE_CAUSE)
            complain(l, at, "inside: only a cause stands in a cause");
        else if (outer->inside.len)
            complain(l, at, "inside: %.*s itself stands inside another one", STR_ARG(p->inside));
    }
    int line = line_of_key(p, "yields-to");
    for (size_t i = 0; i < p->yields_to.count; i++) {
        Str id = p->yields_to.items[i];
        const Page *other = pages_find(l->pages, id);
        if (!other) complain(l, line, "yields-to: there is no rule \"%.*s\"", STR_ARG(id));
        else if (other == p) complain(l, line, "yields-to: a rule cannot yield to itself");
        for (size_t k = 0; other && other != p && k < other->yields_to.count; k++)
            if (str_eq(other->yields_to.items[k], p->id))
                complain(l, line, "yields-to: %.*s yields to this rule, too: both would vanish", STR_ARG(id));
    }
    line = line_of_key(p, "raises");
    if (p->kind == PAGE_SYMPTOM && !symptom_find(p->raises))
        complain(l, line, "raises: there is no symptom \"%.*s\"", STR_ARG(p->raises));
    if (p->kind != PAGE_SYMPTOM && p->raises.len) complain(l, line, "only a symptom page raises a symptom");
    if (p->group_by.len && !str_is(p->group_by, "group_key") && !among(p->group_by, node_kinds))
        complain(l, line_of_key(p, "group-by"), "group-by \"%.*s\" is neither group_key nor one of: %s",
                 STR_ARG(p->group_by), node_kinds);
}

static void check_need(Lint *l, int line, Str term) {
    Str kind = term, what = str_cut(&kind, '@');
    if (what.len < term.len && !among(kind, node_kinds) && !str_is(kind, "ctl") && !str_is(kind, "fs"))
        complain(l, line, "needs: \"%.*s\" is no kind of node: %s", STR_ARG(kind), node_kinds);
    size_t dot = str_find_ch(what, '.');
    if (dot == SIZE_MAX) return; /* tools and tables: needs_met() knows them */
    Str table = str_sub(what, 0, dot), name = str_from(what, dot + 1);
    bool known = true;
    if (str_is(table, "setting")) known = facts_known_key(name);
    if (str_is(table, "distribution")) known = known_metric(name);
    if (str_is(table, "log_event")) known = known_event(name);
    if (str_is(table, "model_fact")) known = known_model_fact(l, name);
    if (str_is(table, "pressure")) known = among(name, "io cpu memory");
    if (!known) complain(l, line, "needs: no %.*s is called \"%.*s\"", STR_ARG(table), STR_ARG(name));
}

static void check_needs(Lint *l) {
    const Page *p = l->page;
    int line = line_of_key(p, "needs");
    bool judged = p->kind != PAGE_NOTE && p->kind != PAGE_VERDICT && !p->compare;
    if (judged && !p->needs.len)
        complain(l, line, "no needs: a bundle without the facts would look as if they spoke against this");
    if (judged && !p->applies.len)
        complain(l, line_of_key(p, "applies"), "no applies: which subjects is the page about?");
    Error err = {""};
    needs_met(l->facts, l->a, p->needs, 1, 0, NULL, &err);
    if (err.text[0]) complain(l, line, "%s", err.text);
    char *spaced = arena_cstr(l->a, p->needs);
    for (char *c = spaced; *c; c++)
        if (*c == '(' || *c == ')') *c = ' ';
    Str rest = str_of(spaced);
    for (Str term; (term = str_word(&rest)).len;)
        if (!str_is(term, "and") && !str_is(term, "or")) check_need(l, line, term);
}

/* ---------------------------------------------------------------- SQL: words and strings */

typedef enum TokenKind { TOKEN_WORD, TOKEN_STRING, TOKEN_OTHER } TokenKind;
typedef struct Token {
    TokenKind kind;
    Str text; /* of a string: what is between the quotes */
} Token;
typedef VEC(Token) Tokens;

static bool word_char(char c) {
    return ch_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static void tokenize(Arena *a, Str sql, Tokens *out) {
    size_t i = 0;
    while (i < sql.len) {
        char c = sql.p[i];
        size_t from = i;
        if (ch_blank(c)) {
            i++;
            continue;
        }
        if (str_starts(str_from(sql, i), "--")) {
            while (i < sql.len && sql.p[i] != '\n') i++;
            continue;
        }
        if (str_starts(str_from(sql, i), "/*")) {
            size_t end = str_find(str_from(sql, i + 2), "*/");
            i = end == SIZE_MAX ? sql.len : i + 2 + end + 2;
            continue;
        }
        Token t = {.kind = TOKEN_OTHER};
        if (c == '\'' || c == '"') {
            for (i++; i < sql.len; i++) {
                if (sql.p[i] != c) continue;
                if (i + 1 < sql.len && sql.p[i + 1] == c) i++;
                else break;
            }
            t.kind = c == '\'' ? TOKEN_STRING : TOKEN_WORD;
            t.text = str_sub(sql, from + 1, i - from - 1);
            if (i < sql.len) i++;
        } else if (word_char(c)) {
            while (i < sql.len && word_char(sql.p[i])) i++;
            t.kind = TOKEN_WORD;
            t.text = str_sub(sql, from, i - from);
        } else {
            i++;
            if (i < sql.len && strchr("=<>!|", c) && strchr("=<>|", sql.p[i])) i++;
            t.text = str_sub(sql, from, i - from);
        }
        VEC_PUSH(a, out, t);
    }
}

static bool token_is(const Tokens *t, size_t i, const char *word) {
    return i < t->count && t->items[i].kind != TOKEN_STRING && str_ieq(t->items[i].text, str_of(word));
}

/* Is the table read at all, under whatever name? */
static bool reads_table(const Tokens *t, const char *table) {
    for (size_t i = 1; i < t->count; i++)
        if (token_is(t, i, table) &&
            (token_is(t, i - 1, "from") || token_is(t, i - 1, "join") || token_is(t, i - 1, ",")))
            return true;
    return false;
}

/* Is `name` the table itself or an alias of it somewhere in the statement? */
static bool names_table(const Tokens *t, Str name, const char *table) {
    if (str_ieq(name, str_of(table))) return true;
    for (size_t i = 1; i + 1 < t->count; i++) {
        if (!token_is(t, i, table) ||
            !(token_is(t, i - 1, "from") || token_is(t, i - 1, "join") || token_is(t, i - 1, ",")))
            continue;
        size_t k = i + 1;
        if (token_is(t, k, "(")) { /* a table with arguments */
            int depth = 0;
            for (; k < t->count; k++) {
                if (token_is(t, k, "(")) depth++;
                if (token_is(t, k, ")") && --depth == 0) break;
            }
            k++;
        }
        if (token_is(t, k, "as")) k++;
        if (k < t->count && t->items[k].kind == TOKEN_WORD && str_ieq(t->items[k].text, name)) return true;
    }
    return false;
}

/* Columns whose values are words of a list that is known here. */
typedef enum WordList {
    LIST_KEY,
    LIST_METRIC,
    LIST_EVENT,
    LIST_SIGNATURE,
    LIST_TOOL,
    LIST_RULE,
    LIST_SYMPTOM,
    LIST_MODEL_FACT,
    LIST_WORDS
} WordList;
static const struct WordColumn {
    const char *column;
    const char *tables; /* that have such a column with these words */
    const char *others; /* that have one with other words, or the words are not all known */
    WordList list;
    const char *words;
} word_columns[] = {
    {"key", "setting", "node json_each json_tree", LIST_KEY, NULL},
    {"metric", "distribution peer", "", LIST_METRIC, NULL},
    {"event", "log_event", "", LIST_EVENT, NULL},
    {"sig", "log_event", "", LIST_SIGNATURE, NULL},
    {"tool", "source distribution series lifetime sample", "benchmark", LIST_TOOL, NULL},
    {"rule", "finding", "", LIST_RULE, NULL},
    {"symptom", "finding", "", LIST_SYMPTOM, NULL},
    {"answer", "finding", "", LIST_WORDS, "found ruled-out not-checked"},
    {"fact", "model_fact", "", LIST_MODEL_FACT, NULL},
    {"view", "setting", "", LIST_WORDS, "kernel drive firmware"},
    {"resource", "pressure", "", LIST_WORDS, "io cpu memory"},
    {"media", "drive", "", LIST_WORDS, "hdd ssd nvme flash optical virtual"},
    {"bus", "drive", "", LIST_WORDS, "ata sas scsi nvme usb mmc virtio raid"},
    {"plp", "drive", "", LIST_WORDS, "yes no partial"},
    {"trim_state", "vdev", "", LIST_WORDS, "untrimmed trimming suspended completed unsupported"},
};

static bool word_known(Lint *l, const struct WordColumn *c, Str value) {
    switch (c->list) {
    case LIST_KEY: return facts_known_key(value);
    case LIST_METRIC: return known_metric(value);
    case LIST_EVENT: return known_event(value);
    case LIST_SIGNATURE: return known_signature(l, value);
    case LIST_TOOL: return known_tool(value);
    case LIST_RULE: return pages_find(l->pages, value) != NULL;
    case LIST_SYMPTOM: return symptom_find(value) != NULL;
    case LIST_MODEL_FACT: return known_model_fact(l, value);
    case LIST_WORDS: break;
    }
    return among(value, c->words);
}

static bool any_names(const Tokens *t, Str name, const char *tables) {
    Str rest = str_of(tables);
    for (Str table; (table = str_word(&rest)).len;) {
        char text[32];
        if (table.len >= sizeof text) continue;
        memcpy(text, table.p, table.len);
        text[table.len] = 0;
        if (name.len ? names_table(t, name, text) : reads_table(t, text)) return true;
    }
    return false;
}

/* Does the statement give something else the name of the column? Then a comparison with it says nothing about the table. */
static bool renamed(const Tokens *t, const char *column) {
    for (size_t i = 1; i < t->count; i++)
        if (token_is(t, i, column) && token_is(t, i - 1, "as")) return true;
    return false;
}

static void check_value(Lint *l, int fence, Str sql, const struct WordColumn *c, Str value) {
    if (!word_known(l, c, value))
        complain(l, line_of_sql(l->page, fence, sql, (size_t)(value.p - sql.p)), "%s = '%.*s': there is no such %s",
                 c->column, STR_ARG(value), c->column);
}

/* column = 'word', column IS NOT 'word', column IN ('word', ...): words that never occur make a rule that never speaks. */
static void check_words(Lint *l, int fence, Str sql) {
    Tokens t = {0};
    tokenize(l->a, sql, &t);
    for (size_t i = 0; i < t.count; i++) {
        if (t.items[i].kind != TOKEN_WORD) continue;
        for (size_t w = 0; w < sizeof word_columns / sizeof *word_columns; w++) {
            const struct WordColumn *c = &word_columns[w];
            if (!str_ieq(t.items[i].text, str_of(c->column))) continue;
            Str qualifier = i >= 2 && token_is(&t, i - 1, ".") ? t.items[i - 2].text : STR_NONE;
            bool sure = qualifier.len && any_names(&t, qualifier, c->tables);
            if (!sure && (renamed(&t, c->column) || any_names(&t, qualifier, c->others))) continue;
            size_t k = i + 1;
            if (token_is(&t, k, "=") || token_is(&t, k, "==") || token_is(&t, k, "<>") || token_is(&t, k, "!=")) {
                k++;
            } else if (token_is(&t, k, "is")) {
                if (token_is(&t, ++k, "not")) k++;
            } else {
                if (token_is(&t, k, "not")) k++;
                if (!token_is(&t, k, "in") || !token_is(&t, k + 1, "(")) continue;
                for (k += 2; k < t.count && !token_is(&t, k, ")"); k++)
                    if (t.items[k].kind == TOKEN_STRING) check_value(l, fence, sql, c, t.items[k].text);
                continue;
            }
            if (k < t.count && t.items[k].kind == TOKEN_STRING && !token_is(&t, k + 1, "||"))
                check_value(l, fence, sql, c, t.items[k].text);
        }
    }
}

/* ---------------------------------------------------------------- SQL: what SQLite says */

typedef VEC(Str) Names;

static bool has_name(const Names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (str_is(names->items[i], name)) return true;
    return false;
}

/* Where a citation is put together of two rows, "min(x.src) ..., min(x.line)" or the same with max; SIZE_MAX: nowhere. */
static size_t mixed_rows(Str sql) {
    static const char *const ends[] = {"min(", "max("};
    for (size_t e = 0; e < 2; e++)
        for (size_t at = 0, found; (found = str_find(str_from(sql, at), ends[e])) != SIZE_MAX;) {
            at += found + 4;
            Str rest = str_from(sql, at), inner = str_cut(&rest, ')');
            if (!str_is(inner, "src") && !str_ends(inner, ".src")) continue;
            Str next = str_trim_left(str_cut(&rest, ','));
            if (next.len && !str_istarts(next, "as ")) continue;
            rest = str_trim_left(rest);
            if (!str_starts(rest, ends[e])) continue;
            rest = str_from(rest, 4);
            inner = str_cut(&rest, ')');
            if (str_is(inner, "line") || str_ends(inner, ".line")) return at - 4;
        }
    return SIZE_MAX;
}

/* Where a text in the statement says "line(s)"; SIZE_MAX: nowhere. max(s) outside of texts is a function. */
static size_t both_numbers(Str sql) {
    bool quoted = false;
    for (size_t i = 0; i < sql.len; i++) {
        if (sql.p[i] == '\'') quoted = !quoted;
        else if (quoted && i && ch_alpha(sql.p[i - 1]) && str_starts(str_from(sql, i), "(s)")) return i;
    }
    return SIZE_MAX;
}

/* Prepares and runs over the empty database. columns gets the names of the result. */
static bool check_statement(Lint *l, const char *what, int fence, int line, Str sql, Names *columns,
                            Names *parameters) {
    sqlite3 *db = facts_db(l->facts);
    sqlite3_stmt *st = NULL;
    const char *tail = NULL;
    evaluate_lock(db);
    int rc = sqlite3_prepare_v2(db, sql.p, (int)sql.len, &st, &tail);
    bool good = rc == SQLITE_OK && st;
    if (rc != SQLITE_OK) {
        int at = sqlite3_error_offset(db);
        complain(l, fence && at >= 0 ? line_of_sql(l->page, fence, sql, (size_t)at) : line, "%s: %s", what,
                 sqlite3_errmsg(db));
    } else if (str_has(sql, "coalesce(printf(")) {
        complain(l, fence ? line_of_sql(l->page, fence, sql, str_find(sql, "coalesce(printf(")) : line,
                 "%s: printf() makes 0 of NULL, so coalesce() never falls back: fmt() gives NULL", what);
    } else if (mixed_rows(sql) != SIZE_MAX) {
        complain(l, fence ? line_of_sql(l->page, fence, sql, mixed_rows(sql)) : line,
                 "%s: min(src) and min(line) may be of two rows: first_line(src, line) goes with min(src)", what);
    } else if (both_numbers(sql) != SIZE_MAX) {
        complain(l, fence ? line_of_sql(l->page, fence, sql, both_numbers(sql)) : line,
                 "%s: \"(s)\" leaves counting to the reader: counted(n, 'word') gives \"1 word\" or \"3 words\"", what);
    } else if (!st || str_trim(str_from(sql, (size_t)(tail - sql.p))).len) {
        complain(l, line, "%s: one statement is expected", what);
        good = false;
    }
    for (int i = 0; good && i < sqlite3_column_count(st); i++)
        VEC_PUSH(l->a, columns, arena_str(l->a, str_of(sqlite3_column_name(st, i))));
    for (int i = 1; good && i <= sqlite3_bind_parameter_count(st); i++) {
        const char *name = sqlite3_bind_parameter_name(st, i);
        VEC_PUSH(l->a, parameters, arena_str(l->a, str_of(name ? name : "?")));
        sqlite3_bind_int64(st, i, 1);
    }
    if (good) {
        int node = -1;
        for (int i = 0; i < sqlite3_column_count(st) && node < 0; i++)
            if (strcmp(sqlite3_column_name(st, i), "node") == 0) node = i;
        while ((rc = sqlite3_step(st)) == SQLITE_ROW)
            if (node >= 0 && sqlite3_column_type(st, node) != SQLITE_NULL) {
                complain(l, line, "%s: gives a node although there are no facts", what);
                break;
            }
        if (rc != SQLITE_ROW && rc != SQLITE_DONE) complain(l, line, "%s: %s", what, sqlite3_errmsg(db));
    }
    sqlite3_finalize(st);
    evaluate_unlock(db);
    return good;
}

static void check_parameters(Lint *l, const char *what, int line, const Names *parameters) {
    const char *allowed = l->page->compare ? ":before :after" : ":capture";
    for (size_t i = 0; i < parameters->count; i++)
        if (!among(parameters->items[i], allowed))
            complain(l, line, "%s: the parameter %.*s; there is only %s", what, STR_ARG(parameters->items[i]), allowed);
    Str rest = str_of(allowed);
    for (Str name; (name = str_word(&rest)).len;)
        if (!has_name(parameters, arena_cstr(l->a, name)))
            complain(l, line, "%s: does not filter by %.*s", what, STR_ARG(name));
}

static void want_columns(Lint *l, const char *what, int line, const Names *columns, const char *wanted) {
    Str rest = str_of(wanted);
    for (Str name; (name = str_word(&rest)).len;)
        if (!has_name(columns, arena_cstr(l->a, name))) complain(l, line, "%s: no column %.*s", what, STR_ARG(name));
    for (size_t i = 0; i < columns->count; i++)
        for (size_t k = 0; k < i; k++)
            if (str_eq(columns->items[i], columns->items[k]))
                complain(l, line, "%s: two columns are called %.*s", what, STR_ARG(columns->items[i]));
}

static void check_sql(Lint *l, Names *columns) {
    const Page *p = l->page;
    Names parameters = {0}, others = {0};
    int line = p->evidence_line;
    if (check_statement(l, "Evidence", p->evidence_line, line, p->evidence_sql, columns, &parameters)) {
        check_parameters(l, "Evidence", line, &parameters);
        want_columns(l, "Evidence", line, columns,
                     p->kind == PAGE_SYMPTOM ? "node value unit threshold confidence basis evidence"
                     : p->kind == PAGE_NOTE  ? "node confidence"
                                             : "node confidence evidence");
        if (str_is(p->group_by, "group_key") && !has_name(columns, "group_key"))
            complain(l, line, "Evidence: group-by wants a column group_key");
    }
    check_words(l, p->evidence_line, p->evidence_sql);
    if (p->ruled_out_sql.len) {
        parameters.count = 0;
        line = p->ruled_out_line;
        if (check_statement(l, "Ruled out", p->ruled_out_line, line, p->ruled_out_sql, &others, &parameters)) {
            check_parameters(l, "Ruled out", line, &parameters);
            want_columns(l, "Ruled out", line, &others, "node reason evidence");
        }
        check_words(l, p->ruled_out_line, p->ruled_out_sql);
    }
    if (p->applies.len && !p->compare) {
        Str sql = applies_query(p->applies);
        line = line_of_key(p, "applies");
        parameters.count = others.count = 0;
        if (str_eq(sql, p->applies) && str_find_ch(sql, ' ') == SIZE_MAX)
            complain(l, line, "applies \"%.*s\" is neither a kind of node that can be asked for nor a query",
                     STR_ARG(sql));
        else if (check_statement(l, "applies", 0, line, sql, &others, &parameters))
            check_parameters(l, "applies", line, &parameters);
    }
}

/* ---------------------------------------------------------------- the text */

typedef struct PlaceholderCheck {
    Lint *l;
    const Names *columns;
    const char *section;
    int line; /* of text that is no slice of the page */
} PlaceholderCheck;

static void check_placeholder(void *arg, Str name) {
    PlaceholderCheck *c = arg;
    bool known = among(name, "subjects count models places serials drives_long by_id");
    for (size_t i = 0; i < c->columns->count && !known; i++)
        known = str_eq(c->columns->items[i], name) && !str_is(name, "node") && !str_is(name, "evidence");
    if (!known)
        complain(c->l, line_of_slice(c->l->page, name, c->line),
                 "%s: {%.*s} is no column of the Evidence and no name that is always there", c->section, STR_ARG(name));
}

/* "{words_}" looks like a placeholder and is printed as it stands: a name ends in a letter or digit. */
static void check_near_placeholders(Lint *l, const char *section, Str text) {
    for (size_t at; (at = str_find_ch(text, '{')) != SIZE_MAX;) {
        text = str_from(text, at + 1);
        size_t n = 0;
        while (n < text.len && ((text.p[n] >= 'a' && text.p[n] <= 'z') || ch_digit(text.p[n]) || text.p[n] == '_')) n++;
        if (n > 1 && n < text.len && text.p[n] == '}' && text.p[0] >= 'a' && text.p[0] <= 'z' && text.p[n - 1] == '_')
            complain(l, line_of_slice(l->page, text, 1),
                     "%s: {%.*s} is no placeholder: a name ends in a letter or digit", section, (int)n, text.p);
    }
}

/*
 * "**Danger: what it costs.**": strong words that begin so are a danger, and the reports set them apart, before the step. Nothing else
 * is strong in a step, so that a translation needs no mark of its own.
 */
static void check_dangers(Lint *l, const char *section, Str text) {
    static const char word[] = "Danger";
    Rich rich = page_rich(l->a, text, NULL);
    for (size_t i = 0; i < rich.count; i++) {
        const Block *b = &rich.blocks[i];
        bool danger = false;
        for (size_t k = 0; k < b->span_count; k++) {
            const Span *s = &b->spans[k];
            if (s->style & SPAN_CODE) continue;
            if (!(s->style & SPAN_STRONG)) {
                danger = false;
                if (str_has(s->text, "Danger:") || str_has(s->text, "Danger first") || str_has(s->text, "(danger:"))
                    complain(l, 1, "%s: write a danger as \"**Danger: ...**\", so that it stands before its step",
                             section);
                continue;
            }
            danger = danger || str_starts(s->text, "Danger: ");
            if (!danger && (str_is(str_of(section), "Fix") || str_starts(s->text, word)))
                complain(l, 1, "%s: strong words are a danger and begin with \"Danger: \"", section);
        }
    }
}

static void check_text(Lint *l, const Names *columns) {
    const Page *p = l->page;
    struct {
        const char *name;
        Str text;
        bool wanted;
    } sections[] = {
        {"title", p->title, true},
        {"summary", p->summary, true},
        {"Fix", p->fix, p->kind == PAGE_CAUSE || p->kind == PAGE_RISK},
        {"Verify", p->verify, p->kind == PAGE_CAUSE},
        {"Not this", p->not_this, false},
        {"As told", p->as_told, false},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        PlaceholderCheck c = {l, columns, sections[i].name, 1};
        if (sections[i].wanted && !sections[i].text.len)
            complain(l, 1, "a %s needs a %s", page_kind_word(p->kind), sections[i].name);
        if (str_has(sections[i].text, "(s)"))
            complain(l, 1, "%s: \"(s)\" leaves counting to the reader: fill it with counted()", sections[i].name);
        if (columns->count) placeholders_in(l->a, sections[i].text, check_placeholder, &c);
        check_near_placeholders(l, sections[i].name, sections[i].text);
        if (sections[i].text.len) check_dangers(l, sections[i].name, sections[i].text);
    }
    cmark_node *doc = cmark_parse_document(p->text.p, p->text.len, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
    if (!doc) return;
    cmark_iter *it = cmark_iter_new(doc);
    int line = 1;
    for (cmark_event_type event; (event = cmark_iter_next(it)) != CMARK_EVENT_DONE;) {
        cmark_node *n = cmark_iter_get_node(it);
        if (event != CMARK_EVENT_ENTER) continue;
        if (cmark_node_get_start_line(n) > 0) line = cmark_node_get_start_line(n);
        switch (cmark_node_get_type(n)) {
        case CMARK_NODE_LINK:
        case CMARK_NODE_IMAGE: {
            Str url = str_of(cmark_node_get_url(n));
            if (cmark_node_get_type(n) == CMARK_NODE_IMAGE) complain(l, line, "a report shows no images");
            else if (str_find_ch(url, '{') != SIZE_MAX)
                complain(l, line, "no placeholders in link targets: %.*s", STR_ARG(url));
            else if (!str_starts(url, "https://") && !str_starts(url, "http://"))
                complain(l, line, "a link goes to http or https: %.*s", STR_ARG(url));
            break;
        }
        case CMARK_NODE_HTML_BLOCK:
        case CMARK_NODE_HTML_INLINE:
            if (!str_starts(str_trim_left(str_of(cmark_node_get_literal(n))), "<!--"))
                complain(l, line, "raw HTML is left out of reports; write <names> as `code`");
            break;
        case CMARK_NODE_CODE: /* in running text the drives of one finding are joined: "hdparm -W1 A, B" runs nowhere */
            if ((p->group_by.len || has_name(columns, "group_key")) &&
                str_has(str_of(cmark_node_get_literal(n)), "{by_id}"))
                complain(l, line,
                         "{by_id} of several drives needs a code block, which repeats the line for each of them");
            break;
        default: break;
        }
    }
    cmark_iter_free(it);
    cmark_node_free(doc);
}

/* ---------------------------------------------------------------- cases */

static void check_cases(Lint *l) {
    const Page *p = l->page;
    size_t wanted = p->ruled_out_sql.len ? 3 : 2;
    bool found = false, ruled_out = false, other = false;
    for (size_t i = 0; i < p->cases.count; i++) {
        Str rest = p->cases.items[i].text;
        while (rest.len) {
            Str line = str_cut(&rest, '\n');
            if (!str_is(str_word(&line), "expect")) continue;
            Str answer = str_word(&line);
            found = found || str_is(answer, "found");
            ruled_out = ruled_out || str_is(answer, "ruled-out");
            other = other || !str_is(answer, "found");
        }
    }
    int line = p->cases.count ? p->cases.items[0].line : 1;
    if (p->cases.count < wanted)
        complain(l, line, "%zu cases; %zu are wanted: one that fires, a near miss%s", p->cases.count, wanted,
                 wanted > 2 ? ", one that rules out" : "");
    else if (!found) complain(l, line, "no case expects the page to find something");
    else if (p->ruled_out_sql.len && !ruled_out) complain(l, line, "no case expects the page to rule something out");
    else if (!other) complain(l, line, "no case is a near miss");
}

size_t rules_lint(Arena *a, const Pages *pages, StrBuf *problems) {
    Lint l = {.a = a, .pages = pages, .out = problems};
    for (size_t i = 0; i < pages->problems.count; i++) {
        sb_addf(problems, "%.*s\n", STR_ARG(pages->problems.items[i]));
        l.count++;
    }
    Error err = {""};
    l.facts = facts_new(a, &err);
    if (!l.facts || !views_create(facts_db(l.facts), a, NULL, 0, &err)) {
        sb_addf(problems, "analyze/facts/schema.sql:1: %s\n", err.text);
        return l.count + 1;
    }
    facts_flush(l.facts);
    read_model_facts(&l);
    for (size_t i = 0; i < pages->count; i++) {
        const Page *p = l.page = pages->items[i];
        Names columns = {0};
        check_identity(&l);
        check_word(&l, "class", p->class_, "saturation misconfiguration degradation fault other",
                   p->kind == PAGE_CAUSE || p->kind == PAGE_RISK);
        check_word(&l, "impact", p->impact, "severe major minor",
                   p->kind == PAGE_CAUSE || p->kind == PAGE_RISK || p->kind == PAGE_SYMPTOM);
        check_weights(&l);
        check_references(&l);
        check_vocabulary(&l);
        check_needs(&l);
        check_sql(&l, &columns);
        check_text(&l, &columns);
        check_cases(&l);
    }
    return l.count + translations_lint(a, pages, problems);
}

typedef struct SignatureReport {
    StrBuf *out;
} SignatureReport;

static void report_signature(void *arg, const char *file, const char *id, const char *problem) {
    SignatureReport *r = arg;
    sb_addf(r->out, "%s:1: %s: %s\n", file, id && *id ? id : "signature", problem);
}

size_t knowledge_lint(Arena *a, const Pages *pages, StrBuf *problems) {
    size_t count = rules_lint(a, pages, problems);
    Error err = {""};
    const Signatures *sigs = signatures_builtin(&err);
    if (err.text[0]) {
        sb_addf(problems, "rules/signatures:1: %s\n", err.text);
        count++;
    }
    SignatureReport report = {problems};
    count += signatures_lint(sigs, report_signature, &report);
    return count + models_lint(problems);
}
