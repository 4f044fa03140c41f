#!/bin/sh
# Bad usage is one line on standard error and exit 2; help goes to standard output.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

# usage ARGUMENT...
usage() {
    run 2 "$@"
    if [ "$(lines "$dir/err")" -eq 1 ] && [ ! -s "$dir/out" ]; then ok; else not_ok "stordx $*: not one line on standard error"; fi
}

usage
usage frobnicate
usage Analyze "$before"
usage --frobnicate
for command in analyze compare facts identify sql explain; do
    usage $command
    usage $command --frobnicate x
    run 0 $command --help
    has out "^stordx $command" "help of $command"
done
usage analyze "$before" "$after"
usage analyze -o
usage analyze "$before" --format
usage analyze "$before" --format pdf
usage analyze --format '' "$before"
usage analyze --rules
usage compare "$before"
usage compare "$before" "$after" --format docx
usage facts "$before"
usage facts "$before" "$after" -o "$dir/x.db"
usage facts -o "$dir/x.db"
usage identify "$before" "$after"
usage identify --brief "$before"
usage sql "$before"
usage sql "$before" 'SELECT 1' 'SELECT 2'
usage sql --format html "$before" 'SELECT 1'
usage rules frobnicate
usage rules lint test
usage rules test no-such-page
usage explain
usage explain no-such-rule
usage explain drive-write-cache-off write-latency

run 0 --help
has out '^  stordx analyze ' help
has out 'Exit: ' help
run 0 help
run 0 -h
run 0 --version
has out '^stordx [0-9]+\.[0-9]+' version
run 0 explain io-pressure
has out '^io-pressure-high: symptom' 'a symptom is explained by the page that raises it'
run 0 rules
has out '^drive-write-cache-off ' 'list of rules'
run 0 rules test sata-ide-mode crc-cable-or-port
has out '^[0-9]+ passed, 0 failed$' 'cases of two pages'
run 0 explain drive-write-cache-off
has out 'switched off' 'explain'
has out '^Evidence' 'explain'
finish
