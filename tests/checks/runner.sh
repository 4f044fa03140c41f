#!/bin/sh
# tests/run-tests.sh itself: a run that went wrong in any way must not look like one that went well.
set -u
runner=$PWD/tests/run-tests.sh
T=$(mktemp -d "${TMPDIR:-/tmp}/runner.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
passed=0 failed=0

# program NAME TEXT: a test program that prints TEXT; program NAME TEXT STATUS: and exits with STATUS.
program() {
    { printf '#!/bin/sh\ncat <<"END"\n%s\nEND\nexit %s\n' "$2" "${3:-0}"; } >"$T/$1"
    chmod +x "$T/$1"
}

# expect WHAT STATUS LAST_LINE ARGUMENT...: what the runner must give for these arguments.
expect() {
    what=$1 want_status=$2 want_line=$3
    shift 3
    sh "$runner" "$@" >"$T/out" 2>&1
    status=$?
    line=$(tail -n 1 "$T/out")
    closing=$(grep -c '^[0-9]* passed, [0-9]* failed' "$T/out")
    if [ "$status" -eq "$want_status" ] && [ "$line" = "$want_line" ] && [ "$closing" -eq 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: status $status, not $want_status, or last line '$line', not '$want_line' ($closing such lines)"
        cat "$T/out"
    fi
}

program good.sh '3 passed, 0 failed'
program skips.sh 'skipped: no zfs
2 passed, 0 failed, 4 skipped'
program bad.sh 'FAILED: a thing
5 passed, 2 failed' 1
program liar.sh '5 passed, 2 failed'
program silent.sh 'all is well'
program none.sh '0 passed, 0 failed'
program dies.sh '5 passed, 0 failed' 139
program unit_good '[==========] Running 2 test(s).
[ RUN      ] a
[       OK ] a
[ RUN      ] b
[       OK ] b
[==========] 2 test(s) run.[  PASSED  ] 2 test(s).'
program unit_groups '[==========] first: Running 2 test(s).
[==========] first: 2 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] b

 1 SKIPPED TEST(S)
[==========] second: Running 3 test(s).
[==========] second: 3 test(s) run.
[  PASSED  ] 3 test(s).'
program unit_bad '[==========] Running 3 test(s).
[ RUN      ] a
[  FAILED  ] a
[==========] 3 test(s) run.
[  PASSED  ] 2 test(s).
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] a

 1 FAILED TEST(S)' 1
program unit_crash '[==========] Running 3 test(s).
[ RUN      ] a' 134

expect 'a script that passes' 0 '3 passed, 0 failed' --variant plain x "$T/good.sh"
expect 'skips are added up' 0 '5 passed, 0 failed, 4 skipped' --variant plain x "$T/good.sh" "$T/skips.sh"
expect 'a skipped part' 0 '3 passed, 0 failed, 1 skipped' --variant plain x "$T/good.sh" --skip sanitizers
expect 'a script that fails' 1 '8 passed, 2 failed' --variant plain x "$T/good.sh" "$T/bad.sh"
expect 'failures with exit status 0' 1 '5 passed, 2 failed' --variant plain x "$T/liar.sh"
expect 'a script without counts' 1 '3 passed, 1 failed' --variant plain x "$T/good.sh" "$T/silent.sh"
expect 'a script that counts nothing' 1 '0 passed, 1 failed' --variant plain x "$T/none.sh"
expect 'a script that dies after its counts' 1 '5 passed, 1 failed' --variant plain x "$T/dies.sh"
expect 'a program that does not exist' 1 '3 passed, 1 failed' --variant plain x "$T/good.sh" "$T/nosuch"
expect 'a cmocka program' 0 '2 passed, 0 failed' --variant plain x "$T/unit_good"
expect 'a cmocka program of two groups' 0 '4 passed, 0 failed, 1 skipped' --variant plain x "$T/unit_groups"
expect 'a cmocka program that fails' 1 '2 passed, 1 failed' --variant plain x "$T/unit_bad"
expect 'a cmocka program that crashes' 1 '2 passed, 1 failed' --variant plain x "$T/unit_good" "$T/unit_crash"
expect 'two variants' 0 '6 passed, 0 failed' --variant plain x "$T/good.sh" --variant san y "$T/good.sh"
expect 'one job at a time' 0 '9 passed, 0 failed' --jobs 1 --variant plain x "$T/good.sh" "$T/good.sh" "$T/good.sh"
expect 'nothing to run' 1 '0 passed, 0 failed'

cat >"$T/sees.sh" <<'EOF'
if [ "$STORDX" = /bin/x ] && [ "$VARIANT" = san ]; then echo '1 passed, 0 failed'; else echo '0 passed, 1 failed'; fi
EOF
expect 'what a script is told' 0 '1 passed, 0 failed' --variant san /bin/x "$T/sees.sh"

if command -v timeout >/dev/null 2>&1; then
    printf 'echo "7 passed, 0 failed"\nexec sleep 30\n' >"$T/hangs.sh"
    TEST_TIMEOUT=1
    export TEST_TIMEOUT
    expect 'a program that hangs' 1 '7 passed, 1 failed' --variant plain x "$T/hangs.sh"
fi

sh "$runner" --nonsense >/dev/null 2>&1
if [ $? -eq 2 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: bad usage is not exit status 2"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
