/*
 * ebs_stats.c - how long an Amazon volume was held back by its limits
 *
 * Reads   nvme amzn stats (text, -o json), ebsnvme stats of amazon-ec2-utils
 * Gives   counter (kind nvme): total_read_ops ..., ebs_volume_performance_exceeded_iops and _tp, ec2_instance_ebs_performance_exceeded_iops
 *         and _tp, microseconds since the volume was attached; volume_queue_length
 * Sample  nvme-cli 2.11
 *   | EBS Volume Performance Exceeded (us):
 *   |   IOPS: 31000000
 *   |   Throughput: 0
 *   |
 *   | EC2 Instance EBS Performance Exceeded (us):
 *   |   IOPS: 0
 *   |   Throughput: 500000
 * Varies  headings end with ':' or do not. Local disks have "EC2 Instance Local Storage Performance Exceeded" instead. With an interval the
 *         whole comes again and again: each time is a reading. Nothing names the device: the command does. The histograms are counted.
 * Source  nvme-cli plugins/amzn/amzn-nvme.c, amazon-ec2-utils ebsnvme
 */
#include "device_text.h"
#include "json.h"
#include "parser.h"

#include <math.h>

static const struct {
    const char *heading, *word, *name;
} figures[] = {
    {"Total Ops", "Read", "total_read_ops"},
    {"Total Ops", "Write", "total_write_ops"},
    {"Total Bytes", "Read", "total_read_bytes"},
    {"Total Bytes", "Write", "total_write_bytes"},
    {"Total Time (us)", "Read", "total_read_time"},
    {"Total Time (us)", "Write", "total_write_time"},
    {"EBS Volume Performance Exceeded (us)", "IOPS", "ebs_volume_performance_exceeded_iops"},
    {"EBS Volume Performance Exceeded (us)", "Throughput", "ebs_volume_performance_exceeded_tp"},
    {"EC2 Instance EBS Performance Exceeded (us)", "IOPS", "ec2_instance_ebs_performance_exceeded_iops"},
    {"EC2 Instance EBS Performance Exceeded (us)", "Throughput", "ec2_instance_ebs_performance_exceeded_tp"},
    {"EC2 Instance Local Storage Performance Exceeded (us)", "IOPS", "ec2_instance_local_performance_exceeded_iops"},
    {"EC2 Instance Local Storage Performance Exceeded (us)", "Throughput",
     "ec2_instance_local_performance_exceeded_tp"},
};
enum { FIGURES = sizeof figures / sizeof *figures };
#define QUEUE "Queue Length (point in time):"

/* The heading a line is; NULL for any other line. */
static const char *heading(Str line) {
    Str s = str_trim(line);
    if (str_ends(s, ":")) s.len--;
    for (size_t i = 0; i < FIGURES; i++)
        if (str_is(s, figures[i].heading)) return figures[i].heading;
    return NULL;
}

static bool figure_line(Str line, Str *word, Str *value) {
    return dev_key_value(line, word, value) &&
           (str_is(*word, "Read") || str_is(*word, "Write") || str_is(*word, "IOPS") || str_is(*word, "Throughput"));
}

/* "[0        - 1       ] => 12" and what stands above such rows */
static bool histogram(Str line) {
    Str s = str_trim(line);
    return (str_starts(s, "[") && str_has(s, "] =>")) || str_starts(s, "===") || str_starts(s, "Number of bins") ||
           str_has(s, "Latency Histogram") || (str_starts(s, "Lower ") && str_has(s, "Upper")) ||
           str_starts(s, "Polling EBS stats");
}

static int bid(Str path, Str command, Str head) {
    bool named = (command_is(command, "nvme") && str_has(command, "amzn")) || command_is(command, "ebsnvme") ||
                 path_has(path, "amzn") || path_has(path, "ebsnvme");
    if (json_looks(head)) return str_has(head, "\"ebs_volume_performance_exceeded_iops\"") ? 40 : 0;
    Str whole = head;
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        const char *h = heading(line);
        if (!h && !histogram(line)) return 0;
        if (str_has(whole, "Performance Exceeded (us)")) return named ? 40 : 32;
        return h && named ? 20 : 0;
    }
    return 0;
}

static bool starts(Str line) {
    const char *h = heading(line);
    return h && (str_is(str_of(h), "Total Ops") || str_has(str_of(h), "Exceeded"));
}

static bool continues(Str line) {
    Str word, value;
    return !str_trim(line).len || heading(line) || histogram(line) || str_starts(str_trim(line), QUEUE) ||
           figure_line(line, &word, &value);
}

static void put(ParseCtx *ctx, Ref node, const char *name, double value, Str raw, Spot at) {
    Row r = ctx_row(ctx, "counter", at);
    row_ref(&r, "node", node);
    row_text(&r, "name", str_of(name));
    row_text(&r, "kind", STR("nvme"));
    row_real(&r, "value", value);
    row_text(&r, "raw", raw);
    if (str_has(str_of(name), "_exceeded_") || str_ends(str_of(name), "_time")) row_text(&r, "unit", STR("us"));
    row_done(&r);
}

static void parse_json(ParseCtx *ctx, Input *in, Ref node) {
    Str text;
    if (!input_all(in, ctx->scratch, JSON_MAX_BYTES, &text))
        parse_note(ctx, input_spot(in), "JSON of more than %d bytes is not read", JSON_MAX_BYTES);
    for (Str one; (one = json_next(&text)).p;) {
        Error err = {""};
        const cJSON *doc = json_read(ctx->scratch, one, &err);
        if (!doc) {
            parse_note(ctx, (Spot){.line = in->line}, "%s", err.text);
            return;
        }
        for (size_t i = 0; i < FIGURES; i++) {
            const cJSON *v = json_get(doc, figures[i].name);
            double n;
            if (!v || !json_number(v, &n)) continue;
            ctx->rows++;
            Str shown = json_show(ctx->scratch, v);
            put(ctx, node, figures[i].name, n, shown,
                spot_path(json_path(ctx->scratch, STR_NONE, figures[i].name), shown));
        }
    }
}

static ParseResult parse(ParseCtx *ctx, Input *in) {
    Str device = dev_in_command(ctx->scratch, ctx->command);
    if (!device.len) device = dev_in_path(ctx->path);
    Ref node = device.len ? ctx_ref(ctx, REF_DISK, device) : ctx_ref(ctx, REF_HOST, STR("host"));
    const char *now = NULL;
    Str line, word, value;
    while (input_line(in, &line)) {
        Spot at = input_spot(in);
        if (!str_trim(line).len) continue;
        if (!ctx->rows && json_looks(line)) {
            input_unread(in);
            parse_json(ctx, in, node);
            break;
        }
        const char *h = heading(line);
        Str queue = str_after(str_trim(line), QUEUE);
        double n;
        if (h) {
            now = h;
        } else if (queue.p) {
            if (!str_double(str_trim(queue), &n)) {
                parse_note(ctx, at, "no number: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 60)));
                continue;
            }
            put(ctx, node, "volume_queue_length", n, str_trim(queue), at);
        } else if (figure_line(line, &word, &value)) {
            const char *name = NULL;
            for (size_t i = 0; i < FIGURES && now; i++)
                if (str_is(str_of(now), figures[i].heading) && str_is(word, figures[i].word)) name = figures[i].name;
            if (!name || !str_double(value, &n)) {
                parse_note(ctx, at, "a figure without heading or number: \"%.*s\"",
                           STR_ARG(str_sub(str_trim(line), 0, 60)));
                continue;
            }
            put(ctx, node, name, n, value, at);
        } else if (!histogram(line)) {
            parse_note(ctx, at, "not a line of EBS statistics: \"%.*s\"", STR_ARG(str_sub(str_trim(line), 0, 60)));
            continue;
        }
        ctx->rows++;
    }
    return parse_result(ctx);
}

const Parser parser_ebs_stats = {
    .name = "ebs-stats",
    .bid = bid,
    .starts = starts,
    .continues = continues,
    .parse = parse,
    .ask = "nvme amzn stats /dev/nvmeXn1",
};
