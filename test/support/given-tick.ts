import { JOB } from '#api/resources.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf, EVENT, type ResourceType } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { etcdDefragPolicy } from '#kinds/etcd-defrag-policy/index.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';

const TYPES: readonly ResourceType[] = [POLICY, DEFRAG, CRON_JOB, JOB, EVENT];

export function at(text: string): Instant {
  const found = parseInstant(text);
  if (found === undefined) throw new RangeError(`${text} is no time`);
  return found;
}

/** A policy that was created in 2026 and last settled when the status says. */
export function policy(name: string, spec: object, status: object = {}): KubeObject {
  return {
    apiVersion: apiVersionOf(POLICY),
    kind: POLICY.kind,
    metadata: {
      name,
      namespace: 'harbor',
      uid: `uid-${name}`,
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { clusterRef: { name: 'kv' }, schedule: '0 3 * * *', ...spec },
    status: { ...status },
  };
}

export function defrag(policyName: string, slot: string, status: object = {}): KubeObject {
  return {
    apiVersion: apiVersionOf(DEFRAG),
    kind: DEFRAG.kind,
    metadata: {
      name: `${policyName}-${at(slot)}`,
      namespace: 'harbor',
      uid: `uid-${policyName}-${at(slot)}`,
      resourceVersion: '3',
      creationTimestamp: slot,
      labels: { 'etcd-operator.cozystack.io/defrag-policy': policyName },
      ownerReferences: [
        {
          apiVersion: apiVersionOf(POLICY),
          kind: POLICY.kind,
          name: policyName,
          uid: `uid-${policyName}`,
          controller: true,
        },
      ],
    },
    spec: { clusterRef: { name: 'kv' } },
    status: { ...status },
  };
}

export function cronJobNamed(name: string, spec: object, status: object = {}): KubeObject {
  const container = { name: 'main', image: 'postgres:18' };
  return {
    apiVersion: apiVersionOf(CRON_JOB),
    kind: CRON_JOB.kind,
    metadata: {
      name,
      namespace: 'harbor',
      uid: `uid-${name}`,
      resourceVersion: '9',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      ...spec,
    },
    status: { ...status },
  };
}

export function jobOf(cronJobName: string, slot: string, status: object = {}): KubeObject {
  return {
    apiVersion: apiVersionOf(JOB),
    kind: JOB.kind,
    metadata: {
      name: `${cronJobName}-${at(slot) / 60}`,
      namespace: 'harbor',
      uid: `uid-${cronJobName}-${at(slot) / 60}`,
      resourceVersion: '4',
      ownerReferences: [
        {
          apiVersion: apiVersionOf(CRON_JOB),
          kind: CRON_JOB.kind,
          name: cronJobName,
          uid: `uid-${cronJobName}`,
          controller: true,
        },
      ],
    },
    status: { ...status },
  };
}

function observed(objects: readonly KubeObject[]): Observed {
  return new Map(
    TYPES.map((type) => {
      const ofType = objects.filter(
        ({ kind, apiVersion }) => kind === type.kind && apiVersion === apiVersionOf(type),
      );
      return [typeId(type), { state: 'read', objects: ofType.map((object) => ({ object })) }];
    }),
  );
}

/** One tick over these objects. */
export function tick(
  now: string,
  objects: readonly KubeObject[],
  settings: Partial<Settings> = {},
): Reconciliation {
  return reconcile({
    observed: observed(objects),
    kinds: [etcdDefragPolicy, cronJob],
    settings: {
      graceSeconds: 90,
      defaultTimeZone: 'UTC',
      writers: { 'cron-job': 'manage' },
      retention: {},
      ...settings,
    },
    now: at(now),
  });
}
