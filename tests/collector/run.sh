#!/bin/sh
# Tests of collect/stordx-collect, under every shell that is here: sh tests/collector/run.sh [SHELL...]
#
# A host is made of plain files (proc, sys, run, etc) and a directory of fake tools, and the collector is pointed at both
# by the settings it keeps for tests. Its PATH is then that directory alone: no tool, no disk and no log of the
# machine that runs this is looked at, and root is not needed. One line per check; the last line counts them. The first
# shell gets every scenario (FULL=1), the others what depends on the shell: a whole run, a redacted one of FreeBSD, tools
# that hang, Ctrl-C. STORDX=PROGRAM: what that makes of the bundles is looked at, too. ONLY="redact bsd" runs those
# scenarios alone.

# SC2317: scenarios are called by name.
# shellcheck disable=SC2317
set -u
umask 022
HERE=$(cd "$(dirname "$0")" && pwd -P)
COLLECT=$HERE/../../collect/stordx-collect
TAB=$(printf '\t')
NL='
'
WORK=$(mktemp -d "${TMPDIR:-/tmp}/stordx-collector-test.XXXXXX") || exit 1
chmod 755 "$WORK"

end_tracers() {
    for f in "$WORK"/*/*/bin/tracer "$WORK"/probe/tracer; do
        # shellcheck disable=SC2046 # a list of numbers
        [ -r "$f" ] && kill $(cat "$f") 2>/dev/null
    done
    return 0
}
trap 'end_tracers; [ -n "${KEEP_WORK:-}" ] || rm -rf "$WORK"' EXIT
trap 'exit 1' INT TERM HUP

# ---------------------------------------------------------------------------------------------- a host of files

TOOLS='sh printf cat date sed grep sleep tar gzip uname id head tail wc tr cut mkdir rm mv cp chmod ls df dd od sha256sum env nice ionice touch'

TOOL_PATHS=''
for t in $TOOLS; do
    p=$(command -v "$t") || continue
    case $p in
    /*) ;;
    *) p=/usr/bin/$t ;; # a builtin here may be a program elsewhere
    esac
    [ ! -x "$p" ] || TOOL_PATHS="$TOOL_PATHS $p"
done

# put FILE TEXT: with its directories
put() {
    mkdir -p "${1%/*}"
    printf '%s\n' "$2" >"$1"
}

# disk ROOT NAME PARENT VENDOR MODEL REV SECTORS: PARENT is the path under /sys/devices down to the device
disk() {
    d_dir=$1/sys/devices/$3
    mkdir -p "$d_dir/block/$2/queue" "$1/sys/block"
    ln -s "../devices/$3/block/$2" "$1/sys/block/$2"
    ln -s "../.." "$d_dir/block/$2/device"
    [ -z "$4" ] || put "$d_dir/vendor" "$4  "
    [ -z "$5" ] || put "$d_dir/model" "$5 "
    put "$d_dir/rev" "$6"
    put "$d_dir/state" running
    put "$d_dir/block/$2/size" "$7"
    put "$d_dir/block/$2/stat" '     100        0     800       50       20        0     160       30        0       60       80'
    put "$d_dir/block/$2/queue/scheduler" '[mq-deadline] none'
    put "$d_dir/block/$2/queue/write_cache" 'write back'
    put "$d_dir/block/$2/queue/rotational" 1
}

# host ROOT: what every host has
host() {
    h=$1
    mkdir -p "$h/sys/block"
    put "$h/proc/uptime" '5000.25 9000.00'
    put "$h/proc/sys/kernel/random/boot_id" 11111111-2222-4333-8444-555555555555
    put "$h/proc/cmdline" 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet'
    put "$h/proc/diskstats" '   8       0 sda 100 0 800 50 20 0 160 30 0 60 80'
    put "$h/proc/pressure/io" 'some avg10=1.00 avg60=0.50 avg300=0.10 total=12345'
    put "$h/proc/pressure/memory" 'some avg10=0.00 avg60=0.00 avg300=0.00 total=99'
    put "$h/proc/stat" 'cpu  1 2 3 4 5 6 7 8 9 10'
    put "$h/proc/vmstat" 'pgpgin 10
pgpgout 20
nr_dirty 3
unwanted 1'
    put "$h/proc/devices" 'Block devices:
253 device-mapper'
    put "$h/proc/self/mountinfo" '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/two\040words rw shared:9 - xfs /dev/mapper/vg-two rw'
    put "$h/etc/machine-id" 0123456789abcdef0123456789abcdef
    put "$h/etc/os-release" 'PRETTY_NAME="Test Linux 1"'
}

# zfs_on ROOT: the module is loaded, one pool with a blank in its name
zfs_on() {
    put "$1/sys/module/zfs/version" 2.1.11-1
    put "$1/proc/spl/kstat/zfs/arcstats" 'hits 4 1'
    put "$1/proc/spl/kstat/zfs/zil" 'zil_commit_count 4 1'
    put "$1/proc/spl/kstat/zfs/big tank/state" ONLINE
    put "$1/proc/spl/kstat/zfs/big tank/txgs" '1 2 3'
}

# bench DIR: bin (basic tools) and root; settings that keep a run short
bench() {
    mkdir -p "$1/bin" "$1/root" "$1/base"
    # shellcheck disable=SC2086 # a list of paths
    ln -s $TOOL_PATHS "$1/bin/"
    host "$1/root"
    cat >"$1/bin/test-settings" <<END
root=$1/root
path=only
sample_seconds=1
base=$1/base
END
}
# place FILE NAME: moves it to where the tools are. bin holds links to the real tools, and writing to one
# would write through it to the machine's own program; a rename replaces the link.
place() { mv -f "$1" "$2"; }
# fake DIR NAME: a tool whose script is stdin; every call is noted in DIR/calls
fake() {
    {
        # shellcheck disable=SC2016 # for the fake's own shell
        printf '#!%s\nprintf "%%s\\n" "%s $*" >>"%s/calls"\n' "$1/bin/sh" "$2" "$1"
        cat
    } >"$1/new-tool"
    chmod 755 "$1/new-tool"
    place "$1/new-tool" "$1/bin/$2"
}
# stuck DIR NAME: a tool that KILL does not end
stuck() {
    cp "$WORK/unkillable" "$1/new-tool"
    place "$1/new-tool" "$1/bin/$2"
}

# ---------------------------------------------------------------------------------------------- running and checking

# collect DIR OPTIONS...: runs it there; RC, DIR/stdout, DIR/stderr; the bundle is unpacked to DIR/bundle
collect() {
    c=$1
    shift
    rm -rf "$c/bundle"
    mkdir "$c/bundle" "$c/here" 2>/dev/null
    # shellcheck disable=SC2086 # SHELL_CMD is a list of words
    (cd "$c/here" && STORDX_TEST_PATH=$c/bin exec $AS_USER $SHELL_CMD "$COLLECT" "$@") >"$c/stdout" 2>"$c/stderr" </dev/null
    RC=$?
    ARCHIVE=$(sed -n '$p' "$c/stdout")
    BUNDLE=$c/bundle/none
    if [ -f "$ARCHIVE" ] && tar -xzf "$ARCHIVE" -C "$c/bundle" 2>/dev/null; then
        BUNDLE=$(echo "$c"/bundle/*)
    fi
    MANIFEST=$BUNDLE/manifest.tsv
    read_manifest
}
check() { # TEXT COMMAND...
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        printf 'ok    %s: %s\n' "$SHELL_NAME" "$what"
    else
        printf 'FAIL  %s: %s   [%s]\n' "$SHELL_NAME" "$what" "$*"
    fi
}
skipped() { printf 'skip  %s: %s\n' "$SHELL_NAME" "$1"; }

not() { ! "$@"; }
equal() { [ "$1" = "$2" ]; }
column() { # NAME N: field N of the row
    field "$1" "$2"
    printf '%s\n' "$FIELD"
}
# field NAME N: the same in FIELD, from what read_manifest read
field() {
    case $NL$ROWS in
    *"$NL$1$TAB"*) ;;
    *)
        FIELD='no row'
        return
        ;;
    esac
    rest=$NL$ROWS
    rest=$1$TAB${rest#*"$NL$1$TAB"}
    rest=${rest%%"$NL"*}
    n_field=$2
    while [ "$n_field" -gt 1 ]; do
        rest=${rest#*"$TAB"}
        n_field=$((n_field - 1))
    done
    FIELD=${rest%%"$TAB"*}
}
read_manifest() { ROWS=$(sed '/^#/d' "$MANIFEST" 2>/dev/null); }
status_is() {
    field "$1" 5
    [ "$FIELD" = "$2" ]
}
rc_is() {
    field "$1" 4
    [ "$FIELD" = "$2" ]
}
header_is() { grep -q "^# $1$TAB$2\$" "$MANIFEST"; }
has_text() { grep -q -e "$2" "$1"; }
has_only() { [ "$(cat "$1")" = "$2" ]; }
smaller() { [ -f "$1" ] && [ "$(wc -c <"$1")" -le "$2" ]; }
bigger() { [ -f "$1" ] && [ "$(wc -c <"$1")" -gt "$2" ]; }
within() { [ "$1" -le "$2" ]; }
one_line() { [ "$(wc -l <"$1")" -eq 1 ]; }
well_formed() { # header lines first, then rows of six fields, names unique, times numbers or "-", a row for every file
    (cd "$BUNDLE" && ls -d ./* samples/* drives/* 2>/dev/null) | sed 's|^\./||' | awk -F '\t' '
        FILENAME == "-" {
            if ($0 ~ /^(manifest\.tsv|collector\.err|samples|drives)$/) next
            name = $0
            if (name ~ /^sysfs\.txt/) name = "sysfs.txt"; else sub(/\.[^.]*$/, "", name)
            if (!(name in seen)) bad = 1
            next
        }
        /^# / { if (rows || NF < 2) bad = 1; next }
        { rows++; if (NF != 6 || seen[$1]++ || $2 !~ /^([0-9]+|-)$/ || $3 !~ /^([0-9]+|-)$/ || $4 !~ /^([0-9]+|-)$/ || $6 == "") bad = 1 }
        $5 !~ /^(ok|rc|denied|truncated|timeout|hung|missing|skipped|skipped-denylist|model-unknown|standby)$/ { bad = 1 }
        END { exit bad || !rows }' "$MANIFEST" -
}
# what is true of every run
sane() { # TEXT
    check "$1: exit status 0" equal "$RC" 0
    check "$1: stdout is the archive alone" one_line "$c/stdout"
    check "$1: archive has mode 0600" equal "$(find "$ARCHIVE" -perm 600)" "$ARCHIVE"
    check "$1: one top folder named as the archive" equal "${BUNDLE##*/}" "$(basename "$ARCHIVE" .tar.gz)"
    check "$1: manifest comes first in it" equal "$(tar -tzf "$ARCHIVE" | sed -n 1p)" "${BUNDLE##*/}/manifest.tsv"
    check "$1: manifest is well formed" well_formed
    check "$1: no complaint of the shell" not test -e "$BUNDLE/collector.err"
    check "$1: work directory is gone" equal "$(ls -A "$c/base")" ''
}

# ---------------------------------------------------------------------------------------------- scenarios

usage_errors() {
    d=$1
    bench "$d"
    n=0
    while read -r args; do
        n=$((n + 1))
        # shellcheck disable=SC2086
        collect "$d" $args
        check "usage: '$args' gives exit 2" equal "$RC" 2
        check "usage: '$args' says so in one line" one_line "$d/stderr"
        check "usage: '$args' prints nothing on stdout" equal "$(cat "$d/stdout")" ''
    done <<'END'
--seconds
--seconds 0
--seconds -5
--seconds 08
--seconds 1.5
--seconds 99999
--seconds=5
-s 5
--label
-o
--output
--redact-key-file
--redact-key-file key
--redact-map map
--redact=everything
--bogus
word
END
    collect "$d" --help
    check 'usage: --help exits 0' equal "$RC" 0
    check 'usage: --help on stdout' has_text "$d/stdout" '--no-drive-queries'
    collect "$d" --version
    check 'usage: --version' has_text "$d/stdout" '^stordx-collect [0-9]'
}

# a host with every kind of drive and tools that work
working_host() {
    d=$1 r=$1/root
    bench "$d"
    zfs_on "$r"
    disk "$r" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    disk "$r" sdb pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0 ATA 'SAMSUNG HD204UI' 0001 3907029168
    disk "$r" sdc pci0000:00/0000:01:00.0/host2/port-2:0/end_device-2:0/target2:0:0/2:0:0:0 SEAGATE ST8000NM0075 E002 15628053168
    disk "$r" sdd pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host3/target3:0:0/3:0:0:0 ASMT 2115 0 3907029168
    disk "$r" sde pci0000:00/0000:00:1f.2/ata3/host4/target4:0:0/4:0:0:0 ATA 'INTEL SSDSA2M080' 02HD 156301488
    disk "$r" sdf pci0000:00/0000:00:1f.2/ata4/host5/target5:0:0/5:0:0:0 ATA 'HGST HUS724040AL' A5F0 7814037168
    disk "$r" sdg pci0000:00/0000:00:14.0/usb2/2-2/2-2:1.0/host6/target6:0:0/6:0:0:0 WDC WD20EARX-00PASB0 51.0 3907029168
    disk "$r" nvme0n1 pci0000:00/0000:02:00.0/nvme/nvme0 '' 'Samsung SSD 980 1TB' 2B4QFXO7 1953525168
    disk "$r" vda pci0000:00/0000:00:05.0/virtio1 '' '' '' 41943040
    for p in sda1:8:1 sdb1:8:17 sdf1:8:81; do
        n=${p%%:*}
        q=$r/sys/block/${n%1}/$n
        put "$q/partition" 1
        put "$q/dev" "${p#*:}"
        put "$r/run/udev/data/b${p#*:}" 'E:ID_FS_TYPE=zfs_member'
    done
    put "$r/run/log/journal/x/system.journal" binary
    put "$r/sys/class/ata_device/dev1.0/id" '0c5a 3fff
0001 0002'
    put "$r/sys/class/scsi_host/host9/proc_name" megaraid_sas
    put "$r/etc/cron.d/backup" '0 1 * * * root backup --password=hunter2 now'
    fake "$d" smartctl <<END
case "\$*" in
*/dev/sdb* | */dev/sdd*) touch "$d/FORBIDDEN" ;;
--version) echo 'smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)' ;;
--scan)
    echo '/dev/sda -d scsi # /dev/sda, SCSI device'
    echo '/dev/sdg -d sat # /dev/sdg [SAT], ATA device'
    echo '/dev/bus/9 -d megaraid,4 # /dev/bus/9 [megaraid_disk_04], SCSI device'
    echo '/dev/bus/9 -d megaraid,5 # /dev/bus/9 [megaraid_disk_05], SCSI device'
    echo '/dev/bus/9 -d megaraid,6 # /dev/bus/9 [megaraid_disk_06], SCSI device' ;;
*/dev/sdf*) exit 3 ;;
*/dev/sdc*) echo '{"smartctl": {"exit_status": 64}}'; exit 64 ;;
*) echo '{"smartctl": {"exit_status": 0}}' ;;
esac
END
    fake "$d" storcli64 <<'END'
cat <<'J'
"PD LIST" : [
{
"EID:Slt" : "252:0",
"DID" : 4,
"Size" : "3.637 TB",
"Model" : "ST4000NM0035-1V4107     "
},
{
"EID:Slt" : "252:1",
"DID" : 5,
"Size" : "1.818 TB",
"Model" : "SAMSUNG HD204UI         "
},
{
"EID:Slt" : "252:2",
"DID" : 6,
"Size" : "1.818 TB"
}
]
J
END
    fake "$d" hdparm <<END
case "\$*" in
*/dev/sdb* | */dev/sdd*) touch "$d/FORBIDDEN" ;;
esac
echo; echo "/dev/sda:"; echo ' write-caching =  1 (on)'
END
    for t in nvme zdb zfs lsblk lspci vmstat pidstat mpstat journalctl iostat; do
        fake "$d" $t <<END
echo "$t output"
END
    done
    fake "$d" zpool <<'END'
case $* in
history*) i=0; while [ $i -lt 500 ]; do i=$((i + 1)); echo "line $i"; done ;;
*) echo "zpool output" ;;
esac
END
    fake "$d" dmesg <<'END'
case $* in
--help) echo ' -x, --decode' ;;
*) echo 'kern  :info  : [    1.000000] hello' ;;
esac
END
    fake "$d" lvs </dev/null
    fake "$d" ps <<'END'
echo '    PID    PPID STAT WCHAN                            ELAPSED     TIME   RSS COMMAND'
echo '      9       1 D    io_schedule                          100 00:00:01   100 /usr/bin/sync --passphrase=hunter2 aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjjTOOFAR'
END
    fake "$d" xfs_info <<'END'
[ "$1" = '/mnt/two words' ] && echo "meta-data=$1"
END
}
check_working_host() {
    d=$1
    working_host "$d"
    collect "$d" --seconds 60 --label 'before /the fix' -o "$d/here"
    sane working
    [ -z "$FULL" ] || report_says working 'collector: skipped-denylist: .*HD204UI.*loses data' 'collector: model-unknown: ' 'collector: standby'
    check 'working: closing hint is the last line of stderr' has_text "$d/stderr" '^This run covers 60 s\. .*--seconds 600'
    check 'working: closing hint comes last' equal "$(sed -n '$p' "$d/stderr" | cut -c 1-22)" 'This run covers 60 s. '
    check 'working: label in the name' has_text "$d/stdout" '-before--the-fix\.tar\.gz$'
    check 'working: label in the manifest' header_is label 'before /the fix'
    check 'working: archive where -o says' test -f "$d/here/${ARCHIVE##*/}"
    check 'working: test path is told' header_is test_path "$d/bin"
    check 'working: host identity is the HMAC of the machine-id' header_is host_identity 310bd044fc6a63c559939b95f7cdba9d
    check 'working: machine-id is nowhere' not grep -rq 0123456789abcdef0123456789abcdef "$BUNDLE"
    check 'working: boot id' header_is boot_id 11111111-2222-4333-8444-555555555555
    check 'working: uptime' header_is uptime_start_s 5000.25
    check 'working: schema' header_is schema 1
    check 'working: sampling seconds' header_is sample_seconds 60
    check 'working: complete' header_is complete yes
    for k in collector_version uid host timezone epoch_start epoch_end redacted; do check "working: header $k" header_is "$k" '..*'; done
    check 'working: first report of iostat is marked' header_is first_report "samples/iostat${TAB}since-boot"
    check 'working: first report of vmstat is marked' header_is first_report "samples/vmstat${TAB}since-boot"
    check 'working: first report of zpool iostat is marked' header_is first_report "samples/zpool_iostat${TAB}since-import"
    check 'working: first report of the queues is marked' header_is first_report "samples/zpool_iostat_q${TAB}since-import"
    check 'working: iostat command' equal "$(column samples/iostat 6)" 'iostat -dxmt 1 61'
    check 'working: zpool iostat command' equal "$(column samples/zpool_iostat 6)" 'zpool iostat -vlpP -T u 1 61'
    for n in uname date uptime os cmdline mounts pressure0 sysfs.txt lsblk lspci lspci_vv zpool_status zpool_list zfs_get zpool_events \
        kstat_arcstats kstat_pools ps cron samples/raw samples/iostat samples/zpool_iostat samples/txgs samples/vmstat samples/pidstat \
        samples/mpstat samples/kstat2_start samples/kstat2_end samples/zpool_hist drives/scan drives/smart_sda drives/hdparm_sda drives/hdparm_W_sda \
        drives/smart_nvme0n1 drives/nvme_smart_nvme0n1 drives/nvme_id_ns_nvme0n1 drives/nvme_list drives/zdb_sda1 dmesg journal_kernel journal_storage raid_storcli64; do
        check "working: $n is ok" status_is "$n" ok
    done
    for n in virt lsscsi multipath systemctl; do
        [ "$n" != systemctl ] || n=timers
        check "working: $n is missing" status_is "$n" missing
    done
    # order: samples after the static facts, drives after the samples, logs last; nothing else while sampling
    check 'working: no drive is asked before the samples end' awk '
        { n++ } /^iostat/ { samples = n } /^smartctl .*\/dev/ && !asked { asked = n } /^dmesg -x/ { log_ = n } /^(nvme|zdb|hdparm)/ { last = n }
        END { exit !(samples < asked && last < log_) }' "$d/calls"
    check 'working: all samplers start together' awk '
        { n++ } /^(iostat|vmstat|pidstat|mpstat|zpool iostat -v)/ { if (!first) first = n; last = n; k++ } END { exit !(k == 6 && last - first == 5) }' "$d/calls"
    # drives
    check 'denylist: HD204UI was never asked' not test -e "$d/FORBIDDEN"
    check 'denylist: row for smartctl' status_is drives/smart_sdb skipped-denylist
    check 'denylist: row for hdparm' status_is drives/hdparm_sdb skipped-denylist
    check 'denylist: reason in the manifest' header_is skipped "drives/smart_sdb${TAB}.*HD204UI.*loses data"
    check 'denylist: told at the end' has_text "$d/stderr" 'not asked: /dev/sdb .*HD204UI'
    check 'denylist: USB bridge of the size is model-unknown' status_is drives/smart_sdd model-unknown
    check 'denylist: RAID member of that model' status_is drives/smart_bus_9_megaraid_5 skipped-denylist
    check 'denylist: RAID member without model, of the size' status_is drives/smart_bus_9_megaraid_6 model-unknown
    check 'denylist: RAID members that may be' not has_text "$d/calls" 'megaraid,[56]'
    check 'drives: other RAID member is asked' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d megaraid,4 /dev/bus/9$'
    check 'drives: USB drive that shows a model is asked with the type of the scan' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d sat /dev/sdg$'
    check 'drives: SATA is asked as sat, whatever the scan says' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d sat /dev/sda$'
    check 'drives: SAS is asked as scsi' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d scsi /dev/sdc$'
    check 'drives: NVMe is asked as nvme' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d nvme /dev/nvme0n1$'
    check 'drives: X25-M without its self-test log' has_text "$d/calls" '^smartctl --json=o -i -H -A -l error -n standby,3 -d sat /dev/sde$'
    check 'drives: exit status of smartctl is kept' rc_is drives/smart_sdc 64
    check 'drives: and its output' has_text "$BUNDLE/drives/smart_sdc.out" exit_status
    check 'drives: sleeping drive is standby' status_is drives/smart_sdf standby
    check 'drives: sleeping drive gets no hdparm' not has_text "$d/calls" '^hdparm .*/dev/sdf'
    check 'drives: sleeping drive gets no zdb' not has_text "$d/calls" '^zdb .*/dev/sdf'
    check 'drives: lvs would wake it' status_is lvs skipped
    check 'drives: SAS and USB get no hdparm' not has_text "$d/calls" '^hdparm .*/dev/sd[cdg]'
    check 'drives: virtual disk is not asked' status_is drives/smart_vda skipped
    # contents
    check 'working: sysfs.txt has path and value' has_text "$BUNDLE/sysfs.txt" "^/sys/block/sda/queue/write_cache${TAB}write back\$"
    check 'working: sysfs.txt has real paths' has_text "$BUNDLE/sysfs.txt" "^/sys/block/sda${TAB}/sys/devices/pci0000:00/0000:00:1f.2/ata1/"
    check 'working: outer blanks are off' has_text "$BUNDLE/sysfs.txt" "^/sys/block/sdb/device/model${TAB}SAMSUNG HD204UI\$"
    check 'working: longer values are joined' has_text "$BUNDLE/sysfs.txt" "^/sys/class/ata_device/dev1.0/id${TAB}0c5a 3fff 0001 0002\$"
    check 'working: raw samples' awk '/^=== [0-9.]+ $/ { t++ } /^ +8 +0 sda / { d++ } /^some / { p++ } /^cpu / { c++ } /^pgpgin / { v++ } /unwanted/ { bad++ } END { exit !(t == 2 && d == 2 && p == 4 && c == 2 && v == 2 && !bad) }' "$BUNDLE/samples/raw.out"
    check 'working: passwords of cron jobs are out' not grep -rq hunter2 "$BUNDLE"
    check 'working: but the job is in' has_text "$BUNDLE/cron.out" 'password=\*\*\* now'
    check 'working: long arguments are cut' not grep -q TOOFAR "$BUNDLE/ps.out"
    check 'blanks: mount point' status_is xfs__mnt_two_words ok
    check 'blanks: it is quoted in the command' equal "$(column xfs__mnt_two_words 6)" "xfs_info '/mnt/two words'"
    check 'blanks: pool' equal "$(column zpool_history_big_tank 6)" "zpool history -il 'big tank'"
    check 'caps: history keeps the last 400 lines' equal "$(sed -n 1p "$BUNDLE/zpool_history_big_tank.out")" 'line 101'
    check 'caps: and is truncated' status_is zpool_history_big_tank truncated
    check 'caps: the manifest says at which end' header_is truncated "zpool_history_big_tank${TAB}head: .*"
}

# --no-drive-queries and 600 s on the same host
check_no_queries() {
    d=$1
    working_host "$d"
    collect "$d" --no-drive-queries --seconds 600 --output "$d/a file name.tgz"
    check 'no queries: exit status 0' equal "$RC" 0
    check 'no queries: nothing was asked' not grep -Eq '^(smartctl|hdparm|nvme|zdb|storcli64|lvs)' "$d/calls"
    report_says 'no queries' 'collector: skipped: --no-drive-queries'
    check 'no queries: rows say so' status_is drives/smart_sda skipped
    check 'no queries: the manifest says so' header_is drive_queries no
    check '600 s: no closing hint' not has_text "$d/stderr" 'This run covers'
    check '600 s: iostat is told' equal "$(column samples/iostat 6)" 'iostat -dxmt 1 601'
    check 'blanks: -o FILE' equal "$ARCHIVE" "$d/a file name.tgz"
}

# another language in the environment, tools that ask, that never answer, that need root, and no printing of any
check_odd() {
    d=$1 r=$1/root
    bench "$d"
    disk "$r" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    echo limit_max=2 >>"$d/bin/test-settings"
    rm -f "$r/proc/cmdline"
    mkfifo "$r/proc/cmdline" "$d/fifo"
    fake "$d" lsblk <<'END'
echo "$LC_ALL/$LANG/$LANGUAGE/$TERM/$COLUMNS"
END
    fake "$d" lspci <<'END'
printf 'Password: '
if read -r answer; then sleep 30; fi
exit 4
END
    fake "$d" lsscsi <<END
cat "$d/fifo"
END
    fake "$d" systemctl <<'END'
echo 'System has not been booted with systemd as init system (PID 1). Can not operate.' >&2
exit 1
END
    fake "$d" multipath <<'END'
echo 'need to be root' >&2
exit 1
END
    fake "$d" ps <<'END'
echo 'ps: invalid option -- e' >&2
exit 1
END
    fake "$d" dmesg <<'END'
[ $# = 0 ] || exit 1
cat "$STORDX_TEST_PATH/../fifo"
END
    LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de
    export LC_ALL LANG LANGUAGE
    collect "$d" --seconds 5
    unset LC_ALL LANG LANGUAGE
    sane odd
    check 'odd: other languages do not reach the tools' has_only "$BUNDLE/lsblk.out" C/C//dumb/400
    check 'odd: who asks gets no answer' rc_is lspci 4
    check 'odd: who reads what never comes is ended' status_is lsscsi timeout
    check 'odd: the log too' status_is dmesg timeout
    check 'odd: a file that never answers' status_is cmdline timeout
    check 'odd: no rights' status_is multipath denied
    check 'odd: a ps of another kind' status_is ps rc
    check 'odd: /proc stands in' status_is ps_proc ok
    check 'odd: load is in the manifest' header_is load_cpu_s '[0-9]*\.[0-9][0-9]'
    check 'odd: of the samples, too' header_is load_cpu_samples_s '[0-9]*\.[0-9][0-9]'
    check 'odd: commands to drives are counted' header_is load_drive_commands '[0-9]*'
    check 'odd: no progress where there is no terminal' not grep -q "$(printf '\r')" "$d/stderr"
    report_says odd 'collector: timeout' 'collector: denied' 'collector: missing' 'collector: skipped: nothing of that kind here'
    if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
        rm -f "$r/proc/cmdline" "$d/bin/dmesg" "$d/bin/lsscsi"
        STORDX_TEST_PATH=$d/bin script -qec "$SHELL_CMD $COLLECT --seconds 5 -o $d/here" /dev/null </dev/null >"$d/screen" 2>&1
        check 'odd: progress on a terminal' grep -q 'sampling, [0-9]* s left' "$d/screen"
    else
        skipped 'progress on a terminal: no program script here'
    fi
}

# report_says WHAT TEXT...: the report on the bundle tells what is not there, and why
report_says() {
    what_of=$1
    shift
    if [ -z "$STORDX" ]; then
        skipped "$what_of: what the report says: no stordx program is built here (set STORDX)"
        return
    fi
    "$STORDX" analyze --exit-zero --format json "$BUNDLE" >"$c/report" 2>&1
    check "$what_of: the bundle is analysed" grep -q '"drives"' "$c/report"
    for w_text; do check "$what_of: the report says '$w_text'" grep -q "$w_text" "$c/report"; done
}

# two at once, no /tmp, a place that is read only
check_together() {
    d=$1
    bench "$d"
    disk "$d/root" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    mkdir -p "$d/here"
    : >"$d/no-directory"
    printf 'base=%s\nbase=%s\nbase=%s\n' "$d/not-there" "$d/no-directory" "$d/base" >"$d/bases"
    sed '/^base=/d' "$d/bin/test-settings" | cat - "$d/bases" >"$d/settings"
    place "$d/settings" "$d/bin/test-settings"
    for n in 1 2; do
        # shellcheck disable=SC2086
        (cd "$d/here" && STORDX_TEST_PATH=$d/bin exec $SHELL_CMD "$COLLECT" --seconds 5 --label "$n") >"$d/out.$n" 2>"$d/err.$n" </dev/null &
        eval "pid_$n=\$!"
    done
    # shellcheck disable=SC2154 # by the eval
    wait "$pid_1"
    n1=$?
    # shellcheck disable=SC2154
    wait "$pid_2"
    n2=$?
    check 'two at once: both end well' equal "$n1$n2" 00
    check 'two at once: two archives' equal "$(find "$d/here" -name '*.tar.gz' | wc -l | tr -d ' ')" 2
    check 'two at once: nothing is left in the work place' equal "$(ls -A "$d/base")" ''
    check 'two at once: each is whole' tar -tzf "$(cat "$d/out.1")"
    check 'no /tmp: the next place is taken' one_line "$d/out.2"
    # read-only root: neither the current directory nor the first places can be written
    mkdir -p "$d/ro/work" "$d/free"
    printf 'base=%s\nbase=%s\n' "$d/ro/work" "$d/free" >"$d/bases"
    sed '/^base=/d' "$d/bin/test-settings" | cat - "$d/bases" >"$d/settings"
    place "$d/settings" "$d/bin/test-settings"
    cat >"$d/ro.sh" <<END
mount --bind '$d/ro' '$d/ro' && mount -o remount,ro,bind '$d/ro' || exit 99
touch '$d/ro/x' 2>/dev/null && exit 99
cd '$d/ro' && STORDX_TEST_PATH='$d/bin' $SHELL_CMD '$COLLECT' --seconds 5 >'$d/out.3' 2>'$d/err.3' </dev/null
END
    unshare -rm sh "$d/ro.sh" >/dev/null 2>&1
    RC=$?
    if [ "$RC" = 99 ] || ! [ -e "$d/out.3" ]; then
        skipped 'read-only root: no mount namespace here'
    else
        check 'read-only root: exit status 0' equal "$RC" 0
        check 'read-only root: the archive is where one can write' equal "$(dirname "$(cat "$d/out.3")")" "$d/free"
        check 'read-only root: and nothing else' equal "$(find "$d/free" | wc -l | tr -d ' ')" 2
    fi
}

# nothing but the drive that must not be asked
check_denied_alone() {
    d=$1
    bench "$d"
    disk "$d/root" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'SAMSUNG HD155UI' 0001 2930277168
    for t in smartctl hdparm; do
        fake "$d" $t <<'END'
echo called
END
    done
    # and a sleep that takes whole seconds only
    fake "$d" sleep <<END
case \$1 in *.*) exit 1 ;; esac
exec $(command -v sleep) "\$1"
END
    # and a tar that knows no gzip, a date without parts of a second, no room for a greedy tool
    fake "$d" tar <<END
case \$1 in *z*) exit 64 ;; esac
exec $(command -v tar) "\$@"
END
    fake "$d" date <<END
case \$1 in
*%N*) exec $(command -v date) "+%s.%%N" ;;
esac
exec $(command -v date) "\$@"
END
    fake "$d" lsblk <<'END'
ulimit -v
END
    collect "$d" --seconds 5
    sane 'denied alone'
    check 'denied alone: whole seconds where date has no others' has_text "$BUNDLE/samples/raw.out" '^=== [0-9]* $'
    check 'denied alone: memory of a tool is capped' has_only "$BUNDLE/lsblk.out" 4194304
    check 'denied alone: smartctl and hdparm are not started at all' not grep -q '^smartctl\|^hdparm' "$d/calls"
    check 'denied alone: row' status_is drives/smart_sda skipped-denylist
}

# md, LVM, old smartctl, no journal
check_md_host() {
    d=$1 r=$1/root
    bench "$d"
    disk "$r" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    # as on a Synology
    disk "$r" sata1 pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    put "$r/etc.defaults/VERSION" 'productversion="7.2"'
    p=$r/sys/block/sda/sda1
    put "$p/partition" 1
    put "$p/dev" 8:1
    put "$r/run/udev/data/b8:1" 'E:ID_FS_TYPE=linux_raid_member'
    put "$r/sys/block/md0/md/array_state" clean
    put "$r/sys/block/md0/md/bad_blocks_all" 'not wanted'
    put "$r/sys/block/md0/md/dev-sda1/state" in_sync
    put "$r/proc/mdstat" 'md0 : active raid1 sda1[0]'
    put "$r/proc/modules" 'libata 1 0 - Live 0x0'
    mkdir -p "$r/dev/disk/by-id" "$r/var/log"
    ln -s ../../sda "$r/dev/disk/by-id/ata-WDC_WD40EFRX-68N_WD-1"
    put "$r/var/lib/smartmontools/attrlog.WDC-1.csv" '2024-01-01 00:00:00;1;100;0;'
    head -c 9000000 /dev/zero | tr '\000' 'x' | fold -w 99 >"$r/var/log/syslog"
    printf '\nthe last line\n' >>"$r/var/log/syslog"
    for t in mdadm dmsetup vgs pvs; do
        fake "$d" $t <<END
echo "$t output"
END
    done
    fake "$d" lvs </dev/null
    fake "$d" smartctl <<'END'
case $* in
--version) echo 'smartctl 6.6 2016-05-31 r4324 [x86_64-linux-3.16.0] (local build)' ;;
*) echo 'text' ;;
esac
END
    fake "$d" dmesg <<'END'
case $* in
'') echo '[    1.0] plain' ;;
*) echo 'Usage: dmesg [-c]' >&2; exit 1 ;;
esac
END
    collect "$d" --seconds 5
    sane md
    for n in mdstat mdadm_md0 md_sysfs drives/smart_sda drives/mdadm_E_sda1 dmsetup_table dmsetup_status lvs vgs pvs byid dmesg smartd_attrlog modules; do
        check "md: $n is ok" status_is "$n" ok
    done
    check 'md: superblock by its device' has_text "$d/calls" '^mdadm -E /dev/sda1$'
    check 'md: state of the array' has_text "$BUNDLE/md_sysfs.out" 'md0/md/array_state:clean'
    check 'md: no bad block lists' not has_text "$BUNDLE/md_sysfs.out" 'not wanted'
    check 'md: old smartctl gets old options' has_text "$d/calls" '^smartctl -x -n standby,3 -d sat /dev/sda$'
    check 'md: a drive by another name' has_text "$d/calls" '^smartctl -x -n standby,3 -d sat /dev/sata1$'
    check 'md: version of the appliance' has_text "$BUNDLE/os.out" 'productversion="7.2"'
    check 'md: keys of dm tables stay hidden' not has_text "$d/calls" showkeys
    check 'md: volumes are read after the samples' awk '/^lvs/ { l = NR } /^smartctl .*sda/ { s = NR } END { exit !(s && l > s) }' "$d/calls"
    check 'md: zpool is missing, not asked' status_is zpool_status missing
    check 'md: one by-id directory still says its name' has_text "$BUNDLE/byid.out" '/dev/disk/by-id:$'
    check 'md: dmesg without options' has_text "$BUNDLE/dmesg.out" plain
    check 'md: no journal: syslog, cut at its head' status_is log_syslog truncated
    check 'md: the manifest says so' header_is truncated "log_syslog${TAB}head: .*"
    check 'md: its end is there' equal "$(sed -n '$p' "$BUNDLE/log_syslog.out")" 'the last line'
    # without smartctl hdparm tells whether it is awake
    rm "$d/bin/smartctl"
    fake "$d" hdparm <<'END'
case $* in
-C*) echo ' drive state is:  standby' ;;
esac
END
    collect "$d" --seconds 5
    check 'md: asleep by hdparm -C' status_is drives/hdparm_power_sda ok
    check 'md: so no IDENTIFY' not has_text "$d/calls" '^hdparm -I'
    check 'md: and no superblock' status_is drives/mdadm_E_sda1 skipped
}

# only basic tools, as in a rescue shell
check_bare() {
    d=$1
    bench "$d"
    if command -v busybox >/dev/null 2>&1; then
        for t in $TOOLS; do
            busybox --list 2>/dev/null | grep -qx "$t" && ln -sf "$(command -v busybox)" "$d/bin/$t"
        done
    fi
    disk "$d/root" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    collect "$d" --seconds 5
    sane bare
    for n in lsblk lspci samples/iostat samples/vmstat samples/pidstat drives/smart_sda; do check "bare: $n is missing" status_is "$n" missing; done
    for n in sysfs.txt diskstats0 mounts samples/raw; do check "bare: $n is ok" status_is "$n" ok; done
    check 'bare: zpool is not there' status_is zpool_status missing
    check 'bare: ps from /proc' status_is ps_proc ok
    check 'bare: sysstat is missed' has_text "$d/stderr" sysstat
    check 'bare: archive in the current directory' equal "$ARCHIVE" "$d/here/${ARCHIVE##*/}"
}

# tools that hang, fail, lie and flood
check_bad_tools() {
    d=$1 r=$1/root
    bench "$d"
    zfs_on "$r"
    disk "$r" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    disk "$r" sdb pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    echo limit_max=2 >>"$d/bin/test-settings"
    fake "$d" lsscsi <<'END'
trap '' TERM INT HUP
echo 'before it hangs'
while :; do sleep 0.2; done
END
    fake "$d" multipath <<'END'
exec sleep 30
END
    fake "$d" lspci <<'END'
exec head -c 104857600 /dev/zero
END
    fake "$d" lsblk <<'END'
trap '' XFSZ
head -c 104857600 /dev/zero
exit 1
END
    fake "$d" sysctl <<'END'
head -c 65536 /dev/urandom
printf '\t\n\033[31m\000\t\n' >&2
END
    fake "$d" df <<'END'
echo 'df: no such option' >&2
exit 1
END
    fake "$d" dmesg <<'END'
echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2
exit 1
END
    fake "$d" smartctl <<'END'
case "$*" in
--version) echo 'not a version'; exit 0 ;;
--scan) exit 1 ;;
*/dev/sda*) trap '' TERM; while :; do sleep 0.2; done ;;
*) echo 'Smartctl open device: /dev/sdb failed: Permission denied'; exit 2 ;;
esac
END
    fake "$d" iostat <<'END'
trap '' TERM
echo 'one report'
while :; do sleep 0.2; done
END
    if [ -x "$WORK/unkillable" ]; then
        stuck "$d" zpool
    else
        fake "$d" zpool </dev/null
    fi
    t=$(date +%s)
    collect "$d" --seconds 5 -o "$d/here"
    t=$(($(date +%s) - t))
    check 'bad tools: exit status 0' equal "$RC" 0
    check 'bad tools: manifest is well formed' well_formed
    check "bad tools: ended in time ($t s)" within "$t" 100
    check 'bad tools: deaf to TERM is a timeout' status_is lsscsi timeout
    check 'bad tools: what it wrote before is kept' has_text "$BUNDLE/lsscsi.out" 'before it hangs'
    check 'bad tools: hanging politely is a timeout' status_is multipath timeout
    check 'bad tools: 100 MB are truncated' status_is lspci truncated
    check 'bad tools: to the cap' smaller "$BUNDLE/lspci.out" 16777216
    check 'bad tools: and not to nothing' bigger "$BUNDLE/lspci.out" 1000000
    check 'bad tools: at the end, the manifest says' header_is truncated "lspci${TAB}end: .*"
    check 'bad tools: 100 MB from one that ignores the signal' status_is lsblk truncated
    check 'bad tools: garbage is kept as it is' equal "$(wc -c <"$BUNDLE/sysctl.out" | tr -d ' ')" 65536
    check 'bad tools: garbage is ok' status_is sysctl ok
    check 'bad tools: failure is rc' status_is df rc
    check 'bad tools: with its exit status' rc_is df 1
    check 'bad tools: and its words' has_text "$BUNDLE/df.err" 'no such option'
    check 'bad tools: missing rights are denied' status_is dmesg denied
    check 'bad tools: on stdout too' status_is drives/smart_sdb denied
    check 'bad tools: missing rights are told' has_text "$d/stderr" 'SMART data of the drives'
    check 'bad tools: version that is none means old options' has_text "$d/calls" '^smartctl -x -n standby,3 -d sat /dev/sda$'
    check 'bad tools: sampler that does not end is a timeout' status_is samples/iostat timeout
    check 'bad tools: its data are kept' has_text "$BUNDLE/samples/iostat.out" 'one report'
    check 'bad tools: a drive that timed out does not stop the next' has_text "$d/calls" '/dev/sdb'
    if [ ! -x "$WORK/unkillable" ]; then
        skipped 'hung: a process that survives KILL cannot be made here'
        return
    fi
    check 'hung: survivor of KILL is hung' status_is zpool_status hung
    check 'hung: and left behind' header_is hung "zpool_status${TAB}pid .*left behind"
    check 'hung: the next of its topic is skipped' status_is zpool_list skipped
    check 'hung: for that reason' header_is skipped "zpool_list${TAB}.*zpool hung.*"
    check 'hung: zpool iostat is not started either' status_is samples/zpool_iostat skipped
    check 'hung: kernel memory stands in' has_text "$BUNDLE/kstat_pools.out" 'big tank/state:ONLINE'
    check 'hung: other topics go on' status_is samples/raw ok
    check 'hung: what it wrote before is kept' has_text "$BUNDLE/zpool_status.out" 'first words'
    check 'hung: it is told' has_text "$d/stderr" 'hung in the kernel and left behind: zpool status'
    check 'hung: it still hangs' kill -0 "$(cat "$d/bin/tracer")"
    [ -n "$FULL" ] || return
    report_says hung 'collector: hung' 'collector: skipped: an earlier command about zpool hung' 'collector: truncated' 'collector: timeout' 'collector: denied'
    # without -o the archive must not go where something hangs
    kill "$(cat "$d/bin/tracer")" 2>/dev/null
    stuck "$d" systemd-detect-virt
    rm -f "$d/bin/zpool" "$d/bin/lsscsi" "$d/bin/multipath" "$d/bin/iostat" "$d/bin/smartctl" "$d/bin/lspci" "$d/bin/lsblk"
    stuck "$d" multipath
    collect "$d" --seconds 5
    check 'hung: default place is not the current directory' equal "$ARCHIVE" "$d/base/${ARCHIVE##*/}"
    check 'hung: the same program is not tried again' status_is virt_container skipped
    check 'hung: another one is' status_is multipath hung
}

# what floods, where the shell has no ulimit: another shell may have it, or nobody
check_floods() {
    for how in other none; do
        d=$1/$how
        bench "$d"
        printf '%s\n' "ulimit=$how" limit_max=20 >>"$d/bin/test-settings"
        fake "$d" lspci <<END
[ "\$1" = -nnk ] || exit 0 # once is enough
echo \$\$ >>"$d/pids"
exec cat /dev/zero
END
        fake "$d" lsblk <<END
echo \$\$ >>"$d/pids"
trap '' XFSZ TERM
echo 'said before'
while :; do cat /dev/zero >&2 || exit 4; done
END
        fake "$d" df <<'END'
head -c 1048576 /dev/zero
exit 7
END
        fake "$d" iostat <<END
echo \$\$ >>"$d/pids"
exec cat /dev/zero
END
        fake "$d" vmstat <<'END'
echo 'vmstat output'
exit 3
END
        t=$(date +%s)
        collect "$d" --seconds 5
        t=$(($(date +%s) - t))
        sane "flood, ulimit of $how"
        check "flood, ulimit of $how: ended in time ($t s)" within "$t" 60
        for n in lspci lsblk samples/iostat; do
            check "flood, ulimit of $how: $n is truncated" status_is $n truncated
            check "flood, ulimit of $how: $n: the manifest says where" header_is truncated "$n${TAB}end: stopped at the size cap"
            f=$n.out
            [ $n != lsblk ] || f=lsblk.err
            check "flood, ulimit of $how: $n has exactly the cap" equal "$(wc -c <"$BUNDLE/$f" | tr -d ' ')" 16777216
        done
        check "flood, ulimit of $how: exit status is the signal's" rc_is lspci 153
        check "flood, ulimit of $how: stdout is kept beside it" has_text "$BUNDLE/lsblk.out" 'said before'
        check "flood, ulimit of $how: a megabyte is no flood" status_is df rc
        check "flood, ulimit of $how: and is kept" equal "$(wc -c <"$BUNDLE/df.out" | tr -d ' ')" 1048576
        check "flood, ulimit of $how: with its exit status" rc_is df 7
        check "flood, ulimit of $how: that of a sampler, too" rc_is samples/vmstat 3
        gone=yes
        while read -r p; do kill -0 "$p" 2>/dev/null && gone="no: $p"; done <"$d/pids"
        check "flood, ulimit of $how: none of them is left" equal "$gone" yes
        rm -rf "$d/bundle"
    done
    # a sampler of our own, which no other shell can run
    d=$1/function
    bench "$d"
    zfs_on "$d/root"
    yes '1 2 3' | head -c 17000000 >"$d/root/proc/spl/kstat/zfs/big tank/txgs"
    printf '%s\n' ulimit=other sample_seconds=3 >>"$d/bin/test-settings"
    collect "$d" --seconds 5
    sane 'flood of a function'
    check 'flood of a function: is truncated' status_is samples/txgs truncated
    check 'flood of a function: to the cap' equal "$(wc -c <"$BUNDLE/samples/txgs.out" | tr -d ' ')" 16777216
    check 'flood of a function: a program that reads the same is, too' status_is kstat_pools truncated
    check 'flood of a function: other samplers go on' status_is samples/raw ok
    rm -rf "$d/bundle"
}

# a FreeBSD host: its own tools, and no /proc and /sys of the files
bsd_host() {
    d=$1 r=$1/root
    bench "$d"
    rm -rf "$r/proc" "$r/sys"
    for t in awk sort uniq; do p=$(command -v $t) && ln -sf "$p" "$d/bin/$t"; done
    rm -f "$d/bin/sha256sum" "$d/bin/ionice"
    fake "$d" sha256 <<END
# -q: hashes alone
shift
$(command -v sha256sum) "\$@" | sed 's/ .*//'
END
    fake "$d" uname <<'END'
case $1 in
-s) echo FreeBSD ;;
-n) echo nas7.bilby.example ;;
*) echo 'FreeBSD nas7.bilby.example 13.2-RELEASE-p4 FreeBSD 13.2-RELEASE-p4 GENERIC amd64' ;;
esac
END
    fake "$d" sysctl <<'END'
case $* in
'-n kern.hostuuid') echo 01234567-89ab-cdef-0123-456789abcdef ;;
'-n kern.boottime') echo '{ sec = 1000000000, usec = 5 } Sun Sep  9 01:46:40 2001' ;;
'-n vfs.zfs.version.module') echo zfs-kmod-2.1.9-FreeBSD_g92e0d9d18 ;;
'-n security.jail.jailed') echo 0 ;;
'-n kern.disks') echo 'nvd0 da2 da1 da0 ada2 ada1 ada0' ;;
'-b kern.geom.confxml') printf '<mesh>\n  <class id="0x1">\n    <name>DISK</name>\n    <geom id="0x2"><name>ada0</name><provider id="0x3"><config><ident>WD-WX12A34B567C</ident><lunid>50014ee20a1b2c3d</lunid><descr>WDC WD40EFRX-68N32N0</descr></config></provider></geom>\n  </class>\n</mesh>\n\000' ;;
'-n '*) exit 1 ;;
*kstat.zfs*) echo 'kstat.zfs.misc.arcstats.hits: 4' ;;
kern.cp_times) echo 'kern.cp_times: 1 2 3 4 5' ;;
*) echo 'hw.model: Test CPU'; echo "sysctl: unknown oid 'dev.mps'" >&2; exit 1 ;;
esac
END
    fake "$d" kldstat <<'END'
case $* in
*zfs*) exit 0 ;;
*) echo 'Id Refs Address                Size Name'; echo ' 1   40 0xffffffff80200000  1d345b0 kernel' ;;
esac
END
    fake "$d" camcontrol <<END
case "\$*" in
*ada1* | *da2*) touch "$d/FORBIDDEN" ;;
'devlist -v') cat <<'J'
scbus0 on ahcich0 bus 0:
<WDC WD40EFRX-68N32N0 82.00A82>    at scbus0 target 0 lun 0 (pass0,ada0)
scbus1 on ahcich1 bus 0:
<SAMSUNG HD204UI 1AQ10001>         at scbus1 target 0 lun 0 (ada1,pass1)
scbus2 on ahcich2 bus 0:
<HGST HUS724040ALA640 MFAOA580>    at scbus2 target 0 lun 0 (pass2,ada2)
scbus3 on mps0 bus 0:
<ATA ST4000VN008-2DR1 SC60>        at scbus3 target 4 lun 0 (pass3,da0)
<SEAGATE ST8000NM0075 E002>        at scbus3 target 5 lun 0 (pass4,da1)
scbus4 on umass-sim0 bus 0:
<ASMT 2115 0>                      at scbus4 target 0 lun 0 (pass5,da2)
scbus-1 on xpt0 bus 0:
<>                                 at scbus-1 target -1 lun ffffffff (xpt0)
J
;;
identify*) printf 'pass0: <WDC WD40EFRX-68N32N0 82.00A82> ACS-3 ATA SATA 3.x device\n\nserial number         WD-WX12A34B567C\nWWN                   50014ee20a1b2c3d\n' ;;
*) echo "camcontrol \$*" ;;
esac
END
    fake "$d" geom <<'END'
cat <<'J'
Geom name: ada0
Providers:
1. Name: ada0
   Mediasize: 4000787030016 (3.6T)
   descr: WDC WD40EFRX-68N32N0
   lunid: 50014ee20a1b2c3d
   ident: WD-WX12A34B567C

Geom name: ada1
Providers:
1. Name: ada1
   Mediasize: 2000398934016 (1.8T)
   descr: SAMSUNG HD204UI
   ident: S2H7J1CZ900001

Geom name: da2
Providers:
1. Name: da2
   Mediasize: 2000398934016 (1.8T)
   descr: ASMT 2115

J
END
    fake "$d" gpart <<'END'
case $2 in
-p) printf '=>        40  7814037088    ada0  GPT  (3.6T)\n          40        2008          - free -  (1.0M)\n        2048  7814035080  ada0p1  freebsd-zfs  (3.6T)\n\n=>        40  7814037088    ada2  GPT  (3.6T)\n        2048  7814035080  ada2p1  freebsd-zfs  (3.6T)\n' ;;
*) printf '=>        40  7814037088    ada0  GPT  (3.6T)\n        2048  7814035080  ada0p1  S_WD-WX12A34B567C  (3.6T)\n' ;;
esac
END
    fake "$d" smartctl <<END
case "\$*" in
*ada1* | */da2*) touch "$d/FORBIDDEN" ;;
--version) echo 'smartctl 7.3 2022-02-28 r5338 [FreeBSD 13.2-RELEASE amd64] (local build)' ;;
--scan) echo '/dev/ada0 -d atacam # /dev/ada0, ATA device' ;;
*ada2*) exit 3 ;;
*ada0*) echo '{"device": {"name": "/dev/ada0", "type": "atacam", "protocol": "ATA"}, "model_name": "WDC WD40EFRX-68N32N0", "serial_number": "WD-WX12A34B567C"}' ;;
*) echo '{"smartctl": {"exit_status": 0}}' ;;
esac
END
    fake "$d" zpool <<'END'
case $* in
status*) printf '  pool: big tank\n state: ONLINE\nconfig:\n\n\tNAME                      STATE     READ WRITE CKSUM\n\tbig tank                  ONLINE       0     0     0\n\t  gpt/S_WD-WX12A34B567C  ONLINE       0     0     0\n\nerrors: No known data errors\n' ;;
*) echo "zpool $*" ;;
esac
END
    fake "$d" gstat <<'END'
echo 'timestamp,name,q-depth,total_ops/s'
while :; do sleep 0.2; echo '2023-09-13 09:12:33.0,ada0,0,1'; done
END
    fake "$d" dmesg <<'END'
echo 'ada0 at ahcich0 bus 0 scbus0 target 0 lun 0'
echo 'ada0: <WDC WD40EFRX-68N32N0 82.00A82> ACS-3 ATA SATA 3.x device'
echo 'ada0: Serial Number WD-WX12A34B567C'
END
    fake "$d" mount <<'END'
printf '/dev/ada0p2\t\t/\t\tufs\trw\t1 1\n'
printf 'kowari7:/export\t\t/mnt/far\t\tnfs\trw\t0 0\n//dunnart@FILESERV7/share\t/mnt/win\tsmbfs\trw\t0 0\n'
END
    fake "$d" diskinfo <<'END'
printf '%s\n\t512         \t# sectorsize\n\tWD-WX12A34B567C\t# Disk ident.\n\tid1,enc@n50030480001a2b3c/type@0/slot@1\t# Physical path\n' "$2"
END
    fake "$d" sesutil <<'END'
printf 'ses0:\n\tEnclosure Name: LSI SAS2X28 0e12\n\tEnclosure ID: 50030480001a2b3c\n'
END
    fake "$d" pciconf <<'END'
echo '    ecap 0003[148] = Serial 1 7cd30affff123456'
END
    for t in zfs zdb nvmecontrol glabel swapinfo iostat vmstat top mpsutil freebsd-version uptime; do
        fake "$d" $t <<END
echo "$t \$*"
END
    done
    fake "$d" mprutil <<'END'
echo 'mprutil: must not be asked'
END
    fake "$d" ps <<'END'
echo '  PID  PPID STAT WCHAN    ELAPSED     TIME   RSS COMMAND'
echo '    9     1 D    biord        100  0:00.01   100 dd --password=hunter2 if=/dev/ada0'
END
    put "$r/etc/version" 'TrueNAS-13.0-U5'
    put "$r/etc/crontab" '0 1 * * * root backup'
    put "$r/var/cron/tabs/wombat" '0 1 * * * /usr/home/wombat/bin/x'

    put "$r/dev/mps0" ''
    put "$r/var/run/dmesg.boot" 'CPU: Test'
    put "$r/var/log/messages" 'Sep 13 09:12:31 nas7 kernel: ada0: Serial Number WD-WX12A34B567C
Sep 13 09:12:32 nas7 kernel: em0: Ethernet address: 00:1b:21:aa:bb:cc
Sep 13 09:12:33 nas7 sshd[1]: Accepted publickey for wombat from 198.51.100.9 port 1 ssh2'
    put "$r/var/log/messages.0.bz2" 'packed'
    fake "$d" bzcat <<'END'
echo 'Sep 12 09:12:31 nas7 kernel: older'
END
}
check_bsd() {
    d=$1
    bsd_host "$d"
    [ -z "$FULL" ] || check_bsd_plain "$d"
    : >"$d/calls"
    printf '%s\n' "$KEY" >"$d/key"
    collect "$d" --quick --redact --redact-key-file "$d/key"
    sane 'bsd, redacted'
    check 'bsd: the manifest says so' header_is os FreeBSD
    check 'bsd: HD204UI and the bridge were never asked' not test -e "$d/FORBIDDEN"
    check 'bsd: quick takes 10 s of samples' header_is sample_seconds 10
    check 'bsd: quick leaves history out' status_is zpool_history_big_tank skipped
    printf '%s\n' WD-WX12A34B567C 50014ee20a1b2c3d 50030480 nas7 bilby wombat dunnart fileserv7 kowari7 00:1b:21 198.51.100.9 7cd30aff >"$d/secrets"
    check 'bsd: redacted' no_secret_in "$d/bundle" "$d/secrets"
    check 'bsd: labels keep their form' grep -q 'gpt/S_SN-[0-9a-f]*  ONLINE' "$BUNDLE/zpool_status.out"
    if [ -n "$STORDX" ] && [ -n "$FULL" ]; then
        "$STORDX" analyze --exit-zero --format json "$BUNDLE" >"$d/report" 2>&1
        check 'bsd: the report names the drives by their tokens' grep -q 'SN-[0-9a-f]\{8\}' "$d/report"
    fi
}
check_bsd_plain() {
    d=$1
    collect "$d" --seconds 60
    sane bsd
    check 'bsd: the manifest says so' header_is os FreeBSD
    check 'bsd: host identity by sha256 -q' header_is host_identity '[0-9a-f]\{32\}'
    check 'bsd: uptime from the boot time' header_is uptime_start_s '[1-9][0-9]*'
    check 'bsd: no complaint of the shell' not test -e "$BUNDLE/collector.err"
    for n in uname freebsd-version os geom geom_disk_list gpart_show gpart_show_l glabel_status camcontrol_devlist pciconf zpool_status \
        zpool_list zfs_get kstat_zfs samples/iostat samples/gstat samples/zpool_iostat samples/vmstat samples/top samples/cp_times_start samples/cp_times_end \
        samples/kstat2_end sesutil_map drives/scan drives/smart_ada0 drives/camcontrol_identify_ada0 drives/camcontrol_tags_ada0 drives/smart_da0 \
        drives/camcontrol_identify_da0 drives/camcontrol_inquiry_da1 drives/smart_nvd0 drives/nvmecontrol_identify_nvme0 drives/nvmecontrol_identify_nvme0ns1 \
        drives/nvmecontrol_logpage2_nvme0 drives/nvmecontrol_devlist drives/zdb_ada0p1 drives/diskinfo_ada0 raid_mpsutil_0 dmesg dmesg_boot log_messages log_messages.0 ps cron; do
        check "bsd: $n is ok" status_is "$n" ok
    done
    check 'bsd: what the kernel does not know is rc, with the rest kept' status_is sysctl rc
    check 'bsd: XML without the end of the string' equal "$(tr -dc '\000' <"$BUNDLE/geom.out" | wc -c | tr -d ' ')" 0
    check 'bsd: gstat is ended by us and ok' header_is stopped 'samples/gstat	.*'
    check 'bsd: its data are kept' has_text "$BUNDLE/samples/gstat.out" 'ada0,0,1'
    check 'bsd: commands' equal "$(column samples/iostat 6)" 'iostat -d -x -w 1 -c 61'
    check 'bsd: history of the pool, with its blank' equal "$(column zpool_history_big_tank 6)" "zpool history -il 'big tank'"
    check 'bsd: first report of iostat is marked' header_is first_report "samples/iostat${TAB}since-boot"
    check 'bsd: HD204UI and the bridge were never asked' not test -e "$d/FORBIDDEN"
    check 'bsd: denylist' status_is drives/smart_ada1 skipped-denylist
    check 'bsd: reason' header_is skipped "drives/smart_ada1${TAB}.*HD204UI.*loses data"
    check 'bsd: bridge of the size' status_is drives/smart_da2 model-unknown
    check 'bsd: types of smartctl' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d atacam /dev/ada0$'
    check 'bsd: SATA behind SAS' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d sat /dev/da0$'
    check 'bsd: SAS' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d scsi /dev/da1$'
    check 'bsd: nvd0 is nvme0' has_text "$d/calls" '^smartctl --json=o -x -n standby,3 -d nvme /dev/nvme0$'
    check 'bsd: a sleeping drive is standby' status_is drives/smart_ada2 standby
    check 'bsd: and not asked further' not has_text "$d/calls" '^camcontrol identify ada2'
    check 'bsd: nor read' status_is drives/zdb_ada2p1 skipped
    check 'bsd: no adapter, no tool' not has_text "$d/calls" '^mprutil'
    check 'bsd: passwords are out' not grep -rq hunter2 "$BUNDLE"
    check 'bsd: samples before the drives' awk '/^gstat/ { g = NR } /^smartctl .*ada0/ { s = NR } /^dmesg/ { l = NR } END { exit !(g && g < s && s < l) }' "$d/calls"
    collect "$d" --seconds 5 --no-drive-queries
    check 'bsd: no queries' status_is drives/smart_ada0 skipped
}

# secrets in every place a bundle can hold them; tokens of one key; the same as the analyzer's
KEY=fixture-key-0001
redact_host() {
    d=$1 r=$1/root
    bench "$d"
    for t in awk sort uniq sha256sum; do p=$(command -v $t) && ln -sf "$p" "$d/bin/$t"; done
    zfs_on "$r"
    disk "$r" sda pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    disk "$r" nvme0n1 pci0000:00/0000:02:00.0/nvme/nvme0 '' 'Samsung SSD 980 1TB' 2B4QFXO7 1953525168
    put "$r/sys/block/sda/device/wwid" 'naa.5002538e40a1b2c3'
    put "$r/sys/block/nvme0n1/wwid" 'eui.6479a73c80300015'
    put "$r/sys/block/nvme0n1/eui" '64 79 a7 3c 80 30 00 15'
    put "$r/sys/block/nvme0n1/device/serial" 'S4X6NF0M123456A     '
    put "$r/sys/class/ata_device/dev1.0/id" '0c5a 3fff 0000 0010 0000 0000 003f 0000
0000 0000 5744 2d57 5831 3220 4133 3400 0000 0000
0000 0000 0000 0000 0000 3832 2e30 3041 3832 5744'
    put "$r/etc/passwd" 'root:x:0:0:root:/root:/bin/sh
wombat:x:1000:1000:A:/home/wombat:/bin/sh'
    put "$r/etc/resolv.conf" 'search bilby.example'
    put "$r/etc/cron.d/jobs" '0 1 * * * numbat rsync -a /tank/x numbat@dingo7.bilby.example:/in; curl -u echidna:sugar https://files.kowari.example/up?pass=possum9
*/5 * * * * root mail -s done Ops@Quoll.example </dev/null'
    put "$r/etc/cron.d/wombat-jobs" 'MAILTO=kakapo@bilby.example
0 2 * * * quenda ssh -i /x -p 22 takahe9 zfs list; scp -r /x drongo3:/in; ssh yak7.bilby.example true'
    put "$r/proc/self/mountinfo" '22 1 8:1 / / rw - ext4 /dev/sda1 rw
31 22 0:41 / /home/wombat/nas rw - nfs4 bandicoot.bilby.example:/export rw,addr=203.0.113.77,clientaddr=192.168.7.20
32 22 0:42 / /mnt/share rw - cifs //fileserv7/share rw,vers=3.1.1,username=dunnart,domain=BETTONGIA,addr=2001:db8:5::7
33 22 0:43 / /mnt/far rw - fuse.sshfs glider4@perameles:/x rw,user_id=0
34 22 8:2 / /home/wombat/disk rw - xfs /dev/sda2 rw'
    put "$r/proc/cmdline" 'root=/dev/nfs nfsroot=192.0.2.9:/srv/root ip=192.0.2.44::192.0.2.1:255.255.255.0:pademelon:eth0:off'
    mkdir -p "$r/sys/class/iscsi_session/session1" "$r/dev/disk/by-path" "$r/sys/class/nvme/nvme0"
    put "$r/sys/class/nvme/nvme0/subsysnqn" 'nqn.1994-11.com.samsung:nvme:980:M.2:S4X6NF0M123456A'
    put "$r/sys/class/sas_phy/phy-0:1/sas_address" 0x5000c500a1b2c3d6
    put "$r/etc/ceph/ceph.conf" x
    put "$r/etc/pve/storage.cfg" 'nfs: far
	server galah5.bilby.example
	export /volume1/x
cifs: win
	server 198.51.100.30
	username honeyeater
	domain NUMBATDOM
iscsi: block
	portal 198.51.100.31
	target iqn.2003-01.org.linux-iscsi.rosella:sn.5'
    put "$r/etc/pve/qemu-server/100.conf" 'name: vm1
ciuser: cockatoo
searchdomain: kookaburra.example
ipconfig0: ip=198.51.100.32/24,gw=198.51.100.1
net0: virtio=BC:24:11:AA:BB:CC,bridge=vmbr0
scsi0: tank:vm-100-disk-0,serial=CORELLA1234,size=32G'
    fake "$d" qm <<'END'
echo '      VMID NAME                 STATUS     MEM(MB)    BOOTDISK(GB) PID'
END
    fake "$d" pvenode <<'END'
echo '│ UPID:lorikeet:0001B5A3:0A1B2C3D:65A1B2C3:vzdump:100:magpie@pve!tok: │ vzdump │ 100 │ OK │'
END
    fake "$d" ceph <<'END'
case $1 in
-s) printf '    mon: 3 daemons, quorum emubird1,emubird2,brolga3 (age 2w)\n    mgr: brolga3(active, since 3w), standbys: jabiru4\n' ;;
*) printf 'OSD_DOWN 1 osds down\n    osd.3 (root=default,host=cassowary9) is down\n    mon.currawong6 (rank 1) addr 198.51.100.33:6789/0 is down\n' ;;
esac
END
    fake "$d" iscsiadm <<'END'
cat <<'J'
Target: iqn.2003-01.org.linux-iscsi.frogmouth:sn.42 (non-flash)
	Current Portal: 198.51.100.34:3260,1
	Persistent Portal: [2001:db8:7::9]:3260,1
		Iface Initiatorname: iqn.1993-08.org.debian:01:kestrel
		Iface HWaddress: 52:54:00:11:22:33
J
END
    fake "$d" lspci <<'END'
echo '	Capabilities: [148 v1] Device Serial Number 7c-d3-0a-ff-ff-12-34-56'
END
    fake "$d" sas3ircu <<'END'
printf '  SAS Address                             : 5000c50-0-a1b2-c3d5\n  Serial No                               : Z1YSASDISK1\n  Unit Serial No(VPD)                     : Z1YSASDISK10000C123\n  GUID                                    : 5000c500a1b2c3d4\n'
END
    fake "$d" ssacli <<'END'
printf '   Serial Number: PDNLHNUMBAT1\n   Unique Identifier: 600508B1001C1234567890ABCDEF1234\n   Host Name: pelican5\n'
END
    fake "$d" systemctl <<'END'
echo 'Mon 2024-05-06 00:00:00 CEST 3h left - - backup@wombat.timer backup@wombat.service'
END
    fake "$d" xfs_info <<'END'
echo "meta-data=$1"
END
    fake "$d" pidstat <<'END'
echo '2024-05-06T00:00:00   0   99   0.00   1.00   0.00   0  rsync -a /x osprey2:/backup'
END
    fake "$d" uname <<'END'
case $1 in
-s) echo Linux ;;
-n) echo PBS1 ;;
*) echo 'Linux PBS1 6.1.0-13-amd64 #1 SMP x86_64 GNU/Linux' ;;
esac
END
    fake "$d" lsblk <<'END'
cat <<'J'
{ "blockdevices": [
 {"name":"sda", "kname":"sda", "type":"disk", "size":4000787030016, "model":"WDC WD40EFRX-68N32N0", "serial":"WD-WX12 A34", "wwn":"0x5002538e40a1b2c3", "tran":"sata", "rota":true,
  "children": [ {"name":"sda1", "kname":"sda1", "type":"part", "size":4000785104896, "pkname":"sda", "fstype":"zfs_member", "partuuid":"0f0e4c53-8f6a-1d2f-5a77-90c36c0b4d52"} ]},
 {"name":"nvme0n1", "kname":"nvme0n1", "type":"disk", "size":1000204886016, "model":"Samsung SSD 980 1TB", "serial":"S4X6NF0M123456A", "wwn":"eui.6479a73c80300015", "tran":"nvme", "rota":false}
] }
J
END
    fake "$d" ls <<'END'
case $* in
-l*by-id*) cat <<'J'
/dev/disk/by-id:
total 0
lrwxrwxrwx 1 root root  9 Sep 13 09:12 ata-WDC_WD40EFRX-68N32N0_WD-WX12_A34 -> ../../sda
lrwxrwxrwx 1 root root 10 Sep 13 09:12 ata-WDC_WD40EFRX-68N32N0_WD-WX12_A34-part1 -> ../../sda1
lrwxrwxrwx 1 root root  9 Sep 13 09:12 wwn-0x5002538e40a1b2c3 -> ../../sda
lrwxrwxrwx 1 root root 10 Sep 13 09:12 wwn-0x5002538e40a1b2c3-part1 -> ../../sda1
lrwxrwxrwx 1 root root 13 Sep 13 09:12 nvme-Samsung_SSD_980_1TB_S4X6NF0M123456A -> ../../nvme0n1
lrwxrwxrwx 1 root root 13 Sep 13 09:12 nvme-eui.6479a73c80300015 -> ../../nvme0n1
lrwxrwxrwx 1 root root 13 Sep 13 09:12 nvme-nvme.144d-533458364e46304d31323334353641-53616d73756e67-00000001 -> ../../nvme0n1
lrwxrwxrwx 1 root root 13 Sep 13 09:12 nvme-Samsung_SSD_980_1TB_S4X6NF0M123456A_1-part2 -> ../../nvme0n1p2
lrwxrwxrwx 1 root root  9 Sep 13 09:12 usb-SanDisk_Ultra_4C530001230507112345-0:0-part1 -> ../../sdx1
lrwxrwxrwx 1 root root  9 Sep 13 09:12 scsi-SATA_WDC_WD40EFRX-68N_WD-WX12A777 -> ../../sdy
lrwxrwxrwx 1 root root  9 Sep 13 09:12 scsi-35000c500a1b2c3d9 -> ../../sdz
lrwxrwxrwx 1 root root 11 Sep 13 09:12 md-name-platypus3:0 -> ../../md127
/dev/disk/by-path:
total 0
lrwxrwxrwx 1 root root  9 Sep 13 09:12 ip-198.51.100.34:3260-iscsi-iqn.2003-01.org.linux-iscsi.frogmouth:sn.42-lun-1-part1 -> ../../sdv1
J
;;
*) exec /bin/ls "$@" ;;
esac
END
    mkdir -p "$r/dev/disk/by-id"
    fake "$d" zpool <<'END'
case $* in
history*) cat <<'J'
History for 'tank':
2023-09-01.10:00:00 zpool create tank mirror /dev/disk/by-id/wwn-0x5002538e40a1b2c3 [user 0 (root) on PBS1:linux]
2023-09-02.10:00:00 zfs snapshot tank/quokka@daily [user 1001 (thylacine) on pbs1.bilby.example:linux]
J
;;
events*) cat <<'J'
        history_hostname = "whipbird2"
        vdev_path = "/dev/disk/by-id/wwn-0x5002538e40a1b2c3-part1"
J
;;
iostat*) echo 'zpool output' ;;
status*) cat <<'J'
  pool: tank
 state: ONLINE
config:

	NAME                                              STATE     READ WRITE CKSUM
	tank                                              ONLINE       0     0     0
	  /dev/disk/by-id/wwn-0x5002538e40a1b2c3-part1  ONLINE       0     0     0

errors: No known data errors
J
;;
esac
END
    fake "$d" zfs <<'END'
case $* in
list*) printf 'tank\t1\t1\t0\t1\t0\t0\ntank/quokka\t1\t1\t0\t1\t0\t0\n' ;;
esac
END
    fake "$d" smartctl <<'END'
case $* in
--version) echo 'smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)' ;;
--scan) ;;
*sda*) cat <<'J'
{
  "smartctl": { "version": [7, 3], "exit_status": 0,
    "output": [
      "Serial Number:    WD-WX12 A34",
      "LU WWN Device Id: 5 002538 e40a1b2c3",
      ""
    ] },
  "device": { "name": "/dev/sda", "type": "sat", "protocol": "ATA" },
  "model_name": "WDC WD40EFRX-68N32N0",
  "serial_number": "WD-WX12 A34",
  "wwn": {
    "naa": 5,
    "oui": 9528,
    "id": 61213881027
  },
  "firmware_version": "82.00A82"
}
J
;;
*nvme*) echo '{"device": {"name": "/dev/nvme0n1", "type": "nvme", "protocol": "NVMe"}, "model_name": "Samsung SSD 980 1TB", "serial_number": "S4X6NF0M123456A"}' ;;
esac
END
    fake "$d" hdparm <<'END'
cat <<'J'

/dev/sda:
	Serial Number:      WD-WX12 A34
Logical Unit WWN Device Identifier: 5002538e40a1b2c3
	NAA		: 5
	IEEE OUI	: 002538
	Unique ID	: e40a1b2c3
J
END
    fake "$d" dmesg <<'END'
case $* in
--help) ;;
*) cat <<'J'
[    1.000000] Linux version 6.1.0-13-amd64
[    1.900000] usb 2-1: SerialNumber: GALAH00112233
[    2.000000] e1000e 0000:00:19.0 eth0: (PCI Express:2.5GT/s:Width x1) 52:54:00:aa:bb:cc
[    2.100000] nfs: server bandicoot.bilby.example not responding, still trying
[    2.110000] nfs server ibis7:/export: not responding
[    2.120000] CIFS: VFS: \\heron8 has not responded in 180 seconds. Reconnecting...
[    2.130000] usb 2-2: renamed from usb0: enx525400ddeeff
[    2.140000] systemd[1]: Set hostname to <pbs1>.
[    2.150000] sd 3:0:0:0: Attached, wwid naa.5000c500a1b2c3da
[    2.200000] scsi 0:0:0:0: Direct-Access     ATA      WDC WD40EFRX-68N 0A82 PQ: 0 ANSI: 5
J
;;
esac
END
    mkdir -p "$r/var/log"
    cat >"$r/var/log/syslog" <<'END'
Sep 13 09:12:31 pbs1 kernel: [    1.844021] ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)
Sep 13 09:12:34 pbs1.bilby.example kernel: [    2.200000] from 2001:db8::71 and 198.51.100.9
Sep 13 09:12:35 pbs1 sudo:   bettong : TTY=pts/0 ; USER=root ; COMMAND=/home/bettong/fix nqn.2014-08.org.nvmexpress:uuid:cassowary
Sep 13 09:12:36 pbs1 smartd[711]: mail to wombat@bilby.example sent
Sep 13 09:12:37 pbs1 sshd[12]: Accepted publickey for kiwibird from 198.51.100.23 port 5022 ssh2
Sep 13 09:12:38 pbs1 CRON[99]: (wekabird) CMD (/opt/bin/x)
Sep 13 09:12:39 pbs1 su[5]: (to root) keabird on pts/1
Sep 13 09:12:40 pbs1 systemd[1]: Started Session 3 of User moabird.
Sep 13 09:12:41 pbs1 login: pam_unix(login:session): session opened for user tuibird(uid=1004) by (uid=0)
Sep 13 09:12:42 pbs1 dhclient: DHCPACK of 192.168.7.21 from fe80::5054:ff:feaa:bbcc%eth0
Sep 13 09:12:43 pbs1 avahi-daemon[7]: Host name is wallaroo.local
Sep 13 09:12:44 pbs1 smartd[711]: Device: /dev/sda [SAT], WDC WD40EFRX-68N32N0, S/N:WD-WX12A99, WWN:5-0014ee-2b9f01234, FW:82.00A82
2023-09-13T09:12:45.123+02:00 kagu5 kernel: hello
<13>Sep 13 09:12:46 skua6 kernel: hello
Sep 13 09:12:47 pbs1 kernel: peer is gannet2.labdomain.bilby.example
END
    fake "$d" ps <<'END'
echo '    PID    PPID STAT WCHAN                            ELAPSED     TIME   RSS COMMAND'
echo '      9       1 D    io_schedule                          100 00:00:01   100 rsync -a /home/wombat/x kultarr@perentie:/y'
echo '     10       1 S    -                                    100 00:00:01   100 sshd: mynabird@pts/0'
echo '     11       1 S    -                                    100 00:00:01   100 sshd: noddy [priv]'
echo '     12       1 S    -                                    100 00:00:01   100 /usr/bin/ssh -l avocet -p 22 plover8 zfs recv x'
echo '     13       1 S    -                                    100 00:00:01   100 curl https://stilt:pw@cootbird.example/x'
END
    fake "$d" iostat <<'END'
printf 'Linux 6.1.0-13-amd64 (PBS1) \t09/13/23 \t_x86_64_\t(4 CPU)\n'
END
    put "$r/var/lib/smartmontools/attrlog.WDC_WD40EFRX_68N32N0-WD_WX12_A34.ata.csv" '2024-01-01 00:00:00;1;100;0;'
    fake "$d" multipath <<'END'
echo 'mpatha (3600508b4a0105e210000900000490000) dm-0 HP,HSV200'
END
    fake "$d" storcli64 <<'END'
echo 'SN = Z1ZNUMBER'
END
    cat >"$d/secrets" <<'END'
kakapo
wombat
quenda
takahe9
drongo3
yak7
fileserv7
dunnart
bettongia
2001:db8
glider4
perameles
pademelon
192.0.2.
198.51.100.
galah5
honeyeater
numbatdom
rosella
cockatoo
kookaburra
bc:24:11
corella
lorikeet
magpie
emubird1
emubird2
brolga3
jabiru4
cassowary9
currawong6
frogmouth
kestrel
52:54:00
525400
7c-d3-0a
5000c500a1
5000c50-0
sasdisk
pdnlhnumbat
600508b1001c
pelican5
osprey2
533458364e46304d
4c5300012305
wd-wx12a777
platypus3
whipbird2
ibis7
heron8
kiwibird
wekabird
keabird
moabird
tuibird
192.168.7.21
5054:ff
wallaroo
wd-wx12a99
2b9f01234
kagu5
skua6
gannet2
labdomain
mynabird
noddy
avocet
plover8
stilt
cootbird
600508b4a0105e210000900000490000
WD_WX12
Z1ZNUMBER
5002538e40a1b2c3
5 002538 e40a1b2c3
e40a1b2c3
61213881027
6479a73c80300015
64 79 a7 3c
S4X6NF0M
WD-WX12
5744 2d57
PBS1
wombat
bilby
numbat
dingo7
echidna
sugar
kowari
possum9
quoll
bandicoot
203.0.113.77
192.168.7.20
thylacine
GALAH00112233
52:54:00:aa:bb:cc
2001:db8::71
198.51.100.9
bettong
cassowary
kultarr
perentie
fixture-key-0001
0123456789abcdef0123456789abcdef
310bd044fc6a63c559939b95f7cdba9d
END
}
no_secret_in() { # DIR: neither in a file nor in the name of one
    (cd "$1" && { grep -rail -F -f "$2" . || find . | grep -i -F -f "$2"; }) && return 1
    return 0
}
check_redact() {
    d=$1
    redact_host "$d"
    printf '%s\n' "$KEY" >"$d/key"
    collect "$d" --seconds 5 --redact --redact-key-file "$d/key" --redact-map "$d/map"
    sane redact
    check 'redact: no secret in the archive' no_secret_in "$d/bundle" "$d/secrets"
    if ! no_secret_in "$d/bundle" "$d/secrets" >/dev/null 2>&1; then
        (cd "$d/bundle" && grep -rai -F -f "$d/secrets" . | head -n 20)
    fi
    check 'redact: the archive is named by the token' equal "${BUNDLE##*/}" "stordx-host-1acf91f7-${BUNDLE##*-}"
    for k in WWN-e2d6ee41 EUI-a782ec83 SN-041619db SN-3fee0999 host-1acf91f7; do
        check "redact: token of the vectors: $k" grep -rq "$k" "$BUNDLE"
    done
    check 'redact: lsblk, by-id and the member of the pool have one token' grep -q 'wwn": *"WWN-e2d6ee41"\|"wwn":"WWN-e2d6ee41"' "$BUNDLE/lsblk.out"
    check 'redact: by-id keeps model and part' grep -q 'ata-WDC_WD40EFRX-68N32N0_SN-3fee0999-part1 ' "$BUNDLE/byid.out"
    check 'redact: wwn link' grep -q ' wwn-WWN-e2d6ee41-part1 ' "$BUNDLE/byid.out"
    check 'redact: pool member' grep -q '/dev/disk/by-id/wwn-WWN-e2d6ee41-part1 ' "$BUNDLE/zpool_status.out"
    check 'redact: models stay' grep -q 'WDC WD40EFRX-68N32N0' "$BUNDLE/lsblk.out"
    check 'redact: JSON of smartctl' grep -q '"token": "WWN-e2d6ee41"' "$BUNDLE/drives/smart_sda.out"
    check 'redact: datasets stay' grep -q quokka "$BUNDLE/zfs_list.out"
    check 'redact: the manifest says so' header_is redacted yes
    check 'redact: key check' header_is redact_key_check "$(printf 'check\037stordx' | hmac_of "$KEY")"
    check 'redact: counts' header_is redact_count "WWN${TAB}[0-9]*"
    check 'redact: map' grep -q "^SN-3fee0999${TAB}SN${TAB}WD-WX12_A34\$" "$d/map"
    check 'redact: map is private' equal "$(find "$d/map" -perm 600)" "$d/map"
    check 'redact: a given key is not printed' not grep -q "$KEY" "$d/stderr"
    [ -n "$FULL" ] || return
    first=$BUNDLE
    mv "$d/bundle" "$d/first"
    first=$d/first/${first##*/}
    # the same key, given otherwise
    STORDX_REDACT_KEY=$KEY
    export STORDX_REDACT_KEY
    collect "$d" --seconds 5 --redact=names
    unset STORDX_REDACT_KEY
    check 'redact: the same key gives the same tokens' equal "$(cat "$BUNDLE/byid.out")" "$(cat "$first/byid.out")"
    check 'redact: names of datasets' not grep -rqi quokka "$BUNDLE"
    check 'redact: their depth and pool stay' grep -q '^tank/ds-[0-9a-f]*' "$BUNDLE/zfs_list.out"
    mv "$d/bundle" "$d/second"
    collect "$d" --seconds 5 --redact
    check 'redact: a new key is printed' grep -q 'redacted with the key [0-9a-f]\{32\}$' "$d/stderr"
    check 'redact: once' equal "$(grep -c 'redacted with the key' "$d/stderr")" 1
    new=$(sed -n 's/.*redacted with the key //p' "$d/stderr")
    check 'redact: it is nowhere in the bundle' not grep -rq "$new" "$BUNDLE"
    check 'redact: other tokens' not grep -rq WWN-e2d6ee41 "$BUNDLE"
    check 'redact: no secret then either' no_secret_in "$d/bundle" "$d/secrets"
    mkdir "$d/third"
    mv "$d"/bundle/* "$d/third/"
    # refused: short keys, no hash program
    echo short >"$d/short"
    collect "$d" --redact --redact-key-file "$d/short"
    check 'redact: a short key is refused' equal "$RC" 1
    check 'redact: with one line' grep -q 'at least 16 bytes' "$d/stderr"
    rm -f "$d/bin/sha256sum"
    collect "$d" --redact
    check 'redact: no hash program, no redaction' equal "$RC" 1
    check 'redact: nothing weaker' grep -q 'nothing weaker' "$d/stderr"
    analyzed_alike "$d"
}
# hmac_of KEY: first 8 digits, by openssl
hmac_of() { openssl dgst -sha256 -hmac "$1" 2>/dev/null | sed 's/.*= *//' | cut -c 1-8; }

# the whole run has a limit, and what there is then is in the archive
check_deadline() {
    d=$1
    bench "$d"
    echo deadline=8 >>"$d/bin/test-settings"
    for t in uptime lsblk lspci lsscsi sysctl multipath; do
        fake "$d" $t <<'END'
exec sleep 30
END
    done
    t=$(date +%s)
    collect "$d" --seconds 5
    t=$(($(date +%s) - t))
    sane deadline
    report_says deadline 'collector: skipped: deadline: no time left'
    check "deadline: kept ($t s)" within "$t" 25
    check 'deadline: first is a timeout' status_is lsblk timeout
    check 'deadline: later ones are skipped' header_is skipped "lsscsi${TAB}deadline.*"
    check 'deadline: samples are there all the same' status_is samples/raw ok
    check 'deadline: incomplete' header_is complete 'no: deadline'
}

check_interrupt() {
    d=$1
    bench "$d"
    echo sample_seconds=30 >>"$d/bin/test-settings"
    mkdir -p "$d/here" "$d/bundle"
    # what runs in the background ignores INT, unless env can undo that
    plain='' sig=TERM code=143
    if env --default-signal=INT true 2>/dev/null; then plain='env --default-signal=INT' sig=INT code=130; fi
    # shellcheck disable=SC2086
    (cd "$d/here" && STORDX_TEST_PATH=$d/bin exec $plain $SHELL_CMD "$COLLECT" --seconds 30) >"$d/stdout" 2>"$d/stderr" </dev/null &
    pid=$!
    n=0
    until grep -qs 'collecting for' "$d/stderr" || [ "$n" -gt 200 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    sleep 1
    below=$(children "$pid")
    t=$(date +%s)
    kill -$sig "$pid"
    wait "$pid"
    RC=$?
    t=$(($(date +%s) - t))
    check 'interrupt: exit status says so' equal "$RC" $code
    check "interrupt: at once ($t s)" within "$t" 15
    check 'interrupt: said' has_text "$d/stderr" 'interrupted: no archive was written, nothing is left behind'
    check 'interrupt: nothing on stdout' equal "$(cat "$d/stdout")" ''
    check 'interrupt: no file in the work place' equal "$(ls -A "$d/base")" ''
    check 'interrupt: no file where the archive goes' equal "$(ls -A "$d/here")" ''
    check 'interrupt: there were children' not equal "$below" ''
    gone=yes
    for p in $below; do kill -0 "$p" 2>/dev/null && gone="no: $p"; done
    check 'interrupt: no child is left' equal "$gone" yes
}
# children PID: all processes below it, from /proc
children() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) . \([0-9]*\) .*/\1 \2/' | awk -v top="$1" '
        { parent[$1] = $2 }
        END { for (p in parent) { q = p; while (q > 1 && q != top) q = parent[q]; if (q == top && p != top) print p } }'
}

check_places() {
    d=$1
    bench "$d"
    collect "$d" --seconds 5 -o "$d/nowhere/x.tar.gz"
    check 'places: -o into a directory that is not there' equal "$RC" 1
    check 'places: is one line at once' one_line "$d/stderr"
    mkdir -p "$d/ro"
    : >"$d/ro/file"
    collect "$d" --seconds 5 -o "$d/ro/file/x.tar.gz"
    check 'places: -o below a file' equal "$RC" 1
    collect "$d" --seconds 5 -o /dev/null
    check 'places: -o never writes over a device' equal "$RC" 1
    check 'places: the device is still one' test -c /dev/null
    sed -i.bak "s|^base=.*|base=$d/ro/file|" "$d/bin/test-settings"
    collect "$d" --seconds 5
    check 'places: no work directory' equal "$RC" 1
    check 'places: no work directory is one line' one_line "$d/stderr"
    # a work directory that fills up, on a small memory file system of its own
    mv "$d/bin/test-settings.bak" "$d/bin/test-settings"
    fake "$d" lsblk <<'END'
exec head -c 10000000 /dev/zero
END
    mkdir -p "$d/small"
    sed -i.bak "s|^base=.*|base=$d/small|" "$d/bin/test-settings"
    cat >"$d/full.sh" <<END
mount -t tmpfs -o size=1500k tmpfs '$d/small' || exit 99
df -k '$d/small' | grep -q tmpfs || exit 99
cd '$d/here' && STORDX_TEST_PATH='$d/bin' $SHELL_CMD '$COLLECT' --seconds 5 >'$d/stdout' 2>'$d/stderr'
END
    rm -rf "$d/bundle"
    mkdir -p "$d/bundle"
    unshare -rm sh "$d/full.sh" >/dev/null 2>&1
    RC=$?
    if [ "$RC" = 99 ] || ! [ -s "$d/stderr" ] || ! [ -e "$d/stdout" ] || [ "$RC" = 126 ] || [ "$RC" = 127 ] || grep -q 'no place to work' "$d/stderr"; then
        skipped 'full work directory: no mount namespace here'
    else
        ARCHIVE=$(sed -n '$p' "$d/stdout")
        tar -xzf "$ARCHIVE" -C "$d/bundle" 2>/dev/null
        BUNDLE=$(echo "$d"/bundle/*) MANIFEST=$(echo "$d"/bundle/*)/manifest.tsv
        read_manifest
        check 'full: exit status 0' equal "$RC" 0
        check 'full: archive' test -f "$MANIFEST"
        check 'full: manifest is whole' header_is epoch_end '[0-9]*'
        check 'full: rows up to the logs' status_is dmesg missing
        check 'full: well formed' well_formed
        check 'full: the flood is truncated' status_is lsblk truncated
        check 'full: and made room for the others' bigger "$BUNDLE/samples/raw.out" 100
        check 'full: incomplete' header_is complete 'no: no space in the work directory'
    fi
}

check_no_root() {
    d=$1
    working_host "$d"
    fake "$d" smartctl <<'END'
case $* in
--version) echo 'smartctl 7.3 2022' ;;
--scan) ;;
*) echo '{"messages": [{"string": "Smartctl open device: /dev/sda failed: Permission denied"}]}'; exit 2 ;;
esac
END
    AS_USER=''
    if [ "$(id -u)" = 0 ]; then
        if setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
            AS_USER='setpriv --reuid 65534 --regid 65534 --clear-groups'
            mkdir "$d/here"
            chown -R 65534:65534 "$d"
        else
            skipped 'no root: cannot become somebody else here'
            return
        fi
    fi
    collect "$d" --seconds 5
    AS_USER=''
    sane 'no root'
    check 'no root: denied' status_is drives/smart_sda denied
    check 'no root: told, with the line to rerun' has_text "$d/stderr" 'rerun: sudo sh stordx-collect --seconds 5$'
    check 'no root: uid' not header_is uid 0
}

check_many() {
    d=$1 n=1
    bench "$d"
    mkdir -p "$d/root/sys/devices"
    disk "$d/root" sda host1 ATA 'WDC WD40EFRX-68N' 0A82 7814037168
    # 500 links to the same device directory: what is tested is the number
    while [ "$n" -lt 500 ]; do
        ln -s ../devices/host1/block/sda "$d/root/sys/block/sdx$n"
        n=$((n + 1))
    done
    t=$(date +%s)
    collect "$d" --seconds 5 --no-drive-queries
    t=$(($(date +%s) - t))
    check "many disks: in time ($t s)" within "$t" 30
    check 'many disks: sysfs is ok' status_is sysfs.txt ok
    check 'many disks: all are there' equal "$(grep -c "^/sys/block/sd[a-z0-9]*/size$TAB" "$BUNDLE/sysfs.txt")" 500
    check 'many disks: a row for each' equal "$(grep -c '^drives/smart_' "$MANIFEST")" 500
}

# redacted at capture and at analysis: the same tokens, the same causes
analyzed_alike() {
    d=$1
    if [ -z "$STORDX" ]; then
        skipped 'redact: no stordx program is built here (set STORDX)'
        return
    fi
    collect_plain "$d"
    # what is planted must be there to be found; passwords, the machine-id and the key never are
    unplanted=''
    while read -r t; do
        case $t in
        sugar | possum9 | fixture-key-0001 | 0123456789abcdef0123456789abcdef) continue ;;
        esac
        grep -rqiF -e "$t" "$d/bundle" || find "$BUNDLE" | grep -qiF -e "$t" || unplanted="$unplanted $t"
    done <"$d/secrets"
    check 'redact: every secret is in the plain bundle' equal "$unplanted" ''
    for t in text markdown html; do
        STORDX_REDACT_KEY=$KEY "$STORDX" analyze --redact --exit-zero --format $t "$BUNDLE" >"$d/shown" 2>"$d/err"
        check "redact: no secret in the analyzer's $t" not grep -iqF -f "$d/secrets" "$d/shown"
    done
    STORDX_REDACT_KEY=$KEY "$STORDX" analyze --redact --exit-zero --format json "$BUNDLE" >"$d/by-analyzer" 2>"$d/err"
    "$STORDX" analyze --exit-zero --format json "$d"/first/* >"$d/by-collector" 2>"$d/err"
    check "redact: no secret in the analyzer's json" not grep -iqF -f "$d/secrets" "$d/by-analyzer"
    for k in by-analyzer by-collector; do
        grep -oE '(WWN|EUI|SN)-[0-9a-f]{8}' "$d/$k" | sort -u >"$d/$k.tokens"
        tr ',' '\n' <"$d/$k" | grep -E '"(rule|rank|confidence|status)"' >"$d/$k.causes"
    done
    check 'redact: tokens of collector and analyzer' cmp "$d/by-analyzer.tokens" "$d/by-collector.tokens"
    check 'redact: there are some' test -s "$d/by-collector.tokens"
    check 'redact: the same causes' cmp "$d/by-analyzer.causes" "$d/by-collector.causes"
    # drives are followed across two redacted bundles
    mkdir "$d/moved"
    cp -r "$d"/second/* "$d/moved/"
    "$STORDX" compare --exit-zero --format json "$d"/first/* "$d"/second/* >"$d/compared" 2>"$d/err"
    check 'redact: drives are followed' grep -q 'SN-3fee0999' "$d/compared"
    "$STORDX" compare --exit-zero --format text "$d"/first/* "$d"/third/* >"$d/keys" 2>"$d/err"
    check 'redact: two keys are told' grep -q 'tokens of two keys' "$d/keys"
    check 'redact: one key is not' not grep -q 'tokens of two keys' "$d/compared"
    "$STORDX" sql "$d/first"/* 'SELECT wwn, serial FROM drive ORDER BY 1' >"$d/drives" 2>"$d/err"
    check 'redact: the token is the identity of the drive' grep -q 'WWN-e2d6ee41.*SN-3fee0999' "$d/drives"
}
collect_plain() {
    ln -sf "$(command -v sha256sum)" "$1/bin/sha256sum"
    collect "$1" --seconds 5
}

# A redacted bundle gives the same causes as the plain one, and two of them compare the same. All fixtures go through one
# run, so that the hosts and accounts of each are looked for in all the others, too.
causes_in() { grep -oE '"(rule|rank|confidence|status|verdict)":[^,}]*' "$1"; }
check_fixtures() {
    d=$1
    if [ -z "$STORDX" ]; then
        skipped 'fixtures: no stordx program is built here (set STORDX)'
        return
    fi
    bench "$d"
    for t in awk sort uniq find; do p=$(command -v $t) && ln -sf "$p" "$d/bin/$t"; done
    mkdir "$d/plain"
    for f in "$HERE"/../../fixtures/*/; do
        n=$(basename "$f")
        for b in "$f"bundle-*; do
            k=${b##*/bundle-}
            mkdir -p "$d/plain/$n.$k"
            if [ -d "$b" ]; then cp -R "$b/." "$d/plain/$n.$k"; else cp "$b" "$d/plain/$n.$k"; fi
            case $n in
            microserver-write-cache | exchange-follows-drive) ;;
            *) break ;; # of the others one stage
            esac
        done
    done
    chmod -R u+w "$d/plain"
    echo "bundle=$d/plain" >>"$d/bin/test-settings"
    printf '%s\n' "$KEY" >"$d/key"
    collect "$d" --redact --redact-key-file "$d/key"
    check 'fixtures: exit status 0' equal "$RC" 0
    seen=' '
    for f in "$d"/plain/*; do
        n=${f##*/}
        case $seen in
        *" ${n%%.*} "*) continue ;;
        esac
        seen="$seen${n%%.*} "
        "$STORDX" analyze --exit-zero --format json "$f" >"$d/json" 2>&1
        causes_in "$d/json" >"$d/causes.plain"
        "$STORDX" analyze --exit-zero --format json "$BUNDLE/$n" >"$d/json" 2>&1
        causes_in "$d/json" >"$d/causes.redacted"
        check "fixtures: $n: the same causes" cmp "$d/causes.plain" "$d/causes.redacted"
        case $n in # what the collector itself writes, of each kind of drive
        microserver* | healthy-debian* | megaraid* | sas-hba* | workstation-nvme*) ;;
        *) continue ;;
        esac
        "$STORDX" sql "$f" "SELECT DISTINCT v FROM (SELECT trim(value) AS v FROM setting WHERE key IN ('serial', 'wwn', 'eui', 'nguid', 'hostname')
            UNION SELECT wwn FROM drive UNION SELECT serial FROM drive) WHERE length(v) >= 4 AND v NOT GLOB '0000*'" 2>&1 | sed 1d >"$d/secrets"
        [ ! -s "$d/secrets" ] || check "fixtures: $n: no identity is left" not grep -rqaiw -F -f "$d/secrets" "$BUNDLE/$n"
    done
    for n in 'microserver-write-cache before after' 'exchange-follows-drive before after'; do
        # shellcheck disable=SC2086 # three words
        set -- $n
        "$STORDX" compare --exit-zero --format json "$d/plain/$1.$2" "$d/plain/$1.$3" >"$d/json" 2>&1
        causes_in "$d/json" >"$d/causes.plain"
        "$STORDX" compare --exit-zero --format json "$BUNDLE/$1.$2" "$BUNDLE/$1.$3" >"$d/json" 2>&1
        causes_in "$d/json" >"$d/causes.redacted"
        check "fixtures: $1: compared alike" cmp "$d/causes.plain" "$d/causes.redacted"
        check "fixtures: $1: there is something to compare" test -s "$d/causes.plain"
    done
}

suite() { # SHELL_NAME SHELL_CMD
    SHELL_NAME=$1 SHELL_CMD=$2 AS_USER=''
    s=$WORK/$(printf '%s' "$1" | tr -c 'a-z0-9\n' _)
    mkdir "$s"
    FULL=1
    [ "$2" = "$FIRST_SHELL" ] || FULL=''
    if [ -n "${ONLY:-}" ]; then
        for k in $ONLY; do "check_$k" "$s/$k"; done
        return
    fi
    if [ -z "$FULL" ]; then # what depends on the shell; the rest was looked at under the first one
        check_bad_tools "$s/bad" >"$s/lane" 2>&1 &
        lane=$!
        check_working_host "$s/working"
        check_interrupt "$s/interrupt"
        check_bsd "$s/bsd"
        check_redact "$s/redact"
        wait "$lane"
        cat "$s/lane"
        return
    fi
    # two lanes: the slow one mostly waits
    { check_bad_tools "$s/bad"; check_deadline "$s/deadline"; check_floods "$s/floods"; } >"$s/lane" 2>&1 &
    lane=$!
    usage_errors "$s/usage"
    check_working_host "$s/working"
    check_no_queries "$s/queries"
    check_denied_alone "$s/denied"
    check_md_host "$s/md"
    check_bare "$s/bare"
    check_interrupt "$s/interrupt"
    check_places "$s/places"
    check_odd "$s/odd"
    check_together "$s/together"
    check_no_root "$s/user"
    check_many "$s/many"
    check_bsd "$s/bsd"
    check_redact "$s/redact"
    check_fixtures "$s/fixtures"
    wait "$lane"
    cat "$s/lane"
}

# ---------------------------------------------------------------------------------------------- the run

# can a process be made that survives KILL?
if command -v "${CC:-cc}" >/dev/null 2>&1 && "${CC:-cc}" -o "$WORK/unkillable" "$HERE/unkillable.c" 2>/dev/null; then
    mkdir "$WORK/probe"
    STORDX_TEST_PATH=$WORK/probe "$WORK/unkillable" >/dev/null 2>&1 &
    pid=$!
    n=0
    while [ ! -s "$WORK/probe/tracer" ] && [ "$n" -lt 20 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    sleep 0.2
    kill -9 "$pid" 2>/dev/null
    sleep 0.2
    kill -0 "$pid" 2>/dev/null || rm -f "$WORK/unkillable"
    end_tracers
    wait "$pid" 2>/dev/null
fi

# the analyzer, where it is built: what it makes of the bundles is looked at, too
STORDX=${STORDX:-}
SHELLS=${*:-dash bash busybox mksh lksh ksh yash zsh posh klibc freebsd-sh}
SHELL_NAME=all
# program SHELL: PROGRAM, and what makes it a POSIX shell (AS_SH)
program() {
    PROGRAM=$1 AS_SH=''
    case $1 in
    bash) AS_SH=' --posix' ;;
    zsh) AS_SH=' --emulate sh' ;;
    busybox) AS_SH=' ash' ;;
    klibc) PROGRAM=/usr/lib/klibc/bin/sh ;; # an ash, nearer to FreeBSD's than dash is now
    esac
}
# run with the other tests it gets the program, too
[ -z "${VARIANT:-}" ] || check 'the program to analyse bundles with is given' test -x "$STORDX" >"$WORK/out.00-program"
{
    for sh in $SHELLS; do
        program "$sh"
        command -v "$PROGRAM" >/dev/null 2>&1 || skipped "no $sh here"
    done
    # FreeBSD's sh expands all assignments of a command before it makes the first: A=1 B=$A gives B what A was before
    # shellcheck disable=SC2016 # a pattern
    check 'collector: no assignment reads another of its command' \
        not grep -n '\([A-Za-z_][A-Za-z_0-9]*\)=[^;&|]* [A-Za-z_][A-Za-z_0-9]*=[^ ;&|]*\${*\1[^A-Za-z_0-9]' "$COLLECT"
    if [ -n "${VARIANT:-}" ]; then
        : # tests/checks/shellcheck.sh looks at these files
    elif command -v shellcheck >/dev/null 2>&1; then
        check 'shellcheck: collector' shellcheck -s sh "$COLLECT"
        check 'shellcheck: this file' shellcheck -s sh "$HERE/run.sh"
    else
        skipped 'no shellcheck here'
    fi
} >"$WORK/out.000"
FIRST_SHELL=''
pids='' n=0
for sh in $SHELLS; do
    program "$sh"
    command -v "$PROGRAM" >/dev/null 2>&1 || continue
    n=$((n + 1))
    [ -n "$FIRST_SHELL" ] || FIRST_SHELL=$PROGRAM$AS_SH
    # two digits, so that they are shown in this order
    suite "$sh$AS_SH" "$PROGRAM$AS_SH" >"$WORK/out.$((n / 10))$((n % 10))" 2>&1 &
    pids="$pids $!"
done
for p in $pids; do wait "$p"; done
cat "$WORK"/out.*
passed=$(cat "$WORK"/out.* | grep -c '^ok ')
skips=$(cat "$WORK"/out.* | grep -c '^skip ')
failed=$(cat "$WORK"/out.* | grep -vc '^ok \|^skip ')
[ "$n" -gt 0 ] || failed=$((failed + 1))
if [ "$skips" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skips skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
