import { escapeText } from '#render/escape-text.ts';
import type { CaptureFlags, ClusterFlags, DecisionFlags, InputFlags, SelectionFlags } from './flags.ts';
import { PROGRAM } from './program.ts';

/** Flags that say where the objects are: a command that is proposed must find the same ones. */
type WhereFlags = Partial<InputFlags> &
  CaptureFlags &
  ClusterFlags &
  Pick<SelectionFlags, 'namespace'> &
  Pick<DecisionFlags, 'state' | 'config'>;

const NAMED = ['from', 'state', 'kubeconfig', 'context', 'cluster', 'user', 'as', 'config'] as const;

/** As a shell takes it for one word. */
function shellWord(text: string): string {
  const shown = escapeText(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command line of a verb that looks where this one looked. */
export function followUp(words: readonly string[], flags: WhereFlags): string {
  const { filename = [], recursive = false, namespace } = flags;
  const given = NAMED.flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const parts = [
    ...words,
    ...filename.flatMap((path) => ['-f', path]),
    ...(recursive ? ['-R'] : []),
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...given,
  ];
  return [PROGRAM, ...parts.map(shellWord)].join(' ');
}
