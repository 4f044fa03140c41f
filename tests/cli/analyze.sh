#!/bin/sh
# Exit codes, formats and where the report goes.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

run 1 analyze "$before"
has out 'write cache' 'the cause is named'
cp "$dir/out" "$dir/text"
run 0 analyze "$before" --exit-zero
check '--exit-zero changes nothing else' cmp "$dir/out" "$dir/text"
run 1 analyze "$before"
check 'the same input gives the same report' cmp "$dir/out" "$dir/text"
run 0 analyze "$healthy"
run 4 analyze fixtures/one-line-paste/bundle-line
has out 'too little evidence' 'a line is no health'
# Trouble that no rule explains is not "nothing wrong".
cp -R "$healthy" "$dir/trouble"
cat >>"$dir/trouble/dmesg.out" <<'END'
[ 3021.200000] INFO: task postgres:4242 blocked for more than 120 seconds.
[ 3340.200000] blk_update_request: I/O error, dev nvme0n1, sector 99887766 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0
END
run 4 analyze "$dir/trouble"
has out '^Something is wrong, and the evidence does not say why: I/O errors' 'the danger is named first'
has_not out 'Nothing wrong' 'trouble without a cause'
run 0 analyze fixtures/one-line-paste/bundle-line --exit-zero
# What is longer than anybody reads is cut, and said to be.
n=0
while [ $((n += 1)) -le 201 ]; do
    printf '10+0 records in\n10+0 records out\n10485760 bytes (10 MB, 10 MiB) copied, 0.1 s, 105 MB/s\n'
done >"$dir/dd.txt"
run 4 analyze "$dir/dd.txt"
has out 'More than 200 benchmarks' 'benchmarks beyond the limit'

# Every fixture: a brief report has 15 lines at most, and the exit code says what the JSON says. The sanitizers see every sixth.
number=0
for bundle in fixtures/*/bundle-*; do
    number=$((number + 1))
    [ "${VARIANT:-plain}" = plain ] || [ $((number % 6)) -eq 0 ] || continue
    status=0
    "$STORDX" analyze "$bundle" --brief >"$dir/out" 2>"$dir/err" || status=$?
    case $status in 0 | 1 | 4) ok ;; *) not_ok "$bundle: exit $status" ;; esac
    if [ "$(lines "$dir/out")" -le 15 ] && [ -s "$dir/out" ]; then ok; else not_ok "$bundle: --brief has $(lines "$dir/out") lines"; fi
    json=0
    "$STORDX" analyze "$bundle" --format json >"$dir/out" 2>"$dir/err" || json=$?
    case $(tr -d ' \t\n' <"$dir/out" | sed -n 's/.*"verdict":{"status":"\([a-z_]*\)".*/\1/p'):$json:$status in
    nothing_in_evidence:0:0 | causes:1:1 | insufficient:4:4) ok ;;
    *) not_ok "$bundle: exit $json, exit $status with --brief, and another word in the JSON" ;;
    esac
done

# ---- formats by name and by the file's ending
run 1 analyze "$before" -o "$dir/r.html"
check 'nothing on standard output' test ! -s "$dir/out"
check 'HTML' grep -q -i '^<!DOCTYPE html>' "$dir/r.html"
run 1 analyze "$before" -o "$dir/r.json"
check 'JSON' grep -q '"schema":[[:blank:]]*1' "$dir/r.json"
run 1 analyze "$before" -o "$dir/r.md"
check 'Markdown' grep -q '^#' "$dir/r.md"
run 1 analyze "$before" -o "$dir/r.txt"
check 'text' cmp "$dir/r.txt" "$dir/text"
run 1 analyze "$before" -o "$dir/r.HTM"
check 'the ending in capitals' cmp "$dir/r.HTM" "$dir/r.html"
run 1 analyze "$before" -o "$dir/r.unknown"
check 'an ending that says nothing gives text' cmp "$dir/r.unknown" "$dir/text"
run 1 analyze "$before" -o "$dir/liar.html" --format json
check '--format goes before the ending' cmp "$dir/liar.html" "$dir/r.json"
for format in html markdown text json; do
    run 1 analyze --format $format "$before"
    check "--format $format writes" test -s "$dir/out"
done
run 1 analyze "$before" -o -
check '-o - is standard output' cmp "$dir/out" "$dir/text"
if command -v python3 >/dev/null 2>&1; then
    check 'the JSON is JSON' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["schema"] == 1 and d["causes"][0]["rule"] and d["sources"]' "$dir/r.json"
else
    skip 'python3 is not here: JSON'
fi

# ---- where it cannot go
run 3 analyze "$before" -o "$dir/no/such/folder/r.html"
has err 'cannot write .*/no/such/folder/r.html' 'no such folder'
run 3 analyze "$before" -o "$dir"
if [ -c /dev/full ]; then
    for format in html markdown text json; do
        run 3 analyze "$before" --format $format -o /dev/full
        has err 'cannot write' "full disk, $format"
        status=0
        "$STORDX" analyze "$before" --format $format >/dev/full 2>"$dir/err" || status=$?
        if [ "$status" -eq 3 ]; then ok; else not_ok "standard output on a full disk, $format: exit $status"; fi
    done
    # full ARGUMENT...
    full() {
        status=0
        "$STORDX" "$@" >/dev/full 2>"$dir/err" || status=$?
        if [ "$status" -eq 3 ]; then ok; else not_ok "stordx $* on a full disk: exit $status"; fi
    }
    full identify "$before"
    full sql "$before" 'SELECT * FROM setting'
    full rules
    full explain drive-write-cache-off
    run 3 compare "$before" "$after" -o /dev/full
else
    skip '/dev/full is not here'
fi

# ---- compare
run 1 compare "$before" "$after"
has out '[Ww]rite cache' compare
run 0 compare "$before" "$after" --exit-zero
run 1 compare "$before" "$after" -o "$dir/c.html"
check 'compare, HTML' grep -q -i '^<!DOCTYPE html>' "$dir/c.html"
run 1 compare "$before" "$after" --format json
has out '"resolved"' 'compare, JSON'
run 1 compare "$before" "$after" --brief
if [ "$(lines "$dir/out")" -le 15 ]; then ok; else not_ok "compare --brief has $(lines "$dir/out") lines"; fi
# captures of one upload are compared with each other; a single capture with nothing
series=fixtures/backup-server-ide-mode
run 1 compare "$series" --format json
has out '"stage":	"stage 4"' 'compare, captures of one upload'
# two machines: nothing can be said of a change
run 4 compare fixtures/different-hosts/bundle-a fixtures/different-hosts/bundle-b
run 2 compare "$before"
has err 'one that holds two captures' 'compare, one capture'
run 3 compare "$before" "$dir/nothing-here"
run 3 compare "$dir/nothing-here" "$after"
finish
