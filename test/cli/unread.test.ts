import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { list, policy } from './manifests.ts';

const BROKEN = 'kind: CronJob\nspec: [';
const WAITING = list(policy('p', { spec: { suspend: true } }));
const FAILED = 'No schedule could be read, so nothing was decided.\n';
const PARTLY = 'Not everything could be read; this is about the part that could.\n';

async function run(verb: string, files: Readonly<Record<string, string>>): Promise<CliResult> {
  const cwd = await temporaryFolder(files);
  return runMinutehand([verb, '-f', '.', '--now', '2026-06-10T03:00:10Z'], { cwd });
}

describe('what could not be read', () => {
  test.each(['plan', 'reconcile', 'next'])('is never told as success on stdout by %s', async (verb) => {
    const { code, stdout } = await run(verb, { 'a.yaml': BROKEN });
    expect(code).toBe(1);
    expect(stdout).toContain(FAILED);
    expect(stdout).not.toMatch(/No schedules were found|Nothing to do|No changes/);
  });

  test.each(['plan', 'reconcile', 'next'])(
    'of a schedule that is defined twice is told likewise by %s',
    async (verb) => {
      const { code, stdout } = await run(verb, { 'a.json': WAITING, 'b.json': WAITING });
      expect({ code, told: stdout.includes(FAILED) }).toEqual({ code: 1, told: true });
    },
  );

  test.each(['plan', 'reconcile', 'next'])('is told by %s beside what could be read', async (verb) => {
    const { code, stdout } = await run(verb, { 'a.json': WAITING, 'b.yaml': BROKEN });
    expect(code).toBe(3);
    expect(stdout).toContain('EtcdDefragPolicy vault-a/p');
    expect(stdout).toContain(PARTLY);
  });

  test('is not told of where there is nothing', async () => {
    expect((await run('reconcile', { 'a.json': list() })).stdout).toMatch(
      /\n\nNo schedules were found\.\n\nNothing to do\.\n$/,
    );
    expect((await run('next', { 'a.json': list() })).stdout).toBe('No schedules were found.\n');
  });

  test('is not told of by an idle tick, which keeps its short line', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': WAITING });
    const argv = ['reconcile', '-f', 'in', '--now', '2026-06-10T03:00:10Z'];
    await runMinutehand(argv, { cwd });
    const { stdout } = await runMinutehand(argv, { cwd });
    expect(stdout).toMatch(/^Nothing to do for 1 schedule: 1 suspended\.[^\n]*\n$/);
  });
});
