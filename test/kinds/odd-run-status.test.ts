import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '#core/object/object.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { etcdDefragPolicy } from '#kinds/etcd-defrag-policy/index.ts';

function run(status: Json): KubeObject {
  return { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'r' }, status };
}

describe('a status that no API wrote is an unknown phase, which blocks and is never deleted', () => {
  it.each<[Json]>([
    ['x'],
    [[]],
    [0],
    [true],
    [{ phase: ['Complete'] }],
    [{ phase: 'complete' }],
    [{ phase: 1 }],
  ])('%j of an EtcdDefrag', (status) => {
    expect(etcdDefragPolicy.phaseOf(run(status))).toBe('unknown');
  });

  it.each<[Json]>([
    ['x'],
    [[]],
    [{ conditions: {} }],
    [{ conditions: [{ type: 'Complete', status: true }] }],
    [{ conditions: [{ type: 'Failed' }] }],
    [{ conditions: [{ type: 'Complete', status: 'true' }] }],
  ])('%j of a Job', (status) => {
    expect(cronJob.phaseOf(run(status))).toBe('unknown');
  });

  it.each<[Json, string]>([
    [null, 'running'],
    [{}, 'running'],
    [{ conditions: [] }, 'running'],
    [{ conditions: [{ type: 'Complete', status: 'False' }] }, 'running'],
    [{ conditions: [{ type: 'Suspended', status: true }] }, 'running'],
    [{ conditions: [{ type: 'Failed', status: 'True' }] }, 'failed'],
  ])('but %j of a Job is %s', (status, phase) => {
    expect(cronJob.phaseOf(run(status))).toBe(phase);
  });
});
