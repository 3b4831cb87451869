import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { SimulationInput } from '#core/simulation/course.ts';
import { type Simulation, simulate } from '#core/simulation/simulate.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { frozenCopy } from '#test/fakes/frozen-copy.ts';
import { at } from '#test/support/given-tick.ts';
import { observe, SETTINGS } from './support/both-ways.ts';
import { cronJob, defragPolicy, runOf } from './support/schedules.ts';

const FROM = at('2026-06-10T00:00:00Z');
const DAY = 86_400;

function run(objects: readonly KubeObject[], given: Partial<SimulationInput> = {}): Simulation {
  return simulate({
    observed: observe(objects.map((object) => frozenCopy(object))),
    kinds: KINDS,
    settings: SETTINGS,
    from: FROM,
    until: instant(FROM + 30 * DAY),
    tickOffsetSeconds: 0,
    durations: { given: new Map(), assumedSeconds: 300 },
    end: 'succeeded',
    ...given,
  });
}

function accountOf(simulation: Simulation, name: string): Simulation['schedules'][number]['account'] {
  const found = simulation.schedules.find(({ key }) => key.name === name);
  if (found === undefined) throw new Error(`no schedule ${name}`);
  return found.account;
}

test('only ticks in which something can happen are decided', () => {
  const { decidedTicks } = run([defragPolicy('night', FROM, { schedule: '0 3 * * *' })]);
  // A slot, what comes of it, the end of the run, what comes of that; and the very first tick with what it wrote.
  expect(decidedTicks).toBe(30 * 4 + 2);
});

test('beside a run of five minutes every third slot of two minutes fires, however many runs there were', () => {
  const often = defragPolicy('often', FROM, { schedule: '*/2 * * * *' });
  const { fates } = accountOf(run([often], { until: instant(FROM + 3 * DAY) }), 'often');
  expect(fates).toEqual({ fired: 720, held: 1439 });
});

test('the order of the objects changes nothing', () => {
  const objects = [
    cronJob('a', FROM, { schedule: '*/7 * * * *', concurrencyPolicy: 'Forbid' }),
    cronJob('b', FROM, { schedule: '*/7 * * * *', concurrencyPolicy: 'Replace' }),
    defragPolicy('c', FROM, { schedule: '*/7 * * * *' }),
  ];
  const settings = { ...SETTINGS, maxCreates: 1 };
  const until = instant(FROM + DAY);
  expect(run([...objects].reverse(), { settings, until })).toEqual(run(objects, { settings, until }));
});

describe('runs that are at work when it begins', () => {
  const forbid = cronJob('job', FROM, { schedule: '0 * * * *', concurrencyPolicy: 'Forbid' });
  const firstStart = (created: string, seconds: number, status: object = { active: 1 }): string => {
    const known = runOf(forbid, 'Job', { name: 'job-1', created: at(created), status: { ...status } });
    const simulation = run([forbid, known], {
      until: instant(FROM + DAY),
      durations: { given: new Map([['cron-job', seconds]]), assumedSeconds: 300 },
    });
    const [start] = accountOf(simulation, 'job').started;
    return start === undefined ? 'never' : formatInstant(start.at);
  };

  test('end when their time is over', () => {
    expect(firstStart('2026-06-09T23:50:00Z', 4500)).toBe('2026-06-10T01:05:00Z');
  });

  test('get their time once more if it is over already', () => {
    expect(firstStart('2026-06-09T12:00:00Z', 4500)).toBe('2026-06-10T01:15:00Z');
  });

  test('never end in a phase that nobody knows', () => {
    expect(firstStart('2026-06-09T23:50:00Z', 60, { conditions: 'odd' })).toBe('never');
  });
});

test('what holds a slot is told with the time that it took', () => {
  const slow = cronJob('slow', FROM, { schedule: '0 * * * *', concurrencyPolicy: 'Forbid' });
  const { held, heldBy, fates, starts } = accountOf(
    run([slow], {
      until: instant(FROM + 6 * 3600),
      durations: { given: new Map([['cron-job', 5400]]), assumedSeconds: 300 },
    }),
    'slow',
  );
  // From 1:00 to 2:30, from 2:30 to 4:00, from 4:00 to 5:30, from 5:30 on; 3:00 waits for an hour, 2:00 and 5:00 for half.
  expect({ held, heldBy, fates }).toEqual({
    held: { slots: 3, seconds: 2 * 3600 },
    heldBy: { RunActive: { slots: 3, seconds: 2 * 3600 } },
    fates: { fired: 4, superseded: 1 },
  });
  expect(starts).toEqual({
    count: 4,
    first: at('2026-06-10T01:00:00Z'),
    last: at('2026-06-10T05:30:00Z'),
    longestGap: { from: at('2026-06-10T01:00:00Z'), until: at('2026-06-10T02:30:00Z') },
  });
});

test('ticks start at the second that they are told to', () => {
  const simulation = run([defragPolicy('night', FROM, { schedule: '0 3 * * *' })], {
    from: instant(FROM + 1),
    until: instant(FROM + DAY),
    tickOffsetSeconds: 7,
  });
  expect(accountOf(simulation, 'night').started).toEqual([
    { slot: at('2026-06-10T03:00:00Z'), at: at('2026-06-10T03:00:07Z') },
  ]);
});
