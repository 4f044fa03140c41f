#!/bin/sh
# facts writes a database that any SQLite tool opens; sql reads and only reads.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh

run 0 facts "$after" -o "$dir/f.db"
check 'an SQLite database' sh -c "head -c 15 '$dir/f.db' | grep -q '^SQLite format 3'"
run 3 facts "$after" -o "$dir/f.db"
has err 'f\.db' 'facts refuses to overwrite'
echo precious >"$dir/precious"
run 3 facts "$before" -o "$dir/precious"
check 'what was there is there' grep -q precious "$dir/precious"
run 3 facts "$before" -o "$dir/no/such/folder/f.db"
run 3 facts "$dir/nothing-here" -o "$dir/g.db"
check 'nothing is left of a failed export' test ! -e "$dir/g.db"

if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 "$dir/f.db" 'PRAGMA integrity_check; SELECT count(*) > 100 FROM setting; SELECT count(*) > 0 FROM sample; SELECT count(*) FROM drive WHERE name IN ("sda", "sdb", "sdc");' >"$dir/out" 2>"$dir/err"
    check 'the sqlite3 shell reads it' test "$(tr '\n' ' ' <"$dir/out")" = 'ok 1 1 3 '
elif command -v python3 >/dev/null 2>&1 && python3 -c 'import sqlite3' 2>/dev/null; then
    python3 - "$dir/f.db" >"$dir/out" 2>"$dir/err" <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
assert db.execute("SELECT count(*) FROM setting").fetchone()[0] > 100
assert db.execute("SELECT count(*) FROM sample").fetchone()[0] > 0
assert db.execute("SELECT count(*) FROM drive WHERE name IN ('sda', 'sdb', 'sdc')").fetchone()[0] == 3
print("read")
PYTHON
    has out '^read$' 'python reads it'
else
    skip 'neither sqlite3 nor python3 is here'
fi

run 0 sql "$before" "SELECT name, serial FROM drive WHERE name = 'sda'"
has out '^name	serial$' 'a header line'
has out '^sda	21470D400458$' 'a row'
run 0 sql "$before" 'SELECT median(w_await_ms) IS NULL AS x, wwn("naa.500a0751e1b2c3d4") AS y FROM sample'
has out '500a0751e1b2c3d4' 'functions of our own'
run 0 sql "$before" 'SELECT capture FROM drive WHERE capture = :capture LIMIT 1'

# refused STATEMENT: exit 2, one line, nothing on standard output but a header
refused() {
    run 2 sql "$before" "$1"
    check "one line for: $1" test "$(lines "$dir/err")" -eq 1
}
refused 'DELETE FROM drive'
refused 'DROP TABLE drive'
refused 'INSERT INTO drive(node, capture) VALUES(1, 1)'
refused "UPDATE drive SET name = 'x'"
refused 'CREATE TABLE x(a)'
refused "ATTACH '$dir/evil.db' AS evil"
check 'nothing was attached' test ! -e "$dir/evil.db"
refused "VACUUM INTO '$dir/evil.db'"
check 'nothing was written' test ! -e "$dir/evil.db"
refused 'PRAGMA writable_schema = 1'
refused "SELECT load_extension('x')"
refused "SELECT writefile('$dir/evil.db', 'x')"
refused "SELECT readfile('/etc/passwd')"
refused 'SELECT 1; SELECT 2'
refused 'SELECT 1; DROP TABLE drive'
refused ''
refused ' -- nothing'
refused 'SELEC 1'
refused 'SELECT no_such_column FROM drive'
finish
