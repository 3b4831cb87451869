import { describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import { lagOf } from '#core/lag.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { WorkState } from '#core/run/driver.ts';
import { instant } from '#core/time/instant.ts';
import type { DrivenWork } from '#core/works.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { tickLine } from '#render/log/tick-line.ts';
import { tickText } from '#render/log/tick-text.ts';
import { RECORD } from '#test/render/metrics/record.ts';

const OPTIONS = { version: '1.2.3', dryRun: false, told: { error: 0, warning: 1, note: 2 } };

describe('the line that sums a tick up', () => {
  test('has what is known of it', () => {
    expect(tickLine({ ...RECORD, shard: { index: 1, count: 3 } }, OPTIONS)).toEqual({
      level: 'info',
      msg: 'tick done in 160 ms; 0 schedules; no changes',
      type: 'tick',
      version: '1.2.3',
      now: '2026-06-10T03:00:10Z',
      exitCode: 0,
      completed: true,
      shard: { index: 1, count: 3 },
      lag: {
        lastCompleted: '2026-06-10T02:57:01Z',
        missedMinutes: 2,
        missed: { first: '2026-06-10T02:58:00Z', last: '2026-06-10T02:59:00Z' },
        secondsBack: 0,
        seconds: 189,
      },
      durationMs: { read: 120, decide: 7, apply: 30, total: 160 },
      schedules: { total: 0, verdicts: {} },
      changes: { total: 0, outcomes: {}, verbs: {} },
      requests: {
        total: 15,
        verbs: { GET: 10, POST: 3, PATCH: 2 },
        answers: { '2xx': 10, '4xx': 1, '429': 2, '5xx': 1, none: 1 },
        retries: 3,
        throttled: 2,
      },
      diagnostics: { error: 0, warning: 1, note: 2 },
    });
  });

  test('leaves out what is not', () => {
    const { durations } = RECORD;
    expect(tickLine({ exitCode: 64, durations }, { ...OPTIONS, dryRun: true })).toEqual({
      level: 'error',
      msg: 'tick failed in 160 ms',
      type: 'tick',
      version: '1.2.3',
      exitCode: 64,
      completed: false,
      dryRun: true,
      durationMs: durations,
      diagnostics: OPTIONS.told,
    });
    const first = { ...RECORD, lag: lagOf(undefined, instant(1_781_060_410)) };
    expect(tickLine(first, OPTIONS).lag).toEqual({ missedMinutes: 0, secondsBack: 0 });
  });

  test('counts orders in its sentence where there are some', () => {
    const { outcome } = RECORD;
    if (outcome === undefined) throw new Error('the record has no outcome');
    const order = (name: string, state: WorkState): readonly [string, DrivenWork] => {
      const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: 'a', uid: name } };
      const work = { type: JOB, source: { object }, state, facts: [], steps: [], events: [], findings: [] };
      return [keyId(keyOf(object)), { driver: MANAGED_JOBS, work }];
    };
    const states = ['running', 'failed', 'suspended', 'running', 'finished', 'foreign'] as const;
    const works = new Map(states.map((state, index) => order(`job-${index}`, state)));
    const line = tickLine({ ...RECORD, outcome: { ...outcome, works } }, OPTIONS);
    expect(line.orders?.total).toBe(6);
    // Of what is over, or somebody else's, there may be thousands.
    expect(line.msg).toBe(
      'tick done in 160 ms; 0 schedules; 4 orders: 1 failed, 1 suspended, 2 running; no changes',
    );
  });

  test.each([
    [0, 'info'],
    [3, 'warn'],
    [1, 'error'],
    [4, 'error'],
    [64, 'error'],
  ])('of exit code %i is of level %s', (exitCode, level) => {
    expect(tickLine({ ...RECORD, exitCode }, OPTIONS).level).toBe(level);
  });
});

test('a person gets a line behind a tick that wrote something', () => {
  const { outcome } = RECORD;
  if (outcome === undefined) throw new Error('the record has no outcome');
  const key = { group: CRON_JOB.group, kind: CRON_JOB.kind, namespace: 'a', name: 'b' };
  const verdict = { code: 'fired' } as const;
  const schedule = { type: CRON_JOB, key, uid: 'u', resourceVersion: '1', verdict, changes: [] };
  const report = { ...outcome.report, schedules: [{ schedule, verdict, applied: [] }] };
  expect(tickText({ ...RECORD, outcome: { ...outcome, report } })).toBe(
    'Took 0.16 s: read 0.12 s, decide 0.01 s, apply 0.03 s; 15 requests, 3 of them again, 2 throttled.\n',
  );
});

test('a person gets no line behind a tick that wrote nothing, or sent nothing', () => {
  expect(tickText(RECORD)).toBe(undefined);
  expect(tickText({ exitCode: 1, durations: RECORD.durations })).toBe(undefined);
});
