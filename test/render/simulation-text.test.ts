import { expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { Account } from '#core/simulation/ledger.ts';
import type { ScheduleSimulation } from '#core/simulation/simulate.ts';
import { type MissedSlots, NO_MOMENTS, withMoment } from '#core/simulation/tally.ts';
import { instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { simulationText } from '#render/simulation-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { at } from '#test/support/given-tick.ts';

const FROM = at('2026-06-10T00:00:00Z');
const UNTIL = at('2026-06-11T00:00:00Z');

function missed(fate: MissedSlots['fate'], hour: number, more: Partial<MissedSlots> = {}): MissedSlots {
  const slot = instant(FROM + hour * 3600);
  return { fate, first: slot, last: slot, count: 1, settledAt: slot, ...more };
}

function schedule(name: string, account: Partial<Account>): ScheduleSimulation {
  return {
    type: JOB,
    key: { group: 'batch', kind: 'Job', namespace: 'a', name },
    zone: undefined,
    account: {
      fates: {},
      started: [],
      missed: [],
      pending: undefined,
      held: { slots: 0, seconds: 0 },
      heldBy: {},
      runs: 0,
      replaced: 0,
      starts: NO_MOMENTS,
      successes: NO_MOMENTS,
      failures: 0,
      ...account,
    },
  };
}

function textOf(...schedules: readonly ScheduleSimulation[]): readonly string[] {
  const options = { ...DEFAULT_TEXT, outcome: 'succeeded', remarksOf: () => ({}) } as const;
  return simulationText({ from: FROM, until: UNTIL, decidedTicks: 0, schedules, orders: [] }, options).split(
    '\n',
  );
}

function missedIn(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.indexOf('Slots that did not run:') + 1, -1);
}

test('three reasons of each schedule are told, the most frequent first, and the rest is counted', () => {
  const busy = schedule('busy', {
    missed: [
      missed('expired', 1),
      missed('superseded', 2, { reason: 'RunActive', heldSeconds: 60, by: UNTIL, runs: ['busy-1'] }),
      missed('held', 3, { reason: 'RunActive' }),
      missed('superseded', 4, { reason: 'RunActive' }),
      missed('superseded', 5, { reason: 'RunLeaving', count: 4, last: at('2026-06-10T08:00:00Z') }),
      missed('suspended', 9, { reason: 'Suspended', count: 3, last: at('2026-06-10T11:00:00Z') }),
      missed('expired', 12),
      missed('held', 13, { reason: 'Dependency' }),
      missed('ran', 14),
    ],
    pending: { fate: 'held', first: at('2026-06-10T23:00:00Z'), last: at('2026-06-10T23:00:00Z'), count: 1 },
  });
  const other = schedule('other', { missed: [missed('failed', 1, { reason: 'Refused\u001b[31m' })] });
  expect(missedIn(textOf(busy, other))).toEqual([
    '  4 slots, first Wed 2026-06-10 05:00 UTC, last Wed 2026-06-10 08:00 UTC  Job a/busy: superseded, RunLeaving',
    '  3 slots, first Wed 2026-06-10 09:00 UTC, last Wed 2026-06-10 11:00 UTC  Job a/busy: suspended',
    '  2 slots, first Wed 2026-06-10 01:00 UTC, last Wed 2026-06-10 12:00 UTC  Job a/busy: expired',
    '  Job a/busy: 4 slots more, for 3 other reasons',
    '  Wed 2026-06-10 23:00 UTC  Job a/busy: held at the end',
    `  Wed 2026-06-10 01:00 UTC  Job a/other: failed, ${escapeText('Refused\u001b[31m')}`,
  ]);
});

test('slots that are told together add up what they waited, and one keeps its own words', () => {
  const words = { reason: 'RunActive', by: UNTIL, runs: ['one-1'] };
  const one = schedule('one', { missed: [missed('superseded', 2, { ...words, heldSeconds: 60 })] });
  const two = schedule('two', {
    missed: [
      missed('superseded', 2, { ...words, heldSeconds: 60 }),
      missed('superseded', 4, words),
      missed('superseded', 6, { ...words, heldSeconds: 120 }),
    ],
  });
  expect(missedIn(textOf(one, two))).toEqual([
    '  Wed 2026-06-10 02:00 UTC  Job a/one: superseded by Thu 2026-06-11 00:00 UTC, held for 1 min, RunActive, one-1',
    '  3 slots, first Wed 2026-06-10 02:00 UTC, last Wed 2026-06-10 06:00 UTC  Job a/two: superseded, ' +
      'held for 3 min together, RunActive',
  ]);
});

test('a schedule is named once: as one that never starts, or as one that never succeeds', () => {
  const once = withMoment(NO_MOMENTS, FROM);
  const lines = textOf(
    schedule('silent', {}),
    schedule('failing', { starts: withMoment(once, UNTIL) }),
    schedule('healthy', { starts: once, successes: once }),
  );
  expect(lines.slice(3, 6)).toEqual([
    'longest gap between two starts: 1 d, Job a/failing, from Wed 2026-06-10 00:00 UTC',
    'never starts: Job a/silent',
    'starts, and never succeeds: Job a/failing',
  ]);
});
