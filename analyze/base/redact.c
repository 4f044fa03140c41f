#include "redact.h"

#include "error.h"
#include "sha256.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { BLOCK = 64, BUCKETS = 4096, SHORTEST = 3, ANYWHERE = 6 };

/* A spelling of a value. Of long ones every occurrence counts; a short one may be a part of another word. */
typedef struct Known {
    Str text;
    bool any_case, word;
    char token[REDACT_TOKEN_SIZE];
    struct Known *next;
} Known;

typedef struct Pattern {
    const char *kind;
    const char *source; /* group 1 is replaced */
    bool (*means_it)(Redactor *r, Str found, const char **kind, Str *value);
    pcre2_code *code;
} Pattern;

/* What is replaced, or kept as it is (token NULL). */
typedef struct Part {
    size_t from, to;
    const char *token;
} Part;
typedef VEC(Part) Parts;

struct Redactor {
    Arena *arena;
    uint8_t inner[BLOCK], outer[BLOCK]; /* the key, padded */
    Known *known[BUCKETS];              /* by their first two letters, lower case; the longest first */
    Pattern *patterns;
    pcre2_match_data *match;
};

/* ---------------------------------------------------------------- tokens */

/* HMAC (RFC 2104) of kind, 0x1f and value. */
static void keyed_hash(const Redactor *r, const char *kind, Str value, uint8_t out[SHA256_SIZE]) {
    size_t k = strlen(kind), len = BLOCK + k + 1 + value.len;
    uint8_t *text = malloc(len + SHA256_SIZE), second[BLOCK + SHA256_SIZE];
    if (!text) fatal("out of memory");
    memcpy(text, r->inner, BLOCK);
    memcpy(text + BLOCK, kind, k);
    text[BLOCK + k] = 0x1f;
    if (value.len) memcpy(text + BLOCK + k + 1, value.p, value.len);
    memcpy(second, r->outer, BLOCK);
    sha256(text, len, second + BLOCK);
    sha256(second, sizeof second, out);
    free(text);
}

static bool same_digits(Str digits, char c) {
    for (size_t i = 0; i < digits.len; i++)
        if (ch_lower(digits.p[i]) != c) return false;
    return true;
}

/* One spelling for all of a value; empty: it is none. */
static Str normal(Arena *a, const char *kind, Str value) {
    bool hex = !strcmp(kind, "WWN") || !strcmp(kind, "EUI") || !strcmp(kind, "MAC");
    bool lower = hex || !strcmp(kind, "host") || !strcmp(kind, "dom") || !strcmp(kind, "mail");
    bool serial = !strcmp(kind, "SN"), gap = false;
    StrBuf out;
    sb_init(&out, a);
    value = str_trim(value);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        if (hex && !ch_hex(c)) continue;
        if (serial && (ch_blank(c) || c == '_')) {
            gap = true;
            continue;
        }
        if (gap && out.len) sb_addc(&out, '_');
        gap = false;
        sb_addc(&out, lower ? ch_lower(c) : c);
    }
    Str s = sb_str(&out);
    return hex && (same_digits(s, '0') || same_digits(s, 'f')) ? STR_NONE : s;
}

static void token_of(const Redactor *r, const char *kind, Str value, char out[REDACT_TOKEN_SIZE]) {
    uint8_t hash[SHA256_SIZE];
    keyed_hash(r, kind, value, hash);
    snprintf(out, REDACT_TOKEN_SIZE, "%.10s-%02x%02x%02x%02x", kind, hash[0], hash[1], hash[2], hash[3]);
}

void redact_token(const Redactor *r, const char *kind, Str value, char out[REDACT_TOKEN_SIZE]) {
    out[0] = 0;
    value = normal(r->arena, kind, value);
    if (value.len) token_of(r, kind, value, out);
}

/* ---------------------------------------------------------------- values somebody told */

static size_t bucket_of(const char *two) {
    return ((size_t)(unsigned char)ch_lower(two[0]) * 64 + (unsigned char)ch_lower(two[1])) % BUCKETS;
}

static void add_spelling(Redactor *r, Str text, const char *token, bool any_case, bool word) {
    if (text.len < SHORTEST) return;
    Known **at = &r->known[bucket_of(text.p)];
    for (; *at && (*at)->text.len >= text.len; at = &(*at)->next)
        if (str_eq((*at)->text, text)) return;
    Known *k = arena_new_of(r->arena, Known);
    *k = (Known){.text = arena_str(r->arena, text), .any_case = any_case, .word = word, .next = *at};
    snprintf(k->token, sizeof k->token, "%s", token);
    *at = k;
}

static Str with_blanks(Arena *a, Str s) {
    char *p = arena_cstr(a, s);
    for (size_t i = 0; i < s.len; i++)
        if (p[i] == '_') p[i] = ' ';
    return (Str){p, s.len};
}

/* s with every character that is neither letter nor digit as '_': smartd's names of files. */
static Str as_file_name(Arena *a, Str s) {
    char *p = arena_cstr(a, s);
    for (size_t i = 0; i < s.len; i++)
        if (!ch_alnum(p[i])) p[i] = '_';
    return (Str){p, s.len};
}

/* The characters of s in hex: udev's nvme.VENDOR-SERIAL-MODEL-NAMESPACE. */
static Str as_hex(Arena *a, Str s) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < s.len; i++) sb_addz(&out, arena_strf(a, "%02x", (unsigned)(unsigned char)s.p[i]).p);
    return sb_str(&out);
}

/* The low digits of an identity, from that place on, in decimal: smartctl's JSON gives its parts as numbers. */
static Str as_decimal(Arena *a, Str hex, size_t from) {
    uint64_t v = 0;
    for (size_t i = from; i < hex.len; i++) {
        char c = hex.p[i];
        v = v << 4 | (uint64_t)(ch_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return arena_strf(a, "%llu", (unsigned long long)v);
}

/* sysfs: 64 79 a7 3c 80 30 00 15, and NGUIDs in groups as UUIDs have them. */
static Str in_groups(Arena *a, Str hex) {
    StrBuf out;
    sb_init(&out, a);
    for (size_t i = 0; i < hex.len; i++) {
        bool group = hex.len == 32 ? i == 8 || i == 12 || i == 16 || i == 20 : i && i % 2 == 0;
        if (group) sb_addc(&out, hex.len == 32 ? '-' : ' ');
        sb_addc(&out, hex.p[i]);
    }
    return sb_str(&out);
}

/* Words of the tools and of the reports: as the name of a host or an account they name nobody. */
static bool technical(Str name) {
    static const char *const words[] = {
        "zfs",   "zpool", "zdb",   "pool",   "tank",   "raid",   "disk",  "data",  "storage", "server", "host",
        "node",  "name",  "state", "status", "device", "error",  "block", "cache", "log",     "spare",  "mirror",
        "boot",  "swap",  "test",  "web",    "www",    "ftp",    "dns",   "nfs",   "smb",     "cifs",   "samba",
        "iscsi", "scsi",  "sata",  "ata",    "sas",    "nvme",   "usb",   "pci",   "ahci",    "md",     "dm",
        "lvm",   "btrfs", "xfs",   "ext4",   "ceph",   "smartd", "sshd",  "sudo",  "cron",    "dmesg"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_ieq(name, str_of(words[i]))) return true;
    return false;
}

void redactor_add(Redactor *r, const char *kind, Str value) {
    Str n = normal(r->arena, kind, value);
    if (n.len < SHORTEST) return;
    if ((!strcmp(kind, "host") || !strcmp(kind, "user")) && technical(n)) return;
    char token[REDACT_TOKEN_SIZE];
    token_of(r, kind, n, token);
    bool any_case = strcmp(kind, "SN") != 0 && strcmp(kind, "user") != 0;
    bool word = n.len < ANYWHERE || !strcmp(kind, "host") || !strcmp(kind, "dom") || !strcmp(kind, "user");
    add_spelling(r, n, token, any_case, word);
    add_spelling(r, str_trim(value), token, any_case, word); /* as it was found: runs of blanks */
    if (!strcmp(kind, "SN") && str_find_ch(n, '_') != SIZE_MAX)
        add_spelling(r, with_blanks(r->arena, n), token, false, word);
    if (!strcmp(kind, "SN")) {
        add_spelling(r, as_file_name(r->arena, n), token, false, word);
        if (n.len >= 8) add_spelling(r, as_hex(r->arena, n), token, true, false);
    }
    if (!strcmp(kind, "WWN") && n.len == 16) { /* smartctl: 5 002538 e40a1b2c3; hdparm and JSON: the last part alone */
        add_spelling(r, arena_strf(r->arena, "%.1s %.6s %.9s", n.p, n.p + 1, n.p + 7), token, true, false);
        add_spelling(r, arena_strf(r->arena, "%.1s-%.6s-%.9s", n.p, n.p + 1, n.p + 7), token, true, true); /* smartd */
        add_spelling(r, arena_strf(r->arena, "%.7s-%.1s-%.4s-%.4s", n.p, n.p + 7, n.p + 8, n.p + 12), token, true,
                     true); /* tools of SAS adapters */
        add_spelling(r, str_from(n, 7), token, true, true);
        add_spelling(r, as_decimal(r->arena, n, 7), token, true, true);
    }
    if (!strcmp(kind, "EUI") && n.len == 16) { /* and 002538 5b71b00b1c */
        add_spelling(r, arena_strf(r->arena, "%.6s %.10s", n.p, n.p + 6), token, true, false);
        add_spelling(r, as_decimal(r->arena, n, 6), token, true, true);
    }
    if (!strcmp(kind, "EUI")) add_spelling(r, in_groups(r->arena, n), token, true, false);
}

static const Known *known_at(const Redactor *r, Str text, size_t at) {
    if (at + SHORTEST > text.len) return NULL;
    for (const Known *k = r->known[bucket_of(text.p + at)]; k; k = k->next) {
        Str here = str_sub(text, at, k->text.len);
        if (here.len != k->text.len || !(k->any_case ? str_ieq(here, k->text) : str_eq(here, k->text))) continue;
        size_t end = at + here.len;
        if (k->word && ((at && ch_alnum(text.p[at - 1])) || (end < text.len && ch_alnum(text.p[end])))) continue;
        return k;
    }
    return NULL;
}

/* ---------------------------------------------------------------- values that only their form gives away */

static bool ip4(Redactor *r, Str found, const char **kind, Str *value) {
    struct in_addr a;
    if (inet_pton(AF_INET, arena_cstr(r->arena, found), &a) != 1) return false;
    uint32_t v = ntohl(a.s_addr);
    if (v == 0 || v >> 24 == 127 || v == UINT32_MAX || v >> 24 == 255) return false; /* nobody's, this host, masks */
    bool lan = v >> 24 == 10 || v >> 20 == 0xac1 || v >> 16 == 0xc0a8 || v >> 16 == 0xa9fe;
    *kind = lan ? "lan4" : "ip4";
    *value = found;
    return true;
}

static bool ip6(Redactor *r, Str found, const char **kind, Str *value) {
    struct in6_addr a;
    char text[INET6_ADDRSTRLEN];
    if (found.len > 39 || inet_pton(AF_INET6, arena_cstr(r->arena, found), &a) != 1) return false;
    if (IN6_IS_ADDR_UNSPECIFIED(&a) || IN6_IS_ADDR_LOOPBACK(&a) || !inet_ntop(AF_INET6, &a, text, sizeof text))
        return false;
    *kind = IN6_IS_ADDR_LINKLOCAL(&a) || (a.s6_addr[0] & 0xfe) == 0xfc ? "lan6" : "ip6";
    *value = arena_str(r->arena, str_of(text));
    return true;
}

/* Units of systemd look like mail: zfs-trim-weekly@tank.timer. */
static bool mail(Redactor *r, Str found, const char **kind, Str *value) {
    (void)r, (void)kind;
    static const char *const units[] = {"service", "timer", "socket", "target", "mount", "device",
                                        "slice",   "scope", "path",   "swap",   "conf"};
    Str end = str_from(found, str_rfind_ch(found, '.') + 1);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_is(end, units[i])) return false;
    *value = found;
    return true;
}

static bool serial(Redactor *r, Str found, const char **kind, Str *value) {
    (void)r, (void)kind;
    bool digit = false;
    for (size_t i = 0; i < found.len; i++) digit = digit || ch_digit(found.p[i]);
    *value = found;
    return digit; /* "none", "unknown", "[No Information Found]" */
}

/* Accounts that every system has name nobody. */
static bool user(Redactor *r, Str found, const char **kind, Str *value) {
    (void)kind;
    static const char *const common[] = {"root",    "nobody",     "daemon",  "bin",      "sys",     "mail",
                                         "backup",  "www-data",   "systemd", "operator", "wheel",   "admin",
                                         "user",    "lost+found", "toor",    "postgres", "mysql",   "munin",
                                         "postfix", "sshd",       "ntp",     "Public",   "Default", "All Users"};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (str_is(found, common[i])) return false;
    *value = found;
    if (technical(found)) return false;
    redactor_add(r, "user", found);
    return true;
}

static bool host(Redactor *r, Str found, const char **kind, Str *value) {
    (void)kind;
    *value = found;
    if (str_is(found, "localhost") || str_is(found, "kernel") || technical(found)) return false;
    redactor_add(r, "host", found); /* and wherever else it stands from now on */
    return true;
}

/* "ssh alice@nas7", but "root@pam" and "pool/data@daily" name nobody. */
static bool realm(Str s) {
    static const char *const realms[] = {"pam",   "pve",    "pbs",    "ldap",    "localhost", "snap",
                                         "daily", "weekly", "hourly", "monthly", "auto"};
    for (size_t i = 0; i < sizeof realms / sizeof *realms; i++)
        if (str_is(s, realms[i])) return true;
    return false;
}

static bool remote(Redactor *r, Str found, const char **kind, Str *value) {
    return !realm(found) && host(r, found, kind, value);
}

static const Pattern forms[] = {
    {"NQN",
     "(?<![\\w.])((?:nqn|iqn)\\.\\d{4}-\\d\\d\\.[^\\s\"',;\\])]+?)(?=-lun-[0-9a-f]+(?:-part\\d+)?(?![\\w-])|[\\s\"',;"
     "\\])]|$)",
     NULL, NULL},
    {"mail", "(?<![\\w.+/-])([\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)*\\.[A-Za-z]{2,})(?![\\w-])", mail, NULL},
    {"WWN", "(?:0x|naa\\.|wwn-0x)([2356c][0-9a-fA-F]{15}(?:[0-9a-fA-F]{16})?)(?![0-9a-zA-Z])", NULL, NULL},
    {"WWN", "naa\\.([0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?)(?![0-9a-zA-Z])", NULL, NULL},
    {"WWN", "scsi-3([0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?)(?![0-9a-zA-Z])", NULL, NULL},
    {"WWN", "WWN[^:\\n]{0,24}:\\s*([0-9a-fA-F] [0-9a-fA-F]{6} [0-9a-fA-F]{9})(?![0-9a-zA-Z])", NULL, NULL},
    {"WWN", "(?<![0-9A-Za-z-])([0-9a-fA-F]-[0-9a-fA-F]{6}-[0-9a-fA-F]{9})(?![0-9A-Za-z-])", NULL, NULL},
    {"WWN", "(?<![0-9A-Za-z-])([0-9a-fA-F]{7}-[0-9a-fA-F]-[0-9a-fA-F]{4}-[0-9a-fA-F]{4})(?![0-9A-Za-z-])", NULL, NULL},
    {"EUI", "eui\\.([0-9a-fA-F]{32}|[0-9a-fA-F]{16})(?![0-9a-zA-Z])", NULL, NULL},
    {"EUI",
     "(?i)(?:EUI-64|NGUID|EUI64)[^0-9a-zA-Z\\n]{1,24}(?:0x)?([0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{6} "
     "[0-9a-f]{10})(?![0-9a-z])",
     NULL, NULL},
    {"MAC", "(?<![\\w:-])((?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2})(?![\\w:-])", NULL, NULL},
    {"MAC", "\\benx([0-9a-f]{12})(?![0-9A-Za-z])", NULL, NULL},
    {NULL, "(?<![\\w.])(\\d{1,3}(?:\\.\\d{1,3}){3})(?![\\w]|\\.\\d)", ip4, NULL},
    {NULL, "(?<![\\w:.])((?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4})(?![\\w:.])", ip6, NULL},
    {"SN",
     "(?:(?:^|[^\\w-])(?:ata|nvme|usb|mmc)-|(?:^|[^\\w-])scsi-[01S]\\w*?_)[^/"
     "\\s\"']*_((?:(?!-part\\d)[A-Za-z0-9-]){4,}?)(?:_\\d{1,2})?(?=-part\\d|-\\d:\\d|[\\s\"'/,;)>]|$)",
     serial, NULL},
    {"SN",
     "(?i)(?:serial(?:[ "
     "_-]?(?:number|num|no))?\\.?(?:\\([A-Z]+\\))?|\\bS/?N)[\"']?\\s*[:=]\\s*[\"']?([A-Z0-9][A-Z0-9_.-]{3,})",
     serial, NULL},
    {"user", "/(?:home|Users|var/home)/([^/\\s\"':;,)\\]]{2,32})", user, NULL},
    /* C:\\Users\\NAME\\, also with the backslashes doubled; a name may have blanks where another backslash ends it */
    {"user",
     "(?i)\\b[A-Z]:\\\\{1,2}(?:Users|Documents and Settings)\\\\{1,2}([^\\\\/\"':;,)\\]\\n]{2,32}(?=\\\\)|[^\\\\/"
     "\\s\"':;,)\\]]{2,32})",
     user, NULL},
    {"user",
     "(?:\\[user |\\bUSER=|\\bLOGNAME=|\\bSUDO_USER=|\\bsession (?:opened|closed) for user "
     "|\\(uid=\\d+\\()([A-Za-z_][\\w.-]{1,31})",
     user, NULL},
    {"user", "(?<![\\w.@/+-])([A-Za-z_][\\w.-]{1,31})(?=@[A-Za-z][\\w-]+(?:[:\\s,;)\"'\\]]|$))", user, NULL},
    {"host", "(?<=[\\w-]@)([A-Za-z][\\w-]{2,62})(?=[:\\s,;)\"'\\]]|$)", remote, NULL},
    {"host", "\\bserver ([A-Za-z][\\w-]{2,62})(?=\\S* (?:not responding|is alive|lost|OK))", host, NULL},
    {"host", "(?:^|(?<=[\\s\"'(=]))\\\\{2}([A-Za-z][\\w-]{2,62})(?=[\\w.-]*\\\\)", host, NULL},
    {"host", "(?:^|(?<=[\\s\"'(=]))//(?:[^\\s/@]*@)?([A-Za-z][\\w-]{2,62})(?=[\\w.-]*/)", host, NULL},
    {"host", "CIFS: [^\\\\\n]*\\\\\\\\([A-Za-z][\\w-]{2,62})", host, NULL},
    {"host", "^(?:<\\d+>)?[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)? ([A-Za-z0-9][\\w-]*)(?=[ .])", host,
     NULL},
    {"host",
     "^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S* ([A-Za-z][\\w-]*)(?=\\.\\S+ |\\S* [\\w./-]+(?:\\[\\d+\\])?: )",
     host, NULL},
};
enum { FORMS = sizeof forms / sizeof *forms };

static void free_match(void *m) {
    pcre2_match_data_free(m);
}

static void free_code(void *code) {
    pcre2_code_free(code);
}

Redactor *redactor_new(Arena *a, Str key) {
    Redactor *r = arena_new_of(a, Redactor);
    r->arena = a;
    uint8_t padded[BLOCK] = {0};
    if (key.len > BLOCK) sha256(key.p, key.len, padded);
    else if (key.len) memcpy(padded, key.p, key.len);
    for (size_t i = 0; i < BLOCK; i++) {
        r->inner[i] = padded[i] ^ 0x36;
        r->outer[i] = padded[i] ^ 0x5c;
    }
    r->patterns = arena_array(a, Pattern, FORMS);
    for (size_t i = 0; i < FORMS; i++) {
        int error;
        PCRE2_SIZE at;
        r->patterns[i] = forms[i];
        r->patterns[i].code =
            pcre2_compile((PCRE2_SPTR)forms[i].source, PCRE2_ZERO_TERMINATED, PCRE2_MULTILINE, &error, &at, NULL);
        if (!r->patterns[i].code) fatal("redact: pattern %zu, offset %zu: error %d", i, (size_t)at, error);
        arena_defer(a, free_code, r->patterns[i].code);
        pcre2_jit_compile(r->patterns[i].code, PCRE2_JIT_COMPLETE);
    }
    r->match = pcre2_match_data_create(2, NULL);
    if (!r->match) fatal("out of memory");
    arena_defer(a, free_match, r->match);
    return r;
}

/* ---------------------------------------------------------------- a text */

static bool is_free(const Parts *parts, size_t from, size_t to) {
    for (size_t i = 0; i < parts->count; i++)
        if (from < parts->items[i].to && parts->items[i].from < to) return false;
    return true;
}

/* "SN-041619db" and its like at that place: the length, 0 for none. */
static size_t token_at(Str text, size_t at) {
    static const char *const kinds[] = {"WWN-", "EUI-", "SN-",   "host-", "dom-", "user-",    "mail-", "NQN-",
                                        "ip4-", "ip6-", "lan4-", "lan6-", "MAC-", "machine-", "ds-"};
    if (at && ch_alnum(text.p[at - 1])) return 0;
    Str rest = str_from(text, at);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Str hex = str_after(rest, kinds[i]);
        size_t n = 0;
        while (hex.p && n < hex.len && (ch_digit(hex.p[n]) || (hex.p[n] >= 'a' && hex.p[n] <= 'f'))) n++;
        if (n == 8 && (n == hex.len || !ch_alnum(hex.p[n]))) return strlen(kinds[i]) + 8;
    }
    return 0;
}

/* A host's name goes on where a domain follows: "pbs1.example.org". */
static void domain_behind(Redactor *r, Str text, size_t at, Parts *parts) {
    size_t n = at;
    bool dot = false;
    while (n < text.len && (ch_alnum(text.p[n]) || text.p[n] == '-' ||
                            (text.p[n] == '.' && n + 1 < text.len && ch_alpha(text.p[n + 1])))) {
        dot = dot || text.p[n] == '.';
        n++;
    }
    Str rest = str_sub(text, at + 1, n - at - 1);
    if (at >= text.len || text.p[at] != '.' || !dot || rest.len < 2) return;
    static const char *const files[] = {"txt", "log", "out",  "gz",   "tgz", "tar", "xz",
                                        "zip", "zst", "json", "html", "md",  "conf"};
    Str first = rest;
    first = str_cut(&first, '.');
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (str_is(first, files[i])) return; /* the host's archive, not its domain */
    char *token = arena_alloc(r->arena, REDACT_TOKEN_SIZE);
    redact_token(r, "dom", rest, token);
    VEC_PUSH(r->arena, parts, ((Part){at + 1, n, token}));
}

static void known_parts(Redactor *r, Str text, Parts *parts) {
    for (size_t i = 0; i < text.len; i++) {
        size_t n = token_at(text, i);
        if (n) {
            VEC_PUSH(r->arena, parts, ((Part){i, i + n, NULL}));
            i += n - 1;
            continue;
        }
        const Known *k = known_at(r, text, i);
        if (!k) continue;
        VEC_PUSH(r->arena, parts, ((Part){i, i + k->text.len, k->token}));
        if (str_starts(str_of(k->token), "host-")) domain_behind(r, text, i + k->text.len, parts);
        i = parts->items[parts->count - 1].to - 1;
    }
}

static void form_parts(Redactor *r, Str text, Pattern *p, Parts *parts) {
    size_t from = 0;
    while (from < text.len) {
        int n = pcre2_match(p->code, (PCRE2_SPTR)text.p, text.len, from, 0, r->match, NULL);
        if (n < 2) return;
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->match);
        size_t start = at[2], end = at[3];
        from = at[1] > from ? at[1] : from + 1;
        if (!is_free(parts, start, end)) continue;
        Str found = str_sub(text, start, end - start), value = found;
        const char *kind = p->kind;
        if (p->means_it && !p->means_it(r, found, &kind, &value)) continue;
        char *token = arena_alloc(r->arena, REDACT_TOKEN_SIZE);
        redact_token(r, kind, value, token);
        if (!token[0]) continue;
        VEC_PUSH(r->arena, parts, ((Part){start, end, token}));
        if (!strcmp(kind, "host")) domain_behind(r, text, end, parts);
    }
}

void redactor_learn(Redactor *r, Str line) {
    for (size_t i = 0; i < FORMS && line.len; i++) {
        bool (*means)(Redactor *, Str, const char **, Str *) = r->patterns[i].means_it;
        if (means != host && means != user) continue;
        if (pcre2_match(r->patterns[i].code, (PCRE2_SPTR)line.p, line.len, 0, 0, r->match, NULL) < 2) continue;
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->match);
        const char *kind;
        Str value;
        means(r, str_sub(line, at[2], at[3] - at[2]), &kind, &value);
    }
}

static int by_place(const void *a, const void *b) {
    const Part *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* The 0x, naa. or eui. before an identity goes with it, so that every spelling ends up as the same word. */
static size_t prefix_before(Str text, size_t from, size_t at, const char *token) {
    static const char *const prefixes[] = {"0x", "naa.", "eui."};
    if (!str_starts(str_of(token), "WWN-") && !str_starts(str_of(token), "EUI-")) return 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        if (at - from >= n && str_ieq(str_sub(text, at - n, n), str_of(prefixes[i]))) return n;
    }
    return 0;
}

Str redact(Redactor *r, Str text) {
    if (text.len < SHORTEST) return text;
    Parts parts = {0};
    known_parts(r, text, &parts);
    for (size_t i = 0; i < FORMS; i++) form_parts(r, text, &r->patterns[i], &parts);
    if (!parts.count) return text;
    qsort(parts.items, parts.count, sizeof *parts.items, by_place);
    StrBuf out;
    sb_init(&out, r->arena);
    size_t done = 0;
    for (size_t i = 0; i < parts.count; i++) {
        if (parts.items[i].from < done || !parts.items[i].token) continue;
        size_t prefix = prefix_before(text, done, parts.items[i].from, parts.items[i].token);
        sb_add(&out, str_sub(text, done, parts.items[i].from - done - prefix));
        sb_addz(&out, parts.items[i].token);
        done = parts.items[i].to;
    }
    sb_add(&out, str_from(text, done));
    return sb_str(&out);
}
