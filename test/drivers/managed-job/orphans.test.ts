import { expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { orphanedPods } from '#drivers/managed-job/orphans.ts';
import { evaluateGiven, names } from './run-row.ts';

const [MADE] = evaluateGiven({ spec: {} }).creates;

function pod(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  if (MADE === undefined) throw new Error('no pod was made');
  const creationTimestamp = '2026-10-28T07:00:00Z';
  return { ...MADE, metadata: { ...MADE.metadata, name, creationTimestamp, ...metadata } };
}

const NOW = instant(Date.parse('2026-10-28T08:00:00Z') / 1000);
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
  expect(names(orphanedPods(pods, new Set(['uid-of-another']), NOW))).toEqual(['left', 'orphaned']);
  expect(orphanedPods(pods, new Set(['uid-job', 'uid-of-another']), NOW)).toEqual([]);
});

test.each([
  ['younger than clocks may differ: its Job may have come between the two reads', '2026-10-28T07:59:10Z', []],
  ['just old enough', '2026-10-28T07:58:59Z', ['left']],
])('a pod that is %s', (_what, creationTimestamp, want) => {
  expect(names(orphanedPods([pod('left', { creationTimestamp })], new Set(), NOW))).toEqual(want);
});
