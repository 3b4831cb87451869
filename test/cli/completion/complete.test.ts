import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERBS } from '#cli/verbs.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

interface Answer {
  readonly head: string;
  readonly words: readonly string[];
  readonly abouts: readonly string[];
}

async function ask(...words: readonly string[]): Promise<Answer> {
  const { code, stdout, stderr } = await runMinutehand(['__complete', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [head = '', ...lines] = stdout.trimEnd().split('\n');
  const rows = lines.map((line) => line.split('\t'));
  return { head, words: rows.map(([word = '']) => word), abouts: rows.map(([, about = '']) => about) };
}

const verbs = Object.keys(VERBS);
const REPORTS = ['sarif', 'junit', 'github'];
const DUMP = ['-f', 'examples/cron-job-dump'];

/** A command line up to the cursor, the words that are offered, and of what kind the paths are, if there are any. */
const CASES: readonly (readonly [line: string, words: readonly string[], head?: string])[] = [
  ['pl', ['plan']],
  ['plan', ['plan']],
  ['re', ['reconcile', 'resume']],
  ['--', ['--help', '--version']],
  ['nosuch ', []],
  ['constructor -', []],
  ['help su', ['suspend']],
  ['help plan ', []],
  ['plan --out', ['--output']],
  ['plan --output ', ['text', 'json', 'yaml']],
  ['plan --output=', ['--output=text', '--output=json', '--output=yaml']],
  ['plan --output=j', ['--output=json']],
  ['plan -o y', ['yaml']],
  ['plan -oy', ['-oyaml']],
  ['plan -Ro ', ['text', 'json', 'yaml']],
  ['plan --fail-on ', ['invalid', 'failed']],
  ['plan --fail-on invalid,', ['invalid,failed']],
  ['plan --fail-on=invalid,f', ['--fail-on=invalid,failed']],
  ['reconcile --dry-run=', ['--dry-run=client', '--dry-run=server']],
  ['adopt --dry-run s', ['server']],
  ['next --dst ', ['safe']],
  ['simulate --outcome=f', ['--outcome=failed']],
  ['simulate --duration C', ['CronJob=']],
  ['timeline --timezone Pacific/Chat', ['Pacific/Chatham']],
  ['timeline -o ', ['text', 'svg', 'html', 'json']],
  ['validate -o s', ['sarif']],
  ['validate --report j', ['json=', 'junit=']],
  ['validate --report junit=', [], 'files 6'],
  ['validate --report=junit=out', [], 'files 15'],
  ['diff -o ', ['text', 'json', 'yaml', 'markdown', ...REPORTS]],
  ['diff --fail-on fires-now,c', ['fires-now,cancels']],
  ['diff --acknowledge pr', ['prunes']],
  ['diff --base ', ['cluster', 'git:'], 'files 0'],
  ['diff --statuses c', ['cluster'], 'files 0'],
  ['diff -k ', [], 'folders 0'],
  ['plan -f ', [], 'files 0'],
  ['plan -fexa', [], 'files 2'],
  ['plan --filename=exa', [], 'files 11'],
  ['plan --state exa', [], 'folders 0'],
  ['plan --config ', [], 'files 0'],
  ['plan --now ', []],
  ['plan --output json --outp', []],
  ['plan -ojson --outp', []],
  ['plan -f a --fil', ['--filename']],
  ['plan -- --out', []],
  ['get ', ['backups']],
  ['get backups --appl', ['--application']],
  ['explain cronj', ['cronjobs/', 'cronjob/']],
  ['explain backupj', ['backupjobs/', 'backupjob/']],
  ['simulate j', ['jobs/', 'job/']],
  ['simulate backupj', []],
  ['suspend backupj', []],
  ['run rest', ['restorejob']],
  ['explain cronjob/', []],
  ['explain cronjob x y', []],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['completion bash ', ['--help']],
];

describe('completion', () => {
  test.each(CASES.map(([line, words, head = 'words 0']) => ({ line, words, head })))(
    'of "$line"',
    async ({ line, words, head }) => {
      const answer = await ask(...line.split(' '));
      expect({ head: answer.head, words: answer.words }).toEqual({ head, words });
    },
  );

  test('offers every verb with what its help says, and what stands beside verbs', async () => {
    const { words, abouts } = await ask('');
    expect(words).toEqual([...verbs, 'help']);
    const { stdout } = await runMinutehand(['--help']);
    for (const [at, verb] of verbs.entries()) {
      expect(abouts[at]).not.toBe('');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${verb} ${abouts[at]}`);
    }
  });

  test.each(verbs)('offers every flag of %s, and every letter', async (verb) => {
    const { stdout } = await runMinutehand([verb, '--help']);
    const rows = [...stdout.matchAll(/^ {2}(?:(-[A-Za-z]), | {4})(--[a-z-]+)/gm)];
    expect(rows.length).toBeGreaterThan(0);
    const long = rows.map(([, , name]) => name);
    const letters = rows.flatMap(([, letter = '']) => (letter === '' ? [] : [letter]));
    const { words, abouts } = await ask(verb, '-');
    expect([...words].sort()).toEqual([...long, ...letters].sort());
    expect(abouts.filter((about) => about === '')).toEqual([]);
  });

  test('offers every form of the name of every kind that can be named', async () => {
    const schedules = KINDS.map(({ resource }) => resource);
    const orders = DRIVERS.flatMap((driver) => driver.orders);
    const forms = [...schedules, ...orders].flatMap(({ plural, singular, shortNames }) =>
      [plural, singular, ...shortNames].map((form) => `${form}/`),
    );
    expect((await ask('explain', '')).words).toEqual(forms);
  });

  describe('of names of schedules', () => {
    test.each([
      ['KIND/', [...DUMP, 'cj/'], ['cj/pg-backup']],
      ['KIND/ with a beginning', [...DUMP, 'cronjobs.batch/pg'], ['cronjobs.batch/pg-backup']],
      ['two words', [...DUMP, 'cronjob', ''], ['pg-backup']],
      ['another kind', [...DUMP, 'etcddefragpolicy/'], []],
      ['another namespace', [...DUMP, '-n', 'elsewhere', 'cj/'], []],
      ['its namespace', [...DUMP, '-ndefault', 'cj/'], ['cj/pg-backup']],
      ['standard input', ['-f', '-', 'cj/'], []],
      ['a folder that is not there', ['-f', 'nowhere', 'cj/'], []],
      ['no manifests', ['cj/'], []],
    ])('in manifests: %s', async (_title, words, expected) => {
      expect((await ask('explain', ...words)).words).toEqual(expected);
    });

    test.each([
      ['-f', DUMP, 'cj/', ['cj/pg-backup']],
      ['-f in one word', ['-fexamples/cron-job-dump'], 'cj/', ['cj/pg-backup']],
      ['the namespace as well', [...DUMP, '--namespace=elsewhere'], 'cj/', []],
      ['no value for -f', ['-f'], 'cj/', []],
      ['a flag that may be given once more', DUMP, '--fil', ['--filename']],
      ['and once only', ['-o', 'json'], '--outp', []],
    ])('behind the cursor: %s', async (_title, after, typed, expected) => {
      const words = [`--after=${after.length}`, ...after, 'explain', typed];
      expect((await ask(...words)).words).toEqual(expected);
    });

    test('what is behind -- is no flag, also behind the cursor', async () => {
      expect((await ask('--after=2', ...DUMP, 'explain', '--', 'cj/')).words).toEqual([]);
    });

    test('never one that the API would refuse, whatever it does to a shell', async () => {
      const folder = await temporaryFolder();
      const names = ['$(reboot)', '`reboot`', 'a;reboot', 'a\nb', 'a\tb', 'a b', "a'b", '\u001b[31m', 'good'];
      const manifests = names.map((name) => ({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name, namespace: 'shop' },
        spec: { schedule: '* * * * *' },
      }));
      const path = join(folder, 'all.json');
      await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
      expect((await ask('explain', '-f', path, 'cronjob/')).words).toEqual(['cronjob/good']);
    });
  });

  test('is no verb that anybody is told of', async () => {
    for (const argv of [['--help'], ['__complet']]) {
      const { stdout, stderr } = await runMinutehand(argv);
      expect(stdout + stderr).not.toContain('__complete');
    }
  });
});
