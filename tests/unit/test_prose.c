/* Words of people among the outputs of tools: what is kept, what is quoted, and what is not. */
#include "../../analyze/bundle/prose.h"
#include "../../analyze/diagnose/statements.h"
#include "frame_test.h"

static void sentences(void **state) {
    (void)state;
    static const struct {
        const char *line;
        bool prose;
    } cases[] = {
        {"CPU and network of the PVE hosts look fine.", true},
        {"> CPU of the PVE hosts and the network look fine, as before.", true},
        {"Note: the CPU is idle while it happens", true},
        {"- der Prozessor langweilt sich, Netzwerk ist auch OK", true},
        {"I/O delay goes up to 99 % during backups", true},
        {"CPU负载很低，网络也没有问题", true},
        {"", false},
        {"CPU", false},
        {"# This variable specifies how the network is set up", false},
        {"## Description: the network configuration of this host", false},
        {"; the network section of this file", false},
        {"Model name: Contoso", false},
        {"Model name:                      Contoso(R) Xeon(R) CPU E3-1220 v3 @ 3.10GHz", false},
        {"CPU op-mode(s):                  32-bit, 64-bit", false},
        {"MiB Mem :  15896.3 total,   3021.4 free,   9876.5 used", false},
        {"%Cpu(s):  3.1 us,  1.2 sy,  0.0 ni, 12.5 id, 83.0 wa", false},
        {"    1 root      20   0  168764  11720   8332 S   0.0   0.1   0:01.51 systemd", false},
        {"eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500", false},
        {"network:\t1\tup\tlan", false},
        {"auto lo eth0=dhcp | grep x={y}", false},
        {"--------------------------------------------", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (prose_line(str_of(cases[i].line)) != cases[i].prose)
            fail_msg("\"%s\" is %sprose", cases[i].line, cases[i].prose ? "" : "not ");
}

static void members(void **state) {
    (void)state;
    static const struct {
        const char *path, *command;
        bool may;
    } cases[] = {
        {"complaint.txt", "", true},
        {"bundle/README", "", true},
        {"bundle/Ticket.md", "", true},
        {"up.tar.gz!bundle/note", "", true},
        {"bundle/ps.out", "", false},
        {"bundle/etc/network/interfaces", "", false},
        {"bundle/complaint.txt", "cat complaint.txt", false}, /* a collector made it */
        {"a/b/c/d/notes.txt", "", false},                     /* too deep to be somebody's note */
        {"", "", false},
        {".md", "", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (prose_member(str_of(cases[i].path), str_of(cases[i].command)) != cases[i].may)
            fail_msg("%s: expected %d", cases[i].path, cases[i].may);
}

static void words(void **state) {
    (void)state;
    static const struct {
        const char *text, *word;
        bool holds;
    } cases[] = {
        {"The CPU is idle", "cpu", true},
        {"CPU-Last gering", "cpu", true},
        {"cpu", "cpu", true},
        {"cpus idle", "cpu", false},
        {"a McPu thing", "cpu", false},
        {"my_cpu is", "cpu", false},
        {"Netzwerkkarte ist neu", "netzwerk", false},
        {"Netzwerkkarte ist neu", "netzwerk*", true},
        {"das Hausnetzwerk", "netzwerk*", false},
        {"LE RÉSEAU VA BIEN", "réseau", true},
        {"СЕТЬ в порядке", "сеть", true},
        {"CPU负载很低，网络也没有问题", "网络", true},
        {"the network", "network and", false},
        {"la red va bien", "la red", true},
        {"WD Red", "la red", false},
        {"", "cpu", false},
        {"cp", "cpu", false},
        {"\xc3", "cpu", false},
        {"\xf0\x9f cpu \xe2", "cpu", true},
        {"anything", "*", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (statement_holds(str_of(cases[i].text), str_of(cases[i].word)) != cases[i].holds)
            fail_msg("\"%s\" in \"%s\": expected %d", cases[i].word, cases[i].text, cases[i].holds);
}

static char *kept(FrameTest *ft, const char *path, bool own_file, const char *text) {
    size_t count;
    int64_t before = ft->first_src;
    ft_frame(ft, path, NULL, own_file, str_of(text), &count);
    facts_flush(ft->facts);
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(facts_db(ft->facts),
                                        "SELECT coalesce(group_concat(line || ' ' || text, '; '), '') FROM (SELECT * "
                                        "FROM statement WHERE src > ?1 ORDER BY src, line)",
                                        -1, &st, NULL),
                     SQLITE_OK);
    sqlite3_bind_int64(st, 1, before);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    char *out = arena_fmt(ft->arena, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return out;
}

/* Between outputs people speak; behind a prompt, in a fence and in an output nobody does. */
static void pieces(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    assert_string_equal(kept(ft, "post.txt", false,
                             "Our server is slow, but the CPU is idle.\n"
                             "\n"
                             "root@pbs:~# mystat --all\n"
                             "the network of this tool is its own output\n"
                             "\n"
                             "root@pbs:~# uname -a\n"
                             "Linux pbs 6.8.12-4-pve #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n"
                             "\n"
                             "```\n"
                             "some tool printed the network here\n"
                             "```\n"
                             "And the network is fine, too.\n"),
                        "1 Our server is slow, but the CPU is idle.; 12 And the network is fine, too.");
    assert_string_equal(kept(ft, "bundle/complaint.txt", true, "CPU and network look fine.\n\nWhat shall we do?\n"),
                        "1 CPU and network look fine.; 3 What shall we do?");
    assert_string_equal(kept(ft, "bundle/fuser.out", true, "the network of this tool is fine\n"), "");
    /* markup stays text: reports escape it */
    assert_string_equal(kept(ft, "bundle/note.md", true, "the <b>CPU</b> is <script>alert(1)</script> fine here\n"),
                        "1 the <b>CPU</b> is <script>alert(1)</script> fine here");
    assert_string_equal(kept(ft, "bundle/note.md", true, "the CPU is fine & <idle> says top\n"),
                        "1 the CPU is fine & <idle> says top");
    ft_close(ft);
}

/* A novel is cut, and the source says so; a line is clipped. */
static void bounded(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    StrBuf text;
    sb_init(&text, ft->arena);
    for (int i = 0; i < 1000; i++) sb_addf(&text, "%s the CPU is fine today\n", i % 2 ? "again" : "still");
    size_t count;
    const FramePiece *piece = ft_frame(ft, "bundle/story.txt", NULL, true, sb_str(&text), &count);
    assert_int_equal(count, 1);
    assert_string_equal(piece->note, "800 more lines of prose were not kept as statements");
    sb_init(&text, ft->arena);
    for (int i = 0; i < 400; i++) sb_addz(&text, "the network is fine ");
    ft_frame(ft, "bundle/note", NULL, true, sb_str(&text), &count);
    facts_flush(ft->facts);
    sqlite3_stmt *st;
    assert_int_equal(
        sqlite3_prepare_v2(facts_db(ft->facts), "SELECT count(*), max(length(text)) FROM statement", -1, &st, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(st, 0), PROSE_MEMBER_LINES + 1);
    assert_int_equal(sqlite3_column_int(st, 1), FACTS_LINE_CLIP);
    sqlite3_finalize(st);
    ft_close(ft);
}

static void quoted(void **state) {
    (void)state;
    FrameTest *ft = ft_open();
    kept(ft, "bundle/complaint.txt", true,
         "The pool is slow.\nCPU looks fine\nThe network does, too.\nBoth cpu and lan are fast\nand the CPU again\n");
    static const Str about[] = {{"cpu", 3}, {"network", 7}, {"lan", 3}};
    EvidenceList list = {0};
    statements_about(ft->facts, ft->arena, ft->capture, about, 3, &list);
    assert_int_equal(list.count, STATEMENTS_QUOTED);
    assert_int_equal(list.items[0].line, 2);
    assert_true(str_is(list.items[1].text, "The network does, too."));
    assert_true(str_is(list.items[1].member, "bundle/complaint.txt"));
    list.count = 0;
    statements_about(ft->facts, ft->arena, ft->capture, about, 0, &list);
    assert_int_equal(list.count, 0);
    ft_close(ft);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sentences), cmocka_unit_test(members),
                                       cmocka_unit_test(words),     cmocka_unit_test(pieces),
                                       cmocka_unit_test(bounded),   cmocka_unit_test(quoted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
