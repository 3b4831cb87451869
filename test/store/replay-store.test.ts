import { describe, expect, test } from 'vitest';
import type { Capture } from '#core/capture/capture.ts';
import { instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { recordingStore } from '#store/recording-store.ts';
import { replayStore } from '#store/replay-store.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { CRON_JOB, cronJob, JOB, job } from '#test/store/fixtures.ts';

const NAMESPACE = 'harbor';
const LABELLED = { type: JOB, namespace: NAMESPACE, labels: { app: 'a', tier: 'b' } };
const LIVE = { group: 'batch', kind: 'CronJob', namespace: NAMESPACE, name: 'nightly' };

/** A store that was asked all of it, and one that answers from what was recorded. */
async function recorded(): Promise<{ readonly source: Store; readonly replay: Store }> {
  const source = memoryStore({ objects: [cronJob(NAMESPACE, 'nightly'), job(NAMESPACE, 'run')] });
  const recorder = recordingStore(source);
  await recorder.store.list(CRON_JOB);
  await recorder.store.find(LIVE);
  await recorder.store.find({ ...LIVE, name: 'absent' });
  await recorder.store.listLabelled(LABELLED);
  const capture: Capture = {
    ...recorder.recording(),
    program: '0',
    now: instant(0),
    origin: 'cluster',
    config: {},
    findings: { input: [], store: [] },
    failedReads: false,
  };
  return { source, replay: replayStore(capture, 'a capture') };
}

describe('what was asked is answered as it was', () => {
  test('lists, objects by their kind, and objects by their labels in any order of these', async () => {
    const { source, replay } = await recorded();
    expect(await replay.list(CRON_JOB)).toEqual(await source.list(CRON_JOB));
    expect(await replay.find(LIVE)).toMatchObject({ state: 'found', object: { kind: 'CronJob' } });
    expect(await replay.find({ ...LIVE, name: 'absent' })).toEqual({ state: 'missing' });
    const labels = { tier: 'b', app: 'a' };
    expect(await replay.listLabelled({ ...LABELLED, labels })).toEqual({ state: 'read', objects: [] });
    const key = { group: 'batch', kind: 'CronJob', namespace: NAMESPACE, name: 'nightly' };
    expect(await replay.get(CRON_JOB, key)).toEqual(await source.get(CRON_JOB, key));
    expect(await replay.get(CRON_JOB, { ...key, name: 'absent' })).toEqual({ state: 'missing' });
  });
});

describe('what was not asked is not known, and never empty', () => {
  test('lists, objects by their kind, and objects by their labels', async () => {
    const { replay } = await recorded();
    expect(await replay.list(JOB)).toEqual({ state: 'unreadable', reason: 'jobs are not in the capture' });
    expect(await replay.find({ ...LIVE, name: 'other' })).toEqual({
      state: 'failed',
      reason: 'CronJob harbor/other is not in the capture',
    });
    expect(await replay.listLabelled({ ...LABELLED, namespace: 'other' })).toEqual({
      state: 'unreadable',
      reason: 'these jobs are not in the capture',
    });
    expect(await replay.get(JOB, { ...LIVE, kind: 'Job' })).toMatchObject({ state: 'failed' });
  });
});

test('nothing is written to a capture', async () => {
  const { replay } = await recorded();
  const precondition = { uid: 'u', resourceVersion: '1' };
  expect(await replay.prepare()).toMatchObject({ ok: false });
  for (const write of [
    replay.create(JOB, job(NAMESPACE, 'other')),
    replay.applyStatus(CRON_JOB, LIVE, precondition, {}),
    replay.annotate(CRON_JOB, LIVE, precondition, {}),
    replay.removeFinalizers(CRON_JOB, LIVE, precondition, []),
    replay.delete(CRON_JOB, LIVE, precondition),
  ]) {
    expect(await write).toMatchObject({ ok: false, failure: { message: 'a capture is never written to' } });
  }
});
