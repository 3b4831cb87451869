# Types a line and a tab into an interactive zsh, and prints what its completion offers: zsh -f ask.zsh LINE
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PROMPT_EOL_MARK=; stty -echo; source ${(q)0:A:h}/ask-inside.zsh && print READY"
setopt extended_glob
local line
while zpty -r shell line; do [[ $line == READY* ]] && break; done
zpty -w -n shell "$1"$'\t'
while zpty -r shell line; do
  line=${line%%[$'\r\n']#}
  [[ $line == *OFFER:* ]] && print -r -- "OFFER:${line#*OFFER:}"
done
zpty -d shell
