#!/bin/sh
# The man pages: without complaints of mandoc and man, and complete. (That each option is there: completions.sh.)
# shellcheck disable=SC1091,SC2154,SC2013 # lib.sh sets them; names hold no blanks
. tests/cli/lib.sh
mkdir "$dir/man"
awk -f man/facts.awk -v schema=analyze/facts/schema.sql -v metrics=analyze/facts/metrics.def -v keys=analyze/facts/keys.def \
    man/stordx-facts.5.in >"$dir/man/stordx-facts.5"
cp man/*.1 man/*.5 "$dir/man"

for page in "$dir"/man/*.[15]; do
    name=${page##*/}
    check "$name: each line of running text is short" awk '/^[^.]/ && length > 80 && !literal { bad = 1 } /^\.Bd/ { literal = 1 } /^\.Ed/ { literal = 0 } END { exit bad }' "$page"
    if command -v mandoc >/dev/null 2>&1; then
        # Whether the pages that it names are installed here is no fault of a page.
        mandoc -T lint "$page" 2>&1 | grep -v 'referenced manual not found' >"$dir/out"
        check "mandoc -T lint $name" test ! -s "$dir/out"
    fi
    if man --version >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
        man --warnings -l "$page" 2>"$dir/err" >"$dir/out"
        check "man --warnings $name" test ! -s "$dir/err"
        check "man $name says something" test -s "$dir/out"
    fi
done
command -v mandoc >/dev/null 2>&1 || skip 'mandoc is not here'
{ man --version && command -v groff; } >/dev/null 2>&1 || skip 'man of man-db with groff is not here'

# ---- every table and view, and every column
run 0 sql fixtures/one-line-paste/bundle-line "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sample_%' AND name NOT LIKE 'sqlite_%'"
sed 1d "$dir/out" >"$dir/names"
check 'there are tables' test "$(lines "$dir/names")" -gt 100
while IFS='	' read -r type name; do
    case $type in
    table) check "table $name" grep -q "^\\.Ss $name\$" "$dir/man/stordx-facts.5" ;;
    view) check "view $name" grep -q -e "^\\.It Li $name\$" -e "^\\.Ss $name\$" "$dir/man/stordx-facts.5" ;;
    esac
done <"$dir/names"
if command -v sqlite3 >/dev/null 2>&1; then
    "$STORDX" facts fixtures/one-line-paste/bundle-line -o "$dir/f.db" 2>"$dir/err"
    sqlite3 -separator ' ' "$dir/f.db" "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p
        WHERE m.type = 'table' AND m.name NOT IN ('sample', 'lifetime')" >"$dir/columns"
    sed -n -e 's/^\.Ss /table /p' -e 's/^\.It Va /column /p' "$dir/man/stordx-facts.5" | tr -d ',' |
        awk '$1 == "table" { table = $2 } $1 == "column" { for (i = 2; i <= NF; i++) print table, $i }' | sort >"$dir/described"
    sort "$dir/columns" | comm -23 - "$dir/described" >"$dir/out"
    check 'every column of every table' test ! -s "$dir/out"
    check 'there are columns' test "$(lines "$dir/columns")" -gt 300
else
    skip 'sqlite3 is not here: columns'
fi
for key in $(sed -n 's/^KEY("\([^"]*\)".*/\1/p' analyze/facts/keys.def); do
    check "setting $key" grep -q "^\\.It Li $key\$" "$dir/man/stordx-facts.5"
done
for metric in $(sed -n 's/^METRIC(\([a-z0-9_]*\),.*/\1/p' analyze/facts/metrics.def); do
    check "metric $metric" grep -q "^\\.Va.* $metric\\( \\|\$\\)" "$dir/man/stordx-facts.5"
done
for function in $(sed -n 's/^ \*     \([a-z_]*\)(.*/\1/p' analyze/facts/sqlfunc.h); do
    check "function $function" grep -q "^\\.It Fn $function " "$dir/man/stordx-facts.5"
done

# ---- every key of a rule page's header
for key in $(sed -n '/^static bool parse_meta/,/^}/s/.*str_is(key, "\([a-z-]*\)").*/\1/p' analyze/diagnose/page.c); do
    check "header $key" grep -q "^\\.It Cm $key\$" man/stordx-rules.5
done
for section in Evidence 'Ruled out' Fix Verify 'Not this' 'As told' Cases; do
    check "section $section" grep -q "^\\.It Li ## $section\$" man/stordx-rules.5
done
# The page of the manual is one.
mkdir "$dir/rules" "$dir/rules/drive"
awk '/^\.Sh EXAMPLES/ { on = 1 } on && /^\.Ed/ { exit } on && /^\.Bd/ { text = 1; next } text { sub(/^\\&/, ""); print }' man/stordx-rules.5 >"$dir/rules/drive/read-ahead-off.md"
run 0 rules test read-ahead-off --rules "$dir/rules"
has out '^1 passed, 0 failed' "the manual's example"
finish
