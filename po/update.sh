#!/bin/sh
# Collects the report's words into po/stordx.pot and brings the catalogues po/*.po up to date with it: `make po` runs it.
#
#   po/update.sh STORDX           writes po/stordx.pot and merges it into the catalogues
#   po/update.sh STORDX FILE      writes the template to FILE only (the tests compare)
#
# What is marked in the C sources (see analyze/base/lang.h), and the titles of all rule pages as the program STORDX reads
# them. Needs xgettext, msguniq, msgcat and msgmerge of GNU gettext. The template carries no date and no line numbers, so that it
# changes only when a word does.
set -eu
stordx=$1
case $stordx in
/*) ;;
*) stordx=$PWD/$stordx ;;
esac
template=${2:-po/stordx.pot}
case $template in
/*) ;;
*) template=$PWD/$template ;;
esac
cd "$(dirname "$0")/.."
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d "${TMPDIR:-/tmp}/stordx-po.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM

# A "%" of ours is a per cent sign, never a printf directive.
printf '%s\n' analyze/*.c analyze/*/*.c analyze/*/*.h analyze/*/*.def reports/*.c reports/*.h | sort |
    xgettext --language=C --from-code=UTF-8 --add-location=file --add-comments=TRANSLATORS \
        --keyword --keyword=_ --keyword=N_ --keyword=P_:1,2 --keyword=say_n:2,3 \
        --flag=_:1:no-c-format --flag=N_:1:no-c-format --flag=P_:1:no-c-format --flag=P_:2:no-c-format --flag=say_n:2:no-c-format --flag=say_n:3:no-c-format \
        --package-name=stordx --files-from=- --output="$scratch/code.pot"
"$stordx" rules titles | msguniq --no-wrap --output-file="$scratch/titles.pot" # several pages may have one plain title
msgcat --use-first --add-location=file --no-wrap "$scratch/code.pot" "$scratch/titles.pot" |
    sed -e '/^"POT-Creation-Date:/d' -e '/^"PO-Revision-Date:/d' -e 's/charset=CHARSET/charset=UTF-8/' \
        -e 's/^# SOME DESCRIPTIVE TITLE\./# The words of the reports of stordx; made by po\/update.sh, do not edit./' \
        -e '/^# Copyright (C) YEAR/d' -e '/^# This file is distributed under/d' -e '/^# FIRST AUTHOR/d' \
        -e '/^"Report-Msgid-Bugs-To:/d' -e '/^"Last-Translator:/d' -e '/^"Language-Team:/d' >"$scratch/stordx.pot"
cp "$scratch/stordx.pot" "$template"
[ $# -eq 1 ] || exit 0
for catalogue in po/*.po; do
    [ -e "$catalogue" ] || continue
    # A guess from a message that is merely alike would be wrong more often than right.
    msgmerge --quiet --no-fuzzy-matching --no-wrap --add-location=file --output-file="$scratch/merged.po" "$catalogue" po/stordx.pot
    msgattrib --no-obsolete --no-wrap --add-location=file --output-file="$scratch/clean.po" "$scratch/merged.po"
    cmp -s "$scratch/clean.po" "$catalogue" || cp "$scratch/clean.po" "$catalogue"
    echo "$catalogue: $(msgfmt --statistics --output-file=/dev/null "$catalogue" 2>&1)"
done
