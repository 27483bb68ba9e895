# bash completion for kubectl-kueue and kueuectl
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
    answer="$(command "$program" __complete "${asked[@]}" 2>/dev/null </dev/null)" || return 0
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
