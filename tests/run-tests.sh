#!/bin/sh
# Run test programs and scripts, show what failed, and end with one line: "N passed, N failed" (", N skipped").
#
#   run-tests.sh [--jobs N] [--variant NAME STORDX PROGRAM...]... [--skip WHAT]
#
# --variant: the programs after it test this build; scripts find the program in $STORDX and the name in $VARIANT.
# --skip:    a thing that could not be run here; it counts as one skipped.
# PROGRAM:   NAME.sh is a POSIX script that ends with "N passed, N failed" or "N passed, N failed, N skipped"; anything
#            else is a cmocka program. Neither may count nothing, leave out its last line, or exit with an error that
#            its counts do not show: each of these is one failure.
#
# Exit: 0 all passed, 1 something failed or nothing ran, 2 usage.
# TEST_TIMEOUT: seconds after which one program is ended and has failed (300).
# LEAK_PROBE:   a program of the sanitizer variant; leaks count where it can be run with leak detection.
set -u

usage() {
    echo "usage: run-tests.sh [--jobs N] [--variant NAME STORDX PROGRAM...]... [--skip WHAT]" >&2
    exit 2
}

# ---- one program; started by the xargs below, so that two can run at a time

# counts FILE: what a log counts, as "PASSED FAILED SKIPPED FOUND"; FOUND is 0 where it counts nothing at all.
# cmocka closes each group with "N test(s) run.", "N test(s)." passed and, if any, "N test(s), listed below" skipped;
# what ran and did neither has failed, be it by an assertion or in its setup. Its lines may follow other text.
counts() {
    awk '
        function number_before(what,    head) {
            head = substr($0, 1, index($0, what) - 1)
            sub(/.*[^0-9]/, "", head)
            return head + 0
        }
        /\[==========\].* test\(s\) run\./ { ran += number_before(" test(s) run."); groups++ }
        /\[  PASSED  \] [0-9]+ test\(s\)\./ {
            line = $0; sub(/.*\[  PASSED  \] /, "", line); passed += line + 0
        }
        /\[  SKIPPED \] [0-9]+ test\(s\)/ {
            line = $0; sub(/.*\[  SKIPPED \] /, "", line); skipped += line + 0
        }
        /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
            script = 1; script_passed = $1 + 0; script_failed = $3 + 0; script_skipped = $5 + 0
        }
        END {
            if (groups > 0) print passed + 0, ran - passed - skipped, skipped + 0, 1
            else if (script) print script_passed, script_failed, script_skipped, 1
            else print 0, 0, 0, 0
        }' "$1"
}

run_one() {
    out=$1 number=$2 VARIANT=$3 STORDX=$4 program=$5
    log=$out/$number.log
    export VARIANT STORDX
    limit=
    if command -v timeout >/dev/null 2>&1; then
        limit="timeout ${TEST_TIMEOUT:-300}"
    fi
    began=$(date +%s)
    # shellcheck disable=SC2086 # two words or none
    case $program in
    *.sh) $limit sh "$program" >"$log" 2>&1 </dev/null ;;
    */*) $limit "$program" >"$log" 2>&1 </dev/null ;;
    *) $limit "./$program" >"$log" 2>&1 </dev/null ;;
    esac
    status=$?
    took=$(($(date +%s) - began))
    # shellcheck disable=SC2046
    set -- $(counts "$log")
    passed=$1 failed=$2 skipped=$3 found=$4
    why=
    if [ "$status" -eq 124 ] && [ -n "$limit" ]; then
        failed=$((failed + 1)) why="ended after ${TEST_TIMEOUT:-300} s"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        failed=1 why="exit status $status though its counts show no failure"
    elif [ "$found" -eq 0 ] || [ $((passed + failed + skipped)) -eq 0 ]; then
        failed=1 why="it counted no test"
    elif [ "$status" -eq 0 ] && [ "$failed" -gt 0 ]; then
        why="exit status 0 though tests failed"
    fi
    echo "$passed $failed $skipped" >"$out/$number.count"
    word=ok
    if [ "$failed" -gt 0 ]; then
        word=FAILED
        echo "$VARIANT $program${why:+: $why}" >"$out/$number.failed"
    fi
    printf '%-6s %-6s %4d passed%s%s  %s  %d s\n' "$word" "$VARIANT" "$passed" \
        "$([ "$failed" -gt 0 ] && echo ", $failed failed")" "$([ "$skipped" -gt 0 ] && echo ", $skipped skipped")" \
        "$program" "$took"
}

if [ "${1:-}" = --one ]; then
    shift
    run_one "$@"
    exit 0
fi

# ---- all of them

# What a test reads must not change with the caller's language or time zone.
LC_ALL=C TZ=UTC
export LC_ALL TZ

out=$(mktemp -d "${TMPDIR:-/tmp}/run-tests.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM

jobs=2 number=0 variant='' stordx='' notes=''
: >"$out/plan"
while [ $# -gt 0 ]; do
    case $1 in
    --jobs)
        [ $# -ge 2 ] || usage
        jobs=$2
        shift 2
        ;;
    --variant)
        [ $# -ge 3 ] || usage
        variant=$2
        case $3 in
        /*) stordx=$3 ;;
        *) stordx=$PWD/$3 ;;
        esac
        shift 3
        ;;
    --skip)
        [ $# -ge 2 ] || usage
        notes="$notes
skipped: $2"
        number=$((number + 1))
        echo "0 0 1" >"$out/$number.count"
        shift 2
        ;;
    -*) usage ;;
    *)
        [ -n "$variant" ] || usage
        number=$((number + 1))
        # One word per line; xargs takes five of them for a call.
        printf '%s\n' "$out" "$number" "$variant" "$stordx" "$1" >>"$out/plan"
        shift
        ;;
    esac
done

# Undefined behaviour always ends a program. Leaks count too, where the leak detector runs at all (not under a tracer
# and not in every container), which only a try can tell.
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export UBSAN_OPTIONS
if [ -z "${ASAN_OPTIONS:-}" ]; then
    ASAN_OPTIONS=detect_leaks=0
    if [ -n "${LEAK_PROBE:-}" ] && ASAN_OPTIONS=detect_leaks=1 "$LEAK_PROBE" >/dev/null 2>&1; then
        ASAN_OPTIONS=detect_leaks=1
    fi
    export ASAN_OPTIONS
fi

parallel="-P $jobs"
# shellcheck disable=SC2086
xargs $parallel true </dev/null >/dev/null 2>&1 || parallel=
# xargs splits at blanks and quotes; no name of ours has any.
# shellcheck disable=SC2086
xargs -n 5 $parallel sh "$0" --one <"$out/plan"

for f in "$out"/*.failed; do
    [ -f "$f" ] || continue
    echo
    echo "---- FAILED: $(cat "$f")"
    # All of a short log; of a long one where it begins and where it ends, with every complaint between. Indented, so
    # that its own counts are not taken for the closing line.
    log=${f%.failed}.log
    if [ "$(wc -l <"$log")" -le 120 ]; then
        cat "$log"
    else
        head -n 20 "$log"
        echo "[...]"
        sed '1,20d' "$log" | grep -n -i -E 'fail|error|expected|not ok' | head -n 60
        echo "[...]"
        tail -n 40 "$log"
    fi | sed 's/^/    /'
done
[ -z "$notes" ] || echo "$notes"

# A program that never ran (xargs itself failed) must not look like success.
cat "$out"/*.count 2>/dev/null | awk -v planned="$number" '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        if (NR < planned) {
            print "---- FAILED: " planned - NR " of " planned " test programs were not run"
            failed += planned - NR
        }
        print ""
        printf "%d passed, %d failed", passed, failed
        if (skipped > 0) printf ", %d skipped", skipped
        print ""
        exit failed > 0 || passed == 0
    }'
