#include "geom_fact.h"

#include "device_text.h"

Str geom_gpt_link(Arena *arena, Str label) {
    StrBuf b;
    sb_init(&b, arena);
    sb_addz(&b, "gpt/");
    for (size_t i = 0; i < label.len; i++) {
        unsigned char c = (unsigned char)label.p[i];
        if (c <= ' ' || c == '"' || c == '%' || c == '/' || c >= 0x7f) sb_addf(&b, "%%%02X", c);
        else sb_addc(&b, (char)c);
    }
    return sb_str(&b);
}

void geom_label(ParseCtx *ctx, Str link, Str provider, const char *how, Spot at) {
    if (!link.len || !dev_is_name(provider)) return;
    facts_same(ctx->facts, ctx->src, ctx_ref(ctx, REF_LINK, link), ctx_ref(ctx, REF_DISK, provider), how, at);
}

static void set(ParseCtx *ctx, Ref ref, const char *key, GeomText v) {
    if (v.text.len) ctx_setting(ctx, ref, key, v.text, "kernel", v.at);
}

static bool number(GeomText v, uint64_t *out) {
    Str rest = v.text;
    return str_u64(str_word(&rest), out); /* "1000204886016 (932G)" */
}

static void set_number(ParseCtx *ctx, Ref ref, const char *key, GeomText v, uint64_t least, uint64_t most) {
    uint64_t n;
    if (!v.text.len) return;
    if (!number(v, &n)) parse_note(ctx, v.at, "%s: \"%.*s\" is no number", key, STR_ARG(str_sub(v.text, 0, 40)));
    else if (n >= least && n <= most) ctx_setting_int(ctx, ref, key, (int64_t)n, "kernel", v.at);
}

/* What CAM makes of vendor and product: "ATA ST4000DM000-1F21", "Kingston DT 101 II"; ATA disks and NVMe have no vendor. */
static void model(ParseCtx *ctx, Ref ref, Str disk, GeomText descr) {
    Str text = str_trim(descr.text);
    size_t blank = str_find_ch(text, ' ');
    if (str_starts(disk, "da") && blank != SIZE_MAX) {
        ctx_setting(ctx, ref, "vendor", str_sub(text, 0, blank), "kernel", descr.at);
        text = str_trim(str_from(text, blank));
    }
    if (text.len) ctx_setting(ctx, ref, "model", text, "kernel", descr.at);
}

static void disk(ParseCtx *ctx, const GeomProvider *p) {
    Str name = p->name.text;
    Ref ref = ctx_ref(ctx, REF_DISK, name);
    if (str_starts(name, "cd")) {
        ctx_setting(ctx, ref, "device_type", STR("cdrom"), "kernel", p->name.at);
        return;
    }
    if (!dev_is_disk(name)) return; /* mfid volumes and the like have no identity of a drive */
    ctx_setting(ctx, ref, "device_type", STR("disk"), "kernel", p->name.at);
    bool nvme = str_starts(name, "nvd") || str_starts(name, "nda");
    if (nvme) ctx_setting(ctx, ref, "transport", STR("nvme"), "kernel", p->name.at);
    model(ctx, ref, name, p->descr);
    set(ctx, ref, "serial", p->ident);
    Str id = str_starts(p->lunid.text, "0x") ? str_from(p->lunid.text, 2) : p->lunid.text;
    id = dev_wwn(ctx->scratch, id); /* a vendor's text may stand there, too */
    if (id.len) ctx_setting(ctx, ref, !nvme ? "wwn" : id.len == 32 ? "nguid" : "eui", id, "kernel", p->lunid.at);
    set_number(ctx, ref, "size_bytes", p->mediasize, 1, (uint64_t)INT64_MAX);
    set_number(ctx, ref, "logical_block_bytes", p->sectorsize, 256, 1 << 20);
    /* the stripe of a disk is its physical sector; of a volume of a RAID controller it is more */
    uint64_t stripe;
    if (number(p->stripesize, &stripe) && stripe >= 512 && stripe <= 16384 && !(stripe & (stripe - 1)))
        ctx_setting_int(ctx, ref, "physical_block_bytes", (int64_t)stripe, "kernel", p->stripesize.at);
    uint64_t rpm;
    if (number(p->rotationrate, &rpm) && (rpm == 0 || (rpm >= 1000 && rpm <= 20000))) {
        ctx_setting_int(ctx, ref, "rotation_rpm", (int64_t)rpm, "kernel", p->rotationrate.at);
        ctx_setting(ctx, ref, "rotational", rpm ? STR("1") : STR("0"), "kernel", p->rotationrate.at);
    }
}

void geom_provider(ParseCtx *ctx, const GeomProvider *p) {
    if (!p->name.text.len) return;
    if (str_is(p->class, "DISK")) {
        disk(ctx, p);
        return;
    }
    if (!str_is(p->class, "PART")) return;
    if (str_is(p->scheme, "GPT") || str_is(p->scheme, "MBR")) /* of BSD labels it counts from the slice */
        set_number(ctx, ctx_ref(ctx, REF_DISK, p->name.text), "start_bytes", p->offset, 0, (uint64_t)INT64_MAX);
    if (p->rawuuid.text.len && str_is(p->scheme, "GPT"))
        geom_label(ctx, arena_strf(ctx->scratch, "gptid/%.*s", STR_ARG(p->rawuuid.text)), p->name.text, "GEOM",
                   p->rawuuid.at);
    if (p->label.text.len && str_is(p->scheme, "GPT") && !str_is(p->label.text, "(null)"))
        geom_label(ctx, geom_gpt_link(ctx->scratch, p->label.text), p->name.text, "GEOM", p->label.at);
}
