/*
 * Uploads of every shape, and hostile ones: whatever cannot be read has a row that says so, and nothing touches the disk.
 */
#include "../../analyze/bundle/bundle.h"
#include "parse_test.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PSI                                                                                                            \
    "some avg10=71.30 avg60=68.02 avg300=61.77 total=48210337714\nfull avg10=66.14 avg60=63.90 avg300=57.21 "          \
    "total=44018220981\n"
#define HDPARM "\n/dev/sda:\n write-caching =  0 (off)\n"
#define KERNEL "[    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)\n"

/* ---------------------------------------------------------------- a folder of our own */

static char root[256];

static int setup(void **state) {
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/bundle-test-XXXXXX", tmp && *tmp && strlen(tmp) < 200 ? tmp : "/tmp");
    return mkdtemp(root) ? 0 : -1;
}

static void remove_tree(const char *path) {
    chmod(path, 0700);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char below[8192];
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (unlink(below) != 0) remove_tree(below);
    }
    if (d) closedir(d);
    rmdir(path);
}

static int teardown(void **state) {
    (void)state;
    remove_tree(root);
    return 0;
}

static const char *in_root(const char *name) {
    static char path[4][8192];
    static unsigned turn;
    char *p = path[turn++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", root, name);
    return p;
}

static void put(const char *name, Str text) {
    FILE *f = fopen(in_root(name), "wb");
    assert_non_null(f);
    if (text.len) assert_int_equal(fwrite(text.p, 1, text.len, f), text.len);
    assert_int_equal(fclose(f), 0);
}

/* ---------------------------------------------------------------- archives in memory */

typedef struct Bytes {
    char *p;
    size_t len;
} Bytes;

typedef struct Entry {
    const char *name;
    Str text;
    unsigned type;      /* 0: a file */
    const char *target; /* of a link */
    bool hard;
} Entry;

static la_ssize_t grow(struct archive *a, void *data, const void *buffer, size_t n) {
    (void)a;
    Bytes *b = data;
    b->p = realloc(b->p, b->len + n + 1);
    assert_non_null(b->p);
    memcpy(b->p + b->len, buffer, n);
    b->len += n;
    return (la_ssize_t)n;
}

/* p == NULL when this libarchive cannot write the format. The caller frees p. */
static Bytes pack(const char *format, const char *filter, const Entry *entries, size_t count) {
    Bytes out = {NULL, 0};
    struct archive *a = archive_write_new();
    assert_non_null(a);
    if (archive_write_set_format_by_name(a, format) != ARCHIVE_OK ||
        (filter && archive_write_add_filter_by_name(a, filter) != ARCHIVE_OK)) {
        archive_write_free(a);
        return out;
    }
    archive_write_set_bytes_in_last_block(a, 1);
    if (archive_write_open(a, &out, NULL, grow, NULL) != ARCHIVE_OK) {
        archive_write_free(a);
        return out;
    }
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, entries[i].name);
        archive_entry_set_filetype(e, entries[i].type ? entries[i].type : AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_size(e, (la_int64_t)entries[i].text.len);
        if (entries[i].target && entries[i].hard) archive_entry_set_hardlink(e, entries[i].target);
        if (entries[i].target && !entries[i].hard) archive_entry_set_symlink(e, entries[i].target);
        if (archive_write_header(a, e) >= ARCHIVE_WARN && entries[i].text.len)
            archive_write_data(a, entries[i].text.p, entries[i].text.len);
        archive_entry_free(e);
    }
    archive_write_close(a);
    archive_write_free(a);
    return out;
}

static Str str_bytes(Bytes b) {
    return (Str){b.p, b.len};
}

/* ---------------------------------------------------------------- reading */

typedef struct Read {
    Arena *arena;
    Facts *facts;
    bool ok;
    Error err;
} Read;

static Read read_input(const char *path) {
    Read r = {.arena = arena_new((size_t)1 << 30)};
    r.facts = facts_new(r.arena, &r.err);
    assert_non_null(r.facts);
    int64_t bundle;
    r.ok = bundle_read(r.facts, path, &bundle, &r.err);
    facts_flush(r.facts);
    return r;
}

static Read read_bytes(const char *name, Str bytes) {
    put(name, bytes);
    return read_input(in_root(name));
}

static void done(Read *r) {
    arena_free(r->arena);
}

/* All rows, in their order: "member tool status; ...". */
static const char *rows(Read *r) {
    sqlite3_stmt *st;
    StrBuf b;
    sb_init(&b, r->arena);
    assert_int_equal(sqlite3_prepare_v2(facts_db(r->facts),
                                        "SELECT member, coalesce(tool, '?'), status FROM source ORDER BY id", -1, &st,
                                        NULL),
                     SQLITE_OK);
    for (bool first = true; sqlite3_step(st) == SQLITE_ROW; first = false)
        sb_addf(&b, "%s%s %s %s", first ? "" : "; ", (const char *)sqlite3_column_text(st, 0),
                (const char *)sqlite3_column_text(st, 1), (const char *)sqlite3_column_text(st, 2));
    sqlite3_finalize(st);
    return sb_str(&b).p ? sb_str(&b).p : "";
}

static const char *text_of(Read *r, const char *sql) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(facts_db(r->facts), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(facts_db(r->facts)));
    const char *out = "";
    if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
        out = arena_fmt(r->arena, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return out;
}

static const Entry three[] = {
    {.name = "up/dmesg.txt", .text = {KERNEL, sizeof KERNEL - 1}},
    {.name = "up/drives/hdparm.txt", .text = {HDPARM, sizeof HDPARM - 1}},
    {.name = "up/psi.txt", .text = {PSI, sizeof PSI - 1}},
};
static const char three_rows[] =
    "up/dmesg.txt kernel-log parsed; up/drives/hdparm.txt hdparm parsed; up/psi.txt pressure parsed";

static void formats(void **state) {
    (void)state;
    static const struct {
        const char *name, *format, *filter;
    } table[] = {
        {"u.tar", "ustar", NULL},         {"u.tar.gz", "ustar", "gzip"}, {"u.tar.xz", "pax", "xz"},
        {"u.tar.bz2", "gnutar", "bzip2"}, {"u.tar.zst", "pax", "zstd"},  {"u.tar.lz4", "ustar", "lz4"},
        {"u.zip", "zip", NULL},           {"u.7z", "7zip", NULL},        {"u.cpio", "newc", NULL},
        {"no-ending", "ustar", "gzip"},   {"liar.txt", "zip", NULL},     {"u.tar.lz", "ustar", "lzip"},
        {"u.tar.Z", "ustar", "compress"},
    };
    size_t made = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Bytes b = pack(table[i].format, table[i].filter, three, 3);
        if (!b.p) continue;
        Read r = read_bytes(table[i].name, str_bytes(b));
        if (!r.ok || strcmp(rows(&r), three_rows) != 0) fail_msg("%s: %s%s", table[i].name, r.err.text, rows(&r));
        assert_string_equal(text_of(&r, "SELECT kind FROM bundle"), "archive");
        assert_string_equal(text_of(&r, "SELECT label FROM bundle"), table[i].name);
        done(&r);
        free(b.p);
        made++;
    }
    assert_true(made >= 6);
}

static void one_compressed_file(void **state) {
    (void)state;
    static const char *const filters[] = {"gzip", "xz", "bzip2"};
    for (size_t i = 0; i < 3; i++) {
        Entry e = {.name = "x", .text = STR(KERNEL)};
        Bytes b = pack("raw", filters[i], &e, 1);
        if (!b.p) continue;
        Read r = read_bytes("kern.log.1.gz", str_bytes(b));
        assert_true(r.ok);
        assert_string_equal(rows(&r), "kern.log.1.gz kernel-log parsed");
        done(&r);
        /* and as a member */
        Entry outer[] = {{.name = "var/log/kern.log.1.gz", .text = str_bytes(b)}, {.name = "psi", .text = STR(PSI)}};
        Bytes o = pack("ustar", "gzip", outer, 2);
        r = read_bytes("o.tgz", str_bytes(o));
        assert_string_equal(rows(&r), "var/log/kern.log.1.gz kernel-log parsed; psi pressure parsed");
        done(&r);
        free(o.p);
        free(b.p);
    }
}

/* outer!inner, down to BUNDLE_MAX_DEPTH; deeper ones have a row. */
static void nesting(void **state) {
    (void)state;
    Bytes b = pack("ustar", "gzip", three, 3);
    char name[64] = "", want[1024];
    for (int depth = 2; depth <= BUNDLE_MAX_DEPTH + 2; depth++) {
        char inner[32];
        snprintf(inner, sizeof inner, "level%d.tgz", depth - 1);
        Entry e[] = {{.name = inner, .text = str_bytes(b)}, {.name = "psi", .text = STR(PSI)}};
        Bytes o = pack("ustar", "gzip", e, 2);
        free(b.p);
        b = o;
        snprintf(name, sizeof name, "level%d.tgz", depth);
        Read r = read_bytes(name, str_bytes(b));
        assert_true(r.ok);
        const char *got = rows(&r);
        if (depth == 2) {
            assert_string_equal(got, "level1.tgz!up/dmesg.txt kernel-log parsed; level1.tgz!up/drives/hdparm.txt "
                                     "hdparm parsed; level1.tgz!up/psi.txt pressure parsed; "
                                     "psi pressure parsed");
        } else if (depth == 3) {
            assert_string_equal(got, "level2.tgz!level1.tgz!up/dmesg.txt kernel-log parsed; "
                                     "level2.tgz!level1.tgz!up/drives/hdparm.txt hdparm parsed; "
                                     "level2.tgz!level1.tgz!up/psi.txt pressure parsed; level2.tgz!psi pressure "
                                     "parsed; psi pressure parsed");
        } else {
            snprintf(want, sizeof want, "level%d.tgz!level%d.tgz!level%d.tgz ? skipped; ", depth - 1, depth - 2,
                     depth - 3);
            if (strncmp(got, want, strlen(want)) != 0) fail_msg("depth %d: %s", depth, got);
            assert_string_equal(text_of(&r, "SELECT note FROM source WHERE status = 'skipped'"),
                                "an archive inside 3 others");
            assert_string_equal(text_of(&r, "SELECT count(*) FROM source WHERE tool = 'pressure'"),
                                "3"); /* what stood beside them */
        }
        done(&r);
    }
    free(b.p);
}

/* Cut at every 37th byte: never a crash, what stood before the cut is read, and a row or a status says that it was cut. */
static void truncated(void **state) {
    (void)state;
    char *noise = malloc(200000);
    assert_non_null(noise);
    unsigned seed = 1;
    for (size_t i = 0; i < 200000; i++) {
        seed = seed * 1103515245u + 12345u;
        noise[i] = i % 60 == 59 ? '\n' : (char)('a' + (seed >> 16) % 26);
    }
    Entry e[] = {{.name = "psi", .text = STR(PSI)},
                 {.name = "noise", .text = {noise, 200000}},
                 {.name = "h", .text = STR(HDPARM)}};
    static const char *const formats_[][2] = {
        {"ustar", "gzip"}, {"pax", "xz"}, {"zip", NULL}, {"ustar", NULL}, {"7zip", NULL}};
    for (size_t k = 0; k < 5; k++) {
        Bytes b = pack(formats_[k][0], formats_[k][1], e, 3);
        if (!b.p) continue;
        for (size_t cut = 600; cut < b.len - 8; cut += b.len / 23 + 1) {
            Read r = read_bytes("cut", (Str){b.p, cut});
            assert_true(r.ok);
            assert_true(strcmp(text_of(&r, "SELECT count(*) FROM source"), "0") != 0);
            bool hdparm = strcmp(text_of(&r, "SELECT count(*) FROM source WHERE tool = 'hdparm' AND status = 'parsed'"),
                                 "0") != 0;
            bool said = strcmp(text_of(&r, "SELECT count(*) FROM source WHERE note LIKE '%ends early%' OR note LIKE "
                                           "'%cut here%' OR note LIKE 'not readable as an archive%'"),
                               "0") != 0;
            if (!hdparm && !said) fail_msg("%s cut at %zu of %zu: %s", formats_[k][0], cut, b.len, rows(&r));
            if (cut > b.len / 2 && strcmp(formats_[k][0], "7zip") != 0 &&
                strncmp(rows(&r), "psi pressure parsed; ", 21) != 0)
                fail_msg("%s cut at %zu of %zu: %s", formats_[k][0], cut, b.len, rows(&r));
            done(&r);
        }
        /* bytes turned over in the middle */
        for (size_t at = b.len / 3; at < b.len / 3 + 64 && at < b.len; at++) b.p[at] = (char)~b.p[at];
        Read r = read_bytes("damaged", str_bytes(b));
        assert_true(r.ok);
        done(&r);
        free(b.p);
    }
    free(noise);
}

static void strange_members(void **state) {
    (void)state;
    Entry e[] = {
        {.name = "/etc/passwd-like", .text = STR(PSI)},
        {.name = "../../outside", .text = STR(PSI)},
        {.name = "./dot/psi", .text = STR(PSI)},
        {.name = "a/b", .type = AE_IFDIR},
        {.name = "empty", .text = {"", 0}},
        {.name = "dev/sda", .type = AE_IFBLK},
        {.name = "dev/null", .type = AE_IFCHR},
        {.name = "fifo", .type = AE_IFIFO},
        {.name = "soft", .type = AE_IFLNK, .target = "/etc/shadow"},
        {.name = "sys/block/sda",
         .type = AE_IFLNK,
         .target = "../devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda"},
        {.name = "hard", .target = "./dot/psi", .hard = true},
        {.name = "with\nline\x1b[31m", .text = STR(PSI)},
    };
    Bytes b = pack("pax", "gzip", e, sizeof e / sizeof *e);
    assert_non_null(b.p);
    Read r = read_bytes("strange.tgz", str_bytes(b));
    assert_true(r.ok);
    assert_string_equal(rows(&r), "/etc/passwd-like pressure parsed; ../../outside pressure parsed; dot/psi pressure "
                                  "parsed; empty ? empty; sys/block/sda sysfs parsed; "
                                  "hard ? skipped; with\nline\x1b[31m pressure parsed");
    assert_string_equal(text_of(&r, "SELECT note FROM source WHERE member = 'hard'"), "hard link to ./dot/psi");
    done(&r);
    free(b.p);
}

/* The folder holds what was put there and nothing else: nothing is unpacked to disk. */
static void nothing_on_disk(void **state) {
    (void)state;
    Entry e[] = {{.name = "../escaped", .text = STR(PSI)},
                 {.name = "plain", .text = STR(PSI)},
                 {.name = "d/inner.tgz", .text = STR("x")}};
    Bytes b = pack("pax", "gzip", e, 3);
    char cwd[4096], *old = getcwd(cwd, sizeof cwd);
    assert_non_null(old);
    assert_int_equal(mkdir(in_root("cell"), 0700), 0);
    assert_int_equal(mkdir(in_root("cell/work"), 0700), 0);
    put("cell/u.tgz", str_bytes(b));
    assert_int_equal(chdir(in_root("cell/work")), 0);
    Read r = read_input("../u.tgz");
    assert_int_equal(chdir(cwd), 0);
    assert_true(r.ok);
    done(&r);
    free(b.p);
    int found = 0;
    static const char *const folders[] = {"cell", "cell/work"};
    for (size_t i = 0; i < 2; i++) {
        DIR *d = opendir(in_root(folders[i]));
        assert_non_null(d);
        for (struct dirent *x; (x = readdir(d));) found += x->d_name[0] != '.';
        closedir(d);
    }
    assert_int_equal(found, 2); /* u.tgz and work */
}

static void folder(void **state) {
    (void)state;
    assert_int_equal(mkdir(in_root("folder"), 0700), 0);
    assert_int_equal(mkdir(in_root("folder/sub"), 0700), 0);
    put("folder/psi", STR(PSI));
    put("folder/sub/h", STR(HDPARM));
    put("folder/sub/empty", STR(""));
    assert_int_equal(mkfifo(in_root("folder/fifo"), 0600), 0); /* opening it would wait for ever */
    assert_int_equal(symlink("psi", in_root("folder/link")), 0);
    assert_int_equal(symlink("..", in_root("folder/sub/loop")), 0);
    put("folder/secret", STR(PSI));
    assert_int_equal(chmod(in_root("folder/secret"), 0), 0);
    assert_int_equal(mkdir(in_root("folder/locked"), 0), 0);
    Read r = read_input(in_root("folder"));
    assert_true(r.ok);
    assert_string_equal(text_of(&r, "SELECT kind FROM bundle"), "directory");
    if (geteuid() == 0) /* to whom nothing is forbidden */
        assert_string_equal(
            rows(&r),
            "fifo ? skipped; psi pressure parsed; secret pressure parsed; sub/empty ? empty; sub/h hdparm parsed");
    else
        assert_string_equal(rows(&r), "fifo ? skipped; locked ? skipped; psi pressure parsed; secret ? skipped; "
                                      "sub/empty ? empty; sub/h hdparm parsed");
    assert_string_equal(text_of(&r, "SELECT note FROM source WHERE member = 'fifo'"), "neither a file nor a folder");
    done(&r);
}

/* Folders in folders, and archives in a folder. */
static void deep_folder(void **state) {
    (void)state;
    char path[8000];
    snprintf(path, sizeof path, "%s/deep", root);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < BUNDLE_MAX_FOLDERS + 6; i++) {
        strcat(path, "/d");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    Bytes b = pack("ustar", "gzip", three, 3);
    put("deep/u.tgz", str_bytes(b));
    free(b.p);
    Read r = read_input(in_root("deep"));
    assert_true(r.ok);
    assert_string_equal(text_of(&r, "SELECT note FROM source WHERE status = 'skipped'"), "folders nested too deeply");
    assert_string_equal(text_of(&r, "SELECT count(*) FROM source WHERE member LIKE 'u.tgz!up/%' AND status = 'parsed'"),
                        "3");
    done(&r);
}

static void not_readable(void **state) {
    (void)state;
    Read r = read_input(in_root("does-not-exist"));
    assert_false(r.ok);
    assert_non_null(strstr(r.err.text, "does-not-exist"));
    assert_non_null(strstr(r.err.text, strerror(ENOENT)));
    done(&r);
    /* Nothing in it is a report about nothing, not an error. */
    r = read_bytes("nothing", STR(""));
    assert_true(r.ok);
    assert_string_equal(rows(&r), "nothing ? empty");
    done(&r);
    /* An archive without members, and magic bytes without an archive. */
    Bytes b = pack("ustar", "gzip", NULL, 0);
    r = read_bytes("hollow.tgz", str_bytes(b));
    assert_true(r.ok);
    assert_string_equal(rows(&r), "hollow.tgz ? empty");
    done(&r);
    free(b.p);
    static const Str false_magic[] = {{"\x1f\x8b\x08\x00rubbish", 11},
                                      {"PK\x03\x04", 4},
                                      {"7z\xbc\xaf\x27\x1c", 6},
                                      {"\xfd"
                                       "7zXZ\0\0\0",
                                       8},
                                      {"BZh9rubbish", 11},
                                      {"\x5d\x00\x00\x80\x00", 5}};
    for (size_t i = 0; i < sizeof false_magic / sizeof *false_magic; i++) {
        r = read_bytes("magic", false_magic[i]);
        assert_true(r.ok);
        if (!strcmp(rows(&r), "")) fail_msg("false magic %zu left no row", i);
        assert_string_equal(text_of(&r, "SELECT count(*) FROM source WHERE status = 'parsed'"), "0");
        done(&r);
    }
}

/* BUNDLE_MAX_MEMBERS members and a few more: the rest is one row. */
static void member_limit(void **state) {
    (void)state;
    size_t count = BUNDLE_MAX_MEMBERS + 50;
    Entry *e = calloc(count, sizeof *e);
    assert_non_null(e);
    char(*names)[16] = calloc(count, sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "f%06zu", i);
        e[i] = (Entry){.name = names[i], .text = {"", 0}};
    }
    Bytes b = pack("ustar", "gzip", e, count);
    free(e);
    free(names);
    Read r = read_bytes("many.tgz", str_bytes(b));
    free(b.p);
    assert_true(r.ok);
    assert_string_equal(text_of(&r, "SELECT count(*) FROM source WHERE status = 'skipped'"), "1");
    assert_string_equal(text_of(&r, "SELECT member || ': ' || note FROM source WHERE status = 'skipped'"),
                        "f200000: this and what follows: the limit of 200000 members is reached");
    assert_string_equal(text_of(&r, "SELECT count(*) FROM source WHERE status = 'empty'"), "200000");
    done(&r);
}

/* A manifest names the members' commands, wherever it stands in a folder. */
static void manifest_first(void **state) {
    (void)state;
    assert_int_equal(mkdir(in_root("collected"), 0700), 0);
    put("collected/manifest.tsv",
        STR("# schema\t1\n# collector\tstordx-collect 1.0\n# "
            "boot_id\t0b4d526c-9f0e-4c53-8f6a-1d2f5a7790c3\na_first\t1757761330\t1757761331\t127\tmissing\thdparm -W "
            "/dev/sda\nx\t1757761330\t1757761331\t0\tok\tcat /proc/pressure/io\n# end\t1757761400\n"));
    put("collected/a_first.out", STR("sh: 1: hdparm: not found\n"));
    put("collected/x.out", STR(PSI));
    Read r = read_input(in_root("collected"));
    assert_true(r.ok);
    assert_string_equal(text_of(&r, "SELECT kind FROM bundle"), "stordx");
    assert_string_equal(
        text_of(&r, "SELECT tool || ' ' || status || ' ' || command FROM source WHERE member = 'a_first.out'"),
        "hdparm failed hdparm -W /dev/sda");
    assert_string_equal(
        text_of(&r, "SELECT tool || ' ' || status || ' ' || command FROM source WHERE member = 'x.out'"),
        "pressure parsed cat /proc/pressure/io");
    done(&r);
}

/* ---------------------------------------------------------------- what is told meanwhile */

typedef struct Told {
    StrBuf said;
    size_t bytes;
} Told;

static void told_member(void *arg, Str member) {
    sb_addf(&((Told *)arg)->said, "%.*s ", STR_ARG(member));
}

static void told_tool(void *arg, const char *tool) {
    sb_addf(&((Told *)arg)->said, "(%s) ", tool);
}

static void told_bytes(void *arg, size_t bytes) {
    ((Told *)arg)->bytes += bytes;
}

static void told_end(void *arg, Str member, uint64_t bytes) {
    sb_addf(&((Told *)arg)->said, "/%.*s %d; ", STR_ARG(member), (int)bytes);
}

static void watched(void **state) {
    (void)state;
    assert_int_equal(mkdir(in_root("watched"), 0700), 0);
    put("watched/a.out", STR(PSI));
    put("watched/b.txt", STR("nobody knows this\n"));
    assert_int_equal(mkfifo(in_root("watched/c"), 0700), 0);
    Read r = {.arena = arena_new((size_t)1 << 30)};
    r.facts = facts_new(r.arena, &r.err);
    Told told = {.bytes = 0};
    sb_init(&told.said, r.arena);
    BundleWatch watch = {told_member, told_tool, told_bytes, told_end, &told};
    int64_t bundle;
    assert_true(bundle_read_watched(r.facts, in_root("watched"), &watch, &bundle, &r.err));
    assert_string_equal(sb_str(&told.said).p,
                        arena_fmt(r.arena, "a.out (pressure) /a.out %d; b.txt /b.txt 18; /c 0; ", (int)sizeof PSI - 1));
    assert_int_equal(told.bytes, sizeof PSI - 1 + 18);
    /* Nobody has to listen to all of it. */
    BundleWatch deaf = {.arg = NULL};
    assert_true(bundle_read_watched(r.facts, in_root("watched"), &deaf, &bundle, &r.err));
    done(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),      cmocka_unit_test(one_compressed_file), cmocka_unit_test(nesting),
        cmocka_unit_test(truncated),    cmocka_unit_test(strange_members),     cmocka_unit_test(nothing_on_disk),
        cmocka_unit_test(folder),       cmocka_unit_test(deep_folder),         cmocka_unit_test(not_readable),
        cmocka_unit_test(member_limit), cmocka_unit_test(manifest_first),      cmocka_unit_test(watched),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
