#!/bin/sh
# --redact: nothing that identifies a drive, a host or a person is left in any format, and the tokens are the same everywhere.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

STORDX_REDACT_KEY='fixture-key-0001'
export STORDX_REDACT_KEY

# secrets BUNDLE: serial numbers, WWNs and host names of its facts, one a line.
secrets() {
    "$STORDX" sql "$1" "SELECT DISTINCT v FROM (SELECT trim(value) AS v FROM setting WHERE key IN ('serial', 'wwn', 'eui', 'nguid', 'hostname')
        UNION SELECT wwn FROM drive UNION SELECT serial FROM drive) WHERE length(v) >= 4 AND v NOT GLOB '0000*' AND v NOT IN ('localhost', 'files')" | # a host named files: every report has the word filesystem
        sed 1d
}

# clean BUNDLE FORMATS: none of these reports on it holds a secret of it.
clean() {
    secrets "$1" >"$dir/secrets"
    for format in $2; do
        "$STORDX" analyze --redact --format "$format" --exit-zero "$1" >"$dir/out" 2>"$dir/err" </dev/null
        if grep -i -F -f "$dir/secrets" "$dir/out" >"$dir/left"; then
            not_ok "$1, $format: left: $(head -n 1 "$dir/left" | cut -c 1-160)"
        else
            ok
        fi
    done
}

# One stage of each fixture; the sanitizers, which are slow, see that of one.
for fixture in fixtures/*/; do
    [ "${VARIANT:-plain}" = plain ] || [ "$fixture" = fixtures/microserver-write-cache/ ] || continue
    for bundle in "$fixture"bundle-*; do
        secrets "$bundle" >"$dir/secrets"
        # all formats are written from the same redacted answer: JSON has all of it, one fixture and the planted secrets
        # below go through each
        formats=json
        [ "$fixture" != fixtures/microserver-write-cache/ ] || formats='text markdown html json'
        if [ -s "$dir/secrets" ]; then clean "$bundle" "$formats"; fi
        break
    done
done

# Secrets in every place an upload can hold them.
host=quokka71
mkdir -p "$dir/$host/var" "$dir/$host/home/wombat3"
cp -r "$before"/. "$dir/$host"
chmod -R u+w "$dir/$host"
rm -f "$dir/$host/uname.out"
cat >"$dir/$host/log.txt" <<LOG
Sep 13 09:12:31 $host kernel: [    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)
Sep 13 09:12:32 $host kernel: [    1.846133] usb 2-1: SerialNumber: NUMBAT00112233
Sep 13 09:12:33 $host.bilby.example kernel: [    2.100000] nfs: server 203.0.113.77 not responding, still trying
Sep 13 09:12:34 $host kernel: [    2.200000] e1000e 0000:00:19.0 eth0: 52:54:00:aa:bb:cc, 2001:db8::71
Sep 13 09:12:35 $host sudo: wombat3 : TTY=pts/0 ; USER=root ; COMMAND=/home/wombat3/fix nqn.2014-08.org.nvmexpress:uuid:dingo
Sep 13 09:12:36 $host smartd[711]: mail to wombat3@bilby.example sent
LOG
printf 'I am wombat3@bilby.example, see /home/wombat3/notes on %s.\n' "$host" >"$dir/$host/complaint.txt"
cat >"$dir/$host/copy.txt" <<'COPY'
   ROBOCOPY     ::     Robust File Copy for Windows
   Source : C:\Users\Potoroo Stone\Videos\
     Dest : \\bettong5.bilby.example\media\Potoroo Stone\
   Files :         1         1         0         0         0         0
   Bytes :   1.000 g   1.000 g         0         0         0         0
   Speed :           107374182 Bytes/sec.
COPY
printf '%s\n' 'dd if=/dev/zero of=/home/quenda8/test bs=1M count=1024 oflag=direct' '1073741824 bytes (1.1 GB, 1.0 GiB) copied, 10.0 s, 107 MB/s' >"$dir/$host/dd.txt"
printf '%s\n' bettong5 quenda8 "$host" NUMBAT00112233 203.0.113.77 52:54:00:aa:bb:cc 2001:db8::71 wombat3@ /wombat3 'C:\Users\Potoroo' nvmexpress bilby >"$dir/planted"
for format in text markdown html json; do
    "$STORDX" analyze --redact --format "$format" --exit-zero "$dir/$host" >"$dir/out" 2>"$dir/err" </dev/null
    if grep -i -F -f "$dir/planted" "$dir/out" >"$dir/left"; then
        not_ok "planted, $format: left: $(head -n 1 "$dir/left" | cut -c 1-160)"
    else
        ok
    fi
done

# The same answer, and drives that can be followed.
run 1 analyze --format json "$before"
tr ',' '\n' <"$dir/out" | grep -E '"(rule|rank|confidence|status)"' >"$dir/plain"
run 1 analyze --redact --format json "$before"
tr ',' '\n' <"$dir/out" | grep -E '"(rule|rank|confidence|status)"' >"$dir/redacted"
check 'the same causes with and without' cmp "$dir/plain" "$dir/redacted"
run 1 analyze --redact "$before"
cp "$dir/out" "$dir/first"
run 1 analyze --redact "$before"
check 'the same key, the same bytes' cmp "$dir/first" "$dir/out"
run 1 compare --redact --format json "$before" "$after"
has_not out '21470D400458' 'compare'
has out 'SN-[0-9a-f]{8}' 'compare has tokens'
STORDX_REDACT_KEY='another-key-00002'
run 1 analyze --redact "$before"
check 'another key, other tokens' sh -c "! cmp -s '$dir/first' '$dir/out'"

# Keys.
STORDX_REDACT_KEY=short
run 2 analyze --redact "$before"
has err 'at least 16 bytes' 'a short key'
unset STORDX_REDACT_KEY
run 1 analyze --redact "$before"
has err 'redacted with the key [0-9a-f]{32}$' 'a random key is said'
has_not out '21470D400458' 'a random key'
echo fixture-key-0001 >"$dir/key"
run 1 analyze --redact-key-file "$dir/key" "$before"
check 'a key from a file' cmp "$dir/first" "$dir/out"
has_not err 'key' 'a given key is not printed'
run 2 analyze --redact-key-file "$dir/nothing" "$before"
finish
