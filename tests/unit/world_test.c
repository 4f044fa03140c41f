#include "world_test.h"

#include "../../analyze/facts/views.h"

#include <stdio.h>
#include <stdlib.h>

World *world_open(size_t captures) {
    Error err = {""};
    World *w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_true(captures <= 4);
    w->arena = arena_new((size_t)2 << 30);
    w->facts = facts_new(w->arena, &err);
    if (!w->facts || !views_create(facts_db(w->facts), w->arena, NULL, 0, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < captures; i++) {
        int64_t bundle = facts_bundle(w->facts, str_of(arena_fmt(w->arena, "upload%zu", i)), STR("directory"));
        w->capture[i] = facts_capture(w->facts, bundle, STR_NONE);
    }
    return w;
}

void world_close(World *w) {
    arena_free(w->arena);
    free(w);
}

int64_t world_source(World *w, size_t capture, const char *tool, const char *command) {
    w->src =
        facts_source(w->facts, (int64_t)capture + 1, w->capture[capture], str_of(tool), 1, tool, str_of(command), 24);
    facts_source_end(w->facts, w->src, 1, "parsed", 1, 0, 0, STR_NONE, 1);
    return w->src;
}

static Spot here(World *w) {
    w->line++;
    return (Spot){.line = w->line, .text = str_of(arena_fmt(w->arena, "line %lld", (long long)w->line))};
}

Ref world_ref(World *w, const char *name) {
    static const struct {
        const char *word;
        RefKind kind;
    } kinds[] = {{"host", REF_HOST},
                 {"disk", REF_DISK},
                 {"link", REF_LINK},
                 {"ata", REF_ATA},
                 {"scsi", REF_SCSI},
                 {"pci", REF_PCI},
                 {"usb", REF_USB},
                 {"scsihost", REF_SCSI_HOST},
                 {"pool", REF_POOL},
                 {"vdev", REF_VDEV},
                 {"member", REF_MEMBER},
                 {"array", REF_ARRAY},
                 {"filesystem", REF_FILESYSTEM},
                 {"serial", REF_SERIAL},
                 {"slot", REF_SLOT},
                 {"process", REF_PROCESS}};
    Str rest = str_of(name), word = str_cut(&rest, ':');
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_is(word, kinds[i].word)) return facts_ref(w->facts, w->src, kinds[i].kind, rest);
    fail_msg("no such kind of name: %s", name);
    return 0;
}

void world_set(World *w, const char *name, const char *view, const char *settings) {
    Ref ref = world_ref(w, name);
    for (Str rest = str_of(settings); rest.len;) {
        Str pair = str_cut(&rest, '|'), value = pair, key = str_cut(&value, '=');
        facts_setting(w->facts, w->src, ref, arena_cstr(w->arena, key), value, view, here(w));
    }
}

void world_same(World *w, const char *a, const char *b) {
    facts_same(w->facts, w->src, world_ref(w, a), world_ref(w, b), "test", here(w));
}

void world_leaf(World *w, const char *pool, const char *vdev, const char *member) {
    Row r = facts_row(w->facts, "vdev", w->src, here(w));
    row_ref(&r, "node", world_ref(w, arena_fmt(w->arena, "member:%s", member)));
    row_ref(&r, "pool", world_ref(w, arena_fmt(w->arena, "pool:%s", pool)));
    row_ref(&r, "parent", world_ref(w, arena_fmt(w->arena, "vdev:%s/%s", pool, vdev)));
    row_text(&r, "name", str_of(member));
    row_text(&r, "type", STR("disk"));
    row_int(&r, "is_leaf", 1);
    row_done(&r);
}

void world_resolve(World *w) {
    Error err = {""};
    if (!facts_resolve(w->facts, &err)) fail_msg("%s", err.text);
}

const char *world_list(World *w, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(w->facts), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(facts_db(w->facts)));
    StrBuf b;
    sb_init(&b, w->arena);
    for (bool first = true; sqlite3_step(st) == SQLITE_ROW; first = false) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        sb_addf(&b, "%s%s", first ? "" : " ", text ? text : "NULL");
    }
    sqlite3_finalize(st);
    return sb_str(&b).p ? sb_str(&b).p : "";
}

const char *world_text(World *w, const char *sql) {
    return world_list(w, arena_fmt(w->arena, "SELECT * FROM (%s) LIMIT 1", sql));
}

const char *world_key(World *w, size_t capture, int boot, const char *name) {
    Str rest = str_of(name), word = str_cut(&rest, ':');
    return world_text(w, arena_fmt(w->arena,
                                   "SELECT n.key FROM ref r JOIN source s ON s.id = r.src JOIN node n ON n.id = r.node "
                                   "WHERE s.capture = %lld AND r.boot = %d AND r.kind = '%.*s' "
                                   "AND r.name = '%.*s'",
                                   (long long)w->capture[capture], boot, STR_ARG(word), STR_ARG(rest)));
}
