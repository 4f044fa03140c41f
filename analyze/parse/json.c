#include "json.h"

#include <math.h>
#include <stdlib.h>

static void delete_tree(void *tree) {
    cJSON_Delete(tree);
}

/* Copies text with long integers quoted. Counts values on the way, because cJSON has a limit for depth but none for their
   number. */
static bool quote_long_integers(StrBuf *out, Str text, Error *err) {
    size_t values = 0;
    bool in_string = false;
    size_t i = 0, copied = 0;
    while (i < text.len) {
        char c = text.p[i];
        if (in_string) {
            if (c == '\\') i++;
            else if (c == '"') in_string = false;
            i++;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == ',' || c == '[' || c == '{') {
            if (++values > JSON_MAX_VALUES) return error_set(err, "JSON with more than %d values", JSON_MAX_VALUES);
        }
        if (c != '-' && !ch_digit(c)) {
            i++;
            continue;
        }
        size_t from = i, digits = 0;
        bool integer = true;
        if (c == '-') i++;
        while (i < text.len && (ch_digit(text.p[i]) || text.p[i] == '.' || text.p[i] == 'e' || text.p[i] == 'E' ||
                                text.p[i] == '+' || text.p[i] == '-')) {
            if (ch_digit(text.p[i])) digits++;
            else integer = false;
            i++;
        }
        if (!integer || digits <= JSON_EXACT_DIGITS) continue;
        sb_add(out, str_sub(text, copied, from - copied));
        sb_addc(out, '"');
        sb_add(out, str_sub(text, from, i - from));
        sb_addc(out, '"');
        copied = i;
    }
    sb_add(out, str_from(text, copied));
    return true;
}

cJSON *json_read(Arena *scratch, Str text, Error *err) {
    if (text.len > JSON_MAX_BYTES) {
        error_set(err, "JSON of more than %d MiB", JSON_MAX_BYTES / (1024 * 1024));
        return NULL;
    }
    StrBuf quoted;
    sb_init(&quoted, scratch);
    if (!quote_long_integers(&quoted, text, err)) return NULL;
    Str doc = sb_str(&quoted);
    if (!doc.len) {
        error_set(err, "empty JSON");
        return NULL;
    }
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts(doc.p, doc.len, &end, 0);
    if (!tree) {
        size_t at = end && end >= doc.p && end <= doc.p + doc.len ? (size_t)(end - doc.p) : 0;
        size_t line = 1;
        for (size_t i = 0; i < at; i++) line += doc.p[i] == '\n';
        error_set(err, "JSON ends or is broken at its line %zu", line);
        return NULL;
    }
    arena_defer(scratch, delete_tree, tree);
    return tree;
}

Str json_next(Str *text) {
    size_t from = 0;
    while (from < text->len && text->p[from] != '{' && text->p[from] != '[') from++;
    if (from == text->len) {
        *text = STR_NONE;
        return STR_NONE;
    }
    size_t depth = 0, i = from;
    bool in_string = false;
    for (; i < text->len; i++) {
        char c = text->p[i];
        if (in_string) {
            if (c == '\\') i++;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            i++;
            break;
        }
    }
    if (i > text->len) i = text->len;
    Str one = str_sub(*text, from, i - from);
    *text = str_from(*text, i);
    return one;
}

bool json_looks(Str text) {
    text = str_trim_left(text);
    if (str_starts(text, "\xef\xbb\xbf")) text = str_from(text, 3);
    if (!text.len || (text.p[0] != '{' && text.p[0] != '[')) return false;
    if (text.p[0] == '{') return true;
    text = str_trim_left(str_from(text, 1)); /* "[    1.844021] ata3: ..." is a kernel line */
    return !text.len || text.p[0] == '{' || text.p[0] == '[' || text.p[0] == '"' || text.p[0] == ']';
}

Str json_text(const cJSON *value) {
    return cJSON_IsString(value) && value->valuestring ? str_of(value->valuestring) : STR_NONE;
}

bool json_number(const cJSON *value, double *out) {
    if (cJSON_IsNumber(value)) {
        *out = value->valuedouble;
        return true;
    }
    if (cJSON_IsBool(value)) {
        *out = cJSON_IsTrue(value) ? 1 : 0;
        return true;
    }
    Str text = str_trim(json_text(value));
    if (!text.len) return false;
    uint64_t hex;
    if (str_istarts(text, "0x") && str_hex_u64(text, &hex)) {
        *out = (double)hex;
        return true;
    }
    return str_double(text, out);
}

bool json_i64(const cJSON *value, int64_t *out) {
    Str text = str_trim(json_text(value));
    if (text.len && str_i64(text, out)) return true;
    double d;
    if (!json_number(value, &d) || !(fabs(d) < 9.2e18)) return false;
    *out = (int64_t)d;
    return true;
}

const cJSON *json_get(const cJSON *object, const char *key) {
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const cJSON *json_at(const cJSON *root, const char *pointer) {
    Str rest = str_of(pointer);
    if (rest.len && rest.p[0] == '/') rest = str_from(rest, 1);
    while (root && rest.len) {
        Str step = str_cut(&rest, '/');
        uint64_t index;
        if (cJSON_IsArray(root) && str_u64(step, &index) && index < INT_MAX) {
            root = cJSON_GetArrayItem(root, (int)index);
            continue;
        }
        char key[128];
        if (!cJSON_IsObject(root) || step.len >= sizeof key) return NULL;
        memcpy(key, step.p, step.len);
        key[step.len] = '\0';
        root = cJSON_GetObjectItemCaseSensitive(root, key);
    }
    return root;
}

Str json_path(Arena *arena, Str parent, const char *key) {
    StrBuf b;
    sb_init(&b, arena);
    sb_add(&b, parent);
    sb_addc(&b, '/');
    for (const char *c = key ? key : ""; *c; c++) {
        if (*c == '~') sb_addz(&b, "~0");
        else if (*c == '/') sb_addz(&b, "~1");
        else sb_addc(&b, *c);
    }
    return sb_str(&b);
}

Str json_path_index(Arena *arena, Str parent, size_t index) {
    return arena_strf(arena, "%.*s/%zu", STR_ARG(parent), index);
}

Str json_show(Arena *arena, const cJSON *value) {
    if (cJSON_IsString(value)) return json_text(value);
    if (cJSON_IsBool(value)) return cJSON_IsTrue(value) ? STR("true") : STR("false");
    if (cJSON_IsNull(value)) return STR("null");
    if (!cJSON_IsNumber(value)) return STR("");
    return arena_strf(arena, "%.15g", value->valuedouble);
}

Str json_print(Arena *arena, const cJSON *value) {
    if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) return json_show(arena, value);
    char *printed = cJSON_PrintUnformatted(value);
    Str text = arena_str(arena, str_of(printed));
    cJSON_free(printed);
    return text;
}
