import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '#cli/command-line.ts';
import { PROGRAM_EXAMPLES, VERB_EXAMPLES } from '#cli/help/examples.ts';
import type { Io } from '#cli/io.ts';
import { VERBS } from '#cli/verbs.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** The words before what the shell does with the output. */
function argvOf(line: string): readonly string[] {
  const [own = ''] = line.split(/ (?:>>?|\|) /);
  return own.split(' ');
}

const LINES = [...Object.values(VERB_EXAMPLES).flat(), ...PROGRAM_EXAMPLES].map(({ line }) => line);
/** What they read is in the repository, so that they can be run here. */
const RUNNABLE = LINES.filter((line) => {
  const [verb = '', ...rest] = argvOf(line);
  const paths = rest.filter((word) => /^(?:examples|policies)\//.test(word));
  return (
    ['version', 'completion'].includes(verb) || (paths.length > 0 && paths.every((path) => existsSync(path)))
  );
});

describe('the examples of the help', () => {
  test('are of every verb, at least two of each', () => {
    expect(Object.keys(VERB_EXAMPLES).sort()).toEqual(Object.keys(VERBS).sort());
    for (const [verb, examples] of Object.entries(VERB_EXAMPLES)) {
      const own = examples.filter(({ line }) => argvOf(line)[0] === verb);
      expect([verb, own.length >= 2]).toEqual([verb, true]);
      expect(new Set(examples.map(({ about }) => about)).size).toBe(examples.length);
    }
  });

  test.each(Object.keys(VERBS))('come before the flags of %s, as they are', async (verb) => {
    const { stdout } = await runMinutehand([verb, '--help']);
    const [, shown = ''] =
      /\n\nExamples \(in a clone of the repository: npx minutehand …\):\n([\s\S]*?)\n\n(?=\S)/.exec(stdout) ??
      [];
    const wanted = (VERB_EXAMPLES[verb] ?? []).map(({ about, before = [], line, after = [] }) => {
      return [`# ${about}`, ...before, `minutehand ${line}`, ...after].map((one) => `  ${one}\n`).join('');
    });
    expect(`${shown}\n`).toBe(wanted.join('\n'));
    expect(stdout.indexOf('\nExamples ')).toBeLessThan(stdout.search(/\n(?:.* f|F)lags:\n/));
  });

  test.each([...new Set(LINES)])('can be given: %s', async (line) => {
    let said = '';
    const output = {
      write: (text: string) => {
        said += text;
      },
      isTerminal: false,
    };
    const asked = await readCommandLine(argvOf(line), {
      stdout: output,
      stderr: output,
    } as Partial<Io> as Io);
    expect({ said, type: typeof asked }).toEqual({ said: '', type: 'function' });
  });

  test('are in great part such that they can be run here', () => expect(RUNNABLE.length).toBeGreaterThan(20));

  test.each([...new Set(RUNNABLE)])('work: %s', async (line) => {
    const folder = await temporaryFolder();
    const argv = argvOf(line).map((word) => word.replace('/tmp/', `${folder}/`));
    const { code, stderr } = await runMinutehand(argv);
    expect({ code, stderr: stderr.split('\n').filter((row) => /\berror\b/.test(row)) }).toEqual({
      code: line.includes('--detailed-exitcode') ? expect.toBeOneOf([0, 2]) : 0,
      stderr: [],
    });
  });
});
