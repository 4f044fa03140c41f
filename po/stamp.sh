#!/bin/sh
# Fills `english: pending` of new translations of rule pages with the hash of the English page: po/stamp.sh STORDX
#
# A hash that is there and no longer right is left alone: first somebody has to read what changed in the English page. STORDX must
# have been built with the translations. Run it from the root of the source tree, where the names of the pages begin.
set -eu
"$1" rules lint |
    sed -n 's/^\([^:]*\):[0-9]*: made from which English page? If from the present one: english: \([0-9a-f]*\)$/\1 \2/p' |
    while read -r file hash; do
        sed "s/^english: pending\$/english: $hash/" "$file" >"$file.stamped"
        cat "$file.stamped" >"$file" # keeps its mode
        rm "$file.stamped"
        echo "$file: $hash"
    done
