import { expect, test } from 'vitest';
import { planBackfill } from '#core/backfill.ts';
import type { Change } from '#core/change/change.ts';
import { countChanges, type ScheduleChanges } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import { keyId } from '#core/object/key.ts';
import { reconcile } from '#core/reconcile.ts';
import { KINDS } from '#kinds/index.ts';
import { observe, SETTINGS } from '#test/core/simulation/support/both-ways.ts';
import { cronJob } from '#test/core/simulation/support/schedules.ts';
import { at } from '#test/support/given-tick.ts';

const NOW = at('2026-06-10T03:00:20Z');
const settings = { ...SETTINGS, writers: { 'cron-job': 'manage' as const } };
const observed = observe([cronJob('c', at('2026-06-09T00:00:00Z'), { schedule: '0 * * * *' })]);

function planned() {
  const { changeSet, entries } = reconcile({ observed, kinds: KINDS, settings, now: NOW });
  const [schedule] = changeSet.schedules;
  const entry = schedule === undefined ? undefined : entries.get(keyId(schedule.key));
  if (schedule === undefined || entry === undefined) throw new Error('nothing was decided');
  const result = planBackfill({
    schedule,
    entry,
    observed,
    now: NOW,
    graceSeconds: 90,
    from: at('2026-06-10T00:00:00Z'),
    to: NOW,
    maxCreates: 10,
    despiteRunning: false,
  });
  if (result.state !== 'planned') throw new Error(result.state);
  return { set: result.backfill.reconciliation.changeSet, ofTick: schedule };
}

/** What the self-check says of the backfill with its changes replaced. */
function checked(
  edit: (changes: readonly Change[], one: ScheduleChanges) => Partial<ScheduleChanges>,
): string {
  const { set } = planned();
  const schedules = set.schedules.map((one) => ({ ...one, ...edit(one.changes, one) }));
  const changed = { ...set, schedules, counts: countChanges(schedules, []) };
  return checkChangeSet(changed, { observed, kinds: KINDS, settings })
    .map(({ what }) => what)
    .join('\n');
}

test('a backfill may make runs of several slots', () => {
  expect(planned().set.counts.creates).toBe(4);
  expect(checked(() => ({}))).toBe('');
});

test('a tick may not', () => {
  expect(checked((changes) => ({ changes, backfill: undefined as never }))).toContain(
    'creates for more than one slot',
  );
});

test.each<[string, (changes: readonly Change[]) => readonly Change[], string]>([
  ['the newest first', (changes) => changes.toReversed(), 'does not begin with the oldest slot'],
  [
    'a status as well',
    (changes) => [...changes, ...planned().ofTick.changes.filter(({ verb }) => verb === 'apply')],
    'another change than creates in a backfill',
  ],
  [
    'a run twice',
    (changes) => [...changes, ...changes.slice(-1)],
    'more than one create for one schedule, target and slot',
  ],
  [
    'a slot to come',
    (changes) =>
      changes.map((one) => (one.verb === 'create' ? { ...one, slot: at('2027-01-01T00:00:00Z') } : one)),
    'a create for a slot after now',
  ],
])('%s is refused', (_what, edit, problem) => {
  expect(checked((changes) => ({ changes: edit(changes) }))).toContain(problem);
});
