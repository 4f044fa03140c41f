/*
 * Lines out of bytes: marks, UTF-16, line ends, long lines, reads of any size, the look ahead.
 */
#include "../../analyze/parse/input.h"
#include "frame_test.h"

#include <stdlib.h>

static const size_t steps[] = {1, 2, 3, 5, 7, 64, 4096, SIZE_MAX};
enum { STEPS = sizeof steps / sizeof *steps };

/* Reads text in steps of every size and holds the lines against `want`, one string per line. peek: look at each line first. */
static void expect_lines(Str text, const char *const *want, size_t count) {
    for (size_t k = 0; k < STEPS; k++)
        for (int peek = 0; peek < 2; peek++) {
            StepSource s;
            step_source(&s, text, steps[k]);
            LineReader r;
            reader_open(&r, &s.src);
            Str line;
            for (size_t i = 0; i < count; i++) {
                if (peek) {
                    assert_true(reader_peek_line(&r, 0, &line));
                    assert_int_equal(line.len, strlen(want[i]));
                    assert_memory_equal(line.p, want[i], line.len);
                    assert_int_equal(r.line, i);
                }
                assert_true(reader_line(&r, &line));
                assert_int_equal(line.len, strlen(want[i]));
                assert_memory_equal(line.p, want[i], line.len);
                assert_int_equal(r.line, i + 1);
                assert_false(r.cut);
            }
            assert_false(peek && reader_peek_line(&r, 0, &line));
            assert_false(reader_line(&r, &line));
            assert_false(reader_line(&r, &line));
            assert_int_equal(r.bytes, text.len);
            assert_string_equal(r.err.text, "");
            reader_close(&r);
        }
}
#define LINES(text, ...)                                                                                               \
    do {                                                                                                               \
        static const char *const want[] = {__VA_ARGS__};                                                               \
        expect_lines((Str){text, sizeof(text) - 1}, want, sizeof want / sizeof *want);                                 \
    } while (0)

static void line_ends(void **state) {
    (void)state;
    expect_lines(STR(""), NULL, 0);
    LINES("one\ntwo\n", "one", "two");
    LINES("one\ntwo", "one", "two");
    LINES("one\r\ntwo\r\n", "one", "two");
    LINES("one\r\ntwo\r", "one", "two");
    LINES("a\rb\nc\n", "a\rb", "c"); /* a progress bar is one line */
    LINES("\n\n\n", "", "", "");
    LINES("\r\n\r\n", "", "");
    LINES("x", "x");
    LINES("\r", "");
}

static void marks(void **state) {
    (void)state;
    LINES("\xEF\xBB\xBFone\ntwo\n", "one", "two");
    LINES("\xEF\xBB\xBF\n", "");
    expect_lines(STR("\xEF\xBB\xBF"), NULL, 0);
    LINES("\xEF\xBBone\n", "\xEF\xBBone"); /* not a whole mark */
    LINES("one\xEF\xBB\xBFtwo\n", "one\xEF\xBB\xBFtwo");
    LINES("ab", "ab"); /* shorter than a mark */
}

/* "aä€😀" CR LF "b" in both byte orders. */
static void utf16(void **state) {
    (void)state;
    LINES("\xFF\xFE"
          "a\0\xE4\0\xAC\x20\x3D\xD8\x00\xDE\r\0\n\0b\0",
          "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "b");
    LINES("\xFE\xFF"
          "\0a\0\xE4\x20\xAC\xD8\x3D\xDE\x00\0\r\0\n\0b",
          "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "b");
    /* A high surrogate alone, a low one alone, two high ones. */
    LINES("\xFF\xFE"
          "\x3D\xD8x\0\x00\xDEy\0\x3D\xD8\x3D\xD8\x00\xDE\n\0",
          "\xEF\xBF\xBDx\xEF\xBF\xBDy\xEF\xBF\xBD\xF0\x9F\x98\x80");
    expect_lines(STR("\xFF\xFE"), NULL, 0);
    expect_lines((Str){"\xFF\xFE\n", 3}, NULL, 0); /* half a unit */
    LINES("\xFF\xFE"
          "\n\0\n\0",
          "", "");
}

static void nuls(void **state) {
    (void)state;
    static const char text[] = "a\0b\n\0\nc\n";
    for (size_t k = 0; k < STEPS; k++) {
        StepSource s;
        step_source(&s, (Str){text, sizeof text - 1}, steps[k]);
        LineReader r;
        reader_open(&r, &s.src);
        Str line;
        assert_true(reader_line(&r, &line));
        assert_int_equal(line.len, 3);
        assert_memory_equal(line.p, "a\0b", 3);
        assert_true(reader_line(&r, &line));
        assert_int_equal(line.len, 1);
        assert_true(reader_line(&r, &line));
        assert_int_equal(line.len, 1);
        assert_false(reader_line(&r, &line));
        reader_close(&r);
    }
}

/* A line of n bytes between two short ones. */
static void long_line(size_t n, size_t step, bool last) {
    size_t len = 6 + n + (last ? 0 : 7);
    char *text = malloc(len);
    assert_non_null(text);
    memcpy(text, "first\n", 6);
    for (size_t i = 0; i < n; i++) text[6 + i] = (char)('a' + i % 26);
    if (!last) memcpy(text + 6 + n, "\nthird\n", 7);
    StepSource s;
    step_source(&s, (Str){text, len}, step);
    LineReader r;
    reader_open(&r, &s.src);
    Str line;
    assert_true(reader_line(&r, &line));
    assert_true(str_is(line, "first"));
    assert_true(reader_peek_line(&r, 0, &line));
    assert_memory_equal(line.p, text + 6, line.len);
    assert_true(reader_line(&r, &line));
    size_t want = n > INPUT_MAX_LINE ? INPUT_MAX_LINE : n;
    assert_int_equal(r.line, 2);
    assert_int_equal(r.cut, n > INPUT_MAX_LINE);
    assert_int_equal(line.len, want);
    assert_memory_equal(line.p, text + 6, want);
    if (!last) {
        assert_true(reader_line(&r, &line));
        assert_true(str_is(line, "third"));
        assert_int_equal(r.line, 3);
        assert_false(r.cut);
    }
    assert_false(reader_line(&r, &line));
    assert_int_equal(r.bytes, len);
    assert_true(r.cap < 8 * (size_t)INPUT_MAX_LINE); /* whatever the line's length */
    reader_close(&r);
    free(text);
}

static void long_lines(void **state) {
    (void)state;
    static const size_t lengths[] = {
        64 * 1024 - 1,           64 * 1024,      64 * 1024 + 1,      128 * 1024,
        INPUT_MAX_LINE - 1,      INPUT_MAX_LINE, INPUT_MAX_LINE + 1, INPUT_MAX_LINE + 100000,
        (size_t)20 * 1024 * 1024};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int last = 0; last < 2; last++) {
            long_line(lengths[i], SIZE_MAX, last);
            long_line(lengths[i], 4093, last);
        }
}

static void look_ahead(void **state) {
    (void)state;
    for (size_t k = 0; k < STEPS; k++) {
        StepSource s;
        step_source(&s, STR("one\r\n\nthree\nfour"), steps[k]);
        LineReader r;
        reader_open(&r, &s.src);
        Str line;
        assert_true(reader_peek_line(&r, 2, &line));
        assert_true(str_is(line, "three"));
        assert_true(reader_peek_line(&r, 3, &line));
        assert_true(str_is(line, "four"));
        assert_false(reader_peek_line(&r, 4, &line));
        assert_true(reader_peek_line(&r, 0, &line));
        assert_true(str_is(line, "one"));
        Str all = reader_peek(&r, 100);
        assert_int_equal(all.len, 16);
        assert_int_equal(reader_peek(&r, 3).len, 3);
        assert_int_equal(r.line, 0);
        assert_true(reader_line(&r, &line));
        assert_true(str_is(line, "one"));
        assert_true(reader_peek_line(&r, 1, &line));
        assert_true(str_is(line, "three"));
        reader_close(&r);
    }
}

/* An error ends the lines, is kept, and takes nothing away of what came before. */
static void errors(void **state) {
    (void)state;
    for (size_t k = 0; k < STEPS; k++) {
        StepSource s;
        step_source(&s, STR("one\ntwo\nthree\n"), steps[k]);
        s.fail_after = 9;
        LineReader r;
        reader_open(&r, &s.src);
        Str line;
        assert_true(reader_line(&r, &line) && reader_line(&r, &line));
        assert_true(str_is(line, "two"));
        assert_true(reader_line(&r, &line));
        assert_true(str_is(line, "t"));
        assert_false(reader_line(&r, &line));
        assert_string_equal(r.err.text, "made to fail");
        reader_close(&r);
    }
    /* in the middle of a mark */
    StepSource s;
    step_source(&s,
                STR("\xFF\xFE"
                    "a\0"),
                1);
    s.fail_after = 1;
    LineReader r;
    reader_open(&r, &s.src);
    Str line;
    assert_true(reader_line(&r, &line));
    assert_int_equal(line.len, 1);
    assert_string_equal(r.err.text, "made to fail");
    reader_close(&r);
}

static void head_first(void **state) {
    (void)state;
    for (size_t k = 0; k < STEPS; k++) {
        StepSource s;
        step_source(&s, STR("lf\nrest\n"), steps[k]);
        HeadSource h;
        head_source(&h, STR("ha"), &s.src);
        LineReader r;
        reader_open(&r, &h.src);
        Str line;
        assert_true(reader_line(&r, &line));
        assert_true(str_is(line, "half"));
        assert_true(reader_line(&r, &line));
        assert_true(str_is(line, "rest"));
        assert_false(reader_line(&r, &line));
        reader_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends), cmocka_unit_test(marks),      cmocka_unit_test(utf16),
        cmocka_unit_test(nuls),      cmocka_unit_test(long_lines), cmocka_unit_test(look_ahead),
        cmocka_unit_test(errors),    cmocka_unit_test(head_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
