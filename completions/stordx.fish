# fish completion of stordx and stordx-collect

# The ids of all rule pages, those of --rules DIR among them.
function __stordx_rules
    set -l words (commandline -opc)
    set -l extra
    for i in (seq (count $words))
        if test "$words[$i]" = --rules; and test $i -lt (count $words)
            set extra --rules $words[(math $i + 1)]
        end
    end
    command stordx rules $extra 2>/dev/null | string replace -r ' .*' ''
end

function __stordx_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

set -l reports analyze compare
set -l readers analyze compare identify facts sql
set -l pages rules explain

complete -c stordx -n __fish_use_subcommand -f -a analyze -d 'Say which part is to blame, and what to do'
complete -c stordx -n __fish_use_subcommand -f -a compare -d 'Say what changed between captures, and did it help'
complete -c stordx -n __fish_use_subcommand -f -a identify -d 'Say what each piece of the input was recognised as'
complete -c stordx -n __fish_use_subcommand -f -a facts -d 'Write the fact database for any SQLite tool'
complete -c stordx -n __fish_use_subcommand -f -a sql -d 'Query the facts'
complete -c stordx -n __fish_use_subcommand -f -a rules -d 'List, check or test the rule pages'
complete -c stordx -n __fish_use_subcommand -f -a explain -d 'Print one rule page'
complete -c stordx -n __fish_use_subcommand -f -a help -d 'Help of a command'
complete -c stordx -n __fish_use_subcommand -f -l version -d 'Say which stordx this is'
complete -c stordx -s h -l help -d Help

complete -c stordx -n "__stordx_is $reports facts" -s o -l output -r -F -d 'Where it goes'
complete -c stordx -n "__stordx_is $reports" -l format -x -a 'html markdown text json' -d 'Format of the report'
complete -c stordx -n "__stordx_is $reports" -l brief -d 'The verdict in 15 lines'
complete -c stordx -n "__stordx_is $reports" -l redact -d 'Tokens in place of serial numbers, WWNs, names and addresses'
complete -c stordx -n "__stordx_is $reports" -l redact-key-file -r -F -d 'The key of the tokens'
complete -c stordx -n "__stordx_is $reports" -l color -x -a 'auto always never' -d 'Colours in a text report'
complete -c stordx -n "__stordx_is $reports" -l exit-zero -d 'Exit 0 whatever was found'
complete -c stordx -n "__stordx_is $reports $pages" -l lang -x -a 'en\tEnglish es\tSpanish ru\tRussian' -d Language
complete -c stordx -n "__stordx_is $reports $pages" -l rules -x -a '(__fish_complete_directories)' -d 'Rule pages of your own among the others'
complete -c stordx -n "__stordx_is $readers" -s v -l verbose -d 'A line for each file read'
complete -c stordx -n "__stordx_is $readers" -s q -l quiet -d 'Nothing but errors on standard error'
complete -c stordx -n "__stordx_is rules" -f -a 'list lint test'
complete -c stordx -n "__stordx_is rules; and __fish_seen_subcommand_from test" -f -a '(__stordx_rules)'
complete -c stordx -n '__stordx_is explain' -f -a '(__stordx_rules)'
complete -c stordx -n '__stordx_is help' -f -a 'analyze compare identify facts sql rules explain'

complete -c stordx-collect -l seconds -x -a '60 600 3600' -d 'Sample for so many seconds'
complete -c stordx-collect -l quick -d '10 s of samples, and nothing that takes long'
complete -c stordx-collect -l no-drive-queries -d 'Send no command to any drive'
complete -c stordx-collect -s o -l output -r -F -d 'Where the archive goes'
complete -c stordx-collect -l label -x -a 'before after' -d 'Part of the name of the archive'
complete -c stordx-collect -l redact -d 'Tokens in place of serial numbers, WWNs, names and addresses'
complete -c stordx-collect -f -a --redact=names -d 'Also of datasets, guests, shares and files'
complete -c stordx-collect -l redact-key-file -r -F -d 'The key of the tokens'
complete -c stordx-collect -l redact-map -r -F -d 'Write which token stands for what'
complete -c stordx-collect -l help -d Help
complete -c stordx-collect -l version -d 'Say which version this is'
