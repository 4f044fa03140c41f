#!/bin/sh
# The built-in rule pages: `stordx rules lint` finds nothing, and every case that a page carries comes out as it says.
# `rules test` ends with "N passed, N failed", which is passed on, with one more for lint.
set -u
: "${STORDX:?the program to test}"

out=$(mktemp -d "${TMPDIR:-/tmp}/rules.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
passed=0 failed=0

if "$STORDX" rules lint >"$out/lint" 2>&1; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: stordx rules lint"
    cat "$out/lint"
fi

# The sanitizers look for wrong memory, not for wrong answers, and are slow: every sixth page shows it to them.
ids=
[ "${VARIANT:-plain}" = plain ] || ids=$("$STORDX" rules list | awk 'NR % 6 == 1 { print $1 }')
# shellcheck disable=SC2086
"$STORDX" rules test $ids >"$out/test" 2>&1
status=$?
count=$(sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\1 \2/p' "$out/test" | tail -n 1)
if [ -z "$count" ]; then
    failed=$((failed + 1))
    echo "FAILED: stordx rules test (exit status $status) does not end with its counts"
    cat "$out/test"
else
    passed=$((passed + ${count% *}))
    failed=$((failed + ${count#* }))
    if [ "$status" -ne 0 ] || [ "${count#* }" -ne 0 ]; then
        grep -v ' passed, ' "$out/test"
    fi
    if [ "$status" -ne 0 ] && [ "${count#* }" -eq 0 ]; then
        failed=$((failed + 1))
        echo "FAILED: stordx rules test: exit status $status"
    fi
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
