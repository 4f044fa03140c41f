#!/bin/sh
# Uploads and arguments meant to do harm, or that would mislead: nothing is overwritten, obeyed or doubled.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

# ---- the upload is never the output, under whatever name
printf 'the only copy\n' >"$dir/upload"
run 3 analyze "$dir/upload" -o "$dir/upload"
has err 'it is what was read' 'output is the input'
ln "$dir/upload" "$dir/other.html" && run 3 analyze "$dir/upload" -o "$dir/other.html"
ln -s upload "$dir/link.json" && run 3 analyze "$dir/upload" -o "$dir/link.json"
run 3 compare "$healthy" "$dir/upload" -o "$dir/upload"
piped 3 "$dir/upload" analyze - -o "$dir/upload"
run 3 facts "$dir/upload" -o "$dir/upload"
check 'the upload is as it was' test "$(cat "$dir/upload")" = 'the only copy'
run 4 analyze "$dir/upload" -o "$dir/new.html"
run 4 analyze "$dir/upload" -o "$dir/new.html"

# ---- an output that names no device speaks of the drive that has its identity; two drives with one identity stay two
smart() {
    echo 'smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-26-amd64] (local build)'
    echo 'Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org'
    echo
    echo '=== START OF INFORMATION SECTION ==='
    echo 'Device Model:     EXAMPLE DISK4000'
    echo 'Serial Number:    EX-K0PA0328'
    echo 'LU WWN Device Id: 5 0014ee 201759a89'
    echo 'Firmware Version: 82.00A82'
    echo 'User Capacity:    4,000,787,030,016 bytes [4.00 TB]'
    echo 'Rotation Rate:    5400 rpm'
    echo 'ATA Version is:   ACS-3 T13/2161-D revision 5'
    echo 'SATA Version is:  SATA 3.1, 6.0 Gb/s (current: 6.0 Gb/s)'
    echo 'SMART support is: Available - device has SMART capability.'
    echo 'SMART support is: Enabled'
    echo
    echo '=== START OF READ SMART DATA SECTION ==='
    echo 'SMART overall-health self-assessment test result: FAILED!'
    echo 'Drive failure expected in less than 24 hours. SAVE ALL DATA.'
    echo
}
lsblk_head='NAME   SIZE TYPE TRAN ROTA MODEL            SERIAL      WWN'
sdb='sdb    3.6T disk sata    1 EXAMPLE DISK4000 EX-K0PA0328 0x50014ee201759a89'
{
    smart
    echo "$lsblk_head"
    echo 'sda    3.6T disk sata    1 EXAMPLE DISK4000 EX-K8XP3580 0x50014ee26976b982'
    echo "$sdb"
} >"$dir/paste"
piped 0 "$dir/paste" sql - 'SELECT count(*) AS n, group_concat(name) AS names FROM (SELECT name FROM drive ORDER BY name)'
has out '^2	sda,sdb$' 'a smartctl without a device name and lsblk'
piped 1 "$dir/paste" analyze - --brief
has out 'failing \(SMART\): sdb[ .]' 'the drive that fails has a name'
{
    smart
    echo "$lsblk_head"
    echo "$sdb"
    echo "$sdb" | sed 's/^sdb/sdc/'
} >"$dir/paste"
piped 0 "$dir/paste" sql - "SELECT count(*) AS n FROM drive WHERE name IN ('sdb', 'sdc')"
has out '^2$' 'two names with one identity'
piped 1 "$dir/paste" analyze - --brief
has_not out 'failing \(SMART\): sd' 'nobody can say which of two it is'

# ---- thousands of made-up drives
awk 'BEGIN {
    print "  pool: tank\n state: ONLINE\n  scan: none requested\nconfig:\n\n\tNAME        STATE     READ WRITE CKSUM"
    print "\ttank        ONLINE       0     0     0"
    for (i = 0; i < 1500; i++) printf "\t  mirror-%d  ONLINE 0 0 0\n\t    sda%d  ONLINE 0 0 0\n\t    sda%d  ONLINE 0 0 0\n", i, i, i + 5000
    print "\nerrors: No known data errors"
}' >"$dir/pool"
run 4 analyze "$dir/pool"

# ---- a pool, its vdev and its drive of one name
{
    printf '  pool: sda\n state: ONLINE\n  scan: none requested\nconfig:\n\n\tNAME      STATE     READ WRITE CKSUM\n'
    printf '\tsda       ONLINE       0     0     0\n\t  sda     ONLINE       0     0     0\n\t    sda   ONLINE       0     0     0\n'
    printf '\nerrors: No known data errors\n'
} >"$dir/pool"
run 4 analyze "$dir/pool"

# ---- pages that never end, never begin, or are no pages: each is named, none is waited for
mkdir -p "$dir/rules/folder.md"
ln -s /dev/zero "$dir/rules/endless.md"
ln -s loop.md "$dir/rules/loop.md"
ln -s . "$dir/rules/again"
awk 'BEGIN { for (i = 0; i < 40000; i++) print "# A heading, and no end of them" }' >"$dir/rules/long.md"
: >"$dir/rules/empty.md"
if command -v mkfifo >/dev/null 2>&1 && mkfifo "$dir/rules/pipe.md"; then piped_page=1; else piped_page=0; fi
run 1 rules lint --rules "$dir/rules"
for page in folder endless loop long empty; do has out "/rules/$page\.md:" "the page $page"; done
if [ "$piped_page" -eq 1 ]; then has out '/rules/pipe\.md:1: cannot be read' 'a pipe for a page'; fi
run 4 analyze "$dir/upload" --rules "$dir/rules"

# ---- a manifest with names that are no names
mkdir "$dir/lies"
{
    printf '# collector_version\t0.1.0\n# schema\t1\n# os\tLinux\n# host\tliar\n# epoch_start\t-99999999999999\n'
    printf '# sample_seconds\t1e309\n# timezone\t+9999\n'
    awk 'BEGIN { for (i = 0; i < 90000; i++) printf "x"; print "\t1\t1\t0\tok\tlong" }'
    printf '../../etc/shadow\t1\t2\t0\tok\tcat /etc/shadow\n[*\t1\t2\t0\tok\tlsblk\nuname\t1\t2\t0\tok\tlsblk\nbad\t9e99\t-5\tnan\tok\tlsblk\n'
} >"$dir/lies/manifest.tsv"
echo 'Linux liar 6.1.0-26-amd64 #1 SMP x86_64 GNU/Linux' >"$dir/lies/uname.out"
run 4 analyze "$dir/lies"
run 0 sql "$dir/lies" "SELECT command FROM source WHERE member = 'uname.out'"
has out '^lsblk$' 'a member of that manifest'

# ---- an upload that was cut says nothing of the commands whose output it lost
if command -v tar >/dev/null 2>&1; then
    (cd "$after" && tar cf - manifest.tsv date.out uname.out dmesg.out drives/smart_sda.out) >"$dir/whole.tar"
    size=$(wc -c <"$dir/whole.tar")
    head -c $((size - 30000)) "$dir/whole.tar" >"$dir/cut.tar"
    run 0 sql "$dir/cut.tar" "SELECT DISTINCT status, note FROM source WHERE member = 'drives/smart_sdb'"
    has out '^skipped	not read: ' 'a member that the cut took'
    has_not out 'no output' 'a member that the cut took'
    run 0 sql "$dir/whole.tar" "SELECT DISTINCT status, note FROM source WHERE member = 'drives/smart_sdb'"
    has out '^empty	no output' 'a member that is not there'
fi

# ---- names that steer a terminal do not reach it through what is said of them
esc=$(printf '\033')
steer=$(printf 'no\033]52;c;aGk=\007such\033[31m\342\200\256file')
run 3 analyze "$dir/$steer"
has err '/nosuchfile: No such file' 'an input that is not there'
run 3 analyze "$after" -o "$dir/$steer/x.html"
has err '/nosuchfile/x.html: ' 'a report that cannot be written'
run 2 analyze "$after" --format "$steer"
has err 'not "nosuchfile"' 'a format'
run 2 "$steer"
has err 'no command nosuchfile;' 'a command'
has_not err "$esc" 'a command'

finish
