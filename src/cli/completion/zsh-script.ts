export const ZSH_SCRIPT = `#compdef minutehand
# zsh completion of minutehand, made by: minutehand completion zsh

_minutehand() {
  local line word about kind behind
  local -a before after lines closed open
  if (( CURRENT > 2 )); then before=("\${(@Q)words[2,CURRENT-1]}"); fi
  if (( CURRENT < $#words )); then after=("\${(@Q)words[CURRENT+1,-1]}"); fi
  lines=("\${(@f)$(command minutehand __complete "--after=$#after" "\${after[@]}" "\${before[@]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  kind=\${lines[1]%% *}
  behind=\${lines[1]##* }
  for line in "\${(@)lines[2,-1]}"; do
    word=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    [[ -n $word ]] || continue
    line=\${word//:/\\\\:}\${about:+:$about}
    # A name or a value follows at once.
    if [[ $word == *[/=:] ]]; then open+=("$line"); else closed+=("$line"); fi
  done
  local -i found=1
  if (( $#closed + $#open )); then
    _describe -t words word closed -- open -S '' && found=0
  fi
  case $kind in
  files) compset -p "$behind"; _files && found=0 ;;
  folders) compset -p "$behind"; _files -/ && found=0 ;;
  esac
  return found
}

if [[ $funcstack[1] == _minutehand ]]; then
  _minutehand "$@"
else
  compdef _minutehand minutehand
fi
`;
