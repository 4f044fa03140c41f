/*
 * Which pieces of one upload were taken at the same time: by manifest, by folder, by the names of files.
 */
#include "world_test.h"

/* A piece of the first upload: read in the capture that was open then, 0 the first. */
static int64_t piece(World *w, const char *member, const char *tool, int64_t capture) {
    int64_t src = facts_source(w->facts, 1, capture, str_of(member), 1, tool, STR_NONE, 24);
    facts_source_end(w->facts, src, 1, "parsed", 1, 0, 0, STR_NONE, 1);
    return src;
}

#define WHERE                                                                                                          \
    "SELECT coalesce(c.label, 'unnamed') || ':' || s.member || ';' FROM source s JOIN capture c ON c.id = s.capture "  \
    "ORDER BY c.id, s.member"

static void manifests(void **state) {
    (void)state;
    /* The archive has the second manifest behind files of its folder. */
    World *w = world_open(1);
    piece(w, "x/one/manifest.tsv", "manifest", 1);
    piece(w, "x/one/dmesg.out", "kernel-log", 1);
    piece(w, "x/two/dmesg.out", "kernel-log", 1);
    int64_t second = facts_capture(w->facts, 1, STR_NONE);
    piece(w, "x/two/manifest.tsv", "manifest", second);
    piece(w, "x/one/late.out", "lsblk", second);
    piece(w, "readme.txt", "lsblk", second);
    world_resolve(w);
    assert_string_equal(world_list(w, WHERE), "x/one:x/one/dmesg.out; x/one:x/one/late.out; x/one:x/one/manifest.tsv; "
                                              "x/two:readme.txt; x/two:x/two/dmesg.out; x/two:x/two/manifest.tsv;");
    world_close(w);
    w = world_open(1); /* one manifest splits nothing, whatever lies in other folders */
    piece(w, "b/manifest.tsv", "manifest", 1);
    piece(w, "before/iostat.txt", "iostat", 1);
    piece(w, "after/iostat.txt", "iostat", 1);
    world_resolve(w);
    assert_string_equal(world_text(w, "SELECT count(*) FROM capture"), "1");
    world_close(w);
}

static void folders(void **state) {
    (void)state;
    static const struct {
        const char *what, *members; /* member=tool */
        const char *want;
    } table[] = {
        {"two folders",
         "up/after/iostat.txt=iostat|up/after/lsblk.txt=lsblk|up/before/iostat.txt=iostat|up/before/lsblk.txt=lsblk",
         "before:up/before/iostat.txt; before:up/before/lsblk.txt; after:up/after/iostat.txt; "
         "after:up/after/lsblk.txt;"},
        {"stages count", "s10/a=iostat|s10/b=lsblk|s2/a=iostat|s2/b=lsblk", "s2:s2/a; s2:s2/b; s10:s10/a; s10:s10/b;"},
        {"nested archives", "a.tgz!x/a=iostat|a.tgz!x/b=lsblk|b.tgz!x/a=iostat|b.tgz!x/b=lsblk",
         "a.tgz:a.tgz!x/a; a.tgz:a.tgz!x/b; b.tgz:b.tgz!x/a; b.tgz:b.tgz!x/b;"},
        {"deeper files", "n/1/drives/sda=smartctl|n/1/lsblk=lsblk|n/2/drives/sda=smartctl|n/2/lsblk=lsblk|n/note=dd",
         "1:n/1/drives/sda; 1:n/1/lsblk; 1:n/note; 2:n/2/drives/sda; 2:n/2/lsblk;"},
        {"archives that each begin with a folder of their own",
         "a.tgz!h-1/a=iostat|a.tgz!h-1/b=lsblk|b.tgz!h-2/a=iostat|b.tgz!h-2/b=lsblk",
         "a.tgz:a.tgz!h-1/a; a.tgz:a.tgz!h-1/b; b.tgz:b.tgz!h-2/a; b.tgz:b.tgz!h-2/b;"},
        {"one name in common is chance", "proc/mounts=mounts|proc/a=lsblk|etc/mounts=mounts|etc/b=dmi",
         "unnamed:etc/b; unnamed:etc/mounts; unnamed:proc/a; unnamed:proc/mounts;"},
        {"attributes of two disks",
         "sys/block/sda/size=sysfs|sys/block/sda/ro=sysfs|sys/block/sdb/size=sysfs|lsblk=lsblk",
         "unnamed:lsblk; unnamed:sys/block/sda/ro; unnamed:sys/block/sda/size; unnamed:sys/block/sdb/size;"},
        {"one folder for each drive", "d/sda/smart=smartctl|d/sda/hd=hdparm|d/sdb/smart=smartctl|d/sdb/hd=hdparm",
         "unnamed:d/sda/hd; unnamed:d/sda/smart; unnamed:d/sdb/hd; unnamed:d/sdb/smart;"},
        {"a copy of /sys",
         "sys/class/ata_link/link1/x=sysfs|sys/class/ata_link/link1/y=sysfs|sys/class/ata_link/link2/x=sysfs|sys/class/"
         "ata_link/link2/y=sysfs",
         "unnamed:sys/class/ata_link/link1/x; unnamed:sys/class/ata_link/link1/y; unnamed:sys/class/ata_link/link2/x; "
         "unnamed:sys/class/ata_link/link2/y;"},
        {"words of file names", "iostat-before.txt=iostat|iostat_after.txt=iostat|lsblk.txt=lsblk",
         "before:iostat-before.txt; before:lsblk.txt; after:iostat_after.txt;"},
        {"German words", "Vorher.txt=iostat|Nachher.txt=iostat", "before:Vorher.txt; after:Nachher.txt;"},
        {"no word of their own", "hereafter.txt=iostat|beforehand.txt=iostat",
         "unnamed:beforehand.txt; unnamed:hereafter.txt;"},
        {"other tools", "before.txt=iostat|after.txt=lsblk", "unnamed:after.txt; unnamed:before.txt;"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        for (Str rest = str_of(table[i].members); rest.len;) {
            Str tool = str_cut(&rest, '|'), member = str_cut(&tool, '=');
            piece(w, arena_cstr(w->arena, member), arena_cstr(w->arena, tool), 1);
        }
        world_resolve(w);
        const char *got = world_list(w, WHERE);
        if (strcmp(got, table[i].want) != 0) fail_msg("%s:\n got  %s\n want %s", table[i].what, got, table[i].want);
        world_close(w);
    }
}

/* What comes first: by time where all have one, else as they were opened. */
static void order(void **state) {
    (void)state;
    static const struct {
        const char *times, *want;
    } table[] = {
        {"UPDATE capture SET end_s = 3000 - 1000 * id", "after before"},
        {"UPDATE capture SET end_s = CASE id WHEN 1 THEN 1000 END", "before after"},
        {"UPDATE capture SET start_s = 3000 - 1000 * id, end_s = NULL", "after before"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        World *w = world_open(1);
        facts_capture(w->facts, 1, STR_NONE);
        assert_int_equal(sqlite3_exec(facts_db(w->facts), table[i].times, NULL, NULL, NULL), SQLITE_OK);
        const char *got = world_text(w, "SELECT group_concat(CASE id WHEN 1 THEN 'before' ELSE 'after' END, ' ') FROM "
                                        "(SELECT id FROM capture_in_order WHERE bundle = 1 ORDER BY place)");
        assert_string_equal(got, table[i].want);
        world_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(manifests), cmocka_unit_test(folders), cmocka_unit_test(order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
