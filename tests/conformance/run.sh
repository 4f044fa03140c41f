#!/bin/sh
# The conformance run: every file of the corpus of real tool outputs is read, compared with what was expected of it, and
# glued to others (table.c and pairs.c say how). It ends with "N passed, N failed, N skipped"; a file is a test, a pair too.
#
# STORDX, VARIANT: as tests/run-tests.sh sets them; the programs lie beside the one that is tested.
# STORDX_CORPUS:   the corpus (../shared/corpus). Without it the whole run is skipped.
# CONFORMANCE:     full: every pair of files, not two for each pair of folders. Sanitizers are
#                  slow: their variant reads a part.
set -u

home=$(dirname "$0")
corpus=${STORDX_CORPUS:-../shared/corpus}
if [ ! -r "$corpus/INDEX.tsv" ]; then
    echo "skipped: no corpus of tool outputs at $corpus (STORDX_CORPUS)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

programs=$(dirname "$STORDX")
[ "$VARIANT" != plain ] || programs=$programs/plain
programs=$programs/tests/conformance

out=$(mktemp -d "${TMPDIR:-/tmp}/conformance.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM

bad=0
# part NAME PROGRAM ARGUMENTS: runs it and keeps what it counted
part() {
    name=$1
    shift
    "$@" >"$out/$name" 2>"$out/$name.err"
    status=$?
    cat "$out/$name.err"
    # The counts of a part must not be taken for those of the whole.
    sed -E 's/^([0-9]+ passed, [0-9]+ failed, [0-9]+ skipped)$/  \1/' "$out/$name"
    if [ "$status" -gt 1 ] || ! grep -q -E '^[0-9]+ passed, ' "$out/$name"; then
        echo "$name ended with status $status"
        bad=$((bad + 1))
    fi
}

if [ "$VARIANT" = plain ]; then
    part table "$programs/table" "$home"
    if [ "${CONFORMANCE:-}" = full ]; then
        part pairs "$programs/pairs" "$home" --all
    else
        part pairs "$programs/pairs" "$home" --each 2
    fi
else
    part table "$programs/table" "$home" --some 5
    part pairs "$programs/pairs" "$home" --each 2 --part 3/11
fi

cat "$out/table" "$out/pairs" | awk -v bad="$bad" '
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5 }
    END {
        failed += bad
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0
    }'
