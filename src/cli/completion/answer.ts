import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { complete } from './complete.ts';

/**
 * Answers the scripts of the shells: `--after=2` and the two words behind the cursor, then those up to it. The first line says whether the shell offers paths of its own, and behind how many
 * characters of the word; each line after it is a word, a tab, and what it means.
 */
export async function answerShell(words: readonly string[], io: Io): Promise<ExitCode> {
  const [, count] = /^--after=(\d{1,5})$/.exec(words[0] ?? '') ?? [];
  const first = count === undefined ? 0 : 1 + Number(count);
  const { candidates, paths } = await complete(words.slice(first), words.slice(1, first), io);
  const head = paths === undefined ? 'words 0' : `${paths.kind} ${paths.behind}`;
  const lines = candidates.map(({ word, about }) => `${word}\t${about}`);
  io.stdout.write([head, ...lines, ''].join('\n'));
  return EXIT.done;
}
