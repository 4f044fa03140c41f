#!/bin/sh
# ./bootstrap against fake package managers: which commands does it start, as whom, and in which order?
#
# Each check builds a machine: a directory that is the whole PATH, with fake cc, make, pkg-config, sudo, id and package
# managers that write their command lines to one log. "Installed" is a file in the machine's state/ per thing, which
# the fake installers create; so a check says what the machine has, runs bootstrap and compares the complete log.
set -u

root=$PWD
T=$(mktemp -d "${TMPDIR:-/tmp}/bootstrap-test.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
passed=0 failed=0 skipped=0

# ---------------------------------------------------------------- the fakes

fakes=$T/fakes
mkdir "$fakes"

# fake NAME: the rest of a fake's text comes from stdin; $S is the machine's state.
fake() {
    # shellcheck disable=SC2016 # expanded by the fake
    { printf '#!/bin/sh\nS=%s/state\nme=${0##*/}\n' '$MACHINE' && cat; } >"$fakes/$1"
    chmod +x "$fakes/$1"
}

fake id <<'EOF'
[ "$*" = -u ] || exit 1
[ -z "${FAKE_ROOT:-}" ] || { echo 0; exit; }
[ -e "$S/user" ] && echo 1000 || echo 0
EOF
fake uname <<'EOF'
cat "$S/uname"
EOF
fake sudo <<'EOF'
echo "$me $*" >>"$S/log"
[ ! -e "$S/sudo-refuses" ] || exit 1
FAKE_ROOT=1 exec "$@"
EOF
cp "$fakes/sudo" "$fakes/doas"
# The compiler comes with the C library's headers or without.
fake cc <<'EOF'
[ -e "$S/headers" ] || exit 1
case "$*" in *-fsanitize*) [ -e "$S/sanitizers" ] ;; *) exit 0 ;; esac
EOF
cp "$fakes/cc" "$fakes/clang"
fake make <<'EOF'
if [ "$*" = --version ]; then echo "GNU Make 4.3"; exit; fi
echo "$me $*" >>"$S/log"
[ ! -e "$S/make-fails" ] || exit 2
EOF
cp "$fakes/make" "$fakes/gmake"
fake bsdmake <<'EOF'
[ "$*" != --version ] || exit 2
echo "bsdmake $*" >>"$S/log"
EOF
fake pkg-config <<'EOF'
[ "$1" = --exists ] && [ -e "$S/$2" ]
EOF
fake shellcheck </dev/null
cp "$fakes/shellcheck" "$fakes/clang-format"
cp "$fakes/shellcheck" "$fakes/clang-tidy"
for liked in msgfmt mksh chromium node npm; do
    cp "$fakes/shellcheck" "$fakes/$liked"
done
fake apt-cache <<'EOF'
[ "$1" = show ] && [ -e "$S/lists" ]
EOF
# Every package manager: needs root (Homebrew refuses it), may fail once or always, installs everything.
fake manager <<'EOF'
echo "$me $*" >>"$S/log"
if [ "$me" = brew ]; then
    [ "$*" != --prefix ] || { echo /opt/brew; exit; }
    [ "$(id -u)" != 0 ] || exit 1
elif [ "$(id -u)" != 0 ]; then
    echo "not root" >>"$S/log"
    exit 100
fi
case " $* " in
*" update "* | *" makecache "* | *" refresh "* | *" -Sy "*) : >"$S/lists"; [ ! -e "$S/offline" ]; exit ;;
esac
[ ! -e "$S/offline" ] || exit 100
[ "$me" != apt-get ] || [ -e "$S/lists" ] || exit 100
if [ -e "$S/fails-once" ]; then rm "$S/fails-once"; exit 100; fi
[ ! -e "$S/installs-nothing" ] || exit 0
case " $* " in
*" libseccomp-dev "* | *" libasan "*) [ ! -e "$S/no-wanted" ] || exit 100 ;;
esac
case " $* " in
*"seccomp"* | *" libasan "*) : >"$S/libseccomp" ;;
*) for t in libarchive libpcre2-8 libcjson libxml-2.0 sqlite3 libcmark cmocka headers; do : >"$S/$t"; done
   for t in $(cat "$S/brings"); do cp "$FAKES/$t" "$MACHINE/bin/$t"; done ;;
esac
EOF

# machine [TOOL...]: a new one with these fakes, as root, on Linux, with nothing else but what tests merely like to have.
machine() {
    MACHINE=$T/machine
    FAKES=$fakes
    export MACHINE FAKES
    rm -rf "$MACHINE"
    mkdir -p "$MACHINE/bin" "$MACHINE/state"
    for tool in sh env cat cp grep rm mktemp dirname sed; do
        ln -s "$(command -v "$tool")" "$MACHINE/bin/$tool"
    done
    for tool in id uname mksh chromium node npm "$@"; do
        case $tool in
        apt-get | dnf | apk | pacman | zypper | pkg | brew) cp "$fakes/manager" "$MACHINE/bin/$tool" ;;
        *) cp "$fakes/$tool" "$MACHINE/bin/$tool" ;;
        esac
    done
    : >"$MACHINE/state/log"
    echo Linux >"$MACHINE/state/uname"
    echo cc make pkg-config msgfmt >"$MACHINE/state/brings"
}

# state NAME...: facts of the machine; also the libraries it has.
state() {
    for fact in "$@"; do
        : >"$MACHINE/state/$fact"
    done
}

libraries="libarchive libpcre2-8 libcjson libxml-2.0 sqlite3 libcmark"

# equipped MACHINE_TOOL...: everything but what a check takes away again.
equipped() {
    machine cc make pkg-config msgfmt "$@"
    # shellcheck disable=SC2086
    state headers sanitizers cmocka libseccomp $libraries
}

# check WHAT STATUS ARGUMENT... <LOG: bootstrap with these arguments must exit so and leave exactly this log.
check() {
    what=$1 want=$2
    shift 2
    cat >"$T/want"
    for shell in $shells; do
        cp -R "$MACHINE" "$T/before"
        # shellcheck disable=SC2046,SC2086 # "busybox ash" is two words
        env -i PATH="$MACHINE/bin" MACHINE="$MACHINE" FAKES="$FAKES" TMPDIR="$T" ${with:-} \
            $(shell_command "$shell") "$root/bootstrap" "$@" >"$T/out" 2>&1 </dev/null
        status=$?
        if [ "$status" -eq "$want" ] && cmp -s "$T/want" "$MACHINE/state/log" && leaves_nothing; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED ($shell): $what: exit status $status, expected $want; command lines expected and found:"
            diff "$T/want" "$MACHINE/state/log"
            echo "output:"
            cat "$T/out"
        fi
        rm -rf "$MACHINE"
        mv "$T/before" "$MACHINE"
    done
}

leaves_nothing() {
    for f in "$T"/bootstrap.*; do
        [ ! -e "$f" ] || { echo "left behind: $f"; rm -rf "$f"; return 1; }
    done
}

# says TEXT...: the last check's output holds each of these texts.
says() {
    for text in "$@"; do
        if grep -q -F -e "$text" "$T/out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $what: no '$text' in its output:"
            cat "$T/out"
        fi
    done
}

says_not() {
    if grep -q -F -e "$1" "$T/out"; then
        failed=$((failed + 1))
        echo "FAILED: $what: '$1' in its output:"
        cat "$T/out"
    else
        passed=$((passed + 1))
    fi
}

# The shells that /bin/sh may be; by path, as the machine's PATH has none of them.
shells=
shell_command() {
    case $1 in
    busybox) echo "$(command -v busybox) ash" ;;
    *) command -v "$1" ;;
    esac
}
for shell in sh dash busybox bash; do
    if command -v "$shell" >/dev/null 2>&1; then
        shells="$shells $shell"
    else
        skipped=$((skipped + 1))
        echo "skipped: $shell is not installed"
    fi
done

# ---------------------------------------------------------------- nothing missing

equipped apt-get apt-cache sudo
check 'nothing missing, root' 0 test <<'EOF'
make test
EOF
says_not sudo
state user
check 'nothing missing, user' 0 demo BUILD=/tmp/b <<'EOF'
make demo BUILD=/tmp/b
EOF
rm "$MACHINE/state/cmocka"
check 'cmocka is needed by test only' 0 demo <<'EOF'
make demo
EOF
equipped
check 'nothing missing, no package manager' 0 all <<'EOF'
make all
EOF
rm "$MACHINE/state/libseccomp" "$MACHINE/state/sanitizers"
check 'what is merely useful does not hold up' 0 test <<'EOF'
make test
EOF
says 'going on without: sanitizers libseccomp'
equipped
state make-fails
check "make's exit status is passed on" 2 all <<'EOF'
make all
EOF
machine make apt-get
check 'help and clean need only make' 0 clean <<'EOF'
make clean
EOF

# ---------------------------------------------------------------- usage

equipped apt-get
for arguments in '' '-x' 'all demo' 'nosuch' 'CC=gcc' 'all cc' '../all' 'all --version'; do
    # shellcheck disable=SC2086
    check "bad usage: $arguments" 2 $arguments </dev/null
    says 'usage: ./bootstrap TARGET'
done
check 'an empty target' 2 '' </dev/null

# ---------------------------------------------------------------- every manager, from nothing

apt="gcc libc6-dev make pkg-config gettext libarchive-dev libpcre2-dev libcjson-dev libxml2-dev libsqlite3-dev libcmark-dev"
machine apt-get apt-cache
check 'apt, root, fresh image' 0 demo <<EOF
apt-get update
apt-get install -y --no-install-recommends $apt
apt-get install -y --no-install-recommends libseccomp-dev
make demo
EOF
says "make demo needs packages that are missing here: $apt" 'and makes use of: libseccomp-dev'
rm "$MACHINE/bin/mksh" "$MACHINE/bin/chromium" "$MACHINE/bin/node" "$MACHINE/bin/npm"
check 'apt, root, fresh image, test' 0 test <<EOF
apt-get update
apt-get install -y --no-install-recommends $apt libcmocka-dev
apt-get install -y --no-install-recommends mksh chromium nodejs npm libseccomp-dev
make test
EOF
state lists
check 'apt, root, with package lists' 0 demo <<EOF
apt-get install -y --no-install-recommends $apt
apt-get install -y --no-install-recommends libseccomp-dev
make demo
EOF
state fails-once
check 'apt, root, with old package lists' 0 demo <<EOF
apt-get install -y --no-install-recommends $apt
apt-get update
apt-get install -y --no-install-recommends $apt
apt-get install -y --no-install-recommends libseccomp-dev
make demo
EOF
machine apt-get apt-cache sudo
state user
check 'apt, user with sudo' 0 demo <<EOF
sudo apt-get update
apt-get update
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $apt
apt-get install -y --no-install-recommends $apt
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libseccomp-dev
apt-get install -y --no-install-recommends libseccomp-dev
make demo
EOF
says 'sudo is asked for the right to install them'
state no-wanted
check 'apt, a release without a merely useful package' 0 all <<EOF
sudo apt-get update
apt-get update
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $apt
apt-get install -y --no-install-recommends $apt
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libseccomp-dev
apt-get install -y --no-install-recommends libseccomp-dev
make all
EOF
says 'going on without: libseccomp'

dnf_libraries="pkgconfig(libarchive) pkgconfig(libpcre2-8) pkgconfig(libcjson) pkgconfig(libxml-2.0) pkgconfig(sqlite3) pkgconfig(libcmark)"

# both MANAGER INSTALL PACKAGES WANTED [UNAME] [MAKE]: root and a user with sudo or doas, on a machine with nothing.
both() {
    manager=$1 install=$2 packages=$3 wanted=$4 os=${5:-Linux} make=${6:-make}
    for how in root sudo doas; do
        case $how in
        root) machine "$manager" sudo && prefix='' ;;
        *) machine "$manager" "$how" && state user && prefix="$how $install" ;;
        esac
        echo "$os" >"$MACHINE/state/uname"
        echo "cc $make pkg-config msgfmt" >"$MACHINE/state/brings"
        {
            [ -z "$prefix" ] || echo "$prefix $packages"
            echo "$install $packages"
            if [ -n "$wanted" ]; then
                [ -z "$prefix" ] || echo "$prefix $wanted"
                echo "$install $wanted"
            fi
            echo "$make test"
        } >"$T/log"
        check "$manager, $how" 0 test <"$T/log"
        says "make test needs packages that are missing here: $packages"
    done
}

both dnf 'dnf install -y' "gcc glibc-devel make pkgconf-pkg-config gettext $dnf_libraries pkgconfig(cmocka)" \
    'libasan libubsan pkgconfig(libseccomp)'
both zypper 'zypper --non-interactive install' "gcc glibc-devel make pkg-config gettext-tools $dnf_libraries pkgconfig(cmocka)" \
    'pkgconfig(libseccomp)'
both apk 'apk add' "gcc musl-dev linux-headers make pkgconf gettext libarchive-dev pcre2-dev cjson-dev libxml2-dev sqlite-dev \
cmark-dev cmocka-dev" libseccomp-dev
both pacman 'pacman -S --needed --noconfirm' \
    'gcc make pkgconf gettext libarchive pcre2 cjson libxml2 sqlite cmark cmocka' libseccomp
both pkg 'pkg install -y' 'gcc gmake pkgconf gettext-tools libarchive pcre2 libcjson libxml2 sqlite3 cmark cmocka' '' FreeBSD gmake

# Refreshing lists that are lacking or old: each manager's own way.
refreshes() {
    manager=$1 install=$2 refresh=$3 os=${4:-Linux}
    equipped "$manager"
    rm "$MACHINE/state/libcmark"
    state fails-once
    echo "$os" >"$MACHINE/state/uname"
    case $os in
    FreeBSD) cp "$fakes/gmake" "$MACHINE/bin/gmake"; cp "$fakes/bsdmake" "$MACHINE/bin/make"; make=gmake ;;
    *) make="make" ;;
    esac
    : >"$MACHINE/state/brings"
    check "$manager, lists to refresh" 0 all <<EOF
$install
$refresh
$install
$make all
EOF
}
refreshes dnf 'dnf install -y pkgconfig(libcmark)' 'dnf makecache'
refreshes zypper 'zypper --non-interactive install pkgconfig(libcmark)' 'zypper --non-interactive refresh'
refreshes apk 'apk add cmark-dev' 'apk update'
refreshes pacman 'pacman -S --needed --noconfirm cmark' 'pacman -Sy'
refreshes pkg 'pkg install -y cmark' 'pkg update' FreeBSD

# Homebrew: never through sudo, and its own libraries come into pkg-config's sight.
machine brew sudo
state user
echo Darwin >"$MACHINE/state/uname"
check 'brew' 0 test <<'EOF'
brew --prefix
brew install gcc make pkgconf gettext libarchive pcre2 cjson libxml2 sqlite cmark cmocka
make test
EOF
says_not 'sudo'

# ---------------------------------------------------------------- only what is missing, only what the target needs

equipped apt-get apt-cache sudo
state user lists
rm "$MACHINE/state/libcmark"
check 'one library missing' 0 test <<'EOF'
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libcmark-dev
apt-get install -y --no-install-recommends libcmark-dev
make test
EOF
rm "$MACHINE/bin/msgfmt"
state libcmark
check 'only msgfmt missing' 0 all <<'EOF'
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gettext
apt-get install -y --no-install-recommends gettext
make all
EOF
cp "$fakes/msgfmt" "$MACHINE/bin/msgfmt"
rm "$MACHINE/bin/make"
check 'only make missing' 0 test <<'EOF'
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends make
apt-get install -y --no-install-recommends make
make test
EOF
equipped apt-get apt-cache
state lists
rm "$MACHINE/state/headers"
check 'a compiler without headers' 0 all <<'EOF'
apt-get install -y --no-install-recommends gcc libc6-dev
make all
EOF
equipped apt-get apt-cache
state lists
echo clang >"$MACHINE/state/brings"
check 'another compiler than cc' 0 all CC=clang <<'EOF'
apt-get install -y --no-install-recommends clang libclang-rt-dev
make all CC=clang
EOF
with=CC=clang
check 'another compiler in the environment' 0 all <<'EOF'
apt-get install -y --no-install-recommends clang libclang-rt-dev
make all
EOF
with=
check 'fuzz' 0 fuzz <<'EOF'
apt-get install -y --no-install-recommends clang libclang-rt-dev
make fuzz
EOF
echo clang-format clang-tidy shellcheck >"$MACHINE/state/brings"
check 'lint' 0 lint <<'EOF'
apt-get install -y --no-install-recommends clang-format clang-tidy shellcheck
make lint
EOF
equipped gmake
cp "$fakes/bsdmake" "$MACHINE/bin/make"
check 'make is not GNU make, gmake is' 0 all <<'EOF'
gmake all
EOF

# ---------------------------------------------------------------- what it cannot do

machine
check 'unknown package manager' 3 test </dev/null
says 'no package manager that it knows' 'a C compiler (cc)' 'GNU make' 'msgfmt of GNU gettext' 'pkg-config: libarchive' 'pkg-config: libpcre2-8' \
    'pkg-config: libcjson' 'pkg-config: libxml-2.0' 'pkg-config: sqlite3' 'pkg-config: libcmark' 'pkg-config: cmocka'
equipped
rm "$MACHINE/state/libcjson"
check 'unknown package manager, one library missing' 3 all </dev/null
says 'cJSON, with headers (pkg-config: libcjson)'
says_not 'pkg-config: libarchive'
equipped pkg
rm "$MACHINE/state/libcjson"
check "another system's pkg" 3 all </dev/null
equipped apt-get apt-cache
state user lists
rm "$MACHINE/state/libcmark"
check 'user without sudo' 3 all </dev/null
says 'neither sudo nor doas' 'cmark, with headers (pkg-config: libcmark)' 'as root:' 'apt-get install -y --no-install-recommends libcmark-dev'
equipped apt-get apt-cache sudo
state user lists sudo-refuses
rm "$MACHINE/state/libcmark"
check 'sudo refuses' 3 all <<'EOF'
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libcmark-dev
sudo apt-get update
EOF
says 'could not be installed' 'pkg-config: libcmark'
equipped apt-get apt-cache
state offline
rm "$MACHINE/state/libcmark"
check 'no network' 3 all <<'EOF'
apt-get update
apt-get install -y --no-install-recommends libcmark-dev
EOF
says 'could not be installed' 'pkg-config: libcmark'
equipped apt-get apt-cache
state lists installs-nothing
rm "$MACHINE/state/libcmark"
check 'installed and still not found' 3 all <<'EOF'
apt-get install -y --no-install-recommends libcmark-dev
EOF
says 'the packages are installed, yet something is not found' 'pkg-config: libcmark'
equipped brew
rm "$MACHINE/state/libcmark"
check 'brew as root' 3 all <<'EOF'
brew --prefix
brew install cmark
brew update
EOF

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
