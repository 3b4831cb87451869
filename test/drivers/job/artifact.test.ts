import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '#core/object/object.ts';
import { backupJob, batchJob, created, jobEnd, made, PINNED, workOn } from './support/given.ts';

const URI = 's3://silver/nightly-1';
const JOB = batchJob(jobEnd('Complete'), { pinned: JSON.stringify({ ...PINNED, artifact: { uri: URI } }) });

function pod(
  message: string,
  more: { name?: string; phase?: string; exitCode?: number; owner?: string } = {},
): KubeObject {
  const { name = 'p', phase = 'Succeeded', exitCode = 0, owner = 'uid-job' } = more;
  const containerStatuses: Json = [{ name: 'c', state: { terminated: { exitCode, message } } }];
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', ownerReferences },
    status: { phase, containerStatuses },
  };
}

function artifactFrom(pods: readonly KubeObject[]): unknown {
  const work = workOn({ objects: [backupJob(created()), JOB], pods: { state: 'read', objects: pods } });
  const { status } = made(work, 'Backup') as { status?: { artifact?: unknown } };
  return status?.artifact;
}

const WHOLE = '{"sizeBytes": 4096, "checksum": "sha256:ab"}';

describe('the artifact of a Backup (backups.md, decision 12)', () => {
  it.each<[name: string, pods: readonly KubeObject[], want: unknown]>([
    ['size and checksum', [pod(WHOLE)], { uri: URI, sizeBytes: 4096, checksum: 'sha256:ab' }],
    ['a size alone', [pod('{"sizeBytes": 0}')], { uri: URI, sizeBytes: 0 }],
    [
      'a checksum beside an odd size',
      [pod('{"sizeBytes": "4k", "checksum": "x"}')],
      { uri: URI, checksum: 'x' },
    ],
    ['a size below zero', [pod('{"sizeBytes": -1}')], { uri: URI }],
    ['a fraction of a byte', [pod('{"sizeBytes": 1.5}')], { uri: URI }],
    ['other keys are left alone', [pod('{"sizeBytes": 1, "secret": "x"}')], { uri: URI, sizeBytes: 1 }],
    ['words', [pod('done')], { uri: URI }],
    ['a list', [pod('[1]')], { uri: URI }],
    ['nothing', [pod('')], { uri: URI }],
    ['no pod is left', [], { uri: URI }],
    ['a pod that failed', [pod(WHOLE, { phase: 'Failed', exitCode: 1 })], { uri: URI }],
    ['a pod of another Job', [pod(WHOLE, { owner: 'uid-of-another' })], { uri: URI }],
    [
      'the first of several pods that says so',
      [pod('{"sizeBytes": 2}', { name: 'b' }), pod('done', { name: 'a' }), pod(WHOLE, { name: 'c' })],
      { uri: URI, sizeBytes: 2 },
    ],
  ])('%s', (_name, pods, want) => {
    expect(artifactFrom(pods)).toEqual(want);
  });

  it('goes into the body and into the status after it', () => {
    const work = workOn({
      objects: [backupJob(created()), JOB],
      pods: { state: 'read', objects: [pod(WHOLE)] },
    });
    const status = { phase: 'Ready', artifact: { uri: URI, sizeBytes: 4096, checksum: 'sha256:ab' } };
    expect(made(work, 'Backup').status).toEqual(status);
    expect(work.steps[1]).toMatchObject({ verb: 'apply', change: { fields: status } });
  });

  it('is waited for where pods cannot be read', () => {
    const pods = { state: 'unreadable', reason: 'timeout' } as const;
    const work = workOn({ objects: [backupJob(created()), JOB], pods });
    expect([work.state, work.detail, work.steps]).toEqual(['unreadable', 'pods: timeout', []]);
  });
});
