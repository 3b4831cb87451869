import { describe, expect, test } from 'vitest';
import type { Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import { type ChangeSet, countChanges, type ScheduleChanges } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import { soundPart } from '#core/change/sound-part.ts';
import type { Settings } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { etcdDefragPolicy } from '#kinds/etcd-defrag-policy/index.ts';
import { KINDS } from '#kinds/index.ts';
import { observedOf } from '#test/properties/support/decided.ts';
import { type RunDraft, runNameOf, runObject } from '#test/properties/support/run-object.ts';
import { scheduleObject, type Timetable } from '#test/properties/support/timetable.ts';

const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z
const SLOT = 1_781_060_400;
const HOUR = 3600;
const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'cron-job': 'manage' },
  retention: {},
};

const BASE: Timetable = {
  kind: 'CronJob',
  namespace: 'harbor',
  name: 'rotate',
  expression: '0 * * * *',
  zone: undefined,
  deadline: undefined,
  concurrency: 'Replace',
  suspend: false,
  limit: 0,
  failedLimit: 0,
  ttl: undefined,
};
const POLICY: Timetable = { ...BASE, kind: 'EtcdDefragPolicy', name: 'defrag', concurrency: 'Forbid' };

function run(timetable: Timetable, slot: number, progress: RunDraft['progress']): KubeObject {
  const draft: RunDraft = {
    name: runNameOf(timetable, slot),
    slot,
    owner: 'own',
    manual: false,
    created: slot,
    progress,
    since: slot + 60,
    terminating: false,
  };
  return runObject(timetable, draft);
}

const RUNNING = run(BASE, SLOT - HOUR, 'running');
const FINISHED = run(BASE, SLOT - 2 * HOUR, 'succeeded');
const ODD = run(POLICY, SLOT - 2 * HOUR, 'odd');
const STRANGER = runObject(BASE, {
  name: 'stranger',
  slot: undefined,
  owner: 'none',
  manual: false,
  created: SLOT,
  progress: 'succeeded',
  since: SLOT,
  terminating: false,
});

function anchored(timetable: Timetable): KubeObject {
  return scheduleObject(timetable, SLOT - 24 * HOUR, { lastScheduleTime: '2026-06-10T02:00:00Z' });
}

const OBJECTS = [anchored(BASE), anchored(POLICY), RUNNING, FINISHED, ODD, STRANGER];

function changeSetOf(objects: readonly KubeObject[], settings: Settings = SETTINGS): ChangeSet {
  return reconcile({ observed: observedOf(objects), kinds: KINDS, settings, now: NOW }).changeSet;
}

function problemsOf(
  set: ChangeSet,
  objects: readonly KubeObject[] = OBJECTS,
  settings: Settings = SETTINGS,
): readonly string[] {
  return checkChangeSet(set, { observed: observedOf(objects), kinds: KINDS, settings }).map(
    ({ what }) => what,
  );
}

/** The set with the changes of the CronJob altered, counted anew so that only the planted fault is there. */
function alter(change: (schedule: ScheduleChanges) => ScheduleChanges): ChangeSet {
  const set = changeSetOf(OBJECTS);
  const schedules = set.schedules.map((one) => (one.key.name === BASE.name ? change(one) : one));
  return { ...set, schedules, counts: countChanges(schedules, []) };
}

function each(change: (one: Change) => Change | readonly Change[]): ChangeSet {
  return alter((schedule) => ({ ...schedule, changes: schedule.changes.flatMap(change) }));
}

function creates(change: (one: CreateChange) => Change | readonly Change[]): ChangeSet {
  return each((one) => (one.verb === 'create' ? change(one) : one));
}

function deletes(reason: DeleteChange['reason'], change: (one: DeleteChange) => DeleteChange): ChangeSet {
  return each((one) => (one.verb === 'delete' && one.reason === reason ? change(one) : one));
}

function named(one: CreateChange, name: string): CreateChange {
  const object = { ...one.object, metadata: { ...one.object.metadata, name } };
  return { ...one, key: { ...one.key, name }, object };
}

function aimed(one: DeleteChange, target: KubeObject): DeleteChange {
  const { uid = '' } = target.metadata;
  return { ...one, key: keyOf(target), precondition: { uid, resourceVersion: '' } };
}

const FAULTS: readonly (readonly [rule: string, set: () => ChangeSet, what: RegExp])[] = [
  [
    'a second run of one slot under another name',
    () => creates((one) => [one, named(one, 'rotate-again')]),
    /more than one create for one schedule, target and slot/,
  ],
  ['the same create twice', () => creates((one) => [one, one]), /a second create/],
  [
    'two schedules that create one run',
    () => {
      const set = changeSetOf(OBJECTS);
      const [first] = set.schedules.flatMap(({ changes }) => changes.filter(({ verb }) => verb === 'create'));
      const schedules = set.schedules.map((one) =>
        first === undefined || one.key.name === BASE.name ? one : { ...one, changes: [first] },
      );
      return { ...set, schedules, counts: countChanges(schedules, []) };
    },
    /a second create/,
  ],
  [
    'one schedule decided twice',
    () => {
      const set = changeSetOf(OBJECTS);
      const schedules = [...set.schedules, ...set.schedules.map((one) => ({ ...one, changes: [] }))];
      return { ...set, schedules, counts: countChanges(schedules, []) };
    },
    /one schedule twice/,
  ],
  [
    'a slot after now',
    () => creates((one) => ({ ...one, slot: instant(NOW + 1) })),
    /a create for a slot after now/,
  ],
  [
    'a verdict on a slot after now',
    () => alter((one) => ({ ...one, verdict: { ...one.verdict, slot: instant(NOW + 60) } })),
    /a verdict on a slot after now/,
  ],
  [
    'an event for a slot after now',
    () => each((one) => (one.verb === 'event' ? { ...one, slot: instant(NOW + 1) } : one)),
    /an? event for a slot after now/,
  ],
  [
    'a run that carries another slot',
    () => creates((one) => ({ ...one, slot: instant(one.slot - HOUR) })),
    /does not carry its slot/,
  ],
  [
    'the delete of an unfinished run by history',
    () => deletes('HistoryLimit', (one) => aimed(one, RUNNING)),
    /a delete of an unfinished run/,
  ],
  [
    'the delete of an unfinished run by its time to live',
    () => deletes('HistoryLimit', (one) => ({ ...aimed(one, RUNNING), reason: 'TimeToLive' })),
    /a delete of an unfinished run/,
  ],
  [
    'a delete under another type',
    () => deletes('HistoryLimit', (one) => ({ ...one, type: etcdDefragPolicy.run })),
    /a delete of something else than it says/,
  ],
  [
    'the replacement of a finished run',
    () => deletes('Replaced', (one) => aimed(one, FINISHED)),
    /a replacement of a finished run/,
  ],
  ['a replacement without a create', () => creates(() => []), /a replacement without a run that replaces/],
  [
    'the delete of a run that nobody read',
    () => deletes('HistoryLimit', (one) => ({ ...one, precondition: { uid: 'new', resourceVersion: '' } })),
    /was not read/,
  ],
  [
    'a delete without the version that was read',
    () =>
      deletes('HistoryLimit', (one) => ({
        ...one,
        precondition: { ...one.precondition, resourceVersion: '7' },
      })),
    /another version than was read/,
  ],
  [
    'the delete of a stranger',
    () => deletes('HistoryLimit', (one) => aimed(one, STRANGER)),
    /a delete of a run that the schedule does not control/,
  ],
  [
    'the delete of another schedule’s run',
    () => deletes('HistoryLimit', (one) => aimed(one, ODD)),
    /does not control/,
  ],
  ['one delete twice', () => each((one) => (one.verb === 'delete' ? [one, one] : one)), /a second delete/],
  [
    'a status field that is not ours',
    () => each((one) => (one.verb === 'apply' ? { ...one, fields: { ...one.fields, phase: 'x' } } : one)),
    /status fields that are not ours: phase/,
  ],
  [
    'the status of another object',
    () => each((one) => (one.verb === 'apply' ? { ...one, key: { ...one.key, name: 'other' } } : one)),
    /a status of another object/,
  ],
  [
    'a status write without its precondition',
    () =>
      each((one) =>
        one.verb === 'apply' ? { ...one, precondition: { uid: '', resourceVersion: '' } } : one,
      ),
    /a status write for another version/,
  ],
  [
    'two writes of one status',
    () => each((one) => (one.verb === 'apply' ? [one, one] : one)),
    /more than one write of one status/,
  ],
  [
    'a name of 64 characters',
    () => creates((one) => named(one, 'x'.repeat(64))),
    /a name of 64 characters, at most 63 fit/,
  ],
  [
    'a run that its schedule does not control',
    () =>
      creates((one) => {
        const { ownerReferences: _owners, ...metadata } = one.object.metadata;
        return { ...one, object: { ...one.object, metadata } };
      }),
    /a run that its schedule does not control/,
  ],
  [
    'a run in another namespace',
    () =>
      creates((one) => ({
        ...one,
        key: { ...one.key, namespace: 'vault' },
        object: { ...one.object, metadata: { ...one.object.metadata, namespace: 'vault' } },
      })),
    /a run in another namespace/,
  ],
  [
    'a key that is not the body’s',
    () => creates((one) => ({ ...one, key: { ...one.key, name: 'rotate-1' } })),
    /a create of something else than it says/,
  ],
  [
    'an event about another object',
    () =>
      each((one) =>
        one.verb === 'event' ? { ...one, object: { ...one.object, regarding: { name: 'other' } } } : one,
      ),
    /an event about another object/,
  ],
  [
    'history before status',
    () => alter((one) => ({ ...one, changes: [...one.changes].reverse() })),
    /changes out of order/,
  ],
  [
    'changes of an observed object',
    () => alter((one) => ({ ...one, verdict: { code: 'observed' } })),
    /changes for an object that is only observed/,
  ],
  [
    'changes for a schedule that nobody read',
    () => alter((one) => ({ ...one, uid: 'another' })),
    /changes for a schedule that was not read/,
  ],
  [
    'changes for a kind that nobody knows',
    () => alter((one) => ({ ...one, type: { ...one.type, kind: 'Sundial' } })),
    /changes for a kind that nobody knows/,
  ],
  [
    'counts that hide a create',
    () => {
      const set = changeSetOf(OBJECTS);
      return { ...set, counts: { ...set.counts, creates: 0 } };
    },
    /counts that do not add up/,
  ],
];

/** Faults that cannot be told apart from the rest of the set. */
const NOBODYS = ['one schedule decided twice', 'counts that hide a create'];

describe('checkChangeSet', () => {
  test('finds nothing wrong with a change set of every verb', () => {
    const set = changeSetOf(OBJECTS);
    const verbs = new Set(set.schedules.flatMap(({ changes }) => changes.map(({ verb }) => verb)));
    expect(verbs).toEqual(new Set(['create', 'delete', 'apply', 'event']));
    expect(problemsOf(set)).toEqual([]);
  });

  test.each(FAULTS)('refuses %s', (_rule, set, what) => {
    const problems = problemsOf(set());
    expect(
      problems.some((problem) => what.test(problem)),
      problems.join('\n'),
    ).toBe(true);
  });

  test.each(FAULTS)('keeps the others going beside %s', (rule, faulty) => {
    const set = faulty();
    const input = { observed: observedOf(OBJECTS), kinds: KINDS, settings: SETTINGS };
    const { changeSet, problems } = soundPart(set, input);
    expect(problems.length).toBeGreaterThan(0);
    expect(changeSet === undefined).toBe(NOBODYS.includes(rule));
    if (changeSet === undefined) return;
    expect(checkChangeSet(changeSet, input)).toEqual([]);
    const held = changeSet.schedules.filter((one, index) => one !== set.schedules[index]);
    expect(held).toHaveLength(rule === 'two schedules that create one run' ? 2 : 1);
    for (const { changes, verdict } of held) expect([changes, verdict.code]).toEqual([[], 'failed']);
  });

  test('refuses the delete of a run in an unknown phase, even as a replacement', () => {
    const set = changeSetOf(OBJECTS);
    const odd: DeleteChange = {
      verb: 'delete',
      type: etcdDefragPolicy.run,
      key: {
        group: 'etcd-operator.cozystack.io',
        kind: 'EtcdDefrag',
        namespace: 'harbor',
        name: ODD.metadata.name,
      },
      reason: 'Replaced',
      precondition: { uid: ODD.metadata.uid ?? '', resourceVersion: '' },
    };
    const schedules = set.schedules.map((one) =>
      one.key.name === POLICY.name ? { ...one, changes: [odd, ...one.changes] } : one,
    );
    expect(problemsOf({ ...set, schedules, counts: countChanges(schedules, []) }).join()).toMatch(
      /unknown phase/,
    );
  });

  test('refuses changes of an object whose status another manager owns, whatever the verdict says', () => {
    const set = changeSetOf(OBJECTS);
    const fieldsV1 = { 'f:status': { 'f:lastScheduleTime': {} } };
    const managedFields = [{ manager: 'kube-controller-manager', operation: 'Update', fieldsV1 }];
    const owned = OBJECTS.map((object) =>
      object.kind === 'CronJob' ? { ...object, metadata: { ...object.metadata, managedFields } } : object,
    );
    expect(problemsOf(set, owned).join()).toMatch(/only observed/);
  });

  test('refuses changes of a kind that the configuration only observes', () => {
    const settings: Settings = { ...SETTINGS, writers: { 'cron-job': 'observe' }, retention: {} };
    expect(problemsOf(changeSetOf(OBJECTS), OBJECTS, settings).join()).toMatch(/only observed/);
  });

  test('refuses creates and deletes beyond their budgets', () => {
    const set = changeSetOf(OBJECTS);
    const { creates: created, deletes: deleted } = set.counts;
    const tight: Settings = { ...SETTINGS, maxCreates: created - 1, maxDeletes: deleted - 1 };
    expect(problemsOf(set, OBJECTS, tight)).toEqual([
      `the change set has ${created} creates, the budget is ${created - 1}`,
      `the change set has ${deleted} deletes, the budget is ${deleted - 1}`,
    ]);
    expect(problemsOf(set, OBJECTS, { ...SETTINGS, maxCreates: created, maxDeletes: deleted })).toEqual([]);
  });
});
