#!/bin/sh
# The language of reports: how it is chosen, and that a report says nothing of its own in English, and all of the bundle unchanged.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh
unset LANGUAGE LC_ALL LC_MESSAGES LANG

# says LOCALE LANG_OPTION WORDS: the brief report in that locale.
says() {
    # shellcheck disable=SC2086 # two words or none
    LC_ALL=$1 "$STORDX" analyze "$before" --brief --exit-zero $2 >"$dir/out" 2>"$dir/err"
    has out "$3" "locale '$1' with '$2'"
}
english='write cache of the drives is switched off'
spanish='caché de escritura'
russian='[Кк]эш записи'
says C '' "$english"
says es_AR.UTF-8 '' "$spanish"
says ru_RU.KOI8-R '' "$russian" # the report is always UTF-8
says sr_RS.UTF-8 '' "$english"
says C '--lang es' "$spanish"
says es_ES.UTF-8 '--lang ru' "$russian"
says es_ES.UTF-8 '--lang en' "$english"

for lang in pt_BR '' xx ../es 'es;rm'; do
    for command in "analyze $before" "compare $before $after" 'explain drive-write-cache-off' rules; do
        # shellcheck disable=SC2086
        run 2 $command --lang "$lang"
        has err 'no language .* there are en, es, ru' "$command --lang '$lang'"
        if [ "$(lines "$dir/err")" -eq 1 ]; then ok; else not_ok "$command --lang '$lang' prints more than a line"; fi
        if [ -s "$dir/out" ]; then not_ok "$command --lang '$lang' prints a report"; else ok; fi
    done
done
run 2 analyze "$before" --lang
run 2 facts "$before" -o "$dir/x.db" --lang es

run 0 explain drive-write-cache-off --lang es
has out "$spanish" 'explain speaks Spanish'
has out 'hdparm -W1' 'and leaves commands alone'
run 0 explain drive-write-cache-off --lang ru
has out "$russian" 'explain speaks Russian'
run 0 rules --lang ru
has out "$russian" 'rules speaks Russian'
run 0 rules lint --lang ru
has out ' 0 problems' 'what is checked are the pages'

# ---------------------------------------------------------------- translations of a directory

mkdir -p "$dir/rules/drive"
translation=$dir/rules/drive/drive-write-cache-off.es.md
cat >"$translation" <<'EOF'
# Palabras propias

```translation
of: drive-write-cache-off
english: pending
```

Resumen propio de {subjects}.
EOF
printf '# Frases\n\n```phrases\nkernel'"'"'s view only, the drive itself was not asked (hdparm -W)\n= frase propia\n```\n' \
    >"$dir/rules/phrases.es.md"
run 1 analyze "$before" --lang es --rules "$dir/rules"
has out 'Palabras propias' 'a title of the directory'
has out 'Resumen propio de sda' 'a summary of the directory'
has out 'hdparm -W1 /dev/disk/by-id' 'what it lacks is said in English'
run 1 analyze "$before" --rules "$dir/rules"
has out "$english" 'and nobody else sees it'
run 1 rules lint --rules "$dir/rules"
has out 'drive-write-cache-off\.es\.md:5: made from which English page' 'lint tells the hash'
has out 'drive-write-cache-off\.es\.md:1: no Fix' 'lint tells what is missing'
sed 's/of: drive-write-cache-off/of: nobody/' "$translation" >"$dir/rules/drive/nobody.es.md"
# shellcheck disable=SC2016
printf '# T\n\n```phrases\nsome words\n```\n' >"$dir/rules/phrases.ru.md"
run 1 rules lint --rules "$dir/rules"
has out 'nobody\.es\.md:1: there is no page "nobody" to translate' 'a translation without its page'
has out 'phrases\.ru\.md:4: no translation' 'a phrase without its translation'
run 1 analyze "$before" --lang es --rules "$dir/rules"
has out 'Palabras propias' 'a broken translation stops nothing'

# ---------------------------------------------------------------- what must not change

# Strings of JSON under these keys are the bundle's, or names that programs rely on; "text" is where it stands beside its member.
fixed='"(member|path|id|rule|kind|class|impact|layer|symptom|metric|unit|tool|command|status|model|serial|wwn|stage|confidence_word)":'
unchanged() {
    awk -v fixed="$fixed" '/"member":/ { at = NR } /"text":/ && at && NR - at <= 4 || $0 ~ fixed' "$dir/$1.json" >"$dir/$1.fixed"
}
stories='microserver-write-cache backup-server-ide-mode nvme-vs-sata freebsd-nas-sata2-port'
# The sanitizers look for wrong memory, not for wrong words, and are slow: one story shows it to them.
[ "${VARIANT:-plain}" = plain ] || stories=nvme-vs-sata
for story in $stories; do
    for bundle in fixtures/"$story"/bundle-before fixtures/"$story"/bundle-1 fixtures/"$story"/bundle-both-layouts; do
        [ ! -d "$bundle" ] || break
    done
    LC_ALL=C "$STORDX" analyze "$bundle" --format json --exit-zero >"$dir/en.json"
    LC_ALL=es_ES.UTF-8 "$STORDX" analyze "$bundle" --format json --exit-zero >"$dir/locale.json"
    check "$story: JSON is the same in every locale" cmp "$dir/en.json" "$dir/locale.json"
    unchanged en
    grep -A 100 '"verify_commands"' "$dir/en.json" | grep -E '^[[:space:]]*"[^":]*",?$' >"$dir/en.commands"
    for lang in es ru; do
        "$STORDX" analyze "$bundle" --format json --exit-zero --lang $lang >"$dir/$lang.json"
        unchanged $lang
        if diff "$dir/en.fixed" "$dir/$lang.fixed" >"$dir/out"; then ok; else not_ok "$story: $lang changes what is the bundle's"; fi
        "$STORDX" analyze "$bundle" --format html --exit-zero --lang $lang >"$dir/$lang.html"
        has $lang.html "<html lang=\"$lang\">" "$story: the page says its language"
    done
done

# ---------------------------------------------------------------- nothing of ours in English

# The pieces of our messages, of three words or more, as the template has them: from the sources, so not the titles of pages.
pieces() {
    awk '
        /^#: / { ours = ($0 ~ /\.[ch]( |$)/) }
        /^msgid_plural "/ { sub(/^msgid_plural /, "msgid ") }
        /^msgid "/ { text = substr($0, 8, length($0) - 8); next }
        /^"/ { text = text substr($0, 2, length($0) - 2); next }
        /^msgstr/ {
            gsub(/\\"/, "\"", text)
            n = split(text, piece, /\{[a-z_]+\}/)
            for (i = 1; ours && i <= n; i++) {
                gsub(/^[ .:;,()]+|[ .:;,()]+$/, "", piece[i])
                if (split(piece[i], words, " ") >= 3) print piece[i]
            }
            text = ""
        }' po/stordx.pot | sort -u
}
pieces >"$dir/pieces"
if [ "$(lines "$dir/pieces")" -gt 200 ]; then ok; else not_ok 'po/stordx.pot has too few words'; fi

# Prose only: neither quoted lines and commands (fences, code) nor where the knowledge is from.
prose() {
    # shellcheck disable=SC2016 # nothing is to be expanded
    awk '/^[[:space:]>]*```/ { inside = !inside; next } !inside' "$1" | sed -e 's/`[^`]*`//g' -e '/^[|] .*[.]txt/d'
}
# LINES: how many lines may hold English words, as what they quote does: remarks of tools and of the one who captured.
# The languages that say everything; another one may grow, and its reports are partly English meanwhile.
complete='es ru'
report() {
    what=$1 most=$2
    shift 2
    for lang in $complete; do
        "$STORDX" "$@" --format markdown --exit-zero --lang "$lang" >"$dir/report" 2>"$dir/err"
        prose "$dir/report" >"$dir/prose"
        # awk, as a grep may take letters of other alphabets for a binary file
        awk 'NR == FNR { pieces[$0]; next } { for (p in pieces) if (index($0, p)) { print; next } }' \
            "$dir/pieces" "$dir/prose" >"$dir/out"
        if [ -s "$dir/out" ]; then not_ok "$what has English words of ours in $lang"; else ok; fi
        # The rest are words that only English has. What a tool itself said, and the source of knowledge, may hold them.
        awk 'tolower($0) ~ /^(-|>|[|])? *(known from|conocido por|известно)/ { next }
             tolower($0) ~ /(^|[^a-z])(the|which|does|cannot|were|been|their|drives)([^a-z]|$)/' "$dir/prose" >"$dir/out"
        if [ "$(lines "$dir/out")" -le "$most" ]; then ok; else not_ok "$what has English sentences in $lang"; fi
    done
}
b=fixtures
report 'the write cache' 0 analyze $b/microserver-write-cache/bundle-before
report 'the write cache, compared' 0 compare $b/microserver-write-cache/bundle-before $b/microserver-write-cache/bundle-after
report 'the IDE mode' 0 analyze $b/backup-server-ide-mode/bundle-1
report 'the IDE mode, compared' 0 compare $b/backup-server-ide-mode/bundle-1 $b/backup-server-ide-mode/bundle-2 \
    $b/backup-server-ide-mode/bundle-3 $b/backup-server-ide-mode/bundle-4
report 'two layouts' 0 analyze $b/nvme-vs-sata/bundle-both-layouts
report 'FreeBSD' 0 analyze $b/freebsd-nas-sata2-port/bundle-before
report 'FreeBSD, compared' 0 compare $b/freebsd-nas-sata2-port/bundle-before $b/freebsd-nas-sata2-port/bundle-after
finish
