import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadExtension } from '#cli/extension.ts';
import type { ScheduleDocument } from '#core/change/document.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const NOW = ['--now', '2026-06-10T03:00:10Z'];

describe('plan', () => {
  test('writes nothing, neither with a state folder nor without', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    const { stdout } = await runMinutehand(['plan', '-f', 'in', '--state', 'state', ...NOW], { cwd });
    expect(stdout).toContain('1 to create');
    await runMinutehand(['plan', '-f', 'in', ...NOW], { cwd });
    expect([existsSync(join(cwd, 'state')), existsSync(join(cwd, '.minutehand'))]).toEqual([false, false]);
  });

  test('shows exactly what reconcile then does', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE), cronJob('c', DUE)) });
    const argv = ['-f', 'in', '--state', 'state', ...NOW, '-o', 'json'];
    const planned = JSON.parse((await runMinutehand(['plan', ...argv], { cwd })).stdout);
    const done = JSON.parse((await runMinutehand(['reconcile', ...argv], { cwd })).stdout);
    const shape = (schedules: readonly ScheduleDocument[]): unknown =>
      schedules.map(({ name, verdict, changes }) => ({
        name,
        verdict,
        changes: changes.map(({ verb, object }) => [verb, object]),
      }));
    expect(shape(planned.schedules)).toEqual(shape(done.changeSet.schedules));
  });

  test('ends by saying that nothing was written, which reconcile does not', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    const run = async (verb: string): Promise<string> =>
      (await runMinutehand([verb, '-f', 'in', '--state', 'state', ...NOW], { cwd })).stdout;
    expect(await run('plan')).toMatch(/ unchanged\.\n\nThis is a plan: nothing was written\.\n$/);
    expect(await run('reconcile')).not.toContain('nothing was written');
  });

  const INVALID: readonly (readonly [string, ReturnType<typeof cronJob>, string])[] = [
    ['a field of the wrong type', cronJob('x', { spec: { schedule: 5 } }), 'spec.schedule is a number, 5'],
    [
      'a bad field of the rule',
      policy('x', { spec: { rule: { quotaUsageAbove: '150%' } } }),
      'spec.rule.quotaUsageAbove is "150%"',
    ],
    [
      'fields of the rule that exclude each other',
      policy('x', { spec: { rule: { all: true, freeSpaceAbove: '1Gi' } } }),
      'spec.rule.all excludes freeSpaceAbove, quotaUsageAbove and minReclaim',
    ],
    [
      'several faults',
      policy('x', { spec: { historyLimit: -1, schedule: 5 } }),
      'spec.schedule is a number, 5; and 1 more',
    ],
    ['a name that is too long', policy('x'.repeat(60)), 'metadata.name has 60 characters, at most 52 are'],
    ['a bad schedule', policy('x', { spec: { schedule: '61 * * * *' } }), 'minute `61` cannot be read'],
    [
      'a date that never comes',
      policy('x', { spec: { schedule: '0 0 30 2 *' } }),
      'no instant matches the schedule',
    ],
  ];

  test.each(INVALID)('says on stdout why an object with %s is invalid', async (_name, object, why) => {
    const cwd = await temporaryFolder({ 'in/a.json': list(object) });
    for (const verb of ['plan', 'reconcile']) {
      const { stdout } = await runMinutehand([verb, '-f', 'in', ...NOW], { cwd });
      expect(stdout).toMatch(/^invalid {2}/m);
      expect(stdout).toContain(`\n    because         ${why}`);
    }
  });

  test('gives the reason of an invalid object in the document, too', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(cronJob('x', { spec: { schedule: 5 } })) });
    const { stdout } = await runMinutehand(['plan', '-f', 'in', ...NOW, '-o', 'json'], { cwd });
    expect(JSON.parse(stdout).schedules[0].verdict).toMatchObject({
      code: 'invalid',
      detail: 'spec.schedule is a number, 5',
    });
  });

  test('foretells CronJobs by the raw rule of the built-in controller, and notes where that may differ', async () => {
    const weekdays = { spec: { schedule: '0 9 * * 1-5', startingDeadlineSeconds: 86_400 * 7 } };
    const object = cronJob('weekdays', { ...weekdays, status: { lastScheduleTime: '2026-06-03T09:00:00Z' } });
    const cwd = await temporaryFolder({ 'in/a.json': list(object) });
    const sunday = ['--now', '2026-06-07T12:00:00Z', '-o', 'json'];
    const observed = JSON.parse((await runMinutehand(['plan', '-f', 'in', ...sunday], { cwd })).stdout);
    expect(observed.schedules[0].verdict).toMatchObject({
      code: 'observed',
      foreseen: { code: 'fired', slot: '2026-06-05T09:00:00Z' },
    });
    expect(observed.diagnostics.map(({ code }: { code: string }) => code)).toContain('KubernetesMayDiffer');
    const managed = JSON.parse(
      (await runMinutehand(['plan', '-f', 'in', '--state', 'state', ...sunday], { cwd })).stdout,
    );
    expect(managed.schedules[0].verdict).toMatchObject({ code: 'fired', slot: '2026-06-05T09:00:00Z' });
    expect(managed.diagnostics).toEqual([]);
  });

  test('forgives the lateness of a tick unless --grace says otherwise', async () => {
    const object = policy('p', { ...DUE, spec: { startingDeadlineSeconds: 5 } });
    const cwd = await temporaryFolder({ 'a.json': list(object) });
    const code = async (...more: readonly string[]): Promise<string> => {
      const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, '-o', 'json', ...more], { cwd });
      return JSON.parse(stdout).schedules[0].verdict.code;
    };
    expect(await code()).toBe('fired');
    expect(await code('--grace', '0s')).toBe('expired');
  });

  test('reads sub-folders with -R only', async () => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('p')), 'sub/b.json': list(policy('q')) });
    const names = async (...more: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await runMinutehand(['plan', '-f', '.', ...NOW, '-o', 'json', ...more], { cwd });
      return JSON.parse(stdout).schedules.map(({ name }: ScheduleDocument) => name);
    };
    expect(await names()).toEqual(['p']);
    expect(await names('-R')).toEqual(['p', 'q']);
    expect(await names('-f', 'sub')).toEqual(['p', 'q']);
  });
});

describe('the parser of extended days', () => {
  const object = (spec: { readonly schedule: string | { readonly cron: string } }) => ({
    object: { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' }, spec },
  });

  test('is loaded only where an expression may need it', async () => {
    expect(
      await loadExtension([object({ schedule: '0 3 * * *' }), object({ schedule: '@daily' })]),
    ).toBeUndefined();
    expect(
      await loadExtension([object({ schedule: '0 3 * * *' }), object({ schedule: '0 3 L * *' })]),
    ).toBeTypeOf('function');
    expect(await loadExtension([object({ schedule: { cron: '0 3 * * 5#2' } })])).toBeTypeOf('function');
  });
});
