import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { runTick, SETTINGS } from './support/tick.ts';

const SLOT = Date.parse('2026-06-10T03:00:00Z') / 1000;
const FIRST = instant(SLOT + 10);
const KEY = { group: 'batch', kind: 'CronJob', namespace: 'green', name: 'nightly' };
const BEFORE = { lastScheduleTime: '2026-06-09T03:00:00Z' };
const SPEC = {
  schedule: '0 3 * * *',
  jobTemplate: {
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x:1' }] } } },
  },
};

const CRON_JOB: KubeObject = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: {
    name: KEY.name,
    namespace: KEY.namespace,
    uid: 'uid-green',
    creationTimestamp: '2026-06-01T00:00:00Z',
  },
  spec: SPEC,
  status: BEFORE,
};

const COMPLETE = {
  conditions: [{ type: 'Complete', status: 'True' }],
  completionTime: '2026-06-10T03:01:00Z',
};

describe.each(['whole', 'needed'] as const)('where ticks read what is %s', (reading) => {
  test('a slot whose status was lost is not run again behind a pause, though no tick came for an hour', async () => {
    const store = memoryStore({ objects: [CRON_JOB], now: FIRST });
    const jobs = (): readonly KubeObject[] => store.objects().filter(({ kind }) => kind === 'Job');
    const tickAfter = (minutes: number): Promise<unknown> =>
      runTick(store, instant(FIRST + minutes * 60), SETTINGS, reading);

    await tickAfter(0);
    expect(jobs()).toHaveLength(1);
    store.edit(KEY, (object) => ({ ...object, spec: { ...SPEC, suspend: true }, status: BEFORE }));
    for (const { metadata } of jobs())
      store.edit({ ...KEY, kind: 'Job', name: metadata.name }, (job) => ({ ...job, status: COMPLETE }));
    await tickAfter(66);
    for (const { metadata } of jobs()) store.remove({ ...KEY, kind: 'Job', name: metadata.name });
    store.edit(KEY, (object) => ({ ...object, spec: { ...SPEC, suspend: false } }));
    await tickAfter(67);
    expect(jobs()).toEqual([]);
  });
});
