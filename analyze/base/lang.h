/*
 * lang.h - the language of a report's own words
 *
 * Words of ours are marked where they stand and translated when they are written; words of a bundle (log lines, commands,
 * names, settings) never are. xgettext collects the marks: _, N_, say:2, say_n:2,3.
 *
 *     _("Risks")                                              the translation, or the same words
 *     N_("certain")                                           marked only: a table's entry, given to _() later
 *     say(a, _("explains the {what} of {names}"), "what", x, "names", y, NULL)
 *     say_n(a, "{n} drive", "{n} drives", count, NULL)        the plural form of the language
 *
 * Sentences are whole: the order of their parts is the translator's. Never put a sentence together from translated pieces
 * with blanks and full stops between, never decline an inserted word, never test a translated string.
 */
#ifndef STORDX_BASE_LANG_H
#define STORDX_BASE_LANG_H

#include "arena.h"

#include <stdbool.h>

/* By a code or a locale's name ("es", "es_MX.UTF-8"). False when it is not spoken here; what was chosen before stays. */
bool lang_use(Str code);
/* "en", "es" or "ru" */
const char *lang_code(void);

/* The message in the language chosen; itself where there is no translation. */
const char *lang_text(const char *message);
const char *lang_plural(const char *one, const char *many, unsigned long n);
#define _(message) lang_text(message)
#define N_(message) (message)

/*
 * Fills {name} in a message that was translated already: pairs of const char *name and Str value, then NULL. A name that the
 * pairs lack stays as it is.
 */
Str say(Arena *a, const char *message, ...);
/* Translates and fills; {n} is the count. */
Str say_n(Arena *a, const char *one, const char *many, unsigned long n, ...);

#endif
