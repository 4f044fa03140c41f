#include "presence.h"

#include "column.h"

#include <stdio.h>

enum { SLOTS = 4096, MAX_KNOWN = SLOTS / 2, MAX_WORDS = 600 /* of one column */ };

typedef enum PresenceAnswer { NO, YES, NOT_ASKED } PresenceAnswer;

typedef struct Known { /* a table ("event"), a column ("event.event"), or a word of a column */
    Str name, word;
    PresenceAnswer there; /* of a column: are all its words known? */
} Known;

struct Presence {
    Arena *a;
    sqlite3 *db;
    Known slots[SLOTS]; /* open addressing */
    size_t count;
};

static Known *slot_of(Presence *p, Str name, Str word) {
    size_t i = (str_hash(name) + 31 * str_hash(word)) % SLOTS;
    while (p->slots[i].name.p && !(str_eq(p->slots[i].word, word) && str_eq(p->slots[i].name, name)))
        i = (i + 1) % SLOTS;
    return &p->slots[i];
}

/* Copies what it keeps. false where there are too many. */
static bool remember(Presence *p, Str name, Str word, PresenceAnswer there) {
    Known *k = slot_of(p, name, word);
    if (!k->name.p) {
        if (p->count == MAX_KNOWN) return false;
        *k = (Known){.name = arena_str(p->a, name), .word = arena_str(p->a, word)};
        p->count++;
    }
    k->there = there;
    return true;
}

void presence_know(Presence *p, Str table) {
    if (!slot_of(p, table, STR_NONE)->name.p) remember(p, table, STR_NONE, NOT_ASKED);
}

void presence_look_again(Presence *p) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(p->db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'finding'", -1, &st,
                           NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(st) == SQLITE_ROW) presence_know(p, column_text(p->a, st, 0));
    sqlite3_finalize(st);
}

Presence *presence_new(Arena *a, sqlite3 *db) {
    Presence *p = arena_new_of(a, Presence);
    p->a = a;
    p->db = db;
    presence_look_again(p);
    return p;
}

/* Does the query give a row? Where SQLite refuses it, nothing is known: yes. */
static bool gives_row(Presence *p, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(p->db, sql, -1, &st, NULL) != SQLITE_OK) return true;
    int rc = sqlite3_step(st);
    sqlite3_finalize(st);
    return rc != SQLITE_DONE;
}

/* NO where the table has no row, NOT_ASKED where it is none of which anything can be known. */
static PresenceAnswer has_rows(Presence *p, Str table) {
    Known *k = slot_of(p, table, STR_NONE);
    if (!k->name.p) return NOT_ASKED;
    if (k->there == NOT_ASKED)
        k->there = gives_row(p, arena_fmt(p->a, "SELECT 1 FROM \"%.*s\" LIMIT 1", STR_ARG(table))) ? YES : NO;
    return k->there;
}

/* Reads the words of a column once; false where they are too many, or there is no such column. */
static bool knows_words(Presence *p, Str column) {
    Known *k = slot_of(p, column, STR_NONE);
    if (k->name.p) return k->there == YES;
    Str name = column, table = str_cut(&name, '.');
    sqlite3_stmt *st;
    /* The table's name before the column's: in double quotes alone, what is no column would be a text. */
    const char *sql = arena_fmt(p->a, "SELECT DISTINCT \"%.*s\".\"%.*s\" FROM \"%.*s\"", STR_ARG(table), STR_ARG(name),
                                STR_ARG(table));
    bool all = sqlite3_prepare_v2(p->db, sql, -1, &st, NULL) == SQLITE_OK;
    if (all) {
        int rc, words = 0;
        while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(st, 0);
            Str word = {text, text ? (size_t)sqlite3_column_bytes(st, 0) : 0};
            if (word.len && (++words > MAX_WORDS || !remember(p, column, word, YES))) break;
        }
        all = rc == SQLITE_DONE;
        sqlite3_finalize(st);
    }
    remember(p, column, STR_NONE, all ? YES : NO);
    return all;
}

/* A number may be written in another way: of a whole one there is only one other, as a real number; of others nothing is known. */
static bool may_equal(Presence *p, Str column, Str number) {
    char real[16];
    for (size_t i = 0; i < number.len; i++)
        if (!ch_digit(number.p[i])) return true;
    if (number.len > 9 || (number.len > 1 && number.p[0] == '0')) return true;
    snprintf(real, sizeof real, "%.*s.0", STR_ARG(number));
    return slot_of(p, column, str_of(real))->name.p;
}

/* "table" or "table.column=word|word" */
static bool meets_atom(Presence *p, Str atom) {
    size_t equal = str_find_ch(atom, '=');
    Str column = str_sub(atom, 0, equal), rest = column, table = str_cut(&rest, '.');
    PresenceAnswer rows = has_rows(p, table);
    if (rows != YES || equal == SIZE_MAX) return rows != NO;
    if (!knows_words(p, column)) return true;
    for (Str words = str_from(atom, equal + 1); words.len;) {
        Str word = str_cut(&words, '|');
        if (slot_of(p, column, word)->name.p) return true;
        if (word.len && ch_digit(word.p[0]) && may_equal(p, column, word)) return true;
    }
    return false;
}

bool presence_meets(Presence *p, Str demand) {
    while (demand.len) {
        bool met = false;
        for (Str clause = str_cut(&demand, '\n'); clause.len && !met;) met = meets_atom(p, str_cut(&clause, '\t'));
        if (!met) return false;
    }
    return true;
}
