import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const [, section = ''] = readFileSync('README.md', 'utf8').split('\n## The command line\n');
const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
/** Those that need no cluster, without comments. */
const commands = [...block.matchAll(/^npx minutehand (.* -f [^#\n]*?)\s*(?:#.*)?$/gm)].map(
  ([, words = '']) => words,
);

/** What an explanation is to show. */
const SHOWN: readonly (readonly [string, RegExp])[] = [
  ['cj/pg-backup', /last run +pg-backup-29887230/],
  ['plan/sessions-redis', /BackupJob tenant-shop\/sessions-redis-29932580, if a tick came now: succeeded/],
];

test('the commands that the README starts with work in their order, and every tick among them starts a run', async () => {
  const state = join(await temporaryFolder(), 'state');
  expect(commands.map((words) => words.split(' ')[0])).toEqual([
    'plan',
    'plan',
    'reconcile',
    'explain',
    'explain',
  ]);
  for (const words of commands) {
    const argv = words.split(' ').map((word) => (word === '/tmp/state' ? state : word));
    const { code, stdout, stderr } = await runMinutehand(argv);
    expect({ words, code }).toEqual({ words, code: 0 });
    expect(stderr).not.toMatch(/\b(?:error|warning) /);
    // What became of the tick is what the command after it is to show.
    const shown = SHOWN.find(([ref]) => argv.includes(ref))?.[1] ?? /^fired /m;
    expect({ words, stdout }).toEqual({ words, stdout: expect.stringMatching(shown) });
  }
});
