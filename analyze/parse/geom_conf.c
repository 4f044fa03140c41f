/*
 * geom_conf.c - all of FreeBSD's GEOM in one text, from kernel memory: no device is asked
 *
 * Reads   sysctl -b kern.geom.confxml (and geom -x, the same text), sysctl kern.geom.conftxt; the name of the sysctl may stand in front
 * Gives   disks: model, serial, WWN, size, sectors, rotation; partitions: their names below gptid/ and gpt/; labels: names of one device
 * Sample  kern.geom.confxml, FreeBSD 12.1, shortened
 *   |<mesh>
 *   |  <class id="0xffffffff81aff518">
 *   |    <name>DISK</name>
 *   |    <geom id="0xfffff80003898100">
 *   |      <name>ada0</name>
 *   |	<provider id="0xfffff80003a14000">
 *   |	  <name>ada0</name>
 *   |	  <mediasize>1000204886016</mediasize>
 *   |	  <config><ident>EX000000000001</ident><rotationrate>0</rotationrate></config>
 * Sample  kern.geom.conftxt
 *   |0 DISK ada0 1000204886016 512 hd 16 sc 63
 *   |1 PART ada0p1 1000203747328 512 i 1 o 1048576 ty freebsd-zfs xs GPT xt 516e7cba-...
 *   |2 LABEL gpt/tank0 1000203747328 512 i 0 o 0
 * Varies  the text form has no serial numbers; its first field is the depth, and a LABEL lies on the last line one step above. In the
 *         XML a label geom has the name of the provider it lies on (g_slice_new()). Before 2003 classes were called methods.
 */
#include "device_text.h"
#include "geom_fact.h"
#include "xml.h"

enum { XML_MAX_BYTES = 32 * 1024 * 1024, DEPTHS = 16 };

/* ---------------------------------------------------------------- which form */

/* "1 PART da0s1 21474803712 512 i 1 ..." */
static bool text_row(Str line, uint64_t *depth, Str words[5]) {
    size_t count = str_words(line, words, 5);
    uint64_t n;
    if (count < 5 || !str_u64(words[0], depth) || *depth >= DEPTHS || words[1].len < 2) return false;
    for (size_t i = 0; i < words[1].len; i++)
        if (!((words[1].p[i] >= 'A' && words[1].p[i] <= 'Z') || ch_digit(words[1].p[i]) || words[1].p[i] == '_'))
            return false;
    return ch_alpha(words[1].p[0]) && str_u64(words[3], &n) && str_u64(words[4], &n);
}

static Str without_name(Str line) {
    Str rest = str_after(line, "kern.geom.conftxt: ");
    if (!rest.p) rest = str_after(line, "kern.geom.confxml: ");
    return rest.p ? rest : line;
}

static bool starts(Str line) {
    Str words[5];
    uint64_t depth;
    line = str_trim(without_name(line));
    /* Nothing but a disk stands at the bottom: "0 OK 16 ..." is a row of somebody else. */
    return str_is(line, "<mesh>") ||
           (text_row(line, &depth, words) && depth == 0 && (str_is(words[1], "DISK") || str_is(words[1], "MD")));
}

static bool continues(Str line) {
    Str words[5];
    uint64_t depth;
    line = str_trim(line);
    return !line.len || line.p[0] == '<' || text_row(without_name(line), &depth, words);
}

static int bid(Str path, Str command, Str head) {
    (void)path;
    for (int n = 0; n < 4 && head.len; n++) {
        Str line = str_trim(head_line(&head));
        if (!line.len || str_starts(line, "<?xml")) continue;
        if (!starts(line)) return 0;
        return str_has(line, "<mesh>") ? 44 : command_is(command, "sysctl") || str_starts(line, "kern.geom") ? 40 : 30;
    }
    return 0;
}

/* ---------------------------------------------------------------- text */

static void parse_text(ParseCtx *ctx, Input *in) {
    Str line, above[DEPTHS] = {{0}}, words[5];
    uint64_t depth;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        line = str_trim(without_name(line));
        if (!line.len) continue;
        if (!text_row(line, &depth, words)) {
            parse_note(ctx, at, "not a line of kern.geom.conftxt: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
        above[depth] = arena_str(ctx->scratch, words[2]);
        if (str_is(words[1], "DISK")) {
            GeomProvider p = {.class = STR("DISK"), .name = {words[2], at}};
            p.mediasize = (GeomText){words[3], at};
            p.sectorsize = (GeomText){words[4], at};
            geom_provider(ctx, &p);
        } else if (str_is(words[1], "LABEL") && depth > 0) {
            geom_label(ctx, words[2], above[depth - 1], "kern.geom.conftxt", at);
        }
    }
}

/* ---------------------------------------------------------------- XML */

/* The text directly below an element; references to a document's entities are not followed. */
static Str text_of(ParseCtx *ctx, const xmlNode *node) {
    StrBuf b;
    sb_init(&b, ctx->scratch);
    for (const xmlNode *c = node->children; c; c = c->next)
        if ((c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE) && c->content)
            sb_addz(&b, (const char *)c->content);
    return str_trim(sb_str(&b));
}

static bool named(const xmlNode *n, const char *name) {
    return n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

static GeomText value_of(ParseCtx *ctx, const xmlNode *n, Str parent) {
    Str text = text_of(ctx, n);
    return (GeomText){text,
                      spot_path(arena_strf(ctx->scratch, "%.*s/%s", STR_ARG(parent), (const char *)n->name), text)};
}

static void provider(ParseCtx *ctx, const xmlNode *node, Str path, Str class, Str geom, Str scheme) {
    GeomProvider p = {.class = class, .geom = geom, .scheme = scheme};
    for (const xmlNode *c = node->children; c; c = c->next) {
        if (named(c, "name")) p.name = value_of(ctx, c, path);
        else if (named(c, "mediasize")) p.mediasize = value_of(ctx, c, path);
        else if (named(c, "sectorsize")) p.sectorsize = value_of(ctx, c, path);
        else if (named(c, "stripesize")) p.stripesize = value_of(ctx, c, path);
        else if (named(c, "config")) {
            Str below = arena_strf(ctx->scratch, "%.*s/config", STR_ARG(path));
            for (const xmlNode *k = c->children; k; k = k->next) {
                if (named(k, "descr")) p.descr = value_of(ctx, k, below);
                else if (named(k, "ident")) p.ident = value_of(ctx, k, below);
                else if (named(k, "lunid")) p.lunid = value_of(ctx, k, below);
                else if (named(k, "rotationrate")) p.rotationrate = value_of(ctx, k, below);
                else if (named(k, "rawuuid")) p.rawuuid = value_of(ctx, k, below);
                else if (named(k, "label")) p.label = value_of(ctx, k, below);
                else if (named(k, "offset")) p.offset = value_of(ctx, k, below);
            }
        }
    }
    ctx->rows++;
    if (str_is(class, "LABEL")) geom_label(ctx, p.name.text, geom, "GEOM", p.name.at);
    else geom_provider(ctx, &p);
}

static void geom(ParseCtx *ctx, const xmlNode *node, Str path, Str class) {
    Str name = STR_NONE, scheme = STR_NONE;
    for (const xmlNode *c = node->children; c; c = c->next) {
        if (named(c, "name")) name = text_of(ctx, c);
        if (named(c, "config"))
            for (const xmlNode *k = c->children; k; k = k->next)
                if (named(k, "scheme")) scheme = text_of(ctx, k);
    }
    ctx->rows++;
    int nth = 0;
    for (const xmlNode *c = node->children; c; c = c->next)
        if (named(c, "provider"))
            provider(ctx, c, arena_strf(ctx->scratch, "%.*s/provider[%d]", STR_ARG(path), ++nth), class, name, scheme);
}

static void mesh(ParseCtx *ctx, const xmlNode *root) {
    int nth = 0;
    for (const xmlNode *c = root->children; c; c = c->next) {
        if (!named(c, "class") && !named(c, "method")) continue;
        Str class = STR_NONE;
        nth++;
        for (const xmlNode *k = c->children; k; k = k->next)
            if (named(k, "name")) class = text_of(ctx, k);
        ctx->rows++;
        int geoms = 0;
        for (const xmlNode *k = c->children; k; k = k->next)
            if (named(k, "geom"))
                geom(ctx, k, arena_strf(ctx->scratch, "/mesh/%s[%d]/geom[%d]", (const char *)c->name, nth, ++geoms),
                     class);
    }
}

static void parse_xml(ParseCtx *ctx, Str text, Spot first) {
    size_t begin = str_find(text, "<mesh>");
    if (begin == SIZE_MAX) return;
    text = str_from(text, begin); /* "kern.geom.confxml: " or an XML declaration */
    const xmlNode *root = xml_read(ctx, text, first, XML_MAX_BYTES);
    if (root && named(root, "mesh")) mesh(ctx, root);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str line;
    while (input_line(in, &line)) {
        Str s = str_trim(without_name(line));
        if (!s.len) continue;
        Spot first = input_spot(in);
        first.text = arena_str(ctx->scratch, str_sub(first.text, 0, 80));
        bool xml = s.p[0] == '<';
        input_unread(in);
        if (xml) {
            Str text;
            if (!input_all(in, ctx->scratch, XML_MAX_BYTES, &text))
                parse_note(ctx, first, "too much XML: the end was not read");
            parse_xml(ctx, text, first);
        } else {
            parse_text(ctx, in);
        }
        break;
    }
    return parse_result(ctx);
}

const Parser parser_geom_conf = {.name = "geom-conf",
                                 .bid = bid,
                                 .starts = starts,
                                 .continues = continues,
                                 .parse = parse,
                                 .ask = "sysctl -b kern.geom.confxml"};
