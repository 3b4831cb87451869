import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { decided } from '#test/properties/support/decided.ts';
import { claim, policy, schedule } from './world.ts';

const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z

function created(objects: readonly KubeObject[]): readonly KubeObject[] {
  const { changeSet, problems } = decided(objects, NOW);
  expect(problems).toEqual([]);
  return changeSet.schedules.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.verb === 'create' ? [change.object] : [])),
  );
}

describe('the Snapshot of a slot', () => {
  test('carries labels, marks and policy, and no owner', () => {
    expect(created([schedule('nightly'), policy('pg')])).toEqual([
      {
        apiVersion: 'kopiur.home-operations.com/v1alpha1',
        kind: 'Snapshot',
        metadata: {
          name: 'nightly-20260610030000',
          namespace: 'billing',
          labels: {
            'app.kubernetes.io/managed-by': 'kopiur',
            'kopiur.home-operations.com/config': 'pg',
            'kopiur.home-operations.com/origin': 'scheduled',
            'kopiur.home-operations.com/schedule': 'nightly',
          },
          annotations: {
            'minutehand.dev/owner-uid': 'uid-nightly',
            'minutehand.dev/slot': '2026-06-10T03:00:00Z',
          },
        },
        spec: { policyRef: { name: 'pg' } },
      },
    ]);
  });

  test('takes the deletion policy of its policy', () => {
    const [one] = created([schedule('nightly'), policy('pg', { defaultDeletionPolicy: 'Orphan' })]);
    expect(one?.spec).toEqual({ policyRef: { name: 'pg' }, deletionPolicy: 'Orphan' });
  });

  test('names its claim where the policy selects claims', () => {
    const sources = [{ pvcSelector: { labelSelector: { matchLabels: { backup: 'yes' } } } }];
    const objects = [
      schedule('nightly'),
      policy('pg', { sources }),
      claim('data-2', { backup: 'yes' }),
      claim('data-1', { backup: 'yes' }),
      claim('scratch'),
      claim('data-3', { backup: 'yes' }, 'elsewhere'),
    ];
    expect(created(objects).map(({ spec }) => spec)).toEqual(
      ['data-1', 'data-2'].map((name) => ({
        policyRef: { name: 'pg' },
        source: { sourceIndex: 0, target: { pvc: { namespace: 'billing', name } } },
      })),
    );
  });

  test('names its repository where the policy has several', () => {
    const repositories = [{ name: 'nas' }, { kind: 'ClusterRepository', name: 'offsite' }];
    const objects = [schedule('nightly'), policy('pg', { repository: null, repositories })];
    expect(created(objects).map(({ spec }) => spec)).toEqual([
      { policyRef: { name: 'pg' }, repository: { kind: 'Repository', name: 'nas', namespace: 'billing' } },
      { policyRef: { name: 'pg' }, repository: { kind: 'ClusterRepository', name: 'offsite' } },
    ]);
    const single = [schedule('nightly'), policy('pg', { repository: null, repositories: [{ name: 'nas' }] })];
    expect(created(single).map(({ spec }) => spec)).toEqual([{ policyRef: { name: 'pg' } }]);
  });

  test('has long names cut in its labels and told in full', () => {
    const name = 's'.repeat(200);
    const [one] = created([schedule(name, { policyRef: { name: 'p'.repeat(80) } }), policy('p'.repeat(80))]);
    expect(one?.metadata.name).toMatch(/^s+-[0-9a-f]{8}-20260610030000$/);
    expect(one?.metadata.name).toHaveLength(63);
    expect(one?.metadata.labels?.['kopiur.home-operations.com/schedule']).toHaveLength(63);
    expect(one?.metadata.annotations?.['minutehand.dev/full-name']).toBe(`${name},${'p'.repeat(80)}`);
  });
});
