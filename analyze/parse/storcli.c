/*
 * storcli.c - SAS adapters and RAID controllers as Broadcom's tool shows them
 *
 * Reads   storcli (storcli64, perccli) /cX show all, show, show temperature, show phyerrorcounters, show; as text and with J as JSON
 * Gives   setting of the controller (view firmware): model, firmware, temperature_celsius; counter (kind phy) of its phys; controllers
 *         are named by their PCI address where the output has it, else "storcli c0"
 * Sample  storcli 7, /c0 show all
 *   |CLI Version = 007.2807.0000.0000 Dec 22, 2023
 *   |Controller = 0
 *   |Model = HBA 9500-16e
 *   |PCI Address = 00:01:00:00
 *   |Firmware Version = 36.00.00.00
 *   |ROC temperature(Degree Celsius) = 50
 * Varies  Product Name and FW Version in the short form; "show temperature" prints its property as a row of a table. What stands below a
 *         heading of drives or enclosures ("Drive /c0/e8/s3 :") concerns them and gives nothing here.
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"

typedef struct State {
    ParseCtx *ctx;
    Ref node, index; /* the controller; its number */
    bool below;      /* a heading of a drive, enclosure or phy stands above */
    bool phys;       /* a table of phy error counters is open */
} State;

static void controller(State *s, uint64_t number) {
    s->node = s->index =
        ctx_ref(s->ctx, REF_SCSI_HOST, arena_strf(s->ctx->scratch, "storcli c%u", (unsigned)(number % 1000)));
    s->below = s->phys = false;
}

static void pci_address(State *s, Str value, Spot at) {
    Str bdf = dev_sas_pci_address(s->ctx->scratch, value);
    if (!bdf.len) return;
    Ref pci = ctx_ref(s->ctx, REF_PCI, bdf);
    if (s->index) facts_same(s->ctx->facts, s->ctx->src, s->index, pci, "storcli", at);
    s->node = pci;
}

/* One property of the controller. */
static void property(State *s, Str key, Str value, Spot at) {
    double celsius;
    if (!s->node || s->below || !value.len) return;
    if (str_is(key, "PCI Address")) pci_address(s, value, at);
    else if (str_is(key, "Model") || str_is(key, "Product Name"))
        ctx_setting(s->ctx, s->node, "model", value, "firmware", at);
    else if (str_is(key, "Firmware Version") || str_is(key, "FW Version"))
        ctx_setting(s->ctx, s->node, "firmware", value, "firmware", at);
    else if (str_starts(key, "ROC temperature") && dev_leading_number(value, &celsius) && celsius > 0 && celsius < 150)
        ctx_setting_real(s->ctx, s->node, "temperature_celsius", celsius, "firmware", at);
}

/* ---------------------------------------------------------------- text */

static bool pair(Str line, Str *key, Str *value) {
    size_t at = str_find(line, " = ");
    bool empty = at == SIZE_MAX && str_ends(line, " =");
    if (empty) at = line.len - 2;
    if (at == SIZE_MAX || at == 0) return false;
    *key = str_trim(str_sub(line, 0, at));
    *value = empty ? STR_NONE : str_trim(str_from(line, at + 3));
    return true;
}

static bool heading(Str line) {
    return str_ends(line, " :");
}

static bool phy_head(Str line) {
    return str_starts(str_trim_left(line), "PhyNo ") && str_has(line, "DispartyErrCnt");
}

static bool starts(Str line) {
    Str version = str_after(line, "CLI Version = ");
    return version.len >= 8 && ch_digit(version.p[0]) && ch_digit(version.p[1]) && ch_digit(version.p[2]) &&
           version.p[3] == '.';
}

/* Lines of tables have no form of their own: all is taken but a prompt, until another tool's first line comes. */
static bool continues(Str line) {
    Str s = str_trim_right(line);
    if (!s.len) return true;
    if (str_find(s, "# ") != SIZE_MAX && str_find(s, "@") != SIZE_MAX) return false;
    return s.p[0] != '$' && s.p[0] != '#' && s.p[0] != '>';
}

static int bid(Str path, Str command, Str head) {
    bool named = path_has(path, "storcli") || path_has(path, "perccli") || str_has(command, "storcli") ||
                 str_has(command, "perccli");
    if (json_looks(head))
        return str_has(head, "\"Controllers\"") && str_has(head, "\"Command Status\"") &&
                       str_has(head, "\"CLI Version\"")
                   ? named ? 40 : 32
                   : 0;
    for (int n = 0; n < 3 && head.len; n++) {
        Str line = head_line(&head);
        if (str_trim(line).len) return starts(line) ? named ? 36 : 28 : 0;
    }
    return 0;
}

/* "    3              0                  0               0              0" */
static void phy_row(State *s, Str line, Spot at) {
    static const char *const names[4] = {"invalid_dword_count", "running_disparity_error_count",
                                         "loss_of_dword_sync_count", "phy_reset_problem_count"};
    Str w[6];
    uint64_t phy, n;
    if (str_words(line, w, 6) != 5 || !str_u64(w[0], &phy) || phy > 255) return;
    for (int i = 0; i < 4; i++) {
        if (!str_u64(w[i + 1], &n)) continue;
        Row r = ctx_row(s->ctx, "counter", at);
        row_ref(&r, "node", s->node);
        row_text(&r, "name", str_of(names[i]));
        row_int(&r, "id", (int64_t)phy);
        row_text(&r, "kind", STR("phy"));
        row_real(&r, "value", (double)n);
        row_text(&r, "raw", w[i + 1]);
        row_done(&r);
    }
}

static ParseResult parse_text(State *s, Input *in) {
    Str line, key, value;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        uint64_t number;
        line = str_trim_right(line);
        if (!line.len) continue;
        s->ctx->rows++;
        if (heading(line)) { /* "Drive /c0/e0/s12 :", "Enclosure /c0/e8  :", "Basics :" */
            s->below = str_has(line, "/e") || str_has(line, "/s") || str_has(line, "/p") || str_has(line, "/v");
            s->phys = false;
        } else if (pair(line, &key, &value)) {
            if (str_is(key, "Controller") && str_u64(value, &number)) controller(s, number);
            else property(s, key, value, at);
        } else if (phy_head(line)) {
            s->phys = true;
        } else if (s->phys && s->node) {
            phy_row(s, line, at);
        } else if (str_starts(line, "ROC temperature(Degree Celsius)")) { /* row of "show temperature" */
            property(s, STR("ROC temperature"), str_trim(str_from(line, 31)), at);
        }
    }
    return parse_result(s->ctx);
}

/* ---------------------------------------------------------------- JSON */

static void json_property(State *s, const cJSON *object, Str parent, const char *key) {
    const cJSON *v = json_get(object, key);
    if (!v) return;
    Str text = str_trim(json_show(s->ctx->scratch, v));
    s->ctx->rows++;
    property(s, str_of(key), text, (Spot){.text = text, .path = json_path(s->ctx->scratch, parent, key)});
}

static ParseResult parse_json(State *s, Input *in) {
    ParseCtx *ctx = s->ctx;
    Str all;
    Spot top = {.line = 1};
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &all)) parse_note(ctx, top, "more JSON than is read");
    for (Str document; (document = json_next(&all)).len;) {
        Error err = {""};
        const cJSON *root = json_read(ctx->scratch, document, &err), *one;
        if (!root) {
            parse_note(ctx, top, "%s", err.text);
            continue;
        }
        size_t index = 0;
        cJSON_ArrayForEach(one, json_get(root, "Controllers")) {
            static const struct {
                const char *group, *key;
            } wanted[] = {{"Basics", "PCI Address"},
                          {"Basics", "Model"},
                          {"Version", "Firmware Version"},
                          {"HwCfg", "ROC temperature(Degree Celsius)"},
                          {NULL, "PCI Address"},
                          {NULL, "Product Name"},
                          {NULL, "FW Version"},
                          {NULL, "ROC temperature(Degree Celsius)"}};
            Str here = json_path_index(ctx->scratch, STR("/Controllers"), index++);
            Str data_path = json_path(ctx->scratch, here, "Response Data");
            const cJSON *data = json_get(one, "Response Data"), *row;
            double number;
            ctx->rows++;
            if (!json_number(json_at(one, "/Command Status/Controller"), &number) || number < 0 || number > 999)
                continue;
            controller(s, (uint64_t)number);
            for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
                json_property(s, wanted[i].group ? json_get(data, wanted[i].group) : data,
                              wanted[i].group ? json_path(ctx->scratch, data_path, wanted[i].group) : data_path,
                              wanted[i].key);
            Str table = json_path(ctx->scratch, data_path, "Controller Properties"); /* of "show temperature" */
            size_t k = 0;
            cJSON_ArrayForEach(row, json_get(data, "Controller Properties")) {
                Str value = str_trim(json_show(ctx->scratch, json_get(row, "Value")));
                property(s, json_text(json_get(row, "Ctrl_Prop")), value,
                         (Spot){.text = value, .path = json_path_index(ctx->scratch, table, k++)});
            }
        }
    }
    return parse_result(ctx);
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    State s = {.ctx = ctx};
    Str line;
    while (input_line(in, &line)) {
        if (!str_trim(line).len) continue;
        input_unread(in);
        return json_looks(line) ? parse_json(&s, in) : parse_text(&s, in);
    }
    return parse_result(ctx);
}

const Parser parser_storcli = {.name = "storcli",
                               .bid = bid,
                               .starts = starts,
                               .continues = continues,
                               .parse = parse,
                               .ask = "storcli /c0 show all"};
