#include "expect.h"

#include <stdio.h>

Str expect_field(Str line, const char *key) {
    for (Str word; (word = str_word(&line)).len;) {
        Str rest = str_after(word, key);
        if (rest.p && rest.len && rest.p[0] == '=') return str_from(rest, 1);
    }
    return STR_NONE;
}

/* NAME of an expect line: id, kernel name, serial, model or label, whole or as a part. Whole where it is a kernel name. */
static bool named(const Subject *s, Str name) {
    if (str_eq(s->name, name)) return true;
    const Str parts[] = {s->id, s->serial, s->model, s->place.label};
    char z[128];
    snprintf(z, sizeof z, "%.*s", STR_ARG(name));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (name.len > 3 && str_has(parts[i], z)) return true;
    return str_is(name, "host") && str_is(s->kind, "host");
}

bool expect_names(const SubjectList *list, Str name) {
    for (size_t i = 0; i < list->count; i++)
        if (named(&list->items[i], name)) return true;
    return false;
}

bool expect_subjects(const SubjectList *list, Str subject) {
    str_cut(&subject, ':');
    while (subject.len)
        if (!expect_names(list, str_cut(&subject, '+'))) return false;
    return true;
}

static bool in_list(const FindingList *list, Str id, Str at) {
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i]->rule, id) && (!at.p || expect_names(&list->items[i]->subjects, at))) return true;
    return false;
}

static bool alternative(const FindingList *list, Str ids) { /* "a|b" */
    while (ids.len)
        if (in_list(list, str_cut(&ids, '|'), STR_NONE)) return true;
    return false;
}

static size_t complain(StrBuf *out, const char *what, Str id) {
    sb_addf(out, "  %s %.*s\n", what, STR_ARG(id));
    return 1;
}

size_t expect_diagnosis(const Diagnosis *d, Str line, StrBuf *out) {
    size_t bad = 0;
    Str top = expect_field(line, "top"), subjects = expect_field(line, "subject");
    bool any_of = !expect_field(line, "stage").p; /* the posts' lines: any of the ids may stand first */
    FindingList open = {0};
    for (size_t i = 0; i < d->causes.count; i++)
        if (!d->causes.items[i]->covered_by.len) open = (FindingList){d->causes.items, i + 1, i + 1};
    if (str_is(top, "none")) {
        for (size_t i = 0; i < open.count; i++)
            bad += complain(out, "a cause where none is expected:", open.items[i]->rule);
    } else if (any_of && top.p) {
        bool hit = false;
        for (Str rest = top; rest.len;) {
            Str id = str_cut(&rest, ',');
            hit = hit || (open.count && str_eq(open.items[0]->rule, id));
        }
        if (!hit)
            bad += complain(out, open.count ? "the first cause is" : "no cause; expected",
                            open.count ? open.items[0]->rule : top);
    } else {
        for (size_t at = 0; top.len; at++) {
            Str id = str_cut(&top, ','), subject = str_cut(&subjects, ',');
            bool verdict = in_list(&d->verdicts, id, STR_NONE);
            if (!verdict && (at >= open.count || !str_eq(open.items[at]->rule, id))) {
                bad += complain(out, "missing at its place among the causes:", id);
                if (at < open.count) bad += complain(out, "  there stands", open.items[at]->rule);
            } else if (subject.len && !verdict && !expect_subjects(&open.items[at]->subjects, subject)) {
                bad += complain(out, "wrong subjects:", id);
            }
        }
    }
    for (Str list = expect_field(line, "must"); list.len;) {
        Str id = str_cut(&list, ',');
        if (str_is(id, "-") || alternative(&d->causes, id) || alternative(&d->risks, id) ||
            alternative(&d->notes, id) || alternative(&d->symptoms, id) || alternative(&d->verdicts, id))
            continue;
        bad += complain(out, "missing anywhere:", id);
    }
    for (Str list = expect_field(line, "ruled_out"); list.len;) {
        Str item = str_cut(&list, ','), at = item, id = str_cut(&at, '@');
        bool hit = str_is(id, "-");
        for (size_t i = 0; i < d->ruled_out.count && !hit; i++)
            hit = str_eq(d->ruled_out.items[i].rule, id) &&
                  (!at.len || expect_names(&d->ruled_out.items[i].subjects, at));
        if (!hit) bad += complain(out, "not ruled out:", item);
    }
    for (Str list = expect_field(line, "not_checked"); list.len;) {
        Str id = str_cut(&list, ',');
        bool hit = str_is(id, "-");
        for (size_t i = 0; i < d->not_checked.count && !hit; i++) hit = str_eq(d->not_checked.items[i].rule, id);
        if (!hit) bad += complain(out, "not among the unchecked:", id);
    }
    for (Str list = expect_field(line, "forbid"); list.len;) {
        Str item = str_cut(&list, ','), at = item, id = str_cut(&at, '@');
        Str where = at.len ? at : STR_NONE;
        if (in_list(&d->causes, id, where) || in_list(&d->risks, id, where) || in_list(&d->verdicts, id, where))
            bad += complain(out, "forbidden:", item);
    }
    Str status = expect_field(line, "status");
    if (status.p && !str_eq(status, d->status)) bad += complain(out, "the status is", d->status);
    return bad;
}

static size_t check_list(const FindingList *list, Str ids, const char *what, StrBuf *out) {
    size_t bad = 0;
    if (str_is(ids, "-")) {
        for (size_t i = 0; i < list->count; i++)
            if (list->items[i]->rank > 0)
                bad += complain(out, arena_fmt(out->arena, "a cause among the %s:", what), list->items[i]->rule);
        return bad;
    }
    while (ids.len) {
        Str id = str_cut(&ids, ',');
        if (!alternative(list, id)) bad += complain(out, arena_fmt(out->arena, "missing among the %s:", what), id);
    }
    return bad;
}

size_t expect_comparison(const Comparison *c, Str line, StrBuf *out) {
    size_t bad = 0;
    Str verdict = expect_field(line, "verdict"), subject = expect_field(line, "subject");
    bool first = true;
    while (verdict.len) {
        Str id = str_cut(&verdict, ',');
        if (str_is(id, "-")) {
            if (c->verdicts.count)
                bad += complain(out, "a verdict where none is expected:", c->verdicts.items[0]->rule);
            break;
        }
        bool hit = false, right = false;
        for (size_t i = 0; i < c->verdicts.count; i++)
            if (str_eq(c->verdicts.items[i]->rule, id)) {
                hit = true;
                right = right || !first || !subject.len || expect_subjects(&c->verdicts.items[i]->subjects, subject);
            }
        if (!hit) bad += complain(out, "missing verdict:", id);
        if (hit && !right) bad += complain(out, "wrong subjects of the verdict", id);
        first = false;
    }
    bad += check_list(&c->resolved, expect_field(line, "resolved"), "resolved", out);
    bad += check_list(&c->new_, expect_field(line, "new"), "new", out);
    bad += check_list(&c->remaining, expect_field(line, "remaining"), "remaining", out);
    for (Str list = expect_field(line, "forbid"); list.len;) {
        Str id = str_cut(&list, ',');
        if (in_list(&c->verdicts, id, STR_NONE)) bad += complain(out, "forbidden verdict:", id);
    }
    return bad;
}
