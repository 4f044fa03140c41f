#include "input.h"

bool input_line(Input *in, Str *line) {
    if (in->pushed_back) {
        in->pushed_back = false;
        *line = in->last;
        return true;
    }
    if (!in->next(in, line)) return false;
    in->last = *line;
    return true;
}

void input_unread(Input *in) {
    in->pushed_back = true;
}

bool input_all(Input *in, Arena *arena, size_t limit, Str *text) {
    StrBuf all;
    sb_init(&all, arena);
    bool whole = true;
    Str line;
    while (input_line(in, &line)) {
        if (!whole || line.len + 1 > limit - all.len) { /* keep reading: the piece has to be consumed to its end */
            whole = false;
            continue;
        }
        sb_add(&all, line);
        sb_addc(&all, '\n');
    }
    *text = sb_str(&all);
    return whole;
}

Spot input_spot(const Input *in) {
    return (Spot){.line = in->line, .text = in->last};
}

Spot spot_path(Str path, Str text) {
    return (Spot){.path = path.p ? path : STR(""), .text = text};
}

static bool memory_next(Input *in, Str *line) {
    MemoryInput *m = (MemoryInput *)in;
    if (!m->rest.len) return false;
    Str l = str_cut(&m->rest, '\n');
    if (l.len && l.p[l.len - 1] == '\r') l.len--;
    in->cut = l.len > INPUT_MAX_LINE;
    *line = str_sub(l, 0, INPUT_MAX_LINE);
    in->line = m->next_line++;
    return true;
}

void memory_input(MemoryInput *m, Str text, int64_t first_line) {
    *m = (MemoryInput){.in = {.next = memory_next}, .rest = text, .next_line = first_line};
}
