#!/bin/sh
# At a terminal: colours, width and progress; and nothing of them anywhere else.
# shellcheck disable=SC1091,SC2154,SC2016 # lib.sh sets them; awk has variables of its own
. tests/cli/lib.sh
unset NO_COLOR COLUMNS
TERM=xterm
export TERM
esc=$(printf '\033') cr=$(printf '\r')

# shellcheck disable=SC2086
if ! ${CC:-cc} -o "$dir/pty" tests/cli/pty.c 2>"$dir/err" || ! "$dir/pty" 80 1 "$STORDX" --version >/dev/null 2>&1; then
    skip 'no compiler or no pseudo terminals here'
    ok
    finish
fi

# terminal EXPECTED COLUMNS FDS ARGUMENT...: what came to the terminal is in $dir/tty, standard output in $dir/out.
terminal() {
    expected=$1 columns=$2 fds=$3
    shift 3
    status=0
    "$dir/pty" "$columns" "$fds" "$STORDX" "$@" >"$dir/tty" 2>"$dir/err" </dev/null || status=$?
    if [ "$status" -eq "$expected" ]; then ok; else not_ok "at a terminal, stordx $*: exit $status, not $expected"; fi
}
# colours FILE: are there any? plain FILE: the text without them
colours() {
    grep -q "$esc" "$dir/$1"
}
plain() {
    sed "s/$esc\\[[0-9;]*m//g" "$dir/$1"
}
widest() {
    awk '{ gsub(/[\200-\277]/, "") } length > most { most = length } END { print most + 0 }'
}

# ---- colours
run 1 analyze "$before"
cp "$dir/out" "$dir/text"
check 'no colours in a pipe' test "$(colours out && echo yes)" != yes
terminal 1 80 1 analyze "$before"
check 'colours at a terminal' colours tty
plain tty >"$dir/stripped"
check 'colours change nothing else' cmp "$dir/text" "$dir/stripped"
# Ended on the line where they begin: a pager and `head` must not stay red.
check 'each line ends its colours' awk -v esc="$esc" '{
    rest = $0; open = 0
    while (match(rest, esc "\\[[0-9;]*m")) { open = substr(rest, RSTART, RLENGTH) != esc "[0m"; rest = substr(rest, RSTART + RLENGTH) }
    if (open) bad = 1 } END { exit bad }' "$dir/tty"
check 'no other sequences' test "$(plain tty | grep -c "$esc")" -eq 0
head -n 24 "$dir/stripped" >"$dir/first"
has first '^Which part' 'the answer is in the first screen'
has first '^Do first' 'what to do is in the first screen'
terminal 1 80 1 analyze "$before" --color never
check '--color never' cmp "$dir/text" "$dir/tty"
NO_COLOR=1
export NO_COLOR
terminal 1 80 1 analyze "$before"
check 'NO_COLOR' cmp "$dir/text" "$dir/tty"
terminal 1 80 1 analyze "$before" --color always
check '--color always goes before NO_COLOR' colours tty
NO_COLOR=
terminal 1 80 1 analyze "$before"
check 'NO_COLOR that is empty' colours tty
unset NO_COLOR
TERM=dumb
terminal 1 80 1 analyze "$before"
check 'a dumb terminal' cmp "$dir/text" "$dir/tty"
TERM=xterm
run 1 analyze "$before" --color always
check '--color always in a pipe' colours out
plain out >"$dir/stripped"
check 'and the same text' cmp "$dir/text" "$dir/stripped"
for format in html markdown json; do
    run 1 analyze "$before" --format $format --color always
    check "--color always, $format" test "$(colours out && echo yes)" != yes
done
terminal 1 80 1 analyze "$before" --brief
plain tty >"$dir/stripped"
run 1 analyze "$before" --brief
check '--brief at a terminal' cmp "$dir/out" "$dir/stripped"
terminal 1 80 1 compare "$before" "$after"
check 'colours of compare' colours tty
# What an upload brings has no colours of its own.
mkdir "$dir/escape"
printf '\033[31msome avg10=71.30 avg60=68.02 avg300=61.77 total=1\033[0m\001\002\007\n' >"$dir/escape/pressure.out"
"$dir/pty" 80 1 "$STORDX" analyze "$dir/escape" >"$dir/tty" 2>"$dir/err" </dev/null
if plain tty | LC_ALL=C tr -d '[:print:]\n\t\200-\377' | grep -q .; then not_ok 'control bytes of an upload'; else ok; fi

# ---- width
terminal 1 120 1 analyze "$before"
wide=$(plain tty | grep -v '^ *|\|^    ' | widest)
if [ "$wide" -gt 84 ]; then ok; else not_ok "120 columns: $wide used"; fi
terminal 1 60 1 analyze "$before" --brief
narrow=$(plain tty | widest)
if [ "$narrow" -le 60 ]; then ok; else not_ok "60 columns: $narrow used"; fi
plain tty >"$dir/narrow"
terminal 1 30 1 analyze "$before" --brief
plain tty >"$dir/out"
check 'narrower than 60 is 60' cmp "$dir/narrow" "$dir/out"
terminal 1 500 1 analyze "$before"
cp "$dir/tty" "$dir/wide"
COLUMNS=120
export COLUMNS
terminal 1 80 1 analyze "$before"
check 'COLUMNS goes before the terminal, 120 at most' cmp "$dir/wide" "$dir/tty"
run 1 analyze "$before"
check 'COLUMNS means nothing for a file' cmp "$dir/text" "$dir/out"
COLUMNS=x
terminal 1 80 1 analyze "$before" --color never
check 'COLUMNS that is no number' cmp "$dir/text" "$dir/tty"
unset COLUMNS

# ---- progress. slowly ARGUMENT...: the host's log comes in two parts, more than half a second apart
slowly() {
    status=0
    { head -c 9000 "$before/dmesg.out"; sleep 1; tail -c +9001 "$before/dmesg.out"; cat "$before/lsblk.out"; } |
        "$dir/pty" "$columns" 2 "$STORDX" "$@" >"$dir/both" 2>"$dir/err" || status=$?
    case $status in 0 | 1 | 4) ok ;; *) not_ok "stordx $*, slowly: exit $status" ;; esac
}
columns=80
began=$(date +%s)
slowly analyze - -o "$dir/r.txt"
most=$((5 * ($(date +%s) - began + 1) + 1))
draws=$(tr '\r' '\n' <"$dir/both" | grep -c stordx:)
if [ "$draws" -le "$most" ]; then ok; else not_ok "$draws lines of progress where $most are the most"; fi
check 'a line of progress' grep -q "${cr}stordx: 1 file, [0-9.]* kB, [0-9.]* kB/s: -$esc\\[K" "$dir/both"
check 'it is taken away' test "$(tail -c 4 "$dir/both")" = "$cr${esc}[K"
check 'no line feed of it' test "$(wc -l <"$dir/both")" -eq 0
slowly analyze - -o "$dir/r.txt" --quiet
check '--quiet: nothing' test ! -s "$dir/both"
TERM=dumb
slowly analyze - -o "$dir/r.txt"
check 'a dumb terminal: nothing' test ! -s "$dir/both"
TERM=xterm
columns=30
slowly analyze - -o "$dir/r.txt"
check 'cut to the width' test "$(tr '\r' '\n' <"$dir/both" | sed "s/$esc\\[K//" | widest)" -lt 30
terminal 1 80 1 analyze "$before"
check 'nothing on standard error that is no terminal' test ! -s "$dir/err"
"$dir/pty" 80 2 "$STORDX" analyze "$before" -o "$dir/r.txt" >"$dir/tty" 2>"$dir/err" </dev/null
check 'nothing before half a second' test ! -s "$dir/tty"
# A member's name steers nothing.
mkdir "$dir/names"
name=$(printf 'a\033]0;owned\007b')
mkfifo "$dir/names/$name"
"$STORDX" identify "$dir/names" -v >"$dir/out" 2>"$dir/err"
if LC_ALL=C tr -d '[:print:]\n\t\200-\377' <"$dir/err" | grep -q .; then not_ok '-v prints control bytes'; else ok; fi

# ---- -v and --quiet without a terminal
run 1 analyze "$before" -v
cp "$dir/out" "$dir/verbose"
check '-v changes no report' cmp "$dir/text" "$dir/verbose"
has err '^dmesg\.out: kernel-log, [0-9,]+ rows; [0-9.]+ kB; [0-9]+ ms$' '-v: a line for each member'
files=$(find "$before" -type f | wc -l)
if [ "$(lines "$dir/err")" -ge "$files" ]; then ok; else not_ok "-v: $(lines "$dir/err") lines for $files files"; fi
run 1 analyze "$before" -v --quiet
check '--quiet goes before -v' test ! -s "$dir/err"
run 3 analyze "$dir/nothing-here" --quiet
check '--quiet still says what went wrong' test "$(lines "$dir/err")" -eq 1
run 1 analyze "$before" --redact --quiet
check '--quiet: no word about the key' test ! -s "$dir/err"
run 1 analyze "$before" -o "$dir/report.pdf"
has err 'report\.pdf gets text' 'an ending that is no format'
run 1 analyze "$before" -o "$dir/report.pdf" --quiet
check '--quiet: no word about the ending' test ! -s "$dir/err"
finish
