#include "models.h"

#include "../base/embedded.h"

#include <cJSON.h>
#include <stdio.h>

static Str json_str(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? str_of(item->valuestring) : STR_NONE;
}

static bool is_model_file(const EmbeddedFile *file) {
    return str_starts(str_of(file->path), "rules/models/") && str_ends(str_of(file->path), ".json");
}

static void put_facts(sqlite3 *db, sqlite3_stmt *put, int64_t node, int64_t capture, const cJSON *model) {
    (void)db;
    const cJSON *facts = cJSON_GetObjectItemCaseSensitive(model, "facts"), *fact;
    const cJSON *certainty = cJSON_GetObjectItemCaseSensitive(model, "certainty");
    Str id = json_str(model, "id"), source = json_str(model, "source");
    cJSON_ArrayForEach(fact, facts) {
        sqlite3_bind_int64(put, 1, node);
        sqlite3_bind_int64(put, 2, capture);
        sqlite3_bind_text(put, 3, fact->string, -1, SQLITE_TRANSIENT);
        if (cJSON_IsNumber(fact)) sqlite3_bind_double(put, 4, fact->valuedouble);
        else if (cJSON_IsString(fact)) sqlite3_bind_text(put, 4, fact->valuestring, -1, SQLITE_TRANSIENT);
        else continue;
        sqlite3_bind_text64(put, 5, id.p, id.len, SQLITE_TRANSIENT, SQLITE_UTF8);
        sqlite3_bind_double(put, 6, cJSON_IsNumber(certainty) ? certainty->valuedouble : 0.5);
        sqlite3_bind_text64(put, 7, source.p, source.len, SQLITE_TRANSIENT, SQLITE_UTF8);
        sqlite3_step(put);
        sqlite3_reset(put);
    }
}

typedef struct Item {
    int64_t node, capture;
    Str name, firmware;
    const char *kind;
} Item;
typedef VEC(Item) ItemList;

static void load(Facts *f, ItemList *items, const char *kind, const char *query) {
    sqlite3_stmt *st;
    Arena *a = facts_arena(f);
    if (sqlite3_prepare_v2(facts_db(f), query, -1, &st, NULL) != SQLITE_OK)
        fatal("models: %s", sqlite3_errmsg(facts_db(f)));
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 2), *fw = (const char *)sqlite3_column_text(st, 3);
        Item item = {sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1), arena_str(a, str_trim(str_of(name))),
                     arena_str(a, str_of(fw)), kind};
        if (item.name.len) VEC_PUSH(a, items, item);
        /* a link below /dev/disk/by-id spells a blank as '_' */
        if (str_is(str_of(kind), "drive") && str_find_ch(item.name, '_') != SIZE_MAX &&
            str_find_ch(item.name, ' ') == SIZE_MAX) {
            char *spelt = arena_cstr(a, item.name);
            for (size_t i = 0; i < item.name.len; i++)
                if (spelt[i] == '_') spelt[i] = ' ';
            item.name.p = spelt;
            VEC_PUSH(a, items, item);
        }
    }
    sqlite3_finalize(st);
}

bool models_resolve(Facts *f, Error *err) {
    sqlite3 *db = facts_db(f);
    ItemList items = {0};
    load(f, &items, "drive", "SELECT node, capture, model, firmware FROM drive WHERE model IS NOT NULL");
    load(f, &items, "controller",
         "SELECT node, capture, lower(vendor_id || ':' || device_id), NULL FROM pci_device WHERE vendor_id IS NOT NULL "
         "AND device_id IS NOT NULL AND node IS NOT NULL");
    load(
        f, &items, "bridge",
        "SELECT DISTINCT s.node, s.capture, s.value, NULL FROM setting s JOIN drive d ON d.node = s.node AND d.capture "
        "= s.capture WHERE s.key = 'usb_id' AND s.boot = 0");
    load(f, &items, "platform",
         "SELECT h.node, h.capture, (SELECT value FROM setting s WHERE s.node = h.node AND s.key = 'dmi_sys_vendor' "
         "LIMIT 1) || ' ' ||"
         " (SELECT value FROM setting s WHERE s.node = h.node AND s.key = 'dmi_product_name' LIMIT 1), NULL FROM host "
         "h");
    if (!items.count) return true;
    sqlite3_stmt *put;
    if (sqlite3_prepare_v2(db,
                           "INSERT INTO model_fact(node, capture, fact, value, model_id, certainty, source) "
                           "VALUES(?1,?2,?3,?4,?5,?6,?7)",
                           -1, &put, NULL) != SQLITE_OK)
        return error_set(err, "models: %s", sqlite3_errmsg(db));
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (!is_model_file(&embedded_files[i])) continue;
        cJSON *doc = cJSON_ParseWithLength((const char *)embedded_files[i].data, embedded_files[i].len);
        const cJSON *models = cJSON_GetObjectItemCaseSensitive(doc, "models"), *model;
        cJSON_ArrayForEach(model, models) {
            Str kind = json_str(model, "kind"), match = json_str(model, "match"),
                firmware = json_str(model, "firmware");
            const Item *given = NULL; /* the last that got these facts: its other spelling gets them no second time */
            for (size_t k = 0; k < items.count; k++) {
                const Item *item = &items.items[k];
                if (given && given->node == item->node && given->capture == item->capture) continue;
                if (!str_is(kind, item->kind) || !str_glob(match, item->name)) continue;
                if (firmware.p && !(item->firmware.len && str_glob(firmware, item->firmware))) continue;
                given = item;
                put_facts(db, put, item->node, item->capture, model);
            }
        }
        cJSON_Delete(doc);
    }
    sqlite3_finalize(put);
    if (sqlite3_exec(db,
                     "UPDATE drive SET plp = (SELECT value FROM model_fact m WHERE m.node = drive.node AND m.capture = "
                     "drive.capture AND m.fact = 'plp'"
                     " ORDER BY certainty DESC, model_id LIMIT 1) WHERE plp IS NULL;"
                     /* a drive that tests its capacitors has some; under names that its maker's table gives */
                     "UPDATE drive SET plp = 'yes' WHERE coalesce(plp, 'no') = 'no' AND EXISTS (SELECT 1 FROM counter "
                     "c WHERE c.node = drive.node AND c.capture = drive.capture AND c.kind = 'ata' AND "
                     "coalesce(c.when_failed, '') <> 'now' AND c.name IN ('Power_Loss_Cap_Test', 'Supercap_Status', "
                     "'SuperCap_Health', 'Capacitor_Health', 'SuperCap_Charge_Status', 'Capacitor_Life'))",
                     NULL, NULL, NULL) != SQLITE_OK)
        return error_set(err, "models: %s", sqlite3_errmsg(db));
    return true;
}

/* ---------------------------------------------------------------- models that prose names */

enum {
    STATED_MIN = 6,
    STATED_MAX = 40,
    STATED_WORDS = 4000
}; /* a model number: its length; words looked at of one capture */

/* One word that may be a model number: letters and digits, two of each at least. Gives it in capitals, as makers write it. */
static bool model_word(Arena *a, Str word, Str *out) {
    size_t letters = 0, digits = 0;
    while (word.len && !ch_alnum(word.p[0])) word = str_from(word, 1);
    while (word.len && !ch_alnum(word.p[word.len - 1])) word.len--;
    if (word.len < STATED_MIN || word.len > STATED_MAX) return false;
    char *big = arena_cstr(a, word);
    for (size_t i = 0; i < word.len; i++) {
        char c = word.p[i];
        if (!ch_alnum(c) && c != '-' && c != '_') return false;
        letters += ch_alpha(c);
        digits += ch_digit(c);
        if (c >= 'a' && c <= 'z') big[i] = (char)(c - 'a' + 'A');
    }
    *out = (Str){big, word.len};
    return letters >= 2 && digits >= 2;
}

typedef struct Stated {
    Str name;
    int64_t src, line;
} Stated;

typedef VEC(cJSON *) DocList;

typedef struct Prosaic { /* what the prose of one capture names */
    const DocList *docs;
    VEC(Stated) words;
    int64_t capture, host, drive; /* drive: the only one without a model; 0: none, or several */
    Str media;                    /* of that drive, where something else tells it */
    VEC(Str) shown;               /* models that outputs show, in capitals */
} Prosaic;

static Str capitals(Arena *a, Str s) {
    char *big = arena_cstr(a, s);
    for (size_t i = 0; i < s.len; i++)
        if (big[i] >= 'a' && big[i] <= 'z') big[i] = (char)(big[i] - 'a' + 'A');
    return (Str){big, s.len};
}

static bool read_prose(Facts *f, Prosaic *p) {
    Arena *a = facts_arena(f);
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(f), "SELECT text, src, line FROM statement WHERE capture = ?1 ORDER BY src, line",
                           -1, &st, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(st, 1, p->capture);
    for (size_t seen = 0; sqlite3_step(st) == SQLITE_ROW;) {
        Str text = {(const char *)sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0)}, number;
        for (Str word; seen < STATED_WORDS && (word = str_word(&text)).len; seen++) {
            if (!model_word(a, word, &number)) continue;
            bool have = false;
            for (size_t i = 0; i < p->words.count && !have; i++) have = str_eq(p->words.items[i].name, number);
            Stated s = {number, sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2)};
            if (!have) VEC_PUSH(a, &p->words, s);
        }
    }
    sqlite3_finalize(st);
    if (!p->words.count) return false;
    if (sqlite3_prepare_v2(facts_db(f),
                           "SELECT node, model, media FROM drive WHERE capture = ?1 AND coalesce(is_virtual, 0) = 0",
                           -1, &st, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(st, 1, p->capture);
    size_t unknown = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str model = str_of((const char *)sqlite3_column_text(st, 1));
        if (model.len) {
            VEC_PUSH(a, &p->shown, capitals(a, model));
            continue;
        }
        p->drive = unknown++ ? 0 : sqlite3_column_int64(st, 0);
        p->media = arena_str(a, str_of((const char *)sqlite3_column_text(st, 2)));
    }
    sqlite3_finalize(st);
    return true;
}

static bool is_shown(const Prosaic *p, Str name) {
    for (size_t i = 0; i < p->shown.count; i++)
        if (str_has(p->shown.items[i], name.p)) return true; /* a word ends in NUL: arena_cstr() */
    return false;
}

static bool is_spoken(const cJSON *model, Str name) {
    const cJSON *item;
    cJSON_ArrayForEach(
        item, cJSON_GetObjectItemCaseSensitive(model, "spoken")) if (cJSON_IsString(item) &&
                                                                     str_is(name, item->valuestring)) return true;
    return false;
}

/* The entries that one word meets; with `put` its facts become rows of the node. */
static size_t meets(const Prosaic *p, const Stated *word, bool drive, int64_t node, sqlite3_stmt *put) {
    size_t n = 0;
    for (size_t i = 0; i < p->docs->count; i++) {
        const cJSON *model, *fact;
        cJSON_ArrayForEach(model, cJSON_GetObjectItemCaseSensitive(p->docs->items[i], "models")) {
            if (drive != str_is(json_str(model, "kind"), "drive") || json_str(model, "firmware").p) continue;
            if (drive ? !str_glob(json_str(model, "match"), word->name) : !is_spoken(model, word->name)) continue;
            const cJSON *facts = cJSON_GetObjectItemCaseSensitive(model, "facts");
            Str media = json_str(facts, "media"), id = json_str(model, "id"), source = json_str(model, "source");
            if (drive && media.p && p->media.len && !str_eq(media, p->media)) continue;
            n++;
            if (!put) continue;
            const cJSON *certainty = cJSON_GetObjectItemCaseSensitive(model, "certainty");
            cJSON_ArrayForEach(fact, facts) {
                sqlite3_bind_int64(put, 1, node);
                sqlite3_bind_int64(put, 2, p->capture);
                sqlite3_bind_text64(put, 3, word->name.p, word->name.len, SQLITE_TRANSIENT, SQLITE_UTF8);
                sqlite3_bind_text(put, 4, fact->string, -1, SQLITE_TRANSIENT);
                if (cJSON_IsNumber(fact)) sqlite3_bind_double(put, 5, fact->valuedouble);
                else if (cJSON_IsString(fact)) sqlite3_bind_text(put, 5, fact->valuestring, -1, SQLITE_TRANSIENT);
                else continue;
                sqlite3_bind_text64(put, 6, id.p, id.len, SQLITE_TRANSIENT, SQLITE_UTF8);
                sqlite3_bind_double(put, 7, cJSON_IsNumber(certainty) ? certainty->valuedouble : 0.5);
                sqlite3_bind_text64(put, 8, source.p, source.len, SQLITE_TRANSIENT, SQLITE_UTF8);
                sqlite3_bind_int64(put, 9, word->src);
                sqlite3_bind_int64(put, 10, word->line);
                sqlite3_step(put);
                sqlite3_reset(put);
            }
        }
    }
    return n;
}

/* The only word that names a drive (or a chip of the host); NULL: none, or several. */
static const Stated *only_word(const Prosaic *p, bool drive) {
    const Stated *found = NULL;
    for (size_t i = 0; i < p->words.count; i++) {
        const Stated *word = &p->words.items[i];
        if ((drive && is_shown(p, word->name)) || !meets(p, word, drive, 0, NULL)) continue;
        if (found) return NULL;
        found = word;
    }
    return found;
}

bool models_stated(Facts *f, Error *err) {
    sqlite3 *db = facts_db(f);
    sqlite3_stmt *captures, *put = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT DISTINCT h.capture, h.node FROM host h JOIN statement s ON s.capture = h.capture",
                           -1, &captures, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(
            db,
            "INSERT INTO stated_model(node, capture, name, fact, value, model_id, certainty, source, src, "
            "line) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
            -1, &put, NULL) != SQLITE_OK) {
        sqlite3_finalize(captures);
        return error_set(err, "models: %s", sqlite3_errmsg(db));
    }
    DocList docs = {0};
    bool read = false;
    while (sqlite3_step(captures) == SQLITE_ROW) {
        Prosaic p = {
            .docs = &docs, .capture = sqlite3_column_int64(captures, 0), .host = sqlite3_column_int64(captures, 1)};
        if (!read_prose(f, &p)) continue;
        for (size_t i = 0; i < embedded_file_count && !read; i++)
            if (is_model_file(&embedded_files[i]))
                VEC_PUSH(facts_arena(f), &docs,
                         cJSON_ParseWithLength((const char *)embedded_files[i].data, embedded_files[i].len));
        read = true;
        const Stated *drive = p.drive ? only_word(&p, true) : NULL, *chip = only_word(&p, false);
        if (drive) meets(&p, drive, true, p.drive, put);
        if (chip) meets(&p, chip, false, p.host, put);
    }
    for (size_t i = 0; i < docs.count; i++) cJSON_Delete(docs.items[i]);
    sqlite3_finalize(captures);
    sqlite3_finalize(put);
    return true;
}

/* ---------------------------------------------------------------- the data's own checks */

/* A sample of an entry: "MODEL", or ["MODEL", "FIRMWARE"]. */
static bool sample_of(const cJSON *item, Str *name, Str *firmware) {
    *firmware = STR_NONE;
    if (cJSON_IsString(item)) {
        *name = str_of(item->valuestring);
        return true;
    }
    const cJSON *first = cJSON_GetArrayItem(item, 0), *second = cJSON_GetArrayItem(item, 1);
    if (!cJSON_IsArray(item) || !cJSON_IsString(first) || !cJSON_IsString(second)) return false;
    *name = str_of(first->valuestring);
    *firmware = str_of(second->valuestring);
    return true;
}

static bool matches(const cJSON *model, Str name, Str firmware) {
    Str wanted = json_str(model, "firmware");
    return str_glob(json_str(model, "match"), name) && (!wanted.p || (firmware.len && str_glob(wanted, firmware)));
}

/* A drive's entry names a model that it must match and a neighbour that it must not; others may. */
static const char *samples_wrong(const cJSON *model, Str kind) {
    static const char *const lists[] = {"rejects", "matches"};
    for (int want = 0; want < 2; want++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(model, lists[want]), *item;
        if (!list && !str_is(kind, "drive")) continue;
        if (!cJSON_IsArray(list) || !cJSON_GetArraySize(list))
            return want ? "no sample under \"matches\"" : "no near miss under \"rejects\"";
        cJSON_ArrayForEach(item, list) {
            Str name, firmware;
            if (!sample_of(item, &name, &firmware)) return "a sample is a model, or a list of model and firmware";
            if (matches(model, name, firmware) != (want == 1))
                return want ? "does not match its sample" : "matches its near miss";
        }
    }
    return NULL;
}

typedef struct Known {
    const cJSON *model;
    const char *path;
} Known;

/* Two entries that take one sample must not contradict each other about what cannot be both. */
static size_t contradictions(StrBuf *problems, const Known *known, size_t count) {
    static const char *const facts[] = {"smr", "media"};
    size_t found = 0;
    for (size_t a = 0; a < count; a++) {
        const cJSON *item, *samples = cJSON_GetObjectItemCaseSensitive(known[a].model, "matches");
        cJSON_ArrayForEach(item, samples) {
            Str name, firmware;
            if (!sample_of(item, &name, &firmware)) continue;
            for (size_t b = 0; b < count; b++) {
                if (a == b || !matches(known[b].model, name, firmware)) continue;
                for (size_t f = 0; f < sizeof facts / sizeof *facts; f++) {
                    Str x = json_str(cJSON_GetObjectItemCaseSensitive(known[a].model, "facts"), facts[f]);
                    Str y = json_str(cJSON_GetObjectItemCaseSensitive(known[b].model, "facts"), facts[f]);
                    if (!x.p || !y.p || str_eq(x, y)) continue;
                    Str id_a = json_str(known[a].model, "id"), id_b = json_str(known[b].model, "id");
                    sb_addf(problems, "%s: %.*s and %.*s say different things (%s) of %.*s\n", known[a].path,
                            STR_ARG(id_a), STR_ARG(id_b), facts[f], STR_ARG(name));
                    found++;
                }
            }
        }
    }
    return found;
}

size_t models_lint(StrBuf *problems) {
    size_t count = 0;
    VEC(Str) ids = {0};
    VEC(Known) drives = {0};
    VEC(cJSON *) docs = {0};
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (!is_model_file(&embedded_files[i])) continue;
        const char *path = embedded_files[i].path;
        cJSON *doc = cJSON_ParseWithLength((const char *)embedded_files[i].data, embedded_files[i].len);
        const cJSON *models = cJSON_GetObjectItemCaseSensitive(doc, "models"), *model;
        if (!cJSON_IsArray(models)) {
            sb_addf(problems, "%s: not JSON with a list \"models\"\n", path);
            count++;
        }
        cJSON_ArrayForEach(model, models) {
            Str id = json_str(model, "id"), kind = json_str(model, "kind");
            const char *why = NULL;
            if (!id.len) why = "an entry without id";
            else if (!str_is(kind, "drive") && !str_is(kind, "controller") && !str_is(kind, "bridge") &&
                     !str_is(kind, "platform"))
                why = "kind is not drive, controller, bridge or platform";
            else if (!json_str(model, "match").len) why = "no match";
            else if (!json_str(model, "source").len) why = "no source";
            else if (!cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(model, "facts"))) why = "no facts";
            else if (!cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(model, "certainty"))) why = "no certainty";
            else why = samples_wrong(model, kind);
            const cJSON *spoken = cJSON_GetObjectItemCaseSensitive(model, "spoken"), *word;
            cJSON_ArrayForEach(word, spoken) {
                Str number = STR_NONE, given = cJSON_IsString(word) ? str_of(word->valuestring) : STR_NONE;
                if (!why && (!model_word(problems->arena, given, &number) || !str_eq(number, given)))
                    why = "\"spoken\" lists model numbers in capitals, as a sentence holds them in one word";
            }
            if (!why && spoken && str_is(kind, "drive")) why = "a drive is known by its match, it needs no \"spoken\"";
            for (size_t k = 0; !why && k < ids.count; k++)
                if (str_eq(ids.items[k], id)) why = "id is used twice";
            if (why) {
                sb_addf(problems, "%s: %.*s: %s\n", path, STR_ARG(id), why);
                count++;
            } else {
                VEC_PUSH(problems->arena, &ids, arena_str(problems->arena, id));
                Known k = {model, path};
                if (str_is(kind, "drive")) VEC_PUSH(problems->arena, &drives, k);
            }
        }
        VEC_PUSH(problems->arena, &docs, doc);
    }
    count += contradictions(problems, drives.items, drives.count);
    for (size_t i = 0; i < docs.count; i++) cJSON_Delete(docs.items[i]);
    return count;
}
