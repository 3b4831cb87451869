import { expect, test } from 'vitest';
import type { Change } from '#core/change/change.ts';
import type { Verdict } from '#core/change/verdict.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { changeLines } from '#render/log/change-lines.ts';

const SLOT = instant(1_781_060_400);
const OLDER = instant(SLOT - 86_400);
const FIRED: Verdict = { code: 'fired', reason: 'StampedRun', slot: SLOT, lateSeconds: 10 };
const INVALID: Verdict = { code: 'invalid', reason: 'InvalidSchedule' };

const key = { group: POLICY.group, kind: POLICY.kind, namespace: 'a', name: 'b' };
const run = { type: DEFRAG, key: { ...key, kind: DEFRAG.kind } };
const precondition = { uid: 'u', resourceVersion: '1' };
const object = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, reason: 'Told' };

function deletion(reason: 'Replaced' | 'HistoryLimit' | 'TimeToLive'): Change {
  return { verb: 'delete', ...run, reason, slot: OLDER, precondition };
}

function told(slot?: Instant): Change {
  return { verb: 'event', key, reason: 'Transition', object, ...(slot === undefined ? {} : { slot }) };
}

const STATUS: Change = {
  verb: 'apply',
  type: POLICY,
  key,
  reason: 'StatusChanged',
  precondition,
  fields: {},
  before: {},
};

test.each<[name: string, change: Change, verdict: Verdict, slot: Instant | undefined, bearsVerdict: boolean]>(
  [
    [
      'a run of the slot',
      { verb: 'create', ...run, reason: 'SlotDue', slot: SLOT, target: '', object },
      FIRED,
      SLOT,
      true,
    ],
    ['a status', STATUS, FIRED, SLOT, true],
    ['a status of what has no slot', STATUS, INVALID, undefined, true],
    ['a run beyond the history limit', deletion('HistoryLimit'), FIRED, OLDER, false],
    ['a run whose time to live is over', deletion('TimeToLive'), FIRED, OLDER, false],
    ['a run that makes room', deletion('Replaced'), FIRED, OLDER, false],
    ['an event about the slot', told(SLOT), FIRED, SLOT, true],
    ['an event about an older slot', told(OLDER), FIRED, OLDER, false],
    ['an event about no slot', told(), FIRED, undefined, false],
    ['an event about the schedule itself', told(), INVALID, undefined, true],
  ],
)('the line of %s bears what belongs to it', (_name, change, verdict, slot, bearsVerdict) => {
  const schedule = { type: POLICY, key, uid: 'u', resourceVersion: '1', verdict, changes: [change] };
  const applied = [{ change, state: 'done' }] as const;
  const [line] = changeLines({ schedules: [{ schedule, verdict, applied }], retention: [], works: [] });
  const { code, reason, lateSeconds } = bearsVerdict ? verdict : {};
  expect({ verdict: line?.verdict, reason: line?.reason, slot: line?.slot, late: line?.lateSeconds }).toEqual(
    {
      verdict: code,
      reason,
      slot: slot === undefined ? undefined : formatInstant(slot),
      late: lateSeconds,
    },
  );
});
