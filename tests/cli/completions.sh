#!/bin/sh
# Completions of bash, zsh and fish, and the man page: each knows every option of --help, and what is completed is right.
# shellcheck disable=SC1091,SC2154 # lib.sh sets them
. tests/cli/lib.sh
case $STORDX in
/*) ;;
*) STORDX=$PWD/$STORDX ;;
esac
mkdir "$dir/bin" "$dir/uploads"
ln -s "$STORDX" "$dir/bin/stordx"
: >"$dir/uploads/upload.tgz"
mkdir "$dir/uploads/pages"

# ---- nothing is forgotten
bash_file=completions/stordx.bash zsh_file=completions/_stordx fish_file=completions/stordx.fish
for command in analyze compare identify facts sql rules explain; do
    run 0 $command --help
    sed -n 's/^  \(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p' "$dir/out" >"$dir/options"
    check "$command has options" test -s "$dir/options"
    check "$command in the man page" grep -q "^\\.Ss $command\\|^\\.It Cm $command\\|^\\.Nm Cm $command" man/stordx.1
    while read -r option; do
        for file in $bash_file $zsh_file; do
            check "$command --$option in $file" grep -q -e "--$option" "$file"
        done
        check "$command --$option in $fish_file" grep -q -e "-l $option" "$fish_file"
        check "$command --$option in man/stordx.1" grep -q -e "Fl -$option" man/stordx.1
    done <"$dir/options"
done
sh collect/stordx-collect --help | tr ' ' '\n' | sed -n 's/^\[*--\([a-z-]*\).*/\1/p' | sort -u >"$dir/options"
while read -r option; do
    for file in $bash_file $zsh_file; do
        check "stordx-collect --$option in $file" grep -q -e "--$option" "$file"
    done
    check "stordx-collect --$option in $fish_file" grep -q -e "-l $option" "$fish_file"
    check "stordx-collect --$option in man/stordx-collect.1" grep -q -e "Fl -$option" man/stordx-collect.1
done <"$dir/options"

# ---- bash: gives WANTED... : WORD... ; the last word is the one that is being written
if command -v bash >/dev/null 2>&1; then
    cat >"$dir/complete.bash" <<'END'
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
name=_${1//-/_}
"$name" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
echo "${COMPREPLY[*]}"
END
    here=$PWD
    gives() {
        wanted=$1
        shift
        got=$(cd "$dir/uploads" && PATH=$dir/bin:$PATH bash "$dir/complete.bash" "$here/$bash_file" "$@" 2>&1)
        if [ "$got" = "$wanted" ]; then ok; else not_ok "bash, $*: \"$got\", not \"$wanted\""; fi
    }
    gives analyze stordx a
    gives 'analyze compare identify facts sql rules explain help --help --version' stordx ''
    gives '--format' stordx analyze --f
    gives '--verbose --quiet --help' stordx sql x.tgz -
    gives 'html markdown text json' stordx analyze --format ''
    gives 'html' stordx analyze --format h
    gives 'html' stordx analyze --format = h
    gives 'en es ru' stordx explain --lang ''
    gives 'en es ru' stordx explain --lang =
    gives 'always' stordx analyze --color al
    gives 'pages' stordx analyze --rules p
    gives '' stordx analyze up
    gives '' stordx analyze -o ''
    gives 'drive-write-cache-off' stordx explain drive-write-cache-o
    gives 'drive-write-cache-off' stordx rules test drive-write-cache-o
    gives 'list lint test' stordx rules ''
    gives 'explain' stordx help e
    gives '' stordx frobnicate ''
    gives '--redact --redact=names --redact-key-file --redact-map' stordx-collect --red
    gives 'before after' stordx-collect --label ''
else
    skip 'bash is not here'
fi
if command -v zsh >/dev/null 2>&1; then
    check 'zsh reads it' zsh -n $zsh_file
else
    skip 'zsh is not here'
fi
if command -v fish >/dev/null 2>&1; then
    check 'fish reads it' fish -n $fish_file
    HOME=$dir XDG_CONFIG_HOME=$dir XDG_DATA_HOME=$dir
    export HOME XDG_CONFIG_HOME XDG_DATA_HOME
    fish_gives() {
        PATH=$dir/bin:$PATH fish --no-config -c "source $fish_file; complete -C '$2'" 2>&1 | cut -f 1 | tr '\n' ' ' >"$dir/out"
        if [ "$(cat "$dir/out")" = "$1 " ]; then ok; else not_ok "fish, $2, not \"$1\""; fi
    }
    fish_gives 'analyze' 'stordx an'
    fish_gives 'html' 'stordx analyze --format h'
    fish_gives '--color' 'stordx analyze --co'
    fish_gives 'drive-write-cache-off' 'stordx explain drive-write-cache-o'
else
    skip 'fish is not here'
fi
finish
