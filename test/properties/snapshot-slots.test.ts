import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '#core/change/change.ts';
import { parseInstant } from '#core/time/instant.ts';
import { decided } from './support/decided.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { member, secondsOf } from './support/expected.ts';
import { jitterOf, withoutH } from './support/snapshot/fnv.ts';
import { SLOT_MARK, timeText } from './support/snapshot/objects.ts';
import { type OwedCase, someOwedCase } from './support/snapshot/owed-case.ts';
import { nextSlot, owingFrom } from './support/snapshot/owing.ts';

/** What a tick makes of a debt. */
interface Told {
  readonly code: string;
  readonly slot: number | undefined;
  readonly superseded: number;
  readonly created: readonly number[];
  /** How many slots were skipped for good, and the latest of them. */
  readonly skipped: readonly [count: number, latest: number] | undefined;
  readonly pin: number | undefined;
}

function isStale({ recorded: { cron, zone, jitter } }: OwedCase): boolean {
  return [cron, zone, jitter].includes('other');
}

/** By the page: 2.3 to 2.5, D28 and D29. */
function expected(one: OwedCase): Told {
  const { when, now, pin, deadline, grace, recorded, held } = one;
  const nothing = { slot: undefined, superseded: 0, created: [], skipped: undefined };
  if (pin === undefined || isStale(one))
    return { ...nothing, code: 'waiting', pin: nextSlot(when, now, now)?.at };
  const { owed, next } = owingFrom(when, pin, recorded.cron === 'none', now);
  const slot = owed.at(-1);
  if (slot === undefined) return { ...nothing, code: 'waiting', pin };
  const tolerated = deadline === undefined || deadline < 0 ? deadline : Math.max(deadline, grace);
  const late = owed.filter((at) => tolerated !== undefined && now - at > tolerated);
  const wanted = owed.slice(late.length);
  const latest = late.at(-1);
  const skipped = latest === undefined ? undefined : ([late.length, latest] as const);
  // Base slots that land on one second have one run, and none of them is older than the other.
  const rest = wanted.length === 0 ? late : wanted;
  const superseded = owed[0] === slot || wanted.length === 0 ? 0 : rest.length - 1;
  const common = { slot, superseded, skipped };
  if (wanted.length === 0) return { ...common, code: 'expired', created: [], pin: next };
  if (held) return { ...common, code: 'held', created: [], pin: latest === undefined ? pin : wanted[0] };
  return { ...common, code: 'fired', created: [slot], pin: next };
}

const NOTE = /^Slot (\S+?)(?: and (\d+) before it)? aged past/;

function skippedOf(changes: readonly Change[]): Told['skipped'] {
  for (const change of changes) {
    if (change.verb !== 'event') continue;
    const [, slot = '', more = '0'] = NOTE.exec(String(change.object.note)) ?? [];
    if (slot !== '') return [Number(more) + 1, parseInstant(slot) ?? Number.NaN];
  }
  return undefined;
}

function told({ objects, now, grace }: OwedCase): Told {
  const { changeSet, problems } = decided(objects, now, { graceSeconds: grace });
  expect(problems).toEqual([]);
  const [schedule] = changeSet.schedules;
  if (schedule === undefined) throw new Error('no schedule was decided');
  const { verdict, changes } = schedule;
  const status = changes.flatMap((change) => (change.verb === 'apply' ? [change.fields] : []));
  const created = changes.flatMap((change) => (change.verb === 'create' ? [change.object] : []));
  return {
    code: verdict.code,
    slot: verdict.slot,
    superseded: verdict.superseded?.count ?? 0,
    created: created.map(({ metadata }) => secondsOf(metadata.annotations?.[SLOT_MARK]) ?? Number.NaN),
    skipped: skippedOf(changes),
    pin: secondsOf(member(member(status[0] ?? objects[0]?.status, 'nextSchedule'), 'at')),
  };
}

describe('what a SnapshotSchedule owes', () => {
  test(
    'is what looking at every minute finds, with jitter, clock changes, deadlines and holds',
    () => {
      fc.assert(
        fc.property(someOwedCase, (one) => {
          expect(told(one)).toEqual(expected(one));
        }),
        effort('owed'),
      );
    },
    PATIENCE,
  );
});

const UID = '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33';
const ZEROS = '00000000-0000-0000-0000-000000000000';

/** The tables of snapshot-schedule.md 2.6, 2.7 and 2.9, so that the model is the page's. */
describe('the model of these tests', () => {
  test.each([
    [UID, 1_772_330_400, 1800, 1074],
    [UID, 1_772_416_800, 1800, 295],
    [ZEROS, 1_772_330_400, 1800, 1222],
    ['schedule-uid', 1_700_000_000, 1800, 1440],
    ['f2b9c1d4-8e7a-4c63-a5d0-1b2c3d4e5f60', 0, 86_400, 55_220],
    [UID, 1_772_330_400, 1, 0],
  ])('spreads %s at %d in %d seconds', (seed, base, window, offset) => {
    expect(jitterOf(seed, window, base)).toBe(offset);
  });

  test.each([
    ['H H H H H', UID, '35 16 19 11 1'],
    ['H H * * *', ZEROS, '51 12 * * *'],
    ['  H   2 * * * ', UID, '35 2 * * *'],
  ])('puts numbers for %s of %s', (expression, seed, resolved) => {
    expect(withoutH(expression, seed)).toBe(resolved);
  });

  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00:00Z', ['29T01:00', '30T00:30', '31T00:30']],
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00:00Z', ['25T00:30', '26T01:30']],
    ['Europe/Berlin', '*/30 * * * *', '2026-10-25T01:10:00Z', ['25T01:30', '25T02:00', '25T02:30']],
    ['Europe/Berlin', '*/30 * * * *', '2026-03-29T00:15:00Z', ['29T00:30', '29T01:00', '29T01:30']],
    ['Europe/Berlin', '0,30 2 * * *', '2026-03-28T12:00:00Z', ['30T00:00']],
    ['Europe/Berlin', '0 1,2 * * *', '2026-03-28T12:00:00Z', ['29T00:00', '29T23:00']],
    ['America/New_York', '0 2 * * *', '2026-03-07T12:00:00Z', ['08T07:00', '09T06:00']],
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00:00Z', ['01T05:30', '02T06:30']],
    [
      'America/New_York',
      '15 * * * *',
      '2026-11-01T04:30:00Z',
      ['01T05:15', '01T06:15', '01T07:15', '01T08:15'],
    ],
  ])('knows in %s when %s is after %s', (zone, expression, after, wanted) => {
    let at: number = parseInstant(after) ?? Number.NaN;
    const found = wanted.map(() => {
      at = nextSlot({ expression, zone, seed: '', window: 0 }, at)?.at ?? Number.NaN;
      return timeText(at).slice(8, 16);
    });
    expect(found).toEqual(wanted);
  });
});
