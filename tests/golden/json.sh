#!/bin/sh
# The JSON reports of a few fixtures, byte for byte. UPDATE=1 rewrites them; read the diff before committing it.
set -u
passed=0 failed=0
data=tests/golden/json
out=$(mktemp -d "${TMPDIR:-/tmp}/golden-json.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

check() { # NAME COMMAND...
    name=$1
    shift
    "$STORDX" "$@" --format json --exit-zero >"$out/$name.json" 2>"$out/$name.err"
    if [ "${UPDATE:-}" = 1 ]; then
        mkdir -p "$data" && cp "$out/$name.json" "$data/$name.json"
    fi
    if [ ! -s "$out/$name.err" ] && cmp -s "$out/$name.json" "$data/$name.json"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name differs from $data/$name.json:"
        cat "$out/$name.err"
        diff "$data/$name.json" "$out/$name.json" | head -20
    fi
}

f=fixtures/microserver-write-cache
check microserver-before analyze $f/bundle-before
check microserver-compare compare $f/bundle-before $f/bundle-after
check forum-paste analyze fixtures/forum-paste-hdparm-psi/bundle-paste
check one-line analyze fixtures/one-line-paste/bundle-line
check megaraid-volume analyze fixtures/megaraid-volume-write-through/bundle-volume
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
