import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { listingOf, typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { observe, SETTINGS } from '#test/core/simulation/support/both-ways.ts';
import {
  cronJob,
  defragPolicy,
  plan,
  repository,
  snapshotPolicy,
  snapshotSchedule,
} from '#test/core/simulation/support/schedules.ts';
import { at } from '#test/support/given-tick.ts';

const CREATED = at('2026-06-10T00:00:00Z');
const NOW = at('2026-06-10T03:00:00Z');
const OBJECTS: readonly KubeObject[] = [
  defragPolicy('d', CREATED, { schedule: '0 3 * * *', ttlSecondsAfterFinished: 60 }),
  cronJob('c', CREATED, { schedule: '0 3 * * *' }),
  repository('r'),
  snapshotPolicy('p', ['r']),
  snapshotSchedule('s', CREATED, 'p', { cron: '0 3 * * *', runOnCreate: true }),
  plan('b', CREATED, '0 3 * * *'),
];

/** The run that a tick makes for a schedule of the kind, as the API would hold it. */
function newRun(resourceKind: string): KubeObject {
  const { changeSet } = reconcile({ observed: observe(OBJECTS), kinds: KINDS, settings: SETTINGS, now: NOW });
  const schedule = changeSet.schedules.find(({ key }) => key.kind === resourceKind);
  const create = schedule?.changes.find((change) => change.verb === 'create');
  if (create?.verb !== 'create') throw new Error(`no run of a ${resourceKind} was created`);
  const metadata = { ...create.object.metadata, uid: 'uid-run', creationTimestamp: '2026-06-10T03:00:00Z' };
  return { ...create.object, metadata };
}

describe.each(KINDS.map((kind) => [kind.id, kind] as const))('a run of %s', (_, kind) => {
  const run = newRun(kind.resource.kind);
  const begun = kind.lifecycle.begun(run, NOW);
  const end = instant(NOW + 600);

  test('is at work once it has begun', () => {
    expect(kind.phaseOf(run)).not.toBe('succeeded');
    expect(kind.phaseOf(begun)).toBe('running');
  });

  test.each(['succeeded', 'failed'] as const)('is %s once it has ended so', (outcome) => {
    expect(kind.phaseOf(kind.lifecycle.ended(begun, end, outcome))).toBe(outcome);
    expect(kind.phaseOf(kind.lifecycle.ended(run, end, outcome))).toBe(outcome);
  });

  test.each(['succeeded', 'failed'] as const)('tells its schedule when it %s', (outcome) => {
    const ended = kind.lifecycle.ended(begun, end, outcome);
    const { entries } = reconcile({
      observed: observe([...OBJECTS, ended]),
      kinds: KINDS,
      settings: SETTINGS,
      now: end,
    });
    const own = [...entries.values()].find((entry) => entry.kind === kind)?.runs ?? [];
    expect(own.map(({ phase, finishedAt }) => ({ phase, finishedAt }))).toEqual([
      { phase: outcome, finishedAt: end },
    ]);
  });

  test('keeps what it is: only its status is written', () => {
    const { status: _status, ...rest } = kind.lifecycle.ended(begun, end, 'succeeded');
    const { status: _none, ...before } = run;
    expect(rest).toEqual(before);
  });
});

test('the objects of this test are of every kind', () => {
  const observed = observe(OBJECTS);
  for (const { resource } of KINDS) {
    const listing = listingOf(observed, resource);
    expect(listing.state === 'read' && listing.objects.length, typeId(resource)).toBe(1);
  }
});
