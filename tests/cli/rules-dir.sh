#!/bin/sh
# --rules DIR adds and replaces pages; a broken page is reported with file and line and stops nothing.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

mkdir "$dir/rules" "$dir/rules/quality"
cat >"$dir/rules/quality/broken.md" <<'EOF2'
# A page with a mistake

```rule
id: broken-page
kind: note
impact: minor
ask: dmesg
source: a test
```

Text.

## Evidence

```sql
SELECT node, 0.9 AS confidence, no_such_column AS evidence FROM drive
```

## Fix

1. Nothing.
EOF2
run 1 analyze "$before" --rules "$dir/rules"
has out 'write cache' 'the report is made all the same'
cat "$dir/out" "$dir/err" >"$dir/both"
has both 'broken\.md:(1[3-9]|2[0-9])' 'the broken page is named with its line'
run 1 rules lint --rules "$dir/rules"
has out 'broken\.md:(1[3-9]|2[0-9]).*no_such_column' 'lint names file, line and column'

printf 'no page at all\n' >"$dir/rules/quality/broken.md"
run 1 analyze "$before" --rules "$dir/rules"
cat "$dir/out" "$dir/err" >"$dir/both"
has both 'broken\.md' 'a text that is no page is named'
: >"$dir/rules/quality/broken.md"
run 1 analyze "$before" --rules "$dir/rules"
head -c 5000 /dev/zero >"$dir/rules/quality/broken.md"
run 1 analyze "$before" --rules "$dir/rules"
cat >"$dir/rules/quality/broken.md" <<'EOF2'
# A page that would write

```rule
id: writing-page
kind: note
impact: minor
ask: dmesg
source: a test
```

Text.

## Evidence

```sql
DELETE FROM drive
```
EOF2
run 1 analyze "$before" --rules "$dir/rules"
has out 'write cache' 'a page cannot delete'
cat "$dir/out" "$dir/err" >"$dir/both"
has both 'broken\.md:[0-9]+' 'a page that writes is named'

# ---- an added page speaks, a replaced one is silent
cat >"$dir/rules/quality/broken.md" <<'EOF2'
# Every drive has a name, says this test

```rule
id: test-page
kind: note
impact: minor
ask: lsblk
source: a test
```

{drive} has a name.

## Evidence

```sql
SELECT node, 0.9 AS confidence, name AS drive, '[]' AS evidence FROM drive WHERE capture = :capture
```

## Fix

1. Nothing to do.
EOF2
run 1 analyze "$before" --rules "$dir/rules" --format json
has out 'test-page' 'an added page'
run 0 explain test-page --rules "$dir/rules"
has out 'says this test' 'explain of an added page'
run 2 explain test-page
run 0 rules --rules "$dir/rules"
has out '^test-page ' 'the list has it'

run 3 analyze "$before" --rules "$dir/no-such-folder"
run 3 rules --rules "$dir/no-such-folder"
finish
