#include "framing.h"

#include "../parse/registry.h"
#include "bundle.h"

/* An Input over the part of a member that one parser gets. */
typedef struct Piece {
    Input in;
    Member *m;
    LineReader *r;
    const Parser *parser;
    bool first;     /* the first line belongs to the piece whatever it looks like */
    bool json;      /* the piece is a JSON document: it ends where its brackets close */
    bool in_string, escaped, json_done;
    int depth;
    int unknown_run; /* lines nobody claims, kept because the output goes on behind them */
} Piece;

/* ---------------------------------------------------------------- containers */

static bool shell_word(char c) {
    return ch_alnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
}

/* The first word of a command line names a program a parser reads, or one that prints such text (cat, grep, ...). */
static bool known_command(Str command) {
    static const char *const printers[] = {"cat",        "grep",     "egrep", "head", "tail",  "ls",    "for", "journalctl", "dmesg",
                                           "smartctl",   "nvme",     "zpool", "zfs",  "mdadm", "lsblk", "df",  "mount",      "uname",
                                           "systemctl",  "hdparm",   "lspci", "sudo", "fio",   "dd",    "iostat", "vmstat",   "findmnt",
                                           "iotop",      "pidstat",  "sar",   "top",  "free",  "lsusb", "lsscsi", "dmidecode", "udevadm",
                                           "camcontrol", "gpart",    "geom",  "gstat", "nvmecontrol", "pciconf", "sysctl", "zdb", "uptime",
                                           "storcli",    "storcli64", "megacli", "perccli", "ssacli", "arcconf", "cryptsetup", "btrfs"};
    Str rest = command, word = str_word(&rest);
    Str base = str_basename(word);
    if (!base.len || !ch_alpha(base.p[0])) return false;
    for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
        if (str_is(base, printers[i])) return true;
    return false;
}

Str frame_prompt(Str line) {
    Str s = str_trim(line);
    if (s.len < 3 || s.len > 1024) return STR_NONE;
    /* user@host in front, then one of # $ > %, blank, command. */
    size_t at = str_find_ch(s, '@');
    if (at != SIZE_MAX && at < 64) {
        size_t start = s.p[0] == '[' || s.p[0] == '(' ? 1 : 0;
        bool word = at > start;
        for (size_t i = start; i < at; i++) word = word && (shell_word(s.p[i]) || s.p[i] == '\\');
        if (word) {
            for (size_t i = at + 1; i < s.len && i < at + 200; i++) {
                char c = s.p[i];
                if ((c == '#' || c == '$' || c == '%' || c == '>') && i > at + 1) {
                    Str command = str_from(s, i + 1);
                    if (!command.len) return STR(""); /* a prompt and nothing behind it */
                    if (ch_blank(command.p[0]) || c == '#' || c == '$') {
                        command = str_trim(command);
                        return command.len ? command : STR("");
                    }
                    break;
                }
                if (!(shell_word(c) || c == ':' || c == '~' || c == ' ' || c == ']' || c == ')' || c == '@')) break;
            }
        }
    }
    /* A bare # or $: only before a command that we know, since "# ..." is also a comment. */
    if ((s.p[0] == '#' || s.p[0] == '$') && ch_blank(s.p[1])) {
        Str command = str_trim(str_from(s, 1));
        if (known_command(command)) return command;
    }
    return STR_NONE;
}

/* `==> file <==` of head and tail. */
static Str file_heading(Str line) {
    if (str_starts(line, "==> ") && str_ends(line, " <==")) return str_sub(line, 4, line.len - 8);
    return STR_NONE;
}

static bool fence(Str line) {
    Str s = str_trim(line);
    return str_starts(s, "```") || str_starts(s, "~~~") || str_ieq(s, STR("[code]")) || str_ieq(s, STR("[/code]")) ||
           str_ieq(s, STR("code:"));
}

static bool boundary(Str line) {
    return frame_prompt(line).p || file_heading(line).p || fence(line);
}

/* ---------------------------------------------------------------- a piece */

static void json_scan(Piece *p, Str line) {
    for (size_t i = 0; i < line.len; i++) {
        char c = line.p[i];
        if (p->in_string) {
            if (p->escaped)
                p->escaped = false;
            else if (c == '\\')
                p->escaped = true;
            else if (c == '"')
                p->in_string = false;
        } else if (c == '"') {
            p->in_string = true;
        } else if (c == '{' || c == '[') {
            p->depth++;
        } else if ((c == '}' || c == ']') && --p->depth <= 0) {
            p->json_done = true;
            return;
        }
    }
}

/* Does the output go on within the next few lines, past the line nobody claims? */
static bool resumes(Piece *p) {
    Str next;
    for (unsigned k = 1; k <= 3 && reader_peek_line(p->r, k, &next); k++) {
        if (!str_trim(next).len) continue;
        if (boundary(next) || registry_starts(next, p->parser)) return false;
        if (p->parser->continues(next)) return true;
    }
    return false;
}

static bool belongs(Piece *p, Str line) {
    const Parser *parser = p->parser;
    if (p->json) return !p->json_done;
    if (p->first) return true;
    if (!str_trim(line).len) return true;
    if (parser->continues(line)) {
        p->unknown_run = 0;
        if (parser->strict || parser->starts(line)) return true;
        return !boundary(line) && !registry_starts(line, parser);
    }
    if (boundary(line) || registry_starts(line, parser)) return false;
    if (parser->starts(line)) return true;
    if (p->m->own_file) return true;
    return ++p->unknown_run <= 2 && resumes(p);
}

static bool piece_next(Input *in, Str *line) {
    Piece *p = (Piece *)in;
    Str next;
    if (p->parser && p->parser->strict && !p->first && !p->json) {
        /* The hot path of long series: one look at the line, no look ahead. */
        if (!reader_line(p->r, line)) return false;
        if (!line->len || p->parser->continues(*line)) {
            in->line = p->r->line;
            in->cut = p->r->cut;
            return true;
        }
        /* Give it back: the reader still holds the bytes in front of its position. */
        size_t back = (size_t)((p->r->buf + p->r->at) - line->p);
        if (!p->r->cut) {
            p->r->at -= back;
            p->r->line--;
        }
    }
    if (!reader_peek_line(p->r, 0, &next)) return false;
    if (!belongs(p, next)) return false;
    if (p->json) json_scan(p, next);
    p->first = false;
    if (!reader_line(p->r, line)) return false;
    in->line = p->r->line;
    in->cut = p->r->cut;
    return true;
}

static const char *status_of(ParseResult result) {
    switch (result) {
    case PARSE_OK: return "parsed";
    case PARSE_NOTHING: return "empty";
    case PARSE_PARTIAL: return "partial";
    case PARSE_REJECTED: break;
    }
    return "unrecognised";
}

static void run_parser(Member *m, LineReader *r, const Parser *parser, int bid, Str path, Str command) {
    Piece p = {.in = {.next = piece_next}, .m = m, .r = r, .parser = parser, .first = true};
    Str head = str_trim_left(reader_peek(r, 256));
    p.json = head.len && (head.p[0] == '{' || head.p[0] == '[') && (head.len < 2 || head.p[0] == '{' || !ch_alnum(head.p[1])) &&
             !(head.p[0] == '[' && head.len > 1 && (head.p[1] == ' ' || ch_digit(head.p[1]))); /* "[  1.2] kernel line" */
    int64_t first_line = r->line + 1;
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, first_line, parser->name, command, bid);
    ParseCtx ctx = {.facts = m->facts, .arena = m->arena, .scratch = m->scratch, .path = path, .command = command, .src = src};
    uint64_t bytes = r->bytes;
    ParseResult result = parser->parse(&ctx, &p.in);
    /* What a parser left unread is its piece all the same. */
    Str line;
    int64_t unread = 0;
    while (input_line(&p.in, &line))
        if (str_trim(line).len) unread++;
    const char *status = status_of(result);
    Str note = ctx.first_note;
    if (!note.p && unread) note = arena_strf(m->arena, "%lld lines at the end were not read", (long long)unread);
    if (r->err.text[0]) {
        note = arena_strf(m->arena, "the input ends early: %s", r->err.text);
        if (result == PARSE_OK) status = "partial";
    }
    facts_source_end(m->facts, src, r->line, status, ctx.rows, ctx.bad_rows, ctx.first_bad_line, note, (int64_t)(r->bytes - bytes));
    arena_reset(m->scratch);
}

/* ---------------------------------------------------------------- a member */

static void whole_member(Member *m, LineReader *r, const char *tool, const char *status, Str note) {
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, 1, tool, m->command, 0);
    Str line;
    while (reader_line(r, &line)) {}
    facts_source_end(m->facts, src, r->line, status, 0, 0, 0, note, (int64_t)r->bytes);
}

/* Text with NULs or other control bytes in it is no tool's output. */
static bool looks_binary(Str head) {
    size_t odd = 0;
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.p[i];
        if (c == 0 || (c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 27 && c != '\b')) odd++;
    }
    return head.len && odd * 20 > head.len;
}

void frame_member(Member *m, LineReader *r) {
    Str head = reader_peek(r, BUNDLE_HEAD);
    Str trimmed = str_trim(head);
    if (!trimmed.len && head.len < BUNDLE_HEAD) {
        const Parser *p = registry_by_command(m->path, m->command);
        whole_member(m, r, p ? p->name : NULL, "empty",
                     r->err.text[0] ? arena_strf(m->arena, "cannot be read: %s", r->err.text) : STR_NONE);
        return;
    }
    if (looks_binary(head)) {
        whole_member(m, r, NULL, "unrecognised", STR("binary data"));
        return;
    }
    if (str_ends(m->path, ".err") && m->own_file) {
        Str rest = trimmed;
        Str first = arena_str(m->arena, str_sub(str_trim(str_cut(&rest, '\n')), 0, 200));
        whole_member(m, r, NULL, "unrecognised", arena_strf(m->arena, "error output: %.*s", STR_ARG(first)));
        return;
    }
    if (head.len < BUNDLE_HEAD) {
        Str failure = registry_failure(trimmed);
        int bid = 0;
        if (failure.p && !registry_best(m->path, m->command, head, &bid)) {
            const Parser *p = registry_by_command(m->path, m->command);
            Str words = arena_str(m->arena, str_sub(failure, 0, 200));
            if (p || m->own_file) {
                whole_member(m, r, p ? p->name : NULL, "failed", words);
                return;
            }
        }
    }

    Str path = m->path, command = m->command;
    bool start = true;       /* at the start of the member, or behind a prompt or heading: everybody may bid */
    int64_t prose_from = 0, prose_to = 0;
    Str line;
    while (reader_peek_line(r, 0, &line)) {
        Str trimmed_line = str_trim(line);
        if (!trimmed_line.len) {
            reader_line(r, &line);
            continue;
        }
        Str prompt = frame_prompt(line), heading = file_heading(line);
        if (prompt.p || heading.p || fence(line)) {
            if (prompt.p) command = arena_str(m->arena, prompt);
            if (heading.p) path = arena_str(m->arena, heading);
            reader_line(r, &line);
            start = true;
            continue;
        }
        int bid = 0;
        const Parser *parser = NULL, *opener = registry_starts(line, NULL);
        if (start || opener) parser = registry_best(path, command, reader_peek(r, BUNDLE_HEAD), &bid);
        if (!parser && opener) {
            parser = opener;
            bid = 1;
        }
        if (parser) {
            if (prose_from) {
                int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, prose_from, NULL, STR_NONE, 0);
                facts_source_end(m->facts, src, prose_to, "unrecognised", 0, 0, prose_from, STR_NONE, 0);
                prose_from = 0;
            }
            int64_t before = r->line;
            run_parser(m, r, parser, bid, path, command);
            if (r->line == before) reader_line(r, &line); /* a parser that takes nothing must not stop the member */
            command = m->own_file ? m->command : STR_NONE;
            start = false;
            continue;
        }
        reader_line(r, &line);
        if (!prose_from) prose_from = r->line;
        prose_to = r->line;
        start = false;
    }
    if (prose_from) {
        int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, prose_from, NULL, command, 0);
        facts_source_end(m->facts, src, prose_to, "unrecognised", 0, 0, prose_from,
                         r->err.text[0] ? arena_strf(m->arena, "the input ends early: %s", r->err.text) : STR_NONE, 0);
    } else if (r->err.text[0]) {
        int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, r->line, NULL, command, 0);
        facts_source_end(m->facts, src, r->line, "partial", 0, 0, 0, arena_strf(m->arena, "the input ends early: %s", r->err.text), 0);
    }
}
