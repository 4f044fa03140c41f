#include "prose.h"

static bool letter(char c) {
    return ch_alpha(c) || (unsigned char)c >= 0x80;
}

/* "fine,", "(PVE", "I/O", "don't", "web-interface": letters, joined by what joins words. */
static bool is_word(Str s) {
    while (s.len && (s.p[0] == '(' || s.p[0] == '"' || s.p[0] == '\'' || s.p[0] == '*')) s = str_from(s, 1);
    while (s.len && !letter(s.p[s.len - 1]) && !ch_digit(s.p[s.len - 1]) && s.p[s.len - 1] != '/') s.len--;
    if (!s.len || !letter(s.p[0])) return false;
    for (size_t i = 0; i < s.len; i++)
        if (!letter(s.p[i]) && s.p[i] != '-' && s.p[i] != '\'' && s.p[i] != '/') return false;
    return true;
}

bool prose_line(Str line) {
    Str rest = str_trim(line);
    size_t tokens = 0, words = 0, lower = 0, wide = 0, signs = 0, label = 0;
    while (rest.len && (rest.p[0] == '>' || rest.p[0] == '*' || rest.p[0] == '-') && rest.len > 1 &&
           ch_blank(rest.p[1]))
        rest = str_trim_left(str_from(rest, 1)); /* quoted, or one of a list */
    Str all = rest;
    for (size_t i = 0; i < all.len; i++) {
        wide += (unsigned char)all.p[i] >= 0xe0; /* lead bytes of three and more: scripts without blanks among them */
        signs += all.p[i] == '=' || all.p[i] == '|' || all.p[i] == '{' || all.p[i] == '\t';
    }
    for (Str word; (word = str_word(&rest)).len; tokens++) {
        if (tokens < 2 && word.p[word.len - 1] == ':') label = tokens + 1;
        bool is = is_word(word);
        words += is;
        lower += is && ((word.p[0] >= 'a' && word.p[0] <= 'z') || (unsigned char)word.p[0] >= 0x80);
    }
    /* A comment of a configuration file is prose, too, but not of who sent it. */
    if (signs > 1 || (all.len && (all.p[0] == '#' || all.p[0] == ';'))) return false;
    if (wide >= 4 && wide * 6 >= all.len) return true;
    /* "Model name: Contoso" is a row of a tool, "Note: the CPU is idle" is not. */
    if (label && tokens - label <= 2) return false;
    return tokens >= 3 && lower >= 1 && words * 3 >= tokens * 2;
}

bool prose_member(Str path, Str command) {
    static const char *const stems[] = {"complaint", "description", "note",    "notes", "readme", "ticket",
                                        "issue",     "problem",     "symptom", "story", "mail",   "request"};
    enum { NEAR_TOP = 3 };
    if (command.len) return false;
    size_t folders = 0;
    for (size_t i = 0; i < path.len; i++) folders += path.p[i] == '/' || path.p[i] == '!';
    if (folders > NEAR_TOP) return false;
    Str base = str_basename(path);
    size_t dot = str_rfind_ch(base, '.');
    Str stem = dot == SIZE_MAX ? base : str_sub(base, 0, dot), end = dot == SIZE_MAX ? STR("") : str_from(base, dot);
    if (str_ieq(end, STR(".txt")) || str_ieq(end, STR(".md")) || str_ieq(end, STR(".eml"))) return true;
    if (dot != SIZE_MAX && dot > 0) return false;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (str_ieq(stem, str_of(stems[i]))) return true;
    return false;
}

void prose_add(Prose *p, Arena *a, int64_t line, Str text) {
    text = str_trim(text);
    if (!prose_line(text)) return;
    if (p->kept >= PROSE_MEMBER_LINES) {
        p->left_out++;
        return;
    }
    p->kept++;
    ProseLine kept = {line, arena_str(a, str_sub(text, 0, FACTS_LINE_CLIP))};
    VEC_PUSH(a, &p->lines, kept);
}

Str prose_end(Prose *p, Facts *f, Arena *a, int64_t src) {
    for (size_t i = 0; i < p->lines.count; i++)
        if (!facts_statement(f, src, p->lines.items[i].line, p->lines.items[i].text)) p->left_out++;
    p->lines.count = 0;
    Str note = p->left_out
                   ? arena_strf(a, "%lld more lines of prose were not kept as statements", (long long)p->left_out)
                   : STR_NONE;
    p->left_out = 0;
    return note;
}
