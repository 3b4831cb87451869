import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { etcdDefragPolicy } from '#kinds/etcd-defrag-policy/index.ts';

const NOW = parseInstant('2026-06-10T03:00:10Z') as Instant;

function policy(namespace: string, more: Partial<KubeObject> = {}, name = 'nightly'): KubeObject {
  return {
    apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
    kind: 'EtcdDefragPolicy',
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *' },
    status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
    ...more,
  };
}

function verdicts(schedules: readonly KubeObject[], runs: Listing): Readonly<Record<string, string>> {
  const observed: Observed = new Map<string, Listing>([
    [typeId(etcdDefragPolicy.resource), { state: 'read', objects: schedules.map((object) => ({ object })) }],
    [typeId(etcdDefragPolicy.run), runs],
  ]);
  const settings = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention: {} };
  const { changeSet } = reconcile({ observed, kinds: [etcdDefragPolicy], settings, now: NOW });
  return Object.fromEntries(
    changeSet.schedules.map(({ key, verdict, changes }) => [
      `${key.namespace}/${key.name}`,
      `${verdict.code} ${changes.length}`,
    ]),
  );
}

describe('runs that could not all be read', () => {
  it('make the schedules of their namespace unreadable and no others', () => {
    const incomplete = new Map([['team-b', 'x.json is no JSON']]);
    expect(
      verdicts([policy('team-a'), policy('team-b')], { state: 'read', objects: [], incomplete }),
    ).toEqual({ 'team-a/nightly': 'fired 3', 'team-b/nightly': 'unreadable 0' });
  });

  it('make every schedule unreadable where the list itself broke off', () => {
    expect(verdicts([policy('team-a')], { state: 'unreadable', reason: 'timeout' })).toEqual({
      'team-a/nightly': 'unreadable 0',
    });
  });
});

describe('what cannot be used is invalid, and nothing is written for it', () => {
  const none: Listing = { state: 'read', objects: [] };

  it.each(['a/b', 'a%2fb', '.', '..', 'line\nbreak', ''])('a name such as %j', (name) => {
    expect(verdicts([policy('team-a', {}, name)], none)).toEqual({ [`team-a/${name}`]: 'invalid 0' });
  });

  it.each([['x'], [[]], [0], [true]])('a status of %j', (status) => {
    expect(verdicts([policy('team-a', { status })], none)).toEqual({ 'team-a/nightly': 'invalid 0' });
  });

  it.each<[Json]>([[null], [{}]])('but a status of %j is none', (status) => {
    expect(verdicts([policy('team-a', { status })], none)).toEqual({ 'team-a/nightly': 'fired 3' });
  });

  it.each(['K_8 s!', 'Etcd', 'a..b'])('a cluster named %j', (name) => {
    const spec = { clusterRef: { name }, schedule: '0 3 * * *' };
    expect(verdicts([policy('team-a', { spec })], none)).toEqual({ 'team-a/nightly': 'invalid 0' });
  });

  it('a quantity that is a fraction without quotes', () => {
    const spec = { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *', rule: { freeSpaceAbove: 1.5 } };
    expect(verdicts([policy('team-a', { spec })], none)).toEqual({ 'team-a/nightly': 'invalid 0' });
  });
});
