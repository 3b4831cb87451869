import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '#core/change/change.ts';
import { parseInstant } from '#core/time/instant.ts';
import { decided } from './support/decided.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { member, secondsOf } from './support/expected.ts';
import { SLOT_MARK } from './support/snapshot/objects.ts';
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
