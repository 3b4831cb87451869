autoload -Uz compinit
compinit -u -D
setopt extended_glob
source <(minutehand completion zsh)
comppostfuncs=(exit)
# What is given to the line editor is printed; calls that only ask for matches are left alone.
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  local hit
  builtin compadd -A hits "$@"
  for hit in "${hits[@]}"; do print -r -- "OFFER:$IPREFIX${(Q)hit}"; done
  builtin compadd "$@"
}
