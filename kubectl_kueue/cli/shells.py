"""The completion scripts of the shells.

Each asks the program that is being typed (`PROGRAM __complete WORD... PREFIX`, completion/protocol.py) and
does with the answer what its shell can. @ASK@ is the hidden command.
"""

from collections.abc import Mapping

PLUGIN = "kubectl_complete-kueue"
"""What kubectl looks for on $PATH to complete `kubectl kueue`."""

_BASH = r"""# bash completion for kubectl-kueue and kueuectl
#   source <(kubectl-kueue completion bash)

__kubectl_kueue_complete() {
    # bash cuts words at = : @ as well: pieces without a space between them are one word again.
    local line="${COMP_LINE:0:COMP_POINT}" piece="" i
    local -a words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece="${COMP_WORDS[i]}"
        if [[ $line == "$piece"* && ${#words[@]} -gt 0 && -n $piece ]]; then
            words[${#words[@]}-1]+="$piece"
        else
            line="${line#"${line%%[![:space:]]*}"}"
            [[ $line == "$piece"* ]] || piece="$line"
            words+=("$piece")
        fi
        line="${line#"$piece"}"
    done
    local current="${words[${#words[@]}-1]}"

    local program="${words[0]/#\~/$HOME}"
    type -P -- "$program" >/dev/null 2>&1 || program=kubectl-kueue
    local -a asked=()
    for ((i = 1; i < ${#words[@]}; i++)); do
        asked+=("${words[i]//[\"\'\\]/}")
    done
    local answer mask
    answer="$(command "$program" @ASK@ "${asked[@]}" 2>/dev/null </dev/null)" || return 0
    mask="${answer##*:}"
    [[ $mask =~ ^[0-9]+$ ]] || return 0
    answer="${answer%:*}"
    ((mask & 1)) && return 0

    # Values come without the flag before them, and up to the last of its word breaks bash keeps the word.
    local stops="${COMP_WORDBREAKS//[!=:@]/}" flag="" kept=""
    if [[ $current == -*=* ]]; then
        [[ $stops == *=* ]] || flag="${current%%=*}="
        current="${current#*=}"
    fi
    [[ -n $stops ]] && kept="${current%"${current##*[$stops]}"}"
    kept="${kept%@}"  # this one it gives back

    local value text widest=0
    local -a values=() texts=()
    while IFS=$'\t' read -r value text; do
        [[ -n $value ]] || continue
        values+=("$value")
        texts+=("$text")
        ((${#value} > widest)) && widest=${#value}
    done <<<"$answer"

    if ((mask & 8)); then
        __kubectl_kueue_files "$flag" "$current" "${values[@]}"
        return 0
    elif ((mask & 16)); then
        __kubectl_kueue_files "$flag" "$current"
        return 0
    fi
    ((mask & 2)) && __kubectl_kueue_option -o nospace
    ((mask & 4)) && __kubectl_kueue_option +o default
    ((mask & 32)) && __kubectl_kueue_option -o nosort
    # With descriptions where bash only shows what there is, without where it puts it on the line.
    local show=""
    [[ ${#values[@]} -gt 1 && (${COMP_TYPE:-9} -eq 63 || ${COMP_TYPE:-9} -eq 64) ]] && show=yes
    for ((i = 0; i < ${#values[@]}; i++)); do
        value="${values[i]}"
        [[ $value == "$current"* ]] || continue
        if [[ -n $show && -n ${texts[i]} ]]; then
            printf -v value '%-*s  (%s)' "$widest" "$value" "${texts[i]}"
        elif [[ $value == *[!A-Za-z0-9@%+=:,./_-]* ]]; then
            printf -v value '%q' "$value"
        fi
        COMPREPLY+=("$flag${value#"$kept"}")
    done
}

__kubectl_kueue_option() {
    # bash 3 has no compopt
    [[ $(type -t compopt) == builtin ]] && compopt "$@" 2>/dev/null
    return 0
}

__kubectl_kueue_files() {
    local flag="$1" current="$2" path ending
    shift 2
    __kubectl_kueue_option -o filenames
    while IFS= read -r path; do
        if [[ -d $path ]]; then
            COMPREPLY+=("$flag$path${flag:+/}")
            continue
        fi
        for ending in "$@"; do
            [[ $path == *."$ending" ]] && COMPREPLY+=("$flag$path")
        done
    done < <(compgen -f -- "$current")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && __kubectl_kueue_option -o nospace
    return 0
}

complete -o default -F __kubectl_kueue_complete kubectl-kueue kueuectl
"""

_ZSH = r"""#compdef kubectl-kueue kueuectl
# zsh completion for kubectl-kueue and kueuectl: put it into a folder of $fpath as _kubectl-kueue, or
#   source <(kubectl-kueue completion zsh)      after compinit

__kubectl_kueue_complete() {
    local program="${(Q)words[1]/#\~/$HOME}" answer line value text
    local -a asked lines shown plain extra
    (( $+commands[$program] )) || [[ -x $program ]] || program=kubectl-kueue
    asked=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    (( CURRENT > 1 )) || return 1
    answer="$(command $program @ASK@ "${(@)asked}" 2>/dev/null </dev/null)" || return 1
    lines=("${(@f)answer}")
    local mask="${lines[-1]#:}"
    [[ $mask == <-> ]] || return 1
    (( mask & 1 )) && return 1
    lines=("${(@)lines[1,-2]}")
    # Values are offered without the flag before them.
    [[ $PREFIX == -*=* ]] && compset -P 1 '*='

    if (( mask & 8 )); then
        _files -g "*.(${(j:|:)lines})"
        return
    elif (( mask & 16 )); then
        _files -/
        return
    fi
    for line in "${(@)lines}"; do
        value="${line%%$'\t'*}"
        [[ -n $value ]] || continue
        if [[ $line == *$'\t'* ]]; then
            shown+=("${value//:/\\:}:${line#*$'\t'}")
        else
            plain+=("$value")
        fi
    done
    (( mask & 2 )) && extra+=(-S '')
    (( ${#shown} + ${#plain} )) || { (( mask & 4 )) && return 1; _files; return }
    local found=1
    (( ${#shown} )) && _describe -t values value shown "${(@)extra}" && found=0
    (( ${#plain} )) && compadd "${(@)extra}" -a plain && found=0
    return found
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    functions[_kubectl-kueue]=$functions[__kubectl_kueue_complete]
    functions[_kueuectl]=$functions[__kubectl_kueue_complete]
    __kubectl_kueue_complete "$@"
elif (( $+functions[compdef] )); then
    compdef __kubectl_kueue_complete kubectl-kueue kueuectl
fi
"""

_FISH = r"""# fish completion for kubectl-kueue and kueuectl
#   kubectl-kueue completion fish | source

function __kubectl_kueue_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    command -q -- $program; or set program kubectl-kueue
    set -e words[1]
    set -l last (string unescape -- $current; or echo -- $current)
    set -l answer (command $program @ASK@ $words "$last" 2>/dev/null </dev/null)
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
"""

_POWERSHELL = r"""# PowerShell completion for kubectl-kueue and kueuectl
#   kubectl-kueue completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'kubectl-kueue', 'kueuectl' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $words = @($CommandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $CursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $program = $words[0]
    if (-not (Get-Command $program -CommandType Application -ErrorAction SilentlyContinue)) {
        $program = 'kubectl-kueue'
    }
    $before = @($words | Select-Object -Skip 1)
    $current = "$WordToComplete"
    if ($current -ne '' -and $before.Count -gt 0) {
        $current = $before[-1]
        $before = @($before | Select-Object -SkipLast 1)
    }
    # Older versions drop an empty word; the program takes two quotation marks for one.
    $last = if ($current -eq '') { '""' } else { $current }
    $answer = @(& $program @ASK@ @before $last 2>$null)
    if ($answer.Count -eq 0 -or $answer[-1] -notmatch '^:(\d+)$') { return }
    $mask = [int]$Matches[1]
    if ($mask -band 1) { return }

    # Values come without the flag before them.
    $flag = ''
    if ($current -match '^(-[^=]*=)') { $flag = $Matches[1] }
    $space = if ($mask -band 2) { '' } else { ' ' }
    $found = @($answer | Select-Object -SkipLast 1)
    if (($mask -band 8) -or ($mask -band 16) -or ($found.Count -eq 0 -and -not ($mask -band 4))) {
        $value = $current.Substring($flag.Length)
        Get-ChildItem -Path "$value*" -ErrorAction SilentlyContinue |
            Where-Object { $_.PSIsContainer -or -not ($mask -band 24) -or
                (($mask -band 8) -and $found -contains $_.Extension.TrimStart('.')) } |
            ForEach-Object {
                $folder = Split-Path -Path $value
                $path = if ($folder) { Join-Path $folder $_.Name } else { $_.Name }
                if ($path -match '[\s''`$;&|(){}]') { $path = "'" + $path.Replace("'", "''") + "'" }
                [System.Management.Automation.CompletionResult]::new(
                    "$flag$path", $_.Name, 'ProviderItem', $_.Name)
            }
        return
    }
    foreach ($line in $found) {
        $value, $text = $line -split "`t", 2
        if (-not $text) { $text = $value }
        $typed = "$flag$value"
        if ($typed -match '[\s''`$;&|(){}@#,]') { $typed = "'" + $typed.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new("$typed$space", $value, 'ParameterValue', $text)
    }
}
"""

SCRIPTS: Mapping[str, tuple[str, str]] = {
    "bash": ("{}.bash", _BASH),
    "zsh": ("_{}", _ZSH),
    "fish": ("{}.fish", _FISH),
    "powershell": ("{}.ps1", _POWERSHELL),
}
"""Shell -> the name of its script in completions/, where {} is the program, and the script."""


def script(shell: str, *, descriptions: bool = True) -> str:
    """The script of a shell. Raises KeyError for a shell that has none."""
    return SCRIPTS[shell][1].replace("@ASK@", "__complete" if descriptions else "__completeNoDesc")
