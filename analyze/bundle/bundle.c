#include "bundle.h"

#include "../parse/registry.h"
#include "framing.h"
#include "reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Reading {
    Facts *facts;
    Arena *arena, *scratch;
    int64_t bundle, capture;
    uint64_t members, bytes; /* so far */
    bool full;               /* a limit was reached: the rest is skipped */
    bool cut;                /* an archive is damaged or ends early: what is missing may have been there */
    bool has_manifest;       /* this is a collector's bundle */
    const BundleWatch *watch;
} Reading;

static void tell_member(const Reading *rd, Str member) {
    if (rd->watch && rd->watch->member) rd->watch->member(rd->watch->arg, member);
}

static void tell_end(const Reading *rd, Str member, uint64_t bytes) {
    if (rd->watch && rd->watch->member_end) rd->watch->member_end(rd->watch->arg, member, bytes);
}

/* ---------------------------------------------------------------- byte sources */

typedef struct FileSource {
    ByteSource src;
    int fd;
} FileSource;

static ssize_t file_read(ByteSource *s, char *buf, size_t size, Error *err) {
    FileSource *f = (FileSource *)s;
    for (;;) {
        ssize_t n = read(f->fd, buf, size);
        if (n >= 0) return n;
        if (errno == EINTR) continue;
        error_set(err, "%s", strerror(errno));
        return -1;
    }
}

typedef struct EntrySource {
    ByteSource src;
    struct archive *archive;
} EntrySource;

static ssize_t entry_read(ByteSource *s, char *buf, size_t size, Error *err) {
    EntrySource *e = (EntrySource *)s;
    la_ssize_t n = archive_read_data(e->archive, buf, size);
    if (n >= 0) return (ssize_t)n;
    const char *why = archive_error_string(e->archive);
    error_set(err, "%s", why ? why : "damaged archive");
    return -1;
}

/* Counts what a source gives against the limit of the whole upload. */
typedef struct CountedSource {
    ByteSource src;
    ByteSource *from;
    Reading *reading;
} CountedSource;

static ssize_t counted_read(ByteSource *s, char *buf, size_t size, Error *err) {
    CountedSource *c = (CountedSource *)s;
    if (c->reading->bytes > BUNDLE_MAX_BYTES) {
        c->reading->full = true;
        error_set(err, "the limit of %llu GB of unpacked data is reached",
                  (unsigned long long)(BUNDLE_MAX_BYTES >> 30));
        return -1;
    }
    ssize_t n = c->from->read(c->from, buf, size, err);
    if (n > 0) c->reading->bytes += (uint64_t)n;
    const BundleWatch *watch = c->reading->watch;
    if (n > 0 && watch && watch->bytes) watch->bytes(watch->arg, (size_t)n);
    return n;
}

/* ---------------------------------------------------------------- members */

static void skipped(Reading *rd, Str member, Str note) {
    int64_t src = facts_source(rd->facts, rd->bundle, rd->capture, member, 0, NULL, STR_NONE, 0);
    facts_source_end(rd->facts, src, 0, "skipped", 0, 0, 0, note, 0);
    tell_end(rd, member, 0);
}

/* The command that the manifest gives for a member: NAME is its path below the top folder without .out or .err. */
static Str manifest_command(Reading *rd, Str member) {
    Str name = member;
    if (str_ends(name, ".out") || str_ends(name, ".err")) name.len -= 4;
    sqlite3_stmt *st;
    Str command = STR_NONE;
    if (sqlite3_prepare_v2(facts_db(rd->facts),
                           "SELECT m.command FROM manifest m JOIN source s ON s.id = m.src WHERE m.name = ?1 AND "
                           "s.capture = ?2 AND m.command <> ''",
                           -1, &st, NULL) != SQLITE_OK)
        return command;
    for (;;) {
        sqlite3_bind_text64(st, 1, name.p, name.len, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_int64(st, 2, rd->capture);
        if (sqlite3_step(st) == SQLITE_ROW) {
            command = arena_str(rd->arena,
                                (Str){(const char *)sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0)});
            break;
        }
        sqlite3_reset(st);
        size_t slash = str_find_ch(name, '/');
        if (slash == SIZE_MAX) break;
        name = str_from(name, slash + 1);
    }
    sqlite3_finalize(st);
    return command;
}

static bool is_archive_head(Str h) {
    static const struct {
        size_t at, len;
        const char *magic;
    } magics[] = {
        {0, 2, "\x1f\x8b"},
        {0, 3, "BZh"},
        {0, 6,
         "\xfd"
         "7zXZ\0"},
        {0, 4, "\x28\xb5\x2f\xfd"},
        {0, 4, "PK\x03\x04"},
        {0, 4, "PK\x05\x06"},
        {0, 6, "7z\xbc\xaf\x27\x1c"},
        {257, 5, "ustar"},
        {0, 4, "\x04\x22\x4d\x18"},
        {0, 4, "LZIP"},
        {0, 6, "Rar!\x1a\x07"},
        {0, 2, "\x1f\x9d"},
        {0, 6, "070701"},
        {0, 6, "070707"},
        {0, 8, "!<arch>\n"},
        {0, 4, "xar!"},
        {0, 4, "MSCF"},
        {0, 3, "\x5d\x00\x00"},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (h.len >= magics[i].at + magics[i].len && memcmp(h.p + magics[i].at, magics[i].magic, magics[i].len) == 0)
            return true;
    return false;
}

static bool read_archive(Reading *rd, Str path, ByteSource *bytes, int depth, bool inside, Error *err);

/* One member, whatever it is. */
static void read_member(Reading *rd, Str path, ByteSource *bytes, int depth, bool own_file) {
    if (rd->members++ >= BUNDLE_MAX_MEMBERS || rd->full) {
        if (!rd->full)
            skipped(
                rd, path,
                arena_strf(rd->arena, "this and what follows: the limit of %d members is reached", BUNDLE_MAX_MEMBERS));
        rd->full = true;
        return;
    }
    tell_member(rd, path);
    CountedSource counted = {{counted_read}, bytes, rd};
    char head[512];
    size_t n = 0;
    Error err = {""};
    while (n < sizeof head) {
        ssize_t got = counted.src.read(&counted.src, head + n, sizeof head - n, &err);
        if (got <= 0) break;
        n += (size_t)got;
    }
    HeadSource whole;
    head_source(&whole, (Str){head, n}, err.text[0] ? NULL : &counted.src);
    if (is_archive_head((Str){head, n})) {
        if (depth >= BUNDLE_MAX_DEPTH) {
            skipped(rd, path, arena_strf(rd->arena, "an archive inside %d others", depth));
            return;
        }
        Error bad = {""};
        if (!read_archive(rd, path, &whole.src, depth + 1, own_file, &bad))
            skipped(rd, path, arena_strf(rd->arena, "%s", bad.text));
        return;
    }
    if (rd->has_manifest && str_is(str_basename(path), "manifest.tsv")) /* a second bundle in the same upload */
        rd->capture = facts_capture(rd->facts, rd->bundle, STR_NONE);
    LineReader lines;
    reader_open(&lines, &whole.src);
    if (err.text[0]) lines.err = err;
    Member m = {.facts = rd->facts,
                .arena = rd->arena,
                .scratch = rd->scratch,
                .bundle = rd->bundle,
                .capture = rd->capture,
                .path = path,
                .command = rd->has_manifest ? manifest_command(rd, path) : STR_NONE,
                .own_file = own_file,
                .watch = rd->watch};
    frame_member(&m, &lines);
    tell_end(rd, path, lines.bytes);
    reader_close(&lines);
    if (!rd->has_manifest && str_is(str_basename(path), "manifest.tsv")) {
        sqlite3_stmt *st;
        if (sqlite3_prepare_v2(facts_db(rd->facts),
                               "SELECT 1 FROM source WHERE bundle = ?1 AND tool = 'manifest' AND rows > 0", -1, &st,
                               NULL) == SQLITE_OK) {
            sqlite3_bind_int64(st, 1, rd->bundle);
            rd->has_manifest = sqlite3_step(st) == SQLITE_ROW;
            sqlite3_finalize(st);
        }
    }
}

/* A symbolic link is read as a text of one line, "-> target": in a copied /sys the links are the topology. */
static void read_symlink(Reading *rd, Str path, Str target, int depth) {
    if (!str_has(path, "sys/") && !str_has(path, "/by-")) return;
    HeadSource text;
    head_source(&text, arena_strf(rd->arena, "-> %.*s\n", STR_ARG(target)), NULL);
    read_member(rd, path, &text.src, depth, true);
}

/* ---------------------------------------------------------------- archives */

typedef struct ArchiveInput {
    ByteSource *bytes;
    Error err;
    char buf[64 * 1024];
} ArchiveInput;

static la_ssize_t archive_input(struct archive *a, void *data, const void **buffer) {
    ArchiveInput *in = data;
    ssize_t n = in->bytes->read(in->bytes, in->buf, sizeof in->buf, &in->err);
    *buffer = in->buf;
    if (n < 0) {
        archive_set_error(a, EIO, "%s", in->err.text);
        return -1;
    }
    return n;
}

/* 7-Zip keeps its directory at the end, so it cannot be streamed: the packed bytes are held in memory. */
static char *whole_7z(ByteSource *bytes, size_t *len, Error *err) {
    size_t cap = (size_t)1 << 20;
    char *p = malloc(cap);
    *len = 0;
    for (;;) {
        if (!p) fatal("out of memory");
        ssize_t n = bytes->read(bytes, p + *len, cap - *len, err);
        if (n <= 0) break; /* an error: libarchive will say what is missing */
        *len += (size_t)n;
        if (*len < cap) continue;
        if (cap >= BUNDLE_MAX_7Z) {
            error_set(err, "a 7-Zip archive of more than %d MB cannot be streamed; unpack it first",
                      BUNDLE_MAX_7Z >> 20);
            free(p);
            return NULL;
        }
        p = realloc(p, cap *= 2);
    }
    return p;
}

static bool read_archive(Reading *rd, Str path, ByteSource *bytes, int depth, bool inside, Error *err) {
    char magic[6], *held = NULL;
    size_t have = 0, held_len = 0;
    Error bad = {""};
    while (have < sizeof magic) {
        ssize_t n = bytes->read(bytes, magic + have, sizeof magic - have, &bad);
        if (n <= 0) break;
        have += (size_t)n;
    }
    HeadSource again;
    head_source(&again, (Str){magic, have}, bytes);
    if (have == sizeof magic && memcmp(magic, "7z\xbc\xaf\x27\x1c", sizeof magic) == 0) {
        held = whole_7z(&again.src, &held_len, err);
        if (!held) return false;
    }
    struct archive *a = archive_read_new();
    ArchiveInput *in = calloc(1, sizeof *in);
    if (!a || !in) fatal("out of memory");
    in->bytes = &again.src;
    /* Not "all": that hands lrzip and grzip streams to programs of these names, and an upload must not start programs. */
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_compress(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_lzip(a);
    archive_read_support_filter_lzma(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_format_all(a);
    archive_read_support_format_raw(a); /* a single compressed file: messages.1.gz */
    bool ok = (held ? archive_read_open_memory(a, held, held_len)
                    : archive_read_open(a, in, NULL, archive_input, NULL)) == ARCHIVE_OK;
    if (!ok)
        error_set(err, "not readable as an archive: %s",
                  archive_error_string(a) ? archive_error_string(a) : "unknown format");
    uint64_t entries = 0;
    while (ok && !rd->full) {
        struct archive_entry *entry;
        int rc = archive_read_next_header(a, &entry);
        if (rc == ARCHIVE_EOF) {
            if (!entries) {
                int64_t src = facts_source(rd->facts, rd->bundle, rd->capture, path, 0, NULL, STR_NONE, 0);
                facts_source_end(rd->facts, src, 0, "empty", 0, 0, 0, STR("the archive holds nothing"), 0);
            }
            break;
        }
        entries++;
        if (rc == ARCHIVE_FATAL || rc == ARCHIVE_RETRY) {
            rd->cut = true;
            skipped(rd, path,
                    arena_strf(rd->arena, "the archive is damaged or cut here: %s; what stood before it was read",
                               archive_error_string(a) ? archive_error_string(a) : "unknown error"));
            break;
        }
        const char *name = archive_entry_pathname_utf8(entry);
        if (!name) name = archive_entry_pathname(entry);
        Str member = str_of(name ? name : "?");
        while (str_starts(member, "./")) member = str_from(member, 2);
        bool raw = archive_format(a) == ARCHIVE_FORMAT_RAW;
        if (raw) { /* no name inside: the file itself without its suffix would be invented, so keep the path */
            member = path;
        } else if (inside || depth > 1) {
            member = arena_strf(rd->arena, "%.*s!%.*s", STR_ARG(path), STR_ARG(member));
        } else {
            member = arena_str(rd->arena, member);
        }
        if (archive_entry_symlink(entry)) {
            read_symlink(rd, member, str_of(archive_entry_symlink(entry)), depth);
            continue;
        }
        if (archive_entry_hardlink(entry)) {
            skipped(rd, member, arena_strf(rd->arena, "hard link to %s", archive_entry_hardlink(entry)));
            continue;
        }
        if (!raw && archive_entry_filetype(entry) != AE_IFREG) continue; /* folders and devices hold no text */
        EntrySource src = {{entry_read}, a};
        read_member(rd, member, &src.src, depth, !raw || inside);
    }
    archive_read_free(a);
    free(in);
    free(held);
    return ok;
}

/* ---------------------------------------------------------------- directories */

static int by_name(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool mx = strcmp(x, "manifest.tsv") == 0, my = strcmp(y, "manifest.tsv") == 0; /* it names what the others are */
    if (mx != my) return mx ? -1 : 1;
    return strcmp(x, y);
}

static void read_directory(Reading *rd, int dirfd, Str path, int level) {
    DIR *dir = fdopendir(dirfd);
    if (!dir) {
        skipped(rd, path, arena_strf(rd->arena, "%s", strerror(errno)));
        close(dirfd);
        return;
    }
    VEC(char *) names = {0};
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            VEC_PUSH(rd->arena, &names, arena_fmt(rd->arena, "%s", e->d_name));
    if (names.count) qsort(names.items, names.count, sizeof *names.items, by_name);
    for (size_t i = 0; i < names.count && !rd->full; i++) {
        const char *name = names.items[i];
        Str member = path.len ? arena_strf(rd->arena, "%.*s/%s", STR_ARG(path), name) : str_of(name);
        struct stat st;
        if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            skipped(rd, member, arena_strf(rd->arena, "%s", strerror(errno)));
            continue;
        }
        if (S_ISLNK(st.st_mode)) {
            char target[4096];
            ssize_t n = readlinkat(dirfd, name, target, sizeof target);
            if (n > 0) read_symlink(rd, member, (Str){target, (size_t)n}, 0);
        } else if (S_ISDIR(st.st_mode)) {
            if (level >= BUNDLE_MAX_FOLDERS) {
                skipped(rd, member, STR("folders nested too deeply"));
                continue;
            }
            int sub = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (sub < 0) skipped(rd, member, arena_strf(rd->arena, "%s", strerror(errno)));
            else read_directory(rd, sub, member, level + 1);
        } else if (S_ISREG(st.st_mode)) {
            FileSource file = {{file_read}, openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
            if (file.fd < 0) {
                skipped(rd, member, arena_strf(rd->arena, "%s", strerror(errno)));
                continue;
            }
            read_member(rd, member, &file.src, 0, true);
            close(file.fd);
        } else {
            skipped(rd, member, STR("neither a file nor a folder"));
        }
    }
    closedir(dir);
}

/* ---------------------------------------------------------------- what a collector could not get */

/* Rows of the manifest without a member become source rows: absence of a file is never the only sign. An output that was
   empty left no file, either. What was cut short or abandoned is said of the member that is there. */
static void missing_members(Reading *rd) {
    /* What is there, under each name a manifest might give it: the path without .out, and without its top folders. Looked
       up by index, since both lists are as long as a stranger likes. */
    sqlite3_stmt *st;
    const char *present =
        "CREATE TEMP TABLE present AS WITH RECURSIVE tail(capture, id, name, depth) AS ("
        " SELECT capture, id, member, 0 FROM source"
        " UNION ALL SELECT capture, id, substr(name, 1, length(name) - 4), 20 FROM tail WHERE substr(name, -4) = '.out'"
        " UNION ALL SELECT capture, id, substr(name, instr(name, '/') + 1), depth + 1 FROM tail"
        " WHERE depth < 12 AND instr(name, '/') > 0) SELECT capture, id, name FROM tail;"
        "CREATE INDEX present_name ON present(name, capture)";
    const char *sql =
        "SELECT m.name, m.command, m.status, m.rc, ms.capture, m.why FROM manifest m JOIN source ms ON ms.id = "
        "m.src WHERE ms.bundle = ?1 AND NOT EXISTS (SELECT 1 FROM present x WHERE x.name = m.name"
        " AND x.capture = ms.capture AND x.id <> m.src) ORDER BY m.line";
    sqlite3 *db = facts_db(rd->facts);
    sqlite3_exec(db, "DROP TABLE IF EXISTS present", NULL, NULL, NULL);
    if (sqlite3_exec(db, present, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(st, 1, rd->bundle);
    while (sqlite3_step(st) == SQLITE_ROW) {
        Str name = str_of((const char *)sqlite3_column_text(st, 0)),
            command = str_of((const char *)sqlite3_column_text(st, 1)),
            status = str_of((const char *)sqlite3_column_text(st, 2)),
            why = str_of((const char *)sqlite3_column_text(st, 5));
        if (!name.len) continue;
        const Parser *parser = registry_by_command(name, command);
        int64_t src = facts_source(rd->facts, rd->bundle, sqlite3_column_int64(st, 4), name, 0,
                                   parser ? parser->name : NULL, command, 0);
        bool lost = rd->cut || rd->full; /* then nobody can tell whether there was output */
        bool empty = str_is(status, "ok") || str_is(status, "truncated");
        Str note = lost                   ? STR("not read: the upload is cut, damaged or over a limit")
                   : empty                ? STR("no output")
                   : str_is(status, "rc") ? arena_strf(rd->arena, "the command ended with exit code %d and no output",
                                                       sqlite3_column_int(st, 3))
                   : why.len ? arena_strf(rd->arena, "collector: %.*s: %.*s", STR_ARG(status), STR_ARG(why))
                             : arena_strf(rd->arena, "collector: %.*s", STR_ARG(status));
        facts_source_end(rd->facts, src, 0, lost ? "skipped" : empty ? "empty" : "failed", 0, 0, 0, note, 0);
    }
    sqlite3_finalize(st);
    /* Of those that left a part of their output, too: what is missing from it may be the very lines that matter. */
    const char *partly =
        "WITH part AS (SELECT x.id, 'collector: ' || m.status || coalesce(': ' || m.why, '') AS why FROM manifest m"
        " JOIN source ms ON ms.id = m.src JOIN present x ON x.name = m.name AND x.capture = ms.capture AND x.id <> "
        "m.src"
        " WHERE ms.bundle = ?1 AND m.status IN ('timeout', 'hung', 'truncated', 'denied') GROUP BY x.id)"
        "UPDATE source SET note = coalesce(note || '; ', '') || (SELECT why FROM part WHERE part.id = source.id)"
        " WHERE id IN (SELECT id FROM part)";
    if (sqlite3_prepare_v2(db, partly, -1, &st, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(st, 1, rd->bundle);
        sqlite3_step(st);
        sqlite3_finalize(st);
    }
    sqlite3_exec(db, "DROP TABLE present", NULL, NULL, NULL);
}

/* ---------------------------------------------------------------- the upload */

bool bundle_read(Facts *f, const char *input, int64_t *bundle, Error *err) {
    return bundle_read_watched(f, input, NULL, bundle, err);
}

bool bundle_read_watched(Facts *f, const char *input, const BundleWatch *watch, int64_t *bundle, Error *err) {
    bool from_stdin = strcmp(input, "-") == 0;
    int fd = from_stdin ? STDIN_FILENO : open(input, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return error_set(err, "cannot read %s: %s", input, strerror(errno));
    struct stat st;
    if (fstat(fd, &st) != 0) {
        error_set(err, "cannot read %s: %s", input, strerror(errno));
        if (!from_stdin) close(fd);
        return false;
    }
    Reading rd = {.facts = f, .arena = facts_arena(f), .scratch = arena_new((size_t)1 << 30), .watch = watch};
    Str label = from_stdin ? STR("-") : str_basename(str_of(input));
    bool dir = S_ISDIR(st.st_mode);
    rd.bundle = facts_bundle(f, label, dir ? STR("directory") : from_stdin ? STR("paste") : STR("file"));
    rd.capture = facts_capture(f, rd.bundle, STR_NONE);
    *bundle = rd.bundle;
    const char *kind = NULL;
    if (dir) {
        int sub = from_stdin ? dup(fd) : fd;
        read_directory(&rd, sub, STR_NONE, 0); /* closes it */
        fd = -1;
    } else {
        FileSource file = {{file_read}, fd};
        char head[512];
        size_t n = 0;
        Error bad = {""};
        while (n < sizeof head) {
            ssize_t got = file_read(&file.src, head + n, sizeof head - n, &bad);
            if (got <= 0) break;
            n += (size_t)got;
        }
        if (bad.text[0]) {
            error_set(err, "cannot read %s: %s", input, bad.text);
            if (!from_stdin) close(fd);
            arena_free(rd.scratch);
            return false;
        }
        HeadSource whole;
        head_source(&whole, (Str){head, n}, &file.src);
        Str path = from_stdin ? STR("-") : label;
        if (is_archive_head((Str){head, n})) {
            kind = "archive";
            if (!read_archive(&rd, path, &whole.src, 1, false, &bad))
                skipped(&rd, path, arena_strf(rd.arena, "%s", bad.text));
        } else {
            read_member(&rd, path, &whole.src, 0, false);
        }
    }
    if (fd >= 0 && !from_stdin) close(fd);
    arena_free(rd.scratch);
    if (rd.has_manifest) {
        kind = "stordx";
        missing_members(&rd);
    }
    if (kind) {
        sqlite3_stmt *up;
        if (sqlite3_prepare_v2(facts_db(f), "UPDATE bundle SET kind = ?2 WHERE id = ?1", -1, &up, NULL) == SQLITE_OK) {
            sqlite3_bind_int64(up, 1, rd.bundle);
            sqlite3_bind_text(up, 2, kind, -1, SQLITE_STATIC);
            sqlite3_step(up);
            sqlite3_finalize(up);
        }
    }
    return true;
}
