import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { cronJob, job, list } from '#test/cli/manifests.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const NOW = '2026-06-10T03:00:20Z';
const DONE = { conditions: [{ type: 'Complete', status: 'True' }], completionTime: '2026-06-08T03:05:00Z' };

function event(slot: string): JsonObject {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `a.${slot.slice(8, 10)}`, namespace: 'harbor', uid: `uid-${slot}` },
    regarding: { kind: 'CronJob', name: 'a', namespace: 'harbor', uid: 'uid-a' },
    eventTime: `${slot.slice(0, 17)}00.000000Z`,
    reason: 'MissSchedule',
    type: 'Warning',
    note: `Missed scheduled time to start a job: ${slot}`,
  };
}

async function absences(...objects: readonly object[]): Promise<Readonly<Record<string, unknown>>> {
  const cwd = await temporaryFolder({ 'a.json': list(...objects) });
  const argv = ['explain', 'cj/a', '-f', '.', '--now', NOW, '-o', 'json'];
  const { previous } = JSON.parse((await runMinutehand(argv, { cwd })).stdout);
  return Object.fromEntries(
    previous.map(({ slot, absence = 'ran' }: { slot: string; absence?: unknown }) => [
      slot.slice(8, 10),
      absence,
    ]),
  );
}

describe('why a slot of the past has no run', () => {
  const created = { creationTimestamp: '2026-06-06T12:00:00Z' };

  test('is told by an event, by the runs that are there, by the creation, and by the decision', async () => {
    const schedule = cronJob('a', {
      metadata: created,
      status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
    });
    const run = job(`a-${Date.parse('2026-06-07T03:00:00Z') / 60_000}`, 'a', DONE);
    expect(await absences(schedule, run, event('2026-06-08T03:00:00Z'))).toEqual({
      '10': { code: 'owed', fate: 'fired' },
      '09': { code: 'gap' },
      '08': {
        code: 'told',
        reason: 'MissSchedule',
        note: 'Missed scheduled time to start a job: 2026-06-08T03:00:00Z',
      },
      '07': 'ran',
      '06': { code: 'beforeCreation' },
    });
  });

  test('is unknown where it is older than every run', async () => {
    const schedule = cronJob('a', { status: { lastScheduleTime: '2026-06-10T03:00:00Z' } });
    const found = Object.values(await absences(schedule));
    expect(found).toEqual(found.map(() => ({ code: 'unknown' })));
    expect(found).toHaveLength(5);
  });

  test('of a backlog is the slot that stands for it', async () => {
    const schedule = cronJob('a', { status: { lastScheduleTime: '2026-06-07T03:00:00Z' } });
    expect(await absences(schedule)).toMatchObject({
      '10': { code: 'owed', fate: 'fired' },
      '09': { code: 'owed', fate: 'superseded', by: '2026-06-10T03:00:00Z' },
      '08': { code: 'owed', fate: 'superseded', by: '2026-06-10T03:00:00Z' },
      '07': { code: 'unknown' },
    });
  });
});
