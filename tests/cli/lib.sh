# shellcheck shell=sh disable=SC2034
# What the command line tests share; sourced, not run. They start at the top of the tree.
set -u
: "${STORDX:?the program to test}"

dir=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") || exit 1
trap 'chmod -R u+rwx "$dir" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0 skipped=0
before=fixtures/microserver-write-cache/bundle-before
after=fixtures/microserver-write-cache/bundle-after
healthy=fixtures/healthy-debian-laptop/bundle-idle

ok() {
    passed=$((passed + 1))
}

not_ok() {
    failed=$((failed + 1))
    echo "FAILED: $*"
    if [ -s "$dir/out" ]; then head -n 12 "$dir/out" | sed 's/^/    stdout: /' | cut -c 1-200; fi
    if [ -s "$dir/err" ]; then head -n 12 "$dir/err" | sed 's/^/    stderr: /' | cut -c 1-200; fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# run EXPECTED ARGUMENT...: the program's exit status, with its output in $dir/out and $dir/err.
run() {
    expected=$1
    shift
    status=0
    "$STORDX" "$@" >"$dir/out" 2>"$dir/err" </dev/null || status=$?
    if [ "$status" -eq "$expected" ]; then ok; else not_ok "stordx $*: exit $status, not $expected"; fi
}

# piped EXPECTED FILE ARGUMENT...: the same with FILE on standard input.
piped() {
    expected=$1 input=$2
    shift 2
    status=0
    "$STORDX" "$@" >"$dir/out" 2>"$dir/err" <"$input" || status=$?
    if [ "$status" -eq "$expected" ]; then ok; else not_ok "stordx $* <$input: exit $status, not $expected"; fi
}

# has FILE PATTERN WHAT, has_not ...: grep -E on $dir/FILE.
has() {
    if grep -q -E -e "$2" "$dir/$1"; then ok; else not_ok "$3: no \"$2\" in $1"; fi
}
has_not() {
    if grep -q -E -e "$2" "$dir/$1"; then not_ok "$3: \"$2\" in $1"; else ok; fi
}

# check WHAT COMMAND...: the command succeeds.
check() {
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then ok; else not_ok "$what"; fi
}

lines() {
    wc -l <"$1" | tr -d ' '
}

finish() {
    if [ "$skipped" -gt 0 ]; then
        echo "$passed passed, $failed failed, $skipped skipped"
    else
        echo "$passed passed, $failed failed"
    fi
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
