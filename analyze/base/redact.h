/*
 * redact.h - keyed tokens in place of what identifies a drive, a host or a person
 *
 *   token(KIND, VALUE) = KIND "-" first 8 hex digits of HMAC-SHA-256(key, KIND 0x1f VALUE)
 *
 * so the same value has the same token in every file and, with the same key, in every later upload: drives can still be followed. The
 * collector uses the same algorithm. Kinds and how a value is brought into one spelling before it is hashed:
 *
 *   WWN EUI          hex digits, lower case, without blanks, colons and hyphens; EUI is EUI-64 and NGUID
 *   SN               outer blanks off, inner runs of blanks and '_' as one '_'; case kept
 *   host dom mail    lower case; dom is what follows the first label of a host's name
 *   user NQN         as it is; NQN also of iSCSI names
 *   ip4 ip6 lan4 lan6  canonical text; lan: private and link-local ranges
 *   MAC              12 hex digits, lower case
 *
 * Models, firmware, sizes, pool and array ids, PCI addresses, ports and kernel names stay: they join the facts and name nobody. All-zero and
 * all-F identities are none and stay, too.
 */
#ifndef STORDX_BASE_REDACT_H
#define STORDX_BASE_REDACT_H

#include "arena.h"

enum { REDACT_KEY_MIN = 16, REDACT_TOKEN_SIZE = 20 }; /* bytes of a key at least; of the longest token with its end */

typedef struct Redactor Redactor;

/* Lives in the arena; the key is copied. */
Redactor *redactor_new(Arena *a, Str key);

/* The token of a value of that kind in any of its spellings. "" when the value is none: empty, or an identity of zeros or Fs. */
void redact_token(const Redactor *r, const char *kind, Str value, char out[REDACT_TOKEN_SIZE]);

/* A value to be replaced wherever it stands, in each of its spellings. Values of fewer than 3 characters stay. */
void redactor_add(Redactor *r, const char *kind, Str value);

/* Adds the hosts and accounts that a line gives away by its form: in front of log lines, in paths below /home. */
void redactor_learn(Redactor *r, Str line);

/*
 * The text with the added values, and what looks like an identity even where nobody told (addresses, mail, WWNs behind 0x or naa., the
 * serial number in names of /dev/disk/by-id or behind "Serial Number:", users in paths, the host in front of log lines), replaced by tokens.
 * An 0x, naa. or eui. right before a WWN or EUI goes with it. Tokens stay, so a second run changes nothing. text itself where there is nothing to replace, else a copy in the arena.
 */
Str redact(Redactor *r, Str text);

#endif
