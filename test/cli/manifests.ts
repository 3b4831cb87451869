import type { JsonObject } from '#core/object/object.ts';

/** A Job template that the API server takes. */
export const TEMPLATE: JsonObject = {
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] } },
  },
};

const CREATED = '2026-01-01T00:00:00Z';

export interface Parts {
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly status?: JsonObject;
}

function manifest(head: JsonObject, name: string, parts: Parts, spec: JsonObject): JsonObject {
  const namespace = head['kind'] === 'CronJob' ? 'harbor' : 'vault-a';
  return {
    ...head,
    metadata: { name, namespace, uid: `uid-${name}`, creationTimestamp: CREATED, ...parts.metadata },
    spec: { ...spec, ...parts.spec },
    ...(parts.status === undefined ? {} : { status: parts.status }),
  };
}

/** A nightly CronJob of the namespace harbor. */
export function cronJob(name: string, parts: Parts = {}): JsonObject {
  return manifest({ apiVersion: 'batch/v1', kind: 'CronJob' }, name, parts, {
    schedule: '0 3 * * *',
    jobTemplate: TEMPLATE,
  });
}

/** A nightly policy of the namespace vault-a. */
export function policy(name: string, parts: Parts = {}): JsonObject {
  const head = { apiVersion: 'etcd-operator.cozystack.io/v1alpha2', kind: 'EtcdDefragPolicy' };
  return manifest(head, name, parts, { clusterRef: { name: 'kv' }, schedule: '0 3 * * *' });
}

/** A nightly Plan of the namespace tenant-elm, of which nobody knows when it was created. */
export function backupPlan(name: string, schedule: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: 'Plan',
    metadata: { name, namespace: 'tenant-elm', uid: `uid-${name}` },
    spec: {
      applicationRef: { kind: 'MariaDB', name: 'ledger' },
      backupClassName: 'weekly-s3',
      schedule: { type: 'cron', cron: '0 3 * * *', ...schedule },
    },
  };
}

/** A Job of `owner`, made for the slot that its name says. */
export function job(name: string, owner: string | undefined, status: JsonObject): JsonObject {
  const reference = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    name: owner ?? '',
    uid: `uid-${owner}`,
    controller: true,
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: 'harbor',
      uid: `uid-${name}`,
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
    },
    status,
  };
}

/** All of them in one file. */
export function list(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
