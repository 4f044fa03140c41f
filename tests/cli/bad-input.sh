#!/bin/sh
# Input that is no bundle: empty, random, cut, nested, forbidden. Never a crash, never "healthy", always a word about it.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

# ---- nothing there
run 3 analyze "$dir/nothing-here"
has err 'cannot read .*/nothing-here: ' 'no such file'
check 'one line' test "$(lines "$dir/err")" -eq 1
for command in identify 'facts -o x.db'; do
    # shellcheck disable=SC2086
    run 3 $command "$dir/nothing-here"
done
run 3 sql "$dir/nothing-here" 'SELECT 1'
: >"$dir/forbidden"
chmod 0 "$dir/forbidden"
if [ "$(id -u)" -ne 0 ]; then
    run 3 analyze "$dir/forbidden"
else
    skip 'root may read everything'
fi

# ---- nothing in it
: >"$dir/empty"
run 4 analyze "$dir/empty"
run 4 analyze "$dir/empty" --brief
run 0 identify "$dir/empty"
has out '^empty.*empty' 'identify of an empty file'
mkdir "$dir/hollow"
run 4 analyze "$dir/hollow"
piped 4 /dev/null analyze -
printf '\n\n   \n' >"$dir/blank"
run 4 analyze "$dir/blank"

# ---- noise
awk 'BEGIN { srand(7); for (i = 0; i < 60000; i++) printf "%c", int(rand() * 256) }' >"$dir/noise"
run 4 analyze "$dir/noise"
run 0 identify "$dir/noise"
has out '	unrecognised	' 'identify of noise'
head -c 30000 /dev/zero >"$dir/zeros"
run 4 analyze "$dir/zeros"
awk 'BEGIN { for (i = 0; i < 3000000; i++) printf "x" }' >"$dir/one-long-line"
run 4 analyze "$dir/one-long-line"
printf 'My server has been slow since Tuesday.\nWhat can I do?\n' >"$dir/prose"
run 4 analyze "$dir/prose"

# ---- one line is not a diagnosis
echo '[    1.846133] sd 2:0:0:0: [sda] Write cache: disabled, read cache: enabled, doesn'\''t support DPO or FUA' >"$dir/line"
piped 4 "$dir/line" analyze -
has out 'too little evidence' 'one line'
has_not out '[Hh]ealthy|[Nn]othing (is )?wrong' 'one line'
echo 'sda 0.00 88.20 0.00 2040.00' >"$dir/row"
piped 4 "$dir/row" analyze -
echo 'zpool status -x: all pools are healthy' >"$dir/claim"
piped 4 "$dir/claim" analyze -
echo 'all pools are healthy' >"$dir/claim"
piped 4 "$dir/claim" analyze -

# ---- archives
if command -v tar >/dev/null 2>&1 && command -v gzip >/dev/null 2>&1; then
    (cd "$before/.." && tar -cf - bundle-before) >"$dir/b.tar"
    gzip -c "$dir/b.tar" >"$dir/b.tar.gz"
    run 1 analyze "$before" --format json
    tr -d ' \t\n' <"$dir/out" | sed 's/.*"causes":\[{"rank":1,"rule":"\([a-z-]*\)".*/\1/' >"$dir/want"
    run 1 analyze "$dir/b.tar.gz" --format json
    tr -d ' \t\n' <"$dir/out" | sed 's/.*"causes":\[{"rank":1,"rule":"\([a-z-]*\)".*/\1/' >"$dir/got"
    check 'an archive gives the same first cause' cmp "$dir/want" "$dir/got"
    piped 1 "$dir/b.tar.gz" analyze -
    mkdir "$dir/outer"
    cp "$dir/b.tar.gz" "$dir/outer/inner.tgz"
    (cd "$dir" && tar -cf - outer | gzip >nested.tgz)
    run 1 analyze "$dir/nested.tgz"
    run 0 identify "$dir/nested.tgz"
    has out '^outer/inner\.tgz!bundle-before/dmesg\.out:1-[0-9]+	kernel-log	parsed' 'an archive in an archive'
    # Cut anywhere: read as far as it goes, and a row says so.
    size=$(wc -c <"$dir/b.tar.gz")
    for tenths in 1 3 5 7 9; do
        head -c $((size * tenths / 10)) "$dir/b.tar.gz" >"$dir/cut.tgz"
        status=0
        "$STORDX" analyze "$dir/cut.tgz" >"$dir/out" 2>"$dir/err" || status=$?
        case $status in 1 | 4) ok ;; *) not_ok "cut at $tenths/10: exit $status" ;; esac
        run 0 identify "$dir/cut.tgz"
        has out 'ends early|cut here|truncated' "cut at $tenths/10"
    done
    head -c 9 "$dir/b.tar.gz" >"$dir/stub.tgz"
    run 4 analyze "$dir/stub.tgz"
    # In the middle of the compressed bytes 40 that are none.
    { head -c $((size / 2)) "$dir/b.tar.gz"; head -c 40 /dev/zero; tail -c +$((size / 2 + 41)) "$dir/b.tar.gz"; } >"$dir/damaged.tgz"
    status=0
    "$STORDX" analyze "$dir/damaged.tgz" >"$dir/out" 2>"$dir/err" || status=$?
    case $status in 1 | 4) ok ;; *) not_ok "damaged: exit $status" ;; esac
    check 'nothing was unpacked beside it' test ! -e "$dir/bundle-before"
else
    skip 'tar and gzip are not here'
fi

# ---- members that are no members
mkdir "$dir/odd" "$dir/odd/folder"
cp "$before/dmesg.out" "$dir/odd/"
ln -s /etc/passwd "$dir/odd/link"
ln -s . "$dir/odd/folder/loop"
mkfifo "$dir/odd/fifo"
run 0 identify "$dir/odd"
has out '^fifo	\?	skipped	neither a file nor a folder' 'a FIFO is not waited for'
has out '^dmesg.out:.*	kernel-log	parsed' 'what stands beside it is read'
has_not out 'root:' 'a link is not followed'

# ---- no control bytes of a bundle on the terminal
mkdir "$dir/escape"
esc=$(printf '\033')
printf '\033]0;owned\007\033[31mbash: hdparm: command not found\n' >"$dir/escape/hdparm${esc}[2J.out"
printf 'some avg10=71.30 avg60=68.02 avg300=61.77 total=1\nodd \033[1m line \001\n' >"$dir/escape/pressure.out"
printf 'KNAME\033[5m nonsense\n' >"$dir/escape/unknown"
run 0 identify "$dir/escape"
if LC_ALL=C tr -d '[:print:]\n\t\200-\377' <"$dir/out" | grep -q .; then not_ok 'identify prints control bytes'; else ok; fi
for format in text markdown html json; do
    "$STORDX" analyze "$dir/escape" --format $format >"$dir/out" 2>"$dir/err"
    if LC_ALL=C tr -d '[:print:]\n\t\200-\377' <"$dir/out" | grep -q .; then not_ok "the $format report has control bytes"; else ok; fi
done
"$STORDX" analyze "$dir/escape" --brief >"$dir/out" 2>"$dir/err"
if LC_ALL=C tr -d '[:print:]\n\t\200-\377' <"$dir/out" | grep -q .; then not_ok 'the brief report has control bytes'; else ok; fi
run 0 sql "$dir/escape" 'SELECT member, note FROM source'
if LC_ALL=C tr -d '[:print:]\n\t\200-\377' <"$dir/out" | grep -q .; then not_ok 'sql prints control bytes'; else ok; fi

# ---- an upload starts no program: libarchive would hand these formats to one
mkdir "$dir/bin"
printf '#!/bin/sh\n: >"%s/started"\n' "$dir" >"$dir/bin/lrzip"
chmod +x "$dir/bin/lrzip"
cp "$dir/bin/lrzip" "$dir/bin/grzip"
printf 'LRZI\000\006aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | gzip >"$dir/inner-lrzip.gz"
printf 'GRZipII\000\002\004:)aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | gzip >"$dir/inner-grzip.gz"
for inner in lrzip grzip; do
    status=0
    PATH=$dir/bin:$PATH "$STORDX" analyze "$dir/inner-$inner.gz" >"$dir/out" 2>"$dir/err" || status=$?
    if [ "$status" -eq 4 ]; then ok; else not_ok "$inner inside gzip: exit $status"; fi
    check "$inner was not started" test ! -e "$dir/started"
    rm -f "$dir/started"
done

# ---- nothing of a bundle is markup
mkdir "$dir/markup"
{
    cat fixtures/forum-paste-hdparm-psi/bundle-paste/post.txt
    echo
    # shellcheck disable=SC2016
    echo '[    1.846133] sd 2:0:0:0: [sda] Write cache: disabled <script>alert(1)</script> ![x](http://example.org/) `$(id)`'
} >"$dir/markup/post<img src=x>.txt"
"$STORDX" analyze "$dir/markup" --format html >"$dir/out" 2>"$dir/err"
has_not out '<script|<img src=x>' 'HTML from a bundle'
finish
