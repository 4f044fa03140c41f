# bash completion of stordx and stordx-collect; bash 3.2 and later, with or without bash-completion
# shellcheck shell=bash disable=SC2207 # no word of ours holds a blank

_stordx_words() {
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# The ids of all rule pages, those of --rules DIR among them.
_stordx_rules() {
    local i extra=()
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == --rules ]]; then
            extra=(--rules "${COMP_WORDS[i + 1]}")
            if [[ ${COMP_WORDS[i + 1]} == = ]]; then extra=(--rules "${COMP_WORDS[i + 2]}"); fi
        fi
    done
    "${COMP_WORDS[0]}" rules "${extra[@]}" 2>/dev/null | cut -d ' ' -f 1
}

_stordx() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands='analyze compare identify facts sql rules explain' reading='--verbose --quiet --help' options
    COMPREPLY=()
    # readline takes --format=html apart at the "="
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        _stordx_words "$commands help --help --version"
        return
    fi
    case $prev in
    --format)
        _stordx_words 'html markdown text json'
        return
        ;;
    --lang)
        _stordx_words 'en es ru'
        return
        ;;
    --color)
        _stordx_words 'auto always never'
        return
        ;;
    --rules)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    -o | --output | --redact-key-file) return ;; # files, by the shell itself
    esac
    case $command in
    analyze | compare) options="--output --format --brief --lang --redact --redact-key-file --rules --color --exit-zero $reading" ;;
    facts) options="--output $reading" ;;
    identify | sql) options=$reading ;;
    rules | explain) options='--lang --rules --help' ;;
    help)
        if ((COMP_CWORD == 2)); then _stordx_words "$commands"; fi
        return
        ;;
    *) return ;;
    esac
    if [[ $cur == -* ]]; then
        _stordx_words "$options"
        return
    fi
    case $command in
    explain) _stordx_words "$(_stordx_rules)" ;;
    rules)
        if [[ " ${COMP_WORDS[*]:2:COMP_CWORD-2} " == *' test '* ]]; then
            _stordx_words "$(_stordx_rules)"
        else
            _stordx_words 'list lint test'
        fi
        ;;
    esac
}

_stordx_collect() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --seconds)
        _stordx_words '60 600 3600'
        return
        ;;
    --label)
        _stordx_words 'before after'
        return
        ;;
    -o | --output | --redact-key-file | --redact-map) return ;;
    esac
    if [[ $cur == -* ]]; then
        _stordx_words '--seconds --quick --no-drive-queries --output --label --redact --redact=names --redact-key-file --redact-map --help --version'
    fi
}

# Where these give nothing, names of files are completed.
complete -o bashdefault -o default -F _stordx stordx
complete -o bashdefault -o default -F _stordx_collect stordx-collect
