import { describe, expect, test } from 'vitest';
import type { AnnotateChange, Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import { type ChangeSet, countChanges } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { KubeObject } from '#core/object/object.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { mover, policy, schedule, snapshot } from '#test/kinds/snapshot-schedule/world.ts';
import { observedOf } from '#test/properties/support/decided.ts';
import { SETTINGS as BASE } from '#test/properties/support/tick.ts';

const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z
const SETTINGS = { ...BASE, retention: { 'snapshot-policy': 'manage' } } as const;
const MARK = 'kopiur.home-operations.com/pruned-by';

function finished(day: string, phase: string): KubeObject {
  const status = { phase, origin: 'scheduled', timing: { endTime: `2026-06-${day}T03:10:00Z` } };
  return snapshot(`nightly-202606${day}030000`, `2026-06-${day}T03:00:00Z`, status);
}

function marked(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [MARK]: 'replaced-run' };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** One tick of these makes every kind of change: a victim with its Job, two creates, prunes, a mark taken off. */
const OBJECTS = [
  schedule(
    'nightly',
    { policyRef: null, policySelector: {}, failedJobsHistoryLimit: 0 },
    { concurrencyPolicy: 'Replace' },
  ),
  policy('pg', { retention: { keepLatest: 1 } }),
  policy('files'),
  snapshot('nightly-20260609030000', '2026-06-09T03:00:00Z', { phase: 'Running' }),
  mover('nightly-20260609030000'),
  finished('08', 'Failed'),
  marked(finished('07', 'Succeeded')),
  finished('06', 'Succeeded'),
];

const OBSERVED = observedOf(OBJECTS);

function changeSet(): ChangeSet {
  return reconcile({ observed: OBSERVED, kinds: KINDS, settings: SETTINGS, now: NOW }).changeSet;
}

function problems(set: ChangeSet): readonly string[] {
  return checkChangeSet(set, { observed: OBSERVED, kinds: KINDS, settings: SETTINGS }).map(
    ({ what }) => what,
  );
}

/** Counted anew, so that only the planted fault is there. */
function recounted(set: ChangeSet): ChangeSet {
  return { ...set, counts: countChanges(set.schedules, set.retention) };
}

function each(alter: (change: Change) => Change | readonly Change[]): ChangeSet {
  const set = changeSet();
  const schedules = set.schedules.map((one) => ({ ...one, changes: one.changes.flatMap(alter) }));
  return recounted({ ...set, schedules });
}

function deletes(kind: string, alter: (change: DeleteChange) => Change | readonly Change[]): ChangeSet {
  return each((change) => (change.verb === 'delete' && change.key.kind === kind ? alter(change) : change));
}

function creates(alter: (change: CreateChange) => Change | readonly Change[]): ChangeSet {
  return each((change) => (change.verb === 'create' ? alter(change) : change));
}

function annotates(alter: (change: AnnotateChange) => Change): ChangeSet {
  return each((change) => (change.verb === 'annotate' ? alter(change) : change));
}

function prunes(alter: (change: DeleteChange) => DeleteChange): ChangeSet {
  const set = changeSet();
  const retention = set.retention.map((one) => ({ ...one, changes: one.changes.map(alter) }));
  return recounted({ ...set, retention });
}

const RUNNING = { uid: 'uid-nightly-20260609030000', resourceVersion: '5' };

describe('checkChangeSet', () => {
  test('finds nothing to complain of in what was decided', () => {
    const set = changeSet();
    expect(problems(set)).toEqual([]);
    expect(set.schedules[0]?.changes.map(({ verb, key }) => `${verb} ${key.kind} ${key.name}`)).toEqual([
      'delete Job nightly-20260609030000',
      'delete Snapshot nightly-20260609030000',
      'create Snapshot nightly-files-20260610030000',
      'create Snapshot nightly-pg-20260610030000',
      'apply SnapshotSchedule nightly',
      'delete Snapshot nightly-20260608030000',
      'annotate Snapshot nightly-20260607030000',
      `event Event ${set.schedules[0]?.changes.at(-1)?.key.name ?? ''}`,
    ]);
    expect(set.retention[0]?.changes.map(({ key }) => key.name)).toEqual(['nightly-20260606030000']);
  });

  test.each<readonly [string, () => ChangeSet, RegExp]>([
    [
      'a workload whose run stays',
      () => deletes('Snapshot', (one) => (one.reason === 'Replaced' ? [] : one)),
      /a workload without its run/,
    ],
    ['a workload behind its run', behindItsRun, /a workload without its run/],
    [
      'a replaced run without its mark',
      () => deletes('Snapshot', ({ marks: _marks, ...one }) => one),
      /other marks than its reason has/,
    ],
    [
      'the mark of another reason',
      () => deletes('Snapshot', (one) => ({ ...one, marks: { [MARK]: 'retention' } })),
      /other marks than its reason has/,
    ],
    [
      'two creates for one target',
      () => creates((one) => ({ ...one, target: 'pg' })),
      /more than one create for one schedule, target and slot/,
    ],
    [
      'creates for two slots',
      () => creates((one) => (one.target === 'pg' ? { ...one, slot: instant(one.slot - 60) } : one)),
      /creates for more than one slot/,
    ],
    [
      'a run with the uid of another schedule',
      () => creates(ofAnotherSchedule),
      /a run that its schedule does not control/,
    ],
    [
      'an annotation that is set',
      () => annotates((one) => ({ ...one, annotations: { [MARK]: 'retention' } })),
      /not a mark of ours taken off/,
    ],
    [
      'an annotation that is none of ours',
      () => annotates((one) => ({ ...one, annotations: { 'x/y': null } })),
      /not a mark of ours taken off/,
    ],
    [
      'an annotation of another version',
      () => annotates((one) => ({ ...one, precondition: { ...one.precondition, resourceVersion: '1' } })),
      /another version than was read/,
    ],
    ['a retention delete of a running one', () => prunes(aimedAtRunning), /a run without success/],
    [
      'a retention delete of what was not read',
      () => prunes((one) => ({ ...one, precondition: { ...one.precondition, uid: 'uid-none' } })),
      /an object that was not read/,
    ],
    [
      'a retention delete for another reason',
      () => prunes((one) => ({ ...one, reason: 'HistoryLimit' })),
      /for another reason than retention/,
    ],
    [
      'a retention delete among those of a schedule',
      () =>
        deletes('Snapshot', (one) => (one.reason === 'HistoryLimit' ? { ...one, reason: 'Retention' } : one)),
      /a retention delete among the deletes of a schedule/,
    ],
  ])('refuses %s', (_name, set, what) => {
    const found = problems(set());
    expect(
      found.some((problem) => what.test(problem)),
      found.join('\n'),
    ).toBe(true);
  });
});

function behindItsRun(): ChangeSet {
  const set = changeSet();
  const schedules = set.schedules.map((one) => {
    const [first, second, ...rest] = one.changes;
    return first === undefined || second === undefined ? one : { ...one, changes: [second, first, ...rest] };
  });
  return { ...set, schedules };
}

function ofAnotherSchedule(change: CreateChange): CreateChange {
  const { object } = change;
  const annotations = { ...object.metadata.annotations, 'minutehand.dev/owner-uid': 'uid-other' };
  return { ...change, object: { ...object, metadata: { ...object.metadata, annotations } } };
}

function aimedAtRunning(change: DeleteChange): DeleteChange {
  return { ...change, key: { ...change.key, name: 'nightly-20260609030000' }, precondition: RUNNING };
}
