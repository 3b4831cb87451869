import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import {
  backupClass,
  backupJob,
  batchJob,
  created,
  jobEnd,
  made,
  OUR_GROUP,
  PINNED,
  strategy,
  workOn,
} from './support/given.ts';

function jobFrom(more: JsonObject = {}, order: KubeObject = backupJob()): KubeObject {
  return made(workOn({ objects: [order, backupClass(), strategy(more)] }), 'Job');
}

describe('the Job of a BackupJob (backups.md B.5)', () => {
  it('has name, labels, marks, owner, and the rendered template', () => {
    expect(jobFrom()).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'nightly-1-backup',
        namespace: 'shop',
        labels: { [`${OUR_GROUP}/mode`]: 'backup', [`${OUR_GROUP}/backupjob`]: 'nightly-1' },
        annotations: {
          'minutehand.dev/owner-uid': 'uid-order',
          'minutehand.dev/pinned-strategy':
            '{"parameters":{"bucket":"silver"},"strategyRef":{"apiGroup":"jobdriver.backups.cozystack.io","kind":"JobBackupStrategy","name":"dump"}}',
        },
        ownerReferences: [
          {
            apiVersion: 'backups.cozystack.io/v1alpha1',
            kind: 'BackupJob',
            name: 'nightly-1',
            uid: 'uid-order',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        backoffLimit: 2,
        template: {
          metadata: {
            labels: {
              tier: 'backup',
              [`${OUR_GROUP}/mode`]: 'backup',
              [`${OUR_GROUP}/backupjob`]: 'nightly-1',
            },
          },
          spec: {
            containers: [
              {
                name: 'mover',
                image: 'registry.example.net/mover:1',
                args: ['--host=sessions', '--bucket=silver'],
              },
            ],
            restartPolicy: 'Never',
          },
        },
      },
    });
  });

  it('takes limits from the strategy', () => {
    const limits = { backoffLimit: 0, activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 600 };
    expect(jobFrom(limits).spec).toMatchObject(limits);
  });

  it('keeps a restart policy, and its own labels whatever the template says', () => {
    const template = {
      metadata: { labels: { [`${OUR_GROUP}/mode`]: 'mine' }, annotations: { a: '{{ BackupJob.Name }}' } },
      spec: {
        restartPolicy: 'OnFailure',
        containers: [{ name: 'c', image: 'i', env: [{ name: '{{ Mode }}' }] }],
      },
    };
    expect(jobFrom({ template }).spec).toMatchObject({
      template: {
        metadata: { labels: { [`${OUR_GROUP}/mode`]: 'backup' }, annotations: { a: 'nightly-1' } },
        spec: { restartPolicy: 'OnFailure', containers: [{ env: [{ name: 'backup' }] }] },
      },
    });
  });

  it('leaves keys, numbers and booleans as they are', () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], '{{ Mode }}': 1, hostNetwork: true };
    expect(jobFrom({ template: { spec } }).spec).toMatchObject({ template: { spec } });
  });

  it('has the slot of the order, and where the artifact will be', () => {
    const annotations = { 'minutehand.dev/slot': '2026-11-29T03:00:00Z' };
    const order = backupJob({}, { metadata: { annotations } });
    const job = jobFrom({ artifact: { uri: 's3://{{ Parameters.bucket }}/{{ BackupJob.Name }}' } }, order);
    expect(job.metadata.annotations).toMatchObject(annotations);
    expect(JSON.parse(job.metadata.annotations?.['minutehand.dev/pinned-strategy'] ?? '')).toEqual({
      ...PINNED,
      artifact: { uri: 's3://silver/nightly-1' },
    });
  });

  it.each([
    ['spec.artifact.uri', { artifact: { uri: '{{ Nope }}' } }],
    [
      'spec.template.metadata.annotations[a.b/c]',
      { template: { metadata: { annotations: { 'a.b/c': '{{ Nope }}' } }, spec: { containers: [{}] } } },
    ],
    [
      'spec.template.spec.containers[1].env[0].value',
      { template: { spec: { containers: [{}, { env: [{ value: '{{ Nope }}' }] }] } } },
    ],
  ])('a fault is told at %s', (field, more) => {
    const work = workOn({ objects: [backupJob(), backupClass(), strategy(more)] });
    expect([work.state, work.detail]).toEqual([
      'failed',
      `JobBackupStrategy dump: ${field}: undefined variable: Nope, line:1, col:4`,
    ]);
  });

  it('a template that is too large in all is refused', () => {
    const value =
      '{% for i in (1..600) %}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}';
    const template = { spec: { containers: [{ args: [value, value, value, value, value] }] } };
    expect(workOn({ objects: [backupJob(), backupClass(), strategy({ template })] }).detail).toBe(
      'JobBackupStrategy dump: spec.template.spec.containers[0].args[4]: more than 262144 characters in one value',
    );
  });

  it('the texts of one order share what they may do', () => {
    const much = '{% for i in (1..1500) %}{% if Mode == "x" %}{% endif %}{% endfor %}';
    const template = { spec: { containers: [{ args: [much] }] } };
    const start = (containers: Json): string | undefined =>
      workOn({ objects: [backupJob(), backupClass(), strategy({ template: { spec: { containers } } })] })
        .detail;
    expect(workOn({ objects: [backupJob(), backupClass(), strategy({ template })] }).state).toBe('started');
    expect(start([{ args: Array.from({ length: 9 }, () => much) }])).toMatch(
      /containers\[0\]\.args\[[1-8]\]: more than 10000 steps in the templates of one order/,
    );
    const artifact = { uri: Array.from({ length: 9 }, () => much).join('') };
    const work = workOn({ objects: [backupJob(), backupClass(), strategy({ template, artifact })] });
    expect(work.detail).toContain('spec.artifact.uri: more than 10000 steps');
  });

  it('a template with too many texts is refused', () => {
    const template = { spec: { containers: [{ args: Array.from({ length: 501 }, () => '{{ Mode }}') }] } };
    expect(workOn({ objects: [backupJob(), backupClass(), strategy({ template })] }).detail).toContain(
      'args[500]: more than 500 templates in one value',
    );
  });
});

describe('the Backup of a Job that is complete', () => {
  it('tells what really ran, and when it was done', () => {
    const changed = backupClass({ parameters: { bucket: 'gold' } });
    const work = workOn({ objects: [backupJob(created()), batchJob(jobEnd('Complete')), changed] });
    expect(made(work, 'Backup')).toEqual({
      apiVersion: 'backups.cozystack.io/v1alpha1',
      kind: 'Backup',
      metadata: {
        name: 'nightly-1',
        namespace: 'shop',
        labels: {
          'backups.cozystack.io/plan': 'nightly',
          'backups.cozystack.io/application-kind': 'Redis',
          'backups.cozystack.io/application-name': 'sessions',
          [`${OUR_GROUP}/backupjob`]: 'nightly-1',
        },
        annotations: { 'minutehand.dev/owner-uid': 'uid-order' },
      },
      spec: {
        applicationRef: { kind: 'Redis', name: 'sessions' },
        planRef: { name: 'nightly' },
        strategyRef: PINNED.strategyRef,
        takenAt: '2026-11-29T03:00:20Z',
        driverMetadata: { [`${OUR_GROUP}/parameter/bucket`]: 'silver' },
      },
      status: { phase: 'Ready' },
    });
  });

  it('is of now where the Job does not say when it was done', () => {
    const done = { conditions: [{ type: 'Complete', status: 'True' }] };
    const work = workOn({ objects: [backupJob(created()), batchJob(done)] });
    expect(made(work, 'Backup').spec).toMatchObject({ takenAt: '2026-11-29T03:00:30Z' });
  });
});
