/*
 * signatures.h - which log line says what
 *
 * A signature is one kind of line of a kernel or daemon log: a PCRE2 pattern with named captures, the literal bytes every
 * match contains, what the line means and what it does not. They are data: rules/signatures/NAME.json, built into the
 * program, one object with "topic" and a list "signatures"; every entry has
 *
 *     id            for life, unique: "ATA005"
 *     name          dotted, for people: "libata.limit_link_speed"
 *     severity      noise info low medium high critical: of ONE line
 *     literal       byte string that every match contains, case-sensitive, at least 4 bytes; or a list: any of them
 *     pattern       PCRE2 (UTF), unanchored, matched against the line without its stamps and prefixes (log_prefix.h)
 *     subject       capture that names what the line is about; null or absent where the line names nothing
 *     subject_kind  ata disk scsi nvme pci usb md dm fs pool host net
 *     event         class word that rules ask for: "link-speed-limited"
 *     meaning, not  what it says, and the usual misreading
 *     order         lower is tried first where patterns overlap (default 100); equal orders go by id
 *     source        where the line comes from
 *     matches, rejects  sample lines that the pattern must and must not match
 *
 * Cost: one pass over the line finds the literals by four bytes of each, whatever the number of signatures; only
 * signatures whose literal was seen run their pattern. A pattern is compiled when its literal is seen first.
 *
 * Not thread-safe: matching compiles patterns and uses scratch space of the set.
 */
#ifndef STORDX_PARSE_SIGNATURES_H
#define STORDX_PARSE_SIGNATURES_H

#include "../base/error.h"
#include "../base/str.h"

enum {
    SIG_MAX_CAPTURES = 32, /* named captures handed out per match */
    SIG_MAX_LINE = 4096    /* bytes of a line that are looked at: printk records end at 1 KiB, journald lines at 4 */
};

typedef struct Signatures Signatures;

/* One signature as its file has it. All strings live as long as the set; absent ones are "". */
typedef struct Signature {
    const char *id, *name, *topic, *severity, *event, *subject, *subject_kind, *meaning, *not_meaning, *source,
        *pattern;
    int order;
} Signature;

typedef struct SigCapture {
    const char *name; /* lives as long as the set */
    Str value;        /* part of the line that was matched */
} SigCapture;

typedef struct SigMatch {
    size_t index;         /* number of the signature in its set, 0 to signatures_count() - 1: for tables */
    const Signature *sig; /* id, event, severity, subject_kind, ... */
    Str subject;          /* text of the subject's capture, a part of the line; p == NULL when the line names none */
    size_t capture_count; /* captures that took part in the match, in the order of their names */
    SigCapture captures[SIG_MAX_CAPTURES];
} SigMatch;

/*
 * The signatures built into the program, loaded at the first call and kept until the process ends. Never NULL. An entry
 * that cannot be used (broken JSON, missing field) is left out; then err->text holds the first complaint, else it is "".
 */
const Signatures *signatures_builtin(Error *err);

/* Adds the *.json files of a directory to the built-in set; an entry with a known id replaces that one. To be called
   before the first match. false, with the first complaint in err, when the directory cannot be read or an entry was left
   out; what could be read is in the set all the same. */
bool signatures_builtin_add_dir(const char *dir, Error *err);

/* A set of one's own, for tests: empty at first. signatures_free(NULL) is fine. */
Signatures *signatures_new(void);
void signatures_free(Signatures *sigs);
/* Adds the entries of one JSON text. file: name for complaints. false when anything was left out (first complaint in err,
   may be NULL). The text need not outlive the call. */
bool signatures_add(Signatures *sigs, const char *file, Str json, Error *err);

size_t signatures_count(const Signatures *sigs);
const Signature *signatures_at(const Signatures *sigs, size_t index);     /* by (order, id) */
const Signature *signatures_find(const Signatures *sigs, const char *id); /* NULL: none */

/*
 * Finds the signature of a line whose prefixes were stripped: the first match by (order, id). Only the first SIG_MAX_LINE
 * bytes count; bytes that are no UTF-8 match nothing but do no harm. *out is filled only when true is returned; its Strs
 * point into `line`.
 */
bool signatures_match(const Signatures *sigs, Str line, SigMatch *out);

/* Lines on which a pattern was given up because it ran into its limit; such a line counts as not matched. */
size_t signatures_given_up(const Signatures *sigs);

/* Value of a named capture, {NULL, 0} when it took no part. */
Str sig_capture(const SigMatch *m, const char *name);

/* The captures as a JSON object: {"port":"3","speed":"1.5 Gbps"}. Written to buf (cap >= 64 bytes), always valid JSON and
   NUL-terminated; a capture that does not fit is left out, bytes that are no UTF-8 become U+FFFD. */
Str sig_fields_json(const SigMatch *m, char *buf, size_t cap);

/*
 * Checks the set: required fields, words of severity, event and subject_kind, unique ids, patterns compile, `matches`
 * match and `rejects` do not, literals are in every match, the subject is a capture, and every sample line comes out of
 * signatures_match() as its own signature (order). report (may be NULL) gets one line per problem. Returns their number.
 */
typedef void (*SigReport)(void *arg, const char *file, const char *id, const char *problem);
size_t signatures_lint(const Signatures *sigs, SigReport report, void *arg);

#endif
