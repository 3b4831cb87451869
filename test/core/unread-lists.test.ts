import { describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type ListFault, type Listing, typeId } from '#core/observed.ts';
import { typesOf } from '#core/types-of.ts';
import { unreadLists } from '#core/unread-lists.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { KINDS } from '#kinds/index.ts';
import { CLUSTER_REPOSITORY } from '#kinds/snapshot-schedule/resources.ts';

const WHY = 'an incomplete list is never taken for a short one, so nothing is decided that depends on it';

function told(
  unread: readonly (readonly [ResourceType, Omit<Listing & { state: 'unreadable' }, 'state'>])[],
  kinds: readonly ScheduleKind[] = KINDS,
): readonly (readonly (string | undefined)[])[] {
  const observed = new Map<string, Listing>(
    typesOf(kinds).map((type) => [typeId(type), { state: 'read', objects: [] }]),
  );
  for (const [type, why] of unread) observed.set(typeId(type), { state: 'unreadable', ...why });
  return unreadLists(observed, kinds).map(({ code, severity, what, why, fix }) => {
    expect([code, severity]).toEqual(['ListUnreadable', 'error']);
    return [what, why, fix];
  });
}

const CUT: ListFault = { reason: 'reset', server: 'the server x cannot be reached: reset', fix: 'look' };
const DENIED: ListFault = { reason: 'they are closed', fix: 'open them', denied: true };

describe('lists that could not be read', () => {
  test('are told by their reasons, sorted', () => {
    expect(
      told([
        [POLICY, { reason: 'it broke off' }],
        [JOB, { reason: 'it expired' }],
        [DEFRAG, { reason: 'it broke off' }],
      ]),
    ).toEqual([
      ['etcddefragpolicies, etcddefrags could not be read: it broke off', WHY, undefined],
      ['jobs could not be read: it expired', WHY, undefined],
    ]);
  });

  test('of runs that are not served are told where there are schedules', () => {
    const policy = { apiVersion: 'etcd-operator.cozystack.io/v1alpha2', kind: 'EtcdDefragPolicy' };
    const object = { ...policy, metadata: { name: 'nightly', namespace: 'vaults' } };
    const toldWith = (objects: readonly { readonly object: typeof object }[]) =>
      unreadLists(
        new Map<string, Listing>([
          [typeId(POLICY), { state: 'read', objects }],
          [typeId(DEFRAG), { state: 'absent' }],
        ]),
        KINDS,
      );
    expect(toldWith([{ object }])).toEqual([
      {
        code: 'ListUnreadable',
        severity: 'error',
        what: 'etcddefrags are not served, and there are etcddefragpolicies',
        why: WHY,
        fix: 'install the definition of etcddefrags.etcd-operator.cozystack.io',
      },
    ]);
    expect(toldWith([])).toEqual([]);
  });

  test('are told as the fault of the server where no other could be read', () => {
    const reset = (type: ResourceType) => [type, { reason: 'reset', fault: CUT }] as const;
    const all = typesOf(KINDS);
    expect(told(all.map(reset))).toEqual([[CUT.server, undefined, CUT.fix]]);
    expect(told([reset(JOB), reset(POLICY)])).toEqual([
      ['etcddefragpolicies, jobs could not be read: reset', WHY, CUT.fix],
    ]);
    expect(told([...all.map(reset), [JOB, { reason: 'it expired' }]])).toHaveLength(2);
  });

  test('for want of rights name the settings that do without them, if any schedules would be left', () => {
    const denied = (type: ResourceType) =>
      [type, { reason: `${type.plural} is forbidden`, fault: DENIED }] as const;
    const fixes = (types: readonly ResourceType[], kinds?: readonly ScheduleKind[]) =>
      told(types.map(denied), kinds).map(([, , fix]) => fix);
    expect(fixes([CLUSTER_REPOSITORY])).toEqual([
      'open them; where no SnapshotSchedules are wanted, write `snapshotSchedule: off` in the configuration',
    ]);
    expect(fixes([JOB])).toEqual([
      'open them; where no CronJobs and SnapshotSchedules are wanted, write `cronJob: off` and `snapshotSchedule: off` in the configuration',
    ]);
    const unplanned = KINDS.filter(({ id }) => id !== 'backup-plan');
    expect(fixes([JOB, POLICY], unplanned)).toEqual(['open them']);
    const only = KINDS.filter(({ id }) => id === 'snapshot-schedule');
    expect(fixes([CLUSTER_REPOSITORY], only)).toEqual(['open them']);
  });
});
