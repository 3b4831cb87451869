import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const WORDS = [
  ...['reconcile', 'plan', 'next', 'explain', 'validate', 'version', 'help', '--version', 'constructor'],
  ...[
    '-f',
    '-',
    'a.json',
    '.',
    '-R',
    '-n',
    'harbor',
    '-A',
    '-l',
    'app=web',
    '-o',
    'json',
    '-ojson',
    'yaml',
    '-h',
  ],
  ...[
    '--state',
    'state',
    '--now',
    '2026-06-10T03:00:10Z',
    '--grace',
    '90s',
    '0',
    '-1',
    '--dst',
    'safe',
    '--config',
  ],
  ...[
    '--max-creates',
    '--max-deletes',
    '--fail-on',
    'invalid',
    '--detailed-exitcode',
    '--prune',
    '--no-color',
    '--count',
  ],
  ...[
    '--for',
    '24h',
    'cj/c',
    'cronjob',
    'c',
    '--',
    '',
    '=',
    '--=x',
    '---',
    '-=',
    '\u0000',
    '__proto__',
    '--__proto__',
  ],
];

const Argv = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...WORDS) }, fc.string()), {
  maxLength: 9,
});

describe('whatever is typed or read', () => {
  test('a command line ends with a code of the table, and tells an error where there is one', async () => {
    const cwd = await temporaryFolder({ 'a.json': list(cronJob('c'), policy('p')) });
    await fc.assert(
      fc.asyncProperty(Argv, async (argv) => {
        const { code, stdout, stderr } = await runMinutehand(argv, { cwd, stdin: '' });
        expect([0, 1, 2, 3, 64]).toContain(code);
        if (code === 64)
          expect({ stdout, told: stderr.startsWith('error: ') || stderr.includes('InvalidConfig') }).toEqual({
            stdout: '',
            told: true,
          });
      }),
      { numRuns: 150 },
    );
  });

  test('an object of any shape costs at most itself', async () => {
    const spoiled = fc.tuple(
      fc.constantFrom('CronJob', 'EtcdDefragPolicy'),
      fc.constantFrom('spec', 'status', 'metadata'),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(spoiled, async ([kind, field, value]) => {
        const victim = { ...(kind === 'CronJob' ? cronJob('victim') : policy('victim')), [field]: value };
        const stdin = list(victim, policy('fine', { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } }));
        const argv = ['plan', '-f', '-', '-o', 'json', '--now', '2026-06-10T03:00:10Z'];
        const { code, stdout } = await runMinutehand(argv, { stdin });
        expect([0, 3]).toContain(code);
        const fine = JSON.parse(stdout).schedules.find(({ name }: { name: string }) => name === 'fine');
        expect(fine.verdict).toMatchObject({ code: 'fired', slot: '2026-06-10T03:00:00Z' });
        expect([0, 3]).toContain((await runMinutehand(['validate', '-f', '-'], { stdin })).code);
      }),
      { numRuns: 150 },
    );
  });
});
