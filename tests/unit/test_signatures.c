/*
 * test_signatures.c - the signature engine, and the built-in signatures against their own samples
 */
#include "../../analyze/parse/signatures.h"

#include "parse_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_problem(void *arg, const char *file, const char *id, const char *problem) {
    (void)arg;
    fprintf(stderr, "%s: %s: %s\n", file, id, problem);
}

static void builtin_signatures_pass_lint(void **state) {
    (void)state;
    Error err;
    const Signatures *sigs = signatures_builtin(&err);
    assert_string_equal(err.text, "");
    assert_true(signatures_count(sigs) >= 200);
    assert_int_equal(signatures_lint(sigs, print_problem, NULL), 0);
    assert_int_equal(signatures_given_up(sigs), 0);
}

static void builtin_lines(void **state) {
    (void)state;
    static const struct {
        const char *line, *id, *event, *subject; /* id NULL: no signature may know the line */
    } rows[] = {
        {"ata4: limiting SATA link speed to 1.5 Gbps", "ATA005", "link-speed-limited", "4"},
        {"sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn't support DPO or FUA", "SCSI005", NULL,
         "sda"},
        {"nvme nvme0: I/O 528 QID 10 timeout, aborting", "NVME001", NULL, "nvme0"},
        /* order: an I/O error of the floppy controller is noise, not BLK001 */
        {"blk_update_request: I/O error, dev fd0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0", "PLAT011",
         NULL, NULL},
        {"random: crng init done", NULL, NULL, NULL},
        {"", NULL, NULL, NULL},
        /* the literal alone is not enough */
        {"limiting SATA link speed is what the manual calls it", NULL, NULL, NULL},
    };
    const Signatures *sigs = signatures_builtin(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SigMatch m;
        bool hit = signatures_match(sigs, str_of(rows[i].line), &m);
        if (hit != (rows[i].id != NULL)) fail_msg("\"%s\": %s", rows[i].line, hit ? m.sig->id : "no signature");
        if (!hit) continue;
        assert_string_equal(m.sig->id, rows[i].id);
        assert_ptr_equal(m.sig, signatures_at(sigs, m.index));
        if (rows[i].event) assert_string_equal(m.sig->event, rows[i].event);
        if (rows[i].subject) assert_true(str_is(m.subject, rows[i].subject));
    }
    assert_non_null(signatures_find(sigs, "ATA005"));
    assert_null(signatures_find(sigs, "ATA5"));
}

#define ENTRY(id, literal, pattern, rest)                                                                              \
    "{\"id\":\"" id "\",\"name\":\"t." id "\",\"severity\":\"low\",\"literal\":" literal ",\"pattern\":\"" pattern     \
    "\",\"event\":\"test\",\"subject_kind\":\"disk\",\"meaning\":\"m\",\"source\":\"s\",\"matches\":[\"disk d1 "       \
    "failed badly\"]" rest "}"
#define SET(entries) "{\"topic\":\"t\",\"signatures\":[" entries "]}"

static Signatures *set_of(const char *json) {
    Error err = {""};
    Signatures *s = signatures_new();
    if (!signatures_add(s, "t.json", str_of(json), &err)) fail_msg("%s", err.text);
    return s;
}

static const char *id_of(const Signatures *s, const char *line) {
    SigMatch m;
    return signatures_match(s, str_of(line), &m) ? m.sig->id : "-";
}

static void order_then_id_decides(void **state) {
    (void)state;
    Signatures *s = set_of(SET(ENTRY("B", "\"failed\"", "failed", "") "," ENTRY(
        "A", "\"failed badly\"", "failed badly", "") "," ENTRY("Z", "\"disk\"", "disk d9", ",\"order\":1")));
    assert_string_equal(id_of(s, "disk d1 failed badly"), "A");
    assert_string_equal(id_of(s, "disk d1 failed"), "B");
    assert_string_equal(id_of(s, "disk d9 failed badly"), "Z");
    assert_string_equal(id_of(s, "disk d1 is fine"), "-");
    signatures_free(s);
}

static void literals_share_prefixes_and_suffixes(void **state) {
    (void)state;
    Signatures *s = set_of(SET(ENTRY("A", "[\"abcde\",\"xbcd\"]", "bcd", "") "," ENTRY(
        "B", "\"bcdx\"", "^.?bcdx", "") "," ENTRY("C", "\"cdxy\"", "cdxy$", ",\"order\":200")));
    assert_string_equal(id_of(s, "abcde"), "A");
    assert_string_equal(id_of(s, "abcdx"), "B"); /* abcd leads into abcde, its suffix bcdx must not be lost */
    assert_string_equal(id_of(s, "xbcd"), "A");
    assert_string_equal(id_of(s, "zzabcdxy"), "C");
    assert_string_equal(id_of(s, "abcd"), "-"); /* the pattern would match, no literal is there */
    signatures_free(s);
}

static void what_cannot_be_used_is_left_out_and_said(void **state) {
    (void)state;
    static const struct {
        const char *json, *want;
        size_t count;
    } rows[] = {
        {"{", "not valid JSON", 0},
        {"[]", "no list", 0},
        {"{\"signatures\":7}", "no list", 0},
        {SET("7"), "not an object", 0},
        {SET("{\"pattern\":\"x\"}"), "no \"id\"", 0},
        {SET("{\"id\":\"X\"}"), "no \"pattern\"", 0},
        {SET(ENTRY("A", "\"failed\"", "failed", "") "," ENTRY("A", "\"failed\"", "failed", "")), "twice", 1},
        {"", "not valid JSON", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = {""};
        Signatures *s = signatures_new();
        assert_false(signatures_add(s, "t.json", str_of(rows[i].json), &err));
        if (!strstr(err.text, rows[i].want)) fail_msg("row %zu: %s", i, err.text);
        assert_int_equal(signatures_count(s), rows[i].count);
        assert_string_equal(id_of(s, "nothing failed"), rows[i].count ? "A" : "-");
        signatures_free(s);
    }
}

static void lint_finds(void **state) {
    (void)state;
    static const char *const bad[] = {
        SET(ENTRY("A", "\"failed\"", "(failed", "")),                            /* pattern */
        SET(ENTRY("A", "\"fai\"", "failed", "")),                                /* short literal */
        SET(ENTRY("A", "\"Failed\"", "failed", "")),                             /* literal not in the sample */
        SET(ENTRY("A", "\"failed\"", "failed badly!", "")),                      /* sample does not match */
        SET(ENTRY("A", "\"failed\"", "failed", ",\"rejects\":[\"it failed\"]")), /* reject matches */
        SET(ENTRY("A", "\"failed\"", "failed", ",\"subject\":\"disk\"")),        /* no such capture */
        SET(ENTRY("A", "\"failed\"", "failed", "") "," ENTRY("B", "\"failed\"", "failed", "")), /* B never wins */
        SET("{\"id\":\"A\",\"name\":\"t\",\"severity\":\"awful\",\"literal\":\"failed\",\"pattern\":\"failed\","
            "\"event\":\"test\","
            "\"subject_kind\":\"disk\",\"meaning\":\"m\",\"source\":\"s\",\"matches\":[\"failed\"]}"),
        SET("{\"id\":\"A\",\"name\":\"t\",\"severity\":\"low\",\"literal\":\"failed\",\"pattern\":\"failed\",\"event\":"
            "\"Test Me\","
            "\"subject_kind\":\"drive\",\"meaning\":\"m\",\"source\":\"s\",\"matches\":[\"failed\"]}"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Signatures *s = set_of(bad[i]);
        if (signatures_lint(s, NULL, NULL) == 0) fail_msg("lint accepts %s", bad[i]);
        signatures_free(s);
    }
    Signatures *s = set_of(SET(ENTRY("A", "\"failed\"", "disk (?<disk>d\\\\d) failed", ",\"subject\":\"disk\"")));
    assert_int_equal(signatures_lint(s, print_problem, NULL), 0);
    signatures_free(s);
}

static void captures_become_json(void **state) {
    (void)state;
    Signatures *s = set_of(SET(ENTRY("A", "\"disk \"", "disk (?<disk>\\\\S+)(?: at (?<port>\\\\d+))? says (?<words>.*)",
                                     ",\"subject\":\"disk\"")));
    SigMatch m;
    char buf[256], small[64];
    assert_true(signatures_match(s, STR("disk sda says \"no\\\t\x01 \xc3\xa4"), &m));
    assert_true(str_is(m.subject, "sda"));
    assert_int_equal(m.capture_count, 2);
    assert_null(sig_capture(&m, "port").p);
    assert_true(str_is(sig_capture(&m, "disk"), "sda"));
    assert_string_equal(sig_fields_json(&m, buf, sizeof buf).p,
                        "{\"disk\":\"sda\",\"words\":\"\\\"no\\\\\\u0009\\u0001 \xc3\xa4\"}");

    /* bytes that are no UTF-8: whatever matches comes out as valid UTF-8 */
    if (signatures_match(s, STR("disk sdb says \xff\xfe"), &m)) {
        Str json = sig_fields_json(&m, buf, sizeof buf);
        assert_false(str_has(json, "\xff"));
    }
    /* too little room: members are left out, the JSON stays whole */
    assert_true(signatures_match(
        s, STR("disk sda at 12 says aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        &m));
    assert_string_equal(sig_fields_json(&m, small, sizeof small).p, "{\"disk\":\"sda\",\"port\":\"12\"}");
    signatures_free(s);
}

static void hostile_lines_end(void **state) {
    (void)state;
    /* exponential for a backtracking matcher; the limit ends it and it is counted */
    Signatures *s = set_of(SET(ENTRY("A", "\"aaaa\"", "^(?:a|aa|aaa)*[!?]$", "")));
    size_t len = 100000;
    char *line = malloc(len);
    assert_non_null(line);
    memset(line, 'a', len);
    SigMatch m;
    assert_false(signatures_match(s, (Str){line, len}, &m));
    assert_true(signatures_given_up(s) > 0);
    /* bytes of all values, NULs too */
    for (size_t i = 0; i < len; i++) line[i] = (char)(i * 2654435761u >> 13);
    memcpy(line + 100, "aaaa!x", 6);
    signatures_match(s, (Str){line, len}, &m);
    const Signatures *all = signatures_builtin(NULL);
    for (size_t i = 0; i + 300 < len; i += 997) signatures_match(all, (Str){line + i, 300}, &m);
    free(line);
    signatures_free(s);
}

/* Garbage that holds literals: what the automaton finds must be what trying every pattern finds. */
static void prefilter_loses_nothing(void **state) {
    (void)state;
    Signatures *with = set_of(SET(ENTRY("A", "\"abca\"", "abca", "") "," ENTRY("B", "\"bcab\"", "bcab", "") "," ENTRY(
        "C", "\"aabb\"", "aabb", "")));
    Signatures *without =
        set_of(SET(ENTRY("A", "[]", "abca", "") "," ENTRY("B", "[]", "bcab", "") "," ENTRY("C", "[]", "aabb", "")));
    uint32_t seed = 12345;
    for (int round = 0; round < 20000; round++) {
        char line[24];
        for (size_t i = 0; i < sizeof line; i++) {
            seed = seed * 1664525u + 1013904223u;
            line[i] = "abc"[(seed >> 24) % 3];
        }
        SigMatch m;
        Str s = {line, 4 + (seed >> 8) % 20};
        const char *a = signatures_match(with, s, &m) ? m.sig->id : "-";
        const char *b = signatures_match(without, s, &m) ? m.sig->id : "-";
        assert_string_equal(a, b);
    }
    signatures_free(with);
    signatures_free(without);
}

static void a_directory_adds_and_replaces(void **state) {
    (void)state;
    char dir[] = "/tmp/stordx-signatures-XXXXXX", file[64];
    assert_non_null(mkdtemp(dir));
    snprintf(file, sizeof file, "%s/own.json", dir);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(SET(ENTRY("own-disk", "\"failed badly\"", "disk (?<disk>\\\\w+) failed badly", "")), f);
    fclose(f);
    Error err = {""};
    assert_true(signatures_builtin_add_dir(dir, &err));
    assert_string_equal(id_of(signatures_builtin(NULL), "disk d1 failed badly"), "own-disk");
    assert_string_equal(id_of(signatures_builtin(NULL), "ata4: limiting SATA link speed to 1.5 Gbps"), "ATA005");
    unlink(file);
    rmdir(dir);
    assert_false(signatures_builtin_add_dir(dir, &err));
    assert_non_null(strstr(err.text, "cannot be opened"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtin_signatures_pass_lint),
        cmocka_unit_test(builtin_lines),
        cmocka_unit_test(order_then_id_decides),
        cmocka_unit_test(literals_share_prefixes_and_suffixes),
        cmocka_unit_test(what_cannot_be_used_is_left_out_and_said),
        cmocka_unit_test(lint_finds),
        cmocka_unit_test(captures_become_json),
        cmocka_unit_test(hostile_lines_end),
        cmocka_unit_test(prefilter_loses_nothing),
        cmocka_unit_test(a_directory_adds_and_replaces),
    };
    return cmocka_run_group_tests_name("signatures", tests, NULL, NULL);
}
