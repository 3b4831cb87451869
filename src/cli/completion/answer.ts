import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { complete } from './complete.ts';

/**
 * Answers the scripts of the shells. The first line says whether the shell offers paths of its own, and behind how many
 * characters of the word; each line after it is a word, a tab, and what it means.
 */
export async function answerShell(words: readonly string[], io: Io): Promise<ExitCode> {
  const { candidates, paths } = await complete(words, io);
  const head = paths === undefined ? 'words 0' : `${paths.kind} ${paths.behind}`;
  const lines = candidates.map(({ word, about }) => `${word}\t${about}`);
  io.stdout.write([head, ...lines, ''].join('\n'));
  return EXIT.done;
}
