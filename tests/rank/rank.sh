#!/bin/sh
# How often is the right part named first? The program beside the one that is tested says it (rank.c); here its own answers
# to broken descriptions are looked at first. It ends with "N passed, N failed, N skipped".
#
# STORDX, VARIANT: as tests/run-tests.sh sets them. The sanitizer variant is slow and reads a part.
set -u

programs=$(dirname "$STORDX")
[ "$VARIANT" != plain ] || programs=$programs/plain
rank=$programs/tests/rank/rank

work=$(mktemp -d "${TMPDIR:-/tmp}/rank.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0

# refuses WORDS <DESCRIPTION: a description that is not right ends in words and a failure, never in a case that passes
refuses() {
    rm -rf "$work/cases"
    mkdir "$work/cases"
    cat >"$work/cases/broken.case"
    "$rank" --fixtures "$work/none" --cases "$work/cases" >"$work/out" 2>&1
    if [ $? -eq 1 ] && grep -q -F -e "$1" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "a broken description was not refused with \"$1\":"
        cat "$work/out"
    fi
}
mkdir "$work/none"

refuses 'has no "source:"' <<'END'
case: a
about: b
base: -
expect: stage=- top=none
new a.txt
+ b
END
refuses 'begins with "case: NAME"' <<'END'
about: b
END
refuses 'stands at' <<'END'
case: a
about: b
source: c
base: -
expect: stage=- top=none
new a.txt
+ b
case: a
about: b
source: c
base: -
expect: stage=- top=none
new a.txt
+ b
END
for edit in '- nothing like it' '> nothing like it' '~ nothing => like it' '= sda w_await=3' 'drop *.log' 'new a.txt' 'x'; do
    refuses 'line 7: ' <<END
case: a
about: b
source: c
base: -
expect: stage=- top=none
new a.txt
$edit
+ c
END
done
# A label that does not hold is a failure.
refuses 'does not name first failing-disk' <<'END'
case: a
about: b
source: c
base: -
expect: stage=- top=failing-disk
new a.txt
+ sd 0:0:0:0: [sda] 4096-byte physical blocks
END

# The whole, and a sample of the runs without one output.
case $VARIANT in
plain) parts='0/1' without='3/16' ;;
*) parts='5/16' without= ;;
esac
for part in "--part $parts" ${without:+"--without --part $without"}; do
    # shellcheck disable=SC2086 # several words
    "$rank" $part >"$work/out" 2>&1
    status=$?
    last=$(tail -n 1 "$work/out")
    case $last in
    [0-9]*' passed, '[0-9]*' failed, '*) ;;
    *)
        echo "rank $part ended with status $status"
        failed=$((failed + 1))
        ;;
    esac
    sed '$d' "$work/out"
    # What docs/accuracy.md publishes is of these uploads.
    if [ "$part" = '--part 0/1' ]; then
        if grep -E '^\| (faults|first|healthy|suspects|symptoms|[0-9])' "$work/out" | grep -v -F -x -f docs/accuracy.md; then
            echo "docs/accuracy.md says something else: make rank"
            failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    fi
    passed=$((passed + $(expr "$last" : '\([0-9]*\) passed' || :) + 0))
    failed=$((failed + $(expr "$last" : '.*, \([0-9]*\) failed' || :) + 0))
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
