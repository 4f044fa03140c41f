#!/bin/sh
# Bad usage is one line on standard error and exit 2; help goes to standard output.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

# usage ARGUMENT...
usage() {
    run 2 "$@"
    if [ "$(lines "$dir/err")" -eq 1 ] && [ ! -s "$dir/out" ]; then ok; else not_ok "stordx $*: not one line on standard error"; fi
}

# meant WORD ARGUMENT...: the same, and the line asks whether WORD was meant.
meant() {
    word=$1
    shift
    usage "$@"
    has err "did you mean $word\\?\$" "stordx $*"
}

usage
usage frobnicate
usage Analyze "$before"
usage --frobnicate
for command in analyze compare facts identify sql explain; do
    usage $command
    usage $command --frobnicate x
    run 0 $command --help
    has out "^usage: stordx $command" "help of $command"
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

meant analyze anaylze "$before"
meant analyze analyse "$before"
meant compare comp
meant explain help explian
meant --format analyze "$before" --fromat html
meant --redact-key-file analyze "$before" --redact-key-flie=x
meant --color analyze "$before" --colour always
meant html analyze "$before" --format hmtl
meant json compare "$before" "$after" --format jsn
meant never analyze "$before" --color neevr
meant drive-write-cache-off explain drive-write-cahce-off
meant write-latency explain write-latncy
meant drive-write-cache-off rules test drive-write-cash-off
meant lint rules lnit
usage analyze "$before" --brief=yes
has err '^stordx analyze: --brief takes no value' 'a value for what takes none'
usage identify --format html "$before"
has err '^stordx identify: identify takes no --format' "another command's option"
usage analyze "$before" -x
has err 'no option -x' 'a short option'
usage analyze "$before" -vx
has err 'no option -x' 'the second of two short options'
usage analyze "$(printf '%04000d' 0)" "$before"
usage frob"$(printf '%04000d' 0)"

# Each help fits a screen.
screen() {
    run 0 "$@"
    check "stordx $*: 24 lines of 80 columns at most" awk 'length > 80 { wide = 1 } END { exit NR > 24 || wide }' "$dir/out"
}
screen --help
for command in analyze compare facts identify sql rules explain; do
    screen $command --help
    cp "$dir/out" "$dir/help"
    screen help $command
    check "help $command is $command --help" cmp "$dir/help" "$dir/out"
    has out '^Example: stordx ' "example of $command"
    screen $command -h
done
run 0 analyze "$before" --help
has out '^usage: ' 'help behind an input'

run 0 --help
has out '^  analyze ' help
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
