# fish completion for kubectl-kueue and kueuectl
#   kubectl-kueue completion fish | source

function __kubectl_kueue_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    command -q -- $program; or set program kubectl-kueue
    set -e words[1]
    set -l last (string unescape -- $current; or echo -- $current)
    set -l answer (command $program __complete $words "$last" 2>/dev/null </dev/null)
    or return
    set -l mask (string match -r -g '^:([0-9]+)$' -- $answer[-1])
    or return
    set -e answer[-1]
    test (math "bitand($mask, 1)") -eq 0
    or return

    # Values come without the flag before them, and fish wants the whole word.
    set -l flag ''
    set -l value $current
    if string match -q -- '-*=*' $current
        set flag (string split -m 1 = -- $current)[1]=
        set value (string split -m 1 = -- $current)[2]
    end
    if test (math "bitand($mask, 16)") -ne 0
        for path in (__fish_complete_directories $value '')
            echo -- $flag$path
        end
    else if test (math "bitand($mask, 8)") -ne 0
        for path in (__fish_complete_path $value)
            set -l plain (string split \t -- $path)[1]
            if string match -q -- '*/' $plain; or contains -- (string split -r -m 1 . -- $plain)[-1] $answer
                echo -- $flag$plain
            end
        end
    else if test (count $answer) -gt 0
        for each in $answer
            echo -- $flag$each
        end
    else if test (math "bitand($mask, 4)") -eq 0
        for path in (__fish_complete_path $value)
            echo -- $flag(string split \t -- $path)[1]
        end
    end
end

for program in kubectl-kueue kueuectl
    complete -c $program -e
    complete -c $program -k -f -a '(__kubectl_kueue_complete)'
end
