import { BASH_SCRIPT } from './bash-script.ts';
import { FISH_SCRIPT } from './fish-script.ts';
import type { Shell } from './shell.ts';
import { ZSH_SCRIPT } from './zsh-script.ts';

/** What each shell loads. They ask the program for words, so that none of them knows a verb or a flag. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
};
