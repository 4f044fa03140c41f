/*
 * seeds: writes what the fuzzers start from, a folder per target.
 *
 *     seeds FOLDER [TREE...]
 *
 * FOLDER/zpool_status/, FOLDER/framing/, ...: the samples of the tests, and what lies in each TREE (the fixtures, and folders of
 * real outputs that are not part of the project). A file goes to the parser that bids most for it. Files are named after
 * their content, so equal ones are written once. Run from the root of the source tree.
 */
#include "../../analyze/parse/registry.h"
#include "../unit/tool_samples.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Longer seeds make each run slow and find nothing that short ones do not. */
enum { SEED_MAX = 8 * 1024, FILE_MAX = 4 * 1024 * 1024, DEPTH_MAX = 32 };

static const char *const target_names[] = {
#define PARSER(n) #n,
#include "../../analyze/parse/parsers.def"
#undef PARSER
    "framing", "reader", "page", "archive", "report", "redact",
};

static const char *folder;
static Arena *scratch;
static size_t written;

static const char *name_of(const Parser *parser) {
    for (size_t i = 0; i < parser_count; i++)
        if (parsers[i] == parser) return target_names[i];
    return NULL;
}

static void write_seed(const char *target, Str text) {
    const char *path = arena_fmt(scratch, "%s/%s/%016llx", folder, target, (unsigned long long)str_hash(text));
    FILE *out = fopen(path, "wb");
    if (!out || (text.len && fwrite(text.p, 1, text.len, out) != text.len) || fclose(out) != 0) {
        fprintf(stderr, "seeds: cannot write %s: %s\n", path, strerror(errno));
        exit(1);
    }
    written++;
}

/* At most SEED_MAX bytes, whole lines where possible. */
static Str clip(Str text) {
    if (text.len <= SEED_MAX) return text;
    text.len = SEED_MAX;
    size_t end = str_rfind_ch(text, '\n');
    return end != SIZE_MAX && end > SEED_MAX / 2 ? str_sub(text, 0, end + 1) : text;
}

/* For a parser: with the line that says where the text is from (fuzz.h), when that matters. */
static void write_parser_seed(const Parser *parser, Str path, Str command, Str text) {
    write_seed(name_of(parser), clip(text));
    if (path.len || command.len)
        write_seed(name_of(parser),
                   arena_strf(scratch, "\001%.*s\t%.*s\n%.*s", STR_ARG(path), STR_ARG(command), STR_ARG(clip(text))));
}

static Str utf16(Str text, bool big) {
    StrBuf b;
    sb_init(&b, scratch);
    sb_addz(&b, big ? "\xFE\xFF" : "\xFF\xFE");
    for (size_t i = 0; i < text.len; i++) {
        if (big) sb_addc(&b, 0);
        sb_addc(&b, text.p[i]);
        if (!big) sb_addc(&b, 0);
    }
    return sb_str(&b);
}

/* With the byte that becomes markup (fuzz.h) in front of every fifth word, and behind many. */
static Str marked(Str text) {
    StrBuf b;
    sb_init(&b, scratch);
    int words = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (i && ch_alpha(text.p[i]) && !ch_alnum(text.p[i - 1]) && ++words % 5 == 0) sb_addc(&b, 2);
        sb_addc(&b, text.p[i]);
        if (ch_digit(text.p[i]) && i + 1 < text.len && ch_blank(text.p[i + 1]) && words % 7 == 0) sb_addc(&b, 2);
    }
    return sb_str(&b);
}

static bool read_file(const char *path, Str *text) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char *p = arena_alloc(scratch, FILE_MAX);
    *text = (Str){p, fread(p, 1, FILE_MAX, file)};
    fclose(file);
    return true;
}

static void add_file(const char *path) {
    Str text, name = str_of(path);
    if (!read_file(path, &text) || !text.len) return;
    if (str_ends(name, ".md") && !str_has(name, "posts")) return; /* about the files, not one of them */
    int bid;
    const Parser *parser = registry_best(name, STR_NONE, str_sub(text, 0, 16 * 1024), &bid);
    if (parser) write_parser_seed(parser, name, STR_NONE, text);
    /* Framing asks everybody: of the many outputs some will do. */
    static size_t outputs;
    if (str_has(name, "posts") || outputs++ % 16 == 0) write_seed("framing", clip(text));
    if (str_has(name, "posts")) write_seed("report", marked(clip(text)));
    if (outputs % 8 == 0) write_seed("redact", clip(text));
    if (text.len < 1000 && outputs % 4 == 0) write_seed("reader", text);
}

static void add_tree(const char *path, int depth) {
    DIR *dir = opendir(path);
    if (!dir) return; /* what is not there gives no seeds */
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        char name[4096];
        struct stat st;
        if (snprintf(name, sizeof name, "%s/%s", path, e->d_name) >= (int)sizeof name || lstat(name, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) add_tree(name, depth + 1);
        else if (S_ISREG(st.st_mode)) add_file(name);
        arena_reset(scratch);
    }
    closedir(dir);
}

static void add_pages(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir));) {
        char name[4096];
        struct stat st;
        Str text;
        if (e->d_name[0] == '.' || snprintf(name, sizeof name, "%s/%s", path, e->d_name) >= (int)sizeof name) continue;
        if (lstat(name, &st) != 0) continue;
        if (S_ISDIR(st.st_mode)) add_pages(name);
        else if (str_ends(str_of(name), ".md") && read_file(name, &text)) write_seed("page", text);
        arena_reset(scratch);
    }
    closedir(dir);
}

/* Archives of two samples, in each format and compression that can be written here. */
static void add_archives(void) {
    static const int formats[] = {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED,
                                  ARCHIVE_FORMAT_ZIP,       ARCHIVE_FORMAT_7ZIP,
                                  ARCHIVE_FORMAT_CPIO,      ARCHIVE_FORMAT_RAW};
    static const int filters[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2,
                                  ARCHIVE_FILTER_XZ,   ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4};
    static char buf[1 << 20];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t k = 0; k < sizeof filters / sizeof *filters; k++) {
            struct archive *a = archive_write_new();
            size_t used = 0;
            if (!a) continue;
            if (archive_write_set_format(a, formats[i]) == ARCHIVE_OK &&
                archive_write_add_filter(a, filters[k]) == ARCHIVE_OK &&
                archive_write_open_memory(a, buf, sizeof buf, &used) == ARCHIVE_OK) {
                static const char *const names[] = {"bundle/iostat.out", "bundle/sys/block/sda/queue/write_cache"};
                static const char *const texts[] = {"Device r/s w/s\nsda 0.40 88.20\n", "write through\n"};
                for (size_t n = 0; n < 2; n++) {
                    struct archive_entry *entry = archive_entry_new();
                    archive_entry_set_pathname(entry, names[n]);
                    archive_entry_set_size(entry, (la_int64_t)strlen(texts[n]));
                    archive_entry_set_filetype(entry, AE_IFREG);
                    archive_entry_set_perm(entry, 0644);
                    if (archive_write_header(a, entry) == ARCHIVE_OK) archive_write_data(a, texts[n], strlen(texts[n]));
                    archive_entry_free(entry);
                }
                if (archive_write_close(a) == ARCHIVE_OK && used) write_seed("archive", (Str){buf, used});
            }
            archive_write_free(a);
        }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: seeds FOLDER [TREE...]\n", stderr);
        return 2;
    }
    folder = argv[1];
    scratch = arena_new((size_t)1 << 30);
    mkdir(folder, 0777);
    for (size_t i = 0; i < sizeof target_names / sizeof *target_names; i++)
        mkdir(arena_fmt(scratch, "%s/%s", folder, target_names[i]), 0777);
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        Str text = str_of(s->text);
        if (s->path && !read_file(s->path, &text)) continue;
        for (size_t k = 0; k < parser_count; k++)
            if (str_is(str_of(s->tool), parsers[k]->name))
                write_parser_seed(parsers[k], str_of(s->path), str_of(s->command), text);
        write_seed("framing", clip(text));
        write_seed("framing",
                   arena_strf(scratch, "root@nas:~# %s\n%.*s", s->command ? s->command : "cat", STR_ARG(clip(text))));
        write_seed("report", marked(clip(text)));
        write_seed("reader", clip(text));
        if (text.len < 600) {
            write_seed("reader", utf16(text, false));
            write_seed("reader", utf16(text, true));
            write_seed("archive", text);
        }
        arena_reset(scratch);
    }
    write_seed("reader", STR("\xEF\xBB\xBF"
                             "a\r\nb\n\nc"));
    write_seed("reader", STR("a\n\003\003\003\003b\nc\n"));
    write_seed("reader", STR("\003\003\003\003"));
    add_pages("rules");
    add_archives();
    for (int i = 2; i < argc; i++) add_tree(argv[i], 0);
    printf("%zu seeds in %s\n", written, folder);
    arena_free(scratch);
    return 0;
}
