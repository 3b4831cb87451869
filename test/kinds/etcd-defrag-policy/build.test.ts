import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { createdRun, toldNotes } from '#test/kinds/support/decide-one.ts';

const GROUP = 'etcd-operator.cozystack.io';

function policy(spec: JsonObject): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha2`,
    kind: 'EtcdDefragPolicy',
    metadata: {
      name: 'nightly',
      namespace: 'team-a',
      uid: 'uid-nightly',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *', ...spec },
    status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
  };
}

const NOW = '2026-06-10T03:00:10Z';

describe('the run of a slot (etcd-defrag-policy.md A.5)', () => {
  test('has the name of the second, labels, owner, and copies of rule and time to live', () => {
    const rule = { freeSpaceAbove: '200Mi', quotaUsageAbove: '80%', minReclaim: '32Mi' };
    expect(createdRun([policy({ rule, ttlSecondsAfterFinished: 3600, historyLimit: 3 })], NOW)).toEqual({
      apiVersion: `${GROUP}/v1alpha2`,
      kind: 'EtcdDefrag',
      metadata: {
        name: 'nightly-1781060400',
        namespace: 'team-a',
        labels: { [`${GROUP}/defrag-policy`]: 'nightly', [`${GROUP}/cluster`]: 'etcd' },
        annotations: {
          'minutehand.dev/slot': '2026-06-10T03:00:00Z',
          'minutehand.dev/owner-uid': 'uid-nightly',
        },
        ownerReferences: [
          {
            apiVersion: `${GROUP}/v1alpha2`,
            kind: 'EtcdDefragPolicy',
            name: 'nightly',
            uid: 'uid-nightly',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { clusterRef: { name: 'etcd' }, rule, ttlSecondsAfterFinished: 3600 },
    });
  });

  test('has neither rule nor time to live when the policy has none', () => {
    expect(createdRun([policy({ rule: null })], NOW)?.spec).toEqual({ clusterRef: { name: 'etcd' } });
  });

  test('keeps a time to live of 0', () => {
    expect(createdRun([policy({ ttlSecondsAfterFinished: 0 })], NOW)?.spec).toMatchObject({
      ttlSecondsAfterFinished: 0,
    });
  });

  test('has a valid label for a cluster whose name is longer than a label, and the whole name beside it', () => {
    const long = `${'c'.repeat(53)}.${'d'.repeat(20)}`;
    const run = createdRun([policy({ clusterRef: { name: long } })], NOW);
    const label = run?.metadata.labels?.[`${GROUP}/cluster`] ?? '';
    expect(label).toMatch(/^c{53}-[0-9a-f]{8}$/);
    expect(run?.metadata.annotations?.['minutehand.dev/full-name']).toBe(long);
    expect(run?.spec).toMatchObject({ clusterRef: { name: long } });
  });
});

describe('the words of events', () => {
  const running: KubeObject = {
    apiVersion: `${GROUP}/v1alpha2`,
    kind: 'EtcdDefrag',
    metadata: {
      name: 'nightly-1780974000',
      namespace: 'team-a',
      labels: { [`${GROUP}/defrag-policy`]: 'nightly' },
      ownerReferences: [
        {
          apiVersion: `${GROUP}/v1alpha2`,
          kind: 'EtcdDefragPolicy',
          name: 'nightly',
          uid: 'uid-nightly',
          controller: true,
        },
      ],
    },
  };

  test.each([
    ['StampedRun', [policy({})], NOW],
    ['ConcurrencyForbidden', [policy({}), running], NOW],
    ['MissedSchedule', [policy({ startingDeadlineSeconds: 60 })], '2026-06-10T03:05:00Z'],
  ])('%s names the slot in UTC', (reason, objects, now) => {
    const [note] = toldNotes(objects, now);
    expect(note).toMatch(new RegExp(`^${reason}: .*2026-06-10T03:00:00Z`));
  });
});
