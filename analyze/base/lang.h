/*
 * lang.h - the language of a report's own words
 *
 * Words of ours are marked where they stand and translated when they are written; words of a bundle (log lines, commands,
 * names, settings) never are. xgettext collects the marks: _, N_, P_:1,2, say_n:2,3 (`make po`).
 *
 *     _("Risks")                                              the translation, or the same words
 *     N_("certain")                                           marked only: a table's entry, given to _() later
 *     say(a, _("explains the {what} of {names}"), "what", x, "names", y, NULL)
 *     say_n(a, "{n} drive", "{n} drives", count, NULL)        the plural form of the language
 *     lang_phrase(a, text)                                    words that a page's SQL has made
 *
 * Sentences are whole: the order of their parts is the translator's. Never put a sentence together from translated pieces
 * with blanks and full stops between, never decline an inserted word, never test a translated string.
 *
 * The catalogues po/CODE.po are compiled by msgfmt while the program is built and lie in it; lang.c reads the .mo format that
 * the GNU gettext manual describes ("The Format of GNU MO Files"). Not gettext() of the C library: that reads files of the
 * machine at hand and speaks only locales which are installed there, so one report would have several languages, and a program
 * that is carried to a rescue system none.
 *
 * There is one language at a time, chosen before pages are loaded; English until then.
 */
#ifndef STORDX_BASE_LANG_H
#define STORDX_BASE_LANG_H

#include "arena.h"

#include <stdbool.h>

/* By a code or a locale's name ("es", "es_MX.UTF-8", "C"). False when it is not spoken here; what was chosen before stays. */
bool lang_use(Str code);
/* As gettext chooses: the first of $LANGUAGE that is spoken here, unless the locale ($LC_ALL, $LC_MESSAGES, $LANG, the first that is
   set) is C or none; else that locale; else English. */
void lang_use_environment(void);
/* "en", or the code of a catalogue: "es", "ru" */
const char *lang_code(void);
/* Codes of all languages, "en, es, ru"; for messages. */
Str lang_codes(Arena *a);

/* The message in the language chosen; itself where there is no translation. */
const char *lang_text(const char *message);
/* The same of a text that need not end with NUL. */
Str lang_str(Arena *a, Str message);
const char *lang_plural(const char *one, const char *many, unsigned long n);
#define _(message) lang_text(message)
#define N_(message) (message)
/* A table's entry with a plural: two initializers, given to lang_plural() later. */
#define P_(one, many) one, many

/*
 * Fills {name} in a message that was translated already: pairs of const char *name and Str value, then NULL. A name that the
 * pairs lack stays as it is. Values are not looked into: braces in them mean nothing.
 */
Str say(Arena *a, const char *message, ...);
/* Translates and fills; {n} is the count. */
Str say_n(Arena *a, const char *one, const char *many, unsigned long n, ...);

/* One pattern of words that SQL makes: {name} in `english` stands for any text ({n}, {n2}: for a figure), and for the same in
   `spoken`. */
typedef struct Phrase {
    Str lang, english, spoken;
    Str file; /* where it is written */
    int line;
} Phrase;

/* The phrases of all languages, kept as they are given (not copied); pages_load() gives them. */
void lang_phrases(const Phrase *items, size_t count);
/*
 * The text as the phrase that matches the whole of it says it, of several the one with the most words of its own; what stood for
 * its {names} is looked up in its turn; blanks at both ends stay. A list ("A; B", "A, B") whose every part matches is translated
 * part by part. Otherwise, and in English, the text itself.
 */
Str lang_phrase(Arena *a, Str text);
/* Does the phrase's English pattern match the whole text? */
bool lang_phrase_matches(const Phrase *p, Str text);

/* The name of the {name} that s begins with, p == NULL when it does not begin with one. */
static inline Str lang_hole(Str s) {
    if (s.len < 3 || s.p[0] != '{' || s.p[1] < 'a' || s.p[1] > 'z') return STR_NONE;
    size_t i = 1;
    while (i < s.len && ((s.p[i] >= 'a' && s.p[i] <= 'z') || ch_digit(s.p[i]) || s.p[i] == '_')) i++;
    return i < s.len && s.p[i] == '}' ? str_sub(s, 1, i - 1) : STR_NONE;
}

/* ---- for tests ---- */

/* A catalogue in .mo format instead of the built-in ones; false when it is none. Kept, not copied; NULL: none. */
bool lang_use_catalogue(const unsigned char *data, size_t len);

#endif
