/* The expression of `needs:`: what it accepts, when it holds, and what it says is missing. */
#include "diagnose/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
/* cmocka.h wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Arena *arena;
static Facts *facts;

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(facts_db(facts), text, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", text, message);
}

static int setup(void **state) {
    (void)state;
    Error err = {""};
    arena = arena_new(256u << 20);
    facts = facts_new(arena, &err);
    assert_non_null(facts);
    facts_flush(facts);
    sql("INSERT INTO node(id, kind, key, label) VALUES (1, 'drive', 'drive:a', 'sda'), (2, 'drive', 'drive:b', 'sdb'), "
        "(3, 'controller', 'controller:x', 'x'),"
        " (4, 'pool', 'pool:tank', 'tank'), (5, 'filesystem', 'fs:/', '/');"
        "INSERT INTO source(id, bundle, capture, member, tool, status) VALUES (1, 1, 1, 'a', 'hdparm', 'parsed'), (2, "
        "1, 1, 'b', 'smartctl', 'partial'),"
        " (3, 1, 1, 'c', 'lspci', 'failed'), (4, 1, 1, 'd', 'iostat', 'empty'), (5, 1, 2, 'e', 'dmi', 'parsed'), (6, "
        "1, 1, 'f', 'lsblk', 'parsed');"
        "INSERT INTO setting(node, capture, boot, key, value, view, src, line) VALUES (1, 1, 0, 'write_cache', 'off', "
        "'drive', 1, 3), (2, 2, 0, 'ncq_depth', '32', 'kernel', 5, 1);"
        "INSERT INTO counter(node, capture, name, value, src, line) VALUES (2, 1, 'media_errors', 0, 2, 9);"
        "INSERT INTO distribution(node, capture, tool, metric, n, src, line) VALUES (1, 1, 'iostat', 'w_await_ms', 5, "
        "4, 1);"
        "INSERT INTO model_fact(node, capture, fact, value) VALUES (1, 1, 'plp', 'no');"
        "INSERT INTO pressure(capture, resource, kind) VALUES (1, 'io', 'some');"
        "INSERT INTO log_event(node, capture, sig, event) VALUES (1, 1, 'X', 'link-reset');"
        "INSERT INTO log_window(capture, boot, lines) VALUES (1, 0, 10);"
        "INSERT INTO pool(node, capture, name) VALUES (4, 1, 'tank');"
        "INSERT INTO ref(src, kind, name, node) VALUES (6, 'disk', 'sdb', 2), (1, 'disk', 'sda', 1), (2, 'disk', "
        "'sdb', 2), (3, 'pci', 'x', 3), (5, 'disk', 'sda', 1)");
    return 0;
}
static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

/* "met", "missing: a b" or "error: ...". */
static const char *ask(const char *needs, int64_t node) {
    Unmet missing = {0};
    Error err = {""};
    bool met = needs_met(facts, arena, str_of(needs), 1, node, &missing, &err);
    Error err2 = {""};
    assert_int_equal(met, needs_met(facts, arena, str_of(needs), 1, node, NULL, &err2)); /* the list is optional */
    if (err.text[0]) {
        assert_false(met);
        return arena_fmt(arena, "error: %s", err.text);
    }
    StrBuf out;
    sb_init(&out, arena);
    sb_addz(&out, met ? "met" : "missing:");
    for (size_t i = 0; i < missing.missing.count; i++) sb_addf(&out, " %.*s", STR_ARG(missing.missing.items[i]));
    return sb_str(&out).p;
}

static void columns(void **state) {
    (void)state;
    sql("INSERT INTO vdev(node, capture, pool, is_leaf, trim_state) VALUES (1, 1, 4, 1, 'untrimmed'), (2, 1, 4, 1, "
        "NULL)");
    assert_string_equal(ask("pool@pool", 4), "met");
    assert_string_equal(ask("pool.capacity_pct@pool", 4), "missing: zpool-get"); /* a pool, and nothing of its space */
    assert_string_equal(ask("vdev.trim_state@pool", 4), "met");
    assert_string_equal(ask("vdev.trim_state@drive", 1), "met");
    assert_string_equal(ask("vdev.trim_state@drive", 2), "missing: zpool-status");
    assert_string_equal(ask("counter.reallocated or setting.smart_sense", 0),
                        "missing: smartctl"); /* one output, one word */
    assert_string_equal(ask("vdev.trim_state", 2), "met");
    assert_string_equal(ask("vdev.no_such_column", 2), "error: needs: no facts \"vdev\"");
}

static void tools(void **state) {
    (void)state;
    assert_string_equal(ask("", 0), "met");
    assert_string_equal(ask("hdparm", 0), "met");
    assert_string_equal(ask("smartctl", 0), "met");           /* partial is something */
    assert_string_equal(ask("lspci", 0), "missing: lspci");   /* failed */
    assert_string_equal(ask("iostat", 0), "missing: iostat"); /* had nothing to say */
    assert_string_equal(ask("dmi", 0), "missing: dmi");       /* of another capture */
    assert_string_equal(ask("zpool-status", 0), "missing: zpool-status");
}

static void operators(void **state) {
    (void)state;
    assert_string_equal(ask("hdparm and smartctl", 0), "met");
    assert_string_equal(ask("hdparm and lspci", 0), "missing: lspci");
    assert_string_equal(ask("lspci or hdparm", 0), "met");
    assert_string_equal(ask("hdparm or lspci", 0), "met");
    assert_string_equal(ask("lspci or dmi", 0), "missing: lspci dmi");
    /* "and" binds closer */
    assert_string_equal(ask("hdparm or lspci and dmi", 0), "met");
    assert_string_equal(ask("(hdparm or lspci) and dmi", 0), "missing: dmi");
    assert_string_equal(ask("lspci and hdparm or smartctl and dmi", 0), "missing: lspci dmi");
    assert_string_equal(ask("((hdparm))", 0), "met");
    assert_string_equal(ask("(hdparm or(lspci))and(smartctl)", 0), "met");
    /* what is missing is named once, and not what another alternative made good */
    assert_string_equal(ask("lspci and (dmi or lspci)", 0), "missing: lspci dmi");
    assert_string_equal(ask("(lspci or hdparm) and dmi and (iostat or smartctl)", 0), "missing: dmi");
    assert_string_equal(ask("  hdparm\tand   smartctl ", 0), "met");
}

static void facts_of_the_capture(void **state) {
    (void)state;
    assert_string_equal(ask("setting.write_cache", 0), "met");
    assert_string_equal(ask("setting.ncq_depth", 0), "missing: ncq_depth");
    assert_string_equal(ask("counter.media_errors", 0), "met");
    assert_string_equal(ask("distribution.w_await_ms", 0), "met");
    assert_string_equal(ask("distribution.r_await_ms", 0), "missing: iostat");
    assert_string_equal(ask("model_fact.plp", 0), "met");
    assert_string_equal(ask("pressure.io and pressure.memory", 0), "missing: pressure");
    assert_string_equal(ask("log_event.link-reset", 0), "met");
    assert_string_equal(ask("log_window", 0), "met");
    assert_string_equal(ask("pool", 0), "met");
    assert_string_equal(ask("raid_array or vdev", 0), "missing: mdstat zpool-status");
    assert_string_equal(ask("peer", 0), "missing: iostat");
}

static void facts_of_the_subject(void **state) {
    (void)state;
    assert_string_equal(ask("setting.write_cache@drive", 1), "met");
    assert_string_equal(ask("setting.write_cache@drive", 2), "missing: write_cache");
    assert_string_equal(ask("setting.write_cache", 2), "met"); /* at all */
    assert_string_equal(ask("counter.media_errors@drive", 2), "met");
    sql("INSERT INTO mount(node, capture, mountpoint) VALUES (5, 1, '/')");
    assert_string_equal(ask("mount@filesystem", 5), "met");
    assert_string_equal(ask("mount.used_pct@filesystem", 5), "missing: df");
    sql("DELETE FROM mount");
    assert_string_equal(ask("write_run@drive", 1), "missing: iostat during a long write");
    assert_string_equal(ask("counter.media_errors@drive", 1), "missing: nvme-cli");
    assert_string_equal(ask("distribution.w_await_ms@drive and model_fact.plp@drive", 1), "met");
    assert_string_equal(ask("distribution.w_await_ms@drive or model_fact.plp@drive", 2), "missing: iostat model data");
    assert_string_equal(ask("log_event.link-reset@drive", 2), "missing: kernel-log");
    assert_string_equal(ask("pool@pool", 4), "met");
    assert_string_equal(ask("hdparm@drive", 1), "met");
    assert_string_equal(ask("hdparm@drive", 2), "missing: hdparm");
    assert_string_equal(ask("dmi@drive", 1), "missing: dmi");          /* of another capture */
    assert_string_equal(ask("lspci@controller", 3), "missing: lspci"); /* failed */
    assert_string_equal(ask("smartctl@drive", 2), "met");
    assert_string_equal(ask("lsblk@drive", 2), "met"); /* named it, at least */
    assert_string_equal(ask("lsblk@drive", 1), "missing: lsblk");
    assert_string_equal(ask("hdparm@ctl", 3), "missing: hdparm"); /* short for controller */
    assert_string_equal(ask("mount@fs", 5), "missing: mounts");
    /* of another kind than the subject, or without one: at all */
    assert_string_equal(ask("hdparm@controller", 2), "met");
    assert_string_equal(ask("hdparm@drive", 0), "met");
    assert_string_equal(ask("setting.write_cache@drive", 4711), "met");
}

static void mistakes(void **state) {
    (void)state;
    static const char *const wrong[] = {"(hdparm",
                                        "hdparm)",
                                        "hdparm and",
                                        "and hdparm",
                                        "hdparm or or smartctl",
                                        "()",
                                        "hdparm smartctl",
                                        "hdparm (lspci)",
                                        "smartclt",
                                        "settings.key",
                                        "nothing.more",
                                        "line_text",
                                        "(hdparm and",
                                        "or",
                                        "not hdparm",
                                        "hdparm, dmi",
                                        ")",
                                        "hdparm and (lspci or )"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strncmp(ask(wrong[i], 0), "error: needs: ", 14) != 0) fail_msg("\"%s\": %s", wrong[i], ask(wrong[i], 0));
    assert_string_equal(ask("(hdparm", 0), "error: needs: a bracket is not closed");
    assert_string_equal(ask("hdparm and", 0), "error: needs: a term is missing");
    assert_string_equal(ask("hdparm smartctl", 0), "error: needs: \"smartctl\" does not belong here");
    assert_string_equal(ask("smartclt", 0), "error: needs: neither a tool nor a table: \"smartclt\"");
    char *deep = arena_alloc(arena, 200001);
    memset(deep, '(', 200000);
    assert_string_equal(ask(deep, 0), "error: needs: brackets are nested too deeply");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns, setup, teardown),
        cmocka_unit_test_setup_teardown(tools, setup, teardown),
        cmocka_unit_test_setup_teardown(operators, setup, teardown),
        cmocka_unit_test_setup_teardown(facts_of_the_capture, setup, teardown),
        cmocka_unit_test_setup_teardown(facts_of_the_subject, setup, teardown),
        cmocka_unit_test_setup_teardown(mistakes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
