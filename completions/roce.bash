# SPDX-License-Identifier: MIT
# bash completion for roce. It knows nothing of roce's commands: it asks the binary what can stand at the cursor. It asks the one that $PATH finds,
# whatever path the line names: a key that completes must not run a file that somebody has left in a directory.

_roce() {
  local roce line=${COMP_LINE:0:COMP_POINT} words=() word blanks breaks strip='' i
  COMPREPLY=()
  roce=$(type -P roce)
  [[ $roce == /* ]] || return 0
  # bash parts words at '=' and ':' too; what no blank parts is one word
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blanks=${line%%[![:space:]]*}
    line=${line#"$blanks"}
    word=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || word=$line # up to the cursor
    line=${line#"$word"}
    if [[ -n $blanks || $i -eq 0 ]]; then words+=("$word"); else words[${#words[@]} - 1]+=$word; fi
  done
  word=${words[${#words[@]} - 1]}
  breaks=${COMP_WORDBREAKS//[!=:]/}
  [[ -z $breaks ]] || strip=${word%"${word##*["$breaks"]}"}

  while IFS=$'\t' read -r line _; do
    case $line in
      :nospace) compopt -o nospace ;;
      :directories)
        compopt -o filenames
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "${word#"$strip"}")
        ;;
      :files)
        compopt -o filenames
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${word#"$strip"}")
        ;;
      *) COMPREPLY+=("${line#"$strip"}") ;;
    esac
  done < <("$roce" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _roce roce
