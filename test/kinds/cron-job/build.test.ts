import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { createdRun, toldNotes } from '#test/kinds/support/decide-one.ts';

const JOB_SPEC = {
  backoffLimit: 2,
  template: {
    metadata: { labels: { app: 'dump' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'dump', image: 'registry.test/dump:3' }] },
  },
};

function cronJob(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: 'nightly',
      namespace: 'harbor',
      uid: 'uid-nightly',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { schedule: '0 3 * * *', jobTemplate: { metadata, spec: JOB_SPEC }, ...spec },
    status: { lastScheduleTime: '2026-06-09T03:00:00Z' },
  };
}

const NOW = '2026-06-10T03:00:10Z';
const TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

describe('the Job of a slot (cron-job.md 1.9)', () => {
  test('has the name of the minute, the marks of the slot, the owner and the spec of the template', () => {
    const template = { labels: { team: 'db' }, annotations: { note: 'kept' } };
    expect(createdRun([cronJob({}, template)], NOW)).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'nightly-29684340',
        namespace: 'harbor',
        labels: { team: 'db' },
        annotations: {
          note: 'kept',
          [TIMESTAMP]: '2026-06-10T03:00:00Z',
          'minutehand.dev/slot': '2026-06-10T03:00:00Z',
          'minutehand.dev/owner-uid': 'uid-nightly',
        },
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            name: 'nightly',
            uid: 'uid-nightly',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: JOB_SPEC,
    });
  });

  test('has no labels when the template has none', () => {
    expect(createdRun([cronJob({})], NOW)?.metadata).not.toHaveProperty('labels');
  });

  test('cannot have its marks replaced by annotations of the template', () => {
    const annotations = { 'minutehand.dev/slot': '1999-01-01T00:00:00Z', [TIMESTAMP]: 'never' };
    expect(createdRun([cronJob({}, { annotations })], NOW)?.metadata.annotations).toEqual({
      [TIMESTAMP]: '2026-06-10T03:00:00Z',
      'minutehand.dev/slot': '2026-06-10T03:00:00Z',
      'minutehand.dev/owner-uid': 'uid-nightly',
    });
  });

  test.each([
    [
      'with the offset of timeZone',
      { timeZone: 'Europe/Berlin', schedule: '0 5 * * *' },
      '2026-06-10T05:00:00+02:00',
    ],
    ['with Z for a zone that is UTC', { timeZone: 'Etc/UTC' }, '2026-06-10T03:00:00Z'],
    [
      'in UTC where a stored prefix decides',
      { schedule: 'TZ=Europe/Berlin 0 5 * * *' },
      '2026-06-10T03:00:00Z',
    ],
  ])('records the slot %s', (_name, spec, text) => {
    expect(createdRun([cronJob(spec)], NOW)?.metadata.annotations?.[TIMESTAMP]).toBe(text);
  });
});

describe('the words of events (cron-job.md 1.13)', () => {
  test('are those of Kubernetes', () => {
    expect(toldNotes([cronJob({ schedule: '* * * * *' })], NOW)).toEqual([
      'TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      'SuccessfulCreate: Created job nightly-29684340',
    ]);
  });
});
