#!/bin/sh
# Every script of the project: shellcheck finds nothing, where it is installed.
set -u
passed=0 failed=0 skipped=0
for f in bootstrap .ci/run collect/stordx-collect collect/*.sh po/*.sh tests/*.sh tests/*/*.sh; do
    [ -f "$f" ] || continue
    if ! command -v shellcheck >/dev/null 2>&1; then
        skipped=$((skipped + 1))
    elif shellcheck "$f"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
[ "$skipped" -eq 0 ] || echo "skipped: shellcheck is not installed"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
