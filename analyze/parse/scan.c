#include "scan.h"

#include "device_text.h"

Ref scan_block_ref(ParseCtx *ctx, Str device) {
    device = str_trim(device);
    Str mapped = str_after(device, "/dev/mapper/");
    return ctx_ref(ctx, REF_DISK, mapped.p ? mapped : device);
}

Spot scan_keep(Arena *scratch, Spot at) {
    at.text = arena_str(scratch, str_sub(at.text, 0, FACTS_LINE_CLIP));
    return at;
}

Str scan_device_in_path(Str path) {
    Str part = str_basename(path), found = STR_NONE;
    size_t i = 0;
    while (i < part.len) {
        while (i < part.len && !ch_alnum(part.p[i])) i++;
        size_t from = i;
        while (i < part.len && (ch_alnum(part.p[i]) || part.p[i] == '!')) i++;
        Str word = str_sub(part, from, i - from);
        if (dev_is_name(word)) found = word;
    }
    return found;
}

Str scan_device_in_command(Str command) {
    for (Str word; (word = str_word(&command)).len;) {
        word = scan_unquote(word);
        while (word.len && (word.p[word.len - 1] == ';' || word.p[word.len - 1] == ')')) word.len--;
        if (!str_starts(word, "/dev/") || word.len < 6) continue;
        for (size_t i = 0; i < word.len; i++)
            if (word.p[i] == '*' || word.p[i] == '$' || word.p[i] == '?' || word.p[i] == '[') return STR_NONE;
        return word;
    }
    return STR_NONE;
}

Str scan_device_of_number(Arena *arena, uint64_t major, uint64_t minor) {
    unsigned long long n = minor;
    if (major == 9) return arena_strf(arena, "md%llu", n);
    if (major == 7) return arena_strf(arena, "loop%llu", n);
    if (major == 11) return arena_strf(arena, "sr%llu", n);
    if (major == 179) return STR_NONE; /* mmc: how many minors a card has is a build option */
    uint64_t block;
    if (major == 8) block = 0;
    else if (major >= 65 && major <= 71) block = major - 64;
    else if (major >= 128 && major <= 135) block = major - 120;
    else return STR_NONE;
    if (minor > 255) return STR_NONE;
    uint64_t disk = block * 16 + minor / 16, part = minor % 16;
    char letters[8];
    size_t at = sizeof letters;
    for (uint64_t k = disk + 1; k && at; k = (k - 1) / 26) letters[--at] = (char)('a' + (k - 1) % 26);
    Str name = {letters + at, sizeof letters - at};
    if (part) return arena_strf(arena, "sd%.*s%llu", STR_ARG(name), (unsigned long long)part);
    return arena_strf(arena, "sd%.*s", STR_ARG(name));
}

bool scan_number_pair(Str s, uint64_t *major, uint64_t *minor) {
    uint64_t a, b;
    size_t colon = str_find_ch(s, ':');
    if (colon == SIZE_MAX || !str_u64(str_sub(s, 0, colon), &a) || !str_u64(str_from(s, colon + 1), &b)) return false;
    *major = a;
    *minor = b;
    return true;
}

bool scan_hctl(Str s) {
    int parts = 0;
    if (!s.len || s.p[s.len - 1] == ':') return false;
    while (s.len) {
        uint64_t v;
        if (!str_u64(str_cut(&s, ':'), &v)) return false;
        parts++;
    }
    return parts == 4;
}

Str scan_unquote(Str s) {
    if (s.len >= 2 && (s.p[0] == '\'' || s.p[0] == '"') && s.p[s.len - 1] == s.p[0]) return str_sub(s, 1, s.len - 2);
    return s;
}

void scan_set(ParseCtx *ctx, Ref node, const char *key, Str value, const char *view, Spot at) {
    value = str_trim(value);
    if (!value.len) return;
    ctx->rows++;
    ctx_setting(ctx, node, key, value, view, at);
}

bool scan_pci_address(Str s) {
    size_t dot = str_rfind_ch(s, '.');
    if (s.len < 12 || s.len > 16 || dot != s.len - 2 || !ch_digit(s.p[s.len - 1])) return false;
    for (size_t i = 0; i < dot; i++)
        if (!ch_hex(s.p[i]) && s.p[i] != ':') return false;
    return s.p[dot - 3] == ':' && str_find_ch(s, ':') == dot - 6;
}
