/*
 * qemu_img.c - disk images and what they rest on
 *
 * Reads   qemu-img info, with --backing-chain too; text and --output=json
 * Gives   guest_image
 * Sample  qemu-img 8
 *   | image: mail-now.qcow2
 *   | file format: qcow2
 *   | virtual size: 32 GiB (34359738368 bytes)
 *   | disk size: 1.2 GiB
 *   | backing file: mail.qcow2 (actual path: /var/lib/images/mail.qcow2)
 *   |
 *   | image: /var/lib/images/mail.qcow2
 *   | ...
 * Varies  a chain is a block per file, the uppermost first; without --backing-chain only that one stands there. Since 8.0 the protocol
 *         layer follows as "Child node '/file':". Lists of snapshots have their own header, whose columns grew.
 * Source  QEMU qemu-img.c, block/qapi.c
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"
#include "scan.h"

static const char *const fields[] = {"image: ",
                                     "file format: ",
                                     "virtual size: ",
                                     "disk size: ",
                                     "cluster_size: ",
                                     "encrypted: ",
                                     "backing file: ",
                                     "backing file format: ",
                                     "Snapshot list:",
                                     "Format specific information:",
                                     "cleanly shut down: ",
                                     "Child node '",
                                     "filename: ",
                                     "protocol type: ",
                                     NULL};

static bool field(Str line) {
    Str s = str_trim_left(line);
    for (size_t i = 0; fields[i]; i++)
        if (str_starts(s, fields[i])) return true;
    return false;
}

static bool snapshot_header(Str line) {
    Str s = str_trim(line);
    return str_starts(s, "ID ") && str_has(s, " TAG ") && str_has(s, "VM CLOCK");
}

/* "1         before-update            0 B 2024-03-01 10:00:00 00:00:00.000          0" */
static bool snapshot_row(Str line) {
    Str w[12];
    size_t n = str_words(line, w, 12);
    if (n < 5 || n > 12 || ch_blank(line.p[0]) || !(ch_digit(line.p[0]) || str_is(w[0], "--"))) return false;
    for (size_t i = 2; i + 1 < n; i++)
        if (w[i].len == 10 && w[i].p[4] == '-' && w[i].p[7] == '-') return true;
    return false;
}

static bool image_line(Str line) {
    return str_starts(line, "image: ") && line.len > 7;
}

static int bid(Str path, Str command, Str head) {
    bool named = command_is(command, "qemu-img") || path_has(path, "qemu-img");
    Str whole = head;
    if (json_looks(head))
        return str_has(whole, "\"virtual-size\"") && str_has(whole, "\"filename\"") ? (named ? 34 : 28) : 0;
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (!image_line(line)) return 0;
        Str next = head_line(&head);
        return str_starts(next, "file format: ") ? (named ? 32 : 26) : named ? 12 : 0;
    }
    return 0;
}

static bool starts(Str line) {
    return image_line(line);
}

/* Lines below a heading are indented: "    compat: 1.1". */
static bool continues(Str line) {
    return !str_trim(line).len || field(line) || snapshot_header(line) || snapshot_row(line) ||
           str_starts(line, "    ");
}

typedef struct Chain {
    ParseCtx *ctx;
    Str image, format;
    int64_t layers, snapshots;
    bool rests; /* the file seen last rests on another */
    Spot at;
} Chain;

static void put(Chain *c) {
    if (!c->image.len) return;
    Row r = ctx_row(c->ctx, "guest_image", c->at);
    row_text(&r, "image", c->image);
    row_text(&r, "format", c->format);
    row_int(&r, "layers", c->layers);
    row_int(&r, "complete", !c->rests);
    row_int(&r, "snapshots", c->snapshots);
    row_done(&r);
    c->image = STR_NONE;
}

static void next_file(Chain *c, Str image, Spot at) {
    if (c->image.len && c->rests) {
        c->layers++;
        c->rests = false;
        return;
    }
    put(c);
    *c = (Chain){.ctx = c->ctx, .image = arena_str(c->ctx->scratch, image), .layers = 1, .at = at};
    c->at.text = arena_str(c->ctx->scratch, at.text);
    c->at.path = at.path.len ? arena_str(c->ctx->scratch, at.path) : at.path;
}

static void one_json(Chain *c, const cJSON *o, Str path) {
    Str name = json_text(json_get(o, "filename"));
    if (!name.p || !json_get(o, "virtual-size")) {
        parse_note(c->ctx, spot_path(path, STR_NONE), "an image without filename and size");
        return;
    }
    c->ctx->rows++;
    next_file(c, name, spot_path(json_path(c->ctx->scratch, path, "filename"), name));
    if (c->layers == 1) {
        c->format = json_text(json_get(o, "format"));
        const cJSON *list = json_get(o, "snapshots");
        c->snapshots = list ? cJSON_GetArraySize(list) : 0;
    }
    c->rests = json_text(json_get(o, "backing-filename")).len > 0;
}

static void parse_json(Chain *c, Input *in) {
    Str text;
    if (!input_all(in, c->ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(c->ctx, input_spot(in), "JSON of more than %d bytes is not read", JSON_MAX_BYTES);
    for (Str one; (one = json_next(&text)).p;) {
        Error err = {""};
        const cJSON *doc = json_read(c->ctx->scratch, one, &err), *o;
        if (!doc) {
            parse_note(c->ctx, (Spot){.line = in->line}, "%s", err.text);
            return;
        }
        size_t i = 0;
        if (!cJSON_IsArray(doc)) one_json(c, doc, STR_NONE);
        else cJSON_ArrayForEach(o, doc) one_json(c, o, json_path_index(c->ctx->scratch, STR_NONE, i++));
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Chain c = {.ctx = ctx};
    Str line;
    bool inside = false; /* the protocol layer below repeats name and size */
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (!ctx->rows && json_looks(line)) {
            input_unread(in);
            parse_json(&c, in);
            break;
        }
        Str rest;
        if (image_line(line)) {
            next_file(&c, str_trim(str_from(line, 7)), at);
            inside = false;
        } else if (str_starts(line, "Child node '")) {
            inside = true;
        } else if (snapshot_row(line)) {
            if (c.layers == 1 && !inside) c.snapshots++;
        } else if ((rest = str_after(line, "file format: ")).p) {
            if (c.layers == 1 && !inside) c.format = arena_str(ctx->scratch, str_trim(rest));
        } else if (str_starts(line, "backing file: ")) {
            c.rests = true;
        } else if (!continues(line)) {
            parse_note(ctx, at, "not a line of qemu-img info: \"%.*s\"", STR_ARG(str_sub(line, 0, 80)));
            continue;
        }
        ctx->rows++;
    }
    put(&c);
    return parse_result(ctx);
}

const Parser parser_qemu_img = {
    .name = "qemu-img",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "qemu-img info --backing-chain FILE",
};
