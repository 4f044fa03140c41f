#include "framing.h"

#include "../parse/registry.h"
#include "bundle.h"
#include "paste.h"
#include "prose.h"

/* Where in a JSON document a scan stands. */
typedef struct JsonScan {
    bool in_string, escaped, done;
    int64_t depth;
} JsonScan;

/* An Input over the part of a member that one parser gets. */
typedef struct Piece {
    Input in;
    Member *m;
    LineReader *r;
    const Parser *parser;
    bool first; /* the first line belongs to the piece whatever it looks like */
    bool json;  /* the piece is a JSON document: it ends where its brackets close */
    JsonScan scan;
    bool paste;      /* part of a pasted text: lines that nobody claims end the piece */
    int unknown_run; /* lines nobody claims, kept because the output goes on behind them */
} Piece;

/* ---------------------------------------------------------------- containers */

static bool shell_word(char c) {
    return ch_alnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
}

/* The first word of a command line names a program a parser reads, or one that prints such text (cat, grep, ...). */
static bool known_command(Str command) {
    static const char *const printers[] = {
        "cat",         "grep",      "egrep",     "head",       "tail",       "ls",      "for",       "journalctl",
        "dmesg",       "smartctl",  "nvme",      "zpool",      "zfs",        "mdadm",   "lsblk",     "df",
        "mount",       "uname",     "systemctl", "hdparm",     "lspci",      "sudo",    "fio",       "dd",
        "iostat",      "vmstat",    "findmnt",   "iotop",      "pidstat",    "sar",     "top",       "free",
        "lsusb",       "lsscsi",    "dmidecode", "udevadm",    "camcontrol", "gpart",   "geom",      "gstat",
        "nvmecontrol", "pciconf",   "sysctl",    "zdb",        "uptime",     "storcli", "storcli64", "megacli",
        "perccli",     "ssacli",    "arcconf",   "cryptsetup", "btrfs",      "fstrim",  "blkid",     "mpstat",
        "dmsetup",     "multipath", "lshw",      "ioping",     "pveperf",    "lvs",     "pvs",       "vgs"};
    Str rest = command, word = str_word(&rest);
    Str base = str_basename(word);
    if (!base.len || !ch_alpha(base.p[0])) return false;
    for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
        if (str_is(base, printers[i])) return true;
    return false;
}

/* "# ..." is also a comment, and some of our programs are words ("# mount the pool first", "# dd on the idle pool"): the
   words behind the program must look like its arguments. */
static bool looks_typed(Str command) {
    static const char *const with_verbs[] = {"zpool",      "zfs",   "nvme", "mdadm",   "systemctl", "btrfs",
                                             "camcontrol", "gpart", "geom", "udevadm", "sudo"};
    Str words[6];
    size_t n = str_words(command, words, 6);
    if (n == 1) return true;
    for (size_t i = 1; i < n && i < 6; i++)
        for (size_t k = 0; k < words[i].len; k++) {
            char c = words[i].p[k];
            if ((c == '-' && k == 0) || c == '/' || c == '=' || c == '|' || c == '*' ||
                (c == '.' && k + 1 < words[i].len))
                return true;
        }
    for (size_t i = 0; i < sizeof with_verbs / sizeof *with_verbs; i++)
        if (str_is(str_basename(words[0]), with_verbs[i])) return n <= 4;
    return false;
}

/* user@host, its folder, one of # $ > %, and the command. */
static Str user_prompt(Str s) {
    size_t at = str_find_ch(s, '@');
    if (at == SIZE_MAX || at >= 64) return STR_NONE;
    size_t start = s.p[0] == '[' || s.p[0] == '(' ? 1 : 0;
    if (at <= start) return STR_NONE;
    for (size_t i = start; i < at; i++)
        if (!shell_word(s.p[i]) && s.p[i] != '\\') return STR_NONE;
    bool blank = false, folder = false;
    for (size_t i = at + 1; i < s.len && i < at + 200; i++) {
        char c = s.p[i];
        if ((c == '#' || c == '$' || c == '%' || c == '>') && i > at + 1) {
            Str command = str_from(s, i + 1);
            if (command.len && !ch_blank(command.p[0]) && c != '#' && c != '$') return STR_NONE;
            command = str_trim(command);
            /* "me@example.org> wrote:", "me@example.org # not a prompt" */
            bool sure = (c == '#' || c == '$') && (folder || !blank);
            if (!command.len) return sure || folder ? STR("") : STR_NONE; /* a prompt and nothing behind it */
            return sure || known_command(command) ? command : STR_NONE;
        }
        if (c == ' ') blank = true;
        if (c == ':' || c == '~' || c == '/' || c == ']' || c == ')') folder = true;
        if (!(shell_word(c) || c == ':' || c == '~' || c == ' ' || c == '[' || c == ']' || c == ')' || c == '@')) break;
    }
    return STR_NONE;
}

/* host%, bash-5.1$, nas:~ #, ~ #, /var/log #: only before a command that we know. */
static Str host_prompt(Str s) {
    if (!ch_alpha(s.p[0]) && s.p[0] != '~' && s.p[0] != '/') return STR_NONE;
    for (size_t i = 1; i + 1 < s.len && i < 80; i++) {
        char c = s.p[i];
        if ((c == '#' || c == '$' || c == '%' || c == '>') && ch_blank(s.p[i + 1])) {
            Str command = str_trim(str_from(s, i + 1));
            return known_command(command) && looks_typed(command) ? command : STR_NONE;
        }
        bool before_mark =
            c == ' ' && (s.p[i + 1] == '#' || s.p[i + 1] == '$' || s.p[i + 1] == '~' || s.p[i + 1] == '/');
        if (!(shell_word(c) || c == ':' || c == '~' || c == '[' || c == ']' || before_mark)) break;
    }
    return STR_NONE;
}

Str frame_prompt(Str line) {
    Str s = str_trim(line);
    if (s.len < 3 || s.len > 1024) return STR_NONE;
    Str command = user_prompt(s);
    if (command.p) return command;
    /* A bare # or $: only before a command that we know, since "# ..." is also a comment. */
    if ((s.p[0] == '#' || s.p[0] == '$') && ch_blank(s.p[1])) {
        command = str_trim(str_from(s, 1));
        return known_command(command) && (s.p[0] == '$' || looks_typed(command)) ? command : STR_NONE;
    }
    return host_prompt(s);
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

/* frame_prompt(), unless a tool's output begins like one ("# dmidecode 3.4"). */
static Str prompt_of(Str line) {
    Str command = frame_prompt(line);
    return command.p && line.p[0] == '#' && registry_starts(line, NULL) ? STR_NONE : command;
}

static bool boundary(Str line) {
    return prompt_of(line).p || file_heading(line).p || fence(line);
}

/* ---------------------------------------------------------------- a piece */

/* Moves the scan over text; returns how many bytes belong to the document. */
static size_t json_scan(JsonScan *j, Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (j->in_string) {
            if (j->escaped) j->escaped = false;
            else if (c == '\\') j->escaped = true;
            else if (c == '"') j->in_string = false;
        } else if (c == '"') {
            j->in_string = true;
        } else if (c == '{' || c == '[') {
            j->depth++;
        } else if ((c == '}' || c == ']') && --j->depth <= 0) {
            j->done = true;
            return i + 1;
        }
    }
    return text.len;
}

/* Could a JSON document begin here? "[  1.234] ..." is a kernel line, "[sda]" somebody's remark. */
static bool opens_json(Str line) {
    Str s = str_trim(line);
    if (!s.len || (s.p[0] != '{' && s.p[0] != '[')) return false;
    Str rest = str_trim_left(str_from(s, 1));
    return !rest.len || rest.p[0] == '"' || rest.p[0] == '{' || (s.p[0] == '{' && rest.p[0] == '}');
}

/*
 * What a bid gets to see of the bytes in front: one output, as far as that can be told. Without the cut, a tool whose output
 * stands further down would be heard on the words before it. opener: whose starts() claims the first line, or NULL.
 */
static Str piece_head(LineReader *r, const Parser *opener, bool paste) {
    Str head = reader_peek(r, BUNDLE_HEAD), rest = head, line = head_line(&rest);
    if (opens_json(line)) {
        JsonScan j = {0};
        return str_sub(head, 0, json_scan(&j, head));
    }
    while (rest.len) {
        size_t at = (size_t)(rest.p - head.p);
        line = head_line(&rest);
        if (!str_trim(line).len || (opener && opener->continues(line) && (opener->strict || opener->starts(line))))
            continue;
        if (boundary(line) || (paste && (registry_starts(line, opener) || opens_json(line))))
            return str_sub(head, 0, at);
    }
    return head;
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

/* Is the document that begins here one record more of the same tool? One of many lines is asked for its tool. */
static bool goes_on(Piece *p, Str line) {
    Str bare = str_trim(line);
    if (!str_starts(bare, "{")) return false;
    if (str_ends(bare, "}")) return true;
    int bid;
    return registry_best(STR_NONE, STR_NONE, piece_head(p->r, NULL, p->paste), &bid) == p->parser;
}

static bool belongs(Piece *p, Str line) {
    const Parser *parser = p->parser;
    if (p->json) {
        if (p->scan.done) return parser->json_lines && goes_on(p, line);
        return p->first || !p->paste || !boundary(line); /* a document may have been cut when it was copied */
    }
    if (p->first) return true;
    if (!str_trim(line).len) return true;
    if (parser->continues(line)) {
        p->unknown_run = 0;
        if (parser->strict || parser->starts(line)) return true;
        if (boundary(line)) return false;
        /* Asking everybody about every line is what costs; a file of one command needs it only where its own tool is at a loss. */
        return !p->paste || !registry_starts(line, parser);
    }
    if (boundary(line) || registry_starts(line, parser)) return false;
    if (parser->starts(line)) return true;
    if (!p->paste) return true;
    return ++p->unknown_run <= 2 && resumes(p);
}

/* A JSON document of some tool begins at the line in front. */
static bool json_begins(Piece *p) {
    Str line;
    if (p->json || p->first || !p->paste || !reader_peek_line(p->r, 0, &line) || !opens_json(line)) return false;
    int bid;
    return registry_best(STR_NONE, STR_NONE, piece_head(p->r, NULL, true), &bid) != NULL;
}

static bool piece_next(Input *in, Str *line) {
    Piece *p = (Piece *)in;
    Str next;
    if (!p->first && reader_marked(p->r)) return false;
    if (p->parser && p->parser->strict && !p->first && !p->json) {
        /* The hot path of long series: one look at the line, no look ahead. */
        if (!reader_line(p->r, line)) return false;
        if (!line->len || p->r->cut || p->parser->continues(*line)) { /* a line of a megabyte cannot be given back */
            in->line = p->r->line;
            in->cut = p->r->cut;
            return true;
        }
        /* Give it back: the reader still holds the bytes in front of its position. */
        reader_unread(p->r, *line);
    }
    if (json_begins(p)) return false;
    if (!reader_peek_line(p->r, 0, &next)) return false;
    if (!belongs(p, next)) return false;
    if (p->json) {
        if (p->scan.done) p->scan = (JsonScan){0};
        json_scan(&p->scan, next);
    }
    p->first = false;
    if (!reader_line(p->r, line)) return false;
    in->line = p->r->line;
    in->cut = p->r->cut;
    return true;
}

/* The reader stands where an error ended the member; it may have met the error long before, looking ahead. */
static bool at_error(const LineReader *r) {
    return r->err.text[0] && r->at == r->len;
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

static void run_parser(Member *m, LineReader *r, const Parser *parser, int bid, Str path, Str command, bool paste) {
    Piece p = {.in = {.next = piece_next}, .m = m, .r = r, .parser = parser, .first = true, .paste = paste};
    Str first;
    p.json = reader_peek_line(r, 0, &first) && opens_json(first);
    int64_t first_line = reader_next_number(r);
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, first_line, parser->name, command, bid);
    ParseCtx ctx = {
        .facts = m->facts, .arena = m->arena, .scratch = m->scratch, .path = path, .command = command, .src = src};
    uint64_t bytes = r->bytes;
    if (m->watch && m->watch->tool) m->watch->tool(m->watch->arg, parser->name);
    ParseResult result = parser->parse(&ctx, &p.in);
    /* What a parser left unread is its piece all the same. */
    Str line;
    int64_t unread = 0;
    while (input_line(&p.in, &line))
        if (str_trim(line).len) unread++;
    const char *status = status_of(result);
    Str note = ctx.first_note;
    if (!note.p && unread) note = arena_strf(m->arena, "%lld lines at the end were not read", (long long)unread);
    if (at_error(r)) {
        note = arena_strf(m->arena, "the input ends early: %s", r->err.text);
        if (result == PARSE_OK) status = "partial";
    }
    facts_source_end(m->facts, src, r->line_end, status, ctx.rows, ctx.bad_rows, ctx.first_bad_line, note,
                     (int64_t)(r->bytes - bytes));
    arena_reset(m->scratch);
}

/* ---------------------------------------------------------------- a member */

static void whole_member(Member *m, LineReader *r, const char *tool, const char *status, Str note) {
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, 1, tool, m->command, 0);
    Str line;
    while (reader_line(r, &line)) {
    }
    facts_source_end(m->facts, src, r->line_end, status, 0, 0, 0, note, (int64_t)r->bytes);
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

/* A bid on names and refusals alone gives way to the words of a failed command. */
static bool weak(Str text, int bid) {
    return bid <= 12 && !registry_starts(str_cut(&text, '\n'), NULL);
}

/* Where the framing of a member stands. */
typedef struct Framer {
    Member *m;
    LineReader *r;
    Str path, command; /* of what comes next */
    bool start;        /* at the start of the member, or behind a prompt or heading: everybody may bid */
    bool paste;        /* a text that somebody put together: lines of nobody are prose */
    int64_t prose_from, prose_to;
    Str prose_command;
    Prose prose;
    bool speaks; /* what nobody claims here may be the reader's words */
    bool fenced; /* within a fence: an output, whoever's */
    bool error_said;
    int64_t asked_at; /* line of a prompt whose command has shown nothing yet; 0: none */
    int64_t silent;   /* how many such commands there were */
    bool said;        /* a row of `source` stands for some of the member */
} Framer;

/* A text of prompts alone would make a report of its own length. */
enum { SILENT_KEPT = 200 };

/* Lines that belong to nobody become one row. */
static void end_prose(Framer *f) {
    if (!f->prose_from) return;
    Member *m = f->m;
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, f->prose_from, NULL, f->prose_command, 0);
    Str note = prose_end(&f->prose, m->facts, m->arena, src);
    if (at_error(f->r)) {
        note = arena_strf(m->arena, "the input ends early: %s", f->r->err.text);
        f->error_said = true;
    }
    facts_source_end(m->facts, src, f->prose_to, "unrecognised", 0, 0, f->prose_from, note, 0);
    f->prose_from = 0;
    f->prose_command = STR_NONE;
    f->said = true;
}

/* A command that a reader of ours would have read, and that printed nothing: that it was asked is worth a row. */
static void end_silent_command(Framer *f) {
    Member *m = f->m;
    const Parser *tool = f->asked_at && f->start ? registry_by_command(STR_NONE, f->command) : NULL;
    if (tool && f->silent++ < SILENT_KEPT) {
        int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, f->asked_at, tool->name, f->command, 0);
        facts_source_end(m->facts, src, f->asked_at, "empty", 0, 0, 0,
                         f->silent < SILENT_KEPT
                             ? STR("the command printed nothing")
                             : STR("the command printed nothing; later ones that printed nothing are not listed"),
                         0);
        f->said = true;
    }
    f->asked_at = 0;
}

/* A line that only says what comes next. */
static bool container_line(Framer *f, Str line) {
    Str prompt = prompt_of(line), heading = file_heading(line);
    bool fenced = fence(line);
    if (!prompt.p && !heading.p && !fenced) return false;
    if (prompt.p) {
        end_silent_command(f);
        f->command = arena_str(f->m->arena, prompt);
        if (prompt.len) f->asked_at = reader_next_number(f->r);
    }
    if (prompt.p || fenced) {
        f->paste = true; /* a transcript, though it may be a file of its own */
        f->path = f->m->path;
    }
    if (fenced) {
        if (f->fenced) f->command = STR_NONE; /* it closes: the command's output is over */
        f->fenced = !f->fenced;
    }
    if (heading.p) f->path = arena_str(f->m->arena, heading);
    f->start = true;
    return true;
}

/* The word in quotes of "failed to run command ‘iotop’", with the C locale's 'iotop' as well; STR_NONE without one. */
static Str quoted_word(Str s) {
    static const char *const quotes[][2] = {{"\xe2\x80\x98", "\xe2\x80\x99"}, {"'", "'"}, {"\"", "\""}};
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        size_t at = str_find(s, quotes[i][0]);
        if (at == SIZE_MAX) continue;
        Str rest = str_from(s, at + strlen(quotes[i][0]));
        size_t end = str_find(rest, quotes[i][1]);
        if (end != SIZE_MAX && str_find_ch(str_sub(rest, 0, end), ' ') == SIZE_MAX) return str_sub(rest, 0, end);
    }
    return STR_NONE;
}

/* The tool that a shell's complaint names: "bash: hdparm: command not found", "zsh: command not found: hdparm",
   "timeout: failed to run command 'hdparm': ...". */
static const Parser *complained_of(Str line) {
    const Parser *tool = NULL;
    int parts = 0;
    for (Str rest = line; rest.len && !tool; parts++) {
        Str part = str_trim(str_cut(&rest, ':'));
        if (parts > 3) return NULL;
        if (str_find_ch(part, ' ') != SIZE_MAX) part = quoted_word(part);
        if (part.len) tool = registry_by_command(STR_NONE, part);
    }
    return tool;
}

/* Words of a failed command, behind its prompt or clear by themselves, in a text that holds more. */
static bool failed_command(Framer *f) {
    Member *m = f->m;
    Str line;
    if (!reader_peek_line(f->r, 0, &line) || !registry_failure(line).p) return false;
    bool asked = f->start && f->command.len;
    const Parser *tool = asked ? registry_by_command(STR_NONE, f->command) : NULL;
    if (!tool) tool = complained_of(line);
    if (!tool && !asked) return false;
    end_prose(f);
    Str words = arena_str(m->arena, str_sub(str_trim(line), 0, 200));
    int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, reader_next_number(f->r),
                               tool ? tool->name : NULL, f->command, 0);
    uint64_t bytes = f->r->bytes;
    do reader_line(f->r, &line);
    while (reader_peek_line(f->r, 0, &line) && registry_failure(line).p && !boundary(line) &&
           !registry_starts(line, NULL) && asked);
    facts_source_end(m->facts, src, f->r->line_end, "failed", 0, 0, 0, words, (int64_t)(f->r->bytes - bytes));
    f->said = true;
    f->command = f->paste ? STR_NONE : m->command;
    f->start = false;
    return true;
}

static void name_capture(Member *m, Str label) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(m->facts), "UPDATE capture SET label = ?2 WHERE id = ?1 AND label IS NULL", -1, &st,
                           NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(st, 1, m->capture);
    sqlite3_bind_text64(st, 2, label.p, label.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    sqlite3_step(st);
    sqlite3_finalize(st);
}

/* The text itself; paste: what cleaned it, or NULL. */
static void frame_lines(Member *m, LineReader *r, const Paste *paste) {
    Framer f = {.m = m,
                .r = r,
                .path = m->path,
                .command = m->command,
                .start = true,
                .paste = !m->own_file || (paste && paste->html),
                .speaks = !m->own_file || prose_member(m->path, m->command)};
    const PasteLine *marked = NULL;
    Str line;
    while (reader_peek_line(r, 0, &line)) {
        const PasteLine *mark = paste ? paste_mark(paste) : NULL;
        if (mark && mark != marked) {
            marked = mark;
            end_prose(&f);
            m->capture = facts_capture(m->facts, m->bundle, mark->label);
            f.start = true;
        }
        if (!str_trim(line).len) {
            reader_line(r, &line);
            continue;
        }
        if (container_line(&f, line)) {
            reader_line(r, &line);
            continue;
        }
        int bid = 0;
        /* At the start everybody bids; later somebody has to claim the line first. */
        const Parser *parser = NULL, *opener = f.start && !f.paste ? NULL : registry_starts(line, NULL);
        if (f.start || opener || opens_json(line))
            parser = registry_best(f.path, f.command, piece_head(r, opener, f.paste), &bid);
        if (!parser && opener) {
            parser = opener;
            bid = 1;
        }
        if ((!parser || weak(line, bid)) && failed_command(&f)) continue;
        if (parser) {
            end_prose(&f);
            size_t before = r->given;
            run_parser(m, r, parser, bid, f.path, f.command, f.paste);
            f.said = true;
            if (at_error(r)) f.error_said = true;
            if (r->given == before) reader_line(r, &line); /* a parser that takes nothing must not stop the member */
            f.command = f.paste ? STR_NONE : m->command;
            f.start = false;
            continue;
        }
        reader_line(r, &line);
        if (!f.prose_from) {
            f.prose_from = r->line;
            if (f.start) f.prose_command = f.command;
        }
        f.prose_to = r->line_end;
        f.start = false;
        /* Behind a prompt stands the output of a program that nobody reads; where it ends cannot be told before the next output. */
        if (f.speaks && !f.fenced && !f.command.len) prose_add(&f.prose, m->arena, r->line, line);
    }
    end_prose(&f);
    end_silent_command(&f);
    if (r->err.text[0] && !f.error_said) {
        int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, r->line, NULL, STR_NONE, 0);
        facts_source_end(m->facts, src, r->line_end, "partial", 0, 0, 0,
                         arena_strf(m->arena, "the input ends early: %s", r->err.text), 0);
        f.said = true;
    }
    if (!f.said) {
        int64_t src = facts_source(m->facts, m->bundle, m->capture, m->path, 1, NULL, f.command, 0);
        facts_source_end(m->facts, src, r->line_end, "empty", 0, 0, 0, STR("it holds no output of a command"), 0);
    }
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
        if (failure.p && (!registry_best(m->path, m->command, head, &bid) || weak(head, bid))) {
            const Parser *p = registry_by_command(m->path, m->command);
            if (!p) p = complained_of(failure);
            Str words = arena_str(m->arena, str_sub(failure, 0, 200));
            if (p || m->own_file) {
                whole_member(m, r, p ? p->name : NULL, "failed", words);
                return;
            }
        }
    }

    Paste paste;
    if (!paste_open(&paste, m->facts, r, m->own_file)) {
        frame_lines(m, r, NULL);
        return;
    }
    if (paste.label.p) name_capture(m, paste.label);
    frame_lines(m, &paste.reader, &paste);
    paste_close(&paste);
}
