#!/bin/sh
# What a browser, an accessibility checker, an HTML checker and the JSON schema say of the reports.
#
#   STORDX=build/stordx sh tests/browser/run.sh [KEEP_DIR]
#
# KEEP_DIR: leave the reports and a picture of each in this folder, to look at. Needs node, npm and Chromium; where one of
# them is missing, or npm cannot fetch what package-lock.json names, it is one test skipped, with the reason.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${STORDX:=build/stordx}"
case $STORDX in
/*) ;;
*) STORDX=$PWD/$STORDX ;;
esac

skip() {
    echo "skipped: $*"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
[ -n "$browser" ] || skip "no Chromium here"
command -v node >/dev/null || skip "no node here"
command -v npm >/dev/null || skip "no npm here"

work=$(mktemp -d "${TMPDIR:-/tmp}/browser.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# Packages are kept between runs beside the program, never in the sources.
modules=$(dirname "$STORDX")/browser
if ! cmp -s tests/browser/package-lock.json "$modules/package-lock.json" || [ ! -d "$modules/node_modules" ]; then
    mkdir -p "$modules" && cp tests/browser/package.json "$modules/" || exit 2
    cp tests/browser/package-lock.json "$modules/package-lock.new" || exit 2
    mv "$modules/package-lock.new" "$modules/package-lock.json"
    (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
        rm -rf "$modules/node_modules" "$modules/package-lock.json"
        tail -n 3 "$modules/npm.log"
        skip "npm could not fetch the checkers"
    }
fi

reports=${1:-$work/reports}
mkdir -p "$reports" || exit 2
lost=0
# report NAME ARGUMENT...: exit codes 0, 1 and 4 are answers.
report() {
    name=$1
    shift
    "$STORDX" "$@" -o "$reports/$name.html"
    case $? in
    0 | 1 | 4) ;;
    *)
        echo "FAILED: no report of $name"
        lost=$((lost + 1))
        ;;
    esac
}
f=fixtures
report microserver analyze $f/microserver-write-cache/bundle-before
report microserver-compare compare $f/microserver-write-cache/bundle-before $f/microserver-write-cache/bundle-after
report backup-server-series compare $f/backup-server-ide-mode/bundle-1 $f/backup-server-ide-mode/bundle-2 \
    $f/backup-server-ide-mode/bundle-3 $f/backup-server-ide-mode/bundle-4
report nvme analyze $f/nvme-vs-sata/bundle-paste
report freebsd analyze $f/freebsd-nas-sata2-port/bundle-before
report sas-hba analyze "$(set -- $f/sas-hba-raidz2/bundle*; echo "$1")"
report healthy analyze "$(set -- $f/healthy-debian-laptop/bundle*; echo "$1")"
# Nothing that a bundle holds may become markup, a script or a request.
mkdir "$work/hostile"
# shellcheck disable=SC2016
printf '%s\n' 'Linux "><img src=x onerror=alert(1)> 6.1.0' >"$work/hostile/uname.txt"
printf '%s\n' '[    1.000000] sd 0:0:0:0: [sda] <script>fetch("http://192.0.2.1/")</script>' \
    '[    2.000000] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen' \
    '[    2.100000] ata1.00: failed command: FLUSH CACHE EXT </code></li></ol><iframe src=//192.0.2.1></iframe>' \
    >"$work/hostile/dmesg.txt"
report hostile analyze "$work/hostile"

# Two programs count; run-tests.sh wants one line.
NODE_MODULES=$modules/node_modules CHROMIUM=$browser KEEP=${1:-} \
    node tests/browser/reports.mjs "$reports"/*.html >"$work/browser.log" 2>&1
NODE_MODULES=$modules/node_modules \
    node tests/browser/validate-schema.mjs docs/report.schema.json tests/golden/json/*.json >"$work/schema.log" 2>&1
failed=0
for log in browser schema; do
    grep -v '^[0-9]* passed, [0-9]* failed' "$work/$log.log"
    # A program that dies counts nothing.
    grep -q '^[0-9]* passed, [0-9]* failed' "$work/$log.log" || failed=1
done
[ "$lost" -eq 0 ] || failed=$((failed + lost))
cat "$work/browser.log" "$work/schema.log" | awk -v failed="$failed" '
    /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
