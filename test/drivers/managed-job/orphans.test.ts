import { expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { orphanedPods } from '#drivers/managed-job/orphans.ts';
import { evaluateGiven, names } from './run-row.ts';

const [MADE] = evaluateGiven({ spec: {} }).creates;

function pod(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  if (MADE === undefined) throw new Error('no pod was made');
  return { ...MADE, metadata: { ...MADE.metadata, name, ...metadata } };
}

const [OWNER] = pod('a').metadata.ownerReferences ?? [];

test('pods of ours whose Job is gone, and only they', () => {
  if (OWNER === undefined) throw new Error('a pod without owner');
  const pods = [
    pod('left'),
    pod('orphaned', { ownerReferences: [] }),
    pod('not-marked', { annotations: {} }),
    pod('released', { finalizers: ['example.com/hold'] }),
    pod('adopted', { ownerReferences: [{ ...OWNER, uid: 'uid-of-another' }] }),
    pod('taken', { ownerReferences: [{ ...OWNER, kind: 'ReplicaSet', apiVersion: 'apps/v1' }] }),
  ];
  expect(names(orphanedPods(pods, new Set(['uid-of-another'])))).toEqual(['left', 'orphaned']);
  expect(orphanedPods(pods, new Set(['uid-job', 'uid-of-another']))).toEqual([]);
});
