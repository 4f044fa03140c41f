#!/bin/sh
# The catalogues: the template has all words of the sources, every language has them all, and msgfmt finds nothing wrong.
set -u
: "${STORDX:?the program to test}"
passed=0 failed=0 skipped=0
complete='es ru' # the languages that may lack nothing, as in tests/cli/lang.sh
ok() {
    passed=$((passed + 1))
}
not_ok() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}
# May this catalogue lack messages?
lacks() {
    case " $complete " in
    *" $(basename "$1" .po) "*) return 1 ;;
    esac
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/po.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

for catalogue in po/*.po; do
    # A message that the catalogue has not got yet is missing, too.
    cp "$catalogue" "$scratch/merged.po"
    if command -v msgmerge >/dev/null 2>&1; then
        msgmerge --quiet --no-fuzzy-matching --output-file="$scratch/merged.po" "$catalogue" po/stordx.pot ||
            not_ok "$catalogue cannot be merged"
    fi
    said=$(LC_ALL=C msgfmt --check-format --statistics --output-file="$scratch/x.mo" "$scratch/merged.po" 2>&1) ||
        not_ok "$catalogue: $said"
    case $said in
    *fuzzy* | *untranslated*) lacks "$catalogue" || not_ok "$catalogue: $said" ;;
    *translated*) ok ;;
    *) not_ok "$catalogue: $said" ;;
    esac
    if grep -q '^"Plural-Forms: ' "$catalogue"; then ok; else not_ok "$catalogue has no Plural-Forms"; fi
done

if command -v xgettext >/dev/null 2>&1 && command -v msgcat >/dev/null 2>&1; then
    sh po/update.sh "$STORDX" "$scratch/stordx.pot" || not_ok 'po/update.sh'
    # Versions of gettext differ in how they write; what counts are the messages.
    for f in po/stordx.pot "$scratch/stordx.pot"; do
        msgcat --no-location --no-wrap --sort-output "$f" | grep -E '^(msgid|msgid_plural|")' >"$scratch/$(echo "$f" | tr / _)"
    done
    if diff "$scratch/po_stordx.pot" "$scratch/$(echo "$scratch/stordx.pot" | tr / _)"; then ok; else not_ok 'po/stordx.pot is not up to date: make po'; fi
else
    echo 'skipped: xgettext is not installed'
    skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
