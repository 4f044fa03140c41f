#include "process_io.h"

#include "../facts/jobs.h"

#include <math.h>
#include <stdlib.h>

typedef struct Kept {
    double weight;
    ProcessRow row;
    int64_t line;
    size_t command_len, text_len;
    char command[PROCESS_IO_COMMAND], text[PROCESS_IO_LINE];
} Kept;

struct ProcessIo {
    ParseCtx *ctx;
    const char *tool;
    Kept *heap[PROCESS_IO_ROWS]; /* the smallest first: a new row has to be larger than it */
    size_t count;
    int64_t left_out, first_left;
    double left_bytes_s; /* largest of what was left out */
};

ProcessIo *process_io_new(ParseCtx *ctx, const char *tool) {
    ProcessIo *p = arena_new_of(ctx->scratch, ProcessIo);
    p->ctx = ctx;
    p->tool = tool;
    return p;
}

static double or_zero(double v) {
    return v > 0 ? v : 0;
}

/* Bytes decide; a process that only waits ranks below all that move some, by its wait. */
static double weight_of(const ProcessRow *row) {
    double bytes = or_zero(row->read_bytes_s) + or_zero(row->write_bytes_s);
    return bytes >= 1 ? bytes : or_zero(row->io_wait_pct) / 1000;
}

static void swap(Kept **a, Kept **b) {
    Kept *t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(ProcessIo *p, size_t i) {
    for (;;) {
        size_t child = 2 * i + 1, least = i;
        for (size_t k = child; k < child + 2 && k < p->count; k++)
            if (p->heap[k]->weight < p->heap[least]->weight) least = k;
        if (least == i) return;
        swap(&p->heap[i], &p->heap[least]);
        i = least;
    }
}

static void left_out(ProcessIo *p, double weight, int64_t line) {
    if (!p->left_out++) p->first_left = line;
    if (weight > p->left_bytes_s) p->left_bytes_s = weight;
}

void process_io_add(ProcessIo *p, const ProcessRow *row, Spot at) {
    double weight = weight_of(row);
    if (!(weight > 0)) return;
    Kept *k;
    bool full = p->count == PROCESS_IO_ROWS;
    if (full) {
        k = p->heap[0];
        if (weight <= k->weight) {
            left_out(p, weight, at.line);
            return;
        }
        left_out(p, k->weight, k->line);
    } else {
        k = arena_new_of(p->ctx->scratch, Kept);
        p->heap[p->count++] = k;
    }
    k->weight = weight;
    k->row = *row;
    k->line = at.line;
    k->command_len = row->command.len < PROCESS_IO_COMMAND ? row->command.len : PROCESS_IO_COMMAND;
    if (k->command_len) memcpy(k->command, row->command.p, k->command_len);
    k->text_len = at.text.len < PROCESS_IO_LINE ? at.text.len : PROCESS_IO_LINE;
    if (k->text_len) memcpy(k->text, at.text.p, k->text_len);
    if (full) {
        sift_down(p, 0);
        return;
    }
    for (size_t i = p->count - 1; i && p->heap[i]->weight < p->heap[(i - 1) / 2]->weight; i = (i - 1) / 2)
        swap(&p->heap[i], &p->heap[(i - 1) / 2]);
}

static int by_line(const void *a, const void *b) {
    const Kept *x = *(Kept *const *)a, *y = *(Kept *const *)b;
    return x->line < y->line ? -1 : x->line > y->line;
}

void process_io_done(ProcessIo *p) {
    ParseCtx *ctx = p->ctx;
    if (p->count) qsort(p->heap, p->count, sizeof *p->heap, by_line);
    for (size_t i = 0; i < p->count; i++) {
        const Kept *k = p->heap[i];
        Row r = ctx_row(ctx, "process_io", (Spot){.line = k->line, .text = {k->text, k->text_len}});
        row_real(&r, "t_s", k->row.t_s);
        row_int(&r, "pid", k->row.pid);
        row_text(&r, "command", k->command_len ? (Str){k->command, k->command_len} : STR_NONE);
        row_real(&r, "read_bytes_s", k->row.read_bytes_s);
        row_real(&r, "write_bytes_s", k->row.write_bytes_s);
        row_real(&r, "io_wait_pct", k->row.io_wait_pct);
        row_text(&r, "tool", str_of(p->tool));
        const char *job = job_of_process((Str){k->command, k->command_len});
        row_text(&r, "job", job ? str_of(job) : STR_NONE);
        row_done(&r);
    }
    if (p->left_out)
        facts_note(
            ctx->facts, ctx->src, (Spot){.line = p->first_left},
            arena_strf(
                ctx->arena,
                "%lld rows of processes are not kept: each moved at most %.4g bytes/s, less than the %d rows that are",
                (long long)p->left_out, p->left_bytes_s, PROCESS_IO_ROWS));
}
