#include "device_text.h"

#include "../facts/sqlfunc.h"

#include <math.h>

static size_t digits_at(Str s, size_t i) {
    size_t n = 0;
    while (i + n < s.len && ch_digit(s.p[i + n])) n++;
    return n;
}

static size_t letters_at(Str s, size_t i) {
    size_t n = 0;
    while (i + n < s.len && s.p[i + n] >= 'a' && s.p[i + n] <= 'z') n++;
    return n;
}

/* Length of the whole-disk part at the start of s; 0 when s does not start with a device name. *parted is set to the text that
   stands between it and a partition number ("", "p" or "s"). */
static size_t disk_part(Str s, const char **parted) {
    static const char *const lettered[] = {"sd", "hd", "vd", "xvd", "dasd", "ubd", NULL};
    static const char *const numbered[] = {"mmcblk",   "mmcsd", "md",     "dm-",  "sr",   "zd",  "nbd", "loop",
                                           "ram",      "zram",  "bcache", "rbd",  "ada",  "nvd", "nda", "mfid",
                                           "mfisyspd", "da",    "aacd",   "pmem", "drbd", "sg",  NULL};
    *parted = "";
    if (str_starts(s, "nvme")) {
        size_t i = 4, n = digits_at(s, i);
        if (!n || n > 4) return 0;
        i += n;
        *parted = "p";
        if (i < s.len && s.p[i] == 'c' && digits_at(s, i + 1)) i += 1 + digits_at(s, i + 1); /* nvme0c0n1: a path */
        if (i < s.len && s.p[i] == 'n' && digits_at(s, i + 1)) return i + 1 + digits_at(s, i + 1);
        if (i + 1 < s.len && s.p[i] == 'n' && str_starts(str_from(s, i), "ns")) return i; /* FreeBSD nvme0ns1 */
        return i;
    }
    for (size_t k = 0; lettered[k]; k++) {
        size_t n = strlen(lettered[k]);
        if (!str_starts(s, lettered[k])) continue;
        size_t l = letters_at(s, n);
        if (!l || l > 3 || str_is(s, "vdev")) continue; /* "vdev" is a word of ZFS */
        return n + l;
    }
    for (size_t k = 0; numbered[k]; k++) {
        size_t n = strlen(numbered[k]);
        if (!str_starts(s, numbered[k])) continue;
        size_t d = digits_at(s, n);
        if (!d || d > 5) continue;
        *parted = "p";
        return n + d;
    }
    /* old Smart Arrays: c0d0 or cciss!c0d0 */
    Str r = s;
    size_t skip = 0;
    if (str_starts(r, "cciss!") || str_starts(r, "cciss/")) skip = 6;
    if (skip && skip < s.len && s.p[skip] == 'c') {
        size_t c = digits_at(s, skip + 1);
        size_t d = c && skip + 1 + c < s.len && s.p[skip + 1 + c] == 'd' ? digits_at(s, skip + 2 + c) : 0;
        if (c && d) {
            *parted = "p";
            return skip + 2 + c + d;
        }
    }
    return 0;
}

bool dev_is_disk(Str s) {
    const char *parted;
    size_t n = disk_part(s, &parted);
    return n && n == s.len;
}

bool dev_is_name(Str s) {
    const char *parted;
    size_t n = disk_part(s, &parted);
    if (!n) return false;
    if (n == s.len) return true;
    Str rest = str_from(s, n);
    if ((rest.p[0] == 'p' || rest.p[0] == 's') && *parted) rest = str_from(rest, 1);
    size_t d = digits_at(rest, 0);
    return d && d <= 4 && d == rest.len;
}

Str dev_in_path(Str path) {
    while (path.len) {
        size_t slash = str_rfind_ch(path, '/');
        Str part = slash == SIZE_MAX ? path : str_from(path, slash + 1);
        Str found = STR_NONE;
        size_t i = 0;
        while (i < part.len) {
            while (i < part.len && !ch_alnum(part.p[i])) i++;
            size_t from = i;
            while (i < part.len && (ch_alnum(part.p[i]) || part.p[i] == '!')) i++;
            Str word = str_sub(part, from, i - from);
            /* md and dm are not asked by these tools, and "md" followed by digits is also a check sum's name. */
            if (dev_is_disk(word) && !str_starts(word, "md") && !str_starts(word, "ram") && !str_starts(word, "loop") &&
                !str_is(word, "hdd")) /* a kind of drive more often than the fourth IDE disk */
                found = word;
        }
        if (found.len) return found;
        if (slash == SIZE_MAX) break;
        path = str_sub(path, 0, slash);
    }
    return STR_NONE;
}

Str dev_sas_pci_address(Arena *arena, Str s) {
    uint64_t part[4];
    for (int i = 0; i < 4; i++)
        if (!str_hex_u64(str_trim(str_cut(&s, ':')), &part[i])) return STR_NONE;
    if (s.len || part[0] > 0xffff || part[1] > 0xff || part[2] > 0x1f || part[3] > 7) return STR_NONE;
    return arena_strf(arena, "%04x:%02x:%02x.%u", (unsigned)part[0], (unsigned)part[1], (unsigned)part[2],
                      (unsigned)part[3]);
}

Str dev_raid_child(Arena *arena, Str device, Str type) {
    static const char *const kinds[] = {"megaraid", "cciss", "3ware", "areca", "aacraid", "hpt", "sssraid", NULL};
    size_t plus = str_find_ch(type, '+'); /* sat+megaraid,8 */
    Str kind = plus == SIZE_MAX ? type : str_from(type, plus + 1);
    for (size_t i = 0; kinds[i]; i++) {
        size_t n = strlen(kinds[i]);
        if (!str_starts(kind, kinds[i]) || kind.len <= n || kind.p[n] != ',') continue;
        Str rest = str_from(kind, n + 1);
        Str number = str_cut(&rest, ',');
        size_t slash = str_find_ch(number, '/'); /* areca,3/1: disk and enclosure */
        Str disk = slash == SIZE_MAX ? number : str_sub(number, 0, slash);
        uint64_t value;
        if (!str_u64(disk, &value)) continue;
        if (rest.len || slash != SIZE_MAX)
            return arena_strf(arena, "%.*s [%s_disk_%02llu_%.*s]", STR_ARG(device), kinds[i], (unsigned long long)value,
                              STR_ARG(rest.len ? rest : str_from(number, slash + 1)));
        return arena_strf(arena, "%.*s [%s_disk_%02llu]", STR_ARG(device), kinds[i], (unsigned long long)value);
    }
    return device;
}

Str dev_in_command(Arena *arena, Str command) {
    Str device = STR_NONE, type = STR_NONE;
    bool want_type = false;
    while (command.len) {
        Str word = str_word(&command);
        if (!word.len) break;
        while (word.len && (word.p[0] == '"' || word.p[0] == '\'')) word = str_from(word, 1);
        while (word.len && str_find_ch(STR("\"';|)"), word.p[word.len - 1]) != SIZE_MAX) word.len--;
        if (want_type) {
            type = word;
            want_type = false;
        } else if (str_is(word, "-d") || str_is(word, "--device")) {
            want_type = true;
        } else if (str_starts(word, "--device=")) {
            type = str_from(word, 9);
        } else if (str_starts(word, "-d") && word.len > 3 && !str_starts(word, "--")) {
            type = str_from(word, 2);
        } else if (str_starts(word, "/dev/")) {
            device = str_from(word, 5);
        } else if (dev_is_disk(word)) {
            device = word;
        } else if (str_is(word, "|") || str_starts(word, ">") || str_is(word, "2>&1") || str_is(word, "&&")) {
            break;
        }
    }
    if (!device.len || str_find_ch(device, '*') != SIZE_MAX || str_find_ch(device, '$') != SIZE_MAX) return STR_NONE;
    return type.len ? dev_raid_child(arena, device, type) : device;
}

bool dev_grouped(Str s, uint64_t *out) {
    uint64_t value = 0;
    size_t i = 0, n = digits_at(s, 0);
    if (!n) return false;
    for (; i < n; i++) {
        if (value > (UINT64_MAX - 9) / 10) return false;
        value = value * 10 + (uint64_t)(s.p[i] - '0');
    }
    for (;;) {
        size_t sep = 0;
        Str rest = str_from(s, i);
        if (str_starts(rest, "\xc2\xa0")) sep = 2;                                              /* U+00A0 */
        else if (str_starts(rest, "\xe2\x80\xaf") || str_starts(rest, "\xe2\x80\x99")) sep = 3; /* U+202F, U+2019 */
        else if (rest.len && str_find_ch(STR(",.'_ \xa0"), rest.p[0]) != SIZE_MAX) sep = 1;
        if (!sep || digits_at(s, i + sep) != 3) break;
        for (size_t k = 0; k < 3; k++) {
            if (value > (UINT64_MAX - 9) / 10) return false;
            value = value * 10 + (uint64_t)(s.p[i + sep + k] - '0');
        }
        i += sep + 3;
    }
    *out = value;
    return true;
}

bool dev_leading_number(Str s, double *out) {
    s = str_trim_left(s);
    size_t i = 0;
    if (i < s.len && (s.p[i] == '-' || s.p[i] == '+')) i++;
    size_t n = digits_at(s, i);
    if (!n) return false;
    i += n;
    if (i + 1 < s.len && (s.p[i] == '.' || s.p[i] == ',') && ch_digit(s.p[i + 1])) i += 1 + digits_at(s, i + 1);
    return str_double(str_sub(s, 0, i), out);
}

bool dev_gbps(Str s, double *out) {
    s = str_trim(s);
    double value;
    size_t i = 0;
    while (i < s.len && (ch_digit(s.p[i]) || s.p[i] == '.')) i++;
    if (!i || !str_double(str_sub(s, 0, i), &value)) return false;
    Str unit = str_trim_left(str_from(s, i));
    if (str_istarts(unit, "G")) *out = value;
    else if (str_istarts(unit, "M")) *out = value / 1000;
    else return false;
    return true;
}

bool dev_size(Str s, double *out) {
    s = str_trim(s);
    if (!s.len) return false;
    if (s.len > 2 && str_ends(s, "iB")) s.len -= 2;
    else if (s.len > 1 && s.p[s.len - 1] == 'B') s.len--;
    return str_scaled(s, 1024, out);
}

Str dev_wwn(Arena *arena, Str s) {
    s = str_trim(s);
    static const char *const prefixes[] = {"naa.", "eui.", "wwn-", "0x", "nguid.", "uuid.", NULL};
    if (wwn_is_token(s.p, s.len)) return s;
    for (size_t i = 0; prefixes[i]; i++)
        if (str_istarts(s, prefixes[i])) {
            if (str_is(str_of(prefixes[i]), "uuid.")) return STR_NONE;
            s = str_from(s, strlen(prefixes[i]));
            i = SIZE_MAX; /* "wwn-0x": start over */
            if (!s.len) return STR_NONE;
            if (wwn_is_token(s.p, s.len)) return s;
        }
    char *digits = arena_alloc(arena, 33);
    size_t n = 0;
    bool other = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == ' ' || c == '-' || c == ':') continue;
        if (!ch_hex(c) || n == 32) return STR_NONE;
        digits[n++] = ch_lower(c);
        if (n > 1 && digits[n - 1] != digits[0]) other = true;
    }
    if (n != 16 && n != 32) return STR_NONE;
    if (!other && (digits[0] == '0' || digits[0] == 'f')) return STR_NONE;
    return (Str){digits, n};
}

bool dev_key_value(Str line, Str *key, Str *value) {
    size_t colon = str_find_ch(line, ':');
    if (colon == SIZE_MAX || colon == 0) return false;
    *key = str_trim(str_sub(line, 0, colon));
    *value = str_trim(str_from(line, colon + 1));
    return key->len > 0;
}
