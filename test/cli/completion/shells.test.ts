import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERB_EXAMPLES } from '#cli/help/examples.ts';
import { VERBS } from '#cli/verbs.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { IS_LONG } from '#test/support/test-length.ts';

const HERE = import.meta.dirname;

/** A shell that is asked what it offers behind a line, as somebody at its prompt is. */
interface Shell {
  readonly name: string;
  /** Programs that the question takes. */
  readonly needs: readonly string[];
  readonly command: (line: string) => readonly [file: string, args: readonly string[], input: string];
  readonly offered: (output: string) => readonly string[];
  /** Whether it replaces what stands behind the last `=` or `:` alone. */
  readonly partsWords: boolean;
  /** Whether the cursor can be moved away from the end of the line in these tests. */
  readonly moves: boolean;
  /** Whether it has loaded the script of its own accord, asked in a session that reads its own files. */
  readonly loaded: readonly [args: readonly string[], said: RegExp];
}

function marked(output: string): readonly string[] {
  return [...output.matchAll(/OFFER:(.*?)\r?$/gm)].flatMap(([, word = '']) => (word === '' ? [] : [word]));
}

const SHELLS: readonly Shell[] = [
  {
    name: 'bash',
    needs: ['bash', 'script'],
    command: (line) => [
      'script',
      ['-qec', `bash --noprofile --rcfile '${join(HERE, 'ask.bash')}' -i`, '/dev/null'],
      // Where the shell asks nobody, the line becomes a comment, and the session ends.
      `${line}\t\u0001#\rexit\r`,
    ],
    offered: marked,
    partsWords: true,
    moves: true,
    loaded: [['-ic', 'complete -p minutehand'], /^complete -F _minutehand minutehand$/m],
  },
  {
    name: 'zsh',
    needs: ['zsh'],
    command: (line) => ['zsh', ['-f', join(HERE, 'ask.zsh'), line], ''],
    offered: marked,
    partsWords: false,
    moves: true,
    loaded: [['-ic', 'print -r -- $_comps[minutehand]'], /^_minutehand$/m],
  },
  {
    name: 'fish',
    needs: ['fish'],
    command: (line) => [
      'fish',
      ['-N', '-c', 'source (minutehand completion fish | psub); complete -C $argv[1]', line],
      '',
    ],
    offered: (output) =>
      output.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0]?.replace(/\/$/, '') ?? ''])),
    partsWords: false,
    moves: false,
    loaded: [['-c', 'complete -C "minutehand vers"'], /^version\t/m],
  },
];

/** What is offered behind a line, or at the `|` in it, as whole words; folders without their slash. */
const CASES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['', [...Object.keys(VERBS), 'help']],
  ['plan --output=', ['--output=text', '--output=json', '--output=yaml']],
  ['plan --now 2026-11-29T03:00:00Z -f deploy -o ', ['text', 'json', 'yaml']],
  ['plan --filename=dep', ['--filename=deploy']],
  ['explain -f deploy cj/', ['cj/nightly']],
  ['explain cj/| -o json -f deploy', ['cj/nightly']],
];

const MORE: typeof CASES = [
  ['pl', ['plan']],
  ['plan -o j', ['json']],
  ['plan --fail-on=invalid,', ['--fail-on=invalid,failed']],
  ['diff --base gi', ['git:']],
  ['diff --report=sa', ['--report=sarif=']],
  ['diff --fail-on fires-now,c', ['fires-now,cancels']],
  ['plan -f dep', ['deploy']],
  ['plan --state st', ['store']],
  ['explain -f deploy cronjob ni', ['nightly']],
  ['nosuch ', []],
];

/** The key that moves the cursor to the left. */
const LEFT = '\u0002';

/** Some shells take these for the beginning of another command, and ask nobody. */
const HOSTILE = ['$(touch pwned)', '`touch pwned`', "';touch pwned;'"];

const MANIFEST = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'shop' },
  spec: { schedule: '0 3 * * *' },
};

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minutehand-completion-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  await writeFile(join(bin, 'minutehand'), `#!/bin/sh\nexec node '${buildBundle(folder)}' "$@"\n`);
  await chmod(join(bin, 'minutehand'), 0o755);
  await mkdir(join(folder, 'work', 'deploy'), { recursive: true });
  await mkdir(join(folder, 'work', 'store'));
  await writeFile(join(folder, 'work', 'deploy', 'nightly.json'), JSON.stringify(MANIFEST));
  await writeFile(join(folder, 'work', 'stray.txt'), '');
  path = `${bin}${delimiter}${process.env['PATH']}`;
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

function isThere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;
}

/** The part of a word that a shell puts in. */
function put(word: string, typed: string, { partsWords }: Shell): string {
  const last = partsWords ? Math.max(typed.lastIndexOf('='), typed.lastIndexOf(':')) + 1 : 0;
  return word.slice(last);
}

describe.each(SHELLS)('the completion of $name', (shell) => {
  const missing = shell.needs.filter((program) => !isThere(program));
  if (missing.length > 0)
    console.log(`skipped: ${missing.join(', ')} is not installed (completion of ${shell.name})`);

  function ask(line: string): readonly string[] {
    const [before = '', after = ''] = line.split('|');
    const [file, args, input] = shell.command(`minutehand ${before}${after}${LEFT.repeat(after.length)}`);
    const env = {
      ...process.env,
      PATH: path,
      TERM: 'dumb',
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      // Else some shells begin with the keys of vi.
      EDITOR: '',
      VISUAL: '',
    };
    const options = { cwd: join(folder, 'work'), env, input, encoding: 'utf8', timeout: 30_000 } as const;
    const { stdout, error } = spawnSync(file, args, options);
    expect(error).toBeUndefined();
    return [...new Set(shell.offered(stdout))];
  }

  const cases = [...CASES, ...(IS_LONG ? MORE : [])].filter(([line]) => shell.moves || !line.includes('|'));

  test.skipIf(missing.length > 0).each(cases)('of "%s"', (line, words) => {
    const [before = ''] = line.split('|');
    const typed = before.slice(before.lastIndexOf(' ') + 1);
    expect([...ask(line)].sort()).toEqual(words.map((word) => put(word, typed, shell)).sort());
  });

  test.skipIf(missing.length > 0).each(IS_LONG ? HOSTILE : HOSTILE.slice(0, 1))(
    'runs nothing of %s',
    (word) => {
      expect(['', '--output']).toContain(ask(`plan -f ${word} --outp`).join());
      expect(existsSync(join(folder, 'work', 'pwned'))).toBe(false);
    },
  );

  test.skipIf(missing.length > 0)('is there for good behind the lines of the help', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const env = { PATH: path, TERM: 'dumb', HOME: home };
    const run = (file: string, args: readonly string[]) =>
      spawnSync(file, args, { env, cwd: home, encoding: 'utf8', timeout: 30_000 });
    const lines = (VERB_EXAMPLES['completion'] ?? [])
      .filter(({ about }) => about.startsWith(`${shell.name}, for good`))
      .flatMap(({ before = [], line, after = [] }) => [...before, `minutehand ${line}`, ...after]);
    const installed = run(shell.name, ['-c', lines.join(' && ')]);
    expect({ status: installed.status, stderr: installed.stderr }).toEqual({ status: 0, stderr: '' });
    const [args, said] = shell.loaded;
    expect(run(shell.name, args).stdout).toMatch(said);
  });

  test.skipIf(missing.length > 0)('offers every flag of a verb', async () => {
    const { stdout } = await runMinutehand(['diff', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(?:-[A-Za-z], | {4})(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect(flags.length).toBeGreaterThan(20);
    expect([...ask('diff --')].sort()).toEqual(flags.sort());
  });
});
