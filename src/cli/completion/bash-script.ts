export const BASH_SCRIPT = `# bash completion of minutehand, made by: minutehand completion bash
# Needs bash 4.4 or later.

_minutehand() {
  local word reply kind behind about path cut='' i
  local -a words=()
  # Bash takes words apart at = and :, which belong to them here: put together again what no blank parts.
  local rest=\${COMP_LINE:0:COMP_POINT}
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i < 2)) || [[ -z $rest || $rest == [[:space:]]* ]]; then words+=(''); fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    [[ $rest == "$word"* ]] || word=$rest
    rest=\${rest#"$word"}
    words[\${#words[@]} - 1]+=$word
  done
  # What stands behind the cursor may say where names are looked up.
  local -a after=()
  rest=\${COMP_LINE:COMP_POINT}
  rest=\${rest#"\${rest%%[[:space:]]*}"}
  for ((i = COMP_CWORD + 1; i < \${#COMP_WORDS[@]}; i++)); do
    word=\${COMP_WORDS[i]}
    path=\${rest#"\${rest%%[![:space:]]*}"}
    [[ -n $word && $path == "$word"* ]] || continue
    if [[ $rest == [[:space:]]* ]]; then after+=(''); fi
    after[\${#after[@]} - 1]+=$word
    rest=\${path#"$word"}
  done
  word=\${words[\${#words[@]} - 1]}
  COMPREPLY=()
  # A word that begins with a quote is left to the shell: as a file.
  if [[ $word == [\\'\\"]* ]]; then compopt -o default; return; fi
  reply=$(command minutehand __complete "--after=\${#after[@]}" "\${after[@]}" "\${words[@]:1}" 2>/dev/null) || return
  # Only what stands behind the last of these is put in.
  if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then cut=\${word%"\${word##*=}"}; fi
  if [[ $COMP_WORDBREAKS == *:* && $word == *:* && \${#cut} -lt \${#word} ]]; then
    path=\${word%"\${word##*:}"}
    if ((\${#path} > \${#cut})); then cut=$path; fi
  fi
  {
    read -r kind behind
    while IFS=$'\\t' read -r path about; do COMPREPLY+=("\${path#"$cut"}"); done
  } <<<"$reply"
  if ((\${#COMPREPLY[@]} == 1)) && [[ \${COMPREPLY[0]} == *[/=:] ]]; then compopt -o nospace; fi
  case $kind in
  files) kind=-f ;;
  folders) kind=-d ;;
  *) return ;;
  esac
  compopt -o filenames
  while IFS= read -r path; do
    path=\${word:0:behind}$path
    COMPREPLY+=("\${path#"$cut"}")
  done < <(compgen "$kind" -- "\${word:behind}")
}

complete -F _minutehand minutehand
`;
